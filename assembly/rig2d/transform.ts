/**
 * Transform constraints: properties of a source bone drive properties of constrained bones.
 *
 * Layout   record: TransformField and its list of properties; rows of layout/rig2d.ts.
 * Requires the source is valid in the space it is read in; world targets are valid.
 * Ensures  local or world values of the constrained bones in the lanes where a mix is not 0. Finite: on an axis of skeleton
 *          scale 0 source values are 0.
 * Source   value = offset + (read - from.offset) scale, clamped if the constraint clamps, then mixed or added.
 */
import {
  add, anyTrue, divideOrZero, eq, keepWhere, lt, maskAnd, maskNot, max, min, mul, mulAdd, negateWhere, select, splat, sub,
} from "../math/lane";
import { angleOf, cosOfRadians, lengthOf, sinOfRadians } from "./update-angles";
import { BoneRow, HeaderRow, TransformRow } from "../layout/rig2d";
import { FROM_BYTES, TO_BYTES, TransformField, TransformProperty } from "../layout/update";
import { appliedBone, bounded, get, putBounded, rowAt, wrapRadians } from "./update-rows";
import { modifyLocal, modifyWorld, validateLocal } from "./tags";

const RADIANS_TO_DEGREES: f32 = 57.29577951308232;
const DEGREES_TO_RADIANS: f32 = 0.017453292519943295;

/** A transform constraint. `operands` points at: record, constraint row, source bone, then `count` constrained bones. */
export function solveTransform<T, M>(program: usize, pose: usize, operands: usize, count: i32): void {
  const record = <usize>load<u32>(operands);
  const constraint = rowAt<T>(pose, load<i32>(operands, 4));
  const zero = splat<T>(0);
  let idle = eq<T, M>(get<T>(constraint, TransformRow.MIX_ROTATE), zero);
  for (let row = <i32>TransformRow.MIX_X; row <= TransformRow.MIX_SHEAR_Y; row++) {
    idle = maskAnd<M>(idle, eq<T, M>(get<T>(constraint, row), zero));
  }
  const mask = maskNot<M>(idle);
  if (!anyTrue<M>(mask)) return;

  const sourceIndex = load<i32>(operands, 8);
  const source = appliedBone<T>(program, pose, sourceIndex);
  const localSource = load<i32>(record, TransformField.LOCAL_SOURCE) != 0;
  const localTarget = load<i32>(record, TransformField.LOCAL_TARGET) != 0;
  const additive = load<i32>(record, TransformField.ADDITIVE) != 0;
  const clamps = load<i32>(record, TransformField.CLAMP) != 0;
  const fromCount = load<i32>(record, TransformField.COUNT);
  if (localSource) validateLocal<T, M>(program, pose, source, sourceIndex, mask);

  for (let i = 0; i < count; i++) {
    const index = load<i32>(operands + (<usize>i << 2), 12);
    const bone = appliedBone<T>(program, pose, index);
    if (localTarget) {
      modifyLocal<T, M>(program, pose, bone, index, mask);
    } else {
      modifyWorld<T, M>(program, pose, bone, index, mask);
    }
    let at = record + TransformField.PROPERTIES;
    for (let f = 0; f < fromCount; f++) {
      const read = readProperty<T, M>(pose, source, load<i32>(at), localSource, record + TransformField.OFFSETS);
      const value = bounded<T>(sub<T>(read, splat<T>(load<f32>(at, 4))));
      const toCount = load<i32>(at, 8);
      at += FROM_BYTES;
      for (let t = 0; t < toCount; t++, at += TO_BYTES) {
        const property = load<i32>(at);
        const mix = get<T>(constraint, property);
        const writes = maskNot<M>(eq<T, M>(mix, zero));
        if (!anyTrue<M>(writes)) continue;
        let result = add<T>(splat<T>(load<f32>(at, 4)), mul<T>(value, splat<T>(load<f32>(at, 8))));
        if (clamps) result = max<T>(splat<T>(load<f32>(at, 12)), min<T>(splat<T>(load<f32>(at, 16)), result));
        if (localTarget) {
          writeLocal<T, M>(bone, property, result, mix, additive, writes);
        } else {
          writeWorld<T, M>(pose, bone, property, result, mix, additive, writes);
        }
      }
    }
  }
}

/** Reads a property of a bone in local or world space; `offsets` points at six f32 in the order of TransformProperty. */
@inline
function readProperty<T, M>(pose: usize, bone: usize, property: i32, local: bool, offsets: usize): T {
  return readPropertyAt<T, M>(
    pose, bone, property, local, load<f32>(offsets + (<usize>property << 2)), load<f32>(offsets, 4), load<f32>(offsets, 8));
}

/**
 * Reads a property of a bone in local or world space and adds `own`; the point that world x and y are read at lies at
 * (x, y) in the bone.
 */
