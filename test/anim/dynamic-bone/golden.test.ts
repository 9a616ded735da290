import { describe, expect, it } from "vitest";
import { AnimPose, AnimSkeleton, DynamicBoneSolver } from "../../../src/anim/index.js";
import { golden } from "../../golden.js";
import { angleBetween } from "../rig/golden.js";

interface Trs { t: number[]; q: number[] }
interface BoneName { name: string; parent: number }
interface Config {
  substep: number; maxSubsteps: number; gravity?: number[]; ext?: number[]; weight?: number; posResp?: number; rotResp?: number; objResp?: number;
  chains: { bones: number[]; end: number[] | null; params: Record<string, number>; freezeAxis: number; selfCollision: boolean }[];
  colliders: { bone: number; a: number[]; b?: number[]; radius: number; inside?: boolean }[];
}
interface Frame { dt: number | "NaN"; animated?: Trs[] | null; object?: { p: number[]; q: number[] }; particles?: number[][][]; localRotations?: number[][][]; ignored?: boolean }
interface Scenario { name: string; config: Config; frames: Frame[]; bones?: BoneName[]; rest?: Trs[] }
const data = golden<{ skeleton: { bones: BoneName[]; rest: Trs[] }; scenarios: Scenario[] }>("spring-bone-golden.json.gz");

function solverOf(skeleton: AnimSkeleton, config: Config): DynamicBoneSolver {
  const solver = new DynamicBoneSolver(skeleton);
  solver.setSubstep(config.substep, config.maxSubsteps);
  const [gx, gy, gz] = config.gravity ?? [0, -9.81, 0], [ex, ey, ez] = config.ext ?? [0, 0, 0];
  solver.setGlobalGravity(gx!, gy!, gz!);
  solver.setExternalForce(ex!, ey!, ez!);
  solver.setWeight(config.weight ?? 1);
  solver.setPositionResponse(config.posResp ?? 1);
  solver.setRotationResponse(config.rotResp ?? 1);
  solver.setObjectMoveResponse(config.objResp ?? 1);
  for (const { bones, end, params: p, freezeAxis, selfCollision } of config.chains) {
    const chain = solver.addChain(bones[0]!, bones.at(-1)!);
    solver.setChainParticleParameters(chain, p.damping!, p.elasticity!, p.stiffness!, p.radius!, p.friction!, p.gravityScale!);
    solver.setChainFreezeAxis(chain, (["none", "x", "y", "z"] as const)[freezeAxis]!);
    solver.setChainSelfCollision(chain, selfCollision);
    if (end !== null) solver.setChainEndOffset(chain, end[0]!, end[1]!, end[2]!);
  }
  for (const { bone, a, b, radius, inside } of config.colliders) {
    const [x, y, z] = a as [number, number, number], [bx, by, bz] = (b ?? a) as [number, number, number];
    const id = bone < 0 ? (b ? solver.addColliderCapsule(x, y, z, bx, by, bz, radius) : solver.addColliderSphere(x, y, z, radius))
      : b ? solver.addBoneColliderCapsule(bone, x, y, z, bx, by, bz, radius) : solver.addBoneColliderSphere(bone, x, y, z, radius);
    solver.setColliderInside(id, inside === true);
  }
  return solver;
}

