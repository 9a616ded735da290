import { describe, expect, it } from "vitest";
import { AnimIndexError, AnimMismatchError, AnimPose, AnimSkeleton, AnimStateError, type DynamicBoneBatch, DynamicBoneSolver } from "../../../src/anim/index.js";
import { heap } from "../../../src/wasm/heap.js";
import { angleBetween, randomQuaternion, seeded } from "../rig/golden.js";

/** A body with two chains, of five bones with an end and of three without, and bones that colliders hang on. */
function rig(): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  const add = (name: string, parent: number, x: number, y: number, z: number): number => {
    const bone = skeleton.addBone(name, parent);
    skeleton.setBindPosition(bone, x, y, z);
    return bone;
  };
  add("root", -1, 0, 0, 0);
  add("chest", 0, 0, 1.2, 0);
  add("head", 1, 0, 0.3, 0);
  for (let i = 0; i < 5; i++) add(`hair${i}`, i + 2, i === 0 ? 0.02 : 0, 0.01, -0.09);
  add("tail0", 0, 0, 0.9, -0.1);
  add("tail1", 8, 0.01, -0.02, -0.15);
  add("tail2", 9, 0, 0.03, -0.14);
  add("hand", 1, 0.3, -0.2, 0.1);
  skeleton.setBindRotation(4, Math.sin(0.1), 0, 0, Math.cos(0.1));
  skeleton.setBindRotation(9, 0, Math.sin(0.2), 0, Math.cos(0.2));
  return skeleton;
}

type Setup = (solver: DynamicBoneSolver) => void;

const SETUPS: Record<string, Setup> = {
  "as it comes": () => {},
  "colliders outside and inside, spheres and capsules, in the world and on bones": (solver) => {
    solver.addBoneColliderSphere(2, 0, -0.05, -0.1, 0.12);
    solver.addBoneColliderCapsule(1, -0.2, -0.4, -0.2, 0.2, -0.4, -0.2, 0.1);
    solver.addColliderSphere(0, 0.75, -0.4, 0.15);
    solver.setColliderInside(solver.addBoneColliderSphere(0, 0, 0.9, -0.2, 0.6), true);
    solver.setChainParticleParameters(0, 0.1, 0.05, 0.1, 0.02, 0.3);
    solver.setChainParticleParameters(1, 0.1, 0.02, 0, 0.03, 0.2);
  },
  "planes in the world and on bones, one of them turned round": (solver) => {
    solver.addColliderPlane(300, 0.72, -200, 0.1, 1, 0.05);
    solver.addBoneColliderPlane(1, 0, 0, -0.05, 0, 0, -2);
    solver.setColliderInside(solver.addColliderPlane(0, 1.3, 0, 0, 1, 0), true);
    solver.setChainParticleParameters(0, 0.1, 0.05, 0.1, 0.02, 0.3);
    solver.setChainParticleParameters(1, 0.1, 0.02, 0, 0.03, 0.2);
  },
  "responses below one, a frozen axis, wind and exact timing": (solver) => {
    solver.setPositionResponse(0.6);
    solver.setRotationResponse(0.4);
    solver.setObjectMoveResponse(0.3);
    solver.setChainFreezeAxis(0, "x");
    solver.setExternalForce(2, 0, 1);
    solver.setSubstepTiming("exact");
  },
  "VRM joints": (solver) => {
    solver.setChainModel(0, "vrm");
    solver.setChainModel(1, "vrm");
    solver.setChainVrmParameters(0, -1, { stiffness: 0.8, gravityPower: 0.4, dragForce: 0.35, hitRadius: 0.02 });
    solver.setChainVrmParameters(1, 1, { stiffness: 1.4, gravityPower: 0.2, gravityDir: [0.6, -0.8, 0] });
    solver.addBoneColliderSphere(2, 0, -0.05, -0.1, 0.1);
  },
};

function prepare(solver: DynamicBoneSolver, setup: Setup): void {
  solver.addChain(3, 7);
  solver.addChain(8, 10);
  solver.setChainEndLength(0, 0.08);
  setup(solver);
}

/** The animation of a character at a time, and where its object stands. */
function animate(skeleton: AnimSkeleton, pose: AnimPose, who: number, time: number): void {
  skeleton.applyBindPose(pose);
  const a = 0.4 * Math.sin(3 * time + who), b = 0.3 * Math.sin(5 * time + 2 * who);
  pose.setLocalRotation(1, 0, Math.sin(a), 0, Math.cos(a));
  pose.setLocalRotation(2, Math.sin(b), 0, 0, Math.cos(b));
  pose.setLocalPosition(0, 0.1 * Math.sin(4 * time + who), 0.03 * Math.cos(7 * time), 0);
}

