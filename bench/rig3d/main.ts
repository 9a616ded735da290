/**
 * The 3D rig beside three.js, the same keys, joints and vertices in one process.
 * Results are compared before anything is timed. Cases: single, crowd, blend, skinning, compressed (default: all).
 */
import { Vector3 } from "three";
import { AnimPlayer, AnimPose } from "../../src/anim/index.js";
import { Crowd3D } from "../../src/crowd/crowd3d.js";
import { bytesPerWindow, race, type RaceResult } from "../lib/race.js";
import { JOINTS, makeKeys, ourClip, ourSkeleton, ourSkin, theirCharacter, theirClip } from "./rig.js";

const STEP = 1 / 60;
const chosen = process.argv.slice(2);
const wanted = (name: string): boolean => chosen.length === 0 || chosen.includes(name);

function print(name: string, result: RaceResult, per: number, unit: string, target: number, bytes: number): void {
  console.log(
    `${name.padEnd(58)} ${result.ratio.toFixed(1).padStart(6)}x (${result.lowest.toFixed(1)}..${result.highest.toFixed(1)}), target ${target}x; ` +
    `osteon ${((result.ownMs * 1e6) / per).toFixed(2)} ns, three ${((result.peerMs * 1e6) / per).toFixed(1)} ns a ${unit}; ${bytes} bytes a window`);
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let worst = 0;
  for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i]! - b[i]!));
  return worst;
}

function requireAgreement(name: string, difference: number, allowed: number): void {
  if (!(difference <= allowed)) throw new Error(`${name}: the results differ by ${difference}, allowed ${allowed}`);
}

/** One character: sample, world, palette. */
async function single(): Promise<void> {
  const keys = makeKeys(3), skeleton = ourSkeleton(), player = new AnimPlayer(skeleton), pose = player.getPose(), skin = ourSkin(skeleton);
  player.play(ourClip(keys));
  const theirs = theirCharacter();
  theirs.mixer.clipAction(theirClip(keys)).play();
  const own = (): void => {
    player.update(STEP);
    pose.computeWorld(skeleton);
    skin.updateMatrixPalette(pose);
  };
  const peer = (): void => {
    theirs.mixer.update(STEP);
    theirs.root.updateMatrixWorld();
    theirs.skeleton.update();
  };
  const palette = new Float32Array(JOINTS * 16);
  for (let i = 0; i < 100; i++) {
    own();
    peer();
  }
  skin.writePaletteTo(palette);
  requireAgreement("single", largestDifference(palette, theirs.skeleton.boneMatrices!.subarray(0, JOINTS * 16)), 1e-4);
  const result = await race(own, peer);
  print("sample + world + palette / 67 joints, one character", result, JOINTS, "joint", 8, bytesPerWindow(own));
}

/** Positions of 5,000 vertices. */
async function skinning(): Promise<void> {
  const VERTICES = 5000, keys = makeKeys(3), skeleton = ourSkeleton(), clip = ourClip(keys), pose = new AnimPose(), skin = ourSkin(skeleton, VERTICES);
  const theirs = theirCharacter(VERTICES);
  theirs.mixer.clipAction(theirClip(keys)).play();
  theirs.mixer.update(0.7);
  theirs.root.updateMatrixWorld();
  theirs.skeleton.update();
  clip.sample(0.7, pose, skeleton);
  const out = new Float32Array(VERTICES * 3), point = new Vector3(), positions = theirs.mesh.geometry.getAttribute("position");
  const own = (): void => {
    pose.version++;
    skin.updateSkinnedPositions(pose);
  };
  const peer = (): void => {
    for (let v = 0; v < VERTICES; v++) {
      point.fromBufferAttribute(positions, v);
      theirs.mesh.applyBoneTransform(v, point);
      point.toArray(out, v * 3);
    }
  };
  own();
  peer();
  requireAgreement("skinning", largestDifference(skin.getSkinnedPositions(), out), 1e-4);
  const result = await race(own, peer);
  print("skinning / 5,000 vertices, positions, 4 influences", result, VERTICES, "vertex", 20, bytesPerWindow(own, 1000));
}

