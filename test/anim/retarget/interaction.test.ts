import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimClip, AnimIndexError, AnimPose, AnimRetargetProfile, AnimSkeleton, AnimSmrSensorCloud } from "../../../src/anim/index.js";

/** Hips, spine, chest, neck, head, one arm and one leg; the shoulders lie `width` from the middle. */
function body(width: number): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  const bones: [string, number, number, number, number][] = [
    ["Hips", -1, 0, 0.95, 0], ["Spine", 0, 0, 0.15, 0], ["Chest", 1, 0, 0.2, 0], ["Neck", 2, 0, 0.2, 0], ["Head", 3, 0, 0.1, 0],
    ["LeftShoulder", 2, 0.05, 0.15, 0], ["LeftArm", 5, width - 0.05, 0, 0], ["LeftForeArm", 6, 0.28, 0, 0], ["LeftHand", 7, 0.25, 0, 0],
    ["LeftUpLeg", 0, 0.1, -0.05, 0], ["LeftLeg", 9, 0, -0.42, 0.01], ["LeftFoot", 10, 0, -0.42, 0],
  ];
  bones.forEach(([name, parent, x, y, z], bone) => {
    skeleton.addBone(name, parent);
    skeleton.setBindPosition(bone, x, y, z);
  });
  return skeleton;
}

/** The left hand goes to the chest, stays for a second, and comes back. */
function handOnChest(skeleton: AnimSkeleton): AnimClip {
  const clip = new AnimClip("chest"), pose = new AnimPose();
  clip.setLoop(false);
  for (let i = 0; i <= 20; i++) {
    skeleton.applyBindPose(pose);
    const u = Math.min(1, Math.max(0, Math.min(i / 5, (20 - i) / 5)));
    pose.solveTwoBoneIK(skeleton, 6, 7, 8, 0.7 + (0.02 - 0.7) * u, 1.45 - 0.07 * u, 0.05 + 0.05 * u);
    for (const bone of [6, 7]) {
      clip.addRotationKey(bone, i / 10, pose.getLocalRotationX(bone), pose.getLocalRotationY(bone), pose.getLocalRotationZ(bone), pose.getLocalRotationW(bone));
    }
  }
  return clip;
}

/** The hand in the frame of the chest, which does not move here. */
function handAt(clip: AnimClip, skeleton: AnimSkeleton, time: number): number[] {
  const pose = new AnimPose();
  clip.sample(time, pose, skeleton);
  pose.computeWorld(skeleton);
  return [0, 1, 2].map((k) => [pose.getWorldPositionX(8), pose.getWorldPositionY(8), pose.getWorldPositionZ(8)][k]! - [0, 1.3, 0][k]!);
}

/** The hand relative to the chest's sensor that it is nearest to in the source. */
function handFromSensor(clip: AnimClip, skeleton: AnimSkeleton, sensor: number): number[] {
  const pose = new AnimPose(), cloud = AnimSmrSensorCloud.fromSkeleton(skeleton), out = new Float32Array(cloud.getSensorCount() * 3);
  clip.sample(1, pose, skeleton);
  cloud.evaluateWorldPositions(pose, out);
  return [pose.getWorldPositionX(8) - out[sensor * 3]!, pose.getWorldPositionY(8) - out[sensor * 3 + 1]!, pose.getWorldPositionZ(8) - out[sensor * 3 + 2]!];
}

const distance = (a: number[], b: number[]): number => Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);

