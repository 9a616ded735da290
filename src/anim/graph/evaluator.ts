/** Evaluates the nodes of a graph that its root reaches. @internal */
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { BlendProgram } from "../rig/blend-program.js";
import { dropAll, dropBlock, takeBlock } from "../rig/blocks.js";
import type { EventLog } from "../rig/event-log.js";
import { GROUP_BYTES } from "../rig/layout.js";
import type { AnimPose } from "../rig/pose.js";
import { composeRigid, copyRigid, RIGID, setIdentity } from "../rig/rigid.js";
import { blendDeltas } from "../rig/root-motion.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { SLERP_WEIGHT } from "../rig/track-sample.js";
import { ClipNode, type GraphNode, OneShotNode, SpaceNode } from "./node.js";

/**
 * Time first: one-shots and blend spaces, which set weights and drive clips; then weights from the root down; then the
 * clocks of the clips. Poses after that, inputs before what they feed: clips are sampled, everything else goes into one
 * program of blends that one kernel call runs. A node whose weight is 0 on every path costs its clock only.
 */
export class GraphEvaluator {
  /** Seconds of the step: in an array, because doubles in arguments are boxed. */
  readonly step = new Float64Array(1);
  /** Report events of every clip with weight instead of the heaviest of each blend. */
  allEvents = false;
  rootBone = -1;
  lod = 0;
  readonly #skeleton: AnimSkeleton;
  readonly #out: AnimPose;
  readonly #program = new BlendProgram();
  readonly #owned: number[] = [];
  readonly #groupCount: number;
  #slots = 0;
  #slotCount = 0;
  #stamp = 0;
  /** Reached nodes, inputs before what they feed; the root is the last. */
  #order: GraphNode[] = [];
  readonly #identity = new Float64Array(RIGID);
  readonly #delta = new Float64Array(RIGID);

