import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimBatch, AnimClip, AnimPlayer, AnimPose, AnimStateError } from "../../../src/anim/index.js";
import { decodeSmallestThree, encodeSmallestThree } from "../../../src/anim/rig/smallest-three.js";
import { importBvh } from "../../../src/import/bvh/index.js";
import { heap } from "../../../src/wasm/heap.js";
import { sharedData } from "../../shared-data.js";
import { angleBetween, golden, randomQuaternion, seeded } from "./golden.js";
import { row, skeletonOf } from "./random-rig.js";

const { quantisation } = golden("compress-golden.json");

/** Smooth random motion: some bones spin right round, some stand still, some have no keys at all. */
function smoothClip(bones: number, frames: number, rate: number, random: () => number): AnimClip {
  const clip = new AnimClip();
  for (let bone = 0; bone < bones; bone++) {
    const axis = [random() - 0.5, random() - 0.5, random() - 0.5], n = Math.hypot(...axis), kind = bone % 5;
    const speed = kind === 1 ? 5 : 1.5 * random(), phase = random() * 6, start = randomQuaternion(random);
    for (let k = 0; k < frames; k++) {
      const t = k / rate, half = kind === 1 ? speed * t : 0.4 * Math.sin(speed * t * 3 + phase);
      const [x, y, z, w] = [(axis[0]! / n) * Math.sin(half), (axis[1]! / n) * Math.sin(half), (axis[2]! / n) * Math.sin(half), Math.cos(half)] as const;
      const [a, b, c, d] = start;
      const q = kind === 2 ? start : [d * x + a * w + b * z - c * y, d * y + b * w + c * x - a * z, d * z + c * w + a * y - b * x, d * w - a * x - b * y - c * z];
      if (kind !== 3) clip.addRotationKey(bone, t, q[0]!, q[1]!, q[2]!, q[3]!);
      if (kind === 0) clip.addPositionKey(bone, t, Math.sin(t * 2 + phase), 2 * t, 0.1 * Math.cos(3 * t));
      if (kind === 4) clip.addScaleKey(bone, t, 1 + 0.2 * Math.sin(t), 1, 1 + 0.1 * Math.cos(2 * t));
    }
  }
  return clip;
}

