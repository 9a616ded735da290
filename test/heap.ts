import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Runs a script that measures what its frames leave on the heap, and returns the JSON that it prints. It runs bundled and in a
 * process of its own, as an application does: the module loader of a test runner boxes numbers. The engine optimises on the same
 * thread there, so that a busy machine cannot leave a frame in its unoptimised, number-boxing form.
 */
export async function heapScript<T = Record<string, number>>(entry: URL, ...args: string[]): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "osteon-heap-"));
  try {
    const outfile = join(folder, "frames.mjs");
    await build({ entryPoints: [fileURLToPath(entry)], outfile, bundle: true, format: "esm", platform: "node", target: "node20", logLevel: "warning" });
    const flags = ["--expose-gc", "--no-concurrent-recompilation"];
    return JSON.parse(execFileSync(process.execPath, [...flags, outfile, ...args], { encoding: "utf8", cwd: fileURLToPath(new URL("../", import.meta.url)) })) as T;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
