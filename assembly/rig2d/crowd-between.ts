/**
 * Instances that are shown between their two latest poses.
 *
 * Layout   layout/crowd.ts, BetweenField: header, older palette row, newer palette row, slot states of the newer pose, marks of bones;
 *          rows padded to 16 bytes. Palette row: a b c d x y per bone.
 * Requires 16-byte aligned blocks; INTERVAL > 0; parents before their children.
 * Ensures  beginBetween: what was the newer pose is the older one, its slot states are shown. markTurns: marks and TURNS.
 *          showBetween: the palette row and, with the first pose, the slot states. Nothing of other instances.
 * Source   matrices are interpolated component by component, in the time that two poses are apart: half-way of a turn by t this
 *          shrinks a bone to cos(t / 2). Bones that turn by more than 90 degrees, and those below them, are turned instead:
 *          M = R(u) lerp(R(-u0) M0, R(-u1) M1) with unit vectors u0 and u1 of their rotations and u the normalized way between
 *          them, and keep their way in the space of the parent.
 */
import { BETWEEN_HEADER_BYTES, BetweenField, CrowdField, InstanceField } from "../layout/crowd";

/** Bytes of a bone in a palette row. */
const BONE: usize = 24;

/** Bytes of a row of `bytes`, padded. */
@inline
function padded(bytes: u32): usize {
  return <usize>((bytes + 15) & ~15);
}

/** Where the newer pose's palette row goes. */
@inline
export function newerPalette(crowd: usize, between: usize): usize {
  return between + BETWEEN_HEADER_BYTES + padded(load<u32>(crowd, CrowdField.PALETTE_STRIDE));
}

/** Where the newer pose's slot states go. */
@inline
export function newerSlots(crowd: usize, between: usize): usize {
  return between + BETWEEN_HEADER_BYTES + (padded(load<u32>(crowd, CrowdField.PALETTE_STRIDE)) << 1);
}

/** A new pose comes: the newer one becomes the older one, and its slot states are shown in `slots` (0: nobody wants them). */
export function beginBetween(crowd: usize, between: usize, slots: usize): void {
  const poses = load<u32>(between, BetweenField.POSES);
  if (poses > 0) {
    const bytes = padded(load<u32>(crowd, CrowdField.PALETTE_STRIDE)), older = between + BETWEEN_HEADER_BYTES;
    memory.copy(older, older + bytes, bytes);
    if (slots != 0) memory.copy(slots, older + (bytes << 1), <usize>load<u32>(crowd, CrowdField.SLOTS_STRIDE));
  }
  if (poses < 2) store<u32>(between, poses + 1, BetweenField.POSES);
}

/** Marks of the bones. */
@inline
function marksOf(crowd: usize, between: usize): usize {
  return newerSlots(crowd, between) + padded(load<u32>(crowd, CrowdField.SLOTS_STRIDE));
}

/** [x0 x1 x2 x3] -> [x0 + x2, x1 + x3, ..]: of products of two matrices the products of their axes. */
@inline
function axes(products: v128): v128 {
  return f32x4.add(products, v128.shuffle<f32>(products, products, 2, 3, 0, 1));
}

/** Looks for bones that turn far from the older to the newer pose. `parents`: i32 per bone. */
export function markTurns(crowd: usize, between: usize, parents: usize): void {
  store<u32>(between, 0, BetweenField.TURNS);
  if (load<u32>(between, BetweenField.POSES) < 2) return;
  const count = load<u32>(crowd, CrowdField.BONE_COUNT);
  const marks = marksOf(crowd, between);
  let older = between + BETWEEN_HEADER_BYTES, newer = newerPalette(crowd, between);
  let turns: u32 = 0;
  for (let i: u32 = 0; i < count; i++, older += BONE, newer += BONE) {
    const m0 = v128.load(older), m1 = v128.load(newer);
    // Negative where the x axes are more than a right angle apart.
    const cosine = f32x4.extract_lane(axes(f32x4.mul(m0, m1)), 0);
    const parent = load<i32>(parents + (<usize>i << 2));
    const isMarked = (cosine < 0) | (parent >= 0 && load<u8>(marks + <usize>parent) != 0);
    store<u8>(marks + <usize>i, <u8>isMarked);
    turns += <u32>isMarked;
  }
  store<u32>(between, turns, BetweenField.TURNS);
}

