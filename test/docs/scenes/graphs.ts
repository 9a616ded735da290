import { AnimGraph } from "../../../src/anim/index.js";
import { biped } from "./shared.js";

const character = await biped();
export const skeleton = character.skeleton;
export const idle = character.clip("idle");
export const walk = character.clip("walk");
export const waving = character.clip("jump");
export const speed = 1;
export const dt = 1 / 60;
export const graph = new AnimGraph(skeleton);
graph.addClip(walk);
