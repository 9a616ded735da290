/** How skins meet a renderer: minimal interfaces, vertex attributes, palettes of at most 128 matrices. */
import { AnimCapacityError, AnimMismatchError } from "../errors.js";
import { requireObject } from "./checks.js";
import type { AnimSkin } from "./skin.js";

/** Matrices of one draw. */
export const MAX_GPU_JOINTS = 128;

/** A mesh of the renderer. */
export interface SkinMeshLike {
  getVertexCount?(): number;
  /** Receives the palette: 16 numbers a joint, column-major. The array is reused. */
  setMeshPalette?(palette: Float32Array, jointCount: number): void;
}

/** The renderer; every member is optional. */
export interface SkinGraphicsLike {
  /** New positions and normals, 3 a vertex, valid until the skin's next update. */
  updateMeshVertices?(mesh: SkinMeshLike, positions: Float32Array, normals: Float32Array | undefined): void;
  /** Four joints and four weights a vertex, once. */
  setMeshSkinAttributes?(mesh: SkinMeshLike, joints: Uint8Array | Uint16Array, weights: Float32Array): void;
}

const palettes = new WeakMap<AnimSkin, Float32Array>();

/** Joints (-1 as 0) and weights of all vertices as attributes; a byte a joint while they fit. */
export function skinAttributes(skin: AnimSkin): { joints: Uint8Array | Uint16Array; weights: Float32Array } {
  const count = skin.getVertexCount();
  const joints = skin.getBoneCount() <= 256 ? new Uint8Array(count * 4) : new Uint16Array(count * 4);
  const weights = new Float32Array(count * 4);
  for (let v = 0; v < count; v++) {
    for (let k = 0; k < 4; k++) {
      joints[v * 4 + k] = Math.max(0, skin.getVertexSkinJoint(v, k));
      weights[v * 4 + k] = skin.getVertexWeight(v, k);
    }
  }
  return { joints, weights };
}

/** @internal */
export function bindSkin(gfx: SkinGraphicsLike, mesh: SkinMeshLike, skin: AnimSkin): void {
  requireObject("AnimSkin.bindGpuMesh", "gfx", gfx, "object");
  if (skin.getBoneCount() > MAX_GPU_JOINTS) {
    throw new AnimCapacityError(
      `AnimSkin.bindGpuMesh: the skin has ${skin.getBoneCount()} joints, a draw has ${MAX_GPU_JOINTS} matrices at most. Split it with splitForPalette(skin).`,
      { found: skin.getBoneCount(), supported: MAX_GPU_JOINTS });
  }
  const { joints, weights } = skinAttributes(skin);
  gfx.setMeshSkinAttributes?.(mesh, joints, weights);
}

/** @internal */
export function uploadPalette(mesh: SkinMeshLike, skin: AnimSkin): void {
  requireObject("AnimSkin.updateGpuMesh", "mesh", mesh, "object");
  let palette = palettes.get(skin);
  if (palette === undefined) {
    palette = new Float32Array(skin.getBoneCount() * 16);
    palettes.set(skin, palette);
  }
  skin.writePaletteTo(palette);
  mesh.setMeshPalette?.(palette, skin.getBoneCount());
}

/** @internal */
export function requireSameVertices(method: string, mesh: SkinMeshLike, skin: AnimSkin): void {
  requireObject(method, "mesh", mesh, "object");
  const count = mesh.getVertexCount?.();
  if (count !== undefined && count !== skin.getVertexCount()) {
    throw new AnimMismatchError(`${method}: the mesh has ${count} vertices, the skin ${skin.getVertexCount()}. Use the mesh of the same model and mesh index.`);
  }
}

/** One draw of a skin with more joints than a palette holds. */
export interface SkinDraw {
  /** Skin joints of the draw's palette, in its order. */
  readonly joints: readonly number[];
  /** Triangles of the draw. */
  readonly indices: Uint32Array;
}

/**
 * Parts the triangles of a skin into draws whose vertices name at most `limit` joints together. Greedy in the order of the
 * triangles, so neighbours stay together. A vertex may occur in several draws; its joint in a draw is
 * `draw.joints.indexOf(skin joint)`.
 * @throws AnimMismatchError if the skin was made without triangles
 */
export function splitForPalette(skin: AnimSkin, limit = MAX_GPU_JOINTS): SkinDraw[] {
  const indices = skin.getIndices();
  if (indices === undefined) throw new AnimMismatchError("splitForPalette: the skin has no triangles. Give fromArrays the indices.");
  if (!(Number.isInteger(limit) && limit >= 12)) {
    throw new AnimCapacityError(`splitForPalette: limit is ${limit}, expected an integer of 12 or more (three vertices of four joints).`, { found: limit });
  }
  const draws: { joints: Set<number>; indices: number[] }[] = [];
  for (let t = 0; t + 2 < indices.length; t += 3) {
    const needed = new Set<number>();
    for (let c = 0; c < 3; c++) {
      for (let k = 0; k < 4; k++) {
        const joint = skin.getVertexSkinJoint(indices[t + c]!, k);
        if (joint >= 0) needed.add(joint);
      }
    }
    let draw = draws.find((d) => {
      let extra = 0;
      for (const joint of needed) if (!d.joints.has(joint)) extra++;
      return d.joints.size + extra <= limit;
    });
    if (draw === undefined) draws.push((draw = { joints: new Set(), indices: [] }));
    for (const joint of needed) draw.joints.add(joint);
    draw.indices.push(indices[t]!, indices[t + 1]!, indices[t + 2]!);
  }
  return draws.map((d) => ({ joints: [...d.joints].toSorted((a, b) => a - b), indices: Uint32Array.from(d.indices) }));
}
