/** The raw features of a query: the wish, and the pose where no database frame is playing. @internal */
import type { AnimPose } from "../rig/pose.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { cos, sin } from "../motion/math.js";
import { HORIZONS, type MotionFeature } from "./layout.js";
import { localX, localZ } from "./ground.js";
import type { SimulatedRoot } from "./trajectory.js";

const state = /* @__PURE__ */ new Float64Array(6);

/** Trajectory features of the simulated object, seen from the animated root. */
export function writeTrajectoryFeatures(features: readonly MotionFeature[], simulated: SimulatedRoot, x: number, z: number, yaw: number, out: Float64Array): void {
  const s = sin(yaw), c = cos(yaw);
  for (let f = 0; f < features.length; f++) {
    const { kind, offset, horizon } = features[f]!;
    switch (kind) {
      case "rootVelocity":
        // Springs lag behind the wish, so they are asked what they will have reached at the first horizon; a trajectory that
        // was given says exactly what is wanted now.
        simulated.at(simulated.hasPoints ? 0 : HORIZONS[0]!, state, 0);
        out[offset] = localX(state[4]!, state[5]!, s, c);
        out[offset + 1] = localZ(state[4]!, state[5]!, s, c);
        break;
      case "rootAcceleration":
        out[offset] = localX(simulated.ax, simulated.az, s, c);
        out[offset + 1] = localZ(simulated.ax, simulated.az, s, c);
        break;
      case "trajectoryPosition":
        simulated.at(horizon, state, 0);
        out[offset] = localX(state[0]! - x, state[1]! - z, s, c);
        out[offset + 1] = localZ(state[0]! - x, state[1]! - z, s, c);
        break;
      case "trajectoryDirection":
        simulated.at(horizon, state, 0);
        out[offset] = localX(state[2]!, state[3]!, s, c);
        out[offset + 1] = localZ(state[2]!, state[3]!, s, c);
        break;
      case "trajectoryVelocity":
        simulated.at(horizon, state, 0);
        out[offset] = localX(state[4]!, state[5]!, s, c);
        out[offset + 1] = localZ(state[4]!, state[5]!, s, c);
        break;
      default:
        break;
    }
  }
}

/** Pose features of the shown pose, whose root stands over the origin; velocities are the root's alone. */
export function writePoseFeatures(features: readonly MotionFeature[], pose: AnimPose, skeleton: AnimSkeleton, speed: number, out: Float64Array): void {
  pose.computeWorld(skeleton);
  for (let f = 0; f < features.length; f++) {
    const { kind, offset, bone, size } = features[f]!;
    switch (kind) {
      case "bonePosition":
        out[offset] = pose.getWorldPositionX(bone);
        out[offset + 1] = pose.getWorldPositionY(bone);
        out[offset + 2] = pose.getWorldPositionZ(bone);
        break;
      case "boneVelocity":
        out[offset] = 0;
        out[offset + 1] = 0;
        out[offset + 2] = speed;
        break;
      case "boneDirection":
        out[offset] = pose.getWorldMatrixElement(bone, 8);
        out[offset + 1] = pose.getWorldMatrixElement(bone, 9);
        out[offset + 2] = pose.getWorldMatrixElement(bone, 10);
        break;
      case "contact": case "phase": case "curve":
        for (let c = 0; c < size; c++) out[offset + c] = 0;
        break;
      default:
        break;
    }
  }
}
