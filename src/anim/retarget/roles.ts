/**
 * Which bones of a rig play the parts of the VRM 1.0 humanoid: by synonyms, then checked against the hierarchy. @internal
 *
 * Covers the names of Mixamo, VRM, CMU BVH, Unreal and Rigify. What two bones claim alike belongs to none of them.
 */
import type { AnimSkeleton } from "../rig/skeleton.js";
import { stripRigTokens } from "./names.js";

/** A part of the humanoid such as "hips" or "leftUpperArm". */
export type HumanoidRole = string;

const CENTRE: Record<string, string> = { hips: "hips", hip: "hips", pelvis: "hips", neck: "neck", head: "head" };

const SIDED: Record<string, string> = {
  shoulder: "Shoulder", clavicle: "Shoulder", collar: "Shoulder",
  arm: "UpperArm", upperarm: "UpperArm", uparm: "UpperArm",
  forearm: "LowerArm", lowerarm: "LowerArm", elbow: "LowerArm",
  hand: "Hand", wrist: "Hand",
  thigh: "UpperLeg", hip: "UpperLeg", upleg: "UpperLeg", upperleg: "UpperLeg",
  leg: "LowerLeg", lowerleg: "LowerLeg", calf: "LowerLeg", shin: "LowerLeg", knee: "LowerLeg",
  foot: "Foot", ankle: "Foot",
  toe: "Toes", toes: "Toes", toebase: "Toes", ball: "Toes",
};

const FINGERS: Record<string, string> = { thumb: "Thumb", index: "Index", middle: "Middle", ring: "Ring", pinky: "Little", little: "Little" };
const SEGMENTS = ["Proximal", "Intermediate", "Distal"] as const;
const THUMB_SEGMENTS = ["Metacarpal", "Proximal", "Distal"] as const;

/** Parts that must lie below another one, as [part, ancestor]. */
const BELOW: readonly (readonly [string, string])[] = [
  ["LowerArm", "UpperArm"], ["Hand", "LowerArm"], ["LowerLeg", "UpperLeg"], ["Foot", "LowerLeg"], ["Toes", "Foot"],
];

/** Words of a name in lower case: "DEF-upper_arm.L" gives upper, arm, l. */
function wordsOf(name: string): string[] {
  return (stripRigTokens(name).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase());
}

/** The role that a name claims, and its number: "Neck" comes before "Neck1". */
interface Claim {
  readonly role: HumanoidRole | undefined;
  readonly rank: number;
  readonly side: string;
  readonly part: string;
}

function claimOf(name: string): Claim {
  const words = wordsOf(name);
  let side = "";
  const parts: string[] = [];
  let digits = 0;
  for (const word of words) {
    if (word === "l" || word === "left") side = "left";
    else if (word === "r" || word === "right") side = "right";
    else if (word === "c" || word === "center" || word === "f") continue;
    else if (/^\d+$/.test(word)) digits = Number(word);
    else parts.push(word);
  }
  let part = parts.join("");
  if (side === "") {
    const fused = /^(left|right)([a-z]+)$/.exec(part);
    if (fused !== null) {
      side = fused[1]!;
      part = fused[2]!;
    }
  }
  const rank = digits;
  if (side === "") return { role: digits <= 1 && Object.hasOwn(CENTRE, part) ? CENTRE[part] : undefined, rank, side, part };
  const finger = part.startsWith("hand") ? part.slice(4) : part;
  if (Object.hasOwn(FINGERS, finger)) {
    const segments = finger === "thumb" ? THUMB_SEGMENTS : SEGMENTS;
    return { role: digits >= 1 && digits <= 3 ? `${side}${FINGERS[finger]}${segments[digits - 1]}` : undefined, rank, side, part };
  }
  return { role: digits <= 1 && Object.hasOwn(SIDED, part) ? side + SIDED[part] : undefined, rank, side, part };
}

/** Bones by role. Roles that fail the checks of the hierarchy are left out. */
export function humanoidRoles(skeleton: AnimSkeleton): Map<HumanoidRole, number> {
  const roles = new Map<HumanoidRole, number>(), ranks = new Map<HumanoidRole, number>();
  const claims = Array.from({ length: skeleton.getBoneCount() }, (_, bone) => claimOf(skeleton.getBoneName(bone)));
  const has = (side: string, parts: readonly string[]): boolean => claims.some((claim) => claim.side === side && parts.includes(claim.part));
  // Rigs that call the joints by their anatomy (collar, shoulder, elbow, wrist) mean the upper arm by its shoulder.
  const anatomical = ["left", "right"].filter((side) => has(side, ["collar", "clavicle"]) && has(side, ["shoulder"]) && !has(side, ["arm", "upperarm", "uparm"]));
  for (let bone = 0; bone < claims.length; bone++) {
    const { rank, side, part } = claims[bone]!, role = part === "shoulder" && anatomical.includes(side) ? `${side}UpperArm` : claims[bone]!.role;
    if (role === undefined) continue;
    const best = ranks.get(role) ?? Infinity;
    if (rank > best) continue;
    ranks.set(role, rank);
    if (rank === best) roles.delete(role);
    else roles.set(role, bone);
  }
  for (const side of ["left", "right"]) {
    for (const [part, above] of BELOW) {
      const bone = roles.get(side + part), ancestor = roles.get(side + above);
      if (bone !== undefined && (ancestor === undefined || !skeleton.isAncestor(ancestor, bone))) roles.delete(side + part);
    }
    for (const [part, below] of [["UpperArm", "LowerArm"], ["UpperLeg", "LowerLeg"]] as const) {
      if (!roles.has(side + below)) roles.delete(side + part);
    }
  }
  addTrunk(skeleton, roles);
  return roles;
}

/** Hips where they are missing, and the spine between hips and neck. */
function addTrunk(skeleton: AnimSkeleton, roles: Map<HumanoidRole, number>): void {
  const legs = ["leftUpperLeg", "rightUpperLeg"].map((role) => roles.get(role) ?? -1);
  if (legs[0]! >= 0 && legs[1]! >= 0) {
    const hips = roles.get("hips");
    if (hips === undefined || legs.some((leg) => !skeleton.isAncestor(hips, leg))) {
      let common = skeleton.getParent(legs[0]!);
      while (common >= 0 && !skeleton.isAncestor(common, legs[1]!)) common = skeleton.getParent(common);
      if (common >= 0) roles.set("hips", common);
      else roles.delete("hips");
    }
  }
  const hips = roles.get("hips"), top = roles.get("neck") ?? roles.get("head");
  if (hips === undefined || top === undefined || !skeleton.isAncestor(hips, top)) return;
  const taken = new Set(roles.values()), spine: number[] = [];
  for (let bone = skeleton.getParent(top); bone !== hips; bone = skeleton.getParent(bone)) if (!taken.has(bone)) spine.unshift(bone);
  if (spine.length > 0) roles.set("spine", spine[0]!);
  if (spine.length === 2) roles.set("chest", spine[1]!);
  if (spine.length > 2) {
    roles.set("chest", spine[spine.length >> 1]!);
    roles.set("upperChest", spine[spine.length - 1]!);
  }
}
