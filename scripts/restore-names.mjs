/**
 * Bundling makes `var Bone = class _Bone` of a class that names itself; then `bone.constructor.name` would not be "Bone". Inside the
 * class both names mean the same.
 * @param {string} text - a module made by esbuild
 * @returns {string}
 */
export function restoreNames(text) {
  for (const [, name] of text.matchAll(/^var (\w+) = class _\1\b/gm)) text = text.replace(new RegExp(`(?<![.\\w$#])_${name}(?![\\w$])`, "g"), name);
  return text;
}
