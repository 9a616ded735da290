/**
 * Crowds: advances the clocks of characters, samples, blends, composes and writes palettes. Poses live in scratch only.
 *
 * Layout   crowd, characters, palette: layout/crowd3d.ts. scratch: two local poses of the rig, the placement and the world
 *          rows, then what samplers need.
 * Requires every pointer 16-byte aligned; step finite and >= 0.
 * Ensures  with SHOWN_PALETTE, rows that are not posed are those that are shown. A character does what a player (src/anim/rig/player.ts) does that got the same calls: the same clocks to the
 *          bit, the same pose. Rows are independent: any split into ranges gives the same result.
 * Source   placement = T R S of a uniform scale; clip time = t - D floor(t / D) for loops.
 */
import {
  CHARACTER_BYTES, CharacterField, CharacterFlag, Crowd3DField, ROWS_BYTES,
} from "../layout/crowd3d";
import { CLIP_DURATION, GROUP_BYTES } from "../layout/rig3d";
import { blendPair } from "./blend-pair";
import { sampleUnwrapped } from "./sample";
import { composeRowPalette, composeWorldRows } from "./world-rows";

/** Advances characters first..end-1 by the crowd's step and writes their palettes (the form that worker pools run); returns `end`. */
export function updateCrowd3d(crowd: usize, first: i32, end: i32, scratch: usize, scratchBytes: i32): i32 {
  const dt = load<f64>(crowd, Crowd3DField.STEP);
  const characters: usize = load<u32>(crowd, Crowd3DField.CHARACTERS);
  const palette: usize = load<u32>(crowd, Crowd3DField.PALETTE);
  const rowBytes = <usize>load<i32>(crowd, Crowd3DField.JOINT_COUNT) * ROWS_BYTES;
  for (let i = first; i < end; i++) {
    const character = characters + <usize>i * CHARACTER_BYTES;
    const waited = load<f64>(character, CharacterField.WAITED) + dt;
    const flags = load<i32>(character, CharacterField.FLAGS);
    if (!(flags & CharacterFlag.FRESH) && waited < load<f64>(character, CharacterField.INTERVAL) - 1e-9) {
      store<f64>(character, waited, CharacterField.WAITED);
      keepShown(crowd, <usize>i * rowBytes, rowBytes);
      continue;
    }
    store<f64>(character, 0, CharacterField.WAITED);
    store<i32>(character, flags & ~CharacterFlag.FRESH, CharacterField.FLAGS);
    advance(crowd, character, waited);
    if (!(flags & CharacterFlag.HIDDEN)) poseCharacter(crowd, character, scratch, palette + <usize>i * rowBytes);
    else keepShown(crowd, <usize>i * rowBytes, rowBytes);
  }
  return end;
}

/** With two palettes: a row that is not posed now looks as in the one that is shown. */
@inline
function keepShown(crowd: usize, offset: usize, rowBytes: usize): void {
  const shown = <usize>load<u32>(crowd, Crowd3DField.SHOWN_PALETTE);
  if (shown != 0) memory.copy(<usize>load<u32>(crowd, Crowd3DField.PALETTE) + offset, shown + offset, rowBytes);
}

/** Palette row of one character at its present clocks; leaves its local pose at `scratch` and its world rows behind. */
export function poseCrowd3d(crowd: usize, row: i32, scratch: usize): void {
  const rowBytes = <usize>load<i32>(crowd, Crowd3DField.JOINT_COUNT) * ROWS_BYTES;
  poseCharacter(
    crowd, <usize>load<u32>(crowd, Crowd3DField.CHARACTERS) + <usize>row * CHARACTER_BYTES, scratch,
    <usize>load<u32>(crowd, Crowd3DField.PALETTE) + <usize>row * rowBytes);
}

/** Descriptor of a clip by index + 1. */
@inline
function clipAt(crowd: usize, index: u32): usize {
  return load<u32>(<usize>load<u32>(crowd, Crowd3DField.CLIPS) + (<usize>(index - 1) << 2));
}

function advance(crowd: usize, character: usize, step: f64): void {
  const index = load<u32>(character, CharacterField.CLIP);
  if (index == 0) return;
  const flags = load<i32>(character, CharacterField.FLAGS);
  const fadeSeconds = load<f64>(character, CharacterField.FADE_SECONDS);
  if ((flags & CharacterFlag.ENDED) && fadeSeconds == 0) return;

  const clipSeconds = step * load<f64>(character, CharacterField.SPEED);
  if (clipSeconds > 0) store<i32>(character, flags & ~CharacterFlag.UNPASSED, CharacterField.FLAGS);
  let time = load<f64>(character, CharacterField.TIME) + clipSeconds;
  if (!(flags & CharacterFlag.LOOP)) {
    const duration = load<f64>(clipAt(crowd, index), CLIP_DURATION);
    if (time >= duration) {
      time = duration;
      if (step > 0 || duration <= 1e-8) store<i32>(character, load<i32>(character, CharacterField.FLAGS) | CharacterFlag.ENDED, CharacterField.FLAGS);
    }
  }
  store<f64>(character, time, CharacterField.TIME);
  if (fadeSeconds == 0) return;

  const elapsed = load<f64>(character, CharacterField.FADE_ELAPSED) + step;
  if (elapsed >= fadeSeconds) {
    store<f64>(character, 0, CharacterField.FADE_SECONDS);
    return;
  }
  store<f64>(character, elapsed, CharacterField.FADE_ELAPSED);
  // A player hands the outgoing clip its rate, and multiplies again: the same two roundings here.
  const rate = step > 0 ? clipSeconds / step : 0;
  let outgoing = load<f64>(character, CharacterField.OUTGOING_TIME) + step * rate;
  if (!(flags & CharacterFlag.OUTGOING_LOOP)) {
    outgoing = min<f64>(outgoing, load<f64>(clipAt(crowd, load<u32>(character, CharacterField.OUTGOING_CLIP)), CLIP_DURATION));
  }
  store<f64>(character, outgoing, CharacterField.OUTGOING_TIME);
}

