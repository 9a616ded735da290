import type { FormatVersion } from "../version.js";
import type { JsonObject } from "./source.js";

/** The oldest format version that a JSON skeleton without a version text can be. Looks only at which keys are there. */
export function guessVersion(root: JsonObject): FormatVersion {
  if (Array.isArray(root["constraints"])) return 43;
  if (isObject(root["skins"])) return 37;
  const animations = values(root["animations"]);
  if (usesThreeEight(root, animations)) return 38;
  if (animations.some((animation) => isObject(animation["deform"]))) return 40;
  const bones = items(root["bones"]);
  if (Array.isArray(root["physics"]) || bones.some((bone) => bone["inherit"] !== undefined)) return 42;
  // Nothing tells the versions apart; without old containers the newest rules read everything.
  return ["ik", "transform", "path"].some((key) => Array.isArray(root[key])) ? 41 : 43;
}

function usesThreeEight(root: JsonObject, animations: readonly JsonObject[]): boolean {
  for (const key of ["ik", "transform", "path"]) {
    if (items(root[key]).some((constraint) => constraint["rotateMix"] !== undefined || constraint["translateMix"] !== undefined)) return true;
  }
  for (const animation of animations) {
    for (const slot of values(animation["slots"])) if (slot["color"] !== undefined || slot["twoColor"] !== undefined) return true;
    for (const bone of values(animation["bones"])) {
      for (const timeline of Object.keys(bone)) {
        for (const key of items(bone[timeline])) if (key["angle"] !== undefined || typeof key["curve"] === "number") return true;
      }
    }
  }
  return false;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects in an array, or nothing. */
function items(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The objects that are values of an object, or nothing. */
function values(value: unknown): JsonObject[] {
  return isObject(value) ? Object.values(value).filter(isObject) : [];
}
