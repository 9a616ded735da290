import type { Event } from "../model/event.js";
import { Property, TimelineKind } from "./property.js";
import { Timeline } from "./timeline.js";

/** Fires an Event when specific animation times are reached. */
export class EventTimeline extends Timeline {
  static readonly ENTRIES = 1;
  static readonly propertyIds: readonly string[] = ["13"];
  /** The event for each frame. */
  readonly events: Event[];

  constructor(frameCount: number) {
    super(frameCount, String(Property.EVENT));
    this.events = [];
    this.events.length = frameCount;
    this.instant = true;
  }

  /** Sets the event of a frame; the frame's time is `event.time`. */
  setFrame(frame: number, event: Event): void {
    this._edit(frame);
    this._frames[frame] = event.time;
    this.events[frame] = event;
  }

  override get _kind(): TimelineKind {
    return TimelineKind.EVENT;
  }
}
