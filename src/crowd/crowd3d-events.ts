/** Events of a 3D crowd: what the clocks of an update have passed. @internal */
import { CharacterField, CharacterFlag } from "../../assembly/layout/crowd3d.js";
import type { AnimClip } from "../anim/rig/clip.js";
import { collectSpan, EventLog, SPAN } from "../anim/rig/event-log.js";
import type { TimedEntry } from "../anim/rig/timed-list.js";
import { heap } from "../wasm/heap.js";
import type { Crowd3DCharacters } from "./crowd3d-characters.js";
import type { Crowd3DClips } from "./crowd3d-clips.js";
import type { Crowd3DListener } from "./crowd3d-options.js";

const COMPLETE: TimedEntry = { time: 0, name: "", payload: "" };
const NO_LENGTH = 1e-8;

export class Crowd3DEvents {
  readonly #log = new EventLog();
  #isTelling = false;
  /** Clip times and flags before the update, by row. */
  #times = new Float64Array(0);
  #flags = new Int32Array(0);
  /** Whose the entries of the log are. */
  #ids = new Float64Array(64);
  readonly #clips: (AnimClip | null)[] = [];

  /** Remembers the clocks; comes before they advance. */
  remember(characters: Crowd3DCharacters): void {
    const { count } = characters, { f64, i32 } = heap;
    if (this.#times.length < count) {
      this.#times = new Float64Array(characters.ids.capacity);
      this.#flags = new Int32Array(characters.ids.capacity);
    }
    for (let row = 0; row < count; row++) {
      const at = characters.at(row);
      this.#times[row] = f64[(at + CharacterField.TIME) >>> 3]!;
      this.#flags[row] = i32[(at + CharacterField.FLAGS) >>> 2]!;
    }
  }

  /** Collects what was passed since, then tells the listener. Characters that a callback removes are left out. */
  deliver(characters: Crowd3DCharacters, clips: Crowd3DClips, listener: Crowd3DListener): void {
    const log = this.#log, { count } = characters;
    let failure: unknown, hasFailed = false;
    log.clear();
    for (let row = 0; row < count; row++) this.#collect(characters, clips, row);
    this.#isTelling = true;
    // A call may dispose the crowd or restore another state of it, which empties the log.
    for (let i = 0; i < log.count; i++) {
      try {
        this.#tell(i, characters, listener);
      } catch (error) {
        if (!hasFailed) failure = error;
        hasFailed = true;
      }
    }
    this.#isTelling = false;
    this.#clips.fill(null);
    if (hasFailed) throw failure;
  }

  /** Whether a listener is being told. */
  get isTelling(): boolean {
    return this.#isTelling;
  }

  /** Forgets what was collected. */
  discard(): void {
    this.#log.clear();
  }

  #tell(i: number, characters: Crowd3DCharacters, listener: Crowd3DListener): void {
    const id = this.#ids[i]!, entry = this.#log.entry(i), clip = this.#clips[i]!;
    if (!characters.ids.has(id)) return;
    if (entry === COMPLETE) listener.complete?.(id, clip);
    else listener.event?.(id, entry.name, entry.payload, clip);
  }

  #collect(characters: Crowd3DCharacters, clips: Crowd3DClips, row: number): void {
    const at = characters.at(row), clip = clips.at(heap.i32[(at + CharacterField.CLIP) >>> 2]!);
    if (clip === null) return;
    const from = this.#times[row]!, to = heap.f64[(at + CharacterField.TIME) >>> 3]!, before = this.#flags[row]!;
    const flags = heap.i32[(at + CharacterField.FLAGS) >>> 2]!, loops = (flags & CharacterFlag.LOOP) !== 0;
    const starts = (before & ~flags & CharacterFlag.UNPASSED) !== 0, log = this.#log, first = log.count, { duration } = clip;
    if (clip.events.length > 0 && (to !== from || starts)) {
      SPAN[0] = from;
      SPAN[1] = to;
      SPAN[2] = heap.f64[(at + CharacterField.SPEED) >>> 3]!;
      SPAN[3] = duration;
      collectSpan(clip.events, loops, starts, log, 0);
    }
    const completes = loops ? duration > NO_LENGTH && Math.floor(to / duration) > Math.floor(from / duration) : (flags & ~before & CharacterFlag.ENDED) !== 0;
    if (completes) log.append(COMPLETE, 0);
    const id = log.count > first ? characters.ids.id(row) : 0;
    for (let i = first; i < log.count; i++) {
      if (i === this.#ids.length) {
        const grown = new Float64Array(i * 2);
        grown.set(this.#ids);
        this.#ids = grown;
      }
      this.#ids[i] = id;
      this.#clips[i] = clip;
    }
  }
}
