import { AnimArgumentError, AnimMismatchError, AnimNameError } from "../errors.js";
import { nearMatches } from "../module/near-matches.js";
import { disposed, requireFinite, requireIndex, requireName, requireObject, requireTime, show } from "../rig/checks.js";
import type { AnimClip } from "../rig/clip.js";
import { EventReader } from "../rig/event-reader.js";
import { AnimMirror, type MirrorAxis } from "../rig/mirror.js";
import type { RootMotionMode } from "../rig/root-motion.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { AnimBoneMask } from "./bone-mask.js";
import { ClipTrack } from "./clip-track.js";
import { GraphDefinition } from "./definition.js";
import { GraphRun } from "./evaluator.js";
import { type BlendSpaceMode, type BlendSpaceSync, GraphNode, KIND_NAMES, MOST_ADDED, NodeKind, NodeNumber } from "./node.js";

/** Positions of blend space points reach this far from 0. */
const FARTHEST = 1e100;

/**
 * The definition of a graph as its methods see it: nodes, masks, root, named parameters. All instances of a graph share it, so
 * an edit through one of them is seen by all.
 */
export abstract class GraphStructure extends EventReader {
  /** @internal */
  readonly definition: GraphDefinition;
  /** The clocks and weights of this instance. @internal */
  readonly run: GraphRun;
  protected isDisposed = false;

  /** Whether it was disposed. @internal */
  get isGone(): boolean { return this.isDisposed; }

  protected constructor(skeleton: AnimSkeleton, definition: GraphDefinition | undefined) {
    super();
    requireObject("AnimGraph", "skeleton", skeleton, "AnimSkeleton");
    skeleton.freeze("AnimGraph");
    this.definition = definition ?? new GraphDefinition(skeleton);
    this.run = new GraphRun(this.definition);
  }

  // ---- nodes ------------------------------------------------------------------------------------------------------

  /** A clip with a clock of its own, starting at 0; it loops as the clip says. */
  addClip(clip: AnimClip): number {
    this.check("addClip");
    requireObject("AnimGraph.addClip", "clip", clip, "AnimClip");
    const node = new GraphNode(NodeKind.CLIP, this.definition.nodes.length, new ClipTrack(this.definition.skeleton, clip));
    this.definition.prepareMotion(node);
    return this.definition.add(node);
  }

  /** `a` towards `b` by weight x mask; the mask is 1 everywhere. @param weight - clamped to 0..1 */
  addBlend(a: number, b: number, weight = 0.5): number {
    return this.#addPair("addBlend", NodeKind.BLEND, "a", a, "b", b, weight);
  }

  /** `base` with `delta` added by weight x mask; the mask is 1 everywhere. @param weight - >= 0, may exceed 1 */
  addAdditive(base: number, delta: number, weight = 1): number {
    return this.#addPair("addAdditive", NodeKind.ADDITIVE, "base", base, "delta", delta, weight);
  }

  /** `base` with `overlay` over it by weight x mask; the mask is 0 everywhere until bones are set. @param weight - clamped to 0..1 */
  addLayer(base: number, overlay: number, weight = 1): number {
    const layer = this.#addPair("addLayer", NodeKind.LAYER, "base", base, "overlay", overlay, weight);
    this.#ownMask(this.definition.nodes[layer]!, 0);
    return layer;
  }

  /**
   * A clip that plays once over `base` when triggered; the mask is 1 everywhere. Fades that do not fit the clip are
   * shortened in proportion.
   * @param shot - a clip node that belongs to no other one-shot; the one-shot runs its clock
   * @param fadeIn - real seconds, as `fadeOut`
   */
  addOneShot(base: number, shot: number, fadeIn = 0.1, fadeOut = 0.1): number {
    const under = this.node("addOneShot", "base", base), clip = this.node("addOneShot", "shot", shot);
    if (clip.kind !== NodeKind.CLIP) throw wrongKind("addOneShot", "shot", clip, "a clip");
    if (clip.driver?.kind === NodeKind.ONE_SHOT) {
      throw new AnimArgumentError(`AnimGraph.addOneShot: clip node ${shot} is the shot of node ${clip.driver.index} already. Add the clip once more with addClip.`, { found: shot });
    }
    requireTime("AnimGraph.addOneShot", "fadeIn", fadeIn);
    requireTime("AnimGraph.addOneShot", "fadeOut", fadeOut);
    const node = new GraphNode(NodeKind.ONE_SHOT, this.definition.nodes.length, undefined);
    node.fadeIn = fadeIn;
    node.fadeOut = fadeOut;
    node.inputs.push(under, clip);
    clip.driver = node;
    return this.definition.add(node);
  }

