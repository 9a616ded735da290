/**
 * Inverse kinematics of one bone and of two.
 *
 * Layout   rows of layout/rig2d.ts. `bone`, `parent`, `child` are addresses of bone poses, the indices belong to them.
 * Requires world rows of the bones, their parents and the target are those of this update or of an earlier edit in it.
 *          Masks are not empty and cover only lanes whose mix is not 0.
 * Ensures  local values change in the lanes of the mask; later entries of the program recompute world values. Finite: no
 *          arc cosine outside its domain, no division by 0. A bone without a parent hangs on the skeleton's scale and place.
 * Source   law of cosines, with 1 - k and 1 + k as products so that reach close to full keeps its digits; for a parent with
 *          two scales the intersection of the circle with the ellipse of the child's tip.
 */
import {
  abs, add, allTrue, anyTrue, div, divideOrZero, eq, eqInt, keepWhere, le, lt, maskAnd, maskNot, maskOr, maskXor, max, min, mul, mulAdd, neg, negateWhere, powerOfTwo, select,
  selectInt, sign, splat, splatInt, sqrt, sub, toFloat,
} from "../math/lane";
import { copySign } from "../math/trigonometry";
import { BoneRow, HeaderRow, IkRow, InheritMode, ProgramField } from "../layout/rig2d";
import { IkField, ScaleYRule } from "../layout/update";
import { angleOf, anglesOfOne, degreesOf, lengthOf } from "./update-angles";
import { appliedBone, appliedParent, bounded, get, putBounded, putWhere, rowAt, table, wrapDegrees } from "./update-rows";
import { modifyLocal } from "./tags";

const RADIANS_TO_DEGREES: f32 = 57.29577951308232;
const PI: f32 = 3.141592653589793;

/** An IK constraint of one or two bones. `operands` points at: record, constraint row, target, bone, second bone or -1. */
export function solveIk<T, M>(program: usize, pose: usize, operands: usize): void {
  const record = <usize>load<u32>(operands);
  const constraint = rowAt<T>(pose, load<i32>(operands, 4));
  const mix = get<T>(constraint, IkRow.MIX);
  const mask = maskNot<M>(eq<T, M>(mix, splat<T>(0)));
  if (!anyTrue<M>(mask)) return;
  const target = appliedBone<T>(program, pose, load<i32>(operands, 8));
  const targetX = get<T>(target, BoneRow.WORLD_X), targetY = get<T>(target, BoneRow.WORLD_Y);
  const stretch = isSet<M>(get<M>(constraint, IkRow.STRETCH));
  const scaleRule = load<i32>(record, IkField.SCALE_Y);
  const first = load<i32>(operands, 12), second = load<i32>(operands, 16);
  const bone = appliedBone<T>(program, pose, first);
  if (second < 0) {
    solveOneBone<T, M>(program, pose, bone, first, targetX, targetY, isSet<M>(get<M>(constraint, IkRow.COMPRESS)), stretch,
      scaleRule, mix, mask);
  } else {
    solveTwoBones<T, M>(program, pose, bone, first, appliedBone<T>(program, pose, second), second, targetX, targetY,
      toFloat<T, M>(get<M>(constraint, IkRow.BEND)), stretch, scaleRule, get<T>(constraint, IkRow.SOFTNESS), mix, mask);
  }
}

