/**
 * Local poses of bones from their world transforms, the inverse of world.ts.
 *
 * Layout   rows of layout/rig2d.ts; `bone` and `parent` are addresses of applied bone poses.
 * Requires world rows of bone and parent are valid.
 * Ensures  the seven local rows of the bone in the lanes of the mask (inherit is kept). Tags are not touched. The reciprocal
 *          of 0 counts as 0, so a singular parent gives finite values.
 * Source   decomposition into rotation, scale and shearY (shearX 0); for the modes without the parent's scale rotation comes
 *          first and both shears are what is left.
 */
import {
  abs, add, anyTrue, div, divideOrZero, eq, eqInt, keepWhere, lt, maskAnd, maskNot, maskOr, max, mul, negateWhere, powerOfTwo,
  select, splat, splatInt, sub,
} from "../math/lane";
import { BoneRow, HeaderRow, InheritMode } from "../layout/rig2d";
import { cosOfDegrees, degreesOf, lengthOf, sinOfDegrees } from "./update-angles";
import { bounded, get, putBounded, wrapDegrees } from "./update-rows";
import { alongX, isMirrored } from "./world";

/** Local pose of a bone without a parent. */
export function localOfRoot<T, M>(pose: usize, bone: usize, mask: M): void {
  const sx = get<T>(pose, HeaderRow.SCALE_X), sy = get<T>(pose, HeaderRow.SCALE_Y);
  putBounded<T, M>(bone, BoneRow.X,
    divideOrZero<T, M>(sub<T>(get<T>(bone, BoneRow.WORLD_X), get<T>(pose, HeaderRow.X)), sx), mask);
  putBounded<T, M>(bone, BoneRow.Y,
    divideOrZero<T, M>(sub<T>(get<T>(bone, BoneRow.WORLD_Y), get<T>(pose, HeaderRow.Y)), sy), mask);
  decompose<T, M>(bone,
    divideOrZero<T, M>(get<T>(bone, BoneRow.A), sx), divideOrZero<T, M>(get<T>(bone, BoneRow.B), sx),
    divideOrZero<T, M>(get<T>(bone, BoneRow.C), sy), divideOrZero<T, M>(get<T>(bone, BoneRow.D), sy),
    splat<T>(0), mask);
}

