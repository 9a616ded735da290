import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { AnimClip } from "../../../src/anim/rig/clip.js";
import type { AnimSkeleton } from "../../../src/anim/rig/skeleton.js";
import { MotionDatabase } from "../../../src/anim/matching/database.js";
import { newClipFromModel } from "../../../src/import/model/clip.js";
import { newSkeletonFromModel } from "../../../src/import/model/skeleton.js";
import { loadModelFile } from "../../import/models.js";

/** The built-in biped's skeleton and clips by name. Bundled scripts, which lie elsewhere, say where its file is. */
export async function loadBiped(path = resolve(fileURLToPath(import.meta.url), "../../../../examples/assets/biped.glb")): Promise<{ skeleton: AnimSkeleton; clips: Map<string, AnimClip> }> {
  const model = await loadModelFile(path);
  const skeleton = newSkeletonFromModel(model);
  return { skeleton, clips: new Map(model.animations.map((animation, a) => [animation.name, newClipFromModel(model, skeleton, a)])) };
}

/** A baked database of some of the biped's clips: root bone 0, feet and hips as feature bones. */
export function bipedDatabase(skeleton: AnimSkeleton, clips: ReadonlyMap<string, AnimClip>, names: readonly string[], prepare?: (database: MotionDatabase) => void): MotionDatabase {
  const database = new MotionDatabase(skeleton);
  database.setRootBoneByName("root");
  for (const name of ["foot_l", "foot_r", "hips"]) database.addFeatureBoneByName(name);
  for (const name of names) database.setClipTags(database.addClip(clips.get(name)!), [name.replace(/_.*/, "")]);
  // The gaits never move sideways; by its own deviation that channel would outweigh everything else.
  database.setNormalization("feature");
  prepare?.(database);
  database.bake();
  return database;
}

export const LOCOMOTION = ["idle", "walk", "walk_left", "walk_right", "walk_left_tight", "walk_right_tight", "walk_start", "walk_stop", "turn_left", "turn_right"];

/** Legs of the biped for `setFootLock`. */
export function bipedLegs(skeleton: AnimSkeleton): { upper: number; lower: number; foot: number; contact: number; curve: string }[] {
  return ["l", "r"].map((side) => ({
    upper: skeleton.findBone(`upper_leg_${side}`), lower: skeleton.findBone(`lower_leg_${side}`), foot: skeleton.findBone(`foot_${side}`),
    contact: skeleton.findBone(`toe_${side}`), curve: `contact_${side}`,
  }));
}
