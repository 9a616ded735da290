import { INERTIA_GROUP_BYTES } from "../../../assembly/layout/rig3d.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { rig3d } from "../../wasm/rig3d.js";
import { dropAll, dropBlock, takeBlock } from "./blocks.js";
import { GROUP_BYTES } from "./layout.js";

/** How an inertialised difference dies away. */
export type InertialCurve = "critical" | "quintic";

/** Seconds after which the critically damped decay has left 0.01 % of any offset: it is over then. */
const DECAYED_BLEND_TIMES = 4.5;

/** Places in the seconds of an inertializer. */
const STEP = 0;
const BLEND_TIME = 1;
const ELAPSED = 2;

/**
 * Inertialised transitions of one character: at a switch of motion the displayed pose goes on with its velocity, and its
 * difference to the new motion dies away. The old motion is never sampled again.
 *
 * Call `record(displayed, dt)` with what was shown each frame (so that velocities are known), `start(target, targetNext)` at
 * a switch, then `apply(target, dt, out)` every frame while `isActive()`. Works on addresses of local transforms.
 * Owns three blocks; memory a bone: 60 bytes of state, 80 of two recorded poses. @internal
 */
export class Inertializer {
  /** The dt of `applyStep` and `recordStep`, seconds: in a typed array, because doubles in arguments and most fields are boxed. */
  readonly step = new Float64Array(1);
  /** The targetStep and blendTime of `startBlend`, seconds. */
  readonly blend = new Float64Array(2);
  readonly #owned: number[] = [];
  #groups = 0;
  #state = 0;
  /** The pose shown last and the one before. */
  #last = 0;
  #before = 0;
  #recorded = 0;
  /** Seconds: between the recorded poses, of the transition, since the switch. */
  readonly #seconds = new Float64Array(3);
  #active = false;
  #curve: InertialCurve = "critical";

  constructor() {
    freeWhenCollected(this, this.#owned);
  }

  /** Curve of transitions from now on. */
  setCurve(curve: InertialCurve): void {
    this.#curve = curve;
  }

  /** Whether a difference is still there. */
  isActive(): boolean {
    return this.#active;
  }

  /** Seconds since the switch. */
  getElapsed(): number {
    return this.#seconds[ELAPSED]!;
  }

  /** Forgets what was shown and any transition. */
  reset(): void {
    this.#active = false;
    this.#recorded = 0;
  }

  /** Notes the pose that is shown, `dt` seconds after the one before it. A dt of 0 replaces the last one. */
  record(displayed: number, groupCount: number, dt: number): void {
    this.step[0] = dt;
    this.recordStep(displayed, groupCount);
  }

  /** `record` with the dt in `step`. */
  recordStep(displayed: number, groupCount: number): void {
    const dt = this.step[0]!;
    this.#reserve(groupCount);
    if (dt > 0 && this.#recorded > 0) {
      const swap = this.#before;
      this.#before = this.#last;
      this.#last = swap;
      this.#seconds[STEP] = dt;
      this.#recorded = 2;
    } else if (this.#recorded === 0) {
      this.#recorded = 1;
    }
    heap.u8.copyWithin(this.#last, displayed, displayed + groupCount * GROUP_BYTES);
  }

  /**
   * Starts a transition from the recorded pose to another motion.
   * @param target - its pose now
   * @param targetNext - its pose `targetStep` seconds later
   * @param blendTime - seconds; the decay has a half-life of a third of it, the quintic ends with it
   */
  start(target: number, targetNext: number, targetStep: number, groupCount: number, blendTime: number): void {
    this.blend[0] = targetStep;
    this.blend[1] = blendTime;
    this.startBlend(target, targetNext, groupCount);
  }

  /** `start` with the seconds in `blend`. */
  startBlend(target: number, targetNext: number, groupCount: number): void {
    const targetStep = this.blend[0]!, blendTime = this.blend[1]!;
    if (this.#recorded === 0 || !(blendTime > 0)) {
      this.#active = false;
      return;
    }
    this.#reserve(groupCount);
    // With one recorded pose the displayed velocity is unknown; take it as zero.
    const before = this.#recorded > 1 ? this.#before : this.#last;
    rig3d.kernels.startInertia(this.#last, before, this.#seconds[STEP]! > 0 ? this.#seconds[STEP]! : 1, target, targetNext, targetStep, this.#state, groupCount);
    if (this.#curve === "quintic") rig3d.kernels.startQuintic(this.#state, blendTime, groupCount);
    this.#seconds[BLEND_TIME] = blendTime;
    this.#seconds[ELAPSED] = 0;
    this.#active = true;
  }

  /** Advances by `dt` and writes target + difference to `out`, which may be `target`. */
  apply(target: number, dt: number, out: number, groupCount: number): void {
    this.step[0] = dt;
    this.applyStep(target, out, groupCount);
  }

  /** `apply` with the dt in `step`. */
  applyStep(target: number, out: number, groupCount: number): void {
    const dt = this.step[0]!;
    if (!this.#active) {
      if (out !== target) heap.u8.copyWithin(out, target, target + groupCount * GROUP_BYTES);
      return;
    }
    this.#seconds[ELAPSED]! += dt;
    if (this.#curve === "quintic") {
      rig3d.kernels.applyQuintic(target, this.#state, this.#seconds[ELAPSED]!, this.#seconds[BLEND_TIME]!, out, groupCount);
      if (this.#seconds[ELAPSED]! >= this.#seconds[BLEND_TIME]!) this.#active = false;
    } else {
      rig3d.kernels.applyInertia(target, this.#state, this.#seconds[BLEND_TIME]! / 3, dt, out, groupCount);
      if (this.#seconds[ELAPSED]! >= this.#seconds[BLEND_TIME]! * DECAYED_BLEND_TIMES) this.#active = false;
    }
  }

  /** Frees the blocks. Safe to call twice. */
  dispose(): void {
    dropAll(this, this.#owned);
    this.#groups = 0;
    this.reset();
  }

  #reserve(groups: number): void {
    if (groups <= this.#groups) return;
    for (const ptr of [this.#state, this.#last, this.#before]) if (this.#groups > 0) dropBlock(this.#owned, ptr);
    this.#state = takeBlock(this.#owned, groups * INERTIA_GROUP_BYTES);
    this.#last = takeBlock(this.#owned, groups * GROUP_BYTES);
    this.#before = takeBlock(this.#owned, groups * GROUP_BYTES);
    this.#groups = groups;
    this.reset();
  }
}
