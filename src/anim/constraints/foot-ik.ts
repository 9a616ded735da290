import { AnimArgumentError, AnimMismatchError } from "../errors.js";
import { asin, atan2, cos, exp, sin } from "../motion/math.js";
import { requireFinite, requireFinite3, requireIndex, requireLength, requireObject, requireRotation } from "../rig/checks.js";
import type { AnimPose } from "../rig/pose.js";
import { restPose } from "../rig/rest-pose.js";
import { retire } from "../rig/retire.js";
import { multiplyRotations } from "../rig/rigid.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { readWorldPosition, readWorldRotation, writeWorldPosition, writeWorldRotation } from "../rig/pose-access.js";
import { IK, IK_WEIGHT, reachFor } from "../rig/pose-ik.js";
import { SLERP_WEIGHT, slerpByWeight } from "../rig/track-sample.js";
import { inverseMultiply, rotateVector, shortestArc } from "../dynamic-bone/rotation.js";
import { requireChain } from "./constraint-stack.js";
import {
  ANIMATED_REACH, CONFIDENCE, FootLeg, FRAME_NUMBERS, GRACE, LEFT_YAW, LIFT, LOCK_SPEED, LOCK_X, LOCK_Z, OFFSET, PELVIS_LIMIT, PLANE_Y, SIZE, TIME, UNLOCK_SPEED, WANTED, YAW,
} from "./foot-leg.js";

/** What a ground query answers: a point of the ground and its normal, in world space. */
export interface GroundHit {
  x: number;
  y: number;
  z: number;
  nx: number;
  ny: number;
  nz: number;
}

/** Finds the ground: a ray from (x, y + up, z) straight down for up + down. */
export interface GroundQuery {
  /** @returns "hit" with `out` filled, "miss" where there is no ground, "unavailable" to use the manual contact */
  query(x: number, y: number, z: number, up: number, down: number, out: GroundHit): "hit" | "miss" | "unavailable";
}

const PELVIS_HALF_LIFE = 0.1;
const MAX_ANGLE = (40 * Math.PI) / 180;
/** Share of a leg's length up to which it is stretched at most, and from which on stretching is softened. */
const FULL = 0.998, SOFT = 0.97;
const IDENTITY = /* @__PURE__ */ Float64Array.of(0, 0, 0, 1);
const UP = /* @__PURE__ */ Float64Array.of(0, 1, 0);
const V = /* @__PURE__ */ new Float64Array(3);
const W = /* @__PURE__ */ new Float64Array(3);
const Q = /* @__PURE__ */ new Float64Array(4);
const D = /* @__PURE__ */ new Float64Array(4);
const I = /* @__PURE__ */ new Float64Array(4);
/** What `measure` found. */
const N = /* @__PURE__ */ new Float64Array(1);

/**
 * Feet on uneven ground: two legs reach the ground below them, feet follow the slope, the pelvis gives way, and standing
 * feet can be locked in place. Call `apply` after sampling and before dynamic bones. Ground and locks are in world space,
 * +Y up; lengths default to shares of the leg, so that rigs of any unit behave alike.
 */
export class FootIKSolver {
  #skeleton: AnimSkeleton;
  readonly #left = new FootLeg();
  readonly #right = new FootLeg();
  readonly #legs = [this.#left, this.#right];
  #pelvis = -1;
  #query: GroundQuery | null = null;
  readonly #hit: GroundHit = { x: 0, y: 0, z: 0, nx: 0, ny: 1, nz: 0 };
  #minNormalY = 0.5;
  #maxPelvis: number | undefined;
  #lockEnabled = false;
  #lockSpeed: number | undefined;
  #unlockSpeed: number | undefined;
  #grace = 0.1;
  /** Offset of the pelvis and its velocity. */
  readonly #sway = new Float64Array(2);
  /** The numbers of this frame for the legs; see foot-leg.ts. */
  readonly #frame = new Float64Array(FRAME_NUMBERS);
  #running = false;
  readonly #position = new Float64Array(3);
  readonly #lastPosition = new Float64Array(3);
  readonly #rotation = Float64Array.of(0, 0, 0, 1);

  /** @throws AnimArgumentError */
  constructor(skeleton: AnimSkeleton) {
    requireObject("FootIKSolver", "skeleton", skeleton, "AnimSkeleton");
    skeleton.freeze("FootIKSolver");
    this.#skeleton = skeleton;
  }

