import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
// @ts-expect-error -- a script without types
import { restoreNames } from "../../scripts/restore-names.mjs";

test("bundled classes have the names that they are exported under", async () => {
  const entry = fileURLToPath(new URL("../../src/spine/index.ts", import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "esm", target: "es2022", platform: "neutral", write: false, external: ["node:*"] });
  const bundled = outputFiles[0]!.text;
  expect(bundled).toContain("= class _");
  const folder = mkdtempSync(join(tmpdir(), "osteon-names-"));
  try {
    const file = join(folder, "spine.mjs");
    writeFileSync(file, restoreNames(bundled) as string);
    const exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
    // Two inner classes exist twice, under one name.
    const twice = new Set(["BinaryInput", "EventQueue"]);
    const wrong = Object.entries(exported).filter(([name, value]) => typeof value === "function" && value.name !== name && !twice.has(name));
    expect(wrong.map(([name]) => name)).toEqual([]);
    expect(Object.keys(exported).length).toBeGreaterThan(100);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
