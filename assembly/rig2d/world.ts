/**
 * World transforms of bones from their local poses.
 *
 * Layout   rows of layout/rig2d.ts; `bone` and `parent` are addresses of applied bone poses, `pose` of the pose block.
 * Requires the parent's world rows are valid.
 * Ensures  rows A..D, WORLD_X, WORLD_Y of the bone in the lanes of the mask. Tags are not touched. Finite for finite input:
 *          an axis of skeleton scale 0 counts as 0 when it is divided by, a direction without length as unrotated.
 * Source   M = P Lin(rotation + shearX, rotation + 90 + shearY, scaleX, scaleY), t = P (x, y) + tp, and what the inherit
 *          modes replace in it. The 90 degrees are not added: cos(90 + y) = -sin y, sin(90 + y) = cos y.
 */
import {
  abs, add, allTrue, anyTrue, divideOrZero, eq, eqInt, keepWhere, lt, maskAnd, maskOr, maskXor, mul, neg, negateWhere, select, splat,
  splatInt, sub,
} from "../math/lane";
import { boundedRemainder, cosCore, cosOf, quarterRemainder, quarterTurns, sinCore, sinOf } from "../math/trigonometry";
import { BoneRow, HeaderRow, InheritMode } from "../layout/rig2d";
import { axes, axesOfDegrees, cosOfDegrees, degreesOf, lengthOf, sinOfDegrees } from "./update-angles";
import { appliedParent, bounded, everyLane, get, put, putBounded } from "./update-rows";

/** World transform of one bone that inherits everything: all four matrix entries side by side in one register. */
@inline
export function normalWorldOfOne(bone: usize, parent: usize, bounds: bool): void {
  const xyrs = v128.load(bone);
  // [sy hx hy i]
  const rest = v128.load(bone, 16);
  const p = v128.load(parent, BoneRow.A * 4);
  const origin = v128.load64_zero(parent, BoneRow.WORLD_X * 4);

  // [rx ry rx ry]
  const angle = f32x4.add(v128.shuffle<f32>(xyrs, xyrs, 2, 2, 2, 2), v128.shuffle<f32>(rest, rest, 1, 2, 1, 2));
  const q = quarterTurns<v128>(angle);
  const r = boundedRemainder<v128>(quarterRemainder<v128>(angle, q));
  const r2 = f32x4.mul(r, r);
  const s = sinCore<v128>(r, r2), c = cosCore<v128>(r2);
  const unit = axes(s, c, q);
  // [la lb lc ld]
  const local = f32x4.mul(unit, v128.shuffle<f32>(xyrs, rest, 3, 4, 3, 4));

  // [Pa Pa Pc Pc] [la lb la lb] + [Pb Pb Pd Pd] [lc ld lc ld]
  const matrix = f32x4.add(
    f32x4.mul(v128.shuffle<f32>(p, p, 0, 0, 2, 2), v128.shuffle<f32>(local, local, 0, 1, 0, 1)),
    f32x4.mul(v128.shuffle<f32>(p, p, 1, 1, 3, 3), v128.shuffle<f32>(local, local, 2, 3, 2, 3)));
  // [Pa Pc] x + [Pb Pd] y + [tx ty]
  const translation = f32x4.add(
    f32x4.add(
      f32x4.mul(v128.shuffle<f32>(p, p, 0, 2, 0, 2), v128.shuffle<f32>(xyrs, xyrs, 0, 0, 0, 0)),
      f32x4.mul(v128.shuffle<f32>(p, p, 1, 3, 1, 3), v128.shuffle<f32>(xyrs, xyrs, 1, 1, 1, 1))),
    origin);

  v128.store(bone, limited(matrix, bounds), BoneRow.A * 4);
  v128.store64_lane(bone, limited(translation, bounds), 0, BoneRow.WORLD_X * 4);
}

