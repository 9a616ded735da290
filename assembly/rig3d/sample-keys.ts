/**
 * Samples a keyed clip into a local pose.
 *
 * Layout   time tables, segments, key groups, keys: layout/rig3d.ts. `bind` is a pose (bindStride = GROUP_BYTES) or one
 *          identity group (bindStride = 0). `live` is one lane mask a group (16 bytes), or 0: joints whose lane is clear
 *          take the bind value and their tracks are not read.
 * Requires every pointer 16-byte aligned; time finite; `segments` as long as the tables; its old content is only a hint.
 * Ensures  segments: per table the last key i with times[i] <= f32(time) and the weight of the unrounded time, clamped to
 *          0..1; before the first and after the last key the weight is 0. Hints never change a result.
 *          out: `groupCount` groups. Weight 0 gives the key's bits. Rotations are unit quaternions on the shortest arc.
 * Source   lerp, slerp (math/quaternion.ts); cubic keys: Hermite basis of glTF 2.0, appendix C.
 */
import {
  CHANNEL_BYTES, CHANNEL_LINEAR, CHANNEL_PRESENT, CLIP_GROUP_COUNT, CLIP_GROUPS, CLIP_TABLE_COUNT, CLIP_TABLES, CUBIC_KEY_BYTES, GROUP_BYTES, KEY_GROUP_BYTES, KEY_GROUP_HEADER_BYTES, KeyGroup,
  Local, SEGMENT_BYTES, TIME_TABLE_BYTES, TRACK_BYTES, TrackMode,
} from "../layout/rig3d";
import { ROW_BYTES } from "../layout/heap";
import { dot4, lerp, reciprocalRootNearOne, signBit, slerpWeight } from "../math/quaternion";
import { highHalves, highPairs, lowHalves, lowPairs } from "../math/transpose";

/** How far from the hint a key is looked for before the search starts over. */
const HINT_REACH = 16;

/** Finds the segment of `time` in every time table. */
@inline
function locateSegments(tables: usize, tableCount: i32, time: f64, segments: usize): void {
  for (let table = 0; table < tableCount; table++) {
    locate(load<u32>(tables, 0), load<i32>(tables, 4), time, segments);
    tables += TIME_TABLE_BYTES;
    segments += SEGMENT_BYTES;
  }
}

@inline
export function locate(times: usize, count: i32, time: f64, segment: usize): void {
  const rounded = <f32>time;
  const last = count - 1;
  let key = load<i32>(segment);
  if (key < 0 || key > last || load<f32>(times + (<usize>key << 2)) > rounded) {
    key = search(times, count, rounded);
  } else {
    const reach = min(last, key + HINT_REACH);
    while (key < reach && load<f32>(times + (<usize>(key + 1) << 2)) <= rounded) key++;
    if (key == reach && key < last && load<f32>(times + (<usize>(key + 1) << 2)) <= rounded) key = search(times, count, rounded);
  }
  let weight: f32 = 0, length: f32 = 0;
  if (key < 0) {
    key = 0;
  } else if (key < last) {
    const at = times + (<usize>key << 2);
    const start = <f64>load<f32>(at);
    const seconds = <f64>load<f32>(at, 4) - start;
    if (seconds < 1e-8) {
      key++;
    } else {
      length = <f32>seconds;
      weight = <f32>max<f64>(0, min<f64>(1, (time - start) / seconds));
    }
  }
  store<i32>(segment, key, 0);
  store<f32>(segment, weight, 4);
  store<f32>(segment, length, 8);
}

/** Last key at or before `time`, -1 if there is none. */
function search(times: usize, count: i32, time: f32): i32 {
  let low = -1, high = count;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (load<f32>(times + (<usize>middle << 2)) <= time) low = middle; else high = middle;
  }
  return low;
}

/** Address of the key that track `lane` of a channel stands on. */
@inline
function keyOf(channel: usize, segments: usize, lane: usize): usize {
  const track = channel + lane * TRACK_BYTES;
  const key = load<u32>(segments + load<u32>(track, 4));
  return load<u32>(track, 0) + key * load<u32>(track, 8);
}

