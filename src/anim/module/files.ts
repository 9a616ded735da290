import { AnimError, AnimIOError, AnimStateError } from "../errors.js";
import type { AnimationHost, RawImage } from "./host.js";
import { chain, isPromise, mapError, type Maybe } from "./maybe-promise.js";

/** Text of a file. @throws AnimIOError, AnimStateError without a host that reads */
export function readText(host: AnimationHost, path: string): Maybe<string> {
  if (host.readText === undefined) throw missing("readText", path);
  return shared(host, `text ${path}`, () => mapError(() => host.readText!(path), (cause) => unreadable(path, "read", cause)));
}

/** Bytes of a file. @throws AnimIOError, AnimStateError without a host that reads */
export function readBytes(host: AnimationHost, path: string): Maybe<Uint8Array> {
  if (host.readBytes === undefined) throw missing("readBytes", path);
  return shared(host, `bytes ${path}`, () => mapError(() => host.readBytes!(path), (cause) => unreadable(path, "read", cause)));
}

/** A picture. @throws AnimIOError, AnimStateError without a host that decodes */
export function readImage(host: AnimationHost, path: string): Maybe<RawImage> {
  if (host.decodeImage === undefined) throw missing("decodeImage", path);
  return shared(host, `image ${path}`, () =>
    chain(readBytes(host, path), (bytes) => mapError(() => host.decodeImage!(bytes, path), (cause) => unreadable(path, "decoded", cause))));
}

/** What is being loaded, by host: requests for the same thing share one load. What they get is not to be changed. */
const running = /* @__PURE__ */ new WeakMap<AnimationHost, Map<string, Promise<unknown>>>();

function shared<T>(host: AnimationHost, key: string, load: () => Maybe<T>): Maybe<T> {
  const known = running.get(host)?.get(key);
  if (known !== undefined) return known as Promise<T>;
  const value = load();
  if (!isPromise(value)) return value;
  let loads = running.get(host);
  if (loads === undefined) running.set(host, (loads = new Map()));
  loads.set(key, value);
  const done = (): void => void loads.delete(key);
  value.then(done, done);
  return value;
}

/** The value of a synchronous twin. @throws AnimStateError if the host answered with a promise */
export function now<T>(value: Maybe<T>): T {
  if (!isPromise(value)) return value;
  // Nobody waits for it any more.
  value.catch(() => undefined);
  throw new AnimStateError("The host answers with promises, so the synchronous form cannot be used. Await the other one.");
}

function missing(member: string, path: string): AnimStateError {
  return new AnimStateError(`"${path}" cannot be loaded: the host has no ${member}(). Pass one to new Animation(host).`);
}

function unreadable(path: string, verb: string, cause: unknown): unknown {
  if (cause instanceof AnimError) return cause;
  return new AnimIOError(`"${path}" cannot be ${verb}: ${cause instanceof Error ? cause.message : String(cause)}`, path, { cause });
}
