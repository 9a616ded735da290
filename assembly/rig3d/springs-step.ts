/**
 * Spring bones: one step of the particles of a chain, for four characters.
 *
 * Layout   layout/springs.ts. `at` holds the animated places and rotations of the moment in rows A and R of its particles, `ends`
 *          the ends of the colliders.
 * Requires a chain of two particles at least.
 * Ensures  finite places for finite input: no length is divided by that may be 0.
 * Source   src/anim/dynamic-bone/step.ts. D, the rotation of a simulated head away from its animated one, is all that the next
 *          particle needs of the one before: with S = D R, the rest direction B conj(R) e of the specification is D e.
 */
import { ROW_BYTES } from "../layout/heap";
import {
  Particle, SPRING_JOINT_BYTES, SPRING_PARTICLE_BYTES, SpringChain, SpringGroup, SpringJoint, Springs,
} from "../layout/springs";
import { dot4, mulW, mulX, mulY, mulZ, reciprocalRoot, slerpWeight } from "../math/quaternion";
import { dot3, turnX, turnY, turnZ } from "../math/turn";
import { collide, keepLength, TINY } from "./springs-collide";
import { copyRows, rowAt } from "./springs-place";

/** Brings the anchor to its place, and its particles along as far as the responses want. */
export function moveAnchor(settings: usize, chain: usize, group: usize, particles: usize, before: usize, at: usize, teleported: v128, share: f32): void {
  if (load<i32>(settings, Springs.CARRY) != 0) carry(settings, chain, group, particles, before, at, teleported, share);
  copyRows(particles + Particle.X, at + Particle.A, 3);
  copyRows(particles + Particle.OLD, at + Particle.A, 3);
}

function carry(settings: usize, chain: usize, group: usize, particles: usize, before: usize, at: usize, teleported: v128, share: f32): void {
  const one = f32x4.splat(1);
  const r = at + Particle.R, f = before + 48;
  const ax = rowAt(r, 0), ay = rowAt(r, 1), az = rowAt(r, 2), aw = rowAt(r, 3);
  const bx = f32x4.neg(rowAt(f, 0)), by = f32x4.neg(rowAt(f, 1)), bz = f32x4.neg(rowAt(f, 2)), bw = rowAt(f, 3);
  // The shortest turn of the anchor, and the part of it that particles are turned by.
  const w = mulW(ax, ay, az, aw, bx, by, bz, bw), sign = v128.and(w, i32x4.splat(0x80000000));
  const t = f32x4.sub(one, v128.load32_splat(settings, Springs.ROTATION_RESPONSE));
  const xm1 = f32x4.sub(f32x4.pmin(one, f32x4.abs(w)), one);
  const far = v128.xor(slerpWeight(t, xm1), sign);
  const tx = f32x4.mul(far, mulX(ax, ay, az, aw, bx, by, bz, bw)), ty = f32x4.mul(far, mulY(ax, ay, az, aw, bx, by, bz, bw));
  const tz = f32x4.mul(far, mulZ(ax, ay, az, aw, bx, by, bz, bw)), tw = f32x4.add(slerpWeight(f32x4.sub(one, t), xm1), f32x4.mul(far, w));
  const k = reciprocalRoot(dot4(tx, ty, tz, tw, tx, ty, tz, tw));
  const qx = f32x4.mul(tx, k), qy = f32x4.mul(ty, k), qz = f32x4.mul(tz, k), qw = f32x4.mul(tw, k);

  const px = rowAt(before, 0), py = rowAt(before, 1), pz = rowAt(before, 2);
  const response = v128.load32_splat(settings, Springs.POSITION_RESPONSE), free = f32x4.sub(one, response);
  // (1 - object) d_object + (1 - position) (d - d_object); what was teleported has no object motion left.
  const object = v128.andnot(f32x4.mul(f32x4.sub(response, v128.load32_splat(settings, Springs.OBJECT_RESPONSE)), f32x4.splat(share)), teleported);
  const move = group + SpringGroup.MOVE * ROW_BYTES;
  const cx = f32x4.add(px, f32x4.add(f32x4.mul(free, f32x4.sub(rowAt(at + Particle.A, 0), px)), f32x4.mul(object, rowAt(move, 0))));
  const cy = f32x4.add(py, f32x4.add(f32x4.mul(free, f32x4.sub(rowAt(at + Particle.A, 1), py)), f32x4.mul(object, rowAt(move, 1))));
  const cz = f32x4.add(pz, f32x4.add(f32x4.mul(free, f32x4.sub(rowAt(at + Particle.A, 2), pz)), f32x4.mul(object, rowAt(move, 2))));
  let p = particles + SPRING_PARTICLE_BYTES;
  for (let i = load<i32>(chain, SpringChain.COUNT); i > 1; i--) {
    for (let pass: usize = 0; pass < 2; pass++) {
      const to = p + (pass == 0 ? Particle.X : Particle.OLD);
      const x = f32x4.sub(rowAt(to, 0), px), y = f32x4.sub(rowAt(to, 1), py), z = f32x4.sub(rowAt(to, 2), pz);
      v128.store(to, f32x4.add(cx, turnX(qx, qy, qz, qw, x, y, z)), 0);
      v128.store(to, f32x4.add(cy, turnY(qx, qy, qz, qw, x, y, z)), 16);
      v128.store(to, f32x4.add(cz, turnZ(qx, qy, qz, qw, x, y, z)), 32);
    }
    p += SPRING_PARTICLE_BYTES;
  }
}

