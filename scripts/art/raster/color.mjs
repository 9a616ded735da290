// Colours as [r, g, b], 0 to 1.

const known = new Map();

/** [r, g, b] of "#rrggbb". */
export function hex(text) {
  let color = known.get(text);
  if (!color) {
    const value = Number.parseInt(text.slice(1), 16);
    color = [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
    known.set(text, color);
  }
  return color;
}

export const mix = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];

/** "#rrggbb" between two such colours. */
export function blendHex(a, b, t) {
  return `#${mix(hex(a), hex(b), t)
    .map((c) => Math.round(c * 255).toString(16).padStart(2, "0"))
    .join("")}`;
}
