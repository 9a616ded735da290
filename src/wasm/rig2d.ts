import { Area } from "./area.js";
import { type Rig2dKernels, RIG2D_WASM } from "./generated/rig2d.js";
import { heap } from "./heap.js";
import { linkWithLoader } from "./loader.js";

export type { Rig2dKernels };

/** Kernels of `assembly/rig2d`. */
export const rig2d = /* @__PURE__ */ new Area<Rig2dKernels>("rig2d", RIG2D_WASM, heap, linkWithLoader);
