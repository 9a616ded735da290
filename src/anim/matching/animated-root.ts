/** The character's root in the world: moved by the clip, drawn towards the simulated object. @internal */
import { atan2, cos, exp, sin } from "../motion/math.js";
import { dampingOf, INSTANT, wrapToPi } from "./springs.js";
import type { SimulatedRoot } from "./trajectory.js";

/** How strongly the animated root is drawn towards the simulated one. */
export interface RootAdjustment {
  /** Seconds in which half of the difference would go. Default 0.1. */
  positionHalfLife?: number | undefined;
  /** Default 0.2. */
  yawHalfLife?: number | undefined;
  /** At most this share of the root's own speed, so that the pull is hidden in the motion. Default 0.5. */
  maxRatio?: number | undefined;
}

/** Limits of the distance to the simulated object. */
export interface RootLimits {
  adjustment: { positionHalfLife: number; yawHalfLife: number; maxRatio: number } | undefined;
  clampDistance: number;
  clampAngle: number;
  rigHeight: number;
}

export class AnimatedRoot {
  x = 0;
  z = 0;
  yaw = 0;
  /** Motion of the last step in the frame at its beginning: x, y, z, turn. */
  readonly motion = new Float64Array(4);
  /** Speed of the last step, units a second. */
  speed = 0;
  #turnSpeed = 0;
  /** Difference of velocities at a switch, dying away: x, z, turn and their rates of change. */
  readonly #offset = new Float64Array(6);
  #velocityX = 0;
  #velocityZ = 0;
  #velocityTurn = 0;

  place(x: number, z: number, yaw: number): void {
    this.x = x;
    this.z = z;
    this.yaw = yaw;
    this.#offset.fill(0);
  }

  /**
   * Moves by the clip's motion, what is left of a switch, and the pull of the simulated object.
   * @param delta - the clip's motion in the character's frame: x, z, sine and cosine of the turn
   * @param halfLife - of the velocity difference at switches
   */
  step(dt: number, delta: Float64Array, halfLife: number, simulated: SimulatedRoot, limits: RootLimits): void {
    const { motion } = this, o = this.#offset;
    motion.fill(0);
    if (dt <= 0) return;
    const turn = atan2(delta[2]!, delta[3]!) + o[2]! * dt;
    const x = delta[0]! + o[0]! * dt, z = delta[1]! + o[1]! * dt;
    this.#velocityX = x / dt;
    this.#velocityZ = z / dt;
    this.#velocityTurn = turn / dt;
    this.#decay(halfLife, dt);
    this.speed = Math.sqrt(x * x + z * z) / dt;
    this.#turnSpeed = Math.abs(turn) / dt;

    const s = sin(this.yaw), c = cos(this.yaw);
    let worldX = this.x + x * c + z * s, worldZ = this.z - x * s + z * c, yaw = this.yaw + turn;
    if (limits.adjustment !== undefined) {
      const { positionHalfLife, yawHalfLife, maxRatio } = limits.adjustment;
      const share = shareOf(positionHalfLife, dt);
      let px = (simulated.x - worldX) * share, pz = (simulated.z - worldZ) * share;
      const pull = Math.sqrt(px * px + pz * pz), most = maxRatio * this.speed * dt;
      if (pull > most) {
        px *= most / pull;
        pz *= most / pull;
      }
      worldX += px;
      worldZ += pz;
      // A walk straight on may be turned a little, as far as its speed hides it.
      const mostTurn = maxRatio * Math.max(this.#turnSpeed, this.speed / limits.rigHeight) * dt;
      yaw += Math.min(mostTurn, Math.max(-mostTurn, wrapToPi(simulated.yaw - yaw) * shareOf(yawHalfLife, dt)));
    }
    const dx = worldX - simulated.x, dz = worldZ - simulated.z, distance = Math.sqrt(dx * dx + dz * dz);
    if (distance > limits.clampDistance) {
      worldX = simulated.x + (dx * limits.clampDistance) / distance;
      worldZ = simulated.z + (dz * limits.clampDistance) / distance;
    }
    const lead = wrapToPi(yaw - simulated.yaw);
    if (Math.abs(lead) > limits.clampAngle) yaw = simulated.yaw + Math.sign(lead) * limits.clampAngle;

    motion[0] = (worldX - this.x) * c - (worldZ - this.z) * s;
    motion[2] = (worldX - this.x) * s + (worldZ - this.z) * c;
    motion[3] = wrapToPi(yaw - this.yaw);
    this.x = worldX;
    this.z = worldZ;
    this.yaw = wrapToPi(yaw);
  }

  /** At a switch: the velocity goes over from what it was to the new clip's, given as its motion over `seconds`. */
  carryOver(delta: Float64Array, seconds: number): void {
    const o = this.#offset;
    o[0] = this.#velocityX - delta[0]! / seconds;
    o[1] = this.#velocityZ - delta[1]! / seconds;
    o[2] = this.#velocityTurn - atan2(delta[2]!, delta[3]!) / seconds;
    o[3] = o[4] = o[5] = 0;
  }

  #decay(halfLife: number, dt: number): void {
    const o = this.#offset;
    if (halfLife <= INSTANT) {
      o.fill(0);
      return;
    }
    const y = dampingOf(halfLife), e = exp(-y * dt);
    for (let i = 0; i < 3; i++) {
      const j1 = o[3 + i]! + o[i]! * y;
      o[i] = e * (o[i]! + j1 * dt);
      o[3 + i] = e * (o[3 + i]! - j1 * y * dt);
    }
  }
}

/** Share of a difference that goes in `dt` when half of it goes in `halfLife`. */
function shareOf(halfLife: number, dt: number): number {
  return halfLife <= INSTANT ? 1 : 1 - exp(-dampingOf(halfLife) * 0.5 * dt);
}
