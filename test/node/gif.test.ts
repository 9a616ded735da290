import { describe, expect, it } from "vitest";
import { ArgumentError, RangeMismatchError } from "../../src/errors.js";
import { encodeGif } from "../../src/node/gif.js";
import type { Pixels } from "../../src/node/png.js";

const plain = (width: number, height: number, ...color: number[]): Pixels => ({
  width, height, data: Uint8Array.from({ length: width * height * 4 }, (_, i) => color[i % 4]!),
});

/** Blocks of a GIF: label and first bytes, walking the file as a reader does. */
function blocks(gif: Uint8Array) {
  const view = new DataView(gif.buffer, gif.byteOffset, gif.byteLength);
  const out = { signature: String.fromCharCode(...gif.subarray(0, 6)), width: view.getUint16(6, true), height: view.getUint16(8, true), delays: [] as number[], disposals: [] as number[], transparent: [] as boolean[], images: 0, repeat: null as number | null };
  let at = 13 + ((gif[10]! & 0x80) !== 0 ? 3 * 2 ** ((gif[10]! & 7) + 1) : 0);
  const skip = () => {
    while (gif[at] !== 0) at += gif[at]! + 1;
    at++;
  };
  while (gif[at] !== 0x3b) {
    if (at >= gif.length) throw new Error("no trailer");
    if (gif[at] === 0x21) {
      if (gif[at + 1] === 0xf9) {
        out.delays.push(view.getUint16(at + 4, true));
        out.disposals.push((gif[at + 3]! >> 2) & 7);
        out.transparent.push((gif[at + 3]! & 1) === 1);
      } else if (gif[at + 1] === 0xff) out.repeat = view.getUint16(at + 16, true);
      at += 2;
      skip();
    } else {
      out.images++;
      const packed = gif[at + 9]!;
      at += 10 + ((packed & 0x80) !== 0 ? 3 * 2 ** ((packed & 7) + 1) : 0) + 1;
      skip();
    }
  }
  return out;
}

describe("GIF", () => {
  it("writes every frame with its delay, for ever", () => {
    const gif = encodeGif([plain(6, 4, 255, 0, 0, 255), plain(6, 4, 0, 0, 255, 255), plain(6, 4, 9, 200, 9, 255)], { fps: 20 });
    expect(blocks(gif)).toMatchObject({ signature: "GIF89a", width: 6, height: 4, images: 3, delays: [5, 5, 5], repeat: 0 });
  });

  it("clears between frames that have holes", () => {
    const seen = blocks(encodeGif([plain(4, 4, 0, 0, 0, 0), plain(4, 4, 50, 60, 70, 255)]));
    expect(seen.transparent).toEqual([true, true]);
    expect(seen.disposals).toEqual([2, 2]);
  });

  it("gives the same bytes twice and refuses what makes no GIF", () => {
    const frames = [plain(5, 5, 1, 2, 3, 255), plain(5, 5, 200, 100, 0, 255)];
    expect(Buffer.compare(encodeGif(frames), encodeGif(frames))).toBe(0);
    expect(() => encodeGif([])).toThrow(ArgumentError);
    expect(() => encodeGif([plain(2, 2, 0, 0, 0, 255), plain(3, 2, 0, 0, 0, 255)])).toThrow(/2 x 2 and of 3 x 2/);
    expect(() => encodeGif(frames, { fps: 0 })).toThrow(RangeMismatchError);
    expect(() => encodeGif(frames, { loops: -1 })).toThrow(RangeMismatchError);
  });
});
