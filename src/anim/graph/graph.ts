import { AnimArgumentError } from "../errors.js";
import { disposed, requireFinite, requireIndex, requireObject, requireTime, show } from "../rig/checks.js";
import type { AnimClip } from "../rig/clip.js";
import { ClipVoice } from "../rig/clip-voice.js";
import { EventReader } from "../rig/event-reader.js";
import { AnimPose } from "../rig/pose.js";
import { setIdentity } from "../rig/rigid.js";
import { DEFAULT_ROOT_MOTION, type RootMotionMode } from "../rig/root-motion.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { AnimBoneMask } from "./bone-mask.js";
import { GraphEvaluator } from "./evaluator.js";
import { ClipNode, GraphNode, type NodeKind, OneShotNode, SpaceNode } from "./node.js";

/** Positions of blend space points reach this far from 0. */
const FARTHEST = 1e100;

/**
 * Blends clips through a graph of nodes into one pose.
 *
 * Nodes are whole numbers, given out from 0 and never used again. Inputs exist before what they feed; a node may feed
 * several others and is evaluated once an update. The root is the node added last until `setRoot`. The pose
 * (`getPose()`) starts as the bind pose, and its world is stale after every update. Updates allocate no linear memory
 * and no objects, except the first after nodes were added.
 */
export class AnimGraph extends EventReader {
  readonly #skeleton: AnimSkeleton;
  readonly #pose = new AnimPose();
  readonly #nodes: GraphNode[] = [];
  readonly #evaluator: GraphEvaluator;
  readonly #noMotion = new Float64Array(7);
  #root = -1;
  #rootChosen = false;
  #edited = true;
  #moved = false;
  #rootMode: RootMotionMode = { ...DEFAULT_ROOT_MOTION };
  #disposed = false;

