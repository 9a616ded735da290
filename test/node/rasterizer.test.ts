import { describe, expect, it } from "vitest";
import { ArgumentError, RangeMismatchError } from "../../src/errors.js";
import { Rasterizer, type TriangleBatch } from "../../src/node/rasterizer.js";
import { RasterTexture } from "../../src/node/raster-texture.js";
import fc, { runs } from "../properties.js";

const IDENTITY = { scaleX: 1, scaleY: 1, offsetX: 0, offsetY: 0 };

/** A texture of one colour, straight alpha. */
const plain = (r: number, g: number, b: number, a: number) =>
  new RasterTexture({ width: 2, height: 2, data: Uint8Array.from({ length: 16 }, (_, i) => [r, g, b, a][i % 4]!) });
const WHITE = plain(255, 255, 255, 255);

function batchOf(positions: number[], indices: number[], options: Partial<TriangleBatch> & { color?: number; dark?: number } = {}): TriangleBatch {
  const count = positions.length / 2;
  return {
    positions,
    uvs: options.uvs ?? positions.map(() => 0.5),
    colors: options.colors ?? Array.from({ length: count }, () => options.color ?? 0xffffffff),
    darkColors: options.darkColors ?? Array.from({ length: count }, () => options.dark ?? 0),
    indices,
    numIndices: indices.length,
    blendMode: options.blendMode ?? 0,
  };
}

const square = (size: number) => [0, 0, size, 0, size, size, 0, size];
const QUAD = [0, 1, 2, 2, 3, 0];

