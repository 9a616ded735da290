/** Crowds that ask for workers where memory is not shared. Prints what they have, what they said, and whether all updates give the same. */
import { readFileSync } from "node:fs";
import { AnimSkeleton } from "../../src/anim/index.js";
import { Crowd, Crowd3D } from "../../src/crowd/index.js";
import { AtlasAttachmentLoader, SkeletonJson, TextureAtlas } from "../../src/spine/index.js";
import { configureMemory } from "../../src/wasm/index.js";

configureMemory({ shared: false });
const warnings: string[] = [];
console.warn = (text: string) => warnings.push(text);
const folder = "examples/assets/fennel/fennel";
const loader = new AtlasAttachmentLoader(new TextureAtlas(readFileSync(`${folder}.atlas`, "utf8")));
const data = new SkeletonJson(loader).readSkeletonData(readFileSync(`${folder}.json`, "utf8"));
const crowds = [new Crowd(data), new Crowd(data)] as const;
for (const crowd of crowds) for (let i = 0; i < 200; i++) crowd.spawn({ animation: "walk", time: i / 50 });
crowds[0].workers = 2;
let same = true;
for (let frame = 0; frame < 10; frame++) {
  await crowds[0].updateAsync(0.03);
  crowds[1].update(0.03);
  same &&= crowds[0].palette.every((value, i) => value === crowds[1].palette[i]);
}
const skeleton = new AnimSkeleton();
skeleton.addBone("root", -1);
const solid = new Crowd3D(skeleton);
solid.workers = 1;
solid.spawn();
await solid.updateAsync(0.1);
console.log(JSON.stringify({ workers: [crowds[0].workers, solid.workers], warnings, same }));