/** A component of a vector of the world, in the model spaces of the lanes: conj(object) v. */
@inline
function seenX(group: usize, x: v128, y: v128, z: v128): v128 {
  const q = group + SpringGroup.OBJECT * ROW_BYTES;
  return turnX(f32x4.neg(rowAt(q, 0)), f32x4.neg(rowAt(q, 1)), f32x4.neg(rowAt(q, 2)), rowAt(q, 3), x, y, z);
}

@inline
function seenY(group: usize, x: v128, y: v128, z: v128): v128 {
  const q = group + SpringGroup.OBJECT * ROW_BYTES;
  return turnY(f32x4.neg(rowAt(q, 0)), f32x4.neg(rowAt(q, 1)), f32x4.neg(rowAt(q, 2)), rowAt(q, 3), x, y, z);
}

@inline
function seenZ(group: usize, x: v128, y: v128, z: v128): v128 {
  const q = group + SpringGroup.OBJECT * ROW_BYTES;
  return turnZ(f32x4.neg(rowAt(q, 0)), f32x4.neg(rowAt(q, 1)), f32x4.neg(rowAt(q, 2)), rowAt(q, 3), x, y, z);
}

/** Verlet integration. */
export function integrate(settings: usize, chain: usize, group: usize, particles: usize): void {
  const scale = v128.load32_splat(chain, SpringChain.GRAVITY_SCALE), hh = v128.load32_splat(settings, Springs.STEP_SQUARED);
  const wx = f32x4.add(f32x4.mul(v128.load32_splat(settings, Springs.GRAVITY), scale), v128.load32_splat(settings, Springs.FORCE));
  const wy = f32x4.add(f32x4.mul(v128.load32_splat(settings, Springs.GRAVITY + 4), scale), v128.load32_splat(settings, Springs.FORCE + 4));
  const wz = f32x4.add(f32x4.mul(v128.load32_splat(settings, Springs.GRAVITY + 8), scale), v128.load32_splat(settings, Springs.FORCE + 8));
  const gx = f32x4.mul(seenX(group, wx, wy, wz), hh), gy = f32x4.mul(seenY(group, wx, wy, wz), hh), gz = f32x4.mul(seenZ(group, wx, wy, wz), hh);
  const keep = v128.load32_splat(chain, SpringChain.KEEP), rubbed = v128.load32_splat(chain, SpringChain.KEEP_TOUCHED);
  let p = particles + SPRING_PARTICLE_BYTES;
  for (let i = load<i32>(chain, SpringChain.COUNT); i > 1; i--) {
    const x = rowAt(p + Particle.X, 0), y = rowAt(p + Particle.X, 1), z = rowAt(p + Particle.X, 2);
    const k = v128.bitselect(rubbed, keep, v128.load(p, Particle.TOUCHED));

    const nx = f32x4.add(x, f32x4.add(f32x4.mul(f32x4.sub(x, rowAt(p + Particle.OLD, 0)), k), gx));
    const ny = f32x4.add(y, f32x4.add(f32x4.mul(f32x4.sub(y, rowAt(p + Particle.OLD, 1)), k), gy));
    const nz = f32x4.add(z, f32x4.add(f32x4.mul(f32x4.sub(z, rowAt(p + Particle.OLD, 2)), k), gz));

    v128.store(p, x, Particle.OLD);
    v128.store(p, y, Particle.OLD + 16);
    v128.store(p, z, Particle.OLD + 32);
    v128.store(p, nx, Particle.X);
    v128.store(p, ny, Particle.X + 16);
    v128.store(p, nz, Particle.X + 32);
    v128.store(p, i32x4.splat(0), Particle.TOUCHED);
    p += SPRING_PARTICLE_BYTES;
  }
}

