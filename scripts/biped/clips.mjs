/** The biped's clips as plans: paths of the root, footfalls, styles and the movement of the upper body. */
import { degrees, lerp, smooth } from "./math.mjs";
import { footfall } from "./gait.mjs";
import { HIP_WIDTH } from "./skeleton.mjs";

const RATE = 30;
const TAU = 2 * Math.PI;
const SIDES = [["l", 1], ["r", -1]];

const WALK_STYLE = { strikePitch: degrees(-17), liftPitch: degrees(46), swingLift: 0.055, swingSkew: 0.8, swingPitch: degrees(8) };
const RUN_STYLE = { strikePitch: degrees(-7), liftPitch: degrees(56), swingLift: 0.26, swingSkew: 0.72, swingPitch: degrees(38) };
const STEP_STYLE = { strikePitch: degrees(-6), liftPitch: degrees(26), swingLift: 0.06, swingSkew: 0.9, swingPitch: degrees(8) };

const still = { pelvisYaw: 0, pelvisRoll: 0, pelvisPitch: 0, sway: 0, lead: 0, spine: [0, 0, 0], headYaw: 0, headPitch: 0 };
const hanging = (swing = 0, elbow = degrees(14)) => ({ swing, elbow, out: degrees(7), curl: degrees(22) });

/** Place and heading after `t` seconds along a circle of turn rate `turn` at `speed`. */
export function arc(speed, turn, t) {
  const yaw = turn * t;
  if (Math.abs(turn) < 1e-9) return { x: 0, z: speed * t, yaw: 0 };
  return { x: (speed / turn) * (1 - Math.cos(yaw)), z: (speed / turn) * Math.sin(yaw), yaw };
}

/** A point beside (`across`) and before (`ahead`) a place of the root, in the ground plane. */
function beside({ x, z, yaw }, across, ahead) {
  return [x + across * Math.cos(yaw) + ahead * Math.sin(yaw), z - across * Math.sin(yaw) + ahead * Math.cos(yaw)];
}

/**
 * A looping gait along an arc. Phase 0 is the strike of the left foot; the right one is half a cycle later.
 * @param shape - { speed, turn, duration, duty, ahead: place of the ball before the hips in the middle of the stance }
 */
function gait(name, shape, style, moves) {
  const { speed, turn, duration, duty } = shape;
  const root = (t) => arc(speed, turn, t);
  const falls = {};
  for (const [s, sign] of SIDES) {
    falls[s] = [];
    for (let cycle = -3; cycle <= 3; cycle++) {
      const strike = (cycle + (s === "l" ? 0 : 0.5)) * duration;
      const lift = strike + duty * duration;
      const middle = root(strike + shape.middle * duty * duration);
      falls[s].push(footfall({
        strike, lift, flat: strike + shape.flat * duty * duration, heelOff: strike + shape.heelOff * duty * duration,
        place: beside(middle, sign * shape.width, shape.ahead), yaw: middle.yaw + sign * degrees(5),
      }));
    }
  }
  const lean = Math.atan2(speed * turn, 9.81) * 0.8;
  const body = (t) => {
    const p = moves((t / duration) * TAU);
    return { ...still, ...p, pelvisRoll: p.pelvisRoll + lean * 0.6, spine: [p.spine[0] + turn * 0.06, p.spine[1] + lean * 0.3, p.spine[2]], headYaw: turn * 0.18 };
  };
  return { name, duration, rate: RATE, loop: true, root, falls, style, body, tags: shape.tags };
}

/** Walking: phase 0 is the left strike, so the left leg is most forward there. */
const walkMoves = (p) => ({
  height: -0.022 - 0.02 * Math.cos(2 * p - 0.5),
  sway: 0.022 * Math.sin(p + 0.25), lead: 0.008 * Math.sin(2 * p),
  pelvisYaw: degrees(-6) * Math.cos(p), pelvisRoll: degrees(2.5) * Math.sin(p + 0.2), pelvisPitch: degrees(3),
  spine: [degrees(11) * Math.cos(p), degrees(-3.5) * Math.sin(p + 0.2), degrees(2)],
  headPitch: degrees(-1 + 1.2 * Math.sin(2 * p)),
  arms: {
    l: { ...hanging(degrees(-4 - 23 * Math.cos(p - 0.25)), degrees(22 - 12 * Math.cos(p - 0.55))) },
    r: { ...hanging(degrees(-4 + 23 * Math.cos(p - 0.25)), degrees(22 + 12 * Math.cos(p - 0.55))) },
  },
});

