/** Gives a canvas as many pixels as it covers, at most two per CSS pixel and side; returns how many that are. Only a change costs anything. */
export function fit(canvas) {
  const ratio = Math.min(2, devicePixelRatio), width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  return ratio;
}
