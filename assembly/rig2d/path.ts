/**
 * Path constraints: bones are placed along a path and turned to follow it.
 *
 * Layout   record: PathField; the path is the attachment record in the slot's row (layout/attachment.ts). Knot j of the path
 *          is vertex 3 j + 1, with its handles before and behind it. Lanes are solved one after the other, since each may
 *          hold another attachment; T only says how wide rows are.
 *          Scratch behind the header, f32: points x y | curve ends | spaces | bone lengths | positions x y angle | segments.
 * Requires the bones of the path and the constrained bones are valid in world space.
 * Ensures  world values of the constrained bones in lanes whose slot holds a path and where a mix is not 0. Finite: a curve
 *          or path without length counts as its first point. Returns 0, or the bytes of scratch that it needs; then
 *          nothing was changed.
 * Source   cubic Bezier curves; constant speed by chords: four a curve to choose the curve, ten to find the place on it.
 */
import { BoneRow, PathRow, ProgramField, SlotRow } from "../layout/rig2d";
import { AttachmentField, AttachmentFlag, AttachmentKind, INFLUENCE_BYTES } from "../layout/attachment";
import { PathField, PositionRule, RotateRule, SCRATCH_HEADER_BYTES, ScratchField, SpacingRule } from "../layout/update";
import { appliedBone, bounded, entry, rowAt, table, wrapRadians } from "./update-rows";
import { angleOf, cosOfRadians, lengthOf, sinOfRadians } from "./update-angles";
import { modifyWorld } from "./tags";

const DEGREES_TO_RADIANS: f32 = 0.017453292519943295;
const EPSILON: f32 = 1e-5;
/** Chords that a curve is cut into to find a place on it. */
const SEGMENTS = 10;
/** Bytes of one position: x, y, angle. */
const POSITION_BYTES: usize = 12;

/** A path constraint. `operands` points at: record, constraint row, slot, then `count` constrained bones. */
export function solvePath<T, M>(program: usize, pose: usize, operands: usize, count: i32, scratch: usize): i32 {
  const constraint = rowAt<T>(pose, load<i32>(operands, 4));
  const slot = rowAt<T>(pose, entry(table(program, ProgramField.SLOT_APPLIED), load<i32>(operands, 8)));
  for (let lane = 0; lane < <i32>(sizeof<T>() >> 2); lane++) {
    const needed = scratchBytes<T>(constraint, slot, lane, count);
    if (needed > load<i32>(scratch, ScratchField.CAPACITY)) return needed;
  }
  for (let lane = 0; lane < <i32>(sizeof<T>() >> 2); lane++) {
    if (scratchBytes<T>(constraint, slot, lane, count) == 0) continue;
    solveLane<T, M>(program, pose, constraint, slot, lane, operands, count, scratch);
  }
  return 0;
}

/** Value of one lane of a row. */
@inline
function at<T>(block: usize, row: i32, lane: i32): f32 {
  return load<f32>(block + <usize>row * sizeof<T>() + (<usize>lane << 2));
}

@inline
function setAt<T>(block: usize, row: i32, lane: i32, value: f32): void {
  store<f32>(block + <usize>row * sizeof<T>() + (<usize>lane << 2), bounded<f32>(value));
}

@inline
function curvesOf(record: usize): i32 {
  const knots = load<i32>(record, AttachmentField.VERTEX_COUNT) / 3;
  return (load<u32>(record, AttachmentField.FLAGS) & AttachmentFlag.CLOSED) != 0 ? knots : knots - 1;
}

/** Bytes of scratch for one lane, 0 if the constraint does nothing there. */
function scratchBytes<T>(constraint: usize, slot: usize, lane: i32, count: i32): i32 {
  if (at<T>(constraint, PathRow.MIX_ROTATE, lane) == 0 && at<T>(constraint, PathRow.MIX_X, lane) == 0 &&
    at<T>(constraint, PathRow.MIX_Y, lane) == 0) return 0;
  const record = <usize>load<u32>(slot + SlotRow.ATTACHMENT * sizeof<T>() + (<usize>lane << 2));
  if (record == 0 || load<u32>(record, AttachmentField.KIND) != AttachmentKind.PATH) return 0;
  const curves = curvesOf(record);
  if (curves < 1) return 0;
  const vertices = load<i32>(record, AttachmentField.VERTEX_COUNT);
  return SCRATCH_HEADER_BYTES + (vertices * 2 + curves + (count + 2) * 5 + SEGMENTS) * 4;
}

