/** One instance of a graph: its numbers, and an update of them. @internal */
import { heap } from "../../wasm/heap.js";
import type { EventLog } from "../rig/event-log.js";
import { copyRigid, RIGID, setIdentity } from "../rig/rigid.js";
import { SLERP_WEIGHT } from "../rig/track-sample.js";
import { LineWeights } from "./blend-space.js";
import { PACE } from "./clip-track.js";
import type { GraphDefinition } from "./definition.js";
import { type GraphNode, MOST_ADDED, NO_LENGTH, NodeKind, NodeNumber } from "./node.js";
import { type PoseFrame, touchNumbers } from "./pose-frame.js";
import { PoseInertia } from "./pose-inertia.js";
import { addDeltas, mixDeltas } from "./root-delta.js";
import { advanceSpace } from "./space-clock.js";

/** A scaled delta, and no motion. */
const SCALED = /* @__PURE__ */ new Float64Array(RIGID);
const IDENTITY = /* @__PURE__ */ Float64Array.of(0, 0, 0, 0, 0, 0, 1);
const NO_WEIGHTS = /* @__PURE__ */ new Float64Array(0);

/**
 * Time first: one-shots and blend spaces, which set weights and drive clips; then weights from the root down; then the
 * clocks of the clips. Poses after that, inputs before what they feed: samples and blends are recorded into a frame. A node
 * whose weight is 0 on every path costs its clock only.
 */
export class GraphRun {
  /** Of each node, from `node.at` on. */
  numbers = new Float64Array(0);
  /** Values of the named parameters. */
  values = new Float64Array(0);
  /** Root motion of the step. */
  readonly delta = new Float64Array(RIGID);
  /** Seconds that a pass of the root takes after an update, and 1 if it loops. */
  readonly pass = new Float64Array(2);
  lod = 0;
  /** Seconds of the step, set before an update: in an array, because doubles in arguments are boxed. */
  readonly step: Float64Array;

  /** By node index: weights of the points of blend spaces; inertializers. */
  readonly #weights: Float64Array[] = [];
  readonly #inertia: (PoseInertia | undefined)[] = [];
  #deltas = new Float64Array(0);
  #nodeCount = 0;
  #stamp = -1;
  #updates = 0;

  constructor(readonly definition: GraphDefinition) {
    definition.retain();
    this.step = definition.step;
    setIdentity(this.delta, 0);
  }

  /** Poses and samples that one evaluation takes at most. */
  get poseCount(): number { return this.definition.slotCount; }
  get sampleCount(): number { return this.definition.clips.length; }

