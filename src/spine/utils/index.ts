export { Color } from "./color.js";
export { Vector2 } from "./vector2.js";
export { MathUtils } from "./math-utils.js";
export {
  Utils,
  IntSet,
  StringSet,
  Pool,
  TimeKeeper,
  WindowedMean,
  type NumberArrayLike,
  type IntArrayLike,
  type StringMap,
  type Disposable,
  type Restorable,
} from "./utils.js";
export { Interpolation, Pow, PowOut } from "./interpolation.js";
