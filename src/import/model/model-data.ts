import { AnimIndexError } from "../../anim/errors.js";
import { uniqueNodeNames } from "./bones.js";
import type { ImportReport } from "./report.js";

/** A node of the imported scene. Rotations are unit quaternions x y z w; lengths are the file's. */
export interface ModelNode {
  readonly name: string;
  /** Index of the parent node, -1 for a root. */
  readonly parent: number;
  readonly children: readonly number[];
  readonly translation: readonly [number, number, number];
  readonly rotation: readonly [number, number, number, number];
  readonly scale: readonly [number, number, number];
  /** Index of the skin that the node's mesh uses, or -1. */
  readonly skin: number;
  /** Entries of {@link ModelData.meshes} drawn at this node. */
  readonly meshes: readonly number[];
}

/** One morph target of a mesh: displacements that are added with a weight. */
export interface ModelMorphTarget {
  readonly name: string;
  readonly positions: Float32Array | undefined;
  readonly normals: Float32Array | undefined;
  readonly tangents: Float32Array | undefined;
}

/** Vertices and triangles that share one material. */
export interface ModelMesh {
  readonly name: string;
  readonly material: string;
  /** Index of the skin, or -1 for a rigid mesh. */
  readonly skin: number;
  /** The node that draws it, -1 when no node does. */
  readonly node: number;
  readonly vertexCount: number;
  /** 3 per vertex. */
  readonly positions: Float32Array;
  /** 3 per vertex. */
  readonly normals: Float32Array | undefined;
  /** 4 per vertex, w = handedness. */
  readonly tangents: Float32Array | undefined;
  /** 2 per vertex. */
  readonly uvs: Float32Array | undefined;
  /** 4 per vertex, 0..1. */
  readonly colors: Float32Array | undefined;
  /** Joint index into the skin, `influences` per vertex; undefined for a rigid mesh. */
  readonly joints: Uint16Array | undefined;
  /** Weights that sum to 1, `influences` per vertex. */
  readonly weights: Float32Array | undefined;
  /** Influences per vertex of the file: 4 or 8, 0 for a rigid mesh. */
  readonly influences: 0 | 4 | 8;
  /** Triangle list. */
  readonly indices: Uint32Array;
  readonly targets: readonly ModelMorphTarget[];
  /** Rest weights, one per target. */
  readonly targetWeights: readonly number[];
}

/** Joints of a skin and where they stood when the mesh was bound. */
export interface ModelSkin {
  readonly name: string;
  /** Node of every joint. */
  readonly joints: readonly number[];
  /** 16 numbers per joint, column-major. */
  readonly inverseBind: Float32Array;
}

/** Which property of a node a channel moves. */
export type ModelChannelPath = "translation" | "rotation" | "scale" | "weights";

/** How a channel goes from key to key. `cubicSpline` values are triples: in-tangent, value, out-tangent. */
export type ModelInterpolation = "linear" | "step" | "cubicSpline";

/** One animated property. */
export interface ModelChannel {
  readonly node: number;
  readonly path: ModelChannelPath;
  readonly mode: ModelInterpolation;
  /** Seconds, strictly increasing. */
  readonly times: Float32Array;
  /** 3, 4 or as many numbers per key as there are morph targets; three times that for `cubicSpline`. */
  readonly values: Float32Array;
}

/** What a file says about a clip beyond its keys. */
export interface ClipNotes {
  readonly loop: boolean | undefined;
  readonly tags: readonly string[];
  readonly events: readonly { readonly time: number; readonly name: string; readonly payload: string }[];
  readonly syncMarkers: readonly { readonly time: number; readonly name: string }[];
  readonly curves: readonly { readonly name: string; readonly keys: readonly (readonly [time: number, value: number])[] }[];
}

/** A named set of channels. */
export interface ModelAnimation {
  readonly name: string;
  /** Time of the file's own clock, in seconds, that became time 0. */
  readonly start: number;
  readonly channels: readonly ModelChannel[];
  /** Loop flag, events, markers and curves, where the file has them. */
  readonly notes: ClipNotes | undefined;
}

/** Parts of the file that belong to no skeleton, mesh or clip. */
export interface ModelExtras {
  /** Bones of a humanoid (VRM names) and their nodes. */
  readonly humanoid: ReadonlyMap<string, number>;
  /** Extension objects of the document, as they stand in the file. */
  readonly extensions: Readonly<Record<string, unknown>>;
  /** Metres per unit of length, where the file says so. */
  readonly metersPerUnit: number | undefined;
  /** The axis that pointed up before conversion. */
  readonly upAxis: "x" | "y" | "z";
}

