import type { CurvesDocument, NumberList, IkDocument, MeshDocument, VertexAttachmentDocument, SkeletonDocument, SkinEntryDocument, LinkedMeshDocument, PathAttachmentDocument } from "./document.js";

/** A reader of either format: it knows where in the file it is. */
export interface Failing {
  /** Throws a FormatError with file and place. */
  fail(message: string, key?: string | number, found?: unknown, code?: string): never;
  /** Counts elements against the budget of the file, throws once it is spent. */
  spend(count: number, what: string): void;
}

/** Rules for a mesh that both formats share. The mesh's pieces have been read and have the right types. */
export function checkMesh(source: Failing, mesh: MeshDocument): void {
  const { vertexCount, triangles, hull } = mesh;
  if (mesh.uvs.length !== vertexCount * 2) source.fail(`expected ${vertexCount * 2} numbers (u, v per vertex), found ${mesh.uvs.length}.`, "uvs");
  if (triangles.length % 3 !== 0) source.fail(`expected three vertex indices per triangle, found ${triangles.length} in all.`, "triangles");
  for (let i = 0; i < triangles.length; i++) {
    if (!(triangles[i]! < vertexCount)) source.fail(`triangle ${Math.floor(i / 3)} uses vertex ${triangles[i]}, the mesh has vertices 0..${vertexCount - 1}.`, "triangles", triangles[i]);
  }
  if (hull > vertexCount) source.fail(`the hull has ${hull} vertices, the mesh only ${vertexCount}.`, "hull", hull);
}

export function checkPathAttachment(source: Failing, path: PathAttachmentDocument): void {
  if (path.vertexCount % 3 !== 0 || path.vertexCount === 0) {
    source.fail(`a path has three vertices per knot, found ${path.vertexCount} vertices.`, "vertexCount", path.vertexCount);
  }
  if (path.lengths.length !== path.vertexCount / 3) {
    source.fail(`expected ${path.vertexCount / 3} lengths (one per knot), found ${path.lengths.length}.`, "lengths");
  }
}

export function checkIkBones(source: Failing, constraint: IkDocument): void {
  const count = constraint.bones.length;
  if (count < 1 || count > 2) source.fail(`IK constraint '${constraint.name}' has ${count} bones, expected 1 or 2.`, "bones", count);
}

/** A two-colour timeline needs a slot with a dark colour. */
export function checkDark(source: Failing, document: SkeletonDocument, slot: number, kind: string): void {
  const { dark, name } = document.slots[slot]!;
  if (dark === null) source.fail(`slot '${name}' has no setup 'dark' colour, which ${kind} keys need.`);
}

/** Values of a deform key must lie within the attachment's. */
export function checkDeform(source: Failing, offset: number, count: number, length: number): void {
  if (offset < 0 || offset + count > length) {
    source.fail(`deform values ${offset}..${offset + count - 1} lie outside the attachment's 0..${length - 1}.`, "vertices", offset);
  }
}

/** The attachment that a deform timeline is for, or its source if it is linked. */
export function vertexAttachment(source: Failing, entries: EntryIndex, entry: SkinEntryDocument): VertexAttachmentDocument {
  let { attachment } = entry;
  while (attachment.type === "linkedmesh") attachment = entries.find(attachment.skin, attachment.slot, attachment.source)!.attachment;
  if (attachment.type === "region" || attachment.type === "point") return source.fail(`a ${attachment.type} has no vertices to deform.`);
  return attachment;
}

/** An attachment that a sequence timeline is for must have textures. */
export function checkSequenced(source: Failing, entry: SkinEntryDocument): void {
  const { type } = entry.attachment;
  if (type !== "region" && type !== "mesh" && type !== "linkedmesh") source.fail(`a ${type} has no sequence of images.`);
}

