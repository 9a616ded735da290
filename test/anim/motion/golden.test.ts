import { describe, expect, it } from "vitest";
import { MotionSequence } from "../../../src/anim/motion/sequence.js";
import { MotionStore } from "../../../src/anim/motion/store.js";
import type { MotionBuilder } from "../../../src/anim/motion/builder.js";
import type { MotionQuat } from "../../../src/anim/motion/types.js";
import { golden } from "../../golden.js";

/* eslint-disable @typescript-eslint/no-explicit-any */
const data = golden<any>("motion-sequence-golden.json");
const TOLERANCE = 1e-9;
const near = (actual: number, expected: number): void => expect(Math.abs(actual - expected)).toBeLessThanOrEqual(TOLERANCE);

describe("progress of a motion", () => {
  for (const row of data.progress) {
    const title = `${row.ease}, ${row.loops} x ${row.mode}, delay ${row.delay} ${row.delayType}`;
    const make = (store: MotionStore): MotionBuilder =>
      store.motion(row.from, row.to, row.duration).ease(row.ease).delay(row.delay, row.delayType).loops(row.loops, row.mode);

    it(`reaches the golden values by seeking: ${title}`, () => {
      const store = new MotionStore();
      const motion = make(store).run();
      for (const sample of row.samples) {
        motion.seek(sample.time);
        near(motion.value(), sample.value);
        expect(motion.getCompletedLoops()).toBe(sample.completedLoops);
      }
      store.dispose();
    });

    it(`reaches the golden values by playing: ${title}`, () => {
      for (const sample of row.samples) {
        const store = new MotionStore();
        const motion = make(store).run();
        store.update(sample.time / 2);
        store.update(sample.time / 2);
        near(motion.value(), sample.value);
        expect(motion.isActive()).toBe(sample.status !== "completed");
        expect(motion.getCompletedLoops()).toBe(sample.completedLoops);
        store.dispose();
      }
    });

    if (row.loops > 0) {
      it(`leaves the golden value behind when completed: ${title}`, () => {
        const store = new MotionStore();
        const motion = make(store).run();
        expect(motion.getTotalDuration()).toBeCloseTo(row.totalDuration, 12);
        motion.complete();
        near(motion.value(), row.complete.value);
        store.dispose();
      });
    }
  }
});

describe("punch and shake", () => {
  for (const row of data.vibration) {
    it(`${row.kind} ${row.from} ${row.strength} ${row.frequency} ${row.dampingRatio} ${row.seed} matches the golden values`, () => {
      const store = new MotionStore();
      const builder = row.kind === "punch" ? store.punch(row.from, row.strength, row.duration) : store.shake(row.from, row.strength, row.duration).seed(row.seed);
      const motion = builder.frequency(row.frequency).dampingRatio(row.dampingRatio).run();
      for (const sample of row.samples) {
        motion.seek(sample.progress * row.duration);
        near(motion.value(), sample.value);
      }
      store.dispose();
    });
  }

  it("random factors of the half waves are those of the golden file", () => {
    const store = new MotionStore();
    for (const { seed, channel, halfWave, value } of data.shakeHash) {
      // With no damping and frequency f, the middle of half wave k is at (k + 1/2) / f; its sine is +1 or -1.
      const frequency = 64;
      const time = (halfWave + 0.5) / frequency;
      const motion = store.shake({ x: 0, y: 0, z: 0 }, { x: 1, y: 1, z: 1 }, 1).frequency(frequency).dampingRatio(0).seed(seed).run();
      motion.seek(time);
      const { x, y, z } = motion.value() as { x: number; y: number; z: number };
      near([x, y, z][channel]! * (halfWave % 2 === 0 ? 1 : -1), value);
      motion.cancel();
    }
    store.dispose();
  });
});