/** Turns a bone towards a point of the world; stretches or compresses it to reach the point. */
export function solveOneBone<T, M>(
  program: usize, pose: usize, bone: usize, index: i32, targetX: T, targetY: T, compress: M, stretch: M, scaleRule: i32,
  mix: T, mask: M,
): void {
  const zero = splat<T>(0);
  modifyLocal<T, M>(program, pose, bone, index, mask);
  const parent = appliedParent<T>(program, pose, index);
  const skeletonX = get<T>(pose, HeaderRow.SCALE_X), skeletonY = get<T>(pose, HeaderRow.SCALE_Y);
  let pa = parent == 0 ? skeletonX : get<T>(parent, BoneRow.A), pc = parent == 0 ? zero : get<T>(parent, BoneRow.C);
  let pb = parent == 0 ? zero : get<T>(parent, BoneRow.B), pd = parent == 0 ? skeletonY : get<T>(parent, BoneRow.D);
  const originX = parent == 0 ? get<T>(pose, HeaderRow.X) : get<T>(parent, BoneRow.WORLD_X);
  const originY = parent == 0 ? get<T>(pose, HeaderRow.Y) : get<T>(parent, BoneRow.WORLD_Y);
  const worldX = get<T>(bone, BoneRow.WORLD_X), worldY = get<T>(bone, BoneRow.WORLD_Y);
  const rotation = get<T>(bone, BoneRow.ROTATION), scaleX = get<T>(bone, BoneRow.SCALE_X);
  const inherit = parent == 0 ? splatInt<M>(InheritMode.NORMAL) : get<M>(bone, BoneRow.INHERIT);
  let angle = sub<T>(neg<T>(get<T>(bone, BoneRow.SHEAR_X)), rotation);

  const noRotation = eqInt<M>(inherit, splatInt<M>(InheritMode.NO_ROTATION_OR_REFLECTION));
  if (anyTrue<M>(noRotation)) {
    const unit = unitOf<T, M>(pa, pb, pc, pd);
    const ua = mul<T>(pa, unit), ub = mul<T>(pb, unit), uc = mul<T>(pc, unit), ud = mul<T>(pd, unit);
    const n = mulAdd<T>(ua, ua, mul<T>(uc, uc));
    const k = divideOrZero<T, M>(
      abs<T>(sub<T>(mul<T>(ua, ud), mul<T>(ub, uc))), max<T>(mul<T>(mul<T>(splat<T>(1e-5), unit), unit), n));
    const px = divideOrZero<T, M>(pa, skeletonX), py = divideOrZero<T, M>(pc, skeletonY);
    pb = select<T, M>(mul<T>(neg<T>(mul<T>(py, k)), skeletonX), pb, noRotation);
    pd = select<T, M>(mul<T>(mul<T>(px, k), skeletonY), pd, noRotation);
    angle = select<T, M>(add<T>(angle, degreesOf<T, M>(py, px)), angle, noRotation);
  }
  const unit = unitOf<T, M>(pa, pb, pc, pd);
  pa = mul<T>(pa, unit);
  pb = mul<T>(pb, unit);
  pc = mul<T>(pc, unit);
  pd = mul<T>(pd, unit);
  const det = sub<T>(mul<T>(pa, pd), mul<T>(pb, pc));
  const singular = le<T, M>(abs<T>(det), mul<T>(mul<T>(splat<T>(1e-5), unit), unit));
  const vx = sub<T>(targetX, originX), vy = sub<T>(targetY, originY);
  let tx = sub<T>(
    mul<T>(divideOrZero<T, M>(sub<T>(mul<T>(vx, pd), mul<T>(vy, pb)), det), unit), get<T>(bone, BoneRow.X));
  let ty = sub<T>(
    mul<T>(divideOrZero<T, M>(sub<T>(mul<T>(vy, pa), mul<T>(vx, pc)), det), unit), get<T>(bone, BoneRow.Y));
  tx = keepWhere<T, M>(bounded<T>(tx), maskNot<M>(singular));
  ty = keepWhere<T, M>(bounded<T>(ty), maskNot<M>(singular));

  const onlyTranslation = eqInt<M>(inherit, splatInt<M>(InheritMode.ONLY_TRANSLATION));
  const dx = sub<T>(targetX, worldX), dy = sub<T>(targetY, worldY);
  tx = select<T, M>(mul<T>(dx, sign<T, M>(skeletonX)), tx, onlyTranslation);
  ty = select<T, M>(mul<T>(dy, sign<T, M>(skeletonY)), ty, onlyTranslation);

  angle = add<T>(angle, degreesOf<T, M>(ty, tx));
  // A target at the origin of a mirrored skeleton lies at x = -0, whose direction is 180 degrees.
  const behind = maskAnd<M>(maskAnd<M>(eq<T, M>(tx, zero), eq<T, M>(ty, zero)), lt<T, M>(copySign<T>(splat<T>(1), tx), zero));
  angle = add<T>(angle, keepWhere<T, M>(splat<T>(180), behind));
  angle = add<T>(angle, keepWhere<T, M>(splat<T>(180), lt<T, M>(scaleX, zero)));
  putBounded<T, M>(bone, BoneRow.ROTATION, mulAdd<T>(wrapDegrees<T, M>(angle), mix, rotation), mask);

  if (!anyTrue<M>(maskAnd<M>(mask, maskOr<M>(compress, stretch)))) return;
  const noScale = maskOr<M>(
    eqInt<M>(inherit, splatInt<M>(InheritMode.NO_SCALE)), eqInt<M>(inherit, splatInt<M>(InheritMode.NO_SCALE_OR_REFLECTION)));
  tx = select<T, M>(dx, tx, noScale);
  ty = select<T, M>(dy, ty, noScale);
  const reach = mul<T>(boneLength<T>(program, index), scaleX);
  const distance = lengthOf<T, M>(tx, ty);
  const scales = maskAnd<M>(maskAnd<M>(mask, lt<T, M>(splat<T>(1e-5), reach)), maskOr<M>(
    maskAnd<M>(compress, lt<T, M>(distance, reach)), maskAnd<M>(stretch, lt<T, M>(reach, distance))));
  if (!anyTrue<M>(scales)) return;
  const s = mulAdd<T>(sub<T>(divideOrZero<T, M>(distance, reach), splat<T>(1)), mix, splat<T>(1));
  scaleBone<T, M>(bone, s, scaleRule, scales);
}

