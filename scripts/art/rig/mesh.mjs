// Meshes as ribbons: rows across a centre line, so that they are tight, have an outline first, and bend well.
import { bonesByName, round, toBone } from "./bones.mjs";
import { spline } from "../raster/path.mjs";

/**
 * Vertices and triangles of a ribbon.
 * @param centre - points of the centre line
 * @param half - half width per point; a pair [left, right] where the two differ
 * @param rows - number of rows (along), columns - number of columns (across)
 * @returns { points: [x, y] per vertex (outline first), triangles, hull }
 */
export function ribbonMesh(centre, half, rows, columns) {
  const smooth = spline(centre, false);
  const last = smooth.length - 1;
  const grid = [];
  for (let row = 0; row < rows; row++) {
    const at = (row / (rows - 1)) * last, k = Math.min(Math.floor(at), last - 1), f = at - k;
    const x = smooth[k][0] + (smooth[k + 1][0] - smooth[k][0]) * f;
    const y = smooth[k][1] + (smooth[k + 1][1] - smooth[k][1]) * f;
    const a = smooth[Math.max(k - 3, 0)], b = smooth[Math.min(k + 4, last)];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const nx = -(b[1] - a[1]) / length, ny = (b[0] - a[0]) / length;
    const w = (row / (rows - 1)) * (half.length - 1), h = Math.min(Math.floor(w), half.length - 2), g = w - h;
    const side = (s) => {
      const from = Array.isArray(half[h]) ? half[h][s] : half[h], to = Array.isArray(half[h + 1]) ? half[h + 1][s] : half[h + 1];
      return from + (to - from) * g;
    };
    const cells = [];
    for (let column = 0; column < columns; column++) {
      const u = (column / (columns - 1)) * 2 - 1;
      const offset = u < 0 ? -u * side(0) : -u * side(1);
      cells.push([x + nx * offset, y + ny * offset]);
    }
    grid.push(cells);
  }
  return gridMesh(grid);
}

/** The same from an explicit grid of points, rows of equal length. */
export function gridMesh(grid) {
  const rows = grid.length, columns = grid[0].length;
  const order = outlineFirst(rows, columns);
  const indexOf = new Map(order.map(([row, column], index) => [row * columns + column, index]));
  const triangles = [];
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const [a, b, c, d] = [[row, column], [row, column + 1], [row + 1, column + 1], [row + 1, column]].map(([r, q]) => indexOf.get(r * columns + q));
      triangles.push(a, b, c, c, d, a);
    }
  }
  return { points: order.map(([row, column]) => grid[row][column]), triangles, hull: 2 * (rows + columns) - 4 };
}

function outlineFirst(rows, columns) {
  const order = [];
  for (let column = 0; column < columns; column++) order.push([0, column]);
  for (let row = 1; row < rows; row++) order.push([row, columns - 1]);
  for (let column = columns - 2; column >= 0; column--) order.push([rows - 1, column]);
  for (let row = rows - 2; row > 0; row--) order.push([row, 0]);
  for (let row = 1; row < rows - 1; row++) for (let column = 1; column < columns - 1; column++) order.push([row, column]);
  return order;
}

/** Distance of a point to the segment of a bone. */
function boneDistance(bone, x, y) {
  const dx = bone.tailX - bone.x, dy = bone.tailY - bone.y, squared = dx * dx + dy * dy;
  const t = squared > 0 ? Math.min(Math.max(((x - bone.x) * dx + (y - bone.y) * dy) / squared, 0), 1) : 0;
  return Math.hypot(x - bone.x - dx * t, y - bone.y - dy * t);
}

/**
 * Weights of a point over bones, by distance; at most three, small ones dropped, sum 1 after rounding.
 * @returns [boneName, weight] pairs
 */
export function weightsByDistance(names, x, y, sharpness = 4) {
  const all = names.map((name) => [name, 1 / (boneDistance(bonesByName.get(name), x, y) + 4) ** sharpness]);
  all.sort((a, b) => b[1] - a[1]);
  const best = all.slice(0, 3);
  const total = best.reduce((sum, [, w]) => sum + w, 0);
  const kept = best.filter(([, w]) => w / total > 0.04);
  const keptTotal = kept.reduce((sum, [, w]) => sum + w, 0);
  const rounded = kept.map(([name, w]) => [name, round(w / keptTotal, 4)]);
  rounded[0][1] = round(rounded[0][1] + 1 - rounded.reduce((sum, [, w]) => sum + w, 0), 4);
  return rounded;
}

/** `vertices` of a weighted attachment from world points and a weight function (x, y) → pairs. */
export function weightedVertices(points, weightsAt) {
  const out = [];
  for (const [x, y] of points) {
    const weights = weightsAt(x, y);
    out.push(weights.length);
    for (const [name, weight] of weights) {
      const [bx, by] = toBone(name, x, y);
      out.push(bonesByName.get(name).index, round(bx, 2), round(by, 2), weight);
    }
  }
  return out;
}

/** `vertices` of an unweighted attachment on a bone. */
export const plainVertices = (points, boneName) => points.flatMap(([x, y]) => toBone(boneName, x, y).map((v) => round(v, 2)));

/** `uvs` of world points over a picture's world box. */
export const uvsIn = (points, [minX, minY, maxX, maxY]) =>
  points.flatMap(([x, y]) => [round((x - minX) / (maxX - minX), 5), round((maxY - y) / (maxY - minY), 5)]);
