import { FROZEN_CLIP, FROZEN_ROWS, InstanceField, InstanceFlag, NO_CLIP, ROTATION_MEMORY_BYTES, ROTATION_MEMORY_HEADER_BYTES } from "../../assembly/layout/crowd.js";
import { HeaderRow } from "../../assembly/layout/rig2d.js";
import type { Animation } from "../spine/animation.js";
import { AnimationState } from "../spine/animation-state/animation-state.js";
import { AnimationStateData } from "../spine/animation-state/animation-state-data.js";
import type { TrackEntry } from "../spine/animation-state/track-entry.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import { Physics } from "../spine/enums.js";
import { Skeleton } from "../spine/model/skeleton.js";
import type { Skin } from "../spine/model/skin.js";
import { Interpolation } from "../spine/utils/interpolation.js";
import { heap } from "../wasm/heap.js";
import type { ClipTable } from "./clip-table.js";
import { frozenAnimation } from "./frozen-animation.js";
import type { Instances } from "./instances.js";
import { animationTime } from "./overlay-events.js";
import type { Playback, QueuedClip } from "./playback.js";
import type { ShapeTable } from "./shape-table.js";

/** A character that has left the crowd's hands: an ordinary skeleton with its animation state. */
export interface Promoted {
  readonly skeleton: Skeleton;
  readonly state: AnimationState;
}

/**
 * Makes a Skeleton and an AnimationState that go on where a character is: clips, cross-fade, overlay, directions of rotations,
 * physics. The skeleton is posed as the character was at its latest update.
 */
export function promote(
  data: SkeletonData, at: number, skin: Skin | null, instances: Instances, clips: ClipTable, queue: readonly QueuedClip[], physicsBytes: number,
): Promoted {
  const skeleton = new Skeleton(data);
  if (skin !== null) skeleton.setSkin(skin);
  const state = poseLike(skeleton, at, instances, clips, physicsBytes);
  for (const next of queue) {
    const entry = state.addAnimation(0, clips.animations[next.clip]!, next.loop, 0);
    entry.mixDuration = next.mix;
    entry.delay = next.delay;
    entry.timeScale = next.speed;
    // What lies before the start counts as passed.
    setTime(entry, next.time, next.time === 0 ? -1 : animationTime(next.time, entry.animation!.duration, next.loop));
  }
  return { skeleton, state };
}

/**
 * Poses a skeleton, which has the skin of a character, as its record says.
 * @param at - the record
 * @returns the state that did it
 */
