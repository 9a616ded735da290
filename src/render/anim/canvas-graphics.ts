import type { DrawItem2D, GraphicsLike, RawImage, Rgba, TextureLike, TrailMesh } from "../../anim/module/host.js";
import { TintedImages } from "../canvas/tinted-images.js";
import { inDrawOrder, quadCorners } from "./item-order.js";

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
type Image = (HTMLCanvasElement | OffscreenCanvas | ImageBitmap | HTMLImageElement) & { width: number; height: number };

const BLENDS = { normal: "source-over", additive: "lighter", multiply: "multiply", screen: "screen" } as const;
const QUAD = [0, 1, 2, 0, 2, 3];

/** A picture that `CanvasGraphics` draws. */
export class CanvasImage implements TextureLike {
  constructor(readonly image: Image) {}

  getWidth(): number {
    return this.image.width;
  }

  getHeight(): number {
    return this.image.height;
  }
}

/** Draws what the animation module has to show on a 2D canvas. Textures must be `CanvasImage`s. */
export class CanvasGraphics implements GraphicsLike {
  readonly #context: Context;
  readonly #tints = new TintedImages();
  readonly #positions = new Float32Array(8);
  readonly #uvs = new Float32Array(8);

  constructor(context: Context) {
    this.#context = context;
  }

  newTextureFromImage(image: RawImage): CanvasImage {
    const { width, height } = image;
    const canvas = typeof OffscreenCanvas === "undefined" ? Object.assign(document.createElement("canvas"), { width, height }) : new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d") as Context;
    context.putImageData(new ImageData(new Uint8ClampedArray(image.data), width, height), 0, 0);
    return new CanvasImage(canvas);
  }

  drawSolidRect(x: number, y: number, width: number, height: number, color: Rgba): void {
    this.#context.fillStyle = css(color.r, color.g, color.b, color.a);
    this.#context.fillRect(x, y, width, height);
  }

  /** Triangles, each in the mean of its corners' colours. */
  drawTriangles({ positions, colors, indices, indexCount }: TrailMesh): void {
    const context = this.#context;
    for (let i = 0; i < indexCount; i += 3) {
      const a = indices[i]!;
      const b = indices[i + 1]!;
      const c = indices[i + 2]!;
      const mean = (k: number): number => (colors[a * 4 + k]! + colors[b * 4 + k]! + colors[c * 4 + k]!) / 3;
      context.fillStyle = css(mean(0), mean(1), mean(2), mean(3));
      context.beginPath();
      context.moveTo(positions[a * 2]!, positions[a * 2 + 1]!);
      context.lineTo(positions[b * 2]!, positions[b * 2 + 1]!);
      context.lineTo(positions[c * 2]!, positions[c * 2 + 1]!);
      context.fill();
    }
  }

  drawItems(items: readonly DrawItem2D[]): void {
    const context = this.#context;
    for (const item of inDrawOrder(items)) {
      if (!(item.texture instanceof CanvasImage) || item.color.a <= 0) continue;
      context.save();
      context.globalAlpha *= Math.min(1, item.color.a);
      context.globalCompositeOperation = BLENDS[item.blend];
      const image = this.#tinted(item.texture.image, item);
      if (item.kind === "mesh") {
        this.#triangles(image, item.texture, item.positions!, item.uvs!, item.indices!);
      } else {
        quadCorners(item, this.#positions, this.#uvs);
        this.#triangles(image, item.texture, this.#positions, this.#uvs, QUAD);
      }
      context.restore();
    }
  }

  #tinted(image: Image, { color, darkColor }: DrawItem2D): CanvasImageSource {
    const light = pack(color);
    const dark = darkColor === undefined ? 0 : pack(darkColor);
    return light === 0xffffff && dark === 0 ? image : this.#tints.get(image as never, light, dark);
  }

  /** Textured triangles: each is a clip and the affine map that takes its corners from the texture to the canvas. */
  #triangles(image: CanvasImageSource, texture: TextureLike, positions: ArrayLike<number>, uvs: ArrayLike<number>, indices: ArrayLike<number>): void {
    const context = this.#context;
    const width = texture.getWidth();
    const height = texture.getHeight();
    for (let i = 0; i < indices.length; i += 3) {
      const [a, b, c] = [indices[i]!, indices[i + 1]!, indices[i + 2]!];
      const x0 = positions[a * 2]!, y0 = positions[a * 2 + 1]!, u0 = uvs[a * 2]! * width, v0 = uvs[a * 2 + 1]! * height;
      const x1 = positions[b * 2]! - x0, y1 = positions[b * 2 + 1]! - y0, u1 = uvs[b * 2]! * width - u0, v1 = uvs[b * 2 + 1]! * height - v0;
      const x2 = positions[c * 2]! - x0, y2 = positions[c * 2 + 1]! - y0, u2 = uvs[c * 2]! * width - u0, v2 = uvs[c * 2 + 1]! * height - v0;
      const det = u1 * v2 - u2 * v1;
      if (det === 0) continue;
      const m11 = (x1 * v2 - x2 * v1) / det, m12 = (y1 * v2 - y2 * v1) / det;
      const m21 = (x2 * u1 - x1 * u2) / det, m22 = (y2 * u1 - y1 * u2) / det;
      context.save();
      context.beginPath();
      // Half a pixel more on each side, or neighbours would show a seam.
      const cx = x0 + (x1 + x2) / 3, cy = y0 + (y1 + y2) / 3;
      for (const [x, y] of [[x0, y0], [x0 + x1, y0 + y1], [x0 + x2, y0 + y2]] as const) {
        const length = Math.hypot(x - cx, y - cy) || 1;
        context.lineTo(x + ((x - cx) / length) * 0.5, y + ((y - cy) / length) * 0.5);
      }
      context.closePath();
      context.clip();
      context.transform(m11, m12, m21, m22, x0 - m11 * u0 - m21 * v0, y0 - m12 * u0 - m22 * v0);
      context.drawImage(image, 0, 0);
      context.restore();
    }
  }
}

function pack({ r, g, b }: Rgba): number {
  const byte = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 255);
  return (byte(r) << 16) | (byte(g) << 8) | byte(b);
}

function css(r: number, g: number, b: number, a: number): string {
  const byte = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 255);
  return `rgba(${byte(r)},${byte(g)},${byte(b)},${Math.min(1, Math.max(0, a))})`;
}
