import { describe, expect, test } from "vitest";
import { Controller, ControllerBlock, matching, Prediction } from "../../../src/anim/matching/controller-block.js";
import { SimulatedRoot, wrapToPi } from "../../../src/anim/matching/trajectory.js";
import { heap } from "../../../src/wasm/heap.js";
import { matchingGolden } from "./golden.js";

const data = matchingGolden();

/** Place, velocity and heading after `t` seconds. */
function predict(fields: Partial<Record<Controller, number>>, t: number): { x: number; vx: number; yaw: number; sin: number; cos: number } {
  const block = new ControllerBlock();
  for (const [field, value] of Object.entries(fields)) block.set(Number(field) as Controller, value);
  heap.f64[block.rowAt(0, Prediction.TIME)] = t;
  new SimulatedRoot(block).predict(1);
  const row = (field: Prediction): number => heap.f64[block.rowAt(0, field)]!;
  const out = { x: row(Prediction.X), vx: row(Prediction.VX), yaw: row(Prediction.YAW), sin: row(Prediction.SIN), cos: row(Prediction.COS) };
  block.dispose();
  return out;
}

describe("springs", () => {
  test.each(data.trajectoryPrediction.map((row, i) => [i, row] as const))("golden trajectory prediction %i", (_i, { v, a, desired, halfLife, samples }) => {
    for (const { t, displacement, velocity } of samples) {
      const { x, vx } = predict({ [Controller.SIM_VX]: v, [Controller.SIM_AX]: a, [Controller.DESIRED_X]: desired, [Controller.VELOCITY_HALF_LIFE]: halfLife }, t);
      expect(x).toBeCloseTo(displacement, 9);
      expect(vx).toBeCloseTo(velocity, 9);
    }
  });

  test.each(data.yawPrediction.map((row, i) => [i, row] as const))("golden yaw prediction %i", (_i, { yaw, yawRate, desired, halfLife, samples }) => {
    for (const { t, yaw: expected } of samples) {
      const got = predict({ [Controller.SIM_YAW]: yaw, [Controller.SIM_YAW_RATE]: yawRate, [Controller.DESIRED_YAW]: desired, [Controller.YAW_HALF_LIFE]: halfLife }, t);
      expect(Math.abs(wrapToPi(got.yaw - expected))).toBeLessThan(1e-9);
      expect(got.sin).toBeCloseTo(Math.sin(got.yaw), 12);
      expect(got.cos).toBeCloseTo(Math.cos(got.yaw), 12);
    }
  });

  test("two half steps are one whole step, and a prediction is a step", () => {
    const make = (): ControllerBlock => {
      const block = new ControllerBlock();
      for (const [field, value] of [
        [Controller.SIM_X, 3], [Controller.SIM_VX, 1.2], [Controller.SIM_AX, -3], [Controller.DESIRED_X, 4], [Controller.VELOCITY_HALF_LIFE, 0.2],
        [Controller.SIM_YAW, 2], [Controller.SIM_YAW_RATE, 1], [Controller.DESIRED_YAW, -1], [Controller.YAW_HALF_LIFE, 0.3],
      ] as const) block.set(field, value);
      return block;
    };
    const whole = make(), halves = make();
    whole.set(Controller.STEP, 0.3);
    matching.kernels.advanceSimulated(whole.ptr);
    halves.set(Controller.STEP, 0.15);
    matching.kernels.advanceSimulated(halves.ptr);
    matching.kernels.advanceSimulated(halves.ptr);
    for (const field of [Controller.SIM_X, Controller.SIM_VX, Controller.SIM_AX, Controller.SIM_YAW, Controller.SIM_YAW_RATE]) expect(halves.get(field)).toBeCloseTo(whole.get(field), 10);
    const predicted = make();
    heap.f64[predicted.rowAt(0, Prediction.TIME)] = 0.3;
    new SimulatedRoot(predicted).predict(1);
    expect(heap.f64[predicted.rowAt(0, Prediction.X)]).toBe(whole.get(Controller.SIM_X));
    expect(heap.f64[predicted.rowAt(0, Prediction.VX)]).toBe(whole.get(Controller.SIM_VX));
    for (const block of [whole, halves, predicted]) block.dispose();
  });

  test("without a half-life the wish is the motion", () => {
    const { x, vx, yaw } = predict({ [Controller.SIM_AX]: 9, [Controller.DESIRED_X]: 3, [Controller.DESIRED_YAW]: -2, [Controller.SIM_YAW]: 1 }, 0.5);
    expect([x, vx, yaw]).toEqual([1.5, 3, -2]);
  });
});
