import { AnimArgumentError, AnimIndexError, AnimStateError } from "../errors.js";
import { checkInteger, checkNumber } from "../module/check.js";
import type { FrameLayout, QuadLike, TextureLike } from "../module/host.js";
import { parseAtlasJson, type AtlasJsonOptions, type ClipDescription } from "./atlas-json.js";
import { SpriteClip } from "./clip.js";

/** A frame with everything that can be said about it. */
export interface FrameDescription {
  name?: string;
  x: number;
  y: number;
  /** Upright size in pixels. */
  width: number;
  height: number;
  /** Size before trimming; default the size. */
  sourceWidth?: number | undefined;
  sourceHeight?: number | undefined;
  /** Pixels cut off at the left and at the top. */
  offsetX?: number | undefined;
  offsetY?: number | undefined;
  /** The picture was turned 90 degrees clockwise when packed. */
  rotated?: boolean | undefined;
  /** 0..1 of the source size. */
  pivotX?: number | undefined;
  pivotY?: number | undefined;
  /** Seconds, for clips made from tags. */
  duration?: number | undefined;
}

const LARGEST = 2 ** 24;

/** One frame as stored. */
class Frame implements FrameLayout {
  constructor(
    readonly name: string,
    readonly x: number,
    readonly y: number,
    readonly width: number,
    readonly height: number,
    readonly sourceWidth: number,
    readonly sourceHeight: number,
    readonly offsetX: number,
    readonly offsetY: number,
    readonly rotated: boolean,
    readonly pivotX: number,
    readonly pivotY: number,
    readonly duration: number,
  ) {}

  get atlasWidth(): number {
    return this.rotated ? this.height : this.width;
  }

  get atlasHeight(): number {
    return this.rotated ? this.width : this.height;
  }
}

/** A table of frames in a texture. Pixel values are whole numbers; x right, y down. */
export class SpriteSheet {
  #frames: Frame[] = [];
  readonly #byName = new Map<string, number>();
  #texture: TextureLike | null = null;
  #clips: readonly ClipDescription[] | null = null;
  #scale = 1;

  /**
   * A sheet from Aseprite's or TexturePacker's JSON, hash or array.
   * @param texture - checked against the sizes in the file
   * @throws AnimFormatError
   */
  static fromAtlasJson(json: string | object, texture: TextureLike | null = null, options: AtlasJsonOptions = {}): SpriteSheet {
    const atlas = parseAtlasJson(json, texture, options);
    const sheet = new SpriteSheet();
    for (const frame of atlas.frames) sheet.addFrameEx(frame);
    sheet.#clips = atlas.clips;
    sheet.#scale = atlas.scale;
    sheet.setTexture(texture);
    return sheet;
  }

  /** Adds a frame and returns its index; name `""` becomes `frame<index>`. @throws AnimArgumentError */
  addFrame(name: string, x: number, y: number, width: number, height: number): number {
    return this.addFrameEx({ name, x, y, width, height });
  }

