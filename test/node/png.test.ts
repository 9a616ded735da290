import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "fast-png";
import { afterAll, describe, expect, it } from "vitest";
import { FormatError } from "../../src/errors.js";
import { decodePng, encodePng, readPng, writePng } from "../../src/node/png.js";

const folder = mkdtempSync(join(tmpdir(), "osteon-png-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("PNG", () => {
  it("survives a file, and the same picture gives the same bytes", () => {
    const pixels = { width: 3, height: 2, data: Uint8Array.from({ length: 24 }, (_, i) => (i * 37) & 255) };
    const path = join(folder, "a.png");
    writePng(path, pixels);
    expect(readPng(path)).toEqual(pixels);
    expect(Buffer.compare(encodePng(pixels), encodePng(pixels))).toBe(0);
  });

  it("reads grey, grey with alpha, colour and 16-bit pictures as RGBA", () => {
    const made = (channels: 1 | 2 | 3 | 4, depth: 8 | 16, values: number[]) =>
      [...decodePng(encode({ width: 1, height: 1, channels, depth, data: depth === 16 ? Uint16Array.from(values) : Uint8Array.from(values) })).data];
    expect(made(1, 8, [90])).toEqual([90, 90, 90, 255]);
    expect(made(2, 8, [90, 40])).toEqual([90, 90, 90, 40]);
    expect(made(3, 8, [1, 2, 3])).toEqual([1, 2, 3, 255]);
    expect(made(4, 16, [0x1234, 0x5678, 0x9abc, 0xdef0])).toEqual([0x12, 0x56, 0x9a, 0xde]);
  });

  it("refuses what is not a PNG and names the file", () => {
    expect(() => decodePng(Uint8Array.of(1, 2, 3), "cat.png")).toThrow(FormatError);
    expect(() => decodePng(Uint8Array.of(1, 2, 3), "cat.png")).toThrow(/cat\.png/);
  });
});
