import { AttachmentKind } from "../../../assembly/layout/attachment.js";
import { ProgramField } from "../../../assembly/layout/rig2d.js";
import { heap } from "../../wasm/heap.js";
import { transformQuad } from "../model/bone-pose.js";
import type { Slot } from "../model/slot.js";
import type { SlotPose } from "../model/slot-pose.js";
import type { TextureRegion } from "../texture.js";
import { Color } from "../utils/color.js";
import { MathUtils } from "../utils/math-utils.js";
import type { NumberArrayLike } from "../utils/utils.js";
import { Attachment } from "./attachment.js";
import type { HasSequence } from "./has-sequence.js";
import { refreshRecord } from "./record.js";
import { quadUVs } from "./region-uvs.js";
import { Sequence } from "./sequence.js";

/** An attachment that shows a textured quad. */
export class RegionAttachment extends Attachment implements HasSequence {
  /** @internal */
  override readonly _kind = AttachmentKind.REGION;
  // Where a renderer that interleaves position, colour and texture coordinates finds the values of the four corners.
  static readonly X1 = 0;
  static readonly Y1 = 1;
  static readonly C1R = 2;
  static readonly C1G = 3;
  static readonly C1B = 4;
  static readonly C1A = 5;
  static readonly U1 = 6;
  static readonly V1 = 7;
  static readonly X2 = 8;
  static readonly Y2 = 9;
  static readonly C2R = 10;
  static readonly C2G = 11;
  static readonly C2B = 12;
  static readonly C2A = 13;
  static readonly U2 = 14;
  static readonly V2 = 15;
  static readonly X3 = 16;
  static readonly Y3 = 17;
  static readonly C3R = 18;
  static readonly C3G = 19;
  static readonly C3B = 20;
  static readonly C3A = 21;
  static readonly U3 = 22;
  static readonly V3 = 23;
  static readonly X4 = 24;
  static readonly Y4 = 25;
  static readonly C4R = 26;
  static readonly C4G = 27;
  static readonly C4B = 28;
  static readonly C4A = 29;
  static readonly U4 = 30;
  static readonly V4 = 31;

  readonly sequence: Sequence;
  /** Local position of the centre. */
  x = 0;
  y = 0;
  scaleX = 1;
  scaleY = 1;
  /** Local rotation in degrees, counter-clockwise. */
  rotation = 0;
  /** Size of the untrimmed image in local units. */
  width = 0;
  height = 0;
  path: string | undefined = undefined;
  readonly color = new Color(1, 1, 1, 1);
  /** @internal */
  readonly tempColor = new Color(1, 1, 1, 1);

  constructor(name: string, sequence: Sequence) {
    super(name);
    this.sequence = sequence;
  }

  /** A copy that follows no timelines of this attachment, as in the official runtime. */
  override copy(): RegionAttachment {
    const copy = new RegionAttachment(this.name, this.sequence.copy());
    copy.x = this.x;
    copy.y = this.y;
    copy.scaleX = this.scaleX;
    copy.scaleY = this.scaleY;
    copy.rotation = this.rotation;
    copy.width = this.width;
    copy.height = this.height;
    copy.path = this.path;
    copy.color.setFromColor(this.color);
    return copy;
  }

  /** Computes corners and texture coordinates. Call it after a change of regions, placement or size. */
  updateSequence(): void {
    this.sequence.update(this);
  }

  /** @internal */
  _updateFrames(sequence: Sequence): void {
    const frames = sequence.regions.length;
    if (sequence.uvs.length > frames) sequence.uvs.length = frames;
    if (sequence.offsets.length > frames) sequence.offsets.length = frames;
    for (let i = 0; i < frames; i++) {
      const uvs = (sequence.uvs[i] ??= new Float32Array(8));
      const offsets = (sequence.offsets[i] ??= [0, 0, 0, 0, 0, 0, 0, 0]);
      const region = sequence.regions[i] ?? null;
      RegionAttachment.computeUVs(
        region, this.x, this.y, this.scaleX, this.scaleY, this.rotation, this.width, this.height, offsets, uvs,
      );
    }
    if (this._record !== 0) refreshRecord(this);
  }

  /** The corners of the frame that a slot shows: x, y of bottom left, top left, top right, bottom right. */
  getOffsets(pose: SlotPose): NumberArrayLike {
    return this.sequence.offsets[this.sequence.resolveIndex(pose)]!;
  }

  /**
   * Transforms the four corners to world coordinates.
   * @param vertexOffsets - from `getOffsets`
   * @param worldVertices - receives x, y at `offset`, `offset + stride`, ...: bottom left, top left, top right, bottom right
   */
  computeWorldVertices(
    slot: Slot,
    vertexOffsets: ArrayLike<number>,
    worldVertices: NumberArrayLike,
    offset: number,
    stride: number,
  ): void {
    const { skeleton, bone } = slot;
    const program = skeleton._program;
    const { index } = bone.data;
    if (program === 0 || skeleton.bones[index] !== bone) {
      bone.appliedPose._transformQuad(vertexOffsets, worldVertices, offset, stride);
      return;
    }
    // The program knows where the pose lies: its object, which nothing else needs in a frame, is not looked at.
    const table = heap.u32[(program + ProgramField.BONE_APPLIED) >> 2]! >> 2;
    transformQuad(heap.f32, skeleton._base + heap.i32[table + index]!, vertexOffsets, worldVertices, offset, stride);
  }

  /**
   * Corners and texture coordinates of a region.
   * @param region - null for a missing image: the quad covers width x height
   * @param offsets - receives 8 values
   * @param uvs - receives 8 values
   */
  static computeUVs(
    region: TextureRegion | null,
    x: number,
    y: number,
    scaleX: number,
    scaleY: number,
    rotation: number,
    width: number,
    height: number,
    offsets: NumberArrayLike,
    uvs: NumberArrayLike,
  ): void {
    // A region without a size (a placeholder) covers the whole quad, too.
    const sized = region !== null && region.originalWidth !== 0 && region.originalHeight !== 0;
    const perPixelX = sized ? (width / region.originalWidth) * scaleX : scaleX;
    const perPixelY = sized ? (height / region.originalHeight) * scaleY : scaleY;
    const left = (-width / 2) * scaleX + (sized ? region.offsetX * perPixelX : 0);
    const bottom = (-height / 2) * scaleY + (sized ? region.offsetY * perPixelY : 0);
    const right = left + (sized ? region.width : width) * perPixelX;
    const top = bottom + (sized ? region.height : height) * perPixelY;
    const radians = rotation * MathUtils.degRad;
    const cos = Math.cos(radians);
    const sin = Math.sin(radians);
    offsets[0] = x + left * cos - bottom * sin;
    offsets[1] = y + left * sin + bottom * cos;
    offsets[2] = x + left * cos - top * sin;
    offsets[3] = y + left * sin + top * cos;
    offsets[4] = x + right * cos - top * sin;
    offsets[5] = y + right * sin + top * cos;
    offsets[6] = x + right * cos - bottom * sin;
    offsets[7] = y + right * sin + bottom * cos;
    quadUVs(region, uvs);
  }
}
