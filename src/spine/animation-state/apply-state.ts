import { CommandFlag, ROTATION_MEMORY_BYTES } from "../../../assembly/layout/animation.js";
import { MixMode } from "../../../assembly/layout/rig2d.js";
import { heap } from "../../wasm/heap.js";
import { commandFlags, commands, narrow } from "../compile/command-list.js";
import type { CompiledAnimation, Segment, Step } from "../compile/compiled-animation.js";
import { applyStep } from "../compile/steps.js";
import { MixFrom } from "../enums.js";
import type { Event } from "../model/event.js";
import type { Skeleton } from "../model/skeleton.js";
import { TimelineKind } from "../timelines/property.js";
import type { AttachmentTimeline } from "../timelines/slot-timelines.js";
import type { AttachmentMarks } from "./attachment-marks.js";
import { HOLD, type EntryMemory, type TrackEntry, WEIGHT_HOLD, WEIGHT_MIX } from "./track-entry.js";

/**
 * An entry at full weight on the lowest track: every timeline from the setup pose, nothing is mixed or remembered.
 * @param time - animation time to sample
 */
export function poseEntry(
  compiled: CompiledAnimation,
  skeleton: Skeleton,
  lastTime: number,
  time: number,
  events: Event[] | null,
  marks: AttachmentMarks,
): void {
  const { segments } = compiled;
  for (let i = 0; i < segments.length; i++) {
    const { header, channelCount, steps, custom } = segments[i]!;
    if (channelCount > 0) commands.pose(header, time);
    for (let j = 0; j < steps.length; j++) {
      const step = steps[j]!;
      if (step.kind === TimelineKind.ATTACHMENT) {
        marks.apply(step.timeline as AttachmentTimeline, skeleton, time, MixMode.SETUP, true);
      } else {
        applyStep(step, skeleton, lastTime, time, events, 1, MixMode.SETUP, false, false, false);
      }
    }
    if (custom !== null) {
      commands.run(skeleton);
      custom.timeline.apply(skeleton, lastTime, time, events, 1, MixFrom.setup, false, false, false);
    }
  }
}

/** An entry mixed in: the current entry of a track. */
export function mixEntryIn(
  entry: TrackEntry,
  compiled: CompiledAnimation,
  skeleton: Skeleton,
  time: number,
  events: Event[] | null,
  alpha: number,
  marks: AttachmentMarks,
  memory: EntryMemory,
): void {
  const { timelineMode: modes, additive, _animationLast: lastTime } = entry;
  const { segments } = compiled;
  const flags = prepare(entry, compiled, memory, commandFlags(MixMode.CURRENT, additive, false, false));
  const remembers = !additive && !entry.shortestRotation;
  const retain = alpha >= entry.alphaAttachmentThreshold;
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i]!;
    if (segment.channelCount > 0) {
      const at = mixCommand(entry, compiled, segment, time, flags, remembers, 1);
      heap.f32[at] = narrow(alpha);
    }
    const { steps, custom } = segment;
    for (let j = 0; j < steps.length; j++) {
      const step = steps[j]!;
      const mode = modes[step.index]! & CommandFlag.MODE;
      if (step.kind === TimelineKind.ATTACHMENT) {
        marks.apply(step.timeline as AttachmentTimeline, skeleton, time, mode, retain);
      } else {
        applyStep(step, skeleton, lastTime, time, events, alpha, mode, additive, false, false);
      }
    }
    if (custom !== null) {
      commands.run(skeleton);
      const mode = modes[custom.index]! & CommandFlag.MODE;
      custom.timeline.apply(skeleton, lastTime, time, events, alpha, mode, additive, false, false);
    }
  }
}

/**
 * An entry mixed out.
 * @param mix - how far the mix to the entry's successor has come
 * @param alphaMix - weight of timelines that fade
 * @param alphaHold - weight of held timelines
 */
