/** Everything about the characters of a 3D crowd as bytes, and back. @internal */
import { CHARACTER_BYTES, CharacterField } from "../../assembly/layout/crowd3d.js";
import { FormatError } from "../errors.js";
import { heap } from "../wasm/heap.js";
import type { Crowd3DCharacters } from "./crowd3d-characters.js";
import type { Crowd3DClips } from "./crowd3d-clips.js";
import type { Crowd3DPlayback, Queued3DClip } from "./crowd3d-playback.js";
import { IdTable, type IdTableState } from "./id-table.js";
import { isSealed, seal } from "./seal.js";
import { bytesOf } from "./snapshot.js";

/** "OSC3", little endian. */
const MAGIC = 0x3343534f;
const VERSION = 2;
const HEADER_BYTES = 32;
/** Word of the header that has the seal. @internal */
export const SEAL3D_WORD = 6;

interface Parts {
  readonly ids: IdTableState;
  readonly queues: readonly (readonly [number, readonly Queued3DClip[]])[];
  /** Names and durations of the clips by index. */
  readonly clips: readonly (readonly [string, number])[];
}

/**
 * Layout (little endian): header { magic, version, bytes of a palette row, bytes of a frozen pose, characters, bytes of JSON, seal, one reserved },
 * JSON (ids, queues, clips), padding to 8; then per character its record, its frozen pose if it has one, its palette row.
 */
export function writeSnapshot3D(characters: Crowd3DCharacters, clips: Crowd3DClips, playback: Crowd3DPlayback): ArrayBuffer {
  const parts: Parts = { ids: characters.ids.save(), queues: playback.queues, clips: clips.list.map((clip) => [clip.getName(), clip.duration]) };
  const json = new TextEncoder().encode(JSON.stringify(parts)), bodyAt = (HEADER_BYTES + json.length + 7) & ~7;
  const { count, rowBytes } = characters, { frozenBytes } = playback;
  let bytes = bodyAt + count * (CHARACTER_BYTES + rowBytes);
  for (let row = 0; row < count; row++) if (frozenOf(characters.at(row)) !== 0) bytes += frozenBytes;
  const buffer = new ArrayBuffer(bytes), out = new Uint8Array(buffer);
  new Uint32Array(buffer, 0, HEADER_BYTES / 4).set([MAGIC, VERSION, rowBytes, frozenBytes, count, json.length]);
  out.set(json, HEADER_BYTES);
  let to = bodyAt;
  const copy = (from: number, length: number): void => {
    out.set(heap.u8.subarray(from, from + length), to);
    to += length;
  };
  for (let row = 0; row < count; row++) {
    const at = characters.at(row), frozen = frozenOf(at);
    const start = to;
    copy(at, CHARACTER_BYTES);
    if (frozen !== 0) {
      // Where it lies is nobody's business: equal crowds have equal snapshots.
      new DataView(buffer).setUint32(start + CharacterField.FROZEN, 1, true);
      copy(frozen, frozenBytes);
    }
    copy(characters.palettePtr + row * rowBytes, rowBytes);
  }
  return seal(buffer, SEAL3D_WORD);
}

/** Puts the characters back. @throws FormatError if it is no snapshot of such a crowd; then nothing has changed */
export function restoreSnapshot3D(snapshot: ArrayBuffer | ArrayBufferView, characters: Crowd3DCharacters, clips: Crowd3DClips, playback: Crowd3DPlayback): void {
  const buffer = bytesOf(snapshot);
  const { parts, bodyAt, count } = open(buffer, characters, playback);
  const numbers = [0, ...parts.clips.map(([name, duration]) => numberOf(clips, name, duration))];
  const bytes = new Uint8Array(buffer), { rowBytes } = characters, { frozenBytes } = playback;
  checkBody(buffer, bodyAt, count, numbers.length, rowBytes, frozenBytes);

  characters.reserve(Math.max(parts.ids.generationOfSlot.length, count));
  for (let row = 0; row < characters.count; row++) playback.release(characters.at(row));
  characters.ids.restore(parts.ids);
  let from = bodyAt;
  const take = (to: number, length: number): void => {
    heap.u8.set(bytes.subarray(from, from + length), to);
    from += length;
  };
  for (let row = 0; row < count; row++) {
    const at = characters.at(row);
    take(at, CHARACTER_BYTES);
    for (const field of [CharacterField.CLIP, CharacterField.OUTGOING_CLIP]) heap.i32[(at + field) >>> 2] = numbers[heap.i32[(at + field) >>> 2]!]!;
    if (frozenOf(at) !== 0) take(playback.takeFrozen(at), frozenBytes);
    take(characters.palettePtr + row * rowBytes, rowBytes);
  }
  playback.queues = parts.queues.map(([id, list]) => [id, list.map((queued) => ({ ...queued, clip: numbers[queued.clip]! }))]);
}

