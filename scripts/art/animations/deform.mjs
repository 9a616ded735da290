// Deform keys from displacement functions, for weighted and plain meshes.
import { LOOKS, PLACED, meshFor } from "../rig/attachments.mjs";
import { EYE_WINDOW } from "../rig/skins.mjs";
import { bonesByName, round } from "../rig/bones.mjs";

/** World displacement in the space of a bone. */
function turned(bone, dx, dy) {
  const angle = (-bonesByName.get(bone).rotation * Math.PI) / 180;
  const cos = Math.cos(angle), sin = Math.sin(angle);
  return [dx * cos - dy * sin, dx * sin + dy * cos].map((v) => round(v, 2));
}

/** `vertices` of a deform key: for each vertex and bone of a weighted mesh, its world displacement in that bone's space. */
function weightedOffsets(points, weightsAt, displace) {
  return points.flatMap(([x, y]) => weightsAt(x, y).flatMap(([bone]) => turned(bone, ...displace(x, y))));
}

/** Leaves out zeros at both ends: { offset, vertices }. */
function trimmed(vertices) {
  const first = vertices.findIndex((v) => v !== 0);
  if (first < 0) return {};
  const start = first - (first % 2);
  const last = vertices.findLastIndex((v) => v !== 0);
  return { ...(start > 0 ? { offset: start } : {}), vertices: vertices.slice(start, last + 1) };
}

/** Breathing: the belly of the coat swells a little, twice per `duration`; both looks. */
export function breathDeform(duration) {
  const coat = PLACED.find(({ key }) => key === "coat");
  const swell = (x, y) => {
    const belly = Math.exp(-(((y - 190) / 42) ** 2));
    return [(x / 50) * 3.2 * belly, 0.8 * belly];
  };
  const out = {};
  for (const look of LOOKS) {
    const { points } = meshFor(coat, look);
    const full = trimmed(weightedOffsets(points, coat.weights, swell));
    const half = duration / 2, quarter = duration / 4;
    const ease = (from) => [round(from + quarter * 0.4, 4), 0, round(from + quarter * 0.6, 4), 1];
    out[look.name] = {
      coat: {
        coat: {
          deform: [
            { curve: ease(0) }, { time: quarter, ...full, curve: ease(quarter) }, { time: half, curve: ease(half) },
            { time: half + quarter, ...full, curve: ease(half + quarter) }, { time: duration },
          ],
        },
      },
    };
  }
  return out;
}

/** Blink: the window of the eyes closes from above and opens again. */
export function blinkDeform(closing, closed, opening) {
  const shut = EYE_WINDOW.flatMap(([, y], i) => (i < 2 ? turned("face", 0, 344 - y) : [0, 0]));
  return {
    default: {
      "eye-clip": {
        "eye-clip": {
          deform: [
            { curve: [round(closing * 0.5, 4), 0.1, round(closing * 0.8, 4), 0.9] },
            { time: closing, ...trimmed(shut) },
            { time: closed, ...trimmed(shut), curve: [round(closed + 0.03, 4), 0.1, round(closed + 0.07, 4), 0.8] },
            { time: opening },
          ],
        },
      },
    },
  };
}
