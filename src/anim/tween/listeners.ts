import { AnimArgumentError } from "../errors.js";

/** What a tween reports. @internal */
export type TweenEvent = "start" | "update" | "cycle" | "complete" | "stop";
type Listener = (argument?: number) => void;

/** The callbacks of one tween; errors thrown by them are reported, never passed on. @internal */
export class Listeners {
  readonly #lists: Partial<Record<TweenEvent, Listener[]>> = {};
  /** Takes the errors; null: console.error. */
  onError: ((error: unknown, what: string) => void) | null = null;

  add(name: TweenEvent, fn: Listener): void {
    if (typeof fn !== "function") throw new AnimArgumentError(`A callback is ${typeof fn}, expected a function.`);
    (this.#lists[name] ??= []).push(fn);
  }

  has(name: TweenEvent): boolean {
    return this.#lists[name] !== undefined;
  }

  call(name: TweenEvent, argument?: number): void {
    const list = this.#lists[name];
    if (list === undefined) return;
    for (let i = 0; i < list.length; i++) {
      try {
        list[i]!(argument);
      } catch (error) {
        this.report(error, `Tween.on${name}`);
      }
    }
  }

  report(error: unknown, what: string): void {
    if (this.onError !== null) this.onError(error, what);
    else console.error(`osteon: error in ${what}`, error);
  }
}
