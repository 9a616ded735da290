import { InstanceField, InstanceFlag, NO_CLIP } from "../../assembly/layout/crowd.js";
import type { Skin } from "../spine/model/skin.js";
import { heap } from "../wasm/heap.js";
import { writeRows } from "./bulk.js";
import { atLeastZero, checkOptions, finite, flag, share } from "./checks.js";
import { CrowdView } from "./crowd-view.js";
import type { Between, DetailLevel } from "./levels.js";
import {
  OVERLAY_OPTIONS, type OverlayOptions, PLAY_OPTIONS, type PlayOptions, QUEUE_OPTIONS, type QueueOptions, SPAWN_OPTIONS, type SpawnOptions,
} from "./options.js";
import type { ClipRequest } from "./playback.js";

/** What the characters of a crowd can be told. See `Crowd`. */
export abstract class CrowdCharacters extends CrowdView {
  /**
   * Adds a character. Its palette row holds zeros until the next update.
   * @returns its id
   * @throws NameError for an unknown animation or skin, ArgumentError or RangeMismatchError for options that make no sense,
   *   CrowdFullError if the crowd is full and must not grow
   */
  spawn(options: SpawnOptions = {}): number {
    this._assertAlive();
    checkOptions("spawn", options, SPAWN_OPTIONS);
    const playing = this._playing(options, 0);
    const request = options.animation == null ? null : { clip: this._parts.clips.index(options.animation), ...playing };
    const variant = this._parts.variants.index(options.skin ?? null, flag("detail", options.detail ?? true));
    const x = finite("x", options.x ?? 0);
    const y = finite("y", options.y ?? 0);
    const scaleX = finite("scaleX", options.scaleX ?? 1);
    const scaleY = finite("scaleY", options.scaleY ?? 1);
    this._parts.instances.makeRoom();

    const physics = this._parts.physics?.take() ?? 0;
    this._parts.variants.restPhysics(physics, 0);
    const id = this._parts.instances.add(variant);
    const at = this._parts.instances.find(id);
    const { f32, u32 } = heap;
    f32[(at + InstanceField.X) >> 2] = x;
    f32[(at + InstanceField.Y) >> 2] = y;
    f32[(at + InstanceField.SCALE_X) >> 2] = scaleX;
    f32[(at + InstanceField.SCALE_Y) >> 2] = scaleY;
    u32[(at + InstanceField.PHYSICS) >> 2] = physics;
    if (request !== null) this._parts.playback.start(at, request);
    this._parts.frame.order.invalidate();
    return id;
  }

  /** Removes a character; the last row takes its place. @throws StaleIdError */
  despawn(id: number): void {
    this._assertAlive();
    const at = this._find(id);
    const physics = heap.u32[(at + InstanceField.PHYSICS) >> 2]!;
    if (physics !== 0) this._parts.physics!.give(physics);
    this._parts.playback.release(id, at);
    this._parts.levels.release(at);
    this._parts.instances.remove(id);
    this._parts.frame.order.invalidate();
  }

  /**
   * Plays an animation, cross-fading from what plays now, and forgets what is queued. During a cross-fade the mixture of the
   * moment is frozen and fades out.
   * @throws NameError for an unknown animation
   */
  play(id: number, animation: string, options: PlayOptions = {}): void {
    const at = this._find(id);
    const request = this._request("play", PLAY_OPTIONS, animation, options, this.defaultMix);
    this._parts.playback.clearQueue(id);
    this._parts.playback.play(at, request);
  }

  /** Plays an animation after the current one, or after those queued before it. */
  queue(id: number, animation: string, options: QueueOptions = {}): void {
    const at = this._find(id);
    const request = this._request("queue", QUEUE_OPTIONS, animation, options, this.defaultMix);
    this._parts.playback.queue(id, at, request, finite("delay", options.delay ?? 0));
  }

  /** Plays a second clip on top of the first until `stopOverlay`; with a mix its weight grows from 0 to `alpha`. */
  playOverlay(id: number, animation: string, options: OverlayOptions = {}): void {
    const at = this._find(id);
    const request = this._request("playOverlay", OVERLAY_OPTIONS, animation, options, 0);
    this._parts.playback.playOverlay(at, request, share("alpha", options.alpha ?? 1));
  }

