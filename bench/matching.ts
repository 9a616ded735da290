/**
 * Motion matching: a search in 108,000 frames against JavaScript loops over Float32Arrays, along real trajectories.
 * npm run bench -- matching
 */
import { MotionMatcher } from "../src/anim/matching/matcher.js";
import { MotionMatcherGroup } from "../src/anim/matching/group.js";
import { FeatureStore } from "../src/anim/matching/store.js";
import { SearchQuery } from "../src/anim/matching/query.js";
import type { MotionDatabase } from "../src/anim/matching/database.js";
import { matching } from "../src/wasm/matching.js";
import { bytesPerWindow, median } from "./lib/race.js";
import { captures, SEED, type Tiled, tiled, walkQueries, type WalkStep } from "./matching/tiled.js";

const FRAMES = 108_000;
const STEPS = 240;
const ROUNDS = 5;
const RULES = { required: 0, excluded: 0, costs: [], ignoreEnd: 0.2, mirrored: true };
const RADIUS = 2;

/** The database as rows of a Float32Array in the kernel's channel order, and the loops that search it. */
class ScalarSearch {
  readonly rows: Float32Array;
  readonly count: number;
  readonly #query: Float32Array;
  readonly #open: Uint8Array;
  readonly #order: readonly number[];
  readonly #frames: number;
  cost = 0;

