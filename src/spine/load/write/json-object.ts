export type Json = Record<string, unknown>;

/** An object without prototype, so that any name can be a key. */
export function emptyObject(): Json {
  return Object.create(null) as Json;
}

/** Sets a member unless it has its default. Negative zero differs from zero. */
export function put(o: Json, key: string, value: unknown, fallback: unknown): void {
  if (!Object.is(value, fallback)) o[key] = value;
}

/** The object in member `key`, made if it is not there. */
export function child(o: Json, key: string): Json {
  return (o[key] ??= emptyObject()) as Json;
}

/** `rrggbbaa` of 0xRRGGBBAA. */
export function rgbaText(color: number): string {
  return color.toString(16).padStart(8, "0");
}

/** `rrggbb` of 0xRRGGBB. */
export function rgbText(color: number): string {
  return color.toString(16).padStart(6, "0");
}

/** A component 0..1 as a byte. */
export function colorByte(component: number): number {
  return Math.max(0, Math.min(255, Math.round(component * 255)));
}
