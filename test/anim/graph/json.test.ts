import { describe, expect, it } from "vitest";
import { AnimFormatError, AnimGraph, AnimNameError, AnimStateError, AnimStateMachine } from "../../../src/anim/index.js";
import { heap } from "../../../src/wasm/heap.js";
import { cast, everyNode, everyState, numbersOf } from "./characters.js";
import fc, { runs } from "../../properties.js";

const parts = cast(), { skeleton, clips, find } = parts;

/** A random graph over the clips: every kind of node, some parameters, names, masks, a driver that is not the first. */
const recipe = fc.record({
  steps: fc.array(fc.record({
    kind: fc.constantFrom("clip", "blend", "additive", "layer", "one-shot", "1d", "2d", "inertialize"), a: fc.nat(), b: fc.nat(),
    weight: fc.double({ min: 0, max: 1, noNaN: true }), bone: fc.nat(6), mask: fc.constantFrom(undefined, 0, 0.5, 1), sync: fc.constantFrom("phase", "markers", "none"),
    named: fc.boolean(), bound: fc.boolean(), points: fc.array(fc.record({ x: fc.double({ min: -5, max: 5, noNaN: true }), y: fc.double({ min: -5, max: 5, noNaN: true }), node: fc.nat() }), { maxLength: 5 }),
  }), { minLength: 1, maxLength: 12 }),
  root: fc.nat(), events: fc.constantFrom("dominant", "all"), rootBone: fc.integer({ min: -1, max: 6 }), reverse: fc.boolean(),
});
type Recipe = typeof recipe extends fc.Arbitrary<infer T> ? T : never;

function build({ steps, root, events, rootBone, reverse }: Recipe): AnimGraph {
  const graph = new AnimGraph(skeleton);
  graph.addParameter("a", 0.5);
  graph.addParameter("b/~", 0.25);
  graph.addClip(clips[0]!);
  const spaces: { node: number; step: Recipe["steps"][number] }[] = [];
  for (const [i, step] of steps.entries()) {
    const count = graph.getNodeCount(), a = step.a % count, b = step.b % count;
    let node: number;
    if (step.kind === "clip") {
      node = graph.addClip(clips[step.a % clips.length]!);
      graph.setSpeed(node, step.weight * 3);
      if (step.bound) graph.bindSpeed(node, "a");
    } else if (step.kind === "one-shot") {
      node = graph.addOneShot(a, graph.addClip(clips[step.b % clips.length]!), step.weight, 0.2);
      graph.setOneShotMode(node, step.bound ? "inertial" : "fade");
    } else if (step.kind === "inertialize") {
      node = graph.addInertialize(a);
    } else if (step.kind === "1d" || step.kind === "2d") {
      node = step.kind === "1d" ? graph.addBlendSpace1D() : graph.addBlendSpace2D();
      graph.setBlendSpaceSync(node, step.sync as "phase");
      if (step.kind === "1d") graph.setPosition1D(node, step.weight);
      else graph.setPosition2D(node, step.weight, -step.weight);
      if (step.bound && step.kind === "1d") graph.bindPosition1D(node, "b/~");
      if (step.bound && step.kind === "2d") graph.bindPosition2D(node, "b/~", "a");
      spaces.push({ node, step });
    } else {
      node = step.kind === "blend" ? graph.addBlend(a, b, step.weight) : step.kind === "additive" ? graph.addAdditive(a, b, step.weight * 2) : graph.addLayer(a, b, step.weight);
      if (step.mask !== undefined) graph.setBoneMask(node, step.bone, step.mask, true);
      if (step.kind === "additive" && step.bound) graph.setAdditiveReference(node, "bind");
      else if (step.bound) graph.bindWeight(node, "a");
    }
    if (step.named) graph.setNodeName(node, `node ${i}`);
  }
  // In another order than that of the nodes, so that clips of two spaces have a driver that is not the first.
  for (const { node, step } of reverse ? spaces.toReversed() : spaces) {
    for (const point of step.points) {
      try {
        if (step.kind === "1d") graph.addBlendSpace1DPoint(node, point.x, point.node % graph.getNodeCount());
        else graph.addBlendSpace2DPoint(node, point.x, point.y, point.node % graph.getNodeCount());
      } catch {
        // A node that depends on the space.
      }
    }
  }
  graph.setRoot(root % graph.getNodeCount());
  graph.setEventPolicy(events as "all");
  graph.setRootMotionBone(rootBone);
  if (rootBone >= 0) graph.setRootMotionMode({ translation: "xz", rotation: "yaw" });
  return graph;
}