function sampleInto(
  crowd: usize, character: usize, clip: usize, time: f64, loops: bool, sampler: usize, out: usize, groupCount: i32,
): void {
  const live = load<u32>(<usize>load<u32>(crowd, Crowd3DField.LIVE) + (<usize>load<u32>(character, CharacterField.LOD) << 2));
  sampleUnwrapped(
    clip, time, loops ? 1 : 0, sampler, load<u32>(crowd, Crowd3DField.BIND), GROUP_BYTES, live, out, groupCount);
}

function poseCharacter(crowd: usize, character: usize, scratch: usize, palette: usize): void {
  const groupCount = load<i32>(crowd, Crowd3DField.GROUP_COUNT);
  const poseBytes = <usize>groupCount * GROUP_BYTES;
  const other = scratch + poseBytes;
  const placement = other + poseBytes;
  const world = placement + ROWS_BYTES;
  const sampler = world + <usize>groupCount * (4 * ROWS_BYTES);

  const flags = load<i32>(character, CharacterField.FLAGS);
  const index = load<u32>(character, CharacterField.CLIP);
  const fadeSeconds = load<f64>(character, CharacterField.FADE_SECONDS);
  if (index == 0) {
    memory.copy(scratch, load<u32>(crowd, Crowd3DField.BIND), poseBytes);
  } else if (fadeSeconds == 0) {
    sampleInto(crowd, character, clipAt(crowd, index), load<f64>(character, CharacterField.TIME), (flags & CharacterFlag.LOOP) != 0, sampler, scratch, groupCount);
  } else {
    const outgoing = clipAt(crowd, load<u32>(character, CharacterField.OUTGOING_CLIP));
    const weight = min<f64>(1, load<f64>(character, CharacterField.FADE_ELAPSED) / fadeSeconds);
    const frozen: usize = load<u32>(character, CharacterField.FROZEN);
    sampleInto(crowd, character, outgoing, load<f64>(character, CharacterField.OUTGOING_TIME), (flags & CharacterFlag.OUTGOING_LOOP) != 0, sampler, scratch, groupCount);
    sampleInto(crowd, character, clipAt(crowd, index), load<f64>(character, CharacterField.TIME), (flags & CharacterFlag.LOOP) != 0, sampler, other, groupCount);
    if (weight <= 0) {
      if (frozen != 0) memory.copy(scratch, frozen, poseBytes);
    } else if (weight >= 1) {
      memory.copy(scratch, other, poseBytes);
    } else {
      if (frozen != 0) blendPair(frozen, scratch, <f32>weight, scratch, groupCount);
      blendPair(scratch, other, <f32>weight, scratch, groupCount);
    }
  }

  writePlacement(character + CharacterField.PLACEMENT, placement);
  composeWorldRows(scratch, world, load<u32>(crowd, Crowd3DField.PARENTS), groupCount);
  composeRowPalette(
    world, load<u32>(crowd, Crowd3DField.JOINT_BONES), load<u32>(crowd, Crowd3DField.JOINT_INVERSE_BIND), palette,
    load<i32>(crowd, Crowd3DField.JOINT_COUNT));
}

/** Three rows of T R S. */
function writePlacement(placement: usize, out: usize): void {
  const s = load<f32>(placement, 12);
  const x = load<f32>(placement, 16), y = load<f32>(placement, 20), z = load<f32>(placement, 24), w = load<f32>(placement, 28);
  const x2 = x + x, y2 = y + y, z2 = z + z;
  const one: f32 = 1;
  v128.store(out, f32x4((one - (y * y2 + z * z2)) * s, (x * y2 - w * z2) * s, (x * z2 + w * y2) * s, load<f32>(placement, 0)), 0);
  v128.store(out, f32x4((x * y2 + w * z2) * s, (one - (x * x2 + z * z2)) * s, (y * z2 - w * x2) * s, load<f32>(placement, 4)), 16);
  v128.store(out, f32x4((x * z2 - w * y2) * s, (y * z2 + w * x2) * s, (one - (x * x2 + y * y2)) * s, load<f32>(placement, 8)), 32);
}
