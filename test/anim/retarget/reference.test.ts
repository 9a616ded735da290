import { describe, expect, it } from "vitest";
import {
  AnimArgumentError, AnimClip, AnimMismatchError, AnimNameError, AnimPose, AnimPoseRetargeter, AnimRetargetProfile, AnimSkeleton,
} from "../../../src/anim/index.js";
import { angleBetween, randomQuaternion, seeded } from "../rig/golden.js";

const HALF = Math.SQRT1_2;

/** A biped by its parts: [name, parent, x, y, z]. Faces +Z, its left is +X. */
const PARTS: readonly (readonly [string, number, number, number, number])[] = [
  ["Hips", -1, 0, 1, 0], ["Spine", 0, 0, 0.2, 0], ["Head", 1, 0, 0.5, 0],
  ["LeftUpLeg", 0, 0.1, 0, 0], ["LeftLeg", 3, 0, -0.45, 0], ["LeftFoot", 4, 0, -0.45, 0],
  ["RightUpLeg", 0, -0.1, 0, 0], ["RightLeg", 6, 0, -0.45, 0], ["RightFoot", 7, 0, -0.45, 0],
  ["LeftArm", 1, 0.2, 0.3, 0], ["LeftForeArm", 9, 0.3, 0, 0], ["LeftHand", 10, 0.25, 0, 0],
  ["RightArm", 1, -0.2, 0.3, 0], ["RightForeArm", 12, -0.3, 0, 0], ["RightHand", 13, -0.25, 0, 0],
];

/** `legs`: factor of the legs alone. `turn`: rotation of the hips, by which all else lies elsewhere in model space. */
function biped(scale = 1, legs = 1, turn: readonly number[] = [0, 0, 0, 1]): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  PARTS.forEach(([name, parent, x, y, z], bone) => {
    skeleton.addBone(name, parent);
    const leg = name.includes("Leg") || name.includes("Foot") ? legs : 1;
    const at = [x, bone === 0 ? 0.1 + 0.9 * legs : y * leg, z].map((v) => v * scale);
    const [a, b, c] = bone === 0 ? rotated(turn, at) : at;
    skeleton.setBindPosition(bone, a!, b!, c!);
  });
  skeleton.setBindRotation(0, turn[0]!, turn[1]!, turn[2]!, turn[3]!);
  return skeleton;
}

function rotated(q: readonly number[], v: readonly number[]): number[] {
  const [x, y, z, w] = q as [number, number, number, number], [a, b, c] = v as [number, number, number];
  const cx = y * c - z * b + w * a, cy = z * a - x * c + w * b, cz = x * b - y * a + w * c;
  return [a + 2 * (y * cz - z * cy), b + 2 * (z * cx - x * cz), c + 2 * (x * cy - y * cx)];
}

function multiplied(a: readonly number[], b: readonly number[]): [number, number, number, number] {
  const [ax, ay, az, aw] = a as [number, number, number, number], [bx, by, bz, bw] = b as [number, number, number, number];
  return [aw * bx + ax * bw + ay * bz - az * by, aw * by + ay * bw + az * bx - ax * bz, aw * bz + az * bw + ax * by - ay * bx, aw * bw - ax * bx - ay * by - az * bz];
}

/** Random turns of all bones and a path of the hips. */
function motion(skeleton: AnimSkeleton, seed: number): AnimClip {
  const random = seeded(seed), clip = new AnimClip("motion");
  clip.setLoop(false);
  // The times that are looked at lie on its grid.
  clip.setSampleRate(20);
  for (let key = 0; key <= 4; key++) {
    clip.addPositionKey(0, key / 4, skeleton.getBindPositionX(0) + random(), skeleton.getBindPositionY(0) + random(), skeleton.getBindPositionZ(0) + random());
    for (let bone = 0; bone < skeleton.getBoneCount(); bone++) clip.addRotationKey(bone, key / 4, ...randomQuaternion(random));
  }
  return clip;
}

const worldRotation = (pose: AnimPose, bone: number): number[] => [pose.getWorldRotationX(bone), pose.getWorldRotationY(bone), pose.getWorldRotationZ(bone), pose.getWorldRotationW(bone)];
const worldPosition = (pose: AnimPose, bone: number): number[] => [pose.getWorldPositionX(bone), pose.getWorldPositionY(bone), pose.getWorldPositionZ(bone)];

function posed(clip: AnimClip, skeleton: AnimSkeleton, time: number): AnimPose {
  const pose = new AnimPose();
  clip.sample(time, pose, skeleton);
  pose.computeWorld(skeleton);
  return pose;
}

