import { describe, expect, it } from "vitest";
import { Animation } from "../../../src/spine/animation.js";
import { AnimationState, AnimationStateData } from "../../../src/spine/animation-state/index.js";
import { BoneData } from "../../../src/spine/data/bone-data.js";
import { SkeletonData } from "../../../src/spine/data/skeleton-data.js";
import { MixFrom } from "../../../src/spine/enums.js";
import type { Event } from "../../../src/spine/model/event.js";
import { Skeleton } from "../../../src/spine/model/skeleton.js";
import { RotateTimeline, Timeline, TranslateXTimeline } from "../../../src/spine/timelines/index.js";

function rig(): SkeletonData {
  const data = new SkeletonData();
  data.bones.push(new BoneData(0, "root", null));
  data.bones[0]!.setupPose.rotation = 10;
  return data;
}

/** A timeline of one's own: notes the calls and doubles the rotation it finds. */
class Doubling extends Timeline {
  calls: unknown[][] = [];

  constructor() {
    super(1, "own|0");
  }

  override apply(
    skeleton: Skeleton, lastTime: number, time: number, events: Event[] | null, alpha: number, from: MixFrom | boolean, add: boolean, out: boolean, appliedPose: boolean,
  ): void {
    this.calls.push([lastTime, time, events !== null, alpha, from, add, out, appliedPose]);
    skeleton.bones[0]!.pose.rotation *= 2;
  }
}

/** A rotate timeline whose apply does something on top. */
class Clamped extends RotateTimeline {
  override apply(...args: Parameters<RotateTimeline["apply"]>): void {
    super.apply(...args);
    const { pose } = args[0].bones[0]!;
    pose.rotation = Math.min(pose.rotation, 45);
  }
}

function rotation(value: number): RotateTimeline {
  const timeline = new RotateTimeline(1, 0, 0);
  timeline.setFrame(0, 0, value);
  return timeline;
}

function shift(value: number): TranslateXTimeline {
  const timeline = new TranslateXTimeline(1, 0, 0);
  timeline.setFrame(0, 0, value);
  return timeline;
}

describe("timelines of one's own", () => {
  it("are applied in their place among compiled ones by Animation.apply", () => {
    const data = rig();
    const own = new Doubling();
    const skeleton = new Skeleton(data);
    const animation = new Animation("a", [rotation(20), own, shift(7)], 1);
    animation.apply(skeleton, 0.25, 0.5, false, [], 1, true, false, false, false);
    expect(skeleton.bones[0]!.pose.rotation).toBe(60);
    expect(skeleton.bones[0]!.pose.x).toBe(7);
    expect(own.calls).toEqual([[0.25, 0.5, true, 1, MixFrom.setup, false, false, false]]);
    new Animation("b", [own, rotation(20)], 1).apply(skeleton, 0, 0, false, null, 1, true, false, false, false);
    expect(skeleton.bones[0]!.pose.rotation).toBe(30);
    skeleton.dispose();
  });

  it("are applied in their place by an AnimationState, with modes and weights", () => {
    const data = rig();
    const own = new Doubling();
    const skeleton = new Skeleton(data);
    skeleton.setupPose();
    const state = new AnimationState(new AnimationStateData(data));
    const animation = new Animation("a", [rotation(20), own, shift(7)], 1);
    state.setAnimation(0, animation);
    state.apply(skeleton);
    expect(skeleton.bones[0]!.pose.rotation).toBe(60);
    state.setAnimation(0, new Animation("b", [shift(9)], 1)).mixDuration = 1;
    own.calls.length = 0;
    state.update(0.25);
    state.apply(skeleton);
    // Mixed out at 3/4: rotation is 10 + 20 x 0.75, then doubled.
    expect(skeleton.bones[0]!.pose.rotation).toBe(50);
    expect(own.calls).toEqual([[0, 0.25, false, 0.75, MixFrom.setup, false, true, false]]);
    expect(skeleton.bones[0]!.pose.x).toBe(7.5);
    state.dispose();
    skeleton.dispose();
  });

  it("may extend a class of the library and call its apply", () => {
    const data = rig();
    const skeleton = new Skeleton(data);
    const timeline = new Clamped(1, 0, 0);
    timeline.setFrame(0, 0, 80);
    const animation = new Animation("a", [timeline, shift(1)], 1);
    animation.apply(skeleton, -1, 0, false, null, 1, true, false, false, false);
    expect(skeleton.bones[0]!.pose.rotation).toBe(45);
    expect(skeleton.bones[0]!.pose.x).toBe(1);
    skeleton.dispose();
  });

  it("may apply other animations to other skeletons meanwhile", () => {
    const data = rig();
    const skeleton = new Skeleton(data);
    const other = new Skeleton(data);
    const inner = new Animation("inner", [rotation(5), shift(2)], 1);
    class Nested extends Doubling {
      override apply(...args: Parameters<Doubling["apply"]>): void {
        super.apply(...args);
        inner.apply(other, -1, 0, false, null, 1, true, false, false, false);
      }
    }
    const animation = new Animation("outer", [rotation(20), new Nested(), shift(7), new Nested(), shift(8)], 1);
    animation.apply(skeleton, -1, 0, false, null, 1, true, false, false, false);
    expect([skeleton.bones[0]!.pose.rotation, skeleton.bones[0]!.pose.x]).toEqual([120, 8]);
    expect([other.bones[0]!.pose.rotation, other.bones[0]!.pose.x]).toEqual([15, 2]);
    skeleton.dispose();
    other.dispose();
  });

  it("that throw leave nothing behind for the next apply", () => {
    const data = rig();
    const skeleton = new Skeleton(data);
    skeleton.setupPose();
    class Failing extends Doubling {
      override apply(): void {
        throw new Error("mine");
      }
    }
    const failing = new Animation("a", [rotation(20), new Failing(), shift(7)], 1);
    expect(() => failing.apply(skeleton, -1, 0, false, null, 1, true, false, false, false)).toThrow("mine");
    const { pose } = skeleton.bones[0]!;
    pose.x = 3;
    new Animation("b", [rotation(1)], 1).apply(skeleton, -1, 0, false, null, 1, true, false, false, false);
    expect([pose.rotation, pose.x]).toEqual([11, 3]);
    skeleton.dispose();
  });

  it("without an apply are refused with a hint", () => {
    class Empty extends Timeline {
      constructor() {
        super(1, "own|1");
      }
    }
    const data = rig();
    const skeleton = new Skeleton(data);
    expect(() => new Animation("a", [new Empty()], 1).apply(skeleton, -1, 0, false, null, 1, true, false, false, false)).toThrow(/does not override/);
    skeleton.dispose();
  });
});

