import { checkLinks, checkMesh, checkPathAttachment, type PendingLink } from "../checks.js";
import {
  BOX_COLOR,
  CLIPPING_COLOR,
  PATH_COLOR,
  POINT_COLOR,
  SKIN_COLOR,
  WHITE,
  type AttachmentDocument,
  type ConstraintType,
  type LinkedMeshDocument,
  type MeshDocument,
  type PathAttachmentDocument,
  type SequenceDocument,
  type SkinDocument,
  type VerticesDocument,
} from "../document.js";
import { MAX_ITEMS, MAX_SEQUENCE_REGIONS, MAX_VERTICES } from "../limits.js";
import { OLD_CONSTRAINT_TYPES } from "../upgrade.js";
import type { BinaryInput } from "./input.js";
import type { BinaryReader } from "./reader.js";

const TYPES = ["region", "boundingbox", "mesh", "linkedmesh", "path", "point", "clipping"] as const;
type AttachmentType = (typeof TYPES)[number];

/** A linked mesh whose skin is known only once all skins are read. */
interface BinaryLink extends PendingLink {
  at: number;
  /** Name of the skin in formats below 4.2, null for the default skin; undefined where an index is stored. */
  skinName: string | null | undefined;
}

/** Reads all skins into the document. */
export function readSkins(reader: BinaryReader): void {
  const { input, document } = reader;
  const links: BinaryLink[] = [];
  const slotCount = input.count("slots of the default skin", 3, MAX_ITEMS);
  if (slotCount > 0) {
    const skin: SkinDocument = { name: "default", color: SKIN_COLOR, bones: [], constraints: [], entries: [] };
    document.skins.push(skin);
    readEntries(reader, skin, slotCount, links);
  }
  const count = input.count("skins", 3, MAX_ITEMS);
  for (let i = 0; i < count; i++) document.skins.push(readSkin(reader, links));
  for (const link of links) {
    const { mesh } = link;
    if (link.skinName !== undefined) mesh.skin = document.skins.findIndex((skin) => skin.name === (link.skinName ?? "default"));
    if (document.skins[mesh.skin] === undefined) {
      const skin = link.skinName === undefined ? String(mesh.skin) : `'${link.skinName ?? "default"}'`;
      input.fail(`there is no skin ${skin}, which holds the source of linked mesh '${mesh.name}'.`, undefined, link.skinName ?? mesh.skin, "missing-reference", link.at);
    }
  }
  checkLinks(reader.entries, links, reader.version < 43, (i) => input.pointAt(links[i]!.at));
}

function readSkin(reader: BinaryReader, links: BinaryLink[]): SkinDocument {
  const { input, version, document } = reader;
  const skin: SkinDocument = {
    name: version >= 38 && version < 42 ? input.refName("a skin") : input.name("a skin"),
    color: version >= 42 && document.nonessential === true ? input.rgba() : SKIN_COLOR,
    bones: version >= 38 ? reader.bones() : [],
    constraints: [],
    entries: [],
  };
  if (version >= 43) {
    const count = input.count("skin constraints", 1, MAX_ITEMS);
    for (let i = 0; i < count; i++) skin.constraints.push(input.index("constraint", document.constraints.length));
  } else if (version >= 38) {
    for (const type of OLD_CONSTRAINT_TYPES) if (type !== "physics" || version >= 42) readOldConstraints(reader, skin, type);
  }
  readEntries(reader, skin, input.count("slots of a skin", 3, MAX_ITEMS), links);
  return skin;
}

function readOldConstraints(reader: BinaryReader, skin: SkinDocument, type: ConstraintType): void {
  const count = reader.input.count(`${type} constraints of a skin`, 1, MAX_ITEMS);
  for (let i = 0; i < count; i++) skin.constraints.push(reader.constraint(type, reader.input.uv()));
}

