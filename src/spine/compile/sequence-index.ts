import type { Attachment } from "../attachments/attachment.js";
import { SequenceMode } from "../enums.js";
import type { SequenceAttachment } from "../timelines/sequence-timeline.js";
import type { ApplyContext } from "./apply-context.js";

/**
 * Region that a sequence timeline shows at a time that is not before the first frame.
 * @param frames - time, mode | index << 4, delay per frame
 * @param attachment - the attachment shown; its number of regions counts
 */
export function sequenceIndexAt(frames: Float32Array, { time }: ApplyContext, attachment: Attachment): number {
  let at = 0;
  while (at + 3 < frames.length && frames[at + 3]! <= time) at += 3;
  const packed = frames[at + 1]!;
  const first = packed >> 4;
  const mode = packed & 15;
  const count = (attachment as Partial<SequenceAttachment>).sequence?.regions.length ?? 0;
  // A delay of 0 gives infinity, which becomes 0 passed regions.
  const index = mode === SequenceMode.hold ? first : first + (((time - frames[at]!) / frames[at + 2]! + 0.00001) | 0);
  return count === 0 ? index : regionAt(mode, index, count);
}

function regionAt(mode: number, index: number, count: number): number {
  const period = count * 2 - 2;
  switch (mode) {
    case SequenceMode.once:
      return Math.min(count - 1, index);
    case SequenceMode.loop:
      return index % count;
    case SequenceMode.pingpong:
      return bounce(period === 0 ? 0 : index % period, count, period);
    case SequenceMode.onceReverse:
      return Math.max(count - 1 - index, 0);
    case SequenceMode.loopReverse:
      return count - 1 - (index % count);
    case SequenceMode.pingpongReverse:
      return bounce(period === 0 ? 0 : (index + count - 1) % period, count, period);
    default:
      return index;
  }
}

function bounce(index: number, count: number, period: number): number {
  return index >= count ? period - index : index;
}
