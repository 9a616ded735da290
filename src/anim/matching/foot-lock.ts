/** Holds standing feet where they stand. @internal */
import { heap } from "../../wasm/heap.js";
import { Local, localIndex } from "../rig/layout.js";
import type { AnimPose } from "../rig/pose.js";
import type { AnimSkeleton } from "../rig/skeleton.js";

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

/** Whether no leg moves a bone that another one reads. */
export function areApart(legs: readonly FootLockLeg[], skeleton: AnimSkeleton): boolean {
  const isBelow = (bone: number, top: number): boolean => {
    for (let up = bone; up >= 0; up = skeleton.getParent(up)) if (up === top) return true;
    return false;
  };
  return legs.every((leg) => legs.every((other) => leg === other || (!isBelow(leg.foot, other.upper) && !isBelow(leg.contact, other.upper))));
}

/** Seconds in which half of a released foot's offset is gone. */
export const RELEASE_HALF_LIFE = 0.06;
/** The leg may be stretched to this share of its length. */
const LONGEST = 0.9995;

/**
 * Places in a foot's limits: how far a standing foot may move in an update, the share of a released foot's offset that is left
 * after it, and how far a foot may be pulled.
 */
export const DISTANCE = 0, RELEASE = 1, RADIUS = 2;

/**
 * One foot: while it has contact its ground place is kept in the world, and the leg bends to it. At release the difference
 * dies away. A foot that would be pulled further than `radius` lets go and takes hold again at the next contact.
 */
export class FootLock {
  locked = false;
  /** World place of the locked contact bone. */
  readonly anchor = new Float64Array(3);
  /** What is added to the animated place, in the world; height is never touched. */
  readonly offset = new Float64Array(3);
  /** World place of the animated contact bone, written before `update`, and that of the update before. */
  readonly place = new Float64Array(3);
  readonly #before = new Float64Array(3);
  /** See DISTANCE, RELEASE, RADIUS; written before `isSlow` and `update`: doubles in arguments may be boxed. */
  readonly limits = new Float64Array(3);
  /** The foot was let go; it takes hold again at the next contact. */
  #given = false;
  #seen = false;

  constructor(readonly leg: FootLockLeg) {}

  reset(): void {
    this.locked = false;
    this.#given = false;
    this.#seen = false;
    this.offset.fill(0);
  }

