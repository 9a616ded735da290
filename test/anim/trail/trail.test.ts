import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimCapacityError, AnimIndexError, AnimStateError } from "../../../src/anim/errors.js";
import type { Rgba, TrailMesh } from "../../../src/anim/module/host.js";
import { AnimPose } from "../../../src/anim/rig/pose.js";
import { AnimSkeleton } from "../../../src/anim/rig/skeleton.js";
import { createTrailMesh } from "../../../src/anim/trail/ribbon.js";
import { AnimTrail } from "../../../src/anim/trail/trail.js";

const positionsOf = (mesh: TrailMesh): number[][] => Array.from({ length: mesh.vertexCount }, (_, i) => [mesh.positions[i * 2]!, mesh.positions[i * 2 + 1]!]);

describe("sampling", () => {
  it("keeps the newest samples and skips those that are too close", () => {
    const trail = new AnimTrail(4);
    trail.setDuration(0);
    trail.setMinDistance(5);
    for (const x of [0, 1, 6, 12, 18, 24]) trail.addPoint(x, 0);
    expect(trail.getPointCount()).toBe(4);
    expect([0, 1, 2, 3].map((i) => trail.getPointX(i))).toEqual([6, 12, 18, 24]);
  });

  it("projects bones onto planes and offsets them in world or bone axes", () => {
    const skeleton = new AnimSkeleton();
    skeleton.addBone("b", -1);
    const pose = new AnimPose(1);
    skeleton.applyBindPose(pose);
    pose.setLocalPosition(0, 3, 2, 7);
    pose.setLocalRotation(0, 0, 0, Math.SQRT1_2, Math.SQRT1_2);
    const trail = new AnimTrail();
    expect(() => trail.sampleBone(pose, 0)).toThrow(AnimStateError);
    pose.computeWorld(skeleton);
    trail.sampleBone(pose, 0, "xy");
    trail.sampleBone(pose, 0, "xz");
    trail.sampleBone(pose, 0, "yz");
    trail.sampleBoneOffset(pose, 0, 1, 0, 0);
    trail.sampleBoneOffset(pose, 0, 1, 0, 0, "", "bone");
    const points = [0, 1, 2, 3, 4].map((i) => [trail.getPointX(i), trail.getPointY(i), trail.getPointZ(i)].map((value) => Math.round(value * 1e4) / 1e4));
    expect(points).toEqual([[3, 2, 7], [3, 7, 2], [2, 7, 3], [4, 2, 7], [3, 3, 7]]);
    expect(() => trail.sampleBone(pose, 1)).toThrow(AnimIndexError);
    expect(() => trail.sampleBone(pose, 0, "uvw" as never)).toThrow(AnimArgumentError);
    expect(() => trail.sampleBone(null as never, 0)).toThrow(AnimArgumentError);
  });

  it("refuses numbers that are not finite, and capacities out of range, without recording", () => {
    const trail = new AnimTrail();
    expect(() => trail.addPoint(NaN, 0)).toThrow(AnimArgumentError);
    expect(trail.getPointCount()).toBe(0);
    expect(() => trail.setStyle("ribbon" as never)).toThrow(AnimArgumentError);
    expect(() => new AnimTrail(1)).toThrow(AnimArgumentError);
    expect(() => trail.setCapacity(65537)).toThrow(AnimCapacityError);
    expect(() => trail.setGradient([])).toThrow(AnimArgumentError);
    expect(() => trail.getPointX(0)).toThrow(AnimIndexError);
  });

  it("drops the oldest when it shrinks, and ignores samples while it does not emit", () => {
    const trail = new AnimTrail(8);
    for (let i = 0; i < 12; i++) trail.addPoint(i, 0);
    trail.setCapacity(3);
    trail.setEmitting(false);
    trail.addPoint(99, 0);
    expect([0, 1, 2].map((i) => trail.getPointX(i))).toEqual([9, 10, 11]);
  });
});

describe("ageing", () => {
  it("fades samples and removes them past the duration", () => {
    const trail = new AnimTrail();
    trail.setDuration(0.2);
    trail.addPoint(0, 0);
    trail.update(0.1);
    expect(trail.getPointAlpha(0)).toBeLessThan(0.6);
    trail.update(0.1);
    expect(trail.getPointCount()).toBe(1);
    expect(trail.getPointAlpha(0)).toBeCloseTo(0, 12);
    trail.update(0.05);
    expect(trail.getPointCount()).toBe(0);
  });

  it("lets the tail slide instead of pop: the ribbon ends where the age is the duration", () => {
    const trail = new AnimTrail();
    trail.setDuration(1);
    trail.addPoint(0, 0);
    trail.update(0.4);
    trail.addPoint(10, 0);
    trail.update(0.4);
    trail.addPoint(20, 0);
    trail.update(0.4);
    const mesh = createTrailMesh();
    trail.buildMesh(mesh);
    // The sample at 0 is 1.2 s old, that at 10 is 0.8: age 1 lies halfway.
    expect(Math.min(...positionsOf(mesh).map(([x]) => x!))).toBeCloseTo(5, 5);
    expect(trail.getPointCount()).toBe(2);
  });
});

