/**
 * The database frame whose features are closest to a query's.
 *
 *   cost(f) = sum over channels of ((q - f) w) (q - f), in channel order, then + (transition cost + penalty)
 *   The playing frame pays no transition cost and no penalty, and wins ties; among the others the lowest slot wins.
 *
 * Layout   layout/matching.ts.
 * Requires every block 16-byte aligned; finite features, queries and weights; weights >= 0; costs and penalties >= 0,
 *          penalties possibly infinite; channel count a multiple of CHANNEL_PADDING.
 * Ensures  BEST_SLOT, BEST_COST, BLOCKS_VISITED of the query; the bounds block is overwritten. The result is that of a scalar
 *          loop over all frames, bit for bit: a box's bound adds |q - nearest value in the box| in the same order, and
 *          float subtraction, multiplication and addition are monotone, so a bound never exceeds the cost of a frame inside.
 * Source   branch and bound over two levels of axis-aligned boxes; the box of the least bound is searched first.
 */
import {
  BLOCK_FRAMES, BOX_FRAMES, BOX_ROW_BYTES, CODE_ROW_BYTES, Database, FEATURE_ROW_BYTES, Query, QUERY_HEADER_BYTES, QUERY_ROW_BYTES, SMALL_BOX_FRAMES,
} from "../layout/matching";

/** Rows between two looks at the partial sums. */
const CHUNK = 8;

/** Searches with features in full precision. */
export function search(database: usize, query: usize): void {
  searchAs<f32>(database, query);
}

/** Searches with quantised features; boxes and costs are those of the values that the codes stand for. */
export function searchQuantized(database: usize, query: usize): void {
  searchAs<u8>(database, query);
}

/** Searches for `count` queries, `stride` bytes apart, one after the other. */
export function searchMany(database: usize, query: usize, stride: i32, count: i32, quantized: i32): void {
  for (let i = 0; i < count; i++) {
    if (quantized) searchAs<u8>(database, query);
    else searchAs<f32>(database, query);
    query += stride;
  }
}

/** Cost of one slot without transition cost and penalty. */
export function costOfSlot(database: usize, query: usize, slot: i32, quantized: i32): f32 {
  return quantized ? slotCost<u8>(database, query, slot) : slotCost<f32>(database, query, slot);
}

function searchAs<T>(database: usize, query: usize): void {
  const continuing = load<i32>(query, Query.CONTINUING);
  store<i32>(query, continuing, Query.BEST_SLOT);
  store<i32>(query, continuing >= 0 ? -1 : i32.MAX_VALUE, Query.BEST_RANK);
  store<f32>(query, continuing >= 0 ? slotCost<T>(database, query, continuing) : Infinity, Query.BEST_COST);
  store<i32>(query, 0, Query.BLOCKS_VISITED);

  const boxCount = load<i32>(database, Database.BOX_COUNT);
  const channels = load<i32>(database, Database.CHANNELS);
  const bounds: usize = <usize>load<u32>(query, Query.BOUNDS);
  const first = boundLargeBoxes(database, query, boxCount, bounds);
  if (first < 0) return;
  searchBox<T>(database, query, first);

  const transition = v128.load32_splat(query, Query.TRANSITION_COST);
  const penalties: usize = load<u32>(query, Query.LARGE_PENALTIES);
  const groupBytes = <usize>channels * BOX_ROW_BYTES;
  let boxes: usize = load<u32>(database, Database.LARGE_BOXES);
  for (let group = 0; group < boxCount; group += 4) {
    const ties = group * BOX_FRAMES < load<i32>(query, Query.BEST_RANK);
    if (canWin(v128.load(bounds + (<usize>group << 2)), load<f32>(query, Query.BEST_COST), ties) != 0) {
      // The rough bound does not rule these boxes out: now all channels.
      const extra = f32x4.add(transition, v128.load(penalties + (<usize>group << 2)));
      const bound = boundBoxes(boxes, query + QUERY_HEADER_BYTES, channels, extra, v128.load32_splat(query, Query.BEST_COST));
      v128.store(bounds + (<usize>group << 2), bound);
      let open = canWin(bound, load<f32>(query, Query.BEST_COST), ties);
      while (open != 0) {
        const box = group + ctz(open);
        open &= open - 1;
        const laneBound = load<f32>(bounds + (<usize>box << 2));
        const best = load<f32>(query, Query.BEST_COST);
        const wins = laneBound < best || (laneBound == best && box * BOX_FRAMES < load<i32>(query, Query.BEST_RANK));
        if (wins && box != first) searchBox<T>(database, query, box);
      }
    }
    boxes += groupBytes;
  }
}

