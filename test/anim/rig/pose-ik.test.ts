import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimConstraintStack, AnimIndexError, AnimPose, AnimSkeleton } from "../../../src/anim/index.js";
import { angleBetween, golden, randomQuaternion, seeded } from "./golden.js";

const data = golden("two-bone-ik-golden.json");
const { f32Position, f32Rotation } = data.tolerance as { f32Position: number; f32Rotation: number };
interface Trs { t: number[]; q: number[]; s?: number[] }

function rigOf(c: { bones: { name: string; parent: number }[]; bind?: Trs[]; pose: Trs[] }): { skeleton: AnimSkeleton; pose: AnimPose } {
  const skeleton = new AnimSkeleton(), pose = new AnimPose(c.bones.length);
  c.bones.forEach((b, i) => {
    skeleton.addBone(b.name, b.parent);
    const bind = (c.bind ?? c.pose)[i]!;
    skeleton.setBindPosition(i, bind.t[0]!, bind.t[1]!, bind.t[2]!);
    skeleton.setBindRotation(i, bind.q[0]!, bind.q[1]!, bind.q[2]!, bind.q[3]!);
    const { t, q } = c.pose[i]!;
    pose.setLocalPosition(i, t[0]!, t[1]!, t[2]!);
    pose.setLocalRotation(i, q[0]!, q[1]!, q[2]!, q[3]!);
  });
  return { skeleton, pose };
}

const local = (pose: AnimPose, bone: number): number[] => [pose.getLocalRotationX(bone), pose.getLocalRotationY(bone), pose.getLocalRotationZ(bone), pose.getLocalRotationW(bone)];
const world = (pose: AnimPose, bone: number): number[] => [pose.getWorldRotationX(bone), pose.getWorldRotationY(bone), pose.getWorldRotationZ(bone), pose.getWorldRotationW(bone)];
const position = (pose: AnimPose, bone: number): number[] => [pose.getWorldPositionX(bone), pose.getWorldPositionY(bone), pose.getWorldPositionZ(bone)];

function expectWorld(pose: AnimPose, result: { worldPositions: number[][]; worldRotations: number[][] }): void {
  result.worldPositions.forEach((want, bone) => {
    position(pose, bone).forEach((value, k) => expect(Math.abs(value - want[k]!)).toBeLessThanOrEqual(f32Position));
    expect(angleBetween(world(pose, bone), result.worldRotations[bone]!)).toBeLessThanOrEqual(f32Rotation);
  });
}

describe("AnimPose.solveTwoBoneIK", () => {
  for (const c of data.twoBone) {
    it(`gives the golden result: ${c.name}`, () => {
      const { skeleton, pose } = rigOf(c), [x, y, z] = c.target, [px, py, pz] = c.pole ?? [];
      const reached = pose.solveTwoBoneIK(skeleton, c.root, c.mid, c.tip, x, y, z, px, py, pz, c.weight);
      if (typeof c.result.reached === "boolean") expect(reached).toBe(c.result.reached && c.weight >= 1 && c.result.status === "ok");
      pose.computeWorld(skeleton);
      expectWorld(pose, c.result);
      expect(angleBetween(local(pose, c.root), c.result.localRotationRoot)).toBeLessThanOrEqual(f32Rotation);
      expect(angleBetween(local(pose, c.mid), c.result.localRotationMid)).toBeLessThanOrEqual(f32Rotation);
    });
  }

  it("reaches every reachable target within 1e-4 of the chain and stays finite beyond", () => {
    const random = seeded(44), { skeleton, pose } = rigOf(data.twoBone[0]);
    for (let i = 0; i < 20_000; i++) {
      pose.setLocalRotation(1, ...randomQuaternion(random));
      pose.setLocalRotation(2, ...randomQuaternion(random));
      pose.computeWorld(skeleton);
      const a = position(pose, 1), target = a.map((v) => v + (random() - 0.5) * 2.5);
      const reached = random() < 0.5
        ? pose.solveTwoBoneIK(skeleton, 1, 2, 3, target[0]!, target[1]!, target[2]!)
        : pose.solveTwoBoneIK(skeleton, 1, 2, 3, target[0]!, target[1]!, target[2]!, random(), random(), random());
      const off = Math.hypot(...position(pose, 3).map((v, k) => v - target[k]!));
      expect(Number.isFinite(off)).toBe(true);
      if (reached) expect(off).toBeLessThan(1e-4 * 0.881);
    }
  });

  it("refuses bones that are no chain, poles of one or two numbers, and numbers that are not finite", () => {
    const { skeleton, pose } = rigOf(data.twoBone[0]);
    expect(() => pose.solveTwoBoneIK(skeleton, 2, 1, 3, 0, 0, 0)).toThrow(AnimArgumentError);
    expect(() => pose.solveTwoBoneIK(skeleton, 1, 2, 2, 0, 0, 0)).toThrow(AnimArgumentError);
    expect(() => pose.solveTwoBoneIK(skeleton, 1, 2, 3, 0, 0, 0, 1)).toThrow(AnimArgumentError);
    expect(() => pose.solveTwoBoneIK(skeleton, 1, 2, 3, NaN, 0, 0)).toThrow(AnimArgumentError);
    expect(() => pose.solveTwoBoneIK(skeleton, 1, 2, 9, 0, 0, 0)).toThrow(AnimIndexError);
  });
});

