import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const anim = fileURLToPath(new URL("../../../src/anim/", import.meta.url));
/** Functions of the engine whose last bits are its own. */
const FREE = /Math\.(sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|exp|expm1|log|log2|log10|log1p|pow|cbrt|hypot)\(/;

it("tweens, motions, sprites, followers, trails, constraints and dynamic bones use no mathematics that differs between engines", () => {
  const found: string[] = [];
  for (const folder of ["tween", "motion", "sprite", "control", "trail", "spine-facade", "module", "constraints", "dynamic-bone"]) {
    for (const file of readdirSync(join(anim, folder))) {
      readFileSync(join(anim, folder, file), "utf8").split("\n").forEach((line, i) => FREE.test(line) && found.push(`${folder}/${file}:${i + 1} ${line.trim()}`));
    }
  }
  expect(found).toEqual([]);
});
