/**
 * Rays against skinned triangles. Triangles of the same joints form a group; a ray that misses the box around the boxes of those
 * joints, moved by the palette, misses the group, and its vertices are not even skinned. @internal
 */
import { heap } from "../../wasm/heap.js";
import type { SkinBounds } from "./skin-bounds.js";
import { INFLUENCES, type SkinTables } from "./skin-build.js";

/** Where a ray meets a skin. */
export interface SkinHit {
  /** Along the ray, in lengths. */
  distance: number;
  /** The place, in model space. */
  x: number;
  y: number;
  z: number;
  /** Unit normal of the triangle, towards where the ray came from. */
  nx: number;
  ny: number;
  nz: number;
  /** Index of the triangle, three vertices each in the skin's indices. */
  triangle: number;
  /** Shares of its second and third vertex. */
  u: number;
  v: number;
  /** Skeleton bone that the nearest vertex of the triangle follows most, -1 if none. */
  bone: number;
}

/** Triangles and joints of a group. */
interface Group {
  readonly triangles: Uint32Array;
  /** Skin joints; -1 for vertices that follow none. */
  readonly joints: Int16Array;
}

/** Ray: origin, direction of length 1, and how far it reaches. */
const RAY = /* @__PURE__ */ new Float64Array(7);
/** Corners of the triangle in hand, and its hit: distance, u, v. */
const CORNERS = /* @__PURE__ */ new Float64Array(9);
const FOUND = /* @__PURE__ */ new Float64Array(3);
const BOX = /* @__PURE__ */ new Float64Array(6);

export class SkinRaycaster {
  readonly #groups: readonly Group[];
  readonly #boxes: Float64Array;
  readonly #orphanBox = new Float64Array(6);
  /** Skinned vertices of this cast, and the cast that they were skinned in. */
  readonly #vertices: Float64Array;
  readonly #skinnedIn: Uint32Array;
  #cast = 0;

  /** @param places - place in the skin's order of every vertex of the mesh */
  constructor(readonly tables: SkinTables, readonly indices: Uint32Array, readonly places: Uint32Array) {
    this.#boxes = new Float64Array(tables.bones.length * 6);
    this.#vertices = new Float64Array(tables.vertexCount * 3);
    this.#skinnedIn = new Uint32Array(tables.vertexCount);
    this.#groups = groupTriangles(tables, indices);
  }

  /**
   * @param positions - address of the vertices in the skin's order, four floats each
   * @param finished - address of skinned vertices, three floats each in the mesh's order, if they are to be taken as they are; else 0
   */
  cast(origin: ArrayLike<number>, direction: ArrayLike<number>, limit: number, bounds: SkinBounds, palette: number, positions: number, finished: number, out: SkinHit): boolean {
    for (let k = 0; k < 3; k++) {
      RAY[k] = origin[k]!;
      RAY[3 + k] = direction[k]!;
    }
    RAY[6] = limit;
    this.#cast++;
    bounds.moveBoxes(palette, this.#boxes);
    this.#orphanBox.set(bounds.orphans);
    let best = -1, bestU = 0, bestV = 0;
    for (let g = 0; g < this.#groups.length; g++) {
      const { joints, triangles } = this.#groups[g]!;
      // Vertices that were finished elsewhere may lie outside of the boxes.
      if (finished === 0 && !this.#meetsBox(joints)) continue;
      for (let i = 0; i < triangles.length; i++) {
        const triangle = triangles[i]!;
        for (let c = 0; c < 3; c++) this.#corner(this.indices[triangle * 3 + c]!, c * 3, palette, positions, finished);
        if (!meetsTriangle()) continue;
        RAY[6] = FOUND[0]!;
        best = triangle;
        bestU = FOUND[1]!;
        bestV = FOUND[2]!;
      }
    }
    if (best < 0) return false;
    for (let c = 0; c < 3; c++) this.#corner(this.indices[best * 3 + c]!, c * 3, palette, positions, finished);
    this.#report(best, bestU, bestV, out);
    return true;
  }

  #meetsBox(joints: Int16Array): boolean {
    for (let k = 0; k < 6; k++) BOX[k] = k < 3 ? Infinity : -Infinity;
    for (let i = 0; i < joints.length; i++) {
      const boxes = joints[i]! < 0 ? this.#orphanBox : this.#boxes, from = joints[i]! < 0 ? 0 : joints[i]! * 6;
      for (let k = 0; k < 3; k++) {
        BOX[k] = Math.min(BOX[k]!, boxes[from + k]!);
        BOX[3 + k] = Math.max(BOX[3 + k]!, boxes[from + 3 + k]!);
      }
    }
    let near = 0, far = RAY[6]!;
    for (let k = 0; k < 3; k++) {
      // Boxes are of float32 sums, so they are taken a hair larger.
      const slack = 1e-5 * (Math.abs(BOX[k]!) + Math.abs(BOX[3 + k]!)), low = BOX[k]! - slack - RAY[k]!, high = BOX[3 + k]! + slack - RAY[k]!, d = RAY[3 + k]!;
      if (Math.abs(d) < 1e-15) {
        if (low > 0 || high < 0) return false;
        continue;
      }
      near = Math.max(near, Math.min(low / d, high / d));
      far = Math.min(far, Math.max(low / d, high / d));
    }
    return near <= far;
  }

  /** Writes a skinned vertex of the mesh to CORNERS. */
  #corner(vertex: number, to: number, palette: number, positions: number, finished: number): void {
    const f32 = heap.f32, at = vertex * 3;
    if (finished !== 0) {
      for (let k = 0; k < 3; k++) CORNERS[to + k] = f32[(finished >>> 2) + at + k]!;
      return;
    }
    if (this.#skinnedIn[vertex] !== this.#cast) {
      this.#skinnedIn[vertex] = this.#cast;
      this.#skin(vertex, palette, (positions >>> 2) + this.places[vertex]! * 4);
    }
    for (let k = 0; k < 3; k++) CORNERS[to + k] = this.#vertices[at + k]!;
  }

