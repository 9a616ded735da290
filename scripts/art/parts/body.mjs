// Coat, satchel, scarf collar, sleeves, legs, boots and hands.
import { along, vertical } from "../raster/canvas.mjs";
import { union } from "../raster/field.mjs";
import { ellipse, polygon, ribbonOutline, spline } from "../raster/path.mjs";

const JACKET = spline([
  [-16, 264], [-38, 248], [-43, 214], [-47, 180], [-54, 142], [-50, 134, 1], [-24, 127], [8, 125], [34, 128], [56, 136, 1], [52, 160], [45, 196], [42, 226], [40, 248], [24, 264],
]);
const PONCHO = spline([
  [-16, 264], [-38, 252], [-52, 214], [-62, 166], [-70, 116], [-64, 108, 1], [-44, 114], [-28, 104], [-6, 112], [14, 102], [36, 112], [54, 104], [74, 112, 1], [66, 160], [54, 208], [42, 250], [24, 264],
]);

export const coatOutline = (p) => (p.name === "ember" ? JACKET : PONCHO);

export function coatPart(p) {
  const outline = coatOutline(p);
  const jacket = p.name === "ember";
  return {
    name: `${p.name}/coat`,
    shapes: [outline],
    draw(canvas) {
      const inner = canvas.body(canvas.field(outline), {
        base: vertical(jacket ? 126 : 104, p.coat, 262, p.coatTop), shade: p.coatShade, light: p.coatLight, outline: p.coatOutline,
      }, { depth: 15 });
      if (jacket) {
        canvas.detail(spline([[-62, 150], [-20, 139], [30, 140], [64, 152], [64, 120], [-62, 118]]), vertical(124, p.trimShade, 144, p.trim), inner, { soft: 1.4 });
        canvas.line(spline([[20, 262], [25, 210], [28, 128]], false), 2.6, p.coatOutline, inner, 0.8);
        for (const y of [226, 196, 166]) {
          canvas.fill(canvas.field(ellipse(17, y, 5.2, 5.2)), p.coatOutline, { clip: inner });
          canvas.fill(canvas.field(ellipse(17, y, 3.8, 3.8)), along([14, y - 4], "#c98a2e", [20, y + 4], "#ffe9a0"), { clip: inner });
        }
        // The satchel strap crosses the chest.
        canvas.line(spline([[38, 254], [4, 214], [-44, 160]], false), 11, p.bagOutline, inner);
        canvas.line(spline([[38, 254], [4, 214], [-44, 160]], false), 7, p.bag, inner);
      } else {
        for (const [x, top] of [[-40, 190], [-8, 170], [22, 180], [46, 170]]) {
          canvas.line(spline([[x * 0.7, top], [x * 0.9, 150], [x, 116]], false), 3.4, p.coatShade, inner, 0.6);
        }
        const hem = spline([[-80, 132], [-50, 130], [-28, 120], [-4, 128], [14, 119], [36, 128], [56, 120], [84, 128], [84, 90], [-80, 90]]);
        canvas.detail(hem, vertical(102, p.trimShade, 124, p.trim), inner, { soft: 1.4 });
        for (const [x, y] of [[-34, 146], [0, 152], [34, 146], [58, 156], [-56, 156]]) {
          canvas.fill(canvas.field(spline([[x, y + 7], [x + 2, y + 2], [x + 7, y], [x + 2, y - 2], [x, y - 7], [x - 2, y - 2], [x - 7, y], [x - 2, y + 2]])), p.button, { clip: inner, alpha: 0.95 });
        }
      }
    },
  };
}

