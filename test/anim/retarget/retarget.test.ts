import { describe, expect, it } from "vitest";
import {
  AnimArgumentError, AnimClip, AnimIndexError, AnimMismatchError, AnimPose, AnimRetargetProfile, AnimSkeleton, Animation,
} from "../../../src/anim/index.js";
import { normalizeBoneName } from "../../../src/anim/retarget/names.js";
import { sampleTrack } from "../../../src/anim/rig/track-sample.js";
import { golden } from "../../golden.js";
import { angleBetween, randomQuaternion, seeded } from "../rig/golden.js";

interface Bone { name: string; parent: number; t: number[]; q: number[] }
interface Trs { t: number[]; q: number[] }
const data = golden<{
  tolerance: { rotationRad: number; position: number }; source: Bone[]; target: Bone[]; targetToSource: Record<string, number>; autoRootScale: number;
  frames: { source: Trs[]; target: Trs[]; targetWorldPositions: number[][] }[];
  manualRootScale: { frame: number; horizontal: number; vertical: number; rootPosition: number[] };
  nameNormalization: { name: string; normalized: string }[];
}>("retarget-golden.json");

function skeletonOf(bones: Bone[]): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  bones.forEach(({ name, parent, t, q }, bone) => {
    skeleton.addBone(name, parent);
    skeleton.setBindPosition(bone, t[0]!, t[1]!, t[2]!);
    skeleton.setBindRotation(bone, q[0]!, q[1]!, q[2]!, q[3]!);
  });
  return skeleton;
}

/** One key a frame of the golden motion, at 10 Hz. */
function goldenClip(): AnimClip {
  const clip = new AnimClip("motion");
  clip.setSampleRate(10);
  data.frames.forEach(({ source }, frame) => source.forEach(({ t, q }, bone) => {
    clip.addPositionKey(bone, frame / 10, t[0]!, t[1]!, t[2]!);
    clip.addRotationKey(bone, frame / 10, q[0]!, q[1]!, q[2]!, q[3]!);
  }));
  return clip;
}

const rotation = (pose: AnimPose, bone: number): number[] => [pose.getLocalRotationX(bone), pose.getLocalRotationY(bone), pose.getLocalRotationZ(bone), pose.getLocalRotationW(bone)];
const position = (pose: AnimPose, bone: number): number[] => [pose.getLocalPositionX(bone), pose.getLocalPositionY(bone), pose.getLocalPositionZ(bone)];
const world = (pose: AnimPose, bone: number): number[] => [pose.getWorldPositionX(bone), pose.getWorldPositionY(bone), pose.getWorldPositionZ(bone)];

function expectNear(found: number[], wanted: number[], tolerance: number): void {
  found.forEach((value, k) => expect(Math.abs(value - wanted[k]!)).toBeLessThanOrEqual(tolerance));
}

/** A random tree with a clip that turns every bone and moves the root; ends off the grid of its rate. */
function randomMotion(count: number, seed: number): { skeleton: AnimSkeleton; clip: AnimClip } {
  const random = seeded(seed), skeleton = new AnimSkeleton(), clip = new AnimClip("random");
  for (let bone = 0; bone < count; bone++) {
    skeleton.addBone(`bone ${String.fromCharCode(97 + bone)}`, bone === 0 ? -1 : Math.floor(random() * bone));
    skeleton.setBindPosition(bone, random() - 0.5, random(), random() - 0.5);
    skeleton.setBindRotation(bone, ...randomQuaternion(random));
  }
  for (let key = 0; key <= 4; key++) {
    const time = key * 0.253;
    clip.addPositionKey(0, time, random(), random(), random());
    for (let bone = 0; bone < count; bone++) clip.addRotationKey(bone, time, ...randomQuaternion(random));
  }
  return { skeleton, clip };
}

