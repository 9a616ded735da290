import { BAKED_BYTES, BakedField, INTERVAL_BYTES, IntervalField, PALETTE_FLOATS } from "../../assembly/layout/crowd.js";
import type { Animation } from "../spine/animation.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import { MixFrom, Physics } from "../spine/enums.js";
import { Skeleton } from "../spine/model/skeleton.js";
import type { Skin } from "../spine/model/skin.js";
import { heap } from "../wasm/heap.js";

export interface BakeOptions {
  /** Rows per second, > 0; rounded so that a clip has a whole number of intervals. Default 30. */
  rate?: number | undefined;
  /**
   * Largest error in skeleton units, measured half-way between rows at both ends of every bone, that a baked clip may have; a
   * clip beyond it stays exact. Default: 0.5 % of the larger side of the skeleton's bounds.
   */
  maxError?: number | undefined;
  /** How rows are stored: 32-bit floats (default) or 16-bit integers, half the memory. */
  format?: "float32" | "int16" | undefined;
  /** Which animations to bake. Default: all. */
  animations?: readonly string[] | undefined;
  /**
   * Which skins to bake for, by name or object, null for none; characters may get them later. Default: those that characters have had
   * by now, or none if there was nobody yet.
   */
  skins?: readonly (string | Skin | null)[] | undefined;
}

/** Names of all options, for the check. @internal */
export const BAKE_OPTIONS: readonly (keyof BakeOptions)[] = ["rate", "maxError", "format", "animations", "skins"];

/** Options with defaults filled in. */
export interface Bake {
  readonly rate: number;
  readonly maxError: number;
  readonly format: "float32" | "int16";
  readonly animations: readonly string[];
  /** Null: those that there are. */
  readonly skins: readonly (string | Skin | null)[] | null;
}

/** What became of one clip with one skin. */
export interface BakedClip {
  animation: string;
  /** Name of the skin, null for none. */
  skin: string | null;
  /** Whether it is for characters with all detail. */
  detail: boolean;
  /** False: the bound could not be met, the clip stays exact. */
  isBaked: boolean;
  /** Largest error that was measured, in skeleton units. */
  error: number;
  /** Rows that are stored, those before jumps included. */
  rows: number;
  /** Bytes of linear memory, 0 unless it is baked. */
  bytes: number;
}

/**
 * Distance from a row's time, in seconds, at which values before and behind a jump are taken: exports round key times to four
 * digits, which puts a key at a row's time that near to it.
 */
const ASIDE = 1e-4;
/** Seconds of a clip that physics runs before its rows are taken. */
const SETTLE_SECONDS = 2;

/** Distance before a key's time, in seconds, at which the value before a jump between two rows is taken. */
const BEFORE_KEY = 1e-6;

/** What lies between two rows: a whole interval, or what is before or behind a jump in it. */
interface Part {
  readonly from: Float32Array;
  readonly to: Float32Array;
  /** The exact row in its middle. */
  readonly middle: Float32Array;
}

/** From one row's time to the next. */
interface Interval {
  /** One part, or two where something jumps inside. */
  readonly parts: readonly Part[];
  /** Share of the first part. */
  readonly share: number;
}

/**
 * Resamples a clip and stores it if it is exact enough.
 * @param dress - puts a skeleton into the setup pose of a variant
 * @param blocks - what is stored is added
 * @returns the report and the address of the baked clip, 0 if it stays exact
 */
export function bakeClip(
  data: SkeletonData,
  animation: Animation,
  options: Bake,
  dress: (skeleton: Skeleton) => void,
  blocks: number[],
): { report: Omit<BakedClip, "skin" | "detail">; ptr: number } {
  const { duration } = animation;
  const intervals = Math.max(1, Math.ceil(duration * options.rate - 1e-6));
  const list = sample(data, dress, animation, intervals, options.maxError / 4);
  const lengths = data.bones.map((bone) => bone.length);
  const parts = list.flatMap((interval) => interval.parts);
  const stored = new Set(parts.flatMap(({ from, to }) => [from, to]));
  const coding = options.format === "int16" ? quantise([...stored]) : null;
  let error = 0;
  for (const { from, to, middle: exact } of parts) {
    error = Math.max(error, distance(exact, middle(from, to, coding), lengths));
    // Rounding shows at the rows themselves, too.
    if (coding !== null) error = Math.max(error, distance(from, middle(from, from, coding), lengths));
  }
  const report = {
    animation: animation.name, isBaked: error <= options.maxError, error, rows: stored.size, bytes: 0,
  };
  if (!report.isBaked) return { report, ptr: 0 };
  const before = blocks.length;
  const ptr = store(list, [...stored], duration, coding, blocks);
  for (let i = before; i < blocks.length; i++) report.bytes += heap.blockBytes(blocks[i]!);
  return { report, ptr };
}

