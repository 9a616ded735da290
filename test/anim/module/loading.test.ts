import { describe, expect, it } from "vitest";
import { AnimIOError, AnimStateError } from "../../../src/anim/errors.js";
import { Animation, type AnimationHost, type GraphicsLike, type RawImage, type TextureLike } from "../../../src/anim/module/index.js";

const ATLAS = JSON.stringify({ frames: { a: { frame: { x: 0, y: 0, w: 4, h: 4 } } } });
const SPINE_ATLAS = "p.png\nsize: 4, 4\nr\nbounds: 0, 0, 1, 1\n";

class FakeTexture implements TextureLike {
  isDestroyed = false;
  constructor(readonly image: RawImage) {}
  getWidth(): number {
    return this.image.width;
  }
  getHeight(): number {
    return this.image.height;
  }
  destroy(): void {
    this.isDestroyed = true;
  }
}

/** Graphics that remember their textures, and a host that counts what it is asked for. */
function surroundings(later: boolean): { host: AnimationHost; gfx: GraphicsLike; textures: FakeTexture[]; reads: string[] } {
  const textures: FakeTexture[] = [];
  const reads: string[] = [];
  const answer = <T>(value: T): T => (later ? (Promise.resolve(value) as T) : value);
  return {
    textures, reads,
    gfx: {
      newTextureFromImage(image) {
        const texture = new FakeTexture(image);
        textures.push(texture);
        return texture;
      },
    },
    host: {
      readText: (path) => {
        reads.push(path);
        return answer(path.endsWith(".atlas") ? SPINE_ATLAS : ATLAS);
      },
      readBytes: (path) => {
        reads.push(path);
        if (path.includes("missing")) throw new Error("gone");
        return answer(Uint8Array.of(1));
      },
      decodeImage: () => answer({ width: 4, height: 4, data: new Uint8Array(64).fill(255) }),
    },
  };
}

for (const later of [false, true]) {
  describe(later ? "a host that answers with promises" : "a host that answers at once", () => {
    it("loads an image sequence once for requests at the same time and later", async () => {
      const { host, gfx, textures, reads } = surroundings(later);
      const anim = new Animation(host);
      const load = () => anim.newSpriteSheetFromSequence(gfx, "f{n}.png", 0, 3);
      const sheets = [...(await Promise.all([load(), load(), load()])), await load()];
      expect([textures.length, reads.length, new Set(sheets).size, new Set(sheets.map((sheet) => sheet.getTexture())).size]).toEqual([1, 3, 4, 1]);
      expect(anim.getSpriteSequenceCacheCount()).toBe(1);
    });

    it("gives the sheets of one atlas picture one texture, per graphics object, until the cache is cleared", async () => {
      const { host, gfx, textures } = surroundings(later);
      const anim = new Animation(host);
      const load = () => anim.newSpriteSheetFromAtlasJson(gfx, "t.png", "t.json");
      const sheets = [...(await Promise.all([load(), load()])), await load()];
      expect([textures.length, new Set(sheets).size]).toEqual([1, 3]);
      for (const sheet of sheets) expect(sheet.getTexture()).toBe(textures[0]);
      const other = surroundings(later);
      await anim.newSpriteSheetFromAtlasJson(other.gfx, "t.png", "t.json");
      expect(other.textures.length).toBe(1);
      expect(anim.getSpriteSequenceCacheCount()).toBe(0);
      anim.clearSpriteSequenceCache();
      await load();
      expect(textures.length).toBe(2);
      expect(textures[0]!.isDestroyed).toBe(false);
    });

    it("reads a file once for requests at the same time, and gives each its own object", async () => {
      const { host, reads } = surroundings(later);
      const anim = new Animation(host);
      const [a, b] = await Promise.all([anim.newSpineAtlasFromFile("x.atlas"), anim.newSpineAtlasFromFile("x.atlas")]);
      expect(a).not.toBe(b);
      expect(reads.length).toBe(later ? 1 : 2);
      await anim.newSpineAtlasFromFile("x.atlas");
      expect(reads.length).toBe(later ? 2 : 3);
    });

    it("tells every request of a failure, and tries again later", async () => {
      const { host, gfx, reads } = surroundings(later);
      const anim = new Animation(host);
      const load = () => anim.newSpriteSheetFromAtlasJson(gfx, "missing.png", "t.json");
      for (const result of await Promise.allSettled([load(), load()])) expect((result as PromiseRejectedResult).reason).toBeInstanceOf(AnimIOError);
      const before = reads.length;
      await expect(load()).rejects.toThrow(AnimIOError);
      expect(reads.length).toBeGreaterThan(before);
      await expect(anim.newSpriteSheetFromSequence(gfx, "missing{n}.png", 0, 2)).rejects.toThrow(/missing0\.png/);
      expect(anim.getSpriteSequenceCacheCount()).toBe(0);
    });

    it("destroys the textures of cleared atlases that no sheet uses", async () => {
      const { host, gfx, textures } = surroundings(later);
      const anim = new Animation(host);
      const used = await anim.newSpriteSheetFromSequence(gfx, "a{n}.png", 0, 1);
      const left = await anim.newSpriteSheetFromSequence(gfx, "b{n}.png", 0, 1);
      left.setTexture(null);
      expect(anim.clearSpriteSequenceCache()).toBe(2);
      expect(textures.map((texture) => texture.isDestroyed)).toEqual([false, true]);
      expect(used.getTexture()).toBe(textures[0]);
    });

    it("rejects after dispose", async () => {
      const { host, gfx } = surroundings(later);
      const anim = new Animation(host);
      anim.dispose();
      await expect(anim.newSpriteSheetFromSequence(gfx, "a{n}.png", 0, 1)).rejects.toThrow(AnimStateError);
      await expect(anim.newSpineAtlasFromFile("x.atlas")).rejects.toThrow(AnimStateError);
    });
  });
}
