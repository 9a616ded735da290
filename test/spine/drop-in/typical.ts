/**
 * Code as integrations and games write it, against either core: `core` is the module's namespace. Compiled twice by the type
 * checker, once with the official package's types, once with ours.
 */
import * as core from "@esotericsoftware/spine-core";

class MyTexture extends core.Texture {
  override setFilters(minFilter: core.TextureFilter, magFilter: core.TextureFilter): void {
    void [minFilter, magFilter];
  }
  override setWraps(uWrap: core.TextureWrap, vWrap: core.TextureWrap): void {
    void [uWrap, vWrap];
  }
  override dispose(): void {}
}

class MyAssets extends core.AssetManagerBase {
  constructor(pathPrefix = "", downloader: core.Downloader = new core.Downloader()) {
    super((image) => new MyTexture(image), pathPrefix, downloader);
  }
}

export function load(atlasText: string, json: unknown): core.SkeletonData {
  const atlas = new core.TextureAtlas(atlasText);
  for (const page of atlas.pages) page.setTexture(new core.FakeTexture({} as never));
  const loader = new core.SkeletonJson(new core.AtlasAttachmentLoader(atlas));
  loader.scale = 0.5;
  const data: core.SkeletonData = loader.readSkeletonData(json as never);
  return data;
}

export class Character {
  readonly skeleton: core.Skeleton;
  readonly state: core.AnimationState;
  private readonly clipper = new core.SkeletonClipping();
  private vertices: core.NumberArrayLike = core.Utils.newFloatArray(2 * 1024);
  private readonly light = new core.Color();
  private readonly dark = new core.Color(0, 0, 0, 1);
  readonly events: string[] = [];

  constructor(data: core.SkeletonData) {
    this.skeleton = new core.Skeleton(data);
    const mixes = new core.AnimationStateData(data);
    mixes.defaultMix = 0.2;
    mixes.setMix("walk", "run", 0.1);
    this.state = new core.AnimationState(mixes);
    const listener: core.AnimationStateListener = {
      event: (entry, event) => this.events.push(`${entry.animation?.name ?? ""} ${event.data.name}`),
      complete: (entry) => void entry.trackIndex,
    };
    this.state.addListener(listener);
  }

  play(name: string): core.TrackEntry {
    const entry = this.state.setAnimation(0, name, true);
    entry.mixDuration = 0.3;
    return this.state.addAnimation(0, name, false, 0);
  }

  wear(...names: string[]): void {
    const skin = new core.Skin("custom");
    for (const name of names) {
      const part = this.skeleton.data.findSkin(name);
      if (part) skin.addSkin(part);
    }
    this.skeleton.setSkin(skin);
    this.skeleton.setupPoseSlots();
  }

  update(delta: number): void {
    this.state.update(delta);
    this.state.apply(this.skeleton);
    this.skeleton.update(delta);
    this.skeleton.updateWorldTransform(core.Physics.update);
  }

  aim(boneName: string, x: number, y: number): void {
    const bone = this.skeleton.findBone(boneName);
    if (!bone) return;
    const point = new core.Vector2(x, y);
    if (bone.parent) bone.parent.appliedPose.worldToLocal(point);
    bone.pose.x = point.x;
    bone.pose.y = point.y;
    bone.pose.inherit = core.Inherit.Normal;
  }

  /** What the renderers of the official runtimes do, slot by slot. */
  draw(emit: (vertices: ArrayLike<number>, count: number, texture: unknown, blend: core.BlendMode) => void): void {
    const { skeleton, clipper } = this;
    for (const slot of skeleton.drawOrder.appliedPose) {
      if (!slot.bone.active) {
        clipper.clipEnd(slot);
        continue;
      }
      const pose = slot.appliedPose;
      const attachment = pose.attachment;
      let uvs: core.NumberArrayLike;
      let triangles: number[];
      let count: number;
      let color: core.Color;
      let texture: unknown;
      if (attachment instanceof core.RegionAttachment) {
        const index = attachment.sequence.resolveIndex(pose);
        attachment.computeWorldVertices(slot, attachment.getOffsets(pose), this.vertices, 0, 2);
        [uvs, triangles, count, color] = [attachment.sequence.getUVs(index), [0, 1, 2, 2, 3, 0], 4, attachment.color];
        texture = attachment.sequence.regions[index]?.texture;
      } else if (attachment instanceof core.MeshAttachment) {
        const index = attachment.sequence.resolveIndex(pose);
        if (this.vertices.length < attachment.worldVerticesLength) this.vertices = core.Utils.newFloatArray(attachment.worldVerticesLength);
        attachment.computeWorldVertices(skeleton, slot, 0, attachment.worldVerticesLength, this.vertices, 0, 2);
        [uvs, triangles, count, color] = [attachment.sequence.getUVs(index), attachment.triangles, attachment.worldVerticesLength >> 1, attachment.color];
        texture = attachment.sequence.regions[index]?.texture;
      } else if (attachment instanceof core.ClippingAttachment) {
        clipper.clipEnd(slot);
        clipper.clipStart(skeleton, slot, attachment);
        continue;
      } else {
        clipper.clipEnd(slot);
        continue;
      }
      this.light.set(skeleton.color.r * pose.color.r * color.r, 1, 1, pose.color.a * color.a);
      if (pose.darkColor) this.dark.setFromColor(pose.darkColor);
      if (clipper.isClipping()) {
        clipper.clipTrianglesUnpacked(this.vertices, 0, triangles, triangles.length, uvs);
        emit(clipper.clippedVerticesTyped, clipper.clippedVerticesLength / 2, texture, slot.data.blendMode);
      } else {
        emit(this.vertices, count, texture, slot.data.blendMode);
      }
      clipper.clipEnd(slot);
    }
    clipper.clipEnd();
  }

  hits(x: number, y: number): string | null {
    const bounds = new core.SkeletonBounds();
    bounds.update(this.skeleton, true);
    if (!bounds.aabbContainsPoint(x, y)) return null;
    return bounds.containsPoint(x, y)?.name ?? null;
  }
}

export const assets = (): core.AssetManagerBase => new MyAssets("assets/");
