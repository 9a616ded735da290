import { AnimArgumentError } from "../errors.js";
import { requireFinite, requireIndex, requireObject, show } from "../rig/checks.js";
import { EventReader } from "../rig/event-reader.js";
import { type InertialCurve, Inertializer } from "../rig/inertializer.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { type MotionDatabase, rigHeight } from "./database.js";
import type { FilterRules } from "./filter.js";
import { areApart, FootLock, type FootLockLeg, RELEASE_HALF_LIFE } from "./foot-lock.js";
import { Controller, ControllerBlock, matching } from "./controller-block.js";
import { SimulatedRoot, type TrajectoryPoint, wrapToPi } from "./trajectory.js";

/** How strongly the animated root is drawn towards the simulated one. */
export interface RootAdjustment {
  /** Seconds in which half of the difference would go. Default 0.1. */
  positionHalfLife?: number | undefined;
  /** Default 0.2. */
  yawHalfLife?: number | undefined;
  /** At most this share of the root's own speed, so that the pull is hidden in the motion. Default 0.5. */
  maxRatio?: number | undefined;
}

/** Speed jump of the desired velocity, in rig heights a second, that forces a search. */
const FORCE_SPEED = 1.5;
const FORCE_YAW = 0.9;
/** Seconds in which the springs of the wish cover half their way. */
const HALF_LIFE = 0.27;
/** Distance in rig heights over which a locked foot lets go. */
const LOCK_RADIUS = 0.15;

type Group = "velocity" | "trajectoryPosition" | "trajectoryDirection" | "bonePosition" | "boneVelocity";

/** The wish and the settings of a {@link MotionMatcher}, which plays by them. */
export abstract class MatcherSettings extends EventReader {
  protected readonly skeleton: AnimSkeleton;
  /** The database that is searched. */
  readonly database: MotionDatabase;
  protected readonly inertializer = new Inertializer();
  /** Simulated object and animated root, in linear memory. */
  protected readonly block = new ControllerBlock();
  protected readonly simulated = new SimulatedRoot(this.block);
  protected readonly rigHeight: number;
  protected searchInterval = 0.1;
  protected blendTime = 0.15;
  protected ignoreRadius = 2;
  protected transitionCost = 0;
  protected continuingBias = 0;
  protected playbackRate = 1;
  protected readonly weights = new Map<string, number>();
  protected rules: FilterRules = { required: 0, excluded: 0, costs: [], ignoreEnd: 0.2, mirrored: true };
  protected requiredTags: readonly string[] = [];
  protected excludedTags: readonly string[] = [];
  protected readonly tagCosts = new Map<string, number>();
  /** Whether filter and weights must be written again before the next search. */
  protected rulesDirty = true;
  protected weightsDirty = true;
  protected poseSource: "database" | "displayed" = "database";
  protected transitionMode: "inertial" | "crossfade" = "inertial";
  protected keepRoot = false;
  protected forceSpeed: number;
  protected forceYaw = FORCE_YAW;
  protected strict = true;
  protected legs: FootLock[] = [];
  /** Whether no leg moves a bone that another one reads, so that the world is composed once for all. */
  protected legsApart = true;
  protected lockRadius: number;

  constructor(skeleton: AnimSkeleton, database: MotionDatabase) {
    super();
    this.skeleton = skeleton;
    this.database = database;
    this.rigHeight = rigHeight(skeleton);
    this.block.set(Controller.RIG_HEIGHT, this.rigHeight);
    this.block.set(Controller.VELOCITY_HALF_LIFE, HALF_LIFE);
    this.block.set(Controller.YAW_HALF_LIFE, HALF_LIFE);
    this.block.set(Controller.RELEASE_HALF_LIFE, RELEASE_HALF_LIFE);
    this.block.set(Controller.SWITCH_HALF_LIFE, this.blendTime / 3);
    this.forceSpeed = FORCE_SPEED * this.rigHeight;
    this.lockRadius = LOCK_RADIUS * this.rigHeight;
  }

  // ---- the wish ----------------------------------------------------------------------------------------------------

  /** World velocity on the ground, units a second. */
  setDesiredVelocity(x: number, z: number): void {
    requireFinite("MotionMatcher.setDesiredVelocity", "x", x);
    requireFinite("MotionMatcher.setDesiredVelocity", "z", z);
    this.block.set(Controller.DESIRED_X, x);
    this.block.set(Controller.DESIRED_Z, z);
  }

  getDesiredVelocityX(): number { return this.block.get(Controller.DESIRED_X); }
  getDesiredVelocityZ(): number { return this.block.get(Controller.DESIRED_Z); }

