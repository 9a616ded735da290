import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimClip, AnimIndexError, AnimNameError, AnimSkeleton, AnimStateError, AnimStateMachine, type Interruption } from "../../../src/anim/index.js";
import fc, { runs } from "../../properties.js";

const skeleton = new AnimSkeleton();
skeleton.addBone("root", -1);

/** The bone stands at x = `value`. */
function still(value: number, duration = 1, loop = true): AnimClip {
  const clip = new AnimClip();
  clip.addPositionKey(0, 0, value, 0, 0);
  clip.setDuration(duration);
  clip.setLoop(loop);
  return clip;
}

function ramp(duration: number, distance: number, loop = true): AnimClip {
  const clip = new AnimClip();
  clip.addPositionKey(0, 0, 0, 0, 0);
  clip.addPositionKey(0, duration, distance, 0, 0);
  clip.setLoop(loop);
  return clip;
}

function machine(states: Record<string, AnimClip>): AnimStateMachine {
  const made = new AnimStateMachine(skeleton);
  for (const [name, clip] of Object.entries(states)) made.addState(name, clip);
  return made;
}

const x = (m: AnimStateMachine): number => m.getPose().getLocalPositionX(0);

describe("rules of state machines", () => {
  it("entry: the first update enters the first state; setEntry enters at once", () => {
    const m = machine({ a: still(1), b: still(2) });
    expect([m.getCurrentState(), m.getStateCount(), m.hasState("b"), m.hasState("c")]).toEqual(["", 2, true, false]);
    m.update(0.25);
    expect([m.getCurrentState(), x(m), m.getStateTime()]).toEqual(["a", 1, 0.25]);
    m.setEntry("b");
    expect([m.getCurrentState(), x(m), m.getStateTime()]).toEqual(["b", 2, 0]);
    new AnimStateMachine(skeleton).update(1);
  });

  it("switch: the state changes at once, the pose over the blend", () => {
    const m = machine({ a: still(0), b: still(8) }), t = m.addTransition("a", "b", 1);
    m.addFloatCondition(t, "speed", ">", 0.5);
    m.update(0.25);
    expect(m.getCurrentState()).toBe("a");
    m.setFloat("speed", 1);
    m.update(0.25);
    expect([m.getCurrentState(), m.isBlending(), x(m), m.getStateTime()]).toEqual(["b", true, 0, 0]);
    m.update(0.25);
    expect([x(m), m.getTransitionProgress()]).toEqual([2, 0.25]);
    m.update(0.75);
    expect([x(m), m.isBlending(), m.getStateTime()]).toEqual([8, false, 1]);
  });

  it("hard switch: without blend the destination is sampled in the same update", () => {
    const m = machine({ a: still(0), b: still(8) });
    m.addBoolCondition(m.addTransition("a", "b", 0), "go", true);
    m.setBool("go", true);
    m.update(0.25);
    expect([m.getCurrentState(), x(m), m.isBlending()]).toEqual(["b", 8, false]);
  });

  it("conditions: all must hold, with every operator", () => {
    const cases: [string, number[]][] = [[">", [2]], [">=", [1, 2]], ["<", [0]], ["<=", [0, 1]], ["==", [1]], ["!=", [0, 2]]];
    for (const [op, truths] of cases) {
      for (const value of [0, 1, 2]) {
        const m = machine({ a: still(0), b: still(1) }), t = m.addTransition("a", "b", 0);
        m.addFloatCondition(t, "v", op, 1);
        m.addBoolCondition(t, "allowed", true);
        m.setFloat("v", value);
        m.update(0.1);
        expect(m.getCurrentState()).toBe("a");
        m.setBool("allowed", true);
        m.update(0.1);
        expect(m.getCurrentState(), `${value} ${op} 1`).toBe(truths.includes(value) ? "b" : "a");
      }
    }
  });

  it("order: the lowest id wins, one transition an update", () => {
    const m = machine({ a: still(0), b: still(1), c: still(2) });
    m.addTransition("a", "c", 0);
    m.addTransition("a", "b", 0);
    m.addTransition("c", "b", 0);
    m.update(0.1);
    expect(m.getCurrentState()).toBe("c");
    m.update(0.1);
    expect(m.getCurrentState()).toBe("b");
  });

  it("triggers: stay set until a transition takes them", () => {
    const m = machine({ a: still(0), b: still(1) }), t = m.addTransition("a", "b", 0);
    m.addTriggerCondition(t, "jump");
    m.addBoolCondition(t, "ground", true);
    m.setTrigger("jump");
    m.update(0.1);
    expect([m.getCurrentState(), m.getTrigger("jump")]).toEqual(["a", true]);
    m.setBool("ground", true);
    m.update(0.1);
    expect([m.getCurrentState(), m.getTrigger("jump")]).toEqual(["b", false]);
    m.setTrigger("jump");
    m.resetTrigger("jump");
    expect(m.getTrigger("jump")).toBe(false);
  });

  it("exit time: a looping state is tested at that point of each pass", () => {
    const m = machine({ a: still(0), b: still(1) }), t = m.addTransition("a", "b", 0);
    m.setExitTime(t, 0.75);
    m.addBoolCondition(t, "go", true);
    for (let i = 0; i < 7; i++) m.update(0.125);
    m.setBool("go", true);
    // 0.75 of the first pass is over: 1 ... 1.625 do not count.
    for (let i = 0; i < 6; i++) m.update(0.125);
    expect([m.getCurrentState(), m.getStateTime()]).toEqual(["a", 1.625]);
    m.update(0.125);
    expect(m.getCurrentState()).toBe("b");
  });

  it("exit time: shorter than a frame is not missed, 0 fires at the first test", () => {
    const m = machine({ a: still(0), b: still(1) });
    m.setExitTime(m.addTransition("a", "b", 0), 0.1);
    m.setExitTime(m.addTransition("b", "a", 0), 0);
    m.update(5.7);
    expect(m.getCurrentState()).toBe("b");
    m.update(0);
    expect(m.getCurrentState()).toBe("a");
  });

  it("exit time: passed during a blend it counts at the first test after it", () => {
    const m = machine({ a: still(0), b: still(1) });
    m.addTransition("a", "b", 0.5);
    m.setExitTime(m.addTransition("b", "a", 0), 0.25);
    m.update(0);
    m.update(0.25);
    m.update(0.125);
    expect([m.getCurrentState(), m.isBlending()]).toEqual(["b", true]);
    m.update(0.125);
    expect(m.getCurrentState()).toBe("a");
  });

  it("exit time: a state that does not loop stays past it", () => {
    const m = machine({ a: still(0, 1, false), b: still(1) }), t = m.addTransition("a", "b", 0);
    m.setExitTime(t, 1);
    m.addBoolCondition(t, "go", true);
    m.update(3);
    m.setBool("go", true);
    m.update(0);
    expect(m.getCurrentState()).toBe("b");
    m.setHasExitTime(t, false);
  });

  it("any state: a transition from * leads from every state, added before or after it", () => {
    const m = machine({ a: still(0), b: still(1) });
    m.addTriggerCondition(m.addTransition("*", "b", 0), "hit");
    m.addState("c", still(2));
    m.setEntry("c");
    m.setTrigger("hit");
    m.update(0.1);
    expect(m.getCurrentState()).toBe("b");
    m.setTrigger("hit");
    m.update(0.25);
    expect([m.getCurrentState(), m.getStateTime()]).toEqual(["b", 0]);
  });

  it("interruption: none while blending unless the transition allows it", () => {
    const run = (by: Interruption | undefined): string => {
      const m = machine({ a: still(0), b: still(1), c: still(2), d: still(3) }), t = m.addTransition("a", "b", 1);
      m.addTriggerCondition(m.addTransition("b", "c", 1), "fromB");
      m.addTriggerCondition(m.addTransition("a", "d", 1), "fromA");
      if (by !== undefined) m.setInterruptible(t, by);
      m.update(0.25);
      m.setTrigger("fromB");
      m.setTrigger("fromA");
      m.update(0.25);
      return m.getCurrentState();
    };
    expect([undefined, "none", "destination", "source", "both"].map((by) => run(by as Interruption | undefined))).toEqual(["b", "b", "c", "d", "d"]);
  });

  it("interruption: the pose does not jump", () => {
    const m = machine({ a: still(0), b: still(8), c: still(100) }), t = m.addTransition("a", "b", 1);
    m.setInterruptible(t, "destination");
    m.addTriggerCondition(m.addTransition("b", "c", 1), "go");
    m.update(0);
    m.update(0.5);
    expect(x(m)).toBe(4);
    m.setTrigger("go");
    m.update(0);
    expect(m.getCurrentState()).toBe("c");
    m.update(1e-6);
    expect(Math.abs(x(m) - 4)).toBeLessThan(1e-3);
  });

  it("outgoing side: plays on during the blend", () => {
    const m = machine({ a: ramp(1, 8), b: still(0) });
    m.addBoolCondition(m.addTransition("a", "b", 0.5), "go", true);
    m.setBool("go", true);
    m.update(0.25);
    m.update(0.25);
    expect(x(m)).toBeCloseTo(2, 5);
  });

  it("inertial mode: the difference to the old state dies away", () => {
    const m = machine({ a: still(8), b: still(0) }), t = m.addTransition("a", "b", 0.3);
    m.setTransitionMode(t, "inertial");
    m.update(0.01);
    m.update(0.01);
    expect(x(m)).toBeGreaterThan(7);
    for (let i = 0; i < 300; i++) m.update(0.01);
    expect(Math.abs(x(m))).toBeLessThan(1e-3);
  });

  it("events: the destination's from the moment the blend starts", () => {
    const a = still(0), b = still(1);
    a.addEvent(0.5, "a");
    b.addEvent(0, "enter b");
    const m = machine({ a, b });
    m.addFloatCondition(m.addTransition("a", "b", 1), "v", ">", 0);
    m.update(0.625);
    expect([m.getEventCount(), m.getEventName(0)]).toEqual([1, "a"]);
    m.setFloat("v", 1);
    m.update(0.125);
    expect(m.getEventCount()).toBe(0);
    m.update(0.125);
    expect([m.getEventCount(), m.getEventName(0)]).toEqual([1, "enter b"]);
    expect([m.consumeEvent(), m.consumeEvent(), m.consumeEvent()]).toEqual(["a", "enter b", ""]);
  });

  it("root motion: that of the state, blended", () => {
    const m = machine({ a: ramp(1, 2), b: ramp(1, 6) });
    m.setRootMotionBone(0);
    m.addBoolCondition(m.addTransition("a", "b", 1), "go", true);
    m.update(0.5);
    expect(m.getRootMotionX()).toBeCloseTo(1, 6);
    m.setBool("go", true);
    m.update(0);
    m.update(0.5);
    expect(m.getRootMotionX()).toBeCloseTo(2, 6);
  });

  it("errors: name what was wrong and change nothing", () => {
    const m = machine({ idle: still(0) }), t = m.addTransition("idle", "idle", 0.1);
    m.addFloatCondition(t, "speed", ">", 1);
    const wrong: [() => void, new (message: string) => Error][] = [
      [() => m.addState("idle", still(0)), AnimArgumentError], [() => m.addState("", still(0)), AnimArgumentError],
      [() => m.addState("*", still(0)), AnimArgumentError], [() => m.addState("x", null as never), AnimArgumentError],
      [() => m.setEntry("idel"), AnimNameError], [() => m.addTransition("idle", "run", 0), AnimNameError],
      [() => m.addTransition("idle", "idle", -1), AnimArgumentError], [() => m.addFloatCondition(t, "", ">", 0), AnimArgumentError],
      [() => m.addFloatCondition(t, "v", "=", 0), AnimArgumentError], [() => m.addFloatCondition(t, "v", ">", Number.NaN), AnimArgumentError],
      [() => m.addBoolCondition(7, "b", true), AnimIndexError], [() => m.setExitTime(t, Infinity), AnimArgumentError],
      [() => m.setFloat("sped", 1), AnimNameError], [() => m.setFloat("speed", Number.NaN), AnimArgumentError],
      [() => m.setBool("speed", true), AnimNameError], [() => m.setTrigger("speed"), AnimNameError],
      [() => m.update(-1), AnimArgumentError], [() => new AnimStateMachine(undefined as never), AnimArgumentError],
    ];
    for (const [call, type] of wrong) expect(call, String(call)).toThrow(type);
    expect([m.getFloat("unknown"), m.getBool("unknown"), m.getTrigger("unknown"), m.getStateCount()]).toEqual([0, false, false, 1]);
    m.update(Number.NaN);
    expect(m.getCurrentState()).toBe("");
    m.dispose();
    m.dispose();
    expect(() => m.update(0)).toThrow(AnimStateError);
  });
});

