import { AnimFormatError } from "../../anim/errors.js";

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;

/** The two useful chunks of a GLB file. */
export interface GlbChunks {
  json: string;
  /** A view of the input, undefined when the file has no binary chunk. */
  bin: Uint8Array | undefined;
}

/** Whether bytes start with the GLB magic. */
export function isGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true) === MAGIC;
}

/**
 * Splits a binary glTF container. Unknown chunks are skipped.
 * @throws AnimFormatError with the byte offset of what is wrong
 * Source: glTF 2.0, section 4 (GLB file format).
 */
export function splitGlb(bytes: Uint8Array, file: string | undefined): GlbChunks {
  const fail = (byteOffset: number, problem: string): never => {
    throw new AnimFormatError(`${file === undefined ? "" : `${file}: `}GLB, byte ${byteOffset}: ${problem}.`, { file, byteOffset });
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 20) fail(bytes.length, `the file has ${bytes.length} bytes, too few for a header and a chunk`);
  if (view.getUint32(0, true) !== MAGIC) fail(0, 'the magic number is not "glTF"');
  const version = view.getUint32(4, true);
  if (version !== 2) fail(4, `container version ${version}, expected 2`);
  const total = view.getUint32(8, true);
  if (total > bytes.length) fail(8, `the header promises ${total} bytes, the file has ${bytes.length}`);

  let json: string | undefined;
  let bin: Uint8Array | undefined;
  let offset = 12;
  while (offset + 8 <= total) {
    const length = view.getUint32(offset, true);
    const kind = view.getUint32(offset + 4, true);
    const start = offset + 8;
    if (length > total - start) fail(offset, `a chunk of ${length} bytes reaches beyond the end`);
    const chunk = bytes.subarray(start, start + length);
    if (offset === 12 && kind !== JSON_CHUNK) fail(offset, "the first chunk is not JSON");
    if (kind === JSON_CHUNK && json === undefined) json = decodeUtf8(chunk, file, start);
    else if (kind === BIN_CHUNK && bin === undefined) bin = chunk;
    offset = start + length;
  }
  if (json === undefined) return fail(12, "there is no JSON chunk");
  return { json, bin };
}

/** Bytes as text. @throws AnimFormatError where they are no UTF-8 */
export function decodeUtf8(bytes: Uint8Array, file: string | undefined, byteOffset = 0): string {
  try {
    // Decoders refuse views of shared memory, so those are copied first.
    const own = bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice();
    return new TextDecoder("utf-8", { fatal: true }).decode(own);
  } catch (cause) {
    throw new AnimFormatError(`${file === undefined ? "" : `${file}: `}the text from byte ${byteOffset} on is not UTF-8.`, { file, byteOffset, cause });
  }
}
