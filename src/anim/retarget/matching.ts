/** Which source bone drives which target bone. @internal */
import { AnimNameError } from "../errors.js";
import { nearMatches } from "../module/near-matches.js";
import { show } from "../rig/checks.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { normalizeBoneName } from "./names.js";
import type { MappingReason, MappingReport } from "./profile-json.js";
import { humanoidRoles } from "./roles.js";

/** The source bone of a name that the caller wrote. @throws AnimNameError naming the bone, and like ones */
export function requireBone(method: string, skeleton: AnimSkeleton, which: "source" | "target", name: string): number {
  const bone = skeleton.findBone(name);
  if (bone < 0) {
    const names = Array.from({ length: skeleton.getBoneCount() }, (_, i) => skeleton.getBoneName(i));
    throw new AnimNameError(`${method}: the profile names the ${which} bone ${show(name)}, which the ${which} skeleton does not have.${nearMatches(name, names)} Correct the name, or clear the mappings.`, { found: name });
  }
  return bone;
}

function byKey(skeleton: AnimSkeleton): Map<string, number> {
  const found = new Map<string, number>();
  for (let bone = 0; bone < skeleton.getBoneCount(); bone++) {
    const key = normalizeBoneName(skeleton.getBoneName(bone));
    // A key of two bones is of no use: -2 marks it.
    if (key !== "") found.set(key, found.has(key) ? -2 : bone);
  }
  return found;
}

/**
 * Source bone of every target bone, -1 for none: by explicit mapping, equal name, normalised name, humanoid role.
 * @param mappings - source name by target name
 * @param loose - whether normalised names and roles count
 */
export function matchBones(method: string, source: AnimSkeleton, target: AnimSkeleton, mappings: ReadonlyMap<string, string>, loose: boolean): Int32Array {
  const matches = new Int32Array(target.getBoneCount()).fill(-1);
  for (const [targetName, sourceName] of mappings) {
    matches[requireBone(method, target, "target", targetName)] = requireBone(method, source, "source", sourceName);
  }
  for (let bone = 0; bone < matches.length; bone++) if (matches[bone]! < 0) matches[bone] = source.findBone(target.getBoneName(bone));
  if (!loose) return matches;
  const sourceKeys = byKey(source), targetKeys = byKey(target);
  for (const [key, bone] of targetKeys) {
    if (bone >= 0 && matches[bone]! < 0) matches[bone] = Math.max(-1, sourceKeys.get(key) ?? -1);
  }
  const used = new Set(matches), sourceRoles = humanoidRoles(source), targetRoles = humanoidRoles(target);
  for (const [role, bone] of targetRoles) {
    let from = sourceRoles.get(role);
    if (role === "chest" && !targetRoles.has("upperChest")) from = sourceRoles.get("upperChest") ?? from;
    if (matches[bone]! >= 0 || from === undefined || used.has(from)) continue;
    matches[bone] = from;
  }
  return matches;
}

const CONFIDENCE: Record<MappingReason, number> = { mapping: 1, name: 1, normalizedName: 0.9, role: 0.7 };

/** The same with the reason of every match. */
export function explainMatches(method: string, source: AnimSkeleton, target: AnimSkeleton, mappings: ReadonlyMap<string, string>, loose: boolean): MappingReport {
  const matches = matchBones(method, source, target, mappings, loose), used = new Set(matches), unmatchedTargets: string[] = [];
  const pairs = Array.from(matches).flatMap((from, bone) => {
    const name = target.getBoneName(bone);
    if (from < 0) {
      unmatchedTargets.push(name);
      return [];
    }
    const partner = source.getBoneName(from);
    const by: MappingReason = mappings.has(name) ? "mapping" : partner === name ? "name" : normalizeBoneName(partner) === normalizeBoneName(name) ? "normalizedName" : "role";
    return [{ source: partner, target: name, by, confidence: CONFIDENCE[by] }];
  });
  const unusedSources = Array.from({ length: source.getBoneCount() }, (_, bone) => bone).filter((bone) => !used.has(bone)).map((bone) => source.getBoneName(bone));
  return { pairs, unmatchedTargets, unusedSources };
}
