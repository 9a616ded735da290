/**
 * One step of the particles of chains: inertia of the anchor, Verlet integration, constraints from root to tip. In plain
 * TypeScript on Float64Arrays: chains are short, and every particle needs the one before it. @internal
 */
import { multiplyRotations, rotationDifference } from "../rig/rigid.js";
import { SLERP_WEIGHT, slerpByWeight } from "../rig/track-sample.js";
import type { Chain } from "./chain.js";
import { type Collider, PARTICLE, pushOut, slideOut } from "./colliders.js";
import { inverseMultiply, rotateVector, shortestArc } from "./rotation.js";

/** What all chains of a solver share during a step. */
export interface StepForces {
  /** Seconds. */
  h: number;
  readonly gravity: Float64Array;
  readonly force: Float64Array;
  positionResponse: number;
  rotationResponse: number;
  objectResponse: number;
  /** Motion of the object transform in this step. */
  readonly objectMove: Float64Array;
}

const TURN = /* @__PURE__ */ new Float64Array(4);
const IDENTITY = /* @__PURE__ */ Float64Array.of(0, 0, 0, 1);
const B = /* @__PURE__ */ new Float64Array(4);
const E = /* @__PURE__ */ new Float64Array(3);
const BE = /* @__PURE__ */ new Float64Array(3);
const V = /* @__PURE__ */ new Float64Array(3);
/** |e| of the particle in hand: doubles in arguments and results are boxed where a call is not inlined. */
const LENGTH = /* @__PURE__ */ new Float64Array(1);

/** Brings the anchors of a chain to a fraction of the way, and its particles along as far as the responses want. */
export function moveAnchor(chain: Chain, fraction: number, forces: StepForces): void {
  const { atA, atR, fromA, fromR, A, R, x, old } = chain;
  const px = atA[0]!, py = atA[1]!, pz = atA[2]!;
  for (let k = 0; k < 4; k++) TURN[k] = atR[k]!;
  for (let i = 0; i < atA.length; i++) atA[i] = fromA[i]! + (A[i]! - fromA[i]!) * fraction;
  for (let i = 0; i < chain.count; i++) {
    SLERP_WEIGHT[0] = fraction;
    slerpByWeight(fromR, i * 4, R, i * 4, atR, i * 4);
  }
  rotationDifference(atR, 0, TURN, 0, TURN, 0);
  SLERP_WEIGHT[0] = 1 - forces.rotationResponse;
  slerpByWeight(IDENTITY, 0, TURN, 0, TURN, 0);
  const free = 1 - forces.positionResponse, carried = forces.positionResponse - forces.objectResponse;
  // (1 - object) d_object + (1 - position) (d - d_object); a teleport has no object motion left.
  const object = chain.teleported ? 0 : carried;
  const shift0 = free * (atA[0]! - px) + object * forces.objectMove[0]!;
  const shift1 = free * (atA[1]! - py) + object * forces.objectMove[1]!;
  const shift2 = free * (atA[2]! - pz) + object * forces.objectMove[2]!;
  for (let i = 3; i < chain.count * 3; i += 3) {
    for (let pass = 0; pass < 2; pass++) {
      const points = pass === 0 ? x : old;
      V[0] = points[i]! - px;
      V[1] = points[i + 1]! - py;
      V[2] = points[i + 2]! - pz;
      rotateVector(TURN, 0, V, 0, V, 0);
      points[i] = px + V[0]! + shift0;
      points[i + 1] = py + V[1]! + shift1;
      points[i + 2] = pz + V[2]! + shift2;
    }
  }
  for (let k = 0; k < 3; k++) x[k] = old[k] = atA[k]!;
}

/** Verlet integration; damping is lost velocity per 1/60 s. */
export function integrate(chain: Chain, forces: StepForces): void {
  const { x, old, touched } = chain, { gravity, force, h } = forces, power = 60 * h, hh = h * h;
  const free = (1 - Math.min(1, chain.damping)) ** power, rubbed = (1 - Math.min(1, chain.damping + chain.friction)) ** power;
  for (let i = 1; i < chain.count; i++) {
    const keep = touched[i] === 1 ? rubbed : free;
    for (let k = 0; k < 3; k++) {
      const at = i * 3 + k, now = x[at]!;
      x[at] = now + (now - old[at]!) * keep + (gravity[k]! * chain.gravityScale + force[k]!) * hh;
      old[at] = now;
    }
    touched[i] = 0;
  }
}

