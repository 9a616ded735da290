import { describe, expect, test } from "vitest";
import { OsteonError } from "../../../src/errors.js";
import { AnimArgumentError, AnimFormatError, AnimIndexError, AnimMismatchError, AnimNameError, AnimStateError } from "../../../src/anim/errors.js";
import { MotionDatabase } from "../../../src/anim/matching/database.js";
import { AnimSkeleton } from "../../../src/anim/rig/skeleton.js";
import { fuzz, mutateBytes } from "../../import/fuzz.js";
import { goldenDatabase, goldenRig, matchingGolden } from "./golden.js";

const data = matchingGolden();

describe("golden database", () => {
  const database = goldenDatabase(data);

  test("has the golden frames and layout", () => {
    expect(database.getFrameCount()).toBe(data.frames.length);
    expect(database.getFeatureSize()).toBe(data.featureSize);
    data.frames.forEach((frame, i) => {
      expect(database.getFrameClipIndex(i)).toBe(frame.clip);
      expect(database.getFrameTime(i)).toBeCloseTo(frame.time, 9);
    });
    expect(database.getFeatures().map(({ offset, size, group }) => ({ offset, size, group }))).toEqual(data.layout.map(({ offset, size, group }) => ({ offset, size, group })));
  });

  test("has the golden features, means and deviations", () => {
    const raw = new Float32Array(data.featureSize);
    let worst = 0;
    data.features.forEach((expected, frame) => {
      database.getRawFeature(frame, raw);
      expected.forEach((value, c) => {
        worst = Math.max(worst, Math.abs(raw[c]! - value) / Math.max(1, Math.abs(value)));
        if (!(Math.abs(raw[c]! - value) <= data.tolerance.feature * Math.max(1, Math.abs(value)))) expect.fail(`frame ${frame}, channel ${c}: ${raw[c]}, expected ${value}`);
      });
    });
    for (let c = 0; c < data.featureSize; c++) {
      expect(Math.abs(database.getFeatureMean(c) - data.mean[c]!), `mean ${c}`).toBeLessThan(data.tolerance.feature);
      expect(Math.abs(database.getFeatureStd(c) - data.std[c]!), `std ${c}`).toBeLessThan(data.tolerance.feature);
      const inverse = database.getFeatureInverseStd(c);
      expect(inverse === 0, `inverse ${c}`).toBe(data.invStd[c] === 0);
      expect(Math.abs(inverse - data.invStd[c]!)).toBeLessThan(1e-4 * Math.max(1, data.invStd[c]!));
    }
  });
});