/** Turns two bones so that the tip of the child comes as close to a point of the world as it can. */
export function solveTwoBones<T, M>(
  program: usize, pose: usize, parent: usize, parentIndex: i32, child: usize, childIndex: i32, targetX: T, targetY: T,
  bend: T, stretch: M, scaleRule: i32, softness: T, mix: T, wanted: M,
): void {
  const zero = splat<T>(0), one = splat<T>(1);
  const normal = eqInt<M>(maskOr<M>(get<M>(parent, BoneRow.INHERIT), get<M>(child, BoneRow.INHERIT)), splatInt<M>(0));
  let mask = maskAnd<M>(wanted, normal);
  if (!anyTrue<M>(mask)) return;
  modifyLocal<T, M>(program, pose, parent, parentIndex, mask);
  modifyLocal<T, M>(program, pose, child, childIndex, mask);

  const px = get<T>(parent, BoneRow.X), py = get<T>(parent, BoneRow.Y);
  const parentScaleX = get<T>(parent, BoneRow.SCALE_X), parentScaleY = get<T>(parent, BoneRow.SCALE_Y);
  const childScaleX = get<T>(child, BoneRow.SCALE_X);
  const most = splat<T>(1e12);
  const sPx = min<T>(abs<T>(parentScaleX), most), sPy = min<T>(abs<T>(parentScaleY), most);
  const sCx = min<T>(abs<T>(childScaleX), most);
  const half = splat<T>(180);
  const offset1 = keepWhere<T, M>(half, lt<T, M>(parentScaleX, zero));
  const offset2 = keepWhere<T, M>(half, lt<T, M>(childScaleX, zero));
  const mirrored = maskXor<M>(lt<T, M>(parentScaleX, zero), lt<T, M>(parentScaleY, zero));
  const uniform = le<T, M>(abs<T>(sub<T>(sPx, sPy)), splat<T>(1e-5));
  const flattens = maskAnd<M>(mask, maskOr<M>(maskNot<M>(uniform), stretch));
  if (anyTrue<M>(flattens)) putWhere<T, M>(child, BoneRow.Y, zero, flattens);

  const childX = get<T>(child, BoneRow.X), childY = get<T>(child, BoneRow.Y);
  const childWorldX = add<T>(add<T>(
    mul<T>(get<T>(parent, BoneRow.A), childX), mul<T>(get<T>(parent, BoneRow.B), childY)), get<T>(parent, BoneRow.WORLD_X));
  const childWorldY = add<T>(add<T>(
    mul<T>(get<T>(parent, BoneRow.C), childX), mul<T>(get<T>(parent, BoneRow.D), childY)), get<T>(parent, BoneRow.WORLD_Y));

  // Everything further happens in the space of the grandparent, relative to the parent's origin.
  const grand = appliedParent<T>(program, pose, parentIndex);
  let ga = grand == 0 ? get<T>(pose, HeaderRow.SCALE_X) : get<T>(grand, BoneRow.A);
  let gb = grand == 0 ? zero : get<T>(grand, BoneRow.B), gc = grand == 0 ? zero : get<T>(grand, BoneRow.C);
  let gd = grand == 0 ? get<T>(pose, HeaderRow.SCALE_Y) : get<T>(grand, BoneRow.D);
  const unit = unitOf<T, M>(ga, gb, gc, gd);
  ga = mul<T>(ga, unit);
  gb = mul<T>(gb, unit);
  gc = mul<T>(gc, unit);
  gd = mul<T>(gd, unit);
  const originX = grand == 0 ? get<T>(pose, HeaderRow.X) : get<T>(grand, BoneRow.WORLD_X);
  const originY = grand == 0 ? get<T>(pose, HeaderRow.Y) : get<T>(grand, BoneRow.WORLD_Y);
  const det = sub<T>(mul<T>(ga, gd), mul<T>(gb, gc));
  const inverse = mul<T>(unit, keepWhere<T, M>(
    divideOrZero<T, M>(one, det), lt<T, M>(mul<T>(mul<T>(splat<T>(1e-5), unit), unit), abs<T>(det))));
  const qx = sub<T>(childWorldX, originX), qy = sub<T>(childWorldY, originY);
  const cx = bounded<T>(sub<T>(mul<T>(sub<T>(mul<T>(qx, gd), mul<T>(qy, gb)), inverse), px));
  const cy = bounded<T>(sub<T>(mul<T>(sub<T>(mul<T>(qy, ga), mul<T>(qx, gc)), inverse), py));
  let length1 = lengthOf<T, M>(cx, cy);

  const degenerate = maskAnd<M>(mask, lt<T, M>(length1, splat<T>(1e-5)));
  if (anyTrue<M>(degenerate)) {
    solveOneBone<T, M>(program, pose, parent, parentIndex, targetX, targetY, splatInt<M>(0), stretch, ScaleYRule.NONE, mix,
      degenerate);
    putWhere<T, M>(child, BoneRow.ROTATION, zero, degenerate);
    mask = maskAnd<M>(mask, maskNot<M>(degenerate));
    if (!anyTrue<M>(mask)) return;
  }

  let length2 = mul<T>(boneLength<T>(program, childIndex), sCx);
  const vx = sub<T>(targetX, originX), vy = sub<T>(targetY, originY);
  let tx = bounded<T>(sub<T>(mul<T>(sub<T>(mul<T>(vx, gd), mul<T>(vy, gb)), inverse), px));
  let ty = bounded<T>(sub<T>(mul<T>(sub<T>(mul<T>(vy, ga), mul<T>(vx, gc)), inverse), py));
  // In units of the largest length, so that products stay within single precision.
  const scale = div<T>(one, powerOfTwo<T, M>(max<T>(
    max<T>(length1, mul<T>(length2, max<T>(sPx, one))), max<T>(abs<T>(tx), abs<T>(ty)))));
  tx = mul<T>(tx, scale);
  ty = mul<T>(ty, scale);
  length1 = mul<T>(length1, scale);
  length2 = mul<T>(length2, scale);
  let distance2 = mulAdd<T>(tx, tx, mul<T>(ty, ty));

  const soft = maskNot<M>(eq<T, M>(softness, zero));
  if (anyTrue<M>(soft)) {
    const width = mul<T>(mul<T>(mul<T>(mul<T>(softness, scale), sPx), add<T>(sCx, one)), splat<T>(0.5));
    const distance = sqrt<T>(distance2);
    const over = add<T>(sub<T>(sub<T>(distance, length1), mul<T>(length2, sPx)), width);
    const ratio = divideOrZero<T, M>(over, mul<T>(splat<T>(2), width));
    const p = sub<T>(min<T>(one, ratio), one);
    let f = divideOrZero<T, M>(sub<T>(over, mul<T>(width, sub<T>(one, mul<T>(p, p)))), distance);
    f = keepWhere<T, M>(f, maskNot<M>(eq<T, M>(width, zero)));
    const pulls = maskAnd<M>(soft, lt<T, M>(zero, over));
    const keep = sub<T>(one, f);
    tx = select<T, M>(mul<T>(tx, keep), tx, pulls);
    ty = select<T, M>(mul<T>(ty, keep), ty, pulls);
    distance2 = mulAdd<T>(tx, tx, mul<T>(ty, ty));
  }

  let alpha = zero, beta = zero;
  if (anyTrue<M>(maskAnd<M>(mask, uniform))) {
    const reach = mul<T>(length2, sPx);
    const distance = sqrt<T>(distance2);
    const sum = add<T>(length1, reach), difference = sub<T>(length1, reach);
    const product = mul<T>(mul<T>(splat<T>(2), length1), reach);
    // A child without length makes k infinite: only the signs count, and where they are 0, too, k is 0.
    const divisor = select<T, M>(one, product, lt<T, M>(product, splat<T>(1.1754944e-38)));
    // 1 - k and 1 + k of k = cos beta, as products of sums of lengths.
    let less = div<T>(mul<T>(sub<T>(sum, distance), add<T>(sum, distance)), divisor);
    let more = div<T>(mul<T>(sub<T>(distance, difference), add<T>(distance, difference)), divisor);
    const isUndefined = maskAnd<M>(eq<T, M>(less, zero), eq<T, M>(more, zero));
    less = select<T, M>(one, less, isUndefined);
    more = select<T, M>(one, more, isUndefined);
    const tooFar = lt<T, M>(less, zero), tooNear = maskAnd<M>(lt<T, M>(more, zero), maskNot<M>(lt<T, M>(less, zero)));
    const clamped = maskOr<M>(tooFar, tooNear);
    const k = select<T, M>(select<T, M>(one, splat<T>(-1), tooFar), sub<T>(one, less), clamped);
    const sine = keepWhere<T, M>(sqrt<T>(max<T>(mul<T>(less, more), zero)), maskNot<M>(clamped));
    const a = mulAdd<T>(reach, k, length1), b = mul<T>(reach, mul<T>(sine, bend));
    const solvesUniform = maskAnd<M>(mask, uniform);
    const alphaY = sub<T>(mul<T>(ty, a), mul<T>(tx, b)), alphaX = add<T>(mul<T>(tx, a), mul<T>(ty, b));
    if (isVector<T>()) {
      beta = select<T, M>(mul<T>(angleOf<T, M>(sine, k), bend), beta, solvesUniform);
      alpha = select<T, M>(angleOf<T, M>(alphaY, alphaX), alpha, solvesUniform);
    } else {
      const angles = anglesOfOne(
        f32x4.replace_lane(f32x4.splat(<f32>sine), 1, <f32>alphaY), f32x4.replace_lane(f32x4.splat(<f32>k), 1, <f32>alphaX));
      beta = <T>(f32x4.extract_lane(angles, 0) * <f32>bend);
      alpha = <T>f32x4.extract_lane(angles, 1);
    }
    const stretches = maskAnd<M>(maskAnd<M>(solvesUniform, tooFar), stretch);
    if (anyTrue<M>(stretches)) {
      const s = mulAdd<T>(sub<T>(divideOrZero<T, M>(distance, sum), one), mix, one);
      scaleBone<T, M>(parent, s, scaleRule, stretches);
    }
  }
  const elliptic = maskAnd<M>(mask, maskNot<M>(uniform));
  if (anyTrue<M>(elliptic)) {
    const angles = solveEllipse<T, M>(length1, length2, sPx, sPy, tx, ty, bend, true);
    beta = select<T, M>(solveEllipse<T, M>(length1, length2, sPx, sPy, tx, ty, bend, false), beta, elliptic);
    alpha = select<T, M>(angles, alpha, elliptic);
  }

  // Mostly the child lies on the parent's x axis.
  const onAxis = allTrue<M>(maskOr<M>(eq<T, M>(childY, zero), maskNot<M>(mask)));
  const childAngleOf = onAxis ? keepWhere<T, M>(splat<T>(PI), lt<T, M>(childX, zero)) : angleOf<T, M>(childY, childX);
  const psi = negateWhere<T, M>(childAngleOf, mirrored);
  const degrees = splat<T>(RADIANS_TO_DEGREES);
  const parentRotation = get<T>(parent, BoneRow.ROTATION), childRotation = get<T>(child, BoneRow.ROTATION);
  const parentTurn = wrapDegrees<T, M>(sub<T>(add<T>(mul<T>(sub<T>(alpha, psi), degrees), offset1), parentRotation));
  const childAngle = negateWhere<T, M>(
    sub<T>(mul<T>(add<T>(beta, psi), degrees), get<T>(child, BoneRow.SHEAR_X)), mirrored);
  const childTurn = wrapDegrees<T, M>(sub<T>(add<T>(childAngle, offset2), childRotation));
  putBounded<T, M>(parent, BoneRow.ROTATION, mulAdd<T>(parentTurn, mix, parentRotation), mask);
  putBounded<T, M>(child, BoneRow.ROTATION, mulAdd<T>(childTurn, mix, childRotation), mask);
}

