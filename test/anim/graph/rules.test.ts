import { describe, expect, it } from "vitest";
import {
  AnimArgumentError, AnimBoneMask, AnimClip, AnimGraph, AnimLayerMixer, AnimMismatchError, AnimPlayer, AnimSkeleton, AnimStateMachine,
} from "../../../src/anim/index.js";

/** Rules of docs/graphs.md and docs/state-machines.md about what stands in each other, transitions and step. */
const skeleton = new AnimSkeleton();
skeleton.addBone("root", -1);
skeleton.addBone("arm", 0);

function still(value: number, duration = 1, loop = true): AnimClip {
  const clip = new AnimClip(`still ${value}`);
  for (const bone of [0, 1]) clip.addPositionKey(bone, 0, value, 0, 0);
  clip.setDuration(duration);
  clip.setLoop(loop);
  return clip;
}

function ramp(duration: number, distance: number): AnimClip {
  const clip = new AnimClip(`ramp ${duration} ${distance}`);
  for (const bone of [0, 1]) {
    clip.addPositionKey(bone, 0, 0, 0, 0);
    clip.addPositionKey(bone, duration, distance, 0, 0);
  }
  return clip;
}

const x = (of: { getPose(): { getLocalPositionX(bone: number): number } }, bone = 0): number => of.getPose().getLocalPositionX(bone);

