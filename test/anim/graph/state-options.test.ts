import { describe, expect, it } from "vitest";
import {
  AnimArgumentError, AnimCapacityError, AnimClip, AnimFormatError, AnimGraph, AnimIndexError, AnimNameError, AnimPlayer, AnimSkeleton, AnimStateError, AnimStateMachine,
} from "../../../src/anim/index.js";

const skeleton = new AnimSkeleton();
skeleton.addBone("root", -1);

/** The bone moves from 0 to `distance`. */
function ramp(name: string, duration: number, distance: number, loop = true): AnimClip {
  const clip = new AnimClip(name);
  clip.addPositionKey(0, 0, 0, 0, 0);
  clip.addPositionKey(0, duration, distance, 0, 0);
  clip.setLoop(loop);
  return clip;
}

const x = (of: { getPose(): { getLocalPositionX(bone: number): number } }): number => of.getPose().getLocalPositionX(0);

describe("speed of states", () => {
  it("speed scales clip, state time and exit time, and not the blend", () => {
    const m = new AnimStateMachine(skeleton);
    m.addState("a", ramp("a", 1, 1));
    m.addState("b", ramp("b", 1, 0));
    m.setStateSpeed("a", 0.5);
    m.setExitTime(m.addTransition("a", "b", 1), 0.5);
    m.update(0.5);
    expect([x(m), m.getStateTime(), m.getStateSpeed("a")]).toEqual([0.25, 0.25, 0.5]);
    m.update(0.5);
    expect([m.getCurrentState(), m.isBlending(), x(m)]).toEqual(["b", true, 0.5]);
    m.update(0.5);
    // Half of what fades out, which has gone on at its own speed.
    expect([m.getTransitionProgress(), x(m)]).toEqual([0.5, 0.375]);
  });

  it("speed parameter multiplies it, is declared with 1, and counts as 0 below 0", () => {
    const m = new AnimStateMachine(skeleton);
    m.addState("a", ramp("a", 8, 8));
    m.setStateSpeed("a", 2);
    m.setStateSpeedParameter("a", "pace");
    expect([m.getFloat("pace"), m.getStateSpeedParameter("a")]).toEqual([1, "pace"]);
    m.update(0.5);
    expect(x(m)).toBe(1);
    m.setFloat("pace", 0.25);
    m.update(1);
    expect(x(m)).toBe(1.5);
    m.setFloat("pace", -3);
    m.update(1);
    expect(x(m)).toBe(1.5);
    m.setStateSpeedParameter("a", null);
    m.update(0.25);
    expect([x(m), m.getStateSpeedParameter("a")]).toEqual([2, ""]);
  });

  it("a graph and a machine in a state run at its speed, and their events are as old as in real time", () => {
    const clip = ramp("c", 4, 4);
    clip.addEvent(1, "one");
    const graph = new AnimGraph(skeleton), inner = new AnimStateMachine(skeleton);
    graph.addClip(clip);
    inner.addState("in", clip);
    for (const add of [(m: AnimStateMachine) => m.addState("s", clip), (m: AnimStateMachine) => m.addStateFromGraph("s", graph), (m: AnimStateMachine) => m.addStateFromMachine("s", inner)]) {
      const m = new AnimStateMachine(skeleton);
      add(m);
      m.setStateSpeed("s", 2);
      m.update(0.75);
      expect([x(m), m.getEventName(0), m.getEventAge(0)]).toEqual([1.5, "one", 0.25]);
    }
  });

  it("a speed that is no number of 0 or more is an error, as is a state that is not there", () => {
    const m = new AnimStateMachine(skeleton);
    m.addState("walk", ramp("a", 1, 1));
    for (const bad of [-1, NaN, Infinity]) expect(() => m.setStateSpeed("walk", bad)).toThrow(AnimArgumentError);
    expect(() => m.setStateSpeed("wolk", 1)).toThrow(AnimNameError);
    expect(() => m.setStateSpeed("zzzzzz", 1)).toThrow(/There is "walk"/);
    expect(() => m.setStateSpeedParameter("walk", "")).toThrow(AnimArgumentError);
  });
});

