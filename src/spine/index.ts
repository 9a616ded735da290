/**
 * The Spine model: data, skeletons, attachments, animations and their loaders.
 */

// Data: what all skeletons of one export share.
export { SkeletonData } from "./data/skeleton-data.js";
export { BoneData } from "./data/bone-data.js";
export { SlotData } from "./data/slot-data.js";
export { ConstraintData } from "./data/constraint-data.js";
export { EventData } from "./data/event-data.js";
export { Event } from "./model/event.js";
export { Skin } from "./model/skin.js";
export { SkinEntry } from "./model/skin-entry.js";

// Skeletons and their parts.
export { Skeleton } from "./model/skeleton.js";
export { Bone } from "./model/bone.js";
export { BonePose } from "./model/bone-pose.js";
export { Slot } from "./model/slot.js";
export { SlotPose } from "./model/slot-pose.js";
export { DrawOrder } from "./model/draw-order.js";
export { Constraint } from "./model/constraint.js";
export { Posed, PosedActive, PosedData, type Pose, type Update } from "./model/posed.js";

// The five kinds of constraints.
export * from "./constraints/index.js";

// Attachments.
export * from "./attachments/index.js";
export { Texture, FakeTexture, TextureRegion } from "./texture.js";

// Drawing, clipping and hit tests.
export { SkeletonVertices } from "./model/skeleton-vertices.js";
export { SkeletonRendererCore, type RenderCommand } from "./model/skeleton-renderer-core.js";
export { SkeletonClipping } from "./clipping/skeleton-clipping.js";
export { Triangulator, ConvexDecomposer } from "./clipping/triangulator.js";
export { SkeletonBounds } from "./model/skeleton-bounds.js";

// Loading and writing.
export * from "./load/index.js";

// Assets and the world around a skeleton.
export { AssetManagerBase, type ImageToTexture } from "./assets/asset-manager-base.js";
export { AssetCache } from "./assets/asset-cache.js";
export { Downloader } from "./assets/downloader.js";
export {
  SkeletonPhysicsMovement,
  type SkeletonCoordinateConverter,
  type SkeletonPhysicsMovementAdapter,
  type SkeletonPhysicsMovementOptions,
  type SkeletonPhysicsMovementTransform,
} from "./model/skeleton-physics-movement.js";
export { DebugUtils } from "./model/debug-utils.js";

// Animations and their playback.
export { Animation } from "./animation.js";
export * from "./timelines/index.js";
export * from "./animation-state/index.js";

// Enums, colours, vectors and other helpers.
export * from "./enums.js";
export * from "./utils/index.js";

// Inner parts of other runtimes that programs may use by name.
export {
  type ArrayLike,
  ATTACH_RETAIN,
  ATTACH_SETUP,
  BinaryInput,
  CURRENT,
  EventQueue,
  EventType,
  FIRST,
  HOLD,
  MODE,
  Property,
  SETUP,
} from "./compat.js";
