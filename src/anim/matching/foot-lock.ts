/** Holds standing feet where they stand. @internal */
import { heap } from "../../wasm/heap.js";
import { Local, localIndex } from "../rig/layout.js";
import type { AnimPose } from "../rig/pose.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { exp } from "../motion/math.js";
import { dampingOf } from "./springs.js";

/** A leg whose foot is locked. */
export interface FootLockLeg {
  /** Hip, knee, ankle: a chain of bones. */
  readonly upper: number;
  readonly lower: number;
  readonly foot: number;
  /** Bone that stands still while the foot has contact: the ball of the foot, or the ankle itself. */
  readonly contact: number;
  /** Clip curve that is above 0.5 while the foot stands; undefined: decided by the speed of the contact bone. */
  readonly curve: string | undefined;
}

/** Seconds in which half of a released foot's offset is gone. */
const RELEASE_HALF_LIFE = 0.06;
/** The leg may be stretched to this share of its length. */
const LONGEST = 0.9995;

/**
 * One foot: while it has contact its ground place is kept in the world, and the leg bends to it. At release the difference
 * dies away. A foot that would be pulled further than `radius` lets go and takes hold again at the next contact.
 */
export class FootLock {
  locked = false;
  /** World place of the locked contact bone. */
  readonly anchor = new Float64Array(3);
  /** What is added to the animated place, in the world. */
  readonly offset = new Float64Array(3);
  #given = false;
  readonly #animated = new Float64Array(3);
  readonly #before = new Float64Array(3);
  #seen = false;

  constructor(readonly leg: FootLockLeg) {}

  reset(): void {
    this.locked = false;
    this.#given = false;
    this.#seen = false;
    this.offset.fill(0);
  }