  /** Whether the contact bone has moved less than limits[DISTANCE] since the update before. */
  isSlow(): boolean {
    if (!this.#seen) return false;
    const a = this.place, b = this.#before;
    const dx = a[0]! - b[0]!, dy = a[1]! - b[1]!, dz = a[2]! - b[2]!;
    return Math.sqrt(dx * dx + dy * dy + dz * dz) < this.limits[DISTANCE]!;
  }

  /** Decides what is added to the animated place, from the place and the limits written before. */
  update(contact: boolean): void {
    const { anchor, offset, place, limits } = this;
    this.#before.set(place);
    this.#seen = true;
    if (!contact) {
      this.#given = false;
      this.locked = false;
    } else if (!this.locked && !this.#given) {
      // What is left of an earlier release stays in the anchor, so the foot does not jump.
      for (let k = 0; k < 3; k++) anchor[k] = place[k]! + offset[k]!;
      this.locked = true;
    }
    if (this.locked) {
      offset[0] = anchor[0]! - place[0]!;
      offset[2] = anchor[2]! - place[2]!;
      if (Math.sqrt(offset[0]! * offset[0]! + offset[2]! * offset[2]!) > limits[RADIUS]!) {
        this.locked = false;
        this.#given = true;
      }
    }
    if (!this.locked) {
      offset[0] = offset[0]! * limits[RELEASE]!;
      offset[2] = offset[2]! * limits[RELEASE]!;
      if (Math.abs(offset[0]!) + Math.abs(offset[2]!) < 1e-6) offset.fill(0);
    }
  }

  /** Whether there is anything to add. */
  get moves(): boolean {
    return this.offset[0] !== 0 || this.offset[2] !== 0;
  }
}

/*
 * Work of one solve, as offsets into one array: numbers that are handed from function to function would be boxed, and a
 * frame must leave nothing behind. Nothing survives a call.
 */
const v = /* @__PURE__ */ new Float64Array(80);
/** The vector by which the foot is to move, in model space: written by the caller. */
export const MOVE = 0;
const HIP = 3, KNEE = 6, ANKLE = 9, TARGET = 12, SIDE = 15, NEW_KNEE = 18, NEW_ANKLE = 21, FROM = 24, TO = 27;
const THIGH = 30, SHANK = 34, FOOT = 38, PARENT = 42, TURN = 46, TURNED = 50, NEW_THIGH = 54, NEW_SHANK = 58, WORK = 62, LOCAL = 66;

/** Sets the vector for `moveFoot`, turned from the world into a model that stands at a heading: v' = R(yaw)^-1 v. */
export function setMove(offset: Float64Array, heading: Float64Array): void {
  const s = heading[0]!, c = heading[1]!;
  v[MOVE] = offset[0]! * c - offset[2]! * s;
  v[MOVE + 1] = 0;
  v[MOVE + 2] = offset[0]! * s + offset[2]! * c;
}

/**
 * Moves the foot of a leg by the vector of `setMove` with two-bone IK: the knee keeps its bending plane, the foot its world
 * rotation. The pose's world must be valid; afterwards that of this leg no longer is, and the caller marks it so.
 */
export function moveFoot(pose: AnimPose, skeleton: AnimSkeleton, leg: FootLockLeg): void {
  const { upper, lower, foot } = leg;
  readPlace(pose, upper, HIP);
  readPlace(pose, lower, KNEE);
  readPlace(pose, foot, ANKLE);
  let sum1 = 0, sum2 = 0;
  for (let k = 0; k < 3; k++) {
    const thigh = v[KNEE + k]! - v[HIP + k]!, shank = v[ANKLE + k]! - v[KNEE + k]!;
    sum1 += thigh * thigh;
    sum2 += shank * shank;
  }
  const l1 = Math.sqrt(sum1), l2 = Math.sqrt(sum2);
  if (l1 < 1e-6 || l2 < 1e-6) return;
  for (let k = 0; k < 3; k++) v[TARGET + k] = v[ANKLE + k]! + v[MOVE + k]! - v[HIP + k]!;
  const distance = Math.sqrt(v[TARGET]! * v[TARGET]! + v[TARGET + 1]! * v[TARGET + 1]! + v[TARGET + 2]! * v[TARGET + 2]!);
  if (distance < 1e-6) return;
  const d = Math.max(Math.abs(l1 - l2) * 1.001, Math.min((l1 + l2) * LONGEST, distance));
  for (let k = 0; k < 3; k++) v[TARGET + k] = v[TARGET + k]! / distance;
  // Bending side: the part of the thigh across the way to the target.
  let along = 0;
  for (let k = 0; k < 3; k++) along += (v[KNEE + k]! - v[HIP + k]!) * v[TARGET + k]!;
  for (let k = 0; k < 3; k++) v[SIDE + k] = v[KNEE + k]! - v[HIP + k]! - along * v[TARGET + k]!;
  const side = Math.sqrt(v[SIDE]! * v[SIDE]! + v[SIDE + 1]! * v[SIDE + 1]! + v[SIDE + 2]! * v[SIDE + 2]!);
  if (side < 1e-7) return;
  const cosA = (l1 * l1 + d * d - l2 * l2) / (2 * l1 * d), sinA = Math.sqrt(Math.max(0, 1 - cosA * cosA)) / side;
  for (let k = 0; k < 3; k++) {
    v[NEW_KNEE + k] = v[HIP + k]! + l1 * (cosA * v[TARGET + k]! + sinA * v[SIDE + k]!);
    v[NEW_ANKLE + k] = v[HIP + k]! + d * v[TARGET + k]!;
    v[FROM + k] = v[KNEE + k]! - v[HIP + k]!;
    v[TO + k] = v[NEW_KNEE + k]! - v[HIP + k]!;
  }
  readRotation(pose, upper, THIGH);
  readRotation(pose, lower, SHANK);
  readRotation(pose, foot, FOOT);
  shortestArc(FROM, TO, TURN);
  multiply(TURN, THIGH, NEW_THIGH);
  // The shank is turned by the thigh first, then onto its own new direction.
  for (let k = 0; k < 3; k++) {
    v[FROM + k] = v[ANKLE + k]! - v[KNEE + k]!;
    v[TO + k] = v[NEW_ANKLE + k]! - v[NEW_KNEE + k]!;
  }
  rotate(TURN, FROM);
  shortestArc(FROM, TO, TURNED);
  multiply(TURNED, TURN, WORK);
  multiply(WORK, SHANK, NEW_SHANK);
  const parent = skeleton.getParent(upper);
  if (parent < 0) {
    v.fill(0, PARENT, PARENT + 3);
    v[PARENT + 3] = 1;
  } else {
    readRotation(pose, parent, PARENT);
  }
  writeLocal(pose, upper, PARENT, NEW_THIGH);
  writeLocal(pose, lower, NEW_THIGH, NEW_SHANK);
  writeLocal(pose, foot, NEW_SHANK, FOOT);
}

/** World place of a bone into v[o…]. */
function readPlace(pose: AnimPose, bone: number, o: number): void {
  const at = (pose.worldPtr >>> 2) + bone * 16 + 12, f32 = heap.f32;
  for (let k = 0; k < 3; k++) v[o + k] = f32[at + k]!;
}

function readRotation(pose: AnimPose, bone: number, o: number): void {
  const at = (pose.rotationsPtr >>> 2) + bone * 4, f32 = heap.f32;
  for (let k = 0; k < 4; k++) v[o + k] = f32[at + k]!;
}

function multiply(a: number, b: number, o: number): void {
  const ax = v[a]!, ay = v[a + 1]!, az = v[a + 2]!, aw = v[a + 3]!, bx = v[b]!, by = v[b + 1]!, bz = v[b + 2]!, bw = v[b + 3]!;
  v[o] = aw * bx + ax * bw + ay * bz - az * by;
  v[o + 1] = aw * by - ax * bz + ay * bw + az * bx;
  v[o + 2] = aw * bz + ax * by - ay * bx + az * bw;
  v[o + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

/** Turns the vector at `o` by the quaternion at `q`. */
function rotate(q: number, o: number): void {
  const qx = v[q]!, qy = v[q + 1]!, qz = v[q + 2]!, w = v[q + 3]!, x = v[o]!, y = v[o + 1]!, z = v[o + 2]!;
  const tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
  v[o] = x + w * tx + qy * tz - qz * ty;
  v[o + 1] = y + w * ty + qz * tx - qx * tz;
  v[o + 2] = z + w * tz + qx * ty - qy * tx;
}

/** The smallest turn from one direction to another. */
function shortestArc(a: number, b: number, o: number): void {
  const ax = v[a]!, ay = v[a + 1]!, az = v[a + 2]!, bx = v[b]!, by = v[b + 1]!, bz = v[b + 2]!;
  const scale = 1 / Math.sqrt((ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz));
  const w = 1 + (ax * bx + ay * by + az * bz) * scale;
  const x = (ay * bz - az * by) * scale, y = (az * bx - ax * bz) * scale, z = (ax * by - ay * bx) * scale;
  const n = Math.sqrt(x * x + y * y + z * z + w * w);
  const usable = n > 1e-9;
  v[o] = usable ? x / n : 0;
  v[o + 1] = usable ? y / n : 0;
  v[o + 2] = usable ? z / n : 0;
  v[o + 3] = usable ? w / n : 1;
}

/** Local rotation of a bone from the world rotations of its parent and itself, straight into the pose's block. */
function writeLocal(pose: AnimPose, bone: number, parent: number, world: number): void {
  for (let k = 0; k < 3; k++) v[WORK + k] = -v[parent + k]!;
  v[WORK + 3] = v[parent + 3]!;
  multiply(WORK, world, LOCAL);
  const n = Math.sqrt(v[LOCAL]! * v[LOCAL]! + v[LOCAL + 1]! * v[LOCAL + 1]! + v[LOCAL + 2]! * v[LOCAL + 2]! + v[LOCAL + 3]! * v[LOCAL + 3]!);
  const at = localIndex(pose.localPtr, bone), f32 = heap.f32;
  for (let k = 0; k < 4; k++) f32[at + 4 * (Local.QX + k)] = v[LOCAL + k]! / n;
}
