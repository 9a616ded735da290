import type { SkeletonData } from "../data/skeleton-data.js";
import type { Animation } from "../animation.js";
import { edits } from "../edits.js";
import type { Rig } from "../rig.js";
import type { Timeline } from "../timelines/timeline.js";
import { compileTimelines } from "./compile.js";
import type { CompiledAnimation } from "./compiled-animation.js";

/** Something that compiles: an animation, or one timeline applied alone. @internal */
export interface Compilable {
  /** Compiled forms, one per rig that it was used with. */
  _compiled: CompiledAnimation[];
  /** Grows with every announced change. */
  readonly _revision: number;
}

const abandoned = /* @__PURE__ */ new FinalizationRegistry<{ rig: WeakRef<Rig>; block: number }>(({ rig, block }) => {
  rig.deref()?.release(block);
});

/**
 * The compiled form of an animation or timeline for skeletons of `data`, made on first use and after a change.
 * @param builtIn - `Timeline.prototype.apply`
 */
export function compiledFor(
  owner: Compilable,
  timelines: readonly Timeline[],
  data: SkeletonData,
  builtIn: Timeline["apply"],
): CompiledAnimation {
  const rig = data._rig;
  const { _compiled: all } = owner;
  for (let i = 0; i < all.length; i++) {
    const compiled = all[i]!;
    if (compiled.rig !== rig) continue;
    if (compiled.revision === owner._revision && !isStale(compiled, timelines)) return compiled;
    all.splice(i, 1);
    abandoned.unregister(compiled);
    if (compiled.isHeld) {
      // Where a crowd plays it on, it goes with the crowd.
      abandon(compiled);
      break;
    }
    rig.release(compiled.block);
    break;
  }
  const compiled = compileTimelines(data, timelines, owner._revision, builtIn);
  takeStock(compiled, timelines);
  // Animations of the data live as long as their rig, which frees the block with its own.
  if (!data.animations.includes(owner as Animation)) abandon(compiled);
  all.push(compiled);
  return compiled;
}

/** Frees the block once nobody has the compiled form any more. */
function abandon(compiled: CompiledAnimation): void {
  abandoned.register(compiled, { rig: new WeakRef(compiled.rig), block: compiled.block }, compiled);
}

/** Whether a timeline was edited, or the list got longer or shorter, since it was compiled. */
function isStale(compiled: CompiledAnimation, timelines: readonly Timeline[]): boolean {
  if (timelines.length !== compiled.timelineCount) return true;
  if (compiled.edits === edits.timelines && !compiled.hasTaken) return false;
  const { revisions } = compiled;
  return takeStock(compiled, timelines) !== revisions;
}

/** Notes the state of the timelines. @returns the sum of their revisions, which only grows */
function takeStock(compiled: CompiledAnimation, timelines: readonly Timeline[]): number {
  let revisions = 0, hasTaken = false;
  for (let i = 0; i < timelines.length; i++) {
    const timeline = timelines[i]!;
    if (timeline._known !== null) {
      timeline._noticeEdits();
      hasTaken = true;
    }
    revisions += timeline._revision;
  }
  compiled.revisions = revisions;
  compiled.hasTaken = hasTaken;
  compiled.edits = edits.timelines;
  return revisions;
}