/** The rules once more, slow and plain: only the logic, with exit times found by walking through the passes. */
class Reference {
  state = -1;
  time = 0;
  blendLeft = 0;
  tested = -1;
  constructor(readonly states: { duration: number; loop: boolean }[], readonly transitions: Rule[]) {}

  update(dt: number, value: number, flag: boolean, triggers: Set<string>): void {
    if (this.state < 0) this.state = 0;
    this.time += dt;
    if (this.blendLeft > 0) {
      this.blendLeft -= dt;
      if (this.blendLeft > 0) return;
    }
    const { duration, loop } = this.states[this.state]!, now = this.time / duration, before = this.tested;
    this.tested = now;
    for (const t of this.transitions) {
      if (t.from !== -1 && t.from !== this.state) continue;
      if (t.exit !== undefined) {
        let reached = !loop && now >= t.exit;
        for (let k = 0; loop && k + t.exit <= now; k++) if (k + t.exit > before) reached = true;
        if (!reached) continue;
      }
      if (t.above !== undefined && !(value > t.above)) continue;
      if (t.flag !== undefined && flag !== t.flag) continue;
      if (t.trigger && !triggers.has("t")) continue;
      if (t.trigger) triggers.delete("t");
      this.state = t.to;
      this.time = 0;
      this.tested = -1;
      this.blendLeft = t.blend;
      return;
    }
  }
}

