/* The rules of docs/animation-state.md; rule-names.test.ts sees to it that each has its test here. */
import { afterEach, describe, expect, it } from "vitest";
import { StateError } from "../../../src/errors.js";
import { Inherit, MixFrom } from "../../../src/spine/enums.js";
import { type AnimationStateOptions } from "../../../src/spine/animation-state/index.js";
import { noting, type Player, player as makePlayer } from "./rig.js";

const players: Player[] = [];

function player(options?: AnimationStateOptions, mix?: number): Player {
  const made = makePlayer(options, mix);
  players.push(made);
  return made;
}

afterEach(() => {
  for (const made of players.splice(0)) made.dispose();
});

describe("notifications", () => {
  it("are delivered when the call that caused them is done", () => {
    const { state, log, skeleton } = player();
    let during = -1;
    state.addListener({ event: () => (during = state.tracks[0]!.nextAnimationLast) });
    state.setAnimation(0, "beat");
    expect(log).toEqual(["start beat"]);
    state.update(0.6);
    expect(log).toEqual(["start beat"]);
    state.apply(skeleton);
    expect(log).toEqual(["start beat", "event first", "event middle"]);
    expect(during).toBe(0.6);
  });

  it("go to the entry's listener before the listeners of the state, in the order they were added", () => {
    const { state, log, frame } = player();
    state.addListener(noting(log, "second "));
    state.setAnimation(0, "beat").listener = noting(log, "own ");
    log.length = 0;
    frame(0);
    expect(log).toEqual(["own event first", "event first", "second event first"]);
  });

  it("deliver start before setAnimation returns, so a listener on the returned entry does not see it", () => {
    const { state, log } = player();
    state.setAnimation(0, "beat").listener = noting(log, "own ");
    expect(log).toEqual(["start beat"]);
  });

  it("come as start, then events and complete, then interrupt, end and dispose", () => {
    const { state, log, frame } = player();
    state.setAnimation(0, "beat");
    frame(0.5);
    frame(0.5);
    state.setAnimation(0, "nothing");
    frame(0);
    frame(0);
    expect(log.filter((line) => !line.endsWith("nothing"))).toEqual([
      "start beat", "event first", "event middle", "event last", "complete beat", "interrupt beat", "end beat", "dispose beat",
    ]);
  });

  it("are only dispose for a queued entry that is discarded", () => {
    const { state, log } = player();
    state.setAnimation(0, "beat");
    state.addAnimation(0, "other");
    log.length = 0;
    state.clearNext(state.getCurrent(0)!);
    state.update(0);
    expect(log).toEqual(["dispose other"]);
  });

  it("come in the order of tracks, and within a track from the oldest entry that is mixed out to the current one", () => {
    const { state, log, frame } = player({}, 10);
    state.setAnimation(1, "beat");
    state.setAnimation(0, "beat").eventThreshold = 1;
    frame(0.1);
    state.setAnimation(0, "other");
    log.length = 0;
    frame(0.45);
    expect(log).toEqual(["event middle", "event middle", "event middle"]);
    expect(state.getCurrent(0)!.mixingFrom!.animation!.name).toBe("beat");
  });

  it("from a listener's own calls come after those that wait already", () => {
    const { state, log, frame } = player();
    state.addListener({ complete: (entry) => entry.animation!.name === "beat" && void state.setAnimation(1, "other") });
    state.setAnimation(0, "beat");
    frame(0);
    log.length = 0;
    frame(1);
    expect(log).toEqual(["event middle", "event last", "complete beat", "start other"]);
  });

  it("reach every listener although one of them throws, and the first error is thrown by the call at the end", () => {
    const { state, log, frame } = player();
    state.clearListeners();
    state.addListener({
      event: (_, event) => {
        throw new Error(event.data.name);
      },
    });
    state.addListener(noting(log));
    state.setAnimation(0, "beat");
    log.length = 0;
    expect(() => frame(0.5)).toThrow("first");
    expect(log).toEqual(["event first", "event middle"]);
    log.length = 0;
    expect(() => frame(0.5)).toThrow("last");
    expect(log).toEqual(["event last", "complete beat"]);
  });

  it("that cause each other without end are stopped with a StateError", () => {
    const { state } = player();
    state.addListener({ start: () => void state.setAnimation(0, "beat") });
    expect(() => state.setAnimation(0, "beat")).toThrow(StateError);
    state.clearListeners();
    state.clearTracks();
    state.setAnimation(0, "other");
    expect(state.getCurrent(0)!.animation!.name).toBe("other");
  });

  it("that were not delivered can be discarded, also in a listener; what it posts afterwards is delivered", () => {
    const { state, log, frame } = player();
    state.clearListeners();
    state.addListener({
      event: (_, event) => {
        log.push(event.data.name);
        state.clearListenerNotifications();
        if (event.data.name === "middle") state.setAnimation(1, "nothing");
      },
      start: (entry) => log.push(`start ${entry.animation!.name}`),
    });
    state.setAnimation(0, "beat").animationLast = 0;
    frame(0.5);
    expect(log).toEqual(["start beat", "middle", "start nothing"]);
  });

  it("see each listener as it was when the notification came up: added or removed ones count from the next", () => {
    const { state, log, frame } = player();
    const second = noting(log, "second ");
    state.addListener({ event: (_, event) => void (event.data.name === "first" ? state.addListener(second) : state.removeListener(second)) });
    state.setAnimation(0, "beat");
    log.length = 0;
    frame(1);
    expect(log).toEqual(["event first", "event middle", "second event middle", "event last", "complete beat"]);
  });
});

