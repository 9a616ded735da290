import { ROTATION_MEMORY_BYTES } from "../../../assembly/layout/animation.js";
import { StateError } from "../../errors.js";
import { heap } from "../../wasm/heap.js";
import type { Animation } from "../animation.js";
import type { SkeletonData } from "../data/skeleton-data.js";
import type { Skeleton } from "../model/skeleton.js";
import { Interpolation } from "../utils/interpolation.js";
import { emptyAnimation } from "./empty-animation.js";
import { readSkeleton, restoreSkeleton, writeSkeleton } from "./skeleton-snapshot.js";
import { SnapshotReader, SnapshotWriter } from "./snapshot-bytes.js";
import { type EntryMemory, HOLD, TrackEntry, WEIGHT_HOLD, WEIGHT_MIX } from "./track-entry.js";

/** "osas": osteon animation state. */
const MAGIC = 0x7361736f;
const VERSION = 1;
const NONE = -1;
/** Entries that a snapshot may hold; more are taken for damage. */
const LARGEST_COUNT = 1 << 20;

/** What of an AnimationState is stored. */
export interface StateParts {
  tracks: (TrackEntry | null)[];
  timeScale: number;
  carried: number;
  animationsChanged: boolean;
}

const NUMBERS = [
  "eventThreshold", "mixAttachmentThreshold", "alphaAttachmentThreshold", "mixDrawOrderThreshold", "animationStart", "animationEnd",
  "_animationLast", "nextAnimationLast", "delay", "trackTime", "trackLast", "nextTrackLast", "trackEnd", "timeScale", "alpha", "mixTime",
  "mixDuration", "totalAlpha",
] as const;
const FLAGS = ["loop", "additive", "reverse", "shortestRotation", "keepHold", "_continues", "_remembers"] as const;
const LINKS = ["previous", "next", "mixingFrom", "mixingTo"] as const;

const curves = (): Interpolation[] => [Interpolation.linear, Interpolation.smooth, Interpolation.slowFast, Interpolation.fastSlow, Interpolation.circle];

/** Everything about a state and a skeleton as bytes. */
export function takeSnapshot(state: StateParts, skeleton: Skeleton): ArrayBuffer {
  const out = new SnapshotWriter();
  const { data } = skeleton;
  const entries: TrackEntry[] = [];
  for (const current of state.tracks) {
    for (let entry = current; entry !== null; entry = entry.mixingFrom) entries.push(entry);
    for (let entry = current?.next ?? null; entry !== null; entry = entry.next) entries.push(entry);
  }
  const places = new Map(entries.map((entry, i) => [entry, i]));
  const placeOf = (entry: TrackEntry | null): number => (entry === null ? NONE : (places.get(entry) ?? NONE));
  out.i32(MAGIC);
  out.i32(VERSION);
  out.f64(state.timeScale);
  out.f64(state.carried);
  out.i32(state.animationsChanged ? 1 : 0);
  out.i32(entries.length);
  for (const entry of entries) writeEntry(entry, data, out);
  for (const entry of entries) {
    for (const link of LINKS) out.i32(placeOf(entry[link]));
    for (const fading of entry.timelineHoldMix) out.i32(placeOf(fading));
  }
  out.i32(state.tracks.length);
  for (const entry of state.tracks) out.i32(placeOf(entry));
  writeSkeleton(skeleton, out);
  return out.finish();
}

function writeEntry(entry: TrackEntry, data: SkeletonData, out: SnapshotWriter): void {
  const animation = entry.animation!;
  const index = animation === emptyAnimation() ? NONE : data.animations.indexOf(animation);
  if (index < 0 && animation !== emptyAnimation()) {
    throw new StateError(`The animation "${animation.name}" is not one of the skeleton data's, so it cannot be stored. Add it to SkeletonData.animations.`);
  }
  const curve = curves().indexOf(entry.mixInterpolation);
  if (curve < 0) throw new StateError("An interpolation of one's own cannot be stored. Use one of Interpolation's.");
  out.i32(index);
  out.i32(entry.trackIndex);
  out.i32(curve);
  out.i32(FLAGS.reduce((bits, name, i) => bits | (entry[name] ? 1 << i : 0), 0));
  for (const name of NUMBERS) out.f64(entry[name]);
  out.bytes(Uint8Array.from(entry.timelineMode));
  const compiled = entry._wordsFor;
  const at = compiled === null || !entry._remembers ? 0 : entry._memoryOf(compiled);
  out.bytes(heap.u8.subarray(at, at === 0 ? 0 : at + compiled!.rotateCount * ROTATION_MEMORY_BYTES));
}

