/** Every timeline class. */
export { type PropertyId, Timeline } from "./timeline.js";
export { CurveTimeline } from "./curve-timeline.js";
export { CurveTimeline1 } from "./curve-timeline1.js";
export {
  type BoneTimeline,
  BoneTimeline1,
  BoneTimeline2,
  InheritTimeline,
  isBoneTimeline,
  RotateTimeline,
  ScaleTimeline,
  ScaleXTimeline,
  ScaleYTimeline,
  ShearTimeline,
  ShearXTimeline,
  ShearYTimeline,
  TranslateTimeline,
  TranslateXTimeline,
  TranslateYTimeline,
} from "./bone-timelines.js";
export {
  AlphaTimeline,
  AttachmentTimeline,
  isSlotTimeline,
  RGB2Timeline,
  RGBA2Timeline,
  RGBATimeline,
  RGBTimeline,
  SlotCurveTimeline,
  type SlotTimeline,
} from "./slot-timelines.js";
export { DeformTimeline } from "./deform-timeline.js";
export { type SequenceAttachment, SequenceTimeline } from "./sequence-timeline.js";
export { DrawOrderFolderTimeline, DrawOrderTimeline } from "./draw-order-timelines.js";
export { EventTimeline } from "./event-timeline.js";
export {
  type ConstraintTimeline,
  ConstraintTimeline1,
  IkConstraintTimeline,
  isConstraintTimeline,
  PathConstraintMixTimeline,
  PathConstraintPositionTimeline,
  PathConstraintSpacingTimeline,
  SliderMixTimeline,
  SliderTimeline,
  TransformConstraintTimeline,
} from "./constraint-timelines.js";
export {
  PhysicsConstraintDampingTimeline,
  PhysicsConstraintGravityTimeline,
  PhysicsConstraintInertiaTimeline,
  PhysicsConstraintMassTimeline,
  PhysicsConstraintMixTimeline,
  PhysicsConstraintResetTimeline,
  PhysicsConstraintStrengthTimeline,
  PhysicsConstraintTimeline,
  PhysicsConstraintWindTimeline,
} from "./physics-timelines.js";
