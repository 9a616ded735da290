import { describe, expect, test } from "vitest";
import { AnimArgumentError, AnimFormatError, AnimIndexError } from "../../src/anim/errors.js";
import { AnimPose } from "../../src/anim/rig/pose.js";
import { loadGltf, type GltfOptions } from "../../src/import/gltf/load.js";
import { getImportWarnings, newClipFromModel } from "../../src/import/model/clip.js";
import { newSkeletonFromModel } from "../../src/import/model/skeleton.js";
import { newSkinFromModel } from "../../src/import/model/skin.js";

/* eslint-disable @typescript-eslint/no-explicit-any */
type Json = Record<string, any>;

/** Collects typed arrays into one buffer with a view and an accessor each. */
class Data {
  readonly bytes: number[] = [];
  readonly bufferViews: Json[] = [];
  readonly accessors: Json[] = [];

  view(array: ArrayBufferView): number {
    while (this.bytes.length % 4 !== 0) this.bytes.push(0);
    this.bufferViews.push({ buffer: 0, byteOffset: this.bytes.length, byteLength: array.byteLength });
    this.bytes.push(...new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return this.bufferViews.length - 1;
  }

  add(array: ArrayBufferView, type: string, componentType: number, count: number, more: Json = {}): number {
    this.accessors.push({ bufferView: this.view(array), type, componentType, count, ...more });
    return this.accessors.length - 1;
  }

  floats(values: number[], type: string): number {
    const size = ({ SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 } as Record<string, number>)[type]!;
    return this.add(Float32Array.from(values), type, 5126, values.length / size);
  }

  document(rest: Json): Json {
    const uri = `data:application/octet-stream;base64,${Buffer.from(this.bytes).toString("base64")}`;
    return { asset: { version: "2.0" }, buffers: [{ byteLength: this.bytes.length, uri }], bufferViews: this.bufferViews, accessors: this.accessors, ...rest };
  }
}

/** A skinned quad of two joints whose second joint turns. */
function skinned(change?: (data: Data, document: Json) => void): Json {
  const data = new Data();
  const position = data.floats([0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 0], "VEC3");
  const joints = data.add(Uint8Array.from([0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]), "VEC4", 5121, 4);
  const weights = data.floats([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], "VEC4");
  const indices = data.add(Uint16Array.from([0, 1, 2, 1, 3, 2]), "SCALAR", 5123, 6);
  const times = data.floats([0, 1], "SCALAR");
  const turns = data.floats([0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2], "VEC4");
  const inverse = data.floats([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1], "MAT4");
  const document: Json = {
    scene: 0,
    scenes: [{ nodes: [0, 3] }],
    nodes: [{ name: "root", children: [1] }, { name: "a", children: [2] }, { name: "b", translation: [0, 1, 0] }, { name: "quad", mesh: 0, skin: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: position, JOINTS_0: joints, WEIGHTS_0: weights }, indices }] }],
    skins: [{ joints: [1, 2], inverseBindMatrices: inverse }],
    animations: [{ name: "turn", samplers: [{ input: times, output: turns }], channels: [{ sampler: 0, target: { node: 2, path: "rotation" } }] }],
  };
  change?.(data, document);
  return data.document(document);
}

