import { atan2, cos, sin } from "../motion/math.js";
import { fewTurns, type FollowerLaw } from "./law.js";

/** Values per bone: output quaternion, angular velocity, previous target quaternion. */
export const ROTATION_VALUES = 11;
const VELOCITY = 4;
const PREVIOUS = 7;

/**
 * Follows rotations with the law of a scalar, on the rotation vector: rotations about one axis behave as the scalar on
 * their angle, and a target of the other sign is the same target. Source: quaternion logarithm (D. Holden, "Spring-It-On").
 */
export class RotationFollower {
  // The logarithm of the last product, and the last exponential.
  #x = 0;
  #y = 0;
  #z = 0;
  #qx = 0;
  #qy = 0;
  #qz = 0;
  #qw = 1;

  /** Puts the rotation at rest on a target. */
  reset(state: Float64Array, at: number, x: number, y: number, z: number, w: number): void {
    state[at] = state[at + PREVIOUS] = x;
    state[at + 1] = state[at + PREVIOUS + 1] = y;
    state[at + 2] = state[at + PREVIOUS + 2] = z;
    state[at + 3] = state[at + PREVIOUS + 3] = w;
    state[at + VELOCITY] = state[at + VELOCITY + 1] = state[at + VELOCITY + 2] = 0;
  }

  /** Advances one rotation towards the unit quaternion (x, y, z, w) by the step that the law was prepared for. */
  step(law: FollowerLaw, dt: number, state: Float64Array, at: number, x: number, y: number, z: number, w: number): void {
    const qx = state[at]!, qy = state[at + 1]!, qz = state[at + 2]!, qw = state[at + 3]!;
    const px = state[at + PREVIOUS]!, py = state[at + PREVIOUS + 1]!, pz = state[at + PREVIOUS + 2]!, pw = state[at + PREVIOUS + 3]!;
    // The target's angular velocity, in skeleton axes.
    let ux = 0, uy = 0, uz = 0;
    if (!law.ignoresVelocity) {
      this.#logOfQuotient(x, y, z, w, px, py, pz, pw);
      ux = this.#x / dt;
      uy = this.#y / dt;
      uz = this.#z / dt;
    }
    let rx: number, ry: number, rz: number;
    if (law.isExact) {
      if (law.ignoresVelocity) this.#logOfQuotient(qx, qy, qz, qw, x, y, z, w);
      else this.#logOfQuotient(qx, qy, qz, qw, px, py, pz, pw);
      const ex = this.#x, ey = this.#y, ez = this.#z;
      const vx = state[at + VELOCITY]!, vy = state[at + VELOCITY + 1]!, vz = state[at + VELOCITY + 2]!;
      rx = law.relativePosition(ex, vx, ux);
      ry = law.relativePosition(ey, vy, uy);
      rz = law.relativePosition(ez, vz, uz);
      state[at + VELOCITY] = law.relativeVelocity(ex, vx, ux);
      state[at + VELOCITY + 1] = law.relativeVelocity(ey, vy, uy);
      state[at + VELOCITY + 2] = law.relativeVelocity(ez, vz, uz);
    } else {
      // Relative to where the target is at the end of the step.
      this.#logOfQuotient(qx, qy, qz, qw, x, y, z, w);
      const ex = this.#x, ey = this.#y, ez = this.#z;
      law.solve(ex, state[at + VELOCITY]!, 0, ux);
      rx = law.y;
      state[at + VELOCITY] = law.v;
      law.solve(ey, state[at + VELOCITY + 1]!, 0, uy);
      ry = law.y;
      state[at + VELOCITY + 1] = law.v;
      law.solve(ez, state[at + VELOCITY + 2]!, 0, uz);
      rz = law.y;
      state[at + VELOCITY + 2] = law.v;
    }
    this.#exp(rx, ry, rz);
    const ax = this.#qx, ay = this.#qy, az = this.#qz, aw = this.#qw;
    const nx = aw * x + ax * w + ay * z - az * y;
    const ny = aw * y - ax * z + ay * w + az * x;
    const nz = aw * z + ax * y - ay * x + az * w;
    const nw = aw * w - ax * x - ay * y - az * z;
    const scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz + nw * nw);
    state[at] = nx * scale;
    state[at + 1] = ny * scale;
    state[at + 2] = nz * scale;
    state[at + 3] = nw * scale;
    state[at + PREVIOUS] = x;
    state[at + PREVIOUS + 1] = y;
    state[at + PREVIOUS + 2] = z;
    state[at + PREVIOUS + 3] = w;
  }

  /** Rotation vector of a * inverse(b), the short way round. */
  #logOfQuotient(ax: number, ay: number, az: number, aw: number, bx: number, by: number, bz: number, bw: number): void {
    let x = -aw * bx + ax * bw - ay * bz + az * by;
    let y = -aw * by + ax * bz + ay * bw - az * bx;
    let z = -aw * bz - ax * by + ay * bx + az * bw;
    let w = aw * bw + ax * bx + ay * by + az * bz;
    if (w < 0) {
      x = -x;
      y = -y;
      z = -z;
      w = -w;
    }
    const length = Math.sqrt(x * x + y * y + z * z);
    const scale = length < 1e-12 ? 2 / w : (2 * atan2(length, w)) / length;
    this.#x = x * scale;
    this.#y = y * scale;
    this.#z = z * scale;
  }

  #exp(x: number, y: number, z: number): void {
    const angle = Math.sqrt(x * x + y * y + z * z);
    const half = fewTurns(angle / 2);
    const scale = angle < 1e-12 ? 0.5 : sin(half) / angle;
    this.#qx = x * scale;
    this.#qy = y * scale;
    this.#qz = z * scale;
    this.#qw = cos(half);
  }
}
