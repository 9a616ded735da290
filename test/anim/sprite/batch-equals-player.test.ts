import { expect, it } from "vitest";
import { Animation } from "../../../src/anim/module/index.js";
import { SpriteAnim, SpriteBatch, SpriteClip, SpriteSheet } from "../../../src/anim/sprite/index.js";
import { heap } from "../../../src/wasm/heap.js";
import fc, { runs } from "../../properties.js";

/** Frames in 64ths of a second, whether each has an event, whether the clip loops. */
type ClipPlan = [frames: [length: number, hasEvent: boolean][], loop: boolean];
/** Something that is done to a player (or to a clip), with a clip and a number of 0..1. */
type Act = (player: SpriteAnim, clip: SpriteClip, value: number) => void;

const ACTS: Record<string, Act> = {
  nothing: () => {},
  play: (player, clip) => player.play(clip),
  playReverse: (player, clip) => player.playReverse(clip),
  playOnce: (player, clip) => player.playOnce(clip),
  queue: (player, clip) => player.queue(clip),
  pause: (player) => player.pause(),
  resume: (player) => player.resume(),
  stop: (player) => player.stop(),
  speed: (player, _, value) => player.setSpeed(Math.round((value * 4 - 2) * 8) / 8),
  setTime: (player, _, value) => player.setTime(Math.round(value * 64) / 64),
  step: (player, _, value) => player.step(Math.round(value * 6 - 3)),
  setFrame: (player) => player.setFrame(0),
  loop: (player, _, value) => player.setLoop(value < 0.5),
  clearLoop: (player) => player.clearLoopOverride(),
  delay: (player, _, value) => player.setLoopDelay(value < 0.5 ? 0 : Math.round(value * 16) / 64),
  curveKey: (player, _, value) => player.addSpeedCurveKey(Math.round(value * 8) / 8, Math.round(value * 16) / 4 - 2),
  curveLoop: (player, _, value) => player.setSpeedCurveLoop(value < 0.5),
  clearCurve: (player) => player.clearSpeedCurve(),
  update: (player, _, value) => void player.update(Math.round(value * 16) / 64),
};
const EDITS: Record<string, (clip: SpriteClip, value: number) => void> = {
  fps: (clip, value) => clip.setFPS([8, 16, 32][Math.floor(value * 3)] ?? 8),
  addFrame: (clip) => clip.addFrame(1, 0.125),
  clipLoop: (clip, value) => clip.setLoop(value < 0.5),
  addEvent: (clip) => clip.addEvent(0, "new"),
};

/** What a player tells, its errors, and what it told its quad last. */
class Watched {
  last = "";
  constructor(readonly player: SpriteAnim, sheet: SpriteSheet) {
    player.setSheet(sheet);
    player.bindQuad({ setViewport: (x, y) => void (this.last = `${x},${y}`) });
  }

