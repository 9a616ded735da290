import {
  ATTACHMENT_BYTES,
  AttachmentField,
  AttachmentFlag,
  AttachmentKind,
  INFLUENCE_BYTES,
  REGION_BYTES,
} from "../../../assembly/layout/attachment.js";
import { disposedByHand, freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import type { Attachment } from "./attachment.js";
import type { MeshAttachment } from "./mesh-attachment.js";
import type { PathAttachment } from "./path-attachment.js";
import type { PointAttachment } from "./point-attachment.js";
import type { RegionAttachment } from "./region-attachment.js";
import type { VertexAttachment } from "./vertex-attachment.js";

/** Places in `Attachment._blocks`. */
const HEADER = 0;
const VERTICES = 1;
const STARTS = 2;
const LENGTHS = 3;

/**
 * Address of the record of an attachment (assembly/layout/attachment.ts), made on first use; 0 for null and for attachments
 * of a kind without geometry. The address stays the same until `disposeRecord`. @internal
 */
export function attachmentRecord(attachment: Attachment | null): number {
  if (attachment === null) return 0;
  if (attachment._record !== 0) return attachment._record;
  if (attachment._kind < 0 && !("vertices" in attachment)) return 0;
  const header = heap.alloc(ATTACHMENT_BYTES);
  const blocks = [header];
  attachment._record = header;
  attachment._blocks = blocks;
  freeWhenCollected(attachment, blocks);
  refreshRecord(attachment);
  return header;
}

/** Frees the record. No skeleton may show the attachment any more. @internal */
export function disposeRecord(attachment: Attachment): void {
  if (attachment._blocks === null) return;
  disposedByHand(attachment);
  for (const block of attachment._blocks) heap.free(block);
  attachment._blocks = null;
  attachment._record = 0;
}

/** Writes the record anew after an edit of the attachment. @internal */
export function refreshRecord(attachment: Attachment): void {
  const blocks = attachment._blocks!;
  for (let i = blocks.length - 1; i > HEADER; i--) heap.free(blocks[i]!);
  blocks.length = 1;
  if (attachment._kind === AttachmentKind.REGION) writeRegion(attachment as RegionAttachment, blocks);
  else writeVertices(attachment as VertexAttachment, blocks);
  writeTimelines(attachment, blocks);
}

/** Which timelines the attachment follows, and which slots follow its own. */
function writeTimelines(attachment: Attachment, blocks: number[]): void {
  const { timelineAttachment, timelineSlots } = attachment;
  let slots = 0;
  if (timelineSlots.length > 0) {
    slots = heap.alloc(timelineSlots.length * 4);
    heap.u32.set(timelineSlots, slots >> 2);
    // Behind the others, so that the list of blocks stays dense.
    blocks.push(slots);
  }
  const { u32 } = heap;
  const header = blocks[HEADER]!;
  u32[(header + AttachmentField.KEY) >> 2] = attachment._key;
  u32[(header + AttachmentField.TIMELINE) >> 2] = timelineAttachment === null ? 0 : timelineAttachment._key;
  u32[(header + AttachmentField.TIMELINE_SLOTS) >> 2] = slots;
  u32[(header + AttachmentField.TIMELINE_SLOT_COUNT) >> 2] = timelineSlots.length;
}

function writeRegion(attachment: RegionAttachment, blocks: number[]): void {
  const { offsets, setupIndex } = attachment.sequence;
  blocks[VERTICES] = heap.alloc(Math.max(1, offsets.length) * REGION_BYTES);
  const f32 = heap.f32;
  for (let frame = 0, at = blocks[VERTICES]! >> 2; frame < offsets.length; frame++, at += REGION_BYTES >> 2) {
    for (let i = 0; i < 8; i++) f32[at + i] = offsets[frame]![i]!;
  }
  const u32 = heap.u32;
  const header = blocks[HEADER]!;
  u32[(header + AttachmentField.KIND) >> 2] = AttachmentKind.REGION;
  u32[(header + AttachmentField.VERTEX_COUNT) >> 2] = 4;
  u32[(header + AttachmentField.VERTICES) >> 2] = blocks[VERTICES]!;
  u32[(header + AttachmentField.FRAME_COUNT) >> 2] = offsets.length;
  u32[(header + AttachmentField.SETUP_FRAME) >> 2] = setupIndex;
}

function writeVertices(attachment: VertexAttachment, blocks: number[]): void {
  const kind = attachment._kind < 0 ? AttachmentKind.MESH : attachment._kind;
  const { _bones: bones, _vertices: vertices } = attachment;
  const stated = attachment.worldVerticesLength >> 1;
  let vertexCount = 0;
  let influences = 0;
  let boneLimit = 0;
  if (bones === null) {
    vertexCount = Math.min(stated, vertices.length >> 1);
    blocks[VERTICES] = heap.alloc(Math.max(1, vertexCount) * 8);
    const f32 = heap.f32;
    for (let i = 0, at = blocks[VERTICES]! >> 2; i < vertexCount * 2; i++) f32[at + i] = vertices[i]!;
  } else {
    // Bones and vertices are assigned one after the other, so between the two they need not fit: whole vertices count.
    for (let at = 0; vertexCount < stated && at < bones.length; vertexCount++) {
      const n = bones[at]!;
      if (!(n >= 0) || at + n >= bones.length || (influences + n) * 3 > vertices.length) break;
      influences += n;
      at += n + 1;
    }
    blocks[VERTICES] = heap.alloc(Math.max(1, influences) * INFLUENCE_BYTES);
    blocks[STARTS] = heap.alloc((vertexCount + 1) * 4);
    boneLimit = writeInfluences(bones, vertices, vertexCount, blocks[VERTICES]!, blocks[STARTS]!);
  }
  const header = blocks[HEADER]!;
  let flags = bones === null ? 0 : AttachmentFlag.WEIGHTED;
  let lengths = 0;
  let lengthCount = 0;
  if (kind === AttachmentKind.PATH) {
    const path = attachment as unknown as PathAttachment;
    if (path.closed) flags |= AttachmentFlag.CLOSED;
    if (path.constantSpeed) flags |= AttachmentFlag.CONSTANT_SPEED;
    lengthCount = path._lengths.length;
    lengths = heap.alloc(Math.max(1, lengthCount) * 4);
    // Without weights there are no starts; the list of blocks stays dense.
    blocks[bones === null ? STARTS : LENGTHS] = lengths;
    for (let i = 0; i < lengthCount; i++) heap.f32[(lengths >> 2) + i] = path._lengths[i]!;
  }
  const u32 = heap.u32;
  u32[(header + AttachmentField.KIND) >> 2] = kind;
  u32[(header + AttachmentField.FLAGS) >> 2] = flags;
  u32[(header + AttachmentField.VERTEX_COUNT) >> 2] = vertexCount;
  u32[(header + AttachmentField.INFLUENCE_COUNT) >> 2] = influences;
  u32[(header + AttachmentField.VERTICES) >> 2] = blocks[VERTICES]!;
  u32[(header + AttachmentField.STARTS) >> 2] = bones === null ? 0 : blocks[STARTS]!;
  u32[(header + AttachmentField.LENGTHS) >> 2] = lengths;
  u32[(header + AttachmentField.LENGTH_COUNT) >> 2] = lengthCount;
  u32[(header + AttachmentField.DEFORM_LENGTH) >> 2] = (bones === null ? vertexCount : influences) * 2;
  u32[(header + AttachmentField.BONE_LIMIT) >> 2] = boneLimit;
  const sequence = kind === AttachmentKind.MESH ? (attachment as unknown as MeshAttachment).sequence : undefined;
  u32[(header + AttachmentField.FRAME_COUNT) >> 2] = sequence === undefined ? 0 : sequence.regions.length;
  u32[(header + AttachmentField.SETUP_FRAME) >> 2] = sequence === undefined ? 0 : sequence.setupIndex;
  if (kind === AttachmentKind.POINT) {
    const point = attachment as unknown as PointAttachment;
    heap.f32[(header + AttachmentField.POINT_X) >> 2] = point.x;
    heap.f32[(header + AttachmentField.POINT_Y) >> 2] = point.y;
    heap.f32[(header + AttachmentField.POINT_ROTATION) >> 2] = point.rotation;
  }
}

/** @returns one more than the highest bone index */
function writeInfluences(
  bones: readonly number[],
  vertices: ArrayLike<number>,
  vertexCount: number,
  influencesPtr: number,
  startsPtr: number,
): number {
  const { f32, u32 } = heap;
  let at = 0;
  let influence = 0;
  let boneLimit = 0;
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    u32[(startsPtr >> 2) + vertex] = influence;
    const n = bones[at++]!;
    for (let end = influence + n; influence < end; influence++) {
      const to = (influencesPtr >> 2) + influence * (INFLUENCE_BYTES >> 2);
      const weight = vertices[influence * 3 + 2]!;
      f32[to] = vertices[influence * 3]! * weight;
      f32[to + 1] = vertices[influence * 3 + 1]! * weight;
      f32[to + 2] = weight;
      const bone = bones[at++]!;
      u32[to + 3] = bone;
      if (bone >= boneLimit) boneLimit = bone + 1;
    }
  }
  u32[(startsPtr >> 2) + vertexCount] = influence;
  return boneLimit;
}