describe("timelines", () => {
  it("refuse frames and curves that do not exist", () => {
    const timeline = new RotateTimeline(2, 1, 0);
    for (const frame of [-1, 2, 0.5, NaN]) expect(() => timeline.setFrame(frame, 0, 0)).toThrow(/frame is/);
    expect(() => timeline.setBezier(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).toThrow(/bezier is/);
    expect(() => new RotateTimeline(-1, 0, 0)).toThrow(/frameCount is/);
  });

  it("stay constant behind their last frame, even if it is made linear or given a curve", () => {
    const timeline = new RotateTimeline(2, 1, 0);
    timeline.setFrame(0, 0, 10);
    timeline.setFrame(1, 1, 20);
    timeline.setLinear(1);
    timeline.setBezier(0, 1, 0, 1, 20, 1.2, 25, 1.5, 30, 2, 40);
    expect(timeline.getCurveValue(5)).toBe(20);
    expect(timeline.getCurveType(1)).toBe(RotateTimeline.STEPPED);
  });

  it("have the names and spellings of both references", () => {
    const timeline = new TranslateXTimeline(3, 1, 4);
    timeline.setFrame(2, 1.5, 0);
    expect([timeline.frameCount, timeline.frameEntries, timeline.duration]).toEqual([3, 2, 1.5]);
    expect([timeline.getFrameCount(), timeline.getFrameEntries(), timeline.getDuration()]).toEqual([3, 2, 1.5]);
    expect(timeline.propertyIds).toEqual(["1|4"]);
    expect(TranslateXTimeline.ENTRIES).toBe(2);
    expect([RotateTimeline.LINEAR, RotateTimeline.STEPPED, RotateTimeline.BEZIER, RotateTimeline.BEZIER_SIZE]).toEqual([0, 1, 2, 18]);
    expect(Timeline.search([0, 1, 1, 2], 1)).toBe(2);
    timeline.shrink(0);
    expect(timeline.curves.length).toBe(3);
  });

  it("mix values in the three ways of the reference", () => {
    const timeline = rotation(50);
    expect(timeline.getRelativeValue(0, 0.5, true, false, 0, 10)).toBe(35);
    expect(timeline.getRelativeValue(0, 0.5, false, false, 20, 10)).toBe(40);
    expect(timeline.getRelativeValue(0, 0.5, false, true, 20, 10)).toBe(45);
    expect(timeline.getRelativeValue(-1, 0.5, MixFrom.first, false, 20, 10)).toBe(15);
    expect(timeline.getAbsoluteValue(0, 0.5, true, true, 0, 10)).toBe(35);
    expect(timeline.getAbsoluteValue(0, 0.5, false, false, 20, 10)).toBe(35);
    expect(timeline.getAbsoluteValue(0, 0.5, false, false, 20, 10, 40)).toBe(30);
    const scale = rotation(-2);
    expect(scale.getScaleValue(0, 1, false, false, false, 5, 3)).toBe(-6);
    expect(scale.getScaleValue(0, 0.5, false, false, true, 2, 3)).toBe(4);
    expect(scale.getScaleValue(0, 0.5, false, false, false, 2, 3)).toBe(-4);
    expect(scale.getScaleValue(0, 0.5, false, true, false, 2, 3)).toBe(-2.5);
  });
});
