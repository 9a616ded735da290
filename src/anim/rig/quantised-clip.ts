/** The quantised form of a clip: evenly spaced frames in blocks of bits (layout/rig3d.ts). @internal */
import {
  CLIP_BYTES, CLIP_LAST_FRAME, CLIP_RATE, CLIP_ROW_BYTES, CLIP_ROWS, ClipForm, FIELD_BYTES, FIELDS_BYTES, JOINTS_PER_GROUP, QUANTISED_CONSTANTS,
  QUANTISED_FLAGS, QUANTISED_GROUP_BYTES, QUANTISED_PADDING, QUANTISED_PLACES, QUANTISED_SEGMENTS, QUANTISED_STEPS, SAMPLE_SCRATCH_BYTES,
  WIDEST_FIELD,
} from "../../../assembly/layout/rig3d.js";
import { heap } from "../../wasm/heap.js";
import { BitWriter } from "./bit-writer.js";
import { takeBlock } from "./blocks.js";
import { type ClipData, writeDescriptor } from "./clip-data.js";
import { BLOCK_FRAMES, writeChannel } from "./quantise-block.js";
import { blendDeviation, CHANNEL_OFFSETS, dot, indexOf, type Lane, parametersOf, planLane, type SampledClip, type Steps } from "./quantise-lanes.js";
import { decodeSmallestThree, encodeSmallestThree } from "./smallest-three.js";

/** Share of a step by which blending parameters may differ from slerp. */
const BLEND_SHARE = 0.2;
/** Length of parameters (120 degrees of half angle) from which on those of -q, which are shorter, are taken although they are a jump. */
const FURTHEST = 1.73;
/** Index of no byte: such lanes become 0. */
const NOWHERE = 0x80;

/** Lanes of the four bones of a group, by channel. */
type GroupLanes = readonly (readonly (Lane | undefined)[])[];

export class QuantisedClip implements ClipData {
  readonly form = "uniform";
  readonly bytes: number;
  readonly ptr: number;
  readonly scratchBytes = SAMPLE_SCRATCH_BYTES;

  constructor(clip: SampledClip, steps: Steps, duration: number, owned: number[]) {
    const groupCount = (clip.boneCount + JOINTS_PER_GROUP - 1) >>> 2, last = clip.frameCount - 1;
    const groups: GroupLanes[] = Array.from({ length: groupCount }, (_, group) => [0, 1, 2].map((channel) =>
      Array.from({ length: JOINTS_PER_GROUP }, (_, lane) => {
        const bone = group * JOINTS_PER_GROUP + lane;
        return bone < clip.boneCount ? planLane(clip, bone, channel, steps) : undefined;
      })));
    const blockCount = Math.max(1, Math.ceil(last / QUANTISED_SEGMENTS)), blocks: { heads: number[]; bits: BitWriter }[] = [];
    let size = blockCount * 4;
    for (let block = 0; block < blockCount; block++) {
      const heads: number[] = [], bits = new BitWriter();
      for (const lanes of groups) writeGroupBits(clip, lanes, block * QUANTISED_SEGMENTS, heads, bits);
      blocks.push({ heads, bits });
      size += heads.length * 4 + ((bits.bytes + 3) & ~3);
    }
    const groupBytes = groupCount * QUANTISED_GROUP_BYTES;
    this.bytes = CLIP_BYTES + groupBytes + size + QUANTISED_PADDING;
    this.ptr = takeBlock(owned, this.bytes);
    const records = this.ptr + CLIP_BYTES, rows = records + groupBytes, { f64, i32, u32 } = heap;
    writeDescriptor(this.ptr, ClipForm.QUANTISED, fieldTable(), 0, records, groupCount, duration);
    u32[(this.ptr + CLIP_ROWS) >>> 2] = rows;
    u32[(this.ptr + CLIP_ROW_BYTES) >>> 2] = blocks[0]!.heads.length * 4;
    i32[(this.ptr + CLIP_LAST_FRAME) >>> 2] = last;
    f64[(this.ptr + CLIP_RATE) >>> 3] = last > 0 ? clip.rate : 0;
    let to = rows + blockCount * 4;
    blocks.forEach(({ heads, bits }, block) => {
      u32[(rows >>> 2) + block] = to - rows;
      heads.forEach((head, i) => (u32[(to >>> 2) + i] = head));
      to += heads.length * 4;
      bits.copyTo(to);
      to += (bits.bytes + 3) & ~3;
    });
    groups.forEach((lanes, group) => writeGroup(lanes, records + group * QUANTISED_GROUP_BYTES));
  }
}

let fields = 0;

