import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimIndexError, AnimPose, AnimSkeleton, AnimStateError, DynamicBoneSolver } from "../../../src/anim/index.js";
import { randomQuaternion, seeded } from "../rig/golden.js";

type Q4 = number[];
const SEGMENT = 0.1, STEP = 1 / 60, JOINT = { stiffness: 0.8, gravityPower: 0.6, dragForce: 0.2 };

/** hips, head, and three bones of hair behind it. */
function rig(): { skeleton: AnimSkeleton; pose: AnimPose; solver: DynamicBoneSolver } {
  const skeleton = new AnimSkeleton(), pose = new AnimPose();
  skeleton.addBone("hips");
  skeleton.addBone("head", 0);
  skeleton.setBindPosition(1, 0.1, 0.7, 0);
  for (let i = 0; i < 3; i++) {
    skeleton.addBone(`hair${i}`, i + 1);
    skeleton.setBindPosition(i + 2, 0, 0, -SEGMENT);
  }
  skeleton.applyBindPose(pose);
  const solver = new DynamicBoneSolver(skeleton);
  solver.addChain(2);
  solver.setChainModel(0, "vrm");
  solver.setChainVrmParameters(0, -1, JOINT);
  solver.setTeleportThreshold(1e9);
  return { skeleton, pose, solver };
}

function particles(solver: DynamicBoneSolver): number[][] {
  return Array.from({ length: solver.getChainParticleCount(0) }, (_, i) => {
    const out = [0, 0, 0];
    solver.getChainParticle(0, i, out);
    return out;
  });
}

const multiply = (a: Q4, b: Q4): Q4 => [
  a[3]! * b[0]! + a[0]! * b[3]! + a[1]! * b[2]! - a[2]! * b[1]!, a[3]! * b[1]! - a[0]! * b[2]! + a[1]! * b[3]! + a[2]! * b[0]!,
  a[3]! * b[2]! + a[0]! * b[1]! - a[1]! * b[0]! + a[2]! * b[3]!, a[3]! * b[3]! - a[0]! * b[0]! - a[1]! * b[1]! - a[2]! * b[2]!,
];
const conjugate = (q: Q4): Q4 => [-q[0]!, -q[1]!, -q[2]!, q[3]!];
const rotate = (q: Q4, v: number[]): number[] => multiply(multiply(q, [...v, 0]), conjugate(q)).slice(0, 3);
const add = (a: number[], b: number[], k = 1): number[] => a.map((v, i) => v + k * b[i]!);
const distance = (a: number[], b: number[]): number => Math.hypot(...add(a, b, -1));
function arc(from: number[], to: number[]): Q4 {
  const q = [from[1]! * to[2]! - from[2]! * to[1]!, from[2]! * to[0]! - from[0]! * to[2]!, from[0]! * to[1]! - from[1]! * to[0]!, 1 + from[0]! * to[0]! + from[1]! * to[1]! + from[2]! * to[2]!];
  return q.map((v) => v / Math.hypot(...q));
}

