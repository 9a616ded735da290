import { MeshAttachment } from "../../attachments/mesh-attachment.js";
import { Sequence } from "../../attachments/sequence.js";
import type { Attachment } from "../../attachments/attachment.js";
import type { VertexAttachment } from "../../attachments/vertex-attachment.js";
import type { SkeletonData } from "../../data/skeleton-data.js";
import { Skin } from "../../model/skin.js";
import { Color } from "../../utils/color.js";
import { AtlasAttachmentLoader, describeMissing, missingRegionsError, type MissingRegion, type MissingRegionPlace } from "../atlas-attachment-loader.js";
import type { AttachmentLoader } from "../attachment-loader.js";
import { EntryIndex } from "../checks.js";
import type { LinkedMeshDocument, MeshDocument, NumberList, RegionDocument, SequenceDocument, SkeletonDocument, SkinEntryDocument, VerticesDocument } from "../document.js";
import type { LoadReport } from "../report.js";

const f32 = Math.fround;

/** Builds all skins and their attachments, linked meshes last. */
export function buildSkins(document: SkeletonDocument, data: SkeletonData, loader: AttachmentLoader, scale: number, report: LoadReport): void {
  const missing: MissingRegionPlace[] = [];
  const atlasLoader = loader instanceof AtlasAttachmentLoader ? loader : undefined;
  const collected: MissingRegion[] = [];
  if (atlasLoader !== undefined) atlasLoader._collected = collected;
  try {
    const links: Link[] = [];
    for (const source of document.skins) {
      const skin = new Skin(source.name);
      Color.rgba8888ToColor(skin.color, source.color);
      for (const bone of source.bones) skin.bones.push(data.bones[bone]!);
      for (const constraint of source.constraints) skin.constraints.push(data.constraints[constraint]!);
      data.skins.push(skin);
      if (source.name === "default") data.defaultSkin ??= skin;
      for (const entry of source.entries) {
        const attachment = buildAttachment(entry, skin, data, loader, scale);
        if (collected.length > 0) {
          for (const region of collected) missing.push({ ...region, slot: document.slots[entry.slot]!.name, skin: skin.name });
          collected.length = 0;
        }
        if (attachment === null) {
          report.note("left-out", `The attachment loader left out '${entry.placeholder}' of skin '${skin.name}'.`);
          continue;
        }
        skin.setAttachment(entry.slot, entry.placeholder, attachment);
        if (entry.attachment.type === "linkedmesh") {
          links.push({ skin, slot: entry.slot, placeholder: entry.placeholder, mesh: entry.attachment, attachment });
        }
      }
    }
    if (missing.length > 0) {
      if (atlasLoader!.missing === "error") throw missingRegionsError(missing, atlasLoader!.atlas, report.file);
      const instead = atlasLoader!.missing === "warn" ? "Nothing is drawn there." : "A placeholder is drawn there.";
      for (const region of missing) report.note("missing-region", `The atlas lacks the region ${describeMissing(region)}. ${instead}`);
    }
    if (links.length > 0) connect(links, new EntryIndex(document), data, report);
  } finally {
    if (atlasLoader !== undefined) atlasLoader._collected = null;
  }
}

/** A linked mesh and where it is. */
interface Link {
  skin: Skin;
  slot: number;
  placeholder: string;
  mesh: LinkedMeshDocument;
  attachment: Attachment;
}

/** Connects linked meshes with their sources, and leaves out those whose source was left out. */
function connect(links: readonly Link[], entries: EntryIndex, data: SkeletonData, report: LoadReport): void {
  const done = new Set<LinkedMeshDocument>(), lost = new Set<LinkedMeshDocument>();
  for (const first of links) connectChain(first, entries, data, done, lost);
  for (const { skin, placeholder, mesh } of links) {
    if (lost.has(mesh)) report.note("left-out", `The linked mesh '${placeholder}' of skin '${skin.name}' is left out with its source.`);
  }
}

/** Connects a linked mesh with its source; a source that is linked, too, comes first. */
function connectChain(first: Link, entries: EntryIndex, data: SkeletonData, done: Set<LinkedMeshDocument>, lost: Set<LinkedMeshDocument>): void {
  // The chain ends: the reader has checked that it leads to a mesh.
  const chain: Link[] = [];
  for (let link: Link | null = first; link !== null && !done.has(link.mesh); link = nextLink(link.mesh, entries, data)) chain.push(link);
  for (const { skin, slot, placeholder, mesh, attachment } of chain.toReversed()) {
    done.add(mesh);
    const source = data.skins[mesh.skin]!.getAttachment(mesh.slot, mesh.source);
    if (!(source instanceof MeshAttachment) || !(attachment instanceof MeshAttachment)) {
      lost.add(mesh);
      skin.removeAttachment(slot, placeholder);
      continue;
    }
    attachment.timelineAttachment = mesh.timelines ? source.timelineAttachment : attachment;
    attachment.setSourceMesh(source.getSourceMesh() ?? source);
    attachment.updateSequence();
  }
}

