import type { BoundingBoxAttachment } from "../attachments/bounding-box-attachment.js";
import type { ClippingAttachment } from "../attachments/clipping-attachment.js";
import type { MeshAttachment } from "../attachments/mesh-attachment.js";
import type { PathAttachment } from "../attachments/path-attachment.js";
import type { PointAttachment } from "../attachments/point-attachment.js";
import type { RegionAttachment } from "../attachments/region-attachment.js";
import type { Sequence } from "../attachments/sequence.js";
import type { Skin } from "../model/skin.js";

/**
 * Makes the attachments of a skeleton that is being loaded. Implement it to load attachments in another way or of other
 * classes. A method that returns null leaves the attachment out; for a mesh, also its linked meshes.
 */
export interface AttachmentLoader {
  /** @param sequence - its `regions` are to be filled in; start, digits and setup index are set */
  newRegionAttachment(skin: Skin, placeholder: string, name: string, path: string, sequence: Sequence): RegionAttachment | null;
  /** @param sequence - its `regions` are to be filled in; start, digits and setup index are set */
  newMeshAttachment(skin: Skin, placeholder: string, name: string, path: string, sequence: Sequence): MeshAttachment | null;
  newBoundingBoxAttachment(skin: Skin, placeholder: string, name: string): BoundingBoxAttachment | null;
  newPathAttachment(skin: Skin, placeholder: string, name: string): PathAttachment | null;
  newPointAttachment(skin: Skin, placeholder: string, name: string): PointAttachment | null;
  newClippingAttachment(skin: Skin, placeholder: string, name: string): ClippingAttachment | null;
}
