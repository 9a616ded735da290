/**
 * World places of a path's vertices.
 *
 * Layout   record: AttachmentField; `points`: rows of T, x and y of vertex 0, then of vertex 1, ...
 * Requires every lane that matters holds the attachment of `record` in `slot`; bones valid in world space.
 * Ensures  points of all vertices, deformed where a lane's slot has enough deform values.
 * Source   sum over influences of weight * (M (x, y) + t); deform values are added to local places, per influence if weighted.
 */
import { add, mul, splat } from "../math/lane";
import { BoneRow, ProgramField, SlotRow } from "../layout/rig2d";
import { AttachmentField, AttachmentFlag, INFLUENCE_BYTES } from "../layout/attachment";
import { appliedBone, bounded, entry, get, put, rowAt, table } from "./update-rows";

export function computePoints<T, M>(
  program: usize, pose: usize, slot: usize, record: usize, slotBone: i32, points: usize,
): void {
  const vertices = load<i32>(record, AttachmentField.VERTEX_COUNT);
  const source = <usize>load<u32>(record, AttachmentField.VERTICES);
  const needed = load<i32>(record, AttachmentField.DEFORM_LENGTH);
  const weighted = (load<u32>(record, AttachmentField.FLAGS) & AttachmentFlag.WEIGHTED) != 0;
  // Lanes without deform read the vertices themselves, or no deform values at all.
  const fallback: usize = weighted ? 0 : source;
  let d0 = deformOf<T>(slot, 0, needed, fallback), d1 = d0, d2 = d0, d3 = d0;
  if (isVector<T>()) {
    d1 = deformOf<T>(slot, 4, needed, fallback);
    d2 = deformOf<T>(slot, 8, needed, fallback);
    d3 = deformOf<T>(slot, 12, needed, fallback);
  }

  if (!weighted) {
    const bone = appliedBone<T>(program, pose, slotBone);
    const a = get<T>(bone, BoneRow.A), b = get<T>(bone, BoneRow.B), c = get<T>(bone, BoneRow.C), d = get<T>(bone, BoneRow.D);
    const worldX = get<T>(bone, BoneRow.WORLD_X), worldY = get<T>(bone, BoneRow.WORLD_Y);
    for (let i = 0; i < vertices; i++) {
      const at = <usize>i << 3;
      const x = gather<T>(d0 + at, d1 + at, d2 + at, d3 + at), y = gather<T>(d0 + at + 4, d1 + at + 4, d2 + at + 4, d3 + at + 4);
      put<T>(points, i * 2, bounded<T>(add<T>(add<T>(mul<T>(a, x), mul<T>(b, y)), worldX)));
      put<T>(points, i * 2 + 1, bounded<T>(add<T>(add<T>(mul<T>(c, x), mul<T>(d, y)), worldY)));
    }
    return;
  }

  const starts = <usize>load<u32>(record, AttachmentField.STARTS);
  const rows = table(program, ProgramField.BONE_APPLIED);
  const deformed = (d0 | d1 | d2 | d3) != 0;
  let influence = entry(starts, 0);
  for (let i = 0; i < vertices; i++) {
    const end = entry(starts, i + 1);
    let x0 = splat<T>(0), x1 = x0, x2 = x0, y0 = x0, y1 = x0, y2 = x0;
    for (; influence < end; influence++) {
      const p = source + <usize>influence * INFLUENCE_BYTES;
      const weight = splat<T>(load<f32>(p, 8));
      let x = splat<T>(load<f32>(p)), y = splat<T>(load<f32>(p, 4));
      if (deformed) {
        const at = <usize>influence << 3;
        x = add<T>(x, mul<T>(gatherOrZero<T>(d0, d1, d2, d3, at), weight));
        y = add<T>(y, mul<T>(gatherOrZero<T>(d0, d1, d2, d3, at + 4), weight));
      }
      const bone = rowAt<T>(pose, entry(rows, load<i32>(p, 12)));
      x0 = add<T>(x0, mul<T>(get<T>(bone, BoneRow.A), x));
      x1 = add<T>(x1, mul<T>(get<T>(bone, BoneRow.B), y));
      x2 = add<T>(x2, mul<T>(get<T>(bone, BoneRow.WORLD_X), weight));
      y0 = add<T>(y0, mul<T>(get<T>(bone, BoneRow.C), x));
      y1 = add<T>(y1, mul<T>(get<T>(bone, BoneRow.D), y));
      y2 = add<T>(y2, mul<T>(get<T>(bone, BoneRow.WORLD_Y), weight));
    }
    put<T>(points, i * 2, bounded<T>(add<T>(add<T>(x0, x1), x2)));
    put<T>(points, i * 2 + 1, bounded<T>(add<T>(add<T>(y0, y1), y2)));
  }
}

/** Address of the deform values of a lane, `fallback` if there are none or too few. */
@inline
function deformOf<T>(slot: usize, laneBytes: usize, needed: i32, fallback: usize): usize {
  const count = load<i32>(slot + SlotRow.DEFORM_COUNT * sizeof<T>() + laneBytes);
  return count > 0 && count >= needed ? <usize>load<u32>(slot + SlotRow.DEFORM * sizeof<T>() + laneBytes) : fallback;
}

/** One f32 per lane. */
@inline
function gather<T>(p0: usize, p1: usize, p2: usize, p3: usize): T {
  if (isVector<T>()) {
    return f32x4.replace_lane(
      f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(load<f32>(p0)), 1, load<f32>(p1)), 2, load<f32>(p2)), 3, load<f32>(p3));
  } else {
    return <T>load<f32>(p0);
  }
}

@inline
function gatherOrZero<T>(d0: usize, d1: usize, d2: usize, d3: usize, at: usize): T {
  if (isVector<T>()) {
    return f32x4.replace_lane(
      f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(valueOrZero(d0, at)), 1, valueOrZero(d1, at)), 2, valueOrZero(d2, at)),
      3, valueOrZero(d3, at));
  } else {
    return <T>load<f32>(d0 + at);
  }
}

@inline
function valueOrZero(deform: usize, at: usize): f32 {
  return deform != 0 ? load<f32>(deform + at) : 0;
}
