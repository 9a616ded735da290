import { ArgumentError } from "../../errors.js";
import type { SkeletonData } from "../data/skeleton-data.js";
import { readJsonDocument } from "./json/reader.js";
import { SkeletonLoader } from "./skeleton-loader.js";

/**
 * Loads skeletons in JSON, exported by Spine 3.7 to 4.3. Older data are upgraded to the 4.3 model; `report` says what could
 * not be kept exactly.
 */
export class SkeletonJson extends SkeletonLoader {
  /**
   * @param json - text of the file, or the parsed object, which is not changed
   * @throws ArgumentError for anything else, bytes and promises too
   * @throws FormatError with the JSON pointer of what is wrong: `bad-format`, `missing-reference`, `unsupported-version`,
   *   `limit-exceeded`, or `missing-region` once all regions were looked for
   */
  override readSkeletonData(json: string | object): SkeletonData {
    if (typeof json === "object" && json !== null) {
      if (typeof (json as { then?: unknown }).then === "function") throw new ArgumentError("Skeleton data is a Promise, expected the text or the object of a JSON export. Await it first.", { found: json });
      if (ArrayBuffer.isView(json) || json instanceof ArrayBuffer) {
        throw new ArgumentError("Skeleton data is bytes, expected the text or the object of a JSON export. Read the file as text, or load a .skel file with SkeletonBinary.", { found: json });
      }
    }
    return this.build(readJsonDocument(json, this.file));
  }
}
