/** What two-bone chains may be told besides their targets, and its checks. @internal */
import { AnimArgumentError } from "../errors.js";
import { requireFinite, requireObject, requireRotation, show } from "./checks.js";

/** What `AnimPose.solveTwoBoneIK` and `AnimConstraintStack.addTwoBoneIK` may be told besides. */
export interface TwoBoneOptions {
  /**
   * Share of the chain's length from which on it gives way instead of snapping straight, above 0, 1 (the default) at most: beyond it
   * the tip falls back behind the target and comes to full length for targets far away only. Removes the pop of knees.
   */
  soften?: number;
  /** Turn of the bend about the line from the root to the target, radians; default 0. */
  twist?: number;
  /** How many times its length the chain may stretch to reach a target, 1 (the default) or more. Moves mid and tip away from the root. */
  stretch?: number;
  /** Rotation of the tip in model space (x, y, z, w); default: the tip keeps its local one. */
  tipRotation?: readonly [number, number, number, number];
}

/** Numbers of a two-bone chain with options. */
export const CHAIN_SOFTEN = 0, CHAIN_TWIST = 1, CHAIN_STRETCH = 2, CHAIN_HAS_TIP = 3, CHAIN_TIP = 4, CHAIN_NUMBERS = 8;

/** @throws AnimArgumentError */
export function readTwoBoneOptions(method: string, options: TwoBoneOptions, out: Float64Array): void {
  requireObject(method, "options", options, "object such as { soften: 0.97 }");
  const { soften = 1, twist = 0, stretch = 1, tipRotation } = options;
  if (!(typeof soften === "number" && soften > 0 && soften <= 1)) throw new AnimArgumentError(`${method}: soften is ${show(soften)}, expected a number above 0, 1 at most.`, { found: soften });
  requireFinite(method, "twist", twist);
  if (!(typeof stretch === "number" && stretch >= 1 && stretch < Infinity)) throw new AnimArgumentError(`${method}: stretch is ${show(stretch)}, expected a finite number, 1 or more.`, { found: stretch });
  if (tipRotation !== undefined) requireObject(method, "tipRotation", tipRotation, "list of four numbers");
  const length = tipRotation === undefined ? 1 : requireRotation(method, tipRotation[0], tipRotation[1], tipRotation[2], tipRotation[3]);
  // Nothing is written before all of it is known to be good.
  out[CHAIN_SOFTEN] = soften;
  out[CHAIN_TWIST] = twist;
  out[CHAIN_STRETCH] = stretch;
  out[CHAIN_HAS_TIP] = tipRotation === undefined ? 0 : 1;
  if (tipRotation === undefined) return;
  for (let k = 0; k < 4; k++) out[CHAIN_TIP + k] = tipRotation[k]! / length;
}

/** No options. */
export function clearTwoBoneOptions(out: Float64Array): void {
  out[CHAIN_SOFTEN] = out[CHAIN_STRETCH] = 1;
  out[CHAIN_TWIST] = out[CHAIN_HAS_TIP] = 0;
}