  constructor(readonly database: MotionDatabase) {
    const { store } = database.baked("bench");
    this.#order = store.order;
    this.count = store.order.length;
    this.#frames = database.getFrameCount();
    this.rows = new Float32Array(this.#frames * this.count);
    this.#query = new Float32Array(this.count);
    this.#open = new Uint8Array(this.#frames);
    for (let frame = 0; frame < this.#frames; frame++) {
      const slot = database.slotOf("bench", frame), range = database.rangeOf("bench", frame);
      for (let c = 0; c < this.count; c++) this.rows[frame * this.count + c] = store.value(slot, c);
      this.#open[frame] = !range.looping && database.getFrameTime(frame) > range.end - RULES.ignoreEnd - 1e-9 ? 0 : 1;
    }
  }

  costOf(frame: number): number {
    const { rows, count } = this, q = this.#query;
    let sum = 0;
    for (let c = 0, at = frame * count; c < count; c++, at++) {
      const d = q[c]! - rows[at]!;
      sum += d * d;
    }
    return sum;
  }

  set(vector: Float32Array): void {
    for (let c = 0; c < this.count; c++) this.#query[c] = vector[this.#order[c]!]!;
  }

  /** Stops adding to a frame once it is worse than the best so far, looking after every `every` channels. */
  earlyOut(vector: Float32Array, continuing: number, useContinuing: boolean, every: number): number {
    this.set(vector);
    const { rows, count } = this, q = this.#query, open = this.#open, frames = this.#frames;
    const range = this.database.rangeOf("bench", continuing);
    const first = Math.max(range.firstFrame, continuing - RADIUS), last = Math.min(range.firstFrame + range.frameCount - 1, continuing + RADIUS);
    let best = useContinuing ? continuing : -1, bestCost = useContinuing ? this.costOf(continuing) : Infinity;
    for (let frame = 0; frame < frames; frame++) {
      if (open[frame] === 0 || (frame >= first && frame <= last)) continue;
      let at = frame * count, sum = 0, c = 0;
      while (c < count) {
        const end = c + every < count ? c + every : count;
        for (; c < end; c++, at++) {
          const d = q[c]! - rows[at]!;
          sum += d * d;
        }
        if (sum >= bestCost) break;
      }
      if (sum < bestCost) {
        bestCost = sum;
        best = frame;
      }
    }
    this.cost = bestCost;
    return best;
  }

  /** Adds up every frame. */
  full(vector: Float32Array, continuing: number): number {
    this.set(vector);
    const { rows, count } = this, q = this.#query, open = this.#open, frames = this.#frames;
    const range = this.database.rangeOf("bench", continuing);
    const first = Math.max(range.firstFrame, continuing - RADIUS), last = Math.min(range.firstFrame + range.frameCount - 1, continuing + RADIUS);
    let best = continuing, bestCost = this.costOf(continuing), at = 0;
    for (let frame = 0; frame < frames; frame++) {
      let sum = 0;
      for (let c = 0; c < count; c++, at++) {
        const d = q[c]! - rows[at]!;
        sum += d * d;
      }
      if (sum < bestCost && open[frame] === 1 && !(frame >= first && frame <= last)) {
        bestCost = sum;
        best = frame;
      }
    }
    this.cost = bestCost;
    return best;
  }
}

/** Microseconds of processor time a call: unlike the clock, it does not count what other processes take. */
function microseconds(run: (step: WalkStep) => void, walk: readonly WalkStep[], times = 1): number {
  const start = process.cpuUsage();
  for (let t = 0; t < times; t++) for (const step of walk) run(step);
  return processorTime(start) / (walk.length * times);
}

function processorTime(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return user + system;
}

function benchSearch(size: 26 | 62, { base, tiled }: Tiled): void {
  const query = new SearchQuery(tiled);
  query.setRules(RULES);
  const own = (vector: Float32Array, continuing: number): number => {
    query.setNormalized(vector);
    query.skipAround(continuing, RADIUS);
    return query.run(continuing, 0);
  };
  const walk = walkQueries(base, tiled, STEPS, own);
  const scalar = new ScalarSearch(tiled);

  // The same answers before anything is timed.
  let blocks = 0, changes = 0;
  for (const { vector, continuing } of walk) {
    const found = own(vector, continuing), cost = query.cost;
    blocks += query.blocksVisited;
    if (found !== continuing) changes++;
    const expected = scalar.earlyOut(vector, continuing, true, 4);
    // The loop adds in double precision, so two frames of nearly one cost may change places.
    if (found !== expected && Math.abs(cost - scalar.cost) > 1e-5 * scalar.cost) throw new Error(`frame ${found} of cost ${cost}, the scalar loop has ${expected} of ${scalar.cost}`);
  }
  console.log(`${size} channels: ${FRAMES} frames, ${(tiled.getDatabaseBytes() / 1048576).toFixed(1)} MiB; ${walk.length} queries, ${changes} of them switch, ${((blocks * 400) / (walk.length * FRAMES)).toFixed(2)} % of frames compared`);

  const short = walk.filter((_, i) => i % 8 === 0);
  const strides = [1, 2, 4, 8].map((every) => ({ every, time: Math.min(...[0, 1].map(() => microseconds((step) => scalar.earlyOut(step.vector, step.continuing, true, every), short))) }));
  const every = strides.toSorted((a, b) => a.time - b.time)[0]!.every;
  const ratios = { continuing: [] as number[], infinite: [] as number[], full: [] as number[] };
  const ownTimes: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = microseconds((step) => own(step.vector, step.continuing), walk, 4);
    const continuing = microseconds((step) => scalar.earlyOut(step.vector, step.continuing, true, every), short);
    const infinite = microseconds((step) => scalar.earlyOut(step.vector, step.continuing, false, every), short);
    const full = microseconds((step) => scalar.full(step.vector, step.continuing), short);
    const after = microseconds((step) => own(step.vector, step.continuing), walk, 4);
    const time = (before + after) / 2;
    ownTimes.push(time);
    ratios.continuing.push(continuing / time);
    ratios.infinite.push(infinite / time);
    ratios.full.push(full / time);
  }
  console.log(`  a query: ${median(ownTimes).toFixed(0)} µs (lowest round ${Math.min(...ownTimes).toFixed(0)} µs)`);
  console.log(`  against a JavaScript early-out loop (looking every ${every} channels) from the playing frame's cost: ${line(ratios.continuing)}`);
  console.log(`  against the same loop from infinity: ${line(ratios.infinite)}`);
  console.log(`  against a JavaScript loop without early-out: ${line(ratios.full)}`);

  let i = 0;
  console.log(`  bytes a query: ${(bytesPerWindow(() => {
    const step = walk[i++ % walk.length]!;
    own(step.vector, step.continuing);
  }, 2000) / 2000).toFixed(2)}`);
  query.dispose();
}

