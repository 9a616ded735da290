import { FROZEN_CLIP, InstanceField, InstanceFlag, NO_CLIP, PALETTE_FLOATS } from "../../../assembly/layout/crowd.js";
import type { Crowd } from "../../crowd/crowd.js";
import type { Drawable } from "../../crowd/drawable-table.js";
import { lagOf } from "../../crowd/lag.js";
import { ClippingAttachment } from "../../spine/attachments/clipping-attachment.js";
import { VertexAttachment } from "../../spine/attachments/vertex-attachment.js";
import { convexHull } from "../../spine/clipping/polygon.js";
import type { SkeletonData } from "../../spine/data/skeleton-data.js";
import type { Skin } from "../../spine/model/skin.js";
import { DeformTimeline } from "../../spine/timelines/deform-timeline.js";
import { AttachmentTimeline } from "../../spine/timelines/slot-timelines.js";
import { heap } from "../../wasm/heap.js";
import { SLOT_WORDS } from "./draw-orders.js";
import { keyPosition } from "./key-position.js";

/** Floats per record. */
const RECORD = 4;

const TIME = 0;
const WEIGHT = 1;
const PART = 2;

/** How deforms come on top of others: those of a clip, of a slider that mixes, of a slider that adds. */
const enum Layer {
  CLIP,
  MIXED,
  ADDED,
}

/** A deform timeline for one slot. */
interface DeformTrack {
  timeline: DeformTimeline;
  slot: number;
  /** First texel of each key. */
  keys: number[];
  /** What the same animation says about the slot's attachment. */
  attachments: AttachmentTimeline | null;
}

