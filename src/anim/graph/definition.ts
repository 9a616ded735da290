/** The definition of a graph: nodes, their order, named parameters. Shared by all instances of the graph. @internal */
import { AnimCapacityError } from "../errors.js";
import { DEFAULT_ROOT_MOTION, type RootMotionMode } from "../rig/root-motion.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { CLIP_NUMBERS, type GraphNode, NODE_NUMBERS, NodeKind, NodeNumber } from "./node.js";
import { PoseFrame } from "./pose-frame.js";

/** Nodes of a graph at most. */
const MOST_NODES = 4096;

/** What a named parameter drives. */
export interface Binding {
  readonly parameter: number;
  readonly node: GraphNode;
  readonly number: NodeNumber.WEIGHT | NodeNumber.SPEED | NodeNumber.X | NodeNumber.Y;
}

/** Edits of all definitions so far: what was prepared after the last one is ready. */
export const EDITS = /* @__PURE__ */ new Uint32Array(1);

export class GraphDefinition {
  readonly nodes: GraphNode[] = [];
  /** Numbers that an instance keeps of all nodes. */
  numberCount = 0;
  /** Seconds of the step of the instance that is updated. */
  readonly step = new Float64Array(1);
  root = -1;
  /** The root was set; else it is the node added last. */
  rootChosen = false;
  readonly parameters: { readonly name: string; readonly initial: number }[] = [];
  readonly parameterIndex = new Map<string, number>();
  readonly bindings: Binding[] = [];
  rootBone = -1;
  rootMode: RootMotionMode = { ...DEFAULT_ROOT_MOTION };
  /** Report events of every clip with weight instead of the heaviest of each blend. */
  allEvents = false;
  /** What instances record into when they are updated one by one. */
  readonly frame = new PoseFrame();

  /** Reached nodes, inputs before what they feed; the root is the last. */
  order: GraphNode[] = [];
  /** Of those, in the same order: clips, clips that have their own clock, one-shots and blend spaces. */
  clips: GraphNode[] = [];
  free: GraphNode[] = [];
  clocks: GraphNode[] = [];
  /** Poses and samples that one evaluation takes at most. */
  slotCount = 0;
  pointCount = 0;
  stamp = 0;

  // One evaluation: by node index.
  live = new Uint8Array(0);
  fires = new Uint8Array(0);
  total = new Float64Array(0);
  /** Smallest and largest weight of the second input over all bones. */
  low = new Float64Array(0);
  high = new Float64Array(0);
  /** Address of the pose. */
  pose = new Uint32Array(0);
  /** How far a clip goes in the step, in clip seconds, and its rate; seconds that one pass of a blend space takes. */
  seconds = new Float64Array(0);
  rate = new Float64Array(0);

  #edited = true;
  #users = 0;

  constructor(readonly skeleton: AnimSkeleton) {}

  /** One more instance, or a state machine that has the graph as a state. */
  retain(): void {
    this.#users++;
  }

  /** The last one frees what the definition owns. */
  release(): void {
    if (--this.#users > 0) return;
    this.frame.dispose();
    for (const node of this.nodes) {
      if (node.ownsMask) node.mask!.dispose();
      if (node.ownsMirror) node.mirror!.dispose();
    }
  }

  /** @throws AnimCapacityError */
  add(node: GraphNode): number {
    if (this.nodes.length === MOST_NODES) throw new AnimCapacityError(`AnimGraph: a graph has at most ${MOST_NODES} nodes. Split it, or use blend spaces with more points.`);
    node.at = this.numberCount;
    this.numberCount += node.kind === NodeKind.CLIP ? CLIP_NUMBERS : NODE_NUMBERS;
    this.nodes.push(node);
    if (!this.rootChosen) this.root = node.index;
    this.touch();
    return node.index;
  }

  /** Structure has changed. */
  touch(): void {
    this.#edited = true;
    EDITS[0] = EDITS[0]! + 1;
  }

  /** The numbers that a new instance starts with. */
  writeInitial(numbers: Float64Array, first: number): void {
    for (let i = first; i < this.nodes.length; i++) {
      const node = this.nodes[i]!, at = node.at;
      if (node.kind !== NodeKind.CLIP) {
        numbers[at + NodeNumber.WEIGHT] = node.weight;
        continue;
      }
      numbers[at + NodeNumber.FRESH] = 1;
      numbers[at + NodeNumber.SPEED] = 1;
    }
  }

  setRootMotion(bone: number, mode: RootMotionMode): void {
    this.rootBone = bone;
    this.rootMode = mode;
    for (const node of this.nodes) this.prepareMotion(node);
  }

  prepareMotion(node: GraphNode): void {
    if (node.track === undefined) return;
    node.track.motion.setMode(this.rootMode);
    node.track.motion.setBone(this.rootBone);
  }

  /** Orders the nodes that the root reaches and gives them places for their poses, if anything changed. */
  compile(): void {
    if (!this.#edited) return;
    this.#edited = false;
    this.stamp++;
    this.order = [];
    this.clips = [];
    this.free = [];
    this.clocks = [];
    this.slotCount = this.pointCount = 0;
    if (this.root < 0) return;
    this.#visit(this.nodes[this.root]!);
    for (const node of this.order) node.consumers = 0;
    for (const node of this.order) for (const input of node.inputs) input.consumers++;
    for (const node of this.order) {
      const first = node.inputs[0];
      // A pose that nobody else reads may be overwritten by the result.
      node.slot = first !== undefined && first.consumers === 1 && node.kind !== NodeKind.MIRROR ? first.slot : this.slotCount++;
      if (node.isSpace) this.pointCount += node.inputs.length;
      if (node.isSpace || node.kind === NodeKind.ONE_SHOT) this.clocks.push(node);
      if (node.kind !== NodeKind.CLIP) continue;
      this.clips.push(node);
      if (!this.#isDriven(node)) this.free.push(node);
      // The form that samplers read, now rather than when the clip gets weight.
      node.track!.clip.data();
    }
    const count = this.nodes.length;
    if (this.live.length >= count) return;
    this.live = new Uint8Array(count);
    this.fires = new Uint8Array(count);
    this.pose = new Uint32Array(count);
    this.total = new Float64Array(count);
    this.low = new Float64Array(count);
    this.high = new Float64Array(count);
    this.seconds = new Float64Array(count);
    this.rate = new Float64Array(count);
  }

  /** Whether the last compilation reached the node. */
  reaches(node: GraphNode): boolean {
    return node.reached === this.stamp && this.stamp > 0;
  }

  /** Whether something other than the node itself moves the clock of a clip. */
  #isDriven(node: GraphNode): boolean {
    const driver = node.driver;
    return driver !== undefined && driver.reached === this.stamp && (driver.kind === NodeKind.ONE_SHOT || driver.sync !== "none");
  }

  #visit(node: GraphNode): void {
    if (node.reached === this.stamp) return;
    node.reached = this.stamp;
    for (const input of node.inputs) this.#visit(input);
    this.order.push(node);
  }
}
