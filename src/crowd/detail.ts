import { ArgumentError, NameError } from "../errors.js";
import { PhysicsConstraintData } from "../spine/constraints/physics-constraint-data.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import { checkOptions, shown } from "./checks.js";

/** What of a rig is detail, by name. */
export interface DetailOptions {
  /**
   * Constraints that far characters do without; of several kinds of one name, all. Bones are posed as if those did not exist.
   */
  constraints?: readonly string[] | undefined;
  /** Slots that far characters do not show. */
  slots?: readonly string[] | undefined;
}

/** What of a rig is detail, by index. */
export class Detail {
  readonly constraints: readonly number[];
  readonly slots: ReadonlySet<number>;
  /** The physics constraints among them, numbered among those of the rig. */
  readonly physics: readonly number[];

  /** @throws ArgumentError for what is no list of names, NameError for a name that the rig does not have */
  constructor(data: SkeletonData, options: DetailOptions = {}) {
    checkOptions("detail", options, ["constraints", "slots"]);
    const { constraints = [], slots = [] } = options;
    for (const list of [constraints, slots]) {
      if (!Array.isArray(list)) throw new ArgumentError(`The names of what is detail are ${shown(list)}, expected an array of names.`, { found: list });
    }
    this.constraints = [...new Set(constraints.flatMap((name) => indicesOf(data.constraints, name, "constraint")))];
    this.slots = new Set(slots.flatMap((name) => indicesOf(data.slots, name, "slot")));
    const physics = data.constraints.filter((constraint) => constraint instanceof PhysicsConstraintData);
    this.physics = this.constraints.map((index) => physics.indexOf(data.constraints[index] as PhysicsConstraintData)).filter((index) => index >= 0);
  }

  get isEmpty(): boolean {
    return this.constraints.length === 0 && this.slots.size === 0;
  }
}

function indicesOf(items: readonly { readonly name: string }[], name: string, what: string): number[] {
  const indices = items.flatMap((item, i) => (item.name === name ? [i] : []));
  if (indices.length > 0) return indices;
  const names = items.map((item) => `"${item.name}"`).join(", ");
  throw new NameError(`There is no ${what} "${name}". The ${what}s are: ${names === "" ? "none" : names}.`, { found: name });
}
