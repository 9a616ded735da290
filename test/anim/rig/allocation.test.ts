import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { describe, expect, it } from "vitest";

describe("a steady frame", () => {
  it("leaves no byte behind, on the heap and in linear memory", () => {
    const outfile = fileURLToPath(new URL("../../output/rig3d-allocation.mjs", import.meta.url));
    buildSync({
      entryPoints: [fileURLToPath(new URL("./allocation.frames.ts", import.meta.url))], outfile, bundle: true, format: "esm", platform: "node",
      target: "node20", logLevel: "error",
    });
    const results = JSON.parse(execFileSync(process.execPath, ["--expose-gc", outfile], { encoding: "utf8" })) as Record<string, number>;
    expect(Object.keys(results).length).toBe(7);
    // Medians over windows of hundreds of frames: a single number a frame would be 16 bytes.
    for (const [frame, bytes] of Object.entries(results)) expect(bytes, frame).toBeLessThan(1);
  });
});