  /** Adds a frame that may be trimmed or rotated and returns its index. @throws AnimArgumentError */
  addFrameEx(f: FrameDescription): number {
    const index = this.#frames.length;
    if (typeof f !== "object" || f === null) throw new AnimArgumentError("addFrameEx needs a description of the frame.", { found: f });
    if (f.name !== undefined && typeof f.name !== "string") throw new AnimArgumentError(`A frame's name is ${String(f.name)}, expected a string.`, { found: f.name });
    const name = f.name === undefined || f.name === "" ? `frame${index}` : f.name;
    if (this.#byName.has(name)) throw new AnimArgumentError(`There is a frame "${name}" already.`, { found: name });
    checkInteger(f.x, "x", 0, LARGEST);
    checkInteger(f.y, "y", 0, LARGEST);
    checkInteger(f.width, "width", 1, LARGEST);
    checkInteger(f.height, "height", 1, LARGEST);
    const frame = new Frame(
      name, f.x, f.y, f.width, f.height, checkInteger(f.sourceWidth ?? f.width, "sourceWidth", 1, LARGEST), checkInteger(f.sourceHeight ?? f.height, "sourceHeight", 1, LARGEST),
      checkInteger(f.offsetX ?? 0, "offsetX", -LARGEST, LARGEST), checkInteger(f.offsetY ?? 0, "offsetY", -LARGEST, LARGEST), f.rotated ?? false,
      checkNumber(f.pivotX ?? 0.5, "pivotX"), checkNumber(f.pivotY ?? 0.5, "pivotY"), checkNumber(f.duration ?? 0.1, "duration", 0),
    );
    this.#checkInside(frame, this.#texture);
    this.#frames.push(frame);
    this.#byName.set(name, index);
    return index;
  }

  /**
   * Replaces all frames by a grid, row by row, named frame0, frame1, ….
   * @returns the number of frames
   * @throws AnimArgumentError
   */
  setGrid(columns: number, rows: number, frameWidth: number, frameHeight: number, margin = 0, spacing = 0, originX = 0, originY = 0): number {
    for (const [value, name] of [[columns, "columns"], [rows, "rows"], [frameWidth, "frameWidth"], [frameHeight, "frameHeight"]] as const) checkInteger(value, name, 1, LARGEST);
    for (const [value, name] of [[margin, "margin"], [spacing, "spacing"], [originX, "originX"], [originY, "originY"]] as const) checkInteger(value, name, 0, LARGEST);
    checkInteger(columns * rows, "columns * rows", 1, LARGEST);
    const grid = new SpriteSheet();
    grid.#texture = this.#texture;
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        grid.addFrame("", originX + margin + column * (frameWidth + spacing), originY + margin + row * (frameHeight + spacing), frameWidth, frameHeight);
      }
    }
    this.clear();
    this.#frames = grid.#frames;
    for (const [name, index] of grid.#byName) this.#byName.set(name, index);
    return this.#frames.length;
  }

  /** Removes all frames and what the file said about clips; the texture stays. */
  clear(): void {
    this.#frames = [];
    this.#clips = null;
    this.#byName.clear();
  }

