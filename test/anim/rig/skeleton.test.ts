import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimCapacityError, AnimIndexError, AnimPose, AnimSkeleton, AnimStateError } from "../../../src/anim/index.js";
import { heap } from "../../../src/wasm/heap.js";

function sample(): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  for (const [name, parent] of [["root", -1], ["spine", 0], ["head", 1], ["leg", 0], ["foot", 3], ["prop", -1]] as const) skeleton.addBone(name, parent);
  return skeleton;
}

describe("AnimSkeleton", () => {
  it("appends bones with identity transforms and finds them by name", () => {
    const skeleton = sample();
    expect(skeleton.getBoneCount()).toBe(6);
    expect(skeleton.findBone("foot")).toBe(4);
    expect(skeleton.findBone("Foot")).toBe(-1);
    expect(skeleton.getBoneName(2)).toBe("head");
    expect(skeleton.getParent(4)).toBe(3);
    expect(skeleton.getRoots()).toEqual([0, 5]);
    expect([skeleton.getBindPositionX(5), skeleton.getBindRotationW(5), skeleton.getBindScaleY(5)]).toEqual([0, 1, 1]);
    expect(skeleton.getBoneLodLimit(0)).toBe(255);
  });

  it("answers questions about its hierarchy", () => {
    const skeleton = sample();
    skeleton.setBindPosition(1, 0, 3, 4);
    skeleton.setBindPosition(3, 0, 1, 0);
    expect(skeleton.getChildCount(0)).toBe(2);
    expect(skeleton.getChild(0, 1)).toBe(3);
    expect(skeleton.isAncestor(0, 4)).toBe(true);
    expect(skeleton.isAncestor(1, 4)).toBe(false);
    expect(skeleton.isAncestor(4, 4)).toBe(false);
    expect(skeleton.getDepth(4)).toBe(2);
    expect(skeleton.getBoneLength(0)).toBe(5);
    expect(skeleton.subtreeEnd(0)).toBe(5);
    expect(skeleton.subtreeEnd(3)).toBe(5);
    skeleton.addBone("hat", 2);
    expect(skeleton.subtreeEnd(1)).toBe(-1);
    expect([...skeleton.subtreeRuns(1)]).toEqual([1, 3, 6, 7]);
  });

  it("refuses bad names, parents, numbers and indices without changing anything", () => {
    const skeleton = sample();
    expect(() => skeleton.addBone("")).toThrow(AnimArgumentError);
    expect(() => skeleton.addBone("root")).toThrow(AnimArgumentError);
    expect(() => skeleton.addBone("x", 6)).toThrow(AnimIndexError);
    expect(() => skeleton.addBone("x", -2)).toThrow(AnimIndexError);
    expect(() => skeleton.addBone("x", 0.5)).toThrow(AnimIndexError);
    expect(skeleton.getBoneCount()).toBe(6);
    expect(() => skeleton.setBindPosition(0, NaN, 0, 0)).toThrow(AnimArgumentError);
    expect(() => skeleton.setBindRotation(0, 0, 0, 0, 0)).toThrow(AnimArgumentError);
    expect(() => skeleton.setBindScale(0, 1, Infinity, 1)).toThrow(AnimArgumentError);
    expect(() => skeleton.setBindScale(6, 1, 1, 1)).toThrow(AnimIndexError);
    expect(() => skeleton.getBoneName(-1)).toThrow(AnimIndexError);
    skeleton.setBindRotation(0, 0, 0, 0, -4);
    expect(skeleton.getBindRotationW(0)).toBe(-1);
  });

  it("has at most 1024 bones", () => {
    const skeleton = new AnimSkeleton();
    for (let i = 0; i < 1024; i++) skeleton.addBone(`b${i}`, i - 1);
    expect(() => skeleton.addBone("one more")).toThrow(AnimCapacityError);
    const pose = new AnimPose();
    skeleton.setBindPosition(0, 1, 0, 0);
    skeleton.setBindPosition(1023, 0, 1, 0);
    skeleton.applyBindPose(pose);
    pose.computeWorld(skeleton);
    expect(pose.getWorldPositionX(1023)).toBe(1);
    expect(pose.getWorldPositionY(1023)).toBe(1);
  });

  it("keeps bind values while it grows, applies them to poses and clones", () => {
    const skeleton = sample(), pose = new AnimPose();
    for (let i = 0; i < 6; i++) skeleton.setBindPosition(i, i, i + 0.5, -i);
    for (let i = 0; i < 40; i++) skeleton.addBone(`more${i}`, 5);
    skeleton.setBoneLodLimit(3, 2);
    skeleton.applyBindPose(pose);
    expect(pose.getBoneCount()).toBe(46);
    expect([0, 1, 5].map((i) => pose.getLocalPositionY(i))).toEqual([0.5, 1.5, 5.5]);
    const copy = skeleton.clone();
    expect(copy.getHash()).toBe(skeleton.getHash());
    expect(copy.getBindPositionX(4)).toBe(4);
    expect(copy.getBoneLodLimit(3)).toBe(2);
    copy.addBone("x");
    expect(copy.getHash()).not.toBe(skeleton.getHash());
  });

  it("cannot grow once frozen, and throws after dispose", () => {
    const skeleton = sample();
    skeleton.freeze("test");
    expect(() => skeleton.addBone("late")).toThrow(AnimStateError);
    skeleton.setBindPosition(0, 1, 2, 3);
    expect(skeleton.clone().isFrozen()).toBe(false);
    skeleton.dispose();
    skeleton.dispose();
    expect(() => skeleton.getBindPositionX(0)).toThrow(AnimStateError);
    expect(() => skeleton.applyBindPose(new AnimPose())).toThrow(AnimStateError);
  });

  it("gives all memory back when disposed", () => {
    const before = heap.usedBytes;
    for (let i = 0; i < 50; i++) {
      const skeleton = sample(), pose = new AnimPose(6);
      skeleton.setBoneLodLimit(2, 1);
      skeleton.liveMasks(2);
      pose.computeWorld(skeleton);
      pose.dispose();
      skeleton.dispose();
    }
    expect(heap.usedBytes).toBe(before);
  });

  it("gives the bind pose in model space, anew after an edit", () => {
    const skeleton = new AnimSkeleton(), s = Math.SQRT1_2;
    skeleton.addBone("a");
    skeleton.addBone("b", 0);
    skeleton.setBindPosition(0, 1, 2, 3);
    skeleton.setBindRotation(0, 0, s, 0, s);
    skeleton.setBindPosition(1, 1, 0, 0);
    skeleton.computeBindWorld();
    // A quarter turn about +Y takes +X to -Z.
    expect([12, 13, 14].map((element) => skeleton.getBindWorldMatrixElement(1, element))).toEqual([expect.closeTo(1, 6), 2, expect.closeTo(2, 6)]);
    skeleton.setBindPosition(0, 0, 0, 0);
    expect(skeleton.getBindWorldMatrixElement(1, 13)).toBe(0);
  });
});
