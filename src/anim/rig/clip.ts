import { AnimArgumentError } from "../errors.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { rig3d } from "../../wasm/rig3d.js";
import { dropAll, dropBlock } from "./blocks.js";
import { disposed, requireFinite, requireLod, requireObject, requireTime, show } from "./checks.js";
import { type ClipData, type SampleContext, sharedContext } from "./clip-data.js";
import { ClipMarks } from "./clip-marks.js";
import { type CompileOptions, type CompileReport, compileUniform } from "./compile.js";
import { compileKeyframed } from "./compile-keyframed.js";
import { type CompressReport, reduceTrack } from "./compress.js";
import { KeyedClip } from "./keyed-clip.js";
import { GROUP_BYTES, groupsOf, identityGroup } from "./layout.js";
import type { AnimPose } from "./pose.js";
import { retire } from "./retire.js";
import type { AnimSkeleton } from "./skeleton.js";
import { TableClip } from "./table-clip.js";
import { retargetClip, retargetClipAsync } from "../retarget/bake.js";
import { AnimRetargetProfile } from "../retarget/profile.js";

export type { AnimChannel, AnimInterpolation } from "./clip-keys.js";

/** The time of the sample being taken: a number in a typed array crosses calls without being boxed. */
const TIME = /* @__PURE__ */ new Float64Array(1);

/**
 * Keyframes of bones by index, plus events and sync markers. Times in seconds, transforms local to the parent.
 *
 * Not tied to a skeleton: bones without keys take the bind transform of the skeleton it is sampled with. Keys stay sorted
 * by time; methods that add or change one return its index after sorting. Editing while playing is allowed.
 */
export class AnimClip extends ClipMarks {
  readonly #owned: number[] = [];
  #data: ClipData | undefined;
  #dataVersion = -1;
  #disposed = false;

