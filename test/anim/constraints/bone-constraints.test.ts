import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimConstraintStack, AnimIndexError, AnimPose, AnimSkeleton } from "../../../src/anim/index.js";
import { angleBetween, randomQuaternion, seeded } from "../rig/golden.js";
import fc, { runs } from "../../properties.js";

/** Hips, spine, neck, head, and an arm beside them. */
function torso(): { skeleton: AnimSkeleton; pose: AnimPose } {
  const skeleton = new AnimSkeleton(), pose = new AnimPose();
  for (const [name, parent, x, y, z] of [["hips", -1, 0, 1, 0], ["spine", 0, 0, 0.2, 0], ["neck", 1, 0, 0.35, 0], ["head", 2, 0, 0.12, 0.02], ["arm", 1, 0.2, 0.3, 0]] as const) {
    skeleton.setBindPosition(skeleton.addBone(name, parent), x, y, z);
  }
  skeleton.setBindRotation(4, 0.1, 0.2, 0.3, 1);
  skeleton.applyBindPose(pose);
  pose.computeWorld(skeleton);
  return { skeleton, pose };
}

const place = (pose: AnimPose, bone: number): number[] => [pose.getWorldPositionX(bone), pose.getWorldPositionY(bone), pose.getWorldPositionZ(bone)];
const turn = (pose: AnimPose, bone: number): number[] => [pose.getWorldRotationX(bone), pose.getWorldRotationY(bone), pose.getWorldRotationZ(bone), pose.getWorldRotationW(bone)];
const local = (pose: AnimPose, bone: number): number[] => [pose.getLocalRotationX(bone), pose.getLocalRotationY(bone), pose.getLocalRotationZ(bone), pose.getLocalRotationW(bone)];

/** Angle between an axis of a bone and the way to a point. */
function offTarget(pose: AnimPose, bone: number, target: readonly number[], column = 2): number {
  const p = place(pose, bone), axis = [0, 1, 2].map((row) => pose.getWorldMatrixElement(bone, 4 * column + row)), way = target.map((v, k) => v - p[k]!);
  const cross = Math.hypot(axis[1]! * way[2]! - axis[2]! * way[1]!, axis[2]! * way[0]! - axis[0]! * way[2]!, axis[0]! * way[1]! - axis[1]! * way[0]!);
  return Math.atan2(cross, axis[0]! * way[0]! + axis[1]! * way[1]! + axis[2]! * way[2]!);
}