function solveLane<T, M>(
  program: usize, pose: usize, constraint: usize, slot: usize, lane: i32, operands: usize, count: i32, scratch: usize,
): void {
  const data = <usize>load<u32>(operands);
  const record = <usize>load<u32>(slot + SlotRow.ATTACHMENT * sizeof<T>() + (<usize>lane << 2));
  const slotBone = entry(table(program, ProgramField.SLOT_BONES), load<i32>(operands, 8));
  const bones = operands + 12;
  const mixRotate = at<T>(constraint, PathRow.MIX_ROTATE, lane);
  const mixX = at<T>(constraint, PathRow.MIX_X, lane), mixY = at<T>(constraint, PathRow.MIX_Y, lane);
  const rotateRule = load<i32>(data, PathField.ROTATE), spacingRule = load<i32>(data, PathField.SPACING);
  const tangents = rotateRule == RotateRule.TANGENT, scales = rotateRule == RotateRule.CHAIN_SCALE;
  const pointCount = tangents ? count : count + 1;

  const vertices = load<i32>(record, AttachmentField.VERTEX_COUNT);
  const curves = curvesOf(record);
  const points = scratch + SCRATCH_HEADER_BYTES;
  const ends = points + (<usize>vertices << 3);
  const spaces = ends + (<usize>curves << 2);
  const lengths = spaces + (<usize>(count + 2) << 2);
  const positions = lengths + (<usize>(count + 2) << 2);
  const segments = positions + <usize>(count + 2) * POSITION_BYTES;

  computePoints<T>(program, pose, slot, lane, record, slotBone, points);
  computeSpaces<T>(program, pose, lane, bones, pointCount, spacingRule, at<T>(constraint, PathRow.SPACING, lane), spaces, lengths);
  computePositions(
    record, curves, points, ends, spaces, positions, segments, pointCount, at<T>(constraint, PathRow.POSITION, lane),
    load<i32>(data, PathField.POSITION), spacingRule, tangents);

  let offset = load<f32>(data, PathField.OFFSET_ROTATION) * DEGREES_TO_RADIANS;
  const followsTip = offset == 0 && rotateRule == RotateRule.CHAIN;
  if (offset != 0) {
    const bone = appliedBone<T>(program, pose, slotBone);
    const det = at<T>(bone, BoneRow.A, lane) * at<T>(bone, BoneRow.D, lane) -
      at<T>(bone, BoneRow.B, lane) * at<T>(bone, BoneRow.C, lane);
    if (!(det > 0)) offset = -offset;
  }

  let headX = load<f32>(positions), headY = load<f32>(positions, 4);
  for (let i = 0; i < count; i++) {
    const index = entry(bones, i);
    const bone = appliedBone<T>(program, pose, index);
    modifyWorld<T, M>(program, pose, bone, index, onlyLane<M>(lane));
    const worldX = at<T>(bone, BoneRow.WORLD_X, lane), worldY = at<T>(bone, BoneRow.WORLD_Y, lane);
    setAt<T>(bone, BoneRow.WORLD_X, lane, worldX + (headX - worldX) * mixX);
    setAt<T>(bone, BoneRow.WORLD_Y, lane, worldY + (headY - worldY) * mixY);

    const position = positions + <usize>i * POSITION_BYTES;
    const next = position + POSITION_BYTES;
    // A tangent needs no next point behind the last bone.
    const hasNext = i + 1 < pointCount;
    const nextX = hasNext ? load<f32>(next) : headX, nextY = hasNext ? load<f32>(next, 4) : headY;
    const dx = nextX - headX, dy = nextY - headY;
    let a = at<T>(bone, BoneRow.A, lane), c = at<T>(bone, BoneRow.C, lane);
    if (scales) {
      const length = load<f32>(lengths + (<usize>i << 2));
      if (length != 0) {
        const s = (lengthOf<f32, i32>(dx, dy) / length - 1) * mixRotate + 1;
        a = bounded<f32>(a * s);
        c = bounded<f32>(c * s);
        setAt<T>(bone, BoneRow.A, lane, a);
        setAt<T>(bone, BoneRow.C, lane, c);
      }
    }
    headX = nextX;
    headY = nextY;
    if (!(mixRotate > 0)) continue;

    const b = at<T>(bone, BoneRow.B, lane), d = at<T>(bone, BoneRow.D, lane);
    let r: f32;
    if (tangents) {
      r = load<f32>(position, 8);
    } else if (load<f32>(spaces + (<usize>(i + 1) << 2)) == 0) {
      r = load<f32>(next, 8);
    } else {
      r = angleOf<f32, i32>(dy, dx);
    }
    r -= angleOf<f32, i32>(c, a);
    if (followsTip) {
      const cosine = cosOfRadians<f32>(r), sine = sinOfRadians<f32>(r);
      const length = load<f32>(table(program, ProgramField.BONE_LENGTHS) + (<usize>index << 2));
      headX = bounded<f32>(headX + (length * (cosine * a - sine * c) - dx) * mixRotate);
      headY = bounded<f32>(headY + (length * (sine * a + cosine * c) - dy) * mixRotate);
    } else {
      r += offset;
    }
    r = wrapRadians<f32, i32>(r) * mixRotate;
    const cosine = cosOfRadians<f32>(r), sine = sinOfRadians<f32>(r);
    setAt<T>(bone, BoneRow.A, lane, cosine * a - sine * c);
    setAt<T>(bone, BoneRow.B, lane, cosine * b - sine * d);
    setAt<T>(bone, BoneRow.C, lane, sine * a + cosine * c);
    setAt<T>(bone, BoneRow.D, lane, sine * b + cosine * d);
  }
}

