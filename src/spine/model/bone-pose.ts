import { ArgumentError } from "../../errors.js";
import { BoneRow } from "../../../assembly/layout/rig2d.js";
import { heap } from "../../wasm/heap.js";
import type { Inherit, Physics } from "../enums.js";
import { NO_BASE, setupEdits, type PoseStore } from "../pose-store.js";
import { setLocalOfBone, setWorldOfBone, touchLocal, touchWorld } from "./bone-transform.js";
import type { Bone } from "./bone.js";
import type { Pose, Update } from "./posed.js";
import type { Skeleton } from "./skeleton.js";
import { MathUtils } from "../utils/math-utils.js";
import type { NumberArrayLike } from "../utils/utils.js";

/** Values that a pose outside a block starts with. */
const ZEROS: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
const NO_STORE: PoseStore = { _base: NO_BASE };

/**
 * Local pose and world transform of a bone.
 *
 * The pose of a skeleton's bone is a window on the skeleton's block in linear memory: what is written here is what the
 * kernels read. A pose made with `new BonePose()`, like those of setup data, keeps its values itself.
 */
export class BonePose implements Pose, Update {
  /** The bone this pose belongs to. Setup poses and poses of one's own have none. */
  bone!: Bone;
  /** @internal */
  readonly _store: PoseStore;
  /** @internal First row in the block. */
  readonly _row: number;
  /** @internal Index of the first row in `heap.f32`. The block of a skeleton does not move. */
  _at: number;
  /** @internal Values by row, null for a window on a block. */
  readonly _own: number[] | null;
  /** @internal True for setup poses: edits must reach the rig's copy. */
  _setup = false;

  constructor();
  /** @internal */
  constructor(store: PoseStore, row: number);
  constructor(store?: PoseStore, row = 0) {
    this._store = store ?? NO_STORE;
    this._row = row;
    this._at = this._store._base + row;
    this._own = store === undefined ? [...ZEROS] : null;
  }

  /** @internal */
  static _setupPose(): BonePose {
    const pose = new BonePose();
    pose._setup = true;
    return pose;
  }

  /** Local x translation. */
  get x(): number {
    return this._own === null ? heap.f32[this._at + BoneRow.X]! : this._own[BoneRow.X]!;
  }
  set x(value: number) {
    if (this._own === null) heap.f32[this._at + BoneRow.X] = value;
    else this._write(BoneRow.X, value);
  }

  /** Local y translation. */
  get y(): number {
    return this._own === null ? heap.f32[this._at + BoneRow.Y]! : this._own[BoneRow.Y]!;
  }
  set y(value: number) {
    if (this._own === null) heap.f32[this._at + BoneRow.Y] = value;
    else this._write(BoneRow.Y, value);
  }

  /** Local rotation in degrees, counter-clockwise. */
  get rotation(): number {
    return this._own === null ? heap.f32[this._at + BoneRow.ROTATION]! : this._own[BoneRow.ROTATION]!;
  }
  set rotation(value: number) {
    if (this._own === null) heap.f32[this._at + BoneRow.ROTATION] = value;
    else this._write(BoneRow.ROTATION, value);
  }

  get scaleX(): number {
    return this._own === null ? heap.f32[this._at + BoneRow.SCALE_X]! : this._own[BoneRow.SCALE_X]!;
  }
  set scaleX(value: number) {
    if (this._own === null) heap.f32[this._at + BoneRow.SCALE_X] = value;
    else this._write(BoneRow.SCALE_X, value);
  }

  get scaleY(): number {
    return this._own === null ? heap.f32[this._at + BoneRow.SCALE_Y]! : this._own[BoneRow.SCALE_Y]!;
  }
  set scaleY(value: number) {
    if (this._own === null) heap.f32[this._at + BoneRow.SCALE_Y] = value;
    else this._write(BoneRow.SCALE_Y, value);
  }