/**
 * Reads a snapshot and, once all of it has been found good, puts the skeleton into its state.
 * @param obtain - gives an entry to fill
 * @returns the parts of the state
 */
export function readSnapshot(buffer: ArrayBuffer, skeleton: Skeleton, memory: EntryMemory, obtain: () => TrackEntry): StateParts {
  const input = new SnapshotReader(buffer);
  if (input.i32() !== MAGIC) input.fail("These bytes are no snapshot");
  const version = input.i32();
  if (version !== VERSION) input.fail(`The snapshot has version ${version}, expected ${VERSION}`);
  const timeScale = input.f64();
  const carried = input.f64();
  const animationsChanged = input.i32() !== 0;
  const count = input.index(0, LARGEST_COUNT, "The number of entries");
  const images = Array.from({ length: count }, () => readEntry(skeleton.data, input));
  for (const image of images) {
    image.links = LINKS.map(() => input.index(NONE, count - 1, "A link between entries"));
    image.fading = Array.from(image.modes, () => input.index(NONE, count - 1, "A fading entry"));
  }
  const tracks = Array.from({ length: input.index(0, 65_536, "The number of tracks") }, () => input.index(NONE, count - 1, "A track's entry"));
  const skeletonImage = readSkeleton(skeleton, input);

  const entries = images.map(() => obtain());
  images.forEach((image, i) => fillEntry(entries[i]!, image, entries, skeleton.data, memory));
  restoreSkeleton(skeleton, skeletonImage);
  return { tracks: tracks.map((i) => (i === NONE ? null : entries[i]!)), timeScale, carried, animationsChanged };
}

interface EntryImage {
  animation: Animation;
  trackIndex: number;
  curve: number;
  flags: number;
  numbers: number[];
  modes: Uint8Array;
  rotations: Uint8Array;
  links: number[];
  fading: number[];
}

function readEntry(data: SkeletonData, input: SnapshotReader): EntryImage {
  const index = input.index(NONE, data.animations.length - 1, "An animation");
  const animation = index === NONE ? emptyAnimation() : data.animations[index]!;
  const image: EntryImage = {
    animation,
    trackIndex: input.index(0, 65_535, "A track index"),
    curve: input.index(0, curves().length - 1, "An interpolation"),
    flags: input.i32(),
    numbers: NUMBERS.map(() => input.f64()),
    modes: input.bytes(),
    rotations: input.bytes(),
    links: [],
    fading: [],
  };
  const compiled = animation._compiledFor(data);
  if (image.modes.length !== 0 && image.modes.length !== animation.timelines.length) input.fail(`Animation "${animation.name}" has other timelines now`);
  if (image.rotations.length !== 0 && image.rotations.length !== compiled.rotateCount * ROTATION_MEMORY_BYTES) {
    input.fail(`Animation "${animation.name}" has other rotations now`);
  }
  return image;
}

function fillEntry(entry: TrackEntry, image: EntryImage, entries: readonly TrackEntry[], data: SkeletonData, memory: EntryMemory): void {
  entry._begin(image.trackIndex, image.animation, false, 0);
  NUMBERS.forEach((name, i) => {
    entry[name] = image.numbers[i]!;
  });
  FLAGS.forEach((name, i) => {
    entry[name] = (image.flags & (1 << i)) !== 0;
  });
  LINKS.forEach((name, i) => {
    entry[name] = image.links[i] === NONE ? null : entries[image.links[i]!]!;
  });
  entry.mixInterpolation = curves()[image.curve]!;
  image.modes.forEach((mode, i) => {
    const fading = image.fading[i] === NONE ? null : entries[image.fading[i]!]!;
    entry.timelineMode[i] = mode;
    entry.timelineHoldMix[i] = fading;
    let weight = (mode & HOLD) === 0 ? WEIGHT_MIX : WEIGHT_HOLD;
    if (weight === WEIGHT_HOLD && fading !== null) {
      if (!entry._fading.includes(fading)) entry._fading.push(fading);
      weight = entry._fading.indexOf(fading) + 2;
    }
    entry._weightOf[i] = weight;
    entry._timelinesPerWeight[weight] = (entry._timelinesPerWeight[weight] ?? 0) + 1;
  });
  if (image.rotations.length > 0) {
    const compiled = image.animation._compiledFor(data);
    entry._writeWords(compiled, memory);
    heap.u8.set(image.rotations, entry._memoryOf(compiled));
    entry._remembers = true;
  }
}
