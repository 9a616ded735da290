/**
 * Samples a keyframed clip: walks its key streams from the nearest snapshot to the time, then interpolates four joints a register.
 *
 * Layout   layout/rig3d.ts, "Keyframed clip". `bind`, `bindStride`, `live`: as in sample-keys.ts.
 *          scratch: the keys that every lane stands on, positions, rotations, scales.
 * Requires every pointer 16-byte aligned; time finite, 0 or more; KEYFRAMED_PADDING readable bytes behind the keys; scratch of
 *          KEYFRAMED_LANE_BYTES a lane; at least one snapshot in streams that have lanes.
 * Ensures  out: `groupCount` groups; the same for any content of scratch. Of keys at one time the last one counts; before the
 *          first and after the last key it holds. Rotations are unit quaternions on the shortest arc.
 * Source   own format, after the idea of sorting keys by when playback needs them (ozz-animation's public description).
 */
import {
  CLIP_GROUP_COUNT, CLIP_GROUPS, CLIP_ROWS, CLIP_TABLES, GROUP_BYTES, KEY_STREAM_BYTES, KEYFRAMED_LANE_BYTES, KEYFRAMED_RANGE_BYTES, KEYFRAMED_STEPPED,
  KeyStream, Local, TABLE_GROUP_BYTES, TABLE_GROUP_CONSTANTS, TABLE_GROUP_MASKS, TableGroup,
} from "../layout/rig3d";
import { ROW_BYTES } from "../layout/heap";
import { lerp } from "../math/quaternion";
import { highHalves, highPairs, lowHalves, lowPairs } from "../math/transpose";
import { copyRows3, storeRotations, storeVectors } from "./sample-keys";

/** Finds the two keys of every lane of a stream, and returns the end of the lanes. */
function walk(stream: usize, times: usize, time: f32, lanes: usize): usize {
  const end = lanes + <usize>load<u32>(stream, KeyStream.LANES) * KEYFRAMED_LANE_BYTES;
  if (end == lanes) return end;
  const keys: usize = load<u32>(stream, KeyStream.KEYS), stride: usize = load<u32>(stream, KeyStream.KEY_BYTES);
  const snapshotTimes: usize = load<u32>(stream, KeyStream.SNAPSHOT_TIMES);
  let low = 0, high = load<i32>(stream, KeyStream.SNAPSHOT_COUNT);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (load<f32>(snapshotTimes + (<usize>middle << 2)) <= time) low = middle; else high = middle;
  }
  let from = <usize>load<u32>(stream, KeyStream.SNAPSHOTS) + <usize>low * (end - lanes);
  for (let to = lanes; to < end; to += 32) {
    const a = v128.load(from, 0), b = v128.load(from, 16);
    v128.store(to, a, 0);
    v128.store(to, b, 16);
    from += 32;
  }
  const count = load<i32>(stream, KeyStream.COUNT);
  for (let key = load<i32>(stream, KeyStream.FIRST) + low * load<i32>(stream, KeyStream.EVERY); key < count; key++) {
    const lane = lanes + <usize>load<u16>(keys + <usize>key * stride, 2) * KEYFRAMED_LANE_BYTES;
    const right = load<u32>(lane, 4);
    if (load<f32>(times + (<usize>load<u16>(keys + <usize>right * stride) << 2)) > time) break;
    store<u32>(lane, right, 0);
    store<i32>(lane, key, 4);
  }
  return end;
}

/** Where the time lies between the keys of a lane, 0..1; stepped lanes show the left key until the right one is reached. */
@inline
function weightOf(left: usize, right: usize, times: usize, time: f64, stepped: u32): f32 {
  const a = load<f32>(times + (<usize>load<u16>(left) << 2)), b = load<f32>(times + (<usize>load<u16>(right) << 2));
  if (<f32>time >= b) return 1;
  if (stepped) return 0;
  return <f32>max<f64>(0, min<f64>(1, (time - <f64>a) / (<f64>b - <f64>a)));
}

/** The codes of two keys, interleaved. */
@inline
function codes01(k0: usize, k1: usize): v128 {
  // [a0 b0 c0 -], [a1 b1 c1 -]  ->  [a0 a1 b0 b1 c0 c1 - -]
  return v128.shuffle<i16>(v128.load64_zero(k0, 4), v128.load64_zero(k1, 4), 0, 8, 1, 9, 2, 10, 3, 11);
}

