/** Run in Chromium: draws scenes with both hosts and reports how far apart the pictures are. */
import type { DrawItem2D, GraphicsLike, RawImage, Rgba, TextureLike } from "../../../src/anim/module/host.js";
import { CanvasGraphics } from "../../../src/render/anim/canvas-graphics.js";
import { GlGraphics } from "../../../src/render/anim/gl-graphics.js";

const WIDTH = 160;
const HEIGHT = 120;
const BACK: Rgba = { r: 0.25, g: 0.3, b: 0.2, a: 1 };
const WHITE: Rgba = { r: 1, g: 1, b: 1, a: 1 };

/** Four flat quarters of 32 x 32 texels, so that filters agree everywhere but at their seams. */
function checkers(alpha: number, premultiplied: boolean): RawImage {
  const data = new Uint8Array(64 * 64 * 4);
  for (let y = 0; y < 64; y++) {
    for (let x = 0; x < 64; x++) {
      const color = [[230, 60, 40], [40, 200, 80], [50, 90, 240], [240, 220, 60]][(x >> 5) + 2 * (y >> 5)]!;
      for (let c = 0; c < 3; c++) data[(y * 64 + x) * 4 + c] = premultiplied ? Math.round((color[c]! * alpha) / 255) : color[c]!;
      data[(y * 64 + x) * 4 + 3] = alpha;
    }
  }
  return { width: 64, height: 64, data };
}

const quad = (texture: TextureLike, more: Partial<DrawItem2D>): DrawItem2D => ({
  kind: "quad", x: 30, y: 20, w: 96, h: 72, rotation: 0, depthY: 0, layer: 0, order: 0, hasOrder: true, color: WHITE, blend: "normal", premultiplied: false,
  texture, hasUV: true, rotatedUV: false, u0: 0, v0: 0, u1: 1, v1: 1, ...more,
});

type Host = Required<Omit<GraphicsLike, "newTextureFromImage">> & { newTextureFromImage(image: RawImage, name: string): TextureLike };

const scenes: Record<string, (host: Host) => void> = {
  "rectangles": (host) => {
    host.drawSolidRect(10, 10, 60, 40, { r: 1, g: 0, b: 0, a: 1 });
    host.drawSolidRect(40, 30, 80, 60, { r: 0, g: 0.5, b: 1, a: 0.5 });
  },
  "triangles of one colour": (host) => host.drawTriangles({
    positions: new Float32Array([20, 20, 140, 30, 130, 100, 30, 90]), colors: new Float32Array(Array.from({ length: 4 }, () => [0.9, 0.4, 0.1, 0.6]).flat()),
    uvs: new Float32Array(8), indices: new Uint32Array([0, 1, 2, 0, 2, 3]), vertexCount: 4, indexCount: 6,
  }),
  "an upright quad": (host) => host.drawItems([quad(host.newTextureFromImage(checkers(255, false), "a"), {})]),
  "a turned, translucent quad": (host) => host.drawItems([quad(host.newTextureFromImage(checkers(255, false), "a"), { rotation: 30, color: { ...WHITE, a: 0.5 } })]),
  "a tinted quad": (host) => host.drawItems([quad(host.newTextureFromImage(checkers(255, false), "a"), { color: { r: 1, g: 0.5, b: 0.25, a: 1 } })]),
  "a region that is packed on its side": (host) => host.drawItems([quad(host.newTextureFromImage(checkers(255, false), "a"), { rotatedUV: true, u1: 0.5 })]),
  "an additive quad": (host) => host.drawItems([quad(host.newTextureFromImage(checkers(255, false), "a"), { blend: "additive", color: { ...WHITE, a: 0.5 } })]),
  "a multiplied quad": (host) => host.drawItems([quad(host.newTextureFromImage(checkers(255, false), "a"), { blend: "multiply" })]),
  "a screened quad": (host) => host.drawItems([quad(host.newTextureFromImage(checkers(255, false), "a"), { blend: "screen" })]),
  "a translucent texture": (host) => host.drawItems([quad(host.newTextureFromImage(checkers(128, false), "a"), {})]),
  "a mesh": (host) => host.drawItems([quad(host.newTextureFromImage(checkers(255, false), "a"), {
    kind: "mesh", positions: new Float32Array([30, 20, 130, 30, 120, 100, 20, 90]), uvs: new Float32Array([0, 0, 1, 0, 1, 1, 0, 1]), indices: new Uint16Array([0, 1, 2, 0, 2, 3]),
  })]),
  "two layers and two textures": (host) => {
    const [one, other] = [host.newTextureFromImage(checkers(255, false), "a"), host.newTextureFromImage(checkers(200, false), "b")];
    host.drawItems([quad(one, { layer: 2, x: 60 }), quad(other, { layer: 1, y: 40 }), quad(one, { layer: 3, w: 20, h: 20 })]);
  },
};

/** Mean difference of a channel in steps of 1/255, and the share of pixels that differ by more than 12. */
function differences(a: Uint8ClampedArray | Uint8Array, b: Uint8ClampedArray | Uint8Array): { mean: number; far: number; drawn: number } {
  let sum = 0, far = 0, drawn = 0;
  for (let i = 0; i < a.length; i += 4) {
    let most = 0;
    for (let c = 0; c < 3; c++) {
      const d = Math.abs(a[i + c]! - b[i + c]!);
      sum += d;
      most = Math.max(most, d);
    }
    if (most > 12) far++;
    if (Math.abs(a[i]! - a[0]!) + Math.abs(a[i + 1]! - a[1]!) + Math.abs(a[i + 2]! - a[2]!) > 12) drawn++;
  }
  return { mean: sum / (a.length * 0.75), far: far / (a.length / 4), drawn: drawn / (a.length / 4) };
}

function compare(): Record<string, { mean: number; far: number; drawn: number }> {
  const flat = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  const deep = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  const context = flat.getContext("2d", { willReadFrequently: true })!;
  const gl = deep.getContext("webgl2", { preserveDrawingBuffer: true })!;
  const canvasHost = new CanvasGraphics(context) as unknown as Host;
  const glHost = new GlGraphics(gl);
  const result: Record<string, { mean: number; far: number; drawn: number }> = {};
  for (const [name, draw] of Object.entries(scenes)) {
    for (const host of [canvasHost, glHost as unknown as Host]) {
      host.drawSolidRect(0, 0, WIDTH, HEIGHT, BACK);
      draw(host);
    }
    glHost.flush();
    const raw = new Uint8Array(WIDTH * HEIGHT * 4);
    gl.readPixels(0, 0, WIDTH, HEIGHT, gl.RGBA, gl.UNSIGNED_BYTE, raw);
    const upright = new Uint8Array(raw.length);
    for (let y = 0; y < HEIGHT; y++) upright.set(raw.subarray(y * WIDTH * 4, (y + 1) * WIDTH * 4), (HEIGHT - 1 - y) * WIDTH * 4);
    result[name] = differences(context.getImageData(0, 0, WIDTH, HEIGHT).data, upright);
  }
  const error = gl.getError();
  glHost.dispose();
  if (error !== 0) throw new Error(`WebGL reports error ${error}`);
  return result;
}

(globalThis as { compare?: typeof compare }).compare = compare;
