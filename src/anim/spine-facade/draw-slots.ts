import { ClippingAttachment } from "../../spine/attachments/clipping-attachment.js";
import { MeshAttachment } from "../../spine/attachments/mesh-attachment.js";
import { RegionAttachment } from "../../spine/attachments/region-attachment.js";
import { SkeletonClipping } from "../../spine/clipping/skeleton-clipping.js";
import type { TextureAtlasRegion } from "../../spine/load/texture-atlas.js";
import type { Skeleton } from "../../spine/model/skeleton.js";
import type { Slot } from "../../spine/model/slot.js";
import type { DrawItem2D, Rgba, TextureLike } from "../module/host.js";
import { atan2 } from "../motion/math.js";
import type { SpineAtlas } from "./spine-atlas.js";

const DEGREES = 57.29577951308232;
const BLENDS = ["normal", "additive", "multiply", "screen"] as const;
const QUAD = [0, 1, 2, 2, 3, 0];
/** Cosine of a corner up to which a quadrilateral counts as a rectangle. */
const SQUARE = 1e-4;

/** How world points come onto the screen. */
export interface ScreenMapping {
  x: number;
  y: number;
  scaleX: number;
  scaleY: number;
  flipY: boolean;
}

/** What one frame of an attachment shows with one atlas. */
interface Look {
  region: TextureAtlasRegion | null;
  page: number;
  name: string;
  offsets: Float32Array;
  uvs: Float32Array;
  /** Not in the atlas. */
  isMissing: boolean;
}

/** One visible attachment, on screen. Objects are reused from one pose to the next. */
export class DrawSlot {
  kind: "quad" | "mesh" = "quad";
  slotName = "";
  region = "";
  page = 0;
  /** Centre, size and clockwise rotation in degrees. */
  x = 0;
  y = 0;
  width = 0;
  height = 0;
  rotation = 0;
  /** The mirrored rectangle shows the picture upside down. */
  isMirrored = false;
  bottom = 0;
  positions = new Float32Array(0);
  uvs = new Float32Array(0);
  indices = new Uint16Array(0);
  readonly color: Rgba = { r: 1, g: 1, b: 1, a: 1 };
  readonly dark: Rgba = { r: 0, g: 0, b: 0, a: 1 };
  hasDark = false;
  blend: (typeof BLENDS)[number] = "normal";
  look: Look | null = null;
  readonly item: DrawItem2D = {
    kind: "quad", x: 0, y: 0, w: 0, h: 0, rotation: 0, depthY: 0, layer: 0, order: 0, hasOrder: true, color: { r: 1, g: 1, b: 1, a: 1 }, blend: "normal",
    premultiplied: false, texture: null, hasUV: false, rotatedUV: false, u0: 0, v0: 0, u1: 1, v1: 1,
  };
}

/** Turns a posed skeleton into what is visible on screen, in draw order. */
export class DrawSlots {
  readonly #pool: DrawSlot[] = [];
  count = 0;
  /** Paths that the atlas lacks. */
  readonly missing = new Set<string>();
  #looks = new Map<RegionAttachment | MeshAttachment, Look[]>();
  readonly #clipping = new SkeletonClipping();
  #world = new Float32Array(64);

  /** Forgets what was looked up in an atlas. */
  reset(): void {
    this.#looks = new Map();
    this.missing.clear();
    this.count = 0;
  }

  get(i: number): DrawSlot | undefined {
    return i >= 0 && i < this.count ? this.#pool[i] : undefined;
  }

  refresh(skeleton: Skeleton, atlas: SpineAtlas | null, mapping: ScreenMapping, tint: Rgba): void {
    this.count = 0;
    if (mapping.scaleX === 0 || mapping.scaleY === 0) return;
    const clipping = this.#clipping;
    const order = skeleton.drawOrder.appliedPose;
    for (let i = 0; i < order.length; i++) {
      const slot = order[i]!;
      const { attachment } = slot.appliedPose;
      if (slot.bone.active && attachment instanceof ClippingAttachment) {
        clipping.clipEnd(slot);
        clipping.clipStart(skeleton, slot, attachment);
        continue;
      }
      if (slot.bone.active && (attachment instanceof RegionAttachment || attachment instanceof MeshAttachment) && slot.appliedPose.color.a > 0) {
        this.#add(skeleton, slot, attachment, atlas, mapping, tint);
      }
      clipping.clipEnd(slot);
    }
    clipping.clipEnd();
  }