export function poseLike(skeleton: Skeleton, at: number, instances: Instances, clips: ClipTable, physicsBytes: number): AnimationState {
  const { data } = skeleton;
  skeleton.setupPose();
  const { f32, f64 } = heap;
  skeleton.setPosition(f32[(at + InstanceField.X) >> 2]!, f32[(at + InstanceField.Y) >> 2]!);
  skeleton.setScale(f32[(at + InstanceField.SCALE_X) >> 2]!, f32[(at + InstanceField.SCALE_Y) >> 2]!);
  const tint = (at + InstanceField.R) >> 2;
  skeleton.color.set(f32[tint]!, f32[tint + 1]!, f32[tint + 2]!, f32[tint + 3]!);
  skeleton.time = f64[(at + InstanceField.SKELETON_TIME) >> 3]!;

  const state = new AnimationState(new AnimationStateData(data));
  const clip = heap.i32[(at + InstanceField.CLIP) >> 2]!;
  const fade = heap.i32[(at + InstanceField.FADE_CLIP) >> 2]!;
  const isEmpty = clip === clips.empty;
  if (clip !== NO_CLIP && !(isEmpty && fade === NO_CLIP)) {
    if (fade === FROZEN_CLIP) {
      const animation = frozenAnimation(data, clips.shapes, heap.u32[(at + InstanceField.FROZEN) >> 2]!, heap.u32[(at + InstanceField.FROZEN_SHAPES) >> 2]!);
      state.setAnimation(0, animation, false);
      state.apply(skeleton);
    } else if (fade !== NO_CLIP) {
      const from = state.setAnimation(0, clips.animations[fade]!, instances.hasFlag(at, InstanceFlag.FADE_LOOP));
      from.trackTime = heap.f64[(at + InstanceField.FADE_TIME) >> 3]!;
      from.timeScale = heap.f32[(at + InstanceField.FADE_SPEED) >> 2]!;
      // What was never applied would be replaced instead of faded from.
      state.apply(skeleton);
    }
    const mixDuration = heap.f64[(at + InstanceField.MIX_DURATION) >> 3]!;
    const entry = isEmpty ? state.setEmptyAnimation(0, mixDuration) : state.setAnimation(0, clips.animations[clip]!, instances.hasFlag(at, InstanceFlag.LOOP));
    entry.mixDuration = fade === NO_CLIP ? 0 : mixDuration;
    entry.mixTime = heap.f64[(at + InstanceField.MIX_TIME) >> 3]!;
    setTime(entry, heap.f64[(at + InstanceField.TIME) >> 3]!, heap.f64[(at + InstanceField.LAST_TIME) >> 3]!);
    entry.timeScale = heap.f32[(at + InstanceField.SPEED) >> 2]!;
  }
  const overlay = heap.i32[(at + InstanceField.OVERLAY_CLIP) >> 2]!;
  if (overlay !== NO_CLIP) setOverlay(state, skeleton, at, clips.animations[overlay]!, instances);
  state.apply(skeleton);
  // The directions that rotations have taken so far, then the pose that goes with them.
  const track = state.getTrack(0);
  const memory = heap.u32[(at + InstanceField.ROTATIONS) >> 2]!;
  if (track !== null && fade === FROZEN_CLIP) {
    copyRotations(memory, track);
  } else if (track !== null && fade >= 0) {
    const rotations = clips.compiled[fade]!.rotateCount;
    copyRotations(memory, track.mixingFrom!);
    copyRotations(memory + ROTATION_MEMORY_HEADER_BYTES + rotations * ROTATION_MEMORY_BYTES, track);
  }
  const second = state.getTrack(1);
  if (second !== null) copyRotations(heap.u32[(at + InstanceField.OVERLAY_ROTATIONS) >> 2]!, second.isEmptyAnimation() ? (second.mixingFrom ?? second) : second);
  if ((track !== null && fade !== NO_CLIP) || second !== null) state.apply(skeleton);
  const physics = heap.u32[(at + InstanceField.PHYSICS) >> 2]!;
  if (physics !== 0) heap.u8.copyWithin(heap.u32[skeleton._base + HeaderRow.PHYSICS]!, physics, physics + physicsBytes);
  skeleton.updateWorldTransform(Physics.pose);
  return state;
}

/** Lets a character go on where a skeleton and its state, which were checked, are. Tracks above the second are left out. */
export function demote(
  id: number,
  at: number,
  { skeleton, state }: Promoted,
  instances: Instances,
  clips: ClipTable,
  playback: Playback,
  physicsBytes: number,
): void {
  const { f32 } = heap;
  f32[(at + InstanceField.X) >> 2] = skeleton.x;
  f32[(at + InstanceField.Y) >> 2] = skeleton.y;
  f32[(at + InstanceField.SCALE_X) >> 2] = skeleton.scaleX;
  f32[(at + InstanceField.SCALE_Y) >> 2] = skeleton.scaleY;
  const { r, g, b, a } = skeleton.color;
  [r, g, b, a].forEach((value, i) => (f32[((at + InstanceField.R) >> 2) + i] = value));
  heap.f64[(at + InstanceField.SKELETON_TIME) >> 3] = skeleton.time;
  const physics = heap.u32[(at + InstanceField.PHYSICS) >> 2]!;
  const state0 = heap.u32[skeleton._base + HeaderRow.PHYSICS]!;
  if (physics !== 0 && state0 !== 0) heap.u8.copyWithin(physics, state0, state0 + physicsBytes);

  const entry = state.getTrack(0);
  playback.stop(at);
  if (entry !== null && entry.animation !== null && !(entry.isEmptyAnimation() && entry.mixingFrom === null)) {
    takeClip(at, entry, skeleton, state, instances, clips, playback);
    playback.setQueue(id, queueBehind(entry, clips));
  }
  takeOverlay(at, state.getTrack(1), clips, playback, state.timeScale);
}

