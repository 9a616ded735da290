import { describe, expect, it } from "vitest";
import {
  AnimArgumentError, AnimBoneMask, AnimClip, AnimGraph, AnimIndexError, AnimLayerMixer, AnimMismatchError, AnimNameError, AnimPlayer, AnimSkeleton,
  AnimStateError, AnimStateMachine,
} from "../../../src/anim/index.js";

function body(): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  skeleton.addBone("root", -1);
  skeleton.addBone("arm", 0);
  skeleton.setBindPosition(0, 1, 0, 0);
  skeleton.setBindPosition(1, 1, 0, 0);
  return skeleton;
}

function still(value: number, event = ""): AnimClip {
  const clip = new AnimClip();
  for (let bone = 0; bone < 2; bone++) clip.addPositionKey(bone, 0, value, 0, 0);
  clip.setDuration(1);
  if (event !== "") clip.addEvent(0.5, event, `${event}!`);
  return clip;
}

const skeleton = body();
function player(value: number, event = ""): AnimPlayer {
  const made = new AnimPlayer(skeleton);
  made.play(still(value, event));
  return made;
}
const xs = (mixer: AnimLayerMixer): number[] => [0, 1].map((bone) => mixer.getPose().getLocalPositionX(bone));
const events = (mixer: AnimLayerMixer): string[] =>
  Array.from({ length: mixer.getEventCount() }, (_, i) => `${mixer.getEventLayer(i)}:${mixer.getEventName(i)}:${mixer.getEventPayload(i)}`);

