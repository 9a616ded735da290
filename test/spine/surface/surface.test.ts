import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as official from "@esotericsoftware/spine-core";
import { describe, expect, it } from "vitest";
import * as spine from "../../../src/spine/index.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const read = (name: string): any => JSON.parse(readFileSync(join(root, "test/golden", name), "utf8"));
/** Exports (kind, base, mark) and members ("s:" static, "()" method, mark) of the official core. */
const names = read("official-names.json") as { exports: Record<string, [string, string, string]>; members: Record<string, string[]> };
/** Classes of the API reference. */
const reference = read("reference-names.json") as Record<string, { properties: string[]; methods: string[]; constructors: string[]; values: string[] }>;
const ours = spine as unknown as Record<string, any>;
const theirs = official as unknown as Record<string, any>;

/**
 * Steps that the official classes go through inside, and that osteon takes in kernels or in other places. Nothing outside the
 * official core calls them.
 */
const INNER: Record<string, string> = {
  AnimationState:
    "applyMixingFrom applyAttachmentTimeline applyRotateTimeline computeHold",
  IkConstraintData: "_scaleYMode",
  SkeletonJson: "readAttachment readSequence readVertices readAnimation",
  SlotPose: "SlotPose",
};

describe("names of the official core", () => {
  it("exports everything that it exports, as the same kind of thing", () => {
    const wrong: string[] = [];
    for (const [name, value] of Object.entries(theirs)) {
      if (!(name in ours)) wrong.push(`${name} is missing`);
      else if (typeof ours[name] !== typeof value) wrong.push(`${name} is a ${typeof ours[name]}, expected a ${typeof value}`);
    }
    expect(wrong).toEqual([]);
  });

  it("has every enum key with its number, and numbers map back to the official spelling", () => {
    const wrong: string[] = [];
    for (const [name, value] of Object.entries(theirs)) {
      if (typeof value !== "object" || Array.isArray(value) || value === null) continue;
      for (const [key, number] of Object.entries(value)) if (ours[name]?.[key] !== number) wrong.push(`${name}.${key}: ${ours[name]?.[key]}, expected ${String(number)}`);
    }
    expect(wrong).toEqual([]);
  });

  it("has the values of constants", () => {
    for (const [name, value] of Object.entries(theirs)) if (typeof value === "number") expect(ours[name], name).toBe(value);
    expect(spine.SequenceModeValues).toEqual([...official.SequenceModeValues]);
    for (const key of Object.keys(official.RegionAttachment)) {
      if (/^[XYCUV][1-4]/.test(key)) expect((spine.RegionAttachment as any)[key], key).toBe((official.RegionAttachment as any)[key]);
    }
  });

  it("derives classes from the same bases", () => {
    const wrong: string[] = [];
    for (const [name, [, base]] of Object.entries(names.exports)) {
      if (base === "" || typeof ours[name] !== "function") continue;
      if (!(ours[name].prototype instanceof ours[base])) wrong.push(`${name} does not derive from ${base}`);
    }
    expect(wrong).toEqual([]);
  });

  it("takes as many constructor arguments where the number tells overloads apart", () => {
    for (const name of ["MeshAttachment", "RegionAttachment", "PointAttachment", "SkinEntry"]) expect(ours[name].length, name).toBeLessThanOrEqual(3);
  });
});

describe("members, by the type checker", () => {
  it("has every member of the official core and of the API reference, methods as methods", () => {
    const lines = [
      'import * as spine from "../../src/spine/index.js";',
      "type IsMethod<T> = T extends (...args: any[]) => unknown ? true : never;",
      "type Has<T> = [T] extends [never] ? never : true;",
    ];
    const about: string[] = [];
    const check = (type: string, name: string, isStatic: boolean, isMethod: boolean, source: string): void => {
      const access = isStatic ? `(typeof spine.${type})["${name}"]` : `spine.${GENERIC[type] ?? type}["${name}"]`;
      about[lines.length] = `${source}: ${type}.${name}${isMethod ? "()" : ""}`;
      lines.push(`export const check${lines.length}: ${isMethod ? "IsMethod" : "Has"}<${access}> = true;`);
    };
    for (const [type, members] of Object.entries(names.members)) {
      const inner = (INNER[type] ?? "").split(" ");
      for (const member of members) {
        const [word, mark] = member.split(" ") as [string, string];
        const name = word.replace(/^s:|\(\)$/g, "");
        // Marked I: inner parts that nobody outside touches. Protected members cannot be named from here.
        if (mark === "I" || inner.includes(name) || name === "_image" || name === "applyInternal" || name === "apply1") continue;
        check(type, name, word.startsWith("s:"), word.endsWith("()"), "official");
      }
    }
    for (const [type, { properties, methods }] of Object.entries(reference)) {
      for (const property of properties) check(type, property.replace(/^s:|=.*$/g, ""), property.startsWith("s:"), false, "reference");
      for (const method of methods) check(type, method.replace(/^s:/, ""), method.startsWith("s:"), true, "reference");
    }
    expect(lines.length).toBeGreaterThan(1200);

    const folder = join(root, "test/output");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "surface.ts"), lines.join("\n"));
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: "../../tsconfig.json", include: ["surface.ts"], exclude: [] }));
    let report = "";
    try {
      execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", join(folder, "tsconfig.json")], { encoding: "utf8" });
    } catch (error) {
      report = (error as { stdout: string }).stdout;
    }
    const missing = report.split("\n").flatMap((line) => {
      const at = /surface\.ts\((\d+),/.exec(line);
      return at === null ? [] : [`${about[Number(at[1]) - 1]}: ${line.slice(line.indexOf("error"))}`];
    });
    expect(missing).toEqual([]);
  });
});

/** Types with parameters. */
const GENERIC: Record<string, string> = { Pool: "Pool<object>", StringMap: "StringMap<object>", ArrayLike: "ArrayLike<object>" };

describe("names of the API reference", () => {
  it("has every class at run time", () => {
    const interfaces = new Set([
      "AnimationStateListener", "AttachmentLoader", "BoneTimeline", "ConstraintTimeline", "HasSequence", "Pose", "SlotTimeline", "TextureLoader", "Update",
    ]);
    for (const name of Object.keys(reference)) if (!interfaces.has(name)) expect(ours[name], name).toBeDefined();
  });

  it("has every enum value in the spelling of the reference", () => {
    for (const [name, { values }] of Object.entries(reference)) for (const value of values) expect(typeof ours[name]?.[value], `${name}.${value}`).toBe("number");
    expect(spine.Inherit.normal).toBe(spine.Inherit.Normal);
    expect(spine.BlendMode[0]).toBe("Normal");
  });

  it("has the constants with their values", () => {
    for (const [name, { properties }] of Object.entries(reference)) {
      for (const property of properties) {
        const constant = /^s:(\w+)=(-?\d+)$/.exec(property);
        if (constant !== null) expect(ours[name][constant[1]!], `${name}.${constant[1]}`).toBe(Number(constant[2]));
      }
    }
  });
});
