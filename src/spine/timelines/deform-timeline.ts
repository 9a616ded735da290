import type { VertexAttachment } from "../attachments/vertex-attachment.js";
import { subdivide, subdividePercent } from "./curve-timeline.js";
import { Property, TimelineKind } from "./property.js";
import { SlotCurveTimeline } from "./slot-timelines.js";
import { Timeline } from "./timeline.js";

const BEZIER_SIZE = 18;
const NO_VERTICES = /* @__PURE__ */ new Float32Array(0);

/** Changes `SlotPose.deform` to deform a VertexAttachment. */
export class DeformTimeline extends SlotCurveTimeline {
  static readonly ENTRIES = 1;
  /** The attachment that is deformed, and with it every attachment whose timelineAttachment it is. */
  readonly attachment: VertexAttachment;
  /** Per frame: absolute positions for an unweighted attachment, offsets per vertex and bone for a weighted one. */
  readonly vertices: Float32Array[];

  constructor(frameCount: number, bezierCount: number, slotIndex: number, attachment: VertexAttachment) {
    super(frameCount, bezierCount, slotIndex, `${Property.DEFORM}|${slotIndex}|${attachment.id}`);
    this.attachment = attachment;
    this.vertices = [];
    for (let i = 0; i < frameCount; i++) this.vertices.push(NO_VERTICES);
    this.additive = true;
  }

  /** Sets the time in seconds and the vertices of a frame; every frame has equally many. The array is kept if it is a Float32Array. */
  setFrame(frame: number, time: number, vertices: ArrayLike<number>): void {
    this._edit(frame);
    this._frames[frame] = time;
    this.vertices[frame] = vertices instanceof Float32Array ? vertices : Float32Array.from(vertices);
  }

  /**
   * Stores the pieces of the curve from one frame to the next. The value axis runs from 0 to 1; `value1` and `value2`
   * are ignored (0 and 1).
   */
  override setBezier(
    bezier: number,
    frame: number,
    value: number,
    time1: number,
    _value1: number,
    cx1: number,
    cy1: number,
    cx2: number,
    cy2: number,
    time2: number,
    _value2: number,
  ): void {
    const start = this._table(bezier, frame, value);
    subdivide(this.curves, start, time1, cx1, cx2, time2);
    subdividePercent(this.curves, start + 1, cy1, cy2);
  }

  override get _components(): number {
    return 1;
  }

  override _fillTable(out: Float32Array, start: number, curve: ArrayLike<number>): void {
    subdivide(out, start, curve[0]!, curve[2]!, curve[4]!, curve[6]!);
    subdividePercent(out, start + 1, curve[3]!, curve[5]!);
  }

  /**
   * How far the vertices have gone from frame `frame` to the next one, 0 at the frame, 1 at the next (a curve may
   * overshoot).
   * @param time - between the times of the two frames
   */
  getCurvePercent(time: number, frame: number): number {
    const { curves, _frames: frames } = this;
    const type = curves[frame]!;
    if (type === 1) return 0;
    const x = frames[frame]!;
    if (type === 0) return (time - x) / (frames[frame + 1]! - x);
    const i = type - 2;
    if (curves[i]! > time) return (curves[i + 1]! * (time - x)) / (curves[i]! - x);
    for (let j = i + 2; j < i + BEZIER_SIZE; j += 2) {
      if (curves[j]! >= time) {
        const x1 = curves[j - 2]!;
        const y1 = curves[j - 1]!;
        if (curves[j] === x1) return curves[j + 1]!;
        return y1 + ((time - x1) / (curves[j]! - x1)) * (curves[j + 1]! - y1);
      }
    }
    const x9 = curves[i + BEZIER_SIZE - 2]!;
    const y9 = curves[i + BEZIER_SIZE - 1]!;
    const next = frames[frame + 1]!;
    return next === x9 ? 1 : y9 + ((1 - y9) * (time - x9)) / (next - x9);
  }

  override get _kind(): TimelineKind {
    return TimelineKind.DEFORM;
  }

  override getFrameEntries(): number {
    return 1;
  }

  /** Frame whose vertices hold at `time`, which is not before the first. @internal */
  _frameAt(time: number): number {
    return Timeline.search(this._frames, time);
  }
}
