import { SliderRow } from "../../../assembly/layout/rig2d.js";
import type { Pose } from "../model/posed.js";
import type { PoseStore } from "../pose-store.js";
import { RowPose } from "./row-pose.js";

/** Values of a slider. */
export class SliderPose extends RowPose implements Pose {
  constructor();
  /** @internal */
  constructor(store: PoseStore, row: number);
  constructor(store?: PoseStore, row = 0) {
    super(store, row, 2);
  }

  /** Time in the slider's animation, in seconds. A slider with a bone sets it during the world update. */
  get time(): number {
    return this._float(SliderRow.TIME);
  }
  set time(value: number) {
    this._setFloat(SliderRow.TIME, value);
  }

  /** How much of the animation is applied; 0 leaves everything alone. */
  get mix(): number {
    return this._float(SliderRow.MIX);
  }
  set mix(value: number) {
    this._setFloat(SliderRow.MIX, value);
  }

  /** Takes over the values of another pose. */
  set(pose: SliderPose): void {
    this.time = pose.time;
    this.mix = pose.mix;
  }
}
