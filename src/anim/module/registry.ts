/**
 * Objects that a module pumps, in the order of their creation. While the list is walked, objects that are added, also those
 * that are in it already, wait for the next walk, and objects that are removed are skipped if their turn has not come.
 *
 * Objects are held strongly until they are removed.
 */
export class Registry<T extends object> {
  #list: (T | null)[] = [];
  readonly #members = new Set<T>();
  readonly #numbers = new WeakMap<T, number>();
  #next = 0;
  #walking = 0;
  /** Added during the walk. */
  readonly #fresh = new Set<T>();
  #isSorted = true;
  #hasHoles = false;

  get size(): number {
    return this.#members.size;
  }

  /** Adds an object, also one that was removed before; it gets its old place in the order. */
  add(item: T): void {
    if (this.#walking > 0) this.#fresh.add(item);
    if (this.#members.has(item)) return;
    if (!this.#numbers.has(item)) this.#numbers.set(item, this.#next++);
    else this.#isSorted = false;
    this.#members.add(item);
    this.#list.push(item);
  }

  remove(item: T): void {
    this.removeWhere((one) => one === item);
  }

  /** Removes what `test` holds for; returns how many. */
  removeWhere(test: (item: T) => boolean): number {
    const list = this.#list;
    let gone = 0;
    for (let i = 0; i < list.length; i++) {
      const item = list[i]!;
      if (item === null || !test(item)) continue;
      this.#members.delete(item);
      list[i] = null;
      gone++;
    }
    this.#hasHoles ||= gone > 0;
    this.#tidy();
    return gone;
  }

  count(test: (item: T) => boolean): number {
    let count = 0;
    for (const item of this.#members) if (test(item)) count++;
    return count;
  }

  /** Visits all objects. An error of `visit` ends the walk and leaves. */
  walk(visit: (item: T, argument: number) => void, argument: number): void {
    this.#tidy();
    const list = this.#list;
    const limit = list.length;
    this.#walking++;
    try {
      for (let i = 0; i < limit; i++) {
        const item = list[i]!;
        if (item !== null && (this.#fresh.size === 0 || !this.#fresh.has(item))) visit(item, argument);
      }
    } finally {
      if (--this.#walking === 0) this.#fresh.clear();
      this.#tidy();
    }
  }

  #tidy(): void {
    if (this.#walking > 0) return;
    if (this.#hasHoles) this.#list = this.#list.filter((item) => item !== null);
    if (!this.#isSorted) this.#list.sort((a, b) => this.#numbers.get(a!)! - this.#numbers.get(b!)!);
    this.#hasHoles = false;
    this.#isSorted = true;
  }
}
