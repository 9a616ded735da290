/**
 * Path constraints: bones are placed along a path and turned to follow it.
 *
 * Layout   record: PathField; the path is the attachment record in the slot's row (layout/attachment.ts). Knot j of the path
 *          is vertex 3 j + 1, with its handles before and behind it.
 *          Scratch behind the header, rows of T: points x y | curve ends | spaces | bone lengths | positions x y dx dy; then the
 *          workspace of path-curves.ts.
 * Requires the bones of the path and the constrained bones are valid in world space.
 * Ensures  world values of the constrained bones in lanes whose slot holds a path and where a mix is not 0. Lanes that hold the
 *          same path are solved together. Finite: a curve or path without length counts as its first point. Returns 0, or
 *          the bytes of scratch that it needs; then nothing was changed.
 * Source   cubic Bezier curves (path-curves.ts). A bone is turned by the angle between its x axis and the direction of the
 *          path; at full mix that turn is the quotient of the two directions, and no angle is formed.
 */
import {
  add, anyTrue, divideOrZero, eq, lt, maskAnd, maskNot, max, mul, mulAdd, neg, select, splat, sub,
} from "../math/lane";
import { copySign } from "../math/trigonometry";
import { BoneRow, PathRow, ProgramField, SlotRow } from "../layout/rig2d";
import { AttachmentField, AttachmentFlag, AttachmentKind } from "../layout/attachment";
import { PathField, PositionRule, RotateRule, SCRATCH_HEADER_BYTES, ScratchField, SpacingRule } from "../layout/update";
import { computePositions, measureCurves, SEGMENT_BYTES } from "./path-curves";
import { computePoints } from "./path-points";
import { computePositionsOfFour, LIST_BYTES } from "./path-positions";
import { angleOf, cosOfRadians, lengthOf, lengthsOfOne, sinOfRadians } from "./update-angles";
import { appliedBone, bounded, entry, get, put, putBounded, putWhere, rowAt, table, wrapRadians } from "./update-rows";
import { modifyWorld } from "./tags";

const DEGREES_TO_RADIANS: f32 = 0.017453292519943295;
const EPSILON: f32 = 1e-5;
/** Rows of one position: x, y and the direction of the path there. */
const POSITION_ROWS = 4;

/** A path constraint. `operands` points at: record, constraint row, slot, then `count` constrained bones. */
export function solvePath<T, M>(program: usize, pose: usize, operands: usize, count: i32, scratch: usize): i32 {
  const constraint = rowAt<T>(pose, load<i32>(operands, 4));
  const zero = splat<T>(0);
  const idle = maskAnd<M>(
    eq<T, M>(get<T>(constraint, PathRow.MIX_ROTATE), zero),
    maskAnd<M>(eq<T, M>(get<T>(constraint, PathRow.MIX_X), zero), eq<T, M>(get<T>(constraint, PathRow.MIX_Y), zero)));
  if (!anyTrue<M>(maskNot<M>(idle))) return 0;
  const slot = rowAt<T>(pose, entry(table(program, ProgramField.SLOT_APPLIED), load<i32>(operands, 8)));
  const attachments = slot + SlotRow.ATTACHMENT * sizeof<T>();
  const lanes = <i32>(sizeof<T>() >> 2);
  for (let lane = 0; lane < lanes; lane++) {
    const needed = scratchBytes<T>(<usize>load<u32>(attachments + (<usize>lane << 2)), count);
    if (needed > load<i32>(scratch, ScratchField.CAPACITY)) return needed;
  }
  if (isVector<T>()) {
    let rest = maskNot<M>(idle);
    for (let lane = 0; lane < lanes; lane++) {
      const record = load<u32>(attachments + (<usize>lane << 2));
      const same = v128.and(rest, i32x4.eq(v128.load(attachments), i32x4.splat(record)));
      rest = v128.andnot(rest, same);
      if (scratchBytes<T>(<usize>record, count) == 0 || !v128.any_true(same)) continue;
      solveLanes<T, M>(program, pose, constraint, slot, <usize>record, operands, count, scratch, same);
    }
  } else {
    const record = <usize>load<u32>(attachments);
    if (scratchBytes<T>(record, count) == 0) return 0;
    solveLanes<T, M>(program, pose, constraint, slot, record, operands, count, scratch, maskNot<M>(idle));
  }
  return 0;
}

@inline
function curvesOf(record: usize): i32 {
  const knots = load<i32>(record, AttachmentField.VERTEX_COUNT) / 3;
  return (load<u32>(record, AttachmentField.FLAGS) & AttachmentFlag.CLOSED) != 0 ? knots : knots - 1;
}

