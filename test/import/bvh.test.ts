import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AnimArgumentError, AnimFormatError } from "../../src/anim/errors.js";
import { AnimClip } from "../../src/anim/rig/clip.js";
import { AnimPose } from "../../src/anim/rig/pose.js";
import { exportBvh, importBvh, parseBvh } from "../../src/import/bvh/index.js";
import { sharedData } from "../shared-data.js";
import { smallBvh } from "./small-bvh.js";

const SMALL = smallBvh("0 1 0 90 0 0 0 0 0", "1 1 2 90 0 0 0 90 0");

/** Forward kinematics written for this test alone: double precision, 4×4 rows, straight from the words of the file. */
function kinematics(text: string): { names: string[]; frames: number; frameTime: number; worlds: (frame: number) => number[][] } {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const joints: { name: string; parent: number; offset: number[]; channels: string[] }[] = [];
  const open: number[] = [];
  let w = 0;
  while (words[w]!.toUpperCase() !== "MOTION") {
    const word = words[w]!.toUpperCase();
    if (word === "ROOT" || word === "JOINT") {
      joints.push({ name: words[++w]!, parent: open.length > 0 ? open[open.length - 1]! : -1, offset: [], channels: [] });
      open.push(joints.length - 1);
    } else if (word === "END") {
      joints.push({ name: `${joints[open[open.length - 1]!]!.name}_end`, parent: open[open.length - 1]!, offset: [], channels: [] });
      open.push(joints.length - 1);
      w++;
    } else if (word === "OFFSET") {
      joints[open[open.length - 1]!]!.offset = [1, 2, 3].map((k) => Number(words[w + k]));
      w += 3;
    } else if (word === "CHANNELS") {
      const count = Number(words[++w]);
      joints[open[open.length - 1]!]!.channels = words.slice(w + 1, w + 1 + count);
      w += count;
    } else if (word === "}") open.pop();
    w++;
  }
  const frames = Number(words[w + 2]);
  const frameTime = Number(words[w + 5]);
  const numbers = words.slice(w + 6).map(Number);
  const stride = joints.reduce((sum, joint) => sum + joint.channels.length, 0);
  const multiply = (a: number[], b: number[]): number[] => {
    const out: number[] = [];
    for (let r = 0; r < 4; r++) for (let c = 0; c < 4; c++) out.push(a[r * 4]! * b[c]! + a[r * 4 + 1]! * b[4 + c]! + a[r * 4 + 2]! * b[8 + c]! + a[r * 4 + 3]! * b[12 + c]!);
    return out;
  };
  const turn = (axis: string, degrees: number): number[] => {
    const s = Math.sin((degrees * Math.PI) / 180), c = Math.cos((degrees * Math.PI) / 180);
    if (axis === "X") return [1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0, 0, 0, 0, 1];
    if (axis === "Y") return [c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0, 0, 0, 0, 1];
    return [c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  };
  const worlds = (frame: number): number[][] => {
    let at = frame * stride;
    const out: number[][] = [];
    for (const joint of joints) {
      const place = [...joint.offset];
      let rotation = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
      for (const channel of joint.channels) {
        const axis = channel[0]!.toUpperCase();
        const value = numbers[at++]!;
        if (channel.slice(1).toLowerCase() === "position") place["XYZ".indexOf(axis)] = value;
        else rotation = multiply(rotation, turn(axis, value));
      }
      const local = [...rotation];
      [local[3], local[7], local[11]] = place as [number, number, number];
      out.push(joint.parent < 0 ? local : multiply(out[joint.parent]!, local));
    }
    return out;
  };
  return { names: joints.map((joint) => joint.name), frames, frameTime, worlds };
}

const root = sharedData("bvh", "BVH motion capture");
const files = root === undefined ? [] : readdirSync(root, { recursive: true }).map(String).filter((name) => name.endsWith(".bvh")).sort();

describe.skipIf(root === undefined)("BVH motion capture", () => {
  test("all fifteen files are there", () => expect(files.length).toBe(15));

  test.each(files)("%s matches an independent forward kinematics", (name) => {
    const text = readFileSync(join(root!, name), "utf8");
    const reference = kinematics(text);
    const { skeleton, clip } = importBvh(text, { file: name });
    expect(skeleton.getBoneCount()).toBe(reference.names.length);
    expect(clip.getLoop()).toBe(false);
    expect(clip.getDuration()).toBeCloseTo((reference.frames - 1) * reference.frameTime, 5);
    const pose = new AnimPose(skeleton.getBoneCount());
    let size = 1;
    for (const world of reference.worlds(0)) size = Math.max(size, Math.abs(world[3]!), Math.abs(world[7]!), Math.abs(world[11]!));
    for (let frame = 0; frame < reference.frames; frame += Math.max(1, Math.floor(reference.frames / 97))) {
      // The key's own time as it is stored, so that no interpolation is involved.
      clip.sample(Math.fround(frame * reference.frameTime), pose, skeleton);
      pose.computeWorld(skeleton);
      reference.worlds(frame).forEach((world, bone) => {
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 4; c++) {
            const got = pose.getWorldMatrixElement(bone, c * 4 + r);
            // Some thirty chained single-precision products: 30 × 2^-23, times the size of the figure for positions.
            const tolerance = c === 3 ? 4e-6 * size + 1e-6 : 1e-5;
            if (!(Math.abs(got - world[r * 4 + c]!) <= tolerance)) expect.fail(`${name}, frame ${frame}, ${reference.names[bone]}: element ${r},${c} is ${got}, expected ${world[r * 4 + c]}`);
          }
        }
      });
    }
  });

  test.each(["cmu/jumping_jacks.bvh", "pybvh/bvh_test2.bvh"])("%s survives export and import in every order", (name) => {
    const { skeleton, clip } = importBvh(readFileSync(join(root!, name), "utf8"), { file: name, endSites: false });
    for (const order of ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"] as const) {
      const again = importBvh(exportBvh(skeleton, clip, { order }), { endSites: false });
      const a = new AnimPose(skeleton.getBoneCount()), b = new AnimPose(skeleton.getBoneCount());
      for (let i = 0; i <= 10; i++) {
        const time = (clip.getDuration() * i) / 10;
        clip.sample(time, a, skeleton);
        again.clip.sample(Math.min(time, again.clip.getDuration()), b, again.skeleton);
        a.computeWorld(skeleton);
        b.computeWorld(again.skeleton);
        for (let bone = 0; bone < skeleton.getBoneCount(); bone++) {
          expect(b.getWorldPositionX(bone)).toBeCloseTo(a.getWorldPositionX(bone), 2);
          expect(b.getWorldPositionY(bone)).toBeCloseTo(a.getWorldPositionY(bone), 2);
          expect(b.getWorldPositionZ(bone)).toBeCloseTo(a.getWorldPositionZ(bone), 2);
        }
      }
    }
  });
});

