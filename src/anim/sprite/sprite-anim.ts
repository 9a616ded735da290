import { SpriteColumn, TIME_EPS } from "../../../assembly/layout/motion.js";
import { heap } from "../../wasm/heap.js";
import { AnimArgumentError, AnimIndexError, AnimStateError } from "../errors.js";
import { checkInteger, checkNumber } from "../module/check.js";
import type { QuadLike, SpriteLike } from "../module/host.js";
import type { SpriteBatch } from "./batch.js";
import { wrap, type SpriteClip } from "./clip.js";
import { EventQueue, type SpriteEvent } from "./event-queue.js";
import type { SpriteSheet } from "./sheet.js";
import { SpeedCurve, type CurveInterpolation } from "./speed-curve.js";

/* Shared by all players that play nothing. */
const NO_ENDS = /* @__PURE__ */ new Float64Array(0);

/** The quad that a player gives to its sprite. */
class PlayerQuad implements QuadLike {
  x = 0;
  y = 0;
  width = 0;
  height = 0;
  degrees: 0 | 90 = 0;
  setViewport(x: number, y: number, width: number, height: number): void {
    this.x = x;
    this.y = y;
    this.width = width;
    this.height = height;
  }
  setRotated(degrees: 0 | 90): void {
    this.degrees = degrees;
  }
}

/**
 * Plays clips and keeps a quad or a sprite up to date.
 *
 * Position moves by direction x speed x curve. Each crossing of a frame queues its events exactly once, whatever the size
 * of the step; many rounds in one update cost no more than one.
 */
export class SpriteAnim {
  #sheet: SpriteSheet | null = null;
  #clip: SpriteClip | null = null;
  #clipVersion = 0;
  /** Position in the clip while the player is in no batch. */
  #ownTime = 0;
  #frame = -1;
  #direction: 1 | -1 = 1;
  #speed = 1;
  #curve: SpeedCurve | null = null;
  #loopOverride: boolean | null = null;
  #once = false;
  #playing = false;
  #paused = false;
  #finished = false;
  #loopCount = 0;
  #looped = false;
  #completed = false;
  readonly #queue: SpriteClip[] = [];
  readonly #events = new EventQueue();
  #quad: QuadLike | null = null;
  #sprite: SpriteLike | null = null;
  #spriteQuad: PlayerQuad | null = null;
  #spriteSheet: SpriteSheet | null = null;
  #updating = false;
  /** Whether the next change can be nothing but the next frame, and what that takes. */
  #isSimple = false;
  #rate = 0;
  #ends: Float64Array = NO_ENDS;
  #step = 0;
  #movement = 0;
  #batch: SpriteBatch | null = null;
  #row = -1;
  /** @internal Told when playing begins, so that the module pumps the player. */ onActivate: (() => void) | null = null;
  /** @internal Told by dispose. */ onDispose: (() => void) | null = null;