/** Ember carries a satchel, Frost a lantern; both hang from the hip. */
export function bagPart(p) {
  const satchel = p.name === "ember";
  const outline = satchel
    ? spline([[-66, 164, 1], [-22, 158, 1], [-18, 124], [-26, 112], [-62, 116], [-70, 130]])
    : spline([[-52, 150], [-40, 150], [-30, 138], [-28, 114], [-34, 102, 1], [-58, 102, 1], [-64, 114], [-62, 138]]);
  const loop = satchel ? null : spline([[-54, 146], [-52, 162], [-46, 168], [-40, 162], [-38, 146]], false);
  return {
    name: `${p.name}/bag`,
    shapes: [outline, ...(loop ? [loop.map(([x, y]) => [x, y + 4])] : [])],
    draw(canvas) {
      if (loop) canvas.line(loop, 4, p.bagOutline);
      const inner = canvas.body(canvas.field(outline), {
        base: vertical(106, p.bag, 160, p.bagTop), shade: p.bagShade, light: p.bagLight, outline: p.bagOutline,
      }, { outlineWidth: 2.8, depth: 9 });
      if (satchel) {
        canvas.detail(spline([[-72, 168], [-14, 162], [-20, 138], [-44, 130], [-68, 142]]), p.bagTop, inner);
        canvas.line(spline([[-20, 138], [-44, 130], [-68, 142]], false), 2.6, p.bagOutline, inner);
        canvas.fill(canvas.field(ellipse(-43, 133, 5, 5)), p.bagOutline);
        canvas.fill(canvas.field(ellipse(-43, 133, 3.4, 3.4)), p.button);
      } else {
        canvas.detail(spline([[-56, 138], [-36, 138], [-34, 114], [-58, 114]]), "#2d2346", inner);
        const glow = canvas.field(ellipse(-46, 124, 8, 11));
        canvas.fill(glow, "#ffb52e", { soft: 10, clip: inner });
        canvas.fill(canvas.field(ellipse(-46, 122, 4.5, 7)), "#fff3b8", { soft: 3, clip: inner });
        canvas.line(spline([[-46, 140], [-46, 112]], false), 2.2, p.bagOutline, inner);
      }
    },
  };
}

/** The wrap of the scarf around the neck. */
export function collarPart(p) {
  const outline = spline([[-42, 266], [-46, 248], [-30, 234], [4, 228], [40, 234], [54, 250], [50, 270], [20, 282], [-20, 280]]);
  return {
    name: `${p.name}/collar`,
    shapes: [outline],
    draw(canvas) {
      const inner = canvas.body(canvas.field(outline), {
        base: vertical(230, p.scarf, 278, p.scarfTop), shade: p.scarfShade, light: p.scarfLight, outline: p.scarfOutline,
      }, { depth: 10 });
      canvas.line(spline([[-40, 258], [-10, 246], [24, 246], [52, 260]], false), 2.8, p.scarfShade, inner, 0.9);
      canvas.line(spline([[-38, 246], [0, 236], [40, 244]], false), 2.2, p.scarfShade, inner, 0.6);
      canvas.line(spline([[-34, 266], [0, 257], [40, 262]], false), 3, p.scarfLight, inner, 0.5);
    },
  };
}

/** Centre lines and half widths of the limbs as drawn (the near side). */
export const ARM = { spine: [[-24, 242], [-33, 200], [-26, 154]], half: [17, 15.5, 13.5] };
export const LEG = { spine: [[-12, 152], [-9, 88], [-14, 30]], half: [23, 18, 14.5] };

export function sleevePart(p) {
  const outline = ribbonOutline(ARM.spine, ARM.half);
  return {
    name: `${p.name}/sleeve`,
    shapes: [outline],
    draw(canvas) {
      const inner = canvas.body(canvas.field(outline), {
        base: along([-26, 150], p.coat, [-24, 250], p.coatTop), shade: p.coatShade, light: p.coatLight, outline: p.coatOutline,
      }, { depth: 8 });
      canvas.detail(spline([[-50, 164], [-26, 160], [0, 166], [0, 130], [-50, 130]]), vertical(140, p.trimShade, 164, p.trim), inner, { soft: 1.2 });
      canvas.line(spline([[-50, 165], [-26, 161], [0, 167]], false), 2.4, p.coatOutline, inner, 0.8);
      canvas.line(spline([[-46, 202], [-36, 199], [-29, 203]], false), 2.2, p.coatShade, inner, 0.8);
    },
  };
}

