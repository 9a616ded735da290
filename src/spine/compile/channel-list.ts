import { BoneRow, ChannelFlag, ChannelRule, TargetKind } from "../../../assembly/layout/rig2d.js";
import { KnotForm } from "../../../assembly/layout/knots.js";
import type { PhysicsConstraintData } from "../constraints/physics-constraint-data.js";
import type { SkeletonData } from "../data/skeleton-data.js";
import type { RigShape } from "../rig-shape.js";
import type { CurveTimeline } from "../timelines/curve-timeline.js";
import type { Timeline } from "../timelines/timeline.js";
import type { ChannelSink } from "./channel-sink.js";

/** Numbers of a channel. @internal */
export const enum ChannelPart {
  ROW,
  KIND,
  TARGET,
  RULE,
  /** Index of its timeline in the animation. */
  TIMELINE,
  /** KnotForm */
  FORM,
  /** Index of the value in a frame, the time counted. */
  ENTRY,
  GROUP,
}
export const CHANNEL_PARTS = 8;
/** Groups of channels in the order of layout/animation.ts. */
export const GROUPS = 8;

/** Place of a channel in the order of layout/animation.ts. */
function groupOf(rule: number): number {
  const kind = rule & 0xff;
  if (kind === ChannelRule.RELATIVE) return (rule & ChannelFlag.ROTATES) !== 0 ? 0 : 1;
  return kind === ChannelRule.SCALE ? 2 : kind === ChannelRule.ABSOLUTE ? 3 : kind + 1;
}

/**
 * The channels of an animation while it is compiled: CHANNEL_PARTS numbers each. One list serves all animations, as a file has
 * thousands of channels. @internal
 */
export class ChannelList implements ChannelSink {
  parts = new Int32Array(256 * CHANNEL_PARTS);
  /** Channels that were described. */
  count = 0;
  /** Numbers of the channels that were sorted, in their order. */
  order = new Int32Array(256);
  #sorted = 0;
  #data: SkeletonData | null = null;
  #shape: RigShape | null = null;
  #timeline = 0;

  /** Begins the channels of an animation. */
  begin(data: SkeletonData): void {
    this.#data = data;
    this.#shape = data._rig.shape;
    this.count = this.#sorted = 0;
  }

  /** Forgets the data. */
  end(): void {
    this.#data = null;
    this.#shape = null;
  }

  describe(timeline: Timeline, index: number): void {
    this.#timeline = index;
    timeline._channels(this);
  }

  curve(timeline: CurveTimeline, kind: TargetKind, target: number, row: number, value: number, rule: number): void {
    this.#add(timeline, KnotForm.CURVE, value + 1, kind, target, row, rule);
  }

  stepped(timeline: Timeline, kind: TargetKind, target: number, row: number, entry: number, rule: number): void {
    this.#add(timeline, KnotForm.STEPPED, entry, kind, target, row, rule);
  }

  physicsConstraints(test: (data: PhysicsConstraintData) => boolean): number[] {
    const indices: number[] = [];
    // The flags are fields of physics data only, so other constraints fail the test.
    this.#data!.constraints.forEach((data, index) => {
      if (test(data as unknown as PhysicsConstraintData) === true) indices.push(index);
    });
    return indices;
  }

  /** Puts the channels since the last call in the order of their groups. @returns for each group how many lie before its end */
  sort(): number[] {
    const { parts } = this;
    const from = this.#sorted, to = this.count;
    const ends = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let i = from; i < to; i++) {
      const group = parts[i * CHANNEL_PARTS + ChannelPart.GROUP]!;
      ends[group] = ends[group]! + 1;
    }
    let sum = 0;
    for (let group = 0; group < GROUPS; group++) {
      const count = ends[group]!;
      ends[group] = sum;
      sum += count;
    }
    // Each end begins as the start of its group and moves on with every channel.
    for (let i = from; i < to; i++) {
      const group = parts[i * CHANNEL_PARTS + ChannelPart.GROUP]!;
      const place = ends[group]!;
      this.order[from + place] = i;
      ends[group] = place + 1;
    }
    this.#sorted = to;
    return ends;
  }

  #add(timeline: Timeline, form: KnotForm, entry: number, kind: TargetKind, target: number, row: number, rule: number): void {
    const shape = this.#shape!;
    const count =
      kind === TargetKind.BONE ? shape.boneCount : kind === TargetKind.SLOT ? shape.slotCount : shape.constraintCount;
    if (!(target >= 0 && target < count) || !hasKnots(timeline)) return;
    const first =
      kind === TargetKind.BONE ? shape.boneRow(target) : kind === TargetKind.SLOT ? shape.slotRow(target) : shape.constraintRow(target);
    if (kind === TargetKind.BONE && row === BoneRow.ROTATION) rule |= ChannelFlag.ROTATES;
    if (this.count === this.order.length) this.#grow();
    const { parts } = this;
    const at = this.count++ * CHANNEL_PARTS;
    parts[at + ChannelPart.ROW] = first + row;
    parts[at + ChannelPart.KIND] = kind;
    parts[at + ChannelPart.TARGET] = target;
    parts[at + ChannelPart.RULE] = rule;
    parts[at + ChannelPart.TIMELINE] = this.#timeline;
    parts[at + ChannelPart.FORM] = form;
    parts[at + ChannelPart.ENTRY] = entry;
    parts[at + ChannelPart.GROUP] = groupOf(rule);
  }

  #grow(): void {
    const parts = new Int32Array(this.parts.length * 2), order = new Int32Array(this.order.length * 2);
    parts.set(this.parts);
    order.set(this.order);
    this.parts = parts;
    this.order = order;
  }
}

/** Whether any frame has a time that can be reached. */
export function hasKnots(timeline: Timeline): boolean {
  const { _frames: frames } = timeline;
  const entries = timeline.getFrameEntries();
  for (let i = 0; i < frames.length; i += entries) if (Math.abs(frames[i]!) < Infinity) return true;
  return false;
}
