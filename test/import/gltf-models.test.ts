import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { AnimPose } from "../../src/anim/rig/pose.js";
import { newClipFromModel } from "../../src/import/model/clip.js";
import { newSkeletonFromModel } from "../../src/import/model/skeleton.js";
import { sharedData } from "../shared-data.js";
import { loadModelFile, MODELS } from "./models.js";
import { loadThree, loadWithThree } from "./three-reference.js";

const root = sharedData("gltf", "glTF models");

describe.skipIf(root === undefined)("glTF models", () => {
  test.each(MODELS)("%s has %i joints, %i bones and %i animations", async (path, joints, bones, animations) => {
    const model = await loadModelFile(join(root!, path));
    expect(model.skins.reduce((sum, skin) => sum + skin.joints.length, 0)).toBe(joints);
    expect(model.animations.length).toBe(animations);
    const skeleton = newSkeletonFromModel(model);
    expect(skeleton.getBoneCount()).toBe(bones);
    for (let b = 0; b < bones; b++) expect(skeleton.getParent(b)).toBeLessThan(b);
    expect(newSkeletonFromModel(model, { bones: "all" }).getBoneCount()).toBe(model.nodes.length);
  });

  describe("sampled against three.js", () => {
    let three: Awaited<ReturnType<typeof loadThree>>;
    beforeAll(async () => {
      three = await loadThree("glTF clips against three.js");
    });

    test.each(MODELS.filter(([, , , animations]) => animations > 0))("%s: every clip gives the mixer's world matrices", async (path, _joints, bones) => {
      if (three === undefined) return;
      const model = await loadModelFile(join(root!, path));
      const reference = await loadWithThree(join(root!, path));
      const skeleton = newSkeletonFromModel(model);
      const pose = new AnimPose(bones);
      let compared = 0;
      for (let a = 0; a < model.animations.length; a++) {
        const clip = newClipFromModel(model, skeleton, a);
        normalizeRotations(reference.animations[a]);
        const mixer = new three.AnimationMixer(reference.scene);
        const action = mixer.clipAction(reference.animations[a]);
        action.setLoop(three.LoopOnce, 1);
        action.clampWhenFinished = true;
        action.play();
        // 0.0137 keeps the times off the keys, where a step may legitimately fall on either side.
        for (let i = 0; i < 9; i++) {
          const time = ((i + 0.0137) / 9) * Math.max(0, clip.getDuration());
          mixer.setTime(time);
          reference.scene.updateMatrixWorld(true);
          clip.sample(time, pose, skeleton);
          pose.computeWorld(skeleton);
          for (let node = 0; node < model.nodes.length; node++) {
            const bone = model.getBoneForNode(node);
            if (bone < 0) continue;
            const expected = reference.objectOfNode.get(node).matrixWorld.elements as number[];
            for (const column of [0, 4, 8, 12]) {
              const size = Math.max(1e-3, ...[0, 1, 2].map((r) => Math.abs(expected[column + r]!)));
              for (let r = 0; r < 3; r++) {
                const got = pose.getWorldMatrixElement(bone, column + r);
                if (!(Math.abs(got - expected[column + r]!) <= 1e-4 * size)) {
                  expect.fail(`${clip.getName()} at ${time}: bone ${skeleton.getBoneName(bone)} element ${column + r} is ${got}, three.js has ${expected[column + r]}`);
                }
                compared++;
              }
            }
          }
        }
        mixer.uncacheRoot(reference.scene);
      }
      expect(compared).toBeGreaterThan(0);
    });
  });
});

/** Two of the files hold rotations of length 0.9998, which three.js plays as they are; keys here are normalised on import. */
function normalizeRotations(clip: { tracks: { ValueTypeName: string; values: Float32Array; times: Float32Array }[] }): void {
  for (const { ValueTypeName, values, times } of clip.tracks) {
    if (ValueTypeName !== "quaternion" || values.length !== times.length * 4) continue;
    for (let k = 0; k < values.length; k += 4) {
      const length = Math.hypot(values[k]!, values[k + 1]!, values[k + 2]!, values[k + 3]!);
      for (let i = 0; i < 4; i++) values[k + i]! /= length;
    }
  }
}
