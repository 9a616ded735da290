// Idle: breathing, a blink, an ear that twitches, a glance, the tail at ease. 3.2 seconds, loops.
import { attachmentKeys, evenly, inParent, keysOf, throughKeys, throughKeys2, wave } from "./keys.mjs";
import { breathDeform } from "./deform.mjs";

const DURATION = 3.2;

export function idle() {
  const breath = (kind, amount, peak, times = 2) => ({ [kind]: keysOf(kind, evenly(DURATION, 4 * times), (t) => [amount].flat().map((a) => (kind === "scale" ? 1 : 0) + a * wave(DURATION, peak, times)(t))) });
  const slow = (amount, peak) => ({ rotate: keysOf("rotate", evenly(DURATION, 4), (t) => amount * wave(DURATION, peak, 1)(t)) });
  const blink = attachmentKeys([0, "eye-open"], [1.1, "eye-asleep"], [1.22, "eye-open"], [1.34, "eye-asleep"], [1.44, "eye-open"]);
  return {
    slots: { "eye-near": blink, "eye-far": blink },
    bones: {
      hip: { translate: keysOf("translate", evenly(DURATION, 8), (t) => [1.6 * wave(DURATION, 0.3, 1)(t), -4.5 + 1.5 * wave(DURATION, 0.12, 2)(t)]) },
      torso: { ...breath("scale", [0.014, -0.006], 0.18), ...slow(0.8, 0.35) },
      chest: { ...breath("scale", [0.016, 0.012], 0.2), ...breath("rotate", -0.9, 0.2) },
      neck: breath("rotate", 0.8, 0.27),
      head: { ...slow(1.8, 0.5), translate: keysOf("translate", evenly(DURATION, 8), (t) => inParent("head", 0, 1.1 * wave(DURATION, 0.26, 2)(t))) },
      look: { translate: throughKeys2("translate", [[0, 0, 0], [1.16, 0, 0], [1.3, ...inParent("look", 7, 2)], [2.3, ...inParent("look", 7, 2)], [2.5, 0, 0], [3.2, 0, 0]]) },
      "hand-near-goal": { translate: keysOf("translate", evenly(DURATION, 8), (t) => inParent("hand-near-goal", 1.2 * wave(DURATION, 0.3, 1)(t), 4 + 1.6 * wave(DURATION, 0.22, 2)(t))) },
      "hand-far-goal": { translate: keysOf("translate", evenly(DURATION, 8), (t) => inParent("hand-far-goal", 2 + 1.2 * wave(DURATION, 0.34, 1)(t), 4 + 1.6 * wave(DURATION, 0.22, 2)(t))) },
      "ear-near-1": { rotate: throughKeys("rotate", [[0, 0], [0.9, 2], [2.2, 0], [2.28, -11], [2.36, 3], [2.46, -7], [2.6, 0], [3.2, 0]]) },
      "ear-far-1": { rotate: throughKeys("rotate", [[0, 0], [1.3, -3], [2.6, 1], [3.2, 0]]) },
      "hair-1": slow(1.2, 0.2),
      "tail-1": slow(4, 0.2),
      "tail-2": slow(4, 0.26),
      "tail-3": slow(5, 0.33),
      "tail-4": slow(6, 0.4),
      "tail-5": slow(7, 0.47),
      "scarf-ctl-1": slow(1.5, 0.3),
      "scarf-ctl-2": slow(2.5, 0.4),
      "scarf-ctl-3": slow(4, 0.5),
      bag: slow(1.5, 0.1),
    },
    attachments: breathDeform(DURATION),
  };
}
