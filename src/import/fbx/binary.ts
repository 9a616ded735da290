import { Unzlib } from "fflate";
import { AnimFormatError } from "../../anim/errors.js";
import type { FbxArray, FbxNode, FbxTree, FbxValue } from "./tree.js";

const HEADER = "Kaydara FBX Binary  \u0000";
const MAXIMUM_DEPTH = 64;
/** Deflate cannot shrink further than this, so a larger promise is a lie. */
const DEFLATE_RATIO = 1032;
const PIECE_BYTES = 16384;
const ELEMENT_BYTES: Readonly<Record<string, number>> = { f: 4, d: 8, l: 8, i: 4, b: 1, c: 1 };

export function isBinaryFbx(bytes: Uint8Array): boolean {
  if (bytes.length < HEADER.length) return false;
  for (let i = 0; i < HEADER.length; i++) if (bytes[i] !== HEADER.charCodeAt(i)) return false;
  return true;
}

/**
 * Reads the records of a binary FBX file, versions 7000 to 7999.
 * @param maximumBytes - upper limit of all inflated arrays together
 * @throws AnimFormatError with the byte offset of what is wrong
 */
export function readBinaryFbx(bytes: Uint8Array, file: string | undefined, maximumBytes: number): FbxTree {
  return new BinaryReader(bytes, file, maximumBytes).read();
}

/** A record whose end is not reached yet. */
interface Open {
  node: { name: string; values: FbxValue[]; children: FbxNode[] };
  end: number;
}

class BinaryReader {
  readonly #view: DataView;
  #at = 27;
  #wide = false;
  #budget: number;

