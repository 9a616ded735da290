import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AnimClip } from "../../../src/anim/rig/clip.js";
import { AnimPose } from "../../../src/anim/rig/pose.js";
import { AnimSkeleton } from "../../../src/anim/rig/skeleton.js";
import { importBvh } from "../../../src/import/bvh/index.js";

/*
 * The motion capture on one skeleton, in metres. The files come with three kinds of skeletons whose bind poses have little
 * in common, so clips are carried over by where the joints are: the pelvis by its own axes, every limb by its direction.
 */

type Vector = [number, number, number];

/** Bones of the common skeleton: parent, offset in metres (facing +Z, left at +X, arms sideways). */
const BONES: readonly (readonly [name: string, parent: string | null, offset: Vector])[] = [
  ["hips", null, [0, 0.95, 0]],
  ["spine", "hips", [0, 0.12, 0]], ["chest", "spine", [0, 0.26, 0]], ["neck", "chest", [0, 0.14, 0]], ["head", "neck", [0, 0.12, 0]],
  ["left_arm", "chest", [0.18, 0.08, 0]], ["left_forearm", "left_arm", [0.28, 0, 0]], ["left_hand", "left_forearm", [0.26, 0, 0]],
  ["right_arm", "chest", [-0.18, 0.08, 0]], ["right_forearm", "right_arm", [-0.28, 0, 0]], ["right_hand", "right_forearm", [-0.26, 0, 0]],
  ["left_leg", "hips", [0.09, -0.05, 0]], ["left_shin", "left_leg", [0, -0.42, 0]], ["left_foot", "left_shin", [0, -0.41, 0]], ["left_toe", "left_foot", [0, -0.04, 0.14]],
  ["right_leg", "hips", [-0.09, -0.05, 0]], ["right_shin", "right_leg", [0, -0.42, 0]], ["right_foot", "right_shin", [0, -0.41, 0]], ["right_toe", "right_foot", [0, -0.04, 0.14]],
];

/** Names that the files use for joints of the common skeleton. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  hips: ["Hips"], spine: ["Spine", "Chest"], chest: ["Spine3", "Spine1", "Chest2"], neck: ["Neck"], head: ["Head"],
  left_arm: ["LeftArm", "LeftShoulder"], left_forearm: ["LeftForeArm", "LeftElbow"], left_hand: ["LeftHand", "LeftWrist"],
  right_arm: ["RightArm", "RightShoulder"], right_forearm: ["RightForeArm", "RightElbow"], right_hand: ["RightHand", "RightWrist"],
  left_leg: ["LeftUpLeg", "LeftHip"], left_shin: ["LeftLeg", "LeftKnee"], left_foot: ["LeftFoot", "LeftAnkle"], left_toe: ["LeftToeBase", "LeftToe", "LeftForeFoot"],
  right_leg: ["RightUpLeg", "RightHip"], right_shin: ["RightLeg", "RightKnee"], right_foot: ["RightFoot", "RightAnkle"], right_toe: ["RightToeBase", "RightToe", "RightForeFoot"],
};

/** Which joint a limb points to; its bone is turned so that the direction is right. */
const POINTS_TO: Readonly<Record<string, string>> = {
  chest: "neck", left_arm: "left_forearm", left_forearm: "left_hand", right_arm: "right_forearm", right_forearm: "right_hand",
  left_leg: "left_shin", left_shin: "left_foot", left_foot: "left_toe", right_leg: "right_shin", right_shin: "right_foot", right_foot: "right_toe",
};

const sub = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (a: Vector): Vector => {
  const n = Math.hypot(...a) || 1;
  return [a[0] / n, a[1] / n, a[2] / n];
};

export function commonSkeleton(): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  for (const [name, parent, offset] of BONES) skeleton.setBindPosition(skeleton.addBone(name, parent === null ? -1 : skeleton.findBone(parent)), ...offset);
  return skeleton;
}

/** Every capture that has a whole body, at 30 frames a second on the common skeleton. */
export function loadMocap(folder: string, skeleton: AnimSkeleton): AnimClip[] {
  return readdirSync(folder, { recursive: true }).map(String).filter((name) => name.endsWith(".bvh")).sort().flatMap((name) => {
    const source = importBvh(readFileSync(join(folder, name), "utf8"), { file: name, scale: name.startsWith("cmu") ? 0.056444 : 1 });
    const clip = carryOver(source.skeleton, source.clip, skeleton, !name.startsWith("cmu"));
    source.skeleton.dispose();
    source.clip.dispose();
    return clip === undefined ? [] : [clip];
  });
}

