/** From a bake to windows of tensors for a learned model, and from its answers back to locals. @internal */
import { multiplyRotations } from "../rig/rigid.js";
import { rigHeight } from "../rig/rest-pose.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { inverseMultiply } from "../dynamic-bone/rotation.js";
import type { NeuralRetargetBatch, NeuralRetargetResult } from "./neural.js";
import type { RetargetPlan } from "./plan.js";
import { LOCAL, type RigFrames } from "./rig-frames.js";
import { AnimSmrSensorCloud, placeSensor } from "./sensor-cloud.js";

/** Frames a window has at most, and how many of them the next one repeats. */
const WINDOW = 30;
const OVERLAP = 10;
const SIX = 6;

/** The first two columns of the matrix of the unit quaternion at q[o]. */
function toSix(q: Float64Array, o: number, out: Float32Array | Float64Array, at: number): void {
  const x = q[o]!, y = q[o + 1]!, z = q[o + 2]!, w = q[o + 3]!;
  out[at] = 1 - 2 * (y * y + z * z);
  out[at + 1] = 2 * (x * y + w * z);
  out[at + 2] = 2 * (x * z - w * y);
  out[at + 3] = 2 * (x * y - w * z);
  out[at + 4] = 1 - 2 * (x * x + z * z);
  out[at + 5] = 2 * (y * z + w * x);
}

/** The rotation of two columns, orthonormalised (Gram-Schmidt); false if they have no length or one direction. */
function fromSix(six: ArrayLike<number>, at: number, q: Float64Array): boolean {
  let ax = six[at]!, ay = six[at + 1]!, az = six[at + 2]!, bx = six[at + 3]!, by = six[at + 4]!, bz = six[at + 5]!;
  const a = Math.sqrt(ax * ax + ay * ay + az * az);
  if (!(a > 1e-4)) return false;
  ax /= a;
  ay /= a;
  az /= a;
  const dot = ax * bx + ay * by + az * bz;
  bx -= ax * dot;
  by -= ay * dot;
  bz -= az * dot;
  const b = Math.sqrt(bx * bx + by * by + bz * bz);
  if (!(b > 1e-4)) return false;
  bx /= b;
  by /= b;
  bz /= b;
  const cx = ay * bz - az * by, cy = az * bx - ax * bz, cz = ax * by - ay * bx, trace = ax + by + cz;
  // The largest component first (Shepperd 1978).
  if (trace >= ax && trace >= by && trace >= cz) set(q, bz - cy, cx - az, ay - bx, 1 + trace);
  else if (ax >= by && ax >= cz) set(q, 1 + ax - by - cz, bx + ay, cx + az, bz - cy);
  else if (by >= cz) set(q, bx + ay, 1 + by - ax - cz, cy + bz, cx - az);
  else set(q, cx + az, cy + bz, 1 + cz - ax - by, ay - bx);
  return true;
}

function set(q: Float64Array, x: number, y: number, z: number, w: number): void {
  const k = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  q[0] = x * k;
  q[1] = y * k;
  q[2] = z * k;
  q[3] = w * k;
}

interface Window {
  readonly first: number;
  readonly count: number;
}

export class NeuralBatches {
  readonly windows: readonly Window[];
  readonly #plan: RetargetPlan;
  readonly #frames: number;
  readonly #sourceHeight: number;
  readonly #targetHeight: number;
  readonly #source: Float32Array;
  readonly #fk: Float32Array;
  readonly #root: Float32Array;
  readonly #fixed: Omit<NeuralRetargetBatch, "source_rotations" | "source_root" | "fk_rotations">;
  readonly #rotations: Float64Array;
  readonly #roots: Float64Array;
  readonly #weights: Float64Array;
  #hasRoot = true;

  /** To be made while the plan's frames show the bind poses. */
  constructor(plan: RetargetPlan, source: AnimSkeleton, target: AnimSkeleton, frames: number) {
    this.#plan = plan;
    this.#frames = frames;
    this.#sourceHeight = rigHeight(source);
    this.#targetHeight = rigHeight(target);
    this.#source = new Float32Array(frames * plan.source.boneCount * SIX);
    this.#fk = new Float32Array(frames * plan.target.boneCount * SIX);
    this.#root = new Float32Array(frames * 3);
    this.#rotations = new Float64Array(frames * plan.target.boneCount * SIX);
    this.#roots = new Float64Array(frames * 3);
    this.#weights = new Float64Array(frames);
    const windows: Window[] = [];
    for (let first = 0; ; first += WINDOW - OVERLAP) {
      const count = Math.min(WINDOW, frames - first);
      windows.push({ first, count });
      if (first + count >= frames) break;
    }
    this.windows = windows;
    const pairs = sensorPairs(plan, source, target);
    this.#fixed = {
      source_parents: { data: plan.source.parents.slice(), dims: [plan.source.boneCount] }, target_parents: { data: plan.target.parents.slice(), dims: [plan.target.boneCount] },
      source_offsets: offsets(plan.source, this.#sourceHeight), target_offsets: offsets(plan.target, this.#targetHeight),
      source_sensors: { data: pairs.source, dims: [pairs.source.length / 3, 3] }, target_sensors: { data: pairs.target, dims: [pairs.target.length / 3, 3] },
      target_source: { data: plan.matches.slice(), dims: [plan.target.boneCount] },
    };
  }

