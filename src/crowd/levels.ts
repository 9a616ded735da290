import { BETWEEN_HEADER_BYTES, BetweenField, InstanceField, PALETTE_FLOATS } from "../../assembly/layout/crowd.js";
import { ArgumentError, RangeMismatchError } from "../errors.js";
import { heap } from "../wasm/heap.js";
import { BlockPool } from "./block-pool.js";
import { checkOptions, finite, flag, rateOf, shown } from "./checks.js";
import type { GroupOrder } from "./group-order.js";
import type { Instances } from "./instances.js";
import type { VariantTable } from "./variant-table.js";

/** What is shown of a character between two of its poses: the latest one, or something between the latest two. */
export type Between = "hold" | "interpolate";

/** How much work characters up to some distance are worth. */
export interface DetailLevel {
  /** Distance up to which the level is meant, in world units. Default Infinity. */
  within?: number | undefined;
  /** Poses per second, > 0. Default Infinity: at every update. */
  rate?: number | undefined;
  /** What is shown between two poses. Default "hold". */
  between?: Between | undefined;
  /** Whether the constraints and slots that the crowd knows as detail take part. Default true. */
  detail?: boolean | undefined;
}

const LEVEL_OPTIONS: readonly (keyof DetailLevel)[] = ["within", "rate", "between", "detail"];

interface Level {
  readonly within: number;
  readonly rate: number;
  readonly between: Between;
  readonly detail: boolean;
}

/** Levels of detail of the characters of a crowd: update rates, poses in between, detail. */
export class Levels {
  readonly #instances: Instances;
  readonly #variants: VariantTable;
  readonly #order: GroupOrder;
  readonly #between: BlockPool;
  #levels: readonly Level[] = [];

  /** @param blocks - what is taken is added; the crowd frees it */
  constructor(instances: Instances, variants: VariantTable, order: GroupOrder, blocks: number[]) {
    this.#instances = instances;
    this.#variants = variants;
    this.#order = order;
    const padded = (bytes: number): number => (bytes + 15) & ~15;
    this.#between = new BlockPool(BETWEEN_HEADER_BYTES + padded(instances.stride) * 2 + padded(instances.slotsStride) + padded(instances.stride / (PALETTE_FLOATS * 4)), blocks);
  }

  /** Bytes that a character takes while it is interpolated. */
  get betweenBytes(): number {
    return this.#between.bytes;
  }

