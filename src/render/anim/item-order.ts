import type { DrawItem2D } from "../../anim/module/host.js";

/** Items in the order of drawing: by layer, then by depth or by their own order. The list itself is not changed. */
export function inDrawOrder(items: readonly DrawItem2D[]): readonly DrawItem2D[] {
  let sorted = true;
  for (let i = 1; i < items.length && sorted; i++) sorted = items[i - 1]!.layer <= items[i]!.layer;
  if (sorted) return items;
  // A stable sort keeps the items of one object together and in order.
  return items.toSorted((a, b) => a.layer - b.layer);
}

/** Corners of a quad: top left, top right, bottom right, bottom left, x y each, then their texture coordinates. */
export function quadCorners(item: DrawItem2D, positions: Float32Array, uvs: Float32Array): void {
  const angle = (item.rotation * Math.PI) / 180;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const x = item.x + item.w / 2;
  const y = item.y + item.h / 2;
  for (let i = 0; i < 4; i++) {
    const dx = (i === 1 || i === 2 ? item.w : -item.w) / 2;
    const dy = (i > 1 ? item.h : -item.h) / 2;
    positions[i * 2] = x + dx * cos - dy * sin;
    positions[i * 2 + 1] = y + dx * sin + dy * cos;
  }
  const { u0, v0, u1, v1 } = item;
  // Turned counter-clockwise when packed: the picture's top edge runs up the left side of the rectangle.
  uvs.set(item.rotatedUV ? [u0, v1, u0, v0, u1, v0, u1, v1] : [u0, v0, u1, v0, u1, v1, u0, v1]);
}
