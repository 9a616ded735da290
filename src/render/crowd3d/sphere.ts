/** Which characters of a 3D crowd a camera can see. @internal */
import type { Crowd3D } from "../../crowd/crowd3d.js";

/** How far limbs may reach beyond the sphere around the bind pose. */
const REACH = 1.4;

/** A sphere that goes with one joint of a character. */
export interface FigureSphere {
  /** Joint in a palette row, and the centre in the space of its bind pose. */
  joint: number;
  center: readonly [number, number, number];
  radius: number;
}

/** Sphere around the vertices of all meshes, carried by the first joint. */
export function sphereOf(meshes: readonly { positions: Float32Array; joints: Uint16Array }[]): FigureSphere {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (const { positions } of meshes) {
    positions.forEach((value, i) => {
      low[i % 3] = Math.min(low[i % 3]!, value);
      high[i % 3] = Math.max(high[i % 3]!, value);
    });
  }
  const center = [0, 1, 2].map((k) => (low[k]! + high[k]!) / 2) as [number, number, number];
  return { joint: 0, center, radius: (REACH * Math.hypot(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!)) / 2 };
}

/** The six planes of a column-major view-projection matrix, four numbers each, normalised; inside is positive. */
export function frustumPlanes(m: ArrayLike<number>, out: Float32Array): void {
  for (let plane = 0; plane < 6; plane++) {
    const row = plane >> 1, sign = (plane & 1) === 0 ? 1 : -1;
    for (let k = 0; k < 4; k++) out[plane * 4 + k] = m[k * 4 + 3]! + sign * m[k * 4 + row]!;
    const length = Math.hypot(out[plane * 4]!, out[plane * 4 + 1]!, out[plane * 4 + 2]!);
    if (length > 0) for (let k = 0; k < 4; k++) out[plane * 4 + k]! /= length;
  }
}

/**
 * Writes the rows whose spheres touch the frustum; hidden characters (zero rows) never do.
 * @param eye - where distances are measured from
 * @param distances - receives, by place in `out`, the squared distance of the sphere's centre from the eye
 * @returns how many
 */
export function visibleRows(crowd: Crowd3D, sphere: FigureSphere, planes: Float32Array | null, eye: ArrayLike<number>, out: Uint32Array, distances: Float32Array): number {
  const { palette, jointCount, count } = crowd, [x, y, z] = sphere.center, ex = eye[0]!, ey = eye[1]!, ez = eye[2]!;
  let seen = 0;
  for (let row = 0, at = sphere.joint * 12; row < count; row++, at += jointCount * 12) {
    const a = palette[at]!, b = palette[at + 4]!, c = palette[at + 8]!, scale = Math.sqrt(a * a + b * b + c * c);
    if (scale === 0) continue;
    const px = a * x + palette[at + 1]! * y + palette[at + 2]! * z + palette[at + 3]!;
    const py = b * x + palette[at + 5]! * y + palette[at + 6]! * z + palette[at + 7]!;
    const pz = c * x + palette[at + 9]! * y + palette[at + 10]! * z + palette[at + 11]!;
    const reach = -sphere.radius * scale;
    let isInside = true;
    for (let plane = 0; planes !== null && plane < 24 && isInside; plane += 4) {
      isInside = planes[plane]! * px + planes[plane + 1]! * py + planes[plane + 2]! * pz + planes[plane + 3]! >= reach;
    }
    if (!isInside) continue;
    distances[seen] = (px - ex) ** 2 + (py - ey) ** 2 + (pz - ez) ** 2;
    out[seen++] = row;
  }
  return seen;
}
