/** Compiling animations to channels and applying them. @internal */
export { type Compilable, compiledFor } from "./cache.js";
export { CompiledAnimation, Segment, Step } from "./compiled-animation.js";
export { applyCompiled } from "./apply-timeline.js";