describe("where a destination begins", () => {
  it("offset begins at a share of the clip, in a blend and without", () => {
    for (const blend of [0, 0.5]) {
      const m = new AnimStateMachine(skeleton), start = m.addTransition.bind(m);
      m.addState("a", ramp("a", 1, 0));
      m.addState("b", ramp("b", 2, 8));
      const t = start("a", "b", blend);
      m.setTransitionOffset(t, 0.25);
      m.update(0.1);
      expect([m.getCurrentState(), m.getStateTime(), x(m)]).toEqual(["b", 0.5, blend === 0 ? 2 : 0]);
      m.update(0.5);
      expect([m.getStateTime(), x(m)]).toEqual([1, 4]);
    }
  });

  it("exit times before the offset do not count in the first pass, the offset itself does", () => {
    const taken = (exit: number): number => {
      const m = new AnimStateMachine(skeleton);
      m.addState("a", ramp("a", 1, 0));
      m.addState("b", ramp("b", 1, 1));
      m.addState("c", ramp("c", 1, 0));
      m.setTransitionOffset(m.addTransition("a", "b", 0), 0.5);
      m.setExitTime(m.addTransition("b", "c", 0), exit);
      m.update(0);
      for (let i = 1; i < 20; i++) {
        m.update(0.125);
        if (m.getCurrentState() === "c") return i;
      }
      return -1;
    };
    expect([taken(0.5), taken(0.75), taken(0.25)]).toEqual([1, 2, 6]);
  });

  it("markers begin where the source is, by phase without markers", () => {
    for (const marked of [true, false]) {
      const m = new AnimStateMachine(skeleton), walk = ramp("walk", 1, 0), run = ramp("run", 2, 2);
      if (marked) for (const [clip, l, r] of [[walk, 0, 0.5], [run, 0.25, 1.25]] as const) {
        clip.addSyncMarker(l, "left");
        clip.addSyncMarker(r, "right");
      }
      m.addState("walk", walk);
      m.addState("run", run);
      m.addTriggerCondition(m.addTransition("walk", "run", 0), "go");
      m.setTransitionOffset(0, "markers");
      m.update(0.75);
      m.setTrigger("go");
      m.update(0.5);
      expect(m.getStateTime()).toBeCloseTo(marked ? walk.mapSyncTimeTo(run, 0.25) : 0.5, 12);
      expect(x(m)).toBeCloseTo(marked ? 0.75 : 0.5, 6);
    }
  });

  it("bad offsets are errors", () => {
    const m = new AnimStateMachine(skeleton), graph = new AnimGraph(skeleton);
    m.addState("a", ramp("a", 1, 1));
    m.addStateFromGraph("g", graph);
    const t = m.addTransition("a", "g", 0), back = m.addTransition("g", "a", 0);
    for (const bad of [-0.1, 1.5, NaN, "marker"]) expect(() => m.setTransitionOffset(back, bad as number)).toThrow(AnimArgumentError);
    expect(() => m.setTransitionOffset(t, 0.5)).toThrow(/plays no clip/);
    expect(() => m.setTransitionOffset(9, 0.5)).toThrow(AnimIndexError);
  });

  it("exact exit time lies in a later pass", () => {
    const m = new AnimStateMachine(skeleton);
    m.addState("a", ramp("a", 1, 1));
    m.addState("b", ramp("b", 1, 0));
    m.setExitTimeExact(m.addTransition("a", "b", 0), 2.5);
    let updates = 0;
    while (m.getCurrentState() !== "b" && updates < 100) {
      m.update(0.25);
      updates++;
    }
    expect(updates).toBe(10);
    expect(() => m.setExitTimeExact(0, -1)).toThrow(AnimArgumentError);
  });

  it("a machine inside that has ended has passed every exit time, and its state can be captured", () => {
    const inner = new AnimStateMachine(skeleton), m = new AnimStateMachine(skeleton);
    inner.addState("end", ramp("e", 1, 1));
    inner.setExit("end");
    m.addStateFromMachine("in", inner);
    m.addState("out", ramp("o", 1, 0));
    const t = m.addTransition("in", "out", 0);
    m.setExitTimeExact(t, 3);
    m.addBoolCondition(t, "go", true);
    m.update(0.1);
    expect(m.getCurrentState()).toBe("in");
    m.restoreState(JSON.parse(JSON.stringify(m.captureState())));
    m.setBool("go", true);
    m.update(0.1);
    expect(m.getCurrentState()).toBe("out");
  });
});

describe("what a machine remembers", () => {
  const made = (): AnimStateMachine => {
    const m = new AnimStateMachine(skeleton);
    for (const name of ["a", "b", "c", "d"]) m.addState(name, ramp(name, 1, 0));
    m.addFloatCondition(m.addTransition("a", "b", 0), "speed", ">", 1);
    m.addTriggerCondition(m.addTransition("b", "a", 0.5), "back");
    m.addBoolCondition(m.addTransition("b", "c", 0), "on", true);
    return m;
  };

  it("reachable states follow transitions", () => {
    const m = made();
    expect(m.getReachableStates()).toEqual(["a", "b", "c"]);
    expect([m.getReachableStates("c"), m.getReachableStates("d")]).toEqual([[], []]);
    m.addTransition("*", "d", 0);
    expect(m.getReachableStates("c")).toEqual(["d"]);
    expect(() => m.getReachableStates("x")).toThrow(AnimNameError);
    expect(new AnimStateMachine(skeleton).getReachableStates()).toEqual([]);
  });

  it("state events and transitions are recorded once asked for", () => {
    const m = made();
    m.update(0.25);
    expect([m.consumeStateEvent(), m.getTransitionLog()]).toEqual(["", []]);
    m.recordStates();
    m.setFloat("speed", 3);
    m.update(0.25);
    m.setTrigger("back");
    m.update(0.25);
    const events: string[] = [];
    for (let event = m.consumeStateEvent(); event !== ""; event = m.consumeStateEvent()) events.push(`${event} ${m.getConsumedState()}`);
    expect(events).toEqual(["exit a", "enter b", "exit b", "enter a"]);
    expect(m.getConsumedState()).toBe("");
    expect(m.getTransitionLog()).toEqual([
      { transition: 0, from: "a", to: "b", update: 2, stateTime: 0.5, values: { speed: 3 } },
      { transition: 1, from: "b", to: "a", update: 3, stateTime: 0.25, values: { back: 1 } },
    ]);
    m.recordStates(false);
    expect(m.getTransitionLog()).toEqual([]);
  });

  it("both lists keep the last 64", () => {
    const m = new AnimStateMachine(skeleton);
    m.addState("a", ramp("a", 1, 0));
    m.addState("b", ramp("b", 1, 0));
    m.addTransition("a", "b", 0);
    m.addTransition("b", "a", 0);
    m.recordStates();
    for (let i = 0; i < 100; i++) m.update(0.1);
    const log = m.getTransitionLog();
    expect([log.length, log[0]!.update, log[63]!.update]).toEqual([64, 37, 100]);
    let events = 0;
    while (m.consumeStateEvent() !== "") events++;
    expect(events).toBe(64);
  });
});

