/** Boxes of what every joint of a skin moves, and from them bounds of the skinned mesh. @internal */
import { heap } from "../../wasm/heap.js";
import { INFLUENCES, type SkinTables } from "./skin-build.js";

/** Influences up to this do not enlarge a joint's box. */
const LITTLE = 0.01;

/** Boxes in the bind pose, six numbers each: min x y z, max x y z; min above max where there is nothing. */
export class SkinBounds {
  readonly joints: Float64Array;
  /** Of the vertices that follow no joint. */
  readonly orphans = new Float64Array(6);
  readonly #moved: Float64Array;
  #measured = false;

  constructor(readonly tables: SkinTables) {
    this.joints = new Float64Array(tables.bones.length * 6);
    this.#moved = new Float64Array(tables.bones.length * 6);
  }

  /** Vertices have moved in the bind pose (morph targets). */
  forget(): void {
    this.#measured = false;
  }

  /** @param positions - address of the vertices in the skin's order, four numbers each */
  measure(positions: number): void {
    if (this.#measured) return;
    this.#measured = true;
    const { vertexCount, order, joints, weights } = this.tables;
    for (const boxes of [this.joints, this.orphans]) for (let i = 0; i < boxes.length; i++) boxes[i] = i % 6 < 3 ? Infinity : -Infinity;
    for (let i = 0; i < vertexCount; i++) {
      const from = order[i]! * INFLUENCES, at = (positions >>> 2) + i * 4;
      if (joints[from]! < 0) grow(this.orphans, 0, at);
      for (let k = 0; k < INFLUENCES; k++) if (joints[from + k]! >= 0 && weights[from + k]! > LITTLE) grow(this.joints, joints[from + k]! * 6, at);
    }
  }

  /** The boxes of the joints as a palette moves them, six numbers each; empty ones stay empty. */
  moveBoxes(palette: number, out: Float64Array): void {
    const { joints } = this, f32 = heap.f32;
    for (let box = 0, m = palette >>> 2; box < joints.length; box += 6, m += 16) {
      if (joints[box]! > joints[box + 3]!) {
        for (let k = 0; k < 6; k++) out[box + k] = k < 3 ? Infinity : -Infinity;
        continue;
      }
      for (let row = 0; row < 3; row++) {
        let low = f32[m + 12 + row]!, high = low;
        for (let axis = 0; axis < 3; axis++) {
          const a = f32[m + axis * 4 + row]! * joints[box + axis]!, b = f32[m + axis * 4 + row]! * joints[box + 3 + axis]!;
          low += Math.min(a, b);
          high += Math.max(a, b);
        }
        out[box + row] = low;
        out[box + 3 + row] = high;
      }
    }
  }

  /** The boxes moved by a palette, united. */
  unite(palette: number, out: Float32Array | number[]): void {
    const { orphans } = this, moved = this.#moved;
    this.moveBoxes(palette, moved);
    for (let i = 0; i < 6; i++) out[i] = orphans[i]!;
    for (let box = 0; box < moved.length; box += 6) {
      for (let row = 0; row < 3; row++) {
        out[row] = Math.min(out[row]!, moved[box + row]!);
        out[3 + row] = Math.max(out[3 + row]!, moved[box + 3 + row]!);
      }
    }
  }
}

/** Takes the point at f32[at] into a box. */
function grow(boxes: Float64Array, box: number, at: number): void {
  const f32 = heap.f32;
  for (let k = 0; k < 3; k++) {
    const value = f32[at + k]!;
    boxes[box + k] = Math.min(boxes[box + k]!, value);
    boxes[box + 3 + k] = Math.max(boxes[box + 3 + k]!, value);
  }
}
