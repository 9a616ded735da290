// All pictures of a rig as one indexed mesh: up to four bone influences a vertex, in the painter's order of all draw orders.
import { MeshAttachment, RegionAttachment } from "../../../dist/spine/index.js";

export const INFLUENCES = 4;

/**
 * @param drawables - of the crowd: number n is item n - 1
 * @param skins - names (or null); every look gets its own range of indices
 * @param merged - slots in painter's order, see mergeOrders
 * @param pageOf - texture → number of its page, negative if unknown
 */
export function buildGeometry(data, drawables, skins, merged, pageOf) {
  const places = [], weights = [], bones = [], uvs = [], info = [], indices = [], ranges = [];
  for (const skin of skins) {
    const start = indices.length;
    const shown = attachmentsOf(data, skin);
    for (const { slot, orders } of merged) {
      drawables.forEach(({ attachment, frame }, i) => {
        if (!shown[slot].has(attachment)) return;
        const page = pageOf(attachment.sequence?.regions[frame]?.texture);
        if (page < 0) return;
        const first = uvs.length / 2;
        const { blendMode, boneData } = data.slots[slot];
        const count = addVertices(attachment, frame, boneData.index, { places, weights, bones, uvs });
        const flags = (i + 1) | (page << 16) | (blendMode === 1 ? 1 << 24 : 0);
        for (let v = 0; v < count; v++) info.push(slot, flags, orders, packed(attachment.color));
        const triangles = attachment instanceof RegionAttachment ? [0, 1, 2, 2, 3, 0] : attachment.triangles;
        for (const t of triangles) indices.push(first + t);
      });
    }
    ranges.push({ skin, start, count: indices.length - start });
  }
  return {
    places: Float32Array.from(places), weights: Float32Array.from(weights), bones: Uint16Array.from(bones), uvs: Float32Array.from(uvs),
    info: Uint32Array.from(info), indices: Uint32Array.from(indices), ranges, vertexCount: uvs.length / 2,
  };
}

/** Per slot the attachments that a look can show: those of its skin and of the default one. */
function attachmentsOf(data, skin) {
  const out = data.slots.map(() => new Set());
  for (const source of [skin === null ? null : data.findSkin(skin), data.defaultSkin]) {
    for (const { slotIndex, attachment } of source?.getAttachments() ?? []) out[slotIndex].add(attachment);
  }
  return out;
}

/** 0xAABBGGRR */
function packed({ r, g, b, a }) {
  const byte = (v) => Math.round(Math.min(Math.max(v, 0), 1) * 255);
  return (byte(r) | (byte(g) << 8) | (byte(b) << 16) | (byte(a) << 24)) >>> 0;
}

function addVertices(attachment, frame, slotBone, out) {
  if (attachment instanceof RegionAttachment) {
    const offsets = attachment.sequence.offsets[frame], uvs = attachment.sequence.uvs[frame];
    for (let v = 0; v < 4; v++) single(offsets[v * 2], offsets[v * 2 + 1], slotBone, out);
    for (let v = 0; v < 8; v++) out.uvs.push(uvs[v]);
    return 4;
  }
  if (!(attachment instanceof MeshAttachment)) return 0;
  const count = attachment.worldVerticesLength / 2, { vertices, bones } = attachment;
  if (bones === null) for (let v = 0; v < count; v++) single(vertices[v * 2], vertices[v * 2 + 1], slotBone, out);
  else {
    for (let v = 0, b = 0, at = 0; v < count; v++) {
      const influences = [];
      for (let n = bones[b++]; n > 0; n--, at += 3) influences.push([bones[b++], vertices[at], vertices[at + 1], vertices[at + 2]]);
      several(influences, out);
    }
  }
  for (const uv of attachment.sequence.uvs[frame]) out.uvs.push(uv);
  return count;
}

function single(x, y, bone, { places, weights, bones }) {
  places.push(x, y, 0, 0, 0, 0, 0, 0);
  weights.push(1, 0, 0, 0);
  bones.push(bone, 0, 0, 0);
}

/** The strongest four, their weights scaled to the same sum. */
function several(influences, { places, weights, bones }) {
  const total = influences.reduce((sum, [, , , w]) => sum + w, 0);
  const kept = influences.toSorted((a, b) => b[3] - a[3]).slice(0, INFLUENCES);
  const scale = total / (kept.reduce((sum, [, , , w]) => sum + w, 0) || 1);
  for (let i = 0; i < INFLUENCES; i++) {
    const [bone, x, y, weight] = kept[i] ?? [0, 0, 0, 0];
    places.push(x, y);
    weights.push(weight * scale);
    bones.push(bone);
  }
}
