import type { SkeletonData } from "../../data/skeleton-data.js";
import type { LoadReport } from "../report.js";
import { writeBinaryDocument } from "./binary-writer.js";
import { describeSkeleton } from "./describe.js";
import { writeJsonDocument } from "./json-writer.js";

/**
 * Skeleton data as the text of a 4.3 JSON file. Read again (at scale 1), it gives the same data to the last bit, as single
 * precision holds them.
 * @param options.pretty - break it into lines
 * @throws FormatError `cannot-write` for what the format cannot hold
 */
export function writeSkeletonJson(data: SkeletonData, options: { pretty?: boolean } = {}): string {
  return writeJsonDocument(describeSkeleton(data), options.pretty ?? false);
}

/**
 * Skeleton data as the bytes of a 4.3 binary file (.skel). Read again (at scale 1), it gives the same data to the last bit,
 * except that colour keys have eight bits per component.
 * @param options.report - takes notes on what the format cannot hold exactly
 * @throws FormatError `cannot-write` for what the format cannot hold at all: meshes of other triangle counts than those of a
 *   triangulated polygon, physics of no whole frame rate, a second root
 */
export function writeSkeletonBinary(data: SkeletonData, options: { report?: LoadReport } = {}): Uint8Array {
  return writeBinaryDocument(describeSkeleton(data), options.report);
}
