import { describe, expect, it } from "vitest";
import * as anim from "../../../src/anim/index.js";
import { golden } from "../../golden.js";

const { classes } = golden<{ classes: Record<string, string[]> }>("flat-names.json");

/** All method names of a class, inherited ones included. */
function methodsOf(constructor: { prototype: object }): Set<string> {
  const names = new Set<string>();
  for (let object = constructor.prototype; object !== Object.prototype; object = Object.getPrototypeOf(object) as object) {
    for (const name of Object.getOwnPropertyNames(object)) {
      if (typeof Object.getOwnPropertyDescriptor(object, name)!.value === "function") names.add(name);
    }
  }
  return names;
}

/** Factories of classes that another part of the module brings. */
const NEEDS: Record<string, string> = { newGraph: "AnimGraph", newStateMachine: "AnimStateMachine" };
const isThere = (method: string): boolean => NEEDS[method] === undefined || NEEDS[method] in anim;

describe("names of the quick reference", () => {
  for (const [name, methods] of Object.entries(classes)) {
    it(`${name} has its ${methods.length} methods`, () => {
      const constructor = (anim as unknown as Record<string, { prototype: object } | undefined>)[name];
      expect(constructor, `class ${name}`).toBeDefined();
      const present = [...methodsOf(constructor!)];
      const missing = methods.filter(isThere).filter((method) => (method.endsWith("*") ? !present.some((one) => one.startsWith(method.slice(0, -1))) : !present.includes(method)));
      expect(missing).toEqual([]);
    });
  }
});