  /** Local shear of the x axis in degrees. */
  get shearX(): number {
    return this._own === null ? heap.f32[this._at + BoneRow.SHEAR_X]! : this._own[BoneRow.SHEAR_X]!;
  }
  set shearX(value: number) {
    if (this._own === null) heap.f32[this._at + BoneRow.SHEAR_X] = value;
    else this._write(BoneRow.SHEAR_X, value);
  }

  /** Local shear of the y axis in degrees. */
  get shearY(): number {
    return this._own === null ? heap.f32[this._at + BoneRow.SHEAR_Y]! : this._own[BoneRow.SHEAR_Y]!;
  }
  set shearY(value: number) {
    if (this._own === null) heap.f32[this._at + BoneRow.SHEAR_Y] = value;
    else this._write(BoneRow.SHEAR_Y, value);
  }

  /** How the parent's world transform affects this bone. */
  get inherit(): Inherit {
    return this._own === null ? heap.i32[this._at + BoneRow.INHERIT]! : this._own[BoneRow.INHERIT]!;
  }
  set inherit(value: Inherit) {
    if (this._own === null) heap.i32[this._at + BoneRow.INHERIT] = value;
    else this._write(BoneRow.INHERIT, value);
  }

  /** World matrix `[a b][c d]`: x axis, x component. */
  get a(): number {
    return this._own === null ? heap.f32[this._at + BoneRow.A]! : this._own[BoneRow.A]!;
  }
  set a(value: number) {
    if (this._own === null) heap.f32[this._at + BoneRow.A] = value;
    else this._own[BoneRow.A] = value;
  }

  /** World matrix: y axis, x component. */
  get b(): number {
    return this._own === null ? heap.f32[this._at + BoneRow.B]! : this._own[BoneRow.B]!;
  }
  set b(value: number) {
    if (this._own === null) heap.f32[this._at + BoneRow.B] = value;
    else this._own[BoneRow.B] = value;
  }

  /** World matrix: x axis, y component. */
  get c(): number {
    return this._own === null ? heap.f32[this._at + BoneRow.C]! : this._own[BoneRow.C]!;
  }
  set c(value: number) {
    if (this._own === null) heap.f32[this._at + BoneRow.C] = value;
    else this._own[BoneRow.C] = value;
  }

  /** World matrix: y axis, y component. */
  get d(): number {
    return this._own === null ? heap.f32[this._at + BoneRow.D]! : this._own[BoneRow.D]!;
  }
  set d(value: number) {
    if (this._own === null) heap.f32[this._at + BoneRow.D] = value;
    else this._own[BoneRow.D] = value;
  }

  get worldX(): number {
    return this._own === null ? heap.f32[this._at + BoneRow.WORLD_X]! : this._own[BoneRow.WORLD_X]!;
  }
  set worldX(value: number) {
    if (this._own === null) heap.f32[this._at + BoneRow.WORLD_X] = value;
    else this._own[BoneRow.WORLD_X] = value;
  }

  get worldY(): number {
    return this._own === null ? heap.f32[this._at + BoneRow.WORLD_Y]! : this._own[BoneRow.WORLD_Y]!;
  }
  set worldY(value: number) {
    if (this._own === null) heap.f32[this._at + BoneRow.WORLD_Y] = value;
    else this._own[BoneRow.WORLD_Y] = value;
  }

  /** Number of the update in which the world values became valid. @internal */
  get world(): number {
    return this._own === null ? heap.i32[this._at + BoneRow.WORLD_TAG]! : this._own[BoneRow.WORLD_TAG]!;
  }
  set world(value: number) {
    if (this._own === null) heap.i32[this._at + BoneRow.WORLD_TAG] = value;
    else this._own[BoneRow.WORLD_TAG] = value;
  }

  /** Number of the update in which the world values were edited, so that the local ones are stale. @internal */
  get local(): number {
    return this._own === null ? heap.i32[this._at + BoneRow.LOCAL_TAG]! : this._own[BoneRow.LOCAL_TAG]!;
  }
  set local(value: number) {
    if (this._own === null) heap.i32[this._at + BoneRow.LOCAL_TAG] = value;
    else this._own[BoneRow.LOCAL_TAG] = value;
  }