describe("rules of state machines: graphs, blend spaces and machines as states", () => {
  it("a graph as a state: starts over when the state is entered, and sees the floats of the machine", () => {
    const graph = new AnimGraph(skeleton), clip = graph.addClip(ramp(1, 8)), blend = graph.addBlend(clip, graph.addClip(still(100)), 0);
    graph.addParameter("weight");
    graph.bindWeight(blend, "weight");
    const m = new AnimStateMachine(skeleton);
    m.addState("idle", still(-1));
    m.addStateFromGraph("move", graph);
    m.addTriggerCondition(m.addTransition("idle", "move", 0), "go");
    m.addTriggerCondition(m.addTransition("move", "idle", 0), "go");
    // The graph is not needed any more.
    graph.dispose();
    for (let round = 0; round < 2; round++) {
      m.setTrigger("go");
      m.update(0.25);
      expect([m.getCurrentState(), x(m)]).toEqual(["move", 0]);
      m.update(0.25);
      expect(x(m)).toBe(2);
      m.setFloat("weight", 0.5);
      m.update(0.25);
      expect(x(m)).toBe(52);
      m.setFloat("weight", 0);
      m.setTrigger("go");
      m.update(0);
      expect(x(m)).toBe(-1);
    }
    expect(m.getStateGraph("move").getClipTime(clip)).toBe(0.5);
  });

  it("a blend space as a state: its position is floats of the machine", () => {
    const m = new AnimStateMachine(skeleton);
    m.addStateFromBlendSpace1D("line", "speed", [{ x: 0, clip: still(0) }, { x: 2, clip: still(8) }]);
    m.addStateFromBlendSpace2D("plane", "a", "b", [{ x: 0, y: 0, clip: still(0) }, { x: 1, y: 0, clip: still(4) }, { x: 0, y: 1, clip: still(40) }]);
    m.addTriggerCondition(m.addTransition("line", "plane", 0), "go");
    m.setFloat("speed", 1);
    m.update(0.1);
    expect(x(m)).toBe(4);
    m.setFloat("a", 0.25);
    m.setFloat("b", 0.5);
    m.setTrigger("go");
    m.update(0.1);
    expect(x(m)).toBeCloseTo(21, 5);
    expect(m.getParameterNames("float")).toEqual(["speed", "a", "b"]);
  });

  it("a blend space as a state: exit times go by the passes that it takes at its position", () => {
    const m = new AnimStateMachine(skeleton);
    m.addStateFromBlendSpace1D("line", "speed", [{ x: 0, clip: still(0, 1) }, { x: 1, clip: still(1, 3) }]);
    m.addState("end", still(9));
    m.setExitTime(m.addTransition("line", "end", 0), 0.5);
    // Half way, a pass takes 2 s.
    m.setFloat("speed", 0.5);
    m.update(0.9375);
    expect(m.getCurrentState()).toBe("line");
    m.update(0.0625);
    expect(m.getCurrentState()).toBe("end");
  });

  it("a machine as a state: starts at its entry, has the triggers in common, and leaves at a state that ends it", () => {
    const inner = new AnimStateMachine(skeleton), outer = new AnimStateMachine(skeleton);
    inner.addState("rise", still(1));
    inner.addState("fall", still(2));
    inner.addState("land", still(3));
    inner.addTriggerCondition(inner.addTransition("rise", "fall", 0), "next");
    inner.addTriggerCondition(inner.addTransition("fall", "land", 0), "next");
    inner.setExit("land");
    outer.addState("ground", still(0));
    outer.addStateFromMachine("air", inner);
    outer.addTriggerCondition(outer.addTransition("ground", "air", 0), "jump");
    outer.setExitTime(outer.addTransition("air", "ground", 0), 0.5);
    for (let round = 0; round < 2; round++) {
      outer.setTrigger("jump");
      outer.update(0.1);
      expect([outer.getCurrentState(), outer.getStateMachine("air").getCurrentState(), x(outer)]).toEqual(["air", "rise", 1]);
      outer.setTrigger("next");
      outer.update(0.1);
      // Taken by the machine inside, so it is gone.
      expect([outer.getStateMachine("air").getCurrentState(), outer.getTrigger("next")]).toEqual(["fall", false]);
      outer.update(5);
      expect(outer.getCurrentState()).toBe("air");
      outer.setTrigger("next");
      outer.update(0.1);
      expect([outer.getCurrentState(), x(outer)]).toEqual(["ground", 0]);
    }
    expect(inner.getCurrentState()).toBe("");
  });

  it("a machine as a state: neither itself nor what contains it, nor one of another skeleton", () => {
    const a = new AnimStateMachine(skeleton), b = new AnimStateMachine(skeleton), other = new AnimSkeleton();
    other.addBone("b", -1);
    a.addStateFromMachine("b", b);
    expect(() => b.addStateFromMachine("a", a)).toThrow(AnimArgumentError);
    expect(() => a.addStateFromMachine("a", a)).toThrow(AnimArgumentError);
    expect(() => a.addStateFromMachine("c", new AnimStateMachine(other))).toThrow(AnimMismatchError);
    expect(() => a.addStateFromGraph("c", new AnimGraph(other))).toThrow(AnimMismatchError);
    expect(a.getStateCount()).toBe(1);
  });

  it("events and root motion of what is inside are those of the machine", () => {
    const clip = ramp(1, 2), graph = new AnimGraph(skeleton), outer = new AnimStateMachine(skeleton), inner = new AnimStateMachine(skeleton);
    clip.addEvent(0.5, "step");
    graph.addClip(clip);
    inner.addStateFromGraph("graph", graph);
    outer.addStateFromMachine("inner", inner);
    outer.setRootMotionBone(0);
    outer.update(0.625);
    expect([outer.getEventCount(), outer.getEventName(0), outer.consumeEvent(), outer.consumeEvent()]).toEqual([1, "step", "step", ""]);
    expect(outer.getEventAge(0)).toBeCloseTo(0.125, 9);
    expect(outer.getRootMotionX()).toBeCloseTo(1.25, 6);
    expect(x(outer)).toBeCloseTo(0, 6);
  });

  it("entering the state that plays: a clip has a clock for each side, a graph is frozen while it fades out", () => {
    const graph = new AnimGraph(skeleton), m = new AnimStateMachine(skeleton);
    graph.addClip(ramp(1, 8));
    m.addStateFromGraph("move", graph);
    m.addTriggerCondition(m.addTransition("move", "move", 0.5), "again");
    m.update(0.5);
    m.setTrigger("again");
    m.update(0);
    expect([x(m), m.isBlending()]).toEqual([4, true]);
    m.update(0.25);
    // Half of 4, which stands still, and half of 2.
    expect(x(m)).toBeCloseTo(3, 5);
  });
});

