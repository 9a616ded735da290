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
   * @throws FormatError with the JSON pointer of what is wrong: `bad-format`, `missing-reference`, `unsupported-version`,
   *   `limit-exceeded`, or `missing-region` once all regions were looked for
   */
  override readSkeletonData(json: string | object): SkeletonData {
    return this.build(readJsonDocument(json, this.file));
  }
}
