/**
 * Poses groups of four instances of a crowd and writes their palette rows.
 *
 * Layout   layout/crowd.ts. Scratch: a pose block of four lanes, a palette row or physics states for lanes without an instance,
 *          physics states of four lanes, a deform call and the deform values of four lanes, lists of what the slots of four lanes show,
 *          then the update program's scratch.
 * Requires groups first..last-1 below GROUP_COUNT; all lanes of a group of one variant; times advanced.
 * Ensures  palette rows, slot and slider states of the visible instances that are due, and palette rows of those that are shown
 *          between two poses; the POSED flag; physics state and rotation memory.
 *          Groups are independent: any split over threads gives the same bits.
 */
import { poseBaked } from "./crowd-baked";
import { beginBetween, markTurns, newerPalette, newerSlots, showBetween } from "./crowd-between";
import { clipAt, timeOf } from "./crowd-instance";
import { writePalettes } from "./crowd-palette";
import { posePaths } from "./crowd-paths";
import { gatherPhysics, holdPhysics, scatterPhysics } from "./crowd-physics";
import { sampleInstance } from "./crowd-sample-instance";
import { sampleEarlyLanes, sampleLanes } from "./crowd-sample";
import { applySlider, sliderAt, sliderRow } from "./crowd-sliders";
import { beginSlots, writeSlots } from "./crowd-slots";
import {
  ClipField, CrowdField, DEFORM_CALL_BYTES, INSTANCE_BYTES, InstanceField, InstanceFlag, NO_CLIP, NO_INSTANCE, SLIDER_STATE_BYTES,
  SliderUseField, SLOT_SCRATCH_BYTES, VARIANT_BYTES, VariantField,
} from "../layout/crowd";
import { HeaderRow, ProgramField } from "../layout/rig2d";
import { PHYSICS_STATE_ROWS, PhysicsMode, ScratchField } from "../layout/update";
import { resumeGroup, updateGroup } from "./update";

/** Address of the instance in a lane; lanes that only pad repeat the group's first. */
@inline
function lane(crowd: usize, order: usize, k: i32): usize {
  let row = load<u32>(order + (<usize>k << 2));
  if (row == NO_INSTANCE) row = load<u32>(order);
  return <usize>load<u32>(crowd, CrowdField.INSTANCES) + <usize>row * INSTANCE_BYTES;
}

/** Whether a lane's instance plays one clip at full weight and nothing else. */
@inline
function isPlain(instance: usize): bool {
  return load<i32>(instance, InstanceField.FADE_CLIP) == NO_CLIP && load<i32>(instance, InstanceField.OVERLAY_CLIP) == NO_CLIP;
}

/** Four f32 fields of four instances as one row. */
@inline
function gather(i0: usize, i1: usize, i2: usize, i3: usize): v128 {
  let v = f32x4.splat(load<f32>(i0));
  v = f32x4.replace_lane(v, 1, load<f32>(i1));
  v = f32x4.replace_lane(v, 2, load<f32>(i2));
  return f32x4.replace_lane(v, 3, load<f32>(i3));
}

/**
 * Poses groups first..last-1.
 * @returns `last`, or the group to go on with once the scratch block has room for ScratchField.NEEDED more bytes, which are
 *          written to its first word
 */