export function readPropertyAt<T, M>(pose: usize, bone: usize, property: i32, local: bool, own: f32, x: f32, y: f32): T {
  const offset = splat<T>(own);
  if (local) {
    switch (property) {
      case TransformProperty.ROTATE: return add<T>(get<T>(bone, BoneRow.ROTATION), offset);
      case TransformProperty.X: return add<T>(get<T>(bone, BoneRow.X), offset);
      case TransformProperty.Y: return add<T>(get<T>(bone, BoneRow.Y), offset);
      case TransformProperty.SCALE_X: return add<T>(get<T>(bone, BoneRow.SCALE_X), offset);
      case TransformProperty.SCALE_Y: return add<T>(get<T>(bone, BoneRow.SCALE_Y), offset);
      default: return add<T>(get<T>(bone, BoneRow.SHEAR_Y), offset);
    }
  }
  const zero = splat<T>(0), degrees = splat<T>(RADIANS_TO_DEGREES);
  const sx = get<T>(pose, HeaderRow.SCALE_X), sy = get<T>(pose, HeaderRow.SCALE_Y);
  const a = get<T>(bone, BoneRow.A), b = get<T>(bone, BoneRow.B);
  const c = get<T>(bone, BoneRow.C), d = get<T>(bone, BoneRow.D);
  switch (property) {
    case TransformProperty.ROTATE: {
      const angle = mul<T>(angleOf<T, M>(divideOrZero<T, M>(c, sy), divideOrZero<T, M>(a, sx)), degrees);
      const det = mul<T>(mul<T>(sub<T>(mul<T>(a, d), mul<T>(b, c)), sx), sy);
      const value = add<T>(angle, negateWhere<T, M>(offset, maskNot<M>(lt<T, M>(zero, det))));
      return add<T>(value, keepWhere<T, M>(splat<T>(360), lt<T, M>(value, zero)));
    }
    case TransformProperty.X: {
      const ox = splat<T>(x), oy = splat<T>(y);
      return divideOrZero<T, M>(add<T>(add<T>(mul<T>(ox, a), mul<T>(oy, b)), get<T>(bone, BoneRow.WORLD_X)), sx);
    }
    case TransformProperty.Y: {
      const ox = splat<T>(x), oy = splat<T>(y);
      return divideOrZero<T, M>(add<T>(add<T>(mul<T>(ox, c), mul<T>(oy, d)), get<T>(bone, BoneRow.WORLD_Y)), sy);
    }
    case TransformProperty.SCALE_X:
      return add<T>(lengthOf<T, M>(divideOrZero<T, M>(a, sx), divideOrZero<T, M>(c, sy)), offset);
    case TransformProperty.SCALE_Y:
      return add<T>(lengthOf<T, M>(divideOrZero<T, M>(b, sx), divideOrZero<T, M>(d, sy)), offset);
    default: {
      const angleX = angleOf<T, M>(divideOrZero<T, M>(c, sy), divideOrZero<T, M>(a, sx));
      const angleY = angleOf<T, M>(divideOrZero<T, M>(d, sy), divideOrZero<T, M>(b, sx));
      return add<T>(sub<T>(mul<T>(sub<T>(angleY, angleX), degrees), splat<T>(90)), offset);
    }
  }
}

/** Mixes a value into a local property of a bone, or adds it. */
export function writeLocal<T, M>(bone: usize, property: i32, value: T, mix: T, additive: bool, mask: M): void {
  let row = <i32>BoneRow.ROTATION;
  if (property == TransformProperty.X) row = BoneRow.X;
  else if (property == TransformProperty.Y) row = BoneRow.Y;
  else if (property == TransformProperty.SCALE_X) row = BoneRow.SCALE_X;
  else if (property == TransformProperty.SCALE_Y) row = BoneRow.SCALE_Y;
  else if (property == TransformProperty.SHEAR_Y) row = BoneRow.SHEAR_Y;
  const current = get<T>(bone, row);
  const isScale = property == TransformProperty.SCALE_X || property == TransformProperty.SCALE_Y;
  if (isScale && additive) {
    putBounded<T, M>(bone, row, mul<T>(current, mulAdd<T>(sub<T>(value, splat<T>(1)), mix, splat<T>(1))), mask);
  } else if (additive) {
    putBounded<T, M>(bone, row, mulAdd<T>(value, mix, current), mask);
  } else if (isScale) {
    const moved = mulAdd<T>(sub<T>(value, current), mix, current);
    putBounded<T, M>(bone, row, select<T, M>(current, moved, eq<T, M>(current, splat<T>(0))), mask);
  } else {
    putBounded<T, M>(bone, row, mulAdd<T>(sub<T>(value, current), mix, current), mask);
  }
}

