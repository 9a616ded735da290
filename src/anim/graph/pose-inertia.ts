/** Inertialised switches of a stream of poses. @internal */
import { INERTIA_GROUP_BYTES } from "../../../assembly/layout/rig3d.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { rig3d } from "../../wasm/rig3d.js";
import { dropAll, takeBlock } from "../rig/blocks.js";
import { GROUP_BYTES } from "../rig/layout.js";
import type { PoseFrame } from "./pose-frame.js";

/** The critically damped decay has left 0.01 % of any offset after as many blend times. */
const DECAYED_BLEND_TIMES = 4.5;

const enum Phase {
  /** Poses pass through. */
  IDLE = 0,
  /** The next pose is the first of the new motion. */
  REQUESTED = 1,
  /** One pose of the new motion was seen: its velocity is known with the next. */
  STARTED = 2,
  DECAYING = 3,
}

const enum N { PHASE, HISTORY, HISTORY_STEP, ELAPSED, SECONDS, SEEN, COUNT }

/** What `PoseInertia.capture` returns. */
export interface InertiaState {
  numbers: number[];
  poses: number[];
}

/**
 * `process` is given the pose of every update. After `request` what it returns goes on from what was shown, with its velocity,
 * and the difference to what it is given dies away (critically damped, half-life a third of the seconds). The velocity of the
 * new motion is that between its first two poses, so nothing is sampled ahead of time.
 *
 * Owns one block: 15 rows of state and three poses.
 */
export class PoseInertia {
  readonly #numbers = new Float64Array(N.COUNT);
  readonly #owned: number[] = [];
  readonly #groups: number;
  readonly #state: number;
  readonly #target: number;
  /** Four floats for the kernels. */
  readonly #times: number;
  #last: number;
  #before: number;

