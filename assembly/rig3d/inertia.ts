/**
 * Inertialisation: a switch to another motion keeps the displayed pose and lets the difference die away.
 *
 * Layout   poses and states as in layout/rig3d.ts.
 * Requires pointers 16-byte aligned; unit rotations; time steps > 0. `out` may be `target`.
 * Ensures  start*: the state holds displayed minus target and the difference of their velocities.
 *          apply*: out = target + what is left. Rotations: offset = displayed conj(target) as a rotation vector on the
 *          shortest arc, applied from the left.
 * Source   critically damped decay: x <- e (x + (v + y x) t), v <- e (v - (v + y x) y t) with y = 2 ln 2 / half-life,
 *          e = exp(-y t). Quintic: D. Bollo, "Inertialization" (GDC 2018): a quintic from (x0, v0, a0) to rest at t1.
 */
import { GROUP_BYTES, INERTIA_GROUP_BYTES, INERTIA_ROTATION_ROW, INERTIA_SCALE_ROW, Local } from "../layout/rig3d";
import { ROW_BYTES } from "../layout/heap";
import { dot4, mulW, mulX, mulY, mulZ, reciprocalRoot, signBit } from "../math/quaternion";
import { exp2InRange } from "../math/f64/exponential";
import { atan2, cosCore, cosOf, quarterRemainderOfRadians, quarterTurnsOfRadians, sinCore, sinOf } from "../math/trigonometry";

/** Writes the rotation vector of a conj(b), times `factor`, plus what `out` holds times `keep`: three rows. */
@inline
function rotationVector(a: usize, b: usize, factor: v128, keep: v128, out: usize): void {
  const ax = v128.load(a, Local.QX * ROW_BYTES), ay = v128.load(a, Local.QY * ROW_BYTES);
  const az = v128.load(a, Local.QZ * ROW_BYTES), aw = v128.load(a, Local.QW * ROW_BYTES);
  const bx = f32x4.neg(v128.load(b, Local.QX * ROW_BYTES)), by = f32x4.neg(v128.load(b, Local.QY * ROW_BYTES));
  const bz = f32x4.neg(v128.load(b, Local.QZ * ROW_BYTES)), bw = v128.load(b, Local.QW * ROW_BYTES);
  const w = mulW(ax, ay, az, aw, bx, by, bz, bw);
  const flip = signBit(w);
  const x = v128.xor(mulX(ax, ay, az, aw, bx, by, bz, bw), flip);
  const y = v128.xor(mulY(ax, ay, az, aw, bx, by, bz, bw), flip);
  const z = v128.xor(mulZ(ax, ay, az, aw, bx, by, bz, bw), flip);
  const length = f32x4.sqrt(f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z)));
  const angle = atan2<v128, v128>(length, v128.xor(w, flip));
  const tiny = f32x4.lt(length, f32x4.splat(1e-20));
  // Angle over sine of the half angle; 2 at rest.
  const ratio = v128.bitselect(f32x4.splat(2), f32x4.div(f32x4.add(angle, angle), length), tiny);
  const scale = f32x4.mul(ratio, factor);
  v128.store(out, f32x4.add(f32x4.mul(v128.load(out, 0), keep), f32x4.mul(x, scale)), 0);
  v128.store(out, f32x4.add(f32x4.mul(v128.load(out, 16), keep), f32x4.mul(y, scale)), 16);
  v128.store(out, f32x4.add(f32x4.mul(v128.load(out, 32), keep), f32x4.mul(z, scale)), 32);
}

/** rows[0..2] = (a - b) * factor + rows * keep */
@inline
function vectorDifference(a: usize, b: usize, row: usize, factor: v128, keep: v128, out: usize): void {
  for (let at: usize = 0; at < 48; at += 16) {
    const d = f32x4.sub(v128.load(a + row + at), v128.load(b + row + at));
    v128.store(out + at, f32x4.add(f32x4.mul(v128.load(out + at), keep), f32x4.mul(d, factor)));
  }
}

/**
 * State of the decay at a switch. `before` was displayed `displayedStep` seconds ago; `targetNext` follows `target` after
 * `targetStep` seconds.
 */
export function startInertia(
  displayed: usize, before: usize, displayedStep: f32, target: usize, targetNext: usize, targetStep: f32, state: usize, groupCount: i32,
): void {
  const one = f32x4.splat(1), zero = f32x4.splat(0);
  const perDisplayed = f32x4.splat(<f32>1 / displayedStep), perTarget = f32x4.splat(<f32>-1 / targetStep);
  for (let g = 0; g < groupCount; g++) {
    memory.fill(state, 0, INERTIA_GROUP_BYTES);
    const rotation = state + INERTIA_ROTATION_ROW * ROW_BYTES;
    vectorDifference(displayed, target, Local.PX * ROW_BYTES, one, zero, state);
    vectorDifference(displayed, before, Local.PX * ROW_BYTES, perDisplayed, zero, state + 48);
    vectorDifference(targetNext, target, Local.PX * ROW_BYTES, perTarget, one, state + 48);
    rotationVector(displayed, target, one, zero, rotation);
    rotationVector(displayed, before, perDisplayed, zero, rotation + 48);
    rotationVector(targetNext, target, perTarget, one, rotation + 48);
    vectorDifference(displayed, target, Local.SX * ROW_BYTES, one, zero, state + INERTIA_SCALE_ROW * ROW_BYTES);
    displayed += GROUP_BYTES;
    before += GROUP_BYTES;
    target += GROUP_BYTES;
    targetNext += GROUP_BYTES;
    state += INERTIA_GROUP_BYTES;
  }
}