describe("coverage", () => {
  it("gives every pixel of a fan of triangles to exactly one of them", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 }), fc.double({ min: 8, max: 24, noNaN: true }), (spread, cx) => {
        // A ring around an inner point: together the triangles tile the ring's polygon.
        const positions = [cx, 16.3];
        spread.forEach((s, i) => {
          const angle = ((i + s * 0.9) / 12) * 2 * Math.PI;
          positions.push(16 + 15 * Math.cos(angle), 16 + 15 * Math.sin(angle));
        });
        const indices = Array.from({ length: 12 }, (_, i) => [0, i + 1, ((i + 1) % 12) + 1]).flat();
        const raster = new Rasterizer(32, 32);
        raster.draw(batchOf(positions, indices, { color: 0x40ffffff, blendMode: 1 }), WHITE, IDENTITY);
        const one = 0x40 / 255;
        for (let i = 3; i < raster.pixels.length; i += 4) {
          const alpha = raster.pixels[i]!;
          expect(alpha === 0 || Math.abs(alpha - one) < 1e-6).toBe(true);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it("covers exactly the pixels whose centres lie inside, whatever the winding", () => {
    for (const indices of [QUAD, [2, 1, 0, 0, 3, 2]]) {
      const raster = new Rasterizer(8, 8);
      raster.draw(batchOf([1.5, 1.5, 5.5, 1.5, 5.5, 4.5, 1.5, 4.5], indices), WHITE, IDENTITY);
      const on = [...raster.pixels].filter((_, i) => i % 4 === 3 && raster.pixels[i]! > 0).length;
      expect(on).toBe(4 * 3);
    }
  });

  it("ignores flat, endless and unordered triangles and what lies outside the picture", () => {
    const raster = new Rasterizer(8, 8);
    raster.draw(batchOf([0, 0, 4, 4, 8, 8], [0, 1, 2]), WHITE, IDENTITY);
    raster.draw(batchOf([Number.NaN, 0, 4, 4, 8, 0], [0, 1, 2]), WHITE, IDENTITY);
    raster.draw(batchOf([Number.POSITIVE_INFINITY, 0, 4, 4, 8, 0], [0, 1, 2]), WHITE, IDENTITY);
    raster.draw(batchOf([-50, -50, -40, -50, -45, -40], [0, 1, 2]), WHITE, IDENTITY);
    expect(raster.pixels.every((v) => v === 0)).toBe(true);
  });

  it("places batches by the view", () => {
    const raster = new Rasterizer(10, 10);
    raster.draw(batchOf(square(2), QUAD), WHITE, { scaleX: 2, scaleY: -2, offsetX: 3, offsetY: 9 });
    const lit = (x: number, y: number) => raster.pixels[(y * 10 + x) * 4 + 3]! > 0;
    expect([lit(3, 8), lit(6, 5), lit(2, 8), lit(7, 6), lit(3, 4)]).toEqual([true, true, false, false, false]);
  });
});

describe("texturing", () => {
  it("blends four texels in premultiplied form", () => {
    // Left texel opaque red, right texel transparent green: half way the colour stays red.
    const texture = new RasterTexture({ width: 2, height: 1, data: Uint8Array.of(255, 0, 0, 255, 0, 255, 0, 0) }, { mipLevels: 0 });
    const raster = new Rasterizer(1, 1);
    raster.draw(batchOf(square(1), QUAD, { uvs: [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5] }), texture, IDENTITY);
    expect([...raster.pixels]).toEqual([0.5, 0, 0, 0.5]);
  });

  it("continues the edge or repeats, and can take the nearest texel", () => {
    const pixels = { width: 2, height: 1, data: Uint8Array.of(255, 0, 0, 255, 0, 0, 255, 255) };
    const red = (options: object, u: number) => {
      const raster = new Rasterizer(1, 1);
      raster.draw(batchOf(square(1), QUAD, { uvs: [u, 0.5, u, 0.5, u, 0.5, u, 0.5] }), new RasterTexture(pixels, { mipLevels: 0, ...options }), IDENTITY);
      return raster.pixels[0];
    };
    expect([red({}, -3), red({}, 4)]).toEqual([1, 0]);
    expect([red({ repeatX: true }, 1.25), red({ repeatX: true }, -0.25)]).toEqual([1, 0]);
    expect([red({ nearest: true }, 0.49), red({ nearest: true }, 0.51)]).toEqual([1, 0]);
  });

  it("uses halved copies for small drawings: a fine checkerboard turns grey", () => {
    const data = new Uint8Array(64 * 64 * 4);
    for (let i = 0; i < 64 * 64; i++) data.fill(((i + (i >> 6)) & 1) * 255, i * 4, i * 4 + 3).fill(255, i * 4 + 3, i * 4 + 4);
    const raster = new Rasterizer(8, 8);
    raster.draw(batchOf(square(8), QUAD, { uvs: [0, 0, 1, 0, 1, 1, 0, 1] }), new RasterTexture({ width: 64, height: 64, data }), IDENTITY);
    for (let i = 0; i < raster.pixels.length; i += 4) expect(raster.pixels[i]).toBeCloseTo(0.5, 5);
  });
});

describe("colour", () => {
  const draw = (texture: RasterTexture, blendMode: number, color: number, dark: number, premultipliedColors = false) => {
    const raster = new Rasterizer(1, 1);
    raster.clear(0.5, 0.25, 1, 1);
    raster.draw(batchOf(square(1), QUAD, { blendMode, color, dark }), texture, IDENTITY, { premultipliedColors });
    return [...raster.pixels].map((v) => Math.round(v * 1e4) / 1e4);
  };
  const half = plain(204, 102, 51, 255);

  it("follows the four blend modes", () => {
    // Source: texel (0.8, 0.4, 0.2, 1) at alpha 0.6 = premultiplied (0.48, 0.24, 0.12, 0.6).
    const color = 0x99ffffff;
    expect(draw(half, 0, color, 0)).toEqual([0.68, 0.34, 0.52, 1]);
    expect(draw(half, 1, color, 0)).toEqual([0.98, 0.49, 1, 1]);
    expect(draw(half, 2, color, 0)).toEqual([0.44, 0.16, 0.52, 1]);
    expect(draw(half, 3, color, 0)).toEqual([0.74, 0.43, 1, 1]);
  });

  it("tints bright parts with the light and dark parts with the dark colour", () => {
    // out = (1 − t)·dark + t·light with light (1, 0.2, 0), dark (0, 0.4, 1).
    expect(draw(half, 0, 0xffff3300, 0x000066ff)).toEqual([0.8, 0.32, 0.8, 1]);
  });

  it("gives the same for premultiplied vertex colours", () => {
    // Light (255, 155, 50) and dark (100, 0, 200) at alpha 0.6, once plain, once multiplied.
    expect(draw(half, 0, 0x99995d1e, 0xff3c0078, true)).toEqual(draw(half, 0, 0x99ff9b32, 0x006400c8));
  });

  it("blends vertex colours across a triangle", () => {
    const raster = new Rasterizer(8, 1);
    raster.draw(batchOf([0, 0, 8, 0, 8, 1, 0, 1], QUAD, { colors: [0xff000000, 0xffffffff, 0xffffffff, 0xff000000] }), WHITE, IDENTITY);
    const reds = Array.from({ length: 8 }, (_, x) => raster.pixels[x * 4]!);
    reds.forEach((red, x) => expect(red).toBeCloseTo((x + 0.5) / 8, 5));
  });
});

describe("results and errors", () => {
  it("gives straight alpha bytes and shrinks by averaging", () => {
    const raster = new Rasterizer(2, 2);
    raster.draw(batchOf([0, 0, 1, 0, 1, 2, 0, 2], QUAD, { color: 0xffff0000 }), WHITE, IDENTITY);
    expect([...raster.toPixels().data]).toEqual([255, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255, 0, 0, 0, 0]);
    expect([...raster.toPixels(2).data]).toEqual([255, 0, 0, 128]);
  });

  it("names what is wrong", () => {
    expect(() => new Rasterizer(0, 4)).toThrow(RangeMismatchError);
    expect(() => new Rasterizer(4, 4).toPixels(0)).toThrow(RangeMismatchError);
    expect(() => new Rasterizer(4, 4).draw(batchOf(square(2), [0, 1, 9]), WHITE, IDENTITY)).toThrow(/index 2 is 9/);
    expect(() => new Rasterizer(4, 4).draw(batchOf(square(2), QUAD, { blendMode: 7 }), WHITE, IDENTITY)).toThrow(ArgumentError);
  });
});
