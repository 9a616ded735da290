import type { CurveTimeline } from "../../timelines/curve-timeline.js";
import type { CurvesDocument } from "../document.js";

const TABLE = 18;
const scratch = new Float32Array(TABLE);

/**
 * The interpolation of a timeline as control points: those that it was loaded from where they still give the stored
 * samples, else the ones that fit the samples best.
 * @param keys - times and values as they are written
 * @param components - interpolated values per key
 * @param percent - whether the value axis runs from 0 to 1 (deform) instead of from key to key
 */
export function describeCurves(timeline: CurveTimeline, keys: readonly number[], components: number, percent: boolean): CurvesDocument | null {
  const { curves, _source: source } = timeline;
  const entries = timeline.getFrameEntries(), frameCount = timeline.getFrameCount();
  const types: number[] = [], controls: number[] = [];
  let curved = false;
  for (let key = 0; key < frameCount; key++) {
    const type = key === frameCount - 1 ? 0 : Math.min(2, curves[key]!);
    types.push(type);
    curved ||= type !== 0;
    if (type !== 2) continue;
    for (let i = 0; i < components; i++) {
      const table = curves[key]! - 2 + i * TABLE;
      const at = key * entries;
      const t1 = keys[at]!, t2 = keys[at + entries]!;
      const v1 = percent ? 0 : keys[at + 1 + i]!, v2 = percent ? 1 : keys[at + entries + 1 + i]!;
      const read = ((table - frameCount) / TABLE) * 4;
      if (source !== null && read + 4 <= source.handles.length) {
        const [cx1, cy1, cx2, cy2] = source.handles.subarray(read, read + 4);
        timeline._fillTable(scratch, 0, [t1, v1, cx1!, cy1!, cx2!, cy2!, t2, v2]);
        if (scratch.every((value, n) => value === curves[table + n])) {
          controls.push(cx1!, cy1!, cx2!, cy2!);
          continue;
        }
      }
      const x = solve(curves, table, t1, t2), y = solve(curves, table + 1, v1, v2);
      controls.push(x[0], y[0], x[1], y[1]);
    }
  }
  return curved ? { types, controls } : null;
}

/**
 * Times and values of all keys. Ends of curves that were read and not edited are in the precision of the file, as the
 * samples are made of those.
 */
export function describeKeys(timeline: CurveTimeline): number[] {
  const keys = Array.from(timeline._frames);
  const source = timeline._source;
  if (source === null || !timeline._isAsRead) return keys;
  const entries = timeline.getFrameEntries(), components = Math.min(timeline._components, entries - 1);
  for (let key = 0; (key + 1) * entries < keys.length; key++) {
    if (source.types[key] !== 2) continue;
    for (const start of [key * entries, (key + 1) * entries]) {
      for (let i = start; i <= start + components; i++) keepFiner(keys, i, source.keys[i]!);
    }
  }
  return keys;
}

function keepFiner(keys: number[], i: number, fine: number): void {
  if (Math.fround(fine) === keys[i]) keys[i] = fine;
}

/**
 * Inner control values of a cubic whose end values and nine samples at u = 0.1 .. 0.9 are known: least squares of
 * B(u) - (1-u)³ p0 - u³ p3 = 3u(1-u)² p1 + 3u²(1-u) p2.
 */
function solve(curves: Float32Array, at: number, p0: number, p3: number): [number, number] {
  let aa = 0, ab = 0, bb = 0, ar = 0, br = 0;
  for (let i = 0; i < 9; i++) {
    const u = (i + 1) / 10, v = 1 - u;
    const a = 3 * u * v * v, b = 3 * u * u * v;
    const rest = curves[at + i * 2]! - v * v * v * p0 - u * u * u * p3;
    aa += a * a;
    ab += a * b;
    bb += b * b;
    ar += a * rest;
    br += b * rest;
  }
  const det = aa * bb - ab * ab;
  return [Math.fround((ar * bb - br * ab) / det), Math.fround((br * aa - ar * ab) / det)];
}