  do(act: Act, clip: SpriteClip, value: number): string {
    try {
      act(this.player, clip, value);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  }

  tell(clips: readonly SpriteClip[]): unknown {
    const { player } = this, events: string[] = [];
    for (let event = player.consumeEventInfo(); event !== null; event = player.consumeEventInfo()) events.push(`${event.name} ${event.frame} ${event.loop}`);
    return [
      player.getTime().toFixed(9), player.getClipFrame(), player.getSheetFrame(), player.getLoopCount(), player.isPlaying(), player.isPaused(), player.isFinished(), player.consumeLooped(), player.consumeCompleted(),
      player.getSpeedCurveValue().toFixed(9), player.getClip() === null ? -1 : clips.indexOf(player.getClip()!), player.getDroppedEventCount(), this.last, events,
    ];
  }
}

it("a player in a batch does what a player by itself does, whatever is done to them", () => {
  const plan: fc.Arbitrary<ClipPlan> = fc.tuple(fc.array(fc.tuple(fc.constantFrom(0, 1, 3, 8, 20), fc.boolean()), { minLength: 1, maxLength: 5 }), fc.boolean());
  const call = fc.tuple(fc.constantFrom(...Object.keys(ACTS), ...Object.keys(EDITS), "play", "queue"), fc.nat(3), fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1 / 64, 3 / 64, 0.125, 0.5, 2));
  fc.assert(
    fc.property(fc.array(plan, { minLength: 4, maxLength: 4 }), fc.array(call, { maxLength: 25 }), (plans, calls) => {
      const clips = plans.map(([frames, loop], k) => {
        const clip = new SpriteClip(`clip ${k}`);
        frames.forEach(([length, hasEvent], i) => {
          clip.addFrame((i * 3 + k) % 8, length / 64);
          if (hasEvent) clip.addEvent(i, `e${i}`);
        });
        clip.setLoop(loop);
        return clip;
      });
      const sheet = new SpriteSheet();
      sheet.setGrid(4, 4, 8, 8);
      const anim = new Animation({});
      const pumped = new Watched(anim.newSpriteAnim(), sheet), alone = new Watched(new SpriteAnim(), sheet);
      for (const [name, k, value, dt] of calls) {
        EDITS[name]?.(clips[k]!, value);
        const act = ACTS[name] ?? ACTS["nothing"]!;
        expect(pumped.do(act, clips[k]!, value)).toBe(alone.do(act, clips[k]!, value));
        anim.update(dt);
        alone.player.update(dt);
        expect(pumped.tell(clips)).toEqual(alone.tell(clips));
      }
      anim.dispose();
    }),
    { numRuns: runs(600) },
  );
});

it("players of a batch that change one another are moved in turn, as players that are updated one after the other", () => {
  const meddling = fc.tuple(fc.constantFrom(...Object.keys(ACTS), ...Object.keys(EDITS)), fc.nat(3), fc.nat(2), fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(fc.array(meddling, { minLength: 1, maxLength: 12 }), fc.array(fc.constantFrom(0, 1 / 64, 3 / 64, 0.125, 0.5), { minLength: 4, maxLength: 16 }), fc.array(fc.constantFrom(4, 6, 9, 32), { minLength: 3, maxLength: 3 }), (acts, steps, lengths) => {
      const sheet = new SpriteSheet();
      sheet.setGrid(4, 4, 8, 8);
      /** Four players, each of which does the next of the acts to one of them whenever its frame changes. */
      const world = (make: () => SpriteAnim): { players: SpriteAnim[]; begun: Set<SpriteAnim> } => {
        const players: SpriteAnim[] = [], begun = new Set<SpriteAnim>();
        const clips = lengths.map((length, k) => {
          const clip = new SpriteClip(`clip ${k}`);
          for (let i = 0; i < 3; i++) clip.addFrame(i + k, length / 64);
          return clip;
        });
        let next = 0, isReady = false;
        const meddle = (): void => {
          const act = isReady ? acts[next++] : undefined;
          if (act === undefined) return;
          const [name, who, clip, value] = act, player = players[who]!;
          const begins = name.startsWith("play") || (name === "queue" && !player.isPlaying());
          try {
            EDITS[name]?.(clips[clip]!, value);
            ACTS[name]?.(player, clips[clip]!, value);
            if (begins) begun.add(player);
          } catch {
            // No clip, for one.
          }
        };
        for (let i = 0; i < 4; i++) {
          const player = make();
          players.push(player);
          player.setSheet(sheet);
          player.play(clips[i % 3]!);
          player.setTime(i / 32);
          player.bindQuad({ setViewport: meddle });
        }
        isReady = true;
        return { players, begun };
      };
      const anim = new Animation({});
      const pumped = world(() => anim.newSpriteAnim()), alone = world(() => new SpriteAnim());
      for (const dt of steps) {
        anim.update(dt);
        alone.begun.clear();
        // What begins while the others are moved waits for the next round.
        for (const player of alone.players) if (!alone.begun.has(player)) player.update(dt);
        const state = (player: SpriteAnim): unknown => [player.getTime().toFixed(9), player.getClipFrame(), player.isPlaying(), player.isPaused(), player.getLoopCount(), player.getSpeed(), player.getClip()?.getName()];
        expect(pumped.players.map(state)).toEqual(alone.players.map(state));
      }
      anim.dispose();
    }),
    { numRuns: runs(500) },
  );
});

