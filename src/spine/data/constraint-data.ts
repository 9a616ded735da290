import type { Constraint } from "../model/constraint.js";
import { PosedData, type Pose } from "../model/posed.js";
import type { Skeleton } from "../model/skeleton.js";
import type { PoseStore } from "../pose-store.js";

/** Base of the setup data of constraints. */
export abstract class ConstraintData<T extends Constraint = any, P extends Pose = any> extends PosedData<P> {
  constructor(name: string, setup: P) {
    super(name, setup);
  }

  /** A constraint with this data for a skeleton. */
  abstract create(skeleton: Skeleton): T;

  /**
   * A pose of this kind over constraint rows of a block, or null for kinds without rows (classes of one's own). The rig uses it
   * to copy the setup pose to linear memory. @internal
   */
  _poseIn(_store: PoseStore, _row: number): P | null {
    return null;
  }
}
