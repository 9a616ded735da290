import type { TargetKind } from "../../../assembly/layout/rig2d.js";
import type { PhysicsConstraintData } from "../constraints/physics-constraint-data.js";
import type { CurveTimeline } from "../timelines/curve-timeline.js";
import type { Timeline } from "../timelines/timeline.js";

/** What a timeline describes its numeric channels to. @internal */
export interface ChannelSink {
  /**
   * A channel that interpolates.
   * @param row - row of the property in the pose of its target
   * @param value - index of the value in a frame, the time not counted; also the index of its Bezier table
   * @param rule - ChannelRule with ChannelFlag bits
   */
  curve(timeline: CurveTimeline, kind: TargetKind, target: number, row: number, value: number, rule: number): void;
  /**
   * A channel that jumps from key to key.
   * @param entry - index of the value in a frame, the time counted
   */
  stepped(timeline: Timeline, kind: TargetKind, target: number, row: number, entry: number, rule: number): void;
  /** Indices of the physics constraints whose data pass a test. */
  physicsConstraints(test: (data: PhysicsConstraintData) => boolean): number[];
}
