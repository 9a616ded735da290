import { describe, expect, it } from "vitest";
import { LineWeights, PlaneWeights } from "../../../src/anim/graph/blend-space.js";
import { BandWeights } from "../../../src/anim/graph/gradient-band.js";
import { inCircle, orientation } from "../../../src/anim/graph/predicates.js";
import { AnimGraph } from "../../../src/anim/index.js";
import { golden } from "../rig/golden.js";
import { cast } from "./characters.js";
import fc, { runs } from "../../properties.js";

const data = golden("blendspace-golden.json");

function expectWeights(found: Float64Array, wanted: number[]): void {
  expect(found.length).toBe(wanted.length);
  for (let i = 0; i < wanted.length; i++) expect(Math.abs(found[i]! - wanted[i]!), `weight ${i}`).toBeLessThanOrEqual(data.tolerance);
}

describe("blend space weights by gradient bands", () => {
  it("are those of the golden file", () => {
    let queries = 0;
    for (const { points, queries: all } of data.gradientBand.cases) {
      const band = new BandWeights(false), out = new Float64Array(points.length);
      band.build(points.map((p: number[]) => p[0]), points.map((p: number[]) => p[1]));
      for (const query of all) {
        band.at.set(query.x);
        band.weighHere(out);
        expectWeights(out, query.weights);
        queries++;
      }
    }
    expect(queries).toBeGreaterThan(20);
  });

  it("are at least 0, sum to 1 and are exact at points, directional or not, for any set", () => {
    const number = fc.double({ min: -10, max: 10, noNaN: true });
    fc.assert(fc.property(fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 9 }), number, number, fc.boolean(), (points, x, y, directional) => {
      const band = new BandWeights(directional), out = new Float64Array(points.length);
      band.build(points.map(([a]) => a), points.map(([, b]) => b));
      band.at.set([x, y]);
      band.weighHere(out);
      expect(out.every((w) => w >= 0)).toBe(true);
      expect(out.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
      // At a point that is far enough from all others.
      const alone = points.findIndex(([a, b], i) => Math.hypot(a, b) > 1 && points.every(([c, d], j) => i === j || (Math.hypot(a - c, b - d) > 0.1 && Math.abs(a * d - b * c) > 0.1)));
      if (alone < 0) return;
      band.at.set(points[alone]!);
      band.weighHere(out);
      expect(out[alone]).toBeCloseTo(1, 6);
    }));
  });

  it("directional: between two strafes of one speed the weights go by the angle, and an idle at the origin by the speed", () => {
    const band = new BandWeights(true), out = new Float64Array(4);
    band.build([0, 0, 2, -2], [0, 2, 0, 0]);
    band.at.set([2 * Math.sin(0.3), 2 * Math.cos(0.3)]);
    band.weighHere(out);
    expect(out[0]).toBeCloseTo(0, 9);
    expect(out[2]! / (out[1]! + out[2]!)).toBeCloseTo(0.3 / (Math.PI / 2), 6);
    band.at.set([0, 1]);
    band.weighHere(out);
    expect(out[0]).toBeGreaterThan(0.3);
    band.at.set([0, 0]);
    band.weighHere(out);
    expect(out[0]).toBeCloseTo(1, 9);
  });
});

describe("a graph's blend space on a plane", () => {
  it("changes its mode at any time, for all instances, and keeps it in JSON", () => {
    const { skeleton, clips, find } = cast(4), graph = new AnimGraph(skeleton), space = graph.addBlendSpace2D();
    for (const [i, [x, y]] of [[-1, -1], [1, -1], [1, 1], [-1, 1]].entries()) graph.addBlendSpace2DPoint(space, x!, y!, graph.addClip(clips[i]!));
    graph.setPosition2D(space, 0.3, 0.2);
    graph.update(0.1);
    const twin = graph.instantiate(), weights = (of: AnimGraph): number[] => [0, 1, 2, 3].map((point) => of.getPointWeight(space, point));
    twin.update(0.1);
    expect([graph.getBlendSpaceMode(space), Math.min(...weights(graph))]).toEqual(["delaunay", 0]);
    graph.setBlendSpaceMode(space, "gradientBand");
    for (const of of [graph, twin]) {
      of.update(0.1);
      [0.20588235, 0.23529411, 0.35294117, 0.20588235].forEach((w, i) => expect(weights(of)[i]).toBeCloseTo(w, 6));
    }
    const copy = AnimGraph.fromJSON(JSON.parse(JSON.stringify(graph.toJSON())), skeleton, find);
    expect([copy.getBlendSpaceMode(space), copy.toJSON()]).toEqual(["gradientBand", graph.toJSON()]);
    expect(() => graph.setBlendSpaceMode(space, "voronoi" as never)).toThrow(/"gradientBand"/);
    expect(() => graph.setBlendSpaceMode(0 === space ? 1 : 0, "gradientBand")).toThrow(/2D blend space/);
  });
});

