import { describe, expect, it } from "vitest";
import * as spine from "../../../src/spine/index.js";
import { Random, randomRig, TYPES } from "../update/random-rig.js";

// Whatever a pose says, the result is a number.
const POSES = process.env.OSTEON_NIGHTLY === "1" ? 1_000_000 : 20_000;
const POSES_PER_RIG = 40;

/** 0, or a magnitude from 1e-6 to 1e6 of either sign. */
function wild(random: Random): number {
  if (random.chance(0.2)) return 0;
  return (random.chance(0.5) ? 1 : -1) * 10 ** (12 * random.next() - 6);
}

function disturb(skeleton: spine.Skeleton, random: Random): void {
  for (const { pose } of skeleton.bones) {
    for (const key of ["x", "y", "rotation", "scaleX", "scaleY", "shearX", "shearY"] as const) {
      if (random.chance(0.4)) pose[key] = wild(random);
    }
    if (random.chance(0.2)) pose.inherit = random.int(0, 4);
  }
  for (const { pose } of skeleton.constraints) {
    for (let prototype = Object.getPrototypeOf(pose); prototype !== Object.prototype; prototype = Object.getPrototypeOf(prototype)) {
      for (const [key, { set }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
        if (set === undefined || key === "bendDirection" || !random.chance(0.2)) continue;
        pose[key] = typeof pose[key] === "boolean" ? random.chance(0.5) : key.startsWith("mix") ? 4 * random.next() - 2 : wild(random);
      }
    }
  }
  skeleton.x = random.chance(0.5) ? 0 : wild(random);
  skeleton.y = random.chance(0.5) ? 0 : wild(random);
  skeleton.scaleX = random.chance(0.7) ? 1 : wild(random);
  skeleton.scaleY = random.chance(0.7) ? 1 : wild(random);
}

function notFinite(skeleton: spine.Skeleton): string | null {
  for (const bone of skeleton.bones) {
    bone.appliedPose.validateLocalTransform(skeleton);
    for (const key of ["a", "b", "c", "d", "worldX", "worldY", "x", "y", "rotation", "scaleX", "scaleY", "shearX", "shearY"] as const) {
      if (!Number.isFinite(bone.appliedPose[key])) return `${bone.data.name}.${key} is ${bone.appliedPose[key]}`;
    }
  }
  for (const physics of skeleton.physics as unknown as spine.PhysicsConstraint[]) {
    for (const key of ["xOffset", "yOffset", "rotateOffset", "scaleOffset", "xVelocity", "yVelocity", "rotateVelocity", "scaleVelocity"] as const) {
      if (!Number.isFinite(physics[key])) return `${physics.data.name}.${key} is ${physics[key]}`;
    }
  }
  return null;
}

describe("results are finite", () => {
  for (const types of [...TYPES.map((type) => [type]), TYPES]) {
    const count = Math.ceil(POSES / (TYPES.length + 1));
    it(`for ${count} random poses with values up to 1e6: ${types.join(", ")}`, () => {
      const failures: string[] = [];
      for (let seed = 1; seed <= count / POSES_PER_RIG && failures.length < 5; seed++) {
        const random = new Random(seed * 31 + types.length);
        const json = randomRig(random, { types, skins: false, constraints: 3, bones: 4 });
        const data = new spine.SkeletonJson(new spine.TextureAtlas("")).readSkeletonData(json);
        for (let i = 0; i < POSES_PER_RIG;) {
          const skeleton = new spine.Skeleton(data);
          // Some frames on one skeleton, so that physics have something to react to.
          for (let frame = 0; frame < 4; frame++, i++) {
            skeleton.setupPose();
            disturb(skeleton, random);
            skeleton.update(random.between(0, 0.1));
            skeleton.updateWorldTransform(spine.Physics.update);
            const what = notFinite(skeleton);
            if (what !== null) {
              failures.push(`seed ${seed} pose ${i}: ${what}; ${json.constraints.map((c: any) => c.type).join(" ")}`);
              break;
            }
          }
          skeleton.dispose();
          if (failures.length >= 5) break;
        }
        data.dispose();
      }
      expect(failures).toEqual([]);
    }, 280_000);
  }
});
