import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimCapacityError, AnimStateError } from "../../../src/anim/errors.js";
import { Animation } from "../../../src/anim/module/index.js";
import { SpriteAnim, SpriteBatch, SpriteClip, SpriteSheet } from "../../../src/anim/sprite/index.js";
import fc, { runs } from "../../properties.js";

function clipOf(durations: readonly number[], loop = true): SpriteClip {
  const clip = new SpriteClip("c");
  durations.forEach((duration, i) => clip.addFrame(i, duration));
  clip.setLoop(loop);
  return clip;
}

function sheetOf(): SpriteSheet {
  const sheet = new SpriteSheet();
  sheet.setGrid(4, 4, 8, 8);
  return sheet;
}

/** A player by itself, or in a module's batch, and how it is advanced. */
function playerOf(pumped: boolean): { player: SpriteAnim; update: (dt: number) => void } {
  const anim = new Animation({});
  const player = pumped ? anim.newSpriteAnim() : new SpriteAnim();
  return { player, update: (dt) => (pumped ? anim.update(dt) : void player.update(dt)) };
}

function eventsOf(player: SpriteAnim): string[] {
  const all: string[] = [];
  for (let event = player.consumeEventInfo(); event !== null; event = player.consumeEventInfo()) all.push(`${event.name} ${event.loop}`);
  return all;
}

for (const pumped of [false, true]) {
  describe(pumped ? "a player in a batch" : "a player by itself", () => {
    it("gets to the same place with the same events however a time is cut", () => {
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom(0, 1, 2, 5, 9), { minLength: 1, maxLength: 5 }), fc.boolean(), fc.boolean(), fc.constantFrom(-2, -0.75, 0.5, 1, 3), fc.integer({ min: 0, max: 40 }), fc.constantFrom(2, 4, 16),
          (lengths, loop, reverse, speed, total, cuts) => {
            const run = (steps: number): unknown => {
              const { player, update } = playerOf(pumped);
              const clip = clipOf(lengths.map((length) => length / 64), loop);
              lengths.forEach((_, i) => clip.addEvent(i, `e${i}`));
              player.setSpeed(speed);
              if (reverse) player.playReverse(clip);
              else player.play(clip);
              for (let i = 0; i < steps; i++) update(total / 32 / steps);
              return [player.getClipFrame(), player.getTime(), player.getLoopCount(), player.isPlaying(), player.consumeCompleted(), player.consumeLooped(), eventsOf(player)];
            };
            expect(run(cuts)).toEqual(run(1));
          },
        ),
        { numRuns: runs(300) },
      );
    });

    it("keeps its numbers after steps of any length", () => {
      for (const withCurve of [false, true]) {
        for (const withEvents of [false, true]) {
          const { player, update } = playerOf(pumped);
          const clip = clipOf([0.1, 0.1, 0.1]);
          if (withEvents) clip.addEvent(1, "x");
          if (withCurve) {
            player.addSpeedCurveKey(0, 1);
            player.addSpeedCurveKey(1, 2);
            player.setSpeedCurveLoop(true);
          }
          player.play(clip);
          for (const dt of [1e6, 1e15, 1e20, 1e300, Number.MAX_VALUE, 0.05]) {
            update(dt);
            const numbers = [player.getTime(), player.getLoopCount(), player.getClipFrame(), player.getSpeedCurveValue(), player.getDroppedEventCount()];
            expect(numbers.every((value) => value >= 0 && (Number.isFinite(value) || value === player.getDroppedEventCount())), String(numbers)).toBe(true);
            expect(player.getTime()).toBeLessThanOrEqual(0.3 + 1e-9);
          }
        }
      }
    });

    it("begins a queued clip where the rate leads, also where the curve turns it round", () => {
      for (const speed of [1, -1]) {
        for (const value of [1, -1]) {
          const { player, update } = playerOf(pumped);
          player.setSpeed(speed);
          player.addSpeedCurveKey(0, value);
          player.play(clipOf([0.1, 0.1, 0.1], false));
          const next = clipOf([0.1, 0.1, 0.1, 0.1], false);
          player.queue(next);
          player.setTime(speed * value > 0 ? 0.1 : 0.2);
          update(0.25);
          expect(player.getClip()).toBe(next);
          expect([player.getClipFrame(), player.isPlaying()]).toEqual([speed * value > 0 ? 0 : 3, true]);
          expect(player.getTime()).toBeCloseTo(speed * value > 0 ? 0.05 : 0.35, 9);
        }
      }
    });

    it("tells of each event in which round it happened", () => {
      const { player, update } = playerOf(pumped);
      const clip = clipOf([0.1, 0.1]);
      clip.addEvent(0, "a");
      clip.addEvent(1, "b");
      player.play(clip);
      update(0.65);
      expect(eventsOf(player)).toEqual(["a 0", "b 0", "a 1", "b 1", "a 2", "b 2", "a 3"]);
      player.step(4);
      expect(eventsOf(player)).toEqual(["b 3", "a 4", "b 4", "a 5"]);
      expect(player.getLoopCount()).toBe(5);
    });
  });
}

