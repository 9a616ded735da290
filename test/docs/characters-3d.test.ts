/** The rules of docs/characters-3d.md, each under its own name. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type AnimClip, AnimPlayer, AnimPose, type AnimSkeleton, type AnimSkin, mirrorClip } from "../../src/anim/index.js";
import { Crowd3D } from "../../src/crowd/index.js";
import { OsteonError } from "../../src/errors.js";
import { importBvh } from "../../src/import/bvh/index.js";
import { loadFbx } from "../../src/import/fbx/index.js";
import { loadGltf, newClipFromModel, newSkeletonFromModel, newSkinFromModel } from "../../src/import/gltf/index.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

let skeleton: AnimSkeleton, skin: AnimSkin, walk: AnimClip, run: AnimClip, jump: AnimClip;

beforeAll(async () => {
  const model = await loadGltf(readFileSync(`${root}examples/assets/biped.glb`));
  skeleton = newSkeletonFromModel(model);
  skin = newSkinFromModel(model, 0, skeleton);
  const clip = (name: string): AnimClip => newClipFromModel(model, skeleton, model.animations.findIndex((animation) => animation.name === name));
  walk = clip("walk");
  run = clip("run");
  jump = clip("jump");
});

const numbers = (pose: AnimPose): number[] => {
  const out = Array.from({ length: pose.getBoneCount() * 10 }, () => 0);
  pose.writeLocalTo(out);
  return out;
};

const largest = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let worst = 0;
  for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i]! - b[i]!));
  return worst;
};

const sampled = (clip: AnimClip, time: number): number[] => {
  const pose = new AnimPose();
  clip.sample(time, pose, skeleton);
  return numbers(pose);
};

describe("docs/characters-3d.md", () => {
  it("a bone without keys keeps its bind transform", () => {
    const clip = walk.clone(), head = skeleton.findBone("head"), pose = new AnimPose();
    expect(head).toBeGreaterThanOrEqual(0);
    clip.clearTrack(head);
    clip.sample(0.4, pose, skeleton);
    expect(pose.getLocalRotationX(head)).toBe(skeleton.getBindRotationX(head));
    expect(pose.getLocalPositionY(head)).toBe(skeleton.getBindPositionY(head));
  });

  it("a clip samples the same with and without a player", () => {
    const player = new AnimPlayer(skeleton);
    player.play(walk);
    player.update(0.3);
    player.update(0.25);
    expect(largest(numbers(player.getPose()), sampled(walk, 0.55))).toBeLessThan(1e-6);
  });

  it("a time beyond the end wraps in a loop and holds otherwise", () => {
    expect(largest(sampled(walk, walk.getDuration() * 3 + 0.2), sampled(walk, 0.2))).toBeLessThan(1e-5);
    expect(sampled(jump, 99)).toEqual(sampled(jump, jump.getDuration()));
  });

  it("a mirrored clip is the mirror image of the clip at every time", () => {
    const image = mirrorClip(walk, skeleton), a = new AnimPose(), b = new AnimPose(), left = skeleton.findBone("foot_l"), right = skeleton.findBone("foot_r");
    expect(skeleton.mirrorMap()[left]).toBe(right);
    for (let time = 0; time < walk.getDuration(); time += 0.1) {
      walk.sample(time, a, skeleton);
      image.sample(time, b, skeleton);
      a.computeWorld(skeleton);
      b.computeWorld(skeleton);
      expect(b.getWorldPositionX(left)).toBeCloseTo(-a.getWorldPositionX(right), 4);
      expect(b.getWorldPositionZ(left)).toBeCloseTo(a.getWorldPositionZ(right), 4);
    }
  });

  it("a compiled clip is smaller and within the error that it reports", () => {
    const clip = walk.clone(), before = clip.data().bytes, report = clip.compile("uniform", { skeleton, threshold: 1e-3 }), a = new AnimPose(), b = new AnimPose();
    expect(report.bytes).toBeLessThan(before);
    expect(report.maxModelError).toBeLessThanOrEqual(1e-3);
    for (let time = 0; time < walk.getDuration(); time += 0.07) {
      walk.sample(time, a, skeleton);
      clip.sample(time, b, skeleton);
      a.computeWorld(skeleton);
      b.computeWorld(skeleton);
      for (let bone = 0; bone < skeleton.getBoneCount(); bone++) {
        expect(Math.hypot(a.getWorldPositionX(bone) - b.getWorldPositionX(bone), a.getWorldPositionY(bone) - b.getWorldPositionY(bone), a.getWorldPositionZ(bone) - b.getWorldPositionZ(bone))).toBeLessThan(1.06e-3);
      }
    }
  });

  it("a cross-fade during a cross-fade does not jump", () => {
    const player = new AnimPlayer(skeleton);
    player.play(walk);
    player.update(0.2);
    player.crossFade(run, 0.5);
    player.update(0.2);
    const before = numbers(player.getPose());
    player.crossFade(walk, 0.5);
    player.update(1e-6);
    expect(largest(numbers(player.getPose()), before)).toBeLessThan(1e-3);
  });

  it("root motion of many small steps adds up to that of one long step", () => {
    const move = (steps: number): number => {
      const player = new AnimPlayer(skeleton);
      let z = 0;
      player.setRootMotionBone(skeleton.findBone("root"));
      player.play(walk);
      for (let i = 0; i < steps; i++) {
        player.update(5.3 / steps);
        z += player.getRootMotionZ();
      }
      return z;
    };
    expect(move(1)).toBeGreaterThan(1);
    expect(Math.abs(move(333) - move(1))).toBeLessThan(1e-4 * move(1));
  });

  it("an event fires once in each loop, whatever the frame rate", () => {
    for (const steps of [3, 100, 1001]) {
      const player = new AnimPlayer(skeleton), span = walk.getDuration() * 4 - 0.01;
      let count = 0;
      player.onEvent(() => count++);
      player.play(walk);
      for (let i = 0; i < steps; i++) player.update(span / steps);
      expect(count).toBe(4 * walk.getEventCount());
    }
  });

  it("setTime fires no events and moves nobody", () => {
    const player = new AnimPlayer(skeleton);
    let count = 0;
    player.onEvent(() => count++);
    player.setRootMotionBone(0);
    player.play(walk);
    player.setTime(0.9 * walk.getDuration());
    expect(count).toBe(0);
    expect(player.getRootMotionZ()).toBe(0);
  });

  it("a character of a crowd has the palette of a player with the same calls", () => {
    const crowd = new Crowd3D(skeleton, skin), player = new AnimPlayer(skeleton), id = crowd.spawn({ clip: walk }), rows = new Float32Array(skin.getBoneCount() * 12);
    player.play(walk);
    for (const subject of [crowd, player]) subject.update(0.4);
    crowd.play(id, run, { mix: 0.3 });
    player.crossFade(run, 0.3);
    for (const subject of [crowd, player]) subject.update(0.1);
    skin.updateMatrixPalette(player.getPose());
    skin.writePaletteTo(rows, 0, true);
    expect(largest(rows, crowd.palette)).toBe(0);
    crowd.dispose();
  });

  it("a queued clip starts when the clip before it ends", () => {
    const crowd = new Crowd3D(skeleton, skin), id = crowd.spawn({ clip: jump });
    crowd.queue(id, walk);
    crowd.update(jump.getDuration() - 0.01);
    expect(crowd.clip(id)).toBe(jump);
    crowd.update(0.02);
    crowd.update(0.02);
    expect(crowd.clip(id)).toBe(walk);
    crowd.dispose();
  });

  it("a restored crowd goes on as if nothing had happened", () => {
    const crowd = new Crowd3D(skeleton, skin), id = crowd.spawn({ clip: walk });
    crowd.play(id, run, { mix: 1 });
    crowd.update(0.3);
    const snapshot = crowd.snapshot();
    crowd.update(0.3);
    const want = [...crowd.palette];
    crowd.despawn(id);
    crowd.restore(snapshot);
    crowd.update(0.3);
    expect([...crowd.palette]).toEqual(want);
    crowd.dispose();
  });

  it("a promoted character goes on as an AnimPlayer, and back", () => {
    const crowd = new Crowd3D(skeleton, skin), id = crowd.spawn({ clip: walk, time: 0.2 }), player = crowd.promote(id);
    player.update(0.5);
    crowd.demote(id, player);
    crowd.update(0);
    expect(crowd.time(id)).toBeCloseTo(0.7, 12);
    expect(crowd.clip(id)).toBe(walk);
    crowd.dispose();
  });

  it("a damaged file ends in an OsteonError", async () => {
    const whole = readFileSync(`${root}examples/assets/biped.glb`);
    await expect(loadGltf(whole.subarray(0, 5000))).rejects.toThrow(OsteonError);
    expect(() => loadFbx(new Uint8Array([1, 2, 3]))).toThrow(OsteonError);
    expect(() => importBvh("HIERARCHY\nROOT Hips\n{")).toThrow(OsteonError);
  });

  it("lists exactly these rules", () => {
    const rules = [...readFileSync(`${root}docs/characters-3d.md`, "utf8").matchAll(/^- (.+)$/gm)].map(([, rule]) => rule!);
    const titles = [...readFileSync(new URL(import.meta.url), "utf8").matchAll(/\bit\("(.+?)",/g)].map(([, title]) => title!).filter((title) => title !== "lists exactly these rules");
    expect(rules.toSorted()).toEqual(titles.toSorted());
  });
});