describe("events and complete", () => {
  it("fire once for every key passed, however time is cut into steps", () => {
    for (const step of [1 / 60, 0.1, 0.25, 0.3, 0.5]) {
      const { state, log, frame } = player();
      state.setAnimation(0, "beat", true);
      frame(0);
      frame(step, Math.ceil(5.05 / step));
      const loops = Math.floor(state.getCurrent(0)!.trackTime);
      const count = (name: string): number => log.filter((line) => line === name).length;
      expect(loops).toBe(5);
      expect(count("complete beat"), `step ${step}`).toBe(loops);
      expect(count("event last"), `step ${step}`).toBe(loops);
      expect(count("event first"), `step ${step}`).toBe(loops + 1);
      expect(count("event middle"), `step ${step}`).toBe(Math.floor(state.getCurrent(0)!.trackTime + 0.5));
    }
  });

  it("at the loop point come as the end's event, complete, the start's event", () => {
    const { state, log, frame } = player();
    state.setAnimation(0, "beat", true);
    frame(0.75);
    log.length = 0;
    frame(0.5);
    expect(log).toEqual(["event last", "complete beat", "event first"]);
  });

  it("are repeated by a second apply without an update", () => {
    const { state, log, frame, skeleton } = player();
    state.setAnimation(0, "beat");
    frame(0.5);
    log.length = 0;
    state.apply(skeleton);
    expect(log).toEqual(["event first", "event middle"]);
  });

  it("come at most once as complete in one apply, also for a step over several loops", () => {
    const { state, log, frame } = player();
    state.setAnimation(0, "flash", true);
    frame(0.35);
    expect(log.filter((line) => line === "complete flash")).toEqual(["complete flash"]);
  });

  it("of a step over several loops are those of the last interval only", () => {
    const { state, log, frame } = player();
    state.setAnimation(0, "beat", true);
    frame(0.25);
    log.length = 0;
    frame(3.5);
    expect(log).toEqual(["event middle", "complete beat"]);
  });

  it("complete on every apply where a looping entry has no length, and nothing becomes NaN", () => {
    const { state, log, frame, rotation } = player();
    const entry = state.setAnimation(0, "forty", true);
    log.length = 0;
    frame(0.1, 3);
    expect(log).toEqual(["complete forty", "complete forty", "complete forty"]);
    expect(entry.getAnimationTime()).toBe(0);
    expect(rotation()).toBe(50);
  });

  it("fire while an entry is mixed out only as long as the mix is below its eventThreshold", () => {
    const { state, log, frame } = player({}, 1);
    state.setAnimation(0, "beat", true).eventThreshold = 0.5;
    frame(0.1);
    state.setAnimation(0, "nothing");
    log.length = 0;
    frame(0.45);
    frame(0.3, 2);
    expect(log.filter((line) => line.startsWith("event"))).toEqual(["event middle"]);
  });

  it("of an entry in reverse fire backwards, unless reverseEvents is false", () => {
    for (const reverseEvents of [true, false]) {
      const { state, log, frame } = player({ reverseEvents });
      state.setAnimation(0, "beat").reverse = true;
      log.length = 0;
      frame(0);
      frame(0.6);
      expect(log).toEqual(reverseEvents ? ["event last", "event middle"] : []);
    }
  });
});

