import { AnimArgumentError, AnimIndexError, AnimStateError } from "../errors.js";
import { checkNumber } from "../module/check.js";
import type { DrawItem2D, GraphicsLike, Rgba, TextureLike } from "../module/host.js";
import { DrawSlots, type DrawSlot, type ScreenMapping } from "./draw-slots.js";
import { SpineAtlas } from "./spine-atlas.js";
import { SpineSkeleton } from "./spine-skeleton.js";
import { unknownName } from "./translate.js";

/** How a posed skeleton is shown: atlas and page textures, place, colour, draw slots, items. `SpineAnim` poses it. */
export class SpineView {
  readonly #slots = new DrawSlots();
  readonly #mapping: ScreenMapping = { x: 0, y: 0, scaleX: 1, scaleY: 1, flipY: true };
  readonly #color: Rgba = { r: 1, g: 1, b: 1, a: 1 };
  #atlas: SpineAtlas | null = null;
  #atlasVersion = 0;
  readonly #textures: (TextureLike | null)[] = [];
  #layer = 0;
  #isFresh = false;
  readonly #items: DrawItem2D[] = [];
  protected readonly skeleton: SpineSkeleton;

  /** @throws AnimArgumentError */
  constructor(skeleton: SpineSkeleton) {
    if (!(skeleton instanceof SpineSkeleton)) throw new AnimArgumentError("SpineAnim needs a SpineSkeleton.", { found: skeleton });
    this.skeleton = skeleton;
  }

  getSkeleton(): SpineSkeleton {
    return this.skeleton;
  }

  /** Where regions are looked up; clears all page textures. @throws AnimArgumentError */
  setAtlas(atlas: SpineAtlas | null): void {
    if (atlas != null && !(atlas instanceof SpineAtlas)) throw new AnimArgumentError("setAtlas needs a SpineAtlas or null.", { found: atlas });
    this.#atlas = atlas ?? null;
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
    this.#textures[page] = texture ?? null;
  }

  /** @throws AnimStateError without an atlas, AnimNameError */
  setPageTextureByName(pageName: string, texture: TextureLike | null): void {
    const atlas = this.#needAtlas();
    const page = atlas.findPage(pageName);
    if (page < 0) throw unknownName("page", pageName, Array.from({ length: atlas.getPageCount() }, (_, i) => atlas.getPageName(i)));
    this.#textures[page] = texture ?? null;
  }

  /** @throws AnimStateError without an atlas, AnimIndexError */
  getPageTexture(page: number): TextureLike | null {
    this.#checkPage(page);
    return this.#textures[page] ?? null;
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

  /** Recomputes the draw slots after bones were edited and `updateWorldTransform` was called. */
  refreshDrawSlots(): void {
    if (this.#atlas !== null && this.#atlas.version !== this.#atlasVersion) {
      this.#atlasVersion = this.#atlas.version;
      this.#slots.reset();
    }
    this.#slots.refresh(this.skeleton.native, this.#atlas, this.#mapping, this.#color);
    this.#isFresh = true;
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
    if (gfx == null) return;
    if (gfx.drawItems === undefined) throw new AnimStateError("The graphics object has no drawItems().");
    this.#items.length = 0;
    this.collectDrawItems(this.#items);
    gfx.drawItems(this.#items);
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