  /** Fades the overlay out in `mix` seconds and removes it. */
  stopOverlay(id: number, mix = 0): void {
    this._parts.playback.stopOverlay(this._find(id), atLeastZero("mix", mix));
  }

  /** Moves the clip to a track time in seconds, >= 0. Events on the way do not fire. */
  seek(id: number, time: number): void {
    const at = this._find(id);
    atLeastZero("time", time);
    if (heap.i32[(at + InstanceField.CLIP) >> 2] !== NO_CLIP) this._parts.playback.writeTime(at, time);
  }

  /** Track seconds per second, >= 0. */
  setSpeed(id: number, speed: number): void {
    heap.f32[(this._find(id) + InstanceField.SPEED) >> 2] = atLeastZero("speed", speed);
  }

  /** Places a character: the skeleton's own x and y. */
  setPosition(id: number, x: number, y: number): void {
    const at = this._find(id);
    finite("x", x);
    heap.f32[(at + InstanceField.Y) >> 2] = finite("y", y);
    heap.f32[(at + InstanceField.X) >> 2] = x;
  }

  /**
   * Places a character somewhere else at once: its physics comes along instead of being flung, and with poses in between it is
   * not seen on the way. The next update poses it.
   */
  teleport(id: number, x: number, y: number): void {
    const at = this._find(id);
    const dx = finite("x", x) - heap.f32[(at + InstanceField.X) >> 2]!;
    const dy = finite("y", y) - heap.f32[(at + InstanceField.Y) >> 2]!;
    this.setPosition(id, x, y);
    this._parts.variants.movePhysics(heap.u32[(at + InstanceField.PHYSICS) >> 2]!, dx, dy);
    this._parts.levels.refresh(at);
  }

  /** The skeleton's own scale; negative values mirror. */
  setScale(id: number, scaleX: number, scaleY = scaleX): void {
    const at = this._find(id);
    finite("scaleX", scaleX);
    heap.f32[(at + InstanceField.SCALE_Y) >> 2] = finite("scaleY", scaleY);
    heap.f32[(at + InstanceField.SCALE_X) >> 2] = scaleX;
  }

  /** Tint of all attachments, components 0 .. 1; others are clamped. */
  setTint(id: number, r: number, g: number, b: number, a = 1): void {
    const at = (this._find(id) + InstanceField.R) >> 2;
    finite("r", r);
    finite("g", g);
    finite("b", b);
    finite("a", a);
    const { f32 } = heap;
    f32[at] = r;
    f32[at + 1] = g;
    f32[at + 2] = b;
    f32[at + 3] = a;
  }

  /** @throws NameError for an unknown skin */
  setSkin(id: number, skin: string | Skin | null): void {
    const at = this._find(id);
    this._dress(id, at, this._parts.variants.index(skin, this._variantOf(at).detail));
  }

  /**
   * A hidden character keeps its time but is not posed; its palette row is zero. Its physics rests and starts anew when it is
   * shown again.
   */
  setVisible(id: number, visible: boolean): void {
    const at = this._find(id);
    flag("visible", visible);
    if (visible === !this._parts.instances.hasFlag(at, InstanceFlag.HIDDEN)) return;
    if (visible) this._parts.variants.restPhysics(heap.u32[(at + InstanceField.PHYSICS) >> 2]!, heap.f64[(at + InstanceField.SKELETON_TIME) >> 3]!);
    this._show(id, at, visible);
  }

  /**
   * How often a character is posed, and what is shown in between. "hold" shows the latest pose. "interpolate" goes from the pose
   * before to the latest one while the next is due: what is seen, placement included, is one interval late (1 / posesPerSecond
   * seconds), bones that turn far are turned and all others go straight, and attachments, colours and draw order change with the
   * pose that is left behind. It takes two more palette rows.
   * @param posesPerSecond - > 0; Infinity, which every character starts with: at every update
   */
  setUpdateRate(id: number, posesPerSecond: number, between: Between = "hold"): void {
    this._parts.levels.setRate(this._find(id), posesPerSecond, between);
  }

