import { Listeners } from "./listeners.js";
import { TweenProperties } from "./properties.js";

/** What a tween tells: its callbacks, called in the order in which they were added. */
export abstract class TweenCallbacks extends TweenProperties {
  /** @internal */ protected readonly listeners = new Listeners();

  /** @internal Takes the errors of callbacks. */
  set onError(handler: ((error: unknown, what: string) => void) | null) {
    this.listeners.onError = handler;
  }

  /** Called at the first evaluation after the delay. */
  onStart(fn: () => void): this {
    this.listeners.add("start", fn);
    return this;
  }

  /** Called after each evaluation. */
  onUpdate(fn: () => void): this {
    this.listeners.add("update", fn);
    return this;
  }

  /** Called at each end of a cycle with the cycles done. */
  onCycle(fn: (cycles: number) => void): this {
    this.listeners.add("cycle", fn as () => void);
    return this;
  }

  /** Called at the end. */
  onComplete(fn: () => void): this {
    this.listeners.add("complete", fn);
    return this;
  }

  /** Called when `stop` ends an active tween. */
  onStop(fn: () => void): this {
    this.listeners.add("stop", fn);
    return this;
  }

  /** @internal */
  protected report(error: unknown, what: string): void {
    this.listeners.report(error, what);
  }
}
