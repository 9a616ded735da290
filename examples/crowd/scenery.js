// Paints the meadow once per window size, a band at a time, so that the page stays responsive.
import { backdropColor } from "./backdrop.js";

/** Most pixels that are computed; a large window gets a softly enlarged picture. */
const PIXEL_LIMIT = 700_000;

/** Starts painting; a later call for the same canvas takes over. */
export function paintScenery(canvas, aspect) {
  const height = Math.round(Math.min(Math.sqrt(PIXEL_LIMIT / aspect), 900)), width = Math.round(height * aspect);
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  const run = (canvas.paintRun = (canvas.paintRun ?? 0) + 1);
  const color = [0, 0, 0];
  const band = 24;
  const step = (top) => {
    if (canvas.paintRun !== run) return;
    const rows = Math.min(band, height - top);
    const image = context.createImageData(width, rows);
    for (let y = 0, i = 0; y < rows; y++) {
      for (let x = 0; x < width; x++, i += 4) {
        backdropColor((x + 0.5) / height, (top + y + 0.5) / height, aspect, 1 / height, color);
        image.data[i] = color[0] * 255;
        image.data[i + 1] = color[1] * 255;
        image.data[i + 2] = color[2] * 255;
        image.data[i + 3] = 255;
      }
    }
    context.putImageData(image, 0, top);
    if (top + rows < height) setTimeout(step, 0, top + rows);
  };
  step(0);
}
