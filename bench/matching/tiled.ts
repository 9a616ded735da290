import { existsSync } from "node:fs";
import type { AnimClip } from "../../src/anim/rig/clip.js";
import type { AnimSkeleton } from "../../src/anim/rig/skeleton.js";
import { MotionDatabase } from "../../src/anim/matching/database.js";
import { isTrajectory } from "../../src/anim/matching/layout.js";
import { loadBiped } from "../../test/anim/matching/biped.js";
import { random } from "../../test/anim/matching/brute-force.js";
import { commonSkeleton, loadMocap } from "../../test/anim/matching/mocap.js";

export const SEED = 20240607;
const FOLDER = "../shared/data/bvh";

/** Feature bones by the number of channels that they make. */
const BONES = {
  26: ["left_foot", "right_foot"],
  62: ["left_foot", "right_foot", "left_hand", "right_hand", "left_shin", "right_shin", "head", "chest"],
};
/** The same of the built-in biped. */
const BIPED_BONES = {
  26: ["foot_l", "foot_r"],
  62: ["foot_l", "foot_r", "hand_l", "hand_r", "lower_leg_l", "lower_leg_r", "head", "chest"],
};

export interface Tiled {
  base: MotionDatabase;
  tiled: MotionDatabase;
  skeleton: AnimSkeleton;
}

interface Captures {
  skeleton: AnimSkeleton;
  clips: AnimClip[];
  root: string;
  bones: Readonly<Record<26 | 62, readonly string[]>>;
}

/** Real motion capture or, where that is not there, what the built-in biped can do. */
export async function captures(): Promise<Captures> {
  if (existsSync(FOLDER)) {
    const skeleton = commonSkeleton();
    return { skeleton, clips: loadMocap(FOLDER, skeleton), root: "hips", bones: BONES };
  }
  console.log("The motion capture is not here; searching the clips of the built-in biped.");
  const { skeleton, clips } = await loadBiped("examples/assets/biped.glb");
  return { skeleton, clips: [...clips.values()], root: "root", bones: BIPED_BONES };
}

/**
 * Captures, tiled to `frames` frames: every tile has a scale of 0.75 to 1.25 for all lengths and speeds, every number ±1 % noise.
 */
export function tiled({ skeleton, clips, root, bones }: Captures, frames: number, size: 26 | 62): Tiled {
  const base = new MotionDatabase(skeleton);
  base.setRootBoneByName(root);
  for (const bone of bones[size]) base.addFeatureBoneByName(bone);
  for (const clip of clips) base.addClip(clip);
  base.bake();
  return { base, tiled: tile(base, clips, skeleton, frames), skeleton };
}

/** Writes the bytes of a larger database and loads them. */
function tile(base: MotionDatabase, clips: readonly AnimClip[], skeleton: AnimSkeleton, frames: number): MotionDatabase {
  const next = random(SEED);
  const bytes = base.serialize();
  const view = new DataView(bytes.buffer);
  const headerBytes = view.getUint32(8, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(16, 16 + headerBytes))) as { ranges: { clipIndex: number; frameCount: number; end: number; start: number }[]; clips: object[]; order: number[] };
  const { features, size } = base.baked("bench");
  const directions = new Set(features.filter(({ kind }) => kind === "trajectoryDirection").flatMap(({ offset }) => [offset, offset + 1]));
  const ranges: typeof header.ranges = [];
  const allClips: AnimClip[] = [];
  const rows: Float32Array[] = [];
  const raw = new Float32Array(size);
  let count = 0;
  while (count < frames) {
    const scale = 0.75 + 0.5 * next();
    let frame = 0;
    for (const range of header.ranges) {
      const take = Math.min(range.frameCount, frames - count);
      if (take > 0) {
        const table = new Float32Array(take * size);
        for (let i = 0; i < take; i++) {
          base.getRawFeature(frame + i, raw);
          for (let c = 0; c < size; c++) table[i * size + c] = raw[c]! * (directions.has(c) ? 1 : scale) * (1 + 0.02 * (next() - 0.5));
        }
        ranges.push({ ...range, clipIndex: allClips.length, frameCount: take, end: range.start + (take - 1) / 30 });
        allClips.push(clips[range.clipIndex]!);
        rows.push(table);
        count += take;
      }
      frame += range.frameCount;
    }
  }
  const mean = new Float64Array(size), deviation = new Float64Array(size);
  for (const table of rows) for (let i = 0; i < table.length; i++) mean[i % size]! += table[i]! / frames;
  for (const table of rows) for (let i = 0; i < table.length; i++) deviation[i % size]! += (table[i]! - mean[i % size]!) ** 2 / frames;
  for (let c = 0; c < size; c++) deviation[c] = Math.sqrt(deviation[c]!);
  const json = JSON.stringify({ ...header, ranges, clips: allClips.map((clip) => ({ name: clip.getName(), duration: clip.getDuration(), loop: clip.getLoop(), rate: clip.getSampleRate() })) });
  const padded = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 8) * 8));
  const out = new Uint8Array(16 + padded.length + size * 24 + frames * size * 4);
  const write = new DataView(out.buffer);
  out.set(bytes.subarray(0, 8));
  write.setUint32(8, padded.length, true);
  write.setUint32(12, size, true);
  out.set(padded, 16);
  let at = 16 + padded.length;
  for (const list of [mean, deviation, deviation.map((v) => 1 / v)]) for (const v of list) { write.setFloat64(at, v, true); at += 8; }
  for (const table of rows) {
    for (let i = 0; i < table.length; i++, at += 4) write.setFloat32(at, (table[i]! - mean[i % size]!) / deviation[i % size]!, true);
  }
  return MotionDatabase.deserialize(out, skeleton, allClips);
}

/** One search of a walk along real trajectories. */
export interface WalkStep {
  vector: Float32Array;
  continuing: number;
}

/**
 * Queries as a matcher makes them ten times a second: the wish is the trajectory of a capture, the pose is that of the frame
 * that plays, and what plays goes on from the frame that `search` found.
 */
export function walkQueries(base: MotionDatabase, tiled: MotionDatabase, steps: number, search: (vector: Float32Array, continuing: number) => number): WalkStep[] {
  const next = random(SEED + 1);
  const { features, size } = tiled.baked("bench");
  const trajectory = features.filter(({ kind }) => isTrajectory(kind)).flatMap(({ offset, size: length }) => Array.from({ length }, (_, k) => offset + k));
  const raw = new Float32Array(size);
  const walk: WalkStep[] = [];
  let playing = Math.floor(next() * tiled.getFrameCount());
  let wish = 0, scale = 1;
  for (let step = 0; step < steps; step++) {
    if (step % 40 === 0) {
      // A new stretch of a capture is wanted, at another pace.
      wish = Math.floor(next() * (base.getFrameCount() - 200));
      scale = 0.8 + 0.4 * next();
    }
    const vector = new Float32Array(size);
    tiled.getFeature(playing, vector);
    base.getRawFeature(wish, raw);
    for (const c of trajectory) {
      const direction = features.some(({ kind, offset, size: length }) => kind === "trajectoryDirection" && c >= offset && c < offset + length);
      vector[c] = (raw[c]! * (direction ? 1 : scale) - tiled.getFeatureMean(c)) * tiled.getFeatureInverseStd(c);
    }
    walk.push({ vector, continuing: playing });
    const best = search(vector, playing);
    const range = tiled.rangeOf("bench", best);
    playing = Math.min(best + 3, range.firstFrame + range.frameCount - 7);
    if (playing < best) playing = best;
    wish = Math.min(wish + 3, base.getFrameCount() - 1);
  }
  return walk;
}
