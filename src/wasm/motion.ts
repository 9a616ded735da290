import { type MotionKernels, MOTION_WASM } from "./generated/motion.js";
import { Area } from "./area.js";

export type { MotionKernels };

/** Kernels of `assembly/motion`. */
export const motion = /* @__PURE__ */ new Area<MotionKernels>("motion", MOTION_WASM);
