// Every picture with its place in the rig: which slot and placeholder, which bones, region or mesh.
import { DUST_FRAMES, dustPart, shadowPart, sparkPart } from "../parts/effects.mjs";
import { ARM, LEG, bagPart, bootPart, coatPart, collarPart, pawPart, sleevePart, trousersPart } from "../parts/body.mjs";
import { browPart, closedEyePart, openEyePart, openMouthPart, smilePart } from "../parts/face.mjs";
import { earFarPart, earNearPart, gogglesPart, hairPart, headPart } from "../parts/head.mjs";
import { SCARF, TAIL, scarfPart, tailPart } from "../parts/trails.mjs";
import { EMBER, FROST } from "../palette.mjs";
import { gridMesh, ribbonMesh, weightsByDistance } from "./mesh.mjs";

export const LOOKS = [EMBER, FROST];

/** World offsets of the far limbs from the near ones, whose pictures they share. */
export const FAR_ARM = [44, 0];
export const FAR_LEG = [17, 4];

const wider = (half, by) => half.map((w) => w + by);
const moved = (points, [dx, dy]) => points.map(([x, y]) => [x + dx, y + dy]);

/** Centre line with both ends pushed out, so that round ends lie inside the mesh. */
function lengthened(points, start, end) {
  const push = (a, b, by) => {
    const length = Math.hypot(a[0] - b[0], a[1] - b[1]);
    return [a[0] + ((a[0] - b[0]) / length) * by, a[1] + ((a[1] - b[1]) / length) * by];
  };
  const n = points.length;
  return [push(points[0], points[1], start), ...points.slice(1, n - 1), push(points[n - 1], points[n - 2], end)];
}

const limb = ({ spine, half, meshHalf = wider(half, 3) }, rows) => ribbonMesh(lengthened(spine, half[0] + 3, half.at(-1) + 4), meshHalf, rows, 3);
const byDistance = (...names) => (x, y) => weightsByDistance(names, x, y);

/** Coat: spine bones by height, and below the hip a share of the thigh on that side, so that steps move the hem. */
function coatWeights(x, y) {
  const spine = weightsByDistance(["hip", "torso", "chest"], 0, y, 3);
  if (y >= 148) return spine;
  const share = Math.min(0.45, (148 - y) / 90);
  const side = x < 2 ? "thigh-near" : "thigh-far";
  const [[first]] = spine;
  const kept = [[first, Math.round((1 - share) * 1e4) / 1e4], [side, Math.round(share * 1e4) / 1e4]];
  return kept;
}

const rows = (...lines) => gridMesh(lines);
const span = (y, left, right, columns, lift = 0) =>
  Array.from({ length: columns }, (_, i) => {
    const t = i / (columns - 1);
    return [left + (right - left) * t, y + lift * 4 * t * (1 - t)];
  });

const JACKET_MESH = rows(span(268, -34, 44, 4), span(240, -52, 54, 4), span(200, -54, 56, 4), span(160, -60, 64, 4), span(120, -62, 66, 4));
const PONCHO_MESH = rows(span(268, -34, 44, 4), span(240, -58, 58, 4), span(196, -66, 70, 4), span(150, -78, 80, 4), span(98, -84, 86, 4));
const HEAD_MESH = rows(
  span(450, -60, 110, 5), span(405, -92, 130, 5), span(355, -106, 142, 5), span(305, -112, 146, 5), span(256, -100, 142, 5),
);
const EAR_NEAR_MESH = rows(
  [[-86, 366], [-44, 366], [4, 380]], [[-112, 424], [-58, 414], [6, 424]], [[-126, 484], [-74, 474], [-16, 482]], [[-122, 554], [-92, 556], [-46, 538]],
);
const EAR_FAR_MESH = rows(
  [[40, 394], [78, 390], [114, 386]], [[34, 450], [82, 448], [128, 444]], [[46, 506], [86, 502], [118, 490]], [[70, 550], [90, 552], [112, 540]],
);
const HAIR_MESH = rows(
  [[-76, 484], [-20, 488], [34, 492], [90, 470], [132, 430]],
  [[-70, 440], [-22, 442], [34, 446], [86, 428], [138, 384]],
  [[-66, 374], [-24, 380], [30, 374], [88, 358], [144, 304]],
);

/**
 * { slot, key, part(look) | shared part, bone | mesh + weights, at: world offset }.
 * Meshes of the second look with the same `mesh` become linked meshes of the first.
 */
