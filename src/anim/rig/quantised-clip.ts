/** The quantised form of a clip: evenly spaced frames in blocks of bits (layout/rig3d.ts). @internal */
import {
  CLIP_BYTES, CLIP_LAST_FRAME, CLIP_RATE, CLIP_ROWS, ClipForm, JOINTS_PER_GROUP, QUANTISED_CONSTANTS, QUANTISED_FLAGS,
  QUANTISED_GROUP_BYTES, QUANTISED_SEGMENTS, QUANTISED_STEPS, SAMPLE_SCRATCH_BYTES,
} from "../../../assembly/layout/rig3d.js";
import { heap } from "../../wasm/heap.js";
import { takeBlock } from "./blocks.js";
import { BitWriter } from "./bit-writer.js";
import { type ClipData, writeDescriptor } from "./clip-data.js";
import { decodeSmallestThree, encodeSmallestThree } from "./smallest-three.js";

/** Local transforms of every frame, ten numbers a bone, and which channels (position, rotation, scale) have keys. */
export interface SampledClip {
  boneCount: number;
  frameCount: number;
  /** Frames a second. */
  rate: number;
  values: Float32Array;
  present: readonly (readonly [boolean, boolean, boolean])[];
}

/** Step of every bone's components: lengths, half rotation vectors (radians), scale factors. */
export interface Steps {
  position: Float64Array;
  rotation: Float64Array;
  scale: Float64Array;
}

const FRAMES = QUANTISED_SEGMENTS + 1;
const OFFSETS = [0, 3, 7] as const;
/** Half angles from a lane's base beyond which every block gets a base of its own. */
const ROAMING = 1.2;
/** Codes must fit 31 bits with room for the polynomial: a step is at least this share of what it covers. */
const FINEST = 2 ** -26;

/** Least-squares fits of degree 0, 1 and 3 to 17 values: rows of coefficients. */
const FITS = /* @__PURE__ */ [1, 2, 4].map((terms) => pseudoInverse(terms));

function chebyshev(frame: number): [number, number, number, number] {
  const x = frame / 8 - 1;
  return [1, x, 2 * x * x - 1, (4 * x * x - 3) * x];
}

/** (A^T A)^-1 A^T of the first `terms` polynomials at the frames of a block, by Gauss-Jordan. */
function pseudoInverse(terms: number): number[][] {
  const rows = Array.from({ length: terms }, (_, r) => {
    const row: number[] = [];
    for (let c = 0; c < terms; c++) {
      let sum = 0;
      for (let f = 0; f < FRAMES; f++) sum += chebyshev(f)[r]! * chebyshev(f)[c]!;
      row.push(sum);
    }
    for (let f = 0; f < FRAMES; f++) row.push(chebyshev(f)[r]!);
    return row;
  });
  for (let pivot = 0; pivot < terms; pivot++) {
    const scale = rows[pivot]![pivot]!;
    rows[pivot] = rows[pivot]!.map((v) => v / scale);
    for (let r = 0; r < terms; r++) {
      if (r === pivot) continue;
      const factor = rows[r]![pivot]!;
      rows[r] = rows[r]!.map((v, i) => v - factor * rows[pivot]![i]!);
    }
  }
  return rows.map((row) => row.slice(terms));
}

/** What one lane of a channel is. */
interface Lane {
  bone: number;
  moves: boolean;
  roams: boolean;
  step: number;
  /** Mean position or scale, base rotation. */
  constant: number[];
}

export class QuantisedClip implements ClipData {
  readonly form = "uniform";
  readonly bytes: number;
  readonly ptr: number;
  readonly scratchBytes = SAMPLE_SCRATCH_BYTES;

