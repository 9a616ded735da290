import type { ConstraintData } from "../data/constraint-data.js";
import type { Physics } from "../enums.js";
import { PosedActive, type Pose, type Update } from "./posed.js";
import type { Skeleton } from "./skeleton.js";

/**
 * Base of constraints. The five kinds of the file format run in kernels; a class of one's own overrides `update` and `sort`
 * and is called back between kernels, which costs a round trip per update.
 */
export abstract class Constraint<
  T extends Constraint<T, D, P> = any,
  D extends ConstraintData<T, P> = any,
  P extends Pose = any,
>
  extends PosedActive<D, P>
  implements Update {
  constructor(data: D, pose: P, constrained: P) {
    super(data, pose, constrained);
  }

  /** A copy of this constraint for another skeleton of the same data. */
  abstract copy(skeleton: Skeleton): T;

  /** Applies the constraint. */
  abstract update(skeleton: Skeleton, physics: Physics): void;

  /** Puts what the constraint needs, then itself, into the update cache. */
  abstract sort(skeleton: Skeleton): void;

  /** Whether what the constraint follows is active. */
  isSourceActive(): boolean {
    return true;
  }
}
