/** KHR_draco_mesh_compression through a decoder that the program brings. */
import type { JsonCheck, JsonObject } from "../json-check.js";

/** What a Draco decoder gives back; arrays of plain numbers, as many as the accessors say. */
export interface DracoMesh {
  /** Triangles. */
  readonly indices: ArrayLike<number>;
  /** By glTF name (POSITION, NORMAL, TEXCOORD_0, JOINTS_0, …): components of all vertices; normalised integers as they are. */
  readonly attributes: Readonly<Record<string, ArrayLike<number>>>;
}

/**
 * Decodes one mesh (KHR_draco_mesh_compression), for instance with the decoder of Google's draco package.
 * @param source - the compressed bytes
 * @param ids - Draco's unique id of each attribute, by glTF name
 */
export type DracoDecoder = (source: Uint8Array, ids: Readonly<Record<string, number>>) => DracoMesh | Promise<DracoMesh>;

const NAME = "KHR_draco_mesh_compression";
const ARRAYS = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array } as const;
const COMPONENTS: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

/** Puts decoded numbers in the place of compressed meshes. Returns the document and buffers to go on with; the caller's stay as they are. */
export async function decompressMeshes(
  check: JsonCheck, json: JsonObject, buffers: readonly Uint8Array[], decode: DracoDecoder | undefined,
): Promise<{ json: JsonObject; buffers: readonly Uint8Array[] }> {
  if (decode === undefined) return { json, buffers };
  const views = check.objects(json.bufferViews, "/bufferViews"), accessors = [...check.objects(json.accessors, "/accessors")];
  const outBuffers = [...buffers], outViews: JsonObject[] = [...views];
  let changed = false;

  const put = (index: number, numbers: ArrayLike<number> | undefined, pointer: string): void => {
    const accessor = accessors[index]!, type = check.integer(accessor.componentType, `/accessors/${index}/componentType`, 5120, 5126);
    const Type = ARRAYS[type as keyof typeof ARRAYS], width = COMPONENTS[check.string(accessor.type, `/accessors/${index}/type`)];
    if (Type === undefined || width === undefined) return check.fail(`/accessors/${index}`, "is of a type that Draco meshes do not have", accessor.type);
    const count = check.integer(accessor.count, `/accessors/${index}/count`, 1, 0x7fffffff);
    if (numbers?.length !== count * width) return check.fail(pointer, `was decoded to ${numbers?.length ?? 0} numbers instead of ${count * width}`, numbers?.length);
    const bytes = new Uint8Array(Type.from(numbers).buffer);
    outViews.push({ buffer: outBuffers.push(bytes) - 1, byteLength: bytes.length });
    accessors[index] = { ...accessor, bufferView: outViews.length - 1, byteOffset: 0 };
  };

  for (const [m, mesh] of check.objects(json.meshes, "/meshes").entries()) {
    for (const [p, primitive] of check.objects(mesh.primitives, `/meshes/${m}/primitives`).entries()) {
      const at = `/meshes/${m}/primitives/${p}`, pointer = `${at}/extensions/${NAME}`;
      const draco = check.optionalObject(check.optionalObject(primitive.extensions, `${at}/extensions`)?.[NAME], pointer);
      if (draco === undefined) continue;
      const view = views[check.index(draco.bufferView, `${pointer}/bufferView`, views.length, "buffer views")]!;
      const buffer = buffers[check.index(view.buffer, `${pointer}/bufferView`, buffers.length, "buffers")]!;
      const offset = check.optionalInteger(view.byteOffset, `${pointer}/bufferView`, 0, 0, buffer.length), length = check.integer(view.byteLength, `${pointer}/bufferView`, 1, buffer.length - offset);
      const ids = check.object(draco.attributes, `${pointer}/attributes`), attributes = check.object(primitive.attributes, `${at}/attributes`);
      for (const [name, id] of Object.entries(ids)) check.integer(id, `${pointer}/attributes/${name}`, 0, 0x7fffffff);
      let decoded: DracoMesh;
      try {
        decoded = await decode(buffer.subarray(offset, offset + length), ids as Record<string, number>);
      } catch (cause) {
        return check.fail(pointer, `could not be decoded: ${(cause as Error)?.message ?? String(cause)}`);
      }
      for (const name of Object.keys(ids)) {
        put(check.index(attributes[name], `${at}/attributes/${name}`, accessors.length, "accessors"), decoded?.attributes?.[name], `${pointer}/attributes/${name}`);
      }
      if (primitive.indices !== undefined) put(check.index(primitive.indices, `${at}/indices`, accessors.length, "accessors"), decoded?.indices, pointer);
      changed = true;
    }
  }
  return changed ? { json: { ...json, bufferViews: outViews, accessors }, buffers: outBuffers } : { json, buffers };
}
