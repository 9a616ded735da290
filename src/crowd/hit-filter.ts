import { PALETTE_FLOATS } from "../../assembly/layout/crowd.js";
import type { Attachment } from "../spine/attachments/attachment.js";
import { RegionAttachment } from "../spine/attachments/region-attachment.js";
import { VertexAttachment } from "../spine/attachments/vertex-attachment.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import { DeformTimeline } from "../spine/timelines/deform-timeline.js";
import type { ClipTable } from "./clip-table.js";

/** Deform curves may run over their keys, and weights may be rounded: more than both. */
const SLACK = 2;

/**
 * Tells at once that most characters are not at a point: everything that hangs on a bone lies within a circle around it, so that all of a
 * character lies within the box around those circles.
 */
export class HitFilter {
  /** Largest distance from each bone, in its own space, of what may hang on it; -1 where nothing does. */
  readonly #reach: Float64Array;

  constructor(data: SkeletonData, clips: ClipTable) {
    const reach = (this.#reach = new Float64Array(data.bones.length).fill(-1));
    const deforms = deformsOf(clips);
    for (const skin of data.skins) {
      for (const { slotIndex, attachment } of skin.getAttachments()) {
        const extra = SLACK * (deforms.get(attachment) ?? deforms.get(attachment.timelineAttachment as Attachment) ?? 0);
        forPoints(attachment, data.slots[slotIndex]!.boneData.index, (bone, distance) => (reach[bone] = Math.max(reach[bone]!, distance * 1.01 + extra)));
      }
    }
  }

  /** Whether something of a character may be at a point. @param at - index of its palette row in `palette` */
  mayContain(palette: Float32Array, at: number, x: number, y: number): boolean {
    const reach = this.#reach;
    let left = Infinity, right = -Infinity, bottom = Infinity, top = -Infinity;
    for (let bone = 0; bone < reach.length; bone++, at += PALETTE_FLOATS) {
      const own = reach[bone]!;
      if (own < 0) continue;
      const a = palette[at]!, b = palette[at + 1]!, c = palette[at + 2]!, d = palette[at + 3]!;
      const radius = own * Math.sqrt(a * a + b * b + c * c + d * d), worldX = palette[at + 4]!, worldY = palette[at + 5]!;
      if (worldX - radius < left) left = worldX - radius;
      if (worldX + radius > right) right = worldX + radius;
      if (worldY - radius < bottom) bottom = worldY - radius;
      if (worldY + radius > top) top = worldY + radius;
      if (x >= left && x <= right && y >= bottom && y <= top) return true;
    }
    return false;
  }
}

/** Tells the distance from its bone of every point of an attachment, or more. */
function forPoints(attachment: Attachment, slotBone: number, tell: (bone: number, distance: number) => void): void {
  if (attachment instanceof RegionAttachment) {
    const { x, y, width, height, scaleX, scaleY } = attachment;
    tell(slotBone, Math.hypot(x, y) + Math.hypot(width * scaleX, height * scaleY) / 2);
  } else if (attachment instanceof VertexAttachment) {
    const { bones, vertices } = attachment;
    if (bones === null) {
      for (let i = 0; i + 1 < vertices.length; i += 2) tell(slotBone, Math.hypot(vertices[i]!, vertices[i + 1]!));
      return;
    }
    // A vertex: number of bones, then those; three values each.
    for (let i = 0, v = 0; i < bones.length;) {
      for (let end = i + 1 + bones[i++]!; i < end; i++, v += 3) tell(bones[i]!, Math.hypot(vertices[v]!, vertices[v + 1]!));
    }
  }
}

/** How far all clips together may move a point of an attachment. */
function deformsOf(clips: ClipTable): Map<Attachment, number> {
  const found = new Map<Attachment, number>();
  for (const { timelines } of clips.animations) {
    for (const timeline of timelines) {
      if (!(timeline instanceof DeformTimeline)) continue;
      let most = 0;
      for (const values of timeline.vertices) for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]!));
      found.set(timeline.attachment, (found.get(timeline.attachment) ?? 0) + most * Math.SQRT2);
    }
  }
  return found;
}
