/** A baked database as bytes. @internal */
import { AnimArgumentError, AnimFormatError } from "../errors.js";
import type { Baked } from "./database.js";
import type { MotionFeature } from "./layout.js";
import type { Normalization, NormalizationMode } from "./normalization.js";

/*
 * "OSMM", version u32, header bytes u32, channels u32; the header as JSON (UTF-8), padded to 8 bytes with spaces;
 * means, deviations, inverses (f64 each); then the normalised features of all frames, f32, frame by frame. Little-endian.
 */
const MAGIC = 0x4d4d534f;
const VERSION = 1;
const PREFIX_BYTES = 16;

export interface BlobHeader {
  skeleton: number | string;
  rootBone: number;
  featureBones: number[];
  normalizationMode: NormalizationMode;
  tagNames: string[];
  mirror: number[] | null;
  quantized: boolean;
  features: readonly MotionFeature[];
  clips: { name: string; duration: number; loop: boolean; rate: number }[];
  ranges: { clipIndex: number; start: number; end: number; looping: boolean; mirrored: boolean; frameCount: number; tags: number }[];
  order: number[];
}

export function writeBlob(header: BlobHeader, baked: Baked): Uint8Array {
  const { size, frameCount, normalization, store, ranges } = baked;
  let json = new TextEncoder().encode(JSON.stringify(header));
  const padded = Math.ceil(json.length / 8) * 8;
  if (padded !== json.length) {
    const wider = new Uint8Array(padded).fill(32);
    wider.set(json);
    json = wider;
  }
  const bytes = new Uint8Array(PREFIX_BYTES + padded + size * 24 + frameCount * size * 4);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, VERSION, true);
  view.setUint32(8, padded, true);
  view.setUint32(12, size, true);
  bytes.set(json, PREFIX_BYTES);
  let at = PREFIX_BYTES + padded;
  for (const list of [normalization.mean, normalization.deviation, normalization.inverse]) {
    for (const value of list) {
      view.setFloat64(at, value, true);
      at += 8;
    }
  }
  for (const range of ranges) {
    for (let i = 0; i < range.frameCount; i++) {
      store.order.forEach((channel, c) => view.setFloat32(at + channel * 4, store.value(range.firstSlot + i, c), true));
      at += size * 4;
    }
  }
  return bytes;
}

/** @param boneCount - bones of the skeleton, which indices in the header must stay below */
export function readBlob(bytes: Uint8Array, boneCount: number): { header: BlobHeader; normalization: Normalization; tables: Float32Array[] } {
  if (!(bytes instanceof Uint8Array)) throw new AnimArgumentError("MotionDatabase.deserialize: bytes must be a Uint8Array, as serialize() returns.");
  const fail = (byteOffset: number, problem: string): never => {
    throw new AnimFormatError(`MotionDatabase.deserialize, byte ${byteOffset}: ${problem}.`, { byteOffset });
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < PREFIX_BYTES || view.getUint32(0, true) !== MAGIC) fail(0, "these are not the bytes of a motion database");
  if (view.getUint32(4, true) !== VERSION) fail(4, `version ${view.getUint32(4, true)}; version ${VERSION} is supported`);
  const headerBytes = view.getUint32(8, true), size = view.getUint32(12, true);
  if (PREFIX_BYTES + headerBytes > bytes.length) fail(8, "the header reaches beyond the end");
  let header: BlobHeader;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.slice(PREFIX_BYTES, PREFIX_BYTES + headerBytes))) as BlobHeader;
    checkHeader(header, size, boneCount);
  } catch (cause) {
    throw new AnimFormatError(`MotionDatabase.deserialize, byte ${PREFIX_BYTES}: the header is damaged: ${(cause as Error)?.message ?? String(cause)}.`, { byteOffset: PREFIX_BYTES, cause });
  }
  const frames = header.ranges.reduce((sum, range) => sum + range.frameCount, 0);
  let at = PREFIX_BYTES + headerBytes;
  if (bytes.length !== at + size * 24 + frames * size * 4) fail(bytes.length, `${bytes.length} bytes, expected ${at + size * 24 + frames * size * 4} for ${frames} frames of ${size} channels`);
  const list = (): Float64Array => {
    const values = new Float64Array(size);
    for (let c = 0; c < size; c++, at += 8) {
      values[c] = view.getFloat64(at, true);
      if (!Number.isFinite(values[c]!)) fail(at, `the number ${values[c]}`);
    }
    return values;
  };
  const normalization: Normalization = { mean: list(), deviation: list(), inverse: list() };
  const tables = header.ranges.map(({ frameCount }) => {
    const table = new Float32Array(frameCount * size);
    for (let i = 0; i < table.length; i++, at += 4) {
      table[i] = view.getFloat32(at, true);
      if (!Number.isFinite(table[i]!)) fail(at, `the feature ${table[i]}`);
    }
    return table;
  });
  return { header, normalization, tables };
}

/** Throws a plain Error for anything that later code relies on. */
function checkHeader(header: BlobHeader, size: number, boneCount: number): void {
  const need = (condition: boolean, what: string): void => {
    if (!condition) throw new Error(what);
  };
  const index = (value: unknown, count: number): boolean => Number.isInteger(value) && (value as number) >= 0 && (value as number) < count;
  need(typeof header === "object" && header !== null, "no object");
  need(index(header.rootBone, boneCount), "rootBone");
  need(Array.isArray(header.featureBones) && header.featureBones.every((bone) => index(bone, boneCount)), "featureBones");
  need(header.normalizationMode === "channel" || header.normalizationMode === "feature", "normalizationMode");
  need(Array.isArray(header.tagNames) && header.tagNames.length <= 31 && header.tagNames.every((tag) => typeof tag === "string"), "tagNames");
  need(header.mirror === null || Array.isArray(header.mirror), "mirror");
  need(typeof header.quantized === "boolean", "quantized");
  need(Array.isArray(header.features) && header.features.length > 0, "features");
  let offset = 0;
  for (const feature of header.features) {
    need(feature !== null && typeof feature === "object" && typeof feature.kind === "string" && typeof feature.name === "string" && typeof feature.group === "string" && typeof feature.curve === "string", "a feature");
    need(feature.offset === offset && [1, 2, 3].includes(feature.size) && Number.isFinite(feature.horizon) && Number.isFinite(feature.weight) && feature.weight >= 0 && feature.bone >= -1 && feature.bone < boneCount, "a feature");
    offset += feature.size;
  }
  need(offset === size, "features and channels");
  need(Array.isArray(header.clips) && header.clips.length > 0 && header.clips.every((clip) => typeof clip?.name === "string" && Number.isFinite(clip.duration) && typeof clip.loop === "boolean" && clip.rate > 0), "clips");
  need(Array.isArray(header.ranges) && header.ranges.length > 0, "ranges");
  for (const range of header.ranges) {
    need(index(range?.clipIndex, header.clips.length) && Number.isFinite(range.start) && Number.isFinite(range.end) && index(range.frameCount, 1 << 22) && range.frameCount > 0 && Number.isInteger(range.tags), "a range");
    need(typeof range.looping === "boolean" && typeof range.mirrored === "boolean" && !(range.mirrored && header.mirror === null), "a range");
  }
  need(Array.isArray(header.order) && new Set(header.order).size === header.order.length && header.order.every((channel) => index(channel, size)), "order");
}
