// The `constraints` section, in update order.
import { bonesByName, round, toBone } from "./bones.mjs";

const world = (name) => round(bonesByName.get(name).rotation, 2);
const local = (name) => {
  const { x, y, parent } = bonesByName.get(name);
  return toBone(parent, x, y).map((v) => round(v, 2));
};

/** Feet keep the angle of their goals whatever the leg does. */
const foot = (side) => ({
  type: "transform", name: `foot-${side}`, bones: [`foot-${side}`], source: `foot-${side}-goal`, rotation: world(`foot-${side}`),
  properties: { rotate: { to: { rotate: {} } } },
});

const swing = (name, bone, extra) => ({ type: "physics", name, bone, rotate: 1, inertia: 0.5, strength: 90, damping: 0.86, ...extra });

export function constraintsSection() {
  const [lookX, lookY] = local("look");
  return [
    // The mood control: pulled up, the brows rise and the ears fold back (animation "mood", one second long).
    { type: "slider", name: "mood", animation: "mood", bone: "mood", property: "y", from: 0, scale: 0.01, max: 1, local: true, additive: true },
    // The shadow shrinks and fades in size as the hip leaves the ground.
    {
      type: "transform", name: "shadow", bones: ["shadow"], source: "hip", clamp: true,
      properties: { y: { offset: 152, to: { scaleX: { offset: 1, max: 0.5, scale: -0.003 }, scaleY: { offset: 1, max: 0.5, scale: -0.003 } } } },
    },
    // The face follows the look control over the head, which gives a hint of turning.
    {
      type: "transform", name: "look", bones: ["face"], source: "look", localSource: true, localTarget: true, additive: true, mixY: 1,
      properties: { x: { offset: lookX, to: { x: { max: 100 } } }, y: { offset: lookY, to: { y: { max: 100 } } } },
    },
    { type: "ik", name: "leg-far", bones: ["thigh-far", "shin-far"], target: "foot-far-goal", bendPositive: false, softness: 4 },
    { type: "ik", name: "leg-near", bones: ["thigh-near", "shin-near"], target: "foot-near-goal", bendPositive: false, softness: 4 },
    foot("far"),
    foot("near"),
    { type: "ik", name: "arm-far", bones: ["arm-far", "forearm-far"], target: "hand-far-goal", stretch: true },
    { type: "ik", name: "arm-near", bones: ["arm-near", "forearm-near"], target: "hand-near-goal", stretch: true },
    swing("scarf-ctl-2", "scarf-ctl-2", { strength: 60, damping: 0.88, windGlobal: true, gravity: 0, mass: 1.2 }),
    swing("scarf-ctl-3", "scarf-ctl-3", { strength: 50, damping: 0.86, windGlobal: true, mass: 1.2 }),
    { type: "path", name: "scarf", bones: ["scarf-1", "scarf-2", "scarf-3", "scarf-4", "scarf-5"], slot: "scarf-path", rotateMode: "chain", mixY: 1 },
    swing("tail-3", "tail-3", { inertia: 0.45, strength: 110, damping: 0.84 }),
    swing("tail-4", "tail-4", { inertia: 0.5, strength: 90, damping: 0.84 }),
    swing("bag", "bag", { inertia: 0.6, strength: 140, damping: 0.82 }),
    swing("ear-near", "ear-near-2", { rotate: 0.55, inertia: 0.6, strength: 160, damping: 0.8 }),
    swing("ear-far", "ear-far-2", { rotate: 0.55, inertia: 0.6, strength: 160, damping: 0.8 }),
    swing("hair-2", "hair-2", { inertia: 0.5, strength: 170, damping: 0.82 }),
    swing("hair-3", "hair-3", { inertia: 0.6, strength: 130, damping: 0.84 }),
  ];
}
