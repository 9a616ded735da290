/**
 * Signs of the two determinants that a Delaunay triangulation rests on, exact for every finite input: computed in doubles
 * with an error bound, and in whole numbers where the bound does not decide.
 *
 * Source: error bounds of J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
 * Predicates" (1997). @internal
 */
const EPSILON = 2 ** -53;
const ORIENT_BOUND = (3 + 16 * EPSILON) * EPSILON;
const CIRCLE_BOUND = (10 + 96 * EPSILON) * EPSILON;
/** Below this a bound may itself have lost digits to underflow. */
const SMALLEST_BOUND = 1e-280;

/** Sign of the area of a b c: 1 counter-clockwise, -1 clockwise, 0 on one line. */
export function orientation(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const left = (ax - cx) * (by - cy), right = (ay - cy) * (bx - cx), det = left - right;
  const bound = ORIENT_BOUND * (Math.abs(left) + Math.abs(right));
  if (bound > SMALLEST_BOUND && Math.abs(det) > bound) return Math.sign(det);
  const [pax, pay, pbx, pby, pcx, pcy] = wholeNumbers([ax, ay, bx, by, cx, cy]) as [bigint, bigint, bigint, bigint, bigint, bigint];
  return sign((pax - pcx) * (pby - pcy) - (pay - pcy) * (pbx - pcx));
}

/** For a counter-clockwise a b c: 1 if d is inside of their circle, -1 outside, 0 on it. */
export function inCircle(ax: number, ay: number, bx: number, by: number, cx: number, cy: number, dx: number, dy: number): number {
  const adx = ax - dx, ady = ay - dy, bdx = bx - dx, bdy = by - dy, cdx = cx - dx, cdy = cy - dy;
  const bc = bdx * cdy, cb = cdx * bdy, ca = cdx * ady, ac = adx * cdy, ab = adx * bdy, ba = bdx * ady;
  const a2 = adx * adx + ady * ady, b2 = bdx * bdx + bdy * bdy, c2 = cdx * cdx + cdy * cdy;
  const det = a2 * (bc - cb) + b2 * (ca - ac) + c2 * (ab - ba);
  const bound = CIRCLE_BOUND * (a2 * (Math.abs(bc) + Math.abs(cb)) + b2 * (Math.abs(ca) + Math.abs(ac)) + c2 * (Math.abs(ab) + Math.abs(ba)));
  if (bound > SMALLEST_BOUND && Math.abs(det) > bound) return Math.sign(det);
  return exactInCircle(wholeNumbers([ax, ay, bx, by, cx, cy, dx, dy]));
}

function exactInCircle(p: bigint[]): number {
  const dx = p[6]!, dy = p[7]!;
  const ax = p[0]! - dx, ay = p[1]! - dy, bx = p[2]! - dx, by = p[3]! - dy, cx = p[4]! - dx, cy = p[5]! - dy;
  const a2 = ax * ax + ay * ay, b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
  return sign(a2 * (bx * cy - cx * by) + b2 * (cx * ay - ax * cy) + c2 * (ax * by - bx * ay));
}

/** The numbers as whole multiples of one power of two, without loss. */
function wholeNumbers(values: number[]): bigint[] {
  let lowest = Infinity;
  const parts = values.map((value) => {
    if (value === 0) return { mantissa: 0, exponent: 0 };
    // 53 bits before the point; the scaling by powers of two is exact, subnormal numbers included.
    let mantissa = value, exponent = 0;
    while (Math.abs(mantissa) >= 2 ** 53) {
      mantissa /= 2;
      exponent++;
    }
    while (!Number.isInteger(mantissa)) {
      mantissa *= 2;
      exponent--;
    }
    lowest = Math.min(lowest, exponent);
    return { mantissa, exponent };
  });
  return parts.map(({ mantissa, exponent }) => (mantissa === 0 ? 0n : BigInt(mantissa) << BigInt(exponent - lowest)));
}

function sign(value: bigint): number {
  return value > 0n ? 1 : value < 0n ? -1 : 0;
}
