import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AnimBatch, AnimCapacityError, AnimClip, type AnimChannel, AnimPlayer, AnimPose, AnimStateError } from "../../../src/anim/index.js";
import { importBvh } from "../../../src/import/bvh/index.js";
import { sharedData } from "../../shared-data.js";
import { angleBetween, randomQuaternion, seeded } from "./golden.js";
import { row, skeletonOf } from "./random-rig.js";

const CHANNELS: readonly AnimChannel[] = ["position", "rotation", "scale"];

/** Tracks of every kind at times of their own: straight, stepped, cubic, constant, single keys, jumps, none. */
function mixedClip(bones: number, keys: number, random: () => number, cubic = true): AnimClip {
  const clip = new AnimClip();
  for (let bone = 0; bone < bones; bone++) {
    CHANNELS.forEach((channel, c) => {
      const kind = (bone * 3 + c * 2) % 8, count = kind === 6 ? 1 : keys, still = randomQuaternion(random);
      if (kind === 7) return;
      let time = kind === 3 ? 0 : random() * 0.2;
      for (let k = 0; k < count; k++) {
        if (channel === "rotation") clip.addRotationKey(bone, time, ...(kind === 5 ? still : randomQuaternion(random)));
        else if (channel === "position") clip.addPositionKey(bone, time, kind === 5 ? 3 : random() * 4 - 2, random(), -5 * random());
        else clip.addScaleKey(bone, time, 1 + 0.2 * random(), 1, kind === 5 ? 1 : 1 + random());
        // Two keys at one time: a jump.
        if (kind !== 3 || k % 3 !== 1) time += 0.05 + 0.2 * random();
      }
      if (kind === 1) clip.setTrackInterpolation(bone, channel, "step");
      if (kind === 2 && cubic) clip.setTrackInterpolation(bone, channel, "cubicSpline");
    });
  }
  return clip;
}

/** Largest distances and angle between two rows of poses. */
function distance(a: number[], b: number[]): { position: number; degrees: number; scale: number } {
  const worst = { position: 0, degrees: 0, scale: 0 };
  for (let at = 0; at < a.length; at += 10) {
    worst.position = Math.max(worst.position, Math.hypot(...[0, 1, 2].map((k) => a[at + k]! - b[at + k]!)));
    worst.degrees = Math.max(worst.degrees, (angleBetween(a.slice(at + 3, at + 7), b.slice(at + 3, at + 7)) * 180) / Math.PI);
    worst.scale = Math.max(worst.scale, Math.hypot(...[7, 8, 9].map((k) => a[at + k]! - b[at + k]!)));
  }
  return worst;
}

/** All key times of a clip, and those just before and behind. */
function keyTimes(clip: AnimClip): number[] {
  const times = new Set<number>();
  for (let bone = 0; bone < clip.getTrackCount(); bone++) {
    for (let k = 0; k < clip.getPositionKeyCount(bone); k++) times.add(clip.getPositionKeyTime(bone, k));
    for (let k = 0; k < clip.getRotationKeyCount(bone); k++) times.add(clip.getRotationKeyTime(bone, k));
  }
  return [...times].flatMap((time) => [time, Math.max(0, time - 1e-4), time + 1e-4]).filter((time) => time < clip.getDuration());
}

