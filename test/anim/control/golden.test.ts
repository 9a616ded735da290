import { describe, expect, it } from "vitest";
import { AnimSkeleton } from "../../../src/anim/rig/skeleton.js";
import { ControlAnim } from "../../../src/anim/control/control-anim.js";
import { ControlPose } from "../../../src/anim/control/control-pose.js";
import { FollowerLaw } from "../../../src/anim/control/law.js";
import { ROTATION_VALUES, RotationFollower } from "../../../src/anim/control/rotation-follower.js";
import { AnimArgumentError, AnimIndexError, AnimNameError } from "../../../src/anim/errors.js";
import { golden } from "../../golden.js";

/* eslint-disable @typescript-eslint/no-explicit-any */
const data = golden<any>("spring-golden.json.gz");
/** The golden file's tolerance for a 64-bit implementation. */
const near = (actual: number, expected: number, tolerance = 1e-9): void =>
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance * (1 + Math.abs(expected)));

describe("ControlAnim against spring-golden", () => {
  const groups = new Map<string, any[]>();
  for (const row of data.cases) {
    const name = `${row.integrator}, ${row.discretization}, ${row.input}`;
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  for (const [name, rows] of groups) {
    it(`${name}: ${rows.length} cases`, () => {
      for (const row of rows) {
        const anim = new ControlAnim(row.frequency, row.damping, row.response);
        anim.setIntegrator(row.integrator);
        anim.setDiscretization(row.discretization);
        anim.set("x", 0);
        for (let i = 0; i < row.steps; i++) {
          const t = (i + 1) * row.dt;
          if (row.input === "step") anim.setTarget("x", 1);
          else if (row.input === "ramp") anim.setTarget("x", 2 * t);
          else if (row.input === "impulse" && i === 0) anim.impulse("x", 5);
          else if (row.input === "explicitVelocity") {
            anim.setTarget("x", Math.sin(3 * t));
            anim.setTargetVelocity("x", 3 * Math.cos(3 * t));
          }
          anim.update(row.dt);
          near(anim.get("x"), row.y[i]);
          near(anim.getVelocity("x"), row.velocity[i]);
        }
      }
    });
  }

  it("transition matrices", () => {
    for (const row of data.transitionMatrices) {
      const law = new FollowerLaw(row.omega / (2 * Math.PI), row.zeta, 0);
      law.setIntegrator("spring");
      law.prepare(row.dt);
      near(law.relativePosition(1, 0, 0), row.posPos);
      near(law.relativePosition(0, 1, 0), row.posVel);
      near(law.relativeVelocity(1, 0, 0), row.velPos);
      near(law.relativeVelocity(0, 1, 0), row.velVel);
    }
  });

  it("rotations", () => {
    for (const row of data.quaternionCases) {
      const law = new FollowerLaw(row.frequency, row.damping, row.response);
      law.setIntegrator(row.integrator);
      law.prepare(row.dt);
      const follower = new RotationFollower();
      const state = new Float64Array(ROTATION_VALUES);
      const [x, y, z, w] = row.start;
      follower.reset(state, 0, x, y, z, w);
      for (const frame of row.frames) {
        follower.step(law, row.dt, state, 0, row.target[0], row.target[1], row.target[2], row.target[3]);
        const sign = state[3]! * frame.q[3] + state[0]! * frame.q[0] + state[1]! * frame.q[1] + state[2]! * frame.q[2] < 0 ? -1 : 1;
        for (let i = 0; i < 4; i++) near(state[i]! * sign, frame.q[i]);
        for (let i = 0; i < 3; i++) near(state[4 + i]!, frame.angularVelocity[i]);
      }
    }
  });

  it("overshoot of a step", () => {
    for (const { damping, relativeOvershoot, timeOfPeakTimesFrequency } of data.facts.firstOvershoot) {
      const anim = new ControlAnim(2, damping, 0);
      anim.set("x", 0);
      anim.setTarget("x", 1);
      // With no response the estimated velocity of the first step must not enter.
      anim.setTargetVelocity("x", 0);
      anim.update(timeOfPeakTimesFrequency / 2);
      near(anim.get("x") - 1, relativeOvershoot, 1e-6);
    }
  });
});

describe("ControlAnim", () => {
  it("does not depend on how a time is cut into updates", () => {
    for (const zeta of [0, 0.3, 1, 1 + 1e-7, 2.5]) {
      const once = new ControlAnim(4, zeta, 0.5), many = new ControlAnim(4, zeta, 0.5);
      for (const anim of [once, many]) {
        anim.set("x", 1);
        anim.impulse("x", -3);
      }
      once.update(0.9);
      for (const step of [0.1, 0.25, 0.05, 0.5]) many.update(step);
      near(many.get("x"), once.get("x"), 1e-12);
      near(many.getVelocity("x"), once.getVelocity("x"), 1e-11);
    }
  });

  it("is on the target after very long steps in exact form, and bounded in every scheme", () => {
    for (const integrator of ["secondOrder", "spring", "pd"] as const) {
      for (const scheme of ["exact", "semiImplicit", "poleMatch"] as const) {
        const anim = new ControlAnim(5, 1, 1);
        anim.setIntegrator(integrator);
        anim.setDiscretization(scheme);
        anim.set("x", 0);
        for (let i = 0; i < 60; i++) {
          anim.setTarget("x", 1);
          anim.update(100);
        }
        if (scheme === "exact") near(anim.get("x"), 1, 1e-9);
        // The clamp of the stepwise schemes keeps them from growing, it does not damp.
        else expect(Math.abs(anim.get("x") - 1)).toBeLessThan(2);
      }
    }
  });

  it("tells unknown channels from new ones, and keeps them in order", () => {
    const anim = new ControlAnim();
    expect(() => anim.get("a")).toThrow(AnimNameError);
    expect(() => anim.impulse("a", 1)).toThrow(AnimNameError);
    anim.setTarget("a", 2);
    anim.set("b", 3);
    expect(anim.get("a")).toBe(2);
    expect([anim.getPropertyName(0), anim.getPropertyName(1), anim.getPropertyCount()]).toEqual(["a", "b", 2]);
    expect(anim.remove("a")).toBe(true);
    expect(anim.remove("a")).toBe(false);
    expect(() => anim.getPropertyName(1)).toThrow(AnimIndexError);
    expect(() => anim.setFrequency(0)).toThrow(AnimArgumentError);
    expect(() => anim.setIntegrator("euler" as never)).toThrow(AnimArgumentError);
    expect(anim.getIntegrator()).toBe("secondOrder");
    expect(() => anim.update(NaN)).toThrow(AnimArgumentError);
  });

  it("chases angles the short way, stops where it is clamped, and knows when it is settled", () => {
    const anim = new ControlAnim(2, 0.2, 0);
    anim.set("a", 3);
    anim.setTargetAngle("a", -3);
    near(anim.getTarget("a"), 2 * Math.PI - 3);
    anim.set("c", 0);
    anim.setClamp("c", true);
    anim.setTarget("c", 1);
    let highest = 0;
    for (let i = 0; i < 120; i++) {
      anim.update(1 / 60);
      highest = Math.max(highest, anim.get("c"));
    }
    expect(highest).toBe(1);
    expect(anim.isSettled("c")).toBe(true);
    expect(anim.isSettled("a", 1e-9)).toBe(false);
  });
});

describe("ControlPose", () => {
  const make = (): { skeleton: AnimSkeleton; pose: ControlPose } => {
    const skeleton = new AnimSkeleton();
    const root = skeleton.addBone("root", -1);
    skeleton.addBone("child", root);
    skeleton.setBindPosition(1, 0, 1, 0);
    return { skeleton, pose: new ControlPose(skeleton) };
  };

  it("follows a position as the scalar does, and a rotation about one axis as its angle", () => {
    const { pose } = make();
    const scalar = new ControlAnim(4, 0.5, 1);
    pose.setFrequency(4);
    pose.setDamping(0.5);
    scalar.set("x", 0);
    scalar.set("angle", 0);
    pose.getTargetPose().setLocalPosition(1, 2, 1, 0);
    pose.getTargetPose().setLocalRotation(1, 0, Math.sin(0.5), 0, Math.cos(0.5));
    for (let i = 0; i < 30; i++) {
      scalar.setTarget("x", 2);
      scalar.setTarget("angle", 1);
      scalar.update(1 / 60);
      pose.update(1 / 60);
      near(pose.getPose().getLocalPositionX(1), scalar.get("x"), 1e-6);
      near(2 * Math.atan2(pose.getPose().getLocalRotationY(1), pose.getPose().getLocalRotationW(1)), scalar.get("angle"), 1e-6);
    }
  });

  it("keeps a bone of weight 0 on its target, and starts it from there later", () => {
    const { pose } = make();
    pose.setBoneWeight(1, 0);
    pose.getTargetPose().setLocalPosition(1, 5, 0, 0);
    pose.update(1 / 60);
    expect(pose.getPose().getLocalPositionX(1)).toBe(5);
    pose.setBoneWeight(1, 1);
    pose.update(1 / 60);
    expect(pose.getPose().getLocalPositionX(1)).toBe(5);
    pose.setBoneWeight(1, 7);
    expect(pose.getBoneWeight(1)).toBe(1);
    expect(() => pose.setBoneWeight(2, 1)).toThrow(AnimIndexError);
  });

  it("snaps, and does not care about the sign of the target quaternion", () => {
    const { pose } = make();
    pose.getTargetPose().setLocalRotation(0, 0, 0, -1, 0);
    pose.snapToTarget();
    pose.getTargetPose().setLocalRotation(0, 0, 0, 1, 0);
    pose.update(1 / 60);
    near(Math.abs(pose.getPose().getLocalRotationZ(0)), 1, 1e-6);
  });
});