  constructor(clip: SampledClip, steps: Steps, duration: number, owned: number[]) {
    const groupCount = (clip.boneCount + JOINTS_PER_GROUP - 1) >>> 2, last = clip.frameCount - 1;
    const lanes = [0, 1, 2].map((channel) => Array.from({ length: clip.boneCount }, (_, bone) => planLane(clip, bone, channel, steps)));
    const blockCount = Math.max(1, Math.ceil(last / QUANTISED_SEGMENTS)), bits = new BitWriter(), starts: number[] = [];
    for (let block = 0; block < blockCount; block++) {
      bits.alignToByte();
      starts.push(bits.bytes);
      for (let group = 0; group < groupCount; group++) writeGroupBits(clip, lanes, group, block * QUANTISED_SEGMENTS, bits);
    }
    bits.alignToByte();
    const offsetBytes = blockCount * 4, groupBytes = groupCount * QUANTISED_GROUP_BYTES;
    // Eight readable bytes behind the last block.
    this.bytes = CLIP_BYTES + groupBytes + offsetBytes + bits.bytes + 8;
    this.ptr = takeBlock(owned, this.bytes);
    const groups = this.ptr + CLIP_BYTES, rows = groups + groupBytes, { f64, i32, u32 } = heap;
    writeDescriptor(this.ptr, ClipForm.QUANTISED, 0, 0, groups, groupCount, duration);
    u32[(this.ptr + CLIP_ROWS) >>> 2] = rows;
    i32[(this.ptr + CLIP_LAST_FRAME) >>> 2] = last;
    f64[(this.ptr + CLIP_RATE) >>> 3] = last > 0 ? clip.rate : 0;
    starts.forEach((start, block) => (u32[(rows >>> 2) + block] = offsetBytes + start));
    bits.copyTo(rows + offsetBytes);
    for (let group = 0; group < groupCount; group++) writeGroup(lanes, group, groups + group * QUANTISED_GROUP_BYTES);
  }
}

function planLane(clip: SampledClip, bone: number, channel: number, steps: Steps): Lane | undefined {
  if (!clip.present[bone]![channel]) return undefined;
  const at = (frame: number): number => (frame * clip.boneCount + bone) * 10 + OFFSETS[channel]!;
  if (channel === 1) return planRotation(clip, bone, at, steps.rotation[bone]!);
  let step = (channel === 0 ? steps.position : steps.scale)[bone]!, extent = 0;
  const constant = [0, 1, 2].map((k) => {
    let low = Infinity, high = -Infinity;
    for (let frame = 0; frame < clip.frameCount; frame++) {
      low = Math.min(low, clip.values[at(frame) + k]!);
      high = Math.max(high, clip.values[at(frame) + k]!);
    }
    extent = Math.max(extent, high - low);
    return Math.fround((low + high) / 2);
  });
  step = Math.fround(Math.max(step, extent * FINEST));
  return { bone, moves: extent > step, roams: false, step, constant };
}

function planRotation(clip: SampledClip, bone: number, at: (frame: number) => number, wanted: number): Lane {
  const sum = [0, 0, 0, 0], { values } = clip;
  for (let frame = 0; frame < clip.frameCount; frame++) {
    const i = at(frame), sign = dot(sum, values, i) < 0 ? -1 : 1;
    for (let k = 0; k < 4; k++) sum[k]! += sign * values[i + k]!;
  }
  const length = Math.hypot(...sum), base = (length > 1e-6 ? sum.map((v) => v / length) : [0, 0, 0, 1]).map(Math.fround);
  let furthest = 0;
  for (let frame = 0; frame < clip.frameCount; frame++) furthest = Math.max(furthest, Math.hypot(...halfVector(base, values, at(frame), true)));
  const step = Math.fround(Math.max(wanted, FINEST));
  return { bone, moves: furthest > step / 2, roams: furthest > ROAMING, step, constant: base };
}

function dot(a: readonly number[], q: ArrayLike<number>, i: number): number {
  return a[0]! * q[i]! + a[1]! * q[i + 1]! + a[2]! * q[i + 2]! + a[3]! * q[i + 3]!;
}

/** Half the rotation vector of conj(base) q; `short`: of whichever of q and -q is nearer. */
function halfVector(base: readonly number[], q: ArrayLike<number>, i: number, short: boolean): [number, number, number] {
  const [bx, by, bz, bw] = base as [number, number, number, number];
  const qx = q[i]!, qy = q[i + 1]!, qz = q[i + 2]!, qw = q[i + 3]!;
  let x = bw * qx - bx * qw - by * qz + bz * qy, y = bw * qy - by * qw - bz * qx + bx * qz;
  let z = bw * qz - bz * qw - bx * qy + by * qx, w = bw * qw + bx * qx + by * qy + bz * qz;
  if (short && w < 0) {
    x = -x;
    y = -y;
    z = -z;
    w = -w;
  }
  const length = Math.hypot(x, y, z), scale = length > 1e-12 ? Math.atan2(length, w) / length : 1;
  return [x * scale, y * scale, z * scale];
}

