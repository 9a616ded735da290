/**
 * The biped's bones: name, parent, place in the rest pose (metres, model space). All rest rotations are identities, so a
 * local rotation is a rotation about the model's axes. Height 1.75 m, facing +Z, left side at +X, arms in an A-pose.
 */
const SIDES = [["l", 1], ["r", -1]];

export const HIP_HEIGHT = 0.92;
export const ANKLE_HEIGHT = 0.085;
export const BALL_HEIGHT = 0.03;
/** From the ankle to the ball of the foot (the toe joint) and to the heel's edge. */
export const BALL_FORWARD = 0.125;
export const HEEL_BACK = 0.055;
export const THIGH = 0.425;
export const SHANK = HIP_HEIGHT - ANKLE_HEIGHT - THIGH;
export const HIP_WIDTH = 0.09;
/** Direction of the arms in the rest pose, left side. */
export const ARM = [Math.cos(Math.PI / 4), -Math.sin(Math.PI / 4), 0];

const center = [
  ["root", null, [0, 0, 0]],
  ["hips", "root", [0, 0.97, 0]],
  ["spine", "hips", [0, 1.08, -0.005]],
  ["chest", "spine", [0, 1.24, -0.01]],
  ["neck", "chest", [0, 1.475, -0.012]],
  ["head", "neck", [0, 1.545, 0.0]],
];

const shoulder = [0.172, 1.398, -0.01];
const along = (distance) => [shoulder[0] + ARM[0] * distance, shoulder[1] + ARM[1] * distance, shoulder[2]];

const sided = ([s, sign]) => [
  [`shoulder_${s}`, "chest", [0.035, 1.415, 0.0]],
  [`upper_arm_${s}`, `shoulder_${s}`, shoulder],
  [`lower_arm_${s}`, `upper_arm_${s}`, along(0.285)],
  [`hand_${s}`, `lower_arm_${s}`, along(0.535)],
  [`fingers_${s}`, `hand_${s}`, along(0.625)],
  [`upper_leg_${s}`, "hips", [HIP_WIDTH, HIP_HEIGHT, 0]],
  [`lower_leg_${s}`, `upper_leg_${s}`, [HIP_WIDTH, HIP_HEIGHT - THIGH, 0]],
  [`foot_${s}`, `lower_leg_${s}`, [HIP_WIDTH, ANKLE_HEIGHT, 0]],
  [`toe_${s}`, `foot_${s}`, [HIP_WIDTH, BALL_HEIGHT, BALL_FORWARD]],
].map(([name, parent, [x, y, z]]) => [name, parent, [x * sign, y, z]]);

/** Bones in parent-first, depth-first order. */
export const BONES = depthFirst([...center, ...SIDES.flatMap(sided)].map(([name, parent, place]) => ({ name, parent, place })));
export const boneIndex = Object.fromEntries(BONES.map((bone, i) => [bone.name, i]));

function depthFirst(list, parent = null) {
  return list.filter((bone) => bone.parent === parent).flatMap((bone) => [bone, ...depthFirst(list, bone.name)]);
}

/** Translation of a bone relative to its parent in the rest pose. */
export function restOffset({ parent, place }) {
  const from = parent === null ? [0, 0, 0] : BONES[boneIndex[parent]].place;
  return place.map((v, i) => v - from[i]);
}
