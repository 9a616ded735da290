import { ArgumentError } from "../errors.js";
import { SkeletonRendererCore } from "../spine/model/skeleton-renderer-core.js";
import type { Skeleton } from "../spine/model/skeleton.js";
import { PngTexture } from "./png-texture.js";
import type { Rasterizer, RasterView, TriangleBatch } from "./rasterizer.js";

/** A link of the list that a skeleton renderer core hands out. */
export interface DrawCommand extends TriangleBatch {
  /** The page's texture; must be a PngTexture to be drawn here. */
  readonly texture: unknown;
  readonly next?: DrawCommand | undefined;
}

export interface DrawOptions {
  /** A colour that everything is mixed with, as in haze: r, g, b and its share, all 0 to 1. Default none. */
  haze?: readonly [red: number, green: number, blue: number, share: number] | undefined;
}

let core: SkeletonRendererCore | null = null;

/**
 * Draws a posed skeleton (call `updateWorldTransform` before), in its draw order, clipped and tinted.
 * @param view - skeleton units to pixels; a negative scaleY puts y up
 * @throws ArgumentError if a page was not loaded by `readSkeleton`
 */
export function drawSkeleton(raster: Rasterizer, skeleton: Skeleton, view: RasterView, options: DrawOptions = {}): void {
  core ??= new SkeletonRendererCore();
  drawCommands(raster, core.render(skeleton), view, options);
}

/** Draws the commands of a skeleton renderer core (straight colours, stride 2). */
export function drawCommands(raster: Rasterizer, commands: DrawCommand | undefined, view: RasterView, options: DrawOptions = {}): void {
  const haze = options.haze !== undefined && options.haze[3] > 0 ? options.haze : null;
  for (let command = commands; command !== undefined; command = command.next) {
    if (command.numIndices === 0) continue;
    const { texture } = command;
    if (!(texture instanceof PngTexture)) {
      throw new ArgumentError("A page of this skeleton has no PngTexture, so its pixels are unknown. Load the skeleton with readSkeleton().");
    }
    raster.draw(haze === null ? command : hazy(command, haze), texture.raster, view);
  }
}

/**
 * The same triangles with colours that mix in the haze. A tint gives (1 − t)·dark + t·light for a texel t; mixing that with
 * a colour H by a share h only changes light and dark: both become c·(1 − h) + H·h.
 */
function hazy(batch: DrawCommand, haze: readonly [number, number, number, number]): TriangleBatch {
  const blend = (packed: number, alphaByte: number) => {
    let out = alphaByte;
    for (let c = 0; c < 3; c++) {
      const shift = 16 - c * 8;
      out |= Math.round(((packed >>> shift) & 255) * (1 - haze[3]) + 255 * haze[c]! * haze[3]) << shift;
    }
    return out >>> 0;
  };
  const { positions, uvs, indices, numIndices, blendMode } = batch;
  const count = uvs.length >> 1;
  const colors = new Uint32Array(count), darkColors = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    colors[i] = blend(batch.colors[i]!, batch.colors[i]! & 0xff000000);
    darkColors[i] = blend(batch.darkColors[i]!, 0);
  }
  return { positions, uvs, colors, darkColors, indices, numIndices, blendMode };
}
