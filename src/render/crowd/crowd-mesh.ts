import type { Drawable } from "../../crowd/drawable-table.js";
import type { Attachment } from "../../spine/attachments/attachment.js";
import { ClippingAttachment } from "../../spine/attachments/clipping-attachment.js";
import type { MeshAttachment } from "../../spine/attachments/mesh-attachment.js";
import { RegionAttachment } from "../../spine/attachments/region-attachment.js";
import type { SkeletonData } from "../../spine/data/skeleton-data.js";
import { BlendMode } from "../../spine/enums.js";
import type { Skin } from "../../spine/model/skin.js";
import type { Texture } from "../../spine/texture.js";
import type { Color } from "../../spine/utils/color.js";
import type { MergedPlace } from "./draw-orders.js";

const QUAD = [0, 1, 2, 2, 3, 0];

/** Bits of the second info word: drawable below, then the page and flags. The shaders know them too. */
export const PAGE_SHIFT = 16;
export const ADDITIVE = 1 << 24;
/** The slot has records: deforms or a clip. */
export const RECORDED = 1 << 25;

/** What a group of characters can show. */
export interface Look {
  readonly skin: Skin | null;
  /** Slots that it never shows. */
  readonly skipped: ReadonlySet<number>;
}

/** Indices that are drawn with one blend mode. */
export interface Part {
  blend: BlendMode;
  start: number;
  count: number;
}

/** What one look draws. */
export interface MeshRange {
  start: number;
  count: number;
  /** The range in pieces of one blend mode. */
  parts: Part[];
  /** Per slot the piece that shows it in the setup order, for orders that the mesh does not know. */
  slots: Part[];
}

/**
 * All pictures of a rig as one indexed mesh, in the painter's order of all draw orders.
 * @internal
 */
export interface CrowdMesh {
  /** Per vertex u, v. */
  uvs: Float32Array;
  /** Per vertex: slot; drawable | page << 16 | flags; mask of draw orders; colour 0xAABBGGRR. */
  info: Uint32Array;
  /** Per vertex: first influence | number << 24; index of the first one within its attachment. */
  influenceRanges: Uint32Array;
  /** Per influence x, y, weight, bone. */
  influences: Float32Array;
  indices: Uint32Array;
  /** What all looks together need. */
  union: MeshRange;
  /** Per look. */
  looks: MeshRange[];
  vertexCount: number;
}

interface Piece {
  drawable: number;
  attachment: Attachment;
  place: MergedPlace;
  blend: BlendMode;
  firstVertex: number;
  triangles: ArrayLike<number>;
}

/**
 * @param looks - each gets a range of indices
 * @param recorded - per slot whether vertices of it have to look for deforms and clips
 * @param pageOf - number of a texture's page, negative for what cannot be drawn
 * @internal
 */
export function buildCrowdMesh(
  data: SkeletonData, drawables: readonly Drawable[], looks: readonly Look[], places: readonly MergedPlace[], recorded: Uint8Array,
  pageOf: (texture: Texture | null) => number,
): CrowdMesh {
  const shown = looks.map((look) => attachmentsOf(data, look));
  const builder = new Builder();
  const pieces: Piece[] = [];
  for (const place of places) {
    const { blendMode, boneData } = data.slots[place.slot]!;
    drawables.forEach(({ attachment, frame }, i) => {
      if (attachment instanceof ClippingAttachment || !shown.some((slots) => slots[place.slot]!.has(attachment))) return;
      const page = pageOf(attachment.sequence.regions[frame]?.texture ?? null);
      if (page < 0) return;
      const firstVertex = builder.vertexCount;
      const flags = (i + 1) | (page << PAGE_SHIFT) | (blendMode === BlendMode.Additive ? ADDITIVE : 0) | (recorded[place.slot] === 0 ? 0 : RECORDED);
      builder.add(attachment, frame, boneData.index, place.slot, flags, place.orders);
      const triangles = attachment instanceof RegionAttachment ? QUAD : attachment.triangles;
      pieces.push({ drawable: i, attachment, place, blend: blendMode === BlendMode.Additive ? BlendMode.Normal : blendMode, firstVertex, triangles });
    });
  }
  const indices: number[] = [];
  const range = (isShown: (piece: Piece) => boolean): MeshRange => {
    const start = indices.length;
    const parts: Part[] = [];
    const slots = data.slots.map((): Part => ({ blend: BlendMode.Normal, start: 0, count: 0 }));
    for (const piece of pieces) {
      if (!isShown(piece)) continue;
      const from = indices.length;
      for (let i = 0; i < piece.triangles.length; i++) indices.push(piece.triangles[i]! + piece.firstVertex);
      const count = indices.length - from;
      const last = parts.at(-1);
      if (last?.blend === piece.blend) last.count += count;
      else parts.push({ blend: piece.blend, start: from, count });
      if ((piece.place.orders & 1) === 0) continue;
      const own = slots[piece.place.slot]!;
      if (own.count === 0) own.start = from;
      own.blend = piece.blend;
      own.count += count;
    }
    return { start, count: indices.length - start, parts, slots };
  };
  const union = range(() => true);
  const ranges = shown.map((slots) => range(({ attachment, place }) => slots[place.slot]!.has(attachment)));
  return { ...builder.arrays(), indices: Uint32Array.from(indices), union, looks: ranges };
}

