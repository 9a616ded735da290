import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimIndexError, AnimMismatchError, AnimPose, AnimSkeleton, AnimStateError } from "../../../src/anim/index.js";
import { angleBetween, golden, randomQuaternion, seeded } from "./golden.js";

const data = golden("quat-blend-golden.json");
const TOLERANCE: number = data.tolerance.f32;
const FAST_RAD: number = data.tolerance.fastRotationRad;

type Trs = { t: number[]; q: number[]; s: number[] };

function poseOf(...bones: Trs[]): AnimPose {
  const pose = new AnimPose(bones.length);
  bones.forEach(({ t, q, s }, i) => {
    pose.setLocalPosition(i, t[0]!, t[1]!, t[2]!);
    pose.setLocalRotation(i, q[0]!, q[1]!, q[2]!, q[3]!);
    pose.setLocalScale(i, s[0]!, s[1]!, s[2]!);
  });
  return pose;
}

function rotationOf(pose: AnimPose, bone = 0): number[] {
  return [pose.getLocalRotationX(bone), pose.getLocalRotationY(bone), pose.getLocalRotationZ(bone), pose.getLocalRotationW(bone)];
}

function expectTrs(pose: AnimPose, bone: number, want: Trs): void {
  const got = new Float32Array(pose.getBoneCount() * 10);
  pose.writeLocalTo(got);
  for (let i = 0; i < 3; i++) {
    expect(Math.abs(got[bone * 10 + i]! - want.t[i]!)).toBeLessThanOrEqual(TOLERANCE * Math.max(1, Math.abs(want.t[i]!)));
    expect(Math.abs(got[bone * 10 + 7 + i]! - want.s[i]!)).toBeLessThanOrEqual(TOLERANCE * Math.max(1, Math.abs(want.s[i]!)));
  }
  expect(angleBetween(got.subarray(bone * 10 + 3, bone * 10 + 7), want.q)).toBeLessThanOrEqual(FAST_RAD);
}

function chain(count: number): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  for (let i = 0; i < count; i++) skeleton.addBone(`b${i}`, i - 1);
  return skeleton;
}

/** A random tree in parent-first, not depth-first, order. */
function tree(count: number, random: () => number): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  for (let i = 0; i < count; i++) skeleton.addBone(`b${i}`, Math.floor(random() * (i + 1)) - 1);
  return skeleton;
}

function randomPose(count: number, random: () => number, uniform = false): AnimPose {
  const pose = new AnimPose(count);
  for (let i = 0; i < count; i++) {
    pose.setLocalPosition(i, random() * 4 - 2, random() * 4 - 2, random() * 4 - 2);
    pose.setLocalRotation(i, ...randomQuaternion(random));
    const s = 0.5 + random();
    pose.setLocalScale(i, s, uniform ? s : 0.5 + random(), uniform ? s : 0.5 + random());
  }
  return pose;
}

/** Slow and obvious: T R S as a matrix, parents first. */
function referenceWorld(pose: AnimPose, skeleton: AnimSkeleton): number[][] {
  const world: number[][] = [];
  for (let i = 0; i < pose.getBoneCount(); i++) {
    const [x, y, z, w] = rotationOf(pose, i) as [number, number, number, number];
    const s = [pose.getLocalScaleX(i), pose.getLocalScaleY(i), pose.getLocalScaleZ(i)];
    const r = [
      1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y),
      2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
      2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y),
    ];
    const local = [
      r[0]! * s[0]!, r[1]! * s[0]!, r[2]! * s[0]!, 0, r[3]! * s[1]!, r[4]! * s[1]!, r[5]! * s[1]!, 0,
      r[6]! * s[2]!, r[7]! * s[2]!, r[8]! * s[2]!, 0,
      pose.getLocalPositionX(i), pose.getLocalPositionY(i), pose.getLocalPositionZ(i), 1,
    ];
    const parent = skeleton.getParent(i);
    if (parent < 0) world.push(local);
    else {
      const m = Array.from({ length: 16 }, () => 0);
      for (let c = 0; c < 4; c++) for (let row = 0; row < 4; row++) for (let k = 0; k < 4; k++) {
        m[c * 4 + row]! += world[parent]![k * 4 + row]! * local[c * 4 + k]!;
      }
      world.push(m);
    }
  }
  return world;
}

