/**
 * An animation mixed with the pose: every channel with its own base mode and weight, rotations with remembered directions.
 *
 * Layout   MIX command, animation, weight words, rotation memory: layout/animation.ts; channels: layout/rig2d.ts.
 * Requires as rig2d/apply; weight indices below the command's number of weights.
 * Ensures  rows of channels with an active target (applied poses if the command says so); rotation memories.
 * Source   timelines section 8: with base b (setup or current value), sampled value v, setup s, weight w
 *            relative b + (v + s - b) w, absolute b + (v - b) w, added b + v w, scale with the sign rules of 8.1.
 */
import {
  AnimationField, CommandField, CommandFlag, ROTATION_MEMORY_BYTES, WORD_MODE_MASK, WORD_WEIGHT_SHIFT,
} from "../layout/animation";
import { CHANNEL_BYTES, ChannelField, ChannelFlag, MixMode } from "../layout/rig2d";
import { clamp01, inverse } from "./apply-pose";
import { mixRotation } from "./apply-rotation";
import { appliedRow, hasInactive, heldTime, isTargetActive, roundedDown, sampleAt } from "./sample";

/** The word of the next channel, or the one word of a uniform command. */
@inline
function wordOf(words: usize, index: usize, uniform: u32): u32 {
  return words != 0 ? <u32>load<u16>(words + (index << 1)) : uniform;
}

@inline
function weightOf(command: usize, word: u32): f32 {
  return load<f32>(command + (<usize>(word >> WORD_WEIGHT_SHIFT) << 2), CommandField.WEIGHTS);
}

/** Value before the first key; CURRENT never comes here. */
@inline
export function beforeFirst(mode: u32, base: f32, current: f32, weight: f32): f32 {
  return mode == MixMode.SETUP ? base : current + (base - current) * weight;
}