  /** Heading about +Y in radians; whole turns do not matter. */
  setDesiredYaw(yaw: number): void {
    requireFinite("MotionMatcher.setDesiredYaw", "yaw", yaw);
    this.block.set(Controller.DESIRED_YAW, yaw);
  }

  getDesiredYaw(): number { return this.block.get(Controller.DESIRED_YAW); }

  /** Half-lives of the springs that predict velocity and heading, seconds; up to 1e-4 is instant. Default 0.27. */
  setTrajectoryHalfLife(velocity: number, yaw: number): void {
    notNegative("setTrajectoryHalfLife", "velocity", velocity);
    notNegative("setTrajectoryHalfLife", "yaw", yaw);
    this.block.set(Controller.VELOCITY_HALF_LIFE, velocity);
    this.block.set(Controller.YAW_HALF_LIFE, yaw);
  }

  /** Replaces the prediction by points at ascending times from now, in the world; an empty list goes back to it. */
  setTrajectory(points: readonly TrajectoryPoint[]): void {
    if (!Array.isArray(points)) throw new AnimArgumentError("MotionMatcher.setTrajectory: points must be a list of { time, x, z, yaw }.");
    (points as readonly TrajectoryPoint[]).forEach((point, i) => {
      for (const key of ["time", "x", "z", "yaw"] as const) requireFinite("MotionMatcher.setTrajectory", `${key} of point ${i}`, point?.[key]);
      if (point.vx !== undefined) requireFinite("MotionMatcher.setTrajectory", `vx of point ${i}`, point.vx);
      if (point.vz !== undefined) requireFinite("MotionMatcher.setTrajectory", `vz of point ${i}`, point.vz);
      if (i > 0 && !(point.time > points[i - 1]!.time)) throw new AnimArgumentError(`MotionMatcher.setTrajectory: time of point ${i} is ${point.time}, not after the one before.`);
    });
    this.simulated.setPoints(points);
  }

  /** Lets a controller own the simulated object: world place, heading and velocity, to be given before every update. */
  setCharacterState(x: number, z: number, yaw: number, vx: number, vz: number): void {
    for (const [name, value] of [["x", x], ["z", z], ["yaw", yaw], ["vx", vx], ["vz", vz]] as const) requireFinite("MotionMatcher.setCharacterState", name, value);
    this.simulated.owned = true;
    const { block } = this;
    block.set(Controller.SIM_X, x);
    block.set(Controller.SIM_Z, z);
    block.set(Controller.SIM_YAW, wrapToPi(yaw));
    block.set(Controller.SIM_VX, vx);
    block.set(Controller.SIM_VZ, vz);
  }

  /** Puts character and simulated object at a place, at rest, without any transition of the place. */
  setRoot(x: number, z: number, yaw: number): void {
    for (const [name, value] of [["x", x], ["z", z], ["yaw", yaw]] as const) requireFinite("MotionMatcher.setRoot", name, value);
    const { block } = this;
    for (const field of [Controller.SIM_VX, Controller.SIM_VZ, Controller.SIM_AX, Controller.SIM_AZ, Controller.SIM_YAW_RATE, Controller.OFFSET_X, Controller.OFFSET_Z, Controller.OFFSET_TURN]) block.set(field, 0);
    block.set(Controller.SIM_X, x);
    block.set(Controller.SIM_Z, z);
    block.set(Controller.SIM_YAW, wrapToPi(yaw));
    block.set(Controller.X, x);
    block.set(Controller.Z, z);
    block.set(Controller.YAW, yaw);
    matching.kernels.placeRoot(block.ptr);
    for (const leg of this.legs) leg.reset();
  }

  // ---- settings ----------------------------------------------------------------------------------------------------

  /** Seconds between searches; 0 searches in every update. Default 0.1. */
  setSearchInterval(seconds: number): void {
    notNegative("setSearchInterval", "seconds", seconds);
    this.searchInterval = seconds;
  }

  getSearchInterval(): number { return this.searchInterval; }

  /** Seconds of a transition; 0 cuts. Default 0.15. */
  setBlendTime(seconds: number): void {
    notNegative("setBlendTime", "seconds", seconds);
    this.blendTime = seconds;
    this.block.set(Controller.SWITCH_HALF_LIFE, seconds / 3);
  }

  getBlendTime(): number { return this.blendTime; }

  /** Weight of both trajectory groups, as {@link setFeatureWeight}. Default 1. */
  setTrajectoryWeight(weight: number): void {
    notNegative("setTrajectoryWeight", "weight", weight);
    this.setFeatureWeight("trajectoryPosition", weight);
    this.setFeatureWeight("trajectoryDirection", weight);
  }

  getTrajectoryWeight(): number { return this.getFeatureWeight("trajectoryPosition"); }