describe("blend space weights", () => {
  it("are those of the golden file in one dimension", () => {
    let queries = 0;
    for (const { points, queries: all } of data.oneD.cases) {
      const line = new LineWeights(), out = new Float64Array(points.length);
      line.build(points);
      for (const query of all) {
        line.weigh(query.x, out);
        expectWeights(out, query.weights);
        queries++;
      }
    }
    expect(queries).toBe(60);
  });

  it("are those of the golden file in two dimensions, triangles included", () => {
    let queries = 0;
    const key = (t: number[]): string[] => {
      const keys: string[] = [];
      for (let i = 0; i < t.length; i += 3) keys.push(t.slice(i, i + 3).sort((a, b) => a - b).join());
      return keys.sort();
    };
    for (const { points, triangles, queries: all } of data.twoD.cases) {
      const plane = new PlaneWeights(), out = new Float64Array(points.length);
      plane.build(points.map((p: number[]) => p[0]), points.map((p: number[]) => p[1]));
      expect(key(plane.triangles)).toEqual(key(triangles.flat()));
      for (const query of all) {
        plane.weigh(query.x[0], query.x[1], out);
        expectWeights(out, query.weights);
        queries++;
      }
    }
    expect(queries).toBe(144);
  });

  it("take the later of two inner points at one position", () => {
    const line = new LineWeights(), out = new Float64Array(4);
    line.build([0, 1, 1, 2]);
    line.weigh(1, out);
    expect([...out]).toEqual([0, 0, 1, 0]);
    line.weigh(0.5, out);
    expect([...out]).toEqual([0.5, 0.5, 0, 0]);
  });
});

// Grids and lines come up often, with points on top of each other.
const coordinate = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -10, max: 10, noNaN: true }), fc.constantFrom(0.1, 0.2, 0.3, 0.30000000000000004, 2e-12, -1e-13, 3e-9));
const points = fc.array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 10 });
const query = fc.tuple(fc.double({ min: -15, max: 15, noNaN: true }), fc.double({ min: -15, max: 15, noNaN: true }));

function planeOf(set: [number, number][]): PlaneWeights {
  const plane = new PlaneWeights();
  plane.build(set.map((p) => p[0]), set.map((p) => p[1]));
  return plane;
}

