// What a clip shows over time besides bones: which attachment each slot has, its colours, and the draw order. Sampled once per
// look and clip from an ordinary Skeleton; a character then only needs the number of a state.
import { MeshAttachment, MixFrom, Physics, RegionAttachment, Skeleton } from "../../../dist/spine/index.js";

/** States per second that clips are sampled at. */
const RATE = 30;

/** Numbers for drawables (attachment + frame) and draw orders, and the table of states. */
export class States {
  constructor(data) {
    this.data = data;
    this.slotCount = data.slots.length;
    /** { attachment, frame, slot }; number n is entry n - 1, 0 shows nothing. */
    this.drawables = [];
    /** Draw orders met, as arrays of slot indices. */
    this.orders = [data.slots.map((_, i) => i)];
    /** Per state: order, then per slot drawable, light rgba, dark rgb. */
    this.rows = [];
    this.#skeleton = new Skeleton(data);
  }

  #skeleton;
  #numbers = new Map();
  #orderNumbers = new Map([[this.#key([]), 0]]);
  #rowNumbers = new Map();
  #tables = new Map();

  #key(list) {
    return list.join(",");
  }

  /** Row numbers of a clip with a look, RATE a second; sampled on first use. */
  table(skin, clip) {
    const key = `${skin}\n${clip}`;
    let table = this.#tables.get(key);
    if (table) return table;
    const skeleton = this.#skeleton, animation = this.data.findAnimation(clip);
    skeleton.setSkin(skin);
    const count = Math.max(1, Math.ceil(animation.duration * RATE));
    const rows = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      skeleton.setupPose();
      animation.apply(skeleton, 0, i / RATE, false, null, 1, MixFrom.setup, false, false, false);
      skeleton.updateWorldTransform(Physics.none);
      rows[i] = this.#row(skeleton);
    }
    table = { rows, duration: animation.duration };
    this.#tables.set(key, table);
    return table;
  }

  /** Row of a clip at a time, looping. */
  rowAt(table, time) {
    const t = table.duration > 0 ? time % table.duration : 0;
    return table.rows[Math.min(table.rows.length - 1, Math.floor(t * RATE))];
  }

  #row(skeleton) {
    const order = skeleton.drawOrder.appliedPose.map((slot) => slot.data.index);
    const orderKey = this.#key(order.every((slot, i) => slot === i) ? [] : order);
    if (!this.#orderNumbers.has(orderKey)) {
      this.#orderNumbers.set(orderKey, this.orders.length);
      this.orders.push(order);
    }
    const row = [this.#orderNumbers.get(orderKey)];
    skeleton.slots.forEach((slot, i) => {
      const { attachment, color, darkColor } = slot.appliedPose;
      const drawn = slot.bone.active && (attachment instanceof RegionAttachment || attachment instanceof MeshAttachment) && color.a > 0;
      if (!drawn) return row.push(0, 255, 255, 255, 255, 0, 0, 0);
      const frame = attachment.sequence.resolveIndex(slot.appliedPose);
      const tint = attachment.color;
      const byte = (v) => Math.round(Math.min(Math.max(v, 0), 1) * 255);
      row.push(
        this.#drawable(attachment, frame, i), byte(color.r * tint.r), byte(color.g * tint.g), byte(color.b * tint.b), byte(color.a * tint.a),
        darkColor ? byte(darkColor.r) : 0, darkColor ? byte(darkColor.g) : 0, darkColor ? byte(darkColor.b) : 0,
      );
    });
    const key = this.#key(row);
    if (!this.#rowNumbers.has(key)) {
      this.#rowNumbers.set(key, this.rows.length);
      this.rows.push(row);
    }
    return this.#rowNumbers.get(key);
  }

  #drawable(attachment, frame, slot) {
    let frames = this.#numbers.get(attachment);
    if (!frames) this.#numbers.set(attachment, (frames = new Map()));
    const key = `${slot}:${frame}`;
    if (!frames.has(key)) {
      this.drawables.push({ attachment, frame, slot, skin: this.#skeleton.skin?.name ?? null });
      frames.set(key, this.drawables.length);
    }
    return frames.get(key);
  }

  dispose() {
    this.#skeleton.dispose();
  }
}

/**
 * One sequence of slots that contains every draw order: entries { slot, orders }, where `orders` is a bit mask of the orders in
 * which the entry is the slot's place.
 */
export function mergeOrders(orders) {
  let merged = orders[0].map((slot) => ({ slot, orders: 1 }));
  for (let k = 1; k < Math.min(orders.length, 32); k++) {
    const next = orders[k], n = merged.length, m = next.length;
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
