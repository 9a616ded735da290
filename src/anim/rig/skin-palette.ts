import { AnimArgumentError, AnimMismatchError, AnimStateError } from "../errors.js";
import { MATRIX_BYTES } from "../../../assembly/layout/rig3d.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { rig3d } from "../../wasm/rig3d.js";
import { takeBlock } from "./blocks.js";
import { disposed, requireIndex, requireObject, show } from "./checks.js";
import type { AnimPose } from "./pose.js";
import type { AnimSkeleton } from "./skeleton.js";
import { SkinBlocks } from "./skin-blocks.js";
import { buildSkin, INFLUENCES, type SkinDesc, type SkinTables } from "./skin-build.js";
import { SkinDual } from "./skin-dual.js";

/** Which result of a pose is up to date: the pose and its version. @internal */
export interface Tag {
  pose: AnimPose | undefined;
  version: number;
}

/** How the mesh of an `AnimSkin` hangs on its skeleton, and the palette of a pose. */
export class SkinPalette {
  readonly #skeleton: AnimSkeleton;
  readonly #paletteTag: Tag = { pose: undefined, version: -1 };
  #normalPalette = 0;
  #uniform = true;
  /** Whether the normal palette belongs to the palette. */
  #normalsFresh = false;
  /** Place in the skin's order of every vertex of the mesh. */
  #places: Uint32Array | undefined;
  readonly #indices: Uint32Array | undefined;
  /** @internal */ protected readonly tables: SkinTables;
  /** Data in linear memory. @internal */
  protected readonly blocks: SkinBlocks;
  /** @internal */ protected readonly dual: SkinDual;
  /** @internal */ protected readonly owned: number[] = [];
  /** @internal */ protected isDisposed = false;

  /** @internal */
  protected constructor(method: string, desc: SkinDesc, skeleton: AnimSkeleton) {
    this.tables = buildSkin(method, desc, skeleton);
    this.#skeleton = skeleton;
    this.#indices = desc.indices === undefined ? undefined : Uint32Array.from(desc.indices);
    this.dual = new SkinDual(this.owned, this.tables.bones.length, this.tables.vertexCount);
    skeleton.freeze(method);
    freeWhenCollected(this, this.owned);
    this.blocks = new SkinBlocks(this.tables, desc, this.owned);
  }