/** The table of fields, which all clips share. */
function fieldTable(): number {
  if (fields !== 0) return fields;
  fields = heap.alloc(FIELDS_BYTES);
  for (let width = 0; width <= WIDEST_FIELD; width++) {
    for (let bit = 0; bit < 8; bit++) {
      const entry = fields + (width * 8 + bit) * FIELD_BYTES;
      for (let lane = 0; lane < 4; lane++) {
        const at = bit + lane * width;
        for (let byte = 0; byte < 4; byte++) heap.u8[entry + lane * 4 + byte] = (at >>> 3) + byte;
        heap.u32[((entry + 16) >>> 2) + lane] = width === 0 ? 0 : 2 ** (32 - width - (at & 7));
      }
    }
  }
  return fields;
}

/** Writes one block of a group. */
function writeGroupBits(clip: SampledClip, lanes: GroupLanes, first: number, heads: number[], bits: BitWriter): void {
  for (let channel = 0; channel < 3; channel++) {
    const moving = lanes[channel]!.filter((lane) => lane?.moves) as Lane[];
    if (moving.length === 0) continue;
    const curves = moving.map((lane) => (channel === 1 ? rotationCurve(clip, lane, first, bits) : vectorCurve(clip, lane, channel, first)));
    const blends = channel !== 1 || curves.every((curve, lane) => mayBlend(curve, BLEND_SHARE * 2 * moving[lane]!.step));
    const values = [0, 1, 2].map((k) => curves.map((curve, lane) => Float64Array.from(curve, (vector) => vector[k]! / moving[lane]!.step)));
    heads.push(writeChannel(values, blends, bits));
  }
}

/** The frames of a block; behind the last frame of the clip that frame again. */
function framesOf(clip: SampledClip, first: number): number[] {
  return Array.from({ length: BLOCK_FRAMES }, (_, f) => Math.min(first + f, clip.frameCount - 1));
}

function vectorCurve(clip: SampledClip, { bone, constant }: Lane, channel: number, first: number): number[][] {
  return framesOf(clip, first).map((frame) => {
    const i = indexOf(clip, frame, bone, channel);
    return [0, 1, 2].map((k) => clip.values[i + k]! - constant[k]!);
  });
}

/** Parameters of a block's frames; writes the base of a lane that roams. */
function rotationCurve(clip: SampledClip, { bone, constant, roams }: Lane, first: number, bits: BitWriter): number[][] {
  const frames = framesOf(clip, first);
  if (!roams) return frames.map((frame) => parametersOf(constant, clip.values, indexOf(clip, frame, bone, 1), true));
  const middle = indexOf(clip, frames[QUANTISED_SEGMENTS / 2]!, bone, 1), code = encodeSmallestThree(clip.values.subarray(middle, middle + 4));
  bits.write(code.largest, 2);
  bits.write(code.negative ? 1 : 0, 1);
  for (const c of code.codes) bits.write(c, 15);
  const base = decodeSmallestThree(code);
  let previous = base as number[];
  return frames.map((frame) => {
    // Neighbours on one side, so that the curve does not jump where it passes half a turn.
    const i = indexOf(clip, frame, bone, 1), q = Array.from(clip.values.subarray(i, i + 4));
    previous = dot(previous, q, 0) < 0 ? q.map((v) => -v) : q;
    const p = parametersOf(base, previous, 0, false);
    if (Math.hypot(...p) <= FURTHEST) return p;
    previous = previous.map((v) => -v);
    return parametersOf(base, previous, 0, false);
  });
}

function mayBlend(curve: readonly number[][], allowed: number): boolean {
  for (let f = 1; f < curve.length; f++) if (blendDeviation(curve[f - 1]!, curve[f]!) > allowed) return false;
  return true;
}

function writeGroup(lanes: GroupLanes, ptr: number): void {
  const { f32, i32, u32 } = heap;
  let flags = 0;
  for (let channel = 0; channel < 3; channel++) {
    let rank = 0;
    for (let lane = 0; lane < JOINTS_PER_GROUP; lane++) {
      const plan = lanes[channel]![lane], moves = plan?.moves === true;
      i32[(ptr >>> 2) + channel * 4 + lane] = plan === undefined ? 0 : -1;
      f32[((ptr + QUANTISED_STEPS) >>> 2) + channel * 4 + lane] = moves ? plan.step : 0;
      const neutral = channel === 1 ? [0, 0, 0, 1] : channel === 2 ? [1, 1, 1] : [0, 0, 0];
      neutral.forEach((value, k) => {
        f32[((ptr + QUANTISED_CONSTANTS) >>> 2) + (CHANNEL_OFFSETS[channel]! + k) * 4 + lane] = plan?.constant[k] ?? value;
      });
      for (let byte = 0; byte < 4; byte++) heap.u8[ptr + QUANTISED_PLACES + channel * 16 + lane * 4 + byte] = moves ? rank * 4 + byte : NOWHERE;
      if (!moves) continue;
      rank++;
      flags |= 1 << (channel * 4 + lane);
      if (plan.roams) flags |= 1 << (12 + lane);
    }
  }
  u32[(ptr + QUANTISED_FLAGS) >>> 2] = flags;
}
