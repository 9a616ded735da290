import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimFormatError } from "../../../src/anim/errors.js";
import { SpriteAnim, SpriteBatch, SpriteClip, SpriteSheet } from "../../../src/anim/sprite/index.js";
import fc from "../../properties.js";

const walk = (events = true): SpriteClip => {
  const clip = new SpriteClip("walk");
  for (const frame of [4, 5, 6]) clip.addFrame(frame, 0.25);
  if (events) for (const i of [0, 1, 2]) clip.addEvent(i, `f${i}`);
  return clip;
};
const drain = (player: SpriteAnim): string[] => {
  const names: string[] = [];
  for (let name = player.consumeEvent(); name !== ""; name = player.consumeEvent()) names.push(name);
  return names;
};
const state = (p: SpriteAnim): unknown[] => [p.getClipFrame(), p.getTime(), p.getLoopCount(), p.isPlaying()];

describe("a delay between rounds", () => {
  // Alone, and as a row of a batch.
  for (const batched of [false, true]) {
    const start = (setUp: (p: SpriteAnim) => void): { player: SpriteAnim; step: (dt: number) => void } => {
      const player = new SpriteAnim();
      const batch = new SpriteBatch();
      if (batched) batch.add(player);
      setUp(player);
      return { player, step: batched ? (dt) => batch.update(dt) : (dt) => void player.update(dt) };
    };

    it(`holds the last frame, then loops${batched ? ", in a batch" : ""}`, () => {
      const { player, step } = start((p) => {
        p.setLoopDelay(0.5);
        p.play(walk());
      });
      expect(player.getLoopDelay()).toBe(0.5);
      step(0.75);
      expect(state(player)).toEqual([2, 0.75, 0, true]);
      step(0.25);
      expect([...state(player), player.consumeLooped()]).toEqual([2, 0.75, 0, true, false]);
      expect(drain(player)).toEqual(["f0", "f1", "f2"]);
      step(0.25);
      expect([...state(player), player.consumeLooped()]).toEqual([0, 0, 1, true, true]);
      step(0.25);
      expect(drain(player)).toEqual(["f0", "f1"]);
      // Whole rounds of 1.25 seconds at once.
      step(12.5);
      expect(state(player)).toEqual([1, 0.25, 11, true]);
      expect(drain(player).length).toBe(30);
    });

    it(`holds the first frame of a reverse loop, passes by speed, and is left by turning round${batched ? ", in a batch" : ""}`, () => {
      const { player, step } = start((p) => {
        p.setLoopDelay(0.5);
        p.setSpeed(2);
        p.playReverse(walk());
      });
      step(0.375);
      expect(state(player)).toEqual([0, 0, 0, true]);
      step(0.125);
      expect(state(player)).toEqual([0, 0, 0, true]);
      step(0.125 + 0.0625);
      expect(state(player)).toEqual([2, 0.625, 1, true]);
      step(0.3125);
      player.setSpeed(-2);
      step(0.1875);
      expect(state(player)).toEqual([1, 0.375, 1, true]);
      player.setSpeed(2);
      step(0.1875 + 0.125);
      expect(state(player)).toEqual([0, 0, 1, true]);
      step(0.125);
      expect(state(player)).toEqual([2, 0.75, 2, true]);
    });

    it(`does not keep a queued clip, a clip that plays once, or a seek waiting${batched ? ", in a batch" : ""}`, () => {
      const { player, step } = start((p) => {
        p.setLoopDelay(1);
        p.play(walk());
      });
      const next = new SpriteClip("next");
      next.addRange(0, 1, 4);
      step(1);
      player.queue(next);
      step(0.125);
      expect([player.getClip(), player.getClipFrame(), player.getTime()]).toEqual([next, 0, 0.125]);
      player.playOnce(walk());
      step(0.75);
      expect([player.isFinished(), player.consumeCompleted()]).toEqual([true, true]);
      player.play(walk());
      step(1.5);
      player.setTime(0.25);
      step(0.5 + 0.75);
      expect(state(player)).toEqual([2, 0.75, 0, true]);
      player.step(1);
      expect(state(player)).toEqual([0, 0, 1, true]);
    });

    it(`gives the same whatever the steps${batched ? ", in a batch" : ""}`, () => {
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 40 }), fc.integer({ min: 0, max: 96 }), fc.boolean(), fc.boolean(), (steps, delay, reverse, events) => {
          const set = (p: SpriteAnim): void => {
            p.setLoopDelay(delay / 64);
            if (reverse) p.playReverse(walk(events));
            else p.play(walk(events));
          };
          const many = start(set), one = start(set);
          // Sixty-fourths add up exactly.
          for (const k of steps) many.step(k / 64);
          one.step(steps.reduce((sum, k) => sum + k, 0) / 64);
          expect(state(many.player)).toEqual(state(one.player));
          expect(drain(many.player)).toEqual(drain(one.player));
        }),
      );
    });
  }

  it("is 0 unless set, and refuses what is no length of time", () => {
    const player = new SpriteAnim();
    expect(player.getLoopDelay()).toBe(0);
    for (const bad of [-1, NaN, Infinity]) expect(() => player.setLoopDelay(bad)).toThrow(AnimArgumentError);
  });
});

