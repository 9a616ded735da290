import { describe, expect, it } from "vitest";
import { AnimArgumentError, Animation, AnimIndexError, AnimMismatchError, AnimPose, AnimSkeleton, FootIKSolver, type GroundHit, type GroundQuery } from "../../../src/anim/index.js";
import { seeded } from "../rig/golden.js";

const SOLE = 0.08, SIZE = 0.9;
const L = { thigh: 1, shin: 2, foot: 3, toe: 4 }, R = { thigh: 5, shin: 6, foot: 7, toe: 8 };

/** Hips with two slightly bent legs of 0.45 + 0.45 m; the soles stand on y = 0. */
function rig(): { skeleton: AnimSkeleton; pose: AnimPose; solver: FootIKSolver } {
  const skeleton = new AnimSkeleton(), pose = new AnimPose();
  const bend = 0.1, down = Math.sqrt(0.45 ** 2 - bend ** 2);
  skeleton.addBone("hips");
  skeleton.setBindPosition(0, 0, 2 * down + SOLE, 0);
  for (const side of [1, -1]) {
    const first = skeleton.getBoneCount();
    ["thigh", "shin", "foot", "toe"].forEach((name, i) => skeleton.addBone(`${name} ${side}`, i === 0 ? 0 : first + i - 1));
    skeleton.setBindPosition(first, 0.1 * side, 0, 0);
    skeleton.setBindPosition(first + 1, 0, -down, bend);
    skeleton.setBindPosition(first + 2, 0, -down, -bend);
    skeleton.setBindPosition(first + 3, 0, -SOLE, 0.15);
  }
  skeleton.applyBindPose(pose);
  const solver = new FootIKSolver(skeleton);
  solver.setPelvisBone(0);
  solver.configureLeftLeg(L.thigh, L.shin, L.foot, SOLE);
  solver.configureRightLeg(R.thigh, R.shin, R.foot, SOLE);
  return { skeleton, pose, solver };
}

/** Ground with a height and a normal at every place. */
function ground(height: (x: number, z: number) => number, normal: number[] = [0, 1, 0]): GroundQuery {
  return {
    query: (x: number, _y: number, z: number, _up: number, _down: number, out: GroundHit) => {
      Object.assign(out, { x, y: height(x, z), z, nx: normal[0], ny: normal[1], nz: normal[2] });
      return "hit";
    },
  };
}

const place = (pose: AnimPose, bone: number): number[] => [pose.getWorldPositionX(bone), pose.getWorldPositionY(bone), pose.getWorldPositionZ(bone)];
const upOf = (pose: AnimPose, bone: number): number[] => [4, 5, 6].map((e) => pose.getWorldMatrixElement(bone, e));
function localsOf(pose: AnimPose): number[] {
  const out: number[] = [];
  pose.writeLocalTo(out);
  return out;
}
const farthest = (a: number[], b: number[]): number => Math.max(...a.map((v, i) => Math.abs(v - b[i]!)));

