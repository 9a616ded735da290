import { AnimArgumentError, AnimFormatError } from "../../anim/errors.js";
import { ModelData, type ModelMesh, type ModelNode, type ModelSkin } from "../model/model-data.js";
import { compose, identity, type Matrix, multiply } from "../model/matrix.js";
import { ReportBuilder } from "../model/report.js";
import { refusePath } from "../refuse-path.js";
import { fileRate, readAnimations } from "./animation.js";
import { isAsciiFbx, readAsciiFbx } from "./ascii.js";
import { isBinaryFbx, readBinaryFbx } from "./binary.js";
import { FbxDocument, type FbxId, type FbxObject, numberOf } from "./document.js";
import { readSurfaces } from "./geometry.js";
import { influencesOf, readSkin } from "./skin.js";
import { axisConversion, NodeTransform } from "./transform.js";
import { arrayOf, contentError } from "./tree.js";

export interface FbxOptions {
  /** Name of the file, for messages. */
  file?: string | undefined;
  /** Samples per second of curves that must be resampled. Default: the file's frame rate. */
  rate?: number | undefined;
  /** `"meter"` scales lengths to metres. Default `"file"`: the file's unit, usually centimetres. */
  unit?: "file" | "meter" | undefined;
  /** Upper limit of the file's arrays after inflating. Default 512 MiB. */
  maximumBytes?: number | undefined;
}

const DEFAULT_MAXIMUM_BYTES = 512 * 1024 * 1024;
const MAXIMUM_MODELS = 1 << 16;

/**
 * Reads an FBX file, binary (7.0 to 7.9) or text: nodes with their pivots, pre- and post-rotations folded in, meshes, skin
 * clusters, and one animation per stack. The scene is turned to +Y up. The input is not changed and not kept.
 *
 * @param data - the file's bytes, or its text
 * @throws AnimArgumentError for the name of a file in place of its content
 * @throws AnimFormatError with a byte offset or a line; nothing is returned half-read
 */
export function loadFbx(data: ArrayBuffer | Uint8Array | string, options: FbxOptions = {}): ModelData {
  const file = options.file;
  const rateOption = options.rate;
  if (rateOption !== undefined && !(rateOption > 0 && rateOption <= 1000)) throw new AnimArgumentError(`loadFbx: options.rate is ${rateOption}, expected more than 0 and at most 1000.`, { found: rateOption });
  if (options.unit !== undefined && options.unit !== "file" && options.unit !== "meter") throw new AnimArgumentError(`loadFbx: options.unit is ${JSON.stringify(options.unit)}, expected "file" or "meter".`, { found: options.unit });
  const document = new FbxDocument(parse(data, file, options.maximumBytes ?? DEFAULT_MAXIMUM_BYTES), file);
  const report = new ReportBuilder();
  const centimetres = numberOf(document.settings, "UnitScaleFactor", 1);
  const unit = options.unit === "meter" && centimetres > 0 ? centimetres / 100 : 1;
  const axes = axisConversion(document.settings);
  if (axes.mirrored) report.ignored("the file's axes are left-handed; they were not converted");

  const { nodes, nodeOf, transforms } = readNodes(document, unit, axes.rotation, report);
  const { meshes, skins, meshesOfNode, skinOfNode } = readMeshes(document, nodeOf, nodes.map((node) => node.parent), unit, report);
  const animations = readAnimations(document, nodeOf, transforms, rateOption ?? fileRate(document), report);
  const morphs = document.ofKind("Deformer").filter((object) => object.type === "BlendShape").length;
  if (morphs > 0) report.ignored(`${morphs} blend shapes`);
  return new ModelData({
    format: "fbx",
    nodes: nodes.map((node, i) => ({ ...node, skin: skinOfNode.get(i) ?? -1, meshes: meshesOfNode.get(i) ?? [] })),
    roots: nodes.flatMap((node, i) => (node.parent === -1 ? [i] : [])),
    meshes,
    skins,
    animations,
    extras: { humanoid: new Map(), extensions: {}, metersPerUnit: options.unit === "meter" ? 1 : centimetres / 100, upAxis: axes.up },
    report: report.finish(),
  });
}

function parse(data: ArrayBuffer | Uint8Array | string, file: string | undefined, maximumBytes: number) {
  const name = file === undefined ? "The file" : file;
  if (typeof data === "string") {
    refusePath("loadFbx", data);
    if (!isAsciiFbx(data)) throw new AnimFormatError(`${name}: the text is not FBX.`, { file, line: 1 });
    return readAsciiFbx(data, file);
  }
  if (!(data instanceof Uint8Array || data instanceof ArrayBuffer)) throw new AnimArgumentError(`loadFbx: data is ${data === null ? "null" : typeof data}, expected bytes or text.`);
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  if (isBinaryFbx(bytes)) return readBinaryFbx(bytes, file, maximumBytes);
  const head = new TextDecoder().decode(bytes.slice(0, 4096));
  if (!isAsciiFbx(head)) throw new AnimFormatError(`${name}: the header is not that of an FBX file.`, { file, byteOffset: 0 });
  return readAsciiFbx(new TextDecoder().decode(bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice()), file);
}

