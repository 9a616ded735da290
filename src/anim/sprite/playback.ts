import { SPRITE_LINK_BYTES, TIME_EPS } from "../../../assembly/layout/motion.js";
import { heap } from "../../wasm/heap.js";
import { AnimArgumentError, AnimIndexError, AnimStateError } from "../errors.js";
import type { QuadLike } from "../module/host.js";
import type { SpriteBatch } from "./batch.js";
import { SpriteClip } from "./clip.js";
import { EventQueue } from "./event-queue.js";
import type { SpriteSheet } from "./sheet.js";
import { SpeedCurve } from "./speed-curve.js";
import type { SpriteAnim } from "./sprite-anim.js";
import type { SpriteTarget } from "./target.js";

/* Shared by all players that play nothing. */
const NO_ENDS = /* @__PURE__ */ new Float64Array(0);

/**
 * How a player moves through clips: rounds, queue, events, and its row in a batch. `SpriteAnim` is what is done with it.
 *
 * Position moves by direction x speed x curve. Each crossing of a frame queues its events exactly once, whatever the size
 * of the step; many rounds in one update cost no more than one.
 */
export class SpritePlayback {
  // What a change of frame touches comes first: of thousands of players, each costs a few cache lines.
  protected frame = -1;
  protected row = -1;
  /** Whether the next change can be nothing but the next frame. */
  protected isSimple = false;
  protected updating = false;
  protected ends: Float64Array = NO_ENDS;
  protected clip: SpriteClip | null = null;
  protected sheet: SpriteSheet | null = null;
  protected quad: QuadLike | null = null;
  protected sprite: SpriteTarget | null = null;
  protected loopCount = 0;
  protected looped = false;
  protected once = false;
  protected loopOverride: boolean | null = null;
  /** Seconds between two rounds, and how many of them have passed. */
  protected loopDelay = 0;
  protected waited = 0;
  protected clipVersion = 0;
  /** Position in the clip while the player is in no batch. */
  protected ownTime = 0;
  protected direction: 1 | -1 = 1;
  protected speed = 1;
  protected curve: SpeedCurve | null = null;
  protected playing = false;
  protected paused = false;
  protected finished = false;
  protected completed = false;
  protected readonly waiting: SpriteClip[] = [];
  protected readonly events = new EventQueue();
  protected seconds = 0;
  protected movement = 0;
  /** The walk of the batch in which playing began: it is not moved by that one any more. */
  protected beganIn = -1;
  /** The walk in which the player was changed: it takes the long way there. */
  protected changedIn = -1;
  protected batch: SpriteBatch | null = null;
  /** @internal Told when playing begins, so that the module pumps the player. */ onActivate: (() => void) | null = null;
  /** @internal Told by dispose. */ onDispose: (() => void) | null = null;

  /** The effective loop flag. */
  getLoop(): boolean {
    return !this.once && (this.loopOverride ?? this.clip?.getLoop() ?? false);
  }

  /** Sheet frame that is shown, -1 for none. */
  getSheetFrame(): number {
    const clip = this.clip;
    return clip === null || this.frame < 0 ? -1 : (clip.frames[this.frame] ?? -1);
  }

  /** @internal Moves the clock into a batch, or out of it. */
  attach(batch: SpriteBatch | null, row: number): void {
    const time = this.time;
    this.batch = batch;
    this.beganIn = this.changedIn = -1;
    this.row = row;
    this.time = time;
    this.refreshRow();
  }

  /** @internal Comes before a change of what moves the player, in case that is made before its turn in a running walk. */
  beforeChange(): void {
    const { batch } = this;
    if (batch === null || batch.walk < 0 || this.changedIn === batch.walk) return;
    this.changedIn = batch.walk;
    batch.undo(this.row);
  }

  /** @internal Leaves its batch for another; true if that is the one it is in. */
  leaveBatch(next: SpriteBatch): boolean {
    if (this.batch === next) return true;
    this.batch?.remove(this as unknown as SpriteAnim);
    return false;
  }

