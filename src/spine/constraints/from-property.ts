import { TransformProperty } from "../../../assembly/layout/update.js";
import type { BonePose } from "../model/bone-pose.js";
import type { Skeleton } from "../model/skeleton.js";
import { MathUtils } from "../utils/math-utils.js";
import type { ToProperty } from "./to-property.js";

/** A property of the source of a transform constraint, or of the bone of a slider. */
export abstract class FromProperty {
  /** The value of this property that corresponds to `ToProperty.offset`. */
  offset = 0;
  /** The properties that it drives. */
  readonly to: ToProperty[] = [];

  /** @internal */
  abstract readonly _property: TransformProperty;

  /**
   * Reads the property.
   * @param source - with a valid world transform, or valid local values if `local`
   * @param offsets - rotation, x, y, scaleX, scaleY, shearY, added to what is read
   */
  abstract value(skeleton: Skeleton, source: BonePose, local: boolean, offsets: ArrayLike<number>): number;
}

/** a / b, 0 where b is 0: an axis of skeleton scale 0 has no values. @internal */
export function overScale(a: number, b: number): number {
  return b === 0 ? 0 : a / b;
}

/** Reads rotation. */
export class FromRotate extends FromProperty {
  /** @internal */
  readonly _property = TransformProperty.ROTATE;

  value(skeleton: Skeleton, source: BonePose, local: boolean, offsets: ArrayLike<number>): number {
    if (local) return source.rotation + offsets[0]!;
    const { scaleX, scaleY } = skeleton;
    const { a, b, c, d } = source;
    const angle = MathUtils.atan2Deg(overScale(c, scaleY), overScale(a, scaleX));
    const value = angle + ((a * d - b * c) * scaleX * scaleY > 0 ? offsets[0]! : -offsets[0]!);
    return value < 0 ? value + 360 : value;
  }
}

/** Reads x. */
export class FromX extends FromProperty {
  /** @internal */
  readonly _property = TransformProperty.X;

  value(skeleton: Skeleton, source: BonePose, local: boolean, offsets: ArrayLike<number>): number {
    if (local) return source.x + offsets[1]!;
    return overScale(offsets[1]! * source.a + offsets[2]! * source.b + source.worldX, skeleton.scaleX);
  }
}

/** Reads y. */
export class FromY extends FromProperty {
  /** @internal */
  readonly _property = TransformProperty.Y;

  value(skeleton: Skeleton, source: BonePose, local: boolean, offsets: ArrayLike<number>): number {
    if (local) return source.y + offsets[2]!;
    return overScale(offsets[1]! * source.c + offsets[2]! * source.d + source.worldY, skeleton.scaleY);
  }
}

/** Reads scaleX. */
export class FromScaleX extends FromProperty {
  /** @internal */
  readonly _property = TransformProperty.SCALE_X;

  value(skeleton: Skeleton, source: BonePose, local: boolean, offsets: ArrayLike<number>): number {
    if (local) return source.scaleX + offsets[3]!;
    return Math.hypot(overScale(source.a, skeleton.scaleX), overScale(source.c, skeleton.scaleY)) + offsets[3]!;
  }
}

/** Reads scaleY. */
export class FromScaleY extends FromProperty {
  /** @internal */
  readonly _property = TransformProperty.SCALE_Y;

  value(skeleton: Skeleton, source: BonePose, local: boolean, offsets: ArrayLike<number>): number {
    if (local) return source.scaleY + offsets[4]!;
    return Math.hypot(overScale(source.b, skeleton.scaleX), overScale(source.d, skeleton.scaleY)) + offsets[4]!;
  }
}

/** Reads shearY. */
export class FromShearY extends FromProperty {
  /** @internal */
  readonly _property = TransformProperty.SHEAR_Y;

  value(skeleton: Skeleton, source: BonePose, local: boolean, offsets: ArrayLike<number>): number {
    if (local) return source.shearY + offsets[5]!;
    const { scaleX, scaleY } = skeleton;
    const y = Math.atan2(overScale(source.d, scaleY), overScale(source.b, scaleX));
    const x = Math.atan2(overScale(source.c, scaleY), overScale(source.a, scaleX));
    return (y - x) * MathUtils.radDeg - 90 + offsets[5]!;
  }
}
