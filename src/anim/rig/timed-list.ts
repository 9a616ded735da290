/** Named instants of a clip: its events and its sync markers. @internal */

export interface TimedEntry {
  readonly time: number;
  readonly name: string;
  readonly payload: string;
}

/** Entries sorted by time, equal times in the order of insertion. */
export class TimedList {
  readonly entries: TimedEntry[] = [];

  get count(): number {
    return this.entries.length;
  }

  /** @returns the entry's index */
  add(time: number, name: string, payload: string): number {
    let at = this.entries.length;
    while (at > 0 && this.entries[at - 1]!.time > time) at--;
    this.entries.splice(at, 0, { time, name, payload });
    return at;
  }

  set(index: number, time: number, name: string, payload: string): number {
    this.entries.splice(index, 1);
    return this.add(time, name, payload);
  }

  remove(index: number): void {
    this.entries.splice(index, 1);
  }

  copyFrom(other: TimedList): void {
    this.entries.length = 0;
    this.entries.push(...other.entries);
  }
}
