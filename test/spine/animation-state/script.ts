/* Replays scripts of AnimationState calls on osteon or on the reference runtime; both have the calls that it makes. */
import * as reference from "@esotericsoftware/spine-core";
import { AnimationState, AnimationStateData } from "../../../src/spine/animation-state/index.js";
import { Skeleton } from "../../../src/spine/model/skeleton.js";
import { Interpolation } from "../../../src/spine/utils/interpolation.js";
import { loadWithoutAtlas, type Value } from "../paths.js";

/* eslint-disable @typescript-eslint/no-explicit-any -- the two runtimes share names, not types. */
type Any = any;

export interface Runtime {
  load(json: object): Any;
  AnimationState: new (data: Any) => Any;
  AnimationStateData: new (data: Any) => Any;
  Skeleton: new (data: Any) => Any;
  Interpolation: Record<string, Any>;
}

export const osteon: Runtime = { load: (json: object) => loadWithoutAtlas(json), AnimationState, AnimationStateData, Skeleton, Interpolation } as Any;

/** An atlas that has every region. */
class AnyAtlas extends reference.TextureAtlas {
  override findRegion(name: string): reference.TextureAtlasRegion {
    const page = new reference.TextureAtlasPage("page.png");
    page.width = page.height = 16;
    const region = new reference.TextureAtlasRegion(page, name);
    region.width = region.height = region.originalWidth = region.originalHeight = 4;
    return region;
  }
}

/** The reference runtime, as a black box. */
export const official: Runtime = {
  load: (json: object) => {
    const loader = new reference.AtlasAttachmentLoader(new AnyAtlas(""));
    return new reference.SkeletonJson(loader).readSkeletonData(structuredClone(json) as Any);
  },
  AnimationState: reference.AnimationState,
  AnimationStateData: reference.AnimationStateData,
  Skeleton: reference.Skeleton,
  Interpolation: (reference as Any).Interpolation,
} as Any;

export type Step = { op: string } & Record<string, Any>;

export interface Script {
  steps: Step[];
  mix?: { default?: number; pairs?: [string, string, number][] };
  normalize?: boolean;
  reapply?: boolean;
}

export interface Result {
  log: Value[][];
  samples: Value[][];
  queries: Value[][];
}

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

function rounded(value: Any): Value {
  if (typeof value !== "number") return value ?? null;
  return value === Number.MAX_VALUE ? ("max" as Value) : round(value, 6);
}

function find(list: Any[], name: string): Any {
  return list.find((item) => item.data.name === name);
}

function poseOf(skeleton: Any, kind: string, name: string): Any {
  return find(kind === "bone" ? skeleton.bones : kind === "slot" ? skeleton.slots : skeleton.constraints, name).pose;
}

export function readValue(skeleton: Any, path: string): Value {
  const [kind, name, , field] = path.split("/");
  if (kind === "drawOrder") return skeleton.drawOrder.pose.map((slot: Any) => slot.data.name);
  const pose = poseOf(skeleton, kind!, name!);
  if (field === "attachment") return pose.attachment?.name ?? null;
  if (field === "deform") return Array.from(pose.deform as number[]);
  const value = field!.split(".").reduce((object: Any, part) => object[part], pose);
  return typeof value === "boolean" ? Number(value) : value;
}

