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

/** Numbers of a leg. CONFIDENCE: 0 without ground .. 1 on it. */
export const CONFIDENCE = 0;
/** Height of the ground above the character's, with confidence: smoothed, and as it is. */
export const OFFSET = 1, WANTED = 2;
/** Where the foot is locked. */
export const LOCK_X = 3, LOCK_Z = 4, LOCK_YAW = 5;
/** What is left of the lock after its release. */
export const LEFT_X = 6, LEFT_Z = 7, LEFT_YAW = 8;
/** Horizontal speed of the animated foot, its heading, and the height of its sole above the character's ground. */
export const SPEED = 9, YAW = 10, LIFT = 11;
/** Length of the animated leg, which the solver may always use. */
export const ANIMATED_REACH = 12;
const STATE_NUMBERS = 13;

/** Numbers of a frame: seconds, length of the leg, height of the character's ground, and the solver's settings. */
export const TIME = 0, SIZE = 1, PLANE_Y = 2, GRACE = 3, LOCK_SPEED = 4, UNLOCK_SPEED = 5, PELVIS_LIMIT = 6, FRAME_NUMBERS = 7;

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
  locked = false;
  hasBefore = false;
  /** The numbers named above: in an array, where they are not boxed. */
  readonly state = new Float64Array(STATE_NUMBERS);
  readonly normal = Float64Array.of(0, 1, 0);

  /** Animated foot of this frame and of the one before. */
  readonly foot = new Float64Array(3);
  readonly before = new Float64Array(3);
  /** Where the foot is to go. */
  readonly goal = new Float64Array(3);
  readonly rotation = new Float64Array(4);

  constructor() {
    this.state[SPEED] = Infinity;
  }

  reset(): void {
    this.grounded = false;
    const s = this.state;
    s[CONFIDENCE] = s[OFFSET] = s[WANTED] = s[LEFT_X] = s[LEFT_Z] = s[LEFT_YAW] = 0;
    s[SPEED] = Infinity;
    this.normal[0] = this.normal[2] = 0;
    this.normal[1] = 1;
    this.locked = false;
    this.hasBefore = false;
  }

  measureSpeed(frame: Float64Array): void {
    const { foot, before } = this, dt = frame[TIME]!;
    if (this.hasBefore && dt > 0) this.state[SPEED] = Math.sqrt((foot[0]! - before[0]!) ** 2 + (foot[2]! - before[2]!) ** 2) / dt;
    // Without time there is nothing to compare; the place of the last frame that took time stays.
    if (dt > 0 || !this.hasBefore) for (let k = 0; k < 3; k++) before[k] = foot[k]!;
    this.hasBefore = true;
  }

  /** Confidence, height and normal of the ground. @param direct - takes them as they are, without smoothing */
  followGround(frame: Float64Array, direct: boolean): void {
    const s = this.state, dt = frame[TIME]!, grace = frame[GRACE]!;
    const step = grace > 0 && !direct ? dt / grace : 1;
    s[CONFIDENCE] = Math.min(1, Math.max(0, s[CONFIDENCE]! + (this.grounded ? step : -step)));
    const { contact, normal } = this;
    const x = this.locked ? s[LOCK_X]! : this.foot[0]!, z = this.locked ? s[LOCK_Z]! : this.foot[2]!;
    const height = contact[1]! - (contact[3]! * (x - contact[0]!) + contact[5]! * (z - contact[2]!)) / contact[4]!;
    s[WANTED] = s[CONFIDENCE]! > 0 ? (height - frame[PLANE_Y]!) * s[CONFIDENCE]! : 0;
    const keep = direct ? 0 : remaining(dt, OFFSET_HALF_LIFE), keepNormal = direct ? 0 : remaining(dt, NORMAL_HALF_LIFE);
    s[OFFSET] = s[WANTED]! + (s[OFFSET]! - s[WANTED]!) * keep;
    let squares = 0;
    for (let k = 0; k < 3; k++) {
      const to = s[CONFIDENCE]! > 0 ? contact[3 + k]! : k === 1 ? 1 : 0;
      normal[k] = to + (normal[k]! - to) * keepNormal;
      squares += normal[k]! * normal[k]!;
    }
    for (let k = 0; k < 3; k++) normal[k] = normal[k]! / Math.sqrt(squares);
  }

  /** Where the foot goes without a lock: on the ground's height, and never into it. */
  freeGoal(frame: Float64Array): void {
    const s = this.state, planeY = frame[PLANE_Y]!, { goal, foot, normal } = this, sole = this.bones!.sole;
    goal[0] = foot[0]!;
    goal[2] = foot[2]!;
    goal[1] = foot[1]! + s[OFFSET]!;
    // The plane passes under the foot, at the smoothed height.
    const missing = (sole - (goal[1]! - (planeY + s[OFFSET]!)) * normal[1]!) * s[CONFIDENCE]!;
    if (missing <= 0) return;
    for (let k = 0; k < 3; k++) goal[k] = goal[k]! + normal[k]! * missing;
  }

  /** Locks, holds and releases the horizontal part of the goal. */
  applyLock(frame: Float64Array, enabled: boolean): void {
    const { goal, state: s } = this, confidence = s[CONFIDENCE]!, size = frame[SIZE]!;
    if (this.locked) {
      const away = Math.sqrt((goal[0]! - s[LOCK_X]!) ** 2 + (goal[2]! - s[LOCK_Z]!) ** 2);
      if (!enabled || confidence === 0 || s[SPEED]! > frame[UNLOCK_SPEED]! || away > 0.22 * size) {
        this.locked = false;
        s[LEFT_X] = s[LOCK_X]! - goal[0]!;
        s[LEFT_Z] = s[LOCK_Z]! - goal[2]!;
        s[LEFT_YAW] = wrapAngle(s[LOCK_YAW]! - s[YAW]!);
      }
    } else if (enabled && confidence >= 0.5 && s[SPEED]! < frame[LOCK_SPEED]! && s[LIFT]! < 0.06 * size) {
      this.locked = true;
      s[LOCK_X] = goal[0]! + s[LEFT_X]!;
      s[LOCK_Z] = goal[2]! + s[LEFT_Z]!;
      s[LOCK_YAW] = s[YAW]! + s[LEFT_YAW]!;
    }
    if (this.locked) {
      goal[0] = s[LOCK_X]!;
      goal[2] = s[LOCK_Z]!;
      s[LEFT_X] = s[LEFT_Z] = 0;
      s[LEFT_YAW] = wrapAngle(s[LOCK_YAW]! - s[YAW]!);
      return;
    }
    goal[0] = goal[0]! + s[LEFT_X]!;
    goal[2] = goal[2]! + s[LEFT_Z]!;
    const keep = remaining(frame[TIME]!, LOCK_HALF_LIFE);
    s[LEFT_X] = s[LEFT_X]! * keep;
    s[LEFT_Z] = s[LEFT_Z]! * keep;
    s[LEFT_YAW] = s[LEFT_YAW]! * keep;
  }
}

function wrapAngle(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