it("a batch whose module is disposed by one of its quads stops there", () => {
  const anim = new Animation({}), sheet = new SpriteSheet(), clip = new SpriteClip();
  sheet.setGrid(4, 4, 8, 8);
  clip.addRange(0, 3, 10);
  const players = [0, 1, 2].map(() => anim.newSpriteAnim());
  for (const player of players) {
    player.setSheet(sheet);
    player.play(clip);
  }
  players[0]!.bindQuad({ setViewport: () => void (players[0]!.getClipFrame() > 0 && anim.dispose()) });
  anim.update(0.1);
  players[1]!.update(0.1);
  expect(players.map((player) => player.getClipFrame())).toEqual([1, 1, 0]);
});

it("a batch keeps no memory of clips that were edited, played once, or dropped, and none after dispose", () => {
  const before = heap.usedBytes;
  const batch = new SpriteBatch(), players = [0, 1, 2].map(() => new SpriteAnim());
  for (const player of players) batch.add(player);
  const used: number[] = [];
  for (let i = 0; i < 200; i++) {
    const clip = new SpriteClip();
    clip.addRange(0, 40, 10);
    players[i % 3]!.play(clip);
    clip.setFPS(11 + (i % 7));
    batch.update(0.1);
    used.push(heap.usedBytes);
  }
  expect(Math.max(...used.slice(100))).toBe(Math.max(...used.slice(5, 100)));
  batch.dispose();
  expect(heap.usedBytes).toBe(before);
});

it("a player that leaves its batch before its turn was not moved", () => {
  const sheet = new SpriteSheet(), clip = new SpriteClip();
  sheet.setGrid(4, 4, 8, 8);
  clip.addRange(0, 3, 10);
  const batch = new SpriteBatch(), players = [0, 1, 2].map(() => new SpriteAnim());
  for (const player of players) {
    player.setSheet(sheet);
    player.play(clip);
    batch.add(player);
  }
  players[2]!.setTime(0.02);
  players[0]!.bindQuad({ setViewport: () => void (players[0]!.getClipFrame() > 0 && players.slice(1).forEach((player) => batch.remove(player))) });
  batch.update(0.1);
  expect(players.map((player) => [player.getClipFrame(), Number(player.getTime().toFixed(9))])).toEqual([[1, 0.1], [0, 0], [0, 0.02]]);
});

it("players behind one whose quad throws stay where they were, and go on in step with their clocks", () => {
  const sheet = new SpriteSheet(), clip = new SpriteClip();
  sheet.setGrid(4, 4, 8, 8);
  clip.addRange(0, 7, 16);
  const batch = new SpriteBatch(), players = Array.from({ length: 6 }, () => new SpriteAnim());
  let shown = 0;
  players.forEach((player, i) => {
    player.setSheet(sheet);
    player.play(clip);
    player.setTime(i / 100);
    batch.add(player);
  });
  players[2]!.bindQuad({
    setViewport: () => {
      if (++shown === 2) throw new Error("a quad");
    },
  });
  const times = (): number[] => players.map((player) => player.getTime());
  const before = times();
  expect(() => batch.update(0.0625)).toThrow("a quad");
  times().slice(3).forEach((time, i) => expect(time).toBeCloseTo(before[i + 3]!, 12));
  for (let i = 0; i < 40; i++) {
    batch.update(0.03);
    for (const player of players) expect(player.getClipFrame(), `update ${i}`).toBe(clip.frameAtTime(player.getTime()));
  }
});
