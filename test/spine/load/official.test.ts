import * as official from "@esotericsoftware/spine-core";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Skeleton, Physics, type SkeletonData } from "../../../src/spine/index.js";
import { SkeletonBinary, SkeletonJson, TextureAtlas, writeSkeletonBinary, writeSkeletonJson } from "../../../src/spine/load/index.js";
import { exportFiles, type ExportFile } from "./export-files.js";

// The official runtime is a black box here: it loads the same files, or files that osteon wrote, and must pose alike.

const files = exportFiles("comparison with the official runtime");

function officialAtlas(file: ExportFile) {
  const atlas = new official.TextureAtlas(readFileSync(file.atlas, "utf8"));
  for (const page of atlas.pages) page.setTexture(new official.FakeTexture({ width: page.width, height: page.height } as never));
  return atlas;
}

function loadOfficial(file: ExportFile, contents: string | Uint8Array) {
  const loader = new official.AtlasAttachmentLoader(officialAtlas(file));
  return typeof contents === "string"
    ? new official.SkeletonJson(loader).readSkeletonData(JSON.parse(contents))
    : new official.SkeletonBinary(loader).readSkeletonData(contents);
}

function loadOurs(file: ExportFile): SkeletonData {
  const atlas = new TextureAtlas(readFileSync(file.atlas, "utf8"));
  return file.format === "json"
    ? new SkeletonJson(atlas, { file: file.name }).readSkeletonData(readFileSync(file.path, "utf8"))
    : new SkeletonBinary(atlas, { file: file.name }).readSkeletonData(new Uint8Array(readFileSync(file.path)));
}

const TIMES = [0, 0.37, 1.113];

/** World transforms and shown attachments of some animations at some times, without physics. */
function poses(runtime: { Skeleton: any; Physics: any }, data: any, animations: readonly string[]): { numbers: number[]; shown: string[] } {
  const numbers: number[] = [], shown: string[] = [];
  const skeleton = new runtime.Skeleton(data);
  for (const name of animations) {
    for (const time of TIMES) {
      skeleton.setupPose();
      data.findAnimation(name).apply(skeleton, -1, time, false, null, 1, official.MixFrom.setup, false, false, false);
      skeleton.updateWorldTransform(runtime.Physics.none);
      for (const bone of skeleton.bones) {
        // At time 0 the x axes of these bones have no length, and the sign of a zero decides which way y points.
        if (time === 0 && /^vine[12]$/.test(bone.data.name)) continue;
        const p = bone.appliedPose;
        numbers.push(...(bone.active ? [p.a, p.b, p.c, p.d, p.worldX, p.worldY] : [0, 0, 0, 0, 0, 0]));
      }
      for (const slot of skeleton.slots) shown.push(`${slot.appliedPose.attachment?.name} ${slot.appliedPose.color.r.toFixed(2)}`);
      shown.push(skeleton.drawOrder.appliedPose.map((slot: any) => slot.data.index).join());
    }
  }
  skeleton.dispose?.();
  return { numbers, shown };
}

/** How far apart two lists of transforms are, relative to 1 + size. */
function distance(a: readonly number[], b: readonly number[]): number {
  expect(a.length).toBe(b.length);
  let worst = 0;
  for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i]! - b[i]!) / (1 + Math.abs(b[i]!)));
  return worst;
}

// Two-bone IK at full reach turns the last bits of single precision into this much.
const tolerance = (name: string) => (/chibi-stickers|raptor|stretchyman|tank/.test(name) ? 2e-3 : 2e-4);
const spread = <T>(items: readonly T[], count: number) => items.filter((_, i) => i % Math.ceil(items.length / count) === 0);

describe.skipIf(files.length === 0)("against the official runtime", () => {
  const newest = files.filter((file) => file.version === "4.3");

  it("has the 40 skeletons of 4.3 in both formats", () => {
    expect(newest.length).toBe(80);
  });

  it.each(newest.map((file) => [file.name, file] as const))("loads %s alike", (name, file) => {
    const contents = file.format === "json" ? readFileSync(file.path, "utf8") : new Uint8Array(readFileSync(file.path));
    const theirs = loadOfficial(file, contents), ours = loadOurs(file);
    expect(ours.animations.map((a) => [a.name, a.timelines.length])).toEqual(theirs.animations.map((a) => [a.name, a.timelines.length]));
    ours.animations.forEach((animation, i) => expect(animation.duration).toBeCloseTo(theirs.animations[i]!.duration, 5));
    expect(ours.skins.map((s) => [s.name, s.getAttachments().length, s.bones.length, s.constraints.length])).toEqual(
      theirs.skins.map((s) => [s.name, s.getAttachments().length, s.bones.length, s.constraints.length]),
    );
    const names = spread(ours.animations.map((a) => a.name), 4);
    const want = poses(official, theirs, names), got = poses({ Skeleton, Physics }, ours, names);
    expect(got.shown).toEqual(want.shown);
    expect(distance(got.numbers, want.numbers)).toBeLessThan(tolerance(name));
    ours.dispose();
  });

  it.each(files.filter((file) => file.format === "json").map((file) => [file.name, file] as const))("reads what osteon writes of %s", (name, file) => {
    const data = loadOurs(file);
    const names = spread(data.animations.map((a) => a.name), 2);
    const ours = poses({ Skeleton, Physics }, data, names);
    const written: (string | Uint8Array)[] = [writeSkeletonJson(data)];
    // This mesh has a triangle more than binary files can hold.
    if (!/raptor/.test(name) || /4\.[23]/.test(name)) written.push(writeSkeletonBinary(data));
    for (const contents of written) {
      const theirs = poses(official, loadOfficial(file, contents), names);
      expect(ours.shown).toEqual(theirs.shown);
      expect(distance(ours.numbers, theirs.numbers)).toBeLessThan(tolerance(name));
    }
    data.dispose();
  });
});