describe("rotations", () => {
  const quat = ([x, y, z, w]: number[]): MotionQuat => ({ x: x!, y: y!, z: z!, w: w! });
  for (const row of data.quaternion) {
    it(`${row.from} to ${row.to} matches the golden values`, () => {
      const store = new MotionStore();
      for (const sample of row.samples) {
        // An ease that returns a constant, so that progress outside 0..1 is reached, too.
        const motion = store.motionQuat(quat(row.from), quat(row.to), 1).ease(() => sample.progress).run();
        store.update(0.5);
        const { x, y, z, w } = motion.value();
        [x, y, z, w].forEach((component, i) => near(component, sample.value[i]));
        motion.cancel();
      }
      store.dispose();
    });
  }
});

type Log = (string | number)[][];

/** Builds a golden sequence; everything that happens is appended to the log. */
function build(store: MotionStore, row: any, log: Log): any {
  const sequence = new MotionSequence(store);
  const motion = (spec: any, name: string): MotionBuilder =>
    store.motion(spec.from, spec.to, spec.duration).ease(spec.ease).delay(spec.delay).loops(spec.loops, spec.mode)
      .to((value) => log.push(["write", name, value]))
      .onStart(() => log.push(["start", name]))
      .onLoop((n) => log.push(["loop", name, n]))
      .onComplete(() => log.push(["complete", name]))
      .onCancel(() => log.push(["cancel", name]));
  for (const step of row.build) {
    const [op, a, b, c] = step;
    if (op === "append") sequence.append(motion(a, b));
    else if (op === "join") sequence.join(motion(a, b));
    else if (op === "insert") sequence.insert(a, motion(b, c));
    else if (op === "appendInterval") sequence.appendInterval(a);
    else if (op === "appendCallback") sequence.appendCallback(() => log.push(["callback", a]));
    else if (op === "insertCallback") sequence.insertCallback(a, () => log.push(["callback", b]));
    else throw new Error(`unknown step ${op}`);
  }
  return sequence
    .onComplete(() => log.push(["sequenceComplete"]))
    .onCancel(() => log.push(["sequenceCancel"]))
    .onLoop((n: number) => (row.loops ?? 1) !== 1 && log.push(["sequenceLoop", n]));
}

function compareLogs(actual: Log, expected: Log): void {
  expect(actual.map((entry) => entry.slice(0, 2).join(" "))).toEqual(expected.map((entry) => entry.slice(0, 2).join(" ")));
  actual.forEach((entry, i) => typeof entry[2] === "number" && near(entry[2], expected[i]![2] as number));
}

describe("sequences", () => {
  for (const row of [...data.sequences, ...data.loopingSequences]) {
    row.runs.forEach((run: any[], index: number) => {
      it(`${row.title}, run ${index + 1}`, () => {
        const store = new MotionStore();
        const log: Log = [];
        const sequence = build(store, row, log);
        expect(sequence.duration()).toBeCloseTo(row.duration, 12);
        if (row.cursor !== undefined) expect(sequence.cursor()).toBeCloseTo(row.cursor, 12);
        if (row.itemCount !== undefined) expect(sequence.itemCount()).toBe(row.itemCount);
        let handle: any;
        for (const { op, log: expected, active, time, position } of run) {
          log.length = 0;
          if (op[0] === "run") handle = row.loops === undefined ? sequence.run() : sequence.run({ loops: row.loops, mode: row.mode });
          else if (op[0] === "advance") store.update(op[1]);
          else if (op[0] === "complete") handle.complete();
          else if (op[0] === "cancel") handle.cancel();
          else throw new Error(`unknown op ${op[0]}`);
          compareLogs(log, expected);
          expect(handle.isActive()).toBe(active);
          if (time !== undefined) near(handle.getTime(), time);
          if (position !== undefined) near(handle.getPosition(), position);
        }
        expect(handle.childCount()).toBe(row.build.filter((step: any) => step[0] !== "appendInterval").length);
        store.dispose();
      });
    });
  }
});
