/**
 * What sliders key besides numbers, for one lane: attachments, sequences, draw orders, and deforms of paths.
 *
 * Layout   layout/crowd.ts, SliderUseField and slot tracks; `pose` points at one lane of a four-lane pose block.
 * Requires the slider's operation has just run, so that its time is set; `lists` is 0 or was begun (crowd-slots.ts).
 * Ensures  attachments and deforms of path slots in the pose, the lane's lists, and at `state` (unless 0) time and mix.
 * Source   constraints section 7: mixing from what is there, nothing before a timeline's first key.
 */
import { ClipField, CrowdField, SliderUseField } from "../layout/crowd";
import { ProgramField, SliderRow } from "../layout/rig2d";
import { remainder } from "./crowd-advance";
import { clipAt } from "./crowd-instance";
import { applyTracks } from "./crowd-slots";
import { mixPaths } from "./crowd-paths";

/** What a crowd knows of the slider whose operation ends before code word `position`; 0: it keys nothing of interest. */
export function sliderAt(crowd: usize, program: usize, position: i32): usize {
  const constraint = load<i32>(<usize>load<u32>(program, ProgramField.CODE) + (<usize>position << 2) - 4);
  const use = <usize>load<u32>(<usize>load<u32>(crowd, CrowdField.SLIDERS) + (<usize>constraint << 2));
  if (use == 0) return 0;
  const bone = load<i32>(use, SliderUseField.BONE), active = <usize>load<u32>(program, ProgramField.ACTIVE_BONES);
  return bone >= 0 && active != 0 && load<u8>(active + <usize>bone) == 0 ? 0 : use;
}

/** Row of a slider's pose. */
export function sliderRow(program: usize, position: i32): usize {
  const constraint = load<i32>(<usize>load<u32>(program, ProgramField.CODE) + (<usize>position << 2) - 4);
  return <usize>load<i32>(<usize>load<u32>(program, ProgramField.CONSTRAINT_APPLIED) + (<usize>constraint << 2)) << 4;
}

export function applySlider(
  crowd: usize, use: usize, row: usize, variant: usize, pose: usize, lists: usize, state: usize, call: usize, values: usize,
): void {
  const mix = load<f32>(pose + row, SliderRow.MIX << 4);
  if (mix == 0) {
    if (state != 0) store<u64>(state, 0);
    return;
  }
  const clipIndex = load<i32>(use, SliderUseField.CLIP);
  const clip = clipAt(crowd, clipIndex), duration = load<f64>(clip, ClipField.DURATION);
  let t = <f64>load<f32>(pose + row, SliderRow.TIME << 4);
  if (!(abs<f64>(t) < 1e300)) t = 0;
  else if (load<i32>(use, SliderUseField.LOOP) != 0 && duration != 0) t = remainder(t, duration);
  if (state != 0) {
    store<f32>(state, <f32>t);
    store<f32>(state, mix, 4);
  }
  mixPaths(clip, variant, t, mix, load<i32>(use, SliderUseField.ADDITIVE) != 0, pose, call, values);
  if (lists != 0) applyTracks(crowd, variant, clipIndex, t, lists);
}
