import type { JsonCheck } from "../json-check.js";
import type { ClipNotes } from "../model/model-data.js";
import type { ReportBuilder } from "../model/report.js";

/**
 * What an animation's `extras` say about the clip: `loop`, `tags`, `events` [{ time, name, payload }], `syncMarkers`
 * [{ time, name }] and `curves` { name: [[time, value], …] }. Extras are anybody's, so what does not fit is left aside.
 */
export function readNotes(check: JsonCheck, extras: unknown, pointer: string, report: ReportBuilder): ClipNotes | undefined {
  if (typeof extras !== "object" || extras === null || Array.isArray(extras)) return undefined;
  const { loop, tags, events, syncMarkers, curves } = extras as Record<string, unknown>;
  const timed = (list: unknown, what: string): { time: number; name: string; payload: string }[] => {
    if (list === undefined) return [];
    return check.array(Array.isArray(list) ? list : [], pointer).flatMap((entry) => {
      const { time, name, payload } = (typeof entry === "object" && entry !== null ? entry : {}) as Record<string, unknown>;
      if (isTime(time) && typeof name === "string" && name !== "") return [{ time, name, payload: typeof payload === "string" ? payload : "" }];
      report.ignored(`${pointer}/${what}: an entry without time and name`);
      return [];
    });
  };
  return {
    loop: typeof loop === "boolean" ? loop : undefined,
    tags: Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === "string") : [],
    events: timed(events, "events"),
    syncMarkers: timed(syncMarkers, "syncMarkers"),
    curves: typeof curves === "object" && curves !== null && !Array.isArray(curves) ? readCurves(curves as Record<string, unknown>) : [],
  };

  function readCurves(list: Record<string, unknown>): { name: string; keys: [number, number][] }[] {
    return Object.entries(list).flatMap(([name, keys]) => {
      const usable = name !== "" && Array.isArray(keys) && Array.from(keys as unknown[]).every((key) => Array.isArray(key) && key.length === 2 && isTime(key[0]) && Number.isFinite(key[1]));
      if (usable) return [{ name, keys: (keys as [number, number][]).map(([time, value]): [number, number] => [time, value]) }];
      report.ignored(`${pointer}/curves: "${name.slice(0, 40)}" has keys that are no pairs of time and value`);
      return [];
    });
  }
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < 1e9;
}
