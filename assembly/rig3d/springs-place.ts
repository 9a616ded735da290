/**
 * Spring bones: from the poses of four characters to rows, and back.
 *
 * Layout   layout/springs.ts. `particles` is the first particle of a chain in a group.
 * Requires the worlds and world rotations of the four poses are computed.
 * Ensures  no trigonometry: rotations between two are those of math/quaternion.ts' slerp.
 * Source   see springs.ts.
 */
import { GROUP_BYTES, Local, MATRIX_BYTES, QUATERNION_BYTES } from "../layout/rig3d";
import { ROW_BYTES } from "../layout/heap";
import {
  ColliderRow, Particle, SPRING_COLLIDER_BYTES, SPRING_COLLIDER_ROW_BYTES, SPRING_PARTICLE_BYTES, SpringChain, SpringCollider, SpringFlag, SpringGroup, SpringShape,
  Springs,
} from "../layout/springs";
import { dot4, lerp, mulW, mulX, mulY, mulZ, reciprocalRoot, signBit, slerpWeight } from "../math/quaternion";
import { turnX, turnY, turnZ } from "../math/turn";
import { highHalves, highPairs, lowHalves, lowPairs } from "../math/transpose";

@inline
export function rowAt(p: usize, row: usize): v128 {
  return v128.load(p + row * ROW_BYTES);
}

@inline
export function copyRows(to: usize, from: usize, rows: i32): void {
  for (let i: usize = 0; i < <usize>rows * ROW_BYTES; i += ROW_BYTES) v128.store(to + i, v128.load(from + i));
}

/** The three or four registers of one component each, from one vector a lane. */
@inline
function transposed(a: v128, b: v128, c: v128, d: v128, k: u8): v128 {
  // [ax bx cx dx] and so on
  const low = k < 2;
  const ab = low ? lowPairs(a, b) : highPairs(a, b);
  const cd = low ? lowPairs(c, d) : highPairs(c, d);
  return (k & 1) == 0 ? lowHalves(ab, cd) : highHalves(ab, cd);
}

@inline
function pointerOf(group: usize, row: usize, lane: usize): usize {
  return load<u32>(group + row * ROW_BYTES + (lane << 2));
}

/** Address of a bone's matrix in the world of a lane. */
@inline
function matrixOf(group: usize, lane: usize, bone: i32): usize {
  return pointerOf(group, SpringGroup.WORLD, lane) + bone * MATRIX_BYTES;
}

/** A point of a bone's space in the model space of a lane. */
@inline
function placed(m: usize, x: v128, y: v128, z: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load(m, 0), x), f32x4.mul(v128.load(m, 16), y)), f32x4.add(f32x4.mul(v128.load(m, 32), z), v128.load(m, 48)));
}

@inline
function storeThree(to: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store(to, transposed(a, b, c, d, 0), 0);
  v128.store(to, transposed(a, b, c, d, 1), 16);
  v128.store(to, transposed(a, b, c, d, 2), 32);
}

@inline
function readRotations(group: usize, bone: i32, to: usize): void {
  const o = bone * QUATERNION_BYTES;
  const a = v128.load(pointerOf(group, SpringGroup.ROTATIONS, 0) + o), b = v128.load(pointerOf(group, SpringGroup.ROTATIONS, 1) + o);
  const c = v128.load(pointerOf(group, SpringGroup.ROTATIONS, 2) + o), d = v128.load(pointerOf(group, SpringGroup.ROTATIONS, 3) + o);
  storeThree(to, a, b, c, d);
  v128.store(to, transposed(a, b, c, d, 3), 48);
}

/** Places of a bone's point in four lanes. */
@inline
function readPoints(group: usize, bone: i32, x: v128, y: v128, z: v128, to: usize): void {
  storeThree(
    to, placed(matrixOf(group, 0, bone), x, y, z), placed(matrixOf(group, 1, bone), x, y, z), placed(matrixOf(group, 2, bone), x, y, z),
    placed(matrixOf(group, 3, bone), x, y, z));
}

