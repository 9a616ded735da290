import { AnimArgumentError, AnimIndexError, AnimMismatchError } from "../errors.js";
import { SpringShape } from "../../../assembly/layout/springs.js";
import { LONGEST_STEP, requireFinite, requireFinite3, requireIndex, requireLength, requireName, requireObject, requirePositive, requireRotation, requireShare, show } from "../rig/checks.js";
import type { AnimPose } from "../rig/pose.js";
import { retire } from "../rig/retire.js";
import { unknownBone } from "../rig/unknown-bone.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { Chain, type ChainModel, type FreezeAxis, requireParameters, type VrmJoint } from "./chain.js";
import { DynamicBoneBatch } from "./batch.js";
import { Collider } from "./colliders.js";
import { finishWriting, type ObjectTransform, readChain, readCollider, writeChain } from "./pose-io.js";
import { constrain, integrate, moveAnchor, separate, type StepForces, swing } from "./step.js";

/** When sub-steps see the anchor: "even" spreads them over the update, "exact" at their own times. */
export type SubstepTiming = "even" | "exact";

/** Seconds in which a chain fades in and out of sleep. */
const FADE = 0.2;
const AXES: readonly FreezeAxis[] = ["none", "x", "y", "z"];

/**
 * Chains of bones that hang, swing and collide: hair, tails, skirts, pendants. Call `update` after sampling and foot IK,
 * before skinning; it turns the bones of the chains and leaves positions and scales alone.
 *
 * Particles move in fixed sub-steps (1/60 s, four per update at most), so that the result does not depend on the frame
 * rate. Gravity and forces are accelerations in world space, in the rig's unit of length.
 */
