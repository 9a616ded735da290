import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { describe, expect, it } from "vitest";

describe("a steady frame of a graph and of a state machine", () => {
  it("leaves no object behind, and no byte in linear memory", () => {
    const outfile = fileURLToPath(new URL("../../output/graph-allocation.mjs", import.meta.url));
    buildSync({
      entryPoints: [fileURLToPath(new URL("./allocation.frames.ts", import.meta.url))], outfile, bundle: true, format: "esm", platform: "node",
      target: "node20", logLevel: "error",
    });
    const results = JSON.parse(execFileSync(process.execPath, ["--expose-gc", outfile], { encoding: "utf8" })) as Record<string, number>;
    expect(Object.keys(results).length).toBe(4);
    expect(results["graph, linear memory"]).toBe(0);
    expect(results["state machine, linear memory"]).toBe(0);
    expect(results["state machine"]).toBeLessThan(2);
    // A boxed number is 16 bytes. How many the engine makes depends on what it inlines: one to four were seen in a frame of
    // thirteen clips, so one for each clip would fail here.
    expect(results["graph"]).toBeLessThan(80);
  });
});
