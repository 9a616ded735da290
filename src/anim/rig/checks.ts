/** Argument checks of the 3D rig. `method` is "ClassName.method", the head of the message. @internal */
import { AnimArgumentError, AnimIndexError, AnimStateError } from "../errors.js";
import { isRetired } from "./retire.js";

/** Joints of a skeleton at most. */
export const MAX_BONES = 1024;

/** Largest number that poses, keys and matrices, which are float32, can hold. */
const MAX_FLOAT32 = 3.4028234663852886e38;

/** Whether it is a number that float32 holds: no NaN, no infinity, and none that would become one when it is stored. */
function isStorable(value: number): boolean {
  return typeof value === "number" && value >= -MAX_FLOAT32 && value <= MAX_FLOAT32;
}

/**
 * Seconds that one update takes at most: beyond it a double has no digits left for a frame, and sums would reach infinity. What is
 * more counts as this much.
 */
export const LONGEST_STEP = 2 ** 52;

/** Shows a value of any type in a message without running its code. */
export function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" || typeof value === "boolean" || value === null || value === undefined) return String(value);
  return `a value of type ${typeof value}`;
}

export function requireFinite(method: string, argument: string, value: number): void {
  if (!isStorable(value)) {
    throw new AnimArgumentError(`${method}: ${argument} is ${show(value)}, expected a finite number${tooLarge(value)}.`, { found: value });
  }
}

/** For a keyed time or a duration: finite and not negative. */
export function requireTime(method: string, argument: string, value: number): void {
  if (!(isStorable(value) && value >= 0)) {
    throw new AnimArgumentError(`${method}: ${argument} is ${show(value)}, expected a finite number of seconds, 0 or more${tooLarge(value)}.`, { found: value });
  }
}

/** For a distance, a radius, a rate: finite and not negative. */
export function requireLength(method: string, argument: string, value: number): void {
  if (!(isStorable(value) && value >= 0)) {
    throw new AnimArgumentError(`${method}: ${argument} is ${show(value)}, expected a finite number, 0 or more${tooLarge(value)}.`, { found: value });
  }
}

/** For a factor or a distance that may not vanish. */
export function requirePositive(method: string, argument: string, value: number): void {
  if (!(isStorable(value) && value > 0)) {
    throw new AnimArgumentError(`${method}: ${argument} is ${show(value)}, expected a finite number above 0${tooLarge(value)}.`, { found: value });
  }
}

/** For a share that is not clamped: 0..1. */
export function requireShare(method: string, argument: string, value: number): void {
  if (!(typeof value === "number" && value >= 0 && value <= 1)) {
    throw new AnimArgumentError(`${method}: ${argument} is ${show(value)}, expected a number from 0 to 1.`, { found: value });
  }
}

function tooLarge(value: unknown): string {
  return typeof value === "number" && Number.isFinite(value) && Math.abs(value) > MAX_FLOAT32 ? ` that float32 can hold (up to ${MAX_FLOAT32})` : "";
}

export function requireFinite3(method: string, what: string, x: number, y: number, z: number): void {
  if (!(isStorable(x) && isStorable(y) && isStorable(z))) {
    const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
    throw new AnimArgumentError(`${method}: ${what} is (${show(x)}, ${show(y)}, ${show(z)}), expected three finite numbers${tooLarge(largest)}.`);
  }
}

/** Length of a quaternion that may be normalised. */
export function requireRotation(method: string, x: number, y: number, z: number, w: number): number {
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  if (!Number.isFinite(length) || typeof x !== "number" || typeof y !== "number" || typeof z !== "number" || typeof w !== "number") {
    const tooLong = Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z) && Number.isFinite(w);
    throw new AnimArgumentError(
      `${method}: the rotation is (${show(x)}, ${show(y)}, ${show(z)}, ${show(w)}), expected ${tooLong ? "a quaternion, whose length is about 1" : "four finite numbers x, y, z, w"}.`);
  }
  if (length < 1e-8) {
    throw new AnimArgumentError(`${method}: the rotation has length ${length}, expected a quaternion. Use (0, 0, 0, 1) for no rotation.`);
  }
  return length;
}

export function requireIndex(method: string, what: string, index: number, count: number): void {
  if (!(Number.isInteger(index) && index >= 0 && index < count)) {
    const range = count > 0 ? `0..${count - 1}` : "none, because there are no entries";
    // Nearly always the answer of findBone() for a misspelt name.
    const hint = index === -1 && /bone/i.test(what) ? " -1 is what findBone() gives for a name that the skeleton does not have." : "";
    throw new AnimIndexError(`${method}: ${what} is ${show(index)}, expected ${range}.${hint}`, { found: index, supported: range });
  }
}

export function requireName(method: string, what: string, name: string): void {
  if (typeof name !== "string" || name === "") {
    throw new AnimArgumentError(`${method}: ${what} is ${show(name)}, expected a text that is not empty.`, { found: name });
  }
}

/**
 * For an object of a class of the module (told by a method that only it has, so that classes need not import each other), or
 * of any other kind of `type`, which is for the message only.
 */
export function requireObject(method: string, argument: string, value: unknown, type: string): void {
  if (value === null || typeof value !== "object" || !isA(type, value)) {
    const article = /^[aeiou]/i.test(type) ? "an" : "a";
    throw new AnimArgumentError(`${method}: ${argument} is ${show(value)}, expected ${article} ${type}.`, { found: value });
  }
  if (isRetired(value)) throw new AnimStateError(`${method}: ${argument} is an ${type} that was disposed. Give one that is in use.`);
}

// The classes that are asked for every frame first and apart: what is small is inlined, and numbers around it are not boxed.
function isA(type: string, value: object): boolean {
  switch (type) {
    case "AnimPose": return "computeWorld" in value;
    case "AnimSkeleton": return "applyBindPose" in value;
    case "AnimClip": return "sampleLod" in value;
    default: return isOneOf(type, value);
  }
}

function isOneOf(type: string, value: object): boolean {
  switch (type) {
    case "AnimPlayer": return "crossFade" in value;
    case "AnimGraph": return "addBlendSpace1D" in value;
    case "AnimStateMachine": return "getStateTime" in value;
    case "DynamicBoneSolver": return "addChainByName" in value;
    case "AnimMirror": return "getCounterpart" in value;
    case "AnimBoneMask": return "setBoneAndChildren" in value;
    case "animation source": return "getPose" in value && "getSkeleton" in value;
    default: return true;
  }
}

export function disposed(method: string, type: string): AnimStateError {
  return new AnimStateError(`${method}: this ${type} was disposed. Create a new one, or dispose it later.`);
}

/** For a level of detail. */
export function requireLod(method: string, lod: number): void {
  if (!(Number.isInteger(lod) && lod >= 0)) {
    throw new AnimArgumentError(`${method}: lod is ${show(lod)}, expected an integer, 0 or more.`, { found: lod });
  }
}