describe("what mixes from what", () => {
  it("a new animation mixes from the current one for the time that AnimationStateData says", () => {
    const { state, frame, rotation } = player({}, 1);
    state.data.setMix("forty", "hundred", 0.5);
    state.setAnimation(0, "forty");
    frame(0);
    expect(state.setAnimation(0, "hundred").mixDuration).toBe(0.5);
    frame(0.25);
    expect(rotation()).toBeCloseTo(80, 4);
    frame(0.25);
    expect(rotation()).toBeCloseTo(110, 4);
  });

  it("an entry that was never applied is replaced by the same animation", () => {
    const { state, log } = player({}, 1);
    state.setAnimation(0, "forty");
    expect(state.setAnimation(0, "forty").mixingFrom).toBe(null);
    expect(log).toEqual(["start forty", "interrupt forty", "end forty", "dispose forty", "start forty"]);
  });

  it("an entry that was never applied is mixed from by another animation", () => {
    const { state } = player({}, 1);
    const first = state.setAnimation(0, "forty");
    expect(state.setAnimation(0, "hundred").mixingFrom).toBe(first);
  });

  it("what both animations key goes straight from one to the other, without a dip towards setup", () => {
    const { state, frame, rotation } = player({}, 1);
    state.setAnimation(0, "forty");
    frame(0);
    state.setAnimation(0, "flash");
    frame(0);
    for (let i = 0; i < 10; i++) {
      frame(0.1);
      // From 40 to 50 over a setup of 10: never below 50 = 10 + 40.
      expect(rotation()).toBeGreaterThanOrEqual(50);
    }
  });

  it("what three overlapping entries key alike stays where it is", () => {
    const { state, frame, rotation, skeleton } = player({}, 0.5);
    state.setAnimation(0, "forty", true);
    state.setAnimation(1, "forty");
    state.addAnimation(1, "forty", false, 0.1);
    state.addAnimation(1, "forty", false, 0.35);
    for (let i = 0; i < 60; i++) {
      frame(1 / 60);
      expect(rotation()).toBe(50);
    }
    expect(skeleton.findBone("leg")!.pose.x).toBe(3);
  });

  it("what only the old animation keys goes back to setup, or to the track below", () => {
    const { state, frame, rotation } = player();
    state.setAnimation(0, "hundred");
    state.setAnimation(1, "forty");
    frame(0);
    state.setEmptyAnimation(1, 1);
    frame(0.5);
    expect(rotation()).toBeCloseTo(80, 4);
    frame(0.5);
    expect(rotation()).toBeCloseTo(110, 4);
    state.setEmptyAnimation(0, 1);
    frame(0.5);
    expect(rotation()).toBeCloseTo(60, 4);
  });

  it("a mix of no length takes effect with the next apply", () => {
    const { state, frame, rotation, skeleton } = player();
    state.setAnimation(0, "forty");
    frame(0);
    state.setAnimation(0, "steps");
    expect(rotation()).toBe(50);
    frame(0);
    expect(rotation()).toBe(10);
    expect(skeleton.findBone("leg")!.pose.x).toBe(11);
  });

  it("rotations start the short way and keep their direction", () => {
    const { state, frame, rotation } = player();
    state.setAnimation(0, "nothing");
    frame(0);
    // 100 and then 240 degrees away from setup: beyond 180 the short way would be the other one.
    state.setAnimation(1, "turn").alpha = 0.5;
    frame(0);
    expect(rotation()).toBeCloseTo(10 + 50, 4);
    frame(0.5);
    expect(rotation()).toBeCloseTo(10 + 85, 4);
    frame(0.5);
    expect(rotation()).toBeCloseTo(10 + 120, 4);
    state.getCurrent(1)!.resetRotationDirections();
    frame(0);
    expect(rotation()).toBeCloseTo(10 - 60, 4);
  });

  it("additive entries add to what is below", () => {
    const { state, frame, rotation } = player();
    state.setAnimation(0, "forty");
    state.setAnimation(1, "hundred").additive = true;
    frame(0);
    expect(rotation()).toBe(150);
    state.getCurrent(1)!.alpha = 0.5;
    frame(0);
    expect(rotation()).toBe(100);
  });

  it("attachments and draw orders of an entry that is mixed out go back at once, unless its thresholds say otherwise", () => {
    const { state, frame, skeleton } = player({}, 1);
    const shown = (): string[] => [skeleton.findSlot("hand")!.pose.attachment!.name, skeleton.drawOrder.pose.map((slot) => slot.data.name).join(" ")];
    for (const threshold of [0, 0.5]) {
      for (const name of ["fist", "order"]) {
        const entry = state.setAnimation(name === "fist" ? 0 : 1, name);
        entry.mixAttachmentThreshold = entry.mixDrawOrderThreshold = threshold;
      }
      frame(0);
      expect(shown()).toEqual(["fist", "skin foot hand"]);
      state.setEmptyAnimations(1);
      frame(0.25);
      expect(shown()).toEqual(threshold === 0 ? ["open", "hand skin foot"] : ["fist", "skin foot hand"]);
      frame(0.5);
      expect(shown()).toEqual(["open", "hand skin foot"]);
      state.clearTracks();
    }
  });

  it("inherit modes and IK directions go back at once", () => {
    const { state, frame, skeleton } = player({}, 1);
    state.setAnimation(0, "inherit");
    state.setAnimation(1, "reach");
    frame(0);
    const ik = skeleton.findConstraint("reach")!;
    expect(skeleton.findBone("arm")!.pose.inherit).toBe(Inherit.onlyTranslation);
    expect(ik.pose.bendDirection).toBe(-1);
    state.setEmptyAnimations(1);
    frame(0.1);
    expect(skeleton.findBone("arm")!.pose.inherit).toBe(Inherit.normal);
    expect(ik.pose.bendDirection).toBe(1);
  });

  it("deforms of one mesh mix without a jump, and the attachment goes when the last animation that shows it does", () => {
    const { state, frame, skeleton } = player({}, 0.2);
    const pose = skeleton.findSlot("skin")!.pose;
    state.setAnimation(0, "bulge").mixAttachmentThreshold = 1;
    frame(0);
    expect(pose.deform[0]).toBe(1);
    state.setAnimation(0, "dent");
    let before = pose.deform[0]!;
    for (let i = 0; i < 12; i++) {
      frame(1 / 60);
      expect(before - pose.deform[0]!).toBeGreaterThanOrEqual(0);
      expect(before - pose.deform[0]!).toBeLessThan(4 * (1 / 60 / 0.2) + 1e-4);
      before = pose.deform[0]!;
    }
    expect(before).toBeCloseTo(-3, 5);
    state.setEmptyAnimation(0, 0.2);
    frame(1 / 60);
    expect(pose.attachment).toBe(null);
    expect(pose.deform.length).toBe(0);
  });

  it("draw order folders move their own slots only and come back with an empty key", () => {
    const { state, frame, skeleton } = player();
    const order = (): string => skeleton.drawOrder.pose.map((slot) => slot.data.name).join(" ");
    state.setAnimation(0, "folder");
    frame(0);
    expect(order()).toBe("skin hand foot");
    frame(1);
    expect(order()).toBe("hand skin foot");
    state.setAnimation(0, "order");
    state.setAnimation(1, "folder");
    frame(0);
    // The whole order comes first: skin foot hand; then the folder swaps hand and skin in their places.
    expect(order()).toBe("skin foot hand");
  });

  it("fromSetup takes booleans and MixFrom values", () => {
    const { data, skeleton, rotation } = player();
    const forty = data.findAnimation("forty")!;
    for (const [from, wanted] of [[true, 30], [false, 130], [MixFrom.setup, 30], [MixFrom.current, 130], [MixFrom.first, 130]] as const) {
      skeleton.findBone("arm")!.pose.rotation = 210;
      forty.apply(skeleton, -1, 0, false, null, 0.5, from, false, false, false);
      expect(rotation(), String(from)).toBe(wanted);
    }
  });
});