const runMoves = (p) => ({
  height: -0.05 + 0.045 * Math.cos(2 * p + 0.9),
  sway: 0.012 * Math.sin(p + 0.3), lead: 0,
  pelvisYaw: degrees(-9) * Math.cos(p - 0.1), pelvisRoll: degrees(3) * Math.sin(p + 0.2), pelvisPitch: degrees(9),
  spine: [degrees(21) * Math.cos(p - 0.1), degrees(-4) * Math.sin(p + 0.2), degrees(7)],
  headPitch: degrees(-2),
  arms: {
    l: { ...hanging(degrees(-8 - 44 * Math.cos(p - 0.2)), degrees(88 - 18 * Math.cos(p - 0.4))), out: degrees(13), curl: degrees(60) },
    r: { ...hanging(degrees(-8 + 44 * Math.cos(p - 0.2)), degrees(88 + 18 * Math.cos(p - 0.4))), out: degrees(13), curl: degrees(60) },
  },
});

const WALK = { speed: 1.2, duration: 1, duty: 0.6, middle: 0.42, flat: 0.16, heelOff: 0.56, ahead: 0.115, width: 0.075 };
const RUN = { speed: 3, duration: 22 / 30, duty: 0.34, middle: 0.45, flat: 0.14, heelOff: 0.42, ahead: 0.1, width: 0.055 };

/** Feet that stay where they stand. */
function standing(from = -10, yaw = 0, root = { x: 0, z: 0, yaw: 0 }) {
  return Object.fromEntries(SIDES.map(([s, sign]) => [s, footfall({
    strike: from - 0.05, flat: from, heelOff: 99, lift: 100, place: beside(root, sign * (HIP_WIDTH + 0.015), 0.105), yaw: yaw + sign * degrees(9),
  })]));
}

function idle() {
  const feet = standing();
  const duration = 4;
  const body = (t) => {
    const p = (t / duration) * TAU;
    const breath = Math.sin(2 * p);
    return {
      ...still, height: -0.004 + 0.003 * breath, sway: 0.016 * Math.sin(p), lead: -0.004,
      pelvisRoll: degrees(1.2) * Math.sin(p), pelvisYaw: degrees(1.5) * Math.sin(p + 0.6),
      spine: [degrees(-1.5) * Math.sin(p + 0.6), degrees(-1.8) * Math.sin(p), degrees(1.4) * breath],
      headYaw: degrees(7) * Math.sin(p + 1.1), headPitch: degrees(1.5 + breath),
      arms: { l: hanging(degrees(-2 + 2 * Math.sin(p)), degrees(15 + 2 * breath)), r: hanging(degrees(-2 - 2 * Math.sin(p)), degrees(15 + 2 * breath)) },
    };
  };
  return { name: "idle", duration, rate: RATE, loop: true, root: () => ({ x: 0, z: 0, yaw: 0 }), falls: { l: [feet.l], r: [feet.r] }, style: STEP_STYLE, body, tags: ["idle"] };
}