/** World transforms of one bone of four instances that inherit everything. */
@inline
export function normalWorldOfFour(bone: usize, parent: usize, bounds: bool): void {
  const rotation = get<v128>(bone, BoneRow.ROTATION);
  const shearX = get<v128>(bone, BoneRow.SHEAR_X), shearY = get<v128>(bone, BoneRow.SHEAR_Y);
  const scaleX = get<v128>(bone, BoneRow.SCALE_X), scaleY = get<v128>(bone, BoneRow.SCALE_Y);
  const rx = f32x4.add(rotation, shearX);
  let q = quarterTurns<v128>(rx), r = boundedRemainder<v128>(quarterRemainder<v128>(rx, q)), r2 = f32x4.mul(r, r);
  let s = sinCore<v128>(r, r2), c = cosCore<v128>(r2);
  const cosX = cosOf<v128>(s, c, q), sinX = sinOf<v128>(s, c, q);
  let cosY = cosX, sinY = sinX;
  // Few bones are sheared.
  if (v128.any_true(v128.or(shearX, shearY))) {
    const ry = f32x4.add(rotation, shearY);
    q = quarterTurns<v128>(ry); r = boundedRemainder<v128>(quarterRemainder<v128>(ry, q)); r2 = f32x4.mul(r, r);
    s = sinCore<v128>(r, r2); c = cosCore<v128>(r2);
    cosY = cosOf<v128>(s, c, q); sinY = sinOf<v128>(s, c, q);
  }
  const la = f32x4.mul(cosX, scaleX), lc = f32x4.mul(sinX, scaleX);
  // -lb
  const mb = f32x4.mul(sinY, scaleY), ld = f32x4.mul(cosY, scaleY);

  const pa = get<v128>(parent, BoneRow.A), pb = get<v128>(parent, BoneRow.B);
  const pc = get<v128>(parent, BoneRow.C), pd = get<v128>(parent, BoneRow.D);
  const x = get<v128>(bone, BoneRow.X), y = get<v128>(bone, BoneRow.Y);
  put<v128>(bone, BoneRow.A, limited(f32x4.add(f32x4.mul(pa, la), f32x4.mul(pb, lc)), bounds));
  put<v128>(bone, BoneRow.B, limited(f32x4.sub(f32x4.mul(pb, ld), f32x4.mul(pa, mb)), bounds));
  put<v128>(bone, BoneRow.C, limited(f32x4.add(f32x4.mul(pc, la), f32x4.mul(pd, lc)), bounds));
  put<v128>(bone, BoneRow.D, limited(f32x4.sub(f32x4.mul(pd, ld), f32x4.mul(pc, mb)), bounds));
  put<v128>(bone, BoneRow.WORLD_X,
    limited(f32x4.add(f32x4.add(f32x4.mul(pa, x), f32x4.mul(pb, y)), get<v128>(parent, BoneRow.WORLD_X)), bounds));
  put<v128>(bone, BoneRow.WORLD_Y,
    limited(f32x4.add(f32x4.add(f32x4.mul(pc, x), f32x4.mul(pd, y)), get<v128>(parent, BoneRow.WORLD_Y)), bounds));
}

@inline
function limited(value: v128, bounds: bool): v128 {
  return bounds ? bounded<v128>(value) : value;
}

/** World transform of a bone with a parent, whatever it inherits, in every lane. Below constraints values are cut off. */
@inline
export function worldOfChild<T, M>(pose: usize, bone: usize, parent: usize, bounds: bool): void {
  const inherit = get<M>(bone, BoneRow.INHERIT);
  if (anyTrue<M>(inherit)) {
    worldOfAny<T, M>(pose, bone, parent, everyLane<M>());
  } else if (isVector<T>()) {
    normalWorldOfFour(bone, parent, bounds);
  } else {
    normalWorldOfOne(bone, parent, bounds);
  }
}

/** World transform of a bone without a parent; its inherit mode does not matter. */
export function worldOfRoot<T, M>(pose: usize, bone: usize, mask: M): void {
  const sx = get<T>(pose, HeaderRow.SCALE_X), sy = get<T>(pose, HeaderRow.SCALE_Y);
  const rotation = get<T>(bone, BoneRow.ROTATION);
  const rx = add<T>(rotation, get<T>(bone, BoneRow.SHEAR_X));
  const ry = add<T>(rotation, get<T>(bone, BoneRow.SHEAR_Y));
  const scaleX = get<T>(bone, BoneRow.SCALE_X), scaleY = get<T>(bone, BoneRow.SCALE_Y);
  const a = mul<T>(cosOfDegrees<T>(rx), scaleX), c = mul<T>(sinOfDegrees<T>(rx), scaleX);
  const b = neg<T>(mul<T>(sinOfDegrees<T>(ry), scaleY)), d = mul<T>(cosOfDegrees<T>(ry), scaleY);

  putBounded<T, M>(bone, BoneRow.A, mul<T>(sx, a), mask);
  putBounded<T, M>(bone, BoneRow.B, mul<T>(sx, b), mask);
  putBounded<T, M>(bone, BoneRow.C, mul<T>(sy, c), mask);
  putBounded<T, M>(bone, BoneRow.D, mul<T>(sy, d), mask);
  putBounded<T, M>(bone, BoneRow.WORLD_X,
    add<T>(mul<T>(get<T>(bone, BoneRow.X), sx), get<T>(pose, HeaderRow.X)), mask);
  putBounded<T, M>(bone, BoneRow.WORLD_Y,
    add<T>(mul<T>(get<T>(bone, BoneRow.Y), sy), get<T>(pose, HeaderRow.Y)), mask);
}

