import { describe, expect, it } from "vitest";
import { EASE_NAMES, MotionSequence, MotionStore, type LoopModeName, type Motion, type MotionBuilder } from "../../../src/anim/motion/index.js";
import fc, { runs } from "../../properties.js";

/*
 * Starts, lengths and delays are tenths of a second, and times of comparison lie between two tenths, so that no rounding
 * decides on which side of a boundary a time lies.
 */
const tenths = (from: number, to: number): fc.Arbitrary<number> => fc.integer({ min: from, max: to }).map((n) => n / 10);

interface MotionSpec {
  kind: "motion";
  from: number;
  to: number;
  duration: number;
  ease: string;
  delay: number;
  loops: number;
  mode: LoopModeName;
}
interface SequenceSpec {
  kind: "sequence";
  steps: StepSpec[];
  loops: number;
  mode: "restart" | "yoyo";
}
interface StepSpec {
  how: "append" | "join" | "insert";
  at: number;
  what: MotionSpec | SequenceSpec | { kind: "interval"; seconds: number } | { kind: "callback" };
}

const motion: fc.Arbitrary<MotionSpec> = fc.record({
  kind: fc.constant("motion" as const), from: fc.integer({ min: -50, max: 50 }), to: fc.integer({ min: -50, max: 50 }), duration: tenths(0, 6), ease: fc.constantFrom(...EASE_NAMES),
  delay: fc.constantFrom(0, 0, 0.1, 0.3), loops: fc.integer({ min: 1, max: 3 }), mode: fc.constantFrom<LoopModeName>("restart", "yoyo", "flip", "incremental"),
});
const { tree } = fc.letrec<{ tree: SequenceSpec; step: StepSpec }>((tie) => ({
  step: fc.record({
    how: fc.constantFrom("append", "append", "join", "insert"), at: tenths(0, 12),
    what: fc.oneof({ depthSize: "small", maxDepth: 2 }, { arbitrary: motion, weight: 5 }, { arbitrary: fc.record({ kind: fc.constant("interval" as const), seconds: tenths(0, 4) }), weight: 1 }, { arbitrary: fc.constant({ kind: "callback" as const }), weight: 1 }, { arbitrary: tie("tree"), weight: 2 }),
  }) as fc.Arbitrary<StepSpec>,
  tree: fc.record({ kind: fc.constant("sequence" as const), steps: fc.array(tie("step"), { minLength: 1, maxLength: 5 }), loops: fc.constantFrom(1, 1, 2, 3), mode: fc.constantFrom("restart" as const, "yoyo" as const) }),
}));

/** Builds a sequence whose members write into `out`, one element each; untouched elements stay NaN. */
function build(store: MotionStore, spec: SequenceSpec, out: number[], calls: { count: number }): MotionSequence {
  const sequence = new MotionSequence(store);
  for (const { how, at, what } of spec.steps) {
    if (what.kind === "interval") sequence.appendInterval(what.seconds);
    else if (what.kind === "callback") sequence.appendCallback(() => calls.count++);
    else {
      let item: MotionSequence | MotionBuilder;
      if (what.kind === "sequence") item = build(store, what, out, calls);
      else {
        const index = out.push(NaN) - 1;
        item = store.motion(what.from, what.to, what.duration).ease(what.ease).delay(what.delay).loops(what.loops, what.mode).to((value) => (out[index] = value));
      }
      if (how === "insert") sequence.insert(at, item);
      else sequence[how](item);
    }
  }
  if (sequence.duration() > 0) sequence.loops(spec.loops, spec.mode);
  return sequence;
}

function alike(actual: readonly number[], expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  actual.forEach((value, i) => {
    if (Number.isNaN(value) || Number.isNaN(expected[i]!)) expect(value, `member ${i}`).toBe(expected[i]);
    else expect(Math.abs(value - expected[i]!), `member ${i}: ${value} against ${expected[i]}`).toBeLessThan(1e-6);
  });
}

