/**
 * Keeps hands on chests and feet crossed on bodies of another shape: after the bake, tips of limbs are moved to where they
 * were relative to the surface near them, by two-bone IK. @internal
 */
import { AnimArgumentError } from "../errors.js";
import { AnimPose } from "../rig/pose.js";
import { rotationDifference } from "../rig/rigid.js";
import { rigHeight } from "../rig/rest-pose.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { rotateVector } from "../dynamic-bone/rotation.js";
import { requireBone } from "./matching.js";
import type { RetargetPlan } from "./plan.js";
import { LOCAL } from "./rig-frames.js";
import { humanoidRoles } from "./roles.js";
import { AnimSmrSensorCloud, placeSensor, type Sensor } from "./sensor-cloud.js";

export interface InteractionSettings {
  /** Names of root, mid and tip in the target; none: arms and legs of the humanoid. */
  readonly chains: readonly (readonly [string, string, string])[];
  /** Target units; 0: a share of the rig's height. */
  readonly threshold: number;
  readonly weight: number;
}

/** Default threshold as a share of the target's height. */
export const CONTACT_SHARE = 0.08;

interface LimbChain {
  readonly root: number;
  readonly mid: number;
  readonly tip: number;
  readonly sourceTip: number;
  /** Corresponding sensors of other body parts. */
  readonly pairs: readonly (readonly [Sensor, Sensor])[];
  /** Per frame: strength, and displacement of the tip. */
  readonly strength: Float64Array;
  readonly shift: Float64Array;
}

const KERNEL = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16] as const;

export class InteractionCorrection {
  readonly #plan: RetargetPlan;
  readonly #target: AnimSkeleton;
  readonly #chains: LimbChain[];
  readonly #settings: InteractionSettings;
  readonly threshold: number;
  readonly #sourceThreshold: number;
  readonly #sourceRest: Float64Array;
  readonly #targetRest: Float64Array;