/** Every character plays on its own clock; `blend`: halfway between two clips; `compiled`: from quantised clips. */
async function crowd(count: number, blend: boolean, target: number, compiled = false): Promise<void> {
  const keys = [makeKeys(3), makeKeys(4)], skeleton = ourSkeleton(), clips = keys.map(ourClip), skin = ourSkin(skeleton);
  if (compiled) for (const clip of clips) clip.compile("uniform", { skeleton });
  const ours = new Crowd3D(skeleton, skin, { capacity: count });
  const theirClips = keys.map(theirClip), theirs = Array.from({ length: count }, () => theirCharacter());
  const HALF = 500_000;
  for (let i = 0; i < count; i++) {
    const time = ((i * 37) % 119) / 60, id = ours.spawn({ clip: clips[blend ? 0 : i % 2]!, time });
    const { mixer } = theirs[i]!, action = mixer.clipAction(theirClips[blend ? 0 : i % 2]);
    action.play();
    action.time = time;
    if (!blend) continue;
    ours.play(id, clips[1]!, { mix: 2 * HALF, time: time * 0.5 });
    action.setEffectiveWeight(0.5);
    const second = mixer.clipAction(theirClips[1]);
    second.setEffectiveWeight(0.5).play();
    second.time = time * 0.5;
  }
  if (blend) ours.update(HALF);
  const own = (): void => ours.update(STEP);
  const peer = (): void => {
    for (let i = 0; i < count; i++) {
      const { mixer, root, skeleton: bones } = theirs[i]!;
      mixer.update(STEP);
      root.updateMatrixWorld();
      bones.update();
    }
  };
  for (let i = 0; i < 5; i++) {
    own();
    peer();
  }
  const matrix = new Float32Array(16);
  for (let i = 0; i < count; i += 17) {
    for (let j = 0; j < JOINTS; j++) {
      ours.joint(ours.idAt(i), j, matrix);
      requireAgreement(`crowd ${i}`, largestDifference(matrix, theirs[i]!.skeleton.boneMatrices.subarray(j * 16, j * 16 + 16)), blend ? 2e-3 : compiled ? 1e-3 : 1e-4);
    }
  }
  const result = await race(own, peer, { time: 400 });
  print(`sample${blend ? " 2 clips + blend" : compiled ? " compiled clips" : ""} + world + palette / 67 joints x ${count}`, result, JOINTS * count, "joint", target, bytesPerWindow(own, 200));
}

/** What a compiled clip costs and saves: size against float32 TRS samples, samples a second of a crowd in both forms. */
async function compressed(): Promise<void> {
  const keys = makeKeys(3), skeleton = ourSkeleton(), raw = ourClip(keys), small = ourClip(keys), COUNT = 200;
  const report = small.compile("uniform", { skeleton });
  const frames = keys.times.length, samples = JOINTS * frames * 40;
  const crowds = [raw, small].map((clip) => {
    const ours = new Crowd3D(skeleton, ourSkin(skeleton), { capacity: COUNT });
    for (let i = 0; i < COUNT; i++) ours.spawn({ clip, time: ((i * 37) % 119) / 60 });
    return ours;
  });
  const result = await race(() => crowds[1]!.update(STEP), () => crowds[0]!.update(STEP), { time: 300 });
  console.log(
    `compiled clip / 67 joints, ${frames} frames: ${(samples / report.bytes).toFixed(1)}:1 against TRS samples, off by ` +
    `${report.maxModelError.toExponential(2)} at most (rig height 1); a crowd of ${COUNT} at ${result.ratio.toFixed(2)}x the speed of float32 keys ` +
    `(${((result.ownMs * 1e6) / JOINTS / COUNT).toFixed(1)} ns a joint)`);
}

if (wanted("single")) await single();
if (wanted("crowd")) await crowd(1000, false, 30);
if (wanted("blend")) await crowd(200, true, 40);
if (wanted("blend")) await crowd(1000, true, 40);
if (wanted("skinning")) await skinning();
if (wanted("compressed")) await compressed();
if (wanted("compressed")) await crowd(200, false, 8, true);
