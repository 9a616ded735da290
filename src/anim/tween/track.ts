import { shortestTurn } from "./angle.js";

/** One named scalar of a tween. @internal */
export class Track {
  start = 0;
  /** The end, or the distance to it where `isRelative`. */
  end = 0;
  isRelative = false;
  /** A start was given, or taken at the first `start()`. */
  hasStart = false;
  isAngle = false;
  value = 0;
  constructor(readonly name: string) {}

  /** Where it goes. */
  get to(): number {
    return this.isRelative ? this.start + this.end : this.end;
  }

  /** Value at an eased factor; exact at both ends. */
  at(eased: number): number {
    if (eased === 0) return this.start;
    const { to } = this;
    if (this.isAngle) return this.start + shortestTurn(to - this.start) * eased;
    return eased === 1 ? to : this.start + (to - this.start) * eased;
  }
}
