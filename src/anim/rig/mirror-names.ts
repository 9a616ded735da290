import { requireName, requireObject } from "./checks.js";
import type { AnimSkeleton } from "./skeleton.js";

/**
 * Map of counterparts by name: `left` in a name is exchanged with `right` (and `l` with `r` where they stand alone), or one of
 * two texts of your own with the other; bones without a counterpart map to themselves.
 */
export function mirrorMapByName(skeleton: AnimSkeleton, leftToken?: string, rightToken?: string): Int32Array {
  requireObject("mirrorMapByName", "skeleton", skeleton, "AnimSkeleton");
  if (leftToken !== undefined || rightToken !== undefined) {
    requireName("mirrorMapByName", "leftToken", leftToken as string);
    requireName("mirrorMapByName", "rightToken", rightToken as string);
  }
  const count = skeleton.getBoneCount(), map = new Int32Array(count);
  for (let bone = 0; bone < count; bone++) {
    const name = skeleton.getBoneName(bone);
    const other = skeleton.findBone(leftToken === undefined ? exchanged(name) : exchangedTokens(name, leftToken, rightToken!));
    map[bone] = other < 0 ? bone : other;
  }
  for (let bone = 0; bone < count; bone++) if (map[map[bone]!] !== bone) map[bone] = bone;
  return map;
}

/** The name of the other side: of bones, events, markers, curves. @internal */
export function exchanged(name: string): string {
  return name
    .replace(/left|right/gi, (word) => sameCase(word, word.toLowerCase() === "left" ? "right" : "left"))
    .replace(/(^|[^A-Za-z])([lLrR])(?=$|[^A-Za-z])/g, (_, before: string, letter: string) => before + sameCase(letter, letter.toLowerCase() === "l" ? "r" : "l"));
}

function exchangedTokens(name: string, left: string, right: string): string {
  if (name.includes(left)) return name.replaceAll(left, right);
  return name.replaceAll(right, left);
}

function sameCase(model: string, word: string): string {
  if (model === model.toUpperCase()) return word.toUpperCase();
  return model[0] === model[0]!.toUpperCase() ? word[0]!.toUpperCase() + word.slice(1) : word;
}