/** Animated places and rotations of a chain's particles. */
export function readChain(chain: usize, group: usize, particles: usize): void {
  const count = load<i32>(chain, SpringChain.COUNT);
  const bones: usize = load<u32>(chain, SpringChain.BONES);
  let last = 0, p = particles;
  for (let i = 0; i < count; i++) {
    const bone = load<i32>(bones + (<usize>i << 2));
    if (bone >= 0) {
      storeThree(
        p + Particle.A, v128.load(matrixOf(group, 0, bone), 48), v128.load(matrixOf(group, 1, bone), 48), v128.load(matrixOf(group, 2, bone), 48),
        v128.load(matrixOf(group, 3, bone), 48));
      last = bone;
    } else {
      readPoints(
        group, last, v128.load32_splat(chain, SpringChain.END), v128.load32_splat(chain, SpringChain.END + 4), v128.load32_splat(chain, SpringChain.END + 8),
        p + Particle.A);
    }
    readRotations(group, last, p + Particle.R);
    p += SPRING_PARTICLE_BYTES;
  }
}

/** Longest of the three columns of a bone's matrix, in four lanes. */
@inline
function scaleOf(group: usize, bone: i32): v128 {
  return f32x4.sqrt(f32x4.pmax(columnSquare(group, bone, 0), f32x4.pmax(columnSquare(group, bone, 16), columnSquare(group, bone, 32))));
}

@inline
function columnSquare(group: usize, bone: i32, column: usize): v128 {
  const a = v128.load(matrixOf(group, 0, bone) + column), b = v128.load(matrixOf(group, 1, bone) + column);
  const c = v128.load(matrixOf(group, 2, bone) + column), d = v128.load(matrixOf(group, 3, bone) + column);
  const aa = f32x4.mul(a, a), bb = f32x4.mul(b, b), cc = f32x4.mul(c, c), dd = f32x4.mul(d, d);
  return f32x4.add(f32x4.add(transposed(aa, bb, cc, dd, 0), transposed(aa, bb, cc, dd, 1)), transposed(aa, bb, cc, dd, 2));
}

/** Ends and radii of the colliders; those in the world have been written. What starts was always where it is. */
export function readColliders(settings: usize, group: usize, rows: usize, starting: v128, moved: v128): void {
  const count = load<i32>(settings, Springs.COLLIDER_COUNT);
  let collider: usize = load<u32>(settings, Springs.COLLIDERS);
  for (let k = 0; k < count; k++) {
    const bone = load<i32>(collider, SpringCollider.BONE);
    let radius = v128.load32_splat(collider, SpringCollider.RADIUS);
    if (bone >= 0) {
      const e = collider + SpringCollider.ENDS;
      readPoints(group, bone, v128.load32_splat(e, 0), v128.load32_splat(e, 4), v128.load32_splat(e, 8), rows + ColliderRow.NOW);
      if (load<i32>(collider, SpringCollider.SHAPE) != SpringShape.SPHERE) {
        readPoints(group, bone, v128.load32_splat(e, 12), v128.load32_splat(e, 16), v128.load32_splat(e, 20), rows + ColliderRow.NOW + 48);
      } else {
        copyRows(rows + ColliderRow.NOW + 48, rows + ColliderRow.NOW, 3);
      }
      radius = f32x4.mul(radius, scaleOf(group, bone));
    }
    v128.store(rows, radius, ColliderRow.RADIUS);
    if (v128.any_true(moved)) {
      movePoint(group, rows + ColliderRow.FROM, moved);
      movePoint(group, rows + ColliderRow.FROM + 48, moved);
    }
    for (let row: usize = 0; row < 6; row++) {
      const from = rows + ColliderRow.FROM + row * ROW_BYTES;
      v128.store(from, v128.bitselect(rowAt(rows + ColliderRow.NOW, row), v128.load(from), starting));
    }
    collider += SPRING_COLLIDER_BYTES;
    rows += SPRING_COLLIDER_ROW_BYTES;
  }
}