  /** Takes in what was added to the definition. */
  fit(): void {
    const definition = this.definition, nodes = definition.nodes;
    if (this.values.length < definition.parameters.length) {
      const values = new Float64Array(definition.parameters.length);
      for (let i = 0; i < values.length; i++) values[i] = i < this.values.length ? this.values[i]! : definition.parameters[i]!.initial;
      this.values = values;
    }
    if (this.#nodeCount === nodes.length) return;
    const numbers = new Float64Array(definition.numberCount);
    numbers.set(this.numbers);
    definition.writeInitial(numbers, this.#nodeCount);
    this.numbers = numbers;
    for (let i = this.#nodeCount; i < nodes.length; i++) {
      this.#weights.push(NO_WEIGHTS);
      this.#inertia.push(undefined);
    }
    this.#nodeCount = nodes.length;
  }

  /** Everything at its beginning; weights, speeds, positions and parameters stay. */
  restart(): void {
    this.fit();
    const { numbers, definition } = this;
    for (const node of definition.nodes) {
      const at = node.at;
      numbers[at + NodeNumber.TIME] = 0;
      if (node.kind === NodeKind.CLIP) numbers[at + NodeNumber.FRESH] = 1;
      if (node.kind === NodeKind.ONE_SHOT) {
        numbers[at + NodeNumber.WEIGHT] = 0;
        numbers[at + NodeNumber.ACTIVE] = 0;
      }
      this.#inertia[node.index]?.reset();
    }
  }

  /** Starts a one-shot. */
  trigger(node: GraphNode): void {
    const { numbers } = this, at = node.at, shot = node.inputs[1]!.at;
    numbers[at + NodeNumber.FROM] = numbers[at + NodeNumber.ACTIVE] === 1 ? numbers[at + NodeNumber.WEIGHT]! : 0;
    numbers[at + NodeNumber.TIME] = 0;
    numbers[at + NodeNumber.ACTIVE] = 1;
    numbers[shot + NodeNumber.TIME] = 0;
    numbers[shot + NodeNumber.FRESH] = 1;
    if (!node.inertial) return;
    numbers[at + NodeNumber.WEIGHT] = 1;
    numbers[at + NodeNumber.REQUEST] = node.fadeIn;
  }

  /** Brings the weights of the points of a blend space up to date. */
  weigh(node: GraphNode): Float64Array {
    let weights = this.#weights[node.index]!;
    if (weights.length !== node.inputs.length) {
      weights = this.#weights[node.index] = new Float64Array(node.inputs.length);
      this.numbers[node.at + NodeNumber.WEIGHED] = 0;
    }
    const numbers = this.numbers, at = node.at;
    if (numbers[at + NodeNumber.WEIGHED] === 1 && node.built) return weights;
    node.build();
    const shape = node.shape!;
    shape.at[0] = numbers[at + NodeNumber.X]!;
    if (shape instanceof LineWeights) {
      shape.weighHere(weights);
    } else {
      shape.at[1] = numbers[at + NodeNumber.Y]!;
      shape.weighHere(weights);
    }
    numbers[at + NodeNumber.WEIGHED] = 1;
    return weights;
  }

  /**
   * One update of the compiled nodes by `step`. The frame has room.
   * @param out - where the pose should go; 0: anywhere
   * @returns where it is
   */
  evaluate(frame: PoseFrame, out: number, log: EventLog | undefined): number {
    const { definition } = this;
    if (this.#stamp !== definition.stamp) {
      this.#reach();
      frame.reserveProgram(definition.order.length + 2, definition.pointCount);
    }
    this.#updates++;
    this.#bind();
    const order = definition.order, root = order[order.length - 1]!;
    this.#advance();
    this.#weighAll(order, log !== undefined);
    this.#advanceClips(log);
    const pose = this.#pose(order, frame, out);
    if (definition.rootBone >= 0) copyRigid(this.#deltas, root.index * RIGID, this.delta, 0);
    this.#measure(root);
    return pose;
  }

  /** Reads every cache line of the numbers. */
  touch(): number {
    return touchNumbers(this.numbers) + touchNumbers(this.values);
  }

  /** The clocks and all other numbers, for `restore`. */
  capture(): { numbers: number[]; values: number[]; updates: number; inertia: (ReturnType<PoseInertia["capture"]> | null)[] } {
    this.fit();
    const inertia = this.definition.nodes.map((node) => this.inertiaOf(node.index)?.capture() ?? null);
    return { numbers: [...this.numbers], values: [...this.values], updates: this.#updates, inertia };
  }

  /** The inertializer of a node, if it has one. */
  inertiaOf(index: number): PoseInertia | undefined {
    this.definition.compile();
    if (this.#stamp !== this.definition.stamp) this.#reach();
    return this.#inertia[index];
  }

  restore(state: ReturnType<GraphRun["capture"]>): void {
    this.numbers.set(state.numbers);
    this.values.set(state.values);
    this.#updates = state.updates;
    for (const node of this.definition.nodes) if (node.isSpace) this.numbers[node.at + NodeNumber.WEIGHED] = 0;
    for (let i = 0; i < state.inertia.length; i++) if (state.inertia[i] != null) this.#inertia[i]?.restore(state.inertia[i]!);
  }

  dispose(): void {
    for (const inertia of this.#inertia) inertia?.dispose();
    this.#inertia.fill(undefined);
    this.definition.release();
  }

  /** What an instance needs for the nodes that the root reaches. */
  #reach(): void {
    const { definition } = this;
    this.#stamp = definition.stamp;
    this.fit();
    for (const node of definition.order) {
      if (node.isInertial) this.#inertia[node.index] ??= new PoseInertia(definition.skeleton.groupCount);
      if (!node.isSpace) continue;
      // Its points or its mode may be others.
      this.numbers[node.at + NodeNumber.WEIGHED] = 0;
      this.weigh(node);
    }
    if (this.#deltas.length < definition.nodes.length * RIGID) {
      this.#deltas = new Float64Array(definition.nodes.length * RIGID);
      for (let i = 0; i < definition.nodes.length; i++) setIdentity(this.#deltas, i * RIGID);
    }
  }

  /** Hands parameters to what they drive. */
  #bind(): void {
    const bindings = this.definition.bindings, numbers = this.numbers, values = this.values;
    for (let i = 0; i < bindings.length; i++) {
      const { node, number, parameter } = bindings[i]!, at = node.at;
      let value = values[parameter]!;
      if (number === NodeNumber.WEIGHT) {
        value = value > 0 ? value : 0;
        if (node.kind !== NodeKind.ADDITIVE && value > 1) value = 1;
        else if (value > MOST_ADDED) value = MOST_ADDED;
      } else if (node.kind === NodeKind.CLIP) {
        value = value > 0 ? value : 0;
      } else if (numbers[at + number] !== value) {
        numbers[at + NodeNumber.WEIGHED] = 0;
      }
      numbers[at + number] = value;
    }
  }

  #advance(): void {
    const { definition, numbers, step } = this, { seconds, rate, live, fires, total, free, clocks } = definition;
    for (let i = 0; i < live.length; i++) {
      live[i] = 0;
      fires[i] = 0;
      total[i] = 0;
    }
    for (let i = 0; i < free.length; i++) {
      const index = free[i]!.index, speed = numbers[free[i]!.at + NodeNumber.SPEED]!;
      seconds[index] = step[0]! * speed;
      rate[index] = speed;
    }
    for (let i = 0; i < clocks.length; i++) {
      const node = clocks[i]!;
      if (node.kind === NodeKind.ONE_SHOT) this.#advanceOneShot(node);
      else advanceSpace(definition, node, numbers, this.weigh(node), step);
    }
  }

  /** Moves the clock of a one-shot and sets its weight. */
  #advanceOneShot(node: GraphNode): void {
    const { numbers, definition } = this, dt = this.step[0]!, at = node.at;
    const shot = node.inputs[1]!, speed = numbers[shot.at + NodeNumber.SPEED]!, duration = shot.track!.clip.duration;
    const active = numbers[at + NodeNumber.ACTIVE] === 1;
    numbers[at + NodeNumber.PLAYED] = active ? 1 : 0;
    definition.seconds[shot.index] = active ? dt * speed : 0;
    definition.rate[shot.index] = speed;
    if (!active) return;
    const clock = numbers[at + NodeNumber.TIME]! + dt, length = duration <= NO_LENGTH ? 0 : duration / speed;
    numbers[at + NodeNumber.TIME] = clock;
    const fades = node.fadeIn + node.fadeOut, scale = fades > length ? length / fades : 1, fadeOut = node.fadeOut * scale;
    if (node.inertial) {
      const plays = clock < length - fadeOut;
      if (!plays && numbers[at + NodeNumber.WEIGHT] === 1 && dt > 0) {
        numbers[at + NodeNumber.WEIGHT] = 0;
        numbers[at + NodeNumber.REQUEST] = fadeOut;
      }
      if (clock >= length && dt > 0) numbers[at + NodeNumber.ACTIVE] = 0;
      return;
    }
    if (clock >= length && dt > 0) {
      numbers[at + NodeNumber.ACTIVE] = 0;
      numbers[at + NodeNumber.WEIGHT] = 0;
      return;
    }
    const fadeIn = node.fadeIn * scale, from = numbers[at + NodeNumber.FROM]!;
    const rise = fadeIn > 0 ? Math.min(1, from + ((1 - from) * clock) / fadeIn) : 1;
    const fall = fadeOut > 0 ? Math.min(1, (length - clock) / fadeOut) : 1;
    numbers[at + NodeNumber.WEIGHT] = Math.max(0, Math.min(rise, fall));
  }

  #weighAll(order: readonly GraphNode[], events: boolean): void {
    const { live, fires, total } = this.definition, root = order[order.length - 1]!.index;
    live[root] = 1;
    fires[root] = events ? 1 : 0;
    total[root] = 1;
    for (let i = order.length - 1; i >= 0; i--) {
      const node = order[i]!, index = node.index;
      this.numbers[node.at + NodeNumber.TOTAL] = total[index]!;
      if (node.kind === NodeKind.CLIP) continue;
      if (node.kind === NodeKind.SPACE_1D || node.kind === NodeKind.SPACE_2D) this.#weighSpace(node);
      else if (node.kind === NodeKind.INERTIALIZE || node.kind === NodeKind.MIRROR) this.#passOn(index, node.inputs[0]!.index);
      else this.#weighPair(node);
    }
  }

  /** Weight of an only input. */
  #passOn(index: number, input: number): void {
    const { live, fires, total } = this.definition;
    if (live[index] === 1) live[input] = 1;
    if (fires[index] === 1) fires[input] = 1;
    if (total[index]! > total[input]!) total[input] = total[index]!;
  }

  #weighPair(node: GraphNode): void {
    const { live, fires, total, low, high, allEvents } = this.definition, index = node.index;
    const base = node.inputs[0]!.index, over = node.inputs[1]!.index, mask = node.mask, additive = node.kind === NodeKind.ADDITIVE;
    const weight = this.numbers[node.at + NodeNumber.WEIGHT]!;
    const least = mask === undefined ? weight : weight * mask.lowest, most = mask === undefined ? weight : weight * mask.highest;
    low[index] = least;
    high[index] = most;
    const hasBase = additive || least < 1, hasOver = most > 0, own = total[index]!;
    if (live[index] === 1 && hasBase) {
      live[base] = 1;
      const share = additive ? own : own * (1 - least);
      if (share > total[base]!) total[base] = share;
    }
    if (live[index] === 1 && hasOver) {
      live[over] = 1;
      const share = own * (most < 1 ? most : 1);
      if (share > total[over]!) total[over] = share;
    }
    if (fires[index] === 0) return;
    // Both inputs of a blend are whole bodies: the heavier reports. What is laid on top is another part, so both do.
    const pair = node.kind !== NodeKind.BLEND || allEvents;
    if (hasBase && (pair || !hasOver || most <= 0.5)) fires[base] = 1;
    if (pair ? hasOver : most > 0.5) fires[over] = 1;
    if (node.kind === NodeKind.ONE_SHOT && this.numbers[node.at + NodeNumber.PLAYED] === 1) fires[over] = 1;
  }

