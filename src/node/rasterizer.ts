import { ArgumentError, RangeMismatchError } from "../errors.js";
import type { Pixels } from "./png.js";
import type { RasterTexture, TextureLevel } from "./raster-texture.js";

/**
 * A batch of textured triangles, in the form in which skeleton renderers hand out their commands.
 *
 * Colours are packed 0xAARRGGBB, one per vertex.
 */
export interface TriangleBatch {
  /** x, y per vertex, `stride` numbers apart. */
  readonly positions: ArrayLike<number>;
  /** u, v per vertex, v down. */
  readonly uvs: ArrayLike<number>;
  readonly colors: ArrayLike<number>;
  /** Dark tint per vertex; its alpha byte is not looked at. */
  readonly darkColors: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
  readonly numIndices: number;
  /** 0 normal, 1 additive, 2 multiply, 3 screen. */
  readonly blendMode: number;
}

/** How batches come onto the picture: pixel x = x·scaleX + offsetX, pixel y = y·scaleY + offsetY. */
export interface RasterView {
  readonly scaleX: number;
  readonly scaleY: number;
  readonly offsetX: number;
  readonly offsetY: number;
}

/** Facts about a batch that its numbers do not tell. */
export interface BatchOptions {
  /** Vertex colours are already multiplied by their alpha. Default false. */
  premultipliedColors?: boolean;
  /** Numbers per vertex in `positions`. Default 2. */
  stride?: number;
}

/** Positions are rounded to this fraction of a pixel, which makes the inside test exact. */
const SUBPIXELS = 256;
/** Corners further out than this are refused: their products would no longer be exact. */
const FARTHEST = 1 << 16;

/**
 * Draws textured triangles into a picture, in plain JavaScript: the same input gives the same bytes everywhere.
 *
 * Straight or premultiplied colours, two-colour tint, the four blend modes, bilinear filtering with halved copies for small
 * sizes. A pixel belongs to exactly one of two triangles that share an edge. Edges are not smoothed.
 */
export class Rasterizer {
  readonly width: number;
  readonly height: number;
  /** Premultiplied RGBA, 0 to 1, rows from the top. May be written, for instance to paint a background. */
  readonly pixels: Float32Array;

  /** @throws RangeMismatchError unless both sizes are whole numbers from 1 to 16384 */
  constructor(width: number, height: number) {
    for (const [name, value] of [["width", width], ["height", height]] as const) {
      if (!Number.isInteger(value) || value < 1 || value > 16384) throw new RangeMismatchError(name, value, 1, 16384, "Give whole pixels.");
    }
    this.width = width;
    this.height = height;
    this.pixels = new Float32Array(width * height * 4);
  }

  /** Fills the picture with one colour, components 0 to 1, straight alpha. */
  clear(red: number, green: number, blue: number, alpha: number): void {
    const { pixels } = this;
    for (let i = 0; i < pixels.length; i += 4) {
      pixels[i] = red * alpha;
      pixels[i + 1] = green * alpha;
      pixels[i + 2] = blue * alpha;
      pixels[i + 3] = alpha;
    }
  }

  /**
   * Draws a batch over what is there.
   * @throws ArgumentError if an index points past the vertices or the blend mode is unknown
   */
  draw(batch: TriangleBatch, texture: RasterTexture, view: RasterView, options: BatchOptions = {}): void {
    const stride = options.stride ?? 2;
    const { positions, uvs, colors, darkColors, indices, numIndices, blendMode } = batch;
    if (blendMode !== 0 && blendMode !== 1 && blendMode !== 2 && blendMode !== 3) {
      throw new ArgumentError(`Blend mode is ${blendMode}, expected 0 (normal), 1 (additive), 2 (multiply) or 3 (screen).`);
    }
    for (let i = 0; i + 2 < numIndices; i += 3) {
      for (let k = 0; k < 3; k++) {
        const vertex = indices[i + k]!;
        const corner = corners[k]!;
        const x = positions[vertex * stride], y = positions[vertex * stride + 1], u = uvs[vertex * 2], v = uvs[vertex * 2 + 1];
        if (x === undefined || y === undefined || u === undefined || v === undefined) {
          throw new ArgumentError(`Triangle index ${i + k} is ${vertex}, which is not a vertex of the batch. Check indices and positions.`);
        }
        corner.x = Math.round((x * view.scaleX + view.offsetX) * SUBPIXELS);
        corner.y = Math.round((y * view.scaleY + view.offsetY) * SUBPIXELS);
        corner.u = u;
        corner.v = v;
        unpack(corner, colors[vertex] ?? 0xffffffff, darkColors[vertex] ?? 0, options.premultipliedColors ?? false);
      }
      this.#triangle(corners[0]!, corners[1]!, corners[2]!, texture, blendMode);
    }
  }