/** A point of the model space before, here, in the lanes that moved: the others keep their bits. */
@inline
function movePoint(group: usize, p: usize, moved: v128): void {
  const turn = group + SpringGroup.TURN * ROW_BYTES, shift = group + SpringGroup.SHIFT * ROW_BYTES;
  const qx = rowAt(turn, 0), qy = rowAt(turn, 1), qz = rowAt(turn, 2), qw = rowAt(turn, 3);
  const x = rowAt(p, 0), y = rowAt(p, 1), z = rowAt(p, 2);

  v128.store(p, v128.bitselect(f32x4.add(turnX(qx, qy, qz, qw, x, y, z), rowAt(shift, 0)), x, moved), 0);
  v128.store(p, v128.bitselect(f32x4.add(turnY(qx, qy, qz, qw, x, y, z), rowAt(shift, 1)), y, moved), 16);
  v128.store(p, v128.bitselect(f32x4.add(turnZ(qx, qy, qz, qw, x, y, z), rowAt(shift, 2)), z, moved), 32);
}

/** rotation at p = the rotation at q times it, in the lanes of a mask */
@inline
function turnRotation(q: usize, p: usize, mask: v128): void {
  const ax = rowAt(q, 0), ay = rowAt(q, 1), az = rowAt(q, 2), aw = rowAt(q, 3);
  const bx = rowAt(p, 0), by = rowAt(p, 1), bz = rowAt(p, 2), bw = rowAt(p, 3);
  storeUnit(
    p, mulX(ax, ay, az, aw, bx, by, bz, bw), mulY(ax, ay, az, aw, bx, by, bz, bw), mulZ(ax, ay, az, aw, bx, by, bz, bw),
    mulW(ax, ay, az, aw, bx, by, bz, bw));
  v128.store(p, v128.bitselect(v128.load(p, 0), bx, mask), 0);
  v128.store(p, v128.bitselect(v128.load(p, 16), by, mask), 16);
  v128.store(p, v128.bitselect(v128.load(p, 32), bz, mask), 32);
  v128.store(p, v128.bitselect(v128.load(p, 48), bw, mask), 48);
}

@inline
export function storeUnit(p: usize, x: v128, y: v128, z: v128, w: v128): void {
  const k = reciprocalRoot(dot4(x, y, z, w, x, y, z, w));
  v128.store(p, f32x4.mul(x, k), 0);
  v128.store(p, f32x4.mul(y, k), 16);
  v128.store(p, f32x4.mul(z, k), 32);
  v128.store(p, f32x4.mul(w, k), 48);
}

/** What is known from before, in the model space of now. */
export function bringHere(chain: usize, group: usize, particles: usize, anchor: usize, moved: v128): void {
  const turn = group + SpringGroup.TURN * ROW_BYTES;
  let p = particles;
  movePoint(group, anchor, moved);
  for (let i = load<i32>(chain, SpringChain.COUNT); i > 0; i--) {
    movePoint(group, p + Particle.X, moved);
    movePoint(group, p + Particle.OLD, moved);
    movePoint(group, p + Particle.FROM_A, moved);
    turnRotation(turn, p + Particle.S, moved);
    turnRotation(turn, p + Particle.FROM_R, moved);
    p += SPRING_PARTICLE_BYTES;
  }
}

/** Puts the particles of the lanes in `starting` on the animation, at rest. */
export function startChain(chain: usize, particles: usize, anchor: usize, starting: v128): void {
  let p = particles;
  selectRows(anchor, particles + Particle.A, 3, starting);
  for (let i = load<i32>(chain, SpringChain.COUNT); i > 0; i--) {
    selectRows(p + Particle.X, p + Particle.A, 3, starting);
    selectRows(p + Particle.OLD, p + Particle.A, 3, starting);
    selectRows(p + Particle.S, p + Particle.R, 4, starting);
    selectRows(p + Particle.FROM_A, p + Particle.A, 7, starting);
    v128.store(p, v128.andnot(v128.load(p, Particle.TOUCHED), starting), Particle.TOUCHED);
    p += SPRING_PARTICLE_BYTES;
  }
}

