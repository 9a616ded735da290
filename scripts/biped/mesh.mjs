/**
 * The biped's surface: lofts (rings of points along a limb) and a few facets, flat-shaded, coloured per face, every ring
 * with the weights of the bones it follows.
 */
import { add, cross, scale, sub, unit } from "./math.mjs";
import { ARM, BONES, boneIndex } from "./skeleton.mjs";

const COLORS = {
  skin: [0.86, 0.62, 0.47], lip: [0.74, 0.45, 0.38], hair: [0.16, 0.1, 0.07], eye: [0.07, 0.07, 0.1], white: [0.95, 0.95, 0.93],
  shirt: [0.1, 0.42, 0.55], trim: [0.95, 0.6, 0.2], trousers: [0.16, 0.19, 0.29], belt: [0.09, 0.08, 0.08], shoe: [0.82, 0.27, 0.2], sole: [0.93, 0.93, 0.9],
};

/** Faces with their own corners. */
class Surface {
  constructor() {
    this.positions = [];
    this.normals = [];
    this.colors = [];
    this.influences = [];
    this.indices = [];
  }

  /** A polygon of three or four corners `{ point, weights }`, counter-clockwise from outside. */
  face(corners, color) {
    const [a, b, c] = corners.map((corner) => corner.point);
    const d = corners[3]?.point ?? a;
    const normal = cross(sub(c, a), sub(d === a ? b : d, b));
    const facing = d === a ? cross(sub(b, a), sub(c, a)) : normal;
    if (Math.hypot(...facing) < 1e-9) return;
    const first = this.positions.length;
    for (const { point, weights } of corners) {
      this.positions.push(point);
      this.normals.push(unit(facing));
      this.colors.push(COLORS[color]);
      this.influences.push(weights);
    }
    this.indices.push(first, first + 1, first + 2);
    if (corners.length === 4) this.indices.push(first, first + 2, first + 3);
  }

  /**
   * Rings joined by faces and closed at both ends.
   * @param rings - { points, weights, color } from one end to the other; counter-clockwise seen from the last ring
   */
  loft(rings, { capStart = true, capEnd = true, colorAt } = {}) {
    const corner = (ring, k) => ({ point: ring.points[k % ring.points.length], weights: ring.weights });
    for (let r = 0; r + 1 < rings.length; r++) {
      const low = rings[r], high = rings[r + 1];
      for (let k = 0; k < low.points.length; k++) {
        const corners = [corner(low, k), corner(low, k + 1), corner(high, k + 1), corner(high, k)];
        this.face(corners, colorAt?.(corners.map((c) => c.point)) ?? high.color);
      }
    }
    if (capStart) this.cap(rings[0], true);
    if (capEnd) this.cap(rings[rings.length - 1], false);
  }

  cap(ring, reversed) {
    const n = ring.points.length;
    const center = { point: scale(ring.points.reduce(add), 1 / n), weights: ring.weights };
    for (let k = 0; k < n; k++) {
      const a = { point: ring.points[k], weights: ring.weights }, b = { point: ring.points[(k + 1) % n], weights: ring.weights };
      this.face(reversed ? [center, b, a] : [center, a, b], ring.color);
    }
  }
}

/** A ring about `center` in the plane of `u` and `v`; `square` above 2 makes it boxier. */
function ring(center, u, v, radiusU, radiusV, color, weights, segments = 10, square = 2.4) {
  const points = [];
  for (let k = 0; k < segments; k++) {
    const angle = ((k + 0.5) / segments) * 2 * Math.PI;
    const c = Math.cos(angle), s = Math.sin(angle);
    const r = (Math.abs(c) ** square + Math.abs(s) ** square) ** (-1 / square);
    points.push(add(center, add(scale(u, radiusU * r * c), scale(v, radiusV * r * s))));
  }
  return { points, color, weights };
}

const X = [1, 0, 0], Y = [0, 1, 0], Z = [0, 0, 1], MINUS_Z = [0, 0, -1];
/** A level ring, its faces looking outwards when rings go upwards. */
const level = (x, y, z, rx, rz, color, weights, segments, square) => ring([x, y, z], X, MINUS_Z, rx, rz, color, weights, segments, square);