  /** Fills in the draw item of a slot. */
  item(i: number, texture: TextureLike | null, atlas: SpineAtlas | null, layer: number): DrawItem2D {
    const slot = this.#pool[i]!;
    const { item, color } = slot;
    const region = slot.look?.region ?? null;
    item.kind = slot.kind;
    item.x = slot.x - slot.width / 2;
    item.y = slot.y - slot.height / 2;
    item.w = slot.width;
    item.h = slot.height;
    item.rotation = slot.rotation;
    item.depthY = slot.bottom;
    item.layer = layer;
    item.order = i;
    Object.assign(item.color, color);
    if (slot.hasDark) item.darkColor = slot.dark;
    else delete item.darkColor;
    item.blend = slot.blend;
    item.premultiplied = region !== null && atlas !== null && region.page.pma;
    item.texture = texture;
    item.hasUV = region !== null;
    item.rotatedUV = region !== null && region.degrees === 90;
    if (region !== null) {
      const turned = region.degrees === 90 || region.degrees === 270;
      const width = region.page.width || texture?.getWidth() || 1;
      const height = region.page.height || texture?.getHeight() || 1;
      const left = region.x / width;
      const top = region.y / height;
      const right = (region.x + (turned ? region.height : region.width)) / width;
      const bottom = (region.y + (turned ? region.width : region.height)) / height;
      const swapU = slot.isMirrored && item.rotatedUV;
      const swapV = slot.isMirrored && !item.rotatedUV;
      item.u0 = swapU ? right : left;
      item.u1 = swapU ? left : right;
      item.v0 = swapV ? bottom : top;
      item.v1 = swapV ? top : bottom;
    }
    if (slot.kind === "mesh") {
      item.positions = slot.positions;
      item.uvs = slot.uvs;
      item.indices = slot.indices;
    } else {
      delete item.positions;
      delete item.uvs;
      delete item.indices;
    }
    return item;
  }

