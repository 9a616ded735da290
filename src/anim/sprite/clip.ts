import { TIME_EPS } from "../../../assembly/layout/motion.js";
import { AnimArgumentError, AnimCapacityError, AnimIndexError, AnimNameError } from "../errors.js";
import { checkInteger, checkNumber, checkPositive } from "../module/check.js";
import { nearMatches } from "../module/near-matches.js";
import { clipEdits } from "./batch.js";
import type { SpriteSheet } from "./sheet.js";

/** Remainder in 0..length, also for a value just below a multiple. */
export function wrap(value: number, length: number): number {
  const rest = value % length;
  return rest < 0 ? rest + length : rest;
}

/** A time inside 0..duration; one that is a multiple but for rounding is 0. @internal */
export function wrapInto(seconds: number, duration: number): number {
  const rest = wrap(seconds, duration);
  return duration - rest < TIME_EPS ? 0 : rest;
}

/** Most frames that a clip has. */
const MOST_FRAMES = 2 ** 20;

/** A list of frames with durations, and events on frames. May be edited while it plays. */
export class SpriteClip {
  #name: string;
  #loop = true;
  #defaultDuration = 0.1;
  readonly #frames: number[] = [];
  readonly #durations: number[] = [];
  readonly #events: (string[] | undefined)[] = [];
  #hasEvents = false;
  /** End of each frame; rebuilt after an edit. */
  #ends = new Float64Array(0);
  #isStale = false;
  /** Counts the edits. @internal */ version = 0;

  constructor(name = "") {
    this.#name = name;
  }

  setName(name: string): void {
    this.#name = name;
  }

  getName(): string {
    return this.#name;
  }

  setLoop(on: boolean): void {
    this.#loop = on;
  }

  getLoop(): boolean {
    return this.#loop;
  }

  /**
   * Adds a frame. One of length 0 is never shown, but its events fire when it is passed.
   * @param duration - seconds; default 0.1, or what `setFPS` set
   * @throws AnimArgumentError, AnimCapacityError beyond 2^20 frames
   */
  addFrame(sheetFrame: number, duration = this.#defaultDuration): void {
    checkNumber(duration, "duration", 0);
    this.#checkRoom(1);
    this.#frames.push(checkInteger(sheetFrame, "sheetFrame", 0, 2 ** 31));
    this.#durations.push(duration);
    this.#touch();
  }

  /** Adds a frame by name. @throws AnimNameError, AnimArgumentError */
  addFrameByName(sheet: SpriteSheet, frameName: string, duration = this.#defaultDuration): void {
    if (sheet == null) throw new AnimArgumentError("addFrameByName needs a sheet.");
    const frame = sheet.findFrame(frameName);
    if (frame < 0) {
      const names = Array.from({ length: sheet.getFrameCount() }, (_, i) => sheet.getFrameName(i));
      throw new AnimNameError(`The sheet has no frame "${frameName}".${nearMatches(frameName, names)}`, { found: frameName });
    }
    this.addFrame(frame, duration);
  }

  /** Adds frames first..last, both included, descending if first is larger. @throws AnimArgumentError, AnimCapacityError */
  addRange(first: number, last: number, fps: number): void {
    checkInteger(first, "first", 0, 2 ** 31);
    checkInteger(last, "last", 0, 2 ** 31);
    checkNumber(1 / checkPositive(fps, "fps"), "The time of a frame");
    this.#checkRoom(Math.abs(last - first) + 1);
    const step = first <= last ? 1 : -1;
    for (let frame = first; frame !== last + step; frame += step) this.addFrame(frame, 1 / fps);
  }

  /** Gives all frames, and later ones by default, 1/fps seconds. @throws AnimArgumentError */
  setFPS(fps: number): void {
    this.#defaultDuration = checkNumber(1 / checkPositive(fps, "fps"), "The time of a frame");
    this.#durations.fill(this.#defaultDuration);
    this.#touch();
  }

  /** Frames divided by duration; 0 for an empty or zero-length clip. */
  getFPS(): number {
    const duration = this.getDuration();
    return duration > 0 ? this.#frames.length / duration : 0;
  }

