/**
 * How much faster do 10,000 sprite players run than PixiJS AnimatedSprite?
 *
 * Both sides play the same walk cycle at 12 frames a second with staggered starts, stepped by 1/60 s in one process with
 * rounds interleaved, and both apply every frame change: AnimatedSprite assigns its texture, a player writes the viewport
 * of a quad. Before timing, the frames of all players are compared over three seconds.
 */
import type { AnimatedSprite as PixiSprite } from "pixi.js";
import { SpriteAnim, SpriteBatch, SpriteClip, SpriteSheet } from "../../src/anim/sprite/index.js";
import { bytesPerWindow, race } from "../lib/race.js";

// PixiJS looks for a browser while it is imported.
(globalThis as { navigator?: unknown }).navigator ??= { userAgent: "" };
(globalThis as { document?: unknown }).document ??= { createElement: () => ({ getContext: () => null, style: {} }), baseURI: "" };
const { AnimatedSprite, Rectangle, Texture, TextureSource } = await import("pixi.js");

const COUNT = 10_000;
const DT = 1 / 60;
const FRAMES = 8;
const FPS = 12;

/** A quad as a renderer would have it. */
class Quad {
  x = 0;
  y = 0;
  width = 0;
  height = 0;
  setViewport(x: number, y: number, width: number, height: number): void {
    this.x = x;
    this.y = y;
    this.width = width;
    this.height = height;
  }
}

const sheet = new SpriteSheet();
sheet.setGrid(FRAMES, 1, 32, 48);
const source = new TextureSource({ width: FRAMES * 32, height: 48 });
const textures = Array.from({ length: FRAMES }, (_, i) => new Texture({ source, frame: new Rectangle(i * 32, 0, 32, 48) }));

/** Durations in seconds per frame, or null for an even clip. */
function makeOurs(durations: number[] | null): { batch: SpriteBatch; quads: Quad[]; players: SpriteAnim[] } {
  const clip = new SpriteClip("walk");
  for (let i = 0; i < FRAMES; i++) clip.addFrame(i, durations === null ? 1 / FPS : durations[i]!);
  const batch = new SpriteBatch();
  const quads: Quad[] = [];
  const players: SpriteAnim[] = [];
  for (let i = 0; i < COUNT; i++) {
    const player = new SpriteAnim();
    const quad = new Quad();
    player.setSheet(sheet);
    player.play(clip);
    player.bindQuad(quad);
    player.setTime(offsetOf(i) * clip.getDuration());
    batch.add(player);
    quads.push(quad);
    players.push(player);
  }
  return { batch, quads, players };
}

function makeTheirs(durations: number[] | null): PixiSprite[] {
  return Array.from({ length: COUNT }, (_, i) => {
    const sprite = durations === null ? new AnimatedSprite(textures) : new AnimatedSprite(textures.map((texture, k) => ({ texture, time: durations[k]! * 1000 })));
    sprite.autoUpdate = false;
    // With durations a speed of 1 is real time; without, it is frames per tick of 1/60 s.
    sprite.animationSpeed = durations === null ? FPS / 60 : 1;
    sprite.loop = true;
    sprite.play();
    const total = (durations ?? Array.from({ length: FRAMES }, () => 1 / FPS)).reduce((sum, d) => sum + d, 0);
    const offset = offsetOf(i) * total;
    for (let t = 0; t < offset - 1e-9; t += DT) sprite.update(ticker(Math.min(DT, offset - t)));
    return sprite;
  });
}

/** Staggered starts that never fall onto a frame boundary. */
const offsetOf = (i: number): number => ((i * 617) % 1009) / 1009 + 1e-4;
const ticker = (seconds: number): never => ({ deltaTime: seconds * 60, deltaMS: seconds * 1000, elapsedMS: seconds * 1000 }) as never;
const TICK = ticker(DT);

for (const [label, durations, wanted] of [["per-frame durations", [0.05, 0.1, 0.07, 0.12, 0.05, 0.1, 0.07, 0.11], 5], ["even frames", null, 2]] as const) {
  const { batch, quads } = makeOurs(durations === null ? null : [...durations]);
  const theirs = makeTheirs(durations === null ? null : [...durations]);
  let differing = 0;
  for (let frame = 0; frame < 180; frame++) {
    batch.update(DT);
    for (const sprite of theirs) sprite.update(TICK);
    for (let i = 0; i < COUNT; i++) if (quads[i]!.x / 32 !== theirs[i]!.currentFrame) differing++;
  }
  // A change of frame that falls onto an update up to rounding may come one update apart.
  if (differing > COUNT * 180 * 0.02) throw new Error(`${label}: ${differing} of ${COUNT * 180} frames differ`);
  const { ratio, lowest, highest, ownMs, peerMs } = await race(() => batch.update(DT), () => {
    for (let i = 0; i < COUNT; i++) theirs[i]!.update(TICK);
  });
  console.log(
    `update 10,000 sprite players / ${label}`.padEnd(56) +
      ` ${ratio.toFixed(1)}x (${lowest.toFixed(1)}..${highest.toFixed(1)}), wanted ${wanted}x; ${((ownMs / COUNT) * 1e6).toFixed(1)} against ${((peerMs / COUNT) * 1e6).toFixed(1)} ns a player; ${differing} of ${COUNT * 180} frames differed`,
  );
  console.log(`bytes allocated in 200 updates / ${label}: ${bytesPerWindow(() => batch.update(DT), 200)}`);
}
