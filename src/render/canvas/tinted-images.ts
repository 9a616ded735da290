type Image = HTMLImageElement | ImageBitmap;

/** Tinted copies that are kept per image. */
const KEPT = 8;

/** Copies of images tinted by one or two colours; the latest few are kept. @internal */
export class TintedImages {
  #copies = new Map<Image, Map<number, CanvasImageSource>>();

  /**
   * @param light - 0xRRGGBB, what white becomes
   * @param dark - 0xRRGGBB, what black becomes
   */
  get(image: Image, light: number, dark: number): CanvasImageSource {
    if (light === 0xffffff && dark === 0) return image;
    const color = light * 0x1000000 + dark;
    let copies = this.#copies.get(image);
    if (copies === undefined) this.#copies.set(image, (copies = new Map()));
    let copy = copies.get(color);
    if (copy === undefined) {
      copy = dark === 0 ? multiplied(image, light) : twoColored(image, light, dark);
      if (copies.size === KEPT) copies.delete(copies.keys().next().value!);
      copies.set(color, copy);
    }
    return copy;
  }

  clear(): void {
    this.#copies.clear();
  }
}

function copyOf(image: Image): CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D {
  const { width, height } = image;
  const canvas = typeof OffscreenCanvas === "undefined" ? Object.assign(document.createElement("canvas"), { width, height }) : new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d") as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
  context.drawImage(image, 0, 0);
  return context;
}

/** Every channel goes from dark (where it is 0) to light (where it is full). */
function twoColored(image: Image, light: number, dark: number): CanvasImageSource {
  const context = copyOf(image);
  const pixels = context.getImageData(0, 0, image.width, image.height);
  const { data } = pixels;
  for (let channel = 0; channel < 3; channel++) {
    const shift = 16 - channel * 8;
    const from = (dark >>> shift) & 255;
    const range = ((light >>> shift) & 255) - from;
    for (let i = channel; i < data.length; i += 4) data[i] = from + (range * data[i]!) / 255;
  }
  context.putImageData(pixels, 0, 0);
  return context.canvas;
}

function multiplied(image: Image, color: number): CanvasImageSource {
  const context = copyOf(image);
  const { width, height } = image;
  context.globalCompositeOperation = "multiply";
  context.fillStyle = `#${color.toString(16).padStart(6, "0")}`;
  context.fillRect(0, 0, width, height);
  // Multiplying filled the transparent parts, too.
  context.globalCompositeOperation = "destination-in";
  context.drawImage(image, 0, 0);
  return context.canvas;
}
