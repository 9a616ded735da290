import { describe, expect, it } from "vitest";
import { encode } from "fast-png";
import { AnimArgumentError, AnimCapacityError, AnimFormatError, AnimIOError, AnimStateError } from "../../../src/anim/errors.js";
import { Animation, eve, type AnimationHost, type GraphicsLike, type RawImage, type TextureLike } from "../../../src/anim/module/index.js";
import { decodePng } from "../../../src/anim/module/png.js";
import { readdirSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { sharedData } from "../../shared-data.js";

/** A graphics object that remembers its textures. */
function fakeGraphics(): GraphicsLike & { images: RawImage[] } {
  const images: RawImage[] = [];
  return {
    images,
    newTextureFromImage(image): TextureLike {
      images.push(image);
      return { getWidth: () => image.width, getHeight: () => image.height };
    },
  };
}

function pngHost(files: Record<string, Uint8Array | string>): AnimationHost & { reads: string[] } {
  const reads: string[] = [];
  const read = (path: string): Uint8Array | string => {
    reads.push(path);
    if (files[path] === undefined) throw new Error("no such file");
    return files[path];
  };
  return {
    reads,
    readText: (path) => read(path) as string,
    readBytes: (path) => read(path) as Uint8Array,
    decodeImage: (bytes) => decodePng(bytes, (packed) => inflateSync(packed)),
  };
}

const square = (width: number, height: number, alpha = 255): Uint8Array =>
  encode({ width, height, channels: 4, depth: 8, data: Uint8Array.from({ length: width * height * 4 }, (_, i) => (i % 4 === 3 ? alpha : 100 + i)) });

describe("Animation", () => {
  it("is one object for scripts and many worlds for everybody else", () => {
    expect(eve.Animation()).toBe(eve.Animation());
    const a = new Animation();
    const b = new Animation();
    a.newTween();
    expect([a.getName(), a.getTweenCount(), b.getTweenCount()]).toEqual(["Animation", 1, 0]);
    a.dispose();
    b.dispose();
    a.dispose();
    expect(() => a.getName()).toThrow(AnimStateError);
    expect(() => a.update(0.1)).toThrow(AnimStateError);
  });

  it("pumps tweens, motions and sprite players in this order, with its time scale", () => {
    const anim = new Animation();
    const log: string[] = [];
    const clip = anim.newSpriteClip("c");
    clip.addRange(0, 1, 10);
    const sheet = anim.newSpriteSheet();
    sheet.setGrid(2, 1, 8, 8);
    const player = anim.newSpriteAnim();
    player.setSheet(sheet);
    player.play(clip);
    player.bindQuad({ setViewport: (x) => log.push(`sprite ${x}`) });
    log.length = 0;
    anim.motion(0, 1, 10).immediate(false).bind((v) => log.push(`motion ${v.toFixed(4)}`));
    anim.motion(0, 1, 10).immediate(false).unscaled().bind((v) => log.push(`unscaled ${v.toFixed(4)}`));
    const tween = anim.newTween(10);
    tween.setFrom("x", 0);
    tween.setTo("x", 1);
    tween.onUpdate(() => log.push(`tween ${tween.get("x")}`));
    tween.start();
    anim.setTimeScale(0.5);
    anim.update(0.2);
    expect(log).toEqual(["tween 0.01", "motion 0.0100", "unscaled 0.0200", "sprite 8"]);
    anim.advance({ dt: 0, unscaledDt: 1 });
    expect(log.at(-1)).toMatch(/^unscaled 0\.12/);
    anim.dispose();
  });

  it("checks dt before it touches anything", () => {
    const anim = new Animation();
    for (const dt of [-1, NaN, Infinity, "1" as never]) expect(() => anim.update(dt)).toThrow(AnimArgumentError);
    anim.dispose();
  });

  it("counts, clears and brings back tweens", () => {
    const anim = new Animation();
    const idle = anim.newTween(1);
    const running = anim.newTween(1);
    const done = anim.newTween(1);
    running.start();
    done.start();
    done.complete();
    expect([anim.getTweenCount(), anim.getActiveCount()]).toEqual([3, 1]);
    expect(anim.clearFinished()).toBe(2);
    expect(anim.getTweenCount()).toBe(1);
    idle.start();
    anim.update(0.25);
    expect([idle.getElapsed(), anim.getTweenCount()]).toEqual([0.25, 2]);
    expect(anim.clearAll()).toBe(2);
    anim.update(0.25);
    expect(idle.getElapsed()).toBe(0.25);
    anim.dispose();
  });

  it("lets callbacks create, start and stop, and refuses to be pumped from them", () => {
    const anim = new Animation();
    const errors: unknown[] = [];
    anim.setErrorHandler((error) => errors.push(error));
    const late = anim.newTween(1);
    const first = anim.newTween(1);
    const stopped = anim.newTween(1);
    stopped.start();
    first.onUpdate(() => {
      stopped.stop();
      anim.newTween(1).start();
      late.start();
      anim.update(0.1);
    });
    first.start();
    anim.update(0.5);
    expect([stopped.getElapsed(), anim.getTweenCount()]).toEqual([0, 4]);
    expect(errors[0]).toBeInstanceOf(AnimStateError);
    anim.dispose();
  });

  it("goes on after errors of user code, and stops for errors of the handler", () => {
    const anim = new Animation();
    const told: string[] = [];
    anim.setErrorHandler((_error, what) => told.push(what));
    const tween = anim.newTween(1);
    tween.onUpdate(() => {
      throw new Error("user");
    });
    tween.start();
    const values: number[] = [];
    anim.motion(0, 1, 1).immediate(false).bind((v) => values.push(v));
    anim.update(0.5);
    expect([told, values]).toEqual([["Tween.onupdate"], [0.5]]);
    anim.setErrorHandler(() => {
      throw new Error("handler");
    });
    expect(() => anim.update(0.1)).toThrow("handler");
    anim.setErrorHandler(null);
    tween.stop();
    anim.update(0.1);
    expect(values.length).toBe(2);
    anim.dispose();
  });

  it("keeps sprite players until they are disposed", () => {
    const anim = new Animation();
    const players = [anim.newSpriteAnim(), anim.newSpriteAnim(), anim.newSpriteAnim()];
    const clip = anim.newSpriteClip();
    clip.addFrame(0, 1);
    players.forEach((player) => player.play(clip));
    players[1]!.dispose();
    anim.update(0.25);
    expect(anim.getSpriteAnimCount()).toBe(2);
    expect(players.map((player) => player.getTime())).toEqual([0.25, 0, 0.25]);
    expect(anim.getActiveCount()).toBe(2);
    anim.dispose();
    players[0]!.update(0.5);
    expect(players[0]!.getTime()).toBe(0.75);
  });
});

describe("image sequences", () => {
  it("are packed once, share their texture, and name frames after files", async () => {
    const host = pngHost({ "a/f_01.png": square(4, 3), "a/f_02.png": square(2, 2), "a/f_03.png": square(3, 3, 0) });
    const anim = new Animation(host);
    const gfx = fakeGraphics();
    const sheet = await anim.newSpriteSheetFromSequence(gfx, "a/f_{n:2}.png", 1, 3, 2);
    expect([0, 1, 2].map((i) => sheet.getFrameName(i))).toEqual(["f_01", "f_02", "f_03"]);
    expect([sheet.getFrameX(1), sheet.getFrameWidth(2), sheet.getFrameSourceWidth(2)]).toEqual([7, 1, 3]);
    expect([anim.getSpriteSequenceCacheCount(), anim.getSpriteSequenceCacheBytes()]).toEqual([1, 12 * 10 * 4]);
    const reads = host.reads.length;
    const twin = anim.newSpriteSheetFromSequenceSync(gfx, "a/f_{n:2}.png", 1, 3, 2);
    expect(host.reads.length).toBe(reads);
    expect(twin).not.toBe(sheet);
    expect(twin.getTexture()).toBe(sheet.getTexture());
    expect(anim.clearSpriteSequenceCache()).toBe(1);
    anim.newSpriteSheetFromSequenceSync(gfx, { pattern: "a/f_{n:2}.png", first: 1, last: 3 });
    expect(gfx.images.length).toBe(2);
    anim.dispose();
  });

  it("fail with the file's name and cache nothing", async () => {
    const anim = new Animation(pngHost({ "f1.png": square(2, 2), "f2.png": new Uint8Array([1, 2, 3]) }));
    const gfx = fakeGraphics();
    await expect(anim.newSpriteSheetFromSequence(gfx, "f{n}.png", 1, 3)).rejects.toThrow(AnimIOError);
    await expect(anim.newSpriteSheetFromSequence(gfx, "f{n}.png", 1, 3)).rejects.toThrow(/f2\.png/);
    await expect(anim.newSpriteSheetFromSequence(gfx, "f.png", 1, 3)).rejects.toThrow(AnimArgumentError);
    await expect(anim.newSpriteSheetFromSequence({}, "f{n}.png", 1, 1)).rejects.toThrow(AnimStateError);
    expect(() => anim.newSpriteSheetFromSequenceSync(gfx, { pattern: "f{n}.png", first: 1, count: 1, maxSize: 2 })).toThrow(AnimCapacityError);
    expect(anim.getSpriteSequenceCacheCount()).toBe(0);
    anim.dispose();
  });

  it("share one load among requests that come at the same time", async () => {
    let loads = 0;
    const host: AnimationHost = {
      readBytes: async () => {
        loads++;
        return square(2, 2);
      },
      decodeImage: async (bytes) => decodePng(bytes, (packed) => inflateSync(packed)),
    };
    const anim = new Animation(host);
    const gfx = fakeGraphics();
    const [a, b] = await Promise.all([anim.newSpriteSheetFromSequence(gfx, "{n}", 0, 2), anim.newSpriteSheetFromSequence(gfx, "{n}", 0, 2)]);
    expect([loads, gfx.images.length, a!.getTexture() === b!.getTexture()]).toEqual([2, 1, true]);
    expect(() => anim.newSpriteSheetFromSequenceSync(gfx, "other{n}", 0, 1)).toThrow(AnimStateError);
    anim.dispose();
  });
});

describe("atlas JSON", () => {
  it("is loaded with its texture, and its errors name the file and the place", async () => {
    const frames = { "10": { frame: { x: 0, y: 0, w: 2, h: 2 } }, "2": { frame: { x: 2, y: 0, w: 2, h: 2 } } };
    const text = `{"frames": {"10": ${JSON.stringify(frames["10"])}, "2": ${JSON.stringify(frames["2"])}}, "meta": {"size": {"w": 4, "h": 4}}}`;
    const host = pngHost({ "t.png": square(4, 4), "t.json": text, "bad.json": '{"frames": {\n"a" 1}}', "small.json": text.replace('"w": 4', '"w": 8'), "twice.json": text.replace('"2":', '"10":') });
    const anim = new Animation(host);
    const gfx = fakeGraphics();
    const sheet = await anim.newSpriteSheetFromAtlasJson(gfx, "t.png", "t.json");
    expect([sheet.getFrameName(0), sheet.getFrameName(1)]).toEqual(["10", "2"]);
    await expect(anim.newSpriteSheetFromAtlasJson(gfx, "t.png", "bad.json")).rejects.toMatchObject({ line: 2, file: "bad.json" });
    await expect(anim.newSpriteSheetFromAtlasJson(gfx, "t.png", "small.json")).rejects.toThrow(AnimFormatError);
    await expect(anim.newSpriteSheetFromAtlasJson(gfx, "t.png", "twice.json")).rejects.toThrow(/twice/);
    anim.dispose();
  });

  const folder = sharedData("sprite", "the atlases of Aseprite and TexturePacker");
  it.skipIf(folder === undefined)("real files load with the platform's host", () => {
    const anim = new Animation();
    const gfx = fakeGraphics();
    for (const texture of ["aseprite-digits", "aseprite-beetle", "texturepacker-building"]) {
      const files = readdirSync(`${folder}/${texture}`);
      for (const name of files.filter((file) => file.endsWith(".json"))) {
        const png = files.find((file) => file.endsWith(".png") && file.startsWith(name.replace(/(-array|-hash)?\.json$/, ""))) ?? files.find((file) => file.endsWith(".png"))!;
        const sheet = anim.newSpriteSheetFromAtlasJsonSync(gfx, `${folder}/${texture}/${png}`, `${folder}/${texture}/${name}`);
        expect(sheet.getFrameCount()).toBeGreaterThan(0);
        expect(sheet.createClips().size).toBeGreaterThan(0);
      }
    }
    anim.dispose();
  });
});