function carryOver(from: AnimSkeleton, clip: AnimClip, to: AnimSkeleton, rescale: boolean): AnimClip | undefined {
  const jointOf = Object.fromEntries(Object.entries(ALIASES).map(([bone, names]) => [bone, names.map((name) => from.findBone(name)).find((index) => index >= 0) ?? -1]));
  if (Object.values(jointOf).some((joint) => joint < 0)) return undefined;
  const frames = Math.floor(clip.getDuration() * 30 + 1e-6) + 1;
  if (frames < 15) return undefined;
  const pose = new AnimPose(from.getBoneCount());
  const placesAt = (time: number, scale: number): Record<string, Vector> => {
    clip.sample(time, pose, from);
    pose.computeWorld(from);
    return Object.fromEntries(Object.entries(jointOf).map(([bone, joint]) => [bone, [pose.getWorldPositionX(joint) * scale, pose.getWorldPositionY(joint) * scale, pose.getWorldPositionZ(joint) * scale] as Vector]));
  };
  const first = placesAt(0, 1);
  const height = first.head![1] - Math.min(first.left_toe![1], first.right_toe![1]);
  // The head joint lies about a tenth below the crown.
  const scale = rescale ? (1.75 * 0.9) / height : 1;

  const times: number[] = [];
  const hips: number[] = [];
  const rotations = new Map<string, number[]>(BONES.map(([name]) => [name, []]));
  const previous = new Map<string, number[]>();
  for (let i = 0; i < frames; i++) {
    times.push(i / 30);
    const place = placesAt(Math.min(i / 30, clip.getDuration()), scale);
    hips.push(...place.hips!);
    const x = unit(sub(place.left_leg!, place.right_leg!));
    const up = sub(place.neck!, place.hips!);
    const z = unit(cross(x, up));
    const pelvis = quaternion(x, cross(z, x), z);
    const world = new Map<string, number[]>();
    for (const [name, parent] of BONES) {
      const parentWorld = parent === null ? [0, 0, 0, 1] : world.get(parent)!;
      let q = parent === null ? pelvis : parentWorld;
      const tip = POINTS_TO[name];
      if (tip !== undefined) {
        const rest = BONES.find(([bone]) => bone === tip)![2];
        // From where the parent would leave the limb, by the shortest turn.
        q = multiply(arc(rotate(q, rest), sub(place[tip]!, place[name]!)), q);
      }
      world.set(name, q);
      let local = multiply([-parentWorld[0]!, -parentWorld[1]!, -parentWorld[2]!, parentWorld[3]!], q);
      const before = previous.get(name);
      if (before !== undefined && local.reduce((sum, v, k) => sum + v * before[k]!, 0) < 0) local = local.map((v) => -v);
      previous.set(name, local);
      rotations.get(name)!.push(...local);
    }
  }
  pose.dispose();
  const out = new AnimClip(clip.getName());
  out.setLoop(false);
  out.setSampleRate(30);
  out.setTrackKeys(0, "position", times, hips);
  for (const [name, values] of rotations) out.setTrackKeys(to.findBone(name), "rotation", times, values);
  return out;
}

function quaternion(x: Vector, y: Vector, z: Vector): number[] {
  const t = x[0] + y[1] + z[2];
  let q: number[];
  if (t > 0) q = [y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + t];
  else if (x[0] > y[1] && x[0] > z[2]) q = [1 + x[0] - y[1] - z[2], x[1] + y[0], x[2] + z[0], y[2] - z[1]];
  else if (y[1] > z[2]) q = [x[1] + y[0], 1 - x[0] + y[1] - z[2], y[2] + z[1], z[0] - x[2]];
  else q = [x[2] + z[0], y[2] + z[1], 1 - x[0] - y[1] + z[2], x[1] - y[0]];
  const n = Math.hypot(...q);
  return q.map((v) => v / n);
}

function multiply(a: readonly number[], b: readonly number[]): number[] {
  const [ax, ay, az, aw] = a as Vector4, [bx, by, bz, bw] = b as Vector4;
  return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz];
}

type Vector4 = [number, number, number, number];

function rotate(q: readonly number[], v: Vector): Vector {
  const u: Vector = [q[0]!, q[1]!, q[2]!];
  const t = cross(u, v).map((c) => 2 * c) as Vector;
  const w = cross(u, t);
  return [v[0] + q[3]! * t[0] + w[0], v[1] + q[3]! * t[1] + w[1], v[2] + q[3]! * t[2] + w[2]];
}

function arc(from: Vector, to: Vector): number[] {
  const a = unit(from), b = unit(to);
  const w = 1 + dot(a, b);
  if (w < 1e-6) return [1, 0, 0, 0];
  const c = cross(a, b);
  const n = Math.hypot(...c, w);
  return [c[0] / n, c[1] / n, c[2] / n, w / n];
}
