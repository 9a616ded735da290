import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimClip } from "../../../src/anim/index.js";
import { angleBetween, golden } from "./golden.js";

const data = golden("compress-golden.json");

function clipOf(kind: string, times: number[], values: number[][]): AnimClip {
  const clip = new AnimClip();
  clip.setTrackKeys(0, kind === "rotation" ? "rotation" : "position", times, values.flat());
  return clip;
}

function slerp(a: number[], b: number[], t: number): number[] {
  let dot = a.reduce((sum, v, i) => sum + v * b[i]!, 0);
  const sign = dot < 0 ? -1 : 1;
  dot = Math.min(1, Math.abs(dot));
  const angle = Math.acos(dot);
  const q = angle < 1e-5 ? a.map((v, i) => v + (sign * b[i]! - v) * t) : a.map((v, i) => (Math.sin((1 - t) * angle) * v + Math.sin(t * angle) * sign * b[i]!) / Math.sin(angle));
  const n = Math.hypot(...q);
  return q.map((v) => v / n);
}

/** Slow and obvious: the value of a list of keys at a time. */
function at(times: number[], values: number[][], time: number): number[] {
  let key = 0;
  while (key + 2 < times.length && times[key + 1]! <= time) key++;
  const u = Math.min(1, Math.max(0, (time - times[key]!) / (times[key + 1]! - times[key]!)));
  return values[0]!.length === 4 ? slerp(values[key]!, values[key + 1]!, u) : values[key]!.map((v, i) => v + (values[key + 1]![i]! - v) * u);
}

describe("AnimClip.compress", () => {
  for (const track of data.tracks) {
    for (const result of track.results) {
      it(`keeps as few keys as the golden methods, inside the tolerance: ${track.name} at ${result.tolerance}`, () => {
        const rotation = track.kind === "rotation", clip = clipOf(track.kind, track.times, track.values);
        const report = clip.compress(rotation ? 0 : result.tolerance, rotation ? result.tolerance : 0, 0);
        const name = rotation ? "Rotation" : "Position", api = clip as any;
        const count = api[`get${name}KeyCount`](0) as number;
        expect(count).toBeGreaterThanOrEqual(result.optimalKeyCount);
        expect(count).toBeLessThanOrEqual(Math.max(result.rdp.keyCount, result.greedy.keyCount));
        expect(rotation ? report.removedRotation : report.removedPosition).toBe(track.times.length - count);

        // Kept keys are original keys, bit for bit; the ends among them.
        const times: number[] = [], values: number[][] = [];
        for (let key = 0; key < count; key++) {
          times.push(api[`get${name}KeyTime`](0, key));
          values.push([..."XYZW"].slice(0, rotation ? 4 : 3).map((axis) => api[`get${name}Key${axis}`](0, key)));
        }
        const source = track.times.map(Math.fround) as number[];
        for (const time of times) expect(source).toContain(time);
        expect([times[0], times.at(-1)]).toEqual([source[0], source.at(-1)]);

        const size = Math.max(...track.values.flat().map(Math.abs)), floor = rotation ? 1e-4 : 1e-6 * size;
        let worst = 0;
        for (let key = 0; key + 1 < source.length; key++) {
          for (let i = 0; i <= 8; i++) {
            const time = source[key]! + ((source[key + 1]! - source[key]!) * i) / 8;
            const a = at(source, track.values, time), b = at(times, values, time);
            worst = Math.max(worst, rotation ? (angleBetween(a, b) * 180) / Math.PI : Math.hypot(...a.map((v, k) => v - b[k]!)));
          }
        }
        expect(worst).toBeLessThanOrEqual(result.tolerance * (1 + 1e-6) + floor);
        expect(Math.abs((rotation ? report.maxRotationErrorDegrees : report.maxPositionError) - worst)).toBeLessThan(floor + (rotation ? 1e-4 : 1e-5));
      });
    }
  }

  it("drops repeated values of step tracks only, leaves cubic tracks and everything else alone", () => {
    const clip = new AnimClip("c");
    for (let k = 0; k < 6; k++) clip.addScaleKey(0, k, Math.floor(k / 2), 1, 1);
    clip.setTrackInterpolation(0, "scale", "step");
    for (let k = 0; k < 6; k++) clip.addPositionKey(1, k, 1, 1, 1);
    clip.setTrackInterpolation(1, "position", "cubicSpline");
    clip.addEvent(1, "e");
    clip.addSyncMarker(2, "m");
    const report = clip.compress(1, 1, 1);
    expect([0, 1, 2, 3].map((k) => clip.getScaleKeyTime(0, k))).toEqual([0, 2, 4, 5]);
    expect(report.removedScale).toBe(2);
    expect(clip.getPositionKeyCount(1)).toBe(6);
    expect([clip.getEventCount(), clip.getSyncMarkerCount(), clip.getDuration(), clip.getName()]).toEqual([1, 1, 5, "c"]);
    expect(() => clip.compress(-1, 0, 0)).toThrow(AnimArgumentError);
    expect(() => clip.compress(0, NaN, 0)).toThrow(AnimArgumentError);
  });
});

describe("AnimClip.applyPlanarRootMotion", () => {
  it("adds a ground speed to the keys, and makes them where there are none", () => {
    const clip = new AnimClip();
    clip.addPositionKey(0, 0, 1, 2, 3);
    clip.addPositionKey(0, 2, 1, 2, 3);
    clip.applyPlanarRootMotion(0, 1.5, -2);
    expect([clip.getPositionKeyX(0, 1), clip.getPositionKeyY(0, 1), clip.getPositionKeyZ(0, 1)]).toEqual([4, 2, -1]);
    clip.applyPlanarRootMotion(1, 1, 1);
    expect(clip.getPositionKeyCount(1)).toBe(2);
    expect(clip.getPositionKeyX(1, 1)).toBe(2);
    expect(() => clip.applyPlanarRootMotion(-1, 1, 1)).toThrow();
    expect(() => clip.applyPlanarRootMotion(0, Infinity, 1)).toThrow(AnimArgumentError);
  });
});
