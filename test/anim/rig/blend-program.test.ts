import { describe, expect, it } from "vitest";
import { AnimPose } from "../../../src/anim/index.js";
import { BlendProgram } from "../../../src/anim/rig/blend-program.js";
import { heap } from "../../../src/wasm/heap.js";
import { angleBetween, golden, randomQuaternion, seeded } from "./golden.js";

const data = golden("quat-blend-golden.json");
const TOLERANCE: number = data.tolerance.f32;
const FAST_RAD: number = data.tolerance.fastRotationRad;
type Trs = { t: number[]; q: number[]; s: number[] };

/** One bone in every lane of five groups, so that a pointer that does not advance is noticed. */
const LANES = 19;

function poseOf(trs: Trs): AnimPose {
  const pose = new AnimPose(LANES);
  for (let i = 0; i < LANES; i++) {
    pose.setLocalPosition(i, trs.t[0]!, trs.t[1]!, trs.t[2]!);
    pose.setLocalRotation(i, trs.q[0]!, trs.q[1]!, trs.q[2]!, trs.q[3]!);
    pose.setLocalScale(i, trs.s[0]!, trs.s[1]!, trs.s[2]!);
  }
  return pose;
}

function rotationOf(pose: AnimPose, bone: number): number[] {
  return [pose.getLocalRotationX(bone), pose.getLocalRotationY(bone), pose.getLocalRotationZ(bone), pose.getLocalRotationW(bone)];
}

function expectAll(pose: AnimPose, want: Trs, label = ""): void {
  for (let i = 0; i < LANES; i++) {
    const t = [pose.getLocalPositionX(i), pose.getLocalPositionY(i), pose.getLocalPositionZ(i)];
    const s = [pose.getLocalScaleX(i), pose.getLocalScaleY(i), pose.getLocalScaleZ(i)];
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(t[k]! - want.t[k]!), `${label} position`).toBeLessThanOrEqual(TOLERANCE * Math.max(1, Math.abs(want.t[k]!)));
      expect(Math.abs(s[k]! - want.s[k]!), `${label} scale`).toBeLessThanOrEqual(TOLERANCE * Math.max(1, Math.abs(want.s[k]!)));
    }
    expect(angleBetween(rotationOf(pose, i), want.q), `${label} rotation`).toBeLessThanOrEqual(FAST_RAD);
    expect(Math.abs(Math.hypot(...rotationOf(pose, i)) - 1)).toBeLessThan(1e-6);
  }
}

function randomPose(random: () => number): AnimPose {
  const pose = new AnimPose(LANES);
  for (let i = 0; i < LANES; i++) {
    pose.setLocalPosition(i, random(), random(), random());
    pose.setLocalRotation(i, ...randomQuaternion(random));
    pose.setLocalScale(i, 0.5 + random(), 0.5 + random(), 0.5 + random());
  }
  return pose;
}

/** Lane weights of `weights`, one a bone. */
function maskOf(weights: number[]): number {
  const ptr = heap.alloc(5 * 16);
  heap.f32.set(weights, ptr >>> 2);
  return ptr;
}

const values = (pose: AnimPose): number[] => {
  const out = Array.from({ length: LANES * 10 }, () => 0);
  pose.writeLocalTo(out);
  return out;
};
const GROUPS = 5;

