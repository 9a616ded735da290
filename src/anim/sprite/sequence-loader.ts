import { AnimArgumentError, AnimStateError } from "../errors.js";
import { checkInteger, checkNumber } from "../module/check.js";
import { readImage } from "../module/files.js";
import type { AnimationHost, GraphicsLike, TextureLike } from "../module/host.js";
import { chain, chainAll, isPromise, type Maybe } from "../module/maybe-promise.js";
import { packImages } from "./pack.js";
import { SpriteSheet, uniqueName, type FrameDescription } from "./sheet.js";

/** An atlas that is made of single pictures. */
export interface SequenceOptions {
  /** Path with one placeholder: `{n}`, or `{n:4}` for numbers with leading zeros. */
  pattern: string;
  /** First number, default 0. */
  first?: number;
  /** Number of pictures; or give `last`. */
  count?: number;
  last?: number;
  /** Columns of a grid; 0, the default, packs tightly. */
  columns?: number;
  /** Pixels with an alpha up to this count as empty. Default 0. */
  alphaThreshold?: number;
  /** Width of the border that repeats the edge pixels. Default 1. */
  extrude?: number;
  /** Largest width and height. Default 8192. */
  maxSize?: number;
  /** Name of the texture. */
  name?: string;
}

interface Entry {
  texture: TextureLike;
  frames: readonly FrameDescription[];
  bytes: number;
  /** The sheets that were made of it. */
  sheets: WeakRef<SpriteSheet>[];
}

const PLACEHOLDER = /\{n(?::0?(\d{1,2}))?\}/g;

/** Atlases of image sequences, one per set of parameters. */
export class SequenceCache {
  readonly #entries = new Map<string, Entry>();
  readonly #pending = new Map<string, Promise<Entry>>();
  readonly #ids = new WeakMap<object, number>();
  #nextId = 1;

  get count(): number {
    return this.#entries.size;
  }

  /** Estimated texture memory. */
  get bytes(): number {
    let sum = 0;
    for (const entry of this.#entries.values()) sum += entry.bytes;
    return sum;
  }

  /** Forgets all atlases; sheets that use one keep their texture, which is destroyed where there is none. Returns how many. */
  clear(): number {
    const count = this.#entries.size;
    for (const { texture, sheets } of this.#entries.values()) {
      if (!sheets.some((sheet) => sheet.deref()?.getTexture() === texture)) texture.destroy?.();
    }
    this.#entries.clear();
    return count;
  }

  /** A new sheet over the atlas, which is made if it is not there. */
  load(host: AnimationHost, gfx: GraphicsLike, options: SequenceOptions): Maybe<SpriteSheet> {
    const { paths, ...pack } = resolve(options);
    if (gfx?.newTextureFromImage === undefined) throw new AnimStateError("The graphics object has no newTextureFromImage().");
    const key = JSON.stringify([this.#id(host), this.#id(gfx), options.pattern, paths.length, paths[0], pack]);
    const known = this.#entries.get(key) ?? this.#pending.get(key);
    if (known !== undefined) return chain(known, makeSheet);
    const made = chainAll(paths.map((path) => readImage(host, path)), (images): Entry => {
      const { atlas, frames } = packImages(images, pack);
      const texture = gfx.newTextureFromImage!(atlas, options.name ?? options.pattern);
      const names = new Set<string>();
      const entry: Entry = {
        texture, bytes: atlas.width * atlas.height * 4, sheets: [],
        frames: frames.map((frame, i) => {
          const name = uniqueName(paths[i]!.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, ""), names);
          names.add(name);
          return { ...frame, name };
        }),
      };
      this.#entries.set(key, entry);
      return entry;
    });
    if (isPromise(made)) {
      const shared = made.finally(() => this.#pending.delete(key));
      this.#pending.set(key, shared);
      return shared.then(makeSheet);
    }
    return makeSheet(made);
  }

  #id(object: object): number {
    let id = this.#ids.get(object);
    if (id === undefined) this.#ids.set(object, (id = this.#nextId++));
    return id;
  }
}

function makeSheet(entry: Entry): SpriteSheet {
  const sheet = new SpriteSheet();
  for (const frame of entry.frames) sheet.addFrameEx(frame);
  sheet.setTexture(entry.texture);
  entry.sheets = entry.sheets.filter((one) => one.deref() !== undefined);
  entry.sheets.push(new WeakRef(sheet));
  return sheet;
}

/** Checks the options and lists the files. @throws AnimArgumentError */
function resolve(options: SequenceOptions): { paths: string[]; columns: number; alphaThreshold: number; extrude: number; maxSize: number } {
  const { pattern } = options;
  const placeholders = typeof pattern === "string" ? [...pattern.matchAll(PLACEHOLDER)] : [];
  if (placeholders.length !== 1) throw new AnimArgumentError(`The pattern "${String(pattern)}" needs exactly one {n} or {n:4}.`, { found: pattern });
  const first = checkInteger(options.first ?? 0, "first", 0, 2 ** 31);
  if ((options.count === undefined) === (options.last === undefined)) throw new AnimArgumentError("Give either count or last.");
  const count = checkInteger(options.count ?? options.last! - first + 1, "count", 1, 65536);
  const digits = Number(placeholders[0]![1] ?? 0);
  return {
    paths: Array.from({ length: count }, (_, i) => pattern.replace(PLACEHOLDER, String(first + i).padStart(digits, "0"))),
    columns: checkInteger(options.columns ?? 0, "columns", 0, 65536),
    alphaThreshold: checkNumber(options.alphaThreshold ?? 0, "alphaThreshold", 0),
    extrude: checkInteger(options.extrude ?? 1, "extrude", 0, 64),
    maxSize: checkInteger(options.maxSize ?? 8192, "maxSize", 1, 65536),
  };
}
