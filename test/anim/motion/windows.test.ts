/* Between two events of a motion its progress is a line over the clock of its page: nothing may tell that from computing it anew. */
import { describe, expect, it } from "vitest";
import { EASE_NAMES, MotionStore, arraySink, propertySink, type LoopModeName, type Motion, type MotionBuilder } from "../../../src/anim/motion/index.js";
import fc, { runs } from "../../properties.js";

/* eslint-disable @typescript-eslint/no-explicit-any */
const near = (actual: number, expected: number, tolerance = 1e-9): void => expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance * (1 + Math.abs(expected)));

const start = fc.record({
  op: fc.constant("start" as const),
  kind: fc.constantFrom("number", "number", "number", "vec3", "color", "quat", "punch", "shake"),
  duration: fc.double({ min: 0.01, max: 1.5, noNaN: true }),
  ease: fc.oneof(fc.constantFrom<string>(...EASE_NAMES), fc.constant("custom")),
  delay: fc.constantFrom(0, 0, 0.21),
  every: fc.boolean(),
  loops: fc.constantFrom(1, 1, 2, 3, -1),
  mode: fc.constantFrom<LoopModeName>("restart", "yoyo", "flip", "incremental"),
  speed: fc.constantFrom(1, 1, 1, 0.37, 3, 0, -1),
  sink: fc.constantFrom("none", "property", "function"),
  preserved: fc.boolean(),
  current: fc.boolean(),
  unscaled: fc.boolean(),
});
const step = fc.oneof(
  { weight: 3, arbitrary: start },
  { weight: 6, arbitrary: fc.record({ op: fc.constant("update" as const), dt: fc.oneof(fc.double({ min: 0, max: 0.2, noNaN: true }), fc.constantFrom(0, 1 / 60, 7.7, 5000)), unscaled: fc.double({ min: 0, max: 0.1, noNaN: true }) }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constantFrom("pause" as const, "resume" as const, "cancel" as const, "complete" as const), which: fc.nat(), to: fc.constant(0) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("seek" as const), which: fc.nat(), to: fc.double({ min: 0, max: 4, noNaN: true }) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("speed" as const), which: fc.nat(), to: fc.constantFrom(0, 1, -1, -0.3, 2.5) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("group" as const), count: fc.integer({ min: 1, max: 70 }), ease: fc.constantFrom<string>(...EASE_NAMES) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Runs a script. With `anew`, every motion is computed anew in every update, as if it had just been touched. */
class Run {
  readonly store = new MotionStore();
  readonly motions: Motion<any>[] = [];
  readonly log: (string | number)[] = [];
  readonly arrays: Float64Array[] = [];
  constructor(readonly anew: boolean) {}

  #build(s: Extract<Step, { op: "start" }>): MotionBuilder<any> {
    const { store } = this;
    const { duration } = s;
    if (s.kind === "vec3") return store.motionVec3([0, 1, 2], [10, -1, 5], duration);
    if (s.kind === "color") return store.motionColor({ r: 0, g: 1, b: 0.5, a: 1 }, { r: 1, g: 0, b: 0.5, a: 0 }, duration).clamped();
    if (s.kind === "quat") return store.motionQuat({ x: 0, y: 0, z: 0, w: 1 }, { x: 0.6, y: 0, z: 0.8, w: 0.3 }, duration);
    if (s.kind === "punch") return store.punch(3, 10, duration);
    if (s.kind === "shake") return store.shake({ x: 1, y: 2 }, { x: 3, y: 4 }, duration);
    return store.motion(-3, 7, duration);
  }

  do(s: Step): void {
    const { store, motions, log } = this;
    if (s.op === "start") {
      const number = motions.length;
      const builder = this.#build(s).ease(s.ease === "custom" ? (t) => t * t * (3 - 2 * t) : s.ease).delay(s.delay, s.every ? "every" : "first").loops(s.loops, s.mode).speed(s.speed)
        .unscaled(s.unscaled).preserve(s.preserved);
      for (const name of ["onStart", "onLoop", "onComplete", "onCancel"] as const) if (s.sink !== "property") builder[name]((n?: unknown) => log.push(`${number} ${name} ${String(n ?? "")}`));
      if (s.current && s.kind === "number") builder.fromCurrent(() => -3.5);
      const note = (value: unknown): void => void log.push(`${number} written`, ...(typeof value === "number" ? [value] : Object.values(value as object)));
      if (s.sink === "none") motions.push(builder.run());
      else if (s.sink === "property" && (s.kind === "number" || s.kind === "punch")) motions.push(builder.bind(propertySink({ x: 0, get value() { return 0; }, set value(v: number) { note(v); } }, "value")));
      else motions.push(builder.bind(note));
    } else if (s.op === "update") {
      if (this.anew) for (const motion of motions) if (motion.isActive()) store.rows.setTime(motion.slot);
      store.update(s.dt, s.unscaled);
    } else if (s.op === "group") {
      const array = new Float64Array(s.count);
      this.arrays.push(array);
      store.startFloats(0, 1, Float64Array.from({ length: s.count }, (_, i) => 0.1 + i * 0.013), s.ease, s.count, arraySink(array, 0));
    } else if (motions.length > 0) {
      const motion = motions[s.which % motions.length]!;
      if (s.op === "pause") motion.pause();
      else if (s.op === "resume") motion.resume();
      else if (s.op === "cancel") motion.cancel();
      else if (s.op === "speed") motion.setSpeed(s.to);
      else if (s.op === "seek") {
        if (motion.isActive()) motion.seek(s.to);
      } else if (motion.getTotalDuration() < Infinity) motion.complete();
    }
  }
}

const flat = (value: any): number[] => (typeof value === "number" ? [value] : Object.values(value));

describe("stepping along lines", () => {
  it("is the same as computing every motion anew in every update, values, times and events alike", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
        const lines = new Run(false), anew = new Run(true);
        for (const s of steps) {
          lines.do(s);
          anew.do(s);
          expect(lines.log.map((entry) => typeof entry === "number" ? "a number" : entry)).toEqual(anew.log.map((entry) => typeof entry === "number" ? "a number" : entry));
          lines.log.forEach((entry, i) => typeof entry === "number" && near(entry, anew.log[i] as number));
          lines.log.length = anew.log.length = 0;
          lines.motions.forEach((motion, i) => {
            const other = anew.motions[i]!;
            expect([motion.isActive(), motion.isPaused(), motion.getCompletedLoops(), motion.getSpeed()]).toEqual([other.isActive(), other.isPaused(), other.getCompletedLoops(), other.getSpeed()]);
            near(motion.getTime(), other.getTime());
            flat(motion.value()).forEach((component, c) => near(component, flat(other.value())[c]!));
          });
          lines.arrays.forEach((array, i) => array.forEach((value, k) => near(value, anew.arrays[i]![k]!)));
        }
        lines.store.dispose();
        anew.store.dispose();
      }),
      { numRuns: runs(250) },
    );
  });

  it("keeps a neighbour's line when the other motion of a pair loops, ends or is absent", () => {
    for (const neighbours of [0, 1, 2]) {
      const store = new MotionStore();
      const motion = store.motion(0, 100, 10).loops(-1, "yoyo").run();
      for (let i = 0; i < neighbours; i++) store.motion(0, 1, 0.03).loops(i === 0 ? -1 : 3, "yoyo").run();
      for (let frame = 1; frame <= 900; frame++) {
        store.update(1 / 60);
        const phase = (frame / 600) % 2;
        near(motion.value(), 100 * (phase < 1 ? phase : 2 - phase), 1e-11);
      }
      store.dispose();
    }
  });

  it("leaves a standing motion where it is, to the last bit, for however long", () => {
    const store = new MotionStore();
    const paused = [0.1, 0.37, 1.9].map((time) => {
      const motion = store.motion(3, 10, 0.7).ease("inOutSine").loops(-1, "yoyo").run();
      motion.seek(time);
      return motion;
    });
    store.update(1 / 3);
    paused.forEach((motion, i) => (i === 0 ? motion.setSpeed(0) : motion.pause()));
    const values = paused.map((motion) => motion.value()), times = paused.map((motion) => motion.getTime());
    for (const dt of [0, 1e-9, 1 / 60, 0.3, 100, 4000, 5000, 1e6, 1e15]) {
      store.update(dt);
      expect(paused.map((motion) => motion.value())).toEqual(values);
      expect(paused.map((motion) => motion.getTime())).toEqual(times);
    }
    store.dispose();
  });

  it("goes on exactly when the clock of a page is set back, hours later", () => {
    const store = new MotionStore();
    let loops = 0;
    const endless = store.motion(0, 1, 0.5).loops(-1, "yoyo").onLoop((n) => (loops = n)).run();
    const late = store.motion(0, 8, 4).delay(9000).run();
    for (let i = 1; i <= 9; i++) {
      store.update(1000);
      expect(loops).toBe(2000 * i);
    }
    store.update(0.125);
    near(endless.value(), 0.25, 1e-10);
    store.update(0.875);
    near(late.value(), 2, 1e-10);
    near(late.getTime(), 9001, 1e-13);
    store.update(1e15);
    const young = store.motion(0, 1, 1).run();
    store.update(0.25);
    store.update(0.25);
    near(young.value(), 0.5, 1e-12);
    store.dispose();
  });

  it("goes back and forth along one line for hours, and ends where its last loop ends", () => {
    const store = new MotionStore();
    const endless = store.motion(0, 10, 0.37).loops(-1, "yoyo").run();
    const quick = store.motion(0, 10, 0.001).loops(-1, "yoyo").run();
    const odd = store.motion(0, 10, 0.5).delay(1).loops(4001, "yoyo").run(), even = store.motion(0, 10, 0.5).delay(1).loops(4000, "yoyo").run();
    const there = (time: number, duration: number): number => 10 * Math.abs(time / duration - 2 * Math.round(time / duration / 2));
    let time = 0;
    for (let i = 0; i < 3000; i++) {
      const dt = ((i * 37) % 101) / 64;
      time += dt;
      store.update(dt);
      near(endless.value(), there(time, 0.37), 1e-8);
      near(quick.value(), there(time, 0.001), 1e-5);
      if (time > 1 && time < 2001) near(odd.value(), there(time - 1, 0.5), 1e-9);
    }
    expect([odd.isActive(), odd.value(), even.isActive(), even.value()]).toEqual([false, 10, false, 0]);
    store.dispose();
  });

  it("runs backwards through its loops and waits at time 0", () => {
    const store = new MotionStore();
    const loops: number[] = [];
    const motion = store.motion(0, 1, 1).loops(4, "yoyo").onLoop((n) => loops.push(n)).run();
    store.update(2.25);
    motion.setSpeed(-0.5);
    store.update(0.25);
    near(motion.value(), 0.125, 1e-12);
    store.update(0.5);
    near(motion.value(), 0.125, 1e-12);
    expect(motion.getCompletedLoops()).toBe(1);
    store.update(100);
    expect([motion.value(), motion.getTime()]).toEqual([0, 0]);
    motion.setSpeed(1);
    store.update(1.5);
    near(motion.value(), 0.5, 1e-12);
    expect(loops).toEqual([1, 2, 1]);
    store.dispose();
  });
});

