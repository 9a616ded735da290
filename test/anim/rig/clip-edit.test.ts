import { describe, expect, it } from "vitest";
import {
  AnimArgumentError, AnimCapacityError, AnimClip, AnimIndexError, AnimMismatchError, AnimPose, AnimSkeleton, extractRootMotion, makeAdditiveClip, makeLoopable, resampleClip, reverseClip,
  ROOT_MOTION_CURVES, scaleClipTime, trimClip,
} from "../../../src/anim/index.js";
import { BlendProgram } from "../../../src/anim/rig/blend-program.js";
import { angleBetween, randomQuaternion, seeded } from "./golden.js";

/** Linear, step and cubic tracks, an event, a marker and a curve. */
function clipOf(random: () => number): AnimClip {
  const clip = new AnimClip("all");
  for (let k = 0; k <= 8; k++) {
    clip.addRotationKey(0, k * 0.25, ...randomQuaternion(random));
    clip.addPositionKey(0, k * 0.25, random(), random(), random());
    clip.addScaleKey(1, k * 0.25 * 0.9, random(), 1, 1);
    clip.addCurveKey((clip.addCurve("weight"), "weight"), k * 0.25, random());
  }
  clip.setTrackInterpolation(1, "scale", "step");
  clip.setTrackInterpolation(2, "position", "cubicSpline");
  for (let k = 0; k <= 4; k++) {
    const key = clip.addPositionKey(2, k * 0.5, random(), random(), random());
    clip.setKeyTangents(2, "position", key, [random(), random(), 0], [random(), random(), 0]);
  }
  clip.addEvent(0.6, "step");
  clip.addSyncMarker(1.1, "left");
  clip.setLoop(false);
  return clip;
}

const row = (clip: AnimClip, time: number): number[] => {
  const pose = new AnimPose(), out = Array.from({ length: 30 }, () => 0);
  clip.sample(time, pose);
  pose.writeLocalTo(out);
  return out;
};

function expectSame(a: number[], b: number[], label: string, from = 0): void {
  for (let i = from; i < a.length; i += 10) {
    for (const k of [0, 1, 2, 7, 8, 9]) expect(Math.abs(a[i + k]! - b[i + k]!), `${label} bone ${i / 10}`).toBeLessThan(1e-5);
    expect(angleBetween(a.slice(i + 3, i + 7), b.slice(i + 3, i + 7)), label).toBeLessThan(3e-4);
  }
}

