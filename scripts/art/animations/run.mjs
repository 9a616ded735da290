// Run: leaning in, both feet off the ground twice a cycle, scarf and tail streaming behind.
import { cycleBones, cycleDust, cycleEvents } from "./cycle.mjs";
import { slotNames } from "../rig/skins.mjs";

export const RUN = {
  duration: 0.6,
  strength: 1,
  foot: { front: 54, back: -72, stance: 0.36, strike: 12, toeOff: -52, lift: 46, flatFrom: 0.05, flatTo: 0.2 },
  arm: { middle: 6, swing: 58, reach: 66, fold: 8, lag: 0.02, wrist: 14 },
  hip: { x: -4, y: -8, lean: -21, sway: 4, surge: 2, bob: 11, low: 0.3, nod: 2.4, squash: 0.03 },
  head: { tilt: 2.2, nod: 3, drag: 4 },
  ears: { back: 22, flap: 9 },
  hair: { lift: 7, flap: 6 },
  tail: { set: [-6, 4, 18, 16, 12], swing: [7, 10, 12, 13, 14], times: 1 },
  scarf: { set: [-40, -26, -14], swing: [7, 16, 20], times: 2 },
  bag: 12,
  dust: { delay: 0.05, size: 1 },
};

/** The scarf streams so high that it belongs in front of the far arm and leg, yet behind the tail's tip. */
function folder() {
  const slots = slotNames.filter((name) => ["tail", "scarf"].includes(name));
  return [{ slots, keys: [{ offsets: [{ slot: "tail", offset: 1 }] }, { time: 0.3 }] }];
}

export function run() {
  const dust = cycleDust(RUN);
  return {
    slots: { ...dust.slots, mouth: { attachment: [{ name: "mouth-open" }] } },
    bones: { ...cycleBones(RUN), ...dust.bones, mood: { translatey: [{ value: 45 }] } },
    physics: { "": { wind: [{ value: -2.5, curve: [0.1, -2.5, 0.2, -4]  }, { time: 0.3, value: -4, curve: [0.4, -4, 0.5, -2.5] }, { time: 0.6, value: -2.5 }] } },
    attachments: { default: dust.sequences },
    drawOrderFolder: folder(),
    events: cycleEvents(RUN),
  };
}
