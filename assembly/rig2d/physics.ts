/**
 * Physics constraints: springs on position, rotation and scale of a bone, simulated in fixed steps.
 *
 * Layout   record: PhysicsField; state: PhysicsStateRow, states one after the other from HeaderRow.PHYSICS on.
 *          Clock: physics-clock.ts.
 * Requires the bone's world transform is valid; times are finite.
 * Ensures  world values of the bone and the state in the lanes where mix is not 0. At most MAXIMUM_PHYSICS_STEPS steps; what
 *          exceeds them is dropped. Times are f64 and are subtracted step by step, so lanes step in the same frames as a
 *          single skeleton does.
 * Source   semi-implicit Euler: v += (force - offset strength) m h, offset += v h, v *= damping^(60 h); what is shown lies
 *          between the last two steps ("lag").
 */
import {
  abs, add, allTrue, anyTrue, ceil, divideOrZero, eq, eqInt, keepWhere, lt, maskAnd, maskNot, max, min, mul, mulAdd, mulSub, neg, select,
  splat, splatInt, sqrt, sub,
} from "../math/lane";
import { pow } from "../math/f64/power";
import { boundedRemainder, cosCore, cosOf, quarterRemainderOfRadians, quarterTurnsOfRadians, sinCore, sinOf } from "../math/trigonometry";
import { BoneRow, HeaderRow, PhysicsRow, ProgramField } from "../layout/rig2d";
import {
  PHYSICS_STATE_ROWS, PHYSICS_Y_DOWN, PhysicsField, PhysicsMode, PhysicsStateRow, ScaleYRule, ScratchField,
} from "../layout/update";
import { appliedBone, bounded, get, putBounded, putWhere, rowAt, rowShift, table } from "./update-rows";
import { advanceClocks, ClockRow } from "./physics-clock";
import { modifyWorld } from "./tags";
import { angleOf, anglesOfOne, cosOfDegrees, cosOfRadians, sinOfDegrees, sinOfRadians, turnOfRadians } from "./update-angles";

const TWO_PI: f32 = 6.2831855;
const INVERSE_TWO_PI: f32 = 0.15915494;

