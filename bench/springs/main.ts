/**
 * Spring bones: 1,000 chains of 8 particles with 2 colliders each, against three-vrm's joints on three.js objects.
 * npm run bench -- springs
 *
 * Both sides run the joint algorithm of VRM 1.0, one step of 1/60 s a frame, on the same 100 characters of 10 chains whose roots
 * move in every frame, and leave valid world matrices. The tips are compared before anything is timed; for that the peer's
 * matrices are refreshed before every joint, because its bone lengths otherwise vary with matrices of the frame before. In
 * the race it runs as it is published. A further line has the engine's own rods.
 */
import { VRMSpringBoneCollider, VRMSpringBoneColliderShapeSphere, VRMSpringBoneJoint, VRMSpringBoneManager } from "@pixiv/three-vrm-springbone";
import { Object3D, Vector3 } from "three";
import { AnimPose } from "../../src/anim/rig/pose.js";
import { AnimSkeleton } from "../../src/anim/rig/skeleton.js";
import { DynamicBoneSolver } from "../../src/anim/dynamic-bone/solver.js";
import { bytesPerWindow, race } from "../lib/race.js";

const CHARACTERS = 100, CHAINS = 10, PARTICLES = 8, DT = 1 / 60;
const JOINT = { stiffness: 0.8, gravityPower: 0.4, dragForce: 0.35, hitRadius: 0.02 };
const COLLIDERS: readonly (readonly [number, number, number, number])[] = [[0, 0.05, 0, 0.14], [0, -0.35, 0.02, 0.2]];

const rootX = (who: number, frame: number): number => who + 0.1 * Math.sin(frame * 0.11 + who);
const rootY = (who: number, frame: number): number => 0.05 * Math.cos(frame * 0.17 + who);
const start = (chain: number): [number, number, number] => [0.1 * Math.cos((chain * Math.PI) / 5), 0.1, 0.1 * Math.sin((chain * Math.PI) / 5)];
const next = (chain: number): [number, number, number] => [0.05 * Math.cos((chain * Math.PI) / 5), -0.04, 0.05 * Math.sin((chain * Math.PI) / 5)];

function skeletonOf(): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  skeleton.addBone("root");
  skeleton.addBone("head", 0);
  skeleton.setBindPosition(1, 0, 1.5, 0);
  for (let chain = 0; chain < CHAINS; chain++) {
    for (let i = 0; i < PARTICLES; i++) {
      const bone = skeleton.addBone(`c${chain}-${i}`, i === 0 ? 1 : skeleton.getBoneCount() - 1);
      skeleton.setBindPosition(bone, ...(i === 0 ? start(chain) : next(chain)));
    }
  }
  return skeleton;
}

function solverOf(skeleton: AnimSkeleton, model: "vrm" | "rod"): DynamicBoneSolver {
  const solver = new DynamicBoneSolver(skeleton);
  for (let chain = 0; chain < CHAINS; chain++) {
    solver.addChain(2 + chain * PARTICLES, 2 + chain * PARTICLES + PARTICLES - 1);
    solver.setChainModel(chain, model);
    solver.setChainVrmParameters(chain, -1, JOINT);
  }
  for (const [x, y, z, radius] of COLLIDERS) solver.addBoneColliderSphere(1, x, y, z, radius);
  return solver;
}

interface Side {
  frame(): void;
  tip(who: number, chain: number): [number, number, number];
}

function batchOf(model: "vrm" | "rod", characters = CHARACTERS): Side {
  const skeleton = skeletonOf(), batch = solverOf(skeleton, model).createBatch(), bind = new AnimPose();
  skeleton.applyBindPose(bind);
  const poses = Array.from({ length: characters }, () => new AnimPose(skeleton.getBoneCount()));
  for (const pose of poses) batch.add(pose);
  let frame = 0;
  return {
    frame: () => {
      for (let who = 0; who < characters; who++) {
        // What an animation would do: every bone is set again, the root somewhere else.
        poses[who]!.copyFrom(bind);
        poses[who]!.setLocalPosition(0, rootX(who, frame), rootY(who, frame), 0);
      }
      batch.update(frame === 0 ? 0 : DT);
      frame++;
    },
    tip: (who, chain) => {
      const pose = poses[who]!, bone = 2 + chain * PARTICLES + PARTICLES - 1;
      return [pose.getWorldPositionX(bone), pose.getWorldPositionY(bone), pose.getWorldPositionZ(bone)];
    },
  };
}

