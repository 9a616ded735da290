import type { RawImage } from "./host.js";

/** Inflates a zlib stream. */
export type Inflate = (bytes: Uint8Array) => Uint8Array;

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
/** Channels by colour type, and the depths that each may have; nothing for types that do not exist. */
const CHANNELS = [1, 0, 3, 1, 2, 0, 4];
const DEPTHS = [[1, 2, 4, 8, 16], [], [8, 16], [1, 2, 4, 8], [8, 16], [], [8, 16]];
/** First column and row and the steps of each pass of an interlaced picture, and of the one pass of others. */
const ADAM7 = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]] as const;
const WHOLE = [[0, 0, 1, 1]] as const;

/** A picture whose pixels are still packed. */
interface Packed {
  width: number;
  height: number;
  depth: number;
  type: number;
  isInterlaced: boolean;
  palette: Uint8Array | undefined;
  transparency: Uint8Array | undefined;
  /** The zlib stream. */
  data: Uint8Array<ArrayBuffer>;
}

/** Whether the bytes begin like a PNG. */
export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, i) => bytes[i] === byte);
}

/**
 * Reads a PNG into straight RGBA8. All colour types, depths and interlacing; 16 bits are cut to 8, gamma is ignored.
 * Source: Portable Network Graphics specification (third edition), 5, 7.2, 8, 9, 11.
 * @throws Error with what is wrong
 */
export function decodePng(bytes: Uint8Array, inflate: Inflate): RawImage {
  const packed = readChunks(bytes);
  return unpack(packed, inflate(packed.data));
}

/** The same where inflating takes its time. */
export async function decodePngLater(bytes: Uint8Array, inflate: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>): Promise<RawImage> {
  const packed = readChunks(bytes);
  return unpack(packed, await inflate(packed.data));
}

function readChunks(bytes: Uint8Array): Packed {
  if (!isPng(bytes)) throw new Error("no PNG signature");
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
  if (header === undefined || header.byteLength < 13 || parts.length === 0) throw new Error("there is no picture in the file");
  const width = header.getUint32(0);
  const height = header.getUint32(4);
  const depth = header.getUint8(8);
  const type = header.getUint8(9);
  const interlacing = header.getUint8(12);
  if (DEPTHS[type]?.includes(depth) !== true) throw new Error(`colour type ${type} with ${depth} bits does not exist`);
  if (interlacing > 1) throw new Error(`interlacing ${interlacing} does not exist`);
  if (type === 3 && palette === undefined) throw new Error("the palette is missing");
  if (width === 0 || height === 0 || width * height > 2 ** 28) throw new Error(`${width} x ${height} pixels are not supported`);
  const data = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    data.set(part, offset);
    offset += part.length;
  }
  return { width, height, depth, type, isInterlaced: interlacing === 1, palette, transparency, data };
}

function unpack({ width, height, depth, type, isInterlaced, palette, transparency }: Packed, raw: Uint8Array): RawImage {
  const channels = CHANNELS[type]!;
  const data = new Uint8Array(width * height * 4);
  const scale = depth < 8 && type !== 3 ? 255 / ((1 << depth) - 1) : 1;
  const isGray = channels < 3;
  // One colour of a picture without alpha may be invisible; it is compared before it is cut to 8 bits.
  const hidden = type === 0 || type === 2 ? transparency : undefined;
  const colours = type === 2 ? 3 : 1;
  let start = 0;
  for (const [left, top, across, down] of isInterlaced ? ADAM7 : WHOLE) {
    const columns = Math.ceil((width - left) / across);
    const rows = Math.ceil((height - top) / down);
    if (columns <= 0 || rows <= 0) continue;
    const rowBytes = Math.ceil((columns * channels * depth) / 8);
    if (raw.length < start + (rowBytes + 1) * rows) throw new Error("the picture is cut off");
    unfilter(raw, start, rowBytes, rows, Math.max(1, (channels * depth) >> 3));
    for (let y = 0; y < rows; y++) {
      const row = start + y * (rowBytes + 1) + 1;
      const whole = (i: number): number => {
        if (depth === 16) return (raw[row + i * 2]! << 8) | raw[row + i * 2 + 1]!;
        if (depth === 8) return raw[row + i]!;
        const bit = i * depth;
        return (raw[row + (bit >> 3)]! >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
      };
      const sample = (i: number): number => (depth === 16 ? raw[row + i * 2]! : whole(i));
      for (let x = 0; x < columns; x++) {
        const to = ((top + y * down) * width + left + x * across) * 4;
        const first = sample(x * channels);
        if (type === 3) {
          for (let c = 0; c < 3; c++) data[to + c] = palette![first * 3 + c] ?? 0;
          data[to + 3] = transparency?.[first] ?? 255;
          continue;
        }
        for (let c = 0; c < 3; c++) data[to + c] = Math.round((isGray ? first : sample(x * channels + c)) * scale);
        let alpha = channels === 2 || channels === 4 ? sample(x * channels + channels - 1) : 255;
        if (hidden !== undefined && hidden.length >= colours * 2) {
          let isHidden = true;
          for (let c = 0; c < colours; c++) isHidden &&= whole(x * channels + c) === ((hidden[c * 2]! << 8) | hidden[c * 2 + 1]!);
          if (isHidden) alpha = 0;
        }
        data[to + 3] = alpha;
      }
    }
    start += (rowBytes + 1) * rows;
  }
  return { width, height, data };
}

/** Undoes the filters of all rows, in place. */
function unfilter(raw: Uint8Array, start: number, rowBytes: number, height: number, pixelBytes: number): void {
  for (let y = 0; y < height; y++) {
    const row = start + y * (rowBytes + 1) + 1;
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
