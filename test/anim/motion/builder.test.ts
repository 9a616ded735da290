import { describe, expect, it } from "vitest";
import { AnimStateError } from "../../../src/anim/errors.js";
import { FloatRef, MotionBuilder, MotionSequence, MotionStore, type Motion, type MotionColor } from "../../../src/anim/motion/index.js";
import fc, { runs } from "../../properties.js";

/* eslint-disable @typescript-eslint/no-explicit-any */
/** Settings that a test can read back from a running motion. */
const settings = fc.record({
  from: fc.integer({ min: -50, max: 50 }),
  to: fc.integer({ min: -50, max: 50 }),
  duration: fc.integer({ min: 1, max: 9 }),
  delay: fc.integer({ min: 0, max: 3 }),
  loops: fc.integer({ min: 1, max: 4 }),
  speed: fc.constantFrom(1, 0.5, 2),
  vector: fc.boolean(),
});
type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

const made = (store: MotionStore, s: Settings): MotionBuilder<any> =>
  s.vector ? store.motionVec2([s.from, 0], [s.to, 1], s.duration) : store.motion(s.from, s.to, s.duration);
const told = (motion: Motion<any>): object => ({
  duration: motion.getDuration(), total: motion.getTotalDuration(), speed: motion.getSpeed(), value: typeof motion.value() === "number" ? motion.value() : motion.value().x,
});

describe("builders that are open at the same time", () => {
  it("keep their settings apart, in whatever order they are made, set, dropped, run and added", () => {
    // What is done to builder i next: make it, set it, use it; some are never used.
    const plan = fc.array(fc.tuple(settings, fc.constantFrom("run", "sequence", "drop")), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(plan, fc.array(fc.nat(11), { maxLength: 60 }), (list, order) => {
        const store = new MotionStore();
        const builders: (MotionBuilder<any> | undefined)[] = [];
        const motions: (Motion<any> | undefined)[] = [];
        const stage = list.map(() => 0);
        const step = (i: number): void => {
          const [s, fate] = list[i]!;
          if (stage[i] === 0) builders[i] = made(store, s);
          else if (stage[i] === 1) builders[i]!.delay(s.delay).loops(s.loops, "yoyo");
          else if (stage[i] === 2) builders[i]!.speed(s.speed);
          else if (fate === "run") motions[i] = builders[i]!.run();
          else if (fate === "sequence") expect(new MotionSequence(store).append(builders[i]!).duration()).toBe(s.delay + s.duration * s.loops);
          if (stage[i]! < 4) stage[i]!++;
        };
        for (const at of order) if (at < list.length && stage[at]! < 4) step(at);
        for (let i = 0; i < list.length; i++) while (stage[i]! < 4) step(i);
        list.forEach(([s, fate], i) => {
          if (fate === "run") expect(told(motions[i]!)).toEqual({ duration: s.duration, total: s.delay + s.duration * s.loops, speed: s.speed, value: s.from });
          if (fate !== "drop") expect(() => builders[i]!.ease("inQuad")).toThrow(AnimStateError);
        });
        store.dispose();
      }),
      { numRuns: runs(200) },
    );
  });

  it("throw from every method once they are used, and leave the next builder alone", () => {
    const store = new MotionStore();
    const used = store.shake(0, 1, 1);
    used.run();
    const next = store.shake(0, 1, 4);
    const calls: Record<string, unknown[]> = { delay: [1], loops: [3], frequency: [2], dampingRatio: [1], seed: [1], immediate: [], speed: [2], to: [new FloatRef()], bind: [new FloatRef()] };
    for (const name of Object.getOwnPropertyNames(MotionBuilder.prototype)) {
      if (name === "constructor") continue;
      expect(() => (used as any)[name](...(calls[name] ?? [() => 0])), name).toThrow(AnimStateError);
    }
    const motion = next.run();
    expect([motion.getDuration(), motion.getSpeed(), motion.getTotalDuration()]).toEqual([4, 1, 4]);
    store.dispose();
  });

  it("may be made and run by the sink that another start writes", () => {
    const store = new MotionStore();
    const inner: Motion[] = [];
    const outer = store.motion(1, 2, 3).bind(() => {
      if (inner.length === 0) inner.push(store.motion(7, 8, 9).run());
    });
    const after = store.motion(4, 5, 6).run();
    expect([outer, inner[0]!, after].map((motion) => [motion.value(), motion.getDuration()])).toEqual([[1, 3], [7, 9], [4, 6]]);
    store.dispose();
  });
});

