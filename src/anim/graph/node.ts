/** Nodes of an animation graph: their settings and what one update finds out about them. @internal */
import type { ClipVoice } from "../rig/clip-voice.js";
import { RIGID, setIdentity } from "../rig/rigid.js";
import type { AnimBoneMask } from "./bone-mask.js";
import { LineWeights, PlaneWeights } from "./blend-space.js";

export type NodeKind = "clip" | "blend" | "additive" | "layer" | "one-shot" | "1D blend space" | "2D blend space";

/** Clips up to this long have no length. */
export const NO_LENGTH = 1e-8;

export class GraphNode {
  /** Poses that feed the node: base first; of a blend space, those of its points. */
  readonly inputs: GraphNode[] = [];
  weight = 1;
  /** Weights per bone; undefined is 1 everywhere. */
  mask: AnimBoneMask | undefined;
  /** The mask was made for this node: it may be edited through the node and goes with it. */
  ownsMask = false;
  bindReference = false;

  // What the compiled order knows.
  /** Stamp of the compilation that reached the node. */
  reached = 0;
  /** Links to it from nodes that were reached. */
  consumers = 0;
  /** Index of its pose among the graph's. */
  slot = 0;

  // One update.
  /** Whether its pose is needed. */
  live = false;
  /** Whether its clips report events. */
  fires = false;
  /** Weight along the heaviest path from the root. */
  total = 0;
  /** Smallest and largest weight of the second input over all bones. */
  low = 0;
  high = 0;
  /** Address of its pose. */
  pose = 0;
  /** Root motion of the step. */
  readonly delta = new Float64Array(RIGID);

  constructor(readonly kind: NodeKind, readonly index: number) {
    setIdentity(this.delta, 0);
  }
}

export class ClipNode extends GraphNode {
  speed = 1;
  /** What moves its clock instead of the node itself: the first synchronised blend space, or its one-shot. */
  driver: SpaceNode | OneShotNode | undefined;

  constructor(index: number, readonly voice: ClipVoice) {
    super("clip", index);
  }

  /** A one-shot plays any clip once. */
  get loop(): boolean {
    return !(this.driver instanceof OneShotNode) && this.voice.clip!.loop;
  }

  /** Seconds that one pass takes; Infinity at speed 0. */
  get seconds(): number {
    const duration = this.voice.clip!.duration;
    return duration <= NO_LENGTH ? 0 : duration / this.speed;
  }
}

/** A clip over a base: idle, fading in, full, fading out, idle. `weight` is the weight of the moment. */
export class OneShotNode extends GraphNode {
  active = false;
  /** Whether it was active when the step began: the end of the clip still reports its events. */
  played = false;
  #clock = 0;
  #from = 0;

  constructor(index: number, readonly shot: ClipNode, readonly fadeIn: number, readonly fadeOut: number) {
    super("one-shot", index);
    this.weight = 0;
  }

  trigger(): void {
    this.#from = this.active ? this.weight : 0;
    this.#clock = 0;
    this.active = true;
    this.shot.voice.start(this.shot.voice.clip, 0, false);
  }

  /** Moves the clock by step[0] seconds and sets the weight. */
  advance(step: Float64Array): void {
    const dt = step[0]!, shot = this.shot;
    this.played = this.active;
    shot.voice.seconds = this.active ? dt * shot.speed : 0;
    shot.voice.rate = shot.speed;
    if (!this.active) return;
    this.#clock += dt;
    const length = shot.seconds, clock = this.#clock;
    if (clock >= length && dt > 0) {
      this.active = false;
      this.weight = 0;
      return;
    }
    const fades = this.fadeIn + this.fadeOut, scale = fades > length ? length / fades : 1;
    const fadeIn = this.fadeIn * scale, fadeOut = this.fadeOut * scale;
    const rise = fadeIn > 0 ? Math.min(1, this.#from + ((1 - this.#from) * clock) / fadeIn) : 1;
    const fall = fadeOut > 0 ? Math.min(1, (length - clock) / fadeOut) : 1;
    this.weight = Math.max(0, Math.min(rise, fall));
  }
}

/** Inputs at points; those that are clips run in step by default. */
export class SpaceNode extends GraphNode {
  readonly xs: number[] = [];
  readonly ys: number[] = [];
  /** Weights of the points at the position. */
  weights = new Float64Array(0);
  synchronised = true;
  readonly #line: LineWeights | undefined;
  readonly #plane: PlaneWeights | undefined;
  readonly #at: Float64Array;
  #built = true;
  #weighed = true;
  /** Completed passes of the inputs, fraction included: in an array, which takes doubles without a box. */
  readonly #phase = new Float64Array(1);

  constructor(index: number, dimensions: 1 | 2) {
    super(dimensions === 1 ? "1D blend space" : "2D blend space", index);
    if (dimensions === 1) this.#at = (this.#line = new LineWeights()).at;
    else this.#at = (this.#plane = new PlaneWeights()).at;
  }

  addPoint(x: number, y: number, node: GraphNode): number {
    this.xs.push(x);
    this.ys.push(y);
    this.inputs.push(node);
    this.weights = new Float64Array(this.xs.length);
    this.#built = false;
    return this.xs.length - 1;
  }

  setPosition(x: number, y: number): void {
    if (this.#at[0] === x && (this.#plane === undefined || this.#at[1] === y)) return;
    this.#at[0] = x;
    if (this.#plane !== undefined) this.#at[1] = y;
    this.#weighed = false;
  }

  /** Brings the weights up to date. */
  weigh(): void {
    if (!this.#built) {
      this.#line?.build(this.xs);
      this.#plane?.build(this.xs, this.ys);
      this.#built = true;
      this.#weighed = false;
    }
    if (this.#weighed) return;
    this.#line?.weighHere(this.weights);
    this.#plane?.weighHere(this.weights);
    this.#weighed = true;
  }

  /**
   * Moves the common phase by step[0] seconds and tells the clips that it drives how far to go. One pass takes the
   * weighted mean of what the clips take.
   */
  advance(step: Float64Array): void {
    this.weigh();
    if (!this.synchronised) return;
    const dt = step[0]!, inputs = this.inputs, weights = this.weights;
    let sum = 0, seconds = 0;
    for (let i = 0; i < inputs.length; i++) {
      const input = inputs[i]!;
      if (!(input instanceof ClipNode) || weights[i]! <= 0) continue;
      sum += weights[i]!;
      seconds += weights[i]! * input.seconds;
    }
    const before = this.#phase[0]!, after = seconds > 0 ? before + (dt * sum) / seconds : before;
    this.#phase[0] = after;
    for (let i = 0; i < inputs.length; i++) {
      const input = inputs[i]!;
      if (!(input instanceof ClipNode) || input.driver !== this) continue;
      const voice = input.voice, clip = voice.clip!, duration = clip.duration;
      if (duration <= NO_LENGTH) {
        voice.seconds = dt * input.speed;
      } else {
        const from = (clip.loop ? before : Math.min(1, before)) * duration;
        // The clip was edited, or is new here. Else the clock stays as it is, rounding included, so that no event is
        // passed twice or not at all.
        if (Math.abs(voice.time - from) > 1e-6 * (duration + from)) voice.time = from;
        voice.seconds = Math.max(0, (clip.loop ? after : Math.min(1, after)) * duration - voice.time);
      }
      voice.rate = dt > 0 ? voice.seconds / dt : 0;
    }
  }
}
