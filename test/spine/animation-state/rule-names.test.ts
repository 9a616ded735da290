import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const here = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

describe("docs/animation-state.md", () => {
  const rules = [...here("../../../docs/animation-state.md").matchAll(/^- (.+?)(?: \(`([^`]+)`\))?$/gm)];
  const titles = (file: string): string[] => [...here(file).matchAll(/\bit\(\s*["`](.+?)["`],/g)].map(([, title]) => title!);

  it("lists only rules that have a test of their name", () => {
    for (const [, rule, file] of rules) expect(titles(file ?? "rules.test.ts"), rule).toContain(rule);
  });

  it("lists every rule that rules.test.ts checks", () => {
    const listed = rules.filter(([, , file]) => file === undefined).map(([, rule]) => rule);
    expect(listed.toSorted()).toEqual(titles("rules.test.ts").toSorted());
  });
});