/** A physics constraint. `operands` points at: record, constraint row, bone, index of the state. */
export function solvePhysics<T, M>(program: usize, pose: usize, operands: usize, physics: i32, scratch: usize): void {
  const mode = physics & 7;
  if (mode == PhysicsMode.NONE) return;
  const record = <usize>load<u32>(operands);
  const constraint = rowAt<T>(pose, load<i32>(operands, 4));
  const zero = splat<T>(0), one = splat<T>(1);
  const mix = get<T>(constraint, PhysicsRow.MIX);
  const mask = maskNot<M>(eq<T, M>(mix, zero));
  if (!anyTrue<M>(mask)) return;
  const index = load<i32>(operands, 8);
  const bone = appliedBone<T>(program, pose, index);
  const state = <usize>load<u32>(pose + HeaderRow.PHYSICS * sizeof<T>()) +
    ((<usize>load<i32>(operands, 12) * PHYSICS_STATE_ROWS) << rowShift<T>());
  const clock = scratch + ScratchField.CLOCK;

  const influenceX = load<f32>(record, PhysicsField.X), influenceY = load<f32>(record, PhysicsField.Y);
  const influenceRotate = load<f32>(record, PhysicsField.ROTATE), influenceShear = load<f32>(record, PhysicsField.SHEAR_X);
  const influenceScale = load<f32>(record, PhysicsField.SCALE_X);
  const movesX = influenceX > 0, movesY = influenceY > 0, rotates = influenceRotate > 0 || influenceShear > 0;
  const scales = influenceScale > 0;
  const boneLength = load<f32>(table(program, ProgramField.BONE_LENGTHS) + (<usize>index << 2));

  modifyWorld<T, M>(program, pose, bone, index, mask);
  if (mode == PhysicsMode.RESET) resetState<T, M>(state, mask);
  const simulates = mode != PhysicsMode.POSE;
  advanceClocks<T, M>(pose, state, clock, record, mask, simulates, mode == PhysicsMode.RESET, movesX || movesY || rotates || scales);
  let ahead = get<T>(clock, ClockRow.AHEAD);

  if (simulates) {
    const pending = maskNot<M>(eqInt<M>(get<M>(state, PhysicsStateRow.PENDING), splatInt<M>(0)));
    const starts = maskAnd<M>(mask, pending), running = maskAnd<M>(mask, maskNot<M>(pending));
    if (anyTrue<M>(starts)) {
      putWhere<M, M>(state, PhysicsStateRow.PENDING, splatInt<M>(0), starts);
      putWhere<T, M>(state, PhysicsStateRow.LAST_X, get<T>(bone, BoneRow.WORLD_X), starts);
      putWhere<T, M>(state, PhysicsStateRow.LAST_Y, get<T>(bone, BoneRow.WORLD_Y), starts);
      ahead = keepWhere<T, M>(ahead, maskNot<M>(starts));
    }
    if (anyTrue<M>(running)) {
      if (movesX || movesY) simulateTranslation<T, M>(pose, constraint, bone, state, clock, record, movesX, movesY, running);
      applyTranslation<T, M>(bone, state, mix, ahead, influenceX, influenceY, running);
      if (rotates || scales) {
        simulateRotation<T, M>(
          pose, constraint, bone, state, clock, record, boneLength, rotates, scales, physics & PHYSICS_Y_DOWN, running);
      }
    }
    putWhere<T, M>(state, PhysicsStateRow.PIVOT_X, get<T>(bone, BoneRow.WORLD_X), mask);
    putWhere<T, M>(state, PhysicsStateRow.PIVOT_Y, get<T>(bone, BoneRow.WORLD_Y), mask);
  } else {
    applyTranslation<T, M>(bone, state, mix, ahead, influenceX, influenceY, mask);
  }

  if (rotates) {
    const o = mul<T>(
      mulSub<T>(get<T>(state, PhysicsStateRow.ROTATE_LAG), ahead, get<T>(state, PhysicsStateRow.ROTATE_OFFSET)), mix);
    const turn = influenceRotate > 0 ? mul<T>(o, splat<T>(influenceRotate)) : zero;
    if (influenceShear > 0) {
      if (influenceRotate > 0) rotateColumn<T, M>(bone, BoneRow.B, BoneRow.D, turn, mask);
      rotateColumn<T, M>(bone, BoneRow.A, BoneRow.C, mulAdd<T>(o, splat<T>(influenceShear), turn), mask);
    } else {
      rotateMatrix<T, M>(bone, turn, mask);
    }
  }
  if (scales) {
    const o = mul<T>(
      mulSub<T>(get<T>(state, PhysicsStateRow.SCALE_LAG), ahead, get<T>(state, PhysicsStateRow.SCALE_OFFSET)), mix);
    const s = mulAdd<T>(o, splat<T>(influenceScale), one);
    scaleColumn<T, M>(bone, BoneRow.A, BoneRow.C, s, mask);
    const rule = load<i32>(record, PhysicsField.SCALE_Y);
    if (rule == ScaleYRule.UNIFORM) {
      scaleColumn<T, M>(bone, BoneRow.B, BoneRow.D, s, mask);
    } else if (rule == ScaleYRule.VOLUME) {
      const size = abs<T>(s);
      const factor = select<T, M>(
        mulSub<T>(splat<T>(3.67347), size, splat<T>(4)), divideOrZero<T, M>(one, size), lt<T, M>(size, splat<T>(0.7)));
      scaleColumn<T, M>(bone, BoneRow.B, BoneRow.D, factor, mask);
    }
  }
  if (simulates) {
    const length = splat<T>(boneLength);
    putWhere<T, M>(state, PhysicsStateRow.TIP_X, mul<T>(length, get<T>(bone, BoneRow.A)), mask);
    putWhere<T, M>(state, PhysicsStateRow.TIP_Y, mul<T>(length, get<T>(bone, BoneRow.C)), mask);
  }
}