describe("skins", () => {
  test("vertices follow their joints", async () => {
    const model = await loadGltf(skinned());
    const skeleton = newSkeletonFromModel(model);
    expect([0, 1, 2].map((b) => skeleton.getBoneName(b))).toEqual(["root", "a", "b"]);
    expect(model.getBoneName(0, 1)).toBe("b");
    expect(model.getInverseBindMatrixElement(0, 1, 13)).toBe(-1);
    expect(() => model.getInverseBindMatrixElement(0, 1, 16)).toThrow(AnimIndexError);
    expect(() => model.getBoneName(0, 2)).toThrow(AnimIndexError);
    expect([model.getMeshCount(), model.getVertexCount(0), model.hasBones(0), model.getAnimationCount(), model.getAnimationName(0)]).toEqual([1, 4, true, 1, "turn"]);
    expect([0, 1, 2, 3].map((node) => model.getBoneForNode(node))).toEqual([0, 1, 2, -1]);
    const clip = newClipFromModel(model, skeleton, 0);
    const pose = new AnimPose(3);
    clip.setLoop(false);
    clip.sample(1, pose, skeleton);
    pose.computeWorld(skeleton);
    const skin = newSkinFromModel(model, 0, skeleton);
    skin.updateSkinnedPositions(pose);
    // (0, 2, 0) is one above joint b, which turned a quarter about z: one to the left of it.
    expect(skin.getSkinnedPositionX(2)).toBeCloseTo(-1, 5);
    expect(skin.getSkinnedPositionY(2)).toBeCloseTo(1, 5);
    expect(skin.getSkinnedPositionX(1)).toBeCloseTo(1, 5);
  });

  test("absent inverse bind matrices are identities, too few are an error", async () => {
    const model = await loadGltf(skinned((_, d) => delete d.skins[0].inverseBindMatrices));
    expect(model.getInverseBindMatrixElement(0, 1, 13)).toBe(0);
    await expect(loadGltf(skinned((_, d) => d.skins[0].joints.push(0)))).rejects.toMatchObject({ pointer: "/skins/0/inverseBindMatrices" });
  });

  test("eight influences are merged, weights that do not sum to 1 put right and reported", async () => {
    const model = await loadGltf(skinned((data, d) => {
      const attributes = d.meshes[0].primitives[0].attributes;
      attributes.WEIGHTS_0 = data.add(Uint8Array.from([128, 0, 0, 0, 128, 0, 0, 0, 64, 64, 0, 0, 255, 0, 0, 0]), "VEC4", 5121, 4, { normalized: true });
      attributes.JOINTS_1 = data.add(Uint8Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]), "VEC4", 5121, 4);
      attributes.WEIGHTS_1 = data.add(Uint8Array.from([128, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0]), "VEC4", 5121, 4, { normalized: true });
    }));
    const { weights, influences } = model.meshes[0]!;
    expect(influences).toBe(8);
    expect([...weights!.subarray(0, 8)].map((w) => Math.round(w * 1000) / 1000)).toEqual([0.5, 0, 0, 0, 0.5, 0, 0, 0]);
    expect(model.report.repaired.some((line) => line.includes("renormalised"))).toBe(true);
  });

  test("a mesh that two skins use becomes two entries", async () => {
    const model = await loadGltf(skinned((_, d) => {
      d.skins.push({ joints: [2, 1] });
      d.nodes.push({ name: "other", mesh: 0, skin: 1 });
      d.scenes[0].nodes.push(4);
    }));
    expect(model.meshes.map((mesh) => mesh.skin)).toEqual([0, 1]);
    expect(model.nodes.map((node) => node.meshes)).toEqual([[], [], [], [0], [1]]);
  });

  test("bones: joints only fold what they skip, all takes every node, names stay unique", async () => {
    const document = skinned((_, d) => {
      d.nodes[0].translation = [5, 0, 0];
      d.nodes[0].scale = [2, 2, 2];
      d.nodes[1].name = "b";
    });
    const model = await loadGltf(document);
    const joints = newSkeletonFromModel(model, { bones: "joints" });
    expect([joints.getBoneCount(), joints.getBoneName(0), joints.getBoneName(1)]).toEqual([2, "b", "b#2"]);
    expect([joints.getBindPositionX(0), joints.getBindScaleX(0)]).toEqual([5, 2]);
    expect(newSkeletonFromModel(model, { bones: "all" }).getBoneCount()).toBe(4);
    expect(() => newSkeletonFromModel(model, { bones: "some" as never })).toThrow(AnimArgumentError);
    expect(() => newSkeletonFromModel({} as never)).toThrow(AnimArgumentError);
  });
});