describe("SpriteAnim", () => {
  it("shows the first frame at a time that is a whole number of rounds but for rounding", () => {
    const player = new SpriteAnim();
    player.play(clipOf([0.1, 0.1, 0.1]));
    for (let round = 1; round < 200; round++) {
      player.setTime(round * 0.3);
      expect(player.getClipFrame(), `round ${round}`).toBe(0);
    }
  });

  it("takes undefined for null, and nothing of another kind", () => {
    const player = new SpriteAnim();
    player.setSheet(sheetOf());
    player.play(clipOf([0.1, 0.1]));
    player.bindQuad(undefined as never);
    player.bindSprite(undefined as never);
    player.setSheet(undefined as never);
    player.update(0.1);
    expect([player.getSheet(), player.getBoundQuad()]).toEqual([null, null]);
    for (const bad of [{}, 5, "x"]) {
      expect(() => player.bindQuad(bad as never)).toThrow(AnimArgumentError);
      expect(() => player.setSheet(bad as never)).toThrow(AnimArgumentError);
    }
    expect(() => player.bindSprite("x" as never)).toThrow(AnimArgumentError);
  });

  it("tells its sprite of another texture of the same sheet", () => {
    const sheet = sheetOf();
    const textures = [1, 2].map((id) => ({ id, getWidth: () => 64, getHeight: () => 64 }));
    const player = new SpriteAnim();
    const told: unknown[] = [];
    sheet.setTexture(textures[0]!);
    player.setSheet(sheet);
    player.bindSprite({ setTexture: (texture) => told.push(texture) });
    player.play(clipOf([0.1, 0.1, 0.1]));
    player.update(0.1);
    sheet.setTexture(textures[1]!);
    player.update(0.1);
    expect(told).toEqual(textures);
  });
});

describe("SpriteBatch", () => {
  it("refuses to be updated inside its own update, with wrong steps, and after dispose", () => {
    const batch = new SpriteBatch();
    const player = new SpriteAnim();
    let error: unknown;
    player.setSheet(sheetOf());
    player.play(clipOf([0.1, 0.1]));
    batch.add(player);
    player.bindQuad({
      setViewport: () => {
        if (player.getClipFrame() === 0) return;
        try {
          batch.update(0.1);
        } catch (thrown) {
          error = thrown;
        }
      },
    });
    batch.update(0.1);
    expect(error).toBeInstanceOf(AnimStateError);
    for (const bad of [NaN, -1, Infinity, "x", undefined]) expect(() => batch.update(bad as number)).toThrow(AnimArgumentError);
    batch.update(0.05);
    expect(player.getTime()).toBeCloseTo(0.15, 12);
    batch.dispose();
    batch.dispose();
    expect(() => batch.update(0.1)).toThrow(AnimStateError);
    expect(() => batch.add(player)).toThrow(AnimStateError);
    player.update(0.01);
    expect(player.getTime()).toBeCloseTo(0.16, 12);
  });

  it("goes on with the others after an error, and with itself after one that leaves", () => {
    const batch = new SpriteBatch();
    const players = [0, 1].map(() => new SpriteAnim());
    for (const player of players) {
      player.setSheet(sheetOf());
      player.play(clipOf([0.1, 0.1, 0.1]));
      batch.add(player);
    }
    players[0]!.bindQuad({
      setViewport: () => {
        if (players[0]!.getClipFrame() > 0) throw new Error("quad");
      },
    });
    expect(() => batch.update(0.1)).toThrow("quad");
    const errors: unknown[] = [];
    batch.update(0.1, (error) => errors.push(error));
    // The error that left took the rest of that update with it.
    expect([errors.length, players[0]!.getClipFrame(), players[1]!.getClipFrame()]).toEqual([1, 2, 1]);
  });

  it("has each player once, and takes it out of another batch", () => {
    const [first, second] = [new SpriteBatch(), new SpriteBatch()];
    const player = new SpriteAnim();
    player.play(clipOf([1]));
    first.add(player);
    first.add(player);
    expect(first.count).toBe(1);
    first.update(0.125);
    second.add(player);
    expect([first.count, second.count]).toEqual([0, 1]);
    first.update(0.125);
    second.update(0.125);
    expect(player.getTime()).toBe(0.25);
  });
});

describe("SpriteClip", () => {
  it("has a limit, which long ranges meet before anything is added", () => {
    const clip = new SpriteClip("long");
    expect(() => clip.addRange(0, 2 ** 31, 24)).toThrow(AnimCapacityError);
    expect(clip.getFrameCount()).toBe(0);
    clip.addRange(0, 2 ** 20 - 1, 24);
    expect(() => clip.addFrame(0)).toThrow(AnimCapacityError);
    expect(clip.clone("copy").getFrameCount()).toBe(2 ** 20);
    expect(() => clip.setFPS(5e-324)).toThrow(AnimArgumentError);
  });
});
