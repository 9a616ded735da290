import type { Color } from "../utils/color.js";
import type { Sequence } from "./sequence.js";

/** An attachment that shows one or more texture regions. */
export interface HasSequence {
  /** Base path of the images. */
  path: string | undefined;
  /** Tint, multiplied with the slot's colour. */
  readonly color: Color;
  readonly sequence: Sequence;
  /** Calls `sequence.update` for this attachment. */
  updateSequence(): void;
  /** Fills the tables of a sequence for this attachment. @internal */
  _updateFrames(sequence: Sequence): void;
}