describe("addLookAt", () => {
  it("makes the last bone look at the target exactly, the others taking their shares, wherever the target is", () => {
    fc.assert(fc.property(fc.double({ min: -5, max: 5, noNaN: true }), fc.double({ min: -5, max: 5, noNaN: true }), fc.double({ min: -5, max: 5, noNaN: true }), (x, y, z) => {
      const { skeleton, pose } = torso(), stack = new AnimConstraintStack(skeleton), head = place(pose, 3);
      fc.pre(Math.hypot(x - head[0]!, y - head[1]!, z - head[2]!) > 0.5);
      stack.addLookAt([1, 2, 3], [0.2, 0.4, 1], x, y, z);
      stack.apply(pose);
      expect(stack.getLastStatus(0)).toBe("ok");
      expect(offTarget(pose, 3, [x, y, z])).toBeLessThan(1e-4);
      for (const bone of [0, 4]) expect(angleBetween(local(pose, bone), bone === 4 ? [0.1, 0.2, 0.3, 1].map((v) => v / Math.hypot(0.1, 0.2, 0.3, 1)) : [0, 0, 0, 1])).toBeLessThan(1e-5);
    }), { numRuns: runs(100) });
  });

  it("gives each bone its share of what is left of the turn", () => {
    const { skeleton, pose } = torso(), stack = new AnimConstraintStack(skeleton);
    // Far away, so that the head's own place does not count: 80 degrees to the side.
    const angle = (80 * Math.PI) / 180;
    stack.addLookAt([1, 3], [0.25, 1], 1e6 * Math.sin(angle), 1.65, 1e6 * Math.cos(angle));
    stack.apply(pose);
    expect(angleBetween(local(pose, 1), [0, 0, 0, 1])).toBeCloseTo(angle * 0.25, 4);
    expect(angleBetween(local(pose, 3), [0, 0, 0, 1])).toBeCloseTo(angle * 0.75, 4);
  });

  it("turns no further than maxAngle, and by the weight of the way", () => {
    const { skeleton, pose } = torso(), stack = new AnimConstraintStack(skeleton);
    stack.addLookAt([3], [1], -4, 1.67, 0.02, { maxAngle: 0.5 });
    stack.apply(pose);
    expect(stack.getLastStatus(0)).toBe("unreachable");
    expect(angleBetween(turn(pose, 3), [0, 0, 0, 1])).toBeCloseTo(0.5, 4);
    skeleton.applyBindPose(pose);
    stack.clear();
    stack.addLookAt([2, 3], [0.5, 1], -4, 1.67, 0.02, { weight: 0.5 });
    stack.apply(pose);
    expect(offTarget(pose, 3, [-4, 1.67, 0.02])).toBeCloseTo(Math.PI / 4, 2);
    skeleton.applyBindPose(pose);
    stack.setWeight(0, 0);
    stack.apply(pose);
    expect([stack.getLastStatus(0), ...local(pose, 3)]).toEqual(["skipped", 0, 0, 0, 1]);
  });

  it("looks along another axis, half a turn round too, and leaves a target on the bone alone", () => {
    const { skeleton, pose } = torso(), stack = new AnimConstraintStack(skeleton), head = place(pose, 3);
    stack.addLookAt([3], [1], 0, -5, 0.02, { axis: [0, 2, 0] });
    stack.apply(pose);
    expect(offTarget(pose, 3, [0, -5, 0.02], 1)).toBeLessThan(1e-4);
    skeleton.applyBindPose(pose);
    stack.clear();
    stack.addLookAt([3], [1], head[0]!, head[1]!, head[2]! - 3);
    stack.apply(pose);
    expect(offTarget(pose, 3, [head[0]!, head[1]!, head[2]! - 3])).toBeLessThan(1e-4);
    // About its own +Y: the head stays upright.
    expect(pose.getWorldMatrixElement(3, 5)).toBeCloseTo(1, 5);
    skeleton.applyBindPose(pose);
    stack.setTarget(0, head[0]!, head[1]!, head[2]!);
    stack.apply(pose);
    expect([stack.getLastStatus(0), ...local(pose, 3)]).toEqual(["degenerate", 0, 0, 0, 1]);
  });
});

describe("addRotationLimit", () => {
  const swingTwist = (q: readonly number[]): { swing: number[]; twist: number } => {
    const n = Math.hypot(q[1]!, q[3]!) || 1, ty = n > 1e-9 ? q[1]! / n : 0, tw = n > 1e-9 ? q[3]! / n : 1;
    const [x, y, z, w] = q as [number, number, number, number];
    // q conj(twist)
    const s = [x * tw + z * ty, y * tw - w * ty, z * tw - x * ty, w * tw + y * ty], sign = s[3]! < 0 ? -1 : 1, half = Math.hypot(s[0]!, s[2]!), angle = 2 * Math.atan2(half, Math.abs(s[3]!));
    const twist = 2 * Math.atan2(ty, tw);
    return { swing: half > 1e-9 ? [(sign * angle * s[0]!) / half, (sign * angle * s[2]!) / half] : [0, 0], twist: twist - 2 * Math.PI * Math.round(twist / (2 * Math.PI)) };
  };

  it("brings any rotation into the limits, and leaves one that is in them as it is to the bit", () => {
    const random = seeded(5);
    let inside = 0;
    for (let i = 0; i < 500; i++) {
      const { skeleton, pose } = torso(), stack = new AnimConstraintStack(skeleton), sx = random() * 2, sz = random() * 2, low = -random() * 2, high = random() * 2;
      skeleton.setBindRotation(3, 0, 0, 0, 1);
      pose.setLocalRotation(3, ...randomQuaternion(random));
      const before = local(pose, 3), was = swingTwist(before);
      stack.addRotationLimit(3, sx, sz, low, high);
      stack.apply(pose);
      const { swing, twist } = swingTwist(local(pose, 3));
      expect(Math.hypot(swing[0]! / sx, swing[1]! / sz)).toBeLessThan(1 + 1e-3);
      expect(twist).toBeGreaterThan(low - 1e-4);
      expect(twist).toBeLessThan(high + 1e-4);
      if (Math.hypot(was.swing[0]! / sx, was.swing[1]! / sz) > 1 || was.twist < low || was.twist > high) continue;
      inside++;
      expect(local(pose, 3)).toEqual(before);
    }
    expect(inside).toBeGreaterThan(10);
  });

  it("measures from the bind pose, allows a hinge, and is blended by the weight", () => {
    const { skeleton, pose } = torso(), stack = new AnimConstraintStack(skeleton);
    stack.addRotationLimit(4, 0, 0, 0, 0);
    pose.setLocalRotation(4, 0.5, 0.5, 0.5, 0.5);
    stack.apply(pose);
    const n = Math.hypot(0.1, 0.2, 0.3, 1);
    expect(angleBetween(local(pose, 4), [0.1 / n, 0.2 / n, 0.3 / n, 1 / n])).toBeLessThan(1e-5);
    // A knee: about X only.
    stack.clear();
    stack.addRotationLimit(3, 2, 0, 0, 0);
    pose.setLocalRotation(3, Math.sin(0.4), 0, Math.sin(0.3), Math.cos(0.5));
    stack.apply(pose);
    expect(Math.abs(local(pose, 3)[1]!) + Math.abs(local(pose, 3)[2]!)).toBeLessThan(1e-6);
    stack.clear();
    stack.addRotationLimit(3, 0.5, 0.5, 0, 0, 0.5);
    pose.setLocalRotation(3, Math.sin(0.5), 0, 0, Math.cos(0.5));
    stack.apply(pose);
    expect(2 * Math.asin(local(pose, 3)[0]!)).toBeCloseTo(0.75, 4);
  });
});

