import { AnimArgumentError } from "../errors.js";
import { requireFinite, requireObject, requireRotation, show } from "../rig/checks.js";
import type { AnimPose } from "../rig/pose.js";
import type { RetargetProfileJson } from "./profile-json.js";

/** How the rigs' spaces are laid onto each other. */
export type RetargetAlignment = "none" | "auto";
/** What the automatic scale of the root's path compares. */
export type RootScaleMode = "extent" | "pelvisHeight" | "legLength";

const ALIGNMENTS: readonly RetargetAlignment[] = ["none", "auto"];
const SCALE_MODES: readonly RootScaleMode[] = ["extent", "pelvisHeight", "legLength"];

/** Settings of an `AnimRetargetProfile` for rigs whose rest poses, axes or proportions differ. */
export class ProfileReference {
  /** Ten numbers a bone, as `AnimPose.writeLocalTo` writes them. @internal */
  protected sourceReference: Float32Array | undefined;
  /** @internal */ protected targetReference: Float32Array | undefined;
  #align = false;
  #alignment: RetargetAlignment = "none";
  #scaleMode: RootScaleMode = "extent";
  #transferScale = false;

  /**
   * A pose of the source in which it stands as the target does in its own reference pose (both in a T, say). Rotations away from
   * it are transferred, instead of those away from the bind pose. Copied; null goes back to the bind pose.
   * @throws AnimMismatchError at the bake if it does not have the bones of the source
   */
  setSourceReferencePose(pose: AnimPose | null): void { this.sourceReference = copied("setSourceReferencePose", pose); }

  /** The same for the target. Its bind pose stays what unmatched bones take. */
  setTargetReferencePose(pose: AnimPose | null): void { this.targetReference = copied("setTargetReferencePose", pose); }

  /**
   * Whether arms and legs of the target are measured as if its rest pose had them where the source's has them: arms of a T-pose
   * motion then hang as the actor's do on a rig at rest in an A-pose. The rest poses themselves stay. Default false; needs arms
   * and legs by their parts in both rigs.
   */
  setAutoAlignReference(on: boolean): void { this.#align = requireFlag("setAutoAlignReference", on); }
  getAutoAlignReference(): boolean { return this.#align; }

  /**
   * "auto" turns the motion from the source's axes to the target's: from pelvis to head is up, from right to left thigh (or arm) is
   * left. For rigs that look another way or lie on their backs. Default "none"; without these parts in both rigs nothing is turned.
   */
  setAlignment(alignment: RetargetAlignment): void { this.#alignment = requireOne("setAlignment", "alignment", alignment, ALIGNMENTS); }
  getAlignment(): RetargetAlignment { return this.#alignment; }

  /**
   * What the automatic scale of the root's path compares: the boxes around the matched bones (default), the heights of the roots over
   * the lowest bones, or the lengths of the legs. The latter two keep feet on the ground better; legs need their parts in both
   * rigs, else the boxes count.
   */
  setRootScaleMode(mode: RootScaleMode): void { this.#scaleMode = requireOne("setRootScaleMode", "mode", mode, SCALE_MODES); }
  getRootScaleMode(): RootScaleMode { return this.#scaleMode; }

  /** Whether scale goes along: what the source has beyond its bind scale, as a factor on the target's. Default false. */
  setTransferScale(on: boolean): void { this.#transferScale = requireFlag("setTransferScale", on); }
  getTransferScale(): boolean { return this.#transferScale; }

  /** Its part of `AnimRetargetProfile.toJSON`. @internal */
  protected referenceJson(): Partial<RetargetProfileJson> {
    const { sourceReference, targetReference } = this;
    return {
      rootScaleMode: this.#scaleMode, autoAlignReference: this.#align, alignment: this.#alignment, transferScale: this.#transferScale,
      ...(sourceReference === undefined ? {} : { sourceReferencePose: [...sourceReference] }), ...(targetReference === undefined ? {} : { targetReferencePose: [...targetReference] }),
    };
  }

  /** @internal */
  protected readReference(method: string, json: RetargetProfileJson): void {
    this.setRootScaleMode(json.rootScaleMode ?? "extent");
    this.setAutoAlignReference(json.autoAlignReference ?? false);
    this.setAlignment(json.alignment ?? "none");
    this.setTransferScale(json.transferScale ?? false);
    this.sourceReference = read(method, "sourceReferencePose", json.sourceReferencePose);
    this.targetReference = read(method, "targetReferencePose", json.targetReferencePose);
  }
}

/** A reference pose of a JSON form. */
function read(method: string, name: string, values: readonly number[] | undefined): Float32Array | undefined {
  if (values === undefined) return undefined;
  requireObject(method, name, values, "array");
  if (values.length % 10 !== 0) throw new AnimArgumentError(`${method}: ${name} has ${values.length} numbers, expected 10 a bone.`);
  for (let i = 0; i < values.length; i++) requireFinite(method, `${name}[${i}]`, values[i]!);
  for (let i = 3; i < values.length; i += 10) requireRotation(method, values[i]!, values[i + 1]!, values[i + 2]!, values[i + 3]!);
  return Float32Array.from(values);
}

function copied(method: string, pose: AnimPose | null): Float32Array | undefined {
  if (pose === null) return undefined;
  requireObject(`AnimRetargetProfile.${method}`, "pose", pose, "AnimPose");
  const values = new Float32Array(pose.getBoneCount() * 10);
  pose.writeLocalTo(values);
  return values;
}

function requireOne<T extends string>(method: string, what: string, value: T, allowed: readonly T[]): T {
  if (allowed.includes(value)) return value;
  throw new AnimArgumentError(`AnimRetargetProfile.${method}: ${what} is ${show(value)}, expected ${allowed.map((one) => show(one)).join(", ")}.`, { found: value });
}

/** @internal */
export function requireFlag(method: string, on: boolean): boolean {
  if (typeof on !== "boolean") throw new AnimArgumentError(`AnimRetargetProfile.${method}: on is ${show(on)}, expected true or false.`, { found: on });
  return on;
}
