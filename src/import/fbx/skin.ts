import type { ModelSkin } from "../model/model-data.js";
import { mergeInfluences, type VertexInfluences } from "../model/influences.js";
import { invertAffine, multiply } from "../model/matrix.js";
import type { ReportBuilder } from "../model/report.js";
import type { FbxDocument, FbxId, FbxObject } from "./document.js";
import { arrayOf, contentError } from "./tree.js";

/** Influences per control point that are kept. */
const KEPT = 8;

/** A skin and, per control point, its joints and weights (eight slots, unused ones 0). */
export interface FbxSkin {
  skin: ModelSkin;
  joints: Uint16Array;
  weights: Float32Array;
  most: number;
}

/**
 * Reads the skin of a geometry; undefined when it has none.
 * @param meshWorld - the mesh node's rest place in the file's space and unit, for clusters that do not state it
 */
export function readSkin(document: FbxDocument, geometry: FbxObject, pointCount: number, nodeOf: ReadonlyMap<FbxId, number>, meshWorld: ArrayLike<number>, unit: number, report: ReportBuilder): FbxSkin | undefined {
  const skins = document.below(geometry.id, "Deformer").filter(({ object }) => object.type === "Skin");
  if (skins.length === 0) return undefined;
  const skin = skins[0]!.object;
  if (skins.length > 1) report.ignored(`geometry "${geometry.name.slice(0, 60)}": ${skins.length - 1} of ${skins.length} skins`);
  const clusters = document.below(skin.id, "Deformer").filter(({ object }) => object.type === "Cluster").map(({ object }) => object);
  const joints: number[] = [];
  const inverses: number[] = [];
  const slots = { joints: new Uint16Array(pointCount * KEPT), weights: new Float32Array(pointCount * KEPT) };
  const used = new Uint16Array(pointCount);
  let dropped = 0;
  for (const cluster of clusters) {
    const bone = document.below(cluster.id, "Model").map(({ object }) => nodeOf.get(object.id)).find((node) => node !== undefined);
    if (bone === undefined) {
      report.ignored(`cluster "${cluster.name.slice(0, 60)}": no bone hangs on it`);
      continue;
    }
    const joint = joints.push(bone) - 1;
    if (joint > 65535) throw contentError(document.file, "a skin has more than 65536 clusters");
    for (const v of inverseBindOf(document, cluster, meshWorld, unit)) inverses.push(v);
    const indices = arrayOf(cluster.node, "Indexes"), weights = arrayOf(cluster.node, "Weights");
    if ((indices?.length ?? 0) !== (weights?.length ?? 0)) throw contentError(document.file, `cluster "${cluster.name.slice(0, 60)}" has ${indices?.length ?? 0} indices and ${weights?.length ?? 0} weights`);
    for (let i = 0; i < (indices?.length ?? 0); i++) {
      const point = indices![i]!, weight = weights![i]!;
      if (!(Number.isInteger(point) && point >= 0 && point < pointCount)) throw contentError(document.file, `cluster "${cluster.name.slice(0, 60)}" names point ${point} of ${pointCount}`);
      if (!Number.isFinite(weight)) throw contentError(document.file, `cluster "${cluster.name.slice(0, 60)}" has the weight ${weight}`);
      if (weight > 0 && !insert(slots, used, point, joint, weight)) dropped++;
    }
  }
  if (joints.length === 0) return undefined;
  if (dropped > 0) report.repaired(`geometry "${geometry.name.slice(0, 60)}": ${dropped} of the smallest influences beyond ${KEPT} a vertex were dropped`);
  return {
    skin: { name: skin.name, joints, inverseBind: Float32Array.from(inverses) },
    ...slots,
    most: used.reduce((most, n) => Math.max(most, n), 0),
  };
}

/** Puts an influence into a free slot, or in the place of a smaller one. */
function insert({ joints, weights }: { joints: Uint16Array; weights: Float32Array }, used: Uint16Array, point: number, joint: number, weight: number): boolean {
  let slot = point * KEPT + used[point]!;
  if (used[point]! < KEPT) used[point]!++;
  else {
    slot = point * KEPT;
    for (let k = 1; k < KEPT; k++) if (weights[point * KEPT + k]! < weights[slot]!) slot = point * KEPT + k;
    if (weights[slot]! >= weight) return false;
    joints[slot] = joint;
    weights[slot] = weight;
    return false;
  }
  joints[slot] = joint;
  weights[slot] = weight;
  return true;
}

/** `Transform` as stored is inverse(TransformLink) · the mesh's place at bind time; without it that product is made. */
function inverseBindOf(document: FbxDocument, cluster: FbxObject, meshWorld: ArrayLike<number>, unit: number): number[] {
  const stored = arrayOf(cluster.node, "Transform");
  const link = arrayOf(cluster.node, "TransformLink");
  let matrix: ArrayLike<number>;
  if (stored?.length === 16) matrix = stored;
  else if (link?.length === 16) matrix = multiply(invertAffine(link), meshWorld);
  else throw contentError(document.file, `cluster "${cluster.name.slice(0, 60)}" has neither Transform nor TransformLink`);
  return Array.from(matrix, (v, i) => {
    if (!Number.isFinite(v)) throw contentError(document.file, `cluster "${cluster.name.slice(0, 60)}" has ${v} in its matrix`);
    return i >= 12 && i < 15 ? v * unit : v;
  });
}

/** Joints and weights of vertices from those of their control points. */
export function influencesOf({ joints, weights, most, skin }: FbxSkin, points: Uint32Array, fail: (problem: string) => never, report: (line: string) => void): VertexInfluences {
  const sets = most <= 4 ? [0] : [0, 1];
  return mergeInfluences(
    sets.map((set) => {
      const part = { joints: new Uint16Array(points.length * 4), weights: new Float32Array(points.length * 4) };
      points.forEach((point, v) => {
        for (let k = 0; k < 4; k++) {
          part.joints[v * 4 + k] = joints[point * KEPT + set * 4 + k]!;
          part.weights[v * 4 + k] = weights[point * KEPT + set * 4 + k]!;
        }
      });
      return part;
    }),
    points.length, skin.joints.length, fail, report,
  );
}
