import { MaxRectsPacker } from "maxrects-packer/dist/maxrects-packer.mjs";
import { AnimCapacityError } from "../errors.js";
import type { RawImage } from "../module/host.js";
import type { FrameDescription } from "./sheet.js";

/** Where frames go. */
export interface PackOptions {
  /** Columns of a grid; 0 packs tightly. */
  columns: number;
  /** Pixels with an alpha up to this count as empty. */
  alphaThreshold: number;
  /** Width of the border that repeats the edge pixels. */
  extrude: number;
  /** Largest width and height of the atlas. */
  maxSize: number;
}

/** The visible part of a picture. */
interface Trimmed {
  index: number;
  image: RawImage;
  left: number;
  top: number;
  width: number;
  height: number;
  x: number;
  y: number;
}

/** Trims pictures, places them in one atlas, extrudes their edges. @throws AnimCapacityError */
export function packImages(images: readonly RawImage[], options: PackOptions): { atlas: RawImage; frames: FrameDescription[] } {
  const parts = images.map((image, index) => trim(image, index, options.alphaThreshold));
  const { width, height } = options.columns > 0 ? placeInGrid(parts, options) : placeTightly(parts, options);
  if (width > options.maxSize || height > options.maxSize) {
    throw new AnimCapacityError(`The atlas would have ${width} x ${height} pixels, at most ${options.maxSize} are allowed. Use fewer or smaller frames, or raise maxSize.`);
  }
  const atlas: RawImage = { width, height, data: new Uint8Array(width * height * 4) };
  for (const part of parts) draw(part, atlas, options.extrude);
  bleed(atlas);
  const frames = parts.map((part) => ({
    x: part.x, y: part.y, width: part.width, height: part.height,
    sourceWidth: part.image.width, sourceHeight: part.image.height, offsetX: part.left, offsetY: part.top,
  }));
  return { atlas, frames };
}

/** The bounding box of what is visible; one pixel of an empty picture. */
function trim(image: RawImage, index: number, threshold: number): Trimmed {
  let left = image.width;
  let top = image.height;
  let right = -1;
  let bottom = -1;
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) {
      if (image.data[(y * image.width + x) * 4 + 3]! <= threshold) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  if (right < 0) left = top = right = bottom = 0;
  return { index, image, left, top, width: right - left + 1, height: bottom - top + 1, x: 0, y: 0 };
}

function placeInGrid(parts: Trimmed[], { columns, extrude }: PackOptions): { width: number; height: number } {
  const cellWidth = Math.max(...parts.map((part) => part.width)) + 2 * extrude;
  const cellHeight = Math.max(...parts.map((part) => part.height)) + 2 * extrude;
  for (const part of parts) {
    part.x = (part.index % columns) * cellWidth + extrude;
    part.y = Math.floor(part.index / columns) * cellHeight + extrude;
  }
  return { width: cellWidth * Math.min(columns, parts.length), height: cellHeight * Math.ceil(parts.length / columns) };
}

function placeTightly(parts: Trimmed[], { extrude, maxSize }: PackOptions): { width: number; height: number } {
  // Frames with the same pixels share one place.
  const distinct = new Map<string, Trimmed>();
  const twins = new Map<Trimmed, Trimmed>();
  for (const part of parts) {
    const key = pixelKey(part);
    const first = distinct.get(key);
    if (first === undefined) distinct.set(key, part);
    else twins.set(part, first);
  }
  const sorted = [...distinct.values()].toSorted((a, b) => b.height - a.height || b.width - a.width || a.index - b.index);
  const packer = new MaxRectsPacker(maxSize, maxSize, 0, { smart: true, pot: false, square: false, allowRotation: false });
  for (const part of sorted) {
    if (part.width + 2 * extrude > maxSize || part.height + 2 * extrude > maxSize) {
      throw new AnimCapacityError(`Frame ${part.index} needs ${part.width + 2 * extrude} x ${part.height + 2 * extrude} pixels, at most ${maxSize} are allowed.`);
    }
    packer.add(part.width + 2 * extrude, part.height + 2 * extrude, part);
  }
  if (packer.bins.length > 1) throw new AnimCapacityError(`The frames do not fit into one atlas of ${maxSize} x ${maxSize}. Use fewer or smaller frames, or raise maxSize.`);
  let width = 0;
  let height = 0;
  for (const rect of packer.bins[0]!.rects) {
    const part = rect.data as Trimmed;
    part.x = rect.x + extrude;
    part.y = rect.y + extrude;
    width = Math.max(width, rect.x + rect.width);
    height = Math.max(height, rect.y + rect.height);
  }
  for (const [part, first] of twins) [part.x, part.y] = [first.x, first.y];
  return { width, height };
}

/** Identifies the pixels of a trimmed picture. */
function pixelKey({ image, left, top, width, height }: Trimmed): string {
  let key = `${width}x${height}:`;
  for (let y = top; y < top + height; y++) {
    const start = (y * image.width + left) * 4;
    for (let i = start; i < start + width * 4; i++) key += String.fromCharCode(image.data[i]!);
  }
  return key;
}

/** Copies a picture; the border repeats the nearest pixel of it. */
function draw({ image, left, top, width, height, x, y }: Trimmed, atlas: RawImage, extrude: number): void {
  for (let row = -extrude; row < height + extrude; row++) {
    const sourceRow = top + Math.min(height - 1, Math.max(0, row));
    for (let column = -extrude; column < width + extrude; column++) {
      const from = (sourceRow * image.width + left + Math.min(width - 1, Math.max(0, column))) * 4;
      const to = ((y + row) * atlas.width + x + column) * 4;
      for (let c = 0; c < 4; c++) atlas.data[to + c] = image.data[from + c]!;
    }
  }
}

/**
 * Gives invisible pixels the colour of the nearest visible one, so that filtering straight alpha does not darken edges.
 * Breadth first over the four neighbours.
 */
function bleed({ width, height, data }: RawImage): void {
  const queue: number[] = [];
  const done = new Uint8Array(width * height);
  for (let i = 0; i < done.length; i++) {
    if (data[i * 4 + 3] === 0) continue;
    done[i] = 1;
    queue.push(i);
  }
  for (let head = 0; head < queue.length; head++) {
    const from = queue[head]!;
    const x = from % width;
    for (const to of [x > 0 ? from - 1 : -1, x < width - 1 ? from + 1 : -1, from - width, from + width]) {
      if (to < 0 || to >= done.length || done[to] === 1) continue;
      done[to] = 1;
      for (let c = 0; c < 3; c++) data[to * 4 + c] = data[from * 4 + c]!;
      queue.push(to);
    }
  }
}
