/* Random rigs and random scripts for the comparison with the reference runtime. */
import type { Script, Step } from "./script.js";

/** Mulberry32: a small seeded generator. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 <= value < 1 */
  next(): number {
    let t = (this.#state = (this.#state + 0x6d2b79f5) >>> 0);
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  range(min: number, max: number): number {
    return min + this.next() * (max - min);
  }

  int(min: number, max: number): number {
    return Math.floor(this.range(min, max + 1));
  }

  chance(p: number): boolean {
    return this.next() < p;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)]!;
  }
}

type Key = Record<string, unknown>;

/**
 * Three decimals: what files hold, and never exactly opposite angles. In single precision, because the loader rounds the ends
 * and handles of Bezier curves and the reference does not; a table that differs in its last digit shows in steep curves.
 */
const rounded = (value: number): number => Math.fround(Math.round(value * 1000) / 1000);

/** A mix duration that no sum of frames comes close to. */
const mixSeconds = (value: number): number => (value === 0 ? 0 : rounded(value) + 0.00037);

/** Ascending key times; the first one is often 0, the last one at most 1. */
function times(r: Random): number[] {
  const count = r.int(1, 4);
  const list = Array.from({ length: count }, () => rounded(r.range(0.02, 1)));
  if (r.chance(0.6)) list[0] = 0;
  if (r.chance(0.3)) list[count - 1] = 1;
  return [...new Set(list)].toSorted((a, b) => a - b);
}

/** Keys of a curve timeline with the given fields. */
function keys(r: Random, fields: Record<string, () => number>): Key[] {
  const list = times(r);
  const made = list.map((time): Key => {
    const key: Key = { time };
    for (const name in fields) key[name] = rounded(fields[name]!());
    return key;
  });
  made.forEach((key, i) => {
    const next = made[i + 1];
    if (next === undefined) return;
    const kind = r.int(0, 2);
    if (kind === 1) key.curve = "stepped";
    if (kind !== 2) return;
    const from = key.time as number;
    const span = (next.time as number) - from;
    key.curve = Object.keys(fields).flatMap((name) => {
      const a = key[name] as number;
      const b = next[name] as number;
      return [from + span * 0.3, a + (b - a) * r.range(-0.5, 1.5), from + span * 0.7, a + (b - a) * r.range(-0.5, 1.5)].map(Math.fround);
    });
  });
  return made;
}

const hex = (r: Random, digits: number): string => Array.from({ length: digits }, () => r.int(0, 15).toString(16)).join("");

function colorKeys(r: Random, fields: Record<string, number>): Key[] {
  return times(r).map((time) => {
    const key: Key = { time };
    for (const name in fields) key[name] = hex(r, fields[name]!);
    if (r.chance(0.3)) key.curve = "stepped";
    return key;
  });
}

function boneTimelines(r: Random): Record<string, Key[]> {
  const angle = () => r.range(-320, 320);
  const offset = () => r.range(-30, 30);
  const factor = () => r.range(-2, 3);
  const all: Record<string, () => Key[]> = {
    rotate: () => keys(r, { value: angle }),
    translate: () => keys(r, { x: offset, y: offset }),
    translatex: () => keys(r, { value: offset }),
    scale: () => keys(r, { x: factor, y: factor }),
    scaley: () => keys(r, { value: factor }),
    shear: () => keys(r, { x: offset, y: offset }),
    inherit: () => times(r).map((time) => ({ time, inherit: r.pick(["normal", "noScale", "onlyTranslation"]) })),
  };
  const made: Record<string, Key[]> = {};
  for (const name in all) if (r.chance(name === "rotate" ? 0.7 : 0.25)) made[name] = all[name]!();
  return made;
}

function slotTimelines(r: Random, names: readonly string[], dark: boolean): Record<string, Key[]> {
  const made: Record<string, Key[]> = {};
  if (r.chance(0.35)) made.attachment = times(r).map((time) => ({ time, name: r.chance(0.25) ? null : r.pick(names) }));
  const color = r.int(0, 5);
  if (color === 0) made.rgba = colorKeys(r, { color: 8 });
  if (color === 1) made.rgb = colorKeys(r, { color: 6 });
  if (color === 2) made.alpha = keys(r, { value: () => r.range(0, 1) });
  if (color === 3 && dark) made.rgba2 = colorKeys(r, { light: 8, dark: 6 });
  if (color === 4 && dark) made.rgb2 = colorKeys(r, { light: 6, dark: 6 });
  return made;
}