/** Position chases the bone: inertia, wind and gravity. */
@inline
function simulateTranslation<T, M>(
  pose: usize, constraint: usize, bone: usize, state: usize, clock: usize, record: usize, movesX: bool, movesY: bool, mask: M,
): void {
  const sx = get<T>(pose, HeaderRow.SCALE_X), sy = get<T>(pose, HeaderRow.SCALE_Y);
  const inertia = get<T>(constraint, PhysicsRow.INERTIA);
  const limit = mul<T>(get<T>(clock, ClockRow.DELTA), splat<T>(load<f32>(record, PhysicsField.LIMIT)));
  const worldX = get<T>(bone, BoneRow.WORLD_X), worldY = get<T>(bone, BoneRow.WORLD_Y);
  let xOffset = get<T>(state, PhysicsStateRow.X_OFFSET), yOffset = get<T>(state, PhysicsStateRow.Y_OFFSET);
  if (movesX) {
    const by = mul<T>(sub<T>(get<T>(state, PhysicsStateRow.LAST_X), worldX), inertia);
    xOffset = boundedState<T>(add<T>(xOffset, clampBy<T>(by, mul<T>(limit, abs<T>(sx)))));
    putWhere<T, M>(state, PhysicsStateRow.LAST_X, worldX, mask);
    putWhere<T, M>(state, PhysicsStateRow.X_OFFSET, xOffset, mask);
  }
  if (movesY) {
    const by = mul<T>(sub<T>(get<T>(state, PhysicsStateRow.LAST_Y), worldY), inertia);
    yOffset = boundedState<T>(add<T>(yOffset, clampBy<T>(by, mul<T>(limit, abs<T>(sy)))));
    putWhere<T, M>(state, PhysicsStateRow.LAST_Y, worldY, mask);
    putWhere<T, M>(state, PhysicsStateRow.Y_OFFSET, yOffset, mask);
  }

  const steps = get<M>(clock, ClockRow.STEPS);
  const stepping = maskAnd<M>(mask, lessInt<M>(splatInt<M>(0), steps));
  if (!anyTrue<M>(stepping)) return;
  const strength = get<T>(constraint, PhysicsRow.STRENGTH);
  const damping = dampingOfStep<T, M>(get<T>(constraint, PhysicsRow.DAMPING), record);
  const h = splat<T>(load<f32>(record, PhysicsField.STEP_F32));
  const mass = mul<T>(h, get<T>(constraint, PhysicsRow.MASS_INVERSE));
  const scale = splat<T>(load<f32>(record, PhysicsField.REFERENCE_SCALE));
  const wind = get<T>(constraint, PhysicsRow.WIND), gravity = get<T>(constraint, PhysicsRow.GRAVITY);
  const forceX = mul<T>(mul<T>(scale,
    add<T>(mul<T>(wind, get<T>(pose, HeaderRow.WIND_X)), mul<T>(gravity, get<T>(pose, HeaderRow.GRAVITY_X)))), sx);
  const forceY = mul<T>(mul<T>(scale,
    add<T>(mul<T>(wind, get<T>(pose, HeaderRow.WIND_Y)), mul<T>(gravity, get<T>(pose, HeaderRow.GRAVITY_Y)))), sy);
  const xSaved = xOffset, ySaved = yOffset;
  let xVelocity = get<T>(state, PhysicsStateRow.X_VELOCITY), yVelocity = get<T>(state, PhysicsStateRow.Y_VELOCITY);

  for (let i = 0; ; i++) {
    const live = lessInt<M>(splatInt<M>(i), steps);
    if (!anyTrue<M>(live)) break;
    if (movesX) {
      const v = mulAdd<T>(boundedState<T>(mulSub<T>(xOffset, strength, forceX)), mass, xVelocity);
      xOffset = select<T, M>(boundedState<T>(mulAdd<T>(v, h, xOffset)), xOffset, live);
      xVelocity = select<T, M>(boundedState<T>(mul<T>(v, damping)), xVelocity, live);
    }
    if (movesY) {
      const v = mulSub<T>(boundedState<T>(mulAdd<T>(yOffset, strength, forceY)), mass, yVelocity);
      yOffset = select<T, M>(boundedState<T>(mulAdd<T>(v, h, yOffset)), yOffset, live);
      yVelocity = select<T, M>(boundedState<T>(mul<T>(v, damping)), yVelocity, live);
    }
  }
  if (movesX) {
    putWhere<T, M>(state, PhysicsStateRow.X_OFFSET, xOffset, stepping);
    putWhere<T, M>(state, PhysicsStateRow.X_VELOCITY, xVelocity, stepping);
    putWhere<T, M>(state, PhysicsStateRow.X_LAG, sub<T>(xOffset, xSaved), stepping);
  }
  if (movesY) {
    putWhere<T, M>(state, PhysicsStateRow.Y_OFFSET, yOffset, stepping);
    putWhere<T, M>(state, PhysicsStateRow.Y_VELOCITY, yVelocity, stepping);
    putWhere<T, M>(state, PhysicsStateRow.Y_LAG, sub<T>(yOffset, ySaved), stepping);
  }
}

