import { describe, expect, it } from "vitest";
import { BONE_ROWS, HEADER_ROWS, HeaderRow } from "../../../assembly/layout/rig2d.js";
import { PHYSICS_STATE_ROWS, PhysicsStateRow } from "../../../assembly/layout/update.js";
import * as spine from "../../../src/spine/index.js";
import { crowdProgramOf } from "../../../src/spine/update/program.js";
import { growScratch, updateScratch } from "../../../src/spine/update/update.js";
import { heap } from "../../../src/wasm/heap.js";
import { rig2d } from "../../../src/wasm/rig2d.js";
import { Random, randomRig, TYPES } from "./random-rig.js";

const LANES = 4;

/** Copies one lane in or out; f64 rows come in pairs. */
function copyLane(single: number, group: number, lane: number, rows: number, f64Rows: readonly number[], toGroup: boolean): void {
  const { u32, f64 } = heap;
  for (let row = 0; row < rows; row++) {
    const one = (single >> 2) + row;
    const four = (group >> 2) + row * LANES + lane;
    if (f64Rows.includes(row)) {
      const four64 = (group >> 3) + (row * LANES) / 2 + lane;
      if (toGroup) f64[four64] = f64[one >> 1]!;
      else f64[one >> 1] = f64[four64]!;
      row++;
    } else if (toGroup) u32[four] = u32[one]!;
    else u32[one] = u32[four]!;
  }
}

/** Four skeletons of one rig in different poses, updated alone and as a group of four: everything that differs. */
function compare(seed: number, types: readonly string[], frames: number): string[] {
  const random = new Random(seed);
  const json = randomRig(random, { types, skins: false });
  const data = new spine.SkeletonJson(new spine.TextureAtlas("")).readSkeletonData(json);
  const skeletons = Array.from({ length: LANES }, () => new spine.Skeleton(data));
  const program = crowdProgramOf(skeletons[0]!);
  const { rows } = skeletons[0]!._shape;
  const physicsCount = skeletons[0]!.physics.length;
  const group = heap.alloc(rows * 16);
  const states = heap.alloc(Math.max(1, physicsCount) * PHYSICS_STATE_ROWS * 16);
  const animation = data.findAnimation("move")!;
  const differences: string[] = [];

  skeletons.forEach((skeleton, lane) => {
    skeleton.scaleX = random.pick([1, 1, -1, 0.5]);
    skeleton.scaleY = random.pick([1, 1, -1, 0.5]);
    const single = heap.u32[skeleton._base + HeaderRow.PHYSICS]!;
    for (let i = 0; i < physicsCount; i++) {
      copyLane(single + i * PHYSICS_STATE_ROWS * 4, states + i * PHYSICS_STATE_ROWS * 16, lane, PHYSICS_STATE_ROWS, [PhysicsStateRow.REMAINING, PhysicsStateRow.LAST_TIME], true);
    }
  });
  for (let frame = 0; frame < frames; frame++) {
    const mode = random.pick([spine.Physics.update, spine.Physics.update, spine.Physics.update, spine.Physics.pose, spine.Physics.reset, spine.Physics.none]);
    skeletons.forEach((skeleton, lane) => {
      skeleton.setupPose();
      animation.apply(skeleton, -1, random.between(0, 2), true, null, 1, spine.MixFrom.setup, false, false, false);
      // Lanes differ in what is switched off and in inherit modes.
      for (const { pose } of skeleton.constraints) {
        for (const name of ["mix", "mixRotate", "mixX", "mixY", "mixScaleX", "mixScaleY", "mixShearY"]) if (name in pose && random.chance(0.3)) pose[name] = 0;
      }
      for (const bone of skeleton.bones) if (random.chance(0.05)) bone.pose.inherit = random.int(0, 4);
      if (random.chance(0.2)) skeleton.slots[0]!.pose.setAttachment(null);
      skeleton.x = random.between(-20, 20);
      skeleton.update(random.between(0, 0.05));
      copyLane(skeleton._block, group, lane, rows, [HeaderRow.TIME], true);
    });
    heap.u32[(group >> 2) + HeaderRow.PHYSICS * LANES] = states;
    for (const skeleton of skeletons) skeleton.updateWorldTransform(mode);
    let at = rig2d.kernels.updateGroup(program.address, group, mode, updateScratch());
    while (at !== 0) {
      expect(at, "no operation of these rigs needs TypeScript").toBeLessThan(0);
      growScratch();
      at = rig2d.kernels.resumeGroup(program.address, group, mode, updateScratch(), -at - 1);
    }
    skeletons.forEach((skeleton, lane) => {
      for (const bone of skeleton.bones) {
        const applied = (skeleton._base + bone.appliedPose._row);
        const wide = (group >> 2) + (HEADER_ROWS + bone.data.index * BONE_ROWS) * LANES + lane;
        // Tags are left out: a skeleton that lives on and a group that starts anew count differently.
        for (let row = 0; row < 14; row++) {
          const one = heap.u32[applied + row]!;
          const four = heap.u32[wide + row * LANES]!;
          if (one !== four) differences.push(`seed ${seed} frame ${frame} lane ${lane} ${bone.data.name} row ${row}: ${heap.f32[applied + row]} and ${heap.f32[wide + row * LANES]}`);
        }
      }
      const single = heap.u32[skeleton._base + HeaderRow.PHYSICS]!;
      for (let i = 0; i < physicsCount; i++) {
        for (let row = 0; row < PhysicsStateRow.REMAINING; row++) {
          const one = heap.u32[(single >> 2) + i * PHYSICS_STATE_ROWS + row]!;
          const four = heap.u32[(states >> 2) + (i * PHYSICS_STATE_ROWS + row) * LANES + lane]!;
          if (one !== four) differences.push(`seed ${seed} frame ${frame} lane ${lane} physics ${i} row ${row}`);
        }
      }
    });
  }
  heap.free(group);
  heap.free(states);
  for (const skeleton of skeletons) skeleton.dispose();
  data.dispose();
  return differences;
}

describe("four instances in one call", () => {
  for (const types of [[], ...TYPES.map((type) => [type]), TYPES]) {
    const name = types.length === 0 ? "bones alone" : types.join(", ");
    it(`give the bits of four single skeletons: ${name}`, () => {
      for (let seed = 1; seed <= 60; seed++) expect(compare(seed, types.length === 0 ? ["none"] : types, 5)).toEqual([]);
    });
  }
});
