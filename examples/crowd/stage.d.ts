/** Where a crowd stands; arrays in painter's order, far to near. */
export interface PlacedCrowd {
  readonly count: number;
  /** Position in picture heights, y down from the top. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Picture heights per skeleton unit. */
  readonly scale: Float32Array;
  /** 0 the first row … 1 the horizon. */
  readonly depth: Float32Array;
  /** A random number 0 … 1. */
  readonly pick: Float32Array;
  readonly row: Int32Array;
}
export function placeCrowd(options: { count: number; aspect: number; characterHeight?: number; nearHeight?: number; seed?: number }): PlacedCrowd;
export function hazeAt(depth: number): number;
export const GROUND_SPEED: { readonly walk: number; readonly run: number };
export function actionOf(pick: number): "walk" | "run" | "idle" | "wave" | "jump";
