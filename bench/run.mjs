/**
 * Runs benchmarks: npm run bench [-- name ... [--only rig]]
 *
 * Every bench/<name>.ts is bundled and run in a process of its own. A folder bench/<name> with a package.json races heavy
 * peers: they are installed there on first use. Without names, all of them, one after the other.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
const words = process.argv.slice(2);
const flagAt = words.findIndex((word) => word.startsWith("--"));
const flags = flagAt < 0 ? [] : words.slice(flagAt);
const names = flagAt < 0 ? words : words.slice(0, flagAt);

const available = readdirSync("bench").filter((file) => file.endsWith(".ts")).map((file) => file.slice(0, -3)).toSorted();
const withPeers = readdirSync("bench").filter((folder) => existsSync(join("bench", folder, "run.mjs"))).toSorted();
const unknown = names.filter((name) => !available.includes(name) && !withPeers.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}. There are: ${[...available, ...withPeers].join(", ")}.`);
  process.exit(2);
}

spawnSync(process.execPath, ["scripts/build-wasm.mjs"], { stdio: "inherit" });
let failed = 0;
for (const name of names.length > 0 ? names : [...available, ...withPeers]) {
  if (withPeers.includes(name)) {
    if (!existsSync(join("bench", name, "node_modules"))) spawnSync("npm", ["ci", "--prefix", join("bench", name)], { stdio: "inherit" });
    console.log(`\n# ${name}`);
    const { status } = spawnSync(process.execPath, ["--expose-gc", join("bench", name, "run.mjs"), ...flags], { stdio: "inherit" });
    if (status !== 0) failed++;
    continue;
  }
  const outfile = join("build/bench", `${name}.mjs`);
  await build({
    entryPoints: [`bench/${name}.ts`], outfile, bundle: true, format: "esm", platform: "node", target: "node20",
    packages: "external", logLevel: "warning", banner: { js: `import { createRequire as __cr } from "node:module"; const require = __cr(import.meta.url);` },
  });
  console.log(`\n# ${name}`);
  const { status } = spawnSync(process.execPath, ["--expose-gc", outfile, ...flags], { stdio: "inherit" });
  if (status !== 0) failed++;
}
process.exit(failed === 0 ? 0 : 1);
