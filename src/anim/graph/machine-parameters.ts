/** Parameters of an instance of a state machine, and of what stands in its states. @internal */
import type { AnimGraph } from "./graph.js";
import { GraphRun } from "./evaluator.js";
import type { MachineRun } from "./machine-run.js";
import type { AnimStateMachine } from "./state-machine.js";

/** A graph or a machine inside a machine. */
export type Child = AnimGraph | AnimStateMachine;

function isGraph(child: Child): child is AnimGraph {
  return child.run instanceof GraphRun;
}

/** For each parameter of what a state plays: the place of the machine's parameter of that name, or -1. */
export function placesOf(run: MachineRun, child: Child): Int32Array {
  const { parameters } = run.definition;
  child.run.fit();
  return isGraph(child)
    ? Int32Array.from(child.definition.parameters, ({ name }) => parameters.float.get(name) ?? -1)
    : Int32Array.from(child.definition.parameters.list, ({ kind, name }) => parameters[kind].get(name) ?? -1);
}

/** Graphs and machines inside see the parameters of the machine that have the names of theirs. */
export function handDown(run: MachineRun, child: Child, places: Int32Array): void {
  const inner = child.run.values;
  for (let i = 0; i < places.length; i++) if (places[i]! >= 0) inner[i] = run.values[places[i]!]!;
}

/** A trigger that the machine inside took is gone. */
export function takeBack(run: MachineRun, machine: AnimStateMachine, places: Int32Array): void {
  const { list } = machine.definition.parameters, inner = machine.run.values;
  for (let i = 0; i < list.length; i++) if (list[i]!.kind === "trigger" && inner[i] === 0 && places[i]! >= 0) run.values[places[i]!] = 0;
}

/** Takes triggers back that nobody took in time. */
export function ageTriggers(run: MachineRun): void {
  const { list } = run.definition.parameters, { ages, values } = run, dt = run.step[0]!;
  for (let i = 0; i < list.length; i++) {
    if (list[i]!.timeout === Infinity || values[i] !== 1) {
      ages[i] = 0;
      continue;
    }
    ages[i] = ages[i]! + dt;
    if (ages[i]! < list[i]!.timeout - 1e-9) continue;
    values[i] = 0;
    ages[i] = 0;
  }
}
