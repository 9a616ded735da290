// Jump: crouch, leap, tuck at the top, reach for the ground, land softly, stand up. 1.4 seconds.
import { handAt } from "./gait.mjs";
import { attachmentKeys, inParent, keysOf, through, throughKeys, throughKeys2 } from "./keys.mjs";
import { slotNames } from "../rig/skins.mjs";

const DURATION = 1.4;
const LEAP = 0.36, LAND = 0.92, HEIGHT = 150;

/** Height of the flight: a parabola between leap and landing. */
const flight = (t) => {
  const u = (t - LEAP) / (LAND - LEAP);
  return u <= 0 || u >= 1 ? 0 : HEIGHT * 4 * u * (1 - u);
};
const FLIGHT_TIMES = [0, LEAP, (LEAP + LAND) / 2, LAND, DURATION];

/** [time, degrees, reach] of both arms. */
const ARMS = [[0, 4, 84], [0.26, -58, 82], [0.42, 128, 92], [0.64, 112, 90], [0.86, 78, 86], [1.0, -6, 76], [1.2, 12, 82], [1.4, 4, 84]];
/** [time, x, y, rotation] of the feet relative to the ground or the flight. */
const FEET = {
  near: [[0, 0, 0, 0], [0.3, 0, 0, 0], [LEAP, 0, 10, -36], [0.5, -14, 14, -48], [0.64, 6, 38, -10], [0.84, 14, -2, 12], [LAND, 10, 0, 4], [1.0, 8, 0, 0], [1.3, 0, 0, 0], [1.4, 0, 0, 0]],
  far: [[0, 0, 0, 0], [0.3, 0, 0, 0], [LEAP, 0, 10, -36], [0.5, -22, 22, -54], [0.64, -6, 52, -28], [0.84, 4, 2, 6], [LAND, 2, 0, 4], [1.0, 0, 0, 0], [1.4, 0, 0, 0]],
};

function footBones(side) {
  const points = FEET[side];
  const [x, y, turn] = [1, 2, 3].map((k) => through(points.map((p) => [p[0], p[k]])));
  const times = [...new Set([...points.map(([t]) => t), ...FLIGHT_TIMES])].toSorted((a, b) => a - b);
  return {
    rotate: keysOf("rotate", points.map(([t]) => t), turn),
    translate: keysOf("translate", times, (t) => [x(t), y(t) + flight(t)]),
  };
}

function handBones(side, lag, lift) {
  const goal = `hand-${side}-goal`;
  const angle = through(ARMS.map(([t, a]) => [t, a > 60 ? a * lift : a])), reach = through(ARMS.map(([t, , r]) => [t, r]));
  return { translate: keysOf("translate", ARMS.map(([t]) => t), (t) => inParent(goal, ...handAt(angle(Math.max(0, t - lag)), reach(t)))) };
}