export function trousersPart(p) {
  const outline = ribbonOutline(LEG.spine, LEG.half);
  return {
    name: `${p.name}/leg`,
    shapes: [outline],
    draw(canvas) {
      const inner = canvas.body(canvas.field(outline), {
        base: vertical(30, p.trousers, 150, p.trousers), shade: p.trousersShade, light: p.trousersLight, outline: p.trousersOutline,
      }, { depth: 9 });
      canvas.line(spline([[-26, 90], [-14, 86], [-4, 90]], false), 2.2, p.trousersShade, inner, 0.8);
    },
  };
}

/** Sole at y = 0, ankle near (-14, 30). */
export function bootPart(p) {
  const shaft = spline([[-35, 50], [-14, 54], [7, 50], [8, 32], [30, 26], [42, 14], [42, 3], [30, 0], [-28, 0], [-37, 5], [-37, 24]]);
  return {
    name: `${p.name}/boot`,
    shapes: [shaft],
    draw(canvas) {
      const inner = canvas.body(canvas.field(shaft), {
        base: vertical(4, p.boot, 50, p.bootTop), shade: p.bootShade, light: p.bootLight, outline: p.bootOutline,
      }, { depth: 8 });
      canvas.detail(polygon([[-44, 9], [50, 9], [50, -6], [-44, -6]]), vertical(0, p.trimShade, 9, p.sole), inner);
      canvas.line([[-44, 9.5], [50, 9.5]], 2.4, p.bootOutline, inner);
      canvas.detail(spline([[-44, 60, 1], [16, 60, 1], [12, 41, 1], [-14, 45], [-42, 41, 1]]), vertical(42, p.trimShade, 54, p.trim), inner, { soft: 1.2 });
      canvas.line(spline([[-44, 41], [-14, 45], [12, 41]], false), 2.2, p.bootOutline, inner);
      canvas.line(spline([[8, 32], [16, 24], [14, 10]], false), 2, p.bootShade, inner, 0.8);
    },
  };
}

/** Mittens in fur: a resting paw, and a paw spread for waving. Both around the wrist at (-26, 154). */
export function pawPart(p, open) {
  const palm = open
    ? spline([[-40, 156], [-43, 138], [-38, 126], [-26, 122], [-14, 126], [-9, 138], [-12, 156]])
    : spline([[-39, 154], [-42, 140], [-36, 129], [-24, 126], [-13, 132], [-10, 144], [-13, 155]]);
  const fingers = open
    ? [ellipse(-40, 122, 7, 12, -22), ellipse(-26, 117, 7.4, 13), ellipse(-12, 122, 7, 12, 22), ellipse(-5, 142, 7, 11, 60)]
    : [ellipse(-10, 148, 6, 9, 30)];
  return {
    name: `${p.name}/${open ? "paw-open" : "paw"}`,
    shapes: [palm, ...fingers],
    draw(canvas) {
      const inner = canvas.body(union(canvas.field(palm), ...fingers.map((finger) => canvas.field(finger))), {
        base: p.fur, shade: p.furShade, light: p.furLight, outline: p.outline,
      }, { outlineWidth: 2.8, depth: 7 });
      if (open) {
        canvas.detail(ellipse(-26, 138, 8, 7), p.earInnerLight, inner, { soft: 2 });
        for (const [x, y] of [[-40, 121], [-26, 116], [-12, 121]]) canvas.detail(ellipse(x, y, 3.6, 4.6), p.earInnerLight, inner, { soft: 1.6 });
      } else {
        canvas.line(spline([[-32, 130], [-31, 138]], false), 2.2, p.furShade, inner);
        canvas.line(spline([[-22, 128], [-22, 136]], false), 2.2, p.furShade, inner);
      }
    },
  };
}
