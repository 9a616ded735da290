/** Arguments of 3D crowds. @internal */
import { LEVELS } from "../../assembly/layout/crowd3d.js";
import { AnimClip } from "../anim/rig/clip.js";
import { ArgumentError, RangeMismatchError } from "../errors.js";
import { finite, shown } from "./checks.js";

/** @throws ArgumentError */
export function checkClip(clip: AnimClip): void {
  if (!(clip instanceof AnimClip)) throw new ArgumentError(`The clip to play is ${shown(clip)}. Give an AnimClip.`, { found: clip });
}

/** @throws RangeMismatchError */
export function levelOf(level: number): number {
  if (!Number.isInteger(level) || level < 0 || level >= LEVELS) throw new RangeMismatchError("lod", level, 0, LEVELS - 1, "0 is full detail.");
  return level;
}

/** A list of at least `least` numbers. @throws ArgumentError */
export function listOf(argument: string, values: readonly (number | undefined)[], least: number): readonly number[] {
  if (typeof values === "object" && values !== null && values.length >= least) return values as readonly number[];
  throw new ArgumentError(`${argument} is ${shown(values)}, expected an array of ${least} numbers.`, { found: values });
}

/** Length of a quaternion. @throws ArgumentError if it has none */
export function rotationLength(x: number, y: number, z: number, w: number): number {
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  const areNumbers = typeof x === "number" && typeof y === "number" && typeof z === "number" && typeof w === "number";
  if (!areNumbers || !(length > 1e-8 && length < Infinity)) {
    throw new ArgumentError(`The rotation is (${x}, ${y}, ${z}, ${w}), expected a quaternion x, y, z, w. Use (0, 0, 0, 1) for none.`);
  }
  return length;
}

/** A colour as 0xAABBGGRR; components are clamped to 0 .. 1. @throws RangeMismatchError */
export function packedTint(r: number, g: number, b: number, a: number): number {
  const byte = (name: string, value: number): number => Math.round(Math.min(1, Math.max(0, finite(name, value))) * 255);
  return (byte("r", r) | (byte("g", g) << 8) | (byte("b", b) << 16) | (byte("a", a) << 24)) >>> 0;
}
