import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

// Bundled and in a process of its own, as an application runs: module loaders of test runners box numbers.
test("a steady frame of a crowd leaves no garbage, with events and slot states too", { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "osteon-heap-"));
  const outfile = join(folder, "scene.mjs");
  try {
    await build({
      entryPoints: [fileURLToPath(new URL("allocation-scene.ts", import.meta.url))], outfile, bundle: true, format: "esm", platform: "node", target: "node20",
      logLevel: "warning",
    });
    const output = execFileSync(process.execPath, ["--expose-gc", outfile], { encoding: "utf8", cwd: fileURLToPath(new URL("../../", import.meta.url)) });
    expect(JSON.parse(output)).toEqual({ plain: 0, slots: 0 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
