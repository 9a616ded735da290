/**
 * Finished vertices of a crowd: everything that its instances show, as triangles.
 *
 * Layout   layout/crowd.ts, layout/crowd-vertices.ts; records: layout/attachment.ts; palette rows of 24 bytes a bone.
 * Requires an update was made; the crowd keeps slot states; arrays have their capacity and VERTICES_SLACK more; rows below COUNT.
 * Ensures  output in the order of the rows and, within an instance, in its draw order; ranges of one page and blend mode; the
 *          counts. If something is too small, VerticesLack says what: make it larger and call again.
 * Source   the sums of vertices.ts with bones from the palette; colours are products, rounded to bytes.
 */
import { AttachmentField, AttachmentFlag, AttachmentKind, INFLUENCE_BYTES, REGION_BYTES } from "../layout/attachment";
import { ClipScratchField } from "../layout/clipping";
import { CrowdField, InstanceField, InstanceFlag, INSTANCE_BYTES, SLOT_STATE_BYTES, SlotStateField } from "../layout/crowd";
import {
  PIECE_BYTES, PieceField, PieceKind, RANGE_BYTES, RangeField, SHAPE_SLOT_BYTES, VerticesField, VerticesLack, VERTICES_SLACK,
} from "../layout/crowd-vertices";
import { SlotRow } from "../layout/rig2d";
import { makePieces } from "./clip-polygon";
import { clipTriangles } from "./clip-triangles";
import { shapeSlots } from "./crowd-shapes";

/** Bytes of a bone in a palette row. */
const BONE: usize = 24;

export function crowdVertices(crowd: usize, out: usize): i32 {
  const rows = <usize>load<u32>(out, VerticesField.ROWS);
  const count = load<i32>(out, VerticesField.COUNT);
  let starts = <usize>load<u32>(out, VerticesField.STARTS);
  store<i32>(out, 0, VerticesField.VERTEX_COUNT);
  store<i32>(out, 0, VerticesField.INDEX_COUNT);
  store<i32>(out, 0, VerticesField.RANGE_COUNT);
  for (let i = 0; i < count; i++, starts += 8) {
    store<i32>(starts, load<i32>(out, VerticesField.VERTEX_COUNT));
    store<i32>(starts, load<i32>(out, VerticesField.INDEX_COUNT), 4);
    const lack = writeInstance(crowd, out, rows == 0 ? <usize>i : <usize>load<u32>(rows + (<usize>i << 2)));
    if (lack != VerticesLack.NOTHING) return lack;
  }
  store<i32>(starts, load<i32>(out, VerticesField.VERTEX_COUNT));
  store<i32>(starts, load<i32>(out, VerticesField.INDEX_COUNT), 4);
  return VerticesLack.NOTHING;
}

function writeInstance(crowd: usize, out: usize, row: usize): i32 {
  const instance = <usize>load<u32>(crowd, CrowdField.INSTANCES) + row * INSTANCE_BYTES;
  if ((load<u32>(instance, InstanceField.FLAGS) & InstanceFlag.HIDDEN) != 0) return VerticesLack.NOTHING;
  const states = <usize>load<u32>(crowd, CrowdField.SLOTS) + row * <usize>load<u32>(crowd, CrowdField.SLOTS_STRIDE);
  const palette = <usize>load<u32>(crowd, CrowdField.PALETTE) + row * <usize>load<u32>(crowd, CrowdField.PALETTE_STRIDE);
  const pieces = <usize>load<u32>(out, VerticesField.PIECES);
  const slots = <usize>load<u32>(out, VerticesField.SHAPES);
  const shapes: usize = shapeSlots(crowd, instance, states, row, slots, <usize>load<u32>(out, VerticesField.VALUES)) ? slots : 0;
  const clip = <usize>load<u32>(out, VerticesField.CLIP);
  let isClipping = false, clipEnd = -1;
  let place = states;
  for (let i = load<i32>(crowd, CrowdField.SLOT_COUNT); i > 0; i--, place += SLOT_STATE_BYTES) {
    const slot = <i32>load<u16>(place, SlotStateField.ORDER);
    const state = states + <usize>slot * SLOT_STATE_BYTES;
    const piece = pieces + <usize>load<u16>(state, SlotStateField.DRAWABLE) * PIECE_BYTES;
    const kind = load<i32>(piece, PieceField.KIND);
    if (kind == PieceKind.CLIP) {
      // A clip ends at its own slot; one that starts in another is left alone.
      if (clipEnd == slot) isClipping = false;
      if (!isClipping && load<i32>(piece, PieceField.VERTEX_COUNT) >= 3) {
        isClipping = true;
        clipEnd = load<i32>(piece, PieceField.END_SLOT);
        startClip(out, clip, piece, shapes, slot, palette);
      }
      continue;
    }
    if (kind == PieceKind.PICTURE) {
      const light = lightOf(piece, state, out);
      if (light >>> 24 != 0) {
        const lack = writePiece(out, piece, state, light, shapes, slot, palette, isClipping ? clip : 0);
        if (lack != VerticesLack.NOTHING) return lack;
      }
    }
    if (clipEnd == slot) isClipping = false;
  }
  return VerticesLack.NOTHING;
}

