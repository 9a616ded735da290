import { FROZEN_CLIP, InstanceField, InstanceFlag, NO_CLIP, PALETTE_FLOATS } from "../../../assembly/layout/crowd.js";
import type { Drawable } from "../../crowd/drawable-table.js";
import { ClippingAttachment } from "../../spine/attachments/clipping-attachment.js";
import { VertexAttachment } from "../../spine/attachments/vertex-attachment.js";
import { convexHull } from "../../spine/clipping/polygon.js";
import type { SkeletonData } from "../../spine/data/skeleton-data.js";
import { DeformTimeline } from "../../spine/timelines/deform-timeline.js";
import { heap } from "../../wasm/heap.js";
import { SLOT_WORDS } from "./draw-orders.js";

/** Floats per record. */
const RECORD = 4;

/** A deform timeline for one slot. */
interface DeformTrack {
  timeline: DeformTimeline;
  slot: number;
  /** First texel of each key. */
  keys: number[];
}

/**
 * What the palette and the slot states do not say about characters: deforms of the moment, as weights of keys, and clipping
 * polygons in world coordinates. A record is four floats: slot, first texel, weight, 0 for a deform key; slot, first texel, 0,
 * number of vertices (negative if what lies inside is cut) for a slot that is clipped.
 * @internal
 */
export class FigureRecords {
  /** Deform keys, x and y per influence: offsets of what the mesh has. */
  readonly keys: Float32Array;
  /** Per slot whether it can have records. */
  readonly recorded: Uint8Array;
  /** Records and clip vertices of this frame, four floats each. */
  texels: Float32Array = new Float32Array(1024 * RECORD);
  /** Texels so far. */
  count = 0;
  readonly #data: SkeletonData;
  readonly #drawables: readonly Drawable[];
  /** Per animation. */
  readonly #tracks: DeformTrack[][];
  readonly #durations: number[];
  readonly #clipSlots: number[] = [];
  readonly #hasDeforms: boolean;
  /** Clips met in a draw order: first texel and number of vertices of each slot that they cover. */
  readonly #coverFirst: Int32Array;
  readonly #coverCount: Int32Array;
  #polygon: number[] = [];

