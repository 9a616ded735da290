/** What a character of a 3D crowd looks like, as arrays for a graphics card. @internal */
import type { AnimSkin } from "../../anim/rig/skin.js";
import { ArgumentError } from "../../errors.js";

/** One mesh of the characters; fits an entry of `ModelData.meshes`. */
export interface Crowd3DMesh {
  /** Index into `crowd.skins`. Default: the place of the mesh in the list. */
  readonly crowdSkin?: number | undefined;
  /** 3 a vertex: those that the skin was made of. */
  readonly positions: ArrayLike<number>;
  /** Triangles. */
  readonly indices: ArrayLike<number>;
  /** 3 a vertex. Default: computed from the triangles. */
  readonly normals?: ArrayLike<number> | undefined;
  /** 2 a vertex. */
  readonly uvs?: ArrayLike<number> | undefined;
  /** 4 a vertex, 0 .. 1 (linear). */
  readonly colors?: ArrayLike<number> | undefined;
}

/** Distances from the eye between which a mesh shows: from `near` to just below `far`. */
export interface Distances {
  readonly near: number;
  readonly far: number;
}

export interface FigureArrays {
  vertexCount: number;
  positions: Float32Array;
  normals: Float32Array;
  uvs: Float32Array;
  colors: Float32Array;
  /** 4 a vertex: joints in a palette row of the crowd. */
  joints: Uint16Array;
  /** 4 a vertex; a vertex without any follows the first joint. */
  weights: Float32Array;
  indices: Uint32Array;
}

/** @throws ArgumentError if mesh and skin do not fit */
export function figureArrays(mesh: Crowd3DMesh, skin: AnimSkin, firstJoint: number): FigureArrays {
  const vertexCount = mesh.positions.length / 3;
  if (vertexCount !== skin.getVertexCount()) {
    throw new ArgumentError(`A mesh of the crowd has ${vertexCount} vertices, its skin ${skin.getVertexCount()}. Give the mesh that the skin was made of.`);
  }
  for (const [name, list, each] of [["normals", mesh.normals, 3], ["uvs", mesh.uvs, 2], ["colors", mesh.colors, 4]] as const) {
    if (list !== undefined && list.length !== vertexCount * each) {
      throw new ArgumentError(`A mesh of the crowd has ${list.length} numbers in ${name}, expected ${vertexCount * each} (${each} a vertex).`);
    }
  }
  const indices = Uint32Array.from(mesh.indices);
  for (const index of indices) {
    if (index >= vertexCount) throw new ArgumentError(`A triangle of the crowd's mesh names vertex ${index}, there are ${vertexCount}.`);
  }
  const joints = new Uint16Array(vertexCount * 4), weights = new Float32Array(vertexCount * 4);
  for (let v = 0; v < vertexCount; v++) {
    let any = false;
    for (let k = 0; k < 4; k++) {
      const joint = skin.getVertexSkinJoint(v, k), weight = skin.getVertexWeight(v, k);
      joints[v * 4 + k] = firstJoint + Math.max(0, joint);
      weights[v * 4 + k] = joint < 0 ? 0 : weight;
      any ||= joint >= 0 && weight > 0;
    }
    if (!any) weights[v * 4] = 1;
  }
  const positions = Float32Array.from(mesh.positions);
  return {
    vertexCount, positions, normals: mesh.normals === undefined ? smoothNormals(positions, indices) : Float32Array.from(mesh.normals),
    uvs: mesh.uvs === undefined ? new Float32Array(vertexCount * 2) : Float32Array.from(mesh.uvs),
    colors: mesh.colors === undefined ? new Float32Array(vertexCount * 4).fill(1) : Float32Array.from(mesh.colors), joints, weights, indices,
  };
}

/** Sums of the triangles' normals, weighted by area; the shader normalises them. */
function smoothNormals(p: Float32Array, indices: Uint32Array): Float32Array {
  const out = new Float32Array(p.length);
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const [a, b, c] = [indices[i]! * 3, indices[i + 1]! * 3, indices[i + 2]! * 3] as const;
    const ux = p[b]! - p[a]!, uy = p[b + 1]! - p[a + 1]!, uz = p[b + 2]! - p[a + 2]!, vx = p[c]! - p[a]!, vy = p[c + 1]! - p[a + 1]!, vz = p[c + 2]! - p[a + 2]!;
    const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx] as const;
    for (const v of [a, b, c]) for (let k = 0; k < 3; k++) out[v + k]! += n[k]!;
  }
  return out;
}
