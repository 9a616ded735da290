import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { ArgumentError, NameError } from "../../src/errors.js";
import { readPng } from "../../src/node/png.js";
import { readSkeleton } from "../../src/node/read-skeleton.js";
import { start } from "../../src/node/start.js";
import { parseArguments } from "../../src/node/start/arguments.js";
import { makeCast } from "../../src/node/start/cast.js";
import { serve } from "../../src/node/start/server.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "osteon-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the command line", () => {
  it("takes a file, an animation and a count in any order that makes sense", () => {
    expect(parseArguments([])).toMatchObject({ skeleton: null, animation: null, count: 5000, once: false, compare: true });
    expect(parseArguments(["--once", "a/hero.json", "run", "300"])).toMatchObject({ skeleton: "a/hero.json", animation: "run", count: 300, once: true });
    expect(parseArguments(["12", "hero.skel"])).toMatchObject({ skeleton: "hero.skel", animation: null, count: 12 });
    expect(parseArguments(["walk", "--no-compare", "--picture", "x.png", "--port", "0"])).toMatchObject({ animation: "walk", compare: false, picture: "x.png", port: 0 });
  });

  it("explains itself otherwise", () => {
    for (const words of [["--fast"], ["0"], ["1", "2"], ["a", "b"], ["--port"], ["--port", "99999"], ["--width", "20"], ["a.json", "b", "c"]]) {
      expect(() => parseArguments(words), words.join(" ")).toThrow(ArgumentError);
      expect(() => parseArguments(words), words.join(" ")).toThrow(/Usage/);
    }
  });
});

describe("the cast", () => {
  const { data } = readSkeleton(join(root, "examples/assets/fennel/fennel.json"), { textures: false });

  it("is the same every time, in painter's order, with all clips and both looks", () => {
    const cast = makeCast(data, 400, 800, 450, null);
    expect(makeCast(data, 400, 800, 450, null)).toEqual(cast);
    expect(cast.every((member, i) => i === 0 || member.y <= cast[i - 1]!.y)).toBe(true);
    expect(new Set(cast.map(({ animation }) => animation))).toEqual(new Set(["walk", "run", "idle", "wave", "jump"]));
    expect(new Set(cast.map(({ skin }) => skin))).toEqual(new Set(["ember", "frost"]));
    expect(cast.at(-1)!.scaleY).toBeGreaterThan(cast[0]!.scaleY);
  });

  it("plays what it is told, or says what there is", () => {
    expect(makeCast(data, 5, 800, 450, "jump").every(({ animation }) => animation === "jump")).toBe(true);
    expect(() => makeCast(data, 5, 800, 450, "swim")).toThrow(NameError);
    expect(() => makeCast(data, 5, 800, 450, "swim")).toThrow(/idle, walk/);
  });
});

describe("the server", () => {
  it("serves what is mounted and nothing else", async () => {
    writeFileSync(join(folder, "a.txt"), "inside");
    const { server, port } = await serve([{ prefix: "/files/", folder }], new Map([["/made.json", "{}"]]), 0);
    try {
      const get = (path: string, method = "GET") => fetch(`http://127.0.0.1:${port}${path}`, { method });
      const file = await get("/files/a.txt");
      expect([file.status, await file.text()]).toEqual([200, "inside"]);
      expect(file.headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(file.headers.get("cross-origin-embedder-policy")).toBe("require-corp");
      expect(await (await get("/made.json")).text()).toBe("{}");
      for (const path of ["/files/", "/files/b.txt", "/other", "/files/..%2f..%2f..%2fetc/passwd", "/files/%2e%2e/x", "/files/%00"]) {
        expect((await get(path)).status, path).toBe(404);
      }
      expect((await get("/files/a.txt", "POST")).status).toBe(405);
      expect((await get("/%E0%A4%A")).status).toBe(400);
      const second = await serve([], new Map(), port);
      expect(second.port).toBe(port + 1);
      second.server.close();
    } finally {
      server.close();
    }
  });
});

describe("npm start -- --once", () => {
  it("poses, compares and draws a small crowd", async () => {
    const lines: string[] = [];
    const log = vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
    const picture = join(folder, "crowd.png");
    try {
      expect(await start(["--once", "60", "--width", "480", "--picture", picture], root)).toBe(0);
    } finally {
      log.mockRestore();
    }
    const text = lines.join("\n");
    expect(text).toMatch(/posed 60 of them in [\d.]+ ms a frame/);
    expect(text).toMatch(/osteon is [\d.]+ times as fast/);
    // The comparison is of bones after the same calls: unequal poses would make the race worthless.
    expect(Number(/agree within ([\d.e+-]+) units/.exec(text)![1])).toBeLessThan(0.1);
    const { width, height, data } = readPng(picture);
    expect([width, height]).toEqual([480, 270]);
    const colors = new Set<number>();
    for (let i = 0; i < data.length; i += 4 * 7) colors.add((data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!);
    expect(colors.size).toBeGreaterThan(2000);
    // The same picture again, whatever the race did.
    const again = join(folder, "again.png");
    const silent = vi.spyOn(console, "log").mockImplementation(() => undefined);
    expect(await start(["--once", "60", "--no-compare", "--width", "480", "--picture", again], root)).toBe(0);
    silent.mockRestore();
    expect(Buffer.compare(readFileSync(picture), readFileSync(again))).toBe(0);
  });

  it("reports mistakes in one line and an exit code", async () => {
    const lines: string[] = [];
    const log = vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
    try {
      expect(await start(["--once", "nothing-here.json"], root)).toBe(1);
    } finally {
      log.mockRestore();
    }
    expect(lines.join()).toContain("nothing-here.json");
    expect(existsSync("nothing-here.json")).toBe(false);
  });
});