@inline
function onlyLane<M>(lane: i32): M {
  if (isVector<M>()) {
    return i32x4.eq(i32x4.splat(lane), i32x4(0, 1, 2, 3));
  } else {
    return <M>-1;
  }
}

/** World places of the path's vertices, deformed and weighted. */
function computePoints<T>(
  program: usize, pose: usize, slot: usize, lane: i32, record: usize, slotBone: i32, points: usize,
): void {
  const vertices = load<i32>(record, AttachmentField.VERTEX_COUNT);
  const source = <usize>load<u32>(record, AttachmentField.VERTICES);
  const laneBytes = <usize>lane << 2;
  let deform: usize = 0;
  const deformCount = load<i32>(slot + SlotRow.DEFORM_COUNT * sizeof<T>() + laneBytes);
  if (deformCount > 0 && deformCount >= load<i32>(record, AttachmentField.DEFORM_LENGTH)) {
    deform = <usize>load<u32>(slot + SlotRow.DEFORM * sizeof<T>() + laneBytes);
  }

  if ((load<u32>(record, AttachmentField.FLAGS) & AttachmentFlag.WEIGHTED) == 0) {
    const bone = appliedBone<T>(program, pose, slotBone);
    const a = at<T>(bone, BoneRow.A, lane), b = at<T>(bone, BoneRow.B, lane);
    const c = at<T>(bone, BoneRow.C, lane), d = at<T>(bone, BoneRow.D, lane);
    const worldX = at<T>(bone, BoneRow.WORLD_X, lane), worldY = at<T>(bone, BoneRow.WORLD_Y, lane);
    const from = deform != 0 ? deform : source;
    for (let i: usize = 0, end = <usize>vertices << 3; i < end; i += 8) {
      const x = load<f32>(from + i), y = load<f32>(from + i, 4);
      store<f32>(points + i, bounded<f32>(a * x + b * y + worldX));
      store<f32>(points + i, bounded<f32>(c * x + d * y + worldY), 4);
    }
    return;
  }

  const starts = <usize>load<u32>(record, AttachmentField.STARTS);
  const rows = table(program, ProgramField.BONE_APPLIED);
  let influence = entry(starts, 0);
  for (let i = 0; i < vertices; i++) {
    const end = entry(starts, i + 1);
    let worldX: f32 = 0, worldY: f32 = 0;
    for (; influence < end; influence++) {
      const p = source + <usize>influence * INFLUENCE_BYTES;
      const weight = load<f32>(p, 8);
      let x = load<f32>(p), y = load<f32>(p, 4);
      if (deform != 0) {
        x += load<f32>(deform + (<usize>influence << 3)) * weight;
        y += load<f32>(deform + (<usize>influence << 3), 4) * weight;
      }
      const bone = rowAt<T>(pose, entry(rows, load<i32>(p, 12)));
      worldX += at<T>(bone, BoneRow.A, lane) * x + at<T>(bone, BoneRow.B, lane) * y + at<T>(bone, BoneRow.WORLD_X, lane) * weight;
      worldY += at<T>(bone, BoneRow.C, lane) * x + at<T>(bone, BoneRow.D, lane) * y + at<T>(bone, BoneRow.WORLD_Y, lane) * weight;
    }
    store<f32>(points + (<usize>i << 3), bounded<f32>(worldX));
    store<f32>(points + (<usize>i << 3), bounded<f32>(worldY), 4);
  }
}