  constructor(name = "") {
    super(name);
    freeWhenCollected(this, this.#owned);
  }

  /**
   * Removes keys so that every curve stays within a tolerance of the original one (at the keys and at seven times between
   * two of them). First and last keys, attributes, events, markers and curves stay. Step tracks lose repeated values only,
   * cubic tracks nothing.
   * @param positionError - distance, >= 0; 0 removes what is redundant in float32
   * @param rotationErrorDegrees - angle
   */
  compress(positionError: number, rotationErrorDegrees: number, scaleError: number): CompressReport {
    const tolerances = { position: positionError, rotation: rotationErrorDegrees, scale: scaleError };
    for (const [name, value] of Object.entries(tolerances)) requireTime("AnimClip.compress", `the tolerance of ${name}s`, value);
    const report: CompressReport = { removedPosition: 0, removedRotation: 0, removedScale: 0, maxPositionError: 0, maxRotationErrorDegrees: 0, maxScaleError: 0 };
    for (const tracks of this.tracks) {
      if (tracks?.position !== undefined) {
        const { removed, maxError } = reduceTrack(tracks.position, positionError);
        report.removedPosition += removed;
        report.maxPositionError = Math.max(report.maxPositionError, maxError);
      }
      if (tracks?.rotation !== undefined) {
        const { removed, maxError } = reduceTrack(tracks.rotation, rotationErrorDegrees);
        report.removedRotation += removed;
        report.maxRotationErrorDegrees = Math.max(report.maxRotationErrorDegrees, maxError);
      }
      if (tracks?.scale !== undefined) {
        const { removed, maxError } = reduceTrack(tracks.scale, scaleError);
        report.removedScale += removed;
        report.maxScaleError = Math.max(report.maxScaleError, maxError);
      }
    }
    this.version++;
    return report;
  }

  /**
   * Chooses the form that samplers read (players, batches, crowds alike), until the next edit.
   *
   * "raw": float32 keys. "uniform": evenly spaced frames, quantised with the tolerances asked for, about a tenth of the size;
   * a sample costs the same at any time. "keyframed": only the keys that the tolerances need, in short codes and in the order of
   * playing; for long or sparse clips. What a form loses is measured and reported.
   * @throws AnimStateError if a tolerance cannot be met; the form stays as it was
   */
  compile(form: "raw" | "uniform" | "keyframed", options: CompileOptions = {}): CompileReport {
    if (this.#disposed) throw disposed("AnimClip.compile", "AnimClip");
    if (form !== "raw" && form !== "uniform" && form !== "keyframed") {
      throw new AnimArgumentError(`AnimClip.compile: form is ${show(form)}, expected "raw", "uniform" or "keyframed".`, { found: form });
    }
    requireObject("AnimClip.compile", "options", options, "object such as { rate: 30 }");
    const raw = this.#uncompiled();
    let data: ClipData = raw;
    let report: CompileReport = {
      form: "raw", rate: this.getSampleRate(), bytes: raw.bytes, maxPositionError: 0, maxRotationErrorDegrees: 0, maxScaleError: 0, maxModelError: 0,
    };
    if (form !== "raw") {
      const compiler = form === "uniform" ? compileUniform : compileKeyframed;
      try {
        ({ data, report } = compiler({ bones: this.tracks, duration: this.duration, sampleRate: this.getSampleRate(), raw }, options, this.#owned));
      } finally {
        dropBlock(this.#owned, raw.ptr);
      }
    }
    if (this.#data !== undefined) dropBlock(this.#owned, this.#data.ptr);
    this.#data = data;
    this.#dataVersion = this.version;
    return report;
  }

  /** The form that samplers read at present: "raw", "uniform" or "keyframed". */
  getForm(): string { return this.data().form; }

  // ---- sampling ---------------------------------------------------------------------------------------------------

  /**
   * Writes the pose at `time` (wrapped or clamped by the loop flag) into `out`, which is resized to the skeleton, or to
   * the track count without one. Bones and channels without keys take the bind value, or the identity without skeleton.
   */
  sample(time: number, out: AnimPose, skeleton?: AnimSkeleton | null): void {
    TIME[0] = typeof time === "number" ? time : NaN;
    this.#sample("AnimClip.sample", out, skeleton ?? null, 0);
  }

  /** As `sample`, but bones whose level-of-detail limit is below `lod` take their bind value and cost nothing. */
  sampleLod(time: number, out: AnimPose, skeleton: AnimSkeleton, lod: number): void {
    requireObject("AnimClip.sampleLod", "skeleton", skeleton, "AnimSkeleton");
    requireLod("AnimClip.sampleLod", lod);
    TIME[0] = typeof time === "number" ? time : NaN;
    this.#sample("AnimClip.sampleLod", out, skeleton, lod);
  }

  #sample(method: string, out: AnimPose, skeleton: AnimSkeleton | null, lod: number): void {
    if (!Number.isFinite(TIME[0])) requireFinite(method, "time", TIME[0]!);
    requireObject(method, "out", out, "AnimPose");
    if (skeleton !== null) requireObject(method, "skeleton", skeleton, "AnimSkeleton");
    out.requireAlive(method);
    out.fit(skeleton === null ? this.tracks.length : skeleton.getBoneCount());
    const data = this.data(), loops = this.loop ? 1 : 0, groups = groupsOf(out.getBoneCount());
    const scratch = sharedContext().scratch(data.scratchBytes);
    if (skeleton === null) rig3d.kernels.sampleUnwrapped(data.ptr, TIME[0]!, loops, scratch, identityGroup(), 0, 0, out.localPtr, groups);
    else rig3d.kernels.sampleUnwrapped(data.ptr, TIME[0]!, loops, scratch, skeleton.bindPtr, GROUP_BYTES, skeleton.liveMasks(lod), out.localPtr, groups);
    out.markStale();
  }

  /**
   * Writes local transforms at a time within the clip (not wrapped: D is the end) to an address.
   * Results do not depend on the context. @internal
   */
  sampleInto(time: number, localPtr: number, groupCount: number, skeleton: AnimSkeleton | null, lod: number, context: SampleContext): void {
    const data = this.data(), scratch = context.scratch(data.scratchBytes);
    if (skeleton === null) rig3d.kernels.sampleClip(data.ptr, time, scratch, identityGroup(), 0, 0, localPtr, groupCount);
    else rig3d.kernels.sampleClip(data.ptr, time, scratch, skeleton.bindPtr, GROUP_BYTES, skeleton.liveMasks(lod), localPtr, groupCount);
  }

  /** The form in linear memory, rebuilt after edits. @internal */
  data(): ClipData {
    if (this.#dataVersion !== this.version || this.#data === undefined) {
      if (this.#disposed) throw disposed("AnimClip.sample", "AnimClip");
      if (this.#data !== undefined) dropBlock(this.#owned, this.#data.ptr);
      this.#data = this.#uncompiled();
      this.#dataVersion = this.version;
    }
    return this.#data;
  }

  #uncompiled(): ClipData {
    const times = TableClip.timesOf(this.tracks);
    return times === undefined
      ? new KeyedClip(this.tracks, this.duration, this.#owned)
      : new TableClip(this.tracks, times, this.duration, this.#owned);
  }

  /**
   * The motion for another skeleton, baked at the sample rate into a new clip: matched bones get rotation keys, the root
   * also position keys; events, sync markers and curves are copied. Uses a default `AnimRetargetProfile`.
   * @param source - the skeleton of this clip
   * @throws AnimMismatchError if no bone matches
   */
  retarget(source: AnimSkeleton, target: AnimSkeleton): AnimClip {
    return retargetClip("AnimClip.retarget", this, source, target, new AnimRetargetProfile());
  }

  /** As `retarget`, with mappings and settings. @throws AnimArgumentError if the profile names a bone that is not there */
  retargetWithProfile(source: AnimSkeleton, target: AnimSkeleton, profile: AnimRetargetProfile): AnimClip {
    return retargetClip("AnimClip.retargetWithProfile", this, source, target, profile);
  }

  /** As `retargetWithProfile`, for profiles whose learned model answers asynchronously. Rejects where that throws. */
  async retargetWithProfileAsync(source: AnimSkeleton, target: AnimSkeleton, profile: AnimRetargetProfile): Promise<AnimClip> {
    return retargetClipAsync("AnimClip.retargetWithProfileAsync", this, source, target, profile);
  }

  /** A copy with keys, attributes, events, markers and curves. */
  clone(): AnimClip {
    const copy = new AnimClip();
    copy.copyKeys(this);
    copy.copyMarks(this);
    return copy;
  }

  /**
   * Takes over the content of another clip: name, attributes, keys, events, markers and curves. Whoever holds this clip (players,
   * graphs, databases, crowds) plays the new content from the next sample on; a compiled form is dropped. The other clip is
   * left alone. See `AnimClipRegistry` for clips that come from files.
   */
  adopt(other: AnimClip): void {
    requireObject("AnimClip.adopt", "other", other, "AnimClip");
    if (other === this) return;
    this.copyKeys(other);
    this.copyMarks(other);
  }

  /** Frees what was compiled into linear memory. Safe to call twice. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#data = undefined;
    dropAll(this, this.#owned);
    retire(this, "AnimClip");
  }
}
