/** What every page shows: the skeleton, clip and time that the address names, posed by steps of 1/30 s. */
const query = new URLSearchParams(location.search);

export const scene = {
  folder: query.get("folder"),
  skeleton: query.get("skeleton"),
  atlas: query.get("atlas"),
  animation: query.get("animation"),
  skin: query.get("skin"),
  steps: Number(query.get("steps") ?? 15),
  /** Characters in the frame-time measurement, 0 for the picture. */
  crowd: Number(query.get("crowd") ?? 0),
};

export const STEP = 1 / 30;
export const WIDTH = 640;
export const HEIGHT = 640;

/** Places a skeleton so that its setup bounding box fills the picture. */
export function fit(data) {
  const scale = 0.8 * Math.min(WIDTH / (data.width || 400), HEIGHT / (data.height || 400));
  return { scale, x: data.x + data.width / 2, y: data.y + data.height / 2 };
}

/** Runs a page; the test waits for `window.finished`. */
export async function run(show) {
  try {
    await show();
    // Two frames, so that what was drawn is on the screen.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    window.finished = "done";
  } catch (error) {
    window.finished = `error: ${error?.stack ?? JSON.stringify(error)}`;
  }
}

export function makeCanvas() {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  canvas.style.display = "block";
  document.body.append(canvas);
  return canvas;
}