describe("editing of clips", () => {
  it("reverses keys, steps, tangents, events, markers and curves", () => {
    const random = seeded(1), clip = clipOf(random), back = reverseClip(clip);
    for (let i = 0; i < 60; i++) {
      const time = random() * 2;
      expectSame(row(back, 2 - time), row(clip, time), `at ${time}`);
      expect(Math.abs(back.sampleCurve("weight", 2 - time) - clip.sampleCurve("weight", time))).toBeLessThan(1e-6);
    }
    expect(back.getEventTime(0)).toBeCloseTo(1.4, 12);
    expect(back.getSyncMarkerTime(0)).toBeCloseTo(0.9, 12);
    expect(back.getName()).toBe("all");
  });

  it("scales times, tangents with them", () => {
    const random = seeded(2), clip = clipOf(random), slow = scaleClipTime(clip, 2.5);
    expect(slow.getDuration()).toBe(5);
    for (let i = 0; i < 40; i++) {
      const time = random() * 2;
      expectSame(row(slow, time * 2.5), row(clip, time), `at ${time}`);
    }
    expect(() => scaleClipTime(clip, 0)).toThrow(AnimArgumentError);
  });

  it("trims to a range with the same curve inside it", () => {
    const random = seeded(3), clip = clipOf(random), part = trimClip(clip, 0.5, 1.5);
    expect(part.getDuration()).toBe(1);
    for (let i = 0; i < 60; i++) {
      const time = random();
      expectSame(row(part, time).slice(0, 20), row(clip, time + 0.5).slice(0, 20), `at ${time}`);
      expect(Math.abs(part.sampleCurve("weight", time) - clip.sampleCurve("weight", time + 0.5))).toBeLessThan(1e-6);
    }
    expect([part.getEventCount(), part.getSyncMarkerCount()]).toEqual([1, 1]);
    expect(part.getEventTime(0)).toBeCloseTo(0.1, 12);
    expect(() => trimClip(clip, 1, 1)).toThrow(AnimArgumentError);
    expect(() => trimClip(clip, 1, 3)).toThrow(AnimArgumentError);
    expect(() => trimClip(clip, -1, 1)).toThrow(AnimArgumentError);
  });

  it("makes deltas that give the clip back when they are added to the reference", () => {
    const random = seeded(4), clip = clipOf(random), reference = new AnimPose(3), pose = new AnimPose(), out = new AnimPose(3), program = new BlendProgram();
    for (let i = 0; i < 3; i++) {
      reference.setLocalPosition(i, random(), random(), random());
      reference.setLocalRotation(i, ...randomQuaternion(random));
      if (i === 1) reference.setLocalScale(i, 1 + random(), 2, 1);
    }
    const delta = makeAdditiveClip(clip, reference);
    for (const k of [0, 1, 3, 8]) {
      delta.sample(k * 0.25, pose);
      program.reset();
      program.add(out.localPtr, reference.localPtr, pose.localPtr, 1);
      program.run(1);
      const got = Array.from({ length: 30 }, () => 0);
      out.writeLocalTo(got);
      expectSame(got.slice(0, 10), row(clip, k * 0.25).slice(0, 10), `key ${k}`);
    }
    expect(() => makeAdditiveClip(clip, new AnimPose(1))).toThrow(AnimMismatchError);
  });

  it("closes loops by spreading the difference", () => {
    const random = seeded(5), clip = clipOf(random), closed = makeLoopable(clip), one = makeLoopable(clip, 1);
    expectSame(row(closed, 2).slice(0, 20), row(closed, 0).slice(0, 20), "ends");
    expectSame(row(closed, 0), row(clip, 0), "start");
    expect(row(one, 2).slice(0, 10)).toEqual(row(clip, 2).slice(0, 10));
    expect(() => makeLoopable(clip, 9)).toThrow(AnimIndexError);
  });

  it("bakes root motion: what stays in the bone and what is in the curves give the clip back", () => {
    const random = seeded(6), skeleton = new AnimSkeleton(), clip = new AnimClip(), a = new AnimPose(), b = new AnimPose();
    skeleton.addBone("armature");
    skeleton.addBone("hips", 0);
    skeleton.setBindRotation(0, 0.2, 0.3, 0, 0.9);
    for (let k = 0; k <= 10; k++) {
      const angle = k * 0.3;
      clip.addPositionKey(1, k * 0.1, random(), 1 + 0.1 * random(), k * 0.2);
      clip.addRotationKey(1, k * 0.1, 0.1 * random(), Math.sin(angle / 2), 0, Math.cos(angle / 2));
    }
    const baked = extractRootMotion(clip, skeleton, 1, { translation: "xz", rotation: "yaw" });
    clip.setLoop(false);
    baked.setLoop(false);
    for (let k = 0; k <= 10; k++) {
      const time = Math.fround(k * 0.1);
      clip.sample(time, a, skeleton);
      baked.sample(time, b, skeleton);
      a.computeWorld(skeleton);
      b.computeWorld(skeleton);
      const [x, y, z, qx, qy, qz, qw] = ROOT_MOTION_CURVES.map((name) => baked.sampleCurve(name, time)) as [number, number, number, number, number, number, number];
      // X applied to the point that stayed.
      const p = [b.getWorldPositionX(1), b.getWorldPositionY(1), b.getWorldPositionZ(1)] as const;
      const cx = qy * p[2] - qz * p[1] + qw * p[0], cy = qz * p[0] - qx * p[2] + qw * p[1], cz = qx * p[1] - qy * p[0] + qw * p[2];
      expect(Math.abs(p[0] + 2 * (qy * cz - qz * cy) + x - a.getWorldPositionX(1))).toBeLessThan(2e-5);
      expect(Math.abs(p[1] + 2 * (qz * cx - qx * cz) + y - a.getWorldPositionY(1))).toBeLessThan(2e-5);
      expect(Math.abs(p[2] + 2 * (qx * cy - qy * cx) + z - a.getWorldPositionZ(1))).toBeLessThan(2e-5);
      expect(Math.abs(qx) + Math.abs(qz)).toBeLessThan(1e-5);
    }
    expect(baked.getDuration()).toBe(clip.getDuration());
    expect(() => extractRootMotion(clip, skeleton, 7)).toThrow(AnimIndexError);
  });
});

