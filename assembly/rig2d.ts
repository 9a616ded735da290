/** Kernel table of the area rig2d. */
export { version } from "./rig2d/version";
export { attachmentVertices, skeletonVertices } from "./rig2d/vertices";
export { applyCommands } from "./rig2d/apply";
export { makeKnots } from "./rig2d/knots";
export {
  applyOneBoneIk, applyTwoBoneIk, modifyBoneLocal, modifyBoneWorld, readBoneProperty, resumeGroup, resumeSkeleton, updateBone, updateBoneLocal,
  updateBoneWorld, updateGroup, updateSkeleton, validateBoneLocal, writeBoneProperty,
} from "./rig2d/update";
export { dampingPower, rotatePhysics, translatePhysics } from "./rig2d/physics";
export { advanceCrowd } from "./rig2d/crowd-advance";
export { poseCrowd } from "./rig2d/crowd-pose";
export { freezeInstance } from "./rig2d/crowd-freeze";
export { crowdVertices } from "./rig2d/crowd-vertices";
