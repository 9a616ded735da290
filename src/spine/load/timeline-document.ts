/**
 * Timelines of a skeleton document: plain data with targets as indices. See document.ts.
 */

/** Numbers; in single precision already where they come from a binary file. */
export type NumberList = number[] | Float32Array | Float64Array;

/** Timelines with interpolation. */
export type CurveKind =
  | "rgba" | "rgb" | "rgba2" | "rgb2" | "alpha"
  | "rotate" | "translate" | "translatex" | "translatey" | "scale" | "scalex" | "scaley" | "shear" | "shearx" | "sheary"
  | "ik" | "transform"
  | "pathPosition" | "pathSpacing" | "pathMix"
  | "inertia" | "strength" | "damping" | "mass" | "wind" | "gravity" | "physicsMix"
  | "sliderTime" | "sliderMix";

export interface CurveTimelineDocument {
  kind: CurveKind;
  /** Slot, bone or constraint index, by kind; -1 for all physics constraints. */
  target: number;
  /**
   * Keys one after another: time, then values. IK keys are time, mix, softness, bend direction (1 or -1), compress,
   * stretch (0 or 1); colours are 0..1.
   */
  keys: NumberList;
  curves: CurvesDocument | null;
}

/** Interpolation after each key but the last; null stands for all linear. */
export interface CurvesDocument {
  /** Per key: 0 linear, 1 stepped, 2 Bezier. */
  types: number[];
  /** Per Bezier segment, per component: cx1, cy1, cx2, cy2. */
  controls: NumberList;
}

export interface AttachmentTimelineDocument {
  kind: "attachment";
  target: number;
  times: number[];
  names: (string | null)[];
}

/** `inherit`: time, inherit mode per key. `reset`: time per key. */
export interface SteppedTimelineDocument {
  kind: "inherit" | "reset";
  target: number;
  keys: number[];
}

export interface DeformTimelineDocument {
  kind: "deform";
  skin: number;
  /** Slot index. */
  target: number;
  placeholder: string;
  times: number[];
  curves: CurvesDocument | null;
  /** Per key: values from `offset` on, as the file has them; null for the undeformed shape. */
  frames: (DeformFrameDocument | null)[];
}

export interface DeformFrameDocument {
  offset: number;
  values: NumberList;
}

export interface SequenceTimelineDocument {
  kind: "sequence";
  skin: number;
  target: number;
  placeholder: string;
  /** time, mode, index, delay per key. */
  keys: number[];
}

export interface DrawOrderTimelineDocument {
  kind: "drawOrder";
  times: number[];
  /** Per key: index of the slot drawn i-th; null for setup order. */
  orders: (number[] | null)[];
}

export interface DrawOrderFolderTimelineDocument {
  kind: "drawOrderFolder";
  slots: number[];
  times: number[];
  /** Per key: positions within `slots`; null for setup order. */
  orders: (number[] | null)[];
}

export interface EventKeyDocument {
  time: number;
  event: number;
  int: number;
  float: number;
  string: string;
  volume: number;
  balance: number;
}

export interface EventTimelineDocument {
  kind: "event";
  keys: EventKeyDocument[];
}

export type TimelineDocument =
  | CurveTimelineDocument
  | AttachmentTimelineDocument
  | SteppedTimelineDocument
  | DeformTimelineDocument
  | SequenceTimelineDocument
  | DrawOrderTimelineDocument
  | DrawOrderFolderTimelineDocument
  | EventTimelineDocument;

/** Interpolated components of each kind, which is also the number of values per key except for `ik` (5). */
export const CURVE_COMPONENTS: Readonly<Record<CurveKind, number>> = {
  rgba: 4, rgb: 3, rgba2: 7, rgb2: 6, alpha: 1,
  rotate: 1, translate: 2, translatex: 1, translatey: 1, scale: 2, scalex: 1, scaley: 1, shear: 2, shearx: 1, sheary: 1,
  ik: 2, transform: 6,
  pathPosition: 1, pathSpacing: 1, pathMix: 3,
  inertia: 1, strength: 1, damping: 1, mass: 1, wind: 1, gravity: 1, physicsMix: 1,
  sliderTime: 1, sliderMix: 1,
};

/** Numbers per key of a curve timeline: the time and all values. */
export function curveEntries(kind: CurveKind): number {
  return kind === "ik" ? 6 : 1 + CURVE_COMPONENTS[kind];
}
