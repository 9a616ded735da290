import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimIndexError, AnimMismatchError, AnimNameError, AnimPlayer, AnimPose, AnimSkeleton } from "../../../src/anim/index.js";
import { randomQuaternion, seeded } from "./golden.js";

function arm(): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  skeleton.addBone("root");
  skeleton.addBone("hand", 0);
  skeleton.setBindPosition(1, 0, 2, 0);
  return skeleton;
}

describe("sockets", () => {
  it("are where a child bone with the same transform would be", () => {
    const random = seeded(3);
    for (let i = 0; i < 20; i++) {
      const skeleton = arm(), twin = arm(), position = [random(), random(), random()], rotation = randomQuaternion(random), scale = [1 + random(), 2, 0.5];
      const socket = skeleton.addSocket("sword", 1, position, rotation.map((v) => v * 3), scale), pose = new AnimPose(2), other = new AnimPose(3);
      twin.addBone("sword", 1);
      for (const [bone, q] of [randomQuaternion(random), randomQuaternion(random)].entries()) {
        for (const p of [pose, other]) {
          p.setLocalRotation(bone, ...q);
          p.setLocalPosition(bone, bone, 2, 3);
          p.setLocalScale(bone, 1, 1 + bone, 1.5);
        }
      }
      other.setLocalPosition(2, position[0]!, position[1]!, position[2]!);
      other.setLocalRotation(2, ...rotation);
      other.setLocalScale(2, scale[0]!, scale[1]!, scale[2]!);
      other.computeWorld(twin);
      const got = new Float32Array(18), want = new Float32Array(16);
      pose.getSocketMatrix(skeleton, socket, got, 1);
      other.getWorldMatrix(2, want);
      want.forEach((value, k) => expect(got[k + 1]).toBeCloseTo(value, 5));
      expect([got[0], got[17]]).toEqual([0, 0]);
    }
  });

  it("may be added, moved and removed while a player plays, and go with a clone", () => {
    const skeleton = arm(), player = new AnimPlayer(skeleton), out: number[] = [];
    const muzzle = skeleton.addSocket("muzzle", 1), back = skeleton.addSocket("back", 0, [0, 1, -0.2]);
    expect([muzzle, back, skeleton.getSocketCount(), skeleton.findSocket("back"), skeleton.findSocket("tail")]).toEqual([0, 1, 2, 1, -1]);
    skeleton.setSocketTransform(muzzle, [0, 0, 1]);
    player.getPose().getSocketMatrix(skeleton, muzzle, out);
    expect(out.slice(12)).toEqual([0, 2, 1, 1]);
    const copy = skeleton.clone();
    skeleton.removeSocket("muzzle");
    expect([skeleton.getSocketName(0), skeleton.getSocketBone(0), skeleton.getSocketCount()]).toEqual(["back", 0, 1]);
    expect([copy.getSocketCount(), copy.getSocketName(0)]).toEqual([2, "muzzle"]);
  });

  it("refuse taken names, bones and sockets that are not there, and transforms of the wrong size", () => {
    const skeleton = arm(), pose = new AnimPose(2);
    skeleton.addSocket("a", 1);
    expect(() => skeleton.addSocket("a", 0)).toThrow(/exists already/);
    expect(() => skeleton.addSocket("", 0)).toThrow(AnimArgumentError);
    expect(() => skeleton.addSocket("b", 2)).toThrow(AnimIndexError);
    expect(() => skeleton.addSocket("b", 1, [0, 0])).toThrow(/position has 2 numbers/);
    expect(() => skeleton.addSocket("b", 1, [0, 0, 0], [0, 0, 0, 0])).toThrow(AnimArgumentError);
    expect(() => skeleton.addSocket("b", 1, [0, 0, NaN])).toThrow(AnimArgumentError);
    expect(skeleton.getSocketCount()).toBe(1);
    expect(() => skeleton.removeSocket("b")).toThrow(AnimNameError);
    expect(() => pose.getSocketMatrix(skeleton, 1, [])).toThrow(AnimIndexError);
    expect(() => new AnimPose(3).getSocketMatrix(skeleton, 0, [])).toThrow(AnimMismatchError);
    expect(() => pose.getSocketMatrix(skeleton, 0, new Float32Array(15))).toThrow(/expected 16/);
  });
});
