import { AnimArgumentError, AnimIndexError, AnimStateError } from "../errors.js";
import { checkNumber } from "../module/check.js";
import type { AnimPose } from "../rig/pose.js";

/** Which two axes of a bone's position become x and y; the third is the depth. */
export type TrailPlane = "xy" | "xz" | "yz";

const AXES: Record<TrailPlane, readonly [number, number, number]> = { xy: [0, 1, 2], xz: [0, 2, 1], yz: [1, 2, 0] };

/**
 * The place of a point beside a bone, projected onto a plane: x, y and depth into `out`.
 * @throws AnimArgumentError, AnimIndexError, and AnimStateError if the pose's world was not computed
 * @internal
 */
export function bonePoint(pose: AnimPose, bone: number, ox: number, oy: number, oz: number, plane: TrailPlane | "", space: "world" | "bone", out: Float64Array): void {
  if (pose == null) throw new AnimArgumentError("A pose is needed.");
  const name = plane === "" ? "xy" : plane;
  const axes = AXES[name];
  if (!Object.hasOwn(AXES, name)) throw new AnimArgumentError(`The plane is "${plane}", expected "xy", "xz" or "yz".`, { found: plane });
  if (space !== "world" && space !== "bone") throw new AnimArgumentError(`The space is "${space as string}", expected "world" or "bone".`, { found: space });
  checkNumber(ox, "ox");
  checkNumber(oy, "oy");
  checkNumber(oz, "oz");
  if (!(Number.isInteger(bone) && bone >= 0 && bone < pose.getBoneCount())) throw new AnimIndexError(`Bone ${bone} does not exist, the pose has ${pose.getBoneCount()}.`, { found: bone });
  if (!pose.isWorldValid()) throw new AnimStateError("The pose has no world transforms. Call pose.computeWorld(skeleton) first.");
  let x = ox;
  let y = oy;
  let z = oz;
  if (space === "bone") {
    const qx = pose.getWorldRotationX(bone);
    const qy = pose.getWorldRotationY(bone);
    const qz = pose.getWorldRotationZ(bone);
    const qw = pose.getWorldRotationW(bone);
    // v + 2 q x (q x v + w v)
    const tx = qy * oz - qz * oy + qw * ox;
    const ty = qz * ox - qx * oz + qw * oy;
    const tz = qx * oy - qy * ox + qw * oz;
    x += 2 * (qy * tz - qz * ty);
    y += 2 * (qz * tx - qx * tz);
    z += 2 * (qx * ty - qy * tx);
  }
  x += pose.getWorldPositionX(bone);
  y += pose.getWorldPositionY(bone);
  z += pose.getWorldPositionZ(bone);
  for (let i = 0; i < 3; i++) out[i] = axes[i] === 0 ? x : axes[i] === 1 ? y : z;
}
