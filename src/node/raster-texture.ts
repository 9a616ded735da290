import type { Pixels } from "./png.js";

/** One level of a texture: premultiplied RGBA, 0 to 255 in single precision. */
export interface TextureLevel {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** What to do with texture coordinates outside 0 to 1. */
export interface TextureOptions {
  /** The picture's colours are already multiplied by its alpha (atlas entry `pma: true`). Default false. */
  premultiplied?: boolean;
  /** Take the nearest texel instead of blending four. Default false. */
  nearest?: boolean;
  /** Repeat in u. Default false: the edge texels continue. */
  repeatX?: boolean;
  /** Repeat in v. Default false. */
  repeatY?: boolean;
  /** Halved copies to make for drawing small, besides the picture itself. Default 3, 0 turns it off. */
  mipLevels?: number;
}

/**
 * A picture prepared for the rasterizer: premultiplied, with halved copies for drawing small.
 *
 * Memory: about 21 bytes a pixel. Immutable.
 */
export class RasterTexture {
  readonly levels: readonly TextureLevel[];
  readonly nearest: boolean;
  readonly repeatX: boolean;
  readonly repeatY: boolean;

  constructor(pixels: Pixels, options: TextureOptions = {}) {
    this.nearest = options.nearest ?? false;
    this.repeatX = options.repeatX ?? false;
    this.repeatY = options.repeatY ?? false;
    const levels = [premultiply(pixels, options.premultiplied ?? false)];
    for (let i = 0; i < (options.mipLevels ?? 3); i++) {
      const last = levels[i]!;
      if (last.width < 2 || last.height < 2) break;
      levels.push(halve(last));
    }
    this.levels = levels;
  }

  get width(): number {
    return this.levels[0]!.width;
  }

  get height(): number {
    return this.levels[0]!.height;
  }
}

function premultiply(pixels: Pixels, already: boolean): TextureLevel {
  const { width, height } = pixels;
  const data = new Float32Array(width * height * 4);
  for (let i = 0; i < data.length; i += 4) {
    const alpha = pixels.data[i + 3]!, scale = already ? 1 : alpha / 255;
    data[i] = pixels.data[i]! * scale;
    data[i + 1] = pixels.data[i + 1]! * scale;
    data[i + 2] = pixels.data[i + 2]! * scale;
    data[i + 3] = alpha;
  }
  return { width, height, data };
}

/** Mean of two by two texels; an odd last row or column is dropped. */
function halve(level: TextureLevel): TextureLevel {
  const width = level.width >> 1, height = level.height >> 1, stride = level.width * 4;
  const data = new Float32Array(width * height * 4);
  for (let y = 0, out = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * 2 * stride + x * 8;
      for (let c = 0; c < 4; c++, out++) {
        const i = at + c;
        data[out] = (level.data[i]! + level.data[i + 4]! + level.data[i + stride]! + level.data[i + stride + 4]!) * 0.25;
      }
    }
  }
  return { width, height, data };
}