/** Runs a script from the start. */
export function runScript(runtime: Runtime, skeletonData: Any, script: Script): Result {
  const stateData = new runtime.AnimationStateData(skeletonData);
  if (script.mix?.default !== undefined) stateData.defaultMix = script.mix.default;
  for (const [from, to, seconds] of script.mix?.pairs ?? []) stateData.setMix(from, to, seconds);
  const state = new runtime.AnimationState(stateData);
  let skeleton = new runtime.Skeleton(skeletonData);
  skeleton.setupPose();
  const skeletons = [skeleton];
  const entries = new Map<string, Any>();
  const result: Result = { log: [], samples: [], queries: [] };
  let total = 0;
  let logs = true;

  const note = (prefix: string) => {
    const row = (type: string) => (entry: Any, event?: Any) => {
      if (!logs) return;
      const cells: Value[] = [prefix + type, entry.animation.name, entry.trackIndex, round(entry.trackTime, 6), round(total, 6)];
      if (type === "event") cells.push(event.data.name);
      result.log.push(cells);
    };
    return Object.fromEntries(["start", "interrupt", "end", "dispose", "complete", "event"].map((type) => [type, row(type)]));
  };
  state.addListener(note(""));

  const entryOf = (key: string | number): Any => (typeof key === "number" ? state.tracks[key] : entries.get(key));

  const setProps = (entry: Any, props: Record<string, Any> | undefined): void => {
    for (const [key, value] of Object.entries(props ?? {})) {
      if (key === "listener") entry.listener = note("entry-");
      else if (key === "animationLast") entry.setAnimationLast(value);
      else if (key === "mixInterpolation") entry.mixInterpolation = runtime.Interpolation[value];
      else entry[key] = value;
    }
  };

  const nameOf = (entry: Any): Value => entry?.animation?.name ?? null;

  const query = (entry: Any, field: string): Value => {
    switch (field) {
      case "animationTime":
        return rounded(entry.getAnimationTime());
      case "trackComplete":
        return rounded(entry.getTrackComplete());
      case "isComplete":
      case "wasApplied":
      case "isNextReady":
        return entry[field]();
      case "mix":
        return rounded(entry.mix());
      case "mixingFrom":
      case "mixingTo":
      case "next":
      case "previous":
        return nameOf(entry[field]);
      default:
        return rounded(entry[field]);
    }
  };

  const sample = (paths: string[]): void => {
    result.samples.push([round(total, 6), ...(paths.map((path) => readValue(skeleton, path)) as Value[])] as Value[]);
  };

  const normalize = (): void => {
    if (script.normalize !== true) return;
    for (const current of state.tracks) {
      if (current === null) continue;
      current.trackTime = round(current.trackTime, 6);
      current.delay = round(current.delay, 3);
      if (current.mixingFrom !== null) current.mixingFrom.trackTime = round(current.mixingFrom.trackTime, 6);
    }
  };

  const keep = (step: Step, entry: Any): void => {
    setProps(entry, step.props);
    if (step.as !== undefined) entries.set(step.as, entry);
  };

  let paths: string[] = [];
  const frame = (dt: number, sampled: string[] | undefined): void => {
    total += dt;
    state.update(dt);
    normalize();
    state.apply(skeleton);
    if (script.reapply === true) {
      logs = false;
      state.apply(skeleton);
      state.apply(skeleton);
      logs = true;
    }
    if (sampled !== undefined) sample(sampled);
  };

  const rules: Step[] = [];
  const run = (step: Step): void => {
    if (step.optional === true && entryOf(step.entry) == null) return;
    switch (step.op) {
      case "set":
        keep(step, state.setAnimation(step.track, step.animation, step.loop ?? false));
        break;
      case "add":
        keep(step, state.addAnimation(step.track, step.animation, step.loop ?? false, step.delay ?? 0));
        break;
      case "setEmpty":
        keep(step, state.setEmptyAnimation(step.track, step.mix));
        break;
      case "addEmpty":
        keep(step, state.addEmptyAnimation(step.track, step.mix, step.delay));
        break;
      case "setEmptyAll":
        state.setEmptyAnimations(step.mix);
        break;
      case "clearTrack":
        state.clearTrack(step.track);
        break;
      case "clearTracks":
        state.clearTracks();
        break;
      case "clearNext":
        state.clearNext(entryOf(step.entry));
        break;
      case "clearNotifications":
        state.clearListenerNotifications();
        break;
      case "props":
        setProps(entryOf(step.entry), step.props);
        break;
      case "setMixDuration":
        if (step.delay === undefined) entryOf(step.entry).setMixDuration(step.mix);
        else entryOf(step.entry).setMixDuration(step.mix, step.delay);
        break;
      case "resetRotation":
        entryOf(step.entry).resetRotationDirections();
        break;
      case "stateTimeScale":
        state.timeScale = step.value;
        break;
      case "update":
        total += step.dt;
        state.update(step.dt);
        normalize();
        break;
      case "apply":
        state.apply(skeleton);
        break;
      case "frame":
        for (let i = 0; i < (step.count ?? 1); i++) frame(step.dt, step.sample === true ? paths : (step.sample as string[] | undefined));
        break;
      case "sample":
        sample((paths = step.paths as string[]));
        break;
      case "query":
        result.queries.push([round(total, 6), step.entry, ...(step.fields as string[]).map((field) => query(entryOf(step.entry), field))] as Value[]);
        break;
      case "queryTracks":
        result.queries.push([round(total, 6), "tracks", ...state.tracks.map(nameOf)] as Value[]);
        break;
      case "expectThrow": {
        let threw = false;
        try {
          for (const nested of step.do as Step[]) run(nested);
        } catch {
          threw = true;
        }
        result.queries.push([round(total, 6), "throws", threw]);
        break;
      }
      case "on":
        addRule(step.rule);
        break;
      case "setupPose":
        skeleton.setupPose();
        break;
      case "newSkeleton":
        skeleton = new runtime.Skeleton(skeletonData);
        skeletons.push(skeleton);
        skeleton.setupPose();
        break;
      case "write":
        writeValue(skeleton, step.path, step.value);
        break;
      case "note":
        result.log.push(["note", step.text]);
        break;
      default:
        throw new Error(`unknown operation ${step.op}`);
    }
  };

  const addRule = (rule: Step): void => {
    if (rules.length === 0) {
      const on = (type: string) => (entry: Any, event?: Any) => {
        for (const candidate of rules.slice()) {
          if (!rules.includes(candidate) || candidate.on !== type) continue;
          if (candidate.animation !== undefined && candidate.animation !== entry.animation.name) continue;
          if (candidate.event !== undefined && candidate.event !== event?.data.name) continue;
          if (candidate.track !== undefined && candidate.track !== entry.trackIndex) continue;
          if (candidate.notTrack !== undefined && candidate.notTrack === entry.trackIndex) continue;
          if (candidate.once === true) rules.splice(rules.indexOf(candidate), 1);
          for (const step of candidate.do as Step[]) run(step);
        }
      };
      state.addListener(Object.fromEntries(["start", "interrupt", "end", "dispose", "complete", "event"].map((type) => [type, on(type)])));
    }
    rules.push(rule);
  };

  try {
    for (const step of script.steps) run(step);
  } finally {
    for (const s of skeletons) s.dispose?.();
    state.dispose?.();
  }
  return result;
}

function writeValue(skeleton: Any, path: string, value: Value): void {
  const [kind, name, , field] = path.split("/");
  const pose = poseOf(skeleton, kind!, name!);
  if (field === "attachment") {
    const slot = find(skeleton.slots, name!);
    pose.setAttachment(value === null ? null : skeleton.getAttachment(slot.data.index, value));
    return;
  }
  const names = field!.split(".");
  const last = names.pop()!;
  names.reduce((object: Any, part) => object[part], pose)[last] = value;
}
