import type { Skeleton } from "./skeleton.js";

/** Placement of the object that shows a skeleton, in its own world. */
export interface SkeletonPhysicsMovementTransform {
  x: number;
  y: number;
  z: number;
  /** Degrees. */
  rotation: number;
}

/** What the movement needs to know about the object that shows a skeleton. */
export interface SkeletonPhysicsMovementAdapter {
  /** Writes x, y, z and, if `readRotation`, the rotation in degrees. */
  readTransform(out: SkeletonPhysicsMovementTransform, readRotation: boolean): void;
  /** Converts a point of the object's world to skeleton coordinates, in place. */
  worldToSkeleton(point: { x: number; y: number; z: number }): unknown;
}

/** Factors, all 0 by default. */
export interface SkeletonPhysicsMovementOptions {
  positionInheritanceX?: number;
  positionInheritanceY?: number;
  rotationInheritance?: number;
}

/** Converts points between a skeleton, a bone and the world of the game that shows it. */
export interface SkeletonCoordinateConverter {
  skeletonToGame(point: { x: number; y: number }): void;
  gameToSkeleton(point: { x: number; y: number }): void;
  gameToBone(point: { x: number; y: number }, bone: unknown): void;
}

/** Passes movements of the object that shows a skeleton on to the skeleton's physics constraints. */
export class SkeletonPhysicsMovement {
  readonly #skeleton: Skeleton;
  readonly #adapter: SkeletonPhysicsMovementAdapter;
  #factorX: number;
  #factorY: number;
  #rotationFactor: number;
  #hasBaseline = false;
  readonly #now: SkeletonPhysicsMovementTransform = { x: 0, y: 0, z: 0, rotation: 0 };
  readonly #last: SkeletonPhysicsMovementTransform = { x: 0, y: 0, z: 0, rotation: 0 };
  readonly #from = { x: 0, y: 0, z: 0 };
  readonly #to = { x: 0, y: 0, z: 0 };

  constructor(skeleton: Skeleton, adapter: SkeletonPhysicsMovementAdapter, options: SkeletonPhysicsMovementOptions = {}) {
    this.#skeleton = skeleton;
    this.#adapter = adapter;
    this.#factorX = options.positionInheritanceX ?? 0;
    this.#factorY = options.positionInheritanceY ?? 0;
    this.#rotationFactor = options.rotationInheritance ?? 0;
  }

  /** How much of a movement along x physics feel; 0 for none, 1 for all. */
  get positionInheritanceX(): number {
    return this.#factorX;
  }
  set positionInheritanceX(value: number) {
    this.setPositionInheritance(value, this.#factorY);
  }

  get positionInheritanceY(): number {
    return this.#factorY;
  }
  set positionInheritanceY(value: number) {
    this.setPositionInheritance(this.#factorX, value);
  }

  setPositionInheritance(x: number, y: number): void {
    const starts = this.#factorX === 0 && this.#factorY === 0 && (x !== 0 || y !== 0);
    this.#factorX = x;
    this.#factorY = y;
    if (starts) this.resetPosition();
  }

  /** How much of a rotation physics feel. */
  get rotationInheritance(): number {
    return this.#rotationFactor;
  }
  set rotationInheritance(value: number) {
    const starts = this.#rotationFactor === 0 && value !== 0;
    this.#rotationFactor = value;
    if (starts) this.resetRotation();
  }

  /** Makes the current position the one that movements are measured from. */
  resetPosition(): void {
    this.#reset(true, !this.#hasBaseline && this.#rotationFactor !== 0);
  }

  /** Makes the current rotation the one that rotations are measured from. */
  resetRotation(): void {
    this.#reset(!this.#hasBaseline, true);
  }

  resetTransform(): void {
    this.#reset(true, true);
  }

  #reset(position: boolean, rotation: boolean): void {
    this.#adapter.readTransform(this.#now, rotation);
    this.#record(position, rotation);
  }

  #record(position: boolean, rotation: boolean): void {
    const now = this.#now;
    const last = this.#last;
    if (position) {
      last.x = now.x;
      last.y = now.y;
      last.z = now.z;
    }
    if (rotation) last.rotation = now.rotation;
    this.#hasBaseline = true;
  }

  /** Call it once a frame, before the skeleton's physics are updated. */
  applyTransformMovement(): void {
    const moves = this.#factorX !== 0 || this.#factorY !== 0;
    const turns = this.#rotationFactor !== 0;
    if (!moves && !turns) return;
    const now = this.#now;
    const last = this.#last;
    this.#adapter.readTransform(now, turns);
    if (!this.#hasBaseline) {
      this.#record(true, turns);
      return;
    }
    if (moves && (now.x !== last.x || now.y !== last.y || now.z !== last.z)) this.#applyPosition();
    if (turns && now.rotation !== last.rotation) {
      this.#skeleton.physicsRotate(0, 0, shortestTurn(now.rotation, last.rotation) * this.#rotationFactor);
    }
    this.#record(true, turns);
  }

  #applyPosition(): void {
    const from = this.#from;
    const to = this.#to;
    copyPoint(this.#last, from);
    copyPoint(this.#now, to);
    this.#adapter.worldToSkeleton(from);
    this.#adapter.worldToSkeleton(to);
    this.#skeleton.physicsTranslate((to.x - from.x) * this.#factorX, (to.y - from.y) * this.#factorY);
  }
}

function copyPoint(from: { x: number; y: number; z: number }, to: { x: number; y: number; z: number }): void {
  to.x = from.x;
  to.y = from.y;
  to.z = from.z;
}

/** Degrees from one rotation to another, the short way round. */
function shortestTurn(current: number, previous: number): number {
  const difference = ((current - previous + 180) % 360) - 180;
  return difference < -180 ? difference + 360 : difference;
}
