import { describe, expect, it } from "vitest";
import { AnimClip, AnimPose, AnimSkeleton } from "../../../src/anim/index.js";
import { angleBetween, randomQuaternion, seeded } from "./golden.js";

const row = (pose: AnimPose): number[] => {
  const out = Array.from({ length: pose.getBoneCount() * 10 }, () => 0);
  pose.writeLocalTo(out);
  return out;
};

/** A pair of clips with the same curves: one with shared key times (row form), one kept in the keyed form by a far bone. */
function pair(bones: number, random: () => number, turn: number, times: number[]): { rows: AnimClip; keyed: AnimClip } {
  const rows = new AnimClip(), keyed = new AnimClip();
  for (const clip of [rows, keyed]) clip.setDuration(times.at(-1)! + 0.1);
  for (let bone = 0; bone < bones; bone++) {
    const rotates = bone === 0 || random() < 0.8, moves = random() < 0.5, scales = random() < 0.3, still = bone > 0 && random() < 0.3;
    let q = randomQuaternion(random), p = [random(), random(), random()], s = [1 + random(), 1, random()];
    for (const time of times) {
      if (!still) {
        const [x, y, z, w] = q, [a, b, c] = [0, 1, 2].map(() => (random() - 0.5) * turn) as [number, number, number];
        const next = [x + w * a + y * c - z * b, y + w * b + z * a - x * c, z + w * c + x * b - y * a, w - x * a - y * b - z * c];
        const n = Math.hypot(...next) * (random() < 0.1 ? -1 : 1);
        q = next.map((v) => v / n) as typeof q;
        p = p.map((v) => v + random() - 0.5);
        s = s.map((v) => v + 0.1 * (random() - 0.5));
      }
      for (const clip of [rows, keyed]) {
        if (rotates) clip.addRotationKey(bone, time, ...q);
        if (moves) clip.addPositionKey(bone, time, p[0]!, p[1]!, p[2]!);
        if (scales) clip.addScaleKey(bone, time, s[0]!, s[1]!, s[2]!);
      }
    }
  }
  keyed.addPositionKey(bones + 8, 0, 0, 0, 0);
  keyed.addPositionKey(bones + 8, 0.0123, 1, 0, 0);
  return { rows, keyed };
}

describe("clips of shared key times", () => {
  it("give the poses of the keyed form: regular, irregular, small and large turns, every small bone count", () => {
    const random = seeded(808);
    for (const bones of [1, 3, 4, 5, 8, 9, 30]) {
      for (const turn of [0.05, 3]) {
        const regular = Array.from({ length: 31 }, (_, k) => k / 30);
        const irregular = Array.from({ length: 20 }, () => random() * 2).toSorted((a, b) => a - b);
        for (const times of [regular, irregular]) {
          const { rows, keyed } = pair(bones, random, turn, times);
          expect(rows.data().form).toBe("uniform");
          expect(keyed.data().form).toBe("raw");
          const skeleton = new AnimSkeleton(), a = new AnimPose(), b = new AnimPose();
          for (let i = 0; i < bones + 2; i++) {
            skeleton.addBone(`b${i}`, i - 1);
            skeleton.setBindPosition(i, random(), random(), random());
            skeleton.setBindRotation(i, ...randomQuaternion(random));
            skeleton.setBoneLodLimit(i, i % 3);
          }
          for (const time of [0, ...times.slice(0, 8).map(Math.fround), 5, ...Array.from({ length: 30 }, () => random() * 2.2)]) {
            for (const lod of [0, 1]) {
              rows.sampleLod(time, a, skeleton, lod);
              keyed.sampleLod(time, b, skeleton, lod);
              const va = row(a), vb = row(b);
              for (let i = 0; i < va.length; i += 10) {
                for (const k of [0, 1, 2, 7, 8, 9]) expect(Math.abs(va[i + k]! - vb[i + k]!)).toBeLessThan(2e-6);
                expect(angleBetween(va.slice(i + 3, i + 7), vb.slice(i + 3, i + 7)), `bone ${i / 10} of ${bones} at ${time} lod ${lod} turn ${turn} ${va.slice(i + 3, i + 7)} ${vb.slice(i + 3, i + 7)}`).toBeLessThan(turn < 1 ? 1e-6 : 4e-5);
                expect(Math.abs(Math.hypot(...va.slice(i + 3, i + 7)) - 1)).toBeLessThan(1e-6);
              }
              if (lod === 0 && times.some((t) => Math.fround(t) === time)) expect(va).toEqual(vb);
            }
          }
        }
      }
    }
  });

  it("serve clips without any moving track", () => {
    const clip = new AnimClip(), pose = new AnimPose();
    clip.setDuration(1);
    clip.sample(0.5, pose);
    expect(pose.getBoneCount()).toBe(0);
    clip.addPositionKey(2, 0, 1, 2, 3);
    clip.addPositionKey(2, 0.7, 1, 2, 3);
    clip.sample(0.5, pose);
    expect(clip.data().form).toBe("uniform");
    expect(pose.getLocalPositionZ(2)).toBe(3);
    expect(pose.getLocalRotationW(2)).toBe(1);
  });
});
