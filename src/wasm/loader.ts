import { instantiateSync } from "@assemblyscript/loader";

/** Instantiates a module with the AssemblyScript loader, which also knows class exports and reports aborts. @internal */
export function linkWithLoader(module: WebAssembly.Module, memory: WebAssembly.Memory): unknown {
  return instantiateSync<Record<string, unknown>>(module, { env: { memory } }).exports;
}
