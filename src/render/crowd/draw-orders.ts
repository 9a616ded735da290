/** Most orders that one mesh can tell apart: bits of a word. */
const MOST = 32;

/** Words of a slot's state in a row of a crowd's slots. */
export const SLOT_WORDS = 3;

/** The draw orders that characters of a rig have shown; number 0 is that of the setup pose. @internal */
export class DrawOrders {
  readonly known: Uint16Array[];
  readonly #slotCount: number;
  #lastFound = 0;

  constructor(slotCount: number) {
    this.#slotCount = slotCount;
    this.known = [Uint16Array.from({ length: slotCount }, (_, i) => i)];
  }

  /** Number of the order of a row, which is learnt if it is new; -1 once there is no number left. */
  find(slots: Uint32Array, row: number): number {
    const { known } = this;
    const from = row * this.#slotCount * SLOT_WORDS + 2;
    // Characters mostly show the setup order, else what their neighbours show.
    if (isOrder(known[0]!, slots, from)) return 0;
    if (this.#lastFound > 0 && isOrder(known[this.#lastFound]!, slots, from)) return this.#lastFound;
    for (let k = 1; k < known.length; k++) {
      if (isOrder(known[k]!, slots, from)) {
        this.#lastFound = k;
        return k;
      }
    }
    if (known.length === MOST) return -1;
    known.push(Uint16Array.from({ length: this.#slotCount }, (_, i) => slots[from + i * SLOT_WORDS]! >>> 16));
    return known.length - 1;
  }
}

function isOrder(order: Uint16Array, slots: Uint32Array, from: number): boolean {
  for (let i = 0; i < order.length; i++) if (order[i] !== slots[from + i * SLOT_WORDS]! >>> 16) return false;
  return true;
}

/** A slot at a place of the merged order. @internal */
export interface MergedPlace {
  slot: number;
  /** Bit k: the slot is drawn here in order k. */
  orders: number;
}

/** One sequence of slots that contains every draw order: each is the places whose bit is set. @internal */
export function mergeOrders(known: readonly Uint16Array[]): MergedPlace[] {
  let merged: MergedPlace[] = Array.from(known[0]!, (slot) => ({ slot, orders: 1 }));
  for (let k = 1; k < known.length; k++) {
    const next = known[k]!;
    const bit = (1 << k) >>> 0;
    const n = merged.length;
    const m = next.length;
    // Longest common subsequence of the places so far and this order.
    const best = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
    for (let i = n - 1; i >= 0; i--) {
      for (let j = m - 1; j >= 0; j--) {
        best[i]![j] = merged[i]!.slot === next[j] ? best[i + 1]![j + 1]! + 1 : Math.max(best[i + 1]![j]!, best[i]![j + 1]!);
      }
    }
    const out: MergedPlace[] = [];
    let i = 0;
    let j = 0;
    while (i < n || j < m) {
      const place = merged[i];
      if (place !== undefined && place.slot === next[j]) {
        out.push({ slot: place.slot, orders: (place.orders | bit) >>> 0 });
        i++;
        j++;
      } else if (place !== undefined && (j >= m || best[i + 1]![j]! >= best[i]![j + 1]!)) {
        out.push(place);
        i++;
      } else {
        out.push({ slot: next[j]!, orders: bit });
        j++;
      }
    }
    merged = out;
  }
  return merged;
}
