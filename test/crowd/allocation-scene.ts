import { readFileSync } from "node:fs";
import { bytesPerWindow } from "../../bench/lib/heap.js";
import { Crowd } from "../../src/crowd/index.js";
import { AtlasAttachmentLoader, SkeletonJson, TextureAtlas } from "../../src/spine/index.js";

const folder = "examples/assets/fennel/fennel";
const loader = new AtlasAttachmentLoader(new TextureAtlas(readFileSync(`${folder}.atlas`, "utf8")));
const data = new SkeletonJson(loader).readSkeletonData(JSON.parse(readFileSync(`${folder}.json`, "utf8")) as object);

/** Bytes of garbage in windows of 10,000 frames: a crowd that walks, with events, one that cross-fades, one with slot states. */
function measure(slots: boolean): number {
  const crowd = new Crowd(data, { slots });
  for (let i = 0; i < 8; i++) crowd.spawn({ animation: data.animations[i % data.animations.length]!.name, time: i / 9 });
  let heard = 0;
  crowd.listener = { event: () => heard++, complete: () => heard++ };
  let sum = 0;
  const bytes = bytesPerWindow(() => {
    crowd.update(1 / 60);
    sum += crowd.palette[0]!;
  });
  if (!(heard > 0) || !Number.isFinite(sum)) throw new Error("the crowd did not play");
  crowd.dispose();
  return bytes;
}

console.log(JSON.stringify({ plain: measure(false), slots: measure(true) }));
