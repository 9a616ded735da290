import type { AnimSkeleton } from "../../anim/rig/skeleton.js";
import { AnimSkin } from "../../anim/rig/skin.js";
import type { ModelData } from "./model-data.js";
import { requireModel } from "./skeleton.js";

/**
 * The skin of one mesh of a model: its joints are matched to the skeleton's bones by name; of up to eight influences a
 * vertex, the four largest stay.
 * @param meshIndex - 0 .. getMeshCount()-1; a mesh with joints (`model.hasBones`)
 * @throws AnimIndexError if there is no such mesh, AnimArgumentError if it has no joints
 */
export function newSkinFromModel(model: ModelData, meshIndex: number, skeleton: AnimSkeleton): AnimSkin {
  requireModel(model, "newSkinFromModel");
  return AnimSkin.fromModel(model, meshIndex, skeleton);
}
