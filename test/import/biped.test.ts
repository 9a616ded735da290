import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import type { AnimClip } from "../../src/anim/rig/clip.js";
import { AnimPose } from "../../src/anim/rig/pose.js";
import type { AnimSkeleton } from "../../src/anim/rig/skeleton.js";
import { newClipFromModel } from "../../src/import/model/clip.js";
import type { ModelData } from "../../src/import/model/model-data.js";
import { newSkeletonFromModel } from "../../src/import/model/skeleton.js";
import { loadModelFile } from "./models.js";

const root = resolve(fileURLToPath(import.meta.url), "../../..");
const path = join(root, "examples/assets/biped.glb");
const LOCOMOTION = ["walk", "walk_left", "walk_right", "walk_left_tight", "walk_right_tight", "run", "run_left", "run_right"];
const ALL = ["idle", ...LOCOMOTION, "turn_left", "turn_right", "walk_start", "walk_stop", "jump"];

describe("the built-in biped", () => {
  let model: ModelData;
  let skeleton: AnimSkeleton;
  const clips = new Map<string, AnimClip>();
  beforeAll(async () => {
    model = await loadModelFile(path);
    skeleton = newSkeletonFromModel(model);
    model.animations.forEach((animation, a) => clips.set(animation.name, newClipFromModel(model, skeleton, a)));
  });

  test("is what its script writes, byte for byte", async () => {
    const { writeGlb } = await import(pathToFileURL(join(root, "scripts/biped/glb.mjs")).href) as { writeGlb: () => Promise<Uint8Array> };
    const written = Buffer.from(await writeGlb());
    expect(written.equals(readFileSync(path))).toBe(true);
  });

  test("is accepted by the glTF validator without errors and warnings", async () => {
    const { validateBytes } = await import("gltf-validator") as { validateBytes: (bytes: Uint8Array) => Promise<{ issues: { numErrors: number; numWarnings: number; messages: unknown[] } }> };
    const { issues } = await validateBytes(new Uint8Array(readFileSync(path)));
    expect([issues.numErrors, issues.numWarnings], JSON.stringify(issues.messages.slice(0, 5))).toEqual([0, 0]);
  });

  test("has a skeleton of 24 bones, a skinned mesh and the expected clips", () => {
    expect(skeleton.getBoneCount()).toBe(24);
    expect(model.report).toEqual({ repaired: [], ignored: [] });
    expect([...clips.keys()]).toEqual(ALL);
    expect(model.meshes).toHaveLength(1);
    expect(model.skins[0]!.joints).toHaveLength(24);
    expect(readFileSync(path).length).toBeLessThan(450_000);
  });

  test("stands 1.75 m high, feet on the ground, left at +X, facing +Z", () => {
    const { positions } = model.meshes[0]!;
    let top = -Infinity, bottom = Infinity;
    for (let i = 1; i < positions.length; i += 3) {
      top = Math.max(top, positions[i]!);
      bottom = Math.min(bottom, positions[i]!);
    }
    expect(top).toBeGreaterThan(1.74);
    expect(top).toBeLessThan(1.78);
    expect(Math.abs(bottom)).toBeLessThan(1e-4);
    const pose = new AnimPose(skeleton.getBoneCount());
    skeleton.applyBindPose(pose);
    pose.computeWorld(skeleton);
    expect(pose.getWorldPositionX(skeleton.findBone("hand_l"))).toBeGreaterThan(0.3);
    expect(pose.getWorldPositionZ(skeleton.findBone("toe_l"))).toBeGreaterThan(pose.getWorldPositionZ(skeleton.findBone("foot_l")) + 0.1);
  });

  test("its mesh is closed around its weights: they sum to 1, and every face has an area and a normal", () => {
    const { positions, normals, weights, indices } = model.meshes[0]!;
    for (let v = 0; v < positions.length / 3; v++) {
      expect(weights![v * 4]! + weights![v * 4 + 1]! + weights![v * 4 + 2]! + weights![v * 4 + 3]!).toBeCloseTo(1, 6);
      expect(Math.hypot(normals![v * 3]!, normals![v * 3 + 1]!, normals![v * 3 + 2]!)).toBeCloseTo(1, 5);
    }
    expect(indices.length / 3).toBeGreaterThan(2000);
  });

  test.each(ALL)("%s: feet on the ground do not slide, whatever the time between frames", (name) => {
    const clip = clips.get(name)!;
    clip.setLoop(false);
    const pose = new AnimPose(skeleton.getBoneCount());
    let planted = 0;
    for (const side of ["l", "r"]) {
      const toe = skeleton.findBone(`toe_${side}`);
      const curve = clip.findCurve(`contact_${side}`);
      const intervals = contactIntervals(clip, curve);
      for (const [from, to] of intervals) {
        let anchor: number[] | undefined;
        for (let t = from; t <= to + 1e-9; t += 1 / 240) {
          clip.sample(Math.min(t, to), pose, skeleton);
          pose.computeWorld(skeleton);
          const place = [pose.getWorldPositionX(toe), pose.getWorldPositionY(toe), pose.getWorldPositionZ(toe)];
          anchor ??= place;
          // A hundredth of a step: what straight interpolation between two frames of a bending leg adds.
          expect(Math.hypot(place[0]! - anchor[0]!, place[2]! - anchor[2]!), `${name} ${side} at ${t}`).toBeLessThan(0.008);
          expect(Math.abs(place[1]! - 0.03), `${name} ${side} at ${t}`).toBeLessThan(0.008);
          planted++;
        }
      }
    }
    expect(planted).toBeGreaterThan(50);
  });

  test.each([...LOCOMOTION, "idle"])("%s loops: its last frame is the first one, moved along", (name) => {
    const clip = clips.get(name)!;
    clip.setLoop(false);
    const first = new AnimPose(skeleton.getBoneCount()), last = new AnimPose(skeleton.getBoneCount());
    clip.sample(0, first, skeleton);
    clip.sample(clip.getDuration(), last, skeleton);
    for (let bone = 1; bone < skeleton.getBoneCount(); bone++) {
      const dot = first.getLocalRotationX(bone) * last.getLocalRotationX(bone) + first.getLocalRotationY(bone) * last.getLocalRotationY(bone)
        + first.getLocalRotationZ(bone) * last.getLocalRotationZ(bone) + first.getLocalRotationW(bone) * last.getLocalRotationW(bone);
      expect(Math.abs(dot), `${name} ${skeleton.getBoneName(bone)}`).toBeGreaterThan(0.9999995);
    }
  });

  test("the walk covers 1.2 m a second, the run 3 m, the turns a quarter", () => {
    const pose = new AnimPose(skeleton.getBoneCount());
    const travelled = (name: string): number[] => {
      const clip = clips.get(name)!;
      clip.setLoop(false);
      clip.sample(clip.getDuration(), pose, skeleton);
      return [pose.getLocalPositionZ(0) / clip.getDuration(), 2 * Math.atan2(pose.getLocalRotationY(0), pose.getLocalRotationW(0))];
    };
    expect(travelled("walk")[0]).toBeCloseTo(1.2, 4);
    expect(travelled("run")[0]).toBeCloseTo(3, 4);
    expect(travelled("turn_left")[1]).toBeCloseTo(Math.PI / 2, 3);
    expect(travelled("turn_right")[1]).toBeCloseTo(-Math.PI / 2, 3);
  });

  test("clips carry their events, sync markers and loop flags", async () => {
    const fresh = newClipFromModel(model, skeleton, ALL.indexOf("walk"));
    expect(fresh.getLoop()).toBe(true);
    expect(newClipFromModel(model, skeleton, ALL.indexOf("jump")).getLoop()).toBe(false);
    expect(fresh.getSyncMarkerCount()).toBe(2);
    expect([0, 1].map((i) => fresh.getSyncMarkerName(i)).toSorted()).toEqual(["left_plant", "right_plant"]);
    expect([0, 1].map((i) => [fresh.getEventName(i), fresh.getEventPayload(i)])).toEqual([["step", "left"], ["step", "right"]]);
    expect(fresh.getDuration()).toBeCloseTo(1, 6);
  });
});

/** Closed intervals in which a contact curve is 1. */
function contactIntervals(clip: AnimClip, curve: number): [number, number][] {
  const intervals: [number, number][] = [];
  let start: number | undefined;
  for (let k = 0; k < clip.getCurveKeyCount(curve); k++) {
    const time = clip.getCurveKeyTime(curve, k), value = clip.getCurveKeyValue(curve, k);
    if (value === 1) start ??= time;
    else if (start !== undefined) {
      intervals.push([start, time - 1 / 30]);
      start = undefined;
    }
  }
  if (start !== undefined) intervals.push([start, clip.getDuration()]);
  return intervals;
}
