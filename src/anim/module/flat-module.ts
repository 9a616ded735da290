import { AnimArgumentError, AnimStateError } from "../errors.js";
import { ControlAnim } from "../control/control-anim.js";
import { ControlPose } from "../control/control-pose.js";
import { MotionStore, type AnimErrorHandler } from "../motion/store.js";
import type { MotionBuilder } from "../motion/builder.js";
import { understandParameters } from "../motion/ease-names.js";
import { MotionSequence } from "../motion/sequence.js";
import type { MotionColor, MotionInput, MotionQuat, Vec2, Vec3 } from "../motion/types.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import type { AtlasJsonOptions } from "../sprite/atlas-json.js";
import { SpriteBatch } from "../sprite/batch.js";
import { SpriteClip } from "../sprite/clip.js";
import { SequenceCache, type SequenceOptions } from "../sprite/sequence-loader.js";
import { SpriteSheet } from "../sprite/sheet.js";
import { SpriteAnim } from "../sprite/sprite-anim.js";
import { TextureCache } from "../sprite/texture-cache.js";
import { AnimTrail } from "../trail/trail.js";
import { Tween } from "../tween/tween.js";
import { checkNumber } from "./check.js";
import { defaultHost } from "./default-host.js";
import { now, readText } from "./files.js";
import type { AnimationHost, GraphicsLike } from "./host.js";
import { chain, type Maybe } from "./maybe-promise.js";
import { Registry } from "./registry.js";

/** Something that the module's fourth list pumps. @internal */
export interface Pumped {
  update(dt: number): boolean;
  isPlaying(): boolean;
}

/**
 * The flat half of the module object: tweens, motions, sprites, followers, trails, and the pump. The 3D and Spine
 * factories are added by `Animation`.
 */
