import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const bin = (name: string): string => join(root, "test/packaging/node_modules/.bin", name);
const isInstalled = existsSync(bin("publint")) && existsSync(bin("attw"));
if (!isInstalled) console.log("skipped: publint and arethetypeswrong (npm ci in test/packaging)");

describe.skipIf(!isInstalled)("the packed package", () => {
  const folder = mkdtempSync(join(tmpdir(), "osteon-pack-"));
  let tarball = "";

  beforeAll(() => {
    // dist is what `prepare` has built; packing must not build it again.
    const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], { cwd: root, encoding: "utf8" })) as [{ filename: string }];
    tarball = join(folder, packed.filename);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("is clean for publint", () => {
    const output = execFileSync(bin("publint"), [tarball, "--strict"], { encoding: "utf8" });
    expect(output).toMatch(/All good|No .*(errors|problems)/i);
  });

  test("has types that resolve for every entry", { timeout: 180_000 }, () => {
    // Ends with an error if anything is wrong.
    const output = execFileSync(bin("attw"), [tarball, "--profile", "esm-only", "--format", "ascii"], { encoding: "utf8" });
    const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { exports: Record<string, unknown> };
    const entries = Object.keys(exports).filter((entry) => entry !== "./package.json");
    for (const entry of entries) expect(output).toContain(`"${entry.replace(".", "osteon")}"`);
    expect(output.match(/^ ?bundler: 🟢/gm)).toHaveLength(Object.keys(exports).length);
  });
});
