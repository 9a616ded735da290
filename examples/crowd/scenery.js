// Paints the meadow once per window size, without stopping the page.
import { backdropColor } from "./backdrop.js";

/** Most pixels that are computed; a large window gets a softly enlarged picture. */
const PIXEL_LIMIT = 700_000;
/** Rows painted between two looks at the clock. */
const BAND = 24;

/** Starts painting: at once small and soft, then band by band in full. A later call for the same canvas takes over. */
export function paintScenery(canvas, aspect) {
  const height = Math.round(Math.min(Math.sqrt(PIXEL_LIMIT / aspect), 900));
  const run = (canvas.paintRun = (canvas.paintRun ?? 0) + 1);
  show(canvas, paintRows(Math.round(150 * aspect), 150, 0, 150), Math.round(150 * aspect), 150);
  const full = document.createElement("canvas");
  full.width = Math.round(height * aspect);
  full.height = height;
  const step = (top) => {
    if (canvas.paintRun !== run) return;
    const rows = Math.min(BAND, height - top);
    full.getContext("2d").putImageData(paintRows(full.width, height, top, rows), 0, top);
    if (top + rows < height) setTimeout(step, 0, top + rows);
    else show(canvas, full, full.width, height);
  };
  setTimeout(step, 30, 0);
}

function show(canvas, source, width, height) {
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (source instanceof ImageData) context.putImageData(source, 0, 0);
  else context.drawImage(source, 0, 0);
}

function paintRows(width, height, top, rows) {
  const image = new ImageData(width, rows), color = [0, 0, 0];
  for (let y = 0, i = 0; y < rows; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      backdropColor((x + 0.5) / height, (top + y + 0.5) / height, width / height, 1 / height, color);
      image.data[i] = color[0] * 255;
      image.data[i + 1] = color[1] * 255;
      image.data[i + 2] = color[2] * 255;
      image.data[i + 3] = 255;
    }
  }
  return image;
}
