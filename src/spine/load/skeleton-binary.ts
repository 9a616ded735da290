import type { SkeletonData } from "../data/skeleton-data.js";
import { readBinaryDocument } from "./binary/reader.js";
import { SkeletonLoader } from "./skeleton-loader.js";

/**
 * Loads skeletons in the binary format (.skel), exported by Spine 3.7 to 4.3. Older data are upgraded to the 4.3 model;
 * `report` says what could not be kept exactly.
 */
export class SkeletonBinary extends SkeletonLoader {
  static readonly BONE_ROTATE = 0;
  static readonly BONE_TRANSLATE = 1;
  static readonly BONE_TRANSLATEX = 2;
  static readonly BONE_TRANSLATEY = 3;
  static readonly BONE_SCALE = 4;
  static readonly BONE_SCALEX = 5;
  static readonly BONE_SCALEY = 6;
  static readonly BONE_SHEAR = 7;
  static readonly BONE_SHEARX = 8;
  static readonly BONE_SHEARY = 9;
  static readonly BONE_INHERIT = 10;
  static readonly SLOT_ATTACHMENT = 0;
  static readonly SLOT_RGBA = 1;
  static readonly SLOT_RGB = 2;
  static readonly SLOT_RGBA2 = 3;
  static readonly SLOT_RGB2 = 4;
  static readonly SLOT_ALPHA = 5;
  static readonly CONSTRAINT_IK = 0;
  static readonly CONSTRAINT_PATH = 1;
  static readonly CONSTRAINT_TRANSFORM = 2;
  static readonly CONSTRAINT_PHYSICS = 3;
  static readonly CONSTRAINT_SLIDER = 4;
  static readonly ATTACHMENT_DEFORM = 0;
  static readonly ATTACHMENT_SEQUENCE = 1;
  static readonly PATH_POSITION = 0;
  static readonly PATH_SPACING = 1;
  static readonly PATH_MIX = 2;
  static readonly PHYSICS_INERTIA = 0;
  static readonly PHYSICS_STRENGTH = 1;
  static readonly PHYSICS_DAMPING = 2;
  static readonly PHYSICS_MASS = 4;
  static readonly PHYSICS_WIND = 5;
  static readonly PHYSICS_GRAVITY = 6;
  static readonly PHYSICS_MIX = 7;
  static readonly PHYSICS_RESET = 8;
  static readonly SLIDER_TIME = 0;
  static readonly SLIDER_MIX = 1;
  static readonly CURVE_LINEAR = 0;
  static readonly CURVE_STEPPED = 1;
  static readonly CURVE_BEZIER = 2;

  /**
   * @param bytes - contents of the file, which are not changed
   * @throws FormatError with the byte offset of what is wrong: `bad-format`, `truncated`, `missing-reference`,
   *   `unsupported-version`, `limit-exceeded`, or `missing-region` once all regions were looked for
   */
  override readSkeletonData(bytes: Uint8Array | ArrayBuffer): SkeletonData {
    return this.build(readBinaryDocument(bytes, this.file));
  }
}
