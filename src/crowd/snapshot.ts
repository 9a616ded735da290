import { FROZEN_CLIP, INSTANCE_BYTES, InstanceField } from "../../assembly/layout/crowd.js";
import { FormatError } from "../errors.js";
import { heap } from "../wasm/heap.js";
import { IdTable, type IdTableState } from "./id-table.js";
import type { QueuedClip } from "./playback.js";

/** "OSCR", little endian. */
const MAGIC = 0x5243534f;
const VERSION = 2;
const HEADER_BYTES = 48;

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
  /** By variant its skin's name, null for none, and whether all detail takes part. */
  readonly variants: readonly { readonly skin: string | null; readonly detail: boolean }[];
}

/** What a snapshot must agree with to be restored. */
export interface SnapshotShape {
  readonly boneCount: number;
  readonly clipCount: number;
  readonly skinNames: ReadonlySet<string>;
  /** Bytes of the palette, slot and slider rows of one character. */
  readonly rowBytes: readonly [palette: number, slots: number, sliders: number];
  readonly owned: readonly Owned[];
  /** Most values of each target of frozen deforms. */
  readonly deformLengths: readonly number[];
}

/**
 * Layout (little endian): header { magic, version, bones, clips, characters, palette row bytes, slot row bytes, slider row bytes, bytes of
 * JSON, then two reserved words }, JSON (ids, queues, variants), padding to 8; then per character its record, the content of the blocks that it owns,
 * its palette row, slot states and slider states.
 */
export function writeSnapshot(shape: SnapshotShape, parts: SnapshotParts, at: (row: number) => number, rows: (row: number) => readonly [number, number, number]): ArrayBuffer {
  const json = new TextEncoder().encode(JSON.stringify({ ids: parts.ids, queues: parts.queues, variants: parts.variants }));
  const bodyAt = (HEADER_BYTES + json.length + 7) & ~7;
  let bytes = bodyAt;
  for (let row = 0; row < parts.count; row++) bytes += recordBytes(shape, at(row));
  const buffer = new ArrayBuffer(bytes);
  const out = new Uint8Array(buffer);
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
    copy(record, INSTANCE_BYTES);
    for (const { field, bytes: length } of shape.owned) {
      const ptr = heap.u32[(record + field) >> 2]!;
      if (ptr !== 0) copy(ptr, length);
    }
    rows(row).forEach((ptr, i) => copy(ptr, shape.rowBytes[i]!));
  }
  return buffer;
}

/** A snapshot that fits: its parts, and a cursor over its characters. */
export interface OpenSnapshot extends SnapshotParts {
  readonly bytes: Uint8Array;
  /** Byte offset of the first character. */
  readonly bodyAt: number;
}

/** Checks a snapshot against a crowd. @throws FormatError */
export function openSnapshot(buffer: ArrayBuffer, shape: SnapshotShape): OpenSnapshot {
  const fail = (message: string, byteOffset: number): never => {
    throw new FormatError("bad-format", `${message} Restore snapshots that crowd.snapshot() of the same rig and options has made.`, { byteOffset });
  };
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength < HEADER_BYTES) return fail("The snapshot is too short to be one.", 0);
  const header = new Uint32Array(buffer, 0, HEADER_BYTES / 4);
  if (header[0] !== MAGIC) fail("The bytes are no snapshot of a crowd.", 0);
  if (header[1] !== VERSION) fail(`The snapshot has version ${header[1]}, this is version ${VERSION}.`, 4);
  if (header[2] !== shape.boneCount || header[3] !== shape.clipCount) fail("The snapshot is of another rig.", 8);
  if (shape.rowBytes.some((rowBytes, i) => header[5 + i] !== rowBytes)) fail("The snapshot is of a crowd with other outputs.", 20);
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
  for (const { skin } of parts.variants) if (skin !== null && !shape.skinNames.has(skin)) fail(`The snapshot names a skin "${skin}" that the rig has not.`, HEADER_BYTES);
  let end = bodyAt;
  const view = new DataView(buffer);
  for (let row = 0; row < count; row++) {
    if (end + INSTANCE_BYTES > bytes.length) fail("The snapshot is truncated.", end);
    for (const field of [InstanceField.CLIP, InstanceField.FADE_CLIP, InstanceField.OVERLAY_CLIP]) {
      const clip = view.getInt32(end + field, true);
      if (clip < -2 || clip >= shape.clipCount) fail(`The snapshot names clip ${clip} of ${shape.clipCount}.`, end + field);
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

function fixedBytes({ rowBytes }: SnapshotShape): number {
  return INSTANCE_BYTES + rowBytes[0] + rowBytes[1] + rowBytes[2];
}

function recordBytes(shape: SnapshotShape, record: number): number {
  let bytes = fixedBytes(shape);
  for (const { field, bytes: length } of shape.owned) if (heap.u32[(record + field) >> 2] !== 0) bytes += length;
  return bytes;
}
