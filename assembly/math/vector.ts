/**
 * Vectors of three numbers, one in a v128; what the fourth lane holds is said where it matters.
 */

/** [y z x w] */
@inline
function turned(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 1, 2, 0, 3);
}

/** a x b = turned(a * turned(b) - turned(a) * b); the fourth lane is 0 where those of a and b are finite. */
@inline
export function cross(a: v128, b: v128): v128 {
  return turned(f32x4.sub(f32x4.mul(a, turned(b)), f32x4.mul(turned(a), b)));
}
