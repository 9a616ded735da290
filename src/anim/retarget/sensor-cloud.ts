import { AnimArgumentError, AnimMismatchError } from "../errors.js";
import { requireIndex, requireObject } from "../rig/checks.js";
import type { AnimPose } from "../rig/pose.js";
import { rigHeight } from "../rig/rest-pose.js";
import { retire } from "../rig/retire.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { RigFrames } from "./rig-frames.js";
import { humanoidRoles } from "./roles.js";

/** A part of the body. */
export type SensorPart = "head" | "torso" | "leftArm" | "rightArm" | "leftLeg" | "rightLeg" | "other";

/** One sensor. */
export interface Sensor {
  readonly bone: number;
  /** Which of the rings of its bone, and which of the four points of the ring. */
  readonly ring: number;
  readonly turn: number;
  readonly radius: number;
  /** Place in the bone's space. */
  readonly local: readonly [number, number, number];
  readonly part: SensorPart;
}

/** Radius as a share of the bone's length. */
const SHARES: readonly (readonly [RegExp, number])[] = [
  [/^head$/, 0.55], [/Upper(Arm|Leg)$|Shoulder$/, 0.22], [/Lower(Arm|Leg)$/, 0.18], [/(Hand|Foot|Toes)$/, 0.25],
  [/(Proximal|Intermediate|Distal|Metacarpal)$/, 0.3], [/^(hips|spine|chest|upperChest|neck)$/, 0.45],
];

/**
 * Points on the surface of a body, attached to its bones: rings of four around every bone. Two rigs with matching bones have
 * corresponding sensors, which tell where one body part is relative to another whatever the shape.
 *
 * Order: by bone, along the bone, around it. The radius is a share of the bone's length by body part.
 */
export class AnimSmrSensorCloud {
  readonly #skeleton: AnimSkeleton;
  readonly #sensors: readonly Sensor[];

  private constructor(skeleton: AnimSkeleton, sensors: readonly Sensor[]) {
    this.#skeleton = skeleton;
    this.#sensors = sensors;
  }

  /** Sensors of a skeleton in its bind pose; bones shorter than a hundredth of the rig get none. */
  static fromSkeleton(skeleton: AnimSkeleton): AnimSmrSensorCloud {
    requireObject("AnimSmrSensorCloud.fromSkeleton", "skeleton", skeleton, "AnimSkeleton");
    return new AnimSmrSensorCloud(skeleton, buildSensors(skeleton));
  }

  getSensorCount(): number {
    return this.#sensors.length;
  }