/** Pulls particles towards their rest, keeps them on their axis, out of colliders and at their distance. */
export function constrain(chain: Chain, colliders: readonly Collider[], forces: StepForces): void {
  const { x, S } = chain, pull = 1 - (1 - chain.elasticity) ** (60 * forces.h);
  const axis = chain.freezeAxis === "none" ? -1 : chain.freezeAxis === "x" ? 0 : chain.freezeAxis === "y" ? 1 : 2;
  for (let i = 1; i < chain.count; i++) {
    const o = i * 3, head = o - 3, length = (restDirection(chain, i), LENGTH[0]!);
    if (length < 1e-8) {
      collapse(chain, i);
      continue;
    }
    const rx = x[head]! + BE[0]!, ry = x[head + 1]! + BE[1]!, rz = x[head + 2]! + BE[2]!;
    let dx = (x[o]! - rx) * (1 - pull), dy = (x[o + 1]! - ry) * (1 - pull), dz = (x[o + 2]! - rz) * (1 - pull);
    if (chain.stiffness > 0) {
      const limit = 2 * length * (1 - chain.stiffness), off = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (off > limit) {
        dx *= limit / off;
        dy *= limit / off;
        dz *= limit / off;
      }
    }
    if (axis >= 0) {
      V.fill(0);
      V[axis] = 1;
      rotateVector(B, 0, V, 0, V, 0);
      const along = V[0]! * dx + V[1]! * dy + V[2]! * dz;
      dx -= V[0]! * along;
      dy -= V[1]! * along;
      dz -= V[2]! * along;
    }
    x[o] = rx + dx;
    x[o + 1] = ry + dy;
    x[o + 2] = rz + dz;
    PARTICLE[0] = chain.radius;
    PARTICLE[1] = length;
    for (let c = 0; c < colliders.length; c++) {
      const collider = colliders[c]!;
      if (!collider.enabled || !pushOut(collider, x, o)) continue;
      chain.touched[i] = 1;
      keepLength(x, o);
      slideOut(collider, x, o);
    }
    keepLength(x, o);
    pointHead(chain, i);
  }
  // The last rotation is that of no head; it follows the one before.
  const last = chain.count - 1;
  if (last > 0) for (let k = 0; k < 4; k++) S[last * 4 + k] = S[last * 4 - 4 + k]!;
}

/**
 * A step of a chain in VRM mode, root to tip: every tail keeps its motion less the drag, is pulled towards the rest direction
 * and by gravity, and is kept at its length and out of colliders. With a centre, its motion is that relative to the centre, which takes
 * the particles along. Source: VRMC_springBone 1.0.
 */
export function swing(chain: Chain, fraction: number, colliders: readonly Collider[], h: number): void {
  const { x, old, S, atA, atR, fromA, fromR, A, R } = chain;
  for (let i = 0; i < atA.length; i++) atA[i] = fromA[i]! + (A[i]! - fromA[i]!) * fraction;
  for (let i = 0; i < chain.count; i++) {
    SLERP_WEIGHT[0] = fraction;
    slerpByWeight(fromR, i * 4, R, i * 4, atR, i * 4);
  }
  for (let k = 0; k < 3; k++) x[k] = old[k] = atA[k]!;
  if (chain.center >= 0) followCenter(chain, fraction);
  for (let i = 1; i < chain.count; i++) {
    const o = i * 3, joint = chain.joint(i - 1), length = (restDirection(chain, i), LENGTH[0]!);
    if (length < 1e-8) {
      collapse(chain, i);
      continue;
    }
    const pull = (joint.stiffness * h) / length, keep = 1 - joint.dragForce;
    for (let k = 0; k < 3; k++) {
      const now = x[o + k]!;
      x[o + k] = now + (now - old[o + k]!) * keep + BE[k]! * pull + joint.gravityDir[k]! * joint.gravityPower * h;
      old[o + k] = now;
    }
    keepLength(x, o);
    PARTICLE[0] = joint.hitRadius;
    for (let c = 0; c < colliders.length; c++) if (colliders[c]!.enabled && pushOut(colliders[c]!, x, o)) keepLength(x, o);
    pointHead(chain, i);
  }
  const last = chain.count - 1;
  if (last > 0) for (let k = 0; k < 4; k++) S[last * 4 + k] = S[last * 4 - 4 + k]!;
}

/** Brings the centre to a fraction of the way, and the particles along with it, now and a step ago alike. */
function followCenter(chain: Chain, fraction: number): void {
  const { x, old, C, fromC, atC } = chain, px = atC[0]!, py = atC[1]!, pz = atC[2]!;
  for (let k = 0; k < 4; k++) TURN[k] = atC[3 + k]!;
  for (let k = 0; k < 3; k++) atC[k] = fromC[k]! + (C[k]! - fromC[k]!) * fraction;
  SLERP_WEIGHT[0] = fraction;
  slerpByWeight(fromC, 3, C, 3, atC, 3);
  rotationDifference(atC, 3, TURN, 0, TURN, 0);
  for (let pass = 0; pass < 2; pass++) {
    const points = pass === 0 ? x : old;
    for (let i = 3; i < chain.count * 3; i += 3) {
      V[0] = points[i]! - px;
      V[1] = points[i + 1]! - py;
      V[2] = points[i + 2]! - pz;
      rotateVector(TURN, 0, V, 0, V, 0);
      for (let k = 0; k < 3; k++) points[i + k] = atC[k]! + V[k]!;
    }
  }
}

