import { describe, expect, it } from "vitest";
import { ProgramField } from "../../../assembly/layout/rig2d.js";
import { UpdateOp } from "../../../assembly/layout/update.js";
import { ArgumentError, StateError } from "../../../src/errors.js";
import * as spine from "../../../src/spine/index.js";
import { heap } from "../../../src/wasm/heap.js";

const ARM = {
  skeleton: { spine: "4.3.13" },
  bones: [
    { name: "root" },
    { name: "upper", parent: "root", x: 10, length: 40, rotation: 30 },
    { name: "lower", parent: "upper", x: 40, length: 40, rotation: -60 },
    { name: "hand", parent: "lower", x: 40, length: 10 },
    { name: "target", parent: "root", x: 50, y: 30 },
    { name: "free", parent: "root", x: -20, y: 5 },
  ],
  constraints: [] as object[],
  animations: {},
};

function load(extra: object = {}): spine.SkeletonData {
  return new spine.SkeletonJson(new spine.TextureAtlas("")).readSkeletonData({ ...structuredClone(ARM), ...extra });
}

const IK = { type: "ik", name: "reach", bones: ["upper", "lower"], target: "target" };

/** Operations of a skeleton's program. */
function opsOf(skeleton: spine.Skeleton): number[] {
  const at = heap.u32[(skeleton._program + ProgramField.CODE) >> 2]! >> 2;
  const ops: number[] = [];
  const operands: Record<number, (count: number) => number> = {
    [UpdateOp.COPY]: (n) => n, [UpdateOp.BONES]: (n) => 2 * n, [UpdateOp.FIRST_BONES]: (n) => 2 * n,
    [UpdateOp.CHECKED_BONES]: (n) => 3 * n, [UpdateOp.ROOTS]: (n) => n, [UpdateOp.IK]: () => 5, [UpdateOp.CALL]: () => 1,
  };
  for (let i = at; ;) {
    const word = heap.u32[i]!;
    ops.push(word & 0xff);
    if ((word & 0xff) === UpdateOp.END) return ops;
    i += 1 + operands[word & 0xff]!(word >> 8);
  }
}

describe("update programs", () => {
  it("of a skeleton without constraints never touch tags", () => {
    const skeleton = new spine.Skeleton(load());
    expect(opsOf(skeleton)).toEqual([UpdateOp.ROOTS, UpdateOp.BONES, UpdateOp.END]);
    skeleton.updateWorldTransform(spine.Physics.none);
    expect(skeleton.bones[1]!.pose.world).toBe(0);
    expect(skeleton.bones[3]!.appliedPose.worldX).toBeCloseTo(10 + 40 * Math.cos(Math.PI / 6) + 40 * Math.cos(-Math.PI / 6), 4);
  });

  it("keep bones out of tags that no constraint concerns", () => {
    const skeleton = new spine.Skeleton(load({ constraints: [IK] }));
    // root and target; upper; the constraint; upper, lower and hand again or for the first time; free
    expect(opsOf(skeleton)).toEqual([
      UpdateOp.COPY, UpdateOp.ROOTS, UpdateOp.BONES, UpdateOp.FIRST_BONES, UpdateOp.IK, UpdateOp.CHECKED_BONES, UpdateOp.FIRST_BONES,
      UpdateOp.BONES, UpdateOp.END,
    ]);
  });

  it("are shared by skeletons in the same situation and not by others", () => {
    const data = load({ constraints: [{ ...IK, skin: true }], skins: [{ name: "default" }, { name: "bound", ik: ["reach"] }] });
    const [a, b, c] = [new spine.Skeleton(data), new spine.Skeleton(data), new spine.Skeleton(data)];
    c.setSkin("bound");
    expect(b._program).toBe(a._program);
    expect(c._program).not.toBe(a._program);
    c.setSkin(null);
    expect(c._program).toBe(a._program);
  });

  it("take up edits of data at once, and a new target without sorting anew", () => {
    const data = load({ constraints: [{ ...IK, bones: ["upper"], stretch: true }] });
    const skeleton = new spine.Skeleton(data);
    skeleton.updateWorldTransform(spine.Physics.none);
    expect(skeleton.bones[1]!.appliedPose.scaleY).toBe(1);
    (data.constraints[0] as spine.IkConstraintData).uniform = true;
    skeleton.updateWorldTransform(spine.Physics.none);
    const { scaleX, scaleY } = skeleton.bones[1]!.appliedPose;
    expect(scaleX).toBeCloseTo(50 / 40, 4);
    expect(scaleY).toBe(scaleX);
    (skeleton.constraints[0] as spine.IkConstraint).target = skeleton.bones[5]!;
    skeleton.updateWorldTransform(spine.Physics.none);
    expect(skeleton.bones[1]!.appliedPose.rotation).toBeCloseTo((Math.atan2(5, -30) * 180) / Math.PI, 3);
  });

  it("leave no memory behind when skeletons come and go", () => {
    const round = (): void => {
      const data = load({ constraints: [IK] });
      for (let i = 0; i < 20; i++) new spine.Skeleton(data).dispose();
      data.dispose();
    };
    for (let i = 0; i < 5; i++) round();
    const used = heap.usedBytes;
    for (let i = 0; i < 50; i++) round();
    expect(heap.usedBytes - used).toBeLessThan(4096);
  });
});