  /** "head", "torso", "leftArm", "rightArm", "leftLeg", "rightLeg" or "other". @throws AnimIndexError */
  getSensorPart(i: number): SensorPart {
    requireIndex("AnimSmrSensorCloud.getSensorPart", "i", i, this.#sensors.length);
    return this.#sensors[i]!.part;
  }

  /**
   * Writes the model space positions of all sensors, three numbers each. Computes the world of the pose if needed.
   * @throws AnimMismatchError for a pose of another skeleton, AnimArgumentError if `out` is too small
   */
  evaluateWorldPositions(pose: AnimPose, out: Float32Array, offset = 0): void {
    requireObject("AnimSmrSensorCloud.evaluateWorldPositions", "pose", pose, "AnimPose");
    if (pose.getBoneCount() !== this.#skeleton.getBoneCount()) {
      throw new AnimMismatchError(`AnimSmrSensorCloud.evaluateWorldPositions: the pose has ${pose.getBoneCount()} bones, expected ${this.#skeleton.getBoneCount()}.`);
    }
    if (!(Number.isInteger(offset) && offset >= 0 && out?.length - offset >= this.#sensors.length * 3)) {
      throw new AnimArgumentError(`AnimSmrSensorCloud.evaluateWorldPositions: out has no room for ${this.#sensors.length * 3} numbers from offset ${String(offset)} on.`);
    }
    pose.computeWorld(this.#skeleton);
    this.#sensors.forEach(({ bone, local }, i) => pose.transformPoint(bone, local[0], local[1], local[2], out, offset + i * 3));
  }

  /** Ends the use: every later call throws. It holds no memory of its own. Safe to call twice. */
  dispose(): void {
    retire(this, "AnimSmrSensorCloud");
  }

  /** @internal */
  get sensors(): readonly Sensor[] {
    return this.#sensors;
  }
}

function buildSensors(skeleton: AnimSkeleton): Sensor[] {
  const frames = new RigFrames(skeleton), shortest = 0.01 * rigHeight(skeleton), count = skeleton.getBoneCount();
  const roleOf = new Map([...humanoidRoles(skeleton)].map(([role, bone]) => [bone, role]));
  const heights = new Int32Array(count);
  for (let bone = count - 1; bone > 0; bone--) {
    const parent = skeleton.getParent(bone);
    if (parent >= 0) heights[parent] = Math.max(heights[parent]!, heights[bone]! + 1);
  }
  const parts: SensorPart[] = [], sensors: Sensor[] = [];
  for (let bone = 0; bone < count; bone++) {
    const role = roleOf.get(bone), parent = skeleton.getParent(bone);
    const part = (parts[bone] = partOf(role) ?? (parent >= 0 ? parts[parent]! : "other"));
    let child = -1;
    for (let i = 0; i < skeleton.getChildCount(bone); i++) {
      const one = skeleton.getChild(bone, i);
      if (child < 0 || heights[one]! > heights[child]!) child = one;
    }
    // A leaf goes on in the direction it came from, half as far.
    const [from, to, share] = child >= 0 ? [bone, child, 1] : [parent, bone, 0.5];
    if (from! < 0) continue;
    const axis = [0, 1, 2].map((k) => (frames.position[to! * 3 + k]! - frames.position[from! * 3 + k]!) * share!);
    const length = Math.sqrt(axis[0]! ** 2 + axis[1]! ** 2 + axis[2]! ** 2);
    if (length < shortest || length === 0) continue;
    const unit = axis.map((v) => v / length), front = frontOf(unit);
    const side = [unit[1]! * front[2]! - unit[2]! * front[1]!, unit[2]! * front[0]! - unit[0]! * front[2]!, unit[0]! * front[1]! - unit[1]! * front[0]!];
    const radius = length * (SHARES.find(([pattern]) => role !== undefined && pattern.test(role))?.[1] ?? 0.2);
    (child >= 0 ? [0.25, 0.5, 0.75] : [0.5]).forEach((l, ring) => {
      for (let turn = 0; turn < 4; turn++) {
        const a = [radius, 0, -radius, 0][turn]!, b = [0, radius, 0, -radius][turn]!;
        const at = [0, 1, 2].map((k) => axis[k]! * l + front[k]! * a + side[k]! * b);
        sensors.push({ bone, ring, turn, radius, part, local: toLocal(frames, bone, at[0]!, at[1]!, at[2]!) });
      }
    });
  }
  return sensors;
}

function partOf(role: string | undefined): SensorPart | undefined {
  if (role === undefined) return undefined;
  if (role === "head") return "head";
  const limb = /^(left|right)(.*)$/.exec(role);
  if (limb === null) return "torso";
  return `${limb[1] as "left" | "right"}${/Leg|Foot|Toes/.test(limb[2]!) ? "Leg" : "Arm"}`;
}

/** The part of model +Z that is perpendicular to a unit axis; of +Y if the axis points along Z. */
function frontOf(axis: number[]): number[] {
  for (const up of [2, 1]) {
    const v = [0, 1, 2].map((k) => (k === up ? 1 : 0) - axis[k]! * axis[up]!), length = Math.sqrt(v[0]! ** 2 + v[1]! ** 2 + v[2]! ** 2);
    if (length > 1e-3) return v.map((x) => x / length);
  }
  return [1, 0, 0];
}

/** An offset of model space in the space of a bone in the bind pose. */
function toLocal(frames: RigFrames, bone: number, x: number, y: number, z: number): [number, number, number] {
  const m = frames.matrix.subarray(bone * 9, bone * 9 + 9);
  const cross = (a: number, b: number): [number, number, number] => [
    m[3 + a]! * m[6 + b]! - m[6 + a]! * m[3 + b]!, m[6 + a]! * m[b]! - m[a]! * m[6 + b]!, m[a]! * m[3 + b]! - m[3 + a]! * m[b]!,
  ];
  // Columns of the matrix are its axes; rows of the inverse are their cross products.
  const rows = [cross(1, 2), cross(2, 0), cross(0, 1)], determinant = m[0]! * rows[0]![0] + m[3]! * rows[0]![1] + m[6]! * rows[0]![2];
  if (!(Math.abs(determinant) > 1e-20)) return [0, 0, 0];
  return rows.map((r) => (r[0] * x + r[1] * y + r[2] * z) / determinant) as [number, number, number];
}

/** Model space position of a sensor, from frames. @internal */
export function placeSensor(sensor: Sensor, frames: RigFrames, out: Float64Array): void {
  const m = sensor.bone * 9, [x, y, z] = sensor.local;
  for (let r = 0; r < 3; r++) {
    out[r] = frames.position[sensor.bone * 3 + r]! + frames.matrix[m + r * 3]! * x + frames.matrix[m + r * 3 + 1]! * y + frames.matrix[m + r * 3 + 2]! * z;
  }
}
