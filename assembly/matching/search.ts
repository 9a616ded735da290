/**
 * The database frame whose features are closest to a query's.
 *
 *   cost(f) = sum over channels of ((q - f) w) (q - f), in channel order, then + (transition cost + penalty)
 *   The playing frame pays no transition cost and no penalty, and wins ties; among the others the lowest slot wins.
 *
 * Layout   layout/matching.ts.
 * Requires every block 16-byte aligned; finite features, queries and weights; weights >= 0; costs and penalties >= 0,
 *          penalties possibly infinite; channel count a multiple of CHANNEL_PADDING, axis count of AXIS_PADDING; the weight of an
 *          axis at most what its channels weigh, each in shares of its feature's weight.
 * Ensures  BEST_SLOT, BEST_COST, BLOCKS_VISITED, MARGIN and the coordinates of the query; the scratch block is overwritten. The
 *          result is that of a scalar loop over all frames, bit for bit: costs are summed in channel order, and a box or frame is
 *          left out only if its bound, with all roundings allowed for, exceeds the best cost.
 * Source   branch and bound over two levels of boxes along principal axes, then over the frames' coordinates along them; the
 *          most promising boxes first. |V (q - f)| <= |q - f| for orthonormal rows V.
 */
import {
  AXIS_PADDING, BLOCK_FRAMES, BOX_FRAMES, BOX_ROW_BYTES, CANDIDATE_BYTES, CODE_ROW_BYTES, Database, FEATURE_ROW_BYTES, Query, QUERY_HEADER_BYTES, QUERY_ROW_BYTES,
  SMALL_BOX_FRAMES,
} from "../layout/matching";

/** Rows between two looks at the partial sums: of channels, of axes. */
const CHUNK = 8;
const AXIS_CHUNK = AXIS_PADDING;

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
  turnQuery(database, query);

  const first = boundLargeBoxes(database, query);
  if (first < 0) return;
  const bounds: usize = load<u32>(query, Query.SCRATCH);
  const candidates = bounds + <usize>(((load<i32>(database, Database.BOX_COUNT) + 3) >> 2) << 4);
  // The most promising box first, for a cost that shuts most of the others.
  const opened = boundSmallBoxes(database, query, first, candidates);
  visit<T>(database, query, candidates, opened, Infinity);
  store<f32>(bounds + (<usize>first << 2), Infinity);

  const end = openLargeBoxes(database, query, bounds, candidates);
  let least: f32 = Infinity;
  for (let at = candidates; at < end; at += CANDIDATE_BYTES) least = min(least, load<f32>(at));
  const limit = limitOf(database, query);
  // Good ones before the others; those that are left then are shut by better costs.
  visit<T>(database, query, candidates, end, least + (limit - least) * NEAR);
  visit<T>(database, query, candidates, end, Infinity);
}

/** Share of the way from the least bound to the limit, up to which small boxes are visited first. */
const NEAR: f32 = 0.3;

/**
 * The query's coordinates along the axes, and its MARGIN.
 *
 * With exact numbers, the weighted length of a difference along orthonormal axes is never more than that of the difference
 * itself. Rounding of n channels and k axes moves the former by at most sqrt(k) (n + 4) half-ulps of the query's length and
 * two of a frame's.
 */
