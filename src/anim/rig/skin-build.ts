/** From arrays of a mesh to the blocks of a skin: influences reduced, vertices sorted, inverse binds checked. @internal */
import { AnimArgumentError, AnimFormatError, AnimMismatchError } from "../errors.js";
import { requireObject, show } from "./checks.js";
import type { AnimSkeleton } from "./skeleton.js";

/** What happens to a vertex without weights: it stays at its bind position, follows the first joint, or is an error. */
export type OrphanPolicy = "bind" | "root" | "throw";

/** Displacements of a morph target; 3 numbers a vertex. */
export interface SkinMorphTarget {
  readonly name: string;
  readonly positions?: ArrayLike<number> | undefined;
  readonly normals?: ArrayLike<number> | undefined;
}

/** A mesh that follows joints. All arrays are copied. */
export interface SkinDesc {
  /** 3 a vertex. */
  readonly positions: ArrayLike<number>;
  /** 3 a vertex. */
  readonly normals?: ArrayLike<number> | undefined;
  /** 4 a vertex; the fourth is the sign of the bitangent. */
  readonly tangents?: ArrayLike<number> | undefined;
  /** `influences` joint indices a vertex. */
  readonly joints: ArrayLike<number>;
  /** `influences` weights a vertex. */
  readonly weights: ArrayLike<number>;
  /** Influences a vertex, 1..8; default 4. More than four are reduced to the four largest. */
  readonly influences?: number | undefined;
  /** Bone name of every joint; joints that the skeleton lacks are dropped. */
  readonly jointNames: readonly string[];
  /** 16 numbers a joint, column-major. */
  readonly inverseBind: ArrayLike<number>;
  /** Triangles; needed by ray casts, surface points and palette splitting only. */
  readonly indices?: ArrayLike<number> | undefined;
  readonly targets?: readonly SkinMorphTarget[] | undefined;
  readonly orphanPolicy?: OrphanPolicy | undefined;
}

/** Influences stored a vertex. */
export const INFLUENCES = 4;

export interface SkinTables {
  readonly vertexCount: number;
  /** Skeleton bone of every joint that was kept. */
  readonly bones: Int32Array;
  readonly jointNames: readonly string[];
  readonly unmatched: readonly string[];
  readonly inverseBind: Float32Array;
  /** Four a vertex in the mesh's order: joint (-1: none) and weight. */
  readonly joints: Int16Array;
  readonly weights: Float32Array;
  /** Mesh index of every vertex in the skin's order, and where each influence count 0..4 starts there (six entries). */
  readonly order: Uint32Array;
  readonly starts: readonly number[];
}

/** @throws AnimArgumentError, AnimFormatError, AnimMismatchError */
export function buildSkin(method: string, desc: SkinDesc, skeleton: AnimSkeleton): SkinTables {
  requireObject(method, "desc", desc, "object");
  requireObject(method, "skeleton", skeleton, "AnimSkeleton");
  const vertexCount = vertexCountOf(method, desc);
  const influences = desc.influences ?? INFLUENCES;
  if (!(Number.isInteger(influences) && influences >= 1 && influences <= 8)) {
    throw new AnimArgumentError(`${method}: influences is ${show(influences)}, expected an integer 1..8.`, { found: influences });
  }
  for (const [name, list, each] of [["normals", desc.normals, 3], ["tangents", desc.tangents, 4], ["joints", desc.joints, influences], ["weights", desc.weights, influences]] as const) {
    if (list !== undefined && list.length !== vertexCount * each) {
      throw new AnimArgumentError(`${method}: ${name} has ${list.length} numbers for ${vertexCount} vertices, expected ${vertexCount * each} (${each} a vertex).`);
    }
  }
  for (const [name, list] of [["positions", desc.positions], ["normals", desc.normals], ["tangents", desc.tangents]] as const) requireNumbers(method, name, list);

  checkTargets(method, desc, vertexCount);
  checkIndices(method, desc.indices, vertexCount);
  const kept = matchJoints(method, desc, skeleton);
  const { joints, weights } = reduceInfluences(method, desc, vertexCount, influences, kept.indexOf);
  return { vertexCount, ...kept, joints, weights, ...sortByCount(joints, vertexCount) };
}

function checkTargets(method: string, desc: SkinDesc, vertexCount: number): void {
  for (const target of desc.targets ?? []) {
    for (const list of [target.positions, target.normals]) {
      if (list !== undefined && list.length !== vertexCount * 3) {
        throw new AnimArgumentError(`${method}: morph target ${show(target.name)} has ${list.length} numbers, expected ${vertexCount * 3}.`);
      }
      requireNumbers(method, `morph target ${show(target.name)}`, list);
    }
  }
}

function checkIndices(method: string, indices: ArrayLike<number> | undefined, vertexCount: number): void {
  if (indices === undefined) return;
  if (indices.length % 3 !== 0) throw new AnimArgumentError(`${method}: indices has ${indices.length} numbers, expected three a triangle.`);
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i]!;
    if (!(Number.isInteger(index) && index >= 0 && index < vertexCount)) {
      throw new AnimFormatError(`${method}: indices[${i}] is ${show(index)}, expected 0..${vertexCount - 1}.`, { found: index });
    }
  }
}

function vertexCountOf(method: string, desc: SkinDesc): number {
  for (const [name, list] of [["positions", desc.positions], ["joints", desc.joints], ["weights", desc.weights], ["jointNames", desc.jointNames], ["inverseBind", desc.inverseBind]] as const) {
    if (list === undefined || list === null || typeof list.length !== "number") {
      throw new AnimArgumentError(`${method}: ${name} is ${show(list)}, expected an array. A mesh without joints has no skin.`);
    }
  }
  const count = desc.positions.length / 3;
  if (!(Number.isInteger(count) && count > 0)) {
    throw new AnimArgumentError(`${method}: positions has ${desc.positions.length} numbers, expected 3 a vertex and one vertex at least.`);
  }
  return count;
}