/** First codes of four keys, as integers, from two results of `codes01`. */
@inline
function firstCodes(c01: v128, c23: v128): v128 { return i32x4.extend_low_i16x8_u(v128.shuffle<i32>(c01, c23, 0, 4, 1, 5)); }
@inline
function secondCodes(c01: v128, c23: v128): v128 { return i32x4.extend_high_i16x8_u(v128.shuffle<i32>(c01, c23, 0, 4, 1, 5)); }
@inline
function thirdCodes(c01: v128, c23: v128): v128 { return i32x4.extend_low_i16x8_u(v128.shuffle<i32>(c01, c23, 2, 6, 3, 7)); }

/** Lowest + step x code between the left and the right keys, one row. */
@inline
function rangeRow(left: v128, right: v128, weight: v128, range: usize): v128 {
  const low = v128.load(range), step = v128.load(range, 48);
  const a = f32x4.add(low, f32x4.mul(f32x4.convert_i32x4_s(left), step)), b = f32x4.add(low, f32x4.mul(f32x4.convert_i32x4_s(right), step));
  return f32x4.add(a, f32x4.mul(f32x4.sub(b, a), weight));
}

/** Position or scale of four joints. `lanes`: the keys they stand on. */
function sampleVectors(
  stream: usize, group: i32, lanes: usize, stepped: u32, times: usize, time: f64, row: usize, bind: usize, out: usize, mask: v128,
): void {
  const keys: usize = load<u32>(stream, KeyStream.KEYS), stride: usize = load<u32>(stream, KeyStream.KEY_BYTES);
  const a0 = keys + <usize>load<u32>(lanes, 0) * stride, b0 = keys + <usize>load<u32>(lanes, 4) * stride;
  const a1 = keys + <usize>load<u32>(lanes, 8) * stride, b1 = keys + <usize>load<u32>(lanes, 12) * stride;
  const a2 = keys + <usize>load<u32>(lanes, 16) * stride, b2 = keys + <usize>load<u32>(lanes, 20) * stride;
  const a3 = keys + <usize>load<u32>(lanes, 24) * stride, b3 = keys + <usize>load<u32>(lanes, 28) * stride;
  const w0 = weightOf(a0, b0, times, time, stepped & 1), w1 = weightOf(a1, b1, times, time, stepped & 2);
  const w2 = weightOf(a2, b2, times, time, stepped & 4), w3 = weightOf(a3, b3, times, time, stepped & 8);
  const ranges: usize = load<u32>(stream, KeyStream.RANGES);
  if (ranges == 0) {
    storeVectors(
      lerp(v128.load(a0, 4), v128.load(b0, 4), f32x4.splat(w0)), lerp(v128.load(a1, 4), v128.load(b1, 4), f32x4.splat(w1)),
      lerp(v128.load(a2, 4), v128.load(b2, 4), f32x4.splat(w2)), lerp(v128.load(a3, 4), v128.load(b3, 4), f32x4.splat(w3)), row, bind, out, mask);
    return;
  }
  const weight = f32x4.replace_lane(f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(w0), 1, w1), 2, w2), 3, w3);
  const range = ranges + <usize>group * KEYFRAMED_RANGE_BYTES;
  const a01 = codes01(a0, a1), a23 = codes01(a2, a3), b01 = codes01(b0, b1), b23 = codes01(b2, b3);
  const x = rangeRow(firstCodes(a01, a23), firstCodes(b01, b23), weight, range);
  const y = rangeRow(secondCodes(a01, a23), secondCodes(b01, b23), weight, range + 16);
  const z = rangeRow(thirdCodes(a01, a23), thirdCodes(b01, b23), weight, range + 32);
  v128.store(out + row, v128.bitselect(x, v128.load(bind + row, 0), mask), 0);
  v128.store(out + row, v128.bitselect(y, v128.load(bind + row, 16), mask), 16);
  v128.store(out + row, v128.bitselect(z, v128.load(bind + row, 32), mask), 32);
}

/** A component of 15 bits. */
@inline
function component(code: v128): v128 {
  const value = f32x4.convert_i32x4_s(v128.and(code, i32x4.splat(0x7fff)));
  return f32x4.mul(f32x4.sub(f32x4.mul(value, f32x4.splat(<f32>(2.0 / 32767.0))), f32x4.splat(1)), f32x4.splat(<f32>0.7071067811865476));
}

/** Bit 15 of four codes as a mask. */
@inline
function topBit(code: v128): v128 { return i32x4.shr_s(i32x4.shl(code, 16), 31); }