function objectOf(who: number, time: number): [number, number, number, number, number, number, number] {
  const yaw = 0.5 * (0.6 * time + who), jump = who === 2 && time > 0.7 ? 50 : 0;
  return who === 1 ? [0, 0, 0, 0, 0, 0, 1] : [1.2 * time + who + jump, 0, Math.sin(2 * time), 0, Math.sin(yaw), 0, Math.cos(yaw)];
}

describe("DynamicBoneBatch", () => {
  for (const [name, setup] of Object.entries(SETUPS)) {
    it(`does what as many solvers do, within single precision: ${name}`, () => {
      const skeleton = rig(), template = new DynamicBoneSolver(skeleton), count = 7;
      prepare(template, setup);
      const batch = template.createBatch();
      const own = Array.from({ length: count }, () => new AnimPose(skeleton.getBoneCount())), reference = own.map(() => new AnimPose(skeleton.getBoneCount()));
      const solvers = own.map(() => {
        const solver = new DynamicBoneSolver(skeleton);
        prepare(solver, setup);
        return solver;
      });
      const ids = own.map((pose) => batch.add(pose));
      expect(batch.getCount()).toBe(count);
      const steps = [1 / 60, 1 / 60, 1 / 30, 1 / 144, 1 / 144, 1 / 144, 1 / 24, 0, 1 / 60];
      let time = 0, apart = 0, turn = 0;
      for (let f = 0; f < 90; f++) {
        const dt = steps[f % steps.length]!;
        time += dt;
        for (let who = 0; who < count; who++) {
          animate(skeleton, own[who]!, who, time);
          animate(skeleton, reference[who]!, who, time);
          batch.setObjectTransform(ids[who]!, ...objectOf(who, time));
          solvers[who]!.setObjectTransform(...objectOf(who, time));
          solvers[who]!.update(reference[who]!, dt);
        }
        batch.update(dt);
        for (let who = 0; who < count; who++) {
          for (let bone = 3; bone <= 10; bone++) {
            const q = (p: AnimPose): number[] => [p.getLocalRotationX(bone), p.getLocalRotationY(bone), p.getLocalRotationZ(bone), p.getLocalRotationW(bone)];
            turn = Math.max(turn, angleBetween(q(own[who]!), q(reference[who]!)));
            apart = Math.max(apart, Math.hypot(
              own[who]!.getWorldPositionX(bone) - reference[who]!.getWorldPositionX(bone), own[who]!.getWorldPositionY(bone) - reference[who]!.getWorldPositionY(bone),
              own[who]!.getWorldPositionZ(bone) - reference[who]!.getWorldPositionZ(bone)));
          }
        }
      }
      expect(apart).toBeLessThan(1e-3);
      expect(turn).toBeLessThan(1e-2);
      // In the world too, after whole steps.
      for (let who = 0; who < count; who++) {
        const [tip, anchor, wantedTip, wantedAnchor] = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]] as const;
        batch.getChainParticle(ids[who]!, 0, 5, tip as never);
        batch.getChainParticle(ids[who]!, 0, 0, anchor as never);
        solvers[who]!.getChainParticle(0, 5, wantedTip as never);
        solvers[who]!.getChainParticle(0, 0, wantedAnchor as never);
        tip.forEach((v, k) => expect(Math.abs(v - anchor[k]! - (wantedTip[k]! - wantedAnchor[k]!))).toBeLessThan(2e-3));
      }
      batch.dispose();
    });
  }

  it("gives every character the same whatever its lane and its neighbours", () => {
    const skeleton = rig(), template = new DynamicBoneSolver(skeleton);
    prepare(template, SETUPS["colliders outside and inside, spheres and capsules, in the world and on bones"]!);
    const run = (before: number, after: number): number[] => {
      const batch = template.createBatch(), poses = Array.from({ length: before + 1 + after }, () => new AnimPose(skeleton.getBoneCount())), out: number[] = [];
      const ids = poses.map((pose) => batch.add(pose));
      for (let f = 0; f < 40; f++) {
        poses.forEach((pose, i) => {
          const who = i === before ? 3 : i + 10;
          animate(skeleton, pose, who, f / 60);
          batch.setObjectTransform(ids[i]!, ...objectOf(who, f / 60));
        });
        batch.update(1 / 60);
      }
      poses[before]!.writeLocalTo(out);
      batch.dispose();
      return out;
    };
    const alone = run(0, 0);
    for (const [before, after] of [[1, 0], [3, 2], [4, 5], [2, 1]] as const) expect(run(before, after)).toEqual(alone);
  });

  it("starts, weighs, removes and takes characters again", () => {
    const skeleton = rig(), template = new DynamicBoneSolver(skeleton);
    prepare(template, () => {});
    const batch = template.createBatch(), a = new AnimPose(skeleton.getBoneCount()), b = new AnimPose(skeleton.getBoneCount()), before: number[] = [], after: number[] = [];
    const first = batch.add(a), second = batch.add(b);
    batch.setWeight(second, 0);
    skeleton.applyBindPose(b);
    b.writeLocalTo(before);
    for (let f = 0; f < 30; f++) {
      skeleton.applyBindPose(a);
      batch.update(1 / 60);
    }
    b.writeLocalTo(after);
    expect(after).toEqual(before);
    expect(a.isWorldValid()).toBe(true);
    expect(a.getWorldPositionY(7)).toBeLessThan(1.4);
    batch.remove(first);
    expect(batch.getCount()).toBe(1);
    expect(() => batch.setWeight(first, 1)).toThrow(AnimIndexError);
    a.writeLocalTo(before);
    batch.update(1 / 60);
    a.writeLocalTo(after);
    expect(after).toEqual(before);
    expect(batch.add(a)).toBe(first);
    skeleton.applyBindPose(a);
    a.writeLocalTo(before);
    batch.update(0);
    a.writeLocalTo(after);
    after.forEach((v, i) => expect(Math.abs(v - before[i]!)).toBeLessThan(1e-6));
    batch.update(NaN);
    batch.dispose();
    batch.dispose();
    expect(() => batch.update(0)).toThrow(AnimStateError);
  });

  it("stays finite at 10 seconds, under a huge force and after a jump", () => {
    const skeleton = rig(), template = new DynamicBoneSolver(skeleton);
    template.setExternalForce(1e6, 0, 0);
    prepare(template, SETUPS["colliders outside and inside, spheres and capsules, in the world and on bones"]!);
    const batch = template.createBatch(), pose = new AnimPose(skeleton.getBoneCount()), id = batch.add(pose), out: number[] = [], random = seeded(3);
    for (let f = 0; f < 50; f++) {
      skeleton.applyBindPose(pose);
      batch.setObjectTransform(id, random() * 1e4, random() * 1e4, 0, ...randomQuaternion(random));
      batch.update(f % 5 === 0 ? 10 : 1 / 60);
      pose.writeLocalTo(out);
      expect(out.every(Number.isFinite)).toBe(true);
    }
    batch.dispose();
  });

  it("loses nothing far from the world's origin", () => {
    const skeleton = rig(), template = new DynamicBoneSolver(skeleton);
    prepare(template, () => {});
    const run = (origin: number): number[] => {
      const batch: DynamicBoneBatch = template.createBatch(), pose = new AnimPose(skeleton.getBoneCount()), id = batch.add(pose), out: number[] = [];
      for (let f = 0; f < 60; f++) {
        animate(skeleton, pose, 0, f / 60);
        batch.setObjectTransform(id, origin + f / 64, 0, 0, 0, 0, 0, 1);
        batch.update(1 / 60);
      }
      pose.writeLocalTo(out);
      batch.dispose();
      return out;
    };
    expect(run(65536)).toEqual(run(0));
  });

  it("gives back all memory, and refuses what it does not do", () => {
    const skeleton = rig(), template = new DynamicBoneSolver(skeleton), pose = new AnimPose(skeleton.getBoneCount());
    prepare(template, () => {});
    pose.computeWorld(skeleton);
    const blocks = heap.blockCount;
    for (let i = 0; i < 20; i++) {
      const batch = template.createBatch();
      for (let k = 0; k < 9; k++) batch.add(pose);
      batch.update(1 / 60);
      batch.dispose();
    }
    expect(heap.blockCount).toBe(blocks);
    expect(() => template.createBatch().add(new AnimPose(3))).toThrow(AnimMismatchError);
    template.setChainSelfCollision(0, true);
    expect(() => template.createBatch()).toThrow(AnimStateError);
  });
});