describe("exportBvh", () => {
  test("gives back end sites as end sites, and the last frame of a loop as it is", () => {
    const first = importBvh(SMALL);
    first.clip.setLoop(true);
    const text = exportBvh(first.skeleton, first.clip), again = importBvh(text);
    const bones = ({ skeleton }: typeof first): unknown[] => Array.from({ length: skeleton.getBoneCount() }, (_, b) =>
      [skeleton.getBoneName(b), skeleton.getParent(b), skeleton.getBindPositionX(b), skeleton.getBindPositionY(b), skeleton.getBindPositionZ(b)]);
    expect(bones(again)).toEqual(bones(first));
    const a = new AnimPose(), b = new AnimPose();
    first.clip.setLoop(false);
    first.clip.sample(first.clip.getDuration(), a, first.skeleton);
    again.clip.sample(again.clip.getDuration(), b, again.skeleton);
    expect(b.getLocalPositionX(0)).toBeCloseTo(a.getLocalPositionX(0), 6);
    expect(b.getLocalRotationZ(1)).toBeCloseTo(a.getLocalRotationZ(1), 6);
    // One with keys is a joint, whatever its name.
    first.clip.addRotationKey(first.skeleton.findBone("Spine_end"), 0, 1, 0, 0, 1);
    expect(exportBvh(first.skeleton, first.clip)).toContain("JOINT Spine_end");
  });

  test("keeps rotations exact in every order, also where the outer axes coincide", () => {
    const { skeleton } = importBvh(SMALL), half = Math.SQRT1_2;
    for (const order of ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"] as const) {
      for (let n = 0; n < 60; n++) {
        // Quarter turns about an axis, alone and after another turn; then anything.
        const axis = n % 3, sign = n % 2 === 0 ? 1 : -1, q = [0, 0, 0, half], p = [0.3 * (n % 4), 0, 0, 1], clip = new AnimClip();
        q[axis] = sign * half * (1 + (n > 40 ? 0.01 * n : n * 1e-9));
        const [a, b, c, d] = q as [number, number, number, number], [x, y, z, w] = [p[(axis + 1) % 3]!, p[(axis + 2) % 3]!, p[axis]!, 1];
        clip.addRotationKey(1, 0, d * x + a * w + b * z - c * y, d * y + b * w + c * x - a * z, d * z + c * w + a * y - b * x, d * w - a * x - b * y - c * z);
        const again = importBvh(exportBvh(skeleton, clip, { order })), one = new AnimPose(), two = new AnimPose();
        clip.sample(0, one, skeleton);
        again.clip.sample(0, two, again.skeleton);
        const dot = one.getLocalRotationX(1) * two.getLocalRotationX(1) + one.getLocalRotationY(1) * two.getLocalRotationY(1) +
          one.getLocalRotationZ(1) * two.getLocalRotationZ(1) + one.getLocalRotationW(1) * two.getLocalRotationW(1), way = dot < 0 ? -1 : 1;
        // Half the angle between the two, in radians: float32 quaternions and six decimals of degrees.
        for (const part of ["X", "Y", "Z", "W"] as const) expect(Math.abs(one[`getLocalRotation${part}`](1) - way * two[`getLocalRotation${part}`](1))).toBeLessThan(3e-7);
      }
    }
  });

  test("refuses what is no skeleton, no clip, no options", () => {
    const { skeleton, clip } = importBvh(SMALL);
    for (const bad of [null, undefined, 3, {}] as never[]) {
      expect(() => exportBvh(bad, clip)).toThrow(AnimArgumentError);
      expect(() => exportBvh(skeleton, bad)).toThrow(AnimArgumentError);
    }
    expect(() => exportBvh(skeleton, clip, null as never)).toThrow(AnimArgumentError);
  });
});