// The largest component is x for 0, y for 1, z for 2, w for 3 (`low`: bit 0, `high`: bit 1); the others keep their order around it.
@inline
function pickX(a: v128, largest: v128, low: v128, high: v128): v128 { return v128.bitselect(a, largest, v128.or(low, high)); }
@inline
function pickY(a: v128, b: v128, largest: v128, low: v128, high: v128): v128 { return v128.bitselect(b, v128.bitselect(largest, a, low), high); }
@inline
function pickZ(b: v128, c: v128, largest: v128, low: v128, high: v128): v128 { return v128.bitselect(v128.bitselect(c, largest, low), b, high); }
@inline
function pickW(c: v128, largest: v128, low: v128, high: v128): v128 { return v128.bitselect(largest, c, v128.and(low, high)); }

/** The component that is left of a unit quaternion. */
@inline
function largestOf(a: v128, b: v128, c: v128): v128 {
  const squares = f32x4.add(f32x4.mul(a, a), f32x4.add(f32x4.mul(b, b), f32x4.mul(c, c)));
  return f32x4.sqrt(f32x4.max(f32x4.splat(0), f32x4.sub(f32x4.splat(1), squares)));
}

function sampleRotations(stream: usize, lanes: usize, stepped: u32, times: usize, time: f64, bind: usize, out: usize, mask: v128): void {
  const keys: usize = load<u32>(stream, KeyStream.KEYS), stride: usize = load<u32>(stream, KeyStream.KEY_BYTES);
  const l0 = keys + <usize>load<u32>(lanes, 0) * stride, r0 = keys + <usize>load<u32>(lanes, 4) * stride;
  const l1 = keys + <usize>load<u32>(lanes, 8) * stride, r1 = keys + <usize>load<u32>(lanes, 12) * stride;
  const l2 = keys + <usize>load<u32>(lanes, 16) * stride, r2 = keys + <usize>load<u32>(lanes, 20) * stride;
  const l3 = keys + <usize>load<u32>(lanes, 24) * stride, r3 = keys + <usize>load<u32>(lanes, 28) * stride;
  const w0 = weightOf(l0, r0, times, time, stepped & 1), w1 = weightOf(l1, r1, times, time, stepped & 2);
  const w2 = weightOf(l2, r2, times, time, stepped & 4), w3 = weightOf(l3, r3, times, time, stepped & 8);
  const weight = f32x4.replace_lane(f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(w0), 1, w1), 2, w2), 3, w3);
  if (load<u32>(stream, KeyStream.RANGES) == 0) {
    const a0 = v128.load(l0, 4), a1 = v128.load(l1, 4), a2 = v128.load(l2, 4), a3 = v128.load(l3, 4);
    const b0 = v128.load(r0, 4), b1 = v128.load(r1, 4), b2 = v128.load(r2, 4), b3 = v128.load(r3, 4);
    // Four [x y z w] to [x0 x1 x2 x3] and so on: two rounds of interleaving.
    const axy01 = lowPairs(a0, a1), azw01 = highPairs(a0, a1), axy23 = lowPairs(a2, a3), azw23 = highPairs(a2, a3);
    const bxy01 = lowPairs(b0, b1), bzw01 = highPairs(b0, b1), bxy23 = lowPairs(b2, b3), bzw23 = highPairs(b2, b3);
    storeRotations(
      lowHalves(axy01, axy23), highHalves(axy01, axy23), lowHalves(azw01, azw23), highHalves(azw01, azw23),
      lowHalves(bxy01, bxy23), highHalves(bxy01, bxy23), lowHalves(bzw01, bzw23), highHalves(bzw01, bzw23), weight, bind, out, mask);
    return;
  }
  const l01 = codes01(l0, l1), l23 = codes01(l2, l3), r01 = codes01(r0, r1), r23 = codes01(r2, r3);
  const lf = firstCodes(l01, l23), ls = secondCodes(l01, l23), lt = thirdCodes(l01, l23);
  const rf = firstCodes(r01, r23), rs = secondCodes(r01, r23), rt = thirdCodes(r01, r23);
  const la = component(lf), lb = component(ls), lc = component(lt), ll = largestOf(la, lb, lc);
  const ra = component(rf), rb = component(rs), rc = component(rt), rl = largestOf(ra, rb, rc);
  const llow = topBit(lf), lhigh = topBit(ls), rlow = topBit(rf), rhigh = topBit(rs);
  const minus = f32x4.splat(-0.0), lsign = v128.and(topBit(lt), minus), rsign = v128.and(topBit(rt), minus);
  storeRotations(
    v128.xor(pickX(la, ll, llow, lhigh), lsign), v128.xor(pickY(la, lb, ll, llow, lhigh), lsign),
    v128.xor(pickZ(lb, lc, ll, llow, lhigh), lsign), v128.xor(pickW(lc, ll, llow, lhigh), lsign),
    v128.xor(pickX(ra, rl, rlow, rhigh), rsign), v128.xor(pickY(ra, rb, rl, rlow, rhigh), rsign),
    v128.xor(pickZ(rb, rc, rl, rlow, rhigh), rsign), v128.xor(pickW(rc, rl, rlow, rhigh), rsign), weight, bind, out, mask);
}