  /** Looks at the frame that source and target stand in. */
  observe(frame: number): void {
    const { source, target, sourceRest, targetRest, sourceRoot } = this.#plan;
    differences(source, sourceRest, this.#source, frame * source.boneCount * SIX);
    differences(target, targetRest, this.#fk, frame * target.boneCount * SIX);
    for (let k = 0; k < 3; k++) this.#root[frame * 3 + k] = (source.position[sourceRoot * 3 + k]! - this.#plan.sourceStart[k]!) / this.#sourceHeight;
  }

  batch({ first, count }: Window): NeuralRetargetBatch {
    const { source, target } = this.#plan, s = source.boneCount * SIX, t = target.boneCount * SIX;
    return {
      ...this.#fixed,
      source_rotations: { data: this.#source.slice(first * s, (first + count) * s), dims: [count, source.boneCount, SIX] },
      source_root: { data: this.#root.slice(first * 3, (first + count) * 3), dims: [count, 3] },
      fk_rotations: { data: this.#fk.slice(first * t, (first + count) * t), dims: [count, target.boneCount, SIX] },
    };
  }

  /** Takes an answer, weighted down towards the ends that other windows repeat. @throws Error for another shape or numbers that are not finite */
  accept({ first, count }: Window, result: NeuralRetargetResult): void {
    const stride = this.#plan.target.boneCount * SIX, { target_rotations: rotations, target_root: root } = result;
    requireNumbers("target_rotations", rotations?.data, count * stride);
    if (root !== undefined) requireNumbers("target_root", root.data, count * 3);
    else this.#hasRoot = false;
    for (let i = 0; i < count; i++) {
      const frame = first + i, fromStart = first === 0 ? 1 : Math.min(1, (i + 1) / (OVERLAP + 1));
      const fromEnd = first + count === this.#frames ? 1 : Math.min(1, (count - i) / (OVERLAP + 1)), weight = Math.min(fromStart, fromEnd);
      this.#weights[frame] = this.#weights[frame]! + weight;
      for (let k = 0; k < stride; k++) this.#rotations[frame * stride + k] = this.#rotations[frame * stride + k]! + weight * rotations.data[i * stride + k]!;
      if (root !== undefined) for (let k = 0; k < 3; k++) this.#roots[frame * 3 + k] = this.#roots[frame * 3 + k]! + weight * root.data[i * 3 + k]!;
    }
  }

  /** Writes what was accepted into the locals of all frames; notes the bones that were turned. Returns how many frames were. */
  apply(locals: readonly Float64Array[], turned: Set<number>): number {
    const { target, targetRest, targetRoot, targetStart } = this.#plan, count = target.boneCount, six = new Float64Array(SIX), q = new Float64Array(4), place = new Float64Array(3);
    locals.forEach((local, frame) => {
      const scale = 1 / this.#weights[frame]!;
      target.local.set(local);
      for (let bone = 0; bone < count; bone++) {
        const at = (frame * count + bone) * SIX;
        for (let k = 0; k < SIX; k++) six[k] = this.#rotations[at + k]! * scale;
        if (fromSix(six, 0, q)) {
          const parent = target.parents[bone]!;
          multiplyRotations(q, 0, targetRest, bone * 4, q, 0);
          if (parent < 0) target.local.set(q, bone * LOCAL + 3);
          else inverseMultiply(target.rotation, parent * 4, q, 0, target.local, bone * LOCAL + 3);
          turned.add(bone);
        }
        target.composeRotation(bone);
        if (bone === targetRoot && this.#hasRoot) {
          for (let k = 0; k < 3; k++) place[k] = targetStart[k]! + this.#roots[frame * 3 + k]! * scale * this.#targetHeight;
          target.placeAt(bone, place);
        }
        target.composePlace(bone);
      }
      local.set(target.local);
    });
    return locals.length;
  }
}

function differences(frames: RigFrames, rest: Float64Array, out: Float32Array, at: number): void {
  const q = new Float64Array(4), back = new Float64Array(4);
  for (let bone = 0; bone < frames.boneCount; bone++) {
    for (let k = 0; k < 3; k++) back[k] = -rest[bone * 4 + k]!;
    back[3] = rest[bone * 4 + 3]!;
    multiplyRotations(frames.rotation, bone * 4, back, 0, q, 0);
    toSix(q, 0, out, at + bone * SIX);
  }
}

function offsets(frames: RigFrames, height: number): { data: Float32Array; dims: number[] } {
  const data = new Float32Array(frames.boneCount * 3);
  for (let bone = 0; bone < frames.boneCount; bone++) for (let k = 0; k < 3; k++) data[bone * 3 + k] = frames.bind[bone * LOCAL + k]! / height;
  return { data, dims: [frames.boneCount, 3] };
}

function sensorPairs(plan: RetargetPlan, source: AnimSkeleton, target: AnimSkeleton): { source: Float32Array; target: Float32Array } {
  const from = new Map(AnimSmrSensorCloud.fromSkeleton(source).sensors.map((s) => [`${s.bone} ${s.ring} ${s.turn}`, s])), at = new Float64Array(3);
  const sources: number[] = [], targets: number[] = [], sourceHeight = rigHeight(source), targetHeight = rigHeight(target);
  for (const sensor of AnimSmrSensorCloud.fromSkeleton(target).sensors) {
    const twin = from.get(`${plan.matches[sensor.bone]} ${sensor.ring} ${sensor.turn}`);
    if (twin === undefined) continue;
    placeSensor(twin, plan.source, at);
    for (const v of at) sources.push(v / sourceHeight);
    placeSensor(sensor, plan.target, at);
    for (const v of at) targets.push(v / targetHeight);
  }
  return { source: Float32Array.from(sources), target: Float32Array.from(targets) };
}

function requireNumbers(name: string, data: ArrayLike<number> | undefined, count: number): void {
  if (data?.length !== count) throw new Error(`${name} has ${String(data?.length)} numbers, expected ${count}`);
  for (let i = 0; i < count; i++) if (!Number.isFinite(data[i]!)) throw new Error(`${name} has a number that is not finite`);
}
