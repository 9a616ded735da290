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
  ColliderRow, Particle, SPRING_COLLIDER_BYTES, SPRING_COLLIDER_ROW_BYTES, SPRING_JOINT_BYTES, SPRING_PARTICLE_BYTES, SpringChain, SpringCollider,
  SpringGroup, SpringJoint, Springs,
} from "../layout/springs";
import { dot4, mulW, mulX, mulY, mulZ, reciprocalRoot, slerpWeight } from "../math/quaternion";
import { dot3, turnX, turnY, turnZ } from "../math/turn";
import { copyRows, rowAt } from "./springs-place";

const TINY: f32 = 1e-8;

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

/** Puts the particle at p, in the lanes of a mask, at a distance from its head; if it lies on that, at (bx by bz) from there. */
@inline
function keepLength(p: usize, head: usize, length: v128, bx: v128, by: v128, bz: v128, mask: v128): void {
  const hx = rowAt(head, 0), hy = rowAt(head, 1), hz = rowAt(head, 2);
  const x = rowAt(p, 0), y = rowAt(p, 1), z = rowAt(p, 2);
  const dx = f32x4.sub(x, hx), dy = f32x4.sub(y, hy), dz = f32x4.sub(z, hz);
  const found = f32x4.sqrt(dot3(dx, dy, dz, dx, dy, dz)), apart = f32x4.gt(found, f32x4.splat(1e-12));
  const k = f32x4.div(length, f32x4.pmax(found, f32x4.splat(1e-12)));

  v128.store(p, v128.bitselect(f32x4.add(hx, v128.bitselect(f32x4.mul(dx, k), bx, apart)), x, mask), 0);
  v128.store(p, v128.bitselect(f32x4.add(hy, v128.bitselect(f32x4.mul(dy, k), by, apart)), y, mask), 16);
  v128.store(p, v128.bitselect(f32x4.add(hz, v128.bitselect(f32x4.mul(dz, k), bz, apart)), z, mask), 32);
}

/** Share of the way along a collider's axis at which a point is nearest. */
@inline
function nearestShare(ends: usize, x: v128, y: v128, z: v128): v128 {
  const ax = rowAt(ends, 0), ay = rowAt(ends, 1), az = rowAt(ends, 2);
  const bx = f32x4.sub(rowAt(ends, 3), ax), by = f32x4.sub(rowAt(ends, 4), ay), bz = f32x4.sub(rowAt(ends, 5), az);
  const square = f32x4.pmax(dot3(bx, by, bz, bx, by, bz), f32x4.splat(1e-30));
  const t = f32x4.div(dot3(f32x4.sub(x, ax), f32x4.sub(y, ay), f32x4.sub(z, az), bx, by, bz), square);
  return f32x4.pmin(f32x4.splat(1), f32x4.pmax(f32x4.splat(0), t));
}

/** A component of the point that is nearest: of a sphere its centre. */
@inline
function nearest(ends: usize, k: usize, t: v128, capsule: bool): v128 {
  const a = rowAt(ends, k);
  return capsule ? f32x4.add(a, f32x4.mul(f32x4.sub(rowAt(ends, k + 3), a), t)) : a;
}

/** Moves the particle at p out of, or back into, every collider in turn, and around its head where its length lets it; notes touches. */
function collide(
  settings: usize, colliders: usize, ends: usize, p: usize, head: usize, radius: v128, length: v128, bx: v128, by: v128, bz: v128, slide: bool,
): void {
  let collider: usize = load<u32>(settings, Springs.COLLIDERS);
  for (let i = load<i32>(settings, Springs.COLLIDER_COUNT); i > 0; i--) {
    if (load<i32>(collider, SpringCollider.ENABLED) != 0) {
      const capsule = load<i32>(collider, SpringCollider.CAPSULE) != 0, inside = load<i32>(collider, SpringCollider.INSIDE) != 0;
      const size = v128.load(colliders, ColliderRow.RADIUS);
      const x = rowAt(p, 0), y = rowAt(p, 1), z = rowAt(p, 2);
      const t = capsule ? nearestShare(ends, x, y, z) : f32x4.splat(0);
      const cx = nearest(ends, 0, t, capsule), cy = nearest(ends, 1, t, capsule), cz = nearest(ends, 2, t, capsule);
      const dx = f32x4.sub(x, cx), dy = f32x4.sub(y, cy), dz = f32x4.sub(z, cz), square = dot3(dx, dy, dz, dx, dy, dz);
      const limit = inside ? f32x4.pmax(f32x4.splat(0), f32x4.sub(size, radius)) : f32x4.add(size, radius);
      const hit = inside ? f32x4.gt(square, f32x4.mul(limit, limit)) : f32x4.lt(square, f32x4.mul(limit, limit));
      if (v128.any_true(hit)) {
        const distance = f32x4.sqrt(square), away = f32x4.gt(distance, f32x4.splat(1e-12));
        const k = v128.and(f32x4.div(limit, f32x4.pmax(distance, f32x4.splat(1e-12))), away);
        // In the very middle: up.
        const up = v128.andnot(limit, away);
        v128.store(p, v128.bitselect(f32x4.add(cx, f32x4.mul(dx, k)), x, hit), 0);
        v128.store(p, v128.bitselect(f32x4.add(f32x4.add(cy, f32x4.mul(dy, k)), up), y, hit), 16);
        v128.store(p, v128.bitselect(f32x4.add(cz, f32x4.mul(dz, k)), z, hit), 32);
        v128.store(p - Particle.X, v128.or(v128.load(p - Particle.X, Particle.TOUCHED), hit), Particle.TOUCHED);
        keepLength(p, head, length, bx, by, bz, hit);
        if (slide && !inside) slideOut(ends, capsule, limit, p, head, length, hit);
      }
    }
    collider += SPRING_COLLIDER_BYTES;
    colliders += SPRING_COLLIDER_ROW_BYTES;
    ends += SPRING_COLLIDER_ROW_BYTES;
  }
}

