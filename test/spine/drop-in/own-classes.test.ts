import { describe, expect, it } from "vitest";
import * as spine from "../../../src/spine/index.js";
import { smallRig } from "../model/rigs.js";

/** Turns a bone by a sine, as a program might do with a timeline of its own. */
class Sway extends spine.Timeline {
  constructor(readonly boneIndex: number, readonly degrees: number) {
    super(2, `sway|${boneIndex}`);
    this.frames[0] = 0;
    this.frames[1] = 1;
  }

  override apply(skeleton: spine.Skeleton, _last: number, time: number, _events: spine.Event[] | null, alpha: number): void {
    skeleton.bones[this.boneIndex]!.pose.rotation += Math.sin(time * Math.PI) * this.degrees * alpha;
  }
}

/** An attachment of a kind that files do not know. */
class Marker extends spine.VertexAttachment {
  override copy(): Marker {
    const copy = new Marker(this.name);
    this.copyTo(copy);
    return copy;
  }
}

class LiftPose implements spine.Pose {
  height = 0;
  set(pose: LiftPose): void {
    this.height = pose.height;
  }
}

class LiftData extends spine.ConstraintData<Lift, LiftPose> {
  constructor(name: string, readonly bone: spine.BoneData) {
    super(name, new LiftPose());
  }

  override create(skeleton: spine.Skeleton): Lift {
    return new Lift(this, skeleton);
  }
}

/** Moves a bone up in the world. */
class Lift extends spine.Constraint<Lift, LiftData, LiftPose> {
  readonly bone: spine.Bone;
  updates = 0;

  constructor(data: LiftData, skeleton: spine.Skeleton) {
    super(data, new LiftPose(), new LiftPose());
    this.bone = skeleton.bones[data.bone.index]!;
  }

  override copy(skeleton: spine.Skeleton): Lift {
    const copy = new Lift(this.data, skeleton);
    copy.pose.set(this.pose);
    return copy;
  }

  override update(skeleton: spine.Skeleton): void {
    this.updates++;
    const pose = this.bone.appliedPose;
    pose.modifyWorld(skeleton._update);
    pose.worldY += this.appliedPose.height;
  }

  override sort(skeleton: spine.Skeleton): void {
    skeleton.sortBone(this.bone);
    skeleton._updateCache.push(this);
    skeleton.sortReset(this.bone.children);
    skeleton.constrained(this.bone);
  }
}

describe("classes of one's own", () => {
  it("applies a timeline among others", () => {
    const data = smallRig();
    const turn = new spine.RotateTimeline(1, 0, 2);
    turn.setFrame(0, 0, 10);
    const animation = new spine.Animation("sway", [new Sway(1, 40), turn], 1);
    const skeleton = new spine.Skeleton(data);
    animation.apply(skeleton, 0, 0.5, false, null, 1, spine.MixFrom.setup, false, false, false);
    expect(skeleton.bones[1]!.pose.rotation).toBeCloseTo(40, 4);
    expect(skeleton.bones[2]!.pose.rotation).toBeCloseTo(10, 4);

    data.animations.push(animation);
    const state = new spine.AnimationState(new spine.AnimationStateData(data));
    state.setAnimation(0, "sway", false).trackTime = 0.5;
    skeleton.setupPose();
    state.apply(skeleton);
    expect(skeleton.bones[1]!.pose.rotation).toBeCloseTo(40, 4);
    expect(skeleton.bones[2]!.pose.rotation).toBeCloseTo(10, 4);
  });

  it("places the vertices of an attachment and copies it", () => {
    const data = smallRig();
    const marker = new Marker("marker");
    marker.vertices = [1, 2, 3, 4];
    marker.worldVerticesLength = 4;
    data.defaultSkin!.setAttachment(0, "marker", marker);
    const skeleton = new spine.Skeleton(data);
    skeleton.setAttachment("clip", "marker");
    skeleton.x = 10;
    skeleton.updateWorldTransform(spine.Physics.none);
    const out: number[] = [];
    marker.computeWorldVertices(skeleton, skeleton.findSlot("clip")!, 0, 4, out, 0, 2);
    expect(out).toEqual([11, 2, 13, 4]);
    expect(Array.from(marker.copy().vertices)).toEqual([1, 2, 3, 4]);
    expect(skeleton.getBoundsRect().width).toBeGreaterThan(0);
  });

  it("updates a constraint between the others, and its bone's children after it", () => {
    const data = smallRig();
    const lift = new LiftData("lift", data.bones[1]!);
    lift.setupPose.height = 5;
    data.constraints.push(lift);
    const skeleton = new spine.Skeleton(data);
    expect(skeleton.findConstraint("lift", Lift)).toBeInstanceOf(Lift);
    skeleton.updateWorldTransform(spine.Physics.update);
    expect(skeleton.bones[1]!.appliedPose.worldY).toBeCloseTo(5, 5);
    expect(skeleton.bones[2]!.appliedPose.worldY).toBeCloseTo(5, 5);
    (skeleton.constraints[0] as Lift).pose.height = -2;
    skeleton.updateWorldTransform(spine.Physics.update);
    expect(skeleton.bones[2]!.appliedPose.worldY).toBeCloseTo(-2, 5);
    expect((skeleton.constraints[0] as Lift).updates).toBe(2);
    // The unconstrained pose stays what it was.
    expect(skeleton.bones[1]!.pose).not.toBe(skeleton.bones[1]!.appliedPose);
  });
});