/** Pulls particles towards their rest, keeps them on their axis, out of colliders and at their distance. */
export function constrain(settings: usize, chain: usize, particles: usize, at: usize, colliders: usize, ends: usize): void {
  const slack = v128.load32_splat(chain, SpringChain.SLACK), limit = v128.load32_splat(chain, SpringChain.LIMIT);
  const radius = v128.load32_splat(chain, SpringChain.RADIUS), axis = load<i32>(chain, SpringChain.FREEZE);
  const limited = load<f32>(chain, SpringChain.LIMIT) < Infinity;
  const one = f32x4.splat(1), zero = f32x4.splat(0);
  let dx = zero, dy = zero, dz = zero, dw = one;
  let head = particles;
  for (let i = load<i32>(chain, SpringChain.COUNT); i > 1; i--) {
    const p = head + SPRING_PARTICLE_BYTES, next = at + SPRING_PARTICLE_BYTES;
    const ex = f32x4.sub(rowAt(next + Particle.A, 0), rowAt(at + Particle.A, 0));
    const ey = f32x4.sub(rowAt(next + Particle.A, 1), rowAt(at + Particle.A, 1));
    const ez = f32x4.sub(rowAt(next + Particle.A, 2), rowAt(at + Particle.A, 2));
    const length = f32x4.sqrt(dot3(ex, ey, ez, ex, ey, ez)), real = f32x4.gt(length, f32x4.splat(TINY));
    const bx = turnX(dx, dy, dz, dw, ex, ey, ez), by = turnY(dx, dy, dz, dw, ex, ey, ez), bz = turnZ(dx, dy, dz, dw, ex, ey, ez);

    const hx = rowAt(head + Particle.X, 0), hy = rowAt(head + Particle.X, 1), hz = rowAt(head + Particle.X, 2);
    const rx = f32x4.add(hx, bx), ry = f32x4.add(hy, by), rz = f32x4.add(hz, bz);
    let ox = f32x4.mul(f32x4.sub(rowAt(p + Particle.X, 0), rx), slack);
    let oy = f32x4.mul(f32x4.sub(rowAt(p + Particle.X, 1), ry), slack);
    let oz = f32x4.mul(f32x4.sub(rowAt(p + Particle.X, 2), rz), slack);
    if (limited) {
      const most = f32x4.mul(limit, length), off = f32x4.sqrt(dot3(ox, oy, oz, ox, oy, oz));
      const k = v128.bitselect(f32x4.div(most, f32x4.pmax(off, f32x4.splat(1e-12))), one, f32x4.gt(off, most));
      ox = f32x4.mul(ox, k);
      oy = f32x4.mul(oy, k);
      oz = f32x4.mul(oz, k);
    }
    if (axis != 0) {
      // The axis of the head in its simulated parent: D R of the unit vector.
      const r = at + Particle.R, qx = rowAt(r, 0), qy = rowAt(r, 1), qz = rowAt(r, 2), qw = rowAt(r, 3);
      const ux = axis == 1 ? one : zero, uy = axis == 2 ? one : zero, uz = axis == 3 ? one : zero;
      const vx = turnX(qx, qy, qz, qw, ux, uy, uz), vy = turnY(qx, qy, qz, qw, ux, uy, uz), vz = turnZ(qx, qy, qz, qw, ux, uy, uz);
      const fx = turnX(dx, dy, dz, dw, vx, vy, vz), fy = turnY(dx, dy, dz, dw, vx, vy, vz), fz = turnZ(dx, dy, dz, dw, vx, vy, vz);
      const along = dot3(fx, fy, fz, ox, oy, oz);
      ox = f32x4.sub(ox, f32x4.mul(fx, along));
      oy = f32x4.sub(oy, f32x4.mul(fy, along));
      oz = f32x4.sub(oz, f32x4.mul(fz, along));
    }
    v128.store(p, f32x4.add(rx, ox), Particle.X);
    v128.store(p, f32x4.add(ry, oy), Particle.X + 16);
    v128.store(p, f32x4.add(rz, oz), Particle.X + 32);
    collide(settings, colliders, ends, p + Particle.X, head + Particle.X, radius, length, bx, by, bz, true);
    keepLength(p + Particle.X, head + Particle.X, length, bx, by, bz, i32x4.splat(-1));
    // A particle without a distance of its own lies on its head, which keeps its direction.
    const x = v128.bitselect(rowAt(p + Particle.X, 0), hx, real), y = v128.bitselect(rowAt(p + Particle.X, 1), hy, real), z = v128.bitselect(rowAt(p + Particle.X, 2), hz, real);
    v128.store(p, x, Particle.X);
    v128.store(p, y, Particle.X + 16);
    v128.store(p, z, Particle.X + 32);
    const vx = f32x4.sub(x, hx), vy = f32x4.sub(y, hy), vz = f32x4.sub(z, hz);
    const ax = arcX(bx, by, bz, vx, vy, vz, length), ay = arcY(bx, by, bz, vx, vy, vz, length), az = arcZ(bx, by, bz, vx, vy, vz, length);
    const aw = arcW(bx, by, bz, vx, vy, vz, length);
    const nx = mulX(ax, ay, az, aw, dx, dy, dz, dw), ny = mulY(ax, ay, az, aw, dx, dy, dz, dw);
    const nz = mulZ(ax, ay, az, aw, dx, dy, dz, dw), nw = mulW(ax, ay, az, aw, dx, dy, dz, dw);
    // The arc is not of unit length, so that one root serves both.
    const unit = reciprocalRoot(f32x4.pmax(dot4(nx, ny, nz, nw, nx, ny, nz, nw), f32x4.splat(1e-30)));
    dx = v128.bitselect(f32x4.mul(nx, unit), dx, real);
    dy = v128.bitselect(f32x4.mul(ny, unit), dy, real);
    dz = v128.bitselect(f32x4.mul(nz, unit), dz, real);
    dw = v128.bitselect(f32x4.mul(nw, unit), dw, real);
    storeHead(head, at, dx, dy, dz, dw);
    head = p;
    at = next;
  }
}

