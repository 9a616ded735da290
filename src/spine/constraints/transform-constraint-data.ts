import { FROM_BYTES, TO_BYTES, TransformField } from "../../../assembly/layout/update.js";
import { heap } from "../../wasm/heap.js";
import type { BoneData } from "../data/bone-data.js";
import type { Skeleton } from "../model/skeleton.js";
import type { PoseStore } from "../pose-store.js";
import type { FromProperty } from "./from-property.js";
import { KernelConstraintData } from "./kernel-constraint-data.js";
import { TransformConstraint } from "./transform-constraint.js";
import { TransformConstraintPose } from "./transform-constraint-pose.js";

/** The setup of a transform constraint. */
export class TransformConstraintData extends KernelConstraintData<TransformConstraint, TransformConstraintPose> {
  /** Index of the rotation offset in `offsets`. */
  static readonly ROTATION = 0;
  static readonly X = 1;
  static readonly Y = 2;
  static readonly SCALEX = 3;
  static readonly SCALEY = 4;
  static readonly SHEARY = 5;

  /** The bones that are changed, in order. */
  readonly bones: BoneData[] = [];
  /** The bone whose transform is read. */
  source: BoneData = null!;
  /** Offsets added to what is read, by the indices above. `Skeleton.updateCache` takes over direct edits. */
  readonly offsets: number[] = [0, 0, 0, 0, 0, 0];
  /** Which properties drive which. `Skeleton.updateCache` takes over edits. */
  readonly properties: FromProperty[] = [];
  #localSource = false;
  #localTarget = false;
  #additive = false;
  #clamp = false;

  constructor(name: string) {
    super(name, new TransformConstraintPose()._asSetup());
  }

  /** Whether local values of the source are read instead of world values. */
  get localSource(): boolean {
    return this.#localSource;
  }
  set localSource(value: boolean) {
    this.#localSource = value;
    this._touch();
  }

  /** Whether local values of the bones are set instead of world values. */
  get localTarget(): boolean {
    return this.#localTarget;
  }
  set localTarget(value: boolean) {
    this.#localTarget = value;
    this._touch();
  }

  /** Whether values are added instead of set. */
  get additive(): boolean {
    return this.#additive;
  }
  set additive(value: boolean) {
    this.#additive = value;
    this._touch();
  }

  /** Whether values are kept between `ToProperty.offset` and `ToProperty.max`. */
  get clamp(): boolean {
    return this.#clamp;
  }
  set clamp(value: boolean) {
    this.#clamp = value;
    this._touch();
  }

  /** Degrees added to the rotation that is read. */
  get offsetRotation(): number {
    return this.offsets[0]!;
  }
  set offsetRotation(value: number) {
    this.offsets[0] = value;
    this._touch();
  }

  getOffsetRotation(): number {
    return this.offsets[0]!;
  }

  setOffsetRotation(value: number): void {
    this.offsetRotation = value;
  }

  /** Added along the source's x axis. */
  get offsetX(): number {
    return this.offsets[1]!;
  }
  set offsetX(value: number) {
    this.offsets[1] = value;
    this._touch();
  }

  getOffsetX(): number {
    return this.offsets[1]!;
  }

  setOffsetX(value: number): void {
    this.offsetX = value;
  }

  /** Added along the source's y axis. */
  get offsetY(): number {
    return this.offsets[2]!;
  }
  set offsetY(value: number) {
    this.offsets[2] = value;
    this._touch();
  }

  getOffsetY(): number {
    return this.offsets[2]!;
  }

  setOffsetY(value: number): void {
    this.offsetY = value;
  }

  /** Added to the scaleX that is read. */
  get offsetScaleX(): number {
    return this.offsets[3]!;
  }
  set offsetScaleX(value: number) {
    this.offsets[3] = value;
    this._touch();
  }

  getOffsetScaleX(): number {
    return this.offsets[3]!;
  }

  setOffsetScaleX(value: number): void {
    this.offsetScaleX = value;
  }

  /** Added to the scaleY that is read. */
  get offsetScaleY(): number {
    return this.offsets[4]!;
  }
  set offsetScaleY(value: number) {
    this.offsets[4] = value;
    this._touch();
  }

  getOffsetScaleY(): number {
    return this.offsets[4]!;
  }

  setOffsetScaleY(value: number): void {
    this.offsetScaleY = value;
  }

  /** Degrees added to the shearY that is read. */
  get offsetShearY(): number {
    return this.offsets[5]!;
  }
  set offsetShearY(value: number) {
    this.offsets[5] = value;
    this._touch();
  }

  getOffsetShearY(): number {
    return this.offsets[5]!;
  }

  setOffsetShearY(value: number): void {
    this.offsetShearY = value;
  }

  override create(skeleton: Skeleton): TransformConstraint {
    return new TransformConstraint(this, skeleton);
  }

  /** @internal */
  override _poseIn(store: PoseStore, row: number): TransformConstraintPose {
    return new TransformConstraintPose(store, row);
  }

  /** @internal */
  protected override _recordBytes(): number {
    let bytes = TransformField.PROPERTIES as number;
    for (const from of this.properties) bytes += FROM_BYTES + from.to.length * TO_BYTES;
    return bytes;
  }

  /** @internal */
  protected override _writeRecord(record: number): void {
    const { f32, i32 } = heap;
    i32[(record + TransformField.LOCAL_SOURCE) >> 2] = Number(this.#localSource);
    i32[(record + TransformField.LOCAL_TARGET) >> 2] = Number(this.#localTarget);
    i32[(record + TransformField.ADDITIVE) >> 2] = Number(this.#additive);
    i32[(record + TransformField.CLAMP) >> 2] = Number(this.#clamp);
    for (let i = 0; i < 6; i++) f32[((record + TransformField.OFFSETS) >> 2) + i] = this.offsets[i]!;
    i32[(record + TransformField.COUNT) >> 2] = this.properties.length;
    let at = (record + TransformField.PROPERTIES) >> 2;
    for (const from of this.properties) {
      i32[at] = from._property;
      f32[at + 1] = from.offset;
      i32[at + 2] = from.to.length;
      at += FROM_BYTES >> 2;
      for (const to of from.to) {
        i32[at] = to._property;
        f32[at + 1] = to.offset;
        f32[at + 2] = to.scale;
        f32[at + 3] = Math.min(to.offset, to.max);
        f32[at + 4] = Math.max(to.offset, to.max);
        at += TO_BYTES >> 2;
      }
    }
  }
}