describe("accessors", () => {
  const positions = async (change: (data: Data, document: Json) => void): Promise<number[]> => {
    const model = await loadGltf(skinned((data, d) => {
      change(data, d);
      delete d.skins;
      delete d.nodes[3].skin;
    }));
    return [...model.meshes[0]!.positions];
  };

  test("sparse values replace a base, or zeros where there is none", async () => {
    const sparse = (data: Data): Json => ({
      count: 1, indices: { bufferView: data.view(Uint16Array.from([2])), componentType: 5123 }, values: { bufferView: data.view(Float32Array.from([7, 8, 9])) },
    });
    expect(await positions((data) => (data.accessors[0]!.sparse = sparse(data)))).toEqual([0, 0, 0, 1, 0, 0, 7, 8, 9, 1, 2, 0]);
    expect(await positions((data) => {
      data.accessors[0]!.sparse = sparse(data);
      delete data.accessors[0]!.bufferView;
    })).toEqual([0, 0, 0, 0, 0, 0, 7, 8, 9, 0, 0, 0]);
  });

  test("normalised integers, strides and quantised positions are decoded", async () => {
    const values = await positions((data, d) => {
      d.extensionsRequired = ["KHR_mesh_quantization"];
      const view = data.view(Int8Array.from([127, -128, 0, 99, -127, 64, 1, 99, 0, 0, 0, 99, 127, 127, 127, 99]));
      data.bufferViews[view]!.byteStride = 4;
      data.accessors.push({ bufferView: view, type: "VEC3", componentType: 5120, normalized: true, count: 4 });
      d.meshes[0].primitives[0].attributes.POSITION = data.accessors.length - 1;
    });
    expect(values.slice(0, 6).map((v) => Math.round(v * 1e4) / 1e4)).toEqual([1, -1, 0, -1, 0.5039, 0.0079]);
  });

  test.each([
    ["a view past its buffer", "/bufferViews/0/byteLength", (data: Data) => (data.bufferViews[0]!.byteLength = 1e6)],
    ["an accessor past its view", "/accessors/0", (data: Data) => (data.accessors[0]!.count = 5)],
    ["far too many zeros", "/accessors/0/count", (data: Data) => { delete data.accessors[0]!.bufferView; data.accessors[0]!.count = 500_000_000; }],
    ["a dangling view", "/accessors/0/bufferView", (data: Data) => (data.accessors[0]!.bufferView = 99)],
    ["an unknown type", "/accessors/0/type", (data: Data) => (data.accessors[0]!.type = "VEC9")],
    ["a type named like a built-in", "/accessors/0/type", (data: Data) => (data.accessors[0]!.type = "constructor")],
    ["an unknown component type", "/accessors/0/componentType", (data: Data) => (data.accessors[0]!.componentType = 5124)],
    ["misaligned numbers", "/accessors/0/byteOffset", (data: Data) => { data.accessors[0]!.byteOffset = 2; data.accessors[0]!.count = 3; }],
    ["sparse indices out of range", "/accessors/0/sparse/indices", (data: Data) => {
      data.accessors[0]!.sparse = { count: 1, indices: { bufferView: data.view(Uint16Array.from([9])), componentType: 5123 }, values: { bufferView: data.view(new Float32Array(3)) } };
    }],
  ])("%s is an error at %s", async (_what, pointer, change) => {
    await expect(loadGltf(skinned((data) => void change(data)))).rejects.toMatchObject({ name: "AnimFormatError", pointer });
  });

  test("numbers that are not finite are never imported", async () => {
    await expect(loadGltf(skinned((data, d) => {
      d.meshes[0].primitives[0].attributes.POSITION = data.floats([0, 0, NaN, 1, 0, 0, 0, 2, 0, 1, 2, 0], "VEC3");
    }))).rejects.toThrow(AnimFormatError);
  });
});