describe("reference poses", () => {
  it("measure rotations from a pose of each rig instead of the bind pose", () => {
    const source = biped(), target = biped(), random = seeded(4), clip = motion(source, 11), profile = new AnimRetargetProfile();
    // The rigs rest alike, but the target is told to stand in another pose when the source rests.
    const stance = new AnimPose();
    target.applyBindPose(stance);
    for (let bone = 1; bone < target.getBoneCount(); bone++) stance.setLocalRotation(bone, ...randomQuaternion(random));
    profile.setTargetReferencePose(stance);
    stance.computeWorld(target);
    const baked = clip.retargetWithProfile(source, target, profile), rest = new AnimPose();
    source.applyBindPose(rest);
    rest.computeWorld(source);
    for (const time of [0, 0.5, 1]) {
      const from = posed(clip, source, time), to = posed(baked, target, time);
      for (let bone = 0; bone < target.getBoneCount(); bone++) {
        // R_t = R_s conj(B_s) B_t, with B_s without rotation.
        expect(angleBetween(worldRotation(to, bone), multiplied(worldRotation(from, bone), worldRotation(stance, bone)))).toBeLessThan(2e-6);
      }
    }
    // The source standing in a pose gives the target at rest for that pose.
    const other = new AnimRetargetProfile(), held = new AnimClip();
    other.setSourceReferencePose(stance);
    for (let bone = 0; bone < source.getBoneCount(); bone++) {
      held.addRotationKey(bone, 0, stance.getLocalRotationX(bone), stance.getLocalRotationY(bone), stance.getLocalRotationZ(bone), stance.getLocalRotationW(bone));
    }
    const rested = posed(held.retargetWithProfile(source, target, other), target, 0);
    for (let bone = 0; bone < target.getBoneCount(); bone++) expect(angleBetween(worldRotation(rested, bone), worldRotation(rest, bone))).toBeLessThan(2e-6);
    // Both at once, and back.
    profile.setTargetReferencePose(null);
    const plain = posed(clip.retargetWithProfile(source, target, profile), target, 0.5);
    expect(angleBetween(worldRotation(plain, 5), worldRotation(posed(clip, source, 0.5), 5))).toBeLessThan(2e-6);
  });

  it("are copied, checked at the bake, and used by live retargeting", () => {
    const source = biped(), target = biped(), clip = motion(source, 3), profile = new AnimRetargetProfile(), stance = new AnimPose();
    target.applyBindPose(stance);
    stance.setLocalRotation(9, 0, 0, -HALF, HALF);
    profile.setTargetReferencePose(stance);
    stance.resize(2);
    const baked = posed(clip.retargetWithProfile(source, target, profile), target, 0.25), live = new AnimPose(target.getBoneCount());
    new AnimPoseRetargeter(source, target, profile).apply(posed(clip, source, 0.25), live);
    live.computeWorld(target);
    for (let bone = 0; bone < target.getBoneCount(); bone++) expect(angleBetween(worldRotation(live, bone), worldRotation(baked, bone))).toBeLessThan(1e-3);
    profile.setSourceReferencePose(stance);
    expect(() => clip.retargetWithProfile(source, target, profile)).toThrow(AnimMismatchError);
    for (const bad of [undefined, 3, {}] as never[]) expect(() => profile.setSourceReferencePose(bad)).toThrow(AnimArgumentError);
  });
});

describe("alignment, scale of the root, scale", () => {
  it("turns motion onto a rig that looks another way or lies down", () => {
    const source = biped(), clip = motion(source, 8);
    for (const turn of [[0, HALF, 0, HALF], [0, 1, 0, 0], [HALF, 0, 0, HALF], randomQuaternion(seeded(6))]) {
      const target = biped(1, 1, turn), profile = new AnimRetargetProfile();
      profile.setAlignment("auto");
      // Boxes along the axes are not those of a rig that lies askew.
      profile.setRootTranslationScale(1, 1);
      const baked = clip.retargetWithProfile(source, target, profile);
      for (const time of [0, 0.4, 1]) {
        const from = posed(clip, source, time), to = posed(baked, target, time);
        // The whole picture is turned: every joint lies where the turn puts the source's.
        for (let bone = 0; bone < target.getBoneCount(); bone++) {
          const want = rotated(turn, worldPosition(from, bone));
          worldPosition(to, bone).forEach((v, k) => expect(Math.abs(v - want[k]!)).toBeLessThan(2e-5));
        }
      }
    }
    expect(() => new AnimRetargetProfile().setAlignment("up" as never)).toThrow(/"none", "auto"/);
  });

  it("scales the root's path by boxes, heights of the pelvis, or legs", () => {
    const source = biped(), target = biped(2, 1.5), clip = motion(source, 2), profile = new AnimRetargetProfile();
    const ratio = (mode: "extent" | "pelvisHeight" | "legLength"): number => {
      profile.setRootScaleMode(mode);
      clip.retargetWithProfile(source, target, profile);
      expect(profile.getRootVerticalScale()).toBe(profile.getRootHorizontalScale());
      return profile.getRootHorizontalScale();
    };
    expect(ratio("legLength")).toBeCloseTo(3, 6);
    expect(ratio("pelvisHeight")).toBeCloseTo(3, 6);
    expect(ratio("extent")).toBeGreaterThan(2);
    expect(ratio("extent")).toBeLessThan(3);
    // Rigs without legs fall back to the boxes.
    const stick = new AnimSkeleton();
    stick.addBone("Hips");
    stick.addBone("Spine", 0);
    stick.setBindPosition(1, 0, 3, 0);
    profile.setRootScaleMode("legLength");
    clip.retargetWithProfile(source, stick, profile);
    expect(profile.getRootHorizontalScale()).toBeCloseTo(15, 5);
    expect(() => profile.setRootScaleMode("height" as never)).toThrow(AnimArgumentError);
  });

  it("carries scale over only when asked, as a factor of the bind scale", () => {
    const source = biped(), target = biped(), clip = motion(source, 5), profile = new AnimRetargetProfile();
    source.setBindScale(2, 2, 2, 2);
    target.setBindScale(2, 3, 3, 3);
    clip.addScaleKey(2, 0, 2, 2, 2);
    clip.addScaleKey(2, 1, 4, 2, 1);
    expect(clip.retargetWithProfile(source, target, profile).getScaleKeyCount(2)).toBe(0);
    profile.setTransferScale(true);
    const baked = clip.retargetWithProfile(source, target, profile), last = baked.getScaleKeyCount(2) - 1;
    expect([baked.getScaleKeyX(2, last), baked.getScaleKeyY(2, last), baked.getScaleKeyZ(2, last)]).toEqual([6, 3, 1.5]);
    expect(baked.getScaleKeyCount(1)).toBe(0);
  });
});