describe("the queue", () => {
  it("starts the next entry in the update after the apply that reached its delay", () => {
    const { state, frame, skeleton } = player();
    state.setAnimation(0, "beat");
    state.addAnimation(0, "other", false, 0.5);
    frame(0.4);
    state.update(0.2);
    expect(state.getCurrent(0)!.animation!.name).toBe("beat");
    state.apply(skeleton);
    expect(state.getCurrent(0)!.isNextReady()).toBe(true);
    state.update(0.1);
    expect(state.getCurrent(0)!.animation!.name).toBe("other");
    expect(state.getCurrent(0)!.trackTime).toBeCloseTo(0.2, 9);
  });

  it("with a delay of 0 or less ends the mix with the previous entry, or that much before", () => {
    const { state } = player({}, 0.25);
    state.setAnimation(0, "beat");
    const entry = state.addAnimation(0, "other", false, 0);
    expect(entry.delay).toBe(0.75);
    entry.setMixDuration(0.5, 0);
    expect(entry.delay).toBe(0.5);
    entry.setMixDuration(0.25, -0.25);
    expect(entry.delay).toBe(0.5);
  });

  it("plays the last keys of an entry even if the next one starts within the same frame", () => {
    const { state, log, frame, rotation } = player({}, 1);
    state.setAnimation(0, "sweep");
    state.addAnimation(0, "steps", false, 1);
    frame(0);
    frame(0.99);
    frame(0.5);
    frame(0.1);
    frame(0.1);
    expect(log.filter((line) => line === "event last")).toEqual(["event last"]);
    expect(state.getCurrent(0)!.animation!.name).toBe("steps");
    // 90 degrees and more than half of the mix left.
    expect(rotation()).toBeGreaterThan(10 + 45);
  });

  it("removes an entry at its trackEnd after one apply that resets what it keyed", () => {
    const { state, log, frame, rotation } = player();
    state.setAnimation(0, "forty").trackEnd = 0.5;
    frame(0.4);
    expect(rotation()).toBe(50);
    frame(0.2);
    expect(rotation()).toBe(10);
    frame(0.2);
    expect(state.getCurrent(0)).toBe(null);
    expect(log.slice(-2)).toEqual(["end forty", "dispose forty"]);
  });
});

