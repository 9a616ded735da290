// Wave: a cheerful hello with the near arm. 2 seconds, loops.
import { handAt } from "./gait.mjs";
import { frontArm } from "./jump.mjs";
import { attachmentKeys, evenly, inParent, keysOf, through, throughKeys, throughKeys2, wave as sine } from "./keys.mjs";

const DURATION = 2;
/** Share of the raised pose: up in 0.3 s, waving, down in 0.4 s. */
const raised = through([[0, 0], [0.34, 1], [1.56, 1], [2, 0]]);

export function wave() {
  const swing = (t) => raised(t) * Math.sin((2 * Math.PI * (t - 0.3)) / 0.36);
  const arm = (t) => [4 + raised(t) * -138 + swing(t) * 9, 84 + raised(t) * 18];
  const times = [0, 0.12, 0.24, 0.34, ...Array.from({ length: 14 }, (_, i) => 0.39 + i * 0.09), 1.68, 1.84, 2];
  const breath = (amount, peak) => keysOf("rotate", evenly(DURATION, 4), (t) => amount * sine(DURATION, peak)(t));
  const lean = (v) => throughKeys("rotate", [[0, 0], [0.2, -v * 0.35], [0.44, v], [1.5, v * 0.9], [1.8, -v * 0.15], [2, 0]]);
  return {
    slots: {
      "eye-near": attachmentKeys([0, "eye-open"], [0.3, "eye-glad"], [1.6, "eye-open"]),
      "eye-far": attachmentKeys([0, "eye-open"], [0.3, "eye-glad"], [1.6, "eye-open"]),
      mouth: attachmentKeys([0, "mouth-smile"], [0.26, "mouth-open"], [1.64, "mouth-smile"]),
      "hand-near": attachmentKeys([0, "paw"], [0.2, "paw-open"], [1.76, "paw"]),
      spark: {
        ...attachmentKeys([0, null], [0.4, "spark"], [1.2, null]),
        rgba: [{ time: 0.4, color: "fff2c000", curve: "stepped" }, { time: 0.44, color: "fff2c0ff" }, { time: 0.8, color: "ffd870ff" }, { time: 1.2, color: "ffd87000" }],
      },
      hair: { rgb2: [{ light: "ffffff", dark: "000000" }, { time: 0.6, light: "ffffff", dark: "2a1408" }, { time: 1.4, light: "ffffff", dark: "000000" }] },
    },
    bones: {
      hip: {
        translate: throughKeys2("translate", [[0, 0, -5], [0.18, 0, -11], [0.42, 3, -2], [0.8, 2, -4], [1.2, 3, -2], [1.6, 2, -5], [2, 0, -5]]),
        rotate: lean(3),
      },
      torso: { rotate: lean(3) },
      chest: { rotate: lean(2.5), scale: throughKeys2("scale", [[0, 1, 1], [0.18, 0.98, 1.015], [0.42, 1.02, 0.99], [2, 1, 1]]) },
      neck: { rotate: lean(-2) },
      head: { rotate: keysOf("rotate", evenly(DURATION, 10), (t) => raised(t) * (7 + 3 * Math.sin((2 * Math.PI * (t - 0.2)) / 0.72))) },
      "hand-near-goal": { translate: keysOf("translate", times, (t) => inParent("hand-near-goal", ...handAt(...arm(t)))) },
      "hand-near": { rotate: keysOf("rotate", times, (t) => raised(t) * 12 + swing(t - 0.05) * 17) },
      "hand-far-goal": { translate: keysOf("translate", evenly(DURATION, 4), (t) => inParent("hand-far-goal", ...handAt(6 + raised(t) * 5, 83))) },
      "ear-near-1": { rotate: throughKeys("rotate", [[0, 0], [0.3, -8], [0.6, 3], [0.9, -4], [1.2, 3], [1.5, -3], [2, 0]]) },
      "ear-far-1": { rotate: throughKeys("rotate", [[0, 0], [0.34, -6], [0.66, 3], [0.96, -3], [1.26, 3], [1.54, -2], [2, 0]]) },
      "tail-1": { rotate: keysOf("rotate", evenly(DURATION, 8), (t) => raised(t) * 7 * sine(DURATION, 0.2, 3)(t)) },
      "tail-2": { rotate: keysOf("rotate", evenly(DURATION, 12), (t) => raised(t) * 9 * sine(DURATION, 0.26, 3)(t)) },
      "tail-3": { rotate: keysOf("rotate", evenly(DURATION, 12), (t) => raised(t) * 10 * sine(DURATION, 0.32, 3)(t)) },
      "tail-4": { rotate: keysOf("rotate", evenly(DURATION, 12), (t) => raised(t) * 11 * sine(DURATION, 0.38, 3)(t)) },
      "scarf-ctl-1": { rotate: breath(2, 0.2) },
      spark: { translate: [{ time: 0.4, x: -214, y: 26, curve: [0.6, -214, 0.9, -226, 0.6, 62, 0.9, 74] }, { time: 1.2, x: -228, y: 76 }], rotate: [{ time: 0.4 }, { time: 1.2, value: 120 }], scale: [{ time: 0.4, x: 0.4, y: 0.4 }, { time: 0.6, x: 1.5, y: 1.5 }, { time: 1.2, x: 0.5, y: 0.5 }] },
      mood: { translatey: throughKeys("translatey", [[0, 0], [0.34, 100], [1.5, 100], [2, 0]]) },
    },
    drawOrder: [{}, { time: 0.12, offsets: frontArm() }, { time: 1.86 }],
    events: [{ time: 0.4, name: "hello", string: "paw" }],
  };
}
