/** The form of clips whose moving tracks share one time table: rows of whole registers. @internal */
import {
  CLIP_BYTES, CLIP_FLAGS, CLIP_LAST_FRAME, CLIP_NEAR, CLIP_RATE, CLIP_ROW_BYTES, CLIP_ROWS, CLIP_START, ClipForm, JOINTS_PER_GROUP,
  SAMPLE_SCRATCH_BYTES, TABLE_GROUP_BYTES, TABLE_GROUP_CONSTANTS, TABLE_GROUP_MASKS, TableGroup,
} from "../../../assembly/layout/rig3d.js";
import { heap } from "../../wasm/heap.js";
import { takeBlock } from "./blocks.js";
import { type ClipData, writeDescriptor } from "./clip-data.js";
import { type BoneTracks, type KeyTrack, TrackMode } from "./key-track.js";

const CHANNELS = ["position", "rotation", "scale"] as const;
const MOVES = [TableGroup.POSITION_MOVES, TableGroup.ROTATION_MOVES, TableGroup.SCALE_MOVES] as const;
const CONSTANT = [TableGroup.POSITION_CONSTANT, TableGroup.ROTATION_CONSTANT, TableGroup.SCALE_CONSTANT] as const;
/** Floats of a channel's registers, and where its constants lie. */
const FLOATS = [12, 16, 12] as const;
const CONSTANTS_AT = [0, 12, 28] as const;
/** Value of lanes without keys: masked away, but it must be a number, and a unit quaternion. */
const NEUTRAL = [[0, 0, 0], [0, 0, 0, 1], [1, 1, 1]] as const;
/** Cosine of half of 30 degrees. */
const NEAR_DOT = Math.cos(Math.PI / 12);

const align = (bytes: number): number => (bytes + 15) & ~15;

export class TableClip implements ClipData {
  readonly form: string = "uniform";
  readonly bytes: number;
  readonly ptr: number;
  readonly scratchBytes = SAMPLE_SCRATCH_BYTES;

  /** The shared times if the form fits, else undefined. */
  static timesOf(bones: readonly (BoneTracks | undefined)[]): Float32Array | undefined {
    let shared: KeyTrack | undefined;
    for (const tracks of bones) {
      for (const channel of CHANNELS) {
        const track = tracks?.[channel];
        if (track === undefined || track.count === 0 || isConstant(track)) continue;
        if (track.mode !== TrackMode.LINEAR) return undefined;
        if (shared === undefined) shared = track;
        else if (!sameTimes(shared, track)) return undefined;
      }
    }
    return shared === undefined ? new Float32Array(1) : shared.times.slice(0, shared.count);
  }

  constructor(bones: readonly (BoneTracks | undefined)[], times: Float32Array, duration: number, owned: number[]) {
    const groupCount = (bones.length + JOINTS_PER_GROUP - 1) >>> 2, frames = times.length;
    const groups: GroupPlan[] = [];
    let rowFloats = 0;
    for (let g = 0; g < groupCount; g++) {
      const plan = planGroup(bones, g);
      groups.push(plan);
      for (let c = 0; c < 3; c++) if ((plan.flags & MOVES[c]!) !== 0) rowFloats += FLOATS[c]!;
    }
    const timeBytes = align(4 * frames), groupBytes = groupCount * TABLE_GROUP_BYTES, rowBytes = rowFloats * 4;
    this.bytes = CLIP_BYTES + 16 + timeBytes + groupBytes + rowBytes * frames;
    this.ptr = takeBlock(owned, this.bytes);
    const table = this.ptr + CLIP_BYTES, timesPtr = table + 16, groupsPtr = timesPtr + timeBytes, rows = groupsPtr + groupBytes;
    const { f32, f64, i32, u32 } = heap;
    u32[table >>> 2] = timesPtr;
    i32[(table >>> 2) + 1] = frames;
    f32.set(times, timesPtr >>> 2);
    writeDescriptor(this.ptr, ClipForm.TABLE, table, 1, groupsPtr, groupCount, duration);
    u32[(this.ptr + CLIP_ROWS) >>> 2] = rows;
    i32[(this.ptr + CLIP_ROW_BYTES) >>> 2] = rowBytes;
    i32[(this.ptr + CLIP_LAST_FRAME) >>> 2] = frames - 1;
    const seconds = times[frames - 1]! - times[0]!;
    f64[(this.ptr + CLIP_RATE) >>> 3] = seconds > 0 ? (frames - 1) / seconds : 0;
    f64[(this.ptr + CLIP_START) >>> 3] = times[0]!;
    let near = true, at = rows >>> 2;
    groups.forEach((plan, g) => {
      writeTableGroup(plan, groupsPtr + g * TABLE_GROUP_BYTES);
      for (let c = 0; c < 3; c++) {
        if ((plan.flags & MOVES[c]!) === 0) continue;
        for (let lane = 0; lane < 4; lane++) {
          const track = plan.tracks[c]![lane];
          writeLane(track, NEUTRAL[c]!, at + lane, rowFloats, frames);
          if (c === 1 && track !== undefined && near) near = isNear(track);
        }
        at += FLOATS[c]!;
      }
    });
    i32[(this.ptr + CLIP_FLAGS) >>> 2] = near ? CLIP_NEAR : 0;
  }
}

