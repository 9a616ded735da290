import { describe, expect, it } from "vitest";
import { AnimArgumentError } from "../../../src/anim/errors.js";
import { AnimPose } from "../../../src/anim/rig/pose.js";
import { AnimSkeleton } from "../../../src/anim/rig/skeleton.js";
import { createTrailMesh } from "../../../src/anim/trail/ribbon.js";
import { AnimTrail } from "../../../src/anim/trail/trail.js";

function meshOf(trail: AnimTrail): ReturnType<typeof createTrailMesh> {
  const mesh = createTrailMesh();
  trail.buildMesh(mesh);
  return mesh;
}

describe("AnimTrail", () => {
  it("draws nothing on nothing, and no invisible square", () => {
    const trail = new AnimTrail(4);
    trail.addPoint(1, 1);
    trail.draw(null);
    trail.draw(undefined as never);
    expect(meshOf(trail).indexCount).toBe(6);
    trail.setColor(1, 1, 1, 0);
    expect(meshOf(trail).indexCount).toBe(0);
  });

  it("keeps its tail inside of what was recorded, whatever the duration becomes", () => {
    for (const duration of [0.1, 0.45, 0.75, 5, 0]) {
      const trail = new AnimTrail(16);
      trail.setDuration(0.5);
      for (let i = 0; i < 8; i++) {
        trail.addPoint(i * 10, 0);
        trail.update(0.1);
      }
      trail.setDuration(duration);
      const { positions, vertexCount } = meshOf(trail);
      for (let i = 0; i < vertexCount; i++) expect(positions[i * 2]!, `duration ${duration}`).toBeGreaterThanOrEqual(-2);
      for (let i = 0; i < vertexCount; i++) expect(positions[i * 2]!, `duration ${duration}`).toBeLessThanOrEqual(72);
    }
  });

  it("begins a strip when it emits again", () => {
    const trail = new AnimTrail(8);
    trail.setDuration(0);
    trail.addPoint(0, 0);
    trail.addPoint(10, 0);
    trail.setEmitting(true);
    trail.addPoint(20, 0);
    expect(meshOf(trail).indexCount).toBe(12);
    trail.setEmitting(false);
    trail.addPoint(50, 0);
    trail.setEmitting(true);
    trail.addPoint(100, 0);
    trail.addPoint(110, 0);
    expect([trail.getPointCount(), meshOf(trail).indexCount]).toEqual([5, 18]);
  });

  it("asks the gradient of a trail without duration by length, as it draws", () => {
    const trail = new AnimTrail(8);
    trail.setDuration(0);
    trail.setGradient([{ at: 0, r: 1, g: 1, b: 1, a: 1 }, { at: 1, r: 1, g: 1, b: 1, a: 0 }]);
    for (const x of [0, 90, 100]) trail.addPoint(x, 0);
    expect([0, 1, 2].map((i) => trail.getPointAlpha(i))).toEqual([0, expect.closeTo(0.9, 12), 1]);
    const { colors } = meshOf(trail);
    expect([colors[3], colors[11], colors[19]]).toEqual([1, expect.closeTo(0.9, 6), 0]);
  });

  it("refuses lists and planes that are none", () => {
    const trail = new AnimTrail(8);
    for (const bad of [5, "x", [], [null], [5], [{ at: 0 }], {}]) {
      expect(() => trail.setGradient(bad as never), JSON.stringify(bad)).toThrow(AnimArgumentError);
      expect(() => trail.setWidthCurve(bad as never), JSON.stringify(bad)).toThrow(AnimArgumentError);
    }
    trail.setGradient(undefined as never);
    trail.setWidthCurve(undefined as never);
    const skeleton = new AnimSkeleton();
    skeleton.addBone("b", -1);
    const pose = new AnimPose(1);
    skeleton.applyBindPose(pose);
    pose.computeWorld(skeleton);
    for (const bad of ["toString", "constructor", "__proto__", "yx", null]) expect(() => trail.sampleBone(pose, 0, bad as never), String(bad)).toThrow(AnimArgumentError);
    expect(trail.getPointCount()).toBe(0);
  });

  it("gives numbers for every mixture of settings and calls", () => {
    let seed = 1;
    const random = (): number => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    for (let round = 0; round < 300; round++) {
      const trail = new AnimTrail(2 + Math.floor(random() * 20));
      trail.setDuration(random() < 0.3 ? 0 : random());
      trail.setMinDistance(random() < 0.5 ? 0 : random() * 3);
      if (random() < 0.4) trail.setTaper(random(), random());
      if (random() < 0.4) trail.setGradient([{ at: 0, r: 1, g: 0, b: 0, a: 1 }, { at: 0.5, r: 0, g: 1, b: 0, a: 1 }, { at: 0.5, r: 0, g: 0, b: 1, a: 0.5 }]);
      if (random() < 0.3) trail.setSmoothing(Math.floor(random() * 5));
      if (random() < 0.3) trail.setTeleportDistance(5);
      for (let i = 0; i < 40; i++) {
        const q = random();
        if (q < 0.55) trail.addPoint(Math.floor(random() * 6), Math.floor(random() * 6));
        else if (q < 0.65) trail.breakTrail();
        else if (q < 0.72) trail.setHead(random() * 6, random() * 6);
        else if (q < 0.78) trail.addEdge(random() * 6, random() * 6, random() * 6, random() * 6);
        else if (q < 0.82) trail.setEmitting(random() < 0.7);
        else if (q < 0.86) trail.setDuration(random());
        else trail.update(random() * 0.1);
      }
      const mesh = meshOf(trail);
      const all = [...mesh.positions.subarray(0, mesh.vertexCount * 2), ...mesh.uvs.subarray(0, mesh.vertexCount * 2), ...mesh.colors.subarray(0, mesh.vertexCount * 4)];
      expect(all.every(Number.isFinite), `round ${round}`).toBe(true);
      expect([...mesh.indices.subarray(0, mesh.indexCount)].every((index) => index < mesh.vertexCount)).toBe(true);
      trail.draw({ drawSolidRect: (...rect) => expect(rect.slice(0, 4).every((value) => Number.isFinite(value))).toBe(true) });
    }
  });
});
