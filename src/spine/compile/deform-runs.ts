import { DeformField } from "../../../assembly/layout/animation.js";
import { heap } from "../../wasm/heap.js";
import { attachmentRecord } from "../attachments/record.js";
import type { DeformTimeline } from "../timelines/deform-timeline.js";
import { TimelineKind } from "../timelines/property.js";
import type { Segment, Step } from "./compiled-animation.js";

/**
 * Joins deform timelines that follow each other to runs, which one command applies, and writes into their records what they
 * deform. Requires that records lie in the order of the steps. @internal
 * @returns per deform record the index of its timeline
 */
export function joinDeforms(segments: readonly Segment[]): Uint32Array {
  const timelines: number[] = [];
  for (const { steps } of segments) {
    let first: Step | null = null;
    for (const step of steps) {
      if (step.kind !== TimelineKind.DEFORM) {
        first = null;
        continue;
      }
      const { slotIndex, attachment } = step.timeline as DeformTimeline;
      // Made first: that may move the views.
      const target = attachmentRecord(attachment);
      heap.u32[(step.deform + DeformField.SLOT) >> 2] = slotIndex;
      heap.u32[(step.deform + DeformField.ATTACHMENT) >> 2] = target;
      step.deformIndex = timelines.length;
      first ??= step;
      first.run++;
      timelines.push(step.index);
    }
  }
  return Uint32Array.from(timelines);
}
