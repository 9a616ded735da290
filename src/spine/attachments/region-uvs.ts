import type { TextureRegion } from "../texture.js";
import type { NumberArrayLike } from "../utils/utils.js";

/** A texture region that knows its page, as an atlas has it. @internal */
export interface RegionOnPage extends TextureRegion {
  page: { width: number; height: number };
}

/** @internal */
export function isOnPage(region: TextureRegion): region is RegionOnPage {
  const page = (region as Partial<RegionOnPage>).page;
  return page !== undefined && page !== null && page.width > 0 && page.height > 0;
}

/**
 * Maps coordinates in the untrimmed image (0..1, y down) to texture coordinates on the page.
 * Source: the packer turns the image by 0, 90, 180 or 270 degrees after stripping its empty borders.
 */
export function meshUVs(region: TextureRegion | null, regionUVs: ArrayLike<number>, uvs: NumberArrayLike): void {
  const count = regionUVs.length;
  if (region === null) {
    for (let i = 0; i < count; i++) uvs[i] = regionUVs[i]!;
    return;
  }
  if (!isOnPage(region)) {
    const { u, v } = region;
    const width = region.u2 - u;
    const height = region.v2 - v;
    for (let i = 0; i < count; i += 2) {
      uvs[i] = u + regionUVs[i]! * width;
      uvs[i + 1] = v + regionUVs[i + 1]! * height;
    }
    return;
  }
  const { width: pageWidth, height: pageHeight } = region.page;
  const { u, v, width: w, height: h, offsetX: left, offsetY: bottom, originalWidth: ow, originalHeight: oh } = region;
  const right = ow - left - w;
  const top = oh - bottom - h;
  switch (region.degrees) {
    case 90: {
      const u0 = u - top / pageWidth;
      const v0 = v - right / pageHeight;
      for (let i = 0; i < count; i += 2) {
        uvs[i] = u0 + (regionUVs[i + 1]! * oh) / pageWidth;
        uvs[i + 1] = v0 + ((1 - regionUVs[i]!) * ow) / pageHeight;
      }
      return;
    }
    case 180: {
      const u0 = u - right / pageWidth;
      const v0 = v - bottom / pageHeight;
      for (let i = 0; i < count; i += 2) {
        uvs[i] = u0 + ((1 - regionUVs[i]!) * ow) / pageWidth;
        uvs[i + 1] = v0 + ((1 - regionUVs[i + 1]!) * oh) / pageHeight;
      }
      return;
    }
    case 270: {
      const u0 = u - bottom / pageWidth;
      const v0 = v - left / pageHeight;
      for (let i = 0; i < count; i += 2) {
        uvs[i] = u0 + ((1 - regionUVs[i + 1]!) * oh) / pageWidth;
        uvs[i + 1] = v0 + (regionUVs[i]! * ow) / pageHeight;
      }
      return;
    }
    default: {
      const u0 = u - left / pageWidth;
      const v0 = v - top / pageHeight;
      for (let i = 0; i < count; i += 2) {
        uvs[i] = u0 + (regionUVs[i]! * ow) / pageWidth;
        uvs[i + 1] = v0 + (regionUVs[i + 1]! * oh) / pageHeight;
      }
    }
  }
}

/** Texture coordinates of the corners bottom left, top left, top right, bottom right of a packed image. */
export function quadUVs(region: TextureRegion | null, uvs: NumberArrayLike): void {
  const { u, v, u2, v2 } = region ?? { u: 0, v: 0, u2: 1, v2: 1 };
  switch (region === null ? 0 : region.degrees) {
    case 90:
      fill(uvs, u2, v2, u, v2, u, v, u2, v);
      return;
    case 180:
      fill(uvs, u2, v, u2, v2, u, v2, u, v);
      return;
    case 270:
      fill(uvs, u, v, u2, v, u2, v2, u, v2);
      return;
    default:
      fill(uvs, u, v2, u, v, u2, v, u2, v2);
  }
}

function fill(
  out: NumberArrayLike,
  u0: number, v0: number, u1: number, v1: number, u2: number, v2: number, u3: number, v3: number,
): void {
  out[0] = u0;
  out[1] = v0;
  out[2] = u1;
  out[3] = v1;
  out[4] = u2;
  out[5] = v2;
  out[6] = u3;
  out[7] = v3;
}
