import { describe, expect, it } from "vitest";
import type { DrawItem2D } from "../../../src/anim/module/host.js";
import { CanvasGraphics, CanvasImage } from "../../../src/render/anim/canvas-graphics.js";
import { inDrawOrder, quadCorners } from "../../../src/render/anim/item-order.js";

const item = (more: Partial<DrawItem2D> = {}): DrawItem2D => ({
  kind: "quad", x: 10, y: 20, w: 40, h: 20, rotation: 0, depthY: 0, layer: 0, order: 0, hasOrder: true, color: { r: 1, g: 1, b: 1, a: 1 }, blend: "normal", premultiplied: false,
  texture: new CanvasImage({ width: 100, height: 50 } as never), hasUV: true, rotatedUV: false, u0: 0.1, v0: 0.2, u1: 0.5, v1: 0.6, ...more,
});

/** A context that follows the transformation and notes where texels come to lie. */
function fakeContext(): { context: never; drawn: { corners: number[][]; alpha: number; operation: string }[] } {
  const drawn: { corners: number[][]; alpha: number; operation: string }[] = [];
  let matrix = [1, 0, 0, 1, 0, 0];
  const stack: { matrix: number[]; alpha: number; operation: string }[] = [];
  const context = {
    globalAlpha: 1, globalCompositeOperation: "source-over", fillStyle: "",
    save() { stack.push({ matrix, alpha: this.globalAlpha, operation: this.globalCompositeOperation }); },
    restore() {
      const top = stack.pop()!;
      matrix = top.matrix;
      this.globalAlpha = top.alpha;
      this.globalCompositeOperation = top.operation;
    },
    beginPath() {}, closePath() {}, clip() {}, moveTo() {}, lineTo() {}, fill() {}, fillRect() {},
    transform(a: number, b: number, c: number, d: number, e: number, f: number) {
      const m = matrix;
      matrix = [m[0]! * a + m[2]! * b, m[1]! * a + m[3]! * b, m[0]! * c + m[2]! * d, m[1]! * c + m[3]! * d, m[0]! * e + m[2]! * f + m[4]!, m[1]! * e + m[3]! * f + m[5]!];
    },
    drawImage() {
      const place = (x: number, y: number): number[] => [matrix[0]! * x + matrix[2]! * y + matrix[4]!, matrix[1]! * x + matrix[3]! * y + matrix[5]!];
      drawn.push({ corners: [place(10, 10), place(50, 10), place(50, 30), place(10, 30)], alpha: this.globalAlpha, operation: this.globalCompositeOperation });
    },
  };
  return { context: context as never, drawn };
}

describe("graphics for the animation module", () => {
  it("give quads their corners, turned about the centre", () => {
    const positions = new Float32Array(8);
    const uvs = new Float32Array(8);
    quadCorners(item(), positions, uvs);
    expect([...positions]).toEqual([10, 20, 50, 20, 50, 40, 10, 40]);
    expect([...uvs].map((value) => Math.round(value * 10) / 10)).toEqual([0.1, 0.2, 0.5, 0.2, 0.5, 0.6, 0.1, 0.6]);
    quadCorners(item({ rotation: 90, rotatedUV: true }), positions, uvs);
    expect([...positions].map(Math.round)).toEqual([40, 10, 40, 50, 20, 50, 20, 10]);
    // Packed counter-clockwise: the top left corner of the picture lies bottom left in the page.
    expect([...uvs].map((value) => Math.round(value * 10) / 10)).toEqual([0.1, 0.6, 0.1, 0.2, 0.5, 0.2, 0.5, 0.6]);
  });

  it("sort by layer and keep the order inside", () => {
    const items = [item({ layer: 1, order: 0 }), item({ layer: 0, order: 0 }), item({ layer: 1, order: 1 })];
    expect(inDrawOrder(items).map(({ layer, order }) => [layer, order])).toEqual([[0, 0], [1, 0], [1, 1]]);
    expect(items[0]!.layer).toBe(1);
  });

  it("map the texture's rectangle onto the quad's corners on a canvas", () => {
    const { context, drawn } = fakeContext();
    new CanvasGraphics(context).drawItems([item({ rotation: 30, color: { r: 1, g: 1, b: 1, a: 0.5 }, blend: "additive" })]);
    const positions = new Float32Array(8);
    quadCorners(item({ rotation: 30 }), positions, new Float32Array(8));
    expect(drawn).toHaveLength(2);
    for (const { corners, alpha, operation } of drawn) {
      expect([alpha, operation]).toEqual([0.5, "lighter"]);
      corners.forEach(([x, y], i) => {
        expect(Math.abs(x! - positions[i * 2]!)).toBeLessThan(1e-3);
        expect(Math.abs(y! - positions[i * 2 + 1]!)).toBeLessThan(1e-3);
      });
    }
  });
});