describe("AnimLayerMixer", () => {
  it("without base it is the bind pose, and any kind of base replaces the other", () => {
    const mixer = new AnimLayerMixer(skeleton), base = player(3), graph = new AnimGraph(skeleton), machine = new AnimStateMachine(skeleton);
    graph.addClip(still(4));
    machine.addState("s", still(5));
    mixer.update(0.1);
    expect(xs(mixer)).toEqual([1, 1]);
    mixer.setBasePlayer(base);
    mixer.update(0.1);
    expect([xs(mixer), mixer.getBasePlayer()]).toEqual([[3, 3], base]);
    mixer.setBaseGraph(graph);
    mixer.update(0.1);
    expect([xs(mixer), mixer.getBasePlayer()]).toEqual([[4, 4], null]);
    mixer.setBaseStateMachine(machine);
    mixer.update(0.1);
    expect([xs(mixer), mixer.getBasePlayer()]).toEqual([[5, 5], null]);
  });

  it("lays override layers over each other by weight and mask, in order", () => {
    const mixer = new AnimLayerMixer(skeleton), mask = new AnimBoneMask(skeleton);
    mask.setBoneWeight(1, 1);
    mixer.setBasePlayer(player(0));
    expect(mixer.addLayer("all", player(8), null, "override", 0.5)).toBe(0);
    expect(mixer.addLayer("arm", player(16), mask)).toBe(1);
    mixer.update(0.1);
    expect(xs(mixer)).toEqual([4, 16]);
    mixer.setLayerWeight("arm", 0.5);
    mixer.update(0.1);
    expect(xs(mixer)).toEqual([4, 10]);
    mixer.setLayerWeight("arm", 9);
    expect(mixer.getLayerWeight("arm")).toBe(1);
    mixer.removeLayer("all");
    mixer.update(0.1);
    expect([xs(mixer), mixer.getLayerCount(), mixer.getLayerName(0), mixer.getLayerMode("arm")]).toEqual([[0, 16], 1, "arm", "override"]);
  });

  it("adds the difference to the bind pose, or a delta", () => {
    const mixer = new AnimLayerMixer(skeleton);
    mixer.setBasePlayer(player(10));
    mixer.addLayer("add", player(4), null, "additive", 2);
    expect(mixer.getLayerAdditiveReference("add")).toBe("bind");
    mixer.update(0.1);
    expect(xs(mixer)[0]).toBeCloseTo(16, 5);
    mixer.setLayerAdditiveReference("add", "identity");
    mixer.update(0.1);
    expect(xs(mixer)[0]).toBeCloseTo(18, 5);
  });

  it("a layer that is off keeps time, changes nothing and reports nothing", () => {
    const mixer = new AnimLayerMixer(skeleton), layer = player(8, "e");
    mixer.setBasePlayer(player(0));
    mixer.addLayer("l", layer);
    mixer.setLayerEnabled("l", false);
    mixer.update(0.75);
    expect([xs(mixer), events(mixer), layer.getTime(), mixer.getLayerEnabled("l")]).toEqual([[0, 0], [], 0.75, false]);
  });

  it("gathers events, base first, then in the order of layers", () => {
    const mixer = new AnimLayerMixer(skeleton), graph = new AnimGraph(skeleton), machine = new AnimStateMachine(skeleton);
    graph.addClip(still(1, "g"));
    machine.addState("s", still(2, "m"));
    mixer.addGraphLayer("graph", graph);
    mixer.addStateMachineLayer("machine", machine);
    mixer.setBasePlayer(player(0, "b"));
    mixer.update(0.75);
    expect(events(mixer)).toEqual(["base:b:b!", "graph:g:g!", "machine:m:m!"]);
    mixer.clearEvents();
    expect(mixer.getEventCount()).toBe(0);
    mixer.update(0.125);
    expect(events(mixer)).toEqual([]);
  });

  it("updates a source once, however often it is used", () => {
    const mixer = new AnimLayerMixer(skeleton), shared = player(8, "e");
    mixer.setBasePlayer(shared);
    mixer.addLayer("a", shared);
    mixer.addLayer("b", shared);
    mixer.update(0.625);
    expect([shared.getTime(), events(mixer)]).toEqual([0.625, ["base:e:e!"]]);
  });

  it("refuses what makes no sense", () => {
    const mixer = new AnimLayerMixer(skeleton), other = new AnimPlayer(body());
    mixer.addLayer("l", player(0));
    const wrong: [() => void, new (message: string) => Error][] = [
      [() => mixer.setBasePlayer(other), AnimMismatchError], [() => mixer.addLayer("x", other), AnimMismatchError],
      [() => mixer.addLayer("l", player(0)), AnimArgumentError], [() => mixer.addLayer("", player(0)), AnimArgumentError],
      [() => mixer.addLayer("x", player(0), null, "over" as never), AnimArgumentError],
      [() => mixer.addLayer("x", player(0), null, "override", Number.NaN), AnimArgumentError],
      [() => mixer.addLayer("x", null as never), AnimArgumentError], [() => mixer.setLayerWeight("x", 1), AnimNameError],
      [() => mixer.setLayerAdditiveReference("l", "no" as never), AnimArgumentError], [() => mixer.getLayerName(1), AnimIndexError],
      [() => mixer.getEventLayer(0), AnimIndexError], [() => mixer.update(-1), AnimArgumentError],
    ];
    for (const [call, type] of wrong) expect(call, String(call)).toThrow(type);
    expect(mixer.getLayerCount()).toBe(1);
    mixer.dispose();
    mixer.dispose();
    expect(() => mixer.update(0)).toThrow(AnimStateError);
  });

  it("takes sources of the kind that a method says, and no other", () => {
    const mixer = new AnimLayerMixer(skeleton), graph = new AnimGraph(skeleton), machine = new AnimStateMachine(skeleton), sources = [player(1), graph, machine];
    const calls = [
      [(s: any) => mixer.setBasePlayer(s), (s: any) => mixer.addLayer("x", s)], [(s: any) => mixer.setBaseGraph(s), (s: any) => mixer.addGraphLayer("x", s)],
      [(s: any) => mixer.setBaseStateMachine(s), (s: any) => mixer.addStateMachineLayer("x", s)],
    ];
    for (const [kind, pair] of calls.entries()) for (const call of pair) {
      for (const [i, source] of sources.entries()) if (i !== kind) expect(() => call(source)).toThrow(AnimArgumentError);
      expect(() => call(null)).toThrow(AnimArgumentError);
    }
    expect([mixer.getLayerCount(), mixer.getBasePlayer()]).toEqual([0, null]);
  });

  it("a source of two layers reports its events once, by the first layer that is on", () => {
    const mixer = new AnimLayerMixer(skeleton), shared = player(1, "ding");
    mixer.addLayer("off", shared);
    mixer.addLayer("on", shared);
    mixer.addLayer("also", shared);
    mixer.setLayerEnabled("off", false);
    mixer.update(0.6);
    expect(events(mixer)).toEqual(["on:ding:ding!"]);
    mixer.setLayerMuteEvents("on", true);
    mixer.update(1);
    expect(events(mixer)).toEqual(["also:ding:ding!"]);
    mixer.setLayerMuteEvents("off", false);
    mixer.update(1);
    expect(events(mixer)).toEqual(["off:ding:ding!"]);
    mixer.setLayerMuteEvents("off", null);
    mixer.setLayerMuteEvents("also", true);
    mixer.update(1);
    expect(events(mixer)).toEqual([]);
  });

  it("moves layers, shows their poses, and leaves sources alone that something else advances", () => {
    const mixer = new AnimLayerMixer(skeleton), two = player(2, "two");
    mixer.addLayer("one", player(1));
    mixer.addLayer("two", two);
    mixer.update(0.1);
    expect([xs(mixer), mixer.getLayerPose("one").getLocalPositionX(0)]).toEqual([[2, 2], 1]);
    mixer.moveLayer("two", 0);
    expect([mixer.getLayerName(0), mixer.getLayerName(1)]).toEqual(["two", "one"]);
    mixer.update(0.1);
    expect(xs(mixer)).toEqual([1, 1]);
    for (const bad of [-1, 2, 0.5]) expect(() => mixer.moveLayer("two", bad)).toThrow(AnimIndexError);
    mixer.setUpdateSources(false);
    const before = two.getTime();
    mixer.update(0.5);
    expect([two.getTime(), events(mixer)]).toEqual([before, []]);
    two.update(0.5);
    mixer.update(0.5);
    expect(events(mixer)).toEqual(["two:two:two!"]);
  });
});
