import { ArgumentError } from "../../errors.js";
import type { Animation } from "../animation.js";
import type { Skin } from "../model/skin.js";
import { Rig } from "../rig.js";
import type { BoneData } from "./bone-data.js";
import type { ConstraintData } from "./constraint-data.js";
import type { EventData } from "./event-data.js";
import type { SlotData } from "./slot-data.js";

// Classes may be abstract and their constructors may take anything.
type Class<T> = abstract new (...args: any[]) => T;

/**
 * The setup pose and everything else that skeletons of one export share. Bones, slots and constraints that are added later are in
 * the skeletons that are made later.
 */
export class SkeletonData {
  /** Name of the skeleton, usually that of its file; null if none was given. */
  name: string | null = null;
  /** Parents come before children; the root is first. */
  readonly bones: BoneData[] = [];
  /** In setup draw order. */
  readonly slots: SlotData[] = [];
  /** All skins, the default skin included. */
  readonly skins: Skin[] = [];
  /** The skin with all attachments that are in no skin of the project. */
  defaultSkin: Skin | null = null;
  readonly events: EventData[] = [];
  readonly animations: Animation[] = [];
  /** In update order. */
  readonly constraints: ConstraintData[] = [];
  /** Bounding box of the setup pose: left edge. */
  x = 0;
  /** Bounding box of the setup pose: bottom edge. */
  y = 0;
  width = 0;
  height = 0;
  /** Scale for effects that depend on distance while their property does not, such as physics on angles. */
  referenceScale = 100;
  /** Version of the editor that wrote the file. */
  version: string | null = null;
  /** Changes whenever the exported data change. */
  hash: string | null = null;
  /** Frames per second of the dopesheet. */
  fps = 30;
  imagesPath: string | null = null;
  audioPath: string | null = null;
  #rig: Rig | null = null;
  readonly #retired: Rig[] = [];

  /**
   * What linear memory holds of this data, made on first use, and anew where bones, slots or constraints were added since:
   * skeletons that exist keep the rig they were made with. @internal
   */
  get _rig(): Rig {
    if (this.#rig !== null && !this.#rig.fits()) {
      this.#retired.push(this.#rig);
      this.#rig = null;
    }
    return (this.#rig ??= new Rig(this));
  }

  /** The bone with a name, or null. Cache the result instead of searching each frame. */
  findBone(boneName: string): BoneData | null {
    return findByName(this.bones, boneName, "bone");
  }

  /** The slot with a name, or null. */
  findSlot(slotName: string): SlotData | null {
    return findByName(this.slots, slotName, "slot");
  }

  /** The skin with a name, or null. */
  findSkin(skinName: string): Skin | null {
    return findByName(this.skins, skinName, "skin");
  }

  /** The event with a name, or null. */
  findEvent(eventDataName: string): EventData | null {
    return findByName(this.events, eventDataName, "event");
  }

  /** The animation with a name, or null. */
  findAnimation(animationName: string): Animation | null {
    return findByName(this.animations, animationName, "animation");
  }

  /** The constraint with a name, of a class if one is given, or null. */
  findConstraint<T extends ConstraintData = ConstraintData>(constraintName: string, type?: Class<T>): T | null {
    return findByNameAndClass<T>(this.constraints, constraintName, type);
  }

  /** Adds to `animations` those that sliders apply; they are not meant to be played on their own. */
  findSliderAnimations(animations: Animation[]): Animation[] {
    for (const constraint of this.constraints) {
      const { animation } = constraint as { animation?: Animation | null };
      if (animation != null) animations.push(animation);
    }
    return animations;
  }

  /**
   * Frees what linear memory holds of this data, its attachments and animations included; what is used again is made again.
   * @throws StateError while skeletons of this data are in use
   */
  dispose(): void {
    for (const rig of [...this.#retired, this.#rig]) rig?.dispose();
    this.#retired.length = 0;
    this.#rig = null;
  }
}

/** @internal */
export function findByName<T extends { readonly name: string }>(list: readonly T[], name: string, kind: string): T | null {
  if (typeof name !== "string" || name === "") throw new ArgumentError(`The name of a ${kind} to find is missing. Give a non-empty string.`, { found: name });
  for (let i = 0; i < list.length; i++) {
    if (list[i]!.name === name) return list[i]!;
  }
  return null;
}

function findByNameAndClass<T extends ConstraintData>(list: readonly ConstraintData[], name: string, type?: Class<T>): T | null {
  if (typeof name !== "string" || name === "") throw new ArgumentError("The name of a constraint to find is missing. Give a non-empty string.", { found: name });
  for (const item of list) {
    if (item.name === name && (type === undefined || item instanceof type)) return item as T;
  }
  return null;
}