function readEntries(reader: BinaryReader, skin: SkinDocument, slotCount: number, links: BinaryLink[]): void {
  const { input } = reader;
  for (let i = 0; i < slotCount; i++) {
    const slot = reader.slot();
    const count = input.count("attachments", 5);
    for (let k = 0; k < count; k++) {
      input.spend(8, "attachments");
      const placeholder = reader.textName("a skin placeholder");
      const attachment = reader.version >= 42 ? readAttachment(reader, slot, placeholder, links) : readOldAttachment(reader, slot, placeholder, links);
      skin.entries.push({ slot, placeholder, attachment });
    }
  }
}

/** Attachments of 4.2 and newer: a byte of flags says which fields follow. */
function readAttachment(reader: BinaryReader, slot: number, placeholder: string, links: BinaryLink[]): AttachmentDocument {
  const { input, version, document } = reader;
  const at = input.at;
  const flags = input.u8();
  const type = attachmentType(reader, flags & 7);
  const name = ((flags & 8) !== 0 ? input.ref() : null) ?? placeholder;
  switch (type) {
    case "region": {
      return {
        type, name, path: readPath(input, flags, name), color: readTint(input, flags), sequence: readOptionalSequence(reader, flags),
        rotation: (flags & 128) !== 0 ? input.f32() : 0,
        x: input.f32(), y: input.f32(), scaleX: input.f32(), scaleY: input.f32(), width: input.f32(), height: input.f32(),
      };
    }
    case "boundingbox":
      return { type, name, ...readVertices(reader, (flags & 16) !== 0), color: document.nonessential ? input.rgba() : BOX_COLOR };
    case "mesh": {
      const path = readPath(input, flags, name), color = readTint(input, flags), sequence = readOptionalSequence(reader, flags);
      const hull = input.count("hull vertices", 0, MAX_VERTICES);
      const { vertexCount, bones, vertices } = readVertices(reader, (flags & 128) !== 0);
      const uvs = input.floatList(vertexCount * 2);
      const triangleCount = 2 * vertexCount - hull - 2;
      if (triangleCount < 0) input.fail(`a mesh of ${vertexCount} vertices cannot have a hull of ${hull}.`, "hull", hull);
      const mesh: MeshDocument = {
        type, name, path, color, sequence, vertexCount, bones, vertices, uvs, hull,
        triangles: readIndices(reader, triangleCount * 3), timelineSlots: [], edges: null, width: 0, height: 0,
      };
      if (version >= 43) {
        const count = input.count("timeline slots", 1, MAX_ITEMS);
        for (let i = 0; i < count; i++) mesh.timelineSlots.push(reader.slot());
      }
      if (document.nonessential) {
        mesh.edges = orNull(readIndices(reader, input.count("edges", 1)));
        mesh.width = input.f32();
        mesh.height = input.f32();
      }
      checkMesh(input, mesh);
      return mesh;
    }
    case "linkedmesh": {
      const path = readPath(input, flags, name), color = readTint(input, flags), sequence = readOptionalSequence(reader, flags);
      const sourceSlot = version >= 43 ? reader.slot() : slot;
      const skin = input.uv();
      const mesh: LinkedMeshDocument = {
        type, name, path, color, sequence, skin, slot: sourceSlot, source: input.refName("the source of a linked mesh"), timelines: (flags & 128) !== 0,
        width: document.nonessential ? input.f32() : 0,
        height: document.nonessential ? input.f32() : 0,
      };
      links.push({ mesh, slot, source: input, at, skinName: undefined });
      return mesh;
    }
    case "path": {
      const vertices = readVertices(reader, (flags & 64) !== 0);
      return finishPath(reader, name, (flags & 16) !== 0, (flags & 32) !== 0, vertices);
    }
    case "point":
      return readPoint(reader, name);
    case "clipping":
      return readClipping(reader, name, () => (flags & 16) !== 0, version >= 43 && (flags & 32) !== 0, version >= 43 && (flags & 64) !== 0);
  }
}

