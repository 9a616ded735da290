import { FROZEN_CLIP, INSTANCE_BYTES, InstanceField, NO_CLIP } from "../../assembly/layout/crowd.js";
import { FormatError } from "../errors.js";
import { heap } from "../wasm/heap.js";
import { IdTable, type IdTableState } from "./id-table.js";
import type { QueuedClip } from "./playback.js";
import { isSealed, seal } from "./seal.js";

/** "OSCR", little endian. */
const MAGIC = 0x5243534f;
const VERSION = 3;
const HEADER_BYTES = 48;
/** Word of the header that has the seal. @internal */
export const SEAL_WORD = 9;

/** Blocks that a record may own, with their sizes. */
export interface Owned {
  readonly field: InstanceField;
  readonly bytes: number;
}

/** Everything about a crowd's characters that is not the rig. */
export interface SnapshotParts {
  readonly count: number;
  readonly ids: IdTableState;
  readonly queues: readonly (readonly [number, readonly QueuedClip[]])[];
  /** By variant number. */
  readonly variants: readonly SavedVariant[];
}

/** What tells a variant from others, by name. */
export interface SavedVariant {
  /** Name of the skin, null for none. */
  readonly skin: string | null;
  /** Of a skin that is not in the data: its place among those of this name that the crowd has seen. */
  readonly made?: number | undefined;
  /** Whether all detail takes part. */
  readonly detail: boolean;
}

/** What a snapshot must agree with to be restored. */
export interface SnapshotShape {
  readonly boneCount: number;
  readonly clipCount: number;
  /** Whether there is such a skin. */
  readonly knows: (variant: SavedVariant) => boolean;
  /** Bytes of the palette, slot and slider rows of one character. */
  readonly rowBytes: readonly [palette: number, slots: number, sliders: number];
  readonly owned: readonly Owned[];
  /** Most values of each target of frozen deforms. */
  readonly deformLengths: readonly number[];
}

/**
 * Layout (little endian): header { magic, version, bones, clips, characters, palette row bytes, slot row bytes, slider row bytes, bytes of
 * JSON, seal, then reserved words }, JSON (ids, queues, variants), padding to 8; then per character its record, the content of the blocks that it owns,
 * its palette row, slot states and slider states.
 */
export function writeSnapshot(shape: SnapshotShape, parts: SnapshotParts, at: (row: number) => number, rows: (row: number) => readonly [number, number, number]): ArrayBuffer {
  const json = new TextEncoder().encode(JSON.stringify({ ids: parts.ids, queues: parts.queues, variants: parts.variants }));
  const bodyAt = (HEADER_BYTES + json.length + 7) & ~7;
  let bytes = bodyAt;
  for (let row = 0; row < parts.count; row++) bytes += recordBytes(shape, at(row));
  const buffer = new ArrayBuffer(bytes);
  const out = new Uint8Array(buffer);
  const view = new DataView(buffer);
  const header = new Uint32Array(buffer, 0, HEADER_BYTES / 4);
  header.set([MAGIC, VERSION, shape.boneCount, shape.clipCount, parts.count, ...shape.rowBytes, json.length]);
  out.set(json, HEADER_BYTES);
  let to = bodyAt;
  const copy = (from: number, length: number): void => {
    out.set(heap.u8.subarray(from, from + length), to);
    to += length;
  };
  for (let row = 0; row < parts.count; row++) {
    const record = at(row);
    const start = to;
    copy(record, INSTANCE_BYTES);
    for (const { field, bytes: length } of shape.owned) {
      const ptr = heap.u32[(record + field) >> 2]!;
      if (ptr === 0) continue;
      // Where a block lies is nobody's business: equal crowds have equal snapshots.
      view.setUint32(start + field, 1, true);
      copy(ptr, length);
    }
    rows(row).forEach((ptr, i) => copy(ptr, shape.rowBytes[i]!));
  }
  return seal(buffer, SEAL_WORD);
}

/** A snapshot that fits: its parts, and a cursor over its characters. */
export interface OpenSnapshot extends SnapshotParts {
  readonly bytes: Uint8Array;
  /** Byte offset of the first character. */
  readonly bodyAt: number;
}

/** The bytes of a snapshot that was handed over as a buffer, of any realm, or as a view, in a buffer of their own; empty for anything else. */
export function bytesOf(snapshot: ArrayBuffer | ArrayBufferView): ArrayBuffer {
  if (ArrayBuffer.isView(snapshot)) return Uint8Array.from(new Uint8Array(snapshot.buffer, snapshot.byteOffset, snapshot.byteLength)).buffer;
  if (snapshot instanceof ArrayBuffer) return snapshot;
  return Object.prototype.toString.call(snapshot) === "[object ArrayBuffer]" ? Uint8Array.from(new Uint8Array(snapshot)).buffer : new ArrayBuffer(0);
}

