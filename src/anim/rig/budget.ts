import { AnimArgumentError, AnimNameError } from "../errors.js";
import { requireFinite, requireLength, requireLod, requireObject, requirePositive, requireShare, show } from "./checks.js";
import { retire } from "./retire.js";

/** What a budget updates: a player, a graph, a state machine, a mixer, a matcher, or anything of that shape. */
export interface BudgetSource {
  update(dt: number): void;
  setLod?(level: number): void;
}

/** How characters of one size on the screen are treated. */
export interface BudgetLevel {
  /** Smallest size of the level, as a share of the height of the screen. */
  readonly size: number;
  /** Updates a second; 0 is every frame. */
  readonly rate: number;
  /** Level of detail of the bones. */
  readonly lod: number;
  /** Not updated at all; the time that passes is handed on when the character thaws. */
  readonly frozen?: boolean;
}

export interface BudgetOptions {
  /** Levels from the largest size down; the last has size 0. */
  levels?: readonly BudgetLevel[];
  /** Share by which a size must pass a limit before the level changes, so that nobody flickers. Default 0.15. */
  hysteresis?: number;
  /** Microseconds since some moment; default the clock of the platform. */
  now?: () => number;
}

const LEVELS: readonly BudgetLevel[] = [
  { size: 0.25, rate: 0, lod: 0 },
  { size: 0.1, rate: 30, lod: 0 },
  { size: 0.04, rate: 15, lod: 1 },
  { size: 0.01, rate: 8, lod: 2 },
  { size: 0, rate: 0, lod: 2, frozen: true },
];

/** Share of the new measurement in the smoothed cost of an update. */
const FRESH = 0.1;
/** How sizes are scaled in an update that costs too much, and in one that leaves room. */
const SHRINK = 0.95, GROW = 1.01;
/** Share of the budget below which there is room. */
const ROOM = 0.85;
/** Golden section: phases of any number of characters are spread evenly. */
const SECTION = 0.6180339887498949;

interface Member {
  readonly source: BudgetSource;
  level: number;
  readonly id: number;
}

const SIZE = 0, WAITED = 1, DUE = 2, NUMBERS = 3;

/**
 * Updates characters so that all together stay within a time: near ones every frame, far ones less often and with fewer bones, the
 * farthest not at all.
 *
 * Every character says how large it is on the screen. If updates cost more than the budget (as the clock says, smoothed over about
 * ten), all sizes count as smaller until they fit. Characters of one rate take turns, so that frames cost the same. Times stay
 * exact: who waits gets all of it at once. Updates allocate nothing.
 */
export class AnimBudget {
  readonly #members: Member[] = [];
  /** By member: size, seconds waited, seconds to wait. */
  #numbers = new Float64Array(0);
  readonly #levels: readonly BudgetLevel[];
  readonly #hysteresis: number;
  readonly #now: () => number;
  /** Budget, smoothed cost, what sizes are scaled by. */
  readonly #state = Float64Array.of(0, 0, 1);
  #ids = 0;

  /** @param microseconds - for all updates of a frame together */
  constructor(microseconds: number, options: BudgetOptions = {}) {
    requirePositive("AnimBudget", "microseconds", microseconds);
    requireObject("AnimBudget", "options", options, "object such as { hysteresis: 0.2 }");
    const { levels = LEVELS, hysteresis = 0.15, now = clock } = options;
    requireShare("AnimBudget", "hysteresis", hysteresis);
    if (typeof now !== "function") throw new AnimArgumentError(`AnimBudget: now is ${show(now)}, expected a function that returns microseconds.`);
    this.#levels = checkedLevels(levels);
    this.#hysteresis = hysteresis;
    this.#now = now;
    this.#state[0] = microseconds;
  }

  /** Another budget. */
  setBudget(microseconds: number): void {
    requirePositive("AnimBudget.setBudget", "microseconds", microseconds);
    this.#state[0] = microseconds;
  }