/** Bit mask of the lanes below `best`, or equal to it if `ties`. Infinite lanes never count. */
@inline
function canWin(cost: v128, best: f32, ties: bool): i32 {
  const limit = f32x4.splat(best);
  const finite = f32x4.lt(cost, f32x4.splat(Infinity));
  return i32x4.bitmask(v128.and(finite, ties ? f32x4.le(cost, limit) : f32x4.lt(cost, limit)));
}

/** One channel of four boxes added to their bounds: |q - nearest value inside|, squared and weighted. */
@inline
function addBoxRow(sum: v128, box: usize, row: usize): v128 {
  const q = v128.load(row);
  const below = f32x4.sub(v128.load(box), q);
  const above = f32x4.sub(q, v128.load(box, 16));
  const distance = f32x4.pmax(f32x4.splat(0), f32x4.pmax(below, above));
  return f32x4.add(sum, f32x4.mul(f32x4.mul(distance, v128.load(row, 16)), distance));
}

/** Bounds of four boxes with their extra cost; stops early, with a smaller bound, once all four are beyond `best`. */
@inline
function boundBoxes(boxes: usize, rows: usize, channels: i32, extra: v128, best: v128): v128 {
  let sum = f32x4.splat(0);
  let c = 0;
  while (c + CHUNK <= channels) {
    // Written out, because the compilers do not unroll loops.
    sum = addBoxRow(sum, boxes, rows);
    sum = addBoxRow(sum, boxes + 1 * BOX_ROW_BYTES, rows + 1 * QUERY_ROW_BYTES);
    sum = addBoxRow(sum, boxes + 2 * BOX_ROW_BYTES, rows + 2 * QUERY_ROW_BYTES);
    sum = addBoxRow(sum, boxes + 3 * BOX_ROW_BYTES, rows + 3 * QUERY_ROW_BYTES);
    sum = addBoxRow(sum, boxes + 4 * BOX_ROW_BYTES, rows + 4 * QUERY_ROW_BYTES);
    sum = addBoxRow(sum, boxes + 5 * BOX_ROW_BYTES, rows + 5 * QUERY_ROW_BYTES);
    sum = addBoxRow(sum, boxes + 6 * BOX_ROW_BYTES, rows + 6 * QUERY_ROW_BYTES);
    sum = addBoxRow(sum, boxes + 7 * BOX_ROW_BYTES, rows + 7 * QUERY_ROW_BYTES);
    boxes += CHUNK * BOX_ROW_BYTES;
    rows += CHUNK * QUERY_ROW_BYTES;
    c += CHUNK;
    if (!v128.any_true(f32x4.le(f32x4.add(sum, extra), best))) return f32x4.add(sum, extra);
  }
  for (; c < channels; c++) {
    sum = addBoxRow(sum, boxes, rows);
    boxes += BOX_ROW_BYTES;
    rows += QUERY_ROW_BYTES;
  }
  return f32x4.add(sum, extra);
}

/** Channels of the rough bounds: those that tell most, see the order of channels in layout/matching.ts. */
const ROUGH_CHANNELS = 16;

/** Bounds of all 64-slot boxes from their first channels; returns the box of the least finite bound, or -1. */
function boundLargeBoxes(database: usize, query: usize, boxCount: i32, bounds: usize): i32 {
  const channels = load<i32>(database, Database.CHANNELS);
  const rough = min(channels, ROUGH_CHANNELS);
  const rows = query + QUERY_HEADER_BYTES;
  const penalties: usize = load<u32>(query, Query.LARGE_PENALTIES);
  const transition = v128.load32_splat(query, Query.TRANSITION_COST);
  let boxes: usize = load<u32>(database, Database.LARGE_BOXES);
  let least: f32 = Infinity;
  let leastBox = -1;
  for (let group = 0; group < boxCount; group += 4) {
    const extra = f32x4.add(transition, v128.load(penalties + (<usize>group << 2)));
    const bound = boundBoxes(boxes, rows, rough, extra, f32x4.splat(Infinity));
    v128.store(bounds + (<usize>group << 2), bound);
    boxes += <usize>channels * BOX_ROW_BYTES;
    if (v128.any_true(f32x4.lt(bound, f32x4.splat(least)))) {
      for (let lane = 0; lane < 4; lane++) {
        const value = load<f32>(bounds + (<usize>(group + lane) << 2));
        if (value < least) {
          least = value;
          leastBox = group + lane;
        }
      }
    }
  }
  return leastBox;
}