  /** Weight of bone positions and velocities. Default 1. */
  setPoseWeight(weight: number): void {
    notNegative("setPoseWeight", "weight", weight);
    this.setFeatureWeight("bonePosition", weight);
    this.setFeatureWeight("boneVelocity", weight);
  }

  getPoseWeight(): number { return this.getFeatureWeight("bonePosition"); }

  /** Weight of the root's velocity. Default 1. */
  setVelocityWeight(weight: number): void {
    notNegative("setVelocityWeight", "weight", weight);
    this.setFeatureWeight("velocity", weight);
  }

  getVelocityWeight(): number { return this.getFeatureWeight("velocity"); }

  /** Weight of a group of features: velocity, trajectoryPosition, trajectoryDirection, bonePosition, boneVelocity, or one's own. */
  setFeatureWeight(group: Group | (string & {}), weight: number): void {
    if (typeof group !== "string" || group === "") throw new AnimArgumentError(`MotionMatcher.setFeatureWeight: group is ${show(group)}, expected the name of a group.`);
    notNegative("setFeatureWeight", "weight", weight);
    this.weights.set(group, weight);
    this.weightsDirty = true;
  }

  getFeatureWeight(group: string): number { return this.weights.get(group) ?? 1; }

  /** Frames around the playing one that a search leaves out. Default 2. */
  setIgnoreRadius(frames: number): void {
    if (!(Number.isInteger(frames) && frames >= 0)) throw new AnimArgumentError(`MotionMatcher.setIgnoreRadius: frames is ${show(frames)}, expected a whole number of 0 or more.`, { found: frames });
    this.ignoreRadius = Math.min(frames, 0x3fffffff);
  }

  getIgnoreRadius(): number { return this.ignoreRadius; }

  /** Seconds before the end of clips that do not loop at which nothing starts and a search is forced. Default 0.2. */
  setIgnoreEnd(seconds: number): void {
    notNegative("setIgnoreEnd", "seconds", seconds);
    this.rules = { ...this.rules, ignoreEnd: seconds };
    this.rulesDirty = true;
  }

  /** Tags that a frame must all have. @throws AnimNameError for a tag that no clip has */
  setRequiredTags(tags: readonly string[]): void {
    this.database.tagBits("setRequiredTags", tags);
    this.requiredTags = [...tags];
    this.rulesDirty = true;
  }

  /** Tags that a frame must not have. */
  setExcludedTags(tags: readonly string[]): void {
    this.database.tagBits("setExcludedTags", tags);
    this.excludedTags = [...tags];
    this.rulesDirty = true;
  }

  /** Cost that frames with a tag pay. */
  setTagCost(tag: string, cost: number): void {
    this.database.tagBits("setTagCost", [tag]);
    notNegative("setTagCost", "cost", cost);
    this.tagCosts.set(tag, cost);
    this.rulesDirty = true;
  }

  /** Cost that every frame but the playing one pays. Default 0. */
  setTransitionCost(cost: number): void {
    notNegative("setTransitionCost", "cost", cost);
    this.transitionCost = cost;
  }

  getTransitionCost(): number { return this.transitionCost; }

  /** Share of the playing frame's cost by which another frame must be better, 0..1. Default 0. */
  setContinuingBias(share: number): void {
    if (!(share >= 0 && share <= 1)) throw new AnimArgumentError(`MotionMatcher.setContinuingBias: share is ${show(share)}, expected 0..1.`, { found: share });
    this.continuingBias = share;
  }

  /** Whether mirrored frames may be chosen. Default true. */
  setMirrorEnabled(enabled: boolean): void {
    this.rules = { ...this.rules, mirrored: enabled };
    this.rulesDirty = true;
  }

  /** Where the pose part of a query comes from: the playing database frame (default) or the pose that is shown. */
  setPoseSource(source: "database" | "displayed"): void {
    if (source !== "database" && source !== "displayed") throw new AnimArgumentError(`MotionMatcher.setPoseSource: source is ${show(source)}, expected "database" or "displayed".`, { found: source });
    this.poseSource = source;
  }

  /** `"inertial"` (default) carries velocities over a switch; `"crossfade"` fades from the frozen pose. */
  setTransitionMode(mode: "inertial" | "crossfade"): void {
    if (mode !== "inertial" && mode !== "crossfade") throw new AnimArgumentError(`MotionMatcher.setTransitionMode: mode is ${show(mode)}, expected "inertial" or "crossfade".`, { found: mode });
    this.transitionMode = mode;
  }

  /** How inertial transitions die away: `"critical"` (default) or `"quintic"`, which ends exactly with the blend time. */
  setInertialCurve(curve: InertialCurve): void {
    if (curve !== "critical" && curve !== "quintic") throw new AnimArgumentError(`MotionMatcher.setInertialCurve: curve is ${show(curve)}, expected "critical" or "quintic".`, { found: curve });
    this.inertializer.setCurve(curve);
  }