/**
 * Angle of the parent (`wantsAlpha`) or of the child, in radians, for a parent with two scales: the child's tip moves on an
 * ellipse. All lengths are taken in units of the largest, so that fourth powers stay within single precision.
 */
function solveEllipse<T, M>(length1: T, length2: T, sPx: T, sPy: T, targetX: T, targetY: T, bend: T, wantsAlpha: bool): T {
  const zero = splat<T>(0), one = splat<T>(1);
  const largest = max<T>(
    max<T>(max<T>(length1, mul<T>(sPx, length2)), mul<T>(sPy, length2)), max<T>(abs<T>(targetX), abs<T>(targetY)));
  const unit = div<T>(one, powerOfTwo<T, M>(largest));
  const d1 = mul<T>(length1, unit), tx = mul<T>(targetX, unit), ty = mul<T>(targetY, unit);
  const a = mul<T>(mul<T>(sPx, length2), unit), b = mul<T>(mul<T>(sPy, length2), unit);
  const distance2 = mulAdd<T>(tx, tx, mul<T>(ty, ty));
  const direction = angleOf<T, M>(ty, tx);
  const a2 = mul<T>(a, a), b2 = mul<T>(b, b);
  const c0 = sub<T>(add<T>(mul<T>(b2, mul<T>(d1, d1)), mul<T>(a2, distance2)), mul<T>(a2, b2));
  const c1 = mul<T>(mul<T>(splat<T>(-2), b2), d1);
  const c2 = sub<T>(b2, a2);
  const discriminant = sub<T>(mul<T>(c1, c1), mul<T>(mul<T>(splat<T>(4), c2), c0));

  const root = negateWhere<T, M>(sqrt<T>(max<T>(discriminant, zero)), lt<T, M>(c1, zero));
  const q = mul<T>(add<T>(c1, root), splat<T>(-0.5));
  const x1 = divideOrZero<T, M>(q, c2), x2 = divideOrZero<T, M>(c0, q);
  // Without one of the divisors the other candidate is the only one; without both (a child without length) there is none.
  const tiny = splat<T>(1.1754944e-38);
  const hasFirst = le<T, M>(tiny, abs<T>(c2)), hasSecond = le<T, M>(tiny, abs<T>(q));
  const usesFirst = maskAnd<M>(hasFirst, maskOr<M>(maskNot<M>(hasSecond), lt<T, M>(abs<T>(x1), abs<T>(x2))));
  const r = select<T, M>(x1, x2, usesFirst);
  const rest = sub<T>(distance2, mul<T>(r, r));
  const meets = maskAnd<M>(
    maskAnd<M>(le<T, M>(zero, discriminant), le<T, M>(zero, rest)), maskOr<M>(hasFirst, hasSecond));
  const y = mul<T>(sqrt<T>(max<T>(rest, zero)), bend);

  // Where the circle does not meet the ellipse: the nearest or the farthest point of the ellipse.
  const e = divideOrZero<T, M>(neg<T>(mul<T>(a, d1)), sub<T>(a2, b2));
  const hasExtremum = maskAnd<M>(
    le<T, M>(abs<T>(e), one), maskNot<M>(eq<T, M>(sub<T>(a2, b2), zero)));
  const extremumX = mulAdd<T>(a, e, d1);
  const extremumY = mul<T>(b, sqrt<T>(max<T>(mul<T>(sub<T>(one, e), add<T>(one, e)), zero)));
  const extremum2 = mulAdd<T>(extremumX, extremumX, mul<T>(extremumY, extremumY));
  const nearX = sub<T>(d1, a), farX = add<T>(d1, a);
  const near2 = mul<T>(nearX, nearX), far2 = mul<T>(farX, farX);
  const replacesNear = maskAnd<M>(hasExtremum, lt<T, M>(extremum2, near2));
  const replacesFar = maskAnd<M>(hasExtremum, lt<T, M>(far2, extremum2));
  const middle = mul<T>(
    add<T>(select<T, M>(extremum2, near2, replacesNear), select<T, M>(extremum2, far2, replacesFar)), splat<T>(0.5));
  const usesNear = le<T, M>(distance2, middle);
  const usesExtremum = selectInt<M>(replacesNear, replacesFar, usesNear);
  const pointX = select<T, M>(extremumX, select<T, M>(nearX, farX, usesNear), usesExtremum);
  const pointY = keepWhere<T, M>(extremumY, usesExtremum);

  if (wantsAlpha) {
    return sub<T>(direction, angleOf<T, M>(
      select<T, M>(y, mul<T>(pointY, bend), meets), select<T, M>(r, pointX, meets)));
  }
  const clampedE = max<T>(min<T>(e, one), splat<T>(-1));
  const pointAngle = select<T, M>(
    angleOf<T, M>(sqrt<T>(max<T>(mul<T>(sub<T>(one, e), add<T>(one, e)), zero)), clampedE), keepWhere<T, M>(splat<T>(PI), usesNear), usesExtremum);
  return select<T, M>(
    angleOf<T, M>(divideOrZero<T, M>(y, sPy), divideOrZero<T, M>(sub<T>(r, d1), sPx)), mul<T>(pointAngle, bend), meets);
}