/** Bytes of scratch that an attachment needs, 0 if it is no path. */
function scratchBytes<T>(record: usize, count: i32): i32 {
  if (record == 0 || load<u32>(record, AttachmentField.KIND) != AttachmentKind.PATH) return 0;
  const curves = curvesOf(record);
  if (curves < 1) return 0;
  const rows = load<i32>(record, AttachmentField.VERTEX_COUNT) * 2 + 1 + curves + (count + 2) * (POSITION_ROWS + 2);
  const lists = isVector<T>() ? (load<i32>(record, AttachmentField.VERTEX_COUNT) + 4) * LIST_BYTES : 0;
  return SCRATCH_HEADER_BYTES + SEGMENT_BYTES + rows * <i32>sizeof<T>() + lists;
}

/** Solves the lanes of the mask, all of which hold the path of `record`. */
function solveLanes<T, M>(
  program: usize, pose: usize, constraint: usize, slot: usize, record: usize, operands: usize, count: i32, scratch: usize, mask: M,
): void {
  const data = <usize>load<u32>(operands);
  const slotBone = entry(table(program, ProgramField.SLOT_BONES), load<i32>(operands, 8));
  const bones = operands + 12;
  const rotateRule = load<i32>(data, PathField.ROTATE), spacingRule = load<i32>(data, PathField.SPACING);
  const tangents = rotateRule == RotateRule.TANGENT;
  const pointCount = tangents ? count : count + 1;
  const vertices = load<i32>(record, AttachmentField.VERTEX_COUNT);
  const curves = curvesOf(record);
  const points = scratch + SCRATCH_HEADER_BYTES;
  const ends = points + <usize>(vertices * 2 + 1) * sizeof<T>();
  const spaces = ends + <usize>curves * sizeof<T>();
  const lengths = spaces + <usize>(count + 2) * sizeof<T>();
  const positions = lengths + <usize>(count + 2) * sizeof<T>();
  const segments = positions + <usize>((count + 2) * POSITION_ROWS) * sizeof<T>();

  computePoints<T, M>(program, pose, slot, record, slotBone, points);
  computeSpaces<T, M>(program, pose, bones, pointCount, spacingRule, get<T>(constraint, PathRow.SPACING), spaces, lengths);
  // A path's vertices come in threes; a closed one leads from its last knot to its first.
  const usedVertices = vertices / 3 * 3;
  store<T>(ends - sizeof<T>(), splat<T>(0));
  const constantSpeed = (load<u32>(record, AttachmentField.FLAGS) & AttachmentFlag.CONSTANT_SPEED) != 0 ||
    load<i32>(record, AttachmentField.LENGTH_COUNT) < curves;
  if (constantSpeed) {
    measureCurves<T, M>(points, usedVertices, curves, ends);
  } else {
    const stored = <usize>load<u32>(record, AttachmentField.LENGTHS);
    for (let i = 0; i < curves; i++) put<T>(ends, i, splat<T>(load<f32>(stored + (<usize>i << 2))));
  }
  const pathLength = get<T>(ends, curves - 1);
  if (spacingRule == SpacingRule.PERCENT) {
    scaleSpaces<T>(spaces, pointCount, pathLength, positions);
  } else if (spacingRule == SpacingRule.PROPORTIONAL) {
    scaleSpaces<T>(spaces, pointCount, mul<T>(pathLength, splat<T>(<f32>1 / <f32>pointCount)), positions);
  } else {
    scaleSpaces<T>(spaces, pointCount, splat<T>(1), positions);
  }
  const position = get<T>(constraint, PathRow.POSITION);
  const start = bounded<T>(load<i32>(data, PathField.POSITION) == PositionRule.PERCENT ? mul<T>(position, pathLength) : position);
  const closed = (load<u32>(record, AttachmentField.FLAGS) & AttachmentFlag.CLOSED) != 0;
  if (isVector<T>()) {
    computePositionsOfFour(points, usedVertices, curves, ends, positions, segments, pointCount, start, closed, constantSpeed);
  } else {
    computePositions(points, usedVertices, curves, ends, positions, segments, pointCount, <f32>start, closed, constantSpeed);
  }
  applyPositions<T, M>(program, pose, constraint, data, slotBone, bones, count, pointCount, spaces, lengths, positions, mask);
}