  /** @throws ArgumentError, RangeMismatchError if the levels are not in the order of their distances or make no sense */
  set levels(levels: readonly DetailLevel[]) {
    if (!Array.isArray(levels)) throw new ArgumentError(`levels is ${shown(levels)}, expected an array.`, { found: levels });
    for (const level of levels) checkOptions("a level", level, LEVEL_OPTIONS);
    let before = 0;
    this.#levels = levels.map(({ within = Infinity, rate = Infinity, between = "hold", detail = true }, i) => {
      if (typeof within !== "number" || !(within >= before)) throw new RangeMismatchError(`levels[${i}].within`, within, before, Infinity, "Give levels from near to far.");
      before = within;
      return { within, rate: rateOf(`levels[${i}].rate`, rate), between: checkBetween(between), detail: flag(`levels[${i}].detail`, detail) };
    });
    for (let row = 0; row < this.#instances.count; row++) heap.u32[(this.#instances.at(row) + InstanceField.LEVEL) >> 2] = 0;
  }
  get levels(): readonly DetailLevel[] {
    return this.#levels;
  }

  /** See `Crowd.setUpdateRate`. */
  setRate(at: number, posesPerSecond: number, between: Between): void {
    rateOf("posesPerSecond", posesPerSecond);
    checkBetween(between);
    heap.f64[(at + InstanceField.INTERVAL) >> 3] = posesPerSecond === Infinity ? 0 : 1 / posesPerSecond;
    const wants = between === "interpolate" && posesPerSecond !== Infinity;
    if (wants === (heap.u32[(at + InstanceField.BETWEEN) >> 2] !== 0)) return;
    if (wants) this.takeBetween(at);
    else this.release(at);
  }

  /** Lends a character room for two poses. @returns its address */
  takeBetween(at: number): number {
    const between = this.#between.take();
    heap.u32[(at + InstanceField.BETWEEN) >> 2] = between;
    return between;
  }

  /** Takes back what a character was lent. */
  release(at: number): void {
    const between = heap.u32[(at + InstanceField.BETWEEN) >> 2]!;
    if (between === 0) return;
    this.#between.give(between);
    heap.u32[(at + InstanceField.BETWEEN) >> 2] = 0;
  }

  /** The next update poses a character that was out of sight, whatever its rate, and shows that pose. */
  refresh(at: number): void {
    heap.f64[(at + InstanceField.PENDING) >> 3] = heap.f64[(at + InstanceField.INTERVAL) >> 3]!;
    const between = heap.u32[(at + InstanceField.BETWEEN) >> 2]!;
    if (between !== 0) heap.u32[(between + BetweenField.POSES) >> 2] = 0;
  }

  /** See `Crowd.setDetail`. */
  setDetail(at: number, row: number, isOn: boolean): void {
    const variant = heap.u32[(at + InstanceField.VARIANT) >> 2]!;
    const next = this.#variants.index(this.#variants.skin(variant), isOn);
    if (next === variant) return;
    heap.u32[(at + InstanceField.VARIANT) >> 2] = next;
    this.#instances.restSliders(row);
    if (isOn) this.#variants.restDetailPhysics(heap.u32[(at + InstanceField.PHYSICS) >> 2]!, heap.f64[(at + InstanceField.SKELETON_TIME) >> 3]!);
    this.#order.invalidate();
  }

  /** See `Crowd.setLevel`. @throws RangeMismatchError */
  setLevel(at: number, row: number, index: number): void {
    const level = this.#levels[index];
    if (level === undefined) {
      throw new RangeMismatchError("level", index, 0, this.#levels.length - 1, "Give the number of one of crowd.levels.");
    }
    heap.u32[(at + InstanceField.LEVEL) >> 2] = index + 1;
    this.setRate(at, level.rate, level.between);
    this.setDetail(at, row, level.detail);
  }

  /** See `Crowd.chooseLevels`. @returns how many characters changed their level */
  choose(x: number, y: number, margin: number): number {
    finite("x", x);
    finite("y", y);
    if (typeof margin !== "number" || !(margin >= 0 && margin < 1)) throw new RangeMismatchError("margin", margin, 0, 1, "Give a share of the distance, such as 0.1.");
    const levels = this.#levels;
    const last = levels.length - 1;
    if (last < 0) return 0;
    let changed = 0;
    for (let row = 0; row < this.#instances.count; row++) {
      const at = this.#instances.at(row);
      const { f32, u32 } = heap;
      const dx = f32[(at + InstanceField.X) >> 2]! - x;
      const dy = f32[(at + InstanceField.Y) >> 2]! - y;
      const distance = Math.sqrt(dx * dx + dy * dy);
      const current = u32[(at + InstanceField.LEVEL) >> 2]! - 1;
      let level = 0;
      while (level < last && distance > levels[level]!.within) level++;
      if (level === current) continue;
      // A character at a border keeps its level until it is clearly on the other side.
      if (current >= 0 && current <= last) {
        const border = level > current ? levels[level - 1]!.within * (1 + margin) : levels[level]!.within * (1 - margin);
        if (level > current ? distance <= border : distance >= border) continue;
      }
      this.setLevel(at, row, level);
      changed++;
    }
    return changed;
  }
}

function checkBetween(between: Between): Between {
  if (between === "hold" || between === "interpolate") return between;
  throw new ArgumentError(`between is ${shown(between)}, expected "hold" or "interpolate".`, { found: between });
}
