import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { describe, expect, test } from "vitest";
import { Crowd, CrowdVertices, RANGE_WORDS } from "../../src/crowd/index.js";
import { builtIn } from "./rigs.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const text = readFileSync(join(here, "../../docs/crowds.md"), "utf8");

describe("docs/crowds.md", () => {
  test("lists only rules that have a test of their name", () => {
    const rules = [...text.matchAll(/^- (.+) \(`([^`]+)`\)$/gm)];
    expect(rules.length).toBeGreaterThan(30);
    for (const [, rule, file] of rules) {
      expect(readFileSync(join(here, file!), "utf8"), `${file}: ${rule}`).toContain(`"${rule}"`);
    }
  });

  test("has code that runs", { timeout: 60_000 }, async () => {
    const blocks = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!);
    expect(blocks.length).toBeGreaterThan(5);
    // The blocks follow each other on one crowd.
    const { code } = await transform(`export default async (Crowd, CrowdVertices, RANGE_WORDS, data, console) => {\n${blocks.join("\n")}\n}`, { loader: "ts", format: "esm" });
    const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { default: (...given: unknown[]) => Promise<void> };
    const lines: unknown[][] = [];
    await module.default(Crowd, CrowdVertices, RANGE_WORDS, builtIn(), { log: (...line: unknown[]) => lines.push(line) });
    expect(lines.some((line) => line.includes("indices"))).toBe(true);
    expect(lines.some((line) => /units/.test(String(line[1])))).toBe(true);
  });
});
