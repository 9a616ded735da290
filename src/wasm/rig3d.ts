import { Area } from "./area.js";
import { type Rig3dKernels, RIG3D_WASM } from "./generated/rig3d.js";
import { heap } from "./heap.js";
import { linkWithLoader } from "./loader.js";

export type { Rig3dKernels };

/** Kernels of `assembly/rig3d`. */
export const rig3d = /* @__PURE__ */ new Area<Rig3dKernels>("rig3d", RIG3D_WASM, heap, linkWithLoader);