describe("speed, offset and exact exit times as data", () => {
  it("come back from JSON, and what is wrong has a pointer", () => {
    const a = ramp("a", 1, 1), b = ramp("b", 2, 2), m = new AnimStateMachine(skeleton);
    m.addState("a", a);
    m.addState("b", b);
    m.setStateSpeed("a", 1.5);
    m.setStateSpeedParameter("b", "pace");
    m.addTransition("a", "b", 0.25);
    m.setExitTimeExact(0, 1.25);
    m.setTransitionOffset(0, 0.5);
    m.addTransition("b", "a", 0.25);
    m.setTransitionOffset(1, "markers");
    m.setExitTime(1, 0.5);
    const json = JSON.parse(JSON.stringify(m)), again = AnimStateMachine.fromJSON(json, skeleton, [a, b]);
    expect(again.toJSON()).toEqual(json);
    for (let i = 0; i < 60; i++) {
      m.update(0.07);
      again.update(0.07);
      expect([again.getCurrentState(), again.getStateTime(), x(again)]).toEqual([m.getCurrentState(), m.getStateTime(), x(m)]);
    }
    const broken = (change: (json: any) => void): string => {
      const copy = structuredClone(json);
      change(copy);
      try {
        AnimStateMachine.fromJSON(copy, skeleton, [a, b]);
      } catch (error) {
        if (error instanceof AnimFormatError) return error.pointer ?? "";
      }
      return "none";
    };
    expect(broken((j) => { j.states[0].speed = -1; })).toBe("/states/0/speed");
    expect(broken((j) => { j.transitions[0].offset = 2; })).toBe("/transitions/0/offset");
    expect(broken((j) => { j.states[1].speedParameter = ""; })).toBe("/states/1/speedParameter");
  });
});

describe("steps of any size", () => {
  const clip = (): AnimClip => {
    const made = ramp("c", 1, 1);
    made.addEvent(0, "start");
    made.addEvent(0.5, "middle");
    return made;
  };

  it("players, graphs and machines stay finite and come to an end", () => {
    const player = new AnimPlayer(skeleton), graph = new AnimGraph(skeleton), machine = new AnimStateMachine(skeleton);
    player.play(clip());
    player.setSpeed(3e38);
    const space = graph.addBlendSpace1D();
    graph.addBlendSpace1DPoint(space, 0, graph.addClip(clip()));
    graph.addBlendSpace1DPoint(space, 1, graph.addClip(clip()));
    graph.setPosition1D(space, 0.5);
    machine.addState("a", clip());
    machine.addState("b", clip());
    machine.setStateSpeed("b", 3e38);
    machine.setExitTime(machine.addTransition("a", "b", 0.1), 0.9);
    for (const source of [player, graph, machine]) {
      source.setRootMotionBone(0);
      for (const dt of [0.1, 1e9, 1e16, 1e100, 1e308, 1e308, 1e308, 0.1]) {
        source.update(dt);
        expect([x(source), source.getRootMotionX(), source.getRootMotionRotationW()].every(Number.isFinite), `${source.constructor.name} ${dt}`).toBe(true);
        expect(source.getEventCount()).toBeLessThanOrEqual(1024);
      }
    }
    player.setReverse(true);
    for (let i = 0; i < 3; i++) player.update(1e308);
    expect([x(player), player.getTime()].every(Number.isFinite)).toBe(true);
  });

  it("a graph has 4096 nodes at most", () => {
    const graph = new AnimGraph(skeleton), shared = clip();
    for (let i = 0; i < 4096; i++) graph.addClip(shared);
    expect(() => graph.addClip(shared)).toThrow(AnimCapacityError);
    expect([graph.getNodeCount(), graph.getRoot()]).toEqual([4096, 4095]);
  });

  it("disposed machines throw for all of it", () => {
    const m = new AnimStateMachine(skeleton);
    m.dispose();
    for (const call of [() => m.recordStates(), () => m.getTransitionLog(), () => m.consumeStateEvent(), () => m.getReachableStates()]) expect(call).toThrow(AnimStateError);
  });
});
