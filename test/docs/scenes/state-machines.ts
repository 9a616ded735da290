import { AnimGraph, AnimStateMachine } from "../../../src/anim/index.js";
import { biped } from "./shared.js";

const character = await biped();
export const skeleton = character.skeleton;
export const idle = character.clip("idle");
export const walk = character.clip("walk");
export const dt = 1 / 60;
export const machine = new AnimStateMachine(skeleton);
export const jumping = new AnimStateMachine(skeleton);
jumping.addState("up", character.clip("jump"));
export const graph = new AnimGraph(skeleton);
graph.addClip(walk);
