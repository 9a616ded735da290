// A small picture in premultiplied floats that shapes are painted into, back to front.
import { distanceField, grow, intersect, shifted, subtract } from "./field.mjs";
import { hex, mix } from "./color.mjs";

/** Transparent pixels kept around what is drawn, so that bilinear sampling never meets a neighbour. */
const MARGIN = 2;

export class Canvas {
  /**
   * @param box - [minX, minY, maxX, maxY] in world units, y up
   * @param scale - pixels per world unit
   */
  constructor(box, scale) {
    this.scale = scale;
    this.left = Math.floor(box[0] * scale) - MARGIN;
    this.top = Math.ceil(box[3] * scale) + MARGIN;
    this.width = Math.ceil(box[2] * scale) + MARGIN - this.left;
    this.height = this.top - (Math.floor(box[1] * scale) - MARGIN);
    this.pixels = new Float32Array(this.width * this.height * 4);
  }

  toPixel(x, y) {
    return [x * this.scale - this.left, this.top - y * this.scale];
  }

  /** World box of the whole picture: [minX, minY, maxX, maxY]. */
  get box() {
    const { left, top, width, height, scale } = this;
    return [left / scale, (top - height) / scale, (left + width) / scale, top / scale];
  }

  /** Signed distances to a closed polyline. */
  field(polyline) {
    return distanceField(this, polyline, true);
  }

  /** Distances to an open polyline, less half the stroke width; `taper` thins both ends. */
  strokeField(polyline, strokeWidth) {
    return grow(distanceField(this, polyline, false), strokeWidth / 2);
  }

  /**
   * Paints the inside of a field.
   * @param paint - "#rrggbb" or a function (x, y) => [r, g, b] in world units
   * @param options - alpha; soft: width of the edge in world units (default: one pixel); grow; clip: a field
   */
  fill(field, paint, options = {}) {
    const { alpha = 1, soft = 1 / this.scale, clip } = options;
    const area = options.grow === undefined ? field : grow(field, options.grow);
    const flat = typeof paint === "string" ? hex(paint) : null;
    const pixel = 1 / this.scale;
    for (let row = 0, i = 0; row < this.height; row++) {
      for (let column = 0; column < this.width; column++, i++) {
        let cover = Math.min(Math.max(0.5 - area.data[i] / soft, 0), 1);
        if (cover === 0) continue;
        if (soft > pixel) cover = cover * cover * (3 - 2 * cover);
        if (clip) cover *= Math.min(Math.max(0.5 - clip.data[i] / pixel, 0), 1);
        if (cover === 0) continue;
        const color = flat ?? paint((this.left + column + 0.5) / this.scale, (this.top - row - 0.5) / this.scale);
        this.#over(i * 4, color, cover * alpha);
      }
    }
    return this;
  }

  #over(i, color, alpha) {
    const { pixels } = this;
    const keep = 1 - alpha;
    pixels[i] = color[0] * alpha + pixels[i] * keep;
    pixels[i + 1] = color[1] * alpha + pixels[i + 1] * keep;
    pixels[i + 2] = color[2] * alpha + pixels[i + 2] * keep;
    pixels[i + 3] = alpha + pixels[i + 3] * keep;
  }

  /**
   * A body in the house style: outline, base paint, a soft shadow on the lower left, a light on the upper right,
   * and a thin rim. Returns the inner field, to clip details with.
   * @param style - { base, shade, light, outline } colours; `base` may be a paint function
   */
  body(field, style, options = {}) {
    const { outlineWidth = 3, depth = 14, lightAlpha = 0.55 } = options;
    const inner = grow(field, -outlineWidth);
    if (style.outline) this.fill(field, style.outline);
    this.fill(inner, style.base);
    const shadow = subtract(inner, shifted(this, inner, depth * 0.72, depth * 0.9));
    this.fill(shadow, style.shade, { soft: depth * 0.55, clip: inner, alpha: 0.85 });
    const light = subtract(inner, shifted(this, grow(inner, -1), -depth * 0.4, -depth * 0.55));
    this.fill(light, style.light, { soft: depth * 0.5, clip: inner, alpha: lightAlpha });
    return inner;
  }

  /** A flat detail that stays inside `clip`. */
  detail(polyline, paint, clip, options = {}) {
    const field = this.field(polyline);
    this.fill(field, paint, { ...options, clip });
    return intersect(field, clip);
  }

  /** A line that stays inside `clip` (or free, without one). */
  line(polyline, strokeWidth, paint, clip, alpha = 1) {
    this.fill(this.strokeField(polyline, strokeWidth), paint, { alpha, ...(clip ? { clip } : {}) });
    return this;
  }

  /** 8-bit RGBA with straight alpha; colours are carried outwards under transparent pixels by the packer. */
  toBytes() {
    const { pixels } = this;
    const out = new Uint8Array(pixels.length);
    for (let i = 0; i < pixels.length; i += 4) {
      const alpha = Math.round(pixels[i + 3] * 255);
      if (alpha === 0) continue;
      for (let c = 0; c < 3; c++) {
        out[i + c] = Math.min(255, Math.max(0, Math.round((pixels[i + c] / pixels[i + 3]) * 255)));
      }
      out[i + 3] = alpha;
    }
    return out;
  }
}

/** Vertical gradient paint from `bottom` (at y0) to `top` (at y1). */
export function vertical(y0, bottom, y1, top) {
  const a = hex(bottom), b = hex(top);
  return (_, y) => mix(a, b, smooth((y - y0) / (y1 - y0)));
}

/** Gradient paint along the line from p (colour a) to q (colour b). */
export function along(p, a, q, b) {
  const ca = hex(a), cb = hex(b), dx = q[0] - p[0], dy = q[1] - p[1], k = 1 / (dx * dx + dy * dy);
  return (x, y) => mix(ca, cb, smooth(((x - p[0]) * dx + (y - p[1]) * dy) * k));
}

const smooth = (t) => {
  const c = Math.min(Math.max(t, 0), 1);
  return c * c * (3 - 2 * c);
};
