/** Spine skeletons as the animation module shows them, over osteon's Spine runtime. */
export { SpineAtlas } from "./spine-atlas.js";
export { SpineSkeletonData } from "./spine-skeleton-data.js";
export { SpineSkeleton } from "./spine-skeleton.js";
export { SpineAnim } from "./spine-anim.js";
