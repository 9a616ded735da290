import { describe, expect, it } from "vitest";
import { golden } from "../../golden.js";
import { agree, magnitude, type Value } from "../paths.js";
import { official, osteon, type Result, runScript, type Script } from "./script.js";

interface Scenario extends Script {
  id: string;
  title: string;
  skeleton: string;
  expected: { log: Value[][]; samples?: Value[][]; queries?: Value[][] };
}

const { scenarios, skeletons, count } = golden<{ scenarios: Scenario[]; skeletons: Record<string, object>; count: number }>(
  "animation-state-scenarios.json.gz",
);

function checkSamples(got: Value[][], wanted: Value[][], relative: number): void {
  expect(got.length).toBe(wanted.length);
  wanted.forEach((row, i) => {
    row.forEach((value, j) => {
      const tolerance = relative * Math.max(1, magnitude(value));
      expect(agree(got[i]![j]!, value, tolerance), `sample ${i}, column ${j}: ${JSON.stringify(got[i]![j])}, expected ${JSON.stringify(value)}`).toBe(true);
    });
  });
}

function check(result: Result, { expected }: Scenario, relative: number): void {
  expect(result.log).toEqual(expected.log);
  expect(result.queries).toEqual(expected.queries ?? []);
  checkSamples(result.samples, expected.samples ?? [], relative);
}

describe("animation-state-scenarios.json", () => {
  const data = new Map(Object.entries(skeletons).map(([id, json]) => [id, osteon.load(json)]));

  it("holds as many scenarios as it says", () => {
    expect(scenarios.length).toBe(count);
  });

  for (const scenario of scenarios) {
    it(`${scenario.id}: ${scenario.title}`, () => {
      check(runScript(osteon, data.get(scenario.skeleton), scenario), scenario, 1e-5);
    });
  }
});

describe("the replay itself", () => {
  it("gives the recorded results when the reference runtime is driven", () => {
    const data = new Map(Object.entries(skeletons).map(([id, json]) => [id, official.load(json)]));
    for (const scenario of scenarios) check(runScript(official, data.get(scenario.skeleton), scenario), scenario, 1e-12);
  });
});
