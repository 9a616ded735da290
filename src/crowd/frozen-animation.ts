import { FROZEN_ROWS } from "../../assembly/layout/crowd.js";
import { BoneRow, IkRow, PathRow, PhysicsRow, SliderRow, SlotRow, TransformRow } from "../../assembly/layout/rig2d.js";
import { Animation } from "../spine/animation.js";
import { IkConstraintData } from "../spine/constraints/ik-constraint-data.js";
import { PathConstraintData } from "../spine/constraints/path-constraint-data.js";
import { PhysicsConstraintData } from "../spine/constraints/physics-constraint-data.js";
import { SliderData } from "../spine/constraints/slider-data.js";
import { TransformConstraintData } from "../spine/constraints/transform-constraint-data.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import {
  RotateTimeline, ScaleXTimeline, ScaleYTimeline, ShearXTimeline, ShearYTimeline, TranslateXTimeline, TranslateYTimeline,
} from "../spine/timelines/bone-timelines.js";
import {
  IkConstraintTimeline, PathConstraintMixTimeline, PathConstraintPositionTimeline, PathConstraintSpacingTimeline, SliderMixTimeline, SliderTimeline,
  TransformConstraintTimeline,
} from "../spine/timelines/constraint-timelines.js";
import { DeformTimeline } from "../spine/timelines/deform-timeline.js";
import {
  PhysicsConstraintDampingTimeline, PhysicsConstraintGravityTimeline, PhysicsConstraintInertiaTimeline, PhysicsConstraintMassTimeline,
  PhysicsConstraintMixTimeline, PhysicsConstraintStrengthTimeline, PhysicsConstraintWindTimeline,
} from "../spine/timelines/physics-timelines.js";
import { AlphaTimeline, RGB2Timeline, RGBTimeline } from "../spine/timelines/slot-timelines.js";
import type { Timeline } from "../spine/timelines/timeline.js";
import { heap } from "../wasm/heap.js";
import type { ShapeTable } from "./shape-table.js";

/** A timeline of one key and one value. */
type Single = new (frameCount: number, bezierCount: number, index: number) => Timeline & { setFrame(frame: number, time: number, value: number): void };

const OFFSETS: readonly (readonly [BoneRow, Single])[] = [
  [BoneRow.ROTATION, RotateTimeline], [BoneRow.X, TranslateXTimeline], [BoneRow.Y, TranslateYTimeline], [BoneRow.SHEAR_X, ShearXTimeline],
  [BoneRow.SHEAR_Y, ShearYTimeline],
];
const FACTORS: readonly (readonly [BoneRow, Single])[] = [[BoneRow.SCALE_X, ScaleXTimeline], [BoneRow.SCALE_Y, ScaleYTimeline]];
const PHYSICS: readonly (readonly [PhysicsRow, Single])[] = [
  [PhysicsRow.INERTIA, PhysicsConstraintInertiaTimeline], [PhysicsRow.STRENGTH, PhysicsConstraintStrengthTimeline],
  [PhysicsRow.DAMPING, PhysicsConstraintDampingTimeline], [PhysicsRow.MASS_INVERSE, PhysicsConstraintMassTimeline],
  [PhysicsRow.WIND, PhysicsConstraintWindTimeline], [PhysicsRow.GRAVITY, PhysicsConstraintGravityTimeline], [PhysicsRow.MIX, PhysicsConstraintMixTimeline],
];

/**
 * A frozen pose as an animation of one key a timeline, which an animation state lets fade out as a crowd does. Bones, slots and
 * constraints that are in their setup pose have none; others have all, as a timeline of two values that finds one of them written
 * takes the other for written, too.
 * @param frozen - address of the pose; @param shapes - of its deforms, 0 for none
 */
