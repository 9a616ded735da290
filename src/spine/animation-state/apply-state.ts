import { CommandFlag, ROTATION_MEMORY_BYTES } from "../../../assembly/layout/animation.js";
import { MixMode } from "../../../assembly/layout/rig2d.js";
import { heap } from "../../wasm/heap.js";
import { type ApplyContext, context } from "../compile/apply-context.js";
import { BELOW_ONE, commands, flagsOf } from "../compile/command-list.js";
import type { CompiledAnimation, Segment, Step } from "../compile/compiled-animation.js";
import { applyStep } from "../compile/steps.js";
import type { Event } from "../model/event.js";
import type { Skeleton } from "../model/skeleton.js";
import { TimelineKind } from "../timelines/property.js";
import type { AttachmentTimeline } from "../timelines/slot-timelines.js";
import type { AttachmentMarks } from "./attachment-marks.js";
import { HOLD, type EntryMemory, type TrackEntry, WEIGHT_HOLD, WEIGHT_MIX } from "./track-entry.js";

// Times and weights are fields of the entry and of the context, not arguments: see ApplyContext.

/**
 * An entry at full weight on the lowest track: every timeline from the setup pose, nothing is mixed or remembered.
 * @param events - receives events, null for none
 */
export function poseEntry(
  entry: TrackEntry,
  compiled: CompiledAnimation,
  skeleton: Skeleton,
  events: Event[] | null,
  marks: AttachmentMarks,
): void {
  const { segments } = compiled;
  for (let i = 0; i < segments.length; i++) {
    const { header, channelCount, steps, custom } = segments[i]!;
    begin(entry, events, false);
    context.weight = 1;
    context.mode = MixMode.SETUP;
    context.add = false;
    if (channelCount > 0) commands.pose(header, context);
    for (let j = 0; j < steps.length; j++) {
      const step = steps[j]!;
      if (step.kind === TimelineKind.ATTACHMENT) marks.apply(step.timeline as AttachmentTimeline, skeleton, context, true);
      else applyStep(step, skeleton, context);
    }
    if (custom !== null) applyCustom(custom, skeleton, context);
  }
}

/** An entry mixed in with weight `entry._alphaNow`: the current entry of a track. */
export function mixEntryIn(
  entry: TrackEntry,
  compiled: CompiledAnimation,
  skeleton: Skeleton,
  events: Event[] | null,
  marks: AttachmentMarks,
  memory: EntryMemory,
): void {
  const { timelineMode: modes } = entry;
  const { segments } = compiled;
  const fresh = prepare(entry, compiled, memory);
  const retain = entry._alphaNow >= entry.alphaAttachmentThreshold;
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i]!;
    begin(entry, events, false);
    if (segment.channelCount > 0) writeWeight(entry, mixCommand(entry, compiled, segment, fresh, 1));
    const { steps, custom } = segment;
    for (let j = 0; j < steps.length; j++) {
      const step = steps[j]!;
      context.mode = modes[step.index]! & CommandFlag.MODE;
      if (step.kind === TimelineKind.ATTACHMENT) marks.apply(step.timeline as AttachmentTimeline, skeleton, context, retain);
      else if (step.kind !== TimelineKind.DEFORM) applyStep(step, skeleton, context);
      else if (step.run > 0) writeWeight(entry, deformCommand(entry, compiled, step, 1));
    }
    if (custom !== null) {
      context.mode = modes[custom.index]! & CommandFlag.MODE;
      applyCustom(custom, skeleton, context);
    }
  }
}

/**
 * An entry mixed out. `entry._alphaNow` is the weight of timelines that fade, `entry._holdNow` that of held ones, the mix of its
 * successor says how far it is gone.
 */
export function mixEntryOut(
  entry: TrackEntry,
  compiled: CompiledAnimation,
  skeleton: Skeleton,
  events: Event[] | null,
  marks: AttachmentMarks,
  memory: EntryMemory,
): void {
  const { timelineMode: modes, _fading: fading, _alphaNow: alphaMix } = entry;
  const { segments } = compiled;
  const fresh = prepare(entry, compiled, memory);
  const mix = entry.mixingTo!._mixNow;
  const drawsOrder = mix < entry.mixDrawOrderThreshold;
  const retain = mix < entry.mixAttachmentThreshold && alphaMix >= entry.alphaAttachmentThreshold;
  let skipped = 0;
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i]!;
    begin(entry, events, true);
    if (segment.channelCount > 0) writeWeights(entry, mixCommand(entry, compiled, segment, fresh, fading.length + 2));
    const { steps, custom } = segment;
    for (let j = 0; j < steps.length; j++) {
      const step = steps[j]!;
      if (step.kind === TimelineKind.DEFORM) {
        if (step.run > 0) writeWeights(entry, deformCommand(entry, compiled, step, fading.length + 2));
        continue;
      }
      context.mode = modes[step.index]! & CommandFlag.MODE;
      if (step.kind === TimelineKind.ATTACHMENT) {
        marks.apply(step.timeline as AttachmentTimeline, skeleton, context, retain);
      } else if (step.kind === TimelineKind.DRAW_ORDER) {
        if (context.mode === MixMode.CURRENT && !drawsOrder) {
          skipped++;
        } else {
          context.out = !drawsOrder || context.mode === MixMode.CURRENT;
          applyStep(step, skeleton, context);
          context.out = true;
        }
      } else {
        applyStep(step, skeleton, context);
      }
    }
    if (custom !== null) {
      context.mode = modes[custom.index]! & CommandFlag.MODE;
      weigh(entry, custom);
      applyCustom(custom, skeleton, context);
    }
  }
  sumWeights(entry, skipped);
}

