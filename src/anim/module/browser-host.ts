import type { AnimationHost, RawImage } from "./host.js";

/** Files through `fetch`, pictures through `createImageBitmap`; works in pages and in workers. */
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

async function decode(bytes: Uint8Array): Promise<RawImage> {
  // Straight alpha; the default would premultiply and lose colour where it is transparent.
  const bitmap = await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>]), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return { width, height, data: context.getImageData(0, 0, width, height).data };
}