/** Multiplies scaleX by s and lets scaleY follow. */
@inline
function scaleBone<T, M>(bone: usize, s: T, scaleRule: i32, mask: M): void {
  putBounded<T, M>(bone, BoneRow.SCALE_X, mul<T>(get<T>(bone, BoneRow.SCALE_X), s), mask);
  if (scaleRule == ScaleYRule.UNIFORM) {
    putBounded<T, M>(bone, BoneRow.SCALE_Y, mul<T>(get<T>(bone, BoneRow.SCALE_Y), s), mask);
  } else if (scaleRule == ScaleYRule.VOLUME) {
    const divisor = select<T, M>(
      mulAdd<T>(splat<T>(0.642857), s, splat<T>(0.25)), s, lt<T, M>(s, splat<T>(0.7)));
    putBounded<T, M>(bone, BoneRow.SCALE_Y, divideOrZero<T, M>(get<T>(bone, BoneRow.SCALE_Y), divisor), mask);
  }
}

/** Exact reciprocal of the magnitude of a matrix. */
@inline
function unitOf<T, M>(a: T, b: T, c: T, d: T): T {
  return div<T>(splat<T>(1), powerOfTwo<T, M>(max<T>(max<T>(abs<T>(a), abs<T>(b)), max<T>(abs<T>(c), abs<T>(d)))));
}

@inline
function boneLength<T>(program: usize, index: i32): T {
  return splat<T>(load<f32>(table(program, ProgramField.BONE_LENGTHS) + (<usize>index << 2)));
}

@inline
function isSet<M>(value: M): M {
  return maskNot<M>(eqInt<M>(value, splatInt<M>(0)));
}
