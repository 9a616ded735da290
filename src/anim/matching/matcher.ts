import { AnimArgumentError, AnimMismatchError, AnimStateError } from "../errors.js";
import { heap } from "../../wasm/heap.js";
import { disposed, LONGEST_STEP, requireFinite, requireObject } from "../rig/checks.js";
import { Query, QUERY_HEADER_BYTES } from "../../../assembly/layout/matching.js";
import { GROUP_BYTES } from "../rig/layout.js";
import { AnimPose } from "../rig/pose.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import type { AnimClip } from "../rig/clip.js";
import { cos, sin } from "../motion/math.js";
import type { MotionDatabase } from "./database.js";
import { Controller, matching, Prediction } from "./controller-block.js";
import { DISTANCE, type FootLockLeg, moveFoot, RADIUS, RELEASE, setMove } from "./foot-lock.js";
import { GROUND } from "./ground.js";
import { isTrajectory } from "./layout.js";
import { MatcherSettings } from "./matcher-settings.js";
import { Playback, VELOCITY_STEP } from "./playback.js";
import { writePoseFeatures, writeTrajectoryFeatures } from "./query-features.js";
import { SearchQuery } from "./query.js";

/** Costs of the last search, by weight group. */
export interface MotionDebugCosts {
  groups: string[];
  /** Cost of the frame found, of the playing frame (NaN-free: 0 when there was none), of the best frame elsewhere. */
  best: number[];
  continuing: number[];
  runnerUp: number[];
}

/** Places in a matcher's numbers: seconds since the last search, in the cross-fade, and of the running update; the last cost; seconds of a clip's end that are not searched. */
const TIMER = 0, FADE = 1, STEP = 2, COST = 3, IGNORE_END = 4;

/** Speed of a contact bone, in rig heights a second, below which a foot stands. */
const CONTACT_SPEED = 0.15;

/**
 * Plays, frame after frame, the part of a {@link MotionDatabase} that continues the present pose best and goes where the
 * character is wanted to go.
 *
 * Set the wish (`setDesiredVelocity`, `setDesiredYaw`, or `setTrajectory`), call `update(dt)`, show `getPose()` at the place
 * given by `getRootX/Z/Yaw` or moved by `getRootMotion…`. The same calls give the same bits. A steady frame allocates nothing.
 */
export class MotionMatcher extends MatcherSettings {
  readonly #pose: AnimPose;
  readonly #target: AnimPose;
  readonly #next: AnimPose;
  readonly #playback: Playback;
  #query: SearchQuery | undefined;
  #vector = new Float64Array(0);
  #normalised = new Float32Array(0);
  #neighbour = new Float32Array(0);
  /** Sine and cosine of the root's heading. */
  readonly #heading = new Float64Array(2);
  readonly #curveValue = new Float64Array(1);
  readonly #fraction = new Float64Array(1);
  #databaseVersion = -1;
  #complained = false;
  /** Whether a group runs the searches. */
  #managed = false;
  /** See TIMER, FADE, STEP, COST, IGNORE_END: doubles in fields and arguments may be boxed. */
  readonly #numbers = new Float64Array(5);
  #forced = true;
  #matchedFrame = -1;
  #action = false;
  /** Desired velocity x, z and yaw at the last search. */
  readonly #wish = new Float64Array(3);
  #fading = false;
  /** Whether a pose has been shown. */
  #started = false;
  /** Whether this update's pose was recorded already, at a switch. */
  #recorded = false;