describe("resampleClip", () => {
  it("agrees with the clip at the new key times and between them within what its rate allows, ends and the rest included", () => {
    const clip = clipOf(seeded(31)), fine = resampleClip(clip, 240), coarse = resampleClip(clip, 7);
    expect(fine.getDuration()).toBe(clip.getDuration());
    for (let i = 0; i <= 14; i++) {
      const time = Math.min(clip.getDuration(), i / 7);
      expectSame(row(coarse, time), row(clip, time), `at key ${i}`);
    }
    for (let i = 0; i < 100; i++) {
      const time = (i / 100) * clip.getDuration(), a = row(fine, time), b = row(clip, time);
      for (const k of [20, 21]) expect(Math.abs(a[k]! - b[k]!), `spline at ${time}`).toBeLessThan(1e-3);
    }
    expect([coarse.getSampleRate(), coarse.getTrackInterpolation(2, "position"), coarse.getPositionKeyCount(2)]).toEqual([7, "linear", 15]);
    // Steps keep their keys, and what is not keys stays.
    expect([coarse.getTrackInterpolation(1, "scale"), coarse.getScaleKeyCount(1)]).toEqual(["step", 9]);
    expect([coarse.getEventTime(0), coarse.getSyncMarkerName(0), coarse.sampleCurve("weight", 0.3)]).toEqual([0.6, "left", clip.sampleCurve("weight", 0.3)]);
  });

  it("gives neighbouring rotations one sign, includes an end off the grid, and refuses rates that make no sense or fill the memory", () => {
    const clip = new AnimClip();
    clip.addRotationKey(0, 0, 0, 0, 0, 1);
    clip.addRotationKey(0, 0.95, 0, 0, -Math.sin(1), -Math.cos(1));
    const out = resampleClip(clip, 10);
    expect(out.getRotationKeyCount(0)).toBe(11);
    expect(out.getRotationKeyTime(0, 10)).toBeCloseTo(0.95, 6);
    for (let k = 0; k < 11; k++) expect(out.getRotationKeyW(0, k)).toBeGreaterThan(0);
    for (const hz of [0, -1, NaN, Infinity]) expect(() => resampleClip(clip, hz)).toThrow(AnimArgumentError);
    expect(() => resampleClip(clip, 1e12)).toThrow(AnimCapacityError);
  });

  it("no baker runs out of memory for an absurd sample rate", () => {
    const clip = clipOf(seeded(32)), skeleton = new AnimSkeleton(), pose = new AnimPose(3);
    for (const name of ["a", "b", "c"]) skeleton.addBone(name);
    clip.setSampleRate(1e15);
    expect(() => makeAdditiveClip(clip, pose)).toThrow(AnimCapacityError);
    expect(() => extractRootMotion(clip, skeleton, 0)).toThrow(AnimCapacityError);
    expect(() => clip.retarget(skeleton, skeleton.clone())).toThrow(AnimCapacityError);
  });
});
