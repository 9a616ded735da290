import type { AnimationHost, RawImage } from "./host.js";
import { decodePngLater, isPng } from "./png.js";

/** Files through `fetch`, PNG exactly, other pictures through `createImageBitmap`; works in pages and in workers. */
export function browserHost(): AnimationHost {
  return {
    readText: async (path) => (await request(path)).text(),
    readBytes: async (path) => new Uint8Array(await (await request(path)).arrayBuffer()),
    decodeImage: decode,
  };
}

async function request(path: string): Promise<Response> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${response.statusText}`);
  return response;
}

/**
 * PNG is read here: a canvas multiplies by alpha and back, which loses colour where little is visible. Other pictures go
 * through a canvas.
 */
async function decode(bytes: Uint8Array): Promise<RawImage> {
  if (isPng(bytes) && typeof DecompressionStream === "function") return decodePngLater(bytes, inflate);
  const bitmap = await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>]), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return { width, height, data: context.getImageData(0, 0, width, height).data };
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
}