  getSkeleton(): AnimSkeleton { return this.#skeleton; }
  getVertexCount(): number { return this.tables.vertexCount; }
  /** Joints that are bones of the skeleton. */
  getBoneCount(): number { return this.tables.bones.length; }
  /** Influences stored a vertex: 4. */
  getInfluenceCount(): number { return INFLUENCES; }
  /** Names of joints that the skeleton lacks; their weights went to the others. */
  getUnmatchedJoints(): readonly string[] { return this.tables.unmatched; }
  /** Triangles as given, or undefined. */
  getIndices(): Uint32Array | undefined { return this.#indices; }

  getSkeletonBone(joint: number): number {
    this.#joint("getSkeletonBone", joint);
    return this.tables.bones[joint]!;
  }

  getSkinBoneName(joint: number): string {
    this.#joint("getSkinBoneName", joint);
    return this.tables.jointNames[joint]!;
  }

  /** @param element - 0..15, column-major */
  getInverseBindElement(joint: number, element: number): number {
    this.#joint("getInverseBindElement", joint);
    requireIndex("AnimSkin.getInverseBindElement", "element", element, 16);
    return this.tables.inverseBind[joint * 16 + element]!;
  }

  getBindPositionX(vertex: number): number { return this.#bindPosition("getBindPositionX", vertex, 0); }
  getBindPositionY(vertex: number): number { return this.#bindPosition("getBindPositionY", vertex, 1); }
  getBindPositionZ(vertex: number): number { return this.#bindPosition("getBindPositionZ", vertex, 2); }

  /** Skeleton bone of one of the four influences, -1 if there is none. */
  getVertexBone(vertex: number, influence: number): number {
    const joint = this.getVertexSkinJoint(vertex, influence);
    return joint < 0 ? -1 : this.tables.bones[joint]!;
  }

  /** Joint (index into the palette) of one of the four influences, -1 if there is none. */
  getVertexSkinJoint(vertex: number, influence: number): number {
    return this.tables.joints[this.#influence("getVertexSkinJoint", vertex, influence)]!;
  }

  getVertexWeight(vertex: number, influence: number): number {
    return this.tables.weights[this.#influence("getVertexWeight", vertex, influence)]!;
  }

  // ---- palette ----------------------------------------------------------------------------------------------------

  /**
   * palette[joint] = world[bone of the joint] x inverse bind. Computes the pose's world if it is stale; a second call for
   * an unchanged pose costs nothing.
   * @returns false without a pose
   * @throws AnimMismatchError if the pose has another bone count
   */
  updateMatrixPalette(pose: AnimPose): boolean {
    return this.updatePalette("updateMatrixPalette", pose);
  }

  getMatrixPaletteElement(joint: number, element: number): number {
    this.#joint("getMatrixPaletteElement", joint);
    requireIndex("AnimSkin.getMatrixPaletteElement", "element", element, 16);
    this.#requirePalette("getMatrixPaletteElement");
    return heap.f32[(this.blocks.palette >>> 2) + joint * 16 + element]!;
  }

  /** Copies the palette: 16 numbers a joint, column-major, or with `rows` the 12 of the three upper rows. */
  writePaletteTo(out: Float32Array, offset = 0, rows = false): void {
    this.#requirePalette("writePaletteTo");
    requireObject("AnimSkin.writePaletteTo", "out", out, "array");
    const joints = this.getBoneCount(), each = rows ? 12 : 16;
    if (!(Number.isInteger(offset) && offset >= 0 && out.length - offset >= joints * each)) {
      throw new AnimArgumentError(`AnimSkin.writePaletteTo: out has ${out.length} entries, expected ${joints * each} from offset ${show(offset)} on.`);
    }
    const f32 = heap.f32, from = this.blocks.palette >>> 2;
    if (!rows) {
      for (let i = 0; i < joints * 16; i++) out[offset + i] = f32[from + i]!;
      return;
    }
    for (let j = 0; j < joints; j++) {
      for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) out[offset + j * 12 + r * 4 + c] = f32[from + j * 16 + c * 4 + r]!;
    }
  }

  /** Address of the palette, of joints' bones and of inverse binds, for crowds and batches. @internal */
  get palettePtr(): number { return this.blocks.palette; }
  /** @internal */
  get bonesPtr(): number { return this.blocks.bones; }
  /** @internal */
  get inverseBindPtr(): number { return this.blocks.inverseBind; }

  /** Forgets whose palette it is, so that the next pose is computed anew. @internal */
  protected forgetPalette(): void { this.#paletteTag.pose = undefined; }

  /** @internal */
  protected updatePalette(method: string, pose: AnimPose): boolean {
    if (this.isDisposed) throw disposed(`AnimSkin.${method}`, "AnimSkin");
    if (pose === null || pose === undefined) return false;
    if (!(isTagged(this.#paletteTag, pose) && !pose.isGone)) requireObject(`AnimSkin.${method}`, "pose", pose, "AnimPose");
    if (pose.getBoneCount() !== this.#skeleton.getBoneCount()) {
      throw new AnimMismatchError(`AnimSkin.${method}: the pose has ${pose.getBoneCount()} bones, the skin's skeleton ${this.#skeleton.getBoneCount()}. Use a pose of that skeleton.`);
    }
    if (isTagged(this.#paletteTag, pose)) return true;
    pose.computeWorld(this.#skeleton);
    rig3d.kernels.composePalette(pose.worldPtr, this.blocks.bones, this.blocks.inverseBind, this.blocks.palette, this.getBoneCount());
    this.#normalsFresh = false;
    this.dual.compose(this.blocks.palette);
    tag(this.#paletteTag, pose);
    return true;
  }

  /** The palette that normals are turned by. @internal */
  protected normalMatrices(): number {
    if (!this.#normalsFresh) {
      const joints = this.getBoneCount();
      this.#uniform = rig3d.kernels.paletteIsUniform(this.blocks.palette, joints) === 1;
      if (!this.#uniform) {
        if (this.#normalPalette === 0) this.#normalPalette = takeBlock(this.owned, joints * MATRIX_BYTES);
        rig3d.kernels.composeNormalPalette(this.blocks.palette, this.#normalPalette, joints);
      }
      this.#normalsFresh = true;
    }
    return this.#uniform ? this.blocks.palette : this.#normalPalette;
  }

  #bindPosition(method: string, vertex: number, axis: number): number {
    requireIndex(`AnimSkin.${method}`, "vertex", vertex, this.tables.vertexCount);
    if (this.isDisposed) throw disposed(`AnimSkin.${method}`, "AnimSkin");
    const places = this.places;
    return heap.f32[(this.blocks.bindPositions >>> 2) + places[vertex]! * 4 + axis]!;
  }

  #influence(method: string, vertex: number, influence: number): number {
    requireIndex(`AnimSkin.${method}`, "vertex", vertex, this.tables.vertexCount);
    requireIndex(`AnimSkin.${method}`, "influence", influence, INFLUENCES);
    return vertex * INFLUENCES + influence;
  }

  #joint(method: string, joint: number): void {
    requireIndex(`AnimSkin.${method}`, "joint", joint, this.tables.bones.length);
  }

  #requirePalette(method: string): void {
    if (this.#paletteTag.pose === undefined) throw notUpdated(method, "updateMatrixPalette");
  }

  /** Place in the skin's order of every vertex of the mesh. @internal */
  protected get places(): Uint32Array { return (this.#places ??= invert(this.tables.order)); }
}

/** @internal */
export function tag(of: Tag, pose: AnimPose): void {
  of.pose = pose;
  of.version = pose.version;
}

/** @internal */
export function isTagged(by: Tag, pose: AnimPose): boolean {
  return by.pose === pose && by.version === pose.version;
}

/** @internal */
export function notUpdated(method: string, update: string): AnimStateError {
  return new AnimStateError(`AnimSkin.${method}: there is no result yet. Call ${update}(pose) first.`);
}

function invert(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) places[order[i]!] = i;
  return places;
}