/** Clip and running fade of the first track. */
function takeClip(
  at: number, entry: TrackEntry, skeleton: Skeleton, state: AnimationState, instances: Instances, clips: ClipTable, playback: Playback,
): void {
  const isEmpty = entry.isEmptyAnimation();
  const clip = isEmpty ? clips.empty : clips.index(entry.animation!.name);
  const request = { clip, mix: entry.mixDuration, loop: entry.loop && !isEmpty, speed: entry.timeScale * state.timeScale, time: entry.trackTime };
  const from = entry.mixTime < entry.mixDuration ? entry.mixingFrom : null;
  if (from !== null && !(isClip(from, clips) && entry.mixInterpolation === Interpolation.linear)) {
    // A mixture that a character cannot keep, such as a chain of fades, is frozen and fades out in the time that is left.
    playback.start(at, request);
    const pose = poseBelow(skeleton, state);
    playback.fadeFrom(at, entry.mixDuration - entry.mixTime, (frozen, shapes) => freezeSkeleton(pose, clips.shapes, frozen, shapes));
    if (pose !== skeleton) pose.dispose();
  } else {
    if (from !== null) {
      playback.start(at, { clip: clips.index(from.animation!.name), mix: 0, loop: from.loop, speed: from.timeScale * state.timeScale, time: from.trackTime });
      instances.setFlag(at, InstanceFlag.POSED, true);
    }
    playback.play(at, request);
    if (heap.i32[(at + InstanceField.FADE_CLIP) >> 2]! >= 0) {
      const memory = heap.u32[(at + InstanceField.ROTATIONS) >> 2]!;
      const rotations = clips.compiled[clips.index(from!.animation!.name)]!.rotateCount;
      takeRotations(memory, from!);
      takeRotations(memory + ROTATION_MEMORY_HEADER_BYTES + rotations * ROTATION_MEMORY_BYTES, entry);
    }
    heap.f64[(at + InstanceField.MIX_TIME) >> 3] = entry.mixTime;
  }
  // The empty clip tells nothing, neither events nor that it is over.
  heap.f64[(at + InstanceField.LAST_TIME) >> 3] = isEmpty ? 0 : entry.nextAnimationLast;
  heap.f64[(at + InstanceField.LAST_TRACK) >> 3] = entry.nextTrackLast;
}

/** What is queued behind an entry, up to the first that a character cannot play. */
function queueBehind(entry: TrackEntry, clips: ClipTable): QueuedClip[] {
  const queue: QueuedClip[] = [];
  for (let next = entry.next; next !== null && isPlayable(next, clips); next = next.next) {
    const { mixDuration, loop, timeScale, trackTime, delay } = next;
    queue.push({ clip: clips.index(next.animation!.name), mix: mixDuration, loop, speed: timeScale, time: trackTime, delay });
  }
  return queue;
}

/** Whether an entry is all that plays of a track, and a character can play it. */
function isClip(entry: TrackEntry, clips: ClipTable): boolean {
  return entry.mixingFrom === null && isPlayable(entry, clips);
}

/** Whether a character can play what an entry does. */
function isPlayable({ animation, alpha, timeScale, reverse, additive, animationStart, animationEnd }: TrackEntry, clips: ClipTable): boolean {
  if (animation === null || !clips.has(animation.name) || clips.animations[clips.index(animation.name)] !== animation) return false;
  return alpha === 1 && timeScale >= 0 && !reverse && !additive && animationStart === 0 && animationEnd === animation.duration;
}

/** Plays the overlay of a character on the second track, with as much of its fade as is over. */
function setOverlay(state: AnimationState, skeleton: Skeleton, at: number, animation: Animation, instances: Instances): void {
  const isLeaving = instances.hasFlag(at, InstanceFlag.OVERLAY_OUT);
  const { f32, f64 } = heap;
  const duration = f64[(at + InstanceField.OVERLAY_MIX_DURATION) >> 3]!;
  const mixTime = f64[(at + InstanceField.OVERLAY_MIX_TIME) >> 3]!;
  const isFading = mixTime < duration;
  if (isFading && !isLeaving) {
    state.setEmptyAnimation(1, 0);
    state.apply(skeleton);
  }
  const entry = state.setAnimation(1, animation, instances.hasFlag(at, InstanceFlag.OVERLAY_LOOP));
  entry.alpha = f32[(isLeaving && isFading ? at + InstanceField.OVERLAY_ALPHA_FROM : at + InstanceField.OVERLAY_ALPHA) >> 2]!;
  entry.timeScale = f32[(at + InstanceField.OVERLAY_SPEED) >> 2]!;
  entry.mixDuration = isFading && !isLeaving ? duration : 0;
  entry.mixTime = mixTime;
  const time = f64[(at + InstanceField.OVERLAY_TIME) >> 3]!;
  const loops = instances.hasFlag(at, InstanceFlag.OVERLAY_LOOP);
  setTime(entry, time, instances.hasFlag(at, InstanceFlag.OVERLAY_UNPASSED) ? -1 : animationTime(time, animation.duration, loops));
  if (!isLeaving) return;
  state.apply(skeleton);
  state.setEmptyAnimation(1, duration).mixTime = mixTime;
}

