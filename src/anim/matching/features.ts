/** Features of the frames of one clip. Bake-time code, so it may allocate. @internal */
import { AnimPose } from "../rig/pose.js";
import type { AnimClip } from "../rig/clip.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { sin } from "../motion/math.js";
import { footSpeedContacts } from "./contacts.js";
import { GROUND, localX, localZ } from "./ground.js";
import type { MotionFeature } from "./layout.js";
import type { AnimMirror } from "../rig/mirror.js";
import { RootTrack } from "./root-track.js";

/** A stretch of a clip whose frames are in the database. */
export interface FrameRange {
  readonly clip: AnimClip;
  readonly clipIndex: number;
  readonly start: number;
  readonly end: number;
  /** The whole of a looping clip: it has no end. */
  readonly looping: boolean;
  readonly mirrored: boolean;
  readonly frameCount: number;
}

/** Frames of a range: t = start + i / rate; the last frame of a loop equals its first and is left out. */
export function frameCountOf(start: number, end: number, looping: boolean, rate: number): number {
  const length = end - start;
  if (length <= 1e-8) return 1;
  return Math.max(1, Math.round(length * rate) + (looping ? 0 : 1));
}

/**
 * Raw feature vectors of a range's frames, row by row.
 * @param rig - rig height, for contacts by foot speed
 */
export function extractFeatures(range: FrameRange, features: readonly MotionFeature[], skeleton: AnimSkeleton, rootBone: number, mirror: AnimMirror | undefined, rigHeight: number): Float64Array {
  const size = features.reduce((sum, feature) => sum + feature.size, 0);
  const out = new Float64Array(range.frameCount * size);
  const sampler = new RangeSampler(range, features, skeleton, rootBone, mirror, rigHeight);
  for (let i = 0; i < range.frameCount; i++) sampler.write(i, out, i * size);
  sampler.dispose();
  return out;
}

/** Model-space places (x y z) of the bones that features need, one row a frame; rows -1 and n are the neighbours beyond. */
class RangeSampler {
  readonly #clip: AnimClip;
  readonly #track: RootTrack;
  readonly #pose: AnimPose;
  readonly #bones: number[];
  readonly #columnOf = new Map<number, number>();
  readonly #step: number;
  readonly #rate: number;
  readonly #duration: number;
  /** Places by frame index, filled as they are needed. */
  readonly #rows = new Map<number, Float64Array>();
  readonly #frame = new Float64Array(GROUND);
  readonly #other = new Float64Array(GROUND);
  readonly #third = new Float64Array(GROUND);
  readonly #contacts = new Map<number, Uint8Array>();

