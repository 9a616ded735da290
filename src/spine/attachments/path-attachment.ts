import { AttachmentKind } from "../../../assembly/layout/attachment.js";
import { handOut, isHandedOut, isSame } from "../edits.js";
import { Color } from "../utils/color.js";
import { refreshRecord } from "./record.js";
import { VertexAttachment } from "./vertex-attachment.js";

/** An attachment whose vertices are the points of a chain of cubic Bezier curves, for path constraints. */
export class PathAttachment extends VertexAttachment {
  /** @internal */
  override readonly _kind = AttachmentKind.PATH;
  #lengths: number[] = [];
  #knownLengths: number[] | null = null;
  #closed = false;
  #constantSpeed = false;
  /** Colour in the editor. */
  readonly color = new Color(1, 1, 1, 1);

  constructor(name: string) {
    super(name);
  }

  /** Length along the path from its start to the end of each curve, in the setup pose. */
  get lengths(): number[] {
    return handOut(this.#lengths);
  }
  set lengths(value: number[]) {
    this._setLengths(handOut(value));
  }

  /** Sets a list that nobody else has. @internal */
  _setLengths(value: number[]): void {
    this.#lengths = value;
    if (this._record !== 0) refreshRecord(this);
  }

  /** Whether the last point leads back to the first. */
  get closed(): boolean {
    return this.#closed;
  }
  set closed(value: boolean) {
    this.#closed = value;
    if (this._record !== 0) refreshRecord(this);
  }

  /** Whether positions are measured along the real curve, so that movement along it has a constant speed. */
  get constantSpeed(): boolean {
    return this.#constantSpeed;
  }
  set constantSpeed(value: boolean) {
    this.#constantSpeed = value;
    if (this._record !== 0) refreshRecord(this);
  }

  /** @internal */
  get _lengths(): readonly number[] {
    return this.#lengths;
  }

  /** @internal */
  override _isHandedOut(): boolean {
    return super._isHandedOut() || isHandedOut(this.#lengths);
  }

  /** @internal */
  override _isKnown(): boolean {
    return this.#knownLengths !== null && isSame(this.#lengths, this.#knownLengths) && super._isKnown();
  }

  /** @internal */
  override _remember(): void {
    super._remember();
    this.#knownLengths = this.#lengths.slice();
  }

  override copy(): PathAttachment {
    const copy = new PathAttachment(this.name);
    this.copyTo(copy);
    copy._setLengths(this.#lengths.slice());
    copy.closed = this.#closed;
    copy.constantSpeed = this.#constantSpeed;
    copy.color.setFromColor(this.color);
    return copy;
  }
}