/** Share of the shape's size that a particle may stay inside. */
const SLACK: f32 = 1e-3;

/**
 * Where the length of the bone pulled a particle back into an outside shape: moves it around its head, at that length, to the
 * circle in which the sphere about the head meets the one about the shape's nearest point. Out of reach, it stays.
 */
function slideOut(ends: usize, capsule: bool, limit: v128, p: usize, head: usize, length: v128, lanes: v128): void {
  const hx = rowAt(head, 0), hy = rowAt(head, 1), hz = rowAt(head, 2);
  for (let pass = 0; pass < 3; pass++) {
    const x = rowAt(p, 0), y = rowAt(p, 1), z = rowAt(p, 2);
    const t = capsule ? nearestShare(ends, x, y, z) : f32x4.splat(0);
    const cx = nearest(ends, 0, t, capsule), cy = nearest(ends, 1, t, capsule), cz = nearest(ends, 2, t, capsule);
    const ox = f32x4.sub(x, cx), oy = f32x4.sub(y, cy), oz = f32x4.sub(z, cz);
    const least = f32x4.mul(limit, f32x4.splat(1 - SLACK));
    lanes = v128.and(lanes, f32x4.lt(dot3(ox, oy, oz, ox, oy, oz), f32x4.mul(least, least)));
    if (!v128.any_true(lanes)) return;

    const dx = f32x4.sub(cx, hx), dy = f32x4.sub(cy, hy), dz = f32x4.sub(cz, hz), distance = f32x4.pmax(f32x4.sqrt(dot3(dx, dy, dz, dx, dy, dz)), f32x4.splat(TINY));
    const square = f32x4.sub(f32x4.mul(length, length), f32x4.mul(limit, limit));
    const along = f32x4.div(f32x4.add(square, f32x4.mul(distance, distance)), f32x4.add(distance, distance));
    const ux = f32x4.div(dx, distance), uy = f32x4.div(dy, distance), uz = f32x4.div(dz, distance);
    const px = f32x4.sub(x, hx), py = f32x4.sub(y, hy), pz = f32x4.sub(z, hz), dot = dot3(px, py, pz, ux, uy, uz);
    const ax = f32x4.sub(px, f32x4.mul(ux, dot)), ay = f32x4.sub(py, f32x4.mul(uy, dot)), az = f32x4.sub(pz, f32x4.mul(uz, dot));
    const aside = f32x4.sqrt(dot3(ax, ay, az, ax, ay, az));
    lanes = v128.and(lanes, v128.and(f32x4.lt(f32x4.abs(along), length), f32x4.gt(aside, f32x4.splat(TINY))));
    if (!v128.any_true(lanes)) return;
    const out = f32x4.div(f32x4.sqrt(f32x4.pmax(f32x4.splat(0), f32x4.sub(f32x4.mul(length, length), f32x4.mul(along, along)))), f32x4.pmax(aside, f32x4.splat(TINY)));

    v128.store(p, v128.bitselect(f32x4.add(hx, f32x4.add(f32x4.mul(ux, along), f32x4.mul(ax, out))), x, lanes), 0);
    v128.store(p, v128.bitselect(f32x4.add(hy, f32x4.add(f32x4.mul(uy, along), f32x4.mul(ay, out))), y, lanes), 16);
    v128.store(p, v128.bitselect(f32x4.add(hz, f32x4.add(f32x4.mul(uz, along), f32x4.mul(az, out))), z, lanes), 32);
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
