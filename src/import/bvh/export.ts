import { AnimArgumentError } from "../../anim/errors.js";
import type { AnimClip } from "../../anim/rig/clip.js";
import { requireObject } from "../../anim/rig/checks.js";
import { AnimPose } from "../../anim/rig/pose.js";
import type { AnimSkeleton } from "../../anim/rig/skeleton.js";

export interface BvhExportOptions {
  /** Order of the rotation channels: the product of the rotations from left to right. Default `"ZXY"`. */
  order?: "XYZ" | "XZY" | "YXZ" | "YZX" | "ZXY" | "ZYX" | undefined;
  /** Frames per second. Default: the clip's sample rate. */
  rate?: number | undefined;
}

const ORDERS = ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"];
const MAXIMUM_FRAMES = 1 << 20;

/**
 * Writes a skeleton and a clip as BVH. Roots and bones with position keys get position channels; scale cannot be written
 * and is left out. A leaf that is named as `importBvh` names end sites (`<parent>_end`) and has no keys becomes one. Six decimals, so lengths keep 1e-6 units and angles 1e-6 degrees.
 * @throws AnimArgumentError without skeleton or clip, for an unknown order, a rate that is no positive number, or more than 2^20 frames
 */
export function exportBvh(skeleton: AnimSkeleton, clip: AnimClip, options: BvhExportOptions = {}): string {
  requireObject("exportBvh", "skeleton", skeleton, "AnimSkeleton");
  requireObject("exportBvh", "clip", clip, "AnimClip");
  requireObject("exportBvh", "options", options, "object such as { rate: 30 }");
  const order = options.order ?? "ZXY";
  if (!ORDERS.includes(order)) throw new AnimArgumentError(`exportBvh: options.order is ${JSON.stringify(order)}, expected one of ${ORDERS.join(", ")}.`, { found: order });
  const rate = options.rate ?? clip.getSampleRate();
  if (!(rate > 0 && rate < Infinity)) throw new AnimArgumentError(`exportBvh: options.rate is ${rate}, expected a number above 0.`, { found: rate });
  const frameCount = Math.floor(clip.getDuration() * rate + 1e-6) + 1;
  if (frameCount > MAXIMUM_FRAMES) throw new AnimArgumentError(`exportBvh: ${frameCount} frames, expected at most ${MAXIMUM_FRAMES}. Pass a lower options.rate.`);

  const axes = [...order].map((letter) => "XYZ".indexOf(letter)) as [number, number, number];
  const moving: boolean[] = [];
  const children: number[][] = [];
  const visited: number[] = [];
  for (let b = 0; b < skeleton.getBoneCount(); b++) {
    children.push([]);
    moving.push(skeleton.getParent(b) < 0 || (b < clip.getTrackCount() && clip.getPositionKeyCount(b) > 0));
    if (skeleton.getParent(b) >= 0) children[skeleton.getParent(b)]!.push(b);
  }
  const lines = ["HIERARCHY"];
  for (let b = 0; b < skeleton.getBoneCount(); b++) if (skeleton.getParent(b) < 0) writeBone(b, 0);
  lines.push("MOTION", `Frames: ${frameCount}`, `Frame Time: ${trimmed(1 / rate, 9)}`);

  const pose = new AnimPose(skeleton.getBoneCount());
  // The end of a looping clip would wrap to its start.
  const still = clip.clone();
  still.setLoop(false);
  for (let f = 0; f < frameCount; f++) {
    still.sample(Math.min(f / rate, clip.getDuration()), pose, skeleton);
    const row: string[] = [];
    for (const bone of visited) {
      if (moving[bone]!) row.push(trimmed(pose.getLocalPositionX(bone)), trimmed(pose.getLocalPositionY(bone)), trimmed(pose.getLocalPositionZ(bone)));
      const q = [pose.getLocalRotationX(bone), pose.getLocalRotationY(bone), pose.getLocalRotationZ(bone), pose.getLocalRotationW(bone)];
      for (const angle of eulerDegrees(q, axes)) row.push(trimmed(angle));
    }
    lines.push(row.join(" "));
  }
  pose.dispose();
  still.dispose();
  return `${lines.join("\n")}\n`;

  function writeBone(start: number, depth: number): void {
    const stack: { bone: number; depth: number; open: boolean }[] = [{ bone: start, depth, open: true }];
    while (stack.length > 0) {
      const { bone, depth: level, open } = stack.pop()!;
      const tab = "\t".repeat(level);
      if (!open) {
        lines.push(`${tab}}`);
        continue;
      }
      visited.push(bone);
      const name = skeleton.getBoneName(bone).replace(/[\s{}]+/g, "_");
      lines.push(`${tab}${skeleton.getParent(bone) < 0 ? "ROOT" : "JOINT"} ${name}`, `${tab}{`);
      lines.push(`${tab}\tOFFSET ${trimmed(skeleton.getBindPositionX(bone))} ${trimmed(skeleton.getBindPositionY(bone))} ${trimmed(skeleton.getBindPositionZ(bone))}`);
      const rotations = [...order].map((letter) => `${letter}rotation`).join(" ");
      lines.push(`${tab}\tCHANNELS ${moving[bone]! ? `6 Xposition Yposition Zposition ${rotations}` : `3 ${rotations}`}`);
      const end = children[bone]!.length === 1 && isEndSite(skeleton, clip, children[bone]![0]!) ? children[bone]![0]! : -1;
      if (children[bone]!.length === 0 || end >= 0) {
        const offset = end < 0 ? "0 0 0" : `${trimmed(skeleton.getBindPositionX(end))} ${trimmed(skeleton.getBindPositionY(end))} ${trimmed(skeleton.getBindPositionZ(end))}`;
        lines.push(`${tab}\tEnd Site`, `${tab}\t{`, `${tab}\t\tOFFSET ${offset}`, `${tab}\t}`);
      }
      stack.push({ bone, depth: level, open: false });
      if (end < 0) for (const child of [...children[bone]!].reverse()) stack.push({ bone: child, depth: level + 1, open: true });
    }
  }
}

