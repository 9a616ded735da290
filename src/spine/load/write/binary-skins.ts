import { SKIN_COLOR, WHITE, type AttachmentDocument, type LinkedMeshDocument, type MeshDocument, type RegionDocument, type SkinDocument, type SkinEntryDocument, type VerticesDocument } from "../document.js";
import type { BinaryContext } from "./binary-writer.js";
import { cannotWrite } from "./failure.js";

const TYPE_IDS = { region: 0, boundingbox: 1, mesh: 2, linkedmesh: 3, path: 4, point: 5, clipping: 6 } as const;

/** Writes all skins, the default skin first, and numbers them. */
export function writeSkins(context: BinaryContext): void {
  const { document, out, report, nonessential } = context;
  const main = document.skins.findIndex((skin) => skin.name === "default");
  const hasMain = main >= 0 && document.skins[main]!.entries.length > 0;
  let number = 0;
  context.skins = document.skins.map(() => -1);
  if (hasMain) context.skins[main] = number++;
  document.skins.forEach((_, i) => { if (i !== main) context.skins[i] = number++; });
  if (main >= 0) {
    const { bones, constraints, color, entries } = document.skins[main]!;
    if (entries.length === 0) report?.note("left-out", "The skin 'default' is empty; the binary format has no place for it.");
    if (bones.length + constraints.length > 0 || color !== SKIN_COLOR) report?.note("left-out", "Bones, constraints and colour of the skin 'default' are not written; the binary format has no place for them.");
  }
  if (hasMain) writeEntries(context, document.skins[main]!);
  else out.uv(0);
  out.uv(document.skins.length - (main >= 0 ? 1 : 0));
  document.skins.forEach((skin, i) => {
    if (i === main) return;
    out.string(skin.name);
    if (nonessential) out.rgba(skin.color);
    for (const list of [skin.bones, skin.constraints]) {
      out.uv(list.length);
      for (const index of list) out.uv(index);
    }
    writeEntries(context, skin);
  });
}

function writeEntries(context: BinaryContext, skin: SkinDocument): void {
  const { out, strings } = context;
  const slots = new Map<number, SkinEntryDocument[]>();
  for (const entry of skin.entries) {
    const list = slots.get(entry.slot);
    if (list === undefined) slots.set(entry.slot, [entry]);
    else list.push(entry);
  }
  out.uv(slots.size);
  for (const [slot, entries] of slots) {
    out.uv(slot);
    out.uv(entries.length);
    for (const { placeholder, attachment } of entries) {
      out.uv(strings.number(placeholder));
      writeAttachment(context, attachment, placeholder);
    }
  }
}

function writeAttachment(context: BinaryContext, attachment: AttachmentDocument, placeholder: string): void {
  const { out, strings, nonessential, document } = context;
  const named = attachment.name !== placeholder;
  /** Type, name and four more bits. */
  const head = (a: boolean, b: boolean, c: boolean, d: boolean): void => {
    out.u8(TYPE_IDS[attachment.type] | (named ? 8 : 0) | (a ? 16 : 0) | (b ? 32 : 0) | (c ? 64 : 0) | (d ? 128 : 0));
    if (named) out.uv(strings.number(attachment.name));
  };
  switch (attachment.type) {
    case "region": {
      const rotated = !Object.is(Math.fround(attachment.rotation), 0);
      writeTextured(context, attachment, head, rotated);
      if (rotated) out.f32(attachment.rotation);
      out.f32s([attachment.x, attachment.y, attachment.scaleX, attachment.scaleY, attachment.width, attachment.height]);
      break;
    }
    case "boundingbox":
      head(attachment.bones !== null, false, false, false);
      writeVertices(context, attachment);
      if (nonessential) out.rgba(attachment.color);
      break;
    case "mesh":
      writeMesh(context, attachment, head);
      break;
    case "linkedmesh": {
      const skin = context.skins[attachment.skin]!;
      writeTextured(context, attachment, head, attachment.timelines);
      out.uv(attachment.slot);
      out.uv(skin);
      out.uv(strings.number(attachment.source));
      if (nonessential) out.f32s([attachment.width, attachment.height]);
      break;
    }
    case "path":
      head(attachment.closed, attachment.constantSpeed, attachment.bones !== null, false);
      writeVertices(context, attachment);
      out.f32s(attachment.lengths);
      if (nonessential) out.rgba(attachment.color);
      break;
    case "point":
      head(false, false, false, false);
      out.f32s([attachment.rotation, attachment.x, attachment.y]);
      if (nonessential) out.rgba(attachment.color);
      break;
    case "clipping":
      head(attachment.bones !== null, attachment.convex, attachment.inverse, false);
      // An index out of range stands for "until the end".
      out.uv(attachment.end >= 0 ? attachment.end : document.slots.length);
      writeVertices(context, attachment);
      if (nonessential) out.rgba(attachment.color);
      break;
  }
}

type Head = (a: boolean, b: boolean, c: boolean, d: boolean) => void;

function writeTextured({ out, strings }: BinaryContext, attachment: RegionDocument | MeshDocument | LinkedMeshDocument, head: Head, last: boolean): void {
  const { path, name, color, sequence } = attachment;
  head(path !== name, color !== WHITE, sequence !== null, last);
  if (path !== name) out.uv(strings.number(path));
  if (color !== WHITE) out.rgba(color);
  if (sequence !== null) for (const value of [sequence.count, sequence.start, sequence.digits, sequence.setup]) out.uv(value);
}

function writeMesh(context: BinaryContext, mesh: MeshDocument, head: Head): void {
  const { out, nonessential, report } = context;
  const triangleCount = mesh.triangles.length / 3;
  // The format has no count of triangles: readers take it from the hull, which is otherwise for debug drawing alone.
  const hull = 2 * mesh.vertexCount - triangleCount - 2;
  if (hull < Math.min(3, mesh.hull) || hull > mesh.vertexCount) {
    const expected = 2 * mesh.vertexCount - mesh.hull - 2;
    cannotWrite(
      "The binary format",
      `mesh '${mesh.name}' of ${triangleCount} triangles, where its ${mesh.vertexCount} vertices with a hull of ${mesh.hull} have ${expected}`,
      "Write JSON, or triangulate the mesh anew in the editor.",
    );
  }
  if (hull !== mesh.hull) {
    report?.note("hull", `The hull of mesh '${mesh.name}' is written as ${hull} vertices instead of ${mesh.hull}: the binary format counts triangles by it.`);
  }
  writeTextured(context, mesh, head, mesh.bones !== null);
  out.uv(hull);
  writeVertices(context, mesh);
  out.f32s(mesh.uvs);
  for (const index of mesh.triangles) out.uv(index);
  out.uv(mesh.timelineSlots.length);
  for (const slot of mesh.timelineSlots) out.uv(slot);
  if (!nonessential) return;
  out.uv(mesh.edges?.length ?? 0);
  for (const index of mesh.edges ?? []) out.uv(index);
  out.f32s([mesh.width, mesh.height]);
}

function writeVertices({ out }: BinaryContext, { vertexCount, bones, vertices }: VerticesDocument): void {
  out.uv(vertexCount);
  if (bones === null) {
    out.f32s(vertices);
    return;
  }
  out.uv(bones.length);
  let v = 0;
  for (let b = 0; b < bones.length;) {
    const count = bones[b++]!;
    out.uv(count);
    for (let i = 0; i < count; i++, v += 3) {
      out.uv(bones[b++]!);
      out.f32s([vertices[v]!, vertices[v + 1]!, vertices[v + 2]!]);
    }
  }
}
