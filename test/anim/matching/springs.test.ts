import { describe, expect, test } from "vitest";
import { springAcceleration, springDisplacement, springRate, springValue, springVelocity, wrapToPi } from "../../../src/anim/matching/springs.js";
import { matchingGolden } from "./golden.js";

const data = matchingGolden();

describe("springs", () => {
  test.each(data.trajectoryPrediction.map((row, i) => [i, row] as const))("golden trajectory prediction %i", (_i, { v, a, desired, halfLife, samples }) => {
    for (const { t, displacement, velocity } of samples) {
      expect(springDisplacement(v, a, desired, halfLife, t)).toBeCloseTo(displacement, 9);
      expect(springVelocity(v, a, desired, halfLife, t)).toBeCloseTo(velocity, 9);
    }
  });

  test.each(data.yawPrediction.map((row, i) => [i, row] as const))("golden yaw prediction %i", (_i, { yaw, yawRate, desired, halfLife, samples }) => {
    const goal = yaw - wrapToPi(yaw - desired);
    for (const { t, yaw: expected } of samples) expect(Math.abs(wrapToPi(springValue(yaw, yawRate, goal, halfLife, t) - expected))).toBeLessThan(1e-9);
  });

  test("two half steps are one whole step", () => {
    const [v, a, desired, h, t] = [1.2, -3, 4, 0.2, 0.3];
    const v1 = springVelocity(v, a, desired, h, t / 2), a1 = springAcceleration(v, a, desired, h, t / 2);
    expect(springVelocity(v1, a1, desired, h, t / 2)).toBeCloseTo(springVelocity(v, a, desired, h, t), 12);
    expect(springDisplacement(v, a, desired, h, t / 2) + springDisplacement(v1, a1, desired, h, t / 2)).toBeCloseTo(springDisplacement(v, a, desired, h, t), 12);
    const y1 = springValue(2, 1, 0, h, t / 2), r1 = springRate(2, 1, 0, h, t / 2);
    expect(springValue(y1, r1, 0, h, t / 2)).toBeCloseTo(springValue(2, 1, 0, h, t), 12);
  });

  test("without a half-life the wish is the motion", () => {
    expect([springVelocity(0, 0, 3, 0, 0.1), springDisplacement(0, 9, 3, 1e-4, 0.5), springValue(1, 5, -2, 0, 0.1), springAcceleration(0, 9, 3, 0, 1), springRate(1, 1, 1, 0, 1)]).toEqual([3, 1.5, -2, 0, 0]);
  });
});