describe("importBvh", () => {
  test("multiplies rotations in the order of the channels and replaces the root's offset", () => {
    const { skeleton, clip, report } = importBvh(SMALL);
    expect([0, 1, 2].map((b) => skeleton.getBoneName(b))).toEqual(["Hips", "Spine", "Spine_end"]);
    const pose = new AnimPose(3);
    clip.sample(0.1, pose, skeleton);
    pose.computeWorld(skeleton);
    // Hips at (1,1,2) turned 90° about z: its y axis points to -x; the spine's end turned 90° about x: y points to z.
    expect([pose.getWorldPositionX(1), pose.getWorldPositionY(1), pose.getWorldPositionZ(1)].map((v) => Math.round(v * 1e5) / 1e5)).toEqual([0.5, 1, 2]);
    expect([pose.getWorldPositionX(2), pose.getWorldPositionY(2), pose.getWorldPositionZ(2)].map((v) => Math.round(v * 1e5) / 1e5)).toEqual([0.5, 1, 2.25]);
    expect(report.repaired).toEqual([]);
  });

  test("collapses tracks that never change", () => {
    const { clip } = importBvh(SMALL);
    expect(clip.getRotationKeyCount(0)).toBe(1);
    expect(clip.getRotationKeyCount(1)).toBe(2);
    expect(clip.getDuration()).toBeCloseTo(0.1, 6);
  });

  test("scales, drops end sites, holds the root and turns z-up files when asked", () => {
    const { skeleton, clip } = importBvh(SMALL, { scale: 2, endSites: false, rootMotion: "inPlace" });
    expect(skeleton.getBoneCount()).toBe(2);
    expect(skeleton.getBindPositionY(1)).toBe(1);
    const pose = new AnimPose(2);
    clip.sample(0.1, pose, skeleton);
    expect([pose.getLocalPositionX(0), pose.getLocalPositionY(0), pose.getLocalPositionZ(0)]).toEqual([0, 2, 0]);

    const turned = importBvh(SMALL, { upAxis: "z" });
    turned.clip.sample(0.1, pose, turned.skeleton);
    expect([pose.getLocalPositionX(0), pose.getLocalPositionY(0), pose.getLocalPositionZ(0)].map((v) => Math.round(v * 1e6) / 1e6)).toEqual([1, 2, -1]);
  });

  test("puts the bind pose before the first frame when asked", () => {
    const { clip } = importBvh(SMALL, { addTPoseFrame: true });
    expect(clip.getDuration()).toBeCloseTo(0.2, 6);
    expect(clip.getRotationKeyW(0, 0)).toBe(1);
  });

  test("gives a skeleton and an empty clip for a file without frames", () => {
    const { skeleton, clip } = importBvh(SMALL.replace(/Frames: 2[^]*/, "Frames: 0\nFrame Time: 0.1\n"));
    expect(skeleton.getBoneCount()).toBe(3);
    expect(clip.getDuration()).toBe(0);
    expect(clip.getTrackCount()).toBe(0);
  });

  test("renames repeated joints and says so", () => {
    const { skeleton, report } = importBvh(SMALL.replace("JOINT Spine", "JOINT Hips"));
    expect(skeleton.findBone("Hips#2")).toBe(1);
    expect(report.repaired).toHaveLength(1);
  });

  test.each([
    ["an unknown channel", SMALL.replace("Xrotation", "Wrotation"), 5],
    ["a comma as decimal point", SMALL.replace("0 0.5 0", "0 0,5 0"), 8],
    ["a missing MOTION", SMALL.replace("MOTION", "MOVE"), 16],
    ["a row that is too short", SMALL.replace("0 90 0\n", "0 90\n"), 20],
    ["a row too many", `${SMALL}1 2 3\n`, 21],
    ["a frame time of zero", SMALL.replace("0.1", "0"), 18],
    ["more frames than the text can hold", SMALL.replace("Frames: 2", "Frames: 200000000"), 19],
    ["a word where a number should be", SMALL.replace("OFFSET 0 1 0", "OFFSET 0 x 0"), 4],
    ["no text at all", "", 1],
  ])("names the line of %s", (_what, text, line) => {
    let error: unknown;
    try {
      parseBvh(text, "test.bvh");
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(AnimFormatError);
    expect((error as AnimFormatError).line).toBe(line);
    expect((error as AnimFormatError).source).toBe("test.bvh");
  });

  test("rejects options that make no sense", () => {
    expect(() => importBvh(SMALL, { scale: -1 })).toThrow(AnimArgumentError);
    expect(() => importBvh(SMALL, { upAxis: "w" as never })).toThrow(AnimArgumentError);
    expect(() => importBvh(42 as never)).toThrow(AnimArgumentError);
  });
});