describe("delivery by place", () => {
  it("goes on where setters start so many motions that every table grows", () => {
    const store = new MotionStore();
    const written: number[] = [];
    let starts = true;
    for (let i = 0; i < 40; i++) {
      const target = {
        get x() {
          return 0;
        },
        set x(value: number) {
          if (value === 0) return;
          written.push(i);
          if (!starts || i !== 3) return;
          starts = false;
          for (let k = 0; k < 3000; k++) store.motion(0, 1, 1).bind((v) => v > 0 && written.push(1000 + k));
        },
      };
      store.motion(0, 1, 1).bind(propertySink(target, "x"));
    }
    store.update(0.25);
    expect(written).toEqual(Array.from({ length: 40 }, (_, i) => i));
    written.length = 0;
    store.update(0.25);
    expect(written).toEqual([...Array.from({ length: 40 }, (_, i) => i), ...Array.from({ length: 3000 }, (_, k) => 1000 + k)]);
    store.dispose();
  });

  it("heeds what a setter ends or pauses behind it, also when tables have grown meanwhile", () => {
    for (const grows of [false, true]) {
      const store = new MotionStore();
      const targets = Array.from({ length: 6 }, () => ({ x: 0 }));
      const others: Motion[] = [];
      const first = {
        get x() {
          return 0;
        },
        set x(value: number) {
          if (value === 0) return;
          if (grows) for (let k = 0; k < 3000; k++) store.motion(0, 1, 1).run().cancel();
          if (grows) for (let k = 0; k < 3000; k++) store.motion(5, 6, 1).bind(propertySink({ x: 0 }, "x"));
          others[1]?.cancel();
          others[3]?.pause();
        },
      };
      store.motion(0, 1, 1).bind(propertySink(first, "x"));
      for (const target of targets) others.push(store.motion(0, 1, 1).bind(propertySink(target, "x")));
      store.update(0.5);
      expect(targets.map(({ x }) => x)).toEqual([0.5, 0, 0.5, 0, 0.5, 0.5]);
      store.dispose();
    }
  });

  it("keeps the order, and writes what was written over, through starts and ends of any number", () => {
    const store = new MotionStore();
    const order: number[] = [];
    const motions: Motion[] = [];
    const targets: { x: number }[] = [];
    for (let i = 0; i < 300; i++) {
      motions.push(store.motion(0, 1, 10).bind((v) => v > 0 && order.push(i)));
      const target = { x: 0 };
      targets.push(target);
      motions.push(store.motion(0, 10, 10).bind(propertySink(target, "x")));
    }
    let alive = motions.map((motion, i) => ({ motion, i }));
    for (let frame = 1; alive.length > 0; frame++) {
      alive.forEach(({ motion }, k) => k % 7 === frame % 7 && motion.cancel());
      alive = alive.filter(({ motion }) => motion.isActive());
      for (const target of targets) target.x = -1;
      order.length = 0;
      store.update(1 / 16);
      expect(order).toEqual(alive.filter(({ i }) => i % 2 === 0).map(({ i }) => i / 2));
      targets.forEach(({ x }, k) => near(x, alive.some(({ i }) => i === 2 * k + 1) ? frame / 16 : -1, 1e-14));
      if (alive.length < 10) alive.forEach(({ motion }) => motion.cancel());
      alive = alive.filter(({ motion }) => motion.isActive());
    }
    expect(store.getMotionCount()).toBe(0);
    store.dispose();
  });
});