describe("clamped colours", () => {
  const start = { r: 1.5, g: -0.25, b: 0.2, a: 1 }, end = { r: 1, g: 1, b: -3, a: 1 };

  it("stay in 0..1 at the start, on the way and at the end, whatever the ease does, and only where asked for", () => {
    const store = new MotionStore();
    for (const ease of ["linear", "inBack", "outElastic", (t: number) => t * 3 - t * t * 2] as const) {
      const seen: MotionColor[] = [];
      const keep = (color: MotionColor): void => void seen.push({ ...color });
      const clamped = store.motionColor(start, end, 1).ease(ease).clamped().bind(keep);
      const free = store.motionColor(start, end, 1).ease(ease).run();
      expect(clamped.value()).toEqual({ r: 1, g: 0, b: 0.2, a: 1 });
      for (let i = 0; i < 20; i++) {
        store.update(0.05);
        const limit = (x: number): number => Math.min(1, Math.max(0, x));
        const { r, g, b, a } = free.value();
        expect(clamped.value()).toEqual({ r: limit(r), g: limit(g), b: limit(b), a: limit(a) });
      }
      expect(free.value()).toEqual(end);
      expect(seen[0]).toEqual({ r: 1, g: 0, b: 0.2, a: 1 });
      expect(seen.at(-1)).toEqual({ r: 1, g: 1, b: 0, a: 1 });
      for (const color of seen) for (const x of Object.values(color)) expect(x >= 0 && x <= 1).toBe(true);
    }
    store.dispose();
  });

  it("are clamped in sequences, too", () => {
    const store = new MotionStore();
    const seen: number[] = [];
    new MotionSequence(store).append(store.motionColor(start, end, 1).clamped().to((color) => void seen.push(color.r, color.g, color.b))).run();
    for (let i = 0; i < 5; i++) store.update(0.3);
    expect(Math.min(...seen)).toBe(0);
    expect(Math.max(...seen)).toBe(1);
    store.dispose();
  });

  it("are an option of colours alone", () => {
    const store = new MotionStore();
    expect(() => store.motion(0, 1, 1).clamped()).toThrow(AnimStateError);
    expect(() => store.motionQuat([0, 0, 0, 1], [0, 0, 0, 1], 1).clamped()).toThrow(AnimStateError);
    store.dispose();
  });
});

describe("preserved motions", () => {
  it("wait at their end, and play again from where they are sent", async () => {
    const store = new MotionStore();
    for (const sink of [new FloatRef(), null]) {
      let completed = 0;
      let builder = store.motion(0, 10, 1).preserve();
      if (sink !== null) builder = builder.to(sink).onComplete(() => completed++);
      const motion = builder.run();
      const { finished } = motion;
      store.update(5);
      expect([motion.isActive(), motion.isPaused(), motion.value(), motion.getTime()]).toEqual([true, true, 10, 5]);
      expect(await finished).toBe("completed");
      expect(motion.complete()).toBe(false);
      motion.seek(0.25);
      expect(motion.value()).toBe(2.5);
      motion.resume();
      store.update(0.25);
      expect(motion.value()).toBe(5);
      store.update(1);
      expect([motion.isActive(), motion.value()]).toEqual([true, 10]);
      if (sink !== null) expect([completed, sink.value]).toEqual([2, 10]);
      expect(motion.cancel()).toBe(true);
      expect([motion.isActive(), motion.value()]).toEqual([false, 10]);
      expect(await motion.finished).toBe("completed");
    }
    expect(store.getMotionCount()).toBe(0);
    store.dispose();
  });

  it("can be completed early and sent back", () => {
    const store = new MotionStore();
    const told: string[] = [];
    const motion = store.motion(0, 10, 1).loops(2, "yoyo").preserve().onLoop((n) => told.push(`loop ${n}`)).onComplete(() => told.push("complete")).onCancel(() => told.push("cancel")).run();
    expect(motion.complete()).toBe(true);
    expect([motion.isActive(), motion.value(), motion.getCompletedLoops()]).toEqual([true, 0, 2]);
    store.update(3);
    motion.seek(1);
    expect(motion.value()).toBe(10);
    expect(motion.complete()).toBe(true);
    store.cancelAllMotions();
    expect(told).toEqual(["loop 2", "complete", "loop 2", "complete", "cancel"]);
    store.dispose();
  });
});
