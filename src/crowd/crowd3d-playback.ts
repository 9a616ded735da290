/** What plays on the characters of a 3D crowd: clips, cross-fades, queues. @internal */
import { CharacterField, CharacterFlag } from "../../assembly/layout/crowd3d.js";
import { heap } from "../wasm/heap.js";
import type { BlockPool } from "./block-pool.js";
import type { Crowd3DCharacters } from "./crowd3d-characters.js";
import type { Crowd3DClips } from "./crowd3d-clips.js";

/** A clip to play, checked. */
export interface Clip3DRequest {
  /** Index + 1. */
  readonly clip: number;
  readonly mix: number;
  readonly loop: boolean;
  readonly time: number;
  /** Undefined: as it is. */
  readonly speed: number | undefined;
}

/** A queued clip; starts when the clip before it is at `delay`, in clip seconds. */
export interface Queued3DClip extends Clip3DRequest {
  readonly delay: number;
}

/** Fades shorter than this are switches, as for a player. */
const NO_FADE = 1e-6;
/** Clips shorter than this have no length, as for a player. */
const NO_LENGTH = 1e-8;

export class Crowd3DPlayback {
  readonly #characters: Crowd3DCharacters;
  readonly #clips: Crowd3DClips;
  readonly #frozen: BlockPool;
  readonly #queues = new Map<number, Queued3DClip[]>();
  readonly #poseInto: (row: number, ptr: number) => void;

  /** @param poseInto - writes the local pose of a row to an address */
  constructor(characters: Crowd3DCharacters, clips: Crowd3DClips, frozen: BlockPool, poseInto: (row: number, ptr: number) => void) {
    this.#characters = characters;
    this.#clips = clips;
    this.#frozen = frozen;
    this.#poseInto = poseInto;
  }

  /** Starts a clip on a character; during a fade what is shown is kept and fades out too. */
  play(id: number, request: Clip3DRequest): void {
    const at = this.#characters.find(id), { f64, i32 } = heap;
    const current = i32[(at + CharacterField.CLIP) >>> 2]!, fading = f64[(at + CharacterField.FADE_SECONDS) >>> 3]! > 0;
    if (current === 0 || request.mix <= NO_FADE) {
      this.release(at);
      heap.f64[(at + CharacterField.FADE_SECONDS) >>> 3] = 0;
    } else {
      if (fading) this.#freeze(id, at);
      else this.release(at);
      this.#fadeFromCurrent(at, request.mix);
    }
    heap.i32[(at + CharacterField.CLIP) >>> 2] = request.clip;
    heap.f64[(at + CharacterField.TIME) >>> 3] = request.time;
    if (request.speed !== undefined) heap.f64[(at + CharacterField.SPEED) >>> 3] = request.speed;
    this.#characters.setFlag(at, CharacterFlag.LOOP, request.loop);
    this.#characters.setFlag(at, CharacterFlag.ENDED, false);
    this.#characters.setFlag(at, CharacterFlag.UNPASSED, request.time === 0);
  }

  /** Ends what plays: the character has its bind pose. */
  stop(at: number): void {
    this.release(at);
    heap.i32[(at + CharacterField.CLIP) >>> 2] = 0;
    heap.f64[(at + CharacterField.FADE_SECONDS) >>> 3] = 0;
  }

  /** Moves the clock; ends a fade. */
  seek(at: number, time: number): void {
    heap.f64[(at + CharacterField.TIME) >>> 3] = time;
    heap.f64[(at + CharacterField.FADE_SECONDS) >>> 3] = 0;
    this.#characters.setFlag(at, CharacterFlag.ENDED, false);
    this.#characters.setFlag(at, CharacterFlag.UNPASSED, false);
    this.#characters.setFlag(at, CharacterFlag.FRESH, true);
  }