export function jump() {
  const hipY = through([[0, -5], [0.26, -40], [0.34, 4], [0.42, 12], [0.64, 10], [0.86, 4], [1.0, -38], [1.2, 0], [1.4, -5]]);
  const hipTimes = [0, 0.13, 0.26, 0.34, LEAP, 0.42, 0.64, 0.86, LAND, 1.0, 1.2, 1.4];
  const squash = [[0, 1, 1], [0.26, 1.07, 0.93], [0.36, 0.93, 1.09], [0.5, 0.98, 1.03], [0.64, 1, 1], [0.9, 0.96, 1.05], [1.0, 1.1, 0.89], [1.16, 0.98, 1.03], [1.4, 1, 1]];
  const bend = (scale) => throughKeys("rotate", [[0, -1], [0.26, -20], [0.4, 4], [0.64, -7], [0.86, -4], [1.0, -18], [1.2, 2], [1.4, -1]].map(([t, v]) => [t, v * scale]));
  const tail = (name, scale) => [name, { rotate: throughKeys("rotate", [[0, 0], [0.26, 10], [0.42, -24], [0.62, -6], [0.84, 20], [1.02, -14], [1.2, 5], [1.4, 0]].map(([t, v]) => [t, v * scale])) }];
  const scarf = (name, scale) => [name, { rotate: throughKeys("rotate", [[0, 0], [0.26, -8], [0.42, 12], [0.62, -30], [0.86, -62], [1.04, -18], [1.22, 6], [1.4, 0]].map(([t, v]) => [t, v * scale])) }];
  const ear = (name, scale) => [name, { rotate: throughKeys("rotate", [[0, 0], [0.24, 10], [0.42, 14], [0.64, 4], [0.88, -8], [1.02, 12], [1.18, -4], [1.4, 0]].map(([t, v]) => [t, v * scale])) }];
  return {
    slots: {
      "eye-near": attachmentKeys([0, "eye-open"], [0.2, "eye-asleep"], [0.3, "eye-open"], [0.54, "eye-glad"], [0.8, "eye-open"], [0.96, "eye-asleep"], [1.1, "eye-open"]),
      "eye-far": attachmentKeys([0, "eye-open"], [0.2, "eye-asleep"], [0.3, "eye-open"], [0.54, "eye-glad"], [0.8, "eye-open"], [0.96, "eye-asleep"], [1.1, "eye-open"]),
      mouth: attachmentKeys([0, "mouth-smile"], [0.34, "mouth-open"], [1.06, "mouth-smile"]),
      "hand-near": attachmentKeys([0, "paw"], [0.4, "paw-open"], [0.98, "paw"]),
      "dust-near": attachmentKeys([0, null], [LAND, "dust"], [LAND + 0.35, null]),
      "dust-far": attachmentKeys([0, null], [LEAP, "dust"], [LEAP + 0.25, null], [LAND, "dust"], [LAND + 0.35, null]),
      // The scarf catches the light at the top of the leap.
      scarf: {
        rgba2: [
          { light: "ffffffff", dark: "14040a" }, { time: LEAP, light: "ffffffff", dark: "14040a", curve: "stepped" },
          { time: 0.4, light: "ffffffff", dark: "301010" }, { time: 0.64, light: "fff4d8ff", dark: "6a3418" }, { time: LAND, light: "ffffffff", dark: "14040a" },
        ],
      },
      shadow: { alpha: [{ value: 1 }, { time: LEAP, value: 1, curve: [0.45, 1, 0.55, 0.45] }, { time: 0.64, value: 0.45, curve: [0.73, 0.45, 0.83, 1] }, { time: LAND, value: 1 }] },
    },
    bones: {
      hip: { translate: keysOf("translate", hipTimes, (t) => [through([[0, 0], [0.26, -6], [0.42, 6], [0.86, 4], [1.0, 0], [1.4, 0]])(t), hipY(t) + flight(t)]), rotate: bend(0.5) },
      torso: { rotate: bend(0.6), scale: throughKeys2("scale", squash.map(([t, x, y]) => [t, y, x])) },
      chest: { rotate: bend(0.5) },
      neck: { rotate: bend(-0.6) },
      head: { rotate: throughKeys("rotate", [[0, 0], [0.26, -8], [0.42, 12], [0.64, -2], [0.88, -14], [1.0, 6], [1.2, 3], [1.4, 0]]), scale: throughKeys2("scale", squash.map(([t, x, y]) => [t, 1 + (y - 1) * 0.6, 1 + (x - 1) * 0.6])) },
      look: { translate: throughKeys2("translate", [[0, 0, 0], [0.26, ...inParent("look", 2, -4)], [0.42, ...inParent("look", 4, 8)], [0.86, ...inParent("look", 4, -6)], [1.1, 0, 0], [1.4, 0, 0]]) },
      "hand-near-goal": handBones("near", 0, -1.02),
      "hand-far-goal": handBones("far", 0.02, 0.86),
      "foot-near-goal": footBones("near"),
      "foot-far-goal": footBones("far"),
      "dust-near": { translate: [{ x: -40, curve: "stepped" }, { time: LAND, x: -44 }, { time: LAND + 0.35, x: -72 }], scale: [{ x: -1.25, y: 1.25 }] },
      "dust-far": { translate: [{ x: -20, curve: "stepped" }, { time: LEAP, x: -22, curve: "stepped" }, { time: LAND, x: 26 }, { time: LAND + 0.35, x: 56 }], scale: [{ x: 1.25, y: 1.25 }] },
      ...Object.fromEntries([tail("tail-1", 0.9), tail("tail-2", 0.8), tail("tail-3", 0.7), tail("tail-4", 0.6), tail("tail-5", 0.6)]),
      ...Object.fromEntries([scarf("scarf-ctl-1", 0.8), scarf("scarf-ctl-2", 0.7), scarf("scarf-ctl-3", 0.6)]),
      ...Object.fromEntries([ear("ear-near-1", 1), ear("ear-far-1", 0.8), ear("hair-1", 0.5)]),
      mood: { translatey: throughKeys("translatey", [[0, 0], [0.3, 0], [0.6, 90], [0.9, 20], [1.4, 0]]) },
    },
    ik: { "leg-near": [{ softness: 4, bendPositive: false }, { time: LEAP, softness: 12, bendPositive: false }, { time: LAND, softness: 4, bendPositive: false }] },
    attachments: {
      default: {
        "dust-near": { dust: { sequence: [{ time: LAND, mode: "once", delay: 0.07 }] } },
        "dust-far": { dust: { sequence: [{ time: LEAP, mode: "once", delay: 0.05 }, { time: LAND, mode: "once", delay: 0.07 }] } },
      },
    },
    // In the air the arms are thrown up in front of the head.
    drawOrder: [{}, { time: 0.36, offsets: frontArm() }, { time: 1.0 }],
    events: [{ time: LEAP, name: "jump" }, { time: LAND, name: "footstep", int: 2, float: 1.5 }],
  };
}

/** Draw-order offsets that bring the near arm in front of the head and hair, and the collar over its shoulder. */
export function frontArm() {
  const moved = ["hand-near", "sleeve-near", "collar"];
  const by = slotNames.indexOf("goggles") - slotNames.indexOf("collar");
  return moved.map((slot) => ({ slot, offset: by }));
}
