import { AnimArgumentError, AnimMismatchError } from "../errors.js";
import { SKIN_INFLUENCE_BYTES, SKIN_VECTOR_BYTES } from "../../../assembly/layout/rig3d.js";
import { heap } from "../../wasm/heap.js";
import { rig3d } from "../../wasm/rig3d.js";
import { dropAll, takeBlock } from "./blocks.js";
import { disposed, requireFinite, requireFinite3, requireIndex, requireLength, requireObject } from "./checks.js";
import type { AnimPose } from "./pose.js";
import { retire } from "./retire.js";
import type { AnimSkeleton } from "./skeleton.js";
import { SkinBounds } from "./skin-bounds.js";
import { INFLUENCES, type SkinDesc } from "./skin-build.js";
import { bindSkin, type SkinGraphicsLike, type SkinMeshLike, requireSameVertices, uploadPalette } from "./skin-gpu.js";
import { descOfModel, type SkinModel } from "./skin-model.js";
import type { SkinningMode } from "./skin-dual.js";
import { isTagged, notUpdated, SkinPalette, type Tag, tag } from "./skin-palette.js";
import { type SkinHit, SkinRaycaster } from "./skin-raycast.js";

const DIRECTION = /* @__PURE__ */ new Float64Array(3);

/**
 * A mesh bound to a skeleton: matrix palette, skinned positions, normals and tangents.
 *
 * Public vertex indices are the mesh's; joints are the skin's joints that are bones of the skeleton. The palette of a
 * pose is computed once, however many results ask for it. Owns its blocks; the arrays of the mesh were copied.
 */
export class AnimSkin extends SkinPalette {
  #outPositions = 0;
  #outNormals = 0;
  #outTangents = 0;
  readonly #positionsTag: Tag = { pose: undefined, version: -1 };
  readonly #normalsTag: Tag = { pose: undefined, version: -1 };
  #positionsValid = false;
  #normalsValid = false;
  #tangentsValid = false;
  readonly #views: (Float32Array | undefined)[] = [undefined, undefined, undefined];
  readonly #viewGenerations = [-1, -1, -1];
  /** Made when bounds are first asked for. */
  #bounds: SkinBounds | undefined;
  #caster: SkinRaycaster | undefined;

  /** @throws AnimArgumentError, AnimFormatError, AnimMismatchError (no joint is a bone of the skeleton) */
  static fromArrays(desc: SkinDesc, skeleton: AnimSkeleton): AnimSkin {
    return new AnimSkin("AnimSkin.fromArrays", desc, skeleton);
  }

  /**
   * The skin of one mesh (primitive) of an imported model; joints are matched to bones by name.
   * @throws AnimIndexError if there is no such mesh, AnimArgumentError if it has no joints
   */
  static fromModel(model: SkinModel, meshIndex: number, skeleton: AnimSkeleton): AnimSkin {
    return new AnimSkin("AnimSkin.fromModel", descOfModel(model, meshIndex), skeleton);
  }

  private constructor(method: string, desc: SkinDesc, skeleton: AnimSkeleton) { super(method, desc, skeleton); }

  // ---- skinning on the CPU ----------------------------------------------------------------------------------------

  /**
   * How vertices follow their joints; default "linear". A pose whose joints are stretched unevenly or mirrored is skinned linearly,
   * whatever the mode. Results must be updated again.
   * @param factors - for "blendedDualQuaternion": 0 (linear) .. 1 (dual quaternions) of every vertex; those given last are kept
   */
  setSkinningMode(mode: SkinningMode, factors?: ArrayLike<number>): void {
    if (this.isDisposed) throw disposed("AnimSkin.setSkinningMode", "AnimSkin");
    this.dual.setMode(mode, factors);
    this.forgetPalette();
    this.#positionsValid = this.#normalsValid = this.#tangentsValid = false;
  }

  getSkinningMode(): SkinningMode { return this.dual.mode; }

