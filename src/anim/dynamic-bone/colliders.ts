/** Spheres, capsules and planes that particles may not enter, or not leave. @internal */
import { SpringShape } from "../../../assembly/layout/springs.js";

export class Collider {
  enabled = true;
  inside = false;
  /** World position of the two ends, now and at the last step, and in between; of a plane a point, and a point one normal further. */
  readonly now = new Float64Array(6);
  readonly from = new Float64Array(6);
  readonly at = new Float64Array(6);
  /** Radius with the scale of the bone. */
  worldRadius: number;
  started = false;

  /**
   * @param bone - whose space the ends are in, or -1 for the world
   * @param ends - six numbers, in the space of the bone; the same point twice for a sphere
   */
  constructor(readonly id: number, readonly shape: SpringShape, readonly bone: number, readonly ends: Float64Array, public radius: number) {
    this.worldRadius = radius;
  }

  interpolate(fraction: number): void {
    for (let k = 0; k < 6; k++) this.at[k] = this.from[k]! + (this.now[k]! - this.from[k]!) * fraction;
  }
}

/** Radius of the particle in hand, and its distance from its head; in an array, because doubles in arguments are boxed. */
export const PARTICLE = /* @__PURE__ */ new Float64Array(2);

/** The point of a collider's axis that is closest to x[o], and the distance from it. */
const CLOSEST = /* @__PURE__ */ new Float64Array(4);

function findClosest({ at }: Collider, x: Float64Array, o: number): void {
  const bx = at[3]! - at[0]!, by = at[4]! - at[1]!, bz = at[5]! - at[2]!, squares = bx * bx + by * by + bz * bz;
  let t = 0;
  if (squares > 0) {
    t = ((x[o]! - at[0]!) * bx + (x[o + 1]! - at[1]!) * by + (x[o + 2]! - at[2]!) * bz) / squares;
    t = Math.min(1, Math.max(0, t));
  }
  CLOSEST[0] = at[0]! + bx * t;
  CLOSEST[1] = at[1]! + by * t;
  CLOSEST[2] = at[2]! + bz * t;
  CLOSEST[3] = Math.sqrt((x[o]! - CLOSEST[0]) ** 2 + (x[o + 1]! - CLOSEST[1]) ** 2 + (x[o + 2]! - CLOSEST[2]) ** 2);
}

/** Moves the point at x[o] out of (or back into) a collider; returns whether it had to. */
export function pushOut(collider: Collider, x: Float64Array, o: number): boolean {
  if (collider.shape === SpringShape.PLANE) return liftUp(collider, x, o);
  findClosest(collider, x, o);
  const distance = CLOSEST[3]!, radius = PARTICLE[0]!;
  const limit = collider.inside ? Math.max(0, collider.worldRadius - radius) : collider.worldRadius + radius;
  if (collider.inside ? distance <= limit : distance >= limit) return false;
  for (let k = 0; k < 3; k++) x[o + k] = distance > 0 ? CLOSEST[k]! + ((x[o + k]! - CLOSEST[k]!) * limit) / distance : CLOSEST[k]!;
  if (distance === 0) x[o + 1] = x[o + 1]! + limit;
  return true;
}

/** Share of the shape's size that a particle may stay inside. */
const SLACK = 1e-3;

/**
 * Where the length of the bone pulled a particle back into an outside shape: moves it around its head, at that length, to
 * the nearest place on the surface (of the sphere about the closest point of a capsule). Out of reach, it stays.
 */
export function slideOut(collider: Collider, x: Float64Array, o: number): void {
  if (collider.shape === SpringShape.PLANE) {
    slideOnPlane(collider, x, o);
    return;
  }
  if (collider.inside) return;
  const length = PARTICLE[1]!, limit = collider.worldRadius + PARTICLE[0]!;
  for (let pass = 0; pass < 3; pass++) {
    findClosest(collider, x, o);
    if (CLOSEST[3]! >= limit * (1 - SLACK)) return;
    const dx = CLOSEST[0]! - x[o - 3]!, dy = CLOSEST[1]! - x[o - 2]!, dz = CLOSEST[2]! - x[o - 1]!, distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    // The circle in which two spheres meet, about the line between their centres.
    const along = (length * length - limit * limit + distance * distance) / (2 * distance);
    if (!(Math.abs(along) < length)) return;
    const ux = dx / distance, uy = dy / distance, uz = dz / distance;
    let px = x[o]! - x[o - 3]!, py = x[o + 1]! - x[o - 2]!, pz = x[o + 2]! - x[o - 1]!;
    const dot = px * ux + py * uy + pz * uz;
    px -= ux * dot;
    py -= uy * dot;
    pz -= uz * dot;
    const aside = Math.sqrt(px * px + py * py + pz * pz);
    if (aside < 1e-12) return;
    const out = Math.sqrt(length * length - along * along) / aside;
    x[o] = x[o - 3]! + ux * along + px * out;
    x[o + 1] = x[o - 2]! + uy * along + py * out;
    x[o + 2] = x[o - 1]! + uz * along + pz * out;
  }
}

/** Normal of the plane in hand, and in [3] the height of a point above where a particle may be. */
const PLANE = /* @__PURE__ */ new Float64Array(4);

/** Sets the normal towards the side that is free. */
function facePlane({ at, inside }: Collider): void {
  const nx = at[3]! - at[0]!, ny = at[4]! - at[1]!, nz = at[5]! - at[2]!, length = Math.sqrt(nx * nx + ny * ny + nz * nz), k = length > 0 ? (inside ? -1 : 1) / length : 0;
  PLANE[0] = nx * k;
  PLANE[1] = ny * k;
  PLANE[2] = nz * k;
}

function measureHeight({ at, worldRadius }: Collider, x: Float64Array, o: number): void {
  PLANE[3] = (x[o]! - at[0]!) * PLANE[0]! + (x[o + 1]! - at[1]!) * PLANE[1]! + (x[o + 2]! - at[2]!) * PLANE[2]! - worldRadius - PARTICLE[0]!;
}

function liftUp(plane: Collider, x: Float64Array, o: number): boolean {
  facePlane(plane);
  measureHeight(plane, x, o);
  const height = PLANE[3]!;
  if (height >= 0) return false;
  for (let k = 0; k < 3; k++) x[o + k] = x[o + k]! - PLANE[k]! * height;
  return true;
}

/** Where the length pulled a particle back under a plane: to the nearest place at which the sphere about its head meets it. */
function slideOnPlane(plane: Collider, x: Float64Array, o: number): void {
  const length = PARTICLE[1]!;
  facePlane(plane);
  measureHeight(plane, x, o);
  if (PLANE[3]! >= -SLACK * length) return;
  measureHeight(plane, x, o - 3);
  const above = PLANE[3]!;
  if (!(Math.abs(above) < length)) return;
  const dx = x[o]! - x[o - 3]!, dy = x[o + 1]! - x[o - 2]!, dz = x[o + 2]! - x[o - 1]!, along = dx * PLANE[0]! + dy * PLANE[1]! + dz * PLANE[2]!;
  const ax = dx - PLANE[0]! * along, ay = dy - PLANE[1]! * along, az = dz - PLANE[2]! * along, aside = Math.sqrt(ax * ax + ay * ay + az * az);
  if (aside < 1e-12) return;
  const out = Math.sqrt(length * length - above * above) / aside;
  x[o] = x[o - 3]! + ax * out - PLANE[0]! * above;
  x[o + 1] = x[o - 2]! + ay * out - PLANE[1]! * above;
  x[o + 2] = x[o - 1]! + az * out - PLANE[2]! * above;
}
