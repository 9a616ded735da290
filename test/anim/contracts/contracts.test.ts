import { describe, expect, it } from "vitest";
import { AnimStateError } from "../../../src/anim/index.js";
import { OsteonError } from "../../../src/errors.js";
import { type Specimen, SPECIMENS } from "./specimens.js";

/** What stands in for an argument, by the kind of the right one. */
const NONSENSE: Record<string, readonly unknown[]> = {
  number: [NaN, Infinity, -Infinity, null, "1", {}, [], true],
  string: [null, 5, NaN, {}, [], true],
  object: [NaN, 5, "x", true, {}, []],
};

/** Calls that take it: a name that is looked up and need not be there, a step that is not finite, arrays that are lists, plain objects of a renderer. */
function isLegal(method: string, right: unknown, wrong: unknown): boolean {
  if (/^(findBone|findSocket|hasState|getFloat|getBool|getTrigger|sampleCurve)$/.test(method)) return true;
  if (/^(setTriggerTimeout|raycast)$/.test(method) && wrong === Infinity) return true;
  if (/^(update|apply)$/.test(method) && typeof right === "number") return true;
  if (typeof right !== "object") return false;
  if (Array.isArray(wrong)) return Array.isArray(right) || ArrayBuffer.isView(right) || Object.getPrototypeOf(right) === Object.prototype;
  return typeof wrong === "object" && (Object.getPrototypeOf(right) === Object.prototype || ArrayBuffer.isView(right));
}

/** All that an object tells by getters without arguments. */
function tell({ object, calls }: Specimen): string {
  const told = Object.keys(calls).filter((method) => /^(get|is|has)/.test(method) && calls[method]!.length === 0).map((method) => {
    try {
      const value: unknown = object[method]();
      return typeof value === "object" ? typeof value : value;
    } catch {
      return "throws";
    }
  });
  return JSON.stringify(told);
}

describe.each(Object.keys(SPECIMENS))("%s", (name) => {
  const make = SPECIMENS[name]!;

  it("takes every right call", () => {
    for (const method of Object.keys(make().calls)) {
      const { object, calls } = make(), result: unknown = object[method](...calls[method]!);
      if (typeof result === "number") expect(result, method).toBeTypeOf("number");
      expect(Number.isNaN(result), method).toBe(false);
    }
  });

  it("refuses arguments that make no sense with an error of ours, and changes nothing", () => {
    for (const [method, right] of Object.entries(make().calls)) {
      for (let i = 0; i < right.length; i++) {
        for (const wrong of NONSENSE[typeof right[i]] ?? []) {
          if (isLegal(method, right[i], wrong)) continue;
          const specimen = make(), args = [...specimen.calls[method]!], before = tell(specimen);
          args[i] = wrong;
          let thrown: unknown;
          try {
            specimen.object[method](...args);
          } catch (error) {
            thrown = error;
          }
          const what = `${method}, argument ${i}: ${Array.isArray(wrong) ? "[]" : String(wrong)}`;
          expect(thrown, what).toBeInstanceOf(OsteonError);
          // Class and method, what was given, what was expected.
          expect((thrown as Error).message, what).toMatch(/^\w+\.\w+: .+/);
          expect(tell(specimen), what).toBe(before);
        }
      }
    }
  });

  it("lets no number in that becomes infinite in float32", () => {
    for (const [method, right] of Object.entries(make().calls)) {
      if (!/^(set|add)/.test(method)) continue;
      for (let i = 0; i < right.length; i++) {
        if (typeof right[i] !== "number" || /Lod|setPosition[12]D/.test(method)) continue;
        const { object, calls } = make(), args = [...calls[method]!];
        args[i] = 1e300;
        try {
          object[method](...args);
        } catch (error) {
          expect(error, method).toBeInstanceOf(OsteonError);
          continue;
        }
        expect(`${method}, argument ${i}`).toMatch(/setFloat|setSubstep|^add, argument 4/);
      }
    }
  });

  it("throws AnimStateError for every call after dispose, which may be repeated", () => {
    for (const method of Object.keys(make().calls)) {
      const { object, calls } = make();
      object.dispose();
      object.dispose();
      expect(() => object[method](...calls[method]!), method).toThrow(AnimStateError);
      expect(() => object[method](...calls[method]!), method).toThrow(/disposed/);
    }
  });
});

describe("objects that were disposed", () => {
  it("are refused as arguments, before anything changes", () => {
    for (const [name, make] of Object.entries(SPECIMENS)) {
      for (const [method, args] of Object.entries(make().calls)) {
        for (let i = 0; i < args.length; i++) {
          const specimen = make(), argument = specimen.calls[method]![i] as { dispose?: () => void } | null;
          if (typeof argument?.dispose !== "function" || argument === specimen.object) continue;
          // What the object itself holds on to fails elsewhere.
          if (name === "AnimSkin" || name === "AnimPose" || method === "setSkeleton") continue;
          const before = tell(specimen);
          argument.dispose();
          expect(() => specimen.object[method](...specimen.calls[method]!), `${name}.${method}`).toThrow(OsteonError);
          expect(tell(specimen), `${name}.${method}`).toBe(before);
        }
      }
    }
  });
});
