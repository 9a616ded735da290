import { AnimArgumentError, AnimCapacityError, AnimNameError } from "../errors.js";
import { requireFinite, requireIndex, requireName, show } from "../rig/checks.js";
import type { AnimSkeleton } from "../rig/skeleton.js";

/** What a feature measures; all of it in the frame's ground frame (place and heading of the root). */
export type MotionFeatureKind =
  | "rootVelocity" | "rootAcceleration" | "trajectoryPosition" | "trajectoryDirection" | "trajectoryVelocity"
  | "bonePosition" | "boneVelocity" | "boneDirection" | "contact" | "phase" | "curve";

/** One entry of a layout of one's own. */
export interface MotionFeatureDescriptor {
  kind: MotionFeatureKind;
  /** Bone (index or name) of `bone…` and `contact` features. */
  bone?: number | string | undefined;
  /** Seconds from the frame of `trajectory…` features; negative looks back. */
  horizon?: number | undefined;
  /** Name of the clip curve of a `curve` feature. */
  curve?: string | undefined;
  /** Weight group; default: the group of the kind in the standard layout. */
  group?: string | undefined;
  /** Weight of this feature, multiplied with that of its group. Default 1. */
  weight?: number | undefined;
  /** Only `"character"`: features are measured in the ground frame. */
  space?: "character" | undefined;
}

/** A feature with its place in the vector. */
export interface MotionFeature {
  readonly name: string;
  readonly kind: MotionFeatureKind;
  readonly bone: number;
  readonly horizon: number;
  readonly curve: string;
  readonly group: string;
  readonly weight: number;
  readonly offset: number;
  readonly size: number;
}

const SIZES: Readonly<Record<MotionFeatureKind, number>> = {
  rootVelocity: 2, rootAcceleration: 2, trajectoryPosition: 2, trajectoryDirection: 2, trajectoryVelocity: 2,
  bonePosition: 3, boneVelocity: 3, boneDirection: 3, contact: 1, phase: 2, curve: 1,
};
const GROUPS: Readonly<Record<MotionFeatureKind, string>> = {
  rootVelocity: "velocity", rootAcceleration: "velocity", trajectoryPosition: "trajectoryPosition", trajectoryDirection: "trajectoryDirection",
  trajectoryVelocity: "trajectoryPosition", bonePosition: "bonePosition", boneVelocity: "boneVelocity", boneDirection: "bonePosition",
  contact: "bonePosition", phase: "bonePosition", curve: "bonePosition",
};
/** Seconds ahead of the standard layout's trajectory. */
export const HORIZONS: readonly number[] = [1 / 3, 2 / 3, 1];
const COMPACT_HORIZONS: readonly number[] = [0.33, 0.66, 1];
const MAXIMUM_SIZE = 512;
const MAXIMUM_HORIZON = 10;

/** Whether a feature describes where the character is going, as opposed to the pose it is in. */
export function isTrajectory(kind: MotionFeatureKind): boolean {
  return kind === "rootVelocity" || kind === "rootAcceleration" || kind === "trajectoryPosition" || kind === "trajectoryDirection" || kind === "trajectoryVelocity";
}

/** Resolves a layout by name or by description. */
export function makeLayout(layout: "standard" | "compact" | readonly MotionFeatureDescriptor[], featureBones: readonly number[], skeleton: AnimSkeleton): MotionFeature[] {
  if (layout === "standard") return place(standard(featureBones), skeleton);
  if (layout === "compact") return place(compact(featureBones), skeleton);
  return place(layout, skeleton);
}

function standard(bones: readonly number[]): MotionFeatureDescriptor[] {
  return [
    { kind: "rootVelocity" },
    ...HORIZONS.map((horizon): MotionFeatureDescriptor => ({ kind: "trajectoryPosition", horizon })),
    ...HORIZONS.map((horizon): MotionFeatureDescriptor => ({ kind: "trajectoryDirection", horizon })),
    ...bones.map((bone): MotionFeatureDescriptor => ({ kind: "bonePosition", bone })),
    ...bones.map((bone): MotionFeatureDescriptor => ({ kind: "boneVelocity", bone })),
  ];
}