  /** Skins the positions of all vertices. @returns false without a pose; the results are then invalid */
  updateSkinnedPositions(pose: AnimPose): boolean {
    if (!this.updatePalette("updateSkinnedPositions", pose)) {
      this.#positionsValid = false;
      return false;
    }
    if (this.#positionsValid && isTagged(this.#positionsTag, pose)) return true;
    if (this.#outPositions === 0) this.#outPositions = takeBlock(this.owned, this.tables.vertexCount * 12);
    const { starts } = this.tables;
    const dual = this.dual;
    for (let count = 0; count <= INFLUENCES; count++) {
      const first = starts[count]!, vertices = starts[count + 1]! - first;
      if (vertices === 0) continue;
      if (!dual.isUsed || dual.isMixed) {
        rig3d.kernels.skinPositions(
          this.blocks.place + first * 4, this.blocks.positions + first * SKIN_VECTOR_BYTES, this.blocks.influences + first * SKIN_INFLUENCE_BYTES, count,
          this.blocks.palette, this.#outPositions, vertices);
      }
      if (dual.isUsed) dual.positions(this.blocks.place, this.blocks.positions, this.blocks.influences, count, first, vertices, this.#outPositions);
    }
    tag(this.#positionsTag, pose);
    this.#positionsValid = true;
    return true;
  }

  hasSkinnedPositions(): boolean { return this.#positionsValid; }
  getSkinnedPositionX(vertex: number): number { return this.#skinnedPosition("getSkinnedPositionX", vertex, 0); }
  getSkinnedPositionY(vertex: number): number { return this.#skinnedPosition("getSkinnedPositionY", vertex, 1); }
  getSkinnedPositionZ(vertex: number): number { return this.#skinnedPosition("getSkinnedPositionZ", vertex, 2); }

  /** Live view of the positions, 3 a vertex: the same object until memory grows, rewritten by each update. Read only. */
  getSkinnedPositions(): Float32Array {
    if (!this.#positionsValid) throw notUpdated("getSkinnedPositions", "updateSkinnedPositions");
    return this.#view(0, this.#outPositions, this.tables.vertexCount * 3);
  }

  /** Skins the normals. @returns false without a pose or if the mesh has no normals */
  updateSkinnedNormals(pose: AnimPose): boolean {
    if (this.blocks.bindNormals === 0 || !this.updatePalette("updateSkinnedNormals", pose)) {
      this.#normalsValid = false;
      return false;
    }
    if (this.#normalsValid && isTagged(this.#normalsTag, pose)) return true;
    if (this.#outNormals === 0) this.#outNormals = takeBlock(this.owned, this.tables.vertexCount * 12);
    const palette = this.normalMatrices();
    const { starts } = this.tables, dual = this.dual;
    for (let count = 0; count <= INFLUENCES; count++) {
      const first = starts[count]!, vertices = starts[count + 1]! - first;
      if (vertices === 0) continue;
      if (!dual.isUsed || dual.isMixed) {
        rig3d.kernels.skinNormals(
          this.blocks.place + first * 4, this.blocks.normals + first * SKIN_VECTOR_BYTES, this.blocks.influences + first * SKIN_INFLUENCE_BYTES, count,
          palette, this.#outNormals, vertices);
      }
      if (dual.isUsed) dual.normals(this.blocks.place, this.blocks.normals, this.blocks.influences, count, first, vertices, this.#outNormals);
    }
    tag(this.#normalsTag, pose);
    this.#normalsValid = true;
    return true;
  }

  hasSkinnedNormals(): boolean { return this.#normalsValid; }

  /** Live view of the unit normals, as `getSkinnedPositions`. */
  getSkinnedNormals(): Float32Array {
    if (!this.#normalsValid) throw notUpdated("getSkinnedNormals", "updateSkinnedNormals");
    return this.#view(1, this.#outNormals, this.tables.vertexCount * 3);
  }

  /** Skins the tangents (4 a vertex, perpendicular to the skinned normals). @returns false without tangents or normals */
  updateSkinnedTangents(pose: AnimPose): boolean {
    const ready = this.blocks.tangents !== 0 && this.updateSkinnedNormals(pose);
    this.#tangentsValid = ready;
    if (!ready) return false;
    if (this.#outTangents === 0) this.#outTangents = takeBlock(this.owned, this.tables.vertexCount * 16);
    const { starts } = this.tables;
    for (let count = 0; count <= INFLUENCES; count++) {
      const first = starts[count]!, vertices = starts[count + 1]! - first;
      if (vertices === 0) continue;
      rig3d.kernels.skinTangents(
        this.blocks.place + first * 4, this.blocks.tangents + first * SKIN_VECTOR_BYTES, this.blocks.influences + first * SKIN_INFLUENCE_BYTES, count,
        this.blocks.palette, this.#outNormals, this.#outTangents, vertices);
    }
    return true;
  }

  getSkinnedTangents(): Float32Array {
    if (!this.#tangentsValid) throw notUpdated("getSkinnedTangents", "updateSkinnedTangents");
    return this.#view(2, this.#outTangents, this.tables.vertexCount * 4);
  }

  // ---- morph targets ----------------------------------------------------------------------------------------------

  getMorphTargetCount(): number { return this.blocks.targetNames.length; }

  getMorphTargetName(target: number): string {
    requireIndex("AnimSkin.getMorphTargetName", "target", target, this.blocks.targetNames.length);
    return this.blocks.targetNames[target]!;
  }

  /** Weights of the morph targets, which are added before skinning; results must be updated again. */
  setMorphWeights(weights: ArrayLike<number>): void {
    const count = this.blocks.targetNames.length;
    requireObject("AnimSkin.setMorphWeights", "weights", weights, "array");
    if (weights.length !== count) {
      throw new AnimArgumentError(`AnimSkin.setMorphWeights: ${weights?.length} weights were given, expected ${count}.`);
    }
    for (let i = 0; i < count; i++) requireFinite("AnimSkin.setMorphWeights", `weights[${i}]`, weights[i]!);
    if (count === 0) return;
    for (let i = 0; i < count; i++) heap.f32[(this.blocks.morphWeights >>> 2) + i] = weights[i]!;
    const { vertexCount } = this.tables;
    if (this.blocks.positionDeltas !== 0) rig3d.kernels.morphVectors(this.blocks.bindPositions, this.blocks.positionDeltas, this.blocks.morphWeights, count, this.blocks.positions, vertexCount);
    if (this.blocks.normalDeltas !== 0) rig3d.kernels.morphVectors(this.blocks.bindNormals, this.blocks.normalDeltas, this.blocks.morphWeights, count, this.blocks.normals, vertexCount);
    this.#bounds?.forget();
    this.#positionsValid = false;
    this.#normalsValid = false;
    this.#tangentsValid = false;
  }

  // ---- renderers --------------------------------------------------------------------------------------------------

  /** Skins positions and normals and hands them to the renderer. @returns false without a pose */
  applyToMesh(gfx: SkinGraphicsLike, mesh: SkinMeshLike, pose: AnimPose): boolean {
    requireObject("AnimSkin.applyToMesh", "gfx", gfx, "object");
    requireSameVertices("AnimSkin.applyToMesh", mesh, this);
    if (!this.updateSkinnedPositions(pose)) return false;
    const normals = this.updateSkinnedNormals(pose) ? this.getSkinnedNormals() : undefined;
    gfx.updateMeshVertices?.(mesh, this.getSkinnedPositions(), normals);
    return true;
  }

  /** Once after the mesh was made: hands over joints and weights as vertex attributes. Vertices stay in the bind pose. */
  bindGpuMesh(gfx: SkinGraphicsLike, mesh: SkinMeshLike): void {
    requireSameVertices("AnimSkin.bindGpuMesh", mesh, this);
    bindSkin(gfx, mesh, this);
  }

  /** Every frame: hands over the palette of a pose, 128 matrices at most. @returns false without a pose */
  updateGpuMesh(mesh: SkinMeshLike, pose: AnimPose): boolean {
    if (!this.updatePalette("updateGpuMesh", pose)) return false;
    uploadPalette(mesh, this);
    return true;
  }

  /**
   * Bounds of the skinned mesh, conservative: the boxes of all joints' vertices, moved by the palette. O(joints).
   * @param out - receives min x y z, max x y z
   */
  computeBounds(pose: AnimPose, out: Float32Array | number[]): boolean {
    requireObject("AnimSkin.computeBounds", "out", out, "array");
    if (!this.updatePalette("computeBounds", pose)) return false;
    this.#measuredBounds().unite(this.blocks.palette, out);
    return true;
  }

  /**
   * The first triangle that a ray meets, from either side. Joints' boxes are tested first, and only the vertices behind them skinned;
   * with dual quaternions all vertices are. Allocates nothing after the first call.
   * @param origin - three numbers, model space; @param direction - three numbers, of any length but 0
   * @param out - what was hit; unchanged if nothing was
   * @param maxDistance - how far the ray reaches; default without end
   * @returns whether anything was hit; false without a pose
   * @throws AnimMismatchError if the skin was made without triangles
   */
  raycast(pose: AnimPose, origin: ArrayLike<number>, direction: ArrayLike<number>, out: SkinHit, maxDistance = Infinity): boolean {
    const method = "AnimSkin.raycast";
    requireObject(method, "origin", origin, "array of three numbers");
    requireObject(method, "direction", direction, "array of three numbers");
    requireObject(method, "out", out, "object");
    requireFinite3(method, "the origin", origin[0]!, origin[1]!, origin[2]!);
    requireFinite3(method, "the direction", direction[0]!, direction[1]!, direction[2]!);
    if (maxDistance !== Infinity) requireLength(method, "maxDistance", maxDistance);
    const length = Math.sqrt(direction[0]! ** 2 + direction[1]! ** 2 + direction[2]! ** 2);
    if (length < 1e-20) throw new AnimArgumentError(`${method}: the direction has no length.`);
    const indices = this.getIndices();
    if (indices === undefined) throw new AnimMismatchError(`${method}: the skin has no triangles. Give fromArrays the indices.`);
    if (!this.updatePalette("raycast", pose)) return false;
    const caster = (this.#caster ??= new SkinRaycaster(this.tables, indices, this.places));
    for (let k = 0; k < 3; k++) DIRECTION[k] = direction[k]! / length;
    if (this.dual.isUsed) this.updateSkinnedPositions(pose);
    return caster.cast(origin, DIRECTION, maxDistance, this.#measuredBounds(), this.blocks.palette, this.blocks.positions, this.dual.isUsed ? this.#outPositions : 0, out);
  }

  /** Frees the blocks. Safe to call twice. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.#positionsValid = this.#normalsValid = this.#tangentsValid = false;
    this.forgetPalette();
    dropAll(this, this.owned);
    retire(this, "AnimSkin");
  }

  #measuredBounds(): SkinBounds {
    const bounds = (this.#bounds ??= new SkinBounds(this.tables));
    bounds.measure(this.blocks.positions);
    return bounds;
  }

  #view(slot: number, ptr: number, length: number): Float32Array {
    if (this.#viewGenerations[slot] !== heap.generation || this.#views[slot]!.byteOffset !== ptr) {
      this.#views[slot] = heap.f32.subarray(ptr >>> 2, (ptr >>> 2) + length);
      this.#viewGenerations[slot] = heap.generation;
    }
    return this.#views[slot]!;
  }

  #skinnedPosition(method: string, vertex: number, axis: number): number {
    requireIndex(`AnimSkin.${method}`, "vertex", vertex, this.tables.vertexCount);
    if (!this.#positionsValid) throw notUpdated(method, "updateSkinnedPositions");
    return heap.f32[(this.#outPositions >>> 2) + vertex * 3 + axis]!;
  }
}
