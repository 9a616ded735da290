/**
 * Samples any form of a clip, for one pose or a list of jobs.
 *
 * Layout   clip descriptors, jobs: layout/rig3d.ts.
 * Requires every pointer 16-byte aligned; time finite, within the clip (not wrapped).
 *          `scratch`: SAMPLE_SCRATCH_BYTES, or 16 bytes a time table or 8 a lane if that is more; its content is a hint, never a result.
 * Ensures  `groupCount` groups at `out`; results depend on clip, time, bind pose and masks only.
 * Source   sample-keys.ts, sample-table.ts, sample-quantised.ts, sample-keyframed.ts.
 */
import { CLIP_DURATION, CLIP_FORM, ClipForm, GROUP_BYTES, JOB_BYTES } from "../layout/rig3d";
import { sampleKeyframed } from "./sample-keyframed";
import { sampleKeyed } from "./sample-keys";
import { sampleQuantised } from "./sample-quantised";
import { sampleTable } from "./sample-table";

export function sampleClip(
  clip: usize, time: f64, scratch: usize, bind: usize, bindStride: usize, live: usize, out: usize, groupCount: i32,
): void {
  assert(((clip | scratch | bind | live | out) & 15) == 0, "blocks must be 16-byte aligned");
  const form = load<i32>(clip, CLIP_FORM);
  if (form == ClipForm.TABLE) sampleTable(clip, time, scratch, bind, bindStride, live, out, groupCount);
  else if (form == ClipForm.QUANTISED) sampleQuantised(clip, time, scratch, bind, bindStride, live, out, groupCount);
  else if (form == ClipForm.KEYFRAMED) sampleKeyframed(clip, time, scratch, bind, bindStride, live, out, groupCount);
  else sampleKeyed(clip, time, scratch, bind, bindStride, live, out, groupCount);
}

/** A time within a clip: [0, D) if it loops, clamped to [0, D] if not. */
@inline
export function wrapTime(time: f64, duration: f64, loops: bool): f64 {
  if (duration <= 1e-8) return 0;
  if (!loops) return time <= 0 ? 0 : time >= duration ? duration : time;
  const wrapped = time - duration * Math.floor(time / duration);
  // The quotient rounds: what comes out as D, or below 0, is the start.
  return wrapped >= duration || wrapped < 0 ? 0 : wrapped;
}

/** The same for an unwrapped time. */
export function sampleUnwrapped(
  clip: usize, time: f64, loops: i32, scratch: usize, bind: usize, bindStride: usize, live: usize, out: usize, groupCount: i32,
): void {
  sampleClip(clip, wrapTime(time, load<f64>(clip, CLIP_DURATION), loops != 0), scratch, bind, bindStride, live, out, groupCount);
}

/** Runs jobs first..end-1 (the form that worker pools run); returns `end`. The caller has seen to the scratch. */
export function sampleJobs(jobs: usize, first: i32, end: i32, scratch: usize, scratchBytes: i32): i32 {
  let job = jobs + <usize>first * JOB_BYTES;
  for (let i = first; i < end; i++) {
    const clip: usize = load<u32>(job, 8);
    if (clip != 0) {
      sampleUnwrapped(
        clip, load<f64>(job, 0), load<i32>(job, 28), scratch, load<u32>(job, 12), GROUP_BYTES, load<u32>(job, 16), load<u32>(job, 20), load<i32>(job, 24));
    }
    job += JOB_BYTES;
  }
  return end;
}
