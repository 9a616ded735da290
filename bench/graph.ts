/**
 * What deciding costs: 1,000 characters, each a state machine whose state is a blend space of nine clips on a plane with an
 * upper-body layer, against sampling the same active clips one by one, each into the pose of its character.
 * npm run bench -- graph
 */
import { readFile } from "node:fs/promises";
import { AnimClip, AnimGraph, AnimGraphBatch, AnimPose, AnimStateMachine } from "../src/anim/index.js";
import { loadGltf } from "../src/import/gltf/index.js";
import { newClipFromModel } from "../src/import/model/clip.js";
import { newSkeletonFromModel } from "../src/import/model/skeleton.js";
import { heap } from "../src/wasm/heap.js";
import { bytesPerWindow, median } from "./lib/race.js";

const CHARACTERS = 1000;
/** Short windows in many rounds: a busy machine interrupts few of them. */
const ROUNDS = 150;
const FRAMES = 2;
const DT = 1 / 60;

const model = await loadGltf(new Uint8Array(await readFile("examples/assets/biped.glb")));
const skeleton = newSkeletonFromModel(model);
const clips = new Map(model.animations.map((animation, a) => [animation.name, newClipFromModel(model, skeleton, a)]));
const clip = (name: string): AnimClip => clips.get(name)!;

/** Clips by turn rate and speed. */
const POINTS: [string, number, number][] = [
  ["idle", 0, 0], ["walk_left_tight", -1.3, 1.05], ["walk_left", -0.65, 1.2], ["walk", 0, 1.2], ["walk_right", 0.65, 1.2], ["walk_right_tight", 1.3, 1.05],
  ["run_left", -0.9, 3], ["run", 0, 3], ["run_right", 0.9, 3],
];

function locomotion(): AnimStateMachine {
  const graph = new AnimGraph(skeleton), space = graph.addBlendSpace2D();
  graph.addParameter("turn");
  graph.addParameter("speed", 1);
  for (const [name, x, y] of POINTS) graph.addBlendSpace2DPoint(space, x, y, graph.addClip(clip(name)));
  graph.bindPosition2D(space, "turn", "speed");
  const layer = graph.addLayer(space, graph.addClip(clip("idle")));
  graph.setBoneMask(layer, skeleton.findBone("spine"), 0.8, true);
  const machine = new AnimStateMachine(skeleton);
  machine.addStateFromGraph("move", graph);
  machine.addState("jump", clip("jump"));
  machine.addTriggerCondition(machine.addTransition("move", "jump", 0.2), "jump");
  machine.setExitTime(machine.addTransition("jump", "move", 0.3), 0.8);
  graph.dispose();
  return machine;
}

const batch = new AnimGraphBatch(), first = locomotion(), machines: AnimStateMachine[] = [];
for (let i = 0; i < CHARACTERS; i++) {
  const machine = i === 0 ? first : first.instantiate();
  machine.setFloat("turn", Math.sin(i * 2.4) * 1.1);
  machine.setFloat("speed", 0.1 + 2.8 * ((i * 0.618) % 1));
  machines.push(machine);
  batch.add(machine);
}
// Out of step with each other.
for (let i = 0; i < 60; i++) for (let k = i; k < CHARACTERS; k += 60) for (let n = 0; n < i; n++) machines[k]!.update(DT);
for (let i = 0; i < 100; i++) batch.update(DT);

/** The clips with weight of every character, and where they are. */
function activeClips(): { clips: AnimClip[]; poses: AnimPose[]; times: Float64Array } {
  const found: AnimClip[] = [], times: number[] = [], into: AnimPose[] = [];
  for (const [i, machine] of machines.entries()) {
    const graph = machine.getStateGraph("move");
    for (let node = 0; node < graph.getNodeCount(); node++) {
      if (graph.getNodeKind(node) !== "clip" || graph.getNodeWeight(node) <= 0) continue;
      found.push(graph.definition.nodes[node]!.track!.clip);
      times.push(graph.getClipTime(node));
      into.push(poses[i]!);
    }
  }
  return { clips: found, poses: into, times: Float64Array.from(times) };
}

const poses = machines.map(() => new AnimPose());
let active = activeClips();
const sampleAll = (): void => {
  for (let i = 0; i < active.clips.length; i++) active.clips[i]!.sample(active.times[i]!, active.poses[i]!, skeleton);
};
const oneByOne = (): void => {
  for (let i = 0; i < machines.length; i++) machines[i]!.update(DT);
};

function time(frames: number, frame: () => void): number {
  const start = performance.now();
  for (let i = 0; i < frames; i++) frame();
  return (performance.now() - start) / frames;
}

const sides = [sampleAll, (): void => batch.update(DT), oneByOne], ratios: number[] = [], single: number[] = [], millis: number[][] = [[], [], []];
for (let round = -100; round < ROUNDS; round++) {
  if (round % 10 === 0) active = activeClips();
  const taken: number[] = [];
  for (let k = 0; k < 3; k++) {
    const side = (round + 300 + k) % 3;
    taken[side] = time(FRAMES, sides[side]!);
  }
  if (round < 0) continue;
  ratios.push(taken[1]! / taken[0]!);
  single.push(taken[2]! / taken[0]!);
  taken.forEach((ms, side) => millis[side]!.push(ms));
}

const linear = heap.usedBytes, bytes = bytesPerWindow(() => {
  batch.update(DT);
  // As a game does; what nobody reads collects in a queue of 256 entries at most.
  for (let i = 0; i < machines.length; i++) machines[i]!.clearEvents();
}, 50);
console.log(`${CHARACTERS} characters of ${skeleton.getBoneCount()} bones, ${(active.clips.length / CHARACTERS).toFixed(2)} active clips each`);
const line = (what: string, side: number, rounds: number[] | undefined): void => {
  const ms = millis[side]!, ratio = rounds === undefined ? "" : `x ${median(rounds).toFixed(2)} (median of rounds)   x ${(Math.min(...ms) / Math.min(...millis[0]!)).toFixed(2)} (fastest rounds)`;
  console.log(`${what.padEnd(40)} median ${median(ms).toFixed(2)} ms, fastest ${Math.min(...ms).toFixed(2)} ms   ${ratio}`);
};
line("sampling the active clips one by one", 0, undefined);
line("a batch of state machines", 1, ratios);
line("each machine by its own update", 2, single);
console.log(`a frame leaves ${bytes / 50} bytes on the heap and ${heap.usedBytes - linear} in linear memory`);
console.log("The goal is 4 at most.");
if (median(ratios) > 4 || bytes > 0 || heap.usedBytes > linear) process.exitCode = 1;
