import { PATH_RECORD_BYTES, PathField } from "../../../assembly/layout/update.js";
import { heap } from "../../wasm/heap.js";
import type { BoneData } from "../data/bone-data.js";
import type { SlotData } from "../data/slot-data.js";
import { PositionMode, RotateMode, SpacingMode } from "../enums.js";
import type { Skeleton } from "../model/skeleton.js";
import type { PoseStore } from "../pose-store.js";
import { KernelConstraintData } from "./kernel-constraint-data.js";
import { PathConstraint } from "./path-constraint.js";
import { PathConstraintPose } from "./path-constraint-pose.js";

/** The setup of a path constraint. */
export class PathConstraintData extends KernelConstraintData<PathConstraint, PathConstraintPose> {
  /** The bones that are placed along the path, in order. */
  readonly bones: BoneData[] = [];
  /** The slot that shows the path attachment. */
  slot: SlotData = null!;
  #positionMode = PositionMode.fixed;
  #spacingMode = SpacingMode.fixed;
  #rotateMode = RotateMode.chain;
  #offsetRotation = 0;

  constructor(name: string) {
    super(name, new PathConstraintPose()._asSetup());
  }

  /** How the first bone is placed on the path. */
  get positionMode(): PositionMode {
    return this.#positionMode;
  }
  set positionMode(value: PositionMode) {
    this.#positionMode = value;
    this._touch();
  }

  /** How the bones after the first are placed. */
  get spacingMode(): SpacingMode {
    return this.#spacingMode;
  }
  set spacingMode(value: SpacingMode) {
    this.#spacingMode = value;
    this._touch();
  }

  /** How the bones are turned and scaled. */
  get rotateMode(): RotateMode {
    return this.#rotateMode;
  }
  set rotateMode(value: RotateMode) {
    this.#rotateMode = value;
    this._touch();
  }

  /** Degrees added to the rotation of the bones. */
  get offsetRotation(): number {
    return this.#offsetRotation;
  }
  set offsetRotation(value: number) {
    this.#offsetRotation = value;
    this._touch();
  }

  override create(skeleton: Skeleton): PathConstraint {
    return new PathConstraint(this, skeleton);
  }

  /** @internal */
  override _poseIn(store: PoseStore, row: number): PathConstraintPose {
    return new PathConstraintPose(store, row);
  }

  /** @internal */
  protected override _recordBytes(): number {
    return PATH_RECORD_BYTES;
  }

  /** @internal */
  protected override _writeRecord(record: number): void {
    const { f32, i32 } = heap;
    i32[(record + PathField.POSITION) >> 2] = this.#positionMode;
    i32[(record + PathField.SPACING) >> 2] = this.#spacingMode;
    i32[(record + PathField.ROTATE) >> 2] = this.#rotateMode;
    f32[(record + PathField.OFFSET_ROTATION) >> 2] = this.#offsetRotation;
  }
}