export function poseCrowd(crowd: usize, first: i32, last: i32, scratch: usize, scratchBytes: i32): i32 {
  const rows = load<u32>(crowd, CrowdField.ROWS);
  const poseBytes = <usize>rows << 4;
  const pose = scratch;
  const palette = <usize>load<u32>(crowd, CrowdField.PALETTE);
  const stride = <usize>load<u32>(crowd, CrowdField.PALETTE_STRIDE);
  const unread = scratch + poseBytes;
  const physicsCount = load<i32>(crowd, CrowdField.PHYSICS_COUNT);
  // A palette row or the physics states of one lane.
  const states = unread + max((stride + 31) & ~15, <usize>physicsCount * (PHYSICS_STATE_ROWS << 2));
  const call = states + <usize>physicsCount * (PHYSICS_STATE_ROWS << 4);
  const slots = <usize>load<u32>(crowd, CrowdField.SLOTS);
  const lists = call + DEFORM_CALL_BYTES + (<usize>load<u32>(crowd, CrowdField.DEFORM_BYTES) << 2);
  const listBytes: usize = slots == 0 ? 0 : <usize>load<u32>(crowd, CrowdField.SLOT_COUNT) * SLOT_SCRATCH_BYTES;
  const updateScratch = lists + (listBytes << 2);
  store<i32>(updateScratch, scratchBytes - <i32>(updateScratch - scratch), ScratchField.CAPACITY);
  // What the scratch pose was prepared for: rows that neither this clip nor the program writes hold setup values.
  let preparedClip = -1, preparedVariant: u32 = 0xffffffff;

  for (let group = first; group < last; group++) {
    const order = <usize>load<u32>(crowd, CrowdField.ORDER) + (<usize>group << 4);
    const i0 = lane(crowd, order, 0), i1 = lane(crowd, order, 1), i2 = lane(crowd, order, 2), i3 = lane(crowd, order, 3);
    const wanted = wants(i0) | wants(i1) | wants(i2) | wants(i3);
    if (load<u32>(crowd, CrowdField.SHOWN_PALETTE) != 0) {
      keepShown(crowd, order, 0, i0);
      keepShown(crowd, order, 1, i1);
      keepShown(crowd, order, 2, i2);
      keepShown(crowd, order, 3, i3);
    }
    if (!wanted) {
      showAll(crowd, order, i0, i1, i2, i3);
      continue;
    }

    const variantIndex = load<u32>(i0, InstanceField.VARIANT);
    const variant = <usize>load<u32>(crowd, CrowdField.VARIANTS) + <usize>variantIndex * VARIANT_BYTES;
    const program = <usize>load<u32>(variant, VariantField.PROGRAM);
    const setup = <usize>load<u32>(variant, VariantField.SETUP_LANES);
    const clipIndex = load<i32>(i0, InstanceField.CLIP);
    const isShared = clipIndex >= 0 && clipIndex == load<i32>(i1, InstanceField.CLIP) && clipIndex == load<i32>(i2, InstanceField.CLIP)
      && clipIndex == load<i32>(i3, InstanceField.CLIP) && isPlain(i0) && isPlain(i1) && isPlain(i2) && isPlain(i3);

    const baked: usize = isShared && (slots == 0 || load<u32>(variant, VariantField.SLIDERS_SHOW) == 0) ? bakedOf(variant, clipIndex) : 0;
    if (baked != 0) {
      const clip = clipAt(crowd, clipIndex);
      beginAll(crowd, order, i0, i1, i2, i3);
      if (isWritten(order, 0, i0)) poseBaked(crowd, baked, clip, i0, target(crowd, order, 0, i0, palette, stride, unread));
      if (isWritten(order, 1, i1)) poseBaked(crowd, baked, clip, i1, target(crowd, order, 1, i1, palette, stride, unread));
      if (isWritten(order, 2, i2)) poseBaked(crowd, baked, clip, i2, target(crowd, order, 2, i2, palette, stride, unread));
      if (isWritten(order, 3, i3)) poseBaked(crowd, baked, clip, i3, target(crowd, order, 3, i3, palette, stride, unread));
      if (slots == 0) {
        finishAll(crowd, order, i0, i1, i2, i3);
        continue;
      }
    }
    if (isShared && clipIndex == preparedClip && variantIndex == preparedVariant) {
      restoreRows(variant, setup, pose);
    } else {
      memory.copy(pose, setup, poseBytes);
    }
    preparedClip = isShared ? clipIndex : -1;
    preparedVariant = variantIndex;
    writeHeader(crowd, pose, states, i0, i1, i2, i3, group - first + 1);

    if (isShared) sampleShared(clipAt(crowd, clipIndex), i0, i1, i2, i3, pose, setup);
    else sampleEach(crowd, i0, i1, i2, i3, pose, setup);

    if (slots != 0) {
      if (isWritten(order, 0, i0)) beginSlots(crowd, i0, variant, lists);
      if (isWritten(order, 1, i1)) beginSlots(crowd, i1, variant, lists + listBytes);
      if (isWritten(order, 2, i2)) beginSlots(crowd, i2, variant, lists + listBytes * 2);
      if (isWritten(order, 3, i3)) beginSlots(crowd, i3, variant, lists + listBytes * 3);
    }
    if (baked == 0) {
      if (updatePoses(crowd, order, i0, i1, i2, i3, variant, pose, setup, states, unread, lists, listBytes, updateScratch) < 0) {
        store<i32>(scratch, load<i32>(updateScratch, ScratchField.NEEDED));
        return group;
      }
      beginAll(crowd, order, i0, i1, i2, i3);
      writePalettes(
        pose, load<i32>(crowd, CrowdField.BONE_COUNT), <usize>load<u32>(program, ProgramField.ACTIVE_BONES),
        target(crowd, order, 0, i0, palette, stride, unread), target(crowd, order, 1, i1, palette, stride, unread),
        target(crowd, order, 2, i2, palette, stride, unread), target(crowd, order, 3, i3, palette, stride, unread));
    }
    if (slots != 0) {
      if (isWritten(order, 0, i0)) writeSlots(crowd, i0, pose, lists, slotsOf(crowd, slots, order, 0, i0));
      if (isWritten(order, 1, i1)) writeSlots(crowd, i1, pose + 4, lists + listBytes, slotsOf(crowd, slots, order, 1, i1));
      if (isWritten(order, 2, i2)) writeSlots(crowd, i2, pose + 8, lists + listBytes * 2, slotsOf(crowd, slots, order, 2, i2));
      if (isWritten(order, 3, i3)) writeSlots(crowd, i3, pose + 12, lists + listBytes * 3, slotsOf(crowd, slots, order, 3, i3));
    }
    finishAll(crowd, order, i0, i1, i2, i3);
  }
  return last;
}

