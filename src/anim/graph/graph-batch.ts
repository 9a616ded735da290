import { AnimArgumentError, AnimStateError } from "../errors.js";
import { disposed, LONGEST_STEP, requireIndex, requireObject } from "../rig/checks.js";
import { retire } from "../rig/retire.js";
import { AnimGraph } from "./graph.js";
import { PoseFrame } from "./pose-frame.js";
import { AnimStateMachine } from "./state-machine.js";

/** Characters that are read ahead. */
const AHEAD = 8;

/**
 * Updates many graphs and state machines together: a crowd of instances of one or of a few definitions.
 *
 * Each gets the bits that its own `update` would give. What all of them sample and blend is collected, and two kernel calls
 * do as much of it as fits the cache (about twenty characters of seventy bones and five poses). Poses in between are lent
 * from one block, so memory does not grow with the number of characters. A steady update allocates nothing.
 */
export class AnimGraphBatch {
  readonly #sources: (AnimGraph | AnimStateMachine)[] = [];
  readonly #places = new Map<AnimGraph | AnimStateMachine, number>();
  readonly #frame = new PoseFrame();
  /** Keeps the reads ahead from being optimised away. */
  #touched = 0;
  #disposed = false;

  /** @returns the place of the source @throws AnimArgumentError if it is in the batch already */
  add(source: AnimGraph | AnimStateMachine): number {
    if (this.#disposed) throw disposed("AnimGraphBatch.add", "AnimGraphBatch");
    requireObject("AnimGraphBatch.add", "source", source, "AnimGraph or AnimStateMachine");
    if (!(source instanceof AnimGraph || source instanceof AnimStateMachine)) {
      throw new AnimArgumentError("AnimGraphBatch.add: source is no AnimGraph or AnimStateMachine. Players and mixers are updated one by one.");
    }
    if (this.#places.has(source)) throw new AnimArgumentError("AnimGraphBatch.add: this source is in the batch already. Add each once.");
    this.#places.set(source, this.#sources.length);
    return this.#sources.push(source) - 1;
  }

  /** Takes a source out; the last one moves to its place. @throws AnimArgumentError if it is not in the batch */
  remove(source: AnimGraph | AnimStateMachine): void {
    const place = this.#places.get(source);
    if (place === undefined) throw new AnimArgumentError("AnimGraphBatch.remove: this source is not in the batch.");
    const last = this.#sources.pop()!;
    this.#places.delete(source);
    if (last === source) return;
    this.#sources[place] = last;
    this.#places.set(last, place);
  }

  getCount(): number { return this.#sources.length; }

  /** @throws AnimIndexError */
  get(place: number): AnimGraph | AnimStateMachine {
    requireIndex("AnimGraphBatch.get", "place", place, this.#sources.length);
    return this.#sources[place]!;
  }

  /**
   * `update(dt)` of every source: a negative dt throws, one that is not finite is ignored.
   * @throws AnimStateError if a source was disposed meanwhile; then nothing has moved
   */
  update(dt: number): void {
    if (this.#disposed) throw disposed("AnimGraphBatch.update", "AnimGraphBatch");
    if (dt < 0 && dt !== -Infinity) throw new AnimArgumentError(`AnimGraphBatch.update: dt is ${dt}, expected 0 or more.`, { found: dt });
    const sources = this.#sources, frame = this.#frame;
    for (let i = 0; i < sources.length; i++) {
      if (sources[i]!.isGone) throw new AnimStateError(`AnimGraphBatch.update: source ${i} was disposed. Take it out with remove().`);
    }
    frame.widen();
    for (let i = 0; i < sources.length; i += AHEAD) {
      const end = Math.min(sources.length, i + AHEAD);
      // A crowd does not fit the cache. Reading what the next characters need, independent of each other, lets the processor
      // wait for all of it at once.
      for (let k = i; k < end; k++) this.#touched = (this.#touched + sources[k]!.touch()) & 0xffff;
      for (let k = i; k < end; k++) {
        const source = sources[k]!;
        source.run.step[0] = Math.min(LONGEST_STEP, dt);
        source.record(frame);
      }
    }
    frame.finish();
  }

  /** Takes all sources out. */
  clear(): void {
    this.#sources.length = 0;
    this.#places.clear();
  }

  /** Frees the block; the sources stay. Safe to call twice. */
  dispose(): void {
    if (this.#disposed) return;
    this.clear();
    this.#disposed = true;
    this.#frame.dispose();
    retire(this, "AnimGraphBatch");
  }
}
