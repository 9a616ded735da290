import { StateError } from "../../errors.js";
import type { Skeleton } from "../model/skeleton.js";
import type { Slot } from "../model/slot.js";
import type { NumberArrayLike } from "../utils/utils.js";
import type { VertexAttachment } from "./vertex-attachment.js";

/** World positions of some vertices of an attachment. @internal */
export function computeVertices(
  _attachment: VertexAttachment,
  _skeleton: Skeleton,
  _slot: Slot,
  _start: number,
  _count: number,
  _out: NumberArrayLike,
  _offset: number,
  _stride: number,
): void {
  throw new StateError("Vertices are not available yet.");
}