/** One clip, four times. */
function sampleShared(clip: usize, i0: usize, i1: usize, i2: usize, i3: usize, pose: usize, setup: usize): void {
  const t0 = timeOf(i0, clip), t1 = timeOf(i1, clip), t2 = timeOf(i2, clip), t3 = timeOf(i3, clip);
  const latest = <f64>load<f32>(clip, ClipField.LATEST_FIRST);
  const animation = <usize>load<u32>(clip, ClipField.ANIMATION);
  if (t0 >= latest && t1 >= latest && t2 >= latest && t3 >= latest) {
    sampleLanes(animation, t0, t1, t2, t3, pose, setup);
  } else {
    sampleEarlyLanes(animation, t0, t1, t2, t3, pose, setup);
  }
}

/** Four instances that play different things. */
function sampleEach(crowd: usize, i0: usize, i1: usize, i2: usize, i3: usize, pose: usize, setup: usize): void {
  sampleInstance(crowd, i0, pose, setup);
  sampleInstance(crowd, i1, pose + 4, setup + 4);
  sampleInstance(crowd, i2, pose + 8, setup + 8);
  sampleInstance(crowd, i3, pose + 12, setup + 12);
}

/** World transforms and constraints of a sampled group. @returns a negative number if the update program needs more scratch */
function updatePoses(
  crowd: usize, order: usize, i0: usize, i1: usize, i2: usize, i3: usize, variant: usize, pose: usize, setup: usize, states: usize,
  unread: usize, lists: usize, listBytes: usize, updateScratch: usize,
): i32 {
  const program = <usize>load<u32>(variant, VariantField.PROGRAM);
  const physicsCount = load<i32>(crowd, CrowdField.PHYSICS_COUNT);
  const deformBytes = <usize>load<u32>(crowd, CrowdField.DEFORM_BYTES);
  const call = states + <usize>physicsCount * (PHYSICS_STATE_ROWS << 4), values = call + DEFORM_CALL_BYTES;
  if (load<u32>(crowd, CrowdField.HAS_PATHS) != 0) {
    posePaths(crowd, i0, variant, pose, setup, call, values);
    posePaths(crowd, i1, variant, pose + 4, setup + 4, call, values + deformBytes);
    posePaths(crowd, i2, variant, pose + 8, setup + 8, call, values + deformBytes * 2);
    posePaths(crowd, i3, variant, pose + 12, setup + 12, call, values + deformBytes * 3);
  }
  if (physicsCount > 0) {
    gatherPhysics(physicsOf(i0), physicsOf(i1), physicsOf(i2), physicsOf(i3), states, physicsCount);
    if (!isWritten(order, 0, i0)) holdPhysics(states, 0, load<f64>(i0, InstanceField.SKELETON_TIME), physicsCount);
    if (!isWritten(order, 1, i1)) holdPhysics(states, 1, load<f64>(i1, InstanceField.SKELETON_TIME), physicsCount);
    if (!isWritten(order, 2, i2)) holdPhysics(states, 2, load<f64>(i2, InstanceField.SKELETON_TIME), physicsCount);
    if (!isWritten(order, 3, i3)) holdPhysics(states, 3, load<f64>(i3, InstanceField.SKELETON_TIME), physicsCount);
  }
  let position = updateGroup(program, pose, PhysicsMode.UPDATE, updateScratch);
  // A slider wants what it keys besides numbers to be done.
  while (position > 0) {
    const use = sliderAt(crowd, program, position);
    if (use != 0) {
      const row = sliderRow(program, position);
      slide(crowd, order, 0, i0, use, row, variant, pose, lists, listBytes, call, values);
      slide(crowd, order, 1, i1, use, row, variant, pose + 4, lists + listBytes, listBytes, call, values + deformBytes);
      slide(crowd, order, 2, i2, use, row, variant, pose + 8, lists + listBytes * 2, listBytes, call, values + deformBytes * 2);
      slide(crowd, order, 3, i3, use, row, variant, pose + 12, lists + listBytes * 3, listBytes, call, values + deformBytes * 3);
    }
    position = resumeGroup(program, pose, PhysicsMode.UPDATE, updateScratch, position);
  }
  if (position < 0 || physicsCount == 0) return position;
  scatterPhysics(
    states, isWritten(order, 0, i0) ? physicsOf(i0) : unread, isWritten(order, 1, i1) ? physicsOf(i1) : unread,
    isWritten(order, 2, i2) ? physicsOf(i2) : unread, isWritten(order, 3, i3) ? physicsOf(i3) : unread, physicsCount);
  return position;
}

