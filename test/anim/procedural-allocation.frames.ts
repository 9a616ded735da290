/** What frames of procedural animation leave on the heap; run by procedural-allocation.test.ts. */
import { bytesPerWindow } from "../../bench/lib/heap.js";
import { AnimClip } from "../../src/anim/rig/clip.js";
import { AnimPose } from "../../src/anim/rig/pose.js";
import { AnimSkeleton } from "../../src/anim/rig/skeleton.js";
import { AnimConstraintStack } from "../../src/anim/constraints/constraint-stack.js";
import { FootIKSolver } from "../../src/anim/constraints/foot-ik.js";
import { DynamicBoneSolver } from "../../src/anim/dynamic-bone/solver.js";
import { AnimPoseRetargeter } from "../../src/anim/retarget/pose-retargeter.js";
import { heap } from "../../src/wasm/heap.js";

/** Hips, two legs of three bones with toes, and a tail of six. */
function rig(scale = 1): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  const add = (name: string, parent: number, x: number, y: number, z: number): void => skeleton.setBindPosition(skeleton.addBone(name, parent), x * scale, y * scale, z * scale);
  add("root", -1, 0, 0, 0);
  add("hips", 0, 0, 0.95, 0);
  for (const side of [1, -1]) {
    const first = skeleton.getBoneCount();
    add(`thigh${side}`, 1, 0.1 * side, -0.05, 0);
    add(`shin${side}`, first, 0, -0.42, 0.02);
    add(`foot${side}`, first + 1, 0, -0.41, -0.02);
    add(`toe${side}`, first + 2, 0, -0.05, 0.12);
  }
  for (let i = 0; i < 6; i++) add(`tail${i}`, i === 0 ? 1 : 9 + i, 0, 0, -0.1);
  return skeleton;
}

const skeleton = rig(), clip = new AnimClip("move");
for (let key = 0; key <= 4; key++) {
  // A minute long, so that whole seconds are times in it: a caller's own fractions would be counted with the frame.
  const a = 0.2 * Math.sin((key * Math.PI) / 2);
  clip.addRotationKey(1, key * 16, Math.sin(a), 0, 0, Math.cos(a));
  clip.addRotationKey(2, key * 16, Math.sin(a), 0, 0, Math.cos(a));
  clip.addPositionKey(1, key * 16, 0.05 * key, 0.95, 0);
}
const pose = new AnimPose(skeleton.getBoneCount()), other = rig(1.3), received = new AnimPose(other.getBoneCount());
let frame = 0;
const animate = (into: AnimPose): void => {
  frame++;
  clip.sample(frame & 63, into, skeleton);
};
const results: Record<string, number> = {};
const blocks = heap.blockCount;
function measure(name: string, run: () => void, frames = 2000): void {
  results[name] = bytesPerWindow(run, frames);
}

const stack = new AnimConstraintStack(skeleton);
stack.addAim(0, 0, 1, 5, 0.1);
stack.addTwoBoneIK(2, 3, 4, 0.1, 0.2, 0.1);
stack.addFootIK(6, 7, 8, 0.1, 0, 1, 0, 0.05);
stack.addChainIK(10, 15, 0.1, 0.8, -0.4);
stack.addChainIK(10, 15, 0.1, 0.8, -0.3, "ccd", 16, 0.5);
stack.addLookAt([10, 12, 14], [0.2, 0.5, 1], 1, 0.5, 0.5, { maxAngle: 1, weight: 0.7 });
stack.addRotationLimit(3, 0.1, 0.2, -0.1, 0.1, 0.8);
stack.addCopyRotation(7, 3, 0.5);
stack.addCopyPosition(9, 5, 0.5);
measure("constraint stack", () => {
  animate(pose);
  stack.setTarget(3, 0, frame & 1, -1);
  stack.apply(pose);
});

const feet = new FootIKSolver(skeleton);
feet.setPelvisBone(1);
feet.configureLeftLeg(2, 3, 4, 0.05);
feet.configureRightLeg(6, 7, 8, 0.05);
feet.configureLeftToe(5);
feet.setFootLockEnabled(true);
feet.setGroundQuery({
  query(x, _y, z, _up, _down, out) {
    out.x = x;
    out.y = 0.05;
    out.z = z;
    out.nx = out.nz = 0;
    out.ny = 1;
    return "hit";
  },
});
measure("foot IK", () => {
  animate(pose);
  feet.apply(pose, 1 / 60);
});

const solver = new DynamicBoneSolver(skeleton);
solver.addChain(10, 15);
solver.addBoneColliderSphere(1, 0, -0.1, -0.3, 0.15);
solver.addColliderCapsule(-1, 0.6, -0.3, 1, 0.6, -0.3, 0.1);
measure("dynamic bones", () => {
  animate(pose);
  solver.setObjectTransform(frame & 1, 0, 0, 0, 0, 0, 1);
  solver.update(pose, 1 / 60);
});

const batch = solver.createBatch(), poses = Array.from({ length: 6 }, () => new AnimPose(skeleton.getBoneCount())), ids = poses.map((one) => batch.add(one));
measure("a batch of dynamic bones", () => {
  for (let i = 0; i < poses.length; i++) {
    animate(poses[i]!);
    batch.setObjectTransform(ids[i]!, frame & 1, 0, i, 0, 0, 0, 1);
  }
  batch.update(1 / 60);
});

const live = new AnimPoseRetargeter(skeleton, other);
measure("live retargeting", () => {
  animate(pose);
  live.apply(pose, received);
});
batch.dispose();
results["blocks of linear memory"] = Math.max(0, heap.blockCount - blocks - 17);
console.log(JSON.stringify(results));