/** The source of a linked mesh, if that is linked, too. */
function nextLink({ skin, slot, source }: LinkedMeshDocument, entries: EntryIndex, data: SkeletonData): Link | null {
  const { attachment: mesh } = entries.find(skin, slot, source)!;
  const attachment = data.skins[skin]!.getAttachment(slot, source);
  return mesh.type === "linkedmesh" && attachment !== null ? { skin: data.skins[skin]!, slot, placeholder: source, mesh, attachment } : null;
}

function buildAttachment(entry: SkinEntryDocument, skin: Skin, data: SkeletonData, loader: AttachmentLoader, scale: number): Attachment | null {
  const { attachment: source, placeholder } = entry;
  const { name } = source;
  switch (source.type) {
    case "region": {
      const region = loader.newRegionAttachment(skin, placeholder, name, source.path, newSequence(source.sequence));
      if (region == null) return null;
      setTextured(region, source, scale);
      region.x = f32(source.x * scale);
      region.y = f32(source.y * scale);
      region.scaleX = f32(source.scaleX);
      region.scaleY = f32(source.scaleY);
      region.rotation = f32(source.rotation);
      region.updateSequence();
      return region;
    }
    case "mesh": {
      const mesh = loader.newMeshAttachment(skin, placeholder, name, source.path, newSequence(source.sequence));
      if (mesh == null) return null;
      setTextured(mesh, source, scale);
      mesh.regionUVs = single(source.uvs);
      mesh.triangles = source.triangles;
      mesh.hullLength = source.hull * 2;
      mesh.edges = source.edges ?? [];
      mesh.timelineSlots = source.timelineSlots;
      setVertices(mesh, source, scale);
      mesh.updateSequence();
      return mesh;
    }
    case "linkedmesh": {
      const mesh = loader.newMeshAttachment(skin, placeholder, name, source.path, newSequence(source.sequence));
      if (mesh == null) return null;
      setTextured(mesh, source, scale);
      return mesh;
    }
    case "boundingbox": {
      const box = loader.newBoundingBoxAttachment(skin, placeholder, name);
      if (box == null) return null;
      setVertices(box, source, scale);
      Color.rgba8888ToColor(box.color, source.color);
      return box;
    }
    case "path": {
      const path = loader.newPathAttachment(skin, placeholder, name);
      if (path == null) return null;
      path.closed = source.closed;
      path.constantSpeed = source.constantSpeed;
      path._setLengths(source.lengths.map((length) => f32(length * scale)));
      setVertices(path, source, scale);
      Color.rgba8888ToColor(path.color, source.color);
      return path;
    }
    case "point": {
      const point = loader.newPointAttachment(skin, placeholder, name);
      if (point == null) return null;
      point.x = f32(source.x * scale);
      point.y = f32(source.y * scale);
      point.rotation = f32(source.rotation);
      Color.rgba8888ToColor(point.color, source.color);
      return point;
    }
    case "clipping": {
      const clipping = loader.newClippingAttachment(skin, placeholder, name);
      if (clipping == null) return null;
      clipping.endSlot = source.end < 0 ? null : data.slots[source.end]!;
      clipping.convex = source.convex;
      clipping.inverse = source.inverse;
      setVertices(clipping, source, scale);
      Color.rgba8888ToColor(clipping.color, source.color);
      return clipping;
    }
  }
}

function newSequence(source: SequenceDocument | null): Sequence {
  if (source === null) return new Sequence(1, false);
  const sequence = new Sequence(source.count, true);
  sequence.start = source.start;
  sequence.digits = source.digits;
  sequence.setupIndex = source.setup;
  return sequence;
}

function setTextured(
  attachment: { path: string | undefined; width: number; height: number; readonly color: Color },
  source: RegionDocument | MeshDocument | LinkedMeshDocument,
  scale: number,
): void {
  attachment.path = source.path;
  attachment.width = f32(source.width * scale);
  attachment.height = f32(source.height * scale);
  Color.rgba8888ToColor(attachment.color, source.color);
}

/** The numbers in single precision: those of the document where they are, which is given up after loading, as are its lists. */
function single(values: NumberList): Float32Array {
  return values instanceof Float32Array ? values : new Float32Array(values);
}

function setVertices(attachment: VertexAttachment, source: VerticesDocument, scale: number): void {
  const vertices = single(source.vertices);
  if (scale !== 1) {
    const weighted = source.bones !== null;
    for (let i = 0; i < vertices.length; i++) {
      if (!weighted || i % 3 !== 2) vertices[i] = source.vertices[i]! * scale;
    }
  }
  attachment._setVertices(source.bones, vertices, source.vertexCount * 2);
}
