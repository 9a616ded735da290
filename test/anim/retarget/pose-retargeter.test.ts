import { expect, it } from "vitest";
import { AnimArgumentError, AnimClip, AnimMismatchError, AnimPose, AnimPoseRetargeter, AnimRetargetProfile, AnimSkeleton } from "../../../src/anim/index.js";
import { angleBetween, randomQuaternion, seeded } from "../rig/golden.js";

function rig(seed: number, scale: number): AnimSkeleton {
  const random = seeded(seed), skeleton = new AnimSkeleton();
  for (let bone = 0; bone < 9; bone++) {
    skeleton.addBone(`bone ${String.fromCharCode(97 + bone)}`, bone === 0 ? -1 : Math.floor(bone / 2));
    skeleton.setBindPosition(bone, scale * (bone % 3), scale, 0);
    skeleton.setBindRotation(bone, ...randomQuaternion(random));
  }
  return skeleton;
}

it("carries a pose over as the baked clip does", () => {
  const source = rig(1, 1), target = rig(2, 1.7), clip = new AnimClip("m"), random = seeded(3), profile = new AnimRetargetProfile();
  for (let key = 0; key < 4; key++) {
    clip.addPositionKey(0, key / 10, random(), random(), random());
    for (let bone = 0; bone < 9; bone++) clip.addRotationKey(bone, key / 10, ...randomQuaternion(random));
  }
  clip.setSampleRate(10);
  clip.setLoop(false);
  const baked = clip.retargetWithProfile(source, target, profile), live = new AnimPoseRetargeter(source, target, profile, false);
  expect(profile.getMatchedBoneCount()).toBe(9);
  const from = new AnimPose(), to = new AnimPose(target.getBoneCount()), wanted = new AnimPose();
  for (let key = 0; key < 4; key++) {
    clip.sample(key / 10, from, source);
    live.apply(from, to);
    baked.sample(key / 10, wanted, target);
    for (let bone = 0; bone < 9; bone++) {
      const q = (p: AnimPose): number[] => [p.getLocalRotationX(bone), p.getLocalRotationY(bone), p.getLocalRotationZ(bone), p.getLocalRotationW(bone)];
      expect(angleBetween(q(to), q(wanted))).toBeLessThan(2e-6);
      expect(Math.abs(to.getLocalPositionX(bone) - wanted.getLocalPositionX(bone))).toBeLessThan(1e-5);
    }
    to.computeWorld(target);
  }
});

it("refuses poses of other rigs, one pose for both, and rigs without a common bone", () => {
  const source = rig(1, 1), target = rig(2, 2), live = new AnimPoseRetargeter(source, target), other = new AnimSkeleton(), pose = new AnimPose(9);
  other.addBone("quite different");
  expect(() => live.apply(new AnimPose(2), pose)).toThrow(AnimMismatchError);
  expect(() => live.apply(pose, new AnimPose(2))).toThrow(AnimMismatchError);
  expect(() => live.apply(pose, pose)).toThrow(AnimArgumentError);
  expect(() => new AnimPoseRetargeter(source, other)).toThrow(AnimMismatchError);
  expect(() => new AnimPoseRetargeter(source, target, {} as never)).toThrow(AnimArgumentError);
});
