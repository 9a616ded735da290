import { ArgumentError } from "../errors.js";
import type { TrackEntry } from "../spine/animation-state/track-entry.js";
import { AnimationState } from "../spine/animation-state/animation-state.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import { Skeleton } from "../spine/model/skeleton.js";
import { atLeastZero, finite } from "./checks.js";
import type { ClipTable } from "./clip-table.js";
import type { Promoted } from "./promotion.js";

/** Refuses what a character of a crowd cannot go on with. @throws ArgumentError, RangeMismatchError */
export function checkPromoted(data: SkeletonData, promoted: Promoted, clips: ClipTable): void {
  const skeleton = promoted?.skeleton;
  const state = promoted?.state;
  if (!(skeleton instanceof Skeleton) || !(state instanceof AnimationState)) {
    throw new ArgumentError("What a character is to go on from is missing. Give { skeleton, state } as promote() returned it.", { found: promoted });
  }
  if (skeleton.data !== data) throw new ArgumentError("The skeleton is of other data than the crowd. Give the one that promote() returned.");
  finite("skeleton.x", skeleton.x);
  finite("skeleton.y", skeleton.y);
  finite("skeleton.scaleX", skeleton.scaleX);
  finite("skeleton.scaleY", skeleton.scaleY);
  const { r, g, b, a } = skeleton.color;
  for (const value of [r, g, b, a]) finite("skeleton.color", value);
  atLeastZero("state.timeScale", state.timeScale);
  checkEntry(state.getTrack(0), clips, true);
  checkEntry(state.getTrack(1), clips, false);
}

/** @param isAlone - whether it must have its whole weight */
function checkEntry(entry: TrackEntry | null, clips: ClipTable, isAlone: boolean): void {
  if (entry === null || entry.animation === null || entry.isEmptyAnimation()) return;
  const { name } = entry.animation;
  const reason =
    !clips.has(name) || clips.animations[clips.index(name)] !== entry.animation ? "which the data of the crowd do not have"
      : entry.reverse || entry.timeScale < 0 ? "backwards"
        : entry.animationStart !== 0 || entry.animationEnd !== entry.animation.duration ? "not from its start to its end"
          : entry.additive ? "additively"
            : isAlone && entry.alpha !== 1 ? "with an alpha of its own"
              : "";
  if (reason === "") {
    atLeastZero("entry.timeScale", entry.timeScale);
    atLeastZero("entry.trackTime", entry.trackTime);
    atLeastZero("entry.mixDuration", entry.mixDuration);
    finite("entry.alpha", entry.alpha);
    return;
  }
  throw new ArgumentError(`Track ${entry.trackIndex} plays "${name}" ${reason}, as no character of a crowd can. Let it play something else before demote().`, { found: name });
}