/** Appends what one slot shows. */
function writePiece(out: usize, piece: usize, state: usize, light: u32, shapes: usize, slot: i32, palette: usize, clip: usize): i32 {
  const first = load<i32>(out, VerticesField.VERTEX_COUNT), firstIndex = load<i32>(out, VerticesField.INDEX_COUNT);
  const count = load<i32>(piece, PieceField.VERTEX_COUNT), indices = load<i32>(piece, PieceField.INDEX_COUNT);
  if (first + count > load<i32>(out, VerticesField.VERTEX_CAPACITY)) return VerticesLack.VERTICES;
  if (firstIndex + indices > load<i32>(out, VerticesField.INDEX_CAPACITY)) return VerticesLack.INDICES;
  const uvs = <usize>load<u32>(piece, PieceField.UVS), triangles = <usize>load<u32>(piece, PieceField.TRIANGLES);
  const at = <usize>first << 3;
  if (clip == 0) {
    place(out, piece, shapes, slot, palette, <usize>load<u32>(out, VerticesField.POSITIONS) + at);
    copy(uvs, <usize>load<u32>(out, VerticesField.UVS) + at, count << 1);
    addIndices(triangles, <usize>load<u32>(out, VerticesField.INDICES) + (<usize>firstIndex << 2), indices, first);
    store<i32>(out, first + count, VerticesField.VERTEX_COUNT);
    store<i32>(out, firstIndex + indices, VerticesField.INDEX_COUNT);
  } else {
    place(out, piece, shapes, slot, palette, <usize>load<u32>(clip, ClipScratchField.INPUT));
    const lack = clipTriangles(clip, triangles, indices, uvs, out);
    if (lack != VerticesLack.NOTHING) return lack;
  }
  const last = load<i32>(out, VerticesField.VERTEX_COUNT), lastIndex = load<i32>(out, VerticesField.INDEX_COUNT);
  fill(<usize>load<u32>(out, VerticesField.LIGHT) + (<usize>first << 2), light, last - first);
  fill(<usize>load<u32>(out, VerticesField.DARK) + (<usize>first << 2), darkOf(state, light, out), last - first);
  if (lastIndex == firstIndex) return VerticesLack.NOTHING;
  return extendRange(out, load<u32>(piece, PieceField.PAGE), <u32>load<u8>(<usize>load<u32>(out, VerticesField.BLENDS) + <usize>slot), firstIndex, lastIndex);
}

/** Adds indices to the last range or, with another page or blend mode, starts one. */
function extendRange(out: usize, page: u32, blend: u32, from: i32, to: i32): i32 {
  const count = load<i32>(out, VerticesField.RANGE_COUNT);
  const next = <usize>load<u32>(out, VerticesField.RANGES) + <usize>count * RANGE_BYTES;
  if (count > 0 && load<u32>(next - RANGE_BYTES, RangeField.PAGE) == page && load<u32>(next - RANGE_BYTES, RangeField.BLEND) == blend) {
    store<i32>(next - RANGE_BYTES, load<i32>(next - RANGE_BYTES, RangeField.INDEX_COUNT) + to - from, RangeField.INDEX_COUNT);
    return VerticesLack.NOTHING;
  }
  if (count == load<i32>(out, VerticesField.RANGE_CAPACITY)) return VerticesLack.RANGES;
  store<u32>(next, page, RangeField.PAGE);
  store<u32>(next, blend, RangeField.BLEND);
  store<i32>(next, from, RangeField.FIRST_INDEX);
  store<i32>(next, to - from, RangeField.INDEX_COUNT);
  store<i32>(out, count + 1, VerticesField.RANGE_COUNT);
  return VerticesLack.NOTHING;
}

