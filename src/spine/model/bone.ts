import { ArgumentError } from "../../errors.js";
import type { BoneData } from "../data/bone-data.js";
import { BonePose } from "./bone-pose.js";
import { PosedActive } from "./posed.js";
import type { Skeleton } from "./skeleton.js";

/**
 * A node of a skeleton's hierarchy. `pose` holds the local values that animations and applications set, `appliedPose` the
 * local and world values to render with.
 */
export class Bone extends PosedActive<BoneData, BonePose> {
  /** Null for a root. */
  readonly parent: Bone | null;
  /** The immediate children. */
  readonly children: Bone[];
  /** Whether the bone has its place in the update cache that is being sorted. @internal */
  sorted: boolean;

  /** A bone outside a skeleton: its poses keep their values themselves. */
  constructor(data: BoneData, parent: Bone | null);
  /** Copies the pose of a bone, not its children. */
  constructor(bone: Bone, parent: Bone | null);
  /** @internal A bone of a skeleton. */
  constructor(data: BoneData, parent: Bone | null, skeleton: Skeleton);
  constructor(dataOrBone: BoneData | Bone, parent: Bone | null, skeleton?: Skeleton) {
    if (dataOrBone == null) throw new ArgumentError("The data of a bone is missing.");
    const other = dataOrBone instanceof Bone ? dataOrBone : null;
    const data = other === null ? (dataOrBone as BoneData) : other.data;
    if (skeleton === undefined) {
      super(data, new BonePose(), new BonePose());
    } else {
      const row = skeleton._shape.boneRow(data.index);
      super(data, new BonePose(skeleton, row), new BonePose(skeleton, row + skeleton._shape.rows));
    }
    this.parent = parent;
    this.children = [];
    this.sorted = false;
    this.pose.bone = this;
    this._constrained.bone = this;
    if (other !== null) this.pose.set(other.pose);
  }

  /** A copy under another parent, without children. */
  copy(parent: Bone | null): Bone {
    return new Bone(this, parent);
  }
}
