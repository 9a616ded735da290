import { AttachmentField } from "../../assembly/layout/attachment.js";
import { PIECE_BYTES, PieceField, PieceKind } from "../../assembly/layout/crowd-vertices.js";
import { ClippingAttachment } from "../spine/attachments/clipping-attachment.js";
import { MeshAttachment } from "../spine/attachments/mesh-attachment.js";
import { attachmentRecord } from "../spine/attachments/record.js";
import type { TextureRegion } from "../spine/texture.js";
import { heap } from "../wasm/heap.js";
import type { Drawable } from "./drawable-table.js";

/** A texture page that characters of a crowd use. */
export interface CrowdPage {
  /** Name in the atlas, null for a texture that is in none. */
  readonly name: string | null;
  /** What the region refers to; null where no texture was set. */
  readonly texture: unknown;
}

const QUAD = [0, 1, 2, 2, 3, 0];

/** What drawables draw, for the vertex kernel. */
export class PieceTable {
  /** Address of the pieces; number 0 draws nothing. */
  readonly ptr: number;
  readonly pages: CrowdPage[] = [];
  /** Most vertices of a piece. */
  readonly largest: number;
  /** Most vertices of a clipping polygon. */
  readonly largestClip: number;
  readonly #blocks: number[];
  readonly #pageNumbers = new Map<unknown, number>();
  readonly #arrays = new Map<unknown, number>();

  /** @param blocks - what is taken is added */
  constructor(drawables: readonly Drawable[], blocks: number[]) {
    this.#blocks = blocks;
    this.ptr = this.#block((drawables.length + 1) * PIECE_BYTES);
    let largest = 4;
    let largestClip = 3;
    drawables.forEach(({ attachment, frame }, i) => {
      const record = attachmentRecord(attachment);
      const vertices = heap.i32[(record + AttachmentField.VERTEX_COUNT) >> 2]!;
      largest = Math.max(largest, vertices);
      const at = (this.ptr + (i + 1) * PIECE_BYTES) >> 2;
      const set = (field: PieceField, value: number): void => {
        heap.i32[at + (field >> 2)] = value;
      };
      if (attachment instanceof ClippingAttachment) {
        largestClip = Math.max(largestClip, vertices);
        set(PieceField.KIND, PieceKind.CLIP);
        set(PieceField.END_SLOT, attachment.endSlot?.index ?? -1);
        set(PieceField.CONVEX, Number(attachment.convex));
        set(PieceField.INVERSE, Number(attachment.inverse));
      } else {
        const region = attachment.sequence.regions[frame] ?? null;
        const uvs = attachment.sequence.uvs[frame];
        const triangles: ArrayLike<number> = attachment instanceof MeshAttachment ? attachment.triangles : QUAD;
        const isDrawn = region !== null && uvs !== undefined && attachment.color.a !== 0;
        set(PieceField.KIND, isDrawn ? PieceKind.PICTURE : PieceKind.NONE);
        if (!isDrawn) return;
        set(PieceField.PAGE, this.#page(region));
        set(PieceField.UVS, this.#array(uvs, true));
        set(PieceField.TRIANGLES, this.#array(triangles, false));
        set(PieceField.INDEX_COUNT, triangles.length);
        set(PieceField.FRAME, frame);
        const { r, g, b, a } = attachment.color;
        heap.f32.set([r, g, b, a], at + (PieceField.COLOR >> 2));
        set(PieceField.WHITE, Number(r === 1 && g === 1 && b === 1 && a === 1));
      }
      set(PieceField.RECORD, record);
      set(PieceField.VERTEX_COUNT, vertices);
    });
    this.largest = largest;
    this.largestClip = largestClip;
  }

  /** Pages are told apart by their atlas page, else by their texture. */
  #page(region: TextureRegion): number {
    const page = (region as { page?: { name: string } }).page ?? null;
    const texture = (region.texture as unknown) ?? null;
    const key = page ?? texture;
    let number = this.#pageNumbers.get(key);
    if (number === undefined) {
      number = this.pages.push({ name: page?.name ?? null, texture }) - 1;
      this.#pageNumbers.set(key, number);
    }
    return number;
  }

  /** Address of a copy of an array, as f32 or as u32; kernels read whole registers. */
  #array(values: ArrayLike<number>, isFloat: boolean): number {
    let ptr = this.#arrays.get(values);
    if (ptr !== undefined) return ptr;
    ptr = this.#block(values.length * 4 + 16);
    if (isFloat) heap.f32.set(values, ptr >> 2);
    else heap.u32.set(values, ptr >> 2);
    this.#arrays.set(values, ptr);
    return ptr;
  }

  #block(bytes: number): number {
    const ptr = heap.alloc(Math.max(16, bytes));
    this.#blocks.push(ptr);
    return ptr;
  }
}