  constructor(skeleton: AnimSkeleton, out: AnimPose) {
    this.#skeleton = skeleton;
    this.#out = out;
    this.#groupCount = skeleton.groupCount;
    setIdentity(this.#identity, 0);
    freeWhenCollected(this, this.#owned);
  }

  /** Orders the nodes that `root` reaches and gives them places for their poses. */
  compile(root: GraphNode): void {
    this.#stamp++;
    this.#order = [];
    this.#visit(root);
    for (const node of this.#order) node.consumers = 0;
    for (const node of this.#order) for (const input of node.inputs) input.consumers++;
    let slots = 0;
    for (const node of this.#order) {
      const first = node.inputs[0];
      // A pose that nobody else reads may be overwritten by the result.
      node.slot = first !== undefined && first.consumers === 1 ? first.slot : slots++;
      node.pose = 0;
      node.live = false;
    }
    if (slots > this.#slotCount) {
      dropBlock(this.#owned, this.#slots);
      this.#slots = takeBlock(this.#owned, slots * Math.max(1, this.#groupCount) * GROUP_BYTES);
      this.#slotCount = slots;
    }
    this.#reserve();
  }

  /** Whether the last compilation reached the node. */
  reaches(node: GraphNode): boolean {
    return node.reached === this.#stamp && this.#stamp > 0;
  }

  /** One update of the compiled nodes into the out pose. */
  evaluate(log: EventLog): void {
    this.#advance();
    this.#weigh();
    this.#advanceClips(log);
    this.#pose();
  }

  /** The root motion of the last step. */
  get delta(): Float64Array {
    return this.#order.length > 0 ? this.#order[this.#order.length - 1]!.delta : this.#identity;
  }

  dispose(): void {
    dropAll(this, this.#owned);
    this.#program.dispose();
    this.#order = [];
  }

  /** Lets everything have its largest size once, so that updates allocate nothing whatever the weights become. */
  #reserve(): void {
    const program = this.#program, groups = this.#groupCount;
    program.reset();
    program.copy(0, 0);
    for (const node of this.#order) {
      if (node instanceof ClipNode) {
        node.voice.sample(this.#slots + node.slot * groups * GROUP_BYTES, groups, node.loop, this.lod);
      } else {
        program.beginWeighted(0, 0);
        if (node instanceof SpaceNode) for (let i = 0; i < node.inputs.length; i++) program.input(0, 0);
      }
    }
    program.reset();
  }

  #visit(node: GraphNode): void {
    if (node.reached === this.#stamp) return;
    node.reached = this.#stamp;
    for (const input of node.inputs) this.#visit(input);
    this.#order.push(node);
  }

  #advance(): void {
    const order = this.#order;
    for (let i = 0; i < order.length; i++) {
      const node = order[i]!;
      node.live = false;
      node.fires = false;
      node.total = 0;
      if (node instanceof ClipNode) {
        const driver = node.driver;
        if (driver !== undefined && driver.reached === this.#stamp && (driver instanceof OneShotNode || driver.synchronised)) continue;
        node.voice.seconds = this.step[0]! * node.speed;
        node.voice.rate = node.speed;
      }
    }
    for (let i = 0; i < order.length; i++) {
      const node = order[i]!;
      if (node instanceof OneShotNode || node instanceof SpaceNode) node.advance(this.step);
    }
  }

  #weigh(): void {
    const order = this.#order, root = order[order.length - 1]!;
    root.live = true;
    root.fires = true;
    root.total = 1;
    for (let i = order.length - 1; i >= 0; i--) {
      const node = order[i]!;
      if (node instanceof ClipNode) continue;
      if (node instanceof SpaceNode) this.#weighSpace(node);
      else this.#weighPair(node);
    }
  }

  #weighPair(node: GraphNode): void {
    const base = node.inputs[0]!, over = node.inputs[1]!, mask = node.mask, additive = node.kind === "additive";
    node.low = mask === undefined ? node.weight : node.weight * mask.lowest;
    node.high = mask === undefined ? node.weight : node.weight * mask.highest;
    const hasBase = additive || node.low < 1, hasOver = node.high > 0;
    if (node.live && hasBase) {
      base.live = true;
      const total = additive ? node.total : node.total * (1 - node.low);
      if (total > base.total) base.total = total;
    }
    if (node.live && hasOver) {
      over.live = true;
      const total = node.total * (node.high < 1 ? node.high : 1);
      if (total > over.total) over.total = total;
    }
    if (!node.fires) return;
    // Both inputs of a blend are whole bodies: the heavier reports. What is laid on top is another part, so both do.
    const pair = node.kind !== "blend" || this.allEvents;
    if (hasBase && (pair || !hasOver || node.high <= 0.5)) base.fires = true;
    if (pair ? hasOver : node.high > 0.5) over.fires = true;
    if (node instanceof OneShotNode && node.played) over.fires = true;
  }

  #weighSpace(node: SpaceNode): void {
    const inputs = node.inputs, weights = node.weights;
    let heaviest = -1;
    for (let i = 0; i < inputs.length; i++) {
      const weight = weights[i]!, input = inputs[i]!;
      if (weight <= 0) continue;
      if (heaviest < 0 || weight > weights[heaviest]!) heaviest = i;
      if (node.live) {
        input.live = true;
        const total = node.total * weight;
        if (total > input.total) input.total = total;
      }
      if (node.fires && this.allEvents) input.fires = true;
    }
    if (node.fires && heaviest >= 0) inputs[heaviest]!.fires = true;
  }

  #advanceClips(log: EventLog): void {
    const order = this.#order;
    for (let i = 0; i < order.length; i++) {
      const node = order[i]!;
      if (node instanceof ClipNode) node.voice.advance(node.loop, node.fires ? log : undefined, node.index);
    }
  }

  #pose(): void {
    const order = this.#order, out = this.#out, program = this.#program, groups = this.#groupCount, last = order.length - 1;
    const poseBytes = groups * GROUP_BYTES, rootMotion = this.rootBone >= 0;
    program.reset();
    for (let i = 0; i <= last; i++) {
      const node = order[i]!;
      if (!node.live) continue;
      const place = i === last ? out.localPtr : this.#slots + node.slot * poseBytes;
      if (node instanceof ClipNode) {
        node.voice.sample(place, groups, node.loop, this.lod);
        node.pose = place;
        if (rootMotion) copyRigid(node.voice.rootMotion.delta, 0, node.delta, 0);
      } else if (node instanceof SpaceNode) {
        this.#mixPoints(node, place);
        if (rootMotion) this.#mixPointDeltas(node);
      } else {
        this.#mixPair(node, place);
        if (rootMotion) this.#mixPairDeltas(node);
      }
    }
    const root = order[last]!;
    if (root.pose !== out.localPtr) program.copy(out.localPtr, root.pose);
    if (program.commandCount > 0) program.run(groups);
    out.markStale();
  }

  #mixPair(node: GraphNode, place: number): void {
    const base = node.inputs[0]!, over = node.inputs[1]!, mask = node.mask === undefined ? 0 : node.mask.lanesPtr;
    if (node.high <= 0) {
      node.pose = base.pose;
      return;
    }
    if (node.kind !== "additive" && node.low >= 1) {
      node.pose = over.pose;
      return;
    }
    if (node.kind !== "additive") this.#program.blend(place, base.pose, over.pose, 1, mask);
    else if (node.bindReference) this.#program.addDifference(place, base.pose, over.pose, this.#skeleton.bindPtr, 1, mask);
    else this.#program.add(place, base.pose, over.pose, 1, mask);
    this.#program.weighLast(node);
    node.pose = place;
  }