/** What the channels of four bones are. */
export interface GroupPlan {
  flags: number;
  /** By channel and lane. */
  tracks: (KeyTrack | undefined)[][];
}

export function planGroup(bones: readonly (BoneTracks | undefined)[], group: number): GroupPlan {
  const plan: GroupPlan = { flags: 0, tracks: [] };
  for (let c = 0; c < 3; c++) {
    const lanes: (KeyTrack | undefined)[] = [];
    let present = 0, moving = false;
    for (let lane = 0; lane < 4; lane++) {
      const track = bones[group * 4 + lane]?.[CHANNELS[c]!];
      const used = track !== undefined && track.count > 0 ? track : undefined;
      lanes.push(used);
      if (used === undefined) continue;
      present++;
      moving ||= !isConstant(used);
    }
    plan.tracks.push(lanes);
    if (present > 0) plan.flags |= moving ? MOVES[c]! : CONSTANT[c]!;
    if (present > 0 && present < JOINTS_PER_GROUP) plan.flags |= TableGroup.PARTIAL;
  }
  return plan;
}

/** Whether a channel of a group has a lane that moves. */
export function isMoving(plan: GroupPlan, channel: number): boolean { return (plan.flags & MOVES[channel]!) !== 0; }

export function writeTableGroup(plan: GroupPlan, ptr: number): void {
  const { f32, i32, u32 } = heap;
  u32[ptr >>> 2] = plan.flags;
  for (let c = 0; c < 3; c++) {
    for (let lane = 0; lane < 4; lane++) {
      const track = plan.tracks[c]![lane];
      i32[((ptr + TABLE_GROUP_MASKS) >>> 2) + c * 4 + lane] = track === undefined ? 0 : -1;
      const stride = NEUTRAL[c]!.length;
      for (let k = 0; k < stride; k++) {
        f32[((ptr + TABLE_GROUP_CONSTANTS) >>> 2) + CONSTANTS_AT[c]! + k * 4 + lane] = track?.values[k] ?? NEUTRAL[c]![k]!;
      }
    }
  }
}

function writeLane(track: KeyTrack | undefined, neutral: readonly number[], at: number, rowFloats: number, frames: number): void {
  const f32 = heap.f32, stride = neutral.length;
  // A constant track may have fewer keys than the table has frames.
  const moving = track !== undefined && !isConstant(track);
  for (let frame = 0; frame < frames; frame++) {
    for (let k = 0; k < stride; k++) f32[at + frame * rowFloats + k * 4] = track === undefined ? neutral[k]! : track.values[(moving ? frame : 0) * stride + k]!;
  }
}

/** Whether all keys are equal, so that interpolation and times do not matter. */
export function isConstant(track: KeyTrack): boolean {
  if (track.count === 1) return true;
  if (track.mode === TrackMode.CUBIC) return false;
  const { values, stride, count } = track;
  for (let i = stride; i < count * stride; i++) if (values[i] !== values[i - stride]) return false;
  return true;
}

function isNear({ values, count }: KeyTrack): boolean {
  for (let k = 4; k < count * 4; k += 4) {
    const dot = values[k]! * values[k - 4]! + values[k + 1]! * values[k - 3]! + values[k + 2]! * values[k - 2]! + values[k + 3]! * values[k - 1]!;
    if (Math.abs(dot) < NEAR_DOT) return false;
  }
  return true;
}

function sameTimes(a: KeyTrack, b: KeyTrack): boolean {
  if (a.count !== b.count) return false;
  for (let i = 0; i < a.count; i++) if (a.times[i] !== b.times[i]) return false;
  return true;
}
