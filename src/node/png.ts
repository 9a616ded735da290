import { readFileSync, writeFileSync } from "node:fs";
import { decode, encode } from "fast-png";
import { FormatError } from "../errors.js";

/** A picture: 8-bit RGBA, rows from the top, no padding. Alpha is straight unless its owner says otherwise. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** `width × height × 4` bytes. */
  readonly data: Uint8Array;
}

/**
 * Reads a PNG of any colour type and depth as 8-bit RGBA.
 * @param file - named in errors
 * @throws FormatError if the bytes are not a PNG that can be decoded
 */
export function decodePng(bytes: Uint8Array, file?: string): Pixels {
  let image: ReturnType<typeof decode>;
  try {
    image = decode(bytes);
  } catch (cause) {
    throw new FormatError("bad-format", `${file ?? "The picture"} is not a PNG that can be decoded. Export it as PNG again.`, { file, cause });
  }
  const { width, height, channels, depth, palette } = image;
  const count = width * height;
  const data = new Uint8Array(count * 4);
  const sample = sampleReader(image.data, depth, palette ? 1 : channels, width);
  for (let i = 0; i < count; i++) {
    const at = i * 4;
    if (palette) {
      const entry = palette[sample(i, 0, false)] ?? [0, 0, 0];
      data[at] = entry[0]!;
      data[at + 1] = entry[1]!;
      data[at + 2] = entry[2]!;
      data[at + 3] = entry[3] ?? 255;
      continue;
    }
    const gray = channels <= 2;
    for (let c = 0; c < 3; c++) data[at + c] = sample(i, gray ? 0 : c, true);
    data[at + 3] = channels === 2 || channels === 4 ? sample(i, channels - 1, true) : 255;
  }
  return { width, height, data };
}

/** Access to one sample of a decoded picture: bits below 8 are packed in bytes, every row starting on a byte. */
function sampleReader(data: ArrayLike<number>, depth: number, channels: number, width: number): (pixel: number, channel: number, scaled: boolean) => number {
  if (depth === 8) return (pixel, channel) => data[pixel * channels + channel]!;
  if (depth === 16) return (pixel, channel) => data[pixel * channels + channel]! >> 8;
  const rowBytes = Math.ceil((width * depth) / 8), limit = (1 << depth) - 1;
  return (pixel, _channel, scaled) => {
    const row = Math.floor(pixel / width), bit = (pixel - row * width) * depth;
    const value = (data[row * rowBytes + (bit >> 3)]! >> (8 - depth - (bit & 7))) & limit;
    return scaled ? Math.round((value * 255) / limit) : value;
  };
}

/** PNG bytes of a picture; the same picture gives the same bytes. */
export function encodePng(pixels: Pixels): Uint8Array {
  return encode({ width: pixels.width, height: pixels.height, channels: 4, depth: 8, data: pixels.data });
}

/** Reads a PNG file. @throws FormatError if it is not a PNG; file system errors pass through */
export function readPng(path: string): Pixels {
  return decodePng(readFileSync(path), path);
}

/** Writes a picture as a PNG file. */
export function writePng(path: string, pixels: Pixels): void {
  writeFileSync(path, encodePng(pixels));
}
