import { Area } from "./area.js";
import { type MatchingKernels, MATCHING_WASM } from "./generated/matching.js";
import { heap } from "./heap.js";
import { linkWithLoader } from "./loader.js";

export type { MatchingKernels };

/** Kernels of `assembly/matching`. */
export const matching = /* @__PURE__ */ new Area<MatchingKernels>("matching", MATCHING_WASM, heap, linkWithLoader);
