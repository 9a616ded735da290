import { describe, expect, it } from "vitest";
import { AnimTrail, createTrailMesh } from "../../../src/anim/trail/index.js";
import { AnimArgumentError } from "../../../src/anim/errors.js";
import type { TrailMesh } from "../../../src/anim/module/host.js";

/** Left and right vertex of each pair, newest first. */
const pairs = (trail: AnimTrail): number[][] => {
  const mesh = createTrailMesh();
  trail.buildMesh(mesh);
  return Array.from({ length: mesh.vertexCount / 2 }, (_, i) => Array.from(mesh.positions.subarray(i * 4, i * 4 + 4)));
};
const finite = (mesh: TrailMesh): boolean => mesh.positions.subarray(0, mesh.vertexCount * 2).every(Number.isFinite) && mesh.uvs.subarray(0, mesh.vertexCount * 2).every(Number.isFinite);

function swing(trail: AnimTrail, samples: number): void {
  for (let i = 0; i < samples; i++) {
    const angle = (i / samples) * Math.PI;
    // Held at the origin, turning about it.
    trail.addEdge(100 * Math.cos(angle), 100 * Math.sin(angle), 20 * Math.cos(angle), 20 * Math.sin(angle));
  }
}

describe("a trail of blades", () => {
  it("takes its edges as they are given, left and right, and its points from the middle", () => {
    const trail = new AnimTrail(8);
    trail.addEdge(0, 10, 0, -10);
    trail.addEdge(5, 12, 7, -8);
    trail.addEdge(10, 30, 20, -30);
    expect(pairs(trail)).toEqual([[10, 30, 20, -30], [5, 12, 7, -8], [0, 10, 0, -10]]);
    expect([trail.getPointX(2), trail.getPointY(2), trail.getPointZ(2)]).toEqual([15, 0, 0]);
    expect(trail.getPointCount()).toBe(3);
  });

  it("has no mitres and no gaps in a swing, also where only one end moves or the middle stays", () => {
    const trail = new AnimTrail(64);
    swing(trail, 40);
    const got = pairs(trail);
    expect(got.length).toBe(40);
    for (const [x0, y0, x1, y1] of got) {
      expect(Math.hypot(x0!, y0!)).toBeCloseTo(100, 4);
      expect(Math.hypot(x1!, y1!)).toBeCloseTo(20, 4);
    }
    const propeller = new AnimTrail(64);
    for (let i = 0; i < 20; i++) propeller.addEdge(Math.cos(i / 4) * 10, Math.sin(i / 4) * 10, -Math.cos(i / 4) * 10, -Math.sin(i / 4) * 10);
    const mesh = createTrailMesh();
    propeller.buildMesh(mesh);
    expect([mesh.vertexCount, mesh.indexCount, finite(mesh)]).toEqual([40, 19 * 6, true]);
    // u runs from the newest to the oldest although no middle has moved.
    expect([mesh.uvs[0], mesh.uvs[mesh.vertexCount * 2 - 2]]).toEqual([0, 1]);
    expect(mesh.uvs[20]).toBeGreaterThan(0.2);
  });

  it("measures minimum and teleport distance at the end that moved further", () => {
    const trail = new AnimTrail(8);
    trail.setMinDistance(5);
    expect(trail.addEdge(0, 10, 0, 0)).toBe(true);
    expect(trail.addEdge(4, 10, 0, 0)).toBe(false);
    expect(trail.addEdge(6, 10, 0, 0)).toBe(true);
    trail.setTeleportDistance(50);
    trail.addEdge(100, 10, 0, 0);
    trail.addEdge(110, 10, 0, 0);
    const mesh = createTrailMesh();
    trail.buildMesh(mesh);
    expect(mesh.indexCount).toBe(2 * 6);
  });

  it("is scaled by taper and width curve, mapped to the screen, and framed by its bounds", () => {
    const trail = new AnimTrail(8);
    trail.setTaper(1, 0);
    trail.setDrawScale(2, -2);
    trail.setDrawOffset(100, 0);
    trail.addEdge(0, 10, 0, -10);
    trail.addEdge(10, 10, 10, -10);
    expect(pairs(trail)).toEqual([[120, -20, 120, 20], [100, 0, 100, 0]]);
    const bounds = [0, 0, 0, 0];
    expect(trail.getBounds(bounds)).toBe(true);
    expect(bounds).toEqual([100, -20, 120, 20]);
  });

  it("may be mixed with points, smoothed, shrunk, and slides out like any trail", () => {
    const trail = new AnimTrail(32);
    trail.setDuration(1);
    trail.setSmoothing(3);
    swing(trail, 6);
    trail.addPoint(-200, 0);
    trail.addPoint(-220, 0);
    trail.addEdge(-230, 5, -230, -5);
    const mesh = createTrailMesh();
    trail.buildMesh(mesh);
    expect(finite(mesh)).toBe(true);
    expect(mesh.vertexCount).toBeGreaterThan(9 * 2);
    trail.setCapacity(3);
    expect([trail.getPointX(0), trail.getPointX(2)]).toEqual([-200, -230]);

    const sliding = new AnimTrail(8);
    sliding.setDuration(1);
    sliding.addEdge(0, 10, 0, -10);
    sliding.update(0.5);
    sliding.addEdge(10, 20, 10, -20);
    sliding.update(0.75);
    const [head, tail] = pairs(sliding);
    expect(head).toEqual([10, 20, 10, -20]);
    expect(tail).toEqual([5, 15, 5, -15]);
  });

  it("on a smooth curve follows a swing ten times as closely as straight edges do", () => {
    const off = (extra: number): number => {
      const trail = new AnimTrail(32);
      trail.setSmoothing(extra);
      swing(trail, 9);
      const radii = pairs(trail);
      let worst = 0;
      // Midway between neighbouring vertices, away from the ends.
      for (let i = 2 * (extra + 1); i + 1 < radii.length - 2 * (extra + 1); i++) {
        const [a, b] = [radii[i]!, radii[i + 1]!];
        worst = Math.max(worst, Math.abs(100 - Math.hypot((a[0]! + b[0]!) / 2, (a[1]! + b[1]!) / 2)));
      }
      return worst;
    };
    expect(off(7)).toBeLessThan(off(0) / 10);
  });

  it("is stamped across where there are no triangles", () => {
    const trail = new AnimTrail(8);
    trail.setWidth(4);
    trail.addEdge(0, 30, 0, -30);
    trail.addEdge(3, 30, 3, -30);
    let [left, top, right, bottom, count] = [Infinity, Infinity, -Infinity, -Infinity, 0];
    trail.draw({
      drawSolidRect(x, y, w, h) {
        count++;
        [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + w), Math.max(bottom, y + h)];
      },
    });
    expect([left, top, right, bottom]).toEqual([-2, -32, 5, 32]);
    expect(count).toBeGreaterThan(40);
  });

  it("refuses numbers that are not finite, records nothing while it does not emit", () => {
    const trail = new AnimTrail(4);
    for (let i = 0; i < 4; i++) {
      const edge = [0, 1, 2, 3];
      edge[i] = NaN;
      expect(() => trail.addEdge(...(edge as [number, number, number, number]))).toThrow(AnimArgumentError);
    }
    trail.setEmitting(false);
    expect(trail.addEdge(0, 1, 2, 3)).toBe(false);
    expect(trail.getPointCount()).toBe(0);
  });
});