describe("JSON form of graphs", () => {
  it("a round trip gives the same JSON, and a graph that does the same, for any graph", () => {
    fc.assert(fc.property(recipe, (made) => {
      const graph = build(made), text = JSON.stringify(graph), loaded = AnimGraph.fromJSON(text, skeleton, find);
      expect(JSON.parse(JSON.stringify(loaded))).toEqual(JSON.parse(text));
      for (let i = 0; i < 12; i++) {
        for (const one of [graph, loaded]) {
          one.setFloat("a", (i % 5) / 4);
          one.update(0.13);
        }
        expect(numbersOf(loaded)).toEqual(numbersOf(graph));
        expect([loaded.getRootMotionX(), loaded.getEventCount()]).toEqual([graph.getRootMotionX(), graph.getEventCount()]);
      }
      graph.dispose();
      loaded.dispose();
    }), { numRuns: runs(150) });
  });

  it("takes clips from a function, a map or a list, and a graph without nodes", () => {
    const json = JSON.parse(JSON.stringify(everyNode(parts).graph));
    for (const resolver of [find, new Map(clips.map((clip) => [clip.getName(), clip])), clips]) expect(AnimGraph.fromJSON(json, skeleton, resolver).getNodeCount()).toBe(json.nodes.length);
    expect(AnimGraph.fromJSON({ type: "osteon-graph", version: 1, nodes: [] }, skeleton, find).getRoot()).toBe(-1);
  });

  it("nodes are found by name", () => {
    const graph = AnimGraph.fromJSON({ type: "osteon-graph", version: 1, nodes: [{ kind: "clip", clip: "clip1", name: "walk" }] }, skeleton, find);
    expect([graph.findNode("walk"), graph.getNodeName(0), graph.getNodeKind(0)]).toEqual([0, "walk", "clip"]);
    expect(() => graph.findNode("wolk")).toThrow(AnimNameError);
  });

  it("a clip without a name cannot be saved", () => {
    const graph = new AnimGraph(skeleton), clip = clips[0]!.clone();
    clip.setName("");
    graph.addClip(clip);
    expect(() => graph.toJSON()).toThrow(AnimStateError);
  });
});

/** Replaces the value at a pointer of a copy; undefined removes it. */
function changed(json: unknown, pointer: string, value: unknown): unknown {
  const copy = structuredClone(json) as Record<string, unknown>, keys = pointer.split("/").slice(1);
  let at = copy;
  for (const key of keys.slice(0, -1)) at = at[key] as Record<string, unknown>;
  if (value === undefined) delete at[keys.at(-1)!];
  else at[keys.at(-1)!] = value;
  return copy;
}

