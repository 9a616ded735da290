import { describe, expect, test } from "vitest";
import { MotionDatabase } from "../../../src/anim/matching/database.js";
import { SearchQuery } from "../../../src/anim/matching/query.js";
import { AnimClip } from "../../../src/anim/rig/clip.js";
import { AnimSkeleton } from "../../../src/anim/rig/skeleton.js";
import { bruteForce, channelWeights, normalised, random } from "./brute-force.js";
import { goldenDatabase, matchingGolden } from "./golden.js";

const data = matchingGolden();

describe("golden queries", () => {
  const database = goldenDatabase(data);

  test.each(data.queries.map((query) => [query.name, query] as const))("%s", (_name, { query: raw, weights, options, result }) => {
    const query = new SearchQuery(database);
    query.setRules({ required: options.tags === undefined ? 0 : database.tagBits("test", options.tags), excluded: 0, costs: [], ignoreEnd: 0.2, mirrored: true });
    query.setWeights(channelWeights(database, weights));
    query.setNormalized(normalised(database, raw));
    const current = options.current ?? -1;
    if (current >= 0) query.skipAround(current, options.ignoreRadius ?? 2);
    expect(query.run(current, options.transitionCost ?? 0)).toBe(result.bestFrame);
    expect(Math.abs(query.cost - result.cost)).toBeLessThanOrEqual(data.tolerance.cost * Math.max(1, result.cost));
    expect(database.getFrameClipIndex(query.bestFrame)).toBe(result.bestClip);
    expect(database.getFrameTime(query.bestFrame)).toBeCloseTo(result.bestTime, 9);
    query.dispose();
  });
});

/** A database of clips of given frame counts whose root wanders at random: 26 channels that are really different. */
function randomDatabase(frameCounts: readonly number[], seed: number, options: { quantize?: boolean; coarse?: boolean; bones?: number } = {}): MotionDatabase {
  const next = random(seed);
  const skeleton = new AnimSkeleton();
  skeleton.addBone("root");
  const names = ["left", "right", ...Array.from({ length: (options.bones ?? 2) - 2 }, (_, k) => `bone ${k}`)];
  for (const name of names) skeleton.setBindPosition(skeleton.addBone(name, 0), 0, 0.5, 0);
  const database = new MotionDatabase(skeleton);
  names.forEach((_, k) => database.addFeatureBone(k + 1));
  frameCounts.forEach((count, c) => {
    const clip = new AnimClip(`clip ${c}`);
    clip.setLoop(false);
    let x = 0, z = 0, yaw = 0;
    for (let i = 0; i < count; i++) {
      const t = i / 30;
      const step = (): number => (options.coarse === true ? Math.round(next() * 2 - 1) * 0.25 : next() - 0.5);
      x += step() * 0.2;
      z += step() * 0.2;
      yaw += step() * 0.3;
      clip.addPositionKey(0, t, x, 0, z);
      clip.addRotationKey(0, t, 0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2));
      clip.addPositionKey(1, t, step(), 0.5 + step(), step());
      clip.addPositionKey(2, t, step(), 0.5 + step(), step());
      // Further bones move with the first, nearly: their channels are dependent, as a body's are.
      for (let bone = 3; bone <= names.length; bone++) clip.addPositionKey(bone, t, x + step() * 0.1, bone * 0.1 + step() * 0.1, z + step() * 0.1);
    }
    database.addClip(clip);
  });
  database.bake({ quantize: options.quantize === true });
  return database;
}

