import { handOut, isHandedOut, isSame } from "../edits.js";
import type { Skeleton } from "../model/skeleton.js";
import type { Slot } from "../model/slot.js";
import type { NumberArrayLike } from "../utils/utils.js";
import { Attachment } from "./attachment.js";
import { refreshRecord } from "./record.js";
import { computeVertices } from "./vertices.js";

let nextId = 0;

/** Base of attachments whose vertices are moved by one or more bones and can be deformed. */
export abstract class VertexAttachment extends Attachment {
  /** Unique among vertex attachments. */
  readonly id = nextId++;
  #bones: number[] | null = null;
  #vertices: NumberArrayLike = [];
  #worldVerticesLength = 0;
  /** What the arrays held when the record was written, if a program may edit them. */
  #knownVertices: number[] | null = null;
  #knownBones: number[] | null = null;

  constructor(name: string);
  /** Copies the vertices of another attachment, under its name. */
  constructor(other: VertexAttachment);
  constructor(nameOrOther: string | VertexAttachment) {
    super(typeof nameOrOther === "string" ? nameOrOther : nameOrOther.name);
    if (typeof nameOrOther !== "string") nameOrOther.copyTo(this);
  }

  /**
   * For each vertex the number of bones that move it, then that many indices of `Skeleton.bones`; null without weights.
   */
  get bones(): number[] | null {
    return this.#bones === null ? null : handOut(this.#bones);
  }
  set bones(value: number[] | null) {
    this.#bones = value === null ? null : handOut(value);
    if (this._record !== 0) refreshRecord(this);
  }

  /**
   * Without weights x, y for each vertex in the space of the slot's bone; with weights x, y, weight for each bone of each
   * vertex. The array may be edited: whoever takes it makes the attachment look for changes each time it is used.
   */
  get vertices(): NumberArrayLike {
    return handOut(this.#vertices);
  }
  set vertices(value: NumberArrayLike) {
    this.#vertices = handOut(value);
    if (this._record !== 0) refreshRecord(this);
  }

  /** Twice the number of vertices. */
  get worldVerticesLength(): number {
    return this.#worldVerticesLength;
  }
  set worldVerticesLength(value: number) {
    this.#worldVerticesLength = value;
    if (this._record !== 0) refreshRecord(this);
  }

  /** `bones` for the library itself, which does not edit them. @internal */
  get _bones(): readonly number[] | null {
    return this.#bones;
  }

  /** `vertices` for the library itself, which does not edit them. @internal */
  get _vertices(): ArrayLike<number> {
    return this.#vertices;
  }

  /** Sets arrays that nobody else has. @internal */
  _setVertices(bones: number[] | null, vertices: NumberArrayLike, worldVerticesLength: number): void {
    this.#bones = bones;
    this.#vertices = vertices;
    this.#worldVerticesLength = worldVerticesLength;
    if (this._record !== 0) refreshRecord(this);
  }

  /** Announces that elements of `vertices`, `bones` or further fields were edited in place; they are also found without. */
  refresh(): void {
    if (this._record !== 0) refreshRecord(this);
  }

  /** Brings the record up to date with arrays that a program may have edited. @internal */
  _noticeEdits(): void {
    if (this._record === 0 || !this._isHandedOut()) return;
    if (this._isKnown()) return;
    this._remember();
    refreshRecord(this);
  }

  /** @internal */
  _isHandedOut(): boolean {
    return isHandedOut(this.#vertices) || (this.#bones !== null && isHandedOut(this.#bones));
  }

  /** Whether the arrays hold what they held when the record was written. Allocates nothing. @internal */
  _isKnown(): boolean {
    const vertices = this.#knownVertices;
    const bones = this.#knownBones;
    if (vertices === null || !isSame(this.#vertices, vertices)) return false;
    return this.#bones === null ? bones === null : bones !== null && isSame(this.#bones, bones);
  }

  /** @internal */
  _remember(): void {
    this.#knownVertices = Array.from(this.#vertices);
    this.#knownBones = this.#bones === null ? null : this.#bones.slice();
  }

  /**
   * Computes world positions of vertices, with the slot's deform values if there are any.
   * @param start - index of the first value of `vertices` in world terms: twice the index of the first vertex
   * @param count - number of values: twice the number of vertices, at most `worldVerticesLength - start`
   * @param worldVertices - receives x, y at `offset`, `offset + stride`, ...
   * @param stride - 2 or more
   */
  computeWorldVertices(
    skeleton: Skeleton,
    slot: Slot,
    start: number,
    count: number,
    worldVertices: NumberArrayLike,
    offset: number,
    stride: number,
  ): void {
    computeVertices(this, skeleton, slot, start, count, worldVertices, offset, stride);
  }

  /** Copies bones, vertices and timeline links to another attachment. */
  copyTo(attachment: VertexAttachment): void {
    attachment.#bones = this.#bones === null ? null : this.#bones.slice();
    attachment.#vertices = this.#vertices.slice();
    attachment.#worldVerticesLength = this.#worldVerticesLength;
    attachment.timelineAttachment = this.timelineAttachment;
    attachment.timelineSlots = this.timelineSlots;
    if (attachment._record !== 0) refreshRecord(attachment);
  }

  /** Shares bones and vertices with another attachment. @internal */
  _shareVertices(source: VertexAttachment): void {
    this.#bones = source.#bones;
    this.#vertices = source.#vertices;
    this.#worldVerticesLength = source.#worldVerticesLength;
    if (this._record !== 0) refreshRecord(this);
  }
}
