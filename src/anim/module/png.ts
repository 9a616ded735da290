import type { RawImage } from "./host.js";

/** Inflates a zlib stream. */
export type Inflate = (bytes: Uint8Array) => Uint8Array;

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
/** Channels by colour type; 0 for types that do not exist. */
const CHANNELS = [1, 0, 3, 1, 2, 0, 4];

/**
 * Reads a PNG into straight RGBA8. All colour types and depths, no interlacing; 16 bits are cut to 8, gamma is ignored.
 * Source: Portable Network Graphics specification (third edition), 5, 7.2, 9, 11.
 * @throws Error with what is wrong
 */
export function decodePng(bytes: Uint8Array, inflate: Inflate): RawImage {
  if (SIGNATURE.some((byte, i) => bytes[i] !== byte)) throw new Error("no PNG signature");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header: DataView | undefined;
  let palette: Uint8Array | undefined;
  let transparency: Uint8Array | undefined;
  const parts: Uint8Array[] = [];
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    if (at + 12 + length > bytes.length) throw new Error("the file is cut off");
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") header = new DataView(data.buffer, data.byteOffset, data.byteLength);
    else if (type === "PLTE") palette = data;
    else if (type === "tRNS") transparency = data;
    else if (type === "IDAT") parts.push(data);
    else if (type === "IEND") break;
    at += 12 + length;
  }
  if (header === undefined || parts.length === 0) throw new Error("there is no picture in the file");
  const width = header.getUint32(0);
  const height = header.getUint32(4);
  const depth = header.getUint8(8);
  const type = header.getUint8(9);
  const channels = CHANNELS[type] ?? 0;
  if (channels === 0 || ![1, 2, 4, 8, 16].includes(depth)) throw new Error(`colour type ${type} with ${depth} bits does not exist`);
  if (header.getUint8(12) !== 0) throw new Error("interlaced files are not supported");
  if (type === 3 && palette === undefined) throw new Error("the palette is missing");
  if (width === 0 || height === 0 || width * height > 2 ** 28) throw new Error(`${width} x ${height} pixels are not supported`);

  const packed = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    packed.set(part, offset);
    offset += part.length;
  }
  const rowBytes = Math.ceil((width * channels * depth) / 8);
  const raw = inflate(packed);
  if (raw.length < (rowBytes + 1) * height) throw new Error("the picture is cut off");
  unfilter(raw, rowBytes, height, Math.max(1, (channels * depth) >> 3));

  const data = new Uint8Array(width * height * 4);
  const scale = depth < 8 && type !== 3 ? 255 / ((1 << depth) - 1) : 1;
  for (let y = 0; y < height; y++) {
    const row = y * (rowBytes + 1) + 1;
    const sample = (i: number): number => {
      if (depth === 16) return raw[row + i * 2]!;
      if (depth === 8) return raw[row + i]!;
      const bit = i * depth;
      return (raw[row + (bit >> 3)]! >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
    };
    for (let x = 0; x < width; x++) {
      const to = (y * width + x) * 4;
      const first = sample(x * channels);
      if (type === 3) {
        for (let c = 0; c < 3; c++) data[to + c] = palette![first * 3 + c] ?? 0;
        data[to + 3] = transparency?.[first] ?? 255;
        continue;
      }
      const isGray = channels < 3;
      for (let c = 0; c < 3; c++) data[to + c] = Math.round((isGray ? first : sample(x * channels + c)) * scale);
      data[to + 3] = channels === 2 || channels === 4 ? sample(x * channels + channels - 1) : 255;
    }
  }
  return { width, height, data };
}

/** Undoes the filters of all rows, in place. */
function unfilter(raw: Uint8Array, rowBytes: number, height: number, pixelBytes: number): void {
  for (let y = 0; y < height; y++) {
    const row = y * (rowBytes + 1) + 1;
    const filter = raw[row - 1]!;
    const above = row - rowBytes - 1;
    for (let i = 0; i < rowBytes; i++) {
      const left = i >= pixelBytes ? raw[row + i - pixelBytes]! : 0;
      const up = y > 0 ? raw[above + i]! : 0;
      const corner = i >= pixelBytes && y > 0 ? raw[above + i - pixelBytes]! : 0;
      let predicted = 0;
      if (filter === 1) predicted = left;
      else if (filter === 2) predicted = up;
      else if (filter === 3) predicted = (left + up) >> 1;
      else if (filter === 4) predicted = paeth(left, up, corner);
      raw[row + i] = raw[row + i]! + predicted;
    }
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const toLeft = Math.abs(guess - left);
  const toUp = Math.abs(guess - up);
  const toCorner = Math.abs(guess - corner);
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}