  #add(skeleton: Skeleton, slot: Slot, attachment: RegionAttachment | MeshAttachment, atlas: SpineAtlas | null, mapping: ScreenMapping, tint: Rgba): void {
    const pose = slot.appliedPose;
    const look = this.#lookOf(attachment, attachment.sequence.resolveIndex(pose), atlas);
    if (look.isMissing) return;
    const isRegion = attachment instanceof RegionAttachment;
    let count = isRegion ? 4 : attachment.worldVerticesLength >> 1;
    if (this.#world.length < count * 2) this.#world = new Float32Array(count * 2);
    let world: ArrayLike<number> = this.#world;
    if (isRegion) attachment.computeWorldVertices(slot, look.offsets, this.#world, 0, 2);
    else attachment.computeWorldVertices(skeleton, slot, 0, count * 2, this.#world, 0, 2);

    let { uvs }: { uvs: ArrayLike<number> } = look;
    let triangles: ArrayLike<number> = isRegion ? QUAD : attachment.triangles;
    let isCut = false;
    if (this.#clipping.isClipping()) {
      isCut = this.#clipping.clipTrianglesUnpacked(this.#world, 0, triangles, triangles.length, uvs, 2);
      if (this.#clipping.clippedTrianglesLength === 0) return;
      if (isCut) {
        world = this.#clipping.clippedVerticesTyped;
        uvs = this.#clipping.clippedUVsTyped;
        triangles = this.#clipping.clippedTrianglesTyped;
        count = world.length >> 1;
      }
    }

    const out = (this.#pool[this.count] ??= new DrawSlot());
    this.count++;
    out.slotName = slot.data.name;
    out.look = look;
    out.region = look.name;
    out.page = look.page;
    const positions = (out.positions = sized(out.positions, count * 2));
    const flip = mapping.flipY ? -1 : 1;
    for (let i = 0; i < count; i++) {
      positions[i * 2] = mapping.x + mapping.scaleX * world[i * 2]!;
      positions[i * 2 + 1] = mapping.y + mapping.scaleY * flip * world[i * 2 + 1]!;
    }
    out.kind = isRegion && !isCut && (look.region === null || look.region.degrees % 360 === 0 || look.region.degrees === 90) && placeQuad(out) ? "quad" : "mesh";
    if (out.kind === "mesh") {
      if (!isRegion || isCut) placeBox(out);
      out.uvs = sized(out.uvs, count * 2);
      for (let i = 0; i < count * 2; i++) out.uvs[i] = uvs[i]!;
      if (out.indices.length !== triangles.length) out.indices = new Uint16Array(triangles.length);
      for (let i = 0; i < triangles.length; i++) out.indices[i] = triangles[i]!;
    }
    const a = pose.color;
    const b = attachment.color;
    const c = skeleton.color;
    out.color.r = a.r * b.r * c.r * tint.r;
    out.color.g = a.g * b.g * c.g * tint.g;
    out.color.b = a.b * b.b * c.b * tint.b;
    out.color.a = a.a * b.a * c.a * tint.a;
    const dark = pose.darkColor;
    out.hasDark = dark !== null;
    if (dark !== null) {
      out.dark.r = dark.r;
      out.dark.g = dark.g;
      out.dark.b = dark.b;
    }
    out.blend = BLENDS[slot.data.blendMode] ?? "normal";
  }

  #lookOf(attachment: RegionAttachment | MeshAttachment, frame: number, atlas: SpineAtlas | null): Look {
    let looks = this.#looks.get(attachment);
    if (looks === undefined) this.#looks.set(attachment, (looks = []));
    return (looks[frame] ??= this.#makeLook(attachment, frame, atlas));
  }

  #makeLook(attachment: RegionAttachment | MeshAttachment, frame: number, atlas: SpineAtlas | null): Look {
    const base = attachment.path ?? attachment.name;
    const { sequence } = attachment;
    const name = sequence.regions.length > 1 || sequence.pathSuffix ? sequence.getPath(base, frame) : base;
    const region = atlas?.native?.findRegion(name) ?? null;
    const isMissing = region === null && atlas !== null && atlas.native !== null;
    if (isMissing) this.missing.add(name);
    const page = region === null ? 0 : atlas!.native!.pages.indexOf(region.page);
    const isRegion = attachment instanceof RegionAttachment;
    const offsets = new Float32Array(8);
    const uvs = new Float32Array(isRegion ? 8 : attachment.regionUVs.length);
    if (isRegion) {
      const { x, y, scaleX, scaleY, rotation, width, height } = attachment;
      RegionAttachment.computeUVs(region, x, y, scaleX, scaleY, rotation, width, height, offsets, uvs);
    } else {
      MeshAttachment.computeUVs(region, attachment.regionUVs, uvs);
    }
    return { region, page, name, offsets, uvs, isMissing };
  }
}

/** An array of exactly that length, the same one if it fits. */
function sized(array: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> {
  return array.length === length ? array : new Float32Array(length);
}

/** Centre, size and rotation from the corners bottom left, top left, top right, bottom right; false unless a rectangle. */
function placeQuad(out: DrawSlot): boolean {
  const p = out.positions;
  const topX = p[4]! - p[2]!;
  const topY = p[5]! - p[3]!;
  const leftX = p[0]! - p[2]!;
  const leftY = p[1]! - p[3]!;
  out.x = (p[0]! + p[2]! + p[4]! + p[6]!) / 4;
  out.y = (p[1]! + p[3]! + p[5]! + p[7]!) / 4;
  out.width = Math.sqrt(topX * topX + topY * topY);
  out.height = Math.sqrt(leftX * leftX + leftY * leftY);
  out.rotation = atan2(topY, topX) * DEGREES;
  // The left edge runs down on screen unless the skeleton is mirrored.
  out.isMirrored = topX * leftY - topY * leftX < 0;
  out.bottom = Math.max(p[1]!, p[3]!, p[5]!, p[7]!);
  return Math.abs(topX * leftX + topY * leftY) <= SQUARE * out.width * out.height;
}

/** Centre and size of the bounding box. */
function placeBox(out: DrawSlot): void {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < out.positions.length; i += 2) {
    left = Math.min(left, out.positions[i]!);
    right = Math.max(right, out.positions[i]!);
    top = Math.min(top, out.positions[i + 1]!);
    bottom = Math.max(bottom, out.positions[i + 1]!);
  }
  out.x = (left + right) / 2;
  out.y = (top + bottom) / 2;
  out.width = right - left;
  out.height = bottom - top;
  out.rotation = 0;
  out.isMirrored = false;
  out.bottom = bottom;
}
