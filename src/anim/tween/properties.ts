import { AnimArgumentError, AnimIndexError, AnimNameError } from "../errors.js";
import { checkNumber } from "../module/check.js";
import { nearMatches } from "../module/near-matches.js";
import { evaluateEase, resolveEase, type Ease } from "../motion/ease.js";
import { Track } from "./track.js";

/** What a tween moves: named scalars, their ends, and the object that their values are written into. */
export abstract class TweenProperties {
  /** @internal */ protected curve: Ease = resolveEase("");
  /** @internal */ protected readonly tracks: Track[] = [];
  readonly #byName = new Map<string, Track>();
  #target: Record<string, unknown> | null = null;
  #names: Record<string, string> = {};

  /** Waiting for its delay, or running. */
  abstract isActive(): boolean;

  /** Start of a property. It becomes the current value at once unless the tween is active. @throws AnimArgumentError */
  setFrom(name: string, value: number): void {
    this.#from(name, value, false);
  }

  /** Absolute end of a property. @throws AnimArgumentError */
  setTo(name: string, value: number): void {
    this.#to(name, value, false, false);
  }

  /** End of a property, relative to its start. @throws AnimArgumentError */
  setDelta(name: string, delta: number): void {
    this.#to(name, delta, true, false);
  }

  /**
   * Start of an angle in radians, which takes the short way round. The last setter decides whether a property is an angle:
   * a `setTo` after `setFromAngle` makes it a plain number again.
   * @throws AnimArgumentError
   */
  setFromAngle(name: string, radians: number): void {
    this.#from(name, radians, true);
  }

  /** Absolute end of an angle in radians. @throws AnimArgumentError */
  setToAngle(name: string, radians: number): void {
    this.#to(name, radians, false, true);
  }

  /** Relative end of an angle in radians; at most half a turn comes of it. For full turns use `setDelta`. @throws AnimArgumentError */
  setDeltaAngle(name: string, deltaRadians: number): void {
    this.#to(name, deltaRadians, true, true);
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Current value. @throws AnimNameError */
  get(name: string): number {
    return this.#track(name).value;
  }

  /** Start value. @throws AnimNameError */
  getFrom(name: string): number {
    return this.#track(name).start;
  }

  /** End value; start plus delta for a relative property. @throws AnimNameError */
  getTo(name: string): number {
    return this.#track(name).to;
  }

  /** Delta of a relative property, else end minus start. @throws AnimNameError */
  getDelta(name: string): number {
    const track = this.#track(name);
    return track.isRelative ? track.end : track.end - track.start;
  }

  getPropertyCount(): number {
    return this.tracks.length;
  }

  /** Name of a property in the order of creation. @throws AnimIndexError */
  getPropertyName(index: number): string {
    const track = this.tracks[index];
    if (track === undefined) throw new AnimIndexError(`Property ${index} does not exist, there are ${this.tracks.length}.`, { found: index });
    return track.name;
  }

  /** Value of a property at a linear progress (clamped to 0..1), start to end whatever the direction. @throws AnimNameError */
  evaluate(name: string, t: number): number {
    return this.#track(name).at(evaluateEase(this.curve, checkNumber(t, "t")));
  }

  /**
   * Writes every property into `target[map[name] ?? name]` after each evaluation; null ends that.
   * @param map - property names that differ
   * @throws AnimArgumentError for a target that is no object; what a setter of the target throws is reported, as of a callback
   */
  bindTo(target: object | null, map: Record<string, string> = {}): this {
    if (target != null && typeof target !== "object" && typeof target !== "function") {
      throw new AnimArgumentError(`A tween is bound to ${typeof target}, expected an object or null.`, { found: target });
    }
    if (typeof map !== "object" || map === null) throw new AnimArgumentError("The names of a binding are no object.", { found: map });
    this.#target = (target ?? null) as Record<string, unknown> | null;
    this.#names = map;
    return this;
  }

  /** @internal All values at an eased factor. */
  protected apply(eased: number): void {
    for (let i = 0; i < this.tracks.length; i++) {
      const track = this.tracks[i]!;
      track.value = track.at(eased);
    }
    this.write();
  }

  /** @internal Takes what a setter of the bound object throws. */
  protected abstract report(error: unknown, what: string): void;

  /** @internal Writes the values into the bound object. */
  protected write(): void {
    const target = this.#target;
    if (target === null) return;
    for (let i = 0; i < this.tracks.length; i++) {
      const { name, value } = this.tracks[i]!;
      try {
        target[this.#names[name] ?? name] = value;
      } catch (error) {
        this.report(error, `Tween.bindTo ${name}`);
      }
    }
  }

  #from(name: string, value: number, isAngle: boolean): void {
    checkNumber(value, name);
    const track = this.#trackOrNew(name);
    track.start = value;
    track.hasStart = true;
    track.isAngle = isAngle;
    if (!this.isActive()) track.value = value;
  }

  #to(name: string, value: number, isRelative: boolean, isAngle: boolean): void {
    checkNumber(value, name);
    const track = this.#trackOrNew(name);
    track.end = value;
    track.isRelative = isRelative;
    track.isAngle = isAngle;
  }

  #track(name: string): Track {
    const track = this.#byName.get(name);
    if (track === undefined) throw new AnimNameError(`The tween has no property "${name}".${nearMatches(String(name), this.#byName.keys())}`, { found: name });
    return track;
  }

  #trackOrNew(name: string): Track {
    if (typeof name !== "string" || name === "") throw new AnimArgumentError("A property needs a name that is not empty.");
    let track = this.#byName.get(name);
    if (track === undefined) {
      this.#byName.set(name, (track = new Track(name)));
      this.tracks.push(track);
    }
    return track;
  }
}