  #weighSpace(node: GraphNode): void {
    const { live, fires, total, allEvents } = this.definition, inputs = node.inputs, weights = this.#weights[node.index]!, own = total[node.index]!;
    const isLive = live[node.index] === 1, reports = fires[node.index] === 1;
    let heaviest = -1;
    for (let i = 0; i < inputs.length; i++) {
      const weight = weights[i]!, input = inputs[i]!.index;
      if (weight <= 0) continue;
      if (heaviest < 0 || weight > weights[heaviest]!) heaviest = i;
      if (isLive) {
        live[input] = 1;
        if (own * weight > total[input]!) total[input] = own * weight;
      }
      if (reports && allEvents) fires[input] = 1;
    }
    if (reports && heaviest >= 0) fires[inputs[heaviest]!.index] = 1;
  }

  #advanceClips(log: EventLog | undefined): void {
    const { seconds, rate, fires, rootBone, clips } = this.definition, numbers = this.numbers;
    for (let i = 0; i < clips.length; i++) {
      const node = clips[i]!, index = node.index;
      PACE[0] = seconds[index]!;
      PACE[1] = rate[index]!;
      node.track!.advance(numbers, node.at + NodeNumber.TIME, node.loop, fires[index] === 1 ? log : undefined, index);
      if (rootBone >= 0) copyRigid(node.track!.motion.delta, 0, this.#deltas, index * RIGID);
    }
  }

  #pose(order: readonly GraphNode[], frame: PoseFrame, out: number): number {
    const { definition, numbers, lod } = this, { live, pose, skeleton } = definition, last = order.length - 1;
    const slots = frame.takeMany(definition.slotCount), poseBytes = frame.poseBytes, rootMotion = definition.rootBone >= 0;
    for (let i = 0; i <= last; i++) {
      const node = order[i]!, index = node.index, kind = node.kind;
      if (live[index] === 0) continue;
      const place = i === last && out !== 0 ? out : slots + node.slot * poseBytes;
      if (kind === NodeKind.CLIP) {
        frame.sample(node.track!, skeleton, numbers, node.at + NodeNumber.TIME, node.loop, lod, place);
        pose[index] = place;
        continue;
      }
      if (kind === NodeKind.SPACE_1D || kind === NodeKind.SPACE_2D) {
        this.#mixPoints(node, frame, place);
        if (rootMotion) this.#mixPointDeltas(node);
      } else if (kind === NodeKind.MIRROR) {
        const input = node.inputs[0]!.index;
        frame.program.mirror(place, pose[input]!, skeleton.bindPtr, node.mirror!.recordsPtr);
        pose[index] = place;
        if (rootMotion) this.#mirrorDelta(node);
      } else if (kind === NodeKind.INERTIALIZE) {
        pose[index] = pose[node.inputs[0]!.index]!;
        if (rootMotion) copyRigid(this.#deltas, node.inputs[0]!.index * RIGID, this.#deltas, index * RIGID);
      } else {
        this.#mixPair(node, frame, place);
        if (rootMotion) this.#mixPairDeltas(node);
      }
      if (node.isInertial) this.#inertialize(node, frame, place);
    }
    const result = pose[order[last]!.index]!;
    if (out === 0 || result === out) return result;
    frame.program.copy(out, result);
    return out;
  }

  #inertialize(node: GraphNode, frame: PoseFrame, place: number): void {
    const { pose } = this.definition, at = node.at, inertia = this.#inertia[node.index]!;
    if (this.numbers[at + NodeNumber.REQUEST]! > 0) {
      inertia.request(this.numbers[at + NodeNumber.REQUEST]!);
      this.numbers[at + NodeNumber.REQUEST] = 0;
    }
    pose[node.index] = inertia.process(frame, pose[node.index]!, place, this.step, this.#updates);
  }

  #mixPair(node: GraphNode, frame: PoseFrame, place: number): void {
    const { pose, low, high, skeleton } = this.definition, index = node.index, program = frame.program;
    const base = pose[node.inputs[0]!.index]!, over = pose[node.inputs[1]!.index]!, mask = node.mask === undefined ? 0 : node.mask.lanesPtr;
    if (high[index]! <= 0) {
      pose[index] = base;
      return;
    }
    if (node.kind !== NodeKind.ADDITIVE && low[index]! >= 1) {
      pose[index] = over;
      return;
    }
    if (node.kind !== NodeKind.ADDITIVE) program.blend(place, base, over, 1, mask);
    else if (node.bindReference) program.addDifference(place, base, over, skeleton.bindPtr, 1, mask);
    else program.add(place, base, over, 1, mask);
    program.weighLastBy(this.numbers, node.at + NodeNumber.WEIGHT);
    pose[index] = place;
  }

  #mixPoints(node: GraphNode, frame: PoseFrame, place: number): void {
    const { pose, skeleton } = this.definition, inputs = node.inputs, weights = this.#weights[node.index]!, program = frame.program;
    let active = 0, only = skeleton.bindPtr;
    for (let i = 0; i < inputs.length; i++) {
      if (weights[i]! <= 0) continue;
      active++;
      only = pose[inputs[i]!.index]!;
    }
    if (active <= 1) {
      pose[node.index] = only;
      return;
    }
    program.beginWeighted(place, skeleton.bindPtr);
    for (let i = 0; i < inputs.length; i++) {
      if (weights[i]! <= 0) continue;
      program.input(pose[inputs[i]!.index]!, 1);
      program.weighLastInput(weights, i);
    }
    pose[node.index] = place;
  }

  /** Root motion goes by the weight at the root motion bone; what is added on top adds its own. */
  #mixPairDeltas(node: GraphNode): void {
    const deltas = this.#deltas, base = node.inputs[0]!.index * RIGID, over = node.inputs[1]!.index * RIGID, to = node.index * RIGID;
    const own = this.numbers[node.at + NodeNumber.WEIGHT]!;
    const weight = node.mask === undefined ? own : own * heap.f32[(node.mask.lanesPtr >>> 2) + this.definition.rootBone]!;
    if (weight <= 0) {
      copyRigid(deltas, base, deltas, to);
    } else if (node.kind === NodeKind.ADDITIVE) {
      SLERP_WEIGHT[0] = Math.min(1, weight);
      mixDeltas(IDENTITY, 0, deltas, over, SCALED, 0);
      for (let i = 0; i < 3; i++) SCALED[i] = deltas[over + i]! * weight;
      addDeltas(deltas, base, SCALED, 0, deltas, to);
    } else if (weight >= 1) {
      copyRigid(deltas, over, deltas, to);
    } else {
      SLERP_WEIGHT[0] = weight;
      mixDeltas(deltas, base, deltas, over, deltas, to);
    }
  }

  #mirrorDelta(node: GraphNode): void {
    const { rootBone, rootMode } = this.definition, to = node.index * RIGID;
    copyRigid(this.#deltas, node.inputs[0]!.index * RIGID, this.#deltas, to);
    node.mirror!.mirrorDelta(rootBone, rootMode.space === "local" && rootMode.rotation === "full", this.#deltas, to);
  }

  #mixPointDeltas(node: GraphNode): void {
    const deltas = this.#deltas, inputs = node.inputs, weights = this.#weights[node.index]!, to = node.index * RIGID;
    let sum = 0;
    setIdentity(deltas, to);
    for (let i = 0; i < inputs.length; i++) {
      const weight = weights[i]!;
      if (weight <= 0) continue;
      sum += weight;
      SLERP_WEIGHT[0] = weight / sum;
      mixDeltas(deltas, to, deltas, inputs[i]!.index * RIGID, deltas, to);
    }
  }

  /** How long a pass of the root takes, and whether it loops: what exit times of a state are measured by. */
  #measure(root: GraphNode): void {
    let node = root;
    while (node.kind !== NodeKind.CLIP && !node.isSpace) node = node.inputs[0]!;
    if (node.kind === NodeKind.CLIP) {
      const duration = node.track!.clip.duration;
      this.pass[0] = duration <= NO_LENGTH ? 0 : duration / this.numbers[node.at + NodeNumber.SPEED]!;
      this.pass[1] = node.loop ? 1 : 0;
      return;
    }
    this.pass[0] = this.definition.seconds[node.index]!;
    this.pass[1] = 1;
    for (let i = 0; i < node.inputs.length; i++) {
      const input = node.inputs[i]!;
      if (input.kind === NodeKind.CLIP && !input.loop) this.pass[1] = 0;
    }
  }
}
