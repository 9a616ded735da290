import { AnimFormatError, AnimStateError } from "../../anim/errors.js";
import type { JsonCheck, JsonObject } from "../json-check.js";
import type { AccessorInfo } from "./accessors.js";

type Raw = Float32Array | Uint32Array | Uint16Array | Uint8Array | Int16Array | Int8Array;

/** Decoded accessors of one document. Arrays are decoded once, converted once per kind, and shared between the parts that use them. */
export class Accessors {
  readonly #floats = new Map<number, Float32Array>();
  readonly #integers = new Map<number, Uint32Array>();

  constructor(readonly check: JsonCheck, readonly infos: readonly AccessorInfo[], readonly raw: readonly (Raw | null)[]) {}

  get count(): number {
    return this.infos.length;
  }

  info(index: number): AccessorInfo {
    return this.infos[index]!;
  }

  /** An accessor as finite floats; normalised integers become 0..1 or -1..1. */
  floats(index: number): Float32Array {
    const cached = this.#floats.get(index);
    if (cached !== undefined) return cached;
    const info = this.info(index);
    const raw = this.#array(index);
    const out = new Float32Array(raw.length);
    const scale = info.normalized ? NORMALIZED_SCALE[info.componentType]! : 1;
    for (let i = 0; i < out.length; i++) {
      const value = raw[i]! * scale;
      out[i] = info.normalized && value < -1 ? -1 : value;
      if (!Number.isFinite(out[i]!)) this.check.fail(`/accessors/${index}`, `contains ${value} at number ${i}`, value);
    }
    this.#floats.set(index, out);
    return out;
  }

  /** An accessor as unsigned integers. */
  integers(index: number): Uint32Array {
    const cached = this.#integers.get(index);
    if (cached !== undefined) return cached;
    const raw = this.#array(index);
    const info = this.info(index);
    if (info.componentType === 5126 || info.componentType === 5120 || info.componentType === 5122) {
      this.check.fail(`/accessors/${index}/componentType`, `is ${info.componentType}; indices and joints need unsigned integers`, info.componentType);
    }
    const out = Uint32Array.from(raw);
    this.#integers.set(index, out);
    return out;
  }

  #array(index: number): Raw {
    const raw = this.raw[index];
    const info = this.info(index);
    if (raw === null || raw === undefined || raw.length !== info.count * info.components) {
      return this.check.fail(`/accessors/${index}`, `was decoded to ${raw?.length ?? 0} numbers instead of ${info.count * info.components}`);
    }
    return raw;
  }
}

const NORMALIZED_SCALE: Readonly<Record<number, number>> = { 5120: 1 / 127, 5121: 1 / 255, 5122: 1 / 32767, 5123: 1 / 65535 };

/**
 * Decodes every accessor with `@gltf-transform/core`, an optional peer dependency that is loaded here, on first use.
 * It is given accessors, views and buffers alone, all of them already validated; names, nodes, skins and animations are
 * read from the document itself.
 */
export async function decodeAccessors(check: JsonCheck, json: JsonObject, infos: readonly AccessorInfo[], buffers: readonly Uint8Array[]): Promise<Accessors> {
  if (infos.length === 0) return new Accessors(check, infos, []);
  let library: typeof import("@gltf-transform/core");
  try {
    library = await import("@gltf-transform/core");
  } catch (cause) {
    throw new AnimStateError("glTF files are decoded by @gltf-transform/core, which is not installed. Add it: npm install @gltf-transform/core", { cause });
  }
  const resources: Record<string, Uint8Array<ArrayBuffer>> = {};
  const bufferDefs = buffers.map((bytes, i) => {
    const uri = `buffer-${i}.bin`;
    resources[uri] = new Uint8Array(bytes);
    return { uri, byteLength: bytes.length };
  });
  try {
    const io = new library.WebIO().setLogger(new library.Logger(library.Logger.Verbosity.SILENT));
    const reduced = { asset: { version: "2.0" }, buffers: bufferDefs, bufferViews: stripped(json.bufferViews), accessors: stripped(json.accessors) };
    const document = await io.readJSON({ json: reduced as never, resources });
    const raw = document.getRoot().listAccessors().map((accessor) => accessor.getArray() as Raw | null);
    if (raw.length !== infos.length) check.fail("/accessors", `has ${infos.length} entries, ${raw.length} were decoded`);
    return new Accessors(check, infos, raw);
  } catch (cause) {
    if (cause instanceof AnimFormatError) throw cause;
    throw new AnimFormatError(`The accessors cannot be decoded: ${(cause as Error)?.message ?? String(cause)}`, { file: check.file, pointer: "/accessors", cause });
  }
}

/** Copies of the entries without names, extensions and extras, which the decoder has no use for. */
function stripped(value: unknown): unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const unused = new Set(["name", "extensions", "extras"]);
  return value.map((entry: JsonObject) => Object.fromEntries(Object.entries(entry).filter(([key]) => !unused.has(key))));
}