class Pull extends spine.Constraint {
  seen: number[] = [];
  override copy(): Pull {
    return this;
  }
  override sort(skeleton: spine.Skeleton): void {
    skeleton.sortBone(skeleton.bones[4]!);
    skeleton._updateCache.push(this);
    skeleton.sortReset(skeleton.bones[4]!.children);
    skeleton.constrained(skeleton.bones[4]!);
  }
  override update(skeleton: spine.Skeleton): void {
    const { appliedPose } = skeleton.bones[4]!;
    this.seen.push(appliedPose.worldX);
    appliedPose.modifyWorld(skeleton._update);
    appliedPose.worldX = 30;
    appliedPose.worldY = -25;
  }
}

describe("constraints of one's own", () => {
  class PullData extends spine.ConstraintData {
    override create(): Pull {
      return new Pull(this, NO_POSE, NO_POSE);
    }
  }
  const NO_POSE = { set(): void {} };

  it("run in their place between kernels", () => {
    const data = load({ constraints: [IK] });
    data.constraints.unshift(new PullData("pull", NO_POSE));
    const skeleton = new spine.Skeleton(data);
    const reference = new spine.Skeleton(load({ constraints: [IK] }));
    reference.bones[4]!.pose.setPosition(30, -25);
    for (let i = 0; i < 2; i++) skeleton.updateWorldTransform(spine.Physics.none);
    reference.updateWorldTransform(spine.Physics.none);
    expect((skeleton.constraints[0] as Pull).seen).toEqual([50, 50]);
    for (const index of [1, 2, 3, 4]) {
      expect(skeleton.bones[index]!.appliedPose.worldX).toBeCloseTo(reference.bones[index]!.appliedPose.worldX, 4);
      expect(skeleton.bones[index]!.appliedPose.worldY).toBeCloseTo(reference.bones[index]!.appliedPose.worldY, 4);
    }
  });

  it("may extend one of the five kinds and call on it", () => {
    class Half extends spine.IkConstraint {
      calls = 0;
      override update(skeleton: spine.Skeleton, physics: spine.Physics): void {
        this.calls++;
        super.update(skeleton, physics);
      }
    }
    class HalfData extends spine.IkConstraintData {
      override create(skeleton: spine.Skeleton): Half {
        return new Half(this, skeleton);
      }
    }
    const data = load();
    const half = new HalfData("half");
    half.bones.push(data.bones[1]!, data.bones[2]!);
    half.target = data.bones[4]!;
    half.setupPose.mix = 1;
    half.setupPose.bendDirection = 1;
    data.constraints.push(half);
    const skeleton = new spine.Skeleton(data);
    const reference = new spine.Skeleton(load({ constraints: [IK] }));
    skeleton.updateWorldTransform(spine.Physics.none);
    reference.updateWorldTransform(spine.Physics.none);
    expect((skeleton.constraints[0] as Half).calls).toBe(1);
    expect(skeleton.bones[3]!.appliedPose.worldX).toBe(reference.bones[3]!.appliedPose.worldX);
    expect(skeleton.bones[3]!.appliedPose.worldX).toBeCloseTo(50, 3);
    expect(skeleton.bones[3]!.appliedPose.worldY).toBeCloseTo(30, 3);
  });
});

describe("IkConstraint.apply", () => {
  it("does to the bones that it is given what a constraint does", () => {
    const [free, bound] = [new spine.Skeleton(load()), new spine.Skeleton(load({ constraints: [IK] }))];
    for (const skeleton of [free, bound]) skeleton.updateWorldTransform(spine.Physics.none);
    const [, upper, lower] = free.bones;
    spine.IkConstraint.apply(free, upper!.appliedPose, lower!.appliedPose, 50, 30, 1, false, false, 0, 1);
    expect(upper!.pose.rotation).toBe(bound.bones[1]!.appliedPose.rotation);
    expect(lower!.pose.rotation).toBe(bound.bones[2]!.appliedPose.rotation);

    const single = new spine.Skeleton(load({ constraints: [{ ...IK, bones: ["upper"], stretch: true, scaleY: "uniform" }] }));
    const other = new spine.Skeleton(load());
    for (const skeleton of [single, other]) skeleton.updateWorldTransform(spine.Physics.none);
    spine.IkConstraint.apply(other, other.bones[1]!.appliedPose, 50, 30, false, true, spine.ScaleYMode.uniform, 1);
    expect(other.bones[1]!.pose.rotation).toBe(single.bones[1]!.appliedPose.rotation);
    expect(other.bones[1]!.pose.scaleY).toBe(single.bones[1]!.appliedPose.scaleY);
  });

  it("refuses a target that is no point and bones of other skeletons", () => {
    const skeleton = new spine.Skeleton(load());
    skeleton.updateWorldTransform(spine.Physics.none);
    const bone = skeleton.bones[1]!.appliedPose;
    expect(() => spine.IkConstraint.apply(skeleton, bone, Number.NaN, 0, false, false, false, 1)).toThrow(ArgumentError);
    const stranger = new spine.Skeleton(load()).bones[1]!.pose;
    expect(() => spine.IkConstraint.apply(skeleton, stranger, 0, 0, false, false, false, 1)).toThrow(StateError);
    expect(() => spine.IkConstraint.apply(skeleton, new spine.BonePose(), 0, 0, false, false, false, 1)).toThrow(StateError);
  });
});