describe("drawing", () => {
  it("builds the mitred ribbon of the specification's example", () => {
    const trail = new AnimTrail();
    trail.setWidth(4);
    for (const [x, y] of [[0, 0], [10, 0], [10, 10]] as const) trail.addPoint(x, y);
    const mesh = createTrailMesh();
    trail.buildMesh(mesh);
    const points = positionsOf(mesh).map((point) => point.map((value) => Math.round(value * 1e4) / 1e4 + 0));
    expect(points).toEqual([[8, 10], [12, 10], [8, 2], [12, -2], [0, 2], [0, -2]]);
    expect(mesh.indexCount).toBe(12);
    expect([mesh.uvs[0], mesh.uvs[4], mesh.uvs[8]]).toEqual([0, 0.5, 1]);
  });

  it("fills the outer side of a sharp turn", () => {
    const trail = new AnimTrail();
    trail.setWidth(2);
    for (const [x, y] of [[0, 0], [10, 0], [0, 1]] as const) trail.addPoint(x, y);
    const mesh = createTrailMesh();
    trail.buildMesh(mesh);
    expect(mesh.indexCount).toBe(15);
    const corner = [...mesh.indices.subarray(6, 9)].map((i) => positionsOf(mesh)[i]!);
    // The triangle spans from the corner outwards, to the right of (10, 0).
    expect(corner.some(([x, y]) => x === 10 && y === 0)).toBe(true);
    expect(corner.every(([x]) => x! >= 9.8)).toBe(true);
    expect(positionsOf(mesh).every(([x, y]) => Number.isFinite(x!) && Number.isFinite(y!) && Math.abs(x!) < 20)).toBe(true);
  });

  it("starts a new strip after a break and after a jump", () => {
    const trail = new AnimTrail();
    trail.setTeleportDistance(50);
    for (const x of [0, 10, 1000, 1010]) trail.addPoint(x, 0);
    trail.breakTrail();
    trail.addPoint(1020, 0);
    trail.addPoint(1030, 0);
    const mesh = createTrailMesh();
    trail.buildMesh(mesh);
    expect(mesh.indexCount).toBe(3 * 6);
    for (let i = 0; i < mesh.indexCount; i += 3) {
      const xs = [0, 1, 2].map((k) => positionsOf(mesh)[mesh.indices[i + k]!]![0]!);
      expect(Math.max(...xs) - Math.min(...xs)).toBeLessThan(20);
    }
  });

  it("draws a live head before it is recorded, tapers, and blends the gradient", () => {
    const trail = new AnimTrail();
    trail.setDuration(0);
    trail.setMinDistance(100);
    trail.setWidth(10);
    trail.setTaper(1, 0);
    trail.setGradient([{ at: 1, r: 0, g: 0, b: 1, a: 0.5 }, { at: 0, r: 1, g: 0, b: 0, a: 1 }]);
    trail.addPoint(0, 0);
    trail.setHead(10, 0);
    expect(trail.getPointCount()).toBe(1);
    const mesh = createTrailMesh();
    trail.buildMesh(mesh);
    expect(positionsOf(mesh)).toEqual([[10, 5], [10, -5], [0, 0], [0, 0]]);
    expect([...mesh.colors.subarray(0, 4)]).toEqual([1, 0, 0, 1]);
    expect([...mesh.colors.subarray(8, 12)]).toEqual([0, 0, 1, 0.5]);
    trail.setHead(150, 0);
    expect(trail.getPointCount()).toBe(2);
  });

  it("maps to the screen, and does nothing for null", () => {
    const trail = new AnimTrail();
    trail.setDrawScale(40, -40);
    trail.setDrawOffset(400, 300);
    trail.setStyle("points");
    trail.setFade(false);
    trail.addPoint(1, 2);
    const drawn: number[][] = [];
    trail.draw(null);
    trail.draw({ drawSolidRect: (x, y, w, h, c: Rgba) => drawn.push([x, y, w, h, c.a]) });
    expect(drawn).toEqual([[438.5, 218.5, 3, 3, 1]]);
    expect(() => trail.draw({})).toThrow(AnimStateError);
    const bounds = new Float32Array(4);
    expect(trail.getBounds(bounds)).toBe(true);
    expect([...bounds]).toEqual([438.5, 218.5, 441.5, 221.5]);
  });

  it("stamps squares along segments where there are no triangles, joints once", () => {
    const trail = new AnimTrail();
    trail.setWidth(4);
    trail.setFade(false);
    for (const x of [0, 9, 18]) trail.addPoint(x, 0);
    const centres: number[] = [];
    trail.draw({ drawSolidRect: (x) => centres.push(x + 2) });
    expect(centres).toEqual([0, 3, 6, 9, 12, 15, 18, 18]);
  });

  it("allocates nothing in steady state", () => {
    const trail = new AnimTrail(1000);
    trail.setDuration(5);
    const mesh = createTrailMesh();
    const frame = (i: number): void => {
      trail.addPoint(Math.cos(i / 20) * 100, Math.sin(i / 17) * 100);
      trail.update(1 / 60);
      trail.buildMesh(mesh);
    };
    for (let i = 0; i < 300; i++) frame(i);
    const { positions } = mesh;
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 300; i < 900; i++) frame(i);
    expect(mesh.positions).toBe(positions);
    expect(process.memoryUsage().arrayBuffers).toBeLessThanOrEqual(before);
  });
});

