import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../integrations/spine");
const isInstalled = existsSync(join(folder, "node_modules"));
const hasBrowser = existsSync(process.env["CHROMIUM"] ?? "/usr/bin/chromium");
if (!isInstalled) console.log("skipped: the official renderers (npm install in test/integrations/spine brings them)");
else if (!hasBrowser) console.log("skipped: the official renderers (no browser)");
const isNightly = process.env["OSTEON_NIGHTLY"] === "1";

/** Pages of one run: a run takes each picture once. The nightly form takes all renderers and every export that is there. */
const RUNS = isNightly ? ["webgl own own-canvas", "canvas", "pixi", "phaser", "three"] : ["webgl own"];

describe.skipIf(!isInstalled || !hasBrowser)("the official renderers with osteon as their core", () => {
  it.each(RUNS)("%s show the same picture", { timeout: isNightly ? 1_200_000 : 240_000 }, (pages) => {
    const args = [join(folder, "run.mjs"), ...pages.split(" "), ...(isNightly ? [] : ["--only", "fennel"])];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toContain("ok ");
  });
});