describe("rules of state machines: outgoing side", () => {
  const switched = (mode: "live" | "frozen" | "inertial"): AnimStateMachine => {
    const m = new AnimStateMachine(skeleton);
    m.addState("a", ramp(2, 8));
    m.addState("b", still(0));
    m.addTriggerCondition(m.addTransition("a", "b", 0.5), "go");
    m.setTransitionMode(0, mode);
    for (let i = 0; i < 8; i++) m.update(0.0625);
    m.setTrigger("go");
    m.update(0);
    return m;
  };

  it("frozen mode: what was shown stands still while it fades out", () => {
    const m = switched("frozen");
    expect(x(m)).toBe(2);
    m.update(0.25);
    expect(x(m)).toBe(1);
  });

  it("inertial mode: goes on with the velocity that was shown, whatever the destination", () => {
    const m = switched("inertial");
    let last = x(m);
    expect(last).toBe(2);
    // 4 units a second before the switch.
    for (let i = 0; i < 3; i++) {
      m.update(1 / 256);
      const now = x(m);
      expect((now - last) * 256).toBeGreaterThan(4 * 0.75 - i * 0.8);
      expect((now - last) * 256).toBeLessThan(4.05);
      last = now;
    }
    for (let i = 0; i < 200; i++) m.update(1 / 60);
    expect(Math.abs(x(m))).toBeLessThan(1e-3);
  });

  it("inertial mode: the difference to a moving destination has its velocity taken out", () => {
    // Both move at 4 units a second, 6 apart: the difference shrinks without a swing to the other side.
    const m = new AnimStateMachine(skeleton), far = new AnimClip("far");
    far.addPositionKey(0, 0, 6, 0, 0);
    far.addPositionKey(0, 8, 38, 0, 0);
    m.addState("a", ramp(8, 32));
    m.addState("b", far);
    m.addTriggerCondition(m.addTransition("a", "b", 0.5), "go");
    m.setTransitionMode(0, "inertial");
    for (let i = 0; i < 30; i++) m.update(1 / 60);
    m.setTrigger("go");
    m.update(0);
    let last = 6 - x(m);
    for (let i = 1; i < 120; i++) {
      m.update(1 / 60);
      const left = 6 + (4 * i) / 60 - x(m);
      if (i > 2) expect(left).toBeLessThanOrEqual(last + 1e-4);
      expect(left).toBeGreaterThan(-0.02);
      last = left;
    }
    expect(last).toBeLessThan(1e-2);
  });

  it("a cross-fade that is taken while a difference dies away does not jump", () => {
    const m = switched("inertial");
    m.addState("c", still(50));
    m.addTransition("b", "c", 0.5);
    m.setInterruptible(0, "destination");
    m.update(1 / 60);
    const before = x(m);
    expect(m.getCurrentState()).toBe("c");
    m.update(1e-4);
    expect(Math.abs(x(m) - before)).toBeLessThan(0.05);
  });
});

describe("rules of graphs: inertial one-shots and inertialize nodes", () => {
  it("an inertial one-shot is there at once and gone before the end, without a jump", () => {
    const graph = new AnimGraph(skeleton), shot = graph.addOneShot(graph.addClip(still(0)), graph.addClip(still(8, 1)), 0.2, 0.25);
    graph.setOneShotMode(shot, "inertial");
    for (let i = 0; i < 10; i++) graph.update(1 / 64);
    graph.trigger(shot);
    expect([graph.getWeight(shot), graph.isOneShotActive(shot)]).toEqual([1, true]);
    let last = x(graph), most = 0;
    for (let i = 0; i < 64; i++) {
      graph.update(1 / 64);
      // It covers 8 units in about a fifth of a second.
      expect(Math.abs(x(graph) - last)).toBeLessThan(1.5);
      last = x(graph);
      most = Math.max(most, last);
    }
    expect(most).toBeGreaterThan(7.9);
    expect([graph.getWeight(shot), graph.isOneShotActive(shot)]).toEqual([0, false]);
    for (let i = 0; i < 64; i++) graph.update(1 / 64);
    expect(Math.abs(x(graph))).toBeLessThan(0.01);
  });

  it("an inertialize node goes on from what was shown, whatever was changed below it", () => {
    const graph = new AnimGraph(skeleton), blend = graph.addBlend(graph.addClip(still(0)), graph.addClip(still(8)), 0), smooth = graph.addInertialize(blend);
    graph.update(0.01);
    graph.setWeight(blend, 1);
    graph.requestTransition(smooth, 0.3);
    graph.update(0.01);
    expect(x(graph)).toBeLessThan(0.5);
    for (let i = 0; i < 200; i++) graph.update(0.01);
    expect(x(graph)).toBeCloseTo(8, 2);
    graph.setWeight(blend, 0);
    graph.update(0.01);
    expect(x(graph)).toBe(0);
    expect(() => graph.requestTransition(blend, 0.3)).toThrow(AnimArgumentError);
    expect(() => graph.setOneShotMode(blend, "inertial")).toThrow(AnimArgumentError);
  });
});

