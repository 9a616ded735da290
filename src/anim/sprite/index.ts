/** Sprite sheets, clips and players. */
export { SpriteSheet, type FrameDescription } from "./sheet.js";
export { SpriteClip } from "./clip.js";
export { SpriteAnim } from "./sprite-anim.js";
export { SpriteBatch } from "./batch.js";
export type { SpriteEvent } from "./event-queue.js";
export type { CurveInterpolation } from "./speed-curve.js";
export type { AtlasJsonOptions } from "./atlas-json.js";
