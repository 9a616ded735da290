/** Length of a vector. Roots are the same bits on every engine, which Math.hypot is not bound to be. @internal */
export function lengthOf(x: number, y: number, z = 0): number {
  return Math.sqrt(x * x + y * y + z * z);
}