/** Sets the context for an entry. */
function begin(entry: TrackEntry, events: Event[] | null, out: boolean): void {
  context.lastTime = entry._animationLast;
  context.time = entry._timeNow;
  context.events = events;
  context.weight = entry._alphaNow;
  context.mode = MixMode.CURRENT;
  context.add = entry.additive;
  context.out = out;
  context.appliedPose = false;
}

/** Lets a timeline from outside apply itself, after everything before it has taken effect. */
function applyCustom(step: Step, skeleton: Skeleton, { lastTime, time, events, weight, mode, add, out }: ApplyContext): void {
  commands.run(skeleton);
  step.timeline.apply(skeleton, lastTime, time, events, weight, mode, add, out, false);
}

/** Sets the weight of a timeline of an entry that is mixed out. */
function weigh(entry: TrackEntry, step: Step): void {
  if ((entry.timelineMode[step.index]! & HOLD) === 0) {
    context.weight = entry._alphaNow;
    return;
  }
  const fading = entry.timelineHoldMix[step.index]!;
  context.weight = fading === null ? entry._holdNow : entry._holdNow * (1 - fading._mixNow);
}

/** Notes the sum of the weights of all timelines, less those of draw orders that were skipped. */
function sumWeights(entry: TrackEntry, skipped: number): void {
  const { _fading: fading, _timelinesPerWeight: perWeight, _alphaNow: alphaMix, _holdNow: alphaHold } = entry;
  let total = (perWeight[WEIGHT_MIX]! - skipped) * alphaMix + perWeight[WEIGHT_HOLD]! * alphaHold;
  for (let k = 0; k < fading.length; k++) total += perWeight[k + 2]! * (alphaHold * (1 - fading[k]!._mixNow));
  entry.totalAlpha = total;
}

/** Brings weight words up to date and sees whether rotation directions are new. @returns command flags that say so */
function prepare(entry: TrackEntry, compiled: CompiledAnimation, memory: EntryMemory): number {
  if (compiled.channelCount + compiled.timelineOfDeform.length === 0) return 0;
  if (entry._stale || entry._wordsFor !== compiled) entry._writeWords(compiled, memory);
  if (compiled.rotateCount === 0 || entry.shortestRotation || entry._remembers) return 0;
  const at = entry._memoryOf(compiled);
  heap.u8.fill(0, at, at + compiled.rotateCount * ROTATION_MEMORY_BYTES);
  entry._remembers = true;
  return CommandFlag.FIRST_FRAME;
}

/** Writes the weight of an entry that is mixed in. */
function writeWeight(entry: TrackEntry, at: number): void {
  heap.f32[at] = entry._alphaNow;
  if (entry._alphaNow < 1 && entry._alphaNow > BELOW_ONE) heap.f32[at] = BELOW_ONE;
}

/** Writes the weights of an entry that is mixed out. */
function writeWeights({ _fading: fading, _alphaNow: alphaMix, _holdNow: alphaHold }: TrackEntry, at: number): void {
  const { f32 } = heap;
  f32[at + WEIGHT_MIX] = alphaMix;
  f32[at + WEIGHT_HOLD] = alphaHold;
  for (let k = 0; k < fading.length; k++) f32[at + 2 + k] = alphaHold * (1 - fading[k]!._mixNow);
  if (alphaMix < 1 && alphaMix > BELOW_ONE) f32[at + WEIGHT_MIX] = BELOW_ONE;
  if (alphaHold < 1 && alphaHold > BELOW_ONE) f32[at + WEIGHT_HOLD] = BELOW_ONE;
}

function deformCommand(entry: TrackEntry, compiled: CompiledAnimation, first: Step, weightCount: number): number {
  const words = entry._block + (compiled.channelCount + first.deformIndex) * 2;
  return commands.deformWeights(first.deform, first.run, context, flagsOf(context), words, weightCount);
}

function mixCommand(entry: TrackEntry, compiled: CompiledAnimation, segment: Segment, fresh: number, weightCount: number): number {
  const words = entry._block + segment.firstChannel * 2;
  const remembers = !entry.additive && !entry.shortestRotation && segment.rotateCount > 0;
  const memory = remembers ? entry._memoryOf(compiled) + segment.firstRotation * ROTATION_MEMORY_BYTES : 0;
  return commands.mixWeights(segment.header, context, flagsOf(context) | fresh, words, memory, weightCount);
}