/** The same walk in 8-bit codes: what they save, and what they cost in time and in the frames that are found. */
function benchQuantized(size: number, { base, tiled }: Tiled): void {
  const { store } = tiled.baked("bench"), used = store.order.length, slots = new Float32Array(store.slotCount * used);
  for (let slot = 0; slot < store.slotCount; slot++) for (let c = 0; c < used; c++) slots[slot * used + c] = store.value(slot, c);
  const codes = new FeatureStore(slots, store.order, store.kinds, store.frameOfSlot, true), query = new SearchQuery(tiled);
  query.setRules(RULES);
  const own = (vector: Float32Array, continuing: number): number => {
    query.setNormalized(vector);
    query.skipAround(continuing, RADIUS);
    return query.run(continuing, 0);
  };
  const coded = (vector: Float32Array, continuing: number): number => {
    query.setNormalized(vector);
    query.skipAround(continuing, RADIUS);
    query.prepare(continuing, 0);
    matching.kernels.searchQuantized(codes.ptr, query.ptr);
    return query.bestFrame;
  };
  const walk = walkQueries(base, tiled, STEPS, own);
  let others = 0, excess = 0, worst = 0;
  for (const { vector, continuing } of walk) {
    const exact = own(vector, continuing), cost = query.cost, found = coded(vector, continuing);
    if (found === exact) continue;
    // What the frame costs by the features that the codes stand for.
    const more = query.costOf(found) / Math.max(1e-9, cost) - 1;
    others++;
    excess += more;
    worst = Math.max(worst, more);
  }
  const ratios = Array.from({ length: ROUNDS }, () => {
    const before = microseconds((step) => own(step.vector, step.continuing), walk, 2), with8 = microseconds((step) => coded(step.vector, step.continuing), walk, 4);
    return (before + microseconds((step) => own(step.vector, step.continuing), walk, 2)) / 2 / with8;
  });
  console.log(`${size} channels in 8-bit codes: ${(codes.bytes / store.bytes * 100).toFixed(0)} % of the memory, ${line(ratios)} as fast as the exact search`);
  console.log(`  largest error ${codes.quantizationError.toFixed(3)} deviations; another frame for ${((others / walk.length) * 100).toFixed(1)} % of the queries, whose cost is ${((excess / Math.max(1, others)) * 100).toFixed(2)} % higher on average, ${(worst * 100).toFixed(1)} % at most`);
  codes.dispose();
  query.dispose();
}

function line(values: readonly number[]): string {
  return `${median(values).toFixed(1)} times (${Math.min(...values).toFixed(1)}–${Math.max(...values).toFixed(1)})`;
}

/**
 * 200 characters at 60 updates a second, each searching five times a second.
 * @param real - the wishes are trajectories of the captures; else everybody strolls along a winding way of his own, which the
 *   captures hardly contain: the cost of the best frame is high, and boxes rule out less
 */
