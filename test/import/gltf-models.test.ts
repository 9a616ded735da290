import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { AnimPose } from "../../src/anim/rig/pose.js";
import { newClipFromModel } from "../../src/import/model/clip.js";
import { newSkinFromModel } from "../../src/import/model/skin.js";
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

    test.each(MODELS.filter(([, joints]) => joints > 0))("%s: skinned positions are those of applyBoneTransform", async (path, _joints, bones) => {
      if (three === undefined) return;
      const model = await loadModelFile(join(root!, path));
      const reference = await loadWithThree(join(root!, path));
      const skeleton = newSkeletonFromModel(model);
      const pose = new AnimPose(bones);
      const clip = newClipFromModel(model, skeleton, 0);
      normalizeRotations(reference.animations[0]);
      const mixer = new three.AnimationMixer(reference.scene);
      mixer.clipAction(reference.animations[0]).play();
      const skinned: { mesh: number; object: { matrixWorld: object; applyBoneTransform: (v: number, out: object) => void } }[] = [];
      reference.scene.traverse((object: never) => {
        const { isSkinnedMesh, geometry } = object as { isSkinnedMesh?: boolean; geometry: { attributes: { position: { array: Float32Array } } } };
        if (isSkinnedMesh !== true) return;
        const mesh = model.meshes.findIndex(({ positions, skin }) => skin >= 0 && positions.length === geometry.attributes.position.array.length && positions.every((v, i) => v === geometry.attributes.position.array[i]));
        skinned.push({ mesh, object });
      });
      expect(skinned.length).toBeGreaterThan(0);
      for (const { mesh, object } of skinned) {
        const skin = newSkinFromModel(model, mesh, skeleton);
        const { positions } = model.meshes[mesh]!;
        let size = 1e-3;
        for (const v of positions) size = Math.max(size, Math.abs(v));
        for (const part of [0.0137, 0.41, 0.83]) {
          mixer.setTime(part * clip.getDuration());
          reference.scene.updateMatrixWorld(true);
          clip.sample(part * clip.getDuration(), pose, skeleton);
          pose.computeWorld(skeleton);
          skin.updateSkinnedPositions(pose);
          const point = new three.Vector3();
          for (let v = 0; v < positions.length / 3; v += 7) {
            point.set(positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]);
            object.applyBoneTransform(v, point);
            point.applyMatrix4(object.matrixWorld);
            const distance = Math.hypot(skin.getSkinnedPositionX(v) - point.x, skin.getSkinnedPositionY(v) - point.y, skin.getSkinnedPositionZ(v) - point.z);
            const scaled = Math.max(size, Math.abs(point.x), Math.abs(point.y), Math.abs(point.z));
            if (!(distance <= 1e-4 * scaled)) expect.fail(`mesh ${mesh}, vertex ${v} at ${part}: ${distance} apart`);
          }
        }
        skin.dispose();
      }
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