describe("interaction-preserving correction", () => {
  it("brings a hand back to the chest on a body with wider shoulders, without jumps", () => {
    const source = body(0.18), target = body(0.18 * 1.4), clip = handOnChest(source), profile = new AnimRetargetProfile();
    const plain = clip.retargetWithProfile(source, target, profile);
    expect(profile.getInteractionCorrectionCount()).toBe(0);
    expect(profile.getInteractionContactThreshold()).toBe(0);
    profile.setSkinnedInteractionPreserve(true);
    const kept = clip.retargetWithProfile(source, target, profile);
    expect(profile.getInteractionCorrectionCount()).toBeGreaterThan(20);
    expect(profile.getInteractionContactThreshold()).toBeGreaterThan(0.1);
    const sensors = Array.from({ length: AnimSmrSensorCloud.fromSkeleton(source).getSensorCount() }, (_, i) => i);
    const torso = sensors.filter((i) => AnimSmrSensorCloud.fromSkeleton(source).getSensorPart(i) === "torso");
    const nearest = torso.reduce((a, b) => (distance(handFromSensor(clip, source, b), [0, 0, 0]) < distance(handFromSensor(clip, source, a), [0, 0, 0]) ? b : a));
    const wanted = handFromSensor(clip, source, nearest);
    const off = distance(handFromSensor(plain, target, nearest), wanted), left = distance(handFromSensor(kept, target, nearest), wanted);
    expect(off).toBeGreaterThan(0.05);
    expect(left).toBeLessThan(0.3 * off);
    let jump = 0, plainJump = 0;
    for (let f = 1; f <= 60; f++) {
      jump = Math.max(jump, distance(handAt(kept, target, f / 30), handAt(kept, target, (f - 1) / 30)));
      plainJump = Math.max(plainJump, distance(handAt(plain, target, f / 30), handAt(plain, target, (f - 1) / 30)));
    }
    expect(jump).toBeLessThan(2 * plainJump);
    profile.setInteractionCorrectionWeight(0);
    clip.retargetWithProfile(source, target, profile);
    expect(profile.getInteractionCorrectionCount()).toBe(0);
  });

  it("changes no bit where nothing touches", () => {
    const source = body(0.18), target = body(0.25), clip = handOnChest(source), profile = new AnimRetargetProfile();
    const plain = clip.retarget(source, target);
    profile.setSkinnedInteractionPreserve(true);
    profile.setInteractionContactThreshold(1e-4);
    const same = clip.retargetWithProfile(source, target, profile);
    expect(profile.getInteractionCorrectionCount()).toBe(0);
    for (const bone of [6, 7, 8]) expect(same.tracks[bone]!.rotation!.values).toEqual(plain.tracks[bone]!.rotation!.values);
  });

  it("corrects the chains that are named, and refuses what is none", () => {
    const source = body(0.18), target = body(0.25), clip = handOnChest(source), profile = new AnimRetargetProfile();
    profile.setSkinnedInteractionPreserve(true);
    profile.addInteractionIkChain("LeftUpLeg", "LeftLeg", "LeftFoot");
    clip.retargetWithProfile(source, target, profile);
    expect(profile.getInteractionCorrectionCount()).toBe(0);
    profile.addInteractionIkChain("LeftHand", "LeftArm", "LeftForeArm");
    expect(() => clip.retargetWithProfile(source, target, profile)).toThrow(AnimArgumentError);
    profile.clearInteractionIkChains();
    profile.addInteractionIkChain("LeftArm", "LeftForeArm", "nobody");
    expect(() => clip.retargetWithProfile(source, target, profile)).toThrow(/nobody/);
    expect(() => profile.setInteractionContactThreshold(-1)).toThrow(AnimArgumentError);
    profile.setInteractionCorrectionWeight(7);
    expect(profile.getInteractionCorrectionWeight()).toBe(1);
  });
});

describe("AnimSmrSensorCloud", () => {
  it("puts rings of four around the bones, moves with the pose, and names the parts", () => {
    const skeleton = body(0.18), cloud = AnimSmrSensorCloud.fromSkeleton(skeleton), pose = new AnimPose(), out = new Float32Array(cloud.getSensorCount() * 3 + 1);
    // Nine bones with a child, three leaves.
    expect(cloud.getSensorCount()).toBe(9 * 12 + 3 * 4);
    const parts = Array.from({ length: cloud.getSensorCount() }, (_, i) => cloud.getSensorPart(i));
    expect(["head", "torso", "leftArm", "leftLeg"].map((part) => parts.filter((one) => one === part).length)).toEqual([4, 4 * 12, 3 * 12 + 4, 2 * 12 + 4]);
    skeleton.applyBindPose(pose);
    cloud.evaluateWorldPositions(pose, out, 1);
    // The first sensor: a quarter up the hips bone, in front of it by 0.45 of its length.
    [0, 0.95 + 0.15 / 4, 0.45 * 0.15].forEach((v, k) => expect(Math.abs(out[1 + k]! - v)).toBeLessThan(1e-6));
    pose.setLocalPosition(0, 2, 0.95, 0);
    const moved = new Float32Array(out.length);
    cloud.evaluateWorldPositions(pose, moved, 1);
    for (let i = 1; i < out.length; i += 3) expect(Math.abs(moved[i]! - out[i]! - 2)).toBeLessThan(1e-6);
    expect(() => cloud.evaluateWorldPositions(pose, new Float32Array(5))).toThrow(AnimArgumentError);
    expect(() => cloud.getSensorPart(999)).toThrow(AnimIndexError);
  });
});
