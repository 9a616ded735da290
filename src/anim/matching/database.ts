import { AnimArgumentError, AnimCapacityError, AnimMismatchError, AnimNameError, AnimStateError } from "../errors.js";
import { BOX_FRAMES } from "../../../assembly/layout/matching.js";
import type { AnimClip } from "../rig/clip.js";
import { disposed, requireFinite, requireIndex, requireName, requireObject, show } from "../rig/checks.js";
import { AnimPose } from "../rig/pose.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { channelOrder } from "./axes.js";
import { type BlobHeader, readBlob, writeBlob } from "./blob.js";
import { extractFeatures, frameCountOf, type FrameRange } from "./features.js";
import { type FilterRange, type FilterRules, sameRules, SlotFilter } from "./filter.js";
import { checkLayout, makeLayout, type MotionFeature, type MotionFeatureDescriptor, resolveBone } from "./layout.js";
import { AnimMirror } from "../rig/mirror.js";
import { normalize, type Normalization, type NormalizationMode } from "./normalization.js";
import { describe, type MotionDatabaseReport } from "./report.js";
import { FeatureStore } from "./store.js";

const MAXIMUM_TAGS = 31;
const MAXIMUM_FRAMES = 1 << 22;

/** A stretch of a clip as it was added. */
interface Entry {
  clipIndex: number;
  start: number;
  end: number;
  tags: number;
}

/** A range of the baked database. */
export interface BakedRange extends FrameRange, FilterRange {
  readonly firstFrame: number;
  readonly firstSlot: number;
  readonly rate: number;
  readonly tags: number;
}

/** What `bake` made. Immutable; replaced as a whole. */
export interface Baked {
  readonly features: readonly MotionFeature[];
  readonly size: number;
  readonly normalization: Normalization;
  readonly ranges: readonly BakedRange[];
  readonly frameCount: number;
  readonly store: FeatureStore;
  readonly rangeOfFrame: Int32Array;
}

export interface BakeOptions {
  /** `true` keeps features as 8-bit codes: a quarter of the memory; `report().quantizationError` states the loss. Default false. */
  quantize?: boolean | undefined;
}

/**
 * Clips cut into frames that a {@link MotionMatcher} searches: features of pose and trajectory, normalised channel by channel.
 *
 * Order of use: root and feature bones, clips, `bake()`; then it is read-only and may be shared by many matchers. Frames are
 * numbered in the order of the clips; mirrored frames come behind all others. Owns its blocks of linear memory.
 */
export class MotionDatabase {
  /** Counts bakes; matchers restart when it changes. */
  version = 0;
  readonly #skeleton: AnimSkeleton;
  #rootBone = 0;
  #featureBones: number[] = [];
  #clips: AnimClip[] = [];
  #entries: Entry[] = [];
  #tagNames: string[] = [];
  #layout: "standard" | "compact" | readonly MotionFeatureDescriptor[] = "standard";
  #normalizationMode: NormalizationMode = "channel";
  #mirror: AnimMirror | undefined;
  #baked: Baked | undefined;
  #filters: { rules: FilterRules; filter: SlotFilter }[] = [];
  #disposed = false;

  constructor(skeleton: AnimSkeleton) {
    requireObject("MotionDatabase", "skeleton", skeleton, "AnimSkeleton");
    if (skeleton.getBoneCount() === 0) throw new AnimArgumentError("MotionDatabase: the skeleton has no bones. Add them first.");
    this.#skeleton = skeleton;
    skeleton.freeze("MotionDatabase");
  }

