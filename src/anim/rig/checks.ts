/** Argument checks of the 3D rig. `method` is "ClassName.method", the head of the message. @internal */
import { AnimArgumentError, AnimIndexError, AnimStateError } from "../errors.js";

/** Joints of a skeleton at most. */
export const MAX_BONES = 1024;

/** Shows a value of any type in a message without running its code. */
export function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" || typeof value === "boolean" || value === null || value === undefined) return String(value);
  return `a value of type ${typeof value}`;
}

export function requireFinite(method: string, argument: string, value: number): void {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw new AnimArgumentError(`${method}: ${argument} is ${show(value)}, expected a finite number.`, { found: value });
  }
}

/** For a keyed time or a duration: finite and not negative. */
export function requireTime(method: string, argument: string, value: number): void {
  if (typeof value !== "number" || !(value >= 0 && value < Infinity)) {
    throw new AnimArgumentError(`${method}: ${argument} is ${show(value)}, expected a finite number of seconds, 0 or more.`, { found: value });
  }
}

export function requireFinite3(method: string, what: string, x: number, y: number, z: number): void {
  if (!(Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z))) {
    throw new AnimArgumentError(`${method}: ${what} is (${show(x)}, ${show(y)}, ${show(z)}), expected three finite numbers.`);
  }
}

/** Length of a quaternion that may be normalised. */
export function requireRotation(method: string, x: number, y: number, z: number, w: number): number {
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  if (!Number.isFinite(length)) {
    throw new AnimArgumentError(
      `${method}: the rotation is (${show(x)}, ${show(y)}, ${show(z)}, ${show(w)}), expected four finite numbers x, y, z, w.`);
  }
  if (length < 1e-8) {
    throw new AnimArgumentError(`${method}: the rotation has length ${length}, expected a quaternion. Use (0, 0, 0, 1) for no rotation.`);
  }
  return length;
}

export function requireIndex(method: string, what: string, index: number, count: number): void {
  if (!(Number.isInteger(index) && index >= 0 && index < count)) {
    const range = count > 0 ? `0..${count - 1}` : "none, because there are no entries";
    throw new AnimIndexError(`${method}: ${what} is ${show(index)}, expected ${range}.`, { found: index, supported: range });
  }
}

export function requireName(method: string, what: string, name: string): void {
  if (typeof name !== "string" || name === "") {
    throw new AnimArgumentError(`${method}: ${what} is ${show(name)}, expected a text that is not empty.`, { found: name });
  }
}

export function requireObject(method: string, argument: string, value: unknown, type: string): void {
  if (value === null || typeof value !== "object") {
    throw new AnimArgumentError(`${method}: ${argument} is ${show(value)}, expected an ${type}.`, { found: value });
  }
}

export function disposed(method: string, type: string): AnimStateError {
  return new AnimStateError(`${method}: this ${type} was disposed. Create a new one, or dispose it later.`);
}
