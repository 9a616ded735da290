import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimClip, AnimMirror, AnimMismatchError, AnimPose, AnimSkeleton, extractRootMotion, mirrorClip, mirrorMapByName } from "../../../src/anim/index.js";
import { heap } from "../../../src/wasm/heap.js";
import { angleBetween, randomQuaternion, seeded } from "./golden.js";

type Side = readonly [string, string, number, number, number];
/** Name, parent, model place; those on the left get a twin on the right. */
const HALF: readonly Side[] = [
  ["hips", "", 0, 1, 0], ["spine", "hips", 0, 1.3, 0], ["head", "spine", 0, 1.7, 0.05], ["LeftArm", "spine", 0.2, 1.5, 0], ["LeftHand", "LeftArm", 0.7, 1.45, 0.1],
  ["leg.L", "hips", 0.1, 0.95, 0], ["foot.L", "leg.L", 0.12, 0.1, -0.05],
];
const twin = (name: string): string => name.replace("Left", "Right").replace(".L", ".R");

/** A rig that is symmetric in model space; its bones have any axes they like, and children do not follow their parents' order. */
function rig(seed: number): AnimSkeleton {
  const random = seeded(seed), skeleton = new AnimSkeleton();
  const all = HALF.flatMap(([name, parent, x, y, z]): Side[] => (x === 0 ? [[name, parent, x, y, z]] : [[name, parent, x, y, z], [twin(name), twin(parent), -x, y, z]]));
  const pose = new AnimPose(all.length);
  for (const [name, parent] of all) skeleton.addBone(name, parent === "" ? -1 : skeleton.findBone(parent));
  pose.computeWorld(skeleton);
  for (const [bone, [, , x, y, z]] of all.entries()) {
    pose.setWorldRotation(skeleton, bone, ...randomQuaternion(random));
    pose.setWorldPosition(skeleton, bone, x, y, z);
    skeleton.setBindPosition(bone, pose.getLocalPositionX(bone), pose.getLocalPositionY(bone), pose.getLocalPositionZ(bone));
    skeleton.setBindRotation(bone, pose.getLocalRotationX(bone), pose.getLocalRotationY(bone), pose.getLocalRotationZ(bone), pose.getLocalRotationW(bone));
  }
  return skeleton;
}

/** Turns every bone and moves the root. */
function scramble(pose: AnimPose, skeleton: AnimSkeleton, random: () => number): void {
  skeleton.applyBindPose(pose);
  pose.computeWorld(skeleton);
  for (let bone = 0; bone < skeleton.getBoneCount(); bone++) pose.setLocalRotation(bone, ...randomQuaternion(random));
  pose.setLocalPosition(0, random(), random(), random());
}

function locals(pose: AnimPose): number[] {
  const out: number[] = [];
  pose.writeLocalTo(out);
  return out;
}

const rotationOf = (values: number[], bone: number): number[] => values.slice(bone * 10 + 3, bone * 10 + 7);

/** Locals agree: rotations as angles. */
function expectSame(got: number[], want: number[], tolerance: number): void {
  for (let bone = 0; bone * 10 < want.length; bone++) {
    expect(angleBetween(rotationOf(got, bone), rotationOf(want, bone)), `rotation of ${bone}`).toBeLessThan(tolerance);
    for (const k of [0, 1, 2, 7, 8, 9]) expect(Math.abs(got[bone * 10 + k]! - want[bone * 10 + k]!), `number ${k} of ${bone}`).toBeLessThan(tolerance);
  }
}

describe("AnimMirror", () => {
  it("makes the mirror image of a pose in model space, whatever the axes of the bones", () => {
    for (const seed of [1, 2, 3]) {
      const skeleton = rig(seed), random = seeded(seed + 10), mirror = new AnimMirror(skeleton), pose = new AnimPose(), image = new AnimPose();
      scramble(pose, skeleton, random);
      image.copyFrom(pose);
      mirror.apply(image);
      expect(image.isWorldValid()).toBe(false);
      pose.computeWorld(skeleton);
      image.computeWorld(skeleton);
      for (let bone = 0; bone < skeleton.getBoneCount(); bone++) {
        const other = mirror.getCounterpart(bone);
        expect(image.getWorldPositionX(bone)).toBeCloseTo(-pose.getWorldPositionX(other), 5);
        expect(image.getWorldPositionY(bone)).toBeCloseTo(pose.getWorldPositionY(other), 5);
        expect(image.getWorldPositionZ(bone)).toBeCloseTo(pose.getWorldPositionZ(other), 5);
      }
    }
  });

  it("twice is the pose itself, at every plane, and the bind pose is its own image", () => {
    for (const axis of ["x", "y", "z"] as const) {
      const skeleton = rig(4), random = seeded(5), mirror = new AnimMirror(skeleton, undefined, axis), pose = new AnimPose();
      skeleton.applyBindPose(pose);
      const bind = locals(pose);
      mirror.apply(pose);
      expectSame(locals(pose), bind, 2e-6);
      scramble(pose, skeleton, random);
      const before = locals(pose);
      mirror.apply(pose);
      mirror.apply(pose);
      expectSame(locals(pose), before, 5e-6);
    }
  });

  it("follows edits of the bind pose, keeps lanes beyond the last bone, and gives its memory back", () => {
    const skeleton = rig(6), blocks = heap.blockCount, mirror = new AnimMirror(skeleton), pose = new AnimPose();
    skeleton.applyBindPose(pose);
    mirror.apply(pose);
    skeleton.setBindPosition(0, 5, 1, 0);
    skeleton.applyBindPose(pose);
    mirror.apply(pose);
    expect(pose.getLocalPositionX(0)).toBeCloseTo(5, 5);
    // 11 bones: the fourth lane of the third group.
    const last = (pose.localPtr >>> 2) + 2 * 40 + 3;
    expect(Array.from({ length: 10 }, (_, row) => heap.f32[last + row * 4])).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    pose.dispose();
    mirror.dispose();
    expect(heap.blockCount).toBeLessThanOrEqual(blocks + 4);
  });

  it("finds counterparts by left and right, by l and r, and by tokens of one's own", () => {
    const skeleton = new AnimSkeleton();
    for (const name of ["hips", "LeftFoot", "RightFoot", "arm_l", "arm_r", "LEFT_eye", "RIGHT_eye", "hand.L", "hand.R", "leftover"]) skeleton.addBone(name);
    expect(Array.from(mirrorMapByName(skeleton))).toEqual([0, 2, 1, 4, 3, 6, 5, 8, 7, 9]);
    const german = new AnimSkeleton();
    for (const name of ["FussLinks", "FussRechts", "Kopf"]) german.addBone(name);
    expect(Array.from(german.mirrorMap("Links", "Rechts"))).toEqual([1, 0, 2]);
    expect(Array.from(german.mirrorMap())).toEqual([0, 1, 2]);
  });

  it("refuses maps that do not undo themselves, and poses of other rigs", () => {
    const skeleton = rig(7), count = skeleton.getBoneCount();
    expect(() => new AnimMirror(skeleton, [0])).toThrow(AnimArgumentError);
    expect(() => new AnimMirror(skeleton, Array.from({ length: count }, (_, i) => (i + 1) % count))).toThrow(/does not map back/);
    expect(() => new AnimMirror(skeleton, undefined, "w" as "x")).toThrow(/"x", "y" or "z"/);
    expect(() => new AnimMirror(skeleton).apply(new AnimPose(3))).toThrow(AnimMismatchError);
    expect(() => mirrorMapByName(skeleton, "L")).toThrow(AnimArgumentError);
  });
});

