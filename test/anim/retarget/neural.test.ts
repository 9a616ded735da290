import { describe, expect, it } from "vitest";
import {
  AnimArgumentError, AnimClip, AnimPose, AnimRetargetProfile, AnimSkeleton, type NeuralRetargetBackend, type NeuralRetargetBatch, onnxBackend,
  type OnnxRuntime, registerNeuralBackend,
} from "../../../src/anim/index.js";
import { angleBetween, randomQuaternion, seeded } from "../rig/golden.js";

/** A random tree and a clip of 2.5 s, which takes four windows. */
function motion(): { skeleton: AnimSkeleton; clip: AnimClip } {
  const random = seeded(6), skeleton = new AnimSkeleton(), clip = new AnimClip("m");
  for (let bone = 0; bone < 7; bone++) {
    skeleton.addBone(`bone ${String.fromCharCode(97 + bone)}`, bone === 0 ? -1 : Math.floor(random() * bone));
    skeleton.setBindPosition(bone, random() - 0.5, random(), random() - 0.5);
    skeleton.setBindRotation(bone, ...randomQuaternion(random));
  }
  for (let key = 0; key <= 5; key++) {
    clip.addPositionKey(0, key / 2, random(), random(), random());
    for (let bone = 0; bone < 7; bone++) clip.addRotationKey(bone, key / 2, ...randomQuaternion(random));
  }
  return { skeleton, clip };
}

/** Ends with what the model is to answer; counts its calls. */
function standIn(answer: (batch: NeuralRetargetBatch) => { rotations: ArrayLike<number>; root?: ArrayLike<number> }): { runtime: OnnxRuntime; calls: () => number; paths: unknown[] } {
  let calls = 0;
  const paths: unknown[] = [];
  class Tensor {
    constructor(readonly type: string, readonly data: Float32Array | Int32Array, readonly dims: readonly number[]) {}
  }
  const runtime: OnnxRuntime = {
    Tensor: Tensor as never,
    InferenceSession: {
      create: async (path: never) => {
        paths.push(path);
        return {
          inputNames: ["source_rotations", "source_root", "target_parents", "fk_rotations", "source_sensors", "target_source"],
          run: async (feeds: Record<string, unknown>) => {
            calls++;
            for (const [name, tensor] of Object.entries(feeds)) {
              if (!(tensor instanceof Tensor)) throw new Error(`${name} is no tensor`);
              if (tensor.data.length !== tensor.dims.reduce((a, b) => a * b, 1)) throw new Error(`${name} has another shape`);
            }
            const { rotations, root } = answer(feeds as unknown as NeuralRetargetBatch);
            return { target_rotations: { data: rotations, dims: [] }, ...(root === undefined ? {} : { target_root: { data: root, dims: [] } }) };
          },
        };
      },
    },
  };
  return { runtime, calls: () => calls, paths };
}

const keys = (clip: AnimClip, bone: number): Float32Array | Float64Array => clip.tracks[bone]!.rotation!.values as unknown as Float64Array;