  /** Transforms four points (x, y each) to world coordinates. @internal */
  _transformQuad(points: ArrayLike<number>, out: NumberArrayLike, offset: number, stride: number): void {
    if (this._own === null) transformQuad(heap.f32, this._at, points, out, offset, stride);
    else transformQuad(this._own, 0, points, out, offset, stride);
  }
  /** @internal */
  _write(row: number, value: number): void {
    this._own![row] = value;
    if (this._setup) setupEdits.count++;
  }

  /** Takes over the local values and the inherit mode; the world transform stays. */
  set(pose: BonePose): void {
    this.x = pose.x;
    this.y = pose.y;
    this.rotation = pose.rotation;
    this.scaleX = pose.scaleX;
    this.scaleY = pose.scaleY;
    this.shearX = pose.shearX;
    this.shearY = pose.shearY;
    this.inherit = pose.inherit;
  }

  /** Sets the local translation. */
  setPosition(x: number, y: number): void {
    this.x = x;
    this.y = y;
  }

  /** Sets the local scale; one number sets both axes. */
  setScale(scaleX: number, scaleY: number = scaleX): void {
    this.scaleX = scaleX;
    this.scaleY = scaleY;
  }

  getInherit(): Inherit {
    return this.inherit;
  }

  setInherit(inherit: Inherit): void {
    if (inherit == null) throw new ArgumentError("inherit cannot be null. Give one of the values of Inherit.");
    this.inherit = inherit;
  }

  /** Computes the world transform unless this update has done so already. */
  update(skeleton: Skeleton, _physics?: Physics): void {
    if (this.world !== skeleton._update) this.updateWorldTransform(skeleton);
  }

  /** Computes the world transform from the parent's world transform and the local values. Children are not updated. */
  updateWorldTransform(skeleton: Skeleton): void {
    setWorldOfBone(skeleton, this);
  }

  /**
   * Computes the local values from the world transform. Some information is ambiguous in a world transform (-1, -1 scale
   * and 180 degrees rotation, say): the result is equivalent to, not always identical with what the transform was made from.
   */
  updateLocalTransform(skeleton: Skeleton): void {
    setLocalOfBone(skeleton, this);
  }

  /**
   * Calls `updateLocalTransform` if a constraint has modified the world transform, so that the local values no longer
   * match. Call it after `Skeleton.updateWorldTransform` and before reading local values of the applied pose.
   */
  validateLocalTransform(skeleton: Skeleton): void {
    if (this.local === skeleton._update) this.updateLocalTransform(skeleton);
  }

  /** Announces that local values are about to change. @internal */
  modifyLocal(skeleton: Skeleton): void {
    touchLocal(skeleton, this);
  }

  /** Announces that world values are about to change. @internal */
  modifyWorld(update: number): void {
    touchWorld(this, update);
  }

  /** World rotation of the x axis in degrees: the direction the bone points to. */
  getWorldRotationX(): number {
    return MathUtils.atan2Deg(this.c, this.a);
  }

  /** World rotation of the y axis in degrees. */
  getWorldRotationY(): number {
    return MathUtils.atan2Deg(this.d, this.b);
  }

  /** Length of the world x axis, never negative. */
  getWorldScaleX(): number {
    return Math.sqrt(this.a * this.a + this.c * this.c);
  }

  /** Length of the world y axis, never negative. */
  getWorldScaleY(): number {
    return Math.sqrt(this.b * this.b + this.d * this.d);
  }

  get worldRotationX(): number {
    return this.getWorldRotationX();
  }

  get worldRotationY(): number {
    return this.getWorldRotationY();
  }

  get worldScaleX(): number {
    return this.getWorldScaleX();
  }

  get worldScaleY(): number {
    return this.getWorldScaleY();
  }