/** One lane of what a slider keys. A lane that is not written needs it too, as its neighbours go on with the same code. */
function slide(
  crowd: usize, order: usize, k: i32, instance: usize, use: usize, row: usize, variant: usize, pose: usize, lists: usize, listBytes: usize, call: usize,
  values: usize,
): void {
  const isSeen = isWritten(order, k, instance);
  const states = <usize>load<u32>(crowd, CrowdField.SLIDER_STATES);
  const state: usize = !isSeen || states == 0 ? 0
    : states + <usize>load<u32>(order + (<usize>k << 2)) * <usize>load<u32>(crowd, CrowdField.SLIDER_STRIDE)
      + <usize>load<u32>(use, SliderUseField.STATE) * SLIDER_STATE_BYTES;
  applySlider(crowd, use, row, variant, pose, isSeen && listBytes != 0 ? lists : 0, state, call, values);
}

@inline
function wants(instance: usize): bool {
  return (load<u32>(instance, InstanceField.FLAGS) & (InstanceFlag.DUE | InstanceFlag.HIDDEN)) == InstanceFlag.DUE;
}

/** Instances that are written get a new pose: nothing of the one before must be left. */
function beginAll(crowd: usize, order: usize, i0: usize, i1: usize, i2: usize, i3: usize): void {
  if (isWritten(order, 0, i0)) beginLane(crowd, order, 0, i0);
  if (isWritten(order, 1, i1)) beginLane(crowd, order, 1, i1);
  if (isWritten(order, 2, i2)) beginLane(crowd, order, 2, i2);
  if (isWritten(order, 3, i3)) beginLane(crowd, order, 3, i3);
}

@inline
function beginLane(crowd: usize, order: usize, k: i32, instance: usize): void {
  const between = <usize>load<u32>(instance, InstanceField.BETWEEN);
  if (between != 0) beginBetween(crowd, between, slotRow(crowd, <usize>load<u32>(order + (<usize>k << 2))));
}

