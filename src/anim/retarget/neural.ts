import { AnimArgumentError } from "../errors.js";
import { requireName, show } from "../rig/checks.js";

/** Numbers with a shape, row-major. */
export interface NeuralTensor {
  readonly data: Float32Array | Int32Array;
  readonly dims: readonly number[];
}

/**
 * A stretch of T frames of the source, and both rigs. Rotations are in 6D form: the first two columns of the matrix of a
 * bone's model space rotation away from its rest pose. Lengths are in heights of their rig.
 *
 * | name | shape | |
 * | --- | --- | --- |
 * | `source_rotations` | T x Js x 6 | the source's motion |
 * | `source_root` | T x 3 | the source root's way from its rest place |
 * | `source_parents`, `target_parents` | Js, Jt | i32, -1 for roots |
 * | `source_offsets`, `target_offsets` | Js x 3, Jt x 3 | rest position in the parent's space |
 * | `source_sensors`, `target_sensors` | S x 3 each | surface points of both rigs in the rest pose, in the same order |
 * | `target_source` | Jt | i32, the source bone that a target bone is matched with, or -1 |
 * | `fk_rotations` | T x Jt x 6 | what the transfer of rotations gives, which the model improves |
 */
export type NeuralRetargetBatch = Readonly<Record<
  "source_rotations" | "source_root" | "source_parents" | "target_parents" | "source_offsets" | "target_offsets" | "source_sensors" | "target_sensors"
  | "target_source" | "fk_rotations", NeuralTensor>>;

/** What a model answers: the target's rotations, T x Jt x 6, and perhaps its root's way, T x 3, in the forms of the batch. */
export interface NeuralRetargetResult {
  /** A joint and frame whose columns have no length or one direction keeps what the transfer of rotations gave. */
  readonly target_rotations: { readonly data: ArrayLike<number>; readonly dims?: readonly number[] };
  readonly target_root?: { readonly data: ArrayLike<number>; readonly dims?: readonly number[] } | undefined;
}

/** Something that runs a learned model. Its errors make a bake fall back; they never reach the caller. */
export interface NeuralRetargetBackend {
  readonly name: string;
  /** Whether `infer` answers at once, so that the synchronous `retargetWithProfile` can use it. */
  readonly synchronous: boolean;
  readonly ready: boolean;
  load(pathOrBytes: string | Uint8Array): Promise<void>;
  infer(batch: NeuralRetargetBatch): NeuralRetargetResult | Promise<NeuralRetargetResult>;
  dispose(): void;
}

/** What is used of an ONNX runtime session; `InferenceSession` of onnxruntime-web and onnxruntime-node fits. */
export interface OnnxSession {
  readonly inputNames: readonly string[];
  run(feeds: Record<string, unknown>): Promise<Record<string, { readonly data: unknown; readonly dims: readonly number[] }>>;
  release?(): unknown;
}

/** What is used of an ONNX runtime; the modules onnxruntime-web and onnxruntime-node fit. */
export interface OnnxRuntime {
  readonly InferenceSession: { create(model: never): Promise<OnnxSession> };
  readonly Tensor: new (type: never, data: never, dims: readonly number[]) => unknown;
}

const factories = /* @__PURE__ */ new Map<string, () => NeuralRetargetBackend>();

/**
 * Makes a backend known under a name that `AnimRetargetProfile.setNeuralBackend` takes ("onnx" or "tensor"); a later one
 * replaces it. The library brings no model and no runtime of its own.
 */
export function registerNeuralBackend(name: string, factory: () => NeuralRetargetBackend): void {
  requireName("registerNeuralBackend", "name", name);
  if (typeof factory !== "function") throw new AnimArgumentError(`registerNeuralBackend: factory is ${show(factory)}, expected a function that returns a backend.`);
  factories.set(name, factory);
}

/** @internal */
export function neuralBackendFactory(name: string): (() => NeuralRetargetBackend) | undefined {
  return factories.get(name);
}

/**
 * A backend over an ONNX runtime that the application brings:
 * `registerNeuralBackend("onnx", () => onnxBackend(() => import("onnxruntime-web")))`.
 *
 * The model's inputs are tensors of `NeuralRetargetBatch` by name; those that it does not have are left out. Its outputs are
 * `target_rotations` and, if it has one, `target_root`.
 * @param runtime - the module, or a function that imports it when a model is loaded
 * @param session - a session that exists already; then nothing is loaded
 */
export function onnxBackend(runtime: OnnxRuntime | (() => Promise<OnnxRuntime>), session?: OnnxSession): NeuralRetargetBackend {
  let module: OnnxRuntime | undefined = typeof runtime === "function" ? undefined : runtime, running = session;
  const loaded = async (): Promise<OnnxRuntime> => (module ??= await (runtime as () => Promise<OnnxRuntime>)());
  return {
    name: "onnx",
    synchronous: false,
    get ready() { return running !== undefined; },
    async load(pathOrBytes) {
      const { InferenceSession } = await loaded();
      if (session === undefined) running = await InferenceSession.create(pathOrBytes as never);
    },
    async infer(batch) {
      const { Tensor } = await loaded(), feeds: Record<string, unknown> = {};
      for (const name of running!.inputNames) {
        const tensor = (batch as Record<string, NeuralTensor | undefined>)[name];
        if (tensor === undefined) throw new Error(`the model has an input "${name}", which is none of ${Object.keys(batch).join(", ")}`);
        feeds[name] = new Tensor((tensor.data instanceof Int32Array ? "int32" : "float32") as never, tensor.data as never, tensor.dims);
      }
      const out = await running!.run(feeds), rotations = out["target_rotations"];
      if (rotations === undefined) throw new Error(`the model has the outputs ${Object.keys(out).join(", ")}, expected target_rotations`);
      return { target_rotations: rotations, target_root: out["target_root"] } as NeuralRetargetResult;
    },
    dispose() {
      if (session === undefined) void running?.release?.();
      running = session;
    },
  };
}
