import { eulerRotation } from "./transform.js";
import { rotateVector } from "../angles.js";
import type { ReportBuilder } from "../model/report.js";
import { geometricTransform } from "./animation.js";
import type { FbxDocument, FbxObject } from "./document.js";
import { arrayOf, childNamed, contentError, type FbxArray, type FbxNode, stringOf } from "./tree.js";
import { length as lengthOf } from "../length.js";

/** Triangles of one material of a geometry, its vertices split where normals or texture coordinates differ. */
export interface FbxSurface {
  material: string;
  /** Control point of every vertex. */
  points: Uint32Array;
  positions: Float32Array;
  normals: Float32Array | undefined;
  uvs: Float32Array | undefined;
  indices: Uint32Array;
}

/** A layer element: values, and which of them a corner or a point uses. */
interface Layer {
  values: FbxArray;
  size: number;
  indices: FbxArray | undefined;
  mapping: string;
}

/** Reads a mesh's polygons as triangles, one surface per material. Vertices are moved by the geometric transform and the unit. */
export function readSurfaces(document: FbxDocument, geometry: FbxObject, model: FbxObject, unit: number, report: ReportBuilder): FbxSurface[] {
  const fail = (problem: string): never => {
    throw contentError(document.file, `geometry "${geometry.name.slice(0, 60)}" ${problem}`);
  };
  const points = arrayOf(geometry.node, "Vertices");
  const polygons = arrayOf(geometry.node, "PolygonVertexIndex");
  if (points === undefined || polygons === undefined || points.length === 0) return [];
  if (points.length % 3 !== 0) fail(`has ${points.length} coordinates, no multiple of 3`);
  const pointCount = points.length / 3;
  for (let i = 0; i < points.length; i++) if (!Number.isFinite(points[i]!)) fail(`has the coordinate ${points[i]}`);

  const normals = layerOf(geometry.node, "LayerElementNormal", "Normals", "NormalsIndex", 3);
  const uvs = layerOf(geometry.node, "LayerElementUV", "UV", "UVIndex", 2);
  const materialLayer = childNamed(geometry.node, "LayerElementMaterial");
  const materials = materialLayer === undefined ? undefined : arrayOf(materialLayer, "Materials");
  const perPolygon = stringOf(materialLayer, "MappingInformationType") === "ByPolygon";
  const names = document.below(model.id, "Material").map(({ object }) => object.name);

  const builders = new Map<number, SurfaceBuilder>();
  let corner = 0;
  let polygon = 0;
  let first = 0;
  for (; corner < polygons.length; corner++) {
    const raw = polygons[corner]!;
    const point = raw < 0 ? -raw - 1 : raw;
    if (!(Number.isInteger(point) && point < pointCount)) fail(`names point ${point} of ${pointCount}`);
    if (raw >= 0) continue;
    const slot = materials === undefined ? 0 : materials[perPolygon ? polygon : 0] ?? 0;
    let builder = builders.get(slot);
    if (builder === undefined) {
      builder = new SurfaceBuilder(points, normals, uvs, fail);
      builders.set(slot, builder);
    }
    for (let c = first + 1; c < corner; c++) builder.triangle(polygons, [first, c, c + 1], polygon);
    polygon++;
    first = corner + 1;
  }
  if (first !== polygons.length) report.ignored(`geometry "${geometry.name.slice(0, 60)}": the last polygon has no end`);
  const place = placement(model, unit);
  return [...builders.entries()].sort(([a], [b]) => a - b).flatMap(([slot, builder]) => {
    const surface = builder.finish(names[slot] ?? "", place);
    return surface.indices.length === 0 ? [] : [surface];
  });
}

class SurfaceBuilder {
  readonly #vertexOf = new Map<string, number>();
  readonly #points: number[] = [];
  readonly #normals: number[] = [];
  readonly #uvs: number[] = [];
  readonly #indices: number[] = [];

  constructor(readonly points: FbxArray, readonly normals: Layer | undefined, readonly uvs: Layer | undefined, readonly fail: (problem: string) => never) {}

