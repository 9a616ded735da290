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
    const difference = to - this.start;
    const way = this.isAngle ? shortestTurn(difference) : difference;
    // An angle that needs no turn ends exactly where it was told to.
    return eased === 1 && way === difference ? to : this.start + way * eased;
  }
}