/** Lengths and rotations once more, after particles were moved apart. */
export function restoreLengths(chain: Chain): void {
  for (let i = 1; i < chain.count; i++) {
    const length = (restDirection(chain, i), LENGTH[0]!);
    if (length < 1e-8) {
      collapse(chain, i);
      continue;
    }
    keepLength(chain.x, i * 3);
    pointHead(chain, i);
  }
}

/** Fills B and B e of particle i, and LENGTH with |e|. */
function restDirection(chain: Chain, i: number): void {
  const { atA, atR, S } = chain, j = i - 1, o = i * 3, head = o - 3;
  E[0] = atA[o]! - atA[head]!;
  E[1] = atA[o + 1]! - atA[head + 1]!;
  E[2] = atA[o + 2]! - atA[head + 2]!;
  LENGTH[0] = Math.sqrt(E[0] * E[0] + E[1] * E[1] + E[2] * E[2]);
  if (j === 0) for (let k = 0; k < 4; k++) B[k] = atR[k]!;
  else {
    inverseMultiply(atR, (j - 1) * 4, atR, j * 4, B, 0);
    multiplyRotations(S, (j - 1) * 4, B, 0, B, 0);
  }
  // B conj(R_j) (A_i - A_j)
  V[0] = E[0];
  V[1] = E[1];
  V[2] = E[2];
  for (let k = 0; k < 3; k++) TURN[k] = -atR[j * 4 + k]!;
  TURN[3] = atR[j * 4 + 3]!;
  rotateVector(TURN, 0, V, 0, V, 0);
  rotateVector(B, 0, V, 0, BE, 0);
}

/** A particle without a distance of its own lies on its head. */
function collapse(chain: Chain, i: number): void {
  for (let k = 0; k < 3; k++) chain.x[i * 3 + k] = chain.x[i * 3 - 3 + k]!;
  for (let k = 0; k < 4; k++) chain.S[(i - 1) * 4 + k] = B[k]!;
}

/** Puts a particle at LENGTH from its head. */
function keepLength(x: Float64Array, o: number): void {
  const dx = x[o]! - x[o - 3]!, dy = x[o + 1]! - x[o - 2]!, dz = x[o + 2]! - x[o - 1]!;
  const found = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (found > 1e-12) {
    const scale = LENGTH[0]! / found;
    x[o] = x[o - 3]! + dx * scale;
    x[o + 1] = x[o - 2]! + dy * scale;
    x[o + 2] = x[o - 1]! + dz * scale;
  } else for (let k = 0; k < 3; k++) x[o + k] = x[o - 3 + k]! + BE[k]!;
}

/** Turns the head of particle i towards it. */
function pointHead(chain: Chain, i: number): void {
  const { x } = chain, o = i * 3;
  for (let k = 0; k < 3; k++) V[k] = x[o + k]! - x[o - 3 + k]!;
  shortestArc(BE, 0, V, 0, TURN, 0);
  multiplyRotations(TURN, 0, B, 0, chain.S, (i - 1) * 4);
}

/** Moves particles of chains that collide with each other apart, in index order, and restores the lengths. */
export function separate(chains: readonly Chain[]): void {
  let moved = 0;
  for (let a = 0; a < chains.length; a++) {
    for (let i = 1; i < chains[a]!.count; i++) {
      for (let b = a; b < chains.length; b++) {
        for (let j = b === a ? i + 2 : 1; j < chains[b]!.count; j++) moved += separatePair(chains[a]!, i, chains[b]!, j);
      }
    }
  }
  if (moved === 0) return;
  for (const chain of chains) if (chain.touched.includes(2)) restoreLengths(chain);
  for (const chain of chains) for (let i = 0; i < chain.count; i++) if (chain.touched[i] === 2) chain.touched[i] = 1;
}

function separatePair(a: Chain, i: number, b: Chain, j: number): number {
  const x = a.x, y = b.x, o = i * 3, p = j * 3, reach = a.radius + b.radius;
  const dx = y[p]! - x[o]!;
  if (dx >= reach || dx <= -reach) return 0;
  const dy = y[p + 1]! - x[o + 1]!, dz = y[p + 2]! - x[o + 2]!, distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (distance >= reach || distance < 1e-12) return 0;
  const half = (reach - distance) / (2 * distance);
  x[o] = x[o]! - dx * half;
  x[o + 1] = x[o + 1]! - dy * half;
  x[o + 2] = x[o + 2]! - dz * half;
  y[p] = y[p]! + dx * half;
  y[p + 1] = y[p + 1]! + dy * half;
  y[p + 2] = y[p + 2]! + dz * half;
  // 2: touched in this pass, so that its chain is restored.
  a.touched[i] = 2;
  b.touched[j] = 2;
  return 1;
}
