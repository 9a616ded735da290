/** The parts of an imported model that a skin is made of (structural, so that this module needs no importer). @internal */
import { AnimArgumentError } from "../errors.js";
import { requireIndex, requireObject } from "./checks.js";
import type { SkinDesc } from "./skin-build.js";

/** What `AnimSkin.fromModel` reads of a `ModelData`. */
export interface SkinModel {
  readonly meshes: readonly {
    readonly skin: number;
    readonly positions: ArrayLike<number>;
    readonly normals: ArrayLike<number> | undefined;
    readonly tangents: ArrayLike<number> | undefined;
    readonly joints: ArrayLike<number> | undefined;
    readonly weights: ArrayLike<number> | undefined;
    readonly influences: number;
    readonly indices: ArrayLike<number>;
    readonly targets: readonly { readonly name: string; readonly positions: ArrayLike<number> | undefined; readonly normals: ArrayLike<number> | undefined }[];
  }[];
  readonly skins: readonly { readonly joints: readonly number[]; readonly inverseBind: ArrayLike<number> }[];
  getBoneName(mesh: number, joint: number): string;
}

export function descOfModel(model: SkinModel, meshIndex: number): SkinDesc {
  const method = "AnimSkin.fromModel";
  requireObject(method, "model", model, "ModelData");
  requireIndex(method, "meshIndex", meshIndex, model.meshes.length);
  const mesh = model.meshes[meshIndex]!, skin = model.skins[mesh.skin];
  if (skin === undefined || mesh.joints === undefined || mesh.weights === undefined) {
    throw new AnimArgumentError(`${method}: mesh ${meshIndex} has no joints. Ask model.hasBones(mesh) first; a rigid mesh follows its node's bone.`);
  }
  return {
    positions: mesh.positions, normals: mesh.normals, tangents: mesh.tangents, joints: mesh.joints, weights: mesh.weights,
    influences: mesh.influences, indices: mesh.indices, inverseBind: skin.inverseBind, targets: mesh.targets,
    jointNames: skin.joints.map((_, joint) => model.getBoneName(meshIndex, joint)),
  };
}