/** Checks a snapshot against a crowd. @throws FormatError */
export function openSnapshot(snapshot: ArrayBuffer | ArrayBufferView, shape: SnapshotShape): OpenSnapshot {
  const buffer = bytesOf(snapshot);
  const fail = (message: string, byteOffset: number): never => {
    throw new FormatError("bad-format", `${message} Restore snapshots that crowd.snapshot() of the same rig and options has made.`, { byteOffset });
  };
  if (buffer.byteLength < HEADER_BYTES) return fail("The snapshot is too short to be one.", 0);
  const header = new Uint32Array(buffer, 0, HEADER_BYTES / 4);
  if (header[0] !== MAGIC) fail("The bytes are no snapshot of a crowd.", 0);
  if (header[1] !== VERSION) fail(`The snapshot has version ${header[1]}, this is version ${VERSION}.`, 4);
  if (header[2] !== shape.boneCount || header[3] !== shape.clipCount) fail("The snapshot is of another rig.", 8);
  if (shape.rowBytes.some((rowBytes, i) => header[5 + i] !== rowBytes)) fail("The snapshot is of a crowd with other outputs.", 20);
  if (!isSealed(buffer, SEAL_WORD)) fail("The snapshot is truncated, or bytes of it have changed.", 0);
  const jsonBytes = header[8]!;
  const bodyAt = (HEADER_BYTES + jsonBytes + 7) & ~7;
  if (bodyAt > buffer.byteLength) fail("The snapshot is truncated.", HEADER_BYTES);
  const bytes = new Uint8Array(buffer);
  let parts: SnapshotParts;
  try {
    parts = JSON.parse(new TextDecoder().decode(bytes.slice(HEADER_BYTES, HEADER_BYTES + jsonBytes))) as SnapshotParts;
  } catch {
    return fail("The snapshot's list of characters is damaged.", HEADER_BYTES);
  }
  const count = header[4]!;
  const isWhole = Array.isArray(parts.queues) && Array.isArray(parts.variants) && parts.ids?.slotOfRow?.length === count;
  if (!isWhole || !IdTable.isValid(parts.ids)) {
    fail("The snapshot's list of characters is damaged.", HEADER_BYTES);
  }
  if (!parts.variants.every(isVariant)) {
    fail("The snapshot's list of skins is damaged.", HEADER_BYTES);
  }
  for (const variant of parts.variants) {
    if (shape.knows(variant)) continue;
    const whose = variant.made === undefined ? "the rig has not" : "a program made and that no character of this crowd has had; give it to one first";
    fail(`The snapshot names a skin "${variant.skin}" that ${whose}.`, HEADER_BYTES);
  }
  if (!areQueues(parts.queues, shape.clipCount)) fail("The snapshot's list of what is queued is damaged.", HEADER_BYTES);
  let end = bodyAt;
  const view = new DataView(buffer);
  for (let row = 0; row < count; row++) {
    if (end + INSTANCE_BYTES > bytes.length) fail("The snapshot is truncated.", end);
    for (const field of [InstanceField.CLIP, InstanceField.FADE_CLIP, InstanceField.OVERLAY_CLIP]) {
      const clip = view.getInt32(end + field, true);
      if (clip < (field === InstanceField.FADE_CLIP ? FROZEN_CLIP : NO_CLIP) || clip >= shape.clipCount) fail(`The snapshot names clip ${clip} of ${shape.clipCount}.`, end + field);
    }
    if (view.getUint32(end + InstanceField.VARIANT, true) >= parts.variants.length) fail("The snapshot names a skin that it does not list.", end);
    let size = INSTANCE_BYTES;
    for (const { field, bytes: length } of shape.owned) {
      if (view.getUint32(end + field, true) === 0) continue;
      if (length === 0) fail("The snapshot has states of what the rig has not.", end + field);
      if (field === InstanceField.FROZEN_SHAPES && end + size + length <= bytes.length) {
        shape.deformLengths.forEach((most, i) => {
          if (view.getUint32(end + size + i * 4, true) > most) fail("The snapshot has deforms that do not fit the rig.", end + size + i * 4);
        });
      }
      size += length;
    }
    if (view.getInt32(end + InstanceField.FADE_CLIP, true) === FROZEN_CLIP && view.getUint32(end + InstanceField.FROZEN, true) === 0) {
      fail("The snapshot lacks a frozen pose.", end + InstanceField.FROZEN);
    }
    size += fixedBytes(shape) - INSTANCE_BYTES;
    end += size;
  }
  if (end !== bytes.length) fail(end > bytes.length ? "The snapshot is truncated." : "The snapshot has bytes behind its end.", Math.min(end, bytes.length));
  return { ...parts, count, bytes, bodyAt };
}

function isVariant(variant: SavedVariant): boolean {
  if (typeof variant !== "object" || variant === null || typeof variant.detail !== "boolean") return false;
  return (variant.skin === null || typeof variant.skin === "string") && (variant.made === undefined || Number.isInteger(variant.made));
}

function areQueues(queues: SnapshotParts["queues"], clipCount: number): boolean {
  const isTime = (value: unknown): boolean => typeof value === "number" && value >= 0;
  const isOne = (queued: QueuedClip): boolean =>
    Number.isInteger(queued?.clip) && queued.clip >= 0 && queued.clip < clipCount && [queued.mix, queued.speed, queued.time, queued.delay].every(isTime);
  return queues.every((entry) => Array.isArray(entry) && typeof entry[0] === "number" && Array.isArray(entry[1]) && entry[1].every(isOne));
}

function fixedBytes({ rowBytes }: SnapshotShape): number {
  return INSTANCE_BYTES + rowBytes[0] + rowBytes[1] + rowBytes[2];
}

function recordBytes(shape: SnapshotShape, record: number): number {
  let bytes = fixedBytes(shape);
  for (const { field, bytes: length } of shape.owned) if (heap.u32[(record + field) >> 2] !== 0) bytes += length;
  return bytes;
}