/** Every Model becomes a node; parents come from the links, and a cycle is an error. */
function readNodes(document: FbxDocument, unit: number, axes: [number, number, number, number] | undefined, report: ReportBuilder) {
  const models = document.ofKind("Model");
  if (models.length > MAXIMUM_MODELS) throw contentError(document.file, `there are ${models.length} models, ${MAXIMUM_MODELS} are the limit`);
  const nodeOf = new Map<FbxId, number>(models.map((model, i) => [model.id, i]));
  const parents = models.map((model) => {
    const parent = document.above(model.id, "Model").find(({ property }) => property === "")?.object;
    return parent === undefined ? -1 : nodeOf.get(parent.id)!;
  });
  const children: number[][] = models.map(() => []);
  parents.forEach((parent, node) => {
    if (parent >= 0) children[parent]!.push(node);
  });
  let reached = 0;
  const stack = parents.flatMap((parent, node) => (parent === -1 ? [node] : []));
  while (stack.length > 0) {
    reached++;
    for (const child of children[stack.pop()!]!) stack.push(child);
  }
  if (reached !== models.length) throw contentError(document.file, "the models form a cycle");

  const transforms = models.map((model, i) => new NodeTransform(model.properties, unit, parents[i] === -1 ? axes : undefined));
  const nodes = models.map((model, i): Omit<ModelNode, "skin" | "meshes"> => {
    const transform = transforms[i]!;
    const inherit = numberOf(model.properties, "InheritType", 0);
    const parentScale = parents[i]! >= 0 ? transforms[parents[i]!]!.scale : [1, 1, 1];
    if (inherit === 2 && parentScale.some((s) => Math.abs(s - 1) > 1e-6)) report.ignored(`"${model.name.slice(0, 60)}": it should not inherit its parent's scale`);
    return { name: model.name, parent: parents[i]!, children: children[i]!, ...transform.rest };
  });
  return { nodes, nodeOf, transforms };
}

function readMeshes(document: FbxDocument, nodeOf: ReadonlyMap<FbxId, number>, parents: readonly number[], unit: number, report: ReportBuilder) {
  const meshes: ModelMesh[] = [];
  const skins: ModelSkin[] = [];
  const meshesOfNode = new Map<number, number[]>();
  const skinOfNode = new Map<number, number>();
  const models = document.ofKind("Model");
  for (const model of models) {
    const node = nodeOf.get(model.id)!;
    for (const { object: geometry } of document.below(model.id, "Geometry")) {
      if (geometry.type !== "Mesh") continue;
      const pointCount = Math.floor((arrayOf(geometry.node, "Vertices")?.length ?? 0) / 3);
      const surfaces = readSurfaces(document, geometry, model, unit, report);
      const skin = readSkin(document, geometry, pointCount, nodeOf, worldInFile(models, parents, node), unit, report);
      const skinIndex = skin === undefined ? -1 : skins.push(skin.skin) - 1;
      if (skinIndex >= 0) skinOfNode.set(node, skinIndex);
      const name = geometry.name || model.name;
      surfaces.forEach((surface, s) => {
        const influences = skin === undefined
          ? undefined
          : influencesOf(skin, surface.points, (problem) => { throw contentError(document.file, `mesh "${name.slice(0, 60)}" ${problem}`); }, (line) => report.repaired(`mesh "${name.slice(0, 60)}": ${line}`));
        const list = meshesOfNode.get(node) ?? [];
        meshesOfNode.set(node, list);
        list.push(meshes.length);
        meshes.push({
          name: surfaces.length > 1 ? `${name}_${s}` : name,
          material: surface.material, skin: skinIndex, node,
          vertexCount: surface.points.length,
          positions: surface.positions, normals: surface.normals, tangents: undefined, uvs: surface.uvs, colors: undefined,
          joints: influences?.joints, weights: influences?.weights, influences: influences?.influences ?? 0,
          indices: surface.indices, targets: [], targetWeights: [],
        });
      });
    }
  }
  return { meshes, skins, meshesOfNode, skinOfNode };
}

/** Rest place of a node in the space and unit of the file. */
function worldInFile(models: readonly FbxObject[], parents: readonly number[], node: number): Matrix {
  let world = identity();
  for (let at = node; at !== -1; at = parents[at]!) {
    const { translation, rotation, scale } = new NodeTransform(models[at]!.properties, 1, undefined).rest;
    world = multiply(compose(translation, rotation, scale), world);
  }
  return world;
}