@inline
function applyTranslation<T, M>(
  bone: usize, state: usize, mix: T, ahead: T, influenceX: f32, influenceY: f32, mask: M,
): void {
  if (influenceX > 0) {
    const o = mulSub<T>(get<T>(state, PhysicsStateRow.X_LAG), ahead, get<T>(state, PhysicsStateRow.X_OFFSET));
    putBounded<T, M>(bone, BoneRow.WORLD_X,
      add<T>(get<T>(bone, BoneRow.WORLD_X), mul<T>(mul<T>(o, mix), splat<T>(influenceX))), mask);
  }
  if (influenceY > 0) {
    const o = mulSub<T>(get<T>(state, PhysicsStateRow.Y_LAG), ahead, get<T>(state, PhysicsStateRow.Y_OFFSET));
    putBounded<T, M>(bone, BoneRow.WORLD_Y,
      add<T>(get<T>(bone, BoneRow.WORLD_Y), mul<T>(mul<T>(o, mix), splat<T>(influenceY))), mask);
  }
}

/** Rotation and scale chase the bone's tip. World forces act in world directions, whatever the skeleton's scale. */
@inline
function simulateRotation<T, M>(
  pose: usize, constraint: usize, bone: usize, state: usize, clock: usize, record: usize, boneLength: f32, rotates: bool,
  scales: bool, yDown: i32, mask: M,
): void {
  const zero = splat<T>(0);
  const inertia = get<T>(constraint, PhysicsRow.INERTIA);
  const limit = mul<T>(get<T>(clock, ClockRow.DELTA), splat<T>(load<f32>(record, PhysicsField.LIMIT)));
  const capX = mul<T>(limit, abs<T>(get<T>(pose, HeaderRow.SCALE_X)));
  const capY = mul<T>(limit, abs<T>(get<T>(pose, HeaderRow.SCALE_Y)));
  const dx = clampBy<T>(sub<T>(get<T>(state, PhysicsStateRow.PIVOT_X), get<T>(bone, BoneRow.WORLD_X)), capX);
  const dy = clampBy<T>(sub<T>(get<T>(state, PhysicsStateRow.PIVOT_Y), get<T>(bone, BoneRow.WORLD_Y)), capY);
  const a = get<T>(bone, BoneRow.A), c = get<T>(bone, BoneRow.C);
  let start: T, tip = splat<T>(0);
  if (isVector<T>()) {
    start = angleOf<T, M>(c, a);
    if (rotates) {
      tip = angleOf<T, M>(
        add<T>(dy, get<T>(state, PhysicsStateRow.TIP_Y)), add<T>(dx, get<T>(state, PhysicsStateRow.TIP_X)));
    }
  } else {
    const angles = anglesOfOne(
      f32x4.replace_lane(f32x4.splat(<f32>c), 1, <f32>add<T>(dy, get<T>(state, PhysicsStateRow.TIP_Y))),
      f32x4.replace_lane(f32x4.splat(<f32>a), 1, <f32>add<T>(dx, get<T>(state, PhysicsStateRow.TIP_X))));
    start = <T>f32x4.extract_lane(angles, 0);
    tip = <T>f32x4.extract_lane(angles, 1);
  }
  const before = get<T>(clock, ClockRow.AHEAD_BEFORE);
  const influence = mul<T>(
    splat<T>(load<f32>(record, PhysicsField.ROTATE) + load<f32>(record, PhysicsField.SHEAR_X)),
    get<T>(constraint, PhysicsRow.MIX));
  let rotateOffset = get<T>(state, PhysicsStateRow.ROTATE_OFFSET), scaleOffset = get<T>(state, PhysicsStateRow.SCALE_OFFSET);
  let angle = start;
  if (rotates) {
    const lag = mul<T>(get<T>(state, PhysicsStateRow.ROTATE_LAG), before);
    const turn = sub<T>(sub<T>(tip, start), mul<T>(sub<T>(rotateOffset, lag), influence));
    const turns = ceil<T>(sub<T>(mul<T>(turn, splat<T>(INVERSE_TWO_PI)), splat<T>(0.5)));
    rotateOffset = boundedState<T>(mulAdd<T>(sub<T>(turn, mul<T>(turns, splat<T>(TWO_PI))), inertia, rotateOffset));
    angle = mulAdd<T>(sub<T>(rotateOffset, lag), influence, start);
    putWhere<T, M>(state, PhysicsStateRow.ROTATE_OFFSET, rotateOffset, mask);
  }
  if (scales) {
    let w = mul<T>(splat<T>(boneLength), sqrt<T>(mulAdd<T>(a, a, mul<T>(c, c))));
    if (!rotates) w = mulSub<T>(get<T>(state, PhysicsStateRow.SCALE_LAG), before, w);
    const along = add<T>(mul<T>(dx, cosOfRadians<T>(angle)), mul<T>(dy, sinOfRadians<T>(angle)));
    scaleOffset = boundedState<T>(add<T>(scaleOffset, keepWhere<T, M>(
      divideOrZero<T, M>(mul<T>(along, inertia), w), lt<T, M>(zero, w))));
    putWhere<T, M>(state, PhysicsStateRow.SCALE_OFFSET, scaleOffset, mask);
  }

  const steps = get<M>(clock, ClockRow.STEPS);
  const stepping = maskAnd<M>(mask, lessInt<M>(splatInt<M>(0), steps));
  if (!anyTrue<M>(stepping)) return;
  const strength = get<T>(constraint, PhysicsRow.STRENGTH);
  const damping = dampingOfStep<T, M>(get<T>(constraint, PhysicsRow.DAMPING), record);
  const h = splat<T>(load<f32>(record, PhysicsField.STEP_F32));
  const mass = mul<T>(h, get<T>(constraint, PhysicsRow.MASS_INVERSE));
  const wind = get<T>(constraint, PhysicsRow.WIND), gravity = get<T>(constraint, PhysicsRow.GRAVITY);
  const forceX = add<T>(mul<T>(wind, get<T>(pose, HeaderRow.WIND_X)), mul<T>(gravity, get<T>(pose, HeaderRow.GRAVITY_X)));
  let forceY = add<T>(mul<T>(wind, get<T>(pose, HeaderRow.WIND_Y)), mul<T>(gravity, get<T>(pose, HeaderRow.GRAVITY_Y)));
  if (yDown != 0) forceY = neg<T>(forceY);
  const scale = load<f32>(record, PhysicsField.REFERENCE_SCALE);
  const lever = splat<T>(scale != 0 ? boneLength / scale : 0);
  const rotateSaved = rotateOffset, scaleSaved = scaleOffset;
  // Mostly neither wind nor gravity acts; then the direction of the bone does not matter.
  const blown = maskNot<M>(maskAnd<M>(eq<T, M>(forceX, zero), eq<T, M>(forceY, zero)));
  const anyBlown = anyTrue<M>(blown);
  let rotateVelocity = get<T>(state, PhysicsStateRow.ROTATE_VELOCITY);
  let scaleVelocity = get<T>(state, PhysicsStateRow.SCALE_VELOCITY);

  for (let i = 0; ; i++) {
    const live = lessInt<M>(splatInt<M>(i), steps);
    if (!anyTrue<M>(live)) break;
    if (rotates && i > 0 && anyBlown) angle = mulAdd<T>(rotateOffset, influence, start);
    let pull = zero, torque = zero;
    if (anyBlown) {
      let cosine: T, sine: T;
      if (isVector<T>()) {
        const q = quarterTurnsOfRadians<T>(angle), r = boundedRemainder<T>(quarterRemainderOfRadians<T>(angle, q)), r2 = mul<T>(r, r);
        const sinPart = sinCore<T>(r, r2), cosPart = cosCore<T>(r2);
        cosine = cosOf<T>(sinPart, cosPart, q);
        sine = sinOf<T>(sinPart, cosPart, q);
      } else {
        const turn = turnOfRadians(<f32>angle);
        cosine = <T>f32x4.extract_lane(turn, 0);
        sine = <T>f32x4.extract_lane(turn, 2);
      }
      pull = keepWhere<T, M>(sub<T>(mul<T>(forceX, cosine), mul<T>(forceY, sine)), blown);
      torque = keepWhere<T, M>(mul<T>(add<T>(mul<T>(forceX, sine), mul<T>(forceY, cosine)), lever), blown);
    }
    if (scales) {
      const force = mulSub<T>(scaleOffset, strength, pull);
      const v = mulAdd<T>(boundedState<T>(force), mass, scaleVelocity);
      scaleOffset = select<T, M>(boundedState<T>(mulAdd<T>(v, h, scaleOffset)), scaleOffset, live);
      scaleVelocity = select<T, M>(boundedState<T>(mul<T>(v, damping)), scaleVelocity, live);
    }
    if (rotates) {
      const v = mulSub<T>(boundedState<T>(mulAdd<T>(rotateOffset, strength, torque)), mass, rotateVelocity);
      rotateOffset = select<T, M>(boundedState<T>(mulAdd<T>(v, h, rotateOffset)), rotateOffset, live);
      rotateVelocity = select<T, M>(boundedState<T>(mul<T>(v, damping)), rotateVelocity, live);
    }
  }
  if (rotates) {
    putWhere<T, M>(state, PhysicsStateRow.ROTATE_OFFSET, rotateOffset, stepping);
    putWhere<T, M>(state, PhysicsStateRow.ROTATE_VELOCITY, rotateVelocity, stepping);
    putWhere<T, M>(state, PhysicsStateRow.ROTATE_LAG, sub<T>(rotateOffset, rotateSaved), stepping);
  }
  if (scales) {
    putWhere<T, M>(state, PhysicsStateRow.SCALE_OFFSET, scaleOffset, stepping);
    putWhere<T, M>(state, PhysicsStateRow.SCALE_VELOCITY, scaleVelocity, stepping);
    putWhere<T, M>(state, PhysicsStateRow.SCALE_LAG, sub<T>(scaleOffset, scaleSaved), stepping);
  }
}

