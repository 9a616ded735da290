/**
 * Draws every animation of a skeleton at eight moments, one row per animation and look, to see it as a whole.
 * `node scripts/contact-sheet.mjs sheet.png [skeleton.json]` after `npm run build`.
 */
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const { Rasterizer, drawSkeleton, readSkeleton, writePng } = await import(resolve(root, "dist/node/index.js"));
const { AnimationState, AnimationStateData, Physics, Skeleton } = await import(resolve(root, "dist/spine/index.js"));

const [out = "sheet.png", file = resolve(root, "examples/assets/fennel/fennel.json")] = process.argv.slice(2);
const COLUMNS = 8, CELL = 220, STEP = 1 / 60;
const { data } = readSkeleton(file);
const looks = data.skins.filter((skin) => skin !== data.defaultSkin).slice(0, 4);
const rows = data.animations.flatMap((animation) => (looks.length > 0 ? looks : [null]).map((skin) => ({ animation, skin })));
const raster = new Rasterizer(COLUMNS * CELL, rows.length * CELL);
raster.clear(0.87, 0.88, 0.91, 1);

rows.forEach(({ animation, skin }, row) => {
  const skeleton = new Skeleton(data), state = new AnimationState(new AnimationStateData(data));
  skeleton.setSkin(skin);
  skeleton.setupPose();
  skeleton.updateWorldTransform(Physics.reset);
  const { x, y, width, height } = skeleton.getBoundsRect();
  const scale = (CELL * 0.62) / Math.max(width, height, 1);
  state.setAnimation(0, animation.name, true);
  // Two cycles first, so that physics has come into its rhythm.
  const cycle = Math.max(animation.duration, STEP), lead = Math.ceil((2 * cycle) / STEP) * STEP;
  let time = 0;
  for (let column = 0; column < COLUMNS; column++) {
    for (const until = lead + (cycle * column) / COLUMNS; time < until - 1e-9;) {
      const seconds = Math.min(STEP, until - time);
      state.update(seconds);
      state.apply(skeleton);
      skeleton.update(seconds);
      skeleton.updateWorldTransform(Physics.update);
      time += seconds;
    }
    drawSkeleton(raster, skeleton, {
      scaleX: scale, scaleY: -scale, offsetX: (column + 0.5) * CELL - (x + width / 2) * scale, offsetY: (row + 0.95) * CELL + Math.min(y, 0) * scale,
    });
  }
  skeleton.dispose();
});
writePng(out, raster.toPixels());
console.log(`${out}: ${rows.map(({ animation, skin }) => `${animation.name}${skin ? ` (${skin.name})` : ""}`).join(", ")}`);
