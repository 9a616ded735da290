// Signed distance fields on a pixel grid: negative inside. One is computed per outline; everything else samples it.

/**
 * Distance of every pixel centre to a polyline.
 * @param canvas - gives the grid (see canvas.mjs)
 * @param polyline - [x, y] in world units
 * @param closed - false gives an unsigned distance to the line
 */
export function distanceField(canvas, polyline, closed = true) {
  const { width, height, scale } = canvas;
  const count = polyline.length;
  const segments = closed ? count : count - 1;
  const xs = new Float64Array(count + 1), ys = new Float64Array(count + 1);
  for (let i = 0; i <= count; i++) {
    const [x, y] = polyline[i % count];
    [xs[i], ys[i]] = canvas.toPixel(x, y);
  }
  const data = new Float32Array(width * height);
  for (let row = 0; row < height; row++) {
    const py = row + 0.5;
    for (let column = 0; column < width; column++) {
      const px = column + 0.5;
      let best = Infinity, winding = 0;
      for (let i = 0; i < segments; i++) {
        const ax = xs[i], ay = ys[i], dx = xs[i + 1] - ax, dy = ys[i + 1] - ay;
        const lengthSquared = dx * dx + dy * dy;
        let t = lengthSquared > 0 ? ((px - ax) * dx + (py - ay) * dy) / lengthSquared : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        const ex = px - ax - dx * t, ey = py - ay - dy * t;
        const squared = ex * ex + ey * ey;
        if (squared < best) best = squared;
        if (closed && ay <= py !== ys[i + 1] <= py) {
          if (ax + ((py - ay) / dy) * dx > px) winding += dy > 0 ? 1 : -1;
        }
      }
      const distance = Math.sqrt(best) / scale;
      data[row * width + column] = winding !== 0 ? -distance : distance;
    }
  }
  return { width, height, data };
}

/** Pixel-wise combination of two fields. */
function combine(a, b, pick) {
  const data = new Float32Array(a.data.length);
  for (let i = 0; i < data.length; i++) data[i] = pick(a.data[i], b.data[i]);
  return { width: a.width, height: a.height, data };
}

export const union = (...fields) => fields.reduce((a, b) => combine(a, b, Math.min));
export const intersect = (...fields) => fields.reduce((a, b) => combine(a, b, Math.max));
export const subtract = (a, b) => combine(a, b, (x, y) => Math.max(x, -y));

/** Field grown by `amount` world units (shrunk if negative). */
export const grow = (a, amount) => combine(a, a, (x) => x - amount);

/** Field moved by world units; outside the grid the nearest value counts. */
export function shifted(canvas, field, dx, dy) {
  const { width, height, data } = field;
  const sx = dx * canvas.scale, sy = -dy * canvas.scale;
  const out = new Float32Array(data.length);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      out[row * width + column] = sample(data, width, height, column - sx, row - sy);
    }
  }
  return { width, height, data: out };
}

function sample(data, width, height, x, y) {
  const cx = Math.min(Math.max(x, 0), width - 1.001), cy = Math.min(Math.max(y, 0), height - 1.001);
  const x0 = Math.floor(cx), y0 = Math.floor(cy), fx = cx - x0, fy = cy - y0, i = y0 * width + x0;
  const below = Math.min(i + width, data.length - 1 - (x0 + 1 < width ? 1 : 0));
  return (data[i] * (1 - fx) + data[i + 1] * fx) * (1 - fy) + (data[below] * (1 - fx) + data[below + 1] * fx) * fy;
}