/** Everything a {@link ModelData} is made of. */
export interface ModelParts {
  format: "gltf" | "fbx";
  nodes: readonly ModelNode[];
  /** Root nodes of the scene, in order. */
  roots: readonly number[];
  meshes: readonly ModelMesh[];
  skins: readonly ModelSkin[];
  animations: readonly ModelAnimation[];
  extras: ModelExtras;
  report: ImportReport;
}

/** An imported file before it becomes skeletons, clips and skins. Plain data; nothing in it is shared with the caller's buffers. */
export class ModelData {
  readonly format: "gltf" | "fbx";
  readonly nodes: readonly ModelNode[];
  readonly roots: readonly number[];
  readonly meshes: readonly ModelMesh[];
  readonly skins: readonly ModelSkin[];
  readonly animations: readonly ModelAnimation[];
  readonly extras: ModelExtras;
  /** What the importer repaired or ignored. */
  readonly report: ImportReport;
  /** Node → bone of the skeleton that was made last. */
  readonly #boneOfNode = new Map<number, number>();

  constructor(parts: ModelParts) {
    this.format = parts.format;
    this.nodes = parts.nodes;
    this.roots = parts.roots;
    this.meshes = parts.meshes;
    this.skins = parts.skins;
    this.animations = parts.animations;
    this.extras = parts.extras;
    this.report = parts.report;
  }

  getMeshCount(): number {
    return this.meshes.length;
  }

  getAnimationCount(): number {
    return this.animations.length;
  }

  /** @throws AnimIndexError */
  getAnimationName(index: number): string {
    return at(this.animations, index, "getAnimationName", "animation").name;
  }

  /** Whether the vertices of a mesh follow joints. @throws AnimIndexError */
  hasBones(mesh: number): boolean {
    return at(this.meshes, mesh, "hasBones", "mesh").skin >= 0;
  }

  /** Name of the bone that joint `joint` of the mesh's skin becomes: unique in the model. @throws AnimIndexError */
  getBoneName(mesh: number, joint: number): string {
    return uniqueNodeNames(this)[at(this.#skin(mesh, "getBoneName").joints, joint, "getBoneName", "joint")]!;
  }

  /** Element 0..15 (column-major) of a joint's inverse bind matrix. @throws AnimIndexError */
  getInverseBindMatrixElement(mesh: number, joint: number, element: number): number {
    const skin = this.#skin(mesh, "getInverseBindMatrixElement");
    at(skin.joints, joint, "getInverseBindMatrixElement", "joint");
    if (!(Number.isInteger(element) && element >= 0 && element < 16)) {
      throw new AnimIndexError(`ModelData.getInverseBindMatrixElement: element is ${element}, expected 0..15.`, { found: element });
    }
    return skin.inverseBind[joint * 16 + element]!;
  }

  /** @throws AnimIndexError */
  getVertexCount(mesh: number): number {
    return at(this.meshes, mesh, "getVertexCount", "mesh").vertexCount;
  }

  /** Bone that a node became in the skeleton made last by `newSkeletonFromModel`, or -1. */
  getBoneForNode(node: number): number {
    return this.#boneOfNode.get(node) ?? -1;
  }

  /** Remembers which bone each node became. @internal */
  setBones(nodes: readonly number[]): void {
    this.#boneOfNode.clear();
    nodes.forEach((node, bone) => this.#boneOfNode.set(node, bone));
  }

  #skin(mesh: number, method: string): ModelSkin {
    const skin = this.skins[at(this.meshes, mesh, method, "mesh").skin];
    if (skin === undefined) throw new AnimIndexError(`ModelData.${method}: mesh ${mesh} has no skin. Ask hasBones(mesh) first.`, { found: mesh });
    return skin;
  }
}

/** The entry `index`, or an error that names the range. */
export function at<T>(list: readonly T[], index: number, method: string, what: string): T {
  if (!(Number.isInteger(index) && index >= 0 && index < list.length)) {
    throw new AnimIndexError(
      `ModelData.${method}: ${what} is ${index}, expected ${list.length === 0 ? `none: the file has no ${what}` : `0..${list.length - 1}`}.`,
      { found: index, supported: list.length },
    );
  }
  return list[index]!;
}
