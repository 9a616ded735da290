import { instantiateSync } from "@assemblyscript/loader";
import { OsteonError } from "../errors.js";
import { heap, type Heap } from "./heap.js";

/**
 * Kernels of one area over the one memory, instantiated on first use.
 *
 * `kernels` is a plain property read after the first access, so calls cost what a WebAssembly call costs.
 */
export class Area<Kernels extends object> {
  readonly name: string;
  #base64: string;
  #module: WebAssembly.Module | undefined;
  #kernels: Kernels | undefined;
  readonly #heap: Heap;

  constructor(name: string, base64: string, over: Heap = heap) {
    this.name = name;
    this.#base64 = base64;
    this.#heap = over;
  }

  /** The exported kernels. The first access compiles and instantiates them synchronously. */
  get kernels(): Kernels {
    return this.#kernels ?? (this.#kernels = this.instantiate());
  }

  /** The compiled module, which a worker instantiates over the same memory. */
  get module(): WebAssembly.Module {
    return (this.#module ??= compile(this.name, decodeBase64(this.#base64), this.#heap.shared));
  }

  /**
   * Uses bytes or a module that the application has loaded itself, for pages whose content security policy forbids
   * compiling embedded bytes.
   * @throws OsteonError `bad-state` if kernels of this area are already running
   */
  provide(source: WebAssembly.Module | Uint8Array<ArrayBuffer>): void {
    if (this.#kernels !== undefined) {
      throw new OsteonError("bad-state", `The kernels of area "${this.name}" are already running. Provide them before first use.`);
    }
    this.#module = source instanceof WebAssembly.Module ? source : compile(this.name, source, this.#heap.shared);
  }

  /** A further instance over the same memory (what a worker does). */
  instantiate(): Kernels {
    const { exports } = instantiateSync<Record<string, unknown>>(this.module, { env: { memory: this.#heap.memory } });
    return exports as unknown as Kernels;
  }
}

function compile(name: string, bytes: Uint8Array<ArrayBuffer>, shared: boolean): WebAssembly.Module {
  try {
    return new WebAssembly.Module(shared ? withSharedImport(bytes) : bytes);
  } catch (cause) {
    throw new OsteonError(
      "wasm-unavailable",
      `The kernels of area "${name}" could not be compiled: ${(cause as Error).message}. ` +
        "WebAssembly with 128-bit SIMD is needed; a content security policy needs 'wasm-unsafe-eval' or Area.provide().",
      { cause },
    );
  }
}

/**
 * Shared and unshared binaries differ in one byte, the limits flag of the memory import; this returns a copy with the
 * shared bit set. Walks the module's sections (WebAssembly core specification, binary format, 5.5).
 */
function withSharedImport(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  let at = 8;
  const unsigned = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = copy[at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  };
  while (at < copy.length) {
    const section = copy[at++];
    const length = unsigned();
    if (section !== 2) {
      at += length;
      continue;
    }
    for (let count = unsigned(); count > 0; count--) {
      // Not `at += unsigned()`: that would read `at` before the call moves it.
      const moduleBytes = unsigned();
      at += moduleBytes;
      const fieldBytes = unsigned();
      at += fieldBytes;
      const kind = copy[at++];
      if (kind === 2) {
        copy[at] = copy[at]! | 2;
        return copy;
      }
      if (kind === 0) unsigned();
      else at += 2;
    }
  }
  return copy;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