  /** Lets `input` through; after `requestTransition` the pose goes on from what was shown and the difference dies away. */
  addInertialize(input: number): number {
    const from = this.node("addInertialize", "input", input), node = new GraphNode(NodeKind.INERTIALIZE, this.definition.nodes.length, undefined);
    node.inputs.push(from);
    return this.definition.add(node);
  }

  /**
   * Its input with left and right exchanged, root motion included; `addBlend(input, mirror, weight)` goes from one to the other.
   * @param mirror - an `AnimMirror` of the skeleton, which many graphs may share; or the counterpart of every bone; default: by names
   * @param axis - normal of the plane, where the graph makes the mirror
   * @throws AnimArgumentError for a map that is none, AnimMismatchError for a mirror of another skeleton
   */
  addMirror(input: number, mirror?: AnimMirror | ArrayLike<number>, axis: MirrorAxis = "x"): number {
    const from = this.node("addMirror", "input", input), node = new GraphNode(NodeKind.MIRROR, this.definition.nodes.length, undefined), { skeleton } = this.definition;
    if (mirror instanceof AnimMirror) {
      requireObject("AnimGraph.addMirror", "mirror", mirror, "AnimMirror");
      if (mirror.getSkeleton() !== skeleton) throw new AnimMismatchError("AnimGraph.addMirror: the mirror was made for another skeleton. Make it with the graph's.");
      node.mirror = mirror;
    } else {
      node.mirror = new AnimMirror(skeleton, mirror, axis);
      node.ownsMirror = true;
    }
    node.inputs.push(from);
    return this.definition.add(node);
  }

  /** Inputs along a line, see `addBlendSpace1DPoint`. Without points it is the bind pose. */
  addBlendSpace1D(): number {
    this.check("addBlendSpace1D");
    return this.definition.add(new GraphNode(NodeKind.SPACE_1D, this.definition.nodes.length, undefined));
  }

  /** @returns the index of the point @throws AnimArgumentError if `node` depends on the blend space */
  addBlendSpace1DPoint(space: number, position: number, node: number): number {
    requireFinite("AnimGraph.addBlendSpace1DPoint", "position", position);
    return this.#addPoint("addBlendSpace1DPoint", NodeKind.SPACE_1D, space, position, 0, node);
  }

  /** Inputs on a plane, see `addBlendSpace2DPoint`. Without points it is the bind pose. */
  addBlendSpace2D(): number {
    this.check("addBlendSpace2D");
    return this.definition.add(new GraphNode(NodeKind.SPACE_2D, this.definition.nodes.length, undefined));
  }

  /** @returns the index of the point @throws AnimArgumentError if `node` depends on the blend space */
  addBlendSpace2DPoint(space: number, x: number, y: number, node: number): number {
    requireFinite("AnimGraph.addBlendSpace2DPoint", "x", x);
    requireFinite("AnimGraph.addBlendSpace2DPoint", "y", y);
    return this.#addPoint("addBlendSpace2DPoint", NodeKind.SPACE_2D, space, x, y, node);
  }

  /**
   * How clips that are inputs of the space keep step: "phase" (default) all at the same share of their length, "markers" by
   * the sync markers of the heaviest, "none" each on its own clock. In step, one pass takes the weighted mean of theirs.
   */
  setBlendSpaceSync(space: number, mode: BlendSpaceSync): void {
    const node = this.node("setBlendSpaceSync", "space", space);
    if (!node.isSpace) throw wrongKind("setBlendSpaceSync", "space", node, "a blend space");
    if (mode !== "phase" && mode !== "markers" && mode !== "none") {
      throw new AnimArgumentError(`AnimGraph.setBlendSpaceSync: mode is ${show(mode)}, expected "phase", "markers" or "none".`, { found: mode });
    }
    node.sync = mode;
    this.definition.touch();
  }

  /**
   * How the points of a blend space on a plane share the weight: "delaunay" (default) by triangles, three points at most;
   * "gradientBand" by all points, smoother where they are few; "directional" the same by direction and speed, for strafing with an
   * idle at the origin.
   */
  setBlendSpaceMode(space: number, mode: BlendSpaceMode): void {
    const node = this.space("setBlendSpaceMode", NodeKind.SPACE_2D, space);
    if (mode !== "delaunay" && mode !== "gradientBand" && mode !== "directional") {
      throw new AnimArgumentError(`AnimGraph.setBlendSpaceMode: mode is ${show(mode)}, expected "delaunay", "gradientBand" or "directional".`, { found: mode });
    }
    node.setMode(mode);
    this.definition.touch();
  }

