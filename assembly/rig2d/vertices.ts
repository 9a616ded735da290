/**
 * World positions of attachment vertices, for one attachment or for everything a skeleton shows.
 *
 * Layout   rows and table of shown attachments of layout/rig2d.ts at one lane, records of layout/attachment.ts. Output: f32 x, y per vertex, without gaps.
 * Requires bones referred to by the record exist and are solved; `out` is 8-byte aligned and has room for 2 values per
 *          vertex; `first + count` is at most the record's vertex count.
 * Ensures  the values of `count` vertices are written, nothing else. Deform values are used if there are enough of them.
 * Source   unweighted: M v + t of the slot's bone; weighted: sum of weight (M v + t) over the influences of a vertex.
 */
import { AttachmentField, AttachmentFlag, AttachmentKind, INFLUENCE_BYTES, REGION_BYTES } from "../layout/attachment";
import { BoneRow, ProgramField, SlotRow } from "../layout/rig2d";

/** Vertices `first` .. `first + count - 1` of an attachment shown by a slot. */
export function attachmentVertices(
  program: usize, pose: usize, slot: i32, record: usize, first: i32, count: i32, out: usize,
): void {
  const slotPose = appliedPose(program, pose, ProgramField.SLOT_APPLIED, slot);
  const slotBones: usize = load<u32>(program, ProgramField.SLOT_BONES);
  const bone = appliedPose(program, pose, ProgramField.BONE_APPLIED, load<i32>(slotBones + (<usize>slot << 2)));
  const applied: usize = load<u32>(program, ProgramField.BONE_APPLIED);
  place(pose, slotPose, bone, applied, record, first, count, out);
}

/**
 * Vertices of all region and mesh attachments that a skeleton shows, in draw order.
 *
 * `order` holds `count` slot indices. `starts` receives for each of them the index of its first vertex, -1 if the slot shows
 * no such attachment.
 * @returns the number of vertices; if it exceeds `capacity` (in vertices), what is in `out` is not complete.
 */
export function skeletonVertices(
  program: usize, pose: usize, order: usize, count: i32, starts: usize, out: usize, capacity: i32,
): i32 {
  const active: usize = load<u32>(program, ProgramField.ACTIVE_BONES);
  const slotBones: usize = load<u32>(program, ProgramField.SLOT_BONES);
  const boneCount = load<u32>(program, ProgramField.BONE_COUNT);
  const applied: usize = load<u32>(program, ProgramField.BONE_APPLIED);
  const slotApplied: usize = load<u32>(program, ProgramField.SLOT_APPLIED);
  const rows = load<u32>(program, ProgramField.ROWS);
  const shown = pose + (<usize>rows << 3);
  const constrained = shown + (<usize>load<u32>(program, ProgramField.SLOT_COUNT) << 2);
  let total = 0;
  for (let i: usize = 0, end = <usize>count << 2; i < end; i += 4) {
    const slot = <usize>load<u32>(order + i) << 2;
    const row = load<u32>(slotApplied + slot);
    const record = <usize>load<u32>((row < rows ? shown : constrained) + slot);
    const slotBone = load<u32>(slotBones + slot);
    if (record == 0 || !isShown(record, boneCount) || !isActive(active, slotBone)) {
      store<i32>(starts + i, -1);
      continue;
    }
    store<i32>(starts + i, total);
    const to = out + (<usize>total << 3);
    total += load<i32>(record, AttachmentField.VERTEX_COUNT);
    if (total > capacity) continue;

    const slotPose = pose + (<usize>row << 2);
    const bone = pose + (<usize>load<u32>(applied + (<usize>slotBone << 2)) << 2);
    if (load<i32>(record, AttachmentField.KIND) == AttachmentKind.REGION) {
      placeRegion(bone, cornersOf(slotPose, record), to);
    } else {
      place(pose, slotPose, bone, applied, record, 0, load<i32>(record, AttachmentField.VERTEX_COUNT), to);
    }
  }
  return total;
}

@inline
function appliedPose(program: usize, pose: usize, table: usize, index: i32): usize {
  return pose + (<usize>load<u32>(<usize>load<u32>(program + table) + (<usize>index << 2)) << 2);
}

@inline
function isActive(active: usize, bone: u32): bool {
  return active == 0 || load<u8>(active + bone) != 0;
}

@inline
function isShown(record: usize, boneCount: u32): bool {
  return load<i32>(record, AttachmentField.KIND) <= AttachmentKind.MESH && load<u32>(record, AttachmentField.BONE_LIMIT) <= boneCount;
}

/** `bone` is the applied pose of the slot's bone, `applied` the table of applied rows of all bones. */
function place(pose: usize, slotPose: usize, bone: usize, applied: usize, record: usize, first: i32, count: i32, out: usize): void {
  const vertices: usize = load<u32>(record, AttachmentField.VERTICES);
  if (load<i32>(record, AttachmentField.KIND) == AttachmentKind.REGION) {
    placeOnBone(bone, cornersOf(slotPose, record) + (<usize>first << 3), count, out);
    return;
  }
  const deformLength = load<i32>(slotPose, SlotRow.DEFORM_COUNT * 4);
  const isDeformed = deformLength != 0 && deformLength >= load<i32>(record, AttachmentField.DEFORM_LENGTH);
  const deform: usize = load<u32>(slotPose, SlotRow.DEFORM * 4);
  if ((load<u32>(record, AttachmentField.FLAGS) & AttachmentFlag.WEIGHTED) == 0) {
    placeOnBone(bone, (isDeformed ? deform : vertices) + (<usize>first << 3), count, out);
    return;
  }
  const starts = <usize>load<u32>(record, AttachmentField.STARTS) + (<usize>first << 2);
  if (isDeformed) placeDeformed(pose, applied, vertices, deform, starts, count, out);
  else placeWeighted(pose, applied, vertices, starts, count, out);
}