describe("golden runs of dynamic bones", () => {
  for (const scenario of data.scenarios) {
    it(scenario.name, () => {
      const skeleton = new AnimSkeleton(), bones = scenario.bones ?? data.skeleton.bones, rest = scenario.rest ?? data.skeleton.rest, pose = new AnimPose();
      bones.forEach(({ name, parent }, bone) => {
        skeleton.addBone(name, parent);
        skeleton.setBindPosition(bone, ...(rest[bone]!.t as [number, number, number]));
        skeleton.setBindRotation(bone, ...(rest[bone]!.q as [number, number, number, number]));
      });
      const solver = solverOf(skeleton, scenario.config), out = [0, 0, 0];
      scenario.frames.forEach((frame, f) => {
        skeleton.applyBindPose(pose);
        frame.animated?.forEach(({ t, q }, bone) => {
          pose.setLocalPosition(bone, ...(t as [number, number, number]));
          pose.setLocalRotation(bone, ...(q as [number, number, number, number]));
        });
        const [px, py, pz] = frame.object?.p ?? [0, 0, 0], [qx, qy, qz, qw] = frame.object?.q ?? [0, 0, 0, 1];
        solver.setObjectTransform(px!, py!, pz!, qx!, qy!, qz!, qw!);
        const before: number[] = [], after: number[] = [];
        pose.writeLocalTo(before);
        solver.update(pose, frame.dt === "NaN" ? NaN : frame.dt);
        if (frame.ignored === true) {
          pose.writeLocalTo(after);
          expect(after).toEqual(before);
          return;
        }
        const tolerance = f < 30 ? 1e-4 : 1e-3;
        frame.particles!.forEach((particles, chain) => {
          expect(solver.getChainParticleCount(chain)).toBe(particles.length);
          particles.forEach((wanted, i) => {
            solver.getChainParticle(chain, i, out);
            out.forEach((value, k) => expect(Math.abs(value - wanted[k]!), `frame ${f}, particle ${i}`).toBeLessThanOrEqual(tolerance));
          });
        });
        frame.localRotations?.forEach((rotations, chain) => rotations.forEach((wanted, j) => {
          const bone = scenario.config.chains[chain]!.bones[j]!;
          const found = [pose.getLocalRotationX(bone), pose.getLocalRotationY(bone), pose.getLocalRotationZ(bone), pose.getLocalRotationW(bone)];
          expect(angleBetween(found, wanted), `frame ${f}, bone ${bone}`).toBeLessThanOrEqual(1e-3);
        }));
      });
    });
  }
});

interface VrmFrame { root: number[]; worldPositions: number[][]; localRotations: number[][] }
const { vrmMode } = golden<{
  vrmMode: {
    dt: number; joint: { stiffness: number; gravityPower: number; gravityDir: [number, number, number]; dragForce: number; hitRadius: number };
    sphereCollider: { offset: [number, number, number]; radius: number }; restLocal: Trs[]; frames: VrmFrame[];
  };
}>("spring-bone-golden.json.gz");

it("the golden run of VRM joints, which the published VRM runtime agrees with", () => {
  const skeleton = new AnimSkeleton(), pose = new AnimPose(), { joint, sphereCollider, restLocal, frames } = vrmMode;
  skeleton.addBone("root");
  skeleton.setBindPosition(0, 0, 1.6, 0);
  restLocal.forEach(({ t, q }, i) => {
    skeleton.addBone(`j${i}`, i);
    skeleton.setBindPosition(i + 1, ...(t as [number, number, number]));
    skeleton.setBindRotation(i + 1, ...(q as [number, number, number, number]));
  });
  const solver = new DynamicBoneSolver(skeleton), chain = solver.addChain(1, restLocal.length);
  solver.setChainModel(chain, "vrm");
  solver.setChainVrmParameters(chain, -1, joint);
  solver.addColliderSphere(...sphereCollider.offset, sphereCollider.radius);
  skeleton.applyBindPose(pose);
  solver.update(pose, 0);
  frames.forEach(({ root, worldPositions, localRotations }, f) => {
    skeleton.applyBindPose(pose);
    pose.setLocalPosition(0, ...(root as [number, number, number]));
    solver.update(pose, 1 / 60);
    worldPositions.forEach((wanted, i) => {
      [pose.getWorldPositionX(i + 1), pose.getWorldPositionY(i + 1), pose.getWorldPositionZ(i + 1)].forEach((v, k) => expect(Math.abs(v - wanted[k]!), `frame ${f}, joint ${i}`).toBeLessThan(1e-4));
      const found = [pose.getLocalRotationX(i + 1), pose.getLocalRotationY(i + 1), pose.getLocalRotationZ(i + 1), pose.getLocalRotationW(i + 1)];
      expect(angleBetween(found, localRotations[i]!)).toBeLessThan(1e-3);
    });
  });
  expect(frames.length).toBeGreaterThan(50);
});
