import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimCapacityError, AnimNameError, AnimStateError } from "../../../src/anim/errors.js";
import { EASE_NAMES, Easing, FloatRef, MotionBuilder, MotionSequence, MotionStore, arraySink, propertySink, type LoopModeName, type Motion } from "../../../src/anim/motion/index.js";
import { heap } from "../../../src/wasm/heap.js";
import fc, { runs } from "../../properties.js";

/* eslint-disable @typescript-eslint/no-explicit-any */
const near = (actual: number, expected: number, tolerance = 1e-9): void => expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance * (1 + Math.abs(expected)));

const spec = fc.record({
  from: fc.double({ min: -100, max: 100, noNaN: true }),
  to: fc.double({ min: -100, max: 100, noNaN: true }),
  duration: fc.double({ min: 0.05, max: 2, noNaN: true }),
  ease: fc.constantFrom(...EASE_NAMES),
  delay: fc.constantFrom(0, 0.13, 0.5),
  every: fc.boolean(),
  loops: fc.integer({ min: 1, max: 5 }),
  mode: fc.constantFrom<LoopModeName>("restart", "yoyo", "flip", "incremental"),
});
type Spec = typeof spec extends fc.Arbitrary<infer T> ? T : never;
const build = (store: MotionStore, s: Spec): MotionBuilder => store.motion(s.from, s.to, s.duration).ease(s.ease).delay(s.delay, s.every ? "every" : "first").loops(s.loops, s.mode);

/** Whether a time is so close to a boundary that rounding decides on which side it lies. */
const atBoundary = (s: Spec, time: number): boolean => {
  const period = s.every ? s.delay + s.duration : s.duration;
  const local = s.every ? time : time - s.delay;
  const phase = (((local / period) % 1) + 1) % 1;
  const gap = s.every ? Math.abs(((local % period) + period) % period - s.delay) : Infinity;
  return phase < 1e-6 || phase > 1 - 1e-6 || Math.abs(time - s.delay) < 1e-6 || gap < 1e-6;
};