function attachmentType(reader: BinaryReader, id: number): AttachmentType {
  return TYPES[id] ?? reader.input.fail(`attachment type ${id} is not known, expected 0..6.`, undefined, id);
}

/* The optional fields that images share, in file order. */

function readPath(input: BinaryInput, flags: number, name: string): string {
  return ((flags & 16) !== 0 ? input.ref() : null) ?? name;
}

function readTint(input: BinaryInput, flags: number): number {
  return (flags & 32) !== 0 ? input.rgba() : WHITE;
}

function readOptionalSequence(reader: BinaryReader, flags: number): SequenceDocument | null {
  return (flags & 64) !== 0 ? readSequence(reader) : null;
}

function readSequence(reader: BinaryReader): SequenceDocument {
  const { input } = reader;
  const count = input.count("sequence regions", 0, MAX_SEQUENCE_REGIONS);
  if (count === 0) input.fail("a sequence needs at least one region.", "count", 0);
  return { count, start: input.uv() | 0, digits: input.count("digits", 0, 16), setup: input.uv() | 0 };
}

/** Attachments of 3.7 to 4.1: all fields, in another order. */
function readOldAttachment(reader: BinaryReader, slot: number, placeholder: string, links: BinaryLink[]): AttachmentDocument {
  const { input, version, document } = reader;
  const at = input.at;
  const name = reader.text() ?? placeholder;
  const type = attachmentType(reader, input.u8());
  const sequence = (): SequenceDocument | null => (version === 41 && input.bool() ? readSequence(reader) : null);
  switch (type) {
    case "region": {
      const path = reader.text() ?? name;
      const [rotation, x, y, scaleX, scaleY, width, height] = input.f32s(7);
      return {
        type, name, path, rotation: rotation!, x: x!, y: y!, scaleX: scaleX!, scaleY: scaleY!, width: width!, height: height!,
        color: input.rgba(), sequence: sequence(),
      };
    }
    case "boundingbox":
      return { type, name, ...readOldVertices(reader), color: document.nonessential ? input.rgba() : BOX_COLOR };
    case "mesh": {
      const path = reader.text() ?? name;
      const color = input.rgba();
      const vertexCount = input.count("vertices", 8, MAX_VERTICES);
      const uvs = input.floatList(vertexCount * 2);
      const triangles = readShorts(reader);
      const vertices = readWeights(reader, vertexCount, input.bool());
      const hull = input.count("hull vertices", 0, MAX_VERTICES);
      const mesh: MeshDocument = {
        type, name, path, color, uvs, triangles, ...vertices, hull, sequence: sequence(), timelineSlots: [], edges: null, width: 0, height: 0,
      };
      if (document.nonessential) {
        mesh.edges = orNull(readShorts(reader));
        mesh.width = input.f32();
        mesh.height = input.f32();
      }
      checkMesh(input, mesh);
      return mesh;
    }
    case "linkedmesh": {
      const path = reader.text() ?? name;
      const color = input.rgba();
      const skinName = reader.text();
      const mesh: LinkedMeshDocument = {
        type, name, path, color, skin: -1, slot, source: reader.textName("the source of a linked mesh"), timelines: input.bool(), sequence: sequence(),
        width: document.nonessential ? input.f32() : 0,
        height: document.nonessential ? input.f32() : 0,
      };
      links.push({ mesh, slot, source: input, at, skinName });
      return mesh;
    }
    case "path": {
      const closed = input.bool(), constantSpeed = input.bool();
      return finishPath(reader, name, closed, constantSpeed, readOldVertices(reader));
    }
    case "point":
      return readPoint(reader, name);
    case "clipping":
      return readClipping(reader, name, () => input.bool(), false, false);
  }
}

function finishPath(reader: BinaryReader, name: string, closed: boolean, constantSpeed: boolean, vertices: VerticesDocument): PathAttachmentDocument {
  const { input, document } = reader;
  const path: PathAttachmentDocument = {
    type: "path", name, closed, constantSpeed, ...vertices, lengths: input.f32s(Math.floor(vertices.vertexCount / 3)),
    color: document.nonessential ? input.rgba() : PATH_COLOR,
  };
  checkPathAttachment(input, path);
  return path;
}