describe("the centre of a VRM chain", () => {
  it("the joints move as the algorithm of VRM has them in the space of the centre", () => {
    const random = seeded(3), { skeleton, pose, solver } = rig();
    solver.setChainCenter(0, 0);
    let hips = [0, 1, 0], turn: Q4 = [0, 0, 0, 1], tails: number[][] = [], before: number[][] = [];
    for (let frame = 0; frame < 120; frame++) {
      if (frame > 0) {
        hips = add(hips, [random() - 0.4, random() - 0.5, random() - 0.5], 0.2);
        const small = randomQuaternion(random).map((v, i) => 0.15 * v + (i === 3 ? 1 : 0));
        turn = multiply(small.map((v) => v / Math.hypot(...small)), turn);
      }
      skeleton.applyBindPose(pose);
      pose.setLocalPosition(0, hips[0]!, hips[1]!, hips[2]!);
      pose.setLocalRotation(0, turn[0]!, turn[1]!, turn[2]!, turn[3]!);
      const toWorld = (c: number[]): number[] => add(hips, rotate(turn, c)), toCenter = (w: number[]): number[] => rotate(conjugate(turn), add(w, hips, -1));
      const root = toWorld([0.1, 0.7, -SEGMENT]);
      if (frame === 0) tails = before = [2, 3].map((n) => [0.1, 0.7, -SEGMENT * n]);
      solver.update(pose, frame === 0 ? 0 : STEP);
      if (frame === 0) continue;
      // Root to tip; a head's rotation is what its tail made of its parent's.
      let head = root, parent = turn;
      const next: number[][] = [];
      for (const [i, tail] of tails.entries()) {
        const rest = rotate(parent, [0, 0, -1]);
        let center = add(tail, add(tail, before[i]!, -1), 1 - JOINT.dragForce);
        center = add(center, rotate(conjugate(turn), rest), JOINT.stiffness * STEP);
        center = add(center, rotate(conjugate(turn), [0, -1, 0]), JOINT.gravityPower * STEP);
        let world = toWorld(center);
        const way = add(world, head, -1), direction = way.map((v) => v / Math.hypot(...way));
        world = add(head, direction, SEGMENT);
        parent = multiply(arc(rest, direction), parent);
        next.push(toCenter(world));
        head = world;
      }
      before = tails;
      tails = next;
      const got = particles(solver);
      tails.forEach((tail, i) => expect(distance(got[i + 1]!, toWorld(tail)), `frame ${frame}`).toBeLessThan(1e-5));
    }
  });

  it("a chain does not feel what its centre does, and does without one", () => {
    for (const center of [0, -1]) {
      const { skeleton, pose, solver } = rig();
      solver.setChainVrmParameters(0, -1, { stiffness: 0.5, gravityPower: 0, dragForce: 0.1 });
      solver.setChainCenter(0, center);
      let farthest = 0;
      for (let frame = 0; frame < 60; frame++) {
        skeleton.applyBindPose(pose);
        pose.setLocalPosition(0, Math.sin(frame * 0.4), 1, 0);
        solver.update(pose, STEP);
        pose.computeWorld(skeleton);
        for (let bone = 2; bone < 5; bone++) farthest = Math.max(farthest, Math.abs(pose.getWorldPositionX(bone) - pose.getWorldPositionX(1)));
      }
      if (center === 0) expect(farthest).toBeLessThan(1e-5);
      else expect(farthest).toBeGreaterThan(0.05);
    }
  });

  it("stays finite through jumps, big steps and resets", () => {
    const { skeleton, pose, solver } = rig();
    solver.setChainCenter(0, 0);
    solver.setTeleportThreshold(0);
    for (const [x, dt] of [[0, STEP], [1e4, STEP], [-1e4, 10], [0, 0], [5, 1e308], [0, STEP]] as const) {
      skeleton.applyBindPose(pose);
      pose.setLocalPosition(0, x, 1, 0);
      solver.update(pose, dt);
      expect(particles(solver).flat().every(Number.isFinite)).toBe(true);
      if (dt === 0) solver.reset();
    }
  });

  it("refuses bones of the chain or below it, and batches refuse it", () => {
    const { solver } = rig();
    for (const bad of [2, 3, 4]) expect(() => solver.setChainCenter(0, bad)).toThrow(AnimArgumentError);
    for (const bad of [9, -2, 0.5, NaN]) expect(() => solver.setChainCenter(0, bad)).toThrow(AnimIndexError);
    expect(() => solver.setChainCenter(1, 0)).toThrow(AnimIndexError);
    expect(solver.getChainCenter(0)).toBe(-1);
    solver.createBatch().dispose();
    solver.setChainCenter(0, 1);
    expect(solver.getChainCenter(0)).toBe(1);
    expect(() => solver.createBatch()).toThrow(AnimStateError);
  });
});