@inline
function nextKey(channel: usize, key: usize, lane: usize): usize {
  return key + load<u32>(channel + lane * TRACK_BYTES, 8);
}

/** Weights of four tracks; stepped ones get 0. */
@inline
function weightsOf(channel: usize, segments: usize): v128 {
  let weights = v128.load32_zero(segments + load<u32>(channel, 4), 4);
  weights = v128.load_lane<f32>(segments + load<u32>(channel, TRACK_BYTES + 4), weights, 1, 4);
  weights = v128.load_lane<f32>(segments + load<u32>(channel, 2 * TRACK_BYTES + 4), weights, 2, 4);
  weights = v128.load_lane<f32>(segments + load<u32>(channel, 3 * TRACK_BYTES + 4), weights, 3, 4);
  return v128.and(weights, v128.load(channel, CHANNEL_LINEAR));
}

/** Writes four vectors [x y z -] to rows `row`, row + 1, row + 2; masked lanes take the bind value. */
@inline
export function storeVectors(v0: v128, v1: v128, v2: v128, v3: v128, row: usize, bind: usize, out: usize, mask: v128): void {
  // v0 = [x0 y0 z0 -], v1 = [x1 y1 z1 -]  ->  [x0 x1 y0 y1]
  const xy01 = lowPairs(v0, v1);
  const xy23 = lowPairs(v2, v3);
  const z01 = highPairs(v0, v1);
  const z23 = highPairs(v2, v3);
  const x = lowHalves(xy01, xy23);
  const y = highHalves(xy01, xy23);
  const z = lowHalves(z01, z23);

  v128.store(out + row, v128.bitselect(x, v128.load(bind + row, 0), mask), 0);
  v128.store(out + row, v128.bitselect(y, v128.load(bind + row, 16), mask), 16);
  v128.store(out + row, v128.bitselect(z, v128.load(bind + row, 32), mask), 32);
}

/** Position or scale of four joints: rows `row`, row + 1, row + 2. */
@inline
function sampleVectors(channel: usize, segments: usize, row: usize, bind: usize, out: usize, mask: v128): void {
  const k0 = keyOf(channel, segments, 0), k1 = keyOf(channel, segments, 1);
  const k2 = keyOf(channel, segments, 2), k3 = keyOf(channel, segments, 3);
  const a0 = v128.load(k0), a1 = v128.load(k1), a2 = v128.load(k2), a3 = v128.load(k3);
  const b0 = v128.load(nextKey(channel, k0, 0)), b1 = v128.load(nextKey(channel, k1, 1));
  const b2 = v128.load(nextKey(channel, k2, 2)), b3 = v128.load(nextKey(channel, k3, 3));
  const weight = weightsOf(channel, segments);
  const v0 = lerp(a0, b0, v128.shuffle<f32>(weight, weight, 0, 0, 0, 0));
  const v1 = lerp(a1, b1, v128.shuffle<f32>(weight, weight, 1, 1, 1, 1));
  const v2 = lerp(a2, b2, v128.shuffle<f32>(weight, weight, 2, 2, 2, 2));
  const v3 = lerp(a3, b3, v128.shuffle<f32>(weight, weight, 3, 3, 3, 3));

  storeVectors(v0, v1, v2, v3, row, bind, out, mask);
}

