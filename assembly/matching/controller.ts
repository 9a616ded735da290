/**
 * The motion of one character: a simulated object that follows a wish by springs, and the animated root that follows it.
 *
 * Layout   layout/matching.ts: Controller block, Prediction rows.
 * Requires finite numbers (clamps may be infinite); half-lives, step, ratio as checked by the caller.
 * Ensures  the fields named by each function. Double precision; the same bits on every machine.
 * Source   critically damped spring by half-life H, y = 2 ln 2 / H, j0 = v - vd, j1 = a + j0 y, e = exp(-y t):
 *            velocity      e (j0 + j1 t) + vd
 *            displacement  e (-j1 / y² + (-j0 - j1 t) / y) + j1 / y² + j0 / y + vd t
 *            acceleration  e (a - j1 y t)
 *          of a heading: value  goal + e (d + (w + d y) t), rate  e (w - (w + d y) y t), d = heading - goal.
 */
import { atan2 } from "../math/f64/inverse";
import { exp } from "../math/f64/power";
import { sinTurned } from "../math/f64/trigonometry";
import { Controller, Prediction, PREDICTION_BYTES } from "../layout/matching";

const TWO_LN_2: f64 = 1.3862943611198906;
const LN_2: f64 = 0.6931471805599453;
const TWO_PI: f64 = 6.283185307179586;
/** Half-lives up to this are instant. */
const INSTANT: f64 = 1e-4;

@inline
function get(block: usize, field: usize): f64 {
  return load<f64>(block + field);
}

@inline
function put(block: usize, field: usize, value: f64): void {
  store<f64>(block + field, value);
}

/** The angle that differs by whole turns and lies within half a turn of 0. */
@inline
function wrapToPi(angle: f64): f64 {
  return angle - nearest(angle / TWO_PI) * TWO_PI;
}

/** Share of a difference that goes in `step` when half of it goes in `halfLife`. */
@inline
function shareOf(halfLife: f64, step: f64): f64 {
  return halfLife <= INSTANT ? 1 : 1 - exp((-LN_2 / halfLife) * step);
}

function displacement(v: f64, a: f64, desired: f64, halfLife: f64, t: f64): f64 {
  if (halfLife <= INSTANT) return desired * t;
  const y = TWO_LN_2 / halfLife, j0 = v - desired, j1 = a + j0 * y;
  return exp(-y * t) * (-j1 / (y * y) + (-j0 - j1 * t) / y) + j1 / (y * y) + j0 / y + desired * t;
}

function velocity(v: f64, a: f64, desired: f64, halfLife: f64, t: f64): f64 {
  if (halfLife <= INSTANT) return desired;
  const y = TWO_LN_2 / halfLife, j0 = v - desired;
  return exp(-y * t) * (j0 + (a + j0 * y) * t) + desired;
}

function acceleration(v: f64, a: f64, desired: f64, halfLife: f64, t: f64): f64 {
  if (halfLife <= INSTANT) return 0;
  const y = TWO_LN_2 / halfLife;
  return exp(-y * t) * (a - (a + (v - desired) * y) * y * t);
}

function heading(block: usize, t: f64): f64 {
  const yaw = get(block, Controller.SIM_YAW), rate = get(block, Controller.SIM_YAW_RATE), halfLife = get(block, Controller.YAW_HALF_LIFE);
  const goal = yaw - wrapToPi(yaw - get(block, Controller.DESIRED_YAW));
  if (halfLife <= INSTANT) return goal;
  const y = TWO_LN_2 / halfLife, d = yaw - goal;
  return goal + exp(-y * t) * (d + (rate + d * y) * t);
}

