import { BlendMode } from "../../spine/enums.js";
import type { Skeleton } from "../../spine/model/skeleton.js";
import { type RenderCommand, SkeletonRendererCore } from "../../spine/model/skeleton-renderer-core.js";
import type { LineBuffer } from "../debug/line-buffer.js";
import { TintedImages } from "./tinted-images.js";

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const OPERATIONS: Record<number, GlobalCompositeOperation> = {
  [BlendMode.Normal]: "source-over",
  [BlendMode.Additive]: "lighter",
  [BlendMode.Multiply]: "multiply",
  [BlendMode.Screen]: "screen",
};

/**
 * Draws skeletons with Canvas2D, triangle by triangle: meshes, clipping, blend modes, one- and two-colour tint, alpha. The
 * transformation of the context maps world units to pixels: use `scale(s, -s)`, since world y points up. Each new tint copies the
 * image once. Where WebGL2 is available it is many times as fast.
 */
export class CanvasSkeletonRenderer {
  readonly context: Context;
  /** World units by which triangles overlap, so that no background shows through between them. */
  overlap = 0.35;
  readonly #core = new SkeletonRendererCore();
  readonly #tinted = new TintedImages();

  constructor(context: Context) {
    this.context = context;
  }

  /** Draws what a skeleton shows. Call it after `updateWorldTransform`. */
  draw(skeleton: Skeleton): void {
    const { context } = this;
    context.save();
    for (let command = this.#core.render(skeleton); command !== undefined; command = command.next) this.#drawCommand(command);
    context.restore();
  }

  #drawCommand(command: RenderCommand): void {
    if (command.numIndices === 0) return;
    const { context } = this;
    const image = (command.texture as { getImage(): HTMLImageElement | ImageBitmap }).getImage();
    const color = command.colors[0]!;
    context.globalCompositeOperation = OPERATIONS[command.blendMode]!;
    context.globalAlpha = (color >>> 24) / 255;
    const source = this.#tinted.get(image, color & 0xffffff, command.darkColors[0]! & 0xffffff);
    const { indices, positions, uvs } = command;
    for (let i = 0; i < command.numIndices; i += 3) {
      this.#drawTriangle(source, image.width, image.height, positions, uvs, indices[i]! * 2, indices[i + 1]! * 2, indices[i + 2]! * 2);
    }
  }

  /** Maps a triangle of the image to the canvas: solves for the affine map that takes its three corners along. */
  #drawTriangle(
    image: CanvasImageSource, width: number, height: number, positions: Float32Array, uvs: Float32Array, p: number, q: number, r: number,
  ): void {
    const { context } = this;
    const x0 = positions[p]!;
    const y0 = positions[p + 1]!;
    const x1 = positions[q]!;
    const y1 = positions[q + 1]!;
    const x2 = positions[r]!;
    const y2 = positions[r + 1]!;
    const u0 = uvs[p]! * width;
    const v0 = uvs[p + 1]! * height;
    const u1 = uvs[q]! * width - u0;
    const v1 = uvs[q + 1]! * height - v0;
    const u2 = uvs[r]! * width - u0;
    const v2 = uvs[r + 1]! * height - v0;
    const det = u1 * v2 - u2 * v1;
    if (det === 0) return;
    const a = (v2 * (x1 - x0) - v1 * (x2 - x0)) / det;
    const b = (v2 * (y1 - y0) - v1 * (y2 - y0)) / det;
    const c = (u1 * (x2 - x0) - u2 * (x1 - x0)) / det;
    const d = (u1 * (y2 - y0) - u2 * (y1 - y0)) / det;

    // Corners move outwards from the middle.
    const mx = (x0 + x1 + x2) / 3;
    const my = (y0 + y1 + y2) / 3;
    context.save();
    context.beginPath();
    this.#corner(x0, y0, mx, my, true);
    this.#corner(x1, y1, mx, my, false);
    this.#corner(x2, y2, mx, my, false);
    context.closePath();
    context.clip();
    context.transform(a, b, c, d, x0 - a * u0 - c * v0, y0 - b * u0 - d * v0);
    context.drawImage(image, 0, 0);
    context.restore();
  }

  #corner(x: number, y: number, mx: number, my: number, first: boolean): void {
    const dx = x - mx;
    const dy = y - my;
    const grow = 1 + this.overlap / (Math.hypot(dx, dy) || 1);
    if (first) this.context.moveTo(mx + dx * grow, my + dy * grow);
    else this.context.lineTo(mx + dx * grow, my + dy * grow);
  }

  /** Draws debug lines. @param width - in world units */
  drawLines(lines: LineBuffer, width = 1): void {
    const { context } = this;
    context.save();
    context.lineWidth = width;
    let last = -1;
    for (let i = 0; i < lines.lineCount; i++) {
      const color = lines.colors[i]!;
      if (color !== last) {
        if (last !== -1) context.stroke();
        context.beginPath();
        context.strokeStyle = `rgba(${color & 255},${(color >>> 8) & 255},${(color >>> 16) & 255},${(color >>> 24) / 255})`;
        last = color;
      }
      context.moveTo(lines.positions[i * 4]!, lines.positions[i * 4 + 1]!);
      context.lineTo(lines.positions[i * 4 + 2]!, lines.positions[i * 4 + 3]!);
    }
    if (last !== -1) context.stroke();
    context.restore();
  }

  /** Forgets tinted copies of images. */
  dispose(): void {
    this.#tinted.clear();
  }
}