/** A leaf as `importBvh` makes one of an end site: its name, no turn, no keys. */
function isEndSite(skeleton: AnimSkeleton, clip: AnimClip, bone: number): boolean {
  if (skeleton.getChildCount(bone) > 0 || skeleton.getBoneName(bone) !== `${skeleton.getBoneName(skeleton.getParent(bone))}_end`) return false;
  if (Math.abs(skeleton.getBindRotationW(bone)) < 1 - 1e-7) return false;
  return clip.getPositionKeyCount(bone) === 0 && clip.getRotationKeyCount(bone) === 0;
}

/**
 * Angles about the axes of R = R(i)·R(j)·R(k), in degrees.
 * With s = +1 for a cyclic order and -1 otherwise: tan a = -s R_jk / R_kk, tan b = s R_ik / |(R_ii, R_ij)|. Turned back by a, row j
 * is that of R(k) alone, which gives c whatever b is: also where the outer axes coincide and a is anything. (An arc sine of R_ik
 * would lose half of the digits there.)
 */
function eulerDegrees(q: readonly number[], [i, j, k]: readonly [number, number, number]): number[] {
  const length = Math.sqrt(q[0]! * q[0]! + q[1]! * q[1]! + q[2]! * q[2]! + q[3]! * q[3]!);
  const x = q[0]! / length, y = q[1]! / length, z = q[2]! / length, w = q[3]! / length;
  const r = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
  const s = (j - i + 3) % 3 === 1 ? 1 : -1, degrees = 180 / Math.PI;
  const a = Math.atan2(-s * r[j]![k]!, r[k]![k]!), b = Math.atan2(s * r[i]![k]!, Math.sqrt(r[i]![i]! ** 2 + r[i]![j]! ** 2));
  const row = (column: number): number => Math.cos(a) * r[j]![column]! + s * Math.sin(a) * r[k]![column]!;
  return [a * degrees, b * degrees, Math.atan2(s * row(i), row(j)) * degrees];
}

function trimmed(value: number, decimals = 6): string {
  const text = value.toFixed(decimals).replace(/\.?0+$/, "");
  return text === "-0" ? "0" : text;
}
