import { ArgumentError, RangeMismatchError, StateError } from "../errors.js";
import { disposedByHand } from "../wasm/finalizer.js";
import { BAKE_OPTIONS, type BakedClip, type BakeOptions } from "./bake.js";
import { atLeastZero, checkOptions, shown } from "./checks.js";
import { CrowdCharacters } from "./crowd-characters.js";
import type { CrowdListener } from "./event-ring.js";
import { checkPromoted } from "./promoted-check.js";
import { demote, promote, type Promoted } from "./promotion.js";
import { restore, save } from "./saved.js";

/**
 * Thousands of characters of one rig, posed four at a time; no pose is kept but the world matrices.
 *
 * A character is a few numbers: a clip, its time, a running cross-fade, an overlay, a placement. `update(dt)` means for
 * each what `state.update`, `state.apply`, `skeleton.update` and `updateWorldTransform(Physics.update)` mean for a Skeleton
 * with an AnimationState of one track (two with an overlay). A `play` during a cross-fade freezes the mixture of that moment,
 * which then fades out (a state would keep both clips moving): nothing jumps, however often it happens.
 *
 * Characters are named by ids that are never used again; their rows in `palette` are dense and move when others despawn.
 */
export class Crowd extends CrowdCharacters {
  /** Told of events and completions during `update`, after all poses are made. */
  listener: CrowdListener | null = null;

  /**
   * Advances all clocks, poses everybody and tells the listener what happened.
   * @param dt - seconds, finite, >= 0
   * @throws StateError when a listener of the same crowd calls it
   */
  update(dt: number): void {
    this.#advance(dt);
    this._parts.frame.pose();
    if (this.listener !== null) this._parts.frame.deliver(this.listener);
  }

  /**
   * The same while this thread goes on: workers write a second palette, which is shown once the promise resolves. Until then
   * the crowd must not be changed, but it may be drawn by a CrowdRenderer. Without workers the work is done before the call returns.
   * @throws StateError if the update before has not ended, or when a listener of the same crowd calls it
   */
  async updateAsync(dt: number): Promise<void> {
    this.#advance(dt);
    this._isBusy = true;
    this._ahead = dt;
    try {
      await this._parts.frame.poseBeside();
    } finally {
      this._isBusy = false;
      this._ahead = 0;
    }
    if (this.listener !== null) this._parts.frame.deliver(this.listener);
  }

  /**
   * Hands a character over to a Skeleton and an AnimationState of its own, which go on where it is: clip, running fade, overlay and what is
   * queued. The character stays in the crowd, hidden and without a clip, so that nothing is told twice, until `demote` or `despawn`. Dispose
   * the skeleton yourself.
   */
  promote(id: number): Promoted {
    const at = this._find(id);
    const { instances, clips, playback, variants } = this._parts;
    const promoted = promote(this.data, at, this._skinOf(instances.ids.row(id)), instances, clips, playback.queueOf(id), variants.physicsBytes);
    playback.clearQueue(id);
    playback.stop(at);
    this._show(id, at, false);
    return promoted;
  }

  /**
   * Takes a character back from a Skeleton and its AnimationState, where they are now: tracks 0 and 1, and what is queued on track 0. A
   * mixture that a character cannot keep, such as a chain of fades, is frozen and fades out in the time that is left.
   * @throws ArgumentError for a skeleton of other data and a clip that a character cannot play (of other data, backwards, in part, with an
   *   alpha of its own), RangeMismatchError for a placement that is not finite; then nothing has changed
   */
  demote(id: number, promoted: Promoted): void {
    const at = this._find(id);
    checkPromoted(this.data, promoted, this._parts.clips);
    const { detail } = this._variantOf(at);
    const variant = this._parts.variants.index(promoted.skeleton.skin, detail);
    this._parts.playback.clearQueue(id);
    demote(id, at, promoted, this._parts.instances, this._parts.clips, this._parts.playback, this._parts.variants.physicsBytes);
    this._dress(id, at, variant);
    this._show(id, at, true);
  }

  /**
   * Everything about the characters as bytes: a restored crowd goes on bit for bit as this one would have. A promoted character is in it
   * without what its Skeleton does. The bytes may be stored, cloned and sent anywhere.
   */
  snapshot(): ArrayBuffer {
    this._assertAlive();
    return save(this.data, this._parts);
  }

  /**
   * Puts the characters back to where a snapshot of this rig, taken with the same options, was made.
   * @param snapshot - the bytes, as a buffer or as a view of one
   * @throws FormatError if it is no such snapshot; then nothing has changed
   */
  restore(snapshot: ArrayBuffer | ArrayBufferView): void {
    this._assertAlive();
    restore(this.data, this._parts, snapshot);
  }

  /**
   * Resamples clips into palette rows, which play several times faster than they are sampled, for the skins that characters
   * have had by now or those of the option `skins`; others stay exact. Replaces what was baked before. Jumps at rows stay jumps. Poses are those of the clip at the origin with scale
   * 1, placed and scaled: physics is that of a character that stays where it is, and constraints that
   * measure lengths along paths or read world positions see that place and scale. Characters that mix are posed exactly.
   * @returns a report per skin and animation; a clip whose measured error is above `maxError` stays exact
   * @throws NameError for an unknown animation or skin, ArgumentError or RangeMismatchError for options that make no sense
   */
  bake(options: BakeOptions = {}): BakedClip[] {
    this._assertAlive();
    checkOptions("bake", options, BAKE_OPTIONS);
    const { rate = 30, format = "float32" } = options;
    const maxError = options.maxError ?? 0.005 * Math.max(this.data.width, this.data.height, 1);
    if (typeof rate !== "number" || !(rate > 0 && rate <= 1000)) throw new RangeMismatchError("rate", rate, 0, 1000, "Give rows per second.");
    atLeastZero("maxError", maxError);
    if (format !== "float32" && format !== "int16") throw new ArgumentError(`format is ${shown(format)}, expected "float32" or "int16".`, { found: format });
    const animations = options.animations ?? this.data.animations.map((animation) => animation.name);
    if (!Array.isArray(animations)) throw new ArgumentError(`animations is ${shown(animations)}, expected an array of names.`, { found: animations });
    for (const name of animations) this._parts.clips.index(name);
    const skins = options.skins ?? null;
    if (skins !== null && !Array.isArray(skins)) throw new ArgumentError(`skins is ${shown(skins)}, expected an array of skins.`, { found: skins });
    return this._parts.variants.bake(this._parts.clips.animations, { rate, maxError, format, animations, skins });
  }

  /** Goes back to exact sampling of all clips. */
  unbake(): void {
    this._assertAlive();
    this._parts.variants.unbake();
  }

  /** Clocks, queues and events. */
  #advance(dt: number): void {
    this._assertAlive();
    const { events, crowd } = this._parts.frame;
    if (events.isTelling) throw new StateError("A listener of this crowd wants it to be updated. Call update() when the one that tells it has returned.");
    atLeastZero("dt", dt);
    const { playback, overlayEvents } = this._parts;
    playback.promote(dt);
    overlayEvents.remember();
    this._parts.frame.advance(dt);
    overlayEvents.collect(crowd);
    playback.sweep();
  }

  /** Frees the crowd's memory. Safe to call twice. */
  dispose(): void {
    if (this._isDisposed) return;
    this._assertAlive();
    disposedByHand(this);
    this._probe?.dispose();
    this._parts.dispose();
    this._isDisposed = true;
    this.data._rig.leave(this);
  }
}
