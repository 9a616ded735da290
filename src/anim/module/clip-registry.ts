import { importEva } from "../../import/fixture/import.js";
import { AnimArgumentError, AnimNameError } from "../errors.js";
import { requireName, requireObject, show } from "../rig/checks.js";
import type { AnimClip } from "../rig/clip.js";
import { defaultHost } from "./default-host.js";
import { now, readText } from "./files.js";
import type { AnimationHost } from "./host.js";
import { nearMatches } from "./near-matches.js";

/**
 * Clips by the path of their file, for hot reload: `reload` reads the file again and puts its content into the clip that is
 * registered, so that players, graphs and crowds which hold it go on with the new content.
 *
 * Paths are compared with `\` as `/`, and without `./` in front. Holds its clips until they are unregistered; does not dispose them.
 */
export class AnimClipRegistry {
  readonly #clips = new Map<string, AnimClip>();
  readonly #host: AnimationHost;

  /** @param host - reads the files; default the platform's, as of `Animation` */
  constructor(host: AnimationHost = defaultHost()) {
    requireObject("AnimClipRegistry", "host", host, "object with readText()");
    this.#host = host;
  }

  /** Puts a clip under a path, in the place of one that was there. @returns the path as it is compared */
  register(path: string, clip: AnimClip): string {
    const key = normalised("register", path);
    requireObject("AnimClipRegistry.register", "clip", clip, "AnimClip");
    this.#clips.set(key, clip);
    return key;
  }

  /** Forgets a path; its clip stays in use where it is. @returns whether there was one */
  unregister(path: string): boolean { return this.#clips.delete(normalised("unregister", path)); }

  /** The clip of a path, null if there is none. */
  find(path: string): AnimClip | null { return this.#clips.get(normalised("find", path)) ?? null; }

  /** Paths that are registered. */
  getCount(): number { return this.#clips.size; }

  /** The paths, in the order of registration. */
  getPaths(): string[] { return [...this.#clips.keys()]; }

  /**
   * Gives the clip of a path new content, see `AnimClip.adopt`. If reading fails, it stays as it was.
   * @param fresh - the content, for files of any format that the program reads itself; default: the file is read at once by the
   *   host as a fixture text (`.eva`, `.anim.txt`)
   * @returns the registered clip
   * @throws AnimNameError if nothing is registered there; AnimStateError if the host answers with a promise (use `reloadAsync`),
   *   AnimIOError, AnimFormatError
   */
  reload(path: string, fresh?: AnimClip): AnimClip {
    const key = normalised("reload", path), clip = this.#require("reload", key);
    if (fresh === undefined) return this.#adopt("reload", key, path, now(readText(this.#host, path)));
    requireObject("AnimClipRegistry.reload", "fresh", fresh, "AnimClip");
    clip.adopt(fresh);
    return clip;
  }

  /** The same for hosts that answer with promises. Rejects where `reload` throws, also if the path was unregistered meanwhile. */
  async reloadAsync(path: string): Promise<AnimClip> {
    const key = normalised("reloadAsync", path);
    this.#require("reloadAsync", key);
    return this.#adopt("reloadAsync", key, path, await readText(this.#host, path));
  }

  #adopt(method: string, key: string, path: string, text: string): AnimClip {
    const clip = this.#require(method, key), read = importEva(text, path);
    clip.adopt(read.clip);
    read.clip.dispose();
    read.skeleton.dispose();
    return clip;
  }

  #require(method: string, key: string): AnimClip {
    const clip = this.#clips.get(key);
    if (clip === undefined) {
      throw new AnimNameError(`AnimClipRegistry.${method}: no clip is registered as ${show(key)}.${nearMatches(key, this.getPaths())} Call register(path, clip) first.`, { found: key });
    }
    return clip;
  }
}

function normalised(method: string, path: string): string {
  requireName(`AnimClipRegistry.${method}`, "path", path);
  const key = path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
  if (key === "") throw new AnimArgumentError(`AnimClipRegistry.${method}: path is ${show(path)}, expected the path of a file.`, { found: path });
  return key;
}
