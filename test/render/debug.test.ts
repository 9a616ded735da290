import { describe, expect, it } from "vitest";
import { DEBUG_COLORS, debugSkeleton, LineBuffer } from "../../src/render/index.js";
import { orthographic } from "../../src/render/gl/program.js";
import * as spine from "../../src/spine/index.js";
import { smallRig } from "../spine/model/rigs.js";

/** Ends of the lines of one colour. */
function linesOf(lines: LineBuffer, color: number): number[][] {
  const wanted = new DataView(new ArrayBuffer(4));
  wanted.setUint32(0, color);
  const swapped = wanted.getUint32(0, true);
  return Array.from({ length: lines.lineCount }, (_, i) => i).filter((i) => lines.colors[i] === swapped)
    .map((i) => [...lines.positions.subarray(i * 4, i * 4 + 4)]);
}

describe("LineBuffer", () => {
  it("keeps colours as bytes r, g, b, a and grows as needed", () => {
    const lines = new LineBuffer();
    for (let i = 0; i < 1000; i++) lines.line(i, 0, i, 1, 0x11223344);
    expect(lines.lineCount).toBe(1000);
    expect([...new Uint8Array(lines.colors.buffer, 999 * 4, 4)]).toEqual([0x11, 0x22, 0x33, 0x44]);
    expect([...lines.positions.subarray(999 * 4, 1000 * 4)]).toEqual([999, 0, 999, 1]);
    lines.clear();
    expect(lines.lineCount).toBe(0);
  });

  it("ends a curve where its last point is", () => {
    const lines = new LineBuffer();
    lines.curve(0, 0, 1, 2, 3, 2, 4, 0, 0xffffffff, 7);
    expect(lines.lineCount).toBe(7);
    expect(lines.positions[26]).toBeCloseTo(4, 6);
    expect(lines.positions[27]).toBeCloseTo(0, 6);
  });
});

describe("debugSkeleton", () => {
  const skeleton = new spine.Skeleton(smallRig());
  skeleton.updateWorldTransform(spine.Physics.none);
  const drawn = (options: object): LineBuffer => {
    const lines = new LineBuffer();
    debugSkeleton(skeleton, lines, options);
    return lines;
  };

  it("draws nothing where no layer is chosen", () => {
    expect(drawn({}).lineCount).toBe(0);
  });

  it("draws each layer in its colour and only that", () => {
    const layers = { regions: "region", meshes: "mesh", hulls: "hull", paths: "path", clips: "clip", boxes: "box", points: "point", bones: "bone", bounds: "bounds" } as const;
    for (const [layer, color] of Object.entries(layers)) {
      const lines = drawn({ [layer]: true });
      expect(linesOf(lines, DEBUG_COLORS[color]).length, layer).toBeGreaterThan(0);
      const others = Object.entries(layers).filter(([other]) => other !== layer);
      for (const [other, otherColor] of others) expect(linesOf(lines, DEBUG_COLORS[otherColor]).length, `${layer} draws ${other}`).toBe(0);
    }
  });

  it("puts the quad of a region where its vertices are", () => {
    // The hand is at (30, 0), the image 8 x 4.
    const corners = linesOf(drawn({ regions: true }), DEBUG_COLORS.region).map(([x, y]) => [x, y]);
    expect(corners).toEqual([[26, -2], [26, 2], [34, 2], [34, -2]]);
  });

  it("closes the clip polygon and draws three edges per triangle", () => {
    expect(linesOf(drawn({ clips: true }), DEBUG_COLORS.clip)).toHaveLength(4);
    expect(linesOf(drawn({ meshes: true }), DEBUG_COLORS.mesh)).toHaveLength(9);
  });
});

describe("orthographic", () => {
  it("maps the corners of the rectangle to those of clip space", () => {
    const m = orthographic(10, 20, 200, 100);
    const map = (x: number, y: number): number[] => [m[0]! * x + m[12]!, m[5]! * y + m[13]!];
    expect(map(110, 70)[0]).toBeCloseTo(1, 6);
    expect(map(110, 70)[1]).toBeCloseTo(1, 6);
    expect(map(-90, -30)[0]).toBeCloseTo(-1, 6);
    expect(map(-90, -30)[1]).toBeCloseTo(-1, 6);
  });
});