/** S = D R */
@inline
function storeHead(head: usize, at: usize, dx: v128, dy: v128, dz: v128, dw: v128): void {
  const r = at + Particle.R, qx = rowAt(r, 0), qy = rowAt(r, 1), qz = rowAt(r, 2), qw = rowAt(r, 3);
  v128.store(head, mulX(dx, dy, dz, dw, qx, qy, qz, qw), Particle.S);
  v128.store(head, mulY(dx, dy, dz, dw, qx, qy, qz, qw), Particle.S + 16);
  v128.store(head, mulZ(dx, dy, dz, dw, qx, qy, qz, qw), Particle.S + 32);
  v128.store(head, mulW(dx, dy, dz, dw, qx, qy, qz, qw), Particle.S + 48);
}

/**
 * The shortest turn from b to v, both of one length, times a factor: (b x v, |b| |v| + b . v). Where they are opposite, half a
 * turn about a normal of b.
 */
@inline
function isOpposite(bx: v128, by: v128, bz: v128, vx: v128, vy: v128, vz: v128, length: v128): v128 {
  const square = f32x4.mul(length, length);
  return f32x4.lt(f32x4.add(square, dot3(bx, by, bz, vx, vy, vz)), f32x4.mul(square, f32x4.splat(1e-6)));
}