/** Searches the four small boxes of a 64-slot box. */
function searchBox<T>(database: usize, query: usize, box: i32): void {
  const channels = load<i32>(database, Database.CHANNELS);
  const rows = query + QUERY_HEADER_BYTES;
  const transition = v128.load32_splat(query, Query.TRANSITION_COST);
  const extra = f32x4.add(transition, v128.load(<usize>load<u32>(query, Query.SMALL_PENALTIES) + (<usize>box << 4)));
  const small: usize = <usize>load<u32>(database, Database.SMALL_BOXES) + <usize>(box * channels) * BOX_ROW_BYTES;
  const best = v128.load32_splat(query, Query.BEST_COST);
  const bound = boundBoxes(small, rows, channels, extra, best);
  const base = box * BOX_FRAMES;
  let open = canWin(bound, load<f32>(query, Query.BEST_COST), base < load<i32>(query, Query.BEST_RANK));
  while (open != 0) {
    const lane = ctz(open);
    open &= open - 1;
    searchSmallBox<T>(database, query, base + lane * SMALL_BOX_FRAMES, channels);
  }
}

/** One channel of four frames added to their costs. */
@inline
function addFrameRow<T>(sum: v128, features: usize, steps: usize, row: usize): v128 {
  let f: v128;
  if (isFloat<T>()) {
    f = v128.load(features);
  } else {
    const codes = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(features)));
    f = f32x4.add(f32x4.mul(f32x4.convert_i32x4_u(codes), v128.load(steps)), v128.load(steps, 16));
  }
  const d = f32x4.sub(v128.load(row), f);
  return f32x4.add(sum, f32x4.mul(f32x4.mul(d, v128.load(row, 16)), d));
}

@inline
function rowBytes<T>(): usize {
  if (isFloat<T>()) return FEATURE_ROW_BYTES;
  return CODE_ROW_BYTES;
}

/** `best` and `rank` after four lanes of costs: kept in the query between calls. */
@inline
function takeWinners(query: usize, cost: v128, slot: i32): void {
  let best = load<f32>(query, Query.BEST_COST);
  let rank = load<i32>(query, Query.BEST_RANK);
  const winners = canWin(cost, best, slot < rank);
  if (winners == 0) return;
  if (winners & 1) { const c = f32x4.extract_lane(cost, 0); if (c < best || (c == best && slot < rank)) { best = c; rank = slot; } }
  if (winners & 2) { const c = f32x4.extract_lane(cost, 1); if (c < best || (c == best && slot + 1 < rank)) { best = c; rank = slot + 1; } }
  if (winners & 4) { const c = f32x4.extract_lane(cost, 2); if (c < best || (c == best && slot + 2 < rank)) { best = c; rank = slot + 2; } }
  if (winners & 8) { const c = f32x4.extract_lane(cost, 3); if (c < best || (c == best && slot + 3 < rank)) { best = c; rank = slot + 3; } }
  store<f32>(query, best, Query.BEST_COST);
  store<i32>(query, rank, Query.BEST_RANK);
  store<i32>(query, rank, Query.BEST_SLOT);
}

/** Extra costs of four slots, infinite inside the skipped range. */
@inline
function extraCosts(penalties: usize, transition: v128, slot: i32, skipFirst: i32, skipLast: i32): v128 {
  const extra = f32x4.add(transition, v128.load(penalties));
  if (slot > skipLast || slot + 3 < skipFirst) return extra;
  const lanes = i32x4.add(i32x4.splat(slot), i32x4(0, 1, 2, 3));
  const skipped = v128.and(i32x4.ge_s(lanes, i32x4.splat(skipFirst)), i32x4.le_s(lanes, i32x4.splat(skipLast)));
  return v128.bitselect(f32x4.splat(Infinity), extra, skipped);
}

/** Rows between two looks at the sums of sixteen frames. */
const BOX_CHUNK = 4;

