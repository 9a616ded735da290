/** A pair of numbers; `[x, y]` and typed arrays are accepted where one is taken. */
export interface Vec2 {
  x: number;
  y: number;
}

/** Three numbers; `[x, y, z]` and typed arrays are accepted where one is taken. */
export interface Vec3 extends Vec2 {
  z: number;
}

/** Straight colour, usually 0..1, not clamped. */
export interface MotionColor {
  r: number;
  g: number;
  b: number;
  a: number;
}

/** A rotation; any length above 1e-12, normalised when it is taken. */
export interface MotionQuat extends Vec3 {
  w: number;
}

/** What a motion can carry. */
export type MotionValue = number | Vec2 | Vec3 | MotionColor | MotionQuat;
/** The form in which a value may be given. */
export type MotionInput<V> = V | (V extends number ? never : ArrayLike<number>);

/** Loop modes by name. */
export type LoopModeName = "restart" | "yoyo" | "flip" | "incremental";
/** The loop modes. */
export const MotionLoopMode = { Restart: "restart", Yoyo: "yoyo", Flip: "flip", Incremental: "incremental" } as const;
/** Whether a delay comes once or before each loop. */
export type DelayType = "first" | "every";

/** Value types, in the order of their stores. @internal */
export const enum ValueType {
  Float = 0,
  Vec2 = 1,
  Vec3 = 2,
  Color = 3,
  Quat = 4,
}

/** Whether components come by number, not by name. @internal */
export function isList(value: unknown): value is ArrayLike<number> {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

/** Components of a value type. @internal */
export function componentsOf(type: ValueType): number {
  return type < ValueType.Color ? type + 1 : 4;
}

/** Property names of the components of a value type. @internal */
export function namesOf(type: ValueType): string {
  return type === ValueType.Color ? "rgba" : "xyzw";
}
