import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimFormatError } from "../../../src/anim/errors.js";
import { SpriteSheet } from "../../../src/anim/sprite/index.js";

const rect = (x = 0, w = 4, h = 4) => ({ x, y: 0, w, h });

describe("atlas JSON", () => {
  it("moves offsets back by the inner padding, trimmed or not", () => {
    for (const trimmed of [true, false, undefined]) {
      const sheet = SpriteSheet.fromAtlasJson({ frames: { a: { frame: rect(0, 36, 38), ...(trimmed === undefined ? {} : { trimmed }), spriteSourceSize: { x: 3, y: 1, w: 32, h: 32 }, sourceSize: { w: 40, h: 40 } } } });
      expect([sheet.getFrameOffsetX(0), sheet.getFrameOffsetY(0), sheet.getFrameSourceWidth(0)]).toEqual([1, -2, 40]);
    }
  });

  it("names the frame whose field is of a wrong type", () => {
    const wrong: [string, object][] = [
      ["trimmed", { trimmed: "yes" }], ["rotated", { rotated: 1 }], ["pivot", { pivot: 5 }], ["pivot", { pivot: null }], ["pivot/x", { pivot: { x: "0.5", y: 0 } }], ["anchor/y", { anchor: { x: 0.5 } }],
      ["duration", { duration: "100" }], ["duration", { duration: -1 }], ["sourceSize", { sourceSize: [4, 4] }], ["spriteSourceSize/w", { spriteSourceSize: { x: 0, y: 0, w: "4", h: 4 } }],
      ["spriteSourceSize", { spriteSourceSize: { x: 0, y: 0, w: 3, h: 4 } }], ["spriteSourceSize", { spriteSourceSize: { x: 0, y: 0, w: 6, h: 4 } }], ["frame/x", { frame: { ...rect(), x: 0.5 } }], ["frame", { frame: { ...rect(), w: 0 } }], ["frame/y", { frame: { ...rect(), y: -1 } }],
    ];
    for (const [pointer, fields] of wrong) {
      let error: unknown;
      try {
        SpriteSheet.fromAtlasJson({ frames: { hero: { frame: rect(), ...fields } } });
      } catch (thrown) {
        error = thrown;
      }
      expect(error, JSON.stringify(fields)).toBeInstanceOf(AnimFormatError);
      expect((error as AnimFormatError).pointer).toBe(`/frames/hero/${pointer}`);
    }
  });

  it("plays tags in every direction and number of passes", () => {
    const played = (direction: string, repeat?: string | number): string => {
      const frames = Array.from({ length: 5 }, (_, i) => ({ filename: `f${i}`, frame: rect(i * 4) }));
      const clip = SpriteSheet.fromAtlasJson({ frames, meta: { frameTags: [{ name: "t", from: 1, to: 3, direction, ...(repeat === undefined ? {} : { repeat }) }] } }).createClips().get("t")!;
      return Array.from({ length: clip.getFrameCount() }, (_, i) => clip.getSheetFrame(i)).join("") + (clip.getLoop() ? "…" : "");
    };
    expect([played("forward"), played("reverse"), played("pingpong"), played("pingpong_reverse")]).toEqual(["123…", "321…", "1232…", "3212…"]);
    expect([played("forward", "0"), played("forward", "1"), played("forward", 3), played("reverse", "2")]).toEqual(["123…", "123", "123123123", "321321"]);
    expect([played("pingpong", "1"), played("pingpong", 2), played("pingpong", "3"), played("pingpong_reverse", "2"), played("pingpong_reverse", "4")]).toEqual(["123", "12321", "1232123", "32123", "321232123"]);
    expect(() => played("sideways")).toThrow(AnimFormatError);
  });

  it("refuses tags between frames or outside of them", () => {
    for (const [from, to] of [[0.5, 1], [0, 1.5], [1, 0], [0, 2], [-1, 1]]) {
      expect(() => SpriteSheet.fromAtlasJson({ frames: [{ filename: "a", frame: rect() }, { filename: "b", frame: rect(4) }], meta: { frameTags: [{ name: "t", from, to }] } }), `${from}..${to}`).toThrow(AnimFormatError);
    }
  });

  it("forgets the file's clips with its frames", () => {
    const make = (): SpriteSheet => SpriteSheet.fromAtlasJson({ frames: [{ filename: "a", frame: rect() }, { filename: "b", frame: rect(4) }], meta: { frameTags: [{ name: "t", from: 0, to: 1 }] } });
    const cleared = make();
    cleared.clear();
    cleared.addFrame("c", 0, 0, 1, 1);
    const gridded = make();
    gridded.setGrid(3, 1, 2, 2);
    expect([...make().createClips().keys(), ...cleared.createClips().keys(), ...gridded.createClips().keys()]).toEqual(["t", "default", "default"]);
    expect(gridded.createClips().get("default")!.getFrameCount()).toBe(3);
  });
});

describe("SpriteSheet", () => {
  it("refuses pivots and durations that are no numbers, and things that are no textures", () => {
    const sheet = new SpriteSheet();
    for (const bad of [{ pivotX: NaN }, { pivotY: Infinity }, { duration: -1 }, { duration: NaN }]) {
      expect(() => sheet.addFrameEx({ x: 0, y: 0, width: 1, height: 1, ...bad }), JSON.stringify(bad)).toThrow(AnimArgumentError);
    }
    expect(sheet.getFrameCount()).toBe(0);
    expect(() => sheet.setTexture({} as never)).toThrow(AnimArgumentError);
    sheet.setTexture(undefined as never);
    expect(sheet.getTexture()).toBeNull();
  });
});
