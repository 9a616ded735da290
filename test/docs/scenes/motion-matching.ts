import type { AnimPose } from "../../../src/anim/index.js";
import { biped } from "./shared.js";

export const { skeleton, clips } = await biped();
export const vx = 0;
export const vz = 1.4;
export const yaw = 0;
export const dt = 1 / 60;
export const draw = (_pose: AnimPose, ...place: number[]): void => {
  if (!place.every(Number.isFinite)) throw new Error("a place is no number");
};