  /** Another skeleton; bones have to be configured again. */
  setSkeleton(skeleton: AnimSkeleton): void {
    requireObject("FootIKSolver.setSkeleton", "skeleton", skeleton, "AnimSkeleton");
    skeleton.freeze("FootIKSolver.setSkeleton");
    this.#skeleton = skeleton;
    this.#pelvis = -1;
    for (const leg of this.#legs) {
      leg.bones = undefined;
      leg.toe = -1;
      leg.hasManual = false;
    }
    this.reset();
  }

  /** The bone that is moved so that both feet reach the ground. Without one, legs do what they can. */
  setPelvisBone(bone: number): void {
    requireIndex("FootIKSolver.setPelvisBone", "bone", bone, this.#skeleton.getBoneCount());
    this.#pelvis = bone;
  }

  /**
   * @param soleOffset - distance from the foot joint to the sole, 0 or more
   * @throws AnimArgumentError if the bones are no chain
   */
  configureLeftLeg(upper: number, lower: number, foot: number, soleOffset = 0): void {
    this.#configure("configureLeftLeg", this.#left, upper, lower, foot, soleOffset);
  }

  /** See `configureLeftLeg`. */
  configureRightLeg(upper: number, lower: number, foot: number, soleOffset = 0): void {
    this.#configure("configureRightLeg", this.#right, upper, lower, foot, soleOffset);
  }

  /** Bends the toe so that it does not go below the ground. @param weight - clamped to 0..1 */
  configureLeftToe(toe: number, weight = 1): void { this.#configureToe("configureLeftToe", this.#left, toe, weight); }
  /** See `configureLeftToe`. */
  configureRightToe(toe: number, weight = 1): void { this.#configureToe("configureRightToe", this.#right, toe, weight); }

  /** Where to find ground, asked once a foot and `apply`. null: only contacts set by hand count. */
  setGroundQuery(query: GroundQuery | null): void {
    if (query !== null && typeof query?.query !== "function") {
      throw new AnimArgumentError("FootIKSolver.setGroundQuery: query has no method named query. Give an object with one, or null.");
    }
    this.#query = query;
  }

  /** A contact by hand, for when the query is unavailable: a point of the ground below the foot and its normal. */
  setLeftContact(x: number, y: number, z: number, nx = 0, ny = 1, nz = 0): void { this.#setContact("setLeftContact", this.#left, x, y, z, nx, ny, nz); }
  /** See `setLeftContact`. */
  setRightContact(x: number, y: number, z: number, nx = 0, ny = 1, nz = 0): void { this.#setContact("setRightContact", this.#right, x, y, z, nx, ny, nz); }

  /** Ground that is steeper counts as none. Default 0.5, a slope of 60 degrees; clamped to 0..1. */
  setMinGroundNormalY(y: number): void {
    requireFinite("FootIKSolver.setMinGroundNormalY", "y", y);
    this.#minNormalY = Math.min(1, Math.max(0, y));
  }

  /** How far the pelvis may go up or down. Default 0.35 of the leg. */
  setMaxPelvisOffset(distance: number): void {
    requireLength("FootIKSolver.setMaxPelvisOffset", "distance", distance);
    this.#maxPelvis = distance;
  }

  /** Whether feet that stand are held in place. Default false. */
  setFootLockEnabled(enabled: boolean): void { this.#lockEnabled = enabled === true; }

  /** Horizontal speeds of the animated foot below which it is locked, and above which released. Defaults 0.35 and 1.1 legs per second. */
  setFootLockThresholds(lockSpeed: number, unlockSpeed: number): void {
    const method = "FootIKSolver.setFootLockThresholds";
    requireLength(method, "lockSpeed", lockSpeed);
    requireLength(method, "unlockSpeed", unlockSpeed);
    if (lockSpeed > unlockSpeed) throw new AnimArgumentError(`${method}: lockSpeed ${lockSpeed} is above unlockSpeed ${unlockSpeed}. Give the smaller one first.`);
    this.#lockSpeed = lockSpeed;
    this.#unlockSpeed = unlockSpeed;
  }

  /** Seconds in which a foot fades to the animation where the ground is lost. Default 0.1. */
  setContactGraceTime(seconds: number): void {
    requireLength("FootIKSolver.setContactGraceTime", "seconds", seconds);
    this.#grace = seconds;
  }

  /** Whether the foot was locked in the last `apply`. */
  isLeftFootLocked(): boolean { return this.#left.locked; }
  /** Whether the foot was locked in the last `apply`. */
  isRightFootLocked(): boolean { return this.#right.locked; }

  /** From the model to the world. Default: the identity. The character's own ground is at the height of its position. */
  setObjectTransform(px: number, py: number, pz: number, qx: number, qy: number, qz: number, qw: number): void {
    requireFinite3("FootIKSolver.setObjectTransform", "the position", px, py, pz);
    const length = requireRotation("FootIKSolver.setObjectTransform", qx, qy, qz, qw);
    this.#position[0] = px;
    this.#position[1] = py;
    this.#position[2] = pz;
    this.#rotation[0] = qx / length;
    this.#rotation[1] = qy / length;
    this.#rotation[2] = qz / length;
    this.#rotation[3] = qw / length;
  }

  /** How far the pelvis is moved up (or down, below 0). */
  getPelvisOffset(): number { return this.#sway[0]!; }

  /** Forgets what was smoothed and locked; the next `apply` takes the ground as it is. */
  reset(): void {
    for (const leg of this.#legs) leg.reset();
    this.#sway.fill(0);
    this.#running = false;
  }

  /**
   * Moves pelvis, legs, feet and toes of the pose, whose world is valid afterwards.
   * @param dt - seconds; not finite: nothing happens; below 0 counts as 0
   * @throws AnimMismatchError if the pose does not have the bones of the skeleton
   */
  apply(pose: AnimPose, dt: number): void {
    requireObject("FootIKSolver.apply", "pose", pose, "AnimPose");
    if (pose.getBoneCount() !== this.#skeleton.getBoneCount()) {
      throw new AnimMismatchError(`FootIKSolver.apply: the pose has ${pose.getBoneCount()} bones, expected ${this.#skeleton.getBoneCount()}.`);
    }
    if (!Number.isFinite(dt)) return;
    this.#measureLegs();
    const frame = this.#frame, size = frame[SIZE]!;
    if (size === 0) return;
    frame[TIME] = Math.max(0, dt);
    frame[PLANE_Y] = this.#position[1]!;
    frame[GRACE] = this.#grace;
    // Assigned on two branches: a value that is either a field or a product would be boxed.
    if (this.#lockSpeed === undefined) frame[LOCK_SPEED] = 0.35 * size;
    else frame[LOCK_SPEED] = this.#lockSpeed;
    if (this.#unlockSpeed === undefined) frame[UNLOCK_SPEED] = 1.1 * size;
    else frame[UNLOCK_SPEED] = this.#unlockSpeed;
    if (this.#maxPelvis === undefined) frame[PELVIS_LIMIT] = 0.35 * size;
    else frame[PELVIS_LIMIT] = this.#maxPelvis;
    pose.computeWorld(this.#skeleton);
    measure(this.#position, this.#lastPosition);
    if (N[0]! > 2 * size) this.reset();
    for (let k = 0; k < 3; k++) this.#lastPosition[k] = this.#position[k]!;
    const direct = !this.#running;
    this.#running = true;
    for (let k = 0; k < 3; k++) I[k] = -this.#rotation[k]!;
    I[3] = this.#rotation[3]!;

    this.#followGround(this.#left, pose, direct);
    this.#followGround(this.#right, pose, direct);
    this.#movePelvis(pose, direct);
    if (this.#left.bones !== undefined) this.#placeFoot(this.#left, pose);
    if (this.#right.bones !== undefined) this.#placeFoot(this.#right, pose);
    pose.computeWorld(this.#skeleton);
  }

  #followGround(leg: FootLeg, pose: AnimPose, direct: boolean): void {
    if (leg.bones === undefined) return;
    const frame = this.#frame;
    this.#readLeg(leg, pose);
    leg.measureSpeed(frame);
    this.#findGround(leg);
    leg.followGround(frame, direct);
    leg.freeGoal(frame);
    leg.applyLock(frame, this.#lockEnabled);
  }

  /** World state of the animated leg. */
  #readLeg(leg: FootLeg, pose: AnimPose): void {
    const { upper, foot, sole } = leg.bones!, s = leg.state;
    this.#toWorld(pose, upper, V);
    this.#toWorld(pose, foot, leg.foot);
    measure(V, leg.foot);
    s[ANIMATED_REACH] = N[0]!;
    s[LIFT] = Math.max(0, leg.foot[1]! - this.#frame[PLANE_Y]! - sole);
    readWorldRotation(pose, foot, Q, 0);
    multiplyRotations(this.#rotation, 0, Q, 0, leg.rotation, 0);
    V[0] = V[1] = 0;
    V[2] = 1;
    rotateVector(leg.rotation, 0, V, 0, V, 0);
    if (V[0]! * V[0]! + V[2]! * V[2]! > 1e-8) s[YAW] = atan2(V[0]!, V[2]!);
  }

  /** The contact of this frame: by the query, else by hand. */
  #findGround(leg: FootLeg): void {
    const hit = this.#hit, size = this.#frame[SIZE]!, planeY = this.#frame[PLANE_Y]!;
    const x = leg.locked ? leg.state[LOCK_X]! : leg.foot[0]!, z = leg.locked ? leg.state[LOCK_Z]! : leg.foot[2]!;
    let answer = "unavailable";
    if (this.#query !== null) {
      try {
        answer = this.#query.query(x, planeY, z, 0.5 * size, 0.5 * size, hit);
      } catch {
        // A provider that fails is one that is not there.
        answer = "unavailable";
      }
    }
    if (answer === "unavailable" && leg.hasManual) {
      const m = leg.manual;
      hit.x = m[0]!;
      hit.y = m[1]!;
      hit.z = m[2]!;
      hit.nx = m[3]!;
      hit.ny = m[4]!;
      hit.nz = m[5]!;
      answer = "hit";
    }
    leg.grounded = false;
    if (answer !== "hit") return;
    const length = Math.sqrt(hit.nx * hit.nx + hit.ny * hit.ny + hit.nz * hit.nz);
    if (!(length >= 1e-6 && length < Infinity && Number.isFinite(hit.x) && Number.isFinite(hit.y) && Number.isFinite(hit.z))) return;
    const ny = hit.ny / length;
    if (ny < Math.max(1e-3, this.#minNormalY)) return;
    const height = hit.y - (hit.nx * (x - hit.x) + hit.nz * (z - hit.z)) / hit.ny;
    if (Math.abs(height - planeY) > 0.5 * size * (1 + 1e-6)) return;
    leg.grounded = true;
    const c = leg.contact;
    c[0] = hit.x;
    c[1] = hit.y;
    c[2] = hit.z;
    c[3] = hit.nx / length;
    c[4] = ny;
    c[5] = hit.nz / length;
  }

  #movePelvis(pose: AnimPose, direct: boolean): void {
    if (this.#pelvis < 0) return;
    const limit = this.#frame[PELVIS_LIMIT]!, dt = this.#frame[TIME]!, sway = this.#sway, legs = this.#legs;
    let wanted = Infinity;
    for (let i = 0; i < 2; i++) {
      const leg = legs[i]!;
      if (leg.bones !== undefined && leg.state[CONFIDENCE]! > 0) wanted = Math.min(wanted, leg.state[WANTED]!);
    }
    if (wanted === Infinity) wanted = 0;
    wanted = Math.min(limit, Math.max(-limit, wanted));
    for (let i = 0; i < 2; i++) {
      const leg = legs[i]!;
      if (leg.bones === undefined) continue;
      this.#toWorld(pose, leg.bones.upper, V);
      const { goal } = leg, aside = (goal[0]! - V[0]!) ** 2 + (goal[2]! - V[2]!) ** 2;
      const longest = Math.max(FULL * leg.bones.length, leg.state[ANIMATED_REACH]!);
      // Where even the horizontal distance is too long, going down does not help.
      if (aside < longest * longest) wanted = Math.min(wanted, goal[1]! - V[1]! + Math.sqrt(longest * longest - aside));
    }
    wanted = Math.min(limit, Math.max(-limit, wanted));
    if (direct) {
      sway[0] = wanted;
      sway[1] = 0;
    } else {
      // Critically damped: x = (j0 + j1 t) e^-yt.
      const y = (2 * Math.LN2) / PELVIS_HALF_LIFE, j0 = sway[0]! - wanted, j1 = sway[1]! + j0 * y, decay = exp(-y * dt);
      sway[0] = wanted + (j0 + j1 * dt) * decay;
      sway[1] = (sway[1]! - j1 * y * dt) * decay;
    }
    if (Math.abs(sway[0]!) < 1e-7 * limit) return;
    rotateVector(I, 0, UP, 0, V, 0);
    readWorldPosition(pose, this.#pelvis, W, 0);
    for (let k = 0; k < 3; k++) W[k] = W[k]! + V[k]! * sway[0]!;
    writeWorldPosition(pose, this.#skeleton, this.#pelvis, W, 0);
  }

  #placeFoot(leg: FootLeg, pose: AnimPose): void {
    const { upper, lower, foot, length } = leg.bones!, { goal, state: s } = leg, size = this.#frame[SIZE]!;
    this.#toWorld(pose, foot, W);
    measure(W, goal);
    if (N[0]! > 1e-6 * size) {
      // Legs that are nearly straight give way instead of snapping; as straight as the animation has them is fine.
      this.#toWorld(pose, upper, V);
      measure(V, goal);
      const start = Math.max(SOFT * length, s[ANIMATED_REACH]!), room = Math.max(0, FULL * length - start), distance = N[0]!;
      const reach = distance <= start ? distance : start + room * (room > 0 ? 1 - exp(-(distance - start) / room) : 0);
      for (let k = 0; k < 3; k++) W[k] = V[k]! + (goal[k]! - V[k]!) * (reach / distance) - this.#position[k]!;
      rotateVector(I, 0, W, 0, IK, 0);
      IK[IK_WEIGHT] = 1;
      reachFor(pose, this.#skeleton, upper, lower, foot, false);
    }
    const slope = s[CONFIDENCE]! * (1 - Math.min(1, s[LIFT]! / (0.15 * size)));
    for (let k = 0; k < 4; k++) Q[k] = leg.rotation[k]!;
    if (s[LEFT_YAW] !== 0) {
      D[0] = D[2] = 0;
      D[1] = sin(s[LEFT_YAW]! / 2);
      D[3] = cos(s[LEFT_YAW]! / 2);
      multiplyRotations(D, 0, Q, 0, Q, 0);
    }
    shortestArc(UP, 0, leg.normal, 0, D, 0);
    const cosine = Math.min(1, D[3]!), angle = 2 * atan2(Math.sqrt((1 - cosine) * (1 + cosine)), cosine);
    SLERP_WEIGHT[0] = slope * (angle > MAX_ANGLE ? MAX_ANGLE / angle : 1);
    slerpByWeight(IDENTITY, 0, D, 0, D, 0);
    multiplyRotations(D, 0, Q, 0, Q, 0);
    multiplyRotations(I, 0, Q, 0, D, 0);
    writeWorldRotation(pose, this.#skeleton, foot, D, 0);
    if (leg.toe >= 0 && leg.toeWeight > 0 && s[CONFIDENCE]! > 0) this.#bendToe(leg, pose);
  }

  /** Turns the toe up until its tip touches the plane of the ground. `Q` is the foot's world rotation. */
  #bendToe(leg: FootLeg, pose: AnimPose): void {
    const { toe, normal: n, goal } = leg;
    this.#toWorld(pose, toe, V);
    this.#toeTip(leg, pose, W);
    const plane = n[0]! * goal[0]! + n[1]! * (this.#frame[PLANE_Y]! + leg.state[OFFSET]!) + n[2]! * goal[2]!;
    const joint = n[0]! * V[0]! + n[1]! * V[1]! + n[2]! * V[2]! - plane, tip = n[0]! * W[0]! + n[1]! * W[1]! + n[2]! * W[2]! - plane;
    if (tip >= 0) return;
    const dx = W[0]! - V[0]!, dy = W[1]! - V[1]!, dz = W[2]! - V[2]!, rise = tip - joint;
    // Forward on the plane, and the axis that lifts it: forward x normal.
    const fx = dx - n[0]! * rise, fy = dy - n[1]! * rise, fz = dz - n[2]! * rise, forward = Math.sqrt(fx * fx + fy * fy + fz * fz);
    const length = Math.sqrt(forward * forward + rise * rise);
    if (forward < 1e-6 * length || length === 0) return;
    const turn = leg.toeWeight * leg.state[CONFIDENCE]! * (asin(Math.min(1, Math.max(-1, -joint / length))) - atan2(rise, forward));
    const s = sin(turn / 2) / forward;
    D[0] = (fy * n[2]! - fz * n[1]!) * s;
    D[1] = (fz * n[0]! - fx * n[2]!) * s;
    D[2] = (fx * n[1]! - fy * n[0]!) * s;
    D[3] = cos(turn / 2);
    readWorldRotation(pose, toe, Q, 0);
    multiplyRotations(this.#rotation, 0, Q, 0, Q, 0);
    multiplyRotations(D, 0, Q, 0, Q, 0);
    multiplyRotations(I, 0, Q, 0, Q, 0);
    writeWorldRotation(pose, this.#skeleton, toe, Q, 0);
  }

  /** The toe's first child; without one, half as far again as the toe lies in front of the foot in the bind pose. */
  #toeTip(leg: FootLeg, pose: AnimPose, out: Float64Array): void {
    const skeleton = this.#skeleton, { toe } = leg;
    if (skeleton.getChildCount(toe) > 0) {
      this.#toWorld(pose, skeleton.getChild(toe, 0), out);
      return;
    }
    const rest = restPose(skeleton), { foot } = leg.bones!;
    readWorldPosition(rest, toe, out, 0);
    readWorldPosition(rest, foot, D, 0);
    out[0] = (out[0]! - D[0]!) / 2;
    out[1] = 0;
    out[2] = (out[2]! - D[2]!) / 2;
    readWorldRotation(rest, toe, Q, 0);
    inverseMultiply(Q, 0, IDENTITY, 0, D, 0);
    rotateVector(D, 0, out, 0, out, 0);
    readWorldRotation(pose, toe, Q, 0);
    multiplyRotations(this.#rotation, 0, Q, 0, Q, 0);
    rotateVector(Q, 0, out, 0, out, 0);
    for (let k = 0; k < 3; k++) out[k] = out[k]! + V[k]!;
  }

  /** Ends the use: every later call throws. It holds no memory of its own. Safe to call twice. */
  dispose(): void {
    retire(this, "FootIKSolver");
  }

  #toWorld(pose: AnimPose, bone: number, out: Float64Array): void {
    readWorldPosition(pose, bone, out, 0);
    rotateVector(this.#rotation, 0, out, 0, out, 0);
    for (let k = 0; k < 3; k++) out[k] = out[k]! + this.#position[k]!;
  }

  /** Length of the longer configured leg; 0 if there is none. */
  #measureLegs(): void {
    const left = this.#left.bones, right = this.#right.bones;
    this.#frame[SIZE] = 0;
    if (left !== undefined) this.#frame[SIZE] = left.length;
    if (right !== undefined) this.#frame[SIZE] = Math.max(this.#frame[SIZE]!, right.length);
  }

  #configure(method: string, leg: FootLeg, upper: number, lower: number, foot: number, sole: number): void {
    requireChain(`FootIKSolver.${method}`, this.#skeleton, upper, lower, foot);
    requireLength(`FootIKSolver.${method}`, "soleOffset", sole);
    const rest = restPose(this.#skeleton);
    leg.bones = { upper, lower, foot, sole, length: restDistance(rest, upper, lower) + restDistance(rest, lower, foot) };
    leg.reset();
  }

  #configureToe(method: string, leg: FootLeg, toe: number, weight: number): void {
    requireIndex(`FootIKSolver.${method}`, "toe", toe, this.#skeleton.getBoneCount());
    requireFinite(`FootIKSolver.${method}`, "weight", weight);
    if (leg.bones === undefined || !this.#skeleton.isAncestor(leg.bones.foot, toe)) {
      throw new AnimArgumentError(`FootIKSolver.${method}: bone ${toe} is not below a configured foot. Configure the leg first, then its toe.`, { found: toe });
    }
    leg.toe = toe;
    leg.toeWeight = Math.min(1, Math.max(0, weight));
  }

  #setContact(method: string, leg: FootLeg, x: number, y: number, z: number, nx: number, ny: number, nz: number): void {
    requireFinite3(`FootIKSolver.${method}`, "the contact", x, y, z);
    requireFinite3(`FootIKSolver.${method}`, "the normal", nx, ny, nz);
    if (nx * nx + ny * ny + nz * nz < 1e-12) throw new AnimArgumentError(`FootIKSolver.${method}: the normal has no length, expected a direction.`);
    leg.manual.set([x, y, z, nx, ny, nz]);
    leg.hasManual = true;
  }
}

function restDistance(rest: AnimPose, a: number, b: number): number {
  const x = rest.getWorldPositionX(b) - rest.getWorldPositionX(a), y = rest.getWorldPositionY(b) - rest.getWorldPositionY(a), z = rest.getWorldPositionZ(b) - rest.getWorldPositionZ(a);
  return Math.sqrt(x * x + y * y + z * z);
}

/** N[0] = the distance of two points. */
function measure(a: Float64Array, b: Float64Array): void {
  N[0] = Math.sqrt((a[0]! - b[0]!) ** 2 + (a[1]! - b[1]!) ** 2 + (a[2]! - b[2]!) ** 2);
}
