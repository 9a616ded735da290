import { Area } from "./area.js";
import { type FlatKernels, FLAT_WASM } from "./generated/flat.js";

export type { FlatKernels };

/** Kernels of `assembly/flat`: double-precision mathematics and sprite clocks. */
export const flat = /* @__PURE__ */ new Area<FlatKernels>("flat", FLAT_WASM);
