/** The keyframed form of a clip: streams of keys in the order in which playing needs them (layout/rig3d.ts). @internal */
import {
  CLIP_BYTES, CLIP_ROWS, ClipForm, JOINTS_PER_GROUP, KEY_STREAM_BYTES, KEYFRAMED_LANE_BYTES, KEYFRAMED_PADDING, KEYFRAMED_RANGE_BYTES, KEYFRAMED_STEPPED,
  KeyStream, SAMPLE_SCRATCH_BYTES, TABLE_GROUP_BYTES,
} from "../../../assembly/layout/rig3d.js";
import { AnimCapacityError } from "../errors.js";
import { heap } from "../../wasm/heap.js";
import { takeBlock } from "./blocks.js";
import { type ClipData, writeDescriptor } from "./clip-data.js";
import { type BoneTracks, type KeyTrack, TrackMode } from "./key-track.js";
import { encodeSmallestThree } from "./smallest-three.js";
import { type GroupPlan, isConstant, isMoving, planGroup, writeTableGroup } from "./table-clip.js";

const CHANNELS = ["position", "rotation", "scale"] as const;
/** Key times that an index of 16 bits reaches. */
const MOST_TIMES = 65536;
/** Keys a lane from snapshot to snapshot: what a sample walks at most, and what snapshots cost (8 bytes of every 8 x 10). */
const SNAPSHOT_KEYS = 8;

/** Which channels have keys of three 16-bit numbers. */
export interface NarrowCodes {
  position: boolean;
  rotation: boolean;
  scale: boolean;
}

const align = (bytes: number): number => (bytes + 15) & ~15;

export class KeyframedClip implements ClipData {
  readonly form = "keyframed";
  readonly bytes: number;
  readonly ptr: number;
  readonly scratchBytes: number;

  /** @param bones - linear and stepped tracks. @throws AnimCapacityError for more than 65536 key times */
  constructor(bones: readonly (BoneTracks | undefined)[], narrow: NarrowCodes, duration: number, owned: number[]) {
    const groupCount = (bones.length + JOINTS_PER_GROUP - 1) >>> 2, plans: GroupPlan[] = [];
    for (let group = 0; group < groupCount; group++) plans.push(planGroup(bones, group));
    const lanes = CHANNELS.map((_, c) => plans.flatMap((plan) => (isMoving(plan, c) ? plan.tracks[c]! : [])));
    const times = timesOf(lanes.flat());
    const streams = CHANNELS.map((channel, c) => new KeyStreamPlan(lanes[c]!, narrow[channel], c === 1 ? 4 : 3));

    const timeBytes = align(4 * times.length), groupsAt = CLIP_BYTES + 16 + align(3 * KEY_STREAM_BYTES) + timeBytes;
    let size = groupsAt + groupCount * TABLE_GROUP_BYTES;
    const places = streams.map((stream) => {
      const at = size;
      size += stream.bytes;
      return at;
    });
    this.bytes = size;
    this.scratchBytes = Math.max(SAMPLE_SCRATCH_BYTES, lanes.reduce((sum, list) => sum + list.length * KEYFRAMED_LANE_BYTES, 0));
    this.ptr = takeBlock(owned, size);
    const { f32, i32, u32 } = heap, table = this.ptr + CLIP_BYTES, records = table + 16, timesPtr = records + align(3 * KEY_STREAM_BYTES), groups = this.ptr + groupsAt;
    u32[table >>> 2] = timesPtr;
    i32[(table >>> 2) + 1] = times.length;
    f32.set(times, timesPtr >>> 2);
    writeDescriptor(this.ptr, ClipForm.KEYFRAMED, table, 1, groups, groupCount, duration);
    u32[(this.ptr + CLIP_ROWS) >>> 2] = records;
    streams.forEach((stream, c) => stream.write(records + c * KEY_STREAM_BYTES, this.ptr + places[c]!, times));
    plans.forEach((plan, group) => {
      for (let c = 0; c < 3; c++) plan.tracks[c]!.forEach((track, lane) => (plan.flags |= track?.mode === TrackMode.STEP ? 1 << (KEYFRAMED_STEPPED + c * 4 + lane) : 0));
      writeTableGroup(plan, groups + group * TABLE_GROUP_BYTES);
    });
  }
}

/** Distinct key times in order. */
function timesOf(tracks: readonly (KeyTrack | undefined)[]): Float32Array {
  const times = new Set<number>([0]);
  for (const track of tracks) for (let key = 0; track !== undefined && key < track.count; key++) times.add(track.times[key]!);
  if (times.size > MOST_TIMES) {
    throw new AnimCapacityError(`AnimClip.compile: the clip has ${times.size} different key times, "keyframed" can have ${MOST_TIMES}. Trim the clip, raise the tolerances, or compile it as "uniform".`, { found: times.size, supported: MOST_TIMES });
  }
  return Float32Array.from(times).toSorted();
}

interface StreamKey {
  readonly lane: number;
  readonly key: number;
  /** When it is needed; -1: from the start. */
  readonly need: number;
}

/** Keys of one channel kind, sorted and measured before there is memory for them. */
class KeyStreamPlan {
  readonly bytes: number;
  readonly #keys: StreamKey[];
  readonly #first: number;
  readonly #every: number;
  readonly #keyBytes: number;
  readonly #snapshots: number;

