/** Run as a bundle: prints the bytes that 1,000 updates of 2,000 motions and of 2,000 sprite players leave behind, as JSON. */
import { bytesPerWindow } from "../../../bench/lib/heap.js";
import { EASE_NAMES, MotionStore, propertySink } from "../../../src/anim/motion/index.js";
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

console.log(JSON.stringify({ motions: bytesPerWindow(() => store.update(1 / 60), 1000), sprites: bytesPerWindow(() => batch.update(1 / 60), 1000) }));