describe("retargeting", () => {
  it("gives the golden poses, and reports the bones without a source", () => {
    const source = skeletonOf(data.source), target = skeletonOf(data.target), profile = new AnimRetargetProfile(), pose = new AnimPose();
    const baked = goldenClip().retargetWithProfile(source, target, profile);
    expect(profile.getMatchedBoneCount()).toBe(Object.keys(data.targetToSource).length);
    expect(Array.from({ length: profile.getUnmatchedBoneCount() }, (_, i) => profile.getUnmatchedTargetBone(i))).toEqual(["arm_twist", "tail"]);
    expect(Math.abs(profile.getRootHorizontalScale() - data.autoRootScale)).toBeLessThan(1e-6);
    expect(profile.getRootVerticalScale()).toBe(profile.getRootHorizontalScale());
    baked.setLoop(false);
    data.frames.forEach((frame, i) => {
      baked.sample(i / 10, pose, target);
      pose.computeWorld(target);
      frame.target.forEach(({ t, q }, bone) => {
        expect(angleBetween(rotation(pose, bone), q)).toBeLessThanOrEqual(data.tolerance.rotationRad);
        expectNear(position(pose, bone), t, data.tolerance.position);
        expectNear(world(pose, bone), frame.targetWorldPositions[bone]!, data.tolerance.position);
      });
    });
  });

  it("scales the root's path by hand, which turns the automatic scale off", () => {
    const { frame, horizontal, vertical, rootPosition } = data.manualRootScale;
    const target = skeletonOf(data.target), profile = new Animation().newRetargetProfile(), pose = new AnimPose();
    profile.setRootTranslationScale(horizontal, vertical);
    expect(profile.getAutoRootScale()).toBe(false);
    goldenClip().retargetWithProfile(skeletonOf(data.source), target, profile).sample(frame / 10, pose, target);
    expectNear(position(pose, 0), rootPosition, data.tolerance.position);
    expect([profile.getRootHorizontalScale(), profile.getRootVerticalScale()]).toEqual([horizontal, vertical]);
  });

  it("onto the same skeleton reproduces every pose at the baked times within 1e-6", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const { skeleton, clip } = randomMotion(12, seed), baked = clip.retarget(skeleton, skeleton);
      const frames = Math.floor(clip.getDuration() * 30 + 1e-6) + 1;
      expect(baked.getRotationKeyCount(3)).toBe(frames + 1);
      expect(baked.getRotationKeyTime(3, frames)).toBe(Math.fround(clip.getDuration()));
      expect(baked.getDuration()).toBe(clip.getDuration());
      // Against the source in double precision: samplers in float32 have errors of their own.
      const value = new Float64Array(4);
      for (let key = 0; key <= frames; key++) {
        const time = Math.min(key / 30, clip.getDuration());
        for (let bone = 0; bone < 12; bone++) {
          sampleTrack(clip.tracks[bone]!.rotation!, time, value, 0);
          const found = [baked.getRotationKeyX(bone, key), baked.getRotationKeyY(bone, key), baked.getRotationKeyZ(bone, key), baked.getRotationKeyW(bone, key)];
          expect(angleBetween(found, value)).toBeLessThan(1e-6);
        }
        sampleTrack(clip.tracks[0]!.position!, time, value, 0);
        expectNear([baked.getPositionKeyX(0, key), baked.getPositionKeyY(0, key), baked.getPositionKeyZ(0, key)], Array.from(value.subarray(0, 3)), 1e-6);
      }
    }
  });

  it("onto a rig of twice the size turns alike and moves twice as far", () => {
    const { skeleton, clip } = randomMotion(8, 3), large = skeleton.clone(), a = new AnimPose(), b = new AnimPose();
    for (let bone = 0; bone < 8; bone++) large.setBindPosition(bone, 2 * skeleton.getBindPositionX(bone), 2 * skeleton.getBindPositionY(bone), 2 * skeleton.getBindPositionZ(bone));
    const baked = clip.retarget(skeleton, large);
    clip.sample(0.4, a, skeleton);
    baked.sample(0.4, b, large);
    for (let bone = 0; bone < 8; bone++) expect(angleBetween(rotation(a, bone), rotation(b, bone))).toBeLessThan(1e-5);
    expectNear(position(b, 0), position(a, 0).map((v) => 2 * v), 1e-5);
  });

  it("does not depend on local axes: directions between joints are the source's", () => {
    const random = seeded(9), { skeleton, clip } = randomMotion(9, 5), other = new AnimSkeleton(), rest = new AnimPose();
    skeleton.applyBindPose(rest);
    rest.computeWorld(skeleton);
    // The same joints in the same places, every one with axes of its own.
    const pose = new AnimPose(9);
    for (let bone = 0; bone < 9; bone++) other.addBone(skeleton.getBoneName(bone), skeleton.getParent(bone));
    for (let bone = 0; bone < 9; bone++) {
      pose.setWorldRotation(other, bone, ...randomQuaternion(random));
      pose.setWorldPosition(other, bone, ...(world(rest, bone) as [number, number, number]));
    }
    for (let bone = 0; bone < 9; bone++) {
      other.setBindPosition(bone, ...(position(pose, bone) as [number, number, number]));
      other.setBindRotation(bone, ...(rotation(pose, bone) as [number, number, number, number]));
    }
    const baked = clip.retarget(skeleton, other), a = new AnimPose(), b = new AnimPose();
    for (const time of [0, 0.3, 0.7]) {
      clip.sample(time, a, skeleton);
      baked.sample(time, b, other);
      a.computeWorld(skeleton);
      b.computeWorld(other);
      for (let bone = 0; bone < 9; bone++) expectNear(world(b, bone), world(a, bone), 1e-4);
    }
  });

  it("in local axes gives the same where the rigs share them", () => {
    const { skeleton, clip } = randomMotion(7, 8), local = new AnimRetargetProfile(), a = new AnimPose(), b = new AnimPose();
    local.setUseSkeletonSpaceRotation(false);
    expect(local.getUseSkeletonSpaceRotation()).toBe(false);
    clip.retarget(skeleton, skeleton).sample(0.31, a, skeleton);
    clip.retargetWithProfile(skeleton, skeleton, local).sample(0.31, b, skeleton);
    for (let bone = 0; bone < 7; bone++) expect(angleBetween(rotation(a, bone), rotation(b, bone))).toBeLessThan(2e-6);
  });

  it("takes the pelvis as root where a root bone above it stands still", () => {
    const source = new AnimSkeleton(), clip = new AnimClip(), pose = new AnimPose();
    ["root", "hips", "spine", "leg"].forEach((name, bone) => source.addBone(name, [-1, 0, 1, 1][bone]!));
    for (let bone = 1; bone < 4; bone++) source.setBindPosition(bone, 0, bone === 3 ? -1 : 1, 0);
    clip.addPositionKey(1, 0, 0, 1, 0);
    clip.addPositionKey(1, 1, 3, 1.5, 2);
    const baked = clip.retarget(source, source.clone());
    baked.setLoop(false);
    baked.sample(1, pose, source);
    expectNear(position(pose, 1), [3, 1.5, 2], 1e-6);
    expect(baked.getPositionKeyCount(0)).toBe(0);
  });

  it("copies name, loop, rate, events, markers and curves, and leaves the source alone", () => {
    const { skeleton, clip } = randomMotion(4, 2), before = clip.version;
    clip.addEvent(0.2, "step", "left");
    clip.addEvent(9, "never");
    clip.addSyncMarker(0.5, "R");
    clip.addCurve("smile");
    clip.setLoop(false);
    clip.setSampleRate(24);
    const baked = clip.retarget(skeleton, skeleton);
    expect(clip.version).toBe(before);
    expect([baked.getName(), baked.getLoop(), baked.getSampleRate()]).toEqual(["random", false, 24]);
    expect([baked.getEventCount(), baked.getEventTime(0), baked.getEventName(0), baked.getEventPayload(0), baked.getEventTime(1)]).toEqual([2, 0.2, "step", "left", 9]);
    expect([baked.getSyncMarkerCount(), baked.getSyncMarkerTime(0), baked.getSyncMarkerName(0), baked.getCurveName(0)]).toEqual([1, 0.5, "R", "smile"]);
  });

  it("refuses what it cannot use", () => {
    const { skeleton, clip } = randomMotion(3, 4), profile = new AnimRetargetProfile(), other = new AnimSkeleton();
    other.addBone("quite different");
    expect(() => clip.retarget(skeleton, other)).toThrow(AnimMismatchError);
    expect(() => clip.retarget(null as never, other)).toThrow(AnimArgumentError);
    expect(() => clip.retargetWithProfile(skeleton, skeleton, null as never)).toThrow(AnimArgumentError);
    expect(() => profile.addBoneMapping("", "x")).toThrow(AnimArgumentError);
    expect(() => profile.setRootTranslationScale(0, 1)).toThrow(AnimArgumentError);
    expect(() => profile.getUnmatchedTargetBone(999)).toThrow(AnimIndexError);
    profile.addBoneMapping("nowhere", "bone a");
    expect(() => clip.retargetWithProfile(skeleton, skeleton, profile)).toThrow(/nowhere/);
    profile.clearBoneMappings();
    profile.setRootBones("bone a", "nobody");
    expect(() => clip.retargetWithProfile(skeleton, skeleton, profile)).toThrow(/nobody/);
  });
});

