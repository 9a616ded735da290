/** One object for all formats, as scripts know it; programs that care for size import the entries they need. */
import { AnimArgumentError, AnimFormatError } from "../anim/errors.js";
import { exportBvh, importBvh } from "./bvh/index.js";
import { exportEva, importEva } from "./fixture/index.js";
import { type FbxOptions, loadFbx } from "./fbx/load.js";
import { type GltfOptions, loadGltf } from "./gltf/load.js";
import type { ModelData } from "./model/model-data.js";

/** A loader that a program brings for a format of its own, or in the place of a built-in one. */
export type ModelLoader = (data: ArrayBuffer | Uint8Array | string | object, options: ModelOptions) => ModelData | Promise<ModelData>;

/** Options of all loaders; each takes those it knows. */
export interface ModelOptions extends Omit<GltfOptions, "file">, Omit<FbxOptions, "file"> {
  /** Name of the file, for messages and for choosing a registered loader by its ending. */
  file?: string | undefined;
  /** The format, when it is not to be found out from the data. */
  format?: "gltf" | "fbx" | (string & {}) | undefined;
}

const loaders = /* @__PURE__ */ new Map<string, ModelLoader>();

/** Registers a loader for a format name, which is also a file ending; it comes before the built-in ones. */
export function registerModelLoader(format: string, loader: ModelLoader): void {
  if (typeof format !== "string" || format === "" || typeof loader !== "function") throw new AnimArgumentError("registerModelLoader: a format name and a function are needed.");
  loaders.set(format.toLowerCase(), loader);
}

/**
 * Reads a model of any known format.
 * @throws AnimFormatError for data of no known format, and what the format's reader throws
 */
async function loadModel(data: ArrayBuffer | Uint8Array | string | object, options: ModelOptions = {}): Promise<ModelData> {
  const ending = /\.([a-z0-9]+)$/i.exec(options.file ?? "")?.[1]?.toLowerCase();
  const registered = loaders.get(options.format?.toLowerCase() ?? "") ?? loaders.get(ending ?? "");
  if (registered !== undefined) return registered(data, options);
  const format = options.format ?? formatOf(data);
  if (format === "gltf") return loadGltf(data, options);
  if (format === "fbx") return loadFbx(data as ArrayBuffer | Uint8Array | string, options);
  throw new AnimFormatError(`AnimImporter.loadModel: ${options.file ?? "the data"} is of no known format (${String(format)}). glTF, GLB and FBX are built in; others come through registerModelLoader.`, { file: options.file, found: format });
}

/** The format by what the data starts with. */
function formatOf(data: unknown): string {
  if (typeof data === "object" && data !== null && !(data instanceof ArrayBuffer) && !(data instanceof Uint8Array)) return "gltf";
  const head = typeof data === "string" ? data.slice(0, 4096) : data instanceof Uint8Array || data instanceof ArrayBuffer
    ? new TextDecoder("latin1").decode(data instanceof ArrayBuffer ? new Uint8Array(data, 0, Math.min(4096, data.byteLength)) : data.slice(0, 4096)) : "";
  if (head.startsWith("glTF")) return "gltf";
  if (head.startsWith("Kaydara FBX Binary") || /^\s*;\s*FBX/.test(head) || /^\s*FBXHeaderExtension\s*:/m.test(head)) return "fbx";
  return /^(?:\u00EF\u00BB\u00BF|\uFEFF)?\s*\{/.test(head) ? "gltf" : "unknown";
}

/** Importers and exporters by format. */
export const AnimImporter = { loadModel, importEva, exportEva, importBvh, exportBvh };