describe("rules of graphs: blend spaces in step by markers", () => {
  const marked = (duration: number, left: number, right: number): AnimClip => {
    const clip = ramp(duration, duration);
    clip.addSyncMarker(left, "left");
    clip.addSyncMarker(right, "right");
    return clip;
  };

  it("the heaviest clip leads, the others are where its markers say, through any change of weight", () => {
    const walk = marked(1, 0.1, 0.6), run = marked(0.7, 0.3, 0.5), graph = new AnimGraph(skeleton), space = graph.addBlendSpace1D();
    const a = graph.addClip(walk), b = graph.addClip(run);
    graph.addBlendSpace1DPoint(space, 0, a);
    graph.addBlendSpace1DPoint(space, 1, b);
    graph.setBlendSpaceSync(space, "markers");
    graph.setRoot(space);
    let passes = 0, last = 0;
    for (let i = 0; i < 600; i++) {
      graph.setPosition1D(space, 0.5 + 0.5 * Math.sin(i / 40));
      graph.update(1 / 60);
      const t = graph.getClipTime(a), apart = Math.abs(walk.mapSyncTimeTo(run, t) - graph.getClipTime(b));
      expect(Math.min(apart, 0.7 - apart)).toBeLessThan(1e-6);
      if (t < last) passes++;
      last = t;
    }
    // A pass takes between 0.7 and 1 second.
    expect(passes).toBeGreaterThan(10);
    expect(passes).toBeLessThan(15);
  });

  it("a clip of four steps makes one pass where one of two makes two", () => {
    const two = marked(1, 0.1, 0.6), four = ramp(2.4, 1), graph = new AnimGraph(skeleton), space = graph.addBlendSpace1D();
    for (const [i, time] of [0.2, 0.8, 1.4, 2].entries()) four.addSyncMarker(time, i % 2 === 0 ? "left" : "right");
    const a = graph.addClip(two), b = graph.addClip(four);
    graph.addBlendSpace1DPoint(space, 0, a);
    graph.addBlendSpace1DPoint(space, 1, b);
    graph.setBlendSpaceSync(space, "markers");
    graph.setRoot(space);
    graph.setPosition1D(space, 0.25);
    let passesA = 0, passesB = 0, lastA = 0, lastB = graph.getClipTime(b);
    for (let i = 0; i < 1200; i++) {
      graph.update(1 / 60);
      if (graph.getClipTime(a) < lastA) passesA++;
      if (graph.getClipTime(b) < lastB) passesB++;
      lastA = graph.getClipTime(a);
      lastB = graph.getClipTime(b);
    }
    // A pass of the shorter takes 0.75 x 1 s + 0.25 x 1.2 s.
    expect(passesA).toBe(Math.floor(20 / 1.05));
    expect(Math.abs(passesB * 2 - passesA)).toBeLessThanOrEqual(2);
  });

  it("without fitting markers the others go by the share that has passed", () => {
    const graph = new AnimGraph(skeleton), space = graph.addBlendSpace1D(), a = graph.addClip(ramp(1, 1)), b = graph.addClip(ramp(2, 1));
    graph.addBlendSpace1DPoint(space, 0, a);
    graph.addBlendSpace1DPoint(space, 1, b);
    graph.setBlendSpaceSync(space, "markers");
    graph.setRoot(space);
    graph.setPosition1D(space, 0.25);
    for (let i = 0; i < 7; i++) graph.update(0.1);
    expect(graph.getClipTime(b)).toBeCloseTo(2 * graph.getClipTime(a), 9);
    expect(graph.getClipTime(a)).toBeCloseTo(0.7 / 1.25, 9);
    expect(() => graph.setBlendSpaceSync(space, "beat" as never)).toThrow(AnimArgumentError);
  });
});