/** Notes names that occur more than once, which is legal, but only the first is ever found. */
export function noteDuplicates(document: SkeletonDocument, note: (code: string, message: string) => void): void {
  noteDuplicatesIn("bone", document.bones, note);
  noteDuplicatesIn("slot", document.slots, note);
  noteDuplicatesIn("skin", document.skins, note);
  noteDuplicatesIn("event", document.events, note);
  noteDuplicatesIn("animation", document.animations, note);
  for (const type of CONSTRAINT_TYPES) {
    const { constraints } = document;
    // Few skeletons have constraints of every type.
    if (constraints.length > 1) noteDuplicatesIn(`${type} constraint`, constraints.filter((constraint) => constraint.type === type), note);
  }
}

/** In the order in which files list them. */
export const CONSTRAINT_TYPES = ["ik", "transform", "path", "physics", "slider"] as const;

function noteDuplicatesIn(kind: string, items: readonly { name: string }[], note: (code: string, message: string) => void): void {
  if (items.length < 2) return;
  const names = new Set<string>();
  for (let i = 0; i < items.length; i++) {
    const { name } = items[i]!;
    if (names.has(name)) note("duplicate-name", `More than one ${kind} is called '${name}'; references mean the first.`);
    names.add(name);
  }
}

/** The time of a key must not lie before that of the key before. */
export function checkTime(source: Failing, time: number, previous: number): void {
  if (time < previous) {
    source.fail(
      previous === 0 ? `time is ${time}, expected 0 or later.` : `time is ${time}, but the key before is at ${previous}. Keys must be in ascending order.`,
      "time",
      time,
    );
  }
}

/**
 * Places in a draw order of the items that a key lists as position, offset pairs.
 * @param pairs - position, offset, position, offset, ..., positions ascending
 * @returns for each place the item drawn there
 */
export function decodeDrawOrder(source: Failing, count: number, pairs: readonly number[]): number[] {
  source.spend(count, "draw orders");
  const order = Array.from({ length: count }, () => -1);
  const moved = new Uint8Array(count);
  let previous = -1;
  for (let i = 0; i < pairs.length; i += 2) {
    const position = pairs[i]!, target = position + pairs[i + 1]!;
    if (position <= previous) source.fail("the slots of a draw order key must come in ascending order, each once.", "offsets");
    if (!(target >= 0 && target < count)) source.fail(`slot ${position} would be drawn at place ${target}, expected 0..${count - 1}.`, "offsets", pairs[i + 1]);
    if (order[target] !== -1) source.fail(`two slots would be drawn at place ${target}.`, "offsets", target);
    order[target] = position;
    moved[position] = 1;
    previous = position;
  }
  let next = 0;
  for (let position = 0; position < count; position++) {
    if (moved[position] === 1) continue;
    while (order[next] !== -1) next++;
    order[next] = position;
  }
  return order;
}

/**
 * The inverse of `decodeDrawOrder`: position, offset pairs of as few items as possible. Items that are not listed keep their
 * relative order, so a longest ascending run of them is left out.
 */
export function encodeDrawOrder(order: readonly number[]): number[] {
  // Patience sorting: ends[k] is the place of the smallest item that ends an ascending run of k + 1 items.
  const ends: number[] = [];
  const before = order.map(() => -1);
  for (let place = 0; place < order.length; place++) {
    let low = 0, high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (order[ends[middle]!]! < order[place]!) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[place] = ends[low - 1]!;
    ends[low] = place;
  }
  const kept = new Set<number>();
  for (let place = ends.at(-1) ?? -1; place >= 0; place = before[place]!) kept.add(place);
  const moved: [position: number, offset: number][] = [];
  order.forEach((position, place) => { if (!kept.has(place)) moved.push([position, place - position]); });
  return moved.toSorted((a, b) => a[0] - b[0]).flat();
}

/** Finds entries of skins by slot and placeholder; a later entry of the same key counts. */
export class EntryIndex {
  #maps: (Map<number, Map<string, SkinEntryDocument>> | undefined)[] = [];

