import { readFileSync } from "node:fs";
import type { CastMember } from "./cast.js";

type Core = typeof import("@esotericsoftware/spine-core");

/** As many skeletons of the official runtime as the crowd has characters, each with its own AnimationState. */
export interface OfficialCrowd {
  /** Advances, applies and updates all. */
  update(seconds: number): void;
  /** World position of a bone of the i-th character. */
  bone(character: number, bone: number): { x: number; y: number; active: boolean };
  /** Scale of the i-th character. */
  scaleOf(character: number): number;
}

/**
 * Sets the official runtime up with the same files and the same cast, to race it.
 * @returns the skeletons, or the reason why there are none: it is not installed (it is a development dependency of this
 *   repository only), or it cannot load the file
 */
export async function officialCrowd(skeletonPath: string, atlasPath: string, cast: readonly CastMember[]): Promise<OfficialCrowd | string> {
  let core: Core;
  try {
    core = await import("@esotericsoftware/spine-core");
  } catch {
    return "the official runtime is not installed";
  }
  try {
    const atlas = new core.TextureAtlas(readFileSync(atlasPath, "utf8"));
    for (const page of atlas.pages) page.setTexture(new core.FakeTexture({ width: page.width, height: page.height } as never));
    const loader = new core.AtlasAttachmentLoader(atlas);
    const bytes = readFileSync(skeletonPath);
    const data = /\.json$/i.test(skeletonPath)
      ? new core.SkeletonJson(loader).readSkeletonData(JSON.parse(bytes.toString("utf8")) as object)
      : new core.SkeletonBinary(loader).readSkeletonData(bytes);
    const stateData = new core.AnimationStateData(data);
    const skeletons = cast.map((member) => {
      const skeleton = new core.Skeleton(data);
      if (member.skin !== null) skeleton.setSkin(member.skin);
      skeleton.setupPose();
      skeleton.x = member.x;
      skeleton.y = member.y;
      skeleton.scaleX = member.scaleX;
      skeleton.scaleY = member.scaleY;
      return skeleton;
    });
    const states = cast.map((member) => {
      const state = new core.AnimationState(stateData);
      state.setAnimation(0, member.animation, true).trackTime = member.time;
      return state;
    });
    return {
      update(seconds) {
        for (let i = 0; i < skeletons.length; i++) {
          const skeleton = skeletons[i]!, state = states[i]!;
          state.update(seconds);
          state.apply(skeleton);
          skeleton.update(seconds);
          skeleton.updateWorldTransform(core.Physics.update);
        }
      },
      bone(character, bone) {
        const { active, appliedPose } = skeletons[character]!.bones[bone]!;
        return { x: appliedPose.worldX, y: appliedPose.worldY, active };
      },
      scaleOf: (character) => Math.abs(cast[character]!.scaleY),
    };
  } catch (error) {
    return `the official runtime cannot load it (${error instanceof Error ? error.message : String(error)})`;
  }
}
