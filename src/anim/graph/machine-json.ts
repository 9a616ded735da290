/** The JSON form of state machines. */
import { AnimFormatError } from "../errors.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import type { AnimGraph } from "./graph.js";
import {
  boneOf, clipName, type ClipResolver, type GraphJson, graphToJson, readGraph, readRootMotion, resolveClip, type RootMotionJson, rootMotionToJson,
} from "./graph-json.js";
import { at, JsonReader } from "./json-reader.js";
import type { Interruption, TransitionMode } from "./machine-definition.js";
import type { AnimStateMachine } from "./state-machine.js";
import type { CompareOp } from "./state-machine-conditions.js";

/** Machines within machines at most. */
const DEEPEST = 16;

export type ConditionJson = { float: string; op: CompareOp; value: number } | { bool: string; value: boolean } | { trigger: string };

/** A state plays one of clip, graph and machine. */
export interface StateJson {
  name: string;
  clip?: string;
  graph?: GraphJson;
  machine?: MachineJson;
  exit?: boolean;
  /** Rate, and the float that it is multiplied by. */
  speed?: number;
  speedParameter?: string;
}

export interface TransitionJson {
  /** A state, or "*" for any. */
  from: string;
  to: string;
  /** Seconds. */
  blend: number;
  mode?: TransitionMode;
  interruptible?: Interruption;
  exitTime?: number;
  /** Where the destination begins: a share of its clip, or where the source is. */
  offset?: number | "markers";
  conditions?: ConditionJson[];
}

/** The JSON form of a state machine: `AnimStateMachine.toJSON()`, `AnimStateMachine.fromJSON()`. */
export interface MachineJson {
  type: "osteon-state-machine";
  version: 1;
  /** Declared parameters and their values, in the order of declaration; seconds after which triggers are taken back. */
  parameters?: { floats?: Record<string, number>; bools?: Record<string, boolean>; triggers?: Record<string, boolean>; timeouts?: Record<string, number> };
  states: StateJson[];
  /** The state that the first update enters; default the first. */
  entry?: string;
  transitions?: TransitionJson[];
  events?: "target" | "dominant" | "all";
  rootMotion?: RootMotionJson;
}

/** @internal */
export function machineToJson(machine: AnimStateMachine): MachineJson {
  const { definition, run } = machine;
  run.fit();
  const json: MachineJson = { type: "osteon-state-machine", version: 1, states: [] };
  for (const { name, index, track, graph, exit, speed, speedParameter } of definition.states) {
    const child = run.children[index];
    json.states.push({
      name, ...(exit && { exit }), ...(speed[0] !== 1 && { speed: speed[0]! }),
      ...(speedParameter >= 0 && { speedParameter: definition.parameters.list[speedParameter]!.name }),
      ...(track !== undefined ? { clip: clipName("AnimStateMachine.toJSON", track.clip) }
        : graph !== undefined ? { graph: graphToJson(graph.definition, (child as AnimGraph).run) } : { machine: machineToJson(child as AnimStateMachine) }),
    });
  }
  const { list } = definition.parameters, of = (kind: string): [string, number][] => list.flatMap((p, i) => (p.kind === kind ? [[p.name, run.values[i]!] as [string, number]] : []));
  const floats = of("float"), bools = of("bool"), triggers = of("trigger"), timeouts = list.flatMap((p) => (p.timeout < Infinity ? [[p.name, p.timeout] as [string, number]] : []));
  if (list.length > 0) {
    json.parameters = {
      ...(floats.length > 0 && { floats: Object.fromEntries(floats) }),
      ...(bools.length > 0 && { bools: Object.fromEntries(bools.map(([name, value]) => [name, value === 1])) }),
      ...(triggers.length > 0 && { triggers: Object.fromEntries(triggers.map(([name, value]) => [name, value === 1])) }),
      ...(timeouts.length > 0 && { timeouts: Object.fromEntries(timeouts) }),
    };
  }
  if (definition.entry > 0) json.entry = definition.states[definition.entry]!.name;
  if (definition.transitions.length > 0) {
    json.transitions = definition.transitions.map((t) => ({
      from: t.from?.name ?? "*", to: t.to.name, blend: t.blendSeconds, ...(t.mode !== "live" && { mode: t.mode }),
      ...(t.interruptible !== "none" && { interruptible: t.interruptible }), ...(t.hasExitTime && { exitTime: t.exitTime }),
      ...((t.synced || t.offset[0]! > 0) && { offset: t.synced ? ("markers" as const) : t.offset[0]! }),
      ...(t.conditions.length > 0 && {
        conditions: t.conditions.map((c): ConditionJson => (c.kind === "float" ? { float: c.param, op: c.op, value: c.threshold }
          : c.kind === "bool" ? { bool: c.param, value: c.value } : { trigger: c.param })),
      }),
    }));
  }
  if (definition.eventPolicy !== "target") json.events = definition.eventPolicy;
  if (definition.rootBone >= 0) json.rootMotion = rootMotionToJson(definition.skeleton, definition.rootBone, definition.rootMode);
  return json;
}

type Make<T> = (skeleton: AnimSkeleton) => T;

/** @internal */
export function machineFromJson(
  json: unknown, skeleton: AnimSkeleton, clips: ClipResolver, make: Make<AnimStateMachine>, makeGraph: Make<AnimGraph>,
): AnimStateMachine {
  return readMachine(JsonReader.open(json, "AnimStateMachine.fromJSON"), skeleton, clips, make, makeGraph, 0);
}

