import { heap } from "../../wasm/heap.js";
import { setupEdits, type PoseStore } from "../pose-store.js";

// The components are declared by an interface, so that windows on a block may have accessors in their place.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface Color {
  /** 0..1, not enforced unless stated; so are the others. */
  r: number;
  g: number;
  b: number;
  a: number;
}

/**
 * RGBA colour.
 *
 * The colours of a skeleton and of its slots are windows on the pose block: what is written to them is what the kernels read.
 */
export class Color {
  static readonly WHITE = /* @__PURE__ */ new Color(1, 1, 1, 1);
  static readonly RED = /* @__PURE__ */ new Color(1, 0, 0, 1);
  static readonly GREEN = /* @__PURE__ */ new Color(0, 1, 0, 1);
  static readonly BLUE = /* @__PURE__ */ new Color(0, 0, 1, 1);
  static readonly MAGENTA = /* @__PURE__ */ new Color(1, 0, 1, 1);

  constructor(r = 0, g = 0, b = 0, a = 0) {
    // Classes with accessors set their components themselves, when they know where.
    if (new.target !== Color && "r" in new.target.prototype) return;
    this.r = r;
    this.g = g;
    this.b = b;
    this.a = a;
  }

  /** Sets all components and clamps them to 0..1. */
  set(r: number, g: number, b: number, a: number): this {
    this.r = r;
    this.g = g;
    this.b = b;
    this.a = a;
    return this.clamp();
  }

  /** Takes over the components of another colour. */
  setFromColor(c: Color): this {
    this.r = c.r;
    this.g = c.g;
    this.b = c.b;
    this.a = c.a;
    return this;
  }

  /** Reads `rrggbb` or `rrggbbaa`, with or without `#`. */
  setFromString(hex: string): this {
    const digits = hex.charAt(0) === "#" ? hex.slice(1) : hex;
    this.r = parseInt(digits.slice(0, 2), 16) / 255;
    this.g = parseInt(digits.slice(2, 4), 16) / 255;
    this.b = parseInt(digits.slice(4, 6), 16) / 255;
    this.a = digits.length === 8 ? parseInt(digits.slice(6, 8), 16) / 255 : 1;
    return this;
  }

  /** Adds to all components and clamps them to 0..1. */
  add(r: number, g: number, b: number, a: number): this {
    return this.set(this.r + r, this.g + g, this.b + b, this.a + a);
  }

  /** Clamps all components to 0..1. */
  clamp(): this {
    this.r = unit(this.r);
    this.g = unit(this.g);
    this.b = unit(this.b);
    this.a = unit(this.a);
    return this;
  }

  /** Reads 0xRRGGBBAA into `color`. */
  static rgba8888ToColor(color: Color, value: number): void {
    color.r = ((value >>> 24) & 255) / 255;
    color.g = ((value >>> 16) & 255) / 255;
    color.b = ((value >>> 8) & 255) / 255;
    color.a = (value & 255) / 255;
  }

  /** Reads 0xRRGGBB into `color`; alpha stays. */
  static rgb888ToColor(color: Color, value: number): void {
    color.r = ((value >>> 16) & 255) / 255;
    color.g = ((value >>> 8) & 255) / 255;
    color.b = (value & 255) / 255;
  }

  /** 0xRRGGBB, without alpha. */
  toRgb888(): number {
    return (Math.round(unit(this.r) * 255) << 16) | (Math.round(unit(this.g) * 255) << 8) | Math.round(unit(this.b) * 255);
  }

  /** A colour from `rrggbb` or `rrggbbaa`, or `color` set to it. */
  static fromString(hex: string, color?: Color): Color {
    return (color ?? new Color()).setFromString(hex);
  }

  /** Plain components, for logs and snapshots. */
  toJSON(): { r: number; g: number; b: number; a: number } {
    return { r: this.r, g: this.g, b: this.b, a: this.a };
  }
}

function unit(x: number): number {
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

/** A colour that lives in three or four rows of a block. @internal */
export class PoseColor extends Color {
  /** Index of the first row in `heap.f32`. */
  _at: number;
  readonly #alpha: number;

  /** @param hasAlpha - false for dark colours, whose alpha is always 1 and has no row */
  constructor(store: PoseStore, row: number, hasAlpha: boolean) {
    super();
    this._at = store._base + row;
    this.#alpha = hasAlpha ? 3 : -1;
    this.set(1, 1, 1, 1);
  }

  override get r(): number {
    return heap.f32[this._at]!;
  }
  override set r(value: number) {
    heap.f32[this._at] = value;
  }

  override get g(): number {
    return heap.f32[this._at + 1]!;
  }
  override set g(value: number) {
    heap.f32[this._at + 1] = value;
  }

  override get b(): number {
    return heap.f32[this._at + 2]!;
  }
  override set b(value: number) {
    heap.f32[this._at + 2] = value;
  }

  override get a(): number {
    return this.#alpha < 0 ? 1 : heap.f32[this._at + 3]!;
  }
  override set a(value: number) {
    if (this.#alpha >= 0) heap.f32[this._at + 3] = value;
  }
}

/** A colour of a setup pose: edits reach the rig's copy. @internal */
export class SetupColor extends Color {
  readonly #values: number[];

  constructor(r: number, g: number, b: number, a: number) {
    super();
    this.#values = [r, g, b, a];
  }

  #write(index: number, value: number): void {
    this.#values[index] = value;
    setupEdits.count++;
  }

  override get r(): number {
    return this.#values[0]!;
  }
  override set r(value: number) {
    this.#write(0, value);
  }

  override get g(): number {
    return this.#values[1]!;
  }
  override set g(value: number) {
    this.#write(1, value);
  }

  override get b(): number {
    return this.#values[2]!;
  }
  override set b(value: number) {
    this.#write(2, value);
  }

  override get a(): number {
    return this.#values[3]!;
  }
  override set a(value: number) {
    this.#write(3, value);
  }
}