  /** @throws AnimArgumentError, AnimMismatchError (the database belongs to another skeleton) */
  constructor(skeleton: AnimSkeleton, database: MotionDatabase) {
    requireObject("MotionMatcher", "skeleton", skeleton, "AnimSkeleton");
    requireObject("MotionMatcher", "database", database, "MotionDatabase");
    if (database.getSkeleton() !== skeleton) throw new AnimMismatchError("MotionMatcher: the database was made for another skeleton. Pass the skeleton that it was made with.");
    super(skeleton, database);
    this.#pose = new AnimPose(skeleton.getBoneCount());
    this.#target = new AnimPose(skeleton.getBoneCount());
    this.#next = new AnimPose(skeleton.getBoneCount());
    skeleton.applyBindPose(this.#pose);
    this.#playback = new Playback(skeleton, database);
  }

  // ---- playing -----------------------------------------------------------------------------------------------------

  /**
   * Searches now.
   * @throws AnimStateError before the database is baked
   */
  search(): void {
    this.#refresh("search");
    this.prepareSearch();
    this.#query!.run(this.#competing(), this.transitionCost);
    this.#takeResult();
  }

  /** Leaves matching for a clip until it has ended (loops: until `search` or `resume`). */
  playClip(clip: AnimClip, time = 0): void {
    this.#refresh("playClip");
    requireObject("MotionMatcher.playClip", "clip", clip, "AnimClip");
    requireFinite("MotionMatcher.playClip", "time", time);
    const baked = this.database.baked("playClip");
    const range = baked.ranges.find((candidate) => candidate.clip === clip && !candidate.mirrored);
    if (range === undefined) throw new AnimMismatchError(`MotionMatcher.playClip: the clip "${clip.getName()}" is not in the database. Add it with addClip.`);
    this.#switchTo(range.firstFrame + Math.min(range.frameCount - 1, Math.max(0, Math.round((time - range.start) * range.rate))));
    this.#action = true;
  }

  /** Ends `playClip`: the next update searches. */
  resume(): void {
    this.#action = false;
    this.#forced = true;
  }

  /**
   * Advances by `dt` seconds. A dt of 0 evaluates again; one that is not finite is ignored.
   * @throws AnimArgumentError if dt is negative, AnimStateError before the database is baked
   */
  update(dt: number): void {
    // Anything else than a number becomes NaN, which is ignored.
    this.#numbers[STEP] = dt;
    if (!this.#begin()) return;
    if (this.#wantsSearch()) this.search();
    this.#finish();
  }

  /** The pose; valid until the next update. */
  getPose(): AnimPose { return this.#pose; }

  /** Database frame that is playing, -1 before the first search. */
  getMatchedFrame(): number { return this.#matchedFrame < 0 ? -1 : this.#playback.frame; }
  getMatchedClipIndex(): number { return this.#matchedFrame < 0 ? -1 : this.#playback.range!.clipIndex; }
  /** Clip time, seconds; 0 before the first search. */
  getMatchedTime(): number { return this.#matchedFrame < 0 ? 0 : this.#playback.clipTime; }
  /** Whether the playing frame is a mirrored one. */
  isMirrored(): boolean { return this.#matchedFrame >= 0 && this.#playback.range!.mirrored; }
  /** Cost of the frame found by the last search, -1 if everything was excluded. */
  getLastSearchCost(): number { return this.#numbers[COST]!; }

  /** Value of a curve of the playing clip. */
  getCurve(name: string): number {
    return this.#matchedFrame < 0 ? 0 : this.#playback.range!.clip.sampleCurve(name, this.#playback.clipTime);
  }

  /** Motion of the last update in the character's frame at its beginning. */
  getRootMotionX(): number { return this.block.get(Controller.MOTION_X); }
  getRootMotionY(): number { return 0; }
  getRootMotionZ(): number { return this.block.get(Controller.MOTION_Z); }
  /** Rotation of the last update: about +Y only. */
  getRootMotionRotationX(): number { return 0; }
  getRootMotionRotationY(): number { return sin(this.block.get(Controller.MOTION_TURN) / 2); }
  getRootMotionRotationZ(): number { return 0; }
  getRootMotionRotationW(): number { return cos(this.block.get(Controller.MOTION_TURN) / 2); }

  /** Place and heading of the animated root in the world: the sum of all root motion. */
  getRootX(): number { return this.block.get(Controller.X); }
  getRootZ(): number { return this.block.get(Controller.Z); }
  getRootYaw(): number { return this.block.get(Controller.YAW); }
  /** Place and heading of the simulated object. */
  getSimulatedX(): number { return this.block.get(Controller.SIM_X); }
  getSimulatedZ(): number { return this.block.get(Controller.SIM_Z); }
  getSimulatedYaw(): number { return this.block.get(Controller.SIM_YAW); }
  getSimulatedVelocityX(): number { return this.block.get(Controller.SIM_VX); }
  getSimulatedVelocityZ(): number { return this.block.get(Controller.SIM_VZ); }

  /** The predicted trajectory at `t` seconds from now, in the world: x, z, sine and cosine of the yaw, vx, vz. For drawing. */
  getPrediction(t: number, out: Float64Array, offset = 0): void {
    requireFinite("MotionMatcher.getPrediction", "t", t);
    if (!(out instanceof Float64Array) || !(offset >= 0 && offset + 6 <= out.length)) throw new AnimArgumentError("MotionMatcher.getPrediction: out must be a Float64Array with room for six numbers.");
    const { block } = this;
    heap.f64[block.rowAt(0, Prediction.TIME)] = t;
    this.simulated.predict(1);
    const fields = [Prediction.X, Prediction.Z, Prediction.SIN, Prediction.COS, Prediction.VX, Prediction.VZ];
    fields.forEach((field, k) => (out[offset + k] = heap.f64[block.rowAt(0, field)]!));
  }

  /** Costs by weight group of the frame that plays now, of the best one elsewhere, for the last query. Allocates. */
  getDebugCosts(out: MotionDebugCosts): void {
    requireObject("MotionMatcher.getDebugCosts", "out", out, "object");
    this.#refresh("getDebugCosts");
    const { features, size } = this.database.baked("getDebugCosts");
    const groups = [...new Set(features.map((feature) => feature.group))];
    const vector = new Float32Array(size);
    const costs = (frame: number): number[] => {
      const sums = groups.map(() => 0);
      if (frame < 0) return sums;
      this.database.getFeature(frame, vector);
      for (const { group, weight, offset, size: length } of features) {
        for (let c = offset; c < offset + length; c++) sums[groups.indexOf(group)]! += weight * this.getFeatureWeight(group) * (this.#normalised[c]! - vector[c]!) ** 2;
      }
      return sums;
    };
    const playing = this.#continuing(), best = this.#query!.bestFrame;
    let runnerUp = -1;
    if (best >= 0) {
      this.#query!.skipAround(best, Math.max(1, this.ignoreRadius));
      runnerUp = this.#query!.run(-1, 0);
    }
    out.groups = groups;
    out.best = costs(best);
    out.continuing = costs(playing);
    out.runnerUp = costs(runnerUp);
  }

  /** Frees the blocks; the database stays. Safe to call twice. */
  dispose(): void {
    this.#query?.dispose();
    this.#query = undefined;
    this.inertializer.dispose();
    this.#playback.dispose();
    this.#pose.dispose();
    this.#target.dispose();
    this.#next.dispose();
    this.block.dispose();
    this.strict = true;
    this.#databaseVersion = -2;
  }

  // ---- for groups ---------------------------------------------------------------------------------------------------

  /** First half of an update. @internal */
  begin(step: Float64Array): boolean {
    this.#numbers[STEP] = step[0]!;
    return this.#begin();
  }

  /** Whether a search is due. @internal */
  get searchDue(): boolean { return this.#wantsSearch(); }

  /** Writes the query into its block and returns that, for a batch. @internal */
  prepareSearch(): SearchQuery {
    this.#prepareQuery();
    this.#query!.prepare(this.#competing(), this.transitionCost);
    return this.#query!;
  }

  /** Takes over what a batch found, from the results of its query block. @internal */
  takeSearchFrom(results: number): void {
    heap.u8.copyWithin(this.#query!.ptr + Query.BEST_SLOT, results, results + QUERY_HEADER_BYTES - Query.BEST_SLOT);
    this.#takeResult();
  }

  /** Second half of an update. @internal */
  finish(): void { this.#finish(); }

  /** A group runs the searches; `update` then still works alone. @internal */
  setManaged(managed: boolean): void { this.#managed = managed; }
  /** @internal */
  get managed(): boolean { return this.#managed; }

  // ---- private -----------------------------------------------------------------------------------------------------

  #begin(): boolean {
    if (this.#databaseVersion === -2) throw disposed("MotionMatcher.update", "MotionMatcher");
    if (!Number.isFinite(this.#numbers[STEP]!)) return false;
    this.#numbers[STEP] = Math.min(LONGEST_STEP, this.#numbers[STEP]!);
    const dt = this.#numbers[STEP]!;
    if (dt < 0) throw new AnimArgumentError(`MotionMatcher.update: dt is ${dt}, expected 0 or more seconds.`, { found: dt });
    if (!this.database.isBaked()) {
      if (!this.strict && this.#complained) return false;
      this.#complained = true;
      throw new AnimStateError("MotionMatcher.update: the database is not baked. Call database.bake() first.");
    }
    this.#refresh("update");
    this.eventLog.beginUpdate();
    const { block } = this;
    heap.f64[block.at(Controller.STEP)] = dt;
    this.simulated.advance();
    this.#numbers[TIMER]! += dt;
    const { f64 } = heap;
    f64[block.at(Controller.MOTION_X)] = f64[block.at(Controller.MOTION_Z)] = f64[block.at(Controller.MOTION_TURN)] = 0;
    f64[block.at(Controller.RELEASE_LEFT)] = 1;
    if (this.#matchedFrame >= 0) {
      // The old clip's motion up to now: a switch comes after it, and its velocity goes over.
      this.#playback.step[0] = dt;
      this.#playback.step[1] = this.playbackRate;
      this.#playback.advance(this.eventLog);
      this.#writeDelta();
      if (dt > 0) matching.kernels.stepRoot(block.ptr);
    }
    return true;
  }

  #wantsSearch(): boolean {
    this.#numbers[IGNORE_END] = this.rules.ignoreEnd;
    if (this.#action) {
      if (!this.#playback.endsWithinOf(this.#numbers, IGNORE_END)) return false;
      this.#action = false;
      return true;
    }
    if (this.#forced || this.#matchedFrame < 0 || this.#numbers[TIMER]! >= this.searchInterval || this.#playback.endsWithinOf(this.#numbers, IGNORE_END)) return true;
    const f64 = heap.f64, { block } = this, wish = this.#wish;
    const dx = f64[block.at(Controller.DESIRED_X)]! - wish[0]!, dz = f64[block.at(Controller.DESIRED_Z)]! - wish[1]!;
    const turn = f64[block.at(Controller.DESIRED_YAW)]! - wish[2]!;
    return Math.sqrt(dx * dx + dz * dz) > this.forceSpeed || Math.abs(turn - Math.round(turn / (2 * Math.PI)) * 2 * Math.PI) > this.forceYaw;
  }

  /** The clip's motion of the last step into the block. */
  #writeDelta(): void {
    const { delta } = this.#playback, at = this.block.at(Controller.DELTA_X), f64 = heap.f64;
    for (let k = 0; k < GROUND; k++) f64[at + k] = delta[k]!;
  }

  #finish(): void {
    if (this.#matchedFrame < 0) return;
    this.#writePose();
    if (this.legs.length > 0) this.#lockFeet();
  }

  /** The playing frame, -1 if there is none. */
  #continuing(): number {
    return this.#matchedFrame < 0 ? -1 : this.#playback.frame;
  }

  /** The playing frame as a competitor: a clip that has ended does not compete. */
  #competing(): number {
    return this.#matchedFrame < 0 || this.#playback.hasEnded ? -1 : this.#playback.frame;
  }

  #refresh(method: string): void {
    if (this.#databaseVersion === -2) throw disposed(`MotionMatcher.${method}`, "MotionMatcher");
    if (!this.database.isBaked()) throw new AnimStateError(`MotionMatcher.${method}: the database is not baked. Call database.bake() first.`);
    const { size } = this.database.baked(method);
    if (this.#databaseVersion !== this.database.version) {
      this.#query?.dispose();
      this.#query = new SearchQuery(this.database);
      this.#vector = new Float64Array(size);
      this.#normalised = new Float32Array(size);
      this.#neighbour = new Float32Array(size);
      this.#databaseVersion = this.database.version;
      this.rulesDirty = this.weightsDirty = true;
      // The old frames are gone; the shown pose stays and the next update searches from it.
      this.#matchedFrame = -1;
      this.#forced = true;
      this.#action = false;
    }
    if (this.rulesDirty) this.#refreshRules(method);
    if (this.weightsDirty) {
      const weights = new Float32Array(size);
      for (const feature of this.database.getFeatures()) {
        weights.fill(feature.weight * this.getFeatureWeight(feature.group), feature.offset, feature.offset + feature.size);
      }
      this.#query!.setWeights(weights);
      this.weightsDirty = false;
    }
  }

  /** Apart from `#refresh`, because a function that holds a closure allocates a context in every call. */
  #refreshRules(method: string): void {
    const names = this.database.getTagNames();
    this.rules = {
      ...this.rules,
      required: this.database.tagBits(method, this.requiredTags),
      excluded: this.database.tagBits(method, this.excludedTags),
      costs: names.map((tag) => this.tagCosts.get(tag) ?? 0),
    };
    this.#query!.setRules(this.rules);
    this.rulesDirty = false;
  }

  /** Fills the query block for the present state. */
  #prepareQuery(): void {
    const { features, normalization, size } = this.database.baked("search");
    const vector = this.#vector, normalised = this.#normalised;
    writeTrajectoryFeatures(features, this.simulated, this.block, vector);
    const playing = this.#continuing();
    const fromDatabase = playing >= 0 && this.poseSource === "database";
    if (fromDatabase) this.#interpolateFrame(playing);
    else writePoseFeatures(features, this.#pose, this.skeleton, this.#started ? this.block.get(Controller.SPEED) : 0, vector);
    const { mean, inverse } = normalization;
    for (let f = 0; f < features.length; f++) {
      const { kind, offset, size: length } = features[f]!;
      if (fromDatabase && !isTrajectory(kind)) continue;
      for (let c = offset; c < offset + length; c++) normalised[c] = (vector[c]! - mean[c]!) * inverse[c]!;
    }
    // A value beyond single precision counts as the mean: it says nothing about where to look.
    for (let c = 0; c < size; c++) if (!Number.isFinite(normalised[c]!)) normalised[c] = 0;
    this.#query!.setNormalized(normalised);
    if (playing >= 0) this.#query!.skipAround(playing, this.ignoreRadius);
    else this.#query!.skipNone();
  }

  /** Pose features of the playing frame, between it and the next one. */
  #interpolateFrame(frame: number): void {
    const { range } = this.#playback, normalised = this.#normalised, neighbour = this.#neighbour;
    const { store } = this.database.baked("search");
    const { firstFrame, firstSlot, frameCount, looping } = range!;
    const index = frame - firstFrame;
    store.read(firstSlot + index, normalised, 0);
    this.#playback.fractionInto(this.#fraction);
    const u = this.#fraction[0]!;
    const next = index + 1 < frameCount ? index + 1 : looping ? 0 : index;
    if (u <= 0 || next === index) return;
    store.read(firstSlot + next, neighbour, 0);
    for (let c = 0; c < normalised.length; c++) normalised[c] = normalised[c]! + (neighbour[c]! - normalised[c]!) * u;
  }

  /** Acts on the result in the query block. */
  #takeResult(): void {
    const query = this.#query!;
    const playing = this.#continuing();
    const numbers = this.#numbers;
    if (numbers[TIMER]! >= this.searchInterval && this.searchInterval > 0) numbers[TIMER] = numbers[TIMER]! % this.searchInterval;
    else numbers[TIMER] = 0;
    this.#forced = false;
    const f64 = heap.f64, wish = this.#wish;
    wish[0] = f64[this.block.at(Controller.DESIRED_X)]!;
    wish[1] = f64[this.block.at(Controller.DESIRED_Z)]!;
    wish[2] = f64[this.block.at(Controller.DESIRED_YAW)]!;

    let best = query.bestFrame;
    if (best < 0 && playing < 0) best = this.#searchWithoutEnds();
    if (best < 0) {
      // Nothing may be chosen: what plays goes on, or the pose stays as it is.
      this.#numbers[COST] = playing < 0 ? -1 : query.costOf(playing);
      return;
    }
    query.costInto(this.#numbers, COST);
    if (best === playing) return;
    if (this.#competing() >= 0 && this.continuingBias > 0 && query.cost > query.costOf(playing) * (1 - this.continuingBias)) return;
    this.#switchTo(best);
  }

  /** Second try when nothing was left: the ends of clips and the neighbourhood count again. */
  #searchWithoutEnds(): number {
    const query = this.#query!;
    query.setRules({ ...this.rules, ignoreEnd: 0 });
    query.skipNone();
    const best = query.run(-1, 0);
    query.setRules(this.rules);
    return best;
  }

  /** Starts playing a frame, with a transition from what is shown. */
  #switchTo(frame: number): void {
    const range = this.database.rangeOf("search", frame);
    const groups = this.#pose.groupCount, playback = this.#playback;
    const first = this.#matchedFrame < 0;
    const blend = this.#started && this.blendTime > 0;
    if (blend && !first && this.transitionMode === "inertial") this.#recordOld();
    playback.start(range, frame - range.firstFrame);
    this.#matchedFrame = frame;
    if (!blend) return;
    if (this.transitionMode === "crossfade") {
      heap.u8.copyWithin(this.#next.localPtr, this.#pose.localPtr, this.#pose.localPtr + groups * GROUP_BYTES);
      this.#numbers[FADE] = 0;
      this.#fading = true;
    } else {
      playback.sampleNow(this.#target.localPtr, groups, this.keepRoot);
      playback.sampleNext(this.#next.localPtr, groups, this.keepRoot);
      this.inertializer.blend[0] = VELOCITY_STEP;
      this.inertializer.blend[1] = this.blendTime;
      this.inertializer.startBlend(this.#target.localPtr, this.#next.localPtr, groups);
    }
    if (first) return;
    // The root's velocity goes over into the new one as the pose does.
    const { block } = this;
    playback.measureNext();
    this.#writeDelta();
    block.set(Controller.STEP, VELOCITY_STEP);
    matching.kernels.carryOver(block.ptr);
    block.set(Controller.STEP, this.#numbers[STEP]!);
  }

  /** Notes what would be shown now without the switch, so that the new motion starts from there. */
  #recordOld(): void {
    const groups = this.#pose.groupCount, { localPtr } = this.#target;
    this.#playback.sampleNow(localPtr, groups, this.keepRoot);
    this.inertializer.step[0] = this.#numbers[STEP]!;
    this.inertializer.applyStep(localPtr, localPtr, groups);
    this.inertializer.recordStep(localPtr, groups);
    this.#recorded = true;
  }

  #writePose(): void {
    const groups = this.#pose.groupCount, { localPtr } = this.#pose;
    this.#playback.sampleNow(localPtr, groups, this.keepRoot);
    if (this.transitionMode === "crossfade") {
      if (this.#fading) {
        this.#numbers[FADE]! += this.#numbers[STEP]!;
        const t = Math.min(1, this.#numbers[FADE]! / this.blendTime);
        if (t >= 1) this.#fading = false;
        else {
          heap.u8.copyWithin(this.#target.localPtr, localPtr, localPtr + groups * GROUP_BYTES);
          this.#target.markStale();
          this.#next.markStale();
          this.#pose.blendFrom(this.#next, this.#target, t);
        }
      }
    } else {
      // At a switch the time of this update is already in the recorded pose.
      this.inertializer.step[0] = this.#recorded ? 0 : this.#numbers[STEP]!;
      this.inertializer.applyStep(localPtr, localPtr, groups);
      if (!this.#recorded) this.inertializer.recordStep(localPtr, groups);
    }
    this.#recorded = false;
    this.#started = true;
    this.#pose.markStale();
  }

  #lockFeet(): void {
    const pose = this.#pose, { skeleton, block, legs } = this, heading = this.#heading;
    const { range } = this.#playback;
    pose.computeWorld(skeleton);
    let bent = false;
    for (let i = 0; i < legs.length; i++) {
      const lock = legs[i]!, { leg, place } = lock;
      if (bent && !this.legsApart) {
        pose.markStale();
        pose.computeWorld(skeleton);
      }
      const f32 = heap.f32, f64 = heap.f64, at = (pose.worldPtr >>> 2) + leg.contact * 16 + 12;
      const s = f64[block.at(Controller.SIN)]!, c = f64[block.at(Controller.COS)]!;
      const mx = f32[at]!, mz = f32[at + 2]!;
      heading[0] = s;
      heading[1] = c;
      place[0] = f64[block.at(Controller.X)]! + mx * c + mz * s;
      place[1] = f32[at + 1]!;
      place[2] = f64[block.at(Controller.Z)]! - mx * s + mz * c;
      lock.limits[DISTANCE] = CONTACT_SPEED * this.rigHeight * this.#numbers[STEP]!;
      lock.limits[RELEASE] = f64[block.at(Controller.RELEASE_LEFT)]!;
      lock.limits[RADIUS] = this.lockRadius;
      const contact = leg.curve === undefined ? lock.isSlow() : this.#hasContact(leg, range!.mirrored);
      lock.update(contact);
      if (!lock.moves) continue;
      setMove(lock.offset, heading);
      moveFoot(pose, skeleton, leg);
      bent = true;
    }
    if (bent) pose.markStale();
  }

  /** Whether a leg has contact by its curve; a mirrored clip's curves belong to the other side. */
  #hasContact(leg: FootLockLeg, mirrored: boolean): boolean {
    let curve = leg.curve!;
    if (mirrored) {
      const other = this.database.mirror!.getCounterpart(leg.contact);
      for (let i = 0; i < this.legs.length; i++) if (this.legs[i]!.leg.contact === other) curve = this.legs[i]!.leg.curve ?? curve;
    }
    this.#playback.curveInto(curve, this.#curveValue);
    return this.#curveValue[0]! > 0.5;
  }
}