  #triangle(a: Corner, b: Corner, c: Corner, texture: RasterTexture, blend: number): void {
    let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (!(area !== 0)) return; // flat, or not a number
    if (area < 0) {
      const swap = b;
      b = c;
      c = swap;
      area = -area;
    }
    const minX = Math.min(a.x, b.x, c.x), maxX = Math.max(a.x, b.x, c.x);
    const minY = Math.min(a.y, b.y, c.y), maxY = Math.max(a.y, b.y, c.y);
    const limit = FARTHEST * SUBPIXELS;
    if (minX < -limit || maxX > limit || minY < -limit || maxY > limit) return;
    const half = SUBPIXELS / 2;
    const left = Math.max(0, Math.ceil((minX - half) / SUBPIXELS)), right = Math.min(this.width - 1, Math.floor((maxX - half) / SUBPIXELS));
    const top = Math.max(0, Math.ceil((minY - half) / SUBPIXELS)), bottom = Math.min(this.height - 1, Math.floor((maxY - half) / SUBPIXELS));
    if (left > right || top > bottom) return;

    // Weight of a corner at a pixel centre, in exact integers; a bias of 1 leaves out the edges that belong to the neighbour.
    const stepAx = b.y - c.y, stepAy = c.x - b.x, biasA = ownsEdge(b, c) ? 0 : 1;
    const stepBx = c.y - a.y, stepBy = a.x - c.x, biasB = ownsEdge(c, a) ? 0 : 1;
    const stepCx = a.y - b.y, stepCy = b.x - a.x, biasC = ownsEdge(a, b) ? 0 : 1;
    const flat = a.key === b.key && a.key === c.key && a.darkKey === b.darkKey && a.darkKey === c.darkKey;
    const inverse = 1 / area;
    chooseLevels(texture, a, b, c, area);