  #skin(vertex: number, palette: number, bind: number): void {
    const f32 = heap.f32, { joints, weights } = this.tables, out = this.#vertices, at = vertex * 3, x = f32[bind]!, y = f32[bind + 1]!, z = f32[bind + 2]!;
    if (joints[vertex * INFLUENCES]! < 0) {
      out[at] = x;
      out[at + 1] = y;
      out[at + 2] = z;
      return;
    }
    out[at] = out[at + 1] = out[at + 2] = 0;
    for (let i = vertex * INFLUENCES; i < (vertex + 1) * INFLUENCES && joints[i]! >= 0; i++) {
      const m = (palette >>> 2) + joints[i]! * 16, weight = weights[i]!;
      for (let k = 0; k < 3; k++) out[at + k] = out[at + k]! + weight * (f32[m + k]! * x + f32[m + 4 + k]! * y + f32[m + 8 + k]! * z + f32[m + 12 + k]!);
    }
  }

  #report(triangle: number, u: number, v: number, out: SkinHit): void {
    const C = CORNERS;
    const ax = C[3]! - C[0]!, ay = C[4]! - C[1]!, az = C[5]! - C[2]!, bx = C[6]! - C[0]!, by = C[7]! - C[1]!, bz = C[8]! - C[2]!;
    const nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz), facing = nx * RAY[3]! + ny * RAY[4]! + nz * RAY[5]! > 0 ? -1 / length : 1 / length;
    out.distance = RAY[6]!;
    out.x = RAY[0]! + RAY[3]! * RAY[6]!;
    out.y = RAY[1]! + RAY[4]! * RAY[6]!;
    out.z = RAY[2]! + RAY[5]! * RAY[6]!;
    out.nx = nx * facing;
    out.ny = ny * facing;
    out.nz = nz * facing;
    out.triangle = triangle;
    out.u = u;
    out.v = v;
    const corner = 1 - u - v >= u && 1 - u - v >= v ? 0 : u >= v ? 1 : 2, joint = this.tables.joints[this.indices[triangle * 3 + corner]! * INFLUENCES]!;
    out.bone = joint < 0 ? -1 : this.tables.bones[joint]!;
  }
}

/** Whether the ray meets the triangle in CORNERS, from either side, nearer than RAY[6] (T. Moeller, B. Trumbore 1997). */
function meetsTriangle(): boolean {
  const C = CORNERS, dx = RAY[3]!, dy = RAY[4]!, dz = RAY[5]!;
  const ax = C[3]! - C[0]!, ay = C[4]! - C[1]!, az = C[5]! - C[2]!, bx = C[6]! - C[0]!, by = C[7]! - C[1]!, bz = C[8]! - C[2]!;
  const px = dy * bz - dz * by, py = dz * bx - dx * bz, pz = dx * by - dy * bx, determinant = ax * px + ay * py + az * pz;
  if (determinant === 0) return false;
  const k = 1 / determinant, sx = RAY[0]! - C[0]!, sy = RAY[1]! - C[1]!, sz = RAY[2]! - C[2]!, u = (sx * px + sy * py + sz * pz) * k;
  if (!(u >= 0 && u <= 1)) return false;
  const qx = sy * az - sz * ay, qy = sz * ax - sx * az, qz = sx * ay - sy * ax, v = (dx * qx + dy * qy + dz * qz) * k;
  if (!(v >= 0 && u + v <= 1)) return false;
  const distance = (bx * qx + by * qy + bz * qz) * k;
  if (!(distance >= 0 && distance < RAY[6]!)) return false;
  FOUND[0] = distance;
  FOUND[1] = u;
  FOUND[2] = v;
  return true;
}

function groupTriangles({ joints }: SkinTables, indices: Uint32Array): Group[] {
  const lists = new Map<string, { triangles: number[]; joints: number[] }>(), set = new Set<number>();
  for (let t = 0; t * 3 + 2 < indices.length; t++) {
    set.clear();
    for (let c = 0; c < 3; c++) {
      const from = indices[t * 3 + c]! * INFLUENCES;
      set.add(joints[from]!);
      for (let k = 1; k < INFLUENCES; k++) if (joints[from + k]! >= 0) set.add(joints[from + k]!);
    }
    const sorted = [...set].toSorted((a, b) => a - b), key = sorted.join();
    let list = lists.get(key);
    if (list === undefined) lists.set(key, (list = { triangles: [], joints: sorted }));
    list.triangles.push(t);
  }
  return Array.from(lists.values(), (list) => ({ triangles: Uint32Array.from(list.triangles), joints: Int16Array.from(list.joints) }));
}