/** Poses a skeleton at the origin through the clip, half an interval a step. */
function sample(data: SkeletonData, dress: (skeleton: Skeleton) => void, animation: Animation, intervals: number, jump: number): Interval[] {
  const { duration } = animation;
  const skeleton = new Skeleton(data);
  const hasPhysics = skeleton.physics.length > 0;
  const step = duration / intervals / 2;
  const list: Interval[] = [];
  try {
    dress(skeleton);
    const pose = (time: number, dt: number): Float32Array => {
      animation.apply(skeleton, time, time, false, null, 1, MixFrom.setup, false, false, false);
      skeleton.update(dt);
      skeleton.updateWorldTransform(Physics.update);
      return rowOf(skeleton);
    };
    if (hasPhysics) {
      const rounds = duration > 0 ? Math.ceil(SETTLE_SECONDS / duration) : 1;
      for (let i = 0; i < rounds * intervals * 2; i++) pose(step * (i % (intervals * 2)), step);
    }
    const jumps = (before: number, behind: number): boolean => farthest(pose(before, 0), pose(behind, 0)) > jump;
    const keys = keyTimes(animation);
    let from = pose(0, step);
    for (let k = 0; k < intervals; k++) {
      const start = step * 2 * k;
      const end = Math.min(duration, step * 2 * (k + 1));
      const center = pose(start + step, step);
      let to = pose(end, step);
      let next = to;
      let parts: Part[] = [];
      let share = 1;
      // A body with inertia does not jump, and a step back in time would disturb it.
      if (!hasPhysics && end - start > 4 * ASIDE) {
        const before = pose(end - ASIDE, 0);
        const behind = pose(Math.min(duration, end + ASIDE), 0);
        const change = farthest(before, behind);
        // What moves fast has changed as much just before.
        if (change > jump && change > jump + 2 * farthest(pose(end - 3 * ASIDE, 0), before)) {
          to = before;
          next = behind;
        }
        const key = keys.find((time) => time > start + ASIDE && time < end - ASIDE && jumps(time - BEFORE_KEY, time));
        if (key !== undefined) {
          share = (key - start) / (end - start);
          parts = [
            { from, to: pose(key - BEFORE_KEY, 0), middle: pose((start + key) / 2, 0) },
            { from: pose(key, 0), to, middle: pose((key + end) / 2, 0) },
          ];
        }
      }
      list.push({ parts: parts.length > 0 ? parts : [{ from, to, middle: center }], share });
      from = next;
    }
  } finally {
    skeleton.dispose();
  }
  return list;
}

/** Times of all keys, ascending. */
function keyTimes(animation: Animation): number[] {
  const times = new Set<number>();
  for (const timeline of animation.timelines) {
    const entries = timeline.getFrameEntries();
    for (let i = 0; i < timeline._frames.length; i += entries) times.add(timeline._frames[i]!);
  }
  return [...times].sort((a, b) => a - b);
}

function rowOf(skeleton: Skeleton): Float32Array {
  const row = new Float32Array(paddedLength(skeleton.bones.length));
  skeleton.bones.forEach((bone, i) => {
    if (!bone.active) return;
    const { a, b, c, d, worldX, worldY } = bone.appliedPose;
    row.set([a, b, c, d, worldX, worldY], i * PALETTE_FLOATS);
  });
  return row;
}

/** Values of a row: whole pairs of bones. */
function paddedLength(bones: number): number {
  return ((bones + 1) >> 1) * 2 * PALETTE_FLOATS;
}

function farthest(a: Float32Array, b: Float32Array): number {
  let worst = 0;
  for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i]! - b[i]!));
  return worst;
}

