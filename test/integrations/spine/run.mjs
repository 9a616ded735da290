/**
 * Runs the official renderers twice, with the official core and with osteon in its place, in a real browser, and compares the
 * pictures: at most 0.1 % of the pixels may differ. Unmodified packages, one alias of the bundler.
 *
 * Usage: npm install && node run.mjs [page ...] [--only skeleton] [--all] [--frames]
 * --all takes every export that is there; --built takes the kernels as they are; --frames also measures 300 characters in spine-webgl, side by side.
 */
import { createServer } from "node:http";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../../..");
const fromRoot = createRequire(join(root, "package.json"));
const { build } = fromRoot("esbuild");
const { chromium } = fromRoot("playwright-core");
const { decode } = await import(fromRoot.resolve("fast-png"));

const words = process.argv.slice(2);
const only = words.includes("--only") ? words[words.indexOf("--only") + 1] : "";
const names = words.filter((word, i) => !word.startsWith("--") && words[i - 1] !== "--only");
/** Page, what it is compared with, and how many of the pixels may differ. */
const CONTESTS = [
  ...["webgl", "canvas", "pixi", "phaser", "three"].map((page) => ({ name: page, left: `${page}-official`, right: `${page}-osteon`, most: 0.001 })),
  // Renderers of our own: the same picture by other means.
  { name: "own", left: "webgl-official", right: "own-osteon", most: 0.01 },
  { name: "own-canvas", left: "webgl-official", right: "own-canvas-osteon", most: 0.03 },
].filter(({ name }) => names.length === 0 || names.includes(name));
/** Levels (of 255) by which a channel may differ: rounding of blended edges. */
const LEVELS = 4;

const SCENES = [{ folder: "fennel", skeleton: "fennel.json", atlas: "fennel.atlas", animation: "walk", skin: "ember" }];
/** Further exports, with --all. */
const FURTHER = [
  ["4-wave-principle", "4-wave-principle-ess", "wave-offset"], ["alien", "alien-pro", "run"], ["celestial-circus", "celestial-circus-pro", "swing"], ["mix-and-match", "mix-and-match-pro", "walk", "full-skins/girl"],
  ["snowglobe", "snowglobe-pro", "shake"], ["stretchyman", "stretchyman-pro", "idle"], ["tank", "tank-pro", "drive"],
];
const shared = resolve(root, "../shared/data/spine/4.3");
if (existsSync(shared)) {
  SCENES.push(
    { folder: "spineboy", skeleton: "spineboy-pro.json", atlas: "spineboy.atlas", animation: "walk" },
    { folder: "raptor", skeleton: "raptor-pro.json", atlas: "raptor.atlas", animation: "walk" },
    { folder: "goblins", skeleton: "goblins-pro.json", atlas: "goblins.atlas", animation: "walk", skin: "goblin" },
    { folder: "vine", skeleton: "vine-pro.json", atlas: "vine.atlas", animation: "grow", steps: 40 },
    { folder: "coin", skeleton: "coin-pro.json", atlas: "coin.atlas", animation: "animation" },
    { folder: "owl", skeleton: "owl-pro.json", atlas: "owl.atlas", animation: "idle" },
  );
  if (words.includes("--all")) {
    const have = new Set(SCENES.map(({ folder }) => folder));
    for (const folder of readdirSync(shared)) {
      if (have.has(folder) || !existsSync(join(shared, folder, `${folder}.atlas`))) continue;
      const file = readdirSync(join(shared, folder)).find((name) => name.endsWith("-pro.json")) ?? readdirSync(join(shared, folder)).find((name) => name.endsWith(".json"));
      if (file === undefined) continue;
      const { animations, skins } = JSON.parse(readFileSync(join(shared, folder, file), "utf8"));
      const known = FURTHER.find(([name]) => name === folder);
      const skin = known?.[3] ?? skins?.[1]?.name;
      SCENES.push({ folder, skeleton: file, atlas: `${folder}.atlas`, animation: known?.[2] ?? Object.keys(animations ?? {})[0], ...(skin === undefined ? {} : { skin }) });
    }
  }
} else {
  console.log('skipped: all scenes but the built-in character (third-party data "spine/4.3" is not here)');
}

const out = join(root, "build/integrations");
mkdirSync(out, { recursive: true });
if (!words.includes("--built")) execFileSync(process.execPath, ["scripts/build-wasm.mjs"], { cwd: root, stdio: "inherit" });
const bundles = new Set(CONTESTS.flatMap(({ left, right }) => [left, right]));
// One version of the official core for all: spine-threejs 4.3.4 brings a 4.3.4 of its own, which bends the skirt of celestial-circus in another way.
const officialCore = createRequire(import.meta.url).resolve("@esotericsoftware/spine-core");
if (words.includes("--frames")) bundles.add("webgl-official").add("webgl-osteon");
for (const bundle of bundles) {
  const at = bundle.lastIndexOf("-");
  await build({
    entryPoints: [join(here, "pages", `${bundle.slice(0, at)}.js`)], outfile: join(out, `${bundle}.js`), bundle: true, format: "esm",
    target: "es2022", logLevel: "error",
    alias: { "@esotericsoftware/spine-core": bundle.endsWith("-osteon") ? join(root, "src/spine/index.ts") : officialCore },
  });
}

