/** The raw features of a query: the wish, and the pose where no database frame is playing. @internal */
import { heap } from "../../wasm/heap.js";
import type { AnimPose } from "../rig/pose.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { Controller, type ControllerBlock, Prediction, PREDICTION_ROWS } from "./controller-block.js";
import { HORIZONS, type MotionFeature } from "./layout.js";
import type { SimulatedRoot } from "./trajectory.js";

/** Trajectory features of the simulated object, seen from the animated root. One prediction row a feature. */
export function writeTrajectoryFeatures(features: readonly MotionFeature[], simulated: SimulatedRoot, block: ControllerBlock, out: Float64Array): void {
  const count = Math.min(features.length, PREDICTION_ROWS);
  for (let f = 0; f < count; f++) {
    const { kind, horizon } = features[f]!;
    // Springs lag behind the wish, so the velocity is what they will have reached at the first horizon; a trajectory that was
    // given says exactly what is wanted now.
    heap.f64[block.rowAt(f, Prediction.TIME)] = kind === "rootVelocity" ? (simulated.hasPoints ? 0 : HORIZONS[0]!) : horizon;
  }
  simulated.predict(count);
  const f64 = heap.f64;
  const x = f64[block.at(Controller.X)]!, z = f64[block.at(Controller.Z)]!, s = f64[block.at(Controller.SIN)]!, c = f64[block.at(Controller.COS)]!;
  for (let f = 0; f < count; f++) {
    const { kind, offset } = features[f]!;
    let dx = 0, dz = 0;
    if (kind === "rootVelocity" || kind === "trajectoryVelocity") {
      dx = f64[block.rowAt(f, Prediction.VX)]!;
      dz = f64[block.rowAt(f, Prediction.VZ)]!;
    } else if (kind === "rootAcceleration") {
      dx = f64[block.at(Controller.SIM_AX)]!;
      dz = f64[block.at(Controller.SIM_AZ)]!;
    } else if (kind === "trajectoryPosition") {
      dx = f64[block.rowAt(f, Prediction.X)]! - x;
      dz = f64[block.rowAt(f, Prediction.Z)]! - z;
    } else if (kind === "trajectoryDirection") {
      dx = f64[block.rowAt(f, Prediction.SIN)]!;
      dz = f64[block.rowAt(f, Prediction.COS)]!;
    } else {
      continue;
    }
    out[offset] = dx * c - dz * s;
    out[offset + 1] = dx * s + dz * c;
  }
}

/** Pose features of the shown pose, whose root stands over the origin; velocities are the root's alone. */
export function writePoseFeatures(features: readonly MotionFeature[], pose: AnimPose, skeleton: AnimSkeleton, speed: number, out: Float64Array): void {
  pose.computeWorld(skeleton);
  const f32 = heap.f32, world = pose.worldPtr >>> 2;
  for (let f = 0; f < features.length; f++) {
    const { kind, offset, bone, size } = features[f]!;
    if (kind === "bonePosition" || kind === "boneDirection") {
      const column = kind === "bonePosition" ? 12 : 8;
      for (let k = 0; k < 3; k++) out[offset + k] = f32[world + bone * 16 + column + k]!;
    } else if (kind === "boneVelocity") {
      out[offset] = 0;
      out[offset + 1] = 0;
      out[offset + 2] = speed;
    } else if (kind === "contact" || kind === "phase" || kind === "curve") {
      for (let c = 0; c < size; c++) out[offset + c] = 0;
    }
  }
}
