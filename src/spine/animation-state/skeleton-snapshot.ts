import { HeaderRow, SlotRow } from "../../../assembly/layout/rig2d.js";
import { PHYSICS_STATE_ROWS } from "../../../assembly/layout/update.js";
import { StateError } from "../../errors.js";
import { heap } from "../../wasm/heap.js";
import type { Attachment } from "../attachments/attachment.js";
import type { SkeletonData } from "../data/skeleton-data.js";
import type { Skeleton } from "../model/skeleton.js";
import type { SlotPose } from "../model/slot-pose.js";
import type { Skin } from "../model/skin.js";
import type { SnapshotReader, SnapshotWriter } from "./snapshot-bytes.js";

const NONE = -1;
/** The skin is not among those of the data: restoring leaves the skeleton's skin alone. */
const OWN_SKIN = -2;

/** All attachments of the data's skins, in an order that only depends on the data. */
function attachmentsOf(data: SkeletonData): Attachment[] {
  const seen = new Set<Attachment>();
  for (const skin of data.skins) {
    for (const map of skin.attachments) {
      for (const name in map) seen.add(map[name]!);
    }
  }
  return [...seen];
}

/** Writes the poses, skin, draw order, placement and physics of a skeleton. */
export function writeSkeleton(skeleton: Skeleton, out: SnapshotWriter): void {
  const { data, skin } = skeleton;
  const attachments = new Map(attachmentsOf(data).map((attachment, i) => [attachment, i]));
  out.i32(skeleton._shape.rows);
  out.i32(skin === null ? NONE : data.skins.includes(skin) ? data.skins.indexOf(skin) : OWN_SKIN);
  out.f64(skeleton.scaleY);
  out.bytes(withoutAddresses(skeleton));
  for (const slot of skeleton.slots) {
    for (const pose of [slot.pose, slot._constrained]) {
      const { attachment } = pose;
      const index = attachment === null ? NONE : attachments.get(attachment);
      if (index === undefined) {
        throw new StateError(`Slot "${slot.data.name}" shows "${attachment!.name}", which is in no skin of the data, so it cannot be stored. Add it to a skin in SkeletonData.skins.`);
      }
      out.i32(index);
      const start = heap.u32[skeleton._base + pose._row + SlotRow.DEFORM]!;
      out.bytes(heap.u8.subarray(start, start + pose._deformLength * 4));
    }
  }
  for (const order of [skeleton.drawOrder.pose, skeleton.drawOrder._constrained]) {
    out.i32(order.length);
    for (const slot of order) out.i32(slot.data.index);
  }
  const { physics, bytes } = physicsOf(skeleton);
  out.bytes(heap.u8.subarray(physics, physics + bytes));
}

/** The pose block; places of blocks and records say nothing elsewhere. */
function withoutAddresses(skeleton: Skeleton): Uint8Array {
  const block = heap.u8.slice(skeleton._block, skeleton._block + skeleton._shape.rows * 8);
  const rows = new Uint32Array(block.buffer);
  rows[HeaderRow.PHYSICS] = 0;
  for (const slot of skeleton.slots) {
    for (const { _row: row } of [slot.pose, slot._constrained]) {
      for (const field of [SlotRow.ATTACHMENT, SlotRow.ATTACHMENT_KEY, SlotRow.DEFORM, SlotRow.DEFORM_CAPACITY]) rows[row + field] = 0;
    }
  }
  return block;
}

function physicsOf(skeleton: Skeleton): { physics: number; bytes: number } {
  const physics = heap.u32[skeleton._base + HeaderRow.PHYSICS]!;
  return { physics, bytes: physics === 0 ? 0 : skeleton.physics.length * PHYSICS_STATE_ROWS * 4 };
}

/** What was read for a skeleton, checked, ready to be put in place. */
export interface SkeletonImage {
  skin: Skin | null | undefined;
  scaleY: number;
  block: Uint8Array;
  slots: { attachment: Attachment | null; deform: Uint8Array }[];
  orders: number[][];
  physics: Uint8Array;
}

/** Reads and checks everything before anything is changed. */
export function readSkeleton(skeleton: Skeleton, input: SnapshotReader): SkeletonImage {
  const { data } = skeleton;
  const attachments = attachmentsOf(data);
  if (input.i32() !== skeleton._shape.rows) input.fail("The snapshot is of a skeleton with other bones, slots or constraints");
  const skinIndex = input.index(OWN_SKIN, data.skins.length - 1, "A skin");
  const scaleY = input.f64();
  const block = input.bytes();
  if (block.length !== skeleton._shape.rows * 8) input.fail("The pose has another size");
  const slots: SkeletonImage["slots"] = [];
  for (let i = 0; i < skeleton.slots.length * 2; i++) {
    const index = input.index(NONE, attachments.length - 1, "An attachment");
    slots.push({ attachment: index === NONE ? null : attachments[index]!, deform: input.bytes() });
  }
  const orders: number[][] = [];
  for (let k = 0; k < 2; k++) {
    const length = input.index(0, skeleton.slots.length, "The length of a draw order");
    orders.push(Array.from({ length }, () => input.index(0, skeleton.slots.length - 1, "A slot in a draw order")));
  }
  const physics = input.bytes();
  if (physics.length !== physicsOf(skeleton).bytes) input.fail("The physics have another size");
  const skin = skinIndex === OWN_SKIN ? undefined : skinIndex === NONE ? null : data.skins[skinIndex]!;
  return { skin, scaleY, block, slots, orders, physics };
}

/** Puts a skeleton into the state that was read. */
export function restoreSkeleton(skeleton: Skeleton, image: SkeletonImage): void {
  if (image.skin !== undefined && image.skin !== skeleton.skin) {
    skeleton.skin = image.skin;
    skeleton.updateCache();
  }
  skeleton.scaleY = image.scaleY;
  // Room for deforms first: it may move the views.
  const poses: SlotPose[] = skeleton.slots.flatMap((slot) => [slot.pose, slot._constrained]);
  poses.forEach((pose, i) => {
    pose.attachment = image.slots[i]!.attachment;
    if (image.slots[i]!.deform.length > 0) pose._reserveDeform(image.slots[i]!.deform.length / 4);
  });
  const { u8, u32, i32 } = heap;
  const { _base: base } = skeleton;
  const physics = u32[base + HeaderRow.PHYSICS]!;
  const kept = poses.map(({ _row: row }) => [
    u32[base + row + SlotRow.ATTACHMENT]!, u32[base + row + SlotRow.ATTACHMENT_KEY]!, u32[base + row + SlotRow.DEFORM]!,
    i32[base + row + SlotRow.DEFORM_CAPACITY]!,
  ] as const);
  u8.set(image.block, skeleton._block);
  // Addresses are this skeleton's own.
  u32[base + HeaderRow.PHYSICS] = physics;
  poses.forEach(({ _row: row }, i) => {
    const [attachment, key, deform, capacity] = kept[i]!;
    u32[base + row + SlotRow.ATTACHMENT] = attachment;
    u32[base + row + SlotRow.ATTACHMENT_KEY] = key;
    u32[base + row + SlotRow.DEFORM] = deform;
    i32[base + row + SlotRow.DEFORM_CAPACITY] = capacity;
    i32[base + row + SlotRow.DEFORM_COUNT] = image.slots[i]!.deform.length / 4;
    u8.set(image.slots[i]!.deform, deform);
  });
  u8.set(image.physics, physics);
  const { drawOrder, slots } = skeleton;
  [drawOrder.pose, drawOrder._constrained].forEach((order, k) => {
    order.length = 0;
    for (const index of image.orders[k]!) order.push(slots[index]!);
  });
}