function compact(bones: readonly number[]): MotionFeatureDescriptor[] {
  return [
    { kind: "rootVelocity" },
    ...COMPACT_HORIZONS.map((horizon): MotionFeatureDescriptor => ({ kind: "trajectoryPosition", horizon })),
    { kind: "trajectoryDirection", horizon: 1 },
    ...bones.map((bone): MotionFeatureDescriptor => ({ kind: "bonePosition", bone })),
  ];
}

/** @throws AnimArgumentError for descriptions that make no sense */
export function checkLayout(layout: unknown, skeleton: AnimSkeleton): void {
  if (layout === "standard" || layout === "compact") return;
  if (!Array.isArray(layout) || layout.length === 0) {
    throw new AnimArgumentError(`MotionDatabase.setLayout: layout is ${show(layout)}, expected "standard", "compact" or a list of features.`);
  }
  place(layout as MotionFeatureDescriptor[], skeleton);
}

function place(descriptors: readonly MotionFeatureDescriptor[], skeleton: AnimSkeleton): MotionFeature[] {
  const method = "MotionDatabase.setLayout";
  let offset = 0;
  return descriptors.map((descriptor, i) => {
    const { kind, horizon = 0, curve = "", weight = 1 } = descriptor;
    if (!Object.hasOwn(SIZES, kind)) {
      throw new AnimArgumentError(`${method}: kind of feature ${i} is ${show(kind)}, expected one of ${Object.keys(SIZES).join(", ")}.`, { found: kind });
    }
    if (descriptor.space !== undefined && descriptor.space !== "character") {
      throw new AnimArgumentError(`${method}: space of feature ${i} is ${show(descriptor.space)}, expected "character".`, { found: descriptor.space });
    }
    requireFinite(method, `horizon of feature ${i}`, horizon);
    requireFinite(method, `weight of feature ${i}`, weight);
    if (weight < 0 || Math.abs(horizon) > MAXIMUM_HORIZON) {
      throw new AnimArgumentError(`${method}: feature ${i} has weight ${weight} and horizon ${horizon}, expected a weight of 0 or more and at most ${MAXIMUM_HORIZON} s.`);
    }
    const needsBone = kind.startsWith("bone") || kind === "contact";
    const bone = needsBone ? resolveBone(method, descriptor.bone, skeleton) : -1;
    if (kind === "curve") requireName(method, `curve of feature ${i}`, curve);
    const feature: MotionFeature = {
      name: nameOf(kind, bone, horizon, curve, skeleton), kind, bone, horizon, curve, group: descriptor.group ?? GROUPS[kind], weight, offset, size: SIZES[kind],
    };
    offset += feature.size;
    if (offset > MAXIMUM_SIZE) throw new AnimCapacityError(`${method}: the layout has more than ${MAXIMUM_SIZE} channels.`);
    return feature;
  });
}

/** Index of a bone given by index or name. */
export function resolveBone(method: string, bone: number | string | undefined, skeleton: AnimSkeleton): number {
  if (typeof bone === "string") {
    const index = skeleton.findBone(bone);
    if (index < 0) throw new AnimNameError(`${method}: the skeleton has no bone named ${show(bone)}.`, { found: bone });
    return index;
  }
  requireIndex(method, "bone", bone as number, skeleton.getBoneCount());
  return bone as number;
}

function nameOf(kind: MotionFeatureKind, bone: number, horizon: number, curve: string, skeleton: AnimSkeleton): string {
  if (bone >= 0) return `${kind}:${skeleton.getBoneName(bone)}`;
  if (kind === "curve") return `${kind}:${curve}`;
  return kind.startsWith("trajectory") ? `${kind}@${horizon.toFixed(3)}` : kind;
}
