import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { AnimPose, AnimRetargetProfile, AnimSkeleton } from "../../../src/anim/index.js";
import { importBvh } from "../../../src/import/bvh/index.js";
import { sharedData } from "../../shared-data.js";

const file = sharedData("bvh/cmu/131_01_start_walk_stop.bvh", "retargeting of motion capture");

it.skipIf(file === undefined)("a captured walk drives a taller rig with prefixed names: every joint goes where the source's would", () => {
  const { skeleton, clip } = importBvh(readFileSync(file!, "utf8"), { scale: 0.056444 }), taller = new AnimSkeleton(), profile = new AnimRetargetProfile();
  for (let bone = 0; bone < skeleton.getBoneCount(); bone++) {
    taller.addBone(`Man|mixamorig:${skeleton.getBoneName(bone)}`, skeleton.getParent(bone));
    taller.setBindPosition(bone, 1.1 * skeleton.getBindPositionX(bone), 1.1 * skeleton.getBindPositionY(bone), 1.1 * skeleton.getBindPositionZ(bone));
    taller.setBindRotation(bone, skeleton.getBindRotationX(bone), skeleton.getBindRotationY(bone), skeleton.getBindRotationZ(bone), skeleton.getBindRotationW(bone));
  }
  const baked = clip.retargetWithProfile(skeleton, taller, profile), a = new AnimPose(), b = new AnimPose();
  expect(profile.getUnmatchedBoneCount()).toBe(0);
  expect(Math.abs(profile.getRootVerticalScale() - 1.1)).toBeLessThan(1e-5);
  clip.setLoop(false);
  baked.setLoop(false);
  let travelled = 0;
  for (let time = 0; time < clip.getDuration(); time += 0.25) {
    const key = Math.round(time * baked.getSampleRate()) / baked.getSampleRate();
    clip.sample(key, a, skeleton);
    baked.sample(key, b, taller);
    a.computeWorld(skeleton);
    b.computeWorld(taller);
    for (let bone = 0; bone < skeleton.getBoneCount(); bone++) {
      expect(Math.abs(b.getWorldPositionX(bone) - 1.1 * a.getWorldPositionX(bone))).toBeLessThan(1e-3);
      expect(Math.abs(b.getWorldPositionY(bone) - 1.1 * a.getWorldPositionY(bone))).toBeLessThan(1e-3);
      expect(Math.abs(b.getWorldPositionZ(bone) - 1.1 * a.getWorldPositionZ(bone))).toBeLessThan(1e-3);
    }
    travelled = Math.max(travelled, Math.hypot(b.getWorldPositionX(0), b.getWorldPositionZ(0)));
  }
  expect(travelled).toBeGreaterThan(0.5);
});