  constructor(skeleton: AnimSkeleton) {
    super();
    requireObject("AnimGraph", "skeleton", skeleton, "AnimSkeleton");
    skeleton.freeze("AnimGraph");
    this.#skeleton = skeleton;
    skeleton.applyBindPose(this.#pose);
    this.#evaluator = new GraphEvaluator(skeleton, this.#pose);
    setIdentity(this.#noMotion, 0);
  }

  // ---- nodes ------------------------------------------------------------------------------------------------------

  /** A clip with a clock of its own, starting at 0; it loops as the clip says. */
  addClip(clip: AnimClip): number {
    this.#check("addClip");
    requireObject("AnimGraph.addClip", "clip", clip, "AnimClip");
    const voice = new ClipVoice(this.#skeleton);
    voice.start(clip, 0, false);
    voice.rootMotion.setMode(this.#rootMode);
    voice.rootMotion.setBone(this.#evaluator.rootBone);
    return this.#add(new ClipNode(this.#nodes.length, voice));
  }

  /** `a` towards `b` by weight x mask; the mask is 1 everywhere. @param weight - clamped to 0..1 */
  addBlend(a: number, b: number, weight = 0.5): number {
    return this.#addPair("addBlend", "blend", "a", a, "b", b, weight);
  }

  /** `base` with `delta` added by weight x mask; the mask is 1 everywhere. @param weight - >= 0, may exceed 1 */
  addAdditive(base: number, delta: number, weight = 1): number {
    return this.#addPair("addAdditive", "additive", "base", base, "delta", delta, weight);
  }

  /** `base` with `overlay` over it by weight x mask; the mask is 0 everywhere until bones are set. @param weight - clamped to 0..1 */
  addLayer(base: number, overlay: number, weight = 1): number {
    const layer = this.#addPair("addLayer", "layer", "base", base, "overlay", overlay, weight);
    this.#ownMask(this.#nodes[layer]!, 0);
    return layer;
  }

  /**
   * A clip that plays once over `base` when triggered; the mask is 1 everywhere. Fades that do not fit the clip are
   * shortened in proportion.
   * @param shot - a clip node that belongs to no other one-shot; the one-shot runs its clock
   * @param fadeIn - real seconds, as `fadeOut`
   */
  addOneShot(base: number, shot: number, fadeIn = 0.1, fadeOut = 0.1): number {
    const under = this.#node("addOneShot", "base", base), clip = this.#node("addOneShot", "shot", shot);
    if (!(clip instanceof ClipNode)) throw wrongKind("addOneShot", "shot", clip, "a clip");
    if (clip.driver instanceof OneShotNode) {
      throw new AnimArgumentError(`AnimGraph.addOneShot: clip node ${shot} is the shot of node ${clip.driver.index} already. Add the clip once more with addClip.`, { found: shot });
    }
    requireTime("AnimGraph.addOneShot", "fadeIn", fadeIn);
    requireTime("AnimGraph.addOneShot", "fadeOut", fadeOut);
    const node = new OneShotNode(this.#nodes.length, clip, fadeIn, fadeOut);
    node.inputs.push(under, clip);
    clip.driver = node;
    return this.#add(node);
  }

  /** Inputs along a line, see `addBlendSpace1DPoint`. Without points it is the bind pose. */
  addBlendSpace1D(): number {
    this.#check("addBlendSpace1D");
    return this.#add(new SpaceNode(this.#nodes.length, 1));
  }

  /** @returns the index of the point @throws AnimArgumentError if `node` depends on the blend space */
  addBlendSpace1DPoint(space: number, position: number, node: number): number {
    requireFinite("AnimGraph.addBlendSpace1DPoint", "position", position);
    return this.#addPoint("addBlendSpace1DPoint", "1D blend space", space, position, 0, node);
  }

  /** Inputs on a plane, see `addBlendSpace2DPoint`. Without points it is the bind pose. */
  addBlendSpace2D(): number {
    this.#check("addBlendSpace2D");
    return this.#add(new SpaceNode(this.#nodes.length, 2));
  }

  /** @returns the index of the point @throws AnimArgumentError if `node` depends on the blend space */
  addBlendSpace2DPoint(space: number, x: number, y: number, node: number): number {
    requireFinite("AnimGraph.addBlendSpace2DPoint", "x", x);
    requireFinite("AnimGraph.addBlendSpace2DPoint", "y", y);
    return this.#addPoint("addBlendSpace2DPoint", "2D blend space", space, x, y, node);
  }

  // ---- parameters -------------------------------------------------------------------------------------------------

  setPosition1D(space: number, x: number): void {
    const node = this.#space("setPosition1D", "1D blend space", space);
    // Tested here first, because doubles in arguments are boxed.
    if (!Number.isFinite(x)) requireFinite("AnimGraph.setPosition1D", "x", x);
    node.setPosition(x, 0);
  }

  setPosition2D(space: number, x: number, y: number): void {
    const node = this.#space("setPosition2D", "2D blend space", space);
    if (!Number.isFinite(x)) requireFinite("AnimGraph.setPosition2D", "x", x);
    if (!Number.isFinite(y)) requireFinite("AnimGraph.setPosition2D", "y", y);
    node.setPosition(x, y);
  }

  /**
   * Whether clips that are inputs of the space run in step ("phase", the default: one pass takes the weighted mean of
   * theirs) or each on its own clock ("none").
   */
  setBlendSpaceSync(space: number, mode: "phase" | "none"): void {
    const node = this.#node("setBlendSpaceSync", "space", space);
    if (!(node instanceof SpaceNode)) throw wrongKind("setBlendSpaceSync", "space", node, "a blend space");
    if (mode !== "phase" && mode !== "none") {
      throw new AnimArgumentError(`AnimGraph.setBlendSpaceSync: mode is ${show(mode)}, expected "phase" or "none".`, { found: mode });
    }
    node.synchronised = mode === "phase";
  }

  /** Weight of a point at the position of the space. */
  getPointWeight(space: number, point: number): number {
    const node = this.#node("getPointWeight", "space", space);
    if (!(node instanceof SpaceNode)) throw wrongKind("getPointWeight", "space", node, "a blend space");
    requireIndex("AnimGraph.getPointWeight", "point", point, node.weights.length);
    node.weigh();
    return node.weights[point]!;
  }

  /** Weight of a blend or layer (clamped to 0..1) or of an additive node (0 or more). */
  setWeight(node: number, weight: number): void {
    const target = this.#node("setWeight", "node", node);
    if (target.kind !== "blend" && target.kind !== "layer" && target.kind !== "additive") throw wrongKind("setWeight", "node", target, "a blend, layer or additive node");
    if (!Number.isFinite(weight)) requireFinite("AnimGraph.setWeight", "weight", weight);
    setClamped(target, weight);
  }

  /** Playback rate of a clip node, 0 or more. */
  setSpeed(node: number, speed: number): void {
    const target = this.#node("setSpeed", "node", node);
    if (!(target instanceof ClipNode)) throw wrongKind("setSpeed", "node", target, "a clip");
    requireFinite("AnimGraph.setSpeed", "speed", speed);
    if (speed < 0) throw new AnimArgumentError(`AnimGraph.setSpeed: speed is ${speed}, expected 0 or more.`, { found: speed });
    target.speed = speed;
  }

  /** Starts a one-shot. While it plays, the clip starts again and the fade goes on from the present weight. */
  trigger(oneShot: number): void {
    this.#oneShot("trigger", oneShot).trigger();
  }

  /** Whether a one-shot plays, from `trigger` until its weight is back at 0. */
  isOneShotActive(oneShot: number): boolean {
    return this.#oneShot("isOneShotActive", oneShot).active;
  }

  /** What the second input of an additive node is: a delta ("identity", the default), or a pose whose difference to the bind pose counts. */
  setAdditiveReference(node: number, reference: "identity" | "bind"): void {
    const target = this.#additive("setAdditiveReference", node);
    if (reference !== "identity" && reference !== "bind") {
      throw new AnimArgumentError(`AnimGraph.setAdditiveReference: reference is ${show(reference)}, expected "identity" or "bind".`, { found: reference });
    }
    target.bindReference = reference === "bind";
  }

  getAdditiveReference(node: number): "identity" | "bind" {
    return this.#additive("getAdditiveReference", node).bindReference ? "bind" : "identity";
  }

  // ---- masks ------------------------------------------------------------------------------------------------------

  /** Sets a bone's weight (clamped to 0..1) in the mask of a blend, additive node, layer or one-shot, with all below it if asked. */
  setBoneMask(node: number, bone: number, weight: number, includeChildren = false): void {
    const target = this.#masked("setBoneMask", node);
    requireIndex("AnimGraph.setBoneMask", "bone", bone, this.#skeleton.getBoneCount());
    requireFinite("AnimGraph.setBoneMask", "weight", weight);
    const mask = this.#ownMask(target, 1);
    if (includeChildren) mask.setBoneAndChildren(bone, weight);
    else mask.setBoneWeight(bone, weight);
  }

  /** Sets all weights of the mask to 0. */
  clearBoneMask(node: number): void {
    this.fillBoneMask(node, 0);
  }

  /** Sets all weights of the mask, clamped to 0..1. */
  fillBoneMask(node: number, weight: number): void {
    const target = this.#masked("fillBoneMask", node);
    requireFinite("AnimGraph.fillBoneMask", "weight", weight);
    this.#ownMask(target, 1).setAll(weight);
  }

  /** Uses a mask that others may use too. `setBoneMask` on the node makes a copy first. */
  setMask(node: number, mask: AnimBoneMask): void {
    const target = this.#masked("setMask", node);
    requireObject("AnimGraph.setMask", "mask", mask, "AnimBoneMask");
    requireMaskSize("AnimGraph.setMask", mask, this.#skeleton);
    if (target.ownsMask) target.mask!.dispose();
    target.mask = mask;
    target.ownsMask = false;
  }

  // ---- root motion and events ---------------------------------------------------------------------------------------

  /** Bone whose motion is taken out of the clips, blended by the weights of the graph and reported; -1 turns it off. */
  setRootMotionBone(bone: number): void {
    this.#check("setRootMotionBone");
    if (bone !== -1) requireIndex("AnimGraph.setRootMotionBone", "bone", bone, this.#skeleton.getBoneCount());
    this.#evaluator.rootBone = bone;
    this.#moved = false;
    for (const node of this.#nodes) {
      setIdentity(node.delta, 0);
      if (node instanceof ClipNode) node.voice.rootMotion.setBone(bone);
    }
  }

  getRootMotionBone(): number { return this.#evaluator.rootBone; }

  /** Which part of the motion is taken and in which space; what is left out keeps its value. */
  setRootMotionMode(mode: Partial<RootMotionMode>): void {
    this.#check("setRootMotionMode");
    requireObject("AnimGraph.setRootMotionMode", "mode", mode, "object");
    const next = { ...this.#rootMode, ...mode };
    requireOption("translation", next.translation, ["xyz", "xz", "y", "none"]);
    requireOption("rotation", next.rotation, ["full", "yaw", "none"]);
    requireOption("apply", next.apply, ["extract", "measure"]);
    requireOption("space", next.space, ["model", "local"]);
    this.#rootMode = next;
    for (const node of this.#nodes) if (node instanceof ClipNode) node.voice.rootMotion.setMode(next);
  }

  getRootMotionX(): number { return this.#delta[0]!; }
  getRootMotionY(): number { return this.#delta[1]!; }
  getRootMotionZ(): number { return this.#delta[2]!; }
  getRootMotionRotationX(): number { return this.#delta[3]!; }
  getRootMotionRotationY(): number { return this.#delta[4]!; }
  getRootMotionRotationZ(): number { return this.#delta[5]!; }
  getRootMotionRotationW(): number { return this.#delta[6]!; }

  /** Whose events count: at each blend and blend space those of the heaviest input, ties to the earlier ("dominant", default), or of all with weight. */
  setEventPolicy(policy: "dominant" | "all"): void {
    if (policy !== "dominant" && policy !== "all") {
      throw new AnimArgumentError(`AnimGraph.setEventPolicy: policy is ${show(policy)}, expected "dominant" or "all".`, { found: policy });
    }
    this.#evaluator.allEvents = policy === "all";
  }

  /** The clip node that an event of the last update came from. @throws AnimIndexError */
  getEventNode(i: number): number {
    requireIndex("AnimGraph.getEventNode", "i", i, this.eventLog.count);
    return this.eventLog.source(i);
  }

  // ---- evaluation -------------------------------------------------------------------------------------------------

  /** Chooses the node whose pose is the graph's. */
  setRoot(node: number): void {
    this.#node("setRoot", "node", node);
    this.#root = node;
    this.#rootChosen = true;
    this.#edited = true;
  }

  /** The root, -1 without nodes. */
  getRoot(): number { return this.#root; }
  getNodeCount(): number { return this.#nodes.length; }
  /** The output pose; the same object for the life of the graph. */
  getPose(): AnimPose { return this.#pose; }
  getSkeleton(): AnimSkeleton { return this.#skeleton; }

  /** Weight along the heaviest path from the root in the last update; 0 for nodes that it does not reach. */
  getNodeWeight(node: number): number {
    const target = this.#node("getNodeWeight", "node", node);
    return this.#evaluator.reaches(target) ? target.total : 0;
  }

  /** Time of a clip node within its clip, seconds. */
  getClipTime(node: number): number {
    const target = this.#node("getClipTime", "node", node);
    if (!(target instanceof ClipNode)) throw wrongKind("getClipTime", "node", target, "a clip");
    return target.voice.clipTime(target.loop);
  }

  /** Level of detail that clips are sampled at; 0 is full. */
  setLod(level: number): void {
    if (!(Number.isInteger(level) && level >= 0 && level <= 255)) {
      throw new AnimArgumentError(`AnimGraph.setLod: level is ${show(level)}, expected a whole number of 0..255.`, { found: level });
    }
    this.#evaluator.lod = level;
  }

  /** Advances by `dt` real seconds: a negative dt throws, one that is not finite is ignored. */
  update(dt: number): void {
    this.#check("update");
    if (dt < 0 && dt !== -Infinity) throw new AnimArgumentError(`AnimGraph.update: dt is ${dt}, expected 0 or more.`, { found: dt });
    this.eventLog.beginUpdate();
    this.#moved = false;
    if (!Number.isFinite(dt) || this.#root < 0) return;
    if (this.#edited) {
      this.#evaluator.compile(this.#nodes[this.#root]!);
      this.#edited = false;
    }
    this.#evaluator.step[0] = dt;
    this.#evaluator.evaluate(this.eventLog);
    this.#moved = this.#evaluator.rootBone >= 0;
  }

  /** Frees poses, masks of its own and samplers; clips, shared masks and skeleton stay. Safe to call twice. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#pose.dispose();
    this.#evaluator.dispose();
    for (const node of this.#nodes) {
      if (node.ownsMask) node.mask!.dispose();
      if (node instanceof ClipNode) node.voice.dispose();
    }
  }

  get #delta(): Float64Array {
    return this.#moved ? this.#evaluator.delta : this.#noMotion;
  }

  #add(node: GraphNode): number {
    this.#nodes.push(node);
    if (!this.#rootChosen) this.#root = node.index;
    this.#edited = true;
    return node.index;
  }

  #addPair(method: string, kind: NodeKind, firstName: string, first: number, secondName: string, second: number, weight: number): number {
    const a = this.#node(method, firstName, first), b = this.#node(method, secondName, second);
    requireFinite(`AnimGraph.${method}`, "weight", weight);
    const node = new GraphNode(kind, this.#nodes.length);
    node.inputs.push(a, b);
    setClamped(node, weight);
    return this.#add(node);
  }

  #addPoint(method: string, kind: NodeKind, space: number, x: number, y: number, node: number): number {
    const target = this.#space(method, kind, space), input = this.#node(method, "node", node);
    if (Math.abs(x) > FARTHEST || Math.abs(y) > FARTHEST) {
      throw new AnimArgumentError(`AnimGraph.${method}: the position is beyond ${FARTHEST}, where weights lose their meaning.`, { found: x });
    }
    if (dependsOn(input, target, new Set())) {
      throw new AnimArgumentError(`AnimGraph.${method}: node ${node} depends on blend space ${space}, so it cannot be one of its points.`, { found: node });
    }
    if (input instanceof ClipNode) input.driver ??= target;
    this.#edited = true;
    return target.addPoint(x, y, input);
  }

  #ownMask(node: GraphNode, initial: number): AnimBoneMask {
    if (!node.ownsMask) {
      const own = new AnimBoneMask(this.#skeleton, initial);
      if (node.mask !== undefined) own.copyFrom(node.mask);
      node.mask = own;
      node.ownsMask = true;
    }
    return node.mask!;
  }

  #node(method: string, argument: string, handle: number): GraphNode {
    this.#check(method);
    requireIndex(`AnimGraph.${method}`, argument, handle, this.#nodes.length);
    return this.#nodes[handle]!;
  }

  #space(method: string, kind: NodeKind, handle: number): SpaceNode {
    const node = this.#node(method, "space", handle);
    if (!(node instanceof SpaceNode) || node.kind !== kind) throw wrongKind(method, "space", node, `a ${kind}`);
    return node;
  }

  #oneShot(method: string, handle: number): OneShotNode {
    const node = this.#node(method, "oneShot", handle);
    if (!(node instanceof OneShotNode)) throw wrongKind(method, "oneShot", node, "a one-shot");
    return node;
  }

  #additive(method: string, handle: number): GraphNode {
    const node = this.#node(method, "node", handle);
    if (node.kind !== "additive") throw wrongKind(method, "node", node, "an additive node");
    return node;
  }

  #masked(method: string, handle: number): GraphNode {
    const node = this.#node(method, "node", handle);
    if (node instanceof ClipNode || node instanceof SpaceNode) throw wrongKind(method, "node", node, "a blend, additive node, layer or one-shot");
    return node;
  }

  #check(method: string): void {
    if (this.#disposed) throw disposed(`AnimGraph.${method}`, "AnimGraph");
  }
}

/** @throws AnimArgumentError unless the mask has the bones of the skeleton @internal */
export function requireMaskSize(method: string, mask: AnimBoneMask, skeleton: AnimSkeleton): void {
  if (mask.getBoneCount() === skeleton.getBoneCount()) return;
  throw new AnimArgumentError(
    `${method}: the mask has ${mask.getBoneCount()} bones and the skeleton ${skeleton.getBoneCount()}. Make the mask with the same skeleton.`, { found: mask.getBoneCount() });
}

function setClamped(node: GraphNode, weight: number): void {
  node.weight = node.kind === "additive" ? Math.max(0, weight) : Math.min(1, Math.max(0, weight));
}

function dependsOn(node: GraphNode, target: GraphNode, seen: Set<GraphNode>): boolean {
  if (node === target) return true;
  if (seen.has(node)) return false;
  seen.add(node);
  return node.inputs.some((input) => dependsOn(input, target, seen));
}

function wrongKind(method: string, argument: string, node: GraphNode, expected: string): AnimArgumentError {
  return new AnimArgumentError(`AnimGraph.${method}: ${argument} ${node.index} is a ${node.kind} node, expected ${expected}.`, { found: node.index });
}

function requireOption(option: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return;
  throw new AnimArgumentError(`AnimGraph.setRootMotionMode: ${option} is ${show(value)}, expected ${allowed.map((a) => `"${a}"`).join(", ")}.`, { found: value });
}