describe("rules of graphs: parameters and instances", () => {
  it("named parameters drive positions, weights and speeds", () => {
    const graph = new AnimGraph(skeleton), clip = graph.addClip(ramp(1, 8)), blend = graph.addBlend(clip, graph.addClip(still(0)), 0.9);
    graph.addParameter("speed", 0.5);
    graph.addParameter("weight", -3);
    graph.bindSpeed(clip, "speed");
    graph.bindWeight(blend, "weight");
    graph.update(0.5);
    expect([x(graph), graph.getWeight(blend)]).toEqual([2, 0]);
    graph.setFloat("weight", 2);
    graph.setFloat("speed", -1);
    graph.update(0.5);
    expect([x(graph), graph.getWeight(blend), graph.getClipTime(clip)]).toEqual([0, 1, 0.25]);
    expect(() => graph.addParameter("speed")).toThrow(AnimArgumentError);
    expect([graph.getParameterCount(), graph.getParameterName(1)]).toEqual([2, "weight"]);
  });
});

describe("rules of layer mixers: fades", () => {
  const mixer = (): AnimLayerMixer => {
    const made = new AnimLayerMixer(skeleton), base = new AnimPlayer(skeleton), over = new AnimPlayer(skeleton), mask = new AnimBoneMask(skeleton);
    base.play(still(0));
    over.play(still(8));
    mask.setBoneWeight(1, 1);
    made.setBasePlayer(base);
    made.addLayer("over", over, mask, "override", 0);
    return made;
  };

  it("fadeLayer ramps a weight; setting it ends the fade", () => {
    const m = mixer();
    m.fadeLayer("over", 1, 0.5);
    m.update(0.125);
    expect([m.getLayerWeight("over"), x(m, 0), x(m, 1)]).toEqual([0.25, 0, 2]);
    m.fadeLayer("over", 0, 0.25);
    m.update(0.125);
    expect(m.getLayerWeight("over")).toBe(0.125);
    m.setLayerWeight("over", 1);
    m.update(1);
    expect(x(m, 1)).toBe(8);
    expect(() => m.fadeLayer("over", 1, -1)).toThrow(AnimArgumentError);
    expect(() => m.fadeLayer("over", 1, 1, "slow" as never)).toThrow(AnimArgumentError);
  });

  it("an inertial fade sets the weight at once, and the pose goes on from what was shown", () => {
    const m = mixer();
    for (let i = 0; i < 5; i++) m.update(0.01);
    m.fadeLayer("over", 1, 0.3, "inertial");
    expect(m.getLayerWeight("over")).toBe(1);
    m.update(0.01);
    expect(x(m, 1)).toBeLessThan(0.5);
    for (let i = 0; i < 200; i++) m.update(0.01);
    expect(x(m, 1)).toBeCloseTo(8, 2);
  });

  it("requestTransition smooths any change, such as another base", () => {
    const m = mixer(), other = new AnimPlayer(skeleton);
    other.play(still(20));
    m.prepareTransitions();
    m.update(0.01);
    m.setBasePlayer(other);
    m.requestTransition(0.3);
    m.update(0.01);
    expect(x(m, 0)).toBeLessThan(1);
    for (let i = 0; i < 200; i++) m.update(0.01);
    expect(x(m, 0)).toBeCloseTo(20, 1);
    m.dispose();
  });
});