function turnQuery(database: usize, query: usize): void {
  const channels = load<i32>(database, Database.CHANNELS), axes = load<i32>(database, Database.AXIS_COUNT);
  const rows = query + QUERY_HEADER_BYTES;
  const turned = rows + <usize>channels * QUERY_ROW_BYTES;
  const stride = (<usize>axes << 2) + 16;
  let lengths = f32x4.splat(0), weights = f32x4.splat(0);
  for (let axis = 0; axis < axes; axis += 4) {
    let sum = f32x4.splat(0);
    let component: usize = <usize>load<u32>(database, Database.AXES) + (<usize>axis << 2);
    for (let c = 0, row = rows; c < channels; c++, row += QUERY_ROW_BYTES) {
      sum = f32x4.add(sum, f32x4.mul(v128.load(row), v128.load(component)));
      component += stride;
    }
    const out = turned + <usize>axis * QUERY_ROW_BYTES;
    v128.store(out, v128.shuffle<f32>(sum, sum, 0, 0, 0, 0));
    v128.store(out, v128.shuffle<f32>(sum, sum, 1, 1, 1, 1), 1 * QUERY_ROW_BYTES);
    v128.store(out, v128.shuffle<f32>(sum, sum, 2, 2, 2, 2), 2 * QUERY_ROW_BYTES);
    v128.store(out, v128.shuffle<f32>(sum, sum, 3, 3, 3, 3), 3 * QUERY_ROW_BYTES);
    weights = f32x4.max(weights, f32x4.max(
      f32x4.max(v128.load(out, 16), v128.load(out, QUERY_ROW_BYTES + 16)), f32x4.max(v128.load(out, 2 * QUERY_ROW_BYTES + 16), v128.load(out, 3 * QUERY_ROW_BYTES + 16))));
  }
  let weight: usize = <usize>load<u32>(database, Database.AXES) + stride - 16;
  for (let c = 0, row = rows; c < channels; c++, row += QUERY_ROW_BYTES) {
    const q = v128.load(row);
    lengths = f32x4.add(lengths, f32x4.mul(f32x4.mul(q, v128.load(weight)), q));
    weight += stride;
  }
  const length = f32.sqrt(f32x4.extract_lane(lengths, 0));
  const rounding = f32.sqrt(<f32>axes) * <f32>(channels + 8) * length + 4 * load<f32>(database, Database.LENGTH);
  const margin = f32.sqrt(f32x4.extract_lane(weights, 0)) * rounding * HALF_ULP + SMALLEST;
  store<f32>(query, margin, Query.MARGIN);
  // Numbers too large for that: no bound is beyond the limit then.
  if (!(margin < Infinity)) for (let axis = 0; axis < axes; axis++) v128.store(turned + <usize>axis * QUERY_ROW_BYTES, f32x4.splat(0));
}

/** Half of the distance from 1 to the next float, a little more. */
const HALF_ULP: f32 = 6.1e-8;
/** Its square is a normal number that is far below every cost that matters; products smaller than that may vanish. */
const SMALLEST: f32 = 1e-18;

/** What a bound by coordinates must exceed so that no frame behind it can win: the best cost with all roundings allowed for. */
@inline
function limitOf(database: usize, query: usize): f32 {
  const best = load<f32>(query, Query.BEST_COST), margin = load<f32>(query, Query.MARGIN);
  const relative = <f32>(load<i32>(database, Database.CHANNELS) + 32) * (4 * HALF_ULP);
  return best + (best * relative + margin * (2 * f32.sqrt(best) + margin));
}

/** Bit mask of the lanes that may hold a winner. Infinite bounds never do; what is not a number may. */
@inline
function mayWin(bound: v128, limit: v128): i32 {
  return i32x4.bitmask(f32x4.lt(bound, f32x4.splat(Infinity))) & ~i32x4.bitmask(f32x4.gt(bound, limit));
}

/** Bit mask of the lanes below `best`, or equal to it if `ties`. Infinite lanes never count. */
@inline
function canWin(cost: v128, best: f32, ties: bool): i32 {
  const limit = f32x4.splat(best);
  const finite = f32x4.lt(cost, f32x4.splat(Infinity));
  return i32x4.bitmask(v128.and(finite, ties ? f32x4.le(cost, limit) : f32x4.lt(cost, limit)));
}

/** One axis of four boxes: |q - nearest coordinate inside|, squared and weighted. */
@inline
function boxRow(box: usize, row: usize): v128 {
  const q = v128.load(row);
  const below = f32x4.sub(v128.load(box), q);
  const above = f32x4.sub(q, v128.load(box, 16));
  const distance = f32x4.pmax(f32x4.splat(0), f32x4.pmax(below, above));
  return f32x4.mul(f32x4.mul(distance, v128.load(row, 16)), distance);
}

