import { describe, expect, it } from "vitest";
import {
  AnimArgumentError, AnimFormatError, AnimIndexError, AnimMismatchError, AnimPose, AnimSkeleton, AnimSkin, AnimStateError, splitForPalette,
} from "../../../src/anim/index.js";
import type { SkinDesc } from "../../../src/anim/index.js";
import { heap } from "../../../src/wasm/heap.js";
import { golden, randomQuaternion, seeded } from "./golden.js";

const data = golden("skinning-golden.json");

function cesium(): { skeleton: AnimSkeleton; skin: AnimSkin } {
  const skeleton = new AnimSkeleton();
  for (const b of data.skeleton) skeleton.addBone(b.name, b.parent);
  const skin = AnimSkin.fromArrays({
    positions: data.bindPose.positionsSampled.flat(), normals: data.bindPose.normalsSampled.flat(),
    joints: data.bindPose.joints.flat(), weights: data.bindPose.weights.flat(),
    jointNames: data.skin.jointToBone.map((bone: number) => data.skeleton[bone].name), inverseBind: data.skin.inverseBind.flat(),
  }, skeleton);
  return { skeleton, skin };
}

function poseOf(t: number[][], q: number[][], s: number[][]): AnimPose {
  const pose = new AnimPose(t.length);
  for (let i = 0; i < t.length; i++) {
    pose.setLocalPosition(i, t[i]![0]!, t[i]![1]!, t[i]![2]!);
    pose.setLocalRotation(i, q[i]![0]!, q[i]![1]!, q[i]![2]!, q[i]![3]!);
    pose.setLocalScale(i, s[i]![0]!, s[i]![1]!, s[i]![2]!);
  }
  return pose;
}

/** Random mesh on a random rig, with all influence counts. */
function random(seed: number, vertices: number, bones: number): { skeleton: AnimSkeleton; pose: AnimPose; desc: SkinDesc } {
  const next = seeded(seed);
  const skeleton = new AnimSkeleton(), pose = new AnimPose(bones);
  for (let i = 0; i < bones; i++) {
    skeleton.addBone(`b${i}`, Math.floor(next() * (i + 1)) - 1);
    pose.setLocalPosition(i, next() - 0.5, next() - 0.5, next() - 0.5);
    pose.setLocalRotation(i, ...randomQuaternion(next));
    pose.setLocalScale(i, 0.8 + next() * 0.4, 0.8 + next() * 0.4, 0.8 + next() * 0.4);
  }
  const inverseBind: number[] = [];
  for (let j = 0; j < bones; j++) {
    const m = Array.from({ length: 16 }, () => next() * 2 - 1);
    m[3] = m[7] = m[11] = 0;
    m[15] = 1;
    inverseBind.push(...m);
  }
  const joints: number[] = [], weights: number[] = [];
  for (let v = 0; v < vertices; v++) {
    const count = v % 5;
    const raw = Array.from({ length: 4 }, (_, k) => (k < count ? 0.1 + next() : 0)), sum = raw.reduce((a, b) => a + b, 0) || 1;
    for (let k = 0; k < 4; k++) {
      joints.push(Math.floor(next() * bones));
      weights.push(raw[k]! / sum);
    }
  }
  const vectors = (): number[] => Array.from({ length: vertices * 3 }, () => next() * 2 - 1);
  return {
    skeleton, pose,
    desc: {
      positions: vectors(), normals: vectors(), tangents: Array.from({ length: vertices * 4 }, (_, i) => (i % 4 === 3 ? (next() < 0.5 ? -1 : 1) : next() * 2 - 1)),
      joints, weights, jointNames: Array.from({ length: bones }, (_, i) => `b${i}`), inverseBind,
    },
  };
}

