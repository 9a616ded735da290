/**
 * The WebAssembly layer: memory, blocks and kernels. Applications need it only to choose the kind of memory, to watch
 * its use, or to hand over modules under a strict content security policy.
 */
export { Heap, heap, canShareMemory, configureMemory, type MemoryOptions } from "./heap.js";
export { Area } from "./area.js";
export { rig2d } from "./rig2d.js";
export { rig3d } from "./rig3d.js";
export { matching } from "./matching.js";
export { motion } from "./motion.js";
export { flat } from "./flat.js";