@inline
function selectRows(to: usize, from: usize, rows: i32, mask: v128): void {
  for (let i: usize = 0; i < <usize>rows * ROW_BYTES; i += ROW_BYTES) v128.store(to + i, v128.bitselect(v128.load(from + i), v128.load(to + i), mask));
}

/** Takes chains along whose anchor jumped further than the threshold; returns which lanes. */
export function followTeleport(settings: usize, chain: usize, particles: usize, anchor: usize): v128 {
  const count = load<i32>(chain, SpringChain.COUNT);
  const x = rowAt(particles + Particle.A, 0), y = rowAt(particles + Particle.A, 1), z = rowAt(particles + Particle.A, 2);
  const mx = f32x4.sub(x, rowAt(anchor, 0)), my = f32x4.sub(y, rowAt(anchor, 1)), mz = f32x4.sub(z, rowAt(anchor, 2));
  const square = f32x4.add(f32x4.add(f32x4.mul(mx, mx), f32x4.mul(my, my)), f32x4.mul(mz, mz));
  copyRows(anchor, particles + Particle.A, 3);
  let limit = v128.load32_splat(settings, Springs.TELEPORT);
  if (load<f32>(settings, Springs.TELEPORT) == 0) {
    // A jump of less than this is none, however short the chain: most updates need no lengths.
    if (!v128.any_true(f32x4.gt(square, f32x4.splat(0)))) return i32x4.splat(0);
    limit = f32x4.splat(0);
    let p = particles;
    for (let i = 1; i < count; i++) {
      const dx = f32x4.sub(rowAt(p + SPRING_PARTICLE_BYTES + Particle.A, 0), rowAt(p + Particle.A, 0));
      const dy = f32x4.sub(rowAt(p + SPRING_PARTICLE_BYTES + Particle.A, 1), rowAt(p + Particle.A, 1));
      const dz = f32x4.sub(rowAt(p + SPRING_PARTICLE_BYTES + Particle.A, 2), rowAt(p + Particle.A, 2));
      limit = f32x4.add(limit, f32x4.sqrt(f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz))));
      p += SPRING_PARTICLE_BYTES;
    }
    limit = f32x4.mul(limit, f32x4.splat(8));
  }
  const jumped = v128.and(f32x4.gt(square, f32x4.mul(limit, limit)), f32x4.gt(limit, f32x4.splat(0)));
  if (v128.any_true(jumped)) carryAlong(count, particles, jumped);
  return jumped;
}

/** Moves shape and motion rigidly with the anchor, in the lanes of a mask; what follows sees it at rest. */
function carryAlong(count: i32, particles: usize, mask: v128): void {
  const r = particles + Particle.R, f = particles + Particle.FROM_R;
  const ax = rowAt(r, 0), ay = rowAt(r, 1), az = rowAt(r, 2), aw = rowAt(r, 3);
  const bx = f32x4.neg(rowAt(f, 0)), by = f32x4.neg(rowAt(f, 1)), bz = f32x4.neg(rowAt(f, 2)), bw = rowAt(f, 3);
  const qx = mulX(ax, ay, az, aw, bx, by, bz, bw), qy = mulY(ax, ay, az, aw, bx, by, bz, bw);
  const qz = mulZ(ax, ay, az, aw, bx, by, bz, bw), qw = mulW(ax, ay, az, aw, bx, by, bz, bw);
  const fx = rowAt(particles + Particle.FROM_A, 0), fy = rowAt(particles + Particle.FROM_A, 1), fz = rowAt(particles + Particle.FROM_A, 2);
  const tx = rowAt(particles + Particle.A, 0), ty = rowAt(particles + Particle.A, 1), tz = rowAt(particles + Particle.A, 2);
  let p = particles;
  for (let i = 0; i < count; i++) {
    for (let pass: usize = 0; pass < 2; pass++) {
      const at = p + (pass == 0 ? Particle.X : Particle.OLD);
      const x = f32x4.sub(rowAt(at, 0), fx), y = f32x4.sub(rowAt(at, 1), fy), z = f32x4.sub(rowAt(at, 2), fz);
      v128.store(at, v128.bitselect(f32x4.add(tx, turnX(qx, qy, qz, qw, x, y, z)), rowAt(at, 0), mask), 0);
      v128.store(at, v128.bitselect(f32x4.add(ty, turnY(qx, qy, qz, qw, x, y, z)), rowAt(at, 1), mask), 16);
      v128.store(at, v128.bitselect(f32x4.add(tz, turnZ(qx, qy, qz, qw, x, y, z)), rowAt(at, 2), mask), 32);
    }
    const s = p + Particle.S, sx = rowAt(s, 0), sy = rowAt(s, 1), sz = rowAt(s, 2), sw = rowAt(s, 3);
    v128.store(s, v128.bitselect(mulX(qx, qy, qz, qw, sx, sy, sz, sw), sx, mask), 0);
    v128.store(s, v128.bitselect(mulY(qx, qy, qz, qw, sx, sy, sz, sw), sy, mask), 16);
    v128.store(s, v128.bitselect(mulZ(qx, qy, qz, qw, sx, sy, sz, sw), sz, mask), 32);
    v128.store(s, v128.bitselect(mulW(qx, qy, qz, qw, sx, sy, sz, sw), sw, mask), 48);
    selectRows(p + Particle.FROM_A, p + Particle.A, 7, mask);
    p += SPRING_PARTICLE_BYTES;
  }
}

