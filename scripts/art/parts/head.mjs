// Head, ears, hair and what the two looks wear there. Drawn in setup-pose world units (y up, facing right).
import { along, vertical } from "../raster/canvas.mjs";
import { subtract, union } from "../raster/field.mjs";
import { ellipse, spline } from "../raster/path.mjs";

/** The skull with its cheek tufts. */
export const HEAD_OUTLINE = spline([
  [20, 444], [78, 430], [116, 388], [121, 346], [119, 324], [136, 300, 1], [110, 294], [118, 276, 1], [88, 277],
  [52, 262], [12, 262], [-38, 272], [-66, 268, 1], [-62, 286], [-98, 288, 1], [-84, 316], [-87, 350], [-78, 396], [-38, 432],
]);

const MASK = spline([
  [56, 356], [74, 340], [98, 352], [120, 336], [123, 318], [140, 299, 1], [108, 292], [120, 272, 1], [88, 270], [50, 255],
  [10, 255], [-38, 266], [-68, 262, 1], [-62, 284], [-102, 285, 1], [-80, 312], [-50, 326], [-14, 318], [8, 340], [34, 352],
]);

export function headPart(p) {
  return {
    name: `${p.name}/head`,
    shapes: [HEAD_OUTLINE],
    draw(canvas) {
      const inner = canvas.body(canvas.field(HEAD_OUTLINE), {
        base: vertical(270, p.fur, 440, p.furTop), shade: p.furShade, light: p.furLight, outline: p.outline,
      }, { depth: 22 });
      canvas.detail(MASK, vertical(262, p.creamShade, 318, p.cream), inner, { soft: 2.2 });
      // Blush under both eyes, then the muzzle with its soft underside.
      canvas.detail(ellipse(-8, 312, 19, 11, 6), p.blush, inner, { soft: 14, alpha: 0.5 });
      canvas.detail(ellipse(108, 318, 12, 9, -6), p.blush, inner, { soft: 12, alpha: 0.5 });
      canvas.detail(ellipse(60, 300, 30, 12), p.creamShade, inner, { soft: 16, alpha: 0.45 });
      const nose = spline([[50, 336], [64, 339], [77, 335], [72, 325], [64, 321], [56, 326]]);
      canvas.fill(canvas.field(nose), p.nose);
      canvas.fill(canvas.field(ellipse(60, 333.5, 5.5, 2.2, 6)), "#ffffff", { alpha: 0.55, soft: 2 });
      canvas.line(spline([[64, 321], [64, 315]], false), 2.6, p.nose);
      // A few tufts on the forehead and the cheek give the fur a direction.
      for (const [x, y, dx, dy] of [[-66, 340, 14, -7], [-70, 326, 13, -3], [100, 398, -5, -13], [108, 386, -3, -13]]) {
        canvas.line(spline([[x, y], [x + dx * 0.6, y + dy * 0.3], [x + dx, y + dy]], false), 2.4, p.furShade, inner, 0.7);
      }
    },
  };
}

/** An ear, base to tip: base left, bulge, tip, bulge, base right. */
const nearEar = (round) => spline([
  [-74, 372], [-104, 420], [-116, 476], round ? [-104, 528] : [-108, 546, 1], round ? [-84, 536] : [-62, 520], [-30, 478], [-4, 430], [-8, 396], [-40, 374],
]);
const farEar = (round) => spline([
  [48, 404], [44, 450], [58, 500], round ? [82, 528] : [88, 542, 1], round ? [102, 520] : [106, 508], [118, 468], [116, 424], [100, 396],
]);

function ear(p, name, outline, innerShape, tip, tufts) {
  return {
    name: `${p.name}/${name}`,
    shapes: [outline],
    draw(canvas) {
      const field = canvas.field(outline);
      const inner = canvas.body(field, {
        base: along(tip[0], p.fur, tip[1], p.furTop), shade: p.furShade, light: p.furLight, outline: p.outline,
      }, { depth: 13 });
      const fold = canvas.detail(innerShape, along(tip[0], p.earInnerLight, tip[1], p.earInner), inner, { soft: 2 });
      for (const tuft of tufts) canvas.detail(spline(tuft), p.cream, inner, { soft: 1.6 });
      canvas.fill(subtract(fold, canvas.field(innerShape.map(([x, y]) => [x + 5, y - 5]))), p.earInner, { alpha: 0.35, soft: 3, clip: fold });
      canvas.detail(ellipse(tip[2][0], tip[2][1], tip[2][2], tip[2][3], tip[2][4]), p.earTip, inner, { soft: 10, alpha: 0.92 });
    },
  };
}