describe("errors of the JSON form", () => {
  const graph = JSON.parse(JSON.stringify(everyNode(parts).graph)), machine = JSON.parse(JSON.stringify(everyState(parts)));
  const kindAt = (kind: string): number => (graph.nodes as { kind: string }[]).findIndex((node) => node.kind === kind);

  it("name the place by a pointer: graphs", () => {
    const clip = `/nodes/${kindAt("clip")}`, line = `/nodes/${kindAt("blend-space-1d")}`, plane = `/nodes/${kindAt("blend-space-2d")}`, layer = `/nodes/${kindAt("layer")}`;
    const wrong: [string, unknown, string?][] = [
      ["/type", "graph"], ["/version", 2], ["/version", undefined], ["/nodes", {}], ["/nodes", undefined], [`${clip}/kind`, "film"], [`${clip}/clip`, 3], [`${clip}/clip`, ""],
      [`${clip}/speed`, -1], [`${clip}/spede`, 1], [`${clip}/driver`, 4], ["/nodes/0", 7], [`${layer}/base`, 999], [`${layer}/overlay`, -1], [`${layer}/weight`, "1"],
      [`${layer}/weight`, 2], [`${layer}/mask/fill`, 3], [`${layer}/mask`, []], [`${line}/sync`, "beat"], [`${line}/points/0/x`, null], [`${line}/points/0/node`, kindAt("inertialize"), `${line}/points/0`],
      [`${line}/positionParameter`, "spoed"], [`${plane}/position`, [1]], [`${plane}/position`, [1, "2"], `${plane}/position/1`], [`${plane}/positionParameters`, ["x"]],
      [`/nodes/${kindAt("one-shot")}/shot`, 0], [`/nodes/${kindAt("one-shot")}/fadeIn`, -1], [`/nodes/${kindAt("one-shot")}/mode`, "slow"],
      ["/root", 99], ["/root", 1.5], ["/events", "none"], ["/parameters", { speed: "fast" }, "/parameters/speed"], ["/rootMotion", {}, "/rootMotion/bone"],
      ["/rootMotion", { bone: "bone0", translation: "xy" }, "/rootMotion/translation"],
    ];
    const before = heap.usedBytes;
    for (const [pointer, value, expected] of wrong) {
      const error = thrown(() => AnimGraph.fromJSON(changed(graph, pointer, value), skeleton, find));
      expect(error, pointer).toBeInstanceOf(AnimFormatError);
      expect((error as AnimFormatError).pointer, `${pointer} = ${JSON.stringify(value)}`).toBe(expected ?? pointer);
      expect((error as Error).message).toContain("AnimGraph.fromJSON");
    }
    // Nothing is left behind.
    expect(heap.usedBytes).toBe(before);
    expect(thrown(() => AnimGraph.fromJSON("{", skeleton, find))).toBeInstanceOf(AnimFormatError);
    for (const json of [null, 3, [], "[]", undefined]) expect(thrown(() => AnimGraph.fromJSON(json, skeleton, find))).toBeInstanceOf(AnimFormatError);
  });

  it("name the place by a pointer: state machines, also inside their graphs and machines", () => {
    const states = machine.states as { name: string }[], index = (name: string): number => states.findIndex((state) => state.name === name);
    const move = `/states/${index("move")}`, air = `/states/${index("air")}`, idle = `/states/${index("idle")}`;
    const wrong: [string, unknown, string?][] = [
      ["/type", "osteon-graph"], ["/version", "1"], ["/states", undefined], [`${idle}/name`, ""], [`${idle}/name`, "move", `${idle}/name`], [`${idle}/clip`, undefined, idle],
      [`${idle}/graph`, {}, idle], [`${idle}/exit`, 1], [`${move}/graph/nodes/0/kind`, "x"], [`${air}/machine/states/0/clip`, 5], [`${air}/machine/transitions/0/to`, "sky"],
      ["/transitions/0/from", "nowhere"], ["/transitions/0/to", "*"], ["/transitions/0/blend", -0.1], ["/transitions/0/exitTime", -1.5], ["/transitions/0/interruptible", "all"],
      ["/transitions/3/mode", "dead"], ["/transitions/3/conditions/0/op", "~"], ["/transitions/3/conditions/0/value", null], ["/transitions/3/conditions/0", {}, "/transitions/3/conditions/0/trigger"],
      ["/entry", "nowhere"], ["/events", "some"], ["/parameters/floats/speed", true], ["/parameters/triggers/stop", 0], ["/extra", 1],
    ];
    const before = heap.usedBytes;
    for (const [pointer, value, expected] of wrong) {
      const error = thrown(() => AnimStateMachine.fromJSON(changed(machine, pointer, value), skeleton, find));
      expect(error, pointer).toBeInstanceOf(AnimFormatError);
      expect((error as AnimFormatError).pointer, `${pointer} = ${JSON.stringify(value)}`).toBe(expected ?? pointer);
    }
    expect(heap.usedBytes).toBe(before);
    let deep: unknown = machine;
    for (let i = 0; i < 40; i++) deep = { type: "osteon-state-machine", version: 1, states: [{ name: "in", machine: deep }] };
    expect(thrown(() => AnimStateMachine.fromJSON(deep, skeleton, find))).toBeInstanceOf(AnimFormatError);
  });

  it("clips and bones that are missing are named, with near ones", () => {
    const clip = thrown(() => AnimGraph.fromJSON(changed(graph, `/nodes/${kindAt("clip")}/clip`, "clip9"), skeleton, clips)) as AnimNameError;
    expect([clip instanceof AnimNameError, clip.pointer]).toEqual([true, `/nodes/${kindAt("clip")}/clip`]);
    expect(clip.message).toContain("clip");
    const bone = thrown(() => AnimGraph.fromJSON(changed(graph, `/nodes/${kindAt("layer")}/mask/bones`, { bone9: 1 }), skeleton, clips)) as AnimNameError;
    expect([bone instanceof AnimNameError, bone.pointer]).toEqual([true, `/nodes/${kindAt("layer")}/mask/bones/bone9`]);
  });
});

