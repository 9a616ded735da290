/**
 * Which frames of a foot count as standing: speed below 0.15 rig heights a second, then a median over 0.05 s, which drops
 * single frames. @internal
 */
const SPEED_PER_HEIGHT = 0.15;
const MEDIAN_SECONDS = 0.05;

/** @param place - writes the model-space place of the foot in a frame */
export function footSpeedContacts(frameCount: number, rate: number, rigHeight: number, place: (frame: number, xyz: Float64Array) => void): Uint8Array {
  const raw = new Uint8Array(frameCount);
  const limit = SPEED_PER_HEIGHT * rigHeight;
  const before = new Float64Array(3), now = new Float64Array(3);
  for (let i = 0; i < frameCount; i++) {
    place(i, now);
    if (i > 0) {
      const dx = now[0]! - before[0]!, dy = now[1]! - before[1]!, dz = now[2]! - before[2]!;
      const speed = Math.sqrt(dx * dx + dy * dy + dz * dz) * rate;
      raw[i] = speed < limit ? 1 : 0;
    }
    before.set(now);
  }
  if (frameCount > 1) raw[0] = raw[1]!;
  const half = Math.max(1, Math.round((MEDIAN_SECONDS * rate) / 2));
  return raw.map((_, i) => {
    let sum = 0, count = 0;
    for (let k = Math.max(0, i - half); k <= Math.min(frameCount - 1, i + half); k++) {
      sum += raw[k]!;
      count++;
    }
    return sum * 2 > count ? 1 : 0;
  });
}
