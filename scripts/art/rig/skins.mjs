// The `slots` and `skins` sections.
import { EYES } from "../parts/face.mjs";
import { LOOKS, PLACED, meshFor } from "./attachments.mjs";
import { bonesByName, round, toBone } from "./bones.mjs";
import { plainVertices, uvsIn, weightedVertices, weightsByDistance } from "./mesh.mjs";

const FAR = "b6aeccff";

/** [slot, bone, attachment shown in the setup pose, extra keys], back to front. */
const SLOTS = [
  ["shadow", "shadow", "shadow"],
  ["dust-far", "dust-far", null],
  ["tail", "tail-1", "tail", { dark: "000000" }],
  ["scarf", "scarf-1", "scarf", { dark: "14040a" }],
  ["hand-far", "hand-far", "paw", { color: FAR }],
  ["sleeve-far", "arm-far", "sleeve", { color: FAR }],
  ["leg-far", "thigh-far", "leg", { color: FAR }],
  ["boot-far", "foot-far", "boot", { color: FAR }],
  ["ear-far", "ear-far-1", "ear", { color: "e2dcecff" }],
  ["ear-near", "ear-near-1", "ear"],
  ["leg-near", "thigh-near", "leg"],
  ["boot-near", "foot-near", "boot"],
  ["coat", "torso", "coat", { dark: "000000" }],
  ["bag", "bag", "bag"],
  ["hand-near", "hand-near", "paw"],
  ["sleeve-near", "arm-near", "sleeve"],
  ["collar", "chest", "collar"],
  ["head", "head", "head"],
  ["eye-clip", "face", null],
  ["eye-near", "face", "eye-open"],
  ["eye-far", "face", "eye-open"],
  ["brow-near", "brow-near", "brow"],
  ["brow-far", "brow-far", "brow"],
  ["mouth", "jaw", "mouth-smile"],
  ["hair", "hair-1", "hair", { dark: "000000" }],
  ["goggles", "head", "goggles"],
  ["spark", "spark", null, { blend: "additive" }],
  ["dust-near", "dust-near", null],
  ["scarf-path", "chest", "scarf-path"],
  ["body-box", "torso", "body-box"],
  ["head-box", "head", "head-box"],
  ["grip", "hand-near", "grip"],
];

export const slotNames = SLOTS.map(([name]) => name);
export const slotsSection = () =>
  SLOTS.map(([name, bone, attachment, extra = {}]) => ({ name, bone, ...extra, ...(attachment ? { attachment } : {}) }));

const boneOfSlot = (slot) => SLOTS.find(([name]) => name === slot)[1];

/** A picture on a bone, where it was drawn. */
function regionAttachment(placed, path, canvas) {
  const bone = boneOfSlot(placed.slot);
  const [minX, minY, maxX, maxY] = canvas.box;
  const [x, y] = toBone(bone, (minX + maxX) / 2 + placed.at[0], (minY + maxY) / 2 + placed.at[1]);
  const rotation = round(-bonesByName.get(bone).rotation, 2);
  return {
    ...(path === placed.key ? {} : { path }),
    x: round(x, 2), y: round(y, 2), ...(rotation === 0 ? {} : { rotation }), ...sizeOf(canvas),
  };
}

/** Size of a picture in skeleton units. */
const sizeOf = ({ box: [minX, minY, maxX, maxY] }) => ({ width: round(maxX - minX, 2), height: round(maxY - minY, 2) });

function meshAttachment(placed, look, path, canvas) {
  const mesh = meshFor(placed, look);
  return {
    type: "mesh", path, uvs: uvsIn(mesh.local, canvas.box), triangles: mesh.triangles,
    vertices: placed.weights ? weightedVertices(mesh.points, placed.weights) : plainVertices(mesh.points, placed.bone),
    hull: mesh.hull, ...sizeOf(canvas),
  };
}

