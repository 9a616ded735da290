import { expect, test } from "vitest";
import { MotionMatcher } from "../../../src/anim/matching/matcher.js";
import { MotionMatcherGroup } from "../../../src/anim/matching/group.js";
import { SearchQuery } from "../../../src/anim/matching/query.js";
import { heap } from "../../../src/wasm/heap.js";
import { bipedDatabase, bipedLegs, loadBiped, LOCOMOTION } from "./biped.js";

/** Bytes of heap that a call leaves behind, in the best of several windows of `calls` calls. */
function leftBehind(call: () => void, calls: number): number {
  const collect = (globalThis as { gc?: () => void }).gc;
  if (collect === undefined) throw new Error("the tests run with --expose-gc");
  for (let i = 0; i < 3 * calls; i++) call();
  let least = Infinity;
  for (let window = 0; window < 6; window++) {
    collect();
    const start = process.memoryUsage().heapUsed;
    const reading = process.memoryUsage().heapUsed - start;
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < calls; i++) call();
    least = Math.min(least, process.memoryUsage().heapUsed - before - reading);
  }
  return Math.max(0, least) / calls;
}

test("searches leave nothing behind, updates with transitions and foot lock a few boxed numbers at most", async () => {
  const { skeleton, clips } = await loadBiped();
  const database = bipedDatabase(skeleton, clips, LOCOMOTION);
  const make = (): MotionMatcher => {
    const matcher = new MotionMatcher(skeleton, database);
    matcher.setFootLock(bipedLegs(skeleton));
    matcher.setRootAdjustment({});
    return matcher;
  };
  const single = make();
  let i = 0;
  const wish = (matcher: MotionMatcher): void => {
    // A turn every second and a half: most updates continue, some switch.
    const turn = Math.floor(i / 90) % 4;
    matcher.setDesiredVelocity(turn === 1 ? 0.8 : 0, turn === 3 ? 0 : 1);
    matcher.setDesiredYaw(turn === 1 ? 0.9 : 0);
  };
  const query = new SearchQuery(database);
  query.setRules({ required: 0, excluded: 0, costs: [], ignoreEnd: 0.2, mirrored: true });
  const vector = new Float32Array(database.getFeatureSize());
  let frame = 0;
  const search = leftBehind(() => {
    frame = (frame + 7) % database.getFrameCount();
    database.getFeature(frame, vector);
    vector[0] = vector[0]! + 0.5;
    query.setNormalized(vector);
    query.skipAround(frame, 2);
    query.run(frame, 0);
  }, 3000);
  expect(search).toBe(0);
  query.dispose();
  const blocks = heap.blockCount;
  const one = leftBehind(() => {
    i++;
    wish(single);
    single.update(1 / 60);
  }, 3000);
  const group = new MotionMatcherGroup(database);
  const matchers = Array.from({ length: 8 }, make);
  for (const matcher of matchers) group.add(matcher);
  const many = leftBehind(() => {
    i++;
    for (let k = 0; k < matchers.length; k++) wish(matchers[k]!);
    group.update(1 / 60);
  }, 1000);
  console.log(`bytes an update: ${one.toFixed(1)} alone, ${(many / 8).toFixed(1)} a character in a group`);
  // The clip time that is handed to the sampler may be boxed on its way: a few numbers, whatever the size of the rig.
  expect(one).toBeLessThan(256);
  expect(many / 8).toBeLessThan(256);
  expect(heap.blockCount - blocks).toBeLessThan(200);
}, 120_000);
