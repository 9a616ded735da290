import { MeshAttachment } from "../attachments/mesh-attachment.js";
import { RegionAttachment } from "../attachments/region-attachment.js";
import { ClippingAttachment } from "../attachments/clipping-attachment.js";
import { SkeletonClipping } from "../clipping/skeleton-clipping.js";
import type { BlendMode } from "../enums.js";
import type { Color } from "../utils/color.js";
import type { Skeleton } from "./skeleton.js";
import type { SlotPose } from "./slot-pose.js";

/** Triangles to draw with one texture and one blend mode; a link in a list. Valid until the next `render`. */
export interface RenderCommand {
  /** `stride` values per vertex: x, y and, from stride 3 on, the depth of the slot. */
  positions: Float32Array;
  /** u, v per vertex. */
  uvs: Float32Array;
  /** 0xAARRGGBB per vertex. */
  colors: Uint32Array;
  /** 0xAARRGGBB per vertex; alpha is 0xff with premultiplied colours, else 0. */
  darkColors: Uint32Array;
  /** Three per triangle. */
  indices: Uint16Array;
  numVertices: number;
  numIndices: number;
  blendMode: BlendMode;
  // The renderer's own texture object.
  // oxlint-disable-next-line no-explicit-any
  texture: any;
  next: RenderCommand | undefined;
}

/** Where a command's values lie in the buffers. */
class Command implements RenderCommand {
  positions = new Float32Array(0);
  uvs = new Float32Array(0);
  colors = new Uint32Array(0);
  darkColors = new Uint32Array(0);
  indices = new Uint16Array(0);
  numVertices = 0;
  numIndices = 0;
  blendMode: BlendMode = 0;
  texture: unknown = undefined;
  next: RenderCommand | undefined = undefined;
  firstVertex = 0;
  firstIndex = 0;
  light = 0;
  dark = 0;
}

/** A group of slots ends before it has this many indices. */
const INDEX_LIMIT = 65535;
const VERTEX_LIMIT = 65536;
const QUAD_INDICES = [0, 1, 2, 2, 3, 0];
/** Makes up for single-precision colours before rounding down, so that 128/255 is 128. */
const ROUNDING = 1e-4;

/** Turns what a skeleton shows into triangles, for renderers of any kind. Slots that can be drawn together are joined. */
export class SkeletonRendererCore {
  #positions = new Float32Array(0);
  #uvs = new Float32Array(0);
  #colors = new Uint32Array(0);
  #darkColors = new Uint32Array(0);
  #indices = new Uint16Array(0);
  readonly #commands: Command[] = [];
  #commandCount = 0;
  #vertexCount = 0;
  #indexCount = 0;
  readonly #clipping = new SkeletonClipping();
  #light = 0;
  #dark = 0;

