import { writeFileSync } from "node:fs";
import { GIFEncoder, applyPalette, quantize } from "gifenc";
import { ArgumentError, RangeMismatchError } from "../errors.js";
import type { Pixels } from "./png.js";

export interface GifOptions {
  /** Frames a second, 1 to 50. GIF counts in hundredths of a second, so 50, 33.3, 25, 20, … are exact. Default 25. */
  fps?: number | undefined;
  /** How often it plays; 0 = for ever, the default. */
  loops?: number | undefined;
}

/**
 * An animated GIF of pictures of one size; transparent where a picture is less than half opaque. All frames share one palette
 * of up to 256 colours, taken from all of them. The same pictures give the same bytes.
 * @throws ArgumentError for no pictures or unequal sizes, RangeMismatchError for other rates
 */
export function encodeGif(frames: readonly Pixels[], options: GifOptions = {}): Uint8Array {
  const [first] = frames;
  if (first === undefined) throw new ArgumentError("encodeGif was given no pictures. Give at least one.");
  const odd = frames.find(({ width, height }) => width !== first.width || height !== first.height);
  if (odd !== undefined) {
    throw new ArgumentError(`Pictures of ${first.width} x ${first.height} and of ${odd.width} x ${odd.height} cannot be frames of one GIF. Draw all at one size.`);
  }
  const fps = options.fps ?? 25;
  if (!(fps >= 1 && fps <= 50)) throw new RangeMismatchError("fps", fps, 1, 50, "Faster GIFs are slowed down by browsers.");
  const loops = options.loops ?? 0;
  if (!Number.isInteger(loops) || loops < 0 || loops > 65535) throw new RangeMismatchError("loops", loops, 0, 65535);

  const transparent = frames.some(({ data }) => data.some((v, i) => i % 4 === 3 && v < 128));
  const format = transparent ? "rgba4444" : "rgb565";
  const palette = quantize(samples(frames, transparent), 256, { format, oneBitAlpha: transparent });
  const clear = transparent ? palette.findIndex((color) => color[3] === 0) : -1;
  const gif = GIFEncoder();
  const delay = Math.round(100 / fps) * 10;
  frames.forEach((frame, i) => {
    const indices = applyPalette(hardEdged(frame.data, transparent), palette, format);
    gif.writeFrame(indices, first.width, first.height, {
      delay,
      // Loop count: -1 once, 0 for ever, else how often it is repeated.
      ...(i === 0 ? { palette, repeat: loops === 0 ? 0 : loops === 1 ? -1 : loops - 1 } : {}),
      ...(clear >= 0 ? { transparent: true, transparentIndex: clear, dispose: 2 } : {}),
    });
  });
  gif.finish();
  return gif.bytes();
}

/** Writes an animated GIF. */
export function writeGif(path: string, frames: readonly Pixels[], options: GifOptions = {}): void {
  writeFileSync(path, encodeGif(frames, options));
}

/** Pixels of all frames, thinned out, for choosing the palette. */
function samples(frames: readonly Pixels[], transparent: boolean): Uint8Array {
  const total = frames.reduce((sum, { data }) => sum + data.length / 4, 0);
  const step = Math.max(1, Math.floor(total / 400_000));
  const out: number[] = [];
  let next = 0, at = 0;
  for (const { data } of frames) {
    for (let i = 0; i < data.length; i += 4, at++) {
      if (at < next) continue;
      next += step;
      if (!transparent) out.push(data[i]!, data[i + 1]!, data[i + 2]!, 255);
      else if (data[i + 3]! < 128) out.push(0, 0, 0, 0);
      else out.push(data[i]!, data[i + 1]!, data[i + 2]!, 255);
    }
  }
  return Uint8Array.from(out);
}

/** GIF knows only transparent and opaque. */
function hardEdged(data: Uint8Array, transparent: boolean): Uint8Array {
  if (!transparent) return data;
  const out = data.slice();
  for (let i = 0; i < out.length; i += 4) {
    if (out[i + 3]! < 128) out.fill(0, i, i + 4);
    else out[i + 3] = 255;
  }
  return out;
}
