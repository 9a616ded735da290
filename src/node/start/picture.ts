import { HAZE, backdropColor } from "../../../examples/crowd/backdrop.js";
import { hazeAt } from "../../../examples/crowd/stage.js";
import type { Crowd } from "../../crowd/index.js";
import type { SkeletonData } from "../../spine/data/skeleton-data.js";
import { MixFrom, Physics } from "../../spine/enums.js";
import { Skeleton } from "../../spine/model/skeleton.js";
import { drawSkeleton } from "../draw-skeleton.js";
import { Rasterizer } from "../rasterizer.js";
import type { CastMember } from "./cast.js";

/** Paints the evening meadow. */
export function paintBackdrop(raster: Rasterizer): void {
  const { width, height, pixels } = raster;
  const color = [0, 0, 0];
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      backdropColor((x + 0.5) / height, (y + 0.5) / height, width / height, 1 / height, color);
      pixels[i] = color[0]!;
      pixels[i + 1] = color[1]!;
      pixels[i + 2] = color[2]!;
      pixels[i + 3] = 1;
    }
  }
}

/**
 * Draws every character of a crowd, far to near, with the bones exactly where the crowd has them.
 *
 * One Skeleton serves as the puppet for all: the clip is applied for attachments, colours, deforms and draw order, then every
 * bone takes its world matrix from the crowd.
 * @param elapsed - seconds that the crowd was advanced since it was spawned
 */
export function drawCrowd(raster: Rasterizer, data: SkeletonData, crowd: Crowd, ids: readonly number[], cast: readonly CastMember[], elapsed: number): void {
  const puppet = new Skeleton(data);
  const view = { scaleX: 1, scaleY: -1, offsetX: 0, offsetY: raster.height };
  const matrix = new Float32Array(6);
  try {
    cast.forEach((member, i) => {
      puppet.setSkin(member.skin);
      puppet.setupPose();
      puppet.setPosition(member.x, member.y);
      puppet.setScale(member.scaleX, member.scaleY);
      const animation = data.findAnimation(member.animation)!;
      animation.apply(puppet, 0, member.time + elapsed, true, null, 1, MixFrom.setup, false, false, false);
      puppet.updateWorldTransform(Physics.none);
      for (let b = 0; b < puppet.bones.length; b++) {
        crowd.bone(ids[i]!, b, matrix);
        const pose = puppet.bones[b]!.appliedPose;
        pose.a = matrix[0]!;
        pose.b = matrix[1]!;
        pose.c = matrix[2]!;
        pose.d = matrix[3]!;
        pose.worldX = matrix[4]!;
        pose.worldY = matrix[5]!;
      }
      drawSkeleton(raster, puppet, view, { haze: [HAZE[0], HAZE[1], HAZE[2], hazeAt(member.depth)] });
    });
  } finally {
    puppet.dispose();
  }
}
