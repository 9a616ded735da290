import { describe, expect, it } from "vitest";
import {
  AnimArgumentError, type AnimChannel, AnimClip, AnimIndexError, AnimPose, AnimSkeleton, AnimStateError,
} from "../../../src/anim/index.js";
import { angleBetween, golden, randomQuaternion, seeded } from "./golden.js";

const quat = golden("quat-blend-golden.json");

function skeletonOf(count: number, random?: () => number): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  for (let i = 0; i < count; i++) {
    skeleton.addBone(`b${i}`, i - 1);
    if (random === undefined) continue;
    skeleton.setBindPosition(i, random(), random(), random());
    skeleton.setBindRotation(i, ...randomQuaternion(random));
    skeleton.setBindScale(i, 1 + random(), 1 + random(), 1 + random());
  }
  return skeleton;
}

function rotationOf(pose: AnimPose, bone: number): number[] {
  return [pose.getLocalRotationX(bone), pose.getLocalRotationY(bone), pose.getLocalRotationZ(bone), pose.getLocalRotationW(bone)];
}

function slerp(a: number[], b: number[], t: number): number[] {
  let dot = a.reduce((sum, v, i) => sum + v * b[i]!, 0);
  const sign = dot < 0 ? -1 : 1;
  dot = Math.min(1, Math.abs(dot));
  const angle = Math.acos(dot);
  if (angle < 1e-6) return a.map((v, i) => v + (sign * b[i]! - v) * t);
  return a.map((v, i) => (Math.sin((1 - t) * angle) * v + Math.sin(t * angle) * sign * b[i]!) / Math.sin(angle));
}

/** Slow and obvious: the value of one channel at a wrapped time. */
function reference(clip: AnimClip, bone: number, channel: AnimChannel, time: number): number[] | undefined {
  const name = channel[0]!.toUpperCase() + channel.slice(1);
  const count = (clip as any)[`get${name}KeyCount`](bone) as number;
  if (count === 0) return undefined;
  const axes = channel === "rotation" ? "XYZW" : "XYZ";
  const value = (key: number): number[] => [...axes].map((axis) => (clip as any)[`get${name}Key${axis}`](bone, key) as number);
  const at = (key: number): number => (clip as any)[`get${name}KeyTime`](bone, key) as number;
  let key = -1;
  while (key + 1 < count && at(key + 1) <= Math.fround(time)) key++;
  if (key < 0) return value(0);
  if (key === count - 1 || clip.getTrackInterpolation(bone, channel) === "step") return value(key);
  const t = Math.min(1, Math.max(0, (time - at(key)) / (at(key + 1) - at(key))));
  if (channel === "rotation") return slerp(value(key), value(key + 1), t);
  const next = value(key + 1);
  return value(key).map((v, i) => v + (next[i]! - v) * t);
}

function randomClip(bones: number, random: () => number): AnimClip {
  const clip = new AnimClip("random");
  for (let bone = 0; bone < bones; bone++) {
    for (const channel of ["position", "rotation", "scale"] as const) {
      if (random() < 0.3) continue;
      const keys = 1 + Math.floor(random() * 12);
      for (let k = 0; k < keys; k++) {
        const time = random() * 3;
        if (channel === "rotation") clip.addRotationKey(bone, time, ...randomQuaternion(random));
        else if (channel === "position") clip.addPositionKey(bone, time, random() * 9, random(), random());
        else clip.addScaleKey(bone, time, random(), random() + 1, random());
      }
      if (random() < 0.2) clip.setTrackInterpolation(bone, channel, "step");
    }
  }
  clip.setDuration(3);
  return clip;
}

