import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AnimPose } from "../../../src/anim/index.js";
import { Inertializer } from "../../../src/anim/rig/inertializer.js";
import { sharedData } from "../../shared-data.js";
import { angleBetween, randomQuaternion, seeded } from "./golden.js";

/** Inertialisation tables of the motion matching golden data, repeated here: offset, velocity, half-life, samples. */
const CRITICAL = [
  { offset: 0.3, velocity: 0, halfLife: 0.1, samples: [[0.0166666666667, 0.293125285975], [0.05, 0.253972077084], [0.1, 0.178972077084], [0.2, 0.070736038542], [0.4, 0.00767012981775]] },
  { offset: 0.3, velocity: -1, halfLife: 0.1, samples: [[0.0166666666667, 0.279896943875], [0.05, 0.228972077084], [0.1, 0.153972077084], [0.2, 0.058236038542]] },
  { offset: -0.2, velocity: 2, halfLife: 0.05, samples: [[0.0166666666667, -0.163214135722], [0.05, -0.094314718056], [0.1, -0.034657359028]] },
];
const QUINTIC = [
  { x0: 0.3, v0: -1, time: 0.25, samples: [[0.05, 0.241664], [0.1, 0.157248], [0.15, 0.068352], [0.2, 0.011936]] },
  { x0: 0.3, v0: 0, time: 0.25, samples: [[0.05, 0.282624], [0.1, 0.204768], [0.15, 0.095232], [0.2, 0.017376]] },
  { x0: 0.2, v0: -4, time: 0.25, samples: [[0.05, 0.065536], [0.1, 0.015552], [0.15, 0.002048], [0.2, 6.4e-5]] },
  { x0: 0.5, v0: 1, time: 0.3, samples: [[0.06, 0.47104], [0.12, 0.34128], [0.18, 0.15872], [0.24, 0.02896]] },
];
const BONES = 9, GROUPS = 3, STEP = 1 / 1024;

/** A pose whose bones are all turned about y by `angle`, moved by `x` along x and scaled by 1. */
function still(x: number, angle: number): AnimPose {
  const pose = new AnimPose(BONES);
  for (let i = 0; i < BONES; i++) {
    pose.setLocalPosition(i, x, 2, 3);
    pose.setLocalRotation(i, 0, Math.sin(angle / 2), 0, Math.cos(angle / 2));
  }
  return pose;
}

function angleOf(pose: AnimPose, bone: number): number {
  return 2 * Math.atan2(pose.getLocalRotationY(bone), pose.getLocalRotationW(bone));
}

/** An inertializer whose displayed pose is x (position and angle) off a still target and moves with velocity v. */
function started(x: number, v: number, blendTime: number, curve: "critical" | "quintic"): { inertia: Inertializer; target: AnimPose } {
  const inertia = new Inertializer(), target = still(1, 0.4);
  inertia.setCurve(curve);
  inertia.record(still(1 + x - v * STEP, 0.4 + x - v * STEP).localPtr, GROUPS, STEP);
  inertia.record(still(1 + x, 0.4 + x).localPtr, GROUPS, STEP);
  inertia.start(target.localPtr, target.localPtr, STEP, GROUPS, blendTime);
  return { inertia, target };
}

