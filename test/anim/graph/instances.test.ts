import { describe, expect, it } from "vitest";
import { AnimArgumentError, type AnimGraph, AnimGraphBatch, AnimNameError, AnimPlayer, AnimStateError, type AnimStateMachine } from "../../../src/anim/index.js";
import { heap } from "../../../src/wasm/heap.js";
import { cast, everyNode, everyState, numbersOf } from "./characters.js";
import fc, { runs } from "../../properties.js";

const parts = cast();

/** What an instance is told in a frame; the same numbers for all that should agree. */
function play(source: AnimGraph | AnimStateMachine, frame: number, handles: ReturnType<typeof everyNode> | undefined): void {
  source.setFloat("speed", ((frame * 7) % 11) / 10);
  if (handles !== undefined && "trigger" in source) {
    source.setFloat("turn", ((frame * 3) % 7) / 6);
    if (frame % 23 === 5) source.trigger(handles.shot);
    if (frame % 31 === 7) source.trigger(handles.inertial);
    if (frame % 41 === 9) source.requestTransition(handles.smooth, 0.2);
  } else if (!("trigger" in source)) {
    if (frame % 37 === 11) source.setTrigger("stop");
    if (frame % 29 === 3) source.setTrigger("again");
  }
}

describe("instances", () => {
  it("of a graph share nodes and masks, and own weights, parameters, one-shots, clocks and pose", () => {
    const handles = everyNode(parts), { graph } = handles;
    graph.setFloat("speed", 0.75);
    graph.setWeight(handles.layer, 0.2);
    const other = graph.instantiate();
    expect([other.getFloat("speed"), other.getWeight(handles.layer), other.getNodeCount()]).toEqual([0.75, 0.2, graph.getNodeCount()]);
    other.setFloat("speed", 0);
    other.setWeight(handles.layer, 0.9);
    other.trigger(handles.shot);
    expect([graph.getFloat("speed"), graph.getWeight(handles.layer), graph.isOneShotActive(handles.shot)]).toEqual([0.75, 0.2, false]);
    expect(other.getPose()).not.toBe(graph.getPose());
    for (let i = 0; i < 10; i++) graph.update(0.1);
    other.update(0.1);
    expect(graph.getClipTime(2)).not.toBe(other.getClipTime(2));
    // A node that is added through one is there for all.
    const added = other.addClip(parts.clips[0]!);
    other.setRoot(added);
    graph.update(0.1);
    expect(graph.getNodeWeight(added)).toBe(1);
    graph.dispose();
    other.update(0.1);
    other.dispose();
  });

  it("of a machine share states and transitions, and own parameters, the current state, clocks and pose", () => {
    const machine = everyState(parts);
    machine.setFloat("speed", 1);
    for (let i = 0; i < 50; i++) machine.update(0.1);
    const other = machine.instantiate();
    expect([other.getFloat("speed"), other.getCurrentState(), other.getStateCount()]).toEqual([1, "", 4]);
    other.setFloat("speed", 0);
    other.update(0.1);
    expect([machine.getFloat("speed"), other.getCurrentState()]).toEqual([1, "move"]);
    expect(other.getStateGraph("move")).not.toBe(machine.getStateGraph("move"));
    expect(other.getStateMachine("air").getStateCount()).toBe(2);
    expect(() => other.getStateGraph("idle")).toThrow(AnimArgumentError);
    expect(() => other.getStateMachine("move")).toThrow(AnimArgumentError);
    machine.dispose();
    other.update(0.1);
    other.dispose();
  });

  it("an undeclared parameter is an AnimNameError that knows the near ones", () => {
    const { graph } = everyNode(parts), machine = everyState(parts);
    expect(() => graph.setFloat("sped", 1)).toThrow(AnimNameError);
    expect(() => graph.setFloat("sped", 1)).toThrow(/speed/);
    expect(() => graph.bindWeight(99, "speed")).toThrow();
    expect(() => graph.bindPosition1D(0, "sped")).toThrow(AnimNameError);
    expect(() => machine.setFloat("sped", 1)).toThrow(AnimNameError);
    expect(() => machine.instantiate().setTrigger("spoed")).toThrow(AnimNameError);
    expect(graph.getFloat("sped")).toBe(0);
  });

  it("do what a graph or machine of their own would do", () => {
    for (const make of [(): AnimGraph => everyNode(parts).graph, (): AnimStateMachine => everyState(parts)]) {
      const handles = everyNode(parts), own = make(), first = make(), instance = first.instantiate();
      for (let frame = 0; frame < 200; frame++) {
        play(own, frame, handles);
        play(instance, frame, handles);
        own.update(0.05);
        // The first goes another way meanwhile.
        first.update(0.011);
        instance.update(0.05);
        expect(numbersOf(instance)).toEqual(numbersOf(own));
      }
    }
  });
});

