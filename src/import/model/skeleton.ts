import { AnimArgumentError } from "../../anim/errors.js";
import { AnimSkeleton } from "../../anim/rig/skeleton.js";
import { type BoneRule, chooseBones, uniqueNodeNames } from "./bones.js";
import { compose, decompose, type Matrix, multiply, type Transform } from "./matrix.js";
import { ModelData } from "./model-data.js";

export interface SkeletonOptions {
  /**
   * `"auto"` (default): all joints of all skins with their ancestors and their animated descendants; every node of the
   * scene when there are no skins. `"all"`: every node. `"joints"`: joints only, the transforms of skipped parents folded
   * into the bind pose.
   */
  bones?: BoneRule | undefined;
}

/**
 * A skeleton of a model's nodes, in depth-first order, with the nodes' rest transforms as bind pose.
 * @throws AnimArgumentError for something that is no {@link ModelData} or an unknown rule
 * @throws AnimCapacityError for more than 1024 bones
 */
export function newSkeletonFromModel(model: ModelData, options: SkeletonOptions = {}): AnimSkeleton {
  requireModel(model, "newSkeletonFromModel");
  const rule = options.bones ?? "auto";
  if (rule !== "auto" && rule !== "all" && rule !== "joints") {
    throw new AnimArgumentError(`newSkeletonFromModel: options.bones is ${JSON.stringify(rule)}, expected "auto", "all" or "joints".`, { found: rule });
  }
  const names = uniqueNodeNames(model);
  const chosen = chooseBones(model, rule);
  const boneOf = new Map(chosen.map((node, bone) => [node, bone]));
  const skeleton = new AnimSkeleton();
  try {
    for (const node of chosen) {
      const { parent, fold } = boneParent(model, node, boneOf);
      const bone = skeleton.addBone(names[node]!, parent);
      const { translation, rotation, scale } = foldedRest(model, node, fold);
      skeleton.setBindPosition(bone, ...translation);
      skeleton.setBindRotation(bone, ...rotation);
      skeleton.setBindScale(bone, ...scale);
    }
  } catch (error) {
    skeleton.dispose();
    throw error;
  }
  model.setBones(chosen);
  return skeleton;
}

/** Bone index of the nearest ancestor that is a bone, and the product of the ancestors in between. */
export function boneParent(model: ModelData, node: number, boneOf: ReadonlyMap<number, number>): { parent: number; fold: Matrix | undefined } {
  let fold: Matrix | undefined;
  let at = model.nodes[node]!.parent;
  while (at !== -1 && !boneOf.has(at)) {
    const { translation, rotation, scale } = model.nodes[at]!;
    const local = compose(translation, rotation, scale);
    fold = fold === undefined ? local : multiply(local, fold);
    at = model.nodes[at]!.parent;
  }
  return { parent: at === -1 ? -1 : boneOf.get(at)!, fold };
}

function foldedRest(model: ModelData, node: number, fold: Matrix | undefined): Transform {
  const { translation, rotation, scale } = model.nodes[node]!;
  if (fold === undefined) return { translation: [...translation], rotation: [...rotation], scale: [...scale] };
  return decompose(multiply(fold, compose(translation, rotation, scale)));
}

/** @throws AnimArgumentError for anything that is not a model */
export function requireModel(model: ModelData, method: string): void {
  if (!(model instanceof ModelData)) {
    throw new AnimArgumentError(`${method}: model is ${model === null ? "null" : typeof model}, expected a ModelData. Make one with loadGltf or loadFbx.`);
  }
}
