import { ArgumentError } from "../../errors.js";
import { Property, TimelineKind } from "./property.js";
import { Timeline } from "./timeline.js";

/** Changes `Skeleton.drawOrder`. */
export class DrawOrderTimeline extends Timeline {
  static readonly ENTRIES = 1;
  static readonly propertyID = "14";
  static readonly propertyIds: readonly string[] = ["14"];
  /** Per frame: slot indices in draw order, or null for the setup order. */
  readonly drawOrders: (readonly number[] | null)[];

  constructor(frameCount: number) {
    super(frameCount, String(Property.DRAW_ORDER));
    this.drawOrders = Array.from({ length: frameCount }, () => null);
    this.instant = true;
  }

  getDrawOrders(): (readonly number[] | null)[] {
    return this.drawOrders;
  }

  /** Sets the time in seconds and the draw order of a frame: ordered `Skeleton.slots` indices, or null for setup order. */
  setFrame(frame: number, time: number, drawOrder: readonly number[] | null): void {
    this._edit(frame);
    this._frames[frame] = time;
    this.drawOrders[frame] = drawOrder;
  }

  override get _kind(): TimelineKind {
    return TimelineKind.DRAW_ORDER;
  }
}

/** Changes a subset of `Skeleton.drawOrder`: the slots of a folder trade their places, all others stay. */
export class DrawOrderFolderTimeline extends Timeline {
  static readonly ENTRIES = 1;
  static readonly propertyID = "15";
  /** The slots that this timeline affects, as `Skeleton.slots` indices in setup order. */
  readonly slots: readonly number[];
  /** Per frame: indices into `slots` in draw order, or null for the setup order. */
  readonly drawOrders: (readonly number[] | null)[];
  /** @internal 1 at the slots of the folder. */
  readonly _inFolder: Uint8Array;

  /**
   * @param slots - `Skeleton.slots` indices, in setup order
   * @param slotCount - the number of slots of the skeleton
   * @throws ArgumentError if a slot is not in 0 .. slotCount-1 or appears twice
   */
  constructor(frameCount: number, slots: readonly number[], slotCount: number) {
    super(frameCount, ...slots.map((slot) => `${Property.DRAW_ORDER_FOLDER}|${slot}`));
    this.slots = slots;
    this.drawOrders = Array.from({ length: frameCount }, () => null);
    this.instant = true;
    this._inFolder = new Uint8Array(slotCount);
    for (const slot of slots) {
      if (this._inFolder[slot] !== 0) {
        throw new ArgumentError(`A draw order folder lists slot ${slot}, expected distinct indices in 0..${slotCount - 1}.`, { found: slot });
      }
      this._inFolder[slot] = 1;
    }
  }

  getSlots(): readonly number[] {
    return this.slots;
  }

  getDrawOrders(): (readonly number[] | null)[] {
    return this.drawOrders;
  }

  /** Sets the time in seconds and the draw order of a frame: ordered indices into `slots`, or null for setup order. */
  setFrame(frame: number, time: number, drawOrder: readonly number[] | null): void {
    this._edit(frame);
    this._frames[frame] = time;
    this.drawOrders[frame] = drawOrder;
  }

  override get _kind(): TimelineKind {
    return TimelineKind.DRAW_ORDER_FOLDER;
  }
}