  triangle(polygons: FbxArray, corners: readonly number[], polygon: number): void {
    for (const corner of corners) {
      const raw = polygons[corner]!;
      const point = raw < 0 ? -raw - 1 : raw;
      const normal = this.#entry(this.normals, corner, point, polygon);
      const uv = this.#entry(this.uvs, corner, point, polygon);
      const key = `${point}/${this.#values(this.normals, normal)}/${this.#values(this.uvs, uv)}`;
      let vertex = this.#vertexOf.get(key);
      if (vertex === undefined) {
        vertex = this.#points.length;
        this.#vertexOf.set(key, vertex);
        this.#points.push(point);
        for (let i = 0; this.normals !== undefined && i < 3; i++) this.#normals.push(normal < 0 ? 0 : this.normals.values[normal * 3 + i]!);
        for (let i = 0; this.uvs !== undefined && i < 2; i++) this.#uvs.push(uv < 0 ? 0 : this.uvs.values[uv * 2 + i]!);
      }
      this.#indices.push(vertex);
    }
  }

  finish(material: string, place: Placement): FbxSurface {
    const positions = new Float32Array(this.#points.length * 3);
    this.#points.forEach((point, v) => positions.set(place.point(this.points[point * 3]!, this.points[point * 3 + 1]!, this.points[point * 3 + 2]!), v * 3));
    let normals: Float32Array | undefined;
    if (this.normals !== undefined) {
      normals = new Float32Array(this.#normals.length);
      for (let v = 0; v < normals.length; v += 3) normals.set(place.normal(this.#normals[v]!, this.#normals[v + 1]!, this.#normals[v + 2]!), v);
    }
    return {
      material, positions, normals,
      points: Uint32Array.from(this.#points),
      uvs: this.uvs === undefined ? undefined : Float32Array.from(this.#uvs),
      indices: Uint32Array.from(this.#indices),
    };
  }

  /** Index of a layer's value for a corner, -1 when the layer has none for it. */
  #entry(layer: Layer | undefined, corner: number, point: number, polygon: number): number {
    if (layer === undefined) return -1;
    const at = layer.mapping === "ByPolygonVertex" ? corner : layer.mapping === "ByPolygon" ? polygon : layer.mapping === "AllSame" ? 0 : point;
    const index = layer.indices === undefined ? at : layer.indices[at] ?? -1;
    if (index < 0) return -1;
    if ((index + 1) * layer.size > layer.values.length) this.fail(`names layer value ${index} of ${layer.values.length / layer.size}`);
    return index;
  }

  #values(layer: Layer | undefined, index: number): string {
    if (layer === undefined || index < 0) return "";
    return Array.from(layer.values.subarray(index * layer.size, (index + 1) * layer.size), (v) => {
      if (!Number.isFinite(v)) this.fail(`has the layer value ${v}`);
      return v;
    }).join(",");
  }
}

interface Placement {
  point(x: number, y: number, z: number): [number, number, number];
  normal(x: number, y: number, z: number): [number, number, number];
}

function placement(model: FbxObject, unit: number): Placement {
  const { translation: t, rotation, scale: s } = geometricTransform(model);
  const q = eulerRotation(rotation, 0);
  return {
    point(x, y, z) {
      const [a, b, c] = rotateVector(q, [x * s[0], y * s[1], z * s[2]]);
      return [(a + t[0]) * unit, (b + t[1]) * unit, (c + t[2]) * unit];
    },
    normal(x, y, z) {
      const [a, b, c] = rotateVector(q, [x / (s[0] || 1), y / (s[1] || 1), z / (s[2] || 1)]);
      const length = lengthOf(a, b, c);
      return length > 0 ? [a / length, b / length, c / length] : [0, 1, 0];
    },
  };
}

function layerOf(geometry: FbxNode, element: string, values: string, indices: string, size: number): Layer | undefined {
  const layer = childNamed(geometry, element);
  const list = arrayOf(layer, values);
  if (layer === undefined || list === undefined || list.length < size) return undefined;
  const indexed = stringOf(layer, "ReferenceInformationType") !== "Direct";
  const mapping = stringOf(layer, "MappingInformationType");
  return { values: list, size, indices: indexed ? arrayOf(layer, indices) : undefined, mapping };
}
