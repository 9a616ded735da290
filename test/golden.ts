import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** A golden file of test/golden, parsed; `.json.gz` is unpacked. */
export function golden<T>(name: string): T {
  const bytes = readFileSync(new URL(`golden/${name}`, import.meta.url));
  return JSON.parse((name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8")) as T;
}