describe("AnimRetargetProfile as data", () => {
  it("survives JSON with all settings", () => {
    const profile = new AnimRetargetProfile(), stance = new AnimPose(2);
    stance.setLocalRotation(1, 0, 1, 0, 1);
    profile.addBoneMapping("a", "b");
    profile.setNormalizedNameMatching(false);
    profile.setRootBones("p", "q");
    profile.setRootTranslationScale(2, 3);
    profile.setRootScaleMode("legLength");
    profile.setUseSkeletonSpaceRotation(false);
    profile.setAutoAlignReference(true);
    profile.setAlignment("auto");
    profile.setTransferScale(true);
    profile.setSourceReferencePose(stance);
    profile.setSkinnedInteractionPreserve(true);
    profile.setInteractionContactThreshold(0.25);
    profile.setInteractionCorrectionWeight(0.5);
    profile.addInteractionIkChain("x", "y", "z");
    profile.setGroundContact(true);
    profile.setNeuralRetargetEnabled(true);
    profile.setNeuralBackend("tensor");
    profile.setNeuralModelPath("model.bin");
    const text = JSON.stringify(profile), again = AnimRetargetProfile.fromJSON(JSON.parse(text));
    expect(JSON.stringify(again)).toBe(text);
    expect([again.getAutoRootScale(), again.getRootHorizontalScale(), again.getRootVerticalScale(), again.getAlignment(), again.getInteractionContactThreshold()]).toEqual([false, 2, 3, "auto", 0.25]);
    // Every setting counts: the defaults give another text, and are what little JSON means.
    expect(JSON.stringify(AnimRetargetProfile.fromJSON({ version: 1 }))).toBe(JSON.stringify(new AnimRetargetProfile()));
    for (const bad of [null, 3, {}, { version: 2 }, { version: 1, mappings: 3 }, { version: 1, mappings: [3] }, { version: 1, rootScaleMode: "x" }, { version: 1, groundContact: 1 },
      { version: 1, sourceReferencePose: [1] }, { version: 1, targetReferencePose: Array(10).fill(0) }, { version: 1, rootTranslationScale: [0, 1] }, { version: 1, rootBones: null },
      { version: 1, neuralBackend: "cuda" }, { version: 1, interactionIkChains: [["a"]] }] as never[]) {
      expect(() => AnimRetargetProfile.fromJSON(bad)).toThrow(AnimArgumentError);
    }
  });

  it("maps rigs by itself, says why, and keeps what was mapped by hand", () => {
    const source = biped(), target = new AnimSkeleton(), profile = new AnimRetargetProfile();
    for (const [name, parent] of [["mixamorig:Hips", -1], ["Spine", 0], ["upper_arm.L", 1], ["forearm.L", 2], ["tail", 0], ["skull", 1]] as const) target.addBone(name, parent);
    profile.addBoneMapping("Head", "skull");
    const report = profile.autoMap(source, target);
    expect(report.pairs.map((pair) => [pair.source, pair.target, pair.by])).toEqual([
      ["Hips", "mixamorig:Hips", "normalizedName"], ["Spine", "Spine", "name"], ["LeftArm", "upper_arm.L", "role"], ["LeftForeArm", "forearm.L", "role"], ["Head", "skull", "mapping"]]);
    expect(report.unmatchedTargets).toEqual(["tail"]);
    expect(report.unusedSources).toContain("RightFoot");
    expect(report.pairs.every(({ confidence }) => confidence > 0.5 && confidence <= 1)).toBe(true);
    expect(profile.toJSON().mappings).toContainEqual(["LeftArm", "upper_arm.L"]);
    profile.addBoneMapping("Leftarm", "tail");
    expect(() => motion(source, 1).retargetWithProfile(source, target, profile)).toThrow(AnimNameError);
    expect(() => motion(source, 1).retargetWithProfile(source, target, profile)).toThrow(/Did you mean "LeftArm"/);
    expect(() => profile.autoMap(null as never, target)).toThrow(AnimArgumentError);
  });
});
