import type { SpriteClip } from "./clip.js";

/** An event of a clip frame that was entered or passed. */
export interface SpriteEvent {
  name: string;
  clip: SpriteClip;
  /** Clip frame. */
  frame: number;
  /** Loop boundaries crossed before it. */
  loop: number;
}

/** The events that wait in one player, oldest first; beyond 1024 the oldest are dropped and counted. @internal */
export class EventQueue {
  static readonly CAPACITY = 1024;
  #list: SpriteEvent[] = [];
  #head = 0;
  dropped = 0;

  add(clip: SpriteClip, frame: number, loop: number, name: string): void {
    this.#list.push({ name, clip, frame, loop });
    if (this.#list.length - this.#head <= EventQueue.CAPACITY) return;
    this.#head++;
    this.dropped++;
    if (this.#head > EventQueue.CAPACITY) {
      this.#list = this.#list.slice(this.#head);
      this.#head = 0;
    }
  }

  take(): SpriteEvent | null {
    if (this.#head === this.#list.length) return null;
    const event = this.#list[this.#head++]!;
    if (this.#head === this.#list.length) this.#list.length = this.#head = 0;
    return event;
  }

  clear(): void {
    this.#list.length = this.#head = this.dropped = 0;
  }
}