/** A quarter turn on the spot: the inner foot opens, the outer one follows. `side` +1 turns left. */
function turn(name, side) {
  const duration = 1.2;
  const root = (t) => ({ x: 0, z: 0, yaw: side * degrees(90) * smooth((t - 0.1) / 0.9) });
  const before = standing(), after = standing(0, side * degrees(90), { x: 0, z: 0, yaw: side * degrees(90) });
  const half = standing(0, side * degrees(60), { x: 0, z: 0, yaw: side * degrees(55) });
  const [inner, outer] = side > 0 ? ["l", "r"] : ["r", "l"];
  const step = (fall, strike, lift) => ({ ...fall, strike, flat: strike + 0.05, heelOff: lift - 0.12, lift });
  const falls = {
    [inner]: [{ ...before[inner], heelOff: 0.05, lift: 0.15 }, step(half[inner], 0.45, 0.85), step(after[inner], 1.08, 100)],
    [outer]: [{ ...before[outer], heelOff: 0.4, lift: 0.52 }, step(after[outer], 0.86, 100)],
  };
  falls[inner][2].heelOff = 99;
  falls[outer][1].heelOff = 99;
  const body = (t) => {
    const lead = smooth(t / 0.3) * (1 - smooth((t - 0.7) / 0.5));
    const toOuter = Math.sin(Math.PI * smooth(t / 0.5)) - Math.sin(Math.PI * smooth((t - 0.5) / 0.4));
    return {
      ...still, height: -0.006 - 0.02 * Math.sin(Math.PI * t / duration), lead: -0.004, sway: -side * 0.02 * toOuter,
      pelvisYaw: side * degrees(5) * lead, pelvisRoll: -side * degrees(1.5) * toOuter,
      spine: [side * degrees(14) * lead, 0, degrees(2) * lead], headYaw: side * degrees(24) * lead, headPitch: degrees(1.5),
      arms: { l: hanging(degrees(-2 + side * 9 * lead), degrees(15 + 6 * lead)), r: hanging(degrees(-2 - side * 9 * lead), degrees(15 + 6 * lead)) },
    };
  };
  return { name, duration, rate: RATE, loop: false, root, falls, style: STEP_STYLE, body, tags: ["turn"] };
}

/** A jump of a metre and a half from both feet. */
function jump() {
  const duration = 1.5, takeOff = 0.5, landing = 0.92, distance = 1.4;
  const root = (t) => ({ x: 0, z: distance * (0.12 * smooth(t / takeOff) + 0.76 * Math.min(1, Math.max(0, (t - takeOff) / (landing - takeOff))) + 0.12 * smooth((t - landing) / 0.35)), yaw: 0 });
  const before = standing(), after = standing(0, 0, { x: 0, z: distance, yaw: 0 });
  const falls = Object.fromEntries(SIDES.map(([s, sign]) => [s, [
    { ...before[s], heelOff: takeOff - 0.14, lift: takeOff },
    { ...after[s], strike: landing + (sign > 0 ? 0 : 0.017), flat: landing + 0.06, heelOff: 99, lift: 100 },
  ]]));
  const style = { strikePitch: degrees(-8), liftPitch: degrees(52), swingLift: 0.3, swingSkew: 0.9, swingPitch: degrees(4) };
  const body = (t) => {
    const crouch = smooth(t / 0.28) * (1 - smooth((t - 0.3) / 0.2));
    const air = Math.sin(Math.PI * Math.min(1, Math.max(0, (t - takeOff) / (landing - takeOff))));
    const absorb = smooth((t - landing + 0.02) / 0.14) * (1 - smooth((t - landing - 0.16) / 0.38));
    const armsUp = smooth((t - 0.28) / 0.25) * (1 - smooth((t - 0.75) / 0.35));
    return {
      ...still, height: -0.006 - 0.24 * crouch + 0.3 * air - 0.2 * absorb, lead: -0.03 * crouch - 0.02 * absorb,
      pelvisPitch: degrees(24 * crouch + 8 * air + 20 * absorb), spine: [0, 0, degrees(22 * crouch + 4 * air + 18 * absorb)],
      headPitch: degrees(4 * crouch - 3 * air),
      arms: Object.fromEntries(SIDES.map(([s]) => [s, { ...hanging(degrees(-2 - 42 * crouch + 96 * armsUp + 24 * absorb), degrees(15 + 22 * crouch + 26 * armsUp + 24 * absorb)), out: degrees(9 + 16 * armsUp) }])),
    };
  };
  return { name: "jump", duration, rate: RATE, loop: false, root, falls, style, body, tags: ["jump"] };
}