  /**
   * Whether the constraints and slots that the crowd was told are detail take part. Characters start with all of them. Without
   * `detail` in the crowd's options nothing changes. Physics that was left out rests and starts anew.
   */
  setDetail(id: number, isOn: boolean): void {
    const at = this._find(id);
    this._parts.levels.setDetail(at, this._parts.instances.ids.row(id), flag("isOn", isOn));
  }

  /**
   * Levels of detail from near to far, for `setLevel` and `chooseLevels`. Assigning them leaves characters as they are until one
   * of those is called.
   * @throws RangeMismatchError if they are not in the order of their distances
   */
  get levels(): readonly DetailLevel[] {
    return this._parts.levels.levels;
  }
  set levels(levels: readonly DetailLevel[]) {
    this._assertAlive();
    this._parts.levels.levels = levels;
  }

  /** Gives a character the update rate and detail of one of the `levels`. @throws RangeMismatchError */
  setLevel(id: number, level: number): void {
    const at = this._find(id);
    this._parts.levels.setLevel(at, this._parts.instances.ids.row(id), level);
  }

  /**
   * Gives every character the first level whose distance from a viewpoint reaches it (beyond all: the last one). Cheap enough
   * for every frame; a frame in which somebody gains or loses detail sorts the groups anew.
   * @param margin - share of a distance, 0 .. 1, by which a character must be beyond a border before its level changes
   * @returns how many characters changed their level
   */
  chooseLevels(x: number, y: number, margin = 0.05): number {
    this._assertAlive();
    return this._parts.levels.choose(x, y, margin);
  }

  /** Positions of consecutive rows (not ids), from `firstRow` on: x, y, x, y, … */
  setPositions(values: ArrayLike<number>, firstRow = 0): void {
    this._assertAlive();
    writeRows(this._parts.instances, InstanceField.X, 2, "values", values, firstRow);
  }

  /** Scales of consecutive rows: scaleX, scaleY, … */
  setScales(values: ArrayLike<number>, firstRow = 0): void {
    this._assertAlive();
    writeRows(this._parts.instances, InstanceField.SCALE_X, 2, "values", values, firstRow);
  }

  /** Tints of consecutive rows: r, g, b, a, … */
  setTints(values: ArrayLike<number>, firstRow = 0): void {
    this._assertAlive();
    writeRows(this._parts.instances, InstanceField.R, 4, "values", values, firstRow);
  }

  /** Speeds of consecutive rows, >= 0. */
  setSpeeds(values: ArrayLike<number>, firstRow = 0): void {
    this._assertAlive();
    writeRows(this._parts.instances, InstanceField.SPEED, 1, "values", values, firstRow, 0);
  }

  /** Gives a character the looks of a variant. @internal */
  _dress(id: number, at: number, variant: number): void {
    if (heap.u32[(at + InstanceField.VARIANT) >> 2] === variant) return;
    heap.u32[(at + InstanceField.VARIANT) >> 2] = variant;
    this._parts.instances.restSliders(this._parts.instances.ids.row(id));
    this._parts.frame.order.invalidate();
  }

  /** Shows or hides a character, whatever else that means. @internal */
  _show(id: number, at: number, visible: boolean): void {
    this._parts.instances.setFlag(at, InstanceFlag.HIDDEN, !visible);
    if (visible) this._parts.levels.refresh(at);
    else this._parts.instances.clear(this._parts.instances.ids.row(id));
  }

  /** A clip to play, checked. @internal */
  _request(call: string, known: readonly string[], animation: string, options: PlayOptions, defaultMix: number): ClipRequest {
    checkOptions(call, options, known);
    return { clip: this._parts.clips.index(animation), ...this._playing(options, defaultMix) };
  }

  /** How something is to be played, checked. @internal */
  _playing(options: PlayOptions, defaultMix: number): Omit<ClipRequest, "clip"> {
    return {
      mix: atLeastZero("mix", options.mix ?? defaultMix),
      loop: flag("loop", options.loop ?? true),
      speed: atLeastZero("speed", options.speed ?? 1),
      time: atLeastZero("time", options.time ?? 0),
    };
  }
}