describe("rules of state machines: states that are forced, triggers that expire", () => {
  function three(): AnimStateMachine {
    const m = new AnimStateMachine(skeleton);
    m.addState("a", still(0));
    m.addState("b", still(10));
    m.addState("hit", still(100));
    m.addTriggerCondition(m.addTransition("a", "b", 0.2), "go");
    m.addTriggerCondition(m.addTransition("hit", "a", 0), "over");
    m.setEntry("a");
    return m;
  }

  it("forceState enters a state without a transition, at once or over a blend, and nothing is tested until that is over", () => {
    const m = three();
    m.forceState("b");
    expect([m.getCurrentState(), m.isBlending(), x(m)]).toEqual(["b", false, 10]);
    m.forceState("hit", 0.4);
    expect([m.getCurrentState(), m.isBlending(), m.getTransition(), x(m)]).toEqual(["hit", true, -1, 10]);
    m.setTrigger("over");
    m.update(0.2);
    expect(x(m)).toBeCloseTo(55, 4);
    expect([m.getTransitionProgress(), m.getCurrentState()]).toEqual([0.5, "hit"]);
    m.update(0.2);
    // The blend is over: the trigger counts in the same update.
    expect([m.getCurrentState(), x(m)]).toEqual(["a", 0]);
    expect(() => m.forceState("nowhere")).toThrow(/no state/);
    expect(() => m.forceState("a", -1)).toThrow(AnimArgumentError);
  });

  it("forceState during a blend goes on from what is shown, and into the state that plays", () => {
    const m = three();
    m.setTrigger("go");
    m.update(0.01);
    m.update(0.1);
    expect(x(m)).toBeCloseTo(5, 4);
    m.forceState("hit", 1);
    expect(x(m)).toBeCloseTo(5, 4);
    m.update(0.001);
    expect(Math.abs(x(m) - 5)).toBeLessThan(0.3);
    m.update(2);
    expect(x(m)).toBe(100);
    m.forceState("hit", 0.5);
    expect([m.isBlending(), m.getStateTime()]).toEqual([true, 0]);
    m.update(0.25);
    expect(x(m)).toBe(100);
  });

  it("a captured state in the middle of a forced blend goes on with the same bits", () => {
    const m = three(), twin = m.instantiate();
    m.setTriggerTimeout("go", 0.5);
    m.forceState("hit", 0.6);
    m.setTrigger("go");
    m.update(0.1);
    twin.restoreState(JSON.parse(JSON.stringify(m.captureState())));
    for (let i = 0; i < 40; i++) {
      m.update(0.03);
      twin.update(0.03);
      expect([twin.getCurrentState(), twin.getTrigger("go"), x(twin)]).toEqual([m.getCurrentState(), m.getTrigger("go"), x(m)]);
    }
    expect(() => m.restoreState({ ...m.captureState(), ages: { go: -1 } })).toThrow(/age/);
  });

  it("a trigger with a timeout is taken back when no transition took it in time, and lives again when it is set again", () => {
    const m = three();
    m.setTriggerTimeout("go", 0.25);
    expect([m.getTriggerTimeout("go"), m.getTriggerTimeout("over")]).toEqual([0.25, Infinity]);
    m.forceState("hit");
    m.setTrigger("go");
    m.update(0.1);
    m.update(0.1);
    expect(m.getTrigger("go")).toBe(true);
    m.update(0.1);
    expect(m.getTrigger("go")).toBe(false);
    m.setTrigger("go");
    m.update(0.2);
    m.setTrigger("go");
    m.update(0.2);
    expect(m.getTrigger("go")).toBe(true);
    m.forceState("a");
    m.update(0.01);
    expect(m.getCurrentState()).toBe("b");
    // One update sees it, however long that is.
    m.forceState("a");
    m.setTrigger("go");
    m.update(10);
    expect(m.getCurrentState()).toBe("b");
    expect(() => m.setTriggerTimeout("nothing", 1)).toThrow(/trigger/);
    expect(() => m.setTriggerTimeout("go", -1)).toThrow(AnimArgumentError);
  });

  it("timeouts are part of the JSON form", () => {
    const m = three();
    m.setTriggerTimeout("go", 0.25);
    const json = m.toJSON(), clips = [still(0), still(10), still(100)], copy = AnimStateMachine.fromJSON(JSON.parse(JSON.stringify(json)), skeleton, (name) => clips.find((clip) => clip.getName() === name));
    expect(copy.getTriggerTimeout("go")).toBe(0.25);
    expect(copy.toJSON()).toEqual(json);
    expect(() => AnimStateMachine.fromJSON({ ...json, parameters: { ...json.parameters, timeouts: { speed: 1 } } }, skeleton, () => clips[0]!)).toThrow(/timeouts/);
  });
});
