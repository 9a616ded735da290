/** A character of a 3D crowd as an AnimPlayer of its own, and back. @internal */
import { CharacterField, CharacterFlag } from "../../assembly/layout/crowd3d.js";
import type { AnimPlayer } from "../anim/rig/player.js";
import { heap } from "../wasm/heap.js";
import type { Crowd3DCharacters } from "./crowd3d-characters.js";
import type { Crowd3DClips } from "./crowd3d-clips.js";
import type { Crowd3DPlayback } from "./crowd3d-playback.js";

/** Lets a player go on where a record is. The outgoing clip of a fade loops by its own flag, as for any player. */
export function promote3D(at: number, player: AnimPlayer, clips: Crowd3DClips): void {
  const { f64, i32, u32 } = heap, flags = i32[(at + CharacterField.FLAGS) >>> 2]!, fadeDuration = f64[(at + CharacterField.FADE_SECONDS) >>> 3]!;
  player.setLod(i32[(at + CharacterField.LOD) >>> 2]!);
  player.state = {
    clip: clips.at(i32[(at + CharacterField.CLIP) >>> 2]!), time: f64[(at + CharacterField.TIME) >>> 3]!, loop: (flags & CharacterFlag.LOOP) !== 0,
    speed: f64[(at + CharacterField.SPEED) >>> 3]!, playing: (flags & CharacterFlag.ENDED) === 0,
    outgoing: fadeDuration > 0 ? clips.at(i32[(at + CharacterField.OUTGOING_CLIP) >>> 2]!) : null, outgoingTime: f64[(at + CharacterField.OUTGOING_TIME) >>> 3]!,
    fadeElapsed: f64[(at + CharacterField.FADE_ELAPSED) >>> 3]!, fadeDuration, frozen: fadeDuration > 0 ? u32[(at + CharacterField.FROZEN) >>> 2]! : 0,
  };
}

/** Lets a record, which holds no frozen pose, go on where a player is. */
export function demote3D(at: number, player: AnimPlayer, characters: Crowd3DCharacters, clips: Crowd3DClips, playback: Crowd3DPlayback, poseBytes: number): void {
  const state = player.state, isFading = state.outgoing !== null;
  const clip = state.clip === null ? 0 : clips.register(state.clip), outgoing = state.outgoing === null ? 0 : clips.register(state.outgoing);
  const frozen = state.frozen === 0 ? 0 : playback.takeFrozen(at), { f64, i32 } = heap;
  if (frozen !== 0) heap.u8.copyWithin(frozen, state.frozen, state.frozen + poseBytes);
  i32[(at + CharacterField.CLIP) >>> 2] = clip;
  i32[(at + CharacterField.OUTGOING_CLIP) >>> 2] = outgoing;
  i32[(at + CharacterField.LOD) >>> 2] = player.getLod();
  f64[(at + CharacterField.TIME) >>> 3] = state.time;
  f64[(at + CharacterField.SPEED) >>> 3] = state.speed;
  f64[(at + CharacterField.OUTGOING_TIME) >>> 3] = state.outgoingTime;
  f64[(at + CharacterField.FADE_ELAPSED) >>> 3] = state.fadeElapsed;
  f64[(at + CharacterField.FADE_SECONDS) >>> 3] = isFading ? state.fadeDuration : 0;
  characters.setFlag(at, CharacterFlag.LOOP, state.loop);
  characters.setFlag(at, CharacterFlag.OUTGOING_LOOP, state.outgoing?.loop === true);
  characters.setFlag(at, CharacterFlag.ENDED, clip !== 0 && !state.playing);
  characters.setFlag(at, CharacterFlag.UNPASSED, state.time === 0);
}