/** World transform of a bone with a parent in the lanes of the mask; inherit modes may differ from lane to lane. */
export function worldOfAny<T, M>(pose: usize, bone: usize, parent: usize, mask: M): void {
  const zero = splat<T>(0);
  const rotation = get<T>(bone, BoneRow.ROTATION);
  const shearX = get<T>(bone, BoneRow.SHEAR_X), shearY = get<T>(bone, BoneRow.SHEAR_Y);
  const scaleX = get<T>(bone, BoneRow.SCALE_X), scaleY = get<T>(bone, BoneRow.SCALE_Y);
  const inherit = get<M>(bone, BoneRow.INHERIT);
  const pa = get<T>(parent, BoneRow.A), pb = get<T>(parent, BoneRow.B);
  const pc = get<T>(parent, BoneRow.C), pd = get<T>(parent, BoneRow.D);
  const sx = get<T>(pose, HeaderRow.SCALE_X), sy = get<T>(pose, HeaderRow.SCALE_Y);

  // Every mode is M = Q Lin(angle + shearX, angle + 90 + shearY) with its own Q and angle; the sum is formed in the same
  // order in all of them. Normal:
  let qa = pa, qb = pb, qc = pc, qd = pd, angle = rotation;

  const onlyTranslation = eqInt<M>(inherit, splatInt<M>(InheritMode.ONLY_TRANSLATION));
  if (anyTrue<M>(onlyTranslation)) {
    qa = select<T, M>(sx, qa, onlyTranslation);
    qb = select<T, M>(zero, qb, onlyTranslation);
    qc = select<T, M>(zero, qc, onlyTranslation);
    qd = select<T, M>(sy, qd, onlyTranslation);
  }

  const noRotation = eqInt<M>(inherit, splatInt<M>(InheritMode.NO_ROTATION_OR_REFLECTION));
  if (anyTrue<M>(noRotation)) {
    const px = divideOrZero<T, M>(pa, sx), py = divideOrZero<T, M>(pc, sy);
    const length = lengthOf<T, M>(px, py);
    const hasAxis = lt<T, M>(splat<T>(1e-5), length);
    const ux = divideOrZero<T, M>(px, length), uy = divideOrZero<T, M>(py, length);
    // How far the parent's y axis reaches across its x axis.
    const k = abs<T>(sub<T>(mul<T>(ux, divideOrZero<T, M>(pd, sy)), mul<T>(divideOrZero<T, M>(pb, sx), uy)));
    const a = keepWhere<T, M>(px, hasAxis), c = keepWhere<T, M>(py, hasAxis);
    const b = select<T, M>(neg<T>(mul<T>(uy, k)), neg<T>(pb), hasAxis);
    const d = select<T, M>(mul<T>(ux, k), pd, hasAxis);
    const turned = select<T, M>(
      sub<T>(rotation, degreesOf<T, M>(py, px)),
      add<T>(sub<T>(rotation, splat<T>(90)), degreesOf<T, M>(pd, pb)), hasAxis);
    qa = select<T, M>(mul<T>(sx, a), qa, noRotation);
    qb = select<T, M>(mul<T>(sx, b), qb, noRotation);
    qc = select<T, M>(mul<T>(sy, c), qc, noRotation);
    qd = select<T, M>(mul<T>(sy, d), qd, noRotation);
    angle = select<T, M>(turned, angle, noRotation);
  }

  const noScale = maskOr<M>(
    eqInt<M>(inherit, splatInt<M>(InheritMode.NO_SCALE)), eqInt<M>(inherit, splatInt<M>(InheritMode.NO_SCALE_OR_REFLECTION)));
  if (anyTrue<M>(noScale)) {
    const cosine = cosOfDegrees<T>(rotation), sine = sinOfDegrees<T>(rotation);
    const ux = alongX<T, M>(cosine, sine, pa, pb, sx), uy = alongX<T, M>(cosine, sine, pc, pd, sy);
    const length = lengthOf<T, M>(ux, uy), isNowhere = eq<T, M>(length, zero);
    const zx = select<T, M>(cosine, divideOrZero<T, M>(ux, length), isNowhere);
    const zy = select<T, M>(sine, divideOrZero<T, M>(uy, length), isNowhere);
    const flip = maskAnd<M>(
      eqInt<M>(inherit, splatInt<M>(InheritMode.NO_SCALE)), isMirrored<T, M>(pa, pb, pc, pd, sx, sy));
    qa = select<T, M>(mul<T>(sx, zx), qa, noScale);
    qb = select<T, M>(mul<T>(sx, negateWhere<T, M>(neg<T>(zy), flip)), qb, noScale);
    qc = select<T, M>(mul<T>(sy, zy), qc, noScale);
    qd = select<T, M>(mul<T>(sy, negateWhere<T, M>(zx, flip)), qd, noScale);
    angle = select<T, M>(zero, angle, noScale);
  }

  const rx = add<T>(angle, shearX), ry = add<T>(angle, shearY);
  const x = get<T>(bone, BoneRow.X), y = get<T>(bone, BoneRow.Y);
  if (!isVector<T>()) {
    // [la lb lc ld], as in normalWorldOfOne
    const local = f32x4.mul(axesOfDegrees(<f32>rx, <f32>ry), v128.shuffle<f32>(f32x4.splat(<f32>scaleX), f32x4.splat(<f32>scaleY), 0, 4, 0, 4));
    v128.store(bone, bounded<v128>(f32x4.add(
      f32x4.mul(v128.shuffle<f32>(f32x4.splat(<f32>qa), f32x4.splat(<f32>qc), 0, 0, 4, 4), v128.shuffle<f32>(local, local, 0, 1, 0, 1)),
      f32x4.mul(v128.shuffle<f32>(f32x4.splat(<f32>qb), f32x4.splat(<f32>qd), 0, 0, 4, 4), v128.shuffle<f32>(local, local, 2, 3, 2, 3)))), BoneRow.A * 4);
    putBounded<T, M>(bone, BoneRow.WORLD_X,
      add<T>(add<T>(mul<T>(pa, x), mul<T>(pb, y)), get<T>(parent, BoneRow.WORLD_X)), mask);
    putBounded<T, M>(bone, BoneRow.WORLD_Y,
      add<T>(add<T>(mul<T>(pc, x), mul<T>(pd, y)), get<T>(parent, BoneRow.WORLD_Y)), mask);
    return;
  }
  const la = mul<T>(cosOfDegrees<T>(rx), scaleX), lc = mul<T>(sinOfDegrees<T>(rx), scaleX);
  const lb = neg<T>(mul<T>(sinOfDegrees<T>(ry), scaleY)), ld = mul<T>(cosOfDegrees<T>(ry), scaleY);
  putBounded<T, M>(bone, BoneRow.A, add<T>(mul<T>(qa, la), mul<T>(qb, lc)), mask);
  putBounded<T, M>(bone, BoneRow.B, add<T>(mul<T>(qa, lb), mul<T>(qb, ld)), mask);
  putBounded<T, M>(bone, BoneRow.C, add<T>(mul<T>(qc, la), mul<T>(qd, lc)), mask);
  putBounded<T, M>(bone, BoneRow.D, add<T>(mul<T>(qc, lb), mul<T>(qd, ld)), mask);
  putBounded<T, M>(bone, BoneRow.WORLD_X,
    add<T>(add<T>(mul<T>(pa, x), mul<T>(pb, y)), get<T>(parent, BoneRow.WORLD_X)), mask);
  putBounded<T, M>(bone, BoneRow.WORLD_Y,
    add<T>(add<T>(mul<T>(pc, x), mul<T>(pd, y)), get<T>(parent, BoneRow.WORLD_Y)), mask);
}

