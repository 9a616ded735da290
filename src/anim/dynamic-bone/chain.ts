/** One chain of a dynamic bone solver: its settings and the state of its particles. @internal */

import { requireFinite, requireLength, requireShare } from "../rig/checks.js";
import { multiplyRotations, rotationDifference } from "../rig/rigid.js";
import { rotateVector } from "./rotation.js";

const TURN = /* @__PURE__ */ new Float64Array(4);
const V = /* @__PURE__ */ new Float64Array(3);

/** Axis of a head bone that its particle may not leave the rest position along. */
export type FreezeAxis = "none" | "x" | "y" | "z";

/** "rod": the engine's own model. "vrm": the joints of VRM 1.0. */
export type ChainModel = "rod" | "vrm";

/** One joint of a chain in VRM mode: the settings of a head. */
export interface VrmJoint {
  /** Pull towards the rest direction, in lengths a second; 0 or more. Default 1. */
  stiffness?: number;
  /** Length of the pull of gravity, in lengths a second. Default 0. */
  gravityPower?: number;
  /** Its direction in the world. Default (0, -1, 0). */
  gravityDir?: readonly [number, number, number];
  /** 0..1, velocity lost per step. Default 0.5. */
  dragForce?: number;
  /** Radius of the tail, 0 or more. Default 0. */
  hitRadius?: number;
}

const DEFAULT_JOINT: Required<VrmJoint> = { stiffness: 1, gravityPower: 0, gravityDir: [0, -1, 0], dragForce: 0.5, hitRadius: 0 };

export class Chain {
  enabled = true;
  model: ChainModel = "rod";
  /** In VRM mode: settings of every head; what is missing takes the defaults. */
  readonly joints: Required<VrmJoint>[] = [];
  /** In VRM mode: the bone that inertia is relative to, -1 for the world. */
  center = -1;
  /** Its place and rotation (seven numbers): of this update, of the last step, and in between. */
  readonly C = new Float64Array(7);
  readonly fromC = new Float64Array(7);
  readonly atC = new Float64Array(7);
  freezeAxis: FreezeAxis = "none";
  selfCollision = false;
  damping = 0.1;
  elasticity = 0.05;
  stiffness = 0.1;
  radius = 0.02;
  friction = 0;
  gravityScale = 1;
  /** Local offset of the end particle on the last bone, or undefined. */
  end: readonly [number, number, number] | undefined;

  /** Whether the particles have places. */
  started = false;
  asleep = false;
  /** 0 asleep .. 1 awake; scales the weight. */
  presence = 1;
  /** Whether this update moved the anchor too far to be followed. */
  teleported = false;

  /** Particles: one a bone, and the end. */
  count = 0;
  /** Positions now and a step ago. */
  x!: Float64Array;
  old!: Float64Array;
  /** Simulated rotations of the heads, four a particle. */
  S!: Float64Array;
  /** Animated positions and rotations: of this update, of the last step, and in between. */
  A!: Float64Array;
  R!: Float64Array;
  fromA!: Float64Array;
  fromR!: Float64Array;
  atA!: Float64Array;
  atR!: Float64Array;
  readonly lastAnchor = new Float64Array(3);
  /** Length of the animated chain, when it was last measured. */
  readonly length = new Float64Array(1);
  touched!: Uint8Array;

  /**
   * @param bones - root to tip, each the parent of the next
   * @param level - how many other chains it hangs on
   */
  constructor(readonly bones: Int32Array, public level: number) {
    this.fit();
  }

  /** Arrays for the bones and the end; the simulation starts anew. */
  fit(): void {
    const count = this.bones.length + (this.end === undefined ? 0 : 1);
    this.started = false;
    if (count === this.count) return;
    this.count = count;
    this.x = new Float64Array(count * 3);
    this.old = new Float64Array(count * 3);
    this.S = new Float64Array(count * 4);
    this.A = new Float64Array(count * 3);
    this.R = new Float64Array(count * 4);
    this.fromA = new Float64Array(count * 3);
    this.fromR = new Float64Array(count * 4);
    this.atA = new Float64Array(count * 3);
    this.atR = new Float64Array(count * 4);
    this.touched = new Uint8Array(count);
  }

  /** Puts the particles on the animation, at rest. */
  start(): void {
    this.x.set(this.A);
    this.old.set(this.A);
    this.S.set(this.R);
    this.fromA.set(this.A);
    this.fromR.set(this.R);
    this.atA.set(this.A);
    this.atR.set(this.R);
    this.fromC.set(this.C);
    this.atC.set(this.C);
    this.touched.fill(0);
    for (let k = 0; k < 3; k++) this.lastAnchor[k] = this.A[k]!;
    this.started = true;
  }

  /** Takes shape and motion rigidly along with an anchor that jumped; what follows sees it at rest. */
  carryAlong(): void {
    const { x, old, A, R, S, atA, atR, fromA, fromR } = this;
    rotationDifference(R, 0, atR, 0, TURN, 0);
    const px = atA[0]!, py = atA[1]!, pz = atA[2]!;
    for (let pass = 0; pass < 2; pass++) {
      const points = pass === 0 ? x : old;
      for (let i = 0; i < points.length; i += 3) {
        V[0] = points[i]! - px;
        V[1] = points[i + 1]! - py;
        V[2] = points[i + 2]! - pz;
        rotateVector(TURN, 0, V, 0, V, 0);
        for (let k = 0; k < 3; k++) points[i + k] = A[k]! + V[k]!;
      }
    }
    for (let i = 0; i < S.length; i += 4) multiplyRotations(TURN, 0, S, i, S, i);
    fromA.set(A);
    fromR.set(R);
    atA.set(A);
    atR.set(R);
    this.fromC.set(this.C);
    this.atC.set(this.C);
  }

  /** Settings of a head in VRM mode. */
  joint(head: number): Required<VrmJoint> {
    return this.joints[head] ?? DEFAULT_JOINT;
  }

  /** Measures the animated chain into `length`. */
  measure(): void {
    const { A } = this;
    let sum = 0;
    for (let i = 3; i < this.count * 3; i += 3) sum += Math.sqrt((A[i]! - A[i - 3]!) ** 2 + (A[i + 1]! - A[i - 2]!) ** 2 + (A[i + 2]! - A[i - 1]!) ** 2);
    this.length[0] = sum;
  }
}

/** @throws AnimArgumentError */
export function requireParameters(method: string, damping: number, elasticity: number, stiffness: number, radius: number, friction: number, gravityScale: number): void {
  requireShare(method, "damping", damping);
  requireShare(method, "elasticity", elasticity);
  requireShare(method, "stiffness", stiffness);
  requireLength(method, "radius", radius);
  requireShare(method, "friction", friction);
  requireFinite(method, "gravityScale", gravityScale);
}
