import { AnimClip } from "../../../src/anim/rig/clip.js";
import { AnimSkeleton } from "../../../src/anim/rig/skeleton.js";
import { MotionDatabase } from "../../../src/anim/matching/database.js";
import { golden } from "../../golden.js";

export interface MatchingGolden {
  tolerance: { feature: number; cost: number };
  skeleton: { name: string; parent: number; t: [number, number, number] }[];
  sampleRate: number;
  rootBone: number;
  featureBones: number[];
  layout: { name: string; group: string; offset: number; size: number }[];
  featureSize: number;
  clips: {
    name: string; duration: number; loop: boolean; tag: string; keyTimes: number[];
    root: { t: [number, number, number][]; q: [number, number, number, number][] };
    hips: { t: [number, number, number][] }; footL: { t: [number, number, number][] }; footR: { t: [number, number, number][] };
  }[];
  frames: { clip: number; time: number }[];
  features: number[][];
  mean: number[];
  std: number[];
  invStd: number[];
  perFeatureStd: { name: string; std: number }[];
  queries: {
    name: string; query: number[]; weights: Record<string, number>;
    options: { current?: number; ignoreRadius?: number; transitionCost?: number; tags?: string[] };
    result: { bestFrame: number; bestClip: number; bestTime: number; cost: number; rawCostOfBest: number; continuing: boolean };
  }[];
  trajectoryPrediction: { v: number; a: number; desired: number; halfLife: number; samples: { t: number; displacement: number; velocity: number }[] }[];
  yawPrediction: { yaw: number; yawRate: number; desired: number; halfLife: number; samples: { t: number; yaw: number }[] }[];
}

export function matchingGolden(): MatchingGolden {
  return golden<MatchingGolden>("motion-matching-golden.json");
}

/** The golden file's skeleton and clips. */
export function goldenRig(data: MatchingGolden): { skeleton: AnimSkeleton; clips: AnimClip[] } {
  const skeleton = new AnimSkeleton();
  for (const { name, parent, t } of data.skeleton) skeleton.setBindPosition(skeleton.addBone(name, parent), ...t);
  const clips = data.clips.map((source) => {
    const clip = new AnimClip(source.name);
    clip.setLoop(source.loop);
    clip.setSampleRate(data.sampleRate);
    clip.setTrackKeys(0, "position", source.keyTimes, source.root.t.flat());
    clip.setTrackKeys(0, "rotation", source.keyTimes, source.root.q.flat());
    clip.setTrackKeys(1, "position", source.keyTimes, source.hips.t.flat());
    clip.setTrackKeys(2, "position", source.keyTimes, source.footL.t.flat());
    clip.setTrackKeys(3, "position", source.keyTimes, source.footR.t.flat());
    clip.setDuration(source.duration);
    return clip;
  });
  return { skeleton, clips };
}

/** The golden file's database, baked. */
export function goldenDatabase(data: MatchingGolden, prepare?: (database: MotionDatabase) => void): MotionDatabase {
  const { skeleton, clips } = goldenRig(data);
  const database = new MotionDatabase(skeleton);
  database.setRootBone(data.rootBone);
  for (const bone of data.featureBones) database.addFeatureBone(bone);
  clips.forEach((clip, i) => database.setClipTags(database.addClip(clip), [data.clips[i]!.tag]));
  prepare?.(database);
  database.bake();
  return database;
}