export const earNearPart = (p) => ear(p, "ear-near", nearEar(p.name === "frost"), spline([
  [-62, 392], [-86, 434], [-94, 476], [-94, 520, 1], [-62, 496], [-32, 460], [-16, 420], [-36, 396],
]), [[-50, 390], [-96, 520], [-104, 540, 34, 26, 30]], [
  [[-76, 376], [-84, 420], [-62, 414], [-58, 440, 1], [-42, 404], [-36, 378]],
]);

export const earFarPart = (p) => ear(p, "ear-far", farEar(p.name === "frost"), spline([
  [62, 416], [58, 452], [68, 494], [87, 518, 1], [98, 494], [106, 464], [104, 428], [88, 408],
]), [[80, 410], [88, 518], [90, 538, 30, 24, -10]], [
  [[58, 402], [62, 432], [74, 424], [80, 448, 1], [90, 424], [100, 402]],
]);

/** Ember: a swept crest of spikes. Frost: a long parted fringe that ends in a curl. */
const CREST = [
  spline([[-52, 424], [-46, 462], [-66, 478, 1], [-30, 478], [4, 482], [40, 474], [76, 452], [104, 414, 1], [82, 424], [76, 420], [92, 392, 1], [58, 412], [40, 406], [46, 384, 1], [16, 404], [-18, 410]]),
];
const FRINGE = [
  spline([[-62, 420], [-40, 456], [4, 470], [56, 462], [96, 436], [124, 398], [134, 358], [128, 322, 1], [116, 346], [106, 378], [84, 404], [62, 414], [34, 408], [30, 384, 1], [8, 404], [-24, 408], [-44, 388, 1], [-46, 406]]),
];

export function hairPart(p) {
  const [outline] = p.name === "ember" ? CREST : FRINGE;
  const strands = p.name === "ember"
    ? [[[-40, 440], [-6, 456], [40, 450], [82, 426]], [[-34, 426], [0, 440], [40, 434], [72, 412]], [[-20, 418], [10, 424], [36, 412]]]
    : [[[-30, 434], [20, 448], [70, 434], [108, 394]], [[-36, 420], [16, 432], [64, 424], [98, 398]], [[60, 446], [100, 414], [122, 372]]];
  return {
    name: `${p.name}/hair`,
    shapes: [outline],
    draw(canvas) {
      const inner = canvas.body(canvas.field(outline), {
        base: vertical(390, p.hair, 476, p.hairTop), shade: p.hairShade, light: p.hairLight, outline: p.outline,
      }, { depth: 12 });
      for (const strand of strands) canvas.line(spline(strand, false), 3, p.hairShade, inner, 0.55);
      canvas.line(spline(p.name === "ember" ? [[-26, 462], [10, 468], [46, 458]] : [[-20, 450], [20, 459], [58, 450]], false), 5, p.hairLight, inner, 0.6);
    },
  };
}

/** Frost only: flight goggles pushed up on the forehead. */
export function gogglesPart(p) {
  const strap = spline([[-86, 384], [-60, 404], [-10, 420], [50, 424], [100, 412], [118, 396], [119, 384], [98, 398], [48, 408], [-8, 404], [-58, 388], [-87, 368]]);
  const lenses = [ellipse(28, 414, 27, 22, 6), ellipse(88, 407, 21, 20, -12)];
  return {
    name: `${p.name}/goggles`,
    shapes: [strap, ...lenses],
    draw(canvas) {
      canvas.body(canvas.field(strap), { base: p.bagShade, shade: p.bagOutline, light: p.bag, outline: p.bagOutline }, { outlineWidth: 2.4, depth: 6 });
      const rim = union(...lenses.map((lens) => canvas.field(lens)));
      const inner = canvas.body(rim, { base: p.button, shade: p.scarfShade, light: "#fff6cf", outline: p.scarfOutline }, { outlineWidth: 2.6, depth: 7 });
      for (const [x, y, rx, ry, turn] of [[28, 414, 19, 14.5, 6], [88, 407, 14, 13, -12]]) {
        const glass = canvas.field(ellipse(x, y, rx, ry, turn));
        canvas.fill(glass, p.bagOutline, { clip: inner, grow: 2 });
        canvas.fill(glass, along([x, y - ry], "#2a4f86", [x, y + ry], "#9ff0ff"), { clip: inner });
        canvas.fill(canvas.field(ellipse(x - rx * 0.3, y + ry * 0.35, rx * 0.4, ry * 0.3, 25)), "#ffffff", { alpha: 0.85, soft: 2 });
      }
    },
  };
}
