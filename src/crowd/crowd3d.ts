import { CharacterField, CharacterFlag, CROWD3D_BYTES, Crowd3DField, LEVELS, PALETTE3D_FLOATS, ROWS_BYTES } from "../../assembly/layout/crowd3d.js";
import { GROUP_BYTES } from "../../assembly/layout/rig3d.js";
import type { AnimClip } from "../anim/rig/clip.js";
import { AnimPlayer } from "../anim/rig/player.js";
import { AnimPose } from "../anim/rig/pose.js";
import { AnimSkeleton } from "../anim/rig/skeleton.js";
import { AnimSkin } from "../anim/rig/skin.js";
import { ArgumentError, DisposedError, RangeMismatchError, StateError } from "../errors.js";
import { disposedByHand, freeWhenCollected } from "../wasm/finalizer.js";
import { heap } from "../wasm/heap.js";
import { rig3d } from "../wasm/rig3d.js";
import { BlockPool } from "./block-pool.js";
import { atLeastZero, checkOptions, finite, flag, rateOf, shown } from "./checks.js";
import { Crowd3DCharacters } from "./crowd3d-characters.js";
import { checkClip, levelOf, listOf, packedTint, rotationLength } from "./crowd3d-checks.js";
import { Crowd3DClips } from "./crowd3d-clips.js";
import { Crowd3DEvents } from "./crowd3d-events.js";
import {
  CROWD3D_OPTIONS, type Crowd3DListener, type Crowd3DOptions, PLAY3D_OPTIONS, type Play3DOptions, QUEUE3D_OPTIONS, type Queue3DOptions, SPAWN3D_OPTIONS,
  type Spawn3DOptions,
} from "./crowd3d-options.js";
import { type Clip3DRequest, Crowd3DPlayback } from "./crowd3d-playback.js";
import { demote3D, promote3D } from "./crowd3d-promotion.js";
import { restoreSnapshot3D, writeSnapshot3D } from "./crowd3d-snapshot.js";
import { MAXIMUM_SLOTS } from "./id-table.js";
import { PoseJob } from "./pose-job.js";

/** Characters that a thread takes at a time, and below which no worker is woken. */
const CHUNK = 16;
const FEWEST_CHARACTERS = 64;

/**
 * Thousands of 3D characters of one skeleton; no pose is kept but the palettes.
 *
 * A character is a few numbers: a clip and its time, a running cross-fade, a placement. `update(dt)` means for each what
 * `player.update(dt)`, `pose.computeWorld` and `skin.updateMatrixPalette` mean for an AnimPlayer that got the same calls
 * (linear fades, no root motion), placed in the world: the same numbers to the bit.
 *
 * Characters are named by ids that are never used again; their rows in `palette` are dense and move when others despawn.
 */
export class Crowd3D {
  readonly skeleton: AnimSkeleton;
  readonly skins: readonly AnimSkin[];
  /** Joints of one character in the palette: those of all skins, one skin after the other; all bones without skins. */
  readonly jointCount: number;
  /** Seconds of the cross-fade that `play` starts when it is not told. */
  defaultMix: number;
  /** Told of events and completions during `update`, after all poses are made. */
  listener: Crowd3DListener | null = null;

  /** How often palettes were written: renderers upload when it has changed. @internal */
  _version = 0;

  readonly #characters: Crowd3DCharacters;
  readonly #playback: Crowd3DPlayback;
  readonly #clips: Crowd3DClips;
  readonly #events = new Crowd3DEvents();
  /** Blocks freed with the crowd; edited in place. */
  readonly #blocks: number[] = [];
  /** Address of the block that describes the crowd to kernels, 0 once disposed. */
  #crowd: number;
  readonly #live: number;
  #lodVersion = -1;
  readonly #job = new PoseJob({ area: rig3d, name: "updateCrowd3d", chunk: CHUNK, fewest: FEWEST_CHARACTERS }, (bytes) => bytes);
  /** An asynchronous update is running. */
  #isBusy = false;
  #scratch = 0;
  #palette: Float32Array = new Float32Array(0);
  #paletteGeneration = -1;

