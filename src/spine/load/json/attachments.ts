import { checkMesh, checkPathAttachment } from "../checks.js";
import {
  BOX_COLOR,
  CLIPPING_COLOR,
  PATH_COLOR,
  POINT_COLOR,
  WHITE,
  type AttachmentDocument,
  type LinkedMeshDocument,
  type MeshDocument,
  type PathAttachmentDocument,
  type SequenceDocument,
  type VerticesDocument,
} from "../document.js";
import { MAX_SEQUENCE_REGIONS, MAX_VERTICES } from "../limits.js";
import type { JsonReader } from "./reader.js";
import type { JsonObject, JsonSource } from "./source.js";

const TYPES = ["region", "mesh", "linkedmesh", "boundingbox", "path", "point", "clipping"] as const;

/** Reads the attachment object at the source's current place. */
export function readAttachment(reader: JsonReader, o: JsonObject, slot: number, placeholder: string): AttachmentDocument {
  const { source } = reader;
  const name = source.string(o, "name", null) || placeholder;
  const type = source.string(o, "type", "region");
  switch (type) {
    case "region":
      return {
        type,
        name,
        path: source.string(o, "path", name),
        color: source.color(o, "color", true) ?? WHITE,
        sequence: readSequence(source, o),
        x: source.number(o, "x", 0),
        y: source.number(o, "y", 0),
        scaleX: source.number(o, "scaleX", 1),
        scaleY: source.number(o, "scaleY", 1),
        rotation: source.number(o, "rotation", 0),
        width: source.requiredNumber(o, "width", "a region"),
        height: source.requiredNumber(o, "height", "a region"),
      };
    case "mesh":
    case "linkedmesh": {
      // The key decides, not the type: that is what the format says.
      const linked = source.string(o, "source", null) ?? source.string(o, "parent", null);
      return linked === null ? readMesh(reader, o, name) : readLinkedMesh(reader, o, name, slot, linked);
    }
    case "boundingbox": {
      const color = source.color(o, "color", true) ?? BOX_COLOR;
      return { type, name, color, ...readVertices(reader, o, vertexCount(source, o)) };
    }
    case "path": {
      const path: PathAttachmentDocument = {
        type,
        name,
        closed: source.boolean(o, "closed", false),
        constantSpeed: source.boolean(o, "constantSpeed", true),
        lengths: source.requiredNumbers(o, "lengths", "a path"),
        color: source.color(o, "color", true) ?? PATH_COLOR,
        ...readVertices(reader, o, vertexCount(source, o)),
      };
      checkPathAttachment(source, path);
      return path;
    }
    case "point":
      return {
        type,
        name,
        x: source.number(o, "x", 0),
        y: source.number(o, "y", 0),
        rotation: source.number(o, "rotation", 0),
        color: source.color(o, "color", true) ?? POINT_COLOR,
      };
    case "clipping": {
      const end = source.string(o, "end", null);
      return {
        type,
        name,
        end: end === null ? -1 : source.reference(o, "end", "slot", reader.slots, "a clipping attachment"),
        convex: source.boolean(o, "convex", false),
        inverse: source.boolean(o, "inverse", false),
        color: source.color(o, "color", true) ?? CLIPPING_COLOR,
        ...readVertices(reader, o, vertexCount(source, o)),
      };
    }
    default:
      return source.unknown("attachment type", type, TYPES, "type");
  }
}

function readMesh(reader: JsonReader, o: JsonObject, name: string): MeshDocument {
  const { source } = reader;
  const uvs = source.requiredNumbers(o, "uvs", "a mesh");
  if (uvs.length % 2 !== 0) source.fail(`expected u, v per vertex, found ${uvs.length} numbers.`, "uvs");
  const edges = source.integers(o, "edges", 0, 2 * MAX_VERTICES, "doubled vertex indices");
  const { vertexCount: count, bones, vertices } = readVertices(reader, o, uvs.length / 2);
  const mesh: MeshDocument = {
    type: "mesh",
    name,
    path: source.string(o, "path", name),
    color: source.color(o, "color", true) ?? WHITE,
    sequence: readSequence(source, o),
    width: source.number(o, "width", 0),
    height: source.number(o, "height", 0),
    vertexCount: count,
    bones,
    vertices,
    uvs,
    triangles: source.integers(o, "triangles", 0, MAX_VERTICES, "vertex indices") ?? source.fail("a mesh needs 'triangles', which is missing."),
    hull: source.integer(o, "hull", 0, 0, MAX_VERTICES),
    edges: edges === undefined || edges.length === 0 ? null : edges,
    timelineSlots: [],
  };
  checkMesh(source, mesh);
  return mesh;
}

