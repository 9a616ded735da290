import type { TrailMesh } from "../module/host.js";
import { lengthOf } from "./length.js";

/** Points closer than this on screen count as one. */
const CLOSEST = 0.01;
/** Cosine beyond which a corner is too sharp for a mitre. */
const SHARPEST = -0.5;

/** An empty mesh for `AnimTrail.buildMesh`; it grows when needed and is reused afterwards. */
export function createTrailMesh(): TrailMesh {
  return { positions: new Float32Array(0), colors: new Float32Array(0), uvs: new Float32Array(0), indices: new Uint32Array(0), vertexCount: 0, indexCount: 0 };
}

/** Makes sure that a mesh has room; what it holds is lost. */
export function reserveMesh(mesh: TrailMesh, vertices: number, indices: number): void {
  mesh.vertexCount = mesh.indexCount = 0;
  if (mesh.positions.length < vertices * 2) {
    mesh.positions = new Float32Array(vertices * 2);
    mesh.colors = new Float32Array(vertices * 4);
    mesh.uvs = new Float32Array(vertices * 2);
  }
  if (mesh.indices.length < indices) mesh.indices = new Uint32Array(indices);
}

/** The points of a trail on screen, newest first, with everything that a vertex needs. */
export class RibbonPoints {
  x: Float64Array;
  y: Float64Array;
  /** r g b a per point. */
  colors: Float64Array;
  halfWidths: Float64Array;
  /** Distance from the newest point, later divided by the whole length. */
  u: Float64Array;
  /** From the middle to the left end of a blade, 0 for points. */
  edgeX: Float64Array;
  edgeY: Float64Array;
  /** 1 for a blade. */
  isBlade: Uint8Array;
  /** Factors of the width. */
  factors: Float64Array;
  /** 1 where a strip ends: no segment from here to the next, older point. */
  ends: Uint8Array;
  count = 0;

  constructor(capacity: number) {
    this.x = new Float64Array(capacity);
    this.y = new Float64Array(capacity);
    this.colors = new Float64Array(capacity * 4);
    this.halfWidths = new Float64Array(capacity);
    this.u = new Float64Array(capacity);
    this.edgeX = new Float64Array(capacity);
    this.edgeY = new Float64Array(capacity);
    this.isBlade = new Uint8Array(capacity);
    this.factors = new Float64Array(capacity);
    this.ends = new Uint8Array(capacity);
  }

  /** Adds an older point, unless it lies on the one before; returns whether it was added. */
  add(x: number, y: number, edgeX: number, edgeY: number, isBlade: boolean): boolean {
    const i = this.count;
    this.x[i] = x;
    this.y[i] = y;
    this.edgeX[i] = edgeX;
    this.edgeY[i] = edgeY;
    this.isBlade[i] = isBlade ? 1 : 0;
    if (i > 0 && this.ends[i - 1] === 0) {
      const distance = this.distance(i - 1, i);
      if (distance < CLOSEST) return false;
      this.u[i] = this.u[i - 1]! + distance;
    } else {
      this.u[i] = i > 0 ? this.u[i - 1]! : 0;
    }
    this.ends[i] = 0;
    this.count++;
    return true;
  }

  /** Between two points; of blades, of their ends that are further apart. */
  distance(i: number, j: number): number {
    const dx = this.x[i]! - this.x[j]!, dy = this.y[i]! - this.y[j]!;
    const ex = this.edgeX[i]! - this.edgeX[j]!, ey = this.edgeY[i]! - this.edgeY[j]!;
    return Math.max(lengthOf(dx + ex, dy + ey), lengthOf(dx - ex, dy - ey));
  }

  /** Ends the strip at the last point. */
  breakStrip(): void {
    if (this.count > 0) this.ends[this.count - 1] = 1;
  }
}

/** Builds ribbons, two triangles per segment, mitred corners; single points become squares unless they are invisible. */
export function buildRibbon(points: RibbonPoints, mesh: TrailMesh): void {
  let first = 0;
  for (let i = 0; i < points.count; i++) {
    if (i + 1 < points.count && points.ends[i] === 0) continue;
    if (i === first) addSquare(points, i, mesh);
    else addStrip(points, first, i, mesh);
    first = i + 1;
  }
}