  constructor(readonly bytes: Uint8Array, readonly file: string | undefined, maximumBytes: number) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#budget = maximumBytes;
  }

  read(): FbxTree {
    if (!isBinaryFbx(this.bytes)) this.#fail(0, "the header is not that of an FBX file");
    this.#need(0, 27);
    const version = this.#view.getUint32(23, true);
    if (version < 7000 || version > 7999) this.#fail(23, `version ${version}; versions 7000 to 7999 are supported`);
    this.#wide = version >= 7500;
    const root: FbxNode[] = [];
    const open: Open[] = [];
    for (;;) {
      const parent = open[open.length - 1];
      if (parent !== undefined && this.#at === parent.end) {
        open.pop();
        continue;
      }
      // The end of the file may be cut off behind the last top-level record.
      if (parent === undefined && this.#at + (this.#wide ? 25 : 13) > this.bytes.length) break;
      const record = this.#record(parent?.end ?? this.bytes.length);
      if (record === undefined) {
        if (parent === undefined) break;
        if (this.#at !== parent.end) this.#fail(this.#at, `record "${parent.node.name}" ends at byte ${parent.end}, its content before`);
        open.pop();
        continue;
      }
      (parent?.node.children ?? root).push(record.node);
      if (record.end !== this.#at) {
        if (open.length === MAXIMUM_DEPTH) this.#fail(this.#at, `records are nested more than ${MAXIMUM_DEPTH} deep`);
        open.push(record);
      }
    }
    return { version, children: root };
  }

  /** The record at the current place, its values read; undefined for a null record. */
  #record(limit: number): Open | undefined {
    const start = this.#at;
    const headBytes = this.#wide ? 25 : 13;
    this.#need(start, headBytes);
    const end = this.#size(start);
    const count = this.#size(start + (this.#wide ? 8 : 4));
    const valueBytes = this.#size(start + (this.#wide ? 16 : 8));
    const nameBytes = this.bytes[start + headBytes - 1]!;
    this.#at = start + headBytes;
    if (end === 0) {
      if (count !== 0 || valueBytes !== 0 || nameBytes !== 0) this.#fail(start, "a record without end");
      return undefined;
    }
    if (end <= start || end > limit) this.#fail(start, `a record reaches from byte ${start} to ${end}, its parent to ${limit}`);
    const valuesAt = this.#at + nameBytes;
    if (valuesAt + valueBytes > end) this.#fail(start, `a record's values take ${valueBytes} bytes, more than the record has`);
    const node = { name: this.#text(this.#at, nameBytes), values: [] as FbxValue[], children: [] as FbxNode[] };
    this.#at = valuesAt;
    for (let i = 0; i < count; i++) node.values.push(this.#value(valuesAt + valueBytes));
    if (this.#at !== valuesAt + valueBytes) this.#fail(start, `the values of "${node.name}" end at byte ${this.#at}, expected ${valuesAt + valueBytes}`);
    return { node, end };
  }

  #value(limit: number): FbxValue {
    const start = this.#at;
    this.#needBefore(start, 1, limit);
    const type = String.fromCharCode(this.bytes[start]!);
    this.#at = start + 1;
    const scalar = (bytes: number): number => {
      this.#needBefore(start + 1, bytes, limit);
      this.#at = start + 1 + bytes;
      return start + 1;
    };
    switch (type) {
      case "Y": return this.#view.getInt16(scalar(2), true);
      case "C": case "B": return this.#view.getUint8(scalar(1)) !== 0;
      case "I": return this.#view.getInt32(scalar(4), true);
      case "F": return this.#view.getFloat32(scalar(4), true);
      case "D": return this.#view.getFloat64(scalar(8), true);
      case "L": return exactInteger64(this.#view, scalar(8));
      case "S": case "R": {
        const length = this.#view.getUint32(scalar(4), true);
        this.#needBefore(start + 5, length, limit);
        this.#at = start + 5 + length;
        return type === "S" ? this.#text(start + 5, length) : this.bytes.slice(start + 5, start + 5 + length);
      }
      default: {
        const elementBytes = Object.hasOwn(ELEMENT_BYTES, type) ? ELEMENT_BYTES[type]! : this.#fail(start, `values of type "${type}" are unknown`);
        return this.#array(type, elementBytes, start, limit);
      }
    }
  }

  #array(type: string, elementBytes: number, start: number, limit: number): FbxArray {
    this.#needBefore(start + 1, 12, limit);
    const count = this.#view.getUint32(start + 1, true);
    const encoding = this.#view.getUint32(start + 5, true);
    const stored = this.#view.getUint32(start + 9, true);
    const byteCount = count * elementBytes;
    const dataAt = start + 13;
    if (encoding > 1) this.#fail(start + 5, `array encoding ${encoding}; 0 and 1 are known`);
    const length = encoding === 0 ? byteCount : stored;
    this.#needBefore(dataAt, length, limit);
    this.#at = dataAt + length;
    this.#budget -= byteCount;
    if (this.#budget < 0) this.#fail(start, "the arrays of the file are larger than options.maximumBytes");
    const source = this.bytes.subarray(dataAt, dataAt + length);
    return numbersOf(type, count, encoding === 0 ? source.slice() : this.#inflate(source, byteCount, dataAt));
  }

  /** Inflates in small pieces, so that data which unpacks to more than promised is caught early. */
  #inflate(source: Uint8Array, byteCount: number, byteOffset: number): Uint8Array {
    if (byteCount > source.length * DEFLATE_RATIO) this.#fail(byteOffset, `an array promises ${byteCount} bytes, but is packed in ${source.length}`);
    const out = new Uint8Array(byteCount);
    let filled = 0;
    const stream = new Unzlib((piece) => {
      if (filled + piece.length > byteCount) throw new RangeError(`it unpacks to more than the ${byteCount} bytes promised`);
      out.set(piece, filled);
      filled += piece.length;
    });
    try {
      for (let at = 0; at < source.length || at === 0; at += PIECE_BYTES) {
        stream.push(source.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= source.length);
      }
    } catch (cause) {
      throw this.#error(byteOffset, `a packed array cannot be read: ${(cause as Error)?.message ?? String(cause)}`, cause);
    }
    if (filled !== byteCount) this.#fail(byteOffset, `a packed array holds ${filled} bytes, ${byteCount} were promised`);
    return out;
  }

  #size(at: number): number {
    if (!this.#wide) return this.#view.getUint32(at, true);
    const high = this.#view.getUint32(at + 4, true);
    return high * 4294967296 + this.#view.getUint32(at, true);
  }

  #text(at: number, length: number): string {
    const part = this.bytes.subarray(at, at + length);
    return new TextDecoder().decode(part.buffer instanceof ArrayBuffer ? part : part.slice());
  }

  #need(at: number, bytes: number): void {
    if (at + bytes > this.bytes.length) this.#fail(at, `the file ends in the middle of a record (${this.bytes.length} bytes)`);
  }

  #needBefore(at: number, bytes: number, limit: number): void {
    if (at + bytes > limit) this.#fail(at, "a value reaches beyond its record");
  }

  #error(byteOffset: number, problem: string, cause?: unknown): AnimFormatError {
    return new AnimFormatError(`${this.file === undefined ? "FBX" : this.file}, byte ${byteOffset}: ${problem}.`, { file: this.file, byteOffset, cause });
  }

  #fail(byteOffset: number, problem: string): never {
    throw this.#error(byteOffset, problem);
  }
}

/** A 64-bit integer; identifiers that a double cannot hold become texts, so that they stay distinct. */
function exactInteger64(view: DataView, at: number): number | string {
  const value = integer64(view, at);
  return Number.isSafeInteger(value) ? value : `#${view.getBigInt64(at, true)}`;
}

function integer64(view: DataView, at: number): number {
  return view.getInt32(at + 4, true) * 4294967296 + view.getUint32(at, true);
}

function numbersOf(type: string, count: number, bytes: Uint8Array): FbxArray {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type === "b" || type === "c") return bytes;
  if (type === "f") return Float32Array.from({ length: count }, (_, i) => view.getFloat32(i * 4, true));
  if (type === "i") return Int32Array.from({ length: count }, (_, i) => view.getInt32(i * 4, true));
  if (type === "d") return Float64Array.from({ length: count }, (_, i) => view.getFloat64(i * 8, true));
  return Float64Array.from({ length: count }, (_, i) => integer64(view, i * 8));
}
