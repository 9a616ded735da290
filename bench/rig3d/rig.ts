/** A rig of 67 joints, its clips and a mesh, built the same for osteon and for three.js. */
import {
  AnimationClip, AnimationMixer, Bone, BufferAttribute, BufferGeometry, Matrix4, MeshBasicMaterial, Quaternion, QuaternionKeyframeTrack, Skeleton,
  SkinnedMesh, Vector3, VectorKeyframeTrack,
} from "three";
import { AnimClip, AnimSkeleton, AnimSkin } from "../../src/anim/index.js";

export const JOINTS = 67;
export const RATE = 30;
export const SECONDS = 2;

/** Numbers in [0, 1), the same in every run. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

/** Objects of three.js. */
type Theirs = any;

interface Joint {
  parent: number;
  position: Theirs;
  rotation: Theirs;
}

/** Parents of a biped with fingers: spine 5, head 2, legs 2 x 5, arms 2 x 4, fingers 2 x 5 x 4, one spare. */
function parents(): number[] {
  const list = [-1];
  const chain = (from: number, length: number): number => {
    let parent = from;
    for (let i = 0; i < length; i++) parent = list.push(parent) - 1;
    return parent;
  };
  const chest = chain(0, 5);
  chain(chest, 2);
  chain(0, 5);
  chain(0, 5);
  for (let side = 0; side < 2; side++) {
    const hand = chain(chest, 4);
    for (let finger = 0; finger < 5; finger++) chain(hand, 4);
  }
  while (list.length < JOINTS) chain(chest, 1);
  return list;
}

const random = numbers(7);
export const joints: Joint[] = parents().map((parent) => ({
  parent, position: new Vector3(random() - 0.5, 0.2 + random() * 0.1, random() - 0.5).multiplyScalar(0.3), rotation: smallTurn(0.6),
}));

function smallTurn(size: number): Theirs {
  return new Quaternion((random() - 0.5) * size, (random() - 0.5) * size, (random() - 0.5) * size, 1).normalize();
}

/** Keys of one clip: per joint the times, positions, rotations and scales, at 30 Hz, smooth. */
export interface Keys {
  times: Float32Array;
  joints: { positions: Float32Array; rotations: Float32Array; scales: Float32Array }[];
}

export function makeKeys(seed: number): Keys {
  const next = numbers(seed), count = RATE * SECONDS + 1;
  const times = Float32Array.from({ length: count }, (_, k) => k / RATE);
  return {
    times,
    joints: joints.map(({ position, rotation }) => {
      const axis = new Vector3(next() - 0.5, next() - 0.5, next() - 0.5).normalize(), phase = next() * 6.28, amount = 0.1 + 0.5 * next();
      const positions = new Float32Array(count * 3), rotations = new Float32Array(count * 4), scales = new Float32Array(count * 3).fill(1);
      for (let k = 0; k < count; k++) {
        const angle = amount * Math.sin((2 * Math.PI * k) / (count - 1) + phase);
        new Quaternion().setFromAxisAngle(axis, angle).premultiply(rotation).toArray(rotations, k * 4);
        position.clone().addScaledVector(axis, 0.02 * Math.cos(angle * 3)).toArray(positions, k * 3);
        scales[k * 3 + 1] = 1 + 0.05 * angle;
      }
      return { positions, rotations, scales };
    }),
  };
}

export function ourSkeleton(): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  joints.forEach(({ parent, position, rotation }, i) => {
    skeleton.addBone(`joint${i}`, parent);
    skeleton.setBindPosition(i, position.x, position.y, position.z);
    skeleton.setBindRotation(i, rotation.x, rotation.y, rotation.z, rotation.w);
  });
  return skeleton;
}

export function ourClip(keys: Keys): AnimClip {
  const clip = new AnimClip();
  keys.joints.forEach((joint, i) => {
    clip.setTrackKeys(i, "position", keys.times, joint.positions);
    clip.setTrackKeys(i, "rotation", keys.times, joint.rotations);
    clip.setTrackKeys(i, "scale", keys.times, joint.scales);
  });
  return clip;
}

export function theirClip(keys: Keys): Theirs {
  const tracks: Theirs[] = [];
  keys.joints.forEach((joint, i) => {
    tracks.push(new VectorKeyframeTrack(`joint${i}.position`, keys.times, joint.positions));
    tracks.push(new QuaternionKeyframeTrack(`joint${i}.quaternion`, keys.times, joint.rotations));
    tracks.push(new VectorKeyframeTrack(`joint${i}.scale`, keys.times, joint.scales));
  });
  return new AnimationClip("clip", -1, tracks);
}

export interface TheirCharacter {
  mesh: Theirs;
  root: Theirs;
  skeleton: Theirs;
  mixer: Theirs;
}

/** Bones, skeleton, mixer and a mesh of `vertices` vertices with four influences each. */
export function theirCharacter(vertices = 4): TheirCharacter {
  const bones = joints.map((_, i) => {
    const bone = new Bone();
    bone.name = `joint${i}`;
    return bone;
  });
  joints.forEach(({ parent, position, rotation }, i) => {
    bones[i]!.position.copy(position);
    bones[i]!.quaternion.copy(rotation);
    if (parent >= 0) bones[parent]!.add(bones[i]!);
  });
  const root = bones[0]!;
  root.updateMatrixWorld(true);
  const geometry = new BufferGeometry(), mesh = makeMesh(vertices);
  geometry.setAttribute("position", new BufferAttribute(mesh.positions, 3));
  geometry.setAttribute("skinIndex", new BufferAttribute(mesh.joints, 4));
  geometry.setAttribute("skinWeight", new BufferAttribute(mesh.weights, 4));
  const skinned = new SkinnedMesh(geometry, new MeshBasicMaterial());
  const skeleton = new Skeleton(bones);
  skinned.add(root);
  skinned.bind(skeleton, new Matrix4());
  return { mesh: skinned, root, skeleton, mixer: new AnimationMixer(root) };
}

export function makeMesh(vertices: number): { positions: Float32Array; normals: Float32Array; joints: Uint16Array; weights: Float32Array } {
  const next = numbers(99);
  const positions = Float32Array.from({ length: vertices * 3 }, () => next() * 2 - 1);
  const normals = positions.slice();
  const jointList = new Uint16Array(vertices * 4), weights = new Float32Array(vertices * 4);
  for (let v = 0; v < vertices; v++) {
    const first = Math.floor(next() * (JOINTS - 4)), raw = [0, 1, 2, 3].map(() => 0.1 + next()), sum = raw.reduce((a, b) => a + b);
    for (let k = 0; k < 4; k++) {
      jointList[v * 4 + k] = first + k;
      weights[v * 4 + k] = raw[k]! / sum;
    }
  }
  return { positions, normals, joints: jointList, weights };
}

/** The same mesh for osteon, with the inverse bind matrices that three.js computed. */
export function ourSkin(skeleton: AnimSkeleton, vertices = 4): AnimSkin {
  const { skeleton: theirs } = theirCharacter();
  return AnimSkin.fromArrays({
    ...makeMesh(vertices), jointNames: joints.map((_, i) => `joint${i}`), inverseBind: theirs.boneInverses.flatMap((m: Theirs) => m.elements),
  }, skeleton);
}
