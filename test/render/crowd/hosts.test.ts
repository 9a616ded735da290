import { describe, expect, it } from "vitest";
import { ArgumentError } from "../../../src/errors.js";
import { type CrowdRenderer, drawCrowdInPixi, drawCrowdInThree } from "../../../src/render/index.js";

/** Stands in for a renderer and remembers what it was asked for; `steps` has the order of things. */
function recorder(): { crowd: CrowdRenderer; steps: string[]; matrix: () => Float32Array } {
  const steps: string[] = [];
  let matrix = new Float32Array(0);
  const gl = new Proxy({}, { get: (_, name) => (/^[A-Z_]+$/.test(String(name)) ? 0 : () => steps.push(String(name))) });
  const crowd = { gl, draw: (given: Float32Array) => void ((matrix = given.slice()), steps.push("draw")) } as unknown as CrowdRenderer;
  return { crowd, steps, matrix: () => matrix };
}

const project = (m: Float32Array, x: number, y: number): number[] => {
  const w = m[3]! * x + m[7]! * y + m[15]!;
  return [(m[0]! * x + m[4]! * y + m[12]!) / w, (m[1]! * x + m[5]! * y + m[13]!) / w];
};

const expectPoint = ([x, y]: number[], expectedX: number, expectedY: number): void => {
  expect(x).toBeCloseTo(expectedX, 6);
  expect(y).toBeCloseTo(expectedY, 6);
};

describe("helpers for other engines", () => {
  it("put a crowd where a container of PixiJS is", () => {
    const { crowd, steps, matrix } = recorder();
    const renderer = { gl: crowd.gl, screen: { width: 800, height: 400 }, resetState: () => void steps.push("reset") };
    // Origin in the middle of the lower edge, y up, half the size.
    drawCrowdInPixi(renderer, crowd, { worldTransform: { a: 0.5, b: 0, c: 0, d: -0.5, tx: 400, ty: 400 } });
    expectPoint(project(matrix(), 0, 0), 0, -1);
    expectPoint(project(matrix(), 800, 800), 1, 1);
    drawCrowdInPixi(renderer, crowd);
    expectPoint(project(matrix(), 0, 0), -1, 1);
    expectPoint(project(matrix(), 800, 400), 1, -1);
    expect(steps.filter((step) => step === "reset" || step === "draw")).toEqual(["reset", "draw", "reset", "reset", "draw", "reset"]);
  });

  it("put a crowd into the plane of an object of three.js", () => {
    const { crowd, steps, matrix } = recorder();
    const renderer = { getContext: () => crowd.gl, resetState: () => void steps.push("reset") };
    // A perspective of 90 degrees, seen from z = 10; the object is moved and scaled.
    const camera = {
      projectionMatrix: { elements: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -2, 0] },
      matrixWorldInverse: { elements: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -10, 1] },
    };
    const object = { matrixWorld: { elements: [0.01, 0, 0, 0, 0, 0.01, 0, 0, 0, 0, 0.01, 0, 5, 2, 0, 1] } };
    drawCrowdInThree(renderer, camera, crowd, object);
    expectPoint(project(matrix(), 100, -100), (5 + 1) / 10, (2 - 1) / 10);
    drawCrowdInThree(renderer, camera, crowd);
    expectPoint(project(matrix(), 3, 4), 0.3, 0.4);
    expect(steps.at(0)).toBe("reset");
    expect(steps.at(-1)).toBe("reset");
    expect(steps.indexOf("disable")).toBeLessThan(steps.indexOf("draw"));
  });

  it("say what is missing, and that a crowd belongs to another context", () => {
    const { crowd, steps } = recorder();
    const any = (value: unknown): never => value as never;
    const resetState = (): void => void steps.push("reset");
    const camera = { projectionMatrix: { elements: [] }, matrixWorldInverse: { elements: [] } };
    const three = { getContext: () => crowd.gl, resetState };
    const pixi = { gl: crowd.gl, screen: { width: 8, height: 4 }, resetState };
    const calls: [() => void, RegExp][] = [
      [() => drawCrowdInThree(any(null), camera, crowd), /WebGLRenderer/], [() => drawCrowdInThree(three, any(undefined), crowd), /camera is missing/],
      [() => drawCrowdInThree(three, camera, any({})), /Give a CrowdRenderer/], [() => drawCrowdInThree({ ...three, getContext: () => ({}) }, camera, crowd), /another context.*getContext\(\)/],
      [() => drawCrowdInPixi(any({}), crowd), /WebGLRenderer/], [() => drawCrowdInPixi(pixi, any(null)), /Give a CrowdRenderer/],
      [() => drawCrowdInPixi({ ...pixi, gl: undefined }, crowd), /another context.*renderer\.gl/],
    ];
    for (const [call, message] of calls) {
      expect(call).toThrow(ArgumentError);
      expect(call).toThrow(message);
    }
    expect(steps).toEqual([]);
  });
});