function startClip(out: usize, clip: usize, piece: usize, shapes: usize, slot: i32, palette: usize): void {
  const count = load<i32>(piece, PieceField.VERTEX_COUNT);
  const input = <usize>load<u32>(clip, ClipScratchField.INPUT), polygon = <usize>load<u32>(clip, ClipScratchField.POLYGON);
  place(out, piece, shapes, slot, palette, input);
  for (let i: usize = 0; i < <usize>count; i++) v128.store(polygon + (i << 4), f64x2.promote_low_f32x4(v128.load64_zero(input + (i << 3))));
  const isInverse = load<i32>(piece, PieceField.INVERSE);
  store<i32>(clip, isInverse, ClipScratchField.INVERSE);
  makePieces(clip, count, isInverse != 0 || load<i32>(piece, PieceField.CONVEX) != 0);
}

/** World positions of a piece, with the slot's deform if it has one. */
function place(out: usize, piece: usize, shapes: usize, slot: i32, palette: usize, to: usize): void {
  const record = <usize>load<u32>(piece, PieceField.RECORD);
  const vertices = <usize>load<u32>(record, AttachmentField.VERTICES);
  const count = load<i32>(piece, PieceField.VERTEX_COUNT);
  const isRegion = load<i32>(record, AttachmentField.KIND) == AttachmentKind.REGION;
  let deform: usize = 0;
  if (shapes != 0 && !isRegion) {
    const shape = shapes + <usize>slot * SHAPE_SLOT_BYTES;
    const length = load<i32>(shape, SlotRow.DEFORM_COUNT * 4);
    if (length != 0 && length >= load<i32>(record, AttachmentField.DEFORM_LENGTH)) deform = load<u32>(shape, SlotRow.DEFORM * 4);
  }
  if ((load<u32>(record, AttachmentField.FLAGS) & AttachmentFlag.WEIGHTED) != 0) {
    const starts = <usize>load<u32>(record, AttachmentField.STARTS);
    if (deform == 0) placeWeighted(palette, vertices, starts, count, to);
    else placeDeformed(palette, vertices, deform, starts, count, to);
    return;
  }
  const bone = palette + <usize>load<u32>(<usize>load<u32>(out, VerticesField.SLOT_BONES) + (<usize>slot << 2)) * BONE;
  let from = deform == 0 ? vertices : deform;
  if (isRegion) from += <usize>load<u32>(piece, PieceField.FRAME) * REGION_BYTES;
  placeOnBone(bone, from, count, to);
}

/** Two vertices a step; one more may be written. */
function placeOnBone(bone: usize, from: usize, count: i32, to: usize): void {
  const m = v128.load(bone);
  const origin = v128.load64_splat(bone, 16);
  const xAxis = v128.shuffle<f32>(m, m, 0, 2, 0, 2);
  const yAxis = v128.shuffle<f32>(m, m, 1, 3, 1, 3);
  for (let i = 0; i < count; i += 2, from += 16, to += 16) {
    // [x0 y0 x1 y1]
    const xy = v128.load(from);
    v128.store(to, f32x4.add(
      f32x4.add(f32x4.mul(yAxis, v128.shuffle<f32>(xy, xy, 1, 1, 3, 3)), origin),
      f32x4.mul(xAxis, v128.shuffle<f32>(xy, xy, 0, 0, 2, 2))));
  }
}

/** [ax by cx dy] + [tx ty] -> [x y] */
@inline
function storeVertex(to: usize, products: v128, origin: v128): void {
  v128.store64_lane(to, f32x4.add(f32x4.add(
    v128.shuffle<f32>(products, products, 0, 2, 0, 2), v128.shuffle<f32>(products, products, 1, 3, 1, 3)), origin), 0);
}

