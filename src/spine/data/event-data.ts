import { ArgumentError } from "../../errors.js";
import { Event } from "../model/event.js";

/** The setup values of an event. */
export class EventData {
  /** Unique among the skeleton's events. */
  readonly name: string;
  /** @internal */
  _audioPath: string | null = null;
  /** Values shared by all events of this kind. */
  readonly setupPose: Event;

  constructor(name: string) {
    if (typeof name !== "string") throw new ArgumentError("The name of an event is missing. Give a string.", { found: name });
    this.name = name;
    this.setupPose = new Event(-1, this);
  }

  /** Audio file relative to the audio folder of the project, null for none. */
  get audioPath(): string | null {
    return this._audioPath;
  }
  set audioPath(path: string | null) {
    this._audioPath = path;
  }
}
