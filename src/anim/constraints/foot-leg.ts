/** State of one leg of a foot IK solver, and what changes it from frame to frame. World space. @internal */

/** Share of the way that remains after `dt` with a half-life; 0 for half-lives of 0. */
export function remaining(dt: number, halfLife: number): number {
  return halfLife > 0 ? 2 ** (-dt / halfLife) : 0;
}

export interface LegBones {
  readonly upper: number;
  readonly lower: number;
  readonly foot: number;
  readonly sole: number;
  /** Upper and lower length in the bind pose. */
  readonly length: number;
}

/** Half-lives in seconds. */
export const OFFSET_HALF_LIFE = 0.05;
export const NORMAL_HALF_LIFE = 0.08;
export const LOCK_HALF_LIFE = 0.05;

export class FootLeg {
  bones: LegBones | undefined;
  toe = -1;
  toeWeight = 1;

  /** The contact set by hand, x y z nx ny nz. */
  readonly manual = new Float64Array(6);
  hasManual = false;

  /** The contact in use. */
  readonly contact = new Float64Array(6);
  grounded = false;
  /** 0 without ground .. 1 on it. */
  confidence = 0;
  /** Height of the ground above the character's, with confidence, smoothed. */
  offset = 0;
  /** The same, not smoothed. */
  wanted = 0;
  readonly normal = Float64Array.of(0, 1, 0);

  locked = false;
  lockX = 0;
  lockZ = 0;
  lockYaw = 0;
  /** What is left of the lock after its release. */
  leftX = 0;
  leftZ = 0;
  leftYaw = 0;

  /** Animated foot of this frame and of the one before. */
  readonly foot = new Float64Array(3);
  readonly before = new Float64Array(3);
  hasBefore = false;
  /** Horizontal speed of the animated foot. */
  speed = Infinity;
  yaw = 0;
  /** Height of the animated sole above the character's ground. */
  lift = 0;
  /** Where the foot is to go. */
  readonly goal = new Float64Array(3);
  /** Length of the animated leg, which the solver may always use. */
  animatedReach = 0;
  readonly rotation = new Float64Array(4);

  reset(): void {
    this.grounded = false;
    this.confidence = 0;
    this.offset = 0;
    this.wanted = 0;
    this.normal.set([0, 1, 0]);
    this.locked = false;
    this.leftX = this.leftZ = this.leftYaw = 0;
    this.hasBefore = false;
    this.speed = Infinity;
  }

  measureSpeed(dt: number): void {
    const { foot, before } = this;
    if (this.hasBefore && dt > 0) this.speed = Math.sqrt((foot[0]! - before[0]!) ** 2 + (foot[2]! - before[2]!) ** 2) / dt;
    // Without time there is nothing to compare; the place of the last frame that took time stays.
    if (dt > 0 || !this.hasBefore) before.set(foot);
    this.hasBefore = true;
  }

  /** Confidence, height and normal of the ground. @param direct - takes them as they are, without smoothing */
  followGround(dt: number, grace: number, planeY: number, direct: boolean): void {
    const step = grace > 0 && !direct ? dt / grace : 1;
    this.confidence = Math.min(1, Math.max(0, this.confidence + (this.grounded ? step : -step)));
    const { contact, normal } = this;
    const x = this.locked ? this.lockX : this.foot[0]!, z = this.locked ? this.lockZ : this.foot[2]!;
    const height = contact[1]! - (contact[3]! * (x - contact[0]!) + contact[5]! * (z - contact[2]!)) / contact[4]!;
    this.wanted = this.confidence > 0 ? (height - planeY) * this.confidence : 0;
    const keep = direct ? 0 : remaining(dt, OFFSET_HALF_LIFE), keepNormal = direct ? 0 : remaining(dt, NORMAL_HALF_LIFE);
    this.offset = this.wanted + (this.offset - this.wanted) * keep;
    let squares = 0;
    for (let k = 0; k < 3; k++) {
      const to = this.confidence > 0 ? contact[3 + k]! : k === 1 ? 1 : 0;
      normal[k] = to + (normal[k]! - to) * keepNormal;
      squares += normal[k]! * normal[k]!;
    }
    for (let k = 0; k < 3; k++) normal[k] = normal[k]! / Math.sqrt(squares);
  }

  /** Where the foot goes without a lock: on the ground's height, and never into it. */
  freeGoal(planeY: number): void {
    const { goal, foot, normal } = this, sole = this.bones!.sole;
    goal.set(foot);
    goal[1] = foot[1]! + this.offset;
    // The plane passes under the foot, at the smoothed height.
    const missing = (sole - (goal[1]! - (planeY + this.offset)) * normal[1]!) * this.confidence;
    if (missing <= 0) return;
    for (let k = 0; k < 3; k++) goal[k] = goal[k]! + normal[k]! * missing;
  }

  /** Locks, holds and releases the horizontal part of the goal. */
  applyLock(dt: number, enabled: boolean, lockSpeed: number, unlockSpeed: number, radius: number, lockHeight: number): void {
    const { goal, confidence } = this;
    if (this.locked) {
      const away = Math.sqrt((goal[0]! - this.lockX) ** 2 + (goal[2]! - this.lockZ) ** 2);
      if (!enabled || confidence === 0 || this.speed > unlockSpeed || away > radius) {
        this.locked = false;
        this.leftX = this.lockX - goal[0]!;
        this.leftZ = this.lockZ - goal[2]!;
        this.leftYaw = wrapAngle(this.lockYaw - this.yaw);
      }
    } else if (enabled && confidence >= 0.5 && this.speed < lockSpeed && this.lift < lockHeight) {
      this.locked = true;
      this.lockX = goal[0]! + this.leftX;
      this.lockZ = goal[2]! + this.leftZ;
      this.lockYaw = this.yaw + this.leftYaw;
    }
    if (this.locked) {
      goal[0] = this.lockX;
      goal[2] = this.lockZ;
      this.leftX = this.leftZ = 0;
      this.leftYaw = wrapAngle(this.lockYaw - this.yaw);
      return;
    }
    goal[0] = goal[0]! + this.leftX;
    goal[2] = goal[2]! + this.leftZ;
    const keep = remaining(dt, LOCK_HALF_LIFE);
    this.leftX *= keep;
    this.leftZ *= keep;
    this.leftYaw *= keep;
  }
}

function wrapAngle(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