export function mixEntryOut(
  entry: TrackEntry,
  compiled: CompiledAnimation,
  skeleton: Skeleton,
  time: number,
  events: Event[] | null,
  mix: number,
  alphaMix: number,
  alphaHold: number,
  marks: AttachmentMarks,
  memory: EntryMemory,
): void {
  const { timelineMode: modes, additive, _animationLast: lastTime, _fading: fading, _timelinesPerWeight: perWeight } = entry;
  const { segments } = compiled;
  const flags = prepare(entry, compiled, memory, commandFlags(MixMode.CURRENT, additive, true, false));
  const remembers = !additive && !entry.shortestRotation;
  const drawsOrder = mix < entry.mixDrawOrderThreshold;
  const retain = mix < entry.mixAttachmentThreshold && alphaMix >= entry.alphaAttachmentThreshold;
  let total = perWeight[WEIGHT_MIX]! * alphaMix + perWeight[WEIGHT_HOLD]! * alphaHold;
  for (let k = 0; k < fading.length; k++) total += perWeight[k + 2]! * (alphaHold * (1 - fading[k]!.mix()));
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i]!;
    if (segment.channelCount > 0) {
      const at = mixCommand(entry, compiled, segment, time, flags, remembers, fading.length + 2);
      heap.f32[at + WEIGHT_MIX] = narrow(alphaMix);
      heap.f32[at + WEIGHT_HOLD] = narrow(alphaHold);
      for (let k = 0; k < fading.length; k++) heap.f32[at + 2 + k] = narrow(alphaHold * (1 - fading[k]!.mix()));
    }
    const { steps, custom } = segment;
    for (let j = 0; j < steps.length; j++) {
      const step = steps[j]!;
      const mode = modes[step.index]! & CommandFlag.MODE;
      if (step.kind === TimelineKind.ATTACHMENT) {
        marks.apply(step.timeline as AttachmentTimeline, skeleton, time, mode, retain);
      } else if (step.kind === TimelineKind.DRAW_ORDER) {
        if (mode === MixMode.CURRENT && !drawsOrder) {
          total -= alphaMix;
        } else {
          const out = !drawsOrder || mode === MixMode.CURRENT;
          applyStep(step, skeleton, lastTime, time, events, alphaMix, mode, additive, out, false);
        }
      } else {
        const weight = weightOf(entry, step, alphaMix, alphaHold);
        applyStep(step, skeleton, lastTime, time, events, weight, mode, additive, true, false);
      }
    }
    if (custom !== null) {
      commands.run(skeleton);
      const mode = modes[custom.index]! & CommandFlag.MODE;
      const weight = weightOf(entry, custom, alphaMix, alphaHold);
      custom.timeline.apply(skeleton, lastTime, time, events, weight, mode, additive, true, false);
    }
  }
  entry.totalAlpha = total;
}

/** Weight of a timeline of an entry that is mixed out. */
function weightOf(entry: TrackEntry, step: Step, alphaMix: number, alphaHold: number): number {
  if ((entry.timelineMode[step.index]! & HOLD) === 0) return alphaMix;
  const fading = entry.timelineHoldMix[step.index]!;
  return fading === null ? alphaHold : alphaHold * (1 - fading.mix());
}

/** Brings weight words up to date and sees whether rotation directions are new. @returns flags of the entry's commands */
function prepare(entry: TrackEntry, compiled: CompiledAnimation, memory: EntryMemory, flags: number): number {
  if (compiled.channelCount === 0) return flags;
  if (entry._stale || entry._wordsFor !== compiled) entry._writeWords(compiled, memory);
  if (compiled.rotateCount === 0 || entry.shortestRotation || entry._remembers) return flags;
  const at = entry._memoryOf(compiled);
  heap.u8.fill(0, at, at + compiled.rotateCount * ROTATION_MEMORY_BYTES);
  entry._remembers = true;
  return flags | CommandFlag.FIRST_FRAME;
}

function mixCommand(
  entry: TrackEntry,
  compiled: CompiledAnimation,
  segment: Segment,
  time: number,
  flags: number,
  remembers: boolean,
  weightCount: number,
): number {
  const words = entry._block + segment.firstChannel * 2;
  const memory =
    remembers && segment.rotateCount > 0 ? entry._memoryOf(compiled) + segment.firstRotation * ROTATION_MEMORY_BYTES : 0;
  return commands.mixWeights(segment.header, time, flags, words, memory, weightCount);
}
