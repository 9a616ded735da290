import { ArgumentError } from "../../errors.js";
import type { EventData } from "../data/event-data.js";

/** Something that an animation fires at a key. */
export class Event {
  /** Animation time of the key in seconds; -1 for setup values. */
  readonly time: number;
  readonly data: EventData;
  intValue = 0;
  floatValue = 0;
  stringValue: string | null = null;
  /** Volume of the sound, if the event has an audio path. */
  volume = 0;
  /** Left/right balance of the sound, -1..1. */
  balance = 0;

  constructor(time: number, data: EventData) {
    if (data == null) throw new ArgumentError("The data of an event is missing.");
    this.time = time;
    this.data = data;
  }
}