/** Forgets all movement. Remembered positions stay; the next update rewrites them. */
@inline
function resetState<T, M>(state: usize, mask: M): void {
  putWhere<M, M>(state, PhysicsStateRow.PENDING, splatInt<M>(1), mask);
  for (let row = <i32>PhysicsStateRow.X_OFFSET; row <= PhysicsStateRow.SCALE_VELOCITY; row++) {
    putWhere<T, M>(state, row, splat<T>(0), mask);
  }
}

/** A number without bounds (a spring too stiff for its step) or NaN, made large but finite. */
@inline
function boundedState<T>(value: T): T {
  return max<T>(min<T>(value, splat<T>(1e12)), splat<T>(-1e12));
}

@inline
function clampBy<T>(value: T, limit: T): T {
  return max<T>(neg<T>(limit), min<T>(limit, value));
}

/** Damping is given for 1/60 of a second. */
@inline
function dampingOfStep<T, M>(damping: T, record: usize): T {
  const power = load<f64>(record, PhysicsField.DAMPING_POWER);
  if (power == 1) return damping;
  const setup = load<f32>(record, PhysicsField.SETUP_DAMPING);
  if (allTrue<M>(eq<T, M>(damping, splat<T>(setup)))) return splat<T>(load<f32>(record, PhysicsField.SETUP_DAMPING_OF_STEP));
  if (isVector<T>()) {
    let result = f32x4.splat(dampingPower(f32x4.extract_lane(damping, 0), power));
    result = f32x4.replace_lane(result, 1, dampingPower(f32x4.extract_lane(damping, 1), power));
    result = f32x4.replace_lane(result, 2, dampingPower(f32x4.extract_lane(damping, 2), power));
    return f32x4.replace_lane(result, 3, dampingPower(f32x4.extract_lane(damping, 3), power));
  } else {
    return <T>dampingPower(<f32>damping, power);
  }
}