function torso(surface) {
  surface.loft([
    level(0, 0.835, -0.005, 0.085, 0.085, "trousers", { hips: 1 }, 12),
    level(0, 0.87, -0.008, 0.15, 0.112, "trousers", { hips: 1 }, 12),
    level(0, 0.93, -0.01, 0.172, 0.122, "trousers", { hips: 1 }, 12),
    level(0, 0.985, -0.005, 0.16, 0.112, "trousers", { hips: 1 }, 12),
    level(0, 1.015, -0.003, 0.15, 0.105, "belt", { hips: 0.85, spine: 0.15 }, 12),
    level(0, 1.02, -0.003, 0.156, 0.11, "shirt", { hips: 0.8, spine: 0.2 }, 12),
    level(0, 1.08, -0.002, 0.146, 0.1, "shirt", { hips: 0.45, spine: 0.55 }, 12),
    level(0, 1.15, -0.004, 0.152, 0.103, "shirt", { spine: 0.85, chest: 0.15 }, 12),
    level(0, 1.23, -0.004, 0.172, 0.114, "shirt", { spine: 0.45, chest: 0.55 }, 12),
    level(0, 1.31, -0.004, 0.19, 0.122, "shirt", { chest: 1 }, 12),
    level(0, 1.385, -0.01, 0.196, 0.112, "shirt", { chest: 1 }, 12),
    level(0, 1.433, -0.014, 0.172, 0.09, "shirt", { chest: 1 }, 12),
    level(0, 1.462, -0.016, 0.118, 0.072, "shirt", { chest: 1 }, 12),
    level(0, 1.474, -0.014, 0.068, 0.062, "trim", { chest: 0.8, neck: 0.2 }, 12, 2),
    level(0, 1.48, -0.012, 0.056, 0.056, "skin", { chest: 0.4, neck: 0.6 }, 12, 2),
    level(0, 1.52, -0.004, 0.05, 0.053, "skin", { neck: 0.8, head: 0.2 }, 12, 2),
    level(0, 1.565, 0.002, 0.05, 0.055, "skin", { head: 1 }, 12, 2),
  ], { capEnd: false });
}

function head(surface) {
  const w = { head: 1 };
  const at = (y, z, rx, rz, square) => level(0, y, z, rx, rz, "skin", w, 14, square ?? 2.15);
  const hairAbove = (points) => {
    const y = points.reduce((sum, p) => sum + p[1], 0) / points.length, z = points.reduce((sum, p) => sum + p[2], 0) / points.length;
    return y > 1.705 || (z < -0.02 && y > 1.585) || (z < 0.045 && y > 1.655) ? "hair" : "skin";
  };
  surface.loft([
    at(1.517, 0.05, 0.026, 0.03), at(1.53, 0.04, 0.044, 0.056), at(1.556, 0.024, 0.06, 0.078), at(1.59, 0.012, 0.07, 0.092),
    at(1.63, 0.006, 0.075, 0.099), at(1.67, 0.002, 0.077, 0.102), at(1.706, -0.002, 0.073, 0.098), at(1.735, -0.006, 0.06, 0.083), at(1.752, -0.008, 0.036, 0.052),
  ], { colorAt: hairAbove });
  // The hair is a cap that stands off the skull, longer at the back.
  const tuft = (y, z, rx, rz) => level(0, y, z, rx, rz, "hair", w, 14, 2.2);
  surface.loft([tuft(1.7, -0.014, 0.083, 0.1), tuft(1.733, -0.01, 0.075, 0.099), tuft(1.757, -0.008, 0.055, 0.075), tuft(1.768, -0.006, 0.022, 0.034)]);
  surface.loft([tuft(1.6, -0.058, 0.062, 0.046), tuft(1.65, -0.05, 0.081, 0.064), tuft(1.705, -0.044, 0.083, 0.07)]);
  for (const sign of [1, -1]) {
    // Ears, eyes and brows; faces turn with the side so that they stay counter-clockwise.
    surface.loft([level(sign * 0.078, 1.608, 0.0, 0.006, 0.014, "skin", w, 6, 2), level(sign * 0.083, 1.63, -0.002, 0.01, 0.02, "skin", w, 6, 2), level(sign * 0.08, 1.652, -0.004, 0.006, 0.014, "skin", w, 6, 2)]);
    quad(surface, [sign * 0.031, 1.637, 0.1035], 0.0145, 0.0085, "white", w, sign * 0.3);
    quad(surface, [sign * 0.03, 1.637, 0.105], 0.0075, 0.0085, "eye", w, sign * 0.3);
    quad(surface, [sign * 0.032, 1.6575, 0.106], 0.018, 0.0035, "hair", w, sign * 0.3);
  }
  quad(surface, [0, 1.566, 0.1045], 0.02, 0.0035, "lip", w, 0);
  const tip = { point: [0, 1.603, 0.124], weights: w }, bridge = { point: [0, 1.638, 0.104], weights: w };
  const left = { point: [0.014, 1.597, 0.1], weights: w }, right = { point: [-0.014, 1.597, 0.1], weights: w };
  surface.face([left, bridge, tip], "skin");
  surface.face([bridge, right, tip], "skin");
  surface.face([right, left, tip], "skin");
}