describe("search against a scalar loop", () => {
  test.each([[1], [3], [4], [5], [15], [16], [17], [63], [64], [65], [255], [256], [257], [1001]])("%i frames: the same frame and the same bits", (count) => {
    const database = randomDatabase([count], count);
    const query = new SearchQuery(database);
    query.setRules({ required: 0, excluded: 0, costs: [], ignoreEnd: 0, mirrored: true });
    const next = random(count * 31 + 7);
    const size = database.getFeatureSize();
    for (let n = 0; n < 40; n++) {
      const weights = Float32Array.from({ length: size }, () => (next() < 0.2 ? 0 : next() * 3));
      const vector = Float32Array.from({ length: size }, () => (next() - 0.5) * 5);
      query.setWeights(weights);
      query.setNormalized(vector);
      const continuing = next() < 0.5 ? -1 : Math.floor(next() * count);
      const ignoreRadius = Math.floor(next() * 4);
      const transitionCost = next() < 0.5 ? 0 : next() * 2;
      if (continuing >= 0) query.skipAround(continuing, ignoreRadius);
      else query.skipNone();
      const expected = bruteForce(database, vector, weights, { continuing, ignoreRadius, transitionCost });
      expect(query.run(continuing, transitionCost), `query ${n}`).toBe(expected.frame);
      expect(query.cost, `query ${n}`).toBe(expected.cost);
    }
    query.dispose();
    database.dispose();
  });

  test.each([[false], [true]])("several clips, tags, costs and excluded ends (quantised: %s)", (quantize) => {
    const counts = [10, 200, 64, 1, 130, 17, 500];
    const database = randomDatabase(counts, 99, { quantize });
    counts.forEach((_, i) => database.setClipTags(i, i % 2 === 0 ? ["a"] : ["a", "b"]));
    database.bake({ quantize });
    const next = random(4711);
    const size = database.getFeatureSize();
    const rulesOf = [
      { required: 0, excluded: 0, costs: [] as number[], ignoreEnd: 0.2, mirrored: true },
      { required: 2, excluded: 0, costs: [], ignoreEnd: 0, mirrored: true },
      { required: 1, excluded: 2, costs: [0.5], ignoreEnd: 0.1, mirrored: true },
      { required: 0, excluded: 0, costs: [0.25, 3], ignoreEnd: 0.2, mirrored: true },
    ];
    for (const rules of rulesOf) {
      const query = new SearchQuery(database);
      query.setRules(rules);
      const penalty = (frame: number): number => {
        const range = database.rangeOf("test", frame);
        if ((range.tags & rules.required) !== rules.required || (range.tags & rules.excluded) !== 0) return Infinity;
        if (rules.ignoreEnd > 0 && database.getFrameTime(frame) > range.end - rules.ignoreEnd - 1e-9) return Infinity;
        return rules.costs.reduce((sum, cost, bit) => sum + ((range.tags & (1 << bit)) !== 0 ? cost : 0), 0);
      };
      for (let n = 0; n < 60; n++) {
        const weights = Float32Array.from({ length: size }, () => next() * 2);
        const vector = Float32Array.from({ length: size }, () => (next() - 0.5) * 4);
        query.setWeights(weights);
        query.setNormalized(vector);
        const continuing = n % 3 === 0 ? -1 : Math.floor(next() * database.getFrameCount());
        if (continuing >= 0) query.skipAround(continuing, 2);
        else query.skipNone();
        const expected = bruteForce(database, vector, weights, { continuing, ignoreRadius: 2, transitionCost: 0.3, penalty });
        expect(query.run(continuing, 0.3)).toBe(expected.frame);
        expect(query.cost).toBe(expected.cost);
      }
      query.dispose();
    }
  });

  test.each([[2], [8], [12]])("%i bones: weights by group and by channel, queries near, far and beyond single precision", (bones) => {
    const database = randomDatabase([700, 333], 17 + bones, { bones });
    const query = new SearchQuery(database);
    query.setRules({ required: 0, excluded: 0, costs: [], ignoreEnd: 0, mirrored: true });
    const next = random(bones), size = database.getFeatureSize(), frames = database.getFrameCount();
    const vector = new Float32Array(size), weights = new Float32Array(size);
    for (let n = 0; n < 300; n++) {
      if (n % 5 === 4) for (let c = 0; c < size; c++) weights[c] = next() * 2;
      else for (const { group, offset, size: length } of database.getFeatures()) weights.fill(n % 5 === 0 ? 1 : (n + group.length) % 3, offset, offset + length);
      database.getFeature(Math.floor(next() * frames), vector);
      const reach = [0, 1e-6, 0.1, 3, 1e4, 1e19, 3e38][n % 7]!;
      for (let c = 0; c < size; c++) vector[c] = vector[c]! + (next() - 0.5) * reach;
      query.setWeights(weights);
      query.setNormalized(vector);
      const continuing = n % 2 === 0 ? -1 : Math.floor(next() * frames);
      if (continuing >= 0) query.skipAround(continuing, 2);
      else query.skipNone();
      const expected = bruteForce(database, vector, weights, { continuing, ignoreRadius: 2, transitionCost: 0.1 });
      expect(query.run(continuing, 0.1), `query ${n}`).toBe(expected.frame);
      expect(query.cost, `query ${n}`).toBe(expected.cost);
    }
    query.dispose();
    database.dispose();
  });

  test("ties go to the playing frame, then to the lowest frame", () => {
    // A coarse grid of values makes many frames equal.
    const database = randomDatabase([40, 40, 300], 5, { coarse: true });
    const query = new SearchQuery(database);
    query.setRules({ required: 0, excluded: 0, costs: [], ignoreEnd: 0, mirrored: true });
    const size = database.getFeatureSize();
    query.setWeights(new Float32Array(size));
    query.setNormalized(new Float32Array(size));
    query.skipNone();
    expect(query.run(-1, 0)).toBe(0);
    expect(query.cost).toBe(0);
    query.skipAround(250, 2);
    expect(query.run(250, 0)).toBe(250);

    const next = random(8);
    const vector = new Float32Array(size), weights = new Float32Array(size);
    const heights = database.getFeatures().filter(({ kind }) => kind === "bonePosition").map(({ offset }) => offset + 1);
    for (let n = 0; n < 100; n++) {
      // Only two coarse channels count: dozens of frames share the least cost.
      weights.fill(0);
      for (const channel of heights) weights[channel] = 1;
      database.getFeature(Math.floor(next() * database.getFrameCount()), vector);
      query.setWeights(weights);
      query.setNormalized(vector);
      query.skipNone();
      const expected = bruteForce(database, vector, weights);
      expect(query.run(-1, 0)).toBe(expected.frame);
      expect(query.cost).toBe(expected.cost);
    }
    query.dispose();
  });

  test("nothing to choose from gives no frame", () => {
    const database = randomDatabase([20], 3);
    const query = new SearchQuery(database);
    query.setRules({ required: 4, excluded: 0, costs: [], ignoreEnd: 0, mirrored: true });
    expect(query.run(-1, 0)).toBe(-1);
    query.dispose();
  });

  test("quantised features state their loss and keep it", () => {
    const exact = randomDatabase([300, 200], 21), coarse = randomDatabase([300, 200], 21, { quantize: true });
    const loss = coarse.report().quantizationError;
    expect(loss).toBeGreaterThan(0);
    expect(exact.report().quantizationError).toBe(0);
    const a = new Float32Array(26), b = new Float32Array(26);
    for (let frame = 0; frame < 500; frame++) {
      exact.getFeature(frame, a);
      coarse.getFeature(frame, b);
      for (let c = 0; c < 26; c++) expect(Math.abs(a[c]! - b[c]!)).toBeLessThanOrEqual(loss);
    }
    expect(coarse.getDatabaseBytes()).toBeLessThan(exact.getDatabaseBytes() * 0.6);
  });
});
