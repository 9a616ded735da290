// Files become rigs: a skeleton, its clips, the meshes that follow it.
import { importBvh } from "../../dist/import/bvh/index.js";
import { loadFbx } from "../../dist/import/fbx/index.js";
import { loadGltf, newClipFromModel, newSkeletonFromModel, newSkinFromModel } from "../../dist/import/gltf/index.js";

export async function fetchRig(url) {
  return await rigOf(url, new Uint8Array(await (await fetch(url)).arrayBuffer()));
}

/** @param bytes - of a GLB, FBX or BVH file */
export async function rigOf(name, bytes) {
  if (/\.bvh$/i.test(name)) {
    const { skeleton, clip } = importBvh(new TextDecoder().decode(bytes));
    return describe({ name, skeleton, clips: [clip], meshes: [], skins: [] });
  }
  const model = /\.fbx$/i.test(name) ? loadFbx(bytes, { file: name }) : await loadGltf(bytes, { file: name });
  const skeleton = newSkeletonFromModel(model);
  const clips = model.animations.map((_, i) => newClipFromModel(model, skeleton, i));
  const skinned = model.meshes.map((mesh, i) => ({ mesh, i })).filter(({ i }) => model.hasBones(i));
  return describe({ name, skeleton, clips, meshes: skinned.map(({ mesh }) => mesh), skins: skinned.map(({ i }) => newSkinFromModel(model, i, skeleton)) });
}

/** Adds how tall the rig is and which bone carries it over the ground. */
function describe(rig) {
  const { skeleton } = rig;
  skeleton.computeBindWorld();
  let low = Infinity, high = -Infinity;
  for (let bone = 0; bone < skeleton.getBoneCount(); bone++) {
    const y = skeleton.getBindWorldMatrixElement(bone, 13);
    low = Math.min(low, y);
    high = Math.max(high, y);
  }
  rig.height = Math.max(1e-3, (high - low) * 1.08);
  rig.root = Array.from({ length: skeleton.getBoneCount() }, (_, bone) => bone).find((bone) => rig.clips.some((clip) => clip.getPositionKeyCount(bone) > 1)) ?? 0;
  return rig;
}

/** The clip on the spot, and how fast it was over the ground (units a second). */
export function onTheSpot(clip, bone) {
  const keys = clip.getPositionKeyCount(bone), duration = clip.getDuration();
  if (keys < 2 || duration < 0.1) return { clip, speed: 0 };
  const vx = (clip.getPositionKeyX(bone, keys - 1) - clip.getPositionKeyX(bone, 0)) / duration, vz = (clip.getPositionKeyZ(bone, keys - 1) - clip.getPositionKeyZ(bone, 0)) / duration;
  const still = clip.clone();
  still.applyPlanarRootMotion(bone, -vx, -vz);
  return { clip: still, speed: Math.hypot(vx, vz) };
}