/** One square of side width around a point that can be seen. */
export function addSquare(points: RibbonPoints, i: number, mesh: TrailMesh): void {
  if (!(points.colors[i * 4 + 3]! > 0)) return;
  const h = points.halfWidths[i]!;
  const x = points.x[i]!;
  const y = points.y[i]!;
  const a = vertex(points, i, mesh, x - h, y - h, 0);
  vertex(points, i, mesh, x + h, y - h, 0);
  vertex(points, i, mesh, x + h, y + h, 1);
  vertex(points, i, mesh, x - h, y + h, 1);
  triangle(mesh, a, a + 1, a + 2);
  triangle(mesh, a, a + 2, a + 3);
}

function addStrip(points: RibbonPoints, first: number, last: number, mesh: TrailMesh): void {
  const { x, y, halfWidths } = points;
  // Direction and left normal of the segment to the newer side.
  let dx = 0;
  let dy = 0;
  let pair = 0;
  for (let i = first; i <= last; i++) {
    const h = halfWidths[i]!;
    let olderX = dx;
    let olderY = dy;
    if (i < last) {
      // The middles of two blades may coincide.
      const length = lengthOf(x[i]! - x[i + 1]!, y[i]! - y[i + 1]!) || 1;
      olderX = (x[i]! - x[i + 1]!) / length;
      olderY = (y[i]! - y[i + 1]!) / length;
    }
    if (points.isBlade[i] === 1) {
      const next = addPair(points, i, mesh, points.edgeX[i]! * points.factors[i]!, points.edgeY[i]! * points.factors[i]!);
      if (i > first) joinPairs(mesh, pair, next);
      pair = next;
    } else if (i === first) {
      pair = addPair(points, i, mesh, -olderY * h, olderX * h);
    } else if (i === last) {
      joinPairs(mesh, pair, addPair(points, i, mesh, -dy * h, dx * h));
    } else if (dx * olderX + dy * olderY > SHARPEST) {
      // m / (m . n) with m along n0 + n1: the corner of both edges.
      const mx = -dy - olderY;
      const my = dx + olderX;
      const scale = h / (mx * -olderY + my * olderX);
      const next = addPair(points, i, mesh, mx * scale, my * scale);
      joinPairs(mesh, pair, next);
      pair = next;
    } else {
      joinPairs(mesh, pair, addPair(points, i, mesh, -dy * h, dx * h));
      const newer = mesh.vertexCount - 2;
      pair = addPair(points, i, mesh, -olderY * h, olderX * h);
      // A left turn opens the right side.
      const outer = olderX * dy - olderY * dx > 0 ? 1 : 0;
      triangle(mesh, vertex(points, i, mesh, x[i]!, y[i]!, 0.5), newer + outer, pair + outer);
    }
    dx = olderX;
    dy = olderY;
  }
}

/** Left and right vertex of a point; returns the left one. */
function addPair(points: RibbonPoints, i: number, mesh: TrailMesh, nx: number, ny: number): number {
  const left = vertex(points, i, mesh, points.x[i]! + nx, points.y[i]! + ny, 0);
  vertex(points, i, mesh, points.x[i]! - nx, points.y[i]! - ny, 1);
  return left;
}

function joinPairs(mesh: TrailMesh, newer: number, older: number): void {
  triangle(mesh, newer, newer + 1, older);
  triangle(mesh, newer + 1, older + 1, older);
}

function vertex(points: RibbonPoints, i: number, mesh: TrailMesh, x: number, y: number, v: number): number {
  const at = mesh.vertexCount++;
  mesh.positions[at * 2] = x;
  mesh.positions[at * 2 + 1] = y;
  mesh.uvs[at * 2] = points.u[i]!;
  mesh.uvs[at * 2 + 1] = v;
  for (let c = 0; c < 4; c++) mesh.colors[at * 4 + c] = points.colors[i * 4 + c]!;
  return at;
}

function triangle(mesh: TrailMesh, a: number, b: number, c: number): void {
  const at = mesh.indexCount;
  mesh.indices[at] = a;
  mesh.indices[at + 1] = b;
  mesh.indices[at + 2] = c;
  mesh.indexCount = at + 3;
}
