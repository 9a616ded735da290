/** Second-order followers. */
export { ControlAnim } from "./control-anim.js";
export { ControlPose } from "./control-pose.js";
export type { Discretization, Integrator } from "./law.js";
