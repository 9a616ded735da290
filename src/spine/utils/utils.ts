import { BlendMode } from "../enums.js";

/** Anything that can be read and written by index and holds numbers. */
export type NumberArrayLike = number[] | Float32Array | Float64Array;
/** Like NumberArrayLike, for whole numbers. */
export type IntArrayLike = number[] | Int16Array | Uint16Array | Int32Array | Uint32Array;
/** A plain object used as a dictionary. */
export type StringMap<T> = Record<string, T>;
/** Something with blocks or textures to give back. */
export interface Disposable {
  dispose(): void;
}
/** Something that can rebuild its GPU objects after a lost context. */
export interface Restorable {
  restore(): void;
}

/** Array helpers. */
export class Utils {
  static readonly SUPPORTS_TYPED_ARRAYS = true;

  static arrayCopy<T>(
    source: ArrayLike<T>,
    sourceStart: number,
    dest: { [index: number]: T },
    destStart: number,
    numElements: number,
  ): void {
    for (let i = 0; i < numElements; i++) dest[destStart + i] = source[sourceStart + i]!;
  }

  static arrayFill<T>(array: { [index: number]: T }, fromIndex: number, toIndex: number, value: T): void {
    for (let i = fromIndex; i < toIndex; i++) array[i] = value;
  }

  /** Shortens the array, or extends it with `value` (default 0). */
  static setArraySize<T>(array: T[], size: number, value: T = 0 as T): T[] {
    const before = array.length;
    array.length = size;
    for (let i = before; i < size; i++) array[i] = value;
    return array;
  }

  /** Extends the array with `value` (default 0) if it is shorter than `size`. */
  static ensureArrayCapacity<T>(array: T[], size: number, value: T = 0 as T): T[] {
    return array.length >= size ? array : Utils.setArraySize(array, size, value);
  }

  static newArray<T>(size: number, defaultValue: T): T[] {
    return Array.from({ length: size }, () => defaultValue);
  }

  static newFloatArray(size: number): Float32Array {
    return new Float32Array(size);
  }

  static newShortArray(size: number): Int16Array {
    return new Int16Array(size);
  }

  static toFloatArray(array: ArrayLike<number>): Float32Array {
    return new Float32Array(array);
  }

  static toSinglePrecision(value: number): number {
    return Math.fround(value);
  }

  /** Does nothing; kept because programs call it. */
  static webkit602BugfixHelper(_alpha?: number): void {}

  static contains<T>(array: readonly T[], element: T): boolean {
    return array.includes(element);
  }

  /** The value of an enum whose name is `name` with an upper first letter. */
  static enumValue<T extends object>(type: T, name: string): T[keyof T] {
    return (type as Record<string, unknown>)[name.charAt(0).toUpperCase() + name.slice(1)] as T[keyof T];
  }
}

/** A set of whole numbers. */
export class IntSet {
  array: (number | undefined)[] = [];

  /** @returns whether the value was new */
  add(value: number): boolean {
    const isNew = !this.contains(value);
    this.array[value | 0] = value | 0;
    return isNew;
  }

  contains(value: number): boolean {
    return this.array[value | 0] !== undefined;
  }

  remove(value: number): void {
    this.array[value | 0] = undefined;
  }

  clear(): void {
    this.array.length = 0;
  }
}

/** A set of strings. */
export class StringSet {
  entries: StringMap<boolean> = Object.create(null) as StringMap<boolean>;
  size = 0;

  /** @returns whether the value was new */
  add(value: string): boolean {
    if (this.entries[value]) return false;
    this.entries[value] = true;
    this.size++;
    return true;
  }

  /** @returns whether any value was new */
  addAll(values: readonly string[]): boolean {
    const before = this.size;
    for (const value of values) this.add(value);
    return this.size !== before;
  }

  contains(value: string): boolean {
    return this.entries[value] === true;
  }

  clear(): void {
    this.entries = Object.create(null) as StringMap<boolean>;
    this.size = 0;
  }
}

/** Keeps objects for reuse. Objects with a `reset` method are reset when they come back. */
export class Pool<T> {
  private items: T[] = [];
  private readonly instantiator: () => T;

  constructor(instantiator: () => T) {
    this.instantiator = instantiator;
  }

  /** An object that came back, or a new one. */
  obtain(): T {
    return this.items.length > 0 ? this.items.pop()! : this.instantiator();
  }

  free(item: T): void {
    (item as { reset?: () => void }).reset?.();
    this.items.push(item);
  }

  freeAll(items: readonly T[]): void {
    for (const item of items) this.free(item);
  }

  clear(): void {
    this.items.length = 0;
  }
}

/** Measures the time between frames. */
export class TimeKeeper {
  /** Upper limit of `delta`, in seconds. */
  maxDelta = 0.064;
  framesPerSecond = 0;
  /** Seconds between the last two calls of `update`, at most `maxDelta`. */
  delta = 0;
  /** Sum of all deltas, in seconds. */
  totalTime = 0;
  private lastTime = Date.now() / 1000;
  private frameCount = 0;
  private frameTime = 0;

  update(): void {
    const now = Date.now() / 1000;
    const passed = now - this.lastTime;
    this.lastTime = now;
    this.frameTime += passed;
    this.frameCount++;
    this.delta = passed > this.maxDelta ? this.maxDelta : passed;
    this.totalTime += this.delta;
    if (this.frameTime > 1) {
      this.framesPerSecond = this.frameCount / this.frameTime;
      this.frameTime = 0;
      this.frameCount = 0;
    }
  }
}

/** Mean of the last `windowSize` values; 0 until there are that many. */
export class WindowedMean {
  values: number[];
  addedValues = 0;
  lastValue = 0;
  mean = 0;
  dirty = true;

  constructor(windowSize = 32) {
    this.values = Array.from({ length: windowSize }, () => 0);
  }

  hasEnoughData(): boolean {
    return this.addedValues >= this.values.length;
  }

  addValue(value: number): void {
    if (this.addedValues < this.values.length) this.addedValues++;
    this.values[this.lastValue] = value;
    this.lastValue = (this.lastValue + 1) % this.values.length;
    this.dirty = true;
  }

  getMean(): number {
    if (!this.hasEnoughData()) return 0;
    if (this.dirty) {
      let sum = 0;
      for (const value of this.values) sum += value;
      this.mean = sum / this.values.length;
      this.dirty = false;
    }
    return this.mean;
  }
}

/** Names of a blend mode in files. @internal */
export function blendModeName(mode: BlendMode): string {
  return BlendMode[mode].toLowerCase();
}