/** Damping of a step whose length is `power` sixtieths of a second. Damping below 0 has no power; it counts as 0. */
export function dampingPower(damping: f32, power: f64): f32 {
  return damping > 0 ? <f32>pow(<f64>damping, power) : 0;
}

function rotateColumn<T, M>(bone: usize, xRow: i32, yRow: i32, radians: T, mask: M): void {
  const q = quarterTurnsOfRadians<T>(radians), r = boundedRemainder<T>(quarterRemainderOfRadians<T>(radians, q)), r2 = mul<T>(r, r);
  const s = sinCore<T>(r, r2), c = cosCore<T>(r2), cosine = cosOf<T>(s, c, q), sine = sinOf<T>(s, c, q);
  const x = get<T>(bone, xRow), y = get<T>(bone, yRow);
  putBounded<T, M>(bone, xRow, sub<T>(mul<T>(cosine, x), mul<T>(sine, y)), mask);
  putBounded<T, M>(bone, yRow, add<T>(mul<T>(sine, x), mul<T>(cosine, y)), mask);
}

/** Rotates both columns. */
function rotateMatrix<T, M>(bone: usize, radians: T, mask: M): void {
  if (isVector<T>()) {
    const q = quarterTurnsOfRadians<T>(radians), r = boundedRemainder<T>(quarterRemainderOfRadians<T>(radians, q)), r2 = mul<T>(r, r);
    const sinPart = sinCore<T>(r, r2), cosPart = cosCore<T>(r2), cosine = cosOf<T>(sinPart, cosPart, q), sine = sinOf<T>(sinPart, cosPart, q);
    const a = get<T>(bone, BoneRow.A), b = get<T>(bone, BoneRow.B), c = get<T>(bone, BoneRow.C), d = get<T>(bone, BoneRow.D);
    putBounded<T, M>(bone, BoneRow.A, sub<T>(mul<T>(cosine, a), mul<T>(sine, c)), mask);
    putBounded<T, M>(bone, BoneRow.B, sub<T>(mul<T>(cosine, b), mul<T>(sine, d)), mask);
    putBounded<T, M>(bone, BoneRow.C, add<T>(mul<T>(sine, a), mul<T>(cosine, c)), mask);
    putBounded<T, M>(bone, BoneRow.D, add<T>(mul<T>(sine, b), mul<T>(cosine, d)), mask);
  } else {
    // [a b c d] cos + [-c -d a b] sin
    const turn = turnOfRadians(<f32>radians);
    const matrix = v128.load(bone, BoneRow.A * 4);
    const across = v128.xor(v128.shuffle<f32>(matrix, matrix, 2, 3, 0, 1), i32x4(0x80000000, 0x80000000, 0, 0));
    v128.store(bone, bounded<v128>(f32x4.add(
      f32x4.mul(v128.shuffle<f32>(turn, turn, 0, 0, 0, 0), matrix),
      f32x4.mul(v128.shuffle<f32>(turn, turn, 2, 2, 2, 2), across))), BoneRow.A * 4);
  }
}

