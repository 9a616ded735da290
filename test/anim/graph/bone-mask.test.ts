import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimBoneMask, AnimIndexError, AnimMismatchError, AnimNameError, AnimSkeleton, AnimStateError } from "../../../src/anim/index.js";
import { heap } from "../../../src/wasm/heap.js";

function body(): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  const root = skeleton.addBone("root", -1), spine = skeleton.addBone("spine", root);
  skeleton.addBone("leg", root);
  const arm = skeleton.addBone("arm", spine);
  skeleton.addBone("foot", 2);
  skeleton.addBone("hand", arm);
  return skeleton;
}

const weights = (mask: AnimBoneMask): number[] => Array.from({ length: mask.getBoneCount() }, (_, i) => mask.getBoneWeight(i));

describe("AnimBoneMask", () => {
  it("starts at 0, or at the weight asked for", () => {
    expect(weights(new AnimBoneMask(body()))).toEqual([0, 0, 0, 0, 0, 0]);
    expect(weights(new AnimBoneMask(body(), 0.5))).toEqual([0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
  });

  it("sets a bone with its whole subtree", () => {
    const mask = new AnimBoneMask(body());
    mask.setBoneAndChildren(1, 1);
    expect(weights(mask)).toEqual([0, 1, 0, 1, 0, 1]);
    mask.setBoneWeightByName("foot", 0.25);
    expect(weights(mask)).toEqual([0, 1, 0, 1, 0.25, 1]);
    mask.invert();
    expect(weights(mask)).toEqual([1, 0, 1, 0, 0.75, 0]);
  });

  it("clamps weights and knows the smallest and the largest", () => {
    const mask = new AnimBoneMask(body(), 1);
    mask.setBoneWeight(0, 7);
    mask.setBoneWeight(1, -7);
    expect(weights(mask)).toEqual([1, 0, 1, 1, 1, 1]);
    expect([mask.lowest, mask.highest]).toEqual([0, 1]);
    mask.setAll(0.5);
    expect([mask.lowest, mask.highest]).toEqual([0.5, 0.5]);
  });

  it("copies another mask of the same size only", () => {
    const a = new AnimBoneMask(body()), b = new AnimBoneMask(body(), 0.75), other = new AnimSkeleton();
    a.copyFrom(b);
    expect(weights(a)).toEqual(weights(b));
    other.addBone("only", -1);
    expect(() => a.copyFrom(new AnimBoneMask(other))).toThrow(AnimMismatchError);
  });

  it("refuses what makes no sense, and stays as it was", () => {
    const mask = new AnimBoneMask(body(), 0.5);
    expect(() => mask.setBoneWeight(6, 1)).toThrow(AnimIndexError);
    expect(() => mask.setBoneWeight(0, Number.NaN)).toThrow(AnimArgumentError);
    expect(() => mask.setAll(Infinity)).toThrow(AnimArgumentError);
    expect(() => mask.setBoneWeightByName("spin", 1)).toThrow(/Did you mean "spine"/);
    expect(() => mask.setBoneWeightByName("spin", 1)).toThrow(AnimNameError);
    expect(weights(mask)).toEqual([0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
    expect(() => new AnimBoneMask(null as never)).toThrow(AnimArgumentError);
  });

  it("gives its memory back", () => {
    const skeleton = body();
    new AnimBoneMask(skeleton).dispose();
    const before = heap.usedBytes;
    const mask = new AnimBoneMask(skeleton);
    mask.dispose();
    mask.dispose();
    expect(heap.usedBytes).toBe(before);
    expect(() => mask.setAll(1)).toThrow(AnimStateError);
  });

  it("ramps along the hierarchy, multiplies, counts, and is made from names", () => {
    const spine = new AnimSkeleton();
    for (const [name, parent] of [["hips", -1], ["a", 0], ["b", 1], ["c", 2], ["d", 3], ["leg", 0], ["rib", 2]] as const) spine.addBone(name, parent);
    const weights = (mask: AnimBoneMask): number[] => Array.from({ length: 7 }, (_, i) => mask.getBoneWeight(i));
    const mask = new AnimBoneMask(spine, 0);
    mask.setBoneWeight(5, 0.5);
    mask.setGradient(1, -1, 3);
    expect([weights(mask), mask.countActive()]).toEqual([[0, 0.25, 0.5, 0.75, 1, 0.5, 0.75], 6]);
    const upper = AnimBoneMask.fromNames(spine, ["b", "c"]);
    mask.multiply(upper);
    expect([weights(mask), mask.countActive()]).toEqual([[0, 0, 0.5, 0.75, 0, 0, 0], 2]);
    expect(() => AnimBoneMask.fromNames(spine, ["b", "knee"])).toThrow(AnimNameError);
    expect(() => mask.setGradient(1, 2, 2)).toThrow(AnimArgumentError);
    expect(() => mask.setGradient(1, NaN, 2)).toThrow(AnimArgumentError);
    expect(() => mask.setGradient(9, 0, 2)).toThrow(AnimIndexError);
    expect(() => mask.multiply(new AnimBoneMask(body()))).toThrow(AnimMismatchError);
  });
});
