import type { ConstraintType, SkeletonDocument } from "../document.js";
import { cannotWrite } from "./failure.js";

type Kind = "bone" | "slot" | "skin" | "event" | "animation";

/** Turns indices of a document into names, which in JSON are the only references. */
export class JsonNames {
  #constraints = new Map<string, number>();
  #unique: Record<Kind, Map<string, number>>;

  constructor(readonly document: SkeletonDocument) {
    const first = (items: readonly { name: string }[]): Map<string, number> => {
      const map = new Map<string, number>();
      items.forEach(({ name }, i) => { if (!map.has(name)) map.set(name, i); });
      return map;
    };
    this.#unique = {
      bone: first(document.bones), slot: first(document.slots), skin: first(document.skins), event: first(document.events), animation: first(document.animations),
    };
    document.constraints.forEach(({ type, name }, i) => {
      const key = `${type} ${name}`;
      if (!this.#constraints.has(key)) this.#constraints.set(key, i);
    });
  }

  bone(index: number): string {
    return this.#checked("bone", this.document.bones[index]!.name, index);
  }

  slot(index: number): string {
    return this.#checked("slot", this.document.slots[index]!.name, index);
  }

  skin(index: number): string {
    return this.#checked("skin", this.document.skins[index]!.name, index);
  }

  event(index: number): string {
    return this.#checked("event", this.document.events[index]!.name, index);
  }

  animation(index: number): string {
    return this.#checked("animation", this.document.animations[index]!.name, index);
  }

  constraint(index: number): { type: ConstraintType; name: string } {
    const { type, name } = this.document.constraints[index]!;
    if (this.#constraints.get(`${type} ${name}`) !== index) cannotWrite("JSON", `a reference to the second ${type} constraint called '${name}'`, "Rename it.");
    return { type, name };
  }

  /** A name means the first of its kind. */
  #checked(kind: Kind, name: string, index: number): string {
    if (this.#unique[kind].get(name) !== index) cannotWrite("JSON", `a reference to the second ${kind} called '${name}'`, "Rename it.");
    return name;
  }
}
