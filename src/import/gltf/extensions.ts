import type { JsonCheck, JsonObject } from "../json-check.js";

/** Turns the compressed bytes of a buffer view into `count × stride` plain ones (EXT_meshopt_compression). */
export type MeshoptDecoder = (source: Uint8Array, count: number, stride: number, mode: string, filter: string) => Uint8Array;

/** Extensions that change how a file must be read, and that this importer follows or can safely leave aside. */
const SUPPORTED = [
  "KHR_mesh_quantization", "KHR_animation_pointer", "KHR_texture_transform", "KHR_texture_basisu", "EXT_texture_webp", "EXT_texture_avif",
  "MSFT_texture_dds", "VRMC_springBone", "VRMC_springBone_extended_collider", "VRMC_vrm", "VRM",
];

/** Rejects required extensions that are not supported. Materials and textures are never read, so theirs do no harm. */
export function checkExtensions(check: JsonCheck, json: JsonObject, meshopt: boolean, draco: boolean): void {
  const required = check.array(json.extensionsRequired, "/extensionsRequired").map((e, i) => check.string(e, `/extensionsRequired/${i}`));
  const unknown = required.filter(
    (name) => !(SUPPORTED.includes(name) || name.startsWith("KHR_materials_") || name.startsWith("VRMC_materials_") || (meshopt && name === "EXT_meshopt_compression") || (draco && name === "KHR_draco_mesh_compression")),
  );
  if (unknown.length === 0) return;
  const hint = unknown.includes("EXT_meshopt_compression") ? "; pass options.decodeMeshopt to read meshopt data"
    : unknown.includes("KHR_draco_mesh_compression") ? "; pass options.decodeDraco to read Draco meshes" : "";
  check.fail("/extensionsRequired", `needs ${unknown.map((n) => n.slice(0, 60)).join(", ")}, which osteon does not support${hint}`, unknown);
}

/**
 * Replaces meshopt-compressed views by plain ones. Returns the document and buffers to go on with; both are new where
 * anything was compressed.
 */
export function decompressViews(
  check: JsonCheck, json: JsonObject, buffers: readonly Uint8Array[], decode: MeshoptDecoder | undefined,
): { json: JsonObject; buffers: readonly Uint8Array[] } {
  if (decode === undefined) return { json, buffers };
  const outBuffers = [...buffers];
  let changed = false;
  const views = check.objects(json.bufferViews, "/bufferViews").map((view, i) => {
    const pointer = `/bufferViews/${i}/extensions/EXT_meshopt_compression`;
    const extensions = check.optionalObject(view.extensions, `/bufferViews/${i}/extensions`);
    const meshopt = check.optionalObject(extensions?.EXT_meshopt_compression, pointer);
    if (meshopt === undefined) return view;
    const buffer = buffers[check.index(meshopt.buffer, `${pointer}/buffer`, buffers.length, "buffers")]!;
    const byteOffset = check.optionalInteger(meshopt.byteOffset, `${pointer}/byteOffset`, 0, 0, buffer.length);
    const byteLength = check.integer(meshopt.byteLength, `${pointer}/byteLength`, 1, buffer.length - byteOffset);
    const stride = check.integer(meshopt.byteStride, `${pointer}/byteStride`, 1, 256);
    const count = check.integer(meshopt.count, `${pointer}/count`, 1, 64 * buffer.length + 4096);
    const mode = check.string(meshopt.mode, `${pointer}/mode`);
    const filter = check.optionalString(meshopt.filter, `${pointer}/filter`, "NONE");
    let plain: Uint8Array;
    try {
      plain = decode(buffer.subarray(byteOffset, byteOffset + byteLength), count, stride, mode, filter);
    } catch (cause) {
      return check.fail(pointer, `could not be decoded: ${(cause as Error)?.message ?? String(cause)}`);
    }
    if (plain.length < count * stride) check.fail(pointer, `was decoded to ${plain.length} bytes instead of ${count * stride}`);
    changed = true;
    outBuffers.push(plain);
    return { buffer: outBuffers.length - 1, byteLength: count * stride, ...(view.byteStride === undefined ? {} : { byteStride: view.byteStride }) };
  });
  return changed ? { json: { ...json, bufferViews: views }, buffers: outBuffers } : { json, buffers };
}

/** Humanoid bones of VRM 1 and VRM 0. */
export function readHumanoid(check: JsonCheck, json: JsonObject, nodeCount: number): Map<string, number> {
  const bones = new Map<string, number>();
  const extensions = check.optionalObject(json.extensions, "/extensions");
  const one = check.optionalObject(extensions?.VRMC_vrm, "/extensions/VRMC_vrm");
  const humanoid = check.optionalObject(one?.humanoid, "/extensions/VRMC_vrm/humanoid");
  const human = check.optionalObject(humanoid?.humanBones, "/extensions/VRMC_vrm/humanoid/humanBones");
  for (const [name, bone] of Object.entries(human ?? {})) {
    const pointer = `/extensions/VRMC_vrm/humanoid/humanBones/${name}`;
    bones.set(name, check.index(check.object(bone, pointer).node, `${pointer}/node`, nodeCount, "nodes"));
  }
  const zero = check.optionalObject(extensions?.VRM, "/extensions/VRM");
  const list = check.objects(check.optionalObject(zero?.humanoid, "/extensions/VRM/humanoid")?.humanBones, "/extensions/VRM/humanoid/humanBones");
  list.forEach((bone, i) => {
    const pointer = `/extensions/VRM/humanoid/humanBones/${i}`;
    const name = check.string(bone.bone, `${pointer}/bone`);
    if (!bones.has(name)) bones.set(name, check.index(bone.node, `${pointer}/node`, nodeCount, "nodes"));
  });
  return bones;
}
