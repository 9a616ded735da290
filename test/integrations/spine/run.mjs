/**
 * Runs the official renderers twice, with the official core and with osteon in its place, in a real browser, and compares the
 * pictures: at most 0.1 % of the pixels may differ. Unmodified packages, one alias of the bundler.
 *
 * Usage: npm install && node run.mjs [page ...] [--only skeleton] [--frames]
 * --built takes the kernels as they are; --frames also measures 300 characters in spine-webgl, side by side.
 */
import { createServer } from "node:http";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
const PAGES = ["webgl", "canvas", "pixi", "phaser", "three"].filter((page) => names.length === 0 || names.includes(page));
const MOST = 0.001;
/** Levels (of 255) by which a channel may differ: rounding of blended edges. */
const LEVELS = 4;

const SCENES = [{ folder: "fennel", skeleton: "fennel.json", atlas: "fennel.atlas", animation: "walk", skin: "ember" }];
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
} else {
  console.log('skipped: all scenes but the built-in character (third-party data "spine/4.3" is not here)');
}

const out = join(root, "build/integrations");
mkdirSync(out, { recursive: true });
if (!words.includes("--built")) execFileSync(process.execPath, ["scripts/build-wasm.mjs"], { cwd: root, stdio: "inherit" });
for (const core of ["official", "osteon"]) {
  for (const page of PAGES) {
    await build({
      entryPoints: [join(here, "pages", `${page}.js`)], outfile: join(out, `${page}-${core}.js`), bundle: true, format: "esm", target: "es2022",
      logLevel: "error", minify: false,
      alias: core === "osteon" ? { "@esotericsoftware/spine-core": join(root, "src/spine/index.ts") } : {},
    });
  }
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

async function open(page, core, query) {
  const tab = await browser.newPage({ viewport: { width: 640, height: 640 } });
  const problems = [];
  tab.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  tab.on("pageerror", (error) => problems.push(String(error)));
  await tab.goto(`${origin}/page/${page}-${core}?${new URLSearchParams(query)}`);
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

let failures = 0;
for (const page of PAGES) {
  for (const query of SCENES) {
    if (!query.skeleton.includes(only)) continue;
    const shots = [];
    const problems = [];
    for (const core of ["official", "osteon"]) {
      const { tab, problems: found } = await open(page, core, query);
      problems.push(...found.map((text) => `${core}: ${text}`));
      const shot = await tab.screenshot();
      writeFileSync(join(out, `${page}-${query.folder}-${core}.png`), shot);
      shots.push(shot);
      await tab.close();
    }
    const { share, strict, colors } = differing(shots[0], shots[1]);
    const isBlank = colors < 8;
    const failed = share > MOST || isBlank || problems.length > 0;
    if (failed) failures++;
    console.log(`${failed ? "FAIL" : "ok  "} ${page.padEnd(7)} ${query.skeleton.padEnd(22)} ${(share * 100).toFixed(4)} % differ (${(strict * 100).toFixed(4)} % in the last bits)${isBlank ? ", blank" : ""}`);
    for (const problem of problems) console.log(`     ${problem.slice(0, 400)}`);
  }
}

if (words.includes("--frames")) {
  const scene = SCENES.find((s) => s.folder === "spineboy") ?? SCENES[0];
  const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
  const rounds = { official: { pose: [], draw: [] }, osteon: { pose: [], draw: [] } };
  for (let round = 0; round < 5; round++) {
    for (const core of round % 2 === 0 ? ["official", "osteon"] : ["osteon", "official"]) {
      const { tab, problems } = await open("webgl", core, { ...scene, crowd: 300 });
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
