/**
 * Builds dist/: kernels, ES modules that share chunks (so that all entries live in one heap), declarations beside them; and
 * dist/modules, one module per source file, which bundlers take (the export condition "module"): from chunks they could not leave
 * out what a page does not use.
 * Usage: node scripts/build.mjs [--no-types], which leaves out what the TypeScript compiler writes: declarations and dist/modules
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { restoreNames } from "./restore-names.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);

/** Output path below dist -> source. */
const ENTRIES = {
  index: "src/index.ts",
  "spine/index": "src/spine/index.ts",
  "anim/index": "src/anim/index.ts",
  "crowd/index": "src/crowd/index.ts",
  "render/index": "src/render/index.ts",
  "node/index": "src/node/index.ts",
  "node/cli/main": "src/node/cli/main.ts",
  "node/start": "src/node/start.ts",
  "wasm/index": "src/wasm/index.ts",
  "wasm/worker": "src/wasm/worker.ts",
  "import/gltf/index": "src/import/gltf/index.ts",
  "import/fbx/index": "src/import/fbx/index.ts",
  "import/bvh/index": "src/import/bvh/index.ts",
};

/** Packages that the user brings; everything else is bundled. */
const PEERS = ["@gltf-transform/core", "onnxruntime-web", "onnxruntime-node", "three", "pixi.js", "@esotericsoftware/spine-core"];

execFileSync(process.execPath, ["scripts/build-wasm.mjs"], { stdio: "inherit" });
rmSync("dist", { recursive: true, force: true });

const entryPoints = Object.fromEntries(Object.entries(ENTRIES).filter(([, source]) => existsSync(source)));
await build({
  entryPoints,
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  platform: "neutral",
  mainFields: ["module", "main"],
  conditions: ["import"],
  external: [...PEERS, "node:*"],
  chunkNames: "chunks/[name]-[hash]",
  sourcemap: true,
  legalComments: "none",
  logLevel: "warning",
});

for (const file of walk("dist", ".js")) writeFileSync(file, restoreNames(readFileSync(file, "utf8")));

if (!process.argv.includes("--no-types")) {
  try {
    execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" });
  } finally {
    placeDeclarations();
  }
  await carryPackages();
}

/** Packages that are not peers are bundled for dist/modules, each into a module of its own. */
async function carryPackages() {
  const packages = new Set();
  for (const file of walk("dist/modules", ".js")) {
    const text = readFileSync(file, "utf8");
    const changed = text.replace(/^((?:import|export) [^;]*? from )"([^."][^"]*)";/gm, (statement, head, name) => {
      if (name.startsWith("node:") || PEERS.includes(name)) return statement;
      packages.add(name);
      return `${head}"${relative(dirname(file), `dist/modules/packages/${fileName(name)}`)}";`;
    });
    if (changed !== text) writeFileSync(file, changed);
  }
  for (const name of packages) {
    await build({
      entryPoints: [name], outfile: `dist/modules/packages/${fileName(name)}`, bundle: true, format: "esm", target: "es2022", platform: "neutral",
      mainFields: ["module", "main"], conditions: ["import"], external: ["node:*"], legalComments: "none", logLevel: "warning",
    });
  }
}

/** @param {string} name - of a package */
function fileName(name) {
  return `${name.replace("@", "").replaceAll("/", "-").replace(/(\.m?js)?$/, ".js")}`;
}

/** tsc writes dist/types/{src,assembly}; the declarations belong beside the modules. */
function placeDeclarations() {
  if (!existsSync("dist/types/src")) return;
  for (const file of walk("dist/types/src")) {
    const target = join("dist", relative("dist/types/src", file));
    const text = readFileSync(file, "utf8").replace(/(["'])((?:\.\.\/)*)\.\.\/assembly\//g, "$1$2assembly/").replace(/\n\/\/# sourceMappingURL.*\n?$/, "\n");
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  if (existsSync("dist/types/assembly")) cpSync("dist/types/assembly", "dist/assembly", { recursive: true });
  rmSync("dist/types", { recursive: true, force: true });
}

function* walk(folder, ending = ".d.ts") {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* walk(path, ending);
    else if (path.endsWith(ending)) yield path;
  }
}
