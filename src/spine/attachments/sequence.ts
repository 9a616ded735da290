import { ArgumentError } from "../../errors.js";
import type { TextureRegion } from "../texture.js";
import type { NumberArrayLike } from "../utils/utils.js";
import type { HasSequence } from "./has-sequence.js";

let nextId = 0;

/**
 * The texture regions of a region or mesh attachment, with their texture coordinates and, for regions, the offsets of the
 * four corners. Set `regions`, then call `update`.
 */
export class Sequence {
  /** Unique among sequences. */
  readonly id = nextId++;
  /** One region per frame; null for an image that is missing. */
  readonly regions: (TextureRegion | null)[];
  /** Whether `getPath` appends a number. */
  readonly pathSuffix: boolean;
  /** Texture coordinates per frame, filled by `update`. */
  uvs: NumberArrayLike[] = [];
  /** Region attachments: x, y of the four corners per frame, filled by `update`. */
  offsets: NumberArrayLike[] = [];
  /** Number of the first frame in `getPath`. */
  start = 0;
  /** Fewest digits in `getPath`, filled up with zeros. */
  digits = 0;
  /** Frame of the setup pose. */
  setupIndex = 0;

  /**
   * @param count - number of frames
   * @param pathSuffix - whether paths end in a number; without, `count` should be 1
   */
  constructor(count: number, pathSuffix: boolean) {
    if (!(count >= 0 && Number.isInteger(count))) {
      throw new ArgumentError(`A sequence of ${count} regions was asked for, expected a whole number from 0.`, { found: count });
    }
    this.regions = [];
    for (let i = 0; i < count; i++) this.regions.push(null);
    this.pathSuffix = pathSuffix;
  }

  copy(): Sequence {
    const copy = new Sequence(this.regions.length, this.pathSuffix);
    for (let i = 0; i < this.regions.length; i++) copy.regions[i] = this.regions[i]!;
    copy.start = this.start;
    copy.digits = this.digits;
    copy.setupIndex = this.setupIndex;
    copy.uvs = this.uvs.map((uvs) => uvs.slice());
    copy.offsets = this.offsets.map((offsets) => offsets.slice());
    return copy;
  }

  /** Computes texture coordinates and offsets. Call it after a change of regions or of the attachment's fields. */
  update(attachment: HasSequence): void {
    attachment._updateFrames(this);
  }

  /** Index of the region to show: -1 stands for `setupIndex`, too large an index for the last region. */
  resolveIndex(pose: { readonly sequenceIndex: number }): number {
    const last = this.regions.length - 1;
    // Nearly every attachment has one region: the pose need not be looked at.
    if (last === 0) return 0;
    const shown = pose.sequenceIndex;
    const index = shown === -1 ? this.setupIndex : shown;
    return index > last ? last : index < 0 ? 0 : index;
  }

  getRegion(index: number): TextureRegion | null {
    return this.regions[index] ?? null;
  }

  getUVs(index: number): NumberArrayLike {
    return this.uvs[index]!;
  }

  /** Corners of a region attachment. */
  getOffsets(index: number): NumberArrayLike {
    return this.offsets[index]!;
  }

  hasPathSuffix(): boolean {
    return this.pathSuffix;
  }

  /** Path of a frame's image. */
  getPath(basePath: string, index: number): string {
    return this.pathSuffix ? basePath + String(this.start + index).padStart(this.digits, "0") : basePath;
  }
}
