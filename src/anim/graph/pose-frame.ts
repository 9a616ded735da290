/** What graphs and state machines write down while they decide, and what two kernel calls then do. @internal */
import { JOB_BYTES, SAMPLE_SCRATCH_BYTES } from "../../../assembly/layout/rig3d.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { rig3d } from "../../wasm/rig3d.js";
import { BlendProgram } from "../rig/blend-program.js";
import { dropAll, dropBlock, takeBlock } from "../rig/blocks.js";
import { SampleContext } from "../rig/clip-data.js";
import { GROUP_BYTES } from "../rig/layout.js";
import type { AnimPose } from "../rig/pose.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import type { ClipTrack } from "./clip-track.js";

/** Poses that are worked on between two runs: as many as stay in the cache. */
const CHUNK_BYTES = 98_304;

const WRAP = /* @__PURE__ */ new Float64Array(1);

/**
 * Sampling jobs, then blends, over poses lent from one block: `reserve` room, let sources record (`take`, `sample`,
 * `program`), then `run`. All samples are taken before the first blend. Many characters may record before one run.
 *
 * Times and weights go through linear memory, so that nothing is boxed; nothing is allocated once it has had its size.
 */
export class PoseFrame {
  readonly program = new BlendProgram();
  readonly #context = new SampleContext();
  readonly #owned: number[] = [];
  #groups = 0;
  #poseBytes = 0;
  #poses = 0;
  #capacityBytes = 0;
  #usedBytes = 0;
  #jobs = 0;
  #jobCapacity = 0;
  #jobCount = 0;
  #scratchBytes = SAMPLE_SCRATCH_BYTES;
  /** Samples whose root bone is corrected before the blends. */
  readonly #corrected: ClipTrack[] = [];
  #correctedAt = new Float64Array(0);
  #correctedOut = new Int32Array(0);
  #correctedCount = 0;