/** Moves the simulated object by STEP: SIM_…. */
export function advanceSimulated(block: usize): void {
  const t = get(block, Controller.STEP), h = get(block, Controller.VELOCITY_HALF_LIFE);
  const vx = get(block, Controller.SIM_VX), vz = get(block, Controller.SIM_VZ), ax = get(block, Controller.SIM_AX), az = get(block, Controller.SIM_AZ);
  const dx = get(block, Controller.DESIRED_X), dz = get(block, Controller.DESIRED_Z);
  const yaw = get(block, Controller.SIM_YAW), rate = get(block, Controller.SIM_YAW_RATE), halfLife = get(block, Controller.YAW_HALF_LIFE);
  const turned = heading(block, t);
  const d = wrapToPi(yaw - get(block, Controller.DESIRED_YAW)), y = TWO_LN_2 / halfLife;

  put(block, Controller.SIM_X, get(block, Controller.SIM_X) + displacement(vx, ax, dx, h, t));
  put(block, Controller.SIM_Z, get(block, Controller.SIM_Z) + displacement(vz, az, dz, h, t));
  put(block, Controller.SIM_VX, velocity(vx, ax, dx, h, t));
  put(block, Controller.SIM_VZ, velocity(vz, az, dz, h, t));
  put(block, Controller.SIM_AX, acceleration(vx, ax, dx, h, t));
  put(block, Controller.SIM_AZ, acceleration(vz, az, dz, h, t));
  put(block, Controller.SIM_YAW_RATE, halfLife <= INSTANT ? 0 : exp(-y * t) * (rate - (rate + d * y) * y * t));
  put(block, Controller.SIM_YAW, wrapToPi(turned));
}

/** Where the simulated object will be at the TIME of every row: all other fields of the rows. */
export function predictSimulated(block: usize, rows: usize, count: i32): void {
  const h = get(block, Controller.VELOCITY_HALF_LIFE);
  const vx = get(block, Controller.SIM_VX), vz = get(block, Controller.SIM_VZ), ax = get(block, Controller.SIM_AX), az = get(block, Controller.SIM_AZ);
  const dx = get(block, Controller.DESIRED_X), dz = get(block, Controller.DESIRED_Z);
  for (let i = 0; i < count; i++) {
    const t = get(rows, Prediction.TIME);
    put(rows, Prediction.X, get(block, Controller.SIM_X) + displacement(vx, ax, dx, h, t));
    put(rows, Prediction.Z, get(block, Controller.SIM_Z) + displacement(vz, az, dz, h, t));
    put(rows, Prediction.VX, velocity(vx, ax, dx, h, t));
    put(rows, Prediction.VZ, velocity(vz, az, dz, h, t));
    put(rows, Prediction.YAW, heading(block, t));
    rows += PREDICTION_BYTES;
  }
}

/** Sine and cosine of the YAW of every row. */
export function resolveHeadings(rows: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    const yaw = get(rows, Prediction.YAW);
    put(rows, Prediction.SIN, sinTurned<f64>(yaw, 0));
    put(rows, Prediction.COS, sinTurned<f64>(yaw, 0.5));
    rows += PREDICTION_BYTES;
  }
}

/** Puts the animated root's heading right: YAW within half a turn, SIN, COS. */
export function placeRoot(block: usize): void {
  const yaw = wrapToPi(get(block, Controller.YAW));
  put(block, Controller.YAW, yaw);
  put(block, Controller.SIN, sinTurned<f64>(yaw, 0));
  put(block, Controller.COS, sinTurned<f64>(yaw, 0.5));
}

/** A velocity difference after a step: the spring to 0. */
function decay(block: usize, offset: usize, rate: usize, y: f64, e: f64, t: f64): void {
  const x = get(block, offset), w = get(block, rate), j1 = w + x * y;
  put(block, offset, e * (x + j1 * t));
  put(block, rate, e * (w - j1 * y * t));
}

/**
 * Moves the animated root by the clip's motion (DELTA_…), what is left of a switch, and the pull of the simulated object:
 * X, Z, YAW, SIN, COS, MOTION_…, SPEED, VELOCITY_…, OFFSET_…, RELEASE_LEFT. Requires STEP > 0.
 */