/** Per slot the attachments that a look can show: those of its skin and of the default one. */
function attachmentsOf(data: SkeletonData, { skin, skipped }: Look): Set<Attachment>[] {
  const out = data.slots.map(() => new Set<Attachment>());
  for (const source of [skin, data.defaultSkin]) {
    for (const { slotIndex, attachment } of source?.getAttachments() ?? []) if (!skipped.has(slotIndex)) out[slotIndex]!.add(attachment);
  }
  return out;
}

class Builder {
  readonly #uvs: number[] = [];
  readonly #info: number[] = [];
  readonly #ranges: number[] = [];
  readonly #influences: number[] = [];
  /** First influence of geometry that was added before, by its vertices. */
  readonly #known = new Map<unknown, Map<number, number>>();

  get vertexCount(): number {
    return this.#uvs.length / 2;
  }

  add(attachment: RegionAttachment | MeshAttachment, frame: number, bone: number, slot: number, flags: number, orders: number): void {
    const isRegion = attachment instanceof RegionAttachment;
    const vertices = isRegion ? attachment.sequence.offsets[frame]! : attachment._vertices;
    const bones = isRegion ? null : attachment._bones;
    const count = isRegion ? 4 : attachment.worldVerticesLength >> 1;
    const base = this.#firstInfluence(vertices, bones, count, bone);
    const color = packed(attachment.color);
    const uvs = attachment.sequence.uvs[frame]!;
    let at = 0;
    for (let v = 0, b = 0; v < count; v++) {
      const n = bones === null ? 1 : bones[b]!;
      b += n + 1;
      this.#uvs.push(uvs[v * 2]!, uvs[v * 2 + 1]!);
      this.#info.push(slot, flags, orders, color);
      this.#ranges.push(((base + at) | (n << 24)) >>> 0, at);
      at += n;
    }
  }

  #firstInfluence(vertices: ArrayLike<number>, bones: readonly number[] | null, count: number, bone: number): number {
    let byBone = this.#known.get(vertices);
    if (byBone === undefined) this.#known.set(vertices, (byBone = new Map()));
    const key = bones === null ? bone : -1;
    const known = byBone.get(key);
    if (known !== undefined) return known;
    const out = this.#influences;
    const base = out.length / 4;
    byBone.set(key, base);
    if (bones === null) {
      for (let v = 0; v < count; v++) out.push(vertices[v * 2]!, vertices[v * 2 + 1]!, 1, bone);
      return base;
    }
    for (let v = 0, b = 0, at = 0; v < count; v++) {
      for (let n = bones[b++]!; n > 0; n--, at += 3) out.push(vertices[at]!, vertices[at + 1]!, vertices[at + 2]!, bones[b++]!);
    }
    return base;
  }

  arrays(): Pick<CrowdMesh, "uvs" | "info" | "influenceRanges" | "influences" | "vertexCount"> {
    return {
      uvs: Float32Array.from(this.#uvs), info: Uint32Array.from(this.#info), influenceRanges: Uint32Array.from(this.#ranges),
      influences: Float32Array.from(this.#influences), vertexCount: this.vertexCount,
    };
  }
}

/** 0xAABBGGRR */
function packed({ r, g, b, a }: Color): number {
  const byte = (value: number): number => Math.round(Math.min(Math.max(value, 0), 1) * 255);
  return (byte(r) | (byte(g) << 8) | (byte(b) << 16) | (byte(a) << 24)) >>> 0;
}
