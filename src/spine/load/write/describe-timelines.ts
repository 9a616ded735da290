import type { Attachment } from "../../attachments/attachment.js";
import type { Animation } from "../../animation.js";
import type { EventData } from "../../data/event-data.js";
import type { SkeletonData } from "../../data/skeleton-data.js";
import {
  AttachmentTimeline, CurveTimeline, DeformTimeline, DrawOrderFolderTimeline, DrawOrderTimeline, EventTimeline, InheritTimeline,
  PhysicsConstraintResetTimeline, SequenceTimeline, type Timeline,
} from "../../timelines/index.js";
import { CURVE_CLASSES } from "../construct/timelines.js";
import { CURVE_COMPONENTS, type CurveKind, type DeformFrameDocument, type DeformTimelineDocument, type TimelineDocument } from "../document.js";
import { describeCurves, describeKeys } from "./describe-curves.js";
import { cannotWrite } from "./failure.js";

/** Where an attachment is kept. */
export interface AttachmentPlace {
  skin: number;
  slot: number;
  placeholder: string;
}

const kinds = Object.keys(CURVE_CLASSES) as CurveKind[];

/** @param places - where each attachment is kept in skins */
export function describeTimeline(timeline: Timeline, animation: Animation, data: SkeletonData, places: ReadonlyMap<Attachment, AttachmentPlace[]>): TimelineDocument {
  const place = (attachment: Attachment, slot: number): AttachmentPlace => {
    const found = places.get(attachment)?.find((item) => item.slot === slot);
    return found ?? cannotWrite("A skeleton file", `a timeline of animation '${animation.name}' for attachment '${attachment.name}', which is in no skin`, "Add the attachment to a skin of the skeleton data.");
  };
  if (timeline instanceof DeformTimeline) return describeDeform(timeline, place(timeline.attachment, timeline.slotIndex));
  if (timeline instanceof SequenceTimeline) {
    const { skin, slot, placeholder } = place(timeline.attachment, timeline.slotIndex);
    const keys: number[] = [];
    const { _frames: frames } = timeline;
    for (let i = 0; i < frames.length; i += 3) keys.push(frames[i]!, frames[i + 1]! & 15, frames[i + 1]! >> 4, frames[i + 2]!);
    return { kind: "sequence", skin, target: slot, placeholder, keys };
  }
  if (timeline instanceof CurveTimeline) {
    const kind = kinds.find((item) => timeline.constructor === CURVE_CLASSES[item]) ?? kinds.find((item) => timeline instanceof CURVE_CLASSES[item]);
    if (kind !== undefined) {
      const keys = describeKeys(timeline);
      return { kind, target: targetOf(timeline), keys, curves: describeCurves(timeline, keys, CURVE_COMPONENTS[kind], false) };
    }
  }
  if (timeline instanceof AttachmentTimeline) return { kind: "attachment", target: timeline.slotIndex, times: Array.from(timeline._frames), names: [...timeline.attachmentNames] };
  if (timeline instanceof InheritTimeline) return { kind: "inherit", target: timeline.boneIndex, keys: Array.from(timeline._frames) };
  if (timeline instanceof PhysicsConstraintResetTimeline) return { kind: "reset", target: timeline.constraintIndex, keys: Array.from(timeline._frames) };
  if (timeline instanceof DrawOrderTimeline) return { kind: "drawOrder", times: Array.from(timeline._frames), orders: copyOrders(timeline.drawOrders) };
  if (timeline instanceof DrawOrderFolderTimeline) {
    return { kind: "drawOrderFolder", slots: [...timeline.slots], times: Array.from(timeline._frames), orders: copyOrders(timeline.drawOrders) };
  }
  if (timeline instanceof EventTimeline) {
    const indices = new Map<EventData, number>(data.events.map((event, i) => [event, i]));
    return {
      kind: "event",
      keys: timeline.events.map((event) => ({
        time: event.time,
        event: indices.get(event.data) ?? cannotWrite("A skeleton file", `an event '${event.data.name}' that is not in the skeleton data`, "Add it to events."),
        int: event.intValue,
        float: event.floatValue,
        string: event.stringValue ?? event.data.setupPose.stringValue ?? "",
        volume: event.volume,
        balance: event.balance,
      })),
    };
  }
  return cannotWrite("A skeleton file", `a ${timeline.constructor.name} (animation '${animation.name}')`, "Remove timelines of classes of your own first.");
}

function targetOf(timeline: CurveTimeline): number {
  const { boneIndex, slotIndex, constraintIndex } = timeline as { boneIndex?: number; slotIndex?: number; constraintIndex?: number };
  return boneIndex ?? slotIndex ?? constraintIndex ?? 0;
}

function copyOrders(orders: readonly (readonly number[] | null)[]): (number[] | null)[] {
  return orders.map((order) => (order === null ? null : [...order]));
}

function describeDeform(timeline: DeformTimeline, { skin, slot, placeholder }: AttachmentPlace): DeformTimelineDocument {
  const { attachment } = timeline;
  const setup = attachment._bones === null ? attachment._vertices : null;
  const times = describeKeys(timeline);
  return {
    kind: "deform",
    skin,
    target: slot,
    placeholder,
    times,
    curves: describeCurves(timeline, times, 1, true),
    frames: timeline.vertices.map((values) => describeFrame(values, setup)),
  };
}

/**
 * The values that a file has for a deform key, without the zeros at both ends.
 * @param setup - what unweighted values are relative to
 */
export function describeFrame(values: ArrayLike<number>, setup: ArrayLike<number> | null): DeformFrameDocument | null {
  const offsets: number[] = [];
  let first = -1, last = -1;
  for (let i = 0; i < values.length; i++) {
    const offset = setup === null ? values[i]! : difference(values[i]!, setup[i]!);
    offsets.push(offset);
    // A negative zero is a value.
    if (!Object.is(offset, 0)) {
      if (first < 0) first = i;
      last = i;
    }
  }
  return first < 0 ? null : { offset: first, values: offsets.slice(first, last + 1) };
}

/** A single-precision number that, added to `setup`, gives `value` exactly. */
function difference(value: number, setup: number): number {
  if (Object.is(value, setup)) return Object.is(setup, -0) ? -0 : 0;
  const offset = Math.fround(value - setup);
  if (Math.fround(offset + setup) === value) return offset;
  // The rounded difference may miss by one place.
  const bits = new Int32Array(new Float32Array([offset]).buffer);
  for (const step of [1, -1]) {
    const neighbour = new Float32Array(new Int32Array([bits[0]! + step]).buffer)[0]!;
    if (Math.fround(neighbour + setup) === value) return neighbour;
  }
  return offset;
}