  constructor(readonly tracks: readonly (KeyTrack | undefined)[], readonly narrow: boolean, readonly stride: number) {
    const keys: StreamKey[] = [];
    tracks.forEach((track, lane) => {
      if (track === undefined) return;
      const count = isConstant(track) ? 1 : track.count;
      for (let key = 0; key < count; key++) keys.push({ lane, key, need: key < 2 ? -1 : track.times[key - 1]! });
    });
    // Keys of one lane keep their order, also where they are needed at the same time.
    this.#keys = keys.toSorted((a, b) => a.need - b.need);
    this.#first = keys.filter(({ key }) => key < 2).length;
    this.#every = Math.max(1, SNAPSHOT_KEYS * tracks.length);
    this.#keyBytes = 4 + (narrow ? 6 : 4 * stride);
    this.#snapshots = tracks.length === 0 ? 0 : 1 + Math.floor((keys.length - this.#first) / this.#every);
    this.bytes = this.#rangeBytes + this.#snapshots * tracks.length * KEYFRAMED_LANE_BYTES + align(4 * this.#snapshots) + align(keys.length * this.#keyBytes + KEYFRAMED_PADDING);
  }

  get #rangeBytes(): number { return this.narrow && this.stride === 3 ? (this.tracks.length / JOINTS_PER_GROUP) * KEYFRAMED_RANGE_BYTES : 0; }

  /** @param record - the stream's record; @param ptr - its data */
  write(record: number, ptr: number, times: Float32Array): void {
    const { f32, u32 } = heap, lanes = this.tracks.length, snapshots = ptr + this.#rangeBytes, snapshotTimes = snapshots + this.#snapshots * lanes * KEYFRAMED_LANE_BYTES;
    const keys = snapshotTimes + align(4 * this.#snapshots), put = (field: number, value: number): void => void (u32[(record + field) >>> 2] = value);
    put(KeyStream.KEYS, keys);
    put(KeyStream.KEY_BYTES, this.#keyBytes);
    put(KeyStream.FIRST, this.#first);
    put(KeyStream.COUNT, this.#keys.length);
    put(KeyStream.SNAPSHOTS, snapshots);
    put(KeyStream.SNAPSHOT_COUNT, this.#snapshots);
    put(KeyStream.SNAPSHOT_TIMES, snapshotTimes);
    put(KeyStream.RANGES, this.narrow ? ptr : 0);
    put(KeyStream.LANES, lanes);
    put(KeyStream.EVERY, this.#every);
    if (lanes === 0) return;
    this.#writeKeys(keys, ptr, times);
    const state = new Uint32Array(lanes * 2);
    for (let i = 0; i < this.#keys.length; i++) {
      const { lane, key, need } = this.#keys[i]!;
      state[lane * 2] = key === 0 ? i : state[lane * 2 + 1]!;
      state[lane * 2 + 1] = i;
      const walked = i + 1 - this.#first;
      if (walked < 0 || walked % this.#every !== 0) continue;
      const snapshot = walked / this.#every;
      f32[(snapshotTimes >>> 2) + snapshot] = need;
      u32.set(state, (snapshots >>> 2) + snapshot * lanes * 2);
    }
  }

  #writeKeys(to: number, ranges: number, times: Float32Array): void {
    const { f32, u8 } = heap, indexOf = new Map(Array.from(times, (time, i) => [time, i])), bytes = new DataView(u8.buffer, u8.byteOffset);
    if (this.narrow && this.stride === 3) this.tracks.forEach((track, lane) => writeRange(track, f32, (ranges >>> 2) + (lane >>> 2) * (KEYFRAMED_RANGE_BYTES >>> 2) + (lane & 3)));
    let at = to;
    for (const { lane, key } of this.#keys) {
      const { values, times: keyTimes } = this.tracks[lane]!, from = key * this.stride;
      bytes.setUint16(at, indexOf.get(keyTimes[key]!)!, true);
      bytes.setUint16(at + 2, lane, true);
      if (!this.narrow) for (let k = 0; k < this.stride; k++) bytes.setFloat32(at + 4 + 4 * k, values[from + k]!, true);
      else if (this.stride === 4) {
        const { largest, negative, codes } = encodeSmallestThree(values.subarray(from, from + 4));
        [largest & 1, largest >> 1, negative ? 1 : 0].forEach((bit, k) => bytes.setUint16(at + 4 + 2 * k, codes[k]! | (bit << 15), true));
      } else {
        const range = (ranges >>> 2) + (lane >>> 2) * (KEYFRAMED_RANGE_BYTES >>> 2) + (lane & 3);
        for (let k = 0; k < 3; k++) {
          const low = f32[range + 4 * k]!, step = f32[range + 12 + 4 * k]!;
          bytes.setUint16(at + 4 + 2 * k, step > 0 ? Math.min(65535, Math.max(0, Math.round((values[from + k]! - low) / step))) : 0, true);
        }
      }
      at += this.#keyBytes;
    }
  }
}

/** Lowest value and step of every coordinate of a lane. */
function writeRange(track: KeyTrack | undefined, f32: Float32Array, at: number): void {
  for (let k = 0; track !== undefined && k < 3; k++) {
    let low = Infinity, high = -Infinity;
    for (let i = k; i < track.count * 3; i += 3) {
      low = Math.min(low, track.values[i]!);
      high = Math.max(high, track.values[i]!);
    }
    f32[at + 4 * k] = low;
    f32[at + 12 + 4 * k] = (high - low) / 65535;
  }
}