  /** Puts a clip behind those that play and wait; with nothing to wait for it starts at once. */
  queue(id: number, request: Clip3DRequest, delay: number): void {
    const at = this.#characters.find(id), current = heap.i32[(at + CharacterField.CLIP) >>> 2]!;
    if (current === 0) {
      this.play(id, request);
      return;
    }
    let list = this.#queues.get(id);
    if (list === undefined) this.#queues.set(id, (list = []));
    const last = list.at(-1), loop = last?.loop ?? (heap.i32[(at + CharacterField.FLAGS) >>> 2]! & CharacterFlag.LOOP) !== 0;
    const duration = this.#clips.at(last?.clip ?? current)!.duration, time = last?.time ?? heap.f64[(at + CharacterField.TIME) >>> 3]!;
    const end = loop && duration > NO_LENGTH ? duration * (1 + Math.floor(time / duration)) : duration;
    const wanted = delay > 0 ? delay : Math.max(0, end + delay - request.mix);
    list.push({ ...request, delay: loop ? wanted : Math.min(wanted, duration) });
  }

  /** Forgets what is queued on a character. */
  clearQueue(id: number): void {
    if (this.#queues.size > 0) this.#queues.delete(id);
  }

  /** Starts queued clips whose time has come, with the time that is left over; comes before the clocks advance. */
  promote(): void {
    if (this.#queues.size > 0) this.#queues.forEach(this.#promoteOne);
  }

  readonly #promoteOne = (list: Queued3DClip[], id: number): void => {
    const at = this.#characters.find(id), next = list[0]!, over = heap.f64[(at + CharacterField.TIME) >>> 3]! - next.delay;
    if (over < 0) return;
    list.shift();
    if (list.length === 0) this.#queues.delete(id);
    const speed = heap.f64[(at + CharacterField.SPEED) >>> 3]!;
    this.play(id, next);
    if (speed > 0) heap.f64[(at + CharacterField.TIME) >>> 3] = next.time + (over / speed) * (next.speed ?? speed);
  };

  get queues(): (readonly [number, readonly Queued3DClip[]])[] {
    return [...this.#queues];
  }

  set queues(queues: readonly (readonly [number, readonly Queued3DClip[]])[]) {
    this.#queues.clear();
    for (const [id, list] of queues) if (list.length > 0) this.#queues.set(id, [...list]);
  }

  /** Bytes of a frozen pose. */
  get frozenBytes(): number {
    return this.#frozen.bytes;
  }

  /** A block for a frozen pose, which the record owns from now on. */
  takeFrozen(at: number): number {
    const ptr = this.#frozen.take();
    heap.u32[(at + CharacterField.FROZEN) >>> 2] = ptr;
    return ptr;
  }

  /** Gives back the frozen pose of a record. */
  release(at: number): void {
    const i = (at + CharacterField.FROZEN) >>> 2, frozen = heap.u32[i]!;
    if (frozen === 0) return;
    this.#frozen.give(frozen);
    heap.u32[i] = 0;
  }

  #fadeFromCurrent(at: number, mix: number): void {
    const { f64, i32 } = heap;
    i32[(at + CharacterField.OUTGOING_CLIP) >>> 2] = i32[(at + CharacterField.CLIP) >>> 2]!;
    f64[(at + CharacterField.OUTGOING_TIME) >>> 3] = f64[(at + CharacterField.TIME) >>> 3]!;
    f64[(at + CharacterField.FADE_ELAPSED) >>> 3] = 0;
    f64[(at + CharacterField.FADE_SECONDS) >>> 3] = mix;
    this.#characters.setFlag(at, CharacterFlag.OUTGOING_LOOP, (i32[(at + CharacterField.FLAGS) >>> 2]! & CharacterFlag.LOOP) !== 0);
  }

  /** Keeps the pose of this moment as the one that a fade starts from. */
  #freeze(id: number, at: number): void {
    const frozen = this.#frozen.take();
    this.#poseInto(this.#characters.ids.row(id), frozen);
    this.release(at);
    heap.u32[(at + CharacterField.FROZEN) >>> 2] = frozen;
  }
}
