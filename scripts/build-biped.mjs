/**
 * Writes the built-in 3D character, examples/assets/biped.glb. Usage: node scripts/build-biped.mjs
 * The same sources give the same bytes; test/import/biped.test.ts compares.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { writeGlb } from "./biped/glb.mjs";

const folder = resolve(dirname(fileURLToPath(import.meta.url)), "../examples/assets");
mkdirSync(folder, { recursive: true });
const bytes = await writeGlb();
writeFileSync(join(folder, "biped.glb"), bytes);
console.log(`examples/assets/biped.glb  ${bytes.length} bytes`);