describe("blend space invariants", () => {
  it("weights are at least 0, sum to 1, and at most three are above 0", () => {
    fc.assert(fc.property(points, query, (set, [x, y]) => {
      const out = new Float64Array(set.length).fill(7);
      planeOf(set).weigh(x, y, out);
      expect(out.every((w) => w >= 0)).toBe(true);
      expect(Math.abs(out.reduce((a, b) => a + b) - 1)).toBeLessThan(1e-12);
      expect(out.filter((w) => w > 0).length).toBeLessThanOrEqual(3);
    }), { numRuns: runs(500) });
  });

  it("a point's own position is the point", () => {
    fc.assert(fc.property(points, (set) => {
      const plane = planeOf(set), out = new Float64Array(set.length);
      for (const [x, y] of set) {
        plane.weigh(x, y, out);
        // Whichever of several points there carries the weight.
        let here = 0;
        for (let i = 0; i < set.length; i++) if (Math.hypot(set[i]![0] - x, set[i]![1] - y) < 1e-6) here += out[i]!;
        expect(here).toBeGreaterThan(1 - 1e-6);
      }
    }), { numRuns: runs(300) });
  });

  it("a point that stands for another has its place, also beside a line between others", () => {
    const out = new Float64Array(5), plane = planeOf([[1, 1], [0, 0], [-1, -1], [0, -1], [2e-12, 0]]);
    plane.weigh(0, 0, out);
    expect([...out]).toEqual([0, 0, 0, 0, 1]);
  });

  it("inside the hull the weighted points meet at the position", () => {
    fc.assert(fc.property(points, fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 10, maxLength: 10 }), (set, shares) => {
      const sum = set.reduce((a, _, i) => a + shares[i]!, 0);
      const x = set.reduce((a, p, i) => a + (p[0] * shares[i]!) / sum, 0), y = set.reduce((a, p, i) => a + (p[1] * shares[i]!) / sum, 0);
      const out = new Float64Array(set.length);
      planeOf(set).weigh(x, y, out);
      expect(Math.hypot(set.reduce((a, p, i) => a + p[0] * out[i]!, 0) - x, set.reduce((a, p, i) => a + p[1] * out[i]!, 0) - y)).toBeLessThan(1e-6);
    }), { numRuns: runs(500) });
  });

  it("what is blended moves continuously with the position", () => {
    fc.assert(fc.property(points, query, fc.double({ min: 0, max: 7, noNaN: true }), (set, [x, y], angle) => {
      const plane = planeOf(set), out = new Float64Array(set.length), mean = (): [number, number] =>
        [set.reduce((a, p, i) => a + p[0] * out[i]!, 0), set.reduce((a, p, i) => a + p[1] * out[i]!, 0)];
      plane.weigh(x, y, out);
      const before = mean();
      plane.weigh(x + 1e-5 * Math.cos(angle), y + 1e-5 * Math.sin(angle), out);
      const after = mean();
      // The nearest point of a convex set moves no farther than the position.
      expect(Math.hypot(after[0] - before[0], after[1] - before[1])).toBeLessThan(1.1e-5);
    }), { numRuns: runs(500) });
  });

  it("the triangles tile the hull and no point is inside a circle", () => {
    fc.assert(fc.property(fc.array(fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -4, max: 4 })), { minLength: 3, maxLength: 12 }), (set) => {
      const t = planeOf(set).triangles;
      for (let i = 0; i < t.length; i += 3) {
        const [a, b, c] = [set[t[i]!]!, set[t[i + 1]!]!, set[t[i + 2]!]!];
        expect(orientation(...a, ...b, ...c)).toBe(1);
        for (const d of set) expect(inCircle(...a, ...b, ...c, ...d)).toBeLessThanOrEqual(0);
      }
      let area = 0;
      for (let i = 0; i < t.length; i += 3) {
        const [a, b, c] = [set[t[i]!]!, set[t[i + 1]!]!, set[t[i + 2]!]!];
        area += (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
      }
      expect(area).toBe(hullArea(set));
    }), { numRuns: runs(300) });
  });

  it("extreme sets stay finite", () => {
    for (const size of [1e-300, 1e-30, 1, 1e30]) {
      const out = new Float64Array(4), plane = planeOf([[0, 0], [size, 0], [0, size], [size, size]]);
      for (const at of [0, size / 3, size, -1e300, 1e300]) {
        plane.weigh(at, at, out);
        expect(Math.abs(out.reduce((a, b) => a + b) - 1)).toBeLessThan(1e-12);
      }
    }
  });
});

describe("exact predicates", () => {
  it("see what doubles cannot", () => {
    expect(orientation(0, 0, 1e-300, 1e-300, 3e-300, 3e-300)).toBe(0);
    expect(orientation(0.1, 0.1, 0.2, 0.2, 0.30000000000000004, 0.3)).toBe(-1);
    expect(inCircle(0, 0, 1, 0, 1, 1, 0, 1)).toBe(0);
    expect(inCircle(0, 0, 1, 0, 1, 1, 0, 1 - 2 ** -53)).toBe(1);
    expect(inCircle(0, 0, 1, 0, 1, 1, 0, 1 + 2 ** -52)).toBe(-1);
  });
});

/** Twice the area of the convex hull, by the monotone chain. */
function hullArea(set: [number, number][]): number {
  const sorted = [...set].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (list: [number, number][]): [number, number][] => {
    const out: [number, number][] = [];
    for (const p of list) {
      while (out.length > 1 && orientation(...out[out.length - 2]!, ...out[out.length - 1]!, ...p) <= 0) out.pop();
      out.push(p);
    }
    return out.slice(0, -1);
  };
  const hull = [...chain(sorted), ...chain(sorted.reverse())];
  return hull.reduce((a, p, i) => {
    const q = hull[(i + 1) % hull.length]!;
    return a + p[0] * q[1] - q[0] * p[1];
  }, 0);
}
