import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimClip, AnimIndexError, AnimPlayer, AnimSkeleton, AnimStateError, AnimSyncGroup } from "../../../src/anim/index.js";

const skeleton = new AnimSkeleton();
skeleton.addBone("root", -1);

function clip(duration: number, markers: [number, string][] = [], loop = true): AnimClip {
  const made = new AnimClip();
  made.addPositionKey(0, 0, 0, 0, 0);
  made.addPositionKey(0, duration, duration, 0, 0);
  made.setLoop(loop);
  for (const [time, name] of markers) made.addSyncMarker(time, name);
  return made;
}

function playing(of: AnimClip): AnimPlayer {
  const player = new AnimPlayer(skeleton);
  player.play(of);
  return player;
}

describe("AnimSyncGroup", () => {
  it("keeps followers at the leader's share of the clip, plus their offset", () => {
    const group = new AnimSyncGroup(), a = playing(clip(1)), b = playing(clip(2)), c = playing(clip(4));
    expect([group.addPlayer(a), group.addPlayer(b), group.addPlayer(c, 1.25)]).toEqual([0, 1, 2]);
    b.setSpeed(7);
    for (let i = 0; i < 50; i++) {
      group.update(0.03);
      const phase = group.getPhase(), apart = (x: number): number => Math.abs(x - Math.round(x));
      expect(apart(a.getTime() - phase)).toBeLessThan(1e-9);
      expect(apart(b.getTime() / 2 - phase)).toBeLessThan(1e-9);
      expect(apart(c.getTime() / 4 - phase - 0.25)).toBeLessThan(1e-9);
    }
    expect([group.getUsedMarkerSync(), group.getCount(), group.getLeader()]).toEqual([false, 3, 0]);
  });

  it("goes by markers where they fit, across the seam of the loop", () => {
    const walk = clip(1, [[0.1, "left"], [0.6, "right"]]), run = clip(0.8, [[0.3, "right"], [0.7, "left"]]);
    const group = new AnimSyncGroup(), a = playing(walk), b = playing(run);
    group.addPlayer(a);
    group.addPlayer(b);
    for (let i = 0; i < 60; i++) {
      group.update(0.05);
      const gap = Math.abs(b.getTime() - walk.mapSyncTimeTo(run, a.getTime()));
      expect(Math.min(gap, 0.8 - gap)).toBeLessThan(1e-6);
    }
    expect(group.getUsedMarkerSync()).toBe(true);
  });

  it("followers pass events and root motion as if they had played there", () => {
    const run = clip(2);
    run.addEvent(0.5, "step");
    run.addEvent(1.5, "step");
    const group = new AnimSyncGroup(), a = playing(clip(1)), b = playing(run);
    b.setRootMotionBone(0);
    group.addPlayer(a);
    group.addPlayer(b);
    let events = 0, way = 0;
    for (let i = 0; i < 100; i++) {
      group.update(0.1);
      events += b.getEventCount();
      way += b.getRootMotionX();
    }
    expect(events).toBe(20);
    expect(way).toBeCloseTo(20, 4);
  });

  it("a paused leader stops everything, a paused follower only itself", () => {
    const group = new AnimSyncGroup(), a = playing(clip(1)), b = playing(clip(1)), c = playing(clip(1));
    for (const player of [a, b, c]) group.addPlayer(player);
    b.pause();
    group.update(0.25);
    expect([a.getTime(), b.getTime(), c.getTime()]).toEqual([0.25, 0, 0.25]);
    a.pause();
    group.update(0.25);
    expect([a.getTime(), b.getTime(), c.getTime()]).toEqual([0.25, 0, 0.25]);
  });

  it("ends with a leader that does not loop", () => {
    const group = new AnimSyncGroup(), a = playing(clip(1, [], false)), b = playing(clip(2, [], false));
    group.addPlayer(a);
    group.addPlayer(b);
    group.update(5);
    expect([a.isPlaying(), a.getTime(), b.getTime()]).toEqual([false, 1, 2]);
    group.update(5);
    expect(b.getTime()).toBe(2);
  });

  it("another leader, or the first with a clip if the leader has none", () => {
    const group = new AnimSyncGroup(), empty = new AnimPlayer(skeleton), a = playing(clip(1)), b = playing(clip(2));
    for (const player of [empty, a, b]) group.addPlayer(player);
    group.update(0.5);
    expect([a.getTime(), b.getTime()]).toEqual([0.5, 1]);
    group.setLeader(2);
    group.update(0.5);
    expect([a.getTime(), b.getTime(), group.getLeader()]).toEqual([0.75, 1.5, 2]);
    group.clear();
    expect([group.getCount(), group.getLeader(), group.getPhase(), b.getTime()]).toEqual([0, -1, 0, 1.5]);
    group.update(1);
  });

  it("refuses what makes no sense", () => {
    const group = new AnimSyncGroup(), a = playing(clip(1));
    group.addPlayer(a);
    expect(() => group.addPlayer(a)).toThrow(AnimArgumentError);
    expect(() => group.addPlayer(playing(clip(1)), Number.NaN)).toThrow(AnimArgumentError);
    expect(() => group.addPlayer(null as never)).toThrow(AnimArgumentError);
    expect(() => group.setLeader(1)).toThrow(AnimIndexError);
    expect(() => group.update(-1)).toThrow(AnimArgumentError);
    group.update(Number.NaN);
    expect([group.getCount(), a.getTime()]).toEqual([1, 0]);
    group.dispose();
    expect(() => group.update(0)).toThrow(AnimStateError);
  });

  it("takes players out: the leader stays, or the first one leads", () => {
    const group = new AnimSyncGroup(), [a, b, c] = [playing(clip(1)), playing(clip(2)), playing(clip(4))];
    for (const player of [a, b, c]) group.addPlayer(player!);
    group.setLeader(2);
    group.removePlayer(a!);
    expect([group.getLeader(), group.getCount()]).toEqual([1, 2]);
    group.update(1);
    expect([a!.getTime(), b!.getTime(), c!.getTime()]).toEqual([0, 0.5, 1]);
    group.removePlayer(c!);
    expect([group.getLeader(), group.getCount()]).toEqual([0, 1]);
    expect(() => group.removePlayer(c!)).toThrow(AnimArgumentError);
  });
});
