import { describe, expect, it } from "vitest";
import { type AimOptions, AnimArgumentError, AnimPose, AnimSkeleton } from "../../../src/anim/index.js";
import { angleBetween, randomQuaternion, seeded } from "./golden.js";

/** A chain of three bones that are turned somehow; the second one aims. */
function rig(random: () => number): { skeleton: AnimSkeleton; pose: AnimPose } {
  const skeleton = new AnimSkeleton(), pose = new AnimPose(3);
  for (let bone = 0; bone < 3; bone++) {
    skeleton.addBone(`b${bone}`, bone - 1);
    skeleton.setBindPosition(bone, random(), random(), random());
    pose.setLocalPosition(bone, random(), random(), random());
    pose.setLocalRotation(bone, ...randomQuaternion(random));
  }
  pose.computeWorld(skeleton);
  return { skeleton, pose };
}

type Vector = [number, number, number];
const vector = (random: () => number, size = 1): Vector => [(random() - 0.5) * size, (random() - 0.5) * size, (random() - 0.5) * size];
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a: Vector): Vector => a.map((v) => v / Math.hypot(...a)) as Vector;
/** Where a point, or a direction, of the bone lies in model space. */
const point = (pose: AnimPose, at: Vector): Vector => {
  const out: Vector = [0, 0, 0];
  pose.transformPoint(1, ...at, out);
  return out;
};
const direction = (pose: AnimPose, v: Vector): Vector => minus(point(pose, v), point(pose, [0, 0, 0]));
const rotation = (pose: AnimPose): number[] => [pose.getWorldRotationX(1), pose.getWorldRotationY(1), pose.getWorldRotationZ(1), pose.getWorldRotationW(1)];

describe("AnimPose.aimBone with options", () => {
  it("does the same as without them when they ask for nothing", () => {
    const random = seeded(2);
    for (let i = 0; i < 200; i++) {
      const { skeleton, pose } = rig(random), other = new AnimPose(), target = vector(random, 6), weight = i % 3 === 0 ? random() : 1;
      other.copyFrom(pose);
      expect(pose.aimBone(skeleton, 1, ...target, weight)).toBe(other.aimBone(skeleton, 1, ...target, weight, {}));
      expect(angleBetween(rotation(pose), rotation(other))).toBeLessThan(2e-6);
    }
  });

  it("points any axis at the target, through a point beside the joint, and leans `up` towards its own", () => {
    const random = seeded(3);
    for (let i = 0; i < 500; i++) {
      const { skeleton, pose } = rig(random), target = vector(random, 8), axis = vector(random), offset = vector(random), up = vector(random), upTarget = vector(random, 8);
      const joint = point(pose, [0, 0, 0]), beside = Math.hypot(...cross(offset, unit(axis)));
      const aimed = pose.aimBone(skeleton, 1, ...target, 1, { axis, offset, up, upTarget });
      expect(aimed).toBe(Math.hypot(...minus(target, joint)) > beside);
      if (!aimed) continue;
      const way = minus(target, point(pose, offset)), sight = unit(direction(pose, axis));
      // On the line, and in front.
      expect(Math.hypot(...cross(way, sight))).toBeLessThan(2e-5);
      // Seen along the way from the joint to the target, `up` and its target lie on one side.
      const line = unit(minus(target, joint)), a = cross(line, direction(pose, up)), b = cross(line, minus(upTarget, joint));
      if (Math.hypot(...a) < 1e-2 || Math.hypot(...b) < 1e-2) continue;
      expect(dot(unit(a), unit(b))).toBeGreaterThan(1 - 1e-6);
      expect(pose.isWorldValid()).toBe(true);
    }
  });

  it("stops at the largest angle, and twists about the line of sight", () => {
    const random = seeded(4);
    for (let i = 0; i < 200; i++) {
      const { skeleton, pose } = rig(random), plain = new AnimPose(), target = vector(random, 6), maxAngle = random() * 2, before = rotation(pose), was = direction(pose, [0, 0, 1]);
      plain.copyFrom(pose);
      plain.aimBone(skeleton, 1, ...target);
      const whole = angleBetween(before, rotation(plain));
      pose.aimBone(skeleton, 1, ...target, 1, { maxAngle });
      expect(angleBetween(before, rotation(pose))).toBeCloseTo(Math.min(whole, maxAngle), 4);
      // Still on the arc towards the target.
      const sight = direction(pose, [0, 0, 1]), goal = unit(minus(target, point(pose, [0, 0, 0])));
      expect(Math.abs(dot(sight, cross(was, goal)))).toBeLessThan(1e-5);

      const twist = (random() - 0.5) * 6, held = direction(plain, [0, 1, 0]);
      const turned = new AnimPose();
      turned.copyFrom(plain);
      turned.aimBone(skeleton, 1, ...target, 1, { twist });
      expect(dot(direction(turned, [0, 0, 1]), goal)).toBeGreaterThan(1 - 1e-6);
      expect(dot(direction(turned, [0, 1, 0]), held)).toBeCloseTo(Math.cos(twist), 4);
      expect(dot(cross(held, direction(turned, [0, 1, 0])), goal)).toBeCloseTo(Math.sin(twist), 4);
    }
  });

  it("turns round where the target lies behind, for every axis, and stays finite at its edges", () => {
    const { skeleton, pose } = rig(seeded(9));
    for (const axis of [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, -1, 0], [1, 1, 0]] as Vector[]) {
      skeleton.applyBindPose(pose);
      pose.computeWorld(skeleton);
      const behind = point(pose, axis.map((v) => -3 * v) as Vector);
      expect(pose.aimBone(skeleton, 1, ...behind, 1, { axis })).toBe(true);
      expect(dot(unit(direction(pose, axis)), unit(minus(behind, point(pose, [0, 0, 0]))))).toBeGreaterThan(1 - 1e-6);
    }
    const joint = point(pose, [0, 0, 0]), before = rotation(pose);
    expect(pose.aimBone(skeleton, 1, ...joint, 1, { offset: [1, 0, 0] })).toBe(false);
    expect(pose.aimBone(skeleton, 1, joint[0] + 1, joint[1], joint[2], 0, {})).toBe(false);
    expect(pose.aimBone(skeleton, 1, joint[0] + 0.5, joint[1], joint[2], 1, { offset: [0, 0.6, 0], axis: [1, 0, 0] })).toBe(false);
    expect(rotation(pose)).toEqual(before);
    // Up leans towards a target straight ahead: no roll is right, any is finite.
    expect(pose.aimBone(skeleton, 1, joint[0] + 1, joint[1], joint[2], 1, { upTarget: [joint[0] + 5, joint[1], joint[2]] })).toBe(true);
    expect(rotation(pose).every(Number.isFinite)).toBe(true);
  });

  it("refuses options that are none, and changes nothing", () => {
    const { skeleton, pose } = rig(seeded(1)), before = rotation(pose);
    const bad = [null, 3, { axis: [0, 0, 0] }, { axis: [1, 0] }, { axis: 1 }, { offset: [NaN, 0, 0] }, { up: [0, 0, 0] }, { upTarget: [1, 2] }, { maxAngle: -1 }, { maxAngle: NaN }, { twist: Infinity }];
    for (const options of bad) expect(() => pose.aimBone(skeleton, 1, 1, 2, 3, 1, options as AimOptions)).toThrow(AnimArgumentError);
    expect(() => pose.aimBone(skeleton, 1, NaN, 2, 3, 1, {})).toThrow(AnimArgumentError);
    expect(rotation(pose)).toEqual(before);
  });
});
