import { AttachmentKind } from "../../../assembly/layout/attachment.js";
import type { SlotData } from "../data/slot-data.js";
import { Color } from "../utils/color.js";
import { VertexAttachment } from "./vertex-attachment.js";

/** A polygon that clips what is drawn between its slot and `endSlot`. */
export class ClippingAttachment extends VertexAttachment {
  /** @internal */
  override readonly _kind = AttachmentKind.CLIPPING;
  /** The slot after which clipping ends; null to clip until the end of the skeleton. */
  endSlot: SlotData | null = null;
  /** True to treat the polygon as convex, which is cheaper; its convex hull is used. */
  convex = false;
  /** True to show what lies outside. Inverse clipping always uses the convex hull. */
  inverse = false;
  /** Colour in the editor. */
  readonly color = new Color(0.2275, 0.2275, 0.8078, 1);

  constructor(name: string) {
    super(name);
  }

  override copy(): ClippingAttachment {
    const copy = new ClippingAttachment(this.name);
    this.copyTo(copy);
    copy.endSlot = this.endSlot;
    copy.convex = this.convex;
    copy.inverse = this.inverse;
    copy.color.setFromColor(this.color);
    return copy;
  }
}
