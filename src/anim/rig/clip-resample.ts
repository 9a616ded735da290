import { requireObject, requirePositive } from "./checks.js";
import { AnimClip } from "./clip.js";
import { type KeyTrack, TrackMode } from "./key-track.js";
import { timeGrid } from "./time-grid.js";
import { sampleTrack } from "./track-sample.js";

const CHANNELS = ["position", "rotation", "scale"] as const;

/**
 * The clip with keys at an even rate, a new clip: times i / hz from 0 on, and the duration. Splines become straight pieces between
 * them, irregular keys a regular grid (which samples faster); step tracks keep their own keys, tracks of one key that key. Events,
 * markers and curves stay; the sample rate becomes `hz`.
 * @param hz - keys a second, above 0
 * @throws AnimCapacityError for more than 2^24 keys a track
 */
export function resampleClip(clip: AnimClip, hz: number): AnimClip {
  requireObject("resampleClip", "clip", clip, "AnimClip");
  requirePositive("resampleClip", "hz", hz);
  const out = clip.clone(), duration = clip.getDuration(), times = timeGrid("resampleClip", duration, hz);
  out.setSampleRate(hz);
  clip.tracks.forEach((tracks, bone) => {
    for (const channel of CHANNELS) {
      const track = tracks?.[channel];
      if (track === undefined || track.count < 2 || track.mode === TrackMode.STEP) continue;
      out.setTrackInterpolation(bone, channel, "linear");
      out.setTrackKeys(bone, channel, times, sampled(track, times));
    }
  });
  out.setDuration(duration);
  return out;
}

/** Values at times; neighbouring rotations on one side of the sphere. */
function sampled(track: KeyTrack, times: readonly number[]): number[] {
  const values: number[] = [], value = new Float64Array(4), s = track.stride;
  for (const time of times) {
    sampleTrack(track, time, value, 0);
    let dot = 0;
    if (s === 4 && values.length > 0) for (let k = 0; k < 4; k++) dot += value[k]! * values[values.length - 4 + k]!;
    for (let k = 0; k < s; k++) values.push(dot < 0 ? -value[k]! : value[k]!);
  }
  return values;
}
