import { zlibSync } from "fflate";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { AnimArgumentError, AnimFormatError } from "../../src/anim/errors.js";
import { AnimPose } from "../../src/anim/rig/pose.js";
import { readBinaryFbx } from "../../src/import/fbx/binary.js";
import { loadFbx } from "../../src/import/fbx/load.js";
import { eulerRotation } from "../../src/import/fbx/transform.js";
import { newClipFromModel } from "../../src/import/model/clip.js";
import { newSkeletonFromModel } from "../../src/import/model/skeleton.js";
import { sharedData } from "../shared-data.js";
import { loadFbxWithThree, loadThree } from "./three-reference.js";

const root = sharedData("fbx", "FBX files");
const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(join(root!, name)));

describe.skipIf(root === undefined)("FBX files", () => {
  test.each([
    ["animation_with_skeleton.fbx", 20, 14, 15, ["Armature|ArmatureAction"]],
    ["huesitos.fbx", 15, 9, 10, ["Armature|Action"]],
    ["multiple_animations_test.fbx", 1, 0, 1, ["anim 1", "anim 2", "spin"]],
    ["anims_with_full_rotations_between_keys.fbx", 128, 0, 128, ["Take 001"]],
    ["boxWithCompressedCTypeArray.FBX", 1, 0, 1, []],
  ])("%s has %i nodes, %i joints and %i bones", (name, nodes, joints, bones, animations) => {
    const model = loadFbx(bytesOf(name), { file: name });
    expect(model.nodes.length).toBe(nodes);
    expect(model.skins.reduce((sum, skin) => sum + skin.joints.length, 0)).toBe(joints);
    expect(newSkeletonFromModel(model).getBoneCount()).toBe(bones);
    expect(model.animations.map((animation) => animation.name)).toEqual(animations);
    for (const mesh of model.meshes) {
      expect(mesh.indices.length % 3).toBe(0);
      expect(mesh.indices.every((index) => index < mesh.vertexCount)).toBe(true);
      if (mesh.weights === undefined) continue;
      for (let v = 0; v < mesh.vertexCount; v++) {
        let sum = 0;
        for (let k = 0; k < mesh.influences; k++) sum += mesh.weights[v * mesh.influences + k]!;
        expect(sum).toBeCloseTo(1, 5);
      }
    }
  });

  test("a whole turn between two keys is a whole turn", () => {
    const model = loadFbx(bytesOf("anims_with_full_rotations_between_keys.fbx"));
    const skeleton = newSkeletonFromModel(model);
    const clip = newClipFromModel(model, skeleton, 0);
    const bone = skeleton.findBone("Box001");
    const pose = new AnimPose(skeleton.getBoneCount());
    clip.sample(0, pose, skeleton);
    const start = [pose.getLocalRotationX(bone), pose.getLocalRotationY(bone), pose.getLocalRotationZ(bone), pose.getLocalRotationW(bone)];
    for (const part of [0.1, 0.25, 0.5, 0.75, 0.9]) {
      clip.sample(part * clip.getDuration(), pose, skeleton);
      const dot = start[0]! * pose.getLocalRotationX(bone) + start[1]! * pose.getLocalRotationY(bone) + start[2]! * pose.getLocalRotationZ(bone) + start[3]! * pose.getLocalRotationW(bone);
      expect(Math.abs(dot)).toBeCloseTo(Math.abs(Math.cos(part * Math.PI)), 4);
    }
  });

  test("takes of one timeline are cropped and start at 0", () => {
    const model = loadFbx(bytesOf("multiple_animations_test.fbx"));
    const skeleton = newSkeletonFromModel(model);
    const clips = [0, 1, 2].map((a) => newClipFromModel(model, skeleton, a));
    expect(clips.map((clip) => Math.round(clip.getDuration() * 1000))).toEqual([667, 500, 500]);
    expect(model.animations.map((animation) => Math.round(animation.start * 1000))).toEqual([0, 833, 1500]);
    const pose = new AnimPose(1);
    clips[0]!.setLoop(false);
    // Keys 0 → 15 with level tangents: half way in half the time, a sixteenth more than a tenth at a quarter.
    clips[0]!.sample(1 / 3, pose, skeleton);
    expect(pose.getLocalPositionX(0)).toBeCloseTo(7.5, 3);
    clips[0]!.sample(1 / 6, pose, skeleton);
    expect(pose.getLocalPositionX(0)).toBeCloseTo(15 * (3 / 16 - 2 / 64), 2);
  });

  test("lengths become metres when asked, skinned rest positions with them", () => {
    const plain = loadFbx(bytesOf("huesitos.fbx"));
    const metres = loadFbx(bytesOf("huesitos.fbx"), { unit: "meter" });
    expect(plain.extras.metersPerUnit).toBeCloseTo(0.01, 6);
    expect(metres.meshes[0]!.positions[1]!).toBeCloseTo(plain.meshes[0]!.positions[1]! * 0.01, 6);
    expect(metres.nodes[5]!.translation[1]).toBeCloseTo(plain.nodes[5]!.translation[1] * 0.01, 6);
  });

  describe("against three.js", () => {
    let three: Awaited<ReturnType<typeof loadThree>>;
    beforeAll(async () => {
      three = await loadThree("FBX files against three.js");
    });

    // three.js interpolates between keys in a straight line; the first two files have a key in every frame.
    test.each(["animation_with_skeleton.fbx", "huesitos.fbx"])("%s: rest pose and animation give its world matrices", async (name) => {
      if (three === undefined) return;
      const model = loadFbx(bytesOf(name));
      const reference = await loadFbxWithThree(join(root!, name));
      const skeleton = newSkeletonFromModel(model, { bones: "all" });
      const pose = new AnimPose(skeleton.getBoneCount());
      skeleton.applyBindPose(pose);
      expect(compare()).toBe(skeleton.getBoneCount());
      const clip = newClipFromModel(model, skeleton, 0);
      const mixer = new three.AnimationMixer(reference);
      mixer.clipAction(reference.animations[0]).play();
      for (const part of [0.07, 0.31, 0.66, 0.93]) {
        mixer.setTime(part * clip.getDuration());
        clip.sample(part * clip.getDuration(), pose, skeleton);
        compare();
      }

      function compare(): number {
        reference.updateMatrixWorld(true);
        pose.computeWorld(skeleton);
        let compared = 0;
        for (let bone = 0; bone < skeleton.getBoneCount(); bone++) {
          const object = reference.getObjectByName(three.PropertyBinding.sanitizeNodeName(skeleton.getBoneName(bone)));
          if (object === undefined) continue;
          compared++;
          const expected = object.matrixWorld.elements as number[];
          for (let e = 0; e < 15; e++) {
            if (e % 4 === 3) continue;
            const size = Math.max(1, Math.hypot(expected[e - (e % 4)]!, expected[e - (e % 4) + 1]!, expected[e - (e % 4) + 2]!));
            expect(Math.abs(pose.getWorldMatrixElement(bone, e) - expected[e]!), `${skeleton.getBoneName(bone)} element ${e}`).toBeLessThan(1e-4 * size);
          }
        }
        return compared;
      }
    });
  });
});