describe("mirrorClip", () => {
  it("is the mirror image of the clip at every time, with its modes and tangents", () => {
    const skeleton = rig(8), random = seeded(9), clip = new AnimClip("walk"), modes = ["linear", "step", "cubicSpline"] as const;
    for (let bone = 0; bone < skeleton.getBoneCount(); bone++) {
      const times = [0, 0.3, 0.55, 1];
      // A spline of rotations far apart passes near zero, where it has no direction to compare.
      clip.setTrackKeys(bone, "rotation", times, times.flatMap(() => (bone % 3 === 2 ? [random() - 0.5, random() - 0.5, random() - 0.5, 1] : randomQuaternion(random))));
      clip.setTrackKeys(bone, "position", times, times.flatMap(() => [random(), random(), random()]));
      if (bone % 2 === 0) clip.setTrackKeys(bone, "scale", times, times.flatMap(() => [1 + random(), 1, 1]));
      for (const channel of ["rotation", "position"] as const) {
        clip.setTrackInterpolation(bone, channel, modes[bone % 3]!);
        if (bone % 3 === 2) for (let key = 0; key < 4; key++) clip.setKeyTangents(bone, channel, key, [random(), random(), random(), random()].slice(channel === "rotation" ? 0 : 1), [random(), random(), random(), random()].slice(channel === "rotation" ? 0 : 1));
      }
    }
    const image = mirrorClip(clip, skeleton), mirror = new AnimMirror(skeleton), want = new AnimPose(), got = new AnimPose();
    for (let i = 0; i < 50; i++) {
      const time = random();
      clip.sample(time, want, skeleton);
      mirror.apply(want);
      image.sample(time, got, skeleton);
      expectSame(locals(got), locals(want), 3e-4);
    }
    expect([image.getName(), image.getDuration(), image.getLoop()]).toEqual(["walk", 1, true]);
  });

  it("leaves bones without keys without keys, and the clip as it was", () => {
    const skeleton = rig(10), clip = new AnimClip();
    clip.addRotationKey(skeleton.findBone("LeftArm"), 0.5, 0, 0, 0, 1);
    const version = clip.version, image = mirrorClip(clip, skeleton);
    expect(image.getRotationKeyCount(skeleton.findBone("RightArm"))).toBe(1);
    expect(image.getRotationKeyCount(skeleton.findBone("LeftArm"))).toBe(0);
    expect(clip.version).toBe(version);
  });

  it("changes the sides of events, markers and curves, and mirrors baked root motion", () => {
    const skeleton = rig(11), clip = new AnimClip();
    clip.addPositionKey(0, 0, 0, 1, 0);
    clip.addPositionKey(0, 1, 0.5, 1, 2);
    clip.addEvent(0.2, "footstep.left", "loud");
    clip.addSyncMarker(0.2, "left_plant");
    clip.addCurve("contact:leg.R");
    clip.addCurveKey("contact:leg.R", 0.1, 0.75);
    const image = mirrorClip(extractRootMotion(clip, skeleton, 0), skeleton);
    expect([image.getEventName(0), image.getEventPayload(0), image.getSyncMarkerName(0)]).toEqual(["footstep.right", "loud", "right_plant"]);
    expect(image.sampleCurve("contact:leg.L", 0.1)).toBe(0.75);
    image.setLoop(false);
    expect(image.sampleCurve("root:x", 1)).toBeCloseTo(-0.5, 5);
    expect(image.sampleCurve("root:z", 1)).toBeCloseTo(2, 5);
  });
});
