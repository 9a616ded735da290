/**
 * Makes docs/crowd.png, the picture of the README: `node scripts/readme-picture.mjs` after `npm run build`.
 *
 * Draws the crowd large, shrinks it, and stores it with 256 colours, so that it stays below 400 KB.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import gifenc from "gifenc";

const { applyPalette, quantize } = gifenc;
const root = resolve(import.meta.dirname, "..");
const WIDTH = 960, HEIGHT = 540, TIMES = 2;

const { start } = await import(join(root, "dist/node/start.js"));
const { readPng } = await import(join(root, "dist/node/index.js"));
const folder = mkdtempSync(join(tmpdir(), "osteon-picture-"));
const code = await start(["--once", "--no-compare", "--width", String(WIDTH * TIMES), "--picture", join(folder, "crowd.png")], root);
if (code !== 0) process.exit(code);
const large = readPng(join(folder, "crowd.png"));
rmSync(folder, { recursive: true });

const small = new Uint8ClampedArray(WIDTH * HEIGHT * 4);
for (let y = 0, o = 0; y < HEIGHT; y++) {
  for (let x = 0; x < WIDTH; x++, o += 4) {
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let v = 0; v < TIMES; v++) for (let u = 0; u < TIMES; u++) sum += large.data[((y * TIMES + v) * large.width + x * TIMES + u) * 4 + c];
      small[o + c] = Math.round(sum / (TIMES * TIMES));
    }
    small[o + 3] = 255;
  }
}
const palette = quantize(small, 256, { format: "rgb565" });
// A fixed pattern of small errors hides the steps of the sky.
const BAYER = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
for (let y = 0, o = 0; y < HEIGHT * 0.25; y++) {
  for (let x = 0; x < WIDTH; x++, o += 4) {
    const by = (BAYER[(y & 3) * 4 + (x & 3)] - 7.5) * 0.75;
    for (let c = 0; c < 3; c++) small[o + c] += by;
  }
}
const indices = applyPalette(small, palette, "rgb565");
const file = indexedPng(WIDTH, HEIGHT, palette, indices);
writeFileSync(join(root, "docs/crowd.png"), file);
console.log(`docs/crowd.png: ${file.length} bytes, ${palette.length} colours`);

/** PNG of colour type 3. */
function indexedPng(width, height, colors, pixels) {
  const raw = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) Buffer.from(pixels.buffer, pixels.byteOffset + y * width, width).copy(raw, y * (width + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const chunk = (type, data) => {
    const out = Buffer.alloc(12 + data.length);
    out.writeUInt32BE(data.length, 0);
    out.write(type, 4, "latin1");
    out.set(data, 8);
    out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
    return out;
  };
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk("IHDR", header), chunk("PLTE", Buffer.from(colors.flatMap((c) => c.slice(0, 3)))),
    chunk("IDAT", deflateSync(raw, { level: 9 })), chunk("IEND", Buffer.alloc(0)),
  ]);
}