describe("BlendProgram", () => {
  it("gives the golden two-pose blends", () => {
    for (const c of data.poseBlend) {
      const a = poseOf(c.a), b = poseOf(c.b), out = new AnimPose(LANES), program = new BlendProgram();
      program.blend(out.localPtr, a.localPtr, b.localPtr, c.weight);
      program.run(GROUPS);
      expectAll(out, c.result);
    }
  });

  it("gives the golden means of n poses", () => {
    for (const [i, c] of data.nWayBlend.entries()) {
      const poses = c.items.map((item: Trs) => poseOf(item)), out = new AnimPose(LANES), program = new BlendProgram();
      program.beginWeighted(out.localPtr, new AnimPose(LANES).localPtr);
      c.items.forEach((item: { w: number }, k: number) => program.input(poses[k].localPtr, item.w));
      program.run(GROUPS);
      expectAll(out, c.result, `case ${i}`);
      const first = values(out);
      program.run(GROUPS);
      expect(values(out)).toEqual(first);
    }
  });

  it("gives the golden additive results and deltas", () => {
    for (const [i, c] of data.additive.cases.entries()) {
      const reference = poseOf(c.reference), pose = poseOf(c.pose), base = poseOf(c.base);
      const out = new AnimPose(LANES), delta = new AnimPose(LANES), viaDelta = new AnimPose(LANES), program = new BlendProgram();
      program.addDifference(out.localPtr, base.localPtr, pose.localPtr, reference.localPtr, c.weight);
      program.difference(delta.localPtr, pose.localPtr, reference.localPtr);
      program.add(viaDelta.localPtr, base.localPtr, delta.localPtr, c.weight);
      program.run(GROUPS);
      expectAll(out, c.result, `case ${i}`);
      expectAll(delta, c.delta, `delta ${i}`);
      expectAll(viaDelta, c.result, `via delta ${i}`);
    }
  });

  it("turns further than the delta beyond weight 1", () => {
    const delta = poseOf({ t: [1, 0, 0], q: [0, Math.sin(0.2), 0, Math.cos(0.2)], s: [1.5, 1, 1] });
    const base = poseOf({ t: [0, 0, 0], q: [0, 0, 0, 1], s: [1, 1, 1] }), out = new AnimPose(LANES), program = new BlendProgram();
    program.add(out.localPtr, base.localPtr, delta.localPtr, 2.5);
    program.run(GROUPS);
    expectAll(out, { t: [2.5, 0, 0], q: [0, Math.sin(0.5), 0, Math.cos(0.5)], s: [2.25, 1, 1] });
  });

  it("weights every bone by its mask; 0 and 1 are bit-exact copies", () => {
    const random = seeded(6);
    const a = randomPose(random), b = randomPose(random), out = new AnimPose(LANES), program = new BlendProgram();
    const weights = Array.from({ length: LANES }, (_, i) => [0, 1, 0.5, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0.25, 0.5, 0.75, 1, 1, 0, 0.1][i]!);
    const mask = maskOf(weights);
    program.blend(out.localPtr, a.localPtr, b.localPtr, 1, mask);
    program.run(GROUPS);
    const got = values(out), va = values(a), vb = values(b), half = new AnimPose(LANES);
    for (let i = 0; i < LANES; i++) {
      const row = got.slice(i * 10, i * 10 + 10);
      if (weights[i] === 0) expect(row).toEqual(va.slice(i * 10, i * 10 + 10));
      else if (weights[i] === 1) expect(row).toEqual(vb.slice(i * 10, i * 10 + 10));
      else {
        half.blendFrom(a, b, weights[i]!);
        expect(row).toEqual(values(half).slice(i * 10, i * 10 + 10));
      }
    }
    program.reset();
    program.add(out.localPtr, a.localPtr, b.localPtr, 1, mask);
    program.run(GROUPS);
    expect(values(out).slice(0, 10)).toEqual(va.slice(0, 10));
    expect(values(out).slice(10, 20)).not.toEqual(va.slice(10, 20));
    heap.free(mask);
  });

  it("normalises a mean per bone, takes the fallback where nothing has weight and a lone input bit for bit in rotation", () => {
    const random = seeded(16);
    const a = randomPose(random), b = randomPose(random), c = randomPose(random), fallback = randomPose(random), out = new AnimPose(LANES);
    const only = (lane: number): number => maskOf(Array.from({ length: LANES }, (_, i) => (i % 4 === lane ? 1 : 0)));
    const masks = [only(0), only(1), only(2)], program = new BlendProgram();
    program.beginWeighted(out.localPtr, fallback.localPtr);
    program.input(a.localPtr, 0.2, masks[0]);
    program.input(b.localPtr, 3, masks[1]);
    program.input(c.localPtr, 0.1, masks[2]);
    program.run(GROUPS);
    for (let i = 0; i < LANES; i++) {
      const from = [a, b, c, fallback][i % 4]!;
      expect(rotationOf(out, i)).toEqual(rotationOf(from, i));
      expect(Math.abs(out.getLocalPositionX(i) - from.getLocalPositionX(i))).toBeLessThan(1e-6);
    }
    for (const mask of masks) heap.free(mask);
  });

  it("does not depend on the order of a mean's inputs beyond rounding", () => {
    const random = seeded(61);
    for (let round = 0; round < 40; round++) {
      const base = randomPose(random);
      const poses = Array.from({ length: 4 }, () => {
        const near = randomPose(random), pose = new AnimPose(LANES);
        pose.blendFrom(base, near, 0.3);
        return pose;
      });
      const weights = [0.4, 0.3, 0.2, 0.1], one = new AnimPose(LANES), two = new AnimPose(LANES), program = new BlendProgram();
      program.beginWeighted(one.localPtr, base.localPtr);
      for (let i = 0; i < 4; i++) program.input(poses[i]!.localPtr, weights[i]!);
      program.beginWeighted(two.localPtr, base.localPtr);
      for (let i = 3; i >= 0; i--) program.input(poses[i]!.localPtr, weights[i]!);
      program.run(GROUPS);
      for (let i = 0; i < LANES; i++) expect(angleBetween(rotationOf(one, i), rotationOf(two, i))).toBeLessThan(2e-6);
    }
  });

  it("gives its memory back", () => {
    const before = heap.usedBytes;
    const program = new BlendProgram();
    for (let i = 0; i < 100; i++) {
      program.beginWeighted(0, 0);
      for (let k = 0; k < 5; k++) program.input(0, 1);
    }
    program.dispose();
    program.dispose();
    expect(heap.usedBytes).toBe(before);
  });
});