/** Distance of each point from the one before it, in the units of the spacing mode; world length of each bone. */
@inline
function computeSpaces<T, M>(
  program: usize, pose: usize, bones: usize, pointCount: i32, rule: i32, spacing: T, spaces: usize, lengths: usize,
): void {
  const boneLengths = table(program, ProgramField.BONE_LENGTHS);
  const zero = splat<T>(0);
  let sum = zero;
  put<T>(spaces, 0, zero);
  for (let i = 0; i < pointCount - 1; i++) {
    const index = entry(bones, i);
    const bone = appliedBone<T>(program, pose, index);
    const axis = lengthOf<T, M>(get<T>(bone, BoneRow.A), get<T>(bone, BoneRow.C));
    const setup = load<f32>(boneLengths + (<usize>index << 2));
    let length = mul<T>(splat<T>(setup), axis);
    let space = spacing;
    if (rule != SpacingRule.PERCENT) {
      if (setup < EPSILON) {
        length = zero;
      } else if (rule == SpacingRule.LENGTH) {
        space = mul<T>(max<T>(add<T>(splat<T>(setup), spacing), zero), axis);
      } else if (rule == SpacingRule.FIXED) {
        space = mul<T>(spacing, axis);
      } else {
        space = length;
        sum = add<T>(sum, length);
      }
    }
    put<T>(lengths, i, length);
    put<T>(spaces, i + 1, space);
  }
  if (rule == SpacingRule.PROPORTIONAL) {
    const factor = mul<T>(divideOrZero<T, M>(splat<T>(<f32>pointCount), sum), spacing);
    const scales = lt<T, M>(zero, sum);
    for (let i = 1; i < pointCount; i++) {
      const space = get<T>(spaces, i);
      put<T>(spaces, i, select<T, M>(mul<T>(space, factor), space, scales));
    }
  }
}

/** Writes the distance along the path of each point from the one before it into the first row of its position. */
@inline
function scaleSpaces<T>(spaces: usize, pointCount: i32, multiplier: T, positions: usize): void {
  for (let i = 0; i < pointCount; i++) put<T>(positions, i * POSITION_ROWS, mul<T>(get<T>(spaces, i), multiplier));
}