function readPoint(reader: BinaryReader, name: string): AttachmentDocument {
  const { input, document } = reader;
  return { type: "point", name, rotation: input.f32(), x: input.f32(), y: input.f32(), color: document.nonessential ? input.rgba() : POINT_COLOR };
}

/** @param weighted - asked once the vertex count is read, since older formats have it there */
function readClipping(reader: BinaryReader, name: string, weighted: () => boolean, convex: boolean, inverse: boolean): AttachmentDocument {
  const { input, document } = reader;
  const end = input.uv();
  const vertexCount = input.count("vertices", 1, MAX_VERTICES);
  return {
    type: "clipping", name, convex, inverse,
    // There is no code for "none"; an index out of range is read as that.
    end: end < document.slots.length ? end : -1,
    ...readWeights(reader, vertexCount, weighted()),
    color: document.nonessential ? input.rgba() : CLIPPING_COLOR,
  };
}

function readVertices(reader: BinaryReader, weighted: boolean): VerticesDocument {
  return readWeights(reader, reader.input.count("vertices", 1, MAX_VERTICES), weighted);
}

function readOldVertices(reader: BinaryReader): VerticesDocument {
  const vertexCount = reader.input.count("vertices", 1, MAX_VERTICES);
  return readWeights(reader, vertexCount, reader.input.bool());
}

function readWeights(reader: BinaryReader, vertexCount: number, weighted: boolean): VerticesDocument {
  const { input } = reader;
  if (!weighted) return { vertexCount, bones: null, vertices: input.floatList(vertexCount * 2) };
  if (reader.version >= 43) return readCountedWeights(reader, vertexCount);
  const bones: number[] = [], vertices: number[] = [];
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const count = input.count("bones of a vertex", 13);
    input.spend(count * 4, "vertices");
    bones.push(count);
    for (let i = 0; i < count; i++) {
      bones.push(reader.bone());
      vertices.push(input.f32(), input.f32(), input.f32());
    }
  }
  return { vertexCount, bones, vertices };
}

/** Weights of 4.3, which begin with the number of bone entries. */
function readCountedWeights(reader: BinaryReader, vertexCount: number): VerticesDocument {
  const { input } = reader;
  const total = input.count("vertex bones", 1);
  const influences = total - vertexCount;
  const wrong = (found: number): never => input.fail(`${vertexCount} weighted vertices have ${found} bone entries, the file says ${total}.`, "vertices", total);
  if (influences < 0 || influences * 13 > input.remaining) wrong(Math.floor(input.remaining / 13));
  input.spend(total + influences * 3, "vertices");
  const bones: number[] = [];
  const vertices = new Float32Array(influences * 3);
  let v = 0;
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const count = input.uv();
    bones.push(count);
    if (v + count * 3 > vertices.length) wrong(bones.length + count);
    for (let i = 0; i < count; i++, v += 3) {
      bones.push(reader.bone());
      input.floats(vertices, v, 3);
    }
  }
  if (bones.length !== total) wrong(bones.length);
  return { vertexCount, bones, vertices };
}

function readIndices(reader: BinaryReader, count: number): number[] {
  const { input } = reader;
  if (count > input.remaining) input.fail(`${count} indices cannot follow, only ${input.remaining} bytes are left.`, undefined, count, "truncated");
  input.spend(count, "indices");
  const list: number[] = [];
  for (let i = 0; i < count; i++) list.push(input.uv());
  return list;
}

function readShorts(reader: BinaryReader): number[] {
  const { input } = reader;
  const count = input.count("indices", 2);
  const list: number[] = [];
  for (let i = 0; i < count; i++) list.push(input.u16());
  return list;
}

function orNull(list: number[]): number[] | null {
  return list.length === 0 ? null : list;
}
