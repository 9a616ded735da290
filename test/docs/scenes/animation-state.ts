import { Skeleton } from "../../../src/spine/index.js";
import { fox } from "./shared.js";

export const skeletonData = fox();
export const skeleton = new Skeleton(skeletonData);
export const delta = 1 / 60;