/**
 * Bounds of four boxes with their extra cost; stops early, with a smaller bound, once all four are beyond the limit. Bounds may
 * be added up in any order, and in pairs they wait less for each other.
 */
@inline
function boundBoxes(boxes: usize, rows: usize, axes: i32, extra: v128, limit: v128): v128 {
  let sum = extra;
  for (let done = 0; done < axes; done += AXIS_CHUNK) {
    // Written out, because the compilers do not unroll loops.
    const a = f32x4.add(boxRow(boxes, rows), boxRow(boxes + 1 * BOX_ROW_BYTES, rows + 1 * QUERY_ROW_BYTES));
    const b = f32x4.add(boxRow(boxes + 2 * BOX_ROW_BYTES, rows + 2 * QUERY_ROW_BYTES), boxRow(boxes + 3 * BOX_ROW_BYTES, rows + 3 * QUERY_ROW_BYTES));
    const c = f32x4.add(boxRow(boxes + 4 * BOX_ROW_BYTES, rows + 4 * QUERY_ROW_BYTES), boxRow(boxes + 5 * BOX_ROW_BYTES, rows + 5 * QUERY_ROW_BYTES));
    const d = f32x4.add(boxRow(boxes + 6 * BOX_ROW_BYTES, rows + 6 * QUERY_ROW_BYTES), boxRow(boxes + 7 * BOX_ROW_BYTES, rows + 7 * QUERY_ROW_BYTES));
    sum = f32x4.add(sum, f32x4.add(f32x4.add(a, b), f32x4.add(c, d)));
    boxes += AXIS_CHUNK * BOX_ROW_BYTES;
    rows += AXIS_CHUNK * QUERY_ROW_BYTES;
    if (i32x4.all_true(f32x4.gt(sum, limit))) break;
  }
  return sum;
}

