import { heap } from "../../wasm/heap.js";
import { setupEdits, type PoseStore } from "../pose-store.js";

/**
 * RGBA colour, components 0..1 (not enforced unless stated).
 *
 * Colours of poses are windows on the pose block: what is written here is what the kernels read.
 */
export class Color {
  static readonly WHITE = /* @__PURE__ */ new Color(1, 1, 1, 1);
  static readonly RED = /* @__PURE__ */ new Color(1, 0, 0, 1);
  static readonly GREEN = /* @__PURE__ */ new Color(0, 1, 0, 1);
  static readonly BLUE = /* @__PURE__ */ new Color(0, 0, 1, 1);
  static readonly MAGENTA = /* @__PURE__ */ new Color(1, 0, 1, 1);

  /** @internal The block this colour lies in, null for a colour of its own. */
  _store: PoseStore | null = null;
  /** @internal */
  _row = 0;
  /** @internal False for dark colours, whose alpha has no row. */
  _alphaRow = true;
  /** @internal True for colours of setup poses. */
  _setup = false;
  /** @internal */
  _r: number;
  /** @internal */
  _g: number;
  /** @internal */
  _b: number;
  /** @internal */
  _a: number;

  constructor(r = 0, g = 0, b = 0, a = 0) {
    this._r = r;
    this._g = g;
    this._b = b;
    this._a = a;
  }

  /** A colour that lives in rows `row`, `row + 1`, ... of a block. @internal */
  static _inBlock(store: PoseStore, row: number, alphaRow: boolean): Color {
    const color = new Color();
    color._store = store;
    color._row = row;
    color._alphaRow = alphaRow;
    return color;
  }

  get r(): number {
    return this._store === null ? this._r : heap.f32[this._store._base + this._row]!;
  }
  set r(value: number) {
    if (this._store === null) {
      this._r = value;
      if (this._setup) setupEdits.count++;
    } else heap.f32[this._store._base + this._row] = value;
  }

  get g(): number {
    return this._store === null ? this._g : heap.f32[this._store._base + this._row + 1]!;
  }
  set g(value: number) {
    if (this._store === null) {
      this._g = value;
      if (this._setup) setupEdits.count++;
    } else heap.f32[this._store._base + this._row + 1] = value;
  }

  get b(): number {
    return this._store === null ? this._b : heap.f32[this._store._base + this._row + 2]!;
  }
  set b(value: number) {
    if (this._store === null) {
      this._b = value;
      if (this._setup) setupEdits.count++;
    } else heap.f32[this._store._base + this._row + 2] = value;
  }

  get a(): number {
    return this._store === null || !this._alphaRow ? this._a : heap.f32[this._store._base + this._row + 3]!;
  }
  set a(value: number) {
    if (this._store === null || !this._alphaRow) {
      this._a = value;
      if (this._setup) setupEdits.count++;
    } else heap.f32[this._store._base + this._row + 3] = value;
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
