import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const folder = resolve(dirname(fileURLToPath(import.meta.url)), "../../shared/data");

/**
 * Path of third-party test material that does not belong to the repository, or undefined where it is absent; then one
 * line says which tests are skipped.
 * @param path - below the data folder, "" for the folder itself
 */
export function sharedData(path: string, skipped: string): string | undefined {
  const full = join(folder, path);
  if (existsSync(full)) return full;
  console.log(`skipped: ${skipped} (third-party data "${path}" is not here)`);
  return undefined;
}
