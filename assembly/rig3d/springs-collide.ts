/**
 * Spring bones: colliders, for the particles of four characters.
 *
 * Layout   layout/springs.ts. `colliders` the rows of a group's colliders (radii), `ends` those of their ends at the moment; p and
 *          head point at the rows X of a particle and of the one before it.
 * Requires nothing beyond that; lanes may hold anything finite.
 * Ensures  finite places for finite input: no length is divided by that may be 0.
 * Source   src/anim/dynamic-bone/colliders.ts.
 */
import { ColliderRow, Particle, SPRING_COLLIDER_BYTES, SPRING_COLLIDER_ROW_BYTES, SpringCollider, Springs, SpringShape } from "../layout/springs";
import { dot3 } from "../math/turn";
import { rowAt } from "./springs-place";

/** Lengths up to this are none. */
export const TINY: f32 = 1e-8;
/** Share of the shape's size that a particle may stay inside. */
const SLACK: f32 = 1e-3;

/** Puts the particle at p, in the lanes of a mask, at a distance from its head; if it lies on that, at (bx by bz) from there. */
@inline
export function keepLength(p: usize, head: usize, length: v128, bx: v128, by: v128, bz: v128, mask: v128): void {
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
export function collide(
  settings: usize, colliders: usize, ends: usize, p: usize, head: usize, radius: v128, length: v128, bx: v128, by: v128, bz: v128, slide: bool,
): void {
  let collider: usize = load<u32>(settings, Springs.COLLIDERS);
  for (let i = load<i32>(settings, Springs.COLLIDER_COUNT); i > 0; i--) {
    if (load<i32>(collider, SpringCollider.ENABLED) == 0) {
      // Passed over.
    } else if (load<i32>(collider, SpringCollider.SHAPE) == SpringShape.PLANE) {
      const limit = f32x4.add(v128.load(colliders, ColliderRow.RADIUS), radius);
      collidePlane(ends, load<i32>(collider, SpringCollider.INSIDE) != 0, limit, p, head, length, bx, by, bz, slide);
    } else {
      const capsule = load<i32>(collider, SpringCollider.SHAPE) == SpringShape.CAPSULE, inside = load<i32>(collider, SpringCollider.INSIDE) != 0;
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

/** Moves a particle to its side of a plane (of a point and a point one normal further), as `collide` does for other shapes. */
function collidePlane(ends: usize, inside: bool, limit: v128, p: usize, head: usize, length: v128, bx: v128, by: v128, bz: v128, slide: bool): void {
  const cx = rowAt(ends, 0), cy = rowAt(ends, 1), cz = rowAt(ends, 2);
  let nx = f32x4.sub(rowAt(ends, 3), cx), ny = f32x4.sub(rowAt(ends, 4), cy), nz = f32x4.sub(rowAt(ends, 5), cz);
  const k = f32x4.div(f32x4.splat(inside ? -1 : 1), f32x4.sqrt(f32x4.pmax(dot3(nx, ny, nz, nx, ny, nz), f32x4.splat(1e-30))));
  nx = f32x4.mul(nx, k);
  ny = f32x4.mul(ny, k);
  nz = f32x4.mul(nz, k);
  const x = rowAt(p, 0), y = rowAt(p, 1), z = rowAt(p, 2);
  const height = f32x4.sub(dot3(f32x4.sub(x, cx), f32x4.sub(y, cy), f32x4.sub(z, cz), nx, ny, nz), limit);
  const hit = f32x4.lt(height, f32x4.splat(0));
  if (!v128.any_true(hit)) return;

  v128.store(p, v128.bitselect(f32x4.sub(x, f32x4.mul(nx, height)), x, hit), 0);
  v128.store(p, v128.bitselect(f32x4.sub(y, f32x4.mul(ny, height)), y, hit), 16);
  v128.store(p, v128.bitselect(f32x4.sub(z, f32x4.mul(nz, height)), z, hit), 32);
  v128.store(p - Particle.X, v128.or(v128.load(p - Particle.X, Particle.TOUCHED), hit), Particle.TOUCHED);
  keepLength(p, head, length, bx, by, bz, hit);
  if (!slide) return;

  // Pulled back under it: to the circle in which the sphere about the head meets the plane, if it does.
  const hx = rowAt(head, 0), hy = rowAt(head, 1), hz = rowAt(head, 2), px = rowAt(p, 0), py = rowAt(p, 1), pz = rowAt(p, 2);
  const above = f32x4.sub(dot3(f32x4.sub(hx, cx), f32x4.sub(hy, cy), f32x4.sub(hz, cz), nx, ny, nz), limit);
  const dx = f32x4.sub(px, hx), dy = f32x4.sub(py, hy), dz = f32x4.sub(pz, hz), along = dot3(dx, dy, dz, nx, ny, nz);
  const ax = f32x4.sub(dx, f32x4.mul(nx, along)), ay = f32x4.sub(dy, f32x4.mul(ny, along)), az = f32x4.sub(dz, f32x4.mul(nz, along));
  const aside = f32x4.sqrt(dot3(ax, ay, az, ax, ay, az));
  const under = f32x4.lt(f32x4.add(above, along), f32x4.mul(length, f32x4.splat(-SLACK)));
  const lanes = v128.and(v128.and(hit, under), v128.and(f32x4.lt(f32x4.abs(above), length), f32x4.gt(aside, f32x4.splat(TINY))));
  if (!v128.any_true(lanes)) return;
  const out = f32x4.div(f32x4.sqrt(f32x4.pmax(f32x4.splat(0), f32x4.sub(f32x4.mul(length, length), f32x4.mul(above, above)))), f32x4.pmax(aside, f32x4.splat(TINY)));
  v128.store(p, v128.bitselect(f32x4.add(hx, f32x4.sub(f32x4.mul(ax, out), f32x4.mul(nx, above))), px, lanes), 0);
  v128.store(p, v128.bitselect(f32x4.add(hy, f32x4.sub(f32x4.mul(ay, out), f32x4.mul(ny, above))), py, lanes), 16);
  v128.store(p, v128.bitselect(f32x4.add(hz, f32x4.sub(f32x4.mul(az, out), f32x4.mul(nz, above))), pz, lanes), 32);
}