/** Distance of each point from the one before it, in the units of the spacing mode; world length of each bone. */
function computeSpaces<T>(
  program: usize, pose: usize, lane: i32, bones: usize, pointCount: i32, rule: i32, spacing: f32, spaces: usize, lengths: usize,
): void {
  const boneLengths = table(program, ProgramField.BONE_LENGTHS);
  let sum: f32 = 0;
  store<f32>(spaces, 0);
  for (let i = 0; i < pointCount - 1; i++) {
    const index = entry(bones, i);
    const bone = appliedBone<T>(program, pose, index);
    const a = at<T>(bone, BoneRow.A, lane), c = at<T>(bone, BoneRow.C, lane);
    const axis = lengthOf<f32, i32>(a, c);
    const setup = load<f32>(boneLengths + (<usize>index << 2));
    let length = setup * axis;
    let space = spacing;
    if (rule != SpacingRule.PERCENT) {
      if (setup < EPSILON) {
        length = 0;
      } else if (rule == SpacingRule.LENGTH) {
        const total = setup + spacing;
        space = total > 0 ? total * axis : 0;
      } else if (rule == SpacingRule.FIXED) {
        space = spacing * axis;
      } else {
        space = length;
        sum += length;
      }
    }
    store<f32>(lengths + (<usize>i << 2), length);
    store<f32>(spaces + (<usize>(i + 1) << 2), space);
  }
  if (rule == SpacingRule.PROPORTIONAL && sum > 0) {
    const factor = <f32>pointCount / sum * spacing;
    for (let i = 1; i < pointCount; i++) {
      const p = spaces + (<usize>i << 2);
      store<f32>(p, load<f32>(p) * factor);
    }
  }
}

