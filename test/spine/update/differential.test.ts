import * as official from "@esotericsoftware/spine-core";
import { describe, expect, it } from "vitest";
import * as spine from "../../../src/spine/index.js";
import { Random, randomRig } from "./random-rig.js";

// The reference runtime and ours pose the same random skeletons.
const COUNT = process.env.OSTEON_NIGHTLY === "1" ? 2000 : 200;
const FIRST_SEED = Number(process.env.OSTEON_SEED ?? 1);
/** Noise beyond which a rig says nothing: a rounding of the inputs moves it visibly. */
const ILL_CONDITIONED = 0.01;

interface Frame {
  time: number;
  delta: number;
  x: number;
  y: number;
  scaleX: number;
  scaleY: number;
  move: boolean;
}

function framesOf(random: Random): Frame[] {
  const scaleX = random.chance(0.3) ? random.pick([-1, 0.5, 1.5]) : 1;
  const scaleY = random.chance(0.3) ? random.pick([-1, 0.5, 1.5]) : 1;
  const start = random.between(0, 1);
  return Array.from({ length: 4 }, (_, i) => ({
    time: start + i * random.between(0.01, 0.2),
    delta: random.between(0.005, 0.05),
    x: random.between(-30, 30),
    y: random.between(-30, 30),
    scaleX,
    scaleY,
    move: random.chance(0.9),
  }));
}

/** Poses a skeleton of either runtime; every stored pose number can be disturbed by one rounding. */
function play(core: any, json: object, skin: boolean, frames: readonly Frame[], disturb: Random | null): Float64Array {
  const data = new core.SkeletonJson(new core.AtlasAttachmentLoader(new core.TextureAtlas(""))).readSkeletonData(structuredClone(json));
  const skeleton = new core.Skeleton(data);
  if (skin) skeleton.setSkin("extra");
  skeleton.setupPose();
  const animation = data.findAnimation("move");
  const numbers: number[] = [];
  for (const frame of frames) {
    Object.assign(skeleton, { x: frame.x, y: frame.y, scaleX: frame.scaleX, scaleY: frame.scaleY });
    if (frame.move) animation.apply(skeleton, -1, frame.time, true, null, 1, 1, false, false, false);
    if (disturb !== null) {
      for (const { pose } of [...skeleton.bones, ...skeleton.constraints]) {
        for (const key of Object.keys(pose)) {
          if (typeof pose[key] === "number" && key !== "bendDirection" && key !== "inherit" && key !== "world" && key !== "local") {
            // Also zeros: sums that lead to them round, too.
            pose[key] += (disturb.chance(0.5) ? 1.2e-7 : -1.2e-7) * Math.max(1, Math.abs(pose[key]));
          }
        }
      }
    }
    skeleton.update(frame.delta);
    skeleton.updateWorldTransform(core.Physics.update);
    for (const bone of skeleton.bones) {
      if (!bone.active) continue;
      // What hangs on an inactive bone has no matrix; constraints read signs of zeros there.
      if (bone.parent?.active === false) numbers.push(Number.NaN);
      const { a, b, c, d, worldX, worldY } = bone.appliedPose;
      numbers.push(a, b, c, d, worldX, worldY);
    }
  }
  skeleton.dispose?.();
  data.dispose?.();
  return Float64Array.from(numbers);
}

function farthest(a: Float64Array, b: Float64Array): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i]! - b[i]!));
  return most;
}

describe("random skeletons against the reference runtime", () => {
  it(`${COUNT} rigs agree, but for those that a rounding of their inputs moves`, () => {
    let compared = 0;
    let close = 0;
    let leftOut = 0;
    const far: string[] = [];
    for (let seed = FIRST_SEED; compared < COUNT; seed++) {
      const random = new Random(seed);
      const json = randomRig(random);
      const skin = random.chance(0.5);
      const frames = framesOf(random);
      const wanted = play(official, json, skin, frames, null);
      let noise = 0;
      for (let i = 0; i < 6; i++) noise = Math.max(noise, farthest(wanted, play(official, json, skin, frames, new Random(seed * 7 + i))));
      const largest = wanted.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      if (!Number.isFinite(largest) || !(noise <= ILL_CONDITIONED) || largest > 1e5) {
        leftOut++;
        expect(leftOut, "most rigs are well conditioned").toBeLessThan(COUNT / 2 + 20);
        continue;
      }
      const found = play(spine, json, skin, frames, null);
      expect(found.length).toBe(wanted.length);
      compared++;
      const error = farthest(wanted, found);
      if (error <= Math.max(4e-3, 60 * noise)) close++;
      if (!(error <= Math.max(0.2, 1e-3 * largest))) far.push(`seed ${seed}: error ${error}, noise ${noise}, largest ${largest}, ${json.constraints.map((c: any) => c.type).join(" ")}`);
      else if (process.env.OSTEON_VERBOSE === "1" && error > Math.max(4e-3, 60 * noise)) console.log(`seed ${seed}: error ${error}, noise ${noise}, largest ${largest}, ${json.constraints.map((c: any) => c.type).join(" ")}`);
    }
    console.log(`${close} of ${compared} random skeletons agree closely, ${far.length} are far off; ${leftOut} ill-conditioned ones were left out`);
    expect(far).toEqual([]);
    expect(close / compared).toBeGreaterThanOrEqual(0.97);
  }, 280_000);
});
