/**
 * Turns a plan (a path of the root, footfalls and a style) into poses: plants the feet, solves the legs, and adds pelvis,
 * spine, arms and head.
 */
import { aboutX, aboutY, aboutZ, add, clamp01, conjugate, degrees, IDENTITY, lerp, mix, multiply, rotate, scale, smooth, solveLeg } from "./math.mjs";
import { ANKLE_HEIGHT, BALL_FORWARD, BALL_HEIGHT, BONES, boneIndex, HEEL_BACK, restOffset, SHANK, THIGH } from "./skeleton.mjs";

const SIDES = [["l", 1], ["r", -1]];
/** The share of a leg's length that may be used: a straight knee pops. */
const LONGEST_REACH = 0.992;

/** A foot on the ground: ball at `place` (x, z), heading `yaw`, on the ground from `strike` to `lift`. */
export function footfall({ strike, flat, heelOff, lift, place, yaw }) {
  return { strike, flat, heelOff, lift, place, yaw };
}

const ballOf = (fall) => [fall.place[0], BALL_HEIGHT, fall.place[1]];

/** The ankle when the foot pivots on the ball, the heel raised by `pitch`. */
function ankleOnBall(fall, pitch) {
  return add(ballOf(fall), rotate(multiply(aboutY(fall.yaw), aboutX(pitch)), [0, ANKLE_HEIGHT - BALL_HEIGHT, -BALL_FORWARD]));
}

/** The ankle when the foot pivots on the heel, the toes raised (`pitch` below 0). */
function ankleOnHeel(fall, pitch) {
  const heel = add(ballOf(fall), rotate(aboutY(fall.yaw), [0, -BALL_HEIGHT, -BALL_FORWARD - HEEL_BACK]));
  return add(heel, rotate(multiply(aboutY(fall.yaw), aboutX(pitch)), [0, ANKLE_HEIGHT, HEEL_BACK]));
}

/** Ankle, heading, pitch and toe bend of one foot at a time; `falls` cover the time asked for. */
function footAt(falls, time, style) {
  const index = falls.findIndex((fall, i) => time < (falls[i + 1]?.strike ?? Infinity));
  const fall = falls[index];
  if (time <= fall.lift || index === falls.length - 1) {
    if (time < fall.flat) {
      const pitch = lerp(style.strikePitch, 0, smooth((time - fall.strike) / (fall.flat - fall.strike)));
      return { ankle: ankleOnHeel(fall, pitch), yaw: fall.yaw, pitch, bend: 0, contact: 0 };
    }
    if (time <= fall.heelOff || index === falls.length - 1) return { ankle: ankleOnBall(fall, 0), yaw: fall.yaw, pitch: 0, bend: 0, contact: 1 };
    const raised = clamp01((time - fall.heelOff) / (fall.lift - fall.heelOff));
    const pitch = style.liftPitch * raised ** 1.6;
    return { ankle: ankleOnBall(fall, pitch), yaw: fall.yaw, pitch, bend: pitch, contact: 1 };
  }
  const next = falls[index + 1];
  const u = (time - fall.lift) / (next.strike - fall.lift);
  const from = ankleOnBall(fall, style.liftPitch), to = ankleOnHeel(next, style.strikePitch);
  const ankle = mix(from, to, smooth(u * 0.96 + 0.04 * u * u));
  ankle[1] += style.swingLift * Math.sin(Math.PI * u ** style.swingSkew) ** 1.4;
  const settle = smooth(u * 1.2);
  const swingPitch = lerp(style.liftPitch, style.strikePitch, settle) + style.swingPitch * Math.sin(Math.PI * clamp01(u / 0.6)) ** 2;
  let turn = next.yaw - fall.yaw;
  turn -= 2 * Math.PI * Math.round(turn / (2 * Math.PI));
  return { ankle, yaw: fall.yaw + turn * smooth(u), pitch: swingPitch, bend: style.liftPitch * (1 - smooth(u * 5)), contact: 0 };
}

/**
 * Poses of a clip, one per frame.
 * @param plan - { duration, rate, loop, root(t) → { x, z, yaw }, falls: { l, r }, style, body(t, feet) → pelvis, spine, arms, head }
 */
export function makeFrames(plan) {
  const count = Math.round(plan.duration * plan.rate) + 1;
  const times = Array.from({ length: count }, (_, i) => (i === count - 1 ? plan.duration : i / plan.rate));
  const feet = times.map((t) => ({ l: footAt(plan.falls.l, t, plan.style), r: footAt(plan.falls.r, t, plan.style) }));
  const bodies = times.map((t, i) => plan.body(t, feet[i]));
  const heights = pelvisHeights(plan, times, feet, bodies);
  return times.map((time, i) => ({ time, ...pose(plan.root(time), feet[i], bodies[i], heights[i]), contact: { l: feet[i].l.contact, r: feet[i].r.contact } }));
}

