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
import { cross } from "../math/vector";

@inline
function dot4(a: v128, b: v128): f32 {
  const p = f32x4.mul(a, b);
  return (f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1)) + (f32x4.extract_lane(p, 2) + f32x4.extract_lane(p, 3));
}

/** a . b in all lanes. */
@inline
function dotSplat(a: v128, b: v128): v128 {
  const p = f32x4.mul(a, b);
  // [x y z w] + [z w x y], then that + [y x w z]
  const pairs = f32x4.add(p, v128.shuffle<f32>(p, p, 2, 3, 0, 1));
  return f32x4.add(pairs, v128.shuffle<f32>(pairs, pairs, 1, 0, 3, 2));
}

/** 1 / |q| in all lanes. */
@inline
function unitScale(q: v128): v128 {
  return f32x4.div(f32x4.splat(1), f32x4.sqrt(f32x4.pmax(dotSplat(q, q), f32x4.splat(1e-20))));
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

/** Weight of influence k in all lanes, negative where its rotation lies on the other half of the sphere than that of the first, the heaviest. */
@inline
function signedWeight(first: v128, joint: usize, influence: usize, k: usize): v128 {
  const other = v128.and(dotSplat(first, v128.load(joint)), i32x4.splat(0x80000000));
  return v128.xor(v128.load32_splat(influence + (k << 2), SKIN_WEIGHTS), other);
}

@inline
function jointOf(duals: usize, influence: usize, k: usize): usize {
  return duals + load<u16>(influence + (k << 1));
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

/** v + 2 q x (q x v + w v); w in all lanes. */
@inline
function rotated(q: v128, w: v128, v: v128): v128 {
  const half = cross(q, f32x4.add(cross(q, v), f32x4.mul(v, w)));
  return f32x4.add(v, f32x4.add(half, half));
}

/** Between the linear result and that of the dual quaternions, by the vertex's factor. */
@inline
function mixed(dual: v128, linear: v128, factor: usize): v128 {
  return f32x4.add(linear, f32x4.mul(f32x4.sub(dual, linear), v128.load32_splat(factor)));
}

@inline
function positionsOf(place: usize, positions: usize, influences: usize, count: i32, duals: usize, factors: usize, out: usize, vertexCount: i32): void {
  for (let v = 0; v < vertexCount; v++) {
    const index = <usize>load<u32>(place), to = out + index * 12;
    let result = v128.load(positions);
    if (count > 0) {
      const first = jointOf(duals, influences, 0), q0 = v128.load(first);
      let weight = v128.load32_splat(influences, SKIN_WEIGHTS);
      let real = f32x4.mul(q0, weight), dual = f32x4.mul(v128.load(first, 16), weight), scale = f32x4.mul(v128.load(first, 32), weight);
      for (let k: usize = 1; k < <usize>count; k++) {
        const joint = jointOf(duals, influences, k);
        weight = signedWeight(q0, joint, influences, k);
        real = f32x4.add(real, f32x4.mul(v128.load(joint), weight));
        dual = f32x4.add(dual, f32x4.mul(v128.load(joint, 16), weight));
        scale = f32x4.add(scale, f32x4.mul(v128.load(joint, 32), f32x4.abs(weight)));
      }
      const unit = unitScale(real);
      const q = f32x4.mul(real, unit), d = f32x4.mul(dual, unit), w = v128.shuffle<f32>(q, q, 3, 3, 3, 3);
      // 2 (d q*).xyz = 2 (w d - d.w q + q x d)
      const shift = f32x4.add(f32x4.sub(f32x4.mul(d, w), f32x4.mul(q, v128.shuffle<f32>(d, d, 3, 3, 3, 3))), cross(q, d));
      result = f32x4.add(rotated(q, w, f32x4.mul(result, scale)), f32x4.add(shift, shift));
      if (factors != 0) result = mixed(result, load3(to), factors + (index << 2));
    }
    store3(to, result);
    place += 4;
    positions += SKIN_VECTOR_BYTES;
    influences += SKIN_INFLUENCE_BYTES;
  }
}

/** Positions of `vertexCount` vertices of one influence count. */
export function skinDualPositions(
  place: usize, positions: usize, influences: usize, count: i32, duals: usize, factors: usize, out: usize, vertexCount: i32,
): void {
  if (count == 4) positionsOf(place, positions, influences, 4, duals, factors, out, vertexCount);
  else if (count == 1) positionsOf(place, positions, influences, 1, duals, factors, out, vertexCount);
  else positionsOf(place, positions, influences, count, duals, factors, out, vertexCount);
}

@inline
function normalsOf(place: usize, normals: usize, influences: usize, count: i32, duals: usize, factors: usize, out: usize, vertexCount: i32): void {
  for (let v = 0; v < vertexCount; v++) {
    const index = <usize>load<u32>(place), to = out + index * 12, bind = v128.load(normals);
    let result = bind;
    if (count > 0) {
      const q0 = v128.load(jointOf(duals, influences, 0));
      let real = f32x4.mul(q0, v128.load32_splat(influences, SKIN_WEIGHTS));
      for (let k: usize = 1; k < <usize>count; k++) {
        const joint = jointOf(duals, influences, k);
        real = f32x4.add(real, f32x4.mul(v128.load(joint), signedWeight(q0, joint, influences, k)));
      }
      const q = f32x4.mul(real, unitScale(real));
      result = rotated(q, v128.shuffle<f32>(q, q, 3, 3, 3, 3), bind);
      if (factors != 0) result = mixed(result, load3(to), factors + (index << 2));
      const p = f32x4.mul(result, result), squares = f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2);
      result = squares > <f32>1e-30 ? f32x4.mul(result, f32x4.splat(<f32>1 / Mathf.sqrt(squares))) : bind;
    }
    store3(to, result);
    place += 4;
    normals += SKIN_VECTOR_BYTES;
    influences += SKIN_INFLUENCE_BYTES;
  }
}

/** Normals of `vertexCount` vertices of one influence count; of unit length. */
export function skinDualNormals(
  place: usize, normals: usize, influences: usize, count: i32, duals: usize, factors: usize, out: usize, vertexCount: i32,
): void {
  if (count == 4) normalsOf(place, normals, influences, 4, duals, factors, out, vertexCount);
  else if (count == 1) normalsOf(place, normals, influences, 1, duals, factors, out, vertexCount);
  else normalsOf(place, normals, influences, count, duals, factors, out, vertexCount);
}