  /**
   * @internal The step of a player in a batch whose clock runs out of its frame. Nearly always nothing happens but that the
   * next frame comes (`isMoved`: the kernel has gone on to it), or the next round, so that is done here without detours.
   */
  tick(batch: SpriteBatch, isMoved: boolean): void {
    if (isMoved && this.changedIn !== batch.walk) {
      this.frame++;
    } else if (!this.beginsRound(batch)) {
      // Changed in this walk: it may be held, or wait for the next one.
      if (this.changedIn !== batch.walk || (this.playing && !this.paused && this.beganIn !== batch.walk)) this.advance(true);
      return;
    }
    this.updating = true;
    this.show();
    this.updating = false;
  }

  /** Goes on to the first frame of the next round, if that is all the step does. */
  protected beginsRound(batch: SpriteBatch): boolean {
    const { ends, row } = this;
    // A step of 0 moves nothing, also where the way has turned round on the boundary of a frame.
    if (!this.isSimple || this.frame + 1 !== ends.length || batch.step === 0) return false;
    const { f64, i32 } = heap;
    const at = batch.times + row;
    const time = f64[at]! + batch.step * f64[batch.rates + row]! - ends[this.frame]!;
    if (time >= ends[0]! - TIME_EPS || !this.getLoop()) return false;
    f64[at] = time > 0 ? time : 0;
    f64[batch.aboves + row] = ends[0]! - TIME_EPS;
    i32[batch.frames + row * (SPRITE_LINK_BYTES >> 2)] = 0;
    this.frame = this.waited = 0;
    this.loopCount++;
    this.looped = true;
    return true;
  }

  /** @internal After an edit of a clip, maybe of this one. */
  clipEdited(): void {
    if (this.playing && (this.clip!.version !== this.clipVersion || (this.isSimple && this.clip!.hasEvents))) this.beforeChange();
    this.refreshRow();
  }

  /** @internal After a quad or sprite has thrown. */
  recover(): void {
    this.updating = false;
  }

  /** @internal One step of a playing, unpaused player; the step is in a field, because a number that is passed would be boxed. */
  advance(inBatch: boolean): void {
    const dt = inBatch ? this.batch!.step : this.seconds;
    this.updating = true;
    try {
      const clip = this.clip!;
      if (this.clipVersion !== clip.version) {
        this.clipVersion = clip.version;
        this.time = Math.min(this.time, clip.getDuration());
        this.frame = this.derive(clip);
        this.show();
      }
      const factor = this.curve === null || this.curve.isEmpty ? dt : this.curve.advance(dt);
      const before = this.frame;
      this.movement = this.direction * this.speed * factor;
      this.move();
      if (this.frame !== before || this.clip !== clip) this.show();
    } finally {
      this.updating = false;
      this.refreshRow();
    }
  }

  /** @internal Tells the batch how far the clock may run before something changes. */
  refreshRow(): void {
    const batch = this.batch;
    if (batch === null) return;
    const clip = this.clip;
    const runs = this.playing && !this.paused;
    let rate = 0;
    this.isSimple = false;
    let above = Infinity;
    let below = -Infinity;
    if (runs) {
      const hasCurve = this.curve !== null && !this.curve.isEmpty;
      rate = this.direction * this.speed;
      // A curve, an edited clip and a clip without length are looked after in every update.
      if (hasCurve || clip!.version !== this.clipVersion || clip!.getDuration() <= TIME_EPS) above = -Infinity;
      else if (rate > 0) {
        this.ends = clip!.ends;
        above = this.ends[this.frame]! - TIME_EPS;
        this.isSimple = !clip!.hasEvents && this.waiting.length === 0 && this.loopDelay === 0 && (batch.walk < 0 || this.changedIn !== batch.walk);
      } else if (rate < 0) below = (this.frame > 0 ? clip!.ends[this.frame - 1]! : 0) + TIME_EPS;
    }
    batch.link(this.row, this.isSimple ? this.ends : null, this.frame);
    const { f64 } = heap;
    f64[batch.rates + this.row] = rate;
    f64[batch.aboves + this.row] = above;
    f64[batch.belows + this.row] = below;
  }

