/** Bundles main.ts, or with --start start.ts, and runs it: npm ci in this folder, then node bench/motion/run.mjs from anywhere. */
import { spawnSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");
spawnSync(process.execPath, [join(root, "scripts/build-wasm.mjs"), "motion"], { stdio: "inherit" });
const question = process.argv.includes("--start") ? "start" : "main";
const outfile = join(here, `node_modules/.build/${question}.mjs`);
await build({ entryPoints: [join(here, `${question}.ts`)], outfile, bundle: true, format: "esm", platform: "node", target: "node20", packages: "external", logLevel: "warning", external: ["gsap", "@tweenjs/tween.js"] });
process.exit(spawnSync(process.execPath, ["--expose-gc", outfile], { stdio: "inherit" }).status ?? 1);