describe("AnimClip.sample", () => {
  it("agrees with a slow reference for random tracks of every small bone count", () => {
    const random = seeded(42);
    for (const bones of [1, 3, 4, 5, 8, 9, 31]) {
      const skeleton = skeletonOf(bones, random), clip = randomClip(bones, random), pose = new AnimPose(), bind = new AnimPose();
      skeleton.applyBindPose(bind);
      for (let n = 0; n < 60; n++) {
        const time = random() * 3;
        clip.sample(time, pose, skeleton);
        expect(pose.getBoneCount()).toBe(bones);
        for (let bone = 0; bone < bones; bone++) {
          const p = reference(clip, bone, "position", time) ?? [bind.getLocalPositionX(bone), bind.getLocalPositionY(bone), bind.getLocalPositionZ(bone)];
          const s = reference(clip, bone, "scale", time) ?? [bind.getLocalScaleX(bone), bind.getLocalScaleY(bone), bind.getLocalScaleZ(bone)];
          const q = reference(clip, bone, "rotation", time) ?? rotationOf(bind, bone);
          expect(Math.abs(pose.getLocalPositionX(bone) - p[0]!)).toBeLessThan(2e-6 * 9);
          expect(Math.abs(pose.getLocalPositionZ(bone) - p[2]!)).toBeLessThan(2e-6);
          expect(Math.abs(pose.getLocalScaleY(bone) - s[1]!)).toBeLessThan(2e-6 * 2);
          expect(angleBetween(rotationOf(pose, bone), q)).toBeLessThan(2e-4);
        }
      }
    }
  });

  it("takes bind values without keys bit for bit, and the identity without a skeleton", () => {
    const random = seeded(4);
    const skeleton = skeletonOf(6, random), clip = new AnimClip(), pose = new AnimPose();
    clip.addPositionKey(5, 0, 7, 8, 9);
    clip.sample(0.3, pose, skeleton);
    expect(pose.getLocalPositionY(5)).toBe(8);
    expect(pose.getLocalRotationX(5)).toBe(skeleton.getBindRotationX(5));
    expect(pose.getLocalScaleX(4)).toBe(skeleton.getBindScaleX(4));
    expect(pose.getLocalPositionX(4)).toBe(skeleton.getBindPositionX(4));
    clip.addPositionKey(8, 0, 1, 1, 1);
    clip.sample(0, pose);
    expect(pose.getBoneCount()).toBe(9);
    expect(pose.getLocalRotationW(8)).toBe(1);
    expect(pose.getLocalScaleX(8)).toBe(1);
    clip.sample(0, pose, skeletonOf(2));
    expect(pose.getBoneCount()).toBe(2);
  });

  it("holds the first key before it and the last after it, and shows keys bit for bit at their times", () => {
    const random = seeded(9);
    const clip = new AnimClip(), pose = new AnimPose(), a = randomQuaternion(random), b = randomQuaternion(random);
    clip.addRotationKey(0, 0.1, ...a);
    clip.addRotationKey(0, 0.7, ...b);
    clip.setDuration(1);
    for (const [time, q] of [[0, a], [0.1, a], [0.7, b], [0.95, b]] as const) {
      clip.sample(time, pose);
      expect(rotationOf(pose, 0)).toEqual(q.map(Math.fround));
    }
  });

  it("shows a step key at the decimal time it was given", () => {
    const clip = new AnimClip(), pose = new AnimPose();
    for (let i = 0; i < 10; i++) clip.addPositionKey(0, i * 0.1, i, 0, 0);
    clip.setTrackInterpolation(0, "position", "step");
    clip.setDuration(1);
    for (let i = 0; i < 10; i++) {
      clip.sample(i * 0.1, pose);
      expect(pose.getLocalPositionX(0)).toBe(i);
      clip.sample(i * 0.1 + 0.0999, pose);
      expect(pose.getLocalPositionX(0)).toBe(i);
    }
  });

  it("lets the later of two keys at one time win, as an instant jump", () => {
    const clip = new AnimClip(), pose = new AnimPose();
    clip.addPositionKey(0, 0, 0, 0, 0);
    expect(clip.addPositionKey(0, 0.5, 1, 0, 0)).toBe(1);
    expect(clip.addPositionKey(0, 0.5, 10, 0, 0)).toBe(2);
    clip.addPositionKey(0, 1, 11, 0, 0);
    clip.sample(0.5, pose);
    expect(pose.getLocalPositionX(0)).toBe(10);
    clip.sample(0.4999, pose);
    expect(pose.getLocalPositionX(0)).toBeCloseTo(0.9998, 5);
  });

  it("does not depend on the samples before: any order of times gives the same bits", () => {
    const random = seeded(77);
    const clip = new AnimClip();
    for (let bone = 0; bone < 7; bone++) for (let k = 0; k < 400; k++) clip.addRotationKey(bone, k * 0.01 + (bone % 3) * 0.001, ...randomQuaternion(random));
    const times = Array.from({ length: 200 }, () => random() * 4);
    const sampleAll = (order: number[]): Map<number, number[]> => new Map(order.map((time) => {
      const pose = new AnimPose(), out = Array.from({ length: 70 }, () => 0);
      clip.sample(time, pose);
      pose.writeLocalTo(out);
      return [time, out];
    }));
    const forward = sampleAll(times.toSorted((a, b) => a - b)), shuffled = sampleAll(times), backward = sampleAll(times.toSorted((a, b) => b - a));
    for (const time of times) {
      expect(shuffled.get(time)).toEqual(forward.get(time));
      expect(backward.get(time)).toEqual(forward.get(time));
    }
  });

  it("gives the golden values of cubic splines", () => {
    for (const c of quat.cubicSpline.vec3) {
      const clip = new AnimClip(), pose = new AnimPose();
      clip.setTrackInterpolation(0, "position", "cubicSpline");
      for (const k of [c.k0, c.k1]) clip.setKeyTangents(0, "position", clip.addPositionKey(0, k.time, k.value[0], k.value[1], k.value[2]), k.in, k.out);
      clip.setLoop(false);
      clip.sample(c.time, pose);
      const got = [pose.getLocalPositionX(0), pose.getLocalPositionY(0), pose.getLocalPositionZ(0)];
      got.forEach((v, i) => expect(Math.abs(v - c.result[i])).toBeLessThan(3e-6));
    }
    for (const c of quat.cubicSpline.quat) {
      const clip = new AnimClip(), pose = new AnimPose();
      clip.setTrackInterpolation(0, "rotation", "cubicSpline");
      for (const k of [c.k0, c.k1]) clip.setKeyTangents(0, "rotation", clip.addRotationKey(0, k.time, k.value[0], k.value[1], k.value[2], k.value[3]), k.in, k.out);
      clip.setLoop(false);
      clip.sample(c.time, pose);
      const sign = c.result[3] * pose.getLocalRotationW(0) < 0 ? -1 : 1;
      rotationOf(pose, 0).forEach((v, i) => expect(Math.abs(v * sign - c.result[i])).toBeLessThan(3e-6));
    }
  });

  it("gives bind to bones beyond their level of detail and leaves the others alone", () => {
    const random = seeded(13);
    const skeleton = skeletonOf(11, random), clip = randomClip(11, random), full = new AnimPose(), pose = new AnimPose();
    const limits = [255, 3, 0, 1, 0, 0, 0, 0, 2, 1, 255];
    limits.forEach((limit, bone) => skeleton.setBoneLodLimit(bone, limit));
    for (const lod of [0, 1, 2, 3, 4, 200, 255, 256]) {
      clip.sample(1.1, full, skeleton);
      clip.sampleLod(1.1, pose, skeleton, lod);
      limits.forEach((limit, bone) => {
        const live = lod <= limit;
        expect(pose.getLocalPositionX(bone)).toBe(live ? full.getLocalPositionX(bone) : skeleton.getBindPositionX(bone));
        expect(pose.getLocalRotationZ(bone)).toBe(live ? full.getLocalRotationZ(bone) : skeleton.getBindRotationZ(bone));
        expect(pose.getLocalScaleY(bone)).toBe(live ? full.getLocalScaleY(bone) : skeleton.getBindScaleY(bone));
      });
    }
    skeleton.setBoneLodLimit(1, 0);
    clip.sampleLod(1.1, pose, skeleton, 1);
    expect(pose.getLocalRotationX(1)).toBe(skeleton.getBindRotationX(1));
    expect(skeleton.validateLod()).toContain(8);
    expect(() => clip.sampleLod(1, pose, skeleton, -1)).toThrow(AnimArgumentError);
    expect(() => clip.sampleLod(1, pose, skeleton, 0.5)).toThrow(AnimArgumentError);
    expect(() => skeleton.setBoneLodLimit(0, 256)).toThrow(AnimArgumentError);
  });

  it("sees edits at once and rejects times that are not finite", () => {
    const clip = new AnimClip(), pose = new AnimPose();
    clip.addPositionKey(0, 0, 1, 0, 0);
    clip.sample(0, pose);
    clip.setPositionKey(0, 0, 0, 2, 0, 0);
    clip.sample(0, pose);
    expect(pose.getLocalPositionX(0)).toBe(2);
    expect(() => clip.sample(NaN, pose)).toThrow(AnimArgumentError);
    expect(() => clip.sample(0, null as never)).toThrow(AnimArgumentError);
    clip.dispose();
    clip.dispose();
    expect(() => clip.sample(0, pose)).toThrow(AnimStateError);
  });
});