function expectWorld(pose: AnimPose, want: number[][]): void {
  const got = new Float32Array(16 * want.length);
  pose.writeWorldTo(got);
  want.forEach((matrix, bone) => matrix.forEach((value, i) => {
    const scale = Math.max(1, ...matrix.map(Math.abs));
    expect(Math.abs(got[bone * 16 + i]! - value), `bone ${bone} element ${i}`).toBeLessThan(1e-5 * scale);
  }));
}

describe("AnimPose.blendFrom", () => {
  it("agrees with the golden slerps as an angle", () => {
    for (const c of data.slerp) {
      const pose = new AnimPose(1);
      pose.blendFrom(poseOf({ t: [0, 0, 0], q: c.a, s: [1, 1, 1] }), poseOf({ t: [0, 0, 0], q: c.b, s: [1, 1, 1] }), c.t);
      const got = rotationOf(pose);
      expect(angleBetween(got, c.slerp), `${c.note} at ${c.t}`).toBeLessThanOrEqual(FAST_RAD);
      expect(Math.abs(Math.hypot(...got) - 1)).toBeLessThan(1e-6);
    }
  });

  it("agrees with the golden pose blends, out of place and in place", () => {
    for (const c of data.poseBlend) {
      const a = poseOf(c.a), b = poseOf(c.b), out = new AnimPose(1);
      out.blendFrom(a, b, c.weight);
      expectTrs(out, 0, c.result);
      const inA = poseOf(c.a), inB = poseOf(c.b);
      inA.blendFrom(inA, b, c.weight);
      inB.blendFrom(a, inB, c.weight);
      expect(rotationOf(inA)).toEqual(rotationOf(out));
      expect(rotationOf(inB)).toEqual(rotationOf(out));
    }
  });

  it("is within 2e-4 rad of exact slerp at every angle, and within 1e-6 below 30 degrees", () => {
    let worst = 0, worstNear = 0;
    for (let degrees = 0; degrees < 180; degrees += 1.5) {
      for (let t = 0.1; t < 1; t += 0.1) {
        const half = (degrees * Math.PI) / 360;
        const pose = new AnimPose(1);
        pose.blendFrom(poseOf({ t: [0, 0, 0], q: [0, 0, 0, 1], s: [1, 1, 1] }),
          poseOf({ t: [0, 0, 0], q: [0, Math.sin(half), 0, Math.cos(half)], s: [1, 1, 1] }), t);
        const error = angleBetween(rotationOf(pose), [0, Math.sin(half * t), 0, Math.cos(half * t)]);
        worst = Math.max(worst, error);
        if (degrees <= 30) worstNear = Math.max(worstNear, error);
      }
    }
    expect(worst).toBeLessThan(2e-4);
    expect(worstNear).toBeLessThan(1e-6);
  });

  it("is a bit-exact copy at 0 and 1 and clamps t beyond them", () => {
    const random = seeded(5);
    for (const count of [1, 3, 4, 5, 8, 9, 67]) {
      const a = randomPose(count, random), b = randomPose(count, random), out = new AnimPose();
      const want = new Float32Array(count * 10), got = new Float32Array(count * 10);
      for (const [t, from] of [[0, a], [1, b], [-3, a], [7, b]] as const) {
        out.blendFrom(a, b, t);
        out.writeLocalTo(got);
        from.writeLocalTo(want);
        expect(got).toEqual(want);
      }
    }
  });

  it("refuses other bone counts, missing poses and weights that are not finite, and changes nothing", () => {
    const pose = poseOf({ t: [1, 2, 3], q: [0, 0, 0, 1], s: [1, 1, 1] });
    expect(() => pose.blendFrom(new AnimPose(1), new AnimPose(2), 0.5)).toThrow(AnimMismatchError);
    expect(() => pose.blendFrom(null as never, new AnimPose(1), 0.5)).toThrow(AnimArgumentError);
    expect(() => pose.blendFrom(pose, pose, NaN)).toThrow(AnimArgumentError);
    expect(pose.getLocalPositionY(0)).toBe(2);
  });
});

