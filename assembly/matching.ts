/** Kernel table of the area matching. */
export { version } from "./matching/version";