  getBlendSpaceMode(space: number): BlendSpaceMode { return this.space("getBlendSpaceMode", NodeKind.SPACE_2D, space).mode; }

  /** How a one-shot comes and goes: "fade" (default), or "inertial": at once, and the difference to what was shown dies away. */
  setOneShotMode(oneShot: number, mode: "fade" | "inertial"): void {
    const node = this.oneShot("setOneShotMode", oneShot);
    if (mode !== "fade" && mode !== "inertial") {
      throw new AnimArgumentError(`AnimGraph.setOneShotMode: mode is ${show(mode)}, expected "fade" or "inertial".`, { found: mode });
    }
    node.inertial = mode === "inertial";
    this.definition.touch();
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

  /** A name to find a node by; "" takes it away. @throws AnimArgumentError if another node has it */
  setNodeName(node: number, name: string): void {
    const target = this.node("setNodeName", "node", node);
    if (typeof name !== "string") throw new AnimArgumentError(`AnimGraph.setNodeName: name is ${show(name)}, expected a text.`, { found: name });
    if (name !== "" && this.definition.nodes.some((other) => other !== target && other.name === name)) {
      throw new AnimArgumentError(`AnimGraph.setNodeName: another node is named ${show(name)} already. Names are unique.`, { found: name });
    }
    target.name = name;
  }

  getNodeName(node: number): string { return this.node("getNodeName", "node", node).name; }

  /** The node of a name. @throws AnimNameError if there is none */
  findNode(name: string): number {
    this.check("findNode");
    const node = name === "" ? undefined : this.definition.nodes.find((other) => other.name === name);
    if (node !== undefined) return node.index;
    const names = this.definition.nodes.map((other) => other.name).filter((other) => other !== "");
    throw new AnimNameError(`AnimGraph.findNode: there is no node named ${show(name)}.${nearMatches(String(name), names)}`, { found: name });
  }

  /** "clip", "blend", "additive", "layer", "one-shot", "1D blend space", "2D blend space", "inertialize" or "mirror". */
  getNodeKind(node: number): string { return KIND_NAMES[this.node("getNodeKind", "node", node).kind]!; }

  // ---- masks ------------------------------------------------------------------------------------------------------

  /** Sets a bone's weight (clamped to 0..1) in the mask of a blend, additive node, layer or one-shot, with all below it if asked. */
  setBoneMask(node: number, bone: number, weight: number, includeChildren = false): void {
    const target = this.#masked("setBoneMask", node);
    requireIndex("AnimGraph.setBoneMask", "bone", bone, this.definition.skeleton.getBoneCount());
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
    requireMaskSize("AnimGraph.setMask", mask, this.definition.skeleton);
    if (target.ownsMask) target.mask!.dispose();
    target.mask = mask;
    target.ownsMask = false;
  }

  // ---- named parameters -------------------------------------------------------------------------------------------

  /** Declares a number that `setFloat` sets and `bind…` lets drive nodes. @returns its index */
  addParameter(name: string, initial = 0): number {
    this.check("addParameter");
    requireName("AnimGraph.addParameter", "name", name);
    requireFinite("AnimGraph.addParameter", "initial", initial);
    const { parameters, parameterIndex } = this.definition;
    if (parameterIndex.has(name)) throw new AnimArgumentError(`AnimGraph.addParameter: there is a parameter named ${show(name)} already.`, { found: name });
    parameterIndex.set(name, parameters.length);
    this.definition.touch();
    return parameters.push({ name, initial }) - 1;
  }

  /** Lets a parameter be the position of a blend space on a line. @throws AnimNameError if it is not declared */
  bindPosition1D(space: number, parameter: string): void {
    this.#bind("bindPosition1D", this.space("bindPosition1D", NodeKind.SPACE_1D, space), NodeNumber.X, parameter);
  }

  /** Lets two parameters be the position of a blend space on a plane. */
  bindPosition2D(space: number, parameterX: string, parameterY: string): void {
    const node = this.space("bindPosition2D", NodeKind.SPACE_2D, space);
    this.#parameter("bindPosition2D", parameterY);
    this.#bind("bindPosition2D", node, NodeNumber.X, parameterX);
    this.#bind("bindPosition2D", node, NodeNumber.Y, parameterY);
  }

  /** Lets a parameter be the weight of a blend, layer or additive node. */
  bindWeight(node: number, parameter: string): void {
    this.#bind("bindWeight", this.weighted("bindWeight", node), NodeNumber.WEIGHT, parameter);
  }

  /** Lets a parameter be the playback rate of a clip node; below 0 counts as 0. */
  bindSpeed(node: number, parameter: string): void {
    this.#bind("bindSpeed", this.clipNode("bindSpeed", node), NodeNumber.SPEED, parameter);
  }

  getParameterCount(): number { return this.definition.parameters.length; }

  /** @throws AnimIndexError */
  getParameterName(index: number): string {
    requireIndex("AnimGraph.getParameterName", "index", index, this.definition.parameters.length);
    return this.definition.parameters[index]!.name;
  }

  // ---- root, root motion, events --------------------------------------------------------------------------------------

  /** Chooses the node whose pose is the graph's. */
  setRoot(node: number): void {
    this.node("setRoot", "node", node);
    this.definition.root = node;
    this.definition.rootChosen = true;
    this.definition.touch();
  }

  /** The root, -1 without nodes. */
  getRoot(): number { return this.definition.root; }
  getNodeCount(): number { return this.definition.nodes.length; }
  getSkeleton(): AnimSkeleton { return this.definition.skeleton; }

  /** Bone whose motion is taken out of the clips, blended by the weights of the graph and reported; -1 turns it off. */
  setRootMotionBone(bone: number): void {
    this.check("setRootMotionBone");
    if (bone !== -1) requireIndex("AnimGraph.setRootMotionBone", "bone", bone, this.definition.skeleton.getBoneCount());
    this.definition.setRootMotion(bone, this.definition.rootMode);
  }

  getRootMotionBone(): number { return this.definition.rootBone; }

  /** Which part of the motion is taken and in which space; what is left out keeps its value. */
  setRootMotionMode(mode: Partial<RootMotionMode>): void {
    this.check("setRootMotionMode");
    this.definition.setRootMotion(this.definition.rootBone, mergedMode("AnimGraph.setRootMotionMode", this.definition.rootMode, mode));
  }

  /** Whose events count: at each blend and blend space those of the heaviest input, ties to the earlier ("dominant", default), or of all with weight. */
  setEventPolicy(policy: "dominant" | "all"): void {
    if (policy !== "dominant" && policy !== "all") {
      throw new AnimArgumentError(`AnimGraph.setEventPolicy: policy is ${show(policy)}, expected "dominant" or "all".`, { found: policy });
    }
    this.definition.allEvents = policy === "all";
  }

  // ---- for the subclass -----------------------------------------------------------------------------------------------

  protected node(method: string, argument: string, handle: number): GraphNode {
    this.check(method);
    requireIndex(`AnimGraph.${method}`, argument, handle, this.definition.nodes.length);
    return this.definition.nodes[handle]!;
  }

  protected space(method: string, kind: NodeKind, handle: number): GraphNode {
    const node = this.node(method, "space", handle);
    if (node.kind !== kind) throw wrongKind(method, "space", node, `a ${KIND_NAMES[kind]}`);
    return node;
  }

  protected oneShot(method: string, handle: number): GraphNode {
    const node = this.node(method, "oneShot", handle);
    if (node.kind !== NodeKind.ONE_SHOT) throw wrongKind(method, "oneShot", node, "a one-shot");
    return node;
  }

  protected weighted(method: string, handle: number): GraphNode {
    const node = this.node(method, "node", handle);
    if (node.kind !== NodeKind.BLEND && node.kind !== NodeKind.LAYER && node.kind !== NodeKind.ADDITIVE) throw wrongKind(method, "node", node, "a blend, layer or additive node");
    return node;
  }

  protected clipNode(method: string, handle: number): GraphNode {
    const node = this.node(method, "node", handle);
    if (node.kind !== NodeKind.CLIP) throw wrongKind(method, "node", node, "a clip");
    return node;
  }

  protected check(method: string): void {
    if (this.isDisposed) throw disposed(`AnimGraph.${method}`, "AnimGraph");
  }

  #addPair(method: string, kind: NodeKind, firstName: string, first: number, secondName: string, second: number, weight: number): number {
    const a = this.node(method, firstName, first), b = this.node(method, secondName, second);
    requireFinite(`AnimGraph.${method}`, "weight", weight);
    const node = new GraphNode(kind, this.definition.nodes.length, undefined);
    node.inputs.push(a, b);
    node.weight = clampWeight(node, weight);
    return this.definition.add(node);
  }

