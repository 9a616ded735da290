/** The same 64,000 motions in osteon, tween.js and gsap: 0 -> 100 on objects { x }, endless yoyo, mixed eases, 1..3 s. */
import * as TWEEN from "@tweenjs/tween.js";
import { gsap } from "gsap";
import { MotionStore, propertySink, type EaseName } from "../../src/anim/motion/index.js";
import type { RaceResult } from "../lib/race.js";

export const COUNT = 64_000;
export const DT = 1 / 60;
export interface Target {
  x: number;
}

/** Ours, tween.js and gsap under one roof. gsap calls the powers power1..power4. */
export const EASES: [EaseName, (t: number) => number, string][] = [["linear", TWEEN.Easing.Linear.None!, "none"]];
const gsapNames: Record<string, string> = { Quad: "power1", Cubic: "power2", Quart: "power3", Quint: "power4" };
const tweenNames: Record<string, string> = { Sine: "Sinusoidal", Quad: "Quadratic", Cubic: "Cubic", Quart: "Quartic", Quint: "Quintic", Expo: "Exponential", Circ: "Circular", Back: "Back", Elastic: "Elastic", Bounce: "Bounce" };
for (const [family, tweenName] of Object.entries(tweenNames)) {
  for (const variant of ["In", "Out", "InOut"] as const) {
    const group = (TWEEN.Easing as unknown as Record<string, Record<string, (t: number) => number>>)[tweenName]!;
    EASES.push([(variant[0]!.toLowerCase() + variant.slice(1) + family) as EaseName, group[variant]!, `${gsapNames[family] ?? family.toLowerCase()}.${variant[0]!.toLowerCase() + variant.slice(1)}`]);
  }
}

export const targets = (): Target[] => Array.from({ length: COUNT }, () => ({ x: 0 }));
// A multiplier without period, so that neighbours differ in ease and duration.
export const easeOf = (i: number): (typeof EASES)[number] => EASES[(i * 7) % EASES.length]!;
export const durationOf = (i: number): number => 1 + ((i * 37) % 2000) / 1000;

export function startOsteon(list: Target[] | null): MotionStore {
  const store = new MotionStore();
  fill(store, list);
  return store;
}

export function fill(store: MotionStore, list: Target[] | null): void {
  for (let i = 0; i < COUNT; i++) {
    const builder = store.motion(0, 100, durationOf(i)).ease(easeOf(i)[0]).loops(-1, "yoyo");
    if (list === null) builder.run();
    else builder.bind(propertySink(list[i]!, "x"));
  }
}

export function startTweenJs(list: Target[]): TWEEN.Group {
  const group = new TWEEN.Group();
  for (let i = 0; i < list.length; i++) {
    group.add(new TWEEN.Tween(list[i]!).to({ x: 100 }, durationOf(i) * 1000).easing(easeOf(i)[1]).repeat(Infinity).yoyo(true).start(0));
  }
  return group;
}

export function startGsap(list: Target[]): gsap.core.Timeline {
  const timeline = gsap.timeline({ paused: true });
  for (let i = 0; i < list.length; i++) timeline.add(gsap.to(list[i]!, { x: 100, duration: durationOf(i), ease: easeOf(i)[2], repeat: -1, yoyo: true }), 0);
  return timeline;
}

/** Prints a result. */
export const show = (what: string, wanted: number, { ratio, lowest, highest, ownMs, peerMs }: RaceResult): void =>
  console.log(`${what.padEnd(82)} ${ratio.toFixed(1)}x (${lowest.toFixed(1)}..${highest.toFixed(1)}), wanted ${wanted}x; ${((ownMs / COUNT) * 1e6).toFixed(1)} against ${((peerMs / COUNT) * 1e6).toFixed(1)} ns a motion`);