/** Places and turns the bones. */
@inline
function applyPositions<T, M>(
  program: usize, pose: usize, constraint: usize, data: usize, slotBone: i32, bones: usize, count: i32, pointCount: i32,
  spaces: usize, lengths: usize, positions: usize, mask: M,
): void {
  const zero = splat<T>(0), one = splat<T>(1);
  const mixX = get<T>(constraint, PathRow.MIX_X), mixY = get<T>(constraint, PathRow.MIX_Y);
  const mixRotate = get<T>(constraint, PathRow.MIX_ROTATE);
  const turns = maskAnd<M>(mask, lt<T, M>(zero, mixRotate));
  const fully = eq<T, M>(mixRotate, one);
  const anyFully = anyTrue<M>(maskAnd<M>(turns, fully)), anyPartly = anyTrue<M>(maskAnd<M>(turns, maskNot<M>(fully)));
  const rotateRule = load<i32>(data, PathField.ROTATE);
  const tangents = rotateRule == RotateRule.TANGENT;
  const degrees = load<f32>(data, PathField.OFFSET_ROTATION);
  const followsTip = degrees == 0 && rotateRule == RotateRule.CHAIN;
  let offset = splat<T>(degrees * DEGREES_TO_RADIANS);
  if (degrees != 0) {
    const bone = appliedBone<T>(program, pose, slotBone);
    const det = sub<T>(
      mul<T>(get<T>(bone, BoneRow.A), get<T>(bone, BoneRow.D)), mul<T>(get<T>(bone, BoneRow.B), get<T>(bone, BoneRow.C)));
    offset = select<T, M>(offset, neg<T>(offset), lt<T, M>(zero, det));
  }
  const cosOffset = cosOfRadians<T>(offset), sinOffset = sinOfRadians<T>(offset);

  let headX = get<T>(positions, 0), headY = get<T>(positions, 1);
  for (let i = 0; i < count; i++) {
    const index = entry(bones, i);
    const bone = appliedBone<T>(program, pose, index);
    modifyWorld<T, M>(program, pose, bone, index, mask);
    const worldX = get<T>(bone, BoneRow.WORLD_X), worldY = get<T>(bone, BoneRow.WORLD_Y);
    putBounded<T, M>(bone, BoneRow.WORLD_X, mulAdd<T>(sub<T>(headX, worldX), mixX, worldX), mask);
    putBounded<T, M>(bone, BoneRow.WORLD_Y, mulAdd<T>(sub<T>(headY, worldY), mixY, worldY), mask);

    const here = positions + <usize>(i * POSITION_ROWS) * sizeof<T>();
    const next = here + POSITION_ROWS * sizeof<T>();
    // A tangent needs no next point behind the last bone.
    const hasNext = i + 1 < pointCount;
    const nextX = hasNext ? get<T>(next, 0) : headX, nextY = hasNext ? get<T>(next, 1) : headY;
    const dx = sub<T>(nextX, headX), dy = sub<T>(nextY, headY);
    let a = get<T>(bone, BoneRow.A), c = get<T>(bone, BoneRow.C);
    if (rotateRule == RotateRule.CHAIN_SCALE) {
      const length = get<T>(lengths, i);
      const s = mulAdd<T>(sub<T>(divideOrZero<T, M>(lengthOf<T, M>(dx, dy), length), one), mixRotate, one);
      const scales = maskNot<M>(eq<T, M>(length, zero));
      a = select<T, M>(bounded<T>(mul<T>(a, s)), a, scales);
      c = select<T, M>(bounded<T>(mul<T>(c, s)), c, scales);
      putWhere<T, M>(bone, BoneRow.A, a, mask);
      putWhere<T, M>(bone, BoneRow.C, c, mask);
    }
    headX = nextX;
    headY = nextY;
    if (!anyFully && !anyPartly) continue;

    // The direction that the bone shall take.
    let toX = dx, toY = dy;
    if (tangents) {
      toX = get<T>(here, 2);
      toY = get<T>(here, 3);
    } else {
      const stays = eq<T, M>(get<T>(spaces, i + 1), zero);
      toX = select<T, M>(get<T>(next, 2), dx, stays);
      toY = select<T, M>(get<T>(next, 3), dy, stays);
    }
    let cosine = one, sine = zero, tipX = dx, tipY = dy;
    const length = splat<T>(load<f32>(table(program, ProgramField.BONE_LENGTHS) + (<usize>index << 2)));
    if (anyFully) {
      // The quotient of the two directions; one without length counts as (1, 0), that of a bone with -0 as (-1, 0).
      let toLength = one, fromLength = one;
      if (isVector<T>()) {
        toLength = lengthOf<T, M>(toX, toY);
        fromLength = lengthOf<T, M>(a, c);
      } else {
        const both = lengthsOfOne(
          f32x4.replace_lane(f32x4.splat(<f32>toX), 1, <f32>a), f32x4.replace_lane(f32x4.splat(<f32>toY), 1, <f32>c));
        toLength = <T>f32x4.extract_lane(both, 0);
        fromLength = <T>f32x4.extract_lane(both, 1);
      }
      const toUnit = divideOrZero<T, M>(one, toLength), fromUnit = divideOrZero<T, M>(one, fromLength);
      const tx = select<T, M>(one, mul<T>(toX, toUnit), eq<T, M>(toUnit, zero)), ty = mul<T>(toY, toUnit);
      const fx = select<T, M>(copySign<T>(one, a), mul<T>(a, fromUnit), eq<T, M>(fromUnit, zero)), fy = mul<T>(c, fromUnit);
      cosine = add<T>(mul<T>(tx, fx), mul<T>(ty, fy));
      sine = sub<T>(mul<T>(ty, fx), mul<T>(tx, fy));
      if (followsTip) {
        tipX = mul<T>(length, sub<T>(mul<T>(cosine, a), mul<T>(sine, c)));
        tipY = mul<T>(length, add<T>(mul<T>(sine, a), mul<T>(cosine, c)));
      } else if (degrees != 0) {
        const turned = sub<T>(mul<T>(cosine, cosOffset), mul<T>(sine, sinOffset));
        sine = add<T>(mul<T>(sine, cosOffset), mul<T>(cosine, sinOffset));
        cosine = turned;
      }
    }
    if (anyPartly) {
      let r = sub<T>(angleOf<T, M>(toY, toX), angleOf<T, M>(c, a));
      if (followsTip) {
        const fullCosine = cosOfRadians<T>(r), fullSine = sinOfRadians<T>(r);
        tipX = select<T, M>(tipX, mul<T>(length, sub<T>(mul<T>(fullCosine, a), mul<T>(fullSine, c))), fully);
        tipY = select<T, M>(tipY, mul<T>(length, add<T>(mul<T>(fullSine, a), mul<T>(fullCosine, c))), fully);
      } else {
        r = add<T>(r, offset);
      }
      const turn = mul<T>(wrapRadians<T, M>(r), mixRotate);
      cosine = select<T, M>(cosine, cosOfRadians<T>(turn), fully);
      sine = select<T, M>(sine, sinOfRadians<T>(turn), fully);
    }
    if (followsTip) {
      headX = select<T, M>(bounded<T>(mulAdd<T>(sub<T>(tipX, dx), mixRotate, headX)), headX, turns);
      headY = select<T, M>(bounded<T>(mulAdd<T>(sub<T>(tipY, dy), mixRotate, headY)), headY, turns);
    }
    const b = get<T>(bone, BoneRow.B), d = get<T>(bone, BoneRow.D);
    putBounded<T, M>(bone, BoneRow.A, sub<T>(mul<T>(cosine, a), mul<T>(sine, c)), turns);
    putBounded<T, M>(bone, BoneRow.B, sub<T>(mul<T>(cosine, b), mul<T>(sine, d)), turns);
    putBounded<T, M>(bone, BoneRow.C, add<T>(mul<T>(sine, a), mul<T>(cosine, c)), turns);
    putBounded<T, M>(bone, BoneRow.D, add<T>(mul<T>(sine, b), mul<T>(cosine, d)), turns);
  }
}
