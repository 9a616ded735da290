/** Run as a bundle: prints the bytes that one update of 2,000 motions and of 2,000 sprite players allocates, as JSON. */
import { EASE_NAMES, MotionStore, propertySink } from "../../../src/anim/motion/index.js";
import { SpriteAnim, SpriteBatch, SpriteClip, SpriteSheet } from "../../../src/anim/sprite/index.js";

function bytesPerCall(call: () => void): number {
  // Long enough for the optimising compiler: before it, every number that passes a call is boxed.
  for (let i = 0; i < 3000; i++) call();
  let least = Infinity;
  for (let round = 0; round < 5; round++) {
    globalThis.gc!();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 300; i++) call();
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / 300);
  }
  return Math.max(0, least);
}

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

console.log(JSON.stringify({ motions: bytesPerCall(() => store.update(1 / 60)), sprites: bytesPerCall(() => batch.update(1 / 60)) }));