export function stepRoot(block: usize): void {
  const t = get(block, Controller.STEP);
  const turn = atan2(get(block, Controller.DELTA_SIN), get(block, Controller.DELTA_COS)) + get(block, Controller.OFFSET_TURN) * t;
  const x = get(block, Controller.DELTA_X) + get(block, Controller.OFFSET_X) * t, z = get(block, Controller.DELTA_Z) + get(block, Controller.OFFSET_Z) * t;
  const speed = sqrt(x * x + z * z) / t;
  put(block, Controller.VELOCITY_X, x / t);
  put(block, Controller.VELOCITY_Z, z / t);
  put(block, Controller.VELOCITY_TURN, turn / t);
  put(block, Controller.SPEED, speed);
  const half = get(block, Controller.SWITCH_HALF_LIFE);
  const y = TWO_LN_2 / max(half, INSTANT), e = half <= INSTANT ? 0 : exp(-y * t);
  decay(block, Controller.OFFSET_X, Controller.OFFSET_RATE_X, y, e, t);
  decay(block, Controller.OFFSET_Z, Controller.OFFSET_RATE_Z, y, e, t);
  decay(block, Controller.OFFSET_TURN, Controller.OFFSET_RATE_TURN, y, e, t);
  put(block, Controller.RELEASE_LEFT, 1 - shareOf(get(block, Controller.RELEASE_HALF_LIFE), t));

  const startX = get(block, Controller.X), startZ = get(block, Controller.Z), startYaw = get(block, Controller.YAW);
  const s = get(block, Controller.SIN), c = get(block, Controller.COS);
  const simX = get(block, Controller.SIM_X), simZ = get(block, Controller.SIM_Z), simYaw = get(block, Controller.SIM_YAW);
  let worldX = startX + x * c + z * s, worldZ = startZ - x * s + z * c, yaw = startYaw + turn;
  const ratio = get(block, Controller.MAXIMUM_RATIO);
  if (ratio >= 0) {
    const share = shareOf(get(block, Controller.POSITION_HALF_LIFE), t);
    let px = (simX - worldX) * share, pz = (simZ - worldZ) * share;
    const pull = sqrt(px * px + pz * pz), most = ratio * speed * t;
    if (pull > most) {
      px *= most / pull;
      pz *= most / pull;
    }
    worldX += px;
    worldZ += pz;
    // A walk straight on may be turned a little, as far as its speed hides it.
    const mostTurn = ratio * max(abs(turn), (speed * t) / get(block, Controller.RIG_HEIGHT));
    yaw += min(mostTurn, max(-mostTurn, wrapToPi(simYaw - yaw) * shareOf(get(block, Controller.HEADING_HALF_LIFE), t)));
  }
  const dx = worldX - simX, dz = worldZ - simZ, distance = sqrt(dx * dx + dz * dz), most = get(block, Controller.CLAMP_DISTANCE);
  if (distance > most) {
    worldX = simX + (dx * most) / distance;
    worldZ = simZ + (dz * most) / distance;
  }
  const lead = wrapToPi(yaw - simYaw), mostLead = get(block, Controller.CLAMP_ANGLE);
  if (abs(lead) > mostLead) yaw = simYaw + (lead < 0 ? -mostLead : mostLead);

  put(block, Controller.MOTION_X, (worldX - startX) * c - (worldZ - startZ) * s);
  put(block, Controller.MOTION_Z, (worldX - startX) * s + (worldZ - startZ) * c);
  put(block, Controller.MOTION_TURN, wrapToPi(yaw - startYaw));
  put(block, Controller.X, worldX);
  put(block, Controller.Z, worldZ);
  put(block, Controller.YAW, yaw);
  placeRoot(block);
}

/** At a switch: velocities go over from VELOCITY_… to those of DELTA_… over STEP seconds: OFFSET_…. */
export function carryOver(block: usize): void {
  const t = get(block, Controller.STEP);
  put(block, Controller.OFFSET_X, get(block, Controller.VELOCITY_X) - get(block, Controller.DELTA_X) / t);
  put(block, Controller.OFFSET_Z, get(block, Controller.VELOCITY_Z) - get(block, Controller.DELTA_Z) / t);
  put(block, Controller.OFFSET_TURN, get(block, Controller.VELOCITY_TURN) - atan2(get(block, Controller.DELTA_SIN), get(block, Controller.DELTA_COS)) / t);
  put(block, Controller.OFFSET_RATE_X, 0);
  put(block, Controller.OFFSET_RATE_Z, 0);
  put(block, Controller.OFFSET_RATE_TURN, 0);
}