/** Slerps four quaternions on the shortest arc and writes them; masked lanes take the bind value. */
@inline
export function storeRotations(
  ax: v128, ay: v128, az: v128, aw: v128, bx: v128, by: v128, bz: v128, bw: v128, weight: v128, bind: usize, out: usize, mask: v128,
): void {
  const one = f32x4.splat(1);
  const cosine = dot4(ax, ay, az, aw, bx, by, bz, bw);
  const flip = signBit(cosine);
  const xm1 = f32x4.sub(v128.xor(cosine, flip), one);
  const wb = v128.xor(slerpWeight(weight, xm1), flip);
  const wa = slerpWeight(f32x4.sub(one, weight), xm1);
  const x = f32x4.add(f32x4.mul(ax, wa), f32x4.mul(bx, wb)), y = f32x4.add(f32x4.mul(ay, wa), f32x4.mul(by, wb));
  const z = f32x4.add(f32x4.mul(az, wa), f32x4.mul(bz, wb)), w = f32x4.add(f32x4.mul(aw, wa), f32x4.mul(bw, wb));
  const unit = reciprocalRootNearOne(dot4(x, y, z, w, x, y, z, w));

  // On a key the key's own bits.
  const between = f32x4.ne(weight, f32x4.splat(0));
  v128.store(out, v128.bitselect(v128.bitselect(f32x4.mul(x, unit), ax, between), v128.load(bind, Local.QX * ROW_BYTES), mask), Local.QX * ROW_BYTES);
  v128.store(out, v128.bitselect(v128.bitselect(f32x4.mul(y, unit), ay, between), v128.load(bind, Local.QY * ROW_BYTES), mask), Local.QY * ROW_BYTES);
  v128.store(out, v128.bitselect(v128.bitselect(f32x4.mul(z, unit), az, between), v128.load(bind, Local.QZ * ROW_BYTES), mask), Local.QZ * ROW_BYTES);
  v128.store(out, v128.bitselect(v128.bitselect(f32x4.mul(w, unit), aw, between), v128.load(bind, Local.QW * ROW_BYTES), mask), Local.QW * ROW_BYTES);
}

@inline
function sampleRotations(channel: usize, segments: usize, bind: usize, out: usize, mask: v128): void {
  const k0 = keyOf(channel, segments, 0), k1 = keyOf(channel, segments, 1);
  const k2 = keyOf(channel, segments, 2), k3 = keyOf(channel, segments, 3);
  const a0 = v128.load(k0), a1 = v128.load(k1), a2 = v128.load(k2), a3 = v128.load(k3);
  const b0 = v128.load(nextKey(channel, k0, 0)), b1 = v128.load(nextKey(channel, k1, 1));
  const b2 = v128.load(nextKey(channel, k2, 2)), b3 = v128.load(nextKey(channel, k3, 3));
  const weight = weightsOf(channel, segments);

  // Four [x y z w] to [x0 x1 x2 x3] and so on: two rounds of interleaving.
  const axy01 = lowPairs(a0, a1), azw01 = highPairs(a0, a1);
  const axy23 = lowPairs(a2, a3), azw23 = highPairs(a2, a3);
  const bxy01 = lowPairs(b0, b1), bzw01 = highPairs(b0, b1);
  const bxy23 = lowPairs(b2, b3), bzw23 = highPairs(b2, b3);
  const ax = lowHalves(axy01, axy23), ay = highHalves(axy01, axy23);
  const az = lowHalves(azw01, azw23), aw = highHalves(azw01, azw23);
  const bx = lowHalves(bxy01, bxy23), by = highHalves(bxy01, bxy23);
  const bz = lowHalves(bzw01, bzw23), bw = highHalves(bzw01, bzw23);

  storeRotations(ax, ay, az, aw, bx, by, bz, bw, weight, bind, out, mask);
}

/** Overwrites the lanes of cubic tracks among four: components `count` from row `row` on. */
function sampleCubic(channel: usize, segments: usize, out: usize, count: i32, mask: v128): void {
  const live = i32x4.bitmask(mask);
  for (let lane: usize = 0; lane < 4; lane++) {
    if (load<u32>(channel + lane * TRACK_BYTES, 12) != TrackMode.CUBIC || !(live & (1 << <i32>lane))) continue;
    const segment = segments + load<u32>(channel + lane * TRACK_BYTES, 4);
    const u = load<f32>(segment, 4), length = load<f32>(segment, 8);
    if (u == 0) continue;
    const key = keyOf(channel, segments, lane);
    const u2 = u * u, u3 = u2 * u;
    const endWeight = u2 * (<f32>3 - (u + u)), startWeight = <f32>1 - endWeight;
    const outWeight = (u3 - (u2 + u2) + u) * length, inWeight = (u3 - u2) * length;
    const value = f32x4.add(
      f32x4.add(
        f32x4.mul(f32x4.splat(startWeight), v128.load(key)),
        f32x4.mul(f32x4.splat(outWeight), v128.load(key, 16))),
      f32x4.add(
        f32x4.mul(f32x4.splat(endWeight), v128.load(key, CUBIC_KEY_BYTES)),
        f32x4.mul(f32x4.splat(inWeight), v128.load(key, CUBIC_KEY_BYTES - 16))));
    let x = f32x4.extract_lane(value, 0), y = f32x4.extract_lane(value, 1);
    let z = f32x4.extract_lane(value, 2), w = f32x4.extract_lane(value, 3);
    const at = out + (lane << 2);
    if (count == 4) {
      const squares = (x * x + y * y) + (z * z + w * w);
      // A spline may pass through zero; the key before it is then as good an answer as any.
      if (!(squares > <f32>1e-16)) continue;
      const scale = <f32>1 / Mathf.sqrt(squares);
      x *= scale; y *= scale; z *= scale; w *= scale;
      store<f32>(at, w, 48);
    }
    store<f32>(at, x, 0);
    store<f32>(at, y, 16);
    store<f32>(at, z, 32);
  }
}