/** A rectangle that looks along +Z, turned outwards by `turn` radians. */
function quad(surface, center, halfWidth, halfHeight, color, weights, turn) {
  const across = [Math.cos(turn), 0, -Math.sin(turn)];
  const at = (u, v) => ({ point: add(center, add(scale(across, u * halfWidth), [0, v * halfHeight, 0])), weights });
  surface.face([at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)], color);
}

function arm(surface, side, sign) {
  const bones = Object.fromEntries(["shoulder", "upper_arm", "lower_arm", "hand", "fingers"].map((name) => [name, `${name}_${side}`]));
  const start = BONES[boneIndex[bones.upper_arm]].place;
  const direction = [ARM[0] * sign, ARM[1], 0];
  const up = cross(MINUS_Z, direction).map((v) => v * (sign > 0 ? -1 : 1));
  // u × v must point along the arm, so that faces look outwards on both sides.
  const u = cross(Z, direction);
  const at = (t, radiusU, radiusZ, color, weights, sag = 0) => ring(add(add(start, scale(direction, t)), scale(up, sag)), u, Z.map((v) => -v), radiusU, radiusZ, color, weights, 8, 2.2);
  const flip = (rings) => (dotTriple(u, MINUS_Z, direction) > 0 ? rings : rings.map((r) => ({ ...r, points: r.points.toReversed() })));
  surface.loft(flip([
    at(-0.05, 0.034, 0.045, "shirt", { chest: 0.6, [bones.shoulder]: 0.4 }),
    at(-0.01, 0.05, 0.06, "shirt", { [bones.shoulder]: 0.5, [bones.upper_arm]: 0.5 }),
    at(0.03, 0.057, 0.063, "shirt", { [bones.shoulder]: 0.2, [bones.upper_arm]: 0.8 }),
    at(0.07, 0.056, 0.061, "shirt", { [bones.upper_arm]: 1 }),
    at(0.12, 0.053, 0.056, "shirt", { [bones.upper_arm]: 1 }),
    at(0.175, 0.05, 0.053, "shirt", { [bones.upper_arm]: 1 }),
    at(0.19, 0.051, 0.054, "trim", { [bones.upper_arm]: 1 }),
    at(0.191, 0.044, 0.046, "skin", { [bones.upper_arm]: 1 }),
    at(0.255, 0.041, 0.043, "skin", { [bones.upper_arm]: 0.8, [bones.lower_arm]: 0.2 }),
    at(0.285, 0.04, 0.043, "skin", { [bones.upper_arm]: 0.5, [bones.lower_arm]: 0.5 }),
    at(0.32, 0.043, 0.045, "skin", { [bones.upper_arm]: 0.15, [bones.lower_arm]: 0.85 }),
    at(0.38, 0.041, 0.043, "skin", { [bones.lower_arm]: 1 }),
    at(0.47, 0.031, 0.034, "skin", { [bones.lower_arm]: 1 }),
    at(0.525, 0.025, 0.033, "skin", { [bones.lower_arm]: 0.6, [bones.hand]: 0.4 }),
    at(0.55, 0.022, 0.034, "skin", { [bones.hand]: 1 }),
    at(0.585, 0.02, 0.042, "skin", { [bones.hand]: 1 }),
    at(0.625, 0.017, 0.042, "skin", { [bones.hand]: 0.5, [bones.fingers]: 0.5 }),
    at(0.67, 0.014, 0.038, "skin", { [bones.fingers]: 1 }),
    at(0.71, 0.01, 0.028, "skin", { [bones.fingers]: 1 }),
  ]));
  // The thumb points forward and down the arm.
  const thumb = (t, forward, r) => {
    const center = add(add(start, scale(direction, t)), [0, 0, forward]);
    return ring(center, u, MINUS_Z, r, r, "skin", { [bones.hand]: 1 }, 6, 2);
  };
  surface.loft(flip([thumb(0.555, 0.03, 0.014), thumb(0.585, 0.05, 0.014), thumb(0.615, 0.06, 0.012), thumb(0.64, 0.062, 0.007)]));
}

function dotTriple(a, b, c) {
  const [x, y, z] = cross(a, b);
  return x * c[0] + y * c[1] + z * c[2];
}

