/** Dual-quaternion skinning of one skin: its palette and what it mixes by. @internal */
import { AnimArgumentError } from "../errors.js";
import { MATRIX_BYTES, SKIN_INFLUENCE_BYTES, SKIN_VECTOR_BYTES } from "../../../assembly/layout/rig3d.js";
import { heap } from "../../wasm/heap.js";
import { rig3d } from "../../wasm/rig3d.js";
import { dropBlock, takeBlock } from "./blocks.js";
import { requireObject, requireShare, show } from "./checks.js";

/**
 * How vertices follow their joints. "linear" (the default) blends matrices; "dualQuaternion" keeps the volume of twisted wrists and
 * shoulders, at up to twice the cost, and bulges a little where joints bend; "blendedDualQuaternion" mixes the two by
 * a factor a vertex.
 */
export type SkinningMode = "linear" | "dualQuaternion" | "blendedDualQuaternion";

export class SkinDual {
  mode: SkinningMode = "linear";
  #palette = 0;
  #factors = 0;
  /** Whether the palette could be represented. */
  #fits = false;

  /** @param owned - blocks of the skin, which frees them */
  constructor(readonly owned: number[], readonly jointCount: number, readonly vertexCount: number) {}

  /** Whether results are not linear for the palette that was composed last. */
  get isUsed(): boolean { return this.mode !== "linear" && this.#fits; }
  /** Whether they are mixed into linear ones. */
  get isMixed(): boolean { return this.mode === "blendedDualQuaternion"; }

  setMode(mode: SkinningMode, factors: ArrayLike<number> | undefined): void {
    const method = "AnimSkin.setSkinningMode";
    if (mode !== "linear" && mode !== "dualQuaternion" && mode !== "blendedDualQuaternion") {
      throw new AnimArgumentError(`${method}: mode is ${show(mode)}, expected "linear", "dualQuaternion" or "blendedDualQuaternion".`, { found: mode });
    }
    if (mode === "blendedDualQuaternion" && (factors !== undefined || this.#factors === 0)) this.#takeFactors(method, factors);
    if (mode !== "linear" && this.#palette === 0) this.#palette = takeBlock(this.owned, this.jointCount * MATRIX_BYTES);
    this.mode = mode;
  }

  /** To be called for every new palette. */
  compose(palette: number): void {
    if (this.mode !== "linear") this.#fits = rig3d.kernels.composeDualPalette(palette, this.#palette, this.jointCount) === 1;
  }

  positions(place: number, positions: number, influences: number, count: number, first: number, vertices: number, out: number): void {
    rig3d.kernels.skinDualPositions(
      place + first * 4, positions + first * SKIN_VECTOR_BYTES, influences + first * SKIN_INFLUENCE_BYTES, count, this.#palette, this.isMixed ? this.#factors : 0, out, vertices);
  }

  normals(place: number, normals: number, influences: number, count: number, first: number, vertices: number, out: number): void {
    rig3d.kernels.skinDualNormals(
      place + first * 4, normals + first * SKIN_VECTOR_BYTES, influences + first * SKIN_INFLUENCE_BYTES, count, this.#palette, this.isMixed ? this.#factors : 0, out, vertices);
  }

  #takeFactors(method: string, factors: ArrayLike<number> | undefined): void {
    requireObject(method, "factors", factors, "array of one factor a vertex");
    if (factors!.length !== this.vertexCount) throw new AnimArgumentError(`${method}: ${factors!.length} factors were given, expected ${this.vertexCount}, one a vertex.`);
    for (let i = 0; i < this.vertexCount; i++) requireShare(method, `factors[${i}]`, factors![i]!);
    dropBlock(this.owned, this.#factors);
    this.#factors = takeBlock(this.owned, this.vertexCount * 4);
    for (let i = 0; i < this.vertexCount; i++) heap.f32[(this.#factors >>> 2) + i] = factors![i]!;
  }
}