describe("smoothing and width", () => {
  it("lays a curve through the samples: more points between, straight where they are straight", () => {
    const trail = new AnimTrail(8);
    trail.setFade(false);
    trail.setWidth(2);
    for (let i = 0; i < 4; i++) trail.addPoint(i * 10, 0);
    const mesh = createTrailMesh();
    trail.buildMesh(mesh);
    const plain = mesh.vertexCount;
    trail.setSmoothing(4);
    trail.buildMesh(mesh);
    expect(plain).toBe(4 * 2);
    expect(mesh.vertexCount).toBe((4 + 3 * 4) * 2);
    for (let v = 0; v < mesh.vertexCount; v++) expect(Math.abs(Math.abs(mesh.positions[v * 2 + 1]!) - 1)).toBeLessThan(1e-6);
    trail.setSmoothing(0);
    trail.buildMesh(mesh);
    expect(mesh.vertexCount).toBe(plain);
    expect(() => trail.setSmoothing(65)).toThrow(AnimArgumentError);
    expect(() => trail.setSmoothing(1.5)).toThrow(AnimArgumentError);
  });

  it("follows a circle ten times as closely as straight segments do", () => {
    const farthest = (extra: number): number => {
      const trail = new AnimTrail(32);
      trail.setFade(false);
      trail.setWidth(0.01);
      trail.setSmoothing(extra);
      // A quarter more than a turn, so that the ends, which have one neighbour only, lie on top of the middle.
      for (let i = 0; i <= 15; i++) trail.addPoint(100 * Math.cos((i / 12) * 2 * Math.PI), 100 * Math.sin((i / 12) * 2 * Math.PI));
      const mesh = createTrailMesh();
      trail.buildMesh(mesh);
      let most = 0;
      // Left and right vertices alternate; what lies between two neighbours counts, too.
      for (let v = 2 * (extra + 1) * 2; v + 2 * (extra + 1) * 2 < mesh.vertexCount; v += 2) {
        const x = (mesh.positions[v * 2]! + mesh.positions[v * 2 + 4]!) / 2;
        const y = (mesh.positions[v * 2 + 1]! + mesh.positions[v * 2 + 5]!) / 2;
        most = Math.max(most, Math.abs(Math.hypot(x, y) - 100));
      }
      return most;
    };
    expect(farthest(0)).toBeGreaterThan(3);
    expect(farthest(8)).toBeLessThan(farthest(0) / 10);
  });

  it("breaks the curve where the trail breaks", () => {
    const trail = new AnimTrail(8);
    trail.setSmoothing(3);
    trail.addPoint(0, 0);
    trail.addPoint(10, 0);
    trail.breakTrail();
    trail.addPoint(100, 50);
    trail.addPoint(110, 50);
    const mesh = createTrailMesh();
    trail.buildMesh(mesh);
    for (let v = 0; v < mesh.vertexCount; v++) expect(mesh.positions[v * 2]! < 20 || mesh.positions[v * 2]! > 90).toBe(true);
  });

  it("multiplies the width by a curve along the length", () => {
    const trail = new AnimTrail(8);
    trail.setFade(false);
    trail.setWidth(10);
    trail.setWidthCurve([{ at: 0, value: 0.2 }, { at: 0.5, value: 1 }, { at: 1, value: 0 }]);
    for (let i = 0; i <= 4; i++) trail.addPoint(i * 10, 0);
    const mesh = createTrailMesh();
    trail.buildMesh(mesh);
    // Newest first: u = 0, 1/4, 1/2, 3/4, 1.
    const widths = [0, 1, 2, 3, 4].map((i) => Math.abs(mesh.positions[i * 4 + 1]! - mesh.positions[i * 4 + 3]!));
    [2, 6, 10, 5, 0].forEach((width, i) => expect(Math.abs(widths[i]! - width)).toBeLessThan(1e-5));
    const bounds = [0, 0, 0, 0];
    trail.getBounds(bounds);
    expect(bounds).toEqual([-5, -5, 45, 5]);
    trail.setWidthCurve(null);
    trail.buildMesh(mesh);
    expect(Math.abs(mesh.positions[1]! - mesh.positions[3]!)).toBeCloseTo(10, 5);
    expect(() => trail.setWidthCurve([])).toThrow(AnimArgumentError);
    expect(() => trail.setWidthCurve([{ at: 0, value: -1 }])).toThrow(AnimArgumentError);
  });
});
