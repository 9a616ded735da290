import { describe, expect, it } from "vitest";
import { heap } from "../../../src/wasm/heap.js";
import { SpriteBatch } from "../../../src/anim/sprite/batch.js";
import { SpriteClip } from "../../../src/anim/sprite/clip.js";
import { packImages } from "../../../src/anim/sprite/pack.js";
import { SpriteSheet } from "../../../src/anim/sprite/sheet.js";
import { SpeedCurve } from "../../../src/anim/sprite/speed-curve.js";
import { SpriteAnim } from "../../../src/anim/sprite/sprite-anim.js";
import type { RawImage } from "../../../src/anim/module/host.js";
import { golden } from "../../golden.js";

/* eslint-disable @typescript-eslint/no-explicit-any */
const data = golden<any>("sprite-golden.json");
const near = (actual: number, expected: number, tolerance = 1e-7): void => expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance);

function makeClip(spec: any): SpriteClip {
  const clip = new SpriteClip(spec.name ?? spec.clip);
  clip.setLoop(spec.loop);
  for (const { sheetFrame, duration } of spec.frames) clip.addFrame(sheetFrame, duration);
  for (const { frame, name } of spec.events ?? []) clip.addEvent(frame, name);
  return clip;
}

describe("SpriteClip.frameAtTime", () => {
  for (const spec of data.frameAtTime) {
    it(`of clip ${spec.clip} matches the golden file`, () => {
      const clip = makeClip(spec);
      near(clip.getDuration(), spec.duration);
      for (const sample of spec.samples) {
        expect(clip.frameAtTime(sample.time)).toBe(sample.frame);
        near(clip.wrapTime(sample.time), sample.wrapTime);
      }
    });
  }
});

describe("SpriteSheet.setGrid", () => {
  for (const row of data.grid) {
    it(`${row.args.join(", ")} matches the golden file`, () => {
      const sheet = new SpriteSheet();
      expect((sheet.setGrid as any)(...row.args)).toBe(row.frames.length);
      row.frames.forEach((frame: any, i: number) => {
        expect([sheet.getFrameName(i), sheet.getFrameX(i), sheet.getFrameY(i), sheet.getFrameWidth(i), sheet.getFrameHeight(i)]).toEqual([frame.name, frame.x, frame.y, frame.w, frame.h]);
      });
    });
  }
});

describe("playback", () => {
  // Every case runs alone and as a row of a batch whose kernel moves the clock.
  for (const batched of [false, true]) {
    for (const row of data.playback) {
      it(`${row.title}${batched ? ", in a batch" : ""}`, () => {
        const clips = new Map<string, SpriteClip>(row.clips.map((spec: any) => [spec.name, makeClip(spec)]));
        const player = new SpriteAnim();
        const batch = new SpriteBatch();
        if (batched) {
          for (let i = 0; i < 2; i++) batch.add(new SpriteAnim());
          batch.add(player);
        }
        for (const { op, after } of row.rows) {
          const [name, argument] = op;
          if (name === "curve") {
            player.clearSpeedCurve();
            for (const [time, value] of argument) player.addSpeedCurveKey(time, value);
            player.setSpeedCurveLoop(op[2]);
            player.setSpeedCurveInterpolation(op[3]);
          } else if (name === "update" && batched) batch.update(argument);
          else (player as any)[name](...(typeof argument === "string" ? [clips.get(argument)] : op.slice(1)));
          if (after === undefined) continue;
          near(player.getTime(), after.time);
          if (after.clip !== undefined) expect(player.getClip()?.getName() ?? "").toBe(after.clip ?? "");
          expect(player.getClipFrame()).toBe(after.clipFrame);
          expect(player.getSheetFrame()).toBe(after.sheetFrame);
          expect(player.getLoopCount()).toBe(after.loopCount);
          expect(player.consumeLooped()).toBe(after.looped);
          expect(player.consumeCompleted()).toBe(after.completed);
          expect(player.isPlaying()).toBe(after.playing);
          expect(player.isFinished()).toBe(after.finished);
          const events: string[] = [];
          for (let event = player.consumeEvent(); event !== ""; event = player.consumeEvent()) events.push(event);
          expect(events).toEqual(after.events);
        }
        batch.dispose();
      });
    }
  }
});

describe("speed curves", () => {
  for (const row of data.speedCurve) {
    it(`${row.interpolation}${row.loop ? ", looping" : ""}, ${row.keys.length} keys match the golden file`, () => {
      for (const sample of row.samples) {
        const curve = new SpeedCurve();
        for (const [time, value] of row.keys) curve.setKey(time, value);
        curve.setInterpolation(row.interpolation);
        curve.setLoop(row.loop);
        near(curve.advance(sample.time), sample.integralFrom0);
        near(curve.value, sample.value);
      }
    });
  }
});