  #addPoint(method: string, kind: NodeKind, space: number, x: number, y: number, node: number): number {
    const target = this.space(method, kind, space), input = this.node(method, "node", node);
    if (Math.abs(x) > FARTHEST || Math.abs(y) > FARTHEST) {
      throw new AnimArgumentError(`AnimGraph.${method}: the position is beyond ${FARTHEST}, where weights lose their meaning.`, { found: x });
    }
    if (dependsOn(input, target, new Set())) {
      throw new AnimArgumentError(`AnimGraph.${method}: node ${node} depends on blend space ${space}, so it cannot be one of its points.`, { found: node });
    }
    if (input.kind === NodeKind.CLIP) input.driver ??= target;
    target.xs.push(x);
    target.ys.push(y);
    target.inputs.push(input);
    target.built = false;
    this.definition.touch();
    return target.xs.length - 1;
  }

  #bind(method: string, node: GraphNode, number: NodeNumber.WEIGHT | NodeNumber.SPEED | NodeNumber.X | NodeNumber.Y, name: string): void {
    const parameter = this.#parameter(method, name), { bindings } = this.definition;
    const old = bindings.findIndex((binding) => binding.node === node && binding.number === number);
    if (old >= 0) bindings.splice(old, 1);
    bindings.push({ parameter, node, number });
  }

  #parameter(method: string, name: string): number {
    const index = this.definition.parameterIndex.get(name);
    if (index === undefined) throw undeclared(`AnimGraph.${method}`, name, this.definition);
    return index;
  }

  #ownMask(node: GraphNode, initial: number): AnimBoneMask {
    if (!node.ownsMask) {
      const own = new AnimBoneMask(this.definition.skeleton, initial);
      if (node.mask !== undefined) own.copyFrom(node.mask);
      node.mask = own;
      node.ownsMask = true;
    }
    return node.mask!;
  }

  #additive(method: string, handle: number): GraphNode {
    const node = this.node(method, "node", handle);
    if (node.kind !== NodeKind.ADDITIVE) throw wrongKind(method, "node", node, "an additive node");
    return node;
  }

  #masked(method: string, handle: number): GraphNode {
    const node = this.node(method, "node", handle);
    if (node.kind === NodeKind.CLIP || node.isSpace || node.kind === NodeKind.INERTIALIZE || node.kind === NodeKind.MIRROR) throw wrongKind(method, "node", node, "a blend, additive node, layer or one-shot");
    return node;
  }
}

