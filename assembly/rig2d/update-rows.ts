/**
 * Rows of pose blocks as values of one lane (T = f32, M = i32) or of four (T = M = v128).
 *
 * Kernels that take a mask are never called with an empty one, so at one lane the mask is always set and is not looked at.
 */
import { max, min, splat } from "../math/lane";
import { ProgramField } from "../layout/rig2d";

/** Binary logarithm of the bytes of a row. */
@inline
export function rowShift<T>(): usize {
  return isVector<T>() ? 4 : 2;
}

/** Address of a row. */
@inline
export function rowAt<T>(pose: usize, row: i32): usize {
  return pose + (<usize>row << rowShift<T>());
}

@inline
export function get<T>(block: usize, row: i32): T {
  return load<T>(block + <usize>row * sizeof<T>());
}

@inline
export function put<T>(block: usize, row: i32, value: T): void {
  store<T>(block + <usize>row * sizeof<T>(), value);
}

/** Stores `value` in the lanes of the mask. */
@inline
export function putWhere<T, M>(block: usize, row: i32, value: T, mask: M): void {
  if (isVector<T>()) {
    const p = block + <usize>row * sizeof<T>();
    v128.store(p, v128.bitselect(value, v128.load(p), mask));
  } else {
    store<T>(block + <usize>row * sizeof<T>(), value);
  }
}

/** Values beyond this say nothing any more; cutting them off keeps squares and determinants within single precision. */
const LIMIT: f32 = 1e18;

/** A value cut off at 1e18 units; NaN becomes the limit. */
@inline
export function bounded<T>(value: T): T {
  return max<T>(min<T>(value, splat<T>(LIMIT)), splat<T>(-LIMIT));
}

/** Stores `value`, cut off, in the lanes of the mask. */
@inline
export function putBounded<T, M>(block: usize, row: i32, value: T, mask: M): void {
  putWhere<T, M>(block, row, bounded<T>(value), mask);
}

/** One lane of a value. */
@inline
export function laneOf<T>(value: T, lane: i32): f32 {
  if (isVector<T>()) {
    if (lane == 0) return f32x4.extract_lane(value, 0);
    if (lane == 1) return f32x4.extract_lane(value, 1);
    if (lane == 2) return f32x4.extract_lane(value, 2);
    return f32x4.extract_lane(value, 3);
  } else {
    return <f32>value;
  }
}

/** Entry of a table of i32. */
@inline
export function entry(table: usize, index: i32): i32 {
  return load<i32>(table + (<usize>index << 2));
}

/** Address of a table of the program. */
@inline
export function table(program: usize, field: i32): usize {
  return <usize>load<u32>(program + field);
}

/** Address of the applied pose of a bone. */
@inline
export function appliedBone<T>(program: usize, pose: usize, bone: i32): usize {
  return rowAt<T>(pose, entry(table(program, ProgramField.BONE_APPLIED), bone));
}

/** Address of the applied pose of a bone's parent, 0 for a root. */
@inline
export function appliedParent<T>(program: usize, pose: usize, bone: i32): usize {
  const parent = entry(table(program, ProgramField.PARENTS), bone);
  return parent < 0 ? 0 : appliedBone<T>(program, pose, parent);
}

/** All lanes. */
@inline
export function everyLane<M>(): M {
  if (isVector<M>()) { return i32x4.splat(-1); } else { return <M>-1; }
}

/** Angle brought to (-180, 180] by one turn at most. */
@inline
export function wrapDegrees<T, M>(degrees: T): T {
  return wrapOnce<T, M>(degrees, 180, 360);
}

/** Angle brought to [-pi, pi] by one turn at most. */
@inline
export function wrapRadians<T, M>(radians: T): T {
  if (isVector<T>()) {
    const high = f32x4.gt(radians, f32x4.splat(3.1415927)), low = f32x4.lt(radians, f32x4.splat(-3.1415927));
    const turn = v128.or(v128.and(high, f32x4.splat(6.2831855)), v128.and(low, f32x4.splat(-6.2831855)));
    return f32x4.sub(radians, turn);
  } else {
    if (<f32>radians > 3.1415927) return <T>(<f32>radians - 6.2831855);
    if (<f32>radians < -3.1415927) return <T>(<f32>radians - -6.2831855);
    return radians;
  }
}

@inline
function wrapOnce<T, M>(degrees: T, half: f32, full: f32): T {
  if (isVector<T>()) {
    const high = f32x4.gt(degrees, f32x4.splat(half)), low = f32x4.le(degrees, f32x4.splat(-half));
    const turn = v128.or(v128.and(high, f32x4.splat(full)), v128.and(low, f32x4.splat(-full)));
    return f32x4.sub(degrees, turn);
  } else {
    if (<f32>degrees > half) return <T>(<f32>degrees - full);
    if (<f32>degrees <= -half) return <T>(<f32>degrees + full);
    return degrees;
  }
}