describe("eulerRotation", () => {
  test("applies the first letter of the order first", () => {
    const quarter = Math.SQRT1_2;
    // XYZ: x first, then y: Ry·Rx.
    expect(eulerRotation([90, 90, 0], 0).map((v) => Math.round(v * 1e6) / 1e6)).toEqual([0.5, 0.5, -0.5, 0.5]);
    // YXZ: y first, then x: Rx·Ry.
    expect(eulerRotation([90, 90, 0], 3).map((v) => Math.round(v * 1e6) / 1e6)).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect(eulerRotation([0, 0, 90], 4)[2]).toBeCloseTo(quarter, 12);
  });
});

/** Builds binary FBX records. */
class Writer {
  readonly bytes: number[] = [];
  header(version: number): this {
    for (const c of "Kaydara FBX Binary  \u0000") this.bytes.push(c.charCodeAt(0));
    this.bytes.push(0x1a, 0);
    return this.u32(version);
  }
  u32(value: number): this {
    this.bytes.push(value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24);
    return this;
  }
  /** A record with ready-made value bytes and no children. */
  record(name: string, count: number, values: readonly number[]): this {
    const start = this.bytes.length;
    this.u32(start + 13 + name.length + values.length).u32(count).u32(values.length);
    this.bytes.push(name.length, ...[...name].map((c) => c.charCodeAt(0)), ...values);
    return this;
  }
  end(): Uint8Array {
    for (let i = 0; i < 13; i++) this.bytes.push(0);
    return Uint8Array.from(this.bytes);
  }
}

const u32 = (value: number): number[] => [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24];
const letter = (text: string): number => text.charCodeAt(0);

