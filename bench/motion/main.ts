/**
 * How much faster do 64,000 float motions with mixed eases run than in tween.js and gsap?
 *
 * All sides animate 0 -> 100 on objects { x }, endless yoyo, durations 1..3 s, the same eases, the same clock of 1/60 s,
 * in one process with rounds interleaved. Before timing, the values of all sides are compared on the eases that all three
 * define alike. Then: starting 64,000, and bytes allocated per update.
 */
import * as TWEEN from "@tweenjs/tween.js";
import { gsap } from "gsap";
import { MotionStore, propertySink, type EaseName } from "../../src/anim/motion/index.js";
import { race } from "../lib/race.js";

const COUNT = 64_000;
const DT = 1 / 60;
interface Target {
  x: number;
}

/** Ours, tween.js and gsap under one roof. gsap calls the powers power1..power4. */
const EASES: [EaseName, (t: number) => number, string][] = [["linear", TWEEN.Easing.Linear.None!, "none"]];
const gsapNames: Record<string, string> = { Quad: "power1", Cubic: "power2", Quart: "power3", Quint: "power4" };
const tweenNames: Record<string, string> = { Sine: "Sinusoidal", Quad: "Quadratic", Cubic: "Cubic", Quart: "Quartic", Quint: "Quintic", Expo: "Exponential", Circ: "Circular", Back: "Back", Elastic: "Elastic", Bounce: "Bounce" };
for (const [family, tweenName] of Object.entries(tweenNames)) {
  for (const variant of ["In", "Out", "InOut"] as const) {
    const group = (TWEEN.Easing as unknown as Record<string, Record<string, (t: number) => number>>)[tweenName]!;
    EASES.push([(variant[0]!.toLowerCase() + variant.slice(1) + family) as EaseName, group[variant]!, `${gsapNames[family] ?? family.toLowerCase()}.${variant[0]!.toLowerCase() + variant.slice(1)}`]);
  }
}

const targets = (): Target[] => Array.from({ length: COUNT }, () => ({ x: 0 }));
// A multiplier without period, so that neighbours differ in ease and duration.
const easeOf = (i: number): (typeof EASES)[number] => EASES[(i * 7) % EASES.length]!;
const durationOf = (i: number): number => 1 + ((i * 37) % 2000) / 1000;

function startOsteon(list: Target[] | null): MotionStore {
  const store = new MotionStore();
  for (let i = 0; i < COUNT; i++) {
    const builder = store.motion(0, 100, durationOf(i)).ease(easeOf(i)[0]).loops(-1, "yoyo");
    if (list === null) builder.run();
    else builder.bind(propertySink(list[i]!, "x"));
  }
  return store;
}

function startTweenJs(list: Target[]): TWEEN.Group {
  const group = new TWEEN.Group();
  for (let i = 0; i < COUNT; i++) {
    group.add(new TWEEN.Tween(list[i]!).to({ x: 100 }, durationOf(i) * 1000).easing(easeOf(i)[1]).repeat(Infinity).yoyo(true).start(0));
  }
  return group;
}

function startGsap(list: Target[]): gsap.core.Timeline {
  const timeline = gsap.timeline({ paused: true });
  for (let i = 0; i < COUNT; i++) timeline.add(gsap.to(list[i]!, { x: 100, duration: durationOf(i), ease: easeOf(i)[2], repeat: -1, yoyo: true }), 0);
  return timeline;
}

gsap.ticker.sleep();
const ourTargets = targets(), tweenTargets = targets(), gsapTargets = targets();
const withSinks = startOsteon(ourTargets);
const inMemory = startOsteon(null);
const group = startTweenJs(tweenTargets);
const timeline = startGsap(gsapTargets);
let tweenTime = 0, gsapTime = 0;
const stepTween = (): void => group.update((tweenTime += DT * 1000));
const stepGsap = (): void => void timeline.time((gsapTime += DT));
const stepSinks = (): void => withSinks.update(DT);
const stepMemory = (): void => inMemory.update(DT);

// Verify before timing.
for (let frame = 0; frame < 30; frame++) {
  stepSinks();
  stepTween();
  stepGsap();
}
let compared = 0;
for (let i = 0; i < COUNT; i++) {
  const [name] = easeOf(i);
  if (/Elastic|Expo|inOutBack/.test(name)) continue; // defined differently by one of the peers
  compared++;
  for (const [peer, list] of [["tween.js", tweenTargets], ["gsap", gsapTargets]] as const) {
    if (Math.abs(ourTargets[i]!.x - list[i]!.x) > 1e-4) throw new Error(`${peer} and osteon differ at ${i} (${name}): ${list[i]!.x}, ${ourTargets[i]!.x}`);
  }
}
console.log(`verified ${compared} of ${COUNT} values against both peers`);

const show = (what: string, wanted: number, { ratio, lowest, highest, ownMs, peerMs }: Awaited<ReturnType<typeof race>>): void =>
  console.log(`${what.padEnd(64)} ${ratio.toFixed(1)}x (${lowest.toFixed(1)}..${highest.toFixed(1)}), wanted ${wanted}x; ${((ownMs / COUNT) * 1e6).toFixed(1)} against ${((peerMs / COUNT) * 1e6).toFixed(1)} ns a motion`);

// --start leaves the updates out.
if (!process.argv.includes("--start")) {
  show("update 64,000 / property sinks / tween.js", 20, await race(stepSinks, stepTween));
  show("update 64,000 / property sinks / gsap", 6, await race(stepSinks, stepGsap));
  show("update 64,000 / values left in memory / tween.js", 40, await race(stepMemory, stepTween));
  show("update 64,000 / values left in memory / gsap", 12, await race(stepMemory, stepGsap));
}

// Starting: what was started is dropped again, and all sides pay for that.
const from = new Float64Array(COUNT), to = new Float64Array(COUNT).fill(100), durations = Float64Array.from({ length: COUNT }, (_, i) => durationOf(i));
const bulk = new MotionStore();
const startBulk = (): void => {
  const share = Math.ceil(COUNT / EASES.length);
  for (let i = 0, k = 0; i < COUNT; i += share, k++) {
    bulk.startFloats(from, to, durations, EASES[k]![0], Math.min(share, COUNT - i)).cancel();
  }
};
const STARTS = { rounds: 3, time: 100 };
const spare = targets();
const startOurs = (): void => startOsteon(spare).dispose();
const startTheirs = (): void => startTweenJs(spare).removeAll();
const startGsaps = (): void => void startGsap(spare).kill();
show("start 64,000 / bulk / tween.js", 8, await race(startBulk, startTheirs, STARTS));
show("start 64,000 / bulk / gsap", 8, await race(startBulk, startGsaps, STARTS));
show("start 64,000 / builders and property sinks / tween.js", 8, await race(startOurs, startTheirs, STARTS));
show("start 64,000 / builders and property sinks / gsap", 8, await race(startOurs, startGsaps, STARTS));

for (const [name, step] of [["property sinks", stepSinks], ["values left in memory", stepMemory]] as const) {
  for (let i = 0; i < 100; i++) step();
  globalThis.gc!();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 200; i++) step();
  console.log(`bytes allocated per update / ${name}: ${Math.max(0, Math.round((process.memoryUsage().heapUsed - before) / 200))}`);
}
