import * as official from "@esotericsoftware/spine-core";
import { describe, expect, it } from "vitest";
import type { ClippingAttachment, Skeleton, Slot } from "../../../src/spine/index.js";
import { SkeletonClipping } from "../../../src/spine/clipping/skeleton-clipping.js";
import { ConvexDecomposer, Triangulator } from "../../../src/spine/clipping/triangulator.js";
import { Color } from "../../../src/spine/utils/color.js";

/** Mulberry32: a seeded generator, so that a failure can be repeated. */
function randomOf(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A simple clockwise polygon around the origin, concave more often than not. */
function starPolygon(random: () => number, count: number): number[] {
  const polygon: number[] = [];
  for (let i = 0; i < count; i++) {
    const angle = (-2 * Math.PI * i) / count;
    const radius = 20 + 80 * random();
    polygon.push(Math.fround(radius * Math.cos(angle)), Math.fround(radius * Math.sin(angle)));
  }
  return polygon;
}

function area(polygon: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0, j = polygon.length - 2; i < polygon.length; j = i, i += 2) {
    sum += polygon[j]! * polygon[i + 1]! - polygon[i]! * polygon[j + 1]!;
  }
  return Math.abs(sum / 2);
}

describe("Triangulator", () => {
  it("cuts a concave quad into the two triangles at its reflex vertex", () => {
    // An arrow head, clockwise: the reflex vertex is 3.
    const polygon = [0, 0, 10, 20, 20, 0, 10, 5];
    const triangles = new Triangulator().triangulate(polygon);
    expect(triangles).toHaveLength(6);
    for (let i = 0; i < 6; i += 3) expect(triangles.slice(i, i + 3)).toContain(3);
  });

  it("gives the triangles and convex pieces of the reference on random polygons", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = randomOf(seed);
      const polygon = starPolygon(random, 3 + Math.floor(random() * 20));
      const ours = new Triangulator();
      const theirs = new official.Triangulator();
      const triangles = ours.triangulate(polygon);
      const expected = theirs.triangulate(polygon);
      expect([...triangles], `seed ${seed}`).toEqual([...expected]);
      const pieces = ours.decompose(polygon, triangles).map((p) => [...p]);
      expect(pieces, `seed ${seed}`).toEqual(theirs.decompose(polygon, expected).map((p) => [...p]));
    }
  });

  it("covers the polygon with pieces that do not overlap", () => {
    for (let seed = 1; seed <= 100; seed++) {
      const polygon = starPolygon(randomOf(seed), 12);
      const sum = new ConvexDecomposer().decompose(polygon).reduce((total, piece) => total + area(piece), 0);
      expect(Math.abs(sum - area(polygon)), `seed ${seed}`).toBeLessThan(1e-6 * area(polygon));
    }
  });

  it("ends on polygons without area", () => {
    expect(new Triangulator().triangulate([1, 1, 1, 1, 1, 1, 1, 1, 1, 1])).toHaveLength(9);
    expect(new Triangulator().triangulate([0, 0, 1, 0])).toHaveLength(0);
  });
});

interface Clip {
  polygon: number[];
  inverse: boolean;
  convex: boolean;
}

/** A clipping attachment whose world vertices are given. */
function clipOf({ polygon, inverse, convex }: Clip): ClippingAttachment {
  return {
    worldVerticesLength: polygon.length,
    endSlot: null,
    inverse,
    convex,
    computeWorldVertices(_skeleton: unknown, _slot: unknown, _start: number, _count: number, out: number[]) {
      for (let i = 0; i < polygon.length; i++) out[i] = polygon[i]!;
    },
  } as unknown as ClippingAttachment;
}

const skeleton = {} as Skeleton;
const slot = { data: {} } as Slot;