function benchCrowd(size: number, { base, tiled, skeleton }: Tiled, real: boolean): void {
  const { kernels } = matching;
  const { store } = tiled.baked("bench");
  const group = new MotionMatcherGroup(tiled);
  const matchers = Array.from({ length: 200 }, (_, i) => {
    const matcher = new MotionMatcher(skeleton, tiled);
    matcher.setSearchInterval(0.2);
    matcher.setRoot(i, 0, i);
    if (!real) {
      matcher.setRootAdjustment({});
      matcher.setRootClamp(0.3, 0.7);
    }
    group.add(matcher);
    return matcher;
  });
  // A fifth of a second holds 12 updates: 17 searches each spread the work evenly.
  group.setSearchBudget(17);
  let time = 0, searches = 0, updates = 0;
  const raw = new Float32Array(base.getFeatureSize());
  const [t1, t2, t3] = base.getFeatures().filter(({ kind }) => kind === "trajectoryPosition").map(({ offset }) => offset) as [number, number, number];
  const [d1, d2, d3] = base.getFeatures().filter(({ kind }) => kind === "trajectoryDirection").map(({ offset }) => offset) as [number, number, number];
  const wishes = matchers.map((_, i) => (i * 7919) % (base.getFrameCount() - 300));
  /** Gives a character the next trajectory of the capture that it follows, from where it stands. */
  const follow = (matcher: MotionMatcher, i: number): void => {
    if (updates % 480 === i % 12) wishes[i] = (wishes[i]! * 31 + 1013) % (base.getFrameCount() - 300);
    wishes[i]! += 6;
    base.getRawFeature(wishes[i]!, raw);
    const x = matcher.getRootX(), z = matcher.getRootZ(), yaw = matcher.getRootYaw(), s = Math.sin(yaw), c = Math.cos(yaw);
    const point = (time: number, p: number, d: number): { time: number; x: number; z: number; yaw: number } => ({
      time, x: x + raw[p]! * c + raw[p + 1]! * s, z: z - raw[p]! * s + raw[p + 1]! * c, yaw: yaw + Math.atan2(raw[d]!, raw[d + 1]!),
    });
    matcher.setTrajectory([{ time: 0, x, z, yaw }, point(1 / 3, t1, d1), point(2 / 3, t2, d2), point(1, t3, d3)]);
  };
  const update = (): void => {
    time += 1 / 60;
    updates++;
    if (real) {
      // A twelfth of the characters is told where to go in every update.
      for (let i = updates % 12; i < matchers.length; i += 12) follow(matchers[i]!, i);
    }
    for (let i = 0; i < matchers.length && !real; i++) {
      // Everybody strolls along a winding way of his own.
      const yaw = i + Math.sin(time * 0.4 + i) * 0.6, speed = 0.5 + 0.3 * Math.sin(time * 0.3 + 2 * i);
      matchers[i]!.setDesiredVelocity(Math.sin(yaw) * speed, Math.cos(yaw) * speed);
      matchers[i]!.setDesiredYaw(yaw);
    }
    group.update(1 / 60);
    searches += group.getLastSearchCount();
  };
  for (let i = 0; i < 60; i++) update();
  searches = 0;
  const start = process.cpuUsage();
  for (let i = 0; i < 240; i++) update();
  const total = processorTime(start) / 240, perSecond = searches / 4;

  // What the searches alone take: the queries that the characters have ready, preparation included.
  let blocks = 0;
  const sample = (): void => {
    for (let i = 0; i < matchers.length; i++) {
      const query = matchers[i]!.prepareSearch();
      kernels.search(store.ptr, query.ptr);
      blocks += query.blocksVisited;
    }
  };
  const prepared = (): void => {
    for (let i = 0; i < matchers.length; i++) matchers[i]!.prepareSearch();
  };
  const rounds: number[] = [], preparation: number[] = [];
  for (let round = 0; round < 8; round++) {
    for (let i = 0; i < 5; i++) update();
    sample();
    blocks = 0;
    const searchStart = process.cpuUsage();
    for (let i = 0; i < 3; i++) sample();
    rounds.push(processorTime(searchStart) / (3 * matchers.length));
    const prepareStart = process.cpuUsage();
    for (let i = 0; i < 3; i++) prepared();
    preparation.push(processorTime(prepareStart) / (3 * matchers.length));
  }
  const search = median(rounds);
  console.log(`  200 characters, ${size} channels, ${real ? "wishes from the captures" : "strolling"}: ${perSecond.toFixed(0)} searches in a second of 60 updates, ${search.toFixed(0)} µs each, ${median(preparation).toFixed(0)} µs of it preparing the query (${((blocks * 400) / (3 * 200 * FRAMES)).toFixed(2)} % of frames compared)`);
  console.log(`    1,000 searches a second take ${(search * 1000 / 1e4).toFixed(1)} % of a core; the whole update of 200 characters takes ${((total * 60) / 1e4).toFixed(1)} %`);
  group.dispose();
  for (const matcher of matchers) matcher.dispose();
}

const sources = await captures();
console.log(`tiled to ${FRAMES} frames, seed ${SEED}`);
for (const size of [26, 62] as const) {
  const databases = tiled(sources, FRAMES, size);
  if (!process.argv.includes("--crowd") && !process.argv.includes("--codes")) benchSearch(size, databases);
  if (!process.argv.includes("--crowd")) benchQuantized(size, databases);
  if (!process.argv.includes("--codes")) {
    benchCrowd(size, databases, true);
    benchCrowd(size, databases, false);
  }
  databases.base.dispose();
  databases.tiled.dispose();
}