describe("AnimClip.compile(\"keyframed\")", () => {
  it("stays within the tolerances at every time, for tracks of every kind and number of bones, in short and in long codes", () => {
    const random = seeded(91);
    for (const tight of [false, true]) {
      const limits = tight ? { positionError: 2e-6, rotationErrorDegrees: 1e-3, scaleError: 2e-6 } : { positionError: 1e-3, rotationErrorDegrees: 0.1, scaleError: 1e-3 };
      for (const bones of [1, 3, 4, 5, 8, 9, 23]) {
        for (const keys of [1, 2, 3, 40]) {
          const clip = mixedClip(bones, keys, random, !tight), skeleton = skeletonOf(bones + 3, random), a = new AnimPose(), b = new AnimPose();
          clip.setLoop(false);
          const times = [0, clip.getDuration(), clip.getDuration() + 1, ...Array.from({ length: 20 }, () => random() * clip.getDuration()), ...keyTimes(clip).slice(0, 90)];
          const want = times.map((time) => {
            clip.sample(time, a, skeleton);
            return row(a);
          });
          const report = clip.compile("keyframed", limits);
          expect([report.form, clip.getForm()]).toEqual(["keyframed", "keyframed"]);
          times.forEach((time, i) => {
            clip.sample(time, b, skeleton);
            const got = row(b), off = distance(got, want[i]!);
            // Cubic segments are measured at points of their own, so the worst may lie a little higher.
            expect(off.position).toBeLessThan(limits.positionError * 1.3);
            expect(off.degrees).toBeLessThan(limits.rotationErrorDegrees * 1.3 + 2e-5);
            expect(off.scale).toBeLessThan(limits.scaleError * 1.3);
            for (let at = 3; at < got.length; at += 10) expect(Math.abs(Math.hypot(...got.slice(at, at + 4)) - 1)).toBeLessThan(1e-6);
            clip.sampleLod(time, b, skeleton, 1);
            const culled = row(b), bind = new AnimPose();
            skeleton.applyBindPose(bind);
            for (let bone = 0; bone < bones + 3; bone++) {
              const from = bone % 3 === 0 ? got : row(bind);
              expect(culled.slice(bone * 10, bone * 10 + 10)).toEqual(from.slice(bone * 10, bone * 10 + 10));
            }
          });
          expect(report.maxPositionError).toBeLessThanOrEqual(limits.positionError);
          expect(report.maxRotationErrorDegrees).toBeLessThanOrEqual(limits.rotationErrorDegrees);
        }
      }
    }
  });

  it("gives the same bits forward, backward, at random, without skeleton, in players, and in batches with any neighbours", () => {
    const random = seeded(5), clip = mixedClip(13, 70, random), other = mixedClip(9, 20, random), skeleton = skeletonOf(13, random), pose = new AnimPose(), bare = new AnimPose();
    clip.compile("keyframed", { positionError: 1e-3, rotationErrorDegrees: 0.1, scaleError: 1e-3 });
    other.compile("keyframed", { positionError: 1e-3, rotationErrorDegrees: 0.1, scaleError: 1e-3 });
    const times = Array.from({ length: 200 }, (_, i) => (i / 200) * clip.getDuration()), at = new Map<number, number[]>();
    for (const time of times) {
      clip.sample(time, pose, skeleton);
      at.set(time, row(pose));
    }
    for (const time of [...times].toReversed().concat(times.toSorted((a, b) => ((a * 7919) % 1) - ((b * 7919) % 1)))) {
      other.sample(time, pose, skeleton);
      clip.sample(time, pose, skeleton);
      expect(row(pose)).toEqual(at.get(time));
    }
    clip.sample(times[50]!, bare);
    expect(bare.getBoneCount()).toBe(13);
    const batch = new AnimBatch(), poses = times.map(() => new AnimPose());
    times.forEach((time, i) => batch.add(clip, skeleton, poses[i]!, time));
    batch.add(other, skeleton, new AnimPose(), 1);
    batch.evaluate(1);
    poses.forEach((p, i) => expect(row(p)).toEqual(at.get(times[i]!)));
    const player = new AnimPlayer(skeleton);
    player.play(clip);
    player.setTime(times[77]!);
    player.update(0);
    expect(row(player.getPose())).toEqual(at.get(times[77]!));
  });

  it("is small where keys are sparse, and drops what an edit makes wrong", () => {
    const random = seeded(17), clip = new AnimClip(), pose = new AnimPose();
    // Five minutes of a few slow bones, sampled densely.
    for (let bone = 0; bone < 8; bone++) {
      for (let k = 0; k <= 3000; k++) {
        const t = k / 10, half = 0.3 * Math.abs(((t / (20 + bone)) % 2) - 1);
        clip.addRotationKey(bone, t, Math.sin(half), 0, 0, Math.cos(half));
      }
    }
    const raw = clip.compile("raw").bytes, { bytes, maxRotationErrorDegrees } = clip.compile("keyframed", { rotationErrorDegrees: 0.1 });
    expect(bytes).toBeLessThan(raw / 50);
    expect(maxRotationErrorDegrees).toBeLessThanOrEqual(0.1);
    clip.sample(200 + random(), pose);
    clip.addPositionKey(0, 0, 1, 2, 3);
    expect(clip.getForm()).not.toBe("keyframed");
    clip.sample(5, pose);
    expect(pose.getLocalPositionZ(0)).toBe(3);
  });

  it("refuses what it cannot keep: tolerances without fallback, and too many key times", () => {
    const clip = mixedClip(6, 30, seeded(3));
    const { bytes } = clip.compile("keyframed", { positionError: 0.01, rotationErrorDegrees: 0.5, scaleError: 0.01 });
    expect(() => clip.compile("keyframed", { positionError: 1e-6, rotationErrorDegrees: 1e-3, scaleError: 1e-6, allowFallback: false })).toThrow(AnimStateError);
    expect([clip.getForm(), clip.data().bytes]).toEqual(["keyframed", bytes]);
    const long = new AnimClip(), times = Float32Array.from({ length: 70000 }, (_, k) => k / 32);
    long.setTrackKeys(0, "position", times, Array.from({ length: 210000 }, (_, i) => (i * 7919) % 13));
    expect(() => long.compile("keyframed")).toThrow(AnimCapacityError);
    const endless = new AnimClip();
    endless.addPositionKey(0, 0, 0, 0, 0);
    endless.addPositionKey(0, 1e6, 1, 0, 0);
    expect(() => endless.compile("uniform", { rate: 30 })).toThrow(AnimCapacityError);
    endless.setLoop(false);
    expect(endless.compile("keyframed").bytes).toBeLessThan(1000);
  });

  const file = sharedData("bvh/cmu/12_01_walk.bvh", "keyframed compression of captured motion") ?? "";
  it.skipIf(file === "")("holds a tolerance in model space on a capture, in less memory than float32 keys", () => {
    const { skeleton, clip } = importBvh(readFileSync(file, "utf8")), a = new AnimPose(), b = new AnimPose();
    const raw = clip.compile("raw").bytes, threshold = 0.001 * 30, want: AnimPose[] = [];
    for (let t = 0; t < clip.getDuration(); t += 0.0371) {
      clip.sample(t, a, skeleton);
      const copy = new AnimPose();
      copy.copyFrom(a);
      copy.computeWorld(skeleton);
      want.push(copy);
    }
    const report = clip.compile("keyframed", { skeleton, threshold });
    expect(report.maxModelError).toBeLessThanOrEqual(threshold);
    expect(report.bytes).toBeLessThan(raw / 3);
    let worst = 0;
    want.forEach((pose, i) => {
      clip.sample(i * 0.0371, b, skeleton);
      b.computeWorld(skeleton);
      for (let bone = 0; bone < skeleton.getBoneCount(); bone++) {
        worst = Math.max(worst, Math.hypot(
          pose.getWorldPositionX(bone) - b.getWorldPositionX(bone), pose.getWorldPositionY(bone) - b.getWorldPositionY(bone), pose.getWorldPositionZ(bone) - b.getWorldPositionZ(bone)));
      }
    });
    expect(worst).toBeLessThan(threshold * 1.1);
  });
});