/** Rows of a channel that does not move: constants of the masked lanes, bind values of the others. */
@inline
function constantRows(constants: usize, rows: usize, row: usize, bind: usize, out: usize, mask: v128): void {
  for (let i: usize = 0; i < rows; i += 16) v128.store(out + row + i, v128.bitselect(v128.load(constants + i), v128.load(bind + row + i), mask));
}

export function sampleKeyframed(
  clip: usize, time: f64, scratch: usize, bind: usize, bindStride: usize, live: usize, out: usize, groupCount: i32,
): void {
  assert(((scratch | bind | live | out) & 15) == 0, "blocks must be 16-byte aligned");
  let group: usize = load<u32>(clip, CLIP_GROUPS);
  const tableGroups = load<i32>(clip, CLIP_GROUP_COUNT), times: usize = load<u32>(load<u32>(clip, CLIP_TABLES));
  const positions: usize = load<u32>(clip, CLIP_ROWS), rotations = positions + KEY_STREAM_BYTES, scales = rotations + KEY_STREAM_BYTES;
  let positionLanes = scratch;
  let rotationLanes = walk(positions, times, <f32>time, positionLanes);
  let scaleLanes = walk(rotations, times, <f32>time, rotationLanes);
  walk(scales, times, <f32>time, scaleLanes);
  let movingPositions = 0, movingScales = 0;
  for (let g = 0; g < groupCount; g++) {
    const flags: u32 = g < tableGroups ? load<u32>(group) : 0, stepped = flags >>> KEYFRAMED_STEPPED;
    const alive = live != 0 ? v128.load(live + (<usize>g << 4)) : i32x4.splat(-1);
    const sampled: u32 = v128.any_true(alive) ? flags : 0;
    const masks = group + TABLE_GROUP_MASKS, constants = group + TABLE_GROUP_CONSTANTS;
    const position = Local.PX * ROW_BYTES, rotation = Local.QX * ROW_BYTES, scale = Local.SX * ROW_BYTES;

    if (sampled & TableGroup.POSITION_MOVES) {
      sampleVectors(positions, movingPositions, positionLanes, stepped & 15, times, time, position, bind, out, v128.and(alive, v128.load(masks)));
    } else if (sampled & TableGroup.POSITION_CONSTANT) {
      constantRows(constants, 48, position, bind, out, v128.and(alive, v128.load(masks)));
    } else {
      copyRows3(out, bind, position);
    }
    if (sampled & TableGroup.ROTATION_MOVES) {
      sampleRotations(rotations, rotationLanes, (stepped >>> 4) & 15, times, time, bind, out, v128.and(alive, v128.load(masks, 16)));
    } else if (sampled & TableGroup.ROTATION_CONSTANT) {
      constantRows(constants + 48, 64, rotation, bind, out, v128.and(alive, v128.load(masks, 16)));
    } else {
      copyRows3(out, bind, rotation);
      v128.store(out + Local.QW * ROW_BYTES, v128.load(bind + Local.QW * ROW_BYTES));
    }
    if (sampled & TableGroup.SCALE_MOVES) {
      sampleVectors(scales, movingScales, scaleLanes, (stepped >>> 8) & 15, times, time, scale, bind, out, v128.and(alive, v128.load(masks, 32)));
    } else if (sampled & TableGroup.SCALE_CONSTANT) {
      constantRows(constants + 112, 48, scale, bind, out, v128.and(alive, v128.load(masks, 32)));
    } else {
      copyRows3(out, bind, scale);
    }

    if (flags & TableGroup.POSITION_MOVES) {
      movingPositions++;
      positionLanes += 4 * KEYFRAMED_LANE_BYTES;
    }
    if (flags & TableGroup.ROTATION_MOVES) rotationLanes += 4 * KEYFRAMED_LANE_BYTES;
    if (flags & TableGroup.SCALE_MOVES) {
      movingScales++;
      scaleLanes += 4 * KEYFRAMED_LANE_BYTES;
    }
    group += TABLE_GROUP_BYTES;
    bind += bindStride;
    out += GROUP_BYTES;
  }
}
