/** A small rig with two skins and three clips (the last does not loop; all have events), and a way to compare palettes. */
import { AnimClip, type AnimPose, AnimSkeleton, AnimSkin } from "../../src/anim/index.js";
import { randomQuaternion } from "../anim/rig/golden.js";

export const BONES = 11;

export function rig(random: () => number): { skeleton: AnimSkeleton; skins: AnimSkin[]; clips: AnimClip[] } {
  const skeleton = new AnimSkeleton();
  for (let i = 0; i < BONES; i++) {
    skeleton.addBone(`b${i}`, Math.floor(random() * (i + 1)) - 1);
    skeleton.setBindPosition(i, random(), random(), random());
    skeleton.setBoneLodLimit(i, i < 4 ? 255 : 1);
  }
  const skinOf = (joints: number): AnimSkin => AnimSkin.fromArrays({
    positions: [0, 0, 0], joints: [0, 0, 0, 0], weights: [1, 0, 0, 0], jointNames: Array.from({ length: joints }, (_, i) => `b${(i * 3) % BONES}`),
    inverseBind: Array.from({ length: joints }, () => [random(), 0.1, 0, 0, 0, 1, 0.2, 0, 0, 0.3, 1, 0, random(), random(), random(), 1]).flat(),
  }, skeleton);
  const clips = Array.from({ length: 3 }, (_, c) => {
    const clip = new AnimClip(`clip${c}`);
    for (let bone = 0; bone < BONES; bone++) {
      for (let k = 0; k < 15; k++) clip.addRotationKey(bone, k * 0.1 + (c === 1 ? bone * 0.001 : 0), ...randomQuaternion(random));
      if (bone % 2 === 0) for (let k = 0; k < 15; k++) clip.addPositionKey(bone, k * 0.1, random(), random(), random());
    }
    clip.setLoop(c !== 2);
    clip.addEvent(0, `start${c}`);
    clip.addEvent(0.7, `middle${c}`, "payload");
    clip.addEvent(clip.getDuration(), `end${c}`);
    return clip;
  });
  return { skeleton, skins: [skinOf(7), skinOf(4)], clips };
}

/** The palette of a player's pose as the crowd lays it out. */
export function paletteOf(pose: AnimPose, skins: readonly AnimSkin[]): number[] {
  const out: number[] = [];
  for (const skin of skins) {
    skin.updateMatrixPalette(pose);
    const rows = new Float32Array(skin.getBoneCount() * 12);
    skin.writePaletteTo(rows, 0, true);
    out.push(...rows);
  }
  return out;
}