@inline
function normalPick(bx: v128, bz: v128): v128 {
  return f32x4.lt(f32x4.abs(bx), f32x4.abs(bz));
}

@inline
function arcX(bx: v128, by: v128, bz: v128, vx: v128, vy: v128, vz: v128, length: v128): v128 {
  const normal = v128.bitselect(f32x4.splat(0), by, normalPick(bx, bz));
  return v128.bitselect(normal, f32x4.sub(f32x4.mul(by, vz), f32x4.mul(bz, vy)), isOpposite(bx, by, bz, vx, vy, vz, length));
}

@inline
function arcY(bx: v128, by: v128, bz: v128, vx: v128, vy: v128, vz: v128, length: v128): v128 {
  const normal = v128.bitselect(bz, f32x4.neg(bx), normalPick(bx, bz));
  return v128.bitselect(normal, f32x4.sub(f32x4.mul(bz, vx), f32x4.mul(bx, vz)), isOpposite(bx, by, bz, vx, vy, vz, length));
}

@inline
function arcZ(bx: v128, by: v128, bz: v128, vx: v128, vy: v128, vz: v128, length: v128): v128 {
  const normal = v128.bitselect(f32x4.neg(by), f32x4.splat(0), normalPick(bx, bz));
  return v128.bitselect(normal, f32x4.sub(f32x4.mul(bx, vy), f32x4.mul(by, vx)), isOpposite(bx, by, bz, vx, vy, vz, length));
}

@inline
function arcW(bx: v128, by: v128, bz: v128, vx: v128, vy: v128, vz: v128, length: v128): v128 {
  const square = f32x4.mul(length, length);
  return v128.andnot(f32x4.add(square, dot3(bx, by, bz, vx, vy, vz)), isOpposite(bx, by, bz, vx, vy, vz, length));
}

