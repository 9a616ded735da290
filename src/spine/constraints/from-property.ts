import { TransformProperty } from "../../../assembly/layout/update.js";
import { rig2d } from "../../wasm/rig2d.js";
import { edits } from "../edits.js";
import type { BonePose } from "../model/bone-pose.js";
import type { Skeleton } from "../model/skeleton.js";
import { addressOfBone } from "../update/bone-address.js";
import type { ToProperty } from "./to-property.js";

/** A property of the source of a transform constraint, or of the bone of a slider. */
export abstract class FromProperty {
  #offset = 0;
  /** The properties that it drives. */
  readonly to: ToProperty[] = [];

  /** The value of this property that corresponds to `ToProperty.offset`. */
  get offset(): number {
    return this.#offset;
  }
  set offset(value: number) {
    this.#offset = value;
    edits.properties++;
  }

  /** @internal */
  abstract readonly _property: TransformProperty;

  /**
   * Reads the property.
   * @param source - a pose of one of the skeleton's bones, with a valid world transform, or valid local values if `local`
   * @param offsets - rotation, x, y, scaleX, scaleY, shearY, added to what is read
   */
  value(skeleton: Skeleton, source: BonePose, local: boolean, offsets: ArrayLike<number>): number {
    skeleton._writeScale();
    return rig2d.kernels.readBoneProperty(
      skeleton._block, addressOfBone(skeleton, source), this._property, local ? 1 : 0, offsets[this._property]!, offsets[1]!, offsets[2]!,
    );
  }
}

/** Reads rotation. */
export class FromRotate extends FromProperty {
  /** @internal */
  readonly _property = TransformProperty.ROTATE;
}

/** Reads x. */
export class FromX extends FromProperty {
  /** @internal */
  readonly _property = TransformProperty.X;
}

/** Reads y. */
export class FromY extends FromProperty {
  /** @internal */
  readonly _property = TransformProperty.Y;
}

/** Reads scaleX. */
export class FromScaleX extends FromProperty {
  /** @internal */
  readonly _property = TransformProperty.SCALE_X;
}

/** Reads scaleY. */
export class FromScaleY extends FromProperty {
  /** @internal */
  readonly _property = TransformProperty.SCALE_Y;
}

/** Reads shearY. */
export class FromShearY extends FromProperty {
  /** @internal */
  readonly _property = TransformProperty.SHEAR_Y;
}