    for (let y = top; y <= bottom; y++) {
      const py = y * SUBPIXELS + half, px = left * SUBPIXELS + half;
      let weightA = (px - b.x) * stepAx + (py - b.y) * stepAy;
      let weightB = (px - c.x) * stepBx + (py - c.y) * stepBy;
      let weightC = (px - a.x) * stepCx + (py - a.y) * stepCy;
      let entered = false;
      for (let x = left; x <= right; x++) {
        if (weightA >= biasA && weightB >= biasB && weightC >= biasC) {
          entered = true;
          const wa = weightA * inverse, wb = weightB * inverse, wc = weightC * inverse;
          sampleTexture(texture, a.u * wa + b.u * wb + c.u * wc, a.v * wa + b.v * wb + c.v * wc);
          if (texel[3]! > 0) this.#blend((y * this.width + x) * 4, flat ? a : interpolated(a, b, c, wa, wb, wc), blend);
        } else if (entered) break;
        weightA += stepAx * SUBPIXELS;
        weightB += stepBx * SUBPIXELS;
        weightC += stepCx * SUBPIXELS;
      }
    }
  }

  /** Tints the current texel and puts it over pixel `i`. */
  #blend(i: number, tint: Tint, blend: number): void {
    const { pixels } = this;
    const alpha = texel[3]! * tint.alpha;
    const red = (texel[3]! - texel[0]!) * tint.darkRed + texel[0]! * tint.red;
    const green = (texel[3]! - texel[1]!) * tint.darkGreen + texel[1]! * tint.green;
    const blue = (texel[3]! - texel[2]!) * tint.darkBlue + texel[2]! * tint.blue;
    const oldRed = pixels[i]!, oldGreen = pixels[i + 1]!, oldBlue = pixels[i + 2]!, oldAlpha = pixels[i + 3]!;
    if (blend === 0) {
      const keep = 1 - alpha;
      pixels[i] = red + oldRed * keep;
      pixels[i + 1] = green + oldGreen * keep;
      pixels[i + 2] = blue + oldBlue * keep;
      pixels[i + 3] = alpha + oldAlpha * keep;
      return;
    }
    if (blend === 1) {
      pixels[i] = Math.min(1, oldRed + red);
      pixels[i + 1] = Math.min(1, oldGreen + green);
      pixels[i + 2] = Math.min(1, oldBlue + blue);
      pixels[i + 3] = Math.min(1, oldAlpha + alpha);
      return;
    }
    if (blend === 2) {
      const keep = 1 - alpha;
      pixels[i] = oldRed * (red + keep);
      pixels[i + 1] = oldGreen * (green + keep);
      pixels[i + 2] = oldBlue * (blue + keep);
      pixels[i + 3] = alpha + oldAlpha * keep;
      return;
    }
    pixels[i] = red + oldRed * (1 - red);
    pixels[i + 1] = green + oldGreen * (1 - green);
    pixels[i + 2] = blue + oldBlue * (1 - blue);
    pixels[i + 3] = alpha + oldAlpha * (1 - alpha);
  }

  /**
   * The picture as bytes with straight alpha.
   * @param shrink - averages squares of this many pixels into one: drawing large and shrinking smooths edges. Default 1.
   * @throws RangeMismatchError unless it is a whole number from 1 to 16
   */
  toPixels(shrink = 1): Pixels {
    if (!Number.isInteger(shrink) || shrink < 1 || shrink > 16) throw new RangeMismatchError("shrink", shrink, 1, 16, "Give a whole number.");
    const width = Math.max(1, Math.floor(this.width / shrink)), height = Math.max(1, Math.floor(this.height / shrink));
    const data = new Uint8Array(width * height * 4);
    const sum = [0, 0, 0, 0];
    for (let y = 0, out = 0; y < height; y++) {
      for (let x = 0; x < width; x++, out += 4) {
        sum.fill(0);
        for (let row = 0; row < shrink; row++) {
          let i = ((y * shrink + row) * this.width + x * shrink) * 4;
          for (let column = 0; column < shrink; column++, i += 4) {
            for (let c = 0; c < 4; c++) sum[c] = sum[c]! + this.pixels[i + c]!;
          }
        }
        const alpha = sum[3]!;
        if (alpha <= 0) continue;
        for (let c = 0; c < 3; c++) data[out + c] = Math.min(255, Math.round((sum[c]! / alpha) * 255));
        data[out + 3] = Math.min(255, Math.round((alpha / (shrink * shrink)) * 255));
      }
    }
    return { width, height, data };
  }
}

/** A colour pair to tint with, premultiplied, scaled so that texels of 0 to 255 give 0 to 1. */
interface Tint {
  red: number;
  green: number;
  blue: number;
  alpha: number;
  darkRed: number;
  darkGreen: number;
  darkBlue: number;
}

interface Corner extends Tint {
  x: number;
  y: number;
  u: number;
  v: number;
  key: number;
  darkKey: number;
}

const newCorner = (): Corner => ({
  x: 0, y: 0, u: 0, v: 0, key: 0, darkKey: 0, red: 0, green: 0, blue: 0, alpha: 0, darkRed: 0, darkGreen: 0, darkBlue: 0,
});
const corners = [newCorner(), newCorner(), newCorner()];
const between: Corner = newCorner();
const texel = new Float64Array(4);
const sampled = new Float64Array(4);
const levels = { fine: 0, coarse: 0, share: 0 };

