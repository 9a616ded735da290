import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AssetCache, AssetManagerBase, Downloader, FakeTexture, type TextureAtlas } from "../../../src/spine/index.js";

const ATLAS = "page.png\nsize: 64, 32\nregion\nbounds: 0, 0, 8, 4\n";
const FILES: Record<string, string> = { "pre/a.txt": "TEXT", "pre/a.json": '{"a":1}', "pre/bad.json": "{", "pre/sub/x.atlas": ATLAS };
const fetched: string[] = [];

/** Answers from FILES; images are any path that ends in .png. */
function fakeFetch(url: string): Promise<Response> {
  fetched.push(url);
  const body = FILES[url] ?? (url.endsWith(".png") ? "image" : undefined);
  return Promise.resolve(body === undefined ? new Response("nope", { status: 404 }) : new Response(body));
}

beforeEach(() => {
  fetched.length = 0;
  vi.stubGlobal("fetch", fakeFetch);
  vi.stubGlobal("createImageBitmap", () => Promise.resolve({ width: 64, height: 32 }));
});
afterEach(() => vi.unstubAllGlobals());

class Recorded extends FakeTexture {
  disposed = 0;
  override dispose(): void {
    this.disposed++;
  }
}

describe("AssetManagerBase", () => {
  it("loads texts, objects and bytes below its prefix and tells when it is done", async () => {
    const assets = new AssetManagerBase((image) => new Recorded(image), "pre/");
    const seen: unknown[] = [];
    assets.loadText("a.txt", (path, text) => seen.push([path, text]));
    assets.loadJson("a.json");
    assets.loadBinary("a.txt");
    expect(assets.isLoadingComplete()).toBe(false);
    await assets.loadAll();
    expect(assets.isLoadingComplete()).toBe(true);
    expect(seen).toEqual([["pre/a.txt", "TEXT"]]);
    expect(assets.get("a.json")).toEqual({ a: 1 });
    expect(assets.require("a.json")).toBe(assets.get("a.json"));
  });

  it("keeps the message of a failure and throws it where the asset is required", async () => {
    const assets = new AssetManagerBase((image) => new Recorded(image), "pre/");
    const failures: string[] = [];
    assets.loadText("none.txt", undefined, (_path, message) => failures.push(message));
    assets.loadJson("bad.json");
    await expect(assets.loadAll()).rejects.toBe(assets.getErrors());
    expect(failures[0]).toContain("status 404");
    expect(Object.keys(assets.getErrors()).toSorted()).toEqual(["pre/bad.json", "pre/none.txt"]);
    expect(() => assets.require("none.txt")).toThrow(/status 404/);
    expect(() => assets.require("never.txt")).toThrow(/not loaded/);
  });

  it("loads the pages of an atlas from its folder, says whether they are premultiplied, and follows aliases", async () => {
    const made: (boolean | undefined)[] = [];
    const assets = new AssetManagerBase((image, pma) => {
      made.push(pma);
      return new Recorded(image);
    }, "pre/");
    assets.loadTextureAtlas("sub/x.atlas");
    await assets.loadAll();
    expect(fetched).toContain("pre/sub/page.png");
    const atlas = assets.require("sub/x.atlas") as TextureAtlas;
    expect(atlas.regions[0]!.texture).toBe(assets.get("sub/page.png"));
    expect(made).toEqual([false]);

    const aliased = new AssetManagerBase((image) => new Recorded(image), "pre/");
    aliased.loadTextureAtlas("sub/x.atlas", undefined, undefined, { "page.png": "other.png" });
    await aliased.loadAll();
    expect(fetched).toContain("pre/other.png");
  });

  it("answers from data URIs without fetching", async () => {
    const assets = new AssetManagerBase((image) => new Recorded(image), "pre/");
    assets.setRawDataURI("a.json", `data:application/json;base64,${btoa('{"b":2}')}`);
    expect(await assets.loadJsonAsync("a.json")).toEqual({ b: 2 });
    expect(fetched).toEqual([]);
  });

  it("fetches a path once for all who ask, and disposes an asset when its last user gives it back", async () => {
    const cache = new AssetCache();
    const one = new AssetManagerBase((image) => new Recorded(image), "pre/", new Downloader(), cache);
    const two = new AssetManagerBase((image) => new Recorded(image), "pre/", new Downloader(), cache);
    one.loadTexture("t.png");
    two.loadTexture("t.png");
    await Promise.all([one.loadAll(), two.loadAll()]);
    expect(fetched).toEqual(["pre/t.png"]);
    const texture = one.get("t.png") as Recorded;
    expect(two.get("t.png")).toBe(texture);
    one.dispose();
    expect(texture.disposed).toBe(0);
    two.disposeAsset("t.png");
    expect(texture.disposed).toBe(1);
    expect(two.get("t.png")).toBeUndefined();
  });
});

describe("Downloader", () => {
  it("refuses what is no data URI", () => {
    const downloader = new Downloader();
    expect(() => downloader.dataUriToString("hello")).toThrow(/data URI/);
    expect(downloader.dataUriToString("data:text/plain,he")).toBe("he");
    expect([...downloader.dataUriToUint8Array("data:x;base64,aGVsbG8=")]).toEqual([104, 101, 108, 108, 111]);
  });
});