/** Place of a number of a node in an instance. @internal */
export function numberAt(node: GraphNode, number: NodeNumber): number {
  return node.at + number;
}

/** A weight that the node may have. @internal */
export function clampWeight(node: GraphNode, weight: number): number {
  return node.kind === NodeKind.ADDITIVE ? Math.min(MOST_ADDED, Math.max(0, weight)) : Math.min(1, Math.max(0, weight));
}

/** @internal */
export function undeclared(method: string, name: string, definition: GraphDefinition): AnimNameError {
  return new AnimNameError(`${method}: the graph has no parameter named ${show(name)}. Declare it with addParameter.${nearMatches(String(name), definition.parameterIndex.keys())}`, { found: name });
}

/** `mode` with what it leaves out taken from `present`. @throws AnimArgumentError @internal */
export function mergedMode(method: string, present: RootMotionMode, mode: Partial<RootMotionMode>): RootMotionMode {
  requireObject(method, "mode", mode, "object");
  const next = { ...present, ...mode };
  const require = (option: string, value: string, allowed: readonly string[]): void => {
    if (allowed.includes(value)) return;
    throw new AnimArgumentError(`${method}: ${option} is ${show(value)}, expected ${allowed.map((a) => `"${a}"`).join(", ")}.`, { found: value });
  };
  require("translation", next.translation, ["xyz", "xz", "y", "none"]);
  require("rotation", next.rotation, ["full", "yaw", "none"]);
  require("apply", next.apply, ["extract", "measure"]);
  require("space", next.space, ["model", "local"]);
  return next;
}

/** @throws AnimArgumentError unless the mask has the bones of the skeleton @internal */
export function requireMaskSize(method: string, mask: AnimBoneMask, skeleton: AnimSkeleton): void {
  if (mask.getBoneCount() === skeleton.getBoneCount()) return;
  throw new AnimArgumentError(
    `${method}: the mask has ${mask.getBoneCount()} bones and the skeleton ${skeleton.getBoneCount()}. Make the mask with the same skeleton.`, { found: mask.getBoneCount() });
}

function dependsOn(node: GraphNode, target: GraphNode, seen: Set<GraphNode>): boolean {
  if (node === target) return true;
  if (seen.has(node)) return false;
  seen.add(node);
  return node.inputs.some((input) => dependsOn(input, target, seen));
}

function wrongKind(method: string, argument: string, node: GraphNode, expected: string): AnimArgumentError {
  return new AnimArgumentError(`AnimGraph.${method}: ${argument} ${node.index} is a ${KIND_NAMES[node.kind]} node, expected ${expected}.`, { found: node.index });
}
