/**
 * Objects that a module pumps, in the order of their creation. While the list is walked, objects that are added wait for
 * the next walk, and objects that are removed are skipped if their turn has not come.
 *
 * Objects are held strongly until they are removed.
 */
export class Registry<T extends object> {
  #list: (T | null)[] = [];
  readonly #members = new Set<T>();
  readonly #numbers = new WeakMap<T, number>();
  #next = 0;
  #walking = 0;
  #isSorted = true;
  #hasHoles = false;

  get size(): number {
    return this.#members.size;
  }

  /** Adds an object, also one that was removed before; it gets its old place in the order. */
  add(item: T): void {
    if (this.#members.has(item)) return;
    if (!this.#numbers.has(item)) this.#numbers.set(item, this.#next++);
    else this.#isSorted = false;
    this.#members.add(item);
    this.#list.push(item);
  }

  remove(item: T): void {
    if (!this.#members.delete(item)) return;
    this.#list[this.#list.indexOf(item)] = null;
    this.#hasHoles = true;
    if (this.#walking === 0) this.#tidy();
  }

  /** Removes what `test` holds for; returns how many. */
  removeWhere(test: (item: T) => boolean): number {
    const gone = [...this.#members].filter(test);
    for (const item of gone) this.remove(item);
    return gone.length;
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
        if (item !== null) visit(item, argument);
      }
    } finally {
      this.#walking--;
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