  #mixPoints(node: SpaceNode, place: number): void {
    const inputs = node.inputs, weights = node.weights, program = this.#program;
    let active = 0, only = this.#skeleton.bindPtr;
    for (let i = 0; i < inputs.length; i++) {
      if (weights[i]! <= 0) continue;
      active++;
      only = inputs[i]!.pose;
    }
    if (active <= 1) {
      node.pose = only;
      return;
    }
    program.beginWeighted(place, this.#skeleton.bindPtr);
    for (let i = 0; i < inputs.length; i++) {
      if (weights[i]! <= 0) continue;
      program.input(inputs[i]!.pose, 1);
      program.weighLastInput(weights, i);
    }
    node.pose = place;
  }

  /** Root motion goes by the weight at the root motion bone; what is added on top adds its own. */
  #mixPairDeltas(node: GraphNode): void {
    const base = node.inputs[0]!.delta, over = node.inputs[1]!.delta;
    const weight = node.mask === undefined ? node.weight : node.weight * node.mask.getBoneWeight(this.rootBone);
    if (weight <= 0) {
      copyRigid(base, 0, node.delta, 0);
    } else if (node.kind === "additive") {
      SLERP_WEIGHT[0] = Math.min(1, weight);
      blendDeltas(this.#identity, over, this.#delta);
      for (let i = 0; i < 3; i++) this.#delta[i] = over[i]! * weight;
      addDelta(base, this.#delta, node.delta);
    } else if (weight >= 1) {
      copyRigid(over, 0, node.delta, 0);
    } else {
      SLERP_WEIGHT[0] = weight;
      blendDeltas(base, over, node.delta);
    }
  }

  #mixPointDeltas(node: SpaceNode): void {
    const inputs = node.inputs, weights = node.weights;
    let sum = 0;
    setIdentity(node.delta, 0);
    for (let i = 0; i < inputs.length; i++) {
      const weight = weights[i]!;
      if (weight <= 0) continue;
      sum += weight;
      SLERP_WEIGHT[0] = weight / sum;
      blendDeltas(node.delta, inputs[i]!.delta, node.delta);
    }
  }
}

/** Translations add up, rotations multiply. */
function addDelta(a: Float64Array, b: Float64Array, out: Float64Array): void {
  const x = a[0]! + b[0]!, y = a[1]! + b[1]!, z = a[2]! + b[2]!;
  composeRigid(a, 0, b, 0, out, 0);
  out[0] = x;
  out[1] = y;
  out[2] = z;
}