function unpack(corner: Corner, color: number, dark: number, premultiplied: boolean): void {
  corner.key = color;
  corner.darkKey = dark;
  const alpha = (color >>> 24) / 255, scale = (premultiplied ? 1 : alpha) / (255 * 255);
  corner.alpha = alpha / 255;
  corner.red = ((color >>> 16) & 255) * scale;
  corner.green = ((color >>> 8) & 255) * scale;
  corner.blue = (color & 255) * scale;
  corner.darkRed = ((dark >>> 16) & 255) * scale;
  corner.darkGreen = ((dark >>> 8) & 255) * scale;
  corner.darkBlue = (dark & 255) * scale;
}

function interpolated(a: Corner, b: Corner, c: Corner, wa: number, wb: number, wc: number): Tint {
  between.red = a.red * wa + b.red * wb + c.red * wc;
  between.green = a.green * wa + b.green * wb + c.green * wc;
  between.blue = a.blue * wa + b.blue * wb + c.blue * wc;
  between.alpha = a.alpha * wa + b.alpha * wb + c.alpha * wc;
  between.darkRed = a.darkRed * wa + b.darkRed * wb + c.darkRed * wc;
  between.darkGreen = a.darkGreen * wa + b.darkGreen * wb + c.darkGreen * wc;
  between.darkBlue = a.darkBlue * wa + b.darkBlue * wb + c.darkBlue * wc;
  return between;
}

/** Pixel centres on the edge p→q belong to the triangle if the edge is its top or its left one (y down, area positive). */
function ownsEdge(p: Corner, q: Corner): boolean {
  return p.y === q.y ? q.x > p.x : q.y < p.y;
}

/** Picks the two copies whose texels are nearest to a pixel in size, from the ratio of texel area to pixel area. */
function chooseLevels(texture: RasterTexture, a: Corner, b: Corner, c: Corner, area: number): void {
  const { width, height } = texture;
  const texels = Math.abs((b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u)) * width * height;
  const pixels = area / (SUBPIXELS * SUBPIXELS);
  const last = texture.levels.length - 1;
  // Half the logarithm of the area ratio is the level; a little less keeps pictures crisp.
  const level = Math.min(Math.max(0.5 * Math.log2(texels / pixels) - 0.25, 0), last);
  levels.fine = Number.isFinite(level) ? Math.floor(level) : 0;
  levels.coarse = Math.min(levels.fine + 1, last);
  levels.share = Number.isFinite(level) ? level - levels.fine : 0;
}

/** Leaves the filtered texel at (u, v) in `texel`. */
function sampleTexture(texture: RasterTexture, u: number, v: number): void {
  sampleLevel(texture, texture.levels[levels.fine]!, u, v, texel);
  if (levels.share === 0) return;
  sampleLevel(texture, texture.levels[levels.coarse]!, u, v, sampled);
  for (let c = 0; c < 4; c++) texel[c] = texel[c]! + (sampled[c]! - texel[c]!) * levels.share;
}

function sampleLevel(texture: RasterTexture, level: TextureLevel, u: number, v: number, out: Float64Array): void {
  const { width, height, data } = level;
  if (texture.nearest) {
    const i = (place(Math.floor(v * height), height, texture.repeatY) * width + place(Math.floor(u * width), width, texture.repeatX)) * 4;
    for (let c = 0; c < 4; c++) out[c] = data[i + c]!;
    return;
  }
  const x = u * width - 0.5, y = v * height - 0.5, x0 = Math.floor(x), y0 = Math.floor(y), fx = x - x0, fy = y - y0;
  const left = place(x0, width, texture.repeatX) * 4, right = place(x0 + 1, width, texture.repeatX) * 4;
  const upper = place(y0, height, texture.repeatY) * width * 4, lower = place(y0 + 1, height, texture.repeatY) * width * 4;
  const w00 = (1 - fx) * (1 - fy), w10 = fx * (1 - fy), w01 = (1 - fx) * fy, w11 = fx * fy;
  for (let c = 0; c < 4; c++) {
    out[c] = data[upper + left + c]! * w00 + data[upper + right + c]! * w10 + data[lower + left + c]! * w01 + data[lower + right + c]! * w11;
  }
}

/** Texel index inside the picture. */
function place(index: number, count: number, repeat: boolean): number {
  if (repeat) return ((index % count) + count) % count;
  return index < 0 ? 0 : index >= count ? count - 1 : index;
}
