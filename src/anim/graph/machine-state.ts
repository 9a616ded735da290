/** Capture and restore of a state machine. @internal */
import { AnimStateError } from "../errors.js";
import { show } from "../rig/checks.js";
import { AnimGraph, type GraphState } from "./graph.js";
import { FORCED, M } from "./machine-numbers.js";
import { type InertiaState, isNumbers } from "./pose-inertia.js";
import type { AnimStateMachine } from "./state-machine.js";

/** What `AnimStateMachine.captureState` returns: plain JSON. */
export interface MachineStateJson {
  readonly type: "osteon-state-machine-state";
  /** The current state; null before the entry. */
  readonly state: string | null;
  /** The state that fades out, and where the transition under way came from. */
  readonly outgoing: string | null;
  readonly source: string | null;
  /** Id of the transition under way, or that one was forced. */
  readonly transition: number | "forced" | null;
  readonly numbers: readonly number[];
  readonly floats: Readonly<Record<string, number>>;
  readonly bools: Readonly<Record<string, boolean>>;
  readonly triggers: Readonly<Record<string, boolean>>;
  /** Seconds that triggers have been set, of those with a timeout. */
  readonly ages?: Readonly<Record<string, number>>;
  readonly frozen: readonly number[] | null;
  readonly inertia: InertiaState | null;
  /** Graphs and machines inside, by state. */
  readonly inside: Readonly<Record<string, GraphState | MachineStateJson>>;
}

const PLACES = [["state", M.CURRENT], ["outgoing", M.OUTGOING], ["source", M.SOURCE]] as const;

export function captureMachine(machine: AnimStateMachine): MachineStateJson {
  const { run, definition } = machine;
  run.fit();
  const n = run.numbers, name = (place: M): string | null => definition.states[n[place]!]?.name ?? null;
  const all = definition.parameters.list, of = (kind: string): [string, number][] => all.flatMap((p, i) => (p.kind === kind ? [[p.name, run.values[i]!] as [string, number]] : []));
  const inside: Record<string, GraphState | MachineStateJson> = {};
  for (const state of definition.states) {
    const child = run.children[state.index];
    if (child !== undefined) inside[state.name] = child.captureState();
  }
  return {
    type: "osteon-state-machine-state", state: name(M.CURRENT), outgoing: name(M.OUTGOING), source: name(M.SOURCE),
    transition: n[M.TAKEN]! < 0 ? null : n[M.TAKEN] === FORCED ? "forced" : n[M.TAKEN]!, numbers: [...n],
    floats: Object.fromEntries(of("float")), bools: Object.fromEntries(of("bool").map(([key, v]) => [key, v === 1])),
    triggers: Object.fromEntries(of("trigger").map(([key, v]) => [key, v === 1])),
    ...(definition.parameters.hasTimeouts && { ages: Object.fromEntries(all.flatMap((p, i) => (p.timeout < Infinity ? [[p.name, run.ages[i]!]] : []))) }),
    frozen: run.captureFrozen(), inertia: run.inertia?.capture() ?? null, inside,
  };
}

/** @throws AnimStateError if the value is no state of this machine */
export function checkMachineState(method: string, machine: AnimStateMachine, state: unknown): void {
  const { run, definition } = machine, value = (state ?? {}) as Partial<MachineStateJson>;
  const wrong = (what: string): never => {
    throw new AnimStateError(`${method}: ${what}. Use what captureState returned, or call resetToDefaults().`);
  };
  run.fit();
  if (value.type !== "osteon-state-machine-state") wrong("this is no captured state of a state machine");
  for (const [key] of PLACES) {
    const name = value[key];
    if (name !== null && (typeof name !== "string" || !definition.byName.has(name))) wrong(`${key} is ${show(name)}, which is no state of this machine`);
  }
  if (value.transition !== null && value.transition !== "forced" && !(Number.isInteger(value.transition) && (value.transition as number) >= 0 && (value.transition as number) < definition.transitions.length)) {
    wrong(`transition is ${show(value.transition)}, which this machine does not have`);
  }
  if (!isNumbers(value.numbers, M.COUNT)) wrong("the clocks are missing");
  const voice = value.numbers![M.VOICE], blends = value.transition !== null || value.outgoing !== null || value.frozen !== null;
  if ((voice !== 0 && voice !== 1) || (blends && !(value.numbers![M.DURATION]! > 0)) || (value.state === null && blends)) wrong("the clocks make no sense");
  for (const [key, kind] of [["floats", "float"], ["bools", "bool"], ["triggers", "trigger"]] as const) {
    const map = value[key];
    if (map === null || typeof map !== "object") wrong(`${key} are missing`);
    for (const name of definition.parameters[kind].keys()) {
      const entry = (map as Record<string, unknown>)[name];
      if (kind === "float" ? typeof entry !== "number" || !Number.isFinite(entry) : typeof entry !== "boolean") wrong(`${kind} ${show(name)} is ${show(entry)}`);
    }
  }
  for (const age of Object.values(value.ages ?? {})) if (typeof age !== "number" || !(age >= 0 && age < Infinity)) wrong(`the age of a trigger is ${show(age)}`);
  if (value.frozen !== null && !isNumbers(value.frozen, run.frozenFloats)) wrong("the frozen pose does not fit the skeleton");
  if (value.inertia === null ? run.inertia !== undefined : run.inertia?.accepts(value.inertia) !== true) wrong("the inertial transition does not fit this machine");
  if (value.inside === null || typeof value.inside !== "object") wrong("the states of graphs and machines inside are missing");
  for (const { name, index } of definition.states) {
    const child = run.children[index];
    if (child === undefined) continue;
    const inner = (value.inside as Record<string, unknown>)[name];
    if (child instanceof AnimGraph) child.checkState(method, inner);
    else checkMachineState(method, child, inner);
  }
}

/** Takes up a state that was checked. */
export function restoreMachine(machine: AnimStateMachine, state: MachineStateJson): void {
  const { run, definition } = machine, n = run.numbers;
  n.set(state.numbers);
  for (const [key, place] of PLACES) n[place] = state[key] === null ? -1 : definition.byName.get(state[key]!)!.index;
  n[M.TAKEN] = state.transition === "forced" ? FORCED : state.transition ?? -1;
  n[M.FROZEN] = state.frozen === null ? 0 : 1;
  definition.parameters.list.forEach(({ kind, name }, i) => {
    run.values[i] = Number(kind === "float" ? state.floats[name] : kind === "bool" ? state.bools[name] : state.triggers[name]);
    run.ages[i] = state.ages?.[name] ?? 0;
  });
  if (state.frozen !== null) run.restoreFrozen(state.frozen);
  if (state.inertia !== null) run.inertia!.restore(state.inertia);
  for (const { name, index } of definition.states) {
    const child = run.children[index];
    if (child instanceof AnimGraph) child.run.restore(state.inside[name] as GraphState);
    else if (child !== undefined) restoreMachine(child, state.inside[name] as MachineStateJson);
  }
}