  constructor(groups: number) {
    const poseBytes = groups * GROUP_BYTES;
    this.#groups = groups;
    this.#times = takeBlock(this.#owned, 16 + groups * INERTIA_GROUP_BYTES + 3 * poseBytes);
    this.#state = this.#times + 16;
    this.#target = this.#state + groups * INERTIA_GROUP_BYTES;
    this.#last = this.#target + poseBytes;
    this.#before = this.#last + poseBytes;
    freeWhenCollected(this, this.#owned);
  }

  /** The motion changes with the next pose. */
  request(seconds: number): void {
    if (!(seconds > 0)) return;
    this.#numbers[N.PHASE] = Phase.REQUESTED;
    this.#numbers[N.SECONDS] = seconds;
  }

  /** `request` of seconds[i]: in an array, because doubles in arguments are boxed where a call is not inlined. */
  requestBy(seconds: Float64Array, i: number): void {
    if (!(seconds[i]! > 0)) return;
    this.#numbers[N.PHASE] = Phase.REQUESTED;
    this.#numbers[N.SECONDS] = seconds[i]!;
  }

  /** Whether a difference is left, or will be. */
  get isActive(): boolean {
    return this.#numbers[N.PHASE] !== Phase.IDLE;
  }

  /** Forgets what was shown and any transition. */
  reset(): void {
    this.#numbers.fill(0);
  }

  /**
   * The pose to show for `pose`, step[0] seconds after the one before.
   * @param out - a pose of the caller's, written if the answer is not `pose` itself
   * @param update - number of the update; if one was left out, what was shown is forgotten
   */
  process(frame: PoseFrame, pose: number, out: number, step: Float64Array, update: number): number {
    const n = this.#numbers;
    if (n[N.SEEN] !== update - 1) {
      n[N.HISTORY] = 0;
      n[N.PHASE] = Phase.IDLE;
    }
    n[N.SEEN] = update;
    if (n[N.PHASE] === Phase.REQUESTED && n[N.HISTORY] === 0) n[N.PHASE] = Phase.IDLE;
    if (n[N.PHASE] === Phase.IDLE) {
      this.#turnHistory(step);
      frame.program.copy(this.#last, pose);
      return pose;
    }
    frame.run();
    this.#show(pose, out, step);
    this.#turnHistory(step);
    heap.u8.copyWithin(this.#last, out, out + this.#groups * GROUP_BYTES);
    return out;
  }

  /** Everything as plain numbers. */
  capture(): InertiaState {
    const from = this.#state >>> 2, poseFloats = (this.#groups * GROUP_BYTES) >>> 2, stateFloats = (this.#groups * INERTIA_GROUP_BYTES) >>> 2;
    const floats = (start: number, count: number): number[] => Array.from(heap.f32.subarray(start, start + count));
    return {
      numbers: [...this.#numbers],
      poses: [...floats(from, stateFloats + poseFloats), ...floats(this.#last >>> 2, poseFloats), ...floats(this.#before >>> 2, poseFloats)],
    };
  }

  /** Whether `restore` would take the value. */
  accepts(value: unknown): value is InertiaState {
    const { numbers, poses } = (value ?? {}) as Partial<InertiaState>;
    return isNumbers(numbers, N.COUNT) && isNumbers(poses, (this.#groups * (INERTIA_GROUP_BYTES + 3 * GROUP_BYTES)) / 4);
  }

  restore(state: InertiaState): void {
    this.#numbers.set(state.numbers);
    this.#last = this.#target + this.#groups * GROUP_BYTES;
    this.#before = this.#last + this.#groups * GROUP_BYTES;
    heap.f32.set(state.poses, this.#state >>> 2);
  }

  /** Frees the block. Safe to call twice. */
  dispose(): void {
    dropAll(this, this.#owned);
  }

  /** What was shown last becomes the pose before; without a step it is replaced. */
  #turnHistory(step: Float64Array): void {
    const n = this.#numbers;
    if (n[N.HISTORY] === 0) {
      n[N.HISTORY] = 1;
    } else if (step[0]! > 0) {
      const swap = this.#before;
      this.#before = this.#last;
      this.#last = swap;
      n[N.HISTORY_STEP] = step[0]!;
      n[N.HISTORY] = 2;
    }
  }

  #show(pose: number, out: number, step: Float64Array): void {
    const n = this.#numbers, dt = step[0]!, groups = this.#groups, bytes = groups * GROUP_BYTES, kernels = rig3d.kernels;
    const older = n[N.HISTORY]! > 1 ? this.#before : this.#last, times = this.#times >>> 2, f32 = heap.f32;
    f32[times] = n[N.HISTORY]! > 1 ? n[N.HISTORY_STEP]! : 1;
    f32[times + 1] = n[N.PHASE] === Phase.STARTED ? dt : 1;
    f32[times + 2] = n[N.SECONDS]! / 3;
    f32[times + 3] = dt;
    if (n[N.PHASE] === Phase.REQUESTED) {
      if (dt <= 0) {
        heap.u8.copyWithin(out, this.#last, this.#last + bytes);
        return;
      }
      // Until its velocity is known, the new motion counts as still.
      kernels.startInertiaBy(this.#last, older, pose, pose, this.#state, groups, this.#times);
      heap.u8.copyWithin(this.#target, pose, pose + bytes);
      n[N.ELAPSED] = 0;
      n[N.PHASE] = Phase.STARTED;
    } else if (n[N.PHASE] === Phase.STARTED && dt > 0) {
      kernels.startInertiaBy(this.#last, older, this.#target, pose, this.#state, groups, this.#times);
      n[N.PHASE] = Phase.DECAYING;
    }
    if (dt > 0) kernels.applyInertiaBy(pose, this.#state, out, groups, this.#times);
    else heap.u8.copyWithin(out, this.#last, this.#last + bytes);
    n[N.ELAPSED] = n[N.ELAPSED]! + dt;
    if (n[N.ELAPSED]! >= n[N.SECONDS]! * DECAYED_BLEND_TIMES) n[N.PHASE] = Phase.IDLE;
  }
}

/** Whether a value is a list of `count` finite numbers. */
export function isNumbers(value: unknown, count: number): value is number[] {
  return Array.isArray(value) && value.length === count && value.every((v) => typeof v === "number" && Number.isFinite(v));
}