/** Instances that were written have been posed; those between two poses are shown. */
function finishAll(crowd: usize, order: usize, i0: usize, i1: usize, i2: usize, i3: usize): void {
  if (isWritten(order, 0, i0)) markPosed(crowd, i0);
  if (isWritten(order, 1, i1)) markPosed(crowd, i1);
  if (isWritten(order, 2, i2)) markPosed(crowd, i2);
  if (isWritten(order, 3, i3)) markPosed(crowd, i3);
  showAll(crowd, order, i0, i1, i2, i3);
}

function showAll(crowd: usize, order: usize, i0: usize, i1: usize, i2: usize, i3: usize): void {
  showLane(crowd, order, 0, i0);
  showLane(crowd, order, 1, i1);
  showLane(crowd, order, 2, i2);
  showLane(crowd, order, 3, i3);
}

@inline
function showLane(crowd: usize, order: usize, k: i32, instance: usize): void {
  if (load<u32>(instance, InstanceField.BETWEEN) == 0 || (load<u32>(instance, InstanceField.FLAGS) & InstanceFlag.HIDDEN) != 0) return;
  const row = <usize>load<u32>(order + (<usize>k << 2));
  if (row == NO_INSTANCE) return;
  const palette = <usize>load<u32>(crowd, CrowdField.PALETTE) + row * <usize>load<u32>(crowd, CrowdField.PALETTE_STRIDE);
  showBetween(crowd, instance, palette, slotRow(crowd, row), parentsOf(crowd, instance));
}

/** Shown slot states of a row, 0 if nobody wants them. */
@inline
function slotRow(crowd: usize, row: usize): usize {
  const slots = <usize>load<u32>(crowd, CrowdField.SLOTS);
  return slots == 0 ? 0 : slots + row * <usize>load<u32>(crowd, CrowdField.SLOTS_STRIDE);
}

/** Parents of the bones, i32 each. */
@inline
function parentsOf(crowd: usize, instance: usize): usize {
  const variant = <usize>load<u32>(crowd, CrowdField.VARIANTS) + <usize>load<u32>(instance, InstanceField.VARIANT) * VARIANT_BYTES;
  return <usize>load<u32>(<usize>load<u32>(variant, VariantField.PROGRAM), ProgramField.PARENTS);
}

/** Baked form of a clip for a variant, 0 for none. */
@inline
function bakedOf(variant: usize, clip: i32): usize {
  const table = <usize>load<u32>(variant, VariantField.BAKED);
  return table == 0 ? 0 : <usize>load<u32>(table + (<usize>clip << 2));
}

@inline
function markPosed(crowd: usize, instance: usize): void {
  const between = <usize>load<u32>(instance, InstanceField.BETWEEN);
  if (between != 0) markTurns(crowd, between, parentsOf(crowd, instance));
  store<u32>(instance, load<u32>(instance, InstanceField.FLAGS) | InstanceFlag.POSED, InstanceField.FLAGS);
}

/** With two palettes: an instance that is not posed now looks as in the palette that is shown. */
function keepShown(crowd: usize, order: usize, k: i32, instance: usize): void {
  const row = <usize>load<u32>(order + (<usize>k << 2));
  if (row == NO_INSTANCE || wants(instance)) return;
  const stride = <usize>load<u32>(crowd, CrowdField.PALETTE_STRIDE), slotsStride = <usize>load<u32>(crowd, CrowdField.SLOTS_STRIDE);
  memory.copy(<usize>load<u32>(crowd, CrowdField.PALETTE) + row * stride, <usize>load<u32>(crowd, CrowdField.SHOWN_PALETTE) + row * stride, stride);
  if (slotsStride == 0) return;
  memory.copy(<usize>load<u32>(crowd, CrowdField.SLOTS) + row * slotsStride, <usize>load<u32>(crowd, CrowdField.SHOWN_SLOTS) + row * slotsStride, slotsStride);
}

