import { readFileSync } from "node:fs";
import { AtlasAttachmentLoader, SkeletonJson, type SkeletonData, TextureAtlas } from "../../src/spine/index.js";
import { sharedData } from "../shared-data.js";

export interface NamedData {
  name: string;
  data: () => SkeletonData;
}

function load(folder: string, skeleton: string, atlas: string): SkeletonData {
  const loader = new AtlasAttachmentLoader(new TextureAtlas(readFileSync(`${folder}/${atlas}.atlas`, "utf8")));
  return new SkeletonJson(loader).readSkeletonData(JSON.parse(readFileSync(`${folder}/${skeleton}.json`, "utf8")));
}

/** The character that the repository makes. */
export const builtIn = (): SkeletonData => load("examples/assets/fennel", "fennel", "fennel");

const REAL = [
  ["spineboy", "spineboy-pro"], ["raptor", "raptor-pro"], ["tank", "tank-pro"], ["vine", "vine-pro"], ["stretchyman", "stretchyman-pro"],
  ["celestial-circus", "celestial-circus-pro"], ["owl", "owl-pro"], ["goblins", "goblins-pro"], ["mix-and-match", "mix-and-match-pro"],
  ["snowglobe", "snowglobe-pro"], ["alien", "alien-pro"], ["coin", "coin-pro"], ["cloud-pot", "cloud-pot"],
] as const;

/** The built-in character and, where they are, twelve real exports. */
export function rigs(skipped: string): NamedData[] {
  const all: NamedData[] = [{ name: "fennel", data: builtIn }];
  const folder = sharedData("spine/4.3", skipped);
  if (folder === undefined) return all;
  for (const [example, skeleton] of REAL) all.push({ name: skeleton, data: () => load(`${folder}/${example}`, skeleton, example) });
  return all;
}

/** Numbers that look random and are the same in every run. */
export function randoms(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
