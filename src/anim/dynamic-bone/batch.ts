import { AnimArgumentError, AnimIndexError, AnimMismatchError, AnimStateError } from "../errors.js";
import {
  Particle, SPRING_ANCHOR_ROWS, SPRING_CHAIN_BYTES, SPRING_COLLIDER_BYTES, SPRING_COLLIDER_ROW_BYTES, SPRING_JOINT_BYTES, SPRING_PARTICLE_BYTES,
  SpringChain, SpringCollider, SpringFlag, SpringGroup, SpringJoint, Springs, SPRINGS_BYTES, SpringShape,
} from "../../../assembly/layout/springs.js";
import { LANES, ROW_BYTES } from "../../../assembly/layout/heap.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { rig3d } from "../../wasm/rig3d.js";
import { dropAll, dropBlock, takeBlock } from "../rig/blocks.js";
import { disposed, requireFinite, requireFinite3, requireIndex, requireObject, requireRotation, show } from "../rig/checks.js";
import { AnimPose } from "../rig/pose.js";
import { retire } from "../rig/retire.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { type Chain, requireParameters } from "./chain.js";
import type { Collider } from "./colliders.js";
import { inverseMultiply, rotateVector } from "./rotation.js";
import type { StepForces } from "./step.js";

/** What a batch takes over from a solver. @internal */
export interface BatchSettings {
  readonly skeleton: AnimSkeleton;
  readonly chains: readonly Chain[];
  /** Whether chains hang on other chains. */
  readonly nested: boolean;
  readonly colliders: readonly Collider[];
  readonly forces: StepForces;
  readonly maxSteps: number;
  readonly exact: boolean;
  readonly teleport: number;
  readonly weight: number;
}

/** Numbers a character: place and rotation of its object now and at the last update, its place at the last step. */
const OBJECT = 17;
const FREE = -1;
const AXES = ["none", "x", "y", "z"];

const Q = /* @__PURE__ */ new Float64Array(4);
const V = /* @__PURE__ */ new Float64Array(3);
const NEAR = /* @__PURE__ */ new Float64Array(3);

/**
 * Dynamic bones of many characters of one rig, made by `DynamicBoneSolver.createBatch`. All have the chains, colliders and
 * settings of that solver; poses, object transforms and weights are each character's own. Four characters are simulated in
 * the lanes of a register, in single precision, relative to their object: positions far from the world's origin lose nothing.
 *
 * Call `update` after all poses are sampled. It computes the world of every pose and leaves it valid; it allocates nothing.
 * Owns its blocks of linear memory, not the poses.
 */
export class DynamicBoneBatch {
  readonly #settings: BatchSettings;
  readonly #owned: number[] = [];
  readonly #settingsPtr: number;
  readonly #scratch: number;
  readonly #groupBytes: number;
  /** Byte offset in a group of each chain's first particle. */
  readonly #particles: Int32Array;
  readonly #counts: Int32Array;
  readonly #worldColliders: number[] = [];
  /** Stands in lanes without a character. */
  readonly #nobody: AnimPose;
  #groups = 0;
  #groupCount = 0;
  #groupCapacity = 0;
  /** By id, which is the lane: pose, or undefined where free. */
  readonly #poses: (AnimPose | undefined)[] = [];
  readonly #free: number[] = [];
  #objects = new Float64Array(OBJECT * LANES);
  #count = 0;
  readonly #left = new Float64Array(1);
  #disposed = false;

