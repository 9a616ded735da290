import type { SkeletonData } from "../data/skeleton-data.js";
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
    if (compiled.revision === owner._revision) return compiled;
    abandoned.unregister(compiled);
    rig.release(compiled.block);
    all.splice(i, 1);
    break;
  }
  const compiled = compileTimelines(data, timelines, owner._revision, builtIn);
  abandoned.register(compiled, { rig: new WeakRef(rig), block: compiled.block }, compiled);
  all.push(compiled);
  return compiled;
}