/** The pelvis as high as the body asks, but never so high that a leg would be stretched; smoothed over a few frames. */
function pelvisHeights(plan, times, feet, bodies) {
  const limit = times.map((time, i) => {
    const root = plan.root(time);
    let height = bodies[i].height;
    for (const [s, sign] of SIDES) {
      const hip = hipPlace(root, bodies[i], 0, sign);
      const ankle = feet[i][s].ankle;
      const across = Math.hypot(ankle[0] - hip[0], ankle[2] - hip[2]);
      const reach = (THIGH + SHANK) * LONGEST_REACH;
      const drop = Math.sqrt(Math.max(0.05, reach * reach - across * across));
      height = Math.min(height, ankle[1] + drop - hip[1]);
    }
    return height;
  });
  const n = limit.length;
  const at = (list, i) => (plan.loop ? list[((i % (n - 1)) + (n - 1)) % (n - 1)] : list[Math.min(n - 1, Math.max(0, i))]);
  // Lowest value of the neighbourhood, then a triangle filter of the same width: smooth and never above the limit.
  const WIDTH = 2;
  const lowest = limit.map((_, i) => Math.min(...Array.from({ length: 2 * WIDTH + 1 }, (_, k) => at(limit, i + k - WIDTH))));
  return lowest.map((_, i) => {
    let sum = 0, total = 0;
    for (let k = -WIDTH; k <= WIDTH; k++) {
      const weight = WIDTH + 1 - Math.abs(k);
      sum += weight * at(lowest, i + k);
      total += weight;
    }
    return sum / total;
  });
}

function pelvisRotation(root, body) {
  return multiply(aboutY(root.yaw + body.pelvisYaw), multiply(aboutZ(body.pelvisRoll), aboutX(body.pelvisPitch)));
}

/** A hip joint in model space, the pelvis `height` above its rest height over the root. */
function hipPlace(root, body, height, sign) {
  const hips = BONES[boneIndex.hips].place;
  const offset = restOffset(BONES[boneIndex[sign > 0 ? "upper_leg_l" : "upper_leg_r"]]);
  const center = add([root.x, hips[1] + height, root.z], rotate(aboutY(root.yaw), [body.sway, 0, body.lead]));
  return add(center, rotate(pelvisRotation(root, body), offset));
}

/** Local rotations of all bones and local translations of root and hips. */
function pose(root, feet, body, height) {
  const local = Object.fromEntries(BONES.map(({ name }) => [name, IDENTITY]));
  const rootRotation = aboutY(root.yaw);
  const hips = pelvisRotation(root, body);
  local.root = rootRotation;
  local.hips = multiply(conjugate(rootRotation), hips);
  let stretch = 0;
  for (const [s, sign] of SIDES) {
    const foot = feet[s];
    const heading = multiply(aboutY(foot.yaw), aboutX(foot.pitch));
    const forward = add(scale(rotate(hips, [0, 0, 1]), 0.5), scale(rotate(aboutY(foot.yaw), [0.12 * sign, 0, 1]), 0.5));
    const leg = solveLeg(hipPlace(root, body, height, sign), foot.ankle, forward, THIGH, SHANK);
    stretch = Math.max(stretch, leg.reach);
    local[`upper_leg_${s}`] = multiply(conjugate(hips), leg.thigh);
    local[`lower_leg_${s}`] = multiply(conjugate(leg.thigh), leg.shank);
    local[`foot_${s}`] = multiply(conjugate(leg.shank), heading);
    local[`toe_${s}`] = aboutX(-foot.bend);
  }
  const [spineYaw, spineRoll, spinePitch] = body.spine;
  const third = (k) => multiply(aboutY(spineYaw * k), multiply(aboutZ(spineRoll * k), aboutX(spinePitch * k)));
  local.spine = third(0.5);
  local.chest = third(0.5);
  // The head looks ahead whatever the body below it does.
  const chest = multiply(hips, multiply(local.spine, local.chest));
  const look = multiply(aboutY(root.yaw + body.headYaw), aboutX(body.headPitch));
  const neck = slerpHalf(IDENTITY, multiply(conjugate(chest), look));
  local.neck = neck;
  local.head = multiply(conjugate(multiply(chest, neck)), look);
  for (const [s, sign] of SIDES) {
    const arm = body.arms[s];
    local[`shoulder_${s}`] = multiply(aboutZ(sign * (arm.shrug ?? 0)), aboutY(-sign * arm.swing * 0.12));
    // From the A-pose down to the side, then forward or back, then outwards.
    local[`upper_arm_${s}`] = multiply(aboutX(-arm.swing), multiply(aboutZ(sign * arm.out), aboutZ(-sign * degrees(45))));
    // The elbow bends about the axis that the lowered arm has across the body.
    const across = rotate(aboutZ(sign * degrees(45)), [1, 0, 0]);
    local[`lower_arm_${s}`] = axisAngle(across, -arm.elbow);
    local[`hand_${s}`] = axisAngle(across, -arm.elbow * 0.08);
    local[`fingers_${s}`] = axisAngle([0, 0, 1], -sign * (arm.curl ?? degrees(18)));
  }
  const hipsPlace = restOffset(BONES[boneIndex.hips]);
  return {
    rotations: BONES.map(({ name }) => local[name]),
    root: [root.x, 0, root.z],
    hips: [hipsPlace[0] + body.sway, hipsPlace[1] + height, hipsPlace[2] + body.lead],
    stretch,
  };
}

function axisAngle(axis, angle) {
  const s = Math.sin(angle / 2);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

function slerpHalf(a, b) {
  const sign = dot4(a, b) < 0 ? -1 : 1;
  const q = a.map((v, i) => v + sign * b[i]);
  const n = Math.hypot(...q);
  return q.map((v) => v / n);
}

const dot4 = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