describe("AnimPose.computeWorld", () => {
  it("gives the golden TRS matrices for a root", () => {
    for (const c of data.trsMatrix) {
      const pose = poseOf(c);
      pose.computeWorld(chain(1));
      for (let i = 0; i < 16; i++) {
        expect(Math.abs(pose.getWorldMatrixElement(0, i) - c.matrix[i])).toBeLessThanOrEqual(TOLERANCE * Math.max(1, Math.abs(c.matrix[i])));
      }
    }
  });

  it("agrees with a slow reference for random trees of every small size", () => {
    const random = seeded(11);
    for (const count of [1, 2, 3, 4, 5, 8, 9, 67, 255]) {
      const skeleton = tree(count, random), pose = randomPose(count, random);
      pose.computeWorld(skeleton);
      expectWorld(pose, referenceWorld(pose, skeleton));
    }
  });

  it("gives the golden world matrices of CesiumMan from its local transforms", () => {
    const file = golden("skinning-golden.json");
    const skeleton = new AnimSkeleton();
    for (const b of file.skeleton) skeleton.addBone(b.name, b.parent);
    for (const frame of file.frames) {
      const pose = poseOf(...file.skeleton.map((_: unknown, i: number) => ({ t: frame.localT[i], q: frame.localQ[i], s: frame.localS[i] })));
      pose.computeWorld(skeleton);
      frame.worldMatrices.forEach((matrix: number[], bone: number) => matrix.forEach((value, i) => {
        expect(Math.abs(pose.getWorldMatrixElement(bone, i) - value)).toBeLessThanOrEqual(file.tolerance.f32World);
      }));
    }
  });

  it("chains world rotations as quaternions, independent of scale", () => {
    const random = seeded(3);
    const skeleton = tree(23, random), pose = randomPose(23, random);
    pose.computeWorld(skeleton);
    const world: number[][] = [];
    for (let i = 0; i < 23; i++) {
      const [bx, by, bz, bw] = rotationOf(pose, i) as [number, number, number, number];
      const parent = skeleton.getParent(i);
      const [ax, ay, az, aw] = (parent < 0 ? [0, 0, 0, 1] : world[parent]!) as [number, number, number, number];
      world.push([
        aw * bx + ax * bw + ay * bz - az * by, aw * by + ay * bw + az * bx - ax * bz,
        aw * bz + az * bw + ax * by - ay * bx, aw * bw - ax * bx - ay * by - az * bz,
      ]);
      const got = [pose.getWorldRotationX(i), pose.getWorldRotationY(i), pose.getWorldRotationZ(i), pose.getWorldRotationW(i)];
      expect(angleBetween(got, world[i]!)).toBeLessThan(5e-6);
    }
  });

  it("throws an error that names it while the world is stale, and updates only what one setter touched", () => {
    const random = seeded(8);
    const skeleton = tree(40, random), pose = randomPose(40, random);
    expect(() => pose.getWorldPositionX(0)).toThrow(/computeWorld/);
    pose.computeWorld(skeleton);
    expect(pose.getWorldRotationW(39)).toBeTypeOf("number");
    for (let round = 0; round < 50; round++) {
      const bone = Math.floor(random() * 40);
      pose.setLocalRotation(bone, ...randomQuaternion(random));
      expect(pose.isWorldValid()).toBe(false);
      expect(() => pose.getWorldMatrixElement(bone, 0)).toThrow(AnimStateError);
      pose.computeWorld(skeleton);
      const fresh = new AnimPose();
      fresh.copyFrom(pose);
      fresh.setLocalScale(0, pose.getLocalScaleX(0), pose.getLocalScaleY(0), pose.getLocalScaleZ(0));
      fresh.setLocalScale(1, pose.getLocalScaleX(1), pose.getLocalScaleY(1), pose.getLocalScaleZ(1));
      fresh.computeWorld(skeleton);
      for (let i = 0; i < 40; i++) {
        for (let e = 0; e < 16; e++) expect(pose.getWorldMatrixElement(i, e)).toBe(fresh.getWorldMatrixElement(i, e));
        expect(pose.getWorldRotationX(i)).toBe(fresh.getWorldRotationX(i));
      }
    }
  });

  it("moves and turns a bone to a world transform", () => {
    const random = seeded(21);
    const skeleton = tree(30, random), pose = randomPose(30, random, true);
    for (let round = 0; round < 30; round++) {
      const bone = Math.floor(random() * 30), q = randomQuaternion(random);
      pose.setWorldRotation(skeleton, bone, ...q);
      pose.setWorldPosition(skeleton, bone, 1, 2, 3);
      expect(angleBetween([pose.getWorldRotationX(bone), pose.getWorldRotationY(bone), pose.getWorldRotationZ(bone), pose.getWorldRotationW(bone)], q)).toBeLessThan(5e-6);
      expect(pose.getWorldPositionX(bone)).toBeCloseTo(1, 4);
      expect(pose.getWorldPositionY(bone)).toBeCloseTo(2, 4);
      expect(pose.getWorldPositionZ(bone)).toBeCloseTo(3, 4);
    }
    expectWorld(pose, referenceWorld(pose, skeleton));
  });

  it("refuses a skeleton with another bone count", () => {
    expect(() => new AnimPose(3).computeWorld(chain(4))).toThrow(AnimMismatchError);
  });
});