  /** @throws AnimArgumentError if a frame does not fit into the texture */
  setTexture(texture: TextureLike | null): void {
    const next = texture ?? null;
    if (next !== null && (typeof next.getWidth !== "function" || typeof next.getHeight !== "function")) {
      throw new AnimArgumentError("A texture needs the methods getWidth() and getHeight().", { found: texture });
    }
    for (const frame of this.#frames) this.#checkInside(frame, next);
    this.#texture = next;
  }

  getTexture(): TextureLike | null {
    return this.#texture;
  }

  getFrameCount(): number {
    return this.#frames.length;
  }

  /** Index of a frame, -1 if there is none. A name without its extension will do where it is unambiguous. */
  findFrame(name: string): number {
    const index = this.#byName.get(name);
    if (index !== undefined) return index;
    let found = -1;
    for (const [full, i] of this.#byName) {
      if (!full.startsWith(`${name}.`) || full.indexOf(".", name.length + 1) >= 0) continue;
      if (found >= 0) return -1;
      found = i;
    }
    return found;
  }

  /** @throws AnimIndexError, as all questions about a frame */
  getFrameName(i: number): string {
    return this.#frame(i).name;
  }

  getFrameX(i: number): number {
    return this.#frame(i).x;
  }

  getFrameY(i: number): number {
    return this.#frame(i).y;
  }

  /** Upright width in pixels. */
  getFrameWidth(i: number): number {
    return this.#frame(i).width;
  }

  /** Upright height in pixels. */
  getFrameHeight(i: number): number {
    return this.#frame(i).height;
  }

  /** Width before trimming. */
  getFrameSourceWidth(i: number): number {
    return this.#frame(i).sourceWidth;
  }

  /** Height before trimming. */
  getFrameSourceHeight(i: number): number {
    return this.#frame(i).sourceHeight;
  }

  /** Pixels cut off at the left. */
  getFrameOffsetX(i: number): number {
    return this.#frame(i).offsetX;
  }

  /** Pixels cut off at the top. */
  getFrameOffsetY(i: number): number {
    return this.#frame(i).offsetY;
  }

  /** Whether the texture holds the frame turned 90 degrees clockwise. */
  isFrameRotated(i: number): boolean {
    return this.#frame(i).rotated;
  }

  /** Texels that the frame occupies; swapped for rotated frames. */
  getFrameAtlasWidth(i: number): number {
    return this.#frame(i).atlasWidth;
  }

  getFrameAtlasHeight(i: number): number {
    return this.#frame(i).atlasHeight;
  }

  /** 0..1 of the source width, 0.5 where the file names none. */
  getFramePivotX(i: number): number {
    return this.#frame(i).pivotX;
  }

  getFramePivotY(i: number): number {
    return this.#frame(i).pivotY;
  }

  /** Seconds that the file gives the frame, 0.1 where it gives none. */
  getFrameDuration(i: number): number {
    return this.#frame(i).duration;
  }

  /** Size and place inside the untrimmed box; do not keep it beyond the next change of the sheet. */
  getFrameLayout(i: number): FrameLayout {
    return this.#frame(i);
  }

  /** `meta.scale` of the file; sizes stay in texels. */
  getScale(): number {
    return this.#scale;
  }

  /**
   * Texture coordinates of the upright sprite's corners: top left, top right, bottom right, bottom left, u v each.
   * @throws AnimStateError without a texture
   */
  getFrameUV(i: number, out: Float32Array, offset = 0): void {
    const f = this.#frame(i);
    if (this.#texture === null) throw new AnimStateError("Texture coordinates need a texture. Call setTexture() first.");
    const width = this.#texture.getWidth();
    const height = this.#texture.getHeight();
    const left = f.x / width;
    const top = f.y / height;
    const right = (f.x + f.atlasWidth) / width;
    const bottom = (f.y + f.atlasHeight) / height;
    // Turned clockwise: what was the top edge runs down the right side.
    const corners = f.rotated
      ? [right, top, right, bottom, left, bottom, left, top]
      : [left, top, right, top, right, bottom, left, bottom];
    out.set(corners, offset);
  }

  /**
   * Writes a frame's rectangle into a quad.
   * @throws AnimIndexError
   * @throws AnimStateError if the frame is rotated and the quad has no setRotated
   */
  applyToQuad(quad: QuadLike, i: number): void {
    const f = this.#frame(i);
    if (quad.setRotated !== undefined) quad.setRotated(f.rotated ? 90 : 0);
    else if (f.rotated) throw new AnimStateError(`Frame "${f.name}" is packed rotated, and the quad has no setRotated(). Pack without rotation or use another quad.`);
    quad.setViewport(f.x, f.y, f.atlasWidth, f.atlasHeight);
  }

  /**
   * Clips by name, from the tags or lists of the file; one clip "default" over all frames where there are none.
   */
  createClips(): Map<string, SpriteClip> {
    const all = this.#frames.map((_, i) => i);
    const descriptions = this.#clips ?? [{ name: "default", frames: all, loop: true }];
    const clips = new Map<string, SpriteClip>();
    for (const { name, frames, loop, firstEvents, frameEvents } of descriptions) {
      const clip = new SpriteClip(uniqueName(name, clips));
      clip.setLoop(loop);
      for (const frame of frames) clip.addFrame(frame, this.#frame(frame).duration);
      for (const event of firstEvents ?? []) clip.addEvent(0, event);
      frames.forEach((frame, i) => frameEvents?.get(frame)?.forEach((event) => clip.addEvent(i, event)));
      clips.set(clip.getName(), clip);
    }
    return clips;
  }

  #frame(i: number): Frame {
    const frame = this.#frames[i];
    if (frame === undefined) throw new AnimIndexError(`Frame ${i} does not exist, the sheet has ${this.#frames.length}.`, { found: i });
    return frame;
  }

  #checkInside(f: Frame, texture: TextureLike | null): void {
    if (texture === null || (f.x + f.atlasWidth <= texture.getWidth() && f.y + f.atlasHeight <= texture.getHeight())) return;
    throw new AnimArgumentError(
      `Frame "${f.name}" ends at ${f.x + f.atlasWidth}, ${f.y + f.atlasHeight}, outside of the texture of ${texture.getWidth()} x ${texture.getHeight()}.`,
    );
  }
}

/** The name, with #2, #3, … behind it while it is taken. */
export function uniqueName(name: string, taken: { has(name: string): boolean }): string {
  let unique = name;
  for (let n = 2; taken.has(unique); n++) unique = `${name}#${n}`;
  return unique;
}