  getSkeleton(): AnimSkeleton { return this.#skeleton; }

  /** The bone whose place on the ground and heading is the character's frame. Default 0; hips for rigs without a root bone. */
  setRootBone(bone: number): void {
    this.#check("setRootBone");
    requireIndex("MotionDatabase.setRootBone", "bone", bone, this.#skeleton.getBoneCount());
    this.#rootBone = bone;
    this.#unbake();
  }

  /** @throws AnimNameError */
  setRootBoneByName(name: string): void {
    this.setRootBone(this.#named("setRootBoneByName", name));
  }

  getRootBone(): number { return this.#rootBone; }

  /** A bone whose place and velocity are compared; feet and hips in practice. A bone twice is a bone once. */
  addFeatureBone(bone: number): void {
    this.#check("addFeatureBone");
    requireIndex("MotionDatabase.addFeatureBone", "bone", bone, this.#skeleton.getBoneCount());
    if (this.#featureBones.includes(bone)) return;
    this.#featureBones.push(bone);
    this.#unbake();
  }

  /** @throws AnimNameError */
  addFeatureBoneByName(name: string): void {
    this.addFeatureBone(this.#named("addFeatureBoneByName", name));
  }

  getFeatureBoneCount(): number { return this.#bones().length; }

  /** @throws AnimIndexError */
  getFeatureBone(i: number): number {
    const bones = this.#bones();
    requireIndex("MotionDatabase.getFeatureBone", "i", i, bones.length);
    return bones[i]!;
  }

  /** Adds a whole clip. The same clip twice is allowed. @returns the clip's index */
  addClip(clip: AnimClip): number {
    return this.#add("addClip", clip, 0, clip?.getDuration?.() ?? 0, []);
  }

  /** Adds a part of a clip, which then counts as one that does not loop. @returns the clip's index */
  addClipRange(clip: AnimClip, start: number, end: number, tags: readonly string[] = []): number {
    return this.#add("addClipRange", clip, start, end, tags);
  }

  getClipCount(): number { return this.#clips.length; }

  /** @throws AnimIndexError */
  getClip(i: number): AnimClip {
    requireIndex("MotionDatabase.getClip", "i", i, this.#clips.length);
    return this.#clips[i]!;
  }

  /** Tags of a clip, which replace those it had. At most 31 different tags a database. */
  setClipTags(i: number, tags: readonly string[]): void {
    this.#check("setClipTags");
    requireIndex("MotionDatabase.setClipTags", "i", i, this.#clips.length);
    const bits = this.#tagBits("MotionDatabase.setClipTags", tags, true);
    for (const entry of this.#entries) if (entry.clipIndex === i) entry.tags = bits;
    this.#unbake();
  }

  /** Names of all tags in use, in the order of their bits. */
  getTagNames(): readonly string[] { return this.#tagNames; }

  /**
   * Adds every clip mirrored left to right without copying it. `mirrorMapByName` makes a map of names with left and right.
   * @param map - counterpart of every bone; null: no mirrored frames
   */
  setMirror(map: ArrayLike<number> | null): void {
    this.#check("setMirror");
    this.#mirror = map === null ? undefined : new AnimMirror(this.#skeleton, map);
    if (this.#mirror !== undefined && this.#mirror.getCounterpart(this.#rootBone) !== this.#rootBone) {
      this.#mirror = undefined;
      throw new AnimArgumentError("MotionDatabase.setMirror: the root bone must be its own counterpart.");
    }
    this.#unbake();
  }

  /** Features to compare: `"standard"` (default), `"compact"`, or a list. */
  setLayout(layout: "standard" | "compact" | readonly MotionFeatureDescriptor[]): void {
    this.#check("setLayout");
    checkLayout(layout, this.#skeleton);
    this.#layout = typeof layout === "string" ? layout : layout.map((feature) => ({ ...feature }));
    this.#unbake();
  }

  /** `"channel"` (default): every channel by its own deviation; `"feature"`: by the mean of its feature's deviations. */
  setNormalization(mode: NormalizationMode): void {
    this.#check("setNormalization");
    if (mode !== "channel" && mode !== "feature") {
      throw new AnimArgumentError(`MotionDatabase.setNormalization: mode is ${show(mode)}, expected "channel" or "feature".`, { found: mode });
    }
    this.#normalizationMode = mode;
    this.#unbake();
  }

  /**
   * Samples all clips and builds the features and the search structure. Later edits of clips need a new bake.
   * @throws AnimStateError without clips, AnimArgumentError if a feature is not finite, AnimCapacityError over 2^22 frames
   */
  bake(options: BakeOptions = {}): void {
    this.#check("bake");
    if (this.#clips.length === 0) throw new AnimStateError("MotionDatabase.bake: there are no clips. Add some with addClip first.");
    const features = makeLayout(this.#layout, this.#bones(), this.#skeleton);
    const size = features.reduce((sum, feature) => sum + feature.size, 0);
    const height = rigHeight(this.#skeleton);
    const ranges = this.#makeRanges();
    const tables = ranges.map((range) => extractFeatures(range, features, this.#skeleton, this.#rootBone, this.#mirror, height));
    for (const [r, table] of tables.entries()) {
      const bad = table.findIndex((v) => !Number.isFinite(v));
      if (bad >= 0) throw new AnimArgumentError(`MotionDatabase.bake: clip "${ranges[r]!.clip.getName()}" gives the feature ${table[bad]} in frame ${Math.floor(bad / size)}.`);
    }
    const normalization = normalize(tables, features, size, this.#normalizationMode);
    const normalised = tables.map((table) => Float32Array.from(table, (v, i) => (v - normalization.mean[i % size]!) * normalization.inverse[i % size]!));
    const order = channelOrder(normalised, Array.from(normalization.inverse.keys()).filter((c) => normalization.inverse[c] !== 0), size);
    this.#install({ features, size, normalization, ranges }, normalised, order, options.quantize === true);
  }

  isBaked(): boolean { return this.#baked !== undefined; }

  /** @throws AnimStateError before `bake()`, as all frame accessors */
  getFrameCount(): number { return this.baked("getFrameCount").frameCount; }

  /** Numbers in a feature vector. */
  getFeatureSize(): number { return this.#baked?.size ?? makeLayout(this.#layout, this.#bones(), this.#skeleton).reduce((sum, { size }) => sum + size, 0); }

  /** The features with their places in the vector. */
  getFeatures(): readonly MotionFeature[] { return this.#baked?.features ?? makeLayout(this.#layout, this.#bones(), this.#skeleton); }

  /** Clip time of a frame, seconds. */
  getFrameTime(frame: number): number {
    const range = this.rangeOf("getFrameTime", frame);
    return range.start + (frame - range.firstFrame) / range.rate;
  }

  getFrameClipIndex(frame: number): number { return this.rangeOf("getFrameClipIndex", frame).clipIndex; }

  /** Whether a frame is a mirrored one. */
  isFrameMirrored(frame: number): boolean { return this.rangeOf("isFrameMirrored", frame).mirrored; }

  /** The normalised features of a frame into out[offset…]. */
  getFeature(frame: number, out: Float32Array | number[], offset = 0): void {
    const baked = this.baked("getFeature");
    const slot = this.slotOf("getFeature", frame);
    this.#requireOut("getFeature", out, offset);
    for (let c = 0; c < baked.size; c++) out[offset + c] = 0;
    baked.store.read(slot, out, offset);
  }

  /** The features of a frame in metres, metres a second and so on. */
  getRawFeature(frame: number, out: Float32Array | number[], offset = 0): void {
    this.getFeature(frame, out, offset);
    const { size, normalization } = this.baked("getRawFeature");
    for (let c = 0; c < size; c++) {
      out[offset + c] = normalization.inverse[c] === 0 ? normalization.mean[c]! : out[offset + c]! * normalization.deviation[c]! + normalization.mean[c]!;
    }
  }

  getFeatureMean(i: number): number {
    const { normalization, size } = this.baked("getFeatureMean");
    requireIndex("MotionDatabase.getFeatureMean", "i", i, size);
    return normalization.mean[i]!;
  }

  getFeatureStd(i: number): number {
    const { normalization, size } = this.baked("getFeatureStd");
    requireIndex("MotionDatabase.getFeatureStd", "i", i, size);
    return normalization.deviation[i]!;
  }

  /** 1 / deviation, 0 for channels that count as constant. */
  getFeatureInverseStd(i: number): number {
    const { normalization, size } = this.baked("getFeatureInverseStd");
    requireIndex("MotionDatabase.getFeatureInverseStd", "i", i, size);
    return normalization.inverse[i]!;
  }

  /** Bytes of linear memory of the baked database. */
  getDatabaseBytes(): number {
    return this.baked("getDatabaseBytes").store.bytes + this.#filters.reduce((sum, { filter }) => sum + filter.bytes, 0);
  }

  /** What the data covers: frames a tag, constant channels, how far frames are from their nearest neighbours. */
  report(): MotionDatabaseReport {
    return describe(this, this.baked("report"), this.#tagNames);
  }

  /**
   * The baked database as one block of bytes, to be loaded by `deserialize` without baking. The clips are not in it.
   * @throws AnimStateError before `bake()`
   */
  serialize(): Uint8Array {
    const baked = this.baked("serialize");
    const header: BlobHeader = {
      skeleton: this.#skeleton.getHash(),
      rootBone: this.#rootBone,
      featureBones: this.#bones(),
      normalizationMode: this.#normalizationMode,
      tagNames: [...this.#tagNames],
      mirror: this.#mirror === undefined ? null : Array.from(this.#mirror.map),
      quantized: baked.store.quantized,
      features: baked.features,
      clips: this.#clips.map((clip) => ({ name: clip.getName(), duration: clip.getDuration(), loop: clip.getLoop(), rate: clip.getSampleRate() })),
      ranges: baked.ranges.map(({ clipIndex, start, end, looping, mirrored, frameCount, tags }) => ({ clipIndex, start, end, looping, mirrored, frameCount, tags })),
      order: [...baked.store.order],
    };
    return writeBlob(header, baked);
  }

  /**
   * A baked database from the bytes of `serialize`.
   * @param clips - the clips that were added, in the same order
   * @throws AnimFormatError for damaged bytes, AnimMismatchError for another skeleton or other clips
   */
  static deserialize(bytes: Uint8Array, skeleton: AnimSkeleton, clips: readonly AnimClip[]): MotionDatabase {
    const database = new MotionDatabase(skeleton);
    const { header, normalization, tables } = readBlob(bytes, skeleton.getBoneCount());
    const method = "MotionDatabase.deserialize";
    if (header.skeleton !== skeleton.getHash()) throw new AnimMismatchError(`${method}: the database was baked for another skeleton.`);
    if (!Array.isArray(clips) || clips.length !== header.clips.length) {
      throw new AnimMismatchError(`${method}: ${clips?.length} clips were given, the database was baked from ${header.clips.length}.`);
    }
    header.clips.forEach((expected, i) => {
      const clip = clips[i]!;
      if (clip.getName() !== expected.name || Math.abs(clip.getDuration() - expected.duration) > 1e-6 || clip.getLoop() !== expected.loop || Math.abs(clip.getSampleRate() - expected.rate) > 1e-9) {
        throw new AnimMismatchError(`${method}: clip ${i} is "${clip.getName()}" of ${clip.getDuration()} s, the database was baked from "${expected.name}" of ${expected.duration} s.`);
      }
    });
    database.#rootBone = header.rootBone;
    database.#featureBones = [...header.featureBones];
    database.#normalizationMode = header.normalizationMode;
    database.#tagNames = [...header.tagNames];
    database.#mirror = header.mirror === null ? undefined : new AnimMirror(skeleton, header.mirror);
    database.#layout = header.features.map(({ kind, bone, horizon, curve, group, weight }) => ({ kind, bone: bone < 0 ? undefined : bone, horizon, curve: curve === "" ? undefined : curve, group, weight }));
    database.#clips = [...clips];
    database.#entries = header.ranges.filter(({ mirrored }) => !mirrored).map(({ clipIndex, start, end, tags }) => ({ clipIndex, start, end, tags }));
    const ranges = placeRanges(header.ranges.map((range) => ({ ...range, clip: clips[range.clipIndex]!, rate: clips[range.clipIndex]!.getSampleRate() })));
    const size = header.features.reduce((sum, feature) => sum + feature.size, 0);
    database.#install({ features: header.features, size, normalization, ranges }, tables, header.order, header.quantized);
    return database;
  }

  /** Frees the blocks. Matchers of this database must not be used any more. Safe to call twice. */
  dispose(): void {
    this.#unbake();
    this.#mirror?.dispose();
    this.#disposed = true;
  }

  // ---- for matchers ------------------------------------------------------------------------------------------------

  /** The baked tables. @internal */
  baked(method: string): Baked {
    if (this.#disposed) throw disposed(`MotionDatabase.${method}`, "MotionDatabase");
    if (this.#baked === undefined) throw new AnimStateError(`MotionDatabase.${method}: the database is not baked. Call bake() after the last addClip or set….`);
    return this.#baked;
  }

  /** @internal */
  rangeOf(method: string, frame: number): BakedRange {
    const baked = this.baked(method);
    // The text of the error is made only if it is needed: this runs in every frame.
    const range = baked.ranges[baked.rangeOfFrame[frame]!];
    if (range === undefined) requireIndex(`MotionDatabase.${method}`, "frame", frame, baked.frameCount);
    return range!;
  }

  /** @internal */
  slotOf(method: string, frame: number): number {
    const range = this.rangeOf(method, frame);
    return range.firstSlot + frame - range.firstFrame;
  }

  /** The mirror, if frames are mirrored. @internal */
  get mirror(): AnimMirror | undefined { return this.#mirror; }

  /** Bits of tags; unknown names are an error. @internal */
  tagBits(method: string, tags: readonly string[]): number {
    return this.#tagBits(`MotionMatcher.${method}`, tags, false);
  }

  /** The filter of these rules, shared; give it back with `dropFilter`. @internal */
  filterFor(rules: FilterRules): SlotFilter {
    const baked = this.baked("search");
    let entry = this.#filters.find((candidate) => sameRules(candidate.rules, rules));
    if (entry === undefined) {
      entry = { rules: { ...rules, costs: [...rules.costs] }, filter: new SlotFilter(baked.store, baked.ranges, rules) };
      this.#filters.push(entry);
    }
    entry.filter.users++;
    return entry.filter;
  }

  /** @internal */
  dropFilter(filter: SlotFilter): void {
    const at = this.#filters.findIndex((entry) => entry.filter === filter);
    if (at < 0 || --filter.users > 0) return;
    this.#filters.splice(at, 1);
    filter.dispose();
  }

  // ---- private -----------------------------------------------------------------------------------------------------

  #add(method: string, clip: AnimClip, start: number, end: number, tags: readonly string[]): number {
    this.#check(method);
    requireObject(`MotionDatabase.${method}`, "clip", clip, "AnimClip");
    requireFinite(`MotionDatabase.${method}`, "start", start);
    requireFinite(`MotionDatabase.${method}`, "end", end);
    const duration = clip.getDuration();
    if (start < 0 || end < start || end > duration + 1e-6) {
      throw new AnimArgumentError(`MotionDatabase.${method}: the range ${start}..${end} s, expected a part of the clip's 0..${duration} s.`);
    }
    const bits = this.#tagBits(`MotionDatabase.${method}`, tags, true);
    const clipIndex = this.#clips.push(clip) - 1;
    this.#entries.push({ clipIndex, start, end: Math.min(end, duration), tags: bits });
    this.#unbake();
    return clipIndex;
  }

  #tagBits(method: string, tags: readonly string[], create: boolean): number {
    if (!Array.isArray(tags)) throw new AnimArgumentError(`${method}: tags is ${show(tags)}, expected a list of names.`);
    let bits = 0;
    const added: string[] = [];
    for (const tag of tags as readonly string[]) {
      requireName(method, "tag", tag);
      let bit = [...this.#tagNames, ...added].indexOf(tag);
      if (bit < 0) {
        if (!create) throw new AnimNameError(`${method}: no clip has the tag ${show(tag)}. Tags in use: ${this.#tagNames.join(", ") || "none"}.`, { found: tag });
        bit = this.#tagNames.length + added.length;
        if (bit === MAXIMUM_TAGS) throw new AnimCapacityError(`${method}: more than ${MAXIMUM_TAGS} different tags.`);
        added.push(tag);
      }
      bits |= 1 << bit;
    }
    this.#tagNames.push(...added);
    return bits;
  }

  #makeRanges(): BakedRange[] {
    const plain = this.#entries.map(({ clipIndex, start, end, tags }) => {
      const clip = this.#clips[clipIndex]!;
      const rate = clip.getSampleRate();
      const looping = clip.getLoop() && start === 0 && end >= clip.getDuration() - 1e-9;
      return { clip, clipIndex, start, end, looping, mirrored: false, frameCount: frameCountOf(start, end, looping, rate), tags, rate };
    });
    const all = this.#mirror === undefined ? plain : [...plain, ...plain.map((range) => ({ ...range, mirrored: true }))];
    const total = all.reduce((sum, range) => sum + range.frameCount, 0);
    if (total > MAXIMUM_FRAMES) throw new AnimCapacityError(`MotionDatabase.bake: ${total} frames, at most ${MAXIMUM_FRAMES} are possible. Lower the sample rates or leave clips out.`);
    return placeRanges(all);
  }

  #install(parts: Omit<Baked, "frameCount" | "store" | "rangeOfFrame">, tables: readonly Float32Array[], order: readonly number[], quantize: boolean): void {
    const { ranges, size } = parts;
    const last = ranges[ranges.length - 1]!;
    const frameCount = last.firstFrame + last.frameCount;
    const slotCount = roundUp(last.firstSlot + last.frameCount, BOX_FRAMES);
    const slots = new Float32Array(slotCount * order.length);
    const kinds = order.map((channel) => parts.features.find(({ offset, size: length }) => channel >= offset && channel < offset + length)!);
    const frameOfSlot = new Int32Array(slotCount).fill(-1);
    const rangeOfFrame = new Int32Array(frameCount);
    ranges.forEach((range, r) => {
      const table = tables[r]!;
      rangeOfFrame.fill(r, range.firstFrame, range.firstFrame + range.frameCount);
      const padded = roundUp(range.frameCount, BOX_FRAMES);
      for (let i = 0; i < padded; i++) {
        // Slots behind the last frame repeat it: boxes do not grow, and their penalty keeps them from being chosen.
        const row = Math.min(i, range.frameCount - 1) * size, at = (range.firstSlot + i) * order.length;
        for (let c = 0; c < order.length; c++) slots[at + c] = table[row + order[c]!]!;
        if (i < range.frameCount) frameOfSlot[range.firstSlot + i] = range.firstFrame + i;
      }
    });
    this.#unbake();
    this.#baked = { ...parts, frameCount, rangeOfFrame, store: new FeatureStore(slots, order, kinds, frameOfSlot, quantize) };
    this.version++;
  }

  #bones(): number[] {
    if (this.#featureBones.length > 0) return this.#featureBones;
    return Array.from({ length: this.#skeleton.getBoneCount() }, (_, bone) => bone).filter((bone) => bone !== this.#rootBone);
  }

  #named(method: string, name: string): number {
    this.#check(method);
    requireName(`MotionDatabase.${method}`, "name", name);
    return resolveBone(`MotionDatabase.${method}`, name, this.#skeleton);
  }

  #requireOut(method: string, out: Float32Array | number[], offset: number): void {
    const { size } = this.baked(method);
    const fits = (Array.isArray(out) || out instanceof Float32Array) && Number.isInteger(offset) && offset >= 0 && (Array.isArray(out) || out.length - offset >= size);
    if (!fits) throw new AnimArgumentError(`MotionDatabase.${method}: out must be an array with room for ${size} numbers from offset ${show(offset)}.`);
  }

  #unbake(): void {
    for (const { filter } of this.#filters) filter.dispose();
    this.#filters = [];
    this.#baked?.store.dispose();
    this.#baked = undefined;
  }

  #check(method: string): void {
    if (this.#disposed) throw disposed(`MotionDatabase.${method}`, "MotionDatabase");
  }
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}

/** First frames and slots: frames follow each other, slots start on whole boxes. */
function placeRanges(ranges: readonly (FrameRange & { tags: number; rate: number })[]): BakedRange[] {
  let firstFrame = 0, firstSlot = 0;
  return ranges.map((range) => {
    const placed: BakedRange = { ...range, firstFrame, firstSlot };
    firstFrame += range.frameCount;
    firstSlot += roundUp(range.frameCount, BOX_FRAMES);
    return placed;
  });
}

/** Extent along +Y of the bind pose, 1 when there is none. */
export function rigHeight(skeleton: AnimSkeleton): number {
  const pose = new AnimPose(skeleton.getBoneCount());
  skeleton.applyBindPose(pose);
  pose.computeWorld(skeleton);
  let low = Infinity, high = -Infinity;
  for (let bone = 0; bone < skeleton.getBoneCount(); bone++) {
    low = Math.min(low, pose.getWorldPositionY(bone));
    high = Math.max(high, pose.getWorldPositionY(bone));
  }
  pose.dispose();
  return high - low < 1e-6 ? 1 : high - low;
}
