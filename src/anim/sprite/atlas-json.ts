import { AnimFormatError } from "../errors.js";
import type { TextureLike } from "../module/host.js";
import { JsonSyntaxError, keysInOrder } from "./json-order.js";
import type { FrameDescription } from "./sheet.js";

/** How atlas JSON is read. */
export interface AtlasJsonOptions {
  /** Refuse rotated frames. */
  rejectRotated?: boolean;
  /** Name of an Aseprite slice whose pivot the frames take. */
  pivotSlice?: string;
  /**
   * Whether the user data of Aseprite become events of the clips, a line each: those of a cel on its frame, those of a tag on the
   * first frame of its clip. Default true.
   */
  userDataEvents?: boolean;
  /** Name for error messages. */
  file?: string;
}

/** A clip as a list of sheet frames. */
export interface ClipDescription {
  name: string;
  frames: readonly number[];
  loop: boolean;
  /** Events of the first clip frame, and of sheet frames wherever they occur. */
  firstEvents?: readonly string[];
  frameEvents?: ReadonlyMap<number, readonly string[]>;
}

interface ParsedAtlas {
  frames: FrameDescription[];
  /** null where the file says nothing about clips. */
  clips: ClipDescription[] | null;
  scale: number;
}

type Fields = Record<string, unknown>;

/**
 * Reads the JSON of Aseprite and TexturePacker, hash or array.
 * @throws AnimFormatError naming the frame, or the line of a syntax error
 */
export function parseAtlasJson(json: string | object, texture: TextureLike | null, options: AtlasJsonOptions): ParsedAtlas {
  const reader = new Reader(options);
  const { root, keys } = reader.parse(json);
  const meta = reader.optionalObject(root.meta, "/meta");
  reader.checkSize(meta, texture);
  const frames = reader.frames(root.frames, keys);
  if (texture !== null || meta?.size !== undefined) reader.checkInside(frames, meta, texture);
  reader.pivots(frames, meta);
  const scale = Number(meta?.scale ?? 1);
  return { frames, clips: reader.clips(root, meta, frames), scale: Number.isFinite(scale) && scale > 0 ? scale : 1 };
}

class Reader {
  readonly #options: AtlasJsonOptions;
  constructor(options: AtlasJsonOptions) {
    this.#options = options;
  }

