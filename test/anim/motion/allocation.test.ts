import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { expect, it } from "vitest";

it("a steady update of motions and of sprite players allocates nothing", () => {
  const folder = mkdtempSync(join(tmpdir(), "osteon-"));
  try {
    const outfile = join(folder, "probe.mjs");
    buildSync({ entryPoints: ["test/anim/motion/allocation-probe.ts"], bundle: true, format: "esm", platform: "node", target: "node20", outfile });
    const { motions, sprites } = JSON.parse(execFileSync(process.execPath, ["--expose-gc", outfile], { encoding: "utf8" })) as Record<string, number>;
    // The statistics themselves allocate a little; one object per motion would be over 16,000.
    expect(motions).toBeLessThan(64);
    expect(sprites).toBeLessThan(64);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