function solversOf(): Side {
  const skeleton = skeletonOf(), bind = new AnimPose();
  skeleton.applyBindPose(bind);
  const poses = Array.from({ length: CHARACTERS }, () => new AnimPose(skeleton.getBoneCount())), solvers = poses.map(() => solverOf(skeleton, "vrm"));
  let frame = 0;
  return {
    frame: () => {
      for (let who = 0; who < CHARACTERS; who++) {
        poses[who]!.copyFrom(bind);
        poses[who]!.setLocalPosition(0, rootX(who, frame), rootY(who, frame), 0);
        solvers[who]!.update(poses[who]!, frame === 0 ? 0 : DT);
      }
      frame++;
    },
    tip: () => [0, 0, 0],
  };
}

/** @param refreshed - matrices are brought up to date before every joint; else the manager runs as published */
function peerOf(refreshed: boolean, characters = CHARACTERS): Side {
  const manager = new VRMSpringBoneManager(), scene = new Object3D(), roots: Object3D[] = [], tips: Object3D[][] = [], shapes: { updateWorldMatrix(parents: boolean, children: boolean): void }[] = [];
  for (let who = 0; who < characters; who++) {
    const root = new Object3D(), head = new Object3D();
    scene.add(root);
    root.add(head);
    root.position.set(rootX(who, 0), rootY(who, 0), 0);
    head.position.set(0, 1.5, 0);
    const colliders = COLLIDERS.map(([x, y, z, radius]) => {
      const collider = new VRMSpringBoneCollider(new VRMSpringBoneColliderShapeSphere({ offset: new Vector3(x, y, z), radius }));
      head.add(collider);
      shapes.push(collider);
      return collider;
    });
    const group = { colliders, name: "body" };
    tips.push([]);
    for (let chain = 0; chain < CHAINS; chain++) {
      const nodes: Object3D[] = [];
      for (let i = 0; i < PARTICLES; i++) {
        const node = new Object3D();
        node.position.set(...(i === 0 ? start(chain) : next(chain)));
        (nodes[i - 1] ?? head).add(node);
        nodes.push(node);
      }
      for (let i = 0; i + 1 < PARTICLES; i++) {
        manager.addJoint(new VRMSpringBoneJoint(nodes[i], nodes[i + 1], { ...JOINT, gravityDir: new Vector3(0, -1, 0) }, [group]));
      }
      tips[who]!.push(nodes[PARTICLES - 1]!);
    }
    roots.push(root);
  }
  scene.updateMatrixWorld(true);
  manager.setInitState();
  let frame = 0;
  return {
    frame: () => {
      for (let who = 0; who < characters; who++) roots[who]!.position.set(rootX(who, frame), rootY(who, frame), 0);
      if (frame > 0 && !refreshed) manager.update(DT);
      if (frame > 0 && refreshed) {
        for (const shape of shapes) shape.updateWorldMatrix(true, false);
        for (const joint of manager.joints) {
          scene.updateMatrixWorld(true);
          joint.update(DT);
        }
      }
      frame++;
    },
    tip: (who, chain) => {
      scene.updateMatrixWorld(true);
      const e = tips[who]![chain]!.matrixWorld.elements;
      return [e[12], e[13], e[14]];
    },
  };
}

const checked = batchOf("vrm", 3), exact = peerOf(true, 3);
for (let f = 0; f < 60; f++) {
  checked.frame();
  exact.frame();
}
let apart = 0;
for (let who = 0; who < 3; who++) {
  for (let chain = 0; chain < CHAINS; chain++) {
    const a = checked.tip(who, chain), b = exact.tip(who, chain);
    apart = Math.max(apart, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
  }
}
console.log(`${CHARACTERS * CHAINS} chains of ${PARTICLES} particles with ${COLLIDERS.length} colliders; after 60 frames the tips are ${(apart * 1000).toFixed(2)} mm apart`);
if (!(apart < 2e-3)) throw new Error("the two sides do not do the same work");

const own = batchOf("vrm"), peer = peerOf(false);
const print = (what: string, { ratio, lowest, highest, ownMs, peerMs }: Awaited<ReturnType<typeof race>>): void =>
  console.log(`${what.padEnd(34)} ${ratio.toFixed(1)} times three-vrm (${lowest.toFixed(1)}–${highest.toFixed(1)}); ${ownMs.toFixed(3)} ms against ${peerMs.toFixed(3)} ms a frame`);
print("batch, VRM joints", await race(own.frame, peer.frame));
print("batch, the engine's rods", await race(batchOf("rod").frame, peer.frame));
print("a solver a character, VRM joints", await race(solversOf().frame, peer.frame));
console.log(`bytes a frame of the batch: ${bytesPerWindow(own.frame, 500)}`);
