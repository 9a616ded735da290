import { AnimFormatError } from "../../anim/errors.js";

/** Numbers of an FBX array, widened; 64-bit integers become doubles. */
export type FbxArray = Float64Array | Float32Array | Int32Array | Uint8Array;

export type FbxValue = number | string | boolean | FbxArray;

/** A record of an FBX file: a name, values, and records inside it. */
export interface FbxNode {
  readonly name: string;
  readonly values: readonly FbxValue[];
  readonly children: readonly FbxNode[];
}

/** A file as records, before anything is made of it. */
export interface FbxTree {
  readonly version: number;
  readonly children: readonly FbxNode[];
}

/** First record of that name. */
export function childNamed(node: { readonly children: readonly FbxNode[] } | undefined, name: string): FbxNode | undefined {
  return node?.children.find((child) => child.name === name);
}

/** First value of the first record of that name as an array of numbers. */
export function arrayOf(node: FbxNode | undefined, name: string): FbxArray | undefined {
  const child = childNamed(node, name);
  const value = child?.values[0];
  if (typeof value === "object") return value;
  // Old ASCII files list the numbers as values of their own.
  if (typeof value === "number") return Float64Array.from(child!.values, (v) => (typeof v === "number" ? v : NaN));
  return undefined;
}

export function stringOf(node: FbxNode | undefined, name: string): string {
  const value = childNamed(node, name)?.values[0];
  return typeof value === "string" ? value : "";
}

/** Names look like `Model::Hips` in text and `Hips<0><1>Model` in binary files; returns `Hips`. Namespaces stay. */
export function plainName(value: FbxValue | undefined): string {
  if (typeof value !== "string") return "";
  const binary = value.indexOf("\u0000\u0001");
  if (binary >= 0) return value.slice(0, binary);
  const text = value.indexOf("::");
  return text >= 0 ? value.slice(text + 2) : value;
}

/** An error of FBX content that has no byte offset any more. */
export function contentError(file: string | undefined, problem: string): AnimFormatError {
  return new AnimFormatError(`${file === undefined ? "FBX" : file}: ${problem}.`, { file });
}