export class DynamicBoneSolver {
  #skeleton: AnimSkeleton;
  #hash: number;
  #chains: Chain[] = [];
  #ordered: Chain[] = [];
  #levels: Chain[][] = [];
  /** Chains that collide with each other in this update. */
  readonly #apart: Chain[] = [];
  #colliders: Collider[] = [];
  #colliderIds = 0;
  readonly #forces: StepForces = {
    h: 1 / 60, gravity: Float64Array.of(0, -9.81, 0), force: new Float64Array(3),
    positionResponse: 1, rotationResponse: 1, objectResponse: 1, objectMove: new Float64Array(3),
  };
  #maxSteps = 4;
  #exact = false;
  #weight = 1;
  #teleport = 0;
  #distanceLimit = 0;
  readonly #reference = new Float64Array(3);
  readonly #object: ObjectTransform = { position: new Float64Array(3), rotation: Float64Array.of(0, 0, 0, 1) };
  readonly #fromObject = new Float64Array(3);
  #started = false;
  /** Seconds that are left for the next step, and those of this update; in an array, so that passing them on boxes nothing. */
  readonly #left = new Float64Array(2);

  /** @throws AnimArgumentError */
  constructor(skeleton: AnimSkeleton) {
    requireObject("DynamicBoneSolver", "skeleton", skeleton, "AnimSkeleton");
    skeleton.freeze("DynamicBoneSolver");
    this.#skeleton = skeleton;
    this.#hash = skeleton.getHash();
  }

  /** Another skeleton: chains and colliders of bones are kept if names and hierarchy are the same, dropped if not. The simulation starts anew. */
  setSkeleton(skeleton: AnimSkeleton): void {
    requireObject("DynamicBoneSolver.setSkeleton", "skeleton", skeleton, "AnimSkeleton");
    skeleton.freeze("DynamicBoneSolver.setSkeleton");
    const hash = skeleton.getHash();
    this.#skeleton = skeleton;
    if (hash !== this.#hash) {
      this.clearChains();
      this.#colliders = this.#colliders.filter((collider) => collider.bone < 0);
    }
    this.#hash = hash;
    this.reset();
  }

  /** The skeleton in use. */
  getSkeleton(): AnimSkeleton {
    return this.#skeleton;
  }

  // ---- chains -----------------------------------------------------------------------------------------------------

  /**
   * Adds the bones on the path from `rootBone` down to `tipBone`. The root's particle is pinned to the animation.
   * @param tipBone - at or below the root; -1: the end of the deepest path, the lower index of equals
   * @returns the chain's handle, valid until `clearChains`
   * @throws AnimIndexError, AnimArgumentError if the tip is not below the root or a bone belongs to another chain
   */
  addChain(rootBone: number, tipBone = -1): number {
    const method = "DynamicBoneSolver.addChain", skeleton = this.#skeleton, count = skeleton.getBoneCount();
    requireIndex(method, "rootBone", rootBone, count);
    if (tipBone !== -1) requireIndex(method, "tipBone", tipBone, count);
    const tip = tipBone === -1 ? deepest(skeleton, rootBone) : tipBone;
    if (tip !== rootBone && !skeleton.isAncestor(rootBone, tip)) {
      throw new AnimArgumentError(`${method}: bone ${tip} is not below bone ${rootBone}. Give the root of the chain first, then its tip.`, { found: tip });
    }
    const bones: number[] = [];
    for (let bone = tip; bone !== rootBone; bone = skeleton.getParent(bone)) bones.unshift(bone);
    bones.unshift(rootBone);
    for (const other of this.#chains) {
      const shared = bones.find((bone) => other.bones.includes(bone));
      if (shared !== undefined) throw new AnimArgumentError(`${method}: bone ${shared} belongs to another chain. A bone can be in one chain only.`, { found: shared });
    }
    this.#chains.push(new Chain(Int32Array.from(bones), 0));
    this.#order();
    return this.#chains.length - 1;
  }

  /** As `addChain`, by names; an empty tip means the deepest path. @throws AnimNameError for unknown names */
  addChainByName(rootName: string, tipName = ""): number {
    const root = this.#named("addChainByName", "rootName", rootName);
    return this.addChain(root, tipName === "" ? -1 : this.#named("addChainByName", "tipName", tipName));
  }

  clearChains(): void {
    this.#chains = [];
    this.#order();
  }

  getChainCount(): number { return this.#chains.length; }

  /** A disabled chain leaves the pose alone; enabled again, it starts on the animation. */
  setChainEnabled(chain: number, enabled: boolean): void {
    const one = this.#chain("setChainEnabled", chain);
    if (one.enabled !== enabled) one.started = false;
    one.enabled = enabled === true;
  }

  isChainEnabled(chain: number): boolean { return this.#chain("isChainEnabled", chain).enabled; }

  /** Whether the chain is beyond the distance limit. */
  isChainSleeping(chain: number): boolean { return this.#chain("isChainSleeping", chain).asleep; }

  /**
   * @param damping - 0..1, velocity lost per 1/60 s; default 0.1
   * @param elasticity - 0..1, pull to the rest direction per 1/60 s; default 0.05
   * @param stiffness - 0..1, shrinks the deviation that is allowed; default 0.1
   * @param radius - of the particles, 0 or more; default 0.02
   * @param friction - 0..1, extra damping in the step after a contact
   * @param gravityScale - factor of gravity
   */
  setChainParticleParameters(chain: number, damping: number, elasticity: number, stiffness: number, radius: number, friction = 0, gravityScale = 1): void {
    const method = "DynamicBoneSolver.setChainParticleParameters", one = this.#chain("setChainParticleParameters", chain);
    requireParameters(method, damping, elasticity, stiffness, radius, friction, gravityScale);
    Object.assign(one, { damping, elasticity, stiffness, radius, friction, gravityScale });
  }

  /**
   * The law that a chain swings by. "rod" (the default) reads `setChainParticleParameters`, freeze axis, responses and gravity;
   * "vrm" is the joint algorithm of VRM 1.0 and reads `setChainVrmParameters` alone. It takes a step of the same length at every
   * frame rate; leave the sub-step at 1/60 s for the behaviour that models were made for.
   */
  setChainModel(chain: number, model: ChainModel): void {
    const one = this.#chain("setChainModel", chain);
    if (model !== "rod" && model !== "vrm") throw new AnimArgumentError(`DynamicBoneSolver.setChainModel: model is ${show(model)}, expected "rod" or "vrm".`, { found: model });
    one.model = model;
  }

  /**
   * Settings of one joint of a chain in VRM mode.
   * @param joint - 0..bones - 1, the head; -1: all of them
   * @throws AnimIndexError, AnimArgumentError for numbers out of range
   */
  setChainVrmParameters(chain: number, joint: number, parameters: VrmJoint): void {
    const method = "DynamicBoneSolver.setChainVrmParameters", one = this.#chain("setChainVrmParameters", chain);
    if (joint !== -1) requireIndex(method, "joint", joint, one.bones.length);
    requireObject(method, "parameters", parameters, "object such as { stiffness: 1 }");
    const given = { ...one.joint(0), ...parameters }, [x, y, z] = given.gravityDir;
    requireLength(method, "stiffness", given.stiffness);
    requireFinite(method, "gravityPower", given.gravityPower);
    requireFinite3(method, "gravityDir", x, y, z);
    requireShare(method, "dragForce", given.dragForce);
    requireLength(method, "hitRadius", given.hitRadius);
    for (let i = 0; i < one.bones.length; i++) {
      if (joint === -1 || joint === i) one.joints[i] = { ...one.joint(i), ...parameters, gravityDir: [...(parameters.gravityDir ?? one.joint(i).gravityDir)] };
    }
  }

  /**
   * The centre of a chain in VRM mode: a bone whose motion the chain does not feel, so that hair does not fly when the hips dance or a
   * vehicle drives off. Inertia is measured relative to it; stiffness and gravity stay in the world.
   * @param bone - not of the chain and not below its root; -1 (the default): the world
   * @throws AnimIndexError, AnimArgumentError
   */
  setChainCenter(chain: number, bone: number): void {
    const method = "DynamicBoneSolver.setChainCenter", one = this.#chain("setChainCenter", chain), root = one.bones[0]!;
    if (bone !== -1) requireIndex(method, "bone", bone, this.#skeleton.getBoneCount());
    if (bone === root || (bone !== -1 && this.#skeleton.isAncestor(root, bone))) {
      throw new AnimArgumentError(`${method}: bone ${bone} is or hangs on the root of the chain, so it would move with it. Give one above, such as the hips.`, { found: bone });
    }
    if (one.center !== bone) one.started = false;
    one.center = bone;
  }

  /** The centre of a chain, -1 for the world. */
  getChainCenter(chain: number): number { return this.#chain("getChainCenter", chain).center; }

  /** Keeps particles from leaving their rest position along an axis of the bone above them. */
  setChainFreezeAxis(chain: number, axis: FreezeAxis): void {
    const one = this.#chain("setChainFreezeAxis", chain);
    if (!AXES.includes(axis)) throw new AnimArgumentError(`DynamicBoneSolver.setChainFreezeAxis: axis is ${show(axis)}, expected "none", "x", "y" or "z".`, { found: axis });
    one.freezeAxis = axis;
  }

  /** Adds a particle behind the last bone, in the direction in which that lies from its parent, so that it turns too. */
  setChainEndLength(chain: number, length: number): void {
    const one = this.#chain("setChainEndLength", chain);
    requirePositive("DynamicBoneSolver.setChainEndLength", "length", length);
    const s = this.#skeleton, last = one.bones[one.bones.length - 1]!;
    const x = s.getBindPositionX(last), y = s.getBindPositionY(last), z = s.getBindPositionZ(last), distance = Math.sqrt(x * x + y * y + z * z);
    if (s.getParent(last) < 0 || distance < 1e-8) {
      this.#setEnd(one, 0, length, 0);
      return;
    }
    // The direction in the frame of the last bone: conj(q) t / |t|.
    const a = -s.getBindRotationX(last), b = -s.getBindRotationY(last), c = -s.getBindRotationZ(last), w = s.getBindRotationW(last), k = length / distance;
    const cx = b * z - c * y + w * x, cy = c * x - a * z + w * y, cz = a * y - b * x + w * z;
    this.#setEnd(one, (x + 2 * (b * cz - c * cy)) * k, (y + 2 * (c * cx - a * cz)) * k, (z + 2 * (a * cy - b * cx)) * k);
  }

  /** Adds a particle at a place in the space of the last bone. */
  setChainEndOffset(chain: number, x: number, y: number, z: number): void {
    const one = this.#chain("setChainEndOffset", chain);
    requireFinite3("DynamicBoneSolver.setChainEndOffset", "the offset", x, y, z);
    if (x * x + y * y + z * z === 0) throw new AnimArgumentError("DynamicBoneSolver.setChainEndOffset: the offset is zero, expected a place away from the bone. Use clearChainEnd for none.");
    this.#setEnd(one, x, y, z);
  }

  clearChainEnd(chain: number): void {
    const one = this.#chain("clearChainEnd", chain);
    one.end = undefined;
    one.fit();
  }

  /** Particles of chains with this on keep each other at the sum of their radii. */
  setChainSelfCollision(chain: number, enabled: boolean): void {
    this.#chain("setChainSelfCollision", chain).selfCollision = enabled === true;
  }

  /** The last bone of a chain. @throws AnimIndexError */
  getChainTip(chain: number): number {
    const { bones } = this.#chain("getChainTip", chain);
    return bones[bones.length - 1]!;
  }

  /** Particles of a chain: one a bone, and the end. */
  getChainParticleCount(chain: number): number { return this.#chain("getChainParticleCount", chain).count; }

  /** Writes the world position of a particle, as it is shown. For debug drawing and queries. @throws AnimIndexError */
  getChainParticle(chain: number, particle: number, out: Float32Array | Float64Array | number[], offset = 0): void {
    const one = this.#chain("getChainParticle", chain);
    requireIndex("DynamicBoneSolver.getChainParticle", "particle", particle, one.count);
    // Between steps the chain hangs on the anchor of now.
    for (let k = 0; k < 3; k++) out[offset + k] = one.x[particle * 3 + k]! + one.A[k]! - one.x[k]!;
  }

  // ---- world ------------------------------------------------------------------------------------------------------

  /** Acceleration of all particles, times their gravity scale. Default (0, -9.81, 0); a rig in centimetres needs -981. */
  setGlobalGravity(x: number, y: number, z: number): void {
    requireFinite3("DynamicBoneSolver.setGlobalGravity", "the gravity", x, y, z);
    setVector(this.#forces.gravity, x, y, z);
  }

  getGlobalGravityX(): number { return this.#forces.gravity[0]!; }
  getGlobalGravityY(): number { return this.#forces.gravity[1]!; }
  getGlobalGravityZ(): number { return this.#forces.gravity[2]!; }

  /** Acceleration by wind or the like, until it is set again. */
  setExternalForce(x: number, y: number, z: number): void {
    requireFinite3("DynamicBoneSolver.setExternalForce", "the force", x, y, z);
    setVector(this.#forces.force, x, y, z);
  }

  /** Blends from the animation (0) to the simulation (1, the default); clamped. */
  setWeight(weight: number): void { this.#weight = share("setWeight", weight); }
  getWeight(): number { return this.#weight; }
  /** How much of the animated motion of an anchor its particles feel as inertia: 1 (the default) all, 0 none; clamped. */
  setPositionResponse(r: number): void { this.#forces.positionResponse = share("setPositionResponse", r); }
  /** The same for turns of the anchor. */
  setRotationResponse(r: number): void { this.#forces.rotationResponse = share("setRotationResponse", r); }
  /** The same for the motion of the object transform. */
  setObjectMoveResponse(r: number): void { this.#forces.objectResponse = share("setObjectMoveResponse", r); }
  getObjectMoveResponse(): number { return this.#forces.objectResponse; }

  /** An anchor that moves further in one update takes its chain along, shape and motion. 0 (the default): 8 chain lengths. */
  setTeleportThreshold(distance: number): void {
    requireLength("DynamicBoneSolver.setTeleportThreshold", "distance", distance);
    this.#teleport = distance;
  }

  getTeleportThreshold(): number { return this.#teleport; }

  /** World position that distances for sleep are measured from, usually the camera. */
  setDistanceReference(x: number, y: number, z: number): void {
    requireFinite3("DynamicBoneSolver.setDistanceReference", "the reference", x, y, z);
    setVector(this.#reference, x, y, z);
  }

  /** Chains further away fall asleep, and wake at 0.9 of the distance. 0 (the default): never. */
  setDistanceLimit(distance: number): void {
    requireLength("DynamicBoneSolver.setDistanceLimit", "distance", distance);
    this.#distanceLimit = distance;
  }

  /** From the model to the world. Default: the identity. */
  setObjectTransform(px: number, py: number, pz: number, qx: number, qy: number, qz: number, qw: number): void {
    requireFinite3("DynamicBoneSolver.setObjectTransform", "the position", px, py, pz);
    const length = requireRotation("DynamicBoneSolver.setObjectTransform", qx, qy, qz, qw);
    const { position, rotation } = this.#object;
    position[0] = px;
    position[1] = py;
    position[2] = pz;
    rotation[0] = qx / length;
    rotation[1] = qy / length;
    rotation[2] = qz / length;
    rotation[3] = qw / length;
  }

  /** @param seconds - above 0; @param maxSteps - 1 or more; what is beyond them in one update is dropped */
  setSubstep(seconds: number, maxSteps = 4): void {
    if (!(typeof seconds === "number" && seconds > 0 && seconds < Infinity && Number.isInteger(maxSteps) && maxSteps >= 1)) {
      throw new AnimArgumentError(`DynamicBoneSolver.setSubstep: ${show(seconds)} s and ${show(maxSteps)} steps, expected a time above 0 and an integer of 1 or more.`);
    }
    this.#forces.h = seconds;
    this.#maxSteps = maxSteps;
  }

  /** "even" is the default; "exact" makes motion of anchors smoother at frame rates that do not fit the sub-step. */
  setSubstepTiming(timing: SubstepTiming): void {
    if (timing !== "even" && timing !== "exact") throw new AnimArgumentError(`DynamicBoneSolver.setSubstepTiming: timing is ${show(timing)}, expected "even" or "exact".`, { found: timing });
    this.#exact = timing === "exact";
  }

  /** The next update starts on the animation, at rest. */
  reset(): void {
    for (const chain of this.#chains) chain.started = false;
    this.#started = false;
    this.#left[0] = 0;
  }

  // ---- colliders --------------------------------------------------------------------------------------------------

  /** A sphere in the world. @returns its id, never used again */
  addColliderSphere(x: number, y: number, z: number, radius: number): number {
    return this.#addCollider("addColliderSphere", -1, x, y, z, x, y, z, radius);
  }

  /** A capsule between two points in the world. @returns its id */
  addColliderCapsule(x0: number, y0: number, z0: number, x1: number, y1: number, z1: number, radius: number): number {
    return this.#addCollider("addColliderCapsule", -1, x0, y0, z0, x1, y1, z1, radius);
  }

  /** A sphere in the space of a bone. @returns its id */
  addBoneColliderSphere(bone: number, ox: number, oy: number, oz: number, radius: number): number {
    requireIndex("DynamicBoneSolver.addBoneColliderSphere", "bone", bone, this.#skeleton.getBoneCount());
    return this.#addCollider("addBoneColliderSphere", bone, ox, oy, oz, ox, oy, oz, radius);
  }

  /** A capsule in the space of a bone. @returns its id */
  addBoneColliderCapsule(bone: number, ax: number, ay: number, az: number, bx: number, by: number, bz: number, radius: number): number {
    requireIndex("DynamicBoneSolver.addBoneColliderCapsule", "bone", bone, this.#skeleton.getBoneCount());
    return this.#addCollider("addBoneColliderCapsule", bone, ax, ay, az, bx, by, bz, radius);
  }

  /**
   * A plane in the world: particles stay on the side that the normal points to (`setColliderInside` turns it round).
   * @param normalX - the normal, of any length but 0
   * @returns its id
   */
  addColliderPlane(x: number, y: number, z: number, normalX: number, normalY: number, normalZ: number): number {
    return this.#addPlane("addColliderPlane", -1, x, y, z, normalX, normalY, normalZ);
  }

  /** A plane in the space of a bone. @returns its id */
  addBoneColliderPlane(bone: number, x: number, y: number, z: number, normalX: number, normalY: number, normalZ: number): number {
    requireIndex("DynamicBoneSolver.addBoneColliderPlane", "bone", bone, this.#skeleton.getBoneCount());
    return this.#addPlane("addBoneColliderPlane", bone, x, y, z, normalX, normalY, normalZ);
  }

  removeCollider(id: number): void {
    this.#colliders.splice(this.#colliders.indexOf(this.#collider("removeCollider", id)), 1);
  }

  clearColliders(): void { this.#colliders = []; }
  getColliderCount(): number { return this.#colliders.length; }
  setColliderEnabled(id: number, enabled: boolean): void { this.#collider("setColliderEnabled", id).enabled = enabled === true; }

  setColliderRadius(id: number, radius: number): void {
    const collider = this.#collider("setColliderRadius", id);
    requireLength("DynamicBoneSolver.setColliderRadius", "radius", radius);
    collider.radius = radius;
  }

  /** Whether particles are kept inside the shape instead of outside. */
  setColliderInside(id: number, inside: boolean): void { this.#collider("setColliderInside", id).inside = inside === true; }

  /**
   * Many characters of the same rig, each with these chains and colliders, simulated in kernels four at a time. Takes the
   * settings of now; later changes here do not reach it.
   * @throws AnimStateError for chains that hang on other chains, collide with themselves or have a centre, which only the solver does
   */
  createBatch(): DynamicBoneBatch {
    return new DynamicBoneBatch({
      skeleton: this.#skeleton, chains: this.#ordered, nested: this.#levels.length > 1, colliders: this.#colliders, forces: this.#forces,
      maxSteps: this.#maxSteps, exact: this.#exact, teleport: this.#teleport, weight: this.#weight,
    });
  }

  // ---- update -----------------------------------------------------------------------------------------------------

  /**
   * Simulates and turns the bones of the chains in `pose`, whose world is valid afterwards.
   * @param dt - seconds; not finite: nothing happens; 0 or less: the present state is applied
   * @throws AnimMismatchError if the pose does not have the bones of the skeleton
   */
  update(pose: AnimPose, dt: number): void {
    requireObject("DynamicBoneSolver.update", "pose", pose, "AnimPose");
    if (pose.getBoneCount() !== this.#skeleton.getBoneCount()) {
      throw new AnimMismatchError(`DynamicBoneSolver.update: the pose has ${pose.getBoneCount()} bones, expected ${this.#skeleton.getBoneCount()}. Give a pose of the solver's skeleton.`);
    }
    if (!Number.isFinite(dt)) return;
    const time = Math.min(LONGEST_STEP, Math.max(0, dt)), { h } = this.#forces, span = this.#left[0]! + time;
    const due = Math.floor(span / h + 1e-6), steps = Math.min(due, this.#maxSteps);
    this.#left[1] = time;
    this.#left[0] = Math.max(0, span - due * h);
    pose.computeWorld(this.#skeleton);
    if (!this.#started) this.#fromObject.set(this.#object.position);
    this.#started = true;
    for (const collider of this.#colliders) readCollider(collider, pose, this.#object);
    for (const level of this.#levels) {
      this.#simulate(level, pose, steps, steps > 0 && this.#exact ? Math.min(1, (due * h) / span) : 1);
      for (const chain of level) if (isShown(chain)) writeChain(chain, pose, this.#skeleton, this.#object, this.#weight * chain.presence);
      finishWriting(pose);
      pose.computeWorld(this.#skeleton);
    }
    if (steps === 0) return;
    const end = this.#exact ? Math.min(1, (due * h) / span) : 1;
    for (const collider of this.#colliders) for (let k = 0; k < 6; k++) collider.from[k] = collider.from[k]! + (collider.now[k]! - collider.from[k]!) * end;
    for (let k = 0; k < 3; k++) this.#fromObject[k] = this.#fromObject[k]! + (this.#object.position[k]! - this.#fromObject[k]!) * end;
  }

  /** Ends the use: every later call throws. It holds no memory of its own. Safe to call twice. */
  dispose(): void {
    retire(this, "DynamicBoneSolver");
  }

  /** @param end - how far the anchors are at the last step, as a share of the way since the last one */
  #simulate(chains: readonly Chain[], pose: AnimPose, steps: number, end: number): void {
    const forces = this.#forces;
    const apart = this.#apart;
    apart.length = 0;
    for (const chain of chains) {
      if (!chain.enabled) continue;
      readChain(chain, pose, this.#object);
      this.#sleepOrWake(chain);
      if (chain.asleep && chain.presence === 0) continue;
      if (!chain.started) chain.start();
      this.#followTeleport(chain);
      if (chain.selfCollision && chain.model === "rod") apart.push(chain);
    }
    for (let s = 1; s <= steps; s++) {
      const fraction = (s / steps) * end;
      for (let k = 0; k < 3; k++) forces.objectMove[k] = ((this.#object.position[k]! - this.#fromObject[k]!) * end) / steps;
      for (const collider of this.#colliders) collider.interpolate(fraction);
      for (const chain of chains) {
        if (!isActive(chain)) continue;
        if (chain.model === "vrm") {
          swing(chain, fraction, this.#colliders, forces.h);
          continue;
        }
        moveAnchor(chain, fraction, forces);
        integrate(chain, forces);
        constrain(chain, this.#colliders, forces);
      }
      if (apart.length > 0) separate(apart);
    }
    if (steps === 0) return;
    for (const chain of chains) {
      if (!isActive(chain)) continue;
      chain.fromA.set(chain.atA);
      chain.fromR.set(chain.atR);
      chain.fromC.set(chain.atC);
    }
  }

  #sleepOrWake(chain: Chain): void {
    const dt = this.#left[1]!, limit = this.#distanceLimit, { A } = chain, r = this.#reference;
    const distance = Math.sqrt((A[0]! - r[0]!) ** 2 + (A[1]! - r[1]!) ** 2 + (A[2]! - r[2]!) ** 2);
    const asleep = limit > 0 && (chain.asleep ? distance >= 0.9 * limit : distance > limit);
    if (!asleep && chain.asleep && chain.presence === 0) chain.started = false;
    chain.asleep = asleep;
    chain.presence = Math.min(1, Math.max(0, chain.presence + (asleep ? -dt : dt) / FADE));
  }

  #followTeleport(chain: Chain): void {
    const { A, lastAnchor } = chain;
    const moved = Math.sqrt((A[0]! - lastAnchor[0]!) ** 2 + (A[1]! - lastAnchor[1]!) ** 2 + (A[2]! - lastAnchor[2]!) ** 2);
    for (let k = 0; k < 3; k++) lastAnchor[k] = A[k]!;
    // Most updates move the anchor by less than any chain is long.
    if (moved === 0 && this.#teleport === 0) {
      chain.teleported = false;
      return;
    }
    chain.measure();
    const threshold = this.#teleport > 0 ? this.#teleport : 8 * chain.length[0]!;
    chain.teleported = threshold > 0 && moved > threshold;
    if (chain.teleported) chain.carryAlong();
  }

  #setEnd(chain: Chain, x: number, y: number, z: number): void {
    chain.end = [x, y, z];
    chain.fit();
  }

  /** Chains in the order of the hierarchy, and by how many others they hang on. */
  #order(): void {
    this.#ordered = this.#chains.toSorted((a, b) => a.bones[0]! - b.bones[0]!);
    this.#levels = [];
    for (const chain of this.#ordered) {
      chain.level = 0;
      for (const other of this.#ordered) {
        if (other !== chain && other.bones.some((bone) => this.#skeleton.isAncestor(bone, chain.bones[0]!))) chain.level = Math.max(chain.level, other.level + 1);
      }
      (this.#levels[chain.level] ??= []).push(chain);
    }
  }

  #addPlane(method: string, bone: number, x: number, y: number, z: number, nx: number, ny: number, nz: number): number {
    requireFinite3(`DynamicBoneSolver.${method}`, "the position", x, y, z);
    requireFinite3(`DynamicBoneSolver.${method}`, "the normal", nx, ny, nz);
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (length < 1e-8) throw new AnimArgumentError(`DynamicBoneSolver.${method}: the normal is (${nx}, ${ny}, ${nz}), expected a direction.`);
    const ends = Float64Array.of(x, y, z, x + nx / length, y + ny / length, z + nz / length);
    this.#colliders.push(new Collider(this.#colliderIds, SpringShape.PLANE, bone, ends, 0));
    return this.#colliderIds++;
  }

  #addCollider(method: string, bone: number, ax: number, ay: number, az: number, bx: number, by: number, bz: number, radius: number): number {
    requireFinite3(`DynamicBoneSolver.${method}`, "the position", ax, ay, az);
    requireFinite3(`DynamicBoneSolver.${method}`, "the position", bx, by, bz);
    requireLength(`DynamicBoneSolver.${method}`, "radius", radius);
    const shape = ax === bx && ay === by && az === bz ? SpringShape.SPHERE : SpringShape.CAPSULE;
    this.#colliders.push(new Collider(this.#colliderIds, shape, bone, Float64Array.of(ax, ay, az, bx, by, bz), radius));
    return this.#colliderIds++;
  }

  #chain(method: string, chain: number): Chain {
    requireIndex(`DynamicBoneSolver.${method}`, "chain", chain, this.#chains.length);
    return this.#chains[chain]!;
  }

  #collider(method: string, id: number): Collider {
    const found = this.#colliders.find((collider) => collider.id === id);
    if (found === undefined) throw new AnimIndexError(`DynamicBoneSolver.${method}: there is no collider with the id ${show(id)}. Ids come from the add methods and end with removeCollider.`, { found: id });
    return found;
  }

  #named(method: string, what: string, name: string): number {
    requireName(`DynamicBoneSolver.${method}`, what, name);
    const bone = this.#skeleton.findBone(name);
    if (bone < 0) throw unknownBone(`DynamicBoneSolver.${method}`, what, name, this.#skeleton);
    return bone;
  }
}

function isActive(chain: Chain): boolean {
  return chain.enabled && chain.started && (!chain.asleep || chain.presence > 0);
}

function isShown(chain: Chain): boolean {
  return isActive(chain) && chain.presence > 0;
}

/** The end of the longest path below a bone; of equal ones the lower index. */
function deepest(skeleton: AnimSkeleton, root: number): number {
  let best = root, bestDepth = skeleton.getDepth(root);
  for (let bone = root + 1; bone < skeleton.getBoneCount(); bone++) {
    if (!skeleton.isAncestor(root, bone)) continue;
    const depth = skeleton.getDepth(bone);
    if (depth <= bestDepth) continue;
    best = bone;
    bestDepth = depth;
  }
  return best;
}

function setVector(out: Float64Array, x: number, y: number, z: number): void {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

function share(method: string, value: number): number {
  requireFinite(`DynamicBoneSolver.${method}`, "the value", value);
  return Math.min(1, Math.max(0, value));
}
