import { TIME_EPS } from "../../../assembly/layout/motion.js";
import { AnimationState } from "../../spine/animation-state/animation-state.js";
import { AnimationStateData } from "../../spine/animation-state/animation-state-data.js";
import type { TrackEntry } from "../../spine/animation-state/track-entry.js";
import { Physics } from "../../spine/enums.js";
import { AnimArgumentError, AnimStateError } from "../errors.js";
import { checkNumber } from "../module/check.js";
import type { SpineSkeleton } from "./spine-skeleton.js";
import { SpineView } from "./spine-view.js";
import { named, unknownName } from "./translate.js";

const MOST_EVENTS = 1024;
/** Clocks beyond it would lose their frames, and with a few more steps their numbers. */
const LONGEST_STEP = 1e15;

/**
 * Plays animations of a Spine skeleton and tells what is to be drawn where on a screen with y down. Everything that the
 * runtime can do shows: meshes, constraints, physics, clipping, deforms, draw order, two colours, blend modes.
 */
export class SpineAnim extends SpineView {
  readonly #state: AnimationState;
  #disposed = false;
  #applying = false;
  #entry: TrackEntry | null = null;
  #animation = "";
  #speed = 1;
  #loop = true;
  #playing = false;
  #paused = false;
  #finished = false;
  /** Time that physics have not seen yet. */
  #elapsed = 0;
  readonly #events: string[] = [];
  #dropped = 0;
  #beforeWorld: (() => void) | null = null;
  /** @internal */ onActivate: (() => void) | null = null;
  /** @internal */ onDispose: (() => void) | null = null;

