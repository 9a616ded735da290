import { describe, expect, it } from "vitest";
import { AnimMismatchError } from "../../../src/anim/errors.js";
import { ControlAnim, ControlPose, type Integrator } from "../../../src/anim/control/index.js";
import { AnimPose } from "../../../src/anim/rig/pose.js";
import { AnimSkeleton } from "../../../src/anim/rig/skeleton.js";

const INTEGRATORS: readonly Integrator[] = ["secondOrder", "spring", "pd"];
const STEPS = [5e-324, 1e-300, 1e-20, 1e-9, 1 / 60, 1, 1e5, 1e20, 1e160, Number.MAX_VALUE];

function skeletonOf(): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  skeleton.addBone("root", -1);
  skeleton.addBone("arm", 0);
  return skeleton;
}

describe("followers", () => {
  for (const integrator of INTEGRATORS) {
    for (const discretization of ["exact", "semiImplicit", "poleMatch"] as const) {
      it(`${integrator}, ${discretization}: numbers for every step and parameter`, () => {
        for (const frequency of [1e-300, 1e-6, 3, 1e6, 1e300]) {
          for (const damping of [0, 1e-300, 0.5, 1, 1 + 1e-12, 2, 1e10, 1e200]) {
            for (const response of [0, 1, -2]) {
              for (const dt of STEPS) {
                const control = new ControlAnim(frequency, damping, response);
                control.setIntegrator(integrator);
                control.setDiscretization(discretization);
                control.set("x", 0);
                for (const [target, step] of [[1, dt], [2, dt], [2, 1 / 60]] as const) {
                  control.setTarget("x", target);
                  control.update(step);
                }
                expect(Number.isFinite(control.get("x")) && Number.isFinite(control.getVelocity("x")), `f ${frequency}, z ${damping}, r ${response}, dt ${dt}`).toBe(true);
              }
            }
          }
        }
      });
    }

    it(`${integrator}: poses stay poses after every step`, () => {
      const skeleton = skeletonOf();
      const target = new AnimPose(2);
      skeleton.applyBindPose(target);
      target.setLocalPosition(1, 1, 2, 3);
      target.setLocalRotation(1, 0, Math.SQRT1_2, 0, Math.SQRT1_2);
      for (const damping of [0, 0.5, 1, 2]) {
        for (const dt of STEPS) {
          const control = new ControlPose(skeleton);
          control.setDamping(damping);
          control.setIntegrator(integrator);
          control.setTargetPose(target);
          for (const step of [dt, dt, 1 / 60]) control.update(step);
          const pose = control.getPose();
          const q = [pose.getLocalRotationX(1), pose.getLocalRotationY(1), pose.getLocalRotationZ(1), pose.getLocalRotationW(1)];
          expect(Math.hypot(...q), `z ${damping}, dt ${dt}`).toBeCloseTo(1, 5);
          expect(Number.isFinite(pose.getLocalPositionX(1)) && Number.isFinite(pose.getLocalScaleX(1)), `z ${damping}, dt ${dt}`).toBe(true);
        }
      }
    });
  }

  it("the default one is on its target after any long step", () => {
    for (const dt of [10, 1e6, 1e100, 1e154, 1e155, 1e200, Number.MAX_VALUE]) {
      const control = new ControlAnim();
      control.set("x", 0);
      control.setTarget("x", 1);
      control.update(dt);
      control.update(dt);
      expect(control.get("x")).toBeCloseTo(1, 12);
    }
  });

  it("a jump in a shorter and shorter step comes closer and closer to a jump in none", () => {
    for (const response of [-2, 0, 1, 3]) {
      for (const damping of [0.5, 1, 2]) {
        const after = (dt: number): number => {
          const control = new ControlAnim(3, damping, response);
          control.set("x", 0);
          control.setTarget("x", 1);
          control.update(dt);
          control.update(0.1);
          return control.get("x");
        };
        const limit = after(1e-90);
        for (const dt of [1e-3, 1e-6, 1e-9, 1e-12, 1e-20]) expect(Math.abs(after(dt) - limit), `r ${response}, z ${damping}, dt ${dt}`).toBeLessThan(60 * dt + 1e-13);
      }
    }
  });

  it("and so does a rotation, which is the scalar on its angle", () => {
    for (const dt of [1e-3, 1e-9, 1e-15]) {
      const skeleton = skeletonOf();
      const pose = new ControlPose(skeleton);
      const scalar = new ControlAnim(3, 1, 1);
      const target = new AnimPose(2);
      skeleton.applyBindPose(target);
      target.setLocalRotation(1, 0, 0, Math.sin(0.5), Math.cos(0.5));
      scalar.set("a", 0);
      scalar.setTarget("a", 1);
      pose.setTargetPose(target);
      for (const step of [dt, 0.1, 0.05]) {
        pose.update(step);
        scalar.update(step);
      }
      const result = pose.getPose();
      expect(2 * Math.atan2(result.getLocalRotationZ(1), result.getLocalRotationW(1))).toBeCloseTo(scalar.get("a"), 6);
    }
  });

  it("a target pose of another size is an error, not a read beyond it", () => {
    const control = new ControlPose(skeletonOf());
    control.getTargetPose().resize(1);
    expect(() => control.update(0.1)).toThrow(AnimMismatchError);
  });
});