const BONES = ["root", "arm", "hand", "leg", "tail"];
const SLOTS: Record<string, { bone: string; names: string[]; dark?: boolean }> = {
  s0: { bone: "arm", names: ["plain", "alt"] },
  s1: { bone: "leg", names: ["hat", "cap"], dark: true },
  s2: { bone: "leg", names: ["mesh", "other", "linked"] },
  s3: { bone: "hand", names: ["weighted", "plain"] },
  s4: { bone: "arm", names: ["seq"] },
};

/** A rig with every kind of timeline that needs no other data; random animations over it. */
export function randomRig(seed: number): { json: object; animations: string[] } {
  const r = new Random(seed);
  const region = { type: "region", width: 4, height: 4 };
  const mesh = { type: "mesh", uvs: [0, 0, 1, 0, 1, 1], triangles: [0, 1, 2], vertices: [0, 0, 10, 0, 10, 10], hull: 3 };
  const weighted = {
    type: "mesh", uvs: [0, 0, 1, 0, 1, 1], triangles: [0, 1, 2], hull: 3,
    vertices: [1, 2, 0, 0, 1, 2, 2, 5, 0, 0.5, 3, 1, 1, 0.5, 1, 3, 4, 4, 1],
  };
  const animations: Record<string, object> = {};
  const count = 8;
  for (let i = 0; i < count; i++) animations[`a${i}`] = randomAnimation(r);
  const value = (min: number, max: number): number => rounded(r.range(min, max));
  const json = {
    skeleton: { spine: "4.3.00" },
    bones: BONES.map((name, i) => ({
      name, ...(i > 0 ? { parent: "root" } : {}),
      x: value(-20, 20), rotation: value(-170, 170), scaleX: value(-2, 2), scaleY: value(0.2, 2), shearX: value(-10, 10),
    })),
    slots: Object.entries(SLOTS).map(([name, slot]) => ({
      name, bone: slot.bone, color: hex(r, 8), ...(slot.dark === true ? { dark: hex(r, 6) } : {}),
      ...(r.chance(0.8) ? { attachment: slot.names[0] } : {}),
    })),
    constraints: [
      { type: "ik", name: "ik", bones: ["arm"], target: "leg", mix: 0.5, softness: 2 },
      { type: "transform", name: "tr", bones: ["hand"], source: "leg", mixRotate: 0.3, mixX: 0.4, properties: { rotate: { to: { rotate: {} } } } },
      { type: "physics", name: "ph", bone: "tail", x: 1, mass: 2, wind: 0.5, windGlobal: true, massGlobal: true },
    ],
    skins: [
      {
        name: "default",
        attachments: {
          s0: { plain: region, alt: region },
          s1: { hat: region, cap: region },
          s2: { mesh, other: mesh, linked: { type: "linkedmesh", source: "mesh", timelines: true, skin: "default" } },
          s3: { weighted, plain: region },
          s4: { seq: { ...region, sequence: { count: 5, start: 0, digits: 1, setup: 1 } } },
        },
      },
    ],
    events: { tick: {}, tock: {} },
    animations,
  };
  return { json, animations: Object.keys(animations) };
}

