/**
 * Run as a bundle: prints the bytes that 1,000 updates of 2,000 motions and of 2,000 sprite players leave behind, and the bytes
 * per started motion, as JSON.
 */
import { bytesPerWindow } from "../../../bench/lib/heap.js";
import { EASE_NAMES, FloatRef, MotionStore, propertySink } from "../../../src/anim/motion/index.js";
import { SpriteAnim, SpriteBatch, SpriteClip, SpriteSheet } from "../../../src/anim/sprite/index.js";

const store = new MotionStore();
for (let i = 0; i < 2000; i++) {
  const builder = store.motion(0.5, 100.5, 1 + (i % 50) / 10).ease(EASE_NAMES[i % 31]!).loops(-1, "yoyo");
  if (i % 2 === 0) builder.run();
  else builder.bind(propertySink({ x: 0.5 }, "x"));
}

const sheet = new SpriteSheet();
sheet.setGrid(8, 8, 16, 16);
const clip = new SpriteClip("walk");
clip.addRange(0, 63, 12);
const batch = new SpriteBatch();
for (let i = 0; i < 2000; i++) {
  const player = new SpriteAnim();
  player.setSheet(sheet);
  player.bindQuad({ setViewport() {} });
  player.play(clip);
  player.setTime((i % 64) / 64);
  batch.add(player);
}

const STARTS = 20_000;
const starter = new MotionStore();
const sink = new FloatRef();
function bytesPerStart(): number {
  globalThis.gc!();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < STARTS; i++) starter.motion(0, 100, 1 + (i % 50) / 10).ease(EASE_NAMES[i % 31]!).delay(0.5).loops(2, "yoyo").bind(sink);
  const grown = process.memoryUsage().heapUsed - before;
  starter.cancelAllMotions();
  return grown < 0 ? Infinity : grown / STARTS;
}
let start = Infinity;
for (let round = 0; round < 12; round++) start = Math.min(start, bytesPerStart());

console.log(JSON.stringify({ start, motions: bytesPerWindow(() => store.update(1 / 60), 1000), sprites: bytesPerWindow(() => batch.update(1 / 60), 1000) }));
