import { AnimArgumentError } from "../errors.js";
import { requireFinite, requireIndex, requireName, requireObject, requireTime, show } from "./checks.js";
import type { AnimClip } from "./clip.js";
import { ClipCurves } from "./clip-curves.js";
import { ClipKeys } from "./clip-keys.js";
import { haveCompatibleMarkers, mapSyncTime, type MarkedClip } from "./sync-markers.js";
import { type TimedEntry, TimedList } from "./timed-list.js";

/** What an `AnimClip` has besides keys: scalar curves, events, sync markers. */
export class ClipMarks extends ClipKeys implements MarkedClip {
  readonly #events = new TimedList();
  readonly #markers = new TimedList();
  readonly #curves = new ClipCurves();

  // ---- scalar curves ----------------------------------------------------------------------------------------------

  /** Adds a scalar curve (morph weights, contact flags, drivers). @returns its index; an existing curve is kept */
  addCurve(name: string): number { return this.#curves.add(name); }

  /** Adds a key and extends the duration if needed. Of keys at one time the later holds from then on. @returns its index */
  addCurveKey(name: string, time: number, value: number): number {
    const key = this.#curves.addKey(name, time, value);
    this.extend(time);
    this.version++;
    return key;
  }

  getCurveCount(): number { return this.#curves.count; }
  /** @throws AnimIndexError */
  getCurveName(curve: number): string { return this.#curves.at("getCurveName", curve).name; }
  /** Index of a curve, -1 if there is none of that name. */
  findCurve(name: string): number { return this.#curves.find(name); }
  getCurveKeyCount(curve: number): number { return this.#curves.at("getCurveKeyCount", curve).times.length; }
  /** @throws AnimIndexError */
  getCurveKeyTime(curve: number, key: number): number {
    const { times } = this.#curves.at("getCurveKeyTime", curve);
    requireIndex("AnimClip.getCurveKeyTime", "key", key, times.length);
    return times[key]!;
  }
  /** @throws AnimIndexError */
  getCurveKeyValue(curve: number, key: number): number {
    const { values } = this.#curves.at("getCurveKeyValue", curve);
    requireIndex("AnimClip.getCurveKeyValue", "key", key, values.length);
    return values[key]!;
  }

  /** Value of a curve at a time, which is wrapped or clamped as the clip loops; 0 when the clip has no such curve. */
  sampleCurve(name: string, time: number): number {
    requireFinite("AnimClip.sampleCurve", "time", time);
    const io = new Float64Array(1);
    io[0] = this.wrapTime(time);
    this.curveInto(name, io);
    return io[0]!;
  }

  /** Replaces the clip time in io[0] by a curve's value, 0 if there is none of that name. For callers of every frame. @internal */
  curveInto(name: string, io: Float64Array): void {
    const curve = this.#curves.find(name);
    if (curve < 0) io[0] = 0;
    else this.#curves.sampleInto(curve, io);
  }

  // ---- events and sync markers ------------------------------------------------------------------------------------

  /** @param time - may lie behind the duration; then the event never fires */
  addEvent(time: number, name: string, payload = ""): number {
    checkEntry("AnimClip.addEvent", time, name, payload);
    return this.#events.add(time, name, payload);
  }

  setEvent(index: number, time: number, name: string, payload = ""): number {
    requireIndex("AnimClip.setEvent", "index", index, this.#events.count);
    checkEntry("AnimClip.setEvent", time, name, payload);
    return this.#events.set(index, time, name, payload);
  }

  removeEvent(index: number): void {
    requireIndex("AnimClip.removeEvent", "index", index, this.#events.count);
    this.#events.remove(index);
  }

  getEventCount(): number { return this.#events.count; }
  getEventTime(i: number): number { return this.#event("getEventTime", i).time; }
  getEventName(i: number): string { return this.#event("getEventName", i).name; }
  getEventPayload(i: number): string { return this.#event("getEventPayload", i).payload; }

  addSyncMarker(time: number, name: string): number {
    checkEntry("AnimClip.addSyncMarker", time, name, "");
    return this.#markers.add(time, name, "");
  }

  setSyncMarker(index: number, time: number, name: string): number {
    requireIndex("AnimClip.setSyncMarker", "index", index, this.#markers.count);
    checkEntry("AnimClip.setSyncMarker", time, name, "");
    return this.#markers.set(index, time, name, "");
  }

  removeSyncMarker(index: number): void {
    requireIndex("AnimClip.removeSyncMarker", "index", index, this.#markers.count);
    this.#markers.remove(index);
  }

  getSyncMarkerCount(): number { return this.#markers.count; }
  getSyncMarkerTime(i: number): number { return this.#marker("getSyncMarkerTime", i).time; }
  getSyncMarkerName(i: number): string { return this.#marker("getSyncMarkerName", i).name; }

  /** Whether both clips have markers whose names correspond in order (as loops: up to rotation and repetition). */
  hasCompatibleSyncMarkers(other: AnimClip): boolean {
    requireObject("AnimClip.hasCompatibleSyncMarkers", "other", other, "AnimClip");
    return haveCompatibleMarkers(this, other);
  }

  /** The time in `other` that corresponds to `time` here: by markers if they fit, by normalised time if not. */
  mapSyncTimeTo(other: AnimClip, time: number): number {
    requireObject("AnimClip.mapSyncTimeTo", "other", other, "AnimClip");
    return mapSyncTime(this, other, this.wrapTime(time));
  }

  /** @internal */
  get events(): readonly TimedEntry[] { return this.#events.entries; }
  /** @internal */
  get markers(): readonly TimedEntry[] { return this.#markers.entries; }

  /** Takes copies of the curves, events and markers of another clip. @internal */
  protected copyMarks(other: ClipMarks): void {
    this.#events.copyFrom(other.#events);
    this.#markers.copyFrom(other.#markers);
    this.#curves.copyFrom(other.#curves);
  }

  #event(method: string, i: number): TimedEntry {
    requireIndex(`AnimClip.${method}`, "the event index", i, this.#events.count);
    return this.#events.entries[i]!;
  }

  #marker(method: string, i: number): TimedEntry {
    requireIndex(`AnimClip.${method}`, "the marker index", i, this.#markers.count);
    return this.#markers.entries[i]!;
  }
}

function checkEntry(method: string, time: number, name: string, payload: string): void {
  requireTime(method, "time", time);
  requireName(method, "name", name);
  if (typeof payload !== "string") throw new AnimArgumentError(`${method}: payload is ${show(payload)}, expected a text.`);
}
