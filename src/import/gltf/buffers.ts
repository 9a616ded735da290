import type { JsonCheck, JsonObject } from "../json-check.js";

/** Gives the bytes of a file that a document refers to, by its URI as written. */
export type ResourceResolver = (uri: string) => Uint8Array | ArrayBuffer | undefined | Promise<Uint8Array | ArrayBuffer | undefined>;

/** Finds the bytes of every buffer: binary chunk, data URI or the caller's resolver. */
export async function loadBuffers(
  check: JsonCheck,
  buffers: readonly JsonObject[],
  bin: Uint8Array | undefined,
  resolve: ResourceResolver | undefined,
): Promise<Uint8Array[]> {
  const loaded: Uint8Array[] = [];
  for (const [i, buffer] of buffers.entries()) {
    const pointer = `/buffers/${i}`;
    const byteLength = check.integer(buffer.byteLength, `${pointer}/byteLength`, 1, 0x7fffffff);
    const bytes = await bytesOf(check, buffer, pointer, i === 0 ? bin : undefined, resolve);
    if (bytes.length < byteLength) {
      check.fail(`${pointer}/byteLength`, `is ${byteLength}, but only ${bytes.length} bytes are there`, bytes.length);
    }
    loaded.push(bytes.subarray(0, byteLength));
  }
  return loaded;
}

async function bytesOf(
  check: JsonCheck,
  buffer: JsonObject,
  pointer: string,
  bin: Uint8Array | undefined,
  resolve: ResourceResolver | undefined,
): Promise<Uint8Array> {
  if (buffer.uri === undefined) {
    if (bin === undefined) check.fail(pointer, "has no uri and the file has no binary chunk");
    return bin as Uint8Array;
  }
  const uri = check.string(buffer.uri, `${pointer}/uri`);
  if (uri.startsWith("data:")) return decodeDataUri(check, uri, `${pointer}/uri`);
  if (resolve === undefined) check.fail(`${pointer}/uri`, `names "${uri.slice(0, 80)}"; pass options.resolve to supply it`, uri);
  let found: Uint8Array | ArrayBuffer | undefined;
  try {
    found = await resolve!(uri);
  } catch (cause) {
    check.fail(`${pointer}/uri`, `names "${uri.slice(0, 80)}", and options.resolve failed: ${(cause as Error)?.message ?? String(cause)}`, uri);
  }
  if (found === undefined || !(found instanceof Uint8Array || found instanceof ArrayBuffer)) {
    check.fail(`${pointer}/uri`, `names "${uri.slice(0, 80)}", which options.resolve did not supply`, uri);
  }
  return found instanceof Uint8Array ? found : new Uint8Array(found as ArrayBuffer);
}

function decodeDataUri(check: JsonCheck, uri: string, pointer: string): Uint8Array {
  const comma = uri.indexOf(",");
  if (comma < 0) check.fail(pointer, "is a data URI without a comma");
  const base64 = /;base64$/i.test(uri.slice(0, comma));
  const body = uri.slice(comma + 1);
  try {
    const binary = base64 ? atob(body) : decodeURIComponent(body);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
  } catch {
    return check.fail(pointer, "is a data URI that cannot be decoded");
  }
}
