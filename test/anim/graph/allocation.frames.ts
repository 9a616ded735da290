import { bytesPerWindow } from "../../../bench/lib/heap.js";
import { AnimBoneMask, AnimClip, AnimGraph, AnimGraphBatch, AnimLayerMixer, AnimPlayer, AnimSkeleton, AnimStateMachine, AnimSyncGroup } from "../../../src/anim/index.js";
import { heap } from "../../../src/wasm/heap.js";
import { randomQuaternion, seeded } from "../rig/golden.js";

/**
 * Run bundled by allocation.test.ts, in a process of its own: prints, as JSON, the bytes that windows of frames of each kind
 * leave behind, on the heap and in linear memory.
 */
const BONES = 21, random = seeded(1), skeleton = new AnimSkeleton();
for (let i = 0; i < BONES; i++) skeleton.addBone(`b${i}`, i - 1);
const clips = Array.from({ length: 9 }, (_, c) => {
  const clip = new AnimClip(`clip${c}`);
  for (let bone = 0; bone < BONES; bone++) {
    for (let k = 0; k <= 10; k++) clip.addRotationKey(bone, k * 0.1 * (1 + c * 0.1), ...randomQuaternion(random));
  }
  for (let k = 0; k <= 10; k++) clip.addPositionKey(0, k * 0.1 * (1 + c * 0.1), random(), random(), random());
  for (let i = 0; i < 4; i++) clip.addEvent(i * 0.2, "step");
  clip.addSyncMarker(0.1 + c * 0.02, "left");
  clip.addSyncMarker(0.6 + c * 0.03, "right");
  return clip;
});

const results: Record<string, number> = {};

/**
 * @param rare - what a frame does only now and then; done often beforehand, because code that has not been optimised yet boxes
 *   every number in it
 */
function measure(name: string, frames: number, frame: () => void, rare: (() => void) | undefined = undefined): void {
  for (let i = 0; i < (rare === undefined ? 0 : frames * 10); i++) rare!();
  for (let i = 0; i < 500; i++) frame();
  const before = heap.usedBytes;
  results[name] = bytesPerWindow(frame, frames);
  results[`${name}, linear memory`] = heap.usedBytes - before;
}

/** A graph with everything in it: nine clips on a plane, a layer, a one-shot, an additive node, a shared space, a mask, a mirror. */
function body(sync: "phase" | "markers" = "phase"): { graph: AnimGraph; space: number; shot: number } {
  const graph = new AnimGraph(skeleton), space = graph.addBlendSpace2D();
  graph.setBlendSpaceSync(space, sync);
  for (let i = 0; i < 9; i++) graph.addBlendSpace2DPoint(space, i % 3, Math.floor(i / 3), graph.addClip(clips[i]!));
  const layer = graph.addLayer(space, graph.addClip(clips[1]!), 0.5);
  graph.setBoneMask(layer, 5, 1, true);
  const shot = graph.addOneShot(layer, graph.addClip(clips[2]!)), sum = graph.addAdditive(shot, graph.addClip(clips[3]!), 0.3);
  graph.setAdditiveReference(sum, "bind");
  const blend = graph.addBlend(sum, space, 0.2);
  graph.setMask(blend, new AnimBoneMask(skeleton, 0.5));
  graph.addBlend(blend, graph.addMirror(blend, Int32Array.from({ length: skeleton.getBoneCount() }, (_, bone) => bone)), 0.3);
  graph.addParameter("x");
  graph.addParameter("y");
  graph.bindPosition2D(space, "x", "y");
  return { graph, space, shot };
}

/** Positions along a path, whole numbers apart, which are not boxed on their way. */
const PLACES = [0, 1, 2, 1];

function drive(name: string, sync: "phase" | "markers", rootBone: number): void {
  const { graph, shot } = body(sync);
  graph.setRootMotionBone(rootBone);
  let n = 0, place = 0;
  const change = (): void => {
    place = (place + 1) & 3;
    graph.setFloat("x", PLACES[place]!);
    graph.setFloat("y", PLACES[3 - place]!);
    graph.trigger(shot);
  };
  measure(name, 2000, () => {
    n = (n + 1) % 100;
    if (n === 0) change();
    graph.update(1 / 60);
    graph.consumeEvent();
  }, () => {
    change();
    graph.update(1 / 60);
  });
}