describe("SkeletonClipping", () => {
  it("keeps a triangle inside the polygon as it is and reports that nothing was cut", () => {
    const clipping = new SkeletonClipping();
    clipping.clipStart(skeleton, slot, clipOf({ polygon: [0, 0, 0, 10, 10, 10, 10, 0], inverse: false, convex: false }));
    expect(clipping.clipTriangles([1, 1, 1, 4, 4, 1], [0, 1, 2], 3)).toBe(false);
    expect(clipping.clippedVertices).toEqual([1, 1, 1, 4, 4, 1]);
    expect(clipping.clippedTriangles).toEqual([0, 1, 2]);
  });

  it("cuts a corner off and interpolates texture coordinates", () => {
    const clipping = new SkeletonClipping();
    clipping.clipStart(skeleton, slot, clipOf({ polygon: [0, 0, 0, 10, 10, 10, 10, 0], inverse: false, convex: false }));
    const clipped = clipping.clipTrianglesUnpacked([5, 1, 5, 9, 15, 5], 0, [0, 1, 2], 3, [0, 0, 0, 1, 1, 0.5]);
    expect(clipped).toBe(true);
    const right = [...clipping.clippedVerticesTyped].filter((_, i) => i % 2 === 0);
    expect(Math.max(...right)).toBe(10);
    for (let i = 0; i < clipping.clippedVerticesTyped.length; i += 2) {
      expect(clipping.clippedUVsTyped[i]).toBeCloseTo((clipping.clippedVerticesTyped[i]! - 5) / 10, 6);
    }
  });

  it("gives what the reference gives on random polygons and meshes, in every form", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = randomOf(seed);
      const clip = {
        polygon: starPolygon(random, 3 + Math.floor(random() * 10)),
        inverse: random() < 0.3,
        convex: random() < 0.3,
      };
      if (random() < 0.5) clip.polygon.reverse();
      const vertices = Array.from({ length: 24 }, () => Math.fround((random() - 0.5) * 240));
      const uvs = Array.from({ length: 24 }, () => Math.fround(random()));
      const triangles = Array.from({ length: 30 }, () => Math.floor(random() * 12));
      for (let i = 0; i < 30; i += 3) if (new Set(triangles.slice(i, i + 3)).size < 3) triangles.splice(i, 3, 0, 1, 2);
      const ours = new SkeletonClipping();
      const theirs = new official.SkeletonClipping();
      ours.clipStart(skeleton, slot, clipOf(clip));
      theirs.clipStart(skeleton as never, slot as never, clipOf(clip) as never);
      expect(ours.isClipping()).toBe(true);

      const unpacked = ours.clipTrianglesUnpacked(vertices, 0, triangles, 30, uvs);
      expect(unpacked, `seed ${seed}`).toBe(theirs.clipTrianglesUnpacked(vertices, 0, triangles, 30, uvs));
      near(ours.clippedVerticesTyped, theirs.clippedVerticesTyped, seed);
      near(ours.clippedUVsTyped, theirs.clippedUVsTyped, seed);
      near(ours.clippedTrianglesTyped, theirs.clippedTrianglesTyped, seed);

      const [light, dark] = [new Color(0.25, 0.5, 0.75, 1), new Color(0.1, 0.2, 0.3, 0.4)];
      for (const two of [false, true]) {
        const stride = two ? 12 : 8;
        const interleaved = new Float32Array(12 * stride);
        for (let i = 0; i < 24; i++) interleaved[(i >> 1) * stride + (i & 1)] = vertices[i]!;
        const colored = ours.clipTriangles(interleaved, triangles, 30, uvs, light, dark, two, stride);
        expect(colored).toBe(theirs.clipTriangles(interleaved, triangles, 30, uvs, light as never, dark as never, two, stride));
        near(ours.clippedVertices, theirs.clippedVertices, seed);
        near(ours.clippedTriangles, theirs.clippedTriangles, seed);
      }
      expect(ours.clipTriangles(vertices, triangles, 30)).toBe(theirs.clipTriangles(vertices, triangles, 30));
      near(ours.clippedVertices, theirs.clippedVertices, seed);
    }
  });

  it("ends with its end slot only, or without a slot in any case", () => {
    const clipping = new SkeletonClipping();
    const clip = clipOf({ polygon: [0, 0, 0, 10, 10, 10, 10, 0], inverse: false, convex: false });
    const end = { data: { name: "end" } } as unknown as Slot;
    clip.endSlot = end.data;
    clipping.clipStart(skeleton, slot, clip);
    clipping.clipEnd(slot);
    expect(clipping.isClipping()).toBe(true);
    clipping.clipEnd(end);
    expect(clipping.isClipping()).toBe(false);
    clip.endSlot = null;
    clipping.clipStart(skeleton, slot, clip);
    clipping.clipEnd(end);
    expect(clipping.isClipping()).toBe(true);
    clipping.clipEnd();
    expect(clipping.isClipping()).toBe(false);
  });

  it("stays finite for triangles without area", () => {
    const clipping = new SkeletonClipping();
    clipping.clipStart(skeleton, slot, clipOf({ polygon: [0, 0, 0, 10, 10, 10, 10, 0], inverse: false, convex: false }));
    clipping.clipTrianglesUnpacked([5, 5, 15, 5, 15, 5], 0, [0, 1, 2], 3, [0, 0, 1, 0, 1, 1]);
    for (const value of [...clipping.clippedVerticesTyped, ...clipping.clippedUVsTyped]) expect(Number.isFinite(value)).toBe(true);
  });
});

function near(found: ArrayLike<number>, expected: ArrayLike<number>, seed: number): void {
  expect(found.length, `length, seed ${seed}`).toBe(expected.length);
  for (let i = 0; i < found.length; i++) {
    // Results are single precision of coordinates up to 240; thin triangles lose a few digits more in texture coordinates.
    if (!(Math.abs(found[i]! - expected[i]!) <= 1e-3)) expect.fail(`element ${i}: ${found[i]}, expected ${expected[i]}, seed ${seed}`);
  }
}
