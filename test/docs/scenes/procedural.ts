import { AnimPlayer, AnimSkeleton } from "../../../src/anim/index.js";
import { biped } from "./shared.js";

// The biped with four bones of hair.
const character = await biped(), standing = character.skeleton, haired = new AnimSkeleton();
const BIND = ["Position", "Rotation", "Scale"] as const;
for (let bone = 0; bone < standing.getBoneCount(); bone++) {
  haired.addBone(standing.getBoneName(bone), standing.getParent(bone));
  const [position, rotation, scale] = BIND.map((part) => ["X", "Y", "Z", "W"].map((axis) => (part !== "Rotation" && axis === "W" ? 0 : standing[`getBind${part}${axis}` as "getBindRotationX"](bone))));
  haired.setBindPosition(bone, ...(position as [number, number, number]));
  haired.setBindRotation(bone, ...(rotation as [number, number, number, number]));
  haired.setBindScale(bone, ...(scale as [number, number, number]));
}
let parent = haired.findBone("head");
for (const name of ["hair_root", "hair_1", "hair_2", "hair_tip"]) {
  parent = haired.addBone(name, parent);
  haired.setBindPosition(parent, 0, -0.08, -0.02);
}

export const skeleton = haired;
const bone = (name: string): number => haired.findBone(name);
export const head = bone("head");
export const upperArm = bone("upper_arm_l");
export const lowerArm = bone("lower_arm_l");
export const hand = bone("hand_l");
export const spine = bone("spine");
export const neck = bone("neck");
export const twistBone = bone("fingers_r");
export const tail0 = bone("hair_root");
export const tail7 = bone("hair_tip");
export const hip = bone("upper_leg_l");
export const knee = bone("lower_leg_l");
export const foot = bone("foot_l");
export const x = 0.3;
export const y = 1.2;
export const z = 0.4;
export const groundHeight = 0;
export const dt = 1 / 60;
export const captureSkeleton = standing;
export const capture = character.clip("walk");

const player = new AnimPlayer(haired);
player.play(character.clip("idle"));
player.update(0.1);
export const pose = player.getPose();