function readMachine(
  reader: JsonReader, skeleton: AnimSkeleton, clips: ClipResolver, make: Make<AnimStateMachine>, makeGraph: Make<AnimGraph>, depth: number,
): AnimStateMachine {
  if (depth > DEEPEST) throw new AnimFormatError(`${reader.method}: ${reader.pointer} lies deeper than ${DEEPEST} machines.`, { pointer: reader.pointer, supported: DEEPEST });
  reader.fields("type", "version", "parameters", "states", "entry", "transitions", "events", "rootMotion");
  reader.get("type").oneOf("osteon-state-machine");
  if (reader.get("version").value !== 1) reader.get("version").fail("1, the only version so far");
  const machine = make(skeleton);
  try {
    for (const state of reader.get("states").list()) {
      readState(machine, state, clips, (inner) => readMachine(inner, skeleton, clips, make, makeGraph, depth + 1), (inner) => readGraph(inner, skeleton, clips, makeGraph));
    }
    for (const transition of reader.find("transitions")?.list() ?? []) readTransition(machine, transition);
    readParameters(machine, reader.find("parameters"));
    machine.setEventPolicy(reader.find("events")?.oneOf("target", "dominant", "all") ?? "target");
    const motion = reader.find("rootMotion");
    if (motion !== undefined) {
      machine.setRootMotionBone(boneOf(motion.get("bone"), skeleton));
      machine.setRootMotionMode(readRootMotion(motion));
    }
    const entry = reader.find("entry");
    if (entry !== undefined) {
      if (!machine.hasState(entry.text())) entry.fail("the name of a state");
      machine.definition.entry = machine.definition.byName.get(entry.text())!.index;
    }
    return machine;
  } catch (error) {
    machine.dispose();
    throw error;
  }
}

function readState(
  machine: AnimStateMachine, reader: JsonReader, clips: ClipResolver, readInner: (reader: JsonReader) => AnimStateMachine, readInnerGraph: (reader: JsonReader) => AnimGraph,
): void {
  reader.fields("name", "clip", "graph", "machine", "exit", "speed", "speedParameter");
  const name = reader.get("name").text(), clip = reader.find("clip"), graph = reader.find("graph"), inner = reader.find("machine");
  if ([clip, graph, inner].filter((one) => one !== undefined).length !== 1) reader.fail("a state with one of clip, graph and machine");
  if (clip !== undefined) {
    const found = resolveClip(clip, clips);
    at(reader.get("name"), () => machine.addState(name, found));
  } else {
    const source = graph !== undefined ? readInnerGraph(graph) : readInner(inner!);
    try {
      at(reader.get("name"), () => (graph !== undefined ? machine.addStateFromGraph(name, source as AnimGraph) : machine.addStateFromMachine(name, source as AnimStateMachine)));
    } finally {
      source.dispose();
    }
  }
  machine.setExit(name, reader.find("exit")?.boolean() ?? false);
  machine.setStateSpeed(name, reader.find("speed")?.number(0) ?? 1);
  const parameter = reader.find("speedParameter");
  if (parameter !== undefined) at(parameter, () => machine.setStateSpeedParameter(name, parameter.text()));
}

function readTransition(machine: AnimStateMachine, reader: JsonReader): void {
  reader.fields("from", "to", "blend", "mode", "interruptible", "exitTime", "offset", "conditions");
  for (const key of ["from", "to"]) {
    const name = reader.get(key);
    if (!machine.hasState(name.text()) && !(key === "from" && name.value === "*")) name.fail(key === "from" ? 'the name of a state, or "*"' : "the name of a state");
  }
  const id = machine.addTransition(reader.get("from").text(), reader.get("to").text(), reader.get("blend").number(0));
  machine.setTransitionMode(id, reader.find("mode")?.oneOf("live", "frozen", "inertial") ?? "live");
  machine.setInterruptible(id, reader.find("interruptible")?.oneOf("none", "destination", "source", "both") ?? "none");
  const exit = reader.find("exitTime");
  if (exit !== undefined) machine.setExitTimeExact(id, exit.number(0));
  const offset = reader.find("offset");
  if (offset !== undefined) at(offset, () => machine.setTransitionOffset(id, offset.value === "markers" ? "markers" : offset.number(0, 1)));
  for (const condition of reader.find("conditions")?.list() ?? []) {
    const float = condition.find("float"), bool = condition.find("bool");
    if (float !== undefined) {
      condition.fields("float", "op", "value");
      machine.addFloatCondition(id, float.text(), condition.get("op").oneOf(">", ">=", "<", "<=", "==", "!="), condition.get("value").number());
    } else if (bool !== undefined) {
      condition.fields("bool", "value");
      machine.addBoolCondition(id, bool.text(), condition.get("value").boolean());
    } else {
      condition.fields("trigger");
      machine.addTriggerCondition(id, condition.get("trigger").text());
    }
  }
}

/** Values, and declarations of what no condition uses. */
function readParameters(machine: AnimStateMachine, reader: JsonReader | undefined): void {
  if (reader === undefined) return;
  reader.fields("floats", "bools", "triggers", "timeouts");
  const { parameters } = machine.definition;
  const declare = (kind: "float" | "bool" | "trigger", name: JsonReader, key: string, value: number): void => {
    if (key === "") name.fail("a value under a name that is not empty");
    const index = parameters.declare(kind, key);
    parameters.list[index]!.initial = value;
    machine.definition.touch();
  };
  for (const [name, value] of reader.find("floats")?.entries() ?? []) declare("float", value, name, value.number());
  for (const [name, value] of reader.find("bools")?.entries() ?? []) declare("bool", value, name, value.boolean() ? 1 : 0);
  for (const [name, value] of reader.find("triggers")?.entries() ?? []) declare("trigger", value, name, value.boolean() ? 1 : 0);
  for (const [name, value] of reader.find("timeouts")?.entries() ?? []) {
    if (!parameters.trigger.has(name)) value.fail("the timeout of a trigger");
    machine.setTriggerTimeout(name, value.number(0));
  }
}
