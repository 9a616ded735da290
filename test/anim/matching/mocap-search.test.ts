import { describe, expect, test } from "vitest";
import { MotionDatabase } from "../../../src/anim/matching/database.js";
import { SearchQuery } from "../../../src/anim/matching/query.js";
import { sharedData } from "../../shared-data.js";
import { bruteForce, random } from "./brute-force.js";
import { commonSkeleton, loadMocap } from "./mocap.js";

const folder = sharedData("bvh", "searches in motion capture");

describe.skipIf(folder === undefined)("a database of motion capture", () => {
  test.each([[["left_foot", "right_foot"], 26], [["left_foot", "right_foot", "left_hand", "right_hand", "left_shin", "right_shin", "head", "chest"], 62]])("10,000 random queries give the scalar loop's frame and bits (%s, %i channels)", (bones, size) => {
    const skeleton = commonSkeleton();
    const database = new MotionDatabase(skeleton);
    database.setRootBoneByName("hips");
    for (const bone of bones) database.addFeatureBoneByName(bone);
    const start = performance.now();
    for (const clip of loadMocap(folder!, skeleton)) database.addClip(clip);
    const loaded = performance.now();
    database.bake();
    const frames = database.getFrameCount();
    console.log(`${frames} frames of ${database.getClipCount()} captures: loaded in ${(loaded - start).toFixed(0)} ms, baked in ${(performance.now() - loaded).toFixed(0)} ms`);
    expect(database.getFeatureSize()).toBe(size);
    expect(frames).toBeGreaterThan(2500);

    const query = new SearchQuery(database);
    query.setRules({ required: 0, excluded: 0, costs: [], ignoreEnd: 0.2, mirrored: true });
    const penalty = (frame: number): number => (database.getFrameTime(frame) > database.rangeOf("test", frame).end - 0.2 - 1e-9 ? Infinity : 0);
    const next = random(20240607);
    const vector = new Float32Array(size), weights = new Float32Array(size);
    const queries = 10_000;
    // The scalar loop is written for speed here: 10,000 × 3,000 frames.
    const { store } = database.baked("test");
    const order = store.order, count = order.length;
    const table = new Float32Array(frames * count), open = new Uint8Array(frames), rangeFirst = new Int32Array(frames), rangeLast = new Int32Array(frames);
    for (let frame = 0; frame < frames; frame++) {
      const slot = database.slotOf("test", frame), range = database.rangeOf("test", frame);
      for (let c = 0; c < count; c++) table[frame * count + c] = store.value(slot, c);
      open[frame] = penalty(frame) === 0 ? 1 : 0;
      rangeFirst[frame] = range.firstFrame;
      rangeLast[frame] = range.firstFrame + range.frameCount - 1;
    }
    const f = Math.fround;
    const q = new Float32Array(count), w = new Float32Array(count);
    const costAt = (frame: number): number => {
      let sum = 0;
      for (let c = 0, at = frame * count; c < count; c++, at++) {
        const d = f(q[c]! - table[at]!);
        sum = f(sum + f(f(d * w[c]!) * d));
      }
      return sum;
    };
    for (let n = 0; n < queries; n++) {
      // Half of the queries lie near a real frame, half anywhere.
      if (n % 2 === 0) {
        database.getFeature(Math.floor(next() * frames), vector);
        for (let c = 0; c < size; c++) vector[c]! += (next() - 0.5) * 0.6;
      } else {
        for (let c = 0; c < size; c++) vector[c] = (next() - 0.5) * 5;
      }
      for (let c = 0; c < size; c++) weights[c] = n % 5 === 0 ? 1 : next() * 2;
      query.setNormalized(vector);
      query.setWeights(weights);
      for (let c = 0; c < count; c++) {
        q[c] = vector[order[c]!]!;
        w[c] = weights[order[c]!]!;
      }
      const continuing = n % 3 === 0 ? -1 : Math.floor(next() * frames);
      const transitionCost = f(n % 4 === 0 ? 0.5 : 0);
      if (continuing >= 0) query.skipAround(continuing, 2);
      else query.skipNone();
      const first = continuing < 0 ? 1 : Math.max(rangeFirst[continuing]!, continuing - 2), last = continuing < 0 ? 0 : Math.min(rangeLast[continuing]!, continuing + 2);
      let best = continuing, bestCost = continuing < 0 ? Infinity : costAt(continuing);
      const extra = continuing < 0 ? 0 : transitionCost;
      for (let frame = 0; frame < frames; frame++) {
        if (open[frame] === 0 || (frame >= first && frame <= last)) continue;
        const cost = f(costAt(frame) + extra);
        if (cost < bestCost) {
          bestCost = cost;
          best = frame;
        }
      }
      const found = query.run(continuing, transitionCost);
      if (found !== best || query.cost !== bestCost) expect.fail(`query ${n}: frame ${found} of cost ${query.cost}, the scalar loop has ${best} of ${bestCost}`);
      // The slow loop of the other tests agrees with the fast one.
      if (n % 2500 === 1) expect(bruteForce(database, vector, weights, { continuing, ignoreRadius: 2, transitionCost, penalty })).toEqual({ frame: best, cost: bestCost });
    }
    query.dispose();
    database.dispose();
  }, 240_000);
});