function frozenOf(at: number): number {
  return heap.u32[(at + CharacterField.FROZEN) >>> 2]!;
}

function fail(message: string, byteOffset: number): never {
  throw new FormatError("bad-format", `${message} Restore snapshots that crowd.snapshot() of the same rig, skins and clips has made.`, { byteOffset });
}

function numberOf(clips: Crowd3DClips, name: string, duration: number): number {
  const index = clips.list.findIndex((clip) => clip.getName() === name && clip.duration === duration);
  if (index < 0) fail(`The snapshot plays a clip "${name}" of ${duration} seconds that this crowd does not know; give it in the option "clips".`, HEADER_BYTES);
  return index + 1;
}

function open(buffer: ArrayBuffer, characters: Crowd3DCharacters, playback: Crowd3DPlayback): { parts: Parts; bodyAt: number; count: number } {
  if (buffer.byteLength < HEADER_BYTES) fail("The snapshot is too short to be one.", 0);
  const [magic, version, rowBytes, frozenBytes, count, jsonBytes] = new Uint32Array(buffer, 0, HEADER_BYTES / 4) as unknown as [number, number, number, number, number, number];
  if (magic !== MAGIC) fail("The bytes are no snapshot of a 3D crowd.", 0);
  if (version !== VERSION) fail(`The snapshot has version ${version}, this is version ${VERSION}.`, 4);
  if (rowBytes !== characters.rowBytes || frozenBytes !== playback.frozenBytes) fail("The snapshot is of another rig or other skins.", 8);
  if (!isSealed(buffer, SEAL3D_WORD)) fail("The snapshot is truncated, or bytes of it have changed.", 0);
  const bodyAt = (HEADER_BYTES + jsonBytes + 7) & ~7;
  if (bodyAt > buffer.byteLength) fail("The snapshot is truncated.", HEADER_BYTES);
  let parts: Parts | undefined;
  try {
    parts = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer).slice(HEADER_BYTES, HEADER_BYTES + jsonBytes))) as Parts;
  } catch {
    parts = undefined;
  }
  const isWhole = parts !== undefined && parts !== null && Array.isArray(parts.clips) && parts.clips.every(Array.isArray) && areQueues(parts.queues, parts.clips.length) &&
    parts.ids?.slotOfRow?.length === count && IdTable.isValid(parts.ids);
  if (!isWhole) fail("The snapshot's list of characters is damaged.", HEADER_BYTES);
  return { parts: parts!, bodyAt, count };
}

function areQueues(queues: unknown, clipCount: number): boolean {
  const isOne = (queued: Queued3DClip): boolean => Number.isInteger(queued?.clip) && queued.clip >= 1 && queued.clip <= clipCount &&
    [queued.mix, queued.time, queued.delay, queued.speed ?? 0].every((value) => Number.isFinite(value) && value >= 0);
  return Array.isArray(queues) && queues.every((pair) => Array.isArray(pair) && Array.isArray(pair[1]) && (pair[1] as Queued3DClip[]).every(isOne));
}

function checkBody(buffer: ArrayBuffer, bodyAt: number, count: number, clipNumbers: number, rowBytes: number, frozenBytes: number): void {
  const view = new DataView(buffer);
  let end = bodyAt;
  for (let row = 0; row < count; row++) {
    if (end + CHARACTER_BYTES > buffer.byteLength) fail("The snapshot is truncated.", end);
    for (const field of [CharacterField.CLIP, CharacterField.OUTGOING_CLIP]) {
      if (view.getUint32(end + field, true) >= clipNumbers) fail("The snapshot names a clip that it does not list.", end + field);
    }
    if (view.getUint32(end + CharacterField.LOD, true) > 255) fail("The snapshot has a level of detail above 255.", end + CharacterField.LOD);
    for (const field of [CharacterField.TIME, CharacterField.OUTGOING_TIME, CharacterField.SPEED, CharacterField.FADE_ELAPSED, CharacterField.FADE_SECONDS, CharacterField.INTERVAL, CharacterField.WAITED]) {
      if (!Number.isFinite(view.getFloat64(end + field, true))) fail("The snapshot has a clock that is no number.", end + field);
    }
    if (view.getFloat64(end + CharacterField.FADE_SECONDS, true) > 0 && view.getUint32(end + CharacterField.OUTGOING_CLIP, true) === 0) fail("The snapshot fades from no clip.", end);
    end += CHARACTER_BYTES + rowBytes + (view.getUint32(end + CharacterField.FROZEN, true) !== 0 ? frozenBytes : 0);
  }
  if (end !== buffer.byteLength) fail(end > buffer.byteLength ? "The snapshot is truncated." : "The snapshot has bytes behind its end.", Math.min(end, buffer.byteLength));
}