/** World transform of bone number `index` in the lanes of the mask; tags are the caller's business. */
export function worldOfBone<T, M>(program: usize, pose: usize, bone: usize, index: i32, mask: M): void {
  const parent = appliedParent<T>(program, pose, index);
  if (parent == 0) {
    worldOfRoot<T, M>(pose, bone, mask);
  } else if (!isVector<T>()) {
    worldOfChild<T, M>(pose, bone, parent, true);
  } else if (allTrue<M>(mask)) {
    worldOfChild<T, M>(pose, bone, parent, true);
  } else {
    worldOfAny<T, M>(pose, bone, parent, mask);
  }
}

/** Whether the parent mirrors and the skeleton's scale does not, or the other way round. */
@inline
export function isMirrored<T, M>(pa: T, pb: T, pc: T, pd: T, sx: T, sy: T): M {
  const zero = splat<T>(0);
  const parent = lt<T, M>(sub<T>(mul<T>(pa, pd), mul<T>(pb, pc)), zero);
  const skeleton = maskXor<M>(lt<T, M>(sx, zero), lt<T, M>(sy, zero));
  return maskXor<M>(parent, skeleton);
}

/** One component of S^-1 P (cosine, sine). */
@inline
export function alongX<T, M>(cosine: T, sine: T, p1: T, p2: T, scale: T): T {
  return divideOrZero<T, M>(add<T>(mul<T>(p1, cosine), mul<T>(p2, sine)), scale);
}
