/**
 * For programs in Node: skeletons from disk, PNG pictures, and drawing without a graphics card. Entry `osteon/node`.
 */
export { readSkeleton, findAtlas, type ReadSkeletonOptions, type SkeletonFiles } from "./read-skeleton.js";
export { readPng, writePng, decodePng, encodePng, type Pixels } from "./png.js";
export { encodeGif, writeGif, type GifOptions } from "./gif.js";
export { PngTexture } from "./png-texture.js";
export { Rasterizer, type BatchOptions, type RasterView, type TriangleBatch } from "./rasterizer.js";
export { RasterTexture, type TextureLevel, type TextureOptions } from "./raster-texture.js";
export { drawSkeleton, drawCommands, type DrawCommand, type DrawOptions } from "./draw-skeleton.js";
