import { mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { AnimClip, AnimPose, AnimRetargetProfile, type AnimSkeleton } from "../../../src/anim/index.js";
import { importBvh } from "../../../src/import/bvh/index.js";
import { writePng } from "../../../src/node/png.js";
import { sharedData } from "../../shared-data.js";
import { loadBiped } from "../matching/biped.js";
import { drawStrip } from "../stick-strip.js";

const walk = sharedData("bvh/cmu/131_01_start_walk_stop.bvh", "captured walks on the ground"), other = sharedData("bvh/cmu/12_01_walk.bvh", "captured walks on the ground");

/** The soles of both feet of the biped over y = 0: what ankle and toe have less than in the bind pose, the lower one. */
function soles(skeleton: AnimSkeleton): (pose: AnimPose) => [number, number] {
  const rest = new AnimPose();
  skeleton.applyBindPose(rest);
  rest.computeWorld(skeleton);
  const bones = ["l", "r"].map((side) => [`foot_${side}`, `toe_${side}`].map((name) => skeleton.findBone(name)));
  return (pose) => bones.map((foot) => Math.min(...foot.map((bone) => pose.getWorldPositionY(bone) - rest.getWorldPositionY(bone)))) as [number, number];
}

/** Frames in which a foot of the source is on its ground and hardly moves. */
function contacts(skeleton: AnimSkeleton, clip: AnimClip, times: readonly number[]): [boolean, boolean][] {
  const pose = new AnimPose(), rest = new AnimPose(), feet = ["Left", "Right"].map((side) => [[`${side}Foot`, `${side}Ankle`], [`${side}ToeBase`, `${side}Toe`]].map((names) => Math.max(...names.map((name) => skeleton.findBone(name)))));
  skeleton.applyBindPose(rest);
  rest.computeWorld(skeleton);
  const heights = times.map((time) => {
    clip.sample(time, pose, skeleton);
    pose.computeWorld(skeleton);
    return feet.map((foot) => ({
      y: Math.min(...foot.map((bone) => pose.getWorldPositionY(bone) - rest.getWorldPositionY(bone))), x: pose.getWorldPositionX(foot[1]!), z: pose.getWorldPositionZ(foot[1]!),
    }));
  });
  const ground = heights.flat().map(({ y }) => y).toSorted((a, b) => a - b)[Math.floor(0.02 * heights.length * 2)]!;
  return heights.map((here, f) => here.map((foot, i) => {
    const before = heights[Math.max(0, f - 1)]![i]!;
    return foot.y - ground < 0.015 && Math.hypot(foot.x - before.x, foot.z - before.z) < 0.01;
  }) as [boolean, boolean]);
}

describe("a retarget profile with ground contact", () => {
  for (const [name, file] of [["a walk that starts and stops", walk], ["a walk", other]] as const) {
    it.skipIf(file === undefined)(`${name}, captured, on the biped: feet that have contact are within 2 cm of the ground, and none is below it`, async () => {
      const { skeleton: biped } = await loadBiped(), { skeleton, clip } = importBvh(readFileSync(file!, "utf8"), { scale: 0.056444 });
      const profile = new AnimRetargetProfile();
      profile.setGroundContact(true);
      profile.setAutoAlignReference(true);
      expect([profile.getGroundContact(), profile.getAutoAlignReference()]).toEqual([true, true]);
      clip.setLoop(false);
      const baked = clip.retargetWithProfile(skeleton, biped, profile), height = soles(biped), pose = new AnimPose();
      expect(profile.getMatchedBoneCount()).toBeGreaterThan(16);
      const times = Array.from({ length: Math.floor(clip.getDuration() * 30) }, (_, i) => i / 30), touching = contacts(skeleton, clip, times);
      let worst = 0, lowest = Infinity, count = 0, travelled = 0;
      const strip: AnimPose[] = [], sources: AnimPose[] = [];
      times.forEach((time, f) => {
        baked.sample(time, pose, biped);
        pose.computeWorld(biped);
        height(pose).forEach((h, i) => {
          lowest = Math.min(lowest, h);
          if (!touching[f]![i]) return;
          worst = Math.max(worst, Math.abs(h));
          count++;
        });
        travelled = Math.max(travelled, Math.hypot(pose.getWorldPositionX(1), pose.getWorldPositionZ(1)));
        if (f % Math.ceil(times.length / 12) === 0) {
          const copy = new AnimPose(), source = new AnimPose();
          copy.copyFrom(pose);
          strip.push(copy);
          clip.sample(time, source, skeleton);
          source.computeWorld(skeleton);
          sources.push(source);
        }
      });
      console.log(`${count} contacts, ${(worst * 100).toFixed(2)} cm off at most, lowest ${(lowest * 100).toFixed(2)} cm, ${travelled.toFixed(1)} m`);
      const low = Math.min(...sources.map((p) => Math.min(...Array.from({ length: p.getBoneCount() }, (_, b) => p.getWorldPositionY(b)))));
      mkdirSync(fileURLToPath(new URL("../../output/", import.meta.url)), { recursive: true });
      writePng(fileURLToPath(new URL(`../../output/retarget ${name}.png`, import.meta.url)), drawStrip([
        { skeleton, poses: sources, colour: [120, 130, 220], ground: low, height: 2 }, { skeleton: biped, poses: strip, colour: [230, 120, 60], ground: 0, height: 2 },
      ]));
      expect(count).toBeGreaterThan(30);
      expect(worst).toBeLessThan(0.02);
      expect(lowest).toBeGreaterThan(-0.01);
      expect(travelled).toBeGreaterThan(0.5);
    });
  }

  it("leaves the biped's own walk within 2 cm of where it is", async () => {
    const { skeleton, clips } = await loadBiped(), clip = clips.get("walk")!, profile = new AnimRetargetProfile(), a = new AnimPose(), b = new AnimPose();
    profile.setGroundContact(true);
    const baked = clip.retargetWithProfile(skeleton, skeleton, profile);
    for (let f = 0; f < 20; f++) {
      clip.sample(f / 30, a, skeleton);
      baked.sample(f / 30, b, skeleton);
      a.computeWorld(skeleton);
      b.computeWorld(skeleton);
      for (const name of ["hips", "foot_l", "foot_r", "toe_l", "toe_r"]) expect(Math.abs(a.getWorldPositionY(skeleton.findBone(name)) - b.getWorldPositionY(skeleton.findBone(name)))).toBeLessThan(0.02);
    }
  });
});
