// Draw orders: characters mostly share one, and a clip now and then shows another. The mesh has to contain them all.

/** Most orders that one mesh can tell apart: bits of a word. */
const MOST = 32;

/** The draw orders that were met so far; number 0 is that of the setup pose. */
export class Orders {
  constructor(slotCount) {
    this.slotCount = slotCount;
    this.known = [Uint16Array.from({ length: slotCount }, (_, i) => i)];
    this.lastFound = 0;
  }

  /** Number of the order in a row of a crowd's slot states. A new one gets the next number; beyond 32 all are drawn as setup. */
  find(slots, row) {
    const { slotCount, known } = this;
    const from = row * slotCount * 3 + 2;
    if (this.#equal(known[0], slots, from)) return 0;
    if (this.lastFound > 0 && this.#equal(known[this.lastFound], slots, from)) return this.lastFound;
    for (let k = 1; k < known.length; k++) if (this.#equal(known[k], slots, from)) return (this.lastFound = k);
    if (known.length === MOST) return 0;
    known.push(Uint16Array.from({ length: slotCount }, (_, i) => slots[from + i * 3] >>> 16));
    return known.length - 1;
  }

  #equal(order, slots, from) {
    for (let i = 0; i < order.length; i++) if (order[i] !== slots[from + i * 3] >>> 16) return false;
    return true;
  }
}

/**
 * One sequence of slots that contains every draw order: entries { slot, orders }, where `orders` is a bit mask of the orders in
 * which the entry is the slot's place.
 */
export function mergeOrders(known) {
  let merged = [...known[0]].map((slot) => ({ slot, orders: 1 }));
  for (let k = 1; k < known.length; k++) {
    const next = known[k], n = merged.length, m = next.length;
    // Longest common subsequence of the entries so far and this order.
    const best = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
    for (let i = n - 1; i >= 0; i--) {
      for (let j = m - 1; j >= 0; j--) best[i][j] = merged[i].slot === next[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    }
    const out = [];
    for (let i = 0, j = 0; i < n || j < m; ) {
      if (i < n && j < m && merged[i].slot === next[j]) {
        out.push({ slot: merged[i].slot, orders: (merged[i].orders | (1 << k)) >>> 0 });
        i++;
        j++;
      } else if (j >= m || (i < n && best[i + 1][j] >= best[i][j + 1])) out.push(merged[i++]);
      else out.push({ slot: next[j++], orders: (1 << k) >>> 0 });
    }
    merged = out;
  }
  return merged;
}
