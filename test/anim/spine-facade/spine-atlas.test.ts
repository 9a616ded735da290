import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimFormatError } from "../../../src/anim/errors.js";
import { SpineAtlas } from "../../../src/anim/spine-facade/spine-atlas.js";

const PAGE = "page.png\nsize: 64,64\n";
const good = [`${PAGE}r\nxy: 1,2\nsize: 3,4\norig: 3,4\noffset: 0,0\nindex: -1\n`, `${PAGE}scale: 0.5\nr\nbounds: 1, 2, 3, 4\noffsets: 1,1,5,6\nsplit: 1,1,1,1\npad: 0,0,0,0\nsomething: of the future\n`];

describe("numbers of an atlas", () => {
  it("are refused with their line where they are none or too few, in every key of both generations; the atlas is empty then", () => {
    let refused = 0;
    for (const text of good) {
      const lines = text.split("\n");
      lines.forEach((line, i) => {
        const at = line.indexOf(":");
        if (at < 0 || line.startsWith("something")) return;
        const values = line.slice(at + 1).split(",");
        const spoiled = values.map((_, k) => values.with(k, "x").join(","));
        for (const bad of [...spoiled, values.slice(1).join(","), ""]) {
          const atlas = new SpineAtlas();
          atlas.loadFromText(text);
          try {
            atlas.loadFromText(lines.with(i, `${line.slice(0, at)}: ${bad}`).join("\n"));
            expect.unreachable(`${line} as "${bad}"`);
          } catch (error) {
            refused++;
            expect(error).toBeInstanceOf(AnimFormatError);
            expect((error as AnimFormatError).line).toBe(i + 1);
            expect((error as Error).message).toContain(line.slice(0, at));
          }
          expect(atlas.getPageCount()).toBe(0);
        }
      });
    }
    expect(refused).toBeGreaterThan(30);
  });

  it("are asked of text only", () => {
    for (const bad of [null, undefined, 3, {}]) expect(() => new SpineAtlas().loadFromText(bad as never)).toThrow(AnimArgumentError);
    expect(() => new SpineAtlas().loadFromText("")).toThrow(AnimFormatError);
  });
});