describe("FootIKSolver", () => {
  it("changes nothing on the flat ground that the animation stands on", () => {
    const { skeleton, pose, solver } = rig(), before = localsOf(pose);
    solver.configureLeftToe(L.toe);
    solver.configureRightToe(R.toe);
    solver.setGroundQuery(ground(() => 0));
    for (let f = 0; f < 60; f++) {
      skeleton.applyBindPose(pose);
      solver.apply(pose, 1 / 60);
      expect(farthest(localsOf(pose), before)).toBeLessThan(1e-5);
    }
    expect(pose.isWorldValid()).toBe(true);
  });

  it("puts one foot on a step and one in a hole, and lowers the pelvis as the lower foot needs", () => {
    const { skeleton, pose, solver } = rig();
    solver.setGroundQuery(ground((x) => (x > 0 ? 0.2 * SIZE : 0)));
    solver.apply(pose, 1 / 60);
    expect(Math.abs(place(pose, L.foot)[1]! - SOLE - 0.2 * SIZE)).toBeLessThan(1e-3 * SIZE);
    expect(Math.abs(place(pose, R.foot)[1]! - SOLE)).toBeLessThan(1e-3 * SIZE);
    expect(Math.abs(solver.getPelvisOffset())).toBeLessThan(1e-6);
    solver.reset();
    skeleton.applyBindPose(pose);
    solver.setGroundQuery(ground((x) => (x > 0 ? 0 : -0.2 * SIZE)));
    solver.apply(pose, 1 / 60);
    expect(Math.abs(solver.getPelvisOffset() + 0.2 * SIZE)).toBeLessThan(1e-6);
    expect(Math.abs(place(pose, L.foot)[1]! - SOLE)).toBeLessThan(1e-3 * SIZE);
    expect(Math.abs(place(pose, R.foot)[1]! - SOLE + 0.2 * SIZE)).toBeLessThan(1e-3 * SIZE);
    solver.reset();
    solver.setMaxPelvisOffset(0.05);
    skeleton.applyBindPose(pose);
    solver.apply(pose, 1 / 60);
    expect(Math.abs(solver.getPelvisOffset() + 0.05)).toBeLessThan(1e-9);
  });

  it("comes to the same by smoothing as at once", () => {
    const settle = (start: number): number[] => {
      const { skeleton, pose, solver } = rig();
      solver.setGroundQuery(ground((x) => (x > 0 ? start : -start)));
      solver.apply(pose, 1 / 60);
      solver.setGroundQuery(ground((x) => (x > 0 ? 0.1 : -0.1)));
      for (let f = 0; f < 240; f++) {
        skeleton.applyBindPose(pose);
        solver.apply(pose, 1 / 60);
      }
      return localsOf(pose);
    };
    expect(farthest(settle(0), settle(0.1))).toBeLessThan(1e-4);
  });

  it("lays feet on a slope within a degree and takes one that is too steep for none", () => {
    const { skeleton, pose, solver } = rig(), slope = (degrees: number): GroundQuery => {
      const a = (degrees * Math.PI) / 180;
      return ground((_x, z) => -z * Math.tan(a), [0, Math.cos(a), Math.sin(a)]);
    };
    solver.setGroundQuery(slope(20));
    solver.apply(pose, 1 / 60);
    for (const foot of [L.foot, R.foot]) {
      const a = (20 * Math.PI) / 180, up = upOf(pose, foot);
      expect(Math.acos(Math.min(1, up[1]! * Math.cos(a) + up[2]! * Math.sin(a)))).toBeLessThan(Math.PI / 180);
    }
    skeleton.applyBindPose(pose);
    const before = localsOf(pose);
    solver.reset();
    solver.setGroundQuery(slope(70));
    solver.apply(pose, 1 / 60);
    expect(farthest(localsOf(pose), before)).toBeLessThan(1e-5);
  });

  it("uses contacts by hand where the query is unavailable or fails, and leaves feet without any alone", () => {
    for (const query of [null, { query: () => "unavailable" as const }, { query: () => { throw new Error("no world"); } }]) {
      const { skeleton, pose, solver } = rig(), before = localsOf(pose);
      solver.setGroundQuery(query);
      solver.apply(pose, 1 / 60);
      expect(farthest(localsOf(pose), before)).toBeLessThan(1e-5);
      solver.setLeftContact(0.1, 0.1, 0);
      solver.setRightContact(-0.1, 0, 0);
      solver.reset();
      skeleton.applyBindPose(pose);
      solver.apply(pose, 1 / 60);
      expect(Math.abs(place(pose, L.foot)[1]! - SOLE - 0.1)).toBeLessThan(1e-3);
      expect(Math.abs(place(pose, R.foot)[1]! - SOLE)).toBeLessThan(1e-3);
    }
  });

  it("fades to the animation where the ground is lost, and stays finite with hits that are not", () => {
    const { skeleton, pose, solver } = rig(), before = localsOf(pose);
    solver.setGroundQuery(ground(() => -0.15));
    solver.apply(pose, 1 / 60);
    const on = localsOf(pose);
    expect(farthest(on, before)).toBeGreaterThan(0.1);
    solver.setGroundQuery(ground(() => NaN));
    let last = Infinity;
    for (let f = 0; f < 120; f++) {
      skeleton.applyBindPose(pose);
      solver.apply(pose, 1 / 60);
      const off = farthest(localsOf(pose), before);
      if (f > 30) expect(off).toBeLessThanOrEqual(last + 1e-6);
      last = off;
    }
    expect(last).toBeLessThan(1e-4);
  });

  it("with random frames, some of them not finite, comes to the pose of even ones", () => {
    const stand = (next: () => number): number[] => {
      const { skeleton, pose, solver } = rig();
      solver.setFootLockEnabled(true);
      solver.setGroundQuery(ground((x) => (x > 0 ? 0.12 : -0.04)));
      for (let time = 0; time < 2;) {
        const dt = next();
        skeleton.applyBindPose(pose);
        solver.apply(pose, dt);
        if (Number.isFinite(dt)) time += dt;
        expect(localsOf(pose).every(Number.isFinite)).toBe(true);
      }
      skeleton.applyBindPose(pose);
      solver.apply(pose, 0);
      return localsOf(pose);
    };
    const random = seeded(6);
    expect(farthest(stand(() => (random() < 0.1 ? NaN : random() * 0.1)), stand(() => 1 / 60))).toBeLessThan(0.02 * SIZE);
  });

  it("locks each foot once a step while it walks, and holds it", () => {
    const { skeleton, pose, solver } = rig(), speed = 1, period = 1;
    solver.setGroundQuery(ground(() => 0));
    solver.setFootLockEnabled(true);
    let locks = 0, unlocks = 0, was = false, slip = 0, held: number[] | undefined;
    for (let f = 0; f < 240; f++) {
      const time = f / 60;
      skeleton.applyBindPose(pose);
      // Low enough for both ends of the stride.
      pose.setLocalPosition(0, 0, 0.9, 0);
      pose.computeWorld(skeleton);
      for (const [leg, phase] of [[L, 0], [R, 0.5]] as const) {
        // Half of the period the foot stands, with a jitter of 2 % of the stride; then it swings forward.
        const u = (time / period + phase) % 1, stride = speed * period * 0.5;
        const z = u < 0.5 ? stride * (0.5 - 2 * u) + 0.003 * Math.sin(time * 20) : stride * (-0.5 + (1 - Math.cos(Math.PI * (2 * u - 1))) / 2);
        const y = u < 0.5 ? SOLE : SOLE + 0.1 * Math.sin(Math.PI * (2 * u - 1));
        pose.solveTwoBoneIK(skeleton, leg.thigh, leg.shin, leg.foot, leg === L ? 0.1 : -0.1, y, z);
        pose.setWorldRotation(skeleton, leg.foot, 0, 0, 0, 1);
      }
      solver.setObjectTransform(0, 0, speed * time, 0, 0, 0, 1);
      solver.apply(pose, 1 / 60);
      const locked = solver.isLeftFootLocked(), foot = place(pose, L.foot);
      foot[2]! += speed * time;
      if (locked && !was) {
        locks++;
        held = foot;
      }
      if (!locked && was) unlocks++;
      if (locked && held !== undefined) slip = Math.max(slip, Math.hypot(foot[0]! - held[0]!, foot[2]! - held[2]!));
      was = locked;
    }
    expect(locks).toBe(4);
    expect(unlocks).toBe(4);
    expect(slip).toBeLessThan(0.002 * SIZE * 0.5);
  });

  it("bends a toe that points into the ground until it lies on it, by its weight", () => {
    const tipOf = (weight: number): number => {
      const { skeleton, pose, solver } = rig(), toes = skeleton.clone();
      toes.addBone("tip", L.toe);
      toes.setBindPosition(9, 0, 0, 0.07);
      const other = new FootIKSolver(toes);
      other.configureLeftLeg(L.thigh, L.shin, L.foot, SOLE);
      other.configureLeftToe(L.toe, weight);
      other.setGroundQuery(ground(() => 0));
      toes.applyBindPose(pose);
      pose.setLocalRotation(L.toe, Math.sin(0.25), 0, 0, Math.cos(0.25));
      other.apply(pose, 1 / 60);
      expect(solver.isLeftFootLocked()).toBe(false);
      return place(pose, 9)[1]!;
    };
    expect(Math.abs(tipOf(1))).toBeLessThan(1e-4);
    expect(Math.abs(tipOf(0) + 0.07 * Math.sin(0.5))).toBeLessThan(1e-4);
    expect(Math.abs(tipOf(0.5) + 0.07 * Math.sin(0.25))).toBeLessThan(1e-4);
  });

  it("works in the world of the object transform", () => {
    const { pose, solver } = rig(), half = Math.SQRT1_2;
    solver.setObjectTransform(10, 5, -3, 0, half, 0, half);
    const asked: number[][] = [], flat = ground((_x, z) => (z < -3 ? 5.1 : 5));
    solver.setGroundQuery({ query: (x, y, z, up, down, out) => { asked.push([x, y, z]); return flat.query(x, y, z, up, down, out); } });
    solver.apply(pose, 1 / 60);
    // A quarter turn about +Y takes the left foot, at model +X, to world -Z.
    expect(farthest(asked[0]!, [10, 5, -3.1])).toBeLessThan(1e-5);
    expect(Math.abs(place(pose, L.foot)[1]! - SOLE - 0.1)).toBeLessThan(1e-3);
    expect(Math.abs(place(pose, R.foot)[1]! - SOLE)).toBeLessThan(1e-3);
  });

  it("refuses bad arguments, and does nothing unconfigured or without a finite time", () => {
    const { skeleton, pose, solver } = rig(), before = localsOf(pose);
    solver.setGroundQuery(ground(() => -0.1));
    solver.apply(pose, NaN);
    expect(localsOf(pose)).toEqual(before);
    new Animation().newFootIKSolver(skeleton).apply(pose, 0.1);
    expect(localsOf(pose)).toEqual(before);
    expect(() => solver.configureLeftLeg(1, 1, 2)).toThrow(AnimArgumentError);
    expect(() => solver.configureRightToe(L.toe)).toThrow(AnimArgumentError);
    expect(() => solver.setPelvisBone(99)).toThrow(AnimIndexError);
    expect(() => solver.setFootLockThresholds(2, 1)).toThrow(AnimArgumentError);
    expect(() => solver.setMaxPelvisOffset(-1)).toThrow(AnimArgumentError);
    expect(() => solver.setContactGraceTime(NaN)).toThrow(AnimArgumentError);
    expect(() => solver.setMinGroundNormalY(NaN)).toThrow(AnimArgumentError);
    expect(() => solver.setLeftContact(NaN, 0, 0)).toThrow(AnimArgumentError);
    expect(() => solver.setRightContact(0, 0, 0, 0, 0, 0)).toThrow(AnimArgumentError);
    expect(() => solver.setGroundQuery({} as never)).toThrow(AnimArgumentError);
    expect(() => solver.apply(null as never, 0.1)).toThrow(AnimArgumentError);
    expect(() => solver.apply(new AnimPose(3), 0.1)).toThrow(AnimMismatchError);
    solver.setSkeleton(skeleton);
    solver.apply(pose, 0.1);
    expect(localsOf(pose)).toEqual(before);
  });

  it("does not raise the pelvis so far that a leg without ground would hang in the air", () => {
    const { skeleton, pose, solver } = rig();
    solver.setLeftContact(0.1, 0.1, 0);
    solver.apply(pose, 1 / 60);
    const rest = new AnimPose();
    skeleton.applyBindPose(rest);
    rest.computeWorld(skeleton);
    // The left foot stands on its ground, the right one where the animation has it but for the softening of straight legs.
    expect(Math.abs(place(pose, L.foot)[1]! - SOLE - 0.1)).toBeLessThan(1e-3);
    expect(farthest(place(pose, R.foot), place(rest, R.foot))).toBeLessThan((0.998 - 0.97) * SIZE);
  });
});
