import { TIME_EPS } from "../../../assembly/layout/motion.js";
import { AnimationState } from "../../spine/animation-state/animation-state.js";
import { AnimationStateData } from "../../spine/animation-state/animation-state-data.js";
import type { TrackEntry } from "../../spine/animation-state/track-entry.js";
import { Physics } from "../../spine/enums.js";
import { AnimArgumentError, AnimIndexError, AnimStateError } from "../errors.js";
import { checkNumber } from "../module/check.js";
import type { DrawItem2D, GraphicsLike, Rgba, TextureLike } from "../module/host.js";
import { DrawSlots, type DrawSlot, type ScreenMapping } from "./draw-slots.js";
import type { SpineAtlas } from "./spine-atlas.js";
import type { SpineSkeleton } from "./spine-skeleton.js";
import { unknownName } from "./translate.js";

const MOST_EVENTS = 1024;

/**
 * Plays animations of a Spine skeleton and tells what is to be drawn where on a screen with y down. Everything that the
 * runtime can do shows: meshes, constraints, physics, clipping, deforms, draw order, two colours, blend modes.
 */
export class SpineAnim {
  readonly #skeleton: SpineSkeleton;
  readonly #state: AnimationState;
  readonly #slots = new DrawSlots();
  readonly #mapping: ScreenMapping = { x: 0, y: 0, scaleX: 1, scaleY: 1, flipY: true };
  readonly #color: Rgba = { r: 1, g: 1, b: 1, a: 1 };
  #atlas: SpineAtlas | null = null;
  #atlasVersion = 0;
  readonly #textures: (TextureLike | null)[] = [];
  #entry: TrackEntry | null = null;
  #animation = "";
  #speed = 1;
  #loop = true;
  #layer = 0;
  #playing = false;
  #paused = false;
  #finished = false;
  /** Time that physics have not seen yet. */
  #elapsed = 0;
  #isFresh = false;
  readonly #events: string[] = [];
  #dropped = 0;
  readonly #items: DrawItem2D[] = [];
  #beforeWorld: (() => void) | null = null;
  /** @internal */ onActivate: (() => void) | null = null;
  /** @internal */ onDispose: (() => void) | null = null;