/** Mixes a value into a world property of a bone, or adds it. */
export function writeWorld<T, M>(
  pose: usize, bone: usize, property: i32, value: T, mix: T, additive: bool, mask: M,
): void {
  const radians = splat<T>(DEGREES_TO_RADIANS);
  const sx = get<T>(pose, HeaderRow.SCALE_X), sy = get<T>(pose, HeaderRow.SCALE_Y);
  switch (property) {
    case TransformProperty.ROTATE: {
      const a = divideOrZero<T, M>(get<T>(bone, BoneRow.A), sx), b = divideOrZero<T, M>(get<T>(bone, BoneRow.B), sx);
      const c = divideOrZero<T, M>(get<T>(bone, BoneRow.C), sy), d = divideOrZero<T, M>(get<T>(bone, BoneRow.D), sy);
      let turn = mul<T>(value, radians);
      if (!additive) turn = sub<T>(turn, angleOf<T, M>(c, a));
      turn = mul<T>(wrapRadians<T, M>(turn), mix);
      const cosine = cosOfRadians<T>(turn), sine = sinOfRadians<T>(turn);
      putBounded<T, M>(bone, BoneRow.A, mul<T>(sub<T>(mul<T>(cosine, a), mul<T>(sine, c)), sx), mask);
      putBounded<T, M>(bone, BoneRow.B, mul<T>(sub<T>(mul<T>(cosine, b), mul<T>(sine, d)), sx), mask);
      putBounded<T, M>(bone, BoneRow.C, mul<T>(add<T>(mul<T>(sine, a), mul<T>(cosine, c)), sy), mask);
      putBounded<T, M>(bone, BoneRow.D, mul<T>(add<T>(mul<T>(sine, b), mul<T>(cosine, d)), sy), mask);
      return;
    }
    case TransformProperty.X:
      moveWorld<T, M>(bone, BoneRow.WORLD_X, value, mix, sx, additive, mask);
      return;
    case TransformProperty.Y:
      moveWorld<T, M>(bone, BoneRow.WORLD_Y, value, mix, sy, additive, mask);
      return;
    case TransformProperty.SCALE_X:
      scaleColumn<T, M>(bone, BoneRow.A, BoneRow.C, value, mix, sx, sy, additive, mask);
      return;
    case TransformProperty.SCALE_Y:
      scaleColumn<T, M>(bone, BoneRow.B, BoneRow.D, value, mix, sx, sy, additive, mask);
      return;
    default: {
      const b = divideOrZero<T, M>(get<T>(bone, BoneRow.B), sx), d = divideOrZero<T, M>(get<T>(bone, BoneRow.D), sy);
      const angle = angleOf<T, M>(d, b);
      const quarter = splat<T>(1.5707963267948966);
      let turn = mul<T>(add<T>(value, splat<T>(90)), radians);
      if (additive) {
        turn = sub<T>(turn, quarter);
      } else {
        const a = divideOrZero<T, M>(get<T>(bone, BoneRow.A), sx), c = divideOrZero<T, M>(get<T>(bone, BoneRow.C), sy);
        turn = wrapRadians<T, M>(sub<T>(turn, sub<T>(angle, angleOf<T, M>(c, a))));
      }
      const result = mulAdd<T>(turn, mix, angle), length = lengthOf<T, M>(b, d);
      putBounded<T, M>(bone, BoneRow.B, mul<T>(mul<T>(length, cosOfRadians<T>(result)), sx), mask);
      putBounded<T, M>(bone, BoneRow.D, mul<T>(mul<T>(length, sinOfRadians<T>(result)), sy), mask);
    }
  }
}

@inline
function moveWorld<T, M>(bone: usize, row: i32, value: T, mix: T, scale: T, additive: bool, mask: M): void {
  const world = get<T>(bone, row);
  const by = additive ? value : sub<T>(value, divideOrZero<T, M>(world, scale));
  putBounded<T, M>(bone, row, mulAdd<T>(mul<T>(by, mix), scale, world), mask);
}

@inline
function scaleColumn<T, M>(
  bone: usize, xRow: i32, yRow: i32, value: T, mix: T, sx: T, sy: T, additive: bool, mask: M,
): void {
  const one = splat<T>(1);
  const x = get<T>(bone, xRow), y = get<T>(bone, yRow);
  let factor = mulAdd<T>(sub<T>(value, one), mix, one);
  if (!additive) {
    const length = lengthOf<T, M>(divideOrZero<T, M>(x, sx), divideOrZero<T, M>(y, sy));
    factor = add<T>(one, divideOrZero<T, M>(mul<T>(sub<T>(value, length), mix), length));
  }
  putBounded<T, M>(bone, xRow, mul<T>(x, factor), mask);
  putBounded<T, M>(bone, yRow, mul<T>(y, factor), mask);
}