function randomAnimation(r: Random): object {
  const bones: Record<string, object> = {};
  for (const name of BONES) {
    const made = boneTimelines(r);
    if (r.chance(0.6) && Object.keys(made).length > 0) bones[name] = made;
  }
  const slots: Record<string, object> = {};
  for (const [name, slot] of Object.entries(SLOTS)) {
    const made = slotTimelines(r, slot.names, slot.dark === true);
    if (Object.keys(made).length > 0) slots[name] = made;
  }
  const animation: Record<string, unknown> = { bones, slots };
  if (r.chance(0.3)) {
    animation.ik = {
      ik: times(r).map((time) => ({
        time, mix: rounded(r.next()), softness: rounded(r.range(0, 9)), bendPositive: r.chance(0.5), compress: r.chance(0.5), stretch: r.chance(0.5),
      })),
    };
  }
  if (r.chance(0.3)) animation.transform = { tr: keys(r, { mixRotate: () => r.next(), mixX: () => r.next(), mixY: () => r.next(), mixScaleX: () => r.next(), mixScaleY: () => r.next(), mixShearY: () => r.next() }) };
  if (r.chance(0.3)) {
    animation.physics = {
      [r.pick(["ph", ""])]: { wind: keys(r, { value: () => r.range(-5, 5) }), mass: keys(r, { value: () => r.range(0.5, 4) }) },
    };
  }
  const deforms: Record<string, object> = {};
  const deform = (count: number): Key[] =>
    times(r).map((time) => ({
      time, ...(r.chance(0.8) ? { vertices: Array.from({ length: count }, () => rounded(r.range(-9, 9))) } : {}), ...(r.chance(0.3) ? { curve: "stepped" } : {}),
    }));
  if (r.chance(0.4)) deforms.s2 = { [r.pick(["mesh", "other"])]: { deform: deform(6) } };
  if (r.chance(0.3)) deforms.s3 = { weighted: { deform: deform(8) } };
  if (r.chance(0.3)) {
    const modes = ["hold", "once", "loop", "pingpong", "onceReverse", "loopReverse", "pingpongReverse"];
    deforms.s4 = { seq: { sequence: times(r).map((time) => ({ time, mode: r.pick(modes), index: r.int(0, 4), delay: 0.125 })) } };
  }
  if (Object.keys(deforms).length > 0) animation.attachments = { default: deforms };
  if (r.chance(0.3)) {
    animation.drawOrder = times(r).map((time) => (r.chance(0.3) ? { time } : { time, offsets: [{ slot: "s0", offset: r.int(1, 4) }] }));
  }
  if (r.chance(0.3)) {
    animation.drawOrderFolder = [
      { slots: ["s0", "s2", "s3"], keys: times(r).map((time) => (r.chance(0.3) ? { time } : { time, offsets: [{ slot: "s0", offset: r.int(1, 2) }] })) },
    ];
  }
  if (r.chance(0.6)) animation.events = times(r).map((time) => ({ time, name: r.pick(["tick", "tock"]) }));
  return animation;
}

const BONE_FIELDS = ["x", "y", "rotation", "scaleX", "scaleY", "shearX", "shearY", "inherit"];

/** Everything that animations of `randomRig` change. */
export const ALL_PATHS: string[] = [
  ...BONES.flatMap((bone) => BONE_FIELDS.map((field) => `bone/${bone}/pose/${field}`)),
  ...Object.keys(SLOTS).flatMap((slot) => ["color.r", "color.g", "color.b", "color.a", "attachment", "deform", "sequenceIndex"].map((field) => `slot/${slot}/pose/${field}`)),
  ...["r", "g", "b"].map((c) => `slot/s1/pose/darkColor.${c}`),
  ...["mix", "softness", "bendDirection", "compress", "stretch"].map((field) => `constraint/ik/pose/${field}`),
  ...["mixRotate", "mixX", "mixY", "mixScaleX", "mixScaleY", "mixShearY"].map((field) => `constraint/tr/pose/${field}`),
  ...["massInverse", "wind"].map((field) => `constraint/ph/pose/${field}`),
  "drawOrder/pose",
];

function randomProps(r: Random): Record<string, unknown> {
  const props: Record<string, unknown> = {};
  const maybe = (p: number, name: string, value: () => unknown): void => {
    if (r.chance(p)) props[name] = value();
  };
  maybe(0.35, "mixDuration", () => mixSeconds(r.pick([0, 0.1, 0.3, 0.7, 1.5]) * r.range(0.8, 1.2)));
  maybe(0.2, "alpha", () => rounded(r.range(0, 1)));
  maybe(0.15, "additive", () => true);
  maybe(0.1, "reverse", () => true);
  maybe(0.15, "shortestRotation", () => true);
  maybe(0.15, "timeScale", () => r.pick([0, 0.5, 2, 0.73]));
  maybe(0.2, "eventThreshold", () => rounded(r.range(0, 1)));
  maybe(0.2, "mixAttachmentThreshold", () => rounded(r.range(0, 1)));
  maybe(0.1, "alphaAttachmentThreshold", () => rounded(r.range(0, 1)));
  maybe(0.2, "mixDrawOrderThreshold", () => rounded(r.range(0, 1)));
  maybe(0.1, "animationStart", () => rounded(r.range(0, 0.4)));
  maybe(0.1, "animationEnd", () => rounded(r.range(0.5, 1.2)));
  maybe(0.1, "animationLast", () => rounded(r.range(0, 0.5)));
  maybe(0.1, "trackTime", () => rounded(r.range(0, 1)));
  maybe(0.1, "trackEnd", () => rounded(r.range(0.2, 2)));
  maybe(0.1, "listener", () => true);
  return props;
}

