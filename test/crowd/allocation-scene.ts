import { readFileSync } from "node:fs";
import { bytesPerWindow } from "../../bench/lib/heap.js";
import { Crowd, CrowdVertices } from "../../src/crowd/index.js";
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

/** The same of a crowd whose levels of detail are chosen in every frame, and of its vertices. */
function measureVertices(): number {
  const crowd = new Crowd(data, { slots: true, detail: { slots: [data.slots[3]!.name], constraints: [data.constraints[0]!.name] } });
  crowd.levels = [{ within: 100 }, { within: 300, rate: 20, between: "interpolate" }, { rate: 10, detail: false }];
  for (let i = 0; i < 8; i++) crowd.spawn({ animation: data.animations[i % data.animations.length]!.name, time: i / 9, x: i * 60, skin: data.skins[1]!.name });
  const vertices = new CrowdVertices(crowd);
  const rows = Uint32Array.from({ length: 8 }, (_, i) => 7 - i);
  // A number in a variable of a closure would be boxed.
  const sum = new Float64Array(1);
  let step = 0;
  const bytes = bytesPerWindow(() => {
    step++;
    crowd.chooseLevels(step & 64, 0);
    crowd.update(1 / 64);
    sum[0]! += vertices.compute(rows);
    sum[0]! += vertices.positions[0]!;
    const { uvs, light, dark, indices, ranges, starts } = vertices;
    sum[0]! += uvs.length + light.length + dark.length + indices.length + ranges.length + starts.length;
  }, 3000);
  if (!(sum[0]! > 0)) throw new Error("there was nothing to see");
  vertices.dispose();
  crowd.dispose();
  return bytes;
}

console.log(JSON.stringify({ plain: measure(false), slots: measure(true), vertices: measureVertices() }));