describe("random sequences", () => {
  it("are after seek(t) as after playing to t, nested, looped, there and back", () => {
    fc.assert(
      fc.property(tree, fc.integer({ min: 0, max: 40 }), fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 12 }), (spec, tenth, weights) => {
        const store = new MotionStore();
        try {
          const played: number[] = [], sought: number[] = [], calls = { count: 0 }, silent = { count: 0 };
          const first = build(store, spec, played, calls), second = build(store, spec, sought, silent);
          fc.pre(first.duration() > 0);
          const player = first.run(), seeker = second.run();
          const time = tenth / 10 + 0.037;
          fc.pre(time < player.getTotalDuration());
          seeker.pause();
          seeker.seek(time);
          const sum = weights.reduce((a, b) => a + b, 0);
          if (sum === 0) store.update(time);
          else for (const weight of weights) store.update((time * weight) / sum);
          alike(sought, played);
          expect(silent.count).toBe(0);
          expect(seeker.getTime()).toBeCloseTo(player.getTime(), 6);
          expect(seeker.getPosition()).toBeCloseTo(player.getPosition(), 6);
        } finally {
          store.dispose();
        }
      }),
      { numRuns: runs(400) },
    );
  });

  it("go on from where they were sent as if they had been played there", () => {
    fc.assert(
      fc.property(tree, fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 20 }), (spec, from, further) => {
        const store = new MotionStore();
        try {
          const played: number[] = [], sought: number[] = [];
          const player = build(store, spec, played, { count: 0 }), seeker = build(store, spec, sought, { count: 0 });
          fc.pre(player.duration() > 0);
          const one = player.run(), other = seeker.run();
          const start = from / 10 + 0.037;
          fc.pre(start + further / 10 < one.getTotalDuration());
          other.pause();
          store.update(start);
          other.seek(start);
          other.resume();
          store.update(further / 10);
          alike(sought, played);
        } finally {
          store.dispose();
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it("end once, at the same values, in one huge step as in small ones, and give all their slots back", () => {
    fc.assert(
      fc.property(tree, fc.integer({ min: 1, max: 40 }), (spec, steps) => {
        const store = new MotionStore();
        try {
          const atOnce: number[] = [], inSteps: number[] = [];
          const ends = { atOnce: 0, inSteps: 0 };
          const a = build(store, spec, atOnce, { count: 0 }).onComplete(() => ends.atOnce++), b = build(store, spec, inSteps, { count: 0 }).onComplete(() => ends.inSteps++);
          const one = a.run(), other = b.run();
          other.pause();
          store.update(1e9);
          one.pause();
          other.resume();
          const total = other.getTotalDuration();
          for (let i = 0; i <= steps; i++) store.update(total / steps + 1e-6);
          expect(ends).toEqual({ atOnce: 1, inSteps: 1 });
          alike(inSteps, atOnce);
          expect(store.getMotionCount()).toBe(0);
        } finally {
          store.dispose();
        }
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("callbacks that create and kill motions", () => {
  const action = fc.record({ when: fc.constantFrom("start", "update", "loop", "complete", "cancel", "sink"), what: fc.constantFrom("create", "create", "cancel", "complete", "pause", "resume", "seek", "speed", "throw"), target: fc.nat(30) });
  const life = fc.record({ duration: fc.constantFrom(0, 0.1, 0.35, 1), delay: fc.constantFrom(0, 0.2), loops: fc.constantFrom(1, 2, 5), actions: fc.array(action, { maxLength: 4 }), hasSink: fc.boolean(), failing: fc.boolean() });

  it("keep every motion's story straight: it starts once, ends once, and is silent after its end", () => {
    fc.assert(
      fc.property(fc.array(life, { minLength: 1, maxLength: 8 }), fc.array(fc.constantFrom(0, 0.016, 0.1, 0.5, 3, 1e6), { minLength: 1, maxLength: 12 }), (lives, steps) => {
        const store = new MotionStore();
        store.setErrorHandler((error) => {
          if ((error as Error).message !== "own") throw error;
        });
        const all: { handle: Motion; log: string[] }[] = [];
        const create = (n: number): void => {
          if (all.length >= 60) return;
          const { duration, delay, loops, actions, hasSink, failing } = lives[n % lives.length]!;
          const entry = { handle: undefined as unknown as Motion, log: [] as string[] };
          const act = (when: string): void => {
            entry.log.push(when);
            for (const { what, target } of actions.filter((one) => one.when === when)) {
              const other = all[target % all.length]?.handle;
              if (what === "create") create(target);
              else if (what === "throw") throw new Error("own");
              else if (other === undefined) continue;
              else if (what === "cancel") other.cancel();
              else if (what === "complete") other.complete();
              else if (what === "pause") other.pause();
              else if (what === "resume") other.resume();
              else if (what === "speed") other.setSpeed(2);
              else if (other.isActive()) other.seek(0.15);
            }
          };
          const builder = store.motion(0, 1, duration).delay(delay).loops(loops).cancelOnError(failing)
            .onStart(() => act("start")).onUpdate(() => act("update")).onLoop(() => act("loop")).onComplete(() => act("complete")).onCancel(() => act("cancel"));
          all.push(entry);
          entry.handle = hasSink ? builder.immediate(false).bind(() => act("sink")) : builder.run();
        };
        for (let n = 0; n < lives.length; n++) create(n);
        for (const dt of steps) {
          store.update(dt);
          expect(store.getMotionCount()).toBe(all.filter(({ handle }) => handle.isActive()).length);
          for (const { handle, log } of all) {
            const ends = log.filter((word) => word === "complete" || word === "cancel");
            expect(ends.length).toBe(handle.isActive() ? 0 : 1);
            expect(log.filter((word) => word === "start").length).toBeLessThanOrEqual(1);
            if (ends.length === 1) expect(log.lastIndexOf("sink")).toBeLessThan(log.indexOf(ends[0]!));
            expect(handle.value()).toBeGreaterThanOrEqual(0);
            expect(handle.value()).toBeLessThanOrEqual(1);
          }
        }
        store.dispose();
        expect(store.getMotionCount()).toBe(0);
      }),
      { numRuns: runs(300) },
    );
  });
});
