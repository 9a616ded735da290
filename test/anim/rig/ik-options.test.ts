import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimConstraintStack, AnimPose, AnimSkeleton, type TwoBoneOptions } from "../../../src/anim/index.js";
import { angleBetween, randomQuaternion, seeded } from "./golden.js";

type V3 = [number, number, number];
const minus = (a: number[], b: number[]): V3 => [a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!];
const dot = (a: number[], b: number[]): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
const cross = (a: number[], b: number[]): V3 => [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
const unit = (a: number[]): V3 => a.map((v) => v / Math.hypot(...a)) as V3;
const across = (a: number[], line: number[]): V3 => unit(minus(a, line.map((v) => v * dot(a, line))));
const place = (pose: AnimPose, bone: number): V3 => [pose.getWorldPositionX(bone), pose.getWorldPositionY(bone), pose.getWorldPositionZ(bone)];
const rotation = (pose: AnimPose, bone: number): number[] => [pose.getWorldRotationX(bone), pose.getWorldRotationY(bone), pose.getWorldRotationZ(bone), pose.getWorldRotationW(bone)];
function localsOf(pose: AnimPose): number[] {
  const out: number[] = [];
  pose.writeLocalTo(out);
  return out;
}

describe("two bones with options", () => {
  /** Two bones of 0.5 that hang bent, with a hand. */
  function limb(): { skeleton: AnimSkeleton; pose: AnimPose } {
    const skeleton = new AnimSkeleton(), pose = new AnimPose();
    for (const [bone, z] of [[0, 0], [1, 0.1], [2, -0.1]] as const) {
      skeleton.addBone(`${bone}`, bone - 1);
      if (bone > 0) skeleton.setBindPosition(bone, 0, -Math.sqrt(0.25 - z * z), z);
    }
    skeleton.applyBindPose(pose);
    return { skeleton, pose };
  }
  const solve = (pose: AnimPose, skeleton: AnimSkeleton, target: V3, options?: TwoBoneOptions, weight = 1): boolean =>
    pose.solveTwoBoneIK(skeleton, 0, 1, 2, ...target, undefined, undefined, undefined, weight, options);

  it("twist turns the bend about the way to the target, which stays reached", () => {
    const { skeleton, pose } = limb(), plain = limb().pose;
    expect(solve(plain, skeleton, [0.1, -0.7, 0.2])).toBe(true);
    expect(solve(pose, skeleton, [0.1, -0.7, 0.2], { twist: 0.8 })).toBe(true);
    const line = unit([0.1, -0.7, 0.2]), a = across(place(plain, 1), line), b = across(place(pose, 1), line);
    expect(Math.atan2(dot(cross(a, b), line), dot(a, b))).toBeCloseTo(0.8, 5);
    expect(Math.hypot(...minus(place(pose, 2), [0.1, -0.7, 0.2]))).toBeLessThan(1e-6);
  });

  it("stretch brings the tip to targets further away, as far as it may, and by the weight", () => {
    for (const [distance, stretch, reached, weight] of [[1.2, 1.5, 1.2, 1], [2, 1.5, 1.5, 1], [0.8, 1.5, 0.8, 1], [1.4, 1.5, 1.2, 0.5]] as const) {
      const { skeleton, pose } = limb();
      expect(solve(pose, skeleton, [0, -distance, 0], { stretch }, weight)).toBe(weight === 1 && distance <= stretch);
      if (weight === 1) expect(Math.hypot(...minus(place(pose, 2), [0, -reached, 0]))).toBeLessThan(1e-5);
      // Both bones grow alike.
      const upper = Math.hypot(...place(pose, 1)), lower = Math.hypot(...minus(place(pose, 2), place(pose, 1)));
      expect([upper, lower].map((v) => Math.abs(v - Math.max(0.5, reached / 2)) < 1e-5)).toEqual([true, true]);
    }
  });

  it("stretch and soften together reach the target", () => {
    const { skeleton, pose } = limb();
    solve(pose, skeleton, [0, -0.99, 0], { stretch: 1.5, soften: 0.9 });
    expect(Math.hypot(...minus(place(pose, 2), [0, -0.99, 0]))).toBeLessThan(1e-5);
  });

  it("the tip takes its rotation in model space, by the weight", () => {
    const random = seeded(9);
    for (const weight of [1, 0.5]) {
      const { skeleton, pose } = limb(), plain = limb().pose, tipRotation = randomQuaternion(random);
      solve(plain, skeleton, [0.2, -0.6, 0.1], undefined, weight);
      solve(pose, skeleton, [0.2, -0.6, 0.1], { tipRotation }, weight);
      const way = angleBetween(rotation(plain, 2), tipRotation);
      expect(angleBetween(rotation(pose, 2), tipRotation)).toBeCloseTo(way * (1 - weight), 4);
      expect(Math.hypot(...minus(place(pose, 2), place(plain, 2)))).toBeLessThan(1e-6);
    }
  });

  it("the stack does the same, and later solves know nothing of the options", () => {
    const { skeleton, pose } = limb(), direct = new AnimPose(), stack = new AnimConstraintStack(skeleton);
    const options: TwoBoneOptions = { twist: 0.4, stretch: 1.3, soften: 0.95, tipRotation: [0, 0.6, 0, 0.8] };
    for (const given of [options, undefined, options]) {
      direct.copyFrom(pose);
      stack.clear();
      stack.addTwoBoneIK(0, 1, 2, 0.1, -1.2, 0.3, undefined, undefined, undefined, 0.75, given);
      solve(direct, skeleton, [0.1, -1.2, 0.3], given, 0.75);
      const staged = new AnimPose();
      staged.copyFrom(pose);
      stack.apply(staged);
      expect(localsOf(staged)).toEqual(localsOf(direct));
    }
  });

  it("bad options, and a parent without scale, change nothing that comes after", () => {
    const { skeleton, pose } = limb(), after = limb().pose, want = limb().pose, stack = new AnimConstraintStack(skeleton), before = localsOf(pose);
    const bad = [{ twist: NaN }, { twist: 1, tipRotation: [0, 0, 0, 0] }, { stretch: 0.5, twist: 1 }, { stretch: Infinity }, { twist: 1, tipRotation: [1, 2] }, { tipRotation: 4 }, null];
    for (const options of bad) {
      expect(() => solve(pose, skeleton, [0, -0.8, 0], options as TwoBoneOptions), JSON.stringify(options)).toThrow(AnimArgumentError);
      expect(() => stack.addTwoBoneIK(0, 1, 2, 0, -0.8, 0, undefined, undefined, undefined, 1, options as TwoBoneOptions)).toThrow(AnimArgumentError);
    }
    expect([localsOf(pose), stack.getCount()]).toEqual([before, 0]);
    solve(want, skeleton, [0, -0.8, 0.1]);
    solve(after, skeleton, [0, -0.8, 0.1]);
    expect(localsOf(after)).toEqual(localsOf(want));
  });
});