describe("long steps", () => {
  it("drop what exceeds maxDelta", () => {
    const { state } = player({ maxDelta: 0.1 });
    const entry = state.setAnimation(0, "beat");
    state.update(5);
    expect(entry.trackTime).toBe(0.1);
    state.update(0.05);
    expect(entry.trackTime).toBeCloseTo(0.15, 12);
  });

  it("carry what exceeds maxDelta over to the next updates if overflow says so", () => {
    const { state } = player({ maxDelta: 0.5, overflow: "carry" });
    const entry = state.setAnimation(0, "beat");
    state.update(1.25);
    expect(entry.trackTime).toBe(0.5);
    state.update(0);
    state.update(0);
    expect(entry.trackTime).toBe(1.25);
    state.update(0.25);
    expect(entry.trackTime).toBe(1.5);
  });

  it("leave animationTime at animationEnd, unless continueAnimationTime is set", () => {
    for (const continueAnimationTime of [false, true]) {
      const { state } = player({ continueAnimationTime });
      const entry = state.setAnimation(0, "beat");
      state.update(3);
      expect(entry.animationTime).toBe(continueAnimationTime ? 3 : 1);
      entry.animationEnd = 0.5;
      expect(entry.animationTime).toBe(0.5);
    }
  });

  it("never make a pose that is no number: weights that are none are refused", () => {
    const { state, skeleton, frame, rotation, data } = player({}, 1);
    state.setAnimation(0, "forty").alpha = NaN;
    expect(() => frame(0)).toThrow(/track 0 has alpha NaN/);
    state.getCurrent(0)!.alpha = 1;
    frame(0);
    state.setAnimation(0, "hundred");
    state.getCurrent(0)!.mixingFrom!.alpha = NaN;
    expect(() => frame(0.1)).toThrow(/alpha NaN/);
    expect(() => data.findAnimation("forty")!.apply(skeleton, -1, 0, false, null, NaN, true, false, false, false)).toThrow(/alpha is NaN/);
    expect(rotation()).toBe(50);
  });

  it("that are no numbers are refused and change nothing", () => {
    const { state } = player();
    const entry = state.setAnimation(0, "beat");
    for (const delta of [NaN, Infinity, -Infinity]) expect(() => state.update(delta)).toThrow(/delta is/);
    expect(entry.trackTime).toBe(0);
  });
});