interface Rule { from: number; to: number; blend: number; exit: number | undefined; above: number | undefined; flag: boolean | undefined; trigger: boolean }

it("a state machine does what a plain model does, for random definitions and inputs", () => {
  // Times in eighths and sixteenths, so that both sums are exact.
  const eighths = (max: number): fc.Arbitrary<number> => fc.nat(max).map((n) => n / 8);
  const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
  const rule = fc.record({
    from: fc.integer({ min: -1, max: 2 }), to: fc.nat(2), blend: eighths(6), exit: maybe(eighths(8)), above: maybe(fc.integer({ min: 0, max: 2 })),
    flag: maybe(fc.boolean()), trigger: fc.boolean(),
  });
  const step = fc.record({ dt: fc.nat(40).map((n) => n / 16), value: fc.nat(3), flag: fc.boolean(), trigger: fc.boolean() });
  const states = fc.array(fc.record({ duration: fc.constantFrom(0.5, 1, 2), loop: fc.boolean() }), { minLength: 3, maxLength: 3 });
  let switches = 0;
  fc.assert(fc.property(states, fc.array(rule, { maxLength: 8 }), fc.array(step, { minLength: 30, maxLength: 50 }), (durations, rules, steps) => {
    const m = machine(Object.fromEntries(durations.map((s, i) => [`s${i}`, still(i, s.duration, s.loop)])));
    const declare = m.addTransition("s0", "s0", 0);
    m.addFloatCondition(declare, "v", ">", 1e9);
    m.addBoolCondition(declare, "f", true);
    m.addTriggerCondition(declare, "t");
    for (const r of rules) {
      const t = m.addTransition(r.from < 0 ? "*" : `s${r.from}`, `s${r.to}`, r.blend);
      if (r.exit !== undefined) m.setExitTime(t, r.exit);
      if (r.above !== undefined) m.addFloatCondition(t, "v", ">", r.above);
      if (r.flag !== undefined) m.addBoolCondition(t, "f", r.flag);
      if (r.trigger) m.addTriggerCondition(t, "t");
    }
    const reference = new Reference(durations, rules), triggers = new Set<string>();
    for (const s of steps) {
      m.setFloat("v", s.value);
      m.setBool("f", s.flag);
      if (s.trigger) {
        m.setTrigger("t");
        triggers.add("t");
      }
      const before = reference.state;
      m.update(s.dt);
      reference.update(s.dt, s.value, s.flag, triggers);
      if (reference.state !== before) switches++;
      expect([m.getCurrentState(), m.getStateTime(), m.isBlending(), m.getTrigger("t")])
        .toEqual([`s${reference.state}`, reference.time, reference.blendLeft > 0, triggers.has("t")]);
      if (!m.isBlending()) expect(x(m)).toBe(reference.state);
    }
    m.dispose();
  }), { numRuns: runs(400) });
  expect(switches).toBeGreaterThan(1000);
});
