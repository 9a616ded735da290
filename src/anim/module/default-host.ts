import { browserHost } from "./browser-host.js";
import type { AnimationHost } from "./host.js";
import { decodePng } from "./png.js";

/** What is used of Node; reached through the process object, so that bundles for browsers name no Node module. */
interface NodeProcess {
  versions?: { node?: string };
  getBuiltinModule?(name: string): unknown;
}
interface FileSystem {
  readFileSync(path: string): Uint8Array;
  readFileSync(path: string, encoding: "utf8"): string;
}
interface Zlib {
  inflateSync(bytes: Uint8Array): Uint8Array;
}

/** Files and PNG pictures of the machine, synchronously; undefined outside of Node. */
export function nodeHost(): AnimationHost | undefined {
  const { process } = globalThis as { process?: NodeProcess };
  if (process?.versions?.node === undefined || process.getBuiltinModule === undefined) return undefined;
  const files = process.getBuiltinModule("node:fs") as FileSystem;
  const zlib = process.getBuiltinModule("node:zlib") as Zlib;
  return {
    readText: (path) => files.readFileSync(path, "utf8"),
    readBytes: (path) => new Uint8Array(files.readFileSync(path)),
    decodeImage: (bytes) => decodePng(bytes, (packed) => zlib.inflateSync(packed)),
  };
}

/** The host that suits the platform. */
export function defaultHost(): AnimationHost {
  return nodeHost() ?? browserHost();
}
