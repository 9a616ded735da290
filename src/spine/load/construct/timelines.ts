import type { Attachment } from "../../attachments/attachment.js";
import { VertexAttachment } from "../../attachments/vertex-attachment.js";
import type { SkeletonData } from "../../data/skeleton-data.js";
import { Event } from "../../model/event.js";
import {
  AlphaTimeline, AttachmentTimeline, DeformTimeline, DrawOrderFolderTimeline, DrawOrderTimeline, EventTimeline, IkConstraintTimeline,
  InheritTimeline, PathConstraintMixTimeline, PathConstraintPositionTimeline, PathConstraintSpacingTimeline,
  PhysicsConstraintDampingTimeline, PhysicsConstraintGravityTimeline, PhysicsConstraintInertiaTimeline, PhysicsConstraintMassTimeline,
  PhysicsConstraintMixTimeline, PhysicsConstraintResetTimeline, PhysicsConstraintStrengthTimeline, PhysicsConstraintWindTimeline,
  RGB2Timeline, RGBA2Timeline, RGBATimeline, RGBTimeline, RotateTimeline, ScaleTimeline, ScaleXTimeline, ScaleYTimeline, SequenceTimeline,
  ShearTimeline, ShearXTimeline, ShearYTimeline, SliderMixTimeline, SliderTimeline, TransformConstraintTimeline, TranslateTimeline,
  TranslateXTimeline, TranslateYTimeline, type CurveTimeline, type Timeline,
} from "../../timelines/index.js";
import {
  CURVE_COMPONENTS,
  curveEntries,
  type ConstraintDocument,
  type CurveKind,
  type CurveTimelineDocument,
  type CurvesDocument,
  type DeformFrameDocument,
  type DeformTimelineDocument,
  type EventTimelineDocument,
  type NumberList,
  type SequenceTimelineDocument,
  type SkeletonDocument,
  type TimelineDocument,
} from "../document.js";
import type { CurveSource } from "../../timelines/curve-timeline.js";
import type { SinglePool } from "../number-pool.js";

type CurveClass = new (frameCount: number, bezierCount: number, target: number) => CurveTimeline;

/** The class of each kind of timeline with interpolation. */
export const CURVE_CLASSES: Readonly<Record<CurveKind, CurveClass>> = {
  rgba: RGBATimeline, rgb: RGBTimeline, rgba2: RGBA2Timeline, rgb2: RGB2Timeline, alpha: AlphaTimeline,
  rotate: RotateTimeline, translate: TranslateTimeline, translatex: TranslateXTimeline, translatey: TranslateYTimeline,
  scale: ScaleTimeline, scalex: ScaleXTimeline, scaley: ScaleYTimeline, shear: ShearTimeline, shearx: ShearXTimeline, sheary: ShearYTimeline,
  ik: IkConstraintTimeline, transform: TransformConstraintTimeline,
  pathPosition: PathConstraintPositionTimeline, pathSpacing: PathConstraintSpacingTimeline, pathMix: PathConstraintMixTimeline,
  inertia: PhysicsConstraintInertiaTimeline, strength: PhysicsConstraintStrengthTimeline, damping: PhysicsConstraintDampingTimeline,
  mass: PhysicsConstraintMassTimeline, wind: PhysicsConstraintWindTimeline, gravity: PhysicsConstraintGravityTimeline,
  physicsMix: PhysicsConstraintMixTimeline, sliderTime: SliderTimeline, sliderMix: SliderMixTimeline,
};

/** What building a timeline needs to know. */
export interface TimelineContext {
  document: SkeletonDocument;
  data: SkeletonData;
  scale: number;
  /** Where frames are kept. */
  frames: SinglePool;
}

/** The attachment that a timeline is for, null if it was left out. */
function attachmentOf(source: DeformTimelineDocument | SequenceTimelineDocument, { data }: TimelineContext): Attachment | null {
  return data.skins[source.skin]!.getAttachment(source.target, source.placeholder);
}

/** @returns undefined if the timeline's attachment was left out */
export function buildTimeline(source: TimelineDocument, context: TimelineContext): Timeline | undefined {
  switch (source.kind) {
    case "attachment": {
      const timeline = new AttachmentTimeline(source.times.length, source.target);
      source.times.forEach((time, i) => timeline.setFrame(i, time, source.names[i]!));
      return timeline;
    }
    case "inherit": {
      const timeline = new InheritTimeline(source.keys.length / 2, source.target);
      for (let i = 0; i < source.keys.length; i += 2) timeline.setFrame(i / 2, source.keys[i]!, source.keys[i + 1]!);
      return timeline;
    }
    case "reset": {
      const timeline = new PhysicsConstraintResetTimeline(source.keys.length, source.target);
      source.keys.forEach((time, i) => timeline.setFrame(i, time));
      return timeline;
    }
    case "deform":
      return buildDeform(source, context);
    case "sequence": {
      const attachment = attachmentOf(source, context);
      if (attachment === null) return undefined;
      const timeline = new SequenceTimeline(source.keys.length / 4, source.target, attachment);
      const { keys } = source;
      for (let i = 0; i < keys.length; i += 4) timeline.setFrame(i / 4, keys[i]!, keys[i + 1]!, keys[i + 2]!, keys[i + 3]!);
      return timeline;
    }
    case "drawOrder": {
      const timeline = new DrawOrderTimeline(source.times.length);
      source.times.forEach((time, i) => timeline.setFrame(i, time, source.orders[i]!));
      return timeline;
    }
    case "drawOrderFolder": {
      const timeline = new DrawOrderFolderTimeline(source.times.length, source.slots, context.document.slots.length);
      source.times.forEach((time, i) => timeline.setFrame(i, time, source.orders[i]!));
      return timeline;
    }
    case "event":
      return buildEvents(source, context.data);
    default:
      return buildCurve(source, context);
  }
}

