import { Area } from "./area.js";
import { type MotionKernels, MOTION_WASM } from "./generated/motion.js";

export type { MotionKernels };

/** Kernels of `assembly/motion`. */
export const motion = /* @__PURE__ */ new Area<MotionKernels>("motion", MOTION_WASM);
