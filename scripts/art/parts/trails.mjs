// What trails behind: the tail and the loose end of the scarf.
import { along } from "../raster/canvas.mjs";
import { ribbonOutline, spline } from "../raster/path.mjs";

export const TAIL = { spine: [[-22, 152], [-66, 134], [-112, 142], [-142, 178], [-150, 226], [-142, 268]], half: [15, 25, 36, 43, 37, 0], meshHalf: [21, 31, 42, 48, 46, 30] };
export const SCARF = { spine: [[-18, 256], [-48, 240], [-70, 206], [-82, 166], [-90, 124]], half: [13, 15.5, 17.5, 19.5, 21] };

export function tailPart(p) {
  const outline = ribbonOutline(TAIL.spine, TAIL.half, "tip");
  const frost = p.name === "frost";
  return {
    name: `${p.name}/tail`,
    shapes: [outline],
    draw(canvas) {
      const inner = canvas.body(canvas.field(outline), {
        base: along([-60, 130], p.fur, [-146, 260], p.furTop), shade: p.furShade, light: p.furLight, outline: p.outline,
      }, { depth: 18 });
      const tip = spline([[-200, 204], [-182, 218, 1], [-170, 202], [-158, 222, 1], [-146, 206], [-132, 224, 1], [-122, 206], [-108, 216, 1], [-96, 204], [-90, 300], [-200, 300]]);
      canvas.detail(tip, frost ? p.earTip : p.cream, inner, { soft: 1.6 });
      if (frost) {
        for (const [x, y] of [[-96, 146], [-128, 176]]) {
          canvas.line(spline([[x - 32, y + 6], [x, y + 14], [x + 26, y + 30]], false), 9, p.furShade, inner, 0.55);
        }
      }
      for (const strand of [[[-70, 118], [-100, 118], [-126, 136]], [[-84, 136], [-110, 146], [-128, 168]], [[-168, 190], [-172, 214], [-166, 236]], [[-138, 196], [-136, 220], [-142, 242]]]) {
        canvas.line(spline(strand, false), 2.6, p.furShade, inner, 0.6);
      }
    },
  };
}

export function scarfPart(p) {
  const outline = ribbonOutline(SCARF.spine, SCARF.half, "cut");
  return {
    name: `${p.name}/scarf`,
    shapes: [outline],
    draw(canvas) {
      const inner = canvas.body(canvas.field(outline), {
        base: along([-90, 112], p.scarf, [-20, 256], p.scarfTop), shade: p.scarfShade, light: p.scarfLight, outline: p.scarfOutline,
      }, { depth: 9 });
      for (const y of [158, 171]) canvas.line(spline([[-114, y - 4], [-86, y], [-58, y + 6]], false), 4.6, p.trim, inner, 0.95);
      canvas.line(spline([[-26, 250], [-54, 228], [-72, 186], [-82, 160]], false), 2.6, p.scarfShade, inner, 0.55);
      for (let i = -2; i <= 2; i++) canvas.line([[-88 + i * 8, 144], [-91 + i * 8.6, 118]], 2.2, i % 2 ? p.scarfShade : p.scarfOutline, inner, 0.8);
    },
  };
}