export const PLACED = [
  { slot: "shadow", key: "shadow", shared: shadowPart, bone: "shadow", at: [6, 4] },
  { slot: "tail", key: "tail", part: tailPart, mesh: limb(TAIL, 9), weights: byDistance("tail-1", "tail-2", "tail-3", "tail-4", "tail-5") },
  { slot: "scarf", key: "scarf", part: scarfPart, mesh: limb(SCARF, 8), weights: byDistance("scarf-1", "scarf-2", "scarf-3", "scarf-4", "scarf-5") },
  { slot: "hand-far", key: "paw", part: (p) => pawPart(p, false), bone: "hand-far", at: FAR_ARM },
  { slot: "sleeve-far", key: "sleeve", part: sleevePart, mesh: limb(ARM, 6), at: FAR_ARM, weights: byDistance("arm-far", "forearm-far") },
  { slot: "leg-far", key: "leg", part: trousersPart, mesh: limb(LEG, 6), at: FAR_LEG, weights: byDistance("thigh-far", "shin-far") },
  { slot: "boot-far", key: "boot", part: bootPart, bone: "foot-far", at: FAR_LEG },
  { slot: "ear-far", key: "ear", part: earFarPart, mesh: EAR_FAR_MESH, weights: byDistance("ear-far-1", "ear-far-2") },
  { slot: "ear-near", key: "ear", part: earNearPart, mesh: EAR_NEAR_MESH, weights: byDistance("ear-near-1", "ear-near-2") },
  { slot: "leg-near", key: "leg", part: trousersPart, mesh: limb(LEG, 6), weights: byDistance("thigh-near", "shin-near") },
  { slot: "boot-near", key: "boot", part: bootPart, bone: "foot-near" },
  { slot: "coat", key: "coat", part: coatPart, meshOf: (p) => (p.name === "ember" ? JACKET_MESH : PONCHO_MESH), weights: coatWeights },
  { slot: "bag", key: "bag", part: bagPart, bone: "bag" },
  { slot: "hand-near", key: "paw", part: (p) => pawPart(p, false), bone: "hand-near" },
  { slot: "hand-near", key: "paw-open", part: (p) => pawPart(p, true), bone: "hand-near" },
  { slot: "sleeve-near", key: "sleeve", part: sleevePart, mesh: limb(ARM, 6), weights: byDistance("arm-near", "forearm-near") },
  { slot: "collar", key: "collar", part: collarPart, bone: "chest" },
  { slot: "head", key: "head", part: headPart, mesh: HEAD_MESH, bone: "head" },
  { slot: "eye-near", key: "eye-open", part: (p) => openEyePart(p, "near"), bone: "face" },
  { slot: "eye-near", key: "eye-asleep", part: (p) => closedEyePart(p, "near", "asleep"), bone: "face" },
  { slot: "eye-near", key: "eye-glad", part: (p) => closedEyePart(p, "near", "glad"), bone: "face" },
  { slot: "eye-far", key: "eye-open", part: (p) => openEyePart(p, "far"), bone: "face" },
  { slot: "eye-far", key: "eye-asleep", part: (p) => closedEyePart(p, "far", "asleep"), bone: "face" },
  { slot: "eye-far", key: "eye-glad", part: (p) => closedEyePart(p, "far", "glad"), bone: "face" },
  { slot: "brow-near", key: "brow", part: (p) => browPart(p, "near"), bone: "brow-near" },
  { slot: "brow-far", key: "brow", part: (p) => browPart(p, "far"), bone: "brow-far" },
  { slot: "mouth", key: "mouth-smile", shared: smilePart, bone: "jaw" },
  { slot: "mouth", key: "mouth-open", shared: openMouthPart, bone: "jaw" },
  { slot: "hair", key: "hair", part: hairPart, mesh: HAIR_MESH, weights: byDistance("head", "hair-1", "hair-2", "hair-3") },
  { slot: "goggles", key: "goggles", part: gogglesPart, only: "frost", bone: "head" },
  { slot: "spark", key: "spark", shared: sparkPart, bone: "spark", at: [70, 300] },
  { slot: "dust-far", key: "dust", sequence: DUST_FRAMES, part: dustPart, bone: "dust-far", at: [17, 8] },
  { slot: "dust-near", key: "dust", sequence: DUST_FRAMES, part: dustPart, bone: "dust-near", at: [0, 4] },
].map((placed) => ({ at: [0, 0], ...placed }));

/** Mesh of a placed picture for a look, in world units including the offset of far limbs; undefined for regions. */
export function meshFor(placed, look) {
  const mesh = placed.meshOf ? placed.meshOf(look) : placed.mesh;
  return mesh && { ...mesh, points: moved(mesh.points, placed.at), local: mesh.points };
}
