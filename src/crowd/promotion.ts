import { FROZEN_CLIP, FROZEN_ROWS, InstanceField, InstanceFlag, NO_CLIP, ROTATION_MEMORY_BYTES, ROTATION_MEMORY_HEADER_BYTES } from "../../assembly/layout/crowd.js";
import { BoneRow, HeaderRow } from "../../assembly/layout/rig2d.js";
import { Animation } from "../spine/animation.js";
import { AnimationState } from "../spine/animation-state/animation-state.js";
import { AnimationStateData } from "../spine/animation-state/animation-state-data.js";
import type { TrackEntry } from "../spine/animation-state/track-entry.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import { Physics } from "../spine/enums.js";
import { Skeleton } from "../spine/model/skeleton.js";
import type { Skin } from "../spine/model/skin.js";
import { RotateTimeline, ScaleTimeline, ShearTimeline, TranslateTimeline } from "../spine/timelines/bone-timelines.js";
import type { Timeline } from "../spine/timelines/timeline.js";
import { heap } from "../wasm/heap.js";
import type { ClipTable } from "./clip-table.js";
import type { Instances } from "./instances.js";
import type { Playback } from "./playback.js";

/** A character that has left the crowd's hands: an ordinary skeleton with its animation state. */
export interface Promoted {
  readonly skeleton: Skeleton;
  readonly state: AnimationState;
}

/**
 * Makes a Skeleton and an AnimationState that go on where a character is: clips, cross-fade, overlay, directions of rotations,
 * physics. The skeleton is posed as the character was at its latest update.
 */
export function promote(data: SkeletonData, at: number, skin: Skin | null, instances: Instances, clips: ClipTable, physicsBytes: number): Promoted {
  const skeleton = new Skeleton(data);
  if (skin !== null) skeleton.setSkin(skin);
  skeleton.setupPose();
  const { f32, f64, i32, u32 } = heap;
  skeleton.setPosition(f32[(at + InstanceField.X) >> 2]!, f32[(at + InstanceField.Y) >> 2]!);
  skeleton.setScale(f32[(at + InstanceField.SCALE_X) >> 2]!, f32[(at + InstanceField.SCALE_Y) >> 2]!);
  const tint = (at + InstanceField.R) >> 2;
  skeleton.color.set(f32[tint]!, f32[tint + 1]!, f32[tint + 2]!, f32[tint + 3]!);
  skeleton.time = f64[(at + InstanceField.SKELETON_TIME) >> 3]!;

  const state = new AnimationState(new AnimationStateData(data));
  const clip = i32[(at + InstanceField.CLIP) >> 2]!;
  const fade = i32[(at + InstanceField.FADE_CLIP) >> 2]!;
  if (clip !== NO_CLIP) {
    if (fade !== NO_CLIP) {
      const animation = fade === FROZEN_CLIP ? frozenAnimation(data, u32[(at + InstanceField.FROZEN) >> 2]!) : clips.animations[fade]!;
      const from = state.setAnimation(0, animation, instances.hasFlag(at, InstanceFlag.FADE_LOOP));
      from.trackTime = heap.f64[(at + InstanceField.FADE_TIME) >> 3]!;
      from.timeScale = heap.f32[(at + InstanceField.FADE_SPEED) >> 2]!;
      // What was never applied would be replaced instead of faded from.
      state.apply(skeleton);
    }
    const entry = state.setAnimation(0, clips.animations[clip]!, instances.hasFlag(at, InstanceFlag.LOOP));
    entry.mixDuration = fade === NO_CLIP ? 0 : heap.f64[(at + InstanceField.MIX_DURATION) >> 3]!;
    entry.mixTime = heap.f64[(at + InstanceField.MIX_TIME) >> 3]!;
    setTime(entry, heap.f64[(at + InstanceField.TIME) >> 3]!, heap.f64[(at + InstanceField.LAST_TIME) >> 3]!);
    entry.timeScale = heap.f32[(at + InstanceField.SPEED) >> 2]!;
  }
  const overlay = heap.i32[(at + InstanceField.OVERLAY_CLIP) >> 2]!;
  if (overlay !== NO_CLIP) {
    const entry = state.setAnimation(1, clips.animations[overlay]!, instances.hasFlag(at, InstanceFlag.OVERLAY_LOOP));
    entry.alpha = heap.f32[(at + InstanceField.OVERLAY_ALPHA) >> 2]!;
    entry.timeScale = heap.f32[(at + InstanceField.OVERLAY_SPEED) >> 2]!;
    const time = heap.f64[(at + InstanceField.OVERLAY_TIME) >> 3]!;
    setTime(entry, time, time);
  }
  state.apply(skeleton);
  const track = state.getTrack(0);
  if (track !== null && fade >= 0) {
    // The directions that rotations have taken since the fade began, then the pose that goes with them.
    const memory = heap.u32[(at + InstanceField.ROTATIONS) >> 2]!;
    const rotations = clips.compiled[fade]!.rotateCount;
    copyRotations(memory, track.mixingFrom!);
    copyRotations(memory + ROTATION_MEMORY_HEADER_BYTES + rotations * ROTATION_MEMORY_BYTES, track);
    state.apply(skeleton);
  }
  const physics = heap.u32[(at + InstanceField.PHYSICS) >> 2]!;
  if (physics !== 0) heap.u8.copyWithin(heap.u32[skeleton._base + HeaderRow.PHYSICS]!, physics, physics + physicsBytes);
  skeleton.updateWorldTransform(Physics.pose);
  return { skeleton, state };
}