export function frozenAnimation(data: SkeletonData, table: ShapeTable, frozen: number, shapes: number): Animation {
  const timelines: Timeline[] = [];
  const { shape, setupPtr } = data._rig;
  const { f32 } = heap;
  let part = frozen >> 2;
  let setup = 0;
  const value = (row: number): number => f32[part + row]!;
  const before = (row: number): number => f32[setup + row]!;
  const moved = (first: number, count: number): boolean => {
    for (let row = first; row < first + count; row++) if (value(row) !== before(row)) return true;
    return false;
  };
  const single = (make: Single, index: number, key: number): void => {
    const timeline = new make(1, 0, index);
    timeline.setFrame(0, 0, key);
    timelines.push(timeline);
  };
  const next = (row: number): void => {
    setup = (setupPtr >> 2) + row;
  };

  for (let i = 0; i < data.bones.length; i++, part += FROZEN_ROWS) {
    next(shape.boneRow(i));
    if (!moved(BoneRow.X, BoneRow.INHERIT)) continue;
    for (const [row, make] of OFFSETS) single(make, i, value(row) - before(row));
    for (const [row, make] of FACTORS) single(make, i, before(row) === 0 ? 1 : value(row) / before(row));
  }
  for (let i = 0; i < data.slots.length; i++, part += FROZEN_ROWS) {
    next(shape.slotRow(i));
    if (!moved(SlotRow.R, SlotRow.SEQUENCE)) continue;
    if (data.slots[i]!.setupPose.darkColor !== null) {
      const timeline = new RGB2Timeline(1, 0, i);
      timeline.setFrame(0, 0, value(SlotRow.R), value(SlotRow.G), value(SlotRow.B), value(SlotRow.DARK_R), value(SlotRow.DARK_G), value(SlotRow.DARK_B));
      timelines.push(timeline);
    } else {
      const timeline = new RGBTimeline(1, 0, i);
      timeline.setFrame(0, 0, value(SlotRow.R), value(SlotRow.G), value(SlotRow.B));
      timelines.push(timeline);
    }
    single(AlphaTimeline, i, value(SlotRow.A));
  }
  data.constraints.forEach((constraint, i) => {
    next(shape.constraintRow(i));
    if (!moved(0, FROZEN_ROWS)) {
      // At rest.
    } else if (constraint instanceof IkConstraintData) {
      const timeline = new IkConstraintTimeline(1, 0, i);
      const { bendDirection, compress, stretch } = constraint.setupPose;
      timeline.setFrame(0, 0, value(IkRow.MIX), value(IkRow.SOFTNESS), bendDirection, compress, stretch);
      timelines.push(timeline);
    } else if (constraint instanceof TransformConstraintData) {
      const timeline = new TransformConstraintTimeline(1, 0, i);
      timeline.setFrame(
        0, 0, value(TransformRow.MIX_ROTATE), value(TransformRow.MIX_X), value(TransformRow.MIX_Y), value(TransformRow.MIX_SCALE_X),
        value(TransformRow.MIX_SCALE_Y), value(TransformRow.MIX_SHEAR_Y),
      );
      timelines.push(timeline);
    } else if (constraint instanceof PathConstraintData) {
      single(PathConstraintPositionTimeline, i, value(PathRow.POSITION));
      single(PathConstraintSpacingTimeline, i, value(PathRow.SPACING));
      const timeline = new PathConstraintMixTimeline(1, 0, i);
      timeline.setFrame(0, 0, value(PathRow.MIX_ROTATE), value(PathRow.MIX_X), value(PathRow.MIX_Y));
      timelines.push(timeline);
    } else if (constraint instanceof PhysicsConstraintData) {
      for (const [row, make] of PHYSICS) {
        const key = value(row);
        single(make, i, row === PhysicsRow.MASS_INVERSE && key !== 0 ? 1 / key : key);
      }
    } else if (constraint instanceof SliderData) {
      single(SliderTimeline, i, value(SliderRow.TIME));
      single(SliderMixTimeline, i, value(SliderRow.MIX));
    }
    part += FROZEN_ROWS;
  });
  if (shapes !== 0) {
    table.targets.forEach(({ slot, attachment }, i) => {
      const count = heap.i32[(shapes >> 2) + i]!;
      if (count === 0) return;
      const timeline = new DeformTimeline(1, 0, slot, attachment);
      const from = (shapes + table.frozenOffsets[i]!) >> 2;
      timeline.setFrame(0, 0, f32.slice(from, from + count));
      timelines.push(timeline);
    });
  }
  return new Animation("frozen", timelines, 0);
}