/** Bounds of all large boxes into the scratch block; returns the box of the least finite bound, or -1. */
function boundLargeBoxes(database: usize, query: usize): i32 {
  const boxCount = load<i32>(database, Database.BOX_COUNT), axes = load<i32>(database, Database.AXIS_COUNT);
  const rows = query + QUERY_HEADER_BYTES + <usize>load<i32>(database, Database.CHANNELS) * QUERY_ROW_BYTES;
  const penalties: usize = load<u32>(query, Query.LARGE_PENALTIES), bounds: usize = load<u32>(query, Query.SCRATCH);
  const transition = v128.load32_splat(query, Query.TRANSITION_COST);
  const limit = f32x4.splat(limitOf(database, query));
  let boxes: usize = load<u32>(database, Database.LARGE_BOXES);
  let least: f32 = Infinity;
  let leastBox = -1;
  for (let group = 0; group < boxCount; group += 4) {
    const extra = f32x4.add(transition, v128.load(penalties + (<usize>group << 2)));
    const bound = boundBoxes(boxes, rows, axes, extra, limit);
    v128.store(bounds + (<usize>group << 2), bound);
    boxes += <usize>axes * BOX_ROW_BYTES;
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

/** Writes the small boxes of all large boxes that may hold a winner; returns their end. */
function openLargeBoxes(database: usize, query: usize, bounds: usize, candidates: usize): usize {
  const boxCount = load<i32>(database, Database.BOX_COUNT);
  const limit = f32x4.splat(limitOf(database, query));
  for (let group = 0; group < boxCount; group += 4) {
    let open = mayWin(v128.load(bounds + (<usize>group << 2)), limit);
    while (open != 0) {
      candidates = boundSmallBoxes(database, query, group + ctz(open), candidates);
      open &= open - 1;
    }
  }
  return candidates;
}

/** Writes those of the four small boxes of a large box that may hold a winner; returns their end. */
@inline
function boundSmallBoxes(database: usize, query: usize, box: i32, candidates: usize): usize {
  const axes = load<i32>(database, Database.AXIS_COUNT);
  const rows = query + QUERY_HEADER_BYTES + <usize>load<i32>(database, Database.CHANNELS) * QUERY_ROW_BYTES;
  const extra = f32x4.add(v128.load32_splat(query, Query.TRANSITION_COST), v128.load(<usize>load<u32>(query, Query.SMALL_PENALTIES) + (<usize>box << 4)));
  const small: usize = <usize>load<u32>(database, Database.SMALL_BOXES) + <usize>(box * axes) * BOX_ROW_BYTES;
  const limit = f32x4.splat(limitOf(database, query));
  const bound = boundBoxes(small, rows, axes, extra, limit);
  const open = mayWin(bound, limit), base = box * BOX_FRAMES;
  if (open & 1) { store<f32>(candidates, f32x4.extract_lane(bound, 0)); store<i32>(candidates, base, 4); candidates += CANDIDATE_BYTES; }
  if (open & 2) { store<f32>(candidates, f32x4.extract_lane(bound, 1)); store<i32>(candidates, base + SMALL_BOX_FRAMES, 4); candidates += CANDIDATE_BYTES; }
  if (open & 4) { store<f32>(candidates, f32x4.extract_lane(bound, 2)); store<i32>(candidates, base + 2 * SMALL_BOX_FRAMES, 4); candidates += CANDIDATE_BYTES; }
  if (open & 8) { store<f32>(candidates, f32x4.extract_lane(bound, 3)); store<i32>(candidates, base + 3 * SMALL_BOX_FRAMES, 4); candidates += CANDIDATE_BYTES; }
  return candidates;
}

/** Searches the small boxes of a list that are not beyond `near`, nor beyond what can win, and strikes them off. */
function visit<T>(database: usize, query: usize, list: usize, end: usize, near: f32): void {
  const signatures = load<u32>(database, Database.SIGNATURES) != 0;
  for (; list < end; list += CANDIDATE_BYTES) {
    const bound = load<f32>(list);
    // Written so that what is not a number is visited.
    if (bound > near || bound > limitOf(database, query)) continue;
    const slot = load<i32>(list, 4);
    store<f32>(list, Infinity);
    if (bound == Infinity) continue;
    if (signatures) searchBySignature<T>(database, query, slot);
    else searchSmallBox<T>(database, query, slot);
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
function searchSmallBox<T>(database: usize, query: usize, base: i32): void {
  const channels = load<i32>(database, Database.CHANNELS);
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

/**
 * Searches a small box by its signatures: only blocks that may win are compared feature by feature. Four sums do not wait for
 * each other, and share the query's loads.
 */
function searchBySignature<T>(database: usize, query: usize, base: i32): void {
  const channels = load<i32>(database, Database.CHANNELS), axes = load<i32>(database, Database.AXIS_COUNT);
  const rows = query + QUERY_HEADER_BYTES;
  const turned = rows + <usize>channels * QUERY_ROW_BYTES;
  const penalties: usize = <usize>load<u32>(query, Query.PENALTIES) + (<usize>base << 2);
  const transition = v128.load32_splat(query, Query.TRANSITION_COST);
  const skipFirst = load<i32>(query, Query.SKIP_FIRST);
  const skipLast = load<i32>(query, Query.SKIP_LAST);
  const blockBytes = <usize>axes * FEATURE_ROW_BYTES;
  const extraA = extraCosts(penalties, transition, base, skipFirst, skipLast);
  const extraB = extraCosts(penalties + 16, transition, base + 4, skipFirst, skipLast);
  const extraC = extraCosts(penalties + 32, transition, base + 8, skipFirst, skipLast);
  const extraD = extraCosts(penalties + 48, transition, base + 12, skipFirst, skipLast);
  let a: usize = <usize>load<u32>(database, Database.SIGNATURES) + <usize>(base >> 2) * blockBytes;
  let b: usize = a + blockBytes, c: usize = b + blockBytes, d: usize = c + blockBytes;
  let row = turned;
  let sumA = extraA, sumB = extraB, sumC = extraC, sumD = extraD;
  const limit = f32x4.splat(limitOf(database, query));
  store<i32>(query, load<i32>(query, Query.BLOCKS_VISITED) + SMALL_BOX_FRAMES / BLOCK_FRAMES, Query.BLOCKS_VISITED);

  for (let done = 0; done < axes; done += AXIS_CHUNK) {
    for (let half = 0; half < AXIS_CHUNK; half += 4) {
      sumA = addFrameRow<f32>(sumA, a, 0, row);
      sumB = addFrameRow<f32>(sumB, b, 0, row);
      sumC = addFrameRow<f32>(sumC, c, 0, row);
      sumD = addFrameRow<f32>(sumD, d, 0, row);
      sumA = addFrameRow<f32>(sumA, a + 1 * FEATURE_ROW_BYTES, 0, row + 1 * QUERY_ROW_BYTES);
      sumB = addFrameRow<f32>(sumB, b + 1 * FEATURE_ROW_BYTES, 0, row + 1 * QUERY_ROW_BYTES);
      sumC = addFrameRow<f32>(sumC, c + 1 * FEATURE_ROW_BYTES, 0, row + 1 * QUERY_ROW_BYTES);
      sumD = addFrameRow<f32>(sumD, d + 1 * FEATURE_ROW_BYTES, 0, row + 1 * QUERY_ROW_BYTES);
      sumA = addFrameRow<f32>(sumA, a + 2 * FEATURE_ROW_BYTES, 0, row + 2 * QUERY_ROW_BYTES);
      sumB = addFrameRow<f32>(sumB, b + 2 * FEATURE_ROW_BYTES, 0, row + 2 * QUERY_ROW_BYTES);
      sumC = addFrameRow<f32>(sumC, c + 2 * FEATURE_ROW_BYTES, 0, row + 2 * QUERY_ROW_BYTES);
      sumD = addFrameRow<f32>(sumD, d + 2 * FEATURE_ROW_BYTES, 0, row + 2 * QUERY_ROW_BYTES);
      sumA = addFrameRow<f32>(sumA, a + 3 * FEATURE_ROW_BYTES, 0, row + 3 * QUERY_ROW_BYTES);
      sumB = addFrameRow<f32>(sumB, b + 3 * FEATURE_ROW_BYTES, 0, row + 3 * QUERY_ROW_BYTES);
      sumC = addFrameRow<f32>(sumC, c + 3 * FEATURE_ROW_BYTES, 0, row + 3 * QUERY_ROW_BYTES);
      sumD = addFrameRow<f32>(sumD, d + 3 * FEATURE_ROW_BYTES, 0, row + 3 * QUERY_ROW_BYTES);
      a += 4 * FEATURE_ROW_BYTES;
      b += 4 * FEATURE_ROW_BYTES;
      c += 4 * FEATURE_ROW_BYTES;
      d += 4 * FEATURE_ROW_BYTES;
      row += 4 * QUERY_ROW_BYTES;
    }
    const least = f32x4.pmin(f32x4.pmin(sumA, sumB), f32x4.pmin(sumC, sumD));
    if (i32x4.all_true(f32x4.gt(least, limit))) return;
  }
  if (mayWin(sumA, limit) != 0) compareBlock<T>(database, query, base, channels, extraA);
  if (mayWin(sumB, limit) != 0) compareBlock<T>(database, query, base + 4, channels, extraB);
  if (mayWin(sumC, limit) != 0) compareBlock<T>(database, query, base + 8, channels, extraC);
  if (mayWin(sumD, limit) != 0) compareBlock<T>(database, query, base + 12, channels, extraD);
}

/** Costs of four frames against the best so far. */
@inline
function compareBlock<T>(database: usize, query: usize, slot: i32, channels: i32, extra: v128): void {
  const features: usize = <usize>load<u32>(database, Database.FEATURES) + <usize>(slot >> 2) * <usize>channels * rowBytes<T>();
  const cost = frameCosts<T>(features, load<u32>(database, Database.STEPS), query + QUERY_HEADER_BYTES, channels, extra, v128.load32_splat(query, Query.BEST_COST));
  takeWinners(query, cost, slot);
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