  /** World speed of the animated contact bone since the last call of `update`. */
  speed(x: number, y: number, z: number, dt: number): number {
    if (!this.#seen || dt <= 0) return Infinity;
    const b = this.#before;
    return Math.sqrt((x - b[0]!) ** 2 + (y - b[1]!) ** 2 + (z - b[2]!) ** 2) / dt;
  }

  /** Decides what is added to the animated world place x, y, z of the contact bone. Height is never touched. */
  update(contact: boolean, x: number, y: number, z: number, dt: number, radius: number): void {
    const { anchor, offset } = this, animated = this.#animated;
    animated[0] = x;
    animated[1] = y;
    animated[2] = z;
    this.#before.set(animated);
    this.#seen = true;
    if (!contact) {
      this.#given = false;
      this.locked = false;
    } else if (!this.locked && !this.#given) {
      // What is left of an earlier release stays in the anchor, so the foot does not jump.
      anchor[0] = x + offset[0]!;
      anchor[1] = y;
      anchor[2] = z + offset[2]!;
      this.locked = true;
    }
    if (this.locked) {
      offset[0] = anchor[0]! - x;
      offset[2] = anchor[2]! - z;
      if (Math.sqrt(offset[0] ** 2 + offset[2] ** 2) > radius) {
        this.locked = false;
        this.#given = true;
      }
    }
    if (!this.locked && dt > 0) {
      const left = exp(-dampingOf(RELEASE_HALF_LIFE) * 0.5 * dt);
      offset[0]! *= left;
      offset[2]! *= left;
      if (Math.abs(offset[0]!) + Math.abs(offset[2]!) < 1e-6) offset.fill(0);
    }
  }
}

// Work of one solve; nothing survives a call.
const v = /* @__PURE__ */ new Float64Array(48);

/**
 * Moves the foot of a leg by a model-space vector with two-bone IK: the knee keeps its bending plane, the foot its world
 * rotation. The pose's world must be valid; afterwards it is stale.
 */
export function moveFoot(pose: AnimPose, skeleton: AnimSkeleton, leg: FootLockLeg, dx: number, dy: number, dz: number): void {
  if (dx === 0 && dy === 0 && dz === 0) return;
  const { upper, lower, foot } = leg;
  const hx = pose.getWorldPositionX(upper), hy = pose.getWorldPositionY(upper), hz = pose.getWorldPositionZ(upper);
  const kx = pose.getWorldPositionX(lower), ky = pose.getWorldPositionY(lower), kz = pose.getWorldPositionZ(lower);
  const fx = pose.getWorldPositionX(foot), fy = pose.getWorldPositionY(foot), fz = pose.getWorldPositionZ(foot);
  const l1 = length(kx - hx, ky - hy, kz - hz), l2 = length(fx - kx, fy - ky, fz - kz);
  if (l1 < 1e-6 || l2 < 1e-6) return;
  let tx = fx + dx - hx, ty = fy + dy - hy, tz = fz + dz - hz;
  const distance = length(tx, ty, tz);
  if (distance < 1e-6) return;
  const d = Math.max(Math.abs(l1 - l2) * 1.001, Math.min((l1 + l2) * LONGEST, distance));
  tx /= distance;
  ty /= distance;
  tz /= distance;
  // Bending side: the part of the thigh across the way to the target.
  let px = kx - hx, py = ky - hy, pz = kz - hz;
  const along = px * tx + py * ty + pz * tz;
  px -= along * tx;
  py -= along * ty;
  pz -= along * tz;
  const side = length(px, py, pz);
  if (side < 1e-7) return;
  const cosA = (l1 * l1 + d * d - l2 * l2) / (2 * l1 * d), sinA = Math.sqrt(Math.max(0, 1 - cosA * cosA)) / side;
  const nx = hx + l1 * (cosA * tx) + l1 * sinA * px, ny = hy + l1 * (cosA * ty) + l1 * sinA * py, nz = hz + l1 * (cosA * tz) + l1 * sinA * pz;
  const ex = hx + d * tx, ey = hy + d * ty, ez = hz + d * tz;

  // World rotations: old ones of thigh, shank and foot, then the turns of the two bones.
  readRotation(pose, upper, 0);
  readRotation(pose, lower, 4);
  readRotation(pose, foot, 8);
  shortestArc(kx - hx, ky - hy, kz - hz, nx - hx, ny - hy, nz - hz, 12);
  multiply(12, 0, 16);
  // The shank is turned by the thigh first, then onto its own new direction.
  rotate(12, fx - kx, fy - ky, fz - kz, 20);
  shortestArc(v[20]!, v[21]!, v[22]!, ex - nx, ey - ny, ez - nz, 24);
  multiply(24, 12, 28);
  multiply(28, 4, 32);
  const parent = skeleton.getParent(upper);
  if (parent < 0) identity(36);
  else readRotation(pose, parent, 36);
  writeLocal(pose, upper, 36, 16);
  writeLocal(pose, lower, 16, 32);
  writeLocal(pose, foot, 32, 8);
  pose.markStale();
}

function length(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}

function readRotation(pose: AnimPose, bone: number, o: number): void {
  v[o] = pose.getWorldRotationX(bone);
  v[o + 1] = pose.getWorldRotationY(bone);
  v[o + 2] = pose.getWorldRotationZ(bone);
  v[o + 3] = pose.getWorldRotationW(bone);
}

function identity(o: number): void {
  v[o] = v[o + 1] = v[o + 2] = 0;
  v[o + 3] = 1;
}

function multiply(a: number, b: number, o: number): void {
  const ax = v[a]!, ay = v[a + 1]!, az = v[a + 2]!, aw = v[a + 3]!, bx = v[b]!, by = v[b + 1]!, bz = v[b + 2]!, bw = v[b + 3]!;
  v[o] = aw * bx + ax * bw + ay * bz - az * by;
  v[o + 1] = aw * by - ax * bz + ay * bw + az * bx;
  v[o + 2] = aw * bz + ax * by - ay * bx + az * bw;
  v[o + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

function rotate(q: number, x: number, y: number, z: number, o: number): void {
  const qx = v[q]!, qy = v[q + 1]!, qz = v[q + 2]!, w = v[q + 3]!;
  const tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
  v[o] = x + w * tx + qy * tz - qz * ty;
  v[o + 1] = y + w * ty + qz * tx - qx * tz;
  v[o + 2] = z + w * tz + qx * ty - qy * tx;
}

/** The smallest turn from one direction to another. */
function shortestArc(ax: number, ay: number, az: number, bx: number, by: number, bz: number, o: number): void {
  const scale = 1 / (length(ax, ay, az) * length(bx, by, bz));
  const w = 1 + (ax * bx + ay * by + az * bz) * scale;
  const x = (ay * bz - az * by) * scale, y = (az * bx - ax * bz) * scale, z = (ax * by - ay * bx) * scale;
  const n = Math.sqrt(x * x + y * y + z * z + w * w);
  if (!(n > 1e-9)) {
    identity(o);
    return;
  }
  v[o] = x / n;
  v[o + 1] = y / n;
  v[o + 2] = z / n;
  v[o + 3] = w / n;
}

/** Local rotation of a bone from the world rotations of its parent and itself, straight into the pose's block. */
function writeLocal(pose: AnimPose, bone: number, parent: number, world: number): void {
  v[40] = -v[parent]!;
  v[41] = -v[parent + 1]!;
  v[42] = -v[parent + 2]!;
  v[43] = v[parent + 3]!;
  multiply(40, world, 44);
  const n = Math.sqrt(v[44]! ** 2 + v[45]! ** 2 + v[46]! ** 2 + v[47]! ** 2);
  const at = localIndex(pose.localPtr, bone), f32 = heap.f32;
  for (let k = 0; k < 4; k++) f32[at + 4 * (Local.QX + k)] = v[44 + k]! / n;
}
