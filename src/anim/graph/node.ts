/** Nodes of an animation graph: what all instances of the graph share. @internal */
import { LineWeights, PlaneWeights } from "./blend-space.js";
import { BandWeights } from "./gradient-band.js";
import type { AnimMirror } from "../rig/mirror.js";
import type { AnimBoneMask } from "./bone-mask.js";
import type { ClipTrack } from "./clip-track.js";

export const enum NodeKind {
  CLIP = 0,
  BLEND = 1,
  ADDITIVE = 2,
  LAYER = 3,
  ONE_SHOT = 4,
  SPACE_1D = 5,
  SPACE_2D = 6,
  INERTIALIZE = 7,
  MIRROR = 8,
}

export const KIND_NAMES = ["clip", "blend", "additive", "layer", "one-shot", "1D blend space", "2D blend space", "inertialize", "mirror"] as const;

/** How clips of a blend space keep step. */
export type BlendSpaceSync = "phase" | "markers" | "none";

/** Weight of what is added, at most: beyond it, float32 has no digits left for the angle that a rotation is turned by. */
export const MOST_ADDED = 1e6;

/**
 * How the points of a blend space on a plane share the weight: the three corners of the triangle around the position; all points, by
 * bands across the ways to each other; the same with ways measured by direction and speed.
 */
export type BlendSpaceMode = "delaunay" | "gradientBand" | "directional";

/** Clips up to this long have no length. */
export const NO_LENGTH = 1e-8;

/** Numbers that an instance keeps of a clip, and of any other node. Clips are many, so theirs are few. */
export const CLIP_NUMBERS = 4;
export const NODE_NUMBERS = 8;

/** Which number is what; some places serve two kinds. */
export const enum NodeNumber {
  /** Weight along the heaviest path in the last update. */
  TOTAL = 0,
  /** Unwrapped clip time; clock of a one-shot; completed passes of a blend space. */
  TIME = 1,
  /** Of a clip: 1 until it has passed something. Must follow TIME. */
  FRESH = 2,
  /** Of a one-shot: whether it plays. */
  ACTIVE = 2,
  /** Of a clip. */
  SPEED = 3,
  /** Of a blend space: the position. */
  X = 3,
  Y = 4,
  /** Of a one-shot: weight when it was triggered. */
  FROM = 3,
  /** Of a blend space: whether the weights are those of the position. */
  WEIGHED = 5,
  /** Of an inertialize node: seconds of the transition asked for, 0 for none. Of an inertial one-shot likewise. */
  REQUEST = 5,
  /** Of a blend, layer or additive node; of a one-shot that of the moment. */
  WEIGHT = 6,
  /** Of a one-shot: whether it was active when the step began. */
  PLAYED = 7,
}

/** One class for all kinds, so that the loops over nodes see one shape. */
export class GraphNode {
  name = "";
  /** Poses that feed the node: base first; of a blend space, those of its points. */
  readonly inputs: GraphNode[] = [];
  /** Weights per bone; undefined is 1 everywhere. */
  mask: AnimBoneMask | undefined;
  /** The mask was made for this node: it may be edited through the node and goes with it. */
  ownsMask = false;
  bindReference = false;
  /** Of a mirror node, which disposes it if it made it. */
  mirror: AnimMirror | undefined;
  ownsMirror = false;
  /** Weight of a new instance. */
  weight = 1;

  /** Of a clip: what moves its clock instead of the node itself, the first synchronised blend space or its one-shot. */
  driver: GraphNode | undefined;

  /** Of a one-shot. */
  fadeIn = 0;
  fadeOut = 0;
  /** Switches instead of fading; the difference dies away. */
  inertial = false;

  /** Of a blend space. */
  readonly xs: number[] = [];
  readonly ys: number[] = [];
  sync: BlendSpaceSync = "phase";
  shape: LineWeights | PlaneWeights | BandWeights | undefined;
  mode: BlendSpaceMode = "delaunay";
  built = true;

  // What the compiled order knows.
  /** Stamp of the compilation that reached the node. */
  reached = 0;
  /** Links to it from nodes that were reached. */
  consumers = 0;
  /** Index of its pose among the graph's. */
  slot = 0;

  /** Place of its numbers among those of an instance. */
  at = 0;

  constructor(readonly kind: NodeKind, readonly index: number, readonly track: ClipTrack | undefined) {
    if (kind === NodeKind.SPACE_1D) this.shape = new LineWeights();
    if (kind === NodeKind.SPACE_2D) this.shape = new PlaneWeights();
    if (kind === NodeKind.ONE_SHOT) this.weight = 0;
  }

  get isSpace(): boolean {
    return this.kind === NodeKind.SPACE_1D || this.kind === NodeKind.SPACE_2D;
  }

  /** Whether its pose goes through an inertializer. */
  get isInertial(): boolean {
    return this.kind === NodeKind.INERTIALIZE || this.inertial;
  }

  /** Of a clip: a one-shot plays any clip once. */
  get loop(): boolean {
    return !(this.driver !== undefined && this.driver.kind === NodeKind.ONE_SHOT) && this.track!.clip.loop;
  }

  setMode(mode: BlendSpaceMode): void {
    this.mode = mode;
    this.shape = mode === "delaunay" ? new PlaneWeights() : new BandWeights(mode === "directional");
    this.built = false;
  }

  /** Brings the shape of a blend space up to date with its points. */
  build(): void {
    if (this.built) return;
    if (this.shape instanceof LineWeights) this.shape.build(this.xs);
    else this.shape?.build(this.xs, this.ys);
    this.built = true;
  }
}
