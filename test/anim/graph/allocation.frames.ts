import { AnimBoneMask, AnimClip, AnimGraph, AnimSkeleton, AnimStateMachine } from "../../../src/anim/index.js";
import { heap } from "../../../src/wasm/heap.js";
import { randomQuaternion, seeded } from "../rig/golden.js";

/**
 * Run bundled by allocation.test.ts, in a process of its own: prints, as JSON, the bytes that a frame of each kind leaves
 * behind. The median over many short windows, so that a collection in one of them does not matter, less what the reading
 * itself costs.
 */
function bytesPerFrame(frame: () => void, frames = 400): number {
  for (let i = 0; i < 20_000; i++) frame();
  const grown: number[] = [], reading: number[] = [];
  for (let window = 0; window < 41; window++) {
    const first = process.memoryUsage().heapUsed;
    reading.push(process.memoryUsage().heapUsed - first);
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < frames; i++) frame();
    grown.push(process.memoryUsage().heapUsed - before);
  }
  const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
  return (median(grown) - median(reading)) / frames;
}

const BONES = 21, random = seeded(1), skeleton = new AnimSkeleton();
for (let i = 0; i < BONES; i++) skeleton.addBone(`b${i}`, i - 1);
const clips = Array.from({ length: 9 }, (_, c) => {
  const clip = new AnimClip();
  for (let bone = 0; bone < BONES; bone++) {
    for (let k = 0; k <= 10; k++) clip.addRotationKey(bone, k * 0.1 * (1 + c * 0.1), ...randomQuaternion(random));
  }
  for (let k = 0; k <= 10; k++) clip.addPositionKey(0, k * 0.1 * (1 + c * 0.1), random(), random(), random());
  for (let i = 0; i < 4; i++) clip.addEvent(i * 0.2, "step");
  return clip;
});

const results: Record<string, number> = {};
function measure(name: string, frame: () => void): void {
  for (let i = 0; i < 100; i++) frame();
  const before = heap.usedBytes;
  results[name] = bytesPerFrame(frame);
  results[`${name}, linear memory`] = heap.usedBytes - before;
}

{
  const graph = new AnimGraph(skeleton), space = graph.addBlendSpace2D();
  for (let i = 0; i < 9; i++) graph.addBlendSpace2DPoint(space, i % 3, Math.floor(i / 3), graph.addClip(clips[i]!));
  const layer = graph.addLayer(space, graph.addClip(clips[1]!), 0.5);
  graph.setBoneMask(layer, 5, 1, true);
  const shot = graph.addOneShot(layer, graph.addClip(clips[2]!)), sum = graph.addAdditive(shot, graph.addClip(clips[3]!), 0.3);
  graph.setAdditiveReference(sum, "bind");
  graph.setMask(graph.addBlend(sum, space, 0.2), new AnimBoneMask(skeleton, 0.5));
  // In an array: a double in a variable of the closure would be boxed.
  const at = Float64Array.of(0, 1);
  let n = 0;
  measure("graph", () => {
    // Rarely, because what the caller hands over is boxed wherever the engine does not inline the setter.
    if (n++ % 100 === 0) {
      at[0] = (at[0]! + 0.17) % 2;
      graph.setPosition2D(space, at[0]!, at[1]!);
      graph.trigger(shot);
    }
    graph.update(1 / 60);
    if (graph.getPose().getBoneCount() !== BONES || graph.getEventCount() > 100) throw new Error("unreachable");
    graph.consumeEvent();
  });
}

{
  const machine = new AnimStateMachine(skeleton);
  machine.addState("a", clips[0]!);
  machine.addState("b", clips[1]!);
  machine.setExitTime(machine.addTransition("a", "b", 0.25), 0.9);
  const back = machine.addTransition("b", "a", 0.25);
  machine.setExitTime(back, 0.5);
  machine.addBoolCondition(back, "home", true);
  // Stays in b: what a transition sets up is not a steady frame.
  measure("state machine", () => {
    machine.update(1 / 60);
    if (machine.getPose().getBoneCount() !== BONES) throw new Error("unreachable");
    machine.consumeEvent();
  });
}

console.log(JSON.stringify(results));
