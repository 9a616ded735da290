type Image = HTMLImageElement | ImageBitmap;

/** Tinted copies that are kept per image. */
const KEPT = 8;

/** Copies of images multiplied by a colour; the latest few are kept. @internal */
export class TintedImages {
  #copies = new Map<Image, Map<number, CanvasImageSource>>();

  /** @param color - 0xRRGGBB */
  get(image: Image, color: number): CanvasImageSource {
    if (color === 0xffffff) return image;
    let copies = this.#copies.get(image);
    if (copies === undefined) this.#copies.set(image, (copies = new Map()));
    let copy = copies.get(color);
    if (copy === undefined) {
      copy = tinted(image, color);
      if (copies.size === KEPT) copies.delete(copies.keys().next().value!);
      copies.set(color, copy);
    }
    return copy;
  }

  clear(): void {
    this.#copies.clear();
  }
}

function tinted(image: Image, color: number): CanvasImageSource {
  const { width, height } = image;
  const canvas = typeof OffscreenCanvas === "undefined" ? Object.assign(document.createElement("canvas"), { width, height }) : new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d") as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
  context.drawImage(image, 0, 0);
  context.globalCompositeOperation = "multiply";
  context.fillStyle = `#${color.toString(16).padStart(6, "0")}`;
  context.fillRect(0, 0, width, height);
  // Multiplying filled the transparent parts, too.
  context.globalCompositeOperation = "destination-in";
  context.drawImage(image, 0, 0);
  return canvas;
}