/** Where a lane's palette goes: its row, or a row that nobody reads. */
@inline
function target(crowd: usize, order: usize, k: i32, instance: usize, palette: usize, stride: usize, unread: usize): usize {
  if (!isWritten(order, k, instance)) return unread;
  const between = <usize>load<u32>(instance, InstanceField.BETWEEN);
  return between != 0 ? newerPalette(crowd, between) : palette + <usize>load<u32>(order + (<usize>k << 2)) * stride;
}

/** Whether a lane holds an instance that is due and visible, not a repeated one that pads its group. */
@inline
function isWritten(order: usize, k: i32, instance: usize): bool {
  return load<u32>(order + (<usize>k << 2)) != NO_INSTANCE && wants(instance);
}

/** Where the slot states of the instance in a lane go. */
@inline
function slotsOf(crowd: usize, slots: usize, order: usize, k: i32, instance: usize): usize {
  const between = <usize>load<u32>(instance, InstanceField.BETWEEN);
  if (between != 0) return newerSlots(crowd, between);
  return slots + <usize>load<u32>(order + (<usize>k << 2)) * <usize>load<u32>(crowd, CrowdField.SLOTS_STRIDE);
}

@inline
function physicsOf(instance: usize): usize {
  return <usize>load<u32>(instance, InstanceField.PHYSICS);
}

/** Puts setup values back into rows that the update program changed. */
@inline
function restoreRows(variant: usize, setup: usize, pose: usize): void {
  let reset = <usize>load<u32>(variant, VariantField.RESETS);
  for (let i = load<i32>(variant, VariantField.RESET_COUNT); i > 0; i--, reset += 8) {
    const from = <usize>load<u32>(reset) << 4;
    const bytes = <usize>load<u32>(reset, 4) << 4;
    for (let at: usize = 0; at < bytes; at += 16) v128.store(pose + from + at, v128.load(setup + from + at));
  }
}

/** The skeletons' own rows: placement, forces, tint, number of this update. */
@inline
function writeHeader(crowd: usize, pose: usize, states: usize, i0: usize, i1: usize, i2: usize, i3: usize, update: i32): void {
  v128.store(pose, gather(i0 + InstanceField.X, i1 + InstanceField.X, i2 + InstanceField.X, i3 + InstanceField.X), HeaderRow.X << 4);
  v128.store(pose, gather(i0 + InstanceField.Y, i1 + InstanceField.Y, i2 + InstanceField.Y, i3 + InstanceField.Y), HeaderRow.Y << 4);
  v128.store(pose, gather(i0 + InstanceField.SCALE_X, i1 + InstanceField.SCALE_X, i2 + InstanceField.SCALE_X, i3 + InstanceField.SCALE_X), HeaderRow.SCALE_X << 4);
  v128.store(pose, gather(i0 + InstanceField.SCALE_Y, i1 + InstanceField.SCALE_Y, i2 + InstanceField.SCALE_Y, i3 + InstanceField.SCALE_Y), HeaderRow.SCALE_Y << 4);
  v128.store(pose, f32x4.splat(load<f32>(crowd, CrowdField.WIND_X)), HeaderRow.WIND_X << 4);
  v128.store(pose, f32x4.splat(load<f32>(crowd, CrowdField.WIND_Y)), HeaderRow.WIND_Y << 4);
  v128.store(pose, f32x4.splat(load<f32>(crowd, CrowdField.GRAVITY_X)), HeaderRow.GRAVITY_X << 4);
  v128.store(pose, f32x4.splat(load<f32>(crowd, CrowdField.GRAVITY_Y)), HeaderRow.GRAVITY_Y << 4);
  v128.store(pose, i32x4.splat(update), HeaderRow.UPDATE << 4);
  store<f64>(pose, load<f64>(i0, InstanceField.SKELETON_TIME), HeaderRow.TIME << 4);
  store<f64>(pose, load<f64>(i1, InstanceField.SKELETON_TIME), (HeaderRow.TIME << 4) + 8);
  store<f64>(pose, load<f64>(i2, InstanceField.SKELETON_TIME), (HeaderRow.TIME << 4) + 16);
  store<f64>(pose, load<f64>(i3, InstanceField.SKELETON_TIME), (HeaderRow.TIME << 4) + 24);
  store<u32>(pose, <u32>states, HeaderRow.PHYSICS << 4);
}
