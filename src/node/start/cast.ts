import { actionOf, placeCrowd, type PlacedCrowd } from "../../../examples/crowd/stage.js";
import { NameError } from "../../errors.js";
import type { SkeletonData } from "../../spine/data/skeleton-data.js";
import { Physics } from "../../spine/enums.js";
import { Skeleton } from "../../spine/model/skeleton.js";

/** One character: what it plays, how it looks and where it stands (pixels, y up). */
export interface CastMember {
  readonly animation: string;
  readonly skin: string | null;
  readonly time: number;
  readonly x: number;
  readonly y: number;
  readonly scaleX: number;
  readonly scaleY: number;
  /** 0 the first row … 1 the horizon. */
  readonly depth: number;
}

/**
 * Gives everybody a place, a clip and a look; the same on every run.
 * @param animation - what all play; null: the built-in mixture if the skeleton has those clips, else every clip in turn
 * @returns characters in painter's order
 * @throws NameError if the skeleton has no such animation, or none at all
 */
export function makeCast(data: SkeletonData, count: number, width: number, height: number, animation: string | null): CastMember[] {
  const named = data.animations.map(({ name }) => name);
  if (named.length === 0) throw new NameError(`Skeleton '${data.name ?? ""}' has no animations, so a crowd of it would stand still. Export at least one.`);
  if (animation !== null && !named.includes(animation)) {
    throw new NameError(`Skeleton '${data.name ?? ""}' has no animation '${animation}'. It has: ${named.join(", ")}.`, { found: animation, supported: named });
  }
  const clips = data.animations.filter(({ duration }) => duration > 0).map(({ name }) => name);
  const choice = clips.length > 0 ? clips : named;
  const skins = data.skins.filter((skin) => skin !== data.defaultSkin).map(({ name }) => name);
  const bounds = setupBounds(data, skins[0] ?? null);
  const places: PlacedCrowd = placeCrowd({ count, aspect: width / height, characterHeight: bounds.height });

  return Array.from({ length: count }, (_, i) => {
    const pick = places.pick[i]!;
    const wanted = animation ?? actionOf(pick);
    const name = named.includes(wanted) ? wanted : choice[Math.floor(((pick * 17.3) % 1) * choice.length)]!;
    const scale = places.scale[i]! * height;
    const facing = (pick * 29.3) % 1 < 0.3 ? -1 : 1;
    return {
      animation: name,
      skin: skins.length > 0 ? skins[Math.floor(((pick * 13.7) % 1) * skins.length)]! : null,
      time: ((pick * 101.7) % 1) * Math.max(data.findAnimation(name)!.duration, 0.001),
      x: places.x[i]! * height,
      y: (1 - places.y[i]!) * height - bounds.y * scale,
      scaleX: scale * facing,
      scaleY: scale,
      depth: places.depth[i]!,
    };
  });
}

/** Box of the setup pose; the lower edge is what stands on the ground. */
function setupBounds(data: SkeletonData, skin: string | null): { y: number; height: number } {
  const skeleton = new Skeleton(data);
  try {
    if (skin !== null) skeleton.setSkin(skin);
    skeleton.setupPose();
    skeleton.updateWorldTransform(Physics.reset);
    const { y, height } = skeleton.getBoundsRect();
    if (!(Number.isFinite(height) && height > 0)) return { y: 0, height: 500 };
    // Art that reaches a little below the origin, as shadows do, still stands on it.
    return { y: y < 0 && y > -0.08 * height ? 0 : y, height };
  } finally {
    skeleton.dispose();
  }
}
