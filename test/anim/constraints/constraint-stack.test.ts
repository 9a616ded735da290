import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimConstraintStack, Animation, AnimIndexError, AnimMismatchError, AnimPose, AnimSkeleton } from "../../../src/anim/index.js";
import { angleBetween, golden } from "../rig/golden.js";

const data = golden("two-bone-ik-golden.json");

/** Hips at 1 m, one bent leg of 0.45 + 0.45 m with a foot that points along +Z. */
function leg(): { skeleton: AnimSkeleton; pose: AnimPose } {
  const skeleton = new AnimSkeleton(), pose = new AnimPose();
  ["hips", "thigh", "shin", "foot"].forEach((name, bone) => skeleton.addBone(name, bone - 1));
  skeleton.setBindPosition(0, 0, 1, 0);
  skeleton.setBindPosition(1, 0.1, -0.08, 0);
  skeleton.setBindPosition(2, 0, -0.44, 0.08);
  skeleton.setBindPosition(3, 0, -0.44, -0.08);
  skeleton.applyBindPose(pose);
  return { skeleton, pose };
}

const position = (pose: AnimPose, bone: number): number[] => [pose.getWorldPositionX(bone), pose.getWorldPositionY(bone), pose.getWorldPositionZ(bone)];
const rotation = (pose: AnimPose, bone: number): number[] => [pose.getWorldRotationX(bone), pose.getWorldRotationY(bone), pose.getWorldRotationZ(bone), pose.getWorldRotationW(bone)];
/** An axis of a bone in model space. */
function axis(pose: AnimPose, bone: number, k: number): number[] {
  return [0, 1, 2].map((row) => pose.getWorldMatrixElement(bone, 4 * k + row));
}

