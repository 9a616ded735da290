import { execFileSync } from "node:child_process";

/** The kernels are built before the first test; an up-to-date build costs nothing. */
export default function setup(): void {
  execFileSync(process.execPath, ["scripts/build-wasm.mjs"], { stdio: "inherit" });
}