  /** @throws AnimIndexError if the current clip has frames that the sheet has not */
  setSheet(sheet: SpriteSheet | null): void {
    if (this.#clip !== null) this.#match(this.#clip, sheet);
    this.#sheet = sheet;
    this.#show();
  }

  getSheet(): SpriteSheet | null {
    return this.#sheet;
  }

  getClip(): SpriteClip | null {
    return this.#clip;
  }

  /** Plays a clip from its start (from its end where the speed is negative). @throws AnimArgumentError, AnimStateError, AnimIndexError */
  play(clip: SpriteClip): void {
    this.#play(clip, 1, false);
  }

  /** Plays a clip backwards. @throws AnimArgumentError, AnimStateError, AnimIndexError */
  playReverse(clip: SpriteClip): void {
    this.#play(clip, -1, false);
  }

  /** Plays a clip once, whatever its loop flag says. @throws AnimArgumentError, AnimStateError, AnimIndexError */
  playOnce(clip: SpriteClip): void {
    this.#play(clip, 1, true);
  }

  /** Plays a clip after the current one: after its end, or at the end of the current round of a loop. @throws as `play` */
  queue(clip: SpriteClip): void {
    if (!this.#playing) {
      this.play(clip);
      return;
    }
    this.#check(clip);
    this.#queue.push(clip);
    this.refreshRow();
  }

  /** Ends playing; time 0, no frame. */
  stop(): void {
    this.#playing = this.#paused = this.#finished = false;
    this.#time = 0;
    this.#frame = -1;
    this.#queue.length = 0;
    this.#events.clear();
    this.refreshRow();
  }

  /** Holds the position and the speed curve. */
  pause(): void {
    if (this.#playing) this.#paused = true;
    this.refreshRow();
  }

  resume(): void {
    this.#paused = false;
    this.refreshRow();
  }

  /** Any finite number; 0 freezes, negative plays backwards. @throws AnimArgumentError */
  setSpeed(speed: number): void {
    this.#speed = checkNumber(speed, "speed");
    this.refreshRow();
  }

  getSpeed(): number {
    return this.#speed;
  }

  /** Sets a key of the speed curve, whose value multiplies the speed. @throws AnimArgumentError */
  addSpeedCurveKey(time: number, value: number): void {
    this.#theCurve.setKey(time, value);
    this.refreshRow();
  }

  /** Removes all keys; the factor is 1 again. */
  clearSpeedCurve(): void {
    this.#theCurve.clear();
    this.refreshRow();
  }

  /** Sets the curve's clock to 0. */
  resetSpeedCurve(): void {
    this.#theCurve.clock = 0;
  }

  /** Whether the curve starts again after its last key. */
  setSpeedCurveLoop(on: boolean): void {
    this.#theCurve.setLoop(on);
  }

  /** @throws AnimArgumentError for an unknown kind */
  setSpeedCurveInterpolation(kind: CurveInterpolation): void {
    this.#theCurve.setInterpolation(kind);
  }

  /** Factor at the curve's clock. */
  getSpeedCurveValue(): number {
    return this.#curve === null ? 1 : this.#curve.value;
  }

  /** Goes to a time of the clip; no events, no counts. @throws AnimArgumentError */
  setTime(seconds: number): void {
    checkNumber(seconds, "seconds", 0);
    const clip = this.#clip;
    if (clip === null) return;
    const duration = clip.getDuration();
    this.#time = this.getLoop() && duration > TIME_EPS ? wrap(seconds, duration) : Math.min(seconds, duration);
    this.#setFrame(this.#derive(clip));
  }

  /** Position inside the clip, 0..duration. */
  getTime(): number {
    return this.#time;
  }

  /** Shows a clip frame from its beginning. @throws AnimStateError without a clip, AnimIndexError */
  setFrame(clipFrame: number): void {
    const clip = this.#needClip();
    if (!(Number.isInteger(clipFrame) && clipFrame >= 0 && clipFrame < clip.getFrameCount())) {
      throw new AnimIndexError(`Clip frame ${clipFrame} does not exist, clip "${clip.getName()}" has ${clip.getFrameCount()}.`, { found: clipFrame });
    }
    this.#time = this.#beginOf(clip, clipFrame);
    this.#setFrame(clipFrame);
  }

  /** Clip frame that is shown, -1 without a clip. */
  getClipFrame(): number {
    return this.#frame;
  }

  /** Moves by whole frames, also while paused: wraps or clamps, counts loops, queues events. @throws AnimStateError, AnimArgumentError */
  step(frames = 1): void {
    checkInteger(frames, "frames", -(2 ** 31), 2 ** 31);
    const clip = this.#needClip();
    const count = clip.getFrameCount();
    if (count === 0) return;
    const wanted = Math.max(0, this.#frame) + frames;
    const way = Math.sign(frames);
    let target = Math.min(count - 1, Math.max(0, wanted));
    let from = this.#frame;
    if (this.getLoop() && wanted !== target) {
      const rounds = Math.abs(Math.floor(wanted / count));
      this.#loopCount += rounds;
      this.#looped = true;
      target = wrap(wanted, count);
      this.#enterTo(clip, from, way > 0 ? count - 1 : 0);
      this.#enterRounds(clip, rounds - 1, way > 0);
      from = way > 0 ? -1 : count;
    }
    this.#enterTo(clip, from, target);
    this.#time = this.#beginOf(clip, target);
    this.#setFrame(target);
  }

  /** Overrides the clip's loop flag for this player. */
  setLoop(on: boolean): void {
    this.#loopOverride = on;
  }

  /** The effective loop flag. */
  getLoop(): boolean {
    return !this.#once && (this.#loopOverride ?? this.#clip?.getLoop() ?? false);
  }

  clearLoopOverride(): void {
    this.#loopOverride = null;
  }

  /** Writes the frame into a quad, now and after every change; null unbinds. */
  bindQuad(quad: QuadLike | null): void {
    this.#quad = quad;
    this.#show();
  }

  unbindQuad(): void {
    this.#quad = null;
  }

  getBoundQuad(): QuadLike | null {
    return this.#quad;
  }

  /** Gives a sprite the texture, a quad and the frame's layout, now and after every change; null unbinds. */
  bindSprite(sprite: SpriteLike | null): void {
    this.#sprite = sprite;
    this.#spriteSheet = null;
    this.#spriteQuad ??= sprite === null ? null : new PlayerQuad();
    this.#show();
  }

  /** Writes the current frame into a quad. @throws AnimStateError without sheet, clip or frame */
  applyToQuad(quad: QuadLike): void {
    const frame = this.getSheetFrame();
    if (this.#sheet === null || frame < 0) throw new AnimStateError("There is no frame to apply. Set a sheet and play a clip first.");
    this.#sheet.applyToQuad(quad, frame);
  }

  /** Sheet frame that is shown, -1 for none. */
  getSheetFrame(): number {
    const clip = this.#clip;
    return clip === null || this.#frame < 0 || this.#frame >= clip.getFrameCount() ? -1 : clip.getSheetFrame(this.#frame);
  }

  /** Loop boundaries crossed since the clip was started. */
  getLoopCount(): number {
    return this.#loopCount;
  }

  /** True once after a loop boundary was crossed. */
  consumeLooped(): boolean {
    const looped = this.#looped;
    this.#looped = false;
    return looped;
  }

  /** True once after a clip that does not loop has ended, also when a queued clip follows. */
  consumeCompleted(): boolean {
    const completed = this.#completed;
    this.#completed = false;
    return completed;
  }

  /** Name of the next event, "" when none is left. */
  consumeEvent(): string {
    return this.#events.take()?.name ?? "";
  }

  /** The next event with its clip, frame and round; null when none is left. */
  consumeEventInfo(): SpriteEvent | null {
    return this.#events.take();
  }

  /** Events that were dropped because more than 1024 waited. */
  getDroppedEventCount(): number {
    return this.#events.dropped;
  }

  isPlaying(): boolean {
    return this.#playing;
  }

  isPaused(): boolean {
    return this.#paused;
  }

  /** A run that does not loop has ended and nothing followed. */
  isFinished(): boolean {
    return this.#finished;
  }

  /**
   * Advances by `dt` seconds.
   * @returns whether it is still playing or paused
   * @throws AnimArgumentError, AnimStateError from inside its own quad or sprite
   */
  update(dt: number): boolean {
    checkNumber(dt, "dt", 0);
    if (this.#updating) throw new AnimStateError("update of this player is already running.");
    this.#step = dt;
    if (this.#playing && !this.#paused) this.advance(false);
    return this.#playing;
  }

  /** Leaves the module for good. */
  dispose(): void {
    this.stop();
    this.onDispose?.();
    this.onActivate = this.onDispose = null;
  }

  /** @internal Moves the clock into a batch, or out of it. */
  attach(batch: SpriteBatch | null, row: number): void {
    const time = this.#time;
    this.#batch = batch;
    this.#row = row;
    this.#time = time;
    this.refreshRow();
  }

  /**
   * @internal The step of a player in a batch whose clock runs out of its frame. Nearly always nothing happens but that the
   * next frame comes, so that is done here without detours.
   */
  tick(batch: SpriteBatch): void {
    const row = this.#row;
    const f64 = heap.f64;
    if (this.#isSimple) {
      const ends = this.#ends;
      const at = batch.index(row, SpriteColumn.Time);
      let time = f64[at]! + batch.step * this.#rate;
      let frame = this.#frame + 1;
      const wraps = frame === ends.length;
      if (wraps) {
        time -= ends[frame - 1]!;
        frame = 0;
      }
      if (time < ends[frame]! - TIME_EPS && (!wraps || this.getLoop())) {
        if (wraps) {
          time = time > 0 ? time : 0;
          this.#loopCount++;
          this.#looped = true;
        }
        f64[at] = time;
        f64[batch.index(row, SpriteColumn.Above)] = ends[frame]! - TIME_EPS;
        this.#frame = frame;
        this.#updating = true;
        this.#show();
        this.#updating = false;
        return;
      }
    }
    this.advance(true);
  }

  /** @internal After a quad or sprite has thrown. */
  recover(): void {
    this.#updating = false;
  }

  /** @internal One step of a playing, unpaused player; the step is in a field, because a number that is passed would be boxed. */
  advance(inBatch: boolean): void {
    const dt = inBatch ? this.#batch!.step : this.#step;
    this.#updating = true;
    try {
      const clip = this.#clip!;
      if (this.#clipVersion !== clip.version) {
        this.#clipVersion = clip.version;
        this.#time = Math.min(this.#time, clip.getDuration());
        this.#frame = this.#derive(clip);
        this.#show();
      }
      const factor = this.#curve === null || this.#curve.isEmpty ? dt : this.#curve.advance(dt);
      const before = this.#frame;
      this.#movement = this.#direction * this.#speed * factor;
      this.#move();
      if (this.#frame !== before || this.#clip !== clip) this.#show();
    } finally {
      this.#updating = false;
      this.refreshRow();
    }
  }

  /** @internal Tells the batch how far the clock may run before something changes. */
  refreshRow(): void {
    const batch = this.#batch;
    if (batch === null) return;
    const f64 = heap.f64;
    const clip = this.#clip;
    const runs = this.#playing && !this.#paused;
    let rate = 0;
    this.#isSimple = false;
    let above = Infinity;
    let below = -Infinity;
    if (runs) {
      const hasCurve = this.#curve !== null && !this.#curve.isEmpty;
      rate = this.#direction * this.#speed;
      // A curve, an edited clip and a clip without length are looked after in every update.
      if (hasCurve || clip!.version !== this.#clipVersion || clip!.getDuration() <= TIME_EPS) above = -Infinity;
      else if (rate > 0) {
        this.#ends = clip!.ends;
        above = this.#ends[this.#frame]! - TIME_EPS;
        this.#isSimple = !clip!.hasEvents && this.#queue.length === 0;
      } else if (rate < 0) below = (this.#frame > 0 ? clip!.ends[this.#frame - 1]! : 0) + TIME_EPS;
    }
    this.#rate = rate;
    f64[batch.index(this.#row, SpriteColumn.Rate)] = rate;
    f64[batch.index(this.#row, SpriteColumn.Above)] = above;
    f64[batch.index(this.#row, SpriteColumn.Below)] = below;
  }

  get #time(): number {
    return this.#batch === null ? this.#ownTime : heap.f64[this.#batch.index(this.#row, SpriteColumn.Time)]!;
  }

  set #time(time: number) {
    if (this.#batch === null) this.#ownTime = time;
    else heap.f64[this.#batch.index(this.#row, SpriteColumn.Time)] = time;
  }

  get #theCurve(): SpeedCurve {
    return (this.#curve ??= new SpeedCurve());
  }

  #play(clip: SpriteClip, direction: 1 | -1, once: boolean): void {
    this.#check(clip);
    this.#direction = direction;
    this.#queue.length = 0;
    this.#events.clear();
    this.#looped = this.#completed = false;
    if (this.#curve !== null) this.#curve.clock = 0;
    this.#paused = false;
    this.#begin(clip, once);
    this.onActivate?.();
    this.#show();
    this.refreshRow();
  }

  /** Puts a clip on at its start, or at its end where it runs backwards. */
  #begin(clip: SpriteClip, once: boolean): void {
    const forward = this.#direction * this.#speed >= 0;
    this.#clip = clip;
    this.#clipVersion = clip.version;
    this.#once = once;
    this.#playing = true;
    this.#finished = false;
    this.#loopCount = 0;
    this.#restart(clip, forward);
  }

  /** Position and frames entered at the beginning of a round. */
  #restart(clip: SpriteClip, forward: boolean): void {
    const last = clip.getFrameCount() - 1;
    this.#time = forward ? 0 : clip.getDuration();
    // A clip without length shows its first frame and passes over the others when it ends.
    const frame = clip.getDuration() <= TIME_EPS ? (forward ? 0 : last) : this.#derive(clip, forward);
    this.#enterTo(clip, forward ? -1 : last + 1, frame);
    this.#frame = frame;
  }

  #derive(clip: SpriteClip, forward = this.#direction * this.#speed >= 0): number {
    const last = clip.getFrameCount() - 1;
    if (last < 0) return -1;
    return forward ? clip.frameForward(this.#time, 0) : clip.frameBackward(this.#time, last);
  }

  /** Moves by the signed time in #movement; in a field, because a number that is passed would be boxed. */
  #move(): void {
    const movement = this.#movement;
    const batch = this.#batch;
    let rest = Math.abs(movement);
    const forward = movement === 0 ? this.#direction * this.#speed >= 0 : movement > 0;
    for (;;) {
      const clip = this.#clip!;
      const count = clip.getFrameCount();
      const duration = clip.getDuration();
      const isLooping = this.getLoop();
      if (duration <= TIME_EPS) {
        if (this.#queue.length === 0 && isLooping) return;
      } else {
        if (rest === 0) return;
        const at = batch === null ? -1 : batch.index(this.#row, SpriteColumn.Time);
        const time = at < 0 ? this.#ownTime : heap.f64[at]!;
        const left = forward ? duration - time : time;
        if (rest < left - TIME_EPS) {
          const moved = forward ? time + rest : time - rest;
          if (at < 0) this.#ownTime = moved;
          else heap.f64[at] = moved;
          // Mostly the same frame or its neighbour; the look-up proper only beyond.
          const { ends } = clip;
          let frame = Math.max(0, this.#frame);
          if (forward) {
            if (moved >= ends[frame]! - TIME_EPS && moved >= ends[++frame]! - TIME_EPS) frame = clip.frameForward(moved, frame);
          } else if (frame > 0 && moved <= ends[frame - 1]! + TIME_EPS && --frame > 0 && moved <= ends[frame - 1]! + TIME_EPS) {
            frame = clip.frameBackward(moved, frame);
          }
          if (frame !== this.#frame) {
            if (clip.hasEvents) this.#enterTo(clip, this.#frame, frame);
            this.#frame = frame;
          }
          return;
        }
        rest = Math.max(0, rest - left);
      }
      this.#enterTo(clip, this.#frame, forward ? count - 1 : 0);
      if (this.#queue.length > 0) {
        if (!isLooping) this.#completed = true;
        this.#begin(this.#queue.shift()!, false);
        continue;
      }
      if (!isLooping) {
        this.#time = forward ? duration : 0;
        this.#frame = forward ? count - 1 : 0;
        this.#playing = false;
        this.#finished = this.#completed = true;
        return;
      }
      this.#looped = true;
      const rounds = Math.floor((rest + TIME_EPS) / duration);
      this.#loopCount += 1 + rounds;
      this.#enterRounds(clip, rounds, forward);
      rest = Math.max(0, rest - rounds * duration);
      this.#restart(clip, forward);
    }
  }

  /** Queues the events of the frames behind `from` up to `to`, in the order in which they are passed. */
  #enterTo(clip: SpriteClip, from: number, to: number): void {
    if (!clip.hasEvents || from === to) return;
    const way = to > from ? 1 : -1;
    for (let i = from + way; i !== to + way; i += way) {
      if (i < 0 || i >= clip.getFrameCount()) continue;
      for (let n = 0; n < clip.getEventCount(i); n++) this.#events.add(clip, i, this.#loopCount, clip.getEvent(i, n));
    }
  }

  /** Events of whole rounds; of many only the last ones are kept anyway. */
  #enterRounds(clip: SpriteClip, rounds: number, forward: boolean): void {
    if (!clip.hasEvents || rounds <= 0) return;
    const count = clip.getFrameCount();
    let perRound = 0;
    for (let i = 0; i < count; i++) perRound += clip.getEventCount(i);
    const reported = Math.min(rounds, Math.ceil(EventQueue.CAPACITY / perRound) + 1);
    this.#events.dropped += (rounds - reported) * perRound;
    for (let i = 0; i < reported; i++) this.#enterTo(clip, forward ? -1 : count, forward ? count - 1 : 0);
  }

  #beginOf(clip: SpriteClip, frame: number): number {
    const backward = this.#direction * this.#speed < 0;
    return backward ? clip.ends[frame]! : frame > 0 ? clip.ends[frame - 1]! : 0;
  }

  #setFrame(frame: number): void {
    this.#frame = frame;
    this.#show();
    this.refreshRow();
  }

  /** Brings quad and sprite up to date. @throws AnimIndexError before anything is written */
  #show(): void {
    const sheet = this.#sheet;
    if (sheet === null || (this.#quad === null && this.#sprite === null)) return;
    const frame = this.getSheetFrame();
    if (frame < 0) return;
    if (frame >= sheet.getFrameCount()) this.#match(this.#clip!, sheet);
    if (this.#quad !== null) sheet.applyToQuad(this.#quad, frame);
    const sprite = this.#sprite;
    if (sprite === null) return;
    const texture = sheet.getTexture();
    if (this.#spriteSheet !== sheet && texture !== null) {
      sprite.setTexture?.(texture);
      this.#spriteSheet = sheet;
    }
    sheet.applyToQuad(this.#spriteQuad!, frame);
    sprite.setQuad?.(this.#spriteQuad!);
    sprite.setFrameLayout?.(sheet.getFrameLayout(frame));
  }

  #needClip(): SpriteClip {
    if (this.#clip === null) throw new AnimStateError("There is no clip. Call play() first.");
    return this.#clip;
  }

  #check(clip: SpriteClip): void {
    if (clip == null) throw new AnimArgumentError("A clip is needed.");
    if (clip.getFrameCount() === 0) throw new AnimStateError(`Clip "${clip.getName()}" has no frames.`);
    this.#match(clip, this.#sheet);
  }

  #match(clip: SpriteClip, sheet: SpriteSheet | null): void {
    const largest = clip.largestSheetFrame;
    if (sheet !== null && largest >= sheet.getFrameCount()) {
      throw new AnimIndexError(`Clip "${clip.getName()}" uses sheet frame ${largest}, the sheet has ${sheet.getFrameCount()}. Do the two belong together?`, { found: largest });
    }
  }
}