function requireNumbers(method: string, name: string, list: ArrayLike<number> | undefined): void {
  if (list === undefined) return;
  for (let i = 0; i < list.length; i++) {
    if (!Number.isFinite(Math.fround(list[i]!))) throw new AnimFormatError(`${method}: ${name}[${i}] is ${show(list[i])}, expected finite numbers.`, { found: list[i] });
  }
}

function matchJoints(method: string, desc: SkinDesc, skeleton: AnimSkeleton): {
  bones: Int32Array; jointNames: string[]; unmatched: string[]; inverseBind: Float32Array; indexOf: Int16Array;
} {
  const count = desc.jointNames.length;
  if (desc.inverseBind.length !== count * 16) {
    throw new AnimFormatError(`${method}: inverseBind has ${desc.inverseBind.length} numbers for ${count} joints, expected ${count * 16}.`);
  }
  const bones: number[] = [], jointNames: string[] = [], unmatched: string[] = [], inverseBind: number[] = [];
  const indexOf = new Int16Array(count).fill(-1);
  for (let j = 0; j < count; j++) {
    const name = desc.jointNames[j]!, bone = skeleton.findBone(name);
    if (bone < 0) {
      unmatched.push(name);
      continue;
    }
    let size = 0;
    for (let e = 0; e < 16; e++) {
      const value = desc.inverseBind[j * 16 + e]!;
      if (!Number.isFinite(value)) throw new AnimFormatError(`${method}: element ${e} of the inverse bind matrix of joint "${name}" is ${show(value)}.`);
      size = Math.max(size, Math.abs(value));
      // The bottom row is 0 0 0 1 of any affine matrix; exporters leave rounding noise there.
      inverseBind.push(e % 4 === 3 ? (e === 15 ? 1 : 0) : value);
    }
    if (size === 0 || Math.abs(desc.inverseBind[j * 16 + 15]!) < 1e-6) {
      throw new AnimFormatError(`${method}: the inverse bind matrix of joint "${name}" (${j}) is singular. Export the skin with its bind pose.`);
    }
    indexOf[j] = bones.length;
    bones.push(bone);
    jointNames.push(name);
  }
  if (bones.length === 0) {
    throw new AnimMismatchError(
      `${method}: none of the ${count} joints (${desc.jointNames.slice(0, 5).map((n) => show(n)).join(", ")}${count > 5 ? ", …" : ""}) is a bone of the skeleton. Use the skeleton of the same model.`);
  }
  return { bones: Int32Array.from(bones), jointNames, unmatched, inverseBind: Float32Array.from(inverseBind), indexOf };
}

/**
 * The four largest influences of every vertex, largest first (ties: the joint of lower index first), of sum 1; entries of
 * one joint are added, weights below 0 count as 0.
 */
function reduceInfluences(
  method: string, desc: SkinDesc, vertexCount: number, influences: number, indexOf: Int16Array,
): { joints: Int16Array; weights: Float32Array } {
  const policy = desc.orphanPolicy ?? "bind";
  if (policy !== "bind" && policy !== "root" && policy !== "throw") {
    throw new AnimArgumentError(`${method}: orphanPolicy is ${show(policy)}, expected "bind", "root" or "throw".`, { found: policy });
  }
  const joints = new Int16Array(vertexCount * INFLUENCES).fill(-1), weights = new Float32Array(vertexCount * INFLUENCES);
  const found: { joint: number; weight: number }[] = [];
  for (let v = 0; v < vertexCount; v++) {
    found.length = 0;
    for (let k = 0; k < influences; k++) {
      const weight = desc.weights[v * influences + k]!, raw = desc.joints[v * influences + k]!;
      if (!Number.isFinite(weight)) throw new AnimFormatError(`${method}: weight ${k} of vertex ${v} is ${show(weight)}, expected a number.`);
      if (weight <= 0) continue;
      if (!(Number.isInteger(raw) && raw >= 0 && raw < indexOf.length)) {
        throw new AnimFormatError(`${method}: vertex ${v} names joint ${show(raw)}, expected 0..${indexOf.length - 1}.`, { found: raw });
      }
      const joint = indexOf[raw]!;
      if (joint < 0) continue;
      const same = found.find((f) => f.joint === joint);
      if (same === undefined) found.push({ joint, weight });
      else same.weight += weight;
    }
    if (found.length === 0) {
      if (policy === "throw") throw new AnimFormatError(`${method}: vertex ${v} has no weights. Use orphanPolicy "bind" or "root" to allow it.`);
      if (policy === "root") found.push({ joint: 0, weight: 1 });
    }
    found.sort((a, b) => b.weight - a.weight || a.joint - b.joint);
    const used = Math.min(INFLUENCES, found.length);
    let sum = 0;
    for (let k = 0; k < used; k++) sum += found[k]!.weight;
    for (let k = 0; k < used; k++) {
      joints[v * INFLUENCES + k] = found[k]!.joint;
      weights[v * INFLUENCES + k] = found[k]!.weight / sum;
    }
  }
  return { joints, weights };
}

function sortByCount(joints: Int16Array, vertexCount: number): { order: Uint32Array; starts: number[] } {
  const order = new Uint32Array(vertexCount), starts: number[] = [];
  let at = 0;
  for (let count = 0; count <= INFLUENCES; count++) {
    starts.push(at);
    for (let v = 0; v < vertexCount; v++) {
      let own = 0;
      while (own < INFLUENCES && joints[v * INFLUENCES + own]! >= 0) own++;
      if (own === count) order[at++] = v;
    }
  }
  starts.push(at);
  return { order, starts };
}