describe("AnimPose", () => {
  it("starts as the identity, and resize makes it the identity again", () => {
    const pose = new AnimPose(5);
    pose.setLocalPosition(4, 1, 2, 3);
    pose.resize(5);
    expect(pose.getLocalPositionX(4)).toBe(0);
    expect(pose.getLocalRotationW(4)).toBe(1);
    expect(pose.getLocalScaleZ(4)).toBe(1);
    pose.resize(0);
    expect(pose.getBoneCount()).toBe(0);
    expect(() => pose.resize(-1)).toThrow(AnimArgumentError);
    expect(() => pose.resize(1025)).toThrow(AnimArgumentError);
    expect(() => pose.resize(1.5)).toThrow(AnimArgumentError);
  });

  it("rejects values that are not finite, rotations without length and indices out of range", () => {
    const pose = new AnimPose(2);
    expect(() => pose.setLocalPosition(0, NaN, 0, 0)).toThrow(AnimArgumentError);
    expect(() => pose.setLocalScale(0, 0, Infinity, 0)).toThrow(AnimArgumentError);
    expect(() => pose.setLocalRotation(0, 0, 0, 0, 0)).toThrow(AnimArgumentError);
    expect(() => pose.setLocalRotation(0, NaN, 0, 0, 1)).toThrow(AnimArgumentError);
    expect(() => pose.setLocalPosition(2, 0, 0, 0)).toThrow(AnimIndexError);
    expect(() => pose.getLocalScaleX(-1)).toThrow(AnimIndexError);
    expect(() => pose.getLocalScaleX(0.5)).toThrow(AnimIndexError);
    pose.computeWorld(chain(2));
    expect(() => pose.getWorldMatrixElement(0, 16)).toThrow(AnimIndexError);
  });

  it("copies locals and a valid world, reads and writes bulk values", () => {
    const random = seeded(2);
    const skeleton = tree(9, random), pose = randomPose(9, random), copy = new AnimPose(), other = new AnimPose(9);
    copy.copyFrom(pose);
    expect(copy.isWorldValid()).toBe(false);
    pose.computeWorld(skeleton);
    copy.copyFrom(pose);
    expect(copy.getWorldPositionX(8)).toBe(pose.getWorldPositionX(8));
    expect(copy.getWorldRotationX(8)).toBe(pose.getWorldRotationX(8));
    copy.copyFrom(copy);
    const values = new Float32Array(90);
    pose.writeLocalTo(values);
    other.readLocalFrom(values);
    const again = new Float32Array(90);
    other.writeLocalTo(again);
    for (let i = 0; i < 90; i++) expect(Math.abs(again[i]! - values[i]!)).toBeLessThan(1e-6);
    const out = [0, 0, 0];
    pose.transformPoint(3, 0, 0, 0, out);
    expect(out).toEqual([pose.getWorldPositionX(3), pose.getWorldPositionY(3), pose.getWorldPositionZ(3)]);
  });

  it("throws AnimStateError after dispose, which may be called twice", () => {
    const pose = new AnimPose(2);
    pose.dispose();
    pose.dispose();
    expect(() => pose.getLocalPositionX(0)).toThrow(AnimStateError);
    expect(() => pose.resize(2)).toThrow(AnimStateError);
    expect(() => pose.computeWorld(chain(2))).toThrow(AnimStateError);
  });
});
