import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { geometricMean } from "./race.js";
import type { SkeletonData } from "../../src/spine/index.js";

/** The twelve real exports of the races, as folder and skeleton name. */
const REAL_RIGS = [
  ["spineboy", "spineboy-pro"], ["raptor", "raptor-pro"], ["tank", "tank-pro"], ["vine", "vine-pro"], ["stretchyman", "stretchyman-pro"],
  ["celestial-circus", "celestial-circus-pro"], ["owl", "owl-pro"], ["goblins", "goblins-pro"], ["mix-and-match", "mix-and-match-pro"],
  ["snowglobe", "snowglobe-pro"], ["alien", "alien-pro"], ["coin", "coin-pro"],
] as const;

/** Exports without constraints. */
const PLAIN_RIGS = [
  ["spineboy", "spineboy-ess"], ["alien", "alien-ess"], ["goblins", "goblins-ess"], ["goblins", "goblins-pro"], ["speedy", "speedy-ess"],
  ["windmill", "windmill-ess"],
] as const;

/** Clips that move much, the first of which is played. */
const PREFERRED = ["walk", "run", "drive", "grow", "swing", "shake", "idle", "animation"];

/** Name of the clip that a crowd of a rig plays. */
export function liveliest(data: SkeletonData): string {
  return PREFERRED.find((name) => data.findAnimation(name) !== null) ?? data.animations[0]!.name;
}

export interface RigFile {
  name: string;
  json: string;
  atlas: string;
}

function locate(rigs: readonly (readonly [string, string])[]): RigFile[] {
  const folder = "../shared/data/spine/4.3";
  if (!existsSync(folder)) {
    console.log("The real exports are not here; racing with the built-in character.");
    return builtIn();
  }
  const found: RigFile[] = [];
  for (const [example, name] of rigs) {
    const json = `${folder}/${example}/${name}.json`;
    if (!existsSync(json)) {
      console.log(`${name} is not here, left out.`);
      continue;
    }
    found.push({ name, json, atlas: `${folder}/${example}/${atlasFor(`${folder}/${example}`, name)}` });
  }
  return found;
}

/** The atlas whose name is the longest prefix of the skeleton's name. */
function atlasFor(folder: string, name: string): string {
  for (let end = name.length; end > 0; end--) if (existsSync(`${folder}/${name.slice(0, end)}.atlas`)) return `${name.slice(0, end)}.atlas`;
  throw new Error(`no atlas for ${name} in ${folder}`);
}

export const realRigs = (): RigFile[] => locate(REAL_RIGS);
export const plainRigs = (): RigFile[] => locate(PLAIN_RIGS);

/** The character that the repository makes itself. */
export function builtIn(): RigFile[] {
  const path = "examples/assets/fennel/fennel";
  return [{ name: "fennel", json: `${path}.json`, atlas: `${path}.atlas` }];
}

/**
 * Runs `measure` once per rig, each in a process of its own, and prints a table of the ratios it returns with their
 * geometric means. Call it as the last thing in a benchmark file.
 */
export async function eachRig(url: string, rigs: () => RigFile[], measure: (rig: RigFile) => Promise<Record<string, number>>): Promise<void> {
  const at = process.argv.indexOf("--rig");
  if (at >= 0) {
    const rig = JSON.parse(process.argv[at + 1]!) as RigFile;
    console.log(`@${JSON.stringify(await measure(rig))}`);
    return;
  }
  const only = process.argv.indexOf("--only");
  const chosen = rigs().filter((rig) => only < 0 || rig.name.includes(process.argv[only + 1]!));
  const columns = new Map<string, number[]>();
  for (const rig of chosen) {
    const run = spawnSync(process.execPath, [...process.execArgv, fileURLToPath(url), "--rig", JSON.stringify(rig)], { encoding: "utf8", maxBuffer: 1 << 26 });
    const line = run.stdout.split("\n").find((text) => text.startsWith("@"));
    if (line === undefined) {
      console.error(`${rig.name}: ${run.stderr || run.stdout}`);
      process.exitCode = 1;
      continue;
    }
    const result = JSON.parse(line.slice(1)) as Record<string, number>;
    console.log(`${rig.name.padEnd(22)} ${Object.entries(result).map(([key, value]) => `${key} ${format(value)}`).join("   ")}`);
    for (const [key, value] of Object.entries(result)) columns.set(key, [...(columns.get(key) ?? []), value]);
  }
  for (const [key, values] of columns) {
    if (key.startsWith("x ")) console.log(`${key}: geometric mean ${format(geometricMean(values))}, lowest ${format(Math.min(...values))}`);
  }
}

function format(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
}