  /**
   * @param pma - whether colours are multiplied by alpha
   * @param inColor - r, g, b, a to multiply everything with
   * @param stride - values per vertex in `positions`, 2 or more
   * @param slotZOffset - added to the depth after each slot that is drawn
   * @returns the first command, undefined if nothing is shown. It may have no vertices, if the first slot was clipped away
   */
  render(
    skeleton: Skeleton, pma = false, inColor?: ArrayLike<number>, stride = 2, slotZOffset = 0,
  ): RenderCommand | undefined {
    this.#commandCount = this.#vertexCount = this.#indexCount = 0;
    const clipping = this.#clipping;
    const order = skeleton.drawOrder.appliedPose;
    let z = 0;
    for (let i = 0; i < order.length; i++) {
      const slot = order[i]!;
      const pose = slot.appliedPose;
      const { attachment } = pose;
      const isClip = attachment instanceof ClippingAttachment;
      if (!slot.bone.active || attachment === null || (pose.color.a === 0 && !isClip)) {
        clipping.clipEnd(slot);
        continue;
      }
      if (isClip) {
        clipping.clipEnd(slot);
        clipping.clipStart(skeleton, slot, attachment);
        continue;
      }
      const isRegion = attachment instanceof RegionAttachment;
      if (!isRegion && !(attachment instanceof MeshAttachment)) {
        clipping.clipEnd(slot);
        continue;
      }
      const frame = attachment.sequence.resolveIndex(pose);
      const texture = attachment.sequence.regions[frame]?.texture as unknown;
      if (attachment.color.a === 0 || !texture) {
        clipping.clipEnd(slot);
        continue;
      }
      const uvs = attachment.sequence.uvs[frame]!;
      const vertexCount = isRegion ? 4 : attachment.worldVerticesLength >> 1;
      const triangles: ArrayLike<number> = isRegion ? QUAD_INDICES : attachment.triangles;
      this.#reserve(vertexCount, triangles.length, stride);
      const start = this.#vertexCount * stride;
      if (isRegion) attachment.computeWorldVertices(slot, attachment.sequence.offsets[frame]!, this.#positions, start, stride);
      else attachment.computeWorldVertices(skeleton, slot, 0, vertexCount * 2, this.#positions, start, stride);
      this.#pack(skeleton.color, pose, attachment.color, inColor, pma);

      const blendMode = slot.data.blendMode;
      if (clipping.isClipping()) {
        clipping._clipRaw(this.#positions, start, triangles, triangles.length, uvs, stride);
        const count = clipping.clippedVerticesLength / stride;
        this.#reserve(count, clipping.clippedTrianglesLength, stride);
        const clipped = clipping._clippedVerticesTyped;
        for (let v = 0; v < count; v++) {
          this.#positions[start + v * stride] = clipped[v * stride]!;
          this.#positions[start + v * stride + 1] = clipped[v * stride + 1]!;
        }
        const { clippedTrianglesLength: indexCount, _clippedTrianglesTyped: indices } = clipping;
        this.#append(clipping._clippedUVsTyped, count, indices, indexCount, stride, z, blendMode, texture);
      } else {
        this.#append(uvs, vertexCount, triangles, triangles.length, stride, z, blendMode, texture);
      }
      z += slotZOffset;
      clipping.clipEnd(slot);
    }
    clipping.clipEnd();
    return this.#finish(stride);
  }

  /** Adds the vertices just written to the last command, or starts a new one. */
  #append(
    uvs: ArrayLike<number>, count: number, triangles: ArrayLike<number>, indexCount: number, stride: number, z: number,
    blendMode: BlendMode, texture: unknown,
  ): void {
    const isEmpty = count === 0 && indexCount === 0;
    if (isEmpty && this.#commandCount > 0) return;
    let command = this.#commandCount === 0 ? undefined : this.#commands[this.#commandCount - 1]!;
    if (
      command === undefined || command.numVertices === 0 || command.texture !== texture || command.blendMode !== blendMode ||
      command.light !== this.#light || command.dark !== this.#dark ||
      command.numIndices + indexCount >= INDEX_LIMIT || command.numVertices + count > VERTEX_LIMIT
    ) {
      command = this.#commands[this.#commandCount] ??= new Command();
      this.#commandCount++;
      command.texture = texture;
      command.blendMode = blendMode;
      command.light = this.#light;
      command.dark = this.#dark;
      command.firstVertex = this.#vertexCount;
      command.firstIndex = this.#indexCount;
      command.numVertices = command.numIndices = 0;
    }
    const first = this.#vertexCount;
    for (let i = 0; i < count * 2; i++) this.#uvs[first * 2 + i] = uvs[i]!;
    this.#colors.fill(this.#light, first, first + count);
    this.#darkColors.fill(this.#dark, first, first + count);
    if (stride > 2) {
      for (let v = first; v < first + count; v++) this.#positions[v * stride + 2] = z;
    }
    const shift = command.numVertices;
    for (let i = 0; i < indexCount; i++) this.#indices[this.#indexCount + i] = triangles[i]! + shift;
    command.numVertices += count;
    command.numIndices += indexCount;
    this.#vertexCount += count;
    this.#indexCount += indexCount;
  }

  #finish(stride: number): RenderCommand | undefined {
    for (let i = 0; i < this.#commandCount; i++) {
      const c = this.#commands[i]!;
      const { firstVertex: v, numVertices: n } = c;
      c.positions = viewOf(c.positions, this.#positions, v * stride, n * stride);
      c.uvs = viewOf(c.uvs, this.#uvs, v * 2, n * 2);
      c.colors = viewOf(c.colors, this.#colors, v, n);
      c.darkColors = viewOf(c.darkColors, this.#darkColors, v, n);
      c.indices = viewOf(c.indices, this.#indices, c.firstIndex, c.numIndices);
      c.next = i + 1 < this.#commandCount ? this.#commands[i + 1] : undefined;
    }
    return this.#commandCount === 0 ? undefined : this.#commands[0];
  }

  /** Packs the light and dark colours of a slot. */
  #pack(skeleton: Color, pose: SlotPose, attachment: Color, inColor: ArrayLike<number> | undefined, pma: boolean): void {
    const slot = pose.color;
    let r = skeleton.r * slot.r * attachment.r;
    let g = skeleton.g * slot.g * attachment.g;
    let b = skeleton.b * slot.b * attachment.b;
    let a = skeleton.a * slot.a * attachment.a;
    if (inColor !== undefined && inColor !== null) {
      r *= inColor[0]!;
      g *= inColor[1]!;
      b *= inColor[2]!;
      a *= inColor[3]!;
    }
    const alpha = Math.floor(a * 255 + ROUNDING);
    const scale = pma ? alpha : 255;
    this.#light = packed(alpha, r * scale, g * scale, b * scale);
    const dark = pose.darkColor;
    const flag = pma ? 255 : 0;
    this.#dark = dark === null ? packed(flag, 0, 0, 0) : packed(flag, dark.r * scale, dark.g * scale, dark.b * scale);
  }

  #reserve(vertices: number, indices: number, stride: number): void {
    const v = this.#vertexCount + vertices;
    if (v * stride > this.#positions.length) this.#positions = grown(this.#positions, v * stride * 2);
    if (v * 2 > this.#uvs.length) this.#uvs = grown(this.#uvs, v * 4);
    if (v > this.#colors.length) {
      this.#colors = grown(this.#colors, v * 2);
      this.#darkColors = grown(this.#darkColors, v * 2);
    }
    const i = this.#indexCount + indices;
    if (i > this.#indices.length) this.#indices = grown(this.#indices, i * 2);
  }
}

function packed(a: number, r: number, g: number, b: number): number {
  // A signed number: typed arrays of u32 take it as it is, and it fits a small integer.
  return (a << 24) | (Math.floor(r + ROUNDING) << 16) | (Math.floor(g + ROUNDING) << 8) | Math.floor(b + ROUNDING);
}

type Growable = Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;

function grown<T extends Growable>(array: T, length: number): T {
  const larger = new (array.constructor as new (n: number) => T)(Math.max(256, length));
  larger.set(array as never);
  return larger;
}

/** `old` if it is that part of the buffer already, so that steady frames make no garbage. */
function viewOf<T extends Growable>(old: T, buffer: T, start: number, length: number): T {
  const offset = start * buffer.BYTES_PER_ELEMENT;
  if (old.buffer === buffer.buffer && old.byteOffset === offset && old.length === length) return old;
  return buffer.subarray(start, start + length) as T;
}
