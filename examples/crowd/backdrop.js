// The evening meadow behind the crowd, as a function of the place: no image files, any size, the same picture everywhere.
import { fractal, hash, noise } from "./noise.js";

/** Height of the horizon as a share of the picture, from the top. */
export const HORIZON = 0.25;
/** Colour that far things fade to. */
export const HAZE = [0.95, 0.7, 0.58];

const rgb = (hex) => [((hex >> 16) & 255) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255];
const SKY = [[0, rgb(0x33306e)], [0.3, rgb(0x6d4a92)], [0.58, rgb(0xd06f8f)], [0.8, rgb(0xff9f76)], [1, rgb(0xffd28f)]];
const GROUND = [[0, rgb(0xd3a06c)], [0.07, rgb(0xa39a5a)], [0.25, rgb(0x6f8f52)], [0.6, rgb(0x4c7a4d)], [1, rgb(0x315c46)]];
const HILLS = [
  { base: 0.1, height: 0.13, scale: 2.3, color: rgb(0xc08aa6), seed: 11 },
  { base: 0.045, height: 0.1, scale: 3.7, color: rgb(0xa06f86), seed: 23 },
  { base: 0.0, height: 0.07, scale: 6.1, color: rgb(0x7d6a62), seed: 37 },
];
const SUN = { x: 0.7, y: 0.8, radius: 0.052 };

function ramp(stops, t, out) {
  let i = 0;
  while (i < stops.length - 2 && t > stops[i + 1][0]) i++;
  const [t0, a] = stops[i], [t1, b] = stops[i + 1];
  const f = Math.min(Math.max((t - t0) / (t1 - t0), 0), 1);
  for (let c = 0; c < 3; c++) out[c] = a[c] + (b[c] - a[c]) * f;
}

const toward = (out, color, share) => {
  for (let c = 0; c < 3; c++) out[c] += (color[c] - out[c]) * share;
};
const smooth = (a, b, v) => {
  const t = Math.min(Math.max((v - a) / (b - a), 0), 1);
  return t * t * (3 - 2 * t);
};

/**
 * Colour of the meadow at a place.
 * @param x - 0 … aspect, in picture heights; @param y - 0 (top) … 1
 * @param aspect - width / height; @param pixel - height of a pixel, for soft edges; @param out - [r, g, b], 0 … 1
 */
export function backdropColor(x, y, aspect, pixel, out) {
  if (y < HORIZON) sky(x, y / HORIZON, aspect, pixel / HORIZON, out);
  else meadow(x - aspect / 2, y, out);
}

function sky(x, t, aspect, pixel, out) {
  ramp(SKY, t, out);
  const dx = (x - SUN.x * aspect) * 3.2, dy = t - SUN.y, distance = Math.sqrt(dx * dx + dy * dy);
  toward(out, [1, 0.86, 0.6], 0.75 * Math.exp(-distance * 2.6));
  toward(out, [1, 0.97, 0.86], smooth(SUN.radius * 3.2 + 0.012, SUN.radius * 3.2 - 0.012, distance));
  // Two veils of cloud, lit from below.
  for (let layer = 0; layer < 2; layer++) {
    const cloud = fractal(x * (1.5 + layer) + layer * 9, t * (5.5 + layer * 4), 71 + layer * 8, 5);
    const below = fractal(x * (1.5 + layer) + layer * 9, (t + 0.035) * (5.5 + layer * 4), 71 + layer * 8, 5);
    const cover = smooth(0.5, 0.74, cloud) * smooth(0.02, 0.2, t) * smooth(0.98, 0.7, t);
    const lit = Math.min(Math.max((cloud - below) * 5 + 0.45, 0), 1);
    toward(out, [1, 0.62 + 0.26 * lit, 0.6 + 0.16 * lit], cover * (0.3 + 0.45 * lit));
  }
  for (const hill of HILLS) {
    const ridge = 1 - hill.base - hill.height * fractal(x * hill.scale, 3.3, hill.seed, 5) * 1.6 - trees(x, hill);
    const share = smooth(ridge - pixel, ridge + pixel, t);
    if (share === 0) continue;
    const glow = 0.5 * Math.exp(-Math.abs(x - SUN.x * aspect) * 1.6);
    toward(out, hill.color, share);
    toward(out, [1, 0.72, 0.5], share * glow * 0.55);
    toward(out, HAZE, share * smooth(ridge, 1.02, t) * 0.65);
  }
}

/** Round crowns along the nearest ridge. */
function trees(x, hill) {
  if (hill.base > 0) return 0;
  let height = 0;
  const cell = Math.floor(x * 60);
  for (let i = -1; i <= 1; i++) {
    if (hash(cell + i, 5, 91) < 0.75 - 0.6 * noise((cell + i) * 0.16, 2, 93)) continue;
    const radius = 0.006 + 0.009 * hash(cell + i, 6, 92), d = x - (cell + i + 0.5 + 0.5 * hash(cell + i, 7, 94)) / 60;
    if (Math.abs(d) < radius) height = Math.max(height, (Math.sqrt(1 - (d / radius) ** 2) * radius * 1.5) / HORIZON);
  }
  return height;
}

/** `x` from the middle: the ground runs to the vanishing point. */
function meadow(x, y, out) {
  const near = (y - HORIZON) / (1 - HORIZON);
  ramp(GROUND, near, out);
  const depth = 1 / Math.max(near, 0.004), gx = x * depth * 1.4, gy = depth * 1.9;
  const patch = fractal(gx * 0.9, gy * 0.9, 131, 4);
  const fade = smooth(0.01, 0.16, near);
  toward(out, rgb(0x9fb45e), smooth(0.5, 0.72, patch) * 0.5 * fade);
  toward(out, rgb(0x2c5346), smooth(0.5, 0.28, patch) * 0.4 * fade);
  // A worn path that swings towards the hills.
  const bend = 0.22 * Math.sin(gy * 0.42 + 0.4) + 0.55;
  const way = Math.abs(gx - bend) - 0.23 - 0.05 * noise(gx * 5, gy * 5, 7);
  toward(out, rgb(0xc79c6c), smooth(0.09, -0.05, way) * 0.42 * fade);
  // Tufts and flowers, only where they are large enough to be seen.
  const detail = smooth(0.1, 0.4, near);
  if (detail > 0) {
    const blade = noise(gx * 70, gy * 42, 17) - 0.5;
    for (let c = 0; c < 3; c++) out[c] *= 1 + blade * 0.26 * detail;
    const cx = Math.floor(gx * 16), cy = Math.floor(gy * 16);
    if (hash(cx, cy, 19) > 0.86) {
      const fx = gx * 16 - cx - 0.3 - 0.4 * hash(cx, cy, 20), fy = (gy * 16 - cy - 0.5) * 0.8;
      const flower = [[1, 0.93, 0.8], [1, 0.78, 0.42], [0.95, 0.62, 0.72]][Math.floor(hash(cx, cy, 21) * 3)];
      toward(out, flower, smooth(0.12, 0.06, Math.sqrt(fx * fx + fy * fy)) * detail * 0.85);
    }
  }
  // Evening light from the right, dusk towards the viewer's feet.
  const shade = 1 - 0.16 * smooth(0.55, 1, near);
  for (let c = 0; c < 3; c++) out[c] *= shade;
}
