import { ArgumentError } from "../../errors.js";
import { BonePose } from "../model/bone-pose.js";
import { PosedData } from "../model/posed.js";
import { setupEdits } from "../pose-store.js";
import { Color } from "../utils/color.js";

/** The setup pose of a bone. */
export class BoneData extends PosedData<BonePose> {
  /** Index in `Skeleton.bones`. */
  readonly index: number;
  /** Null for a root. */
  readonly parent: BoneData | null;
  /** Colour in the editor. */
  readonly color = new Color(0, 0, 0, 0);
  /** Icon in the editor, if it was exported. */
  icon: string | undefined = undefined;
  iconSize = 1;
  iconRotation = 0;
  /** Whether the bone was visible in the editor. No effect on rendering. */
  visible = false;
  #length = 0;

  /** @param parent - null for a root */
  constructor(index: number, name: string, parent: BoneData | null);
  /** Copies `data` (its `index` and name, too) under another parent. */
  constructor(data: BoneData, parent: BoneData | null);
  constructor(indexOrData: number | BoneData, nameOrParent: string | BoneData | null, parent: BoneData | null = null) {
    const other = typeof indexOrData === "number" ? null : indexOrData;
    const name = other === null ? nameOrParent : other.name;
    const index = other === null ? (indexOrData as number) : other.index;
    if (typeof name !== "string" || name === "") throw new ArgumentError("The name of a bone is missing. Give a non-empty string.", { found: name });
    if (!(index >= 0)) throw new ArgumentError(`The index of bone "${name}" is ${index}, expected 0 or more.`, { found: index });
    super(name, BonePose._setupPose());
    this.index = index;
    this.parent = other === null ? parent : (nameOrParent as BoneData | null);
    if (other !== null) this.#take(other);
  }

  /** Length in local units. */
  get length(): number {
    return this.#length;
  }
  set length(value: number) {
    this.#length = value;
    setupEdits.count++;
  }

  /** A copy under another parent. */
  copy(parent: BoneData | null): BoneData {
    return new BoneData(this, parent);
  }

  #take(other: BoneData): void {
    this.setupPose.set(other.setupPose);
    this.skinRequired = other.skinRequired;
    this.length = other.length;
    this.color.setFromColor(other.color);
    this.icon = other.icon;
    this.iconSize = other.iconSize;
    this.iconRotation = other.iconRotation;
    this.visible = other.visible;
  }
}