  /**
   * @param skins - skins of this skeleton whose palettes are wanted; none: the world matrices of all bones
   * @throws ArgumentError, RangeMismatchError for what makes no sense
   */
  constructor(skeleton: AnimSkeleton, skins: AnimSkin | readonly AnimSkin[] = [], options: Crowd3DOptions = {}) {
    if (!(skeleton instanceof AnimSkeleton)) throw new ArgumentError(`The skeleton of a crowd is ${shown(skeleton)}. Give an AnimSkeleton.`, { found: skeleton });
    checkOptions("new Crowd3D", options, CROWD3D_OPTIONS);
    flag("grow", options.grow ?? true);
    const clips = options.clips ?? [];
    if (!Array.isArray(clips)) throw new ArgumentError(`clips is ${shown(clips)}, expected an array of AnimClips.`, { found: clips });
    for (const clip of clips as readonly AnimClip[]) checkClip(clip);
    const list = Array.isArray(skins) ? (skins as readonly AnimSkin[]) : [skins as AnimSkin];
    for (const skin of list) {
      if (!(skin instanceof AnimSkin)) throw new ArgumentError(`A skin of the crowd is ${shown(skin)}. Give an AnimSkin, or an array of them.`, { found: skin });
      if (skin.getSkeleton() !== skeleton) throw new ArgumentError("A skin of the crowd belongs to another skeleton. Build the skins on the crowd's skeleton.");
    }
    const capacity = options.capacity ?? 1024;
    if (!Number.isInteger(capacity) || capacity < 1 || capacity > MAXIMUM_SLOTS) {
      throw new RangeMismatchError("capacity", capacity, 1, MAXIMUM_SLOTS, "Give the number of characters to make room for.");
    }
    this.skeleton = skeleton;
    this.skins = [...list];
    this.defaultMix = atLeastZero("defaultMix", options.defaultMix ?? 0);
    this.jointCount = list.length === 0 ? skeleton.getBoneCount() : list.reduce((sum, skin) => sum + skin.getBoneCount(), 0);
    skeleton.freeze("Crowd3D");

    freeWhenCollected(this, this.#blocks);
    this.#crowd = this.#take(CROWD3D_BYTES);
    this.#live = this.#take(LEVELS * 4);
    try {
      this.#characters = new Crowd3DCharacters(capacity, this.jointCount * ROWS_BYTES, options.grow ?? true, this.#blocks);
    } catch (error) {
      // Memory that ran out half-way is not kept until somebody collects garbage.
      this.dispose();
      throw error;
    }
    this.#clips = new Crowd3DClips(this.#blocks);
    const frozen = new BlockPool(skeleton.groupCount * GROUP_BYTES, this.#blocks);
    this.#playback = new Crowd3DPlayback(this.#characters, this.#clips, frozen, (row, ptr) => this.#poseInto(row, ptr));
    for (const clip of clips) this.#clips.register(clip);
    this.#writeJoints();
    const { i32 } = heap, at = this.#crowd >>> 2;
    i32[at + Crowd3DField.GROUP_COUNT / 4] = skeleton.groupCount;
    i32[at + Crowd3DField.JOINT_COUNT / 4] = this.jointCount;
  }

  /**
   * Threads that take part in `update` besides the calling one, 0 (default) .. 8. They start in the background and help as
   * soon as they are ready; the result has the same bits for any number. Where threads cannot share memory it stays 0.
   */
  get workers(): number {
    return this.#job.workers;
  }

  set workers(count: number) {
    this.#assertAlive();
    this.#job.setWorkers(count);
  }

  /** Workers that have started and take part. */
  get readyWorkers(): number {
    return this.#job.readyWorkers;
  }

  /** Living characters; 0 once the crowd is disposed. */
  get count(): number {
    return this.#crowd === 0 ? 0 : this.#characters.count;
  }

  /** Characters that fit without growing. */
  get capacity(): number {
    return this.#characters.ids.capacity;
  }

  /**
   * Palettes of all characters: `count x jointCount x 12`, row by row; a joint is the three upper rows of world (placement
   * included) times inverse bind. Hidden characters have zeros. A view of linear memory, valid until the next allocation:
   * read the property again after anything was created.
   */
  get palette(): Float32Array {
    this.#assertUsable();
    const ptr = this.#characters.palettePtr, length = this.count * this.jointCount * PALETTE3D_FLOATS, view = this.#palette;
    if (this.#paletteGeneration === heap.generation && view.byteOffset === ptr && view.length === length) return view;
    this.#paletteGeneration = heap.generation;
    return (this.#palette = heap.f32.subarray(ptr >>> 2, (ptr >>> 2) + length));
  }

  /** First joint of a skin (index into `skins`) in a palette row. */
  firstJoint(skin: number): number {
    if (!Number.isInteger(skin) || skin < 0 || skin >= Math.max(1, this.skins.length)) throw new RangeMismatchError("skin", skin, 0, this.skins.length - 1);
    let first = 0;
    for (let i = 0; i < skin; i++) first += this.skins[i]!.getBoneCount();
    return first;
  }

  /** Whether the id names a living character of this crowd. */
  has(id: number): boolean {
    return this.#crowd !== 0 && this.#characters.ids.has(id);
  }

  /** Place of a character in `palette`. Moves when another character despawns. @throws StaleIdError */
  row(id: number): number {
    this.#assertUsable();
    return this.#characters.ids.row(id);
  }

  /** Id of the character in a row, 0 .. count - 1. */
  idAt(row: number): number {
    this.#assertUsable();
    if (!Number.isInteger(row) || row < 0 || row >= this.count) throw new RangeMismatchError("row", row, 0, this.count - 1);
    return this.#characters.ids.id(row);
  }

  /**
   * Adds a character. Its palette row holds zeros until the next update.
   * @returns its id
   * @throws CrowdFullError if the crowd is full and must not grow
   */
  spawn(options: Spawn3DOptions = {}): number {
    this.#assertAlive();
    checkOptions("spawn", options, SPAWN3D_OPTIONS);
    const clip = options.clip ?? undefined, tint = listOf("tint", options.tint ?? [1, 1, 1], 3), rotation = listOf("rotation", options.rotation ?? [0, 0, 0, 1], 4);
    if (clip !== undefined) checkClip(clip);
    const loops = flag("loop", options.loop ?? clip?.getLoop() ?? false);
    const speed = atLeastZero("speed", options.speed ?? 1), time = atLeastZero("time", options.time ?? 0);
    const x = finite("x", options.x ?? 0), y = finite("y", options.y ?? 0), z = finite("z", options.z ?? 0), scale = finite("scale", options.scale ?? 1);
    const [qx, qy, qz, qw] = rotation as readonly [number, number, number, number];
    const length = rotationLength(qx, qy, qz, qw), lod = levelOf(options.lod ?? 0);
    const light = packedTint(tint[0]!, tint[1]!, tint[2]!, tint[3] ?? 1), index = clip === undefined ? 0 : this.#clips.register(clip);
    this.#characters.makeRoom();
    this._version++;

    const id = this.#characters.add(), at = this.#find(id), { f32, f64, i32, u32 } = heap, placement = (at + CharacterField.PLACEMENT) >>> 2;
    f32[placement] = x;
    f32[placement + 1] = y;
    f32[placement + 2] = z;
    f32[placement + 3] = scale;
    f32[placement + 4] = qx / length;
    f32[placement + 5] = qy / length;
    f32[placement + 6] = qz / length;
    f32[placement + 7] = qw / length;
    f64[(at + CharacterField.SPEED) >>> 3] = speed;
    f64[(at + CharacterField.TIME) >>> 3] = time;
    i32[(at + CharacterField.CLIP) >>> 2] = index;
    i32[(at + CharacterField.LOD) >>> 2] = lod;
    u32[(at + CharacterField.TINT) >>> 2] = light;
    this.#characters.setFlag(at, CharacterFlag.UNPASSED, time === 0);
    if (loops) this.#characters.setFlag(at, CharacterFlag.LOOP, true);
    return id;
  }

  /** Removes a character; the last row takes its place. @throws StaleIdError */
  despawn(id: number): void {
    this.#assertAlive();
    this.#playback.release(this.#find(id));
    this.#playback.clearQueue(id);
    this._version++;
    this.#characters.remove(id);
  }

  /**
   * Plays a clip, cross-fading from what plays now, and forgets what is queued. During a cross-fade the mixture of the moment is
   * kept and fades out too: nothing jumps.
   */
  play(id: number, clip: AnimClip, options: Play3DOptions = {}): void {
    this.#assertAlive();
    this.#find(id);
    const request = this.#request("play", PLAY3D_OPTIONS, clip, options);
    this.#playback.clearQueue(id);
    this.#playback.play(id, request);
  }

  /** Plays a clip after the current one, or after those queued before it. */
  queue(id: number, clip: AnimClip, options: Queue3DOptions = {}): void {
    this.#assertAlive();
    this.#find(id);
    this.#playback.queue(id, this.#request("queue", QUEUE3D_OPTIONS, clip, options), finite("delay", options.delay ?? 0));
  }

  /** Moves the clip to a clip time in seconds, >= 0, and ends a fade. Events on the way do not fire. */
  seek(id: number, time: number): void {
    this.#playback.seek(this.#find(id), atLeastZero("time", time));
  }

  /** Unwrapped time of the clip, seconds. */
  time(id: number): number {
    return heap.f64[(this.#find(id) + CharacterField.TIME) >>> 3]!;
  }

  /** Whether the clip does not loop and has reached its end. */
  hasEnded(id: number): boolean {
    return (heap.i32[(this.#find(id) + CharacterField.FLAGS) >>> 2]! & CharacterFlag.ENDED) !== 0;
  }

  /** The clip that plays, or null. */
  clip(id: number): AnimClip | null {
    return this.#clips.at(heap.i32[(this.#find(id) + CharacterField.CLIP) >>> 2]!);
  }

  /** Clip seconds a second, >= 0. */
  setSpeed(id: number, speed: number): void {
    heap.f64[(this.#find(id) + CharacterField.SPEED) >>> 3] = atLeastZero("speed", speed);
  }

  setPosition(id: number, x: number, y: number, z: number): void {
    const at = (this.#find(id) + CharacterField.PLACEMENT) >>> 2;
    finite("x", x);
    finite("y", y);
    finite("z", z);
    const { f32 } = heap;
    f32[at] = x;
    f32[at + 1] = y;
    f32[at + 2] = z;
    this.#characters.setFlag(this.#find(id), CharacterFlag.FRESH, true);
  }

  /** Rotation of the placement; normalised. @throws ArgumentError if it has no length */
  setRotation(id: number, x: number, y: number, z: number, w: number): void {
    const at = (this.#find(id) + CharacterField.PLACEMENT) >>> 2, length = rotationLength(x, y, z, w), { f32 } = heap;
    f32[at + 4] = x / length;
    f32[at + 5] = y / length;
    f32[at + 6] = z / length;
    f32[at + 7] = w / length;
    this.#characters.setFlag(this.#find(id), CharacterFlag.FRESH, true);
  }

  /** Uniform scale of the placement. */
  setScale(id: number, scale: number): void {
    const at = this.#find(id);
    heap.f32[((at + CharacterField.PLACEMENT) >>> 2) + 3] = finite("scale", scale);
    this.#characters.setFlag(at, CharacterFlag.FRESH, true);
  }

  /** Light of the character for renderers, components 0 .. 1 (others are clamped). */
  setTint(id: number, r: number, g: number, b: number, a = 1): void {
    heap.u32[(this.#find(id) + CharacterField.TINT) >>> 2] = packedTint(r, g, b, a);
  }

  /** Positions of consecutive rows (not ids), from `firstRow` on: x, y, z, … */
  setPositions(values: ArrayLike<number>, firstRow = 0): void {
    this.#assertAlive();
    this.#characters.checkRows(3, values, firstRow, -Infinity);
    this.#characters.writeRows(CharacterField.PLACEMENT, 3, values, firstRow);
  }

  /** Rotations of consecutive rows: quaternions x, y, z, w, …; normalised. @throws ArgumentError if one has no length */
  setRotations(values: ArrayLike<number>, firstRow = 0): void {
    this.#assertAlive();
    this.#characters.checkRows(4, values, firstRow, -Infinity);
    for (let i = 0; i < values.length; i += 4) rotationLength(values[i]!, values[i + 1]!, values[i + 2]!, values[i + 3]!);
    this.#characters.writeRows(CharacterField.PLACEMENT + 16, 4, values, firstRow);
    const { f32 } = heap;
    for (let row = firstRow, i = 0; i < values.length; row++, i += 4) {
      const length = rotationLength(values[i]!, values[i + 1]!, values[i + 2]!, values[i + 3]!), at = ((this.#characters.at(row) + CharacterField.PLACEMENT) >>> 2) + 4;
      for (let k = 0; k < 4; k++) f32[at + k] = values[i + k]! / length;
    }
  }

  /** Uniform scales of consecutive rows. */
  setScales(values: ArrayLike<number>, firstRow = 0): void {
    this.#assertAlive();
    this.#characters.checkRows(1, values, firstRow, -Infinity);
    this.#characters.writeRows(CharacterField.PLACEMENT + 12, 1, values, firstRow);
  }

  /** Speeds of consecutive rows, >= 0. */
  setSpeeds(values: ArrayLike<number>, firstRow = 0): void {
    this.#assertAlive();
    this.#characters.checkRows(1, values, firstRow, 0);
    const { f64 } = heap;
    for (let i = 0; i < values.length; i++) f64[(this.#characters.at(firstRow + i) + CharacterField.SPEED) >>> 3] = values[i]!;
  }

  /** Level of detail: bones whose limit is below it take their bind transform. 0 (full) .. 255. */
  setLod(id: number, level: number): void {
    heap.i32[(this.#find(id) + CharacterField.LOD) >>> 2] = levelOf(level);
  }

  /** A hidden character keeps its time but is not posed; its palette row is zero. */
  setVisible(id: number, visible: boolean): void {
    const at = this.#find(id), row = this.row(id);
    flag("visible", visible);
    this.#characters.setFlag(at, CharacterFlag.HIDDEN, !visible);
    this.#characters.setFlag(at, CharacterFlag.FRESH, true);
    if (!visible) this.#characters.clear(row);
    this._version++;
  }

  /**
   * How often a character is posed; its time stays exact.
   * @param posesPerSecond - > 0; Infinity, which every character starts with: at every update
   */
  setUpdateRate(id: number, posesPerSecond: number): void {
    const at = this.#find(id);
    rateOf("posesPerSecond", posesPerSecond);
    heap.f64[(at + CharacterField.INTERVAL) >>> 3] = posesPerSecond === Infinity ? 0 : 1 / posesPerSecond;
  }

  /** The palette of one joint of a character as a 4x4 matrix, column-major, into `out`. */
  joint(id: number, joint: number, out: Float32Array | number[], offset = 0): void {
    if (!Number.isInteger(joint) || joint < 0 || joint >= this.jointCount) throw new RangeMismatchError("joint", joint, 0, this.jointCount - 1);
    const at = ((this.#characters.palettePtr + this.row(id) * this.#characters.rowBytes) >>> 2) + joint * PALETTE3D_FLOATS, { f32 } = heap;
    for (let column = 0; column < 4; column++) {
      for (let row = 0; row < 3; row++) out[offset + column * 4 + row] = f32[at + row * 4 + column]!;
      out[offset + column * 4 + 3] = column === 3 ? 1 : 0;
    }
  }

  /** Local transforms of a character at its present time, into a pose of the skeleton (made anew: the crowd keeps none). */
  pose(id: number, out: AnimPose): void {
    this.#assertAlive();
    if (!(out instanceof AnimPose)) throw new ArgumentError(`The pose to write to is ${shown(out)}. Give an AnimPose.`, { found: out });
    const row = this.row(id);
    this._version++;
    out.fit(this.skeleton.getBoneCount());
    this.#poseInto(row, out.localPtr);
    if ((heap.i32[(this.#find(id) + CharacterField.FLAGS) >>> 2]! & CharacterFlag.HIDDEN) !== 0) this.#characters.clear(row);
    out.markStale();
  }

  /**
   * Advances all clocks, poses everybody and tells the listener what happened.
   * @param dt - seconds, finite, >= 0
   * @throws StateError when a listener of the same crowd calls it
   */
  update(dt: number): void {
    this.#begin(dt);
    this._version++;
    this.#job.run(this.#crowd, this.count);
    if (this.listener !== null) this.#events.deliver(this.#characters, this.#clips, this.listener);
  }

  /**
   * The same while this thread goes on: workers write a second palette, which is shown once the promise resolves. Until then
   * the crowd must not be changed, but it may be drawn by a Crowd3DRenderer. Without workers the work is done before the call returns.
   * @throws StateError if the update before has not ended, or when a listener of the same crowd calls it
   */
  async updateAsync(dt: number): Promise<void> {
    this.#begin(dt);
    const at = this.#crowd >>> 2, written = this.#characters.otherPalettePtr;
    heap.u32[at + Crowd3DField.SHOWN_PALETTE / 4] = this.#characters.palettePtr;
    heap.u32[at + Crowd3DField.PALETTE / 4] = written;
    this.#isBusy = true;
    try {
      await this.#job.runBeside(this.#crowd, this.count);
    } finally {
      heap.u32[at + Crowd3DField.SHOWN_PALETTE / 4] = 0;
      this.#isBusy = false;
    }
    this.#characters.swap();
    this._version++;
    if (this.listener !== null) this.#events.deliver(this.#characters, this.#clips, this.listener);
  }

  /**
   * Hands a character over to an AnimPlayer of its own, which goes on where it is; the placement stays with the crowd, what is queued is
   * forgotten. The character stays in the crowd, hidden and without a clip, so that nothing is told twice, until `demote` or `despawn`.
   * Dispose the player yourself.
   */
  promote(id: number): AnimPlayer {
    this.#assertAlive();
    const at = this.#find(id), player = new AnimPlayer(this.skeleton);
    promote3D(at, player, this.#clips);
    this.#playback.clearQueue(id);
    this.#playback.stop(at);
    this.setVisible(id, false);
    return player;
  }

  /** Takes a character back from a player of the same skeleton, where it is now: its clip and one linear cross-fade. */
  demote(id: number, player: AnimPlayer): void {
    this.#assertAlive();
    const at = this.#find(id);
    if (player?.getSkeleton?.() !== this.skeleton) throw new ArgumentError("The player belongs to another skeleton. Give the one that promote() returned.");
    this.#playback.clearQueue(id);
    this.#playback.release(at);
    demote3D(at, player, this.#characters, this.#clips, this.#playback, this.skeleton.groupCount * GROUP_BYTES);
    this.setVisible(id, true);
  }

  /** Everything about the characters as bytes: a restored crowd goes on bit for bit as this one would have. */
  snapshot(): ArrayBuffer {
    this.#assertAlive();
    return writeSnapshot3D(this.#characters, this.#clips, this.#playback);
  }

  /**
   * Puts the characters back to where a snapshot of this rig, with the same skins, was made. Clips are found by name and duration among
   * those the crowd knows (option `clips`).
   * @param snapshot - the bytes, as a buffer or as a view of one
   * @throws FormatError if it is no such snapshot; then nothing has changed
   */
  restore(snapshot: ArrayBuffer | ArrayBufferView): void {
    this.#assertAlive();
    this._version++;
    restoreSnapshot3D(snapshot, this.#characters, this.#clips, this.#playback);
    this.#events.discard();
  }

  /** Address of the record of a row. @internal */
  _recordOf(row: number): number {
    return this.#characters.at(row);
  }

  /** Frees the crowd's memory; skeleton, skins and clips stay. Safe to call twice. */
  dispose(): void {
    if (this.#crowd === 0) return;
    this.#assertAlive();
    disposedByHand(this);
    this.#events.discard();
    for (const ptr of this.#blocks) heap.free(ptr);
    this.#blocks.length = 0;
    this.#job.dispose();
    this.#crowd = 0;
  }

  /** Addresses that may have moved since the last update, and scratch for the hungriest clip. */
  #prepare(): void {
    let bytes = this.#clips.refresh();
    const groups = this.skeleton.groupCount;
    bytes += groups * (2 * GROUP_BYTES + 4 * ROWS_BYTES) + ROWS_BYTES;
    this.#scratch = this.#job.scratch(bytes);
    if (this.#lodVersion !== this.skeleton.lodVersion) {
      for (let level = 0; level < LEVELS; level++) {
        const masks = this.skeleton.liveMasks(level);
        heap.u32[(this.#live >>> 2) + level] = masks;
      }
      this.#lodVersion = this.skeleton.lodVersion;
    }
    const { u32 } = heap, at = this.#crowd >>> 2;
    u32[at + Crowd3DField.BIND / 4] = this.skeleton.bindPtr;
    u32[at + Crowd3DField.PARENTS / 4] = this.skeleton.parentsPtr;
    u32[at + Crowd3DField.CLIPS / 4] = this.#clips.ptr;
    u32[at + Crowd3DField.LIVE / 4] = this.#live;
    u32[at + Crowd3DField.CHARACTERS / 4] = this.#characters.ptr;
    u32[at + Crowd3DField.PALETTE / 4] = this.#characters.palettePtr;
  }

  #request(call: string, known: readonly string[], clip: AnimClip, options: Play3DOptions): Clip3DRequest {
    checkClip(clip);
    checkOptions(call, options, known);
    return {
      mix: atLeastZero("mix", options.mix ?? this.defaultMix), time: atLeastZero("time", options.time ?? 0), loop: flag("loop", options.loop ?? clip.getLoop()),
      speed: options.speed == null ? undefined : atLeastZero("speed", options.speed), clip: this.#clips.register(clip),
    };
  }

  /** Local pose of a row at its present clocks, to an address. */
  #poseInto(row: number, ptr: number): void {
    this.#prepare();
    rig3d.kernels.poseCrowd3d(this.#crowd, row, this.#scratch);
    heap.u8.copyWithin(ptr, this.#scratch, this.#scratch + this.skeleton.groupCount * GROUP_BYTES);
  }

  #writeJoints(): void {
    const bones = this.#take(this.jointCount * 4), inverse = this.#take(this.jointCount * ROWS_BYTES), { f32, i32, u32 } = heap;
    let joint = 0;
    for (const skin of this.skins) {
      for (let j = 0; j < skin.getBoneCount(); j++, joint++) {
        i32[(bones >>> 2) + joint] = skin.getSkeletonBone(j);
        for (let row = 0; row < 3; row++) {
          for (let column = 0; column < 4; column++) f32[(inverse >>> 2) + joint * 12 + row * 4 + column] = skin.getInverseBindElement(j, column * 4 + row);
        }
      }
    }
    for (; joint < this.jointCount; joint++) {
      i32[(bones >>> 2) + joint] = joint;
      for (let row = 0; row < 3; row++) f32[(inverse >>> 2) + joint * 12 + row * 5] = 1;
    }
    u32[(this.#crowd + Crowd3DField.JOINT_BONES) >>> 2] = bones;
    u32[(this.#crowd + Crowd3DField.JOINT_INVERSE_BIND) >>> 2] = inverse;
  }

  #take(bytes: number): number {
    const ptr = heap.alloc(bytes);
    this.#blocks.push(ptr);
    return ptr;
  }

  /** Checks, queues and everything that an update needs. */
  #begin(dt: number): void {
    this.#assertAlive();
    if (this.#events.isTelling) throw new StateError("A listener of this crowd wants it to be updated. Call update() when the one that tells it has returned.");
    atLeastZero("dt", dt);
    this.#playback.promote();
    this.#prepare();
    if (this.listener !== null) this.#events.remember(this.#characters);
    heap.f64[(this.#crowd + Crowd3DField.STEP) >>> 3] = dt;
  }

  /** Record of a character, of a crowd that can be changed. @throws StaleIdError */
  #find(id: number): number {
    this.#assertAlive();
    return this.#characters.find(id);
  }

  #assertUsable(): void {
    if (this.#crowd === 0) throw new DisposedError("Crowd3D");
  }

  #assertAlive(): void {
    this.#assertUsable();
    if (this.#isBusy) throw new StateError("The crowd is being posed by updateAsync. Await it before changing anything.");
  }
}
