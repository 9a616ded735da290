// Where everybody stands: a meadow seen from a low hill, the far ones small and pale.
import { HORIZON } from "./backdrop.js";
import { generator } from "./noise.js";

/** Depth of the first row; the scale of a character is `nearScale / depth`. */
const FIRST = 1;

/**
 * Places characters on rows from far to near, so that the order of the arrays is the painter's order.
 *
 * @param count - how many; @param aspect - width / height of the picture
 * @param characterHeight - in skeleton units, for the sizes
 * @returns positions in picture heights (y down from the top), and per character: depth 0 (the first row) … 1 (the horizon), scale in picture
 *   heights per skeleton unit, a random number 0 … 1 for everything else
 */
export function placeCrowd({ count, aspect, characterHeight = 560, nearHeight = 0.185, seed = 7 }) {
  const random = generator(seed);
  const ground = 1 - HORIZON;
  // A row at depth d is d times as wide; rows lie further apart the deeper they are. Go on until everybody has a place.
  const across = Math.max(1, aspect / (nearHeight * 0.5));
  const step = Math.min(0.14, Math.max(0.012, 480 / count));
  const rows = [];
  let left = count;
  for (let depth = FIRST; left > 0; depth += step * Math.sqrt(depth)) {
    const inRow = Math.min(left, Math.max(1, Math.round(across * depth * 0.42)));
    rows.push({ depth, inRow });
    left -= inRow;
  }
  rows.reverse();
  const crowd = { count, x: new Float32Array(count), y: new Float32Array(count), scale: new Float32Array(count), depth: new Float32Array(count), pick: new Float32Array(count), row: new Int32Array(count) };
  let at = 0;
  rows.forEach(({ depth, inRow }, row) => {
    const shift = random();
    for (let i = 0; i < inRow; i++, at++) {
      const d = depth + (random() - 0.5) * step * Math.sqrt(depth) * 0.5;
      const spread = aspect + (2 * nearHeight * 0.4) / d;
      crowd.x[at] = ((i + shift + (random() - 0.5) * 0.7) / inRow) * spread - (nearHeight * 0.4) / d;
      // The first row stands a little above the lower edge; the last one below the horizon.
      crowd.y[at] = HORIZON + (ground * 0.955) / d;
      crowd.scale[at] = nearHeight / characterHeight / d;
      crowd.depth[at] = Math.max(0, 1 - FIRST / d);
      crowd.pick[at] = random();
      crowd.row[at] = row;
    }
  });
  sortByY(crowd);
  return crowd;
}

/** Far to near, exactly. */
function sortByY(crowd) {
  const order = Array.from({ length: crowd.count }, (_, i) => i).toSorted((a, b) => crowd.y[a] - crowd.y[b] || a - b);
  for (const key of ["x", "y", "scale", "depth", "pick", "row"]) crowd[key] = crowd[key].map((_, i) => crowd[key][order[i]]);
}

/** Share of haze over a character at a depth of 0 … 1. */
export const hazeAt = (depth) => 0.64 * Math.min(1, Math.max(0, depth)) ** 2;

/** Speeds in skeleton units per second at which the feet of the built-in character do not slide. */
export const GROUND_SPEED = { walk: 150, run: 583 };

/** What a character does, from its random number: mostly walking, some running, a few standing, waving or jumping. */
export function actionOf(pick) {
  const p = (pick * 7.31) % 1;
  if (p < 0.46) return "walk";
  if (p < 0.64) return "run";
  if (p < 0.78) return "idle";
  if (p < 0.9) return "wave";
  return "jump";
}
