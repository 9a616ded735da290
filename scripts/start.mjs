/** `npm start`: builds what is missing, then runs the program in src/node/start.ts. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const program = resolve(root, "dist/node/start.js");
if (!existsSync(program)) execFileSync(process.execPath, [resolve(root, "scripts/build.mjs"), "--no-types"], { stdio: "inherit", cwd: root });

const { start } = await import(pathToFileURL(program).href);
const code = await start(process.argv.slice(2), root);
if (code !== null) process.exit(code);