function leg(surface, side, sign) {
  const upper = `upper_leg_${side}`, lower = `lower_leg_${side}`, foot = `foot_${side}`, toe = `toe_${side}`;
  const x = BONES[boneIndex[upper]].place[0];
  const at = (y, z, rx, rz, color, weights, shift = 0) => level(x + sign * shift, y, z, rx, rz, color, weights, 10, 2.2);
  surface.loft([
    at(0.06, -0.004, 0.036, 0.042, "trousers", { [foot]: 1 }),
    at(0.12, -0.006, 0.052, 0.058, "trousers", { [lower]: 0.75, [foot]: 0.25 }),
    at(0.2, -0.01, 0.052, 0.06, "trousers", { [lower]: 1 }),
    at(0.31, -0.016, 0.057, 0.068, "trousers", { [lower]: 1 }),
    at(0.4, -0.012, 0.06, 0.07, "trousers", { [lower]: 1 }),
    at(0.46, -0.002, 0.058, 0.064, "trousers", { [lower]: 0.8, [upper]: 0.2 }),
    at(0.495, 0.002, 0.06, 0.066, "trousers", { [lower]: 0.5, [upper]: 0.5 }),
    at(0.53, 0.002, 0.063, 0.068, "trousers", { [lower]: 0.2, [upper]: 0.8 }),
    at(0.62, 0.0, 0.072, 0.079, "trousers", { [upper]: 1 }),
    at(0.72, -0.002, 0.083, 0.091, "trousers", { [upper]: 1 }, -0.004),
    at(0.81, -0.004, 0.089, 0.1, "trousers", { [upper]: 0.9, hips: 0.1 }, -0.006),
    at(0.88, -0.005, 0.088, 0.104, "trousers", { [upper]: 0.6, hips: 0.4 }, -0.008),
    at(0.935, -0.006, 0.075, 0.1, "trousers", { [upper]: 0.25, hips: 0.75 }, -0.012),
  ]);
  // The shoe runs forward: rings stand upright, from the heel to the tip.
  const shoe = (z, height, halfWidth, color, weights, lift = 0, bottom = 0.014) =>
    ring([x + sign * 0.004, bottom + lift + height / 2, z], X, Y, halfWidth, height / 2, color, weights, 8, 3.2);
  surface.loft([
    shoe(-0.066, 0.06, 0.026, "shoe", { [foot]: 1 }, 0.006), shoe(-0.05, 0.088, 0.037, "shoe", { [foot]: 1 }), shoe(0.0, 0.1, 0.041, "shoe", { [foot]: 1 }),
    shoe(0.045, 0.086, 0.043, "shoe", { [foot]: 1 }), shoe(0.09, 0.064, 0.046, "shoe", { [foot]: 0.85, [toe]: 0.15 }), shoe(0.125, 0.054, 0.048, "shoe", { [foot]: 0.5, [toe]: 0.5 }),
    shoe(0.165, 0.046, 0.045, "shoe", { [toe]: 1 }), shoe(0.195, 0.034, 0.034, "shoe", { [toe]: 1 }, 0.004), shoe(0.207, 0.018, 0.02, "shoe", { [toe]: 1 }, 0.008),
  ]);
  const sole = (z, halfWidth, weights) => ring([x + sign * 0.004, 0.009, z], X, Y, halfWidth, 0.009, "sole", weights, 8, 5);
  surface.loft([
    sole(-0.073, 0.028, { [foot]: 1 }), sole(-0.055, 0.042, { [foot]: 1 }), sole(0.03, 0.042, { [foot]: 1 }), sole(0.09, 0.05, { [foot]: 0.85, [toe]: 0.15 }),
    sole(0.125, 0.052, { [foot]: 0.5, [toe]: 0.5 }), sole(0.17, 0.048, { [toe]: 1 }), sole(0.21, 0.026, { [toe]: 1 }),
  ]);
}

/** Typed arrays of the whole surface: positions, normals, colours (bytes), joints (bytes), weights (bytes that sum to 255), indices. */
export function buildMesh() {
  const surface = new Surface();
  torso(surface);
  head(surface);
  for (const [side, sign] of [["l", 1], ["r", -1]]) {
    arm(surface, side, sign);
    leg(surface, side, sign);
  }
  const count = surface.positions.length;
  const joints = new Uint8Array(count * 4), weights = new Uint8Array(count * 4), colors = new Uint8Array(count * 4);
  surface.influences.forEach((influence, v) => {
    const entries = Object.entries(influence).sort((a, b) => b[1] - a[1]);
    let rest = 255;
    entries.forEach(([bone, weight], k) => {
      if (boneIndex[bone] === undefined) throw new Error(`no bone ${bone}`);
      joints[v * 4 + k] = boneIndex[bone];
      weights[v * 4 + k] = k === entries.length - 1 ? rest : Math.round(weight * 255);
      rest -= weights[v * 4 + k];
    });
    colors.set([...surface.colors[v].map((c) => Math.round(c * 255)), 255], v * 4);
  });
  return {
    positions: Float32Array.from(surface.positions.flat()), normals: Float32Array.from(surface.normals.flat()), colors, joints, weights,
    indices: Uint16Array.from(surface.indices),
  };
}
