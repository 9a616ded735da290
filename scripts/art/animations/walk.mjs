// Walk: a brisk, slightly bouncy stroll.
import { cycleBones, cycleDust, cycleEvents } from "./cycle.mjs";

export const WALK = {
  duration: 0.9333,
  strength: 0.4,
  foot: { front: 40, back: -44, stance: 0.6, strike: 20, toeOff: -34, lift: 15, flatFrom: 0.1, flatTo: 0.42 },
  arm: { middle: 2, swing: 30, reach: 84, fold: 12, lag: 0.04, wrist: 10 },
  // Degrees of lean are negative = forward. bob: half height of the up and down; low: phase of the lowest point.
  hip: { x: 0, y: -9, lean: -5, sway: 2.5, surge: 1.5, bob: 4.5, low: 0.22, nod: 1.2, squash: 0.012 },
  head: { tilt: 1.6, nod: 1.6, drag: 2.2 },
  ears: { back: 3, flap: 4 },
  hair: { lift: 0, flap: 3 },
  tail: { set: [4, 2, -2, -4, -6], swing: [4, 6, 8, 9, 10], times: 1 },
  scarf: { set: [-12, -10, -8], swing: [4, 9, 12], times: 2 },
  bag: 5,
  dust: { delay: 0.04, size: 0.45 },
};

export function walk() {
  const dust = cycleDust(WALK);
  return {
    slots: dust.slots,
    bones: { ...cycleBones(WALK), ...dust.bones },
    attachments: { default: dust.sequences },
    events: cycleEvents(WALK),
  };
}
