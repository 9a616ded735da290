/** What a skin keeps in linear memory: joints, vertices in the skin's order, morph targets. @internal */
import { MATRIX_BYTES, SKIN_INFLUENCE_BYTES, SKIN_VECTOR_BYTES, SKIN_WEIGHTS } from "../../../assembly/layout/rig3d.js";
import { heap } from "../../wasm/heap.js";
import { takeBlock } from "./blocks.js";
import { INFLUENCES, type SkinDesc, type SkinTables } from "./skin-build.js";

/** Addresses of blocks, see layout/rig3d.ts; 0 where the mesh has no such data. */
export class SkinBlocks {
  bones = 0;
  inverseBind = 0;
  palette = 0;
  place = 0;
  influences = 0;
  bindPositions = 0;
  bindNormals = 0;
  tangents = 0;
  /** With morph targets added; else the bind ones. */
  positions = 0;
  normals = 0;
  morphWeights = 0;
  positionDeltas = 0;
  normalDeltas = 0;
  readonly targetNames: string[] = [];

  /** @param owned - the skin's, which frees them */
  constructor(readonly tables: SkinTables, desc: SkinDesc, readonly owned: number[]) {
    this.#writeJoints();
    this.#writeVertices(desc);
    this.#writeTargets(desc);
  }

  #writeJoints(): void {
    const { bones, inverseBind } = this.tables;
    this.bones = takeBlock(this.owned, bones.length * 4);
    this.inverseBind = takeBlock(this.owned, bones.length * MATRIX_BYTES);
    this.palette = takeBlock(this.owned, bones.length * MATRIX_BYTES);
    heap.i32.set(bones, this.bones >>> 2);
    heap.f32.set(inverseBind, this.inverseBind >>> 2);
  }

  #writeVertices(desc: SkinDesc): void {
    const { vertexCount, order, joints, weights } = this.tables;
    this.place = takeBlock(this.owned, vertexCount * 4);
    this.influences = takeBlock(this.owned, vertexCount * SKIN_INFLUENCE_BYTES);
    this.bindPositions = this.positions = this.#sorted(desc.positions, 3);
    if (desc.normals !== undefined) this.bindNormals = this.normals = this.#sorted(desc.normals, 3);
    if (desc.tangents !== undefined) this.tangents = this.#sorted(desc.tangents, 4);
    heap.u32.set(order, this.place >>> 2);
    for (let i = 0; i < vertexCount; i++) {
      const from = order[i]! * INFLUENCES, at = this.influences + i * SKIN_INFLUENCE_BYTES;
      for (let k = 0; k < INFLUENCES; k++) {
        heap.u16[(at >>> 1) + k] = Math.max(0, joints[from + k]!) * MATRIX_BYTES;
        heap.f32[((at + SKIN_WEIGHTS) >>> 2) + k] = weights[from + k]!;
      }
    }
  }

  #writeTargets(desc: SkinDesc): void {
    const targets = desc.targets ?? [], { vertexCount } = this.tables;
    if (targets.length === 0) return;
    for (const { name } of targets) this.targetNames.push(name);
    this.morphWeights = takeBlock(this.owned, targets.length * 4);
    const bytes = vertexCount * SKIN_VECTOR_BYTES;
    this.positionDeltas = this.#deltas(targets.map((t) => t.positions));
    this.positions = takeBlock(this.owned, bytes);
    heap.u8.copyWithin(this.positions, this.bindPositions, this.bindPositions + bytes);
    if (this.bindNormals === 0) return;
    this.normalDeltas = this.#deltas(targets.map((t) => t.normals));
    this.normals = takeBlock(this.owned, bytes);
    heap.u8.copyWithin(this.normals, this.bindNormals, this.bindNormals + bytes);
  }

  #deltas(lists: readonly (ArrayLike<number> | undefined)[]): number {
    const { order, vertexCount } = this.tables;
    const ptr = takeBlock(this.owned, lists.length * vertexCount * SKIN_VECTOR_BYTES);
    lists.forEach((list, t) => {
      if (list === undefined) return;
      for (let i = 0; i < vertexCount; i++) {
        for (let k = 0; k < 3; k++) heap.f32[(ptr >>> 2) + (t * vertexCount + i) * 4 + k] = list[order[i]! * 3 + k]!;
      }
    });
    return ptr;
  }

  #sorted(list: ArrayLike<number>, each: number): number {
    const { order } = this.tables;
    const ptr = takeBlock(this.owned, order.length * SKIN_VECTOR_BYTES);
    for (let i = 0; i < order.length; i++) {
      for (let k = 0; k < each; k++) heap.f32[(ptr >>> 2) + i * 4 + k] = list[order[i]! * each + k]!;
    }
    return ptr;
  }
}
