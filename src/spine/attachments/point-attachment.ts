import { AttachmentKind } from "../../../assembly/layout/attachment.js";
import type { BonePose } from "../model/bone-pose.js";
import { Color } from "../utils/color.js";
import { MathUtils } from "../utils/math-utils.js";
import { VertexAttachment } from "./vertex-attachment.js";

/** An attachment that is a single point with a rotation: a place for projectiles, particles and the like. */
export class PointAttachment extends VertexAttachment {
  /** @internal */
  override readonly _kind = AttachmentKind.POINT;
  /** Local position. */
  x = 0;
  y = 0;
  /** Local rotation in degrees, counter-clockwise. */
  rotation = 0;
  /** Colour in the editor. */
  readonly color = new Color(0.38, 0.94, 0, 1);

  constructor(name: string) {
    super(name);
  }

  /** World position, written to `point`. */
  computeWorldPosition<V extends { x: number; y: number }>(bone: BonePose, point: V): V {
    point.x = this.x * bone.a + this.y * bone.b + bone.worldX;
    point.y = this.x * bone.c + this.y * bone.d + bone.worldY;
    return point;
  }

  /** World rotation in degrees. */
  computeWorldRotation(bone: BonePose): number {
    const radians = this.rotation * MathUtils.degRad;
    const cos = Math.cos(radians);
    const sin = Math.sin(radians);
    return MathUtils.atan2Deg(cos * bone.c + sin * bone.d, cos * bone.a + sin * bone.b);
  }

  override copy(): PointAttachment {
    const copy = new PointAttachment(this.name);
    this.copyTo(copy);
    copy.x = this.x;
    copy.y = this.y;
    copy.rotation = this.rotation;
    copy.color.setFromColor(this.color);
    return copy;
  }
}