  constructor(data: SkeletonData, drawables: readonly Drawable[]) {
    this.#data = data;
    this.#drawables = drawables;
    this.recorded = new Uint8Array(data.slots.length);
    this.#coverFirst = new Int32Array(data.slots.length);
    this.#coverCount = new Int32Array(data.slots.length);
    const keys: number[] = [];
    const known = new Map<DeformTimeline, number[]>();
    this.#tracks = data.animations.map((animation) => {
      const tracks: DeformTrack[] = [];
      for (const timeline of animation.timelines) {
        if (!(timeline instanceof DeformTimeline) || timeline.frames.length === 0) continue;
        let texels = known.get(timeline);
        if (texels === undefined) known.set(timeline, (texels = timeline.vertices.map((values) => appendKey(keys, timeline.attachment, values))));
        for (const slot of new Set([timeline.slotIndex, ...(timeline.attachment.timelineSlots ?? [])])) {
          this.recorded[slot] = 1;
          tracks.push({ timeline, slot, keys: texels });
        }
      }
      return tracks;
    });
    this.keys = Float32Array.from(keys);
    this.#durations = data.animations.map(({ duration }) => duration);
    this.#hasDeforms = this.#tracks.some((tracks) => tracks.length > 0);
    const clips = new Set(drawables.filter(({ attachment }) => attachment instanceof ClippingAttachment).map(({ attachment }) => attachment));
    const slots = new Set<number>();
    for (const skin of data.skins) for (const { slotIndex, attachment } of skin.getAttachments()) if (clips.has(attachment as ClippingAttachment)) slots.add(slotIndex);
    this.#clipSlots = [...slots];
    // Which slots a clip covers depends on the draw order.
    if (slots.size > 0) this.recorded.fill(1);
  }

  /** Starts a frame. */
  begin(): void {
    this.count = 0;
  }

  /**
   * Writes the records of a character.
   * @param row - its row in `slots` and `palette`; @param record - address of its record in the crowd
   * @returns number of records; the first is the texel `count` before the call plus the clip vertices: see `firstOf`
   */
  write(row: number, record: number, slots: Uint32Array, palette: Float32Array): number {
    const hasClip = this.#hasClip(row, slots);
    this.firstRecord = this.count;
    if (this.#hasDeforms) this.#deforms(row, record, slots);
    if (!hasClip) return this.count - this.firstRecord;
    // Clip vertices come before the records, but they need the deforms: write those again behind.
    const deforms = this.count - this.firstRecord;
    const from = this.firstRecord;
    this.#clips(row, slots, palette, from, deforms);
    return this.count - this.firstRecord;
  }

  /** First record of the character that was written last. */
  firstRecord = 0;

  #hasClip(row: number, slots: Uint32Array): boolean {
    const from = row * this.#data.slots.length * SLOT_WORDS + 2;
    for (const slot of this.#clipSlots) if ((slots[from + slot * SLOT_WORDS]! & 0xffff) !== 0) return true;
    return false;
  }

  #deforms(row: number, at: number, slots: Uint32Array): void {
    const { f64, i32, u32 } = heap;
    const flags = u32[(at + InstanceField.FLAGS) >> 2]!;
    const clip = i32[(at + InstanceField.CLIP) >> 2]!;
    const fade = i32[(at + InstanceField.FADE_CLIP) >> 2]!;
    const overlay = i32[(at + InstanceField.OVERLAY_CLIP) >> 2]!;
    let mix = 1;
    if (fade !== NO_CLIP) {
      const duration = f64[(at + InstanceField.MIX_DURATION) >> 3]!;
      const time = f64[(at + InstanceField.MIX_TIME) >> 3]!;
      if (duration > 0 && time < duration) mix = time / duration;
    }
    if (fade >= 0 && fade !== FROZEN_CLIP && mix < 1) {
      const time = this.#time(fade, f64[(at + InstanceField.FADE_TIME) >> 3]!, (flags & InstanceFlag.FADE_LOOP) !== 0);
      for (const track of this.#tracks[fade]!) {
        // What the clip that comes deforms as well stays at full weight underneath.
        const isHeld = clip >= 0 && this.#moves(clip, track);
        this.#add(track, time, isHeld ? 1 : 1 - mix, row, slots);
      }
    }
    if (clip >= 0) this.#layer(clip, this.#time(clip, f64[(at + InstanceField.TIME) >> 3]!, (flags & InstanceFlag.LOOP) !== 0), mix, row, slots);
    if (overlay >= 0) {
      const time = this.#time(overlay, f64[(at + InstanceField.OVERLAY_TIME) >> 3]!, (flags & InstanceFlag.OVERLAY_LOOP) !== 0);
      this.#layer(overlay, time, overlayAlpha(at), row, slots);
    }
  }

  #time(clip: number, time: number, isLooped: boolean): number {
    const duration = this.#durations[clip]!;
    if (!isLooped) return Math.min(time, duration);
    return duration === 0 ? 0 : time % duration;
  }

  #moves(clip: number, { timeline, slot }: DeformTrack): boolean {
    for (const track of this.#tracks[clip]!) if (track.slot === slot && track.timeline.attachment === timeline.attachment) return true;
    return false;
  }

  /** Goes from what there is to a clip's deforms by a weight. */
  #layer(clip: number, time: number, weight: number, row: number, slots: Uint32Array): void {
    for (const track of this.#tracks[clip]!) {
      if (!this.#isShown(track, row, slots)) continue;
      for (let i = this.firstRecord; i < this.count; i++) if (this.texels[i * RECORD] === track.slot) this.texels[i * RECORD + 2]! *= 1 - weight;
      this.#add(track, time, weight, row, slots);
    }
  }

  #isShown({ timeline, slot }: DeformTrack, row: number, slots: Uint32Array): boolean {
    const drawable = slots[(row * this.#data.slots.length + slot) * SLOT_WORDS + 2]! & 0xffff;
    if (drawable === 0) return false;
    const { attachment } = this.#drawables[drawable - 1]!;
    return attachment instanceof VertexAttachment && attachment.timelineAttachment === timeline.attachment;
  }

  #add(track: DeformTrack, time: number, weight: number, row: number, slots: Uint32Array): void {
    const { timeline, slot, keys } = track;
    const { frames } = timeline;
    if (weight === 0 || time < frames[0]! || !this.#isShown(track, row, slots)) return;
    const frame = timeline._frameAt(time);
    const part = frame === frames.length - 1 ? 0 : timeline.getCurvePercent(time, frame);
    if (part !== 1) this.#push(slot, keys[frame]!, weight * (1 - part), 0);
    if (part !== 0) this.#push(slot, keys[frame + 1]!, weight * part, 0);
  }

  #push(x: number, y: number, z: number, w: number): void {
    const at = this.count * RECORD;
    if (at + RECORD > this.texels.length) {
      const larger = new Float32Array(this.texels.length * 2);
      larger.set(this.texels);
      this.texels = larger;
    }
    this.texels[at] = x;
    this.texels[at + 1] = y;
    this.texels[at + 2] = z;
    this.texels[at + 3] = w;
    this.count++;
  }

  /** Appends the polygons of the clips, then the deform records again, then one record per slot that is clipped. */
  #clips(row: number, slots: Uint32Array, palette: Float32Array, from: number, deforms: number): void {
    const slotCount = this.#data.slots.length;
    const words = row * slotCount * SLOT_WORDS + 2;
    const { slots: slotData } = this.#data;
    this.#coverCount.fill(0);
    let first = 0;
    let count = 0;
    let end = -1;
    for (let i = 0; i < slotCount; i++) {
      const slot = slots[words + i * SLOT_WORDS]! >>> 16;
      const drawable = slots[words + slot * SLOT_WORDS]! & 0xffff;
      const attachment = drawable === 0 ? null : this.#drawables[drawable - 1]!.attachment;
      if (attachment instanceof ClippingAttachment) {
        // A clip ends at its own slot; one that starts in another is left alone.
        if (end === slot) count = 0;
        if (count === 0 && attachment.worldVerticesLength >= 6) {
          end = attachment.endSlot?.index ?? -1;
          first = this.count;
          count = this.#appendPolygon(attachment, slot, slotData[slot]!.boneData.index, row, palette, from, deforms);
        }
        continue;
      }
      this.#coverFirst[slot] = first;
      this.#coverCount[slot] = count;
      if (slot === end) count = 0;
    }
    this.firstRecord = this.count;
    for (let i = 0; i < deforms; i++) {
      const at = (from + i) * RECORD;
      this.#push(this.texels[at]!, this.texels[at + 1]!, this.texels[at + 2]!, 0);
    }
    for (let slot = 0; slot < slotCount; slot++) {
      const covered = this.#coverCount[slot]!;
      if (covered !== 0) this.#push(slot, this.#coverFirst[slot]!, 0, covered);
    }
  }

  /** @returns number of vertices, negative if the clip is inverse */
  #appendPolygon(attachment: ClippingAttachment, slot: number, slotBone: number, row: number, palette: Float32Array, from: number, deforms: number): number {
    const polygon = this.#polygon;
    polygon.length = 0;
    const { bones, vertices } = attachment;
    const boneAt = row * this.#data.bones.length * PALETTE_FLOATS;
    for (let v = 0, b = 0, influence = 0; v < attachment.worldVerticesLength >> 1; v++) {
      let worldX = 0;
      let worldY = 0;
      for (let n = bones === null ? 1 : bones[b++]!; n > 0; n--, influence++) {
        const stride = bones === null ? 2 : 3;
        let x = vertices[influence * stride]!;
        let y = vertices[influence * stride + 1]!;
        for (let i = from; i < from + deforms; i++) {
          if (this.texels[i * RECORD] !== slot) continue;
          const key = (this.texels[i * RECORD + 1]! + influence) * 2;
          x += this.keys[key]! * this.texels[i * RECORD + 2]!;
          y += this.keys[key + 1]! * this.texels[i * RECORD + 2]!;
        }
        const m = boneAt + (bones === null ? slotBone : bones[b++]!) * PALETTE_FLOATS;
        const weight = bones === null ? 1 : vertices[influence * 3 + 2]!;
        worldX += (palette[m]! * x + palette[m + 1]! * y + palette[m + 4]!) * weight;
        worldY += (palette[m + 2]! * x + palette[m + 3]! * y + palette[m + 5]!) * weight;
      }
      polygon.push(worldX, worldY);
    }
    const outline = attachment.convex || attachment.inverse ? hullOf(polygon) : polygon;
    for (let i = 0; i < outline.length; i += 2) this.#push(outline[i]!, outline[i + 1]!, 0, 0);
    return (outline.length / 2) * (attachment.inverse ? -1 : 1);
  }
}