export function mixAnimation(command: usize, pose: usize, setup: usize, program: usize): void {
  const animation = <usize>load<u32>(command, CommandField.SUBJECT);
  const flags = load<u32>(command, CommandField.FLAGS);
  const t = heldTime(load<f64>(command, CommandField.TIME));
  const words = <usize>load<u32>(command, CommandField.WORDS);
  const memory = <usize>load<u32>(command, CommandField.MEMORY);
  const uniform = flags & CommandFlag.MODE;
  const adds = (flags & CommandFlag.ADD) != 0;
  const isOut = (flags & CommandFlag.OUT) != 0;
  const applied = (flags & CommandFlag.APPLIED) != 0;
  const asks = hasInactive(program);
  const floor = roundedDown(t);
  let channel = <usize>load<u32>(animation, AnimationField.CHANNELS);
  let index: usize = 0;

  let end = <usize>load<u32>(animation, AnimationField.ROTATE_END);
  if (memory != 0) {
    const isFirst = (flags & CommandFlag.FIRST_FRAME) != 0;
    for (; channel < end; channel += CHANNEL_BYTES, index++) {
      if (asks && !isTargetActive(channel, program)) continue;
      const word = wordOf(words, index, uniform);
      const row = <usize>load<u32>(channel, ChannelField.ROW) << 2;
      mixRotation(channel, t, floor, word & WORD_MODE_MASK, weightOf(command, word), pose + row, load<f32>(setup + row),
        memory + index * ROTATION_MEMORY_BYTES, isFirst);
    }
  }

  end = <usize>load<u32>(animation, AnimationField.RELATIVE_END);
  for (; channel < end; channel += CHANNEL_BYTES, index++) {
    if (asks && !isTargetActive(channel, program)) continue;
    const word = wordOf(words, index, uniform);
    const mode = word & WORD_MODE_MASK;
    const weight = weightOf(command, word);
    const row = <usize>load<u32>(channel, ChannelField.ROW) << 2;
    const at = pose + (applied ? appliedRow(channel, program) << 2 : row);
    const base = load<f32>(setup + row), current = load<f32>(at);
    if (floor >= load<f32>(channel, ChannelField.FIRST_TIME)) {
      const value = sampleAt(channel, t, floor);
      store<f32>(at, mixRelative(mode, adds, base, current, value, weight));
    } else if (mode != MixMode.CURRENT) {
      store<f32>(at, beforeFirst(mode, base, current, weight));
    }
  }

  end = <usize>load<u32>(animation, AnimationField.SCALE_END);
  for (; channel < end; channel += CHANNEL_BYTES, index++) {
    if (asks && !isTargetActive(channel, program)) continue;
    const word = wordOf(words, index, uniform);
    const mode = word & WORD_MODE_MASK;
    const weight = weightOf(command, word);
    const row = <usize>load<u32>(channel, ChannelField.ROW) << 2;
    const at = pose + (applied ? appliedRow(channel, program) << 2 : row);
    const base = load<f32>(setup + row), current = load<f32>(at);
    if (floor >= load<f32>(channel, ChannelField.FIRST_TIME)) {
      const value = base * sampleAt(channel, t, floor);
      store<f32>(at, mixScale(adds, isOut, base, mode == MixMode.SETUP ? base : current, value, weight));
    } else if (mode != MixMode.CURRENT) {
      store<f32>(at, beforeFirst(mode, base, current, weight));
    }
  }

  end = <usize>load<u32>(animation, AnimationField.ABSOLUTE_END);
  for (; channel < end; channel += CHANNEL_BYTES, index++) {
    if (asks && !isTargetActive(channel, program)) continue;
    const word = wordOf(words, index, uniform);
    const mode = word & WORD_MODE_MASK;
    const weight = weightOf(command, word);
    const row = <usize>load<u32>(channel, ChannelField.ROW) << 2;
    const at = pose + (applied ? appliedRow(channel, program) << 2 : row);
    const base = load<f32>(setup + row), current = load<f32>(at);
    if (floor >= load<f32>(channel, ChannelField.FIRST_TIME)) {
      const value = sampleAt(channel, t, floor);
      const addsHere = adds && (load<u32>(channel, ChannelField.RULE) & ChannelFlag.IGNORES_ADD) == 0;
      store<f32>(at, mixAbsolute(addsHere, mode == MixMode.SETUP ? base : current, value, weight));
    } else if (mode != MixMode.CURRENT) {
      store<f32>(at, beforeFirst(mode, base, current, weight));
    }
  }

  end = <usize>load<u32>(animation, AnimationField.COLOR_END);
  for (; channel < end; channel += CHANNEL_BYTES, index++) {
    if (asks && !isTargetActive(channel, program)) continue;
    const word = wordOf(words, index, uniform);
    const mode = word & WORD_MODE_MASK;
    const weight = weightOf(command, word);
    const row = <usize>load<u32>(channel, ChannelField.ROW) << 2;
    const at = pose + (applied ? appliedRow(channel, program) << 2 : row);
    const base = load<f32>(setup + row), current = load<f32>(at);
    if (floor >= load<f32>(channel, ChannelField.FIRST_TIME)) {
      const value = sampleAt(channel, t, floor);
      store<f32>(at, clamp01(mixAbsolute(false, mode == MixMode.SETUP ? base : current, value, weight)));
    } else if (mode != MixMode.CURRENT) {
      const value = beforeFirst(mode, base, current, weight);
      const clamps = mode == MixMode.FIRST && (load<u32>(channel, ChannelField.RULE) & ChannelFlag.CLAMPS_BEFORE) != 0;
      store<f32>(at, clamps ? clamp01(value) : value);
    }
  }

  end = <usize>load<u32>(animation, AnimationField.MASS_END);
  for (; channel < end; channel += CHANNEL_BYTES, index++) {
    if (asks && !isTargetActive(channel, program)) continue;
    const word = wordOf(words, index, uniform);
    const mode = word & WORD_MODE_MASK;
    const weight = weightOf(command, word);
    const row = <usize>load<u32>(channel, ChannelField.ROW) << 2;
    const at = pose + (applied ? appliedRow(channel, program) << 2 : row);
    const base = inverse(load<f32>(setup + row)), current = inverse(load<f32>(at));
    if (floor >= load<f32>(channel, ChannelField.FIRST_TIME)) {
      const value = sampleAt(channel, t, floor);
      store<f32>(at, inverse(mixAbsolute(false, mode == MixMode.SETUP ? base : current, value, weight)));
    } else if (mode == MixMode.SETUP) {
      store<f32>(at, load<f32>(setup + row));
    } else if (mode == MixMode.FIRST) {
      store<f32>(at, inverse(beforeFirst(mode, base, current, weight)));
    }
  }

  end = <usize>load<u32>(animation, AnimationField.INHERIT_END);
  for (; channel < end; channel += CHANNEL_BYTES, index++) {
    if (asks && !isTargetActive(channel, program)) continue;
    const mode = wordOf(words, index, uniform) & WORD_MODE_MASK;
    const row = <usize>load<u32>(channel, ChannelField.ROW) << 2;
    const at = pose + (applied ? appliedRow(channel, program) << 2 : row);
    if (!isOut && floor >= load<f32>(channel, ChannelField.FIRST_TIME)) {
      store<i32>(at, <i32>sampleAt(channel, t, floor));
    } else if (mode != MixMode.CURRENT) {
      store<i32>(at, load<i32>(setup + row));
    }
  }

  end = <usize>load<u32>(animation, AnimationField.IK_FLAG_END);
  for (; channel < end; channel += CHANNEL_BYTES, index++) {
    if (asks && !isTargetActive(channel, program)) continue;
    const mode = wordOf(words, index, uniform) & WORD_MODE_MASK;
    const row = <usize>load<u32>(channel, ChannelField.ROW) << 2;
    const at = pose + (applied ? appliedRow(channel, program) << 2 : row);
    if (floor >= load<f32>(channel, ChannelField.FIRST_TIME)) {
      if (!isOut) store<i32>(at, <i32>sampleAt(channel, t, floor));
      else if (mode == MixMode.SETUP) store<i32>(at, load<i32>(setup + row));
    } else if (mode != MixMode.CURRENT) {
      store<i32>(at, load<i32>(setup + row));
    }
  }
}

/** At weight 1 the value itself, not its rounded way there: mixing equal poses must change nothing. */
@inline
export function mixRelative(mode: u32, adds: bool, base: f32, current: f32, value: f32, weight: f32): f32 {
  if (mode == MixMode.SETUP) return base + value * weight;
  if (adds) return current + value * weight;
  const target = base + value;
  return weight == 1 ? target : current + (target - current) * weight;
}

@inline
export function mixAbsolute(adds: bool, from: f32, value: f32, weight: f32): f32 {
  if (adds) return from + value * weight;
  return weight == 1 ? value : from + (value - from) * weight;
}

/** `value` is already multiplied by the setup scale. Mixing out keeps the sign of `from`, mixing in takes that of `value`. */
@inline
export function mixScale(adds: bool, isOut: bool, setup: f32, from: f32, value: f32, weight: f32): f32 {
  if (adds) return from + (value - setup) * weight;
  if (weight == 1) return value;
  if (isOut) return from + (abs<f32>(value) * sign(from) - from) * weight;
  const start = abs<f32>(from) * sign(value);
  return start + (value - start) * weight;
}

@inline
function sign(value: f32): f32 {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}