/** out = exp(x) target for one group; x are three registers. */
@inline
function turn(target: usize, x: v128, y: v128, z: v128, out: usize): void {
  const angle = f32x4.sqrt(f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z)));
  const half = f32x4.mul(angle, f32x4.splat(0.5));
  const q = quarterTurnsOfRadians<v128>(half), r = quarterRemainderOfRadians<v128>(half, q), r2 = f32x4.mul(r, r);
  const sine = sinCore<v128>(r, r2), cosine = cosCore<v128>(r2);
  const tiny = f32x4.lt(angle, f32x4.splat(1e-20));
  const ratio = v128.bitselect(f32x4.splat(0.5), f32x4.div(sinOf<v128>(sine, cosine, q), angle), tiny);
  const ex = f32x4.mul(x, ratio), ey = f32x4.mul(y, ratio), ez = f32x4.mul(z, ratio), ew = cosOf<v128>(sine, cosine, q);
  const tx = v128.load(target, Local.QX * ROW_BYTES), ty = v128.load(target, Local.QY * ROW_BYTES);
  const tz = v128.load(target, Local.QZ * ROW_BYTES), tw = v128.load(target, Local.QW * ROW_BYTES);
  const ox = mulX(ex, ey, ez, ew, tx, ty, tz, tw), oy = mulY(ex, ey, ez, ew, tx, ty, tz, tw);
  const oz = mulZ(ex, ey, ez, ew, tx, ty, tz, tw), ow = mulW(ex, ey, ez, ew, tx, ty, tz, tw);
  const unit = reciprocalRoot(dot4(ox, oy, oz, ow, ox, oy, oz, ow));
  v128.store(out, f32x4.mul(ox, unit), Local.QX * ROW_BYTES);
  v128.store(out, f32x4.mul(oy, unit), Local.QY * ROW_BYTES);
  v128.store(out, f32x4.mul(oz, unit), Local.QZ * ROW_BYTES);
  v128.store(out, f32x4.mul(ow, unit), Local.QW * ROW_BYTES);
}

/** One component of the decay: updates x at `state` and v at `state + 48`, returns x. */
@inline
function decay(state: usize, y: v128, e: v128, dt: v128): v128 {
  const x = v128.load(state, 0), v = v128.load(state, 48);
  const j = f32x4.add(v, f32x4.mul(x, y));
  const nextX = f32x4.mul(e, f32x4.add(x, f32x4.mul(j, dt)));
  v128.store(state, nextX, 0);
  v128.store(state, f32x4.mul(e, f32x4.sub(v, f32x4.mul(f32x4.mul(j, y), dt))), 48);
  return nextX;
}

/** Advances the decay by `dt` seconds and applies it. */
export function applyInertia(target: usize, state: usize, halfLife: f64, dt: f64, out: usize, groupCount: i32): void {
  // y = 2 ln 2 / half-life, so exp(-y dt) = 2^(-2 dt / half-life).
  const ys = f32x4.splat(<f32>(1.3862943611198906 / halfLife)), dts = f32x4.splat(<f32>dt);
  const es = f32x4.splat(<f32>exp2InRange<f64>(max<f64>(-200, -2 * dt / halfLife)));
  for (let g = 0; g < groupCount; g++) {
    const rotation = state + INERTIA_ROTATION_ROW * ROW_BYTES;
    const scale = state + INERTIA_SCALE_ROW * ROW_BYTES;
    for (let at: usize = 0; at < 48; at += 16) {
      const p = at + Local.PX * ROW_BYTES, s = at + Local.SX * ROW_BYTES;
      v128.store(out + p, f32x4.add(v128.load(target + p), decay(state + at, ys, es, dts)));
      // Scales rarely move and have no velocity worth keeping: they just fade.
      const left = f32x4.mul(v128.load(scale + at), es);
      v128.store(scale + at, left);
      v128.store(out + s, f32x4.add(v128.load(target + s), left));
    }
    turn(target, decay(rotation, ys, es, dts), decay(rotation + 16, ys, es, dts), decay(rotation + 32, ys, es, dts), out);
    target += GROUP_BYTES;
    out += GROUP_BYTES;
    state += INERTIA_GROUP_BYTES;
  }
}