describe("names of bones", () => {
  for (const { name, normalized } of data.nameNormalization) it(`${name} is ${normalized}`, () => expect(normalizeBoneName(name)).toBe(normalized));

  const rigs: Record<string, string[]> = {
    mixamo: ["mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2", "mixamorig:Neck", "mixamorig:Head", "mixamorig:LeftShoulder", "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand", "mixamorig:LeftUpLeg", "mixamorig:LeftLeg", "mixamorig:LeftFoot", "mixamorig:LeftToeBase", "mixamorig:RightUpLeg", "mixamorig:RightLeg"],
    unreal: ["pelvis", "spine_01", "spine_02", "spine_03", "neck_01", "head", "clavicle_l", "upperarm_l", "lowerarm_l", "hand_l", "thigh_l", "calf_l", "foot_l", "ball_l", "thigh_r", "calf_r"],
    vrm: ["J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Chest", "J_Bip_C_UpperChest", "J_Bip_C_Neck", "J_Bip_C_Head", "J_Bip_L_Shoulder", "J_Bip_L_UpperArm", "J_Bip_L_LowerArm", "J_Bip_L_Hand", "J_Bip_L_UpperLeg", "J_Bip_L_LowerLeg", "J_Bip_L_Foot", "J_Bip_L_ToeBase", "J_Bip_R_UpperLeg", "J_Bip_R_LowerLeg"],
    cmu: ["Hips", "LowerBack", "Spine", "Spine1", "Neck", "Head", "LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase", "RightUpLeg", "RightLeg"],
    rigify: ["DEF-pelvis", "DEF-spine.001", "DEF-spine.002", "DEF-spine.003", "DEF-neck", "DEF-head", "DEF-shoulder.L", "DEF-upper_arm.L", "DEF-forearm.L", "DEF-hand.L", "DEF-thigh.L", "DEF-shin.L", "DEF-foot.L", "DEF-toe.L", "DEF-thigh.R", "DEF-shin.R"],
  };
  const parents = [-1, 0, 1, 2, 3, 4, 3, 6, 7, 8, 0, 10, 11, 12, 0, 14];
  const rigOf = (names: string[]): AnimSkeleton => {
    const skeleton = new AnimSkeleton();
    names.forEach((name, bone) => {
      skeleton.addBone(name, parents[bone]!);
      skeleton.setBindPosition(bone, bone % 3, 1, 0);
    });
    return skeleton;
  };

  for (const from of Object.keys(rigs)) {
    for (const to of Object.keys(rigs)) {
      it(`${from} drives ${to}: neck, head and every limb by the same part`, () => {
        const clip = new AnimClip(), pose = new AnimPose(), target = rigOf(rigs[to]!), random = seeded(77);
        const turns = parents.map(() => randomQuaternion(random));
        turns.forEach((q, bone) => clip.addRotationKey(bone, 0, ...q));
        clip.retarget(rigOf(rigs[from]!), target).sample(0, pose, target);
        pose.computeWorld(target);
        const expected = new AnimPose();
        clip.sample(0, expected, target);
        expected.computeWorld(target);
        for (const bone of [0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]) {
          const q = (p: AnimPose): number[] => [p.getWorldRotationX(bone), p.getWorldRotationY(bone), p.getWorldRotationZ(bone), p.getWorldRotationW(bone)];
          expect(angleBetween(q(pose), q(expected)), rigs[to]![bone]).toBeLessThan(1e-5);
        }
      });
    }
  }

  it("two bones with the same key match none, and switching the rule off leaves equal names", () => {
    const source = new AnimSkeleton(), target = new AnimSkeleton(), clip = new AnimClip(), profile = new AnimRetargetProfile();
    for (const name of ["base", "tail_end", "Tail End"]) source.addBone(name);
    for (const name of ["base", "tailEnd"]) target.addBone(name);
    clip.addRotationKey(0, 0, 0, 0, 0, 1);
    clip.retargetWithProfile(source, target, profile);
    expect(profile.getUnmatchedTargetBone(0)).toBe("tailEnd");
    profile.addBoneMapping("tail_end", "tailEnd");
    clip.retargetWithProfile(source, target, profile);
    expect([profile.getMatchedBoneCount(), profile.getUnmatchedBoneCount()]).toEqual([2, 0]);
    const plain = new AnimRetargetProfile(), other = new AnimSkeleton();
    for (const name of ["base", "TAIL_END"]) other.addBone(name);
    plain.setNormalizedNameMatching(false);
    clip.retargetWithProfile(source, other, plain);
    expect(plain.getMatchedBoneCount()).toBe(1);
  });
});