/** Shows an instance in its rows. */
export function showBetween(crowd: usize, instance: usize, palette: usize, slots: usize, parents: usize): void {
  const between = <usize>load<u32>(instance, InstanceField.BETWEEN);
  const poses = load<u32>(between, BetweenField.POSES);
  if (poses == 0) return;
  const stride = <usize>load<u32>(crowd, CrowdField.PALETTE_STRIDE), bytes = padded(<u32>stride);
  const older = between + BETWEEN_HEADER_BYTES, newer = older + bytes;
  if (poses == 1) {
    memory.copy(palette, newer, stride);
    if (slots != 0) memory.copy(slots, newer + bytes, <usize>load<u32>(crowd, CrowdField.SLOTS_STRIDE));
    return;
  }
  const part = min<f64>(1, load<f64>(instance, InstanceField.AGE) / load<f64>(instance, InstanceField.INTERVAL));
  const weight = f32x4.splat(<f32>part);
  // A row is a whole number of pairs of floats: four at a time, then two.
  let at: usize = 0;
  for (; at + 16 <= stride; at += 16) {
    const from = v128.load(older + at);
    v128.store(palette + at, f32x4.add(from, f32x4.mul(f32x4.sub(v128.load(newer + at), from), weight)));
  }
  if (at < stride) {
    const from = v128.load64_zero(older + at);
    v128.store64_lane(palette + at, f32x4.add(from, f32x4.mul(f32x4.sub(v128.load64_zero(newer + at), from), weight)), 0);
  }  if (load<u32>(between, BetweenField.TURNS) == 0) return;
  const marks = marksOf(crowd, between), count = load<u32>(crowd, CrowdField.BONE_COUNT);
  for (let i: usize = 0; i < <usize>count; i++) {
    if (load<u8>(marks + i) == 0) continue;
    turnBone(older, newer, palette, i, load<i32>(parents + (i << 2)), <f32>part);
  }
}

/** Interpolates one bone by turning it; its parent is in place. */
function turnBone(olderRow: usize, newerRow: usize, palette: usize, i: usize, parent: i32, t: f32): void {
  const older = olderRow + i * BONE, newer = newerRow + i * BONE, to = palette + i * BONE;
  const a0 = load<f32>(older), b0 = load<f32>(older, 4), c0 = load<f32>(older, 8), d0 = load<f32>(older, 12);
  const a1 = load<f32>(newer), b1 = load<f32>(newer, 4), c1 = load<f32>(newer, 8), d1 = load<f32>(newer, 12);
  const det0 = a0 * d0 - b0 * c0, det1 = a1 * d1 - b1 * c1;
  // What is mirrored on the way goes through a line, as its components do.
  if (det0 * det1 > 0) {
    const flip: f32 = det0 < 0 ? -1 : 1;
    let x0: f32 = a0 + flip * d0, y0: f32 = c0 - flip * b0, x1: f32 = a1 + flip * d1, y1: f32 = c1 - flip * b1;
    const length0 = sqrt<f32>(x0 * x0 + y0 * y0), length1 = sqrt<f32>(x1 * x1 + y1 * y1);
    x0 /= length0; y0 /= length0; x1 /= length1; y1 /= length1;
    let x: f32 = x0 + (x1 - x0) * t, y: f32 = y0 + (y1 - y0) * t;
    const length = sqrt<f32>(x * x + y * y);
    // Of a half turn nobody knows which way it goes.
    if (length < 0.001) {
      x = t < 0.5 ? x0 : x1;
      y = t < 0.5 ? y0 : y1;
    } else {
      x /= length;
      y /= length;
    }
    const a = lerp(x0 * a0 + y0 * c0, x1 * a1 + y1 * c1, t), b = lerp(x0 * b0 + y0 * d0, x1 * b1 + y1 * d1, t);
    const c = lerp(x0 * c0 - y0 * a0, x1 * c1 - y1 * a1, t), d = lerp(x0 * d0 - y0 * b0, x1 * d1 - y1 * b1, t);
    store<f32>(to, x * a - y * c);
    store<f32>(to, x * b - y * d, 4);
    store<f32>(to, y * a + x * c, 8);
    store<f32>(to, y * b + x * d, 12);
  }
  if (parent < 0) return;
  const p0 = olderRow + <usize>parent * BONE, p1 = newerRow + <usize>parent * BONE, p = palette + <usize>parent * BONE;
  const e0 = determinant(p0), e1 = determinant(p1);
  if (abs<f32>(e0) < 1e-8 || abs<f32>(e1) < 1e-8) return;
  const dx0 = load<f32>(older, 16) - load<f32>(p0, 16), dy0 = load<f32>(older, 20) - load<f32>(p0, 20);
  const dx1 = load<f32>(newer, 16) - load<f32>(p1, 16), dy1 = load<f32>(newer, 20) - load<f32>(p1, 20);
  const x = lerp((load<f32>(p0, 12) * dx0 - load<f32>(p0, 4) * dy0) / e0, (load<f32>(p1, 12) * dx1 - load<f32>(p1, 4) * dy1) / e1, t);
  const y = lerp((load<f32>(p0) * dy0 - load<f32>(p0, 8) * dx0) / e0, (load<f32>(p1) * dy1 - load<f32>(p1, 8) * dx1) / e1, t);
  store<f32>(to, load<f32>(p) * x + load<f32>(p, 4) * y + load<f32>(p, 16), 16);
  store<f32>(to, load<f32>(p, 8) * x + load<f32>(p, 12) * y + load<f32>(p, 20), 20);
}

@inline
function lerp(a: f32, b: f32, t: f32): f32 {
  return a + (b - a) * t;
}

@inline
function determinant(m: usize): f32 {
  return load<f32>(m) * load<f32>(m, 12) - load<f32>(m, 4) * load<f32>(m, 8);
}