describe("JSON form of state machines", () => {
  it("a round trip gives the same JSON, and a machine that does the same", () => {
    const machine = everyState(parts), text = JSON.stringify(machine), loaded = AnimStateMachine.fromJSON(text, skeleton, find);
    expect(JSON.parse(JSON.stringify(loaded))).toEqual(JSON.parse(text));
    for (let i = 0; i < 200; i++) {
      for (const one of [machine, loaded]) {
        one.setFloat("speed", ((i * 7) % 11) / 10);
        if (i % 37 === 11) one.setTrigger("stop");
        one.update(0.06);
      }
      expect([loaded.getCurrentState(), loaded.isBlending()]).toEqual([machine.getCurrentState(), machine.isBlending()]);
      expect(numbersOf(loaded)).toEqual(numbersOf(machine));
    }
  });

  it("a round trip gives the same machine for random definitions", () => {
    const ops = [">", ">=", "<", "<=", "==", "!="] as const;
    const rule = fc.record({
      from: fc.integer({ min: -1, max: 3 }), to: fc.nat(3), blend: fc.double({ min: 0, max: 1, noNaN: true }), exit: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
      mode: fc.constantFrom("live", "frozen", "inertial"), by: fc.constantFrom("none", "destination", "source", "both"), op: fc.constantFrom(...ops), value: fc.double({ min: -2, max: 2, noNaN: true }),
      kind: fc.nat(3), flag: fc.boolean(),
    });
    fc.assert(fc.property(fc.array(rule, { maxLength: 9 }), fc.nat(3), (rules, entry) => {
      const machine = new AnimStateMachine(skeleton);
      for (let i = 0; i < 4; i++) machine.addState(`s${i}`, clips[i]!);
      for (const r of rules) {
        const t = machine.addTransition(r.from < 0 ? "*" : `s${r.from}`, `s${r.to}`, r.blend);
        machine.setTransitionMode(t, r.mode as "live");
        machine.setInterruptible(t, r.by as "none");
        if (r.exit !== undefined) machine.setExitTime(t, r.exit);
        if (r.kind === 1) machine.addFloatCondition(t, "v", r.op, r.value);
        if (r.kind === 2) machine.addBoolCondition(t, "f", r.flag);
        if (r.kind === 3) machine.addTriggerCondition(t, "t");
      }
      machine.setEntry(`s${entry}`);
      const text = JSON.stringify(machine), loaded = AnimStateMachine.fromJSON(text, skeleton, find);
      expect(JSON.stringify(loaded)).toBe(text);
      loaded.update(0);
      expect(loaded.getStateCount()).toBe(4);
      machine.dispose();
      loaded.dispose();
    }), { numRuns: runs(100) });
  });
});

function thrown(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}
