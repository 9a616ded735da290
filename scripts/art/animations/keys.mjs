// Keys from functions of time: a cubic Bezier per span that has the function's values and slopes at both ends.
import { bonesByName, round } from "../rig/bones.mjs";

const STEP = 1e-4;
const time = (t) => (t === 0 ? {} : { time: round(t, 4) });
const name = { translate: ["x", "y"], scale: ["x", "y"], shear: ["x", "y"] };

/**
 * Keys of a timeline with one or more values.
 * @param kind - timeline name; decides the key fields
 * @param times - key times, ascending
 * @param curve - t → number, or array of numbers
 */
export function keysOf(kind, times, curve) {
  const fields = name[kind] ?? ["value"];
  const values = (t) => [curve(t)].flat();
  return times.map((t, i) => {
    const key = { ...time(t) };
    const v = values(t);
    const standard = kind.startsWith("scale") ? 1 : 0;
    fields.forEach((field, k) => {
      if (round(v[k], 2) !== standard) key[field] = round(v[k], kind.startsWith("scale") ? 4 : 2);
    });
    if (i + 1 === times.length) return key;
    const end = times[i + 1], third = (end - t) / 3, next = values(end);
    const after = values(t + STEP), before = values(end - STEP);
    const bezier = fields.flatMap((_, k) => {
      const slopeOut = (after[k] - v[k]) / STEP, slopeIn = (next[k] - before[k]) / STEP;
      return [round(t + third, 4), round(v[k] + slopeOut * third, 3), round(end - third, 4), round(next[k] - slopeIn * third, 3)];
    });
    const flat = fields.every((_, k) => v[k] === next[k] && Math.abs(bezier[k * 4 + 1] - v[k]) < 0.01 && Math.abs(bezier[k * 4 + 3] - v[k]) < 0.01);
    return flat ? key : { ...key, curve: bezier };
  });
}

/** Evenly spaced times 0 … duration. */
export const evenly = (duration, spans) => Array.from({ length: spans + 1 }, (_, i) => (i * duration) / spans);

/** Sine of period `duration`, shifted so that its maximum lies at `peak` (in periods). */
export const wave = (duration, peak = 0.25, times = 1) => (t) => Math.cos(2 * Math.PI * times * (t / duration - peak));

/**
 * Smooth curve through [time, value] points: monotone cubic, so that it rests at its extremes and never overshoots.
 * With `loop`, first and last point are the same moment.
 */
export function through(points, loop = false) {
  const n = points.length;
  const slope = (i) => (points[i + 1][1] - points[i][1]) / (points[i + 1][0] - points[i][0]);
  const tangents = points.map((_, i) => {
    if (!loop && (i === 0 || i === n - 1)) return 0;
    const left = i === 0 || i === n - 1 ? slope(n - 2) : slope(i - 1);
    const right = i === 0 || i === n - 1 ? slope(0) : slope(i);
    return left * right <= 0 ? 0 : (2 * left * right) / (left + right);
  });
  return (t) => {
    let i = 0;
    while (i < n - 2 && t >= points[i + 1][0]) i++;
    const h = points[i + 1][0] - points[i][0];
    const u = Math.min(Math.max((t - points[i][0]) / h, 0), 1), u2 = u * u, u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * points[i][1] + (u3 - 2 * u2 + u) * h * tangents[i]
      + (3 * u2 - 2 * u3) * points[i + 1][1] + (u3 - u2) * h * tangents[i + 1];
  };
}

/** Keys at the times of the points of `through`. */
export const throughKeys = (kind, points, loop = false) => keysOf(kind, points.map(([t]) => t), through(points, loop));

/** Keys of a two-valued timeline through [time, x, y] points. */
export function throughKeys2(kind, points, loop = false) {
  const x = through(points.map(([t, v]) => [t, v]), loop), y = through(points.map(([t, , v]) => [t, v]), loop);
  return keysOf(kind, points.map(([t]) => t), (t) => [x(t), y(t)]);
}

/** A world offset as an offset in the space of a bone's parent (setup pose), for translate keys. */
export function inParent(bone, dx, dy) {
  const { parent } = bonesByName.get(bone);
  const angle = (-bonesByName.get(parent).rotation * Math.PI) / 180;
  const cos = Math.cos(angle), sin = Math.sin(angle);
  return [dx * cos - dy * sin, dx * sin + dy * cos];
}

/** Sets the attachment of a slot at times: [[time, name | null], …]. */
export const attachmentKeys = (...keys) => ({ attachment: keys.map(([t, n]) => ({ ...time(t), ...(n === null ? {} : { name: n }) })) });
