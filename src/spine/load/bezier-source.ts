import type { CurveTimeline } from "../timelines/curve-timeline.js";

/**
 * Control points of the Bezier curves of timelines that were loaded: cx1, cy1, cx2, cy2 per curve, in the order of the
 * tables. A timeline keeps only sampled points, from which writers could not tell the control points to the last bit.
 */
const sources = new WeakMap<CurveTimeline, Float32Array>();

/** Remembers the control points that a timeline's tables were made from. */
export function rememberControls(timeline: CurveTimeline, controls: Float32Array): void {
  sources.set(timeline, controls);
}

/** The remembered control points, if there are any. They may be stale: the timeline may have been edited since. */
export function rememberedControls(timeline: CurveTimeline): Float32Array | undefined {
  return sources.get(timeline);
}
