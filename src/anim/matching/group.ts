import { AnimArgumentError, AnimStateError } from "../errors.js";
import { heap } from "../../wasm/heap.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { matching } from "../../wasm/matching.js";
import { Query } from "../../../assembly/layout/matching.js";
import { dropAll, takeBlock } from "../rig/blocks.js";
import { requireObject, show } from "../rig/checks.js";
import type { MotionDatabase } from "./database.js";
import type { MotionMatcher } from "./matcher.js";
import { queryBytes } from "./query.js";

/**
 * Many characters on one database: their searches run in one call, and at most so many an update. Characters that have
 * waited longest come first, so that each is served in turn; the others go on playing what they play.
 */
export class MotionMatcherGroup {
  readonly #database: MotionDatabase;
  /** Seconds of the update that runs; a double as an argument may be boxed. */
  readonly #step = new Float64Array(1);
  readonly #matchers: MotionMatcher[] = [];
  readonly #waiting: number[] = [];
  /** Indices of the due matchers, #dueCount of them: an array whose length is set back to 0 gives its memory away. */
  readonly #due: number[] = [];
  #dueCount = 0;
  readonly #owned: number[] = [];
  #batch = 0;
  #capacity = 0;
  #stride = 0;
  #budget = Infinity;
  #searches = 0;

  constructor(database: MotionDatabase) {
    requireObject("MotionMatcherGroup", "database", database, "MotionDatabase");
    this.#database = database;
    freeWhenCollected(this, this.#owned);
  }

  /** @throws AnimArgumentError for a matcher of another database or one that is in a group already */
  add(matcher: MotionMatcher): void {
    requireObject("MotionMatcherGroup.add", "matcher", matcher, "MotionMatcher");
    if (matcher.database !== this.#database) throw new AnimArgumentError("MotionMatcherGroup.add: the matcher searches another database. Make a group for each database.");
    if (matcher.managed) throw new AnimArgumentError("MotionMatcherGroup.add: the matcher is in a group already. Remove it there first.");
    matcher.setManaged(true);
    this.#matchers.push(matcher);
    this.#waiting.push(0);
  }

  /** @returns whether the matcher was in the group */
  remove(matcher: MotionMatcher): boolean {
    const at = this.#matchers.indexOf(matcher);
    if (at < 0) return false;
    matcher.setManaged(false);
    this.#matchers.splice(at, 1);
    this.#waiting.splice(at, 1);
    return true;
  }

  getCount(): number { return this.#matchers.length; }

  /** Searches an update at most; Infinity (default) is no limit. */
  setSearchBudget(searches: number): void {
    if (!(searches >= 1 && (searches === Infinity || Number.isInteger(searches)))) {
      throw new AnimArgumentError(`MotionMatcherGroup.setSearchBudget: searches is ${show(searches)}, expected a whole number of 1 or more, or Infinity.`, { found: searches });
    }
    this.#budget = searches;
  }

  /** Searches of the last update. */
  getLastSearchCount(): number { return this.#searches; }

  /** Updates every matcher by `dt` seconds. @throws AnimArgumentError if dt is negative, AnimStateError before the database is baked */
  update(dt: number): void {
    if (!this.#database.isBaked()) throw new AnimStateError("MotionMatcherGroup.update: the database is not baked. Call database.bake() first.");
    const matchers = this.#matchers, due = this.#due, waiting = this.#waiting;
    let dueCount = 0;
    this.#step[0] = dt;
    if (matchers.length > 0 && !matchers[0]!.begin(this.#step)) return;
    for (let i = 1; i < matchers.length; i++) matchers[i]!.begin(this.#step);
    for (let i = 0; i < matchers.length; i++) {
      if (!matchers[i]!.searchDue) continue;
      waiting[i]!++;
      due[dueCount++] = i;
    }
    this.#dueCount = dueCount;
    if (dueCount > this.#budget) this.#longestWaitingFirst();
    this.#searches = Math.min(dueCount, this.#budget);
    this.#search();
    for (let i = 0; i < matchers.length; i++) matchers[i]!.finish();
  }

  /** Frees the batch block; the matchers stay. Safe to call twice. */
  dispose(): void {
    for (const matcher of this.#matchers) matcher.setManaged(false);
    this.#matchers.length = 0;
    this.#waiting.length = 0;
    dropAll(this, this.#owned);
    this.#batch = 0;
    this.#capacity = 0;
  }

  /** Moves the matchers that have waited longest to the front of the due ones; equal waits keep their order. */
  #longestWaitingFirst(): void {
    const due = this.#due, waiting = this.#waiting, count = this.#dueCount;
    for (let i = 1; i < count; i++) {
      const index = due[i]!;
      let at = i;
      while (at > 0 && waiting[due[at - 1]!]! < waiting[index]!) {
        due[at] = due[at - 1]!;
        at--;
      }
      due[at] = index;
    }
  }

  /** One kernel call for all: the queries are copied side by side, the results back. */
  #search(): void {
    const { store } = this.#database.baked("update");
    const count = this.#searches;
    if (count === 0) return;
    const stride = queryBytes(store);
    if (count > this.#capacity || stride !== this.#stride) {
      dropAll(this, this.#owned);
      freeWhenCollected(this, this.#owned);
      this.#capacity = Math.max(count, this.#capacity);
      this.#stride = stride;
      this.#batch = takeBlock(this.#owned, this.#capacity * stride);
    }
    for (let k = 0; k < count; k++) {
      const query = this.#matchers[this.#due[k]!]!.prepareSearch();
      heap.u8.copyWithin(this.#batch + k * stride, query.ptr, query.ptr + stride);
    }
    matching.kernels.searchMany(store.ptr, this.#batch, stride, count, store.quantized ? 1 : 0);
    for (let k = 0; k < count; k++) {
      const index = this.#due[k]!, matcher = this.#matchers[index]!;
      const from = this.#batch + k * stride + Query.BEST_SLOT;
      matcher.takeSearchFrom(from);
      this.#waiting[index] = 0;
    }
  }
}
