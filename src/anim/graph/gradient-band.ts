/**
 * Weights of a blend space on a plane by gradient bands: smoother than triangles where points are few or directions matter; any
 * number of points may have weight. @internal
 *
 * Source: R. S. Johansen, "Automated Semi-Procedural Animation for Character Locomotion" (2009), chapter 6: the influence of point
 * i falls from 1 at itself to 0 at the line through each other point j, across the way to it; the smallest of these counts. Weights
 * are influences over their sum. "directional" measures ways by direction and by speed as a share of the mean of both speeds.
 */
import { atan2 } from "../motion/math.js";

/** How much a radian of direction counts against a doubling of speed, as the source has it. */
const TURN = 2;
/** Places in `#way`. */
const TO = 2, MEAN = 4;
/** Influences up to this sum are none. */
const NOTHING = 1e-9;

export class BandWeights {
  /** The position that `weighHere` weighs at. */
  readonly at = new Float64Array(2);
  #x = new Float64Array(0);
  #y = new Float64Array(0);
  /** The way to a place, two numbers, the place, and the mean speed of a pair: in an array, so that nothing is boxed. */
  readonly #way = new Float64Array(5);

  constructor(readonly directional: boolean) {}

  /** Sets the points. */
  build(xs: readonly number[], ys: readonly number[]): void {
    this.#x = Float64Array.from(xs);
    this.#y = Float64Array.from(ys);
  }

  /** Writes the weight of every point at the position in `at`. Of points at one place all have the same. */
  weighHere(out: Float64Array): void {
    const count = this.#x.length, x = this.#x, y = this.#y, way = this.#way;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      let least = 1;
      for (let j = 0; j < count && least > 0; j++) {
        if (x[i] === x[j] && y[i] === y[j]) continue;
        way[MEAN] = (Math.sqrt(x[i]! * x[i]! + y[i]! * y[i]!) + Math.sqrt(x[j]! * x[j]! + y[j]! * y[j]!)) / 2;
        const still = x[j] === 0 && y[j] === 0;
        way[TO] = x[j]!;
        way[TO + 1] = y[j]!;
        this.#measure(i, still);
        const jx = way[0]!, jy = way[1]!;
        way[TO] = this.at[0]!;
        way[TO + 1] = this.at[1]!;
        this.#measure(i, still);
        const square = jx * jx + jy * jy;
        if (square > 0) least = Math.min(least, Math.max(0, 1 - (way[0]! * jx + way[1]! * jy) / square));
      }
      out[i] = least;
      sum += least;
    }
    if (sum > NOTHING) for (let i = 0; i < count; i++) out[i] = out[i]! / sum;
    else this.#takeNearest(out);
  }

  /** The way from point i to the place; without direction where the other end of the pair has none. */
  #measure(i: number, still: boolean): void {
    const px = this.#x[i]!, py = this.#y[i]!, way = this.#way, toX = way[TO]!, toY = way[TO + 1]!;
    if (!this.directional) {
      way[0] = toX - px;
      way[1] = toY - py;
      return;
    }
    way[0] = (Math.sqrt(toX * toX + toY * toY) - Math.sqrt(px * px + py * py)) / way[MEAN]!;
    way[1] = still || (px === 0 && py === 0) || (toX === 0 && toY === 0) ? 0 : TURN * atan2(px * toY - py * toX, px * toX + py * toY);
  }

  #takeNearest(out: Float64Array): void {
    let nearest = 0, best = Infinity;
    for (let i = 0; i < this.#x.length; i++) {
      const square = (this.#x[i]! - this.at[0]!) ** 2 + (this.#y[i]! - this.at[1]!) ** 2;
      out[i] = 0;
      if (square >= best) continue;
      best = square;
      nearest = i;
    }
    if (this.#x.length > 0) out[nearest] = 1;
  }
}