describe("the learned model of a retarget profile", () => {
  it("has the names and defaults of the module", () => {
    const profile = new AnimRetargetProfile();
    expect([profile.getNeuralRetargetEnabled(), profile.getNeuralBackend(), profile.getNeuralModelPath(), profile.getNeuralInferenceCount(), profile.getNeuralStatus()]).toEqual([false, "onnx", "", 0, "disabled"]);
    profile.setNeuralRetargetEnabled(true);
    profile.setNeuralBackend("tensor");
    profile.setNeuralModelPath("models/a.onnx");
    expect([profile.getNeuralRetargetEnabled(), profile.getNeuralBackend(), profile.getNeuralModelPath()]).toEqual([true, "tensor", "models/a.onnx"]);
    expect(() => profile.setNeuralBackend("torch" as never)).toThrow(AnimArgumentError);
    expect(() => profile.setNeuralRetargetEnabled(1 as never)).toThrow(AnimArgumentError);
    expect(() => profile.setNeuralModelPath(null as never)).toThrow(AnimArgumentError);
    expect(() => registerNeuralBackend("", () => null as never)).toThrow(AnimArgumentError);
  });

  it("an identity network gives the source's motion back on its own rig, over several windows", async () => {
    const { skeleton, clip } = motion(), profile = new AnimRetargetProfile();
    const { runtime, calls, paths } = standIn(({ source_rotations, source_root }) => ({ rotations: source_rotations.data, root: source_root.data }));
    registerNeuralBackend("onnx", () => onnxBackend(async () => runtime));
    profile.setNeuralRetargetEnabled(true);
    profile.setNeuralModelPath("identity.onnx");
    expect(await profile.loadNeuralModel()).toBe(true);
    expect(paths).toEqual(["identity.onnx"]);
    const plain = clip.retarget(skeleton, skeleton), baked = await clip.retargetWithProfileAsync(skeleton, skeleton, profile);
    expect(profile.getNeuralStatus()).toBe("ok");
    expect(profile.getNeuralInferenceCount()).toBe(76);
    expect(calls()).toBe(4);
    for (let bone = 0; bone < 7; bone++) {
      const a = keys(plain, bone), b = keys(baked, bone);
      for (let i = 0; i < a.length; i += 4) expect(angleBetween(a.subarray(i, i + 4), b.subarray(i, i + 4))).toBeLessThan(1e-5);
    }
    const way = baked.tracks[0]!.position!.values;
    plain.tracks[0]!.position!.values.forEach((v, i) => expect(Math.abs(v - way[i]!)).toBeLessThan(1e-5));
  });

  it("joints without an answer keep what the transfer of rotations gave, the others take the model's", async () => {
    const { skeleton, clip } = motion(), profile = new AnimRetargetProfile();
    const { runtime } = standIn(({ fk_rotations }) => {
      // Bone 2 at rest, bone 3 without an answer.
      const rotations = Float32Array.from(fk_rotations.data);
      for (let i = 0; i < rotations.length; i += 42) {
        rotations.set([1, 0, 0, 0, 1, 0], i + 12);
        rotations.fill(0, i + 18, i + 24);
      }
      return { rotations };
    });
    registerNeuralBackend("onnx", () => onnxBackend(runtime));
    profile.setNeuralRetargetEnabled(true);
    await profile.loadNeuralModel(new Uint8Array(3));
    const plain = clip.retarget(skeleton, skeleton), baked = await clip.retargetWithProfileAsync(skeleton, skeleton, profile), a = new AnimPose(), b = new AnimPose(), rest = new AnimPose();
    skeleton.applyBindPose(rest);
    rest.computeWorld(skeleton);
    plain.sample(0.7, a, skeleton);
    baked.sample(0.7, b, skeleton);
    b.computeWorld(skeleton);
    const local = (p: AnimPose, bone: number): number[] => [p.getLocalRotationX(bone), p.getLocalRotationY(bone), p.getLocalRotationZ(bone), p.getLocalRotationW(bone)];
    const world = (p: AnimPose, bone: number): number[] => [p.getWorldRotationX(bone), p.getWorldRotationY(bone), p.getWorldRotationZ(bone), p.getWorldRotationW(bone)];
    expect(angleBetween(world(b, 2), world(rest, 2))).toBeLessThan(1e-5);
    expect(angleBetween(local(b, 3), local(a, 3))).toBeLessThan(1e-5);
  });

  it("falls back to the very same clip, and says why, in every way that it can fail", async () => {
    const { skeleton, clip } = motion(), plain = clip.retarget(skeleton, skeleton);
    const check = (baked: AnimClip, profile: AnimRetargetProfile, status: RegExp): void => {
      expect(profile.getNeuralStatus()).toMatch(status);
      expect(profile.getNeuralInferenceCount()).toBe(0);
      for (let bone = 0; bone < 7; bone++) expect(keys(baked, bone)).toEqual(keys(plain, bone));
    };
    const prepare = async (answer: Parameters<typeof standIn>[0]): Promise<AnimRetargetProfile> => {
      const profile = new AnimRetargetProfile(), { runtime } = standIn(answer);
      registerNeuralBackend("onnx", () => onnxBackend(runtime));
      profile.setNeuralRetargetEnabled(true);
      await profile.loadNeuralModel();
      return profile;
    };
    const missing = new AnimRetargetProfile();
    missing.setNeuralRetargetEnabled(true);
    missing.setNeuralBackend("tensor");
    check(clip.retargetWithProfile(skeleton, skeleton, missing), missing, /^backend missing$/);
    expect(await missing.loadNeuralModel()).toBe(false);

    const good = await prepare(({ source_rotations }) => ({ rotations: source_rotations.data }));
    check(clip.retargetWithProfile(skeleton, skeleton, good), good, /^asynchronous in synchronous call$/);
    good.setNeuralModelPath("another.onnx");
    check(await clip.retargetWithProfileAsync(skeleton, skeleton, good), good, /^model not loaded$/);

    const nan = await prepare(({ source_rotations }) => ({ rotations: Float32Array.from(source_rotations.data).fill(NaN, 5, 6) }));
    check(await clip.retargetWithProfileAsync(skeleton, skeleton, nan), nan, /^failed: .*not finite/);
    const short = await prepare(() => ({ rotations: new Float32Array(5) }));
    check(await clip.retargetWithProfileAsync(skeleton, skeleton, short), short, /^failed: .*5 numbers/);
    const broken = await prepare(() => {
      throw new Error("out of memory");
    });
    check(await clip.retargetWithProfileAsync(skeleton, skeleton, broken), broken, /^failed: out of memory/);

    registerNeuralBackend("onnx", () => onnxBackend(async () => {
      throw new Error("no such module");
    }));
    const unloaded = new AnimRetargetProfile();
    unloaded.setNeuralRetargetEnabled(true);
    expect(await unloaded.loadNeuralModel()).toBe(false);
    expect(unloaded.getNeuralStatus()).toBe("failed: no such module");
  });

  it("a synchronous backend works in the synchronous bake", () => {
    const { skeleton, clip } = motion(), profile = new AnimRetargetProfile(), plain = clip.retarget(skeleton, skeleton);
    const backend: NeuralRetargetBackend = {
      name: "own", synchronous: true, ready: true, load: async () => undefined, dispose: () => undefined,
      infer: (batch) => ({ target_rotations: batch.fk_rotations, target_root: batch.source_root }),
    };
    registerNeuralBackend("tensor", () => backend);
    profile.setNeuralBackend("tensor");
    profile.setNeuralRetargetEnabled(true);
    const baked = clip.retargetWithProfile(skeleton, skeleton, profile);
    expect([profile.getNeuralStatus(), profile.getNeuralInferenceCount()]).toEqual(["ok", 76]);
    for (let i = 0; i < 20; i += 4) expect(angleBetween(keys(baked, 3).subarray(i, i + 4), keys(plain, 3).subarray(i, i + 4))).toBeLessThan(1e-5);
  });
});
