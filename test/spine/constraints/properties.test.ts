import { describe, expect, it } from "vitest";
import * as spine from "../../../src/spine/index.js";
import { Random, randomRig, TYPES } from "../update/random-rig.js";
import fc, { runs } from "../../properties.js";

const seeds = fc.integer({ min: 1, max: 0x7fffffff });

function load(json: object): spine.SkeletonData {
  return new spine.SkeletonJson(new spine.TextureAtlas("")).readSkeletonData(json);
}

/** Poses frames of an animation and reads all world transforms. */
function pose(data: spine.SkeletonData, random: Random, scaleX: number, disturb: Random | null = null): number[] {
  const skeleton = new spine.Skeleton(data);
  skeleton.scaleX = scaleX;
  const numbers: number[] = [];
  const start = random.between(0, 1);
  for (let frame = 0; frame < 3; frame++) {
    data.findAnimation("move")!.apply(skeleton, -1, start + frame * 0.07, true, null, 1, spine.MixFrom.setup, false, false, false);
    if (disturb !== null) {
      for (const { pose: p } of skeleton.bones) {
        for (const key of ["x", "y", "rotation", "scaleX", "scaleY"] as const) {
          p[key] += (disturb.chance(0.5) ? 1.2e-7 : -1.2e-7) * Math.max(1, Math.abs(p[key]));
        }
      }
    }
    skeleton.update(1 / 60);
    skeleton.updateWorldTransform(spine.Physics.update);
    for (const { appliedPose: p } of skeleton.bones) numbers.push(p.a, p.b, p.c, p.d, p.worldX, p.worldY);
  }
  skeleton.dispose();
  return numbers;
}

describe("a mirrored skeleton", () => {
  for (const types of [["none"], ...TYPES.map((type) => [type])]) {
    it(`is the mirror image: ${types.join()}`, () => {
      fc.assert(
        fc.property(seeds, (seed) => {
          const json = randomRig(new Random(seed), { types, skins: false, forces: false, constraints: 2 });
          const data = load(json);
          const straight = pose(data, new Random(seed), 1);
          const mirrored = pose(data, new Random(seed), -1);
          // A pose that a rounding of its inputs moves says nothing; what is below is what rounding may do.
          let noise = 0;
          for (let i = 1; i <= 4; i++) {
            pose(data, new Random(seed), 1, new Random(seed + i)).forEach((value, k) => (noise = Math.max(noise, Math.abs(value - straight[k]!))));
          }
          data.dispose();
          fc.pre(noise < 0.01);
          straight.forEach((value, i) => {
            // Rows a, b and worldX change their sign.
            const wanted = [0, 1, 4].includes(i % 6) ? -value : value;
            const tolerance = Math.max(4e-3, 60 * noise);
            if (!(Math.abs(mirrored[i]! - wanted) <= tolerance)) {
              throw new Error(`seed ${seed}, number ${i}: ${mirrored[i]}, expected ${wanted}; ${JSON.stringify(json.constraints)}`);
            }
          });
        }),
        { numRuns: runs(100) },
      );
    });
  }
});

/** A chain of bones, the first of which physics move. */
function physicsRig(scale = 1): spine.SkeletonData {
  const physics = { x: 1, y: 1, rotate: 1, scaleX: 0.5, inertia: 0.5, strength: 100, damping: 0.85, mass: 1 };
  return load({
    skeleton: { spine: "4.3.13", referenceScale: 100 * scale },
    bones: [
      { name: "root" },
      { name: "arm", parent: "root", x: 10 * scale, y: 20 * scale, length: 40 * scale },
      { name: "hand", parent: "arm", x: 40 * scale, length: 20 * scale },
    ],
    constraints: [{ type: "physics", name: "swing", bone: "arm", limit: 5000 * scale, ...physics }],
    animations: {},
  });
}

/** Moves the skeleton for some seconds at a frame rate, in small steps between frames or as one jump, and reads the hand. */
function swing(data: spine.SkeletonData, rate: number, seconds: number, x: (time: number) => number): number[] {
  const skeleton = new spine.Skeleton(data);
  skeleton.updateWorldTransform(spine.Physics.update);
  for (let frame = 1; frame <= Math.round(seconds * rate); frame++) {
    skeleton.x = x(frame / rate);
    skeleton.update(1 / rate);
    skeleton.updateWorldTransform(spine.Physics.update);
  }
  const { worldX, worldY } = skeleton.bones[2]!.appliedPose;
  const result = [worldX - skeleton.x, worldY];
  skeleton.dispose();
  return result;
}

