import { ArgumentError } from "../../errors.js";
import { BlendMode } from "../enums.js";
import { PosedData } from "../model/posed.js";
import { SlotPose } from "../model/slot-pose.js";
import type { BoneData } from "./bone-data.js";

/** The setup pose of a slot. */
export class SlotData extends PosedData<SlotPose> {
  /** Index in `Skeleton.slots`. */
  readonly index: number;
  /** The bone the slot belongs to. */
  readonly boneData: BoneData;
  /** Placeholder name of the attachment shown in the setup pose, null for none. */
  attachmentName: string | null = null;
  blendMode: BlendMode = BlendMode.Normal;
  /** Whether the slot was visible in the editor. No effect on rendering. */
  visible = true;

  constructor(index: number, name: string, boneData: BoneData) {
    if (typeof name !== "string" || name === "") throw new ArgumentError("The name of a slot is missing. Give a non-empty string.", { found: name });
    if (!(index >= 0)) throw new ArgumentError(`The index of slot "${name}" is ${index}, expected 0 or more.`, { found: index });
    if (boneData == null) throw new ArgumentError(`The bone of slot "${name}" is missing.`);
    super(name, SlotPose._setupPose());
    this.index = index;
    this.boneData = boneData;
  }
}
