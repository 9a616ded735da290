/** Kernel table of the area rig3d. */
export { version } from "./rig3d/version";
export { composeWorld, composeWorldRange, composeRotations } from "./rig3d/world";
export { sampleClip, sampleUnwrapped, sampleJobs } from "./rig3d/sample";
export { blendPair } from "./rig3d/blend-pair";
export { mirrorPose } from "./rig3d/mirror";
export { runBlendProgram } from "./rig3d/blend";
export { startInertia, applyInertia, startQuintic, applyQuintic } from "./rig3d/inertia";
export { applyInertiaBy, startInertiaBy } from "./rig3d/inertia-numbers";
export { composePalette, composePaletteRows, paletteIsUniform, composeNormalPalette } from "./rig3d/palette";
export { skinPositions, skinNormals, skinTangents, morphVectors } from "./rig3d/skin";
export { composeDualPalette, skinDualPositions, skinDualNormals } from "./rig3d/skin-dual";
export { updateSprings } from "./rig3d/springs";
export { updateCrowd3d, poseCrowd3d } from "./rig3d/crowd";