/** The path along which the scarf lies: knots with handles, each following a control bone. */
function scarfPath() {
  const knots = [[-18, 256], [-58, 226], [-79, 178], [-93, 108]];
  const owners = [["scarf-ctl-1"], ["scarf-ctl-1", "scarf-ctl-2"], ["scarf-ctl-2", "scarf-ctl-3"], ["scarf-ctl-3"]];
  const along = [[-18, -8], [-14, -18], [-6, -24], [-4, -20]];
  const points = [], weights = [];
  knots.forEach(([x, y], i) => {
    for (const s of [-1, 0, 1]) {
      points.push([x + along[i][0] * s, y + along[i][1] * s]);
      weights.push(owners[i].map((name) => [name, 1 / owners[i].length]));
    }
  });
  let at = 0;
  const vertices = weightedVertices(points, () => weights[at++]);
  return { type: "path", lengths: pathLengths(points), vertexCount: points.length, vertices };
}

/** Lengths from the start to the end of each curve; the last entry, of the closing curve, is unused on open paths. */
function pathLengths(points) {
  const out = [];
  let total = 0;
  for (let curve = 0; curve < points.length / 3; curve++) {
    const p = [1, 2, 3, 4].map((k) => points[(curve * 3 + k) % points.length]);
    let [px, py] = p[0];
    for (let i = 1; i <= 64; i++) {
      const t = i / 64, u = 1 - t;
      const x = u * u * u * p[0][0] + 3 * u * u * t * p[1][0] + 3 * u * t * t * p[2][0] + t * t * t * p[3][0];
      const y = u * u * u * p[0][1] + 3 * u * u * t * p[1][1] + 3 * u * t * t * p[2][1] + t * t * t * p[3][1];
      total += Math.hypot(x - px, y - py);
      [px, py] = [x, y];
    }
    out.push(round(total, 2));
  }
  return out;
}

/** Corners of the window that a blink closes over the eyes: top left, top right, bottom right, bottom left. */
export const EYE_WINDOW = [[EYES.near[0] - 26, 380], [EYES.far[0] + 22, 380], [EYES.far[0] + 22, 326], [EYES.near[0] - 26, 326]];

function helperAttachments() {
  const body = [[-40, 256], [40, 256], [54, 130], [24, 8], [-44, 8], [-56, 130]];
  const head = [[-90, 290], [-80, 400], [-30, 440], [60, 444], [114, 396], [124, 300], [50, 264]];
  const grip = toBone("hand-near", -26, 136);
  return {
    "eye-clip": { "eye-clip": { type: "clipping", end: "eye-far", convex: true, vertexCount: 4, vertices: plainVertices(EYE_WINDOW, "face") } },
    "scarf-path": { "scarf-path": scarfPath() },
    "body-box": { "body-box": { type: "boundingbox", vertexCount: body.length, vertices: weightedVertices(body, (x, y) => weightsByDistance(["hip", "torso", "chest"], x, y)) } },
    "head-box": { "head-box": { type: "boundingbox", vertexCount: head.length, vertices: plainVertices(head, "head") } },
    grip: { grip: { type: "point", x: round(grip[0], 2), y: round(grip[1], 2), rotation: 90 } },
  };
}

/** The `skins` section: shared things in "default", then one skin per look. */
export function skinsSection(pictures) {
  const shared = {};
  const put = (skin, placed, attachment) => ((skin[placed.slot] ??= {})[placed.key] = attachment);
  const skins = LOOKS.map((look) => ({ name: look.name, attachments: {} }));
  for (const placed of PLACED) {
    if (placed.shared) {
      put(shared, placed, regionAttachment(placed, placed.shared.name, pictures.get(placed.shared.name).canvas));
    } else if (placed.sequence) {
      const region = regionAttachment(placed, placed.key, pictures.get(`${placed.key}1`).canvas);
      put(shared, placed, { ...region, sequence: { count: placed.sequence, start: 1 } });
    } else {
      LOOKS.forEach((look, i) => {
        if (placed.only !== undefined && placed.only !== look.name) return;
        const path = placed.part(look).name;
        const { canvas } = pictures.get(path);
        const { attachments } = skins[i];
        if (placed.mesh && i > 0) {
          put(attachments, placed, { type: "linkedmesh", path, source: placed.key, skin: LOOKS[0].name, ...sizeOf(canvas) });
        } else if (placed.mesh || placed.meshOf) put(attachments, placed, meshAttachment(placed, look, path, canvas));
        else put(attachments, placed, regionAttachment(placed, path, canvas));
      });
    }
  }
  return [{ name: "default", attachments: { ...shared, ...helperAttachments() } }, ...skins];
}