/**
 * Searches sixteen slots side by side: four sums do not wait for each other, and share the query's loads. Stops once no
 * frame can win any more.
 */
function searchSmallBox<T>(database: usize, query: usize, base: i32, channels: i32): void {
  const blockBytes = <usize>channels * rowBytes<T>();
  const penalties: usize = <usize>load<u32>(query, Query.PENALTIES) + (<usize>base << 2);
  const transition = v128.load32_splat(query, Query.TRANSITION_COST);
  const skipFirst = load<i32>(query, Query.SKIP_FIRST);
  const skipLast = load<i32>(query, Query.SKIP_LAST);
  const best = v128.load32_splat(query, Query.BEST_COST);
  const extraA = extraCosts(penalties, transition, base, skipFirst, skipLast);
  const extraB = extraCosts(penalties + 16, transition, base + 4, skipFirst, skipLast);
  const extraC = extraCosts(penalties + 32, transition, base + 8, skipFirst, skipLast);
  const extraD = extraCosts(penalties + 48, transition, base + 12, skipFirst, skipLast);
  let a: usize = <usize>load<u32>(database, Database.FEATURES) + <usize>(base >> 2) * blockBytes;
  let b: usize = a + blockBytes, c: usize = b + blockBytes, d: usize = c + blockBytes;
  let row: usize = query + QUERY_HEADER_BYTES;
  let steps: usize = load<u32>(database, Database.STEPS);
  let sumA = f32x4.splat(0), sumB = f32x4.splat(0), sumC = f32x4.splat(0), sumD = f32x4.splat(0);
  store<i32>(query, load<i32>(query, Query.BLOCKS_VISITED) + SMALL_BOX_FRAMES / BLOCK_FRAMES, Query.BLOCKS_VISITED);

  for (let done = 0; done < channels; done += BOX_CHUNK) {
    sumA = addFrameRow<T>(sumA, a, steps, row);
    sumB = addFrameRow<T>(sumB, b, steps, row);
    sumC = addFrameRow<T>(sumC, c, steps, row);
    sumD = addFrameRow<T>(sumD, d, steps, row);
    sumA = addFrameRow<T>(sumA, a + 1 * rowBytes<T>(), steps + 1 * BOX_ROW_BYTES, row + 1 * QUERY_ROW_BYTES);
    sumB = addFrameRow<T>(sumB, b + 1 * rowBytes<T>(), steps + 1 * BOX_ROW_BYTES, row + 1 * QUERY_ROW_BYTES);
    sumC = addFrameRow<T>(sumC, c + 1 * rowBytes<T>(), steps + 1 * BOX_ROW_BYTES, row + 1 * QUERY_ROW_BYTES);
    sumD = addFrameRow<T>(sumD, d + 1 * rowBytes<T>(), steps + 1 * BOX_ROW_BYTES, row + 1 * QUERY_ROW_BYTES);
    sumA = addFrameRow<T>(sumA, a + 2 * rowBytes<T>(), steps + 2 * BOX_ROW_BYTES, row + 2 * QUERY_ROW_BYTES);
    sumB = addFrameRow<T>(sumB, b + 2 * rowBytes<T>(), steps + 2 * BOX_ROW_BYTES, row + 2 * QUERY_ROW_BYTES);
    sumC = addFrameRow<T>(sumC, c + 2 * rowBytes<T>(), steps + 2 * BOX_ROW_BYTES, row + 2 * QUERY_ROW_BYTES);
    sumD = addFrameRow<T>(sumD, d + 2 * rowBytes<T>(), steps + 2 * BOX_ROW_BYTES, row + 2 * QUERY_ROW_BYTES);
    sumA = addFrameRow<T>(sumA, a + 3 * rowBytes<T>(), steps + 3 * BOX_ROW_BYTES, row + 3 * QUERY_ROW_BYTES);
    sumB = addFrameRow<T>(sumB, b + 3 * rowBytes<T>(), steps + 3 * BOX_ROW_BYTES, row + 3 * QUERY_ROW_BYTES);
    sumC = addFrameRow<T>(sumC, c + 3 * rowBytes<T>(), steps + 3 * BOX_ROW_BYTES, row + 3 * QUERY_ROW_BYTES);
    sumD = addFrameRow<T>(sumD, d + 3 * rowBytes<T>(), steps + 3 * BOX_ROW_BYTES, row + 3 * QUERY_ROW_BYTES);
    a += <usize>BOX_CHUNK * rowBytes<T>();
    b += <usize>BOX_CHUNK * rowBytes<T>();
    c += <usize>BOX_CHUNK * rowBytes<T>();
    d += <usize>BOX_CHUNK * rowBytes<T>();
    row += BOX_CHUNK * QUERY_ROW_BYTES;
    steps += BOX_CHUNK * BOX_ROW_BYTES;
    const open = v128.or(
      v128.or(f32x4.le(f32x4.add(sumA, extraA), best), f32x4.le(f32x4.add(sumB, extraB), best)),
      v128.or(f32x4.le(f32x4.add(sumC, extraC), best), f32x4.le(f32x4.add(sumD, extraD), best)));
    if (!v128.any_true(open)) return;
  }
  takeWinners(query, f32x4.add(sumA, extraA), base);
  takeWinners(query, f32x4.add(sumB, extraB), base + 4);
  takeWinners(query, f32x4.add(sumC, extraC), base + 8);
  takeWinners(query, f32x4.add(sumD, extraD), base + 12);
}