/** From standing into the walk (left foot first) or out of it. */
function startOrStop(name, starting) {
  const { speed, duration: cycle, duty } = WALK;
  const duration = 1.5;
  // Distance covered while the speed rises smoothly from 0 over the first 0.9 s; the stop is the same, backwards.
  const ramp = 0.9;
  const travelled = (t) => (t <= 0 ? 0 : t >= ramp ? speed * (ramp / 2 + (t - ramp)) : speed * ramp * ((t / ramp) ** 3 - (t / ramp) ** 4 / 2));
  const length = travelled(duration);
  const root = (t) => ({ x: 0, z: starting ? travelled(t) : length - travelled(duration - t), yaw: 0 });
  // Footfalls of the walk at the fast end; there the phase is that of a walk whose left strike is at `left`.
  const left = starting ? 0.62 : 0.36;
  const inWalk = (s, strike) => {
    const sign = s === "l" ? 1 : -1;
    const middle = root(strike + WALK.middle * duty * cycle);
    return footfall({
      strike, lift: strike + duty * cycle, flat: strike + WALK.flat * duty * cycle, heelOff: strike + WALK.heelOff * duty * cycle,
      place: beside(middle, sign * WALK.width, WALK.ahead), yaw: sign * degrees(5),
    });
  };
  const first = standing(), last = standing(0, 0, { x: 0, z: length, yaw: 0 });
  const falls = starting
    ? {
      l: [{ ...first.l, heelOff: 0.1, lift: 0.24 }, inWalk("l", left), inWalk("l", left + cycle), inWalk("l", left + 2 * cycle)],
      r: [{ ...first.r, heelOff: 0.58, lift: 0.74 }, inWalk("r", left + cycle / 2), inWalk("r", left + 1.5 * cycle)],
    }
    : {
      l: [inWalk("l", left - 2 * cycle), inWalk("l", left - cycle), { ...inWalk("l", left), heelOff: 0.86, lift: 0.98 }, { ...last.l, strike: 1.24, flat: 1.3 }],
      r: [inWalk("r", left - 1.5 * cycle), { ...inWalk("r", left - cycle / 2), lift: left + 0.13 }, { ...last.r, strike: 0.84, flat: 0.92 }],
    };
  const stand = idle().body(0);
  const body = (t) => {
    const weight = starting ? smooth((t - 0.1) / 0.7) : 1 - smooth((t - 0.55) / 0.75);
    return blendBody(stand, { ...still, ...walkMoves(((t - left) / cycle) * TAU) }, weight);
  };
  return { name, duration, rate: RATE, loop: false, root, falls, style: WALK_STYLE, body, tags: ["walk"] };
}

function blendBody(a, b, t) {
  const one = (x, y) => (typeof x === "number" ? lerp(x, y, t) : Array.isArray(x) ? x.map((v, i) => lerp(v, y[i], t)) : Object.fromEntries(Object.keys(x).map((k) => [k, one(x[k], y[k] ?? x[k])])));
  return Object.fromEntries(Object.keys(a).map((k) => [k, one(a[k], b[k] ?? a[k])]));
}

/** Every clip of the biped, in the order in which it is written. */
export function plans() {
  const walk = (name, turnRate, speed = WALK.speed) => gait(name, { ...WALK, speed, turn: turnRate, tags: ["walk"] }, WALK_STYLE, walkMoves);
  const run = (name, turnRate) => gait(name, { ...RUN, turn: turnRate, tags: ["run"] }, RUN_STYLE, runMoves);
  return [
    idle(),
    walk("walk", 0), walk("walk_left", 0.65), walk("walk_right", -0.65), walk("walk_left_tight", 1.3, 1.05), walk("walk_right_tight", -1.3, 1.05),
    run("run", 0), run("run_left", 0.9), run("run_right", -0.9),
    turn("turn_left", 1), turn("turn_right", -1),
    startOrStop("walk_start", true), startOrStop("walk_stop", false),
    jump(),
  ];
}
