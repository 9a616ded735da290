/** Bundles main.ts and runs it: npm ci in this folder, then node bench/springs/run.mjs  from anywhere. */
import { spawnSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");
spawnSync(process.execPath, [join(root, "scripts/build-wasm.mjs"), "rig3d"], { stdio: "inherit" });
const outfile = join(here, "node_modules/.build/main.mjs");
await build({ entryPoints: [join(here, "main.ts")], outfile, bundle: true, format: "esm", platform: "node", target: "node20", packages: "external", logLevel: "warning" });
process.exit(spawnSync(process.execPath, ["--expose-gc", outfile, ...process.argv.slice(2)], { stdio: "inherit" }).status ?? 1);
