import { TIME_EPS } from "../../../assembly/layout/motion.js";
import { AnimArgumentError, AnimIndexError, AnimStateError } from "../errors.js";
import { checkInteger, checkNumber } from "../module/check.js";
import type { QuadLike, SpriteLike } from "../module/host.js";
import { type SpriteClip, wrap, wrapInto } from "./clip.js";
import type { SpriteEvent } from "./event-queue.js";
import { SpritePlayback } from "./playback.js";
import { SpriteSheet } from "./sheet.js";
import type { CurveInterpolation } from "./speed-curve.js";
import { SpriteTarget } from "./target.js";

/**
 * Plays clips and keeps a quad or a sprite up to date.
 *
 * Each crossing of a frame queues its events exactly once, whatever the size of the step; many rounds in one update cost no
 * more than one.
 */
export class SpriteAnim extends SpritePlayback {
  /** @throws AnimIndexError if the current clip has frames that the sheet has not, AnimArgumentError */
  setSheet(sheet: SpriteSheet | null): void {
    const next = sheet ?? null;
    if (next !== null && !(next instanceof SpriteSheet)) throw new AnimArgumentError("setSheet needs a SpriteSheet or null.", { found: sheet });
    if (this.clip !== null) this.match(this.clip, next);
    this.sheet = next;
    this.show();
  }

  getSheet(): SpriteSheet | null {
    return this.sheet;
  }

  getClip(): SpriteClip | null {
    return this.clip;
  }

  /** Plays a clip from its start (from its end where the speed is negative). @throws AnimArgumentError, AnimStateError, AnimIndexError */
  play(clip: SpriteClip): void {
    this.startClip(clip, 1, false);
  }

  /** Plays a clip backwards. @throws AnimArgumentError, AnimStateError, AnimIndexError */
  playReverse(clip: SpriteClip): void {
    this.startClip(clip, -1, false);
  }

  /** Plays a clip once, whatever its loop flag says. @throws AnimArgumentError, AnimStateError, AnimIndexError */
  playOnce(clip: SpriteClip): void {
    this.startClip(clip, 1, true);
  }

  /** Plays a clip after the current one: after its end, or at the end of the current round of a loop. @throws as `play` */
  queue(clip: SpriteClip): void {
    if (!this.playing) {
      this.play(clip);
      return;
    }
    this.check(clip);
    this.beforeChange();
    this.waiting.push(clip);
    this.refreshRow();
  }

  /** Ends playing; time 0, no frame. */
  stop(): void {
    this.beforeChange();
    this.playing = this.paused = this.finished = false;
    this.time = this.waited = 0;
    this.frame = -1;
    this.waiting.length = 0;
    this.events.clear();
    this.refreshRow();
  }

  /** Holds the position and the speed curve. */
  pause(): void {
    this.beforeChange();
    if (this.playing) this.paused = true;
    this.refreshRow();
  }

  resume(): void {
    this.beforeChange();
    this.paused = false;
    this.refreshRow();
  }

  /** Any finite number; 0 freezes, negative plays backwards. @throws AnimArgumentError */
  setSpeed(speed: number): void {
    checkNumber(speed, "speed");
    this.beforeChange();
    this.speed = speed;
    this.refreshRow();
  }

  getSpeed(): number {
    return this.speed;
  }

  /** Sets a key of the speed curve, whose value multiplies the speed. @throws AnimArgumentError */
  addSpeedCurveKey(time: number, value: number): void {
    this.beforeChange();
    this.theCurve.setKey(time, value);
    this.refreshRow();
  }

  /** Removes all keys; the factor is 1 again. */
  clearSpeedCurve(): void {
    this.beforeChange();
    this.theCurve.clear();
    this.refreshRow();
  }

  /** Sets the curve's clock to 0. */
  resetSpeedCurve(): void {
    this.theCurve.clock = 0;
  }

  /** Whether the curve starts again after its last key. */
  setSpeedCurveLoop(on: boolean): void {
    this.theCurve.setLoop(on);
  }

  /** @throws AnimArgumentError for an unknown kind */
  setSpeedCurveInterpolation(kind: CurveInterpolation): void {
    this.theCurve.setInterpolation(kind);
  }

  /** Factor at the curve's clock. */
  getSpeedCurveValue(): number {
    return this.curve === null ? 1 : this.curve.value;
  }

  /** Goes to a time of the clip; no events, no counts. @throws AnimArgumentError */
  setTime(seconds: number): void {
    checkNumber(seconds, "seconds", 0);
    const clip = this.clip;
    if (clip === null) return;
    this.beforeChange();
    const duration = clip.getDuration();
    this.time = this.getLoop() && duration > TIME_EPS ? wrapInto(seconds, duration) : Math.min(seconds, duration);
    this.showFrame(this.derive(clip));
  }

  /** Position inside the clip, 0..duration. */
  getTime(): number {
    return this.time;
  }

  /** Shows a clip frame from its beginning. @throws AnimStateError without a clip, AnimIndexError */
  setFrame(clipFrame: number): void {
    const clip = this.needClip();
    if (!(Number.isInteger(clipFrame) && clipFrame >= 0 && clipFrame < clip.getFrameCount())) {
      throw new AnimIndexError(`Clip frame ${clipFrame} does not exist, clip "${clip.getName()}" has ${clip.getFrameCount()}.`, { found: clipFrame });
    }
    this.beforeChange();
    this.time = this.beginOf(clip, clipFrame);
    this.showFrame(clipFrame);
  }

