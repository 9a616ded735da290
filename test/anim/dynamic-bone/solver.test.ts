import { describe, expect, it } from "vitest";
import { AnimArgumentError, Animation, AnimIndexError, AnimMismatchError, AnimNameError, AnimPose, AnimSkeleton, DynamicBoneSolver, setupHairChain, setupHairHeadCollider } from "../../../src/anim/index.js";

const SEGMENT = 0.1;

/** root, head above it, and a chain of `count` bones that stretches backward from the head. */
function rig(count = 5): { skeleton: AnimSkeleton; pose: AnimPose; solver: DynamicBoneSolver } {
  const skeleton = new AnimSkeleton(), pose = new AnimPose();
  skeleton.addBone("root");
  skeleton.addBone("head", 0);
  skeleton.setBindPosition(1, 0, 1.5, 0);
  for (let i = 0; i < count; i++) {
    skeleton.addBone(`hair${i}`, i + 1);
    skeleton.setBindPosition(i + 2, 0, 0, -SEGMENT);
  }
  skeleton.applyBindPose(pose);
  return { skeleton, pose, solver: new DynamicBoneSolver(skeleton) };
}

function particles(solver: DynamicBoneSolver, chain = 0): number[][] {
  return Array.from({ length: solver.getChainParticleCount(chain) }, (_, i) => {
    const out = [0, 0, 0];
    solver.getChainParticle(chain, i, out);
    return out;
  });
}

const distance = (a: number[], b: number[]): number => Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);

function localsOf(pose: AnimPose): number[] {
  const out: number[] = [];
  pose.writeLocalTo(out);
  return out;
}