/** The other way round: the clip of the second track as an overlay. Clips that it mixes with are left out. */
function takeOverlay(at: number, entry: TrackEntry | null, clips: ClipTable, playback: Playback, timeScale: number): void {
  if (entry === null) return;
  const isLeaving = entry.isEmptyAnimation();
  const source = isLeaving ? entry.mixingFrom : entry;
  if (source?.animation == null || source.isEmptyAnimation() || !clips.has(source.animation.name)) return;
  const clip = clips.index(source.animation.name);
  const isFading = entry.mixingFrom !== null && entry.mixTime < entry.mixDuration;
  if (isLeaving && !isFading) return;
  const mix = isFading ? entry.mixDuration : 0;
  playback.playOverlay(at, { clip, mix, loop: source.loop, speed: source.timeScale * timeScale, time: source.trackTime }, source.alpha);
  if (isLeaving) {
    // At its full alpha, from which it fades.
    heap.f64[(at + InstanceField.OVERLAY_MIX_TIME) >> 3] = mix;
    playback.stopOverlay(at, mix);
  }
  heap.f64[(at + InstanceField.OVERLAY_MIX_TIME) >> 3] = isFading ? entry.mixTime : 0;
  takeRotations(heap.u32[(at + InstanceField.OVERLAY_ROTATIONS) >> 2]!, source);
}

/** A skeleton with the pose of the first track alone: the given one if nothing else plays, else one of its own. */
function poseBelow(skeleton: Skeleton, state: AnimationState): Skeleton {
  const { tracks, queue } = state;
  if (!tracks.some((entry, i) => i > 0 && entry !== null)) return skeleton;
  const below = new Skeleton(skeleton.data);
  if (skeleton.skin !== null) below.setSkin(skeleton.skin);
  below.setupPose();
  const above = tracks.splice(1);
  const { animationsChanged } = state;
  // Listeners have heard of it all.
  queue.suspended++;
  try {
    // A clip that leaves deforms what is shown before the one that comes decides that: the second time all is in place.
    for (let i = 0; i < 2; i++) state.apply(below);
    queue.clear();
  } finally {
    queue.suspended--;
    tracks.push(...above);
    state.animationsChanged = animationsChanged;
  }
  return below;
}

/** Writes the pose of a skeleton, before constraints, as a frozen one. @returns how many attachments are deformed */
function freezeSkeleton(skeleton: Skeleton, table: ShapeTable, frozen: number, shapes: number): number {
  const { data } = skeleton;
  const { shape } = data._rig;
  const { u32 } = heap;
  let to = frozen >> 2;
  const copy = (row: number): void => {
    u32.copyWithin(to, skeleton._base + row, skeleton._base + row + FROZEN_ROWS);
    to += FROZEN_ROWS;
  };
  for (let i = 0; i < data.bones.length; i++) copy(shape.boneRow(i));
  for (let i = 0; i < data.slots.length; i++) copy(shape.slotRow(i));
  for (let i = 0; i < data.constraints.length; i++) copy(shape.constraintRow(i));
  return shapes === 0 ? 0 : table.freeze(shapes, (slot) => skeleton._base + shape.slotRow(slot));
}

function setTime(entry: TrackEntry, time: number, last: number): void {
  entry.trackTime = time;
  entry.animationLast = last;
}

/** Remembered directions of a clip, if it has been posed in this fade. */
function copyRotations(memory: number, entry: TrackEntry): void {
  const compiled = entry._wordsFor;
  if (memory === 0 || compiled === null || heap.u32[memory >> 2] !== 0) return;
  const from = memory + ROTATION_MEMORY_HEADER_BYTES;
  heap.u8.copyWithin(entry._memoryOf(compiled), from, from + compiled.rotateCount * ROTATION_MEMORY_BYTES);
}

/** The other way round: directions that an entry remembers. */
function takeRotations(memory: number, entry: TrackEntry): void {
  if (entry.nextTrackLast === -1) return;
  const rotations = entry.timelinesRotation;
  // A clip that was posed: no longer fresh.
  heap.u32[memory >> 2] = 0;
  heap.f32.set(rotations, (memory + ROTATION_MEMORY_HEADER_BYTES) >> 2);
}
