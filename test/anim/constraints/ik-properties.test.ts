import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimConstraintStack, AnimIndexError, AnimPose, AnimSkeleton, type ChainMethod } from "../../../src/anim/index.js";
import { angleBetween, randomQuaternion, seeded } from "../rig/golden.js";

/** A root and a chain of joints with bones of the given lengths, each turned against the one before. */
function chainOf(lengths: readonly number[], seed = 5): { skeleton: AnimSkeleton; pose: AnimPose; tip: number; total: number } {
  const skeleton = new AnimSkeleton(), pose = new AnimPose(), random = seeded(seed);
  skeleton.addBone("root");
  skeleton.addBone("j0", 0);
  skeleton.setBindPosition(1, 0.1, 1, -0.2);
  skeleton.setBindRotation(1, ...randomQuaternion(random));
  lengths.forEach((length, i) => {
    skeleton.addBone(`j${i + 1}`, i + 1);
    skeleton.setBindPosition(i + 2, 0, length, 0);
    skeleton.setBindRotation(i + 2, Math.sin(0.2), 0, 0, Math.cos(0.2));
  });
  skeleton.applyBindPose(pose);
  pose.computeWorld(skeleton);
  return { skeleton, pose, tip: lengths.length + 1, total: lengths.reduce((a, b) => a + b, 0) };
}

const at = (pose: AnimPose, bone: number): [number, number, number] => [pose.getWorldPositionX(bone), pose.getWorldPositionY(bone), pose.getWorldPositionZ(bone)];
const rotation = (pose: AnimPose, bone: number): number[] => [pose.getWorldRotationX(bone), pose.getWorldRotationY(bone), pose.getWorldRotationZ(bone), pose.getWorldRotationW(bone)];
const apart = (a: readonly number[], b: readonly number[]): number => Math.sqrt((a[0]! - b[0]!) ** 2 + (a[1]! - b[1]!) ** 2 + (a[2]! - b[2]!) ** 2);

describe("two-bone IK", () => {
  it("reaches what is reachable of 1,000,000 random targets within 1e-4 of the chain, and is finite at all", () => {
    const { skeleton, pose } = chainOf([0.45, 0.41]), random = seeded(20), total = 0.86;
    const root = at(pose, 1);
    let reachable = 0, worst = 0, finite = true;
    for (let i = 0; i < 1_000_000; i++) {
      // Now and then from another pose; otherwise from where the last solve left the chain.
      if (i % 16 === 0) {
        pose.setLocalRotation(1, ...randomQuaternion(random));
        pose.setLocalRotation(2, ...randomQuaternion(random));
      }
      const x = root[0] + (random() - 0.5) * 2.2, y = root[1] + (random() - 0.5) * 2.2, z = root[2] + (random() - 0.5) * 2.2;
      if ((i & 1) === 0) pose.solveTwoBoneIK(skeleton, 1, 2, 3, x, y, z);
      else pose.solveTwoBoneIK(skeleton, 1, 2, 3, x, y, z, random() - 0.5, random() * 2, random() - 0.5);
      const found = at(pose, 3), distance = apart(root, [x, y, z]);
      if (!(Number.isFinite(found[0]) && Number.isFinite(found[1]) && Number.isFinite(found[2]))) finite = false;
      // 1e-5 of slack at both ends of the reach: there the error of the angle is the root of the rounding error.
      if (distance > total * (1 - 1e-5) || distance < 0.04 + 1e-5) continue;
      reachable++;
      worst = Math.max(worst, apart(found, [x, y, z]));
    }
    expect(finite).toBe(true);
    expect(reachable).toBeGreaterThan(200_000);
    expect(worst / total).toBeLessThan(1e-4);
  });

  it("does not flip along continuous paths: the bones turn no more than the target's step asks for", () => {
    for (let path = 0; path < 40; path++) {
      const { skeleton, pose } = chainOf([0.45, 0.41], path + 1), random = seeded(path + 100), root = at(pose, 1);
      const f = [1, 2, 3].map(() => 1 + Math.floor(random() * 3)), phase = [1, 2, 3].map(() => random() * 7);
      let last: number[] | undefined, lastMid: number[] | undefined, turn = 0;
      for (let i = 0; i < 2000; i++) {
        // A closed curve in a shell in which the chain is neither straight nor folded, at less than 1 cm a step.
        const u = (i / 2000) * 2 * Math.PI, d = [0, 1, 2].map((k) => Math.sin(f[k]! * u + phase[k]!) + (k === 2 ? 1.6 : 0)), size = Math.hypot(...d), reach = 0.5 + 0.2 * Math.sin(3 * u);
        pose.solveTwoBoneIK(skeleton, 1, 2, 3, root[0] + (d[0]! / size) * reach, root[1] + (d[1]! / size) * reach, root[2] + (d[2]! / size) * reach);
        const now = rotation(pose, 1), mid = rotation(pose, 2);
        if (i > 1) turn = Math.max(turn, angleBetween(now, last!), angleBetween(mid, lastMid!));
        last = now;
        lastMid = mid;
      }
      expect(turn, `path ${path}`).toBeLessThan(0.1);
    }
  });
});

