/** Parameters of a state machine and the conditions on them. @internal */
import { AnimArgumentError, AnimNameError } from "../errors.js";
import { nearMatches } from "../module/near-matches.js";
import { show } from "../rig/checks.js";

export type CompareOp = ">" | ">=" | "<" | "<=" | "==" | "!=";
export type ParameterKind = "float" | "bool" | "trigger";

/** Equality of floats, absolute. */
const EQUAL = 1e-5;

export interface Condition {
  readonly kind: ParameterKind;
  readonly param: string;
  /** Of floats. */
  readonly op: CompareOp;
  readonly threshold: number;
  /** Of bools. */
  readonly value: boolean;
}

/** A condition and the place of its parameter among the values of an instance. */
export interface CompiledCondition extends Condition {
  readonly index: number;
}

/**
 * Declared floats, bools and triggers, each with names of their own. Values are numbers of the instance, in the order of
 * declaration; bools and triggers are 0 and 1.
 */
export class ParameterTable {
  /** `timeout`: of triggers, the seconds after which one that no transition took is taken back. */
  readonly list: { readonly kind: ParameterKind; readonly name: string; initial: number; timeout: number }[] = [];
  /** Whether any trigger has a timeout. */
  hasTimeouts = false;
  readonly float = new Map<string, number>();
  readonly bool = new Map<string, number>();
  readonly trigger = new Map<string, number>();

  /** @returns the place of its value; a parameter that is declared already stays as it is */
  declare(kind: ParameterKind, name: string, initial = 0): number {
    const known = this[kind].get(name);
    if (known !== undefined) return known;
    this[kind].set(name, this.list.length);
    return this.list.push({ kind, name, initial, timeout: Infinity }) - 1;
  }

  /** @throws AnimNameError if nothing declares it */
  require(method: string, kind: ParameterKind, name: string): number {
    const index = this[kind].get(name);
    if (index !== undefined) return index;
    throw new AnimNameError(
      `AnimStateMachine.${method}: no condition or state uses a ${kind} named ${show(name)}.${nearMatches(String(name), this[kind].keys())}`, { found: name });
  }
}

/** Whether all conditions hold. */
export function holds(conditions: readonly CompiledCondition[], values: Float64Array): boolean {
  for (let i = 0; i < conditions.length; i++) {
    const c = conditions[i]!, value = values[c.index]!;
    if (c.kind === "float" ? !compares(value, c.op, c.threshold) : (value === 1) !== (c.kind === "trigger" || c.value)) return false;
  }
  return true;
}

/** Takes back the triggers among the conditions. */
export function consume(conditions: readonly CompiledCondition[], values: Float64Array): void {
  for (let i = 0; i < conditions.length; i++) if (conditions[i]!.kind === "trigger") values[conditions[i]!.index] = 0;
}

function compares(value: number, op: CompareOp, threshold: number): boolean {
  switch (op) {
    case ">": return value > threshold;
    case ">=": return value >= threshold;
    case "<": return value < threshold;
    case "<=": return value <= threshold;
    case "==": return Math.abs(value - threshold) <= EQUAL;
    case "!=": return Math.abs(value - threshold) > EQUAL;
  }
}

/** @throws AnimArgumentError for an unknown operator */
export function requireOp(op: string): asserts op is CompareOp {
  if (op === ">" || op === ">=" || op === "<" || op === "<=" || op === "==" || op === "!=") return;
  throw new AnimArgumentError(`AnimStateMachine.addFloatCondition: op is ${show(op)}, expected ">", ">=", "<", "<=", "==" or "!=".`, { found: op });
}
