import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AnimArgumentError, AnimFormatError, AnimIOError, AnimStateError } from "../../src/anim/errors.js";
import { importBvh } from "../../src/import/bvh/index.js";
import {
  exportEva, importEva, newClipFromAnimationFixtureText, newClipFromAnimationFixtureTextAsync, newSkeletonFromAnimationFixtureText,
} from "../../src/import/fixture/index.js";
import { newClipFromModel } from "../../src/import/model/clip.js";
import { newSkeletonFromModel } from "../../src/import/model/skeleton.js";
import { sharedData } from "../shared-data.js";
import { loadModelFile } from "./models.js";

const TEXT = `# a comment
EVA 1
skeleton 2
bone 0 -1 hips
bone 1 0 left  leg
bind 0 0 1 0 0 0 0 2 1 1 1
bind 1 0.1 0 0 0 0 0 1 1 1 1
lod 1 2

clip walk cycle
duration 2
loop 0
rate 24
track 0 2 1 0
p 1 0 1 2
p 0 0 1 0
r 0 0 0 0 1
track 1 0 0 1
s 0.5 1 2 3
interp 0 p cubic
event 0.5 step%20left some payload
sync 0.25 left_plant
curve contact left
c 0 1
c 0.5 0
end
`;

describe("fixture text", () => {
  test("gives the skeleton and the clip that it describes", () => {
    const { skeleton, clip, report } = importEva(TEXT);
    expect(skeleton.getBoneCount()).toBe(2);
    expect(skeleton.findBone("left  leg")).toBe(1);
    expect(skeleton.getBindPositionX(1)).toBe(Math.fround(0.1));
    expect(skeleton.getBindRotationW(0)).toBe(1);
    expect(skeleton.getBoneLodLimit(1)).toBe(2);
    expect([clip.getName(), clip.getDuration(), clip.getLoop(), clip.getSampleRate()]).toEqual(["walk cycle", 2, false, 24]);
    expect([0, 1].map((k) => clip.getPositionKeyTime(0, k))).toEqual([0, 1]);
    expect(clip.getPositionKeyZ(0, 1)).toBe(2);
    expect(clip.getScaleKeyZ(1, 0)).toBe(3);
    expect(clip.getTrackInterpolation(0, "position")).toBe("cubicSpline");
    expect([clip.getEventName(0), clip.getEventPayload(0)]).toEqual(["step left", "some payload"]);
    expect(clip.getSyncMarkerName(0)).toBe("left_plant");
    expect(clip.sampleCurve("contact left", 0.25)).toBeCloseTo(0.5, 12);
    expect(report.ignored).toEqual([]);
  });

  test("reads a byte-order mark and carriage returns", () => {
    const { clip } = importEva(`\uFEFF${TEXT.replaceAll("\n", "\r\n")}`);
    expect(clip.getName()).toBe("walk cycle");
  });

  test("exports and imports to the same text", () => {
    const { skeleton, clip } = importEva(TEXT);
    clip.addEvent(0.75, "50% there", "");
    clip.setKeyTangents(0, "position", 1, [0.1, 0.2, 0.3], [1e-9, -4, 5]);
    const once = exportEva(skeleton, clip);
    const again = importEva(once);
    expect(exportEva(again.skeleton, again.clip)).toBe(once);
    expect(again.clip.getEventName(1)).toBe("50% there");
    expect(again.report.ignored).toEqual([]);
  });

  test("skips unknown lines and wrong counts with a warning", () => {
    const { report } = importEva(TEXT.replace("skeleton 2", "skeleton 5").replace("lod 1 2", "glow 1 2").replace("track 0 2 1 0", "track 0 9 1 0"));
    expect(report.ignored).toHaveLength(3);
  });

  test.each([
    ["another version", TEXT.replace("EVA 1", "EVA 2"), 2],
    ["another header", TEXT.replace("EVA 1", "EVB 1"), 2],
    ["a bone out of order", TEXT.replace("bone 1 0", "bone 2 0"), 5],
    ["a parent that comes later", TEXT.replace("bone 1 0", "bone 1 1"), 5],
    ["a bone without a name", TEXT.replace("bone 0 -1 hips", "bone 0 -1"), 4],
    ["a repeated name", TEXT.replace("left  leg", "hips"), 5],
    ["a missing number", TEXT.replace("bind 1 0.1 0 0", "bind 1 0.1 0"), 7],
    ["a number that is none", TEXT.replace("p 1 0 1 2", "p 1 0 x 2"), 15],
    ["a key before its track", TEXT.replace("track 0 2 1 0\n", ""), 14],
    ["a duration before the clip", TEXT.replace("clip walk cycle", "duration 3"), 10],
    ["a rotation without length", TEXT.replace("r 0 0 0 0 1", "r 0 0 0 0 0"), 17],
    ["a negative time", TEXT.replace("p 1 0 1 2", "p -1 0 1 2"), 15],
    ["a track of a bone that does not exist", TEXT.replace("track 1 0", "track 7 0"), 18],
  ])("names the line of %s", (_what, text, line) => {
    let error: unknown;
    try {
      importEva(text, "walk.eva");
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(AnimFormatError);
    expect((error as AnimFormatError).line).toBe(line);
    expect((error as AnimFormatError).source).toBe("walk.eva");
  });

  test("a text without a clip is an error", () => {
    expect(() => importEva(TEXT.slice(0, TEXT.indexOf("clip")))).toThrow(AnimFormatError);
    expect(() => importEva("")).toThrow(AnimFormatError);
  });
});

describe("the factories", () => {
  test("take the text itself or a path that the host reads", async () => {
    const host = { readText: (path: string) => (path === "walk.anim.txt" ? TEXT : "nothing\n") };
    expect(newSkeletonFromAnimationFixtureText(TEXT).getBoneCount()).toBe(2);
    expect(newClipFromAnimationFixtureText("walk.anim.txt", host).getName()).toBe("walk cycle");
    expect((await newClipFromAnimationFixtureTextAsync("walk.anim.txt", { readText: async () => TEXT })).getName()).toBe("walk cycle");
  });

  test("say what is missing when a path cannot be read", async () => {
    expect(() => newClipFromAnimationFixtureText("walk.anim.txt")).toThrow(AnimStateError);
    expect(() => newClipFromAnimationFixtureText("walk.anim.txt", { readText: async () => TEXT })).toThrow(/Async/);
    expect(() => newClipFromAnimationFixtureText("x.txt", { readText: () => { throw new Error("gone"); } })).toThrow(AnimIOError);
    await expect(newClipFromAnimationFixtureTextAsync("x.txt", { readText: () => Promise.reject(new Error("gone")) })).rejects.toThrow(AnimIOError);
    expect(() => newClipFromAnimationFixtureText("")).toThrow(AnimArgumentError);
  });
});

describe("round trips", () => {
  const gltf = sharedData("gltf", "fixture round trips of models");
  test.skipIf(gltf === undefined)("a model survives bit for bit", async () => {
    const model = await loadModelFile(join(gltf!, "CesiumMan/CesiumMan.gltf"));
    const skeleton = newSkeletonFromModel(model);
    const clip = newClipFromModel(model, skeleton, 0);
    const again = importEva(exportEva(skeleton, clip));
    for (let b = 0; b < skeleton.getBoneCount(); b++) {
      for (const channel of ["position", "rotation", "scale"] as const) {
        const one = clip.tracks[b]?.[channel], two = again.clip.tracks[b]?.[channel];
        expect(two?.count ?? 0).toBe(one?.count ?? 0);
        if (one === undefined || two === undefined) continue;
        expect(two.times.subarray(0, two.count)).toEqual(one.times.subarray(0, one.count));
        expect(two.values.subarray(0, two.count * two.stride)).toEqual(one.values.subarray(0, one.count * one.stride));
      }
    }
  });

  const bvh = sharedData("bvh", "reading a large fixture");
  test.skipIf(bvh === undefined)("half a megabyte is read in a moment", () => {
    const { skeleton, clip } = importBvh(readFileSync(join(bvh!, "fair/dab.bvh"), "utf8"));
    const text = exportEva(skeleton, clip);
    expect(text.length).toBeGreaterThan(400_000);
    let best = Infinity;
    for (let i = 0; i < 5; i++) {
      // Processor time: what other processes take does not count.
      const start = process.cpuUsage();
      const { skeleton: s, clip: c } = importEva(text);
      const { user, system } = process.cpuUsage(start);
      best = Math.min(best, (user + system) / 1000);
      s.dispose();
      c.dispose();
    }
    expect(best).toBeLessThan(300);
    console.log(`fixture: ${(text.length / 1024).toFixed(0)} KB in ${best.toFixed(1)} ms`);
  });
});