/** A step in VRM mode: every tail moves on, is pulled towards its rest direction, and is kept at its length and out of colliders. */
export function swing(settings: usize, chain: usize, group: usize, particles: usize, at: usize, colliders: usize, ends: usize): void {
  const one = f32x4.splat(1), zero = f32x4.splat(0);
  let joint: usize = load<u32>(chain, SpringChain.JOINTS);
  let dx = zero, dy = zero, dz = zero, dw = one;
  let head = particles;
  copyRows(particles + Particle.X, at + Particle.A, 3);
  copyRows(particles + Particle.OLD, at + Particle.A, 3);
  for (let i = load<i32>(chain, SpringChain.COUNT); i > 1; i--) {
    const p = head + SPRING_PARTICLE_BYTES, next = at + SPRING_PARTICLE_BYTES;
    const ex = f32x4.sub(rowAt(next + Particle.A, 0), rowAt(at + Particle.A, 0));
    const ey = f32x4.sub(rowAt(next + Particle.A, 1), rowAt(at + Particle.A, 1));
    const ez = f32x4.sub(rowAt(next + Particle.A, 2), rowAt(at + Particle.A, 2));
    const length = f32x4.sqrt(dot3(ex, ey, ez, ex, ey, ez)), real = f32x4.gt(length, f32x4.splat(TINY));
    const bx = turnX(dx, dy, dz, dw, ex, ey, ez), by = turnY(dx, dy, dz, dw, ex, ey, ez), bz = turnZ(dx, dy, dz, dw, ex, ey, ez);
    const pull = f32x4.div(v128.load32_splat(joint, SpringJoint.PULL), f32x4.pmax(length, f32x4.splat(TINY)));
    const keep = v128.load32_splat(joint, SpringJoint.KEEP);
    const wx = v128.load32_splat(joint, SpringJoint.GRAVITY), wy = v128.load32_splat(joint, SpringJoint.GRAVITY + 4), wz = v128.load32_splat(joint, SpringJoint.GRAVITY + 8);
    const gx = seenX(group, wx, wy, wz), gy = seenY(group, wx, wy, wz), gz = seenZ(group, wx, wy, wz);
    const ox = rowAt(p + Particle.X, 0), oy = rowAt(p + Particle.X, 1), oz = rowAt(p + Particle.X, 2);

    const nextX = f32x4.add(f32x4.add(ox, f32x4.mul(f32x4.sub(ox, rowAt(p + Particle.OLD, 0)), keep)), f32x4.add(f32x4.mul(bx, pull), gx));
    const nextY = f32x4.add(f32x4.add(oy, f32x4.mul(f32x4.sub(oy, rowAt(p + Particle.OLD, 1)), keep)), f32x4.add(f32x4.mul(by, pull), gy));
    const nextZ = f32x4.add(f32x4.add(oz, f32x4.mul(f32x4.sub(oz, rowAt(p + Particle.OLD, 2)), keep)), f32x4.add(f32x4.mul(bz, pull), gz));

    v128.store(p, ox, Particle.OLD);
    v128.store(p, oy, Particle.OLD + 16);
    v128.store(p, oz, Particle.OLD + 32);
    v128.store(p, nextX, Particle.X);
    v128.store(p, nextY, Particle.X + 16);
    v128.store(p, nextZ, Particle.X + 32);
    keepLength(p + Particle.X, head + Particle.X, length, bx, by, bz, i32x4.splat(-1));
    collide(settings, colliders, ends, p + Particle.X, head + Particle.X, v128.load32_splat(joint, SpringJoint.RADIUS), length, bx, by, bz, false);
    const hx = rowAt(head + Particle.X, 0), hy = rowAt(head + Particle.X, 1), hz = rowAt(head + Particle.X, 2);
    const vx = f32x4.sub(rowAt(p + Particle.X, 0), hx), vy = f32x4.sub(rowAt(p + Particle.X, 1), hy), vz = f32x4.sub(rowAt(p + Particle.X, 2), hz);
    const ax = arcX(bx, by, bz, vx, vy, vz, length), ay = arcY(bx, by, bz, vx, vy, vz, length), az = arcZ(bx, by, bz, vx, vy, vz, length);
    const aw = arcW(bx, by, bz, vx, vy, vz, length);
    const nx = mulX(ax, ay, az, aw, dx, dy, dz, dw), ny = mulY(ax, ay, az, aw, dx, dy, dz, dw);
    const nz = mulZ(ax, ay, az, aw, dx, dy, dz, dw), nw = mulW(ax, ay, az, aw, dx, dy, dz, dw);
    const unit = reciprocalRoot(f32x4.pmax(dot4(nx, ny, nz, nw, nx, ny, nz, nw), f32x4.splat(1e-30)));
    dx = v128.bitselect(f32x4.mul(nx, unit), dx, real);
    dy = v128.bitselect(f32x4.mul(ny, unit), dy, real);
    dz = v128.bitselect(f32x4.mul(nz, unit), dz, real);
    dw = v128.bitselect(f32x4.mul(nw, unit), dw, real);
    storeHead(head, at, dx, dy, dz, dw);
    head = p;
    at = next;
    joint += SPRING_JOINT_BYTES;
  }
}
