/**
 * How much faster are 64,000 float motions started than in tween.js and gsap?
 *
 * Peers have one way to start, an object per tween; osteon has two: builders, one by one, each with a sink of its own, and
 * startFloats, many of one ease at once. Builders are measured in a store that has held as many motions before, and in
 * a new one, which has to grow. gsap reads targets and eases in the first update, so that belongs to the start of everybody.
 *
 * All sides are warm: three rounds come before the five that count, rounds are interleaved and their order alternates.
 * Dropping what was started, and a full collection, lie outside the time. Every side keeps one motion alive throughout:
 * an engine forgets the shapes of objects that a collection finds no instance of, and would measure learning them anew.
 */
import { setTimeout as pause } from "node:timers/promises";
import { gsap } from "gsap";
import { MotionStore, arraySink } from "../../src/anim/motion/index.js";
import { median } from "../lib/race.js";
import { COUNT, DT, EASES, durationOf, fill, show, startGsap, startOsteon, startTweenJs, targets } from "./peers.js";

gsap.ticker.sleep();
const from = new Float64Array(COUNT), to = new Float64Array(COUNT).fill(100), durations = Float64Array.from({ length: COUNT }, (_, i) => durationOf(i));
const spare = targets();
const out = new Float64Array(COUNT);
const kept = new MotionStore();
// One of each kind that outlives the rounds.
const other = new MotionStore();
const alive = { osteon: other.motion(0, 1, 1).loops(-1).run(), group: other.startFloats(0, 1, 1e9, "linear", 1), tween: startTweenJs([{ x: 0 }]), gsap: startGsap([{ x: 0 }]) };

/** Starts, makes the first step, and returns what drops it all again. */
const starts: Record<string, () => () => void> = {
  "bulk": () => {
    const share = Math.ceil(COUNT / EASES.length);
    for (let i = 0, k = 0; i < COUNT; i += share, k++) kept.startFloats(from, to, durations, EASES[k]![0], Math.min(share, COUNT - i), arraySink(out, i));
    kept.update(DT);
    return () => void kept.cancelAllMotions();
  },
  "builders, in a store that was used before": () => {
    fill(kept, spare);
    kept.update(DT);
    return () => void kept.cancelAllMotions();
  },
  "builders, in a new store": () => {
    const store = startOsteon(spare);
    store.update(DT);
    return () => store.dispose();
  },
  "tween.js": () => {
    const started = startTweenJs(spare);
    started.update(DT * 1000);
    return () => void started.removeAll();
  },
  "gsap": () => {
    const started = startGsap(spare);
    started.time(DT);
    return () => void started.kill();
  },
};
const times: Record<string, number[]> = {};
for (let round = -3; round < 5; round++) {
  const names = Object.keys(starts);
  for (const name of round % 2 === 0 ? names : names.toReversed()) {
    globalThis.gc!();
    // The collector's helpers finish their sweeping.
    await pause(50);
    // Processor time of all threads: the collector's helpers count, other programs do not.
    const begin = process.cpuUsage();
    const drop = starts[name]!();
    const { user, system } = process.cpuUsage(begin);
    const elapsed = (user + system) / 1000;
    drop();

    if (round >= 0) (times[name] ??= []).push(elapsed);
  }
}
for (const own of Object.keys(starts).slice(0, 3)) {
  for (const peer of ["tween.js", "gsap"]) {
    const ratios = times[own]!.map((time, i) => times[peer]![i]! / time);
    const [ownMs, peerMs] = [median(times[own]!), median(times[peer]!)];
    show(`start 64,000 and first update / ${own} / ${peer}`, 8, { ratio: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios), ownMs, peerMs });
  }
}
if (!alive.osteon.isActive() || !alive.group.isActive() || alive.tween.getAll().length !== 1 || alive.gsap.getChildren().length !== 1) throw new Error("A motion that was to stay is gone.");