  /** @throws AnimArgumentError */
  constructor(skeleton: SpineSkeleton) {
    if (skeleton == null) throw new AnimArgumentError("SpineAnim needs a skeleton.");
    this.#skeleton = skeleton;
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

  /** The runtime's animation state. */
  get state(): AnimationState {
    return this.#state;
  }

  getSkeleton(): SpineSkeleton {
    return this.#skeleton;
  }

  /** Where regions are looked up; clears all page textures. */
  setAtlas(atlas: SpineAtlas | null): void {
    this.#atlas = atlas;
    this.#atlasVersion = atlas?.version ?? 0;
    this.#textures.length = 0;
    this.#slots.reset();
    this.#isFresh = false;
  }

  getAtlas(): SpineAtlas | null {
    return this.#atlas;
  }

  /** @throws AnimStateError without an atlas, AnimIndexError */
  setPageTexture(page: number, texture: TextureLike | null): void {
    this.#checkPage(page);
    this.#textures[page] = texture;
  }

  /** @throws AnimStateError without an atlas, AnimNameError */
  setPageTextureByName(pageName: string, texture: TextureLike | null): void {
    const atlas = this.#needAtlas();
    const page = atlas.findPage(pageName);
    if (page < 0) throw unknownName("page", pageName, Array.from({ length: atlas.getPageCount() }, (_, i) => atlas.getPageName(i)));
    this.#textures[page] = texture;
  }

  /** @throws AnimStateError without an atlas, AnimIndexError */
  getPageTexture(page: number): TextureLike | null {
    this.#checkPage(page);
    return this.#textures[page] ?? null;
  }

  /** Plays an animation from its start and poses its first frame. @throws AnimNameError */
  play(animation: string): true {
    this.#check(animation);
    this.#state.clearTracks();
    this.#start(this.#state.setAnimation(0, animation, this.#loop), animation);
    this.apply();
    return true;
  }

  /** Plays an animation, mixing over from the current one. @throws AnimNameError, AnimArgumentError */
  crossFade(animation: string, seconds: number): true {
    this.#check(animation);
    checkNumber(seconds, "seconds", 0);
    const entry = this.#state.setAnimation(0, animation, this.#loop);
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
    const current = this.#state.getCurrent(0);
    const end = current === null ? 0 : current.loop ? current.getTrackComplete() : current.animationEnd;
    this.#state.addAnimation(0, animation, this.#loop, Math.max(TIME_EPS, end + delay));
    return true;
  }

  /** Ends playing. The pose stays until the next `apply`, which shows the setup pose. */
  stop(): void {
    this.#playing = this.#paused = this.#finished = false;
    this.#state.clearTracks();
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

  /** Goes to a time; no events. @throws AnimArgumentError */
  setTime(seconds: number): void {
    checkNumber(seconds, "seconds", 0);
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

  /** Whether Spine's y axis points up on screen; true by default. */
  setFlipY(on: boolean): void {
    this.#mapping.flipY = on;
    this.#isFresh = false;
  }

  getFlipY(): boolean {
    return this.#mapping.flipY;
  }

  /** @throws AnimArgumentError */
  setPosition(x: number, y: number): void {
    checkNumber(y, "y");
    this.#mapping.x = checkNumber(x, "x");
    this.#mapping.y = y;
    this.#isFresh = false;
  }

  getX(): number {
    return this.#mapping.x;
  }

  getY(): number {
    return this.#mapping.y;
  }

  /** Screen size of a unit; one number sets both. 0 draws nothing. @throws AnimArgumentError */
  setScale(sx: number, sy = sx): void {
    checkNumber(sy, "sy");
    this.#mapping.scaleX = checkNumber(sx, "sx");
    this.#mapping.scaleY = sy;
    this.#isFresh = false;
  }

  getScaleX(): number {
    return this.#mapping.scaleX;
  }

  getScaleY(): number {
    return this.#mapping.scaleY;
  }

  /** @throws AnimArgumentError */
  setLayer(layer: number): void {
    this.#layer = checkNumber(layer, "layer");
  }

  getLayer(): number {
    return this.#layer;
  }

  /** Multiplies everything. @throws AnimArgumentError */
  setColor(r: number, g: number, b: number, a = 1): void {
    for (const [value, name] of [[r, "r"], [g, "g"], [b, "b"], [a, "a"]] as const) checkNumber(value, name);
    Object.assign(this.#color, { r, g, b, a });
    this.#isFresh = false;
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

  /** Setup pose, all tracks at their times, world transforms, draw slots. */
  apply(): void {
    const { native } = this.#skeleton;
    native.setupPose();
    this.#state.apply(native);
    this.#beforeWorld?.();
    native.update(this.#elapsed);
    this.#elapsed = 0;
    native.updateWorldTransform(Physics.update);
    this.#skeleton.markFresh();
    this.refreshDrawSlots();
  }

  /** Recomputes the draw slots after bones were edited and `updateWorldTransform` was called. */
  refreshDrawSlots(): void {
    if (this.#atlas !== null && this.#atlas.version !== this.#atlasVersion) {
      this.#atlasVersion = this.#atlas.version;
      this.#slots.reset();
    }
    this.#slots.refresh(this.#skeleton.native, this.#atlas, this.#mapping, this.#color);
    this.#isFresh = true;
  }

  /** Called between the animations and the world transforms of each `apply`: the place to aim bones. null ends that. */
  onBeforeWorld(fn: (() => void) | null): void {
    this.#beforeWorld = fn;
  }

  /**
   * Advances by `dt` seconds and poses.
   * @returns whether it is playing or paused
   * @throws AnimArgumentError unless dt is finite and at least 0
   */
  update(dt: number): boolean {
    checkNumber(dt, "dt", 0);
    if (!this.#playing || this.#paused) return this.#playing;
    const step = dt * this.#speed;
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

  /** Visible regions and meshes after the last `apply`, in draw order. */
  getDrawSlotCount(): number {
    this.#ensureFresh();
    return this.#slots.count;
  }

  /** Centre on screen. @throws AnimIndexError, as all questions about draw slots */
  getDrawSlotX(i: number): number {
    return this.#slot(i).x;
  }

  getDrawSlotY(i: number): number {
    return this.#slot(i).y;
  }

  getDrawSlotWidth(i: number): number {
    return this.#slot(i).width;
  }

  getDrawSlotHeight(i: number): number {
    return this.#slot(i).height;
  }

  /** Degrees, clockwise on screen. */
  getDrawSlotRotation(i: number): number {
    return this.#slot(i).rotation;
  }

  getDrawSlotPage(i: number): number {
    return this.#slot(i).page;
  }

  getDrawSlotRegion(i: number): string {
    return this.#slot(i).region;
  }

  getDrawSlotKind(i: number): "quad" | "mesh" {
    return this.#slot(i).kind;
  }

  /** Name of the slot. */
  getDrawSlotName(i: number): string {
    return this.#slot(i).slotName;
  }

  /** left, top, right, bottom on screen; all 0 when nothing is visible. */
  getBounds(out: Float32Array): void {
    this.#ensureFresh();
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < this.#slots.count; i++) {
      const { positions } = this.#slots.get(i)!;
      for (let k = 0; k < positions.length; k += 2) {
        left = Math.min(left, positions[k]!);
        right = Math.max(right, positions[k]!);
        top = Math.min(top, positions[k + 1]!);
        bottom = Math.max(bottom, positions[k + 1]!);
      }
    }
    if (left > right) left = top = right = bottom = 0;
    out[0] = left;
    out[1] = top;
    out[2] = right;
    out[3] = bottom;
  }

  /** Paths that the atlas lacks; their attachments are not drawn. */
  getMissingRegions(): string[] {
    this.#ensureFresh();
    return [...this.#slots.missing];
  }

  /** Name of the next event, "" when none is left. */
  consumeEvent(): string {
    return this.#events.shift() ?? "";
  }

  /** Events dropped because more than 1024 waited. */
  getDroppedEventCount(): number {
    return this.#dropped;
  }

  /** Appends one item per draw slot. The items are this object's and valid until its next `apply` or collect. */
  collectDrawItems(out: DrawItem2D[]): void {
    this.#ensureFresh();
    for (let i = 0; i < this.#slots.count; i++) {
      const { page } = this.#slots.get(i)!;
      out.push(this.#slots.item(i, this.#textures[page] ?? null, this.#atlas, this.#layer));
    }
  }

  /** Draws through `gfx.drawItems`; nothing for null. @throws AnimStateError if there is no such method */
  draw(gfx: GraphicsLike | null): void {
    if (gfx === null) return;
    if (gfx.drawItems === undefined) throw new AnimStateError("The graphics object has no drawItems().");
    this.#items.length = 0;
    this.collectDrawItems(this.#items);
    gfx.drawItems(this.#items);
  }

  /** Leaves the module and gives the state's memory back; the skeleton stays. */
  dispose(): void {
    this.stop();
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

  /** Notices that a queued animation has begun. */
  #follow(): void {
    const current = this.#state.getCurrent(0);
    if (current === this.#entry || current === null) return;
    this.#entry = current;
    this.#animation = current.animation?.name ?? "";
  }

  #check(animation: string): void {
    const data = this.#skeleton.getData().native!;
    if (data.findAnimation(animation) === null) throw unknownName("animation", animation, data.animations.map((one) => one.name));
  }

  #needAtlas(): SpineAtlas {
    if (this.#atlas === null) throw new AnimStateError("There is no atlas. Call setAtlas() first.");
    return this.#atlas;
  }

  #checkPage(page: number): void {
    const count = this.#needAtlas().getPageCount();
    if (!(Number.isInteger(page) && page >= 0 && page < count)) throw new AnimIndexError(`Page ${page} does not exist, the atlas has ${count}.`, { found: page });
  }

  #ensureFresh(): void {
    if (!this.#isFresh) this.refreshDrawSlots();
  }

  #slot(i: number): DrawSlot {
    this.#ensureFresh();
    const slot = this.#slots.get(i);
    if (slot === undefined) throw new AnimIndexError(`Draw slot ${i} does not exist, there are ${this.#slots.count}.`, { found: i });
    return slot;
  }
}
