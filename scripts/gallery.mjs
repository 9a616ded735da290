// Takes the pictures of the gallery, examples/shared/pictures/<page>.jpg, in Chromium. `node scripts/gallery.mjs [page ...]`
// after `npm run build`.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../", import.meta.url));
const { serve } = await import(pathToFileURL(join(root, "dist/node/start.js")).href);
const examples = join(root, "examples");
const pictures = join(examples, "shared/pictures");
const chosen = process.argv.slice(2);
const pages = readdirSync(examples).filter((name) => existsSync(join(examples, name, "index.html")) && (chosen.length === 0 || chosen.includes(name)));
const fennel = "/examples/assets/fennel/fennel";
const settings = { skeleton: `${fennel}.json`, atlas: `${fennel}.atlas`, animation: null, count: 1500, pages: ["fennel.png"] };
const mounts = ["examples", "dist", "node_modules"].map((name) => ({ prefix: `/${name}/`, folder: join(root, name) }));
const { server, port } = await serve(mounts, new Map([["/crowd.json", JSON.stringify(settings)]]), 0);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
mkdirSync(pictures, { recursive: true });
for (const name of pages) {
  const page = await browser.newPage({ viewport: { width: 960, height: 540 }, deviceScaleFactor: 0.5 });
  await page.goto(`http://localhost:${port}/examples/${name}/`);
  await page.waitForTimeout(6000);
  await page.screenshot({ path: join(pictures, `${name}.jpg`), type: "jpeg", quality: 72, timeout: 120_000 });
  await page.close();
  console.log(`examples/shared/pictures/${name}.jpg`);
}
await browser.close();
server.close();