drive("graph", "phase", -1);
drive("graph by markers", "markers", -1);
drive("graph with root motion", "phase", 0);

{
  // A position between points that changes in every frame.
  const { graph, space } = body(), at = Float64Array.of(0.1, 1.2);
  graph.definition.bindings.length = 0;
  measure("graph with a moving position", 2000, () => {
    at[0] = at[0]! > 1.9 ? 0.1 : at[0]! + 0.01;
    graph.setPosition2D(space, at[0]!, at[1]!);
    graph.update(1 / 60);
    graph.consumeEvent();
  });
}

function locomotion(): AnimStateMachine {
  const machine = new AnimStateMachine(skeleton);
  machine.addStateFromGraph("move", body().graph);
  machine.addState("idle", clips[0]!);
  machine.addState("wave", clips[4]!);
  machine.setExitTime(machine.addTransition("move", "idle", 0.25), 0.9);
  machine.setExitTime(machine.addTransition("idle", "wave", 0.2), 0.5);
  machine.setTransitionMode(machine.addTransition("wave", "move", 0.3), "inertial");
  machine.setExitTime(2, 0.5);
  machine.addBoolCondition(0, "leave", true);
  machine.setStateSpeed("idle", 1.25);
  machine.setStateSpeedParameter("move", "pace");
  machine.setFloat("pace", 0.85);
  machine.setTransitionOffset(0, 0.125);
  machine.setTransitionOffset(1, "markers");
  return machine;
}

{
  const machine = locomotion();
  measure("state machine", 2000, () => {
    machine.update(1 / 60);
    machine.consumeEvent();
  }, () => machine.update(0.5));
}

{
  // Transitions live and inertial all the time.
  const machine = locomotion();
  machine.setBool("leave", true);
  measure("state machine in transitions", 2000, () => {
    machine.update(1 / 60);
    machine.consumeEvent();
  }, () => machine.update(0.125));
}

{
  const outer = new AnimStateMachine(skeleton);
  outer.addStateFromMachine("inner", locomotion());
  outer.setBool("leave", true);
  measure("nested state machine", 2000, () => {
    outer.update(1 / 60);
    outer.consumeEvent();
  }, () => outer.update(0.125));
}

{
  const mixer = new AnimLayerMixer(skeleton), player = new AnimPlayer(skeleton), mask = new AnimBoneMask(skeleton, 0.5);
  player.play(clips[5]!);
  mixer.setBaseStateMachine(locomotion());
  mixer.addLayer("player", player, mask, "override", 0.5);
  mixer.addGraphLayer("graph", body().graph, null, "additive", 0.2);
  let n = 0, goal = 0;
  const fade = (): void => {
    goal = 1 - goal;
    mixer.fadeLayer("player", goal, 1);
  };
  measure("layer mixer", 2000, () => {
    n = (n + 1) % 100;
    if (n === 0) fade();
    mixer.update(1 / 60);
    mixer.consumeEvent();
  }, () => {
    fade();
    mixer.update(0.5);
  });
}

{
  const group = new AnimSyncGroup();
  for (let i = 0; i < 3; i++) {
    const player = new AnimPlayer(skeleton);
    player.play(clips[i]!);
    group.addPlayer(player, i / 8);
  }
  const plain = new AnimPlayer(skeleton), unmarked = new AnimClip();
  unmarked.addPositionKey(0, 0.7, 1, 2, 3);
  plain.play(unmarked);
  group.addPlayer(plain);
  measure("sync group", 2000, () => group.update(1 / 60));
}

{
  const batch = new AnimGraphBatch(), machine = locomotion();
  for (let i = 0; i < 50; i++) {
    const instance = machine.instantiate();
    instance.setBool("leave", i % 2 === 0);
    batch.add(instance);
  }
  measure("batch", 100, () => batch.update(1 / 60), () => batch.update(0.125));
}

{
  // Last, because it makes the functions that all machines share larger.
  const machine = locomotion();
  machine.setBool("leave", true);
  machine.recordStates();
  measure("state machine that records", 2000, () => {
    machine.update(1 / 60);
    while (machine.consumeStateEvent() !== "");
  }, () => machine.update(0.125));
}

console.log(JSON.stringify(results));
