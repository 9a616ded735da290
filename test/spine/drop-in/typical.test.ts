import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const CORES = { official: undefined, osteon: join(root, "src/spine/index.ts") };

describe("code that was written for the official core", () => {
  it.each(Object.entries(CORES))("compiles with the types of the %s core", (name, core) => {
    const folder = join(root, "test/output");
    mkdirSync(folder, { recursive: true });
    const config = join(folder, `tsconfig.drop-in-${name}.json`);
    writeFileSync(config, JSON.stringify({
      extends: "../../tsconfig.json",
      compilerOptions: core === undefined ? {} : { paths: { "@esotericsoftware/spine-core": ["../../src/spine/index.ts"] } },
      include: ["../spine/drop-in/typical.ts"], exclude: [],
    }));
    let report = "";
    try {
      execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", config], { encoding: "utf8" });
    } catch (error) {
      report = (error as { stdout: string }).stdout;
    }
    // What the program itself gets wrong; the library is checked by its own type check.
    expect(report.split("\n").filter((line) => line.includes("typical.ts"))).toEqual([]);
  });

  it("does the same with either core: poses, events, skins, drawing, clipping, hits", async () => {
    const folder = mkdtempSync(join(tmpdir(), "osteon-"));
    try {
      const results: Record<string, unknown> = {};
      for (const [name, core] of Object.entries(CORES)) {
        const outfile = join(folder, `${name}.mjs`);
        await build({
          entryPoints: [join(here, "typical.ts")], outfile, bundle: true, format: "esm", platform: "node", target: "node20",
          ...(core === undefined ? {} : { alias: { "@esotericsoftware/spine-core": core } }),
        });
        results[name] = use((await import(pathToFileURL(outfile).href)) as typeof import("./typical.js"));
      }
      expect(near(results["osteon"], results["official"], "")).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function use({ Character, load }: typeof import("./typical.js")): unknown {
  const assets = join(root, "examples/assets/fennel");
  const data = load(readFileSync(join(assets, "fennel.atlas"), "utf8"), JSON.parse(readFileSync(join(assets, "fennel.json"), "utf8")));
  const character = new Character(data);
  character.wear("ember");
  character.play("walk");
  const drawn: unknown[] = [];
  for (let frame = 0; frame < 90; frame++) {
    character.update(1 / 30);
    if (frame % 30 !== 29) continue;
    character.draw((vertices, count, _texture, blend) => drawn.push([count, blend, Array.from({ length: count * 2 }, (_, i) => vertices[i]!)]));
  }
  const box = character.skeleton.getBoundsRect();
  return { events: character.events, drawn, box, hit: character.hits(box.x + box.width / 2, box.y + box.height / 2) };
}

/** Differences above a hundredth of a unit. */
function near(found: any, expected: any, path: string): string[] {
  if (typeof expected === "number") return Math.abs(found - expected) <= 0.01 ? [] : [`${path}: ${found}, expected ${expected}`];
  if (typeof expected !== "object" || expected === null) return found === expected ? [] : [`${path}: ${found}, expected ${expected}`];
  if (Object.keys(found).length !== Object.keys(expected).length) return [`${path}: ${Object.keys(found).length} entries, expected ${Object.keys(expected).length}`];
  return Object.keys(expected).flatMap((key) => near(found[key], expected[key], `${path}.${key}`)).slice(0, 5);
}
