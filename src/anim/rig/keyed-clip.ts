/** The keyed form of a clip in linear memory. @internal */
import {
  CHANNEL_BYTES, CHANNEL_LINEAR, CHANNEL_PRESENT, CLIP_BYTES, ClipForm, CUBIC_KEY_BYTES, KEY_BYTES, KEY_GROUP_BYTES,
  KEY_GROUP_HEADER_BYTES, KeyGroup, SEGMENT_BYTES, TIME_TABLE_BYTES, TRACK_BYTES,
} from "../../../assembly/layout/rig3d.js";
import { heap } from "../../wasm/heap.js";
import { takeBlock } from "./blocks.js";
import { type ClipData, writeDescriptor } from "./clip-data.js";
import { type BoneTracks, type KeyTrack, TrackMode } from "./key-track.js";

const CHANNELS = ["position", "rotation", "scale"] as const;
const PRESENT_FLAGS = [KeyGroup.POSITION, KeyGroup.ROTATION, KeyGroup.SCALE] as const;
const CUBIC_FLAGS = [KeyGroup.CUBIC_POSITION, KeyGroup.CUBIC_ROTATION, KeyGroup.CUBIC_SCALE] as const;

const align = (bytes: number): number => (bytes + 15) & ~15;

/** Original keys as float32, found by their times. */
export class KeyedClip implements ClipData {
  readonly form = "raw";
  readonly bytes: number;
  readonly ptr: number;
  readonly scratchBytes: number;
  readonly #groupsPtr: number;
  readonly #groupCount: number;

  /** @param owned - the clip's blocks */
  constructor(bones: readonly (BoneTracks | undefined)[], duration: number, owned: number[]) {
    const tables = new TimeTables();
    let keyBytes = 32;
    for (const tracks of bones) {
      for (const channel of CHANNELS) {
        const track = tracks?.[channel];
        if (track === undefined || track.count === 0) continue;
        tables.add(track);
        keyBytes += (track.count + 1) * (track.mode === TrackMode.CUBIC ? CUBIC_KEY_BYTES : KEY_BYTES);
      }
    }
    const tableCount = tables.list.length;
    this.#groupCount = (bones.length + 3) >>> 2;
    this.scratchBytes = tableCount * SEGMENT_BYTES;
    const tableBytes = align(tableCount * TIME_TABLE_BYTES);
    const timeBytes = align(4 * tables.keyCount);
    const groupBytes = this.#groupCount * KEY_GROUP_BYTES;
    this.bytes = CLIP_BYTES + tableBytes + timeBytes + groupBytes + keyBytes;
    this.ptr = takeBlock(owned, this.bytes);
    const tablesPtr = this.ptr + CLIP_BYTES;
    this.#groupsPtr = tablesPtr + tableBytes + timeBytes;
    tables.write(tablesPtr, tablesPtr + tableBytes);
    this.#writeGroups(bones, tables);
    writeDescriptor(this.ptr, ClipForm.KEYED, tablesPtr, tableCount, this.#groupsPtr, this.#groupCount, duration);
  }

  #writeGroups(bones: readonly (BoneTracks | undefined)[], tables: TimeTables): void {
    const { i32, u32, f32 } = heap;
    // The value of lanes without keys: never shown, but it must be a number.
    const dummy = this.#groupsPtr + this.#groupCount * KEY_GROUP_BYTES;
    f32[(dummy >>> 2) + 3] = 1;
    let keys = dummy + 32;
    for (let bone = 0; bone < this.#groupCount * 4; bone++) {
      const group = this.#groupsPtr + (bone >>> 2) * KEY_GROUP_BYTES;
      for (let c = 0; c < 3; c++) {
        const channel = group + KEY_GROUP_HEADER_BYTES + c * CHANNEL_BYTES;
        const record = (channel + (bone & 3) * TRACK_BYTES) >>> 2;
        const track = bones[bone]?.[CHANNELS[c]!];
        if (track === undefined || track.count === 0) {
          u32[record] = dummy;
          continue;
        }
        const cubic = track.mode === TrackMode.CUBIC;
        u32[group >>> 2] = u32[group >>> 2]! | PRESENT_FLAGS[c]! | (cubic ? CUBIC_FLAGS[c]! : 0);
        u32[record] = cubic ? keys + KEY_BYTES : keys;
        u32[record + 1] = tables.indexOf(track) * SEGMENT_BYTES;
        u32[record + 2] = cubic ? CUBIC_KEY_BYTES : KEY_BYTES;
        u32[record + 3] = track.mode;
        i32[((channel + CHANNEL_PRESENT) >>> 2) + (bone & 3)] = -1;
        if (track.mode !== TrackMode.STEP) i32[((channel + CHANNEL_LINEAR) >>> 2) + (bone & 3)] = -1;
        keys = writeKeys(track, keys);
      }
    }
  }
}

/** Writes the keys of a track, the last one twice, and returns the address behind them. */
function writeKeys(track: KeyTrack, at: number): number {
  const f32 = heap.f32;
  const s = track.stride;
  for (let i = 0; i <= track.count; i++) {
    const from = Math.min(i, track.count - 1) * s;
    if (track.mode === TrackMode.CUBIC) {
      for (let k = 0; k < s; k++) f32[(at >>> 2) + k] = track.inTangents![from + k]!;
      for (let k = 0; k < s; k++) f32[(at >>> 2) + 4 + k] = track.values[from + k]!;
      for (let k = 0; k < s; k++) f32[(at >>> 2) + 8 + k] = track.outTangents![from + k]!;
      at += CUBIC_KEY_BYTES;
    } else {
      for (let k = 0; k < s; k++) f32[(at >>> 2) + k] = track.values[from + k]!;
      at += KEY_BYTES;
    }
  }
  return at;
}

/** Distinct key time arrays; index 0 is the one of lanes without keys (one key at 0). */
class TimeTables {
  readonly list: (Float32Array | undefined)[] = [undefined];
  readonly #byHash = new Map<number, number[]>();
  readonly #byTrack = new Map<KeyTrack, number>();
  keyCount = 1;

  add(track: KeyTrack): void {
    const times = track.times.subarray(0, track.count);
    const hash = hashOf(times);
    const candidates = this.#byHash.get(hash) ?? [];
    let index = candidates.find((i) => equal(this.list[i]!, times));
    if (index === undefined) {
      index = this.list.push(times) - 1;
      candidates.push(index);
      this.#byHash.set(hash, candidates);
      this.keyCount += times.length;
    }
    this.#byTrack.set(track, index);
  }

  indexOf(track: KeyTrack): number {
    return this.#byTrack.get(track)!;
  }

  write(tablesPtr: number, timesPtr: number): void {
    const { f32, u32 } = heap;
    let at = timesPtr;
    this.list.forEach((times, i) => {
      u32[(tablesPtr >>> 2) + 2 * i] = at;
      u32[(tablesPtr >>> 2) + 2 * i + 1] = times?.length ?? 1;
      if (times !== undefined) f32.set(times, at >>> 2);
      at += 4 * (times?.length ?? 1);
    });
  }
}

function hashOf(times: Float32Array): number {
  let hash = times.length;
  for (let i = 0; i < times.length; i++) hash = (Math.imul(hash, 31) + Math.trunc(times[i]! * 65536)) | 0;
  return hash;
}

function equal(a: Float32Array, b: Float32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