/** Rotation between those at a and b, at weight t, to `to`; the shortest way. */
@inline
export function slerpRows(a: usize, b: usize, t: v128, to: usize): void {
  const ax = rowAt(a, 0), ay = rowAt(a, 1), az = rowAt(a, 2), aw = rowAt(a, 3);
  const bx = rowAt(b, 0), by = rowAt(b, 1), bz = rowAt(b, 2), bw = rowAt(b, 3);
  const cosine = dot4(ax, ay, az, aw, bx, by, bz, bw), flip = signBit(cosine);
  const xm1 = f32x4.sub(f32x4.pmin(f32x4.splat(1), f32x4.abs(cosine)), f32x4.splat(1));
  const near = slerpWeight(f32x4.sub(f32x4.splat(1), t), xm1), far = v128.xor(slerpWeight(t, xm1), flip);

  storeUnit(
    to, f32x4.add(f32x4.mul(ax, near), f32x4.mul(bx, far)), f32x4.add(f32x4.mul(ay, near), f32x4.mul(by, far)),
    f32x4.add(f32x4.mul(az, near), f32x4.mul(bz, far)), f32x4.add(f32x4.mul(aw, near), f32x4.mul(bw, far)));
}

/** Animated places and rotations on the way since the last step, to rows A and R of the particles at `to`. */
export function interpolateAnchors(chain: usize, particles: usize, fraction: f32, to: usize): void {
  const t = f32x4.splat(fraction);
  let p = particles;
  for (let i = load<i32>(chain, SpringChain.COUNT); i > 0; i--) {
    for (let row: usize = 0; row < 3; row++) v128.store(to + Particle.A + row * ROW_BYTES, lerp(rowAt(p + Particle.FROM_A, row), rowAt(p + Particle.A, row), t));
    slerpRows(p + Particle.FROM_R, p + Particle.R, t, to + Particle.R);
    p += SPRING_PARTICLE_BYTES;
    to += SPRING_PARTICLE_BYTES;
  }
}

export function interpolateColliders(rows: usize, count: i32, fraction: f32, to: usize): void {
  const t = f32x4.splat(fraction);
  for (let k = 0; k < count; k++) {
    for (let row: usize = 0; row < 6; row++) {
      v128.store(to + ColliderRow.NOW + row * ROW_BYTES, lerp(rowAt(rows + ColliderRow.FROM, row), rowAt(rows + ColliderRow.NOW, row), t));
    }
    rows += SPRING_COLLIDER_ROW_BYTES;
    to += SPRING_COLLIDER_ROW_BYTES;
  }
}

