import { MAXIMUM_WEIGHTS } from "../../../assembly/layout/animation.js";
import { MixMode } from "../../../assembly/layout/rig2d.js";
import type { PropertyId, Timeline } from "../timelines/timeline.js";
import { TimelineKind } from "../timelines/property.js";
import { HOLD, type TrackEntry, WEIGHT_HOLD, WEIGHT_MIX } from "./track-entry.js";

const DRAW_ORDER_ID = "14";

/**
 * Decides for every timeline of every entry what it mixes from and whether it is held while its entry is mixed out.
 *
 * The base mode follows from who wrote the property before: nobody (setup), an older entry of the same track (first), or a
 * lower track (current).
 * @param owners - scratch: which track owns a property
 */
export function classify(tracks: readonly (TrackEntry | null)[], owners: Map<PropertyId, number>): void {
  owners.clear();
  for (let track = 0; track < tracks.length; track++) {
    let entry = tracks[track]!;
    if (entry === null) continue;
    while (entry.mixingFrom !== null) entry = entry.mixingFrom;
    for (let e: TrackEntry | null = entry; e !== null; e = e.mixingTo) classifyEntry(e, track, owners);
  }
  owners.clear();
}

function classifyEntry(entry: TrackEntry, track: number, owners: Map<PropertyId, number>): void {
  const { timelineMode: modes, timelineHoldMix: holdMix, _weightOf: weightOf, _fading: fading, _timelinesPerWeight: perWeight } = entry;
  const { timelines } = entry.animation!;
  const n = timelines.length;
  fading.length = 0;
  perWeight.length = 2;
  perWeight[WEIGHT_MIX] = perWeight[WEIGHT_HOLD] = 0;
  for (let i = 0; i < n; i++) {
    const timeline = timelines[i]!;
    const mode = baseMode(timeline, track, owners);
    const before = i < modes.length ? modes[i]! & HOLD : 0;
    let hold = 0;
    let fadingEntry: TrackEntry | null = null;
    if (!(entry.additive && timeline.additive)) {
      const to = entry.mixingTo;
      if (to !== null && !timeline.instant && overwrites(to, timeline)) {
        hold = HOLD;
        let next = to.mixingTo;
        while (next !== null && overwrites(next, timeline)) next = next.mixingTo;
        if (next !== null && next.mixDuration > 0) fadingEntry = next;
      }
      if (entry.keepHold) hold = before;
    }
    modes[i] = mode | hold;
    holdMix[i] = fadingEntry;
    const weight = hold === 0 ? WEIGHT_MIX : fadingEntry === null ? WEIGHT_HOLD : fadingWeight(fading, fadingEntry, perWeight);
    weightOf[i] = weight;
    perWeight[weight]!++;
  }
  modes.length = n;
  holdMix.length = n;
  weightOf.length = n;
  entry._stale = true;
}

function baseMode(timeline: Timeline, track: number, owners: Map<PropertyId, number>): MixMode {
  const { propertyIds: ids } = timeline;
  let isForeign = false;
  let isOwn = false;
  for (let i = 0; i < ids.length; i++) {
    const owner = owners.get(ids[i]!);
    if (owner === undefined) owners.set(ids[i]!, track);
    else if (owner === track) isOwn = true;
    else isForeign = true;
  }
  if (isForeign) return MixMode.CURRENT;
  if (timeline._kind === TimelineKind.DRAW_ORDER_FOLDER) {
    const owner = owners.get(DRAW_ORDER_ID);
    if (owner !== undefined) return owner === track ? MixMode.FIRST : MixMode.CURRENT;
  }
  return isOwn ? MixMode.FIRST : MixMode.SETUP;
}

/** Whether an entry writes the properties of a timeline by itself, not on top of what is there. */
function overwrites(entry: TrackEntry, timeline: Timeline): boolean {
  return entry.animation!.hasTimeline(timeline.propertyIds) && !(entry.additive && timeline.additive);
}

/** Index of the weight of values that fade out with `entry`. */
function fadingWeight(fading: TrackEntry[], entry: TrackEntry, perWeight: number[]): number {
  let at = fading.indexOf(entry);
  if (at < 0) {
    // A chain that long cannot be told apart any more: its oldest values fade together.
    if (fading.length === MAXIMUM_WEIGHTS - 2) return fading.length + 1;
    at = fading.length;
    fading.push(entry);
    perWeight[at + 2] = 0;
  }
  return at + 2;
}