/** Local pose of a bone with a parent; inherit modes may differ from lane to lane. */
export function localOfChild<T, M>(pose: usize, bone: usize, parent: usize, mask: M): void {
  const zero = splat<T>(0);
  const a = get<T>(bone, BoneRow.A), b = get<T>(bone, BoneRow.B);
  const c = get<T>(bone, BoneRow.C), d = get<T>(bone, BoneRow.D);
  const pa = get<T>(parent, BoneRow.A), pb = get<T>(parent, BoneRow.B);
  const pc = get<T>(parent, BoneRow.C), pd = get<T>(parent, BoneRow.D);
  const inherit = get<M>(bone, BoneRow.INHERIT);
  // The parent's matrix is inverted in units of its largest entry, so that the determinant stays within single precision.
  const unit = div<T>(splat<T>(1), powerOfTwo<T, M>(
    max<T>(max<T>(abs<T>(pa), abs<T>(pb)), max<T>(abs<T>(pc), abs<T>(pd)))));
  const ua = mul<T>(pa, unit), ub = mul<T>(pb, unit), uc = mul<T>(pc, unit), ud = mul<T>(pd, unit);
  const det = sub<T>(mul<T>(ua, ud), mul<T>(ub, uc));
  const reciprocal = mul<T>(divideOrZero<T, M>(splat<T>(1), det), unit);
  const ia = mul<T>(ud, reciprocal), ib = mul<T>(ub, reciprocal), ic = mul<T>(uc, reciprocal), id = mul<T>(ua, reciprocal);
  const vx = sub<T>(get<T>(bone, BoneRow.WORLD_X), get<T>(parent, BoneRow.WORLD_X));
  const vy = sub<T>(get<T>(bone, BoneRow.WORLD_Y), get<T>(parent, BoneRow.WORLD_Y));
  putBounded<T, M>(bone, BoneRow.X, sub<T>(mul<T>(vx, ia), mul<T>(vy, ib)), mask);
  putBounded<T, M>(bone, BoneRow.Y, sub<T>(mul<T>(vy, id), mul<T>(vx, ic)), mask);

  // Normal: P^-1 M
  let ra = sub<T>(mul<T>(ia, a), mul<T>(ib, c)), rb = sub<T>(mul<T>(ia, b), mul<T>(ib, d));
  let rc = sub<T>(mul<T>(id, c), mul<T>(ic, a)), rd = sub<T>(mul<T>(id, d), mul<T>(ic, b));
  let offset = zero;
  let rest = mask;

  if (anyTrue<M>(inherit)) {
    const sx = get<T>(pose, HeaderRow.SCALE_X), sy = get<T>(pose, HeaderRow.SCALE_Y);
    const wa = divideOrZero<T, M>(a, sx), wb = divideOrZero<T, M>(b, sx);
    const wc = divideOrZero<T, M>(c, sy), wd = divideOrZero<T, M>(d, sy);

    const onlyTranslation = eqInt<M>(inherit, splatInt<M>(InheritMode.ONLY_TRANSLATION));
    ra = select<T, M>(wa, ra, onlyTranslation);
    rb = select<T, M>(wb, rb, onlyTranslation);
    rc = select<T, M>(wc, rc, onlyTranslation);
    rd = select<T, M>(wd, rd, onlyTranslation);

    const noRotation = eqInt<M>(inherit, splatInt<M>(InheritMode.NO_ROTATION_OR_REFLECTION));
    if (anyTrue<M>(noRotation)) {
      const px = divideOrZero<T, M>(pa, sx), py = divideOrZero<T, M>(pc, sy);
      const length = lengthOf<T, M>(px, py);
      const ux = divideOrZero<T, M>(px, length), uy = divideOrZero<T, M>(py, length);
      // How far the parent's y axis reaches across its x axis; area = length x across.
      const across = abs<T>(sub<T>(mul<T>(ux, divideOrZero<T, M>(pd, sy)), mul<T>(divideOrZero<T, M>(pb, sx), uy)));
      ra = select<T, M>(divideOrZero<T, M>(add<T>(mul<T>(ux, wa), mul<T>(uy, wc)), length), ra, noRotation);
      rb = select<T, M>(divideOrZero<T, M>(add<T>(mul<T>(ux, wb), mul<T>(uy, wd)), length), rb, noRotation);
      rc = select<T, M>(divideOrZero<T, M>(sub<T>(mul<T>(ux, wc), mul<T>(uy, wa)), across), rc, noRotation);
      rd = select<T, M>(divideOrZero<T, M>(sub<T>(mul<T>(ux, wd), mul<T>(uy, wb)), across), rd, noRotation);
      offset = keepWhere<T, M>(degreesOf<T, M>(py, px), noRotation);
    }

    const noScale = maskAnd<M>(mask, maskOr<M>(
      eqInt<M>(inherit, splatInt<M>(InheritMode.NO_SCALE)),
      eqInt<M>(inherit, splatInt<M>(InheritMode.NO_SCALE_OR_REFLECTION))));
    if (anyTrue<M>(noScale)) {
      const mirrored = lt<T, M>(det, zero);
      const tx = negateWhere<T, M>(sub<T>(mul<T>(ud, a), mul<T>(ub, c)), mirrored);
      const ty = negateWhere<T, M>(sub<T>(mul<T>(ua, c), mul<T>(uc, a)), mirrored);
      const rotation = degreesOf<T, M>(ty, tx);
      putBounded<T, M>(bone, BoneRow.ROTATION, rotation, noScale);
      const cosine = cosOfDegrees<T>(rotation), sine = sinOfDegrees<T>(rotation);
      const ux = alongX<T, M>(cosine, sine, pa, pb, sx), uy = alongX<T, M>(cosine, sine, pc, pd, sy);
      const length = lengthOf<T, M>(ux, uy), isNowhere = eq<T, M>(length, zero);
      const zx = select<T, M>(cosine, divideOrZero<T, M>(ux, length), isNowhere);
      const zy = select<T, M>(sine, divideOrZero<T, M>(uy, length), isNowhere);
      const flip = maskAnd<M>(
        eqInt<M>(inherit, splatInt<M>(InheritMode.NO_SCALE)), isMirrored<T, M>(pa, pb, pc, pd, sx, sy));
      decomposeSheared<T, M>(bone,
        add<T>(mul<T>(zx, wa), mul<T>(zy, wc)), add<T>(mul<T>(zx, wb), mul<T>(zy, wd)),
        negateWhere<T, M>(sub<T>(mul<T>(zx, wc), mul<T>(zy, wa)), flip),
        negateWhere<T, M>(sub<T>(mul<T>(zx, wd), mul<T>(zy, wb)), flip), noScale);
      rest = maskAnd<M>(mask, maskNot<M>(noScale));
      if (!anyTrue<M>(rest)) return;
    }
  }
  decompose<T, M>(bone, ra, rb, rc, rd, offset, rest);
}