/** What the next update starts from: the anchors of the last step. */
export function keepChain(chain: usize, at: usize, particles: usize): void {
  let p = particles;
  for (let i = load<i32>(chain, SpringChain.COUNT); i > 0; i--) {
    copyRows(p + Particle.FROM_A, at + Particle.A, 7);
    p += SPRING_PARTICLE_BYTES;
    at += SPRING_PARTICLE_BYTES;
  }
}

export function keepColliders(rows: usize, count: i32, end: f32): void {
  const t = f32x4.splat(end);
  for (let k = 0; k < count; k++) {
    for (let row: usize = 0; row < 6; row++) {
      const from = rows + ColliderRow.FROM + row * ROW_BYTES;
      v128.store(from, lerp(v128.load(from), rowAt(rows + ColliderRow.NOW, row), t));
    }
    rows += SPRING_COLLIDER_ROW_BYTES;
  }
}

/** Local rotations of the chain's heads, between the animation and the simulation by the weights of the lanes. */
export function writeChain(chain: usize, group: usize, particles: usize, scratch: usize): void {
  const heads = load<i32>(chain, SpringChain.COUNT) - 1;
  const bones: usize = load<u32>(chain, SpringChain.BONES);
  const weight = rowAt(group, SpringGroup.WEIGHT);
  const fading = f32x4.lt(weight, f32x4.splat(1)), partial = v128.any_true(fading);
  readRotations(group, load<i32>(chain, SpringChain.PARENT), scratch);
  let parent = scratch, p = particles;
  for (let j = 0; j < heads; j++) {
    const s = p + Particle.S, bone = load<i32>(bones + (<usize>j << 2));
    const ax = f32x4.neg(rowAt(parent, 0)), ay = f32x4.neg(rowAt(parent, 1)), az = f32x4.neg(rowAt(parent, 2)), aw = rowAt(parent, 3);
    const bx = rowAt(s, 0), by = rowAt(s, 1), bz = rowAt(s, 2), bw = rowAt(s, 3);
    const out = scratch + 64, old = scratch + 128;
    storeUnit(
      out, mulX(ax, ay, az, aw, bx, by, bz, bw), mulY(ax, ay, az, aw, bx, by, bz, bw), mulZ(ax, ay, az, aw, bx, by, bz, bw),
      mulW(ax, ay, az, aw, bx, by, bz, bw));
    const at: usize = <usize>(bone >> 2) * GROUP_BYTES + (<usize>(bone & 3) << 2);
    if (partial) {
      for (let lane: usize = 0; lane < 4; lane++) {
        const local = pointerOf(group, SpringGroup.LOCAL, lane) + at;
        store<f32>(old + (lane << 2), load<f32>(local, Local.QX * ROW_BYTES), 0);
        store<f32>(old + (lane << 2), load<f32>(local, Local.QY * ROW_BYTES), 16);
        store<f32>(old + (lane << 2), load<f32>(local, Local.QZ * ROW_BYTES), 32);
        store<f32>(old + (lane << 2), load<f32>(local, Local.QW * ROW_BYTES), 48);
      }
      slerpRows(old, out, weight, old);
      selectRows(out, old, 4, fading);
    }
    for (let lane: usize = 0; lane < 4; lane++) {
      if (load<f32>(group + SpringGroup.WEIGHT * ROW_BYTES + (lane << 2)) == 0) continue;
      const local = pointerOf(group, SpringGroup.LOCAL, lane) + at;
      store<f32>(local, load<f32>(out + (lane << 2), 0), Local.QX * ROW_BYTES);
      store<f32>(local, load<f32>(out + (lane << 2), 16), Local.QY * ROW_BYTES);
      store<f32>(local, load<f32>(out + (lane << 2), 32), Local.QZ * ROW_BYTES);
      store<f32>(local, load<f32>(out + (lane << 2), 48), Local.QW * ROW_BYTES);
    }
    parent = s;
    p += SPRING_PARTICLE_BYTES;
  }
}