  /** Transforms a point from world to local coordinates, in place. A bone without area gives (0, 0). */
  worldToLocal<V extends { x: number; y: number }>(world: V): V {
    const { a, b, c, d } = this;
    const det = a * d - b * c;
    const inverse = det === 0 ? 0 : 1 / det;
    const x = world.x - this.worldX;
    const y = world.y - this.worldY;
    world.x = (x * d - y * b) * inverse;
    world.y = (y * a - x * c) * inverse;
    return world;
  }

  /** Transforms a point from local to world coordinates, in place. */
  localToWorld<V extends { x: number; y: number }>(local: V): V {
    const { x, y } = local;
    local.x = x * this.a + y * this.b + this.worldX;
    local.y = x * this.c + y * this.d + this.worldY;
    return local;
  }

  /** Transforms a point from world coordinates to those of the parent bone, in place. A root returns it unchanged. */
  worldToParent<V extends { x: number; y: number }>(world: V): V {
    const parent = this.#parent();
    return parent === null ? world : parent.worldToLocal(world);
  }

  /** Transforms a point from coordinates of the parent bone to world coordinates, in place. A root returns it unchanged. */
  parentToWorld<V extends { x: number; y: number }>(world: V): V {
    const parent = this.#parent();
    return parent === null ? world : parent.localToWorld(world);
  }

  #parent(): BonePose | null {
    const bone = this.bone as Bone | undefined;
    return bone === undefined || bone.parent === null ? null : bone.parent.appliedPose;
  }

  /** Transforms a rotation in degrees from world to local coordinates. */
  worldToLocalRotation(worldRotation: number): number {
    const radians = worldRotation * MathUtils.degRad;
    const sin = Math.sin(radians);
    const cos = Math.cos(radians);
    return MathUtils.atan2Deg(this.a * sin - this.c * cos, this.d * cos - this.b * sin) + this.rotation - this.shearX;
  }

  /** Transforms a rotation in degrees from local to world coordinates. */
  localToWorldRotation(localRotation: number): number {
    const radians = (localRotation - this.rotation - this.shearX) * MathUtils.degRad;
    const sin = Math.sin(radians);
    const cos = Math.cos(radians);
    return MathUtils.atan2Deg(cos * this.c + sin * this.d, cos * this.a + sin * this.b);
  }

  /** Rotates the world transform; translation and local values stay. */
  rotateWorld(degrees: number): void {
    const radians = degrees * MathUtils.degRad;
    const sin = Math.sin(radians);
    const cos = Math.cos(radians);
    const { a, b, c, d } = this;
    this.a = cos * a - sin * c;
    this.b = cos * b - sin * d;
    this.c = sin * a + cos * c;
    this.d = sin * b + cos * d;
  }
}

/** Four points to world coordinates, by the world rows of a pose that begins at `at`. @internal */
export function transformQuad(
  values: ArrayLike<number>, at: number, points: ArrayLike<number>, out: NumberArrayLike, offset: number, stride: number,
): void {
  const a = values[at + BoneRow.A]!;
  const b = values[at + BoneRow.B]!;
  const c = values[at + BoneRow.C]!;
  const d = values[at + BoneRow.D]!;
  const worldX = values[at + BoneRow.WORLD_X]!;
  const worldY = values[at + BoneRow.WORLD_Y]!;
  let x = points[0]!;
  let y = points[1]!;
  out[offset] = x * a + y * b + worldX;
  out[offset + 1] = x * c + y * d + worldY;
  offset += stride;
  x = points[2]!;
  y = points[3]!;
  out[offset] = x * a + y * b + worldX;
  out[offset + 1] = x * c + y * d + worldY;
  offset += stride;
  x = points[4]!;
  y = points[5]!;
  out[offset] = x * a + y * b + worldX;
  out[offset + 1] = x * c + y * d + worldY;
  offset += stride;
  x = points[6]!;
  y = points[7]!;
  out[offset] = x * a + y * b + worldX;
  out[offset + 1] = x * c + y * d + worldY;
}