describe("the document", () => {
  test.each([
    ["a cycle of nodes", "/nodes", (d: Json) => { d.nodes[2].children = [1]; d.nodes[0].children = []; }],
    ["a node with two parents", "/nodes/3/children/0", (d: Json) => (d.nodes[3].children = [2])],
    ["a node that is its own child", "/nodes/2/children/0", (d: Json) => (d.nodes[2].children = [2])],
    ["a dangling child", "/nodes/0/children/1", (d: Json) => d.nodes[0].children.push(44)],
    ["a rotation without length", "/nodes/1/rotation", (d: Json) => (d.nodes[1].rotation = [0, 0, 0, 0])],
    ["a matrix and a translation", "/nodes/2", (d: Json) => (d.nodes[2].matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])],
    ["a joint twice", "/skins/0/joints", (d: Json) => (d.skins[0].joints = [1, 1])],
    ["an index beyond the vertices", "/meshes/0/primitives/0", (d: Json) => (d.meshes[0].primitives[0].attributes.POSITION = 6)],
    ["an unknown interpolation", "/animations/0/samplers/0/interpolation", (d: Json) => (d.animations[0].samplers[0].interpolation = "CURVY")],
    ["outputs that do not fit", "/animations/0/samplers/0/output", (d: Json) => (d.animations[0].samplers[0].output = 0)],
    ["a required extension that is unknown", "/extensionsRequired", (d: Json) => (d.extensionsRequired = ["EXT_unheard_of"])],
    ["a version of the future", "/asset/version", (d: Json) => (d.asset = { version: "3.0" })],
    ["nodes that are no array", "/nodes", (d: Json) => (d.nodes = {})],
  ])("%s is an error at %s", async (_what, pointer, change) => {
    const error: unknown = await loadGltf(skinned((_, d) => void change(d))).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(AnimFormatError);
    expect((error as AnimFormatError).pointer?.startsWith(pointer)).toBe(true);
  });

  test("keys out of order are an error, or dropped when asked", async () => {
    const change = (data: Data, d: Json): void => {
      d.animations[0].samplers[0] = { input: data.floats([0, 0.5, 0.25, 1], "SCALAR"), output: data.floats([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1], "VEC4") };
    };
    await expect(loadGltf(skinned(change))).rejects.toThrow(/order/);
    const model = await loadGltf(skinned(change), { keyTimes: "drop" });
    expect([...model.animations[0]!.channels[0]!.times]).toEqual([0, 0.5, 1]);
    expect(model.report.repaired).toHaveLength(1);
  });

  test("a matrix becomes translation, rotation and scale; shear is reported, or an error", async () => {
    const change = (matrix: number[]) => (_: Data, d: Json): void => {
      d.nodes[2] = { name: "b", matrix };
      delete d.animations;
    };
    const model = await loadGltf(skinned(change([0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 5, 6, 7, 1])));
    expect(model.nodes[2]).toMatchObject({ translation: [5, 6, 7], scale: [2, 3, 4] });
    expect(model.nodes[2]!.rotation[2]).toBeCloseTo(Math.SQRT1_2, 6);
    const mirrored = await loadGltf(skinned(change([-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])));
    expect(mirrored.nodes[2]!.scale).toEqual([-1, 1, 1]);
    const sheared = change([1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    expect((await loadGltf(skinned(sheared))).report.repaired.some((line) => line.includes("shear"))).toBe(true);
    await expect(loadGltf(skinned(sheared), { shear: "throw" })).rejects.toMatchObject({ pointer: "/nodes/2/matrix" });
  });

  test("animation pointers to nodes are followed, others reported", async () => {
    const target = (pointer: string): Json => ({ path: "pointer", extensions: { KHR_animation_pointer: { pointer } } });
    const model = await loadGltf(skinned((_, d) => {
      d.extensionsUsed = ["KHR_animation_pointer"];
      d.animations[0].channels = [{ sampler: 0, target: target("/nodes/1/rotation") }, { sampler: 0, target: target("/materials/0/emissiveFactor") }];
    }));
    expect(model.animations[0]!.channels.map(({ node, path }) => [node, path])).toEqual([[1, "rotation"]]);
    expect(model.report.ignored).toHaveLength(1);
  });

  test("strips and fans become triangles, points and lines are left aside", async () => {
    const indices = async (mode: number): Promise<number[] | undefined> => {
      const model = await loadGltf(skinned((data, d) => {
        const primitive = d.meshes[0].primitives[0];
        primitive.mode = mode;
        primitive.indices = data.add(Uint16Array.from([0, 1, 2, 3]), "SCALAR", 5123, 4);
      }));
      return model.meshes[0] === undefined ? undefined : [...model.meshes[0].indices];
    };
    expect(await indices(5)).toEqual([0, 1, 2, 2, 1, 3]);
    expect(await indices(6)).toEqual([0, 1, 2, 0, 2, 3]);
    expect(await indices(4)).toEqual([0, 1, 2]);
    expect(await indices(1)).toBeUndefined();
  });

  test("notes in extras become events, markers, curves and the loop flag; odd ones are left aside", async () => {
    const model = await loadGltf(skinned((_, d) => {
      d.animations[0].extras = {
        loop: false, tags: ["x", 4], events: [{ time: 0.5, name: "hit", payload: "hard" }, { time: -1, name: "no" }, 7], syncMarkers: [{ time: 0.25, name: "m" }],
        curves: { contact: [[0, 1], [0.5, 0]], broken: [[0]] },
      };
    }));
    const clip = newClipFromModel(model, newSkeletonFromModel(model), 0);
    expect([clip.getLoop(), clip.getEventCount(), clip.getEventName(0), clip.getEventPayload(0), clip.getSyncMarkerName(0), clip.getCurveCount()]).toEqual([false, 1, "hit", "hard", "m", 1]);
    expect(model.animations[0]!.notes!.tags).toEqual(["x"]);
    expect(model.report.ignored).toHaveLength(3);
  });

  test("clips find bones by name and list what they do not find", async () => {
    const model = await loadGltf(skinned());
    const other = newSkeletonFromModel(await loadGltf(skinned((_, d) => (d.nodes[2].name = "c"))));
    const clip = newClipFromModel(model, other, 0);
    expect(clip.getTrackCount()).toBe(0);
    expect(getImportWarnings(clip)).toHaveLength(1);
    expect(() => newClipFromModel(model, other, 1)).toThrow(AnimIndexError);
    for (const bad of [null, undefined, {}] as never[]) expect(() => newClipFromModel(model, bad, 0)).toThrow(AnimArgumentError);
    expect(() => newClipFromModel(model, other, 0, null as never)).toThrow(AnimArgumentError);
    const late = await loadGltf(skinned((data, d) => (d.animations[0].samplers[0].input = data.floats([2, 3], "SCALAR"))));
    expect(newClipFromModel(late, newSkeletonFromModel(late), 0).getDuration()).toBe(3);
    expect(newClipFromModel(late, newSkeletonFromModel(late), 0, { trimStart: true }).getDuration()).toBe(1);
  });

  test("cubic rotations keep tangents and values in one hemisphere", async () => {
    const model = await loadGltf(skinned((data, d) => {
      const q = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
      d.animations[0].samplers[0] = {
        interpolation: "CUBICSPLINE", input: d.animations[0].samplers[0].input,
        output: data.floats([0, 0, 0, 0, 0, 0, 0, 1, 0.1, 0.2, 0.3, 0.4, 1, 2, 3, 4, ...q.map((v) => -v), 0, 0, 0, 0], "VEC4"),
      };
    }));
    const clip = newClipFromModel(model, newSkeletonFromModel(model), 0);
    const bone = 2;
    expect(clip.getTrackInterpolation(bone, "rotation")).toBe("cubicSpline");
    expect(clip.getRotationKeyW(bone, 1)).toBeCloseTo(Math.SQRT1_2, 6);
    expect([...clip.tracks[bone]!.rotation!.inTangents!.subarray(4, 8)]).toEqual([-1, -2, -3, -4]);
  });
});

describe("sources", () => {
  const glb = (json: string, bin?: Uint8Array): Uint8Array => {
    const text = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 4) * 4));
    const parts = [text.length, 0x4e4f534a];
    const total = 12 + 8 + text.length + (bin === undefined ? 0 : 8 + bin.length);
    const out = new Uint8Array(total);
    const view = new DataView(out.buffer);
    view.setUint32(0, 0x46546c67, true);
    view.setUint32(4, 2, true);
    view.setUint32(8, total, true);
    view.setUint32(12, parts[0]!, true);
    view.setUint32(16, parts[1]!, true);
    out.set(text, 20);
    if (bin !== undefined) {
      view.setUint32(20 + text.length, bin.length, true);
      view.setUint32(24 + text.length, 0x004e4942, true);
      out.set(bin, 28 + text.length);
    }
    return out;
  };

  test("text, bytes, a document and a GLB give the same model", async () => {
    const document = skinned();
    const text = JSON.stringify(document);
    const bin = Buffer.from(String(document.buffers[0].uri).replace(/^.*,/, ""), "base64");
    const binary = glb(JSON.stringify({ ...document, buffers: [{ byteLength: bin.length }] }), bin);
    const before = JSON.stringify(document);
    for (const source of [text, `\uFEFF${text}`, new TextEncoder().encode(text), new TextEncoder().encode(text).buffer, document, binary] as const) {
      const model = await loadGltf(source);
      expect([model.nodes.length, model.meshes[0]!.vertexCount, model.animations.length]).toEqual([4, 4, 1]);
    }
    expect(JSON.stringify(document)).toBe(before);
  });

  test("separate buffers come from the resolver", async () => {
    const document = skinned();
    const bin = Buffer.from(String(document.buffers[0].uri).replace(/^.*,/, ""), "base64");
    document.buffers[0].uri = "data.bin";
    await expect(loadGltf(document)).rejects.toMatchObject({ pointer: "/buffers/0/uri" });
    const options: GltfOptions = { resolve: (uri) => Promise.resolve(uri === "data.bin" ? new Uint8Array(bin) : undefined) };
    expect((await loadGltf(document, options)).meshes).toHaveLength(1);
    await expect(loadGltf(document, { resolve: () => undefined })).rejects.toThrow(AnimFormatError);
    await expect(loadGltf(document, { resolve: () => { throw new Error("offline"); } })).rejects.toThrow(/offline/);
  });

  test.each([
    ["nothing", new Uint8Array(0)],
    ["no JSON", new TextEncoder().encode("hello")],
    ["no UTF-8", Uint8Array.from([0xff, 0xfe, 0xfd])],
    ["a GLB that is cut", glb("{}").subarray(0, 16)],
    ["a GLB that promises too much", (() => { const b = glb("{}"); new DataView(b.buffer).setUint32(8, 9999, true); return b; })()],
    ["a chunk that promises too much", (() => { const b = glb("{}"); new DataView(b.buffer).setUint32(12, 9999, true); return b; })()],
    ["a GLB of version 1", (() => { const b = glb("{}"); new DataView(b.buffer).setUint32(4, 1, true); return b; })()],
    ["a JSON array", new TextEncoder().encode("[]")],
  ])("%s is an AnimFormatError that names the file", async (_what, bytes) => {
    const error: unknown = await loadGltf(bytes, { file: "x.glb" }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(AnimFormatError);
    expect((error as AnimFormatError).file).toBe("x.glb");
  });

  test("something that is no file is an AnimArgumentError", async () => {
    await expect(loadGltf(5 as never)).rejects.toThrow(AnimArgumentError);
    await expect(loadGltf(null as never)).rejects.toThrow(AnimArgumentError);
  });

  test("meshopt views are decoded by the decoder that is passed", async () => {
    const document = skinned((data, d) => {
      const plain = data.bufferViews[0]!;
      const packed = data.view(Uint8Array.from([1, 2, 3]));
      d.extensionsRequired = ["EXT_meshopt_compression"];
      plain.extensions = { EXT_meshopt_compression: { buffer: 0, byteOffset: data.bufferViews[packed]!.byteOffset, byteLength: 3, byteStride: 12, count: 4, mode: "ATTRIBUTES" } };
    });
    await expect(loadGltf(document)).rejects.toThrow(/decodeMeshopt/);
    const model = await loadGltf(document, {
      decodeMeshopt: (source, count, stride, mode) => {
        expect([[...source], count, stride, mode]).toEqual([[1, 2, 3], 4, 12, "ATTRIBUTES"]);
        return new Uint8Array(Float32Array.from({ length: 12 }, (_, i) => i).buffer);
      },
    });
    expect([...model.meshes[0]!.positions]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    await expect(loadGltf(document, { decodeMeshopt: () => new Uint8Array(3) })).rejects.toThrow(AnimFormatError);
    await expect(loadGltf(document, { decodeMeshopt: () => { throw new Error("broken"); } })).rejects.toThrow(/broken/);
  });

  test("Draco meshes are decoded by the decoder that is passed", async () => {
    const document = skinned((data, d) => {
      const packed = data.view(Uint8Array.from([9, 8, 7])), primitive = d.meshes[0].primitives[0];
      d.extensionsRequired = ["KHR_draco_mesh_compression"];
      primitive.extensions = { KHR_draco_mesh_compression: { bufferView: packed, attributes: { POSITION: 5 } } };
    });
    // As in files of Draco encoders: the accessor says what comes out, and nothing lies behind it.
    const { attributes, indices } = document.meshes[0].primitives[0];
    for (const accessor of [attributes.POSITION, indices]) delete document.accessors[accessor].bufferView;
    const before = JSON.stringify(document), numbers = Float32Array.from({ length: 12 }, (_, i) => i);
    await expect(loadGltf(document)).rejects.toThrow(/decodeDraco/);
    const model = await loadGltf(document, {
      decodeDraco: (source, ids) => {
        expect([[...source], ids]).toEqual([[9, 8, 7], { POSITION: 5 }]);
        return { indices: [0, 1, 2, 3, 2, 1], attributes: { POSITION: numbers } };
      },
    });
    expect([...model.meshes[0]!.positions]).toEqual([...numbers]);
    expect([...model.meshes[0]!.indices]).toEqual([0, 1, 2, 3, 2, 1]);
    expect(JSON.stringify(document)).toBe(before);
    await expect(loadGltf(document, { decodeDraco: () => ({ indices: [], attributes: { POSITION: [1, 2, 3] } }) })).rejects.toThrow(AnimFormatError);
    await expect(loadGltf(document, { decodeDraco: () => ({ indices: [], attributes: {} }) })).rejects.toThrow(AnimFormatError);
    await expect(loadGltf(document, { decodeDraco: async () => await Promise.reject(new Error("broken")) })).rejects.toThrow(/broken/);
  });
});
