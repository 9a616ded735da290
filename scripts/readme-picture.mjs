/**
 * Makes docs/crowd.png, the picture of the README: `node scripts/readme-picture.mjs` after `npm run build`.
 *
 * Draws the crowd large, shrinks it, and stores it with 256 colours, so that it stays below 400 KB.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import gifenc from "gifenc";

const { quantize } = gifenc;
const root = resolve(import.meta.dirname, "..");
const WIDTH = 1088, HEIGHT = 612, TIMES = 2;

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
const indices = diffuse(small, palette);
const file = indexedPng(WIDTH, HEIGHT, palette, indices);
writeFileSync(join(root, "docs/crowd.png"), file);
console.log(`docs/crowd.png: ${file.length} bytes, ${palette.length} colours`);

/** Nearest colours, the error of each pixel handed on to its neighbours (Floyd and Steinberg's shares). */
function diffuse(pixels, colors) {
  const out = new Uint8Array(WIDTH * HEIGHT), work = Float32Array.from(pixels);
  for (let y = 0, i = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++, i++) {
      const at = i * 4;
      let best = 0, least = Infinity;
      for (let k = 0; k < colors.length; k++) {
        const [r, g, b] = colors[k];
        const d = (work[at] - r) ** 2 + (work[at + 1] - g) ** 2 + (work[at + 2] - b) ** 2;
        if (d < least) [least, best] = [d, k];
      }
      out[i] = best;
      for (let c = 0; c < 3; c++) {
        const error = (work[at + c] - colors[best][c]) * 0.8;
        if (x + 1 < WIDTH) work[at + 4 + c] += (error * 7) / 16;
        if (y + 1 === HEIGHT) continue;
        if (x > 0) work[at + WIDTH * 4 - 4 + c] += (error * 3) / 16;
        work[at + WIDTH * 4 + c] += (error * 5) / 16;
        if (x + 1 < WIDTH) work[at + WIDTH * 4 + 4 + c] += error / 16;
      }
    }
  }
  return out;
}

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
