import { OsteonError } from "../errors.js";
import { bytesOfText } from "./byte-text.js";
import { heap, type Heap } from "./heap.js";

/** Makes a module's exports over a memory. @internal */
export type Link = (module: WebAssembly.Module, memory: WebAssembly.Memory) => unknown;

/** What every module of plain functions needs. */
const link: Link = (module, memory) => new WebAssembly.Instance(module, { env: { memory } }).exports;

/**
 * Kernels of one area over the one memory, instantiated on first use.
 *
 * `kernels` is a plain property read after the first access, so calls cost what a WebAssembly call costs.
 */
export class Area<Kernels extends object> {
  readonly name: string;
  readonly #text: string;
  #module: WebAssembly.Module | undefined;
  #kernels: Kernels | undefined;
  readonly #heap: Heap;
  readonly #link: Link;

  /**
   * @param text - the bytes, as scripts/build-wasm.mjs writes them
   * @param linking - how to instantiate; small areas do without the loader, which is larger than they are
   */
  constructor(name: string, text: string, over: Heap = heap, linking: Link = link) {
    this.name = name;
    this.#text = text;
    this.#heap = over;
    this.#link = linking;
  }

  /** The exported kernels. The first access compiles and instantiates them synchronously. */
  get kernels(): Kernels {
    return this.#kernels ?? (this.#kernels = this.instantiate());
  }

  /** The compiled module, which a worker instantiates over the same memory. */
  get module(): WebAssembly.Module {
    return (this.#module ??= compile(this.name, bytesOfText(this.#text), this.#heap.shared));
  }

  /**
   * Uses bytes or a module that the application has loaded itself, for pages whose content security policy forbids
   * compiling embedded bytes.
   * @throws OsteonError `bad-state` if kernels of this area are already running
   */
  provide(source: WebAssembly.Module | Uint8Array<ArrayBuffer>): void {
    if (this.#kernels !== undefined) {
      throw new OsteonError("bad-state", `The kernels of area "${this.name}" are already running. Provide them first.`);
    }
    this.#module = source instanceof WebAssembly.Module ? source : compile(this.name, source, this.#heap.shared);
  }

  /** A further instance over the same memory (what a worker does). */
  instantiate(): Kernels {
    return this.#link(this.module, this.#heap.memory) as Kernels;
  }
}

function compile(name: string, bytes: Uint8Array<ArrayBuffer>, shared: boolean): WebAssembly.Module {
  try {
    return new WebAssembly.Module(shared ? withSharedImport(bytes) : bytes);
  } catch (cause) {
    throw new OsteonError(
      "wasm-unavailable",
      `The kernels of area "${name}" could not be compiled: ${(cause as Error).message}. ` +
        "WebAssembly with SIMD is needed; a content security policy needs 'wasm-unsafe-eval' or Area.provide().",
      { cause },
    );
  }
}

/**
 * Shared and unshared binaries differ in one byte, the limits flag of the memory import (WebAssembly core specification,
 * binary format, 5.3.8), which follows the import's name and kind; this returns a copy with the shared bit set.
 */
function withSharedImport(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  // One character a byte. The memory is the only import.
  const at = new TextDecoder("latin1").decode(copy).indexOf("memory\u0002");
  if (at >= 0) copy[at + 7]! |= 2;
  return copy;
}