describe("MotionDatabase", () => {
  test("before bake frame accessors are errors, and every change clears the bake", () => {
    const { skeleton, clips } = goldenRig(data);
    const database = new MotionDatabase(skeleton);
    expect(() => database.bake()).toThrow(AnimStateError);
    database.addClip(clips[0]!);
    for (const call of [() => database.getFrameCount(), () => database.getFrameTime(0), () => database.getFeature(0, new Float32Array(99)), () => database.getFeatureMean(0), () => database.serialize()]) {
      expect(call).toThrow(AnimStateError);
    }
    for (const change of [
      () => database.addClip(clips[1]!), () => database.setRootBone(0), () => database.addFeatureBone(2), () => database.setLayout("compact"),
      () => database.setNormalization("feature"), () => database.setClipTags(0, ["x"]), () => database.setMirror([0, 1, 3, 2]), () => database.addClipRange(clips[5]!, 0.2, 0.9),
    ]) {
      database.bake();
      expect(database.isBaked()).toBe(true);
      change();
      expect(database.isBaked()).toBe(false);
    }
    database.dispose();
    database.dispose();
    expect(() => database.addClip(clips[0]!)).toThrow(AnimStateError);
  });

  test("names, indices and ranges are checked", () => {
    const { skeleton, clips } = goldenRig(data);
    const database = new MotionDatabase(skeleton);
    expect(() => database.setRootBoneByName("tail")).toThrow(AnimNameError);
    expect(() => database.addFeatureBoneByName("tail")).toThrow(AnimNameError);
    expect(() => database.addFeatureBone(9)).toThrow(AnimIndexError);
    expect(() => database.addClip(null as never)).toThrow(AnimArgumentError);
    expect(() => database.addClipRange(clips[0]!, 0.5, 0.2)).toThrow(AnimArgumentError);
    expect(() => database.addClipRange(clips[0]!, 0, 99)).toThrow(AnimArgumentError);
    expect(() => database.setMirror([0, 1, 3])).toThrow(AnimArgumentError);
    expect(() => database.setMirror([0, 1, 3, 3])).toThrow(AnimArgumentError);
    expect(() => database.setLayout([{ kind: "smell" as never }])).toThrow(AnimArgumentError);
    expect(() => database.setLayout([{ kind: "bonePosition", bone: "tail" }])).toThrow(AnimNameError);
    expect(() => new MotionDatabase(new AnimSkeleton())).toThrow(AnimArgumentError);
    database.addFeatureBoneByName("footL");
    database.addFeatureBone(2);
    expect(database.getFeatureBoneCount()).toBe(1);
    expect(database.getFeatureBone(0)).toBe(2);
  });

  test("without feature bones all bones but the root are compared", () => {
    const { skeleton, clips } = goldenRig(data);
    const database = new MotionDatabase(skeleton);
    database.addClip(clips[0]!);
    expect(database.getFeatureBoneCount()).toBe(3);
    expect(database.getFeatureSize()).toBe(14 + 6 * 3);
    database.setLayout("compact");
    expect(database.getFeatureSize()).toBe(10 + 3 * 3);
    database.bake();
    expect(database.getFeatureSize()).toBe(19);
  });

  test("normalisation by feature keeps the golden deviations", () => {
    const database = goldenDatabase(data, (d) => d.setNormalization("feature"));
    data.layout.forEach(({ offset, size }, i) => {
      for (let c = offset; c < offset + size; c++) expect(Math.abs(database.getFeatureStd(c) - data.perFeatureStd[i]!.std)).toBeLessThan(1e-5);
    });
  });

  test("a part of a clip keeps its clip times and does not loop", () => {
    const { skeleton, clips } = goldenRig(data);
    const database = new MotionDatabase(skeleton);
    database.addFeatureBone(2);
    database.addClipRange(clips[1]!, 0.2, 0.5, ["part"]);
    database.bake();
    expect(database.getFrameCount()).toBe(10);
    expect(database.getFrameTime(0)).toBeCloseTo(0.2, 9);
    expect(database.getFrameTime(9)).toBeCloseTo(0.5, 9);
    const whole = goldenDatabase(data, () => undefined);
    const a = new Float32Array(20), b = new Float32Array(26);
    database.getRawFeature(3, a);
    whole.getRawFeature(30 + 9, b);
    // Trajectory and the one foot they share: the part sees the motion of its whole clip.
    for (let c = 0; c < 17; c++) expect(a[c]!).toBeCloseTo(b[c]!, 4);
  });

  test("mirrored frames are the features of the mirrored motion", () => {
    const database = goldenDatabase(data, (d) => d.setMirror([0, 1, 3, 2]));
    const half = data.frames.length;
    expect(database.getFrameCount()).toBe(2 * half);
    const plain = new Float32Array(26), mirrored = new Float32Array(26);
    // A left turn mirrored is a right turn: x and sines change sign, the feet change places.
    const expected = (v: Float32Array): number[] => [
      -v[0]!, v[1]!, -v[2]!, v[3]!, -v[4]!, v[5]!, -v[6]!, v[7]!, -v[8]!, v[9]!, -v[10]!, v[11]!, -v[12]!, v[13]!,
      -v[17]!, v[18]!, v[19]!, -v[14]!, v[15]!, v[16]!, -v[23]!, v[24]!, v[25]!, -v[20]!, v[21]!, v[22]!,
    ];
    for (let frame = 0; frame < half; frame++) {
      database.getRawFeature(frame, plain);
      database.getRawFeature(frame + half, mirrored);
      expect(database.isFrameMirrored(frame + half)).toBe(true);
      expect(database.getFrameClipIndex(frame + half)).toBe(database.getFrameClipIndex(frame));
      expected(plain).forEach((value, c) => expect(Math.abs(mirrored[c]! - value)).toBeLessThan(1e-5));
    }
  });

  test("layouts of one's own hold what they say", () => {
    const { skeleton, clips } = goldenRig(data);
    clips[1]!.addCurve("effort");
    clips[1]!.addCurveKey("effort", 0, 0);
    clips[1]!.addCurveKey("effort", 1, 1);
    const database = new MotionDatabase(skeleton);
    database.setLayout([
      { kind: "rootVelocity" }, { kind: "rootAcceleration" }, { kind: "trajectoryPosition", horizon: -0.5 }, { kind: "trajectoryVelocity", horizon: 0.5 },
      { kind: "boneDirection", bone: "hips" }, { kind: "contact", bone: "footL" }, { kind: "phase" }, { kind: "curve", curve: "effort", group: "effort", weight: 2 },
    ]);
    database.addClip(clips[1]!);
    database.bake();
    expect(database.getFeatureSize()).toBe(2 + 2 + 2 + 2 + 3 + 1 + 2 + 1);
    const raw = new Float32Array(15);
    database.getRawFeature(9, raw);
    const speed = raw[1]!;
    expect(raw[5]).toBeCloseTo(-0.5 * speed, 4);
    expect(raw[7]).toBeCloseTo(speed, 4);
    expect([raw[8], raw[9], raw[10]].map((v) => Math.round(v! * 1e5) / 1e5)).toEqual([0, 0, 1]);
    expect([0, 1]).toContain(Math.round(raw[11]!));
    expect(raw[12]).toBeCloseTo(Math.sin(2 * Math.PI * 0.3), 5);
    expect(raw[13]).toBeCloseTo(Math.cos(2 * Math.PI * 0.3), 5);
    expect(raw[14]).toBeCloseTo(0.3, 5);
  });

  test("reports tags, constant channels and neighbours", () => {
    const report = goldenDatabase(data).report();
    expect(report.frameCount).toBe(187);
    expect(report.framesPerTag).toEqual({ idle: 30, walk: 90, run: 30, stop: 37 });
    expect(report.constantChannels).toEqual(["rootVelocity[0]"]);
    expect(report.neighbourDistances.reduce((sum, { count }) => sum + count, 0)).toBe(187);
    expect(report.bytes).toBeGreaterThan(0);
    expect(report.seconds).toBeCloseTo(187 / 30, 6);
  });

  test("bakes ten thousand frames of many clips, and the same again", () => {
    const { skeleton, clips } = goldenRig(data);
    const database = new MotionDatabase(skeleton);
    database.addFeatureBone(2);
    database.addFeatureBone(3);
    for (let i = 0; i < 334; i++) database.addClip(clips[i % 5]!);
    database.bake();
    expect(database.getFrameCount()).toBe(10_020);
    const first = database.serialize();
    database.bake();
    expect(Buffer.compare(first, database.serialize())).toBe(0);
    database.dispose();
  });
});