/** Corners of a region: those of the frame of its sequence that a slot shows. */
@inline
function cornersOf(slotPose: usize, record: usize): usize {
  const vertices: usize = load<u32>(record, AttachmentField.VERTICES);
  const last = load<i32>(record, AttachmentField.FRAME_COUNT) - 1;
  if (last <= 0) return vertices;
  const index = load<i32>(slotPose, SlotRow.SEQUENCE * 4);
  const frame = index == -1 ? load<i32>(record, AttachmentField.SETUP_FRAME) : index;
  return vertices + <usize>max(0, min(frame, last)) * REGION_BYTES;
}

/** Four vertices: as placeOnBone. */
@inline
function placeRegion(bone: usize, corners: usize, out: usize): void {
  const m = v128.load(bone, BoneRow.A * 4);
  const origin = v128.load64_splat(bone, BoneRow.WORLD_X * 4);
  const xAxis = v128.shuffle<f32>(m, m, 0, 2, 0, 2);
  const yAxis = v128.shuffle<f32>(m, m, 1, 3, 1, 3);
  v128.store(out, placeTwo(v128.load(corners), xAxis, yAxis, origin));
  v128.store(out, placeTwo(v128.load(corners, 16), xAxis, yAxis, origin), 16);
}

/** [x0 y0 x1 y1] to world */
@inline
function placeTwo(xy: v128, xAxis: v128, yAxis: v128, origin: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(yAxis, v128.shuffle<f32>(xy, xy, 1, 1, 3, 3)), origin),
    f32x4.mul(xAxis, v128.shuffle<f32>(xy, xy, 0, 0, 2, 2)));
}

/** Two vertices a step. */
function placeOnBone(bone: usize, vertices: usize, count: i32, out: usize): void {
  const m = v128.load(bone, BoneRow.A * 4);
  const origin = v128.load64_splat(bone, BoneRow.WORLD_X * 4);
  const xAxis = v128.shuffle<f32>(m, m, 0, 2, 0, 2);
  const yAxis = v128.shuffle<f32>(m, m, 1, 3, 1, 3);

  const end = vertices + (<usize>(count & ~1) << 3);
  while (vertices < end) {
    v128.store(out, placeTwo(v128.load(vertices), xAxis, yAxis, origin));
    vertices += 16;
    out += 16;
  }
  if ((count & 1) != 0) {
    const world = f32x4.add(
      f32x4.add(f32x4.mul(yAxis, v128.load32_splat(vertices, 4)), origin), f32x4.mul(xAxis, v128.load32_splat(vertices)));
    v128.store64_lane(out, world, 0);
  }
}

/** [ax by cx dy] + [tx ty] -> [x y] */
@inline
function storeVertex(out: usize, products: v128, origin: v128): void {
  v128.store64_lane(out, f32x4.add(f32x4.add(
    v128.shuffle<f32>(products, products, 0, 2, 0, 2), v128.shuffle<f32>(products, products, 1, 3, 1, 3)), origin), 0);
}

@inline
function boneOf(pose: usize, applied: usize, influence: usize): usize {
  return pose + (<usize>load<u32>(applied + (<usize>load<u32>(influence, 12) << 2)) << 2);
}

function placeWeighted(pose: usize, applied: usize, influences: usize, starts: usize, count: i32, out: usize): void {
  let influence = influences + <usize>load<u32>(starts) * INFLUENCE_BYTES;
  for (let i = 0; i < count; i++) {
    starts += 4;
    const end = influences + <usize>load<u32>(starts) * INFLUENCE_BYTES;
    let products = f32x4.splat(0), origin = f32x4.splat(0);
    while (influence < end) {
      // [xw yw w bone]
      const weighted = v128.load(influence);
      const bone = boneOf(pose, applied, influence);
      products = f32x4.add(products,
        f32x4.mul(v128.load(bone, BoneRow.A * 4), v128.shuffle<f32>(weighted, weighted, 0, 1, 0, 1)));
      origin = f32x4.add(origin,
        f32x4.mul(v128.load64_zero(bone, BoneRow.WORLD_X * 4), v128.shuffle<f32>(weighted, weighted, 2, 2, 2, 2)));
      influence += INFLUENCE_BYTES;
    }
    storeVertex(out, products, origin);
    out += 8;
  }
}

function placeDeformed(
  pose: usize, applied: usize, influences: usize, deform: usize, starts: usize, count: i32, out: usize,
): void {
  const first = load<u32>(starts);
  let influence = influences + <usize>first * INFLUENCE_BYTES;
  deform += <usize>first << 3;
  for (let i = 0; i < count; i++) {
    starts += 4;
    const end = influences + <usize>load<u32>(starts) * INFLUENCE_BYTES;
    let products = f32x4.splat(0), origin = f32x4.splat(0);
    while (influence < end) {
      // [xw yw w bone]
      const weighted = v128.load(influence);
      const weight = v128.shuffle<f32>(weighted, weighted, 2, 2, 2, 2);
      const bone = boneOf(pose, applied, influence);
      const local = f32x4.add(
        v128.shuffle<f32>(weighted, weighted, 0, 1, 0, 1), f32x4.mul(v128.load64_splat(deform), weight));
      products = f32x4.add(products, f32x4.mul(v128.load(bone, BoneRow.A * 4), local));
      origin = f32x4.add(origin, f32x4.mul(v128.load64_zero(bone, BoneRow.WORLD_X * 4), weight));
      influence += INFLUENCE_BYTES;
      deform += 8;
    }
    storeVertex(out, products, origin);
    out += 8;
  }
}