describe("Aseprite user data", () => {
  const frame = (i: number): object => ({ filename: `hero ${i}.ase`, frame: { x: i * 8, y: 0, w: 8, h: 8 }, duration: 100 });
  const json = (meta: object): object => ({ frames: [0, 1, 2, 3].map(frame), meta: { size: { w: 32, h: 8 }, ...meta } });
  const layers = [
    { name: "body", opacity: 255, cels: [{ frame: 1, data: "step" }, { frame: 3, color: "#ff0000ff" }] },
    { name: "sword", cels: [{ frame: 1, data: "swing\r\n hit \n\n" }, { frame: 2, data: "" }, { frame: 9, data: "cut off by the export" }] },
    { name: "group" },
  ];
  const eventsOf = (clip: SpriteClip): string[][] => Array.from({ length: clip.getFrameCount() }, (_, i) => Array.from({ length: clip.getEventCount(i) }, (__, n) => clip.getEvent(i, n)));

  it("are events: those of cels on their frames, layer by layer, those of a tag on the first frame of its clip", () => {
    const frameTags = [
      { name: "attack", from: 1, to: 3, direction: "forward", data: "attack!" },
      { name: "there and back", from: 0, to: 2, direction: "pingpong" },
      { name: "idle", from: 3, to: 3, direction: "forward" },
    ];
    const clips = SpriteSheet.fromAtlasJson(json({ frameTags, layers })).createClips();
    expect(eventsOf(clips.get("attack")!)).toEqual([["attack!", "step", "swing", "hit"], [], []]);
    expect(eventsOf(clips.get("there and back")!)).toEqual([[], ["step", "swing", "hit"], [], ["step", "swing", "hit"]]);
    expect(eventsOf(clips.get("idle")!)).toEqual([[]]);
    const player = new SpriteAnim();
    player.play(clips.get("attack")!);
    expect(drain(player)).toEqual(["attack!", "step", "swing", "hit"]);
  });

  it("are events of the one clip of a file without tags", () => {
    expect(eventsOf(SpriteSheet.fromAtlasJson(json({ layers })).createClips().get("default")!)).toEqual([[], ["step", "swing", "hit"], [], []]);
  });

  it("are left alone where that is asked for, and checked", () => {
    const sheet = SpriteSheet.fromAtlasJson(json({ layers, frameTags: [{ name: "a", from: 0, to: 3, data: "x" }] }), null, { userDataEvents: false });
    expect(eventsOf(sheet.createClips().get("a")!)).toEqual([[], [], [], []]);
    expect(() => SpriteSheet.fromAtlasJson(json({ layers: [{ cels: [{ frame: "1", data: "x" }] }] }))).toThrow(AnimFormatError);
    expect(() => SpriteSheet.fromAtlasJson(json({ layers: [{ cels: [7] }] }))).toThrow(AnimFormatError);
  });
});
