import { describe, expect, it } from "vitest";
import { type AnimGraph, AnimStateError, type AnimStateMachine } from "../../../src/anim/index.js";
import { cast, everyNode, everyState, numbersOf } from "./characters.js";

const parts = cast();

/** Steps of several lengths, 0 among them. */
const STEPS = [1 / 60, 0.03, 0, 0.11, 1 / 60, 0.2];

describe("captureState and restoreState", () => {
  it("continue with the same bits from any frame: graphs", () => {
    const handles = everyNode(parts), { graph } = handles;
    const frame = (g: AnimGraph, i: number): void => {
      g.setFloat("speed", ((i * 7) % 11) / 10);
      if (i % 23 === 5) g.trigger(handles.shot);
      if (i % 31 === 7) g.trigger(handles.inertial);
      if (i % 41 === 9) g.requestTransition(handles.smooth, 0.2);
      g.update(STEPS[i % STEPS.length]!);
    };
    for (const from of [0, 1, 8, 9, 10, 30, 33, 51, 90]) {
      const first = graph.instantiate(), second = graph.instantiate();
      for (let i = 0; i < from; i++) frame(first, i);
      for (let i = 0; i < 17; i++) frame(second, i * 3);
      second.restoreState(JSON.parse(JSON.stringify(first.captureState())));
      if (from > 0) expect(numbersOf(second)).toEqual(numbersOf(first));
      for (let i = from; i < from + 100; i++) {
        frame(first, i);
        frame(second, i);
        expect(numbersOf(second), `frame ${i} after ${from}`).toEqual(numbersOf(first));
        expect(second.getEventCount()).toBe(first.getEventCount());
      }
    }
  });

  it("continue with the same bits from any frame: state machines", () => {
    const machine = everyState(parts);
    const frame = (m: AnimStateMachine, i: number): void => {
      m.setFloat("speed", ((i * 7) % 11) / 10);
      if (i % 37 === 11) m.setTrigger("stop");
      if (i % 29 === 3) m.setTrigger("again");
      m.update(STEPS[i % STEPS.length]!);
    };
    const seen = new Set<string>();
    for (let from = 0; from < 160; from += 7) {
      const first = machine.instantiate(), second = machine.instantiate();
      for (let i = 0; i < from; i++) frame(first, i);
      for (let i = 0; i < 31; i++) frame(second, i * 2);
      seen.add(`${first.getCurrentState()} ${first.isBlending()}`);
      second.restoreState(JSON.parse(JSON.stringify(first.captureState())));
      if (from > 0) expect(numbersOf(second)).toEqual(numbersOf(first));
      for (let i = from; i < from + 100; i++) {
        frame(first, i);
        frame(second, i);
        expect([second.getCurrentState(), second.getStateTime(), second.isBlending()]).toEqual([first.getCurrentState(), first.getStateTime(), first.isBlending()]);
        expect(numbersOf(second), `frame ${i} after ${from}`).toEqual(numbersOf(first));
      }
      first.dispose();
      second.dispose();
    }
    expect(seen.size).toBeGreaterThan(4);
  });

  it("anything else is an AnimStateError and changes nothing", () => {
    const machine = everyState(parts), { graph } = everyNode(parts), good = machine.captureState(), graphState = graph.captureState();
    for (let i = 0; i < 40; i++) {
      machine.update(0.1);
      graph.update(0.1);
    }
    const before = [numbersOf(machine), numbersOf(graph), machine.getStateTime()];
    const wrong: unknown[] = [
      null, {}, 7, { ...good, state: "nowhere" }, { ...good, transition: 99 }, { ...good, numbers: good.numbers.slice(1) }, { ...good, numbers: undefined },
      { ...good, floats: {} }, { ...good, bools: null }, { ...good, inside: {} }, { ...good, frozen: [1, 2] }, { ...good, inertia: null },
      { ...good, state: null, outgoing: "idle" }, { ...good, numbers: good.numbers.map(() => Number.NaN) },
      { ...good, inside: { ...good.inside, move: { ...graphState, numbers: [] } } },
    ];
    for (const state of wrong) expect(() => machine.restoreState(state), JSON.stringify(state)?.slice(0, 80)).toThrow(AnimStateError);
    for (const state of [null, {}, good, { ...graphState, numbers: [] }, { ...graphState, inertia: graphState.inertia.map(() => null) }]) {
      expect(() => graph.restoreState(state)).toThrow(AnimStateError);
    }
    expect([numbersOf(machine), numbersOf(graph), machine.getStateTime()]).toEqual(before);
  });

  it("resetToDefaults: parameters at their beginning, the entry state, no blend", () => {
    const machine = everyState(parts);
    machine.setFloat("speed", 1);
    machine.setTrigger("stop");
    for (let i = 0; i < 3; i++) machine.update(0.1);
    machine.resetToDefaults();
    expect([machine.getFloat("speed"), machine.getTrigger("stop"), machine.getCurrentState(), machine.getStateTime(), machine.isBlending()]).toEqual([0.25, false, "move", 0, false]);
  });
});