describe("the binary reader", () => {
  test("reads scalars, packed and plain arrays", () => {
    const packed = zlibSync(Uint8Array.from([1, 2, 3, 4, 5]));
    const file = new Writer().header(7400)
      .record("A", 2, [letter("I"), ...u32(7), letter("Y"), 0xfe, 0xff])
      .record("B", 1, [letter("c"), ...u32(5), ...u32(1), ...u32(packed.length), ...packed])
      .record("C", 1, [letter("i"), ...u32(2), ...u32(0), ...u32(8), ...u32(5), ...u32(0xffffffff)])
      .end();
    const tree = readBinaryFbx(file, undefined, 1000);
    expect(tree.children.map((node) => node.name)).toEqual(["A", "B", "C"]);
    expect(tree.children[0]!.values).toEqual([7, -2]);
    expect([...(tree.children[1]!.values[0] as Uint8Array)]).toEqual([1, 2, 3, 4, 5]);
    expect([...(tree.children[2]!.values[0] as Int32Array)]).toEqual([5, -1]);
  });

  test.each([
    ["a promise that deflate cannot keep", [letter("d"), ...u32(100_000_000), ...u32(1), ...u32(8), 0x78, 0x9c, 3, 0, 0, 0, 0, 1]],
    ["data that unpacks to more than promised", [letter("c"), ...u32(4), ...u32(1), ...u32(zlibSync(new Uint8Array(9000)).length), ...zlibSync(new Uint8Array(9000))]],
    ["data that unpacks to less than promised", [letter("c"), ...u32(40), ...u32(1), ...u32(zlibSync(new Uint8Array(9)).length), ...zlibSync(new Uint8Array(9))]],
    ["an unknown type", [letter("Q"), 1, 2]],
    ["an array that reaches beyond its record", [letter("d"), ...u32(10), ...u32(0), ...u32(80), 1, 2]],
    ["an unknown encoding", [letter("c"), ...u32(1), ...u32(7), ...u32(1), 1]],
  ])("rejects %s with a byte offset", (_what, values) => {
    const file = new Writer().header(7400).record("A", 1, values).end();
    let error: unknown;
    try {
      readBinaryFbx(file, "x.fbx", 1e9);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(AnimFormatError);
    expect((error as AnimFormatError).byteOffset).toBeGreaterThanOrEqual(27);
  });

  test("rejects what is no FBX, an old version, and arrays beyond the limit", () => {
    expect(() => loadFbx(new Uint8Array(100))).toThrow(AnimFormatError);
    expect(() => loadFbx(new Uint8Array(0))).toThrow(AnimFormatError);
    expect(() => loadFbx(new Writer().header(6100).end())).toThrow(/version 6100/);
    const big = new Writer().header(7400).record("A", 1, [letter("c"), ...u32(64), ...u32(0), ...u32(64), ...new Uint8Array(64)]).end();
    expect(() => loadFbx(big, { maximumBytes: 32 })).toThrow(/maximumBytes/);
    expect(() => loadFbx(7 as never)).toThrow(AnimArgumentError);
    expect(() => loadFbx(big, { rate: 0 })).toThrow(AnimArgumentError);
  });
});

const ASCII = `; FBX 7.4.0 project file
FBXHeaderExtension:  {
	FBXVersion: 7400
}
GlobalSettings:  {
	Properties70:  {
		P: "UpAxis", "int", "Integer", "",2
		P: "UpAxisSign", "int", "Integer", "",1
		P: "FrontAxis", "int", "Integer", "",1
		P: "FrontAxisSign", "int", "Integer", "",-1
		P: "CoordAxis", "int", "Integer", "",0
		P: "CoordAxisSign", "int", "Integer", "",1
		P: "UnitScaleFactor", "double", "Number", "",100
	}
}
Objects:  {
	Model: 10, "Model::Hips", "LimbNode" {
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",1,2,3
			P: "PreRotation", "Vector3D", "Vector", "",0,0,90
			P: "RotationPivot", "Vector3D", "Vector", "",0,1e-006,0
		}
	}
	Model: 11, "Model::rig:Spine", "LimbNode" {
	}
	Geometry: 12, "Geometry::box", "Mesh" {
		Vertices: *12 {
			a: 0,0,0,1,0,0,
1,1,0,0,1,0
		}
		PolygonVertexIndex: *4 {
			a: 0,1,2,-4
		}
	}
}
Connections:  {
	C: "OO",10,0
	C: "OO",11,10
	C: "OO",12,11
}
`;

describe("the text reader", () => {
  test("reads records, folded arrays and exponents without a point", () => {
    const model = loadFbx(ASCII);
    expect(model.nodes.map((node) => [node.name, node.parent])).toEqual([["Hips", -1], ["rig:Spine", 0]]);
    expect(model.meshes[0]!.vertexCount).toBe(4);
    expect([...model.meshes[0]!.indices]).toEqual([0, 1, 2, 0, 2, 3]);
    expect(model.extras).toMatchObject({ upAxis: "z", metersPerUnit: 1 });
  });

  test("turns a z-up file to y up at its roots and keeps pre-rotations", () => {
    const hips = loadFbx(ASCII).nodes[0]!;
    expect(hips.translation.map((v) => Math.round(v * 1e4) / 1e4)).toEqual([1, 3, -2]);
    // Rx(-90°) · Rz(90°)
    expect(hips.rotation.map((v) => Math.round(v * 1e4) / 1e4)).toEqual([-0.5, 0.5, 0.5, 0.5]);
  });

  test.each([
    ["an unclosed record", ASCII.replace(/\}\s*$/, "")],
    ["a stray brace", `${ASCII}}`],
    ["a missing version", ASCII.replace("FBXVersion: 7400", "")],
    ["a point that does not exist", ASCII.replace("0,1,2,-4", "0,1,2,-9")],
    ["a cycle of models", ASCII.replace('C: "OO",10,0', 'C: "OO",10,11')],
    ["coordinates that are no multiple of three", ASCII.replace("1,1,0,0,1,0", "1,1,0,0,1")],
  ])("rejects %s", (_what, text) => {
    expect(() => loadFbx(text)).toThrow(AnimFormatError);
  });
});
