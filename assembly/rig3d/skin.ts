/**
 * Linear-blend skinning: positions, normals, tangents.
 *
 * Layout   layout/rig3d.ts, "Skin". Ranges of vertices are given in the skin's own order.
 * Requires pointers 16-byte aligned, outputs 4-byte aligned; a vertex of count n has n joints and weights that sum to 1.
 * Ensures  12 bytes of output a vertex, nothing beside them: ranges may be split over threads.
 *          Vertices of count 0 keep their bind vectors; a normal or tangent that comes out as zero keeps its bind value.
 * Source   matrices are blended, then applied once: equal to blending the transformed points.
 */
import { SKIN_INFLUENCE_BYTES, SKIN_VECTOR_BYTES, SKIN_WEIGHTS } from "../layout/rig3d";

/** Column `at` of the blended matrix of a vertex of `count` influences. */
@inline
function blended(palette: usize, influence: usize, count: i32, at: usize): v128 {
  let sum = f32x4.mul(v128.load(palette + load<u16>(influence, 0) + at), v128.load32_splat(influence, SKIN_WEIGHTS));
  if (count > 1) sum = f32x4.add(sum, f32x4.mul(v128.load(palette + load<u16>(influence, 2) + at), v128.load32_splat(influence, SKIN_WEIGHTS + 4)));
  if (count > 2) sum = f32x4.add(sum, f32x4.mul(v128.load(palette + load<u16>(influence, 4) + at), v128.load32_splat(influence, SKIN_WEIGHTS + 8)));
  if (count > 3) sum = f32x4.add(sum, f32x4.mul(v128.load(palette + load<u16>(influence, 6) + at), v128.load32_splat(influence, SKIN_WEIGHTS + 12)));
  return sum;
}

@inline
function turned(palette: usize, influence: usize, count: i32, vector: usize): v128 {
  return f32x4.add(
    f32x4.add(
      f32x4.mul(blended(palette, influence, count, 0), v128.load32_splat(vector, 0)),
      f32x4.mul(blended(palette, influence, count, 16), v128.load32_splat(vector, 4))),
    f32x4.mul(blended(palette, influence, count, 32), v128.load32_splat(vector, 8)));
}

/** Three floats at the vertex' place in the mesh. */
@inline
function storeVector(out: usize, place: usize, value: v128): void {
  const at = out + <usize>load<u32>(place) * 12;
  v128.store64_lane(at, value, 0);
  v128.store_lane<f32>(at, value, 2, 8);
}

@inline
function positionsOf(place: usize, positions: usize, influences: usize, count: i32, palette: usize, out: usize, vertexCount: i32): void {
  for (let v = 0; v < vertexCount; v++) {
    storeVector(out, place, count == 0
      ? v128.load(positions)
      : f32x4.add(turned(palette, influences, count, positions), blended(palette, influences, count, 48)));
    place += 4;
    positions += SKIN_VECTOR_BYTES;
    influences += SKIN_INFLUENCE_BYTES;
  }
}

/** Positions of `vertexCount` vertices of one influence count. */
export function skinPositions(
  place: usize, positions: usize, influences: usize, count: i32, palette: usize, out: usize, vertexCount: i32,
): void {
  if (count == 4) positionsOf(place, positions, influences, 4, palette, out, vertexCount);
  else if (count == 3) positionsOf(place, positions, influences, 3, palette, out, vertexCount);
  else if (count == 2) positionsOf(place, positions, influences, 2, palette, out, vertexCount);
  else if (count == 1) positionsOf(place, positions, influences, 1, palette, out, vertexCount);
  else positionsOf(place, positions, influences, 0, palette, out, vertexCount);
}

/** x / |x|, or `otherwise` where x has no length. The fourth lane does not count. */
@inline
function unitOr(x: v128, otherwise: v128): v128 {
  const p = f32x4.mul(x, x);
  const squares = f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2);
  return squares > <f32>1e-30 ? f32x4.mul(x, f32x4.splat(<f32>1 / Mathf.sqrt(squares))) : otherwise;
}

@inline
function normalsOf(place: usize, normals: usize, influences: usize, count: i32, palette: usize, out: usize, vertexCount: i32): void {
  for (let v = 0; v < vertexCount; v++) {
    const bind = v128.load(normals);
    storeVector(out, place, count == 0 ? bind : unitOr(turned(palette, influences, count, normals), bind));
    place += 4;
    normals += SKIN_VECTOR_BYTES;
    influences += SKIN_INFLUENCE_BYTES;
  }
}

/** Normals of `vertexCount` vertices of one influence count; `palette` is the normal palette, or the plain one if uniform. */
export function skinNormals(
  place: usize, normals: usize, influences: usize, count: i32, palette: usize, out: usize, vertexCount: i32,
): void {
  if (count == 4) normalsOf(place, normals, influences, 4, palette, out, vertexCount);
  else if (count == 3) normalsOf(place, normals, influences, 3, palette, out, vertexCount);
  else if (count == 2) normalsOf(place, normals, influences, 2, palette, out, vertexCount);
  else if (count == 1) normalsOf(place, normals, influences, 1, palette, out, vertexCount);
  else normalsOf(place, normals, influences, 0, palette, out, vertexCount);
}

/**
 * Tangents (four floats out a vertex, the sign kept), made perpendicular to the skinned normals at `normalsOut`.
 * Any influence count; weights beyond it are 0.
 */
export function skinTangents(
  place: usize, tangents: usize, influences: usize, count: i32, palette: usize, normalsOut: usize, out: usize, vertexCount: i32,
): void {
  for (let v = 0; v < vertexCount; v++) {
    const bind = v128.load(tangents);
    const index = <usize>load<u32>(place);
    let x = count == 0 ? bind : turned(palette, influences, 4, tangents);
    const normal = normalsOut + index * 12;
    const nx = load<f32>(normal, 0), ny = load<f32>(normal, 4), nz = load<f32>(normal, 8);
    const along = nx * f32x4.extract_lane(x, 0) + ny * f32x4.extract_lane(x, 1) + nz * f32x4.extract_lane(x, 2);
    x = f32x4.sub(x, f32x4.mul(f32x4(nx, ny, nz, 0), f32x4.splat(along)));
    x = unitOr(x, bind);
    v128.store(out + (index << 4), f32x4.replace_lane(x, 3, f32x4.extract_lane(bind, 3)));
    place += 4;
    tangents += SKIN_VECTOR_BYTES;
    influences += SKIN_INFLUENCE_BYTES;
  }
}

/** vectors = bind + sum of weight x delta; deltas lie target after target in the order of the vertices. */
export function morphVectors(bind: usize, deltas: usize, weights: usize, targetCount: i32, vectors: usize, vertexCount: i32): void {
  const targetBytes = <usize>vertexCount * SKIN_VECTOR_BYTES;
  for (let v = 0; v < vertexCount; v++) {
    let sum = v128.load(bind);
    let delta = deltas;
    for (let t = 0; t < targetCount; t++) {
      sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(weights + (<usize>t << 2)), v128.load(delta)));
      delta += targetBytes;
    }
    v128.store(vectors, sum);
    bind += SKIN_VECTOR_BYTES;
    deltas += SKIN_VECTOR_BYTES;
    vectors += SKIN_VECTOR_BYTES;
  }
}
