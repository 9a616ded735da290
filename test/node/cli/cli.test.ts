import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../../src/node/cli/main.js";
import { parseWords } from "../../../src/node/cli/command.js";
import { readBinaryDocument } from "../../../src/spine/load/binary/reader.js";
import { readJsonDocument } from "../../../src/spine/load/json/reader.js";
import { heap } from "../../../src/wasm/index.js";
import { exportFiles } from "../../spine/load/export-files.js";
import { OLD } from "../../spine/load/worked-examples.js";

const fennel = "examples/assets/fennel/fennel.json";
let folder: string;

async function osteon(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [], err: string[] = [];
  const code = await main(words, { out: (text) => out.push(text), err: (text) => err.push(text) });
  return { code, out: out.join("\n"), err: err.join("\n") };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "osteon-cli-"));
  cpSync(fennel, join(folder, "fennel.json"));
  cpSync(fennel.replace("json", "atlas"), join(folder, "fennel.atlas"));
  writeFileSync(join(folder, "old.json"), JSON.stringify(OLD));
  writeFileSync(join(folder, "broken.json"), '{"bones": [{"name": "a", "parent": "b"}]}');
  writeFileSync(join(folder, "smooth.atlas"), "p.png\nsize: 8, 8\nfilter: Smooth, Smooth\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("osteon", () => {
  it("lists its commands, and helps with each", async () => {
    const { code, out } = await osteon("--help");
    expect(code).toBe(0);
    for (const name of ["inspect", "convert", "validate"]) {
      expect(out).toContain(name);
      const help = await osteon(name, "--help");
      expect([help.code, help.err]).toEqual([0, ""]);
      expect(help.out).toContain(`Usage: osteon ${name} `);
      expect(help.out).toContain("Exit code 0");
      expect((await osteon("help", name)).out).toBe(help.out);
    }
    expect((await osteon()).code).toBe(2);
    expect((await osteon("--version")).out).toBe((JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version);
  });

  it.each([
    [["inspct", "a"], /no command 'inspct'. Did you mean 'inspect'/],
    [["inspect"], /takes one file or folder, 0 were given/],
    [["inspect", "a.json", "--deep"], /--deep is not an option/],
    [["inspect", "a.json", "--atlas"], /--atlas needs a value/],
    [["inspect", "a.json", "--json=yes"], /--json takes no value/],
    [["convert", "a.json"], /takes two files, 1 was given/],
    [["convert", "a.json", "b.txt"], /neither \.json nor \.skel/],
    [["validate"], /at least one file/],
  ])("refuses %j with exit code 2 and the usage", async (words, message) => {
    const { code, out, err } = await osteon(...words);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
    expect(err).toContain("Usage: osteon");
    expect(err).not.toContain("    at ");
  });

  it.each([
    [["inspect", "nowhere.json"], /'nowhere\.json' cannot be read: there is no such file\.$/],
    [["inspect", "no/where.json"], /cannot be read: there is no folder 'no'\.$/],
    [["inspect", "examples/assets/fennel/fenel.json"], /there is no such file\. Did you mean 'fennel\.json'/],
    [["inspect", "examples/assets"], /has no \.json or \.skel file\. Name one of its folders: 'fennel'\.$/],
    [["validate", "docs"], /'docs' has no skeleton .* and no atlas/],
    [["convert", fennel, "no/where.skel"], /'no\/where\.skel' cannot be written: there is no folder 'no'\.$/],
    [["convert", fennel, "examples/assets/fennel"], /neither \.json nor \.skel/, 2],
    [["inspect", "src"], /The folder 'src' has no \.json or \.skel file/],
    [["convert", "examples", "b.skel"], /it is a folder/],
    [["inspect", "examples/assets/fennel/fennel.png"], /is a PNG image\. Expected a skeleton/],
    [["inspect", "examples/assets/fennel/fennel.atlas"], /is an atlas, which 'osteon validate' checks/],
    [["convert", "package.json", "b.skel"], /'package\.json' has no bones, so it is no skeleton/],
    [["inspect", "package.json"], /'package\.json' has no bones/],
    [["convert", "nowhere.json", "b.skel"], /cannot be read/],
  ])("fails for %j with exit code 1 and no stack trace", async (words, message, exit = 1) => {
    const { code, err } = await osteon(...words);
    expect(code).toBe(exit);
    expect(err).toMatch(message);
    expect(err.split("\n").length).toBe(exit);
  });

  it("says of an empty file, of text and of an atlas without regions what they are", async () => {
    const files = { "empty.skel": "", "text.json": "hello", "none.atlas": "garbage: yes\n" };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const { code, err } = await osteon("validate", ...Object.keys(files).map((name) => join(folder, name)));
    expect(code).toBe(1);
    expect(err).toMatch(/empty\.skel' is empty\./);
    expect(err).toMatch(/text\.json' is not a JSON object: it begins with "hello"\./);
    expect(err).toMatch(/none\.atlas: the atlas has no regions\./);
    for (const name of Object.keys(files)) rmSync(join(folder, name));
  });

  it("inspects every skeleton of a folder, once where both formats are there", async () => {
    const place = mkdtempSync(join(tmpdir(), "osteon-folder-"));
    cpSync(fennel, join(place, "fennel.json"));
    cpSync(fennel.replace("json", "atlas"), join(place, "fennel.atlas"));
    cpSync(fennel, join(place, "fennel-b.json"));
    expect((await osteon("convert", fennel, join(place, "fennel.skel"))).code).toBe(0);
    const { code, out } = await osteon("inspect", place);
    expect(code).toBe(0);
    expect(out).toMatch(/^fennel-b\.json  Spine/);
    expect(out).toMatch(/\nfennel\.json \(also as fennel\.skel\)  Spine/);
    expect(out.split("Animations").length).toBe(3);
    expect((JSON.parse((await osteon("inspect", place, "--json")).out) as unknown[]).length).toBe(2);
    // Other tools' JSON is passed over; a bad skeleton is named and keeps nobody from being shown.
    writeFileSync(join(place, "package.json"), "{}");
    writeFileSync(join(place, "a-broken.json"), '{"bones": [{"name": "a", "parent": "b"}]}');
    const mixed = await osteon("inspect", place);
    expect([mixed.code, mixed.out]).toEqual([1, out]);
    expect(mixed.err).toMatch(/^osteon: a-broken\.json: .*\/bones\/0\/parent/);
    const all = await osteon("validate", place);
    expect(all.code).toBe(1);
    expect(all.out).toContain("4 of 5 files are good.");
    expect(all.err).toContain(`FAIL  ${join(place, "a-broken.json")}`);
    rmSync(place, { recursive: true });
  });

  it("sorts words", () => {
    const given = parseWords(["a", "--x", "--y=1", "--y", "2", "--", "--z"], { "--x": "flag", "--y": "value" });
    expect([given.files, [...given.flags], [...given.values]]).toEqual([["a", "--z"], ["--x"], [["--y", "2"]]]);
  });
});

describe("osteon inspect", () => {
  it("tells about the built-in character", async () => {
    const used = heap.usedBytes;
    const { code, out, err } = await osteon("inspect", fennel);
    expect([code, err]).toEqual([0, ""]);
    const { document } = readJsonDocument(readFileSync(fennel, "utf8"));
    expect(out).toContain(`${document.bones.length} bones`);
    for (const { name } of [...document.skins, ...document.animations, ...document.constraints, ...document.events]) expect(out).toContain(name);
    expect(out).toMatch(/walk +0\.93 s +\d+ timelines +\d+ keys +footstep x2/);
    expect(out).toMatch(/fennel\.png +1024 x 1024 +\d+ regions/);
    expect(out).toMatch(/Memory once compiled: [\d.]+ kB shared, [\d.]+ kB more for each skeleton/);
    expect(out).not.toContain("Notes");
    // What the first skeletons of a program make and keep is small; the character itself is given back.
    expect(heap.usedBytes - used).toBeLessThan(100_000);
    const again = heap.usedBytes;
    await osteon("inspect", fennel);
    expect(heap.usedBytes).toBe(again);
  });

  it("prints JSON for programs", async () => {
    const { out } = await osteon("inspect", fennel, "--json");
    const summary = JSON.parse(out) as Record<string, any>;
    expect(summary).toMatchObject({ format: "json", readAs: "4.3", bones: { count: 54 }, warnings: [] });
    expect(summary["animations"].find((a: { name: string }) => a.name === "walk").events).toEqual({ footstep: 2 });
    expect(summary["memory"].sharedBytes).toBeGreaterThan(summary["memory"].skeletonBytes);
  });

  it("warns about upgrades and a missing atlas", async () => {
    cpSync(join(folder, "old.json"), join(folder, "sub-old.json"));
    const { code, out } = await osteon("inspect", join(folder, "old.json"), "--atlas", join(folder, "fennel.atlas"));
    expect(code).toBe(0);
    expect(out).toMatch(/Spine 3\.8\.99/);
    expect(out).toContain("Read as 3.8 and upgraded to 4.3");
  });

  const files = exportFiles("inspecting real files");
  it.skipIf(files.length === 0)("says something about each example", async () => {
    for (const file of files.filter((f) => f.version === "4.3")) {
      const { code, out, err } = await osteon("inspect", file.path);
      expect([code, err], file.name).toEqual([0, ""]);
      expect(out.split("\n").length).toBeGreaterThan(8);
      expect(out, file.name).not.toMatch(/undefined|NaN|\[object/);
    }
  });
});

describe("osteon convert", () => {
  it("upgrades to either format, and both say the same", async () => {
    const [json, skel] = [join(folder, "new.json"), join(folder, "new.skel")];
    const first = await osteon("convert", join(folder, "old.json"), json, "--pretty");
    expect([first.code, first.out]).toEqual([0, expect.stringContaining("(Spine 3.8.99) -> ")]);
    expect((await osteon("convert", join(folder, "old.json"), skel)).code).toBe(0);
    expect(readFileSync(json, "utf8").split("\n").length).toBeGreaterThan(20);
    const fromJson = readJsonDocument(readFileSync(json, "utf8")), fromBinary = readBinaryDocument(new Uint8Array(readFileSync(skel)));
    expect([fromJson.report.readAs, fromBinary.report.readAs]).toEqual(["4.3", "4.3"]);
    expect(fromBinary.document.animations.map((a) => a.timelines.length)).toEqual(fromJson.document.animations.map((a) => a.timelines.length));
    // And back again, without losing a bit.
    const back = join(folder, "back.json");
    await osteon("convert", skel, back);
    const again = join(folder, "again.skel");
    await osteon("convert", back, again);
    expect(Buffer.compare(readFileSync(again).subarray(8), readFileSync(skel).subarray(8))).toBe(0);
  });

  it("says what the upgrade could not keep", async () => {
    writeFileSync(join(folder, "local.json"), JSON.stringify({ ...OLD, transform: [{ ...OLD.transform[0], local: true, scaleMix: 1 }] }));
    const { code, err } = await osteon("convert", join(folder, "local.json"), join(folder, "local.skel"));
    expect(code).toBe(0);
    expect(err).toContain("note: Transform constraint 'copy': local, absolute scale");
  });

  it("does not write onto its input", async () => {
    const path = join(folder, "fennel.json");
    const before = readFileSync(path, "utf8");
    expect((await osteon("convert", path, path)).code).toBe(2);
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("fails where the target cannot be written or cannot hold the skeleton", async () => {
    expect((await osteon("convert", fennel, join(folder, "no", "where.json"))).err).toMatch(/cannot be written/);
    writeFileSync(join(folder, "two-roots.json"), JSON.stringify({ bones: [{ name: "a" }, { name: "b" }] }));
    const { code, err } = await osteon("convert", join(folder, "two-roots.json"), join(folder, "two-roots.skel"));
    expect(code).toBe(1);
    expect(err).toMatch(/bone 'b' without a parent/);
  });
});

describe("osteon validate", () => {
  it("passes good files with exit code 0", async () => {
    const { code, out, err } = await osteon("validate", fennel, fennel.replace("json", "atlas"));
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("ok    examples/assets/fennel/fennel.json (4.3 JSON)");
    expect(out).toContain("2 of 2 files are good.");
    expect((await osteon("validate", fennel, "--quiet")).out).toBe("");
  });

  it("names file and place of what is wrong, with exit code 1", async () => {
    const broken = join(folder, "broken.json"), atlas = join(folder, "smooth.atlas");
    const { code, out, err } = await osteon("validate", broken, fennel, atlas);
    expect(code).toBe(1);
    expect(err).toContain(`FAIL  ${broken}`);
    expect(err).toContain("/bones/0/parent: there is no earlier bone 'b'");
    expect(err).toContain(`FAIL  ${atlas}`);
    expect(err).toContain("line 3");
    expect(out).toContain("1 of 3 files are good.");
    const [first] = JSON.parse((await osteon("validate", broken, "--json")).out) as [{ ok: boolean; error: { code: string; pointer: string } }];
    expect([first.ok, first.error.code, first.error.pointer]).toEqual([false, "missing-reference", "/bones/0/parent"]);
  });

  it("finds regions that the atlas lacks", async () => {
    writeFileSync(join(folder, "other.atlas"), "p.png\nsize: 8, 8\nhead\nbounds: 0, 0, 4, 4\n");
    const { code, err } = await osteon("validate", fennel, "--atlas", join(folder, "other.atlas"));
    expect(code).toBe(1);
    expect(err).toMatch(/The atlas lacks \d+ regions that \d+ attachments show:/);
    // Some lines, however much is missing.
    expect(err).toMatch(/\n +… and \d+ more\.\n/);
    expect(err.split("\n").length).toBeLessThan(14);
    const { out } = await osteon("inspect", fennel, "--atlas", join(folder, "other.atlas"));
    expect(out.slice(out.indexOf("Notes")).split("\n").length).toBeLessThan(9);
    expect(out).toMatch(/… and \d+ more of this kind; --json has them all\.$/);
    expect((JSON.parse((await osteon("inspect", fennel, "--atlas", join(folder, "other.atlas"), "--json")).out) as { warnings: string[] }).warnings.length).toBeGreaterThan(40);
  });

  it("takes notes for errors with --strict", async () => {
    const file = join(folder, "twins.json");
    writeFileSync(file, JSON.stringify({ bones: [{ name: "r" }, { name: "r", parent: "r" }] }));
    expect((await osteon("validate", file)).code).toBe(0);
    expect((await osteon("validate", file, "--strict")).code).toBe(1);
  });
});
