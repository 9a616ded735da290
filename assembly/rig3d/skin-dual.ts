/**
 * Dual-quaternion skinning: joints that twist keep their volume.
 *
 * Layout   as skin.ts; a joint of the dual palette has 64 bytes, so that the influences' offsets fit it too: the rotation q,
 *          the dual part (t, 0) q / 2, the scale in all lanes, nothing. factors: one float a vertex of the mesh, or 0.
 * Requires pointers 16-byte aligned, outputs and factors 4-byte aligned.
 * Ensures  12 bytes of output a vertex. With factors the result is mixed into what `out` holds (the linear one).
 *          Vertices of count 0 keep their bind vectors.
 * Source   L. Kavan, S. Collins, J. Zara, C. O'Sullivan, "Skinning with Dual Quaternions" (2007): signs aligned to the heaviest
 *          joint, weighted sum, both parts divided by the length of the rotation; p = q (s p) q* + 2 (d q*).
 */
import { MATRIX_BYTES, SKIN_INFLUENCE_BYTES, SKIN_VECTOR_BYTES, SKIN_WEIGHTS } from "../layout/rig3d";

@inline
function dot4(a: v128, b: v128): f32 {
  const p = f32x4.mul(a, b);
  return (f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1)) + (f32x4.extract_lane(p, 2) + f32x4.extract_lane(p, 3));
}

/** [y z x w] */
@inline
function turned(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 1, 2, 0, 3);
}

/** a x b; the fourth lane is 0. */
@inline
function cross(a: v128, b: v128): v128 {
  return turned(f32x4.sub(f32x4.mul(a, turned(b)), f32x4.mul(turned(a), b)));
}

/** Rotation of three columns of one length (Shepperd 1978). */
function rotationOf(c0: v128, c1: v128, c2: v128, scale: f32): v128 {
  const k = <f32>1 / scale;
  const xx = f32x4.extract_lane(c0, 0) * k, yx = f32x4.extract_lane(c0, 1) * k, zx = f32x4.extract_lane(c0, 2) * k;
  const xy = f32x4.extract_lane(c1, 0) * k, yy = f32x4.extract_lane(c1, 1) * k, zy = f32x4.extract_lane(c1, 2) * k;
  const xz = f32x4.extract_lane(c2, 0) * k, yz = f32x4.extract_lane(c2, 1) * k, zz = f32x4.extract_lane(c2, 2) * k;
  const trace = xx + yy + zz;
  let q: v128;
  if (trace >= xx && trace >= yy && trace >= zz) q = f32x4(zy - yz, xz - zx, yx - xy, <f32>1 + trace);
  else if (xx >= yy && xx >= zz) q = f32x4(<f32>1 + xx - yy - zz, xy + yx, xz + zx, zy - yz);
  else if (yy >= zz) q = f32x4(xy + yx, <f32>1 + yy - xx - zz, yz + zy, xz - zx);
  else q = f32x4(xz + zx, yz + zy, <f32>1 + zz - xx - yy, yx - xy);
  return f32x4.mul(q, f32x4.splat(<f32>1 / Mathf.sqrt(dot4(q, q))));
}

/**
 * Dual quaternions of a matrix palette.
 * Returns 1 if every matrix turns, scales uniformly and does not mirror; else 0, and the rest is not written.
 */
export function composeDualPalette(palette: usize, duals: usize, jointCount: i32): i32 {
  for (let j = 0; j < jointCount; j++) {
    const c0 = v128.load(palette, 0), c1 = v128.load(palette, 16), c2 = v128.load(palette, 32), t = v128.load(palette, 48);
    const l0 = dot4(c0, c0), l1 = dot4(c1, c1), l2 = dot4(c2, c2);
    const largest = max<f32>(l0, max<f32>(l1, l2)), least = min<f32>(l0, min<f32>(l1, l2));
    const skew = max<f32>(abs<f32>(dot4(c0, c1)), max<f32>(abs<f32>(dot4(c0, c2)), abs<f32>(dot4(c1, c2))));
    if (!(largest - least <= <f32>2e-3 * largest) || skew > <f32>1e-3 * largest || !(dot4(c0, cross(c1, c2)) > 0)) return 0;
    const scale = Mathf.sqrt((l0 + l1 + l2) * <f32>(1.0 / 3.0));
    const q = rotationOf(c0, c1, c2, scale);

    // (t, 0) q = (t w + t x v, -t . v)
    const w = f32x4.extract_lane(q, 3);
    const vector = f32x4.add(f32x4.mul(t, f32x4.splat(w)), cross(t, q));
    const p = f32x4.mul(t, q);
    const real = -(f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2));
    v128.store(duals, q, 0);
    v128.store(duals, f32x4.mul(f32x4.replace_lane(vector, 3, real), f32x4.splat(0.5)), 16);
    v128.store(duals, f32x4.splat(scale), 32);
    palette += MATRIX_BYTES;
    duals += MATRIX_BYTES;
  }
  return 1;
}

