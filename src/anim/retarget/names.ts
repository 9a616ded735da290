/** Names of bones reduced to what matters, so that rigs of different tools match. @internal */

const TOOL_PREFIX = /^(?:mixamorig\d*|valvebiped)/i;
const RIG_TOKEN = /^(?:bip\d*|armature|def|rig|cc_base|j_bip)/i;
const LETTER_OR_DIGIT = /[a-z0-9]/i;

/** The name without namespaces and tokens of rigging tools; case and punctuation are kept. */
export function stripRigTokens(name: string): string {
  let rest = name.slice(Math.max(name.lastIndexOf(":"), name.lastIndexOf("|")) + 1).replace(TOOL_PREFIX, "");
  for (;;) {
    const bare = rest.replace(/^[^a-z0-9]+/i, "");
    const token = RIG_TOKEN.exec(bare)?.[0];
    if (token === undefined) return bare;
    const after = bare.slice(token.length);
    // Only whole words: "rig_arm" and "rigRightArm" lose "rig", "RightArm" and "default" lose nothing.
    const next = after[0] ?? "";
    const startsWord = /^[A-Z][a-z]/.test(after) && /[a-z0-9]$/.test(token);
    if ((LETTER_OR_DIGIT.test(next) && !startsWord) || !LETTER_OR_DIGIT.test(after)) return bare;
    rest = after;
  }
}

/**
 * Key under which names of different tools compare: lower-case letters and digits, without namespaces and rig tokens.
 * `mixamorig:LeftArm`, `left_arm` and `Left Arm` are all `leftarm`.
 */
export function normalizeBoneName(name: string): string {
  return stripRigTokens(name).toLowerCase().replace(/[^a-z0-9]/g, "");
}
