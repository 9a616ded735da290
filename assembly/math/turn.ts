/**
 * Vectors turned by unit quaternions, four at a time: v' = v + 2 q x (q x v + w v), by component (a function has one result;
 * the compiler shares the work of the three).
 */

@inline
function alongX(x: v128, y: v128, z: v128, w: v128, a: v128, b: v128, c: v128): v128 {
  return f32x4.add(f32x4.sub(f32x4.mul(y, c), f32x4.mul(z, b)), f32x4.mul(w, a));
}

@inline
function alongY(x: v128, y: v128, z: v128, w: v128, a: v128, b: v128, c: v128): v128 {
  return f32x4.add(f32x4.sub(f32x4.mul(z, a), f32x4.mul(x, c)), f32x4.mul(w, b));
}

@inline
function alongZ(x: v128, y: v128, z: v128, w: v128, a: v128, b: v128, c: v128): v128 {
  return f32x4.add(f32x4.sub(f32x4.mul(x, b), f32x4.mul(y, a)), f32x4.mul(w, c));
}

@inline
export function turnX(x: v128, y: v128, z: v128, w: v128, a: v128, b: v128, c: v128): v128 {
  const half = f32x4.sub(f32x4.mul(y, alongZ(x, y, z, w, a, b, c)), f32x4.mul(z, alongY(x, y, z, w, a, b, c)));
  return f32x4.add(a, f32x4.add(half, half));
}

@inline
export function turnY(x: v128, y: v128, z: v128, w: v128, a: v128, b: v128, c: v128): v128 {
  const half = f32x4.sub(f32x4.mul(z, alongX(x, y, z, w, a, b, c)), f32x4.mul(x, alongZ(x, y, z, w, a, b, c)));
  return f32x4.add(b, f32x4.add(half, half));
}

@inline
export function turnZ(x: v128, y: v128, z: v128, w: v128, a: v128, b: v128, c: v128): v128 {
  const half = f32x4.sub(f32x4.mul(x, alongY(x, y, z, w, a, b, c)), f32x4.mul(y, alongX(x, y, z, w, a, b, c)));
  return f32x4.add(c, f32x4.add(half, half));
}

@inline
export function dot3(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}