  /** @throws AnimArgumentError */
  constructor(skeleton: SpineSkeleton) {
    super(skeleton);
    this.#state = new AnimationState(new AnimationStateData(skeleton.getData().native!));
    this.#state.addListener({
      event: (_entry, event) => {
        this.#events.push(event.data.name);
        if (this.#events.length <= MOST_EVENTS) return;
        this.#events.shift();
        this.#dropped++;
      },
    });
  }

  /** The runtime's animation state. @throws AnimStateError after dispose(), as everything that needs it */
  get state(): AnimationState {
    if (this.#disposed) throw new AnimStateError("This SpineAnim was disposed. Make a new one.");
    return this.#state;
  }

  /** Plays an animation from its start and poses its first frame. @throws AnimNameError */
  play(animation: string): true {
    this.#check(animation);
    this.state.clearTracks();
    this.#start(this.#state.setAnimation(0, animation, this.#loop), animation);
    this.apply();
    return true;
  }

  /** Plays an animation, mixing over from the current one. @throws AnimNameError, AnimArgumentError */
  crossFade(animation: string, seconds: number): true {
    this.#check(animation);
    checkNumber(seconds, "seconds", 0);
    const entry = this.state.setAnimation(0, animation, this.#loop);
    entry.mixDuration = seconds;
    this.#start(entry, animation);
    this.apply();
    return true;
  }

  /** Plays an animation after the current one. @param delay - seconds after the end of the current one @throws AnimNameError, AnimArgumentError */
  queue(animation: string, delay = 0): true {
    this.#check(animation);
    checkNumber(delay, "delay");
    if (!this.#playing) return this.play(animation);
    const current = this.state.getCurrent(0);
    const end = current === null ? 0 : current.loop ? current.getTrackComplete() : current.animationEnd;
    this.#state.addAnimation(0, animation, this.#loop, Math.max(TIME_EPS, end + delay));
    return true;
  }

  /** Ends playing. The pose stays until the next `apply`, which shows the setup pose. */
  stop(): void {
    const { state } = this;
    this.#playing = this.#paused = this.#finished = false;
    state.clearTracks();
    this.#entry = null;
    this.#animation = "";
  }

  pause(): void {
    if (this.#playing) this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
  }

  /** Factor of time, at least 0. @throws AnimArgumentError */
  setSpeed(speed: number): void {
    this.#speed = checkNumber(speed, "speed", 0);
  }

  getSpeed(): number {
    return this.#speed;
  }

  /** Goes to a time; no events. @throws AnimArgumentError, AnimStateError after dispose() */
  setTime(seconds: number): void {
    checkNumber(seconds, "seconds", 0);
    this.#alive();
    const entry = this.#entry;
    if (entry === null) return;
    entry.trackTime = seconds;
    entry.animationLast = entry.getAnimationTime();
    if (this.#playing) this.apply();
  }

  /** Seconds since `play`, scaled, not wrapped. */
  getTime(): number {
    return this.#entry?.trackTime ?? 0;
  }

  /** Time inside the animation. */
  getAnimationTime(): number {
    return this.#entry?.getAnimationTime() ?? 0;
  }

  /** Affects the running animation, too. */
  setLoop(on: boolean): void {
    this.#loop = on;
    if (this.#entry !== null) this.#entry.loop = on;
  }

  getLoop(): boolean {
    return this.#loop;
  }

  isPlaying(): boolean {
    return this.#playing;
  }

  isPaused(): boolean {
    return this.#paused;
  }

  isFinished(): boolean {
    return this.#finished;
  }

  /** Name of the animation, "" for none. */
  getAnimation(): string {
    return this.#animation;
  }

  getAnimationDuration(): number {
    return this.#entry?.animation?.duration ?? 0;
  }

  /**
   * Setup pose, all tracks at their times, world transforms, draw slots.
   * @throws AnimStateError after dispose(), and inside its own `onBeforeWorld`
   */
  apply(): void {
    const { native } = this.skeleton;
    const { state } = this;
    this.#notApplying();
    this.#applying = true;
    try {
      native.setupPose();
      state.apply(native);
      this.#beforeWorld?.();
    } finally {
      this.#applying = false;
    }
    native.update(this.#elapsed);
    this.#elapsed = 0;
    native.updateWorldTransform(Physics.update);
    this.skeleton.markFresh();
    this.refreshDrawSlots();
  }

  /** Called between the animations and the world transforms of each `apply`: the place to aim bones. null ends that. @throws AnimArgumentError */
  onBeforeWorld(fn: (() => void) | null): void {
    if (fn != null && typeof fn !== "function") throw new AnimArgumentError(`A callback is ${typeof fn}, expected a function or null.`, { found: fn });
    this.#beforeWorld = fn ?? null;
  }

  /**
   * Advances by `dt` seconds and poses.
   * @returns whether it is playing or paused
   * @throws AnimArgumentError unless dt is finite and at least 0
   * @throws AnimStateError after dispose(), and inside its own `onBeforeWorld`
   */
  update(dt: number): boolean {
    checkNumber(dt, "dt", 0);
    this.#alive();
    this.#notApplying();
    if (!this.#playing || this.#paused) return this.#playing;
    const step = Math.min(dt * this.#speed, LONGEST_STEP);
    this.#state.update(step);
    this.#elapsed += step;
    this.#follow();
    const entry = this.#entry;
    if (entry !== null && !entry.loop && entry.next === null && entry.trackTime >= entry.animationEnd - TIME_EPS) {
      entry.trackTime = entry.animationEnd;
      this.#playing = false;
      this.#finished = true;
    }
    this.apply();
    return this.#playing;
  }

  /** Name of the next event, "" when none is left. */
  consumeEvent(): string {
    return this.#events.shift() ?? "";
  }

  /** Events dropped because more than 1024 waited. */
  getDroppedEventCount(): number {
    return this.#dropped;
  }

  /** Leaves the module and gives the state's memory back; the skeleton stays. */
  dispose(): void {
    if (this.#disposed) return;
    this.stop();
    this.#disposed = true;
    this.#state.dispose();
    this.onDispose?.();
    this.onActivate = this.onDispose = null;
  }

  #start(entry: TrackEntry, animation: string): void {
    this.#entry = entry;
    this.#animation = animation;
    this.#playing = true;
    this.#paused = this.#finished = false;
    this.#events.length = 0;
    this.onActivate?.();
  }

  #alive(): void {
    void this.state;
  }

  #notApplying(): void {
    if (this.#applying) throw new AnimStateError("update or apply of this SpineAnim is already running.");
  }

  /** Notices that a queued animation has begun. */
  #follow(): void {
    const current = this.#state.getCurrent(0);
    if (current === this.#entry || current === null) return;
    this.#entry = current;
    this.#animation = current.animation?.name ?? "";
  }

  #check(animation: string): void {
    const data = this.skeleton.getData().native!;
    if (named(data.animations, animation) === null) throw unknownName("animation", animation, data.animations.map((one) => one.name));
  }
}
