import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

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
});