/** Reads a keyed clip; groups beyond its last come from the bind pose. */
export function sampleKeyed(
  clip: usize, time: f64, segments: usize, bind: usize, bindStride: usize, live: usize, out: usize, groupCount: i32,
): void {
  let keyGroups: usize = load<u32>(clip, CLIP_GROUPS);
  const keyGroupCount = load<i32>(clip, CLIP_GROUP_COUNT);
  assert(((keyGroups | segments | bind | live | out) & 15) == 0, "blocks must be 16-byte aligned");
  locateSegments(load<u32>(clip, CLIP_TABLES), load<i32>(clip, CLIP_TABLE_COUNT), time, segments);
  for (let g = 0; g < groupCount; g++) {
    const flags = g < keyGroupCount ? load<u32>(keyGroups) : 0;
    const alive = live != 0 ? v128.load(live + (<usize>g << 4)) : i32x4.splat(-1);
    const sampled = v128.any_true(alive) ? flags : 0;
    const position = keyGroups + KEY_GROUP_HEADER_BYTES;
    const rotation = position + CHANNEL_BYTES;
    const scale = rotation + CHANNEL_BYTES;

    if (sampled & KeyGroup.POSITION) {
      const mask = v128.and(alive, v128.load(position, CHANNEL_PRESENT));
      sampleVectors(position, segments, Local.PX * ROW_BYTES, bind, out, mask);
      if (sampled & KeyGroup.CUBIC_POSITION) sampleCubic(position, segments, out + Local.PX * ROW_BYTES, 3, mask);
    } else {
      copyRows3(out, bind, Local.PX * ROW_BYTES);
    }
    if (sampled & KeyGroup.ROTATION) {
      const mask = v128.and(alive, v128.load(rotation, CHANNEL_PRESENT));
      sampleRotations(rotation, segments, bind, out, mask);
      if (sampled & KeyGroup.CUBIC_ROTATION) sampleCubic(rotation, segments, out + Local.QX * ROW_BYTES, 4, mask);
    } else {
      copyRows3(out, bind, Local.QX * ROW_BYTES);
      v128.store(out, v128.load(bind, Local.QW * ROW_BYTES), Local.QW * ROW_BYTES);
    }
    if (sampled & KeyGroup.SCALE) {
      const mask = v128.and(alive, v128.load(scale, CHANNEL_PRESENT));
      sampleVectors(scale, segments, Local.SX * ROW_BYTES, bind, out, mask);
      if (sampled & KeyGroup.CUBIC_SCALE) sampleCubic(scale, segments, out + Local.SX * ROW_BYTES, 3, mask);
    } else {
      copyRows3(out, bind, Local.SX * ROW_BYTES);
    }
    keyGroups += KEY_GROUP_BYTES;
    bind += bindStride;
    out += GROUP_BYTES;
  }
}

@inline
export function copyRows3(out: usize, from: usize, row: usize): void {
  v128.store(out + row, v128.load(from + row, 0), 0);
  v128.store(out + row, v128.load(from + row, 16), 16);
  v128.store(out + row, v128.load(from + row, 32), 32);
}
