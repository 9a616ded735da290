import { INSTANCE_BYTES, InstanceField } from "../../assembly/layout/crowd.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import type { Skin } from "../spine/model/skin.js";
import { heap } from "../wasm/heap.js";
import type { CrowdParts } from "./parts.js";
import { openSnapshot, type SavedVariant, type SnapshotShape, writeSnapshot } from "./snapshot.js";

/** What a snapshot of a crowd looks like. */
function shapeOf(data: SkeletonData, parts: CrowdParts): SnapshotShape {
  const { rotations, frozen, shapes } = parts.playback.ownedBytes;
  return {
    boneCount: data.bones.length, clipCount: parts.clips.count, knows: (variant) => skinOf(variant, data, parts) !== undefined,
    rowBytes: [parts.instances.stride, parts.instances.slotsStride, parts.instances.slidersStride],
    owned: [
      { field: InstanceField.PHYSICS, bytes: parts.variants.physicsBytes },
      { field: InstanceField.BETWEEN, bytes: parts.levels.betweenBytes },
      { field: InstanceField.ROTATIONS, bytes: rotations },
      { field: InstanceField.OVERLAY_ROTATIONS, bytes: rotations },
      { field: InstanceField.FROZEN, bytes: frozen },
      { field: InstanceField.FROZEN_SHAPES, bytes: shapes },
    ],
    deformLengths: parts.clips.shapes.targets.map(({ length }) => length),
  };
}

/** Skins of a name that are not in the data but were given to characters, in the order in which they came. */
function madeSkins(name: string, data: SkeletonData, parts: CrowdParts): Skin[] {
  const skins = new Set(parts.variants.variants.flatMap(({ skin }) => (skin !== null && skin.name === name && !data.skins.includes(skin) ? [skin] : [])));
  return [...skins];
}

/** Skin of a saved variant, undefined if there is none. */
function skinOf({ skin, made }: SavedVariant, data: SkeletonData, parts: CrowdParts): Skin | null | undefined {
  if (skin === null) return null;
  if (made === undefined) return data.findSkin(skin) ?? undefined;
  return madeSkins(skin, data, parts)[made];
}

/** See `Crowd.snapshot`. */
export function save(data: SkeletonData, parts: CrowdParts): ArrayBuffer {
  const { instances } = parts;
  const saved = {
    count: instances.count, ids: instances.ids.save(), queues: parts.playback.queues,
    variants: parts.variants.variants.map(({ skin, detail }) => ({
      skin: skin?.name ?? null, detail, made: skin === null || data.skins.includes(skin) ? undefined : madeSkins(skin.name, data, parts).indexOf(skin),
    })),
  };
  return writeSnapshot(shapeOf(data, parts), saved, (row) => instances.at(row), (row) => [
    instances.palettePtr + row * instances.stride, instances.slotsPtr + row * instances.slotsStride,
    instances.slidersPtr + row * instances.slidersStride,
  ]);
}

/** See `Crowd.restore`. @throws FormatError */
export function restore(data: SkeletonData, parts: CrowdParts, snapshot: ArrayBuffer | ArrayBufferView): void {
  const shape = shapeOf(data, parts);
  const open = openSnapshot(snapshot, shape);
  const variants = open.variants.map((variant) => parts.variants.index(skinOf(variant, data, parts) ?? null, variant.detail));
  const { instances } = parts;
  instances.reserve(Math.max(open.ids.generationOfSlot.length, open.count));
  for (let row = 0; row < instances.count; row++) {
    const at = instances.at(row);
    parts.playback.release(instances.ids.id(row), at);
    parts.levels.release(at);
    const physics = heap.u32[(at + InstanceField.PHYSICS) >> 2]!;
    if (physics !== 0) parts.physics!.give(physics);
  }
  parts.frame.events.discard(parts.frame.crowd);
  instances.ids.restore(open.ids);
  const queues = new Map(open.queues);
  let from = open.bodyAt;
  const take = (to: number, bytes: number): void => {
    heap.u8.set(open.bytes.subarray(from, from + bytes), to);
    from += bytes;
  };
  for (let row = 0; row < open.count; row++) {
    const at = instances.at(row);
    take(at, INSTANCE_BYTES);
    const id = instances.ids.id(row);
    const variant = heap.u32[(at + InstanceField.VARIANT) >> 2]!;
    heap.u32[(at + InstanceField.VARIANT) >> 2] = variants[variant]!;
    // In the order of `shapeOf`: physics and poses first, then what the playback owns.
    const hasPhysics = heap.u32[(at + InstanceField.PHYSICS) >> 2] !== 0;
    const physics = hasPhysics ? parts.physics!.take() : 0;
    heap.u32[(at + InstanceField.PHYSICS) >> 2] = physics;
    if (hasPhysics) take(physics, parts.variants.physicsBytes);
    if (heap.u32[(at + InstanceField.BETWEEN) >> 2] !== 0) take(parts.levels.takeBetween(at), parts.levels.betweenBytes);
    parts.playback.adopt(id, at, queues.get(id), (field, ptr) => take(ptr, shape.owned.find((owned) => owned.field === field)!.bytes));
    take(instances.palettePtr + row * instances.stride, instances.stride);
    take(instances.slotsPtr + row * instances.slotsStride, instances.slotsStride);
    take(instances.slidersPtr + row * instances.slidersStride, instances.slidersStride);
  }
  parts.frame.order.invalidate();
}
