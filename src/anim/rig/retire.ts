/** Use after dispose. @internal */
import { AnimStateError } from "../errors.js";

/** What a disposed object still answers: `dispose` again, and whether it is gone, by which holders tell. */
const KEPT: ReadonlySet<string> = /* @__PURE__ */ new Set(["constructor", "dispose", "isGone", "requireAlive"]);

/** Marks the prototypes of objects that were disposed. */
const GONE: unique symbol = /* @__PURE__ */ Symbol("disposed");

/** By prototype: what stands in its place once an object of it was disposed. */
const RETIRED = /* @__PURE__ */ new WeakMap<object, object>();

/**
 * Makes every later call on a disposed object, getters included, throw AnimStateError, so that nothing reads or writes blocks
 * that belong to somebody else by now. Costs nothing while objects live: only the disposed one changes its prototype.
 * @param type - class name for messages
 */
export function retire(object: object, type: string): void {
  const prototype = Object.getPrototypeOf(object) as object;
  if (isRetired(object)) return;
  let retired = RETIRED.get(prototype);
  if (retired === undefined) {
    retired = Object.create(prototype, { [GONE]: { value: true } }) as object;
    for (let from = prototype; from !== Object.prototype; from = Object.getPrototypeOf(from) as object) {
      for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(from))) {
        if (KEPT.has(name) || Object.hasOwn(retired, name)) continue;
        const fail = (): never => {
          throw new AnimStateError(`${type}.${name}: this ${type} was disposed. Create a new one, or dispose it later.`);
        };
        Object.defineProperty(retired, name, typeof value === "function" ? { value: fail } : { get: fail, set: fail });
      }
    }
    RETIRED.set(prototype, retired);
  }
  Object.setPrototypeOf(object, retired);
}

/** Whether the object was disposed. */
export function isRetired(object: object): boolean {
  return (object as { [GONE]?: boolean })[GONE] === true;
}