export class FlatModule {
  readonly #host: AnimationHost;
  readonly #motions = new MotionStore();
  readonly #tweens = new Registry<Tween>();
  readonly #sprites = new SpriteBatch();
  readonly #sequences = new SequenceCache();
  readonly #textures = new TextureCache();
  /** @internal */ protected readonly spines = new Registry<Pumped>();
  #timeScale = 1;
  #handler: AnimErrorHandler | null = null;
  #running = false;
  #disposed = false;
  readonly #stepTween = (tween: Tween, dt: number): void => void tween.update(dt);
  readonly #stepSpine = (spine: Pumped, dt: number): void => {
    try {
      spine.update(dt);
    } catch (error) {
      this.report(error, "SpineAnim");
    }
  };
  /** @internal Takes errors of user code. */
  protected readonly report = (error: unknown, what: string): void => {
    if (this.#handler !== null) this.#handler(error, what);
    else console.error(`osteon: error in ${what}`, error);
  };

  /** @param host - files and pictures; default: those of the platform */
  constructor(host: AnimationHost = defaultHost()) {
    this.#host = host;
    understandParameters();
    this.#motions.setErrorHandler(this.report);
  }

  /** "Animation". */
  getName(): string {
    this.alive();
    return "Animation";
  }

  /**
   * Ends the world: every method but this one throws from now on. Objects it made stay usable by themselves, but are no
   * longer pumped; running motions end without callbacks.
   */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#motions.dispose();
    this.#sprites.dispose();
    this.#tweens.removeWhere((tween) => {
      tween.onActivate = null;
      return true;
    });
    this.spines.removeWhere(() => true);
  }

  // Tweens

  /** A tween that the pump advances. @throws AnimArgumentError */
  newTween(duration = 1): Tween {
    this.alive();
    const tween = new Tween(duration);
    tween.onError = this.report;
    tween.onActivate = () => this.#tweens.add(tween);
    this.#tweens.add(tween);
    return tween;
  }

  /** Tweens in the registry, whatever their state. */
  getTweenCount(): number {
    this.alive();
    return this.#tweens.size;
  }

  /** Active tweens, playing sprite players and playing Spine players. */
  getActiveCount(): number {
    this.alive();
    return this.#tweens.count((tween) => tween.isActive())
      + this.#sprites.players.filter((player) => player?.isPlaying() === true).length
      + this.spines.count((spine) => spine.isPlaying());
  }

  /** Forgets tweens that are finished, stopped or never started; returns how many. `start` brings one back. */
  clearFinished(): number {
    this.alive();
    return this.#tweens.removeWhere((tween) => !tween.isActive());
  }

  /** Forgets all tweens; their values and states stay. Returns how many. */
  clearAll(): number {
    this.alive();
    return this.#tweens.removeWhere(() => true);
  }

  // Motions

  /** A motion of a number. @throws AnimArgumentError */
  motion(from: number, to: number, duration: number): MotionBuilder<number> {
    return this.motions().motion(from, to, duration);
  }

  /** As `motion`. */
  newMotion(from: number, to: number, duration: number): MotionBuilder<number> {
    return this.motion(from, to, duration);
  }

  /** A motion of two numbers. @throws AnimArgumentError */
  motionVec2(from: MotionInput<Vec2>, to: MotionInput<Vec2>, duration: number): MotionBuilder<Vec2> {
    return this.motions().motionVec2(from, to, duration);
  }

  /** As `motionVec2`. */
  newMotionVec2(from: MotionInput<Vec2>, to: MotionInput<Vec2>, duration: number): MotionBuilder<Vec2> {
    return this.motionVec2(from, to, duration);
  }

  /** A motion of three numbers. @throws AnimArgumentError */
  motionVec3(from: MotionInput<Vec3>, to: MotionInput<Vec3>, duration: number): MotionBuilder<Vec3> {
    return this.motions().motionVec3(from, to, duration);
  }

  /** As `motionVec3`. */
  newMotionVec3(from: MotionInput<Vec3>, to: MotionInput<Vec3>, duration: number): MotionBuilder<Vec3> {
    return this.motionVec3(from, to, duration);
  }

  /** A motion of a colour. @throws AnimArgumentError */
  motionColor(from: MotionInput<MotionColor>, to: MotionInput<MotionColor>, duration: number): MotionBuilder<MotionColor> {
    return this.motions().motionColor(from, to, duration);
  }

  /** As `motionColor`. */
  newMotionColor(from: MotionInput<MotionColor>, to: MotionInput<MotionColor>, duration: number): MotionBuilder<MotionColor> {
    return this.motionColor(from, to, duration);
  }

  /** A motion of a rotation. @throws AnimArgumentError */
  motionQuat(from: MotionInput<MotionQuat>, to: MotionInput<MotionQuat>, duration: number): MotionBuilder<MotionQuat> {
    return this.motions().motionQuat(from, to, duration);
  }

  /** As `motionQuat`. */
  newMotionQuat(from: MotionInput<MotionQuat>, to: MotionInput<MotionQuat>, duration: number): MotionBuilder<MotionQuat> {
    return this.motionQuat(from, to, duration);
  }

  /** A damped sine around `from`. @throws AnimArgumentError */
  punch<V extends number | Vec2 | Vec3>(from: V, strength: V, duration: number): MotionBuilder<V extends number ? number : V> {
    return this.motions().punch(from, strength, duration);
  }

  /** As `punch`. */
  newMotionPunch<V extends number | Vec2 | Vec3>(from: V, strength: V, duration: number): MotionBuilder<V extends number ? number : V> {
    return this.punch(from, strength, duration);
  }

  /** As `punch`, with random half waves. @throws AnimArgumentError */
  shake<V extends number | Vec2 | Vec3>(from: V, strength: V, duration: number): MotionBuilder<V extends number ? number : V> {
    return this.motions().shake(from, strength, duration);
  }

  /** As `shake`. */
  newMotionShake<V extends number | Vec2 | Vec3>(from: V, strength: V, duration: number): MotionBuilder<V extends number ? number : V> {
    return this.shake(from, strength, duration);
  }

  /** A sequence to be filled. */
  sequence(): MotionSequence {
    return new MotionSequence(this.motions());
  }

  /** As `sequence`. */
  newMotionSequence(): MotionSequence {
    return this.sequence();
  }

  /** The store of this world's motions. */
  motions(): MotionStore {
    this.alive();
    return this.#motions;
  }

  /** Makes room for n motions of each value type. @throws AnimArgumentError, AnimCapacityError */
  ensureMotionCapacity(n: number): void {
    this.motions().ensureMotionCapacity(n);
  }

  getMotionFloatCapacity(): number {
    return this.motions().getMotionFloatCapacity();
  }

  getMotionFloatFreeCount(): number {
    return this.motions().getMotionFloatFreeCount();
  }

  /** Active motions of all types. */
  getMotionCount(): number {
    return this.motions().getMotionCount();
  }

  /** Cancels motions and sequences in the order of creation; returns how many. */
  cancelAllMotions(): number {
    return this.motions().cancelAllMotions();
  }

  // Sprites

  newSpriteSheet(): SpriteSheet {
    this.alive();
    return new SpriteSheet();
  }

  newSpriteClip(name = ""): SpriteClip {
    this.alive();
    return new SpriteClip(name);
  }

  /** A sprite player that the pump advances until it is disposed. */
  newSpriteAnim(): SpriteAnim {
    this.alive();
    const player = new SpriteAnim();
    this.#sprites.add(player);
    player.onDispose = () => this.#sprites.remove(player);
    return player;
  }

  /** Sprite players in the registry. */
  getSpriteAnimCount(): number {
    this.alive();
    return this.#sprites.count;
  }

  /**
   * A sheet over an atlas made of single pictures; the same parameters share one texture.
   * @throws AnimArgumentError, AnimStateError, AnimIOError, AnimCapacityError
   */
  newSpriteSheetFromSequence(gfx: GraphicsLike, pattern: string | SequenceOptions, first = 0, count?: number, columns = 0): Promise<SpriteSheet> {
    return later(() => this.#sequence(gfx, pattern, first, count, columns));
  }

  /** The synchronous twin, for hosts that answer at once. @throws as the other, AnimStateError if the host answers with promises */
  newSpriteSheetFromSequenceSync(gfx: GraphicsLike, pattern: string | SequenceOptions, first = 0, count?: number, columns = 0): SpriteSheet {
    return now(this.#sequence(gfx, pattern, first, count, columns));
  }

  /** Cached atlases. */
  getSpriteSequenceCacheCount(): number {
    this.alive();
    return this.#sequences.count;
  }

  /** Estimated texture memory of the cached atlases. */
  getSpriteSequenceCacheBytes(): number {
    this.alive();
    return this.#sequences.bytes;
  }

  /**
   * Forgets the cached atlases, and the textures of atlas files; sheets that use one keep it. Those of atlases that no sheet
   * uses are destroyed, if they can be. Returns how many atlases there were.
   */
  clearSpriteSequenceCache(): number {
    this.alive();
    this.#textures.clear();
    return this.#sequences.clear();
  }

  /**
   * A sheet from a texture and the JSON of Aseprite or TexturePacker; sheets of the same picture share its texture.
   * @throws AnimFormatError, AnimIOError, AnimStateError
   */
  newSpriteSheetFromAtlasJson(gfx: GraphicsLike, texturePath: string, jsonPath: string, options: AtlasJsonOptions = {}): Promise<SpriteSheet> {
    return later(() => this.#atlas(gfx, texturePath, jsonPath, options));
  }

  /** The synchronous twin. @throws as the other, AnimStateError if the host answers with promises */
  newSpriteSheetFromAtlasJsonSync(gfx: GraphicsLike, texturePath: string, jsonPath: string, options: AtlasJsonOptions = {}): SpriteSheet {
    return now(this.#atlas(gfx, texturePath, jsonPath, options));
  }

  // Followers and trails, updated by their owner

  /** A follower of named numbers. @throws AnimArgumentError */
  newControlAnim(frequency = 3, damping = 1, response = 1): ControlAnim {
    this.alive();
    return new ControlAnim(frequency, damping, response);
  }

  /** A follower of poses. @throws AnimArgumentError */
  newControlPose(skeleton: AnimSkeleton): ControlPose {
    this.alive();
    return new ControlPose(skeleton);
  }

  /** @throws AnimArgumentError, AnimCapacityError */
  newTrail(capacity = 64): AnimTrail {
    this.alive();
    return new AnimTrail(capacity);
  }

  // The pump

  /**
   * Advances tweens, then motions and sequences, then sprite players, then Spine players, each in the order of creation.
   * @throws AnimArgumentError unless dt is finite and at least 0
   * @throws AnimStateError from inside a callback of this world
   */
  update(dt: number): void {
    this.advance(dt);
  }

  /** As `update`; an unscaled time can be given for motions marked `unscaled()`. */
  advance(step: number | { dt: number; unscaledDt?: number }): void {
    this.alive();
    const dt = checkNumber(typeof step === "number" ? step : step?.dt, "dt", 0);
    const unscaledDt = checkNumber((typeof step === "number" ? undefined : step.unscaledDt) ?? dt, "unscaledDt", 0);
    if (this.#running) throw new AnimStateError("update is already running. Do not call it from a sink or a callback.");
    this.#running = true;
    try {
      const scaled = Math.min(dt * this.#timeScale, Number.MAX_VALUE);
      // A callback may dispose the whole world.
      this.#tweens.walk(this.#stepTween, scaled);
      if (!this.#disposed) this.#motions.update(scaled, unscaledDt);
      if (!this.#disposed) this.#sprites.update(scaled, this.#reportSprite);
      if (!this.#disposed) this.spines.walk(this.#stepSpine, scaled);
    } finally {
      this.#running = false;
    }
  }

  /** Factor of dt for everything but unscaled motions, at least 0. @throws AnimArgumentError */
  setTimeScale(scale: number): void {
    this.alive();
    this.#timeScale = checkNumber(scale, "timeScale", 0);
  }

  getTimeScale(): number {
    this.alive();
    return this.#timeScale;
  }

  /** Where errors of sinks and callbacks go; null: console.error. An error of the handler leaves `update`. */
  setErrorHandler(handler: AnimErrorHandler | null): void {
    this.alive();
    if (handler !== null && typeof handler !== "function") throw new AnimArgumentError(`The handler is ${typeof handler}, expected a function or null.`);
    this.#handler = handler;
  }

  readonly #reportSprite = (error: unknown): void => this.report(error, "SpriteAnim");

  /** @internal */
  protected get host(): AnimationHost {
    return this.#host;
  }

  /** @internal */
  protected alive(): void {
    if (this.#disposed) throw new AnimStateError("This Animation was disposed. Make a new one.");
  }

  #sequence(gfx: GraphicsLike, pattern: string | SequenceOptions, first: number, count: number | undefined, columns: number): Maybe<SpriteSheet> {
    this.alive();
    const options = typeof pattern === "object" && pattern !== null ? pattern : { pattern, first, columns, ...(count === undefined ? {} : { count }) };
    return this.#sequences.load(this.#host, gfx, options);
  }

  #atlas(gfx: GraphicsLike, texturePath: string, jsonPath: string, options: AtlasJsonOptions): Maybe<SpriteSheet> {
    this.alive();
    if (!makesTextures(gfx)) throw new AnimStateError("The graphics object has no newTextureFromImage().");
    return chain(readText(this.#host, jsonPath), (json) =>
      chain(this.#textures.get(this.#host, gfx, texturePath), (texture) => SpriteSheet.fromAtlasJson(json, texture, { file: jsonPath, ...options })),
    );
  }
}

function makesTextures(gfx: GraphicsLike | null | undefined): gfx is GraphicsLike & Required<Pick<GraphicsLike, "newTextureFromImage">> {
  return typeof gfx?.newTextureFromImage === "function";
}

/** A promise of what `step` returns or throws. @internal */
export async function later<T>(step: () => Maybe<T>): Promise<T> {
  return step();
}
