/** The module object and the interfaces to its surroundings. */
export { Animation, eve } from "./animation.js";
export { AnimClipRegistry } from "./clip-registry.js";
export { browserHost } from "./browser-host.js";
export { nodeHost } from "./default-host.js";
export type {
  AnimationHost, DrawItem2D, FrameLayout, GraphicsLike, QuadLike, RawImage, Rgba, SpriteLike, TextureLike, TrailMesh,
} from "./host.js";
