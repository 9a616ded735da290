import type { Physics } from "../enums.js";
import { StateError } from "../../errors.js";
import type { Skeleton } from "./skeleton.js";

/** Sorts bones and constraints into the order of updates and makes the update program. @internal */
export function sortSkeleton(skeleton: Skeleton): void {
  skeleton._updateCache.length = 0;
}

/** Computes all world transforms and applies constraints. @internal */
export function updateSkeleton(_skeleton: Skeleton, _physics: Physics): void {
  throw new StateError("World transforms are not available yet.");
}