function readLinkedMesh(reader: JsonReader, o: JsonObject, name: string, slot: number, linked: string): LinkedMeshDocument {
  const { source } = reader;
  const mesh: LinkedMeshDocument = {
    type: "linkedmesh",
    name,
    path: source.string(o, "path", name),
    color: source.color(o, "color", true) ?? WHITE,
    sequence: readSequence(source, o),
    width: source.number(o, "width", 0),
    height: source.number(o, "height", 0),
    // Old exports without `skin` mean the default skin, too.
    skin: source.string(o, "skin", null) === null ? reader.defaultSkin : source.reference(o, "skin", "skin", reader.skins, "a linked mesh"),
    slot: source.string(o, "slot", null) === null ? slot : source.reference(o, "slot", "slot", reader.slots, "a linked mesh"),
    source: linked,
    timelines: source.boolean(o, "timelines", source.boolean(o, "deform", true)),
  };
  if (mesh.skin < 0) source.fail("a linked mesh without 'skin' needs the skin 'default', which does not exist.", "skin", undefined, "missing-reference");
  reader.links.push({ mesh, slot, source });
  reader.linkPaths.push([...source.path]);
  return mesh;
}

function readSequence(source: JsonSource, o: JsonObject): SequenceDocument | null {
  const sequence = source.object(o, "sequence");
  if (sequence === undefined) return null;
  source.path.push("sequence");
  const count = source.requiredInteger(sequence, "count", "a sequence", 1, MAX_SEQUENCE_REGIONS);
  source.spend(count, "sequence regions");
  const result: SequenceDocument = {
    count,
    start: source.integer(sequence, "start", 1),
    digits: source.integer(sequence, "digits", 0, 0, 16),
    setup: source.integer(sequence, "setup", 0),
  };
  source.path.pop();
  return result;
}

function vertexCount(source: JsonSource, o: JsonObject): number {
  return source.requiredInteger(o, "vertexCount", "an attachment with vertices", 0, MAX_VERTICES);
}

/** Splits `vertices` into bones and values; unweighted if there are exactly two numbers per vertex. */
function readVertices(reader: JsonReader, o: JsonObject, vertexCount: number): VerticesDocument {
  const { source } = reader;
  const values = source.requiredNumbers(o, "vertices", "an attachment with vertices");
  if (values.length === vertexCount * 2) return { vertexCount, bones: null, vertices: values };
  const bones: number[] = [], vertices: number[] = [];
  const boneCount = reader.document.bones.length;
  source.spend(values.length, "vertices");
  let i = 0;
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const count = values[i++]!;
    if (!(Number.isInteger(count) && count >= 0 && i + count * 4 <= values.length)) {
      source.fail(`vertex ${vertex} of ${vertexCount} runs past the ${values.length} numbers.`, "vertices", count);
    }
    bones.push(count);
    for (const end = i + count * 4; i < end; i += 4) {
      const bone = values[i]!;
      if (!(Number.isInteger(bone) && bone >= 0 && bone < boneCount)) {
        source.fail(`vertex ${vertex} is bound to bone ${bone}, the skeleton has bones 0..${boneCount - 1}.`, "vertices", bone);
      }
      bones.push(bone);
      vertices.push(values[i + 1]!, values[i + 2]!, values[i + 3]!);
    }
  }
  if (i !== values.length) {
    source.fail(`expected ${vertexCount * 2} numbers (x, y per vertex) or weights for ${vertexCount} vertices, found ${values.length - i} numbers too many.`, "vertices");
  }
  return { vertexCount, bones, vertices };
}
