import { AnimArgumentError, AnimMismatchError, AnimStateError } from "../errors.js";
import { JOB_BYTES, SAMPLE_SCRATCH_BYTES } from "../../../assembly/layout/rig3d.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { hardwareThreads, RangeJob } from "../../wasm/range-job.js";
import { rig3d } from "../../wasm/rig3d.js";
import { threadsUnavailable } from "../../wasm/worker-pool.js";
import { MAXIMUM_WORKERS } from "../../wasm/worker-words.js";
import { dropAll, dropBlock, takeBlock } from "./blocks.js";
import { disposed, requireFinite, requireIndex, requireLod, requireObject, show } from "./checks.js";
import type { AnimClip } from "./clip.js";
import type { AnimPose } from "./pose.js";
import { isRetired, retire } from "./retire.js";
import type { AnimSkeleton } from "./skeleton.js";

interface Job {
  clip: AnimClip;
  skeleton: AnimSkeleton;
  pose: AnimPose;
  time: number;
  lod: number;
  enabled: boolean;
}

/** Jobs that a thread takes at a time, and below which no worker is woken. */
const CHUNK = 4;
const FEWEST_JOBS = 16;

/** One pool serves all batches; scratch belongs to it. */
let threads: RangeJob | undefined;

function pool(): RangeJob {
  return (threads ??= new RangeJob(rig3d, "sampleJobs", CHUNK, FEWEST_JOBS));
}

/**
 * Samples many poses in one call. The result of every job has the bits that `clip.sampleLod(time, pose, skeleton, lod)`
 * would give, whatever the order and the number of workers. Jobs stay until `clear()`: change their times and evaluate
 * again. A steady `evaluate` allocates nothing.
 */
export class AnimBatch {
  readonly #jobs: Job[] = [];
  #count = 0;
  readonly #poses = new Set<AnimPose>();
  /** Job index by place in the block: neighbours share a clip. */
  #order: number[] = [];
  #sorted = true;
  readonly #owned: number[] = [];
  #ptr = 0;
  #capacity = 0;
  #computeWorld = false;
  #lastWorkers = 0;
  #disposed = false;

