import { bytesPerWindow } from "../../../bench/lib/heap.js";
import { AnimBatch, AnimClip, AnimPlayer, AnimPose, AnimSkeleton, AnimSkin } from "../../../src/anim/index.js";
import { BlendProgram } from "../../../src/anim/rig/blend-program.js";
import { Crowd3D } from "../../../src/crowd/crowd3d.js";
import { heap } from "../../../src/wasm/heap.js";
import { randomQuaternion, seeded } from "./golden.js";

/**
 * Run bundled by allocation.test.ts, in a process of its own: prints, as JSON, the bytes that a window of frames of each kind leaves
 * behind. (The test runner's module wrappers change what the engine can inline, so they are not measured.)
 */
const BONES = 21;

function rig(): { skeleton: AnimSkeleton; clips: AnimClip[]; skin: AnimSkin } {
  const random = seeded(1), skeleton = new AnimSkeleton();
  for (let i = 0; i < BONES; i++) skeleton.addBone(`b${i}`, i - 1);
  const clips = [0, 1].map((c) => {
    const clip = new AnimClip();
    for (let bone = 0; bone < BONES; bone++) {
      for (let k = 0; k <= 20; k++) clip.addRotationKey(bone, k * 0.1 + c * bone * 0.001, ...randomQuaternion(random));
      for (let k = 0; k <= 20; k++) clip.addPositionKey(bone, k * 0.1, random(), random(), random());
    }
    for (let i = 0; i < 8; i++) clip.addEvent(i * 0.2, "step");
    return clip;
  });
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const skin = AnimSkin.fromArrays({
    positions: Array.from({ length: 90 }, () => random()), normals: Array.from({ length: 90 }, () => random()),
    joints: Array.from({ length: 120 }, (_, i) => i % BONES), weights: Array.from({ length: 120 }, () => 0.25),
    jointNames: Array.from({ length: BONES }, (_, i) => `b${i}`), inverseBind: Array.from({ length: BONES }, () => identity).flat(),
  }, skeleton);
  return { skeleton, clips, skin };
}

const { skeleton, clips, skin } = rig();
const results: Record<string, number> = {};

{
  const player = new AnimPlayer(skeleton), pose = player.getPose();
  player.setRootMotionBone(0);
  player.play(clips[0]!);
  const frame = (): void => {
    player.update(1 / 60);
    pose.computeWorld(skeleton);
    skin.updateSkinnedPositions(pose);
    skin.updateSkinnedNormals(pose);
  };
  // What runs once a loop is interpreted for a long time, and the interpreter keeps numbers on the heap: warm it up as well.
  for (let i = 0; i < 30_000; i++) player.update(1.9);
  frame();
  const blocks = heap.blockCount;
  results["player with events and root motion, world, palette, vertices"] = bytesPerWindow(frame);
  results["blocks of linear memory"] = heap.blockCount - blocks;
}

for (const curve of ["linear", "inertial"] as const) {
  const player = new AnimPlayer(skeleton);
  let frame = 0;
  player.setFadeCurve(curve);
  player.play(clips[0]!);
  results[`player, ${curve} fades that begin during fades`] = bytesPerWindow(() => {
    if (frame++ % 20 === 0) player.crossFade(clips[(frame / 20) & 1]!, 0.7);
    player.update(1 / 60);
  });
}

{
  const batch = new AnimBatch(), poses = Array.from({ length: 9 }, () => new AnimPose());
  poses.forEach((pose, i) => batch.add(clips[i & 1]!, skeleton, pose, i * 0.1));
  results["batch"] = bytesPerWindow(() => batch.evaluate(1), 2000);
}

{
  const keyframed = clips[1]!.clone(), pose = new AnimPose();
  keyframed.compile("keyframed", { positionError: 0.01, rotationErrorDegrees: 1 });
  let frame = 0;
  results["keyframed clip"] = bytesPerWindow(() => keyframed.sample((frame++ & 255) / 128, pose, skeleton));
}

{
  const pose = new AnimPose(), options = { axis: [1, 0, 0], offset: [0, 0.1, 0], up: [0, 1, 0], upTarget: [0, 9, 0], maxAngle: 1, twist: 0.5 };
  let frame = 0;
  results["aiming with options"] = bytesPerWindow(() => {
    skeleton.applyBindPose(pose);
    pose.aimBone(skeleton, 3, 4, frame++ & 7, 5, 0.5, options);
  });
}

{
  const program = new BlendProgram(), [a, b, out] = [new AnimPose(BONES), new AnimPose(BONES), new AnimPose(BONES)] as const;
  results["blend program"] = bytesPerWindow(() => {
    program.reset();
    program.blend(out.localPtr, a.localPtr, b.localPtr, 0.25);
    program.beginWeighted(out.localPtr, skeleton.bindPtr);
    program.input(a.localPtr, 0.5);
    program.input(b.localPtr, 0.25);
    program.input(out.localPtr, 0.25);
    program.run(out.groupCount);
  });
}

{
  const crowd = new Crowd3D(skeleton, skin);
  for (let i = 0; i < 12; i++) crowd.play(crowd.spawn({ clip: clips[i & 1]!, time: i * 0.05 }), clips[0]!, { mix: 1e6 });
  let broken = 0;
  results["crowd"] = bytesPerWindow(() => {
    crowd.update(1 / 60);
    if (!(crowd.palette[0]! < 1e9)) broken++;
  }, 2000);
  if (broken > 0) throw new Error("the crowd's palette is not finite");
}

{
  const crowd = new Crowd3D(skeleton, skin), positions = new Float32Array(36), rotations = new Float32Array(48), speeds = new Float32Array(12).fill(1.5);
  let told = 0;
  crowd.listener = { event: () => told++, complete: () => told++ };
  for (let i = 0; i < 12; i++) {
    crowd.spawn({ clip: clips[i & 1]!, time: i * 0.05, loop: true });
    rotations[i * 4 + 3] = 1;
  }
  results["crowd with places, speeds and a listener"] = bytesPerWindow(() => {
    positions[0]! += 0.25;
    crowd.setPositions(positions);
    crowd.setRotations(rotations);
    crowd.setSpeeds(speeds);
    crowd.update(1 / 60);
  }, 2000);
  if (told === 0) throw new Error("the crowd's listener was never called");
}

console.log(JSON.stringify(results));
