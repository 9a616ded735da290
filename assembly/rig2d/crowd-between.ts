/**
 * Instances that are shown between their two latest poses.
 *
 * Layout   layout/crowd.ts, BetweenField: header, older palette row, newer palette row, slot states of the newer pose; rows padded
 *          to 16 bytes.
 * Requires 16-byte aligned blocks; INTERVAL > 0.
 * Ensures  beginBetween: what was the newer pose is the older one, its slot states are shown. showBetween: the palette row and,
 *          with the first pose, the slot states. Nothing of other instances.
 * Source   matrices are interpolated component by component, in the time that two poses are apart.
 */
import { BETWEEN_HEADER_BYTES, BetweenField, CrowdField, InstanceField } from "../layout/crowd";

/** Bytes of a row of `bytes`, padded. */
@inline
function padded(bytes: u32): usize {
  return <usize>((bytes + 15) & ~15);
}

/** Where the newer pose's palette row goes. */
@inline
export function newerPalette(crowd: usize, between: usize): usize {
  return between + BETWEEN_HEADER_BYTES + padded(load<u32>(crowd, CrowdField.PALETTE_STRIDE));
}

/** Where the newer pose's slot states go. */
@inline
export function newerSlots(crowd: usize, between: usize): usize {
  return between + BETWEEN_HEADER_BYTES + (padded(load<u32>(crowd, CrowdField.PALETTE_STRIDE)) << 1);
}

/** A new pose comes: the newer one becomes the older one, and its slot states are shown in `slots` (0: nobody wants them). */
export function beginBetween(crowd: usize, between: usize, slots: usize): void {
  const poses = load<u32>(between, BetweenField.POSES);
  if (poses > 0) {
    const bytes = padded(load<u32>(crowd, CrowdField.PALETTE_STRIDE)), older = between + BETWEEN_HEADER_BYTES;
    memory.copy(older, older + bytes, bytes);
    if (slots != 0) memory.copy(slots, older + (bytes << 1), <usize>load<u32>(crowd, CrowdField.SLOTS_STRIDE));
  }
  if (poses < 2) store<u32>(between, poses + 1, BetweenField.POSES);
}

/** Shows an instance in its rows. */
export function showBetween(crowd: usize, instance: usize, palette: usize, slots: usize): void {
  const between = <usize>load<u32>(instance, InstanceField.BETWEEN);
  const poses = load<u32>(between, BetweenField.POSES);
  if (poses == 0) return;
  const stride = <usize>load<u32>(crowd, CrowdField.PALETTE_STRIDE), bytes = padded(<u32>stride);
  const older = between + BETWEEN_HEADER_BYTES, newer = older + bytes;
  if (poses == 1) {
    memory.copy(palette, newer, stride);
    if (slots != 0) memory.copy(slots, newer + bytes, <usize>load<u32>(crowd, CrowdField.SLOTS_STRIDE));
    return;
  }
  const part = min<f64>(1, load<f64>(instance, InstanceField.AGE) / load<f64>(instance, InstanceField.INTERVAL));
  const weight = f32x4.splat(<f32>part);
  // A row is a whole number of pairs of floats: four at a time, then two.
  let at: usize = 0;
  for (; at + 16 <= stride; at += 16) {
    const from = v128.load(older + at);
    v128.store(palette + at, f32x4.add(from, f32x4.mul(f32x4.sub(v128.load(newer + at), from), weight)));
  }
  if (at < stride) {
    const from = v128.load64_zero(older + at);
    v128.store64_lane(palette + at, f32x4.add(from, f32x4.mul(f32x4.sub(v128.load64_zero(newer + at), from), weight)), 0);
  }
}