/** Places and directions of the points along the path. */
function computePositions(
  record: usize, curves: i32, points: usize, ends: usize, spaces: usize, positions: usize, segments: usize,
  pointCount: i32, start: f32, positionRule: i32, spacingRule: i32, tangents: bool,
): void {
  const flags = load<u32>(record, AttachmentField.FLAGS);
  const closed = (flags & AttachmentFlag.CLOSED) != 0;
  const constantSpeed = (flags & AttachmentFlag.CONSTANT_SPEED) != 0 ||
    load<i32>(record, AttachmentField.LENGTH_COUNT) < curves;
  // A path's vertices come in threes; a closed one leads from its last knot to its first.
  const vertices = load<i32>(record, AttachmentField.VERTEX_COUNT) / 3 * 3;
  if (constantSpeed) {
    measureCurves(points, vertices, curves, ends);
  } else {
    memory.copy(ends, <usize>load<u32>(record, AttachmentField.LENGTHS), <usize>curves << 2);
  }
  const pathLength = load<f32>(ends + (<usize>(curves - 1) << 2));
  const multiplier: f32 = spacingRule == SpacingRule.PERCENT ? pathLength
    : spacingRule == SpacingRule.PROPORTIONAL ? pathLength / <f32>pointCount : 1;
  let along = bounded<f32>(positionRule == PositionRule.PERCENT ? start * pathLength : start);
  let curve = 0, measured = -1, segment = 0;

  for (let i = 0; i < pointCount; i++) {
    const space = load<f32>(spaces + (<usize>i << 2)) * multiplier;
    along = bounded<f32>(along + space);
    let p = along;
    const out = positions + <usize>i * POSITION_BYTES;
    if (closed) {
      p = remainder(p, pathLength);
      if (p < 0) p += pathLength;
      curve = 0;
      segment = 0;
    } else if (p < 0) {
      placeBeyond(points, 1, 2, 1, p, out);
      continue;
    } else if (p > pathLength) {
      placeBeyond(points, vertices - 3, vertices - 2, vertices - 2, p - pathLength, out);
      continue;
    }
    while (curve < curves - 1 && p > load<f32>(ends + (<usize>curve << 2))) curve++;
    const before: f32 = curve == 0 ? 0 : load<f32>(ends + (<usize>(curve - 1) << 2));
    let t = ratio(p - before, load<f32>(ends + (<usize>curve << 2)) - before);
    if (constantSpeed) {
      if (measured != curve) {
        measureSegments(points, vertices, curve, segments);
        measured = curve;
        segment = 0;
      }
      const wanted = t * load<f32>(segments, (SEGMENTS - 1) * 4);
      while (segment < SEGMENTS - 1 && wanted > load<f32>(segments + (<usize>segment << 2))) segment++;
      const low: f32 = segment == 0 ? 0 : load<f32>(segments + (<usize>(segment - 1) << 2));
      t = (<f32>segment + ratio(wanted - low, load<f32>(segments + (<usize>segment << 2)) - low)) * 0.1;
    }
    placeOnCurve(points, vertices, curve, t, tangents || (i > 0 && space == 0), out);
  }
}

/** a / b, 0 where b is 0. */
@inline
function ratio(a: f32, b: f32): f32 {
  return Mathf.abs(b) < 1.1754944e-38 ? 0 : a / b;
}

/** What is left of a after whole multiples of b, with the sign of a; 0 where b is 0. */
@inline
function remainder(a: f32, b: f32): f32 {
  if (Mathf.abs(b) < 1.1754944e-38) return 0;
  return <f32>(<f64>a - Math.trunc(<f64>a / <f64>b) * <f64>b);
}

/** Address of vertex `i`, counted round a closed path. */
@inline
function vertexAt(points: usize, vertices: i32, i: i32): usize {
  return points + (<usize>(i >= vertices ? i - vertices : i) << 3);
}

/** A point on the straight line through two vertices, `distance` from `origin`. */
function placeBeyond(points: usize, from: i32, to: i32, origin: i32, distance: f32, out: usize): void {
  const a = points + (<usize>from << 3), b = points + (<usize>to << 3), o = points + (<usize>origin << 3);
  const angle = angleOf<f32, i32>(load<f32>(b, 4) - load<f32>(a, 4), load<f32>(b) - load<f32>(a));
  store<f32>(out, bounded<f32>(load<f32>(o) + distance * cosOfRadians<f32>(angle)));
  store<f32>(out, bounded<f32>(load<f32>(o, 4) + distance * sinOfRadians<f32>(angle)), 4);
  store<f32>(out, angle, 8);
}