  /** To be made while the plan's frames show the bind poses. */
  constructor(method: string, plan: RetargetPlan, source: AnimSkeleton, target: AnimSkeleton, settings: InteractionSettings, frames: number) {
    this.#plan = plan;
    this.#target = target;
    this.#settings = settings;
    this.threshold = settings.threshold > 0 ? settings.threshold : CONTACT_SHARE * rigHeight(target);
    this.#sourceThreshold = (this.threshold * rigHeight(source)) / rigHeight(target);
    this.#sourceRest = plan.source.rotation.slice();
    this.#targetRest = plan.target.rotation.slice();
    const sources = new Map(AnimSmrSensorCloud.fromSkeleton(source).sensors.map((s) => [`${s.bone} ${s.ring} ${s.turn}`, s]));
    const targets = AnimSmrSensorCloud.fromSkeleton(target).sensors;
    this.#chains = limbsOf(method, target, settings.chains).flatMap(([root, mid, tip]) => {
      const sourceTip = plan.matches[tip]!;
      if (sourceTip < 0) return [];
      const pairs = targets.flatMap((sensor): [Sensor, Sensor][] => {
        if (sensor.bone === root || target.isAncestor(root, sensor.bone)) return [];
        const twin = sources.get(`${plan.matches[sensor.bone]} ${sensor.ring} ${sensor.turn}`);
        return twin === undefined ? [] : [[twin, sensor]];
      });
      return [{ root, mid, tip, sourceTip, pairs, strength: new Float64Array(frames), shift: new Float64Array(frames * 3) }];
    });
  }

  /** Looks at the frame that source and target stand in. */
  observe(frame: number): void {
    const { source, target } = this.#plan, s = new Float64Array(3), t = new Float64Array(3), turn = new Float64Array(4), offset = new Float64Array(3);
    for (const chain of this.#chains) {
      let sum = 0;
      const wish = [0, 0, 0];
      for (const [from, to] of chain.pairs) {
        placeSensor(from, source, s);
        for (let k = 0; k < 3; k++) offset[k] = source.position[chain.sourceTip * 3 + k]! - s[k]!;
        const distance = Math.sqrt(offset[0]! ** 2 + offset[1]! ** 2 + offset[2]! ** 2);
        if (distance >= this.#sourceThreshold) continue;
        // Through the rotations away from rest: the local axes of the rigs have nothing in common.
        rotationDifference(source.rotation, from.bone * 4, this.#sourceRest, from.bone * 4, turn, 0);
        for (let k = 0; k < 3; k++) turn[k] = -turn[k]!;
        rotateVector(turn, 0, offset, 0, offset, 0);
        rotationDifference(target.rotation, to.bone * 4, this.#targetRest, to.bone * 4, turn, 0);
        rotateVector(turn, 0, offset, 0, offset, 0);
        placeSensor(to, target, t);
        const ratio = Math.min(2, Math.max(0.5, to.radius / from.radius)), weight = (1 - distance / this.#sourceThreshold) ** 2;
        sum += weight;
        for (let k = 0; k < 3; k++) wish[k] = wish[k]! + weight * (t[k]! + offset[k]! * ratio);
      }
      if (sum === 0) continue;
      chain.strength[frame] = Math.min(1, sum) * this.#settings.weight;
      for (let k = 0; k < 3; k++) chain.shift[frame * 3 + k] = wish[k]! / sum - target.position[chain.tip * 3 + k]!;
    }
  }

  /**
   * Corrects the locals of all frames in place.
   * @param locals - ten numbers a bone, frame by frame
   * @param touched - receives the bones that were turned
   * @param share - of the correction that is applied
   * @returns number of frames that were corrected
   */
  correct(locals: readonly Float64Array[], touched: Set<number>, share = 1): number {
    const least = 1e-4 * rigHeight(this.#target), pose = new AnimPose(this.#target.getBoneCount()), corrected = new Set<number>();
    for (const { root, mid, tip, strength, shift } of this.#chains) {
      if (strength.every((a) => a === 0)) continue;
      const smooth = smoothed(strength, 1), way = smoothed(shift, 3);
      locals.forEach((local, frame) => {
        const a = smooth[frame]! * share, x = way[frame * 3]! * a, y = way[frame * 3 + 1]! * a, z = way[frame * 3 + 2]! * a;
        if (!(Math.sqrt(x * x + y * y + z * z) > least)) return;
        pose.readLocalFrom(local);
        pose.computeWorld(this.#target);
        const q = [pose.getWorldRotationX(tip), pose.getWorldRotationY(tip), pose.getWorldRotationZ(tip), pose.getWorldRotationW(tip)] as const;
        pose.solveTwoBoneIK(this.#target, root, mid, tip, pose.getWorldPositionX(tip) + x, pose.getWorldPositionY(tip) + y, pose.getWorldPositionZ(tip) + z);
        pose.setWorldRotation(this.#target, tip, ...q);
        for (const bone of [root, mid, tip]) {
          touched.add(bone);
          local.set([pose.getLocalRotationX(bone), pose.getLocalRotationY(bone), pose.getLocalRotationZ(bone), pose.getLocalRotationW(bone)], bone * LOCAL + 3);
        }
        corrected.add(frame);
      });
    }
    pose.dispose();
    return corrected.size;
  }
}

function limbsOf(method: string, target: AnimSkeleton, chains: InteractionSettings["chains"]): [number, number, number][] {
  if (chains.length > 0) {
    return chains.map((names) => {
      const [root, mid, tip] = names.map((name) => requireBone(method, target, "target", name)) as [number, number, number];
      if (!target.isAncestor(root, mid) || !target.isAncestor(mid, tip)) {
        throw new AnimArgumentError(`${method}: the interaction chain ${names.join(", ")} is not one; each bone must lie below the one before.`);
      }
      return [root, mid, tip];
    });
  }
  const roles = humanoidRoles(target);
  return ["left", "right"].flatMap((side) => [["UpperArm", "LowerArm", "Hand"], ["UpperLeg", "LowerLeg", "Foot"]].map((parts) => parts.map((part) => roles.get(side + part) ?? -1)))
    .filter((bones) => bones.every((bone) => bone >= 0)) as [number, number, number][];
}

/** A binomial filter over five frames; ends are held. */
export function smoothed(values: Float64Array, stride: number): Float64Array {
  const out = new Float64Array(values.length), count = values.length / stride;
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < stride; k++) {
      for (let j = -2; j <= 2; j++) out[i * stride + k] = out[i * stride + k]! + KERNEL[j + 2]! * values[Math.min(count - 1, Math.max(0, i + j)) * stride + k]!;
    }
  }
  return out;
}
