import { IkField, IK_RECORD_BYTES } from "../../../assembly/layout/update.js";
import { heap } from "../../wasm/heap.js";
import type { BoneData } from "../data/bone-data.js";
import { ScaleYMode } from "../enums.js";
import type { Skeleton } from "../model/skeleton.js";
import type { PoseStore } from "../pose-store.js";
import { IkConstraint } from "./ik-constraint.js";
import { IkConstraintPose } from "./ik-constraint-pose.js";
import { KernelConstraintData } from "./kernel-constraint-data.js";

/** The setup of an IK constraint. */
export class IkConstraintData extends KernelConstraintData<IkConstraint, IkConstraintPose> {
  /** The one or two bones that are turned; the second is a child of the first. */
  readonly bones: BoneData[] = [];
  /** The bone whose world position the last bone's tip is brought to. */
  target: BoneData = null!;
  #scaleYMode = ScaleYMode.none;

  constructor(name: string) {
    super(name, new IkConstraintPose()._asSetup());
  }

  /** How scaleY follows when compress or stretch scales a bone along its X axis. */
  get scaleYMode(): ScaleYMode {
    return this.#scaleYMode;
  }
  set scaleYMode(value: ScaleYMode) {
    this.#scaleYMode = Number(value);
    this._touch();
  }

  /** Whether compress and stretch scale both axes alike: `scaleYMode` as a boolean. */
  get uniform(): boolean {
    return this.#scaleYMode === ScaleYMode.uniform;
  }
  set uniform(value: boolean) {
    this.scaleYMode = value ? ScaleYMode.uniform : ScaleYMode.none;
  }

  override create(skeleton: Skeleton): IkConstraint {
    return new IkConstraint(this, skeleton);
  }

  /** @internal */
  override _poseIn(store: PoseStore, row: number): IkConstraintPose {
    return new IkConstraintPose(store, row);
  }

  /** @internal */
  protected override _recordBytes(): number {
    return IK_RECORD_BYTES;
  }

  /** @internal */
  protected override _writeRecord(record: number): void {
    heap.i32[(record + IkField.SCALE_Y) >> 2] = this.#scaleYMode;
  }
}