/** Cumulative lengths of the curves, by four chords each. */
function measureCurves(points: usize, vertices: i32, curves: i32, ends: usize): void {
  let total: f32 = 0;
  for (let i = 0; i < curves; i++) {
    const q1 = vertexAt(points, vertices, i * 3 + 1), h1 = vertexAt(points, vertices, i * 3 + 2);
    const h2 = vertexAt(points, vertices, i * 3 + 3), q2 = vertexAt(points, vertices, i * 3 + 4);
    total += chordLength(q1, h1, h2, q2, 0, 0.25) + chordLength(q1, h1, h2, q2, 0.25, 0.5) +
      chordLength(q1, h1, h2, q2, 0.5, 0.75) + chordLength(q1, h1, h2, q2, 0.75, 1);
    store<f32>(ends + (<usize>i << 2), total);
  }
}

/** Cumulative lengths of ten chords of a curve. */
function measureSegments(points: usize, vertices: i32, curve: i32, segments: usize): void {
  const q1 = vertexAt(points, vertices, curve * 3 + 1), h1 = vertexAt(points, vertices, curve * 3 + 2);
  const h2 = vertexAt(points, vertices, curve * 3 + 3), q2 = vertexAt(points, vertices, curve * 3 + 4);
  let total: f32 = 0;
  for (let i = 0; i < SEGMENTS; i++) {
    total += chordLength(q1, h1, h2, q2, <f32>i * 0.1, <f32>(i + 1) * 0.1);
    store<f32>(segments + (<usize>i << 2), total);
  }
}

@inline
function bezier(q1: f32, h1: f32, h2: f32, q2: f32, t: f32): f32 {
  const u: f32 = 1 - t;
  return u * u * u * q1 + 3 * u * u * t * h1 + 3 * u * t * t * h2 + t * t * t * q2;
}

function chordLength(q1: usize, h1: usize, h2: usize, q2: usize, from: f32, to: f32): f32 {
  const dx = bezier(load<f32>(q1), load<f32>(h1), load<f32>(h2), load<f32>(q2), to) -
    bezier(load<f32>(q1), load<f32>(h1), load<f32>(h2), load<f32>(q2), from);
  const dy = bezier(load<f32>(q1, 4), load<f32>(h1, 4), load<f32>(h2, 4), load<f32>(q2, 4), to) -
    bezier(load<f32>(q1, 4), load<f32>(h1, 4), load<f32>(h2, 4), load<f32>(q2, 4), from);
  return lengthOf<f32, i32>(dx, dy);
}

/** The point of a curve at parameter t and, if wanted, its direction. */
function placeOnCurve(points: usize, vertices: i32, curve: i32, t: f32, wantsAngle: bool, out: usize): void {
  const p1 = vertexAt(points, vertices, curve * 3 + 1), p2 = vertexAt(points, vertices, curve * 3 + 2);
  const x1 = load<f32>(p1), y1 = load<f32>(p1, 4), hx1 = load<f32>(p2), hy1 = load<f32>(p2, 4);
  if (t == 0 || t != t) {
    store<f32>(out, x1);
    store<f32>(out, y1, 4);
    store<f32>(out, angleOf<f32, i32>(hy1 - y1, hx1 - x1), 8);
    return;
  }
  const p3 = vertexAt(points, vertices, curve * 3 + 3), p4 = vertexAt(points, vertices, curve * 3 + 4);
  const hx2 = load<f32>(p3), hy2 = load<f32>(p3, 4);
  const x = bounded<f32>(bezier(x1, hx1, hx2, load<f32>(p4), t)), y = bounded<f32>(bezier(y1, hy1, hy2, load<f32>(p4, 4), t));
  store<f32>(out, x);
  store<f32>(out, y, 4);
  if (!wantsAngle) return;
  if (t < 0.001) {
    store<f32>(out, angleOf<f32, i32>(hy1 - y1, hx1 - x1), 8);
    return;
  }
  const u: f32 = 1 - t;
  store<f32>(out, angleOf<f32, i32>(
    y - (y1 * u * u + hy1 * u * t * 2 + hy2 * t * t), x - (x1 * u * u + hx1 * u * t * 2 + hx2 * t * t)), 8);
}