describe("AnimConstraintStack", () => {
  it("gives what the pose's own methods give, in the order of insertion", () => {
    for (const c of data.twoBone.slice(0, 12)) {
      const skeleton = new AnimSkeleton(), pose = new AnimPose(c.bones.length), same = new AnimPose();
      c.bones.forEach((b: { name: string; parent: number }, i: number) => {
        skeleton.addBone(b.name, b.parent);
        const { t, q } = c.pose[i];
        pose.setLocalPosition(i, t[0], t[1], t[2]);
        pose.setLocalRotation(i, q[0], q[1], q[2], q[3]);
      });
      same.copyFrom(pose);
      const stack = new AnimConstraintStack(skeleton), [px, py, pz] = c.pole ?? [];
      stack.addTwoBoneIK(c.root, c.mid, c.tip, c.target[0], c.target[1], c.target[2], px, py, pz, c.weight);
      stack.addAim(c.mid, 3, 2, 1, 0.5);
      stack.apply(pose);
      expect(pose.isWorldValid()).toBe(true);
      same.solveTwoBoneIK(skeleton, c.root, c.mid, c.tip, c.target[0], c.target[1], c.target[2], px, py, pz, Math.min(1, c.weight));
      same.aimBone(skeleton, c.mid, 3, 2, 1, 0.5);
      const a: number[] = [], b: number[] = [];
      pose.writeLocalTo(a);
      same.writeLocalTo(b);
      expect(a).toEqual(b);
    }
  });

  it("plants a foot that is below the ground and leaves one above it where it is", () => {
    const { skeleton, pose } = leg(), stack = new AnimConstraintStack(skeleton), foot = position((pose.computeWorld(skeleton), pose), 3);
    stack.addFootIK(1, 2, 3, 0.15, 0, 1, 0, 0.05);
    stack.apply(pose);
    expect(stack.getLastStatus(0)).toBe("ok");
    expect(position(pose, 3).every((v, k) => Math.abs(v - [foot[0]!, 0.2, foot[2]!][k]!) < 1e-5)).toBe(true);
    // Flat ground: the foot is as flat as it was.
    expect(angleBetween(rotation(pose, 3), [0, 0, 0, 1])).toBeLessThan(1e-5);
    skeleton.applyBindPose(pose);
    stack.clear();
    stack.addFootIK(1, 2, 3, -0.2);
    stack.apply(pose);
    expect(position(pose, 3).every((v, k) => Math.abs(v - foot[k]!) < 1e-6)).toBe(true);
  });

  it("lays a flat foot on a slope, keeps its heading and, by half, half of it", () => {
    const { skeleton, pose } = leg(), stack = new AnimConstraintStack(skeleton);
    const n = [0.2, 0.93, -0.3], length = Math.hypot(...n), unit = n.map((v) => v / length);
    stack.addFootIK(1, 2, 3, 0.05, n[0], n[1], n[2], 0.04);
    stack.apply(pose);
    axis(pose, 3, 1).forEach((v, k) => expect(Math.abs(v - unit[k]!)).toBeLessThan(1e-5));
    const z = axis(pose, 3, 2);
    // The heading is the level +Z, projected on the plane.
    const onPlane = [0, 0, 1].map((v, k) => v - unit[k]! * unit[2]!), size = Math.hypot(...onPlane);
    z.forEach((v, k) => expect(Math.abs(v - onPlane[k]! / size)).toBeLessThan(1e-5));
    const full = rotation(pose, 3);
    skeleton.applyBindPose(pose);
    stack.setWeight(0, 0.5);
    stack.apply(pose);
    expect(Math.abs(angleBetween(rotation(pose, 3), [0, 0, 0, 1]) - angleBetween(full, [0, 0, 0, 1]) / 2)).toBeLessThan(1e-5);
  });

  it("keeps entries, changes targets and reports what could not be reached", () => {
    const { skeleton, pose } = leg(), stack = new Animation().newConstraintStack(skeleton);
    const reach = stack.addTwoBoneIK(1, 2, 3, 0.1, 0.3, 0.1), aim = stack.addAim(0, 0, 1, 5);
    expect([stack.getCount(), stack.getLastStatus(reach)]).toEqual([2, "skipped"]);
    stack.apply(pose);
    expect([stack.getLastStatus(reach), stack.getLastStatus(aim)]).toEqual(["ok", "ok"]);
    stack.setTarget(reach, 0, -50, 0);
    stack.setPole(reach, 0, 0, 10);
    stack.setTarget(aim, 0, 1, 0);
    stack.apply(pose);
    expect([stack.getLastStatus(reach), stack.getLastStatus(aim)]).toEqual(["unreachable", "degenerate"]);
    stack.setEnabled(reach, false);
    stack.setWeight(aim, -1);
    const before: number[] = [], after: number[] = [];
    pose.writeLocalTo(before);
    stack.apply(pose);
    pose.writeLocalTo(after);
    expect(after).toEqual(before);
    expect([stack.getLastStatus(reach), stack.getLastStatus(aim)]).toEqual(["skipped", "skipped"]);
    stack.clear();
    expect(stack.getCount()).toBe(0);
  });

  it("refuses bad arguments at once", () => {
    const { skeleton } = leg(), stack = new AnimConstraintStack(skeleton);
    expect(() => stack.addAim(99, 0, 0, 0)).toThrow(AnimIndexError);
    expect(() => stack.addAim(0, NaN, 0, 0)).toThrow(AnimArgumentError);
    expect(() => stack.addTwoBoneIK(2, 1, 3, 0, 0, 0)).toThrow(AnimArgumentError);
    expect(() => stack.addTwoBoneIK(1, 2, 3, 0, 0, 0, 1)).toThrow(AnimArgumentError);
    expect(() => stack.addFootIK(1, 2, 3, 0, 0, -1, 0)).toThrow(AnimArgumentError);
    expect(() => stack.addFootIK(1, 2, 3, 0, 0, 1, 0, -1)).toThrow(AnimArgumentError);
    expect(() => stack.setPole(0, 0, 0, 0)).toThrow(AnimIndexError);
    expect(() => stack.apply(new AnimPose(2))).toThrow(AnimMismatchError);
    expect(stack.getCount()).toBe(0);
  });
});
