// Shared pictures without a look: the ground shadow, a puff of dust in frames, and a spark.
import { along } from "../raster/canvas.mjs";
import { subtract, union } from "../raster/field.mjs";
import { ellipse, polygon } from "../raster/path.mjs";

export const shadowPart = {
  name: "shadow",
  shapes: [ellipse(0, 0, 96, 20)],
  draw(canvas) {
    canvas.fill(canvas.field(ellipse(0, 0, 78, 11)), "#1d1633", { soft: 18, alpha: 0.5 });
  },
};

export const DUST_FRAMES = 5;

/** Frame `index` of a puff that opens, rises and thins out; centred near (0, 14). */
export function dustPart(index) {
  const t = index / (DUST_FRAMES - 1);
  const open = 1 - (1 - t) * (1 - t);
  const puffs = [[-1, 0.2, 1], [-0.35, 0.75, 0.85], [0.3, 0.35, 0.75], [0.85, 0.1, 0.55]].map(([x, y, size]) => {
    const radius = (8 + 9 * open) * size * (1 - 0.35 * t * t);
    return ellipse(x * (10 + 22 * open), 5 + y * (8 + 20 * open) + radius * 0.4, radius, radius * 0.9);
  });
  return {
    name: `dust${index + 1}`,
    shapes: puffs,
    draw(canvas) {
      let cloud = union(...puffs.map((puff) => canvas.field(puff)));
      if (t > 0.5) cloud = subtract(cloud, canvas.field(ellipse(4, 12 + 10 * t, 26 * (t - 0.42), 18 * (t - 0.42))));
      canvas.fill(cloud, along([0, 0], "#d8c3a8", [0, 40], "#fff8ea"), { alpha: 0.9 - 0.5 * t, soft: 2 });
    },
  };
}

export const sparkPart = {
  name: "spark",
  shapes: [ellipse(0, 0, 17, 17)],
  draw(canvas) {
    canvas.fill(canvas.field(ellipse(0, 0, 7, 7)), "#ffe9a8", { soft: 10, alpha: 0.7 });
    canvas.fill(canvas.field(polygon([[0, 15], [2.6, 2.6], [15, 0], [2.6, -2.6], [0, -15], [-2.6, -2.6], [-15, 0], [-2.6, 2.6]])), "#fffbe6");
  },
};