/** Largest distance between the two ends of a bone in two rows. */
function distance(a: Float32Array, b: Float32Array, lengths: readonly number[]): number {
  let worst = 0;
  for (let i = 0, at = 0; i < lengths.length; i++, at += PALETTE_FLOATS) {
    const x = a[at + 4]! - b[at + 4]!;
    const y = a[at + 5]! - b[at + 5]!;
    const tipX = x + (a[at]! - b[at]!) * lengths[i]!;
    const tipY = y + (a[at + 2]! - b[at + 2]!) * lengths[i]!;
    worst = Math.max(worst, Math.hypot(x, y), Math.hypot(tipX, tipY));
  }
  return worst;
}

/** Scale and offset of every value of a row of 16-bit integers. */
interface Coding {
  readonly scales: Float32Array;
  readonly offsets: Float32Array;
}

function quantise(rows: readonly Float32Array[]): Coding {
  const { length } = rows[0]!;
  const scales = new Float32Array(length);
  const offsets = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    let least = Infinity;
    let most = -Infinity;
    for (const row of rows) {
      least = Math.min(least, row[i]!);
      most = Math.max(most, row[i]!);
    }
    scales[i] = (most - least) / 65534;
    offsets[i] = (most + least) / 2;
  }
  return { scales, offsets };
}

function encode(value: number, i: number, { scales, offsets }: Coding): number {
  return scales[i] === 0 ? 0 : Math.max(-32767, Math.min(32767, Math.round((value - offsets[i]!) / scales[i]!)));
}

/** What the kernel makes of the middle between two rows. */
function middle(a: Float32Array, b: Float32Array, coding: Coding | null): Float32Array {
  if (coding === null) return a.map((value, i) => (value + b[i]!) / 2);
  return a.map((value, i) => ((encode(value, i, coding) + encode(b[i]!, i, coding)) / 2) * coding.scales[i]! + coding.offsets[i]!);
}

function store(list: readonly Interval[], stored: readonly Float32Array[], duration: number, coding: Coding | null, blocks: number[]): number {
  const take = (bytes: number): number => {
    const ptr = heap.alloc(bytes);
    blocks.push(ptr);
    return ptr;
  };
  const { length } = stored[0]!;
  const rowBytes = coding === null ? length * 4 : (length * 2 + 15) & ~15;
  const header = take(BAKED_BYTES);
  const entries = take(list.length * INTERVAL_BYTES);
  const values = take(stored.length * rowBytes);
  const scales = coding === null ? 0 : take(length * 8);
  stored.forEach((row, k) => {
    const at = values + k * rowBytes;
    if (coding === null) heap.f32.set(row, at >> 2);
    else for (let i = 0; i < length; i++) heap.i16[(at >> 1) + i] = encode(row[i]!, i, coding);
  });
  if (coding !== null) {
    heap.f32.set(coding.scales, scales >> 2);
    heap.f32.set(coding.offsets, (scales >> 2) + length);
  }
  const places = new Map(stored.map((row, k) => [row, values + k * rowBytes]));
  list.forEach(({ parts, share }, k) => {
    const at = (entries + k * INTERVAL_BYTES) >> 2;
    const first = parts[0]!;
    const later = parts[1] ?? first;
    heap.f32[at + (IntervalField.SHARE >> 2)] = share;
    heap.f32[at + (IntervalField.FACTOR >> 2)] = 1 / share;
    heap.f32[at + (IntervalField.LATER_FACTOR >> 2)] = share < 1 ? 1 / (1 - share) : 0;
    heap.u32[at + (IntervalField.FROM >> 2)] = places.get(first.from)!;
    heap.u32[at + (IntervalField.TO >> 2)] = places.get(first.to)!;
    heap.u32[at + (IntervalField.LATER_FROM >> 2)] = places.get(later.from)!;
    heap.u32[at + (IntervalField.LATER_TO >> 2)] = places.get(later.to)!;
  });
  heap.f64[(header + BakedField.RATE) >> 3] = duration > 0 ? list.length / duration : 0;
  heap.i32[(header + BakedField.INTERVALS) >> 2] = list.length;
  heap.u32[(header + BakedField.LIST) >> 2] = entries;
  heap.u32[(header + BakedField.SCALES) >> 2] = scales;
  return header;
}