describe("values are a pure function of time", () => {
  it("seek(t) equals playing to t, in one step and in many", () => {
    fc.assert(
      fc.property(spec, fc.double({ min: 0, max: 12, noNaN: true }), fc.integer({ min: 1, max: 30 }), (s, time, steps) => {
        fc.pre(!atBoundary(s, time));
        const store = new MotionStore();
        try {
          const played = build(store, s).run(), sought = build(store, s).run(), inOne = build(store, s).run();
          sought.pause();
          inOne.pause();
          sought.seek(time);
          for (let i = 0; i < steps; i++) store.update(time / steps);
          inOne.resume();
          inOne.seek(0);
          played.pause();
          store.update(time);
          near(played.value(), sought.value(), 1e-8);
          near(inOne.value(), sought.value(), 1e-8);
        } finally {
          store.dispose();
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it("is the same in a page as alone, bit for bit, for every ease", () => {
    const store = new MotionStore();
    const alone = new MotionStore();
    // Different row counts, so that rows fall into both lanes and onto several pages.
    for (const count of [1, 2, 3, 63, 64, 65, 129]) {
      for (const ease of EASE_NAMES) {
        const motions = Array.from({ length: count }, (_, i) => store.motion(i, -i * 1.7, 0.5 + i * 0.01).ease(ease).loops(-1, "flip").run());
        store.update(0.377);
        motions.forEach((motion, i) => {
          const twin = alone.motion(i, -i * 1.7, 0.5 + i * 0.01).ease(ease).loops(-1, "flip").run();
          twin.seek(0.377);
          expect(motion.value()).toBe(twin.value());
          twin.cancel();
          motion.cancel();
        });
      }
    }
    expect(store.getMotionCount()).toBe(0);
    store.dispose();
    alone.dispose();
  });

  it("stays exact over huge and zero steps", () => {
    const store = new MotionStore();
    const endless = store.motion(0, 1, 0.5).loops(-1, "yoyo").run();
    const once = store.motion(3, 7, 2).ease("outElastic").run();
    store.update(0);
    expect(once.value()).toBe(3);
    store.update(1e6);
    expect(once.value()).toBe(7);
    expect(once.isActive()).toBe(false);
    near(endless.value(), 0);
    store.update(0.25);
    near(endless.value(), 0.5);
    store.dispose();
  });
});

describe("delivery", () => {
  it("writes every kind of sink", () => {
    const store = new MotionStore();
    const target = { x: 0 };
    const ref = new FloatRef(1);
    const array = new Float32Array(4);
    const seen: unknown[] = [];
    store.motion(0, 10, 1).bind(propertySink(target, "x"));
    store.motion(0, 10, 1).bind(ref);
    store.motion(0, 10, 1).bind((value) => seen.push(value));
    store.motion(0, 10, 1).bind({ setFloat: (value) => seen.push(value) });
    store.motionVec2([0, 0], { x: 1, y: 2 }, 1).bind(arraySink(array, 2));
    store.motionVec2([0, 0], [1, 2], 1).bind({ setVec2: (x, y) => seen.push([x, y]) });
    store.motionVec3(new Float32Array(3), [1, 2, 3], 1).bind({ setVec3: (x, y, z) => seen.push([x, y, z]) });
    store.motionColor({ r: 0, g: 0, b: 0, a: 1 }, { r: 1, g: 0.5, b: 0, a: 1 }, 1).bind({ setColor: (r, g, b, a) => seen.push([r, g, b, a]) });
    store.motionVec2([0, 0], [1, 2], 1).bind((value) => seen.push({ ...value }));
    seen.length = 0;
    store.update(0.5);
    expect(target.x).toBe(5);
    expect(ref.value).toBe(5);
    expect([...array]).toEqual([0, 0, 0.5, 1]);
    expect(seen).toEqual([5, 5, [0.5, 1], [0.5, 1, 1.5], [0.5, 0.25, 0, 1], { x: 0.5, y: 1 }]);
    store.dispose();
  });

  it("writes the start at once without a delay, and not before the delay is over with one", () => {
    const store = new MotionStore();
    const log: [string, number][] = [];
    const sink = (name: string) => (value: number) => log.push([name, value]);
    store.motion(1, 2, 1).bind(sink("plain"));
    store.motion(3, 4, 1).delay(0.5).bind(sink("delayed"));
    store.motion(5, 6, 1).delay(0.5).immediate().bind(sink("forced"));
    store.motion(7, 8, 1).immediate(false).bind(sink("forbidden"));
    store.motion(9, 10, 1).delay(0.5).skipDuringDelay(false).bind(sink("eager"));
    expect(log).toEqual([["plain", 1], ["forced", 5], ["eager", 9]]);
    log.length = 0;
    store.update(0.25);
    expect(log.map(([name]) => name)).toEqual(["plain", "forbidden", "eager"]);
    store.dispose();
  });

  it("goes by creation over all types, callbacks in their order", () => {
    const store = new MotionStore();
    const log: string[] = [];
    const b = (name: string, builder: MotionBuilder<any>): void => {
      builder.onStart(() => log.push(`${name} start`)).onUpdate(() => log.push(`${name} update`)).onLoop((n) => log.push(`${name} loop ${n}`)).onComplete(() => log.push(`${name} complete`))
        .immediate(false).bind(() => log.push(`${name} sink`));
    };
    b("a", store.motionVec2([0, 0], [1, 1], 1));
    new MotionSequence(store).append(store.motion(0, 1, 1).to(() => log.push("s sink"))).run();
    log.length = 0;
    b("b", store.motion(0, 1, 0.5).loops(2));
    store.update(1);
    expect(log).toEqual([
      "a start", "a sink", "a update", "a loop 1", "a complete",
      "s sink",
      "b start", "b sink", "b update", "b loop 1", "b loop 2", "b complete",
    ]);
    store.dispose();
  });

  it("skips motions that an earlier callback cancelled, completed or paused", () => {
    const store = new MotionStore();
    const log: string[] = [];
    const others: Motion[] = [];
    let isFirst = true;
    store.motion(0, 1, 1).onUpdate(() => {
      if (!isFirst) return;
      isFirst = false;
      others[0]!.cancel();
      others[1]!.complete();
      others[2]!.pause();
    }).run();
    for (const name of ["cancelled", "completed", "paused"]) {
      others.push(store.motion(0, 1, 1).immediate(false).onCancel(() => log.push(`${name} cancel`)).onComplete(() => log.push(`${name} complete`)).bind((v) => log.push(`${name} ${v}`)));
    }
    store.update(0.25);
    expect(log).toEqual(["cancelled cancel", "completed 1", "completed complete"]);
    others[2]!.resume();
    store.update(0.25);
    expect(log.slice(3)).toEqual(["paused 0.5"]);
    store.dispose();
  });

  it("lets callbacks create motions, which wait for the next update", () => {
    const store = new MotionStore();
    const values: number[] = [];
    store.motion(0, 1, 0.1).onComplete(() => store.motion(10, 20, 1).immediate(false).bind((v) => values.push(v))).run();
    store.update(1);
    expect(values).toEqual([]);
    store.update(0.5);
    expect(values).toEqual([15]);
    store.dispose();
  });

  it("caps the loop callbacks of one update at the last thousand", () => {
    const store = new MotionStore();
    const loops: number[] = [];
    store.motion(0, 1, 0.001).loops(-1).onLoop((n) => loops.push(n)).run();
    store.update(5);
    expect(loops.length).toBe(1000);
    expect(loops.at(-1)).toBe(5000);
    store.dispose();
  });

  it("reports a thousand loops of a step beyond 2^53, too, and comes back", () => {
    const store = new MotionStore();
    const loops: number[] = [];
    const member: number[] = [];
    store.motion(0, 1, 1).loops(-1).onLoop((n) => loops.push(n)).run();
    new MotionSequence(store).append(store.motion(0, 1, 1).loops(2 ** 40).onLoop((n) => member.push(n))).run();
    store.update(1e17);
    expect(loops.length).toBe(1000);
    expect(loops.at(-1)).toBe(1e17);
    expect(member.length).toBe(1000);
    expect(member.at(-1)).toBe(2 ** 40);
    store.dispose();
  });

  it("reports errors of sinks and goes on, or cancels where that was asked for", () => {
    const store = new MotionStore();
    const errors: string[] = [];
    store.setErrorHandler((_error, what) => errors.push(what));
    let cancelled = 0;
    const bad = (): never => {
      throw new Error("sink");
    };
    const stubborn = store.motion(0, 1, 1).immediate(false).bind(bad);
    const fragile = store.motion(0, 1, 1).immediate(false).cancelOnError().onCancel(() => cancelled++).bind(bad);
    const after = { x: 0 };
    store.motion(0, 1, 1).bind(propertySink(after, "x"));
    for (let i = 0; i < 3; i++) store.update(0.25);
    expect(stubborn.isActive()).toBe(true);
    expect(fragile.isActive()).toBe(false);
    expect(cancelled).toBe(1);
    expect(after.x).toBe(0.75);
    expect(errors).toEqual(["Motion sink", "Motion sink", "Motion sink", "Motion sink"]);
    store.setErrorHandler(() => {
      throw new Error("handler");
    });
    expect(() => store.update(0.1)).toThrow("handler");
    store.setErrorHandler(() => undefined);
    store.update(1);
    expect(after.x).toBe(1);
    store.dispose();
  });

  it("refuses an update from inside an update", () => {
    const store = new MotionStore();
    const errors: unknown[] = [];
    store.setErrorHandler((error) => errors.push(error));
    store.motion(0, 1, 1).immediate(false).bind(() => store.update(0.1));
    store.update(0.1);
    expect(errors[0]).toBeInstanceOf(AnimStateError);
    store.dispose();
  });
});

describe("handles", () => {
  it("of recycled motions never reach a stranger", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom("start", "cancel", "complete", "pause", "seek", "speed", "update"), fc.nat(40)), { maxLength: 120 }), (operations) => {
        const store = new MotionStore();
        // Each motion goes from its own number, so a value tells whose it is.
        const all: { motion: Motion; id: number; active: boolean }[] = [];
        for (const [operation, n] of operations) {
          const one = all[n % Math.max(1, all.length)];
          if (operation === "start") {
            const id = (all.length + 1) * 1000;
            const entry = { motion: undefined as unknown as Motion, id, active: true };
            const builder = store.motion(id, id + 1, 1 + (n % 5)).ease(EASE_NAMES[n % 10]!);
            entry.motion = n % 2 === 0 ? builder.onComplete(() => (entry.active = false)).run() : builder.onComplete(() => (entry.active = false)).bind(() => undefined);
            all.push(entry);
          } else if (operation === "update") store.update(n / 10);
          else if (one !== undefined) {
            const { motion, active: was } = one;
            expect(motion.isActive()).toBe(was);
            if (operation === "cancel") {
              expect(motion.cancel()).toBe(was);
              one.active = false;
            } else if (operation === "complete") {
              expect(motion.complete()).toBe(was);
              one.active = false;
            } else if (operation === "pause") motion.pause();
            else if (operation === "speed") motion.setSpeed(0.5);
            else if (one.active) motion.seek(0.5);
            else expect(() => motion.seek(0.5)).toThrow(AnimStateError);
          }
          for (const { motion, id, active } of all) {
            expect(motion.isActive()).toBe(active);
            expect(motion.value()).toBeGreaterThan(id - 1);
            expect(motion.value()).toBeLessThan(id + 2);
          }
          expect(store.getMotionCount()).toBe(all.filter(({ active }) => active).length);
        }
        store.dispose();
      }),
      { numRuns: runs(150) },
    );
  });

  it("tell time, duration, loops and progress, and keep the last value", () => {
    const store = new MotionStore();
    const motion = store.motion(0, 8, 2).delay(1).loops(3, "yoyo").run();
    expect([motion.getDuration(), motion.getTotalDuration()]).toEqual([2, 7]);
    store.update(4);
    near(motion.getTime(), 4);
    near(motion.getProgress(), 0.5);
    expect(motion.getCompletedLoops()).toBe(1);
    near(motion.value(), 4);
    motion.setSpeed(-1);
    store.update(2);
    near(motion.value(), 4);
    expect(motion.getCompletedLoops()).toBe(0);
    store.update(100);
    expect(motion.isActive()).toBe(true);
    expect(motion.getTime()).toBe(0);
    motion.setSpeed(2);
    store.update(3.5);
    expect(motion.isActive()).toBe(false);
    expect(motion.value()).toBe(8);
    expect(store.floatValue(motion)).toBe(8);
    store.dispose();
  });

  it("settle their promise, and complete or cancel exactly once", async () => {
    const store = new MotionStore();
    const log: string[] = [];
    const done = store.motion(0, 1, 1).onComplete(() => log.push("complete")).onCancel(() => log.push("cancel")).run();
    const gone = store.motion(0, 1, 1).onComplete(() => log.push("complete")).onCancel(() => log.push("cancel")).run();
    const { finished } = done;
    gone.cancel();
    store.update(1);
    expect(await finished).toBe("completed");
    expect(await gone.finished).toBe("cancelled");
    expect([done.complete(), done.cancel(), gone.complete(), gone.cancel()]).toEqual([false, false, false, false]);
    expect(log).toEqual(["cancel", "complete"]);
    const endless = store.motion(0, 1, 1).loops(-1).run();
    expect(() => endless.complete()).toThrow(AnimStateError);
    store.dispose();
  });

  it("end on the sought end at the next update", () => {
    const store = new MotionStore();
    const log: string[] = [];
    const motion = store.motion(0, 4, 1).loops(2).onLoop((n) => log.push(`loop ${n}`)).onComplete(() => log.push("complete")).run();
    motion.seek(2);
    expect(motion.value()).toBe(4);
    expect(motion.isActive()).toBe(true);
    store.update(0);
    expect(log).toEqual(["loop 2", "complete"]);
    store.dispose();
  });

  it("of another store or type are refused", () => {
    const store = new MotionStore();
    const other = new MotionStore();
    const motion = other.motion(0, 1, 1).run();
    expect(() => store.cancel(motion)).toThrow(AnimArgumentError);
    expect(() => other.vec2Value(motion as any)).toThrow(AnimArgumentError);
    store.dispose();
    other.dispose();
  });
});

describe("builders", () => {
  it("are used once and check what they are given", () => {
    const store = new MotionStore();
    const builder = store.motion(0, 1, 1);
    builder.run();
    expect(() => builder.ease("linear")).toThrow(AnimStateError);
    expect(() => builder.run()).toThrow(AnimStateError);
    expect(() => store.motion(NaN, 1, 1)).toThrow(AnimArgumentError);
    expect(() => store.motion(-1e308, 1e308, 1)).toThrow(AnimArgumentError);
    expect(() => store.motion(0, 1, -1)).toThrow(AnimArgumentError);
    expect(() => store.motion(0, 1, 1).ease("nope")).toThrow(AnimNameError);
    expect(() => store.motion(0, 1, 1).loops(0)).toThrow(AnimArgumentError);
    expect(() => store.motion(0, 1, 1).delay(-1)).toThrow(AnimArgumentError);
    expect(() => store.motion(0, 1, 1).frequency(3)).toThrow(AnimStateError);
    expect(() => store.punch(0, 1, 1).frequency(0)).toThrow(AnimArgumentError);
    expect(() => store.punch(0, 1, 1).seed(1)).toThrow(AnimStateError);
    expect(() => store.motion(0, 1, 0).loops(-1).run()).toThrow(AnimStateError);
    expect(() => store.motion(0, 1, 1).bind({} as never)).toThrow(AnimArgumentError);
    expect(() => store.motionVec3([0, 0, 0], [1, 1, 1], 1).bind(arraySink(new Float32Array(2)))).toThrow(AnimArgumentError);
    expect(() => store.motionQuat({ x: 0, y: 0, z: 0, w: 0 }, { x: 0, y: 0, z: 0, w: 1 }, 1)).toThrow(AnimArgumentError);
    expect(() => propertySink({ x: "1" }, "x")).toThrow(AnimArgumentError);
    expect(() => arraySink(null as never)).toThrow(AnimArgumentError);
    expect(() => arraySink(new Float32Array(2), 2)).toThrow(AnimArgumentError);
    expect(() => store.motion(0, 1, 1).fromCurrent(3 as never)).toThrow(AnimArgumentError);
    expect(() => store.punch(null as never, 1, 1)).toThrow(AnimArgumentError);
    store.dispose();
    expect(() => store.motion(0, 1, 1)).toThrow(AnimStateError);
  });

  it("read the current value when the motion starts, after its delay", () => {
    const store = new MotionStore();
    const target = { x: 1 };
    store.motion(0, 10, 1).delay(1).fromCurrent(() => target.x).bind(propertySink(target, "x"));
    target.x = 4;
    store.update(0.5);
    expect(target.x).toBe(4);
    store.update(1);
    near(target.x, 7);
    store.update(1);
    expect(target.x).toBe(10);
    store.dispose();
  });

  it("with the same exclusive key replace one another", () => {
    const store = new MotionStore();
    const first = store.motion(0, 1, 1).exclusive("hero").run();
    const second = store.motion(0, 1, 1).exclusive("hero").run();
    expect([first.isActive(), second.isActive(), store.getMotionCount()]).toEqual([false, true, 1]);
    store.dispose();
  });

  it("take custom, parametric and failing eases", () => {
    const store = new MotionStore();
    const errors: string[] = [];
    store.setErrorHandler((_error, what) => errors.push(what));
    const custom = store.motion(0, 10, 1).ease((t) => t * t * t).run();
    const kernel = store.motion(0, 10, 1).ease(Easing.back(2.5).out).run();
    let breaks = false;
    const failing = store.motion(0, 10, 1).ease((t) => (breaks ? NaN : t)).run();
    store.update(0.25);
    breaks = true;
    store.update(0.25);
    near(custom.value(), 1.25);
    near(kernel.value(), 10 * Easing.back(2.5).out(0.5));
    near(failing.value(), 2.5);
    expect(errors).toEqual(["ease custom"]);
    store.dispose();
  });

  it("number shakes by themselves, reproducibly", () => {
    const values = [0, 1].map(() => {
      const store = new MotionStore();
      const shakes = [store.shake(0, 1, 1).run(), store.shake(0, 1, 1).run()];
      store.update(0.13);
      const out = shakes.map((shake) => shake.value());
      store.dispose();
      return out;
    });
    expect(values[0]).toEqual(values[1]);
    expect(values[0]![0]).not.toBe(values[0]![1]);
  });
});

describe("groups", () => {
  it("start many at once, write an array range, and end together", async () => {
    const store = new MotionStore();
    const count = 150;
    const out = new Float32Array(count + 2);
    const durations = Float64Array.from({ length: count }, (_, i) => 0.5 + (i % 3) * 0.25);
    let completed = 0;
    const group = store.startFloats(0, Float64Array.from({ length: count }, (_, i) => i), durations, "outQuad", count, arraySink(out, 2)).onComplete(() => completed++);
    const single = store.motion(0, 100, durations[100]!).ease("outQuad").run();
    expect(store.getMotionCount()).toBe(count + 1);
    store.update(0.3);
    expect(group.value(100)).toBe(single.value());
    expect(out[102]).toBe(Math.fround(single.value()));
    expect([out[0], out[1]]).toEqual([0, 0]);
    store.update(0.3);
    expect(group.getActiveCount()).toBe(100);
    const { finished } = group;
    store.update(0.5);
    expect(group.isActive()).toBe(false);
    expect(await finished).toBe("completed");
    expect(completed).toBe(1);
    expect(out[101]).toBe(99);
    expect(store.getMotionCount()).toBe(0);
    const second = store.startFloats(0, 1, 1, (t: number) => t * t, 3);
    store.update(0.5);
    expect(second.value(2)).toBe(0.25);
    second.pause();
    store.update(0.5);
    expect(second.value(2)).toBe(0.25);
    second.resume();
    expect(second.complete()).toBe(true);
    expect(second.cancel()).toBe(false);
    expect(() => store.startFloats(0, [1], 1, "linear", 2)).toThrow(AnimArgumentError);
    expect(() => store.startFloats(0, [1, NaN], 1, "linear", 2)).toThrow(AnimArgumentError);
    expect(store.getMotionCount()).toBe(0);
    store.dispose();
  });
});

describe("capacity and memory", () => {
  it("grows by doubling, never shrinks, and says what is free", () => {
    const store = new MotionStore();
    expect([store.getMotionFloatCapacity(), store.getMotionFloatFreeCount()]).toEqual([32, 32]);
    const motions = Array.from({ length: 33 }, () => store.motion(0, 1, 1).run());
    expect([store.getMotionFloatCapacity(), store.getMotionFloatFreeCount()]).toEqual([64, 31]);
    motions.forEach((motion) => motion.cancel());
    store.ensureMotionCapacity(10);
    expect([store.getMotionFloatCapacity(), store.getMotionFloatFreeCount()]).toEqual([64, 64]);
    store.ensureMotionCapacity(200);
    expect(store.getMotionFloatCapacity()).toBe(200);
    expect(() => store.ensureMotionCapacity(-1)).toThrow(AnimArgumentError);
    expect(() => store.ensureMotionCapacity(2 ** 20 + 1)).toThrow(AnimCapacityError);
    store.dispose();
  });

  it("takes no block of linear memory in steady state", () => {
    const store = new MotionStore();
    store.ensureMotionCapacity(500);
    const start = (): void => {
      for (let i = 0; i < 500; i++) store.motion(0, 1, 0.1 + (i % 7) * 0.01).ease(EASE_NAMES[i % 31]!).run();
      store.startFloats(0, 1, 0.1, "inOutSine", 100);
    };
    start();
    store.update(1);
    const before = heap.blockCount;
    for (let round = 0; round < 20; round++) {
      start();
      store.update(0.05);
      store.update(1);
    }
    expect(store.getMotionCount()).toBe(0);
    expect(heap.blockCount).toBe(before);
    store.dispose();
  });

  it("gives all memory back when disposed", () => {
    const before = heap.blockCount;
    for (let i = 0; i < 50; i++) {
      const store = new MotionStore();
      store.motionQuat([0, 0, 0, 1] as any, [0, 1, 0, 0] as any, 1).run();
      new MotionSequence(store).append(store.motion(0, 1, 1)).run();
      store.update(0.1);
      store.dispose();
      store.dispose();
    }
    expect(heap.blockCount).toBe(before);
  });

  it("cancels everything in the order of creation", () => {
    const store = new MotionStore();
    const log: string[] = [];
    store.motion(0, 1, 1).onCancel(() => log.push("a")).run();
    new MotionSequence(store).append(store.motion(0, 1, 1).onCancel(() => log.push("member"))).onCancel(() => log.push("sequence")).run();
    store.motionVec2([0, 0], [1, 1], 1).onCancel(() => log.push("b")).run();
    expect(store.cancelAllMotions()).toBe(3);
    expect(log).toEqual(["a", "member", "sequence", "b"]);
    expect(store.getMotionCount()).toBe(0);
    store.dispose();
  });
});

describe("custom eases", () => {
  it("may end their own motion, or any other, and fail then: nobody else takes the value", () => {
    for (const victim of ["own", "first", "last", "all", "own and another begun"] as const) {
      for (const fails of [false, true]) {
        const store = new MotionStore(), motions: Motion[] = [], refs = Array.from({ length: 7 }, () => new FloatRef(0));
        store.setErrorHandler(() => {});
        let isArmed = false;
        const meddle = (): void => {
          isArmed = false;
          if (victim === "all") for (const motion of motions) motion.cancel();
          else motions[victim === "first" ? 0 : victim === "last" ? 5 : 3]!.cancel();
          if (victim === "own and another begun") store.motion(0, 1, 1).ease((t) => t * t).bind(refs[6]!);
          if (fails) throw new Error("an ease");
        };
        // Of different lengths, so that the progress of one is nobody else's.
        for (let i = 0; i < 6; i++) {
          const ease = (t: number): number => {
            if (i === 3 && isArmed) meddle();
            return t * t;
          };
          motions.push(store.motion(i * 10, i * 10 + 1, 2 + i).ease(ease).bind(refs[i]!));
        }
        for (let frame = 1; frame <= 6; frame++) {
          isArmed = frame === 3;
          store.update(0.125);
          motions.forEach((motion, i) => {
            // The one whose ease has failed keeps its value.
            if (!motion.isActive() || (fails && i === 3 && frame === 3)) return;
            expect(refs[i]!.value, `${victim}, ${fails}, motion ${i}, frame ${frame}`).toBeCloseTo(i * 10 + ((frame * 0.125) / (2 + i)) ** 2, 12);
          });
        }
        expect(isArmed).toBe(false);
        store.dispose();
      }
    }
  });
});

it("punches and shakes stay within their strength at any frequency", () => {
  const store = new MotionStore();
  for (const frequency of [1e-300, 1, 1e5, 1e6, 1e9, 1e20, 1e300]) {
    const motions = [store.punch(0, 3, 1).frequency(frequency).dampingRatio(0).run(), store.shake(0, 3, 1).frequency(frequency).dampingRatio(0).run()];
    for (let i = 0; i < 30; i++) {
      store.update(1 / 32);
      for (const motion of motions) expect(Math.abs(store.floatValue(motion)), `${frequency}`).toBeLessThanOrEqual(3.0001);
    }
    for (const motion of motions) motion.cancel();
  }
});