  constructor(readonly document: SkeletonDocument) {}

  find(skin: number, slot: number, placeholder: string): SkinEntryDocument | undefined {
    return this.#map(skin).get(slot)?.get(placeholder);
  }

  /** Placeholders of a slot in a skin. */
  placeholders(skin: number, slot: number): Iterable<string> {
    return this.#map(skin).get(slot)?.keys() ?? [];
  }

  #map(skin: number): Map<number, Map<string, SkinEntryDocument>> {
    let map = this.#maps[skin];
    if (map === undefined) {
      map = this.#maps[skin] = new Map();
      for (const entry of this.document.skins[skin]!.entries) {
        let slot = map.get(entry.slot);
        if (slot === undefined) map.set(entry.slot, (slot = new Map()));
        slot.set(entry.placeholder, entry);
      }
    }
    return map;
  }
}

/** A linked mesh that was read, and how to say where. */
export interface PendingLink {
  mesh: LinkedMeshDocument;
  /** Slot that holds the linked mesh. */
  slot: number;
  source: Failing;
}

/**
 * Checks that every linked mesh leads to a mesh, over other linked meshes if need be, whatever their order.
 * @param timelineSlots - whether to list the slots of linked meshes with their sources; else the file did
 * @param locate - prepares the reader's place for an error about link `i`
 */
export function checkLinks(entries: EntryIndex, links: readonly PendingLink[], timelineSlots: boolean, locate: (i: number) => void): void {
  const { document } = entries;
  for (let i = 0; i < links.length; i++) {
    const { mesh, slot } = links[i]!;
    const source: Failing = links[i]!.source;
    let link: LinkedMeshDocument = mesh;
    let timelines = true;
    for (let steps = 0; ; steps++) {
      const target = entries.find(link.skin, link.slot, link.source);
      const label = `'${link.source}' in slot '${document.slots[link.slot]!.name}' of skin '${document.skins[link.skin]!.name}'`;
      if (target === undefined) {
        locate(i);
        source.fail(`linked mesh '${mesh.name}' needs ${label}, which does not exist.`, "source", link.source, "missing-reference");
      }
      const { attachment } = target;
      timelines &&= link.timelines;
      if (attachment.type === "mesh") {
        if (timelineSlots && timelines && slot !== target.slot && !attachment.timelineSlots.includes(slot)) attachment.timelineSlots.push(slot);
        break;
      }
      if (attachment.type !== "linkedmesh") {
        locate(i);
        source.fail(`linked mesh '${mesh.name}' needs a mesh, but ${label} is a ${attachment.type}.`, "source", link.source, "missing-reference");
      }
      if (steps > links.length) {
        locate(i);
        source.fail(`linked mesh '${mesh.name}' leads back to itself over its sources.`, "source", link.source, "missing-reference");
      }
      link = attachment;
    }
  }
}

/** Collects the interpolation of a timeline; holds nothing while all keys are linear. */
export class CurveCollector {
  types: number[] | null = null;
  readonly controls: NumberList;
  /** Control numbers so far, where `controls` has the room for all. */
  filled = 0;

  /**
   * @param keyCount - keys including the last
   * @param controls - room for all control numbers, if their count is known
   */
  constructor(
    readonly keyCount: number,
    controls: NumberList = [],
  ) {
    this.controls = controls;
  }

  stepped(key: number): void {
    (this.types ?? this.#start())[key] = 1;
  }

  /** The caller adds the control points to `controls`. */
  bezier(key: number): void {
    (this.types ?? this.#start())[key] = 2;
  }

  #start(): number[] {
    // The length is bounded by the file; Array.from would take several times as long.
    // oxlint-disable-next-line unicorn/no-new-array
    return (this.types = new Array<number>(this.keyCount).fill(0));
  }

  finish(): CurvesDocument | null {
    return this.types === null ? null : { types: this.types, controls: this.controls };
  }
}
