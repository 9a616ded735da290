import type { Random } from "./random-skeleton.js";

const NASTY: readonly unknown[] = [
  null, true, false, 0, -0, -1, 1, 2, 3, 0.5, 255, 65536, 1e9, -1e9, 2147483648, 1e38, 1e39, 1e308, "", "zz", "default", "root", "stepped", "mesh", "path", [], {}, [0], [1, 2, 3, 4],
  "constructor", "__proto__",
];

/** A damaged copy of some bytes: flipped, overwritten, cut, doubled or moved. */
export function mutateBytes(r: Random, source: Uint8Array): Uint8Array {
  let bytes = source.slice();
  for (let count = 1 + r.int(4); count > 0; count--) {
    const at = r.int(bytes.length + 1), length = r.int(r.bool(0.2) ? 200 : 8);
    switch (r.int(7)) {
      case 0:
        if (at < bytes.length) bytes[at] = bytes[at]! ^ (1 << r.int(8));
        break;
      case 1:
        if (at < bytes.length) bytes[at] = r.pick([0, 1, 0x7f, 0x80, 0xff, 0xfe, r.int(256)]);
        break;
      case 2:
        bytes = bytes.slice(0, at);
        break;
      case 3:
        bytes = new Uint8Array([...bytes.subarray(0, at), ...bytes.subarray(Math.min(bytes.length, at + length))]);
        break;
      case 4:
        bytes = new Uint8Array([...bytes.subarray(0, at), ...bytes.subarray(at, at + length), ...bytes.subarray(at)]);
        break;
      case 5:
        // A count of four billion and the like.
        bytes.set([0xff, 0xff, 0xff, 0xff, 0x0f].slice(0, Math.max(0, bytes.length - at)), at);
        break;
      default:
        bytes.set(bytes.slice(at, at + length).slice(0, Math.max(0, bytes.length - r.int(bytes.length + 1))), Math.max(0, r.int(bytes.length + 1) - length));
    }
  }
  return bytes;
}

/** A damaged copy of a text. */
export function mutateText(r: Random, source: string): string {
  let text = source;
  for (let count = 1 + r.int(4); count > 0; count--) {
    const at = r.int(text.length + 1), length = r.int(r.bool(0.2) ? 100 : 6);
    switch (r.int(4)) {
      case 0:
        text = text.slice(0, at);
        break;
      case 1:
        text = text.slice(0, at) + text.slice(at + length);
        break;
      case 2:
        text = text.slice(0, at) + text.slice(at, at + length) + text.slice(at);
        break;
      default:
        text = text.slice(0, at) + r.pick(["0", "-", "9", "1e9", ".", "\"", "[", "]", "{", "}", ",", ":", "\n", "\r", " ", "null", "é", "\u0000"]) + text.slice(at + r.int(2));
    }
  }
  return text;
}

/** A copy of plain data in which some values are replaced, dropped, doubled or exchanged. */
export function mutateTree(r: Random, source: object): object {
  const root = structuredClone(source);
  for (let count = 1 + r.int(3); count > 0; count--) {
    let holder = root as Record<string, unknown>;
    for (let depth = r.int(9); depth > 0; depth--) {
      const inner = Object.values(holder).filter((value) => typeof value === "object" && value !== null);
      if (inner.length === 0) break;
      holder = r.pick(inner) as Record<string, unknown>;
    }
    const keys = Object.keys(holder);
    if (keys.length === 0) continue;
    const key = r.pick(keys);
    switch (r.int(6)) {
      case 0:
        if (Array.isArray(holder)) holder.splice(Number(key), 1);
        else delete holder[key];
        break;
      case 1:
        if (Array.isArray(holder)) holder.splice(Number(key), 0, structuredClone(holder[Number(key)]));
        else holder[r.pick(["zz", "source", "skin", "curve", "time", "order", "end"])] = structuredClone(holder[key]);
        break;
      case 2:
        holder[key] = structuredClone(holder[r.pick(keys)]);
        break;
      case 3:
        if (typeof holder[key] === "number") holder[key] = holder[key] * r.pick([-1, 0, 1e3, 1e30, 0.1]);
        else holder[key] = structuredClone(r.pick(NASTY));
        break;
      default:
        holder[key] = structuredClone(r.pick(NASTY));
    }
  }
  return root;
}