  /** Clip seconds a real second; default 1. */
  setPlaybackRate(rate: number): void {
    notNegative("setPlaybackRate", "rate", rate);
    this.playbackRate = rate;
  }

  /** `"extract"` (default): the pose stays over its root, motion comes as deltas; `"keep"`: the pose keeps the clip's motion. */
  setRootMotion(mode: "extract" | "keep"): void {
    if (mode !== "extract" && mode !== "keep") throw new AnimArgumentError(`MotionMatcher.setRootMotion: mode is ${show(mode)}, expected "extract" or "keep".`, { found: mode });
    this.keepRoot = mode === "keep";
  }

  /** Draws the animated root towards the simulated one; null (default) does not. */
  setRootAdjustment(adjustment: RootAdjustment | null): void {
    if (adjustment === null) {
      this.block.set(Controller.MAXIMUM_RATIO, -1);
      return;
    }
    requireObject("MotionMatcher.setRootAdjustment", "adjustment", adjustment, "object or null");
    const { positionHalfLife = 0.1, yawHalfLife = 0.2, maxRatio = 0.5 } = adjustment;
    notNegative("setRootAdjustment", "positionHalfLife", positionHalfLife);
    notNegative("setRootAdjustment", "yawHalfLife", yawHalfLife);
    notNegative("setRootAdjustment", "maxRatio", maxRatio);
    this.block.set(Controller.POSITION_HALF_LIFE, positionHalfLife);
    this.block.set(Controller.HEADING_HALF_LIFE, yawHalfLife);
    this.block.set(Controller.MAXIMUM_RATIO, maxRatio);
  }

  /** Keeps the animated root within a distance and an angle (radians) of the simulated one, whatever it costs. Default: infinite. */
  setRootClamp(distance: number, angle: number): void {
    if (!(distance >= 0) || !(angle >= 0)) throw new AnimArgumentError(`MotionMatcher.setRootClamp: distance ${show(distance)} and angle ${show(angle)}, expected 0 or more (Infinity: none).`);
    this.block.set(Controller.CLAMP_DISTANCE, distance);
    this.block.set(Controller.CLAMP_ANGLE, angle);
  }

  /**
   * Keeps feet where they stand while they have contact, by two-bone IK on the output pose.
   * @param legs - hip, knee, ankle, and the bone that stands (default the ankle); `curve` names the clip curve of its contact
   *   (above 0.5), without one the bone's speed decides
   * @param radius - distance over which a foot lets go; default 0.15 rig heights
   */
  setFootLock(legs: readonly { upper: number; lower: number; foot: number; contact?: number | undefined; curve?: string | undefined }[], radius = LOCK_RADIUS * this.rigHeight): void {
    notNegative("setFootLock", "radius", radius);
    const made = legs.map(({ upper, lower, foot, contact = foot, curve }) => {
      for (const bone of [upper, lower, foot, contact]) requireIndex("MotionMatcher.setFootLock", "bone", bone, this.skeleton.getBoneCount());
      if (this.skeleton.getParent(foot) !== lower || this.skeleton.getParent(lower) !== upper) {
        throw new AnimArgumentError("MotionMatcher.setFootLock: upper, lower and foot must be parent, child and grandchild.");
      }
      const leg: FootLockLeg = { upper, lower, foot, contact, curve };
      return new FootLock(leg);
    });
    this.legs = made;
    this.legsApart = areApart(made.map(({ leg }) => leg), this.skeleton);
    this.lockRadius = radius;
  }

  /** Whether the foot of leg `i` is held. */
  isFootLocked(i: number): boolean {
    requireIndex("MotionMatcher.isFootLocked", "i", i, this.legs.length);
    return this.legs[i]!.locked;
  }

  /** Jumps of the wish that force a search at once: units a second, radians. Defaults: 1.5 rig heights a second, 0.9. */
  setForceSearchThreshold(speed: number, yaw: number): void {
    notNegative("setForceSearchThreshold", "speed", speed);
    notNegative("setForceSearchThreshold", "yaw", yaw);
    this.forceSpeed = speed;
    this.forceYaw = yaw;
  }

  /** With `false`, an update before the database is baked throws once and is ignored from then on. Default true. */
  setStrict(strict: boolean): void {
    this.strict = strict;
  }
}

/** @throws AnimArgumentError unless the value is finite and 0 or more */
export function notNegative(method: string, argument: string, value: number): void {
  if (typeof value !== "number" || !(value >= 0 && value < Infinity)) {
    throw new AnimArgumentError(`MotionMatcher.${method}: ${argument} is ${show(value)}, expected a finite number of 0 or more.`, { found: value });
  }
}
