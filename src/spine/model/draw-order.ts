import type { Slot } from "./slot.js";

/** The order in which slots are drawn, first to last. */
export class DrawOrder {
  /** @internal */
  readonly _setupPose: readonly Slot[];
  /** The unconstrained order, set by animations and application code. */
  readonly pose: Slot[];
  /** @internal */
  readonly _constrained: Slot[] = [];
  /** The order to render in: `pose` itself, or its copy if a slider can modify it. */
  appliedPose: Slot[];

  /** @param slots - in setup order */
  constructor(slots: readonly Slot[]) {
    this._setupPose = slots;
    this.pose = slots.slice();
    this.appliedPose = this.pose;
  }

  /** Sets the unconstrained order to that of the setup pose. */
  setupPose(): void {
    const { pose, _setupPose: setup } = this;
    pose.length = setup.length;
    for (let i = 0; i < setup.length; i++) pose[i] = setup[i]!;
  }

  get constrainedPose(): Slot[] {
    return this._constrained;
  }

  /** @internal */
  unconstrained(): void {
    this.appliedPose = this.pose;
  }

  /** @internal */
  constrained(): void {
    this.appliedPose = this._constrained;
  }

  /** Copies `pose` to the constrained order. @internal */
  resetConstrained(): void {
    const { pose, _constrained: copy } = this;
    copy.length = pose.length;
    for (let i = 0; i < pose.length; i++) copy[i] = pose[i]!;
  }
}
