// All pictures of a rig as one indexed mesh: up to four bone influences a vertex, in the painter's order of all draw orders.
import { MeshAttachment, RegionAttachment } from "../../../dist/spine/index.js";
import { mergeOrders } from "./states.js";

export const INFLUENCES = 4;

/**
 * @param states - whose drawables and orders are complete
 * @param skins - names (or null); every look gets its own range of indices
 * @param pageOf - texture → number of its page
 */
export function buildGeometry(states, skins, pageOf) {
  const { data, drawables } = states;
  const places = [], weights = [], bones = [], uvs = [], info = [], indices = [], ranges = [];
  const byTexture = (attachment, frame) => pageOf(attachment.sequence.regions[frame]?.texture);
  const merged = mergeOrders(states.orders);
  for (const skin of skins) {
    const start = indices.length;
    for (const { slot, orders } of merged) {
      drawables.forEach((drawable, i) => {
        if (drawable.slot !== slot || !shows(data, drawable, skin, skins)) return;
        const { attachment, frame } = drawable;
        const page = byTexture(attachment, frame);
        if (page < 0) return;
        const first = uvs.length / 2;
        const additive = data.slots[slot].blendMode === 1 ? 1 : 0;
        const count = addVertices(attachment, frame, data.slots[slot].boneData.index, { places, weights, bones, uvs });
        for (let v = 0; v < count; v++) info.push(slot, i + 1, orders, page | (additive << 8));
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

/** Whether a look can show a drawable: it was met with that look, or its attachment is in that skin or the default one. */
function shows(data, { attachment, slot, skin: metWith }, skin, skins) {
  if (metWith === skin || skins.length === 1) return true;
  const own = data.findSkin(skin ?? ""), sources = [own, data.defaultSkin].filter(Boolean);
  return sources.some((source) => source.getAttachments().some((entry) => entry.slotIndex === slot && entry.attachment === attachment));
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