describe("AnimGraphBatch", () => {
  it("gives each source the bits, events and motion of its own update, whatever the mixture", () => {
    const handles = everyNode(parts), machine = everyState(parts);
    const kinds = [(): AnimGraph => handles.graph.instantiate(), (): AnimStateMachine => machine.instantiate()];
    handles.graph.setRootMotionBone(0);
    fc.assert(fc.property(fc.array(fc.nat(1), { minLength: 1, maxLength: 40 }), fc.array(fc.constantFrom(0, 0.01, 1 / 60, 0.2, 1.3), { minLength: 5, maxLength: 30 }), (mixture, steps) => {
      const together = mixture.map((kind) => kinds[kind]!()), alone = mixture.map((kind) => kinds[kind]!()), batch = new AnimGraphBatch();
      for (const source of together) batch.add(source);
      steps.forEach((dt, frame) => {
        for (const list of [together, alone]) list.forEach((source, i) => play(source, frame + i * 5, handles));
        batch.update(dt);
        alone.forEach((source, i) => {
          source.update(dt);
          const other = together[i]!;
          expect(numbersOf(other)).toEqual(numbersOf(source));
          expect([other.getEventCount(), other.getRootMotionX(), other.getRootMotionRotationY()]).toEqual([source.getEventCount(), source.getRootMotionX(), source.getRootMotionRotationY()]);
        });
      });
      batch.dispose();
      for (const source of [...together, ...alone]) source.dispose();
    }), { numRuns: runs(25) });
    handles.graph.setRootMotionBone(-1);
  });

  it("a thousand instances: memory is flat, and comes back", () => {
    const batch = new AnimGraphBatch(), machine = everyState(parts);
    batch.add(machine);
    batch.update(0.01);
    const start = heap.usedBytes;
    for (let i = 1; i < 1000; i++) batch.add(machine.instantiate());
    // Every state was entered by somebody then.
    for (let i = 0; i < 40; i++) batch.update(0.2);
    const running = heap.usedBytes;
    for (let i = 0; i < 10; i++) batch.update(0.2);
    expect(heap.usedBytes).toBe(running);
    for (let i = 999; i > 0; i--) {
      const instance = batch.get(i);
      batch.remove(instance);
      instance.dispose();
    }
    expect(batch.getCount()).toBe(1);
    // What is left is room in the block that the batch lends poses from.
    expect(heap.usedBytes - start).toBeLessThan(200_000);
    batch.dispose();
    machine.dispose();
  });

  it("refuses what makes no sense, and moves nothing then", () => {
    const batch = new AnimGraphBatch(), { graph } = everyNode(parts), other = graph.instantiate();
    batch.add(graph);
    batch.add(other);
    expect(() => batch.add(graph)).toThrow(AnimArgumentError);
    expect(() => batch.add(null as never)).toThrow(AnimArgumentError);
    expect(() => batch.add(new AnimPlayer(parts.skeleton) as never)).toThrow(AnimArgumentError);
    expect(() => batch.update(-1)).toThrow(AnimArgumentError);
    expect(() => batch.get(2)).toThrow();
    batch.update(Number.NaN);
    other.dispose();
    expect(() => batch.update(0.1)).toThrow(AnimStateError);
    expect(graph.getClipTime(2)).toBe(0);
    batch.remove(other);
    expect(() => batch.remove(other)).toThrow(AnimArgumentError);
    batch.update(0.1);
    batch.dispose();
    expect(() => batch.update(0.1)).toThrow(AnimStateError);
  });
});
