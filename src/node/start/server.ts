import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".json": "application/json",
  ".map": "application/json", ".png": "image/png", ".atlas": "text/plain; charset=utf-8", ".skel": "application/octet-stream", ".wasm": "application/wasm",
  ".svg": "image/svg+xml", ".jpg": "image/jpeg", ".glb": "model/gltf-binary",
};

/** Where requests lead: a folder for a path prefix, longest prefix first. */
export interface Mount {
  /** Begins and ends with a slash. */
  readonly prefix: string;
  readonly folder: string;
}

/**
 * Serves folders and a few made-up files on this machine only, with the headers that let a page use shared memory.
 * @param made - contents by path, for what is no file
 * @param port - 0 picks a free one; a taken one is answered with the next free one
 * @param isolated - whether pages may share memory between threads (cross-origin isolation)
 */
export function serve(mounts: readonly Mount[], made: ReadonlyMap<string, string>, port: number, isolated = true): Promise<{ server: Server; port: number }> {
  const ordered = mounts.toSorted((a, b) => b.prefix.length - a.prefix.length);
  const server = createServer((request, response) => {
    if (isolated) {
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    }
    response.setHeader("Cache-Control", "no-cache");
    if (request.method !== "GET" && request.method !== "HEAD") return end(response, 405, "Only GET is answered here.");
    let path: string;
    try {
      path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    } catch {
      return end(response, 400, "The address cannot be decoded.");
    }
    const text = made.get(path);
    if (text !== undefined) {
      response.setHeader("Content-Type", TYPES[extname(path)] ?? "text/html; charset=utf-8");
      return end(response, 200, text);
    }
    const file = resolveFile(ordered, path);
    if (file === null) return end(response, 404, `There is no ${path} here.`);
    if (file === FOLDER) {
      response.setHeader("Location", `${path.slice(path.lastIndexOf("/") + 1)}/`);
      return end(response, 301, `It is at ${path}/.`);
    }
    response.setHeader("Content-Type", TYPES[extname(file).toLowerCase()] ?? "application/octet-stream");
    response.setHeader("Content-Length", statSync(file).size);
    if (request.method === "HEAD") return void response.end();
    createReadStream(file).on("error", () => response.destroy()).pipe(response);
  });
  return new Promise((resolve, reject) => {
    let next = port;
    server.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" && next < port + 20) server.listen(++next, "127.0.0.1");
      else reject(error);
    });
    server.on("listening", () => {
      const address = server.address();
      resolve({ server, port: typeof address === "object" && address !== null ? address.port : next });
    });
    server.listen(next, "127.0.0.1");
  });
}

/** Stands for a folder with a page in it that was asked for without the slash at the end. */
const FOLDER = "/";

/** The file for a path (a folder stands for its index.html), or null if there is none or the path leads out of its folder. */
function resolveFile(mounts: readonly Mount[], path: string): string | null {
  for (const { prefix, folder } of mounts) {
    if (!path.startsWith(prefix)) continue;
    const inside = normalize(path.slice(prefix.length));
    if (inside === ".." || inside.startsWith(`..${sep}`) || inside.includes("\0")) return null;
    const file = join(folder, inside);
    if (!existsSync(file)) continue;
    if (statSync(file).isFile()) return file;
    const index = join(file, "index.html");
    if (existsSync(index)) return path.endsWith("/") ? index : FOLDER;
  }
  return null;
}

function end(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.end(text);
}
