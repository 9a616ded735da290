import { readFileSync } from "node:fs";

/** A golden file of ours. */
export function golden(name: string): any {
  return JSON.parse(readFileSync(new URL(`../../golden/${name}`, import.meta.url), "utf8"));
}

/** Angle between two rotations, in radians. */
export function angleBetween(a: ArrayLike<number>, b: ArrayLike<number>): number {
  // Via the distance of the quaternions, which keeps small angles exact where acos would not.
  let minus = 0, plus = 0;
  for (let i = 0; i < 4; i++) {
    minus += (a[i]! - b[i]!) ** 2;
    plus += (a[i]! + b[i]!) ** 2;
  }
  return 4 * Math.asin(Math.min(1, Math.sqrt(Math.min(minus, plus)) / 2));
}

/** Deterministic numbers in [0, 1) (xorshift32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

export function randomQuaternion(random: () => number): [number, number, number, number] {
  for (;;) {
    const q = [random() * 2 - 1, random() * 2 - 1, random() * 2 - 1, random() * 2 - 1] as [number, number, number, number];
    const length = Math.hypot(...q);
    if (length < 0.1 || length > 1) continue;
    return q.map((v) => v / length) as [number, number, number, number];
  }
}