/** Lets a character go on where a skeleton and its state are. Tracks above the second and older fades are left out. */
export function demote(
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
  const animation = entry === null || entry.isEmptyAnimation() ? null : entry.animation;
  playback.stop(at);
  if (entry === null || animation === null) return;
  const from = entry.mixingFrom;
  if (from?.animation != null && !from.isEmptyAnimation() && clips.has(from.animation.name) && entry.mixTime < entry.mixDuration) {
    playback.start(at, { clip: clips.index(from.animation.name), mix: 0, loop: from.loop, speed: from.timeScale, time: from.trackTime });
    instances.setFlag(at, InstanceFlag.POSED, true);
  }
  playback.play(at, {
    clip: clips.index(animation.name), mix: entry.mixDuration, loop: entry.loop, speed: entry.timeScale, time: entry.trackTime,
  });
  if (heap.i32[(at + InstanceField.FADE_CLIP) >> 2]! >= 0) {
    const memory = heap.u32[(at + InstanceField.ROTATIONS) >> 2]!;
    const rotations = clips.compiled[clips.index(from!.animation!.name)]!.rotateCount;
    takeRotations(memory, from!);
    takeRotations(memory + ROTATION_MEMORY_HEADER_BYTES + rotations * ROTATION_MEMORY_BYTES, entry);
  }
  heap.f64[(at + InstanceField.MIX_TIME) >> 3] = entry.mixTime;
  heap.f64[(at + InstanceField.LAST_TIME) >> 3] = entry.nextAnimationLast;
  heap.f64[(at + InstanceField.LAST_TRACK) >> 3] = entry.nextTrackLast;
  const overlay = state.getTrack(1);
  if (overlay?.animation != null && !overlay.isEmptyAnimation()) {
    playback.playOverlay(
      at,
      { clip: clips.index(overlay.animation.name), mix: 0, loop: overlay.loop, speed: overlay.timeScale, time: overlay.trackTime },
      overlay.alpha,
    );
  }
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
  const rotations = entry.timelinesRotation;
  if (rotations.length === 0) return;
  heap.u32[memory >> 2] = 0;
  heap.f32.set(rotations, (memory + ROTATION_MEMORY_HEADER_BYTES) >> 2);
}

/** A frozen pose as an animation of one key a timeline. */
function frozenAnimation(data: SkeletonData, frozen: number): Animation {
  const timelines: Timeline[] = [];
  data.bones.forEach(({ setupPose: setup }, i) => {
    const at = (frozen >> 2) + i * FROZEN_ROWS;
    const value = (row: BoneRow): number => heap.f32[at + row]!;
    const rotate = new RotateTimeline(1, 0, i);
    rotate.setFrame(0, 0, value(BoneRow.ROTATION) - setup.rotation);
    const translate = new TranslateTimeline(1, 0, i);
    translate.setFrame(0, 0, value(BoneRow.X) - setup.x, value(BoneRow.Y) - setup.y);
    const scale = new ScaleTimeline(1, 0, i);
    const factor = (scaled: number, base: number): number => (base === 0 ? 0 : scaled / base);
    scale.setFrame(0, 0, factor(value(BoneRow.SCALE_X), setup.scaleX), factor(value(BoneRow.SCALE_Y), setup.scaleY));
    const shear = new ShearTimeline(1, 0, i);
    shear.setFrame(0, 0, value(BoneRow.SHEAR_X) - setup.shearX, value(BoneRow.SHEAR_Y) - setup.shearY);
    timelines.push(rotate, translate, scale, shear);
  });
  return new Animation("frozen", timelines, 0);
}