/** Which value of a key is multiplied by the loader's scale: -1 none, 0 all, else its place in the key. */
export function scaledValue(kind: CurveKind, constraint: ConstraintDocument | undefined): number {
  switch (kind) {
    case "translate":
    case "translatex":
    case "translatey":
      return 0;
    case "ik":
      return 2;
    case "pathPosition":
      return constraint?.type === "path" && constraint.positionMode === 0 ? 0 : -1;
    case "pathSpacing":
      return constraint?.type === "path" && constraint.spacingMode < 2 ? 0 : -1;
    default:
      return -1;
  }
}

function buildCurve(source: CurveTimelineDocument, { document, scale, frames: pool }: TimelineContext): CurveTimeline {
  const { kind, keys, curves } = source;
  const scaled = scale === 1 ? -1 : scaledValue(kind, document.constraints[source.target]);
  if (scaled >= 0) scaleKeys(source, curveEntries(kind), CURVE_COMPONENTS[kind], scaled, scale);
  let frames: Float32Array;
  if (keys instanceof Float32Array) frames = keys;
  else {
    frames = pool.take(keys.length);
    for (let i = 0; i < keys.length; i++) frames[i] = keys[i]!;
  }
  // The constructor of Timeline takes the frames themselves, too.
  const timeline = new CURVE_CLASSES[kind](frames as unknown as number, curves === null ? 0 : curves.controls.length >> 2, source.target);
  if (curves !== null) timeline._source = curveSource(curves, keys);
  return timeline;
}

/** Keys and handles in one precision: single if both are, as in binary files. */
function curveSource({ types, controls }: CurvesDocument, keys: NumberList): CurveSource {
  if (keys instanceof Float32Array && controls instanceof Float32Array) return { types, handles: controls, keys };
  return { types, handles: doubles(controls), keys: doubles(keys) };
}

function doubles(values: NumberList): Float64Array {
  return values instanceof Float64Array ? values : new Float64Array(values);
}

/** Multiplies values and handles in place. @param scaled - which value of a key, 0 for all */
function scaleKeys({ keys, curves }: CurveTimelineDocument, entries: number, components: number, scaled: number, scale: number): void {
  for (let i = 0; i < keys.length; i++) {
    const place = i % entries;
    if (place !== 0 && (scaled === 0 || scaled === place)) keys[i] = keys[i]! * scale;
  }
  if (curves === null) return;
  const { controls } = curves;
  for (let c = 0; c < controls.length; c += 4) {
    if (scaled !== 0 && scaled !== ((c / 4) % components) + 1) continue;
    controls[c + 1] = controls[c + 1]! * scale;
    controls[c + 3] = controls[c + 3]! * scale;
  }
}

const UNDEFORMED: DeformFrameDocument = { offset: 0, values: [] };

function buildDeform(source: DeformTimelineDocument, context: TimelineContext): DeformTimeline | undefined {
  const attachment = attachmentOf(source, context);
  if (!(attachment instanceof VertexAttachment)) return undefined;
  const { times, frames, curves } = source;
  const timeline = new DeformTimeline(times.length, curves === null ? 0 : curves.controls.length / 4, source.target, attachment);
  const setup = attachment._vertices;
  const weighted = attachment._bones !== null;
  const length = weighted ? (setup.length / 3) * 2 : setup.length;
  // Keys without values share one array: a key of a few bytes must not cost a whole mesh.
  let still: Float32Array | null = null;
  for (let i = 0; i < times.length; i++) {
    const frame = frames[i]!;
    if (frame === null) still ??= deformFrame(UNDEFORMED, length, weighted ? null : setup, 1);
    timeline._frames[i] = times[i]!;
    timeline.vertices[i] = frame === null ? still! : deformFrame(frame, length, weighted ? null : setup, context.scale);
  }
  if (curves !== null) timeline._source = curveSource(curves, times);
  return timeline;
}

/** The stored values of a deform key: offsets of weighted vertices, or positions. */
function deformFrame({ offset, values }: DeformFrameDocument, length: number, setup: ArrayLike<number> | null, scale: number): Float32Array {
  const result = new Float32Array(length);
  result.set(values, offset);
  if (scale !== 1) for (let i = offset; i < offset + values.length; i++) result[i] = result[i]! * scale;
  if (setup !== null) for (let i = 0; i < length; i++) result[i] = result[i]! + setup[i]!;
  return result;
}

function buildEvents(source: EventTimelineDocument, data: SkeletonData): EventTimeline {
  const timeline = new EventTimeline(source.keys.length);
  source.keys.forEach((key, i) => {
    const event = new Event(Math.fround(key.time), data.events[key.event]!);
    event.intValue = key.int;
    event.floatValue = key.float;
    event.stringValue = key.string;
    event.volume = key.volume;
    event.balance = key.balance;
    timeline.setFrame(i, event);
  });
  return timeline;
}