const TYPES = { ".js": "text/javascript", ".json": "application/json", ".png": "image/png", ".atlas": "text/plain", ".html": "text/html" };
const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  if (path === "/favicon.ico") return response.writeHead(204).end();
  const page = /^\/page\/([\w-]+)$/.exec(path);
  if (page !== null) {
    response.writeHead(200, { "content-type": "text/html" });
    return response.end(`<!doctype html><meta charset="utf-8"><base href="/"><style>body{margin:0}</style><script type="module" src="/bundle/${page[1]}.js"></script>`);
  }
  const file = path.startsWith("/bundle/") ? join(out, path.slice(8))
    : [join(root, "examples/assets", path), join(shared, path)].find((candidate) => existsSync(candidate));
  if (file === undefined || path.includes("..") || !existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
  return response.end(readFileSync(file));
}).listen(0);
const origin = `http://localhost:${server.address().port}`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic",
    "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ],
});

async function open(bundle, query) {
  const tab = await browser.newPage({ viewport: { width: 640, height: 640 } });
  const problems = [];
  tab.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  tab.on("pageerror", (error) => problems.push(String(error)));
  await tab.goto(`${origin}/page/${bundle}?${new URLSearchParams(query)}`);
  await tab.waitForFunction(() => window.finished !== undefined, undefined, { timeout: 120_000 }).catch((error) => problems.push(String(error)));
  const finished = await tab.evaluate(() => window.finished);
  if (finished !== "done") problems.push(String(finished));
  return { tab, problems };
}

function differing(a, b) {
  const [p, q] = [decode(a), decode(b)];
  if (p.width !== q.width || p.height !== q.height) return { share: 1, strict: 1, colors: 0 };
  let count = 0;
  let strict = 0;
  const colors = new Set();
  for (let i = 0; i < p.width * p.height; i++) {
    let worst = 0;
    for (let c = 0; c < 3; c++) worst = Math.max(worst, Math.abs(p.data[i * p.channels + c] - q.data[i * q.channels + c]));
    if (worst > 0) strict++;
    if (worst > LEVELS) count++;
    if (colors.size < 1000) colors.add((p.data[i * p.channels] << 16) | (p.data[i * p.channels + 1] << 8) | p.data[i * p.channels + 2]);
  }
  const pixels = p.width * p.height;
  return { share: count / pixels, strict: strict / pixels, colors: colors.size };
}

/** Pictures that several contests need are taken once. */
const taken = new Map();
async function picture(bundle, query) {
  const key = `${bundle} ${JSON.stringify(query)}`;
  if (!taken.has(key)) {
    const { tab, problems } = await open(bundle, query);
    const shot = await tab.screenshot();
    await tab.close();
    writeFileSync(join(out, `${query.skeleton.slice(0, -5)}-${bundle}.png`), shot);
    taken.set(key, { shot, problems: problems.map((text) => `${bundle}: ${text}`) });
  }
  return taken.get(key);
}

let failures = 0;
for (const { name, left, right, most } of CONTESTS) {
  for (const query of SCENES) {
    if (!query.skeleton.includes(only)) continue;
    const [a, b] = [await picture(left, query), await picture(right, query)];
    const problems = [...a.problems, ...b.problems];
    const { share, strict, colors } = differing(a.shot, b.shot);
    const isBlank = colors < 3;
    const failed = share > most || isBlank || problems.length > 0;
    if (failed) failures++;
    console.log(`${failed ? "FAIL" : "ok  "} ${name.padEnd(10)} ${query.skeleton.padEnd(26)} ${(share * 100).toFixed(4)} % differ (${(strict * 100).toFixed(4)} % in the last bits)${isBlank ? ", blank" : ""}`);
    for (const problem of problems) console.log(`     ${problem.slice(0, 400)}`);
  }
}

if (words.includes("--frames")) {
  const scene = SCENES.find((s) => s.folder === "spineboy") ?? SCENES[0];
  const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
  const rounds = { official: { pose: [], draw: [] }, osteon: { pose: [], draw: [] } };
  for (let round = 0; round < 5; round++) {
    for (const core of round % 2 === 0 ? ["official", "osteon"] : ["osteon", "official"]) {
      const { tab, problems } = await open(`webgl-${core}`, { ...scene, crowd: 300 });
      if (problems.length > 0) throw new Error(problems.join("\n"));
      const times = await tab.evaluate(() => window.times);
      for (const kind of ["pose", "draw"]) rounds[core][kind].push(median(times[kind]));
      await tab.close();
    }
  }
  for (const kind of ["pose", "draw"]) {
    const [theirs, ours] = [median(rounds.official[kind]), median(rounds.osteon[kind])];
    console.log(`300 x ${scene.skeleton} in spine-webgl, ${kind}: official ${theirs.toFixed(2)} ms, osteon ${ours.toFixed(2)} ms, ${(theirs / ours).toFixed(2)} times as fast`);
  }
}

await browser.close();
server.close();
if (failures > 0) {
  console.error(`${failures} pictures differ. See ${out}.`);
  process.exit(1);
}