/** Rotation (plus offset), scale and shearY of a matrix; shearX becomes 0. Columns shorter than 1e-5 have no angle. */
function decompose<T, M>(bone: usize, a: T, b: T, c: T, d: T, offset: T, mask: M): void {
  const ra = bounded<T>(a), rb = bounded<T>(b), rc = bounded<T>(c), rd = bounded<T>(d);
  const zero = splat<T>(0), tiny = splat<T>(1e-5);
  const scaleX = lengthOf<T, M>(ra, rc), scaleY = lengthOf<T, M>(rb, rd);
  const hasX = lt<T, M>(tiny, scaleX), hasY = lt<T, M>(tiny, scaleY), both = maskAnd<M>(hasX, hasY);
  const angleX = degreesOf<T, M>(rc, ra), angleY = degreesOf<T, M>(rd, rb);
  const mirrored = lt<T, M>(sub<T>(mul<T>(ra, rd), mul<T>(rb, rc)), zero);
  const shearY = wrapDegrees<T, M>(
    sub<T>(add<T>(angleY, select<T, M>(splat<T>(90), splat<T>(-90), mirrored)), angleX));

  const fromY = keepWhere<T, M>(sub<T>(angleY, splat<T>(90)), hasY);
  putBounded<T, M>(bone, BoneRow.ROTATION, add<T>(select<T, M>(angleX, fromY, hasX), offset), mask);
  putBounded<T, M>(bone, BoneRow.SCALE_X, keepWhere<T, M>(scaleX, hasX), mask);
  putBounded<T, M>(bone, BoneRow.SCALE_Y, negateWhere<T, M>(scaleY, maskAnd<M>(both, mirrored)), mask);
  putBounded<T, M>(bone, BoneRow.SHEAR_X, zero, mask);
  putBounded<T, M>(bone, BoneRow.SHEAR_Y, keepWhere<T, M>(shearY, both), mask);
}

/** Scale and both shears of a matrix from which the rotation was taken already. */
function decomposeSheared<T, M>(bone: usize, a: T, b: T, c: T, d: T, mask: M): void {
  const ra = bounded<T>(a), rb = bounded<T>(b), rc = bounded<T>(c), rd = bounded<T>(d);
  const zero = splat<T>(0), tiny = splat<T>(1e-5);
  const scaleX = lengthOf<T, M>(ra, rc), scaleY = lengthOf<T, M>(rb, rd);
  const hasX = lt<T, M>(tiny, scaleX), hasY = lt<T, M>(tiny, scaleY);
  const mirrored = lt<T, M>(sub<T>(mul<T>(ra, rd), mul<T>(rb, rc)), zero);
  const shearY = wrapDegrees<T, M>(
    add<T>(degreesOf<T, M>(rd, rb), select<T, M>(splat<T>(90), splat<T>(-90), mirrored)));

  putBounded<T, M>(bone, BoneRow.SHEAR_X, keepWhere<T, M>(degreesOf<T, M>(rc, ra), hasX), mask);
  putBounded<T, M>(bone, BoneRow.SCALE_X, keepWhere<T, M>(scaleX, hasX), mask);
  putBounded<T, M>(bone, BoneRow.SCALE_Y, negateWhere<T, M>(scaleY, maskAnd<M>(hasY, mirrored)), mask);
  putBounded<T, M>(bone, BoneRow.SHEAR_Y, keepWhere<T, M>(shearY, hasY), mask);
}