  constructor(
    readonly range: FrameRange, readonly features: readonly MotionFeature[], readonly skeleton: AnimSkeleton, rootBone: number, readonly mirror: AnimMirror | undefined, rigHeight: number,
  ) {
    this.#rate = range.clip.getSampleRate();
    this.#step = 1 / this.#rate;
    this.#duration = range.clip.getDuration();
    this.#track = new RootTrack(range.clip, skeleton, rootBone);
    this.#clip = range.clip.clone();
    this.#clip.setLoop(false);
    this.#pose = new AnimPose(skeleton.getBoneCount());
    this.#bones = [...new Set(features.filter(({ bone }) => bone >= 0).map(({ bone }) => this.#source(bone)))];
    this.#bones.forEach((bone, column) => this.#columnOf.set(bone, column));
    for (const { kind, bone } of features) {
      if (kind !== "contact" || this.#contacts.has(bone)) continue;
      this.#contacts.set(bone, footSpeedContacts(range.frameCount, this.#rate, rigHeight, (i, xyz) => {
        const row = this.#row(i), column = this.#columnOf.get(this.#source(bone))!;
        for (let k = 0; k < 3; k++) xyz[k] = row[column * 6 + k]!;
      }));
    }
  }

  dispose(): void {
    this.#clip.dispose();
    this.#pose.dispose();
  }

  /** The bone to look at for `bone`: its counterpart when the range is mirrored. */
  #source(bone: number): number {
    return this.range.mirrored ? this.mirror!.getCounterpart(bone) : bone;
  }

  write(i: number, out: Float64Array, at: number): void {
    const time = this.range.start + i / this.#rate, step = this.#step;
    const frame = this.#frame, other = this.#other, third = this.#third, track = this.#track;
    track.at(time, frame, 0);
    const s = frame[2]!, c = frame[3]!;
    const side = this.range.mirrored ? -1 : 1;
    for (const feature of this.features) {
      const o = at + feature.offset;
      switch (feature.kind) {
        case "rootVelocity":
        case "trajectoryVelocity": {
          const t = time + (feature.kind === "rootVelocity" ? 0 : feature.horizon);
          track.at(t + step, other, 0);
          track.at(t - step, third, 0);
          this.#vector(out, o, (other[0]! - third[0]!) / (2 * step), (other[1]! - third[1]!) / (2 * step), s, c, side);
          break;
        }
        case "rootAcceleration":
          track.at(time + step, other, 0);
          track.at(time - step, third, 0);
          this.#vector(out, o, (other[0]! - 2 * frame[0]! + third[0]!) / (step * step), (other[1]! - 2 * frame[1]! + third[1]!) / (step * step), s, c, side);
          break;
        case "trajectoryPosition":
          track.at(time + feature.horizon, other, 0);
          this.#vector(out, o, other[0]! - frame[0]!, other[1]! - frame[1]!, s, c, side);
          break;
        case "trajectoryDirection":
          track.at(time + feature.horizon, other, 0);
          out[o] = side * (other[2]! * c - other[3]! * s);
          out[o + 1] = other[3]! * c + other[2]! * s;
          break;
        case "bonePosition": {
          const row = this.#row(i), column = this.#columnOf.get(this.#source(feature.bone))! * 6;
          this.#vector(out, o, row[column]! - frame[0]!, row[column + 2]! - frame[1]!, s, c, side, row[column + 1]!);
          break;
        }
        case "boneVelocity": {
          const column = this.#columnOf.get(this.#source(feature.bone))! * 6;
          const open = this.#clip.getDuration() > 1e-8 && this.#track.looping;
          const hasNext = open || !(time + step > this.#duration), hasPrevious = open || !(time - step < 0);
          const next = hasNext ? this.#row(i + 1) : this.#row(i), previous = hasPrevious ? this.#row(i - 1) : this.#row(i);
          const span = (hasNext ? step : 0) + (hasPrevious ? step : 0);
          const k = span > 0 ? 1 / span : 0;
          this.#vector(out, o, (next[column]! - previous[column]!) * k, (next[column + 2]! - previous[column + 2]!) * k, s, c, side, (next[column + 1]! - previous[column + 1]!) * k);
          break;
        }
        case "boneDirection": {
          const row = this.#row(i), column = this.#columnOf.get(this.#source(feature.bone))! * 6 + 3;
          this.#vector(out, o, row[column]!, row[column + 2]!, s, c, side, row[column + 1]!);
          break;
        }
        case "contact":
          out[o] = this.#contacts.get(feature.bone)![i]!;
          break;
        case "phase": {
          const turn = this.#duration > 1e-8 ? (2 * Math.PI * time) / this.#duration : 0;
          out[o] = sin(turn);
          out[o + 1] = sin(turn + Math.PI / 2);
          break;
        }
        case "curve":
          out[o] = this.range.clip.sampleCurve(feature.curve, time);
          break;
      }
    }
  }

  /** A vector in the frame's axes; three numbers when a height is given, else two. */
  #vector(out: Float64Array, o: number, dx: number, dz: number, s: number, c: number, side: number, height?: number): void {
    out[o] = side * localX(dx, dz, s, c);
    if (height === undefined) {
      out[o + 1] = localZ(dx, dz, s, c);
    } else {
      out[o + 1] = height;
      out[o + 2] = localZ(dx, dz, s, c);
    }
  }

  /** Places and +Z directions of the bones in frame `i`, which may lie a step beyond the clip if it loops. */
  #row(i: number): Float64Array {
    let row = this.#rows.get(i);
    if (row !== undefined) return row;
    row = new Float64Array(this.#bones.length * 6);
    let time = this.range.start + i / this.#rate;
    let pass = 0;
    if (this.#track.looping) {
      pass = Math.floor(time / this.#duration);
      time -= pass * this.#duration;
    }
    this.#clip.sample(Math.min(this.#duration, Math.max(0, time)), this.#pose, this.skeleton);
    this.#pose.computeWorld(this.skeleton);
    const moved = this.#third;
    this.#track.pass(pass, moved, 0);
    const [mx, mz, ms, mc] = [moved[0]!, moved[1]!, moved[2]!, moved[3]!];
    this.#bones.forEach((bone, column) => {
      const x = this.#pose.getWorldPositionX(bone), z = this.#pose.getWorldPositionZ(bone);
      row![column * 6] = mx + x * mc + z * ms;
      row![column * 6 + 1] = this.#pose.getWorldPositionY(bone);
      row![column * 6 + 2] = mz - x * ms + z * mc;
      const fx = this.#pose.getWorldMatrixElement(bone, 8), fz = this.#pose.getWorldMatrixElement(bone, 10);
      row![column * 6 + 3] = fx * mc + fz * ms;
      row![column * 6 + 4] = this.#pose.getWorldMatrixElement(bone, 9);
      row![column * 6 + 5] = -fx * ms + fz * mc;
    });
    this.#rows.set(i, row);
    // Only neighbours are needed again.
    this.#rows.delete(i - 3);
    return row;
  }
}
