import { RangeMismatchError } from "../../errors.js";
import { AttachmentField } from "../../../assembly/layout/attachment.js";
import { heap } from "../../wasm/heap.js";
import { rig2d } from "../../wasm/rig2d.js";
import { edits } from "../edits.js";
import type { Skeleton } from "../model/skeleton.js";
import type { Slot } from "../model/slot.js";
import type { NumberArrayLike } from "../utils/utils.js";
import { attachmentRecord } from "./record.js";
import { ScratchBlock } from "./scratch.js";
import type { VertexAttachment } from "./vertex-attachment.js";

const scratch = /* @__PURE__ */ new ScratchBlock();

/** World positions of some vertices of an attachment; see VertexAttachment.computeWorldVertices. @internal */
export function computeVertices(
  attachment: VertexAttachment,
  skeleton: Skeleton,
  slot: Slot,
  start: number,
  count: number,
  out: NumberArrayLike,
  offset: number,
  stride: number,
): void {
  if (edits.arrays > 0) attachment._noticeEdits();
  const record = attachment._record === 0 ? attachmentRecord(attachment) : attachment._record;
  const ptr = scratch.reserve(count * 4);
  const { i32 } = heap;
  const values = i32[(record + AttachmentField.VERTEX_COUNT) >> 2]! * 2;
  if (!(start >= 0 && count >= 0 && start + count <= values)) {
    throw new RangeMismatchError(
      "start + count", start + count, 0, values,
      `Attachment "${attachment.name}" has ${values} values; its vertices, bones and worldVerticesLength must fit together.`,
    );
  }
  if (i32[(record + AttachmentField.BONE_LIMIT) >> 2]! > skeleton.bones.length) {
    throw new RangeMismatchError(
      `bones of attachment "${attachment.name}"`, i32[(record + AttachmentField.BONE_LIMIT) >> 2]! - 1, 0, skeleton.bones.length - 1,
      "The attachment belongs to a skeleton with more bones.",
    );
  }
  skeleton._assertAlive();
  rig2d.kernels.attachmentVertices(skeleton._program, skeleton._block, slot.data.index, record, start >> 1, count >> 1, ptr);
  if (out instanceof Float32Array) copyToFloats(heap.f32, ptr >> 2, count, out, offset, stride);
  else copyToArray(heap.f32, ptr >> 2, count, out, offset, stride);
}

// One loop per kind of array: a loop that sees both is several times as slow.
function copyToFloats(from: Float32Array, at: number, count: number, out: Float32Array, offset: number, stride: number): void {
  if (stride === 2) {
    // Eight a turn takes less than half the time of one a turn.
    for (const end = offset + (count & ~7); offset < end; offset += 8, at += 8) {
      out[offset] = from[at]!;
      out[offset + 1] = from[at + 1]!;
      out[offset + 2] = from[at + 2]!;
      out[offset + 3] = from[at + 3]!;
      out[offset + 4] = from[at + 4]!;
      out[offset + 5] = from[at + 5]!;
      out[offset + 6] = from[at + 6]!;
      out[offset + 7] = from[at + 7]!;
    }
    for (const end = offset + (count & 7); offset < end; offset++, at++) out[offset] = from[at]!;
    return;
  }
  for (let end = at + count; at < end; at += 2, offset += stride) {
    out[offset] = from[at]!;
    out[offset + 1] = from[at + 1]!;
  }
}

function copyToArray(from: Float32Array, at: number, count: number, out: NumberArrayLike, offset: number, stride: number): void {
  for (let end = at + count; at < end; at += 2, offset += stride) {
    out[offset] = from[at]!;
    out[offset + 1] = from[at + 1]!;
  }
}