  /** @internal */
  constructor(settings: BatchSettings) {
    const chains = settings.chains.filter((chain) => chain.enabled);
    if (settings.nested || chains.some((chain) => chain.selfCollision || (chain.model === "vrm" && chain.center >= 0))) {
      throw new AnimStateError("DynamicBoneSolver.createBatch: a chain hangs on another chain, collides with itself or has a centre. A batch does none of that; use a solver a character, or setChainSelfCollision(chain, false) and setChainCenter(chain, -1).");
    }
    this.#settings = { ...settings, chains, colliders: [...settings.colliders] };
    freeWhenCollected(this, this.#owned);
    this.#nobody = new AnimPose();
    settings.skeleton.applyBindPose(this.#nobody);
    this.#nobody.reserveWorld();
    this.#particles = new Int32Array(chains.length);
    this.#counts = Int32Array.from(chains, (chain) => chain.count);
    let at = SpringGroup.END * ROW_BYTES + settings.colliders.length * SPRING_COLLIDER_ROW_BYTES;
    chains.forEach((chain, c) => {
      at += SPRING_ANCHOR_ROWS * ROW_BYTES;
      this.#particles[c] = at;
      at += chain.count * SPRING_PARTICLE_BYTES;
    });
    this.#groupBytes = at;
    const longest = Math.max(1, ...this.#counts);
    this.#scratch = takeBlock(this.#owned, longest * SPRING_PARTICLE_BYTES + settings.colliders.length * SPRING_COLLIDER_ROW_BYTES + 7 * ROW_BYTES);
    this.#settingsPtr = takeBlock(this.#owned, SPRINGS_BYTES);
    this.#writeSettings(longest);
  }

  /** Characters in the batch. */
  getCount(): number {
    return this.#count;
  }

  /**
   * Adds a character, which starts on the animation at the next update.
   * @param pose - of the solver's rig; the batch turns its bones in every update and keeps a reference
   * @returns the character's id, used again after `remove`
   * @throws AnimMismatchError if the pose does not have the bones of the skeleton
   */
  add(pose: AnimPose): number {
    this.#check("add");
    requireObject("DynamicBoneBatch.add", "pose", pose, "AnimPose");
    const bones = this.#settings.skeleton.getBoneCount();
    if (pose.getBoneCount() !== bones) throw new AnimMismatchError(`DynamicBoneBatch.add: the pose has ${pose.getBoneCount()} bones, expected ${bones}. Give a pose of the solver's skeleton.`);
    const id = this.#free.pop() ?? this.#newLane();
    this.#poses[id] = pose;
    this.#count++;
    const o = id * OBJECT;
    this.#objects.fill(0, o, o + OBJECT);
    for (const k of [6, 13]) this.#objects[o + k] = 1;
    heap.f32[this.#lane(id, SpringGroup.WEIGHT)] = this.#settings.weight;
    this.reset(id);
    return id;
  }

  /** Takes a character out; its pose stays as it is. @throws AnimIndexError */
  remove(id: number): void {
    this.#character("remove", id);
    this.#poses[id] = undefined;
    this.#free.push(id);
    this.#count--;
    heap.f32[this.#lane(id, SpringGroup.WEIGHT)] = 0;
    heap.i32[this.#lane(id, SpringGroup.FLAGS)] = SpringFlag.START;
  }

  /** From a character's model to the world. Default: the identity. */
  setObjectTransform(id: number, px: number, py: number, pz: number, qx: number, qy: number, qz: number, qw: number): void {
    this.#character("setObjectTransform", id);
    requireFinite3("DynamicBoneBatch.setObjectTransform", "the position", px, py, pz);
    const length = requireRotation("DynamicBoneBatch.setObjectTransform", qx, qy, qz, qw), o = id * OBJECT, objects = this.#objects;
    objects[o] = px;
    objects[o + 1] = py;
    objects[o + 2] = pz;
    objects[o + 3] = qx / length;
    objects[o + 4] = qy / length;
    objects[o + 5] = qz / length;
    objects[o + 6] = qw / length;
  }

  /** Blends a character from its animation (0) to the simulation (1); clamped. Default: the solver's weight. */
  setWeight(id: number, weight: number): void {
    this.#character("setWeight", id);
    requireFinite("DynamicBoneBatch.setWeight", "weight", weight);
    heap.f32[this.#lane(id, SpringGroup.WEIGHT)] = Math.min(1, Math.max(0, weight));
  }

  /** The next update starts this character on its animation, at rest. */
  reset(id: number): void {
    this.#character("reset", id);
    heap.i32[this.#lane(id, SpringGroup.FLAGS)] = SpringFlag.START;
  }

  /** Acceleration of all particles from the next update on, times their gravity scale. */
  setGlobalGravity(x: number, y: number, z: number): void {
    this.#check("setGlobalGravity");
    requireFinite3("DynamicBoneBatch.setGlobalGravity", "the gravity", x, y, z);
    this.#setVector(Springs.GRAVITY, x, y, z);
  }

  /** Acceleration by wind or the like, until it is set again. */
  setExternalForce(x: number, y: number, z: number): void {
    this.#check("setExternalForce");
    requireFinite3("DynamicBoneBatch.setExternalForce", "the force", x, y, z);
    this.#setVector(Springs.FORCE, x, y, z);
  }

  /** Settings of a chain from the next update on, as `DynamicBoneSolver.setChainParticleParameters`; chains count in the order of their first bones. */
  setChainParticleParameters(chain: number, damping: number, elasticity: number, stiffness: number, radius: number, friction = 0, gravityScale = 1): void {
    this.#check("setChainParticleParameters");
    requireIndex("DynamicBoneBatch.setChainParticleParameters", "chain", chain, this.#counts.length);
    const at = heap.i32[(this.#settingsPtr + Springs.CHAINS) >>> 2]! + chain * SPRING_CHAIN_BYTES;
    requireParameters("DynamicBoneBatch.setChainParticleParameters", damping, elasticity, stiffness, radius, friction, gravityScale);
    writeParameters(at, this.#settings.forces.h, { damping, elasticity, stiffness, radius, friction, gravityScale });
  }

  /** World position of a particle after the last step. @throws AnimIndexError */
  getChainParticle(id: number, chain: number, particle: number, out: Float32Array | Float64Array | number[], offset = 0): void {
    this.#character("getChainParticle", id);
    requireIndex("DynamicBoneBatch.getChainParticle", "chain", chain, this.#counts.length);
    requireIndex("DynamicBoneBatch.getChainParticle", "particle", particle, this.#counts[chain]!);
    const at = (this.#group(id) + this.#particles[chain]! + particle * SPRING_PARTICLE_BYTES + Particle.X + (id % LANES) * 4) >>> 2, o = id * OBJECT;
    for (let k = 0; k < 3; k++) V[k] = heap.f32[at + 4 * k]!;
    for (let k = 0; k < 4; k++) Q[k] = this.#objects[o + 10 + k]!;
    rotateVector(Q, 0, V, 0, V, 0);
    for (let k = 0; k < 3; k++) out[offset + k] = V[k]! + this.#objects[o + 7 + k]!;
  }

  /**
   * Simulates all characters and turns the bones of the chains in their poses, whose worlds are valid afterwards.
   * @param dt - seconds; not finite: nothing happens; 0 or less: the present state is applied
   */
  update(dt: number): void {
    this.#check("update");
    if (typeof dt !== "number") throw new AnimArgumentError(`DynamicBoneBatch.update: dt is ${show(dt)}, expected a number of seconds.`, { found: dt });
    if (!Number.isFinite(dt) || this.#groupCount === 0) return;
    const { forces: { h }, maxSteps, exact, skeleton } = this.#settings;
    const span = this.#left[0]! + Math.max(0, dt), due = Math.floor(span / h + 1e-6), steps = Math.min(due, maxSteps);
    this.#left[0] = Math.max(0, span - due * h);
    const end = steps > 0 && exact ? Math.min(1, (due * h) / span) : 1, poses = this.#poses;
    for (let id = 0; id < poses.length; id++) this.#place(id, poses[id] ?? this.#nobody, skeleton);
    rig3d.kernels.updateSprings(this.#settingsPtr, this.#groups, 0, this.#groupCount, steps, end, this.#scratch);
    for (let id = 0; id < poses.length; id++) {
      const pose = poses[id];
      if (pose === undefined) continue;
      pose.adoptWorld(skeleton);
      this.#settle(id, steps > 0, end);
    }
  }

  /** Frees the blocks; the poses are the caller's. Safe to call twice. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#nobody.dispose();
    dropAll(this, this.#owned);
    retire(this, "DynamicBoneBatch");
  }

  /** Tells the kernel where a lane's pose is and how its object moved. */
  #place(id: number, pose: AnimPose, skeleton: AnimSkeleton): void {
    pose.reserveWorld();
    const lane = this.#lane(id, 0), { u32, i32 } = heap, flags = lane + SpringGroup.FLAGS * LANES;
    u32[lane + SpringGroup.LOCAL * LANES] = pose.localPtr;
    u32[lane + SpringGroup.WORLD * LANES] = pose.worldPtr;
    u32[lane + SpringGroup.ROTATIONS * LANES] = pose.rotationsBlockPtr;
    const start = i32[flags]! & SpringFlag.START;
    i32[flags] = start | (pose.hasWorldOf(skeleton) ? SpringFlag.WORLD : 0) | (this.#moveObject(id, start !== 0) ? SpringFlag.MOVED : 0);
  }

  /** Frame change of a lane, for an object that moved; returns whether it did. */
  #moveObject(id: number, start: boolean): boolean {
    const objects = this.#objects, o = id * OBJECT, f32 = heap.f32, lane = this.#lane(id, 0);
    let moved = start;
    for (let k = 0; k < 7; k++) if (objects[o + k] !== objects[o + 7 + k]) moved = true;
    let gone = start;
    for (let k = 0; k < 3; k++) if (objects[o + k] !== objects[o + 14 + k]) gone = true;
    if (!moved && !gone) {
      // The frame change of the last move must not be repeated for a neighbour's sake.
      for (let k = 0; k < 7; k++) f32[lane + (SpringGroup.TURN + k) * LANES] = k === 3 ? 1 : 0;
      for (let k = 0; k < 3; k++) f32[lane + (SpringGroup.MOVE + k) * LANES] = 0;
      return false;
    }
    if (start) for (let k = 0; k < 7; k++) objects[o + 7 + k] = objects[o + k]!;
    if (start) for (let k = 0; k < 3; k++) objects[o + 14 + k] = objects[o + k]!;
    // conj(now) old, and the old origin as seen from here.
    inverseMultiply(objects, o + 3, objects, o + 10, Q, 0);
    for (let k = 0; k < 4; k++) f32[lane + (SpringGroup.TURN + k) * LANES] = Q[k]!;
    for (let k = 0; k < 3; k++) Q[k] = -objects[o + 3 + k]!;
    Q[3] = objects[o + 6]!;
    for (let k = 0; k < 3; k++) V[k] = objects[o + 7 + k]! - objects[o + k]!;
    rotateVector(Q, 0, V, 0, V, 0);
    for (let k = 0; k < 3; k++) f32[lane + (SpringGroup.SHIFT + k) * LANES] = V[k]!;
    for (let k = 0; k < 3; k++) V[k] = objects[o + k]! - objects[o + 14 + k]!;
    rotateVector(Q, 0, V, 0, V, 0);
    for (let k = 0; k < 3; k++) f32[lane + (SpringGroup.MOVE + k) * LANES] = V[k]!;
    for (let k = 0; k < 4; k++) f32[lane + (SpringGroup.OBJECT + k) * LANES] = objects[o + 3 + k]!;
    for (let i = 0; i < this.#worldColliders.length; i++) this.#placeCollider(id, this.#worldColliders[i]!);
    for (let k = 0; k < 7; k++) objects[o + 7 + k] = objects[o + k]!;
    return true;
  }

  /** Ends of a collider of the world, as seen by a character; Q is the inverse of its object's rotation. */
  #placeCollider(id: number, index: number): void {
    const { ends, shape } = this.#settings.colliders[index]!, f32 = heap.f32, objects = this.#objects, o = id * OBJECT;
    const row = (this.#group(id) + SpringGroup.END * ROW_BYTES + index * SPRING_COLLIDER_ROW_BYTES + (id % LANES) * 4) >>> 2;
    // A plane is shown by its point nearest to the character: from far away, single precision would tilt it.
    if (shape === SpringShape.PLANE) {
      let away = 0;
      for (let k = 0; k < 3; k++) away += (objects[o + k]! - ends[k]!) * (ends[3 + k]! - ends[k]!);
      for (let k = 0; k < 3; k++) NEAR[k] = objects[o + k]! - (ends[3 + k]! - ends[k]!) * away - ends[k]!;
    } else NEAR[0] = NEAR[1] = NEAR[2] = 0;
    for (let end = 0; end < 6; end += 3) {
      for (let k = 0; k < 3; k++) V[k] = ends[end + k]! + NEAR[k]! - objects[o + k]!;
      rotateVector(Q, 0, V, 0, V, 0);
      for (let k = 0; k < 3; k++) f32[row + (end + k) * LANES] = V[k]!;
    }
  }

  /** After the kernel: the lane has started, and its object is followed to where the last step was. */
  #settle(id: number, stepped: boolean, end: number): void {
    heap.i32[this.#lane(id, SpringGroup.FLAGS)] = 0;
    if (!stepped) return;
    const objects = this.#objects, o = id * OBJECT;
    for (let k = 0; k < 3; k++) objects[o + 14 + k] = objects[o + 14 + k]! + (objects[o + k]! - objects[o + 14 + k]!) * end;
  }

  #newLane(): number {
    const id = this.#poses.length;
    if (id % LANES === 0) this.#newGroup();
    if (this.#objects.length < (id + 1) * OBJECT) {
      const grown = new Float64Array(2 * this.#objects.length);
      grown.set(this.#objects);
      this.#objects = grown;
    }
    this.#poses.push(undefined);
    return id;
  }

  #newGroup(): void {
    if (this.#groupCount === this.#groupCapacity) {
      const capacity = Math.max(16, 2 * this.#groupCapacity), list = takeBlock(this.#owned, capacity * 4);
      heap.u8.copyWithin(list, this.#groups, this.#groups + this.#groupCount * 4);
      dropBlock(this.#owned, this.#groups);
      this.#groups = list;
      this.#groupCapacity = capacity;
    }
    const group = takeBlock(this.#owned, this.#groupBytes);
    heap.u32[(this.#groups >>> 2) + this.#groupCount++] = group;
    const lane = group >>> 2, { f32, i32, u32 } = heap, pose = this.#nobody;
    for (let k = 0; k < LANES; k++) {
      u32[lane + SpringGroup.LOCAL * LANES + k] = pose.localPtr;
      u32[lane + SpringGroup.WORLD * LANES + k] = pose.worldPtr;
      u32[lane + SpringGroup.ROTATIONS * LANES + k] = pose.rotationsBlockPtr;
      i32[lane + SpringGroup.FLAGS * LANES + k] = SpringFlag.START;
      f32[lane + (SpringGroup.TURN + 3) * LANES + k] = 1;
      f32[lane + (SpringGroup.OBJECT + 3) * LANES + k] = 1;
    }
  }

  #writeSettings(longest: number): void {
    const { skeleton, chains, colliders, forces, teleport } = this.#settings;
    const chainsPtr = takeBlock(this.#owned, chains.length * SPRING_CHAIN_BYTES), collidersPtr = takeBlock(this.#owned, colliders.length * SPRING_COLLIDER_BYTES);
    let firstBone = skeleton.getBoneCount();
    chains.forEach((chain, c) => {
      firstBone = Math.min(firstBone, chain.bones[0]!);
      this.#writeChain(chain, chainsPtr + c * SPRING_CHAIN_BYTES);
    });
    colliders.forEach((collider, c) => this.#writeCollider(collider, c, collidersPtr + c * SPRING_COLLIDER_BYTES));
    const { i32, f32 } = heap, at = this.#settingsPtr;
    i32[(at + Springs.CHAINS) >>> 2] = chainsPtr;
    i32[(at + Springs.CHAIN_COUNT) >>> 2] = chains.length;
    i32[(at + Springs.COLLIDERS) >>> 2] = collidersPtr;
    i32[(at + Springs.COLLIDER_COUNT) >>> 2] = colliders.length;
    i32[(at + Springs.PARENTS) >>> 2] = skeleton.parentsPtr;
    i32[(at + Springs.BONE_COUNT) >>> 2] = skeleton.getBoneCount();
    i32[(at + Springs.FIRST_BONE) >>> 2] = firstBone;
    i32[(at + Springs.LONGEST) >>> 2] = longest;
    i32[(at + Springs.CARRY) >>> 2] = forces.positionResponse < 1 || forces.rotationResponse < 1 || forces.objectResponse < 1 ? 1 : 0;
    for (let k = 0; k < 3; k++) {
      f32[(at + Springs.GRAVITY + 4 * k) >>> 2] = forces.gravity[k]!;
      f32[(at + Springs.FORCE + 4 * k) >>> 2] = forces.force[k]!;
    }
    f32[(at + Springs.STEP_SQUARED) >>> 2] = forces.h * forces.h;
    f32[(at + Springs.POSITION_RESPONSE) >>> 2] = forces.positionResponse;
    f32[(at + Springs.ROTATION_RESPONSE) >>> 2] = forces.rotationResponse;
    f32[(at + Springs.OBJECT_RESPONSE) >>> 2] = forces.objectResponse;
    f32[(at + Springs.TELEPORT) >>> 2] = teleport;
  }

  #writeChain(chain: Chain, at: number): void {
    const { skeleton, forces: { h } } = this.#settings;
    const bones = takeBlock(this.#owned, chain.count * 4);
    for (let i = 0; i < chain.count; i++) heap.i32[(bones >>> 2) + i] = chain.bones[i] ?? FREE;
    let joints = 0;
    if (chain.model === "vrm") {
      joints = takeBlock(this.#owned, chain.count * SPRING_JOINT_BYTES);
      for (let i = 0; i < chain.count - 1; i++) {
        const one = chain.joint(i), j = (joints + i * SPRING_JOINT_BYTES) >>> 2, f32 = heap.f32;
        f32[j + (SpringJoint.PULL >>> 2)] = one.stiffness * h;
        f32[j + (SpringJoint.KEEP >>> 2)] = 1 - one.dragForce;
        for (let k = 0; k < 3; k++) f32[j + (SpringJoint.GRAVITY >>> 2) + k] = one.gravityDir[k]! * one.gravityPower * h;
        f32[j + (SpringJoint.RADIUS >>> 2)] = one.hitRadius;
      }
    }
    const { i32, f32 } = heap;
    i32[(at + SpringChain.COUNT) >>> 2] = chain.count;
    i32[(at + SpringChain.BONES) >>> 2] = bones;
    i32[(at + SpringChain.PARENT) >>> 2] = skeleton.getParent(chain.bones[0]!);
    i32[(at + SpringChain.FREEZE) >>> 2] = AXES.indexOf(chain.freezeAxis);
    i32[(at + SpringChain.JOINTS) >>> 2] = joints;
    writeParameters(at, h, chain);
    for (let k = 0; k < 3; k++) f32[(at + SpringChain.END + 4 * k) >>> 2] = chain.end?.[k] ?? 0;
  }

  #writeCollider(collider: Collider, index: number, at: number): void {
    const { i32, f32 } = heap, { ends } = collider;
    if (collider.bone < 0) this.#worldColliders.push(index);
    i32[(at + SpringCollider.BONE) >>> 2] = collider.bone;
    i32[(at + SpringCollider.SHAPE) >>> 2] = collider.shape;
    i32[(at + SpringCollider.INSIDE) >>> 2] = collider.inside ? 1 : 0;
    i32[(at + SpringCollider.ENABLED) >>> 2] = collider.enabled ? 1 : 0;
    f32[(at + SpringCollider.RADIUS) >>> 2] = collider.radius;
    for (let k = 0; k < 6; k++) f32[(at + SpringCollider.ENDS + 4 * k) >>> 2] = ends[k]!;
  }

  #setVector(field: Springs, x: number, y: number, z: number): void {
    const at = (this.#settingsPtr + field) >>> 2, f32 = heap.f32;
    f32[at] = x;
    f32[at + 1] = y;
    f32[at + 2] = z;
  }

  #group(id: number): number {
    return heap.u32[(this.#groups >>> 2) + Math.floor(id / LANES)]!;
  }

  /** Index into a four-byte view of a lane's number in a row of the header. */
  #lane(id: number, row: number): number {
    return (this.#group(id) >>> 2) + row * LANES + (id % LANES);
  }

  #character(method: string, id: number): void {
    this.#check(method);
    if (Number.isInteger(id) && this.#poses[id] !== undefined) return;
    throw new AnimIndexError(`DynamicBoneBatch.${method}: there is no character with the id ${show(id)}. Ids come from add and end with remove.`, { found: id });
  }

  #check(method: string): void {
    if (this.#disposed) throw disposed(`DynamicBoneBatch.${method}`, "DynamicBoneBatch");
  }
}

type Parameters = Pick<Chain, "damping" | "elasticity" | "stiffness" | "radius" | "friction" | "gravityScale">;

/** Parameters of a chain as a step of `h` seconds uses them. */
function writeParameters(at: number, h: number, { damping, elasticity, stiffness, radius, friction, gravityScale }: Parameters): void {
  const f32 = heap.f32, power = 60 * h;
  f32[(at + SpringChain.KEEP) >>> 2] = (1 - Math.min(1, damping)) ** power;
  f32[(at + SpringChain.KEEP_TOUCHED) >>> 2] = (1 - Math.min(1, damping + friction)) ** power;
  f32[(at + SpringChain.SLACK) >>> 2] = (1 - elasticity) ** power;
  f32[(at + SpringChain.LIMIT) >>> 2] = stiffness > 0 ? 2 * (1 - stiffness) : Infinity;
  f32[(at + SpringChain.RADIUS) >>> 2] = radius;
  f32[(at + SpringChain.GRAVITY_SCALE) >>> 2] = gravityScale;
}
