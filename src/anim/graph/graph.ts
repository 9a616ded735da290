import { AnimArgumentError, AnimStateError } from "../errors.js";
import { LONGEST_STEP, requireFinite, requireIndex, show } from "../rig/checks.js";
import { wrapTime } from "../rig/clip-time.js";
import { AnimPose } from "../rig/pose.js";
import { retire } from "../rig/retire.js";
import { RIGID, setIdentity } from "../rig/rigid.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import type { GraphDefinition } from "./definition.js";
import type { GraphRun } from "./evaluator.js";
import { type ClipResolver, graphFromJson, type GraphJson, graphToJson } from "./graph-json.js";
import { clampWeight, GraphStructure, numberAt, undeclared } from "./graph-structure.js";
import { NodeKind, NodeNumber } from "./node.js";
import { isNumbers } from "./pose-inertia.js";
import { type PoseFrame, touchPose } from "./pose-frame.js";

/** What `AnimGraph.captureState` returns: plain JSON. */
export type GraphState = { readonly type: "osteon-graph-state" } & ReturnType<GraphRun["capture"]>;

/** A definition to share, handed over by `instantiate`. @internal */
export interface SharedGraph {
  readonly definition: GraphDefinition;
  /** Weights, speeds, positions and parameters to start with. */
  readonly numbers: Float64Array;
  readonly values: Float64Array;
}

/**
 * Blends clips through a graph of nodes into one pose.
 *
 * Nodes are whole numbers, given out from 0 and never used again. Inputs exist before what they feed; a node may feed
 * several others and is evaluated once an update. The root is the node added last until `setRoot`. The pose
 * (`getPose()`) starts as the bind pose, and its world is stale after every update. Updates allocate no linear memory
 * and no objects, except the first after nodes were added.
 *
 * `instantiate()` makes a further instance: nodes, points, masks, modes and the root are common to all instances; weights,
 * speeds, positions, parameters, one-shots, clocks, events and the pose are each instance's own.
 */
export class AnimGraph extends GraphStructure {
  readonly #delta = new Float64Array(RIGID);
  #moved = false;
  #pose: AnimPose | undefined;