describe("packing", () => {
  const image = (rows: string[]): RawImage => {
    const pixels = new Uint8Array(rows.length * rows[0]!.length * 4);
    rows.join("").split("").forEach((letter, i) => letter !== "." && pixels.set([letter.charCodeAt(0), 10, 20, 255], i * 4));
    return { width: rows[0]!.length, height: rows.length, data: pixels };
  };

  data.packing.cases.forEach((row: any, index: number) => {
    it(`case ${index + 1} matches the golden file`, () => {
      const { atlas, frames } = packImages(row.images.map(image), { columns: row.columns, extrude: row.extrude, alphaThreshold: 0, maxSize: 8192 });
      expect([atlas.width, atlas.height]).toEqual([row.atlasWidth, row.atlasHeight]);
      row.frames.forEach((f: any, i: number) => {
        expect(frames[i]).toEqual({ x: f.x, y: f.y, width: f.w, height: f.h, sourceWidth: f.sourceWidth, sourceHeight: f.sourceHeight, offsetX: f.offsetX, offsetY: f.offsetY });
      });
      const drawn = Array.from({ length: atlas.height }, (_, y) =>
        Array.from({ length: atlas.width }, (_, x) => {
          const at = (y * atlas.width + x) * 4;
          return atlas.data[at + 3] === 0 ? "." : String.fromCharCode(atlas.data[at]!);
        }).join(""),
      );
      expect(drawn).toEqual(row.atlas);
    });
  });

  it("gives invisible pixels the colour of a visible neighbour", () => {
    const { atlas } = packImages([image(["A..A"])], { columns: 0, extrude: 0, alphaThreshold: 0, maxSize: 64 });
    expect([...atlas.data.subarray(4, 8)]).toEqual([65, 10, 20, 0]);
  });

  it("packs tightly without overlap, and lets equal pictures share a place", () => {
    const images = [image(["AB", "CD"]), image(["EFG"]), image([".AB", ".CD"]), image(["H"])];
    const { atlas, frames } = packImages(images, { columns: 0, extrude: 1, alphaThreshold: 0, maxSize: 64 });
    expect([frames[0]!.x, frames[0]!.y]).toEqual([frames[2]!.x, frames[2]!.y]);
    expect(frames[2]!.offsetX).toBe(1);
    for (const [i, a] of frames.entries()) {
      expect(a.x + a.width).toBeLessThan(atlas.width);
      for (const b of frames.slice(i + 1)) {
        if (a.x === b.x && a.y === b.y) continue;
        const apart = a.x + a.width + 1 < b.x || b.x + b.width + 1 < a.x || a.y + a.height + 1 < b.y || b.y + b.height + 1 < a.y;
        expect(apart || a.x + a.width + 2 <= b.x || b.x + b.width + 2 <= a.x || a.y + a.height + 2 <= b.y || b.y + b.height + 2 <= a.y).toBe(true);
      }
    }
  });
});

describe("texture coordinates", () => {
  it("of upright and clockwise frames match the golden file", () => {
    for (const { frame, rotated, textureWidth, textureHeight, uv } of data.uv.cases) {
      if (typeof rotated === "string" && !rotated.startsWith("cw90")) continue;
      const sheet = new SpriteSheet();
      sheet.addFrameEx({ x: frame.x, y: frame.y, width: frame.w, height: frame.h, rotated: rotated !== false });
      sheet.setTexture({ getWidth: () => textureWidth, getHeight: () => textureHeight });
      const out = new Float32Array(8);
      sheet.getFrameUV(0, out);
      out.forEach((value, i) => near(value, uv.flat()[i]));
    }
  });
});

describe("atlas JSON", () => {
  for (const text of [false, true]) {
    it(`${text ? "as text" : "as an object"} gives the golden frames and clips`, () => {
      const { json, frames, clips } = data.atlasJson;
      const sheet = SpriteSheet.fromAtlasJson(text ? JSON.stringify(json) : json, { getWidth: () => 64, getHeight: () => 32 });
      frames.forEach((f: any, i: number) => {
        expect([sheet.getFrameName(i), sheet.getFrameX(i), sheet.getFrameY(i), sheet.getFrameWidth(i), sheet.getFrameHeight(i)]).toEqual([f.name, f.x, f.y, f.w, f.h]);
        expect([sheet.getFrameSourceWidth(i), sheet.getFrameSourceHeight(i), sheet.getFrameOffsetX(i), sheet.getFrameOffsetY(i), sheet.isFrameRotated(i)]).toEqual([f.sourceWidth, f.sourceHeight, f.offsetX, f.offsetY, f.rotated]);
        if (f.uv === undefined) return;
        const out = new Float32Array(8);
        sheet.getFrameUV(i, out);
        out.forEach((value, k) => near(value, f.uv.flat()[k]));
      });
      const made = [...sheet.createClips().values()];
      expect(made.map((clip) => clip.getName())).toEqual(clips.map((clip: any) => clip.name));
      made.forEach((clip, i) => {
        expect(clip.getLoop()).toBe(clips[i].loop);
        expect(Array.from({ length: clip.getFrameCount() }, (_, k) => clip.getSheetFrame(k))).toEqual(clips[i].sheetFrames);
        near(clip.getDuration(), clips[i].duration);
      });
    });
  }
});

describe("SpriteBatch", () => {
  it("gives its block back", () => {
    const before = heap.blockCount;
    for (let i = 0; i < 100; i++) new SpriteBatch().dispose();
    expect(heap.blockCount).toBe(before);
  });
});
