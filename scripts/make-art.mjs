// Writes the built-in character to examples/assets. `node scripts/make-art.mjs`
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CHARACTER, generate, skeletonText } from "./art/generate.mjs";

const folder = fileURLToPath(new URL(`../examples/assets/${CHARACTER}/`, import.meta.url));
const { page, png, skeleton } = generate();
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}${CHARACTER}.png`, png);
writeFileSync(`${folder}${CHARACTER}.atlas`, page.atlas);
writeFileSync(`${folder}${CHARACTER}.json`, skeletonText(skeleton));
console.log(`${CHARACTER}: ${skeleton.bones.length} bones, ${skeleton.slots.length} slots, page ${page.width} x ${page.height}, ${png.length} bytes`);
