import { Crowd } from "../../crowd/index.js";
import type { SkeletonData } from "../../spine/data/skeleton-data.js";
import type { CastMember } from "./cast.js";
import type { OfficialCrowd } from "./official.js";

/** Frames per second of the simulated clock. */
export const FRAME = 1 / 60;

export interface Measurement {
  /** Median milliseconds for one frame of the crowd. */
  crowdMs: number;
  /** Median milliseconds for one frame of as many official skeletons; null if they were not measured. */
  officialMs: number | null;
  /** Largest distance between a bone here and there, in skeleton units at scale 1; null if not compared. */
  difference: number | null;
}

/** Frames that are advanced before anything is compared or timed. */
const WARM_UP = 12;
/** Milliseconds that a timed batch of frames should last: long against the scheduler's slices. */
const BATCH_MS = 60;
const MOST_FRAMES = 400;

/** Spawns the cast; ids in the order of the cast. */
export function spawnCast(crowd: Crowd, cast: readonly CastMember[]): number[] {
  return cast.map(({ animation, skin, time, x, y, scaleX, scaleY }) => crowd.spawn({ animation, skin, time, loop: true, x, y, scaleX, scaleY }));
}

/**
 * Advances crowd and official skeletons by turns and times both.
 *
 * Both are warmed up by the same steps and compared before the clock starts. Each times batches of about the same duration;
 * rounds alternate in order, so that neither always runs on a hot or a throttled machine.
 */
export function measure(data: SkeletonData, crowd: Crowd, ids: readonly number[], official: OfficialCrowd | null, rounds: number): Measurement {
  for (let i = 0; i < WARM_UP; i++) crowd.update(FRAME);
  let difference: number | null = null;
  if (official !== null) {
    for (let i = 0; i < WARM_UP; i++) official.update(FRAME);
    difference = compare(data, crowd, ids, official);
  }
  const ours = new Stopwatch(() => crowd.update(FRAME));
  const theirs = official === null ? null : new Stopwatch(() => official.update(FRAME));
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) ours.run();
    theirs?.run();
    if (round % 2 === 1) ours.run();
  }
  return { crowdMs: ours.median(), officialMs: theirs?.median() ?? null, difference };
}

/** Times batches of a frame; the first, which finds out how long a frame takes, does not count. */
class Stopwatch {
  readonly #frame: () => void;
  readonly #times: number[] = [];
  readonly #batch: number;

  constructor(frame: () => void) {
    this.#frame = frame;
    let frames = 0;
    const start = performance.now();
    do {
      frame();
      frames++;
    } while (performance.now() - start < BATCH_MS && frames < MOST_FRAMES);
    this.#batch = frames;
  }

  run(): void {
    const start = performance.now();
    for (let i = 0; i < this.#batch; i++) this.#frame();
    this.#times.push((performance.now() - start) / this.#batch);
  }

  /** Milliseconds a frame. */
  median(): number {
    return median(this.#times);
  }
}

/** Largest distance between the same bones of both, over up to 200 characters, in units of the unscaled skeleton. */
function compare(data: SkeletonData, crowd: Crowd, ids: readonly number[], official: OfficialCrowd): number {
  const pose = new Float32Array(6);
  let largest = 0;
  const step = Math.max(1, Math.floor(ids.length / 200));
  for (let i = 0; i < ids.length; i += step) {
    for (let bone = 0; bone < data.bones.length; bone++) {
      crowd.bone(ids[i]!, bone, pose);
      const other = official.bone(i, bone);
      if (!other.active) continue;
      const distance = Math.hypot(pose[4]! - other.x, pose[5]! - other.y) / official.scaleOf(i);
      // A bone that is not a number must not pass as equal.
      largest = Number.isFinite(distance) ? Math.max(largest, distance) : Number.POSITIVE_INFINITY;
    }
  }
  return largest;
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b), half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
