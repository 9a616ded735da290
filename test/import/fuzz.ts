import { OsteonError } from "../../src/errors.js";

/** xorshift32: the same mutations on every machine. */
export function random(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

/** A copy with a few bytes flipped, zeroed, set to extremes, cut out or doubled. */
export function mutateBytes(bytes: Uint8Array, next: () => number, within = bytes.length): Uint8Array {
  let out = bytes.slice();
  const edits = 1 + Math.floor(next() * 6);
  for (let e = 0; e < edits; e++) {
    const at = Math.floor(next() * Math.min(within, out.length));
    const kind = Math.floor(next() * 6);
    if (kind === 0) out[at] = Math.floor(next() * 256);
    else if (kind === 1) out[at]! ^= 1 << Math.floor(next() * 8);
    else if (kind === 2) out.fill(next() < 0.5 ? 0 : 255, at, at + 4);
    else if (kind === 3) out = out.slice(0, Math.max(1, at));
    else if (kind === 4) {
      const length = Math.floor(next() * 40);
      out = Uint8Array.from([...out.subarray(0, at), ...out.subarray(at + length)]);
    } else {
      const piece = out.slice(at, at + Math.floor(next() * 40));
      const copy = new Uint8Array(out.length + piece.length);
      copy.set(out.subarray(0, at));
      copy.set(piece, at);
      copy.set(out.subarray(at), at + piece.length);
      out = copy;
    }
  }
  return out;
}

/** A copy of a text with words replaced, removed, doubled or cut. */
export function mutateText(text: string, next: () => number): string {
  const words = text.split(/(\s+)/);
  const edits = 1 + Math.floor(next() * 4);
  const odd = ["", "-1", "NaN", "1e999", "999999999", "-0", "{", "}", "0x10", "1,5", "\u0000", "Infinity", "2147483648", "name"];
  for (let e = 0; e < edits; e++) {
    const at = Math.floor(next() * words.length);
    const kind = Math.floor(next() * 4);
    if (kind === 0) words[at] = odd[Math.floor(next() * odd.length)]!;
    else if (kind === 1) words.splice(at, 1);
    else if (kind === 2) words.splice(at, 0, words[at]!);
    else words.length = Math.max(1, at);
  }
  return words.join("");
}

/** A deep copy of a JSON value with one to three members replaced or removed. */
export function mutateJson(value: unknown, next: () => number): unknown {
  const copy = structuredClone(value);
  const edits = 1 + Math.floor(next() * 3);
  const odd: unknown[] = [null, -1, 1e9, 0.5, "x", [], {}, true, 4294967296, 1e308, -0, "SCALAR", "MAT4", 5126, 5121, undefined];
  for (let e = 0; e < edits; e++) {
    let at = copy as Record<string, unknown>;
    for (let depth = 0; depth < 12; depth++) {
      const keys = Object.keys(at);
      if (keys.length === 0) break;
      const key = keys[Math.floor(next() * keys.length)]!;
      const child = at[key];
      if (typeof child === "object" && child !== null && next() < 0.85) {
        at = child as Record<string, unknown>;
        continue;
      }
      if (next() < 0.2) delete at[key];
      else if (typeof child === "number" && next() < 0.5) at[key] = child + Math.floor(next() * 5) - 2;
      else at[key] = odd[Math.floor(next() * odd.length)];
      break;
    }
  }
  return copy;
}

export interface FuzzResult {
  accepted: number;
  rejected: number;
  slowestMilliseconds: number;
}

/** Runs a reader; anything but a result or an {@link OsteonError} is rethrown with the seed. */
export async function fuzz(cases: number, seed: number, run: (next: () => number) => unknown): Promise<FuzzResult> {
  const result: FuzzResult = { accepted: 0, rejected: 0, slowestMilliseconds: 0 };
  for (let i = 0; i < cases; i++) {
    const start = performance.now();
    try {
      await run(random(seed + i * 7919));
      result.accepted++;
    } catch (error) {
      if (!(error instanceof OsteonError)) throw new Error(`seed ${seed + i * 7919} ended in ${String(error)}`, { cause: error });
      if (error.message.length === 0 || error.message.length > 2000) throw new Error(`seed ${seed + i * 7919}: a message of ${error.message.length} characters`, { cause: error });
      result.rejected++;
    }
    result.slowestMilliseconds = Math.max(result.slowestMilliseconds, performance.now() - start);
  }
  return result;
}
