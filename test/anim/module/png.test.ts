import { encode } from "fast-png";
import { deflateSync, inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decodePng, decodePngLater } from "../../../src/anim/module/png.js";

const inflate = (bytes: Uint8Array): Uint8Array => new Uint8Array(inflateSync(bytes));

function chunk(type: string, data: Uint8Array): number[] {
  const length = data.length;
  return [length >>> 24, (length >> 16) & 255, (length >> 8) & 255, length & 255, ...Buffer.from(type), ...data, 0, 0, 0, 0];
}

/** A PNG of raw samples, each row behind filter 0; checksums are not written. */
function png(width: number, height: number, depth: number, type: number, interlaced: boolean, raw: number[], more: number[] = []): Uint8Array {
  const header = [0, 0, 0, width, 0, 0, 0, height, depth, type, 0, 0, interlaced ? 1 : 0];
  return Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, ...chunk("IHDR", Uint8Array.from(header)), ...more, ...chunk("IDAT", new Uint8Array(deflateSync(Uint8Array.from(raw)))), ...chunk("IEND", new Uint8Array(0))]);
}

const PASSES = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]] as const;

describe("PNG", () => {
  it("reads interlaced pictures of every size as the whole ones", () => {
    for (let width = 1; width <= 9; width++) {
      for (let height = 1; height <= 9; height++) {
        const pixel = (x: number, y: number): number[] => [x * 20, y * 20, (x * y) & 255, 255 - x];
        const raw: number[] = [];
        for (const [left, top, across, down] of PASSES) {
          for (let y = top; y < height; y += down) {
            if (left >= width) continue;
            raw.push(0);
            for (let x = left; x < width; x += across) raw.push(...pixel(x, y));
          }
        }
        const image = decodePng(png(width, height, 8, 6, true, raw), inflate);
        const expected = Array.from({ length: width * height }, (_, i) => pixel(i % width, Math.floor(i / width))).flat();
        expect([image.width, image.height, [...image.data]]).toEqual([width, height, expected]);
      }
    }
  });

  it("reads interlaced pictures of less than a byte a pixel", () => {
    // 3 x 1 pixels of 1 bit, black white black: passes 1, 4 and 6 have one pixel each.
    expect([...decodePng(png(3, 1, 1, 0, true, [0, 0x00, 0, 0x00, 0, 0x80]), inflate).data]).toEqual([0, 0, 0, 255, 255, 255, 255, 255, 0, 0, 0, 255]);
  });

  it("hides the one colour that a picture without alpha names", () => {
    const gray = png(2, 1, 8, 0, false, [0, 7, 8], chunk("tRNS", Uint8Array.of(0, 7)));
    expect([...decodePng(gray, inflate).data]).toEqual([7, 7, 7, 0, 8, 8, 8, 255]);
    const rgb = png(2, 1, 8, 2, false, [0, 1, 2, 3, 1, 2, 4], chunk("tRNS", Uint8Array.of(0, 1, 0, 2, 0, 3)));
    expect([...decodePng(rgb, inflate).data]).toEqual([1, 2, 3, 0, 1, 2, 4, 255]);
    // 16 bits: the low byte counts, too.
    const deep = png(2, 1, 16, 0, false, [0, 9, 1, 9, 2], chunk("tRNS", Uint8Array.of(9, 2)));
    expect([...decodePng(deep, inflate).data]).toEqual([9, 9, 9, 255, 9, 9, 9, 0]);
    const bits = png(4, 1, 2, 0, false, [0, 0b00011011], chunk("tRNS", Uint8Array.of(0, 2)));
    expect([...decodePng(bits, inflate).data].filter((_, i) => i % 4 === 3)).toEqual([255, 255, 0, 255]);
  });

  it("reads what another library writes, at once and later, invisible colours included", async () => {
    const data = Uint8Array.from({ length: 7 * 5 * 4 }, (_, i) => (i * 37) & (i % 4 === 3 ? 1 : 255));
    const bytes = encode({ width: 7, height: 5, channels: 4, depth: 8, data });
    expect([...decodePng(bytes, inflate).data]).toEqual([...data]);
    const later = await decodePngLater(bytes, async (packed) => new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer()));
    expect([...later.data]).toEqual([...data]);
  });

  it("refuses what does not exist, and files that end too soon", () => {
    for (const [depth, type] of [[4, 2], [16, 3], [1, 6], [8, 1], [8, 5], [3, 0], [8, 7]] as const) {
      expect(() => decodePng(png(1, 1, depth, type, false, [0, 0, 0, 0, 0, 0, 0, 0, 0]), inflate), `${type}, ${depth} bits`).toThrow(/does not exist/);
    }
    expect(() => decodePng(png(2, 2, 8, 6, true, [0, 1, 2, 3, 4]), inflate)).toThrow(/cut off/);
    expect(() => decodePng(png(2, 2, 8, 3, false, [0, 1, 2, 0, 1, 2]), inflate)).toThrow(/palette/);
    const whole = encode({ width: 2, height: 2, channels: 4, depth: 8, data: new Uint8Array(16) });
    for (let length = 0; length < whole.length - 12; length++) expect(() => decodePng(whole.subarray(0, length), inflate)).toThrow(Error);
  });
});