  protected get time(): number {
    return this.batch === null ? this.ownTime : heap.f64[this.batch.times + this.row]!;
  }

  protected set time(time: number) {
    if (this.batch === null) this.ownTime = time;
    else heap.f64[this.batch.times + this.row] = time;
  }

  protected get theCurve(): SpeedCurve {
    return (this.curve ??= new SpeedCurve());
  }

  protected startClip(clip: SpriteClip, direction: 1 | -1, once: boolean): void {
    this.check(clip);
    this.direction = direction;
    this.waiting.length = 0;
    this.events.clear();
    this.looped = this.completed = false;
    if (this.curve !== null) this.curve.clock = 0;
    this.paused = false;
    this.beganIn = this.changedIn = this.batch?.walk ?? -1;
    this.begin(clip, once);
    this.onActivate?.();
    this.show();
    this.refreshRow();
  }

  /** Puts a clip on at its start, or at its end where it runs backwards. */
  protected begin(clip: SpriteClip, once: boolean, forward = this.direction * this.speed >= 0): void {
    this.clip = clip;
    this.clipVersion = clip.version;
    this.once = once;
    this.playing = true;
    this.finished = false;
    this.loopCount = 0;
    this.restart(clip, forward);
  }

  /** Position and frames entered at the beginning of a round. */
  protected restart(clip: SpriteClip, forward: boolean): void {
    const last = clip.getFrameCount() - 1;
    this.waited = 0;
    this.time = forward ? 0 : clip.getDuration();
    // A clip without length shows its first frame and passes over the others when it ends.
    const frame = clip.getDuration() <= TIME_EPS ? (forward ? 0 : last) : this.derive(clip, forward);
    this.enterTo(clip, forward ? -1 : last + 1, frame);
    this.frame = frame;
  }

  protected derive(clip: SpriteClip, forward = this.direction * this.speed >= 0): number {
    const last = clip.getFrameCount() - 1;
    if (last < 0) return -1;
    return forward ? clip.frameForward(this.time, 0) : clip.frameBackward(this.time, last);
  }

  /** Moves by the signed time in movement; in a field, because a number that is passed would be boxed. */
  protected move(): void {
    const movement = this.movement;
    const batch = this.batch;
    let rest = Math.abs(movement);
    const forward = movement === 0 ? this.direction * this.speed >= 0 : movement > 0;
    for (;;) {
      const clip = this.clip!;
      const count = clip.getFrameCount();
      const duration = clip.getDuration();
      const isLooping = this.getLoop();
      if (duration <= TIME_EPS) {
        if (this.waiting.length === 0 && isLooping) return;
      } else {
        if (rest === 0) return;
        const at = batch === null ? -1 : batch.times + this.row;
        const time = at < 0 ? this.ownTime : heap.f64[at]!;
        const left = forward ? duration - time : time;
        if (rest < left - TIME_EPS) {
          const moved = forward ? time + rest : time - rest;
          this.waited = 0;
          if (at < 0) this.ownTime = moved;
          else heap.f64[at] = moved;
          // Mostly the same frame or its neighbour; the look-up proper only beyond.
          const { ends } = clip;
          let frame = Math.max(0, this.frame);
          if (forward) {
            if (moved >= ends[frame]! - TIME_EPS && moved >= ends[++frame]! - TIME_EPS) frame = clip.frameForward(moved, frame);
          } else if (frame > 0 && moved <= ends[frame - 1]! + TIME_EPS && --frame > 0 && moved <= ends[frame - 1]! + TIME_EPS) {
            frame = clip.frameBackward(moved, frame);
          }
          if (frame !== this.frame) {
            if (clip.hasEvents) this.enterTo(clip, this.frame, frame);
            this.frame = frame;
          }
          return;
        }
        rest = Math.max(0, rest - left);
      }
      this.enterTo(clip, this.frame, forward ? count - 1 : 0);
      if (this.waiting.length > 0) {
        if (!isLooping) this.completed = true;
        // The curve may turn the way round.
        this.begin(this.waiting.shift()!, false, forward);
        continue;
      }
      if (!isLooping) {
        this.time = forward ? duration : 0;
        this.frame = forward ? count - 1 : 0;
        this.playing = false;
        this.finished = this.completed = true;
        return;
      }
      const delay = this.loopDelay;
      if (delay > 0) {
        // The last frame of the round stays until the delay is over.
        this.time = forward ? duration : 0;
        this.frame = forward ? count - 1 : 0;
        if (rest < delay - this.waited - TIME_EPS) {
          this.waited += rest;
          return;
        }
        rest = Math.max(0, rest - (delay - this.waited));
      }
      this.looped = true;
      const rounds = Math.min(Math.floor((rest + TIME_EPS) / (duration + delay)), Number.MAX_SAFE_INTEGER);
      this.loopCount++;
      this.enterRounds(clip, rounds, forward);
      this.loopCount = Math.min(this.loopCount, Number.MAX_SAFE_INTEGER);
      rest = Math.min(duration + delay, Math.max(0, rest - rounds * (duration + delay)));
      this.restart(clip, forward);
    }
  }