  /** Clip frame that is shown, -1 without a clip. */
  getClipFrame(): number {
    return this.frame;
  }

  /** Moves by whole frames, also while paused: wraps or clamps, counts loops, queues events. @throws AnimStateError, AnimArgumentError */
  step(frames = 1): void {
    checkInteger(frames, "frames", -(2 ** 31), 2 ** 31);
    const clip = this.needClip();
    const count = clip.getFrameCount();
    if (count === 0) return;
    this.beforeChange();
    const wanted = Math.max(0, this.frame) + frames;
    const way = Math.sign(frames);
    let target = Math.min(count - 1, Math.max(0, wanted));
    let from = this.frame;
    if (this.getLoop() && wanted !== target) {
      const rounds = Math.abs(Math.floor(wanted / count));
      this.looped = true;
      target = wrap(wanted, count);
      this.enterTo(clip, from, way > 0 ? count - 1 : 0);
      this.loopCount++;
      this.enterRounds(clip, rounds - 1, way > 0);
      from = way > 0 ? -1 : count;
    }
    this.enterTo(clip, from, target);
    this.time = this.beginOf(clip, target);
    this.showFrame(target);
  }

  /** Overrides the clip's loop flag for this player. */
  setLoop(on: boolean): void {
    this.loopOverride = on;
  }

  clearLoopOverride(): void {
    this.loopOverride = null;
  }

  /**
   * Seconds for which the last frame of a round stays before a loop begins anew; they pass by speed and curve, as frames do. A
   * queued clip does not wait for them. Default 0.
   * @throws AnimArgumentError unless finite and at least 0
   */
  setLoopDelay(seconds: number): void {
    checkNumber(seconds, "loopDelay", 0);
    this.beforeChange();
    this.loopDelay = seconds;
    this.refreshRow();
  }

  getLoopDelay(): number {
    return this.loopDelay;
  }

  /** Writes the frame into a quad, now and after every change; null unbinds. @throws AnimArgumentError */
  bindQuad(quad: QuadLike | null): void {
    if (quad != null && typeof quad.setViewport !== "function") throw new AnimArgumentError("A quad needs the method setViewport(x, y, width, height).", { found: quad });
    this.quad = quad ?? null;
    this.show();
  }

  unbindQuad(): void {
    this.quad = null;
  }

  getBoundQuad(): QuadLike | null {
    return this.quad;
  }

  /** Gives a sprite the texture, a quad and the frame's layout, now and after every change; null unbinds. @throws AnimArgumentError */
  bindSprite(sprite: SpriteLike | null): void {
    if (sprite != null && typeof sprite !== "object") throw new AnimArgumentError(`bindSprite got ${typeof sprite}, expected an object or null.`, { found: sprite });
    this.sprite = sprite == null ? null : new SpriteTarget(sprite);
    this.show();
  }

  /** Writes the current frame into a quad. @throws AnimStateError without sheet, clip or frame */
  applyToQuad(quad: QuadLike): void {
    const frame = this.getSheetFrame();
    if (this.sheet === null || frame < 0) throw new AnimStateError("There is no frame to apply. Set a sheet and play a clip first.");
    this.sheet.applyToQuad(quad, frame);
  }

  /** Loop boundaries crossed since the clip was started. */
  getLoopCount(): number {
    return this.loopCount;
  }

  /** True once after a loop boundary was crossed. */
  consumeLooped(): boolean {
    const looped = this.looped;
    this.looped = false;
    return looped;
  }

  /** True once after a clip that does not loop has ended, also when a queued clip follows. */
  consumeCompleted(): boolean {
    const completed = this.completed;
    this.completed = false;
    return completed;
  }

  /** Name of the next event, "" when none is left. */
  consumeEvent(): string {
    return this.events.take()?.name ?? "";
  }

  /** The next event with its clip, frame and round; null when none is left. */
  consumeEventInfo(): SpriteEvent | null {
    return this.events.take();
  }

  /** Events that were dropped because more than 1024 waited. */
  getDroppedEventCount(): number {
    return this.events.dropped;
  }

  isPlaying(): boolean {
    return this.playing;
  }

  isPaused(): boolean {
    return this.paused;
  }

  /** A run that does not loop has ended and nothing followed. */
  isFinished(): boolean {
    return this.finished;
  }

  /**
   * Advances by `dt` seconds.
   * @returns whether it is still playing or paused
   * @throws AnimArgumentError, AnimStateError from inside its own quad or sprite
   */
  update(dt: number): boolean {
    checkNumber(dt, "dt", 0);
    if (this.updating) throw new AnimStateError("update of this player is already running.");
    this.beforeChange();
    this.seconds = dt;
    if (this.playing && !this.paused) this.advance(false);
    return this.playing;
  }

  /** Leaves the module for good. */
  dispose(): void {
    this.stop();
    this.onDispose?.();
    this.onActivate = this.onDispose = null;
  }
}