  parse(json: string | object): { root: Fields; keys: string[] | undefined } {
    if (typeof json !== "string") return { root: this.#object(json, ""), keys: undefined };
    try {
      const keys = keysInOrder(json, "frames");
      return { root: this.#object(JSON.parse(json.replace(/^\uFEFF/, "")), ""), keys };
    } catch (cause) {
      if (!(cause instanceof JsonSyntaxError)) throw cause;
      throw new AnimFormatError(`The atlas is no JSON: line ${cause.line}: ${cause.message}.`, { file: this.#options.file, line: cause.line, cause });
    }
  }

  frames(value: unknown, keys: string[] | undefined): FrameDescription[] {
    if (Array.isArray(value)) {
      const seen = new Set<string>();
      return value.map((item, i) => {
        const fields = this.#object(item, `/frames/${i}`);
        if (typeof fields.filename !== "string") this.#fail(`frame ${i} has no "filename"`, `/frames/${i}/filename`);
        this.#checkUnique(fields.filename as string, seen);
        return this.#frame(fields.filename as string, fields);
      });
    }
    const map = this.#object(value, "/frames");
    const seen = new Set<string>();
    return (keys ?? Object.keys(map)).map((name) => {
      this.#checkUnique(name, seen);
      return this.#frame(name, this.#object(map[name], `/frames/${name}`));
    });
  }

  #checkUnique(name: string, seen: Set<string>): void {
    if (seen.has(name)) this.#fail(`the frame "${name}" occurs twice; export with frame numbers in the names`, `/frames/${name}`);
    seen.add(name);
  }

  #frame(name: string, fields: Fields): FrameDescription {
    const at = `/frames/${name}`;
    const rect = this.#rect(fields.frame, `${at}/frame`, ["x", "y", "w", "h"]);
    let [width, height] = [rect.w!, rect.h!];
    const rotated = fields.rotated === true;
    if (fields.rotated !== undefined && typeof fields.rotated !== "boolean") this.#fail(`frame "${name}": "rotated" is no boolean`, `${at}/rotated`);
    if (rotated && this.#options.rejectRotated === true) this.#fail(`frame "${name}" is rotated, which was excluded`, `${at}/rotated`);
    const source = fields.sourceSize === undefined ? undefined : this.#rect(fields.sourceSize, `${at}/sourceSize`, ["w", "h"]);
    const inside = fields.spriteSourceSize === undefined ? undefined : this.#rect(fields.spriteSourceSize, `${at}/spriteSourceSize`, ["x", "y", "w", "h"], -(2 ** 24));
    let offsetX = inside?.x ?? 0;
    let offsetY = inside?.y ?? 0;
    if (fields.trimmed !== undefined && typeof fields.trimmed !== "boolean") this.#fail(`frame "${name}": "trimmed" is no boolean`, `${at}/trimmed`);
    if (inside !== undefined) {
      // Some packers write the size as it lies in the texture.
      if (rotated && width === inside.h && height === inside.w && width !== inside.w) [width, height] = [height, width];
      const padX = width - inside.w!;
      const padY = height - inside.h!;
      if (padX < 0 || padY < 0) this.#fail(`frame "${name}" is smaller than its spriteSourceSize`, `${at}/spriteSourceSize`);
      if (padX % 2 !== 0 || padY % 2 !== 0) this.#fail(`frame "${name}" differs from its spriteSourceSize by an odd number of pixels`, `${at}/spriteSourceSize`);
      offsetX -= padX / 2;
      offsetY -= padY / 2;
    }
    if (width < 1 || height < 1) this.#fail(`frame "${name}" is empty`, `${at}/frame`);
    const pivotName = fields.pivot === undefined ? "anchor" : "pivot";
    const pivot = this.optionalObject(fields[pivotName], `${at}/${pivotName}`);
    return {
      name, x: rect.x!, y: rect.y!, width, height, rotated, offsetX, offsetY,
      sourceWidth: source?.w ?? width, sourceHeight: source?.h ?? height,
      pivotX: pivot && this.#number(pivot.x, `${at}/${pivotName}/x`, -(2 ** 24)), pivotY: pivot && this.#number(pivot.y, `${at}/${pivotName}/y`, -(2 ** 24)),
      duration: fields.duration === undefined ? undefined : this.#number(fields.duration, `${at}/duration`, 0) / 1000,
    };
  }

  checkSize(meta: Fields | undefined, texture: TextureLike | null): void {
    if (texture === null || meta?.size === undefined) return;
    const { w, h } = this.#rect(meta.size, "/meta/size", ["w", "h"]);
    if (w !== texture.getWidth() || h !== texture.getHeight()) {
      this.#fail(`the file is for a texture of ${w} x ${h}, this one has ${texture.getWidth()} x ${texture.getHeight()}`, "/meta/size");
    }
  }

  checkInside(frames: FrameDescription[], meta: Fields | undefined, texture: TextureLike | null): void {
    const size = meta?.size === undefined ? undefined : this.#rect(meta.size, "/meta/size", ["w", "h"]);
    const width = texture?.getWidth() ?? size!.w!;
    const height = texture?.getHeight() ?? size!.h!;
    for (const f of frames) {
      const right = f.x + (f.rotated === true ? f.height : f.width);
      const bottom = f.y + (f.rotated === true ? f.width : f.height);
      if (right > width || bottom > height) this.#fail(`frame "${f.name}" ends at ${right}, ${bottom}, outside of ${width} x ${height}`, `/frames/${f.name}/frame`);
    }
  }

  /** Pivots from an Aseprite slice: in pixels from the slice's corner, per key frame. */
  pivots(frames: FrameDescription[], meta: Fields | undefined): void {
    const wanted = this.#options.pivotSlice;
    if (wanted === undefined || !Array.isArray(meta?.slices)) return;
    const slice = (meta!.slices as Fields[]).find((one) => one?.name === wanted);
    const keys = (slice?.keys ?? []) as { frame: number; bounds: { x: number; y: number }; pivot?: { x: number; y: number } }[];
    frames.forEach((frame, i) => {
      const key = keys.filter((one) => one.frame <= i && one.pivot !== undefined).at(-1);
      if (key?.pivot === undefined) return;
      frame.pivotX = (key.bounds.x + key.pivot.x) / frame.sourceWidth!;
      frame.pivotY = (key.bounds.y + key.pivot.y) / frame.sourceHeight!;
    });
  }

  clips(root: Fields, meta: Fields | undefined, frames: FrameDescription[]): ClipDescription[] | null {
    const frameEvents = this.#celEvents(meta);
    if (Array.isArray(meta?.frameTags) && meta!.frameTags.length > 0) {
      return meta!.frameTags.map((tag, i) => ({ ...this.#tag(tag, i, frames.length), firstEvents: this.#namesIn((tag as Fields).data), frameEvents }));
    }
    if (frameEvents.size > 0) return [{ name: "default", frames: frames.map((_, i) => i), loop: true, frameEvents }];
    if (root.animations === undefined || Object.keys(this.#object(root.animations, "/animations")).length === 0) return null;
    const byName = new Map(frames.map((frame, i) => [frame.name!, i]));
    return Object.entries(this.#object(root.animations, "/animations")).map(([name, list]) => {
      if (!Array.isArray(list)) this.#fail(`animation "${name}" is no list`, `/animations/${name}`);
      return {
        name, loop: true,
        frames: (list as unknown[]).map((frame) => {
          const index = byName.get(frame as string);
          if (index === undefined) this.#fail(`animation "${name}" names a frame "${String(frame)}" that does not exist`, `/animations/${name}`);
          return index!;
        }),
      };
    });
  }

  /** Events by frame from the cels of all layers, lowest layer first. */
  #celEvents(meta: Fields | undefined): Map<number, string[]> {
    const events = new Map<number, string[]>();
    if (!Array.isArray(meta?.layers)) return events;
    meta!.layers.forEach((layer, i) => {
      const cels = (layer as Fields | null)?.cels;
      if (!Array.isArray(cels)) return;
      cels.forEach((value, k) => {
        const at = `/meta/layers/${i}/cels/${k}`;
        const cel = this.#object(value, at);
        const names = this.#namesIn(cel.data);
        if (names.length === 0) return;
        const frame = this.#number(cel.frame, `${at}/frame`, 0);
        events.set(frame, [...(events.get(frame) ?? []), ...names]);
      });
    });
    return events;
  }

  /** The lines of a user data text. */
  #namesIn(data: unknown): string[] {
    if (this.#options.userDataEvents === false || typeof data !== "string") return [];
    return data.split(/[\r\n]+/).map((line) => line.trim()).filter((line) => line !== "");
  }

  /** `repeat` counts passes in one direction; a turning frame is not shown twice. */
  #tag(value: unknown, index: number, count: number): ClipDescription {
    const at = `/meta/frameTags/${index}`;
    const tag = this.#object(value, at);
    const name = String(tag.name ?? "");
    const from = this.#number(tag.from, `${at}/from`, 0);
    const to = this.#number(tag.to, `${at}/to`, 0);
    if (!Number.isInteger(from) || !Number.isInteger(to)) this.#fail(`tag "${name}" goes from ${from} to ${to}, expected whole numbers`, at);
    if (from > to || to >= count) this.#fail(`tag "${name}" goes from ${from} to ${to}, there are ${count} frames`, at);
    const repeat = Math.min(1e4, Math.max(0, Math.trunc(Number(tag.repeat ?? 0)) || 0));
    const up = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    const down = up.toReversed();
    const direction = String(tag.direction ?? "forward");
    const passes = Math.max(1, repeat);
    let frames: number[] = [];
    if (direction === "forward" || direction === "reverse") {
      for (let i = 0; i < passes; i++) frames.push(...(direction === "forward" ? up : down));
    } else if (direction === "pingpong" || direction === "pingpong_reverse") {
      const [first, second] = direction === "pingpong" ? [up, down] : [down, up];
      if (up.length === 1) frames = up;
      else if (repeat === 0) frames = [...first, ...second.slice(1, -1)];
      else for (let i = 0; i < passes; i++) frames.push(...(i % 2 === 0 ? first : second).slice(i === 0 ? 0 : 1));
    } else {
      this.#fail(`tag "${name}" has the direction "${direction}", expected forward, reverse, pingpong or pingpong_reverse`, `${at}/direction`);
    }
    return { name, frames, loop: repeat === 0 };
  }

  optionalObject(value: unknown, pointer: string): Fields | undefined {
    return value === undefined ? undefined : this.#object(value, pointer);
  }

  #object(value: unknown, pointer: string): Fields {
    if (typeof value !== "object" || value === null || Array.isArray(value)) this.#fail(`${pointer === "" ? "the file" : pointer} is no object`, pointer);
    return value as Fields;
  }

  #rect<K extends string>(value: unknown, pointer: string, names: readonly K[], min = 0): Partial<Record<K, number>> {
    const fields = this.#object(value, pointer);
    const out: Partial<Record<K, number>> = {};
    for (const name of names) {
      const number = this.#number(fields[name], `${pointer}/${name}`, name === "x" || name === "y" ? min : 0);
      if (!Number.isInteger(number)) this.#fail(`${pointer}/${name} is ${number}, expected a whole number`, `${pointer}/${name}`);
      out[name] = number;
    }
    return out;
  }

  #number(value: unknown, pointer: string, min: number): number {
    if (typeof value !== "number" || !Number.isFinite(value) || value < min) {
      this.#fail(`${pointer} is ${JSON.stringify(value)}, expected a number of at least ${min}`, pointer, value);
    }
    return value as number;
  }

  #fail(message: string, pointer: string, found?: unknown): never {
    throw new AnimFormatError(`Atlas JSON${this.#options.file === undefined ? "" : ` ${this.#options.file}`}: ${message}.`, { file: this.#options.file, pointer, found });
  }
}
