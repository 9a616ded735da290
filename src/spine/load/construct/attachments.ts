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
import type { AttachmentDocument, LinkedMeshDocument, MeshDocument, NumberList, RegionDocument, SequenceDocument, SkeletonDocument, SkinEntryDocument, VerticesDocument } from "../document.js";
import type { LoadReport } from "../report.js";

const f32 = Math.fround;

/** Attachments that were built, found by their document entry. */
export type BuiltAttachments = Map<AttachmentDocument, Attachment>;

/** Builds all skins and their attachments, linked meshes last. */
export function buildSkins(document: SkeletonDocument, data: SkeletonData, loader: AttachmentLoader, scale: number, report: LoadReport): BuiltAttachments {
  const built: BuiltAttachments = new Map();
  const missing: MissingRegionPlace[] = [];
  const atlasLoader = loader instanceof AtlasAttachmentLoader ? loader : undefined;
  const collected: MissingRegion[] = [];
  if (atlasLoader !== undefined) atlasLoader._collected = collected;
  try {
    const links: { skin: Skin; entry: SkinEntryDocument; mesh: LinkedMeshDocument }[] = [];
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
        built.set(entry.attachment, attachment);
        if (entry.attachment.type === "linkedmesh") links.push({ skin, entry, mesh: entry.attachment });
      }
    }
    if (missing.length > 0) {
      if (atlasLoader!.missing === "error") throw missingRegionsError(missing, atlasLoader!.atlas, report.file);
      const instead = atlasLoader!.missing === "warn" ? "Nothing is drawn there." : "A placeholder is drawn there.";
      for (const region of missing) report.note("missing-region", `The atlas lacks the region ${describeMissing(region)}. ${instead}`);
    }
    const entries = new EntryIndex(document);
    const done = new Set<LinkedMeshDocument>();
    for (const { mesh } of links) link(mesh, entries, built, done);
    for (const { skin, entry, mesh } of links) {
      if (built.has(mesh)) continue;
      skin.removeAttachment(entry.slot, entry.placeholder);
      report.note("left-out", `The linked mesh '${entry.placeholder}' of skin '${skin.name}' is left out with its source.`);
    }
  } finally {
    if (atlasLoader !== undefined) atlasLoader._collected = null;
  }
  return built;
}

/** Connects a linked mesh with its source, sources first; forgets it if the source was left out. */
function link(mesh: LinkedMeshDocument, entries: EntryIndex, built: BuiltAttachments, done: Set<LinkedMeshDocument>): void {
  // Sources of sources come first. The chain ends: the reader has checked that it leads to a mesh.
  const chain: LinkedMeshDocument[] = [];
  let source: AttachmentDocument = mesh;
  while (source.type === "linkedmesh" && !done.has(source)) {
    chain.push(source);
    source = entries.find(source.skin, source.slot, source.source)!.attachment;
  }
  for (const item of chain.toReversed()) {
    done.add(item);
    const parent = built.get(entries.find(item.skin, item.slot, item.source)!.attachment);
    const attachment = built.get(item);
    if (!(parent instanceof MeshAttachment) || !(attachment instanceof MeshAttachment)) {
      built.delete(item);
      continue;
    }
    attachment.timelineAttachment = item.timelines ? parent.timelineAttachment : attachment;
    attachment.setSourceMesh(parent.getSourceMesh() ?? parent);
    attachment.updateSequence();
  }
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
      mesh.triangles = source.triangles.slice();
      mesh.hullLength = source.hull * 2;
      mesh.edges = source.edges === null ? [] : source.edges.slice();
      mesh.timelineSlots = source.timelineSlots.slice();
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

/** The numbers in single precision: those of the document where they are, which is given up after loading. */
function single(values: NumberList): Float32Array {
  return values instanceof Float32Array ? values : new Float32Array(values);
}

function setVertices(attachment: VertexAttachment, source: VerticesDocument, scale: number): void {
  const vertices = scale === 1 ? single(source.vertices) : new Float32Array(source.vertices);
  if (scale !== 1) {
    const weighted = source.bones !== null;
    for (let i = 0; i < vertices.length; i++) {
      if (!weighted || i % 3 !== 2) vertices[i] = source.vertices[i]! * scale;
    }
  }
  attachment._setVertices(source.bones === null ? null : source.bones.slice(), vertices, source.vertexCount * 2);
}