/**
 * What the palette and the slot states do not say about characters: deforms of the moment, as weights of keys, and clipping
 * polygons in world coordinates. A record is four floats: slot, first texel, weight, 0 for a deform key (-1 - first texel if it lies
 * among the records, as deforms that were frozen do); slot, first texel, 0, number of vertices (negative if what lies inside is
 * cut) for a slot that is clipped.
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
  readonly #crowd: Crowd;
  /** Per animation. */
  readonly #tracks: DeformTrack[][];
  readonly #durations: number[];
  readonly #clipSlots: number[] = [];
  readonly #hasDeforms: boolean;
  /** Clips met in a draw order: first texel and number of vertices of each slot that they cover. */
  readonly #coverFirst: Int32Array;
  readonly #coverCount: Int32Array;
  #polygon = new Float64Array(64);
  /** Per target of the crowd the first texel of its frozen deform, -1 for none. */
  readonly #frozenAt: Int32Array;
  /** Animation time, weight and position between keys of what is added: arguments that are not boxed. */
  readonly #numbers = new Float64Array(3);

  constructor(crowd: Crowd) {
    const { data, drawables } = crowd;
    this.#crowd = crowd;
    this.#data = data;
    this.#drawables = drawables;
    this.recorded = new Uint8Array(data.slots.length);
    this.#coverFirst = new Int32Array(data.slots.length);
    this.#coverCount = new Int32Array(data.slots.length);
    this.#frozenAt = new Int32Array(crowd._clips.shapes.targets.length);
    const keys: number[] = [];
    const known = new Map<DeformTimeline, number[]>();
    this.#tracks = crowd._clips.animations.map((animation) => {
      const tracks: DeformTrack[] = [];
      for (const timeline of animation.timelines) {
        if (!(timeline instanceof DeformTimeline) || timeline._frames.length === 0) continue;
        let texels = known.get(timeline);
        if (texels === undefined) known.set(timeline, (texels = timeline.vertices.map((values) => appendKey(keys, timeline.attachment, values))));
        for (const slot of new Set([timeline.slotIndex, ...(timeline.attachment.timelineSlots ?? [])])) {
          this.recorded[slot] = 1;
          const attachments = animation.timelines.find((other) => other instanceof AttachmentTimeline && other.slotIndex === slot) as AttachmentTimeline | undefined;
          tracks.push({ timeline, slot, keys: texels, attachments: attachments ?? null });
        }
      }
      return tracks;
    });
    this.keys = Float32Array.from(keys);
    this.#durations = crowd._clips.animations.map(({ duration }) => duration);
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
   * @returns number of records, from `firstRecord` on
   */
  write(row: number, record: number, slots: Uint32Array, palette: Float32Array): number {
    const hasClip = this.#hasClip(row, slots);
    const frozen = heap.u32[(record + InstanceField.FROZEN_SHAPES) >> 2]!;
    if (frozen !== 0) this.#appendFrozen(frozen, row, slots);
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
    const { f32, f64, i32, u32 } = heap;
    const numbers = this.#numbers;
    const flags = u32[(at + InstanceField.FLAGS) >> 2]!;
    const clip = i32[(at + InstanceField.CLIP) >> 2]!;
    const fade = i32[(at + InstanceField.FADE_CLIP) >> 2]!;
    const overlay = i32[(at + InstanceField.OVERLAY_CLIP) >> 2]!;
    const age = lagOf(at, this.#crowd._ahead);
    let mix = 1;
    if (fade !== NO_CLIP) {
      const duration = f64[(at + InstanceField.MIX_DURATION) >> 3]!;
      const time = Math.max(0, f64[(at + InstanceField.MIX_TIME) >> 3]! - age);
      if (duration > 0 && time < duration) mix = time / duration;
    }
    const { skin } = this.#crowd._variants[u32[(at + InstanceField.VARIANT) >> 2]!]!;
    const { uses } = this.#crowd._sliders;
    if (fade >= 0 && fade !== FROZEN_CLIP && mix < 1) {
      numbers[TIME] = f64[(at + InstanceField.FADE_TIME) >> 3]! - age * f32[(at + InstanceField.FADE_SPEED) >> 2]!;
      this.#wrap(fade, (flags & InstanceFlag.FADE_LOOP) !== 0);
      for (const track of this.#tracks[fade]!) {
        if (!this.#fitsOwn(track, skin)) continue;
        // What the clip that comes deforms as well stays at full weight underneath.
        const isHeld = clip >= 0 && this.#moves(clip, track);
        numbers[WEIGHT] = isHeld ? 1 : 1 - mix;
        this.#add(track, row, slots);
      }
    }
    if (clip >= 0) {
      numbers[TIME] = f64[(at + InstanceField.TIME) >> 3]! - age * f32[(at + InstanceField.SPEED) >> 2]!;
      this.#wrap(clip, (flags & InstanceFlag.LOOP) !== 0);
      if (fade === FROZEN_CLIP && mix < 1 && u32[(at + InstanceField.FROZEN_SHAPES) >> 2] !== 0) {
        numbers[WEIGHT] = 1 - mix;
        this.#addFrozen(clip);
      }
      numbers[WEIGHT] = mix;
      // An overlay or a slider may have replaced what the clip shows.
      this.#layer(clip, row, slots, Layer.CLIP, overlay >= 0 || uses.length > 0 ? skin : undefined);
    }
    if (overlay >= 0) {
      numbers[TIME] = f64[(at + InstanceField.OVERLAY_TIME) >> 3]! - age * f32[(at + InstanceField.OVERLAY_SPEED) >> 2]!;
      const alpha = f32[(at + InstanceField.OVERLAY_ALPHA) >> 2]!;
      const duration = f64[(at + InstanceField.OVERLAY_MIX_DURATION) >> 3]!;
      const part = duration > 0 ? Math.max(0, f64[(at + InstanceField.OVERLAY_MIX_TIME) >> 3]! - age) / duration : 1;
      const from = f32[(at + InstanceField.OVERLAY_ALPHA_FROM) >> 2]!;
      numbers[WEIGHT] = part >= 1 ? alpha : from + (alpha - from) * part;
      this.#wrap(overlay, (flags & InstanceFlag.OVERLAY_LOOP) !== 0);
      // One that leaves shows nothing of its own.
      this.#layer(overlay, row, slots, Layer.CLIP, (flags & InstanceFlag.OVERLAY_OUT) !== 0 ? skin : undefined);
    }
    const states = this.#crowd._sliderStates(row) >> 2;
    for (let i = 0; i < uses.length; i++) {
      const { clip: applied, data, state } = uses[i]!;
      if (f32[states + state * 2 + 1] === 0) continue;
      numbers[TIME] = f32[states + state * 2]!;
      numbers[WEIGHT] = f32[states + state * 2 + 1]!;
      this.#layer(applied, row, slots, data.additive ? Layer.ADDED : Layer.MIXED);
    }
  }

  /**
   * Whether a clip that leaves shows by its own keys what its track deforms. It deforms that, although what is seen in the end
   * is the business of the clip that comes.
   */
  #fitsOwn({ timeline, slot, attachments }: DeformTrack, skin: Skin | null): boolean {
    if (attachments === null) return true;
    const { frames, attachmentNames } = attachments;
    let name = this.#data.slots[slot]!.attachmentName;
    for (let i = 0; i < frames.length && frames[i]! <= this.#numbers[TIME]!; i++) name = attachmentNames[i]!;
    if (name === null) return false;
    const attachment = skin?.getAttachment(slot, name) ?? this.#data.defaultSkin?.getAttachment(slot, name) ?? null;
    return attachment?.timelineAttachment === timeline.attachment;
  }

  /** Turns the track time into the animation's. */
  #wrap(clip: number, isLooped: boolean): void {
    const numbers = this.#numbers;
    const duration = this.#durations[clip]!;
    if (!(numbers[TIME]! > 0)) numbers[TIME] = 0;
    else if (!isLooped) numbers[TIME] = Math.min(numbers[TIME]!, duration);
    else numbers[TIME] = duration === 0 ? 0 : numbers[TIME]! % duration;
  }

  #moves(clip: number, { timeline, slot }: DeformTrack): boolean {
    for (const track of this.#tracks[clip]!) if (track.slot === slot && track.timeline.attachment === timeline.attachment) return true;
    return false;
  }

  /** Goes from what there is to a clip's deforms by the weight, or adds them. */
  #layer(clip: number, row: number, slots: Uint32Array, layer: Layer = Layer.CLIP, skin?: Skin | null): void {
    const rest = layer === Layer.ADDED ? 1 : 1 - this.#numbers[WEIGHT]!;
    for (const track of this.#tracks[clip]!) {
      // Before its first key a slider's track changes nothing; a clip's goes to the setup shape.
      if (layer !== Layer.CLIP && this.#numbers[TIME]! < track.timeline._frames[0]!) continue;
      if (!this.#isShown(track, row, slots) || (skin !== undefined && !this.#fitsOwn(track, skin))) continue;
      const { texels } = this;
      for (let i = this.firstRecord; i < this.count; i++) if (texels[i * RECORD] === track.slot) texels[i * RECORD + 2]! *= rest;
      this.#add(track, row, slots);
    }
  }

  #isShown({ timeline, slot }: DeformTrack, row: number, slots: Uint32Array): boolean {
    return this.#shows(timeline.attachment, slot, row, slots);
  }

  /** Whether a slot shows an attachment or one that moves along with it. */
  #shows(moved: VertexAttachment, slot: number, row: number, slots: Uint32Array): boolean {
    const drawable = slots[(row * this.#data.slots.length + slot) * SLOT_WORDS + 2]! & 0xffff;
    if (drawable === 0) return false;
    const { attachment } = this.#drawables[drawable - 1]!;
    return attachment instanceof VertexAttachment && attachment.timelineAttachment === moved;
  }

  #add(track: DeformTrack, row: number, slots: Uint32Array): void {
    const { timeline, slot, keys } = track;
    const { _frames: frames } = timeline;
    const numbers = this.#numbers;
    const weight = numbers[WEIGHT]!;
    if (weight === 0 || numbers[TIME]! < frames[0]! || !this.#isShown(track, row, slots)) return;
    const frame = keyPosition(timeline, numbers, PART);
    const part = numbers[PART]!;
    if (part !== 1) {
      const at = this.#deform(slot, keys[frame]!);
      this.texels[at] = weight * (1 - part);
    }
    if (part !== 0) {
      const at = this.#deform(slot, keys[frame + 1]!);
      this.texels[at] = weight * part;
    }
  }

  /** Appends the offsets of what was frozen and is shown, a pair to a texel, before the records of the character. */
  #appendFrozen(frozen: number, row: number, slots: Uint32Array): void {
    const { targets, frozenOffsets } = this.#crowd._clips.shapes;
    for (let i = 0; i < targets.length; i++) {
      this.#frozenAt[i] = -1;
      const count = heap.i32[(frozen >> 2) + i]!;
      const { attachment, isPath, slot } = targets[i]!;
      if (count === 0 || isPath || !this.#shows(attachment, slot, row, slots)) continue;
      this.#frozenAt[i] = this.count;
      const from = (frozen + frozenOffsets[i]!) >> 2;
      const setup = attachment._bones === null ? attachment._vertices : null;
      for (let k = 0; k < count; k += 2) {
        const at = this.#next();
        this.texels[at] = heap.f32[from + k]! - (setup === null ? 0 : setup[k]!);
        this.texels[at + 1] = heap.f32[from + k + 1]! - (setup === null ? 0 : setup[k + 1]!);
      }
    }
  }

  /** Records of what was appended: the weight is WEIGHT, or 1 where the clip deforms the same. */
  #addFrozen(clip: number): void {
    const { targets } = this.#crowd._clips.shapes;
    for (let i = 0; i < targets.length; i++) {
      if (this.#frozenAt[i]! < 0) continue;
      const { attachment, slot } = targets[i]!;
      let isHeld = false;
      for (const track of this.#tracks[clip]!) {
        if (track.slot === slot && track.timeline.attachment === attachment) isHeld = true;
      }
      const at = this.#deform(slot, -1 - this.#frozenAt[i]!);
      this.texels[at] = isHeld ? 1 : this.#numbers[WEIGHT]!;
    }
  }

  /** Makes room for a texel. @returns its first float, to be written by the caller: fractions as arguments would be boxed */
  #next(): number {
    const at = this.count++ * RECORD;
    if (at + RECORD > this.texels.length) {
      const larger = new Float32Array(this.texels.length * 2);
      larger.set(this.texels);
      this.texels = larger;
    }
    return at;
  }

  #deform(slot: number, key: number): number {
    const at = this.#next();
    this.texels[at] = slot;
    this.texels[at + 1] = key;
    this.texels[at + 3] = 0;
    return at + 2;
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
      const at = this.#next();
      this.texels.copyWithin(at, (from + i) * RECORD, (from + i + 1) * RECORD);
    }
    for (let slot = 0; slot < slotCount; slot++) {
      const covered = this.#coverCount[slot]!;
      if (covered === 0) continue;
      const at = this.#next();
      this.texels[at] = slot;
      this.texels[at + 1] = this.#coverFirst[slot]!;
      this.texels[at + 2] = 0;
      this.texels[at + 3] = covered;
    }
  }

  /** @returns number of vertices, negative if the clip is inverse */
  #appendPolygon(attachment: ClippingAttachment, slot: number, slotBone: number, row: number, palette: Float32Array, from: number, deforms: number): number {
    const length = attachment.worldVerticesLength;
    if (length > this.#polygon.length) this.#polygon = new Float64Array(length);
    const polygon = this.#polygon;
    const { bones, vertices } = attachment;
    const boneAt = row * this.#data.bones.length * PALETTE_FLOATS;
    for (let v = 0, b = 0, influence = 0; v < length >> 1; v++) {
      let worldX = 0;
      let worldY = 0;
      for (let n = bones === null ? 1 : bones[b++]!; n > 0; n--, influence++) {
        const stride = bones === null ? 2 : 3;
        let x = vertices[influence * stride]!;
        let y = vertices[influence * stride + 1]!;
        for (let i = from; i < from + deforms; i++) {
          if (this.texels[i * RECORD] !== slot) continue;
          const first = this.texels[i * RECORD + 1]!;
          const source = first < 0 ? this.texels : this.keys;
          const key = first < 0 ? (-1 - first + influence) * RECORD : (first + influence) * 2;
          x += source[key]! * this.texels[i * RECORD + 2]!;
          y += source[key + 1]! * this.texels[i * RECORD + 2]!;
        }
        const m = boneAt + (bones === null ? slotBone : bones[b++]!) * PALETTE_FLOATS;
        const weight = bones === null ? 1 : vertices[influence * 3 + 2]!;
        worldX += (palette[m]! * x + palette[m + 1]! * y + palette[m + 4]!) * weight;
        worldY += (palette[m + 2]! * x + palette[m + 3]! * y + palette[m + 5]!) * weight;
      }
      polygon[v * 2] = worldX;
      polygon[v * 2 + 1] = worldY;
    }
    // The hull is made for a polygon that says it is convex and is not.
    const hull = (attachment.convex || attachment.inverse) && !isConvex(polygon, length) ? convexHull(Array.from(polygon.subarray(0, length))) : null;
    const outline = hull ?? polygon;
    const count = hull === null ? length : hull.length;
    for (let i = 0; i < count; i += 2) {
      const at = this.#next();
      this.texels[at] = outline[i]!;
      this.texels[at + 1] = outline[i + 1]!;
    }
    return (count >> 1) * (attachment.inverse ? -1 : 1);
  }
}

/** Whether a polygon never turns both ways. */
function isConvex(polygon: Float64Array, n: number): boolean {
  let sign = 0;
  for (let i = 0; i < n; i += 2) {
    const j = (i + 2) % n;
    const k = (i + 4) % n;
    const turn = (polygon[j]! - polygon[i]!) * (polygon[k + 1]! - polygon[j + 1]!) - (polygon[j + 1]! - polygon[i + 1]!) * (polygon[k]! - polygon[j]!);
    if (turn * sign < 0) return false;
    if (turn !== 0) sign = turn;
  }
  return true;
}

/** Appends a key as offsets. @returns its first texel */
function appendKey(out: number[], attachment: VertexAttachment, values: ArrayLike<number>): number {
  const first = out.length / 2;
  const isAbsolute = attachment._bones === null;
  for (let i = 0; i < values.length; i++) out.push(values[i]! - (isAbsolute ? attachment._vertices[i]! : 0));
  // A key without values leaves the mesh as it is.
  if (values.length === 0) for (let i = 0; i < influencesOf(attachment); i++) out.push(0, 0);
  return first;
}

function influencesOf({ bones, vertices }: VertexAttachment): number {
  return bones === null ? vertices.length >> 1 : vertices.length / 3;
}
