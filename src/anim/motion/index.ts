/** Motions: builders, handles, sinks, sequences, eases. */
export { EASE_NAMES, type EaseFn, type EaseKind, type EaseName } from "./ease.js";
export { Easing, type EaseVariants, type StepJump } from "./easing.js";
export { MotionBuilder } from "./builder.js";
export { MotionGroup } from "./group.js";
export { Motion, MotionHandle, type MotionOutcome } from "./motion.js";
export { MotionSequence, type SequenceOptions } from "./sequence.js";
export { SequencePlayer as MotionSequenceHandle } from "./sequence-player.js";
export { MotionStore, type AnimErrorHandler } from "./store.js";
export {
  ArraySink, FloatPointerSink, FloatRef, PropertySink, arraySink, propertySink,
  type IMotionColorSink, type IMotionFloatSink, type IMotionQuatSink, type IMotionVec2Sink, type IMotionVec3Sink, type MotionSink,
} from "./sinks.js";
export { MotionLoopMode, type DelayType, type LoopModeName, type MotionColor, type MotionQuat, type Vec2, type Vec3 } from "./types.js";