describe("Inertializer", () => {
  it("decays as the golden critically damped offsets, for positions and rotations, in one step or many", () => {
    for (const c of CRITICAL) {
      for (const [time, want] of c.samples as [number, number][]) {
        for (const steps of [1, 7]) {
          const { inertia, target } = started(c.offset, c.velocity, c.halfLife * 3, "critical"), out = new AnimPose(BONES);
          for (let i = 0; i < steps; i++) inertia.apply(target.localPtr, time / steps, out.localPtr, GROUPS);
          for (let bone = 0; bone < BONES; bone++) {
            // The velocity comes from a difference of float32 positions near 1: 2^-23 / STEP of it is noise.
            expect(Math.abs(out.getLocalPositionX(bone) - 1 - want)).toBeLessThan(3e-5);
            expect(Math.abs(angleOf(out, bone) - 0.4 - want)).toBeLessThan(6e-5);
            expect(out.getLocalPositionY(bone)).toBeCloseTo(2, 5);
          }
        }
      }
    }
  });

  it("follows the golden quintic and ends with it", () => {
    for (const c of QUINTIC) {
      for (const [time, want] of c.samples as [number, number][]) {
        const { inertia, target } = started(c.x0, c.v0, c.time, "quintic"), out = new AnimPose(BONES);
        inertia.apply(target.localPtr, time, out.localPtr, GROUPS);
        for (let bone = 0; bone < BONES; bone++) {
          expect(Math.abs(out.getLocalPositionX(bone) - 1 - want)).toBeLessThan(1e-4);
          expect(Math.abs(angleOf(out, bone) - 0.4 - want)).toBeLessThan(2e-4);
        }
        inertia.apply(target.localPtr, 1, out.localPtr, GROUPS);
        expect(inertia.isActive()).toBe(false);
        expect(out.getLocalPositionX(0)).toBe(1);
        expect(angleBetween([0, out.getLocalRotationY(0), 0, out.getLocalRotationW(0)], [0, Math.sin(0.2), 0, Math.cos(0.2)])).toBeLessThan(1e-6);
      }
    }
  });

  it("agrees with the tables of the golden file", () => {
    const path = sharedData("motion-matching-golden.json", "inertialisation tables");
    if (path === undefined) return;
    const { inertialisation } = JSON.parse(readFileSync(path, "utf8"));
    inertialisation.critical.forEach((c: any, i: number) => {
      expect([c.offset, c.offsetVelocity, c.halfLife]).toEqual([CRITICAL[i]!.offset, CRITICAL[i]!.velocity, CRITICAL[i]!.halfLife]);
      for (const [t, x] of CRITICAL[i]!.samples) expect(c.samples.find((s: any) => Math.abs(s.t - t!) < 1e-9).offset).toBeCloseTo(x!, 12);
    });
    inertialisation.quintic.forEach((c: any, i: number) => {
      expect([c.x0, c.v0, c.blendTime]).toEqual([QUINTIC[i]!.x0, QUINTIC[i]!.v0, QUINTIC[i]!.time]);
      for (const [t, x] of QUINTIC[i]!.samples) expect(c.samples.find((s: any) => Math.abs(s.t - t!) < 1e-9).x).toBeCloseTo(x!, 10);
    });
  });

  it("starts exactly where the displayed pose was, whatever the poses", () => {
    const random = seeded(31);
    for (let round = 0; round < 50; round++) {
      const make = (): AnimPose => {
        const pose = new AnimPose(BONES);
        for (let i = 0; i < BONES; i++) {
          pose.setLocalPosition(i, random(), random(), random());
          pose.setLocalRotation(i, ...randomQuaternion(random));
          pose.setLocalScale(i, 1 + random(), 1, 1);
        }
        return pose;
      };
      const shown = make(), target = make(), out = new AnimPose(BONES), inertia = new Inertializer();
      inertia.record(shown.localPtr, GROUPS, STEP);
      inertia.start(target.localPtr, target.localPtr, STEP, GROUPS, 0.3);
      inertia.apply(target.localPtr, 0, out.localPtr, GROUPS);
      for (let i = 0; i < BONES; i++) {
        const q = (pose: AnimPose): number[] => [pose.getLocalRotationX(i), pose.getLocalRotationY(i), pose.getLocalRotationZ(i), pose.getLocalRotationW(i)];
        expect(Math.abs(out.getLocalPositionX(i) - shown.getLocalPositionX(i))).toBeLessThan(1e-6);
        expect(Math.abs(out.getLocalScaleX(i) - shown.getLocalScaleX(i))).toBeLessThan(1e-6);
        expect(angleBetween(q(out), q(shown))).toBeLessThan(2e-6);
      }
      for (let i = 0; i < 300; i++) inertia.apply(target.localPtr, 1 / 60, out.localPtr, GROUPS);
      expect(inertia.isActive()).toBe(false);
    }
  });

  it("does nothing before anything was shown", () => {
    const inertia = new Inertializer(), target = still(1, 0.1), out = new AnimPose(BONES);
    inertia.start(target.localPtr, target.localPtr, STEP, GROUPS, 0.3);
    expect(inertia.isActive()).toBe(false);
    inertia.apply(target.localPtr, 0.1, out.localPtr, GROUPS);
    expect(out.getLocalPositionX(3)).toBe(1);
  });
});