describe("AnimPose.aimBone", () => {
  for (const c of data.aim) {
    it(`gives the golden result: ${c.name}`, () => {
      const { skeleton, pose } = rigOf(c);
      expect(pose.aimBone(skeleton, c.bone, c.target[0], c.target[1], c.target[2], c.weight)).toBe(c.result.applied);
      if (!c.result.applied) {
        expect(local(pose, c.bone)).toEqual(local(rigOf(c).pose, c.bone));
        return;
      }
      pose.computeWorld(skeleton);
      expectWorld(pose, c.result);
      expect(angleBetween(local(pose, c.bone), c.result.localRotation)).toBeLessThanOrEqual(f32Rotation);
    });
  }

  it("refuses numbers that are not finite and bones out of range", () => {
    const { skeleton, pose } = rigOf(data.aim[0]);
    expect(() => pose.aimBone(skeleton, 0, NaN, 0, 0)).toThrow(AnimArgumentError);
    expect(() => pose.aimBone(skeleton, 0, 0, 0, 1, Infinity)).toThrow(AnimArgumentError);
    expect(() => pose.aimBone(skeleton, 9, 0, 0, 1)).toThrow(AnimIndexError);
  });
});

describe("a softened two-bone chain", () => {
  it("reaches exactly up to its share, gives way beyond without a jump, and never goes straight", () => {
    const skeleton = new AnimSkeleton(), pose = new AnimPose(3);
    ["hip", "knee", "foot"].forEach((name, bone) => skeleton.addBone(name, bone - 1));
    skeleton.setBindPosition(1, 0, -0.5, 0.02);
    skeleton.setBindPosition(2, 0, -0.5, -0.02);
    const whole = 2 * Math.hypot(0.5, 0.02), reached = (distance: number, soften: number): number => {
      skeleton.applyBindPose(pose);
      pose.solveTwoBoneIK(skeleton, 0, 1, 2, 0, -distance, 0, 0, -0.5, 1, 1, { soften });
      return -pose.getWorldPositionY(2);
    };
    let last = reached(0.5 * whole, 0.9), lastStep = Infinity;
    for (let d = 0.51 * whole; d < 2 * whole; d += 0.01 * whole) {
      const now = reached(d, 0.9), step = now - last;
      if (d < 0.9 * whole) expect(now).toBeCloseTo(d, 5);
      else {
        // Slower and slower, never back, never there.
        expect(step).toBeGreaterThan(0);
        expect(step).toBeLessThan(Math.max(lastStep, 0.0135 * whole) + 1e-5);
        expect(now).toBeLessThan(whole);
      }
      last = now;
      lastStep = step;
    }
    expect(last).toBeGreaterThan(0.99 * whole);
    // At the whole length: a + s (1 - 81 / 256).
    expect(reached(whole, 0.9)).toBeCloseTo(whole * (0.9 + 0.1 * (1 - 81 / 256)), 5);
    expect(reached(0.95 * whole, 1)).toBeCloseTo(0.95 * whole, 5);
    const same = new AnimConstraintStack(skeleton), other = new AnimPose();
    skeleton.applyBindPose(other);
    same.addTwoBoneIK(0, 1, 2, 0, -whole, 0, 0, -0.5, 1, 1, { soften: 0.9 });
    same.apply(other);
    expect([-other.getWorldPositionY(2), same.getLastStatus(0)]).toEqual([reached(whole, 0.9), "unreachable"]);
    for (const soften of [0, -1, 1.1, NaN, "1"]) expect(() => pose.solveTwoBoneIK(skeleton, 0, 1, 2, 0, -1, 0, undefined, undefined, undefined, 1, { soften: soften as number })).toThrow(AnimArgumentError);
  });
});