describe("addCopyRotation and addCopyPosition", () => {
  it("copy the turn away from the bind pose, or the very rotation", () => {
    const { skeleton, pose } = torso(), stack = new AnimConstraintStack(skeleton), rest = turn(pose, 4);
    pose.setLocalRotation(2, 0, Math.sin(0.3), 0, Math.cos(0.3));
    stack.addCopyRotation(4, 2);
    stack.apply(pose);
    const [x, y, z, w] = rest as [number, number, number, number], s = Math.sin(0.3), c = Math.cos(0.3);
    expect(angleBetween(turn(pose, 4), [c * x + s * z, c * y + s * w, c * z - s * x, c * w - s * y])).toBeLessThan(1e-5);
    stack.clear();
    stack.addCopyRotation(4, 2, 1, false);
    stack.apply(pose);
    expect(angleBetween(turn(pose, 4), turn(pose, 2))).toBeLessThan(1e-5);
  });

  it("copy a place with the offset of the bind pose, or without, by the weight", () => {
    const { skeleton, pose } = torso(), stack = new AnimConstraintStack(skeleton), offset = place(pose, 4).map((v, k) => v - place(pose, 2)[k]!);
    pose.setLocalPosition(2, 0.1, 0.5, 0.3);
    stack.addCopyPosition(4, 2);
    stack.apply(pose);
    place(pose, 4).forEach((v, k) => expect(v).toBeCloseTo(place(pose, 2)[k]! + offset[k]!, 5));
    stack.clear();
    stack.addCopyPosition(4, 2, 1, false);
    stack.apply(pose);
    place(pose, 4).forEach((v, k) => expect(v).toBeCloseTo(place(pose, 2)[k]!, 5));
    skeleton.applyBindPose(pose);
    pose.setLocalScale(1, 0, 0, 0);
    stack.apply(pose);
    expect(stack.getLastStatus(0)).toBe("degenerate");
  });

  it("refuse sources that would move along, and what else makes no sense", () => {
    const { skeleton } = torso(), stack = new AnimConstraintStack(skeleton);
    expect(() => stack.addCopyRotation(1, 3)).toThrow(/below it/);
    expect(() => stack.addCopyPosition(1, 1)).toThrow(AnimArgumentError);
    expect(() => stack.addCopyRotation(9, 1)).toThrow(AnimIndexError);
    expect(() => stack.addRotationLimit(1, 1, 1, 0.5, 0.1)).toThrow(/twistMin/);
    expect(() => stack.addRotationLimit(1, -1, 1, 0, 0)).toThrow(AnimArgumentError);
    expect(() => stack.addLookAt([3, 1], [1, 1], 0, 0, 0)).toThrow(/not below/);
    expect(() => stack.addLookAt([1, 3], [1], 0, 0, 0)).toThrow(/share for each/);
    expect(() => stack.addLookAt([3], [2], 0, 0, 0)).toThrow(AnimArgumentError);
    expect(() => stack.addLookAt([3], [1], 0, 0, 0, { axis: [0, 0, 0] })).toThrow(/axis/);
    expect(stack.getCount()).toBe(0);
    stack.addRotationLimit(1, 1, 1, 0, 0);
    expect(() => stack.setTarget(0, 1, 1, 1)).toThrow(/no target/);
  });
});