describe("DynamicBoneSolver", () => {
  it("the pose's joints stand where the particles are, at the lengths of the bones", () => {
    const { skeleton, pose, solver } = rig();
    solver.addChain(2);
    for (let f = 0; f < 60; f++) {
      skeleton.applyBindPose(pose);
      pose.setLocalPosition(1, Math.sin(f * 0.2) * 0.1, 1.5, 0);
      solver.update(pose, 1 / 60);
    }
    expect(pose.isWorldValid()).toBe(true);
    const points = particles(solver);
    expect(points.at(-1)![1]).toBeLessThan(1.4);
    points.forEach((p, i) => {
      expect(distance(p, [pose.getWorldPositionX(i + 2), pose.getWorldPositionY(i + 2), pose.getWorldPositionZ(i + 2)])).toBeLessThan(1e-5);
      if (i > 0) expect(Math.abs(distance(p, points[i - 1]!) - SEGMENT)).toBeLessThan(1e-6);
    });
  });

  it("keeps a chain above a plane, on a slope, under a plane turned round, and behind a plane of a bone", () => {
    const heights = (plane: (solver: DynamicBoneSolver) => void, height: (p: number[]) => number): number[] => {
      const { skeleton, pose, solver } = rig(), lowest: number[] = [];
      solver.addChain(2);
      solver.setChainParticleParameters(0, 0.1, 0.01, 0, 0.02, 0.2);
      plane(solver);
      for (let f = 0; f < 180; f++) {
        skeleton.applyBindPose(pose);
        pose.setLocalPosition(1, Math.sin(f * 0.15) * 0.1, 1.5, 0);
        solver.update(pose, 1 / 60);
        if (f > 30) lowest.push(Math.min(...particles(solver).slice(1).map(height)));
      }
      return lowest;
    };
    // The chain is half a metre long and hangs from 1.5 m: it has to lie on the plane. 1 mm is let in.
    expect(Math.min(...heights((solver) => solver.addColliderPlane(7, 1.3, 3, 0, 4, 0), (p) => p[1]! - 1.3 - 0.02))).toBeGreaterThan(-1e-3);
    const n = [0.3, 0.9, -0.1], length = Math.hypot(...n);
    expect(Math.min(...heights((solver) => solver.addColliderPlane(0, 1.25, 0, n[0]!, n[1]!, n[2]!), (p) => (p[0]! * n[0]! + (p[1]! - 1.25) * n[1]! + p[2]! * n[2]!) / length - 0.02))).toBeGreaterThan(-1e-3);
    expect(Math.min(...heights((solver) => solver.setColliderInside(solver.addColliderPlane(0, 1.3, 0, 0, -1, 0), true), (p) => p[1]! - 1.3 - 0.02))).toBeGreaterThan(-1e-3);
    const behind = heights((solver) => solver.addBoneColliderPlane(1, 0, 0, -0.04, 0, 0, -1), (p) => -p[2]! - 0.04 - 0.02);
    expect(Math.min(...behind)).toBeGreaterThan(-1e-3);
    // Without the plane it hangs lower and swings forward.
    expect(Math.min(...heights(() => {}, (p) => p[1]! - 1.3))).toBeLessThan(-0.05);
    const { solver } = rig();
    expect(() => solver.addColliderPlane(0, 0, 0, 0, 0, 0)).toThrow(AnimArgumentError);
    expect(() => solver.addBoneColliderPlane(99, 0, 0, 0, 0, 1, 0)).toThrow(AnimIndexError);
    expect(solver.getColliderCount()).toBe(0);
  });

  it("at 30, 60, 120 and 144 Hz agrees within 2 % of the chain with exact timing of sub-steps", () => {
    const ends = [30, 60, 120, 144].map((rate) => {
      const { skeleton, pose, solver } = rig();
      solver.addChain(2);
      solver.setSubstepTiming("exact");
      for (let f = 0; f <= rate; f++) {
        skeleton.applyBindPose(pose);
        pose.setLocalPosition(1, 0.2 * Math.sin((4 * Math.PI * f) / rate), 1.5, 0);
        solver.update(pose, f === 0 ? 0 : 1 / rate);
      }
      return particles(solver);
    });
    for (const points of ends) points.forEach((p, i) => expect(distance(p, ends[1]![i]!)).toBeLessThan(0.02 * 4 * SEGMENT));
  });

  it("stays finite at 10 seconds, under a huge force, and far away after a jump", () => {
    const { skeleton, pose, solver } = rig();
    solver.addChain(2);
    for (const [dt, force, x] of [[1 / 60, 0, 0], [10, 0, 0], [1e308, 0, 0], [1e308, 0, 0], [1 / 60, 1e6, 0], [1 / 60, 0, 1e4], [1 / 60, 0, -1e4]] as const) {
      skeleton.applyBindPose(pose);
      solver.setExternalForce(force, 0, 0);
      solver.setObjectTransform(x, 0, 0, 0, 0, 0, 1);
      solver.update(pose, dt);
      const points = particles(solver);
      expect(points.flat().every(Number.isFinite)).toBe(true);
      points.forEach((p) => expect(distance(p, points[0]!)).toBeLessThan(4.001 * SEGMENT));
      expect(localsOf(pose).every(Number.isFinite)).toBe(true);
    }
  });

  it("keeps shape and motion through a teleport, as if it had not moved", () => {
    const runs = [0, 100].map((jump) => {
      const { skeleton, pose, solver } = rig();
      solver.addChain(2);
      for (let f = 0; f < 30; f++) {
        skeleton.applyBindPose(pose);
        solver.setObjectTransform(f < 15 ? 0 : jump, 0, 0, 0, 0, 0, 1);
        solver.update(pose, 1 / 60);
      }
      return particles(solver).map(([x, y, z]) => [x! - jump, y!, z!]);
    });
    runs[0]!.forEach((p, i) => expect(distance(p, runs[1]![i]!)).toBeLessThan(1e-6));
  });

  it("half a second after the start is outside of spheres and capsules within 1 mm", () => {
    const { skeleton, pose, solver } = rig(8);
    solver.addChain(2);
    solver.setChainParticleParameters(0, 0.1, 0.02, 0, 0.02, 0.1);
    solver.addColliderSphere(0.01, 1.25, -0.3, 0.12);
    solver.addBoneColliderCapsule(1, -0.3, -0.6, -0.15, 0.3, -0.6, -0.15, 0.1);
    for (let f = 0; f < 60; f++) {
      skeleton.applyBindPose(pose);
      solver.update(pose, 1 / 60);
      if (f < 30) continue;
      for (const [x, y, z] of particles(solver).slice(1) as [number, number, number][]) {
        expect(distance([x, y, z], [0.01, 1.25, -0.3])).toBeGreaterThan(0.14 - 1e-3);
        expect(distance([x, y, z], [Math.min(0.3, Math.max(-0.3, x)), 0.9, -0.15])).toBeGreaterThan(0.12 - 1e-3);
      }
    }
  });

  it("removed, disabled and resized colliders act as such; ids are not used again", () => {
    const fall = (prepare: (solver: DynamicBoneSolver, id: number) => void): number => {
      const { skeleton, pose, solver } = rig();
      solver.addChain(2);
      prepare(solver, solver.addColliderSphere(0, 1.2, -0.3, 0.15));
      for (let f = 0; f < 60; f++) {
        skeleton.applyBindPose(pose);
        solver.update(pose, 1 / 60);
      }
      return particles(solver)[4]![1]!;
    };
    const held = fall(() => {}), free = fall((solver, id) => solver.removeCollider(id));
    expect(held).toBeGreaterThan(free + 0.02);
    expect(fall((solver, id) => solver.setColliderEnabled(id, false))).toBe(free);
    expect(fall((solver, id) => solver.setColliderRadius(id, 0))).toBeLessThan(held);
    const { solver } = rig(), first = solver.addColliderSphere(0, 0, 0, 1);
    solver.removeCollider(first);
    expect(solver.addColliderCapsule(0, 0, 0, 1, 0, 0, 1)).not.toBe(first);
    expect(() => solver.setColliderInside(first, true)).toThrow(AnimIndexError);
    solver.clearColliders();
    expect(solver.getColliderCount()).toBe(0);
  });

  it("leaves the pose alone while disabled, asleep, without weight or for a time that is not finite", () => {
    const { pose, solver } = rig(), before = localsOf(pose);
    solver.addChain(2);
    solver.update(pose, NaN);
    solver.setWeight(0);
    solver.update(pose, 0.1);
    solver.setWeight(3);
    expect(solver.getWeight()).toBe(1);
    solver.setChainEnabled(0, false);
    solver.update(pose, 0.1);
    expect(localsOf(pose)).toEqual(before);
    expect(solver.isChainEnabled(0)).toBe(false);
    solver.setChainEnabled(0, true);
    solver.setDistanceLimit(5);
    solver.setDistanceReference(0, 0, 50);
    solver.update(pose, 0.3);
    expect(solver.isChainSleeping(0)).toBe(true);
    expect(localsOf(pose)).toEqual(before);
    solver.setDistanceReference(0, 0, 4.7);
    solver.update(pose, 0.1);
    expect(solver.isChainSleeping(0)).toBe(true);
    solver.setDistanceReference(0, 0, 0);
    solver.update(pose, 0.1);
    expect(solver.isChainSleeping(0)).toBe(false);
    expect(localsOf(pose)).not.toEqual(before);
  });

  it("turns a single bone by its end, and not at all without one", () => {
    const { skeleton, pose, solver } = rig(1), before = localsOf(pose);
    solver.addChainByName("hair0");
    for (let f = 0; f < 5; f++) solver.update(pose, 1 / 60);
    expect(localsOf(pose)).toEqual(before);
    solver.setChainEndLength(0, 0.2);
    for (let f = 0; f < 30; f++) {
      skeleton.applyBindPose(pose);
      solver.update(pose, 1 / 60);
    }
    const [a, b] = particles(solver);
    expect(Math.abs(distance(a!, b!) - 0.2)).toBeLessThan(1e-6);
    expect(b![1]).toBeLessThan(a![1]! - 0.03);
    solver.clearChainEnd(0);
    expect(solver.getChainParticleCount(0)).toBe(1);
  });

  it("chains below other chains follow their simulated bones", () => {
    const { skeleton, pose } = rig(3);
    const branch = skeleton.clone();
    branch.addBone("side", 3);
    branch.addBone("side end", 5);
    branch.setBindPosition(5, 0.1, 0, 0);
    branch.setBindPosition(6, 0.1, 0, 0);
    branch.applyBindPose(pose);
    const solver = new DynamicBoneSolver(branch);
    const inner = solver.addChain(5), outer = solver.addChain(2, 4);
    for (let f = 0; f < 40; f++) {
      branch.applyBindPose(pose);
      solver.update(pose, 1 / 60);
    }
    const anchor = particles(solver, inner)[0]!;
    expect(distance(anchor, [pose.getWorldPositionX(5), pose.getWorldPositionY(5), pose.getWorldPositionZ(5)])).toBeLessThan(1e-5);
    expect(anchor[1]).toBeLessThan(1.48);
    expect(solver.getChainParticleCount(outer)).toBe(3);
  });

  it("sets hair up by names", () => {
    const animation = new Animation(), { skeleton, pose } = rig(), solver = animation.newDynamicBoneSolver(skeleton);
    const chain = animation.setupHairChain(solver, "hair0", "hair4");
    animation.setupHairHeadCollider(solver, "head", 0.09);
    expect([solver.getChainCount(), solver.getColliderCount(), solver.getChainParticleCount(chain)]).toEqual([1, 1, 6]);
    for (let f = 0; f < 60; f++) {
      skeleton.applyBindPose(pose);
      solver.update(pose, 1 / 60);
    }
    for (const p of particles(solver).slice(1)) expect(distance(p, [0, 1.545, 0])).toBeGreaterThan(0.09 + 0.025 - 1e-3);
    expect(() => animation.setupHairChain(solver, "hair0", "nobody")).toThrow(AnimArgumentError);
  });

  it("refuses bad arguments", () => {
    const { pose, solver } = rig();
    solver.addChain(2, 3);
    expect(() => solver.addChain(99)).toThrow(AnimIndexError);
    expect(() => solver.addChain(4, 2)).toThrow(AnimArgumentError);
    expect(() => solver.addChain(3)).toThrow(/another chain/);
    expect(() => solver.addChainByName("nobody")).toThrow(AnimNameError);
    expect(() => setupHairChain(solver, "nobody", "")).toThrow(AnimNameError);
    expect(() => setupHairHeadCollider(solver, "nobody", 1)).toThrow(AnimNameError);
    for (const none of [null, {}]) {
      expect(() => setupHairChain(none as never, "a", "b")).toThrow(AnimArgumentError);
      expect(() => setupHairHeadCollider(none as never, "a", 1)).toThrow(AnimArgumentError);
    }
    expect(() => solver.setChainEnabled(1, true)).toThrow(AnimIndexError);
    expect(() => solver.setChainParticleParameters(0, 2, 0, 0, 0)).toThrow(AnimArgumentError);
    expect(() => solver.setChainFreezeAxis(0, "w" as never)).toThrow(AnimArgumentError);
    expect(() => solver.setChainEndLength(0, 0)).toThrow(AnimArgumentError);
    expect(() => solver.setChainEndOffset(0, 0, 0, 0)).toThrow(AnimArgumentError);
    expect(() => solver.setGlobalGravity(NaN, 0, 0)).toThrow(AnimArgumentError);
    expect(() => solver.setSubstep(0)).toThrow(AnimArgumentError);
    expect(() => solver.setTeleportThreshold(-1)).toThrow(AnimArgumentError);
    expect(() => solver.addColliderSphere(0, 0, 0, -1)).toThrow(AnimArgumentError);
    expect(() => solver.update(new AnimPose(2), 0.1)).toThrow(AnimMismatchError);
    expect(() => solver.update(null as never, 0.1)).toThrow(AnimArgumentError);
    solver.setSkeleton(rig(2).skeleton);
    expect(solver.getChainCount()).toBe(0);
    expect(() => solver.update(pose, 0.1)).toThrow(AnimMismatchError);
  });
});
