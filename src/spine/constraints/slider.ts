import { UpdateOp } from "../../../assembly/layout/update.js";
import { MixFrom } from "../enums.js";
import type { Bone } from "../model/bone.js";
import type { Skeleton } from "../model/skeleton.js";
import { isConstraintTimeline } from "../timelines/constraint-timelines.js";
import { TimelineKind } from "../timelines/property.js";
import { isSlotTimeline } from "../timelines/slot-timelines.js";
import type { Timeline } from "../timelines/timeline.js";
import type { CodeWriter } from "../update/code-writer.js";
import { sliderChannels } from "../update/slider-channels.js";
import { markConstrained, placeBone, unplaceBones } from "../update/sort.js";
import { boneOf, KernelConstraint } from "./kernel-constraint.js";
import type { SliderData } from "./slider-data.js";
import type { SliderPose } from "./slider-pose.js";

/** Applies an animation at the time of its pose, or at a time that a property of a bone gives. */
export class Slider extends KernelConstraint<Slider, SliderData, SliderPose> {
  #bone: Bone | null;

  constructor(data: SliderData, skeleton: Skeleton) {
    super(data, skeleton);
    this.#bone = data.bone === null ? null : boneOf(skeleton, data.bone, `The bone of slider "${data.name}"`);
  }

  /** The bone that drives the time, or null. */
  get bone(): Bone | null {
    return this.#bone;
  }
  set bone(value: Bone | null) {
    this.#bone = value;
    this._changed();
  }

  override copy(skeleton: Skeleton): Slider {
    const copy = new Slider(this.data, skeleton);
    copy.pose.set(this.pose);
    return copy;
  }

  override sort(skeleton: Skeleton): void {
    const { data } = this;
    if (this.#bone !== null && !data.local) placeBone(skeleton, this.#bone);
    skeleton._updateCache.push(this);
    if (data.animation === null) return;
    for (const index of data.animation.bones) {
      const bone = skeleton.bones[index]!;
      bone.sorted = false;
      unplaceBones(bone.children);
      markConstrained(skeleton, bone);
    }
    for (const timeline of data.animation.timelines) markTargets(skeleton, timeline);
  }

  /** @internal */
  override _emit(code: CodeWriter): void {
    const bones = this._modifiedBones();
    code.op(UpdateOp.SLIDER, bones.length);
    code.constraint(this);
    code.word(this.#bone === null || this.data.property === null ? -1 : this.#bone.data.index);
    for (const index of bones) code.word(index);
  }

  /** @internal */
  override _modifiedBones(): readonly number[] {
    return this.data.animation === null ? [] : this.data.animation.bones;
  }

  /** @internal */
  override get _needsCall(): boolean {
    const { animation } = this.data;
    return animation !== null && sliderChannels(animation, this._skeleton.data).needsCall;
  }

  /** Applies the animation where kernels cannot: attachments, deforms, draw orders. The operation has set the time. @internal */
  override _call(skeleton: Skeleton): void {
    const { time, mix } = this.appliedPose;
    if (mix === 0 || (this.#bone !== null && !this.#bone.active)) return;
    const { animation, loop, additive } = this.data;
    animation.apply(skeleton, time, time, loop, null, mix, MixFrom.current, additive, false, true);
  }
}

/** Marks what a timeline of a slider changes; bones are in the animation's list of bones. */
function markTargets(skeleton: Skeleton, timeline: Timeline): void {
  const kind = timeline._kind;
  if (isSlotTimeline(timeline)) {
    markConstrained(skeleton, skeleton.slots[timeline.slotIndex]!);
  } else if (kind === TimelineKind.DRAW_ORDER || kind === TimelineKind.DRAW_ORDER_FOLDER) {
    skeleton.drawOrder.constrained();
  } else if (isConstraintTimeline(timeline)) {
    if (timeline.constraintIndex !== -1) {
      markConstrained(skeleton, skeleton.constraints[timeline.constraintIndex]!);
    } else if (kind !== TimelineKind.RESET) {
      for (const constraint of skeleton.physics) markConstrained(skeleton, constraint);
    }
  }
}
