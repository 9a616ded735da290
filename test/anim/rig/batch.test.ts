import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimBatch, AnimClip, AnimMismatchError, AnimPose, AnimSkeleton, AnimStateError } from "../../../src/anim/index.js";
import { randomQuaternion, seeded } from "./golden.js";

const BONES = 13;
const random = seeded(321);

function skeletonOf(): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  for (let i = 0; i < BONES; i++) {
    skeleton.addBone(`b${i}`, i - 1);
    skeleton.setBindPosition(i, random(), random(), random());
    skeleton.setBoneLodLimit(i, i % 4);
  }
  return skeleton;
}

/** With `shared` key times the clip has the row form, else the keyed one. */
function clipOf(shared: boolean): AnimClip {
  const clip = new AnimClip();
  for (let bone = 0; bone < BONES; bone++) {
    for (let k = 0; k < 20; k++) clip.addRotationKey(bone, k * 0.05 + (shared ? 0 : bone * 0.001), ...randomQuaternion(random));
    if (bone % 3 === 0) clip.addPositionKey(bone, 0.1, random(), random(), random());
  }
  return clip;
}

const values = (pose: AnimPose): number[] => {
  const out = Array.from({ length: BONES * 10 }, () => 0);
  pose.writeLocalTo(out);
  return out;
};

describe("AnimBatch", () => {
  it("gives the bits of sampleLod for every job, again after times change", () => {
    const batch = new AnimBatch(), skeleton = skeletonOf(), clips = [clipOf(true), clipOf(false), clipOf(true)];
    const jobs = Array.from({ length: 41 }, (_, i) => ({ clip: clips[i % 3]!, pose: new AnimPose(), time: random() * 3, lod: i % 5 }));
    jobs.forEach((job, i) => expect(batch.add(job.clip, skeleton, job.pose, job.time, job.lod)).toBe(i));
    expect(batch.getCount()).toBe(41);
    expect(batch.getLastWorkerCount()).toBe(0);
    for (let round = 0; round < 3; round++) {
      batch.evaluate(round);
      expect(batch.getLastWorkerCount()).toBeGreaterThan(0);
      for (const job of jobs) {
        const want = new AnimPose();
        job.clip.sampleLod(job.time, want, skeleton, job.lod);
        expect(values(job.pose)).toEqual(values(want));
        expect(job.pose.isWorldValid()).toBe(false);
      }
      jobs.forEach((job, i) => {
        job.time = random() * 5 - 1;
        job.lod = round;
        batch.setTime(i, job.time);
        batch.setLod(i, round);
      });
      clips[1]!.addPositionKey(1, round, round, 0, 0);
    }
  });

  it("gives the same bits for any number of workers, and counts those that took part", async () => {
    const skeleton = skeletonOf(), clips = [clipOf(true), clipOf(false)], batch = new AnimBatch();
    const poses = Array.from({ length: 203 }, () => new AnimPose()), times = poses.map(() => random() * 4);
    poses.forEach((pose, i) => batch.add(clips[i & 1]!, skeleton, pose, times[i]!, i % 3));
    batch.evaluate(1);
    expect(batch.getLastWorkerCount()).toBe(1);
    const alone = poses.map(values);
    const ready = await AnimBatch.setupWorkers(3);
    for (const threads of [2, 3, 8, 0]) {
      for (let round = 0; round < 5; round++) {
        for (const pose of poses) pose.resize(BONES);
        batch.evaluate(threads);
        expect(batch.getLastWorkerCount()).toBe(Math.min(threads === 0 ? 9 : threads, ready + 1));
        poses.forEach((pose, i) => expect(values(pose)).toEqual(alone[i]));
      }
    }
    expect(await AnimBatch.setupWorkers(0)).toBe(0);
    batch.evaluate(4);
    expect(batch.getLastWorkerCount()).toBe(1);
    await expect(AnimBatch.setupWorkers(99)).rejects.toThrow(AnimArgumentError);
  });

  it("computes worlds if told, and leaves poses of disabled jobs alone", () => {
    const batch = new AnimBatch(), skeleton = skeletonOf(), clip = clipOf(true), a = new AnimPose(), b = new AnimPose();
    batch.setComputeWorld(true);
    batch.add(clip, skeleton, a, 0.3);
    batch.setEnabled(batch.add(clip, skeleton, b, 0.3), false);
    batch.evaluate();
    expect(a.isWorldValid()).toBe(true);
    expect(b.getLocalPositionX(0)).toBe(0);
    batch.clear();
    expect(batch.getCount()).toBe(0);
    batch.evaluate();
    expect(batch.getLastWorkerCount()).toBe(0);
    expect(batch.add(clip, skeleton, b, 0.1)).toBe(0);
  });

  it("runs the other jobs and then names the one whose clip, skeleton or pose was disposed", () => {
    for (const part of ["clip", "skeleton", "pose"] as const) {
      const batch = new AnimBatch(), lost = { clip: clipOf(true), skeleton: skeletonOf(), pose: new AnimPose() };
      const clip = clipOf(true), skeleton = skeletonOf(), before = new AnimPose(), after = new AnimPose(), expected = new AnimPose();
      batch.add(clip, skeleton, before, 0.3);
      const job = batch.add(lost.clip, lost.skeleton, lost.pose, 0.3);
      batch.add(clip, skeleton, after, 0.4);
      lost[part].dispose();
      expect(() => batch.evaluate()).toThrow(new RegExp(`${part} of job 1 was disposed`));
      clip.sample(0.3, expected, skeleton);
      expect(values(before)).toEqual(values(expected));
      clip.sample(0.4, expected, skeleton);
      expect(values(after)).toEqual(values(expected));
      // A job that is switched off needs nothing.
      batch.setEnabled(job, false);
      expect(() => batch.evaluate()).not.toThrow();
      batch.dispose();
    }
  });

  it("refuses bad jobs, and reports a disposed pose after running the others", () => {
    const batch = new AnimBatch(), skeleton = skeletonOf(), clip = clipOf(false), a = new AnimPose(), b = new AnimPose(), want = new AnimPose();
    expect(() => batch.add(null as never, skeleton, a, 0)).toThrow(AnimArgumentError);
    expect(() => batch.add(clip, skeleton, a, NaN)).toThrow(AnimArgumentError);
    expect(() => batch.add(clip, skeleton, a, 0, -1)).toThrow(AnimArgumentError);
    expect(() => batch.add(clip, skeleton, a, 0, 0.5)).toThrow(AnimArgumentError);
    batch.add(clip, skeleton, a, 0.2);
    expect(() => batch.add(clip, skeleton, a, 0.4)).toThrow(AnimMismatchError);
    expect(() => batch.evaluate(-1)).toThrow(AnimArgumentError);
    expect(() => batch.evaluate(1.5)).toThrow(AnimArgumentError);
    batch.add(clip, skeleton, b, 0.7);
    a.dispose();
    expect(() => batch.evaluate()).toThrow(AnimStateError);
    clip.sample(0.7, want, skeleton);
    expect(values(b)).toEqual(values(want));
    batch.dispose();
    batch.dispose();
    expect(() => batch.evaluate()).toThrow(AnimStateError);
  });
});
