import { SPRITE_COLUMNS, SPRITE_LINK_BYTES, SpriteColumn, SpriteLink } from "../../../assembly/layout/motion.js";
import { disposedByHand, freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { flat } from "../../wasm/flat.js";
import { AnimStateError } from "../errors.js";
import { checkNumber } from "../module/check.js";
import type { SpriteAnim } from "./sprite-anim.js";

/** Counts edits of clips that might play; rows made before an edit are made anew. @internal */
export const clipEdits = { count: 0 };

/**
 * Sprite players stepped together: a kernel moves all clocks, and only players whose frame changes are visited.
 * Players keep the order in which they were added. One that is changed by the quad or sprite of a player before it has its turn
 * after that, as if each had been stepped by itself.
 */
export class SpriteBatch {
  readonly #players: (SpriteAnim | null)[] = [];
  /** @internal Seconds of the running update. */ step = 0;
  /** @internal Counts the updates; -1 outside of one. */ walk = -1;
  /** @internal Indices of the first row's numbers in heap.f64, by SpriteColumn, and of its frame in heap.i32. */ times = 0;
  rates = 0;
  aboves = 0;
  belows = 0;
  frames = 0;
  #walks = 0;
  /** Of the running update: the row that has its turn, the rows there were, the crossed ones, and how many of these are done. */
  #current = -1;
  #limit = 0;
  #changes = 0;
  #done = 0;
  /** Rows that were changed before their turn, ascending. */
  readonly #late: number[] = [];
  #capacity = 0;
  #edits = clipEdits.count;
  #holes = 0;
  /** The columns, the links, then the list of crossed rows; behind that block those with the ends of clips' frames. */
  readonly #blocks = [0];
  /** Address of the ends of frames that rows want to be linked to. */
  readonly #ends = new Map<Float64Array, number>();

  constructor() {
    freeWhenCollected(this, this.#blocks);
    this.#grow(32);
  }

  /** Players in the batch. */
  get count(): number {
    return this.#players.length - this.#holes;
  }

  /** Links a row to the ends of its clip's frames, so that the kernel goes on to the next frame by itself; null for none. @internal */
  link(row: number, ends: Float64Array | null, frame: number): void {
    // Before the views are read: it may have to allocate.
    const ptr = ends === null ? 0 : (this.#ends.get(ends) ?? this.#keep(ends));
    const at = this.frames + row * (SPRITE_LINK_BYTES >> 2) - (SpriteLink.FRAME >> 2);
    const { i32 } = heap;
    i32[at + (SpriteLink.ENDS >> 2)] = ptr;
    i32[at + (SpriteLink.COUNT >> 2)] = ends === null ? 0 : ends.length;
    i32[at + (SpriteLink.FRAME >> 2)] = frame;
  }

  /** Forgets all ends; every row is linked anew then. */
  #unlink(): void {
    for (let i = 1; i < this.#blocks.length; i++) heap.free(this.#blocks[i]!);
    this.#blocks.length = 1;
    this.#ends.clear();
  }

  #keep(ends: Float64Array): number {
    const ptr = heap.alloc(ends.byteLength);
    heap.f64.set(ends, ptr >> 3);
    this.#blocks.push(ptr);
    this.#ends.set(ends, ptr);
    return ptr;
  }

  /** Adds a player; it belongs to one batch at a time and leaves the one it was in. @throws AnimStateError after dispose() */
  add(player: SpriteAnim): void {
    this.#alive();
    if (player.leaveBatch(this)) return;
    if (this.#players.length === this.#capacity) this.#grow(this.#capacity * 2);
    const row = this.#players.push(player) - 1;
    player.attach(this, row);
  }

  /** Takes a player out; its state stays. */
  remove(player: SpriteAnim): void {
    const row = this.#players.indexOf(player);
    if (row < 0) return;
    player.beforeChange();
    player.attach(null, -1);
    this.#players[row] = null;
    this.#holes++;
    this.#idle(row);
  }

  /** All players, in order. @internal */
  get players(): readonly (SpriteAnim | null)[] {
    return this.#players;
  }

  /**
   * Advances all players by `dt` seconds; those added meanwhile wait for the next time.
   * @param onError - takes what a player's quad or sprite throws; default: thrown on
   * @throws AnimArgumentError unless dt is finite and at least 0
   * @throws AnimStateError inside a quad or sprite of one of its players, and after dispose()
   */
  update(dt: number, onError?: (error: unknown) => void): void {
    checkNumber(dt, "dt", 0);
    this.#alive();
    if (this.walk >= 0) throw new AnimStateError("update of this batch is already running.");
    this.walk = this.#walks++;
    this.step = dt;
    this.#changes = this.#done = 0;
    try {
      this.#step(onError);
    } catch (error) {
      // Those that have not had their turn were not moved: the kernel's work is taken back.
      const list = this.#list >> 2;
      for (let i = this.#done; i < this.#changes; i++) {
        const player = this.#players[heap.i32[list + i]! >> 1];
        player?.beforeChange();
        player?.refreshRow();
      }
      throw error;
    } finally {
      this.walk = -1;
    }
  }

  #alive(): void {
    if (this.#blocks[0] === 0) throw new AnimStateError("This SpriteBatch was disposed. Make a new one.");
  }

  #step(onError: ((error: unknown) => void) | undefined): void {
    if (this.#holes > 0) this.#compact();
    if (this.#edits !== clipEdits.count) {
      this.#edits = clipEdits.count;
      this.#unlink();
      for (const player of this.#players) player!.refreshRow();
    }
    const count = (this.#limit = this.#players.length);
    if (count === 0) return;
    this.#changes = flat.kernels.stepSprites(this.#blocks[0]!, this.#capacity * 8, count, this.step, this.#links, this.#list);
    this.#done = this.#late.length = 0;
    this.#current = -1;
    const changes = this.#changes;
    const late = this.#late;
    const players = this.#players;
    let block = this.#blocks[0]!;
    let list = this.#list >> 2;
    let edits = this.#edits;
    for (let i = 0; i < changes || late.length > 0;) {
      let entry = i < changes ? heap.i32[list + i]! : 0;
      if (late.length > 0 && (i === changes || late[0]! << 1 < entry)) entry = late.shift()! << 1;
      else this.#done = ++i;
      const row = (this.#current = entry >> 1);
      const player = players[row]!;
      if (player === null) continue;
      try {
        player.tick(this, (entry & 1) !== 0);
      } catch (error) {
        player.recover();
        if (onError === undefined) throw error;
        onError(error);
      }
      if (edits !== clipEdits.count) {
        edits = clipEdits.count;
        for (const other of players) other?.clipEdited();
      }
      if (this.#blocks[0] === block) continue;
      // A quad or sprite has added players, or disposed the batch.
      block = this.#blocks[0]!;
      if (block === 0) return;
      list = this.#list >> 2;
    }
  }

  /**
   * @internal A row is about to be changed, for the first time in this update: if its turn is yet to come, it gets its time back and
   * is moved then.
   */
  undo(row: number): void {
    if (row <= this.#current || row >= this.#limit) return;
    let low = this.#done;
    let high = this.#changes;
    const { i32 } = heap;
    const list = this.#list >> 2;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (i32[list + middle]! >> 1 < row) low = middle + 1;
      else high = middle;
    }
    const isCrossed = low < this.#changes && i32[list + low]! >> 1 === row;
    // The kernel has left it to its turn anyway.
    if (isCrossed && (i32[list + low]! & 1) === 0) return;
    const { f64 } = heap;
    f64[this.times + row]! -= this.step * f64[this.rates + row]!;
    if (isCrossed) {
      i32[list + low] = row << 1;
      return;
    }
    const late = this.#late;
    let place = late.push(row) - 1;
    for (; place > 0 && late[place - 1]! > row; place--) late[place] = late[place - 1]!;
    late[place] = row;
  }

  /** Address of the links. */
  get #links(): number {
    return this.#blocks[0]! + SPRITE_COLUMNS * this.#capacity * 8;
  }

  /** Address of the list of crossed rows. */
  get #list(): number {
    return this.#links + SPRITE_LINK_BYTES * this.#capacity;
  }

  dispose(): void {
    if (this.#blocks[0] === 0) return;
    for (const player of this.#players) {
      player?.beforeChange();
      player?.attach(null, -1);
    }
    this.#players.length = 0;
    disposedByHand(this);
    this.#unlink();
    heap.free(this.#blocks[0]!);
    this.#blocks[0] = 0;
  }

  #grow(capacity: number): void {
    const old = this.#blocks[0]!;
    const oldCapacity = this.#capacity;
    const oldLinks = this.#links;
    const block = heap.alloc((SPRITE_COLUMNS * 8 + SPRITE_LINK_BYTES + 4) * capacity);
    this.#blocks[0] = block;
    this.#capacity = capacity;
    const first = block >> 3;
    this.times = first + SpriteColumn.Time * capacity;
    this.rates = first + SpriteColumn.Rate * capacity;
    this.aboves = first + SpriteColumn.Above * capacity;
    this.belows = first + SpriteColumn.Below * capacity;
    this.frames = (this.#links + SpriteLink.FRAME) >> 2;
    if (old !== 0) {
      const { f64, u8 } = heap;
      for (let column = 0; column < SPRITE_COLUMNS; column++) {
        const from = (old >> 3) + column * oldCapacity;
        f64.copyWithin(first + column * capacity, from, from + oldCapacity);
      }
      u8.copyWithin(this.#links, oldLinks, oldLinks + SPRITE_LINK_BYTES * oldCapacity);
      // The list of crossed rows moves along, because a growth may come while it is read.
      const oldList = oldLinks + SPRITE_LINK_BYTES * oldCapacity;
      u8.copyWithin(this.#list, oldList, oldList + 4 * oldCapacity);
      heap.free(old);
    }
    for (let row = oldCapacity; row < capacity; row++) this.#idle(row);
  }

  #idle(row: number): void {
    const f64 = heap.f64;
    f64[this.times + row] = f64[this.rates + row] = 0;
    f64[this.aboves + row] = Infinity;
    f64[this.belows + row] = -Infinity;
    this.link(row, null, 0);
  }

  #compact(): void {
    let kept = 0;
    for (let row = 0; row < this.#players.length; row++) {
      const player = this.#players[row]!;
      if (player === null) continue;
      if (row !== kept) {
        this.#players[kept] = player;
        player.attach(this, kept);
      }
      kept++;
    }
    for (let row = kept; row < this.#players.length; row++) this.#idle(row);
    this.#players.length = kept;
    this.#holes = 0;
  }
}
