/**
 * Feet on the ground, after a bake: the root is shifted so that the lowest foot is as high as the source's, in the scale of the
 * root's path, and every foot that has contact in the source is brought to its height by two-bone IK. @internal
 */
import { AnimPose } from "../rig/pose.js";
import { rigHeight } from "../rig/rest-pose.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { smoothed } from "./interaction.js";
import type { RetargetPlan } from "./plan.js";
import { LOCAL } from "./rig-frames.js";
import { humanoidRoles } from "./roles.js";

/** Heights over the ground, in heights of the source, between which contact fades. */
const TOUCHES = 0.012;
const LEAVES = 0.05;
/** Speeds, in heights of the source a second, between which it fades too. */
const STANDS = 0.2;
const SWINGS = 0.6;
/** Share of a clip's frames that may be lower than what counts as its ground. */
const BELOW = 0.02;

interface Point {
  readonly bone: number;
  readonly sourceBone: number;
  /** Heights over the ground in the rest poses, which stay: the soles. */
  readonly sole: number;
  readonly sourceSole: number;
}

interface Leg {
  readonly root: number;
  readonly mid: number;
  readonly tip: number;
  readonly points: readonly Point[];
  /** Per frame: how high the foot is over the source's lowest level, and where its first point is. */
  readonly clearance: Float64Array;
  readonly place: Float64Array;
}

export class GroundContact {
  readonly #plan: RetargetPlan;
  readonly #target: AnimSkeleton;
  readonly #legs: readonly Leg[];
  readonly #sourceHeight: number;
  readonly #floor: number;

  /** To be made while the plan's frames show the bind poses. Without legs in both rigs it does nothing. */
  constructor(plan: RetargetPlan, source: AnimSkeleton, target: AnimSkeleton, frames: number) {
    this.#plan = plan;
    this.#target = target;
    this.#sourceHeight = rigHeight(source);
    const roles = humanoidRoles(target), y = (p: { position: Float64Array }, bone: number): number => p.position[bone * 3 + 1]!;
    const found = ["left", "right"].flatMap((side) => {
      const [root, mid, tip] = ["UpperLeg", "LowerLeg", "Foot"].map((part) => roles.get(side + part) ?? -1) as [number, number, number];
      const bones = [tip, roles.get(`${side}Toes`) ?? -1].filter((bone) => bone >= 0 && plan.matches[bone]! >= 0);
      return root < 0 || mid < 0 || tip < 0 || bones.length === 0 ? [] : [{ root, mid, tip, bones }];
    });
    const all = found.flatMap(({ bones }) => bones), lowest = Math.min(...all.map((bone) => y(plan.target, bone)));
    const sourceLowest = Math.min(...all.map((bone) => y(plan.source, plan.matches[bone]!)));
    // A rig that stands on y = 0 has its soles there; one that hangs elsewhere has them at its lowest joint.
    this.#floor = lowest >= 0 && lowest < 0.12 * rigHeight(target) ? 0 : lowest;
    this.#legs = found.map(({ root, mid, tip, bones }) => ({
      root, mid, tip, clearance: new Float64Array(frames), place: new Float64Array(frames * 3),
      points: bones.map((bone) => ({ bone, sourceBone: plan.matches[bone]!, sole: y(plan.target, bone) - this.#floor, sourceSole: y(plan.source, plan.matches[bone]!) - sourceLowest })),
    }));
  }

  /** Looks at the frame that the source stands in. */
  observe(frame: number): void {
    const { position } = this.#plan.source;
    for (const { points, clearance, place } of this.#legs) {
      clearance[frame] = Math.min(...points.map(({ sourceBone, sourceSole }) => position[sourceBone * 3 + 1]! - sourceSole));
      // The ball of the foot, if there is one: it stays while the heel lifts.
      const last = points[points.length - 1]!.sourceBone * 3;
      for (let k = 0; k < 3; k++) place[frame * 3 + k] = position[last + k]!;
    }
  }