/** Row `at` of the weighted sum over the joints of a vertex, with the signs of their rotations aligned to the first, the heaviest. */
@inline
function summed(duals: usize, influence: usize, count: i32, at: usize, aligned: bool): v128 {
  const first = duals + load<u16>(influence, 0), q = v128.load(first);
  let sum = f32x4.mul(v128.load(first + at), v128.load32_splat(influence, SKIN_WEIGHTS));
  for (let k: usize = 1; k < <usize>count; k++) {
    const joint = duals + load<u16>(influence + (k << 1));
    const weight = load<f32>(influence + (k << 2), SKIN_WEIGHTS);
    const sign = aligned && dot4(q, v128.load(joint)) < 0 ? -weight : weight;
    sum = f32x4.add(sum, f32x4.mul(v128.load(joint + at), f32x4.splat(sign)));
  }
  return sum;
}

@inline
function store3(at: usize, value: v128): void {
  v128.store64_lane(at, value, 0);
  v128.store_lane<f32>(at, value, 2, 8);
}

@inline
function load3(at: usize): v128 {
  return v128.load32_lane(at + 8, v128.load64_zero(at), 2);
}

/** v + 2 q x (q x v + w v) */
@inline
function rotated(q: v128, w: f32, v: v128): v128 {
  return f32x4.add(v, f32x4.mul(f32x4.splat(2), cross(q, f32x4.add(cross(q, v), f32x4.mul(v, f32x4.splat(w))))));
}

/** Positions of `vertexCount` vertices of one influence count. */
export function skinDualPositions(
  place: usize, positions: usize, influences: usize, count: i32, duals: usize, factors: usize, out: usize, vertexCount: i32,
): void {
  for (let v = 0; v < vertexCount; v++) {
    const index = <usize>load<u32>(place), to = out + index * 12;
    let result = v128.load(positions);
    if (count > 0) {
      const real = summed(duals, influences, count, 0, true), dual = summed(duals, influences, count, 16, true);
      const unit = f32x4.splat(<f32>1 / Mathf.sqrt(max<f32>(dot4(real, real), <f32>1e-20)));
      const q = f32x4.mul(real, unit), d = f32x4.mul(dual, unit), w = f32x4.extract_lane(q, 3);
      const scaled = f32x4.mul(result, summed(duals, influences, count, 32, false));
      // 2 (d q*).xyz = 2 (w d - d.w q + q x d)
      const shift = f32x4.add(f32x4.sub(f32x4.mul(d, f32x4.splat(w)), f32x4.mul(q, f32x4.splat(f32x4.extract_lane(d, 3)))), cross(q, d));
      result = f32x4.add(rotated(q, w, scaled), f32x4.add(shift, shift));
      if (factors != 0) {
        const linear = load3(to);
        result = f32x4.add(linear, f32x4.mul(f32x4.sub(result, linear), v128.load32_splat(factors + (index << 2))));
      }
    }
    store3(to, result);
    place += 4;
    positions += SKIN_VECTOR_BYTES;
    influences += SKIN_INFLUENCE_BYTES;
  }
}

/** Normals of `vertexCount` vertices of one influence count; of unit length. */
export function skinDualNormals(
  place: usize, normals: usize, influences: usize, count: i32, duals: usize, factors: usize, out: usize, vertexCount: i32,
): void {
  for (let v = 0; v < vertexCount; v++) {
    const index = <usize>load<u32>(place), to = out + index * 12, bind = v128.load(normals);
    let result = bind;
    if (count > 0) {
      const real = summed(duals, influences, count, 0, true);
      const q = f32x4.mul(real, f32x4.splat(<f32>1 / Mathf.sqrt(max<f32>(dot4(real, real), <f32>1e-20))));
      result = rotated(q, f32x4.extract_lane(q, 3), bind);
      if (factors != 0) {
        const linear = load3(to);
        result = f32x4.add(linear, f32x4.mul(f32x4.sub(result, linear), v128.load32_splat(factors + (index << 2))));
      }
      const p = f32x4.mul(result, result), squares = f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2);
      result = squares > <f32>1e-30 ? f32x4.mul(result, f32x4.splat(<f32>1 / Mathf.sqrt(squares))) : bind;
    }
    store3(to, result);
    place += 4;
    normals += SKIN_VECTOR_BYTES;
    influences += SKIN_INFLUENCE_BYTES;
  }
}
