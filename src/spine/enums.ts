/**
 * Enums of the Spine model. Every value has its spelling of the runtime API reference (`normal`) and the capitalised one
 * (`Normal`); a number maps back to the capitalised spelling where both exist.
 */

/** How a bone takes over the world transform of its parent. */
export enum Inherit {
  normal = 0,
  onlyTranslation = 1,
  noRotationOrReflection = 2,
  noScale = 3,
  noScaleOrReflection = 4,
  Normal = 0,
  OnlyTranslation = 1,
  NoRotationOrReflection = 2,
  NoScale = 3,
  NoScaleOrReflection = 4,
}

/** How the pixels of a slot meet the pixels below. */
export enum BlendMode {
  normal = 0,
  additive = 1,
  multiply = 2,
  screen = 3,
  Normal = 0,
  Additive = 1,
  Multiply = 2,
  Screen = 3,
}

/** What `Skeleton.updateWorldTransform` does with physics constraints. */
export enum Physics {
  /** Physics are neither updated nor applied. */
  none = 0,
  /** Physics are reset. */
  reset = 1,
  /** Physics are updated and their pose is applied. */
  update = 2,
  /** Physics are not updated, but their last pose is applied. */
  pose = 3,
}

/** How the first bone of a path constraint is placed on the path. */
export enum PositionMode {
  fixed = 0,
  percent = 1,
  Fixed = 0,
  Percent = 1,
}

/** How the further bones of a path constraint are placed. */
export enum SpacingMode {
  length = 0,
  fixed = 1,
  percent = 2,
  proportional = 3,
  Length = 0,
  Fixed = 1,
  Percent = 2,
  Proportional = 3,
}

/** How the bones of a path constraint are turned and scaled to follow the path. */
export enum RotateMode {
  tangent = 0,
  chain = 1,
  /** All constrained bones should have the same parent, so that scaling one does not affect another. */
  chainScale = 2,
  Tangent = 0,
  Chain = 1,
  ChainScale = 2,
}

/** How scaleY follows when a constraint scales a bone along its X axis. */
export enum ScaleYMode {
  none = 0,
  uniform = 1,
  volume = 2,
  None = 0,
  Uniform = 1,
  Volume = 2,
}

/** How the regions of a sequence are shown over time. */
export enum SequenceMode {
  hold = 0,
  once = 1,
  loop = 2,
  pingpong = 3,
  onceReverse = 4,
  loopReverse = 5,
  pingpongReverse = 6,
}

/** Every sequence mode, in the order of its number. */
export const SequenceModeValues: readonly SequenceMode[] = [
  SequenceMode.hold,
  SequenceMode.once,
  SequenceMode.loop,
  SequenceMode.pingpong,
  SequenceMode.onceReverse,
  SequenceMode.loopReverse,
  SequenceMode.pingpongReverse,
];

/** What `alpha` mixes a timeline's value with. A boolean `fromSetup` is accepted in its place: false is `current`, true is `setup`. */
export enum MixFrom {
  /** The current value; nothing is changed before the first frame. */
  current = 0,
  /** The setup value, also before the first frame. */
  setup = 1,
  /** The current value; before the first frame the value goes back to setup. */
  first = 2,
}

/** Filters of a texture; the numbers are those of WebGL. */
export enum TextureFilter {
  Nearest = 9728,
  Linear = 9729,
  MipMap = 9987,
  MipMapNearestNearest = 9984,
  MipMapLinearNearest = 9985,
  MipMapNearestLinear = 9986,
  MipMapLinearLinear = 9987,
}

/** What is seen outside 0..1 of a texture; the numbers are those of WebGL. */
export enum TextureWrap {
  MirroredRepeat = 33648,
  ClampToEdge = 33071,
  Repeat = 10497,
}