  /** Queues the events of the frames behind `from` up to `to`, in the order in which they are passed. */
  protected enterTo(clip: SpriteClip, from: number, to: number): void {
    if (!clip.hasEvents || from === to) return;
    const way = to > from ? 1 : -1;
    for (let i = from + way; i !== to + way; i += way) {
      if (i < 0 || i >= clip.getFrameCount()) continue;
      for (let n = 0; n < clip.getEventCount(i); n++) this.events.add(clip, i, this.loopCount, clip.getEvent(i, n));
    }
  }

  /** Counts whole rounds and queues their events; of many only the last ones are kept anyway. */
  protected enterRounds(clip: SpriteClip, rounds: number, forward: boolean): void {
    if (rounds <= 0) return;
    if (!clip.hasEvents) {
      this.loopCount += rounds;
      return;
    }
    const count = clip.getFrameCount();
    let perRound = 0;
    for (let i = 0; i < count; i++) perRound += clip.getEventCount(i);
    const reported = Math.min(rounds, Math.ceil(EventQueue.CAPACITY / perRound) + 1);
    this.events.dropped += (rounds - reported) * perRound;
    this.loopCount += rounds - reported;
    for (let i = 0; i < reported; i++, this.loopCount++) this.enterTo(clip, forward ? -1 : count, forward ? count - 1 : 0);
  }

  protected beginOf(clip: SpriteClip, frame: number): number {
    const backward = this.direction * this.speed < 0;
    return backward ? clip.ends[frame]! : frame > 0 ? clip.ends[frame - 1]! : 0;
  }

  protected showFrame(frame: number): void {
    this.waited = 0;
    this.frame = frame;
    this.show();
    this.refreshRow();
  }

  protected needClip(): SpriteClip {
    if (this.clip === null) throw new AnimStateError("There is no clip. Call play() first.");
    return this.clip;
  }

  protected check(clip: SpriteClip): void {
    if (!(clip instanceof SpriteClip)) throw new AnimArgumentError("A SpriteClip is needed.", { found: clip });
    if (clip.getFrameCount() === 0) throw new AnimStateError(`Clip "${clip.getName()}" has no frames.`);
    this.match(clip, this.sheet);
  }

  protected match(clip: SpriteClip, sheet: SpriteSheet | null): void {
    const largest = clip.largestSheetFrame;
    if (sheet !== null && largest >= sheet.getFrameCount()) {
      throw new AnimIndexError(`Clip "${clip.getName()}" uses sheet frame ${largest}, the sheet has ${sheet.getFrameCount()}. Do the two belong together?`, { found: largest });
    }
  }

  /** Brings quad and sprite up to date. @throws AnimIndexError before anything is written */
  protected show(): void {
    const { sheet } = this;
    if (sheet === null || (this.quad === null && this.sprite === null)) return;
    const frame = this.getSheetFrame();
    if (frame < 0) return;
    if (frame >= sheet.getFrameCount()) this.match(this.clip!, sheet);
    if (this.quad !== null) sheet.applyToQuad(this.quad, frame);
    this.sprite?.show(sheet, frame);
  }
}
