import type { ConstraintDocument, ConstraintType, CurvesDocument, FromDocument, NumberList } from "./document.js";
import type { LoadReport } from "./report.js";

/** Constraint types of the formats below 4.3, in the order in which old runtimes look for the next one. */
export const OLD_CONSTRAINT_TYPES = ["ik", "transform", "path", "physics"] as const;

/** A constraint of a format below 4.3 and its place in the update order. */
export interface OrderedConstraint {
  order: number;
  constraint: ConstraintDocument;
}

/**
 * Merges the constraint lists of a format below 4.3 into one, in the order in which old runtimes update them: for each
 * number the first constraint with that order. Constraints that this never picks come last, and the report says so.
 * @param lists - by type, each in file order
 */
export function mergeConstraints(lists: Readonly<Record<ConstraintType, readonly OrderedConstraint[]>>, report: LoadReport): ConstraintDocument[] {
  const all = OLD_CONSTRAINT_TYPES.flatMap((type) => lists[type]);
  const first = new Map<number, OrderedConstraint>();
  for (const item of all) if (!first.has(item.order)) first.set(item.order, item);
  const merged: ConstraintDocument[] = [];
  const picked = new Set<OrderedConstraint>();
  for (let i = 0; i < all.length; i++) {
    const item = first.get(i);
    if (item === undefined) continue;
    picked.add(item);
    merged.push(item.constraint);
  }
  for (const item of all) {
    if (picked.has(item)) continue;
    merged.push(item.constraint);
    report.note(
      "constraint-order",
      `The ${item.constraint.type} constraint '${item.constraint.name}' has the order ${item.order}, which is taken or too large; old runtimes never update it, now it is updated last.`,
    );
  }
  return merged;
}

/** What a transform constraint below 4.3 does, as 4.3 properties: each one to itself. */
export function identityProperties(): FromDocument[] {
  return [0, 1, 2, 3, 4, 5].map((property) => ({ property, offset: 0, to: [{ property, offset: 0, max: 100, scale: 1 }] }));
}

/** Notes what cannot be kept exactly of transform constraints below 4.3. */
export function noteTransform(constraint: ConstraintDocument, version: number, report: LoadReport): void {
  if (constraint.type !== "transform") return;
  const { mixes, offsets, name } = constraint;
  const note = (text: string): void => report.note("inexact-upgrade", `Transform constraint '${name}': ${text}`);
  if (constraint.localSource && !constraint.additive && (mixes[3] !== 0 || mixes[4] !== 0)) {
    note("local, absolute scale is mixed without dividing by the bone's own scale; the same only for bones of local scale 1.");
  }
  if (constraint.localSource && !constraint.additive && version < 42) note("local, absolute rotation and shear are no longer wrapped to half a turn.");
  if (!constraint.localSource && constraint.additive && mixes[5] !== 0 && mixes[5] !== 1) note("relative shear is no longer wrapped to half a turn before it is mixed.");
  if (!constraint.localSource && offsets[5] !== 0 && mixes[5] !== 0) note("the shear offset keeps its sign when the source bone is mirrored.");
  if (mixes[5]! < 0 || (version < 40 && mixes[3]! < 0)) note("a negative mix was ignored before and is applied now.");
}

/** Normalised control points of one segment per Bezier key: a, b, c, d of 0..1 in time and in value. */
export interface NormalisedCurves {
  types: number[];
  /** Four numbers per Bezier segment. */
  points: number[];
}

/**
 * Turns the curves of 3.x, one normalised curve for all values of a key, into absolute control points per component.
 * @param keys - time and values of all keys
 * @param entries - numbers per key
 * @param components - interpolated values per key; 0 for deform, whose values run from 0 to 1
 */
export function absoluteCurves(normalised: NormalisedCurves, keys: NumberList, entries: number, components: number): CurvesDocument {
  const { types, points } = normalised;
  const controls: number[] = [];
  let p = 0;
  for (let key = 0; key < types.length; key++) {
    if (types[key] !== 2) continue;
    const a = points[p]!, b = points[p + 1]!, c = points[p + 2]!, d = points[p + 3]!;
    p += 4;
    const k = key * entries;
    const t1 = keys[k]!, duration = keys[k + entries]! - t1;
    const cx1 = t1 + a * duration, cx2 = t1 + c * duration;
    if (components === 0) controls.push(cx1, b, cx2, d);
    for (let i = 1; i <= components; i++) {
      const v1 = keys[k + i]!, change = keys[k + entries + i]! - v1;
      controls.push(cx1, v1 + b * change, cx2, v1 + d * change);
    }
  }
  return { types, controls: new Float64Array(controls) };
}

/**
 * Rotation keys of 3.x go the shorter way; makes them plain numbers that do the same.
 * @param keys - time, angle per key; changed in place
 */
export function unwrapRotations(keys: NumberList): void {
  for (let i = 3; i < keys.length; i += 2) {
    const previous = keys[i - 2]!;
    const r = keys[i]! - previous;
    keys[i] = previous + (r - 360 * (16384 - Math.trunc(16384.499999999996 - r / 360)));
  }
}
