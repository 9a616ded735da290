import type { JsonCheck, JsonObject } from "../json-check.js";

/** What the document says about an accessor, after validation. */
export interface AccessorInfo {
  count: number;
  /** Numbers per element: 1, 2, 3, 4, 9, 16. */
  components: number;
  type: string;
  componentType: number;
  normalized: boolean;
}

/** Numbers per element of every accessor type. */
export const COMPONENTS: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
const COMPONENT_BYTES: Readonly<Record<number, number>> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };

/** Components that a file may ask for beyond eight per byte of its buffers: what accessors without data may cost. */
const FREE_COMPONENTS = 1 << 22;

/**
 * Checks buffer views and accessors against the buffers they lie in: indices, ranges, alignment, sparse parts, and the
 * total size after decoding, so that a small file cannot ask for much memory.
 */
export function validateAccessors(check: JsonCheck, json: JsonObject, buffers: readonly Uint8Array[]): AccessorInfo[] {
  const views = check.objects(json.bufferViews, "/bufferViews");
  const viewLengths = views.map((view, i) => {
    const pointer = `/bufferViews/${i}`;
    const buffer = check.index(view.buffer, `${pointer}/buffer`, buffers.length, "buffers");
    const length = buffers[buffer]!.length;
    const byteOffset = check.optionalInteger(view.byteOffset, `${pointer}/byteOffset`, 0, 0, length);
    check.optionalInteger(view.byteStride, `${pointer}/byteStride`, 4, 4, 252);
    return check.integer(view.byteLength, `${pointer}/byteLength`, 1, length - byteOffset);
  });

  const inView = (viewIndex: number, at: number, bytes: number, pointer: string): void => {
    if (at + bytes > viewLengths[viewIndex]!) {
      check.fail(pointer, `needs ${at + bytes} bytes of a buffer view of ${viewLengths[viewIndex]!}`, at + bytes);
    }
  };
  let budget = FREE_COMPONENTS + 8 * buffers.reduce((sum, bytes) => sum + bytes.length, 0);

  return check.objects(json.accessors, "/accessors").map((accessor, i) => {
    const pointer = `/accessors/${i}`;
    const type = check.string(accessor.type, `${pointer}/type`);
    const components = Object.hasOwn(COMPONENTS, type) ? COMPONENTS[type]! : check.fail(`${pointer}/type`, `is "${type}", expected SCALAR, VEC2…4 or MAT2…4`, type);
    const componentType = check.integer(accessor.componentType, `${pointer}/componentType`, 5120, 5126);
    const componentBytes = COMPONENT_BYTES[componentType] ?? check.fail(`${pointer}/componentType`, `${componentType} is unknown`, componentType);
    const normalized = check.boolean(accessor.normalized, `${pointer}/normalized`, false);
    if (normalized && componentType >= 5125) check.fail(`${pointer}/normalized`, "is set on 32-bit data");
    const count = check.integer(accessor.count, `${pointer}/count`, 1, 0x7fffffff);
    budget -= count * components;
    if (budget < 0) check.fail(`${pointer}/count`, `is ${count}: the accessors together are far larger than the file`, count);

    const elementBytes = bytesPerElement(type, components, componentBytes);
    const bufferView = check.optionalIndex(accessor.bufferView, `${pointer}/bufferView`, views.length, "bufferViews");
    if (bufferView >= 0) {
      const byteOffset = check.optionalInteger(accessor.byteOffset, `${pointer}/byteOffset`, 0, 0, 0x7fffffff);
      const byteStride = check.optionalInteger(views[bufferView]!.byteStride, `/bufferViews/${bufferView}/byteStride`, elementBytes, 4, 252);
      if (byteStride < elementBytes) check.fail(`/bufferViews/${bufferView}/byteStride`, `is ${byteStride}, less than the ${elementBytes} bytes of an element`, byteStride);
      aligned(check, byteOffset + numberOr(views[bufferView]!.byteOffset, 0), componentBytes, `${pointer}/byteOffset`);
      aligned(check, byteStride, componentBytes, `/bufferViews/${bufferView}/byteStride`);
      inView(bufferView, byteOffset, (count - 1) * byteStride + elementBytes, pointer);
    }
    if (accessor.sparse !== undefined) {
      validateSparse(check, check.object(accessor.sparse, `${pointer}/sparse`), `${pointer}/sparse`, { count, elementBytes, componentBytes }, views, buffers, inView);
    }
    return { count, components, type, componentType, normalized };
  });
}

function validateSparse(
  check: JsonCheck,
  sparse: JsonObject,
  pointer: string,
  { count, elementBytes, componentBytes }: { count: number; elementBytes: number; componentBytes: number },
  views: readonly JsonObject[],
  buffers: readonly Uint8Array[],
  inView: (view: number, at: number, bytes: number, pointer: string) => void,
): void {
  const sparseCount = check.integer(sparse.count, `${pointer}/count`, 1, count);
  const indices = check.object(sparse.indices, `${pointer}/indices`);
  const values = check.object(sparse.values, `${pointer}/values`);
  const indexType = check.integer(indices.componentType, `${pointer}/indices/componentType`, 5121, 5125);
  const indexBytes = indexType === 5121 ? 1 : indexType === 5123 ? 2 : indexType === 5125 ? 4 : check.fail(`${pointer}/indices/componentType`, `${indexType} cannot hold indices`);
  for (const [part, name, bytes, alignment] of [[indices, "indices", indexBytes, indexBytes], [values, "values", elementBytes, componentBytes]] as const) {
    const view = check.index(part.bufferView, `${pointer}/${name}/bufferView`, views.length, "bufferViews");
    const byteOffset = check.optionalInteger(part.byteOffset, `${pointer}/${name}/byteOffset`, 0, 0, 0x7fffffff);
    aligned(check, byteOffset + numberOr(views[view]!.byteOffset, 0), alignment, `${pointer}/${name}/byteOffset`);
    inView(view, byteOffset, sparseCount * bytes, `${pointer}/${name}`);
    if (name === "indices") sparseIndices(check, views[view]!, buffers, byteOffset, sparseCount, bytes, count, `${pointer}/indices`);
  }
}

/** Sparse indices must grow strictly and stay below the accessor's count. */
function sparseIndices(
  check: JsonCheck, view: JsonObject, buffers: readonly Uint8Array[], byteOffset: number, sparseCount: number, bytes: number, count: number, pointer: string,
): void {
  const data = buffers[view.buffer as number]!;
  const reader = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let previous = -1;
  for (let i = 0; i < sparseCount; i++) {
    const at = numberOr(view.byteOffset, 0) + byteOffset + i * bytes;
    const index = bytes === 1 ? reader.getUint8(at) : bytes === 2 ? reader.getUint16(at, true) : reader.getUint32(at, true);
    if (index <= previous || index >= count) check.fail(pointer, `hold ${index} after ${previous}, expected growing numbers below ${count}`, index);
    previous = index;
  }
}

/** Matrix columns start on multiples of four bytes. */
function bytesPerElement(type: string, components: number, componentBytes: number): number {
  if (!type.startsWith("MAT")) return components * componentBytes;
  const rows = Math.sqrt(components);
  return rows * (Math.ceil((rows * componentBytes) / 4) * 4);
}

function aligned(check: JsonCheck, offset: number, bytes: number, pointer: string): void {
  if (offset % bytes !== 0) check.fail(pointer, `puts ${bytes}-byte numbers at byte ${offset}, which is not a multiple of ${bytes}`, offset);
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}
