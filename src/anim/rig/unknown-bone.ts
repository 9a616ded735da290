/** The error for a bone's name that a skeleton does not have. @internal */
import { AnimNameError } from "../errors.js";
import { nearMatches } from "../module/near-matches.js";
import { show } from "./checks.js";
import type { AnimSkeleton } from "./skeleton.js";

/** @param method - "ClassName.method" @param what - name of the argument */
export function unknownBone(method: string, what: string, name: string, skeleton: AnimSkeleton): AnimNameError {
  const names = Array.from({ length: skeleton.getBoneCount() }, (_, i) => skeleton.getBoneName(i));
  return new AnimNameError(`${method}: ${what} is ${show(name)}, which is no bone of the skeleton.${nearMatches(String(name), names)}`, { found: name });
}