describe("physics", () => {
  const reach = 60;

  it("moves alike at 30, 60, 61 and 144 frames a second", () => {
    const data = physicsRig();
    const moving = (time: number): number => 100 * time;
    const resting = (): number => 0;
    const wantedMoving = swing(data, 1000, 1, moving);
    const wantedResting = swing(data, 1000, 4, resting);
    for (const rate of [30, 60, 61, 144]) {
      swing(data, rate, 1, moving).forEach((value, i) => expect(Math.abs(value - wantedMoving[i]!), `moving at ${rate} Hz`).toBeLessThan(0.05 * reach));
      swing(data, rate, 4, resting).forEach((value, i) => expect(Math.abs(value - wantedResting[i]!), `resting at ${rate} Hz`).toBeLessThan(0.001 * reach));
    }
  });

  it("comes back to rest after a stall of ten seconds", () => {
    const data = physicsRig();
    const skeleton = new spine.Skeleton(data);
    skeleton.updateWorldTransform(spine.Physics.update);
    const { worldX, worldY } = skeleton.bones[2]!.appliedPose;
    skeleton.x = 500;
    skeleton.update(10);
    skeleton.updateWorldTransform(spine.Physics.update);
    expect(Number.isFinite(skeleton.bones[2]!.appliedPose.worldX)).toBe(true);
    for (let i = 0; i < 240; i++) {
      skeleton.update(1 / 60);
      skeleton.updateWorldTransform(spine.Physics.update);
    }
    expect(Math.abs(skeleton.bones[2]!.appliedPose.worldX - 500 - worldX)).toBeLessThan(0.05);
    expect(Math.abs(skeleton.bones[2]!.appliedPose.worldY - worldY)).toBeLessThan(0.05);
  });

  it("drops the time beyond 36,000 steps of one update", () => {
    const data = physicsRig();
    const skeleton = new spine.Skeleton(data);
    const swingOf = skeleton.physics[0] as unknown as spine.PhysicsConstraint;
    skeleton.updateWorldTransform(spine.Physics.update);
    skeleton.update(1e7);
    const start = performance.now();
    skeleton.updateWorldTransform(spine.Physics.update);
    expect(performance.now() - start).toBeLessThan(2000);
    expect(swingOf.remaining).toBeLessThan(1 / 60);
    expect(swingOf.remaining).toBeGreaterThanOrEqual(0);
    expect(swingOf.lastTime).toBe(1e7);
  });

  it("scales with the rig", () => {
    const one = swing(physicsRig(1), 60, 1, (time) => 100 * time);
    const two = swing(physicsRig(2), 60, 1, (time) => 200 * time);
    two.forEach((value, i) => expect(Math.abs(value - 2 * one[i]!)).toBeLessThan(1e-3 * reach));
  });

  it("takes movement of the host for its own: translate and rotate", () => {
    const data = physicsRig();
    const [moved, told] = [new spine.Skeleton(data), new spine.Skeleton(data)];
    for (const skeleton of [moved, told]) {
      skeleton.updateWorldTransform(spine.Physics.update);
      skeleton.update(1 / 60);
    }
    moved.x = 30;
    told.physicsTranslate(30, 0);
    for (const skeleton of [moved, told]) skeleton.updateWorldTransform(spine.Physics.update);
    const offset = (skeleton: spine.Skeleton): number => (skeleton.physics[0] as unknown as spine.PhysicsConstraint).xOffset;
    expect(offset(told)).toBeCloseTo(offset(moved), 4);
    expect(Math.abs(offset(told))).toBeGreaterThan(1);
    // A turn of the host about the bone itself moves nothing.
    const before = offset(told);
    const { worldX, worldY } = told.bones[1]!.appliedPose;
    told.physicsRotate(worldX, worldY, 90);
    told.updateWorldTransform(spine.Physics.update);
    expect(offset(told)).toBeCloseTo(before, 1);
  });
});

describe("scale 0", () => {
  it("of bones and of the skeleton leaves nothing behind when it goes back", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const data = load(randomRig(new Random(seed), { types: ["ik", "transform", "path", "slider"], skins: false }));
        const skeleton = new spine.Skeleton(data);
        skeleton.updateWorldTransform(spine.Physics.none);
        const wanted = skeleton.bones.map(({ appliedPose: p }) => [p.a, p.b, p.c, p.d, p.worldX, p.worldY]);
        const random = new Random(seed + 1);
        const bone = random.pick(skeleton.bones).pose;
        const { scaleX, scaleY } = bone;
        for (let i = 0; i < 3; i++) {
          if (random.chance(0.7)) bone.scaleX = 0;
          if (random.chance(0.7)) bone.scaleY = 0;
          if (random.chance(0.3)) skeleton.scaleX = 0;
          if (random.chance(0.3)) skeleton.scaleY = 0;
          skeleton.updateWorldTransform(spine.Physics.none);
          for (const { appliedPose: p } of skeleton.bones) {
            for (const value of [p.a, p.b, p.c, p.d, p.worldX, p.worldY]) expect(Number.isFinite(value)).toBe(true);
          }
          skeleton.bones[0]!.pose.set(data.bones[0]!.setupPose);
          bone.scaleX = scaleX;
          bone.scaleY = scaleY;
          skeleton.scaleX = 1;
          skeleton.scaleY = 1;
        }
        skeleton.updateWorldTransform(spine.Physics.none);
        const found = skeleton.bones.map(({ appliedPose: p }) => [p.a, p.b, p.c, p.d, p.worldX, p.worldY]);
        skeleton.dispose();
        data.dispose();
        expect(found).toEqual(wanted);
      }),
      { numRuns: runs(100) },
    );
  });
});
