export const HORIZON: number;
export const HAZE: readonly [number, number, number];
export function backdropColor(x: number, y: number, aspect: number, pixel: number, out: number[]): void;
