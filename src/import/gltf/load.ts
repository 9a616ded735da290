import { AnimArgumentError, AnimFormatError } from "../../anim/errors.js";
import { JsonCheck, type JsonObject } from "../json-check.js";
import { ModelData } from "../model/model-data.js";
import { ReportBuilder } from "../model/report.js";
import { refusePath } from "../refuse-path.js";
import { validateAccessors } from "./accessors.js";
import { readAnimations } from "./animations.js";
import { loadBuffers, type ResourceResolver } from "./buffers.js";
import { decodeAccessors } from "./decode.js";
import { type DracoDecoder, decompressMeshes } from "./draco.js";
import { checkExtensions, decompressViews, readHumanoid, type MeshoptDecoder } from "./extensions.js";
import { decodeUtf8, isGlb, splitGlb } from "./glb.js";
import { readMeshes } from "./meshes.js";
import { readNodes, readRoots } from "./nodes.js";
import { readJoints, readSkins } from "./skins.js";

export interface GltfOptions {
  /** Name of the file, for messages. */
  file?: string | undefined;
  /** Supplies the buffers of a separate `.gltf`; images are never asked for. */
  resolve?: ResourceResolver | undefined;
  /** What a sheared node matrix does. Default `"warn"`: the shear is dropped and reported. */
  shear?: "warn" | "throw" | undefined;
  /** What keys out of order do. Default `"throw"`; `"drop"` removes the later ones and reports it. */
  keyTimes?: "throw" | "drop" | undefined;
  /** Decoder for EXT_meshopt_compression. */
  decodeMeshopt?: MeshoptDecoder | undefined;
  /** Decoder for KHR_draco_mesh_compression. */
  decodeDraco?: DracoDecoder | undefined;
}

/**
 * Reads a glTF 2.0 document or GLB file: nodes, meshes (skin weights, morph targets), skins and animations. Images,
 * textures, cameras and lights are left aside. The input is not changed and not kept.
 *
 * @param data - GLB bytes, JSON bytes, JSON text, or the parsed document
 * @throws AnimArgumentError for the name of a file in place of its content
 * @throws AnimFormatError with a JSON pointer or a byte offset; nothing is returned half-read
 * @throws AnimStateError when the optional peer `@gltf-transform/core` is not installed
 */
export async function loadGltf(data: ArrayBuffer | Uint8Array | string | object, options: GltfOptions = {}): Promise<ModelData> {
  const check = new JsonCheck(options.file);
  const { document, bin } = parse(check, data);
  const report = new ReportBuilder();

  const asset = check.object(document.asset, "/asset");
  const version = check.string(asset.version, "/asset/version");
  if (!/^2\.\d+$/.test(version)) check.fail("/asset/version", `is "${version.slice(0, 20)}", expected 2.x`, version);
  checkExtensions(check, document, options.decodeMeshopt !== undefined, options.decodeDraco !== undefined);

  const stored = await loadBuffers(check, check.objects(document.buffers, "/buffers"), bin, options.resolve);
  const plain = decompressViews(check, document, stored, options.decodeMeshopt);
  const { json, buffers } = await decompressMeshes(check, plain.json, plain.buffers, options.decodeDraco);
  const infos = validateAccessors(check, json, buffers);
  const nodes = readNodes(check, json, report, options.shear ?? "warn");
  const roots = readRoots(check, json, nodes, report);
  const joints = readJoints(check, json, nodes.length);
  const accessors = await decodeAccessors(check, json, infos, buffers);

  const skins = readSkins(check, json, joints, accessors, report);
  const { meshes, meshesOfNode } = readMeshes(check, json, nodes, joints.map((j) => j.length), accessors, report);
  const targets = nodes.map((_, i) => meshesOfNode[i]!.reduce((most, mesh) => Math.max(most, meshes[mesh]!.targets.length), 0));
  const animations = readAnimations(check, json, nodes, targets, accessors, report, options.keyTimes ?? "throw");
  for (const kind of ["images", "cameras"] as const) {
    const count = check.array(json[kind], `/${kind}`).length;
    if (count > 0) report.ignored(`${count} ${kind}`);
  }
  return new ModelData({
    format: "gltf",
    nodes: nodes.map((node, i) => ({
      name: node.name, parent: node.parent, children: node.children, translation: node.translation, rotation: node.rotation, scale: node.scale, skin: node.skin, meshes: meshesOfNode[i]!,
    })),
    roots,
    meshes,
    skins,
    animations,
    extras: {
      humanoid: readHumanoid(check, json, nodes.length),
      extensions: structuredClone(check.optionalObject(json.extensions, "/extensions") ?? {}),
      metersPerUnit: 1,
      upAxis: "y",
    },
    report: report.finish(),
  });
}

function parse(check: JsonCheck, data: ArrayBuffer | Uint8Array | string | object): { document: JsonObject; bin: Uint8Array | undefined } {
  if (typeof data === "string") {
    refusePath("loadGltf", data);
    return { document: parseJson(check, data), bin: undefined };
  }
  if (typeof data !== "object" || data === null) {
    throw new AnimArgumentError(`loadGltf: data is ${data === null ? "null" : typeof data}, expected bytes, JSON text or a document.`, { found: typeof data });
  }
  if (!(data instanceof Uint8Array || data instanceof ArrayBuffer)) return { document: check.object(data, ""), bin: undefined };
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  if (bytes.length === 0) throw new AnimFormatError(`${check.file ?? "The file"} is empty; expected glTF or GLB.`, { file: check.file, byteOffset: 0 });
  if (isGlb(bytes)) {
    const { json, bin } = splitGlb(bytes, check.file);
    return { document: parseJson(check, json), bin };
  }
  return { document: parseJson(check, decodeUtf8(bytes, check.file)), bin: undefined };
}

function parseJson(check: JsonCheck, text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (cause) {
    throw new AnimFormatError(`${check.file === undefined ? "" : `${check.file}: `}the document is no JSON: ${(cause as Error).message}`, { file: check.file, cause });
  }
  return check.object(value, "");
}