function placeWeighted(palette: usize, influences: usize, starts: usize, count: i32, to: usize): void {
  let influence = influences;
  for (let i = 0; i < count; i++, to += 8) {
    starts += 4;
    const end = influences + <usize>load<u32>(starts) * INFLUENCE_BYTES;
    let products = f32x4.splat(0), origin = f32x4.splat(0);
    for (; influence < end; influence += INFLUENCE_BYTES) {
      // [xw yw w bone]
      const weighted = v128.load(influence);
      const bone = palette + <usize>load<u32>(influence, 12) * BONE;
      products = f32x4.add(products, f32x4.mul(v128.load(bone), v128.shuffle<f32>(weighted, weighted, 0, 1, 0, 1)));
      origin = f32x4.add(origin, f32x4.mul(v128.load64_zero(bone, 16), v128.shuffle<f32>(weighted, weighted, 2, 2, 2, 2)));
    }
    storeVertex(to, products, origin);
  }
}

function placeDeformed(palette: usize, influences: usize, deform: usize, starts: usize, count: i32, to: usize): void {
  let influence = influences;
  for (let i = 0; i < count; i++, to += 8) {
    starts += 4;
    const end = influences + <usize>load<u32>(starts) * INFLUENCE_BYTES;
    let products = f32x4.splat(0), origin = f32x4.splat(0);
    for (; influence < end; influence += INFLUENCE_BYTES, deform += 8) {
      const weighted = v128.load(influence);
      const weight = v128.shuffle<f32>(weighted, weighted, 2, 2, 2, 2);
      const bone = palette + <usize>load<u32>(influence, 12) * BONE;
      const local = f32x4.add(v128.shuffle<f32>(weighted, weighted, 0, 1, 0, 1), f32x4.mul(v128.load64_splat(deform), weight));
      products = f32x4.add(products, f32x4.mul(v128.load(bone), local));
      origin = f32x4.add(origin, f32x4.mul(v128.load64_zero(bone, 16), weight));
    }
    storeVertex(to, products, origin);
  }
}

/** Copies floats, four at a time; up to three more may be written. */
@inline
function copy(from: usize, to: usize, count: i32): void {
  for (let i = 0; i < count; i += VERTICES_SLACK, from += 16, to += 16) v128.store(to, v128.load(from));
}

@inline
function addIndices(from: usize, to: usize, count: i32, first: i32): void {
  const shift = i32x4.splat(first);
  for (let i = 0; i < count; i += VERTICES_SLACK, from += 16, to += 16) v128.store(to, i32x4.add(v128.load(from), shift));
}

@inline
function fill(to: usize, word: u32, count: i32): void {
  const words = i32x4.splat(<i32>word);
  for (let i = 0; i < count; i += VERTICES_SLACK, to += 16) v128.store(to, words);
}

/** Four bytes as floats. */
@inline
function wide(word: u32): v128 {
  const bytes = i32x4.splat(<i32>word);
  return f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes)));
}

/** Floats of 0 .. 255 as four bytes, rounded. */
@inline
function narrow(color: v128): u32 {
  const words = i32x4.trunc_sat_f32x4_s(f32x4.add(color, f32x4.splat(0.5)));
  const halves = i16x8.narrow_i32x4_s(words, words);
  return <u32>i32x4.extract_lane(i8x16.narrow_i16x8_u(halves, halves), 0);
}

/** Light colour of a slot times that of its attachment. */
@inline
function lightOf(piece: usize, state: usize, out: usize): u32 {
  const light = load<u32>(state, SlotStateField.LIGHT);
  const isPremultiplied = load<i32>(out, VerticesField.PREMULTIPLIED) != 0;
  if (load<i32>(piece, PieceField.WHITE) != 0 && (!isPremultiplied || light >>> 24 == 255)) return light;
  let color = f32x4.mul(wide(light), v128.load(piece, PieceField.COLOR));
  if (isPremultiplied) {
    const alpha = f32x4.extract_lane(color, 3);
    color = f32x4.replace_lane(f32x4.mul(color, f32x4.splat(alpha / 255)), 3, alpha);
  }
  return narrow(color);
}

@inline
function darkOf(state: usize, light: u32, out: usize): u32 {
  const dark = load<u32>(state, SlotStateField.DARK);
  if (load<i32>(out, VerticesField.PREMULTIPLIED) == 0) return dark;
  if ((dark & 0xffffff) == 0) return 0xff000000;
  return (narrow(f32x4.mul(wide(dark), f32x4.splat(<f32>(light >>> 24) / 255))) & 0xffffff) | 0xff000000;
}
