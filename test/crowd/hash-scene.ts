import { Crowd } from "../../src/crowd/index.js";
import { AtlasAttachmentLoader, SkeletonJson, TextureAtlas } from "../../src/spine/index.js";
import { configureMemory, heap } from "../../src/wasm/index.js";
import atlas from "../../examples/assets/fennel/fennel.atlas";
import json from "../../examples/assets/fennel/fennel.json" with { type: "json" };

/**
 * A crowd with cross-fades, overlays, queues, mirrored and hidden characters, run for a number of frames.
 * @returns hash (FNV-1a, 32 bits, of all palettes as words) and whether memory was shared
 */
export async function run(characters: number, frames: number, workers: number, shared?: boolean): Promise<{ hash: string; shared: boolean }> {
  if (shared !== undefined) configureMemory({ shared });
  const data = new SkeletonJson(new AtlasAttachmentLoader(new TextureAtlas(atlas))).readSkeletonData(json);
  const names = data.animations.map((animation) => animation.name);
  const crowd = new Crowd(data, { capacity: characters });
  if (workers > 0) {
    crowd.workers = workers;
    while (crowd.readyWorkers < crowd.workers) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const ids = Array.from({ length: characters }, (_, i) =>
    crowd.spawn({
      animation: names[i % names.length]!, time: (i % 11) / 7, speed: 0.5 + (i % 5) / 4, loop: i % 6 !== 0, x: i * 10, scaleX: i % 3 === 0 ? -1 : 1,
      skin: data.skins[i % data.skins.length]!.name,
    }),
  );
  let hash = 0x811c9dc5;
  for (let frame = 0; frame < frames; frame++) {
    const id = ids[(frame * 7) % ids.length]!;
    if (frame % 3 === 0) crowd.play(id, names[(frame >> 2) % names.length]!, { mix: 0.05 + (frame % 4) / 10 });
    if (frame % 5 === 0) crowd.playOverlay(id, names[(frame >> 3) % names.length]!, { alpha: 0.4, mix: 0.1 });
    if (frame % 11 === 0) crowd.stopOverlay(id, 0.2);
    if (frame % 13 === 0) crowd.setVisible(id, frame % 2 === 0);
    crowd.update(1 / 60);
    const { palette } = crowd;
    const words = new Uint32Array(palette.buffer, palette.byteOffset, palette.length);
    for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i]!, 0x01000193);
  }
  // The bits of what is not a number may differ between engines, so there must be none.
  if (!crowd.palette.every(Number.isFinite)) throw new Error("a palette has values that are no numbers");
  return { hash: (hash >>> 0).toString(16).padStart(8, "0"), shared: heap.shared };
}
