// A walking or running cycle: walk and run differ in numbers only.
import { footPath, handAt } from "./gait.mjs";
import { evenly, inParent, keysOf } from "./keys.mjs";

const TAU = 2 * Math.PI;

/** Bone timelines of a cycle. See walk.mjs for the meaning of the numbers. */
export function cycleBones(c) {
  const { duration } = c;
  const phase = (t) => t / duration;
  const sin = (t, times, shift) => Math.sin(TAU * (times * phase(t) - shift));
  const eighths = evenly(duration, 8), quarters = evenly(duration, 4);
  const foot = footPath(c.foot);
  const { stance, flatFrom, flatTo } = c.foot;
  const marks = [0, flatFrom, (flatFrom + flatTo) / 2, flatTo, (flatTo + stance) / 2, stance, stance + (1 - stance) * 0.3, stance + (1 - stance) * 0.6, stance + (1 - stance) * 0.85];

  const bones = {};
  const legs = { near: 0, far: 0.5 };
  for (const [side, lead] of Object.entries(legs)) {
    const times = [...marks.map((m) => (m + lead) % 1), 0, 1].map((m) => m * duration).toSorted((a, b) => a - b)
      .filter((t, i, all) => i === 0 || t - all[i - 1] > duration * 0.012);
    if (duration - times.at(-1) < 1e-6) times[times.length - 1] = duration;
    const at = (t) => foot(phase(t) - lead);
    bones[`foot-${side}-goal`] = {
      rotate: keysOf("rotate", times, (t) => at(t).rotation),
      translate: keysOf("translate", times, (t) => [at(t).x, at(t).y]),
    };
  }
  for (const [side, lead] of Object.entries(legs)) {
    // Arms swing against the legs of their side.
    const swing = (t) => c.arm.middle - c.arm.swing * Math.cos(TAU * (phase(t) - lead - c.arm.lag));
    const reach = (t) => c.arm.reach - c.arm.fold * Math.max(0, (swing(t) - c.arm.middle) / c.arm.swing) ** 2;
    const goal = `hand-${side}-goal`;
    bones[goal] = { translate: keysOf("translate", eighths, (t) => inParent(goal, ...handAt(swing(t), reach(t)))) };
    bones[`hand-${side}`] = { rotate: keysOf("rotate", quarters, (t) => c.arm.wrist * Math.sin(TAU * (phase(t) - lead - 0.1))) };
  }
  // The body is lowest just after each contact and highest just before the next.
  bones.hip = {
    rotate: keysOf("rotate", quarters, (t) => c.hip.lean * 0.35 + c.hip.sway * sin(t, 1, 0.2)),
    translate: keysOf("translate", eighths, (t) => [c.hip.x + c.hip.surge * sin(t, 2, 0.05), c.hip.y - c.hip.bob * Math.cos(TAU * (2 * phase(t) - c.hip.low))]),
  };
  bones.torso = { rotate: keysOf("rotate", eighths, (t) => c.hip.lean * 0.4 - c.hip.sway * 0.8 * sin(t, 1, 0.2) + c.hip.nod * sin(t, 2, 0.1)) };
  bones.chest = {
    rotate: keysOf("rotate", eighths, (t) => c.hip.lean * 0.25 - c.hip.sway * sin(t, 1, 0.25) + c.hip.nod * 0.7 * sin(t, 2, 0.16)),
    scale: keysOf("scale", eighths, (t) => [1 - c.hip.squash * Math.cos(TAU * (2 * phase(t) - c.hip.low)), 1 + c.hip.squash * Math.cos(TAU * (2 * phase(t) - c.hip.low))]),
  };
  bones.neck = { rotate: keysOf("rotate", eighths, (t) => -c.hip.lean * 0.45 - c.hip.nod * sin(t, 2, 0.22)) };
  bones.head = {
    rotate: keysOf("rotate", eighths, (t) => -c.hip.lean * 0.4 + c.head.tilt * sin(t, 1, 0.3) - c.head.nod * sin(t, 2, 0.3)),
    translate: keysOf("translate", eighths, (t) => inParent("head", 0, c.head.drag * Math.cos(TAU * (2 * phase(t) - c.hip.low - 0.18)))),
  };
  for (const [ear, sign, shift] of [["near", 1, 0.34], ["far", 0.8, 0.38]]) {
    bones[`ear-${ear}-1`] = { rotate: keysOf("rotate", eighths, (t) => c.ears.back * sign + c.ears.flap * sign * sin(t, 2, shift)) };
  }
  bones["hair-1"] = { rotate: keysOf("rotate", eighths, (t) => c.hair.lift + c.hair.flap * sin(t, 2, 0.4)) };
  ["tail-1", "tail-2", "tail-3", "tail-4", "tail-5"].forEach((name, i) => {
    bones[name] = { rotate: keysOf("rotate", eighths, (t) => c.tail.set[i] + c.tail.swing[i] * sin(t, c.tail.times, 0.15 + 0.13 * i)) };
  });
  ["scarf-ctl-1", "scarf-ctl-2", "scarf-ctl-3"].forEach((name, i) => {
    bones[name] = { rotate: keysOf("rotate", eighths, (t) => c.scarf.set[i] + c.scarf.swing[i] * sin(t, c.scarf.times, 0.1 + 0.22 * i)) };
  });
  bones.bag = { rotate: keysOf("rotate", eighths, (t) => c.bag * sin(t, 2, 0.25)) };
  return bones;
}

/** Puffs of dust at both contacts: attachment, sequence and the way of the bone along with the ground. */
export function cycleDust(c) {
  const out = { slots: {}, bones: {}, sequences: {} };
  for (const [side, lead] of [["near", 0], ["far", 0.5]]) {
    const start = lead * c.duration, delay = c.dust.delay, end = start + delay * 5;
    const keys = [];
    if (start > 0) keys.push([0, null]);
    keys.push([start, "dust"], [end, null]);
    out.slots[`dust-${side}`] = { attachment: keys.map(([t, n]) => ({ ...(t ? { time: +t.toFixed(4) } : {}), ...(n ? { name: n } : {}) })) };
    out.sequences[`dust-${side}`] = { dust: { sequence: [{ ...(start ? { time: +start.toFixed(4) } : {}), mode: "once", delay }] } };
    const from = c.foot.front - 34, speed = (c.foot.back - c.foot.front) / (c.foot.stance * c.duration);
    const at = (t) => [from + speed * 0.8 * Math.max(0, t - start), 0];
    const times = start > 0 ? [0, start, end] : [0, end];
    out.bones[`dust-${side}`] = { translate: keysOf("translate", times, at), scale: [{ x: c.dust.size, y: c.dust.size }] };
  }
  return out;
}

/** Two footsteps per cycle: int 0 = near foot, 1 = far foot; float = strength. */
export const cycleEvents = (c) => [
  { name: "footstep", float: c.strength },
  { time: +(c.duration / 2).toFixed(4), name: "footstep", int: 1, float: c.strength },
];
