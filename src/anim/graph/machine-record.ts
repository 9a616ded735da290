/** What a state machine remembers of its past: states entered and left, transitions taken. @internal */
import type { MachineDefinition, MachineState, MachineTransition } from "./machine-definition.js";
import { M } from "./machine-numbers.js";

export const enum StateEvent {
  ENTER = 1,
  EXIT = 2,
}

/** A transition that was taken, as `AnimStateMachine.getTransitionLog` gives it. */
export interface TransitionRecord {
  /** Id of the transition. */
  readonly transition: number;
  readonly from: string;
  readonly to: string;
  /** Updates of the machine before it. */
  readonly update: number;
  /** Seconds in the state that was left. */
  readonly stateTime: number;
  /** Values of the parameters of the conditions; of bools and triggers 0 or 1. */
  readonly values: Readonly<Record<string, number>>;
}

/** Entries of the two lists; when one is full, its oldest goes. */
const EVENTS = 64;
const TRANSITIONS = 64;
/** Numbers of a transition before the values of its conditions. */
const HEAD = 4;

/** Two rings of numbers, so that an update allocates nothing. */
export class MachineRecord {
  readonly #events = new Int32Array(EVENTS);
  #first = 0;
  #count = 0;
  #transitions = new Float64Array(0);
  #stride = 0;
  #taken = 0;

  constructor(readonly definition: MachineDefinition) {}

  /** Appends a state that was entered or left. */
  push(event: StateEvent, state: number): void {
    if (this.#count === EVENTS) {
      this.#first = (this.#first + 1) % EVENTS;
      this.#count--;
    }
    this.#events[(this.#first + this.#count++) % EVENTS] = state * 4 + event;
  }

  /** Takes the oldest event: state x 4 + kind, -1 without one. */
  shift(): number {
    if (this.#count === 0) return -1;
    const event = this.#events[this.#first]!;
    this.#first = (this.#first + 1) % EVENTS;
    this.#count--;
    return event;
  }

  transition(transition: MachineTransition, source: MachineState, n: Float64Array, values: Float64Array): void {
    this.#fit();
    const at = (this.#taken++ % TRANSITIONS) * this.#stride, list = this.#transitions, { conditions } = transition;
    list[at] = transition.id;
    list[at + 1] = source.index;
    list[at + 2] = n[M.UPDATES]!;
    list[at + 3] = n[M.STATE_TIME]!;
    for (let i = 0; i < conditions.length; i++) list[at + HEAD + i] = values[conditions[i]!.index]!;
  }

  /** The transitions that are remembered, the oldest first. */
  list(): TransitionRecord[] {
    const { states, transitions } = this.definition, list = this.#transitions, records: TransitionRecord[] = [];
    for (let k = Math.max(0, this.#taken - TRANSITIONS); k < this.#taken; k++) {
      const at = (k % TRANSITIONS) * this.#stride, taken = transitions[list[at]!]!, values: Record<string, number> = {};
      // Conditions that were added since have no value here.
      taken.conditions.forEach(({ param }, i) => { if (HEAD + i < this.#stride) values[param] = list[at + HEAD + i]!; });
      records.push({ transition: taken.id, from: states[list[at + 1]!]!.name, to: taken.to.name, update: list[at + 2]!, stateTime: list[at + 3]!, values });
    }
    return records;
  }

  /** Room for the transition with the most conditions; what is there moves along. */
  #fit(): void {
    let most = 0;
    const { transitions } = this.definition;
    for (let i = 0; i < transitions.length; i++) if (transitions[i]!.conditions.length > most) most = transitions[i]!.conditions.length;
    const stride = HEAD + most;
    if (stride <= this.#stride) return;
    const list = new Float64Array(TRANSITIONS * stride);
    for (let k = 0; k < TRANSITIONS; k++) list.set(this.#transitions.subarray(k * this.#stride, (k + 1) * this.#stride), k * stride);
    this.#transitions = list;
    this.#stride = stride;
  }
}