describe("AnimConstraintStack.addChainIK", () => {
  for (const method of ["fabrik", "ccd"] as ChainMethod[]) {
    it(`${method}: brings the tip of chains of 2 to 20 bones to what they can reach, and keeps the bones' lengths`, () => {
      const random = seeded(31);
      let reachable = 0, unreached = 0;
      for (let i = 0; i < 1500; i++) {
        const count = 2 + Math.floor(random() * 19), lengths = Array.from({ length: count }, () => 0.1 + random() * 0.2);
        const { skeleton, pose, tip, total } = chainOf(lengths, i + 1), stack = new AnimConstraintStack(skeleton), root = at(pose, 1);
        const direction = randomQuaternion(random), size = Math.hypot(direction[0], direction[1], direction[2]), reach = total * (0.3 + 0.65 * random());
        // Nothing nearer than what the longest bone has over all the others together.
        if (reach < 2 * Math.max(...lengths) - total + 0.01 * total) continue;
        const target: [number, number, number] = [root[0] + (direction[0] / size) * reach, root[1] + (direction[1] / size) * reach, root[2] + (direction[2] / size) * reach];
        stack.addChainIK(1, tip, ...target, method, 400);
        const local = [pose.getLocalRotationX(tip), pose.getLocalRotationY(tip), pose.getLocalRotationZ(tip), pose.getLocalRotationW(tip)];
        stack.apply(pose);
        for (let bone = 0; bone <= tip; bone++) expect(at(pose, bone).every(Number.isFinite)).toBe(true);
        for (let bone = 2; bone <= tip; bone++) expect(Math.abs(apart(at(pose, bone), at(pose, bone - 1)) - lengths[bone - 2]!)).toBeLessThan(1e-5);
        expect([pose.getLocalRotationX(tip), pose.getLocalRotationY(tip), pose.getLocalRotationZ(tip), pose.getLocalRotationW(tip)]).toEqual(local);
        reachable++;
        if (stack.getLastStatus(0) !== "ok") unreached++;
        expect(apart(at(pose, tip), target)).toBeLessThan(1e-4 * total);
        stack.clear();
        pose.dispose();
      }
      expect(reachable).toBeGreaterThan(1450);
      expect(unreached).toBe(0);
    });

    it(`${method}: follows a continuous path without flips`, () => {
      const { skeleton, pose, tip, total } = chainOf([0.2, 0.2, 0.2, 0.2, 0.15, 0.15]), stack = new AnimConstraintStack(skeleton), root = at(pose, 1);
      const index = stack.addChainIK(1, tip, ...at(pose, tip), method);
      let last: number[][] | undefined, turn = 0;
      for (let i = 0; i < 1500; i++) {
        const u = (i / 1500) * 2 * Math.PI, reach = total * (0.6 + 0.2 * Math.sin(3 * u)), d = [Math.sin(2 * u), Math.cos(3 * u), 1.5], size = Math.hypot(...d);
        stack.setTarget(index, root[0] + (d[0]! / size) * reach, root[1] + (d[1]! / size) * reach, root[2] + (d[2]! / size) * reach);
        stack.apply(pose);
        expect(stack.getLastStatus(index)).toBe("ok");
        const now = Array.from({ length: 6 }, (_, k) => rotation(pose, k + 1));
        if (i > 1) now.forEach((q, k) => (turn = Math.max(turn, angleBetween(q, last![k]!))));
        last = now;
      }
      expect(turn).toBeLessThan(0.1);
    });
  }

  it("stretches towards what is out of reach, bends a straight chain, and blends by its weight", () => {
    const { skeleton, pose, tip, total } = chainOf([0.3, 0.3, 0.3]), stack = new AnimConstraintStack(skeleton), root = at(pose, 1);
    const far = stack.addChainIK(1, tip, root[0], root[1], root[2] + 5);
    stack.apply(pose);
    expect(stack.getLastStatus(far)).toBe("unreachable");
    expect(apart(at(pose, tip), [root[0], root[1], root[2] + total])).toBeLessThan(1e-5);
    // The chain is straight now, and the target on its line.
    stack.setTarget(far, root[0], root[1], root[2] + 0.5);
    stack.apply(pose);
    expect(stack.getLastStatus(far)).toBe("ok");
    expect(apart(at(pose, tip), [root[0], root[1], root[2] + 0.5])).toBeLessThan(1e-4);
    const full = rotation(pose, 1), start = chainOf([0.3, 0.3, 0.3]), half = start.pose, old = rotation(half, 1);
    const other = new AnimConstraintStack(start.skeleton);
    other.addChainIK(1, tip, root[0] + 0.4, root[1], root[2] + 0.3, "fabrik", 64, 0.5);
    other.apply(half);
    const whole = chainOf([0.3, 0.3, 0.3]), third = new AnimConstraintStack(whole.skeleton);
    third.addChainIK(1, tip, root[0] + 0.4, root[1], root[2] + 0.3, "fabrik", 64);
    third.apply(whole.pose);
    expect(Math.abs(angleBetween(rotation(half, 1), old) - angleBetween(rotation(whole.pose, 1), old) / 2)).toBeLessThan(1e-5);
    expect(full.every(Number.isFinite)).toBe(true);
  });

  it("refuses what is no chain, and unknown methods", () => {
    const { skeleton } = chainOf([0.3, 0.3]), stack = new AnimConstraintStack(skeleton);
    expect(() => stack.addChainIK(3, 1, 0, 0, 0)).toThrow(AnimArgumentError);
    expect(() => stack.addChainIK(1, 9, 0, 0, 0)).toThrow(AnimIndexError);
    expect(() => stack.addChainIK(1, 3, NaN, 0, 0)).toThrow(AnimArgumentError);
    expect(() => stack.addChainIK(1, 3, 0, 0, 0, "jacobian" as never)).toThrow(/"fabrik" or "ccd"/);
    expect(() => stack.addChainIK(1, 3, 0, 0, 0, "ccd", 0)).toThrow(AnimArgumentError);
    expect(stack.getCount()).toBe(0);
  });
});