  /** Attaches an event to a frame: it has just become current, or was passed. @throws AnimIndexError, AnimArgumentError */
  addEvent(clipFrame: number, name: string): void {
    this.#check(clipFrame);
    if (typeof name !== "string" || name === "") throw new AnimArgumentError("An event needs a name that is not empty.");
    (this.#events[clipFrame] ??= []).push(name);
    this.#hasEvents = true;
    clipEdits.count++;
  }

  /** The n-th event of a frame, "" if there is none. @throws AnimIndexError */
  getEvent(clipFrame: number, n = 0): string {
    this.#check(clipFrame);
    return this.#events[clipFrame]?.[n] ?? "";
  }

  /** @throws AnimIndexError */
  getEventCount(clipFrame: number): number {
    this.#check(clipFrame);
    return this.#events[clipFrame]?.length ?? 0;
  }

  clearEvents(): void {
    this.#events.length = 0;
    this.#hasEvents = false;
  }

  /** Whether any frame has an event. @internal */
  get hasEvents(): boolean {
    return this.#hasEvents;
  }

  /** Seconds of one round. */
  getDuration(): number {
    const ends = this.ends;
    return ends.length === 0 ? 0 : ends[ends.length - 1]!;
  }

  /** Index of the clip frame at a time, -1 for an empty clip. @throws AnimArgumentError */
  frameAtTime(seconds: number): number {
    checkNumber(seconds, "seconds");
    const count = this.#frames.length;
    if (count === 0) return -1;
    if (this.getDuration() <= TIME_EPS) return this.#loop ? 0 : count - 1;
    return this.frameForward(this.wrapTime(seconds), 0);
  }

  /** Time inside the clip: modulo for loops, else clamped. @throws AnimArgumentError */
  wrapTime(seconds: number): number {
    checkNumber(seconds, "seconds");
    const duration = this.getDuration();
    if (seconds <= 0 || duration <= TIME_EPS) return 0;
    if (!this.#loop) return Math.min(seconds, duration);
    return wrapInto(seconds, duration);
  }

  clear(): void {
    this.#frames.length = this.#durations.length = 0;
    this.clearEvents();
    this.#touch();
  }

  getFrameCount(): number {
    return this.#frames.length;
  }

  /** Sheet frame of a clip frame. @throws AnimIndexError */
  getSheetFrame(i: number): number {
    this.#check(i);
    return this.#frames[i]!;
  }

  /** @throws AnimIndexError */
  getFrameDuration(i: number): number {
    this.#check(i);
    return this.#durations[i]!;
  }

  /** A copy under another name. */
  clone(name = this.#name): SpriteClip {
    const copy = new SpriteClip(name);
    copy.#loop = this.#loop;
    copy.#defaultDuration = this.#defaultDuration;
    for (const frame of this.#frames) copy.#frames.push(frame);
    for (const duration of this.#durations) copy.#durations.push(duration);
    this.#events.forEach((names, i) => (copy.#events[i] = names === undefined ? undefined : [...names]));
    copy.#hasEvents = this.#hasEvents;
    copy.#touch();
    return copy;
  }

  /** Sheet frame of each clip frame. @internal */
  get frames(): readonly number[] {
    return this.#frames;
  }

  /** Largest sheet frame, -1 for an empty clip. @internal */
  get largestSheetFrame(): number {
    return this.#frames.reduce((largest, frame) => Math.max(largest, frame), -1);
  }

  /** End of each frame in seconds. @internal */
  get ends(): Float64Array {
    if (!this.#isStale) return this.#ends;
    this.#isStale = false;
    this.#ends = new Float64Array(this.#durations.length);
    // Kahan summation: ten frames of 0.1 end at 1, and a thousand at 100.
    let sum = 0;
    let lost = 0;
    this.#durations.forEach((duration, i) => {
      const wanted = duration - lost;
      const next = sum + wanted;
      lost = next - sum - wanted;
      this.#ends[i] = sum = next;
    });
    return this.#ends;
  }

  /** First frame from `from` on that ends after a time. @internal */
  frameForward(time: number, from: number): number {
    const ends = this.ends;
    const last = ends.length - 1;
    // Nearly always the frame itself or its successor; then halving.
    if (from >= last || time < ends[from]! - TIME_EPS) return Math.min(from, last);
    if (time < ends[from + 1]! - TIME_EPS) return from + 1;
    let low = from + 1;
    let high = last;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (time < ends[middle]! - TIME_EPS) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Last frame up to `from` that starts before a time, else 0. @internal */
  frameBackward(time: number, from: number): number {
    const ends = this.ends;
    let i = Math.min(from, ends.length - 1);
    while (i > 0 && ends[i - 1]! >= time - TIME_EPS) i--;
    return Math.max(0, i);
  }

  #checkRoom(frames: number): void {
    if (this.#frames.length + frames > MOST_FRAMES) throw new AnimCapacityError(`Clip "${this.#name}" would have ${this.#frames.length + frames} frames, at most ${MOST_FRAMES} are possible.`);
  }

  #check(i: number): void {
    if (!(Number.isInteger(i) && i >= 0 && i < this.#frames.length)) {
      throw new AnimIndexError(`Clip frame ${i} does not exist, clip "${this.#name}" has ${this.#frames.length}.`, { found: i });
    }
  }

  #touch(): void {
    this.#isStale = true;
    this.version++;
    clipEdits.count++;
  }
}