describe("serialisation", () => {
  test.each([[false], [true]])("a loaded database is the baked one (quantised: %s)", (quantize) => {
    const { skeleton, clips } = goldenRig(data);
    const database = new MotionDatabase(skeleton);
    database.addFeatureBone(2);
    database.addFeatureBone(3);
    clips.forEach((clip, i) => database.setClipTags(database.addClip(clip), [data.clips[i]!.tag]));
    database.setMirror([0, 1, 3, 2]);
    database.bake({ quantize });
    const bytes = database.serialize();
    const loaded = MotionDatabase.deserialize(bytes, skeleton, clips);
    expect(loaded.isBaked()).toBe(true);
    expect(loaded.getFrameCount()).toBe(database.getFrameCount());
    expect(loaded.getTagNames()).toEqual(database.getTagNames());
    const a = new Float32Array(26), b = new Float32Array(26);
    for (let frame = 0; frame < database.getFrameCount(); frame++) {
      database.getFeature(frame, a);
      loaded.getFeature(frame, b);
      if (!quantize) expect(b).toEqual(a);
      else for (let c = 0; c < 26; c++) expect(Math.abs(a[c]! - b[c]!)).toBeLessThan(1e-5);
      expect(loaded.getFrameTime(frame)).toBe(database.getFrameTime(frame));
      expect(loaded.isFrameMirrored(frame)).toBe(database.isFrameMirrored(frame));
    }
    if (!quantize) expect(loaded.serialize()).toEqual(bytes);
  });

  test("another skeleton, other clips and damaged bytes are errors", () => {
    const { skeleton, clips } = goldenRig(data);
    const database = goldenDatabase(data);
    const bytes = database.serialize();
    const other = new AnimSkeleton();
    for (const name of ["a", "b", "c", "d"]) other.addBone(name);
    expect(() => MotionDatabase.deserialize(bytes, other, clips)).toThrow(AnimMismatchError);
    expect(() => MotionDatabase.deserialize(bytes, skeleton, clips.slice(1))).toThrow(AnimMismatchError);
    expect(() => MotionDatabase.deserialize(bytes, skeleton, clips.toReversed())).toThrow(AnimMismatchError);
    expect(() => MotionDatabase.deserialize(bytes.subarray(0, 10), skeleton, clips)).toThrow(AnimFormatError);
    expect(() => MotionDatabase.deserialize(new Uint8Array(100), skeleton, clips)).toThrow(AnimFormatError);
    expect(() => MotionDatabase.deserialize("x" as never, skeleton, clips)).toThrow(AnimArgumentError);
  });

  test("a number of the header that is not finite is an error, whichever it is", () => {
    const { skeleton, clips } = goldenRig(data);
    const bytes = goldenDatabase(data).serialize();
    const headerBytes = new DataView(bytes.buffer).getUint32(8, true);
    const header = new TextDecoder().decode(bytes.subarray(16, 16 + headerBytes)).trimEnd();
    const numbers = [...header.matchAll(/(?<=[:[,])-?[0-9][0-9.e+-]*(?=[,}\]])/g)];
    expect(numbers.length).toBeGreaterThan(50);
    for (const match of numbers) {
      const text = `${header.slice(0, match.index)}1e999${header.slice(match.index + match[0].length)}`;
      const json = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 8) * 8));
      const damaged = new Uint8Array(16 + json.length + bytes.length - 16 - headerBytes);
      damaged.set(bytes.subarray(0, 16));
      new DataView(damaged.buffer).setUint32(8, json.length, true);
      damaged.set(json, 16);
      damaged.set(bytes.subarray(16 + headerBytes), 16 + json.length);
      expect(() => MotionDatabase.deserialize(damaged, skeleton, clips), text.slice(Math.max(0, match.index - 30), match.index + 8)).toThrow(OsteonError);
    }
  });

  test("mutated bytes end in a database or an OsteonError", async () => {
    const { skeleton, clips } = goldenRig(data);
    const bytes = goldenDatabase(data).serialize();
    const result = await fuzz(400, 31, (next) => MotionDatabase.deserialize(mutateBytes(bytes, next, next() < 0.7 ? 4000 : bytes.length), skeleton, clips).dispose());
    expect(result.rejected).toBeGreaterThan(100);
  });
});