/** Costs of four frames with their extra cost; stops early, with smaller values, once all four are beyond `best`. */
@inline
function frameCosts<T>(features: usize, steps: usize, rows: usize, channels: i32, extra: v128, best: v128): v128 {
  let sum = f32x4.splat(0);
  let c = 0;
  while (c + CHUNK <= channels) {
    sum = addFrameRow<T>(sum, features, steps, rows);
    sum = addFrameRow<T>(sum, features + 1 * rowBytes<T>(), steps + 1 * BOX_ROW_BYTES, rows + 1 * QUERY_ROW_BYTES);
    sum = addFrameRow<T>(sum, features + 2 * rowBytes<T>(), steps + 2 * BOX_ROW_BYTES, rows + 2 * QUERY_ROW_BYTES);
    sum = addFrameRow<T>(sum, features + 3 * rowBytes<T>(), steps + 3 * BOX_ROW_BYTES, rows + 3 * QUERY_ROW_BYTES);
    sum = addFrameRow<T>(sum, features + 4 * rowBytes<T>(), steps + 4 * BOX_ROW_BYTES, rows + 4 * QUERY_ROW_BYTES);
    sum = addFrameRow<T>(sum, features + 5 * rowBytes<T>(), steps + 5 * BOX_ROW_BYTES, rows + 5 * QUERY_ROW_BYTES);
    sum = addFrameRow<T>(sum, features + 6 * rowBytes<T>(), steps + 6 * BOX_ROW_BYTES, rows + 6 * QUERY_ROW_BYTES);
    sum = addFrameRow<T>(sum, features + 7 * rowBytes<T>(), steps + 7 * BOX_ROW_BYTES, rows + 7 * QUERY_ROW_BYTES);
    features += <usize>CHUNK * rowBytes<T>();
    steps += CHUNK * BOX_ROW_BYTES;
    rows += CHUNK * QUERY_ROW_BYTES;
    c += CHUNK;
    if (!v128.any_true(f32x4.le(f32x4.add(sum, extra), best))) return f32x4.splat(Infinity);
  }
  for (; c < channels; c++) {
    sum = addFrameRow<T>(sum, features, steps, rows);
    features += rowBytes<T>();
    steps += BOX_ROW_BYTES;
    rows += QUERY_ROW_BYTES;
  }
  return f32x4.add(sum, extra);
}

function slotCost<T>(database: usize, query: usize, slot: i32): f32 {
  const channels = load<i32>(database, Database.CHANNELS);
  const features: usize = <usize>load<u32>(database, Database.FEATURES) + <usize>(slot >> 2) * <usize>channels * rowBytes<T>();
  const cost = frameCosts<T>(features, load<u32>(database, Database.STEPS), query + QUERY_HEADER_BYTES, channels, f32x4.splat(0), f32x4.splat(Infinity));
  const lane = slot & 3;
  if (lane == 0) return f32x4.extract_lane(cost, 0);
  if (lane == 1) return f32x4.extract_lane(cost, 1);
  if (lane == 2) return f32x4.extract_lane(cost, 2);
  return f32x4.extract_lane(cost, 3);
}
