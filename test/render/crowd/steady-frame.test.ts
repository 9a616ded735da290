import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";

it("leaves no garbage behind when a crowd is updated and drawn", async () => {
  const folder = mkdtempSync(join(tmpdir(), "osteon-"));
  try {
    const outfile = join(folder, "frame.mjs");
    await build({
      entryPoints: [fileURLToPath(new URL("./steady-frame.ts", import.meta.url))], outfile, bundle: true, format: "esm", platform: "node", target: "node20",
    });
    const assets = fileURLToPath(new URL("../../../examples/assets/fennel", import.meta.url));
    const result = JSON.parse(execFileSync(process.execPath, ["--expose-gc", outfile, assets], { encoding: "utf8" })) as { least: number; drawn: number; drawCalls: number };
    expect(result.drawn).toBeGreaterThan(10);
    expect(result.drawCalls).toBeGreaterThan(0);
    // Reading the counter leaves a few hundred bytes in all; one boxed number per character and frame would be 100,000.
    expect(result.least).toBeLessThan(3000);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