  constructor() {
    freeWhenCollected(this, this.#owned);
  }

  /** Makes room for `poseCount` more poses of `groups` groups and `jobCount` more samples; may run what was recorded. */
  reserve(groups: number, poseCount: number, jobCount: number): void {
    if (groups !== this.#groups) {
      this.finish();
      this.#groups = groups;
      this.#poseBytes = Math.max(1, groups) * GROUP_BYTES;
    }
    const bytes = poseCount * this.#poseBytes;
    if (this.#usedBytes + bytes > this.#capacityBytes) {
      this.finish();
      if (bytes > this.#capacityBytes) {
        dropBlock(this.#owned, this.#poses);
        this.#poses = takeBlock(this.#owned, bytes);
        this.#capacityBytes = bytes;
      }
    }
    if (this.#jobCount + jobCount > this.#jobCapacity) this.#growJobs(this.#jobCount + jobCount);
  }

  /** Lets the program have a size once, whatever the weights become; runs what was recorded. */
  reserveProgram(commandCount: number, inputCount: number): void {
    this.run();
    for (let i = 0; i < commandCount; i++) this.program.beginWeighted(0, 0);
    for (let i = 0; i < inputCount; i++) this.program.input(0, 0);
    this.program.reset();
  }

  /** Room for many characters at once. */
  widen(): void {
    if (this.#capacityBytes >= CHUNK_BYTES) return;
    this.finish();
    dropBlock(this.#owned, this.#poses);
    this.#poses = takeBlock(this.#owned, CHUNK_BYTES);
    this.#capacityBytes = CHUNK_BYTES;
  }

  /** Address of a pose that is the caller's until the frame is finished. */
  take(): number {
    const pose = this.#poses + this.#usedBytes;
    this.#usedBytes += this.#poseBytes;
    return pose;
  }

  /** Addresses of `count` poses, one behind the other. */
  takeMany(count: number): number {
    const pose = this.#poses + this.#usedBytes;
    this.#usedBytes += this.#poseBytes * count;
    return pose;
  }

  /** Bytes from one pose to the next. */
  get poseBytes(): number {
    return this.#poseBytes;
  }

  /** Samples the track's clip at the unwrapped time times[at] into `out`, before all blends. */
  sample(track: ClipTrack, skeleton: AnimSkeleton, times: Float64Array, at: number, loop: boolean, lod: number, out: number): void {
    const data = track.clip.data(), live = lod === 0 ? 0 : skeleton.liveMasks(lod);
    if (data.scratchBytes > this.#scratchBytes) this.#scratchBytes = data.scratchBytes;
    if (this.#jobCount === this.#jobCapacity) this.#growJobs(this.#jobCount + 1);
    const job = this.#jobs + this.#jobCount++ * JOB_BYTES, word = job >>> 2, u32 = heap.u32;
    heap.f64[job >>> 3] = times[at]!;
    u32[word + 2] = data.ptr;
    u32[word + 3] = skeleton.bindPtr;
    u32[word + 4] = live;
    u32[word + 5] = out;
    u32[word + 6] = this.#groups;
    u32[word + 7] = loop ? 1 : 0;
    if (track.motion.extracts) this.#correct(track, times, at, loop, out);
  }

  /** Does what was recorded; the poses stay. */
  run(): void {
    if (this.#jobCount > 0) {
      rig3d.kernels.sampleJobs(this.#jobs, 0, this.#jobCount, this.#context.scratch(this.#scratchBytes), this.#scratchBytes);
      this.#jobCount = 0;
      for (let i = 0; i < this.#correctedCount; i++) {
        const motion = this.#corrected[i]!.motion;
        motion.span[0] = this.#correctedAt[i]!;
        motion.extractFrom(this.#correctedOut[i]!);
      }
      this.#correctedCount = 0;
    }
    if (this.program.commandCount > 0) {
      this.program.run(this.#groups);
      this.program.reset();
    }
  }

  /** Does what was recorded and takes all poses back. */
  finish(): void {
    this.run();
    this.#usedBytes = 0;
  }

  /** Forgets what was recorded. */
  reset(): void {
    this.#jobCount = 0;
    this.#correctedCount = 0;
    this.#usedBytes = 0;
    this.program.reset();
  }

  /** Frees the blocks. Safe to call twice. */
  dispose(): void {
    dropAll(this, this.#owned);
    this.#context.dispose();
    this.program.dispose();
    this.#poses = this.#capacityBytes = this.#usedBytes = this.#jobs = this.#jobCapacity = this.#jobCount = 0;
  }

  #growJobs(wanted: number): void {
    const capacity = Math.max(16, wanted, this.#jobCapacity * 2), jobs = takeBlock(this.#owned, capacity * JOB_BYTES);
    heap.u8.copyWithin(jobs, this.#jobs, this.#jobs + this.#jobCount * JOB_BYTES);
    dropBlock(this.#owned, this.#jobs);
    this.#jobs = jobs;
    this.#jobCapacity = capacity;
  }

  #correct(track: ClipTrack, times: Float64Array, at: number, loop: boolean, out: number): void {
    const i = this.#correctedCount++;
    if (i === this.#correctedAt.length) {
      const length = Math.max(16, i * 2), at64 = new Float64Array(length), outs = new Int32Array(length);
      at64.set(this.#correctedAt);
      outs.set(this.#correctedOut);
      this.#correctedAt = at64;
      this.#correctedOut = outs;
    }
    WRAP[0] = times[at]!;
    track.clip.wrapInPlace(WRAP, loop);
    this.#corrected[i] = track;
    this.#correctedAt[i] = WRAP[0]!;
    this.#correctedOut[i] = out;
  }
}

/** Reads one number of every cache line. */
export function touchNumbers(numbers: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < numbers.length; i += 8) sum += numbers[i]! > 0 ? 1 : 0;
  return sum;
}

/** Reads one number of every cache line of a pose's transforms. */
export function touchPose(pose: AnimPose): number {
  const f32 = heap.f32, from = pose.localPtr >>> 2, end = from + ((pose.groupCount * GROUP_BYTES) >>> 2);
  let sum = 0;
  for (let i = from; i < end; i += 16) sum += f32[i]! > 0 ? 1 : 0;
  return sum;
}
