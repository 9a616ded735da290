import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";

it("leaves no garbage behind in a steady frame: poses, vertices, commands, boxes and bounds", async () => {
  const folder = mkdtempSync(join(tmpdir(), "osteon-"));
  try {
    const outfile = join(folder, "frame.mjs");
    await build({
      entryPoints: [fileURLToPath(new URL("./steady-frame.ts", import.meta.url))], outfile,
      bundle: true, format: "esm", platform: "node", target: "node20",
    });
    const bytes = JSON.parse(execFileSync(process.execPath, ["--expose-gc", outfile], { encoding: "utf8" })) as Record<string, number>;
    // Reading the counter leaves a few hundred bytes in all; one number boxed per frame would be 16,000.
    for (const [step, left] of Object.entries(bytes)) expect(left, step).toBeLessThan(4000);
    expect(Object.keys(bytes)).toHaveLength(6);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