describe("two-bone IK at the edges of its reach", () => {
  for (const distance of [80, 80 * (1 + 1e-7), 80 * (1 - 1e-7), 0, 1e-9, 1e6]) {
    it(`is finite and reaches as far as it can: target at ${distance}`, () => {
      const skeleton = new spine.Skeleton(load({ constraints: [IK] }));
      skeleton.bones[4]!.pose.setPosition(10 + distance, 0);
      skeleton.updateWorldTransform(spine.Physics.none);
      const { worldX, worldY } = skeleton.bones[3]!.appliedPose;
      const reached = Math.hypot(worldX - 10, worldY);
      expect(reached).toBeCloseTo(Math.min(distance, 80), 2);
    });
  }
});

describe("updateWorldTransform", () => {
  it("refuses what is no Physics, and a disposed skeleton", () => {
    const skeleton = new spine.Skeleton(load());
    expect(() => skeleton.updateWorldTransform("update" as never)).toThrow(ArgumentError);
    expect(() => skeleton.updateWorldTransform(7 as never)).toThrow(ArgumentError);
    expect(() => skeleton.update(Number.NaN)).toThrow();
    expect(() => skeleton.update(Number.POSITIVE_INFINITY)).toThrow();
    skeleton.dispose();
    expect(() => skeleton.updateWorldTransform(spine.Physics.none)).toThrow(/dispose/);
  });

  it("allocates nothing in linear memory", () => {
    const skeleton = new spine.Skeleton(load({ constraints: [IK] }));
    skeleton.updateWorldTransform(spine.Physics.update);
    const used = heap.usedBytes;
    for (let i = 0; i < 100; i++) skeleton.updateWorldTransform(spine.Physics.update);
    expect(heap.usedBytes).toBe(used);
  });
});

describe("properties of transform constraints", () => {
  const names = ["Rotate", "X", "Y", "ScaleX", "ScaleY", "ShearY"] as const;

  it("read and write what the constraint would: each property copied from bone to bone", () => {
    for (const local of [false, true]) {
      for (const name of names) {
        const key = name[0]!.toLowerCase() + name.slice(1);
        const properties = { [key]: { to: { [key]: {} } } };
        const constraint = { type: "transform", name: "copy", source: "upper", bones: ["free"], properties, localSource: local, localTarget: local };
        const bound = new spine.Skeleton(load({ constraints: [constraint] }));
        const free = new spine.Skeleton(load());
        for (const skeleton of [bound, free]) {
          skeleton.bones[1]!.pose.setScale(1.5, 0.5);
          skeleton.bones[1]!.pose.shearY = 20;
          skeleton.updateWorldTransform(spine.Physics.none);
        }
        const { data } = bound.constraints[0] as spine.TransformConstraint;
        const [from] = data.properties;
        const target = free.bones[5]!.appliedPose;
        const value = from!.value(free, free.bones[1]!.appliedPose, local, data.offsets);
        from!.to[0]!.apply(free, data.setupPose, target, value, local, false);
        if (local) free.updateWorldTransform(spine.Physics.none);
        const wanted = bound.bones[5]!.appliedPose;
        for (const row of ["a", "b", "c", "d", "worldX", "worldY"] as const) expect(target[row], `${name} ${row}`).toBe(wanted[row]);
      }
    }
  });
});

describe("IK of a bone without a parent", () => {
  it("hangs it on the skeleton's place and scale", () => {
    const skeleton = new spine.Skeleton(load({ constraints: [{ ...IK, bones: ["root"] }], bones: [...ARM.bones, { name: "other", x: -30, y: 40 }] }));
    const ik = skeleton.constraints[0] as spine.IkConstraint;
    ik.target = skeleton.bones[6]!;
    skeleton.scaleX = -1;
    skeleton.updateCache();
    skeleton.updateWorldTransform(spine.Physics.none);
    const { a, c } = skeleton.bones[0]!.appliedPose;
    expect(Math.atan2(c, a)).toBeCloseTo(Math.atan2(40, 30), 4);
  });
});
