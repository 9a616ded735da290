/** Parameters of a state machine and the conditions on them. @internal */
import { AnimArgumentError, AnimNameError } from "../errors.js";
import { nearMatches } from "../module/near-matches.js";
import { show } from "../rig/checks.js";

export type CompareOp = ">" | ">=" | "<" | "<=" | "==" | "!=";

/** Equality of floats, absolute. */
const EQUAL = 1e-5;

export type Condition =
  | { readonly kind: "float"; readonly param: string; readonly op: CompareOp; readonly threshold: number }
  | { readonly kind: "bool"; readonly param: string; readonly value: boolean }
  | { readonly kind: "trigger"; readonly param: string };

/** Floats, bools and triggers, each with names of their own. Conditions declare them. */
export class Parameters {
  readonly floats = new Map<string, number>();
  readonly bools = new Map<string, boolean>();
  readonly triggers = new Map<string, boolean>();

  declare(condition: Condition): void {
    if (condition.kind === "float") {
      if (!this.floats.has(condition.param)) this.floats.set(condition.param, 0);
    } else {
      const map = condition.kind === "bool" ? this.bools : this.triggers;
      if (!map.has(condition.param)) map.set(condition.param, false);
    }
  }

  holds(conditions: readonly Condition[]): boolean {
    for (let i = 0; i < conditions.length; i++) {
      const c = conditions[i]!;
      if (c.kind === "float" ? !this.#compares(c.param, c.op, c.threshold)
        : c.kind === "bool" ? this.bools.get(c.param) !== c.value : this.triggers.get(c.param) !== true) return false;
    }
    return true;
  }

  /** Takes back the triggers among the conditions. */
  consume(conditions: readonly Condition[]): void {
    for (let i = 0; i < conditions.length; i++) {
      const c = conditions[i]!;
      if (c.kind === "trigger") this.triggers.set(c.param, false);
    }
  }

  #compares(param: string, op: CompareOp, threshold: number): boolean {
    const value = this.floats.get(param)!;
    switch (op) {
      case ">": return value > threshold;
      case ">=": return value >= threshold;
      case "<": return value < threshold;
      case "<=": return value <= threshold;
      case "==": return Math.abs(value - threshold) <= EQUAL;
      case "!=": return Math.abs(value - threshold) > EQUAL;
    }
  }
}

/** @throws AnimArgumentError for an unknown operator */
export function requireOp(op: string): asserts op is CompareOp {
  if (op === ">" || op === ">=" || op === "<" || op === "<=" || op === "==" || op === "!=") return;
  throw new AnimArgumentError(`AnimStateMachine.addFloatCondition: op is ${show(op)}, expected ">", ">=", "<", "<=", "==" or "!=".`, { found: op });
}

/** @throws AnimNameError if no condition declares the parameter */
export function requireDeclared(method: string, kind: string, name: string, declared: ReadonlyMap<string, unknown>): void {
  if (declared.has(name)) return;
  throw new AnimNameError(
    `AnimStateMachine.${method}: no condition uses a ${kind} named ${show(name)}.${nearMatches(String(name), declared.keys())}`, { found: name });
}