  constructor() {
    freeWhenCollected(this, this.#owned);
  }

  /**
   * Starts the workers that all batches share; `evaluate` never starts any. Where threads cannot share memory (pages that are
   * not cross-origin isolated) nothing is started and everything runs on the calling thread.
   * @param count - workers besides the calling thread, 0..8; 0 ends them. Default: one less than the hardware's threads
   * @returns workers that are ready
   */
  static async setupWorkers(count: number = Math.min(MAXIMUM_WORKERS, hardwareThreads() - 1)): Promise<number> {
    if (!(Number.isInteger(count) && count >= 0 && count <= MAXIMUM_WORKERS)) {
      throw new AnimArgumentError(`AnimBatch.setupWorkers: count is ${show(count)}, expected an integer 0..${MAXIMUM_WORKERS}.`, { found: count });
    }
    if (count > 0 && threadsUnavailable() !== null) return 0;
    pool().setWorkers(count);
    // A worker takes about a tenth of a second to start; one that cannot start must not hold up the program.
    for (let waited = 0; pool().readyWorkers < count && waited < 5000; waited += 5) await new Promise((resolve) => setTimeout(resolve, 5));
    return pool().readyWorkers;
  }

  /**
   * Queues a job; the pose is resized to the skeleton at once.
   * @param time - seconds, wrapped or clamped by the clip's loop flag
   * @returns the job's index
   * @throws AnimMismatchError if the pose is queued already: two jobs must not write one pose
   */
  add(clip: AnimClip, skeleton: AnimSkeleton, pose: AnimPose, time: number, lodLevel = 0): number {
    const method = "AnimBatch.add";
    if (this.#disposed) throw disposed(method, "AnimBatch");
    requireObject(method, "clip", clip, "AnimClip");
    requireObject(method, "skeleton", skeleton, "AnimSkeleton");
    requireObject(method, "pose", pose, "AnimPose");
    requireFinite(method, "time", time);
    requireLod(method, lodLevel);
    if (this.#poses.has(pose)) throw new AnimMismatchError(`${method}: the pose is queued already. Give every job a pose of its own.`);
    pose.requireAlive(method);
    pose.fit(skeleton.getBoneCount());
    this.#poses.add(pose);
    const index = this.#count++;
    const job = (this.#jobs[index] ??= { clip, skeleton, pose, time, lod: lodLevel, enabled: true });
    job.clip = clip;
    job.skeleton = skeleton;
    job.pose = pose;
    job.time = time;
    job.lod = lodLevel;
    job.enabled = true;
    this.#sorted = false;
    return index;
  }

  /** Time of a job for the next `evaluate`. */
  setTime(job: number, time: number): void {
    requireIndex("AnimBatch.setTime", "job", job, this.#count);
    requireFinite("AnimBatch.setTime", "time", time);
    this.#jobs[job]!.time = time;
  }

  setLod(job: number, level: number): void {
    requireIndex("AnimBatch.setLod", "job", job, this.#count);
    requireLod("AnimBatch.setLod", level);
    this.#jobs[job]!.lod = level;
  }

  /** A disabled job leaves its pose alone. */
  setEnabled(job: number, enabled: boolean): void {
    requireIndex("AnimBatch.setEnabled", "job", job, this.#count);
    this.#jobs[job]!.enabled = enabled === true;
  }

  /** Whether `evaluate` also computes world transforms. Default false. */
  setComputeWorld(compute: boolean): void {
    this.#computeWorld = compute === true;
  }

  /**
   * Runs all jobs.
   * @param workerCount - threads to use at most, the calling one included; 0 = all that `setupWorkers` started, 1 = the calling thread
   * @throws AnimStateError if a pose, clip or skeleton was disposed meanwhile; all other jobs have run
   */
  evaluate(workerCount = 0): void {
    if (this.#disposed) throw disposed("AnimBatch.evaluate", "AnimBatch");
    if (!(Number.isInteger(workerCount) && workerCount >= 0)) {
      throw new AnimArgumentError(`AnimBatch.evaluate: workerCount is ${show(workerCount)}, expected an integer, 0 or more.`, { found: workerCount });
    }
    this.#lastWorkers = 0;
    if (this.#count === 0) return;
    if (!this.#sorted) this.#sort();
    const lost = this.#write();
    this.#lastWorkers = pool().run(this.#ptr, this.#count, this.#scratchBytes(), workerCount === 0 ? MAXIMUM_WORKERS + 1 : workerCount);
    for (let i = 0; i < this.#count; i++) {
      const job = this.#jobs[i]!;
      if (!job.enabled || !isSound(job)) continue;
      job.pose.markStale();
      if (this.#computeWorld) job.pose.computeWorld(job.skeleton);
    }
    if (lost >= 0) {
      const { clip, skeleton } = this.#jobs[lost]!;
      const what = isRetired(clip) ? "clip of job" : isRetired(skeleton) ? "skeleton of job" : "pose of job";
      throw new AnimStateError(`AnimBatch.evaluate: the ${what} ${lost} was disposed${what === "pose of job" ? " or resized" : ""} after add(). The other jobs have run; clear() and add them again.`);
    }
  }

  /** Forgets all jobs and keeps the room for them. */
  clear(): void {
    this.#count = 0;
    this.#poses.clear();
    this.#sorted = false;
  }

  getCount(): number {
    return this.#count;
  }

  /** Threads (the calling one included) that took part in the last `evaluate`; 0 before the first and for an empty batch. */
  getLastWorkerCount(): number {
    return this.#lastWorkers;
  }

  /** Frees the block; clips, skeletons and poses stay. Safe to call twice. */
  dispose(): void {
    if (this.#disposed) return;
    this.clear();
    this.#disposed = true;
    dropAll(this, this.#owned);
    retire(this, "AnimBatch");
  }

  #sort(): void {
    const ids = new Map<AnimClip, number>(), jobs = this.#jobs;
    for (let i = 0; i < this.#count; i++) if (!ids.has(jobs[i]!.clip)) ids.set(jobs[i]!.clip, ids.size);
    this.#order = Array.from({ length: this.#count }, (_, i) => i).toSorted((a, b) => ids.get(jobs[a]!.clip)! - ids.get(jobs[b]!.clip)! || a - b);
    this.#sorted = true;
    if (this.#count > this.#capacity) {
      this.#capacity = Math.max(16, this.#count, this.#capacity * 2);
      const ptr = takeBlock(this.#owned, this.#capacity * JOB_BYTES);
      dropBlock(this.#owned, this.#ptr);
      this.#ptr = ptr;
    }
  }

  /** Writes the job records; returns a job that lost what it needs, or -1. */
  #write(): number {
    let lost = -1;
    // Compiling a clip may move the views, so all of that comes first.
    for (let i = 0; i < this.#count; i++) {
      const job = this.#jobs[i]!;
      if (!job.enabled || !isSound(job)) continue;
      job.clip.data();
      if (job.lod > 0) job.skeleton.liveMasks(job.lod);
    }
    const { f64, i32, u32 } = heap;
    for (let place = 0; place < this.#count; place++) {
      const index = this.#order[place]!, job = this.#jobs[index]!, at = this.#ptr + place * JOB_BYTES, words = at >>> 2;
      const runs = job.enabled && isSound(job);
      if (job.enabled && !runs) lost = index;
      if (!runs) {
        u32[words + 2] = 0;
        continue;
      }
      f64[at >>> 3] = job.time;
      u32[words + 2] = job.clip.data().ptr;
      u32[words + 3] = job.skeleton.bindPtr;
      u32[words + 4] = job.skeleton.liveMasks(job.lod);
      u32[words + 5] = job.pose.localPtr;
      i32[words + 6] = job.pose.groupCount;
      i32[words + 7] = job.clip.loop ? 1 : 0;
    }
    return lost;
  }

  /** Scratch for the hungriest clip. */
  #scratchBytes(): number {
    let bytes = SAMPLE_SCRATCH_BYTES;
    for (let i = 0; i < this.#count; i++) {
      const job = this.#jobs[i]!;
      if (job.enabled && isSound(job)) bytes = Math.max(bytes, job.clip.data().scratchBytes);
    }
    return bytes;
  }
}

/** Whether everything a job needs is still there, and fits. */
function isSound({ clip, skeleton, pose }: Job): boolean {
  return !isRetired(clip) && !isRetired(skeleton) && !pose.isGone && pose.getBoneCount() === skeleton.getBoneCount();
}