/** The polygon itself if it is convex, so that nothing is allocated for most. */
function hullOf(polygon: number[]): number[] {
  const n = polygon.length;
  let sign = 0;
  for (let i = 0; i < n; i += 2) {
    const j = (i + 2) % n;
    const k = (i + 4) % n;
    const turn = (polygon[j]! - polygon[i]!) * (polygon[k + 1]! - polygon[j + 1]!) - (polygon[j + 1]! - polygon[i + 1]!) * (polygon[k]! - polygon[j]!);
    if (turn * sign < 0) return convexHull(polygon);
    if (turn !== 0) sign = turn;
  }
  return polygon;
}

function overlayAlpha(at: number): number {
  const { f32, f64 } = heap;
  const alpha = f32[(at + InstanceField.OVERLAY_ALPHA) >> 2]!;
  const duration = f64[(at + InstanceField.OVERLAY_MIX_DURATION) >> 3]!;
  if (duration <= 0) return alpha;
  const from = f32[(at + InstanceField.OVERLAY_ALPHA_FROM) >> 2]!;
  const part = f64[(at + InstanceField.OVERLAY_MIX_TIME) >> 3]! / duration;
  return part >= 1 ? alpha : from + (alpha - from) * part;
}

/** Appends a key as offsets. @returns its first texel */
function appendKey(out: number[], attachment: VertexAttachment, values: ArrayLike<number>): number {
  const first = out.length / 2;
  const isAbsolute = attachment.bones === null;
  for (let i = 0; i < values.length; i++) out.push(values[i]! - (isAbsolute ? attachment.vertices[i]! : 0));
  // A key without values leaves the mesh as it is.
  if (values.length === 0) for (let i = 0; i < influencesOf(attachment); i++) out.push(0, 0);
  return first;
}

function influencesOf({ bones, vertices }: VertexAttachment): number {
  return bones === null ? vertices.length >> 1 : vertices.length / 3;
}