/**
 * A script of some fifty calls on up to three tracks, with listeners that call back.
 *
 * Where a track remembers rotation directions, no lower track plays the same animation: two rotations that are equal but for
 * rounding are a case of their own (the remembered total stays), which 32 and 64 bits reach at different times. For the same
 * reason no mix lasts a whole number of frames: its last weight would be 0 or 1e-16.
 */
export function randomScript(seed: number, animations: readonly string[]): Script {
  const r = new Random(seed);
  const track = (): number => (r.chance(0.6) ? 0 : r.int(0, 2));
  const cuts = [0, animations.length >> 1, (animations.length * 3) >> 2, animations.length];
  const choose = (on: number): { track: number; animation: string; loop: boolean; props: Record<string, unknown> } => {
    const props = randomProps(r);
    let animation = r.pick(animations.slice(cuts[on], cuts[on + 1]));
    if (on === 2 && r.chance(0.3)) {
      animation = r.pick(animations);
      props.shortestRotation = true;
    }
    return { track: on, animation, loop: r.chance(0.5), props };
  };
  const play = (): Step => ({ op: "set", ...choose(track()) });
  const queue = (): Step => ({ op: "add", ...choose(track()), delay: rounded(r.pick([0, -0.2, 0.3, 0.8])) });
  const change = (): Step => {
    const kind = r.next();
    if (kind < 0.42) return play();
    if (kind < 0.6) return queue();
    if (kind < 0.68) return { op: "setEmpty", track: track(), mix: mixSeconds(r.pick([0, 0.2, 0.6])) };
    if (kind < 0.74) return { op: "addEmpty", track: track(), mix: mixSeconds(r.pick([0, 0.2, 0.6])), delay: rounded(r.pick([0, -0.1, 0.4])) };
    if (kind < 0.76) return { op: "setEmptyAll", mix: mixSeconds(r.range(0, 0.5)) };
    if (kind < 0.78) return { op: "clearTrack", track: track() };
    if (kind < 0.79) return { op: "clearTracks" };
    if (kind < 0.82) return { op: "clearNext", entry: track(), optional: true };
    if (kind < 0.88) return { op: "props", entry: track(), props: { alpha: rounded(r.range(0, 1)) }, optional: true };
    if (kind < 0.92) return { op: "setMixDuration", entry: track(), mix: mixSeconds(r.range(0, 0.6)), ...(r.chance(0.5) ? { delay: r.pick([0, 0.2]) } : {}), optional: true };
    if (kind < 0.94) return { op: "resetRotation", entry: track(), optional: true };
    if (kind < 0.95) return { op: "stateTimeScale", value: r.pick([0.5, 1, 1, 2]) };
    if (kind < 0.97) return { op: "newSkeleton" };
    if (kind < 0.98) return { op: "setupPose" };
    return { op: "write", path: `bone/${r.pick(BONES)}/pose/rotation`, value: rounded(r.range(-200, 200)) };
  };
  const rule = (): Step => ({
    op: "on",
    rule: { on: r.pick(["start", "interrupt", "end", "dispose", "complete", "event"]), once: true, ...(r.chance(0.3) ? { track: track() } : {}), do: [clears ? { op: "clearNotifications" } : change()] },
  });
  // The reference loses what callbacks post after one of them has cleared the queue; so nothing else calls back then.
  const clears = r.chance(0.1);
  const steps: Step[] = [play(), { op: "apply" }, { op: "sample", paths: ALL_PATHS }];
  for (let i = r.int(20, 40); i > 0; i--) {
    if (r.chance(0.45)) steps.push(change());
    if (r.chance(clears ? 0.03 : 0.08)) steps.push(rule());
    if (r.chance(0.05)) steps.push({ op: "update", dt: rounded(r.range(0, 0.2)) });
    if (r.chance(0.05)) steps.push({ op: "apply" }, { op: "sample", paths: ALL_PATHS });
    steps.push({ op: "frame", dt: r.pick([1 / 60, 1 / 30, 0.05, 0.1, 0.125, 0.31, 1.1]), count: r.int(1, 4), sample: ALL_PATHS });
  }
  steps.push({ op: "queryTracks" }, { op: "clearTracks" });
  return { steps, mix: { default: mixSeconds(r.pick([0, 0.2])), pairs: [[animations[0]!, animations[1]!, mixSeconds(0.4)]] }, reapply: r.chance(0.1) };
}
