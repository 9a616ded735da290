/** Vectors, quaternions (x, y, z, w) and two-bone IK of the biped's generator. Right-handed, +Y up, +Z forward. */

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = (a) => Math.hypot(...a);
export const unit = (a) => scale(a, 1 / length(a));
export const mix = (a, b, t) => a.map((v, i) => v + (b[i] - v) * t);
export const clamp01 = (t) => Math.min(1, Math.max(0, t));
export const smooth = (t) => { const u = clamp01(t); return u * u * (3 - 2 * u); };
export const lerp = (a, b, t) => a + (b - a) * t;

export const IDENTITY = [0, 0, 0, 1];

export function multiply(a, b) {
  const [ax, ay, az, aw] = a, [bx, by, bz, bw] = b;
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

export const conjugate = (q) => [-q[0], -q[1], -q[2], q[3]];

export function rotate(q, v) {
  const t = scale(cross(q, v), 2);
  return add(v, add(scale(t, q[3]), cross(q, t)));
}

const about = (axis) => (radians) => {
  const q = [0, 0, 0, Math.cos(radians / 2)];
  q[axis] = Math.sin(radians / 2);
  return q;
};
export const aboutX = about(0);
export const aboutY = about(1);
export const aboutZ = about(2);
export const degrees = (d) => (d * Math.PI) / 180;

/** Rotation that takes x, y, z to the given orthonormal axes. */
export function fromAxes(x, y, z) {
  const trace = x[0] + y[1] + z[2];
  let q;
  if (trace > 0) q = [y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + trace];
  else if (x[0] > y[1] && x[0] > z[2]) q = [1 + x[0] - y[1] - z[2], x[1] + y[0], x[2] + z[0], y[2] - z[1]];
  else if (y[1] > z[2]) q = [x[1] + y[0], 1 - x[0] + y[1] - z[2], y[2] + z[1], z[0] - x[2]];
  else q = [x[2] + z[0], y[2] + z[1], 1 - x[0] - y[1] + z[2], x[1] - y[0]];
  const n = Math.hypot(...q);
  return q.map((v) => v / n);
}

/** World rotation of a bone whose rest direction is -Y, so that it points along `direction` with its +Z towards `pole`. */
function alongMinusY(direction, pole) {
  const y = scale(unit(direction), -1);
  const z = unit(sub(pole, scale(y, dot(pole, y))));
  return fromAxes(cross(y, z), y, z);
}

/**
 * World rotations of thigh and shank that bring the ankle to `target`, the knee bending towards `pole`.
 * @returns reach, the share of the leg's length that is used (more than 1: the target is out of reach)
 */
export function solveLeg(hip, target, pole, thigh, shank) {
  const toTarget = sub(target, hip);
  const distance = length(toTarget);
  const direction = scale(toTarget, 1 / distance);
  const d = Math.min(distance, (thigh + shank) * 0.9999);
  const cosA = (thigh * thigh + d * d - shank * shank) / (2 * thigh * d);
  const side = unit(sub(pole, scale(direction, dot(pole, direction))));
  const knee = add(hip, add(scale(direction, thigh * cosA), scale(side, thigh * Math.sqrt(Math.max(0, 1 - cosA * cosA)))));
  const ankle = add(hip, scale(direction, d));
  return { thigh: alongMinusY(sub(knee, hip), pole), shank: alongMinusY(sub(ankle, knee), pole), reach: distance / (thigh + shank) };
}