/** Slow and obvious: blends transformed points in double precision. */
function referencePosition(skin: AnimSkin, desc: SkinDesc, vertex: number): number[] {
  const p = [0, 1, 2].map((k) => desc.positions[vertex * 3 + k]!);
  const out = [0, 0, 0];
  let total = 0;
  for (let k = 0; k < 4; k++) {
    const joint = skin.getVertexSkinJoint(vertex, k), weight = skin.getVertexWeight(vertex, k);
    if (joint < 0) continue;
    total += weight;
    for (let r = 0; r < 3; r++) {
      const m = (c: number): number => skin.getMatrixPaletteElement(joint, c * 4 + r);
      out[r]! += weight * (m(0) * p[0]! + m(1) * p[1]! + m(2) * p[2]! + m(3));
    }
  }
  return total === 0 ? p : out;
}

describe("AnimSkin", () => {
  it("gives the golden palette, positions and normals of CesiumMan", () => {
    const { skin } = cesium();
    expect(skin.getBoneCount()).toBe(19);
    expect(skin.getVertexCount()).toBe(137);
    for (const frame of data.frames) {
      const pose = poseOf(frame.localT, frame.localQ, frame.localS);
      expect(skin.updateSkinnedPositions(pose)).toBe(true);
      expect(skin.updateSkinnedNormals(pose)).toBe(true);
      const positions = skin.getSkinnedPositions(), normals = skin.getSkinnedNormals();
      frame.positions.forEach((want: number[], v: number) => want.forEach((value, k) => {
        expect(Math.abs(positions[v * 3 + k]! - value)).toBeLessThanOrEqual(data.tolerance.f32Position);
        expect(Math.abs(normals[v * 3 + k]! - frame.normals[v][k])).toBeLessThanOrEqual(data.tolerance.f32Normal);
      }));
      if (Math.abs(frame.time - data.paletteAt.time) < 1e-6) {
        data.paletteAt.palette.forEach((matrix: number[], joint: number) => matrix.forEach((value, e) => {
          expect(Math.abs(skin.getMatrixPaletteElement(joint, e) - value)).toBeLessThanOrEqual(data.tolerance.f32World);
        }));
      }
    }
  });

  it("bounds every skinned vertex of the golden frames", () => {
    const { skin } = cesium(), out = new Float32Array(6);
    for (const frame of data.frames) {
      skin.computeBounds(poseOf(frame.localT, frame.localQ, frame.localS), out);
      for (const p of frame.positions) {
        for (let k = 0; k < 3; k++) {
          expect(p[k]).toBeGreaterThanOrEqual(out[k]! - 1e-4);
          expect(p[k]).toBeLessThanOrEqual(out[3 + k]! + 1e-4);
        }
      }
    }
  });

  it("bounds every vertex after morph weights have moved the bind pose", () => {
    const { skeleton, pose, desc } = random(7, 40, 5), out = new Float32Array(6);
    const skin = AnimSkin.fromArrays({ ...desc, targets: [{ name: "grow", positions: desc.positions }] }, skeleton);
    for (const weight of [0, 3, -2, 0.5]) {
      skin.setMorphWeights([weight]);
      skin.computeBounds(pose, out);
      skin.updateSkinnedPositions(pose);
      for (const [i, value] of skin.getSkinnedPositions().entries()) {
        expect(value).toBeGreaterThanOrEqual(out[i % 3]! - 1e-4);
        expect(value).toBeLessThanOrEqual(out[3 + (i % 3)]! + 1e-4);
      }
    }
  });

  it("a ray meets the triangle that is nearest of all skinned ones, in every mode, and none where there is none", () => {
    const next = seeded(41);
    for (const mode of ["linear", "dualQuaternion"] as const) {
      let hits = 0;
      for (let round = 0; round < 12; round++) {
        const { skeleton, pose, desc } = random(round + 1, 60, 7), indices = Array.from({ length: 90 }, () => Math.floor(next() * 60));
        for (let bone = 0; bone < 7; bone++) pose.setLocalScale(bone, 1, 1, 1);
        const unit = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], skin = AnimSkin.fromArrays({ ...desc, indices, inverseBind: Array.from({ length: 7 }, () => unit).flat() }, skeleton);
        skin.setSkinningMode(mode);
        for (let shot = 0; shot < 20; shot++) {
          pose.setLocalRotation(shot % 7, ...randomQuaternion(next));
          const origin = [next() * 4 - 2, next() * 4 - 2, next() * 4 - 2], aim = origin.map((v) => (next() - 0.5) * 2 - v), hit = { distance: -1, x: 0, y: 0, z: 0, nx: 0, ny: 0, nz: 0, triangle: -1, u: 0, v: 0, bone: -2 };
          const found = skin.raycast(pose, origin, aim, hit);
          skin.updateSkinnedPositions(pose);
          const points = skin.getSkinnedPositions(), length = Math.hypot(...aim), d = aim.map((v) => v / length);
          let nearest = Infinity;
          for (let t = 0; t < indices.length; t += 3) {
            const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((i) => points[indices[t + k]! * 3 + i]!)) as [number[], number[], number[]];
            // Cramer: origin + d s = a + u (b - a) + v (c - a).
            const columns = [d.map((v) => -v), b.map((v, i) => v - a[i]!), c.map((v, i) => v - a[i]!)], right = origin.map((v, i) => v - a[i]!);
            const det = (m: number[][]): number => m[0]![0]! * (m[1]![1]! * m[2]![2]! - m[1]![2]! * m[2]![1]!) - m[1]![0]! * (m[0]![1]! * m[2]![2]! - m[0]![2]! * m[2]![1]!) + m[2]![0]! * (m[0]![1]! * m[1]![2]! - m[0]![2]! * m[1]![1]!);
            const whole = det(columns), [s, u, v] = [0, 1, 2].map((k) => det(columns.map((column, i) => (i === k ? right : column))) / whole) as [number, number, number];
            if (u >= 0 && v >= 0 && u + v <= 1 && s >= 0 && s < nearest) nearest = s;
          }
          expect(found).toBe(nearest < Infinity);
          if (!found) continue;
          hits++;
          expect(hit.distance).toBeCloseTo(nearest, 3);
          expect(hit.x).toBeCloseTo(origin[0]! + d[0]! * nearest, 3);
          expect(hit.nx * d[0]! + hit.ny * d[1]! + hit.nz * d[2]!).toBeLessThan(1e-6);
          expect(skin.raycast(pose, origin, aim, hit, hit.distance * 0.99)).toBe(false);
        }
      }
      expect(hits).toBeGreaterThan(60);
    }
    const { skeleton, pose, desc } = random(3, 6, 2), bare = AnimSkin.fromArrays(desc, skeleton);
    expect(() => bare.raycast(pose, [0, 0, 0], [0, 0, 1], {} as never)).toThrow(AnimMismatchError);
    const skin = AnimSkin.fromArrays({ ...desc, indices: [0, 1, 2] }, skeleton);
    expect(() => skin.raycast(pose, [0, 0, 0], [0, 0, 0], {} as never)).toThrow(AnimArgumentError);
    expect(skin.raycast(null as never, [0, 0, 0], [0, 0, 1], {} as never)).toBe(false);
    expect(() => AnimSkin.fromArrays({ ...desc, indices: [0, 1, 6] }, skeleton)).toThrow(AnimFormatError);
    expect(() => AnimSkin.fromArrays({ ...desc, indices: [0, 1] }, skeleton)).toThrow(/three a triangle/);
    expect(() => AnimSkin.fromArrays({ ...desc, targets: [{ name: "t", positions: desc.positions, normals: Array.from({ length: 18 }, () => NaN) }] }, skeleton)).toThrow(AnimFormatError);
  });

  it("dual quaternions: one joint moves as its matrix says, whatever it does, and a twisted joint keeps its volume", () => {
    const next = seeded(21), skeleton = new AnimSkeleton(), pose = new AnimPose(2), unit = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    skeleton.addBone("a");
    skeleton.addBone("b", 0);
    const positions = [0, 1, 0, 0.3, 0.5, -0.2, 0, 1, 0, 1, 0, 0], normals = [0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0];
    const skin = AnimSkin.fromArrays({
      positions, normals, joints: [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], weights: [1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 0, 0, 0], jointNames: ["a", "b"], inverseBind: [...unit, ...unit],
    }, skeleton);
    for (let i = 0; i < 30; i++) {
      const scale = 0.5 + next();
      for (const bone of [0, 1]) {
        pose.setLocalPosition(bone, next(), next(), next());
        pose.setLocalRotation(bone, ...randomQuaternion(next));
        pose.setLocalScale(bone, scale, scale, scale);
      }
      skin.setSkinningMode("linear");
      skin.updateSkinnedPositions(pose);
      skin.updateSkinnedNormals(pose);
      const linear = [...skin.getSkinnedPositions()], turned = [...skin.getSkinnedNormals()];
      skin.setSkinningMode("dualQuaternion");
      expect(skin.hasSkinnedPositions()).toBe(false);
      skin.updateSkinnedPositions(pose);
      skin.updateSkinnedNormals(pose);
      // The vertices of one joint, and the one of none.
      for (const k of [0, 1, 2, 3, 4, 5, 9, 10, 11]) {
        expect(skin.getSkinnedPositions()[k]).toBeCloseTo(linear[k]!, 5);
        expect(skin.getSkinnedNormals()[k]).toBeCloseTo(turned[k]!, 5);
      }
      const dual = [...skin.getSkinnedPositions()];
      skin.setSkinningMode("blendedDualQuaternion", [0, 1, 0.25, 0.5]);
      skin.updateSkinnedPositions(pose);
      for (const k of [6, 7, 8]) expect(skin.getSkinnedPositions()[k]).toBeCloseTo(linear[k]! + 0.25 * (dual[k]! - linear[k]!), 5);
      expect(skin.getSkinningMode()).toBe("blendedDualQuaternion");
    }
    // A half twist about x: the linear mean of the two places lies on the axis, the dual one a quarter turn round.
    for (const bone of [0, 1]) {
      pose.setLocalPosition(bone, 0, 0, 0);
      pose.setLocalScale(bone, 1, 1, 1);
      pose.setLocalRotation(bone, 0, 0, 0, 1);
    }
    pose.setLocalRotation(1, Math.sin(1.55), 0, 0, Math.cos(1.55));
    skin.setSkinningMode("linear");
    skin.updateSkinnedPositions(pose);
    expect(Math.hypot(skin.getSkinnedPositionY(2), skin.getSkinnedPositionZ(2))).toBeLessThan(0.05);
    skin.setSkinningMode("dualQuaternion");
    skin.updateSkinnedPositions(pose);
    expect(Math.hypot(skin.getSkinnedPositionY(2), skin.getSkinnedPositionZ(2))).toBeCloseTo(1, 5);
  });

  it("dual quaternions: a pose that stretches unevenly or mirrors is skinned linearly, and bad settings are refused", () => {
    const { skeleton, pose, desc } = random(5, 20, 4), skin = AnimSkin.fromArrays(desc, skeleton);
    skin.updateSkinnedPositions(pose);
    const linear = [...skin.getSkinnedPositions()];
    skin.setSkinningMode("dualQuaternion");
    skin.updateSkinnedPositions(pose);
    expect([...skin.getSkinnedPositions()]).toEqual(linear);
    expect(() => skin.setSkinningMode("spherical" as never)).toThrow(/"dualQuaternion"/);
    expect(() => skin.setSkinningMode("blendedDualQuaternion")).toThrow(AnimArgumentError);
    expect(() => skin.setSkinningMode("blendedDualQuaternion", [1])).toThrow(/20, one a vertex/);
    expect(() => skin.setSkinningMode("blendedDualQuaternion", Array.from({ length: 20 }, () => 2))).toThrow(AnimArgumentError);
    expect(skin.getSkinningMode()).toBe("dualQuaternion");
  });

  it("agrees with a slow reference for every influence count and small vertex counts", () => {
    for (const vertices of [1, 3, 4, 5, 8, 9, 503]) {
      const { skeleton, pose, desc } = random(vertices, vertices, 13);
      const skin = AnimSkin.fromArrays(desc, skeleton);
      skin.updateSkinnedPositions(pose);
      for (let v = 0; v < vertices; v++) {
        const want = referencePosition(skin, desc, v);
        const got = [skin.getSkinnedPositionX(v), skin.getSkinnedPositionY(v), skin.getSkinnedPositionZ(v)];
        const size = Math.max(1, ...want.map(Math.abs));
        got.forEach((value, k) => expect(Math.abs(value - want[k]!)).toBeLessThan(2e-5 * size));
      }
    }
  });

  it("turns normals by the inverse transpose where scales are not uniform, keeping the side of mirrored joints", () => {
    const skeleton = new AnimSkeleton(), pose = new AnimPose(1);
    skeleton.addBone("b");
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const n = [Math.SQRT1_2, Math.SQRT1_2, 0];
    const skin = AnimSkin.fromArrays({ positions: [0, 0, 0], normals: n, joints: [0, 0, 0, 0], weights: [1, 0, 0, 0], jointNames: ["b"], inverseBind: identity }, skeleton);
    pose.setLocalScale(0, 2, 1, 1);
    skin.updateSkinnedNormals(pose);
    const got = skin.getSkinnedNormals();
    expect(got[0]).toBeCloseTo(0.5 / Math.hypot(0.5, 1), 6);
    expect(got[1]).toBeCloseTo(1 / Math.hypot(0.5, 1), 6);
    pose.setLocalScale(0, -1, 1, 1.5);
    skin.updateSkinnedNormals(pose);
    expect(skin.getSkinnedNormals()[0]).toBeCloseTo(-Math.SQRT1_2, 6);
    pose.setLocalScale(0, 3, 3, 3);
    skin.updateSkinnedNormals(pose);
    expect(skin.getSkinnedNormals()[1]).toBeCloseTo(Math.SQRT1_2, 6);
    pose.setLocalScale(0, 0, 0, 0);
    skin.updateSkinnedNormals(pose);
    expect([...skin.getSkinnedNormals()]).toEqual(n.map(Math.fround));
  });

  it("keeps tangents perpendicular to normals, of unit length and with their sign", () => {
    const { skeleton, pose, desc } = random(5, 101, 9);
    const skin = AnimSkin.fromArrays(desc, skeleton);
    expect(skin.updateSkinnedTangents(pose)).toBe(true);
    const tangents = skin.getSkinnedTangents(), normals = skin.getSkinnedNormals();
    for (let v = 0; v < 101; v++) {
      const t = [0, 1, 2].map((k) => tangents[v * 4 + k]!), m = [0, 1, 2].map((k) => normals[v * 3 + k]!);
      expect(tangents[v * 4 + 3]).toBe(desc.tangents![v * 4 + 3]);
      if (v % 5 === 0) continue;
      expect(Math.abs(Math.hypot(...t) - 1)).toBeLessThan(1e-5);
      expect(Math.abs(t.reduce((sum, x, k) => sum + x * m[k]!, 0))).toBeLessThan(1e-4);
    }
  });

  it("adds entries of one joint, keeps the four largest and makes them sum to 1", () => {
    const skeleton = new AnimSkeleton();
    for (let i = 0; i < 6; i++) skeleton.addBone(`b${i}`);
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const skin = AnimSkin.fromArrays({
      positions: [0, 0, 0, 1, 1, 1, 2, 2, 2],
      joints: [0, 1, 2, 3, 4, 5, 0, 0, /**/ 5, 4, 3, 2, 1, 0, 0, 0, /**/ 6, 0, 0, 0, 0, 0, 0, 0],
      weights: [0.1, 0.2, 0.1, 0.3, 0.05, 0.05, 0.1, 0.1, /**/ 0, -1, 0, 0, 0, 0, 0, 0, /**/ 1, 0.5, 0, 0, 0, 0, 0, 0],
      influences: 8, jointNames: ["b0", "b1", "b2", "b3", "b4", "b5", "nobody"], inverseBind: Array.from({ length: 7 }, () => identity).flat(),
    }, skeleton);
    // Joint 0 three times: 0.3, then 3: 0.3, 1: 0.2, 2: 0.1, of 0.9 in all.
    expect([0, 1, 2, 3].map((k) => skin.getVertexSkinJoint(0, k))).toEqual([0, 3, 1, 2]);
    [0.3, 0.3, 0.2, 0.1].forEach((w, k) => expect(skin.getVertexWeight(0, k)).toBeCloseTo(w / 0.9, 6));
    expect(skin.getVertexBone(1, 0)).toBe(-1);
    expect(skin.getVertexBone(2, 0)).toBe(0);
    expect(skin.getVertexWeight(2, 0)).toBe(1);
    expect(skin.getUnmatchedJoints()).toEqual(["nobody"]);
    const pose = new AnimPose(6);
    pose.setLocalPosition(0, 5, 0, 0);
    skin.updateSkinnedPositions(pose);
    expect(skin.getSkinnedPositionX(1)).toBe(1);
    expect(skin.getSkinnedPositionX(2)).toBe(7);
    expect(skin.getBindPositionY(2)).toBe(2);
  });

  it("skips work for an unchanged pose and sees every change of it", () => {
    const { skeleton, pose, desc } = random(3, 40, 5);
    const skin = AnimSkin.fromArrays(desc, skeleton);
    skin.updateSkinnedPositions(pose);
    const before = skin.getSkinnedPositionX(2);
    heap.f32.fill(77, skin.getSkinnedPositions().byteOffset >>> 2, (skin.getSkinnedPositions().byteOffset >>> 2) + 9);
    skin.updateSkinnedPositions(pose);
    expect(skin.getSkinnedPositionX(2)).toBe(77);
    pose.setLocalPosition(0, pose.getLocalPositionX(0), pose.getLocalPositionY(0), pose.getLocalPositionZ(0));
    skin.updateSkinnedPositions(pose);
    expect(skin.getSkinnedPositionX(2)).toBe(before);
  });

  it("adds morph targets before it skins", () => {
    const { skeleton, pose, desc } = random(9, 12, 4);
    const deltas = Array.from({ length: 36 }, (_, i) => (i % 7) * 0.1);
    const skin = AnimSkin.fromArrays({ ...desc, targets: [{ name: "smile", positions: deltas }, { name: "empty" }] }, skeleton);
    const moved = AnimSkin.fromArrays({ ...desc, positions: Array.from(desc.positions, (p, i) => p + 0.5 * deltas[i]!) }, skeleton);
    expect(skin.getMorphTargetCount()).toBe(2);
    expect(skin.getMorphTargetName(0)).toBe("smile");
    skin.setMorphWeights([0.5, 1]);
    expect(skin.hasSkinnedPositions()).toBe(false);
    skin.updateSkinnedPositions(pose);
    moved.updateSkinnedPositions(pose);
    for (let i = 0; i < 36; i++) expect(Math.abs(skin.getSkinnedPositions()[i]! - moved.getSkinnedPositions()[i]!)).toBeLessThan(1e-5);
    expect(() => skin.setMorphWeights([1])).toThrow(AnimArgumentError);
  });

  it("hands attributes, palettes and vertices to a renderer", () => {
    const { skeleton, pose, desc } = random(4, 20, 6);
    const skin = AnimSkin.fromArrays(desc, skeleton), calls: string[] = [];
    const mesh = { getVertexCount: () => 20, setMeshPalette: (palette: Float32Array, count: number) => calls.push(`palette ${palette.length} ${count}`) };
    const gfx = {
      setMeshSkinAttributes: (_: unknown, joints: ArrayLike<number>, weights: ArrayLike<number>) => calls.push(`attributes ${joints.length} ${weights.length}`),
      updateMeshVertices: (_: unknown, positions: ArrayLike<number>, normals: ArrayLike<number> | undefined) => calls.push(`vertices ${positions.length} ${normals?.length}`),
    };
    skin.bindGpuMesh(gfx, mesh);
    expect(skin.updateGpuMesh(mesh, pose)).toBe(true);
    expect(skin.applyToMesh(gfx, mesh, pose)).toBe(true);
    expect(calls).toEqual(["attributes 80 80", "palette 96 6", "vertices 60 60"]);
    expect(skin.updateGpuMesh(mesh, null as never)).toBe(false);
    expect(() => skin.applyToMesh(gfx, { getVertexCount: () => 3 }, pose)).toThrow(AnimMismatchError);
    const rows = new Float32Array(72);
    skin.writePaletteTo(rows, 0, true);
    expect(rows[12 + 3]).toBe(skin.getMatrixPaletteElement(1, 12));
    expect(rows[12 + 4]).toBe(skin.getMatrixPaletteElement(1, 1));
  });

  it("splits triangles into draws of few joints that cover all of them", () => {
    const { skeleton, desc } = random(8, 60, 40);
    const indices = Array.from({ length: 60 }, (_, i) => (i * 7) % 60);
    const skin = AnimSkin.fromArrays({ ...desc, indices }, skeleton), draws = splitForPalette(skin, 16);
    expect(draws.length).toBeGreaterThan(1);
    expect(draws.flatMap((d) => [...d.indices]).toSorted((a, b) => a - b)).toEqual(indices.toSorted((a, b) => a - b));
    for (const draw of draws) {
      expect(draw.joints.length).toBeLessThanOrEqual(16);
      for (const v of draw.indices) for (let k = 0; k < 4; k++) {
        const joint = skin.getVertexSkinJoint(v, k);
        if (joint >= 0) expect(draw.joints).toContain(joint);
      }
    }
  });

  it("refuses bad meshes, poses and indices, and results that do not exist yet", () => {
    const { skeleton, pose, desc } = random(2, 10, 4);
    const make = (change: Partial<SkinDesc>): unknown => AnimSkin.fromArrays({ ...desc, ...change }, skeleton);
    expect(() => make({ positions: [] })).toThrow(AnimArgumentError);
    expect(() => make({ joints: undefined as never })).toThrow(AnimArgumentError);
    expect(() => make({ weights: Array.from(desc.weights, () => NaN) })).toThrow(AnimFormatError);
    expect(() => make({ joints: Array.from(desc.joints, () => 99) })).toThrow(AnimFormatError);
    expect(() => make({ inverseBind: Array.from(desc.inverseBind, () => 0) })).toThrow(AnimFormatError);
    expect(() => make({ jointNames: ["p", "q", "r", "s"] })).toThrow(AnimMismatchError);
    expect(() => make({ orphanPolicy: "throw" })).toThrow(AnimFormatError);
    expect(() => make({ positions: Array.from(desc.positions, () => Infinity) })).toThrow(AnimFormatError);
    const skin = AnimSkin.fromArrays(desc, skeleton);
    expect(() => skin.getSkinnedPositions()).toThrow(AnimStateError);
    expect(() => skin.getSkinnedPositionX(0)).toThrow(AnimStateError);
    expect(() => skin.getMatrixPaletteElement(0, 0)).toThrow(AnimStateError);
    expect(() => skin.getInverseBindElement(0, 16)).toThrow(AnimIndexError);
    expect(() => skin.getVertexBone(10, 0)).toThrow(AnimIndexError);
    expect(() => skin.getVertexBone(0, 4)).toThrow(AnimIndexError);
    expect(() => skin.updateSkinnedPositions(new AnimPose(3))).toThrow(AnimMismatchError);
    expect(skin.updateSkinnedPositions(null as never)).toBe(false);
    expect(skin.hasSkinnedPositions()).toBe(false);
    skin.updateSkinnedPositions(pose);
    expect(skin.hasSkinnedPositions()).toBe(true);
    const view = skin.getSkinnedPositions();
    expect(skin.getSkinnedPositions()).toBe(view);
    skin.dispose();
    expect(() => skin.updateSkinnedPositions(pose)).toThrow(AnimStateError);
  });

  it("gives all memory back", () => {
    const { skeleton, pose, desc } = random(6, 50, 8);
    pose.computeWorld(skeleton);
    const before = heap.usedBytes;
    for (let i = 0; i < 20; i++) {
      const skin = AnimSkin.fromArrays({ ...desc, targets: [{ name: "t", positions: desc.positions, normals: desc.normals }] }, skeleton);
      skin.updateSkinnedTangents(pose);
      skin.updateSkinnedPositions(pose);
      skin.dispose();
    }
    expect(heap.usedBytes).toBe(before);
  });
});