  /** @param shared - a definition to share; use `instantiate()` */
  constructor(skeleton: AnimSkeleton, shared?: SharedGraph) {
    super(skeleton, shared?.definition);
    setIdentity(this.#delta, 0);
    if (shared === undefined) return;
    this.run.fit();
    this.run.numbers.set(shared.numbers);
    this.run.values.set(shared.values);
    this.run.restart();
  }

  /** A graph from its JSON form. @throws AnimFormatError with a pointer to what is wrong, AnimNameError for a clip or bone that is missing */
  static fromJSON(json: unknown, skeleton: AnimSkeleton, clips: ClipResolver): AnimGraph {
    return graphFromJson(json, skeleton, clips, (of) => new AnimGraph(of));
  }

  /** The JSON form: nodes, points, masks by bone names, clips by name, weights and parameters as they are now. Clocks are not part of it. */
  toJSON(): GraphJson {
    this.check("toJSON");
    return graphToJson(this.definition, this.run);
  }

  /** A further instance of this graph: the same nodes, the present weights, speeds, positions and parameters, clocks at the beginning. */
  instantiate(): AnimGraph {
    this.check("instantiate");
    return new AnimGraph(this.definition.skeleton, this.share());
  }

  /** What a new instance is made from. @internal */
  share(): SharedGraph {
    this.run.fit();
    return { definition: this.definition, numbers: this.run.numbers.slice(), values: this.run.values.slice() };
  }

  // ---- parameters -------------------------------------------------------------------------------------------------

  setPosition1D(space: number, x: number): void {
    let node = this.isDisposed ? undefined : this.definition.nodes[space];
    if (node === undefined || node.kind !== NodeKind.SPACE_1D) node = this.space("setPosition1D", NodeKind.SPACE_1D, space);
    // Tested here first, because doubles in arguments are boxed.
    if (!Number.isFinite(x)) requireFinite("AnimGraph.setPosition1D", "x", x);
    this.run.fit();
    const numbers = this.run.numbers, at = node.at;
    if (numbers[at + NodeNumber.X] === x) return;
    numbers[at + NodeNumber.X] = x;
    numbers[at + NodeNumber.WEIGHED] = 0;
  }

  setPosition2D(space: number, x: number, y: number): void {
    let node = this.isDisposed ? undefined : this.definition.nodes[space];
    if (node === undefined || node.kind !== NodeKind.SPACE_2D) node = this.space("setPosition2D", NodeKind.SPACE_2D, space);
    if (!Number.isFinite(x)) requireFinite("AnimGraph.setPosition2D", "x", x);
    if (!Number.isFinite(y)) requireFinite("AnimGraph.setPosition2D", "y", y);
    this.run.fit();
    const numbers = this.run.numbers, at = node.at;
    if (numbers[at + NodeNumber.X] === x && numbers[at + NodeNumber.Y] === y) return;
    numbers[at + NodeNumber.X] = x;
    numbers[at + NodeNumber.Y] = y;
    numbers[at + NodeNumber.WEIGHED] = 0;
  }

  /** Weight of a point at the position of the space. */
  getPointWeight(space: number, point: number): number {
    const node = this.node("getPointWeight", "space", space);
    if (!node.isSpace) this.space("getPointWeight", NodeKind.SPACE_2D, space);
    requireIndex("AnimGraph.getPointWeight", "point", point, node.inputs.length);
    this.run.fit();
    return this.run.weigh(node)[point]!;
  }

  /** Weight of a blend or layer (clamped to 0..1) or of an additive node (0 or more). */
  setWeight(node: number, weight: number): void {
    const target = this.weighted("setWeight", node);
    if (!(typeof weight === "number" && weight > -3e38 && weight < 3e38)) requireFinite("AnimGraph.setWeight", "weight", weight);
    this.run.fit();
    this.run.numbers[numberAt(target, NodeNumber.WEIGHT)] = clampWeight(target, weight);
  }

  /** Weight of a blend, layer, additive node, or (the one of the moment) one-shot. */
  getWeight(node: number): number {
    const target = this.node("getWeight", "node", node);
    if (target.kind !== NodeKind.ONE_SHOT) this.weighted("getWeight", node);
    this.run.fit();
    return this.run.numbers[numberAt(target, NodeNumber.WEIGHT)]!;
  }

  /** Playback rate of a clip node, 0 or more. */
  setSpeed(node: number, speed: number): void {
    const target = this.clipNode("setSpeed", node);
    requireFinite("AnimGraph.setSpeed", "speed", speed);
    if (speed < 0) throw new AnimArgumentError(`AnimGraph.setSpeed: speed is ${speed}, expected 0 or more.`, { found: speed });
    this.run.fit();
    this.run.numbers[numberAt(target, NodeNumber.SPEED)] = speed;
  }

  /** Sets a named parameter. @throws AnimNameError if it was not declared with `addParameter` */
  setFloat(name: string, value: number): void {
    this.check("setFloat");
    const index = this.definition.parameterIndex.get(name);
    if (index === undefined) throw undeclared("AnimGraph.setFloat", name, this.definition);
    if (!Number.isFinite(value)) requireFinite("AnimGraph.setFloat", "value", value);
    this.run.fit();
    this.run.values[index] = value;
  }

  /** 0 for an unknown name. */
  getFloat(name: string): number {
    const index = this.definition.parameterIndex.get(name);
    this.run.fit();
    return index === undefined ? 0 : this.run.values[index]!;
  }

  /** Starts a one-shot. While it plays, the clip starts again and the fade goes on from the present weight. */
  trigger(oneShot: number): void {
    const node = this.oneShot("trigger", oneShot);
    this.run.fit();
    this.run.trigger(node);
  }

  /** Whether a one-shot plays, from `trigger` until its weight is back at 0. */
  isOneShotActive(oneShot: number): boolean {
    const node = this.oneShot("isOneShotActive", oneShot);
    this.run.fit();
    return this.run.numbers[numberAt(node, NodeNumber.ACTIVE)] === 1;
  }

  /** The next pose of an inertialize node goes on from the one shown, and the difference dies away in about `seconds`. */
  requestTransition(inertialize: number, seconds: number): void {
    const node = this.node("requestTransition", "inertialize", inertialize);
    if (node.kind !== NodeKind.INERTIALIZE) {
      throw new AnimArgumentError(`AnimGraph.requestTransition: node ${inertialize} is a ${this.getNodeKind(inertialize)} node, expected one of addInertialize.`, { found: inertialize });
    }
    requireFinite("AnimGraph.requestTransition", "seconds", seconds);
    this.run.fit();
    this.run.numbers[numberAt(node, NodeNumber.REQUEST)] = Math.max(0, seconds);
  }

  // ---- results ----------------------------------------------------------------------------------------------------

  /** The output pose; the same object for the life of the graph. */
  getPose(): AnimPose {
    if (this.#pose === undefined) {
      this.check("getPose");
      this.#pose = new AnimPose();
      this.definition.skeleton.applyBindPose(this.#pose);
    }
    return this.#pose;
  }

  getRootMotionX(): number { return this.#delta[0]!; }
  getRootMotionY(): number { return this.#delta[1]!; }
  getRootMotionZ(): number { return this.#delta[2]!; }
  getRootMotionRotationX(): number { return this.#delta[3]!; }
  getRootMotionRotationY(): number { return this.#delta[4]!; }
  getRootMotionRotationZ(): number { return this.#delta[5]!; }
  getRootMotionRotationW(): number { return this.#delta[6]!; }

  /** The clip node that an event of the last update came from. @throws AnimIndexError */
  getEventNode(i: number): number {
    requireIndex("AnimGraph.getEventNode", "i", i, this.eventLog.count);
    return this.eventLog.source(i);
  }

  /** Weight along the heaviest path from the root in the last update; 0 for nodes that it does not reach. */
  getNodeWeight(node: number): number {
    const target = this.node("getNodeWeight", "node", node);
    this.run.fit();
    return this.definition.reaches(target) ? this.run.numbers[numberAt(target, NodeNumber.TOTAL)]! : 0;
  }

  /** Time of a clip node within its clip, seconds. */
  getClipTime(node: number): number {
    const target = this.clipNode("getClipTime", node), { clip } = target.track!;
    this.run.fit();
    return wrapTime(this.run.numbers[numberAt(target, NodeNumber.TIME)]!, clip.duration, target.loop);
  }

  /** Level of detail that clips are sampled at; 0 is full. */
  setLod(level: number): void {
    if (!(Number.isInteger(level) && level >= 0 && level <= 255)) {
      throw new AnimArgumentError(`AnimGraph.setLod: level is ${show(level)}, expected a whole number of 0..255.`, { found: level });
    }
    this.run.lod = level;
  }

  // ---- evaluation -------------------------------------------------------------------------------------------------

  /** Advances by `dt` real seconds: a negative dt throws, one that is not finite is ignored. */
  update(dt: number): void {
    this.check("update");
    if (dt < 0 && dt !== -Infinity) throw new AnimArgumentError(`AnimGraph.update: dt is ${dt}, expected 0 or more.`, { found: dt });
    this.run.step[0] = Math.min(LONGEST_STEP, dt);
    const frame = this.definition.frame;
    this.record(frame);
    frame.finish();
  }

  /** Makes ready for an update. @internal */
  prepare(): void {
    this.definition.compile();
  }

  /** Reads what an update will read, see AnimGraphBatch. @internal */
  touch(): number {
    return this.run.touch() + (this.#pose === undefined ? 0 : touchPose(this.#pose));
  }

  /** `update` by `run.step` into a frame that the caller runs. @internal */
  record(frame: PoseFrame): void {
    const run = this.run, definition = this.definition;
    this.eventLog.beginUpdate();
    if (this.#moved) setIdentity(this.#delta, 0);
    this.#moved = false;
    if (!Number.isFinite(run.step[0]!) || definition.root < 0) return;
    definition.compile();
    const pose = this.getPose();
    frame.reserve(definition.skeleton.groupCount, run.poseCount, run.sampleCount);
    run.evaluate(frame, pose.localPtr, this.eventLog);
    if (definition.rootBone >= 0) {
      this.#delta.set(run.delta);
      this.#moved = true;
    }
    pose.markStale();
  }

  /** Clocks, weights, positions and parameters as plain JSON; events that are queued are not part of it. */
  captureState(): GraphState {
    this.check("captureState");
    return { type: "osteon-graph-state", ...this.run.capture() };
  }

  /**
   * Takes up a state that this graph, or another of the same definition, captured; what follows has the same bits.
   * @throws AnimStateError for anything else; then nothing changes
   */
  restoreState(state: unknown): void {
    this.check("restoreState");
    const checked = this.checkState("AnimGraph.restoreState", state);
    this.run.restore(checked);
    this.update(0);
  }

  /** @internal */
  checkState(method: string, state: unknown): GraphState {
    const run = this.run, value = (state ?? {}) as Partial<GraphState>;
    run.fit();
    if (value.type !== "osteon-graph-state" || !isNumbers(value.numbers, run.numbers.length) || !isNumbers(value.values, run.values.length)
      || !isNumbers([value.updates], 1) || !Array.isArray(value.inertia) || value.inertia.length !== this.definition.nodes.length) {
      throw new AnimStateError(`${method}: this is no state of this graph (${this.definition.nodes.length} nodes, ${run.values.length} parameters). Use what captureState returned.`);
    }
    value.inertia.forEach((inertia, i) => {
      const own = run.inertiaOf(i);
      if (inertia === null ? own !== undefined : own?.accepts(inertia) !== true) {
        throw new AnimStateError(`${method}: the transition of node ${i} does not fit this graph. Use what captureState returned.`);
      }
    });
    return value as GraphState;
  }

  /** Frees the pose, and with the last instance the masks that the graph made; clips, shared masks and skeleton stay. Safe to call twice. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.#pose?.dispose();
    this.run.dispose();
    retire(this, "AnimGraph");
  }
}
