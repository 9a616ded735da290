import type { AttachmentLoader } from "../../src/spine/load/attachment-loader.js";
import { AtlasAttachmentLoader } from "../../src/spine/load/atlas-attachment-loader.js";
import { SkeletonJson } from "../../src/spine/load/skeleton-json.js";
import { TextureAtlas } from "../../src/spine/load/texture-atlas.js";
import type { SkeletonData } from "../../src/spine/data/skeleton-data.js";
import type { Skeleton } from "../../src/spine/model/skeleton.js";

/** Skeleton data of a golden file, whose regions are in no atlas. */
export function loadWithoutAtlas(json: object, loader?: AttachmentLoader): SkeletonData {
  return new SkeletonJson(loader ?? new AtlasAttachmentLoader(new TextureAtlas(""), "placeholder")).readSkeletonData(json);
}

/** A value of a golden column: number, name, list of numbers or names, or null. */
export type Value = number | string | null | boolean | (number | string)[];

/** Reads `kind/name/pose/field` (third part `applied` for applied poses) or `drawOrder/pose` of a skeleton. */
export function readPath(skeleton: Skeleton, path: string): Value {
  const parts = path.split("/");
  if (parts[0] === "drawOrder") {
    const { drawOrder } = skeleton;
    return (parts[1] === "applied" ? drawOrder.appliedPose : drawOrder.pose).map((slot) => slot.data.name);
  }
  const pose = poseOf(skeleton, parts);
  const field = parts[3]!;
  if (field === "attachment") return (pose as { attachment: { name: string } | null }).attachment?.name ?? null;
  if (field === "deform") return Array.from((pose as { deform: ArrayLike<number> }).deform);
  let value: unknown = pose;
  for (const part of field.split(".")) value = (value as Record<string, unknown>)[part];
  return typeof value === "boolean" ? (value ? 1 : 0) : (value as number);
}

export function writePath(skeleton: Skeleton, path: string, value: Value): void {
  const parts = path.split("/");
  if (parts[0] === "drawOrder") {
    (value as string[]).forEach((name, i) => {
      skeleton.drawOrder.pose[i] = skeleton.findSlot(name)!;
    });
    return;
  }
  const pose = poseOf(skeleton, parts) as Record<string, unknown>;
  const field = parts[3]!;
  if (field === "attachment") {
    const slot = skeleton.findSlot(parts[1]!)!;
    slot.pose.setAttachment(value === null ? null : skeleton.getAttachment(slot.data.index, value as string));
    return;
  }
  const names = field.split(".");
  let target = pose;
  while (names.length > 1) target = target[names.shift()!] as Record<string, unknown>;
  target[names[0]!] = typeof target[names[0]!] === "boolean" ? value !== 0 && value !== false : value;
}

function poseOf(skeleton: Skeleton, [kind, name, which]: string[]): object {
  const owner =
    kind === "bone" ? skeleton.findBone(name!) : kind === "slot" ? skeleton.findSlot(name!) : skeleton.findConstraint(name!);
  return which === "applied" ? owner!.appliedPose : owner!.pose;
}

/** Largest magnitude of a value, for relative tolerances. */
export function magnitude(value: Value): number {
  if (Array.isArray(value)) return value.reduce<number>((most, v) => Math.max(most, magnitude(v)), 0);
  return typeof value === "number" ? Math.abs(value) : 0;
}

/** Whether two values agree: numbers within the tolerance, everything else exactly. */
export function agree(got: Value, wanted: Value, tolerance: number): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(got) && got.length === wanted.length && wanted.every((w, i) => agree(got[i]!, w, tolerance));
  }
  if (typeof wanted === "boolean") return Number(got) === Number(wanted);
  if (typeof wanted === "number") return typeof got === "number" && Math.abs(got - wanted) <= tolerance;
  return got === wanted;
}