  getBudget(): number { return this.#state[0]!; }

  /** Takes a character on; from now on the budget updates it. @param size - see `setScreenSize` @returns its id, never used again */
  add(source: BudgetSource, size = 1): number {
    requireObject("AnimBudget.add", "source", source, "object with a method named update");
    if (typeof source.update !== "function") throw new AnimArgumentError("AnimBudget.add: source has no method named update.");
    requireLength("AnimBudget.add", "size", size);
    for (const member of this.#members) if (member.source === source) throw new AnimArgumentError("AnimBudget.add: source was added already. Add every character once.");
    const index = this.#members.length;
    if (this.#numbers.length < (index + 1) * NUMBERS) {
      const grown = new Float64Array(Math.max(16, 2 * this.#numbers.length));
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#members.push({ source, level: -1, id: this.#ids });
    this.#numbers[index * NUMBERS + SIZE] = size;
    this.#numbers[index * NUMBERS + WAITED] = this.#numbers[index * NUMBERS + DUE] = 0;
    return this.#ids++;
  }

  /** @throws AnimNameError for an id that is not there */
  remove(id: number): void {
    const index = this.#index("remove", id);
    this.#members.splice(index, 1);
    this.#numbers.copyWithin(index * NUMBERS, (index + 1) * NUMBERS);
  }

  /** @param size - height of the character as a share of the height of the screen, 0 or more; 0 for who is not seen */
  setScreenSize(id: number, size: number): void {
    const index = this.#index("setScreenSize", id);
    requireLength("AnimBudget.setScreenSize", "size", size);
    this.#numbers[index * NUMBERS + SIZE] = size;
  }

  getCount(): number { return this.#members.length; }

  /** Index of the level that a character has had since the last update; -1 before the first. */
  getLevel(id: number): number { return this.#members[this.#index("getLevel", id)]!.level; }

  /** Microseconds that an update takes, smoothed. */
  getCost(): number { return this.#state[1]!; }

  /** What sizes are scaled by to stay within the budget: 1 while everything fits. */
  getScale(): number { return this.#state[2]!; }

  /** Gives levels and updates who is due. @param dt - seconds; not finite: ignored @throws AnimArgumentError if it is negative */
  update(dt: number): void {
    if (dt < 0 && dt !== -Infinity) throw new AnimArgumentError(`AnimBudget.update: dt is ${dt}, expected 0 or more.`, { found: dt });
    if (!Number.isFinite(dt)) return;
    const members = this.#members, numbers = this.#numbers, state = this.#state, start = this.#now();
    for (let i = 0; i < members.length; i++) {
      const member = members[i]!, at = i * NUMBERS;
      this.#choose(member, at);
      const level = this.#levels[member.level]!;
      numbers[at + WAITED] = numbers[at + WAITED]! + dt;
      if (level.frozen === true || numbers[at + WAITED]! < numbers[at + DUE]! - 1e-9) continue;
      const step = numbers[at + WAITED]!;
      numbers[at + WAITED] = 0;
      numbers[at + DUE] = level.rate > 0 ? 1 / level.rate : 0;
      member.source.update(step);
    }
    const cost = this.#now() - start;
    state[1] = state[1] === 0 ? cost : state[1]! + FRESH * (cost - state[1]!);
    if (state[1]! > state[0]!) state[2] = Math.max(1e-3, state[2]! * SHRINK);
    else if (state[1]! < ROOM * state[0]!) state[2] = Math.min(1, state[2]! * GROW);
  }

  /** Ends the use: every later call throws. The characters stay. Safe to call twice. */
  dispose(): void {
    retire(this, "AnimBudget");
  }

  /** The level of a character's size: the present one until the size is well beyond its limits. */
  #choose(member: Member, at: number): void {
    const levels = this.#levels, size = this.#numbers[at + SIZE]! * this.#state[2]!, before = member.level;
    let level = before < 0 ? levels.findIndex((one) => size >= one.size) : before;
    while (level > 0 && size >= levels[level - 1]!.size * (1 + this.#hysteresis)) level--;
    while (level < levels.length - 1 && size < levels[level]!.size * (1 - this.#hysteresis)) level++;
    if (level === before) return;
    member.level = level;
    const { rate, lod } = levels[level]!;
    if (before < 0 || levels[before]!.lod !== lod) member.source.setLod?.(lod);
    // The first wait is a part of the interval, another one for everybody, so that not all come at once.
    const turn = member.id * SECTION;
    this.#numbers[at + DUE] = rate > 0 ? (1 - (turn - Math.floor(turn))) / rate : 0;
  }

  #index(method: string, id: number): number {
    const index = this.#members.findIndex((member) => member.id === id);
    if (index >= 0) return index;
    throw new AnimNameError(`AnimBudget.${method}: there is no character of id ${show(id)}. Ids come from add() and end with remove().`, { found: id });
  }
}

function clock(): number {
  return performance.now() * 1000;
}

function checkedLevels(levels: readonly BudgetLevel[]): BudgetLevel[] {
  requireObject("AnimBudget", "levels", levels, "array of levels");
  if (levels.length === 0 || levels[levels.length - 1]!.size !== 0) throw new AnimArgumentError("AnimBudget: the last level has a size above 0, or there is none. Let the last one have size 0, for all that are smaller.");
  return levels.map((level, i) => {
    requireFinite("AnimBudget", `levels[${i}].size`, level.size);
    if (i > 0 && !(level.size < levels[i - 1]!.size)) throw new AnimArgumentError(`AnimBudget: levels[${i}].size is ${level.size}, not below that of the level before it, ${levels[i - 1]!.size}. Give levels from the largest size down.`);
    requireLength("AnimBudget", `levels[${i}].rate`, level.rate);
    requireLod("AnimBudget", level.lod);
    return { ...level };
  });
}
