import type { SkeletonData } from "../../spine/data/skeleton-data.js";
import { Physics } from "../../spine/enums.js";
import { Skeleton } from "../../spine/model/skeleton.js";
import type { Skin } from "../../spine/model/skin.js";

/** Poses looked at per animation, and how much further a character may reach on each side than in any of them, in sizes. */
const SAMPLES = 8;
const MARGIN = 0.1;

/** A box around the skeleton's position. @internal */
export interface Reach {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/** How far what the looks of a rig show gets from the skeleton's position, over samples of all its animations. @internal */
export function reachOf(data: SkeletonData, looks: readonly (Skin | null)[]): Reach {
  const skeleton = new Skeleton(data);
  const reach: Reach = { left: 0, right: 0, bottom: 0, top: 0 };
  const look = (): void => {
    skeleton.updateWorldTransform(Physics.pose);
    const { x, y, width, height } = skeleton.getBoundsRect();
    if (!(width >= 0)) return;
    reach.left = Math.min(reach.left, x);
    reach.right = Math.max(reach.right, x + width);
    reach.bottom = Math.min(reach.bottom, y);
    reach.top = Math.max(reach.top, y + height);
  };
  for (const skin of looks) {
    skeleton.setSkin(skin);
    skeleton.setupPose();
    skeleton.updateWorldTransform(Physics.reset);
    look();
    for (const animation of data.animations) {
      for (let i = 0; i < SAMPLES; i++) {
        skeleton.setupPose();
        const time = (animation.duration * i) / (SAMPLES - 1);
        animation.apply(skeleton, -1, time, false, [], 1, true, false, false, false);
        look();
      }
    }
  }
  skeleton.dispose();
  const moreX = (reach.right - reach.left) * MARGIN;
  const moreY = (reach.top - reach.bottom) * MARGIN;
  return { left: reach.left - moreX, right: reach.right + moreX, bottom: reach.bottom - moreY, top: reach.top + moreY };
}
