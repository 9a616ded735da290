// Eyes, brows and mouths. Eyes differ in colour per look; shapes are shared.
import { vertical } from "../raster/canvas.mjs";
import { ellipse, spline } from "../raster/path.mjs";

/** Centre and radii of the eyes as drawn. */
export const EYES = { near: [22, 352, 14.5, 21], far: [94, 354, 11, 20] };

export function openEyePart(p, side) {
  const [x, y, rx, ry] = EYES[side];
  const ball = ellipse(x, y, rx, ry, side === "near" ? 3 : -3);
  const lash = side === "near"
    ? spline([[x - rx - 5, y + 10], [x - rx * 0.6, y + ry - 1], [x + 2, y + ry + 2], [x + rx, y + ry - 7]], false)
    : spline([[x - rx, y + ry - 7], [x, y + ry + 2], [x + rx * 0.7, y + ry - 3], [x + rx + 3, y + 10]], false);
  return {
    name: `${p.name}/eye-${side}`,
    shapes: [ball, ellipse(x, y, rx + 8, ry + 6)],
    draw(canvas) {
      const field = canvas.field(ball);
      canvas.fill(field, p.eye);
      canvas.fill(field, vertical(y - ry, p.eyeGlow, y + ry * 0.25, p.eye), { grow: -2.5, soft: 2 });
      canvas.fill(canvas.field(ellipse(x, y - ry * 0.55, rx * 0.55, ry * 0.28)), "#ffffff", { alpha: 0.28, soft: 5, clip: field });
      canvas.fill(canvas.field(ellipse(x - rx * 0.32, y + ry * 0.38, rx * 0.36, ry * 0.28, 15)), "#ffffff");
      canvas.fill(canvas.field(ellipse(x + rx * 0.38, y - ry * 0.3, rx * 0.17, ry * 0.13)), "#ffffff", { alpha: 0.9 });
      canvas.line(lash, 4.2, p.eye);
    },
  };
}

/** A closed eye: a lash line that hangs (`asleep`) or arches (`glad`). */
export function closedEyePart(p, side, mood) {
  const [x, y, rx] = EYES[side];
  const bend = mood === "glad" ? 9 : -6;
  const base = mood === "glad" ? y - 3 : y - 4;
  const line = spline([[x - rx - 2, base], [x - rx * 0.5, base + bend * 0.85], [x, base + bend], [x + rx * 0.5, base + bend * 0.85], [x + rx + 2, base]], false);
  return {
    name: `${p.name}/eye-${side}-${mood}`,
    shapes: [line.map(([a, b]) => [a, b + 3]), line.map(([a, b]) => [a - 3, b - 3]), line.map(([a, b]) => [a + 3, b])],
    draw(canvas) {
      canvas.line(line, 4.6, p.eye);
    },
  };
}

export function browPart(p, side) {
  const line = side === "near" ? spline([[2, 385], [16, 392], [34, 389]], false) : spline([[82, 390], [95, 392], [106, 385]], false);
  return {
    name: `${p.name}/brow-${side}`,
    shapes: [line.map(([x, y]) => [x - 3, y - 3]), line.map(([x, y]) => [x + 3, y + 3])],
    draw: (canvas) => void canvas.line(line, 5, p.hairShade),
  };
}

const INK = "#4a2328";

export const smilePart = {
  name: "mouth-smile",
  shapes: [ellipse(64, 311, 19, 9)],
  draw(canvas) {
    canvas.line(spline([[48, 315], [52, 309], [59, 309], [64, 315]], false), 3, INK);
    canvas.line(spline([[64, 315], [69, 309], [76, 309], [80, 315]], false), 3, INK);
  },
};

export const openMouthPart = {
  name: "mouth-open",
  shapes: [ellipse(64, 305, 18, 15)],
  draw(canvas) {
    const outline = spline([[50, 315], [64, 312], [78, 315], [76, 299], [64, 291], [53, 298]]);
    const inner = canvas.body(canvas.field(outline), { base: "#7d2733", shade: "#591a2b", light: "#9a3a40", outline: INK }, { outlineWidth: 2.6, depth: 5 });
    canvas.detail(ellipse(65, 295, 9, 6), "#f58a86", inner, { soft: 1.5 });
    canvas.detail(spline([[55, 315], [73, 315], [71, 309], [64, 308], [57, 309]]), "#ffffff", inner);
  },
};
