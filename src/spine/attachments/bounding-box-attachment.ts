import { AttachmentKind } from "../../../assembly/layout/attachment.js";
import { Color } from "../utils/color.js";
import { VertexAttachment } from "./vertex-attachment.js";

/** A polygon for hit detection and the like. See SkeletonBounds. */
export class BoundingBoxAttachment extends VertexAttachment {
  /** @internal */
  override readonly _kind = AttachmentKind.BOUNDING_BOX;
  /** Colour in the editor. */
  readonly color = new Color(1, 1, 1, 1);

  constructor(name: string) {
    super(name);
  }

  override copy(): BoundingBoxAttachment {
    const copy = new BoundingBoxAttachment(this.name);
    this.copyTo(copy);
    copy.color.setFromColor(this.color);
    return copy;
  }
}
