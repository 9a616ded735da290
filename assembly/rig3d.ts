/** Kernel table of the area rig3d. */
export { version } from "./rig3d/version";