describe("AnimClip.compile", () => {
  it("stays within the tolerances it was given at every time, for every small bone count and block count", () => {
    const random = seeded(77);
    for (const bones of [1, 3, 4, 5, 8, 9, 23]) {
      for (const frames of [1, 2, 16, 17, 18, 33, 90]) {
        const clip = smoothClip(bones, frames, 30, random), skeleton = skeletonOf(bones + 3, random), a = new AnimPose(), b = new AnimPose();
        const times = Array.from({ length: 25 }, () => random() * clip.getDuration()), want = times.map((time) => {
          clip.sample(time, a, skeleton);
          return row(a);
        });
        const report = clip.compile("uniform", { positionError: 1e-3, rotationErrorDegrees: 0.05, scaleError: 1e-3 });
        expect(clip.getForm()).toBe("uniform");
        expect(report.maxPositionError).toBeLessThanOrEqual(1e-3);
        expect(report.maxRotationErrorDegrees).toBeLessThanOrEqual(0.05);
        times.forEach((time, i) => {
          clip.sample(time, b, skeleton);
          const got = row(b);
          for (let at = 0; at < got.length; at += 10) {
            // Between frames both forms interpolate, so the error is a mixture of those of the frames.
            expect(Math.hypot(...[0, 1, 2].map((k) => got[at + k]! - want[i]![at + k]!))).toBeLessThan(1.02e-3);
            expect(Math.hypot(...[7, 8, 9].map((k) => got[at + k]! - want[i]![at + k]!))).toBeLessThan(1.02e-3);
            expect((angleBetween(got.slice(at + 3, at + 7), want[i]!.slice(at + 3, at + 7)) * 180) / Math.PI).toBeLessThan(0.053);
            expect(Math.abs(Math.hypot(...got.slice(at + 3, at + 7)) - 1)).toBeLessThan(1e-6);
          }
          // Bones without keys, and culled ones, keep the bits of the bind pose.
          clip.sampleLod(time, b, skeleton, 1);
          for (let bone = 0; bone < bones + 3; bone++) {
            if (bone % 3 !== 0 || bone >= bones || bone % 5 === 3) expect(b.getLocalRotationX(bone)).toBe(skeleton.getBindRotationX(bone));
            else expect(b.getLocalRotationX(bone)).toBe(got[bone * 10 + 3]);
          }
        });
      }
    }
  });

  it("keeps model space errors of joints and shell points below a threshold when it knows the skeleton", () => {
    const random = seeded(9), clip = smoothClip(12, 80, 60, random), skeleton = skeletonOf(12, random);
    const raw = clip.clone(), a = new AnimPose(), b = new AnimPose(), threshold = 1e-4, shell = 0.03;
    const report = clip.compile("uniform", { skeleton, threshold, shellDistance: shell });
    let worst = 0;
    for (let frame = 0; frame < 80; frame++) {
      raw.sample(frame / 60, a, skeleton);
      clip.sample(frame / 60, b, skeleton);
      a.computeWorld(skeleton);
      b.computeWorld(skeleton);
      for (let bone = 0; bone < 12; bone++) {
        for (const [x, y, z] of [[0, 0, 0], [shell, 0, 0], [0, shell, 0], [0, 0, -shell]] as const) {
          const p = [0, 0, 0], q = [0, 0, 0];
          a.transformPoint(bone, x, y, z, p);
          b.transformPoint(bone, x, y, z, q);
          worst = Math.max(worst, Math.hypot(p[0]! - q[0]!, p[1]! - q[1]!, p[2]! - q[2]!));
        }
      }
    }
    expect(worst).toBeLessThanOrEqual(threshold);
    expect(report.maxModelError).toBeLessThanOrEqual(threshold);
    expect(report.maxModelError).toBeGreaterThanOrEqual(worst * 0.999);
    expect(report.bytes).toBeLessThan(12 * 80 * 40 / 4);
  });

  it("serves players and batches the same bits, until an edit drops it", () => {
    const random = seeded(3), clip = smoothClip(7, 40, 30, random), skeleton = skeletonOf(7, random), player = new AnimPlayer(skeleton), pose = new AnimPose(), batched = new AnimPose();
    clip.compile("uniform");
    player.play(clip);
    player.update(0.777);
    clip.sample(0.777, pose, skeleton);
    expect(row(player.getPose())).toEqual(row(pose));
    const batch = new AnimBatch();
    batch.add(clip, skeleton, batched, 0.777);
    batch.evaluate();
    expect(row(batched)).toEqual(row(pose));
    const quantised = clip.data().bytes;
    clip.addPositionKey(3, 0.0123, 1, 2, 3);
    clip.addPositionKey(3, 0.5, 5, 2, 3);
    expect(clip.data().bytes).toBeGreaterThan(quantised);
    expect(clip.getForm()).toBe("raw");
  });

  it("refuses what cannot be met and changes nothing, and falls back to finer codes and rates", () => {
    const random = seeded(4), clip = smoothClip(3, 31, 30, random), before = clip.data().ptr, used = heap.usedBytes;
    expect(() => clip.compile("uniform", { rate: 3, rotationErrorDegrees: 1e-3, allowFallback: false })).toThrow(AnimStateError);
    expect(clip.data().ptr).toBe(before);
    expect(() => clip.compile("dense" as never)).toThrow(AnimArgumentError);
    expect(() => clip.compile("uniform", { rate: -1 })).toThrow(AnimArgumentError);
    expect(() => clip.compile("uniform", { positionError: NaN })).toThrow(AnimArgumentError);
    expect(heap.usedBytes).toBe(used);
    expect(clip.compile("uniform", { rate: 15, rotationErrorDegrees: 0.5, positionError: 0.05 }).rate).toBeGreaterThanOrEqual(15);
    expect(clip.compile("raw").form).toBe("raw");
    clip.dispose();
  });

  it("is at least 8 times smaller than TRS samples and 3 times than quaternions at 0.1 mm, on captured motion", () => {
    const path = sharedData("bvh", "compression of captured motion");
    if (path === undefined) return;
    for (const [file, metres] of [["cmu/12_01_walk.bvh", 0.056444], ["cmu/131_03_start_hop_stop.bvh", 0.056444], ["cmu/jumping_jacks.bvh", 0.056444]] as const) {
      const { skeleton, clip } = importBvh(readFileSync(`${path}/${file}`, "utf8"), {});
      const frames = Math.max(...Array.from({ length: clip.getTrackCount() }, (_, bone) => clip.getRotationKeyCount(bone)));
      // Joints only: end sites are bones of the skeleton, but nobody would store samples of them.
      const joints = Array.from({ length: skeleton.getBoneCount() }, (_, bone) => bone).filter((bone) => skeleton.getChildCount(bone) > 0).length;
      const report = clip.compile("uniform", { skeleton, shellDistance: 0.03 / metres, threshold: 1e-4 / metres });
      expect(report.maxModelError * metres).toBeLessThanOrEqual(1e-4);
      expect((joints * frames * 40) / report.bytes, file).toBeGreaterThan(8);
      expect((joints * frames * 16) / report.bytes, file).toBeGreaterThan(3);
    }
  });
});

describe("smallest-three codes", () => {
  it("give the golden codes and values", () => {
    for (const c of quantisation.smallestThree15) {
      const code = encodeSmallestThree(c.q);
      expect(code.largest).toBe(c.largest);
      expect(code.codes).toEqual(c.codes);
      const decoded = decodeSmallestThree(code), sign = decoded[c.largest]! * c.decoded[c.largest] < 0 ? -1 : 1;
      decoded.forEach((value, i) => expect(Math.abs(sign * value - c.decoded[i])).toBeLessThan(1e-12));
    }
  });

  it("stay within the golden bounds for every width, and keep the sign", () => {
    const random = seeded(15);
    for (const [bits, name] of [[10, "smallest3_10"], [15, "smallest3_15"], [16, "smallest3_16"], [20, "smallest3_20"]] as const) {
      for (let i = 0; i < 2000; i++) {
        const q = randomQuaternion(random), decoded = decodeSmallestThree(encodeSmallestThree(q, bits), bits);
        expect(angleBetween(q, decoded)).toBeLessThanOrEqual(quantisation.bounds[name].maxAngleRad * 1.001);
        expect(q.reduce((sum, v, k) => sum + v * decoded[k]!, 0)).toBeGreaterThan(0.99);
      }
    }
  });
});