@inline
function scaleColumn<T, M>(bone: usize, xRow: i32, yRow: i32, factor: T, mask: M): void {
  putBounded<T, M>(bone, xRow, mul<T>(get<T>(bone, xRow), factor), mask);
  putBounded<T, M>(bone, yRow, mul<T>(get<T>(bone, yRow), factor), mask);
}

@inline
function lessInt<M>(a: M, b: M): M {
  if (isVector<M>()) { return i32x4.lt_s(a, b); } else { return <M>-i32(a < b); }
}

/** Makes the next update react as if the bone had been rotated about (x, y); `state` is that of one lane. */
export function rotatePhysics(state: usize, x: f32, y: f32, degrees: f32): void {
  const cosine = cosOfDegrees<f32>(degrees), sine = sinOfDegrees<f32>(degrees);
  const dx = load<f32>(state, PhysicsStateRow.PIVOT_X * 4) - x, dy = load<f32>(state, PhysicsStateRow.PIVOT_Y * 4) - y;
  translatePhysics(state, dx * cosine - dy * sine - dx, dx * sine + dy * cosine - dy);
}

/** Makes the next update react as if the bone had moved by (x, y) more; `state` is that of one lane. */
export function translatePhysics(state: usize, x: f32, y: f32): void {
  store<f32>(state, load<f32>(state, PhysicsStateRow.LAST_X * 4) - x, PhysicsStateRow.LAST_X * 4);
  store<f32>(state, load<f32>(state, PhysicsStateRow.LAST_Y * 4) - y, PhysicsStateRow.LAST_Y * 4);
  store<f32>(state, load<f32>(state, PhysicsStateRow.PIVOT_X * 4) - x, PhysicsStateRow.PIVOT_X * 4);
  store<f32>(state, load<f32>(state, PhysicsStateRow.PIVOT_Y * 4) - y, PhysicsStateRow.PIVOT_Y * 4);
}
