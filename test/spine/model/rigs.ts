import * as spine from "../../../src/spine/index.js";

/** A small rig made by hand: three bones, a region, a weighted mesh, a bounding box, a clip, a path and a point. */
export function smallRig(): spine.SkeletonData {
  const data = new spine.SkeletonData();
  const bone = (name: string, parent: spine.BoneData | null, x = 0): spine.BoneData => {
    const bone = new spine.BoneData(data.bones.length, name, parent);
    bone.setupPose.setScale(1);
    bone.setupPose.x = x;
    bone.length = 10;
    data.bones.push(bone);
    return bone;
  };
  const root = bone("root", null);
  const arm = bone("arm", root, 10);
  const hand = bone("hand", arm, 20);
  const skin = new spine.Skin("default");
  data.skins.push(skin);
  data.defaultSkin = skin;
  const slot = (name: string, on: spine.BoneData, attachment: spine.Attachment): spine.SlotData => {
    const slot = new spine.SlotData(data.slots.length, name, on);
    slot.attachmentName = attachment.name;
    data.slots.push(slot);
    skin.setAttachment(slot.index, attachment.name, attachment);
    return slot;
  };
  slot("clip", root, withVertices(new spine.ClippingAttachment("clip"), [-50, -50, -50, 50, 50, 50, 50, -50]));
  slot("region", hand, regionOf("region", 8, 4));
  slot("mesh", arm, weightedMesh());
  slot("plain", root, plainMesh());
  slot("box", hand, withVertices(new spine.BoundingBoxAttachment("box"), [0, 0, 10, 0, 10, 10, 0, 10]));
  slot("path", root, withVertices(new spine.PathAttachment("path"), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]));
  slot("point", hand, new spine.PointAttachment("point"));
  return data;
}

/** A region attachment that shows one plain image. */
export function regionOf(name: string, width: number, height: number, frames = 1): spine.RegionAttachment {
  const region = new spine.RegionAttachment(name, new spine.Sequence(frames, frames > 1));
  region.width = width;
  region.height = height;
  for (let i = 0; i < frames; i++) region.sequence.regions[i] = plainRegion(i);
  region.updateSequence();
  return region;
}

export function plainRegion(page = 0): spine.TextureRegion {
  return Object.assign(new spine.TextureRegion(), {
    u2: 1, v2: 1, width: 64, height: 64, originalWidth: 64, originalHeight: 64, texture: { page },
  });
}

function withVertices<T extends spine.VertexAttachment>(attachment: T, vertices: number[]): T {
  attachment.vertices = vertices;
  attachment.worldVerticesLength = vertices.length;
  return attachment;
}

export function plainMesh(): spine.MeshAttachment {
  const mesh = new spine.MeshAttachment("plain", new spine.Sequence(1, false));
  mesh.sequence.regions[0] = plainRegion();
  withVertices(mesh, [-5, -5, 5, -5, 0, 5]);
  mesh.regionUVs = [0, 1, 1, 1, 0.5, 0];
  mesh.triangles = [0, 1, 2];
  mesh.hullLength = 6;
  mesh.updateSequence();
  return mesh;
}

/** Four vertices with one, two, three and two influences. */
export function weightedMesh(): spine.MeshAttachment {
  const mesh = new spine.MeshAttachment("mesh", new spine.Sequence(1, false));
  mesh.sequence.regions[0] = plainRegion();
  mesh.bones = [1, 0, 2, 0, 1, 3, 0, 1, 2, 2, 1, 2];
  mesh.vertices = [0, 0, 1, 10, 0, 0.5, 1, 2, 0.5, 30, 5, 0.25, 20, 5, 0.25, 0, 5, 0.5, 20, -5, 0.75, 0, -5, 0.25];
  mesh.worldVerticesLength = 8;
  mesh.regionUVs = [0, 0, 0.5, 0, 1, 0, 1, 1];
  mesh.triangles = [0, 1, 3, 1, 2, 3];
  mesh.hullLength = 8;
  mesh.updateSequence();
  return mesh;
}
