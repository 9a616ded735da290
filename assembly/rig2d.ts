/** Kernel table of the area rig2d. */
export { version } from "./rig2d/version";
