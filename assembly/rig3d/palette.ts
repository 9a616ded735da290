/**
 * Skinning palettes: world matrix of a joint's bone times the joint's inverse bind matrix.
 *
 * Layout   world, palettes: layout/rig3d.ts. bones: i32 a joint, index of its bone. inverseBind: 64 bytes a joint.
 * Requires pointers 16-byte aligned; bottom rows of world and inverse bind matrices are 0 0 0 1.
 * Ensures  jointCount entries are written, nothing else.
 * Source   column convention: palette = world x inverse bind. Inverse transpose = cofactors / determinant, 0 where singular.
 */
import { MATRIX_BYTES, PALETTE_ROWS_BYTES } from "../layout/rig3d";
import { cross } from "../math/vector";
import { highHalves, highPairs, lowHalves, lowPairs } from "../math/transpose";

@inline
function column(world: usize, at: usize): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load(world, 0), v128.load32_splat(at, 0)), f32x4.mul(v128.load(world, 16), v128.load32_splat(at, 4))),
    f32x4.mul(v128.load(world, 32), v128.load32_splat(at, 8)));
}

/** 4x4 matrices, column-major. */
export function composePalette(world: usize, bones: usize, inverseBind: usize, palette: usize, jointCount: i32): void {
  for (let j = 0; j < jointCount; j++) {
    const bone = world + (load<i32>(bones) << 6);
    const c0 = column(bone, inverseBind), c1 = column(bone, inverseBind + 16), c2 = column(bone, inverseBind + 32);
    const c3 = f32x4.add(column(bone, inverseBind + 48), v128.load(bone, 48));
    v128.store(palette, c0, 0);
    v128.store(palette, c1, 16);
    v128.store(palette, c2, 32);
    v128.store(palette, c3, 48);
    bones += 4;
    inverseBind += MATRIX_BYTES;
    palette += MATRIX_BYTES;
  }
}

/** The three upper rows, as 12 floats a joint: what a shader needs. */
export function composePaletteRows(world: usize, bones: usize, inverseBind: usize, rows: usize, jointCount: i32): void {
  for (let j = 0; j < jointCount; j++) {
    const bone = world + (load<i32>(bones) << 6);
    const c0 = column(bone, inverseBind), c1 = column(bone, inverseBind + 16), c2 = column(bone, inverseBind + 32);
    const c3 = f32x4.add(column(bone, inverseBind + 48), v128.load(bone, 48));
    // c0 = [x0 y0 z0 0], c1 = [x1 y1 z1 0] ...  ->  [x0 x1 x2 x3] [y0 y1 y2 y3] [z0 z1 z2 z3]
    const xy01 = lowPairs(c0, c1), xy23 = lowPairs(c2, c3);
    const z01 = highPairs(c0, c1), z23 = highPairs(c2, c3);
    v128.store(rows, lowHalves(xy01, xy23), 0);
    v128.store(rows, highHalves(xy01, xy23), 16);
    v128.store(rows, lowHalves(z01, z23), 32);
    bones += 4;
    inverseBind += MATRIX_BYTES;
    rows += PALETTE_ROWS_BYTES;
  }
}

@inline
function dot3(a: v128, b: v128): f32 {
  const p = f32x4.mul(a, b);
  return f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2);
}

/** 1 if every matrix turns and scales uniformly (columns orthogonal and equally long within a thousandth), else 0. */
export function paletteIsUniform(palette: usize, jointCount: i32): i32 {
  for (let j = 0; j < jointCount; j++) {
    const c0 = v128.load(palette, 0), c1 = v128.load(palette, 16), c2 = v128.load(palette, 32);
    const l0 = dot3(c0, c0), l1 = dot3(c1, c1), l2 = dot3(c2, c2);
    const largest = max<f32>(l0, max<f32>(l1, l2)), least = min<f32>(l0, min<f32>(l1, l2));
    // Squared lengths differ by twice the relative difference.
    if (largest - least > <f32>2e-3 * largest) return 0;
    const skew = max<f32>(abs<f32>(dot3(c0, c1)), max<f32>(abs<f32>(dot3(c0, c2)), abs<f32>(dot3(c1, c2))));
    if (skew > <f32>1e-3 * largest) return 0;
    palette += MATRIX_BYTES;
  }
  return 1;
}

/** Inverse transposes of the upper 3x3 parts, as three columns in a 64-byte entry. */
export function composeNormalPalette(palette: usize, normals: usize, jointCount: i32): void {
  for (let j = 0; j < jointCount; j++) {
    const c0 = v128.load(palette, 0), c1 = v128.load(palette, 16), c2 = v128.load(palette, 32);
    const k0 = cross(c1, c2), k1 = cross(c2, c0), k2 = cross(c0, c1);
    const determinant = dot3(c0, k0);
    const factor = f32x4.splat(abs<f32>(determinant) > <f32>1e-30 ? <f32>1 / determinant : 0);
    v128.store(normals, f32x4.mul(k0, factor), 0);
    v128.store(normals, f32x4.mul(k1, factor), 16);
    v128.store(normals, f32x4.mul(k2, factor), 32);
    palette += MATRIX_BYTES;
    normals += MATRIX_BYTES;
  }
}
