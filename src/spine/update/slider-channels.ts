import type { Animation } from "../animation.js";
import type { SkeletonData } from "../data/skeleton-data.js";
import { TimelineKind } from "../timelines/property.js";

/** What a slider's operation applies. */
export interface SliderChannels {
  /** Address of the animation's header (layout/animation.ts), 0 if TypeScript applies the animation. */
  readonly header: number;
  /** Address of the header with the numbers that the animation keys, whatever else it keys; 0 without numbers. */
  readonly numbers: number;
  /** Whether TypeScript applies the animation: it keys attachments, deforms, sequences or draw orders, or holds foreign timelines. */
  readonly needsCall: boolean;
}

const NOTHING: SliderChannels = { header: 0, numbers: 0, needsCall: false };

/** The part of an animation that a slider's operation can apply: all of it or nothing. */
export function sliderChannels(animation: Animation, data: SkeletonData): SliderChannels {
  if (animation.timelines.length === 0) return NOTHING;
  const { segments } = animation._compiledFor(data);
  const { steps, header, channelCount } = segments[0]!;
  const numbers = channelCount === 0 ? 0 : header;
  if (segments.length > 1 || segments[0]!.custom !== null) return { header: 0, numbers, needsCall: true };
  // Events and resets never trigger: a slider applies its animation with lastTime = time.
  const needsCall = steps.some((step) => step.kind !== TimelineKind.EVENT && step.kind !== TimelineKind.RESET);
  if (needsCall) return { header: 0, numbers, needsCall };
  return { header: numbers, numbers, needsCall };
}
