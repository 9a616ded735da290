import { resolve } from "node:path";
import { bytesPerWindow } from "../../../bench/lib/heap.js";
import { MotionMatcherGroup } from "../../../src/anim/matching/group.js";
import { MotionMatcher } from "../../../src/anim/matching/matcher.js";
import { SearchQuery } from "../../../src/anim/matching/query.js";
import { heap } from "../../../src/wasm/heap.js";
import { bipedDatabase, bipedLegs, loadBiped, LOCOMOTION } from "./biped.js";

/**
 * Run bundled by allocation.test.ts, in a process of its own: prints, as JSON, the bytes that windows of updates of each kind
 * leave behind, on the heap and in linear memory.
 */
const { skeleton, clips } = await loadBiped(resolve("examples/assets/biped.glb"));
const database = bipedDatabase(skeleton, clips, LOCOMOTION);
const results: Record<string, number> = {};

function measure(name: string, frames: number, frame: () => void): void {
  for (let i = 0; i < 500; i++) frame();
  const before = heap.usedBytes;
  results[name] = bytesPerWindow(frame, frames);
  results[`${name}, linear memory`] = heap.usedBytes - before;
}

function make(legs: ReturnType<typeof bipedLegs>): MotionMatcher {
  const matcher = new MotionMatcher(skeleton, database);
  matcher.setFootLock(legs);
  matcher.setRootAdjustment({});
  return matcher;
}

/** A turn every second and a half: most updates continue, some switch. Literals, unlike doubles that are chosen or read, are not boxed. */
const clock = new Int32Array(1);
function wish(matcher: MotionMatcher): void {
  const turn = Math.floor(clock[0]! / 90) % 4;
  if (turn === 1) {
    matcher.setDesiredVelocity(0.8, 1);
    matcher.setDesiredYaw(0.9);
  } else {
    matcher.setDesiredVelocity(0, turn === 3 ? 0 : 1);
    matcher.setDesiredYaw(0);
  }
}

{
  const query = new SearchQuery(database), vector = new Float32Array(database.getFeatureSize());
  query.setRules({ required: 0, excluded: 0, costs: [], ignoreEnd: 0.2, mirrored: true });
  let frame = 0;
  measure("search", 2000, () => {
    frame = (frame + 7) % database.getFrameCount();
    database.getFeature(frame, vector);
    vector[0] = vector[0]! + 0.5;
    query.setNormalized(vector);
    query.skipAround(frame, 2);
    query.run(frame, 0);
  });
}

for (const name of ["matcher", "matcher with foot lock"]) {
  const matcher = make(name === "matcher" ? [] : bipedLegs(skeleton));
  measure(name, 2000, () => {
    clock[0] = (clock[0]! + 1) % 36_000;
    wish(matcher);
    matcher.update(1 / 60);
  });
}

// The first group is there for the engine, which decides what to inline while it runs; the second is the steady state.
for (const name of ["first group", "group"]) {
  const group = new MotionMatcherGroup(database), matchers = Array.from({ length: 8 }, () => make(bipedLegs(skeleton)));
  for (const matcher of matchers) group.add(matcher);
  measure(name, 1000, () => {
    clock[0] = (clock[0]! + 1) % 36_000;
    for (let k = 0; k < matchers.length; k++) wish(matchers[k]!);
    group.update(1 / 60);
  });
}

console.log(JSON.stringify(results));