  /** How much a foot stands: low and slow, 0..1. Speeds are in heights a second. */
  #contact({ clearance, place }: Leg, frame: number, ground: number, times: readonly number[]): number {
    const from = Math.max(0, frame - 1), to = Math.min(times.length - 1, frame + 1), seconds = times[to]! - times[from]!;
    const way = Math.hypot(place[to * 3]! - place[from * 3]!, place[to * 3 + 1]! - place[from * 3 + 1]!, place[to * 3 + 2]! - place[from * 3 + 2]!);
    const speed = seconds > 0 ? way / seconds / this.#sourceHeight : 0;
    return fading((clearance[frame]! - ground) / this.#sourceHeight, TOUCHES, LEAVES) * fading(speed, STANDS, SWINGS);
  }

  /**
   * Corrects the locals of all frames in place; notes the bones that were turned.
   * @param times - of the frames, seconds
   */
  correct(locals: readonly Float64Array[], turned: Set<number>, times: readonly number[]): void {
    const legs = this.#legs, count = locals.length, { targetRoot, vertical } = this.#plan, target = this.#target, pose = new AnimPose(target.getBoneCount());
    if (legs.length === 0) return;
    const lowest = locals.map((_, frame) => Math.min(...legs.map(({ clearance }) => clearance[frame]!)));
    const ground = lowest.toSorted((a, b) => a - b)[Math.floor(BELOW * (count - 1))]!;
    const over = (leg: Leg): number => Math.min(...leg.points.map(({ bone, sole }) => pose.getWorldPositionY(bone) - sole)) - this.#floor;
    const stand = (local: Float64Array): void => {
      pose.readLocalFrom(local);
      pose.computeWorld(target);
    };
    const pins = legs.map((leg) => smoothed(leg.clearance.map((_, frame) => this.#contact(leg, frame, ground, times)), 1));
    // How high a foot is to be; what has contact stands, whatever the capture's noise and the rest poses' soles say.
    const wanted = ({ clearance }: Leg, i: number, frame: number): number => vertical * Math.max(0, clearance[frame]! - ground) * (1 - pins[i]![frame]!);
    const lift = smoothed(Float64Array.from(locals, (local, frame) => {
      stand(local);
      const heights = legs.map(over), all = Math.min(...legs.map((leg, i) => wanted(leg, i, frame))) - Math.min(...heights);
      // Lower still where a foot with contact would hang in the air: a leg that is straight cannot be lengthened, the other one bends.
      return Math.min(...legs.map((leg, i) => all + pins[i]![frame]! * Math.min(0, wanted(leg, i, frame) - heights[i]! - all)));
    }), 1);
    locals.forEach((local, frame) => {
      stand(local);
      pose.setWorldPosition(target, targetRoot, pose.getWorldPositionX(targetRoot), pose.getWorldPositionY(targetRoot) + lift[frame]!, pose.getWorldPositionZ(targetRoot));
      local.set([pose.getLocalPositionX(targetRoot), pose.getLocalPositionY(targetRoot), pose.getLocalPositionZ(targetRoot)], targetRoot * LOCAL);
      legs.forEach((leg, i) => {
        // No foot goes below the ground, pinned or not.
        const here = over(leg), missing = wanted(leg, i, frame) - here, share = Math.max(pins[i]![frame]!, here < 0 ? 1 : 0);
        if (share * Math.abs(missing) < 1e-6) return;
        this.#moveFoot(pose, leg, missing * share, local, turned);
      });
    });
    pose.dispose();
  }

  /** Moves a foot up or down; it keeps its rotation in model space. */
  #moveFoot(pose: AnimPose, { root, mid, tip }: Leg, up: number, local: Float64Array, turned: Set<number>): void {
    const target = this.#target, q = [pose.getWorldRotationX(tip), pose.getWorldRotationY(tip), pose.getWorldRotationZ(tip), pose.getWorldRotationW(tip)] as const;
    pose.solveTwoBoneIK(target, root, mid, tip, pose.getWorldPositionX(tip), pose.getWorldPositionY(tip) + up, pose.getWorldPositionZ(tip));
    pose.setWorldRotation(target, tip, ...q);
    for (const bone of [root, mid, tip]) {
      turned.add(bone);
      local.set([pose.getLocalRotationX(bone), pose.getLocalRotationY(bone), pose.getLocalRotationZ(bone), pose.getLocalRotationW(bone)], bone * LOCAL + 3);
    }
  }
}

/** 1 up to `full`, 0 from `none` on. */
function fading(value: number, full: number, none: number): number {
  const u = Math.min(1, Math.max(0, (value - full) / (none - full)));
  return 1 - u * u * (3 - 2 * u);
}
