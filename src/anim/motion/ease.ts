import { motion } from "../../wasm/motion.js";
import { heap } from "../../wasm/heap.js";
import { COLUMN_BYTES, Column, EASE_CUSTOM, LANES, Page } from "../../../assembly/layout/motion.js";
import { AnimNameError } from "../errors.js";
import { checkNumber } from "../module/check.js";

/** A curve over linear progress 0..1. It should be 0 at 0 and 1 at 1, and must return finite numbers. */
export type EaseFn = (t: number) => number;
type Family = "Sine" | "Quad" | "Cubic" | "Quart" | "Quint" | "Expo" | "Circ" | "Back" | "Elastic" | "Bounce";
/** The 31 named eases. */
export type EaseName = "linear" | `${"in" | "out" | "inOut"}${Family}`;
/** A named or registered ease, `""` for linear, or a function. */
export type EaseKind = EaseName | "" | EaseFn | (string & {});

function allNames(): readonly EaseName[] {
  const families = "Sine Quad Cubic Quart Quint Expo Circ Back Elastic Bounce".split(" ") as Family[];
  return ["linear", ...families.flatMap((family) => [`in${family}`, `out${family}`, `inOut${family}`] as const)];
}

/** Names of all eases, linear first, then in, out and inOut of each family. The index is the kernel's ease number. */
export const EASE_NAMES: readonly EaseName[] = /* @__PURE__ */ allNames();

/** An ease as kernels know it. @internal */
export class Ease {
  /** Back: overshoot. Elastic: amplitude, angular frequency, phase. */
  constructor(
    readonly name: string,
    /** 0..30, or EASE_CUSTOM. */
    readonly id: number,
    /** Two eases with the same code share pages: the id, or a number of its own where parameters differ. */
    readonly code: number,
    readonly fn: EaseFn | null,
    readonly a = 0,
    readonly b = 0,
    readonly c = 0,
  ) {}
}

const TAU = 2 * Math.PI;
/** What motions have that name no ease. @internal */
export const LINEAR = /* @__PURE__ */ new Ease("linear", 0, 0, null);
const named = /* @__PURE__ */ new Map<string, Ease>();
/** Eases behind functions: parametric ones, and custom functions that were used before. */
const byFunction = /* @__PURE__ */ new WeakMap<EaseFn, Ease>();

/** Gives a function the kernel ease that computes the same. @internal */
export function attachEase(fn: EaseFn, ease: Ease): void {
  byFunction.set(fn, ease);
}

/** Understands names with parameters; set by what carries the parametric eases. */
let parser: ((name: string) => Ease | null) | null = null;

/** Lets names with parameters be understood from here on. @internal */
export function parseEasesWith(parse: (name: string) => Ease | null): void {
  parser = parse;
}

/** Adds a name. @internal */
export function nameEase(name: string, fn: EaseFn): void {
  named.set(name, resolveEase(fn));
}

/** Whether `name` is a named or registered ease. @internal */
export function isEaseName(name: string): boolean {
  return named.has(name) || EASE_NAMES.includes(name as EaseName);
}

/**
 * The ease that a name or a function stands for.
 * @throws AnimNameError for an unknown name
 * @internal
 */
export function resolveEase(kind: EaseKind): Ease {
  if (typeof kind === "function") {
    let ease = byFunction.get(kind);
    if (ease === undefined) byFunction.set(kind, (ease = new Ease(kind.name || "custom", EASE_CUSTOM, EASE_CUSTOM, kind)));
    return ease;
  }
  const known = named.get(kind);
  if (known !== undefined) return known;
  const id = kind === "" ? 0 : EASE_NAMES.indexOf(kind as EaseName);
  if (id < 0) {
    const parsed = parser?.(String(kind));
    if (parsed) return parsed;
    // The wrong case and a missing in or out are the usual slips; a page that only tweens carries no edit distances.
    const near = EASE_NAMES.filter((name) => name.toLowerCase().includes(String(kind).toLowerCase().slice(0, 4))).slice(0, 5);
    throw new AnimNameError(`There is no ease "${String(kind)}".${near.length > 0 ? ` Did you mean ${near.join(", ")}?` : ""}`, { found: kind });
  }
  const mirrored = id % 3 === 0;
  const ease = id > 24 && id < 28
    ? new Ease(kind, id, id, null, 1, TAU / (mirrored ? 0.45 : 0.3), TAU / 4)
    : new Ease(EASE_NAMES[id]!, id, id, null, mirrored ? 1.70158 * 1.525 : 1.70158);
  named.set(kind, ease);
  return ease;
}

/** Enters an ease into a page. @internal */
export function writeEase(page: number, { id, a, b, c }: Ease): void {
  heap.i32[(page + Page.Ease) >> 2] = id;
  const { f64 } = heap;
  f64[(page + Page.EaseA) >> 3] = a;
  f64[(page + Page.EaseB) >> 3] = b;
  f64[(page + Page.EaseC) >> 3] = c;
}

/**
 * The value of a custom ease at `x`, which lies in 0..1.
 * @throws AnimArgumentError if the function returns anything but a finite number
 * @internal
 */
export function callEase({ fn, name }: Ease, x: number): number {
  const e = fn!(x);
  // The words are put together only for the error.
  return Number.isFinite(e) ? e : checkNumber(e, `The value of ease "${name}" at ${x}`);
}

/** A page of one motion from 0 to 1, whose progress is its slope. */
let scratch = 0;

/**
 * One eased value; `t` is clamped to 0..1. Motions do without: a page that has nothing else does not carry it.
 * @throws AnimArgumentError as callEase
 * @internal
 */
export function evaluateEase(ease: Ease, t: number): number {
  const x = t > 0 ? (t < 1 ? t : 1) : 0;
  if (ease.fn !== null) return callEase(ease, x);
  scratch ||= heap.alloc(Page.Columns + 6 * COLUMN_BYTES);
  const { f64, i32 } = heap;
  const columns = (scratch + Page.Columns) >> 3;
  i32[scratch >> 2] = i32[(scratch + Page.Components) >> 2] = i32[(scratch + Page.Stride) >> 2] = 1;
  f64[columns] = f64[columns + (Column.From + 1) * LANES] = 1;
  f64[columns + Column.Origin * LANES] = -1;
  f64[columns + Column.Slope * LANES] = x;
  writeEase(scratch, ease);
  motion.kernels.stepPages(scratch, 0, 0);
  return f64[columns + (Column.From + 2) * LANES]!;
}