function writeGroupBits(clip: SampledClip, lanes: readonly (Lane | undefined)[][], group: number, first: number, bits: BitWriter): void {
  const frameOf = (f: number): number => Math.min(first + f, clip.frameCount - 1);
  for (let channel = 0; channel < 3; channel++) {
    const moving = lanes[channel]!.slice(group * 4, group * 4 + 4).filter((lane) => lane?.moves) as Lane[];
    const bases = moving.map((lane) => (lane.roams ? roamingBase(clip, lane, frameOf(QUANTISED_SEGMENTS / 2), bits) : lane.constant));
    moving.forEach((lane, m) => {
      const columns = [new Float64Array(FRAMES), new Float64Array(FRAMES), new Float64Array(FRAMES)];
      let previous: number[] | undefined;
      for (let f = 0; f < FRAMES; f++) {
        const i = (frameOf(f) * clip.boneCount + lane.bone) * 10 + OFFSETS[channel]!;
        let vector: number[];
        if (channel !== 1) {
          vector = [0, 1, 2].map((k) => clip.values[i + k]! - lane.constant[k]!);
        } else if (!lane.roams) {
          vector = halfVector(bases[m]!, clip.values, i, true);
        } else {
          // Neighbours on one side, so that the curve does not jump where it passes half a turn.
          const q = Array.from(clip.values.subarray(i, i + 4));
          const side = previous === undefined ? dot(bases[m]!, q, 0) : dot(previous, q, 0);
          previous = side < 0 ? q.map((v) => -v) : q;
          vector = halfVector(bases[m]!, previous, 0, false);
        }
        for (let k = 0; k < 3; k++) columns[k]![f] = vector[k]! / lane.step;
      }
      for (const column of columns) writeComponent(column, bits);
    });
  }
}

function roamingBase(clip: SampledClip, lane: Lane, frame: number, bits: BitWriter): number[] {
  const i = (frame * clip.boneCount + lane.bone) * 10 + OFFSETS[1], code = encodeSmallestThree(clip.values.subarray(i, i + 4));
  bits.write(code.largest, 2);
  bits.write(code.negative ? 1 : 0, 1);
  for (const c of code.codes) bits.write(c, 15);
  return decodeSmallestThree(code);
}

/** Writes 17 values (in steps) with the polynomial that takes the fewest bits. */
function writeComponent(values: Float64Array, bits: BitWriter): void {
  let best: { widths: number[]; numbers: number[][]; size: number } | undefined;
  for (const fit of FITS) {
    const coefficients = [0, 0, 0, 0];
    fit.forEach((row, term) => {
      let sum = 0;
      for (let f = 0; f < FRAMES; f++) sum += row[f]! * values[f]!;
      coefficients[term] = Math.round(sum);
    });
    const rest: number[] = [];
    for (let f = 0; f < FRAMES; f++) {
      const [t0, t1, t2, t3] = chebyshev(f);
      rest.push(Math.round(values[f]! - (coefficients[0]! * t0 + coefficients[1]! * t1 + coefficients[2]! * t2 + coefficients[3]! * t3)));
    }
    const widths = [...coefficients.map((c) => widthOf(c)), rest.reduce((width, r) => Math.max(width, widthOf(r)), 0)];
    const size = widths[0]! + widths[1]! + widths[2]! + widths[3]! + FRAMES * widths[4]!;
    if (best === undefined || size < best.size) best = { widths, numbers: [...coefficients.map((c) => [c]), rest], size };
  }
  for (const width of best!.widths) bits.write(width, 5);
  best!.numbers.forEach((list, i) => {
    for (const n of list) bits.write(n, best!.widths[i]!);
  });
}

/** Bits of a number in two's complement; 0 takes none. */
function widthOf(n: number): number {
  return n === 0 ? 0 : 33 - Math.clz32(n < 0 ? ~n : n);
}

function writeGroup(lanes: readonly (Lane | undefined)[][], group: number, ptr: number): void {
  const { f32, i32, u32 } = heap;
  let flags = 0;
  for (let lane = 0; lane < JOINTS_PER_GROUP; lane++) {
    for (let channel = 0; channel < 3; channel++) {
      const plan = lanes[channel]![group * 4 + lane];
      i32[(ptr >>> 2) + channel * 4 + lane] = plan === undefined ? 0 : -1;
      f32[((ptr + QUANTISED_STEPS) >>> 2) + channel * 4 + lane] = plan?.moves ? plan.step : 0;
      const neutral = channel === 1 ? [0, 0, 0, 1] : channel === 2 ? [1, 1, 1] : [0, 0, 0];
      neutral.forEach((value, k) => {
        f32[((ptr + QUANTISED_CONSTANTS) >>> 2) + (OFFSETS[channel]! + k) * 4 + lane] = plan?.constant[k] ?? value;
      });
      if (plan?.moves) flags |= 1 << (channel * 4 + lane);
      if (plan?.moves && plan.roams) flags |= 1 << (12 + lane);
    }
  }
  u32[(ptr + QUANTISED_FLAGS) >>> 2] = flags;
}