describe("AnimClip", () => {
  it("wraps the golden times", () => {
    for (const c of quat.wrapTime.cases) {
      const clip = new AnimClip();
      clip.setDuration(c.duration);
      clip.setLoop(c.loop);
      expect(Math.abs(clip.wrapTime(c.time) - c.wrapped)).toBeLessThan(1e-9);
    }
    const clip = new AnimClip();
    clip.setDuration(0.1);
    for (let i = -50; i < 50; i++) {
      const wrapped = clip.wrapTime(i * 0.1);
      expect(wrapped >= 0 && wrapped < 0.1).toBe(true);
    }
  });

  it("keeps keys sorted and returns where a key went", () => {
    const clip = new AnimClip();
    expect(clip.addScaleKey(2, 0.5, 1, 1, 1)).toBe(0);
    expect(clip.addScaleKey(2, 0.25, 2, 2, 2)).toBe(0);
    expect(clip.addScaleKey(2, 1, 3, 3, 3)).toBe(2);
    expect(clip.setScaleKey(2, 0, 0.75, 4, 4, 4)).toBe(1);
    expect([0, 1, 2].map((k) => clip.getScaleKeyX(2, k))).toEqual([1, 4, 3]);
    expect([0, 1, 2].map((k) => clip.getScaleKeyTime(2, k))).toEqual([0.5, 0.75, 1]);
    expect(clip.getTrackCount()).toBe(3);
    expect(clip.getDuration()).toBe(1);
    clip.removeScaleKey(2, 1);
    expect(clip.getScaleKeyCount(2)).toBe(2);
    expect(clip.getScaleKeyCount(900)).toBe(0);
    clip.clearTrack(2);
    clip.clearTrack(50);
    expect(clip.getScaleKeyCount(2)).toBe(0);
    expect(clip.getTrackCount()).toBe(3);
  });

  it("normalises rotations but keeps their sign, and rejects bad keys without changing anything", () => {
    const clip = new AnimClip();
    clip.addRotationKey(0, 0, 0, 0, 0, -2);
    expect(clip.getRotationKeyW(0, 0)).toBe(-1);
    const version = clip.version;
    expect(() => clip.addRotationKey(0, 0, 0, 0, 0, 0)).toThrow(AnimArgumentError);
    expect(() => clip.addRotationKey(0, NaN, 0, 0, 0, 1)).toThrow(AnimArgumentError);
    expect(() => clip.addPositionKey(0, -1, 0, 0, 0)).toThrow(AnimArgumentError);
    expect(() => clip.addPositionKey(0, 0, 0, Infinity, 0)).toThrow(AnimArgumentError);
    expect(() => clip.addPositionKey(-1, 0, 0, 0, 0)).toThrow(AnimIndexError);
    expect(() => clip.addPositionKey(1024, 0, 0, 0, 0)).toThrow(AnimIndexError);
    expect(() => clip.setRotationKey(0, 1, 0, 0, 0, 0, 1)).toThrow(AnimIndexError);
    expect(() => clip.getRotationKeyX(0, 5)).toThrow(AnimIndexError);
    expect(() => clip.clearTrack(-1)).toThrow(AnimIndexError);
    expect(() => clip.setDuration(-1)).toThrow(AnimArgumentError);
    expect(() => clip.setSampleRate(0)).toThrow(AnimArgumentError);
    expect(() => clip.setTrackInterpolation(0, "rotation", "cubic" as never)).toThrow(AnimArgumentError);
    expect(() => clip.setKeyTangents(0, "rotation", 0, [0, 0, 0, 0], [0, 0, 0, 0])).toThrow(/cubicSpline/);
    expect(() => clip.setTrackKeys(0, "position", [0, 1], [1, 2, 3])).toThrow(AnimArgumentError);
    expect(() => clip.setTrackKeys(0, "position", [1, 0], [1, 2, 3, 4, 5, 6])).toThrow(/Sort/);
    expect(clip.version).toBe(version);
    expect(clip.getTrackCount()).toBe(1);
  });

  it("takes a whole channel at once", () => {
    const clip = new AnimClip(), pose = new AnimPose();
    clip.setTrackKeys(1, "rotation", [0, 1], [0, 0, 0, 2, 0, 3, 0, 0]);
    expect(clip.getRotationKeyY(1, 1)).toBe(1);
    expect(clip.getDuration()).toBe(1);
    clip.sample(0.5, pose);
    expect(pose.getLocalRotationY(1)).toBeCloseTo(Math.SQRT1_2, 4);
    const copy = clip.clone();
    clip.clearTrack(1);
    expect(copy.getRotationKeyCount(1)).toBe(2);
  });

  it("keeps events and markers sorted and stable", () => {
    const clip = new AnimClip();
    expect(clip.addEvent(1, "b", "x")).toBe(0);
    expect(clip.addEvent(0.5, "a")).toBe(0);
    expect(clip.addEvent(1, "c")).toBe(2);
    expect(clip.setEvent(0, 1, "d", "y")).toBe(2);
    expect([0, 1, 2].map((i) => clip.getEventName(i))).toEqual(["b", "c", "d"]);
    expect(clip.getEventPayload(2)).toBe("y");
    clip.removeEvent(1);
    expect(clip.getEventCount()).toBe(2);
    expect(clip.getEventTime(0)).toBe(1);
    expect(() => clip.addEvent(0, "")).toThrow(AnimArgumentError);
    expect(() => clip.addEvent(-1, "a")).toThrow(AnimArgumentError);
    expect(() => clip.getEventName(2)).toThrow(AnimIndexError);
    expect(clip.addSyncMarker(0.2, "left")).toBe(0);
    expect(clip.addSyncMarker(0.1, "right")).toBe(0);
    expect(clip.setSyncMarker(0, 0.3, "right")).toBe(1);
    clip.removeSyncMarker(0);
    expect(clip.getSyncMarkerName(0)).toBe("right");
    expect(clip.getSyncMarkerTime(0)).toBe(0.3);
    expect(clip.getDuration()).toBe(0);
  });

  it("maps the golden sync times", () => {
    for (const c of golden("root-motion-events-golden.json").sync) {
      const make = (markers: { t: number; name: string }[], duration: number): AnimClip => {
        const clip = new AnimClip();
        clip.setDuration(duration);
        for (const m of markers) clip.addSyncMarker(m.t, m.name);
        return clip;
      };
      const a = make(c.A, c.durationA), b = make(c.B, c.durationB);
      expect(a.hasCompatibleSyncMarkers(b), c.name).toBe(c.compatible);
      for (const s of c.cases) {
        const got = a.mapSyncTimeTo(b, s.input), apart = Math.abs(got - s.time);
        expect(Math.min(apart, c.durationB - apart), `${c.name} at ${s.input}: ${got}`).toBeLessThan(1e-6);
      }
    }
  });

  it("maps sync times monotonically and without jumps", () => {
    const a = new AnimClip(), b = new AnimClip();
    a.setDuration(1);
    b.setDuration(0.8);
    for (const [t, name] of [[0.1, "l"], [0.45, "r"]] as const) a.addSyncMarker(t, name);
    for (const [t, name] of [[0.05, "r"], [0.5, "l"]] as const) b.addSyncMarker(t, name);
    let last = a.mapSyncTimeTo(b, 0);
    for (let t = 0.001; t < 1; t += 0.001) {
      const now = a.mapSyncTimeTo(b, t);
      const step = (now - last + 0.8) % 0.8;
      expect(step).toBeLessThan(0.003);
      last = now;
    }
  });
});