/** Replaces offset (rows 0..2) and velocity (rows 3..5) by axis, length, speed and end time. */
@inline
function fitQuintic(state: usize, blendTime: v128): void {
  const x = v128.load(state, 0), y = v128.load(state, 16), z = v128.load(state, 32);
  const vx = v128.load(state, 48), vy = v128.load(state, 64), vz = v128.load(state, 80);
  const zero = f32x4.splat(0);
  const length = f32x4.sqrt(f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z)));
  const tiny = f32x4.lt(length, f32x4.splat(1e-9));
  const per = v128.bitselect(zero, f32x4.div(f32x4.splat(1), length), tiny);
  const ax = f32x4.mul(x, per), ay = f32x4.mul(y, per), az = f32x4.mul(z, per);
  // Away from the target the speed counts as 0, so that the offset never grows.
  const speed = f32x4.pmin(zero, f32x4.add(f32x4.add(f32x4.mul(vx, ax), f32x4.mul(vy, ay)), f32x4.mul(vz, az)));
  const soonest = f32x4.div(f32x4.mul(length, f32x4.splat(-5)), v128.bitselect(f32x4.splat(-1), speed, f32x4.eq(speed, zero)));
  const moving = v128.andnot(f32x4.lt(speed, zero), tiny);
  v128.store(state, ax, 0);
  v128.store(state, ay, 16);
  v128.store(state, az, 32);
  v128.store(state, v128.bitselect(zero, length, tiny), 48);
  v128.store(state, speed, 64);
  v128.store(state, v128.bitselect(f32x4.pmin(blendTime, soonest), blendTime, moving), 80);
}

/** Turns a state of `startInertia` into one of the quintic that ends after `blendTime` seconds at the latest. */
export function startQuintic(state: usize, blendTime: f32, groupCount: i32): void {
  const time = f32x4.splat(blendTime);
  for (let g = 0; g < groupCount; g++) {
    fitQuintic(state, time);
    fitQuintic(state + INERTIA_ROTATION_ROW * ROW_BYTES, time);
    state += INERTIA_GROUP_BYTES;
  }
}

/** Length of the offset `t` seconds after the switch. */
@inline
function quintic(state: usize, t: v128): v128 {
  const x0 = v128.load(state, 48), v0 = v128.load(state, 64), t1 = v128.load(state, 80);
  const zero = f32x4.splat(0);
  const v = f32x4.mul(v0, t1);
  // In units of t1: u = t / t1, and a0, A, B, C times the powers of t1 that go with them.
  const u = f32x4.div(t, t1);
  const a = f32x4.pmax(zero, f32x4.sub(f32x4.mul(v, f32x4.splat(-8)), f32x4.mul(x0, f32x4.splat(20))));
  const half = f32x4.splat(0.5);
  const A = f32x4.mul(f32x4.add(f32x4.add(a, f32x4.mul(v, f32x4.splat(6))), f32x4.mul(x0, f32x4.splat(12))), f32x4.splat(-0.5));
  const B = f32x4.mul(f32x4.add(f32x4.add(f32x4.mul(a, f32x4.splat(3)), f32x4.mul(v, f32x4.splat(16))), f32x4.mul(x0, f32x4.splat(30))), half);
  const C = f32x4.mul(f32x4.add(f32x4.add(f32x4.mul(a, f32x4.splat(3)), f32x4.mul(v, f32x4.splat(12))), f32x4.mul(x0, f32x4.splat(20))), f32x4.splat(-0.5));
  let p = f32x4.add(f32x4.mul(A, u), B);
  p = f32x4.add(f32x4.mul(p, u), C);
  p = f32x4.add(f32x4.mul(p, u), f32x4.mul(a, half));
  p = f32x4.add(f32x4.mul(p, u), v);
  p = f32x4.add(f32x4.mul(p, u), x0);
  return v128.and(p, f32x4.lt(t, t1));
}

/** Applies a quintic state, `t` seconds after the switch. Scales end linearly after `blendTime`. */
export function applyQuintic(target: usize, state: usize, t: f32, blendTime: f32, out: usize, groupCount: i32): void {
  const time = f32x4.splat(t);
  const left = f32x4.splat(max<f32>(0, <f32>1 - t / blendTime));
  for (let g = 0; g < groupCount; g++) {
    const rotation = state + INERTIA_ROTATION_ROW * ROW_BYTES;
    const scale = state + INERTIA_SCALE_ROW * ROW_BYTES;
    const distance = quintic(state, time), angle = quintic(rotation, time);
    for (let at: usize = 0; at < 48; at += 16) {
      const p = at + Local.PX * ROW_BYTES, s = at + Local.SX * ROW_BYTES;
      v128.store(out + p, f32x4.add(v128.load(target + p), f32x4.mul(v128.load(state + at), distance)));
      v128.store(out + s, f32x4.add(v128.load(target + s), f32x4.mul(v128.load(scale + at), left)));
    }
    turn(target, f32x4.mul(v128.load(rotation, 0), angle), f32x4.mul(v128.load(rotation, 16), angle), f32x4.mul(v128.load(rotation, 32), angle), out);
    target += GROUP_BYTES;
    out += GROUP_BYTES;
    state += INERTIA_GROUP_BYTES;
  }
}
