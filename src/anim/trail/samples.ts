import { AnimCapacityError, AnimIndexError } from "../errors.js";
import { checkInteger } from "../module/check.js";
import { lengthOf } from "./length.js";

/** Most samples that a trail keeps. */
const MOST = 65536;

/** The samples of a trail, oldest first, in a ring: adding to a full one replaces the oldest. @internal */
export class TrailSamples {
  capacity: number;
  count = 0;
  x: Float64Array;
  y: Float64Array;
  z: Float64Array;
  age: Float64Array;
  /** From the middle to the left end of a blade, 0 for points. */
  edgeX: Float64Array;
  edgeY: Float64Array;
  /** 1 for a blade. */
  isBlade: Uint8Array;
  /** 1 where a strip begins: not joined to the sample before. */
  begins: Uint8Array;
  /** The sample that expired last; the tail ends between it and the oldest that is left. */
  readonly expired = { x: 0, y: 0, edgeX: 0, edgeY: 0, age: 0, isBlade: false, isJoined: false };
  #first = 0;

  /** @throws AnimArgumentError, AnimCapacityError */
  constructor(capacity: number) {
    this.capacity = checkCapacity(capacity);
    this.x = new Float64Array(capacity);
    this.y = new Float64Array(capacity);
    this.z = new Float64Array(capacity);
    this.age = new Float64Array(capacity);
    this.edgeX = new Float64Array(capacity);
    this.edgeY = new Float64Array(capacity);
    this.isBlade = new Uint8Array(capacity);
    this.begins = new Uint8Array(capacity);
  }

  /** Keeps the newest. @throws AnimArgumentError, AnimCapacityError */
  resize(n: number): void {
    checkCapacity(n);
    const kept = Math.min(n, this.count);
    const skip = this.count - kept;
    const copy = <T extends Float64Array | Uint8Array>(from: T, to: T): T => {
      for (let i = 0; i < kept; i++) to[i] = from[this.slot(skip + i)]!;
      return to;
    };
    this.x = copy(this.x, new Float64Array(n));
    this.y = copy(this.y, new Float64Array(n));
    this.z = copy(this.z, new Float64Array(n));
    this.age = copy(this.age, new Float64Array(n));
    this.edgeX = copy(this.edgeX, new Float64Array(n));
    this.edgeY = copy(this.edgeY, new Float64Array(n));
    this.isBlade = copy(this.isBlade, new Uint8Array(n));
    this.begins = copy(this.begins, new Uint8Array(n));
    this.capacity = n;
    this.#first = 0;
    this.count = kept;
    this.expired.isJoined = false;
  }

  add(x: number, y: number, z: number, edgeX: number, edgeY: number, isBlade: boolean, begins: boolean): void {
    if (this.count === this.capacity) this.#dropOldest(false);
    const slot = this.slot(this.count++);
    this.x[slot] = x;
    this.y[slot] = y;
    this.z[slot] = z;
    this.edgeX[slot] = edgeX;
    this.edgeY[slot] = edgeY;
    this.isBlade[slot] = isBlade ? 1 : 0;
    this.age[slot] = 0;
    this.begins[slot] = begins ? 1 : 0;
  }

  /** How far a new sample is from the newest: of a blade, its end that moved further. */
  distance(x: number, y: number, z: number, edgeX: number, edgeY: number): number {
    const newest = this.slot(this.count - 1);
    const dx = x - this.x[newest]!, dy = y - this.y[newest]!, dz = z - this.z[newest]!;
    const ex = edgeX - this.edgeX[newest]!, ey = edgeY - this.edgeY[newest]!;
    return Math.max(lengthOf(dx + ex, dy + ey, dz), lengthOf(dx - ex, dy - ey, dz));
  }

  /** How far sample i is from the newest along the trail on screen, as a share of the whole. Breaks have no length. */
  shareAt(i: number, scaleX: number, scaleY: number): number {
    let length = 0;
    let before = 0;
    for (let k = this.count - 1; k > 0; k--) {
      if (k === i) before = length;
      const newer = this.slot(k);
      const older = this.slot(k - 1);
      if (this.begins[newer] === 0) length += lengthOf((this.x[newer]! - this.x[older]!) * scaleX, (this.y[newer]! - this.y[older]!) * scaleY);
    }
    if (i === 0) before = length;
    return length > 0 ? before / length : 0;
  }

  clear(): void {
    this.count = this.#first = 0;
    this.expired.isJoined = false;
  }

  /** Ages all, and drops those older than `most` seconds. All age alike, so only the oldest can be past. */
  advance(dt: number, most: number): void {
    for (let i = 0; i < this.count; i++) {
      const slot = this.slot(i);
      this.age[slot] = this.age[slot]! + dt;
    }
    this.expired.age += dt;
    while (this.count > 0 && this.age[this.#first]! > most) this.#dropOldest(true);
  }

  /** Place of sample i, 0 the oldest. */
  slot(i: number): number {
    return (this.#first + i) % this.capacity;
  }

  /** @throws AnimIndexError */
  checked(i: number): number {
    if (!(Number.isInteger(i) && i >= 0 && i < this.count)) throw new AnimIndexError(`Point ${i} does not exist, the trail has ${this.count}.`, { found: i });
    return this.slot(i);
  }

  #dropOldest(expired: boolean): void {
    const slot = this.#first;
    const last = this.expired;
    last.x = this.x[slot]!;
    last.y = this.y[slot]!;
    last.edgeX = this.edgeX[slot]!;
    last.edgeY = this.edgeY[slot]!;
    last.isBlade = this.isBlade[slot] === 1;
    last.age = this.age[slot]!;
    last.isJoined = expired;
    this.#first = (this.#first + 1) % this.capacity;
    this.count--;
  }
}

function checkCapacity(n: number): number {
  checkInteger(n, "capacity", 2, 2 ** 53);
  if (n > MOST) throw new AnimCapacityError(`capacity is ${n}, at most ${MOST} samples are kept.`, { found: n });
  return n;
}
